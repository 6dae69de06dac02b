//! What threads did, as far as it matters for the order of events.

pub use selvedge_trace::{Cause, Place};
use selvedge_trace::{MemoryOrder, Value};

/// An event of a trace: a thread, and an index in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId {
    /// The thread's number in the trace.
    pub thread: u32,
    /// Its how many-th event.
    pub index: u32,
}

impl EventId {
    /// The event of a thread with this index.
    pub fn new(thread: u32, index: u32) -> Self {
        EventId { thread, index }
    }
}

/// What an event did. Locks, queues, semaphores and barriers are named by their addresses, each kind for itself.
///
/// Under TSO and PSO every action but reads, writes that are not `SeqCst`, fences that are not `SeqCst`, some
/// [calls](Action::Call) and [`Action::Nothing`] waits until the thread's store buffer is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A load saw a value.
    Read {
        at: Place,
        /// What it saw.
        value: Value,
    },
    /// A store. It enters the store buffer unless it is `SeqCst`; a release store is a barrier for earlier stores.
    Write {
        at: Place,
        /// What it stores.
        value: Value,
        /// Memory order.
        order: MemoryOrder,
    },
    /// A read-modify-write or a compare-exchange.
    Update {
        at: Place,
        /// What it saw.
        read: Value,
        /// What it stored; nothing for a compare-exchange that failed.
        written: Option<Value>,
    },
    /// Several places at once: a copy, or a call of a library function. All that it reads and writes happens together,
    /// and what it reads is what was there before it wrote. What it writes goes to memory at once, so under TSO and PSO
    /// one that writes waits until the store buffer is empty; a call whose stores enter the buffer is one that only
    /// reads, followed by stores.
    Call {
        /// What it saw, in the order in which the one decides where it looks next.
        reads: Vec<(Place, Value)>,
        /// What it stored; no two places overlap.
        writes: Vec<(Place, Value)>,
        /// It waits until the store buffer is empty, also if it writes nothing.
        drains: bool,
    },
    /// A fence: `SeqCst` empties the store buffer, a release fence keeps stores before and after it in order.
    Fence {
        /// Memory order.
        order: MemoryOrder,
    },
    /// Takes a lock that no thread holds.
    Lock { lock: u64 },
    /// Gives a lock back.
    Unlock { lock: u64 },
    /// Takes a lock if no thread holds it.
    TryLock {
        lock: u64,
        /// Whether no thread held it.
        taken: bool,
    },
    /// Takes a read-write lock for reading.
    LockShared { lock: u64 },
    /// Gives a read-write lock back that was taken for reading.
    UnlockShared { lock: u64 },
    /// Takes a read-write lock for reading if no thread holds it for writing.
    TryLockShared {
        lock: u64,
        /// Whether no thread held it for writing.
        taken: bool,
    },
    /// Starts to wait: on a condition variable it releases the mutex, on a futex it compares memory. [`Action::Wake`]
    /// must follow, or nothing.
    Wait {
        /// Where it waits.
        queue: u64,
        /// The lock that it releases.
        lock: Option<u64>,
        /// Memory that must hold this value.
        sees: Option<(Place, Value)>,
    },
    /// Goes on after waiting.
    Wake {
        /// Where it waited.
        queue: u64,
        /// The lock that it takes again.
        lock: Option<u64>,
        /// Why it goes on.
        cause: Cause,
    },
    /// Wakes threads that wait: one (signal), some (futex) or all (broadcast). If fewer wait, it wakes all of them.
    Notify {
        /// Where they wait.
        queue: u64,
        /// How many it wakes at most.
        most: u32,
        /// How many it has woken, if the program was told.
        woken: Option<u32>,
    },
    /// Adds one to a semaphore.
    Post { semaphore: u64 },
    /// Takes one from a semaphore that has one.
    Take { semaphore: u64 },
    /// Takes one from a semaphore if it has one.
    TryTake {
        semaphore: u64,
        /// Whether it had one.
        taken: bool,
    },
    /// Arrives at a barrier. After one that is not the last, [`Action::Leave`] must follow, or nothing.
    Arrive {
        barrier: u64,
        /// Whether it was the last thread of its round.
        last: bool,
    },
    /// Leaves a barrier after the last thread has arrived.
    Leave { barrier: u64 },
    /// Starts a thread.
    Fork {
        /// Its number in the trace.
        thread: u32,
    },
    /// A thread has ended.
    Join {
        /// Its number in the trace.
        thread: u32,
    },
    /// The thread ends; nothing may follow.
    End,
    /// Something that has nothing to do with other threads.
    Nothing,
}

impl Action {
    /// A store that enters the store buffer under TSO and PSO.
    pub fn buffered(&self) -> Option<(Place, &Value)> {
        match self {
            Action::Write { at, value, order } if *order != MemoryOrder::SeqCst => Some((*at, value)),
            _ => None,
        }
    }

    /// Stores after it become visible after stores before it, also under PSO.
    pub fn store_barrier(&self) -> bool {
        let release = |order: &MemoryOrder| matches!(order, MemoryOrder::Release | MemoryOrder::AcqRel);
        matches!(self, Action::Write { order, .. } | Action::Fence { order } if release(order))
    }

    /// Whether it waits until the thread's store buffer is empty.
    pub fn drains(&self) -> bool {
        match self {
            Action::Read { .. } | Action::Nothing => false,
            Action::Write { order, .. } | Action::Fence { order } => *order == MemoryOrder::SeqCst,
            Action::Call { writes, drains, .. } => *drains || !writes.is_empty(),
            _ => true,
        }
    }

    /// What it must see in memory.
    pub fn sees(&self) -> impl Iterator<Item = (Place, &Value)> {
        let (one, many) = match self {
            Action::Read { at, value } | Action::Update { at, read: value, .. } => {
                (Some((*at, value)), &[][..])
            }
            Action::Wait { sees: Some((at, value)), .. } => (Some((*at, value)), &[][..]),
            Action::Call { reads, .. } => (None, &reads[..]),
            _ => (None, &[][..]),
        };
        one.into_iter().chain(many.iter().map(|(at, value)| (*at, value)))
    }

    /// What it writes to memory, at once or through the store buffer.
    pub fn writes(&self) -> impl Iterator<Item = (Place, &Value)> {
        let (one, many) = match self {
            Action::Write { at, value, .. } | Action::Update { at, written: Some(value), .. } => {
                (Some((*at, value)), &[][..])
            }
            Action::Call { writes, .. } => (None, &writes[..]),
            _ => (None, &[][..]),
        };
        one.into_iter().chain(many.iter().map(|(at, value)| (*at, value)))
    }

    /// The lock that it takes for itself alone.
    pub fn acquires(&self) -> Option<u64> {
        match self {
            Action::Lock { lock } | Action::TryLock { lock, taken: true } => Some(*lock),
            Action::Wake { lock, .. } => *lock,
            _ => None,
        }
    }

    /// The lock that it had for itself alone and gives back.
    pub fn releases(&self) -> Option<u64> {
        match self {
            Action::Unlock { lock } => Some(*lock),
            Action::Wait { lock, .. } => *lock,
            _ => None,
        }
    }
}
