//! Synchronisation, described once: which objects there are, and what each kind of event does to its object. Footprints, views,
//! the graph models, operational RC11, the steps of the concolic shadow, the actions of recorded traces, and the strategies'
//! questions what drains and what blocks are derived from it, by folding over objects and effects.

use crate::{EventKind, MemoryOrder};

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
    /// How many bytes the largest of them takes.
    pub const LARGEST: u64 = 56;

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

impl SyncObject {
    /// Whether it is a lock: acquiring and releasing it mean taking it and giving it back, and nothing is counted.
    pub const fn is_lock(self) -> bool {
        match self {
            SyncObject::Mutex | SyncObject::Stream | SyncObject::RwLock | SyncObject::SpinLock => true,
            SyncObject::Semaphore
            | SyncObject::Barrier
            | SyncObject::Condition
            | SyncObject::Once
            | SyncObject::Futex
            | SyncObject::Thread => false,
        }
    }
}

/// Which share of an object is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Share {
    /// All of it.
    Whole,
    /// Others may have it at the same time: a read-write lock, for reading.
    Shared,
}

/// What an operation does to its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyncEffect {
    /// Takes it, and waits until that is possible.
    Acquire(Share),
    /// Takes it if that is possible now, and fails otherwise.
    Try(Share),
    /// Gives it back.
    Release,
    /// Enters its queue, to be woken; leaves a mutex that was held (conditions).
    Wait,
    /// Wakes threads of its queue.
    Wake,
    /// Arrives, and waits until enough others have.
    Arrive,
    /// Creates a thread.
    Create,
    /// Waits for a thread's end.
    Join,
    /// Gives a thread up: nothing waits for its end.
    Detach,
    /// Ends the thread.
    End,
    /// Makes an object.
    Init,
    /// Ends an object's life.
    Destroy,
}

/// What an operation does, and to which kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sync {
    /// The object; none where an event does not say what kind it is (initialisation and destruction).
    pub object: Option<SyncObject>,
    /// What is done.
    pub effect: SyncEffect,
}

impl SyncEffect {
    /// How an operation that succeeds orders the accesses of its thread; one that fails orders nothing.
    pub const fn order(self) -> MemoryOrder {
        match self {
            SyncEffect::Acquire(_) | SyncEffect::Try(_) | SyncEffect::Join => MemoryOrder::Acquire,
            SyncEffect::Release | SyncEffect::Wake | SyncEffect::Create | SyncEffect::End => {
                MemoryOrder::Release
            }
            SyncEffect::Wait | SyncEffect::Arrive => MemoryOrder::AcqRel,
            SyncEffect::Detach | SyncEffect::Init | SyncEffect::Destroy => MemoryOrder::Relaxed,
        }
    }
}

impl Sync {
    /// Whether the operation may have to wait for others. Waiting for a condition begins at once; it ends with taking the
    /// mutex again, which is another operation.
    pub const fn blocks(self) -> bool {
        match self.effect {
            SyncEffect::Acquire(_) | SyncEffect::Arrive | SyncEffect::Join => true,
            SyncEffect::Wait => matches!(self.object, Some(SyncObject::Futex)),
            _ => false,
        }
    }

    /// Whether a call that succeeds and one that does not differ in what others have done, so that how it ended is part of
    /// what the thread has seen.
    pub const fn has_answer(self) -> bool {
        match self.effect {
            SyncEffect::Try(_) | SyncEffect::Arrive => true,
            SyncEffect::Wait => matches!(self.object, Some(SyncObject::Futex)),
            _ => false,
        }
    }
}

impl EventKind {
    /// What this is as an operation on a synchronisation object. The one list: the rest of the program asks here.
    pub const fn sync(self) -> Option<Sync> {
        use Share::{Shared, Whole};
        use SyncEffect::*;
        use SyncObject::*;
        let (object, effect) = match self {
            EventKind::MutexLock => (Mutex, Acquire(Whole)),
            EventKind::MutexTryLock => (Mutex, Try(Whole)),
            EventKind::MutexUnlock => (Mutex, Release),
            EventKind::ReadLock => (RwLock, Acquire(Shared)),
            EventKind::TryReadLock => (RwLock, Try(Shared)),
            EventKind::WriteLock => (RwLock, Acquire(Whole)),
            EventKind::TryWriteLock => (RwLock, Try(Whole)),
            EventKind::RwUnlock => (RwLock, Release),
            EventKind::SpinLock => (SpinLock, Acquire(Whole)),
            EventKind::SpinTryLock => (SpinLock, Try(Whole)),
            EventKind::SpinUnlock => (SpinLock, Release),
            EventKind::SemWait => (Semaphore, Acquire(Whole)),
            EventKind::SemTryWait => (Semaphore, Try(Whole)),
            EventKind::SemPost => (Semaphore, Release),
            EventKind::OnceEnter => (Once, Acquire(Whole)),
            EventKind::OnceDone => (Once, Release),
            EventKind::FutexLock | EventKind::FutexPark => (Futex, Acquire(Whole)),
            EventKind::FutexWait => (Futex, Wait),
            EventKind::FutexWake => (Futex, Wake),
            EventKind::CondWait => (Condition, Wait),
            EventKind::CondSignal | EventKind::CondBroadcast => (Condition, Wake),
            EventKind::BarrierWait => (Barrier, Arrive),
            EventKind::ThreadCreate => (Thread, Create),
            EventKind::ThreadJoin => (Thread, Join),
            EventKind::ThreadDetach => (Thread, Detach),
            EventKind::ThreadExit => (Thread, End),
            EventKind::SyncInit => return Some(Sync { object: None, effect: Init }),
            EventKind::SyncDestroy => return Some(Sync { object: None, effect: Destroy }),
            EventKind::Read
            | EventKind::Write
            | EventKind::ReadModifyWrite
            | EventKind::CompareExchange
            | EventKind::CompareExchangeFailed
            | EventKind::Fence
            | EventKind::Commit
            | EventKind::LibraryCall
            | EventKind::Yield
            | EventKind::Sleep
            | EventKind::Output
            | EventKind::Input
            | EventKind::Clock
            | EventKind::Random
            | EventKind::Choose
            | EventKind::Exit => return None,
        };
        Some(Sync { object: Some(object), effect })
    }

    /// The object and the effect, where the event says what kind of object it is.
    pub const fn on_object(self) -> Option<(SyncObject, SyncEffect)> {
        match self.sync() {
            Some(Sync { object: Some(object), effect }) => Some((object, effect)),
            _ => None,
        }
    }
}
