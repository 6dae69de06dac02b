//! Variadic arguments: of the call itself, or of a `va_list` in memory.

use crate::halt::{Halt, ViolationKind};
use crate::memory::{Pointer, Provenance};
use crate::native::Context;
use selvedge_program::code::{Argument, FloatFormat, Leaf};

/// Bytes of the general registers in a register save area; those of the vector registers follow.
const GENERAL_END: u64 = 48;
const VECTOR_END: u64 = 176;

/// Where a model's variadic arguments come from, and which is next.
#[derive(Clone, Copy, Debug)]
pub enum Variadic {
    /// The arguments of the call, from this index on.
    Call(usize),
    /// A `va_list` at this address, as the x86-64 System V ABI lays it out:
    /// `{ i32 gp_offset, i32 fp_offset, ptr overflow_arg_area, ptr reg_save_area }`.
    List(Pointer),
}

/// The sign and exponent (16 bits) and the significand of an 80-bit float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extended {
    pub significand: u64,
    pub sign_exponent: u16,
}

impl Variadic {
    /// The arguments after the fixed ones.
    pub fn of_call(context: &Context<'_>) -> Self {
        Variadic::Call(context.fixed_arguments())
    }

    /// Those of the `va_list` that is an argument.
    pub fn of_list(context: &Context<'_>, index: usize) -> Result<Self, Halt> {
        Ok(Variadic::List(context.pointer(index)?))
    }

    fn next_of_call(context: &Context<'_>, next: &mut usize) -> Result<(usize, Argument), Halt> {
        let index = *next;
        *next += 1;
        let argument = context.argument(index).ok_or_else(|| {
            Halt::violation(
                ViolationKind::Uninitialised,
                "the format asks for more arguments than the call has",
            )
        })?;
        let undefined = context.this().frame().undefined.as_ref();
        let slots = argument.slot..argument.slot + argument.leaf.slots();
        if undefined.is_some_and(|undefined| slots.into_iter().any(|slot| undefined.contains_key(&slot))) {
            return Err(context.machine.uninitialised(&format!("argument {}", index + 1)));
        }
        Ok((index, argument))
    }

    /// The next integer of 4 or 8 bytes (smaller ones are passed as `int`).
    pub fn integer(&mut self, context: &mut Context<'_>, bytes: u64) -> Result<u64, Halt> {
        match self {
            Variadic::Call(next) => {
                let (index, argument) = Self::next_of_call(context, next)?;
                match argument.leaf {
                    Leaf::Int(_) | Leaf::Ptr if argument.byval.is_none() => context.int(index),
                    _ => Err(other_type("an integer")),
                }
            }
            Variadic::List(list) => {
                let at = general(context, *list)?;
                context.read_int(at, bytes)
            }
        }
    }

    /// The next pointer.
    pub fn pointer(&mut self, context: &mut Context<'_>) -> Result<Pointer, Halt> {
        match self {
            Variadic::Call(next) => {
                let (index, argument) = Self::next_of_call(context, next)?;
                match argument.leaf {
                    Leaf::Ptr if argument.byval.is_none() => context.pointer(index),
                    Leaf::Int(_) => {
                        Ok(Pointer { address: context.int(index)?, provenance: Provenance::NONE })
                    }
                    _ => Err(other_type("a pointer")),
                }
            }
            Variadic::List(list) => {
                let at = general(context, *list)?;
                context.read_pointer(at)
            }
        }
    }

    /// The next `double`.
    pub fn double(&mut self, context: &mut Context<'_>) -> Result<f64, Halt> {
        match self {
            Variadic::Call(next) => {
                let (index, argument) = Self::next_of_call(context, next)?;
                match argument.leaf {
                    Leaf::Float(FloatFormat::Double | FloatFormat::Single) => context.double(index),
                    _ => Err(other_type("a double")),
                }
            }
            Variadic::List(list) => {
                let at = vector(context, *list)?;
                Ok(f64::from_bits(context.read_int(at, 8)?))
            }
        }
    }

    /// The next `long double`.
    pub fn long_double(&mut self, context: &mut Context<'_>) -> Result<Extended, Halt> {
        match self {
            Variadic::Call(next) => {
                let (index, argument) = Self::next_of_call(context, next)?;
                match argument.leaf {
                    Leaf::Float(FloatFormat::X87) => {
                        let (significand, sign_exponent) = context.long_double(index)?;
                        Ok(Extended { significand, sign_exponent: sign_exponent as u16 })
                    }
                    _ => Err(other_type("a long double")),
                }
            }
            Variadic::List(list) => {
                let at = overflow(context, *list, 16, 16)?;
                let significand = context.read_int(at, 8)?;
                let sign_exponent = context.read_int(at.offset(8), 2)? as u16;
                Ok(Extended { significand, sign_exponent })
            }
        }
    }
}

fn other_type(wanted: &str) -> Halt {
    Halt::unsupported(format!("variadic argument of another type than {wanted}, which the format asks for"))
}

fn general(context: &mut Context<'_>, list: Pointer) -> Result<Pointer, Halt> {
    let offset = context.read_int(list, 4)?;
    if offset >= GENERAL_END {
        return overflow(context, list, 8, 8);
    }
    context.write_int(list, 4, offset + 8)?;
    Ok(context.read_pointer(list.offset(16))?.offset(offset as i64))
}

fn vector(context: &mut Context<'_>, list: Pointer) -> Result<Pointer, Halt> {
    let offset = context.read_int(list.offset(4), 4)?;
    if offset >= VECTOR_END {
        return overflow(context, list, 8, 8);
    }
    context.write_int(list.offset(4), 4, offset + 16)?;
    Ok(context.read_pointer(list.offset(16))?.offset(offset as i64))
}

fn overflow(context: &mut Context<'_>, list: Pointer, size: i64, align: u64) -> Result<Pointer, Halt> {
    let area = context.read_pointer(list.offset(8))?;
    let area = area.offset((area.address.next_multiple_of(align) - area.address) as i64);
    context.write_pointer(list.offset(8), area.offset(size))?;
    Ok(area)
}
