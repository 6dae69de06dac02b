//! POSIX semaphores: `sem_*`.
//!
//! The first word of `sem_t` is the value.

use super::object::{misuse, publish, set_word, word};
use super::time::Deadline;
use super::{always, blocking, finish_with_errno, if_shared, on_first};
use crate::halt::Halt;
use crate::memory::{ObjectKind, Pointer};
use crate::native::{Context, Flow, Native};
use crate::traits::Access::{Reads, Value, Writes};
use crate::traits::Trait::{Timed, Tries, Unordered};
use libc::{CLOCK_REALTIME, EAGAIN, EEXIST, EINVAL, ENOENT, ENOMEM, EOVERFLOW, ETIMEDOUT, O_CREAT, O_EXCL};
use selvedge_trace::{EventKind, Operation, SyncObject};

pub const NATIVES: &[Native] = &[
    always(
        "sem_init",
        |c| on_first(c, EventKind::SyncInit),
        |c| {
            let (at, value) = (c.pointer(0)?, c.int(2)? as u32);
            c.drain();
            let valid = value <= LARGEST;
            if valid {
                initialise(c, at, value)?;
            }
            finish_with_errno(c, EventKind::SyncInit, at.address, if valid { 0 } else { EINVAL })
        },
    )
    .touching(&[Writes, Reads])
    .on(SyncObject::Semaphore),
    always(
        "sem_destroy",
        |c| on_first(c, EventKind::SyncDestroy),
        |c| {
            let at = c.pointer(0)?;
            c.drain();
            load(c, at, "destruction of")?;
            set_word(c, at, 0, DESTROYED)?;
            finish_with_errno(c, EventKind::SyncDestroy, at.address, 0)
        },
    )
    .touching(&[Writes])
    .on(SyncObject::Semaphore),
    blocking(
        "sem_wait",
        |c| on_first(c, EventKind::SemWait),
        possible,
        |c| take(c, EventKind::SemWait, None),
    )
    .on(SyncObject::Semaphore),
    always("sem_trywait", |c| on_first(c, EventKind::SemTryWait), |c| take(c, EventKind::SemTryWait, None))
        .on(SyncObject::Semaphore)
        .with(&[Tries]),
    always(
        "sem_timedwait",
        |c| on_first(c, EventKind::SemTryWait),
        |c| take(c, EventKind::SemTryWait, Some(Deadline::new(1))),
    )
    .touching(&[Value, Reads])
    .on(SyncObject::Semaphore)
    .with(&[Timed]),
    always(
        "sem_clockwait",
        |c| on_first(c, EventKind::SemTryWait),
        |c| take(c, EventKind::SemTryWait, Some(Deadline::on_clock(1, 2))),
    )
    .touching(&[Value, Value, Reads])
    .on(SyncObject::Semaphore)
    .with(&[Timed]),
    always(
        "sem_post",
        |c| on_first(c, EventKind::SemPost),
        |c| {
            let at = c.pointer(0)?;
            c.drain();
            let value = load(c, at, "post to")?;
            if value < LARGEST {
                set_word(c, at, 0, value + 1)?;
            }
            finish_with_errno(c, EventKind::SemPost, at.address, if value < LARGEST { 0 } else { EOVERFLOW })
        },
    )
    .on(SyncObject::Semaphore),
    always(
        "sem_getvalue",
        |c| on_first(c, EventKind::LibraryCall),
        |c| {
            let (at, result) = (c.pointer(0)?, c.pointer(1)?);
            c.drain();
            let value = load(c, at, "use of")?;
            c.write_int(result, 4, u64::from(value))?;
            c.event(EventKind::LibraryCall, at.address, &value.to_le_bytes(), &[]);
            c.return_int(0)
        },
    )
    .touching(&[Value, Writes])
    .on(SyncObject::Semaphore)
    .with(&[Unordered]),
    always("sem_open", |_| Ok(Operation::sync(EventKind::SyncInit, 0)), open)
        .touching(&[Reads])
        .with(&[Unordered]),
    if_shared("sem_close", |c| c.return_int(0)).on(SyncObject::Semaphore),
    always(
        "sem_unlink",
        |_| Ok(Operation::sync(EventKind::SyncDestroy, 0)),
        |c| {
            let name = c.pointer(0)?;
            let name = c.read_string(name, None)?;
            let known = c.machine.world.semaphores.remove(&name).is_some();
            finish_with_errno(c, EventKind::SyncDestroy, 0, if known { 0 } else { ENOENT })
        },
    )
    .touching(&[Reads])
    .with(&[Unordered]),
];

const LARGEST: u32 = i32::MAX as u32;
const DESTROYED: u32 = u32::MAX;

fn initialise(context: &mut Context<'_>, at: Pointer, value: u32) -> Result<(), Halt> {
    publish(context, at, &[0; 32])?;
    set_word(context, at, 0, value)
}

fn load(context: &mut Context<'_>, at: Pointer, action: &str) -> Result<u32, Halt> {
    match word(context, at, 0)? {
        DESTROYED => Err(misuse(context, &format!("{action} semaphore"), at, crate::halt::DESTROYED)),
        value => Ok(value),
    }
}

fn possible(context: &mut Context<'_>) -> u32 {
    let value = context.pointer(0).and_then(|at| load(context, at, "wait on"));
    value.map_or(1, |value| value.min(1))
}

fn take(context: &mut Context<'_>, kind: EventKind, deadline: Option<Deadline>) -> Result<Flow, Halt> {
    let at = context.pointer(0)?;
    context.drain();
    let code = match (load(context, at, "wait on")?, deadline) {
        (0, None) => EAGAIN,
        (0, Some(deadline)) => match deadline.reach(context, CLOCK_REALTIME)? {
            true => ETIMEDOUT,
            false => EINVAL,
        },
        (value, _) => {
            set_word(context, at, 0, value - 1)?;
            0
        }
    };
    finish_with_errno(context, kind, at.address, code)
}

/// Named semaphores live as long as the machine: no other process can have made one before.
fn open(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (name, flags) = (context.pointer(0)?, context.int32(1)?);
    let name = context.read_string(name, None)?;
    context.drain();
    let existing = context.machine.world.semaphores.get(&name).copied();
    let result = match existing {
        Some(_) if flags & O_CREAT != 0 && flags & O_EXCL != 0 => Err(EEXIST),
        Some(at) => Ok(at),
        None if flags & O_CREAT == 0 => Err(ENOENT),
        None => match context.int(3)? as u32 {
            value if value > LARGEST => Err(EINVAL),
            value => match context.allocate(32, 16, ObjectKind::Library) {
                Some(at) => {
                    context.machine.memory.share(at.provenance);
                    initialise(context, at, value)?;
                    context.machine.world.semaphores.insert(name, at);
                    Ok(at)
                }
                None => Err(ENOMEM),
            },
        },
    };
    match result {
        Ok(at) => {
            context.event(EventKind::SyncInit, 0, &[], &[]);
            context.return_pointer(at)
        }
        Err(code) => {
            context.event(EventKind::SyncInit, 0, &code.to_le_bytes(), &[]);
            context.set_errno(code)?;
            context.return_pointer(Pointer::NULL)
        }
    }
}

/// Lets a semaphore have one if it has none.
pub fn set_at_least_one(machine: &mut crate::machine::Machine, address: u64) {
    if super::object::peek(machine, address) == Some(0) {
        machine.memory.write_bytes(address, &1_u32.to_le_bytes());
    }
}
