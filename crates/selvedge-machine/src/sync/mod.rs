//! Models of threads and synchronisation.
//!
//! The state of a mutex, a condition variable, a semaphore and their like lives in the program's own memory, in the
//! bytes of the object, laid out so that the static initialisers of glibc (x86_64) mean what they should. So copies,
//! snapshots, hashes and the detection of uninitialised objects need nothing extra. Which threads wait is not in
//! memory: a thread waits when its pending operation has no possible outcome, or when its status says so.
//!
//! Time-outs happen when the scheduler wants them to. A timed operation on something that is taken times out, on
//! something that is free it succeeds: waiting longer is the scheduler's choice to run another thread first. So do
//! spurious wake-ups, where the machine offers them.

mod alone;
mod attributes;
mod barrier;
mod c11;
mod condition;
mod futex;
mod keys;
mod mutex;
mod object;
mod once;
mod process;
mod rust;
mod rwlock;
mod semaphore;
mod spin;
mod system;
mod threads;
mod time;

use crate::halt::Halt;
use crate::machine::Machine;
use crate::native::{Context, Flow, Native, Visibility};
use crate::traits::Reach;
pub(crate) use alone::{arrived_at_barrier, as_if_free, as_if_taken};
pub(crate) use barrier::needed as needed_at_barrier;
pub(crate) use condition::release as release_for_wait;
pub(crate) use futex::{FutexCall, finds_expected, futex_call, most_woken, time_out};
pub(crate) use object::{handle_of, thread_with_handle};
pub use rust::has_library_code;
pub(crate) use rust::{FREE, LOCK_CONTENDED, TAKEN};
use selvedge_trace::{EventKind, Operation, SyncEffect, SyncObject, ThreadId};

/// The tables of models.
pub static TABLES: &[&[Native]] = &[
    attributes::NATIVES,
    barrier::NATIVES,
    c11::NATIVES,
    condition::NATIVES,
    keys::NATIVES,
    mutex::NATIVES,
    once::NATIVES,
    process::NATIVES,
    rust::NATIVES,
    rwlock::NATIVES,
    semaphore::NATIVES,
    spin::NATIVES,
    system::NATIVES,
    threads::NATIVES,
    time::NATIVES,
];

/// The thread that holds the lock at an address, or that another one wants to join.
pub fn holder(machine: &mut Machine, kind: EventKind, address: u64) -> Option<ThreadId> {
    let owner = match kind.on_object()? {
        (SyncObject::Mutex, SyncEffect::Acquire(_)) => mutex::owner(machine, address)?,
        (SyncObject::RwLock, SyncEffect::Acquire(_)) => rwlock::owner(machine, address)?,
        (SyncObject::SpinLock, SyncEffect::Acquire(_)) => spin::owner(machine, address)?,
        (SyncObject::Once, SyncEffect::Acquire(_)) => once::owner(machine, address)?,
        (SyncObject::Thread, SyncEffect::Join) => address,
        _ => return None,
    };
    object::thread_with_handle(machine, owner).map(|index| ThreadId(index as u16))
}

type Run = fn(&mut Context<'_>) -> Result<Flow, Halt>;

/// A function that touches nothing shared.
const fn private(name: &'static str, run: Run) -> Native {
    Native::private(name, run)
}

/// A function that is visible when what it works on is shared.
const fn if_shared(name: &'static str, run: Run) -> Native {
    Native::if_shared(name, Reach::Anything, run)
}

/// A function that is always visible and always possible.
const fn always(
    name: &'static str,
    operation: fn(&mut Context<'_>) -> Result<Operation, Halt>,
    run: Run,
) -> Native {
    blocking(name, operation, |_| 1, run)
}

/// A function that is always visible and may have to wait, or may have several results.
const fn blocking(
    name: &'static str,
    operation: fn(&mut Context<'_>) -> Result<Operation, Halt>,
    alternatives: fn(&mut Context<'_>) -> u32,
    run: Run,
) -> Native {
    Native::visible(name, Visibility::Always { operation, alternatives }, Reach::Nothing, run)
}

/// The operation on the object that the first argument points to (or is).
fn on_first(context: &mut Context<'_>, kind: EventKind) -> Result<Operation, Halt> {
    Ok(Operation::sync(kind, context.int(0)?))
}

/// Notes what happened and returns the error code, as POSIX threads functions do.
fn finish(context: &mut Context<'_>, kind: EventKind, address: u64, code: i32) -> Result<Flow, Halt> {
    note(context, kind, address, code);
    context.return_int(code as u32 as u64)
}

/// Notes what happened, and with which error code.
fn note(context: &mut Context<'_>, kind: EventKind, address: u64, code: i32) {
    match code {
        0 => context.event(kind, address, &[], &[]),
        code => context.event(kind, address, &code.to_le_bytes(), &[]),
    }
}

/// Notes what happened and returns 0, or -1 with errno.
fn finish_with_errno(
    context: &mut Context<'_>,
    kind: EventKind,
    address: u64,
    code: i32,
) -> Result<Flow, Halt> {
    note(context, kind, address, code);
    match code {
        0 => context.return_int(0),
        code => context.fail(code),
    }
}

#[cfg(test)]
pub(crate) mod tests;
