//! Atomic operations that are too large for the processor, which compilers call functions for.

use super::bytes;
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::traits::Reach;
use crate::traits::Trait::{Atomic, Drains, Fixed, Plain, Unordered};

const fn model(name: &'static str, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native::if_shared(name, Reach::Anything, run)
}

pub static NATIVES: &[Native] = &[
    model("__atomic_load", load).with(&[Plain, Fixed, Drains, Atomic, Unordered]),
    model("__atomic_store", store).with(&[Plain, Fixed, Drains, Atomic, Unordered]),
    model("__atomic_exchange", exchange).with(&[Plain, Fixed, Drains, Atomic, Unordered]),
    model("__atomic_compare_exchange", compare_exchange).with(&[Plain, Drains, Atomic, Unordered]),
    model("__atomic_is_lock_free", |context| {
        let size = context.int(0)?;
        context.return_int(u64::from(matches!(size, 1 | 2 | 4 | 8)))
    })
    .with(&[Plain, Drains, Atomic, Unordered]),
];

/// Copies. These functions take a lock and give it back: what the thread has stored so far becomes visible before, and what is
/// copied as a whole. Where no other thread can reach either of the objects it is no step, and orders nothing.
fn transfer(context: &mut Context<'_>, to: Pointer, from: Pointer, size: u64) -> Result<(), Halt> {
    let memory = &mut context.machine.memory;
    let locks = memory.check(from, size)?.shared || memory.check(to, size)?.shared;
    if locks {
        context.drain();
    }
    context.copy(to, from, size)?;
    if locks {
        context.drain();
    }
    Ok(())
}

fn load(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (size, from, to) = (context.int(0)?, context.pointer(1)?, context.pointer(2)?);
    transfer(context, to, from, size)?;
    Ok(Flow::Return)
}

fn store(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (size, to, from) = (context.int(0)?, context.pointer(1)?, context.pointer(2)?);
    transfer(context, to, from, size)?;
    Ok(Flow::Return)
}

fn exchange(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (size, object) = (context.int(0)?, context.pointer(1)?);
    let (new, old) = (context.pointer(2)?, context.pointer(3)?);
    transfer(context, old, object, size)?;
    transfer(context, object, new, size)?;
    Ok(Flow::Return)
}

fn compare_exchange(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (size, object) = (context.int(0)?, context.pointer(1)?);
    let (expected, new) = (context.pointer(2)?, context.pointer(3)?);
    let equal = bytes::difference(context, object, expected, size)? == 0;
    match equal {
        true => transfer(context, object, new, size)?,
        false => transfer(context, expected, object, size)?,
    }
    context.return_int(u64::from(equal))
}
