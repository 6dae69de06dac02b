//! Dynamic partial-order reduction: `dpor` (source sets) and `optimal` (wakeup trees), both with sleep sets and without
//! stored states.
//!
//! Workers share the tree of executions. Each takes a child that waits, goes through one execution from there to its end,
//! finds its race reversals, and inserts them into the tree. The executions do not depend on the order in which workers
//! act: what is inserted where another worker is busy goes into the part of the tree that this one has not come to, and
//! no part is removed as long as those before it may still insert something there.
//!
//! Nothing here compares states of the machine, learns from executions or asks a solver.

pub mod execution;
pub mod happens_before;
mod initials;
mod keep;
mod races;
mod reversals;
mod wakeup_tree;

use crate::dpor::execution::{End, Executor, Job, Ran};
use crate::dpor::happens_before::HappensBefore;
use crate::dpor::keep::Kept;
use crate::dpor::reversals::{Algorithm, Waiting, reversals};
use crate::dpor::wakeup_tree::{Child, Node, NodeId, SleepEntry, Stage, Tree, WakeupTree};
use crate::kit::checkpoint::Keeper;
use crate::kit::driver::{self, Driver, Stack};
use crate::kit::event::Event;
use crate::kit::exploration::{Exploration, drains};
use crate::kit::findings::{self, Found, Pairs};
use crate::kit::process::Names;
use crate::report::{Bug, Finding, Report, Unfinished};
use crate::{Budget, Task};
use rustc_hash::FxHashSet;
use selvedge_machine::Snapshot;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What all workers share.
#[derive(Default)]
struct Shared {
    tree: Tree,
    report: Report,
    found: Found,
    pairs: Pairs,
    views: FxHashSet<u128>,
    stop: bool,
    /// A budget was used up: there is something left to be done.
    exhausted: bool,
}

struct Search<'a> {
    subject: &'a Exploration<'a>,
    manner: Algorithm,
    shared: Mutex<Shared>,
}

/// Source-DPOR: from each state a source set of processes is explored, found by race reversals; what sleeps is left
/// out.
pub fn source(task: Task<'_>) -> Report {
    explore(task, Algorithm::Source)
}

/// Optimal DPOR: one execution for each trace, by wakeup trees.
pub fn optimal(task: Task<'_>) -> Report {
    explore(task, Algorithm::Optimal)
}

fn explore(task: Task<'_>, manner: Algorithm) -> Report {
    findings::settled(task, |task| once(task, manner))
}

fn once(task: Task<'_>, manner: Algorithm) -> (Report, Found) {
    let options = task.options;
    let kept = options.keep.as_ref().and_then(Keeper::kept::<Kept>);
    let names = kept.as_ref().map(|kept| Names::again(kept.names.clone())).unwrap_or_default();
    let subject = Exploration { names, ..Exploration::new(task) };
    let search = Search { subject: &subject, manner, shared: Mutex::default() };
    let driver = Driver::new(options);
    match kept.map(|kept| search.resume(kept)) {
        None => driver.first().push(search.begin()),
        Some(Some(())) => {}
        Some(None) => {
            let report = Report { unfinished: vec![Unfinished::Lost], ..Report::default() };
            return (report, Found::default());
        }
    }
    driver.run(&search, Vec::new());
    let mut shared = search.lock();
    let mut report = std::mem::take(&mut shared.report);
    report.classes = options.count_views.then_some(shared.views.len() as u64);
    (report, std::mem::take(&mut shared.found))
}

impl<'a> Search<'a> {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first execution, in a tree without steps.
    fn begin(&self) -> Job {
        let state = Arc::new(Executor::new(self.subject).runner.machine.snapshot());
        let root = self.lock().tree.add(Node {
            parent: None,
            event: None,
            state: Some(state.clone()),
            sleep: Vec::new(),
            free: true,
            children: Vec::new(),
            complete: false,
            depth: 0,
            serial: 0,
        });
        Job {
            nodes: vec![(root, 1)],
            events: Vec::new(),
            states: vec![Some(state)],
            child: None,
            sleep: Vec::new(),
            sequence: Vec::new(),
        }
    }

    /// Goes on with what was kept; nothing if it does not fit.
    fn resume(&self, kept: Kept) -> Option<()> {
        let mut executor = Executor::new(self.subject);
        let tree = keep::tree(&kept.nodes, &mut executor)?;
        let Kept { report, found, pairs, views, .. } = kept;
        *self.lock() = Shared { tree, report, found, pairs, views, ..Shared::default() };
        Some(())
    }

    /// Finds out what came before what, and what could have been done in another order.
    fn analyse(&self, executor: &mut Executor<'_>, job: &Job, mut ran: Ran) -> Analysed {
        let mut past = HappensBefore::new(self.subject.config.model);
        job.events.iter().for_each(|event| past.push(event.clone()));
        let mut states = job.states.clone();
        let mut nodes = Vec::new();
        let mut bug = None;
        if let End::Complete(found) = &mut ran.end {
            let found = found.take();
            bug = found.map(|bug| (bug.identity(&executor.runner.machine), bug));
        }
        for (number, step) in std::mem::take(&mut ran.steps).into_iter().enumerate() {
            if number > 0 {
                states.push(step.state.clone());
            }
            nodes.push((step.sleep, step.state));
            past.add(step.taken, &mut |past, place, process| {
                executor.is_possible(past, &states, place, process)
            });
        }
        let interrupted = matches!(ran.end, End::Interrupted(_));
        let mut waiting = Vec::new();
        for pending in ran.pending.iter().filter(|_| !interrupted) {
            if past.has_stores(pending.process) {
                continue;
            }
            let ready = past.ready(pending.process, drains(pending.operation));
            let (_, races) = past.look_back(&pending.candidate(), &ready, &mut |past, place, process| {
                executor.is_possible(past, &states, place, process)
            });
            let (process, label) = (pending.process, pending.label.clone());
            waiting.push(Waiting { process, label, ready, races });
        }
        let new = job.events.len();
        let mut found = Vec::new();
        let mut races = Vec::new();
        let fails = past.events.last().is_some_and(|event| event.taken.label.ends) && bug.is_some();
        if !interrupted {
            if let Some((identity, bug)) = bug
                && !self.lock().found.contains_key(&identity)
            {
                found.push(findings::finding(self.subject, bug, &races::picks(&past.events)));
            }
            if self.subject.options.races {
                let known = |pair| self.lock().pairs.contains(&pair);
                races = races::look_for_races(executor, &past, &states, new, &known);
                if fails {
                    races.extend(races::look_for_races_at_the_end(executor, &past, &states, &known));
                }
            }
        }
        Analysed { past, nodes, states, waiting, end: ran.end, view: ran.view, cut: ran.cut, found, races }
    }

    fn check_budgets(&self, shared: &mut Shared) {
        let (options, progress) = (self.subject.options, self.subject.progress);
        let executions = shared.report.executions;
        progress.executions.store(executions, Ordering::Relaxed);
        progress.waiting.store(shared.tree.len() as u64, Ordering::Relaxed);
        if !shared.stop
            && let Some(budget) = progress.used_up(options, executions)
        {
            shared.exhaust(budget);
        }
    }
}

impl<'a> driver::Search for Search<'a> {
    type Item = Job;
    type Worker = Executor<'a>;

    fn worker(&self) -> Option<Executor<'a>> {
        Some(Executor::new(self.subject))
    }

    /// Explores an execution. The worker goes on with what follows from it that no other has taken.
    fn follow(&self, executor: &mut Executor<'a>, job: Job, stack: &Stack<'_, Job>) -> Option<Job> {
        let ran = executor.run(&job);
        let done = self.analyse(executor, &job, ran);
        let mut shared = self.lock();
        let next = shared.publish(self, job, done);
        shared.report.steps += std::mem::take(&mut executor.runner.steps);
        self.check_budgets(&mut shared);
        next.into_iter().for_each(|next| stack.push(next));
        match (shared.exhausted, shared.stop) {
            (true, _) => stack.driver().exhaust(),
            (false, true) => stack.driver().stop(),
            (false, false) => {}
        }
        None
    }

    /// What waits nearest to the start.
    fn further(&self) -> Option<Job> {
        let mut shared = self.lock();
        let shallowest = shared.tree.nodes().filter(|(_, node)| node.next().is_some());
        let next = shallowest.min_by_key(|(_, node)| node.depth).map(|(id, node)| (id, node.serial));
        next.map(|node| shared.job(node))
    }

    /// What a worker has taken is as if it had not begun: the tree says what it is.
    fn keep(&self, keeper: &Keeper, _: &mut [Executor<'a>], _: &[&Job]) {
        let shared = self.lock();
        keeper.keep(&Kept {
            report: shared.report.going_on(),
            found: shared.found.clone(),
            pairs: shared.pairs.clone(),
            views: shared.views.clone(),
            names: self.subject.names.all(),
            nodes: keep::nodes(&shared.tree),
        });
    }
}

/// An execution, and what it shows.
struct Analysed {
    past: HappensBefore,
    /// What slept before each new step, and the state there.
    nodes: Vec<(Vec<SleepEntry>, Option<Arc<Snapshot>>)>,
    states: Vec<Option<Arc<Snapshot>>>,
    waiting: Vec<Waiting>,
    end: End,
    view: Option<u128>,
    cut: bool,
    found: Vec<Option<Finding>>,
    races: Vec<((u32, u32), Finding)>,
}

impl Shared {
    /// The next thing to be explored from a node.
    fn job(&mut self, node: (NodeId, u64)) -> Job {
        let (mut nodes, mut events, mut states) = (vec![node], Vec::new(), Vec::new());
        let mut at = node.0;
        loop {
            let here = self.tree.node(at);
            states.push(here.state.clone());
            events.extend(here.event.clone());
            let Some((parent, _)) = here.parent else { break };
            nodes.push((parent, self.tree.node(parent).serial));
            at = parent;
        }
        nodes.reverse();
        events.reverse();
        states.reverse();
        self.take_child(nodes, events, states)
    }

    fn take_child(
        &mut self,
        nodes: Vec<(NodeId, u64)>,
        events: Vec<Arc<Event>>,
        states: Vec<Option<Arc<Snapshot>>>,
    ) -> Job {
        let node = self.tree.node(nodes[nodes.len() - 1].0);
        let child = node.next().unwrap_or(0);
        let mut sleep = node.sleep.clone();
        sleep.extend(
            node.children[..child]
                .iter()
                .map(|child| SleepEntry { process: child.wake.process, label: child.wake.label.clone() }),
        );
        node.children[child].stage = Stage::Begun;
        let sequence = node.children[child].wake.first_sequence();
        Job { nodes, events, states, child: Some(child), sleep, sequence }
    }

    /// A budget is used up.
    fn exhaust(&mut self, budget: Budget) {
        if !self.stop {
            (self.stop, self.exhausted) = (true, true);
            self.report.unfinished.push(Unfinished::Budget(budget));
        }
    }

    /// Notes an execution; what the same worker does next, if something below it waits.
    fn publish(&mut self, search: &Search<'_>, job: Job, done: Analysed) -> Option<Job> {
        self.count(search, &done);
        if let End::Interrupted(_) = done.end {
            return None;
        }
        let nodes = self.grow(&job, &done);
        let new = job.events.len();
        reversals(search.manner, &mut self.tree, &nodes, &done.past, &done.waiting, new);
        let path: Vec<(NodeId, u64)> =
            nodes.iter().map(|&node| (node, self.tree.node(node).serial)).collect();
        if let Some(&last) = nodes.last() {
            self.tree.settle(last);
        }
        let deepest =
            path.iter().rposition(|&node| self.tree.get(node).is_some_and(|node| node.next().is_some()))?;
        let mut events = done.past.events;
        let (mut path, mut states) = (path, done.states);
        path.truncate(deepest + 1);
        events.truncate(deepest);
        states.truncate(deepest + 1);
        Some(self.take_child(path, events, states))
    }

    fn count(&mut self, search: &Search<'_>, done: &Analysed) {
        let options = search.subject.options;
        match &done.end {
            End::Complete(_) => self.report.executions += 1,
            End::Blocked => self.report.blocked += 1,
            End::Asleep => {
                self.report.blocked += 1;
                self.report.asleep += 1;
            }
            End::Unsupported(outcome) => {
                if !self.report.unfinished.iter().any(|known| matches!(known, Unfinished::Unsupported { .. }))
                {
                    let (bug, picks) = (Bug::Ends(outcome.clone()), races::picks(&done.past.events));
                    let found = findings::finding(search.subject, bug, &picks);
                    self.report.unfinished.push(findings::unsupported(outcome.clone(), found));
                }
            }
            End::Long => self.report.leave_open(Unfinished::Budget(Budget::Length)),
            End::Lost => self.report.leave_open(Unfinished::Lost),
            End::Interrupted(budget) => self.exhaust(*budget),
        }
        self.report.cut |= done.cut;
        if let Some(view) = done.view {
            self.views.insert(view);
        }
        for found in &done.found {
            match found {
                Some(finding) => drop(self.found.insert(finding.identity.clone(), finding.clone())),
                None => self.report.leave_open(Unfinished::Lost),
            }
        }
        for (pair, finding) in &done.races {
            self.pairs.insert(*pair);
            self.found.entry(finding.identity.clone()).or_insert_with(|| finding.clone());
        }
        if !self.found.is_empty() && !options.keep_going && !options.count_views {
            self.stop = true;
        }
    }

    /// Adds the new steps of an execution to the tree; the nodes before all its events.
    fn grow(&mut self, job: &Job, done: &Analysed) -> Vec<NodeId> {
        let base = job.nodes.len() - 1;
        let mut nodes: Vec<NodeId> = job.nodes.iter().map(|node| node.0).collect();
        if done.nodes.is_empty() {
            // Not even the first step could be taken.
            if let Some(child) = job.child {
                let node = self.tree.node(nodes[base]);
                node.children[child].stage = Stage::Done;
                node.children[child].known = true;
            }
            return nodes;
        }
        let mut level: Vec<WakeupTree> = Vec::new();
        let mut above = 0;
        for (number, (sleep, state)) in done.nodes.iter().enumerate() {
            let event = &done.past.events[base + number];
            let taken = &event.taken;
            let own = WakeupTree {
                process: taken.process,
                outcomes: taken.outcomes.clone(),
                label: taken.label.clone(),
                children: Vec::new(),
            };
            let (id, at) = match number {
                0 => {
                    let id = nodes[base];
                    let node = self.tree.node(id);
                    match job.child {
                        Some(at) => {
                            level = std::mem::take(&mut node.children[at].wake.children);
                            node.children[at].wake = own;
                            (id, at)
                        }
                        None => {
                            node.children.push(Child::waiting(own));
                            (id, node.children.len() - 1)
                        }
                    }
                }
                _ => {
                    let mut rest = std::mem::take(&mut level).into_iter();
                    if let Some(first) = rest.next() {
                        level = first.children;
                    }
                    let children = std::iter::once(own).chain(rest).map(Child::waiting).collect();
                    let parent = (nodes[base + number - 1], above);
                    let id = self.tree.add(Node {
                        parent: Some(parent),
                        event: Some(done.past.events[base + number - 1].clone()),
                        state: state.clone(),
                        sleep: sleep.clone(),
                        free: number >= job.sequence.len(),
                        children,
                        complete: false,
                        depth: base + number,
                        serial: 0,
                    });
                    self.tree.node(parent.0).children[parent.1].stage = Stage::Open(id);
                    nodes.push(id);
                    (id, 0)
                }
            };
            above = at;
            let node = self.tree.node(id);
            node.children[at].known = true;
            node.children[at].stage = Stage::Done;
            node.add_outcomes(at, &taken.outcomes, &taken.alternatives);
        }
        nodes
    }
}
