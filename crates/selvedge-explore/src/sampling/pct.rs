//! Probabilistic concurrency testing: threads have random priorities, the one with the highest runs, and at a few random
//! moments the one that runs gets a low one.
//!
//! A bug that needs d things to happen in a certain order is found by an execution with probability at least 1/(n·k^(d-1)),
//! for n threads and k steps. A store buffer counts as a thread.

use crate::sampling::{self, Choose, Random};
use crate::{Report, Task};
use rustc_hash::FxHashMap;
use selvedge_machine::Pick;

/// A thread that takes so many steps in succession lets the others go first: it may wait for one of them.
const PATIENCE: u32 = 10_000;

struct Priorities {
    random: Random,
    /// Higher ones first; those of the moments of change are the lowest.
    priorities: FxHashMap<(u16, bool), i64>,
    /// Steps before which the one that would run gets a low priority, in order.
    changes: Vec<usize>,
    steps: usize,
    lowest: i64,
    last: Option<(u16, bool)>,
    row: u32,
}

/// What acts: a thread, or its buffer.
fn actor(pick: Pick) -> (u16, bool) {
    match pick {
        Pick::Step { thread, .. } => (thread.0, false),
        Pick::Commit { thread, .. } => (thread.0, true),
    }
}

impl Priorities {
    fn new(mut random: Random, depth: u32, length: usize) -> Self {
        let mut changes: Vec<usize> = (1..depth).map(|_| random.below(length.max(1))).collect();
        changes.sort_unstable();
        let lowest = i64::from(depth);
        Priorities { random, priorities: FxHashMap::default(), changes, steps: 0, lowest, last: None, row: 0 }
    }

    fn highest(&mut self, picks: &[Pick]) -> Option<(u16, bool)> {
        for &pick in picks {
            let random = &mut self.random;
            self.priorities.entry(actor(pick)).or_insert_with(|| (random.number() >> 2) as i64 | 1 << 32);
        }
        picks.iter().map(|&pick| actor(pick)).max_by_key(|actor| self.priorities.get(actor))
    }
}

impl Choose for Priorities {
    fn choose(&mut self, picks: &[Pick]) -> usize {
        let mut runs = self.highest(picks);
        while self.changes.first() == Some(&self.steps) {
            self.changes.remove(0);
            self.lowest -= 1;
            runs.map(|actor| self.priorities.insert(actor, self.lowest));
            runs = self.highest(picks);
        }
        self.steps += 1;
        self.row = if runs == self.last { self.row + 1 } else { 0 };
        if self.row > PATIENCE {
            self.lowest -= 1;
            runs.map(|actor| self.priorities.insert(actor, self.lowest));
            runs = self.highest(picks);
        }
        self.last = runs;
        let own: Vec<usize> = (0..picks.len()).filter(|&at| Some(actor(picks[at])) == runs).collect();
        own[self.random.below(own.len())]
    }
}

/// Executes the program with random priorities.
pub fn explore(task: Task<'_>) -> Report {
    let options = task.options;
    let chooser = |run, length| Priorities::new(Random::new(options.seed, run), options.depth, length);
    sampling::explore(task, chooser)
}
