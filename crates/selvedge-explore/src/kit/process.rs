//! Processes, in the sense of the DPOR papers: threads, and the store buffers of threads, which commit by themselves.

use rustc_hash::FxHashMap;
use selvedge_trace::ThreadName;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::sync::{PoisonError, RwLock};

/// The number of a process, the same in all executions of one search.
pub type Process = u32;

/// What tells processes apart in every execution.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Name {
    pub thread: ThreadName,
    /// It is the thread's buffer; under PSO, what the buffer holds for this address.
    pub buffer: Option<u64>,
}

/// The processes that have occurred.
#[derive(Default)]
pub struct Names {
    known: RwLock<FxHashMap<Name, Process>>,
}

impl Names {
    /// Processes with their numbers from before.
    pub fn again(names: Vec<Name>) -> Self {
        Names { known: RwLock::new(names.into_iter().zip(0..).collect()) }
    }

    /// All of them, by number.
    pub fn all(&self) -> Vec<Name> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let mut names: Vec<(&Name, &Process)> = known.iter().collect();
        names.sort_by_key(|(_, number)| **number);
        names.into_iter().map(|(name, _)| name.clone()).collect()
    }
}

impl Names {
    /// The number of a process.
    pub fn number(&self, name: &Name) -> Process {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = known.get(name) {
            return number;
        }
        drop(known);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = known.get(name) {
            return number;
        }
        let number = known.len() as Process;
        known.insert(name.clone(), number);
        number
    }
}

/// How many events of each process: a position in a partial order of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock(SmallVec<[u32; 8]>);

impl Clock {
    /// Events of a process.
    pub fn get(&self, process: Process) -> u32 {
        self.0.get(process as usize).copied().unwrap_or(0)
    }

    /// Sets the events of a process.
    pub fn set(&mut self, process: Process, events: u32) {
        let at = process as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = events;
    }

    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(own, &other)| *own = (*own).max(other));
    }

    /// Whether an event (process, its number counted from 1) is part of it.
    pub fn has(&self, (process, number): (Process, u32)) -> bool {
        self.get(process) >= number
    }
}
