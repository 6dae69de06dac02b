//! What an exploration is told.

use crate::{CheckpointStore, Spill, Strategy, Tuning};
use selvedge_order::StartSolver;
use selvedge_trace::Reductions;
use std::sync::Arc;
use std::time::Duration;

/// What an exploration is told.
#[derive(Clone, Debug)]
pub struct Options {
    pub strategy: Strategy,
    /// Tell states apart by all that they consist of, not by hashes alone.
    pub exact: bool,
    /// Bits of hashes that are used; fewer than 128 only to see what happens when hashes collide.
    pub hash_bits: u32,
    /// Collect all distinct violations instead of stopping at the first.
    pub keep_going: bool,
    /// Enumerate every view.
    pub count_views: bool,
    /// Look for the shortest counterexample; otherwise the schedule with which a strategy has found the violation will
    /// do.
    pub shorten: bool,
    /// Stop at the first thing that is not supported, and say no more: another strategy is tried then.
    pub stop_unsupported: bool,
    /// For maximal path causality: explore every combination of paths that threads take, not only at every decision.
    pub count_paths: bool,
    /// Look for data races.
    pub races: bool,
    /// Heap blocks that no pointer reaches at the end of the program are violations.
    pub leaks: bool,
    /// Waits on condition variables and futexes may return for no reason.
    pub spurious: bool,
    /// What is left out because it makes no difference.
    pub reductions: Reductions,
    /// How fast it is, and never what it answers.
    pub tuning: Tuning,
    /// Threads that explore.
    pub jobs: usize,
    pub max_time: Option<Duration>,
    /// Bytes.
    pub max_memory: Option<u64>,
    /// Where to put what is needed only at the end, when memory becomes scarce.
    pub spill: Option<Arc<dyn Spill>>,
    /// For strategies by maximal causality: what starts the solvers that answer questions about the order of events, one for
    /// each thread that explores. Without it the ordering solver answers.
    pub solver: Option<Arc<dyn StartSolver>>,
    /// Where to keep how far the search has come, for strategies that can go on from there.
    pub keep: Option<Arc<dyn CheckpointStore>>,
    /// Complete executions.
    pub max_executions: Option<u64>,
    /// How often a thread may come to the same visible operation within the same calls.
    pub unroll: Option<u32>,
    /// How often a thread that could go on may be interrupted.
    pub preemptions: Option<u32>,
    /// For strategies that choose at random: the same seed, the same executions.
    pub seed: u64,
    /// For strategies that choose at random: executions.
    pub runs: u64,
    /// For probabilistic concurrency testing: the number of things that have to happen in a certain order.
    pub depth: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            strategy: Strategy::Auto,
            exact: false,
            hash_bits: 128,
            keep_going: false,
            count_views: false,
            shorten: true,
            stop_unsupported: false,
            count_paths: false,
            races: true,
            leaks: false,
            spurious: false,
            reductions: Reductions::ON,
            tuning: Tuning::default(),
            jobs: 1,
            max_time: None,
            max_memory: None,
            spill: None,
            solver: None,
            keep: None,
            max_executions: None,
            unroll: None,
            preemptions: None,
            seed: 0,
            runs: 1000,
            depth: 3,
        }
    }
}
