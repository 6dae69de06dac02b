//! Thread-specific values: `pthread_key_*`. Values are private to their thread; keys are not.

use super::{always, finish, private};
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::traits::Access::Writes;
use crate::traits::Trait::TellsThreadsApart;
use libc::{EAGAIN, EINVAL};
use selvedge_trace::{EventKind, Operation};

pub const NATIVES: &[Native] = &[
    always("pthread_key_create", key_operation, |c| {
        let code = create(c)?;
        finish(c, EventKind::SyncInit, 0, code)
    })
    .touching(&[Writes])
    .with(&[TellsThreadsApart]),
    // Threads look at their values without being seen to: what they find depends on whether the key is still there.
    always("pthread_key_delete", key_operation, |c| {
        let code = delete(c)?;
        finish(c, EventKind::SyncDestroy, 0, code)
    })
    .reaching_anything()
    .with(&[TellsThreadsApart]),
    private("pthread_getspecific", get).with(&[TellsThreadsApart]),
    private("pthread_setspecific", |c| {
        let code = set(c)?;
        c.return_int(code as u64)
    })
    .with(&[TellsThreadsApart]),
    private("__selvedge_key_destructor", next_destructor),
    private("__selvedge_keeps_values", |c| {
        let thread = &c.machine.threads[c.thread];
        let any = !thread.thread_locals.is_empty() || !thread.specifics.is_empty();
        c.return_int(u64::from(any))
    }),
];

/// As many keys as glibc has.
const MOST_KEYS: usize = 1024;
/// How often a thread's values are looked through for ones that a destructor has set again.
const ROUNDS: u32 = 4;

/// All keys come from one place: creating and deleting them depend on each other.
pub fn key_operation(_: &mut Context<'_>) -> Result<Operation, Halt> {
    Ok(Operation::sync(EventKind::SyncInit, 0))
}

/// Makes a key with the destructor in the second argument, and stores it to where the first one points.
pub fn create(context: &mut Context<'_>) -> Result<i32, Halt> {
    let (to, destructor) = (context.pointer(0)?, context.pointer(1)?);
    let keys = &mut context.machine.world.keys;
    let key = keys.iter().position(Option::is_none).unwrap_or(keys.len());
    if key >= MOST_KEYS {
        return Ok(EAGAIN);
    }
    if key == keys.len() {
        keys.push(None);
    }
    keys[key] = Some(destructor);
    context.write_int(to, 4, key as u64)?;
    Ok(0)
}

fn exists(context: &Context<'_>, key: usize) -> bool {
    matches!(context.machine.world.keys.get(key), Some(Some(_)))
}

/// Deletes the key in the first argument; all threads' values of it are forgotten.
pub fn delete(context: &mut Context<'_>) -> Result<i32, Halt> {
    let key = context.int(0)? as u32 as usize;
    if !exists(context, key) {
        return Ok(EINVAL);
    }
    context.machine.world.keys[key] = None;
    for index in 0..context.machine.threads.len() {
        if context.machine.threads[index].specifics.get(key).is_some_and(|value| *value != Pointer::NULL) {
            context.machine.thread_mut(index).specifics[key] = Pointer::NULL;
        }
    }
    Ok(0)
}

/// The calling thread's value of the key in the first argument.
pub fn get(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let key = context.int(0)? as u32 as usize;
    let value = context.this().specifics.get(key).copied().unwrap_or(Pointer::NULL);
    context.return_pointer(value)
}

/// Sets the calling thread's value of the key in the first argument.
pub fn set(context: &mut Context<'_>) -> Result<i32, Halt> {
    let (key, value) = (context.int(0)? as u32 as usize, context.pointer(1)?);
    if !exists(context, key) {
        return Ok(EINVAL);
    }
    let thread = context.this_mut();
    if thread.specifics.len() <= key {
        thread.specifics.resize(key + 1, Pointer::NULL);
    }
    thread.specifics[key] = value;
    Ok(0)
}

/// Finds the next value of the ending thread that has a destructor, takes it away and stores both to where the
/// arguments point; returns whether there was one.
fn next_destructor(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (destructor_to, value_to) = (context.pointer(0)?, context.pointer(1)?);
    // Where the thread is in this does not depend on keys of which it has no values: others may make such.
    while context.this().key_cursor < ROUNDS * MOST_KEYS as u32 {
        let key = context.this().key_cursor as usize % MOST_KEYS;
        let Some(&value) = context.this().specifics.get(key) else {
            let round = context.this().key_cursor / MOST_KEYS as u32;
            context.this_mut().key_cursor = (round + 1) * MOST_KEYS as u32;
            continue;
        };
        context.this_mut().key_cursor += 1;
        let destructor = context.machine.world.keys[key].unwrap_or(Pointer::NULL);
        if !value.is_null() && !destructor.is_null() {
            context.this_mut().specifics[key] = Pointer::NULL;
            context.write_pointer(destructor_to, destructor)?;
            context.write_pointer(value_to, value)?;
            return context.return_int(1);
        }
    }
    context.return_int(0)
}
