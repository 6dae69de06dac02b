//! What is known of a location: the stores that a thread may still read, and which threads know of them.

use super::{Known, Past};
use crate::model::Datum;
use selvedge_relations::Clock;
use selvedge_trace::MemoryOrder;
use smallvec::SmallVec;
use std::ops::Range;

/// What an access or an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Load,
    Store,
    /// It reads and writes.
    Update,
    /// The same, as an addition that commutes with others.
    Count,
}

impl Effect {
    pub(super) fn writes(self) -> bool {
        self != Effect::Load
    }

    fn reads(self) -> bool {
        self != Effect::Store
    }
}

/// The event that made a store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Maker {
    pub(super) thread: u32,
    /// In which stretch of its thread.
    pub(super) stretch: u32,
    /// Its number among the stores of its thread.
    pub(super) number: u32,
    /// It is sequentially consistent.
    pub(super) strict: bool,
    /// It is an update of the store before it.
    pub(super) update: bool,
}

/// Threads, and in which stretch each did something first.
pub(super) type First = SmallVec<[(u32, u32); 4]>;

/// A store.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) datum: Datum,
    /// None where it is what was there at first.
    pub(super) maker: Option<Maker>,
    /// What comes before a thread that acquires from it.
    pub(super) released: Past,
    /// What fences know that come before it, or before other accesses that its reader comes after by coherence.
    pub(super) coherent: Clock,
    /// What sequential consistency orders before a thread that reads it.
    pub(super) order: Clock,
    /// The same by sequentially consistent accesses alone.
    pub(super) strict: Clock,
    /// The threads that have seen it.
    pub(super) seen: First,
}

/// A location.
#[derive(Clone, Debug)]
pub(super) struct Location {
    pub(super) size: u8,
    /// The stores, but for those that no thread can read any more.
    pub(super) stores: SmallVec<[Stored; 2]>,
    /// How many are gone.
    pub(super) gone: u32,
    /// What sequential consistency orders before a thread that writes, because another one has read.
    pub(super) read: Clock,
    pub(super) strictly_read: Clock,
    /// What sequentially consistent accesses order before sequentially consistent stores.
    pub(super) strictly_written: Clock,
    /// What fences know that come before its accesses.
    pub(super) coherent: Clock,
    /// A thread that waits for a change must not read a store before this one: a thread was woken that knew of it.
    pub(super) floor: u32,
}

fn note(first: &mut First, thread: u32, stretch: u32) {
    if !first.iter().any(|(who, _)| *who == thread) {
        first.push((thread, stretch));
    }
}

impl Stored {
    /// Whether the store, or a look at it, happens before what a thread does next.
    fn happens(&self, known: &Known, thread: u32) -> bool {
        self.seen.iter().any(|&seen| known.knows(thread, seen))
    }

    /// Whether a thread cannot read a store before this one.
    fn is_known(&self, known: &Known, thread: u32) -> bool {
        self.happens(known, thread) || self.seen.iter().any(|&(who, when)| known.past.fences.of(who) > when)
    }
}

impl Location {
    pub(super) fn new(size: u8, datum: Datum) -> Self {
        let first = Stored {
            datum,
            maker: None,
            released: Past::default(),
            coherent: Clock::default(),
            order: Clock::default(),
            strict: Clock::default(),
            seen: First::new(),
        };
        Location {
            size,
            stores: SmallVec::from_iter([first]),
            gone: 0,
            read: Clock::default(),
            strictly_read: Clock::default(),
            strictly_written: Clock::default(),
            coherent: Clock::default(),
            floor: 0,
        }
    }

    pub(super) fn last(&self) -> &Stored {
        &self.stores[self.stores.len() - 1]
    }

    /// Which of the stores that are kept is the first that a thread may still read.
    pub(super) fn known_from(&self, known: &Known, thread: u32) -> usize {
        let told = |stored: &Stored| stored.is_known(known, thread);
        self.stores.iter().rposition(told).unwrap_or(0)
    }

    /// The stores before the last that a thread may read though sequential consistency orders the last one before what it has
    /// done.
    pub(super) fn behind(&self, known: &Known, thread: u32, order: MemoryOrder) -> Range<usize> {
        let last = self.stores.len() - 1;
        let ordered = |maker: &Maker| known.order.of(maker.thread) >= maker.number;
        match &self.stores[last].maker {
            Some(maker) if maker.thread != thread && ordered(maker) => {}
            _ => return last..last,
        }
        let strictly = |stored: &Stored| {
            order == MemoryOrder::SeqCst
                && stored
                    .maker
                    .is_some_and(|maker| maker.strict && known.strict.of(maker.thread) >= maker.number)
        };
        let strict = self.stores.iter().rposition(strictly).unwrap_or(0);
        self.known_from(known, thread).max(strict)..last
    }

    /// Whether a thread's store may be put before another one that sequential consistency orders before what it has done. An
    /// update stands right behind what it reads: `expected`, if that is given.
    pub(super) fn may_come_between(
        &self,
        known: &Known,
        thread: u32,
        order: MemoryOrder,
        expected: Option<u64>,
    ) -> bool {
        self.behind(known, thread, order).any(|at| {
            let free = self.stores[at + 1].maker.is_none_or(|maker| !maker.update);
            free && expected.is_none_or(|expected| self.stores[at].datum.value == expected)
        })
    }

    /// A thread wakes another one: a thread that reads from now on, to wait, sees at least what the waking thread knows
    /// of.
    pub(super) fn wakes(&mut self, known: &Known, thread: u32) {
        let happens = |stored: &Stored| {
            stored.maker.is_some_and(|maker| known.knows(thread, (maker.thread, maker.stretch)))
        };
        if let Some(at) = self.stores.iter().rposition(happens) {
            self.floor = self.floor.max(self.gone + at as u32);
        }
    }

    /// A thread reads one of the stores.
    pub(super) fn load(&mut self, known: &mut Known, thread: u32, order: MemoryOrder, at: usize) {
        use MemoryOrder::{AcqRel, Acquire, SeqCst};
        let stored = &mut self.stores[at];
        known.order.join(&stored.order);
        if order == SeqCst && stored.maker.is_some_and(|maker| maker.strict) {
            known.strict.join(&stored.strict);
        }
        match order {
            Acquire | AcqRel | SeqCst => known.past.join(&stored.released),
            _ => known.pending.join(&stored.released),
        }
        known.past.coherent.join(&stored.coherent);
        if stored.maker.is_some() {
            note(&mut stored.seen, thread, known.stretch);
        }
        self.read.join(&known.order);
        if order == SeqCst {
            self.strictly_read.join(&known.strict);
        }
        if self.has_value() {
            // A thread that reads one of the later stores comes after this, and so does one that writes.
            self.stores[at + 1..].iter_mut().for_each(|later| later.coherent.join(&known.past.fences));
            self.coherent.join(&known.past.fences);
        }
    }

    /// It is memory, and coherence orders its accesses; not an object of which only its operations are known.
    pub(super) fn has_value(&self) -> bool {
        self.size > 0
    }

    /// A thread updates a count, of which it learns nothing that depends on which of several threads comes first. What
    /// the others have released is not acquired: then either order is the same to them.
    fn count(&mut self, known: &mut Known, thread: u32) {
        let last = self.stores.len() - 1;
        let stored = &mut self.stores[last];
        known.order.join(&stored.order);
        if stored.maker.is_some() {
            note(&mut stored.seen, thread, known.stretch);
        }
        self.read.join(&known.order);
        self.coherent.join(&known.past.fences);
    }

    /// A thread stores something, behind all other stores. Whether a thread that only reads may read an older one.
    pub(super) fn store(
        &mut self,
        known: &mut Known,
        thread: u32,
        effect: Effect,
        order: MemoryOrder,
        (datum, kept): (Datum, bool),
    ) {
        use MemoryOrder::{AcqRel, Release, SeqCst};
        let (stretch, strict, update) = (known.stretch, order == SeqCst, effect.reads());
        let earlier = self.last().coherent.clone();
        match effect {
            Effect::Count => self.count(known, thread),
            _ if update => self.load(known, thread, order, self.stores.len() - 1),
            _ => {}
        }
        known.order.join(&self.last().order);
        known.order.join(&std::mem::take(&mut self.read));
        known.stores += 1;
        known.order.raise(thread, known.stores);
        if strict {
            known.strict.join(&self.strictly_written);
            known.strict.join(&std::mem::take(&mut self.strictly_read));
            known.strict.raise(thread, known.stores);
            self.strictly_written = known.strict.clone();
        }
        if self.has_value() && effect != Effect::Count {
            known.past.coherent.join(&self.coherent);
            self.coherent.join(&known.past.fences);
        }
        let mut released = match order {
            Release | AcqRel | SeqCst => known.export(thread),
            _ => known.released.clone(),
        };
        if update {
            // Updates continue release sequences.
            released.join(&self.last().released);
        }
        let mut stored = Stored {
            datum,
            maker: Some(Maker { thread, stretch, number: known.stores, strict, update }),
            released,
            coherent: self.coherent.clone(),
            order: known.order.clone(),
            strict: if strict { known.strict.clone() } else { Clock::default() },
            seen: First::from_slice(&[(thread, stretch)]),
        };
        let last = self.last();
        // An update that leaves everything as it was: a thread that may read one of the two may as well read the other.
        // And if no thread only reads, all that counts of what was updated is what can be put before it.
        let same = (last.datum, &last.released) == (datum, &stored.released);
        if update && (same || !kept) {
            stored.maker = last.maker.and(stored.maker).map(|maker| Maker {
                update: last.maker.is_some_and(|last| last.update),
                strict: strict && last.maker.is_some_and(|last| last.strict),
                ..maker
            });
            if kept {
                stored.strict = last.strict.clone();
                stored.coherent = earlier;
            }
            last.seen.iter().for_each(|&(who, when)| note(&mut stored.seen, who, when));
            self.stores.pop();
        }
        self.stores.push(stored);
    }

    /// Stores that none of these threads can read any more go.
    pub(super) fn forget<'a>(&mut self, live: impl Iterator<Item = (u32, &'a Known)>) {
        let from = live.map(|(thread, known)| self.known_from(known, thread)).min().unwrap_or(0);
        self.stores.drain(..from);
        self.gone += from as u32;
    }

    /// Whether a thread that only tries an operation could find an earlier state, and fail.
    pub(super) fn may_be_missed(&self, known: &Known, thread: u32) -> bool {
        let ordered = |maker: &Maker| maker.thread != thread && known.order.of(maker.thread) >= maker.number;
        let last = self.last();
        last.maker.as_ref().is_some_and(ordered) && !last.happens(known, thread)
    }

    /// An operation on something that has no value, and of which every change is an update: there are no earlier states to go
    /// on from.
    pub(super) fn operate(&mut self, known: &mut Known, thread: u32, effect: Effect, order: MemoryOrder) {
        match effect {
            Effect::Load => self.load(known, thread, order, self.stores.len() - 1),
            Effect::Store | Effect::Update | Effect::Count => {
                let datum = self.last().datum;
                self.store(known, thread, effect, order, (datum, true));
                self.stores.drain(..self.stores.len() - 1);
            }
        }
    }
}
