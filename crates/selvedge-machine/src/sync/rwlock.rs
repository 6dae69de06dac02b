//! Read-write locks: `pthread_rwlock_*`.
//!
//! Words of `pthread_rwlock_t`: the number of readers at 0, the writer's handle at 24, the kind at 48. Which of
//! several waiting threads comes first is the scheduler's choice, whatever the kind prefers.

use super::object::{self, misuse, set_word, word};
use super::time::Deadline;
use super::{always, blocking, finish, on_first};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::traits::Access::{Reads, Value, Writes};
use crate::traits::Trait::{Timed, Tries};
use libc::{CLOCK_REALTIME, EBUSY, EDEADLK, EINVAL, ETIMEDOUT};
use selvedge_trace::{EventKind, SyncObject};

pub const NATIVES: &[Native] = &[
    always(
        "pthread_rwlock_init",
        |c| on_first(c, EventKind::SyncInit),
        |c| {
            let (at, attributes) = (c.pointer(0)?, c.pointer(1)?);
            let kind = if attributes.is_null() { 0 } else { word(c, attributes, 0)? };
            c.drain();
            object::publish(c, at, &[0; 56])?;
            set_word(c, at, KIND, kind)?;
            finish(c, EventKind::SyncInit, at.address, 0)
        },
    )
    .touching(&[Writes, Reads])
    .on(SyncObject::RwLock),
    always(
        "pthread_rwlock_destroy",
        |c| on_first(c, EventKind::SyncDestroy),
        |c| {
            let at = c.pointer(0)?;
            c.drain();
            let lock = RwLock::load(c, at, "destruction of")?;
            if lock.readers != 0 || lock.writer != 0 {
                return Err(misuse(c, "destruction of read-write lock", at, "which is held"));
            }
            set_word(c, at, WRITER, DESTROYED)?;
            finish(c, EventKind::SyncDestroy, at.address, 0)
        },
    )
    .touching(&[Writes])
    .on(SyncObject::RwLock),
    blocking(
        "pthread_rwlock_rdlock",
        |c| on_first(c, EventKind::ReadLock),
        |c| possible(c, Mode::Read),
        |c| lock(c, Mode::Read, Patience::Endless),
    )
    .on(SyncObject::RwLock),
    blocking(
        "pthread_rwlock_wrlock",
        |c| on_first(c, EventKind::WriteLock),
        |c| possible(c, Mode::Write),
        |c| lock(c, Mode::Write, Patience::Endless),
    )
    .on(SyncObject::RwLock),
    always(
        "pthread_rwlock_tryrdlock",
        |c| on_first(c, EventKind::TryReadLock),
        |c| lock(c, Mode::Read, Patience::None),
    )
    .on(SyncObject::RwLock)
    .with(&[Tries]),
    always(
        "pthread_rwlock_trywrlock",
        |c| on_first(c, EventKind::TryWriteLock),
        |c| lock(c, Mode::Write, Patience::None),
    )
    .on(SyncObject::RwLock)
    .with(&[Tries]),
    always(
        "pthread_rwlock_timedrdlock",
        |c| on_first(c, EventKind::TryReadLock),
        |c| lock(c, Mode::Read, Patience::Until(Deadline::new(1))),
    )
    .touching(&[Value, Reads])
    .on(SyncObject::RwLock)
    .with(&[Timed]),
    always(
        "pthread_rwlock_timedwrlock",
        |c| on_first(c, EventKind::TryWriteLock),
        |c| lock(c, Mode::Write, Patience::Until(Deadline::new(1))),
    )
    .touching(&[Value, Reads])
    .on(SyncObject::RwLock)
    .with(&[Timed]),
    always(
        "pthread_rwlock_clockrdlock",
        |c| on_first(c, EventKind::TryReadLock),
        |c| lock(c, Mode::Read, Patience::Until(Deadline::on_clock(1, 2))),
    )
    .touching(&[Value, Value, Reads])
    .on(SyncObject::RwLock)
    .with(&[Timed]),
    always(
        "pthread_rwlock_clockwrlock",
        |c| on_first(c, EventKind::TryWriteLock),
        |c| lock(c, Mode::Write, Patience::Until(Deadline::on_clock(1, 2))),
    )
    .touching(&[Value, Value, Reads])
    .on(SyncObject::RwLock)
    .with(&[Timed]),
    always("pthread_rwlock_unlock", |c| on_first(c, EventKind::RwUnlock), unlock).on(SyncObject::RwLock),
];

const READERS: i64 = 0;
const WRITER: i64 = 24;
const KIND: i64 = 48;
const DESTROYED: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Read,
    Write,
}

/// What a thread does that finds the lock taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    /// It is blocked.
    Endless,
    /// It gives up.
    None,
    /// It gives up when the deadline is reached.
    Until(Deadline),
}

struct RwLock {
    readers: u32,
    writer: u32,
}

impl RwLock {
    fn load(context: &mut Context<'_>, at: Pointer, action: &str) -> Result<Self, Halt> {
        let writer = word(context, at, WRITER)?;
        if writer == DESTROYED {
            return Err(misuse(context, &format!("{action} read-write lock"), at, crate::halt::DESTROYED));
        }
        Ok(RwLock { readers: word(context, at, READERS)?, writer })
    }

    fn is_free(&self, mode: Mode) -> bool {
        self.writer == 0 && (mode == Mode::Read || self.readers == 0)
    }
}

fn possible(context: &mut Context<'_>, mode: Mode) -> u32 {
    let me = object::own_handle(context);
    let lock = context.pointer(0).and_then(|at| RwLock::load(context, at, "lock of"));
    lock.map_or(1, |lock| u32::from(lock.is_free(mode) || lock.writer == me))
}

fn lock(context: &mut Context<'_>, mode: Mode, patience: Patience) -> Result<Flow, Halt> {
    let at = context.pointer(0)?;
    let me = object::own_handle(context);
    context.drain();
    let lock = RwLock::load(context, at, "lock of")?;
    let code = if lock.is_free(mode) {
        match mode {
            Mode::Read => set_word(context, at, READERS, lock.readers + 1)?,
            Mode::Write => set_word(context, at, WRITER, me)?,
        }
        0
    } else if patience != Patience::None && lock.writer == me {
        EDEADLK
    } else if let Patience::Until(deadline) = patience {
        if deadline.reach(context, CLOCK_REALTIME)? { ETIMEDOUT } else { EINVAL }
    } else {
        EBUSY
    };
    let kind = match (mode, patience) {
        (Mode::Read, Patience::Endless) => EventKind::ReadLock,
        (Mode::Read, _) => EventKind::TryReadLock,
        (Mode::Write, Patience::Endless) => EventKind::WriteLock,
        (Mode::Write, _) => EventKind::TryWriteLock,
    };
    finish(context, kind, at.address, code)
}

fn unlock(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let at = context.pointer(0)?;
    context.drain();
    let lock = RwLock::load(context, at, "unlock of")?;
    if lock.writer == object::own_handle(context) {
        set_word(context, at, WRITER, 0)?;
    } else if lock.writer != 0 {
        let problem = format!("which is held by {}", object::name_of_thread(context.machine, lock.writer));
        return Err(misuse(context, "unlock of read-write lock", at, &problem));
    } else if lock.readers == 0 {
        return Err(misuse(context, "unlock of read-write lock", at, "which is not locked"));
    } else {
        set_word(context, at, READERS, lock.readers - 1)?;
    }
    finish(context, EventKind::RwUnlock, at.address, 0)
}

/// The handle of the thread that holds a lock for writing.
pub fn owner(machine: &mut Machine, address: u64) -> Option<u64> {
    object::peek(machine, address + WRITER as u64).filter(|&writer| writer != 0).map(u64::from)
}

/// Lets no thread hold a lock for writing, nor for reading if it is not to be `shared`.
pub fn set_free(machine: &mut Machine, address: u64, shared: bool) {
    machine.memory.write_bytes(address + WRITER as u64, &[0; 4]);
    if !shared {
        machine.memory.write_bytes(address + READERS as u64, &[0; 4]);
    }
}

/// Lets a thread hold a lock for writing.
pub fn set_owner(machine: &mut Machine, address: u64, handle: u32) {
    machine.memory.write_bytes(address + WRITER as u64, &handle.to_le_bytes());
}
