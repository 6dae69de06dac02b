//! Mutexes: `pthread_mutex_*`.
//!
//! Words of `pthread_mutex_t`: lock (0 free, 1 held, with `INCONSISTENT` after its owner has died), count (of a
//! recursive one), owner (a thread's handle), users, kind.

use super::object::{self, misuse, set_word, word, words};
use super::time::Deadline;
use super::{always, blocking, finish, on_first};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::Pointer;
use crate::native::{Context, Native};
use crate::traits::Access::{Reads, Value, Writes};
use crate::traits::Trait::{Ambiguous, Timed, Tries, Unordered};
use libc::{CLOCK_REALTIME, EBUSY, EDEADLK, EINVAL, ENOTRECOVERABLE, EOWNERDEAD, EPERM, ETIMEDOUT};
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{EventKind, SyncObject};

pub const NATIVES: &[Native] = &[
    always(
        "pthread_mutex_init",
        |c| on_first(c, EventKind::SyncInit),
        |c| {
            let (at, attributes) = (c.pointer(0)?, c.pointer(1)?);
            let kind = if attributes.is_null() { 0 } else { kind_of_attributes(word(c, attributes, 0)?) };
            c.drain();
            if let Some(holder) = live_holder(c, at) {
                return Err(misuse(c, "initialisation of mutex", at, &format!("which is held by {holder}")));
            }
            initialise(c, at, kind)?;
            finish(c, EventKind::SyncInit, at.address, 0)
        },
    )
    .touching(&[Writes, Reads])
    .on(SyncObject::Mutex),
    always(
        "pthread_mutex_destroy",
        |c| on_first(c, EventKind::SyncDestroy),
        |c| {
            let at = c.pointer(0)?;
            c.drain();
            destroy(c, at)?;
            finish(c, EventKind::SyncDestroy, at.address, 0)
        },
    )
    .touching(&[Writes])
    .on(SyncObject::Mutex),
    blocking(
        "pthread_mutex_lock",
        |c| on_first(c, EventKind::MutexLock),
        lock_alternatives,
        |c| {
            let at = c.pointer(0)?;
            let code = lock(c, at)?;
            finish(c, EventKind::MutexLock, at.address, code)
        },
    )
    .on(SyncObject::Mutex),
    always(
        "pthread_mutex_trylock",
        |c| on_first(c, EventKind::MutexTryLock),
        |c| {
            let at = c.pointer(0)?;
            let code = try_lock(c, at)?;
            finish(c, EventKind::MutexTryLock, at.address, code)
        },
    )
    .on(SyncObject::Mutex)
    .with(&[Tries]),
    always(
        "pthread_mutex_timedlock",
        |c| on_first(c, EventKind::MutexTryLock),
        |c| {
            let at = c.pointer(0)?;
            let code = timed_lock(c, at, Deadline::new(1))?;
            finish(c, EventKind::MutexTryLock, at.address, code)
        },
    )
    .touching(&[Value, Reads])
    .on(SyncObject::Mutex)
    .with(&[Timed]),
    always(
        "pthread_mutex_clocklock",
        |c| on_first(c, EventKind::MutexTryLock),
        |c| {
            let at = c.pointer(0)?;
            let code = timed_lock(c, at, Deadline::on_clock(1, 2))?;
            finish(c, EventKind::MutexTryLock, at.address, code)
        },
    )
    .touching(&[Value, Value, Reads])
    .on(SyncObject::Mutex)
    .with(&[Timed]),
    always(
        "pthread_mutex_unlock",
        |c| on_first(c, EventKind::MutexUnlock),
        |c| {
            let at = c.pointer(0)?;
            let code = unlock(c, at)?;
            finish(c, EventKind::MutexUnlock, at.address, code)
        },
    )
    .on(SyncObject::Mutex),
    always(
        "pthread_mutex_consistent",
        |c| on_first(c, EventKind::MutexUnlock),
        |c| {
            let at = c.pointer(0)?;
            c.drain();
            let mutex = Mutex::load(c, at, "use of")?;
            let mine =
                mutex.robust() && mutex.lock & INCONSISTENT != 0 && mutex.owner == object::own_handle(c);
            if mine {
                set_word(c, at, LOCK, HELD)?;
            }
            finish(c, EventKind::MutexUnlock, at.address, if mine { 0 } else { EINVAL })
        },
    )
    .on(SyncObject::Mutex)
    .with(&[Ambiguous]),
    always(
        "pthread_mutex_getprioceiling",
        |c| on_first(c, EventKind::MutexTryLock),
        |c| {
            let at = c.pointer(0)?;
            let protect = Mutex::load(c, at, "use of")?.kind & PROTECT != 0;
            if protect {
                let ceiling = c.pointer(1)?;
                c.write_int(ceiling, 4, 0)?;
            }
            finish(c, EventKind::MutexTryLock, at.address, if protect { 0 } else { EINVAL })
        },
    )
    .touching(&[Value, Writes])
    .on(SyncObject::Mutex)
    .with(&[Unordered, Ambiguous]),
];

const LOCK: i64 = 0;
const COUNT: i64 = 4;
const OWNER: i64 = 8;
const KIND: i64 = 16;

const HELD: u32 = 1;
/// The owner died and no thread has called `pthread_mutex_consistent` yet.
const INCONSISTENT: u32 = 0x4000_0000;
/// Owner of a mutex that was unlocked without having been made consistent.
const LOST: u32 = i32::MAX as u32 - 1;

const TYPE_MASK: u32 = 3;
const RECURSIVE: u32 = 1;
const ERROR_CHECK: u32 = 2;
const ROBUST: u32 = 16;
const PROTECT: u32 = 64;
const DESTROYED: u32 = u32::MAX;

/// A mutex as its words say.
struct Mutex {
    at: Pointer,
    lock: u32,
    count: u32,
    owner: u32,
    kind: u32,
}

/// What a thread that wants a mutex finds.
enum Claim {
    Free,
    /// Held by the thread itself, which may take it again.
    Again,
    /// Held by the thread itself, and the mutex checks for that.
    Own,
    /// Held, or held by the thread itself for ever.
    Taken,
    OwnerDied,
    Lost,
}

impl Mutex {
    fn load(context: &mut Context<'_>, at: Pointer, action: &str) -> Result<Self, Halt> {
        let [lock, count, owner, _, kind] = words::<5>(context, at)?;
        if kind == DESTROYED {
            return Err(misuse(context, &format!("{action} mutex"), at, crate::halt::DESTROYED));
        }
        Ok(Mutex { at, lock, count, owner, kind })
    }

    fn robust(&self) -> bool {
        self.kind & ROBUST != 0
    }

    fn claim(&self, machine: &Machine, me: u32) -> Claim {
        let dead = |handle| {
            object::thread_with_handle(machine, handle).is_some_and(|i| machine.threads[i].is_finished())
        };
        match (self.lock, self.kind & TYPE_MASK) {
            (0, _) if self.robust() && self.owner == LOST => Claim::Lost,
            (0, _) => Claim::Free,
            (_, RECURSIVE) if self.owner == me => Claim::Again,
            (_, ERROR_CHECK) if self.owner == me => Claim::Own,
            _ if self.robust() && dead(self.owner) => Claim::OwnerDied,
            _ => Claim::Taken,
        }
    }

    /// Takes the mutex if that is possible: the result of the call, or nothing if it is taken.
    fn acquire(&self, context: &mut Context<'_>) -> Result<Option<i32>, Halt> {
        let me = object::own_handle(context);
        let count = u32::from(self.kind & TYPE_MASK == RECURSIVE);
        let (lock, count, code) = match self.claim(context.machine, me) {
            Claim::Free => (HELD, count, 0),
            Claim::Again => (self.lock, self.count.wrapping_add(1), 0),
            Claim::OwnerDied => (HELD | INCONSISTENT, count, EOWNERDEAD),
            Claim::Own => return Ok(Some(EDEADLK)),
            Claim::Lost => return Ok(Some(ENOTRECOVERABLE)),
            Claim::Taken => return Ok(None),
        };
        set_word(context, self.at, LOCK, lock)?;
        set_word(context, self.at, COUNT, count)?;
        set_word(context, self.at, OWNER, me)?;
        Ok(Some(code))
    }
}

/// The kind of a mutex that is made with these attributes (the word of a `pthread_mutexattr_t`).
fn kind_of_attributes(attributes: u32) -> u32 {
    use super::attributes::{MUTEX_PROTOCOL_SHIFT, MUTEX_ROBUST, MUTEX_SHARED};
    let robust = if attributes & MUTEX_ROBUST != 0 { ROBUST } else { 0 };
    let shared = if attributes & MUTEX_SHARED != 0 { 128 } else { 0 };
    let protocol = (attributes >> MUTEX_PROTOCOL_SHIFT & 3) << 5;
    attributes & TYPE_MASK | robust | protocol | shared
}

/// The thread that holds the mutex at a place where one is about to be initialised; bytes that were never written are none.
fn live_holder(context: &mut Context<'_>, at: Pointer) -> Option<String> {
    context.machine.memory.check(at, 40).ok()?;
    let defined = |offset: i64| context.machine.memory.read(at.offset(offset).address, 4).defined;
    if ![LOCK, OWNER, KIND].into_iter().all(defined) {
        return None;
    }
    let mutex = Mutex::load(context, at, "initialisation of").ok().filter(|mutex| mutex.lock == HELD)?;
    let holder = object::thread_with_handle(context.machine, mutex.owner)?;
    let thread = &context.machine.threads[holder];
    let holds = !thread.is_finished() || mutant(Mutant::DeadOwnerHolds);
    holds.then(|| thread.name.to_string())
}

/// Makes the bytes a free mutex.
pub fn initialise(context: &mut Context<'_>, at: Pointer, kind: u32) -> Result<(), Halt> {
    let mut bytes = [0; 40];
    bytes[KIND as usize..KIND as usize + 4].copy_from_slice(&kind.to_le_bytes());
    object::publish(context, at, &bytes)
}

/// Destroys a mutex, which must be free.
pub fn destroy(context: &mut Context<'_>, at: Pointer) -> Result<(), Halt> {
    let mutex = Mutex::load(context, at, "destruction of")?;
    if mutex.lock != 0 {
        let problem = format!("which is held by {}", object::name_of_thread(context.machine, mutex.owner));
        return Err(misuse(context, "destruction of mutex", at, &problem));
    }
    set_word(context, at, KIND, DESTROYED)
}

/// Whether the mutex that the first argument points to can be locked now (or the attempt fails now).
pub fn lock_alternatives(context: &mut Context<'_>) -> u32 {
    context.pointer(0).map_or(1, |at| possible(context, at))
}

/// Whether a mutex can be locked now (or the attempt fails now): 1 or 0.
pub fn possible(context: &mut Context<'_>, at: Pointer) -> u32 {
    let me = object::own_handle(context);
    match Mutex::load(context, at, "lock of") {
        Ok(mutex) => u32::from(!matches!(mutex.claim(context.machine, me), Claim::Taken)),
        Err(_) => 1,
    }
}

/// Locks a mutex that is not taken.
pub fn lock(context: &mut Context<'_>, at: Pointer) -> Result<i32, Halt> {
    context.drain();
    let code = Mutex::load(context, at, "lock of")?.acquire(context)?;
    Ok(code.unwrap_or(EBUSY))
}

/// Locks a mutex if it is free.
pub fn try_lock(context: &mut Context<'_>, at: Pointer) -> Result<i32, Halt> {
    context.drain();
    match Mutex::load(context, at, "lock of")?.acquire(context)? {
        Some(EDEADLK) | None => Ok(EBUSY),
        Some(code) => Ok(code),
    }
}

/// Locks a mutex if it is free; if it is taken, the time is over.
pub fn timed_lock(context: &mut Context<'_>, at: Pointer, deadline: Deadline) -> Result<i32, Halt> {
    context.drain();
    if let Some(code) = Mutex::load(context, at, "lock of")?.acquire(context)? {
        return Ok(code);
    }
    Ok(match deadline.reach(context, CLOCK_REALTIME)? {
        true => ETIMEDOUT,
        false => EINVAL,
    })
}

/// Unlocks a mutex.
pub fn unlock(context: &mut Context<'_>, at: Pointer) -> Result<i32, Halt> {
    release(context, at, "unlock of")
}

/// Unlocks a mutex, for a purpose that a report names.
pub fn release(context: &mut Context<'_>, at: Pointer, action: &str) -> Result<i32, Halt> {
    context.drain();
    let mutex = Mutex::load(context, at, action)?;
    if mutex.lock == 0 || mutex.owner != object::own_handle(context) {
        if mutex.robust() || matches!(mutex.kind & TYPE_MASK, RECURSIVE | ERROR_CHECK) {
            return Ok(EPERM);
        }
        let problem = match mutex.lock {
            0 => "which is not locked".to_owned(),
            _ => format!("which is held by {}", object::name_of_thread(context.machine, mutex.owner)),
        };
        return Err(misuse(context, &format!("{action} mutex"), at, &problem));
    }
    if mutex.count > 1 {
        set_word(context, at, COUNT, mutex.count - 1)?;
        return Ok(0);
    }
    set_word(context, at, LOCK, 0)?;
    set_word(context, at, COUNT, 0)?;
    set_word(context, at, OWNER, if mutex.lock & INCONSISTENT != 0 { LOST } else { 0 })?;
    Ok(0)
}

/// The handle of the thread that holds a mutex.
pub fn owner(machine: &mut Machine, address: u64) -> Option<u64> {
    let lock = object::peek(machine, address)?;
    let owner = object::peek(machine, address + OWNER as u64)?;
    (lock != 0).then_some(u64::from(owner))
}
