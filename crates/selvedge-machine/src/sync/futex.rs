//! The futex system call.
//!
//! A wait compares and goes to sleep in one step; once woken it returns in another. A wake that wakes some of the
//! waiters and not all leaves the choice to the scheduler: one alternative for each set of threads (in
//! lexicographic order), unless there are more than `MOST_CHOICES` of them; then the threads that were created
//! first are woken. Requeueing takes threads in order of creation.

use super::object::{set_word, word};
use super::{note, time};
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow};
use crate::thread::{Status, Wait, Wake};
use libc::{EAGAIN, EINVAL, ENOSYS, ETIMEDOUT};
use selvedge_trace::{EventKind, Operation};

/// Choices that are offered to the scheduler at most.
const MOST_CHOICES: u64 = 256;

// Index of each argument of `syscall(SYS_futex, ...)`.
const ADDRESS: usize = 1;
const COMMAND: usize = 2;
const VALUE: usize = 3;
/// A timeout, or a second number.
const TIMEOUT: usize = 4;
const SECOND_ADDRESS: usize = 5;
const THIRD_VALUE: usize = 6;

/// What a futex call does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Command {
    Wait { bitset: bool },
    Wake { bitset: bool },
    Requeue { compare: bool },
    WakeOp,
}

fn command(context: &Context<'_>) -> Result<Command, Halt> {
    let command = context.int32(COMMAND)? & !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME);
    Ok(match command {
        libc::FUTEX_WAIT => Command::Wait { bitset: false },
        libc::FUTEX_WAIT_BITSET => Command::Wait { bitset: true },
        libc::FUTEX_WAKE => Command::Wake { bitset: false },
        libc::FUTEX_WAKE_BITSET => Command::Wake { bitset: true },
        libc::FUTEX_REQUEUE => Command::Requeue { compare: false },
        libc::FUTEX_CMP_REQUEUE => Command::Requeue { compare: true },
        libc::FUTEX_WAKE_OP => Command::WakeOp,
        other => return Err(Halt::unsupported(format!("futex command {other}"))),
    })
}

/// What the call is about to do.
pub fn operation(context: &mut Context<'_>) -> Result<Operation, Halt> {
    let kind = match command(context)? {
        Command::Wait { .. } => EventKind::FutexWait,
        _ => EventKind::FutexWake,
    };
    Ok(Operation { size: 4, ..Operation::sync(kind, context.int(ADDRESS)?) })
}

/// Where its time-out lies, if it is a plain wait or wake: then it touches nothing else but its one word.
pub fn time_out(context: &Context<'_>) -> Option<Pointer> {
    match command(context).ok()? {
        Command::Wait { .. } => context.pointer(TIMEOUT).ok(),
        Command::Wake { .. } => Some(Pointer::NULL),
        Command::Requeue { .. } | Command::WakeOp => None,
    }
}

/// Whether a pending wait finds the word as expected, and so waits.
pub fn finds_expected(context: &mut Context<'_>) -> bool {
    let waits = matches!(command(context), Ok(Command::Wait { .. }));
    let expected = context.int(VALUE).map(|value| value as u32).ok();
    waits && context.pointer(ADDRESS).and_then(|at| word(context, at, 0)).ok() == expected
}

/// How many threads a pending call wakes at most, if it is a plain wake that treats all waiting threads equally.
pub fn most_woken(context: &Context<'_>) -> Option<u32> {
    let (command, _, count, bitset) = wake_arguments(context).ok()?;
    (matches!(command, Command::Wake { .. }) && bitset == u32::MAX).then_some(count)
}

/// How many alternatives it has.
pub fn alternatives(context: &mut Context<'_>) -> u32 {
    let Ok((command, address, count, bitset)) = wake_arguments(context) else { return 1 };
    match command {
        Command::Wait { .. } => 1,
        _ => choices(waiters(context, address, bitset).len() as u64, u64::from(count)).unwrap_or(1) as u32,
    }
}

/// Performs the call.
pub fn run(context: &mut Context<'_>) -> Result<Flow, Halt> {
    context.drain();
    match command(context)? {
        Command::Wait { bitset } => wait(context, bitset),
        Command::Wake { .. } => {
            let (_, address, count, bitset) = wake_arguments(context)?;
            let known = context.machine.model.graph().and_then(|execution| execution.woken);
            let woken = known.unwrap_or_else(|| wake(context, address, count, bitset));
            finish(context, address, woken)
        }
        Command::Requeue { compare } => requeue(context, compare),
        Command::WakeOp => wake_op(context),
    }
}

/// A wait or a wake as one that is about a single word and all threads that wait there.
pub enum FutexCall {
    /// Waits as long as the word is as expected.
    Wait { expected: u32, timed: bool },
    /// Wakes so many.
    Wake { most: u32 },
}

/// What a call does, if it is a plain wait or wake.
pub fn futex_call(context: &mut Context<'_>) -> Result<FutexCall, Halt> {
    let others = "futex calls other than waiting and waking under rc11";
    let bitset = match command(context)? {
        Command::Wait { bitset: true } | Command::Wake { bitset: true } => context.int(THIRD_VALUE)? as u32,
        _ => u32::MAX,
    };
    if bitset != u32::MAX || context.int(ADDRESS)? % 4 != 0 {
        return Err(Halt::unsupported(others));
    }
    let value = context.int(VALUE)? as u32;
    match command(context)? {
        Command::Wait { .. } => {
            let timeout = context.pointer(TIMEOUT)?;
            let timed = !timeout.is_null();
            if timed && time::read_timespec(context, timeout)?.is_none() {
                return Err(Halt::unsupported("a futex with a wrong time-out under rc11"));
            }
            Ok(FutexCall::Wait { expected: value, timed })
        }
        Command::Wake { .. } => Ok(FutexCall::Wake { most: value }),
        Command::Requeue { .. } | Command::WakeOp => Err(Halt::unsupported(others)),
    }
}

fn wake_arguments(context: &Context<'_>) -> Result<(Command, u64, u32, u32), Halt> {
    let command = command(context)?;
    let bitset = match command {
        Command::Wake { bitset: true } => context.int(THIRD_VALUE)? as u32,
        _ => u32::MAX,
    };
    Ok((command, context.int(ADDRESS)?, context.int(VALUE)? as u32, bitset))
}

fn finish(context: &mut Context<'_>, address: u64, woken: u32) -> Result<Flow, Halt> {
    context.event(EventKind::FutexWake, address, &woken.to_le_bytes(), &[]);
    let flow = context.return_int(u64::from(woken));
    if context.machine.records() {
        match command(context)? {
            Command::Wake { .. } => {
                let (most, slot) = (context.int(VALUE)? as u32, context.call.dst);
                context.machine.concolic_futex_wake(context.thread, address, most, slot);
            }
            _ => context.machine.beyond("futex calls other than waiting and waking"),
        }
    }
    flow
}

fn fail(context: &mut Context<'_>, kind: EventKind, address: u64, code: i32) -> Result<Flow, Halt> {
    note(context, kind, address, code);
    context.fail(code)
}

fn wait(context: &mut Context<'_>, with_bitset: bool) -> Result<Flow, Halt> {
    let (at, timeout) = (context.pointer(ADDRESS)?, context.pointer(TIMEOUT)?);
    match context.this_mut().wake.take() {
        Some(Wake::Woken) => {
            note(context, EventKind::FutexWait, at.address, 0);
            context.machine.concolic_futex_woken(context.thread, false);
            return context.return_int(0);
        }
        Some(Wake::TimedOut) => {
            match with_bitset {
                // With a bitset the timeout is a moment, without one it is a duration.
                true => {
                    let realtime = context.int32(COMMAND)? & libc::FUTEX_CLOCK_REALTIME != 0;
                    let clock = if realtime { libc::CLOCK_REALTIME } else { libc::CLOCK_MONOTONIC };
                    time::reach_moment(context, clock, timeout)?;
                }
                false => {
                    let duration = time::read_timespec(context, timeout)?.unwrap_or(0);
                    time::pass_time(context, duration);
                }
            }
            context.machine.concolic_futex_woken(context.thread, true);
            return fail(context, EventKind::FutexWait, at.address, ETIMEDOUT);
        }
        _ => {}
    }
    let timed = !timeout.is_null();
    let bitset = if with_bitset { context.int(THIRD_VALUE)? as u32 } else { u32::MAX };
    let valid =
        bitset != 0 && at.address % 4 == 0 && (!timed || time::read_timespec(context, timeout)?.is_some());
    if !valid {
        return fail(context, EventKind::FutexWait, at.address, EINVAL);
    }
    let expected = context.int(VALUE)? as u32;
    let same = word(context, at, 0)? == expected;
    if context.machine.records() {
        if bitset != u32::MAX {
            context.machine.beyond("futexes with bits");
        }
        let slot = context.call.args.get(VALUE).map(|argument| argument.slot);
        context.machine.concolic_futex_wait(context.thread, at.address, (expected, slot), same, timed);
    }
    if !same {
        return fail(context, EventKind::FutexWait, at.address, EAGAIN);
    }
    note(context, EventKind::FutexWait, at.address, 0);
    Ok(Flow::Wait(Wait::Futex { address: at.address, bitset, timed }))
}

/// The threads that wait on an address and have a bit in common, in order of creation.
fn waiters(context: &Context<'_>, at: u64, bits: u32) -> Vec<usize> {
    let threads = context.machine.threads.iter().enumerate();
    let waiting = threads.filter(|(_, thread)| {
        matches!(thread.status,
            Status::Waiting(Wait::Futex { address, bitset, .. }) if address == at && bitset & bits != 0)
    });
    waiting.map(|(index, _)| index).collect()
}

/// Wakes as many waiters as said, the ones that the scheduler has chosen; returns how many that were.
fn wake(context: &mut Context<'_>, address: u64, count: u32, bitset: u32) -> u32 {
    let waiting = waiters(context, address, bitset);
    let count = (count as usize).min(waiting.len());
    for position in combination(waiting.len(), count, context.alternative) {
        context.machine.wake(waiting[position], Wake::Woken);
    }
    count as u32
}

/// How many choices there are of `count` of `waiting` threads, if that is not too many to be offered.
fn choices(waiting: u64, count: u64) -> Option<u64> {
    let count = match count >= waiting {
        true => return Some(1),
        false => count.min(waiting - count),
    };
    let mut ways = 1_u64;
    for i in 0..count {
        ways = ways * (waiting - i) / (i + 1);
        if ways > MOST_CHOICES {
            return None;
        }
    }
    Some(ways)
}

/// The positions of the n-th combination of `count` out of `waiting`, in lexicographic order; the first one where
/// there are too many.
fn combination(waiting: usize, count: usize, number: u32) -> Vec<usize> {
    let mut chosen = Vec::with_capacity(count);
    let mut number = match choices(waiting as u64, count as u64) {
        Some(_) => u64::from(number),
        None => return (0..count).collect(),
    };
    let mut position = 0;
    while chosen.len() < count && position < waiting {
        let (left, needed) = (waiting - position - 1, count - chosen.len() - 1);
        let with_this = choices(left as u64, needed as u64).unwrap_or(MOST_CHOICES);
        if needed == left + 1 || number < with_this {
            chosen.push(position);
        } else {
            number -= with_this;
        }
        position += 1;
    }
    chosen
}

fn requeue(context: &mut Context<'_>, compare: bool) -> Result<Flow, Halt> {
    let (at, target) = (context.pointer(ADDRESS)?, context.int(SECOND_ADDRESS)?);
    let (count, most) = (context.int(VALUE)? as u32, context.int(TIMEOUT)? as u32 as usize);
    if compare {
        let expected = context.int(THIRD_VALUE)? as u32;
        if word(context, at, 0)? != expected {
            return fail(context, EventKind::FutexWake, at.address, EAGAIN);
        }
    }
    let woken = wake(context, at.address, count, u32::MAX);
    let mut moved = 0;
    for index in waiters(context, at.address, u32::MAX).into_iter().take(most) {
        if let Status::Waiting(Wait::Futex { address, .. }) = &mut context.machine.thread_mut(index).status {
            *address = target;
            moved += 1;
        }
    }
    // The comparing form counts the moved ones too.
    finish(context, at.address, if compare { woken + moved } else { woken })
}

/// Changes a second word, wakes waiters of the first, and if the second was so, waiters of the second.
fn wake_op(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (at, second) = (context.pointer(ADDRESS)?, context.pointer(SECOND_ADDRESS)?);
    let (count, second_count) = (context.int(VALUE)? as u32, context.int(TIMEOUT)? as u32);
    let encoded = context.int(THIRD_VALUE)? as u32;
    let old = word(context, second, 0)?;
    let Some((new, matches)) = decode_wake_op(encoded, old) else {
        return fail(context, EventKind::FutexWake, at.address, ENOSYS);
    };
    set_word(context, second, 0, new)?;
    let mut woken = wake(context, at.address, count, u32::MAX);
    if matches {
        let waiting = waiters(context, second.address, u32::MAX);
        for index in waiting.into_iter().take(second_count as usize) {
            context.machine.wake(index, Wake::Woken);
            woken += 1;
        }
    }
    finish(context, at.address, woken)
}

/// The new value of the second word, and whether the old one satisfies the condition.
fn decode_wake_op(encoded: u32, old: u32) -> Option<(u32, bool)> {
    let sign_extend = |value: u32| ((value << 20) as i32 >> 20) as u32;
    let argument = match encoded >> 31 {
        0 => sign_extend(encoded >> 12 & 0xfff),
        _ => 1_u32.wrapping_shl(encoded >> 12 & 31),
    };
    let new = match encoded >> 28 & 7 {
        0 => argument,
        1 => old.wrapping_add(argument),
        2 => old | argument,
        3 => old & !argument,
        4 => old ^ argument,
        _ => return None,
    };
    let (old, compared) = (old as i32, sign_extend(encoded & 0xfff) as i32);
    let matches = match encoded >> 24 & 15 {
        0 => old == compared,
        1 => old != compared,
        2 => old < compared,
        3 => old <= compared,
        4 => old > compared,
        5 => old >= compared,
        _ => return None,
    };
    Some((new, matches))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_offered_once() {
        for waiting in 0..8_usize {
            for count in 0..=waiting {
                let ways = choices(waiting as u64, count as u64).unwrap();
                let mut seen: Vec<_> = (0..ways).map(|n| combination(waiting, count, n as u32)).collect();
                assert!(seen.iter().all(|chosen| chosen.len() == count), "{waiting} {count} {seen:?}");
                assert!(seen.is_sorted());
                seen.dedup();
                assert_eq!(seen.len() as u64, ways);
            }
        }
    }

    #[test]
    fn one_of_many_is_a_choice_each_and_too_many_are_none() {
        assert_eq!(choices(200, 1), Some(200));
        assert_eq!(choices(5, 9), Some(1));
        assert_eq!(choices(40, 20), None);
        assert_eq!(combination(40, 3, 0), [0, 1, 2]);
    }

    #[test]
    fn wake_op_adds_and_compares() {
        // FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_GT, 1)
        let encoded = 1 << 28 | 4 << 24 | 1 << 12 | 1;
        assert_eq!(decode_wake_op(encoded, 1), Some((2, false)));
        assert_eq!(decode_wake_op(encoded, 2), Some((3, true)));
    }
}
