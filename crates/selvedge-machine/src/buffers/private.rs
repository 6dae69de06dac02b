//! Stores to objects that no other thread can reach yet.
//!
//! They are in memory at once, since no other thread can tell. But under PSO the store that publishes an object may
//! become visible before the stores that filled it. So a thread remembers what it has changed in its own objects since
//! its last barrier; when an object becomes shared, its changes are taken back and wait in the buffer like any other
//! store. What lies before a barrier needs no memory: the publishing store comes after it.

use super::{Buffer, Store, read};
use crate::memory::{Found, Memory, Provenance};
use crate::model::{Access, Datum, Origin, PrivateChange};
use crate::parts::{PartKind, Parts};
use crate::words::Words;
use selvedge_trace::MemoryOrder;
use std::hash::{Hash, Hasher};

/// Changes that a thread remembers at most.
const MOST_CHANGES: usize = 1 << 14;

#[derive(Clone, Copy, Debug)]
struct Change {
    address: u64,
    len: u8,
    old: Datum,
    new: Datum,
    /// Plain or not: it may race once others know the object. What it orders is ordered already.
    order: MemoryOrder,
    origin: Option<Origin>,
    /// What was written, and the number by which the recorder knows it.
    written: (u64, u8),
    tag: u32,
}

/// What a thread has changed in its own objects since its last barrier, in program order.
#[derive(Clone, Debug, Default)]
pub struct Log {
    changes: Vec<Change>,
    /// Objects with more changes than can be remembered.
    lost: Vec<u64>,
}

/// The changes of an object were too many to be remembered.
#[derive(Debug, PartialEq, Eq)]
pub struct Lost;

impl Log {
    /// All changes come before whatever is stored from now on.
    pub fn clear(&mut self) {
        self.changes.clear();
        self.lost.clear();
    }

    /// Something is about to be written.
    pub fn note(&mut self, memory: &mut Memory, access: Access, new: Datum, tag: u32) {
        let Access { mut address, mut len, order, origin } = access;
        let written = (address, len);
        let mut new = new;
        if len < 8 {
            new.value &= (1 << (8 * u32::from(len))) - 1;
        }
        let mut old = read(memory, address, usize::from(len));
        let word = address & !7;
        if len < 8 && old.provenance != Provenance::NONE && address + u64::from(len) <= word + 8 {
            // A part of a pointer: only whole words can give it back.
            let shift = 8 * (address - word);
            let (part, bytes) = (new, ((1_u64 << (8 * u32::from(len))) - 1) << shift);
            (address, len, old) = (word, 8, read(memory, word, 8));
            new = Datum {
                value: old.value & !bytes | part.value << shift,
                provenance: Provenance::NONE,
                undefined: 0,
            };
        }
        // Also one that changes nothing may race.
        if old == new && tag == 0 && origin.is_none() {
            return;
        }
        if self.changes.len() >= MOST_CHANGES {
            self.make_room(memory);
        }
        self.changes.push(Change { address, len, old, new, order, origin, written, tag });
    }

    /// Gives up on the object that was changed first.
    fn make_room(&mut self, memory: &Memory) {
        let first = self.changes[0].address;
        match memory.find(first) {
            Some(Found::Object(_, base, object)) => {
                self.forget(base, object.size);
                self.lost.push(base);
            }
            _ => _ = self.changes.remove(0),
        }
    }

    /// An object is gone.
    pub fn forget(&mut self, address: u64, size: u64) {
        let inside = |at: u64| (address..address + size.max(1)).contains(&at);
        self.changes.retain(|change| !inside(change.address));
        self.lost.retain(|&base| !inside(base));
    }

    /// An object has become shared: its changes go to the buffer. Collects all that could now be read from it.
    pub fn publish(
        &mut self,
        memory: &mut Memory,
        buffer: &mut Buffer,
        (address, size): (u64, u64),
        reachable: &mut Vec<Provenance>,
    ) -> Result<(), Lost> {
        if self.lost.contains(&address) {
            return Err(Lost);
        }
        let inside = |change: &Change| (address..address + size).contains(&change.address);
        let changes: Vec<Change> = self.changes.iter().copied().filter(inside).collect();
        if changes.is_empty() {
            return Ok(());
        }
        self.changes.retain(|change| !inside(change));
        for change in changes.iter().rev() {
            change.store(change.old).write(memory);
        }
        for change in changes {
            reachable.push(change.new.provenance);
            buffer.push(change.store(change.new));
        }
        memory.pointers_in(address, size, reachable);
        Ok(())
    }

    /// The changes of an object.
    pub fn changes_in(&self, (address, size): (u64, u64)) -> Vec<PrivateChange> {
        let inside = |change: &&Change| (address..address + size).contains(&change.address);
        let told = |change: &Change| PrivateChange {
            address: change.address,
            len: change.len,
            value: change.new.value,
            order: change.order,
            origin: change.origin,
            written: change.written,
            tag: change.tag,
        };
        self.changes.iter().filter(inside).map(told).collect()
    }

    /// Provenances of all values.
    pub fn provenances(&self, visit: &mut dyn FnMut(Provenance)) {
        self.changes
            .iter()
            .flat_map(|change| [change.old, change.new])
            .for_each(|datum| visit(datum.provenance));
    }

    /// All changes, if there are any.
    pub fn parts(&self, seed: u64, parts: &mut Parts<'_>) {
        if self.changes.is_empty() && self.lost.is_empty() {
            return;
        }
        let mut hasher = Words::new(seed ^ 0x9106);
        hasher.write_usize(self.changes.len());
        for change in &self.changes {
            (change.address, change.len, change.order == MemoryOrder::NotAtomic).hash(&mut hasher);
            for datum in [change.old, change.new] {
                (datum.value, datum.provenance, datum.undefined).hash(&mut hasher);
            }
        }
        self.lost.iter().for_each(|&base| hasher.write_u64(base));
        parts.add(PartKind::Private, &hasher);
    }
}

impl Change {
    fn store(&self, datum: Datum) -> Store {
        let Change { address, len, order, origin, .. } = *self;
        Store { address, len, datum, order, origin, barrier: false }
    }
}
