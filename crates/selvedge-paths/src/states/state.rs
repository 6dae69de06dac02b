//! Where all threads are, and what memory holds.

use super::outline::Outline;
use super::values::{Decided, Inputs, NONE, Undecided, Values};
use crate::act::{Access, Act};
use crate::cells::CellId;
use crate::execution::BranchKind;
use crate::memory::initial_bytes;
use crate::system::exhausted;
use crate::tree::{End, NodeId, TreeEvent, Trees};
use rustc_hash::FxHashSet;
use selvedge_terms::Term;
use selvedge_terms::decide::Solver;

/// Where a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// No thread has started it.
    Absent,
    /// Before an event.
    Before(TreeEvent),
    /// Before a step with two alternatives: at the end of a node.
    Choice(NodeId),
    /// At the end of its path.
    Leaf(NodeId),
    /// It does not go on: an assumption does not hold, or no execution shows what is after this node.
    Left(NodeId),
}

impl Place {
    /// As numbers, which are different for different places.
    pub(super) fn code(self) -> u64 {
        let (kind, number) = match self {
            Place::Absent => (0, 0),
            Place::Before(event) => (1, event.0),
            Place::Choice(node) => (2, node.0),
            Place::Leaf(node) => (3, node.0),
            Place::Left(node) => (4, node.0),
        };
        kind << 32 | u64::from(number)
    }
}

/// Where all threads are, what memory holds, and what was decided about inputs. Values are expressions over inputs.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) at: Vec<Place>,
    /// What was read, by the symbols.
    values: Vec<u32>,
    /// What is in the pieces of memory that were written.
    memory: Vec<u32>,
    /// How a lock is held: not at all, shared by so many threads, or by one alone.
    locks: Vec<i32>,
    gone: Vec<u64>,
    /// Threads that have ended.
    ended: u64,
    /// Threads that waited, and were notified.
    notified: u64,
    /// The thread that the step that led here has notified, of those that waited.
    pub(super) woke: Option<usize>,
    pub(super) decided: Decided,
    /// The thread that has ended the program.
    pub(super) exited: Option<usize>,
    /// Threads that were started in the step that is being performed.
    started: Vec<usize>,
}

/// Why a step cannot be followed.
pub(super) enum Stop {
    /// A thread comes to where no execution has been: after this node.
    New { thread: usize, node: NodeId, decided: Decided, woke: Option<usize> },
    /// A thread reads what no execution has read: what is in this piece of memory.
    Unread { thread: usize, cell: CellId, decided: Decided, woke: Option<usize> },
    /// Something that states do not tell.
    Beyond,
}

impl From<Undecided> for Stop {
    fn from(_: Undecided) -> Self {
        Stop::Beyond
    }
}

/// What steps need beside a state.
pub(super) struct Steps<'a, S> {
    pub(super) trees: &'a mut Trees,
    pub(super) outline: &'a Outline,
    pub(super) values: &'a mut Values,
    pub(super) inputs: &'a mut Inputs<S>,
    /// Nodes after which no execution shows anything.
    pub(super) hopeless: &'a FxHashSet<NodeId>,
}

impl State {
    /// Nothing has happened; no thread is there.
    pub(super) fn new(threads: usize) -> Self {
        State {
            at: vec![Place::Absent; threads],
            values: Vec::new(),
            memory: Vec::new(),
            locks: Vec::new(),
            gone: Vec::new(),
            ended: 0,
            notified: 0,
            woke: None,
            decided: Decided(0),
            exited: None,
            started: Vec::new(),
        }
    }

    /// Makes room for what the trees have got.
    fn fit(&mut self, trees: &Trees, outline: &Outline) {
        self.at.resize(trees.threads.len(), Place::Absent);
        self.memory.resize(outline.cells(), NONE);
        self.locks.resize(outline.locks(), 0);
        self.gone.resize(outline.going().div_ceil(64), 0);
    }

    pub(super) fn has_gone(&self, number: usize) -> bool {
        self.gone.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// What tells states apart: where the threads are, what was decided, what may still be read or used. What locks are
    /// held, what has gone and which threads have ended follows from where the threads are.
    pub(super) fn key(&self, trees: &Trees, outline: &Outline, key: &mut Vec<u64>) {
        key.clear();
        key.push(u64::from(self.decided.0));
        key.push(self.notified);
        let mut future: Vec<u64> = Vec::new();
        for (thread, &at) in self.at.iter().enumerate() {
            key.push(at.code());
            let (next, live): (&[u64], &[u64]) = match at {
                Place::Absent => (outline.future_of(trees, trees.threads[thread].root), &[]),
                Place::Before(event) => (outline.future_from(event), outline.live_from(event)),
                Place::Choice(node) => (outline.future_after(node), outline.live_after(node)),
                Place::Leaf(_) | Place::Left(_) => (&[], &[]),
            };
            if future.is_empty() {
                future.extend(next);
            } else {
                super::bits::join(&mut future, next);
            }
            for symbol in super::bits::ones(live) {
                let value = self.values.get(symbol).copied().unwrap_or(NONE);
                if value != NONE {
                    key.push((symbol as u64) << 32 | u64::from(value));
                }
            }
        }
        if future.is_empty() {
            return;
        }
        for (cell, &value) in self.memory.iter().enumerate() {
            if value != NONE && Outline::is_read(&future, cell) {
                key.push(1 << 63 | (cell as u64) << 32 | u64::from(value));
            }
        }
    }
}

impl<S: Solver> Steps<'_, S> {
    /// The states in which a program begins.
    pub(super) fn first(&mut self) -> Result<Vec<State>, Stop> {
        let mut state = State::new(self.trees.threads.len());
        state.fit(self.trees, self.outline);
        let threads = self.trees.threads.iter().enumerate();
        state.started = threads.filter(|(_, tree)| !tree.forked).map(|(thread, _)| thread).collect();
        let mut states = Vec::new();
        self.start(state, &mut states)?;
        Ok(states)
    }

    /// Whether a thread can perform its next step.
    pub(super) fn can_go(&mut self, state: &State, thread: usize) -> Result<bool, Stop> {
        if state.exited.is_some_and(|exited| exited != thread) {
            return Ok(false);
        }
        match state.at[thread] {
            Place::Before(event) => self.is_enabled(state, event),
            Place::Choice(node) => {
                for event in self.alternatives(node) {
                    if self.is_enabled(state, event)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Place::Absent | Place::Leaf(_) | Place::Left(_) => Ok(false),
        }
    }

    /// The events with which the two alternatives of a step begin.
    pub(super) fn alternatives(&self, node: NodeId) -> Vec<TreeEvent> {
        let End::Decision { children, .. } = &self.trees.nodes[node.index()].end else { return Vec::new() };
        children.iter().filter_map(|child| self.trees.nodes[child.index()].events.first().copied()).collect()
    }

    /// The states after a thread's next step.
    pub(super) fn after(&mut self, state: &State, thread: usize) -> Result<Vec<State>, Stop> {
        let events = match state.at[thread] {
            Place::Before(event) => vec![event],
            Place::Choice(node) => self.alternatives(node),
            Place::Absent | Place::Leaf(_) | Place::Left(_) => Vec::new(),
        };
        let mut done = Vec::new();
        for event in events {
            if !self.is_enabled(state, event)? {
                continue;
            }
            let leader = self.trees.events[event.index()].leader;
            for woken in self.to_wake(state, event) {
                let mut state = state.clone();
                state.woke = woken;
                state.fit(self.trees, self.outline);
                self.perform(&mut state, event)?;
                self.go_on(state, thread, self.behind(event), Some(leader), &mut done)?;
            }
        }
        let mut states = Vec::new();
        for state in done {
            self.start(state, &mut states)?;
        }
        Ok(states)
    }

    /// Which of several threads an event may wake: one of those that wait, if it wakes one.
    fn to_wake(&self, state: &State, id: TreeEvent) -> Vec<Option<usize>> {
        let Act::Notify { all: false, .. } = self.trees.events[id.index()].act else { return vec![None] };
        let waiting: Vec<Option<usize>> = self.waiting(state, id).into_iter().map(Some).collect();
        if waiting.is_empty() { vec![None] } else { waiting }
    }

    /// Threads that wait for what an event notifies.
    fn waiting(&self, state: &State, id: TreeEvent) -> Vec<usize> {
        let queue = self.outline.facts[id.index()].queue;
        let waits = |&thread: &usize| match state.at[thread] {
            Place::Before(event) => {
                matches!(self.trees.events[event.index()].act, Act::Wake { .. })
                    && self.outline.facts[event.index()].queue == queue
                    && state.notified >> thread & 1 == 0
            }
            _ => false,
        };
        (0..state.at.len()).filter(waits).collect()
    }

    /// The place behind an event: its node, and how many of the node's events come before.
    fn behind(&self, event: TreeEvent) -> (NodeId, usize) {
        let node = self.trees.events[event.index()].node;
        let events = &self.trees.nodes[node.index()].events;
        let place = events.iter().position(|&other| other == event).unwrap_or(events.len());
        (node, place + 1)
    }

    /// Lets threads that were started come to their first steps.
    fn start(&mut self, mut state: State, states: &mut Vec<State>) -> Result<(), Stop> {
        let Some(thread) = state.started.pop() else {
            states.push(state);
            return Ok(());
        };
        let mut started = Vec::new();
        let root = self.trees.threads[thread].root;
        self.go_on(state, thread, (root, 0), None, &mut started)?;
        started.into_iter().try_for_each(|state| self.start(state, states))
    }

    /// Lets a thread decide until it is before its next step. Events of the step that is being performed are performed.
    fn go_on(
        &mut self,
        mut state: State,
        thread: usize,
        (mut node, mut passed): (NodeId, usize),
        leader: Option<TreeEvent>,
        done: &mut Vec<State>,
    ) -> Result<(), Stop> {
        loop {
            if let Some(&event) = self.trees.nodes[node.index()].events.get(passed) {
                let (own, ends) = {
                    let event = &self.trees.events[event.index()];
                    (event.leader, event.act == Act::End)
                };
                if ends {
                    state.ended |= 1 << thread;
                } else if leader == Some(own) {
                    if !self.is_enabled(&state, event)? {
                        return Err(Stop::Beyond);
                    }
                    self.perform(&mut state, event)?;
                } else {
                    state.at[thread] = Place::Before(event);
                    done.push(state);
                    return Ok(());
                }
                passed += 1;
                continue;
            }
            let (kind, children) = match &self.trees.nodes[node.index()].end {
                End::Finished | End::Failed(_) => {
                    state.at[thread] = Place::Leaf(node);
                    done.push(state);
                    return Ok(());
                }
                End::Discarded => {
                    state.at[thread] = Place::Left(node);
                    done.push(state);
                    return Ok(());
                }
                End::Open if self.hopeless.contains(&node) => {
                    state.at[thread] = Place::Left(node);
                    done.push(state);
                    return Ok(());
                }
                End::Open => {
                    return Err(Stop::New { thread, node, decided: state.decided, woke: state.woke });
                }
                End::Decision { closed: true, .. } => return self.choose(state, thread, node, leader, done),
                End::Decision { kind, children, .. } => (*kind, children.clone()),
            };
            let mut outcomes = self.decide(&state, thread, node, kind, &children)?;
            let Some((child, decided)) = outcomes.pop() else { return Ok(()) };
            for (child, decided) in outcomes {
                let mut state = state.clone();
                state.decided = decided;
                self.enter(state, thread, node, child, leader, done)?;
            }
            state.decided = decided;
            match child {
                Some(child) => (node, passed) = (child, 0),
                None => return self.enter(state, thread, node, None, leader, done),
            }
        }
    }

    fn enter(
        &mut self,
        mut state: State,
        thread: usize,
        node: NodeId,
        child: Option<NodeId>,
        leader: Option<TreeEvent>,
        done: &mut Vec<State>,
    ) -> Result<(), Stop> {
        match child {
            Some(child) => self.go_on(state, thread, (child, 0), leader, done),
            None => {
                state.at[thread] = Place::Left(node);
                done.push(state);
                Ok(())
            }
        }
    }

    /// A step with two alternatives: it is next, or belongs to the one that is being performed.
    fn choose(
        &mut self,
        mut state: State,
        thread: usize,
        node: NodeId,
        leader: Option<TreeEvent>,
        done: &mut Vec<State>,
    ) -> Result<(), Stop> {
        let alternatives = self.alternatives(node);
        let belongs = |event: &TreeEvent| leader == Some(self.trees.events[event.index()].leader);
        if !alternatives.iter().any(belongs) {
            state.at[thread] = Place::Choice(node);
            done.push(state);
            return Ok(());
        }
        let mut possible = false;
        for event in alternatives {
            if self.is_enabled(&state, event)? {
                possible = true;
                let mut state = state.clone();
                self.perform(&mut state, event)?;
                self.go_on(state, thread, self.behind(event), leader, done)?;
            }
        }
        if possible { Ok(()) } else { Err(Stop::Beyond) }
    }

    /// The outcomes that a decision can have, and what is decided about inputs then. A thread that does not do what is assumed is
    /// left where it is.
    fn decide(
        &mut self,
        state: &State,
        thread: usize,
        node: NodeId,
        kind: Option<BranchKind>,
        children: &[NodeId],
    ) -> Result<Vec<(Option<NodeId>, Decided)>, Stop> {
        let mut outcomes = Vec::new();
        let mut other = Some(state.decided);
        for &child in children {
            let Some(condition) = self.trees.nodes[child.index()].condition else { return Err(Stop::Beyond) };
            let terms = &mut self.trees.terms;
            let condition = self.values.of(terms, condition, &state.values).ok_or(Stop::Beyond)?;
            if let Some(decided) = self.inputs.with(terms, state.decided, condition)? {
                outcomes.push((Some(child), decided));
            }
            if let Some(decided) = other {
                let negated = terms.not(condition);
                other = self.inputs.with(terms, decided, negated)?;
            }
        }
        let Some(decided) = other.filter(|_| !exhausted(self.trees, children)) else { return Ok(outcomes) };
        let met = |child: &NodeId| self.trees.nodes[child.index()].outcome == 1;
        let assumed = kind == Some(BranchKind::Assume) && children.iter().any(met);
        if !assumed && !self.hopeless.contains(&node) {
            return Err(Stop::New { thread, node, decided, woke: state.woke });
        }
        outcomes.push((None, decided));
        Ok(outcomes)
    }

    /// Whether an event can happen now.
    fn is_enabled(&mut self, state: &State, id: TreeEvent) -> Result<bool, Stop> {
        let facts = &self.outline.facts[id.index()];
        if facts.needs.iter().any(|&number| state.has_gone(number)) {
            return Ok(false);
        }
        let held = facts.lock.map_or(0, |lock| state.locks.get(lock).copied().unwrap_or(0));
        let event = &self.trees.events[id.index()];
        Ok(match event.act {
            Act::Acquire { shared: true, .. } => held >= 0,
            Act::Acquire { shared: false, .. } => held == 0,
            Act::Busy { shared: true, .. } => held < 0,
            Act::Busy { shared: false, .. } => held != 0,
            Act::Join { thread } => state.ended >> thread & 1 == 1,
            Act::Wake { .. } => held == 0 && state.notified >> event.thread & 1 == 1,
            Act::Access(Access { guard: Some(guard), reads, .. }) => {
                let mut values = state.values.clone();
                if let Some(symbol) = reads {
                    let value = self.read(state, id).map_err(|_| Stop::Beyond)?;
                    self.keep(&mut values, symbol, value)?;
                }
                let terms = &mut self.trees.terms;
                let guard = self.values.of(terms, guard, &values).ok_or(Stop::Beyond)?;
                terms.known(guard).ok_or(Stop::Beyond)? == 1
            }
            _ => true,
        })
    }

    /// What must be decided about inputs for two accesses that are next to race: a compare-exchange that does not find what it
    /// expects only reads. Nothing if they do not.
    pub(super) fn races(
        &mut self,
        state: &State,
        pair: (TreeEvent, TreeEvent),
    ) -> Result<Option<Decided>, Stop> {
        let mut decided = Some(state.decided);
        for (id, other) in [pair, (pair.1, pair.0)] {
            let access = |id: TreeEvent| self.trees.events[id.index()].act.access().copied();
            let (Some(own), Some(other)) = (access(id), access(other)) else { return Ok(None) };
            let reads_only = other.writes.is_none();
            let (Some(condition), true) = (own.exchanges(&self.trees.terms), reads_only) else { continue };
            let mut values = state.values.clone();
            if let Some(symbol) = own.reads {
                let value = self.read(state, id).map_err(|_| Stop::Beyond)?;
                self.keep(&mut values, symbol, value)?;
            }
            let terms = &mut self.trees.terms;
            let condition = self.values.of(terms, condition, &values).ok_or(Stop::Beyond)?;
            if let Some(before) = decided {
                decided = self.inputs.with(terms, before, condition)?;
            }
        }
        Ok(decided)
    }

    /// What an access reads, or the piece of memory of which nothing is known.
    fn read(&mut self, state: &State, id: TreeEvent) -> Result<Term, CellId> {
        let mut whole: Option<Term> = None;
        for &cell in &self.outline.facts[id.index()].pieces {
            let part = match state.memory.get(cell.0) {
                Some(&value) if value != NONE => Term::from_number(value),
                _ => {
                    let place = self.outline.cell(cell);
                    let bytes = initial_bytes(self.trees, place).ok_or(cell)?;
                    self.trees.terms.constant(((place.end - place.start) * 8) as u32, bytes)
                }
            };
            whole = Some(match whole {
                None => part,
                Some(low) => self.trees.terms.concat(part, low),
            });
        }
        whole.ok_or(CellId(0))
    }

    fn keep(&self, values: &mut Vec<u32>, symbol: Term, value: Term) -> Result<(), Stop> {
        let terms = &self.trees.terms;
        let id = terms.as_symbol(symbol).filter(|_| terms.width(symbol) == terms.width(value));
        let id = id.ok_or(Stop::Beyond)?;
        if values.len() <= id.index() {
            values.resize(id.index() + 1, NONE);
        }
        values[id.index()] = value.number();
        Ok(())
    }

    /// Wakes all threads that wait, or the one that was chosen. A thread that notifies may learn how many there were.
    fn notify(
        &mut self,
        state: &mut State,
        id: TreeEvent,
        all: bool,
        woken: Option<Term>,
    ) -> Result<(), Stop> {
        let mut woke = self.waiting(state, id);
        if !all {
            // Inside of a section that is not interrupted no thread was chosen.
            let chosen = state.woke;
            if !woke.is_empty() && !chosen.is_some_and(|chosen| woke.contains(&chosen)) {
                return Err(Stop::Beyond);
            }
            woke.retain(|&thread| Some(thread) == chosen);
        }
        woke.iter().for_each(|thread| state.notified |= 1 << thread);
        let Some(woken) = woken else { return Ok(()) };
        let terms = &self.trees.terms;
        let symbols = terms.symbols_below([woken]);
        let [symbol] = symbols[..] else { return Err(Stop::Beyond) };
        let symbol = terms.symbol_term(symbol);
        let width = terms.width(symbol);
        let count = self.trees.terms.constant(width, woke.len() as u128);
        self.keep(&mut state.values, symbol, count)
    }

    fn perform(&mut self, state: &mut State, id: TreeEvent) -> Result<(), Stop> {
        let event = &self.trees.events[id.index()];
        let (thread, act) = (event.thread, event.act.clone());
        let facts = &self.outline.facts[id.index()];
        if let Some(number) = facts.lets_go {
            state.gone[number / 64] |= 1 << (number % 64);
        }
        match act {
            Act::Access(access) => {
                if let Some(symbol) = access.reads {
                    let (decided, woke) = (state.decided, state.woke);
                    let unread = |cell| Stop::Unread { thread, cell, decided, woke };
                    let value = self.read(state, id).map_err(unread)?;
                    self.keep(&mut state.values, symbol, value)?;
                }
                if let Some(value) = access.writes {
                    let terms = &mut self.trees.terms;
                    let value = self.values.of(terms, value, &state.values).ok_or(Stop::Beyond)?;
                    for &cell in &facts.pieces {
                        let place = self.outline.cell(cell);
                        let low = ((place.start - access.at.address) * 8) as u32;
                        let part = terms.extract(value, low, ((place.end - place.start) * 8) as u32);
                        state.memory[cell.0] = part.number();
                    }
                }
            }
            Act::Acquire { shared, .. } => {
                if let Some(lock) = facts.lock {
                    state.locks[lock] = if shared { state.locks[lock] + 1 } else { -1 };
                }
            }
            Act::Release { shared, .. } => {
                if let Some(lock) = facts.lock {
                    state.locks[lock] = if shared { state.locks[lock] - 1 } else { 0 };
                }
            }
            Act::Wait { .. } => {
                if let Some(lock) = facts.lock {
                    state.locks[lock] = 0;
                }
            }
            Act::Wake { .. } => {
                state.notified &= !(1 << thread);
                if let Some(lock) = facts.lock {
                    state.locks[lock] = -1;
                }
            }
            Act::Notify { all, woken, .. } => self.notify(state, id, all, woken)?,
            Act::Fork { thread } => state.started.push(thread),
            Act::Exit => state.exited = Some(thread),
            _ => {}
        }
        Ok(())
    }
}
