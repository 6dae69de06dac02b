//! A system of named constraints over paths that are given: is there an order, are there values, and if not, why not?
//!
//! One path is given for each thread, as a run in which values are expressions shows it ([`Execution`]). The paths are
//! fixed, and all of their steps happen; the order and what reads see are asked for. [`ConstraintSystem::solve`] answers
//! with an order and values, or with names of constraints that cannot hold together; [`ConstraintSystem::minimise`] makes
//! such a core minimal. Which constraints may be left out is decided when the system is made: the others are told to the
//! solver without a name, which costs less. A caller adds orders of two steps and conditions under names of its own.
//!
//! Under TSO and PSO stores become visible later than they happen, as `buffers` has it for the search over all paths. How
//! stores leave buffers is part of the model: it has no name. So is program order there.
//!
//! That no other write comes between a write and a read of it, and that no two threads hold a lock, is told only where a
//! solution violates it (`refine`).

mod memory;
mod name;
mod refine;
mod sync;
mod tell;

pub use name::{Constraint, StepName};

use crate::act::Act;
use crate::cells::Cells;
use crate::execution::{Execution, Request, Step, ThreadEnd};
use crate::tree::{Inconsistent, TreeEvent, Trees};
use memory::Sight;
use refine::Checked;
use rustc_hash::FxHashMap;
use selvedge_terms::decide::{Literal, Moment, Outcome, Solver};
use selvedge_terms::{Import, Symbol, Term, Terms};
use selvedge_trace::{Model, ThreadName};
use std::collections::{BTreeMap, BTreeSet};
use sync::Section;

/// The path of one thread.
struct Path {
    name: ThreadName,
    /// What it does, in order, and which steps these are.
    events: Vec<(TreeEvent, u32)>,
    /// How many steps there are, branches included.
    steps: u32,
    /// It has come to its end.
    finished: bool,
    /// What it cannot do at the end.
    blocked: Option<TreeEvent>,
    /// After all of its steps.
    end: Moment,
}

/// A moment, and what is known of it: moments of one thread follow program order.
#[derive(Clone, Copy, Debug)]
struct When {
    moment: Moment,
    thread: usize,
    depth: u32,
    /// A store leaves its buffer: that is no step of the thread.
    commit: bool,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A step of a thread.
    Step(StepName),
    /// A store leaves its buffer.
    Commit(StepName),
}

/// An execution along the paths.
#[derive(Clone, Debug)]
pub struct Solution {
    /// All steps but branches, and stores that leave buffers.
    pub order: Vec<Happening>,
    /// What reads see and inputs are.
    pub values: BTreeMap<Symbol, u128>,
    /// The execution as one to be performed.
    pub request: Request,
}

/// What came of a question.
#[derive(Clone, Debug)]
pub enum Answer {
    Possible(Solution),
    /// These cannot hold together; with nothing in it, the constraints without names cannot.
    Impossible(Vec<Constraint>),
    /// The solver's budget was not enough.
    Unknown,
}

/// Which of the constraints that may be left out apply.
#[derive(Clone, Debug)]
pub enum Selection<'a> {
    All,
    Only(&'a BTreeSet<Constraint>),
    Without(&'a BTreeSet<Constraint>),
}

impl Selection<'_> {
    fn has(&self, name: &Constraint) -> bool {
        match self {
            Selection::All => true,
            Selection::Only(names) => names.contains(name),
            Selection::Without(names) => !names.contains(name),
        }
    }
}

/// How large a system is, and what it took to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Steps that are no branches.
    pub events: u64,
    pub reads: u64,
    pub writes: u64,
    /// Constraints, each with a name of its own.
    pub constraints: u64,
    /// Writes that reads may see, over all reads.
    pub sources: u64,
    /// How often a solution was not one yet.
    pub refinements: u64,
    pub questions: u64,
}

/// Constraints over paths.
pub struct ConstraintSystem<'a, S> {
    solver: S,
    model: Model,
    trees: Trees,
    paths: Vec<Path>,
    /// For each event: its moment, and that at which others see what it writes.
    moments: FxHashMap<TreeEvent, When>,
    commits: FxHashMap<TreeEvent, Moment>,
    /// After everything.
    last: Moment,
    may_be_left_out: &'a dyn Fn(&Constraint) -> bool,
    /// The constraints, with the literals that select those that may be left out.
    names: BTreeMap<Constraint, Option<Literal>>,
    /// Those that the question at hand leaves out.
    left_out: BTreeSet<Constraint>,
    /// Conditions, each with the constraint that demands it.
    conditions: Vec<(Constraint, Term)>,
    cells: Cells,
    pieces: FxHashMap<TreeEvent, Vec<crate::cells::CellId>>,
    writers: Vec<Vec<TreeEvent>>,
    sights: Vec<Sight>,
    /// Sources of reads for which it was told that nothing comes between.
    excluded: rustc_hash::FxHashSet<Literal>,
    sections: BTreeMap<u64, Vec<Section>>,
    separated: rustc_hash::FxHashSet<(TreeEvent, TreeEvent)>,
    wakes: FxHashMap<(TreeEvent, TreeEvent), Literal>,
    expiries: Vec<(TreeEvent, Moment)>,
    figures: Figures,
}

impl<'a, S: Solver> ConstraintSystem<'a, S> {
    /// The constraints of these paths; those of which `may_be_left_out` says so can be selected.
    pub fn new(
        solver: S,
        model: Model,
        execution: &Execution,
        may_be_left_out: &'a dyn Fn(&Constraint) -> bool,
    ) -> Result<Self, Inconsistent> {
        let mut trees = Trees::new();
        let learned = trees.learn(execution)?;
        let mut system = ConstraintSystem {
            model,
            paths: Vec::new(),
            moments: FxHashMap::default(),
            commits: FxHashMap::default(),
            last: Moment::new(0),
            may_be_left_out,
            names: BTreeMap::new(),
            left_out: BTreeSet::new(),
            conditions: Vec::new(),
            cells: Cells::new(
                trees
                    .events
                    .iter()
                    .filter_map(|event| event.act.access())
                    .map(|access| (access.space, access.at)),
            ),
            pieces: FxHashMap::default(),
            writers: Vec::new(),
            sights: Vec::new(),
            excluded: rustc_hash::FxHashSet::default(),
            sections: BTreeMap::new(),
            separated: rustc_hash::FxHashSet::default(),
            wakes: FxHashMap::default(),
            expiries: Vec::new(),
            figures: Figures::default(),
            solver,
            trees,
        };
        // Paths in the order of the threads' numbers, which are those of the execution.
        let mut ends = learned.ends().to_vec();
        ends.sort_by_key(|&(thread, _, _)| thread);
        for (thread, node, passed) in ends {
            let name = system.trees.threads[thread].name.clone();
            let path = execution.threads.iter().find(|path| path.thread == name);
            let Some(path) = path else { continue };
            let mut nodes = vec![node];
            while let Some(parent) = system.trees.parent(nodes[nodes.len() - 1]) {
                nodes.push(parent);
            }
            let mut events: Vec<TreeEvent> = Vec::new();
            for &above in nodes.iter().rev() {
                let all = &system.trees.nodes[above.index()].events;
                events.extend(if above == node { &all[..passed.min(all.len())] } else { &all[..] });
            }
            let acts = (0_u32..)
                .zip(&path.steps)
                .filter(|(_, performed)| !matches!(performed.step, Step::Branch { .. }));
            let steps = acts.map(|(number, _)| number).chain([path.steps.len() as u32]);
            let events: Vec<(TreeEvent, u32)> = events.into_iter().zip(steps).collect();
            let blocked = match path.end {
                ThreadEnd::Blocked(_) => system.trees.pending(node, passed),
                _ => None,
            };
            let finished = path.end == ThreadEnd::Finished;
            let (steps, end) = (path.steps.len() as u32, Moment::new(0));
            system.paths.push(Path { name, events, steps, finished, blocked, end });
        }
        system.tell_all(execution);
        Ok(system)
    }

    /// The constraints, and whether each may be left out.
    pub fn constraints(&self) -> impl Iterator<Item = (&Constraint, bool)> {
        self.names.iter().map(|(name, selector)| (name, selector.is_some()))
    }

    /// How large the system is.
    pub fn figures(&self) -> Figures {
        Figures { constraints: self.names.len() as u64, ..self.figures }
    }

    /// The expressions that conditions of the caller's are made of.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.trees.terms
    }

    /// The solver.
    pub fn solver(&self) -> &S {
        &self.solver
    }

    /// Demands that one step comes before another one. Nothing if there are no such steps.
    pub fn demand_order(&mut self, first: &StepName, second: &StepName) -> Option<Constraint> {
        let (one, other) = (self.when(first)?, self.when(second)?);
        let name = Constraint::Order { first: first.clone(), second: second.clone() };
        self.name(&name);
        self.tell_order(&name, one, other);
        Some(name)
    }

    /// Demands that one of several steps comes before another one, under a name of the caller's.
    pub fn demand_any_order(
        &mut self,
        name: &str,
        first: &[StepName],
        second: &StepName,
    ) -> Option<Constraint> {
        let other = self.when(second)?;
        let name = Constraint::Holds { name: name.to_owned() };
        self.name(&name);
        let orders: Vec<Literal> = first
            .iter()
            .filter_map(|first| self.when(first))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|one| self.earlier(one, other))
            .collect();
        self.tell(&name, &orders);
        Some(name)
    }

    /// Demands a condition, an expression of one bit of [`ConstraintSystem::terms`], under a name of the caller's.
    pub fn demand(&mut self, name: &str, condition: Term) -> Constraint {
        let name = Constraint::Holds { name: name.to_owned() };
        self.tell_condition(&name, condition);
        name
    }

    /// Asks whether the constraints that are selected, and those without a name, can hold together.
    pub fn solve(&mut self, selection: &Selection<'_>) -> Answer {
        let (mut assumed, mut left_out) = (Vec::new(), BTreeSet::new());
        for (name, selector) in &self.names {
            match selector {
                Some(selector) if selection.has(name) => assumed.push((*selector, name.clone())),
                Some(_) => _ = left_out.insert(name.clone()),
                None => {}
            }
        }
        self.left_out = left_out;
        let selectors: Vec<Literal> = assumed.iter().map(|&(selector, _)| selector).collect();
        loop {
            self.figures.questions += 1;
            match self.solver.check(&selectors) {
                Outcome::Unknown => return Answer::Unknown,
                Outcome::Unsat => {
                    let core: BTreeSet<Literal> = self.solver.core().iter().copied().collect();
                    let named = assumed.into_iter().filter(|(selector, _)| core.contains(selector));
                    return Answer::Impossible(named.map(|(_, name)| name).collect());
                }
                Outcome::Sat => match self.refine() {
                    Checked::Fine => return Answer::Possible(self.solution()),
                    Checked::Told => self.figures.refinements += 1,
                    Checked::Helpless => return Answer::Unknown,
                },
            }
        }
    }

    /// Leaves constraints out of a core for as long as the rest cannot hold together: what is left is minimal. Nothing if
    /// the core can hold, or the solver's budget was not enough to know.
    pub fn minimise(&mut self, core: &[Constraint]) -> Option<Vec<Constraint>> {
        let mut needed: BTreeSet<Constraint> =
            match self.solve(&Selection::Only(&core.iter().cloned().collect())) {
                Answer::Impossible(core) => core.into_iter().collect(),
                _ => return None,
            };
        for name in core {
            if !needed.contains(name) {
                continue;
            }
            let fewer: BTreeSet<Constraint> = needed.iter().filter(|other| *other != name).cloned().collect();
            match self.solve(&Selection::Only(&fewer)) {
                Answer::Impossible(smaller) => needed = smaller.into_iter().collect(),
                Answer::Possible(_) => {}
                Answer::Unknown => return None,
            }
        }
        Some(needed.into_iter().collect())
    }

    /// The event that a step is.
    fn event(&self, step: &StepName) -> Option<(usize, TreeEvent)> {
        let thread = self.paths.iter().position(|path| path.name == step.thread)?;
        let events = &self.paths[thread].events;
        let event = events.iter().find(|&&(_, number)| number == step.step)?.0;
        Some((thread, event))
    }

    fn when(&self, step: &StepName) -> Option<When> {
        let thread = self.paths.iter().position(|path| path.name == step.thread)?;
        let path = &self.paths[thread];
        if step.step == path.steps {
            return Some(When { moment: path.end, thread, depth: u32::MAX, commit: false });
        }
        self.event(step).map(|(_, event)| self.moments[&event])
    }

    fn step_name(&self, thread: usize, number: u32) -> StepName {
        StepName { thread: self.paths[thread].name.clone(), step: number }
    }

    fn act(&self, event: TreeEvent) -> &Act {
        &self.trees.events[event.index()].act
    }

    /// Whether the order of a thread's steps is without a name.
    fn keeps_order(&self, thread: usize) -> bool {
        let Some(path) = self.paths.get(thread) else { return true };
        self.model != Model::Sc
            || !(self.may_be_left_out)(&Constraint::ProgramOrder { thread: path.name.clone() })
    }
}

/// The conditions of the branches of an execution, in another pool.
fn branches(execution: &Execution, terms: &mut Terms) -> Vec<(StepName, Term)> {
    let mut import = Import::new();
    let from = &execution.terms;
    let mut found = Vec::new();
    for path in &execution.threads {
        for (number, performed) in path.steps.iter().enumerate() {
            if let Step::Branch { condition, .. } = performed.step {
                let term = import.term(from, condition, terms, |into, symbol| {
                    into.symbol(from.symbol_of(symbol), from.width(from.symbol_term(symbol)))
                });
                found.push((StepName::new(&path.thread, number), term));
            }
        }
    }
    found
}
