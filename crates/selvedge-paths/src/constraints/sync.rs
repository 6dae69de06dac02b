//! Threads, locks and queues.

use super::{Constraint, ConstraintSystem, When};
use crate::act::Act;
use crate::tree::TreeEvent;
use selvedge_terms::Term;
use selvedge_terms::decide::{Literal, Solver};
use std::collections::BTreeMap;

/// What a thread does while it holds a lock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub(super) taken: TreeEvent,
    pub(super) released: Option<TreeEvent>,
    pub(super) shared: bool,
}

/// A thread that waits.
#[derive(Clone, Copy)]
struct Waiting {
    thread: usize,
    wait: TreeEvent,
    /// It goes on, and whether because its time is over.
    wake: Option<(TreeEvent, bool)>,
    expires: Option<When>,
}

/// A notification.
#[derive(Clone, Copy)]
struct Notifying {
    thread: usize,
    event: TreeEvent,
    all: bool,
    woken: Option<Term>,
}

impl<S: Solver> ConstraintSystem<'_, S> {
    pub(super) fn synchronise(&mut self) {
        let mut busy = Vec::new();
        let mut waits: BTreeMap<u64, Vec<Waiting>> = BTreeMap::new();
        let mut notifies: BTreeMap<u64, Vec<Notifying>> = BTreeMap::new();
        for thread in 0..self.paths.len() {
            let events = self.paths[thread].events.clone();
            let mut open: Vec<(u64, usize)> = Vec::new();
            for (place, &(event, number)) in events.iter().enumerate() {
                let act = self.act(event).clone();
                if let Some((lock, shared)) = act.releases() {
                    self.release(&mut open, (lock, shared), event);
                }
                if let Some((lock, shared)) = act.acquires() {
                    let sections = self.sections.entry(lock).or_default();
                    open.push((lock, sections.len()));
                    sections.push(Section { taken: event, released: None, shared });
                }
                match act {
                    Act::Busy { lock, shared } => busy.push((event, lock, shared)),
                    Act::Wait { queue, .. } => {
                        let wake = events.get(place + 1).and_then(|&(next, _)| match self.act(next) {
                            Act::Wake { expired, .. } => Some((next, *expired)),
                            _ => None,
                        });
                        let expires = wake.filter(|&(_, expired)| expired).map(|_| {
                            let moment = self.solver.moment();
                            self.expiries.push((event, moment));
                            When { moment, commit: true, ..self.moments[&event] }
                        });
                        waits.entry(queue).or_default().push(Waiting { thread, wait: event, wake, expires });
                    }
                    Act::Notify { queue, all, woken } => {
                        notifies.entry(queue).or_default().push(Notifying { thread, event, all, woken });
                    }
                    Act::Fork { thread: child } => self.fork(event, child),
                    Act::Join { thread: child } => {
                        let name = Constraint::Join { join: self.step_name(thread, number) };
                        self.join(&name, event, child);
                    }
                    _ => {}
                }
            }
        }
        let locks: Vec<u64> = self.sections.keys().copied().collect();
        for lock in locks {
            self.name(&Constraint::Locks { lock });
        }
        for (event, lock, shared) in busy {
            self.busy(event, lock, shared);
        }
        for (queue, waits) in waits {
            self.wait(queue, &waits, &notifies.remove(&queue).unwrap_or_default());
        }
        for (queue, notifies) in notifies {
            self.wait(queue, &[], &notifies);
        }
    }

    /// The last section of this kind that is open ends.
    fn release(&mut self, open: &mut Vec<(u64, usize)>, (lock, shared): (u64, bool), event: TreeEvent) {
        let Some(sections) = self.sections.get_mut(&lock) else { return };
        let last =
            open.iter().rposition(|&(other, section)| other == lock && sections[section].shared == shared);
        if let Some(last) = last {
            let (_, section) = open.remove(last);
            sections[section].released = Some(event);
        }
    }

    fn path_of(&self, thread: usize) -> Option<usize> {
        let name = &self.trees.threads[thread].name;
        self.paths.iter().position(|path| path.name == *name)
    }

    fn fork(&mut self, event: TreeEvent, child: usize) {
        let Some(child) = self.path_of(child) else { return };
        let name = Constraint::Fork { thread: self.paths[child].name.clone() };
        let at = self.moments[&event];
        let groups = self.groups(child);
        let count = if self.keeps_order(child) { groups.len().min(1) } else { groups.len() };
        for &group in &groups[..count] {
            self.tell_order(&name, at, group);
        }
    }

    fn join(&mut self, name: &Constraint, event: TreeEvent, child: usize) {
        let at = self.moments[&event];
        let child = self.path_of(child).filter(|&child| self.paths[child].finished);
        let Some(child) = child else { return self.tell(name, &[]) };
        let groups = self.groups(child);
        let from = if self.keeps_order(child) { groups.len().saturating_sub(1) } else { 0 };
        for &group in &groups[from..] {
            self.tell_order(name, group, at);
        }
    }

    /// Two sections of one lock do not overlap. Whether that is new.
    pub(super) fn separate(&mut self, lock: u64, one: Section, other: Section) -> bool {
        let pair = (one.taken.min(other.taken), one.taken.max(other.taken));
        if !self.separated.insert(pair) {
            return false;
        }
        let mut orders = Vec::new();
        for (first, second) in [(one, other), (other, one)] {
            if let Some(released) = first.released {
                orders.push(self.earlier(self.moments[&released], self.moments[&second.taken]));
            }
        }
        self.tell(&Constraint::Locks { lock }, &orders);
        true
    }

    /// A thread finds a lock taken.
    fn busy(&mut self, event: TreeEvent, lock: u64, shared: bool) {
        let at = self.moments[&event];
        let mut holders = Vec::new();
        for section in self.sections.get(&lock).cloned().unwrap_or_default() {
            if shared && section.shared {
                continue;
            }
            let held = self.solver.fresh();
            let taken = self.earlier(self.moments[&section.taken], at);
            self.always(&[!held, taken]);
            if let Some(released) = section.released {
                let later = self.earlier(at, self.moments[&released]);
                self.always(&[!held, later]);
            }
            holders.push(held);
        }
        self.tell(&Constraint::Locks { lock }, &holders);
    }

    /// A literal that implies another one and an order.
    fn both(&mut self, literal: Literal, one: When, other: When) -> Literal {
        let both = self.solver.fresh();
        let earlier = self.earlier(one, other);
        self.always(&[!both, literal]);
        self.always(&[!both, earlier]);
        both
    }

    /// Who waits at a queue is woken by who notifies there.
    fn wait(&mut self, queue: u64, waits: &[Waiting], notifies: &[Notifying]) {
        let name = Constraint::Waits { queue };
        self.name(&name);
        let others = |waiting: &Waiting, notifying: &Notifying| waiting.thread != notifying.thread;
        for waiting in waits {
            let at = self.moments[&waiting.wait];
            for notifying in notifies.iter().filter(|notifying| others(waiting, notifying)) {
                let wakes = self.solver.fresh();
                let when = self.moments[&notifying.event];
                let before = self.earlier(at, when);
                self.always(&[!wakes, before]);
                if let Some((wake, expired)) = waiting.wake {
                    let goes_on = self.earlier(when, self.moments[&wake]);
                    self.always(&[!wakes, goes_on]);
                    if expired {
                        self.always(&[!wakes]);
                    }
                }
                self.wakes.insert((waiting.wait, notifying.event), wakes);
            }
            if let (Some(expires), Some((wake, _))) = (waiting.expires, waiting.wake) {
                self.tell_order(&name, at, expires);
                self.tell_order(&name, expires, self.moments[&wake]);
            }
        }
        let wakes = |wait: TreeEvent, notify: TreeEvent, all: &rustc_hash::FxHashMap<_, Literal>| {
            all.get(&(wait, notify)).copied()
        };
        for waiting in waits {
            let all: Vec<Literal> =
                notifies.iter().filter_map(|notify| wakes(waiting.wait, notify.event, &self.wakes)).collect();
            self.at_most_one(&all);
            if matches!(waiting.wake, Some((_, false))) {
                self.tell(&name, &all);
            }
        }
        for notifying in notifies {
            let all: Vec<Literal> = waits
                .iter()
                .filter_map(|waiting| wakes(waiting.wait, notifying.event, &self.wakes))
                .collect();
            if !notifying.all {
                self.at_most_one(&all);
            }
            if let Some(woken) = notifying.woken {
                let learned = self.solver.term(&self.trees.terms, woken);
                let none: Vec<Literal> = all.iter().copied().chain([!learned]).collect();
                self.tell(&name, &none);
                for &wakes in &all {
                    self.tell(&name, &[!wakes, learned]);
                }
            }
            // A thread that waits when all are woken is woken; when one is woken, some thread is.
            for waiting in waits.iter().filter(|waiting| others(waiting, notifying)) {
                self.must_wake(&name, *waiting, *notifying, &all, notifies);
            }
        }
    }

    fn must_wake(
        &mut self,
        name: &Constraint,
        waiting: Waiting,
        notifying: Notifying,
        someone: &[Literal],
        notifies: &[Notifying],
    ) {
        let (at, when) = (self.moments[&waiting.wait], self.moments[&notifying.event]);
        let mut clause = vec![self.earlier(when, at)];
        match notifying.all {
            true => clause.extend(self.wakes.get(&(waiting.wait, notifying.event)).copied()),
            false => clause.extend(someone),
        }
        for other in notifies.iter().filter(|other| other.event != notifying.event) {
            if let Some(&wakes) = self.wakes.get(&(waiting.wait, other.event)) {
                clause.push(self.both(wakes, self.moments[&other.event], when));
            }
        }
        if let Some(expires) = waiting.expires {
            clause.push(self.earlier(expires, when));
        }
        self.tell(name, &clause);
    }

    fn at_most_one(&mut self, literals: &[Literal]) {
        for (place, &one) in literals.iter().enumerate() {
            for &other in &literals[place + 1..] {
                self.always(&[!one, !other]);
            }
        }
    }

    /// A thread cannot go on at the end of its path.
    pub(super) fn blocked(&mut self, thread: usize) {
        let Some(event) = self.paths[thread].blocked else { return };
        let name = Constraint::Blocked { thread: self.paths[thread].name.clone() };
        self.name(&name);
        let act = self.act(event).clone();
        if let Some(guard) = act.access().and_then(|access| access.guard) {
            let opposite = self.trees.terms.not(guard);
            return self.tell_condition(&name, opposite);
        }
        let taken = act.acquires().is_some_and(|(lock, shared)| {
            let sections = self.sections.get(&lock).into_iter().flatten();
            sections.clone().any(|section| section.released.is_none() && !(shared && section.shared))
        });
        match act {
            Act::Wake { .. } if !taken => {
                let wait = self.paths[thread].events.last().map(|&(event, _)| event);
                let woken: Vec<Literal> = self
                    .wakes
                    .iter()
                    .filter(|((other, _), _)| Some(*other) == wait)
                    .map(|(_, &wakes)| wakes)
                    .collect();
                woken.into_iter().for_each(|wakes| self.tell(&name, &[!wakes]));
            }
            Act::Join { thread: child }
                if self.path_of(child).is_none_or(|child| !self.paths[child].finished) => {}
            _ if taken => {}
            _ => self.tell(&name, &[]),
        }
    }
}
