//! Data races: conflicting accesses, at least one of them not atomic, of which neither happens before the other.

use crate::event::Orders;
use crate::{EventId, Graph};

impl Graph {
    /// An access that races with this one and does not happen after it.
    pub fn race(&self, id: EventId) -> Option<EventId> {
        let event = self.event(id);
        if !(event.label.kind.is_read() || event.label.kind.is_write()) {
            return None;
        }
        let plain = !event.order.atomic();
        let races = |other: &EventId| {
            let other_event = self.event(*other);
            other.thread != id.thread
                && (plain || !other_event.order.atomic())
                && !self.happens_before(*other, id)
                && !self.happens_before(id, *other)
        };
        let records = self.records(event.label.location);
        let writes = records.iter().filter_map(|record| record.write);
        let found = writes.into_iter().find(&races);
        if found.is_some() || event.label.kind.is_read() {
            return found;
        }
        records.iter().flat_map(|record| record.readers.iter().copied()).find(races)
    }
}
