//! Revisits: a read that is in the graph reads from a write that comes only now.
//!
//! All that was added after the read goes, unless the write is caused by it. To get to every graph once, this is done
//! only where what goes had been added as it is always possible: reads from the last write of all that was there,
//! writes as the last. So each graph is come to from one other graph.
//!
//! A lock that was made to wait for another gets the mutex from that other's unlock at once. Seen from an event that
//! was there before the unlock it still waits, and if the unlock goes it waits again.

use crate::{Clock, EventId, Graph, Kind, Label};

impl Graph {
    /// Whether the read may be made to read from a write that is caused by `causes` and comes now.
    pub(crate) fn may_revisit(&self, read: EventId, causes: &Clock) -> bool {
        let stamp = self.event(read).stamp;
        let caused = |id: EventId| causes.of(id.thread) > id.index;
        self.all().all(|(id, event)| {
            let goes = id == read || (event.stamp > stamp && !caused(id));
            !goes || self.was_added_last(id, causes)
        })
    }

    /// Whether an event was added as it is always possible.
    fn was_added_last(&self, id: EventId, causes: &Clock) -> bool {
        let event = self.event(id);
        if let Kind::Choice { .. } = event.label.kind {
            return event.value == 0;
        }
        if !event.label.kind.is_access() {
            return true;
        }
        let caused = |id: EventId| causes.of(id.thread) > id.index;
        let before = |other: EventId| other != id && (self.event(other).stamp < event.stamp || caused(other));
        let records = self.records(event.label.location);
        let last_before = |position: usize| {
            let later = records[position + 1..].iter().filter_map(|record| record.write);
            !later.into_iter().any(|write| before(write) && !self.seen_waiting(write, before))
        };
        if event.label.kind.is_placed() && !event.waits {
            let position = self.position(event.label.location, Some(id));
            // A read that was there before it, and reads from it, was itself gone back to.
            let mut readers = records[position].readers.iter();
            let waited_for = event.label.kind == Kind::Lock
                && records.get(position + 1).is_some_and(|unlock| {
                    unlock.readers.iter().any(|&lock| self.event(lock).waited && before(lock))
                });
            let read = match event.label.kind {
                Kind::Unlock => readers.any(|&lock| !self.event(lock).waited && before(lock)),
                _ => readers.any(|&reader| before(reader)),
            };
            let last = match self.seen_waiting(id, before) {
                true => true,
                false => last_before(position),
            };
            if read || waited_for || !last {
                return false;
            }
        }
        if event.label.kind.has_source() {
            let mut source = event.source;
            if self.seen_waiting(id, before) {
                source = self.lock_of(event.label.location, source);
            }
            return source.is_none_or(before) && last_before(self.position(event.label.location, source));
        }
        true
    }

    /// Whether an event is a lock that has waited, and has got the mutex from an unlock that does not count.
    fn seen_waiting(&self, id: EventId, counts: impl Fn(EventId) -> bool) -> bool {
        let event = self.event(id);
        event.waited && !event.waits && event.source.is_some_and(|unlock| !counts(unlock))
    }

    /// The lock that belongs to an unlock.
    fn lock_of(&self, mutex: u32, unlock: Option<EventId>) -> Option<EventId> {
        self.records(mutex)[self.position(mutex, unlock) - 1].write
    }

    /// The graph without the read and what was added after it, except for what `causes` includes. The read's location
    /// stays known.
    pub(crate) fn before_read(&self, read: EventId, causes: &Clock) -> Graph {
        let stamp = self.event(read).stamp;
        let stays = |id: EventId| self.event(id).stamp < stamp || causes.of(id.thread) > id.index;
        let mut kept = self.restricted(|id, event| {
            // A thread that was created has begun, whether that has caused anything or not.
            let begins = event.label.kind == Kind::Begin && event.source.is_some_and(stays);
            id != read && (stays(id) || begins)
        });
        let location = self.event(read).label.location;
        if !kept.knows(location) {
            kept.know(location, self.locations()[location as usize].initial);
            kept.is_at(location, self.locations()[location as usize].memory);
        }
        for thread in 0..kept.threads() {
            let Some(event) = kept.last(thread).filter(|event| event.waited && !event.waits) else {
                continue;
            };
            let (label, stamp, unlock) = (event.label, event.stamp, event.source);
            if unlock.is_some_and(|unlock| kept.len(unlock.thread) <= unlock.index) {
                kept.remove_last(thread);
                kept.add_waiting(thread, label, self.lock_of(label.location, unlock), Some(stamp));
            }
        }
        kept
    }

    /// The reads of a location (or, of a mutex, the locks) that are not among the causes.
    pub(crate) fn revisitable(&self, location: u32, causes: &Clock) -> Vec<EventId> {
        let readers = self.records(location).iter().flat_map(|record| record.readers.iter().copied());
        readers.filter(|id| causes.of(id.thread) <= id.index && !self.event(*id).waits).collect()
    }

    /// Whether an update that reads the write at this position has no place behind it, and can be given to no read so
    /// that it has one: another update stands there, and will stay.
    pub(crate) fn is_taken_for_good(&self, thread: u32, label: Label, position: usize) -> bool {
        let records = self.records(label.location);
        let Some(next) = records.get(position + 1).filter(|record| record.exclusive) else { return false };
        let source = records[position].write;
        let value =
            source.map_or(self.locations()[label.location as usize].initial, |id| self.event(id).value);
        if label.compare.is_some_and(|(expected, _)| expected != value) {
            return false;
        }
        let mut causes = self.causes_of(thread, label.kind);
        causes.raise(thread, self.len(thread) + 1);
        if let Some(source) = source {
            causes.join(&self.event(source).causes);
        }
        let Some(other) = next.write else { return false };
        let stamp = self.event(other).stamp;
        let goes = causes.of(other.thread) <= other.index;
        // With a read goes all that was added after it.
        let frees = |read: &EventId| self.event(*read).stamp < stamp && self.may_revisit(*read, &causes);
        !(goes && self.revisitable(label.location, &causes).iter().any(frees))
    }

    /// The lock that waits for this mutex, if one was made to.
    pub(crate) fn waiting(&self, location: u32) -> Option<EventId> {
        let mut readers = self.records(location).iter().flat_map(|record| record.readers.iter().copied());
        readers.find(|id| self.event(*id).waits)
    }

    /// The event that holds a mutex, if one does: `None` where it was never taken.
    pub fn holder(&self, location: u32) -> Option<EventId> {
        let last = self.records(location).last().and_then(|record| record.write);
        last.filter(|id| self.event(*id).label.kind == Kind::Lock)
    }
}
