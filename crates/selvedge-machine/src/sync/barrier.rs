//! Barriers: `pthread_barrier_*`.
//!
//! Words of `pthread_barrier_t`: how many threads have arrived at 0, how many are needed at 8, and at 16 a mark that
//! tells a barrier at this address from other bytes. A wait has two
//! steps, arriving and (woken by the last one) leaving; leaving touches nothing, so that the barrier may be
//! destroyed as soon as the last thread has arrived.

use super::object::{self, misuse, publish, set_word, word, words};
use super::{always, finish, note, on_first};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::thread::{Status, Wait, Wake};
use crate::traits::Access::{Reads, Writes};
use libc::EINVAL;
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{EventKind, SyncObject};

pub const NATIVES: &[Native] = &[
    always(
        "pthread_barrier_init",
        |c| on_first(c, EventKind::SyncInit),
        |c| {
            let (at, count) = (c.pointer(0)?, c.int(2)? as u32);
            c.drain();
            let valid = count != 0 && count <= i32::MAX as u32;
            if is_initialised(c, at) {
                let problem = "which was initialised already and not destroyed";
                return Err(misuse(c, "initialisation of barrier", at, problem));
            }
            if valid {
                publish(c, at, &[0; 32])?;
                set_word(c, at, NEEDED, count)?;
                set_word(c, at, MARK, mark(at))?;
            }
            finish(c, EventKind::SyncInit, at.address, if valid { 0 } else { EINVAL })
        },
    )
    .touching(&[Writes, Reads])
    .on(SyncObject::Barrier),
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
    )
    .touching(&[Writes])
    .on(SyncObject::Barrier),
    always("pthread_barrier_wait", |c| on_first(c, EventKind::BarrierWait), wait).on(SyncObject::Barrier),
];

const NEEDED: i64 = 8;
const MARK: i64 = 16;
const DESTROYED: u32 = u32::MAX;
const SERIAL_THREAD: i32 = -1;

/// Copies of a barrier to other places are none.
fn mark(at: Pointer) -> u32 {
    (at.address as u32).rotate_left(7) ^ 0x9e37_79b9
}

/// Whether there is a barrier here that has been initialised and not destroyed. Bytes that were never written are none.
fn is_initialised(context: &mut Context<'_>, at: Pointer) -> bool {
    let is_defined = context.machine.memory.check(at, 32).is_ok_and(|_| {
        let memory = &mut context.machine.memory;
        [NEEDED, MARK].iter().all(|&word| memory.read(at.offset(word).address, 4).defined)
    });
    is_defined
        && word(context, at, MARK).is_ok_and(|found| found == mark(at) || mutant(Mutant::BarrierMarkIgnored))
        && word(context, at, NEEDED).is_ok_and(|needed| needed != 0 && needed != DESTROYED)
}

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
