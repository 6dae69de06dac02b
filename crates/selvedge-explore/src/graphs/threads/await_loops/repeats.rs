//! Await loops of a load and a compare-exchange that try again with what they have found: a thread loads, and its compare-exchange fails because it finds
//! something else, or it loads again. If it is then where it would be had the first load found that, it need not be followed
//! any further: it also comes here with fewer events, and with fewer orders between them.

use crate::graphs::threads::{Before, Threads};
use rustc_hash::FxHashMap;
use selvedge_machine::{Alone, Datum, Plain};
use selvedge_relations::{Event, EventId, Graph, Kind, Next};
use selvedge_trace::MemoryOrder;
use serde::{Deserialize, Serialize};

/// A thread that has read something, with all that it did until its next event.
#[derive(Clone, Serialize, Deserialize)]
struct Outcome {
    /// Its state then.
    hash: u128,
    /// What it has read plainly, and not written itself before.
    reads: Vec<Plain>,
    /// Where it has written plainly, and what is there then.
    writes: Vec<(u64, u8, Datum)>,
}

/// What threads do after reads.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Repeats {
    /// Anything is left out because of it.
    leaves_out: bool,
    /// By state before the read, what else the thread had done, and what was read.
    outcomes: FxHashMap<(u128, Alone, u128), Outcome>,
}

impl Repeats {
    pub fn new(leaves_out: bool) -> Self {
        Repeats { leaves_out, outcomes: FxHashMap::default() }
    }

    /// Takes over what another worker has seen.
    pub fn learn(&mut self, other: &Repeats) {
        for (key, outcome) in &other.outcomes {
            self.outcomes.entry(*key).or_insert_with(|| outcome.clone());
        }
    }
}

fn meets(plain: &Plain, address: u64, size: u8) -> bool {
    plain.address < address + u64::from(size) && address < plain.address + u64::from(plain.size)
}

/// Whether nothing can be gone back to and nothing can go: an event that does not read the last store that was there
/// before it, or that was gone back to.
fn stays(graph: &Graph, event: &Event) -> bool {
    let records = graph.records(event.label.location);
    let position = graph.position(event.label.location, event.source);
    let stamp = |write: EventId| graph.event(write).stamp;
    event.source.is_some_and(|source| stamp(source) > event.stamp)
        || records[position + 1..]
            .iter()
            .filter_map(|record| record.write)
            .any(|write| stamp(write) < event.stamp)
}

impl Threads<'_> {
    /// Notes what a thread has done after a read that the machine has just performed.
    pub(crate) fn note_repeat(&mut self, graph: &Graph, id: EventId, index: usize) {
        let own = self.machine.inspect_graph().graph().map_or(0, |own| own.len(index as u32));
        if !self.repeats.leaves_out || own != id.index + 1 || self.machine.outcome().is_some() {
            return;
        }
        let event = graph.event(id);
        let Some(&before) = self.before.get(id.thread as usize).and_then(|before| before.last()) else {
            return;
        };
        let same = before.index == id.index && self.machine.inspect_graph().alone(index) == before.alone;
        if !same || self.is_object(event.label.location) || !self.machine.inspect().is_before_atomic(index) {
            return;
        }
        let Some(datum) = self.datum_of(event) else { return };
        let key = (before.hash, before.alone, datum);
        if self.repeats.outcomes.contains_key(&key) {
            return;
        }
        let accesses: Vec<Plain> = self.machine.inspect_graph().plain_since(index, id.index + 1).collect();
        let (mut reads, mut writes): (Vec<Plain>, Vec<(u64, u8, Datum)>) = (Vec::new(), Vec::new());
        for access in accesses {
            let known =
                |&(address, size, _): &(u64, u8, Datum)| (address, size) == (access.address, access.size);
            match writes.iter().any(known) {
                true => {}
                false if access.writes => writes.push((access.address, access.size, access.found)),
                false => reads.push(access),
            }
        }
        for (address, size, content) in &mut writes {
            *content = self.machine.probe().content(*address, *size);
        }
        let hash = self.machine.inspect().thread_hash(index);
        self.repeats.outcomes.insert(key, Outcome { hash, reads, writes });
    }

    fn datum_of(&self, event: &Event) -> Option<u128> {
        let place = self.places[event.label.location as usize];
        let own = match event.source {
            Some(source) => Some(self.own(source)?),
            None => None,
        };
        self.machine.inspect_graph().datum_at(place, own)
    }

    /// Whether a thread whose compare-exchange has just failed, or that has just loaded, could be here without that.
    pub(crate) fn has_repeated(&mut self, graph: &Graph, thread: u32, index: usize) -> Option<Next> {
        let failed = graph.last(thread).filter(|_| self.repeats.leaves_out)?;
        match failed.label.kind {
            Kind::Read { exclusive: false } => {}
            Kind::Read { exclusive: true } => {
                failed.label.compare.filter(|(expected, _)| *expected != failed.value)?;
            }
            _ => return None,
        }
        if self.is_object(failed.label.location) {
            return None;
        }
        let last = graph.len(thread) - 1;
        let datum = self.datum_of(failed)?;
        let alone = self.machine.inspect_graph().alone(index);
        let now = self.machine.inspect().thread_hash(index);
        let events = graph.events(thread);
        let earlier: Vec<Before> = self.before.get(thread as usize)?.clone();
        for before in earlier.iter().rev().filter(|before| before.index < last) {
            let first = before.index as usize;
            let only_looks = |event: &Event| match event.label.kind {
                Kind::Read { .. } => true,
                Kind::Choice { .. } => event.value == 0,
                Kind::Fence => event.order == MemoryOrder::Acquire,
                _ => false,
            };
            if alone != before.alone || !events[first..].iter().all(|event| only_looks(event)) {
                return None;
            }
            let load = &events[first];
            if load.label.location != failed.label.location {
                continue;
            }
            let order = match load.label.compare {
                Some((expected, _)) if expected == failed.value => continue,
                Some((_, order)) => order,
                None => load.label.order,
            };
            if order != MemoryOrder::Relaxed && order != failed.order {
                continue;
            }
            if self.is_same(index, before, (datum, now), last, order) {
                return Some(self.repeated(graph, (thread, index), before, failed));
            }
        }
        None
    }

    /// Whether a thread that had read this at an earlier load would be where it is, and memory too.
    fn is_same(
        &mut self,
        index: usize,
        before: &Before,
        (datum, now): (u128, u128),
        last: u32,
        order: MemoryOrder,
    ) -> bool {
        let key = (before.hash, before.alone, datum);
        let Some(outcome) = self.repeats.outcomes.get(&key).filter(|outcome| outcome.hash == now) else {
            return false;
        };
        let since: Vec<Plain> = self.machine.inspect_graph().plain_since(index, before.index + 1).collect();
        let (reads, writes) = (&outcome.reads, &outcome.writes);
        let is_written =
            |plain: &Plain| writes.iter().any(|&(at, size, _)| (at, size) == (plain.address, plain.size));
        let is_read = |plain: &Plain| {
            reads.iter().any(|other| (other.address, other.size) == (plain.address, plain.size))
        };
        // What it has written is written there too, and whatever it has accessed is: what races with it races there.
        let covered = since.iter().all(|plain| match plain.writes {
            true => is_written(plain),
            false => is_written(plain) || is_read(plain),
        });
        // Unless the load comes after something there that it did not come after here.
        let early = order != MemoryOrder::Relaxed && since.iter().any(|plain| plain.events <= last);
        if !covered || early {
            return false;
        }
        let unwritten =
            |read: &Plain| !since.iter().any(|plain| plain.writes && meets(plain, read.address, read.size));
        let machine = &mut self.machine;
        reads
            .iter()
            .all(|read| unwritten(read) && machine.probe().content(read.address, read.size) == read.found)
            && writes.iter().all(|&(address, size, datum)| machine.probe().content(address, size) == datum)
    }

    /// What is to be done with a thread that has repeated what it did from a load on.
    fn repeated(
        &mut self,
        graph: &Graph,
        (thread, index): (u32, usize),
        before: &Before,
        failed: &Event,
    ) -> Next {
        let events = &graph.events(thread)[before.index as usize..];
        for event in events {
            if event.label.kind.is_read() {
                self.looks.leave_out(self.places[event.label.location as usize]);
            }
        }
        let plain = self.machine.inspect_graph().plain_accesses(index) != before.plain;
        match !plain && stays(graph, &events[0]) && stays(graph, failed) {
            true => Next::Useless,
            false => Next::Stuck,
        }
    }
}
