//! Await loops of a single read: a thread reads until it finds another value.
//!
//! A read that leads back to where the thread was need not be an event: whatever the thread finds in the end it could
//! have found the first time. Rounds of several reads are recognised when they are over. What is left out here are
//! atomic loads, and those can race with plain stores: where any thread stores plainly, all reads are events.

use crate::graphs::threads::{Before, Threads};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_machine::Place;
use selvedge_relations::{Event, EventId, Graph, Kind, Label};

/// Which reads are repeated, and what follows from that.
pub struct Looks {
    /// Looks may be left out.
    leaves_out: bool,
    /// Whether a thread in a state that finds something at a place comes back to that state.
    known: FxHashMap<(u128, u128, bool), bool>,
    /// Where each thread looks now, and whether it fails for no reason.
    places: Vec<Option<(Place, bool)>>,
    /// Addresses at which loads were left out, and sizes.
    left_out: FxHashSet<(u64, u64)>,
    /// How much of both was compared.
    compared: (usize, usize),
}

impl Looks {
    pub fn new(leaves_out: bool) -> Self {
        let (known, left_out) = (FxHashMap::default(), FxHashSet::default());
        Looks { leaves_out, known, places: Vec::new(), left_out, compared: (0, 0) }
    }

    pub fn place_of(&self, thread: u32) -> Option<(Place, bool)> {
        self.places.get(thread as usize).copied().flatten()
    }

    pub(crate) fn leave_out(&mut self, place: Place) {
        self.left_out.insert((place.address, u64::from(place.size)));
    }

    /// The memory of which loads were left out.
    pub fn left_out(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.left_out.iter().copied()
    }
}

/// Whether any of some pieces of memory is among others.
pub fn meet(some: &FxHashSet<(u64, u64)>, others: &FxHashSet<(u64, u64)>) -> bool {
    some.iter().any(|&(at, size)| {
        others.iter().any(|&(other, other_size)| at < other + other_size && other < at + size)
    })
}

impl Threads<'_> {
    /// Whether a load was left out that a plain store may race with.
    pub fn leaves_out_too_much(&mut self) -> bool {
        let compared = (self.looks.left_out.len(), self.machine.inspect_graph().count_plainly_written());
        if compared == self.looks.compared || compared.0 == 0 {
            return false;
        }
        self.looks.compared = compared;
        meet(&self.looks.left_out, &self.machine.inspect_graph().plainly_written().collect())
    }

    /// Whether what a thread is about to read has a value now that leads it back to where it is.
    pub(crate) fn looks_in_vain(&mut self, graph: &Graph, thread: u32, index: usize, label: Label) -> bool {
        let slot = thread as usize;
        if self.looks.places.len() <= slot {
            self.looks.places.resize(slot + 1, None);
        }
        self.looks.places[slot] = None;
        if !self.looks.leaves_out {
            return false;
        }
        let place = self.places[label.location as usize];
        let chosen = graph.last(thread).filter(|event| matches!(event.label.kind, Kind::Choice { .. }));
        let fails = chosen.is_some_and(|event| event.value == 1);
        let sources: Vec<Option<EventId>> = match graph.knows(label.location) {
            true => {
                let records = graph.records(label.location);
                graph.readable(thread, label.location).map(|position| records[position].write).collect()
            }
            false => vec![None],
        };
        let vain = sources.into_iter().any(|source| !self.lets_go_on(graph, index, place, fails, source));
        if vain {
            self.looks.places[slot] = Some((place, fails));
            self.looks.leave_out(place);
        }
        vain
    }

    /// Whether a thread goes on if it reads from this store.
    pub(crate) fn lets_go_on(
        &mut self,
        graph: &Graph,
        index: usize,
        place: Place,
        fails: bool,
        source: Option<EventId>,
    ) -> bool {
        let location = self.numbers.get(&place).copied().unwrap_or_default();
        let own = source.and_then(|source| self.own(source));
        let datum = self.machine.inspect_graph().datum_at(place, own).unwrap_or_else(|| match source {
            Some(source) => u128::from(graph.event(source).value),
            None if graph.knows(location) => u128::from(graph.locations()[location as usize].initial),
            None => u128::from(self.machine.probe().initial_at(place)),
        });
        let key = (self.machine.inspect().thread_hash(index), datum, fails);
        if let Some(&known) = self.looks.known.get(&key) {
            return !known;
        }
        let alternative = self.machine.inspect_graph().alternative_at(place, own, true);
        let comes_back = alternative.is_some_and(|alternative| {
            self.machine.probe().comes_back(index, alternative | u32::from(fails), place.address)
        });
        self.looks.known.insert(key, comes_back);
        !comes_back
    }

    /// Whether a round is over that will stay in the graph whatever is added, and that need not be explored: it only
    /// loads, and one of its loads does not read the last store that was there. In other executions it does; and all
    /// that others do here they do there.
    pub(crate) fn is_useless(&mut self, graph: &Graph, thread: u32, index: usize, before: Before) -> bool {
        let now = self.before_read(index, graph.len(thread));
        if !self.looks.leaves_out || now.plain != before.plain {
            return false;
        }
        let events = graph.events(thread);
        let from = before.index as usize;
        let is_choice = |event: &Event| matches!(event.label.kind, Kind::Choice { .. });
        let from = from.checked_sub(1).filter(|&choice| is_choice(&events[choice])).unwrap_or(from);
        let mut stays = false;
        for event in &events[from..] {
            match event.label.kind {
                Kind::Fence => {}
                Kind::Choice { .. } => stays |= event.value != 0,
                Kind::Read { .. } if !self.is_object(event.label.location) => {
                    let records = graph.records(event.label.location);
                    let position = graph.position(event.label.location, event.source);
                    let earlier = |write: EventId| graph.event(write).stamp < event.stamp;
                    let mut later = records[position + 1..].iter().filter_map(|record| record.write);
                    stays |= later.any(earlier);
                }
                _ => return false,
            }
        }
        if stays {
            for event in &events[from..] {
                if event.label.kind.is_read() {
                    self.looks.leave_out(self.places[event.label.location as usize]);
                }
            }
        }
        stays
    }
}
