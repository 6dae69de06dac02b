//! Checkpoints of a round: what is known, and the states that wait.
//!
//! Of states that wait only the prefixes are kept; a worker that takes one follows its prefix again, as it does when memory
//! is scarce. Workers finish the states that they are expanding first, so that nothing is kept by halves.

use crate::kit::checkpoint::Keeper;
use crate::report::Finding;
use crate::states::edges::{Edges, Written};
use crate::states::prefix::Prefixes;
use crate::states::round::scarce::Remembered;
use crate::states::round::{Gathered, Item, Place, Round, lock};
use crate::states::summaries::SummaryTable;
use crate::states::visited::Visited;
use crossbeam_deque::{Steal, Worker};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

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

/// When workers let each other keep something.
#[derive(Default)]
pub struct Pause {
    /// Workers stop before the next state.
    wanted: AtomicBool,
    /// Some state was expanded by halves.
    torn: AtomicBool,
}

impl Pause {
    /// Whether workers are to stop before the next state.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    pub(crate) fn want(&self) {
        self.wanted.store(true, Ordering::Relaxed);
    }

    /// What is kept now would not be whole.
    pub(crate) fn tear(&self) {
        self.torn.store(true, Ordering::Relaxed);
    }
}

impl Round<'_> {
    /// Stops workers before their next state if it is time to keep how far they have come.
    pub(crate) fn pause_if_due(&self) {
        if self.options.keep.as_ref().is_some_and(Keeper::is_due) {
            self.pause.want();
        }
    }

    /// Keeps how far the round has come, when all workers have paused; false where none has.
    pub(crate) fn keep(&self, workers: &[Worker<Item>]) -> bool {
        if !self.pause.wanted.swap(false, Ordering::Relaxed) {
            return false;
        }
        let exhausted = lock(&self.gathered).budget.is_some();
        if let Some(keep) = self.options.keep.as_ref().filter(|_| !self.is_torn()) {
            let (waiting, last) = self.waiting(workers);
            let gathered = lock(&self.gathered);
            let parts: Parts<'_> = (
                self.kept(&gathered, waiting, last),
                &self.visited,
                &self.views,
                gathered.edges.written(self.options.spill.as_deref()),
            );
            keep.keep(&parts);
        }
        self.stop.fetch_or(exhausted, Ordering::Relaxed);
        !self.is_stopped()
    }

    fn is_torn(&self) -> bool {
        self.pause.torn.load(Ordering::Relaxed) || self.is_stopped()
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

    /// All states that wait, in the opposite of the order in which a worker takes them; and those that wait until there are
    /// no others.
    fn waiting(&self, workers: &[Worker<Item>]) -> (Vec<Remembered>, Vec<Remembered>) {
        let mut waiting: Vec<Remembered> = lock(&self.remembered).clone();
        let mut first = Vec::new();
        loop {
            match self.injector.steal() {
                Steal::Success(item) => first.push(item),
                Steal::Retry => {}
                Steal::Empty => break,
            }
        }
        waiting.extend(first.iter().rev().map(Remembered::of));
        first.into_iter().for_each(|item| self.injector.push(item));
        for worker in workers {
            let own: Vec<Item> = std::iter::from_fn(|| worker.pop()).collect();
            waiting.extend(own.iter().rev().map(Remembered::of));
            own.into_iter().rev().for_each(|item| worker.push(item));
        }
        (waiting, self.long.remembered())
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
        self.open.store(waiting.len() + last.len(), Ordering::Relaxed);
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
