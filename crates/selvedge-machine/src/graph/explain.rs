//! What is weak about an execution: loads that do not see stores that are there, and models that do not allow it.

use super::Place;
use crate::inspect::{InspectGraph, Probe};
use selvedge_relations::{EventId, Kind, Record, Rules};
use selvedge_trace::Model;
use std::hash::{Hash, Hasher};

/// A store of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredBy {
    /// The store.
    pub event: EventId,
    pub thread: usize,
    /// Where in the program.
    pub position: u32,
}

/// What is weak about an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeakBehaviour {
    /// It reads from a store that is not the last.
    Read {
        /// From which; nothing is what was there at first.
        from: Option<StoredBy>,
        /// The next one, which it does not see.
        unseen: StoredBy,
    },
    /// It is put before a store that is there already.
    Write { later: StoredBy },
}

/// What the last access of a thread is in the execution graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphAccess {
    /// How many events the thread has.
    pub events: usize,
    /// The store that it has read; what was there at first if it has read and this is nothing.
    pub source: Option<EventId>,
    /// The store that it is.
    pub store: Option<EventId>,
}

impl InspectGraph<'_> {
    /// The last access of a thread.
    pub fn last_access(self, thread: usize) -> Option<GraphAccess> {
        let events = self.machine.model.graph()?.graph.events(thread as u32);
        let last = events.last()?;
        let exclusive = matches!(last.label.kind, Kind::Write { exclusive: true });
        let read = if exclusive { events.len().checked_sub(2).map(|at| &events[at])? } else { last };
        let store = matches!(last.label.kind, Kind::Write { .. });
        let id = EventId { thread: thread as u32, index: events.len() as u32 - 1 };
        Some(GraphAccess { events: events.len(), source: read.source, store: store.then_some(id) })
    }

    /// What is weak about the atomic access that a thread has just performed.
    pub fn weak_behaviour(self, thread: usize) -> Option<WeakBehaviour> {
        let execution = self.machine.model.graph()?;
        let events = execution.graph.events(thread as u32);
        let last = events.len().checked_sub(1)?;
        let told = |id: EventId| {
            let position = execution.stored.get(&id)?.1;
            Some(StoredBy { event: id, thread: id.thread as usize, position })
        };
        let own = |id: &EventId| id.thread == thread as u32 && id.index as usize == last;
        let next = |records: &[Record]| records.iter().find_map(|record| record.write.filter(|id| !own(id)));
        let event = match events[last].label.kind {
            Kind::Write { exclusive: true } => events.get(last.checked_sub(1)?)?,
            _ => &events[last],
        };
        let records = |position: usize| &execution.graph.records(event.label.location)[position + 1..];
        match event.label.kind {
            Kind::Read { .. } => {
                let position = execution.graph.position(event.label.location, event.source);
                let unseen = told(next(records(position))?)?;
                Some(WeakBehaviour::Read { from: event.source.and_then(told), unseen })
            }
            Kind::Write { .. } => {
                let id = EventId { thread: thread as u32, index: last as u32 };
                let position = execution.graph.position(event.label.location, Some(id));
                Some(WeakBehaviour::Write { later: told(next(records(position))?)? })
            }
            _ => None,
        }
    }

    /// What a store to a place has stored, or what was there at first, with all that is known of it; nothing if the place
    /// is another one by now or was not accessed yet.
    pub fn datum_at(self, place: Place, store: Option<EventId>) -> Option<u128> {
        let execution = self
            .machine
            .model
            .graph()
            .filter(|execution| execution.generation(place.address) == place.generation)?;
        let &(_, location) = execution.places.get(&place.address).filter(|(size, _)| *size == place.size)?;
        let datum = match store {
            Some(store) => execution.stored.get(&store)?.0,
            None => execution.initial[location as usize],
        };
        let upper = execution.upper(location, store);
        let half = |salt: u64| {
            let mut hasher = rustc_hash::FxHasher::default();
            (salt, datum.value, datum.provenance.0, datum.undefined).hash(&mut hasher);
            if let Some(upper) = upper {
                (upper.value, upper.provenance.0, upper.undefined).hash(&mut hasher);
            }
            u128::from(hasher.finish())
        };
        Some(half(1) << 64 | half(2))
    }

    /// Which of the stronger models allow this execution too, the weakest first; nothing where the machine keeps no
    /// graph. Whether `mca` does is known only where dependencies are followed.
    pub fn also_allowed(self) -> Option<Vec<Model>> {
        let execution = self.machine.model.graph()?;
        let known = |rules: Rules| rules != Rules::Mca || execution.dependencies.is_some();
        let allows = |rules: Rules| known(rules) && execution.graph.is_acyclic(rules);
        let stronger = Model::Rc11.row().stronger.iter().copied();
        Some(stronger.filter(|&model| Rules::of_graphs(model).is_some_and(allows)).collect())
    }
}

impl Probe<'_> {
    /// A hash of all that the rest of an execution depends on besides the graph: threads, memory, and what later
    /// accesses may race with. What memory remembers of having been hashed is forgotten again.
    pub fn hash_beside_graph(&mut self) -> u128 {
        let before = self.machine.snapshot();
        let hash = self.machine.state_hash();
        self.machine.restore(&before);
        hash.wrapping_add(self.machine.model.graph().map_or(0, |execution| execution.history.hash()))
    }
}
