//! Execution graphs: events, where each read reads from, and the order of the writes to each location.
//!
//! An event is only ever added after all that it is caused by, and events are only taken away together with all that
//! they cause. So what an event knows of its past is computed once, when it is added.

use crate::event::Orders;
use crate::{Clock, Event, EventId, Kind, Label};
use selvedge_trace::mutants::{Mutant, mutant};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::sync::Arc;

/// A write in the order of its location, with its readers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// Which write; `None` is the initial value.
    pub write: Option<EventId>,
    /// It is the second half of a read-modify-write (or a lock): it follows what that read from.
    pub exclusive: bool,
    /// The events that read from it.
    pub readers: SmallVec<[EventId; 3]>,
}

/// What happened at a location.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Location {
    /// The writes in modification order, the initial value first. Of a mutex: locks and unlocks in their order.
    /// Empty as long as the location is not known.
    pub records: Vec<Record>,
    /// What is there at first.
    pub initial: u64,
    /// Which memory it is: one that is used anew is another location, but at the same place.
    pub memory: u32,
}

impl Location {
    /// Where a write stands.
    pub fn position(&self, write: Option<EventId>) -> Option<usize> {
        self.records.iter().rposition(|record| record.write == write)
    }
}

/// An execution, or the beginning of one.
///
/// Copies share what neither of them changes later.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Graph {
    threads: Vec<Arc<Vec<Arc<Event>>>>,
    locations: Vec<Arc<Location>>,
    stamp: u32,
    /// Which thread each does the same as, and that it has to follow: see [`Graph::follow`].
    likes: Vec<Option<u32>>,
}

impl Graph {
    /// A graph without events.
    pub fn new() -> Self {
        Graph::default()
    }

    /// How many threads are known; not all of them need to have events.
    pub fn threads(&self) -> u32 {
        self.threads.len() as u32
    }

    /// How many events a thread has.
    pub fn len(&self, thread: u32) -> u32 {
        self.threads.get(thread as usize).map_or(0, |events| events.len() as u32)
    }

    /// Whether there is no event.
    pub fn is_empty(&self) -> bool {
        self.threads.iter().all(|events| events.is_empty())
    }

    /// The events of a thread in program order.
    pub fn events(&self, thread: u32) -> &[Arc<Event>] {
        self.threads.get(thread as usize).map_or(&[], |events| events.as_slice())
    }

    /// An event that is in the graph.
    pub fn event(&self, id: EventId) -> &Event {
        &self.threads[id.thread as usize][id.index as usize]
    }

    /// The last event of a thread.
    pub fn last(&self, thread: u32) -> Option<&Event> {
        self.events(thread).last().map(Arc::as_ref)
    }

    /// All events, thread by thread.
    pub fn all(&self) -> impl Iterator<Item = (EventId, &Event)> {
        self.threads.iter().enumerate().flat_map(|(thread, events)| {
            let id = move |index| EventId { thread: thread as u32, index: index as u32 };
            events.iter().enumerate().map(move |(index, event)| (id(index), event.as_ref()))
        })
    }

    /// All events in the order in which they were added: each comes after all that it is caused by, apart from reads
    /// that were made to read from a later write.
    pub fn by_stamp(&self) -> Vec<EventId> {
        let mut ids: Vec<_> = self.all().map(|(id, event)| (event.stamp, id)).collect();
        ids.sort_unstable();
        ids.into_iter().map(|(_, id)| id).collect()
    }

    /// The locations that are known.
    pub fn locations(&self) -> &[Arc<Location>] {
        &self.locations
    }

    /// The writes to a location in modification order.
    pub fn records(&self, location: u32) -> &[Record] {
        &self.locations[location as usize].records
    }

    /// Where in modification order a write to this location stands; the initial value stands at 0.
    pub fn position(&self, location: u32, write: Option<EventId>) -> usize {
        self.locations[location as usize].position(write).expect("the write is in the graph")
    }

    /// Whether a location is known.
    pub fn knows(&self, location: u32) -> bool {
        self.locations.get(location as usize).is_some_and(|location| !location.records.is_empty())
    }

    /// Makes a location known, with what is there at first. Has to come before the first access.
    pub fn know(&mut self, location: u32, initial: u64) {
        let count = location as usize + 1;
        if self.locations.len() < count {
            self.locations.resize_with(count, unknown);
        }
        let records = vec![Record::default()];
        self.locations[location as usize] = Arc::new(Location { records, initial, memory: location });
    }

    /// A location that is known is at the same place as those that are called the same.
    pub fn is_at(&mut self, location: u32, memory: u32) {
        Arc::make_mut(&mut self.locations[location as usize]).memory = memory;
    }

    /// Whether the first happens before the second, or is it.
    pub fn happens_before(&self, first: EventId, second: EventId) -> bool {
        self.event(second).happens.of(first.thread) > first.index
    }

    /// What the next event of a thread comes after at least.
    pub(crate) fn past(&self, thread: u32) -> &Clock {
        static NOTHING: std::sync::LazyLock<Clock> = std::sync::LazyLock::new(Clock::default);
        self.last(thread).map_or(&NOTHING, |event| &event.happens)
    }

    /// What causes the next event of a thread at least.
    fn causes(&self, thread: u32) -> Clock {
        self.last(thread).map(|event| event.causes.clone()).unwrap_or_default()
    }

    /// A thread that has no events yet does the same as another one, if there is one, as long as it reads the same. While they do the
    /// same, each of its events counts as caused by that one's.
    pub(crate) fn follow(&mut self, thread: u32, other: Option<u32>) {
        let count = thread as usize + 1;
        if self.likes.len() < count && other.is_some() {
            self.likes.resize(count, None);
        }
        if let Some(like) = self.likes.get_mut(thread as usize) {
            *like = other;
        }
    }

    /// Which thread a thread has to follow.
    pub fn followed(&self, thread: u32) -> Option<u32> {
        self.likes.get(thread as usize).copied().flatten()
    }

    /// Of the thread that a thread has to follow, the event that its next event counts as caused by.
    fn example(&self, thread: u32, kind: Kind) -> Option<EventId> {
        let other = self.followed(thread)?;
        let alike = self.last(thread).is_none_or(|event| event.alike);
        // Threads that are there from the beginning do not begin.
        let begins = |thread: u32| {
            let first = self.events(thread).first();
            u32::from(first.is_some_and(|event| event.label.kind == Kind::Begin))
        };
        let index = (self.len(thread) + begins(other)).checked_sub(begins(thread))?;
        let id = EventId { thread: other, index };
        let compared = matches!(kind, Kind::Read { .. } | Kind::Write { .. } | Kind::Fence);
        (alike && compared && id.index < self.len(other)).then_some(id)
    }

    /// The first place for a thread's next write: equal threads that write do so in their order.
    pub(crate) fn first_place(&self, thread: u32, label: Label) -> usize {
        let is_same = |id: &EventId| self.event(*id).label == label;
        match self.example(thread, label.kind).filter(is_same) {
            Some(write) => self.position(label.location, Some(write)) + 1,
            None => 0,
        }
    }

    /// What causes the next event of a thread, if that is of this kind; where it reads from not included.
    pub(crate) fn causes_of(&self, thread: u32, kind: Kind) -> Clock {
        let mut causes = self.causes(thread);
        if let Some(example) = self.example(thread, kind) {
            causes.join(&self.event(example).causes);
        }
        causes
    }

    /// Adds a thread's next event. A placed one is put before `place` in the order of its location (no matter for
    /// others). `source` is where a read or lock gets from, of a [`Kind::Begin`] the creation; `waits` is for locks.
    pub fn add(&mut self, thread: u32, label: Label, source: Option<EventId>, place: usize) -> EventId {
        self.add_with(thread, label, source, place, false, None)
    }

    /// Says where in the program the events of a thread are, from the one with this index on.
    pub fn locate(&mut self, thread: u32, from: u32, position: u32) {
        if self.len(thread) <= from {
            return;
        }
        for event in &mut Arc::make_mut(&mut self.threads[thread as usize])[from as usize..] {
            Arc::make_mut(event).position = position;
        }
    }

    /// Adds a lock that waits for the holder.
    pub(crate) fn add_waiting(
        &mut self,
        thread: u32,
        label: Label,
        holder: Option<EventId>,
        stamp: Option<u32>,
    ) -> EventId {
        self.add_with(thread, label, holder, 0, true, stamp)
    }

    /// The same with a stamp that the event had before.
    pub(crate) fn add_with(
        &mut self,
        thread: u32,
        label: Label,
        source: Option<EventId>,
        place: usize,
        waits: bool,
        stamp: Option<u32>,
    ) -> EventId {
        if self.threads.len() <= thread as usize {
            self.threads.resize_with(thread as usize + 1, Arc::default);
        }
        let stamp = stamp.unwrap_or_else(|| {
            self.stamp += 1;
            self.stamp - 1
        });
        let id = EventId { thread, index: self.len(thread) };
        let event = self.derive(id, label, source, waits, stamp);
        if label.kind.is_access() {
            let records = &mut Arc::make_mut(&mut self.locations[label.location as usize]).records;
            if label.kind.has_source() {
                let from = records.iter_mut().rfind(|record| record.write == source);
                from.expect("the source is in the graph").readers.push(id);
            }
            if label.kind.is_placed() && !waits {
                let exclusive = matches!(label.kind, Kind::Write { exclusive: true } | Kind::Lock);
                records.insert(place, Record { write: Some(id), exclusive, readers: SmallVec::new() });
            }
        }
        Arc::make_mut(&mut self.threads[thread as usize]).push(Arc::new(event));
        id
    }

    /// A lock that waits gets the mutex from this unlock.
    pub(crate) fn end_wait(&mut self, lock: EventId, unlock: EventId) {
        let Event { label, stamp, position, .. } = *self.event(lock);
        self.remove_last(lock.thread);
        let place = self.records(label.location).len();
        self.add_with(lock.thread, label, Some(unlock), place, false, Some(stamp));
        let events = Arc::make_mut(&mut self.threads[lock.thread as usize]);
        let event = Arc::make_mut(events.last_mut().expect("it was just added"));
        (event.waited, event.position) = (true, position);
    }

    /// What follows from an event's past.
    fn derive(&self, id: EventId, label: Label, source: Option<EventId>, waits: bool, stamp: u32) -> Event {
        let before = self.last(id.thread);
        let mut happens = before.map(|event| event.happens.clone()).unwrap_or_default();
        let mut causes = self.causes_of(id.thread, label.kind);
        let mut pending = before.and_then(|event| event.pending.clone());
        let mut fence = before.and_then(|event| event.fence);
        let mut message = None;
        let mut value = label.value;
        happens.raise(id.thread, id.index + 1);
        causes.raise(id.thread, id.index + 1);
        let mut order = label.order;
        match label.kind {
            Kind::Read { .. } => {
                value = match source {
                    Some(write) => self.event(write).value,
                    None => self.locations[label.location as usize].initial,
                };
                if let Some((_, failing)) = label.compare.filter(|(expected, _)| *expected != value) {
                    order = failing;
                }
                if let Some(source) = source {
                    let write = self.event(source);
                    causes.join(&write.causes);
                    match &write.message {
                        Some(message) if order.acquires() => happens.join(message),
                        Some(message) if order.atomic() => join_shared(&mut pending, message),
                        _ => {}
                    }
                }
            }
            Kind::Write { exclusive } => {
                // The release sequence that this write heads, after a fence if there is one.
                if order.releases() {
                    message = Some(Arc::new(happens.clone()));
                } else if order.atomic() {
                    message = fence.map(|index| {
                        Arc::new(self.event(EventId { thread: id.thread, index }).happens.clone())
                    });
                }
                // Those that it continues.
                let continues = exclusive && !mutant(Mutant::ReleaseSequenceDropped);
                let read = if continues { before.and_then(|read| read.source) } else { None };
                if let Some(continued) = read.and_then(|write| self.event(write).message.as_ref()) {
                    join_shared(&mut message, continued);
                }
            }
            Kind::Fence => {
                if order.acquires()
                    && let Some(seen) = pending.take()
                {
                    happens.join(&seen);
                }
                if order.releases() {
                    fence = Some(id.index);
                }
            }
            Kind::Lock | Kind::Begin => {
                if let Some(source) = source.filter(|_| !waits) {
                    let from = self.event(source);
                    happens.join(&from.happens);
                    causes.join(&from.causes);
                }
            }
            Kind::Join { child } => {
                if let Some(last) = self.last(child) {
                    happens.join(&last.happens);
                    causes.join(&last.causes);
                }
            }
            Kind::Unlock | Kind::Create { .. } | Kind::Finish | Kind::Choice { .. } => {}
        }
        let alike = match self.example(id.thread, label.kind).map(|example| self.event(example)) {
            Some(example) => !label.kind.is_write() && example.label == label && example.source == source,
            None => label.kind == Kind::Begin,
        };
        Event {
            label,
            order,
            value,
            source,
            alike,
            waits,
            waited: waits,
            stamp,
            position: 0,
            happens,
            causes,
            pending,
            message,
            fence,
        }
    }

    /// The graph with only some of its events: with each also all that it is caused by.
    pub fn restricted(&self, keep: impl Fn(EventId, &Event) -> bool) -> Graph {
        let mut kept = Graph { threads: Vec::with_capacity(self.threads.len()), ..Graph::default() };
        for (thread, events) in self.threads.iter().enumerate() {
            let id = |index: usize| EventId { thread: thread as u32, index: index as u32 };
            let count =
                events.iter().enumerate().take_while(|(index, event)| keep(id(*index), event)).count();
            kept.threads.push(match count == events.len() {
                true => events.clone(),
                false => Arc::new(events[..count].to_vec()),
            });
        }
        let is_kept = |id: &EventId| kept.len(id.thread) > id.index;
        kept.locations = self.locations.iter().map(|location| restricted(location, &is_kept)).collect();
        kept.stamp = self.stamp;
        kept.likes.clone_from(&self.likes);
        kept
    }

    /// Takes the last event of a thread away; nothing may be caused by it.
    pub(crate) fn remove_last(&mut self, thread: u32) {
        let Some(event) = Arc::make_mut(&mut self.threads[thread as usize]).pop() else { return };
        let id = EventId { thread, index: self.len(thread) };
        if event.label.kind.is_access() {
            let records = &mut Arc::make_mut(&mut self.locations[event.label.location as usize]).records;
            if event.label.kind.has_source() {
                records.iter_mut().for_each(|record| record.readers.retain(|reader| *reader != id));
            }
            records.retain(|record| record.write != Some(id));
        }
    }
}

/// A location of which nothing is known.
fn unknown() -> Arc<Location> {
    static UNKNOWN: std::sync::LazyLock<Arc<Location>> = std::sync::LazyLock::new(Arc::default);
    UNKNOWN.clone()
}

fn restricted(location: &Arc<Location>, is_kept: &impl Fn(&EventId) -> bool) -> Arc<Location> {
    let stays =
        |record: &Record| record.write.as_ref().is_none_or(is_kept) && record.readers.iter().all(is_kept);
    let accessed = |records: &[Record]| !matches!(records, [only] if only.readers.is_empty());
    if location.records.iter().all(stays) && accessed(&location.records) {
        return location.clone();
    }
    let kept = location.records.iter().filter(|record| record.write.as_ref().is_none_or(is_kept));
    let records = kept.map(|record| {
        let readers = record.readers.iter().copied().filter(|reader| is_kept(reader)).collect();
        Record { readers, ..*record }
    });
    let records: Vec<Record> = records.collect();
    // What is there at first can depend on what was read: without accesses it is not known.
    match accessed(&records) {
        false => unknown(),
        true => Arc::new(Location { records, ..**location }),
    }
}

fn join_shared(clock: &mut Option<Arc<Clock>>, other: &Arc<Clock>) {
    match clock {
        Some(clock) => Arc::make_mut(clock).join(other),
        None => *clock = Some(other.clone()),
    }
}
