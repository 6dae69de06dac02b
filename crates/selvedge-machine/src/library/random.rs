//! Randomness of the system. All of it comes from the execution's seed.

use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native, Visibility};
use crate::traits::Reach;
use selvedge_trace::{EventKind, Operation};

const VISIBLE: Visibility =
    Visibility::Always { operation: |_| Ok(Operation::sync(EventKind::Random, 0)), alternatives: |_| 1 };

pub static NATIVES: &[Native] = &[
    Native::visible("getrandom", VISIBLE, Reach::Arguments(&[]), getrandom),
    Native::visible("getentropy", VISIBLE, Reach::Arguments(&[]), getentropy),
    Native::visible("arc4random", VISIBLE, Reach::Arguments(&[]), arc4random),
    Native::visible("arc4random_uniform", VISIBLE, Reach::Arguments(&[]), arc4random_uniform),
    Native::visible("arc4random_buf", VISIBLE, Reach::Arguments(&[]), getentropy),
];

/// Fills memory with random bytes.
pub fn random_bytes(context: &mut Context<'_>, into: Pointer, len: u64) -> Result<(), Halt> {
    if len > 0 {
        context.machine.check_write(into, len)?;
    }
    let mut bytes = Vec::with_capacity(len as usize + 8);
    while (bytes.len() as u64) < len {
        bytes.extend(context.machine.world.next_random().to_le_bytes());
    }
    bytes.truncate(len as usize);
    context.write(into, &bytes)?;
    context.event(EventKind::Random, 0, &bytes, &[]);
    Ok(())
}

fn getrandom(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, len) = (context.pointer(0)?, context.int(1)?);
    random_bytes(context, into, len)?;
    context.return_int(len)
}

fn getentropy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, len) = (context.pointer(0)?, context.int(1)?);
    random_bytes(context, into, len)?;
    context.return_int(0)
}

fn number(context: &mut Context<'_>) -> u32 {
    let value = (context.machine.world.next_random() >> 32) as u32;
    context.event(EventKind::Random, 0, &value.to_le_bytes(), &[]);
    value
}

fn arc4random(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let value = number(context);
    context.return_int(u64::from(value))
}

fn arc4random_uniform(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let bound = context.int(0)? as u32;
    let value = number(context).checked_rem(bound).unwrap_or(0);
    context.return_int(u64::from(value))
}
