//! Operands in slots: values of the function, constants, pointers with pending offsets.

use super::body::ValueId;
use super::plan::Form;
use super::{Lowering, NOWHERE};
use crate::PointerTarget;
use crate::code::*;
use crate::constants::{Scalar, is_constant};
use crate::llvm::{Value, ValueKind};

impl Lowering<'_, '_> {
    /// Slots until the end of the instruction.
    pub(super) fn temporary(&mut self, count: u32) -> Slot {
        let slot = self.code.frame.take(count);
        self.temporaries.push((slot, count));
        slot
    }

    /// Slots until the end of the block.
    fn block_temporary(&mut self, count: u32) -> Slot {
        let slot = self.code.frame.take(count);
        self.block_temporaries.push((slot, count));
        slot
    }

    /// First slot of a value of the function; a pending offset is added first.
    pub(super) fn place(&mut self, id: ValueId) -> Result<Slot, String> {
        let place = self.places[id as usize];
        if place == NOWHERE {
            return Err("a value that is not computed yet".into());
        }
        let Some(&imm) = self.offsets.get(&id) else {
            return Ok(place);
        };
        if let Some(&slot) = self.adjusted.get(&id) {
            return Ok(slot);
        }
        let dst = self.block_temporary(2);
        self.code.emit(Op::PtrAddImm { dst, base: place, imm });
        self.adjusted.insert(id, dst);
        Ok(dst)
    }

    /// First slot of an operand; its leaves lie as its type says.
    pub(super) fn slot(&mut self, value: Value) -> Result<Slot, String> {
        if let Some(id) = self.body.id(value) {
            return self.place(id);
        }
        if !is_constant(value) {
            return Err("a value from unreachable code".into());
        }
        if let Some(&slot) = self.constants.get(&value).or_else(|| self.hoisted.get(&value)) {
            return Ok(slot);
        }
        if self.in_loop
            && let Some(slot) = self.hoist(value)?
        {
            return Ok(slot);
        }
        let slots = self.linker.types.slots(value.ty());
        let dst = self.block_temporary(slots);
        self.constant_into(value, dst)?;
        self.constants.insert(value, dst);
        Ok(dst)
    }

    /// Computes a constant that a loop uses once, when the function begins. Only what one operation per slot
    /// makes, and not too much of it: frames are copied.
    fn hoist(&mut self, value: Value) -> Result<Option<Slot>, String> {
        const MOST: usize = 16;
        if self.hoisted.len() >= MOST {
            return Ok(None);
        }
        let ty = value.ty();
        let op = match (self.linker.evaluate(value), self.linker.types.scalar(ty)) {
            (Ok(Scalar::Int(value)), Some(leaf)) if leaf.slots() == 1 => {
                let dst = self.code.frame.take_fresh(1);
                Op::Const { dst, value }
            }
            (
                Ok(Scalar::Pointer { target: Some(PointerTarget::Global(global)), address }),
                Some(Leaf::Ptr),
            ) => {
                let linked = &self.linker.globals[global as usize];
                match i32::try_from(address.wrapping_sub(linked.address) as i64) {
                    Ok(offset) if !linked.value.is_thread_local() => {
                        let dst = self.code.frame.take_fresh(2);
                        Op::GlobalAddress { dst, global, offset }
                    }
                    _ => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        let (Op::Const { dst, .. } | Op::GlobalAddress { dst, .. }) = op else { return Ok(None) };
        self.code.emit_first(op);
        self.hoisted.insert(value, dst);
        Ok(Some(dst))
    }

    /// Pointer operand of an access: slot and offset.
    pub(super) fn address(&mut self, value: Value) -> Result<(Slot, i32), String> {
        if let Some(id) = self.body.id(value) {
            let place = self.places[id as usize];
            if place == NOWHERE {
                return Err("a value that is not computed yet".into());
            }
            return Ok((place, self.offsets.get(&id).copied().unwrap_or(0)));
        }
        Ok((self.slot(value)?, 0))
    }

    /// An operand with its provenance: two slots, whether it is a pointer or an i64.
    pub(super) fn carrier(&mut self, value: Value) -> Result<Slot, String> {
        if value.ty().is_pointer() || self.carries(value) {
            return self.slot(value);
        }
        let dst = self.temporary(2);
        if is_constant(value) {
            let scalar = self.linker.evaluate(value)?;
            self.pointer_scalar_into(&scalar, dst);
        } else {
            let src = self.slot(value)?;
            self.code.emit(Op::IntToPtr { dst, src });
        }
        Ok(dst)
    }

    /// Writes an operand to given slots.
    pub(super) fn value_into(&mut self, value: Value, dst: Slot) -> Result<(), String> {
        if is_constant(value) {
            return self.constant_into(value, dst);
        }
        let src = self.slot(value)?;
        let count = self.linker.types.slots(value.ty());
        self.code.copy(dst, src, count);
        Ok(())
    }

    /// Writes an operand to slots of a given shape: as a carrier or as its type says.
    pub(super) fn value_into_shape(&mut self, value: Value, dst: Slot, carrier: bool) -> Result<(), String> {
        if !carrier || value.ty().is_pointer() {
            return self.value_into(value, dst);
        }
        if self.carries(value) {
            let src = self.slot(value)?;
            self.code.copy(dst, src, 2);
        } else if is_constant(value) {
            let scalar = self.linker.evaluate(value)?;
            self.pointer_scalar_into(&scalar, dst);
        } else {
            let src = self.slot(value)?;
            self.code.emit(Op::IntToPtr { dst, src });
        }
        Ok(())
    }

    /// Writes a constant of any type.
    pub(super) fn constant_into(&mut self, value: Value, dst: Slot) -> Result<(), String> {
        let layout = self.layout(value);
        if layout.unsupported {
            return Err(format!("a constant of type {}", value.ty().describe()));
        }
        if matches!(value.kind(), ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind) {
            if layout.slots > 0 {
                self.code.emit(Op::Undefined { dst, count: layout.slots });
            }
            return Ok(());
        }
        let mut scalars = Vec::with_capacity(layout.leaves.len());
        self.linker.flatten(value, &mut scalars)?;
        for (leaf, scalar) in layout.leaves.iter().zip(&scalars) {
            self.scalar_into(scalar, leaf.leaf, dst + leaf.slot);
        }
        Ok(())
    }

    fn scalar_into(&mut self, scalar: &Scalar, leaf: Leaf, dst: Slot) {
        match (scalar, leaf) {
            (Scalar::Undefined, _) => self.code.emit(Op::Undefined { dst, count: leaf.slots() }),
            (_, Leaf::Ptr) => self.pointer_scalar_into(scalar, dst),
            (Scalar::Pointer { target: Some(_), .. }, Leaf::Int(_)) => {
                let src = self.temporary(2);
                self.pointer_scalar_into(scalar, src);
                self.code.emit(Op::PtrToInt { expose: true, dst, src });
            }
            _ => {
                for (word, slot) in scalar.words(leaf.slots()).into_iter().zip(dst..) {
                    self.code.emit(Op::Const { dst: slot, value: word });
                }
            }
        }
    }

    /// Writes an address with its provenance.
    fn pointer_scalar_into(&mut self, scalar: &Scalar, dst: Slot) {
        let (target, address) = match *scalar {
            Scalar::Pointer { target: Some(target), address } => (target, address),
            Scalar::Undefined => {
                self.code.emit(Op::Undefined { dst, count: 2 });
                return;
            }
            ref number => {
                let value = number.number();
                self.code.emit(Op::Const { dst, value });
                self.code.emit(Op::Const { dst: dst + 1, value: 0 });
                return;
            }
        };
        let base = match target {
            PointerTarget::Global(global) => {
                let linked = &self.linker.globals[global as usize];
                let base = linked.address;
                let thread_local = linked.value.is_thread_local();
                let offset = address.wrapping_sub(base) as i64;
                match i32::try_from(offset) {
                    Ok(offset) if !thread_local => {
                        self.code.emit(Op::GlobalAddress { dst, global, offset });
                        return;
                    }
                    _ if thread_local => self.code.emit(Op::ThreadLocalAddress { dst, global }),
                    _ => self.code.emit(Op::GlobalAddress { dst, global, offset: 0 }),
                }
                base
            }
            PointerTarget::Function(function) => {
                self.code.emit(Op::FunctionAddress { dst, function });
                crate::CODE_BASE + u64::from(function) * 16
            }
            PointerTarget::External(external) => {
                self.code.emit(Op::ExternalAddress { dst, external });
                crate::EXTERNAL_BASE + u64::from(external) * 16
            }
        };
        self.add_offset(dst, dst, address.wrapping_sub(base) as i64);
    }

    /// dst = base + a constant.
    pub(super) fn add_offset(&mut self, dst: Slot, base: Slot, offset: i64) {
        match i32::try_from(offset) {
            Ok(0) => self.code.copy(dst, base, 2),
            Ok(imm) => self.code.emit(Op::PtrAddImm { dst, base, imm }),
            Err(_) => {
                let a = self.temporary(1);
                self.code.emit(Op::Const { dst: a, value: offset as u64 });
                self.code.emit(Op::PtrAdd { dst, base, a });
            }
        }
    }

    /// Slots for an instruction's result.
    pub(super) fn result(&mut self, index: u32) -> Slot {
        let id = self.body.value_id(index) as usize;
        if self.places[id] == NOWHERE {
            self.places[id] = match self.plan.forms[index as usize] {
                Form::Into(local) => self.local_places[local as usize],
                _ => {
                    let slots = self.slots_of(self.body.insts[index as usize].value);
                    self.code.frame.take(slots)
                }
            };
        }
        self.places[id]
    }

    /// The number of a constant integer of up to 64 bits that is no address.
    pub(super) fn immediate(&mut self, value: Value) -> Option<u64> {
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind if value.ty().int_bits() <= 64 => Some(value.int()),
            ValueKind::LLVMConstantPointerNullValueKind => Some(0),
            _ => None,
        }
    }
}
