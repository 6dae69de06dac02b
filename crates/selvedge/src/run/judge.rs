//! From the end of an execution to a verdict in the user's words.

use super::execute::{End, Execution};
use super::messages;
use super::places::{Places, thread_name};
use selvedge_machine::{Blocked, EndProperties, Machine, Outcome, ViolationKind};
use selvedge_report::{Doing, Kind, Leak, Place, StackLine, Unknown, Verdict, Violation, Waiting};
use selvedge_trace::{EventKind, ThreadId};

/// The exit code by which Rust's runtime says that `main` panicked.
const RUST_PANIC: i32 = 101;

/// The verdict on an execution. `at_end`: what has to hold when the program has ended.
pub fn judge(execution: &mut Execution, at_end: EndProperties) -> Verdict {
    match &execution.end {
        End::Over => {}
        End::Complete => {
            return match execution.claimed.clone() {
                Some(violation) => Verdict::Violation(violation),
                None => stopped(execution, "the schedule is over", "Record it again"),
            };
        }
        End::Steps => {
            return stopped(execution, "the limit of steps was reached", "Raise it with --max-steps");
        }
        End::Time => return stopped(execution, "the limit of time was reached", "Raise it with --max-time"),
        End::Interrupted => return stopped(execution, "the run was interrupted", "Run it again"),
        End::Stuck => return stopped(execution, "the schedule could not be followed", "Record it again"),
        End::Output(cause) => {
            let what = format!("the program's output could not be written ({cause})");
            return stopped(execution, &what, "Check where it goes");
        }
    }
    let program = execution.machine.inspect().program().clone();
    let places = Places::new(&program);
    match execution.machine.outcome().cloned() {
        None => stopped(execution, "the run did not end", "Report this as a bug of Selvedge"),
        Some(Outcome::Exited(code)) => exited(execution, &places, code, at_end),
        Some(Outcome::Violation { violation, thread }) => {
            let kind = kind(violation.kind);
            let mut result = in_thread(&execution.machine, &places, thread, kind, violation.message);
            if kind == Kind::DataRace {
                result.doing = raced(&execution.machine, &places);
            }
            if kind == Kind::Abort {
                explain_abort(&mut result, &execution.machine, &execution.stderr, thread);
            }
            Verdict::Violation(Box::new(result))
        }
        Some(Outcome::Unsupported { what, thread }) => Verdict::Unknown(Unknown {
            place: user_place(&execution.machine, &places, thread),
            thread: Some(thread_name(&execution.machine, thread.index())),
            advice: advice(&what).to_owned(),
            what: format!("unsupported {what}"),
        }),
        Some(Outcome::Blocked { thread }) => Verdict::Unknown(Unknown {
            what: "an assumption of the program does not hold".to_owned(),
            place: user_place(&execution.machine, &places, thread),
            thread: Some(thread_name(&execution.machine, thread.index())),
            advice: "This execution does not count. Choose another seed or schedule".to_owned(),
        }),
        Some(Outcome::Deadlock(blocked)) => {
            Verdict::Violation(Box::new(deadlock(&execution.machine, &places, &blocked)))
        }
    }
}

/// What to do about something that cannot be executed.
fn advice(what: &str) -> &'static str {
    match what.starts_with("call of the external function") {
        true => "If it is yours, add the file that defines it; otherwise leave the call out of what is run",
        false => {
            "Selvedge cannot execute this. Leave it out of what is run, for instance with a macro or a feature that \
             replaces it"
        }
    }
}

fn stopped(execution: &Execution, what: &str, advice: &str) -> Verdict {
    Verdict::Unknown(Unknown {
        what: format!("{what} after {} steps", execution.steps),
        place: None,
        thread: None,
        advice: advice.to_owned(),
    })
}

fn kind(kind: ViolationKind) -> Kind {
    match kind {
        ViolationKind::Assertion | ViolationKind::ErrorFunction => Kind::Assertion,
        ViolationKind::Overflow => Kind::Overflow,
        ViolationKind::Panic => Kind::Panic,
        ViolationKind::Abort => Kind::Abort,
        ViolationKind::Deadlock => Kind::Deadlock,
        ViolationKind::Memory => Kind::Memory,
        ViolationKind::Leak => Kind::Leak,
        ViolationKind::Uninitialised => Kind::Uninitialised,
        ViolationKind::Division => Kind::Division,
        ViolationKind::Unreachable => Kind::Unreachable,
        ViolationKind::DataRace => Kind::DataRace,
        ViolationKind::Misuse => Kind::Misuse,
    }
}

fn user_place(machine: &Machine, places: &Places<'_>, thread: ThreadId) -> Option<Place> {
    machine.threads().get(thread.index())?;
    places.place(machine.inspect().user_position(thread.index()))
}

/// The accesses of a race, in the order in which they were performed.
fn raced(machine: &Machine, places: &Places<'_>) -> Vec<Doing> {
    let accesses = machine.inspect_graph().raced().into_iter().flatten();
    accesses
        .map(|access| {
            let does = match access.writes {
                _ if access.allocates => "allocates",
                true => "writes",
                false => "reads",
            };
            let atomically = if access.atomic { " atomically" } else { "" };
            let subject = super::words::name(machine, access.address, 0);
            Doing {
                thread: thread_name(machine, access.thread),
                does: format!("{does} {subject}{atomically}"),
                place: places.place(access.position),
            }
        })
        .collect()
}

fn in_thread(
    machine: &Machine,
    places: &Places<'_>,
    thread: ThreadId,
    kind: Kind,
    message: String,
) -> Violation {
    Violation {
        place: user_place(machine, places, thread),
        thread: Some(thread_name(machine, thread.index())),
        stack: places.stack(machine, thread.index()),
        ..Violation::new(kind, message)
    }
}

/// The program ended by itself: was it Rust's runtime after a panic, and what did it leave behind?
fn exited(execution: &mut Execution, places: &Places<'_>, code: i32, at_end: EndProperties) -> Verdict {
    if code == RUST_PANIC && execution.machine.inspect().panicked() {
        return Verdict::Violation(Box::new(panicked(execution, places)));
    }
    if let Some(thread) = execution.machine.inspect().unheard_panic() {
        return Verdict::Violation(Box::new(unheard(execution, places, thread)));
    }
    match execution.machine.probe().broken(at_end) {
        Some((property, broken)) => {
            let leak = |(site, blocks, bytes)| Leak { place: places.place(site), blocks, bytes };
            let leaks: Vec<Leak> = broken.sites.into_iter().map(leak).collect();
            let place = leaks.first().and_then(|first| first.place.clone());
            let violation = Violation { place, leaks, ..Violation::new(kind(property.kind), broken.message) };
            Verdict::Violation(Box::new(violation))
        }
        None => Verdict::Ended(code),
    }
}

/// Rust's runtime has ended the program because of a panic.
fn panicked(execution: &Execution, places: &Places<'_>) -> Violation {
    let of_main = messages::last_panic_of_main(&execution.stderr);
    let Some(panic) = of_main.or_else(|| messages::last_panic(&execution.stderr)) else {
        return Violation::new(
            Kind::Panic,
            "the program ended because of a panic, and did not say which".into(),
        );
    };
    let main = (panic.thread == "main").then(|| thread_name(&execution.machine, 0));
    let titled = |thread: &&std::sync::Arc<selvedge_machine::Thread>| thread.title == panic.thread;
    let other = execution.machine.threads().iter().find(titled).map(|thread| thread.id.index());
    Violation {
        place: panic_place(&panic, places),
        thread: main.or_else(|| other.map(|index| thread_name(&execution.machine, index))),
        ..Violation::new(Kind::Panic, panic.message)
    }
}

/// A panic has ended a thread, and no thread can join that one any more.
fn unheard(execution: &Execution, places: &Places<'_>, thread: usize) -> Violation {
    let id = execution.machine.inspect().system_id(thread);
    let panic = messages::last_panic_of(&execution.stderr, id);
    let said = panic.as_ref().map_or("a panic that did not say why", |panic| &panic.message);
    let message = format!("{said}\nthe thread was detached: nobody learns that it has panicked");
    Violation {
        place: panic.as_ref().and_then(|panic| panic_place(panic, places)),
        thread: Some(thread_name(&execution.machine, thread)),
        ..Violation::new(Kind::Panic, message)
    }
}

fn panic_place(panic: &messages::Panic, places: &Places<'_>) -> Option<Place> {
    let file = places.file(&panic.file);
    Some(Place { file, line: panic.line, column: panic.column, function: String::new() })
}

/// Why a program called `abort`: the runtimes of Rust and C++ say it on standard error before.
fn explain_abort(violation: &mut Violation, machine: &Machine, stderr: &[u8], thread: ThreadId) {
    if let Some(panic) = messages::last_panic(stderr) {
        violation.message = format!("panic: {}", panic.message);
        // A program whose panics abort by design has panicked; one that could not unwind has aborted.
        if calls(machine, thread, |name| name.contains("__rust_start_panic")) {
            violation.kind = Kind::Panic;
            violation.message = panic.message.clone();
            let at_panic =
                |line: &StackLine| line.place.line == panic.line && line.place.file.ends_with(&panic.file);
            if let Some(line) = violation.stack.iter().find(|line| at_panic(line)) {
                violation.place = Some(line.place.clone());
            }
        }
    } else if let Some(message) = messages::last_termination(stderr) {
        violation.message = message;
    }
}

/// Whether a thread is inside of a function whose symbol satisfies `wanted`.
fn calls(machine: &Machine, thread: ThreadId, wanted: impl Fn(&str) -> bool) -> bool {
    let frames = machine.threads().get(thread.index()).map_or(&[][..], |thread| &thread.frames);
    frames.iter().any(|frame| wanted(&machine.inspect().program().functions[frame.function as usize].name))
}

fn deadlock(machine: &Machine, places: &Places<'_>, blocked: &[Blocked]) -> Violation {
    let name = |thread: ThreadId| thread_name(machine, thread.index());
    let waiting = blocked.iter().map(|blocked| Waiting {
        thread: name(blocked.thread),
        waits: waits(machine, blocked),
        holder: blocked.holder.filter(|_| blocked.kind != EventKind::ThreadJoin).map(name),
        place: user_place(machine, places, blocked.thread),
    });
    let circle = cycle(blocked);
    let first = circle.first().copied().or_else(|| blocked.first().map(|blocked| blocked.thread));
    let message = match blocked {
        [only] => format!("thread {} waits for ever, and no other thread is left", name(only.thread)),
        _ => "no thread can go on".to_owned(),
    };
    Violation {
        place: first.and_then(|thread| user_place(machine, places, thread)),
        thread: first.map(name),
        waiting: waiting.collect(),
        cycle: circle.into_iter().map(name).collect(),
        ..Violation::new(Kind::Deadlock, message)
    }
}

/// What a blocked thread waits for, after the word "waits".
fn waits(machine: &Machine, blocked: &Blocked) -> String {
    let what = || super::words::name(machine, blocked.address, 0);
    match blocked.kind {
        EventKind::MutexLock => format!("to lock mutex {}", what()),
        EventKind::ReadLock => format!("to lock {} for reading", what()),
        EventKind::WriteLock => format!("to lock {} for writing", what()),
        EventKind::SpinLock => format!("to lock spinlock {}", what()),
        EventKind::FutexLock => format!("to lock mutex {}", what()),
        EventKind::FutexPark => "to be unparked".to_owned(),
        EventKind::CondWait => format!("to be signalled on condition {}", what()),
        EventKind::BarrierWait => format!("for the others at barrier {}", what()),
        EventKind::SemWait => format!("for semaphore {}", what()),
        EventKind::OnceEnter => format!("for the initialisation of {}", what()),
        EventKind::FutexWait => format!("to be woken on {}", what()),
        EventKind::ThreadJoin => match blocked.holder {
            Some(thread) => format!("for thread {} to end", thread_name(machine, thread.index())),
            None => "for a thread to end".to_owned(),
        },
        EventKind::Input => "for input".to_owned(),
        _ => format!("for {}", what()),
    }
}

/// Threads that wait for each other in a cycle, beginning with the first in order of creation.
fn cycle(blocked: &[Blocked]) -> Vec<ThreadId> {
    let holder = |thread: ThreadId| {
        blocked.iter().find(|blocked| blocked.thread == thread).and_then(|blocked| blocked.holder)
    };
    for start in blocked {
        let mut path = vec![start.thread];
        while let Some(next) = path.last().and_then(|last| holder(*last)) {
            if next == start.thread {
                return path;
            }
            if path.contains(&next) {
                break;
            }
            path.push(next);
        }
    }
    Vec::new()
}
