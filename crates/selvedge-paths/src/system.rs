//! The constraint system: which parts of the known trees can happen together, in which order and with which values.
//!
//! Every node and every event of the trees has a truth value (it happens), every event has a moment. A thread may stop
//! anywhere. What must hold:
//!
//! - an event happens only if the one before it does; a node is entered only if its parent's steps have happened and
//!   its condition holds;
//! - a read sees the last write to its place before it, or what was there in the beginning ([`super::memory`]);
//! - locks, queues, threads ([`super::sync`]).
//!
//! The system grows with the trees and is never told anything that would become wrong ([`super::options`]). That no
//! other write comes between a write and its read, and that no two threads hold a lock, is told only where a
//! solution violates it ([`super::refine`]): there are cubically many such constraints, and few matter.

use super::cells::Cells;
use super::execution::BranchKind;
use super::memory::Memory;
use super::options::{Options, OptionsId};
use super::refine::Refined;
use super::sums::Sums;
use super::sync::Sync;
use super::tree::{End, NodeId, TreeEvent, Trees};
use rustc_hash::FxHashMap;
use selvedge_terms::decide::{Literal, Moment, Outcome, Solver};
use selvedge_terms::{Term, Terms};
use selvedge_trace::Model;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// What a question counts for, in conflicts.
const QUESTION: u64 = 200;

/// A constraint system over the trees.
pub struct System<S> {
    pub(super) solver: S,
    pub(super) model: Model,
    pub(super) options: Options,
    /// For each node: it is entered.
    pub(super) entered: Vec<Literal>,
    /// For each event: it happens.
    pub(super) happens: Vec<Literal>,
    pub(super) moments: Vec<Moment>,
    /// For each store that goes to a buffer: it leaves the buffer, and when.
    pub(super) commits: FxHashMap<TreeEvent, (Literal, Moment)>,
    /// Those that must have left it before.
    pub(super) waits_for: FxHashMap<TreeEvent, Vec<Literal>>,
    /// For each thread: when it starts.
    pub(super) starts: Vec<(Moment, Option<OptionsId>)>,
    /// The trees' expressions, while the system grows.
    pub(super) terms: Terms,
    pub(super) memory: Memory,
    pub(super) sync: Sync,
    pub(super) sums: Sums,
    /// For each node with a decision: nothing of what is known of it holds, and how many children were told.
    beyond: Vec<Option<(Literal, usize)>>,
    /// Events that may block, and that they do.
    pub(super) stuck: BTreeMap<TreeEvent, Literal>,
    /// Events that a thread may stand before, and that it does.
    pub(super) next: BTreeMap<TreeEvent, Literal>,
    /// Exchanges that a thread may stand before, and that it does and will find what it expects.
    pub(super) exchanges: BTreeMap<TreeEvent, Literal>,
    /// Conditions that do not hold, of decisions that no thread has to come to.
    pub(super) told_conditions: BTreeSet<Term>,
    /// How often the solver was asked.
    pub(super) questions: u64,
    /// How many solutions were not solutions yet.
    pub(super) refinements: u64,
    /// How long that took.
    pub(super) thought: Duration,
}

/// The trees have grown so that a new system is needed.
#[derive(Clone, Copy, Debug)]
pub struct Outgrown;

impl<S: Solver> System<S> {
    /// Nothing is told yet.
    pub fn new(solver: S, model: Model, trees: &Trees) -> Self {
        let accesses = trees.events.iter().filter_map(|event| event.act.access());
        let cells = Cells::new(accesses.map(|access| (access.space, access.at)));
        System {
            solver,
            model,
            options: Options::default(),
            entered: Vec::new(),
            happens: Vec::new(),
            moments: Vec::new(),
            commits: FxHashMap::default(),
            waits_for: FxHashMap::default(),
            starts: Vec::new(),
            terms: Terms::new(),
            memory: Memory::new(cells),
            sync: Sync::default(),
            sums: Sums::default(),
            beyond: Vec::new(),
            stuck: BTreeMap::new(),
            next: BTreeMap::new(),
            exchanges: BTreeMap::new(),
            told_conditions: BTreeSet::new(),
            questions: 0,
            refinements: 0,
            thought: Duration::ZERO,
        }
    }

    /// Tells what the trees have got since the last time.
    pub fn grow(&mut self, trees: &mut Trees) -> Result<(), Outgrown> {
        std::mem::swap(&mut self.terms, &mut trees.terms);
        let result = self.grow_with(trees);
        std::mem::swap(&mut self.terms, &mut trees.terms);
        result
    }

    fn grow_with(&mut self, trees: &Trees) -> Result<(), Outgrown> {
        for thread in self.starts.len()..trees.threads.len() {
            let moment = self.solver.moment();
            let root = self.solver.fresh();
            let options = trees.threads[thread].forked.then(|| self.options.new_if(root));
            self.starts.push((moment, options));
            // Roots are nodes, but made with their threads.
            self.sync.roots.push(root);
        }
        for node in self.entered.len()..trees.nodes.len() {
            self.enter(trees, NodeId(node as u32));
        }
        // Moments in the order that was seen: what no constraint objects to stays as it was.
        let mut new: Vec<TreeEvent> =
            (self.happens.len()..trees.events.len()).map(|event| TreeEvent(event as u32)).collect();
        let first_new = self.happens.len();
        let yes = self.solver.yes();
        self.happens.resize(trees.events.len(), yes);
        let placeholder = self.starts.first().map(|&(moment, _)| moment);
        if let Some(placeholder) = placeholder {
            self.moments.resize(trees.events.len(), placeholder);
        }
        new.sort_by_key(|event| (trees.events[event.index()].rank, event.index()));
        for &event in &new {
            self.happens[event.index()] = self.solver.fresh();
            if trees.events[event.index()].leader == event {
                self.moments[event.index()] = self.solver.moment_if(self.happens[event.index()]);
            }
        }
        for event in (first_new..trees.events.len()).map(|event| TreeEvent(event as u32)) {
            self.event(trees, event)?;
        }
        self.tell_decisions(trees);
        self.tell_sums(trees);
        self.options.tell(&mut self.solver);
        Ok(())
    }

    fn enter(&mut self, trees: &Trees, id: NodeId) {
        let node = &trees.nodes[id.index()];
        let literal = match node.parent {
            None => self.sync.roots[node.thread],
            Some(_) => self.solver.fresh(),
        };
        self.entered.push(literal);
        self.beyond.push(None);
    }

    /// The condition of a node under its parent, and that siblings exclude each other.
    fn tell_decisions(&mut self, trees: &Trees) {
        for (index, node) in trees.nodes.iter().enumerate() {
            let End::Decision { children, closed, .. } = &node.end else { continue };
            let told = self.beyond[index].map_or(0, |(_, told)| told);
            if self.beyond[index].is_some() && told == children.len() {
                continue;
            }
            let reached = self.reached(trees, NodeId(index as u32));
            let beyond = match self.beyond[index] {
                Some((beyond, _)) => beyond,
                None => {
                    let beyond = self.solver.fresh();
                    self.solver.clause(&[!beyond, if *closed { !beyond } else { reached }]);
                    beyond
                }
            };
            for (number, &child) in children.iter().enumerate().skip(told) {
                let entered = self.entered[child.index()];
                self.solver.clause(&[!entered, reached]);
                self.solver.clause(&[!entered, !beyond]);
                for &sibling in &children[..number] {
                    self.solver.clause(&[!entered, !self.entered[sibling.index()]]);
                }
                if let Some(condition) = trees.nodes[child.index()].condition {
                    let holds = self.solver.term(&self.terms, condition);
                    self.solver.clause(&[!entered, holds]);
                    self.solver.clause(&[!beyond, !holds]);
                }
            }
            self.beyond[index] = Some((beyond, children.len()));
        }
    }

    /// That nothing of what is known of a node's decision holds.
    pub fn beyond(&self, node: NodeId) -> Option<Literal> {
        self.beyond[node.index()].map(|(beyond, _)| beyond)
    }

    /// All of a node's steps happen.
    pub fn reached(&self, trees: &Trees, node: NodeId) -> Literal {
        match trees.nodes[node.index()].events.last() {
            Some(last) => self.happens[last.index()],
            None => self.entered[node.index()],
        }
    }

    fn event(&mut self, trees: &Trees, id: TreeEvent) -> Result<(), Outgrown> {
        let event = &trees.events[id.index()];
        self.moments[id.index()] = self.moments[event.leader.index()];
        let happens = self.happens[id.index()];
        let node = &trees.nodes[event.node.index()];
        let before = match event.previous {
            Some(previous) if trees.events[previous.index()].node == event.node => {
                self.happens[previous.index()]
            }
            _ => self.entered[event.node.index()],
        };
        debug_assert!(!node.events.is_empty());
        self.solver.clause(&[!happens, before]);
        if event.leader == id {
            let earlier = match event.previous {
                Some(previous) => self.moments[previous.index()],
                None => self.starts[event.thread].0,
            };
            self.solver.order(earlier, self.moments[id.index()]);
        }
        self.buffer(trees, id);
        if let Some(access) = event.act.access() {
            self.access(trees, id, access)?;
        }
        self.synchronise(trees, id);
        Ok(())
    }

    /// What is not known yet, as literals: the end of a node after which no execution has shown anything, and an outcome that
    /// no thread has taken.
    pub(super) fn frontier(&self, trees: &Trees) -> Vec<(NodeId, Literal)> {
        let mut frontier = Vec::new();
        for (index, node) in trees.nodes.iter().enumerate() {
            let id = NodeId(index as u32);
            match &node.end {
                End::Open => frontier.push((id, self.reached(trees, id))),
                // A path that does not do what is assumed is of no interest.
                End::Decision { kind: Some(BranchKind::Assume), children, .. }
                    if children.iter().any(|child| trees.nodes[child.index()].outcome == 1) => {}
                End::Decision { closed: false, children, .. } if !exhausted(trees, children) => {
                    frontier.extend(self.beyond[index].map(|(beyond, _)| (id, beyond)));
                }
                _ => {}
            }
        }
        frontier
    }

    /// Whether an event is earlier than another one, where both happen.
    pub(super) fn before(&mut self, trees: &Trees, first: TreeEvent, second: TreeEvent) -> Literal {
        let (a, b) = (&trees.events[first.index()], &trees.events[second.index()]);
        if a.thread == b.thread {
            let yes = self.solver.yes();
            return if a.depth < b.depth { yes } else { !yes };
        }
        self.solver.before(self.moments[first.index()], self.moments[second.index()])
    }

    /// How much was done to answer questions so far, in conflicts of the solver.
    pub(super) fn effort(&self) -> u64 {
        self.solver.conflicts() + self.questions * QUESTION
    }

    /// That a node's decision has its outcome.
    pub fn entered(&self, node: NodeId) -> Literal {
        self.entered[node.index()]
    }

    /// That a step happens.
    pub fn happens(&self, event: TreeEvent) -> Literal {
        self.happens[event.index()]
    }

    /// The solver, which holds the last solution or core.
    pub fn solver(&mut self) -> &mut S {
        &mut self.solver
    }

    /// How often the solver was asked.
    pub fn questions(&self) -> u64 {
        self.questions
    }

    /// Whether the system has a solution in which these hold. If it has, the solver holds one.
    pub fn solve(&mut self, trees: &Trees, goal: &[Literal]) -> Outcome {
        let begun = Instant::now();
        let outcome = self.solve_and_refine(trees, goal);
        self.thought += begun.elapsed();
        outcome
    }

    fn solve_and_refine(&mut self, trees: &Trees, goal: &[Literal]) -> Outcome {
        loop {
            self.options.tell(&mut self.solver);
            let complete = self.options.assumption(&mut self.solver);
            let assumptions = goal.iter().copied().chain(complete).chain(self.sums.assumptions());
            let assumptions: Vec<Literal> = assumptions.collect();
            self.questions += 1;
            match self.solver.check(&assumptions) {
                Outcome::Sat => match self.refine(trees) {
                    Refined::Fine => return Outcome::Sat,
                    Refined::Told => self.refinements += 1,
                    Refined::Helpless => return Outcome::Unknown,
                },
                outcome => return outcome,
            }
        }
    }
}

/// Whether the known outcomes of a branch are all that there are: a condition and its opposite.
pub(super) fn exhausted(trees: &Trees, children: &[NodeId]) -> bool {
    let conditions: Vec<_> =
        children.iter().filter_map(|child| trees.nodes[child.index()].condition).collect();
    match conditions[..] {
        [only] => trees.terms.known(only) == Some(1),
        [first, second] => trees.terms.complements(first, second),
        _ => false,
    }
}
