//! What the events of a trace do, step by step, as plainly as possible: store buffers are lists, memory is a map of
//! bytes.
//!
//! Shares nothing with the search. Answers are checked with it; `selvedge-oracle` enumerates orders and makes random
//! traces with it.

use crate::event::{Action, Cause, EventId, Place};
use crate::query::{Query, QueryError, Requirement, Step};
use crate::trace::{Trace, expires};
use selvedge_trace::{CommitOrder, Model, Value};
use std::collections::BTreeMap;

/// A store that waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Store {
    event: EventId,
    at: Place,
    value: Value,
    /// Stores of a smaller number become visible first.
    segment: u32,
}

/// Whether a thread waits for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Status {
    Running,
    Waiting { queue: u64, barrier: bool },
    Notified,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    position: u32,
    started: bool,
    ended: bool,
    status: Status,
    buffer: Vec<Store>,
    segment: u32,
}

/// How far the events of a trace have happened, and what memory, locks and buffers hold then.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Simulation {
    threads: Vec<Thread>,
    memory: BTreeMap<u64, u8>,
    /// Whether it is held, and by how many for reading.
    locks: BTreeMap<u64, (bool, u32)>,
    semaphores: BTreeMap<u64, u32>,
    arrived: BTreeMap<u64, u32>,
}

impl Simulation {
    /// The state before the first event of a trace.
    pub fn new(trace: &Trace) -> Self {
        let mut forked = vec![false; trace.threads()];
        for action in trace.threads.iter().flatten() {
            if let Action::Fork { thread } = action {
                forked[*thread as usize] = true;
            }
        }
        Simulation::with_forked(trace, &forked)
    }

    /// The start, where these threads are started later.
    pub fn with_forked(trace: &Trace, forked: &[bool]) -> Self {
        let thread = |&forked: &bool| Thread {
            position: 0,
            started: !forked,
            ended: false,
            status: Status::Running,
            buffer: Vec::new(),
            segment: 0,
        };
        Simulation {
            threads: forked.iter().map(thread).collect(),
            memory: trace.initial.clone(),
            locks: BTreeMap::new(),
            semaphores: trace.semaphores.clone(),
            arrived: BTreeMap::new(),
        }
    }

    /// How many events of a thread have happened.
    pub fn position(&self, thread: u32) -> u32 {
        self.threads[thread as usize].position
    }

    /// The bytes that a thread sees.
    pub fn visible(&self, thread: u32, at: Place) -> Value {
        let byte = |address: u64| {
            let holds = |store: &&Store| store.at.overlaps(Place::new(address, 1));
            match self.threads[thread as usize].buffer.iter().rev().find(holds) {
                Some(store) => store.value[(address - store.at.address) as usize],
                None => self.memory.get(&address).copied().unwrap_or(0),
            }
        };
        (at.address..at.end()).map(byte).collect()
    }

    fn write(&mut self, at: Place, value: &Value) {
        self.memory.extend((at.address..).zip(value.iter().copied()));
    }

    /// The buffered stores that can become visible next.
    pub fn commits(&self, model: Model) -> Vec<EventId> {
        let order = model.commit_order();
        let ready = |buffer: &Vec<Store>, index: usize| match order {
            None | Some(CommitOrder::Program) => index == 0,
            Some(CommitOrder::Location) => !buffer[..index].iter().any(|earlier| {
                earlier.segment < buffer[index].segment || earlier.at.overlaps(buffer[index].at)
            }),
        };
        let buffers = self.threads.iter().map(|thread| &thread.buffer);
        let stores = buffers
            .flat_map(|buffer| (0..buffer.len()).filter(move |&i| ready(buffer, i)).map(|i| buffer[i].event));
        stores.collect()
    }

    /// A buffered store becomes visible.
    pub fn commit(&mut self, event: EventId) {
        let buffer = &mut self.threads[event.thread as usize].buffer;
        if let Some(index) = buffer.iter().position(|store| store.event == event) {
            let store = buffer.remove(index);
            self.write(store.at, &store.value);
        }
    }

    /// Threads that wait on a queue; with each whether it will go on because its time is over.
    fn waiting(&self, at: u64, expired: impl Fn(u32) -> bool) -> Vec<(u32, bool)> {
        let waits = |thread: &Thread| thread.status == Status::Waiting { queue: at, barrier: false };
        let threads = (0_u32..).zip(&self.threads).filter(|(_, thread)| waits(thread));
        threads.map(|(index, _)| (index, expired(index))).collect()
    }

    /// The sets of threads that a notification can wake.
    pub fn wakes(&self, action: &Action, expired: impl Fn(u32) -> bool) -> Vec<Vec<u32>> {
        let Action::Notify { queue, most, woken } = *action else { return vec![Vec::new()] };
        let waiting = self.waiting(queue, expired);
        let mut sets = Vec::new();
        for bits in 0_u32..1 << waiting.len() {
            let chosen: Vec<u32> =
                (0..waiting.len()).filter(|i| bits >> i & 1 == 1).map(|i| waiting[i].0).collect();
            let left_out = (0..waiting.len()).any(|i| bits >> i & 1 == 0 && !waiting[i].1);
            let count = chosen.len() as u32;
            if count <= most && (count == most || !left_out) && woken.is_none_or(|woken| woken == count) {
                sets.push(chosen);
            }
        }
        sets
    }

    /// Whether a thread's next event can happen; `free` if it does not matter what it sees.
    pub fn possible(&self, trace: &Trace, thread: u32, action: &Action, free: bool) -> bool {
        let this = &self.threads[thread as usize];
        if !this.started || this.ended || action.drains() && !this.buffer.is_empty() {
            return false;
        }
        let lock = |lock: &u64| self.locks.get(lock).copied().unwrap_or_default();
        let semaphore = |at: &u64| self.semaphores.get(at).copied().unwrap_or(0);
        let seen = free || action.sees().all(|(at, value)| self.visible(thread, at) == *value);
        let taken = action.acquires().is_none_or(|at| lock(&at) == (false, 0));
        seen && taken
            && match action {
                Action::TryLock { lock: at, taken: false } => lock(at) != (false, 0),
                Action::LockShared { lock: at } | Action::TryLockShared { lock: at, taken: true } => {
                    !lock(at).0
                }
                Action::TryLockShared { lock: at, taken: false } => lock(at).0,
                Action::Wake { cause: Cause::Notified, .. } | Action::Leave { .. } => {
                    this.status == Status::Notified
                }
                Action::Wake { cause: Cause::Expired, .. } => this.status != Status::Notified,
                Action::Take { semaphore: at } | Action::TryTake { semaphore: at, taken: true } => {
                    semaphore(at) > 0
                }
                Action::TryTake { semaphore: at, taken: false } => semaphore(at) == 0,
                Action::Arrive { barrier, last } => {
                    let arrived = self.arrived.get(barrier).copied().unwrap_or(0) + 1;
                    (arrived == trace.barriers[barrier]) == *last
                }
                Action::Join { thread } => self.threads[*thread as usize].ended,
                _ => true,
            }
    }

    /// A thread's next event, which is possible, happens.
    pub fn perform(&mut self, model: Model, thread: u32, action: &Action, woken: &[u32]) {
        let at = thread as usize;
        let event = EventId { thread, index: self.threads[at].position };
        self.threads[at].position += 1;
        self.threads[at].segment += u32::from(action.store_barrier());
        for (place, value) in action.writes() {
            match action.buffered() {
                Some(_) if model != Model::Sc => {
                    let segment = self.threads[at].segment;
                    let store = Store { event, at: place, value: value.clone(), segment };
                    self.threads[at].buffer.push(store);
                }
                _ => self.write(place, &value.clone()),
            }
        }
        if let Some(lock) = action.acquires() {
            self.locks.entry(lock).or_default().0 = true;
        }
        if let Some(lock) = action.releases() {
            self.locks.entry(lock).or_default().0 = false;
        }
        match action {
            Action::LockShared { lock } | Action::TryLockShared { lock, taken: true } => {
                self.locks.entry(*lock).or_default().1 += 1;
            }
            Action::UnlockShared { lock } => self.locks.entry(*lock).or_default().1 -= 1,
            Action::Wait { queue, .. } => {
                self.threads[at].status = Status::Waiting { queue: *queue, barrier: false };
            }
            Action::Wake { .. } | Action::Leave { .. } => self.threads[at].status = Status::Running,
            Action::Notify { .. } => {
                woken.iter().for_each(|&other| self.threads[other as usize].status = Status::Notified);
            }
            Action::Post { semaphore } => *self.semaphores.entry(*semaphore).or_default() += 1,
            Action::Take { semaphore } | Action::TryTake { semaphore, taken: true } => {
                *self.semaphores.entry(*semaphore).or_default() -= 1;
            }
            Action::Arrive { barrier, last: false } => {
                *self.arrived.entry(*barrier).or_default() += 1;
                self.threads[at].status = Status::Waiting { queue: *barrier, barrier: true };
            }
            Action::Arrive { barrier, last: true } => {
                self.arrived.insert(*barrier, 0);
                for other in &mut self.threads {
                    if other.status == (Status::Waiting { queue: *barrier, barrier: true }) {
                        other.status = Status::Notified;
                    }
                }
            }
            Action::Fork { thread } => self.threads[*thread as usize].started = true,
            Action::End => self.threads[at].ended = true,
            _ => {}
        }
    }
}

/// What is wrong with an order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// The query itself is wrong.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A step is not possible where it stands.
    #[error("step {0} of the order is not possible; this is a mistake of the solver, please report it")]
    Step(usize),
    /// The order does not show what was asked for.
    #[error("the order does not show what was asked for; this is a mistake of the solver, please report it")]
    Goal,
}

/// Goes through an order step by step and looks whether it is consistent and shows what was asked for.
pub fn verify(trace: &Trace, model: Model, query: &Query, steps: &[Step]) -> Result<(), Mismatch> {
    let required = Requirement::new(trace, query)?;
    let mut state = Simulation::new(trace);
    let mut seen: BTreeMap<EventId, usize> = BTreeMap::new();
    let mut index = 0;
    while index < steps.len() {
        let wrong = Mismatch::Step(index);
        match steps[index] {
            Step::Commit(event) => {
                if !state.commits(model).contains(&event) {
                    return Err(wrong);
                }
                state.commit(event);
            }
            Step::Event(event) => {
                let within =
                    required.limit.get(event.thread as usize).is_some_and(|&limit| event.index < limit);
                if !within || state.position(event.thread) != event.index {
                    return Err(wrong);
                }
                let action = required.action(trace, event);
                if !state.possible(trace, event.thread, action, required.free.contains(&event)) {
                    return Err(wrong);
                }
                let mut woken = Vec::new();
                while let Some(Step::Notified { thread }) = steps.get(index + 1) {
                    woken.push(*thread);
                    index += 1;
                }
                woken.sort_unstable();
                let expired = |thread: u32| required.expires(trace, thread, state.position(thread));
                if !state.wakes(action, expired).contains(&woken) {
                    return Err(wrong);
                }
                state.perform(model, event.thread, action, &woken);
                seen.insert(event, index);
            }
            Step::Notified { .. } => return Err(wrong),
            Step::Expired(event) => {
                if !required.expires(trace, event.thread, event.index + 1) {
                    return Err(wrong);
                }
            }
        }
        index += 1;
    }
    let event_at = |index: Option<usize>| index.and_then(|index| steps.get(index)).copied();
    let enough = (0_u32..).zip(&required.least).all(|(thread, &least)| state.position(thread) >= least);
    let ordered = required.before.iter().all(|(first, second)| match (seen.get(first), seen.get(second)) {
        (Some(first), Some(second)) => first < second,
        _ => false,
    });
    let first = required.first.is_none_or(|first| event_at(Some(0)) == Some(Step::Event(first)));
    let end = steps.iter().rposition(|step| matches!(step, Step::Event(_) | Step::Commit(_)));
    let last = required.last.is_none_or(|last| event_at(end) == Some(Step::Event(last)));
    match enough && ordered && first && last && !required.impossible {
        true => Ok(()),
        false => Err(Mismatch::Goal),
    }
}

impl Requirement {
    /// Whether a thread that waits before its event at this position will go on because its time is over.
    pub fn expires(&self, trace: &Trace, thread: u32, position: u32) -> bool {
        let event = EventId { thread, index: position };
        let next = trace.action(event).map(|_| self.action(trace, event));
        expires(next)
    }
}
