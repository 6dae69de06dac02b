//! What a thread does alone: whether it only reads something and comes back to where it was, and what it has done to
//! memory in between.

use super::ahead::Ahead;
use super::{ExecutionGraph, Machine};
use crate::inspect::{Inspect, InspectGraph, Probe};
use crate::machine::{Pick, Stepped};
use crate::model::Datum;
use crate::thread::Status;
use rustc_hash::FxHasher;
use selvedge_relations::Graph;
use selvedge_trace::{EventKind, ThreadId};
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How often others may be given the processor between two looks.
const BETWEEN: usize = 4;

/// Plain accesses that are remembered of a thread.
const RECENT: usize = 64;

/// A plain access of a thread to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plain {
    pub address: u64,
    pub size: u8,
    pub writes: bool,
    /// How many events the thread had then.
    pub events: u32,
    /// What was there before.
    pub found: Datum,
}

/// What a thread has done that its own state does not show, besides plain accesses to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Alone {
    /// A digest of its writes to memory that it alone knows.
    private: u64,
    /// How often it has done anything else.
    other: u64,
}

impl ExecutionGraph {
    pub(super) fn note_private(&mut self, thread: usize, address: u64, size: u64, datum: Option<Datum>) {
        let Some(datum) = datum else { return super::count(&mut self.other, thread) };
        if self.private.len() <= thread {
            self.private.resize(thread + 1, 0);
        }
        let mut hasher = FxHasher::default();
        let Datum { value, provenance, undefined } = datum;
        (self.private[thread], address, size, value, provenance.0, undefined).hash(&mut hasher);
        self.private[thread] = hasher.finish();
    }
}

impl Machine {
    /// A thread does something of which only that is noted.
    pub(crate) fn graph_other(&mut self, thread: usize) {
        if let Some(execution) = self.model.graph_mut() {
            super::count(&mut execution.other, thread);
        }
    }

    /// A thread is about to make a plain access to shared memory.
    pub(super) fn graph_recent(&mut self, thread: usize, address: u64, size: u64, writes: bool) {
        let small = (1..=8).contains(&size);
        let found = small.then(|| self.graph_peek(address, size as u8));
        let Some(execution) = self.model.graph_mut() else { return };
        if execution.recent.len() <= thread {
            execution.recent.resize_with(thread + 1, Arc::default);
        }
        let events = execution.graph.len(thread as u32);
        let recent = Arc::make_mut(&mut execution.recent[thread]);
        match found {
            Some(found) if recent.len() < RECENT => {
                recent.push(Plain { address, size: size as u8, writes, events, found });
            }
            _ => {
                recent.clear();
                super::count(&mut execution.other, thread);
            }
        }
    }
}

impl Inspect<'_> {
    /// Whether a thread waits up to some time, and there has been no other thread yet: then nothing but the time ends the wait.
    pub fn waits_for_time_alone(self, index: usize) -> bool {
        let timed = matches!(self.machine.threads[index].status, Status::Waiting(wait) if wait.timed());
        timed && !self.machine.follows_graph()
    }

    /// Whether a thread stands before an atomic access.
    pub fn is_before_atomic(self, index: usize) -> bool {
        let Status::Ready(operation) = self.machine.threads[index].status else { return false };
        let kinds =
            [EventKind::Read, EventKind::Write, EventKind::ReadModifyWrite, EventKind::CompareExchange];
        self.machine.follows_graph()
            && kinds.contains(&operation.kind)
            && self.machine.pending_atomic(index).is_some()
    }
}

impl<'a> InspectGraph<'a> {
    /// What a thread has done that its own state does not show. If that is the same as before, it has done nothing but
    /// plain accesses to shared memory since, and none of them is forgotten.
    pub fn alone(self, thread: usize) -> Alone {
        let of = |counts: &[u64]| counts.get(thread).copied().unwrap_or(0);
        let nothing = Alone { private: 0, other: 0 };
        self.machine.model.graph().map_or(nothing, |execution| Alone {
            private: of(&execution.private),
            other: of(&execution.other),
        })
    }

    /// The plain accesses of a thread to shared memory when it had at least so many events.
    pub fn plain_since(self, thread: usize, events: u32) -> impl Iterator<Item = Plain> + 'a {
        let recent = self.machine.model.graph().and_then(|execution| execution.recent.get(thread));
        recent
            .into_iter()
            .flat_map(|recent| recent.iter())
            .copied()
            .filter(move |plain| plain.events >= events)
    }

    /// How many plain accesses to shared memory a thread has made.
    pub fn plain_accesses(self, thread: usize) -> u64 {
        self.machine.model.graph().and_then(|execution| execution.plain.get(thread).copied()).unwrap_or(0)
    }

    /// Changes whenever a location of the graph becomes another one.
    pub fn forgotten(self) -> u64 {
        self.machine.model.graph().map_or(0, |execution| execution.forgotten)
    }

    /// Which memory was plainly written or freed in any execution of this machine: beginnings and sizes. Going back
    /// forgets nothing of it.
    pub fn plainly_written(self) -> impl Iterator<Item = (u64, u64)> + 'a {
        self.machine.plainly_written.iter().copied()
    }

    /// How many entries that has.
    pub fn count_plainly_written(self) -> usize {
        self.machine.plainly_written.len()
    }
}

impl Probe<'_> {
    /// What memory holds at an address.
    pub fn content(&mut self, address: u64, size: u8) -> Datum {
        self.machine.graph_peek(address, size)
    }

    /// Whether a thread that takes this alternative at an atomic access comes back to where it is, without having
    /// written anything, and without having looked at any other memory: then it always does so when it finds
    /// the same again. The machine stays as it is.
    pub fn comes_back(&mut self, index: usize, alternative: u32, address: u64) -> bool {
        let before = self.machine.snapshot();
        let state = |machine: &Machine| {
            let memory =
                (machine.inspect_graph().writes(index), machine.inspect_graph().alone(index).private);
            (machine.inspect().thread_hash(index), memory, machine.inspect_graph().plain_accesses(index))
        };
        let here = state(self.machine);
        let events = self.machine.inspect_graph().graph().map_or(0, |graph| graph.len(index as u32)) as usize;
        self.machine.memory.watch_reads(address);
        let mut pick = Pick::Step { thread: ThreadId(index as u16), alternative };
        let mut back = false;
        for _ in 0..=BETWEEN {
            if !matches!(self.machine.step(pick), Stepped::Stopped) || self.machine.outcome().is_some() {
                break;
            }
            if state(self.machine) == here {
                let reads = |graph: &Graph| {
                    graph.events(index as u32)[events..].iter().all(|event| !event.label.kind.is_write())
                };
                back = !self.machine.memory.read_elsewhere()
                    && self.machine.inspect_graph().graph().is_some_and(reads);
                break;
            }
            let status = &self.machine.threads[index].status;
            let yields = matches!(status, Status::Ready(next) if next.kind == EventKind::Yield);
            if !yields || self.ahead(index) != Ahead::Silent {
                break;
            }
            pick = Pick::Step { thread: ThreadId(index as u16), alternative: 0 };
        }
        self.machine.restore(&before);
        back
    }
}
