//! What a machine can show: the order in which its accesses take effect must have no cycle.
//!
//! A machine is described by what it keeps of program order. Between threads, a write takes effect before an event that
//! reads it, and writes and reads of one location in the order of that location: all threads see one order of effects,
//! which is what multi-copy atomicity means. That a thread reads its own write early orders nothing.

use crate::acyclic::has_cycle;
use crate::cycle::Reason;
use crate::event::Orders;
use crate::{Event, EventId, Graph, Kind, Rules};

/// What was seen of barriers between two events of a thread.
#[derive(Clone, Copy, Default)]
struct Between {
    /// Everything before comes before everything after.
    full: bool,
    /// Everything before comes before writes after.
    release: bool,
    /// Reads before come before everything after.
    acquire: bool,
}

impl Between {
    fn pass(&mut self, event: &Event, rules: Rules) {
        let order = event.order;
        match event.label.kind {
            Kind::Fence => {
                self.full |= order.sequential();
                self.release |= order.releases();
                self.acquire |= order.acquires();
            }
            // On x86 whatever is locked drains the buffer, and a sequentially consistent store is.
            Kind::Write { exclusive } => {
                self.full |= rules == Rules::Tso && (exclusive || order.sequential())
            }
            Kind::Create { .. } | Kind::Join { .. } | Kind::Begin => self.full = true,
            Kind::Lock | Kind::Unlock => self.full |= rules == Rules::Tso,
            Kind::Read { .. } | Kind::Finish | Kind::Choice { .. } => {}
        }
    }
}

fn writes(event: &Event) -> bool {
    event.label.kind.is_placed()
}

fn reads(event: &Event) -> bool {
    event.label.kind.has_source()
}

/// Threads come and go with everything in order.
fn is_border(event: &Event) -> bool {
    matches!(event.label.kind, Kind::Create { .. } | Kind::Join { .. } | Kind::Begin)
}

/// Whether the machine keeps two events of a thread in their order. `distance` is how far apart they are.
fn kept(rules: Rules, first: &Event, between: Between, second: &Event, distance: u32) -> bool {
    // A fence has no effect of its own: it is between others.
    let nothing =
        |event: &Event| matches!(event.label.kind, Kind::Fence | Kind::Finish | Kind::Choice { .. });
    if nothing(first) || nothing(second) {
        return false;
    }
    if between.full || rules == Rules::Sc || is_border(first) || is_border(second) {
        return true;
    }
    let acquires = first.label.kind == Kind::Lock || (reads(first) && first.order.acquires());
    let releases = second.label.kind == Kind::Unlock || (writes(second) && second.order.releases());
    if acquires || releases {
        return true;
    }
    if rules == Rules::Tso {
        let drains = first.order.sequential()
            || matches!(first.label.kind, Kind::Write { exclusive: true } | Kind::Lock | Kind::Unlock);
        return reads(first) || writes(second) || drains;
    }
    (between.release && writes(second))
        || (between.acquire && reads(first))
        || (writes(first) && reads(second) && first.order.sequential() && second.order.sequential())
        || (reads(first) && distance <= 64 && second.label.depends >> (distance - 1) & 1 != 0)
        // Nothing overtakes what is before it at its own location by writing there; so the two halves of an update too.
        || (writes(second) && first.label.location == second.label.location)
}

/// The order of effects of a graph's events under some rules.
pub(crate) struct Effects<'a> {
    graph: &'a Graph,
    rules: Rules,
    /// All events, and where those of each thread begin among them.
    ids: Vec<EventId>,
    first: Vec<usize>,
    /// Threads that are joined, and the events that join them.
    joins: Vec<(u32, EventId)>,
}

impl<'a> Effects<'a> {
    pub(crate) fn new(graph: &'a Graph, rules: Rules) -> Self {
        let ids: Vec<EventId> = graph.all().map(|(id, _)| id).collect();
        let mut first = vec![0; graph.threads() as usize + 1];
        for thread in 0..graph.threads() {
            first[thread as usize + 1] = first[thread as usize] + graph.len(thread) as usize;
        }
        let joined = |&id: &EventId| match graph.event(id).label.kind {
            Kind::Join { child } => Some((child, id)),
            _ => None,
        };
        let joins = ids.iter().filter_map(joined).collect();
        Effects { graph, rules, ids, first, joins }
    }

    pub(crate) fn events(&self) -> &[EventId] {
        &self.ids
    }

    fn number(&self, id: EventId) -> usize {
        self.first[id.thread as usize] + id.index as usize
    }

    /// The events before which the effect of an event comes.
    pub(crate) fn successors(&self, node: usize, into: &mut Vec<usize>) {
        let id = self.ids[node];
        let event = self.graph.event(id);
        let mut between = Between::default();
        let later = &self.graph.events(id.thread)[id.index as usize + 1..];
        for (distance, later) in (1..).zip(later) {
            if kept(self.rules, event, between, later, distance) {
                into.push(node + distance as usize);
            }
            between.pass(later, self.rules);
        }
        match event.label.kind {
            Kind::Create { child } if self.graph.len(child) > 0 => {
                into.push(self.number(EventId { thread: child, index: 0 }));
            }
            kind if kind.is_access() && !event.waits => {
                into.extend(self.graph.observed(id, event).map(|other| self.number(other)));
            }
            _ => {}
        }
        let joined = self.joins.iter().filter(|(child, _)| *child == id.thread);
        into.extend(joined.map(|(_, join)| self.number(*join)));
    }

    /// Why the effect of an event comes before that of one of its successors.
    pub(crate) fn reason(&self, from: EventId, to: EventId) -> Reason {
        if from.thread == to.thread {
            return Reason::ProgramOrder;
        }
        let (event, other) = (self.graph.event(from), self.graph.event(to));
        match (event.label.kind, other.label.kind) {
            (Kind::Create { child }, _) if child == to.thread => Reason::Created,
            (_, Kind::Join { child }) if child == from.thread => Reason::Joined,
            _ if writes(event) && other.label.kind.has_source() && other.source == Some(from) => {
                Reason::ReadsFrom
            }
            _ if writes(event) => Reason::ModificationOrder,
            _ => Reason::FromRead,
        }
    }
}

impl Graph {
    pub(crate) fn observation_is_acyclic(&self, rules: Rules) -> bool {
        let effects = Effects::new(self, rules);
        !has_cycle(effects.events().len(), |node, into| effects.successors(node, into))
    }

    /// What the effect of an access comes before in other threads.
    fn observed(&self, id: EventId, event: &Event) -> impl Iterator<Item = EventId> {
        let records = self.records(event.label.location);
        let writes = event.label.kind.is_placed();
        let at = if writes { Some(id) } else { event.source };
        let position = self.position(event.label.location, at);
        let readers = if writes { records[position].readers.as_slice() } else { &[] };
        let later = records[position + 1..].iter().filter_map(|record| record.write);
        readers.iter().copied().chain(later).filter(move |other| other.thread != id.thread)
    }
}
