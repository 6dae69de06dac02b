//! Checkpoints of a round: what is known, and the states that wait.
//!
//! Of states that wait only the prefixes are kept; a worker that takes one follows its prefix again, as it does when memory
//! is scarce. Workers finish the states that they are expanding first, so that nothing is kept by halves.

use crate::kit::checkpoint::Keeper;
use crate::report::Finding;
use crate::states::edges::{Edges, Written};
use crate::states::prefix::Prefixes;
use crate::states::round::scarce::Remembered;
use crate::states::round::{Gathered, Open, Place, Round, lock};
use crate::states::summaries::SummaryTable;
use crate::states::visited::Visited;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;

/// What a search knew when it began a round.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Before {
    pub learned: SummaryTable,
    pub patience: u64,
    /// One worker alone has to find what is reported.
    pub alone: bool,
    /// Where all violations are wanted, what rounds have found that did not know enough.
    pub earlier: Vec<Finding>,
}

/// How far a round has come, but for what takes much room.
#[derive(Serialize, Deserialize)]
struct KeptRound {
    before: Before,
    learned: SummaryTable,
    full: Vec<u32>,
    puts_off: Vec<u32>,
    bugs: FxHashMap<String, Place>,
    unsupported: Option<Place>,
    executions: u64,
    blocked: u64,
    steps: u64,
    cut: bool,
    grown: bool,
    lost: bool,
    done: u64,
    /// States from which long steps were begun.
    long: FxHashSet<u128>,
    prefixes: Prefixes,
    waiting: Vec<KeptItem>,
    /// Those whose other acts have been explored.
    last: Vec<KeptItem>,
    /// States from which everything is still to be explored.
    reopening: Vec<(u32, Vec<u16>)>,
}

/// A state that waits.
#[derive(Serialize, Deserialize)]
struct KeptItem {
    id: u32,
    /// The number of its prefix.
    prefix: Option<u32>,
    share: f64,
    earlier: u16,
    left: Option<Vec<u16>>,
}

/// All of it, as it is written and as it is read.
type Parts<'a> = (KeptRound, &'a Visited, &'a Visited, Written<'a>);

/// What a round goes on with.
pub struct Kept(KeptRound, Visited, Visited, Edges);

impl Kept {
    /// What was kept, if anything was.
    pub fn of(keep: &Keeper) -> Option<Self> {
        keep.kept().map(|(round, visited, views, edges)| Kept(round, visited, views, edges))
    }

    /// What the search knew when it began the round.
    pub fn before(&self) -> &Before {
        &self.0.before
    }
}

impl Round<'_> {
    /// Keeps how far the round has come.
    pub(crate) fn keep_with(&self, keeper: &Keeper, open: &[&Open]) {
        let mut waiting = lock(&self.remembered).clone();
        waiting.extend(open.iter().map(|open| open.remembered()));
        let gathered = lock(&self.gathered);
        let parts: Parts<'_> = (
            self.kept(&gathered, waiting, self.long.remembered()),
            &self.visited,
            &self.views,
            gathered.edges.written(self.options.spill.as_deref()),
        );
        keeper.keep(&parts);
    }

    fn kept(&self, gathered: &Gathered, waiting: Vec<Remembered>, last: Vec<Remembered>) -> KeptRound {
        let mut prefixes = Prefixes::default();
        let mut item = |remembered: Remembered| {
            let Remembered { id, prefix, share, earlier, left } = remembered;
            KeptItem { id, prefix: prefixes.number(prefix.as_ref()), share, earlier, left }
        };
        let waiting = waiting.into_iter().map(&mut item).collect();
        let last = last.into_iter().map(&mut item).collect();
        KeptRound {
            before: self.before.clone(),
            learned: gathered.learned.clone(),
            full: gathered.full.clone(),
            puts_off: gathered.puts_off.clone(),
            bugs: gathered.bugs.clone(),
            unsupported: gathered.unsupported,
            executions: self.executions.load(Ordering::Relaxed),
            blocked: self.blocked.load(Ordering::Relaxed),
            steps: self.steps.load(Ordering::Relaxed),
            cut: self.cut.load(Ordering::Relaxed),
            grown: self.has_grown(),
            lost: self.has_lost(),
            done: self.progress.done.load(Ordering::Relaxed),
            long: self.long.states(),
            prefixes,
            waiting,
            last,
            reopening: lock(&self.reopening).clone(),
        }
    }

    /// A round goes on from where it was.
    pub fn resume(&mut self, Kept(round, visited, views, edges): Kept) {
        let prefixes: Vec<_> = round.prefixes.again();
        let again = |kept: Vec<KeptItem>| -> Vec<Remembered> {
            let item = |KeptItem { id, prefix, share, earlier, left }: KeptItem| {
                let prefix = prefix.map(|number| prefixes[number as usize].clone());
                Remembered { id, prefix, share, earlier, left }
            };
            kept.into_iter().map(item).collect()
        };
        let (waiting, last) = (again(round.waiting), again(round.last));
        self.progress.done.store(round.done, Ordering::Relaxed);
        self.progress.states.store(visited.len(), Ordering::Relaxed);
        self.edges.store(edges.len() as u64, Ordering::Relaxed);
        (self.visited, self.views) = (visited, views);
        self.executions.store(round.executions, Ordering::Relaxed);
        self.blocked.store(round.blocked, Ordering::Relaxed);
        self.steps.store(round.steps, Ordering::Relaxed);
        self.cut.store(round.cut, Ordering::Relaxed);
        self.grown.store(round.grown, Ordering::Relaxed);
        self.lost.store(round.lost, Ordering::Relaxed);
        self.long.resume(round.long, last);
        *lock(&self.remembered) = waiting;
        *lock(&self.reopening) = round.reopening;
        *lock(&self.gathered) = Gathered {
            learned: round.learned,
            edges,
            full: round.full,
            puts_off: round.puts_off,
            bugs: round.bugs,
            unsupported: round.unsupported,
            budget: None,
        };
    }
}
