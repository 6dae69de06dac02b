//! Arithmetic on integers of up to 64 bits, and on pointers.

use super::operation::{After, Operation, one};
use selvedge_paths::BranchKind;
use selvedge_program::code::{BinaryOp, Comparison, Op, Slot};
use selvedge_terms::{Binary, Term};

/// What an operation is called where expressions are.
pub(super) fn binary(op: BinaryOp) -> Binary {
    match op {
        BinaryOp::Add => Binary::Add,
        BinaryOp::Sub => Binary::Sub,
        BinaryOp::Mul => Binary::Mul,
        BinaryOp::UDiv => Binary::UnsignedDiv,
        BinaryOp::SDiv => Binary::SignedDiv,
        BinaryOp::URem => Binary::UnsignedRem,
        BinaryOp::SRem => Binary::SignedRem,
        BinaryOp::Shl => Binary::ShiftLeft,
        BinaryOp::LShr => Binary::ShiftRight,
        BinaryOp::AShr => Binary::ShiftRightSigned,
        BinaryOp::And => Binary::And,
        BinaryOp::Or => Binary::Or,
        BinaryOp::Xor => Binary::Xor,
    }
}

/// A comparison, and the width at which it compares.
pub(super) fn comparison(kind: Comparison) -> (selvedge_terms::Comparison, u32) {
    use selvedge_terms::Comparison as To;
    match kind {
        Comparison::Eq => (To::Equal, 64),
        Comparison::Ne => (To::NotEqual, 64),
        Comparison::Ult => (To::UnsignedLess, 64),
        Comparison::Ule => (To::UnsignedLessEqual, 64),
        Comparison::Ugt => (To::UnsignedGreater, 64),
        Comparison::Uge => (To::UnsignedGreaterEqual, 64),
        Comparison::Slt32 => (To::SignedLess, 32),
        Comparison::Sle32 => (To::SignedLessEqual, 32),
        Comparison::Sgt32 => (To::SignedGreater, 32),
        Comparison::Sge32 => (To::SignedGreaterEqual, 32),
        Comparison::Slt64 => (To::SignedLess, 64),
        Comparison::Sle64 => (To::SignedLessEqual, 64),
        Comparison::Sgt64 => (To::SignedGreater, 64),
        Comparison::Sge64 => (To::SignedGreaterEqual, 64),
    }
}

impl Operation<'_> {
    pub fn compare(&mut self, kind: Comparison, a: Slot, b: Slot) -> Term {
        let (how, width) = comparison(kind);
        let (a, b) = (self.value(a, width), self.value(b, width));
        self.terms.compare(how, a, b)
    }

    pub fn compare_immediate(&mut self, kind: Comparison, width: u8, a: Slot, imm: i32) -> Term {
        let (how, bits) = comparison(kind);
        let a = self.value(a, bits);
        let b = self.terms.constant(bits, crate::ops::binary::immediate(imm, width).into());
        self.terms.compare(how, a, b)
    }

    fn plain(&mut self, op: Binary, width: u32, dst: Slot, a: Slot, b: Slot) -> After {
        if !self.has(a) && !self.has(b) {
            return one(dst, None);
        }
        let (a, b) = (self.value(a, width), self.value(b, width));
        let result = self.terms.binary(op, a, b);
        one(dst, self.widen(result))
    }

    fn immediate(&mut self, op: Binary, width: u32, dst: Slot, a: Slot, b: u64) -> After {
        if !self.has(a) {
            return one(dst, None);
        }
        let (a, b) = (self.value(a, width), self.terms.constant(width, b.into()));
        let result = self.terms.binary(op, a, b);
        one(dst, self.widen(result))
    }

    /// What must hold of the operands for the operation to have a result. Whether it has one here.
    pub fn check_operands(&mut self, op: BinaryOp, width: u32, a: Term, b: Term, holds: [bool; 2]) -> bool {
        match op {
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
                let zero = self.terms.constant(width, 0);
                let is_zero = self.terms.equal(b, zero);
                let not_zero = self.terms.not(is_zero);
                self.decide(not_zero, holds[0], BranchKind::Check);
                if holds[0] && matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
                    let least = self.terms.constant(width, 1 << (width - 1));
                    let minus = self.terms.constant(width, u128::MAX);
                    let (one, other) = (self.terms.equal(a, least), self.terms.equal(b, minus));
                    let overflows = self.terms.and(one, other);
                    let fits = self.terms.not(overflows);
                    self.decide(fits, holds[1], BranchKind::Check);
                }
                holds[0] && holds[1]
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                let bits = self.terms.constant(width, width.into());
                // A width that does not fit itself (1 bit) is a power of two: then every amount but 0 is too large.
                let small = match self.terms.known(bits) {
                    Some(known) if known == u128::from(width) => self.terms.unsigned_less(b, bits),
                    _ => {
                        let zero = self.terms.constant(width, 0);
                        self.terms.equal(b, zero)
                    }
                };
                self.decide(small, holds[0], BranchKind::Check);
                holds[0]
            }
            _ => true,
        }
    }

    fn binary(&mut self, op: BinaryOp, width: u8, dst: Slot, a: Slot, b: Slot) -> After {
        if !self.has(a) && !self.has(b) {
            return one(dst, None);
        }
        let bits = u32::from(width);
        let mask = u64::MAX >> (64 - bits);
        let (left, right) = (self.register(a) & mask, self.register(b) & mask);
        let (a, b) = (self.value(a, bits), self.value(b, bits));
        let holds = match op {
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => [right < u64::from(width), true],
            _ => [right != 0, !(left == 1 << (bits - 1) && right == mask)],
        };
        if !self.check_operands(op, bits, a, b, holds) {
            return one(dst, None);
        }
        let result = self.terms.binary(binary(op), a, b);
        one(dst, self.widen(result))
    }

    /// Everything that is not memory, control or rare.
    pub fn arithmetic(&mut self, op: Op) -> After {
        match op {
            Op::Add32 { dst, a, b } => self.plain(Binary::Add, 32, dst, a, b),
            Op::Add64 { dst, a, b } => self.plain(Binary::Add, 64, dst, a, b),
            Op::Sub32 { dst, a, b } => self.plain(Binary::Sub, 32, dst, a, b),
            Op::Sub64 { dst, a, b } => self.plain(Binary::Sub, 64, dst, a, b),
            Op::Mul32 { dst, a, b } => self.plain(Binary::Mul, 32, dst, a, b),
            Op::Mul64 { dst, a, b } => self.plain(Binary::Mul, 64, dst, a, b),
            Op::And { dst, a, b } => self.plain(Binary::And, 64, dst, a, b),
            Op::Or { dst, a, b } => self.plain(Binary::Or, 64, dst, a, b),
            Op::Xor { dst, a, b } => self.plain(Binary::Xor, 64, dst, a, b),
            Op::AddImm32 { dst, a, imm } => self.immediate(Binary::Add, 32, dst, a, i64::from(imm) as u64),
            Op::AddImm64 { dst, a, imm } => self.immediate(Binary::Add, 64, dst, a, i64::from(imm) as u64),
            Op::MulImm32 { dst, a, imm } => self.immediate(Binary::Mul, 32, dst, a, i64::from(imm) as u64),
            Op::MulImm64 { dst, a, imm } => self.immediate(Binary::Mul, 64, dst, a, i64::from(imm) as u64),
            Op::AndImm { dst, a, imm } if imm != 0 && imm & imm.wrapping_add(1) == 0 && self.has(a) => {
                let low = self.value(a, imm.count_ones());
                one(dst, self.widen(low))
            }
            Op::AndImm { dst, a, imm } => self.immediate(Binary::And, 64, dst, a, imm.into()),
            Op::ShlImm32 { dst, a, amount } => {
                self.immediate(Binary::ShiftLeft, 32, dst, a, u64::from(amount & 31))
            }
            Op::ShlImm64 { dst, a, amount } => {
                self.immediate(Binary::ShiftLeft, 64, dst, a, u64::from(amount & 63))
            }
            Op::LShrImm { dst, a, amount } => {
                self.immediate(Binary::ShiftRight, 64, dst, a, u64::from(amount & 63))
            }
            Op::AShrImm32 { dst, a, amount } => {
                self.immediate(Binary::ShiftRightSigned, 32, dst, a, u64::from(amount & 31))
            }
            Op::AShrImm64 { dst, a, amount } => {
                self.immediate(Binary::ShiftRightSigned, 64, dst, a, u64::from(amount & 63))
            }
            Op::Binary { op, width, dst, a, b } => self.binary(op, width, dst, a, b),
            Op::SignExtend { from, to, dst, a } => {
                if !self.has(a) {
                    return one(dst, None);
                }
                let narrow = self.value(a, from.into());
                let result = match to >= from {
                    true => self.terms.sign_extend(narrow, to.into()),
                    false => self.terms.truncate(narrow, to.into()),
                };
                one(dst, self.widen(result))
            }
            Op::Overflowing { op, signed, width, dst, a, b } => {
                if !self.has(a) && !self.has(b) {
                    return After::Slots([(dst, None), (dst + 1, None)].into_iter().collect());
                }
                let (a, b) = (self.value(a, width.into()), self.value(b, width.into()));
                let result = self.terms.binary(binary(op), a, b);
                let overflow = self.terms.overflows(binary(op), signed, a, b);
                let (result, overflow) = (self.widen(result), self.widen(overflow));
                After::Slots([(dst, result), (dst + 1, overflow)].into_iter().collect())
            }
            Op::Compare { kind, dst, a, b } => {
                if !self.has(a) && !self.has(b) {
                    return one(dst, None);
                }
                let result = self.compare(kind, a, b);
                one(dst, self.widen(result))
            }
            Op::CompareImm { kind, width, dst, a, imm } => {
                if !self.has(a) {
                    return one(dst, None);
                }
                let result = self.compare_immediate(kind, width, a, imm);
                one(dst, self.widen(result))
            }
            Op::FloatNegate { single, dst, a } => {
                let sign = if single { 1 << 31 } else { 1 << 63 };
                self.immediate(Binary::Xor, 64, dst, a, sign)
            }
            Op::PtrAdd { dst, base, a } => self.pointer(dst, base, a, 1),
            Op::PtrIndex { scale, dst, base, a } => self.pointer(dst, base, a, scale.into()),
            Op::PtrAddImm { dst, base, imm } => {
                let After::Slots(mut slots) =
                    self.immediate(Binary::Add, 64, dst, base, i64::from(imm) as u64)
                else {
                    return After::Nothing;
                };
                slots.push((dst + 1, None));
                After::Slots(slots)
            }
            Op::PtrToInt { dst, src, .. } => one(dst, self.slots.get(&src).copied()),
            Op::IntToPtr { dst, src } => {
                let term = self.slots.get(&src).copied();
                After::Slots([(dst, term), (dst + 1, None)].into_iter().collect())
            }
            // Floats are no expressions, and addresses of things are known.
            op => self.pin_all(op),
        }
    }

    fn pointer(&mut self, dst: Slot, base: Slot, a: Slot, scale: u64) -> After {
        let mut result = None;
        if self.has(base) || self.has(a) {
            let (base, index) = (self.value(base, 64), self.value(a, 64));
            let scale = self.terms.constant(64, scale.into());
            let offset = self.terms.mul(index, scale);
            result = Some(self.terms.add(base, offset));
        }
        After::Slots([(dst, result), (dst + 1, None)].into_iter().collect())
    }
}
