//! The schedulers of `run`: which step happens next, and the default choice.

use selvedge_machine::{Machine, Pick, Status, TIMEOUT, is_spurious};
use selvedge_trace::{EventKind, ThreadId};

/// Chooses what happens next.
pub trait Scheduler {
    /// One of `picks`, which are not empty; `None` when what was to be chosen is not among them.
    fn choose(&mut self, machine: &Machine, picks: &[Pick]) -> Option<Pick>;

    /// How far it is with what it was given to follow.
    fn phase(&self) -> Phase {
        Phase::Free
    }
}

/// How far a scheduler is with what it was given to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It was given nothing, or has followed it, and chooses by itself.
    Free,
    /// There is more to follow.
    Following,
    /// The last of the choices has been made, and is said never to come to an end.
    Endless,
    /// It has followed all choices, and goes on to show what is said about the state after them.
    Showing,
    /// There is nothing more to choose.
    Over,
}

/// Keeps running the same thread while it can go on, then the first other one. Time passes, and stores leave the
/// store buffers, only when nothing else can happen.
#[derive(Default)]
pub struct InOrder {
    current: Option<ThreadId>,
    steps: u32,
}

/// A thread that has had that many steps in a row gives way: it may be waiting, in a loop, for another one.
const PATIENCE: u32 = 10_000;

impl Scheduler for InOrder {
    fn choose(&mut self, machine: &Machine, picks: &[Pick]) -> Option<Pick> {
        let ordinary = |pick: &&Pick| matches!(pick, Pick::Step { alternative: 0, .. });
        let runnable = picks.iter().filter(ordinary).map(|pick| pick_thread(*pick));
        let current = self.current.filter(|current| runnable.clone().any(|thread| thread == *current));
        let chosen = match current {
            Some(current) if self.steps >= PATIENCE || gives_way(machine, current) => {
                let later = runnable.clone().find(|thread| *thread > current);
                later.or_else(|| runnable.clone().next())
            }
            Some(current) => Some(current),
            None => runnable.clone().next(),
        };
        if let Some(thread) = chosen {
            self.steps =
                if self.current == Some(thread) && self.steps < PATIENCE { self.steps + 1 } else { 0 };
            self.current = Some(thread);
            return Some(Pick::Step { thread, alternative: 0 });
        }
        let commit = picks.iter().find(|pick| matches!(pick, Pick::Commit { .. }));
        // A wait does not return for no reason by default.
        let owed = || picks.iter().filter(|pick| !is_spurious(**pick));
        let untimed = |pick: &&Pick| !matches!(pick, Pick::Step { alternative: TIMEOUT, .. });
        commit.or_else(|| owed().find(untimed)).or_else(|| owed().next()).copied()
    }
}

pub(super) fn pick_thread(pick: Pick) -> ThreadId {
    match pick {
        Pick::Step { thread, .. } | Pick::Commit { thread, .. } => thread,
    }
}

pub(super) fn pending(machine: &Machine, thread: ThreadId) -> Option<EventKind> {
    match machine.threads().get(thread.index())?.status {
        Status::Ready(operation) => Some(operation.kind),
        _ => None,
    }
}

/// Whether the thread says by itself that others should run first.
fn gives_way(machine: &Machine, thread: ThreadId) -> bool {
    matches!(pending(machine, thread), Some(EventKind::Yield | EventKind::Sleep))
}
