//! RC11's partial order of sequentially consistent events: `psc` must have no cycle.
//!
//! With `scb = sb ∪ sb≠loc;hb;sb≠loc ∪ hb|loc ∪ mo ∪ fr`, two SC events are ordered by `([SC] ∪ [F];hb?) ; scb ; ([SC]
//! ∪ hb?;[F])`, and two SC fences also by `hb ∪ hb;eco;hb`.

use crate::acyclic::has_cycle;
use crate::cycle::Reason;
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

/// `psc` of a graph.
pub(crate) struct Order<'a> {
    graph: &'a Graph,
    /// The sequentially consistent events.
    events: Vec<EventId>,
    /// Whether the one comes before the other, row by row.
    edges: Vec<bool>,
}

impl Graph {
    pub(crate) fn psc_is_acyclic(&self) -> bool {
        let order = Order::new(self);
        !has_cycle(order.events.len(), |from, into| order.successors(from, into))
    }
}

impl<'a> Order<'a> {
    pub(crate) fn new(graph: &'a Graph) -> Self {
        let counts = |event: &Event| {
            event.is_sequential() && !(event.label.kind == Kind::Fence && mutant(Mutant::ScFenceIgnored))
        };
        let events: Vec<_> = graph.all().filter(|(_, event)| counts(event)).map(|(id, _)| id).collect();
        let mut order = Order { graph, edges: Vec::new(), events };
        // A cycle has at least two.
        if order.events.len() < 2 {
            order.events.clear();
            return order;
        }
        order.edges = vec![false; order.events.len() * order.events.len()];
        order.by_program();
        order.by_locations();
        order
    }

    pub(crate) fn events(&self) -> &[EventId] {
        &self.events
    }

    /// The events before which an event comes.
    pub(crate) fn successors(&self, from: usize, into: &mut Vec<usize>) {
        let count = self.events.len();
        into.extend((0..count).filter(|to| self.edges[from * count + to]));
    }

    /// Why an event comes before one of its successors: by happens-before if that is enough, else by the order of a
    /// location, with the two accesses to it.
    pub(crate) fn reason(&self, from: EventId, to: EventId) -> Reason {
        let fence = |id| self.is_fence(id);
        let by_program = self.ordered(from, to)
            || (fence(from) && fence(to) && self.before(from, to))
            || (fence(from) && self.graph.all().any(|(id, _)| self.before(from, id) && self.ordered(id, to)))
            || (fence(to) && self.graph.all().any(|(id, _)| self.ordered(from, id) && self.before(id, to)));
        if by_program {
            return if from.thread == to.thread { Reason::ProgramOrder } else { Reason::HappensBefore };
        }
        let stands = |at: EventId, id: EventId| at == id;
        for location in 0..self.graph.locations().len() as u32 {
            let keyed = keyed(self.graph, location);
            for &(key, first) in &keyed {
                let leaves = stands(from, first) || (fence(from) && self.before(from, first));
                for &(later, second) in keyed.iter().filter(|(later, _)| leaves && *later > key) {
                    let arrives = stands(to, second) || (fence(to) && self.before(second, to));
                    if arrives && (later % 2 == 0 || fence(from)) {
                        let relation = match (key % 2, later % 2) {
                            (0, 1) if later == key + 1 => Reason::ReadsFrom,
                            (0, _) => Reason::ModificationOrder,
                            _ => Reason::FromRead,
                        };
                        return match (stands(from, first), stands(to, second)) {
                            (true, true) => relation,
                            _ => Reason::Fenced { first, second, relation: Box::new(relation) },
                        };
                    }
                }
            }
        }
        Reason::HappensBefore
    }

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
