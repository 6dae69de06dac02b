//! Parts of Rust's standard library that cost many steps and of which a program sees no more than their effect.
//!
//! A function of which a newer library has no longer the name is executed like any other code.

use super::object::{set_word, word};
use super::{blocking, on_first, private};
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{EventKind, SyncObject};

/// Names are mangled, without the number of the crate.
pub const NATIVES: &[Native] = &[
    // std::sys::sync::mutex::futex::Mutex::lock_contended(&self): what a thread does that has found a mutex taken. It
    // spins for a while, notes that a thread waits, and sleeps until it is woken; which of that it does shows nowhere
    // but in how it is woken. Here it waits until the mutex is free and takes it, so that no thread need be woken.
    // (Only the library itself has access to the word: 0 free, 1 taken, 2 taken and waited for.)
    blocking(
        LOCK_CONTENDED,
        |c| on_first(c, EventKind::FutexLock),
        |c| {
            let state = c.pointer(0).and_then(|at| word(c, at, 0));
            state.map_or(1, |state| u32::from(state == FREE))
        },
        |c| {
            let at = c.pointer(0)?;
            set_word(c, at, 0, TAKEN)?;
            c.event(EventKind::FutexLock, at.address, &[], &[]);
            Ok(Flow::Return)
        },
    )
    .on(SyncObject::Futex),
    // The update with which std::thread::park begins: `state.fetch_sub(1, Acquire) == NOTIFIED`, where the library returns.
    // Otherwise it notes that the thread is parked, and waits at a futex until `unpark` has put the token there and it
    // can take it. Here the update itself waits for the token (0 not there, 1 there), so that no thread need be woken.
    // With a time-out the library's own code is executed.
    blocking(
        selvedge_program::PARK,
        |c| on_first(c, EventKind::FutexPark),
        |c| {
            let state = c.pointer(0).and_then(|at| word(c, at, 0));
            state.map_or(1, |state| u32::from(state == NOTIFIED))
        },
        |c| {
            let at = c.pointer(0)?;
            set_word(c, at, 0, if mutant(Mutant::TokenKept) { NOTIFIED } else { EMPTY })?;
            c.event(EventKind::FutexPark, at.address, &[], &[]);
            c.return_int(u64::from(NOTIFIED))
        },
    )
    .on(SyncObject::Futex),
    // std::sys::pal::unix::stack_overflow::imp: tells overflows of the stack from other wrong accesses when a signal comes,
    // which never happens here. A record of all threads is kept for that, under a lock.
    private("_RNvNtNtNtNtNtC3std3sys3pal4unix14stack_overflow3imp12make_handler", |c: &mut Context<'_>| {
        c.return_pointer(Pointer::NULL)
    }),
    private("_RNvNtNtNtNtNtC3std3sys3pal4unix14stack_overflow3imp12drop_handler", |_| Ok(Flow::Return)),
    // std::sync::mpmc::utils::Backoff::spin_light(&self) and spin_heavy(&self): wait a little, longer each time. How
    // often a thread has waited is counted without end and read nowhere else.
    private("_RNvMs1_NtNtNtC3std4sync4mpmc5utilsNtB5_7Backoff10spin_light", |_| Ok(Flow::Return)),
    private("_RNvMs1_NtNtNtC3std4sync4mpmc5utilsNtB5_7Backoff10spin_heavy", |_| Ok(Flow::Return)),
    private("_ZN3std4sync4mpmc5utils7Backoff10spin_light", |_| Ok(Flow::Return)),
    private("_ZN3std4sync4mpmc5utils7Backoff10spin_heavy", |_| Ok(Flow::Return)),
];

pub const LOCK_CONTENDED: &str = "_RNvMNtNtNtNtC3std3sys4sync5mutex5futexNtB2_5Mutex14lock_contended";
/// Whether a function waits as Rust's standard library does, whose own code could be executed in its place.
pub fn has_library_code(name: &str) -> bool {
    let name = selvedge_program::without_crate_number(name).unwrap_or(name.into());
    [LOCK_CONTENDED, selvedge_program::PARK].contains(&&*name)
}

pub const FREE: u32 = 0;
pub const TAKEN: u32 = 1;
const EMPTY: u32 = 0;
const NOTIFIED: u32 = 1;
