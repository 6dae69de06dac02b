//! Models of the functions that wait until one of several descriptors is ready: `poll`, `select` and their variants.
//!
//! A call without a time limit waits for as long as none is ready. One with a limit may find that it is over whenever none
//! is ready, as other waits with a limit may; the clock goes on by the limit then.

use super::files::Target;
use super::pipes::End;
use super::transfer::{MOST_COUNTED, native};
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native, Visibility};
use selvedge_trace::{EventKind, Operation};

/// A function that announces that it looks at descriptors.
const fn waits(
    name: &'static str,
    alternatives: fn(&mut Context<'_>) -> u32,
    run: fn(&mut Context<'_>) -> Result<Flow, Halt>,
) -> Native {
    let operation = |_: &mut Context<'_>| Ok(Operation::sync(EventKind::Input, 0));
    native(name, Visibility::Always { operation, alternatives }, run)
}

pub static NATIVES: &[Native] = &[
    waits("poll", |c| possible(c, polled, milliseconds), |c| poll(c, milliseconds)),
    waits("__poll_chk", |c| possible(c, polled, milliseconds), |c| poll(c, milliseconds)),
    waits("ppoll", |c| possible(c, polled, |c| time(c, 2, 1)), |c| poll(c, |c| time(c, 2, 1))),
    waits("__ppoll_chk", |c| possible(c, polled, |c| time(c, 2, 1)), |c| poll(c, |c| time(c, 2, 1))),
    waits("select", |c| possible(c, selected, |c| time(c, 4, 1000)), select),
    waits("pselect", |c| possible(c, selected, |c| time(c, 4, 1)), pselect),
];

/// How long a call waits, in nanoseconds; nothing where it waits without a limit.
type Limit = fn(&mut Context<'_>) -> Result<Option<u64>, Halt>;

fn milliseconds(context: &mut Context<'_>) -> Result<Option<u64>, Halt> {
    Ok(u64::try_from(context.int32(2)?).ok().map(|limit| limit * 1_000_000))
}

/// The limit that an argument points to: seconds, and a part of one in units of so many nanoseconds.
fn time(context: &mut Context<'_>, argument: usize, unit: u64) -> Result<Option<u64>, Halt> {
    let at = context.pointer(argument)?;
    if at.is_null() {
        return Ok(None);
    }
    let (seconds, part) = (context.read_int(at, 8)?, context.read_int(at.offset(8), 8)?);
    Ok(Some(seconds.saturating_mul(1_000_000_000).saturating_add(part.saturating_mul(unit))))
}

/// Whether a call can go on: `look` is what it sees.
fn possible<T>(
    context: &mut Context<'_>,
    look: fn(&mut Context<'_>) -> Result<Seen<T>, Halt>,
    limit: Limit,
) -> u32 {
    let waits = limit(context).is_ok_and(|limit| limit.is_none());
    let sees_nothing = look(context).is_ok_and(|seen| seen.ready == 0);
    u32::from(!(waits && sees_nothing))
}

/// What a call sees of its descriptors, and how many things are ready.
struct Seen<T> {
    of_each: T,
    ready: usize,
}

/// Time passes if nothing is ready within the limit.
fn pass(context: &mut Context<'_>, ready: usize, limit: Option<u64>) {
    if ready == 0 {
        let clock = &mut context.machine.world.clock;
        *clock = clock.saturating_add(limit.unwrap_or(0));
    }
    context.event(EventKind::Input, 0, &[ready as u8], &[]);
}

/// What `poll` reports of one descriptor.
fn poll_events(context: &Context<'_>, descriptor: i32, wanted: i16) -> i16 {
    if descriptor < 0 {
        return 0;
    }
    let files = context.files();
    let Ok(open) = files.open_file(descriptor) else { return libc::POLLNVAL };
    let read = libc::POLLIN | libc::POLLRDNORM;
    let write = libc::POLLOUT | libc::POLLWRNORM;
    match open.target {
        Target::Pipe(number, end) => {
            let Some(pipe) = files.pipes.get(&number) else { return libc::POLLNVAL };
            match end {
                End::Read => {
                    let data = if pipe.bytes.is_empty() { 0 } else { wanted & read };
                    data | if pipe.has_writer() { 0 } else { libc::POLLHUP }
                }
                End::Write => {
                    let room = if pipe.room() >= 4096 { wanted & write } else { 0 };
                    room | if pipe.has_reader() { 0 } else { libc::POLLERR }
                }
            }
        }
        Target::Counter { value, .. } => {
            let data = if value > 0 { wanted & read } else { 0 };
            data | if value < MOST_COUNTED { wanted & write } else { 0 }
        }
        Target::Input => wanted & read,
        Target::Output(_) => wanted & write,
        _ => wanted & (read | write),
    }
}

/// What `poll` reports of each of its descriptors.
fn polled(context: &mut Context<'_>) -> Result<Seen<Vec<i16>>, Halt> {
    let (array, count) = (context.pointer(0)?, context.int(1)?);
    let mut of_each = Vec::new();
    for index in 0..count as i64 {
        let descriptor = context.read_int(array.offset(8 * index), 4)? as i32;
        let wanted = context.read_int(array.offset(8 * index + 4), 2)? as i16;
        of_each.push(poll_events(context, descriptor, wanted));
    }
    let ready = of_each.iter().filter(|&&events| events != 0).count();
    Ok(Seen { of_each, ready })
}

fn poll(context: &mut Context<'_>, limit: Limit) -> Result<Flow, Halt> {
    let (array, limit) = (context.pointer(0)?, limit(context)?);
    let Seen { of_each, ready } = polled(context)?;
    for (index, &events) in of_each.iter().enumerate() {
        context.write_int(array.offset(8 * index as i64 + 6), 2, events as u64)?;
    }
    pass(context, ready, limit);
    context.return_int(ready as u64)
}

/// Descriptors of a set: one bit each.
const SET: usize = libc::FD_SETSIZE;
const SET_BYTES: u64 = SET as u64 / 8;

/// What is wanted of the descriptors in each of the three sets, and what is reported there.
const SETS: [(i16, i16); 3] = [
    (libc::POLLIN, libc::POLLIN | libc::POLLHUP | libc::POLLERR),
    (libc::POLLOUT, libc::POLLOUT | libc::POLLERR),
    (libc::POLLPRI, libc::POLLPRI),
];

/// What `select` leaves in each of its sets; an error where a descriptor is none.
type Sets = Result<[Option<(Pointer, Vec<u8>)>; 3], i32>;

fn selected(context: &mut Context<'_>) -> Result<Seen<Sets>, Halt> {
    let count = context.int32(0)?;
    let wrong = |errno| Ok(Seen { of_each: Err(errno), ready: 1 });
    let Some(count) = usize::try_from(count).ok().filter(|&count| count <= SET) else {
        return wrong(libc::EINVAL);
    };
    let (mut sets, mut ready) = ([None, None, None], 0);
    for (number, (set, (wanted, reported))) in sets.iter_mut().zip(SETS).enumerate() {
        let at = context.pointer(1 + number)?;
        if at.is_null() {
            continue;
        }
        let mut bits = context.read(at, SET_BYTES)?;
        for descriptor in 0..count {
            let (byte, bit) = (descriptor / 8, 1 << (descriptor % 8));
            if bits[byte] & bit == 0 {
                continue;
            }
            match poll_events(context, descriptor as i32, wanted) {
                libc::POLLNVAL => return wrong(libc::EBADF),
                events if events & reported == 0 => bits[byte] &= !bit,
                _ => ready += 1,
            }
        }
        *set = Some((at, bits));
    }
    Ok(Seen { of_each: Ok(sets), ready })
}

fn pselect(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let limit = time(context, 4, 1)?;
    select_within(context, limit).map(|(flow, _)| flow)
}

fn select(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let limit = time(context, 4, 1000)?;
    let (flow, over) = select_within(context, limit)?;
    // What is left of the time is stored.
    if over {
        let at = context.pointer(4)?;
        context.write(at, &[0; 16])?;
    }
    Ok(flow)
}

/// `select` within a limit; whether that is over.
fn select_within(context: &mut Context<'_>, limit: Option<u64>) -> Result<(Flow, bool), Halt> {
    let Seen { of_each, ready } = selected(context)?;
    let sets = match of_each {
        Ok(sets) => sets,
        Err(errno) => {
            pass(context, ready, limit);
            return Ok((context.fail(errno)?, false));
        }
    };
    for (at, bits) in sets.iter().flatten() {
        context.write(*at, bits)?;
    }
    pass(context, ready, limit);
    Ok((context.return_int(ready as u64)?, ready == 0))
}
