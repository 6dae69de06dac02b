//! Iterative context bounding: first all executions without preemptions (a thread that can go on does), then those with
//! one preemption, then two, until none was left for the next round.
//!
//! A state that was seen with as few preemptions is not explored again, so the rounds together explore every state once
//! for each thread that can have come there.

use crate::kit::checkpoint::Keeper;
use crate::kit::driver::{self, Driver, Stack};
use crate::kit::exploration::Exploration;
use crate::kit::findings::{self, Found};
use crate::kit::races;
use crate::kit::step::{self, Advanced, Ending};
use crate::report::{Bug, Finding, Report, Unfinished};
use crate::states::visited::Visited;
use crate::{Options, Task};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_machine::{Config, Machine, Pick, Snapshot};
use selvedge_trace::ThreadId;
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How often each place was visited, where that is bounded.
type Visits = Option<Arc<FxHashMap<u64, u32>>>;

/// A state that waits.
struct Item {
    state: Arc<Snapshot>,
    /// Its number, with the thread that came there.
    node: u32,
    /// How it was reached: an index into the steps.
    prefix: u32,
    last: Option<ThreadId>,
    visits: Visits,
    /// Only this is to be done, by preempting a thread; otherwise all that preempts none.
    only: Option<Pick>,
}

/// A state that waits, without what the steps to it bring again.
#[derive(Serialize, Deserialize)]
struct KeptItem {
    node: u32,
    prefix: u32,
    last: Option<ThreadId>,
    only: Option<Pick>,
}

/// How far a search has come.
#[derive(Serialize, Deserialize)]
struct Kept {
    bound: u32,
    nodes: FxHashMap<(u128, u64), u32>,
    edges: Vec<(u32, u32)>,
    prefixes: Vec<(u32, Pick)>,
    waiting: Vec<KeptItem>,
    later: Vec<KeptItem>,
    views: FxHashSet<u128>,
    report: Report,
    found: Found,
}

#[derive(Default)]
struct Shared {
    /// Items of the next round.
    later: Vec<Item>,
    stop: bool,
    /// The last step to a state, and the entry of the step before it.
    prefixes: Vec<(u32, Pick)>,
    /// States with the thread that came there.
    nodes: FxHashMap<(u128, u64), u32>,
    views: FxHashSet<u128>,
    /// Interruptions in this round.
    bound: u32,
    exhausted: bool,
    edges: Vec<(u32, u32)>,
    report: Report,
    found: Found,
}

struct Search<'a> {
    subject: &'a Exploration<'a>,
    config: &'a Config,
    states: Visited,
    shared: Mutex<Shared>,
}

/// Explores all executions.
pub fn explore(task: Task<'_>) -> Report {
    let Task { config, options, progress, .. } = task;
    let subject = Exploration::new(task);
    let search = Search {
        subject: &subject,
        config,
        states: Visited::new(options.exact, options.hash_bits),
        shared: Mutex::default(),
    };
    let driver = Driver::new(options);
    match options.keep.as_ref().and_then(Keeper::kept) {
        None => driver.first().push(search.begin()),
        Some(kept) => search.resume(kept).into_iter().for_each(|item| driver.first().push(item)),
    }
    loop {
        driver.run(&search, Vec::new());
        let mut shared = search.lock();
        let shared = &mut *shared;
        let bound = shared.bound;
        if shared.stop {
            // Everything with fewer preemptions was explored.
            let covered = (bound > 0 && shared.exhausted).then(|| Unfinished::Preemptions(bound - 1));
            shared.report.unfinished.extend(covered);
            break;
        }
        if shared.later.is_empty() {
            break;
        }
        if options.preemptions.is_some_and(|most| bound >= most) {
            shared.report.cut = true;
            break;
        }
        shared.bound += 1;
        std::mem::take(&mut shared.later).into_iter().for_each(|item| driver.first().push(item));
        progress.rounds.fetch_add(1, Ordering::Relaxed);
    }
    let mut shared = search.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let report = &mut shared.report;
    let states: FxHashSet<u128> = shared.nodes.keys().map(|(state, _)| *state).collect();
    report.states = Some(states.len() as u64);
    report.classes = options.count_views.then_some(shared.views.len() as u64);
    if !shared.stop && has_cycle(shared.nodes.len(), &shared.edges) {
        report.unfinished.push(Unfinished::Cycles);
    }
    let alone = Options { jobs: 1, ..options.clone() };
    findings::followed_up(&subject, shared.found, report, &alone);
    shared.report
}

/// Whether a path leads from a node back to it.
fn has_cycle(nodes: usize, edges: &[(u32, u32)]) -> bool {
    let mut successors: Vec<Vec<u32>> = vec![Vec::new(); nodes];
    let mut incoming = vec![0_u32; nodes];
    for &(from, to) in edges {
        successors[from as usize].push(to);
        incoming[to as usize] += 1;
    }
    let mut free: Vec<u32> = (0..nodes as u32).filter(|&node| incoming[node as usize] == 0).collect();
    let mut seen = 0;
    while let Some(node) = free.pop() {
        seen += 1;
        for &to in &successors[node as usize] {
            incoming[to as usize] -= 1;
            if incoming[to as usize] == 0 {
                free.push(to);
            }
        }
    }
    seen < nodes
}

impl Search<'_> {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn machine(&self) -> Machine {
        Machine::new(self.subject.program.clone(), self.config.clone())
    }

    fn begin(&self) -> Item {
        let mut machine = self.machine();
        let hash = machine.state_hash();
        let state = Arc::new(machine.snapshot());
        let mut shared = self.lock();
        shared.nodes.insert((hash, 0), 0);
        // The first entry has no step; its pick is never looked at.
        shared.prefixes.push((0, Pick::Step { thread: ThreadId(0), alternative: 0 }));
        let visits = self.subject.options.unroll.map(|_| Arc::default());
        Item { state, node: 0, prefix: 0, last: None, visits, only: None }
    }

    /// Goes on with what was kept. Returns the items of the round.
    fn resume(&self, kept: Kept) -> Vec<Item> {
        let mut machine = self.machine();
        machine.state_hash();
        let start = machine.snapshot();
        let Kept { bound, nodes, edges, prefixes, waiting, later, views, report, found } = kept;
        let mut shared = self.lock();
        *shared = Shared { bound, nodes, edges, prefixes, views, report, found, ..Shared::default() };
        // Many wait at the same state.
        let mut states: FxHashMap<u32, (Arc<Snapshot>, Visits)> = FxHashMap::default();
        let mut item = |shared: &Shared, &KeptItem { node, prefix, last, only }: &KeptItem| {
            let known = states.get(&prefix).cloned();
            let (state, visits) = match known {
                Some(known) => known,
                None => {
                    machine.restore(&start);
                    let mut visits: Visits = self.subject.options.unroll.map(|_| Arc::default());
                    for pick in Self::path(shared, prefix, None) {
                        step::advance(&mut machine, pick, self.subject.progress);
                        machine.state_hash();
                        if let Some(visits) = &mut visits {
                            let place = machine.inspect().control(step::thread_of(pick).index());
                            *Arc::make_mut(visits).entry(place).or_default() += 1;
                        }
                    }
                    (Arc::new(machine.snapshot()), visits)
                }
            };
            states.insert(prefix, (state.clone(), visits.clone()));
            Item { state, node, prefix, last, visits, only }
        };
        let waiting = waiting.iter().map(|kept| item(&shared, kept)).collect();
        shared.later = later.iter().map(|kept| item(&shared, kept)).collect();
        waiting
    }

    fn expand(&self, machine: &mut Machine, item: &Item, stack: &Stack<'_, Item>) {
        machine.restore(&item.state);
        if let Some(pick) = item.only {
            return self.step(machine, item, pick, stack);
        }
        if self.subject.options.races {
            let mut pairs = Vec::new();
            races::pending_races(machine, &mut pairs);
            for (a, b) in pairs {
                self.find(machine, item.prefix, None, Bug::Race(a, b));
            }
        }
        let mut picks = Vec::new();
        machine.picks(&mut picks);
        if picks.is_empty() {
            return self.end(machine, item.prefix, None);
        }
        let goes_on = item.last.is_some_and(|last| picks.iter().any(|&pick| step::thread_of(pick) == last));
        for pick in picks {
            if goes_on && item.last != Some(step::thread_of(pick)) {
                let (state, visits) = (item.state.clone(), item.visits.clone());
                let item = Item {
                    state,
                    node: item.node,
                    prefix: item.prefix,
                    last: item.last,
                    visits,
                    only: Some(pick),
                };
                self.lock().later.push(item);
                continue;
            }
            machine.restore(&item.state);
            self.step(machine, item, pick, stack);
        }
    }

    fn step(&self, machine: &mut Machine, item: &Item, pick: Pick, stack: &Stack<'_, Item>) {
        let thread = step::thread_of(pick);
        let advanced = step::advance(machine, pick, self.subject.progress);
        let mut shared = self.lock();
        shared.report.steps += 1;
        self.check_budgets(&mut shared);
        drop(shared);
        match advanced {
            Advanced::Stopped => {}
            Advanced::Ended => return self.end(machine, item.prefix, Some(pick)),
            Advanced::Endless(thread) => {
                let threads = vec![machine.threads()[thread.index()].name.clone()];
                let bug = Bug::Livelock { threads, cycle: Default::default() };
                return self.find(machine, item.prefix, Some(pick), bug);
            }
            Advanced::Interrupted => {
                // A search that goes on begins the step anew.
                let (state, visits, &Item { node, prefix, last, .. }) =
                    (item.state.clone(), item.visits.clone(), item);
                return stack.push(Item { state, node, prefix, last, visits, only: Some(pick) });
            }
        }
        let mut visits = item.visits.clone();
        if let (Some(visits), Some(most)) = (&mut visits, self.subject.options.unroll) {
            let count = Arc::make_mut(visits).entry(machine.inspect().control(thread.index())).or_default();
            *count += 1;
            if *count > most {
                self.lock().report.cut = true;
                return;
            }
        }
        let extra = |visit: &mut dyn FnMut(u8, &[u8])| {
            for (place, count) in visits.iter().flat_map(|visits| visits.iter()) {
                let mut bytes = [0; 12];
                bytes[..8].copy_from_slice(&place.to_le_bytes());
                bytes[8..].copy_from_slice(&count.to_le_bytes());
                visit(0x82, &bytes);
            }
        };
        let mut hash = machine.state_hash();
        extra(&mut |kind, bytes| {
            hash = hash.wrapping_add(xxhash_rust::xxh3::xxh3_128_with_seed(bytes, u64::from(kind)));
        });
        let state = match self.subject.options.exact {
            false => hash,
            // Told apart by all that they consist of.
            true => u128::from(
                self.states
                    .insert(hash, |visit| {
                        machine.inspect().state_parts(visit);
                        extra(visit);
                    })
                    .0,
            ),
        };
        let mut shared = self.lock();
        let next = shared.nodes.len() as u32;
        let node = *shared.nodes.entry((state, machine.inspect().handle(thread.index()))).or_insert(next);
        shared.edges.push((item.node, node));
        self.subject.progress.states.store(u64::from(next), Ordering::Relaxed);
        if node < next {
            return;
        }
        shared.prefixes.push((item.prefix, pick));
        let prefix = shared.prefixes.len() as u32 - 1;
        let state = Arc::new(machine.snapshot());
        stack.push(Item { state, node, prefix, last: Some(thread), visits, only: None });
    }

    fn check_budgets(&self, shared: &mut Shared) {
        let (options, progress) = (self.subject.options, self.subject.progress);
        let executions = shared.report.executions;
        progress.executions.store(executions, Ordering::Relaxed);
        if !shared.stop
            && let Some(budget) = progress.used_up(options, executions)
        {
            (shared.stop, shared.exhausted) = (true, true);
            shared.report.unfinished.push(Unfinished::Budget(budget));
        }
    }

    fn path(shared: &Shared, mut prefix: u32, last: Option<Pick>) -> Vec<Pick> {
        let mut picks: Vec<Pick> = last.into_iter().collect();
        while prefix != 0 {
            let (before, pick) = shared.prefixes[prefix as usize];
            picks.push(pick);
            prefix = before;
        }
        picks.reverse();
        picks
    }

    fn end(&self, machine: &mut Machine, prefix: u32, last: Option<Pick>) {
        let options = self.subject.options;
        let ending = step::ending(machine, options);
        let mut shared = self.lock();
        match ending {
            Ending::Blocked => shared.report.blocked += 1,
            Ending::Unsupported(outcome) => {
                let choices = step::choices(machine, &Self::path(&shared, prefix, last));
                shared.report.leave_open(Unfinished::Unsupported { outcome, choices });
            }
            Ending::Complete | Ending::Bug(_) => {
                shared.report.executions += 1;
                if options.count_views {
                    shared.views.insert(machine.inspect().view());
                }
                self.check_budgets(&mut shared);
                drop(shared);
                if let Ending::Bug(bug) = ending {
                    self.find(machine, prefix, last, bug);
                }
            }
        }
    }

    fn find(&self, machine: &Machine, prefix: u32, last: Option<Pick>, bug: Bug) {
        let identity = bug.identity(machine);
        let options = self.subject.options;
        let mut shared = self.lock();
        if !shared.found.contains_key(&identity) {
            let picks = Self::path(&shared, prefix, last);
            let finding = Finding::here(machine, bug, &picks);
            shared.found.insert(identity, finding);
        }
        shared.stop |= !options.keep_going && !options.count_views;
    }
}

impl driver::Search for Search<'_> {
    type Item = Item;
    type Worker = Machine;

    fn worker(&self) -> Option<Machine> {
        Some(self.machine())
    }

    fn follow(&self, machine: &mut Machine, item: Item, stack: &Stack<'_, Item>) -> Option<Item> {
        self.expand(machine, &item, stack);
        let shared = self.lock();
        let waiting = stack.driver().open() + shared.later.len() as u64;
        self.subject.progress.waiting.store(waiting, Ordering::Relaxed);
        match (shared.exhausted, shared.stop) {
            (true, _) => stack.driver().exhaust(),
            (false, true) => stack.driver().stop(),
            (false, false) => {}
        }
        None
    }

    fn keep(&self, keeper: &Keeper, _: &mut [Machine], open: &[&Item]) {
        let shared = self.lock();
        let kept =
            |item: &Item| KeptItem { node: item.node, prefix: item.prefix, last: item.last, only: item.only };
        keeper.keep(&Kept {
            bound: shared.bound,
            nodes: shared.nodes.clone(),
            edges: shared.edges.clone(),
            prefixes: shared.prefixes.clone(),
            waiting: open.iter().copied().map(kept).collect(),
            later: shared.later.iter().map(kept).collect(),
            views: shared.views.clone(),
            report: shared.report.going_on(),
            found: shared.found.clone(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::has_cycle;

    #[test]
    fn components() {
        assert!(!has_cycle(4, &[(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)]));
        assert!(has_cycle(3, &[(0, 1), (1, 2), (2, 1)]));
        assert!(has_cycle(2, &[(0, 1), (1, 1)]));
    }
}
