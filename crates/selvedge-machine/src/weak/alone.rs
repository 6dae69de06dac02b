//! What a thread does alone: whether it only looks at something and comes back to where it was.

use super::Machine;
use super::ahead::Ahead;
use crate::machine::{Pick, Stepped};
use selvedge_relations::Graph;
use selvedge_trace::{EventKind, ThreadId};

/// Steps that are no accesses, such as giving others the processor, which may come between two looks.
const BETWEEN: usize = 4;

impl Machine {
    /// How many plain accesses to shared memory a thread has made.
    pub fn plain_accesses(&self, thread: usize) -> u64 {
        self.weak.as_ref().and_then(|weak| weak.plain.get(thread).copied()).unwrap_or(0)
    }

    /// Changes whenever a location of the graph becomes another one.
    pub fn forgotten(&self) -> u64 {
        self.weak.as_ref().map_or(0, |weak| weak.forgotten)
    }

    /// Which memory was plainly written or freed in any execution of this machine: beginnings and sizes. Going back
    /// forgets nothing of it.
    pub fn plainly_written(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.plainly_written.iter().copied()
    }

    /// How many entries that has.
    pub fn count_plainly_written(&self) -> usize {
        self.plainly_written.len()
    }

    /// Whether a thread stands before an atomic access.
    pub fn is_before_atomic(&self, index: usize) -> bool {
        let crate::thread::Status::Ready(operation) = self.threads[index].status else { return false };
        let kinds =
            [EventKind::Read, EventKind::Write, EventKind::ReadModifyWrite, EventKind::CompareExchange];
        self.follows_graph() && kinds.contains(&operation.kind) && self.pending_atomic(index).is_some()
    }

    /// Whether a thread that takes this alternative at an atomic access comes back to where it is, without having
    /// written anything, and without having looked at any other memory: then it always does so when it finds
    /// the same again. The machine stays as it is.
    pub fn comes_back(&mut self, index: usize, alternative: u32, address: u64) -> bool {
        let before = self.snapshot();
        let state = |machine: &Machine| {
            (machine.thread_hash(index), machine.writes(index), machine.plain_accesses(index))
        };
        let here = state(self);
        let events = self.graph().map_or(0, |graph| graph.len(index as u32)) as usize;
        self.memory.watch_reads(address);
        let mut pick = Pick::Step { thread: ThreadId(index as u16), alternative };
        let mut back = false;
        for _ in 0..=BETWEEN {
            if !matches!(self.step(pick), Stepped::Stopped) || self.outcome().is_some() {
                break;
            }
            if state(self) == here {
                let reads = |graph: &Graph| {
                    graph.events(index as u32)[events..].iter().all(|event| !event.label.kind.is_write())
                };
                back = !self.memory.read_elsewhere() && self.graph().is_some_and(reads);
                break;
            }
            if self.ahead(index) != Ahead::Silent || self.alternatives(index) == 0 {
                break;
            }
            pick = Pick::Step { thread: ThreadId(index as u16), alternative: 0 };
        }
        self.restore(&before);
        back
    }
}
