//! The combinations of paths in shares.
//!
//! In the constraint system over all trees every read may see every write of other threads, although a combination has one
//! path of each thread only. So when all that threads can do is known, combinations are enumerated in shares: in each of
//! them one path of the thread with the most paths is given, and the system knows of no other one. A system is then
//! about as many times smaller as there are shares, and shares have nothing to do with each other: several threads can
//! go through them at the same time. What is left in a share is gone through by decisions ([`super::descent`]).

use super::descent::Descent;
use super::goals::Stand;
use super::restrict::Restricted;
use super::search::{Failure, Finish, Runner, SearchError};
use super::system::System;
use super::tree::{End, NodeId, TreeEvent, Trees};
use rustc_hash::FxHashSet;
use selvedge_terms::decide::Solver;
use selvedge_trace::Model;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Where the threads stand, by their numbers.
pub(super) type Stands = BTreeMap<usize, Stand>;

/// So many events of the threads' trees need no shares.
const FEW: usize = 160;
/// So many events may be left to the threads whose paths are not given.
const LEFT: usize = 1_000;
/// How many shares there may be where the paths of several threads are given.
const MOST: usize = 2_000;

/// What solutions had to be told: what was wrong with one is often wrong with others.
#[derive(Clone, Debug, Default)]
pub(super) struct Hints {
    /// Reads, and what they saw when something came between.
    reads: FxHashSet<(TreeEvent, Option<TreeEvent>)>,
    /// Sections of one lock that overlapped.
    sections: FxHashSet<(TreeEvent, TreeEvent)>,
}

impl Hints {
    /// What a system was told.
    pub(super) fn of<S>(system: &System<S>) -> Self {
        Hints { reads: system.memory.excluded.clone(), sections: system.sync.pairs.clone() }
    }

    /// Tells it to another system.
    fn tell<S: Solver>(&self, restricted: &Restricted, system: &mut System<S>) {
        let trees = &restricted.trees;
        for &(reader, source) in &self.reads {
            let source = match source {
                None => Some(None),
                Some(source) => restricted.event_now(source).map(Some),
            };
            if let (Some(reader), Some(source)) = (restricted.event_now(reader), source) {
                system.exclude_early(trees, reader, source);
            }
        }
        for &(first, second) in &self.sections {
            if let (Some(first), Some(second)) = (restricted.event_now(first), restricted.event_now(second)) {
                system.separate(trees, first, second);
            }
        }
    }

    /// Adds what a system over some of the trees was told.
    fn add<S>(&mut self, restricted: &Restricted, system: &System<S>) {
        let origin = |event: TreeEvent| restricted.event_origin(event);
        let reads = system.memory.excluded.iter();
        self.reads.extend(reads.map(|&(reader, source)| (origin(reader), source.map(origin))));
        let sections = system.sync.pairs.iter();
        self.sections.extend(sections.map(|&(first, second)| (origin(first), origin(second))));
    }
}

/// What was found in a share.
pub(super) struct Found {
    pub(super) finish: Finish,
    /// New combinations.
    pub(super) combinations: Vec<Stands>,
    pub(super) failures: Vec<Failure>,
    pub(super) executions: u64,
    /// An execution showed something that was not known: shares are of no use then.
    pub(super) surprised: bool,
    pub(super) questions: u64,
    pub(super) refinements: u64,
    pub(super) thought: Duration,
}

/// What is given of a thread in a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// Its path.
    Path(NodeId),
    /// That no thread starts it.
    Absent(usize),
}

/// The shares: what is given in each. Every combination is in one of them.
pub(super) fn shares(trees: &Trees) -> Vec<Vec<Given>> {
    let mut leaves: Vec<Vec<NodeId>> = vec![Vec::new(); trees.threads.len()];
    for (index, node) in trees.nodes.iter().enumerate() {
        if matches!(node.end, End::Finished | End::Failed(_)) {
            leaves[node.thread].push(NodeId(index as u32));
        }
    }
    let mut events = vec![0; trees.threads.len()];
    trees.events.iter().for_each(|event| events[event.thread] += 1);
    let mut threads: Vec<usize> =
        (0..trees.threads.len()).filter(|&thread| leaves[thread].len() > 1).collect();
    threads.sort_by_key(|&thread| std::cmp::Reverse(leaves[thread].len()));
    let mut left: usize = threads.iter().map(|&thread| events[thread]).sum();
    let mut shares: Vec<Vec<Given>> = vec![Vec::new()];
    for thread in threads {
        let many = shares.len() * leaves[thread].len();
        let enough = if shares.len() == 1 { FEW } else { LEFT };
        if left <= enough || (shares.len() > 1 && many > MOST) {
            break;
        }
        left -= events[thread];
        let absent = trees.threads[thread].forked.then_some(Given::Absent(thread));
        let given: Vec<Given> = leaves[thread].iter().map(|&leaf| Given::Path(leaf)).chain(absent).collect();
        let more = |share: &Vec<Given>| {
            let share = share.clone();
            given.clone().into_iter().map(move |given| [&share[..], &[given]].concat())
        };
        shares = shares.iter().flat_map(more).collect();
    }
    shares
}

/// Finds the combinations of a share that were not seen yet.
pub(super) fn enumerate<R: Runner, S: Solver>(
    runner: &mut R,
    solver: S,
    model: Model,
    (all, share): (&Trees, &[Given]),
    hints: &mut Hints,
    seen: &BTreeSet<Stands>,
    over: &dyn Fn() -> bool,
) -> Result<Found, SearchError<R::Error>> {
    let paths: Vec<NodeId> = share
        .iter()
        .filter_map(|given| match given {
            Given::Path(leaf) => Some(*leaf),
            Given::Absent(_) => None,
        })
        .collect();
    let mut restricted = Restricted::new(all, &paths);
    let mut system = System::new(solver, model, &restricted.trees);
    let mut found = Found {
        finish: Finish::Complete,
        combinations: Vec::new(),
        failures: Vec::new(),
        executions: 0,
        surprised: false,
        questions: 0,
        refinements: 0,
        thought: Duration::ZERO,
    };
    if system.grow(&mut restricted.trees).is_err() {
        found.surprised = true;
        return Ok(found);
    }
    system.options.seal(&mut system.solver);
    hints.tell(&restricted, &mut system);
    let goal = system.all_done(&restricted.trees);
    let mut given = Vec::new();
    for share in share {
        let literal = match *share {
            Given::Path(leaf) => restricted.now(leaf).map(|leaf| {
                let thread = restricted.trees.nodes[leaf.index()].thread;
                given.push((thread, Stand::Leaf(leaf)));
                system.reached(&restricted.trees, leaf)
            }),
            Given::Absent(thread) => {
                given.push((thread, Stand::Absent));
                Some(!system.sync.roots[thread])
            }
        };
        literal.into_iter().for_each(|literal| system.solver.clause(&[!goal, literal]));
    }
    let is_given = |stands: &Stands| given.iter().all(|(thread, stand)| stands.get(thread) == Some(stand));
    let known: Vec<Stands> = seen
        .iter()
        .filter_map(|stands| moved(stands, |leaf| restricted.now(leaf)))
        .filter(is_given)
        .collect();
    let mut descent = Descent::new(runner, &mut system, &mut restricted, goal, over, known);
    descent.go()?;
    let (combinations, surprised, executions) = (descent.found, descent.surprised, descent.executions);
    found.failures = descent.failures;
    found.finish = descent.finish;
    found.executions = executions;
    found.combinations = combinations;
    found.surprised |= surprised;
    hints.add(&restricted, &system);
    (found.questions, found.refinements) = (system.questions, system.refinements);
    found.thought = system.thought;
    Ok(found)
}

/// The same stands with other names for the nodes; nothing if one of them has none, or a thread is stuck.
pub(super) fn moved(stands: &Stands, name: impl Fn(NodeId) -> Option<NodeId>) -> Option<Stands> {
    let stand = |(&thread, stand): (&usize, &Stand)| {
        let stand = match stand {
            Stand::Leaf(leaf) => Stand::Leaf(name(*leaf)?),
            Stand::Absent => Stand::Absent,
            Stand::Stuck(_) => return None,
        };
        Some((thread, stand))
    };
    stands.iter().map(stand).collect()
}
