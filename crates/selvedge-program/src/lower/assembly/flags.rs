//! The processor's flags, as the last instruction that sets them has left them.

use super::super::Lowering;
use super::constraints::{Condition, Flag};
use crate::code::*;

/// Slots of the flags that are known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    pub zero: Option<Slot>,
    pub sign: Option<Slot>,
    pub carry: Option<Slot>,
    pub overflow: Option<Slot>,
}

impl Lowering<'_, '_> {
    /// A new slot with a number.
    pub(super) fn number(&mut self, value: u64) -> Slot {
        let dst = self.temporary(1);
        self.code.emit(Op::Const { dst, value });
        dst
    }

    /// The result of an operation on numbers of so many bits, in a new slot.
    pub(super) fn computed(&mut self, op: BinaryOp, bits: u32, a: Slot, b: Slot) -> Slot {
        let dst = self.temporary(1);
        self.binary(op, bits, dst, a, b);
        dst
    }

    /// The flags that a result alone decides.
    pub(super) fn flags_of(&mut self, bits: u32, result: Slot) -> Flags {
        let (zero, sign) = (self.temporary(1), self.temporary(1));
        let (kind, width) = (Comparison::Eq, bits as u8);
        self.code.emit(Op::CompareImm { kind, width, dst: zero, a: result, imm: 0 });
        self.code.emit(Op::LShrImm { dst: sign, a: result, amount: width - 1 });
        Flags { zero: Some(zero), sign: Some(sign), ..Flags::default() }
    }

    /// The flags of a logical operation.
    pub(super) fn logical_flags(&mut self, bits: u32, result: Slot) -> Flags {
        let none = Some(self.number(0));
        Flags { carry: none, overflow: none, ..self.flags_of(bits, result) }
    }

    /// A sum or difference with its flags; `carry` is added or taken away besides.
    pub(in crate::lower) fn sum(
        &mut self,
        op: BinaryOp,
        bits: u32,
        a: Slot,
        b: Slot,
        carry: Option<Slot>,
    ) -> (Slot, Flags) {
        let width = bits as u8;
        let mut at = a;
        let (mut carries, mut overflows) = (None, None);
        for operand in [Some(b), carry].into_iter().flatten() {
            let (unsigned, signed) = (self.temporary(2), self.temporary(2));
            self.code.emit(Op::Overflowing { op, signed: false, width, dst: unsigned, a: at, b: operand });
            self.code.emit(Op::Overflowing { op, signed: true, width, dst: signed, a: at, b: operand });
            carries = Some(self.joined(BinaryOp::Or, carries, unsigned + 1));
            // Two overflows in opposite directions are none.
            overflows = Some(self.joined(BinaryOp::Xor, overflows, signed + 1));
            at = unsigned;
        }
        (at, Flags { carry: carries, overflow: overflows, ..self.flags_of(bits, at) })
    }

    fn joined(&mut self, op: BinaryOp, known: Option<Slot>, other: Slot) -> Slot {
        known.map_or(other, |known| self.computed(op, 1, known, other))
    }

    /// Whether a condition holds: one or zero, if the flags that it looks at are known.
    pub(super) fn condition(&mut self, flags: &Flags, condition: Condition) -> Option<Slot> {
        let less =
            |lowering: &mut Self| Some(lowering.computed(BinaryOp::Xor, 1, flags.sign?, flags.overflow?));
        let slot = match condition.flag {
            Flag::Zero => flags.zero?,
            Flag::Sign => flags.sign?,
            Flag::Carry => flags.carry?,
            Flag::Overflow => flags.overflow?,
            Flag::BelowOrEqual => self.computed(BinaryOp::Or, 1, flags.carry?, flags.zero?),
            Flag::Less => less(self)?,
            Flag::LessOrEqual => {
                let less = less(self)?;
                self.computed(BinaryOp::Or, 1, less, flags.zero?)
            }
        };
        if condition.set {
            return Some(slot);
        }
        let one = self.number(1);
        Some(self.computed(BinaryOp::Xor, 1, slot, one))
    }
}
