//! Time under the language's memory model: every thread has its own, and it goes on with what the thread sees of others.
//!
//! Who reads what was written, takes what was given back or joins a thread does so later than that was done, whatever the
//! memory orders are. So the time of an event is determined by its thread and by the events that it is caused by, which is
//! what executions may depend on.

use super::ExecutionGraph;
use selvedge_relations::{EventId, Kind};
use std::sync::Arc;

impl ExecutionGraph {
    /// A thread has made a step; `before` is how many events each thread had.
    pub(super) fn note_times(&mut self, stepping: u32, before: &[u32]) {
        for thread in 0..self.graph.threads() {
            let known = before.get(thread as usize).copied().unwrap_or(0);
            // Its last lock may have waited until now.
            let from = if thread == stepping { known.saturating_sub(1) } else { known };
            for index in from..self.graph.len(thread) {
                self.note_time(EventId { thread, index });
            }
        }
    }

    fn note_time(&mut self, id: EventId) {
        let event = self.graph.event(id);
        let seen = match event.label.kind {
            Kind::Join { child } => self.clocks.get(child as usize).copied(),
            _ => event.source.and_then(|source| self.times.get(&source).copied()),
        };
        let Some(own) = self.clocks.get_mut(id.thread as usize) else { return };
        *own = (*own).max(seen.unwrap_or(0));
        let time = *own;
        if self.times.get(&id) != Some(&time) {
            Arc::make_mut(&mut self.times).insert(id, time);
        }
    }
}
