//! Coherence and atomicity: which writes a read may read from, and where a write may stand.
//!
//! Both only ever concern an event that was just added: it happens before nothing, so all that can go wrong is that it
//! contradicts what happens before it.

use crate::{Clock, EventId, Graph};

impl Graph {
    /// The last write in the order of a location that happens before something with this past, or that is read by
    /// something that does.
    pub(crate) fn floor(&self, location: u32, past: &Clock) -> usize {
        let is_past = |id: &EventId| past.of(id.thread) > id.index;
        let records = self.records(location);
        let seen = |record: &crate::Record| {
            record.write.as_ref().is_some_and(is_past) || record.readers.iter().any(is_past)
        };
        records.iter().rposition(seen).unwrap_or(0)
    }

    /// The positions in the order of a location from which a thread may read next.
    pub fn readable(&self, thread: u32, location: u32) -> std::ops::Range<usize> {
        self.floor(location, self.past(thread))..self.records(location).len()
    }

    /// Where a thread may put its next write to a location: before which record. A read-modify-write stands behind
    /// what it read, and nothing comes between the two.
    pub fn places(&self, thread: u32, location: u32, exclusive: bool) -> impl Iterator<Item = usize> + '_ {
        let records = self.records(location);
        let (first, last) = match (exclusive, self.last(thread)) {
            (true, Some(read)) => {
                let behind = self.position(location, read.source) + 1;
                (behind, behind)
            }
            _ => (self.floor(location, self.past(thread)) + 1, records.len()),
        };
        (first..=last).filter(|&place| !records.get(place).is_some_and(|record| record.exclusive))
    }
}
