//! Operational RC11: the language's memory model, beside a sequentially consistent execution.
//!
//! Memory holds the last store of every location. Under the language's model a load may read an earlier one ("look
//! back") if nothing tells its thread of a later one: if it comes neither after that (happens before) nor after a read
//! of it by another thread, and if no sequentially consistent accesses or fences forbid it. It is worth trying where
//! the order of steps so far puts the last store before what the thread has done already; elsewhere another order of
//! steps shows the same. So for each thread the machine keeps what happens before and what the order of steps puts
//! before, and for each location the stores that a thread may still read. Where a store could be put before another
//! one, or two accesses race, the execution ends as one that this model cannot decide. `docs/models.md` has the
//! argument why nothing is missed.

mod events;
mod locations;
mod state;

use crate::graph::history::{Access, AccessHistory};
use crate::halt::Halt;
use crate::memory::Provenance;
use crate::model::Datum;
use locations::{Effect, Location};
use selvedge_relations::Clock;
use selvedge_trace::MemoryOrder;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// What is known beside an execution.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operational {
    /// By index.
    threads: SmallVec<[Arc<Known>; 8]>,
    /// Locations of atomic accesses, by address.
    locations: BTreeMap<u64, Arc<Location>>,
    /// Synchronisation objects and what else has no bytes of its own, by address and what it is.
    objects: BTreeMap<(u64, Class), Arc<Location>>,
    /// Accesses with which later ones may race.
    history: AccessHistory,
    /// Objects that others have got to know, by address.
    published: BTreeMap<u64, Published>,
    /// A hash of what of this belongs to the state, once it was asked for.
    hash: OnceLock<u128>,
}

/// A step that is being taken.
#[derive(Debug, Default)]
pub(crate) struct CurrentStep {
    /// The thread that acts.
    running: usize,
    /// Which store the access that is being performed reads: so many before the last.
    back: usize,
    /// It is an addition that commutes with others.
    counts: bool,
    /// Shared memory that a thread which joins another one accesses then.
    touched: Vec<(u64, u64, bool)>,
    /// Locations that were read and that were not expected to be.
    newly_looked_at: Vec<u64>,
    /// Why it is not known what the language's model does.
    pub(crate) beyond: Option<Halt>,
}

/// Stores of more bytes are not kept.
const LARGEST: u64 = 8;
/// Nor are more stores of one location than this.
const MOST_STORES: usize = 32;

/// What an object is that has no bytes of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Class {
    /// A lock, a semaphore, a barrier: one chain of updates.
    Lock,
    /// The threads that wait on a condition variable or at a futex.
    Queue,
}

/// What comes before an event, of each thread how many of its stretches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Past {
    /// What happens before it.
    happens: Clock,
    /// What sequentially consistent fences know that happen before it: what happens before them, and before others that
    /// `psc` orders before them.
    fences: Clock,
    /// What the next such fence will know because coherence orders accesses behind other fences before what happens before it.
    coherent: Clock,
}

impl Past {
    fn join(&mut self, other: &Past) {
        self.happens.join(&other.happens);
        self.fences.join(&other.fences);
        self.coherent.join(&other.coherent);
    }
}

/// What a thread knows.
#[derive(Clone, Debug, Default)]
struct Known {
    /// What comes before its next event.
    past: Past,
    /// What an acquire fence would add.
    pending: Past,
    /// What its relaxed stores release: what it knew at its last release fence.
    released: Past,
    /// In which stretch it is: one ends wherever others can come to know of it.
    stretch: u32,
    /// What sequential consistency orders before its next event: of each thread how many of its stores.
    order: Clock,
    /// How many stores it has made.
    stores: u32,
    /// The part of that which is ordered by sequentially consistent accesses alone.
    strict: Clock,
    /// It has come to a barrier or a futex and not left it.
    inside: bool,
    /// It has ended.
    ended: bool,
    /// No thread will learn from it any more.
    gone: bool,
}

/// An object that was private up to a moment.
#[derive(Clone, Copy, Debug)]
struct Published {
    size: u64,
    thread: u32,
    /// In which stretch of its thread.
    stretch: u32,
}

/// The language's model may make a difference, or that cannot be decided.
#[derive(Debug)]
pub(crate) struct Beyond;

/// What an access wants to do to a location.
#[derive(Clone, Copy, Debug)]
enum Wants {
    Read,
    Write,
    /// To write if it finds this.
    Exchange(u64),
}

/// An object that has no value.
fn nothing() -> Arc<Location> {
    Arc::new(Location::new(0, Datum { value: 0, provenance: Provenance::NONE, undefined: 0 }))
}

/// The threads that can still act.
fn live(threads: &[Arc<Known>]) -> impl Iterator<Item = (u32, &Known)> {
    (0..).zip(threads.iter().map(Arc::as_ref)).filter(|(_, known)| !known.ended)
}

impl Known {
    /// Ends a stretch: what other threads come to know from now on that learn of it.
    fn export(&mut self, own: u32) -> Past {
        self.stretch += 1;
        let mut past = self.past.clone();
        past.happens.raise(own, self.stretch);
        past
    }

    /// Whether something that a thread did in a stretch happens before.
    fn knows(&self, own: u32, (thread, stretch): (u32, u32)) -> bool {
        thread == own || self.past.happens.of(thread) > stretch
    }
}

impl Operational {
    fn known(&mut self, thread: usize) -> &mut Known {
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Arc::default);
        }
        Arc::make_mut(&mut self.threads[thread])
    }

    /// Pointers that only a load of an older store can find.
    pub(crate) fn pointers(&self) -> impl Iterator<Item = Provenance> + '_ {
        let earlier = |location: &'_ Location| {
            let last = location.stores.len() - 1;
            location.readable_from(&self.threads).min(last)..last
        };
        let stores = self.locations.values().flat_map(move |location| &location.stores[earlier(location)]);
        stores.map(|stored| stored.datum.provenance).filter(|provenance| *provenance != Provenance::NONE)
    }

    /// A thread creates another.
    fn create(&mut self, parent: usize, child: usize) {
        let past = self.known(parent).export(parent as u32);
        let order = self.threads[parent].order.clone();
        *self.known(child) = Known { past, order, ..Known::default() };
    }

    /// A thread learns of the end of another.
    fn join(&mut self, thread: usize, child: usize) {
        let past = self.known(child).export(child as u32);
        let order = self.threads[child].order.clone();
        self.known(child).gone = true;
        let known = self.known(thread);
        known.past.join(&past);
        known.order.join(&order);
    }

    /// A thread wakes another: only sequential consistency orders that.
    fn wakes(&mut self, thread: usize, woken: usize) {
        let order = self.known(thread).order.clone();
        self.known(woken).order.join(&order);
    }

    fn fence(&mut self, thread: usize, order: MemoryOrder) {
        use MemoryOrder::{AcqRel, Acquire, Release, SeqCst};
        let known = self.known(thread);
        if matches!(order, Acquire | AcqRel | SeqCst) {
            known.past.join(&known.pending);
        }
        if matches!(order, Release | AcqRel | SeqCst) {
            known.released = known.export(thread as u32);
        }
        if order == SeqCst {
            let Past { happens, fences, coherent } = &mut known.past;
            fences.join(happens);
            fences.join(coherent);
            fences.raise(thread as u32, known.stretch);
            known.released.fences = fences.clone();
        }
    }

    /// An atomic access to memory is about to be performed. `expected`: what a compare-exchange wants to find.
    fn before(
        &mut self,
        thread: usize,
        (address, size): (u64, u64),
        wants: Wants,
        order: MemoryOrder,
        datum: impl FnOnce() -> Datum,
    ) -> Result<(), Beyond> {
        self.knows_object(thread, address)?;
        let before = self.locations.range(..address).next_back();
        let overlaps = before.is_some_and(|(&at, other)| at + u64::from(other.size) > address)
            || self.locations.range(address + 1..address + size).next().is_some();
        let location =
            self.locations.entry(address).or_insert_with(|| Arc::new(Location::new(size as u8, datum())));
        if overlaps || u64::from(location.size) != size || size > LARGEST {
            return Err(Beyond);
        }
        let expected = match wants {
            Wants::Read => return Ok(()),
            Wants::Write => None,
            Wants::Exchange(expected) => Some(expected),
        };
        match location.may_come_between(&self.threads[thread], thread as u32, order, expected) {
            true => Err(Beyond),
            false => Ok(()),
        }
    }

    /// An atomic access to memory was performed. It has left this if it writes (and whether what was there before may
    /// matter to a thread that reads), and if it reads, read the store so many before the last.
    fn atomic(
        &mut self,
        thread: usize,
        (address, size): (u64, u64),
        effect: Effect,
        order: MemoryOrder,
        (datum, kept): (Datum, bool),
        back: usize,
    ) -> Result<(), Beyond> {
        let stretch = self.known(thread).stretch;
        let location = Arc::make_mut(self.locations.get_mut(&address).ok_or(Beyond)?);
        let (known, own) = (Arc::make_mut(&mut self.threads[thread]), thread as u32);
        match effect {
            Effect::Load => location.load(known, own, order, location.stores.len() - 1 - back),
            Effect::Store | Effect::Update | Effect::Count => {
                location.store(known, own, effect, order, (datum, kept));
                location.forget(live(&self.threads));
                if location.stores.len() > MOST_STORES {
                    return Err(Beyond);
                }
            }
        }
        self.note(thread, stretch, (address, size), effect.writes(), true)
    }

    /// An operation on something that has no value.
    fn operate(
        &mut self,
        thread: usize,
        (address, class): (u64, Class),
        effect: Effect,
        order: MemoryOrder,
    ) -> Result<(), Beyond> {
        let stretch = self.known(thread).stretch;
        let object = self.objects.entry((address, class)).or_insert_with(nothing);
        let known = Arc::make_mut(&mut self.threads[thread]);
        Arc::make_mut(object).operate(known, thread as u32, effect, order);
        match class {
            // It must not go while a thread uses it.
            Class::Lock => self.note(thread, stretch, (address, 1), false, true),
            Class::Queue => Ok(()),
        }
    }

    /// An attempt at an operation: it does this.
    fn attempt(
        &mut self,
        thread: usize,
        at: (u64, Class),
        effect: Effect,
        order: MemoryOrder,
    ) -> Result<(), Beyond> {
        self.known(thread);
        let object = self.objects.entry(at).or_insert_with(nothing);
        match object.may_be_missed(&self.threads[thread], thread as u32) {
            true => Err(Beyond),
            false => self.operate(thread, at, effect, order),
        }
    }

    /// A futex is woken. A thread that reads its word and then waits must not miss that: it sees the stores that happen
    /// before the wake.
    fn wake_futex(&mut self, thread: usize, address: u64) -> Result<(), Beyond> {
        self.known(thread);
        if let Some(location) = self.locations.get_mut(&address) {
            Arc::make_mut(location).wakes(&self.threads[thread], thread as u32);
        }
        self.operate(thread, (address, Class::Queue), Effect::Update, MemoryOrder::Relaxed)
    }

    /// A plain access to shared memory.
    fn plain(&mut self, thread: usize, (address, size): (u64, u64), writes: bool) -> Result<(), Beyond> {
        self.knows_object(thread, address)?;
        let stretch = self.known(thread).stretch;
        self.note(thread, stretch, (address, size), writes, false)?;
        if writes {
            // Everything before it happens before it, and it happens before everything after it: there is another location
            // from now on.
            let end = address.saturating_add(size);
            self.locations.retain(|&at, location| at >= end || at + u64::from(location.size) <= address);
        }
        Ok(())
    }

    /// An object becomes known to others.
    fn publish(&mut self, thread: usize, (address, size): (u64, u64)) {
        let stretch = self.known(thread).stretch;
        self.published.insert(address, Published { size, thread: thread as u32, stretch });
    }

    /// Memory is given back.
    fn free(&mut self, thread: usize, (address, size): (u64, u64)) -> Result<(), Beyond> {
        let freed = self.plain(thread, (address, size.max(1)), true);
        let end = address.saturating_add(size.max(1));
        self.history.forget(address, size.max(1));
        self.published.retain(|&at, _| at < address || at >= end);
        // Queues are the system's, and stay.
        self.objects.retain(|&(at, class), _| at < address || at >= end || class != Class::Lock);
        freed
    }

    /// Whether what was done to an object before others knew it happens before what a thread is about to do.
    fn knows_object(&mut self, thread: usize, address: u64) -> Result<(), Beyond> {
        self.known(thread);
        let published = self.published.range(..=address).next_back();
        let Some((&at, published)) = published else { return Ok(()) };
        let known = self.threads[thread].knows(thread as u32, (published.thread, published.stretch));
        match address - at < published.size.max(1) && !known {
            true => Err(Beyond),
            false => Ok(()),
        }
    }

    fn note(
        &mut self,
        thread: usize,
        stretch: u32,
        (address, size): (u64, u64),
        writes: bool,
        atomic: bool,
    ) -> Result<(), Beyond> {
        let past = &self.threads[thread].past.happens;
        let access = Access {
            thread: thread as u32,
            before: stretch,
            bytes: 0,
            writes,
            atomic,
            hidden: false,
            allocates: false,
            position: 0,
        };
        match self.history.note(address, size, access, past) {
            Some(_) => Err(Beyond),
            None => Ok(()),
        }
    }
}
