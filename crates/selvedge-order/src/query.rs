//! Questions about a trace, and their answers.

use crate::event::{Action, EventId};
use crate::trace::Trace;
use selvedge_trace::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What an order must show. Without anything it is shown by the empty order.
///
/// Every event that an order contains does what it did in the trace: reads see the values that they saw, calls have
/// the results that they had. Exceptions are events that were [changed](Query::change) or [freed](Query::free).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    include: Vec<EventId>,
    stop: Vec<EventId>,
    changed: Vec<(EventId, Action)>,
    free: Vec<EventId>,
    lean: bool,
    before: Vec<(EventId, EventId)>,
    first: Option<EventId>,
    last: Option<EventId>,
    stuck: Vec<EventId>,
    any: bool,
}

/// What is wrong with a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// There is no such event.
    #[error("the trace has no event {} of thread {}; ask for events of this trace", .0.index, .0.thread)]
    NoEvent(EventId),
    /// The event cannot turn out like that.
    #[error(
        "event {} of thread {} cannot become that; change the value of a read or the result of a call",
        .0.index, .0.thread
    )]
    BadChange(EventId),
}

impl Query {
    /// A query that requires nothing yet.
    pub fn new() -> Self {
        Query::default()
    }

    /// The order contains the event, and so everything before it in its thread.
    pub fn include(mut self, event: EventId) -> Self {
        self.include.push(event);
        self
    }

    /// The order contains everything before the event in its thread.
    pub fn include_before(mut self, event: EventId) -> Self {
        if let Some(index) = event.index.checked_sub(1) {
            self.include.push(EventId { index, ..event });
        }
        self
    }

    /// The order contains neither the event nor anything after it in its thread.
    pub fn stop_before(mut self, event: EventId) -> Self {
        self.stop.push(event);
        self
    }

    /// The order contains the event, but with another outcome: a read with another value, an update with other
    /// values, a try with another result. What comes after it in its thread was recorded under the old outcome and
    /// is not available. Of a call's reads the last ones can be left out, and so can writes, if nothing is known of them.
    pub fn change(mut self, event: EventId, action: Action) -> Self {
        self.include.push(event);
        self.changed.push((event, action));
        self
    }

    /// [Changes](Query::change) a read so that it sees this value.
    pub fn see(self, trace: &Trace, event: EventId, value: Value) -> Self {
        match trace.action(event) {
            Some(&Action::Read { at, .. }) => self.change(event, Action::Read { at, value }),
            // Answering it reports what is wrong.
            _ => self.change(event, Action::Nothing),
        }
    }

    /// Whatever the read (or the update) sees, it does not matter to what follows it.
    pub fn free(mut self, event: EventId) -> Self {
        self.free.push(event);
        self
    }

    /// Freed reads are not looked at, but what follows from what they saw in the trace is kept. There may be orders that
    /// are not found, but none of those in which these reads see what they saw. So `None` is the answer for the query
    /// without freed reads as well, for less work; an order has to be looked at again.
    pub fn lean(mut self) -> Self {
        self.lean = true;
        self
    }

    /// The same query without freed reads.
    pub fn whole(&self) -> Self {
        Query { free: Vec::new(), lean: false, ..self.clone() }
    }

    /// The order contains both events, the first one before the second one.
    pub fn before(mut self, first: EventId, second: EventId) -> Self {
        self.before.push((first, second));
        self
    }

    /// The order begins with this event.
    pub fn first(mut self, event: EventId) -> Self {
        self.first = Some(event);
        self
    }

    /// The order ends with this event.
    pub fn last(mut self, event: EventId) -> Self {
        self.last = Some(event);
        self
    }

    /// Any order will do: it is freed of what nothing in it depends on, but it need not be the smallest one. Spares
    /// the proof that there is no smaller one.
    pub fn any(mut self) -> Self {
        self.any = true;
        self
    }

    /// The order ends where both events could be next, whatever they would see: a race, if they conflict.
    pub fn meet(self, one: EventId, other: EventId) -> Self {
        self.include_before(one).stop_before(one).include_before(other).stop_before(other)
    }

    /// The order ends where these events are next and none of them will ever happen: each wants a lock that the
    /// thread of one of them holds, or joins the thread of one of them.
    pub fn deadlock(mut self, events: &[EventId]) -> Self {
        for &event in events {
            self = self.include_before(event).stop_before(event);
        }
        self.stuck.extend_from_slice(events);
        self
    }
}

/// A step of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The event happens. A store enters the store buffer, if there is one.
    Event(EventId),
    /// A buffered store becomes visible.
    Commit(EventId),
    /// The event before this step, a notification, wakes this thread.
    Notified {
        /// The thread that waits.
        thread: u32,
    },
    /// The time of the wait before this step is over. That is always told right after the wait; no step in between
    /// depends on it.
    Expired(EventId),
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is such an order.
    Order {
        /// The steps from the start.
        steps: Vec<Step>,
        /// No order with fewer events and commits shows what was asked for.
        least: bool,
    },
    /// There is no such order.
    None,
    /// The limit was reached before the answer was known.
    Unknown,
}

impl Answer {
    /// The steps, if there is an order.
    pub fn steps(&self) -> Option<&[Step]> {
        match self {
            Answer::Order { steps, .. } => Some(steps),
            Answer::None | Answer::Unknown => None,
        }
    }

    /// How many events and commits the order has.
    pub fn size(&self) -> Option<usize> {
        self.steps().map(size)
    }
}

/// How many events and commits an order has.
pub(crate) fn size(steps: &[Step]) -> usize {
    steps.iter().filter(|step| matches!(step, Step::Event(_) | Step::Commit(_))).count()
}

/// A query in the one form from which every solver answers it.
#[derive(Clone, Debug, Default)]
pub struct Requirement {
    /// How many events of each thread are needed.
    pub least: Vec<u32>,
    /// How many events of each thread are available.
    pub limit: Vec<u32>,
    /// Events with another outcome than the recorded one.
    pub changed: BTreeMap<EventId, Action>,
    /// Events that may see anything.
    pub free: BTreeSet<EventId>,
    /// What follows from the recorded values of freed reads is kept.
    pub lean: bool,
    /// Pairs of events of which the first comes before the second.
    pub before: Vec<(EventId, EventId)>,
    /// The event with which the order begins.
    pub first: Option<EventId>,
    /// The event with which the order ends.
    pub last: Option<EventId>,
    /// The first order that is found will do.
    pub any: bool,
    /// No order can show it.
    pub impossible: bool,
}

impl Requirement {
    /// What a query requires of the events of a trace.
    pub fn new(trace: &Trace, query: &Query) -> Result<Self, QueryError> {
        let mut this = Requirement {
            least: vec![0; trace.threads()],
            limit: trace.threads.iter().map(|events| events.len() as u32).collect(),
            before: query.before.clone(),
            first: query.first,
            last: query.last,
            any: query.any,
            lean: query.lean,
            ..Requirement::default()
        };
        let ordered = query.before.iter().flat_map(|&(first, second)| [first, second]);
        for event in query.include.iter().copied().chain(ordered).chain(query.first).chain(query.last) {
            trace.action(event).ok_or(QueryError::NoEvent(event))?;
            let least = &mut this.least[event.thread as usize];
            *least = (*least).max(event.index + 1);
        }
        for &event in query.stop.iter().chain(&query.free) {
            trace.action(event).ok_or(QueryError::NoEvent(event))?;
        }
        let ends = query.changed.iter().map(|(event, _)| *event).chain(query.last);
        let ends = ends.map(|event| EventId { index: event.index + 1, ..event });
        for event in query.stop.iter().copied().chain(ends) {
            let limit = &mut this.limit[event.thread as usize];
            *limit = (*limit).min(event.index);
        }
        for (event, action) in &query.changed {
            let recorded = trace.action(*event).ok_or(QueryError::NoEvent(*event))?;
            if !changes(recorded, action) {
                return Err(QueryError::BadChange(*event));
            }
            this.changed.insert(*event, action.clone());
        }
        for &event in &query.free {
            match trace.action(event) {
                Some(Action::Read { .. } | Action::Update { .. } | Action::Call { .. }) => {
                    this.free.insert(event);
                }
                _ => return Err(QueryError::BadChange(event)),
            }
        }
        let short = this.least.iter().zip(&this.limit).any(|(least, limit)| least > limit);
        let late = query.first.is_some_and(|first| first.index > 0);
        this.impossible = short || late || !this.stuck(trace, &query.stuck)?;
        Ok(this)
    }

    /// What an event does in the orders that are asked for.
    pub fn action<'a>(&'a self, trace: &'a Trace, event: EventId) -> &'a Action {
        match self.changed.get(&event) {
            Some(action) => action,
            None => &trace.threads[event.thread as usize][event.index as usize],
        }
    }

    /// Whether the threads of these events, all of which are next, can do nothing for each other.
    fn stuck(&self, trace: &Trace, events: &[EventId]) -> Result<bool, QueryError> {
        let holds = |event: &EventId, lock: u64, to_read: bool| {
            let (mut held, mut readers) = (false, 0);
            for action in &trace.events(event.thread)[..event.index as usize] {
                held |= action.acquires() == Some(lock);
                held &= action.releases() != Some(lock);
                match action {
                    Action::LockShared { lock: other }
                    | Action::TryLockShared { lock: other, taken: true } => {
                        readers += u32::from(*other == lock);
                    }
                    Action::UnlockShared { lock: other } => readers -= u32::from(*other == lock),
                    _ => {}
                }
            }
            held || readers > 0 && !to_read
        };
        for event in events {
            let stuck = match trace.action(*event).ok_or(QueryError::NoEvent(*event))? {
                Action::Lock { lock } => events.iter().any(|other| holds(other, *lock, false)),
                Action::LockShared { lock } => events.iter().any(|other| holds(other, *lock, true)),
                Action::Join { thread } => events.iter().any(|other| other.thread == *thread),
                _ => return Err(QueryError::BadChange(*event)),
            };
            if !stuck {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether an event can have another outcome.
fn changes(recorded: &Action, action: &Action) -> bool {
    let sized = |at: &crate::Place, value: &Value| at.size as usize == value.len();
    match (recorded, action) {
        (Action::Read { at, .. }, Action::Read { at: same, value }) => at == same && sized(at, value),
        (Action::Update { at, .. }, Action::Update { at: same, read, written }) => {
            at == same && sized(at, read) && written.as_ref().is_none_or(|value| sized(at, value))
        }
        (
            recorded @ Action::Call { reads, writes, .. },
            changed @ Action::Call { reads: other_reads, writes: other_writes, .. },
        ) => {
            let same = other_reads.len() <= reads.len()
                && reads
                    .iter()
                    .zip(other_reads)
                    .all(|((at, _), (same, value))| at == same && sized(at, value));
            let writes = |at: &crate::Place| writes.iter().any(|(place, _)| place == at);
            let written = other_writes.iter().all(|(at, value)| writes(at) && sized(at, value));
            same && written && recorded.drains() == changed.drains()
        }
        (Action::TryLock { lock, .. }, Action::TryLock { lock: same, .. })
        | (Action::TryLockShared { lock, .. }, Action::TryLockShared { lock: same, .. }) => lock == same,
        (Action::TryTake { semaphore, .. }, Action::TryTake { semaphore: same, .. }) => semaphore == same,
        (
            Action::Notify { queue, most, .. },
            Action::Notify { queue: same, most: same_most, woken: Some(_) },
        ) => queue == same && most == same_most,
        (Action::Arrive { barrier, .. }, Action::Arrive { barrier: same, .. }) => barrier == same,
        (Action::Wake { queue, lock, .. }, Action::Wake { queue: same, lock: same_lock, .. }) => {
            queue == same && lock == same_lock
        }
        // A wait on a futex that finds another value comes back at once.
        (
            Action::Wait { lock: None, sees: Some((at, _)), .. },
            Action::Update { at: same, read, written: None },
        ) => at == same && sized(at, read),
        _ => false,
    }
}
