//! Deadlines, sleeping, yielding. The clock never decides an order: sleeping moves it and lets others run.

use super::{always, blocking};
use crate::halt::Halt;
use crate::library::time::moment;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::traits::Access::{Reads, Value, Writes};
use crate::traits::Trait::{Impartial, Timed};
use libc::EINVAL;
use selvedge_trace::{EventKind, Operation};

pub const NATIVES: &[Native] = &[
    always("sched_yield", yield_operation, yield_now).with(&[Impartial]),
    always("pthread_yield", yield_operation, yield_now).with(&[Impartial]),
    always("sleep", sleep_operation, |c| {
        let seconds = c.int(0)? as u32;
        pass(c, u64::from(seconds) * SECOND);
        c.return_int(0)
    }),
    always("usleep", sleep_operation, |c| {
        let microseconds = c.int(0)? as u32;
        pass(c, u64::from(microseconds) * 1_000);
        c.return_int(0)
    }),
    always("nanosleep", sleep_operation, |c| {
        let duration = c.pointer(0)?;
        match sleep_for(c, duration)? {
            true => c.return_int(0),
            false => c.fail(EINVAL),
        }
    })
    .touching(&[Reads, Writes]),
    always("clock_nanosleep", sleep_operation, |c| {
        let code = clock_sleep(c, 0)?;
        c.return_int(code as u64)
    })
    .touching(&[Value, Value, Reads, Writes])
    .with(&[Timed]),
    // Only a signal ends it, and there are none.
    blocking("pause", sleep_operation, |_| 0, |c| c.return_int(u64::MAX)),
];

const SECOND: u64 = 1_000_000_000;

fn yield_operation(_: &mut Context<'_>) -> Result<Operation, Halt> {
    Ok(Operation::sync(EventKind::Yield, 0))
}

fn sleep_operation(_: &mut Context<'_>) -> Result<Operation, Halt> {
    Ok(Operation::sync(EventKind::Sleep, 0))
}

/// Lets others run.
pub fn yield_now(context: &mut Context<'_>) -> Result<Flow, Halt> {
    context.event(EventKind::Yield, 0, &[], &[]);
    context.return_int(0)
}

/// Reads a `struct timespec` as nanoseconds; `None` if it is not valid.
pub fn read_timespec(context: &mut Context<'_>, at: Pointer) -> Result<Option<u64>, Halt> {
    let seconds = context.read_int(at, 8)? as i64;
    let nanoseconds = context.read_int(at.offset(8), 8)?;
    let seconds = u64::try_from(seconds).unwrap_or(0);
    Ok((nanoseconds < SECOND).then(|| seconds.saturating_mul(SECOND).saturating_add(nanoseconds)))
}

/// The arguments of a call that say how long to wait.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    clock: Option<usize>,
    time: usize,
}

impl Deadline {
    /// The argument with this number is a moment on the clock that the function always uses.
    pub const fn new(time: usize) -> Self {
        Deadline { clock: None, time }
    }

    /// One argument names the clock, the other is a moment.
    pub const fn on_clock(clock: usize, time: usize) -> Self {
        Deadline { clock: Some(clock), time }
    }

    /// Whether the moment is one.
    pub fn is_valid(self, context: &mut Context<'_>) -> Result<bool, Halt> {
        let time = context.pointer(self.time)?;
        Ok(read_timespec(context, time)?.is_some())
    }

    /// The deadline has been reached: it is not earlier now. False if the moment is not valid.
    pub fn reach(self, context: &mut Context<'_>, usual_clock: i32) -> Result<bool, Halt> {
        let clock = self.clock.map_or(Ok(usual_clock), |clock| context.int32(clock))?;
        let time = context.pointer(self.time)?;
        reach_moment(context, clock, time)
    }
}

/// A moment on one of the system's clocks has been reached: it is not earlier now. False if it is not valid.
pub fn reach_moment(context: &mut Context<'_>, clock: i32, at: Pointer) -> Result<bool, Halt> {
    let Some(time) = read_timespec(context, at)? else { return Ok(false) };
    let time = moment(context, clock, time).min(LATEST);
    let now = &mut context.machine.world.clock;
    *now = time.max(*now);
    Ok(true)
}

/// Some time has passed.
pub fn pass_time(context: &mut Context<'_>, nanoseconds: u64) {
    let clock = &mut context.machine.world.clock;
    *clock = clock.saturating_add(nanoseconds).min(LATEST.max(*clock));
}

/// The clock does not go beyond this (the year 2262), so that signed arithmetic on it works.
const LATEST: u64 = i64::MAX as u64 - SECOND;

fn pass(context: &mut Context<'_>, nanoseconds: u64) {
    pass_time(context, nanoseconds);
    context.event(EventKind::Sleep, 0, &[], &[]);
}

/// Sleeps for as long as a `struct timespec` says; false if it is not valid.
pub fn sleep_for(context: &mut Context<'_>, duration: Pointer) -> Result<bool, Halt> {
    let duration = read_timespec(context, duration)?;
    pass(context, duration.unwrap_or(0));
    Ok(duration.is_some())
}

/// `clock_nanosleep`, whose arguments begin at `first`: the error code.
pub fn clock_sleep(context: &mut Context<'_>, first: usize) -> Result<i32, Halt> {
    let (clock, request) = (context.int32(first)?, context.pointer(first + 2)?);
    let absolute = context.int32(first + 1)? & libc::TIMER_ABSTIME != 0;
    let valid = match absolute {
        true => {
            let valid = reach_moment(context, clock, request)?;
            context.event(EventKind::Sleep, 0, &[], &[]);
            valid
        }
        false => sleep_for(context, request)?,
    };
    Ok(if valid { 0 } else { EINVAL })
}
