//! What `pthread_once` and `call_once` are made of: their loop is C code.
//!
//! One word: 0 new, 2 done, or 1 plus four times the handle of the thread that runs the initialiser.

use super::object::{self, set_word, word};
use super::{always, blocking, on_first};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::native::{Context, Flow, Native};
use selvedge_trace::{EventKind, SyncObject};

pub const NATIVES: &[Native] = &[
    blocking("__selvedge_once_enter", |c| on_first(c, EventKind::OnceEnter), possible, enter)
        .on(SyncObject::Once),
    always(
        "__selvedge_once_done",
        |c| on_first(c, EventKind::OnceDone),
        |c| {
            let at = c.pointer(0)?;
            c.drain();
            set_word(c, at, 0, DONE)?;
            c.event(EventKind::OnceDone, at.address, &[], &[]);
            c.return_int(0)
        },
    )
    .on(SyncObject::Once),
];

const NEW: u32 = 0;
const RUNNING: u32 = 1;
const DONE: u32 = 2;

fn possible(context: &mut Context<'_>) -> u32 {
    let state = context.pointer(0).and_then(|at| word(context, at, 0));
    state.map_or(1, |state| u32::from(state & 3 != RUNNING))
}

/// Returns 1 if the caller must run the initialiser, 0 if that is done.
fn enter(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let at = context.pointer(0)?;
    context.drain();
    let first = word(context, at, 0)? == NEW;
    if first {
        let me = object::own_handle(context);
        set_word(context, at, 0, me << 2 | RUNNING)?;
    }
    context.event(EventKind::OnceEnter, at.address, &u32::from(first).to_le_bytes(), &[]);
    context.return_int(u64::from(first))
}

/// The handle of the thread that runs the initialiser.
pub fn owner(machine: &mut Machine, address: u64) -> Option<u64> {
    object::peek(machine, address).filter(|state| state & 3 == RUNNING).map(|state| u64::from(state >> 2))
}
