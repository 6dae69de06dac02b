//! What an exploration is told.

use crate::{Keeper, Spill, Strategy, Tuning};
use selvedge_machine::EndProperties;
use selvedge_order::StartSolver;
use selvedge_trace::{Property, Reduction, Reductions};
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
    /// For maximal path causality: explore every combination of paths that threads take, not only at every decision.
    pub count_paths: bool,
    /// Look for data races.
    pub races: bool,
    /// Only this counts as wrong. Without it everything does.
    pub property: Option<Property>,
    /// What has to hold when the program has ended.
    pub at_end: EndProperties,
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
    pub keep: Option<Keeper>,
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
            count_paths: false,
            races: true,
            property: None,
            at_end: EndProperties::NONE,
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

impl Options {
    /// What tells searches apart that do not go the same way, in words. How much a search may use up does not: a search that
    /// was stopped goes on with more.
    pub fn identity(&self) -> Vec<(&'static str, String)> {
        let Options {
            strategy,
            exact,
            hash_bits,
            keep_going,
            count_views,
            shorten: _,
            count_paths,
            races,
            property,
            at_end,
            spurious,
            reductions,
            tuning,
            jobs: _,
            max_time: _,
            max_memory: _,
            spill: _,
            solver,
            keep: _,
            max_executions: _,
            unroll,
            preemptions,
            seed,
            runs: _,
            depth,
        } = self;
        let without = Reduction::ALL.iter().filter(|reduction| !reductions.has(**reduction));
        let without: Vec<&str> = without.map(|reduction| reduction.name()).collect();
        let bound = |bound: &Option<u32>| bound.map_or_else(|| "none".to_owned(), |bound| bound.to_string());
        let at_end: Vec<&str> = at_end.iter().map(|property| property.name).collect();
        let mut words = vec![
            ("strategy", strategy.name().to_owned()),
            ("exact", exact.to_string()),
            ("hash bits", hash_bits.to_string()),
            ("all violations", keep_going.to_string()),
            ("views", count_views.to_string()),
            ("paths", count_paths.to_string()),
            ("races", races.to_string()),
            ("property", format!("{property:?}")),
            ("properties of the end", format!("{at_end:?}")),
            ("spurious wake-ups", spurious.to_string()),
            ("without", format!("{without:?}")),
            ("another solver", solver.is_some().to_string()),
            ("unroll", bound(unroll)),
            ("preemptions", bound(preemptions)),
            ("seed", seed.to_string()),
            ("depth", depth.to_string()),
        ];
        let way = Tuning::TABLE.iter().filter(|row| row.name != "checkpoint_time");
        words.extend(way.map(|row| (row.name, tuning.get(row.name).to_string())));
        words
    }

    /// Whether an execution that never ends is a violation.
    pub fn counts_endless(&self) -> bool {
        self.property.is_none_or(|property| property == Property::Termination)
    }
}
