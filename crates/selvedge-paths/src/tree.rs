//! What is known of each thread: a tree of its decisions.
//!
//! A node stands for a sequence of decisions and holds the steps up to the next one. Executions are merged: threads
//! that decide the same take the same steps, so a new execution only adds what was not seen yet.

use super::act::{Act, Choices};
use super::execution::{BranchKind, Execution, Initial, Move, Step, ThreadEnd, ThreadPath};
use rustc_hash::FxHashMap;
use selvedge_terms::{Import, Term, Terms};
use selvedge_trace::ThreadName;
use std::collections::BTreeMap;

/// A node of a tree, counted over all trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// An event of a tree, counted over all trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeEvent(pub(crate) u32);

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl TreeEvent {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Two executions do not fit together: the same decisions led to different steps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "thread {thread} took the same decisions as before, but its step {step} differs ({what}); \
     check the program with fixed inputs instead"
)]
pub struct Inconsistent {
    /// The thread whose steps they are.
    pub thread: ThreadName,
    pub step: usize,
    /// What differs.
    pub what: String,
}

/// What comes after a node's steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It is not known yet.
    Open,
    /// A decision; the children that are known. All outcomes are, if it is `closed`.
    Decision {
        /// What kind of branch it is, if it is one; otherwise a step with two alternatives.
        kind: Option<BranchKind>,
        /// The outcomes that are known.
        children: Vec<NodeId>,
        /// All outcomes are known.
        closed: bool,
    },
    /// The thread ends.
    Finished,
    /// The thread fails.
    Failed(u32),
    /// An assumption does not hold.
    Discarded,
}

/// Steps between two decisions.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) thread: usize,
    pub(crate) parent: Option<NodeId>,
    /// Which outcome of the parent's decision it is.
    pub(crate) outcome: u64,
    /// What must hold for that outcome, beside what the first event says.
    pub(crate) condition: Option<Term>,
    pub(crate) events: Vec<TreeEvent>,
    pub(crate) end: End,
    /// The last event of the path before this node.
    pub(crate) before: Option<TreeEvent>,
    /// How many decisions lead to it.
    pub(crate) depth: u32,
}

/// One step in a tree.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) thread: usize,
    pub(crate) node: NodeId,
    pub(crate) previous: Option<TreeEvent>,
    /// How many events of the thread come before it.
    pub(crate) depth: u32,
    pub(crate) act: Act,
    /// The first event of those that happen at one moment.
    pub(crate) leader: TreeEvent,
    /// When it happened in the execution that showed it first; a hint.
    pub(crate) rank: u32,
    pub(crate) position: u32,
}

/// What is known of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) name: ThreadName,
    pub(crate) root: NodeId,
    /// It is there because another thread started it.
    pub(crate) forked: bool,
}

/// What is known of all threads.
#[derive(Clone, Debug, Default)]
pub struct Trees {
    pub(crate) terms: Terms,
    pub(crate) threads: Vec<Tree>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) events: Vec<Event>,
    pub(crate) initial: Initial,
    pub(super) objects: BTreeMap<u64, u64>,
    pub(super) names: FxHashMap<ThreadName, usize>,
}

/// Where the threads of an execution are in the trees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// The last node of each thread that was there, by the thread's number, and how many of the node's events it has
    /// passed.
    pub(crate) ends: Vec<(usize, NodeId, usize)>,
    /// Whether something was not known before.
    pub new: bool,
}

impl Learned {
    /// The last node of each thread that was there, by the thread's number, and how many of the node's steps it has taken.
    pub fn ends(&self) -> &[(usize, NodeId, usize)] {
        &self.ends
    }
}

impl Trees {
    /// Nothing is known.
    pub fn new() -> Self {
        Trees::default()
    }

    /// How many decisions of threads are known: sequences of decisions, over all threads.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How many events are known.
    pub fn events(&self) -> usize {
        self.events.len()
    }

    /// Ends of threads that are known, for each thread by its name.
    pub fn leaves(&self) -> Vec<(ThreadName, usize)> {
        let mut counts = vec![0; self.threads.len()];
        for node in &self.nodes {
            if matches!(node.end, End::Finished | End::Failed(_)) {
                counts[node.thread] += 1;
            }
        }
        self.threads.iter().map(|tree| tree.name.clone()).zip(counts).collect()
    }

    /// The expressions of conditions and values.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The node whose decision leads to this one.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node.index()].parent
    }

    /// What must hold for the outcome that leads to a node, beside what its first event says.
    pub fn condition(&self, node: NodeId) -> Option<Term> {
        self.nodes[node.index()].condition
    }

    /// The steps of a node.
    pub fn steps(&self, node: NodeId) -> &[TreeEvent] {
        &self.nodes[node.index()].events
    }

    /// What comes after a node's steps.
    pub fn end(&self, node: NodeId) -> &End {
        &self.nodes[node.index()].end
    }

    /// Adds what an execution shows.
    pub fn learn(&mut self, execution: &Execution) -> Result<Learned, Inconsistent> {
        let ranks = ranks(execution);
        for (&address, &byte) in &execution.initial {
            self.initial.entry(address).or_insert(byte);
        }
        self.learn_objects(execution)?;
        for path in &execution.threads {
            let forked =
                execution.threads.iter().flat_map(|other| &other.steps).any(
                    |performed| matches!(&performed.step, Step::Fork { thread } if *thread == path.thread),
                );
            let thread = self.thread(&path.thread);
            self.threads[thread].forked |= forked;
        }
        let mut import = Import::new();
        let mut learned = Learned::default();
        for (path, ranks) in execution.threads.iter().zip(&ranks) {
            let thread = self.thread(&path.thread);
            let mut merge = Merge {
                trees: self,
                execution,
                import: &mut import,
                ranks,
                at: Position::default(),
                new: false,
            };
            merge.at.node = merge.trees.threads[thread].root;
            merge.path(path)?;
            let (Position { node, passed }, new) = (merge.at, merge.new);
            learned.ends.push((thread, node, passed));
            learned.new |= new;
        }
        Ok(learned)
    }

    /// Whether an access is outside of an object is no decision of its thread: it must not depend on others.
    fn learn_objects(&mut self, execution: &Execution) -> Result<(), Inconsistent> {
        for (&start, &size) in &execution.objects {
            let end = start.saturating_add(size);
            let before = self.objects.range(..end).next_back();
            let same = self.objects.get(&start) == Some(&size);
            if !same && before.is_some_and(|(&other, &size)| other.saturating_add(size) > start) {
                let what = "what threads share has another size at the same place".to_owned();
                return Err(Inconsistent { thread: ThreadName::main(), step: 0, what });
            }
            self.objects.insert(start, size);
        }
        Ok(())
    }

    /// The number of a thread.
    pub(crate) fn thread(&mut self, name: &ThreadName) -> usize {
        if let Some(&thread) = self.names.get(name) {
            return thread;
        }
        let thread = self.threads.len();
        let root = self.node(Node {
            thread,
            parent: None,
            outcome: 0,
            condition: None,
            events: Vec::new(),
            end: End::Open,
            before: None,
            depth: 0,
        });
        self.threads.push(Tree { name: name.clone(), root, forked: false });
        self.names.insert(name.clone(), thread);
        thread
    }

    fn node(&mut self, node: Node) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        self.nodes.push(node);
        id
    }

    /// For each event: the locks that its thread holds alone when it comes to it.
    pub(crate) fn held(&self) -> Vec<Vec<u64>> {
        let mut held: Vec<Vec<u64>> = Vec::with_capacity(self.events.len());
        for event in &self.events {
            let locks = event.previous.map(|previous| {
                let (mut locks, act) = (held[previous.index()].clone(), &self.events[previous.index()].act);
                if let Some((lock, false)) = act.releases()
                    && let Some(place) = locks.iter().rposition(|&other| other == lock)
                {
                    locks.remove(place);
                }
                if let Some((lock, false)) = act.acquires() {
                    locks.push(lock);
                }
                locks
            });
            held.push(locks.unwrap_or_default());
        }
        held
    }

    /// The last event of a node's path.
    pub(crate) fn last_event(&self, node: NodeId) -> Option<TreeEvent> {
        let node = &self.nodes[node.index()];
        node.events.last().copied().or(node.before)
    }

    /// Whether a node is on the path to another one, or the same.
    pub(crate) fn leads_to(&self, node: NodeId, other: NodeId) -> bool {
        let depth = self.nodes[node.index()].depth;
        let mut at = other;
        while self.nodes[at.index()].depth > depth {
            match self.nodes[at.index()].parent {
                Some(parent) => at = parent,
                None => return false,
            }
        }
        at == node
    }

    /// Whether an event comes before another one of the same thread on one path.
    pub(crate) fn precedes(&self, first: TreeEvent, second: TreeEvent) -> bool {
        let (a, b) = (&self.events[first.index()], &self.events[second.index()]);
        a.thread == b.thread && a.depth < b.depth && self.leads_to(a.node, b.node)
    }

    /// The events before an event on its path, the nearest first.
    pub(crate) fn back(&self, event: TreeEvent) -> impl Iterator<Item = TreeEvent> + '_ {
        std::iter::successors(self.events[event.index()].previous, |at| self.events[at.index()].previous)
    }

    /// The event before which a thread is blocked that has passed so many events of a node. Of a step with two alternatives it
    /// is the first one.
    pub(crate) fn pending(&self, node: NodeId, passed: usize) -> Option<TreeEvent> {
        let node = &self.nodes[node.index()];
        if let Some(&event) = node.events.get(passed) {
            return Some(event);
        }
        let End::Decision { closed: true, children, .. } = &node.end else { return None };
        let first = children.iter().find(|child| self.nodes[child.index()].outcome == 0)?;
        self.nodes[first.index()].events.first().copied()
    }

    /// The events that may come right after an event.
    pub(crate) fn nexts(&self, event: TreeEvent) -> Vec<TreeEvent> {
        let node = self.events[event.index()].node;
        let events = &self.nodes[node.index()].events;
        let place = events.iter().position(|&other| other == event).unwrap_or(events.len());
        if let Some(&next) = events.get(place + 1) {
            return vec![next];
        }
        let mut open = vec![node];
        let mut nexts = Vec::new();
        while let Some(node) = open.pop() {
            if let End::Decision { children, .. } = &self.nodes[node.index()].end {
                for &child in children {
                    match self.nodes[child.index()].events.first() {
                        Some(&first) => nexts.push(first),
                        None => open.push(child),
                    }
                }
            }
        }
        nexts
    }
}

/// For each thread: when its steps that are not branches happened.
fn ranks(execution: &Execution) -> Vec<Vec<u32>> {
    let mut by_thread: FxHashMap<&ThreadName, Vec<u32>> = FxHashMap::default();
    for (rank, step) in (0..).zip(&execution.order) {
        if !matches!(step, Move::Commit { .. } | Move::Expire { .. }) {
            by_thread.entry(step.thread()).or_default().push(rank);
        }
    }
    execution.threads.iter().map(|path| by_thread.remove(&path.thread).unwrap_or_default()).collect()
}

/// Where in a tree the merged path has come to.
#[derive(Clone, Copy, Debug)]
struct Position {
    node: NodeId,
    /// How many of the node's events were passed.
    passed: usize,
}

impl Default for Position {
    fn default() -> Self {
        Position { node: NodeId(0), passed: 0 }
    }
}

/// Merges one thread's path into its tree.
struct Merge<'a> {
    trees: &'a mut Trees,
    execution: &'a Execution,
    import: &'a mut Import,
    ranks: &'a [u32],
    at: Position,
    new: bool,
}

impl Merge<'_> {
    fn path(&mut self, path: &ThreadPath) -> Result<(), Inconsistent> {
        let mut groups = 0;
        for (index, performed) in path.steps.iter().enumerate() {
            let fail = |what: String| Inconsistent { thread: path.thread.clone(), step: index, what };
            if let Step::Branch { condition, outcome, kind } = performed.step {
                let condition = self.term(condition);
                self.branch(condition, outcome, kind).map_err(fail)?;
                continue;
            }
            groups += usize::from(!performed.continues);
            let rank = self.ranks.get(groups.saturating_sub(1)).copied().unwrap_or(u32::MAX);
            self.step(&performed.step, performed.continues, (rank, performed.position)).map_err(fail)?;
        }
        let fail = |what: String| Inconsistent { thread: path.thread.clone(), step: path.steps.len(), what };
        match &path.end {
            ThreadEnd::Finished => {
                self.event(Act::End, false, (u32::MAX, 0)).map_err(fail)?;
                self.finish(End::Finished).map_err(fail)
            }
            ThreadEnd::Failed(failure) => self.finish(End::Failed(*failure)).map_err(fail),
            ThreadEnd::Discarded => self.finish(End::Discarded).map_err(fail),
            ThreadEnd::Cut => Ok(()),
            ThreadEnd::Blocked(step) => {
                // The step is known, what comes after it is not; the thread itself stays before it.
                let place = self.at;
                self.step(step, false, (u32::MAX, 0)).map_err(fail)?;
                self.at = place;
                Ok(())
            }
        }
    }

    fn term(&mut self, term: Term) -> Term {
        let from = &self.execution.terms;
        self.import.term(from, term, &mut self.trees.terms, |into, symbol| {
            into.symbol(from.symbol_of(symbol), from.width(from.symbol_term(symbol)))
        })
    }

    fn step(&mut self, step: &Step, continues: bool, (rank, position): (u32, u32)) -> Result<(), String> {
        let from = &self.execution.terms;
        let import = &mut *self.import;
        let trees = &mut *self.trees;
        let count = trees.last_event(self.at.node).map_or(0, |last| trees.events[last.index()].depth + 1);
        let place = match trees.nodes[self.at.node.index()].events.get(self.at.passed) {
            Some(&known) => trees.events[known.index()].depth,
            None => count,
        };
        let thread = trees.threads[trees.nodes[self.at.node.index()].thread].name.clone();
        let choices = Choices::of(step, &thread, place, trees, |trees, term| {
            import.term(from, term, &mut trees.terms, |into, symbol| {
                into.symbol(from.symbol_of(symbol), from.width(from.symbol_term(symbol)))
            })
        });
        match choices {
            Choices::One(act) => self.event(act, continues, (rank, position)),
            Choices::Two { outcome, acts } => self.decide(outcome, acts, continues, (rank, position)),
        }
    }

    /// A step with one alternative.
    fn event(&mut self, act: Act, continues: bool, (rank, position): (u32, u32)) -> Result<(), String> {
        let node = &self.trees.nodes[self.at.node.index()];
        if let Some(&known) = node.events.get(self.at.passed) {
            let there = &self.trees.events[known.index()].act;
            if *there != act {
                return Err(format!("{there:?}, now {act:?}"));
            }
            self.at.passed += 1;
            return Ok(());
        }
        if node.end != End::Open {
            return Err(format!("the thread went on with {act:?}, before with {:?}", node.end));
        }
        self.add(self.at.node, act, continues, (rank, position));
        self.at.passed += 1;
        self.new = true;
        Ok(())
    }

    fn add(&mut self, node: NodeId, act: Act, continues: bool, (rank, position): (u32, u32)) {
        let trees = &mut *self.trees;
        let previous = trees.last_event(node);
        let id = TreeEvent(u32::try_from(trees.events.len()).expect("fewer than 2^32 events"));
        let depth = previous.map_or(0, |previous| trees.events[previous.index()].depth + 1);
        let leader = match previous {
            Some(previous) if continues => trees.events[previous.index()].leader,
            _ => id,
        };
        let thread = trees.nodes[node.index()].thread;
        trees.events.push(Event { thread, node, previous, depth, act, leader, rank, position });
        trees.nodes[node.index()].events.push(id);
    }

    fn branch(&mut self, condition: Term, outcome: u64, kind: BranchKind) -> Result<(), String> {
        let known = self.trees.terms.known(condition);
        if known == Some(0) {
            return Err("a branch had an outcome that is impossible".to_owned());
        }
        self.open_decision(Some(kind), false)?;
        let End::Decision { children, .. } = &self.trees.nodes[self.at.node.index()].end else {
            return Err("a branch where there was none".to_owned());
        };
        let child = children.iter().copied().find(|child| self.trees.nodes[child.index()].outcome == outcome);
        let child = match child {
            Some(child) => {
                let there = self.trees.nodes[child.index()].condition;
                if there != Some(condition) {
                    return Err("a branch has another condition".to_owned());
                }
                child
            }
            None => self.child(outcome, Some(condition)),
        };
        self.at = Position { node: child, passed: 0 };
        Ok(())
    }

    /// A step with two alternatives. Both are known as soon as one was seen; what comes after the other one is not.
    fn decide(
        &mut self,
        outcome: u64,
        acts: [Act; 2],
        continues: bool,
        (rank, position): (u32, u32),
    ) -> Result<(), String> {
        let fresh = self.open_decision(None, true)?;
        if fresh {
            for (number, act) in (0..).zip(acts.clone()) {
                let child = self.child(number, None);
                self.add(child, act, continues, (rank, position));
            }
        }
        let End::Decision { children, .. } = &self.trees.nodes[self.at.node.index()].end else {
            return Err("a decision where there was none".to_owned());
        };
        let child = children.iter().find(|child| self.trees.nodes[child.index()].outcome == outcome);
        let child = *child.ok_or("an outcome that is unknown")?;
        let first = self.trees.nodes[child.index()].events.first();
        let there = first.map(|first| &self.trees.events[first.index()].act);
        if there != acts.get(outcome as usize) {
            return Err(format!("{there:?} instead of {:?}", acts.get(outcome as usize)));
        }
        self.at = Position { node: child, passed: 1 };
        Ok(())
    }

    /// The node ends with a decision; whether that is new.
    fn open_decision(&mut self, kind: Option<BranchKind>, closed: bool) -> Result<bool, String> {
        let node = &mut self.trees.nodes[self.at.node.index()];
        if self.at.passed < node.events.len() {
            return Err("a decision before a step that was there".to_owned());
        }
        match &node.end {
            End::Open => {
                node.end = End::Decision { kind, children: Vec::new(), closed };
                self.new = true;
                Ok(true)
            }
            End::Decision { kind: there, closed: also, .. } if *there == kind && *also == closed => Ok(false),
            other => Err(format!("a decision instead of {other:?}")),
        }
    }

    fn child(&mut self, outcome: u64, condition: Option<Term>) -> NodeId {
        let parent = self.at.node;
        let before = self.trees.last_event(parent);
        let Node { thread, depth, .. } = self.trees.nodes[parent.index()];
        let child = self.trees.node(Node {
            thread,
            parent: Some(parent),
            outcome,
            condition,
            events: Vec::new(),
            end: End::Open,
            before,
            depth: depth + 1,
        });
        if let End::Decision { children, .. } = &mut self.trees.nodes[parent.index()].end {
            children.push(child);
        }
        self.new = true;
        child
    }

    fn finish(&mut self, end: End) -> Result<(), String> {
        let node = &mut self.trees.nodes[self.at.node.index()];
        if self.at.passed < node.events.len() {
            return Err(format!("{end:?} before a step that was there"));
        }
        if node.end == End::Open {
            node.end = end;
            self.new = true;
            return Ok(());
        }
        if node.end == end { Ok(()) } else { Err(format!("{end:?} instead of {:?}", node.end)) }
    }
}
