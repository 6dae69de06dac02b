//! Single steps of an exploration: performing a pick, and judging where it led.

use crate::report::Bug;
use crate::{Options, Progress};
use selvedge_machine::{Machine, Outcome, Pick, Stepped};
use selvedge_trace::{Choice, Choices, ThreadId};

/// The code with which a Rust program ends whose main thread panics.
const RUST_PANIC: i32 = 101;

/// Where a step led.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advanced {
    /// The thread has come to a visible operation, waits, or has ended.
    Stopped,
    /// The execution is over.
    Ended,
    /// The thread will run for ever without doing anything visible.
    Endless(ThreadId),
    /// The exploration is to stop.
    Interrupted,
}

/// Performs a pick and whatever follows of it until the next choice.
pub fn advance(machine: &mut Machine, pick: Pick, progress: &Progress) -> Advanced {
    advance_within(machine, pick, progress, u64::MAX).unwrap_or(Advanced::Interrupted)
}

/// As `advance`; nothing if the thread has used up its fuel so many times: then it may go on for ever.
pub fn advance_within(machine: &mut Machine, pick: Pick, progress: &Progress, most: u64) -> Option<Advanced> {
    let stepped = machine.step(pick);
    go_on(machine, stepped, pick, progress, most)
}

/// Goes on with a thread that may have run out of fuel in a pick.
pub fn go_on(
    machine: &mut Machine,
    mut stepped: Stepped,
    pick: Pick,
    progress: &Progress,
    most: u64,
) -> Option<Advanced> {
    // A thread that goes on for long without a visible operation either works or is on a cycle: then it comes to a
    // state that was seen before. Comparing with the state at the last power of two finds every cycle.
    let (mut seen, mut rounds) = (None, 0_u64);
    loop {
        match stepped {
            Stepped::Stopped if machine.outcome().is_some() => return Some(Advanced::Ended),
            Stepped::Stopped => return Some(Advanced::Stopped),
            Stepped::Ended => return Some(Advanced::Ended),
            Stepped::OutOfFuel => {
                if progress.over().is_some() {
                    return Some(Advanced::Interrupted);
                }
                let hash = machine.state_hash();
                if seen == Some(hash) {
                    return Some(Advanced::Endless(machine.unfinished().unwrap_or(thread_of(pick))));
                }
                rounds += 1;
                if rounds > most {
                    return None;
                }
                if rounds.is_power_of_two() {
                    seen = Some(hash);
                }
                stepped = machine.resume();
            }
        }
    }
}

/// How an execution that is over counts.
pub enum Ending {
    /// It is complete.
    Complete,
    /// An assumption does not hold.
    Blocked,
    /// It is a violation.
    Bug(Bug),
    /// It came to something that is not supported.
    Unsupported(Outcome),
}

/// How an execution that is over counts.
pub fn ending(machine: &mut Machine, options: &Options) -> Ending {
    match machine.outcome().cloned() {
        Some(Outcome::Exited(code))
            if code == RUST_PANIC && machine.panicked() || machine.unheard_panic().is_some() =>
        {
            Ending::Bug(Bug::Ends(Outcome::Exited(code)))
        }
        Some(Outcome::Exited(_)) | None => match options.leaks && !machine.leaks().is_empty() {
            true => Ending::Bug(Bug::Leaks),
            false => Ending::Complete,
        },
        Some(outcome @ (Outcome::Violation { .. } | Outcome::Deadlock(_))) => Ending::Bug(Bug::Ends(outcome)),
        Some(Outcome::Blocked { .. }) => Ending::Blocked,
        Some(outcome @ Outcome::Unsupported { .. }) => Ending::Unsupported(outcome),
    }
}

/// The thread that a pick belongs to.
pub fn thread_of(pick: Pick) -> ThreadId {
    match pick {
        Pick::Step { thread, .. } | Pick::Commit { thread, .. } => thread,
    }
}

/// Picks as choices that mean the same in every execution.
pub fn choices(machine: &Machine, picks: &[Pick]) -> Choices {
    let name = |thread: ThreadId| machine.threads()[thread.index()].name.clone();
    let choice = |&pick: &Pick| match pick {
        Pick::Step { thread, alternative } => Choice::Step { thread: name(thread), alternative },
        Pick::Commit { thread, address } => Choice::Commit { thread: name(thread), address },
    };
    picks.iter().map(choice).collect()
}

/// Follows choices; the picks for that, or nothing if they cannot be followed.
pub fn follow(machine: &mut Machine, choices: &Choices, progress: &Progress) -> Option<Vec<Pick>> {
    let (mut picks, mut possible) = (Vec::new(), Vec::new());
    for (choice, count) in choices.runs() {
        for _ in 0..*count {
            let (Choice::Step { thread: name, .. } | Choice::Commit { thread: name, .. }) = choice;
            let thread = machine.threads().iter().find(|thread| thread.name == *name)?.id;
            let pick = match choice {
                Choice::Step { alternative, .. } => Pick::Step { thread, alternative: *alternative },
                Choice::Commit { address, .. } => Pick::Commit { thread, address: *address },
            };
            machine.picks(&mut possible);
            if !possible.contains(&pick) {
                return None;
            }
            advance(machine, pick, progress);
            picks.push(pick);
        }
    }
    Some(picks)
}

/// How often the thread that acts changes.
pub fn switches(picks: &[Pick]) -> u32 {
    picks.windows(2).filter(|pair| thread_of(pair[0]) != thread_of(pair[1])).count() as u32
}
