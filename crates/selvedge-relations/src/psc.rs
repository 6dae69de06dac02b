//! RC11's partial order of sequentially consistent events: `psc` must have no cycle.
//!
//! With `scb = sb ∪ sb≠loc;hb;sb≠loc ∪ hb|loc ∪ mo ∪ fr`, two SC events are ordered by `([SC] ∪ [F];hb?) ; scb ; ([SC]
//! ∪ hb?;[F])`, and two SC fences also by `hb ∪ hb;eco;hb`.

use crate::acyclic::has_circle;
use crate::{Event, EventId, Graph, Kind};
use selvedge_trace::mutants::{Mutant, mutant};
use smallvec::SmallVec;

/// The accesses to a location in the order of `eco`: of two with different keys the first comes before the second.
/// Writes have even keys, what reads from them the next one.
fn keyed(graph: &Graph, location: u32) -> Vec<(usize, EventId)> {
    let mut keyed = Vec::new();
    for (position, record) in graph.records(location).iter().enumerate() {
        keyed.extend(record.write.map(|write| (2 * position, write)));
        keyed.extend(record.readers.iter().map(|&reader| (2 * position + 1, reader)));
    }
    keyed
}

struct Order<'a> {
    graph: &'a Graph,
    events: Vec<EventId>,
    edges: Vec<bool>,
}

impl Graph {
    pub(crate) fn psc_is_acyclic(&self) -> bool {
        let counts = |event: &Event| {
            event.is_sequential() && !(event.label.kind == Kind::Fence && mutant(Mutant::ScFenceIgnored))
        };
        let events: Vec<_> = self.all().filter(|(_, event)| counts(event)).map(|(id, _)| id).collect();
        // A cycle has at least two.
        if events.len() < 2 {
            return true;
        }
        let count = events.len();
        let mut order = Order { graph: self, edges: vec![false; count * count], events };
        order.by_program();
        order.by_locations();
        !has_circle(count, |from, into| {
            into.extend((0..count).filter(|to| order.edges[from * count + to]));
        })
    }
}

impl Order<'_> {
    fn is_fence(&self, id: EventId) -> bool {
        self.graph.event(id).label.kind == Kind::Fence
    }

    fn location(&self, id: EventId) -> Option<u32> {
        let label = self.graph.event(id).label;
        let memory = |location: u32| self.graph.locations()[location as usize].memory;
        label.kind.is_access().then(|| memory(label.location))
    }

    fn same_location(&self, first: EventId, second: EventId) -> bool {
        self.location(first).is_some() && self.location(first) == self.location(second)
    }

    fn before(&self, first: EventId, second: EventId) -> bool {
        first != second && self.graph.happens_before(first, second)
    }

    /// `sb ∪ sb≠loc;hb;sb≠loc ∪ hb|loc`
    fn ordered(&self, first: EventId, second: EventId) -> bool {
        if !self.before(first, second) {
            return false;
        }
        if first.thread == second.thread || self.same_location(first, second) {
            return true;
        }
        let other = |of: EventId, index: u32| {
            Some(EventId { thread: of.thread, index }).filter(|&id| !self.same_location(of, id))
        };
        // The nearest ones decide: what is further away happens before less.
        let leaving = (first.index + 1..self.graph.len(first.thread)).find_map(|index| other(first, index));
        let arriving = (0..second.index).rev().find_map(|index| other(second, index));
        leaving.zip(arriving).is_some_and(|(leaving, arriving)| self.before(leaving, arriving))
    }

    /// The part of `psc` without `mo` and `fr`.
    fn by_program(&mut self) {
        let count = self.events.len();
        for from in 0..count {
            for to in 0..count {
                let (first, second) = (self.events[from], self.events[to]);
                if !self.before(first, second) {
                    continue;
                }
                self.edges[from * count + to] |= match (self.is_fence(first), self.is_fence(second)) {
                    (true, true) => true,
                    (false, false) => self.ordered(first, second),
                    (true, false) => {
                        self.ordered(first, second)
                            || (self.graph.all())
                                .any(|(id, _)| self.before(first, id) && self.ordered(id, second))
                    }
                    (false, true) => {
                        self.ordered(first, second)
                            || (self.graph.all())
                                .any(|(id, _)| self.ordered(first, id) && self.before(id, second))
                    }
                };
            }
        }
    }

    /// The part with `mo`, `fr` and `eco`.
    fn by_locations(&mut self) {
        let count = self.events.len();
        let fences: Vec<usize> = (0..count).filter(|&at| self.is_fence(self.events[at])).collect();
        for location in 0..self.graph.locations().len() as u32 {
            // The SC events that come before an access with a smaller key, and with the same one.
            let (mut earlier, mut same, mut key) = (vec![false; count], Vec::new(), 0);
            for (next, id) in keyed(self.graph, location) {
                if next != key {
                    same.drain(..).for_each(|at: usize| earlier[at] = true);
                    key = next;
                }
                let own = self.events.binary_search(&id).ok();
                let after = fences.iter().copied().filter(|&at| self.before(id, self.events[at]));
                let writes = key % 2 == 0;
                // `mo` and `fr` lead to writes; between fences any `eco` counts.
                let targets: SmallVec<[usize; 8]> = own.filter(|_| writes).into_iter().chain(after).collect();
                if !targets.is_empty() {
                    for from in (0..count).filter(|&from| earlier[from]) {
                        if writes || self.is_fence(self.events[from]) {
                            targets.iter().for_each(|to| self.edges[from * count + to] = true);
                        }
                    }
                }
                let before = fences.iter().copied().filter(|&at| self.before(self.events[at], id));
                same.extend(own.into_iter().chain(before));
            }
        }
    }
}
