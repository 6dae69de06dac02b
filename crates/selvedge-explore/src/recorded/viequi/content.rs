//! An execution in small numbers, and how far the others can come without the rest of a thread.

use crate::recorded::record::Recorder;
use crate::recorded::targets::Frontier;
use rustc_hash::FxHashMap;
use selvedge_order::{Action, EventId, Place, Step};
use selvedge_trace::Value;
use std::collections::BTreeSet;

/// A place in memory that is accessed as a whole, by number.
pub type LocationId = u32;

/// A value at a location, by number.
pub type ValueId = u32;

/// What an event does, as far as orders are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Nothing,
    Read {
        location: LocationId,
        sees: ValueId,
    },
    Write {
        location: LocationId,
        leaves: ValueId,
    },
    Update {
        location: LocationId,
        sees: ValueId,
        leaves: Option<ValueId>,
    },
    Lock(u32),
    Unlock(u32),
    TryLock {
        lock: u32,
        taken: bool,
    },
    LockShared(u32),
    UnlockShared(u32),
    TryLockShared {
        lock: u32,
        taken: bool,
    },
    Post(u32),
    Take(u32),
    TryTake {
        semaphore: u32,
        taken: bool,
    },
    /// Waits for a condition, and gives the lock back.
    Wait {
        queue: u32,
        lock: u32,
    },
    /// Goes on because it was notified, with the lock.
    Wake {
        queue: u32,
        lock: u32,
    },
    /// Notifies so many, or all if fewer wait.
    Notify {
        queue: u32,
        most: u32,
    },
    Fork(u32),
    Join(u32),
    End,
    /// Something else, which only the solver knows how to order.
    Other,
}

/// The events of an execution.
pub struct Content {
    /// For each thread.
    pub effects: Vec<Vec<Effect>>,
    /// In which order they happened.
    pub order: Vec<EventId>,
    /// Where in that order each event is.
    pub places: Vec<Vec<u32>>,
    /// What each location held at the start.
    pub initial: Vec<ValueId>,
    /// What semaphores held at the start.
    pub semaphores: Vec<u32>,
    /// How many locks there are.
    pub locks: usize,
    /// How many conditions there are.
    pub queues: usize,
    /// The events that write a value, and those that see it.
    pub writers: Vec<Vec<EventId>>,
    readers: Vec<Vec<EventId>>,
    /// The event that starts a thread.
    pub forks: Vec<Option<EventId>>,
    joins: Vec<Vec<EventId>>,
    /// The events at each location.
    accesses: Vec<Vec<EventId>>,
    /// A thread tried to take something in vain: giving it back earlier makes a difference.
    pub tries: bool,
    /// Something is there that only the solver knows how to order.
    pub others: bool,
    /// Locations overlap: values are more than what one event has written.
    pub mixed: bool,
    locations: FxHashMap<(u64, u32), LocationId>,
    tokens: FxHashMap<(LocationId, u128), ValueId>,
    /// What is ever at a location.
    values: Vec<Vec<(ValueId, Value)>>,
}

/// A value of at most 16 bytes as a number; those of one location have the same size.
fn packed(value: &[u8]) -> u128 {
    value.iter().rev().fold(0, |sum, &byte| sum << 8 | u128::from(byte))
}

/// Whether any event writes to one of these places.
fn is_written(recorder: &Recorder<'_>, reads: &[(Place, Value)]) -> bool {
    let threads = 0..recorder.trace.threads() as u32;
    let mut writes = threads.flat_map(|thread| recorder.trace.events(thread)).flat_map(Action::writes);
    writes.any(|(at, _)| reads.iter().any(|(read, _)| read.overlaps(at)))
}

impl Content {
    /// What was recorded.
    pub fn new(recorder: &Recorder<'_>) -> Self {
        let threads = recorder.notes.len();
        let mut content = Content {
            effects: vec![Vec::new(); threads],
            order: Vec::new(),
            places: vec![Vec::new(); threads],
            initial: Vec::new(),
            semaphores: Vec::new(),
            locks: 0,
            queues: 0,
            writers: Vec::new(),
            readers: Vec::new(),
            forks: vec![None; threads],
            joins: vec![Vec::new(); threads],
            accesses: Vec::new(),
            tries: false,
            others: false,
            mixed: false,
            locations: FxHashMap::default(),
            tokens: FxHashMap::default(),
            values: Vec::new(),
        };
        let (mut locks, mut semaphores) = (FxHashMap::default(), FxHashMap::default());
        let mut queues = FxHashMap::default();
        for step in recorder.trace.order() {
            let Step::Event(event) = *step else { continue };
            let Some(action) = recorder.trace.action(event) else { continue };
            let note = &recorder.notes[event.thread as usize][event.index as usize];
            let mut lock = |address: u64| {
                let next = locks.len() as u32;
                *locks.entry(address).or_insert(next)
            };
            let mut queue = |address: u64| {
                let next = queues.len() as u32;
                *queues.entry(address).or_insert(next)
            };
            let mut semaphore = |address: u64| {
                *semaphores.entry(address).or_insert_with(|| {
                    content.semaphores.push(recorder.semaphore(address));
                    content.semaphores.len() as u32 - 1
                })
            };
            let effect = match action {
                Action::Nothing | Action::Fence { .. } => Effect::Nothing,
                Action::Lock { lock: at } => Effect::Lock(lock(*at)),
                Action::Unlock { lock: at } => Effect::Unlock(lock(*at)),
                Action::TryLock { lock: at, taken } => Effect::TryLock { lock: lock(*at), taken: *taken },
                Action::LockShared { lock: at } => Effect::LockShared(lock(*at)),
                Action::UnlockShared { lock: at } => Effect::UnlockShared(lock(*at)),
                Action::TryLockShared { lock: at, taken } => {
                    Effect::TryLockShared { lock: lock(*at), taken: *taken }
                }
                Action::Post { semaphore: at } => Effect::Post(semaphore(*at)),
                Action::Take { semaphore: at } => Effect::Take(semaphore(*at)),
                Action::TryTake { semaphore: at, taken } => {
                    Effect::TryTake { semaphore: semaphore(*at), taken: *taken }
                }
                Action::Fork { thread } => Effect::Fork(*thread),
                Action::Join { thread } => Effect::Join(*thread),
                Action::End => Effect::End,
                Action::Read { at, value } => match content.token(recorder, *at, value) {
                    Some((location, sees)) => Effect::Read { location, sees },
                    None => Effect::Other,
                },
                Action::Write { at, value, .. } => match content.token(recorder, *at, value) {
                    Some((location, leaves)) => Effect::Write { location, leaves },
                    None => Effect::Other,
                },
                Action::Update { at, read, written } => {
                    let leaves = written.as_ref().map(|value| content.token(recorder, *at, value));
                    match (content.token(recorder, *at, read), leaves) {
                        (Some((location, sees)), None) => Effect::Update { location, sees, leaves: None },
                        (Some((location, sees)), Some(Some((_, leaves)))) => {
                            Effect::Update { location, sees, leaves: Some(leaves) }
                        }
                        _ => Effect::Other,
                    }
                }
                // A read of what no event ever writes can happen at any time.
                Action::Call { reads, writes, .. } if writes.is_empty() && !is_written(recorder, reads) => {
                    Effect::Nothing
                }
                Action::Call { .. } => {
                    content.mixed = true;
                    Effect::Other
                }
                // The end of a time limit and how many were woken are outcomes, about which the solver is asked.
                Action::Wait { queue: at, lock: Some(taken), sees: None } if !recorder.timed(*at) => {
                    Effect::Wait { queue: queue(*at), lock: lock(*taken) }
                }
                Action::Wake { queue: at, lock: Some(taken), .. } if !recorder.timed(*at) => {
                    Effect::Wake { queue: queue(*at), lock: lock(*taken) }
                }
                Action::Notify { queue: at, most, woken: None } if !recorder.timed(*at) => {
                    Effect::Notify { queue: queue(*at), most: *most }
                }
                Action::Wait { .. }
                | Action::Wake { .. }
                | Action::Notify { .. }
                | Action::Arrive { .. }
                | Action::Leave { .. } => Effect::Other,
            };
            if !note.pending {
                content.note(event, effect);
            }
            content.effects[event.thread as usize].push(effect);
        }
        (content.locks, content.queues) = (locks.len(), queues.len());
        let mut places: Vec<(u64, u32)> = content.locations.keys().copied().collect();
        places.sort_unstable();
        content.mixed |= places.windows(2).any(|pair| pair[0].0 + u64::from(pair[0].1) > pair[1].0);
        content
    }

    fn note(&mut self, event: EventId, effect: Effect) {
        self.places[event.thread as usize].push(self.order.len() as u32);
        self.order.push(event);
        if let Effect::Read { location, .. }
        | Effect::Write { location, .. }
        | Effect::Update { location, .. } = effect
        {
            self.accesses[location as usize].push(event);
        }
        match effect {
            Effect::Read { sees, .. } => self.readers[sees as usize].push(event),
            Effect::Write { leaves, .. } => self.writers[leaves as usize].push(event),
            Effect::Update { sees, leaves, .. } => {
                self.readers[sees as usize].push(event);
                if let Some(leaves) = leaves {
                    self.writers[leaves as usize].push(event);
                }
            }
            Effect::TryLock { taken: false, .. }
            | Effect::TryLockShared { taken: false, .. }
            | Effect::TryTake { taken: false, .. } => self.tries = true,
            Effect::Other => self.others = true,
            Effect::Fork(thread) => self.forks[thread as usize] = Some(event),
            Effect::Join(thread) => self.joins[thread as usize].push(event),
            _ => {}
        }
    }

    /// The numbers of a place and of a value there.
    fn token(&mut self, recorder: &Recorder<'_>, at: Place, value: &[u8]) -> Option<(LocationId, ValueId)> {
        if value.len() > 16 {
            self.mixed = true;
            return None;
        }
        let location = match self.locations.get(&(at.address, at.size)) {
            Some(&location) => location,
            None => {
                let location = self.initial.len() as LocationId;
                self.locations.insert((at.address, at.size), location);
                self.values.push(Vec::new());
                self.accesses.push(Vec::new());
                let token = self.enter(location, &recorder.initial(at));
                self.initial.push(token);
                location
            }
        };
        Some((location, self.enter(location, value)))
    }

    fn enter(&mut self, location: LocationId, value: &[u8]) -> ValueId {
        *self.tokens.entry((location, packed(value))).or_insert_with(|| {
            self.writers.push(Vec::new());
            self.readers.push(Vec::new());
            let token = self.writers.len() as ValueId - 1;
            self.values[location as usize].push((token, value.into()));
            token
        })
    }

    /// A value at a place, if it is ever there.
    pub fn find(&self, at: Place, value: &[u8]) -> Option<(LocationId, ValueId)> {
        let location = *self.locations.get(&(at.address, at.size))?;
        Some((location, *self.tokens.get(&(location, packed(value)))?))
    }

    /// Whether an event could have seen something else, as far as values are concerned.
    pub fn varies(&self, location: LocationId, sees: ValueId, limits: &Frontier) -> bool {
        let others = self.values[location as usize].iter().filter(|(token, _)| *token != sees);
        self.mixed || others.into_iter().any(|&(token, _)| self.is_available(location, token, limits))
    }

    /// The values that a place can hold when no thread has come further than this; nothing if that is not known.
    pub fn values(&self, at: Place, limits: &Frontier) -> Option<BTreeSet<Value>> {
        let location = *self.locations.get(&(at.address, at.size)).filter(|_| !self.mixed)?;
        let all = self.values[location as usize].iter();
        Some(
            all.filter(|(token, _)| self.is_available(location, *token, limits))
                .map(|(_, value)| value.clone())
                .collect(),
        )
    }

    /// The only event that can bring a value to a location, if there is just one and the location does not begin with
    /// it.
    pub fn only_writer(&self, location: LocationId, token: ValueId, limits: &Frontier) -> Option<EventId> {
        if self.mixed || self.initial[location as usize] == token {
            return None;
        }
        let mut writers = self.writers[token as usize]
            .iter()
            .filter(|writer| writer.index < limits[writer.thread as usize]);
        let first = *writers.next()?;
        writers.next().is_none().then_some(first)
    }

    /// The events that have to do with a location.
    pub fn events_at(&self, location: LocationId) -> &[EventId] {
        &self.accesses[location as usize]
    }

    /// The events of each location.
    pub fn locations(&self) -> impl Iterator<Item = &[EventId]> {
        self.accesses.iter().map(Vec::as_slice)
    }

    /// Whether a value can have been written when no thread has come further than this.
    fn is_available(&self, location: LocationId, token: ValueId, limits: &Frontier) -> bool {
        self.initial[location as usize] == token
            || self.writers[token as usize].iter().any(|event| event.index < limits[event.thread as usize])
    }

    /// Whether an event that can happen takes nothing from other threads by happening now: none of them can tell.
    pub fn is_harmless(&self, event: EventId) -> bool {
        match self.effects[event.thread as usize][event.index as usize] {
            Effect::Nothing | Effect::End | Effect::Read { .. } | Effect::Fork(_) | Effect::Join(_) => true,
            // But a write of what is there already may be needed later, when something else is there.
            Effect::Update { sees, leaves, .. } => leaves.is_none_or(|leaves| leaves == sees),
            Effect::Unlock(_) | Effect::UnlockShared(_) | Effect::Post(_) => !self.tries,
            _ => false,
        }
    }

    /// Takes back limits of the other threads that cannot be reached without what a thread does from an event on: for
    /// want of values, of starts and of ends. Nothing more follows from it; the solver knows the rest.
    pub fn cut(&self, limits: &mut Frontier, work: &mut Cut) {
        work.supply.clear();
        work.supply.extend(self.writers.iter().map(|list| list.len() as u32));
        for &token in &self.initial {
            work.supply[token as usize] += 1;
        }
        work.reached.clear();
        work.reached.extend(self.effects.iter().map(|effects| effects.len() as u32));
        work.open.clear();
        work.open.extend(0..limits.len() as u32);
        while let Some(thread) = work.open.pop() {
            let (limit, reached) = (limits[thread as usize], work.reached[thread as usize]);
            if limit >= reached {
                continue;
            }
            work.reached[thread as usize] = limit;
            for index in limit..reached {
                match self.effects[thread as usize][index as usize] {
                    Effect::Write { leaves, .. } | Effect::Update { leaves: Some(leaves), .. }
                        if !self.mixed =>
                    {
                        work.supply[leaves as usize] -= 1;
                        if work.supply[leaves as usize] == 0 {
                            for &reader in &self.readers[leaves as usize] {
                                lower(limits, &mut work.open, reader);
                            }
                        }
                    }
                    Effect::Fork(child) => lower(limits, &mut work.open, EventId::new(child, 0)),
                    Effect::End => {
                        for &join in &self.joins[thread as usize] {
                            lower(limits, &mut work.open, join);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

/// The thread cannot come further than to before this event.
fn lower(limits: &mut Frontier, open: &mut Vec<u32>, event: EventId) {
    let limit = &mut limits[event.thread as usize];
    if event.index < *limit {
        *limit = event.index;
        open.push(event.thread);
    }
}

/// What is needed for cutting, to be used again and again.
#[derive(Default)]
pub struct Cut {
    supply: Vec<u32>,
    reached: Vec<u32>,
    open: Vec<u32>,
}
