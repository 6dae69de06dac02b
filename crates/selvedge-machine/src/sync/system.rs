//! `syscall`: the system calls that programs make without the C library.

use super::{blocking, futex, time};
use crate::halt::Halt;
use crate::library::process::gettid;
use crate::library::random::random_bytes;
use crate::library::time::read_clock;
use crate::native::{Context, Flow, Native};
use crate::traits::Trait::{SystemCall, TellsThreadsApart, WakesSpuriously};
use libc::EINVAL;
use selvedge_trace::{EventKind, Operation};

pub const NATIVES: &[Native] = &[blocking("syscall", operation, alternatives, run).touching(&[]).with(&[
    SystemCall,
    WakesSpuriously,
    TellsThreadsApart,
])];

fn number(context: &Context<'_>) -> Result<i64, Halt> {
    Ok(context.int(0)? as i64)
}

fn operation(context: &mut Context<'_>) -> Result<Operation, Halt> {
    let kind = match number(context)? {
        libc::SYS_futex => return futex::operation(context),
        libc::SYS_sched_yield => EventKind::Yield,
        libc::SYS_nanosleep | libc::SYS_clock_nanosleep => EventKind::Sleep,
        libc::SYS_clock_gettime => EventKind::Clock,
        libc::SYS_membarrier => EventKind::Fence,
        libc::SYS_exit_group => EventKind::Exit,
        libc::SYS_gettid | libc::SYS_getcpu | libc::SYS_getrandom => EventKind::LibraryCall,
        other => return Err(Halt::unsupported(format!("system call {other}"))),
    };
    Ok(Operation::sync(kind, 0))
}

fn alternatives(context: &mut Context<'_>) -> u32 {
    match number(context) {
        Ok(libc::SYS_futex) => futex::alternatives(context),
        _ => 1,
    }
}

fn run(context: &mut Context<'_>) -> Result<Flow, Halt> {
    match number(context)? {
        libc::SYS_futex => futex::run(context),
        libc::SYS_sched_yield => time::yield_now(context),
        libc::SYS_nanosleep => {
            let duration = context.pointer(1)?;
            let valid = time::sleep_for(context, duration)?;
            finish(context, if valid { 0 } else { EINVAL })
        }
        libc::SYS_clock_nanosleep => {
            let code = time::clock_sleep(context, 1)?;
            finish(context, code)
        }
        libc::SYS_getrandom => {
            let (into, len) = (context.pointer(1)?, context.int(2)?);
            random_bytes(context, into, len)?;
            context.event(EventKind::LibraryCall, 0, &[], &[]);
            context.return_int(len)
        }
        libc::SYS_clock_gettime => {
            let (clock, to) = (context.int32(1)?, context.pointer(2)?);
            let Some(now) = read_clock(context, clock) else { return context.fail(EINVAL) };
            context.write_int(to, 8, now / 1_000_000_000)?;
            context.write_int(to.offset(8), 8, now % 1_000_000_000)?;
            context.return_int(0)
        }
        libc::SYS_membarrier => membarrier(context),
        libc::SYS_gettid => {
            context.event(EventKind::LibraryCall, 0, &[], &[]);
            gettid(context)
        }
        libc::SYS_getcpu => {
            for argument in [1, 2] {
                let to = context.pointer(argument)?;
                if !to.is_null() {
                    context.write_int(to, 4, 0)?;
                }
            }
            context.event(EventKind::LibraryCall, 0, &[], &[]);
            context.return_int(0)
        }
        libc::SYS_exit_group => {
            let code = context.int32(1)?;
            context.event(EventKind::Exit, 0, &[], &[]);
            Ok(Flow::ProcessEnd(code & 0xff))
        }
        other => Err(Halt::unsupported(format!("system call {other}"))),
    }
}

fn finish(context: &mut Context<'_>, code: i32) -> Result<Flow, Halt> {
    match code {
        0 => context.return_int(0),
        code => context.fail(code),
    }
}

/// All threads pass a fence: whatever any of them has stored is visible afterwards.
fn membarrier(context: &mut Context<'_>) -> Result<Flow, Halt> {
    /// The commands that are supported: global, global expedited, private expedited, and the registrations.
    const COMMANDS: u64 = 0b1_1111;
    for thread in 0..context.machine.threads.len() {
        context.machine.drain(thread);
    }
    context.event(EventKind::Fence, 0, &[], &[]);
    match context.int(1)? {
        0 => context.return_int(COMMANDS),
        command if command & !COMMANDS == 0 => context.return_int(0),
        _ => context.fail(EINVAL),
    }
}
