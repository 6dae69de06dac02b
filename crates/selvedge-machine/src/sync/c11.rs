//! C11 threads: `<threads.h>`. The same objects as the POSIX ones, other names and results.

use super::time::Deadline;
use super::{always, blocking, condition, finish, keys, mutex, object, on_first, private, threads, time};
use crate::native::Native;
use crate::traits::Access::{Reads, Value, Writes};
use crate::traits::Trait::{CreatesThread, TellsThreadsApart, Timed, Tries, WakesSpuriously};
use libc::{EBUSY, ENOMEM, ETIMEDOUT};
use selvedge_trace::{EventKind, Operation, SyncObject};

pub const NATIVES: &[Native] = &[
    always("thrd_create", threads::create_operation, |c| {
        let (function, argument) = (c.pointer(1)?, c.pointer(2)?);
        threads::create(c, "__selvedge_thrd_start", function, argument, false)?;
        c.return_int(0)
    })
    .touching(&[Value, Value, Value])
    .with(&[CreatesThread, TellsThreadsApart]),
    blocking(
        "thrd_join",
        |c| on_first(c, EventKind::ThreadJoin),
        threads::join_alternatives,
        |c| {
            let to = c.pointer(1)?;
            match threads::join_waiting(c, EBUSY)? {
                Ok(Some(result)) if !to.is_null() => {
                    c.machine.beyond("results of C11 threads");
                    c.write_int(to, 4, result.address)?;
                }
                Ok(None) if !to.is_null() => c.write_undefined(to, 4)?,
                Ok(_) => {}
                Err(_) => return c.return_int(ERROR as u64),
            }
            c.return_int(0)
        },
    )
    .touching(&[Value, Writes])
    .on(SyncObject::Thread)
    .with(&[TellsThreadsApart]),
    always(
        "thrd_detach",
        |c| on_first(c, EventKind::ThreadDetach),
        |c| {
            let code = threads::detach(c)?;
            c.return_int(result(code) as u64)
        },
    )
    .on(SyncObject::Thread)
    .with(&[TellsThreadsApart]),
    private("thrd_current", |c| {
        let handle = object::own_handle(c);
        c.return_int(u64::from(handle))
    })
    .with(&[TellsThreadsApart]),
    private("thrd_equal", |c| {
        let equal = c.int(0)? == c.int(1)?;
        c.return_int(u64::from(equal))
    })
    .with(&[TellsThreadsApart]),
    always(
        "thrd_sleep",
        |_| Ok(Operation::sync(EventKind::Sleep, 0)),
        |c| {
            let duration = c.pointer(0)?;
            // -1 is for a signal; every other negative number says that the argument is wrong.
            let slept = time::sleep_for(c, duration)?;
            c.return_int(if slept { 0 } else { -2_i64 as u64 })
        },
    )
    .touching(&[Reads, Writes])
    .with(&[TellsThreadsApart]),
    always("thrd_yield", |_| Ok(Operation::sync(EventKind::Yield, 0)), time::yield_now)
        .with(&[TellsThreadsApart]),
    // mutexes
    always(
        "mtx_init",
        |c| on_first(c, EventKind::SyncInit),
        |c| {
            let (at, kind) = (c.pointer(0)?, c.int(1)? as u32);
            c.drain();
            if kind <= RECURSIVE | TIMED {
                mutex::initialise(c, at, kind & RECURSIVE)?;
            }
            finish(c, EventKind::SyncInit, at.address, if kind <= RECURSIVE | TIMED { 0 } else { ERROR })
        },
    )
    .touching(&[Writes, Reads])
    .on(SyncObject::Mutex),
    always(
        "mtx_destroy",
        |c| on_first(c, EventKind::SyncDestroy),
        |c| {
            let at = c.pointer(0)?;
            c.drain();
            mutex::destroy(c, at)?;
            finish(c, EventKind::SyncDestroy, at.address, 0)
        },
    )
    .touching(&[Writes])
    .on(SyncObject::Mutex),
    blocking(
        "mtx_lock",
        |c| on_first(c, EventKind::MutexLock),
        mutex::lock_alternatives,
        |c| {
            let at = c.pointer(0)?;
            let code = mutex::lock(c, at)?;
            finish(c, EventKind::MutexLock, at.address, result(code))
        },
    )
    .on(SyncObject::Mutex),
    always(
        "mtx_trylock",
        |c| on_first(c, EventKind::MutexTryLock),
        |c| {
            let at = c.pointer(0)?;
            let code = mutex::try_lock(c, at)?;
            finish(c, EventKind::MutexTryLock, at.address, result(code))
        },
    )
    .on(SyncObject::Mutex)
    .with(&[Tries]),
    always(
        "mtx_timedlock",
        |c| on_first(c, EventKind::MutexTryLock),
        |c| {
            let at = c.pointer(0)?;
            let code = mutex::timed_lock(c, at, Deadline::new(1))?;
            finish(c, EventKind::MutexTryLock, at.address, result(code))
        },
    )
    .touching(&[Value, Reads])
    .on(SyncObject::Mutex)
    .with(&[Timed]),
    always(
        "mtx_unlock",
        |c| on_first(c, EventKind::MutexUnlock),
        |c| {
            let at = c.pointer(0)?;
            let code = mutex::unlock(c, at)?;
            finish(c, EventKind::MutexUnlock, at.address, result(code))
        },
    )
    .on(SyncObject::Mutex),
    // condition variables
    always(
        "cnd_init",
        |c| on_first(c, EventKind::SyncInit),
        |c| {
            let at = c.pointer(0)?;
            condition::initialise(c, at, 0)?;
            finish(c, EventKind::SyncInit, at.address, 0)
        },
    )
    .touching(&[Writes, Reads])
    .on(SyncObject::Condition),
    always(
        "cnd_destroy",
        |c| on_first(c, EventKind::SyncDestroy),
        |c| {
            condition::destroy(c)?;
            let address = c.int(0)?;
            finish(c, EventKind::SyncDestroy, address, 0)
        },
    )
    .touching(&[Writes])
    .on(SyncObject::Condition),
    blocking("cnd_wait", condition::wait_operation, condition::wait_alternatives, |c| {
        condition::wait(c, None, result)
    })
    .on(SyncObject::Condition)
    .with(&[WakesSpuriously]),
    blocking("cnd_timedwait", condition::wait_operation, condition::wait_alternatives, |c| {
        condition::wait(c, Some(Deadline::new(2)), result)
    })
    .touching(&[Value, Value, Reads])
    .on(SyncObject::Condition)
    .with(&[Timed, WakesSpuriously]),
    blocking(
        "cnd_signal",
        |c| on_first(c, EventKind::CondSignal),
        condition::signal_alternatives,
        condition::signal,
    )
    .on(SyncObject::Condition),
    always("cnd_broadcast", |c| on_first(c, EventKind::CondBroadcast), condition::broadcast)
        .on(SyncObject::Condition),
    // thread-specific values
    always("tss_create", keys::key_operation, |c| {
        let code = keys::create(c)?;
        finish(c, EventKind::SyncInit, 0, result(code))
    })
    .touching(&[Writes])
    .with(&[TellsThreadsApart]),
    always("tss_delete", keys::key_operation, |c| {
        let code = keys::delete(c)?;
        finish(c, EventKind::SyncDestroy, 0, result(code))
    })
    .reaching_anything()
    .with(&[TellsThreadsApart]),
    private("tss_get", keys::get).with(&[TellsThreadsApart]),
    private("tss_set", |c| {
        let code = keys::set(c)?;
        c.return_int(result(code) as u64)
    })
    .with(&[TellsThreadsApart]),
];

// How the functions end.
const BUSY: i32 = 1;
const ERROR: i32 = 2;
const NO_MEMORY: i32 = 3;
const TIMED_OUT: i32 = 4;

// Kinds of mutexes.
const RECURSIVE: u32 = 1;
const TIMED: u32 = 2;

/// The C11 result for an error code.
fn result(code: i32) -> i32 {
    match code {
        0 => 0,
        EBUSY => BUSY,
        ETIMEDOUT => TIMED_OUT,
        ENOMEM => NO_MEMORY,
        _ => ERROR,
    }
}
