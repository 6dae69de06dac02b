//! Condition variables: `pthread_cond_*`.
//!
//! A wait has two steps: it releases the mutex and waits; once woken it takes the mutex again, like any other
//! thread that wants it. Memory holds only which clock the variable uses, and whether it was destroyed.

use super::object::{misuse, publish, set_word, word};
use super::time::Deadline;
use super::{always, blocking, finish, mutex, note, on_first};
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::thread::{Status, Wait, Wake};
use crate::traits::Access::{Reads, Value, Writes};
use crate::traits::Trait::{Timed, WakesSpuriously};
use libc::{EINVAL, ETIMEDOUT};
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{EventKind, Operation, SyncObject};

pub const NATIVES: &[Native] = &[
    always(
        "pthread_cond_init",
        |c| on_first(c, EventKind::SyncInit),
        |c| {
            let (at, attributes) = (c.pointer(0)?, c.pointer(1)?);
            let flags = if attributes.is_null() { 0 } else { word(c, attributes, 0)? };
            if !waiters(c, at.address).is_empty() {
                let problem = "on which threads wait";
                return Err(misuse(c, "initialisation of condition variable", at, problem));
            }
            initialise(c, at, flags)?;
            finish(c, EventKind::SyncInit, at.address, 0)
        },
    )
    .touching(&[Writes, Reads])
    .on(SyncObject::Condition),
    always(
        "pthread_cond_destroy",
        |c| on_first(c, EventKind::SyncDestroy),
        |c| {
            destroy(c)?;
            let address = c.int(0)?;
            finish(c, EventKind::SyncDestroy, address, 0)
        },
    )
    .touching(&[Writes])
    .on(SyncObject::Condition),
    blocking("pthread_cond_wait", wait_operation, wait_alternatives, |c| wait(c, None, |code| code))
        .on(SyncObject::Condition)
        .with(&[WakesSpuriously]),
    blocking("pthread_cond_timedwait", wait_operation, wait_alternatives, |c| {
        wait(c, Some(Deadline::new(2)), |code| code)
    })
    .touching(&[Value, Value, Reads])
    .on(SyncObject::Condition)
    .with(&[Timed, WakesSpuriously]),
    blocking("pthread_cond_clockwait", wait_operation, wait_alternatives, |c| {
        wait(c, Some(Deadline::on_clock(2, 3)), |code| code)
    })
    .touching(&[Value, Value, Value, Reads])
    .on(SyncObject::Condition)
    .with(&[Timed, WakesSpuriously]),
    blocking("pthread_cond_signal", |c| on_first(c, EventKind::CondSignal), signal_alternatives, signal)
        .on(SyncObject::Condition),
    always("pthread_cond_broadcast", |c| on_first(c, EventKind::CondBroadcast), broadcast)
        .on(SyncObject::Condition),
];

/// Where glibc keeps the clock and the number of waiters; we keep the clock.
const FLAGS: i64 = 36;
const DESTROYED: u32 = u32::MAX;

/// Makes the bytes a condition variable.
pub fn initialise(context: &mut Context<'_>, at: Pointer, flags: u32) -> Result<(), Halt> {
    context.drain();
    publish(context, at, &[0; 48])?;
    set_word(context, at, FLAGS, flags & 3)
}

/// Destroys the condition variable that the first argument points to.
pub fn destroy(context: &mut Context<'_>) -> Result<(), Halt> {
    let at = existing(context, "destruction of")?;
    context.drain();
    if !waiters(context, at.address).is_empty() {
        return Err(misuse(context, "destruction of condition variable", at, "on which threads wait"));
    }
    set_word(context, at, FLAGS, DESTROYED)
}

/// The condition variable that the first argument points to, which must be one.
fn existing(context: &mut Context<'_>, action: &str) -> Result<Pointer, Halt> {
    let at = context.pointer(0)?;
    match word(context, at, FLAGS)? {
        DESTROYED => {
            Err(misuse(context, &format!("{action} condition variable"), at, crate::halt::DESTROYED))
        }
        _ => Ok(at),
    }
}

/// The threads that wait on a condition variable, in order of creation, with their mutexes.
fn waiters(context: &Context<'_>, address: u64) -> Vec<(usize, u64)> {
    let threads = context.machine.threads.iter().enumerate();
    let waiting = threads.filter_map(|(index, thread)| match thread.status {
        Status::Waiting(Wait::Condition { condition, mutex, .. }) if condition == address => {
            Some((index, mutex))
        }
        _ => None,
    });
    waiting.collect()
}

/// What a waiting function does next: wait, or after it was woken take the mutex.
pub fn wait_operation(context: &mut Context<'_>) -> Result<Operation, Halt> {
    Ok(match context.wake() {
        None => Operation::sync(EventKind::CondWait, context.int(0)?),
        Some(_) => Operation::sync(EventKind::MutexLock, context.int(1)?),
    })
}

/// A woken thread goes on when the mutex is free.
pub fn wait_alternatives(context: &mut Context<'_>) -> u32 {
    match (context.wake(), context.pointer(1)) {
        (Some(_), Ok(mutex)) => mutex::possible(context, mutex),
        _ => 1,
    }
}

/// Waits. `convert` makes the result of the error code.
pub fn wait(
    context: &mut Context<'_>,
    deadline: Option<Deadline>,
    convert: fn(i32) -> i32,
) -> Result<Flow, Halt> {
    let mutex = context.pointer(1)?;
    if let Some(wake) = context.this_mut().wake.take() {
        let mut code = match mutant(Mutant::SpuriousWithoutMutex) {
            true => 0,
            false => mutex::lock(context, mutex)?,
        };
        if let (Wake::TimedOut, Some(deadline)) = (wake, deadline) {
            let at = context.pointer(0)?;
            let own_clock = word(context, at, FLAGS)? >> 1 & 1;
            deadline.reach(context, own_clock as i32)?;
            code = if code == 0 { ETIMEDOUT } else { code };
        }
        if deadline.is_some() {
            context.see_result(code);
        }
        return finish(context, EventKind::MutexLock, mutex.address, convert(code));
    }
    let at = existing(context, "wait on")?;
    let valid = match deadline {
        Some(deadline) => deadline.is_valid(context)?,
        None => true,
    };
    let code = if valid { mutex::release(context, mutex, "wait with")? } else { EINVAL };
    if code != 0 {
        return finish(context, EventKind::CondWait, at.address, convert(code));
    }
    if waiters(context, at.address).iter().any(|&(_, other)| other != mutex.address) {
        let problem = "on which another thread waits with another mutex";
        return Err(misuse(context, "wait on condition variable", at, problem));
    }
    note(context, EventKind::CondWait, at.address, 0);
    let timed = deadline.is_some();
    Ok(Flow::Wait(Wait::Condition { condition: at.address, mutex: mutex.address, timed }))
}

/// Gives the mutex back with which a thread waits: the error code. For machines that know otherwise which threads wait.
pub fn release(context: &mut Context<'_>) -> Result<i32, Halt> {
    existing(context, "wait on")?;
    let mutex = context.pointer(1)?;
    mutex::release(context, mutex, "wait with")
}

/// Every waiter can be the one that is woken.
pub fn signal_alternatives(context: &mut Context<'_>) -> u32 {
    let address = context.int(0).unwrap_or(0);
    (waiters(context, address).len() as u32).max(1)
}

/// Wakes the waiter that the scheduler has chosen.
pub fn signal(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let at = existing(context, "signal of")?;
    context.drain();
    note(context, EventKind::CondSignal, at.address, 0);
    if let Some(&(index, _)) = waiters(context, at.address).get(context.alternative as usize) {
        context.machine.concolic_woken(context.thread, index);
        context.machine.wake(index, Wake::Woken);
    }
    context.return_int(0)
}

/// Wakes all waiters.
pub fn broadcast(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let at = existing(context, "broadcast on")?;
    context.drain();
    note(context, EventKind::CondBroadcast, at.address, 0);
    for (index, _) in waiters(context, at.address) {
        context.machine.wake(index, Wake::Woken);
    }
    context.return_int(0)
}
