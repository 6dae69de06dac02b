//! What threads do: operations that are about to happen and events that have happened.

use crate::ThreadId;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Memory orders of accesses and fences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MemoryOrder {
    /// A plain access.
    NotAtomic,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// The kinds of visible operations. The one list: matches on it are exhaustive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EventKind {
    // memory
    Read,
    Write,
    ReadModifyWrite,
    /// A compare-exchange: as an operation not yet decided; as an event one that succeeded.
    CompareExchange,
    /// A compare-exchange that found another value, or a weak one that failed for no reason.
    CompareExchangeFailed,
    Fence,
    /// A store leaves the store buffer and becomes visible to all threads.
    Commit,
    /// A library function that reads or writes shared memory itself.
    LibraryCall,
    // threads
    ThreadCreate,
    ThreadJoin,
    ThreadDetach,
    ThreadExit,
    Yield,
    Sleep,
    // locks
    MutexLock,
    MutexTryLock,
    MutexUnlock,
    ReadLock,
    TryReadLock,
    WriteLock,
    TryWriteLock,
    RwUnlock,
    SpinLock,
    SpinTryLock,
    SpinUnlock,
    /// A lock that is one word, found taken before.
    FutexLock,
    /// A token that is one word: the thread waits until it is there, and takes it.
    FutexPark,
    /// Initialisation and destruction of a synchronisation object.
    SyncInit,
    SyncDestroy,
    // waiting
    CondWait,
    CondSignal,
    CondBroadcast,
    BarrierWait,
    SemWait,
    SemTryWait,
    SemPost,
    OnceEnter,
    OnceDone,
    FutexWait,
    FutexWake,
    // the outside
    Output,
    Input,
    Clock,
    Random,
    /// The thread is given one of several values that it asks for: as an operation only, there is no such event.
    Choose,
    /// The process ends.
    Exit,
}

impl EventKind {
    /// Whether it is an access to memory (or orders such accesses), by the program's own code or a library function.
    pub fn is_access(self) -> bool {
        use EventKind::*;
        matches!(
            self,
            Read | Write | ReadModifyWrite | CompareExchange | CompareExchangeFailed | Fence | LibraryCall
        )
    }

    /// For what waits until a word has a value, and takes it then: this value, and the one that it leaves.
    pub const fn awaited(self) -> Option<(u32, u32)> {
        match self {
            EventKind::FutexLock => Some((0, 1)),
            EventKind::FutexPark => Some((1, 0)),
            _ => None,
        }
    }
}

/// A visible operation that a thread is about to perform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Operation {
    pub kind: EventKind,
    /// The memory or synchronisation object it is about; 0 where there is none.
    pub address: u64,
    /// Bytes from `address` on.
    pub size: u32,
    /// Memory order.
    pub order: MemoryOrder,
}

impl Operation {
    /// An operation on a synchronisation object (or none: address 0).
    pub fn sync(kind: EventKind, address: u64) -> Self {
        Operation { kind, address, size: 0, order: MemoryOrder::SeqCst }
    }
}

/// A value of up to 16 bytes inline, longer ones on the heap; the bytes as in memory.
pub type Value = SmallVec<[u8; 16]>;

/// Something visible that a thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The thread that did it.
    pub thread: ThreadId,
    /// The how many-th event of that thread.
    pub index: u32,
    /// What was done.
    pub operation: Operation,
    /// What was read (for a lock, semaphore and their like: the result of the call, empty for success).
    pub read: Value,
    /// What was written.
    pub written: Value,
    /// Where in the program: an index into the program's positions.
    pub position: u32,
    /// The nearest caller's position in the user's own code, or `position` itself.
    pub user_position: u32,
    /// Calls (inlined ones too) between the user's own code and the operation; `None` when no caller is the user's.
    pub calls: Option<u32>,
}
