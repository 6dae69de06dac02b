//! What is asked of the system: something unknown, a complete path, threads that are stuck.

use super::act::{Act, Published};
use super::execution::{Move, Request};
use super::refine::Item;
use super::system::System;
use super::tree::{End, Event, Node, NodeId, TreeEvent, Trees};
use selvedge_terms::decide::{Literal, Solver};
use selvedge_trace::{MemoryOrder, Model};
use std::collections::{BTreeMap, BTreeSet};

/// Where a thread stands when nothing goes on any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Stand {
    /// At the end of a path.
    Leaf(NodeId),
    /// Before an event that cannot happen.
    Stuck(TreeEvent),
    /// It was never started.
    Absent,
}

impl<S: Solver> System<S> {
    /// A literal that implies that one of these holds.
    pub fn one_of(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        let goal = self.solver.fresh();
        let clause: Vec<Literal> = [!goal].into_iter().chain(literals).collect();
        self.solver.clause(&clause);
        goal
    }

    /// A literal that implies that every thread is at the end of a path.
    pub(super) fn all_done(&mut self, trees: &Trees) -> Literal {
        let goal = self.solver.fresh();
        for thread in 0..trees.threads.len() {
            let leaves = leaves(trees, thread, |end| matches!(end, End::Finished | End::Failed(_)));
            let reached: Vec<Literal> = leaves.iter().map(|&leaf| self.reached(trees, leaf)).collect();
            self.tell_thread(trees, goal, thread, &reached);
        }
        goal
    }

    /// A literal that implies that no thread can go on, and some have not come to their ends. A thread that has failed
    /// does not go on either, and one that waits for it is stuck for that reason: such combinations are paths, but no
    /// deadlocks.
    pub(super) fn all_stopped(&mut self, trees: &Trees) -> Literal {
        self.stopped(trees, |end| matches!(end, End::Finished | End::Failed(_)))
    }

    /// A literal that implies that threads block each other, and nothing has failed.
    pub(super) fn dead(&mut self, trees: &Trees) -> Literal {
        self.stopped(trees, |end| matches!(end, End::Finished))
    }

    fn stopped(&mut self, trees: &Trees, ends: impl Fn(&End) -> bool) -> Literal {
        let goal = self.solver.fresh();
        let mut all_stuck = vec![!goal];
        for thread in 0..trees.threads.len() {
            let leaves = leaves(trees, thread, &ends);
            let mut stands: Vec<Literal> = leaves.iter().map(|&leaf| self.reached(trees, leaf)).collect();
            let events: Vec<TreeEvent> = (0..trees.events.len() as u32).map(TreeEvent).collect();
            for event in events.into_iter().filter(|event| trees.events[event.index()].thread == thread) {
                if let Some(stuck) = self.stuck(trees, event) {
                    stands.push(stuck);
                    all_stuck.push(stuck);
                }
            }
            self.tell_thread(trees, goal, thread, &stands);
        }
        self.solver.clause(&all_stuck);
        for exit in self.sync.exits.clone() {
            self.solver.clause(&[!goal, !self.happens[exit.index()]]);
        }
        goal
    }

    /// For the goal one of these holds of a thread, or no thread has started it.
    fn tell_thread(&mut self, trees: &Trees, goal: Literal, thread: usize, stands: &[Literal]) {
        let forks = trees.events.iter().enumerate().filter(|(_, event)| event.act == Act::Fork { thread });
        let forks: Vec<Literal> = forks.map(|(index, _)| self.happens[index]).collect();
        if !trees.threads[thread].forked {
            let clause: Vec<Literal> = [!goal].into_iter().chain(stands.iter().copied()).collect();
            self.solver.clause(&clause);
        }
        for fork in forks {
            let clause: Vec<Literal> = [!goal, !fork].into_iter().chain(stands.iter().copied()).collect();
            self.solver.clause(&clause);
        }
    }

    /// A literal that implies that a thread stands before this event and cannot perform it. Nothing for events that
    /// never block.
    fn stuck(&mut self, trees: &Trees, id: TreeEvent) -> Option<Literal> {
        if let Some(&literal) = self.stuck.get(&id) {
            return Some(literal);
        }
        let event = &trees.events[id.index()];
        let node = &trees.nodes[event.node.index()];
        // One of two alternatives of a step: the other one is possible.
        let decided = node.parent.is_some() && node.condition.is_none() && node.events.first() == Some(&id);
        if decided {
            return self.stuck_in_time(trees, id);
        }
        let literal = self.solver.fresh();
        match event.act {
            Act::Acquire { lock, shared } => {
                let holders = self.holders(trees, id, lock, shared);
                self.solver.clause(&[&[!literal], &holders[..]].concat());
            }
            Act::Wake { queue, lock, .. } => {
                let holders = lock.map(|lock| self.holders(trees, id, lock, false)).unwrap_or_default();
                let wakes = self.sync.queues.get(&queue).map(|queue| queue.wakes.clone()).unwrap_or_default();
                // It was not notified, or a thread holds the lock.
                for ((wait, _), wakes) in wakes {
                    if Some(wait) == event.previous {
                        self.solver.clause(&[&[!literal, !wakes], &holders[..]].concat());
                    }
                }
            }
            Act::Join { thread } => {
                for (index, end) in trees.events.iter().enumerate() {
                    if end.thread == thread && end.act == Act::End {
                        self.solver.clause(&[!literal, !self.happens[index]]);
                    }
                }
            }
            Act::Access(access) if access.guard.is_some() => {
                if let Some(guard) = access.guard {
                    let holds = self.solver.term(&trees.terms, guard);
                    self.solver.clause(&[!literal, !holds]);
                }
                self.looks(trees, literal, id);
            }
            _ => return None,
        }
        let before = match event.previous {
            Some(previous) if trees.events[previous.index()].node == event.node => {
                self.happens[previous.index()]
            }
            _ => self.entered[event.node.index()],
        };
        self.solver.clause(&[!literal, before]);
        self.solver.clause(&[!literal, !self.happens[id.index()]]);
        self.stuck.insert(id, literal);
        Some(literal)
    }

    /// As above for a wait with a limit of time: it goes on notified or expired, but in neither case without its lock. Nothing
    /// for the second case, and for other events.
    fn stuck_in_time(&mut self, trees: &Trees, id: TreeEvent) -> Option<Literal> {
        let event = &trees.events[id.index()];
        let Act::Wake { lock: Some(lock), expired: false, .. } = event.act else { return None };
        let parent = trees.nodes[event.node.index()].parent?;
        let literal = self.solver.fresh();
        let holders = self.holders(trees, id, lock, false);
        self.solver.clause(&[&[!literal], &holders[..]].concat());
        self.solver.clause(&[!literal, self.reached(trees, parent)]);
        if let End::Decision { children, .. } = &trees.nodes[parent.index()].end {
            for first in children.iter().filter_map(|child| trees.nodes[child.index()].events.first()) {
                self.solver.clause(&[!literal, !self.happens[first.index()]]);
            }
        }
        self.stuck.insert(id, literal);
        Some(literal)
    }

    /// Where the literal holds, an event that does not happen sees what is there after everything that happens.
    fn looks(&mut self, trees: &Trees, literal: Literal, id: TreeEvent) {
        for &piece in &self.memory.pieces(id).to_vec() {
            let sources = self.memory.sights.get(&(id, piece)).map(|sight| sight.sources.clone());
            let seen = sources.unwrap_or_default().into_iter().map(|(_, seen)| seen);
            let clause: Vec<Literal> = [!literal].into_iter().chain(seen).collect();
            self.solver.clause(&clause);
            for writer in self.memory.writers(piece).to_vec() {
                if trees.events[writer.index()].thread != trees.events[id.index()].thread {
                    let (written, _) = self.seen_since(writer);
                    let before = self.written_before(trees, writer, (id, self.moments[id.index()]));
                    self.solver.clause(&[!literal, !written, before]);
                } else if let Some((commits, moment)) = self.commits.get(&writer).copied()
                    && trees.precedes(writer, id)
                {
                    // Nothing of its own is left in the buffer: it may as well leave it now.
                    let gone = self.solver.before(moment, self.moments[id.index()]);
                    self.solver.clause(&[!literal, commits]);
                    self.solver.clause(&[!literal, gone]);
                }
            }
        }
    }

    /// A literal that implies that a thread stands before a compare-exchange that will find what it expects. Nothing for
    /// other events.
    fn exchange(&mut self, trees: &Trees, id: TreeEvent) -> Option<Literal> {
        if let Some(&literal) = self.exchanges.get(&id) {
            return Some(literal);
        }
        let event = &trees.events[id.index()];
        let condition = event.act.access()?.exchanges(&trees.terms)?;
        let literal = self.next(trees, id);
        let exchange = self.solver.fresh();
        let finds = self.solver.term(&trees.terms, condition);
        self.solver.clause(&[!exchange, literal]);
        self.solver.clause(&[!exchange, finds]);
        self.looks(trees, exchange, id);
        self.exchanges.insert(id, exchange);
        Some(exchange)
    }

    /// The same meeting where the compare-exchange among the two accesses finds what it expects. Nothing if there is none,
    /// or that was asked for already.
    pub(super) fn meeting_to_exchange(&mut self, trees: &Trees, meeting: &Meeting) -> Option<Meeting> {
        if meeting.exchange {
            return None;
        }
        let both = [meeting.pair.0, meeting.pair.1];
        let exchange = both.into_iter().find_map(|event| self.exchange(trees, event))?;
        let meet = self.solver.fresh();
        self.solver.clause(&[!meet, meeting.meet]);
        self.solver.clause(&[!meet, exchange]);
        Some(Meeting { meet, exchange: true, ..*meeting })
    }

    /// Literals that imply that a thread holds a lock in the end, so that an event cannot take it.
    fn holders(&mut self, trees: &Trees, id: TreeEvent, lock: u64, shared: bool) -> Vec<Literal> {
        let taken = self.sync.locks.get(&lock).map(|lock| lock.taken.clone()).unwrap_or_default();
        let mut holders = Vec::new();
        for (other, other_shared) in taken {
            let mine = trees.events[other.index()].thread == trees.events[id.index()].thread;
            if other == id || (shared && other_shared) || (mine && !trees.precedes(other, id)) {
                continue;
            }
            let held = self.solver.fresh();
            self.solver.clause(&[!held, self.happens[other.index()]]);
            for release in self.sync.releases.get(&other).cloned().unwrap_or_default() {
                self.solver.clause(&[!held, !self.happens[release.index()]]);
            }
            holders.push(held);
        }
        holders
    }

    /// Pairs of accesses that are a data race if both can be next: the literals imply that they are.
    pub(super) fn meetings(&mut self, trees: &Trees, known: &BTreeSet<(u32, u32)>) -> Vec<Meeting> {
        let mut seen: BTreeSet<(TreeEvent, TreeEvent)> = BTreeSet::new();
        let mut meetings = Vec::new();
        let held = trees.held();
        let holds = |event: TreeEvent| &held[trees.events[event.index()].leader.index()];
        for accesses in self.memory.accesses() {
            for (place, &one) in accesses.iter().enumerate() {
                for &other in &accesses[..place] {
                    let pair = (one.min(other), one.max(other));
                    let places = positions(trees, pair);
                    // Later parts of what happens at one moment meet where it begins, if they are one operation.
                    let apart = |event: TreeEvent| {
                        let event = &trees.events[event.index()];
                        trees.events[event.leader.index()].position != event.position
                    };
                    let waits =
                        [one, other].into_iter().find(|&event| published(trees, event) == Published::Waits);
                    if waits.is_none() && (apart(one) || apart(other))
                        || !conflict(trees, pair)
                        // A thread that comes to one of them with a lock keeps others from the other one.
                        || holds(one).iter().any(|lock| holds(other).contains(lock))
                        || known.contains(&places)
                        || !seen.insert(pair)
                    {
                        continue;
                    }
                    // When it was made no other thread knew the object.
                    if waits.is_none() {
                        let meet = self.solver.fresh();
                        for event in [one, other] {
                            let next = self.next(trees, trees.events[event.index()].leader);
                            self.solver.clause(&[!meet, next]);
                        }
                        meetings.push(Meeting { meet, pair, places, exchange: false });
                    }
                    for (store, next) in [(one, other), (other, one)] {
                        if let Some(meet) = self.late(trees, store, next) {
                            meetings.push(Meeting { meet, pair: (next, store), places, exchange: false });
                        }
                    }
                }
            }
        }
        meetings
    }

    /// A literal that implies that a store can leave its buffer next, where an access of another thread is next.
    /// Nothing but under PSO: where stores leave in their order, a thread that has seen a later one sees this one, too.
    fn late(&mut self, trees: &Trees, store: TreeEvent, access: TreeEvent) -> Option<Literal> {
        if self.model != Model::Pso {
            return None;
        }
        let &(commits, _) = self.commits.get(&store)?;
        let next = self.next(trees, trees.events[access.index()].leader);
        let late = self.solver.fresh();
        self.solver.clause(&[!late, next]);
        self.solver.clause(&[!late, self.happens[store.index()]]);
        self.solver.clause(&[!late, !commits]);
        for before in self.waits_for.get(&store).cloned().unwrap_or_default() {
            self.solver.clause(&[!late, before]);
        }
        Some(late)
    }

    /// From a goal on nothing has failed: where a program fails it ends, and nothing is next any more.
    pub(super) fn nothing_failed(&mut self, trees: &Trees, goal: Literal) {
        for (index, node) in trees.nodes.iter().enumerate() {
            if !matches!(node.end, End::Failed(_)) {
                continue;
            }
            // The decisions after the last step are taken at once.
            let mut clause = vec![!goal];
            let mut at = NodeId(index as u32);
            while let Node { parent: Some(parent), condition: Some(condition), events, .. } =
                &trees.nodes[at.index()]
                && events.is_empty()
            {
                clause.push(!self.solver.term(&trees.terms, *condition));
                self.told_conditions.insert(*condition);
                at = *parent;
            }
            let Node { thread, parent, events, .. } = &trees.nodes[at.index()];
            if parent.is_some() || !events.is_empty() {
                clause.push(!self.reached(trees, at));
                self.solver.clause(&clause);
            } else if trees.threads[*thread].forked {
                // Before its first step a thread has decided as soon as it is there.
                let forks = trees.events.iter().enumerate();
                let forks = forks.filter(|(_, event)| event.act == Act::Fork { thread: *thread });
                for (fork, _) in forks {
                    self.solver.clause(&[&clause[..], &[!self.happens[fork]]].concat());
                }
            } else {
                self.solver.clause(&clause);
            }
        }
    }

    /// That a thread stands before an event.
    pub(super) fn next(&mut self, trees: &Trees, id: TreeEvent) -> Literal {
        if let Some(&next) = self.next.get(&id) {
            return next;
        }
        let event = &trees.events[id.index()];
        let before = match event.previous {
            Some(previous) if trees.events[previous.index()].node == event.node => {
                self.happens[previous.index()]
            }
            _ => self.entered[event.node.index()],
        };
        let next = self.solver.fresh();
        self.solver.clause(&[!next, before]);
        self.solver.clause(&[!next, !self.happens[id.index()]]);
        self.next.insert(id, next);
        next
    }

    /// From now on the threads do not stand like this all together.
    pub(super) fn forbid(&mut self, trees: &Trees, stands: &BTreeMap<usize, Stand>) {
        let mut clause = Vec::new();
        for (thread, stand) in stands {
            match *stand {
                Stand::Leaf(node) => clause.push(!self.reached(trees, node)),
                Stand::Absent => clause.push(self.sync.roots[*thread]),
                Stand::Stuck(event) => clause.extend(self.stuck(trees, event).map(|stuck| !stuck)),
            }
        }
        self.solver.clause(&clause);
    }

    /// The execution that the solution that was found describes.
    pub fn request(&self, trees: &Trees, then: Option<usize>) -> Request {
        let events = self.happening(trees);
        let mut request =
            Request { then: then.map(|thread| trees.threads[thread].name.clone()), ..Request::default() };
        for item in self.items(trees, &events) {
            match item {
                Item::Event(event) => {
                    let Event { thread, leader, .. } = trees.events[event.index()];
                    if leader == event {
                        request.moves.extend(self.step(trees, event));
                    }
                    if self.sync.expires.get(&event).is_some_and(|&expires| self.solver.holds(expires)) {
                        let thread = trees.threads[thread].name.clone();
                        request.moves.push(Move::Expire { thread });
                    }
                }
                Item::Commit(event) => {
                    let store = &trees.events[event.index()];
                    let address = store.act.access().map_or(0, |access| access.at.address);
                    request
                        .moves
                        .push(Move::Commit { thread: trees.threads[store.thread].name.clone(), address });
                }
            }
        }
        let mut roots = Vec::new();
        for (index, node) in trees.nodes.iter().enumerate() {
            if self.solver.holds(self.entered[index]) {
                roots.extend(node.condition);
                if let End::Decision { children, .. } = &node.end {
                    // What is not taken matters where nothing is.
                    roots.extend(children.iter().filter_map(|child| trees.nodes[child.index()].condition));
                }
            }
        }
        roots.extend(&self.told_conditions);
        // What a compare-exchange that is next would write says what it expects.
        let looks = self.exchanges.iter().filter(|(_, literal)| self.solver.holds(**literal));
        let accesses = events.iter().chain(looks.map(|(event, _)| event));
        let accesses = accesses.filter_map(|event| trees.events[event.index()].act.access());
        roots.extend(accesses.filter_map(|access| access.writes));
        for id in trees.terms.symbols_below(roots) {
            let symbol = trees.terms.symbol_of(id);
            if !matches!(symbol, selvedge_terms::Symbol::Read { .. }) {
                let value = self.solver.value(&trees.terms, trees.terms.symbol_term(id));
                request.inputs.insert(symbol.clone(), value);
            }
        }
        request
    }

    fn step(&self, trees: &Trees, id: TreeEvent) -> Option<Move> {
        let event = &trees.events[id.index()];
        let thread = trees.threads[event.thread].name.clone();
        Some(match event.act {
            Act::End => return None,
            Act::Notify { queue, all: false, .. } => {
                let wakes = self.sync.queues.get(&queue).map(|queue| &queue.wakes);
                let woken = wakes
                    .into_iter()
                    .flatten()
                    .find(|((_, notify), literal)| *notify == id && self.solver.holds(**literal));
                match woken {
                    Some(((wait, _), _)) => {
                        let woken = trees.threads[trees.events[wait.index()].thread].name.clone();
                        Move::Notify { thread, woken }
                    }
                    None => Move::Step { thread },
                }
            }
            _ => Move::Step { thread },
        })
    }
}

/// Two accesses that may be next at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// They are.
    pub(super) meet: Literal,
    pub(super) pair: (TreeEvent, TreeEvent),
    /// Where they are in the program.
    pub(super) places: (u32, u32),
    /// It is said that the compare-exchange among them finds what it expects.
    pub(super) exchange: bool,
}

pub(super) fn positions(trees: &Trees, (one, other): (TreeEvent, TreeEvent)) -> (u32, u32) {
    let (one, other) = (trees.events[one.index()].position, trees.events[other.index()].position);
    (one.min(other), one.max(other))
}

/// Whether two accesses to the same memory are a race where nothing orders them.
pub(super) fn conflict(trees: &Trees, (one, other): (TreeEvent, TreeEvent)) -> bool {
    let events = [one, other].map(|event| &trees.events[event.index()]);
    let accesses = events.map(|event| event.act.access());
    let [Some(first), Some(second)] = accesses else { return false };
    events[0].thread != events[1].thread
        && [first, second].iter().all(|access| access.published != Published::There)
        && (first.writes.is_some() || second.writes.is_some())
        && [first, second].iter().any(|access| access.order == MemoryOrder::NotAtomic)
}

/// Whether an event stands for what an object held before others knew it.
fn published(trees: &Trees, event: TreeEvent) -> Published {
    trees.events[event.index()].act.access().map_or(Published::No, |access| access.published)
}

/// The nodes of a thread with such an end.
fn leaves(trees: &Trees, thread: usize, ends: impl Fn(&End) -> bool) -> Vec<NodeId> {
    let nodes = trees.nodes.iter().enumerate();
    let leaves = nodes.filter(|(_, node)| node.thread == thread && ends(&node.end));
    leaves.map(|(index, _)| NodeId(index as u32)).collect()
}
