//! What surrounds threads: processors, priorities, cancellation.

use super::object::thread_with_handle;
use super::{if_shared, private};
use crate::halt::Halt;
use crate::library::process::PROCESSORS;
use crate::native::{Context, Flow, Native};
use crate::traits::Trait::TellsThreadsApart;
use libc::{EINVAL, ESRCH};

pub const NATIVES: &[Native] = &[
    // cancellation
    private("pthread_cancel", |_| Err(Halt::unsupported("pthread_cancel (thread cancellation)")))
        .with(&[TellsThreadsApart]),
    if_shared("pthread_setcancelstate", state).with(&[TellsThreadsApart]),
    if_shared("pthread_setcanceltype", state).with(&[TellsThreadsApart]),
    private("pthread_testcancel", accept).with(&[TellsThreadsApart]),
    // signals
    private("pthread_kill", |c| match c.int32(1)? {
        0 => {
            let known = thread_with_handle(c.machine, c.int(0)?).is_some();
            c.return_int(if known { 0 } else { ESRCH as u64 })
        }
        signal => Err(Halt::unsupported(format!("signal {signal} to a thread (pthread_kill)"))),
    })
    .with(&[TellsThreadsApart]),
    private("pthread_atfork", accept).with(&[TellsThreadsApart]),
    // processors and priorities
    private("sched_get_priority_max", |c| {
        let policy = c.int32(0)?;
        c.return_int(if real_time(policy) { 99 } else { 0 })
    }),
    private("sched_get_priority_min", |c| {
        let policy = c.int32(0)?;
        c.return_int(u64::from(real_time(policy)))
    }),
    private("sched_getscheduler", accept),
    private("sched_setscheduler", accept),
    private("sched_setparam", accept),
    if_shared("sched_getparam", |c| {
        let to = c.pointer(1)?;
        c.write_int(to, 4, 0)?;
        c.return_int(0)
    }),
    if_shared("pthread_getaffinity_np", |c| {
        let code = processors(c)?;
        c.return_int(code as u64)
    })
    .with(&[TellsThreadsApart]),
    private("pthread_setaffinity_np", accept).with(&[TellsThreadsApart]),
    if_shared("pthread_getschedparam", |c| {
        let (policy, priority) = (c.pointer(1)?, c.pointer(2)?);
        c.write_int(policy, 4, 0)?;
        c.write_int(priority, 4, 0)?;
        c.return_int(0)
    })
    .with(&[TellsThreadsApart]),
    private("pthread_setschedparam", accept).with(&[TellsThreadsApart]),
    private("pthread_setschedprio", accept).with(&[TellsThreadsApart]),
    private("pthread_getconcurrency", accept).with(&[TellsThreadsApart]),
    private("pthread_setconcurrency", accept).with(&[TellsThreadsApart]),
    if_shared("pthread_getcpuclockid", |c| {
        let to = c.pointer(1)?;
        c.write_int(to, 4, libc::CLOCK_THREAD_CPUTIME_ID as u64)?;
        c.return_int(0)
    })
    .with(&[TellsThreadsApart]),
];

fn real_time(policy: i32) -> bool {
    matches!(policy, libc::SCHED_FIFO | libc::SCHED_RR)
}

fn accept(context: &mut Context<'_>) -> Result<Flow, Halt> {
    context.return_int(0)
}

/// Cancellation state and type: what was set before, without a cancellation that could tell the difference.
fn state(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let old = context.pointer(1)?;
    if !(0..=1).contains(&context.int32(0)?) {
        return context.return_int(EINVAL as u64);
    }
    if !old.is_null() {
        context.write_int(old, 4, 0)?;
    }
    context.return_int(0)
}

/// Writes the set of processors to where the third argument points; the second one is its size.
fn processors(context: &mut Context<'_>) -> Result<i32, Halt> {
    let (len, to) = (context.int(1)?, context.pointer(2)?);
    if len < 8 {
        return Ok(EINVAL);
    }
    context.write(to, &vec![0; len as usize])?;
    context.write_int(to, 8, (1 << PROCESSORS) - 1)?;
    Ok(0)
}
