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
                    return Some(Advanced::Endless(
                        machine.inspect().unfinished().unwrap_or(thread_of(pick)),
                    ));
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

/// Whether Rust's runtime has ended the program because of a panic.
fn ended_by_panic(machine: &Machine, code: i32) -> bool {
    code == RUST_PANIC && machine.inspect().panicked()
}

/// Where the panic began that the end of a program tells of: the main thread's, or that of a thread of which no other
/// learns.
pub fn panic_position(machine: &Machine, code: i32) -> Option<u32> {
    let threads = machine.threads();
    match ended_by_panic(machine, code) {
        true => {
            threads[0].panicked_at.or_else(|| threads.iter().filter_map(|thread| thread.panicked_at).min())
        }
        false => threads[machine.inspect().unheard_panic()?].panicked_at,
    }
}

/// How an execution that is over counts.
pub fn ending(machine: &mut Machine, options: &Options) -> Ending {
    match machine.outcome().cloned() {
        Some(Outcome::Exited(code))
            if ended_by_panic(machine, code) || machine.inspect().unheard_panic().is_some() =>
        {
            Ending::Bug(Bug::Ends(Outcome::Exited(code)))
        }
        Some(Outcome::Exited(_)) | None => match machine.probe().broken(options.at_end) {
            Some((property, _)) => Ending::Bug(Bug::AtEnd(property)),
            None => Ending::Complete,
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

/// Whether a load reads another store than the last, or an operation comes out in another way than at first.
pub fn looks_back(pick: Pick) -> bool {
    matches!(pick, Pick::Step { alternative: 1.., .. })
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

/// How often the thread that acts changes.
pub fn switches(picks: &[Pick]) -> u32 {
    picks.windows(2).filter(|pair| thread_of(pair[0]) != thread_of(pair[1])).count() as u32
}
