//! Events: what happened in an execution, with its happens-before.

use crate::kit::dependence::EventFootprint;
use crate::kit::process::{Clock, Process};
use selvedge_machine::Pick;
use selvedge_trace::Operation;
use smallvec::SmallVec;
use std::sync::Arc;

/// Which of several outcomes were chosen, one after the other; zeros at the end are left out.
pub type Outcomes = SmallVec<[u32; 1]>;

/// A step as it was taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The process that acted.
    pub process: Process,
    /// The thread whose step or buffer it was.
    pub owner: Process,
    /// With which outcomes.
    pub outcomes: Outcomes,
    /// How many outcomes there were at each choice.
    pub alternatives: SmallVec<[u32; 1]>,
    /// What was picked.
    pub picks: SmallVec<[Pick; 1]>,
    /// What it touched.
    pub label: Arc<EventFootprint>,
    /// What the thread was about to do, if it was not a commit.
    pub operation: Option<Operation>,
    /// What races with others: the accesses of the operation, or the store that leaves a buffer which others may have
    /// overtaken.
    pub accesses: SmallVec<[Operation; 1]>,
    /// Where that is in the program.
    pub position: u32,
    /// The processes that could have acted.
    pub enabled: SmallVec<[Process; 8]>,
    /// The processes that were woken or created.
    pub starts: SmallVec<[Process; 2]>,
    /// What others could have done before it and never will: the process, and what that touches.
    pub kills: Vec<(Process, Arc<EventFootprint>)>,
    /// It waits until the thread's buffer is empty.
    pub drains: bool,
    /// It may have to wait for others.
    pub waits: bool,
    /// Stores that entered the thread's buffer: (address, length).
    pub stored: SmallVec<[(u64, u8); 1]>,
    /// What the buffers of threads hold after it, where that is not what they held with what was stored.
    pub rebuilt: Vec<(Process, Vec<(u64, u8)>)>,
    /// Where the thread is after it, if visits are bounded.
    pub place: u64,
    /// It was the last of the process, because of that bound.
    pub stops: bool,
}

/// A step, and what came before it.
#[derive(Debug)]
pub struct Event {
    /// What was done.
    pub taken: Taken,
    /// Its number among those of its process, counted from 1.
    pub number: u32,
    /// Events of each process that come before it in every order, with itself.
    pub clock: Clock,
    /// What would come before it if it depended on no event of another process.
    pub ready: Clock,
    /// Places in the execution of the events that it could overtake.
    pub races: SmallVec<[u32; 3]>,
}

impl Event {
    /// Its name in every execution in which it occurs.
    pub fn name(&self) -> (Process, u32) {
        (self.taken.process, self.number)
    }

    /// Whether it comes before another one in every order (or is that one).
    pub fn precedes(&self, other: &Event) -> bool {
        other.clock.has(self.name())
    }
}
