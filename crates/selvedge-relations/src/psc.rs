//! RC11's partial order of sequentially consistent events: `psc` must have no circle.
//!
//! With `scb = sb ∪ sb≠loc;hb;sb≠loc ∪ hb|loc ∪ mo ∪ fr`, two SC events are ordered by
//! `([SC] ∪ [F];hb?) ; scb ; ([SC] ∪ hb?;[F])`, and two SC fences also by `hb ∪ hb;eco;hb`.

use crate::acyclic::has_circle;
use crate::{EventId, Graph, Kind};

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
        let events: Vec<_> =
            self.all().filter(|(_, event)| event.is_sequential()).map(|(id, _)| id).collect();
        // A circle has at least two.
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
        label.kind.is_access().then_some(label.location)
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
        for location in 0..self.graph.locations().len() as u32 {
            let keyed = keyed(self.graph, location);
            // Of every access: the SC events that come before it, and those that come after it. Fences count apart.
            let (mut sources, mut targets) = (Vec::new(), Vec::new());
            for &(_, id) in &keyed {
                let all = 0..count;
                sources.push(
                    all.clone().filter(|&at| self.counts(self.events[at], id, true)).collect::<Vec<_>>(),
                );
                targets.push(all.filter(|&at| self.counts(self.events[at], id, false)).collect::<Vec<_>>());
            }
            for (i, &(first_key, _)) in keyed.iter().enumerate() {
                for (j, &(second_key, _)) in keyed.iter().enumerate() {
                    if first_key >= second_key {
                        continue;
                    }
                    let writes = second_key % 2 == 0;
                    for &from in &sources[i] {
                        for &to in &targets[j] {
                            // `mo` and `fr` lead to writes; between fences any `eco` counts.
                            let fences = self.is_fence(self.events[from]) && self.is_fence(self.events[to]);
                            self.edges[from * count + to] |= writes || fences;
                        }
                    }
                }
            }
        }
    }

    /// Whether an SC event is this access itself, or a fence that happens before (or after) it.
    fn counts(&self, sc: EventId, access: EventId, first: bool) -> bool {
        match self.is_fence(sc) {
            true if first => self.before(sc, access),
            true => self.before(access, sc),
            false => sc == access,
        }
    }
}
