//! Spinlocks: `pthread_spin_*`.
//!
//! One word: 1 free, as glibc on x86_64 has it, or the complement of the owner's handle. 0 is what a spinlock
//! holds that was never initialised.

use super::object::{self, misuse, set_word, word};
use super::{always, blocking, finish, on_first};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::traits::Access::{Reads, Writes};
use crate::traits::Trait::Tries;
use libc::EBUSY;
use selvedge_trace::{EventKind, SyncObject};

pub const NATIVES: &[Native] = &[
    always(
        "pthread_spin_init",
        |c| on_first(c, EventKind::SyncInit),
        |c| {
            let at = c.pointer(0)?;
            c.drain();
            set_word(c, at, 0, FREE)?;
            finish(c, EventKind::SyncInit, at.address, 0)
        },
    )
    .touching(&[Writes, Reads])
    .on(SyncObject::SpinLock),
    always(
        "pthread_spin_destroy",
        |c| on_first(c, EventKind::SyncDestroy),
        |c| {
            let at = c.pointer(0)?;
            c.drain();
            if load(c, at, "destruction of")? != FREE {
                return Err(misuse(c, "destruction of spinlock", at, "which is held"));
            }
            set_word(c, at, 0, DESTROYED)?;
            finish(c, EventKind::SyncDestroy, at.address, 0)
        },
    )
    .touching(&[Writes])
    .on(SyncObject::SpinLock),
    blocking(
        "pthread_spin_lock",
        |c| on_first(c, EventKind::SpinLock),
        possible,
        |c| take(c, EventKind::SpinLock),
    )
    .on(SyncObject::SpinLock),
    always(
        "pthread_spin_trylock",
        |c| on_first(c, EventKind::SpinTryLock),
        |c| take(c, EventKind::SpinTryLock),
    )
    .on(SyncObject::SpinLock)
    .with(&[Tries]),
    always(
        "pthread_spin_unlock",
        |c| on_first(c, EventKind::SpinUnlock),
        |c| {
            let at = c.pointer(0)?;
            c.drain();
            let state = load(c, at, "unlock of")?;
            if state == FREE {
                return Err(misuse(c, "unlock of spinlock", at, "which is not locked"));
            }
            if !state != object::own_handle(c) {
                let problem = format!("which is held by {}", object::name_of_thread(c.machine, !state));
                return Err(misuse(c, "unlock of spinlock", at, &problem));
            }
            set_word(c, at, 0, FREE)?;
            finish(c, EventKind::SpinUnlock, at.address, 0)
        },
    )
    .on(SyncObject::SpinLock),
];

const FREE: u32 = 1;
const NEVER_INITIALISED: u32 = 0;
const DESTROYED: u32 = u32::MAX;

fn load(context: &mut Context<'_>, at: Pointer, action: &str) -> Result<u32, Halt> {
    let problem = match word(context, at, 0)? {
        NEVER_INITIALISED => "which was not initialised by pthread_spin_init",
        DESTROYED => crate::halt::DESTROYED,
        state => return Ok(state),
    };
    Err(misuse(context, &format!("{action} spinlock"), at, problem))
}

fn possible(context: &mut Context<'_>) -> u32 {
    let state = context.pointer(0).and_then(|at| load(context, at, "lock of"));
    state.map_or(1, |state| u32::from(state == FREE))
}

fn take(context: &mut Context<'_>, kind: EventKind) -> Result<Flow, Halt> {
    let at = context.pointer(0)?;
    context.drain();
    let free = load(context, at, "lock of")? == FREE;
    if free {
        let me = object::own_handle(context);
        set_word(context, at, 0, !me)?;
    }
    finish(context, kind, at.address, if free { 0 } else { EBUSY })
}

/// The handle of the thread that holds a spinlock.
pub fn owner(machine: &mut Machine, address: u64) -> Option<u64> {
    let state = object::peek(machine, address)?;
    (!matches!(state, FREE | NEVER_INITIALISED | DESTROYED)).then_some(u64::from(!state))
}

/// Lets a lock be free.
pub fn set_free(machine: &mut Machine, address: u64) {
    machine.memory.write_bytes(address, &FREE.to_le_bytes());
}

/// Lets a thread hold a lock.
pub fn set_owner(machine: &mut Machine, address: u64, handle: u32) {
    machine.memory.write_bytes(address, &(!handle).to_le_bytes());
}
