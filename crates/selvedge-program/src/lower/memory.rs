//! Loads, stores, atomics, addresses and stack objects.

use super::pairs::is_unused_half;
use super::plan::Form;
use super::{Lowered, Lowering};
use crate::code::*;
use crate::constants::sign_extend;
use crate::llvm::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, Opcode, Type, TypeKind, Value};
use crate::promote::constant_offset;
use crate::types::Layout;

fn order(ordering: LLVMAtomicOrdering) -> Order {
    match ordering {
        LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic => Order::NotAtomic,
        LLVMAtomicOrdering::LLVMAtomicOrderingUnordered => Order::Unordered,
        LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic => Order::Relaxed,
        LLVMAtomicOrdering::LLVMAtomicOrderingAcquire => Order::Acquire,
        LLVMAtomicOrdering::LLVMAtomicOrderingRelease => Order::Release,
        LLVMAtomicOrdering::LLVMAtomicOrderingAcquireRelease => Order::AcqRel,
        LLVMAtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent => Order::SeqCst,
    }
}

fn rmw_op(operation: LLVMAtomicRMWBinOp) -> Option<RmwOp> {
    use LLVMAtomicRMWBinOp::*;
    Some(match operation {
        LLVMAtomicRMWBinOpXchg => RmwOp::Exchange,
        LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        LLVMAtomicRMWBinOpAnd => RmwOp::And,
        LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        LLVMAtomicRMWBinOpOr => RmwOp::Or,
        LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        LLVMAtomicRMWBinOpMax => RmwOp::Max,
        LLVMAtomicRMWBinOpMin => RmwOp::Min,
        LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd,
        LLVMAtomicRMWBinOpFSub => RmwOp::FSub,
        LLVMAtomicRMWBinOpFMax => RmwOp::FMax,
        LLVMAtomicRMWBinOpFMin => RmwOp::FMin,
        LLVMAtomicRMWBinOpUIncWrap => RmwOp::UIncWrap,
        LLVMAtomicRMWBinOpUDecWrap => RmwOp::UDecWrap,
        LLVMAtomicRMWBinOpUSubCond => RmwOp::USubCond,
        LLVMAtomicRMWBinOpUSubSat => RmwOp::USubSat,
        LLVMAtomicRMWBinOpFMaximum | LLVMAtomicRMWBinOpFMinimum => return None,
    })
}

/// Where the leaves of an access lie.
pub(super) fn access(layout: &Layout, first: Slot, ptr: Slot, offset: i32) -> Access {
    let leaves = layout.leaves.iter().map(|leaf| (leaf.offset, leaf.leaf, first + leaf.slot)).collect();
    Access { ptr, offset, bytes: layout.bytes, leaves }
}

impl Lowering<'_, '_> {
    pub(super) fn alloca(&mut self, index: u32) -> Lowered {
        let value = self.body.insts[index as usize].value;
        let ty = value.allocated_type();
        let data = self.linker.types.data();
        let mut size = data.size(ty);
        let count = match self.immediate(value.operand(0)) {
            Some(number) => {
                size = size.checked_mul(number).ok_or("a local of more than 2^64 bytes")?;
                None
            }
            None => Some(self.slot(value.operand(0))?),
        };
        let align = value.align().max(1);
        let (name, shape) = match self.names.get(&value) {
            Some((name, shape)) => (name.as_str().into(), *shape),
            None => (value.name().into(), 0),
        };
        let dst = self.result(index);
        self.code.allocas.push(Alloca { size, count, align, name, shape });
        self.code.emit(Op::Alloca { dst, index: self.code.allocas.len() as u32 - 1 });
        Ok(())
    }

    pub(super) fn load(&mut self, index: u32) -> Lowered {
        let value = self.body.insts[index as usize].value;
        let ordering = order(value.ordering());
        if ordering != Order::NotAtomic {
            return self.atomic_load(index, value, ordering);
        }
        let (ptr, offset) = self.address(value.operand(0))?;
        let carries = self.carries(value);
        let dst = self.result(index);
        if is_unused_half(self.linker, &self.body, index) {
            return Ok(());
        }
        self.load_from(value.ty(), dst, ptr, offset, carries)
    }

    /// Loads a value of a type from memory.
    pub(super) fn load_from(
        &mut self,
        ty: Type,
        dst: Slot,
        ptr: Slot,
        offset: i32,
        carrier: bool,
    ) -> Lowered {
        let layout = self.linker.types.layout(ty);
        match layout.scalar() {
            _ if layout.unsupported => return Err(format!("a load of type {}", ty.describe())),
            _ if carrier => self.code.emit(Op::LoadPtr { dst, ptr, offset }),
            Some(Leaf::Ptr) => self.code.emit(Op::LoadPtr { dst, ptr, offset }),
            Some(leaf @ (Leaf::Int(0..=64) | Leaf::Float(_))) if leaf.slots() == 1 => {
                self.code.emit(Op::Load { bytes: leaf.bytes() as u8, dst, ptr, offset });
                if let Leaf::Int(bits) = leaf
                    && bits % 8 != 0
                {
                    self.mask(dst, dst, bits);
                }
            }
            _ if layout.leaves.is_empty() => {}
            _ if layout.bit_packed => self.load_packed(ty, &layout, dst, ptr, offset)?,
            _ => self.code.load_many(access(&layout, dst, ptr, offset)),
        }
        Ok(())
    }

    /// A vector whose elements are not whole bytes is loaded as one integer and cut.
    fn load_packed(&mut self, ty: Type, layout: &Layout, dst: Slot, ptr: Slot, offset: i32) -> Lowered {
        let bits = self.packed_bits(ty)?;
        let whole = self.temporary(bits.div_ceil(64));
        let leaves = [(0, Leaf::Int(bits), whole)].into();
        self.code.load_many(Access { ptr, offset, bytes: layout.bytes, leaves });
        let dst = layout.leaves.iter().map(|leaf| (leaf.leaf, dst + leaf.slot)).collect();
        self.code.repack(Repack { src: [(Leaf::Int(bits), whole)].into(), dst });
        Ok(())
    }

    fn store_packed(&mut self, ty: Type, layout: &Layout, src: Slot, ptr: Slot, offset: i32) -> Lowered {
        let bits = self.packed_bits(ty)?;
        let whole = self.temporary(bits.div_ceil(64));
        let src = layout.leaves.iter().map(|leaf| (leaf.leaf, src + leaf.slot)).collect();
        self.code.repack(Repack { src, dst: [(Leaf::Int(bits), whole)].into() });
        let leaves = [(0, Leaf::Int(bits), whole)].into();
        self.code.store_many(Access { ptr, offset, bytes: layout.bytes, leaves });
        Ok(())
    }

    fn packed_bits(&self, ty: Type) -> Result<u32, String> {
        match ty.kind() {
            TypeKind::LLVMVectorTypeKind => Ok(self.linker.types.data().bits(ty) as u32),
            _ => Err(format!("an access of type {}", ty.describe())),
        }
    }

    pub(super) fn store(&mut self, index: u32) -> Lowered {
        let value = self.body.insts[index as usize].value;
        let stored = value.operand(0);
        let ordering = order(value.ordering());
        if ordering != Order::NotAtomic {
            return self.atomic_store(value, ordering);
        }
        let carries = self.carries(stored);
        let src = self.slot(stored)?;
        let (ptr, offset) = self.address(value.operand(1))?;
        self.store_to(stored.ty(), src, ptr, offset, carries)
    }

    /// Stores a value of a type to memory.
    pub(super) fn store_to(&mut self, ty: Type, src: Slot, ptr: Slot, offset: i32, carrier: bool) -> Lowered {
        let layout = self.linker.types.layout(ty);
        match layout.scalar() {
            _ if layout.unsupported => return Err(format!("a store of type {}", ty.describe())),
            _ if carrier => self.code.emit(Op::StorePtr { src, ptr, offset }),
            Some(Leaf::Ptr) => self.code.emit(Op::StorePtr { src, ptr, offset }),
            Some(leaf @ (Leaf::Int(0..=64) | Leaf::Float(_))) if leaf.slots() == 1 => {
                self.code.emit(Op::Store { bytes: leaf.bytes() as u8, src, ptr, offset });
            }
            _ if layout.leaves.is_empty() => {}
            _ if layout.bit_packed => self.store_packed(ty, &layout, src, ptr, offset)?,
            _ => self.code.store_many(access(&layout, src, ptr, offset)),
        }
        Ok(())
    }

    pub(super) fn load_local(&mut self, index: u32, local: u32) -> Lowered {
        let id = self.body.value_id(index) as usize;
        let value = self.body.insts[index as usize].value;
        let src = self.local_places[local as usize];
        if let Form::Local(_) = self.plan.forms[index as usize] {
            self.places[id] = src;
        } else {
            let dst = self.result(index);
            let pointer = self.promotion.locals[local as usize].pointer;
            if self.carries(value) && !pointer {
                self.code.emit(Op::IntToPtr { dst, src });
            } else if pointer && !self.carries(value) && !value.ty().is_pointer() {
                // A number from here on: nothing follows it.
                self.code.emit(Op::PtrToInt { expose: true, dst, src });
            } else {
                let count = self.slots_of(value);
                self.code.copy(dst, src, count);
            }
        }
        self.expose_carrier(index);
        Ok(())
    }

    pub(super) fn store_local(&mut self, index: u32, local: u32) -> Lowered {
        let stored = self.body.insts[index as usize].value.operand(0);
        if let Some(inst) = self.body.inst(stored)
            && self.plan.forms[inst as usize] == Form::Into(local)
        {
            return Ok(());
        }
        let dst = self.local_places[local as usize];
        let pointer = self.promotion.locals[local as usize].pointer;
        self.value_into_shape(stored, dst, pointer)
    }

    /// Locals that may be read before they are written hold nothing from here on.
    pub(super) fn undefine_locals(&mut self, first: u32, last: u32) {
        for local in first..last {
            let known = &self.promotion.locals[local as usize];
            if known.needs_undefined {
                let (dst, count) = (self.local_places[local as usize], known.slots());
                self.code.emit(Op::Undefined { dst, count });
            }
        }
    }

    pub(super) fn gep(&mut self, index: u32) -> Lowered {
        let gep = self.body.insts[index as usize].value;
        if gep.ty().is_vector() {
            return self.vector_gep(index, gep);
        }
        let base = gep.operand(0);
        let (mut from, pending) = self.address(base)?;
        if let Some(offset) = constant_offset(self.linker, gep) {
            let dst = self.result(index);
            self.add_offset(dst, from, offset.wrapping_add(i64::from(pending)));
            return Ok(());
        }
        let (mut constant, terms) = self.gep_terms(gep)?;
        constant = constant.wrapping_add(i64::from(pending));
        let slots: Vec<(Slot, i64)> = terms
            .into_iter()
            .map(|(value, scale)| Ok((self.index_slot(value)?, scale)))
            .collect::<Result<_, String>>()?;
        let dst = self.result(index);
        for (a, scale) in slots {
            self.scaled_add(dst, from, a, scale);
            from = dst;
        }
        if self.plan.keeps_offset[index as usize]
            && let Ok(offset) = i32::try_from(constant)
        {
            if offset != 0 {
                self.offsets.insert(self.body.value_id(index), offset);
            }
        } else if constant != 0 {
            self.add_offset(dst, dst, constant);
        }
        Ok(())
    }

    /// dst = base + a * scale.
    pub(super) fn scaled_add(&mut self, dst: Slot, base: Slot, a: Slot, scale: i64) {
        match u16::try_from(scale) {
            Ok(1) => self.code.emit(Op::PtrAdd { dst, base, a }),
            Ok(scale) => self.code.emit(Op::PtrIndex { scale, dst, base, a }),
            Err(_) => {
                let product = self.temporary(1);
                match i32::try_from(scale) {
                    Ok(imm) => self.code.emit(Op::MulImm64 { dst: product, a, imm }),
                    Err(_) => {
                        let factor = self.temporary(1);
                        self.code.emit(Op::Const { dst: factor, value: scale as u64 });
                        self.code.emit(Op::Mul64 { dst: product, a, b: factor });
                    }
                }
                self.code.emit(Op::PtrAdd { dst, base, a: product });
            }
        }
    }

    /// Constant part of a GEP in bytes, and its variable indices with their scales.
    pub(super) fn gep_terms(&mut self, gep: Value) -> Result<(i64, Vec<(Value, i64)>), String> {
        let mut constant = 0_i64;
        let mut terms = Vec::new();
        let mut ty = gep.gep_source_type();
        for position in 1..gep.operand_count() {
            let index = gep.operand(position);
            match self.immediate(index) {
                Some(number) => {
                    let number = sign_extend(number, index.ty().int_bits());
                    constant = constant.wrapping_add(self.linker.step(&mut ty, position == 1, number));
                }
                None => terms.push((index, self.linker.step(&mut ty, position == 1, 1))),
            }
        }
        Ok((constant, terms))
    }

    /// An index as a signed 64-bit number.
    fn index_slot(&mut self, value: Value) -> Result<Slot, String> {
        let slot = self.slot(value)?;
        match self.linker.types.scalar(value.ty()) {
            Some(Leaf::Int(bits)) if bits < 64 => {
                let dst = self.temporary(1);
                self.code.emit(Op::SignExtend { from: bits as u8, to: 64, dst, a: slot });
                Ok(dst)
            }
            // Of a wider index the low 64 bits count, which is its first slot.
            Some(Leaf::Int(_)) => Ok(slot),
            _ => Err(format!("an index of type {}", value.ty().describe())),
        }
    }

    fn scalar_of(&self, ty: Type, what: &str) -> Result<Leaf, String> {
        self.linker.types.scalar(ty).ok_or_else(|| format!("{what} of type {}", ty.describe()))
    }

    fn atomic_shape(&self, ty: Type, carrier: bool, what: &str) -> Result<Atomic, String> {
        let leaf = self.scalar_of(ty, what)?;
        let width = match leaf {
            Leaf::Int(bits) => bits,
            _ => leaf.bytes() * 8,
        };
        let bytes = self.linker.types.data().store_size(ty);
        if !matches!(bytes, 1 | 2 | 4 | 8 | 16) {
            return Err(format!("{what} of {bytes} bytes"));
        }
        Ok(Atomic {
            kind: AtomicKind::Fence,
            ptr: 0,
            bytes: bytes as u8,
            width,
            pointer: carrier || leaf == Leaf::Ptr,
            float: crate::constants::float_format(leaf),
            order: Order::SeqCst,
            single_thread: false,
        })
    }

    fn atomic_load(&mut self, index: u32, value: Value, ordering: Order) -> Lowered {
        let shape = self.atomic_shape(value.ty(), self.carries(value), "an atomic load")?;
        let ptr = self.slot(value.operand(0))?;
        let dst = self.result(index);
        let single_thread = value.is_single_thread();
        self.code.atomic(Atomic {
            kind: AtomicKind::Load { dst },
            ptr,
            order: ordering,
            single_thread,
            ..shape
        });
        Ok(())
    }

    fn atomic_store(&mut self, value: Value, ordering: Order) -> Lowered {
        let stored = value.operand(0);
        let shape = self.atomic_shape(stored.ty(), self.carries(stored), "an atomic store")?;
        let ptr = self.slot(value.operand(1))?;
        let src = self.slot(stored)?;
        let single_thread = value.is_single_thread();
        self.code.atomic(Atomic {
            kind: AtomicKind::Store { src },
            ptr,
            order: ordering,
            single_thread,
            ..shape
        });
        Ok(())
    }

    pub(super) fn atomic(&mut self, index: u32) -> Lowered {
        let value = self.body.insts[index as usize].value;
        let single_thread = value.is_single_thread();
        match self.body.insts[index as usize].opcode {
            Opcode::LLVMFence => {
                let order = order(value.ordering());
                self.fence(order, single_thread);
            }
            Opcode::LLVMAtomicRMW if self.waits_for_token(value) => self.wait_for_token(index, value)?,
            Opcode::LLVMAtomicRMW => {
                let operand = value.operand(1);
                let carrier = self.carries(value);
                let shape = self.atomic_shape(operand.ty(), carrier, "an atomic read-modify-write")?;
                let op = rmw_op(value.rmw_operation()).ok_or("atomicrmw fmaximum or fminimum")?;
                let ptr = self.slot(value.operand(0))?;
                let src = if carrier { self.carrier(operand)? } else { self.slot(operand)? };
                let dst = self.result(index);
                let kind = AtomicKind::ReadModifyWrite { op, dst, src };
                let order = order(value.ordering());
                self.code.atomic(Atomic { kind, ptr, order, single_thread, ..shape });
            }
            _ => {
                let (expected, desired) = (value.operand(1), value.operand(2));
                let carrier = self.carries(value);
                let shape = self.atomic_shape(expected.ty(), carrier, "a compare-exchange")?;
                let ptr = self.slot(value.operand(0))?;
                let mut operand = |value: Value| if carrier { self.carrier(value) } else { self.slot(value) };
                let (expected, desired) = (operand(expected)?, operand(desired)?);
                let dst = self.result(index);
                let failure = order(value.failure_ordering());
                let kind =
                    AtomicKind::CompareExchange { dst, expected, desired, weak: value.is_weak(), failure };
                let order = order(value.success_ordering());
                self.code.atomic(Atomic { kind, ptr, order, single_thread, ..shape });
            }
        }
        Ok(())
    }

    /// A fence.
    pub(super) fn fence(&mut self, order: Order, single_thread: bool) {
        self.code.atomic(Atomic {
            kind: AtomicKind::Fence,
            ptr: 0,
            bytes: 0,
            width: 0,
            pointer: false,
            float: None,
            order,
            single_thread,
        });
    }
}
