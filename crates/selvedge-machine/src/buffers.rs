//! Store buffers: TSO and PSO.
//!
//! A thread's stores wait in its buffer, in program order, until they are committed to memory; its own loads see them
//! before. Under TSO only the oldest store can be committed. Under PSO a store can be committed as soon as no earlier
//! store of the thread overlaps it and no barrier lies before it. Read-modify-writes, locks and their like drain the
//! buffer: that is the caller's part.
//!
//! Stores to an object that no other thread can reach yet are in memory at once. Under TSO that changes nothing, since
//! they come before the store that publishes the object. Under PSO they are remembered until then (`private`).
//!
//! A store to an object that has been freed before the store is committed is dropped: the thread itself may have freed
//! it (or left the function whose variable it was), and then no thread can see the store any more.

mod private;

use crate::memory::{Memory, Pointer, Provenance};
use crate::model::{Access, Buffering, Datum, Origin, PrivateChange, WaitingStore};
use crate::parts::{PartKind, Parts};
use crate::words::Words;
use private::Log;
use selvedge_trace::{CommitOrder, MemoryOrder};
use std::hash::{Hash, Hasher};

/// A store that waits.
#[derive(Clone, Copy, Debug)]
struct Store {
    address: u64,
    len: u8,
    datum: Datum,
    order: MemoryOrder,
    /// Where it comes from, if that is known.
    origin: Option<Origin>,
    /// All earlier stores of the thread are committed before this one and all later ones. Never set on the oldest
    /// store, where it means nothing.
    barrier: bool,
}

impl Store {
    fn overlaps(&self, address: u64, len: u64) -> bool {
        self.address < address + len && address < self.address + u64::from(self.len)
    }

    /// The part of the store that lies in a range: byte of the store and byte of the range, for each.
    fn part(&self, address: u64, len: u64) -> impl Iterator<Item = (usize, usize)> + use<> {
        let start = self.address.max(address);
        let end = (self.address + u64::from(self.len)).min(address + len);
        let own = self.address;
        (start..end).map(move |at| ((at - own) as usize, (at - address) as usize))
    }

    fn write(&self, memory: &mut Memory) {
        memory.write(self.address, usize::from(self.len), self.datum.value, self.datum.provenance);
        for byte in (0..self.len).filter(|byte| self.datum.undefined >> byte & 1 != 0) {
            memory.undefine(self.address + u64::from(byte), 1);
        }
    }
}

/// A thread's stores, oldest first.
#[derive(Clone, Debug, Default)]
struct Buffer {
    stores: Vec<Store>,
    /// The next store has a barrier before it.
    barrier: bool,
    /// The thread has stored something since it last waited until all was visible, or since its last barrier.
    since_drained: bool,
    since_barrier: bool,
    /// Changes of the thread's own objects since its last barrier. Only under PSO.
    private: Log,
}

impl Buffer {
    fn remove(&mut self, index: usize) -> Store {
        let store = self.stores.remove(index);
        self.lift_first_barrier();
        store
    }

    fn lift_first_barrier(&mut self) {
        match self.stores.first_mut() {
            Some(first) => first.barrier = false,
            None => self.barrier = false,
        }
    }

    fn push(&mut self, store: Store) {
        let barrier = std::mem::take(&mut self.barrier);
        (self.since_drained, self.since_barrier) = (true, true);
        self.stores.push(Store { barrier, ..store });
    }

    /// Drops the stores to an object; what they were ordered by stays.
    fn forget(&mut self, address: u64, size: u64) {
        let mut barrier = false;
        self.stores.retain_mut(|store| {
            store.barrier |= std::mem::take(&mut barrier);
            let gone = (address..address + size).contains(&store.address);
            barrier = gone && store.barrier;
            !gone
        });
        self.barrier |= barrier;
        self.lift_first_barrier();
        self.private.forget(address, size);
    }

    /// How many stores lie before the first barrier: none of the others can be committed yet.
    fn first_segment(&self) -> &[Store] {
        let end = self.stores.iter().position(|store| store.barrier).unwrap_or(self.stores.len());
        &self.stores[..end]
    }

    /// Indexes of the stores that can be committed now.
    fn ready(&self, order: CommitOrder) -> impl Iterator<Item = usize> + '_ {
        let segment = match order {
            CommitOrder::Program => &self.stores[..self.stores.len().min(1)],
            CommitOrder::Location => self.first_segment(),
        };
        (0..segment.len()).filter(|&index| {
            let store = &segment[index];
            !segment[..index].iter().any(|earlier| earlier.overlaps(store.address, u64::from(store.len)))
        })
    }

    /// What is in the buffer. Two buffers that behave equally from here on have the same parts: under PSO the order of
    /// two stores counts only where one has to wait for the other, so each store is a part with its segment and the
    /// length of the longest chain of overlapping stores before it (the normal form of Foata).
    fn parts(&self, seed: u64, order: CommitOrder, parts: &mut Parts<'_>) {
        let mut segment = 0_u32;
        let mut segment_start = 0;
        let mut levels: Vec<u32> = Vec::with_capacity(self.stores.len());
        for (index, store) in self.stores.iter().enumerate() {
            if store.barrier {
                segment += 1;
                segment_start = index;
            }
            let level = match order {
                CommitOrder::Program => index as u32,
                CommitOrder::Location => {
                    let len = u64::from(store.len);
                    let waits_for =
                        (segment_start..index).filter(|&i| self.stores[i].overlaps(store.address, len));
                    waits_for.map(|i| levels[i] + 1).max().unwrap_or(0)
                }
            };
            levels.push(level);
            let mut hasher = Words::new(seed);
            (segment, level, store.address, store.len).hash(&mut hasher);
            // Whether it races with other accesses depends on that.
            (order == CommitOrder::Location && store.order == MemoryOrder::NotAtomic).hash(&mut hasher);
            (store.datum.value, store.datum.provenance, store.datum.undefined).hash(&mut hasher);
            parts.add(PartKind::Store, &hasher);
        }
        if self.barrier {
            let mut hasher = Words::new(seed);
            hasher.write_u8(1);
            parts.add(PartKind::Barrier, &hasher);
        }
    }

    /// Which barriers are steps because of what was stored before them.
    fn since_parts(&self, seed: u64, parts: &mut Parts<'_>) {
        if self.since_drained {
            let mut hasher = Words::new(seed);
            (2_u8, self.since_barrier).hash(&mut hasher);
            parts.add(PartKind::Barrier, &hasher);
        }
    }
}

/// The store buffers of all threads.
#[derive(Clone, Debug)]
pub(crate) struct Buffers {
    order: CommitOrder,
    threads: Vec<Buffer>,
    /// What operations have done to buffers, if that is noted.
    followed: Option<Vec<(usize, Buffering)>>,
}

impl Buffers {
    /// Empty buffers, which become visible in such an order.
    pub fn new(order: CommitOrder) -> Self {
        Buffers { order, threads: Vec::new(), followed: None }
    }

    fn stores(&self, thread: usize) -> &[Store] {
        self.threads.get(thread).map_or(&[], |buffer| &buffer.stores)
    }

    fn buffer(&mut self, thread: usize) -> &mut Buffer {
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Buffer::default);
        }
        &mut self.threads[thread]
    }

    /// Notes that the thread's stores from this number on have entered its buffer.
    fn note_entered(&mut self, thread: usize, from: usize) {
        let Some(followed) = &mut self.followed else { return };
        let Some(buffer) = self.threads.get(thread) else { return };
        followed.extend(buffer.stores.iter().skip(from).map(|store| {
            let Store { address, len, order, origin, datum, .. } = *store;
            (thread, Buffering::Entered { address, len, value: datum.value, order, origin })
        }));
    }

    /// All stores before this point are committed before all stores after it.
    fn barrier(&mut self, thread: usize) {
        // TSO commits in order anyway, and before an empty buffer there is nothing to be ordered.
        if self.order == CommitOrder::Location {
            let buffer = self.buffer(thread);
            buffer.barrier = !buffer.stores.is_empty();
            buffer.since_barrier = false;
            buffer.private.clear();
        }
    }
}

/// What memory holds.
fn read(memory: &mut Memory, address: u64, len: usize) -> Datum {
    let read = memory.read(address, len);
    let mut undefined = 0;
    if !read.defined {
        let defined = memory.defined_bytes(address, len);
        undefined = defined.iter().rev().fold(0, |bits, &defined| bits << 1 | u8::from(!defined));
    }
    Datum { value: read.value, provenance: read.provenance, undefined }
}

impl Buffers {
    /// What a thread's load sees.
    pub fn load(&mut self, memory: &mut Memory, thread: usize, access: Access) -> Datum {
        let (address, len) = (access.address, u64::from(access.len));
        let mut datum = read(memory, address, usize::from(access.len));
        for store in self.stores(thread) {
            if !store.overlaps(address, len) {
                continue;
            }
            if store.address == address && store.len == access.len {
                datum = store.datum;
                continue;
            }
            let mut bytes = datum.value.to_le_bytes();
            let stored = store.datum.value.to_le_bytes();
            for (from, to) in store.part(address, len) {
                bytes[to] = stored[from];
                let undefined = store.datum.undefined >> from & 1;
                datum.undefined = datum.undefined & !(1 << to) | undefined << to;
            }
            datum.value = u64::from_le_bytes(bytes);
            datum.provenance = Provenance::NONE;
        }
        datum
    }

    /// A thread stores.
    pub fn store(&mut self, memory: &mut Memory, thread: usize, access: Access, datum: Datum) {
        let Access { address, len, order, origin } = access;
        let store = Store { address, len, datum, order, origin, barrier: false };
        match access.order {
            MemoryOrder::SeqCst => {
                self.drain(memory, thread);
                store.write(memory);
                return;
            }
            MemoryOrder::Release | MemoryOrder::AcqRel => self.barrier(thread),
            MemoryOrder::NotAtomic | MemoryOrder::Relaxed | MemoryOrder::Acquire => {}
        }
        let entered = self.stores(thread).len();
        self.buffer(thread).push(store);
        self.note_entered(thread, entered);
    }

    /// A thread's fence.
    pub fn fence(&mut self, memory: &mut Memory, thread: usize, order: MemoryOrder) {
        match order {
            MemoryOrder::SeqCst => self.drain(memory, thread),
            MemoryOrder::Release | MemoryOrder::AcqRel => self.barrier(thread),
            MemoryOrder::NotAtomic | MemoryOrder::Relaxed | MemoryOrder::Acquire => {}
        }
    }

    /// Everything that the thread has stored becomes visible now.
    pub fn drain(&mut self, memory: &mut Memory, thread: usize) {
        if let Some(buffer) = self.threads.get_mut(thread) {
            if let Some(followed) = self.followed.as_mut().filter(|_| buffer.since_drained) {
                followed.push((thread, Buffering::Drained));
            }
            buffer.stores.drain(..).for_each(|store| store.write(memory));
            buffer.barrier = false;
            (buffer.since_drained, buffer.since_barrier) = (false, false);
            buffer.private.clear();
        }
    }

    /// Whether a barrier of this order, which a thread is about to pass, finds stores of the thread that it has made since it
    /// last passed one. It does not depend on which of them have become visible by now.
    pub fn orders_stores(&self, thread: usize, order: MemoryOrder) -> bool {
        let Some(buffer) = self.threads.get(thread) else { return false };
        match order {
            MemoryOrder::SeqCst => buffer.since_drained,
            MemoryOrder::Release | MemoryOrder::AcqRel => {
                self.order == CommitOrder::Location && buffer.since_barrier
            }
            MemoryOrder::NotAtomic | MemoryOrder::Relaxed | MemoryOrder::Acquire => false,
        }
    }

    /// Overlays what the thread has stored but others do not see yet: bytes, and whether each holds a value.
    pub fn overlay(&self, thread: usize, address: u64, bytes: &mut [u8], defined: &mut [bool]) {
        let len = bytes.len() as u64;
        for store in self.stores(thread).iter().filter(|store| store.overlaps(address, len)) {
            let stored = store.datum.value.to_le_bytes();
            for (from, to) in store.part(address, len) {
                bytes[to] = stored[from];
                defined[to] = store.datum.undefined >> from & 1 == 0;
            }
        }
    }

    /// Stores of a thread that wait: (address, length).
    pub fn buffered(&self, thread: usize, into: &mut Vec<(u64, u8)>) {
        into.extend(self.stores(thread).iter().map(|store| (store.address, store.len)));
    }

    /// Stores that can become visible next although their threads have gone on to later ones, as far as it is known where they
    /// come from.
    pub fn waiting(&self, into: &mut Vec<WaitingStore>) {
        // Under TSO no thread can have seen anything later.
        if self.order == CommitOrder::Program {
            return;
        }
        for (thread, buffer) in self.threads.iter().enumerate() {
            into.extend(buffer.ready(self.order).filter_map(|index| {
                let Store { address, len, order, origin, .. } = buffer.stores[index];
                origin.map(|origin| WaitingStore { thread, address, len, order, origin })
            }));
        }
    }

    /// Stores that can become visible next: (thread, address).
    pub fn commits(&self, into: &mut Vec<(usize, u64)>) {
        for (thread, buffer) in self.threads.iter().enumerate() {
            into.extend(buffer.ready(self.order).map(|index| (thread, buffer.stores[index].address)));
        }
    }

    /// The oldest buffered store of a thread to an address becomes visible: (address, length, value).
    pub fn commit(&mut self, memory: &mut Memory, thread: usize, address: u64) -> Option<(Pointer, u8, u64)> {
        let order = self.order;
        let buffer = self.threads.get_mut(thread)?;
        let index = buffer.ready(order).find(|&index| buffer.stores[index].address == address)?;
        let store = buffer.remove(index);
        store.write(memory);
        let pointer = Pointer { address, provenance: Provenance::NONE };
        Some((pointer, store.len, store.datum.value))
    }

    /// An object is gone: stores to it are dropped.
    pub fn forget(&mut self, address: u64, size: u64) {
        self.threads.iter_mut().for_each(|buffer| buffer.forget(address, size));
    }

    /// The provenances of all values that are buffered.
    pub fn provenances(&self, visit: &mut dyn FnMut(Provenance)) {
        let stores = self.threads.iter().flat_map(|buffer| &buffer.stores);
        stores.for_each(|store| visit(store.datum.provenance));
        self.threads.iter().for_each(|buffer| buffer.private.provenances(visit));
    }

    /// Whether stores to objects that no other thread can reach have to be told.
    pub fn watches(&self) -> bool {
        self.order == CommitOrder::Location
    }

    /// A thread is about to write to an object that no other thread can reach. `tag`: the store is to be known by this
    /// number later, also if it changes nothing; 0 if it need not be known.
    pub fn private_store(
        &mut self,
        memory: &mut Memory,
        thread: usize,
        access: Access,
        datum: Datum,
        tag: u32,
    ) {
        self.buffer(thread).private.note(memory, access, datum, tag);
    }

    /// What a thread has changed in an object (address, size) that no other thread can reach since its last barrier.
    pub fn private_changes(&self, thread: usize, object: (u64, u64)) -> Vec<PrivateChange> {
        self.threads.get(thread).map_or_else(Vec::new, |buffer| buffer.private.changes_in(object))
    }

    /// A thread has made an object (address, size) reachable for others. Collects what can be read from it besides
    /// what memory held before. False if too much of it would have to be known.
    pub fn publish(
        &mut self,
        memory: &mut Memory,
        thread: usize,
        object: (u64, u64),
        reachable: &mut Vec<Provenance>,
    ) -> bool {
        let entered = self.stores(thread).len();
        let buffer = self.buffer(thread);
        let mut private = std::mem::take(&mut buffer.private);
        let result = private.publish(memory, buffer, object, reachable);
        buffer.private = private;
        self.note_entered(thread, entered);
        result.is_ok()
    }

    /// From now on notes what operations do to buffers.
    pub fn follow(&mut self) {
        self.followed.get_or_insert_default();
    }

    /// What was done to the buffers of which threads since this was last asked, in this order.
    pub fn take_followed(&mut self) -> Vec<(usize, Buffering)> {
        self.followed.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// What is buffered; `seed` identifies a thread.
    pub fn parts(&self, seed: &dyn Fn(usize) -> u64, parts: &mut Parts<'_>) {
        for (thread, buffer) in self.threads.iter().enumerate() {
            if !buffer.stores.is_empty() {
                buffer.parts(seed(thread), self.order, parts);
            }
            buffer.since_parts(seed(thread), parts);
            buffer.private.parts(seed(thread), parts);
        }
    }

    /// Hash of that.
    pub fn hash(&self, seed: &dyn Fn(usize) -> u64) -> u128 {
        Parts::sum(|parts| self.parts(seed, parts))
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) mod litmus;
