//! What of operational RC11 belongs to a state: of everything that may still matter, which threads know of it.
//!
//! Clocks only ever grow by joining others, so all that they say about the rest of an execution is which accesses and
//! stores they contain. Of these only those count that not every thread knows that can still act.

use super::locations::{Location, Maker};
use super::{Class, Known, Operational, Past, live};
use crate::model::Datum;
use crate::parts::{PartKind, Parts};
use crate::words::Words;
use selvedge_relations::Clock;
use std::cell::RefCell;
use std::hash::Hasher;
use std::sync::Arc;

/// A thread or object that knows: a name, and what.
type Knower<'a> = (u64, &'a Clock);

/// What threads are called.
type Names<'a> = &'a dyn Fn(usize) -> u64;

/// Addresses have 48 bits; the upper ones say what is there.
const KINDS: u32 = 58;
const STORES: u32 = 50;

fn name(kind: u64, of: u64) -> u64 {
    kind << KINDS | of
}

fn object((address, class): (u64, Class)) -> u64 {
    match class {
        Class::Lock => address,
        Class::Queue => address | 1 << 48,
    }
}

/// Parts of what a thread knows through fences.
const FENCES: u8 = 0;
const COHERENT: u8 = 1;
const COHERENT_STORE: u8 = 2;

/// A clock that knows nothing is left out.
fn add<'a>(knowers: &mut Vec<Knower<'a>>, name: u64, clock: &'a Clock) {
    if !clock.is_empty() {
        knowers.push((name, clock));
    }
}

/// All that know, in an order that does not depend on how they came to.
#[derive(Default)]
struct Knowers<'a> {
    happens: Vec<Knower<'a>>,
    fences: Vec<((u64, u8), &'a Clock)>,
    order: Vec<Knower<'a>>,
    strict: Vec<Knower<'a>>,
    live: Vec<(u32, &'a Known)>,
    /// Lists of knowers are not to be replaced by their hashes.
    exact: bool,
    /// Hashes of the threads and objects that know of a stretch of a thread.
    named: RefCell<Vec<((u32, u32), u128)>>,
}

impl<'a> Knowers<'a> {
    fn new(operational: &'a Operational, names: Names<'_>, exact: bool) -> Self {
        let mut knowers = Knowers { exact, ..Knowers::default() };
        for (index, known) in operational.threads.iter().enumerate().filter(|(_, known)| !known.gone) {
            let own = names(index);
            knowers.add_past(name(0, own), &known.past);
            add(&mut knowers.order, name(0, own), &known.order);
            if !known.ended {
                knowers.add_past(name(1, own), &known.pending);
                knowers.add_past(name(2, own), &known.released);
                add(&mut knowers.strict, name(0, own), &known.strict);
                knowers.live.push((index as u32, known));
            }
        }
        let places = operational.locations.iter().map(|(&address, location)| (address, location));
        let objects = operational.objects.iter().map(|(&at, location)| (object(at), location));
        let places = places.map(|place| (3, place)).chain(objects.map(|place| (5, place)));
        for (kind, (address, location)) in places {
            let from = location.readable_from(&operational.threads);
            for (at, stored) in (0..).zip(&location.stores[from..]) {
                let stored_at = name(kind, address) | at << STORES;
                knowers.add_past(stored_at, &stored.released);
                knowers.add_fence(stored_at, COHERENT_STORE, &stored.coherent);
                add(&mut knowers.order, stored_at, &stored.order);
                add(&mut knowers.strict, stored_at, &stored.strict);
            }
            let at = name(kind + 1, address);
            knowers.add_fence(at, COHERENT_STORE, &location.coherent);
            add(&mut knowers.order, at, &location.read);
            add(&mut knowers.strict, at, &location.strictly_read);
            add(&mut knowers.strict, at | 1 << STORES, &location.strictly_written);
        }
        for list in [&mut knowers.happens, &mut knowers.order, &mut knowers.strict] {
            list.sort_unstable_by_key(|(name, _)| *name);
        }
        knowers.fences.sort_unstable_by_key(|(name, _)| *name);
        knowers
    }

    fn add_past(&mut self, name: u64, past: &'a Past) {
        add(&mut self.happens, name, &past.happens);
        self.add_fence(name, FENCES, &past.fences);
        self.add_fence(name, COHERENT, &past.coherent);
    }

    fn add_fence(&mut self, name: u64, part: u8, clock: &'a Clock) {
        if !clock.is_empty() {
            self.fences.push(((name, part), clock));
        }
    }

    /// Whether all threads that can still act come after something that a thread did in a stretch.
    fn all_know(&self, did: (u32, u32)) -> bool {
        self.live.iter().all(|(thread, known)| known.knows(*thread, did))
    }

    /// Names all threads that come after something that a thread did in a stretch; where sums will do, by a hash.
    fn name_happens(&self, did: (u32, u32), words: &mut Words) {
        if self.exact {
            return name_knowers(&self.happens, |clock| clock.of(did.0) > did.1, words);
        }
        let mut named = self.named.borrow_mut();
        let digest = match named.iter().find(|(known, _)| *known == did) {
            Some((_, digest)) => *digest,
            None => {
                let mut list = Words::new(0);
                name_knowers(&self.happens, |clock| clock.of(did.0) > did.1, &mut list);
                named.push((did, list.digest()));
                list.digest()
            }
        };
        words.write_u64(digest as u64);
        words.write_u64((digest >> 64) as u64);
    }
}

fn name_knowers(knowers: &[Knower<'_>], knows: impl Fn(&Clock) -> bool, words: &mut Words) {
    for (name, _) in knowers.iter().filter(|(_, clock)| knows(clock)) {
        words.write_u64(*name);
    }
    words.write_u64(u64::MAX);
}

impl Location {
    /// Which of its stores is the first that a thread which can act may read.
    pub(super) fn readable_from(&self, threads: &[Arc<Known>]) -> usize {
        if self.stores.len() == 1 {
            return 0;
        }
        live(threads)
            .map(|(thread, known)| self.known_from(known, thread))
            .min()
            .unwrap_or(self.stores.len() - 1)
    }
}

impl Operational {
    /// Adds what belongs to the state.
    pub(crate) fn parts(&self, names: Names<'_>, parts: &mut Parts<'_>) {
        let knowers = Knowers::new(self, names, matches!(parts, Parts::Bytes(_)));
        let mut add = |words: Words| parts.add(PartKind::Known, &words);
        self.history.each(&mut |word, access| {
            let did = (access.thread, access.before);
            if !knowers.all_know(did) {
                let mut words = Words::new(name(20, word));
                words.write_u64(names(access.thread as usize));
                words.write_u64(
                    u64::from(access.bytes) << 2 | u64::from(access.writes) << 1 | u64::from(access.atomic),
                );
                knowers.name_happens(did, &mut words);
                add(words);
            }
        });
        for (&address, published) in &self.published {
            let did = (published.thread, published.stretch);
            if !knowers.all_know(did) {
                let mut words = Words::new(name(21, address));
                words.write_u64(published.size);
                words.write_u64(names(published.thread as usize));
                knowers.name_happens(did, &mut words);
                add(words);
            }
        }
        for (index, known) in self.threads.iter().enumerate() {
            if known.inside {
                add(Words::new(name(22, names(index))));
            }
        }
        let places = self.locations.iter().map(|(&address, location)| (name(23, address), location));
        let objects = self.objects.iter().map(|(&at, location)| (name(24, object(at)), location));
        for (at, location) in places.chain(objects) {
            let from = location.readable_from(&self.threads);
            let floor = location.floor.saturating_sub(location.gone + from as u32);
            let stores = &location.stores[from..];
            if stores.len() == 1 && floor == 0 && location.has_value() {
                // Memory holds it, and every thread reads it.
                continue;
            }
            let mut words = Words::new(at);
            words.write_u8(location.size);
            words.write_u32(floor);
            for (number, stored) in stores.iter().enumerate() {
                let is_last = number + 1 == stores.len();
                // Every thread may read the first of a location; of an object there is only one.
                let of_object = location.size == 0;
                let known = |maker: &Maker| knowers.all_know((maker.thread, maker.stretch));
                let counts = |maker: &Maker| if of_object { !known(maker) } else { number > 0 };
                let Some(maker) = stored.maker.filter(counts) else { continue };
                words.write_u64(names(maker.thread as usize));
                words.write_u64(u64::from(maker.update) << 1 | u64::from(maker.strict));
                knowers.name_happens((maker.thread, maker.stretch), &mut words);
                let contains = |clock: &Clock| clock.of(maker.thread) >= maker.number;
                if is_last {
                    name_knowers(&knowers.order, contains, &mut words);
                }
                name_knowers(&knowers.strict, |clock| maker.strict && contains(clock), &mut words);
                self.name_first(&stored.seen, names, &knowers, &mut words);
            }
            // Memory holds the last one.
            for stored in &stores[..stores.len() - 1] {
                let Datum { value, provenance, undefined } = stored.datum;
                words.write_u64(value);
                words.write_u64(provenance.0);
                words.write_u8(undefined);
            }
            add(words);
        }
    }

    fn name_first(&self, first: &[(u32, u32)], names: Names<'_>, knowers: &Knowers<'_>, words: &mut Words) {
        let mut first: Vec<_> = first.iter().map(|&(who, when)| (names(who as usize), who, when)).collect();
        first.sort_unstable();
        for (name, who, when) in first {
            words.write_u64(name);
            knowers.name_happens((who, when), words);
            for ((name, part), _) in knowers.fences.iter().filter(|(_, clock)| clock.of(who) > when) {
                words.write_u64(*name);
                words.write_u8(*part);
            }
        }
        words.write_u64(u64::MAX);
    }
}
