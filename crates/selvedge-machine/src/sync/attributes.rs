//! Attribute objects: `pthread_attr_*`, `pthread_mutexattr_*` and their like, laid out as glibc does.

use super::if_shared;
use super::object::word;
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::traits::Trait::Ambiguous;
use libc::{EINVAL, ENOTSUP};

pub const NATIVES: &[Native] = &[
    // threads
    if_shared("pthread_attr_init", |c| {
        let at = c.pointer(0)?;
        c.write(at, &[0; 56])?;
        c.write_int(at.offset(GUARD_SIZE), 8, 4096)?;
        c.return_int(0)
    }),
    if_shared("pthread_attr_destroy", accept),
    if_shared("pthread_attr_setdetachstate", |c| set(c, Field { offset: FLAGS, shift: 0, bits: 1 })),
    if_shared("pthread_attr_getdetachstate", |c| get(c, Field { offset: FLAGS, shift: 0, bits: 1 })),
    if_shared("pthread_attr_setinheritsched", |c| set(c, Field { offset: FLAGS, shift: 1, bits: 1 })),
    if_shared("pthread_attr_getinheritsched", |c| get(c, Field { offset: FLAGS, shift: 1, bits: 1 })),
    if_shared("pthread_attr_setscope", |c| {
        let code = if c.int32(1)? == 0 { 0 } else { ENOTSUP };
        c.return_int(code as u64)
    }),
    if_shared("pthread_attr_getscope", |c| {
        let to = c.pointer(1)?;
        c.write_int(to, 4, 0)?;
        c.return_int(0)
    }),
    if_shared("pthread_attr_setschedpolicy", |c| set(c, Field { offset: 4, shift: 0, bits: 2 })),
    if_shared("pthread_attr_getschedpolicy", |c| get(c, Field { offset: 4, shift: 0, bits: 2 })),
    if_shared("pthread_attr_setschedparam", |c| {
        let (at, from) = (c.pointer(0)?, c.pointer(1)?);
        let priority = word(c, from, 0)?;
        set_word(c, at, 0, priority)?;
        c.return_int(0)
    }),
    if_shared("pthread_attr_getschedparam", |c| get(c, Field { offset: 0, shift: 0, bits: 32 })),
    if_shared("pthread_attr_setguardsize", |c| set_size(c, GUARD_SIZE, 0)),
    if_shared("pthread_attr_getguardsize", |c| get_size(c, GUARD_SIZE, 0)),
    if_shared("pthread_attr_setstacksize", |c| set_size(c, STACK_SIZE, SMALLEST_STACK)),
    if_shared("pthread_attr_getstacksize", |c| get_size(c, STACK_SIZE, DEFAULT_STACK)),
    if_shared("pthread_attr_setstack", |c| {
        let (at, address, size) = (c.pointer(0)?, c.int(1)?, c.int(2)?);
        if size < SMALLEST_STACK {
            return c.return_int(EINVAL as u64);
        }
        c.write_int(at.offset(STACK_ADDRESS), 8, address.wrapping_add(size))?;
        c.write_int(at.offset(STACK_SIZE), 8, size)?;
        c.return_int(0)
    }),
    if_shared("pthread_attr_getstack", |c| {
        let (at, address_to, size_to) = (c.pointer(0)?, c.pointer(1)?, c.pointer(2)?);
        let size = c.read_int(at.offset(STACK_SIZE), 8)?;
        let end = c.read_int(at.offset(STACK_ADDRESS), 8)?;
        c.write_int(address_to, 8, end.wrapping_sub(size))?;
        c.write_int(size_to, 8, size)?;
        c.return_int(0)
    }),
    if_shared("pthread_attr_setaffinity_np", accept),
    // mutexes
    if_shared("pthread_mutexattr_init", |c| clear(c, 4)),
    if_shared("pthread_mutexattr_destroy", accept),
    if_shared("pthread_mutexattr_settype", |c| set(c, Field { offset: 0, shift: 0, bits: 2 })),
    if_shared("pthread_mutexattr_gettype", |c| get(c, Field { offset: 0, shift: 0, bits: 2 })),
    if_shared("pthread_mutexattr_setpshared", |c| set(c, Field { offset: 0, shift: 31, bits: 1 })),
    if_shared("pthread_mutexattr_getpshared", |c| get(c, Field { offset: 0, shift: 31, bits: 1 })),
    if_shared("pthread_mutexattr_setrobust", |c| set(c, Field { offset: 0, shift: 30, bits: 1 }))
        .with(&[Ambiguous]),
    if_shared("pthread_mutexattr_getrobust", |c| get(c, Field { offset: 0, shift: 30, bits: 1 })),
    if_shared("pthread_mutexattr_setrobust_np", |c| set(c, Field { offset: 0, shift: 30, bits: 1 }))
        .with(&[Ambiguous]),
    if_shared("pthread_mutexattr_getrobust_np", |c| get(c, Field { offset: 0, shift: 30, bits: 1 })),
    if_shared("pthread_mutexattr_setprotocol", |c| {
        set(c, Field { offset: 0, shift: MUTEX_PROTOCOL_SHIFT, bits: 2 })
    }),
    if_shared("pthread_mutexattr_getprotocol", |c| {
        get(c, Field { offset: 0, shift: MUTEX_PROTOCOL_SHIFT, bits: 2 })
    }),
    if_shared("pthread_mutexattr_setprioceiling", |c| set(c, Field { offset: 0, shift: 12, bits: 12 })),
    if_shared("pthread_mutexattr_getprioceiling", |c| get(c, Field { offset: 0, shift: 12, bits: 12 })),
    // condition variables
    if_shared("pthread_condattr_init", |c| clear(c, 4)),
    if_shared("pthread_condattr_destroy", accept),
    if_shared("pthread_condattr_setpshared", |c| set(c, Field { offset: 0, shift: 0, bits: 1 })),
    if_shared("pthread_condattr_getpshared", |c| get(c, Field { offset: 0, shift: 0, bits: 1 })),
    if_shared("pthread_condattr_setclock", |c| set(c, Field { offset: 0, shift: 1, bits: 1 })),
    if_shared("pthread_condattr_getclock", |c| get(c, Field { offset: 0, shift: 1, bits: 1 })),
    // read-write locks
    if_shared("pthread_rwlockattr_init", |c| clear(c, 8)),
    if_shared("pthread_rwlockattr_destroy", accept),
    if_shared("pthread_rwlockattr_setkind_np", |c| set(c, Field { offset: 0, shift: 0, bits: 2 })),
    if_shared("pthread_rwlockattr_getkind_np", |c| get(c, Field { offset: 0, shift: 0, bits: 2 })),
    if_shared("pthread_rwlockattr_setpshared", |c| set(c, Field { offset: 4, shift: 0, bits: 1 })),
    if_shared("pthread_rwlockattr_getpshared", |c| get(c, Field { offset: 4, shift: 0, bits: 1 })),
    // barriers
    if_shared("pthread_barrierattr_init", |c| clear(c, 4)),
    if_shared("pthread_barrierattr_destroy", accept),
    if_shared("pthread_barrierattr_setpshared", |c| set(c, Field { offset: 0, shift: 0, bits: 1 })),
    if_shared("pthread_barrierattr_getpshared", |c| get(c, Field { offset: 0, shift: 0, bits: 1 })),
];

// pthread_attr_t
const FLAGS: i64 = 8;
const GUARD_SIZE: i64 = 16;
const STACK_ADDRESS: i64 = 24;
const STACK_SIZE: i64 = 32;
const SMALLEST_STACK: u64 = 16384;
const DEFAULT_STACK: u64 = 8 << 20;
/// Where the program believes the stacks of threads to be: nothing else is there.
const STACKS: u64 = 0x7f00_0000_0000;

// pthread_mutexattr_t
pub const MUTEX_ROBUST: u32 = 1 << 30;
pub const MUTEX_SHARED: u32 = 1 << 31;
pub const MUTEX_PROTOCOL_SHIFT: u32 = 28;

/// Some bits of an attribute object.
struct Field {
    offset: i64,
    shift: u32,
    bits: u32,
}

impl Field {
    fn mask(&self) -> u32 {
        u32::MAX >> (32 - self.bits)
    }
}

/// Writes a word; unlike locks, attributes are plain memory.
fn set_word(context: &mut Context<'_>, at: Pointer, offset: i64, value: u32) -> Result<(), Halt> {
    context.write_int(at.offset(offset), 4, u64::from(value))
}

fn accept(context: &mut Context<'_>) -> Result<Flow, Halt> {
    context.return_int(0)
}

fn clear(context: &mut Context<'_>, len: usize) -> Result<Flow, Halt> {
    let at = context.pointer(0)?;
    context.write(at, &[0; 8][..len])?;
    context.return_int(0)
}

/// Sets a field to the second argument.
fn set(context: &mut Context<'_>, field: Field) -> Result<Flow, Halt> {
    let (at, value) = (context.pointer(0)?, context.int(1)? as u32);
    if value > field.mask() {
        return context.return_int(EINVAL as u64);
    }
    let rest = word(context, at, field.offset)? & !(field.mask() << field.shift);
    set_word(context, at, field.offset, rest | value << field.shift)?;
    context.return_int(0)
}

/// Stores a field to where the second argument points.
fn get(context: &mut Context<'_>, field: Field) -> Result<Flow, Halt> {
    let (at, to) = (context.pointer(0)?, context.pointer(1)?);
    let value = word(context, at, field.offset)? >> field.shift & field.mask();
    set_word(context, to, 0, value)?;
    context.return_int(0)
}

fn set_size(context: &mut Context<'_>, offset: i64, least: u64) -> Result<Flow, Halt> {
    let (at, value) = (context.pointer(0)?, context.int(1)?);
    if value < least {
        return context.return_int(EINVAL as u64);
    }
    context.write_int(at.offset(offset), 8, value)?;
    context.return_int(0)
}

fn get_size(context: &mut Context<'_>, offset: i64, default: u64) -> Result<Flow, Halt> {
    let (at, to) = (context.pointer(0)?, context.pointer(1)?);
    let value = context.read_int(at.offset(offset), 8)?;
    context.write_int(to, 8, if value == 0 { default } else { value })?;
    context.return_int(0)
}

/// Whether threads are created detached with these attributes.
pub fn detached(context: &mut Context<'_>, at: Pointer) -> Result<bool, Halt> {
    Ok(word(context, at, FLAGS)? & 1 != 0)
}

/// Fills in the attributes of an existing thread.
pub fn describe_thread(
    context: &mut Context<'_>,
    at: Pointer,
    arena: u32,
    detached: bool,
) -> Result<(), Halt> {
    context.write(at, &[0; 56])?;
    set_word(context, at, FLAGS, u32::from(detached))?;
    context.write_int(at.offset(GUARD_SIZE), 8, 4096)?;
    let end = STACKS + (u64::from(arena) + 1) * 2 * DEFAULT_STACK;
    context.write_int(at.offset(STACK_ADDRESS), 8, end)?;
    context.write_int(at.offset(STACK_SIZE), 8, DEFAULT_STACK)
}
