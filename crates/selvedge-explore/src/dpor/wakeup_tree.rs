//! The tree of executions: what was explored, is being explored, and has to be explored.
//!
//! A node is a state of some execution, as long as something below it is not finished. Its children are in order: those
//! before put those after to sleep. A child that waits may come with a tree of sequences that have to be explored first
//! (a wakeup tree).

use crate::dpor::initials::{Fit, Item, first, fits};
use crate::kit::dependence::EventFootprint;
use crate::kit::event::{Event, Outcomes, Taken};
use crate::kit::process::Process;
use selvedge_machine::Snapshot;
use selvedge_trace::mutants::{Mutant, mutant};
use std::sync::Arc;

/// The number of a node.
pub type NodeId = usize;

/// An entry of a sleep set: a process that need not be explored from a state, because it was explored before and is
/// independent of what has happened since.
#[derive(Clone, Debug)]
pub struct SleepEntry {
    /// The process that sleeps.
    pub process: Process,
    /// What it would do.
    pub label: Arc<EventFootprint>,
}

impl SleepEntry {
    /// Whether it still sleeps after a step.
    pub fn survives(&self, taken: &Taken) -> bool {
        self.process != taken.process
            && (taken.label.leaves(&self.label) || mutant(Mutant::SleepSetKept))
            && !taken.kills.iter().any(|(process, _)| *process == self.process)
    }
}

/// An event that has to be explored, and what after it.
#[derive(Clone, Debug)]
pub struct WakeupTree {
    /// The process that acts.
    pub process: Process,
    /// With which outcomes.
    pub outcomes: Outcomes,
    /// What it touches, as far as is known.
    pub label: Arc<EventFootprint>,
    /// In this order.
    pub children: Vec<WakeupTree>,
}

impl WakeupTree {
    /// A sequence, one after the other.
    pub fn new(sequence: &[Item<'_>]) -> Option<WakeupTree> {
        sequence.iter().rev().fold(None, |after, item| {
            Some(WakeupTree {
                process: item.process,
                outcomes: item.outcomes.cloned().unwrap_or_default(),
                label: item.label.clone(),
                children: after.into_iter().collect(),
            })
        })
    }

    /// The events up to the first leaf.
    pub fn first_sequence(&self) -> Vec<(Process, Outcomes)> {
        let mut sequence = vec![(self.process, self.outcomes.clone())];
        let mut children = &self.children;
        while let Some(first) = children.first() {
            sequence.push((first.process, first.outcomes.clone()));
            children = &first.children;
        }
        sequence
    }
}

/// How far the search has come with a child.
#[derive(Debug)]
pub enum Stage {
    /// Not begun.
    Waiting,
    /// A worker is exploring it.
    Begun,
    /// It is this node.
    Open(NodeId),
    /// All of it was explored.
    Done,
}

/// A step from a node.
#[derive(Debug)]
pub struct Child {
    /// The process that acts and with which outcomes, and what has to be explored after that; the label is the true one
    /// as soon as the step was taken.
    pub wake: WakeupTree,
    /// The step was taken.
    pub known: bool,
    /// How far the search has come.
    pub stage: Stage,
}

impl Child {
    /// One that has to be explored.
    pub fn waiting(wake: WakeupTree) -> Self {
        Child { wake, known: false, stage: Stage::Waiting }
    }
}

/// A state.
pub struct Node {
    /// The node before it and which of its children this is.
    pub parent: Option<(NodeId, usize)>,
    /// The event that led here.
    pub event: Option<Arc<Event>>,
    /// The state, if it was kept.
    pub state: Option<Arc<Snapshot>>,
    /// What sleeps.
    pub sleep: Vec<SleepEntry>,
    /// Nothing had to be explored first from here on.
    pub free: bool,
    /// In order.
    pub children: Vec<Child>,
    /// Everything below it was explored.
    pub complete: bool,
    /// Events before it.
    pub depth: usize,
    /// Tells it apart from all other nodes that ever were.
    pub serial: u64,
}

impl Node {
    /// The first child that waits. Those before it must have taken their first steps.
    pub fn next(&self) -> Option<usize> {
        let next = self.children.iter().position(|child| matches!(child.stage, Stage::Waiting))?;
        self.children[..next].iter().all(|child| child.known).then_some(next)
    }

    /// Adds the other outcomes of a step that was taken.
    pub fn add_outcomes(&mut self, at: usize, outcomes: &[u32], alternatives: &[u32]) {
        let mut place = at + 1;
        for (choice, &count) in alternatives.iter().enumerate() {
            let chosen = outcomes.get(choice).copied().unwrap_or(0);
            for other in (0..count).filter(|&other| other != chosen) {
                let mut wanted: Outcomes = outcomes.iter().copied().take(choice).collect();
                wanted.resize(choice, 0);
                wanted.push(other);
                while wanted.last() == Some(&0) {
                    wanted.pop();
                }
                let wake = &self.children[at].wake;
                let same =
                    |child: &Child| child.wake.process == wake.process && child.wake.outcomes == wanted;
                if self.children.iter().any(same) {
                    continue;
                }
                let (process, label) = (wake.process, wake.label.clone());
                let wake = WakeupTree { process, outcomes: wanted, label, children: Vec::new() };
                self.children.insert(place, Child::waiting(wake));
                place += 1;
            }
        }
    }
}

/// The tree.
#[derive(Default)]
pub struct Tree {
    nodes: Vec<Option<Node>>,
    unused: Vec<NodeId>,
    serial: u64,
}

impl Tree {
    /// Adds a node.
    pub fn add(&mut self, node: Node) -> NodeId {
        self.serial += 1;
        let node = Node { serial: self.serial, ..node };
        match self.unused.pop() {
            Some(id) => {
                self.nodes[id] = Some(node);
                id
            }
            None => {
                self.nodes.push(Some(node));
                self.nodes.len() - 1
            }
        }
    }

    /// A node, if it is still the one that it was.
    pub fn get(&self, (id, serial): (NodeId, u64)) -> Option<&Node> {
        self.nodes.get(id)?.as_ref().filter(|node| node.serial == serial)
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().filter_map(|(id, node)| Some((id, node.as_ref()?)))
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.unused.len()
    }

    /// A node.
    pub fn node(&mut self, id: NodeId) -> &mut Node {
        self.nodes[id].as_mut().expect("a node of an unfinished execution")
    }

    /// Whether all that can come from a child was explored.
    fn is_finished(&self, child: &Child) -> bool {
        match child.stage {
            Stage::Done => true,
            Stage::Open(below) => self.nodes[below].as_ref().is_some_and(|node| node.complete),
            Stage::Waiting | Stage::Begun => false,
        }
    }

    /// Whether sequences may still come to a node from what is before it among the children of a node above. Where
    /// nothing had to be explored first, whatever comes is explored already.
    fn is_late(&self, mut id: NodeId) -> bool {
        while let Some(node) = self.nodes[id].as_ref().filter(|node| !node.free)
            && let Some((above, at)) = node.parent
            && let Some(parent) = &self.nodes[above]
        {
            if !parent.children[..at].iter().all(|child| matches!(child.stage, Stage::Done)) {
                return true;
            }
            id = above;
        }
        false
    }

    /// Notes that a child of a node may have been finished. When all are, and nothing more can come, the node goes.
    pub fn settle(&mut self, mut id: NodeId) {
        loop {
            let node = self.node(id);
            let parent = node.parent;
            let children = std::mem::take(&mut node.children);
            let complete = children.iter().all(|child| self.is_finished(child));
            let node = self.node(id);
            (node.children, node.complete) = (children, complete);
            if !complete {
                return;
            }
            if !self.is_late(id) {
                self.remove(id);
            }
            let Some((above, _)) = parent else { return };
            id = above;
        }
    }

    /// Removes a node that is complete, and those after it that only waited for that.
    fn remove(&mut self, id: NodeId) {
        let parent = self.node(id).parent;
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let Some(node) = self.nodes[id].take() else { continue };
            self.unused.push(id);
            work.extend(node.children.iter().filter_map(|child| match child.stage {
                Stage::Open(below) => Some(below),
                _ => None,
            }));
        }
        let Some((above, at)) = parent else { return };
        let child = &mut self.node(above).children[at];
        child.stage = Stage::Done;
        child.wake.children = Vec::new();
        let after: Vec<NodeId> = self.node(above).children[at + 1..]
            .iter()
            .filter_map(|child| match child.stage {
                Stage::Open(below) => Some(below),
                _ => None,
            })
            .collect();
        for id in after {
            self.forget(id);
        }
    }

    /// Removes what is complete below a node to which nothing more can come.
    fn forget(&mut self, id: NodeId) {
        let Some(node) = &self.nodes[id] else { return };
        if self.is_late(id) {
            return;
        }
        if node.complete {
            return self.remove(id);
        }
        let below: Vec<NodeId> = node
            .children
            .iter()
            .filter_map(|child| match child.stage {
                Stage::Open(below) => Some(below),
                _ => None,
            })
            .collect();
        below.into_iter().for_each(|id| self.forget(id));
    }

    /// Finds out which nodes are complete.
    pub fn look(&mut self) {
        let mut order: Vec<(usize, NodeId)> = self.nodes().map(|(id, node)| (node.depth, id)).collect();
        order.sort_unstable();
        for (_, id) in order.into_iter().rev() {
            let node = self.node(id);
            let children = std::mem::take(&mut node.children);
            let complete = children.iter().all(|child| self.is_finished(child));
            let node = self.node(id);
            (node.children, node.complete) = (children, complete);
        }
    }

    /// Sees to it that something equivalent to a sequence is explored from a node, once and no more.
    pub fn insert(&mut self, mut id: NodeId, mut sequence: Vec<Item<'_>>) {
        let mut path = Vec::new();
        loop {
            let node = self.node(id);
            let top = path.is_empty();
            path.push(id);
            if sequence.is_empty() || (node.free && !top) {
                return;
            }
            let slept = |sleeper: &SleepEntry| fits(&sequence, sleeper.process, &sleeper.label) != Fit::Not;
            if node.sleep.iter().any(slept) {
                return;
            }
            let fitting = node.children.iter().position(|child| take_first(&mut sequence, &child.wake));
            let Some(at) = fitting else {
                node.children.extend(WakeupTree::new(&sequence).map(Child::waiting));
                path.into_iter().for_each(|id| self.node(id).complete = false);
                return;
            };
            let child = &mut node.children[at];
            match child.stage {
                Stage::Done => return,
                Stage::Waiting | Stage::Begun => return insert(&mut child.wake.children, sequence),
                Stage::Open(below) => id = below,
            }
        }
    }

    /// Sees to it that an initial of a sequence is explored from a node.
    pub fn insert_first(&mut self, id: NodeId, sequence: &[Item<'_>]) {
        let can_begin = |process: Process| matches!(first(sequence, process), Some(Fit::At(_)));
        let node = self.node(id);
        let explored = node.sleep.iter().any(|sleeper| can_begin(sleeper.process))
            || node.children.iter().any(|child| can_begin(child.wake.process));
        if explored {
            return;
        }
        if let Some(mut wake) = WakeupTree::new(&sequence[..sequence.len().min(1)]) {
            wake.outcomes = Outcomes::new();
            node.children.push(Child::waiting(wake));
        }
    }
}

/// Whether an event can come first in a sequence; takes it away if it occurs.
fn take_first(sequence: &mut Vec<Item<'_>>, wake: &WakeupTree) -> bool {
    match fits(sequence, wake.process, &wake.label) {
        Fit::Not => false,
        Fit::Beside => true,
        Fit::At(at) => {
            let same = sequence[at].outcomes.is_none_or(|outcomes| *outcomes == wake.outcomes);
            if same {
                sequence.remove(at);
            }
            same
        }
    }
}

/// As [`Tree::insert`], into a tree that no worker has begun with. What begins at a leaf is free to go on.
fn insert(children: &mut Vec<WakeupTree>, mut sequence: Vec<Item<'_>>) {
    if children.is_empty() || sequence.is_empty() {
        return;
    }
    match children.iter().position(|child| take_first(&mut sequence, child)) {
        Some(at) => insert(&mut children[at].children, sequence),
        None => children.extend(WakeupTree::new(&sequence)),
    }
}
