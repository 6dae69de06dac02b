//! The plain search: states in the order of the context switches and steps that lead to them.
//!
//! The first violation that it comes to is the one with the fewest context switches, then steps: the shortest
//! counterexample. It leaves out nothing but states that it has seen, so it is also what the reduced search is compared
//! with.

use crate::kit::races;
use crate::kit::step::{self, Advanced, Ending};
use crate::report::{Access, Budget, Bug, Finding, Report, Unfinished};
use crate::states::visited::Visited;
use crate::{Options, Progress, Task};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_machine::{Machine, Pick, Snapshot};
use selvedge_trace::ThreadId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::Ordering;

/// A state that waits, by (context switches, steps, number).
type Rank = Reverse<(u32, u32, u32)>;

/// How a state was reached.
#[derive(Clone, Copy)]
struct Reached {
    parent: u32,
    pick: Pick,
    /// Threads that could have gone on and were interrupted.
    preemptions: u32,
}

struct Search<'a> {
    options: &'a Options,
    progress: &'a Progress,
    most: Option<usize>,
    report: Report,
    reached: Vec<Reached>,
    waiting: BinaryHeap<Rank>,
    /// States by their numbers, where they are kept.
    snapshots: FxHashMap<u32, Snapshot>,
    /// States with the thread that came there, and the number of preemptions where that is bounded.
    seen: FxHashSet<(u32, u32, u32)>,
    states: Visited,
    /// Races that were found, by their places.
    races: FxHashSet<(u32, u32)>,
    /// Kinds and places of the violations that were found.
    found: FxHashSet<String>,
}

/// Explores in the order of context switches; gives up after `most` states.
pub fn explore(task: Task<'_>, most: Option<usize>) -> Report {
    let Task { program, config, options, progress, .. } = task;
    let mut machine = Machine::new(program.clone(), config.clone());
    let mut search = Search {
        options,
        progress,
        most,
        report: Report::default(),
        reached: Vec::new(),
        waiting: BinaryHeap::new(),
        snapshots: FxHashMap::default(),
        seen: FxHashSet::default(),
        states: Visited::new(options.exact, options.hash_bits),
        races: FxHashSet::default(),
        found: FxHashSet::default(),
    };
    search.run(&mut machine);
    let mut report = search.report;
    report.states = Some(search.states.len());
    report
}

impl Search<'_> {
    fn run(&mut self, machine: &mut Machine) {
        machine.state_hash();
        self.snapshots.insert(0, machine.snapshot());
        // The first entry has no parent; its pick is never looked at.
        self.reached.push(Reached {
            parent: 0,
            pick: Pick::Step { thread: ThreadId(0), alternative: 0 },
            preemptions: 0,
        });
        self.waiting.push(Reverse((0, 0, 0)));
        let (mut picks, mut races) = (Vec::new(), Vec::new());
        while let Some(Reverse((switches, length, number))) = self.waiting.pop() {
            if self.is_over() {
                return;
            }
            if !self.go_to(machine, number) {
                continue;
            }
            let snapshot = machine.snapshot();
            if self.options.races {
                races::pending_races(machine, &mut races);
                for pair in races.drain(..) {
                    self.race(machine, number, pair);
                }
            }
            machine.picks(&mut picks);
            if picks.is_empty() {
                self.end(machine, number);
                continue;
            }
            let last = (number != 0).then(|| step::thread_of(self.reached[number as usize].pick));
            let goes_on = last.is_some_and(|last| picks.iter().any(|&pick| step::thread_of(pick) == last));
            for &pick in &picks {
                let interrupts = goes_on && last != Some(step::thread_of(pick));
                let preemptions = self.reached[number as usize].preemptions + u32::from(interrupts);
                if self.options.preemptions.is_some_and(|most| preemptions > most) {
                    self.report.cut = true;
                    continue;
                }
                machine.restore(&snapshot);
                self.report.steps += 1;
                // A search for the shortest counterexample does not wait for threads that may go on for ever.
                let most = if self.most.is_some() { self.options.tuning.first_fuel } else { u64::MAX };
                let Some(advanced) = step::advance_within(machine, pick, self.progress, most) else {
                    continue;
                };
                let thread = step::thread_of(pick);
                let switches = switches + u32::from(last.is_some_and(|last| last != thread));
                self.arrive(
                    machine,
                    advanced,
                    (switches, length + 1),
                    Reached { parent: number, pick, preemptions },
                );
            }
        }
    }

    fn arrive(&mut self, machine: &mut Machine, advanced: Advanced, rank: (u32, u32), reached: Reached) {
        match advanced {
            Advanced::Interrupted => return,
            Advanced::Stopped | Advanced::Endless(_) | Advanced::Ended => {}
        }
        let hash = machine.state_hash();
        let (state, _) = self.states.insert(hash, |visit| machine.inspect().state_parts(visit));
        let over = advanced != Advanced::Stopped;
        let bounded = if self.options.preemptions.is_some() { reached.preemptions } else { 0 };
        if !over && !self.seen.insert((state, u32::from(step::thread_of(reached.pick).0), bounded)) {
            return;
        }
        self.progress.states.store(self.states.len(), Ordering::Relaxed);
        self.progress.depth.fetch_max(u64::from(rank.1), Ordering::Relaxed);
        let number = self.reached.len() as u32;
        self.reached.push(reached);
        match advanced {
            Advanced::Ended => self.end(machine, number),
            Advanced::Endless(_) if !self.options.counts_endless() => {}
            Advanced::Endless(thread) => {
                let threads = vec![machine.threads()[thread.index()].name.clone()];
                self.find(machine, number, Bug::Livelock { threads, cycle: Default::default() });
            }
            Advanced::Stopped | Advanced::Interrupted => {
                // In between the path is gone again.
                if u64::from(rank.1).is_multiple_of(self.options.tuning.shortest_stride) {
                    self.snapshots.insert(number, machine.snapshot());
                }
                self.waiting.push(Reverse((rank.0, rank.1, number)));
            }
        }
    }

    /// Brings the machine to a state that was reached, from the last one on the path there that is kept. False if the
    /// exploration is to stop.
    fn go_to(&self, machine: &mut Machine, number: u32) -> bool {
        let (mut at, mut picks) = (number, Vec::new());
        let station = loop {
            match self.snapshots.get(&at) {
                Some(station) => break station,
                None => {
                    picks.push(self.reached[at as usize].pick);
                    at = self.reached[at as usize].parent;
                }
            }
        };
        machine.restore(station);
        let stopped = |&pick: &Pick| step::advance(machine, pick, self.progress) == Advanced::Stopped;
        let followed = picks.iter().rev().all(stopped);
        // Otherwise the machine, and every snapshot, would remember all that has changed on the path.
        machine.state_hash();
        followed
    }

    fn end(&mut self, machine: &mut Machine, number: u32) {
        match step::ending(machine, self.options) {
            Ending::Complete => self.report.executions += 1,
            Ending::Blocked => self.report.blocked += 1,
            Ending::Bug(bug) => {
                self.report.executions += 1;
                self.find(machine, number, bug);
            }
            Ending::Unsupported(outcome) => {
                if self.report.unfinished.is_empty() {
                    let choices = step::choices(machine, &self.path(number));
                    self.report.unfinished.push(Unfinished::Unsupported { outcome, choices });
                }
            }
        }
    }

    fn race(&mut self, machine: &Machine, number: u32, pair: (Access, Access)) {
        if self.races.insert(races::places(&pair)) {
            self.find(machine, number, Bug::Race(pair.0, pair.1));
        }
    }

    fn path(&self, mut number: u32) -> Vec<Pick> {
        let mut picks = Vec::new();
        while number != 0 {
            picks.push(self.reached[number as usize].pick);
            number = self.reached[number as usize].parent;
        }
        picks.reverse();
        picks
    }

    fn find(&mut self, machine: &Machine, number: u32, bug: Bug) {
        let identity = bug.identity(machine);
        if !self.found.insert(identity.clone()) {
            return;
        }
        let picks = self.path(number);
        self.report.findings.push(Finding {
            inputs: None,
            identity,
            bug,
            choices: step::choices(machine, &picks),
            digest: machine.inspect().digest(),
            switches: step::switches(&picks),
        });
    }

    fn is_over(&mut self) -> bool {
        let executions = self.options.max_executions.is_some_and(|most| self.report.executions >= most);
        let budget = match () {
            () if !self.report.findings.is_empty() && !self.options.keep_going => return true,
            () if let Some(budget) = self.progress.over().or_else(|| self.progress.past_limit()) => budget,
            () if self.most.is_some_and(|most| self.reached.len() > most) => Budget::Memory,
            () if executions => Budget::Executions,
            () => return false,
        };
        self.report.unfinished.push(Unfinished::Budget(budget));
        true
    }
}
