//! Integer and floating-point arithmetic, comparisons and conversions. Vectors are done lane by lane.

use super::{Lowered, Lowering};
use crate::code::*;
use crate::constants::{is_constant, sign_extend, truncate};
use crate::llvm::{LLVMIntPredicate, LLVMRealPredicate, Opcode, Type, Value};

pub(super) fn binary_op(opcode: Opcode) -> Option<BinaryOp> {
    Some(match opcode {
        Opcode::LLVMAdd => BinaryOp::Add,
        Opcode::LLVMSub => BinaryOp::Sub,
        Opcode::LLVMMul => BinaryOp::Mul,
        Opcode::LLVMUDiv => BinaryOp::UDiv,
        Opcode::LLVMSDiv => BinaryOp::SDiv,
        Opcode::LLVMURem => BinaryOp::URem,
        Opcode::LLVMSRem => BinaryOp::SRem,
        Opcode::LLVMShl => BinaryOp::Shl,
        Opcode::LLVMLShr => BinaryOp::LShr,
        Opcode::LLVMAShr => BinaryOp::AShr,
        Opcode::LLVMAnd => BinaryOp::And,
        Opcode::LLVMOr => BinaryOp::Or,
        Opcode::LLVMXor => BinaryOp::Xor,
        _ => return None,
    })
}

fn float_op(opcode: Opcode) -> FloatOp {
    match opcode {
        Opcode::LLVMFAdd => FloatOp::Add,
        Opcode::LLVMFSub => FloatOp::Sub,
        Opcode::LLVMFMul => FloatOp::Mul,
        Opcode::LLVMFDiv => FloatOp::Div,
        _ => FloatOp::Rem,
    }
}

/// The comparison, and whether it looks at signs. Signed ones are named for 64 bits.
fn int_comparison(predicate: LLVMIntPredicate) -> (Comparison, bool) {
    match predicate {
        LLVMIntPredicate::LLVMIntEQ => (Comparison::Eq, false),
        LLVMIntPredicate::LLVMIntNE => (Comparison::Ne, false),
        LLVMIntPredicate::LLVMIntUGT => (Comparison::Ugt, false),
        LLVMIntPredicate::LLVMIntUGE => (Comparison::Uge, false),
        LLVMIntPredicate::LLVMIntULT => (Comparison::Ult, false),
        LLVMIntPredicate::LLVMIntULE => (Comparison::Ule, false),
        LLVMIntPredicate::LLVMIntSGT => (Comparison::Sgt64, true),
        LLVMIntPredicate::LLVMIntSGE => (Comparison::Sge64, true),
        LLVMIntPredicate::LLVMIntSLT => (Comparison::Slt64, true),
        LLVMIntPredicate::LLVMIntSLE => (Comparison::Sle64, true),
    }
}

fn for_32_bits(kind: Comparison) -> Comparison {
    match kind {
        Comparison::Slt64 => Comparison::Slt32,
        Comparison::Sle64 => Comparison::Sle32,
        Comparison::Sgt64 => Comparison::Sgt32,
        Comparison::Sge64 => Comparison::Sge32,
        other => other,
    }
}

/// The comparison with its operands exchanged.
fn mirrored(kind: Comparison) -> Comparison {
    match kind {
        Comparison::Eq | Comparison::Ne => kind,
        Comparison::Ult => Comparison::Ugt,
        Comparison::Ule => Comparison::Uge,
        Comparison::Ugt => Comparison::Ult,
        Comparison::Uge => Comparison::Ule,
        Comparison::Slt32 => Comparison::Sgt32,
        Comparison::Sle32 => Comparison::Sge32,
        Comparison::Sgt32 => Comparison::Slt32,
        Comparison::Sge32 => Comparison::Sle32,
        Comparison::Slt64 => Comparison::Sgt64,
        Comparison::Sle64 => Comparison::Sge64,
        Comparison::Sgt64 => Comparison::Slt64,
        Comparison::Sge64 => Comparison::Sle64,
    }
}

/// The comparison that holds when this one does not.
pub(super) fn negated(kind: Comparison) -> Comparison {
    match kind {
        Comparison::Eq => Comparison::Ne,
        Comparison::Ne => Comparison::Eq,
        Comparison::Ult => Comparison::Uge,
        Comparison::Ule => Comparison::Ugt,
        Comparison::Ugt => Comparison::Ule,
        Comparison::Uge => Comparison::Ult,
        Comparison::Slt32 => Comparison::Sge32,
        Comparison::Sle32 => Comparison::Sgt32,
        Comparison::Sgt32 => Comparison::Sle32,
        Comparison::Sge32 => Comparison::Slt32,
        Comparison::Slt64 => Comparison::Sge64,
        Comparison::Sle64 => Comparison::Sgt64,
        Comparison::Sgt64 => Comparison::Sle64,
        Comparison::Sge64 => Comparison::Slt64,
    }
}

fn float_comparison(predicate: LLVMRealPredicate) -> FloatComparison {
    use LLVMRealPredicate::*;
    match predicate {
        LLVMRealPredicateFalse => FloatComparison::False,
        LLVMRealOEQ => FloatComparison::Oeq,
        LLVMRealOGT => FloatComparison::Ogt,
        LLVMRealOGE => FloatComparison::Oge,
        LLVMRealOLT => FloatComparison::Olt,
        LLVMRealOLE => FloatComparison::Ole,
        LLVMRealONE => FloatComparison::One,
        LLVMRealORD => FloatComparison::Ord,
        LLVMRealUNO => FloatComparison::Uno,
        LLVMRealUEQ => FloatComparison::Ueq,
        LLVMRealUGT => FloatComparison::Ugt,
        LLVMRealUGE => FloatComparison::Uge,
        LLVMRealULT => FloatComparison::Ult,
        LLVMRealULE => FloatComparison::Ule,
        LLVMRealUNE => FloatComparison::Une,
        LLVMRealPredicateTrue => FloatComparison::True,
    }
}

/// A comparison of two scalars of up to 64 bits, ready for a compare or a branch.
pub(super) enum Compared {
    Slots { kind: Comparison, a: Slot, b: Slot },
    Immediate { kind: Comparison, width: u8, a: Slot, imm: i32 },
}

impl Lowering<'_, '_> {
    /// dst = the low bits of a.
    pub(super) fn mask(&mut self, dst: Slot, a: Slot, bits: u32) {
        match bits {
            0..=32 => {
                self.code.emit(Op::AndImm { dst, a, imm: truncate(u64::MAX, bits) as u32 });
            }
            33..=63 => {
                let b = self.temporary(1);
                self.code.emit(Op::Const { dst: b, value: truncate(u64::MAX, bits) });
                self.code.emit(Op::And { dst, a, b });
            }
            _ => self.code.copy(dst, a, 1),
        }
    }

    /// Element type of a vector, or the type itself, and the number of lanes.
    pub(super) fn lanes(&self, ty: Type) -> (Type, u32) {
        if ty.is_vector() { (ty.element(), ty.vector_length()) } else { (ty, 1) }
    }

    pub(super) fn leaf(&self, ty: Type) -> Result<Leaf, String> {
        self.linker.types.scalar(ty).ok_or_else(|| format!("an operation on type {}", ty.describe()))
    }

    pub(super) fn arithmetic(&mut self, index: u32) -> Lowered {
        let inst = self.body.insts[index as usize];
        let (value, opcode) = (inst.value, inst.opcode);
        let (element, lanes) = self.lanes(value.ty());
        let leaf = self.leaf(element)?;
        if lanes == 1
            && !value.ty().is_vector()
            && let (Some(op), Leaf::Int(bits @ 1..=64)) = (binary_op(opcode), leaf)
        {
            return self.scalar_binary(index, value, op, bits);
        }
        let a = self.slot(value.operand(0))?;
        let b = if opcode == Opcode::LLVMFNeg { a } else { self.slot(value.operand(1))? };
        let dst = self.result(index);
        for lane in (0..lanes).map(|lane| lane * leaf.slots()) {
            match (binary_op(opcode), leaf) {
                (Some(op), Leaf::Int(bits)) => self.binary(op, bits, dst + lane, a + lane, b + lane),
                (None, Leaf::Float(format)) if opcode == Opcode::LLVMFNeg => {
                    self.float_negate(format, dst + lane, a + lane);
                }
                (None, Leaf::Float(format)) => {
                    self.float(float_op(opcode), format, dst + lane, a + lane, b + lane);
                }
                _ => return Err(format!("arithmetic on type {}", value.ty().describe())),
            }
        }
        Ok(())
    }

    fn scalar_binary(&mut self, index: u32, value: Value, op: BinaryOp, bits: u32) -> Lowered {
        let (mut left, mut right) = (value.operand(0), value.operand(1));
        let commutes =
            matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
        if commutes && is_constant(left) {
            std::mem::swap(&mut left, &mut right);
        }
        let a = self.slot(left)?;
        if let Some(number) = self.immediate(right)
            && let Some(op) = immediate_form(op, bits, a, number)
        {
            let dst = self.result(index);
            self.code.emit(op(dst));
            return Ok(());
        }
        let b = self.slot(right)?;
        let dst = self.result(index);
        self.binary(op, bits, dst, a, b);
        Ok(())
    }

    /// dst = a op b.
    pub(super) fn binary(&mut self, op: BinaryOp, bits: u32, dst: Slot, a: Slot, b: Slot) {
        let op = match (op, bits) {
            (_, 65..) => {
                self.code.wide(Wide { op: WideOp::Binary(op), width: bits, dst, a, b });
                return;
            }
            (BinaryOp::And, _) => Op::And { dst, a, b },
            (BinaryOp::Or, _) => Op::Or { dst, a, b },
            (BinaryOp::Xor, _) => Op::Xor { dst, a, b },
            (BinaryOp::Add, 32) => Op::Add32 { dst, a, b },
            (BinaryOp::Add, 64) => Op::Add64 { dst, a, b },
            (BinaryOp::Sub, 32) => Op::Sub32 { dst, a, b },
            (BinaryOp::Sub, 64) => Op::Sub64 { dst, a, b },
            (BinaryOp::Mul, 32) => Op::Mul32 { dst, a, b },
            (BinaryOp::Mul, 64) => Op::Mul64 { dst, a, b },
            _ => Op::Binary { op, width: bits as u8, dst, a, b },
        };
        self.code.emit(op);
    }

    pub(super) fn float(&mut self, op: FloatOp, format: FloatFormat, dst: Slot, a: Slot, b: Slot) {
        match format {
            FloatFormat::Single | FloatFormat::Double => {
                let single = format == FloatFormat::Single;
                self.code.emit(Op::Float { op, single, dst, a, b });
            }
            _ => {
                let op = ExtendedFloatOp::Arithmetic(op);
                self.code.extended_float(ExtendedFloat { op, format, dst, a, b });
            }
        }
    }

    fn float_negate(&mut self, format: FloatFormat, dst: Slot, a: Slot) {
        match format {
            FloatFormat::Single | FloatFormat::Double => {
                self.code.emit(Op::FloatNegate { single: format == FloatFormat::Single, dst, a });
            }
            _ => {
                self.code.extended_float(ExtendedFloat { op: ExtendedFloatOp::Negate, format, dst, a, b: a })
            }
        }
    }

    /// Operands of a scalar integer or pointer comparison.
    pub(super) fn compared(&mut self, value: Value) -> Result<Compared, String> {
        let (mut kind, signed) = int_comparison(value.int_predicate());
        let (mut left, mut right) = (value.operand(0), value.operand(1));
        let bits = match self.leaf(left.ty())? {
            Leaf::Int(bits) => bits,
            _ => 64,
        };
        if is_constant(left) && !is_constant(right) {
            std::mem::swap(&mut left, &mut right);
            kind = mirrored(kind);
        }
        let mut a = self.slot(left)?;
        let extend = signed && bits != 32 && bits != 64;
        if signed && bits == 32 {
            kind = for_32_bits(kind);
        }
        if extend {
            a = self.extended(a, bits);
        }
        if let Some(number) = self.immediate(right) {
            let number = sign_extend(number, bits);
            let width = if extend { 64 } else { bits as u8 };
            if let Ok(imm) = i32::try_from(number) {
                return Ok(Compared::Immediate { kind, width, a, imm });
            }
        }
        let mut b = self.slot(right)?;
        if extend {
            b = self.extended(b, bits);
        }
        Ok(Compared::Slots { kind, a, b })
    }

    fn extended(&mut self, a: Slot, bits: u32) -> Slot {
        let dst = self.temporary(1);
        self.code.emit(Op::SignExtend { from: bits as u8, to: 64, dst, a });
        dst
    }

    /// dst = the comparison of two slots; signed operands of odd widths are extended first.
    pub(super) fn compare(&mut self, predicate: LLVMIntPredicate, bits: u32, dst: Slot, a: Slot, b: Slot) {
        let (kind, signed) = int_comparison(predicate);
        let kind = if bits == 32 { for_32_bits(kind) } else { kind };
        if bits > 64 {
            self.code.wide(Wide { op: WideOp::Compare(kind), width: bits, dst, a, b });
        } else if signed && bits != 32 && bits != 64 {
            let (a, b) = (self.extended(a, bits), self.extended(b, bits));
            self.code.emit(Op::Compare { kind, dst, a, b });
        } else {
            self.code.emit(Op::Compare { kind, dst, a, b });
        }
    }

    pub(super) fn comparison(&mut self, index: u32) -> Lowered {
        let inst = self.body.insts[index as usize];
        let value = inst.value;
        let (element, lanes) = self.lanes(value.operand(0).ty());
        let leaf = self.leaf(element)?;
        let narrow = matches!(leaf, Leaf::Int(0..=64) | Leaf::Ptr);
        if inst.opcode == Opcode::LLVMICmp && narrow && !value.ty().is_vector() {
            let compared = self.compared(value)?;
            let dst = self.result(index);
            self.code.emit(match compared {
                Compared::Slots { kind, a, b } => Op::Compare { kind, dst, a, b },
                Compared::Immediate { kind, width, a, imm } => Op::CompareImm { kind, width, dst, a, imm },
            });
            return Ok(());
        }
        let (a, b) = (self.slot(value.operand(0))?, self.slot(value.operand(1))?);
        let dst = self.result(index);
        for lane in 0..lanes {
            let (dst, a, b) = (dst + lane, a + lane * leaf.slots(), b + lane * leaf.slots());
            match leaf {
                Leaf::Int(bits) => self.compare(value.int_predicate(), bits, dst, a, b),
                Leaf::Ptr => self.compare(value.int_predicate(), 64, dst, a, b),
                Leaf::Float(format) => {
                    self.float_compare(float_comparison(value.float_predicate()), format, dst, a, b);
                }
            }
        }
        Ok(())
    }

    pub(super) fn float_compare(
        &mut self,
        kind: FloatComparison,
        format: FloatFormat,
        dst: Slot,
        a: Slot,
        b: Slot,
    ) {
        match format {
            FloatFormat::Single | FloatFormat::Double => {
                let single = format == FloatFormat::Single;
                self.code.emit(Op::FloatCompare { kind, single, dst, a, b });
            }
            _ => {
                let op = ExtendedFloatOp::Compare(kind);
                self.code.extended_float(ExtendedFloat { op, format, dst, a, b });
            }
        }
    }

    pub(super) fn cast(&mut self, index: u32) -> Lowered {
        let inst = self.body.insts[index as usize];
        let (value, operand) = (inst.value, inst.value.operand(0));
        if inst.opcode == Opcode::LLVMBitCast {
            return self.bitcast(index, operand);
        }
        let ((from, lanes), (to, _)) = (self.lanes(operand.ty()), self.lanes(value.ty()));
        let (from, to) = (self.leaf(from)?, self.leaf(to)?);
        if inst.opcode == Opcode::LLVMIntToPtr && is_constant(operand) {
            // A constant address keeps the object that it belongs to.
            let dst = self.result(index);
            return self.value_into_shape(operand, dst, true);
        }
        let a = self.slot(operand)?;
        let dst = self.result(index);
        let exposes = inst.opcode == Opcode::LLVMPtrToInt && super::carriers::exposes(value);
        for lane in 0..lanes {
            let (dst, a) = (dst + lane * to.slots(), a + lane * from.slots());
            self.convert(inst.opcode, from, to, dst, a, exposes)?;
        }
        Ok(())
    }

    /// Converts one scalar.
    pub(super) fn convert(
        &mut self,
        opcode: Opcode,
        from: Leaf,
        to: Leaf,
        dst: Slot,
        a: Slot,
        expose: bool,
    ) -> Lowered {
        let ordinary = |format| matches!(format, FloatFormat::Single | FloatFormat::Double);
        match (opcode, from, to) {
            (Opcode::LLVMTrunc, Leaf::Int(from), Leaf::Int(to)) if to > 64 => {
                self.code.wide(Wide { op: WideOp::Truncate { from }, width: to, dst, a, b: a });
            }
            (Opcode::LLVMTrunc, Leaf::Int(_), Leaf::Int(to)) => self.mask(dst, a, to),
            (Opcode::LLVMZExt, Leaf::Int(from), Leaf::Int(to)) if to > 64 => {
                self.code.wide(Wide { op: WideOp::ZeroExtend { from }, width: to, dst, a, b: a });
            }
            (Opcode::LLVMZExt, ..) => self.code.copy(dst, a, 1),
            (Opcode::LLVMSExt, Leaf::Int(from), Leaf::Int(to)) if to > 64 => {
                self.code.wide(Wide { op: WideOp::SignExtend { from }, width: to, dst, a, b: a });
            }
            (Opcode::LLVMSExt, Leaf::Int(from), Leaf::Int(to)) => {
                self.code.emit(Op::SignExtend { from: from as u8, to: to as u8, dst, a });
            }
            (Opcode::LLVMFPTrunc, Leaf::Float(FloatFormat::Double), Leaf::Float(FloatFormat::Single)) => {
                self.code.emit(Op::FloatTruncate { dst, a });
            }
            (Opcode::LLVMFPExt, Leaf::Float(FloatFormat::Single), Leaf::Float(FloatFormat::Double)) => {
                self.code.emit(Op::FloatExtend { dst, a });
            }
            (Opcode::LLVMFPTrunc | Opcode::LLVMFPExt, Leaf::Float(from), Leaf::Float(format)) => {
                let op = ExtendedFloatOp::ConvertFrom(from);
                self.code.extended_float(ExtendedFloat { op, format, dst, a, b: a });
            }
            (Opcode::LLVMFPToSI | Opcode::LLVMFPToUI, Leaf::Float(format), Leaf::Int(width)) => {
                let signed = opcode == Opcode::LLVMFPToSI;
                if !ordinary(format) {
                    let op = ExtendedFloatOp::ToInt { signed, width };
                    self.code.extended_float(ExtendedFloat { op, format, dst, a, b: a });
                } else if width > 64 {
                    self.code.wide(Wide { op: WideOp::FromFloat { signed, format }, width, dst, a, b: a });
                } else {
                    let single = format == FloatFormat::Single;
                    self.code.emit(Op::FloatToInt { signed, single, width: width as u8, dst, a });
                }
            }
            (Opcode::LLVMSIToFP | Opcode::LLVMUIToFP, Leaf::Int(width), Leaf::Float(format)) => {
                let signed = opcode == Opcode::LLVMSIToFP;
                if !ordinary(format) {
                    let op = ExtendedFloatOp::FromInt { signed, width };
                    self.code.extended_float(ExtendedFloat { op, format, dst, a, b: a });
                } else if width > 64 {
                    self.code.wide(Wide { op: WideOp::ToFloat { signed, format }, width, dst, a, b: a });
                } else {
                    let single = format == FloatFormat::Single;
                    self.code.emit(Op::IntToFloat { signed, single, width: width as u8, dst, a });
                }
            }
            (Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr, Leaf::Ptr, Leaf::Int(bits)) => {
                self.code.emit(Op::PtrToInt { expose, dst, src: a });
                if bits < 64 {
                    self.mask(dst, dst, bits);
                } else {
                    for high in 1..bits.div_ceil(64) {
                        self.code.emit(Op::Const { dst: dst + high, value: 0 });
                    }
                }
            }
            // Narrower integers are zero-extended already, of wider ones the first slot counts.
            (Opcode::LLVMIntToPtr, Leaf::Int(_), Leaf::Ptr) => self.code.emit(Op::IntToPtr { dst, src: a }),
            (Opcode::LLVMAddrSpaceCast, ..) => self.code.copy(dst, a, 2),
            _ => return Err(format!("conversion {opcode:?}")),
        }
        Ok(())
    }

    fn bitcast(&mut self, index: u32, operand: Value) -> Lowered {
        let value = self.body.insts[index as usize].value;
        let (from, to) = (self.layout(operand), self.layout(value));
        if from.unsupported || to.unsupported {
            return Err(format!("bitcast to type {}", value.ty().describe()));
        }
        let a = self.slot(operand)?;
        let dst = self.result(index);
        if from.leaves == to.leaves {
            self.code.copy(dst, a, to.slots);
            return Ok(());
        }
        let src = from.leaves.iter().map(|leaf| (leaf.leaf, a + leaf.slot)).collect();
        let dst = to.leaves.iter().map(|leaf| (leaf.leaf, dst + leaf.slot)).collect();
        self.code.repack(Repack { src, dst });
        Ok(())
    }
}

/// The operation with an immediate operand, if there is one.
fn immediate_form(op: BinaryOp, bits: u32, a: Slot, number: u64) -> Option<impl Fn(Slot) -> Op> {
    enum Shape {
        Add32(i32),
        Add64(i32),
        Mul32(i32),
        Mul64(i32),
        And(u32),
        Shl32(u8),
        Shl64(u8),
        LShr(u8),
        AShr32(u8),
        AShr64(u8),
        Not,
    }
    let signed = sign_extend(number, bits);
    let imm = i32::try_from(signed).ok();
    let amount = u8::try_from(number).ok().filter(|&amount| u32::from(amount) < bits);
    let shape = match (op, bits) {
        (BinaryOp::Add, 32) => Shape::Add32(imm?),
        (BinaryOp::Add, 64) => Shape::Add64(imm?),
        (BinaryOp::Sub, 32) => Shape::Add32(imm?.wrapping_neg()),
        (BinaryOp::Sub, 64) => Shape::Add64(imm?.checked_neg()?),
        (BinaryOp::Mul, 32) => Shape::Mul32(imm?),
        (BinaryOp::Mul, 64) => Shape::Mul64(imm?),
        (BinaryOp::And, _) => Shape::And(u32::try_from(number).ok()?),
        (BinaryOp::Shl, 32) => Shape::Shl32(amount?),
        (BinaryOp::Shl, 64) => Shape::Shl64(amount?),
        (BinaryOp::LShr, _) => Shape::LShr(amount?),
        (BinaryOp::AShr, 32) => Shape::AShr32(amount?),
        (BinaryOp::AShr, 64) => Shape::AShr64(amount?),
        (BinaryOp::Xor, 1) if number == 1 => Shape::Not,
        _ => return None,
    };
    Some(move |dst| match shape {
        Shape::Add32(imm) => Op::AddImm32 { dst, a, imm },
        Shape::Add64(imm) => Op::AddImm64 { dst, a, imm },
        Shape::Mul32(imm) => Op::MulImm32 { dst, a, imm },
        Shape::Mul64(imm) => Op::MulImm64 { dst, a, imm },
        Shape::And(imm) => Op::AndImm { dst, a, imm },
        Shape::Shl32(amount) => Op::ShlImm32 { dst, a, amount },
        Shape::Shl64(amount) => Op::ShlImm64 { dst, a, amount },
        Shape::LShr(amount) => Op::LShrImm { dst, a, amount },
        Shape::AShr32(amount) => Op::AShrImm32 { dst, a, amount },
        Shape::AShr64(amount) => Op::AShrImm64 { dst, a, amount },
        Shape::Not => Op::CompareImm { kind: Comparison::Eq, width: 1, dst, a, imm: 0 },
    })
}
