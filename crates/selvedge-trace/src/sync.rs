//! Synchronisation objects.

/// A kind of synchronisation object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyncObject {
    /// A mutex: one holder.
    Mutex,
    /// The lock of a stream, which lies in no memory of the program's.
    Stream,
    /// A read-write lock: one writer, or readers.
    RwLock,
    /// A spin lock.
    SpinLock,
    /// A semaphore.
    Semaphore,
    /// A barrier: threads go on when enough have arrived.
    Barrier,
    /// A condition variable: a queue of threads.
    Condition,
    /// A flag of one-time initialisation.
    Once,
    /// A word, and the system's queue of threads that wait for it.
    Futex,
    /// A thread: its end.
    Thread,
}

impl SyncObject {
    /// How many bytes of the program's memory it takes.
    pub const fn size(self) -> u64 {
        match self {
            SyncObject::Mutex | SyncObject::Stream => 40,
            SyncObject::RwLock => 56,
            SyncObject::Condition => 48,
            SyncObject::Semaphore | SyncObject::Barrier => 32,
            SyncObject::SpinLock | SyncObject::Once | SyncObject::Futex => 4,
            SyncObject::Thread => 1,
        }
    }
}
