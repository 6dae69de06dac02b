//! The clock and the calendar. The clock is the execution's own: it moves when it is looked at. Local time is UTC.

use super::globals::{handout, text};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native, Visibility};
use crate::traits::Reach;
use crate::traits::Trait::ReadsClock;
use crate::traits::uses;
use selvedge_program::Program;
use selvedge_program::code::{Function, IntrinsicKind};
use selvedge_trace::{EventKind, Operation};
use std::ffi::CString;

const CLOCK: Visibility =
    Visibility::Always { operation: |_| Ok(Operation::sync(EventKind::Clock, 0)), alternatives: |_| 1 };

const fn clock(name: &'static str, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native::visible(name, CLOCK, Reach::Arguments(&[]), run).with(&[ReadsClock])
}

const fn calendar(name: &'static str, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native::if_shared(name, Reach::Anything, run)
}

/// A function whose result lies in memory that all threads share.
const fn common(name: &'static str, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native::visible(name, COMMON, Reach::Anything, run)
}

const COMMON: Visibility = Visibility::Always {
    operation: |context| Ok(Operation::sync(EventKind::LibraryCall, handout(context, "time")?.address)),
    alternatives: |_| 1,
};

pub static NATIVES: &[Native] = &[
    clock("time", time),
    clock("clock", processor_time),
    clock("clock_gettime", clock_gettime),
    clock("__clock_gettime", clock_gettime),
    clock("timespec_get", timespec_get),
    clock("gettimeofday", gettimeofday),
    clock("times", times),
    clock("getrusage", getrusage),
    calendar("clock_getres", clock_getres),
    calendar("difftime", difftime),
    common("gmtime", |context| broken_down(context, None, "GMT")),
    calendar("gmtime_r", |context| broken_down(context, Some(1), "GMT")),
    common("localtime", |context| broken_down(context, None, "UTC")),
    calendar("localtime_r", |context| broken_down(context, Some(1), "UTC")),
    calendar("mktime", timegm),
    calendar("timegm", timegm),
    calendar("timelocal", timegm),
    calendar("strftime", strftime),
    calendar("strftime_l", strftime),
    calendar("__strftime_l", strftime),
    common("asctime", |context| asctime(context, false, None)),
    calendar("asctime_r", |context| asctime(context, false, Some(1))),
    common("ctime", |context| asctime(context, true, None)),
    calendar("ctime_r", |context| asctime(context, true, Some(1))),
    calendar("tzset", |_| Ok(Flow::Return)),
];

/// Whether a program can look at the clock (other than by a raw system call).
pub fn is_read_by(program: &Program) -> bool {
    let cycles = |function: &Function| {
        function.intrinsics.iter().any(|intrinsic| intrinsic.kind == IntrinsicKind::ReadCycleCounter)
    };
    uses(program, |traits| traits.has(ReadsClock)).is_some() || program.functions.iter().any(cycles)
}

/// The functions that return memory of their own.
pub const USERS: &[&str] =
    &["gmtime", "gmtime_r", "localtime", "localtime_r", "asctime", "ctime", "mktime", "timegm"];

const SECOND: u64 = 1_000_000_000;
/// The monotonic clock starts here: the machine has been up for a while.
const UPTIME: u64 = 1_000 * SECOND;
/// `struct tm`; the text of asctime follows, then the names of the two time zones.
const TM: i64 = 56;
const TEXT: i64 = 64;

/// Memory for the results of gmtime and asctime: `struct tm`, a text of 64 bytes, pointers to "GMT" and "UTC".
pub fn make_results(machine: &mut Machine) -> Result<Pointer, Halt> {
    let results = machine.library_bytes(0, &[0; 144])?;
    machine.memory.share(results.provenance);
    for (offset, name) in [(128, "GMT"), (136, "UTC")] {
        let name = text(machine, name.as_bytes())?;
        machine.memory.write(results.address + offset, 8, name.address, name.provenance);
    }
    Ok(results)
}

/// Looks at the clock: nanoseconds since 1970.
fn now(context: &mut Context<'_>) -> u64 {
    let now = context.machine.world.read_clock();
    context.event(EventKind::Clock, 0, &now.to_le_bytes(), &[]);
    now
}

/// Looks at the clock: nanoseconds since the start of the execution.
fn elapsed(context: &mut Context<'_>) -> u64 {
    let start = context.machine.world.inputs.clock;
    now(context).saturating_sub(start)
}

fn time(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let into = context.pointer(0)?;
    let seconds = now(context) / SECOND;
    if !into.is_null() {
        context.write_int(into, 8, seconds)?;
    }
    context.return_int(seconds)
}

fn processor_time(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let microseconds = elapsed(context) / 1_000;
    context.return_int(microseconds)
}

/// Stores seconds and a fraction (in nanoseconds divided by `unit`).
fn store(context: &mut Context<'_>, into: Pointer, time: u64, unit: u64) -> Result<(), Halt> {
    context.write_int(into, 8, time / SECOND)?;
    context.write_int(into.offset(8), 8, time % SECOND / unit)
}

/// What one of the system's clocks shows.
pub fn read_clock(context: &mut Context<'_>, clock: i32) -> Option<u64> {
    Some(match clock {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI => now(context),
        libc::CLOCK_MONOTONIC
        | libc::CLOCK_MONOTONIC_RAW
        | libc::CLOCK_MONOTONIC_COARSE
        | libc::CLOCK_BOOTTIME => UPTIME + elapsed(context),
        libc::CLOCK_PROCESS_CPUTIME_ID | libc::CLOCK_THREAD_CPUTIME_ID => elapsed(context),
        _ => return None,
    })
}

/// The moment (in nanoseconds since 1970) at which one of the system's clocks shows a time.
pub fn moment(context: &Context<'_>, clock: i32, time: u64) -> u64 {
    match clock {
        libc::CLOCK_MONOTONIC
        | libc::CLOCK_MONOTONIC_RAW
        | libc::CLOCK_MONOTONIC_COARSE
        | libc::CLOCK_BOOTTIME => {
            context.machine.world.inputs.clock.saturating_add(time).saturating_sub(UPTIME)
        }
        _ => time,
    }
}

fn clock_gettime(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (clock, into) = (context.int32(0)?, context.pointer(1)?);
    match read_clock(context, clock) {
        Some(time) => {
            store(context, into, time, 1)?;
            context.return_int(0)
        }
        None => context.fail(libc::EINVAL),
    }
}

fn clock_getres(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let into = context.pointer(1)?;
    if !into.is_null() {
        store(context, into, 1, 1)?;
    }
    context.return_int(0)
}

fn timespec_get(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, base) = (context.pointer(0)?, context.int(1)?);
    if base != 1 {
        return context.return_int(0);
    }
    let time = now(context);
    store(context, into, time, 1)?;
    context.return_int(base)
}

fn gettimeofday(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let into = context.pointer(0)?;
    let time = now(context);
    if !into.is_null() {
        store(context, into, time, 1_000)?;
    }
    context.return_int(0)
}

fn times(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let into = context.pointer(0)?;
    let ticks = elapsed(context) / (SECOND / 100);
    if !into.is_null() {
        context.write_int(into, 8, ticks)?;
        context.write(into.offset(8), &[0; 24])?;
    }
    context.return_int(ticks)
}

fn getrusage(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let into = context.pointer(1)?;
    let time = elapsed(context);
    context.write(into, &[0; 144])?;
    store(context, into, time, 1_000)?;
    context.return_int(0)
}

fn difftime(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (end, start) = (context.int(0)? as i64, context.int(1)? as i64);
    context.return_double(end as f64 - start as f64)
}

/// Broken-down time, computed by the host, which needs no time zone for UTC.
fn break_down(seconds: i64) -> Option<libc::tm> {
    // SAFETY: all-zero is a value of this plain structure.
    let mut tm: libc::tm = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to local variables.
    let result = unsafe { libc::gmtime_r(&seconds, &mut tm) };
    (!result.is_null()).then_some(tm)
}

fn store_tm(context: &mut Context<'_>, into: Pointer, tm: &libc::tm, zone: Pointer) -> Result<(), Halt> {
    let fields = [
        tm.tm_sec,
        tm.tm_min,
        tm.tm_hour,
        tm.tm_mday,
        tm.tm_mon,
        tm.tm_year,
        tm.tm_wday,
        tm.tm_yday,
        tm.tm_isdst,
    ];
    let bytes: Vec<u8> = fields.iter().flat_map(|field| field.to_le_bytes()).collect();
    context.write(into, &bytes)?;
    context.write_int(into.offset(40), 8, 0)?;
    context.write_pointer(into.offset(48), zone)
}

/// Reads the numbers of a `struct tm`, which are all that must hold a value.
fn load_tm(context: &mut Context<'_>, from: Pointer) -> Result<libc::tm, Halt> {
    let bytes = context.read(from, 36)?;
    let field =
        |i: usize| i32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]]);
    // SAFETY: all-zero is a value of this plain structure.
    let mut tm: libc::tm = unsafe { std::mem::zeroed() };
    (tm.tm_sec, tm.tm_min, tm.tm_hour) = (field(0), field(1), field(2));
    (tm.tm_mday, tm.tm_mon, tm.tm_year) = (field(3), field(4), field(5));
    (tm.tm_wday, tm.tm_yday, tm.tm_isdst) = (field(6), field(7), field(8));
    Ok(tm)
}

fn zone(context: &mut Context<'_>, name: &str) -> Result<Pointer, Halt> {
    let results = handout(context, "time")?;
    context.read_pointer(results.offset(if name == "GMT" { 128 } else { 136 }))
}

/// Where a result goes: to what an argument points to, or to what all threads share.
fn result(context: &mut Context<'_>, argument: Option<usize>, offset: i64) -> Result<Pointer, Halt> {
    if let Some(argument) = argument {
        return context.pointer(argument);
    }
    let common = handout(context, "time")?;
    context.event(EventKind::LibraryCall, common.address, &[], &[]);
    Ok(common.offset(offset))
}

fn broken_down(context: &mut Context<'_>, into: Option<usize>, name: &str) -> Result<Flow, Halt> {
    let from = context.pointer(0)?;
    let seconds = context.read_int(from, 8)? as i64;
    let into = result(context, into, 0)?;
    let Some(tm) = break_down(seconds) else {
        context.set_errno(libc::EOVERFLOW)?;
        return context.return_pointer(Pointer::NULL);
    };
    let zone = zone(context, name)?;
    store_tm(context, into, &tm, zone)?;
    context.return_pointer(into)
}

fn timegm(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let at = context.pointer(0)?;
    let mut tm = load_tm(context, at)?;
    // SAFETY: the structure is a local variable.
    let seconds = unsafe { libc::timegm(&mut tm) };
    let zone = zone(context, "UTC")?;
    store_tm(context, at, &tm, zone)?;
    context.return_int(seconds as u64)
}

fn strftime(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, size) = (context.pointer(0)?, context.int(1)?);
    let (format, from) = (context.pointer(2)?, context.pointer(3)?);
    let format = context.read_string(format, None)?;
    let mut tm = load_tm(context, from)?;
    let zone = c"UTC";
    tm.tm_zone = zone.as_ptr();
    let text = format_time(&tm, &format);
    if text.len() as u64 >= size {
        return context.return_int(0);
    }
    let mut bytes = text;
    bytes.push(0);
    context.write(into, &bytes)?;
    context.return_int(bytes.len() as u64 - 1)
}

/// The text of a time by the host's strftime.
fn format_time(tm: &libc::tm, format: &[u8]) -> Vec<u8> {
    // A character in front tells an empty result from one that does not fit.
    let format = CString::new([b"x", format].concat()).unwrap_or_default();
    let mut room = 256;
    loop {
        let mut buffer = vec![0_u8; room];
        // SAFETY: the buffer is as long as said, format and zone are terminated strings.
        let len = unsafe { libc::strftime(buffer.as_mut_ptr().cast(), room, format.as_ptr(), tm) };
        if len > 0 || room > 1 << 20 {
            buffer.truncate(len);
            return buffer.split_off(buffer.len().min(1));
        }
        room *= 4;
    }
}

fn asctime(context: &mut Context<'_>, from_seconds: bool, into: Option<usize>) -> Result<Flow, Halt> {
    let from = context.pointer(0)?;
    let tm = match from_seconds {
        true => break_down(context.read_int(from, 8)? as i64),
        false => Some(load_tm(context, from)?),
    };
    let into = result(context, into, TEXT)?;
    let Some(tm) = tm else {
        context.set_errno(libc::EOVERFLOW)?;
        return context.return_pointer(Pointer::NULL);
    };
    let mut text = format_time(&tm, b"%a %b %e %H:%M:%S %Y\n");
    text.push(0);
    context.write(into, &text)?;
    context.return_pointer(into)
}

const _: () = assert!(TM <= TEXT && std::mem::size_of::<libc::tm>() == TM as usize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_broken_down_and_formatted() {
        let tm = break_down(1_704_067_200).expect("a time of this century");
        assert_eq!((tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_wday), (124, 0, 1, 1));
        assert_eq!(format_time(&tm, b"%Y-%m-%d %H:%M:%S"), b"2024-01-01 00:00:00");
        assert_eq!(format_time(&tm, b""), b"");
    }
}
