//! Happens-before: the events of an execution so far, and which of them come before which others.
//!
//! An event comes after all earlier ones of its process, after the event that created or woke its thread, after
//! whatever it had to wait for, and after all earlier events that it depends on. Two dependent events race if nothing
//! that comes after the one comes before the other: then the later one could have come first, unless it would have had
//! to wait. For an operation that may have to wait the event that let it go on is no race; the race is with the event
//! that took away what it waited for.

use crate::kit::dependence::EventFootprint;
use crate::kit::event::{Event, Taken};
use crate::kit::process::{Clock, Process};
use selvedge_machine::Pick;
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{EventKind, MemoryOrder, Model, Operation};
use smallvec::SmallVec;
use std::sync::Arc;

/// A store in a buffer.
#[derive(Clone, Copy, Debug)]
struct Stored {
    address: u64,
    length: u8,
    /// Stores before a barrier leave the buffer before those after it.
    segment: u32,
    /// Its place among all that the thread has stored.
    number: u32,
    /// The place of the event that stored.
    by: u32,
}

impl Stored {
    fn overlaps(&self, other: &Stored) -> bool {
        self.address < other.address + u64::from(other.length)
            && other.address < self.address + u64::from(self.length)
    }
}

/// What is known of a process.
#[derive(Clone, Debug, Default)]
struct Standing {
    /// What comes before its next event.
    ready: Clock,
    /// Since this place it has been about to do what it is about to do.
    since: u32,
    /// What comes before the last commits of its buffer.
    committed: Clock,
    segment: u32,
    stores: Vec<Stored>,
    /// How many stores have entered its buffer.
    entered: u32,
    /// What has left its buffer, with the place of the commit. Only under PSO.
    left: Vec<(Stored, u32)>,
    /// What was taken out of its buffer because its object is gone or all was made visible, with the place of the event that
    /// did that: what waited for it can leave the buffer from then on.
    gone: Vec<(Stored, u32)>,
}

impl Standing {
    /// A store enters the buffer.
    fn enter(&mut self, (address, length): (u64, u8), by: u32) {
        let (segment, number) = (self.segment, self.entered);
        self.entered += 1;
        self.stores.push(Stored { address, length, segment, number, by });
    }

    /// The buffer holds this after the event at a place: stores are gone, or have entered it without being the event's own.
    fn rebuild(&mut self, held: &[(u64, u8)], place: u32) {
        let mut old = std::mem::take(&mut self.stores).into_iter();
        for &(address, length) in held {
            let is_same = |store: &Stored| (store.address, store.length) == (address, length);
            let passed: Vec<Stored> = match old.as_slice().iter().position(is_same) {
                Some(at) => old.by_ref().take(at).collect(),
                None => old.by_ref().collect(),
            };
            self.gone.extend(passed.into_iter().map(|store| (store, place)));
            match old.next() {
                Some(store) => self.stores.push(store),
                None => self.enter((address, length), place),
            }
        }
        self.gone.extend(old.map(|store| (store, place)));
    }
}

/// An operation that is looked at for races.
pub struct Candidate<'a> {
    /// The process that does it.
    pub process: Process,
    /// What it touches.
    pub label: &'a EventFootprint,
    /// What it is, if it is no commit.
    pub operation: Option<Operation>,
    /// It may have to wait.
    pub waits: bool,
}

/// Says whether a process could act if it overtook the event at a place, when that is not known from what was seen.
pub type Possible<'a> = &'a mut dyn FnMut(&HappensBefore, u32, Process) -> bool;

/// The events of an execution so far.
#[derive(Clone, Default)]
pub struct HappensBefore {
    /// In the order in which they happened.
    pub events: Vec<Arc<Event>>,
    counts: Clock,
    standings: Vec<Standing>,
    per_location: bool,
}

impl HappensBefore {
    /// Nothing has happened.
    pub fn new(model: Model) -> Self {
        HappensBefore { per_location: model == Model::Pso, ..HappensBefore::default() }
    }

    fn standing(&mut self, process: Process) -> &mut Standing {
        let at = process as usize;
        if self.standings.len() <= at {
            self.standings.resize_with(at + 1, Standing::default);
        }
        &mut self.standings[at]
    }

    /// Whether stores of a thread wait.
    pub fn has_stores(&self, thread: Process) -> bool {
        self.standings.get(thread as usize).is_some_and(|standing| !standing.stores.is_empty())
    }

    /// What comes before the next event of a thread. `drains`: that waits until the thread's buffer is empty.
    pub fn ready(&self, thread: Process, drains: bool) -> Clock {
        let Some(standing) = self.standings.get(thread as usize) else { return Clock::default() };
        let mut ready = standing.ready.clone();
        if drains {
            ready.join(&standing.committed);
        }
        ready
    }

    /// What comes before a step whatever it touches.
    fn before(&self, taken: &Taken) -> Clock {
        let mut ready = self.ready(taken.process, taken.drains);
        match taken.picks[0] {
            Pick::Step { .. } => {}
            Pick::Commit { address, .. } => {
                let standing = &self.standings[taken.owner as usize];
                if let Some(store) = standing.stores.iter().find(|store| store.address == address) {
                    ready.join(&self.events[store.by as usize].clock);
                    for (earlier, at) in &standing.left {
                        if earlier.by <= store.by
                            && (earlier.segment < store.segment || earlier.overlaps(store))
                        {
                            ready.join(&self.events[*at as usize].clock);
                        }
                    }
                    for (earlier, at) in &standing.gone {
                        let orders =
                            !self.per_location || earlier.segment < store.segment || earlier.overlaps(store);
                        if earlier.number < store.number && orders {
                            ready.join(&self.events[*at as usize].clock);
                        }
                    }
                }
            }
        }
        // The program ends when no other thread can act.
        if taken.operation.is_some_and(|operation| operation.kind == EventKind::Exit)
            && !taken.label.everything
        {
            self.standings.iter().for_each(|standing| ready.join(&standing.ready));
        }
        ready
    }

    /// Adds a step.
    pub fn add(&mut self, taken: Taken, possible: Possible<'_>) {
        let ready = self.before(&taken);
        let candidate = Candidate {
            process: taken.process,
            label: &taken.label,
            operation: taken.operation,
            waits: taken.waits,
        };
        let (mut clock, races) = self.look_back(&candidate, &ready, possible);
        let number = self.counts.get(taken.process) + 1;
        clock.set(taken.process, number);
        self.push(Arc::new(Event { taken, number, clock, ready, races }));
    }

    /// All that comes before an operation that is done next, and the places of the events that it could overtake.
    pub fn look_back(
        &self,
        candidate: &Candidate<'_>,
        ready: &Clock,
        possible: Possible<'_>,
    ) -> (Clock, SmallVec<[u32; 3]>) {
        let mut clock = ready.clone();
        // As the clock, but without what the operation had to wait for.
        let mut overtaken = ready.clone();
        let mut races = SmallVec::new();
        for (place, event) in self.events.iter().enumerate().rev() {
            let name = event.name();
            if overtaken.has(name) {
                continue;
            }
            let gives = event.taken.label.gives_to(candidate.label);
            let meets = event.taken.label.depends(candidate.label);
            if !gives && !meets {
                continue;
            }
            if !clock.has(name) {
                clock.join(&event.clock);
            }
            let waits = candidate.waits || event.taken.label.lets_drain(candidate.label);
            if meets && (!waits || self.can_overtake(candidate, place as u32, possible)) {
                races.push(place as u32);
                overtaken.join(&event.clock);
            }
        }
        (clock, races)
    }

    fn can_overtake(&self, candidate: &Candidate<'_>, place: u32, possible: Possible<'_>) -> bool {
        if mutant(Mutant::WaitingNotReversed) {
            return false;
        }
        let event = &self.events[place as usize];
        let since = self.standings.get(candidate.process as usize).map_or(0, |standing| standing.since);
        if place >= since {
            return event.taken.enabled.contains(&candidate.process);
        }
        let locks = |operation: Option<Operation>| {
            operation.is_some_and(|operation| operation.kind == EventKind::MutexLock)
        };
        // Before a mutex is taken it is free, and every event that takes it comes after that.
        (locks(candidate.operation) && locks(event.taken.operation) && !self.may_hold(place))
            || possible(self, place, candidate.process)
    }

    /// Whether the process that takes the mutex at a place may have held it already, as it can if it is a recursive one.
    fn may_hold(&self, place: u32) -> bool {
        let taken = &self.events[place as usize].taken;
        let Some(address) = taken.operation.map(|operation| operation.address) else { return false };
        let own = self.events[..place as usize].iter().filter(|event| event.taken.process == taken.process);
        let kinds = own.filter_map(|event| event.taken.operation).filter(|other| other.address == address);
        // Where an attempt has failed or a condition was waited for, it is held less often than that.
        let times = kinds.fold(0_u32, |times, operation| match operation.kind {
            EventKind::MutexLock | EventKind::MutexTryLock => times + 1,
            EventKind::MutexUnlock => times.saturating_sub(1),
            _ => times,
        });
        times > 0
    }

    /// Adds an event whose races are known.
    pub fn push(&mut self, event: Arc<Event>) {
        let place = self.events.len() as u32;
        let taken = &event.taken;
        self.counts.set(taken.process, event.number);
        let own = self.standing(taken.process);
        own.ready.clone_from(&event.clock);
        own.since = place + 1;
        for &process in &taken.starts {
            let started = self.standing(process);
            started.ready.join(&event.clock);
            started.since = place + 1;
        }
        let per_location = self.per_location;
        let owner = self.standing(taken.owner);
        if let Pick::Commit { address, .. } = taken.picks[0] {
            owner.committed.join(&event.clock);
            // What drains the buffer can be next only now.
            owner.since = place + 1;
            if let Some(at) = owner.stores.iter().position(|store| store.address == address) {
                let store = owner.stores.remove(at);
                if per_location {
                    owner.left.push((store, place));
                }
            }
        }
        if taken.operation.is_some_and(releases) {
            owner.segment += 1;
        }
        taken.stored.iter().for_each(|&store| owner.enter(store, place));
        for (process, held) in &taken.rebuilt {
            self.standing(*process).rebuild(held, place);
        }
        self.events.push(event);
    }
}

/// Whether stores before an operation leave the buffer before it does, or before those after it.
fn releases(operation: Operation) -> bool {
    let releases = matches!(operation.order, MemoryOrder::Release | MemoryOrder::AcqRel);
    releases && matches!(operation.kind, EventKind::Write | EventKind::Fence)
}
