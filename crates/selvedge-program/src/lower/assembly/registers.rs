//! What is in the registers of an assembly statement, and how its operands get in and out.
//!
//! A register is a slot, or two with a pointer in them. Every write makes a new one, so that nothing has to be kept.

use super::super::Lowering;
use super::constraints::{Constraint, Place};
use super::flags::Flags;
use super::template::{Operand, Register};
use crate::code::*;
use crate::llvm::{Type, TypeKind, Value, attribute_kind};
use std::sync::LazyLock;

static ELEMENT_TYPE: LazyLock<u32> = LazyLock::new(|| attribute_kind("elementtype"));

/// What a value lives in: a register that has a name here, or the one of an operand, whichever that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    Named(Register),
    Operand(usize),
}

/// What is in a register: zero above so many bits.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    pub slot: Slot,
    pub bits: u32,
    /// The second slot is the provenance.
    pub pointer: bool,
}

/// Where an instruction reads or writes.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    Register { home: Home, bits: u32, pointer: bool },
    Memory { ptr: Slot, bits: Option<u32>, pointer: bool },
    Immediate(u64),
}

impl Target {
    /// The bits that it has by itself.
    pub fn bits(self) -> Option<u32> {
        match self {
            Target::Register { bits, .. } => Some(bits),
            Target::Memory { bits, .. } => bits,
            Target::Immediate(_) => None,
        }
    }

    /// Whether what is there may be a pointer.
    pub fn is_pointer(self) -> bool {
        match self {
            Target::Register { pointer, .. } | Target::Memory { pointer, .. } => pointer,
            Target::Immediate(_) => false,
        }
    }
}

/// An assembly statement while it is translated.
pub struct Assembly {
    operands: Vec<Bound>,
    held: Vec<(Home, Held)>,
    pub flags: Flags,
}

/// An operand: its home or its place in memory, and its type.
#[derive(Clone, Copy)]
struct Bound {
    constraint: Constraint,
    home: Option<Home>,
    ty: Option<Type>,
    ptr: Slot,
}

impl Assembly {
    pub fn held(&self, home: Home) -> Option<Held> {
        self.held.iter().find(|(other, _)| *other == home).map(|(_, held)| *held)
    }

    pub fn hold(&mut self, home: Home, held: Held) {
        self.held.retain(|(other, _)| *other != home);
        self.held.push((home, held));
    }
}

/// The type of a member of a call's result, which is one value or a structure of several.
fn member(ty: Type, number: u32) -> Option<Type> {
    match ty.kind() {
        TypeKind::LLVMVoidTypeKind => None,
        TypeKind::LLVMStructTypeKind => (number < ty.member_count()).then(|| ty.member(number)),
        _ => (number == 0).then_some(ty),
    }
}

impl Lowering<'_, '_> {
    /// Binds operands to arguments and members of the result, and puts what comes in into registers.
    pub(super) fn bind(&mut self, call: Value, constraints: Vec<Constraint>) -> Option<Assembly> {
        let mut assembly = Assembly { operands: Vec::new(), held: Vec::new(), flags: Flags::default() };
        let (mut arguments, mut results) = (0, 0);
        for (number, &constraint) in constraints.iter().enumerate() {
            let mut bound = Bound { constraint, home: None, ty: None, ptr: 0 };
            let argument = constraint.takes_argument().then(|| call.operand(arguments));
            arguments += u32::from(argument.is_some());
            bound.home = match constraint.place {
                Place::Register(register) => Some(Home::Named(register)),
                Place::Any => Some(Home::Operand(number)),
                Place::Tied(other) => assembly.operands.get(other)?.home,
                Place::Flags(_) | Place::Memory => None,
            };
            match argument {
                Some(pointer) if constraint.place == Place::Memory => {
                    bound.ptr = self.slot(pointer).ok()?;
                    bound.ty = call.call_attribute(arguments, *ELEMENT_TYPE).map(|known| known.type_value());
                }
                Some(value) => {
                    let held = self.incoming(value)?;
                    assembly.hold(bound.home?, held);
                    bound.ty = Some(value.ty());
                }
                None => {
                    bound.ty = Some(member(call.ty(), results)?);
                    results += 1;
                }
            }
            assembly.operands.push(bound);
        }
        Some(assembly)
    }

    fn incoming(&mut self, value: Value) -> Option<Held> {
        let (bits, pointer) = self.shape(value.ty())?;
        let slot = self.slot(value).ok()?;
        Some(Held { slot, bits, pointer })
    }

    /// Bits of a value that fits a register, and whether it is a pointer.
    fn shape(&self, ty: Type) -> Option<(u32, bool)> {
        match self.leaf(ty).ok()? {
            Leaf::Int(bits @ 1..=64) => Some((bits, false)),
            Leaf::Ptr => Some((64, true)),
            _ => None,
        }
    }

    /// Where an operand of an instruction is.
    pub(super) fn target(&mut self, assembly: &Assembly, operand: &Operand) -> Option<Target> {
        Some(match operand {
            &Operand::Immediate(number) => Target::Immediate(number),
            &Operand::Register(register, bits) => {
                Target::Register { home: Home::Named(register), bits, pointer: false }
            }
            &Operand::Argument(number, said) => {
                let bound = *assembly.operands.get(number)?;
                let (bits, pointer) = match bound.ty {
                    Some(ty) => self.shape(ty).map_or((None, false), |(bits, pointer)| (Some(bits), pointer)),
                    None => (None, false),
                };
                match bound.home {
                    Some(home) => {
                        let bits = said.or(bits)?;
                        Target::Register { home, bits: bits.next_power_of_two().max(8), pointer }
                    }
                    None if bound.constraint.place == Place::Memory => {
                        Target::Memory { ptr: bound.ptr, bits, pointer }
                    }
                    None => return None,
                }
            }
            Operand::Memory { base, displacement, bits } => {
                let Target::Register { home, .. } = self.target(assembly, base)? else { return None };
                let held = assembly.held(home)?;
                let ptr = self.as_pointer(held);
                let imm = i32::try_from(*displacement).ok()?;
                let ptr = match imm {
                    0 => ptr,
                    imm => {
                        let dst = self.temporary(2);
                        self.code.emit(Op::PtrAddImm { dst, base: ptr, imm });
                        dst
                    }
                };
                Target::Memory { ptr, bits: *bits, pointer: false }
            }
        })
    }

    /// A register's content with a provenance.
    pub(super) fn as_pointer(&mut self, held: Held) -> Slot {
        if held.pointer {
            return held.slot;
        }
        let dst = self.temporary(2);
        self.code.emit(Op::IntToPtr { dst, src: held.slot });
        dst
    }

    /// What is in a register, as a number of so many bits.
    pub(super) fn read_register(&mut self, assembly: &Assembly, home: Home, bits: u32) -> Held {
        let Some(held) = assembly.held(home) else {
            let slot = self.temporary(1);
            self.code.emit(Op::Undefined { dst: slot, count: 1 });
            return Held { slot, bits: 64, pointer: false };
        };
        if held.bits <= bits {
            return held;
        }
        let slot = self.temporary(1);
        self.mask(slot, held.slot, bits);
        Held { slot, bits, pointer: false }
    }

    /// Writes a part of a register: 32 bits clear what is above, fewer leave it.
    pub(super) fn write_register(&mut self, assembly: &mut Assembly, home: Home, bits: u32, new: Held) {
        let mut held = new;
        if bits < 32
            && let Some(old) = assembly.held(home).filter(|old| old.bits > bits)
        {
            let (rest, mask) = (self.temporary(1), self.temporary(1));
            self.code.emit(Op::Const { dst: mask, value: u64::MAX << bits });
            self.code.emit(Op::And { dst: rest, a: old.slot, b: mask });
            let slot = self.temporary(1);
            self.code.emit(Op::Or { dst: slot, a: rest, b: new.slot });
            held = Held { slot, bits: old.bits, pointer: false };
        }
        assembly.hold(home, held);
    }

    /// The members of the call's result.
    pub(super) fn outputs(&mut self, index: u32, assembly: &Assembly) -> Option<()> {
        let direct = assembly
            .operands
            .iter()
            .filter(|bound| bound.constraint.output && bound.constraint.place != Place::Memory);
        let direct: Vec<Bound> = direct.copied().collect();
        if direct.is_empty() {
            return Some(());
        }
        let mut to = self.result(index);
        for bound in direct {
            let (bits, pointer) = self.shape(bound.ty?)?;
            let held = match (bound.home, bound.constraint.place) {
                (Some(home), _) => assembly.held(home).map(|_| self.read_register(assembly, home, bits)),
                (None, Place::Flags(condition)) => {
                    let slot = self.condition(&assembly.flags, condition)?;
                    Some(Held { slot, bits: 1, pointer: false })
                }
                _ => return None,
            };
            let count = 1 + u32::from(pointer);
            match held {
                Some(held) if pointer => {
                    let src = self.as_pointer(held);
                    self.code.copy(to, src, 2);
                }
                Some(held) if held.pointer => {
                    self.code.emit(Op::PtrToInt { expose: true, dst: to, src: held.slot });
                }
                Some(held) => self.code.copy(to, held.slot, 1),
                None => self.code.emit(Op::Undefined { dst: to, count }),
            }
            to += count;
        }
        Some(())
    }
}
