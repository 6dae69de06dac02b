//! What a memory model must do. Without one, memory is sequentially consistent and costs nothing extra.

use crate::memory::{Memory, Pointer, Provenance};
use crate::parts::Parts;
use selvedge_trace::MemoryOrder;

/// A visible access of up to 8 bytes (wider ones drain the buffers first).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub address: u64,
    pub len: u8,
    pub order: MemoryOrder,
    /// Where in the program it is, if that is to be recorded.
    pub origin: Option<Origin>,
}

/// Where an access is: its position, and the nearest one in the user's own code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    pub position: u32,
    pub user_position: u32,
}

/// A store that waits in a buffer and can become visible next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingStore {
    /// Index of its thread.
    pub thread: usize,
    pub address: u64,
    pub len: u8,
    pub order: MemoryOrder,
    pub origin: Origin,
}

/// A store to an object that no other thread can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrivateChange {
    /// What would wait in the buffer.
    pub address: u64,
    pub len: u8,
    pub value: u64,
    pub order: MemoryOrder,
    pub origin: Option<Origin>,
    /// What the thread has written: the first byte and how many.
    pub written: (u64, u8),
    pub tag: u32,
}

/// A value with everything that is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Datum {
    pub value: u64,
    pub provenance: Provenance,
    /// Bytes that hold no value, one bit each.
    pub undefined: u8,
}

/// What a thread's operation has done to its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffering {
    /// A store has entered it.
    Entered {
        /// Where it stores.
        address: u64,
        /// How many bytes.
        len: u8,
        /// What it stores.
        value: u64,
        /// Its order.
        order: MemoryOrder,
        /// Where it comes from, if that is known.
        origin: Option<Origin>,
    },
    /// Everything that the thread has stored since this was so last is visible.
    Drained,
}

/// A memory model: decides what loads see and when stores become visible.
pub trait MemoryModel: Send + Sync {
    /// A copy for a snapshot.
    fn copy(&self) -> Box<dyn MemoryModel>;
    /// What a thread's load sees.
    fn load(&mut self, memory: &mut Memory, thread: usize, access: Access) -> Datum;
    /// A thread stores.
    fn store(&mut self, memory: &mut Memory, thread: usize, access: Access, datum: Datum);
    /// A thread's fence.
    fn fence(&mut self, memory: &mut Memory, thread: usize, order: MemoryOrder);
    /// Everything that the thread has stored becomes visible now.
    fn drain(&mut self, memory: &mut Memory, thread: usize);
    /// Overlays what the thread has stored but others do not see yet: bytes, and whether each holds a value.
    fn overlay(&self, thread: usize, address: u64, bytes: &mut [u8], defined: &mut [bool]);
    /// Stores of a thread that wait: (address, length).
    fn buffered(&self, thread: usize, into: &mut Vec<(u64, u8)>);
    /// Stores that can become visible next although their threads have gone on to later ones, as far as it is known where they
    /// come from.
    fn waiting(&self, into: &mut Vec<WaitingStore>);
    /// Stores that can become visible next: (thread, address).
    fn commits(&self, into: &mut Vec<(usize, u64)>);
    /// The oldest buffered store of a thread to an address becomes visible: (address, length, value).
    fn commit(&mut self, memory: &mut Memory, thread: usize, address: u64) -> Option<(Pointer, u8, u64)>;
    /// Whether a barrier of this order, which a thread is about to pass, finds stores of the thread that it has made since it
    /// last passed one. It does not depend on which of them have become visible by now.
    fn orders_stores(&self, thread: usize, order: MemoryOrder) -> bool;
    /// Whether stores to objects that no other thread can reach have to be told.
    fn watches(&self) -> bool;
    /// A thread is about to write to an object that no other thread can reach. `tag`: the store is to be known by this
    /// number later, also if it changes nothing; 0 if it need not be known.
    fn private_store(&mut self, memory: &mut Memory, thread: usize, access: Access, datum: Datum, tag: u32);
    /// What a thread has changed in an object (address, size) that no other thread can reach since its last barrier.
    fn private_changes(&self, thread: usize, object: (u64, u64)) -> Vec<PrivateChange>;
    /// A thread has made an object (address, size) reachable for others. Collects what can be read from it besides
    /// what memory held before. False if too much of it would have to be known.
    fn publish(
        &mut self,
        memory: &mut Memory,
        thread: usize,
        object: (u64, u64),
        reachable: &mut Vec<Provenance>,
    ) -> bool;
    /// From now on notes what operations do to buffers.
    fn follow(&mut self);
    /// What was done to the buffers of which threads since this was last asked, in this order.
    fn take_followed(&mut self) -> Vec<(usize, Buffering)>;
    /// An object is gone: stores to it are dropped.
    fn forget(&mut self, address: u64, size: u64);
    /// The provenances of all values that are buffered.
    fn provenances(&self, visit: &mut dyn FnMut(Provenance));
    /// What is buffered; `seed` identifies a thread.
    fn parts(&self, seed: &dyn Fn(usize) -> u64, parts: &mut Parts<'_>);
    /// Hash of that.
    fn hash(&self, seed: &dyn Fn(usize) -> u64) -> u128 {
        Parts::sum(|parts| self.parts(seed, parts))
    }
}
