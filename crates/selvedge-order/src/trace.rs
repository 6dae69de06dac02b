//! A recorded execution: the events of every thread, what was there before them, and in which order they happened.

use crate::event::{Action, Cause, EventId, Place};
use crate::query::Step;
use selvedge_trace::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The events of an execution. Threads that no event starts are there from the beginning.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub(crate) threads: Vec<Vec<Action>>,
    /// Where in the program events are, as far as that was told.
    positions: BTreeMap<EventId, u32>,
    /// In which order things happened: a hint for the search.
    pub(crate) order: Vec<Step>,
    pub(crate) initial: BTreeMap<u64, u8>,
    pub(crate) semaphores: BTreeMap<u64, u32>,
    pub(crate) barriers: BTreeMap<u64, u32>,
}

/// What is wrong with a trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {} of thread {}: {problem}; record the trace again", event.index, event.thread)]
pub struct TraceError {
    pub event: EventId,
    pub problem: &'static str,
}

impl Trace {
    /// A trace without events.
    pub fn new() -> Self {
        Trace::default()
    }

    /// A trace of this many threads, without events.
    pub fn of_threads(threads: usize) -> Self {
        Trace { threads: vec![Vec::new(); threads], ..Trace::default() }
    }

    /// What memory held before the first event. Bytes that are never mentioned hold 0.
    pub fn initial(&mut self, address: u64, bytes: &[u8]) {
        self.initial.extend((address..).zip(bytes.iter().copied()));
    }

    /// What a semaphore held before the first event. Semaphores that are never mentioned hold 0.
    pub fn semaphore(&mut self, semaphore: u64, value: u32) {
        self.semaphores.insert(semaphore, value);
    }

    /// How many threads a barrier waits for.
    pub fn barrier(&mut self, barrier: u64, needed: u32) {
        self.barriers.insert(barrier, needed);
    }

    /// Appends an event to a thread. Events are best pushed in the order in which they happened.
    pub fn push(&mut self, thread: u32, action: Action) -> EventId {
        let needed = thread as usize + 1;
        if self.threads.len() < needed {
            self.threads.resize_with(needed, Vec::new);
        }
        let events = &mut self.threads[thread as usize];
        let event = EventId { thread, index: events.len() as u32 };
        events.push(action);
        self.order.push(Step::Event(event));
        event
    }

    /// Says where in the program an event is, for reports: nothing is concluded from it.
    pub fn locate(&mut self, event: EventId, position: u32) {
        self.positions.insert(event, position);
    }

    /// Where in the program an event is, 0 if that is not known.
    pub fn position(&self, event: EventId) -> u32 {
        self.positions.get(&event).copied().unwrap_or(0)
    }

    /// Notes that a buffered store became visible at this point.
    pub fn commit(&mut self, event: EventId) {
        self.order.push(Step::Commit(event));
    }

    /// Cuts what calls read where any access begins or ends. Then a query can change a part of what a call read, with
    /// all that it read before.
    pub fn cut_calls(&mut self) {
        let places = self.threads.iter().flatten().flat_map(|action| action.sees().chain(action.writes()));
        let mut cuts: Vec<u64> = places.flat_map(|(at, _)| [at.address, at.end()]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        for action in self.threads.iter_mut().flatten() {
            let Action::Call { reads, .. } = action else { continue };
            let whole = std::mem::take(reads);
            for (at, value) in whole {
                let first = cuts.partition_point(|&cut| cut <= at.address);
                let inside = cuts[first..].iter().copied().take_while(|&cut| cut < at.end());
                let mut start = at.address;
                for end in inside.chain([at.end()]) {
                    let bytes = (start - at.address) as usize..(end - at.address) as usize;
                    let part = Place::new(start, (end - start) as u32);
                    reads.push((part, Value::from_slice(&value[bytes])));
                    start = end;
                }
            }
        }
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The events of a thread.
    pub fn events(&self, thread: u32) -> &[Action] {
        self.threads.get(thread as usize).map_or(&[], Vec::as_slice)
    }

    /// What an event did.
    pub fn action(&self, event: EventId) -> Option<&Action> {
        self.events(event.thread).get(event.index as usize)
    }

    /// The recorded order, as far as it was told.
    pub fn order(&self) -> &[Step] {
        &self.order
    }

    /// What a semaphore held before the first event.
    pub fn semaphore_at_start(&self, semaphore: u64) -> u32 {
        self.semaphores.get(&semaphore).copied().unwrap_or(0)
    }

    /// How many threads a barrier waits for, if it was told.
    pub fn barrier_size(&self, barrier: u64) -> Option<u32> {
        self.barriers.get(&barrier).copied()
    }

    /// The bytes that a place held before the first event.
    pub fn initial_bytes(&self, at: Place) -> impl Iterator<Item = u8> + '_ {
        (at.address..at.end()).map(|address| self.initial.get(&address).copied().unwrap_or(0))
    }

    /// Looks whether every thread's events fit together.
    pub(crate) fn check(&self) -> Result<(), TraceError> {
        let mut forked = BTreeSet::new();
        for (thread, events) in (0_u32..).zip(&self.threads) {
            let mut held = BTreeSet::new();
            let mut shared: Vec<u64> = Vec::new();
            for (index, action) in (0_u32..).zip(events) {
                let event = EventId { thread, index };
                let before = index.checked_sub(1).map(|before| &events[before as usize]);
                let problem = self
                    .sizes(action)
                    .or_else(|| pairing(before, action))
                    .or_else(|| self.others(thread, action, &mut forked))
                    .or_else(|| holding(action, &mut held, &mut shared));
                if let Some(problem) = problem {
                    return Err(TraceError { event, problem });
                }
            }
        }
        Ok(())
    }

    fn sizes(&self, action: &Action) -> Option<&'static str> {
        let wrong = action.sees().chain(action.writes()).any(|(at, value)| {
            at.size == 0
                || at.size as usize != value.len()
                || at.address.checked_add(at.size.into()).is_none()
        });
        if wrong {
            return Some("the value does not have the size of the access");
        }
        let mut written: Vec<Place> = action.writes().map(|(at, _)| at).collect();
        written.sort_unstable();
        let twice = written.windows(2).any(|pair| pair[0].overlaps(pair[1]));
        twice.then_some("it writes the same byte twice")
    }

    fn others(&self, thread: u32, action: &Action, forked: &mut BTreeSet<u32>) -> Option<&'static str> {
        match action {
            Action::Fork { thread: child } if *child == thread || *child as usize >= self.threads.len() => {
                Some("it starts a thread that is not in the trace")
            }
            Action::Fork { thread: child } if !forked.insert(*child) => {
                Some("it starts a thread that was started before")
            }
            Action::Join { thread: child } if *child as usize >= self.threads.len() => {
                Some("it joins a thread that is not in the trace")
            }
            Action::Arrive { barrier, .. }
                if self.barriers.get(barrier).is_none_or(|&needed| needed == 0) =>
            {
                Some("it is not known how many threads the barrier waits for")
            }
            _ => None,
        }
    }
}

/// Whether an event may come after the one before it.
fn pairing(before: Option<&Action>, action: &Action) -> Option<&'static str> {
    let problem = "a wait and what follows it do not belong together";
    match (before, action) {
        (Some(Action::End), _) => Some("it comes after the thread's end"),
        (Some(Action::Wait { queue, lock, .. }), Action::Wake { queue: other, lock: again, .. }) => {
            (queue != other || lock != again).then_some(problem)
        }
        (Some(Action::Arrive { barrier, last: false }), Action::Leave { barrier: other }) => {
            (barrier != other).then_some(problem)
        }
        (Some(Action::Wait { .. } | Action::Arrive { last: false, .. }), _) => Some(problem),
        (_, Action::Wake { .. } | Action::Leave { .. }) => Some(problem),
        _ => None,
    }
}

/// Follows which locks a thread holds.
fn holding(action: &Action, held: &mut BTreeSet<u64>, shared: &mut Vec<u64>) -> Option<&'static str> {
    if let Some(lock) = action.releases()
        && !held.remove(&lock)
    {
        return Some("it gives back a lock that it does not hold");
    }
    // A thread that wants what it has never goes on: such an event can be the last one.
    held.extend(action.acquires());
    match action {
        Action::LockShared { lock } | Action::TryLockShared { lock, taken: true } => shared.push(*lock),
        Action::UnlockShared { lock } => match shared.iter().position(|other| other == lock) {
            Some(position) => drop(shared.remove(position)),
            None => return Some("it gives back a lock that it does not hold"),
        },
        _ => {}
    }
    None
}

/// Whether a thread that waits and whose next event is this one may still be notified.
pub(crate) fn expires(next: Option<&Action>) -> bool {
    matches!(next, Some(Action::Wake { cause: Cause::Expired, .. }))
}
