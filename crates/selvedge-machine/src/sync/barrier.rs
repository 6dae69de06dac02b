//! Barriers: `pthread_barrier_*`.
//!
//! Words of `pthread_barrier_t`: how many threads have arrived at 0, how many are needed at 8. A wait has two
//! steps, arriving and (woken by the last one) leaving; leaving touches nothing, so that the barrier may be
//! destroyed as soon as the last thread has arrived.

use super::object::{self, misuse, publish, set_word, word, words};
use super::{always, finish, note, on_first};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::thread::{Status, Wait, Wake};
use libc::EINVAL;
use selvedge_trace::EventKind;

pub const NATIVES: &[Native] = &[
    always(
        "pthread_barrier_init",
        |c| on_first(c, EventKind::SyncInit),
        |c| {
            let (at, count) = (c.pointer(0)?, c.int(2)? as u32);
            c.drain();
            let valid = count != 0 && count <= i32::MAX as u32;
            if valid {
                publish(c, at, &[0; 32])?;
                set_word(c, at, NEEDED, count)?;
            }
            finish(c, EventKind::SyncInit, at.address, if valid { 0 } else { EINVAL })
        },
    ),
    always(
        "pthread_barrier_destroy",
        |c| on_first(c, EventKind::SyncDestroy),
        |c| {
            let at = c.pointer(0)?;
            c.drain();
            let (arrived, _) = load(c, at, "destruction of")?;
            if arrived != 0 {
                return Err(misuse(c, "destruction of barrier", at, "at which threads wait"));
            }
            set_word(c, at, NEEDED, DESTROYED)?;
            finish(c, EventKind::SyncDestroy, at.address, 0)
        },
    ),
    always("pthread_barrier_wait", |c| on_first(c, EventKind::BarrierWait), wait),
];

const NEEDED: i64 = 8;
const DESTROYED: u32 = u32::MAX;
const SERIAL_THREAD: i32 = -1;

fn load(context: &mut Context<'_>, at: Pointer, action: &str) -> Result<(u32, u32), Halt> {
    let [arrived] = words(context, at)?;
    let problem = match word(context, at, NEEDED)? {
        0 => "which was not initialised by pthread_barrier_init",
        DESTROYED => crate::halt::DESTROYED,
        needed => return Ok((arrived, needed)),
    };
    Err(misuse(context, &format!("{action} barrier"), at, problem))
}

/// How many threads a barrier needs; 0 if it is none, or has been destroyed.
pub fn needed(machine: &mut Machine, address: u64) -> u32 {
    let needed = object::peek(machine, address.wrapping_add(NEEDED as u64));
    needed.filter(|&needed| needed != DESTROYED).unwrap_or(0)
}

fn wait(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let at = context.pointer(0)?;
    context.drain();
    if context.this_mut().wake.take().is_some() {
        return finish(context, EventKind::BarrierWait, at.address, 0);
    }
    let (arrived, needed) = load(context, at, "wait at")?;
    if arrived + 1 < needed {
        set_word(context, at, 0, arrived + 1)?;
        note(context, EventKind::BarrierWait, at.address, 0);
        return Ok(Flow::Wait(Wait::Barrier { address: at.address }));
    }
    set_word(context, at, 0, 0)?;
    let waiting = Status::Waiting(Wait::Barrier { address: at.address });
    for index in 0..context.machine.threads.len() {
        if context.machine.threads[index].status == waiting {
            context.machine.wake(index, Wake::Woken);
        }
    }
    finish(context, EventKind::BarrierWait, at.address, SERIAL_THREAD)
}
