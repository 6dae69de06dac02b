//! Threads, locks and queues.

use super::act::Act;
use super::frees::Frees;
use super::options::OptionsId;
use super::system::System;
use super::tree::{TreeEvent, Trees};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_terms::Term;
use selvedge_terms::decide::{Literal, Solver};

/// Which events synchronise with which.
#[derive(Default)]
pub(super) struct Sync {
    /// For each thread: it starts.
    pub(super) roots: Vec<Literal>,
    /// Ends of threads, and joins that wait for them.
    ends: FxHashMap<usize, Vec<TreeEvent>>,
    joins: FxHashMap<usize, Vec<(TreeEvent, OptionsId)>>,
    pub(super) locks: FxHashMap<u64, Lock>,
    /// What gives back the lock that an event took.
    pub(super) releases: FxHashMap<TreeEvent, Vec<TreeEvent>>,
    /// That a lock was given back before something: options to be extended.
    released: FxHashMap<TreeEvent, Vec<(TreeEvent, OptionsId)>>,
    released_literal: FxHashMap<(TreeEvent, TreeEvent), Literal>,
    /// Pairs of sections that were told.
    pub(super) pairs: FxHashSet<(TreeEvent, TreeEvent)>,
    pub(super) queues: FxHashMap<u64, Queue>,
    /// For each wait with a limit of time: it is over.
    pub(super) expires: FxHashMap<TreeEvent, Literal>,
    pub(super) exits: Vec<TreeEvent>,
    pub(super) frees: Frees,
}

/// One lock.
#[derive(Default)]
pub(super) struct Lock {
    /// The events that take it, and whether they share it.
    pub(super) taken: Vec<(TreeEvent, bool)>,
    busy: Vec<(TreeEvent, bool, OptionsId)>,
    /// That a thread holds it at some moment: the holder, the literal, the moment.
    held: Vec<(TreeEvent, Literal, TreeEvent)>,
}

/// A notification: the event, whether it wakes all that wait, and that it wakes one.
type Notify = (TreeEvent, bool, (Literal, OptionsId));

/// One queue of threads that wait.
#[derive(Default)]
pub(super) struct Queue {
    pub(super) waits: Vec<TreeEvent>,
    notifies: Vec<Notify>,
    /// A notification wakes a wait.
    pub(super) wakes: FxHashMap<(TreeEvent, TreeEvent), Literal>,
    /// Wakes by notification: the wait, the wake.
    woken: Vec<(TreeEvent, TreeEvent, OptionsId)>,
    /// That a wait is over before a notification.
    over: FxHashMap<(TreeEvent, TreeEvent), OptionsId>,
}

impl<S: Solver> System<S> {
    pub(super) fn synchronise(&mut self, trees: &Trees, id: TreeEvent) {
        let act = &trees.events[id.index()].act;
        if let Some((lock, shared)) = act.releases() {
            self.release(trees, id, lock, shared);
        }
        if let Some((lock, shared)) = act.acquires() {
            self.acquire(trees, id, lock, shared);
        }
        match *act {
            Act::Busy { lock, shared } => self.busy(trees, id, lock, shared),
            Act::Wait { queue, .. } => self.wait(trees, id, queue),
            Act::Wake { queue, expired, .. } => self.wake(trees, id, queue, expired),
            Act::Notify { queue, all, woken } => self.notify(trees, id, queue, all, woken),
            Act::Fork { thread } => self.fork(id, thread),
            Act::Join { thread } => self.join(trees, id, thread),
            Act::End => self.end(trees, id),
            Act::Exit => self.sync.exits.push(id),
            Act::Access(_)
            | Act::Fence(_)
            | Act::Acquire { .. }
            | Act::Release { .. }
            | Act::Destroy { .. }
            | Act::Free { .. } => {}
        }
        self.outlives(trees, id);
    }

    /// A literal that implies that an event happens, earlier than another one if that is given.
    fn happened(&mut self, trees: &Trees, event: TreeEvent, before: Option<TreeEvent>) -> Literal {
        let literal = self.solver.fresh();
        self.solver.clause(&[!literal, self.happens[event.index()]]);
        if let Some(before) = before {
            let earlier = self.before(trees, event, before);
            self.solver.clause(&[!literal, earlier]);
        }
        literal
    }

    fn fork(&mut self, id: TreeEvent, thread: usize) {
        let happens = self.happens[id.index()];
        let (start, options) = self.starts[thread];
        let options = match options {
            Some(options) => options,
            None => {
                // It was not known when the thread was.
                let options = self.options.new_if(self.sync.roots[thread]);
                self.starts[thread].1 = Some(options);
                options
            }
        };
        self.options.add(options, happens);
        let before = self.solver.before(self.moments[id.index()], start);
        self.solver.clause(&[!happens, before]);
    }

    fn join(&mut self, trees: &Trees, id: TreeEvent, thread: usize) {
        let options = self.options.new_if(self.happens[id.index()]);
        for end in self.sync.ends.get(&thread).cloned().unwrap_or_default() {
            let ended = self.happened(trees, end, Some(id));
            self.options.add(options, ended);
        }
        self.sync.joins.entry(thread).or_default().push((id, options));
    }

    fn end(&mut self, trees: &Trees, id: TreeEvent) {
        let thread = trees.events[id.index()].thread;
        for (join, options) in self.sync.joins.get(&thread).cloned().unwrap_or_default() {
            let ended = self.happened(trees, id, Some(join));
            self.options.add(options, ended);
        }
        self.sync.ends.entry(thread).or_default().push(id);
    }

    fn acquire(&mut self, trees: &Trees, id: TreeEvent, lock: u64, shared: bool) {
        let entry = self.sync.locks.entry(lock).or_default();
        entry.taken.push((id, shared));
        for (busy, busy_shared, options) in entry.busy.clone() {
            if !(shared && busy_shared) {
                self.held(trees, id, lock, busy, options);
            }
        }
    }

    fn release(&mut self, trees: &Trees, id: TreeEvent, lock: u64, shared: bool) {
        // The last one that was taken and not given back yet.
        let mut inner = 0_usize;
        let taken = trees.back(id).find(|earlier| {
            let act = &trees.events[earlier.index()].act;
            if act.acquires() == Some((lock, shared)) {
                if inner == 0 {
                    return true;
                }
                inner -= 1;
            } else if act.releases() == Some((lock, shared)) {
                inner += 1;
            }
            false
        });
        let Some(taken) = taken else { return };
        self.sync.releases.entry(taken).or_default().push(id);
        for (before, options) in self.sync.released.get(&taken).cloned().unwrap_or_default() {
            let released = self.happened(trees, id, Some(before));
            self.options.add(options, released);
        }
        let held = self.sync.locks.get(&lock).map(|lock| lock.held.clone()).unwrap_or_default();
        for (holder, literal, moment) in held {
            if holder == taken {
                self.not_released(trees, literal, id, moment);
            }
        }
    }

    /// That what an event took was given back before another event.
    pub(super) fn released(&mut self, trees: &Trees, taken: TreeEvent, before: TreeEvent) -> Literal {
        if let Some(&literal) = self.sync.released_literal.get(&(taken, before)) {
            return literal;
        }
        let literal = self.solver.fresh();
        let options = self.options.new_if(literal);
        for release in self.sync.releases.get(&taken).cloned().unwrap_or_default() {
            let released = self.happened(trees, release, Some(before));
            self.options.add(options, released);
        }
        self.sync.released.entry(taken).or_default().push((before, options));
        self.sync.released_literal.insert((taken, before), literal);
        literal
    }

    /// Two sections of one lock do not overlap. Whether that is new.
    pub(super) fn separate(&mut self, trees: &Trees, first: TreeEvent, second: TreeEvent) -> bool {
        if !self.sync.pairs.insert((first.min(second), first.max(second))) {
            return false;
        }
        let happens = [first, second].map(|event| !self.happens[event.index()]);
        let threads = [first, second].map(|event| trees.events[event.index()].thread);
        if threads[0] == threads[1] {
            // The thread itself holds the lock: it never gets it.
            let later = if trees.precedes(first, second) { second } else { first };
            self.solver.clause(&[!self.happens[later.index()]]);
            return true;
        }
        let (one, other) = (self.released(trees, first, second), self.released(trees, second, first));
        self.solver.clause(&[happens[0], happens[1], one, other]);
        true
    }

    fn busy(&mut self, trees: &Trees, id: TreeEvent, lock: u64, shared: bool) {
        let options = self.options.new_if(self.happens[id.index()]);
        let entry = self.sync.locks.entry(lock).or_default();
        entry.busy.push((id, shared, options));
        for (taken, taken_shared) in entry.taken.clone() {
            if !(shared && taken_shared) {
                self.held(trees, taken, lock, id, options);
            }
        }
    }

    /// That a lock that an event took is still held at the moment of another event.
    fn held(&mut self, trees: &Trees, taken: TreeEvent, lock: u64, moment: TreeEvent, options: OptionsId) {
        let mine = trees.events[taken.index()].thread == trees.events[moment.index()].thread;
        if mine && !trees.precedes(taken, moment) {
            return;
        }
        let literal = self.happened(trees, taken, Some(moment));
        for release in self.sync.releases.get(&taken).cloned().unwrap_or_default() {
            self.not_released(trees, literal, release, moment);
        }
        if let Some(lock) = self.sync.locks.get_mut(&lock) {
            lock.held.push((taken, literal, moment));
        }
        self.options.add(options, literal);
    }

    fn not_released(&mut self, trees: &Trees, held: Literal, release: TreeEvent, moment: TreeEvent) {
        let (a, b) = (trees.events[release.index()].thread, trees.events[moment.index()].thread);
        if a == b && !trees.precedes(release, moment) {
            return;
        }
        let later = self.before(trees, moment, release);
        self.solver.clause(&[!held, !self.happens[release.index()], later]);
    }

    fn wait(&mut self, trees: &Trees, id: TreeEvent, queue: u64) {
        let entry = self.sync.queues.entry(queue).or_default();
        entry.waits.push(id);
        for (notify, all, someone) in entry.notifies.clone() {
            self.may_wake(trees, queue, id, notify, all, someone);
        }
    }

    fn notify(&mut self, trees: &Trees, id: TreeEvent, queue: u64, all: bool, woken: Option<Term>) {
        let literal = self.solver.fresh();
        let someone = (literal, self.options.new_if(literal));
        if let Some(woken) = woken {
            let learned = self.solver.term(&self.terms, woken);
            let happens = self.happens[id.index()];
            self.solver.clause(&[!happens, !learned, literal]);
            self.solver.clause(&[!happens, learned, !literal]);
        }
        let entry = self.sync.queues.entry(queue).or_default();
        entry.notifies.push((id, all, someone));
        let (waits, woken) = (entry.waits.clone(), entry.woken.clone());
        for &wait in &waits {
            self.may_wake(trees, queue, wait, id, all, someone);
        }
        for (wait, wake, options) in woken {
            self.woken_by(trees, queue, wait, wake, id, options);
        }
    }

    /// What a notification means for a thread that waits.
    fn may_wake(
        &mut self,
        trees: &Trees,
        queue: u64,
        wait: TreeEvent,
        notify: TreeEvent,
        all: bool,
        (someone, options_of_someone): (Literal, OptionsId),
    ) {
        if trees.events[wait.index()].thread == trees.events[notify.index()].thread {
            return;
        }
        let wakes = self.happened(trees, wait, Some(notify));
        self.solver.clause(&[!wakes, self.happens[notify.index()]]);
        let over = self.solver.fresh();
        let options = self.options.new_if(over);
        let entry = self.sync.queues.entry(queue).or_default();
        let others: Vec<_> = entry.wakes.iter().map(|(&pair, &literal)| (pair, literal)).collect();
        let overs = entry.over.clone();
        entry.wakes.insert((wait, notify), wakes);
        entry.over.insert((wait, notify), options);
        for ((other_wait, other), literal) in others {
            if other_wait == wait {
                // It is woken once; before one notification it may have been woken by the other one.
                self.solver.clause(&[!wakes, !literal]);
                if self.never_together(trees, notify, other) {
                    continue;
                }
                let earlier = self.both(trees, literal, other, notify);
                self.options.add(options, earlier);
                if let Some(&options) = overs.get(&(wait, other)) {
                    let earlier = self.both(trees, wakes, notify, other);
                    self.options.add(options, earlier);
                }
            } else if other == notify && !all {
                self.solver.clause(&[!wakes, !literal]);
            }
        }
        if let Some(&expires) = self.sync.expires.get(&wait) {
            self.ran_out(wakes, options, expires);
        }
        self.options.add(options_of_someone, wakes);
        self.solver.clause(&[!wakes, someone]);
        // A thread that waits when all are woken is woken; when one is woken, some thread is.
        let woken = if all { wakes } else { someone };
        let early = self.before(trees, notify, wait);
        let early = self.solver.choice(early);
        let happen = [notify, wait].map(|event| !self.happens[event.index()]);
        self.solver.clause(&[happen[0], happen[1], early, woken, over]);
    }

    /// Whether two events of one thread are on different paths.
    fn never_together(&self, trees: &Trees, one: TreeEvent, other: TreeEvent) -> bool {
        trees.events[one.index()].thread == trees.events[other.index()].thread
            && !trees.precedes(one, other)
            && !trees.precedes(other, one)
    }

    /// That a literal holds, and one event is earlier than another one.
    fn both(&mut self, trees: &Trees, literal: Literal, first: TreeEvent, second: TreeEvent) -> Literal {
        let both = self.solver.fresh();
        let earlier = self.before(trees, first, second);
        self.solver.clause(&[!both, literal]);
        self.solver.clause(&[!both, earlier]);
        both
    }

    /// A wait whose time is over is not woken, and does not wait any more when another thread is notified. It may have been over
    /// since it began: only a thread that notifies could tell, and to it it makes no difference.
    fn ran_out(&mut self, wakes: Literal, options: OptionsId, expires: Literal) {
        self.solver.clause(&[!wakes, !expires]);
        self.options.add(options, expires);
    }

    fn wake(&mut self, trees: &Trees, id: TreeEvent, queue: u64, expired: bool) {
        let Some(wait) = trees.events[id.index()].previous else { return };
        if expired {
            let expires = self.happened(trees, wait, None);
            self.solver.clause(&[!self.happens[id.index()], expires]);
            self.sync.expires.insert(wait, expires);
            let entry = self.sync.queues.entry(queue).or_default();
            let pairs: Vec<_> = entry.wakes.iter().filter(|((other, _), _)| *other == wait).collect();
            let pairs: Vec<_> = pairs.into_iter().map(|(&(_, notify), &literal)| (notify, literal)).collect();
            for (notify, literal) in pairs {
                let options =
                    self.sync.queues.get(&queue).and_then(|queue| queue.over.get(&(wait, notify)).copied());
                if let Some(options) = options {
                    self.ran_out(literal, options, expires);
                }
            }
            return;
        }
        let entry = self.sync.queues.entry(queue).or_default();
        let options = self.options.new_if(self.happens[id.index()]);
        let notifies = entry.notifies.clone();
        entry.woken.push((wait, id, options));
        for (notify, _, _) in notifies {
            self.woken_by(trees, queue, wait, id, notify, options);
        }
    }

    /// Where the literal holds, a thread that stands before this event does not wait: if it did, it was notified or its time
    /// is over.
    pub(super) fn no_longer_waits(&mut self, trees: &Trees, literal: Literal, id: TreeEvent) {
        let event = &trees.events[id.index()];
        let (Act::Wake { queue, expired, .. }, Some(wait)) = (&event.act, event.previous) else { return };
        let causes: Vec<Literal> = match (expired, self.sync.queues.get(queue)) {
            (true, _) => self.sync.expires.get(&wait).copied().into_iter().collect(),
            (false, Some(queue)) => {
                queue.wakes.iter().filter(|((other, _), _)| *other == wait).map(|(_, &wakes)| wakes).collect()
            }
            (false, None) => Vec::new(),
        };
        self.solver.clause(&[&[!literal], &causes[..]].concat());
    }

    fn woken_by(
        &mut self,
        trees: &Trees,
        queue: u64,
        wait: TreeEvent,
        wake: TreeEvent,
        notify: TreeEvent,
        options: OptionsId,
    ) {
        let literal =
            self.sync.queues.get(&queue).and_then(|queue| queue.wakes.get(&(wait, notify)).copied());
        if let Some(literal) = literal {
            let woken = self.both(trees, literal, notify, wake);
            self.options.add(options, woken);
        }
    }
}
