//! What constraints are called.

use selvedge_trace::ThreadName;
use std::fmt;

/// A step of a thread's path, by its number among [`crate::ThreadPath::steps`]. The number behind the last step stands
/// for the end of the path: after all of its steps.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepName {
    pub thread: ThreadName,
    pub step: u32,
}

impl StepName {
    /// The step of a thread with this number.
    pub fn new(thread: &ThreadName, step: usize) -> Self {
        StepName { thread: thread.clone(), step: step as u32 }
    }
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.thread, self.step)
    }
}

/// A constraint by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Constraint {
    /// The steps of a thread happen in the order of its path.
    ProgramOrder { thread: ThreadName },
    /// A read sees the last write before it, or what was there in the beginning.
    ReadsFrom { read: StepName },
    /// What a step waits for holds when it happens: an await, a semaphore that has one, a barrier's round.
    Enabled { step: StepName },
    /// No two threads hold a lock together, and who finds it taken is told the truth.
    Locks { lock: u64 },
    /// Who waits is woken by a notification, and a notification wakes who waits.
    Waits { queue: u64 },
    /// A thread's steps come after it was started.
    Fork { thread: ThreadName },
    /// A join comes after the last step of the other thread.
    Join { join: StepName },
    /// Nothing comes after the end of the program.
    Exit { exit: StepName },
    /// Nothing uses what has gone.
    Lifetime { gone: StepName },
    /// A branch goes as it does on the path.
    Branch { branch: StepName },
    /// A thread cannot go on at the end of its path.
    Blocked { thread: ThreadName },
    /// One step comes before another one, because the caller says so.
    Order { first: StepName, second: StepName },
    /// Something else that the caller demands, by the caller's name for it.
    Holds { name: String },
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constraint::ProgramOrder { thread } => write!(f, "program order of {thread}"),
            Constraint::ReadsFrom { read } => write!(f, "what {read} reads"),
            Constraint::Enabled { step } => write!(f, "what {step} waits for"),
            Constraint::Locks { lock } => write!(f, "sections of lock {lock:#x}"),
            Constraint::Waits { queue } => write!(f, "waits at {queue:#x}"),
            Constraint::Fork { thread } => write!(f, "start of {thread}"),
            Constraint::Join { join } => write!(f, "join {join}"),
            Constraint::Exit { exit } => write!(f, "exit {exit}"),
            Constraint::Lifetime { gone } => write!(f, "end of life {gone}"),
            Constraint::Branch { branch } => write!(f, "branch {branch}"),
            Constraint::Blocked { thread } => write!(f, "{thread} is blocked"),
            Constraint::Order { first, second } => write!(f, "{first} before {second}"),
            Constraint::Holds { name } => f.write_str(name),
        }
    }
}
