//! Vectors and aggregates: moving their leaves about; select and freeze, which take every type.

use super::plan::Form;
use super::{Lowered, Lowering};
use crate::code::*;
use crate::llvm::{Opcode, TypeKind, Value, ValueKind};

impl Lowering<'_, '_> {
    pub(super) fn aggregate(&mut self, index: u32) -> Lowered {
        let inst = self.body.insts[index as usize];
        let layout = self.layout(inst.value);
        if layout.unsupported {
            return Err(format!("an operation on type {}", inst.value.ty().describe()));
        }
        match inst.opcode {
            Opcode::LLVMExtractValue => {
                let aggregate = inst.value.operand(0);
                let (ty, slot) = self.linker.types.member(aggregate.ty(), inst.value.indices());
                let from = self.slot(aggregate)? + slot;
                let dst = self.result(index);
                let count = self.linker.types.slots(ty);
                self.code.copy(dst, from, count);
            }
            Opcode::LLVMInsertValue => {
                let (_, slot) = self.linker.types.member(inst.value.ty(), inst.value.indices());
                if self.is_filled(inst.value) {
                    let dst = self.result(index);
                    self.value_into(inst.value.operand(1), dst + slot)?;
                } else {
                    self.insert(index, inst.value, slot)?;
                }
            }
            Opcode::LLVMExtractElement => self.extract_element(index, inst.value)?,
            Opcode::LLVMInsertElement => self.insert_element(index, inst.value)?,
            _ => self.shuffle(index, inst.value)?,
        }
        Ok(())
    }

    /// Does the chain of insertions that begins here, with nothing, write every member in the end?
    fn is_filled(&self, first: Value) -> bool {
        let nothing = [ValueKind::LLVMPoisonValueKind, ValueKind::LLVMUndefValueValueKind];
        let ty = first.ty();
        if !nothing.contains(&first.operand(0).kind()) || ty.kind() != TypeKind::LLVMStructTypeKind {
            return false;
        }
        let mut missing: Vec<u32> = (0..ty.member_count()).collect();
        let mut current = first;
        loop {
            if let [index] = current.indices() {
                missing.retain(|member| member != index);
            }
            let next = current.users().next().and_then(|user| self.body.inst(user));
            match next {
                Some(next) if matches!(self.plan.forms[next as usize], Form::Update { of } if Some(of) == self.body.id(current)) =>
                {
                    current = self.body.insts[next as usize].value;
                }
                _ => return missing.is_empty(),
            }
        }
    }

    /// Copies the aggregate and overwrites one member.
    fn insert(&mut self, index: u32, value: Value, slot: u32) -> Lowered {
        let dst = self.result(index);
        self.value_into(value.operand(0), dst)?;
        self.value_into(value.operand(1), dst + slot)
    }

    fn extract_element(&mut self, index: u32, value: Value) -> Lowered {
        let (vector, position) = (value.operand(0), value.operand(1));
        let width = self.linker.types.slots(value.ty());
        let length = vector.ty().vector_length();
        let from = self.slot(vector)?;
        if let Some(number) = self.immediate(position) {
            let dst = self.result(index);
            if number < u64::from(length) {
                self.code.copy(dst, from + number as u32 * width, width);
            } else {
                self.code.emit(Op::Undefined { dst, count: width });
            }
            return Ok(());
        }
        let at = self.slot(position)?;
        let dst = self.result(index);
        self.code.emit(Op::Undefined { dst, count: width });
        let cond = self.temporary(1);
        for lane in 0..length {
            let imm = lane as i32;
            self.code.emit(Op::CompareImm { kind: Comparison::Eq, width: 64, dst: cond, a: at, imm });
            self.code.emit(Op::MoveIf { count: width as u8, dst, cond, src: from + lane * width });
        }
        Ok(())
    }

    fn insert_element(&mut self, index: u32, value: Value) -> Lowered {
        let (element, position) = (value.operand(1), value.operand(2));
        let width = self.linker.types.slots(element.ty());
        let length = value.ty().vector_length();
        if let Some(number) = self.immediate(position) {
            if number < u64::from(length) {
                return self.insert(index, value, number as u32 * width);
            }
            let dst = self.result(index);
            self.code.emit(Op::Undefined { dst, count: width * length });
            return Ok(());
        }
        let (at, src) = (self.slot(position)?, self.slot(element)?);
        let dst = self.result(index);
        self.value_into(value.operand(0), dst)?;
        let cond = self.temporary(1);
        for lane in 0..length {
            let imm = lane as i32;
            self.code.emit(Op::CompareImm { kind: Comparison::Eq, width: 64, dst: cond, a: at, imm });
            self.code.emit(Op::MoveIf { count: width as u8, dst: dst + lane * width, cond, src });
        }
        Ok(())
    }

    fn shuffle(&mut self, index: u32, value: Value) -> Lowered {
        let (first, second) = (value.operand(0), value.operand(1));
        let length = first.ty().vector_length();
        let width = self.linker.types.slots(first.ty().element());
        let mask = value.shuffle_mask();
        let a = self.slot(first)?;
        let uses_second = mask.iter().any(|&lane| lane >= length as i32);
        let b = if uses_second { self.slot(second)? } else { a };
        let dst = self.result(index);
        for (&lane, to) in mask.iter().zip(0..) {
            let dst = dst + to * width;
            match u32::try_from(lane) {
                Ok(lane) if lane < length => self.code.copy(dst, a + lane * width, width),
                Ok(lane) => self.code.copy(dst, b + (lane - length) * width, width),
                Err(_) => self.code.emit(Op::Undefined { dst, count: width }),
            }
        }
        Ok(())
    }

    pub(super) fn select(&mut self, index: u32) -> Lowered {
        let value = self.body.insts[index as usize].value;
        let (condition, yes, no) = (value.operand(0), value.operand(1), value.operand(2));
        let layout = self.layout(value);
        if layout.unsupported {
            return Err(format!("select of type {}", value.ty().describe()));
        }
        let carrier = self.carries(value);
        let cond = self.slot(condition)?;
        let src = if carrier { self.carrier(yes)? } else { self.slot(yes)? };
        let count = self.slots_of(value);
        let dst = self.result(index);
        self.value_into_shape(no, dst, carrier)?;
        if condition.ty().is_vector() {
            let width = count / condition.ty().vector_length().max(1);
            for lane in 0..condition.ty().vector_length() {
                let (dst, src) = (dst + lane * width, src + lane * width);
                self.code.emit(Op::MoveIf { count: width as u8, dst, cond: cond + lane, src });
            }
            return Ok(());
        }
        for start in (0..count).step_by(255) {
            let part = (count - start).min(255) as u8;
            self.code.emit(Op::MoveIf { count: part, dst: dst + start, cond, src: src + start });
        }
        Ok(())
    }

    pub(super) fn freeze(&mut self, index: u32) -> Lowered {
        let value = self.body.insts[index as usize].value;
        let carrier = self.carries(value);
        let operand = value.operand(0);
        let src = if carrier { self.carrier(operand)? } else { self.slot(operand)? };
        let count = self.slots_of(value);
        let dst = self.result(index);
        if count > 0 {
            self.code.emit(Op::Freeze { dst, src, count });
        }
        Ok(())
    }

    /// A GEP that computes several addresses.
    pub(super) fn vector_gep(&mut self, index: u32, gep: Value) -> Lowered {
        let lanes = gep.ty().vector_length();
        let base = gep.operand(0);
        let from = self.slot(base)?;
        let step = if base.ty().is_vector() { 2 } else { 0 };
        let (constant, terms) = self.gep_terms(gep)?;
        let mut indices = Vec::new();
        for (value, scale) in terms {
            let slot = self.slot(value)?;
            let (element, count) = self.lanes(value.ty());
            let bits = match self.leaf(element)? {
                Leaf::Int(bits) if bits <= 64 => bits,
                _ => return Err("a vector of wide indices".into()),
            };
            indices.push((slot, u32::from(value.ty().is_vector() && count > 0), bits, scale));
        }
        let dst = self.result(index);
        for lane in 0..lanes {
            let to = dst + lane * 2;
            let mut current = from + lane * step;
            for &(slot, stride, bits, scale) in &indices {
                let mut a = slot + lane * stride;
                if bits < 64 {
                    let wide = self.temporary(1);
                    self.code.emit(Op::SignExtend { from: bits as u8, to: 64, dst: wide, a });
                    a = wide;
                }
                self.scaled_add(to, current, a, scale);
                current = to;
            }
            self.add_offset(to, current, constant);
        }
        Ok(())
    }
}
