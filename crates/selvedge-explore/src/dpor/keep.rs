//! Checkpoints of the search through executions: the tree, and what was counted.
//!
//! States and events are not kept: they come again when the steps are taken again.

use crate::dpor::execution::Executor;
use crate::dpor::happens_before::HappensBefore;
use crate::dpor::wakeup_tree::{Child, Node, NodeId, SleepEntry, Stage, Tree, WakeupTree};
use crate::kit::dependence::EventFootprint;
use crate::kit::event::Outcomes;
use crate::kit::findings::{Found, Pairs};
use crate::kit::process::{Name, Process};
use crate::report::Report;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_machine::Snapshot;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How far a search has come.
#[derive(Serialize, Deserialize)]
pub struct Kept {
    pub report: Report,
    pub found: Found,
    pub pairs: Pairs,
    pub views: FxHashSet<u128>,
    /// The processes, by number.
    pub names: Vec<Name>,
    /// The tree: each node after the one before it.
    pub nodes: Vec<KeptNode>,
}

/// A node of the tree.
#[derive(Serialize, Deserialize)]
pub struct KeptNode {
    /// The node before it and which of its children this is.
    parent: Option<(usize, usize)>,
    free: bool,
    children: Vec<KeptChild>,
}

/// A child of a node.
#[derive(Serialize, Deserialize)]
struct KeptChild {
    /// It has still to be explored.
    waits: bool,
    /// The step itself, and all that has to be explored after it: each after the one before it.
    wakes: Vec<KeptWake>,
}

/// An event of a wakeup tree. Such trees are deep, so they are kept flat.
#[derive(Serialize, Deserialize)]
struct KeptWake {
    above: usize,
    process: Process,
    outcomes: Outcomes,
    label: Arc<EventFootprint>,
}

fn keep_wake(wake: &WakeupTree) -> Vec<KeptWake> {
    let mut kept = Vec::new();
    let mut work = vec![(0, wake)];
    while let Some((above, wake)) = work.pop() {
        let at = kept.len();
        let (process, outcomes, label) = (wake.process, wake.outcomes.clone(), wake.label.clone());
        kept.push(KeptWake { above, process, outcomes, label });
        work.extend(wake.children.iter().rev().map(|child| (at, child)));
    }
    kept
}

/// The last ones are complete first: each goes to the one above it, in front of those that went there before.
fn wake(kept: &[KeptWake]) -> Option<WakeupTree> {
    let mut wakes: Vec<WakeupTree> = kept
        .iter()
        .map(|kept| WakeupTree {
            process: kept.process,
            outcomes: kept.outcomes.clone(),
            label: kept.label.clone(),
            children: Vec::new(),
        })
        .collect();
    for at in (1..wakes.len()).rev() {
        let mut below = wakes.pop()?;
        below.children.reverse();
        wakes.get_mut(kept[at].above)?.children.push(below);
    }
    let mut first = wakes.pop()?;
    first.children.reverse();
    Some(first)
}

/// The tree as it is; what a worker is exploring waits again.
pub fn nodes(tree: &Tree) -> Vec<KeptNode> {
    let mut order: Vec<(NodeId, &Node)> = tree.nodes().collect();
    order.sort_by_key(|(_, node)| node.depth);
    let numbers: FxHashMap<NodeId, usize> =
        order.iter().enumerate().map(|(number, (id, _))| (*id, number)).collect();
    let child = |child: &Child| KeptChild {
        waits: matches!(child.stage, Stage::Waiting | Stage::Begun),
        wakes: keep_wake(&child.wake),
    };
    let node = |(_, node): &(NodeId, &Node)| KeptNode {
        parent: node.parent.and_then(|(id, at)| Some((*numbers.get(&id)?, at))),
        free: node.free,
        children: node.children.iter().map(child).collect(),
    };
    order.iter().map(node).collect()
}

/// The events that lead to a node, and the states between them.
#[derive(Clone, Default)]
struct Prefix {
    past: HappensBefore,
    states: Vec<Option<Arc<Snapshot>>>,
}

/// The tree again; nothing if it does not fit the program.
pub fn tree(kept: &[KeptNode], executor: &mut Executor<'_>) -> Option<Tree> {
    let mut tree = Tree::default();
    let mut prefixes: Vec<(NodeId, Prefix)> = Vec::new();
    // How many nodes still come after each.
    let mut after = vec![0_usize; kept.len()];
    kept.iter().filter_map(|node| node.parent).for_each(|(above, _)| after[above] += 1);
    let root = Arc::new(executor.runner.machine.snapshot());
    for node in kept {
        let child = |child: &KeptChild| {
            let stage = if child.waits { Stage::Waiting } else { Stage::Done };
            Some(Child { wake: wake(&child.wakes)?, known: !child.waits, stage })
        };
        let children: Vec<Child> = node.children.iter().map(child).collect::<Option<_>>()?;
        let (parent, prefix, sleep) = match node.parent {
            None => {
                let past = HappensBefore::new(executor.runner.subject.config.model);
                (None, Prefix { past, states: vec![Some(root.clone())] }, Vec::new())
            }
            Some((above, at)) => {
                let (id, prefix) = prefixes.get_mut(above)?;
                after[above] -= 1;
                let prefix = if after[above] == 0 { std::mem::take(prefix) } else { prefix.clone() };
                let (prefix, sleep) = below(tree.node(*id), prefix, at, executor)?;
                (Some((*id, at)), prefix, sleep)
            }
        };
        let depth = prefix.past.events.len();
        let event = prefix.past.events.last().cloned();
        let state = prefix.states.last().cloned().flatten();
        let id = tree.add(Node {
            parent,
            event,
            state,
            sleep,
            free: node.free,
            children,
            complete: false,
            depth,
            serial: 0,
        });
        if let Some((above, at)) = parent {
            tree.node(above).children.get_mut(at)?.stage = Stage::Open(id);
        }
        prefixes.push((id, prefix));
    }
    tree.look();
    Some(tree)
}

/// Takes the step to a child of a node, and finds out what sleeps there.
fn below(
    above: &Node,
    mut prefix: Prefix,
    at: usize,
    executor: &mut Executor<'_>,
) -> Option<(Prefix, Vec<SleepEntry>)> {
    let Prefix { past, states } = &mut prefix;
    executor.stand(&past.events, states, past.events.len());
    let step = &above.children.get(at)?.wake;
    let (taken, state) = executor.retake(past, step.process, &step.outcomes)?;
    let earlier = above.children[..at]
        .iter()
        .map(|child| SleepEntry { process: child.wake.process, label: child.wake.label.clone() });
    let sleep = above.sleep.iter().cloned().chain(earlier).filter(|sleeper| sleeper.survives(&taken));
    let sleep = sleep.collect();
    past.add(taken, &mut |past, place, process| executor.is_possible(past, states, place, process));
    states.push(Some(state));
    Some((prefix, sleep))
}
