//! What an exploration is told.

use crate::{Keep, Spill, Tuning};
use selvedge_machine::Spurious;
use selvedge_order::StartSolver;
use selvedge_trace::Reductions;
use std::sync::Arc;
use std::time::Duration;

/// The strategies. The one list: matches on it are exhaustive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// States that meet again are explored once, with partial-order reduction.
    Auto,
    /// States that meet again are explored once; nothing else is left out.
    States,
    /// Source-DPOR: executions that differ only in the order of independent steps are explored once, states are not
    /// remembered.
    Dpor,
    /// Optimal DPOR: as source-DPOR, and no execution is begun in vain.
    Optimal,
    /// Iterative context bounding: executions with few interruptions first.
    Icb,
    /// Probabilistic concurrency testing: executions with random priorities. Never complete.
    Pct,
    /// Uniform random walks. Never complete.
    Random,
    /// Maximal causality reduction: the reads of every execution get other values.
    Mcr,
    /// As before; questions say nothing of reads on which their answer does not depend.
    McrS,
    /// As before; of reads before the one that is to see something else, questions say everything.
    McrSPlus,
    /// Maximal causality reduction without beginnings that are known: one execution for each view.
    SeMcr,
    /// View equivalence: one execution for each view, and no question asked twice.
    Viequi,
    /// Maximal path causality: inputs as well as schedules, by the decisions of threads.
    Mpc,
}

impl Strategy {
    /// All of them.
    pub const ALL: &'static [Strategy] = &[
        Strategy::Auto,
        Strategy::States,
        Strategy::Dpor,
        Strategy::Optimal,
        Strategy::Icb,
        Strategy::Pct,
        Strategy::Random,
        Strategy::Mcr,
        Strategy::McrS,
        Strategy::McrSPlus,
        Strategy::SeMcr,
        Strategy::Viequi,
        Strategy::Mpc,
    ];

    /// The word for options and files.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Auto => "auto",
            Strategy::States => "states",
            Strategy::Dpor => "dpor",
            Strategy::Optimal => "optimal",
            Strategy::Icb => "icb",
            Strategy::Pct => "pct",
            Strategy::Random => "random",
            Strategy::Mcr => "mcr",
            Strategy::McrS => "mcr-s",
            Strategy::McrSPlus => "mcr-s+",
            Strategy::SeMcr => "se-mcr",
            Strategy::Viequi => "viequi",
            Strategy::Mpc => "mpc",
        }
    }

    /// Which spurious wake-ups it explores where there may be any. A strategy that remembers states knows when a thread
    /// is where it was; one that does not begins each wait in two ways.
    pub fn wakes(self) -> Spurious {
        match self {
            Strategy::Auto | Strategy::States | Strategy::Icb | Strategy::Pct | Strategy::Random => {
                Spurious::Pruned
            }
            Strategy::Dpor | Strategy::Optimal => Spurious::AtWait,
            Strategy::Mcr
            | Strategy::McrS
            | Strategy::McrSPlus
            | Strategy::SeMcr
            | Strategy::Viequi
            | Strategy::Mpc => Spurious::Off,
        }
    }

    /// Whether it asks the ordering solver.
    pub fn asks_solver(self) -> bool {
        matches!(self, Strategy::Mcr | Strategy::McrS | Strategy::McrSPlus | Strategy::SeMcr)
    }

    /// Whether it looks at everything that can happen if it is given the time. Decisions of threads are not everything:
    /// data races and final states are not among them.
    pub fn is_complete(self) -> bool {
        !self.is_random() && !self.is_by_paths()
    }

    /// Whether it looks at inputs, by the decisions of threads.
    pub fn is_by_paths(self) -> bool {
        self == Strategy::Mpc
    }

    /// Whether it looks at executions that are chosen at random.
    pub fn is_random(self) -> bool {
        matches!(self, Strategy::Pct | Strategy::Random)
    }
}

/// What an exploration is told.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
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
    /// Look for the shortest way to what was found; otherwise the way on which a strategy has found it will do.
    pub shorten: bool,
    /// Stop at the first thing that is not supported, and say no more: there is another way then.
    pub stop_unsupported: bool,
    /// For maximal path causality: look at every combination of paths that threads take, not only at every decision.
    pub count_paths: bool,
    /// Look for data races.
    pub races: bool,
    /// Blocks that nobody can reach at the end of the program are violations.
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
    /// Where to keep how far the search has come; for `dpor`, `optimal`, `icb`, `viequi`, `mpc` and the `mcr` strategies.
    pub keep: Option<Arc<dyn Keep>>,
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
