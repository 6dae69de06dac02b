//! Operations that keep their operands in side tables: wide integers, bitcasts, intrinsics.

use super::arithmetic::{binary, comparison};
use super::operation::{After, Operation, one};
use selvedge_program::code::{
    BinaryOp, FloatFormat, Intrinsic, IntrinsicKind as Kind, Leaf, Op, Repack, Slot, Wide, WideOp,
};
use selvedge_terms::{Binary, Comparison, Term};
use smallvec::SmallVec;

/// Bits of a leaf.
fn width(leaf: Leaf) -> u32 {
    match leaf {
        Leaf::Int(width) => width,
        Leaf::Ptr => 64,
        Leaf::Float(FloatFormat::X87) => 80,
        Leaf::Float(format) => 8 * format.bytes(),
    }
}

impl Operation<'_> {
    pub fn rare(&mut self, op: Op) -> After {
        let function = self.function;
        let result = match op {
            Op::Wide { index } => self.wide(&function.wides[index as usize]),
            Op::Repack { index } => self.repack(&function.repacks[index as usize]),
            Op::Intrinsic { index } => self.intrinsic(&function.intrinsics[index as usize]),
            _ => None,
        };
        result.unwrap_or_else(|| self.pin_all(op))
    }

    fn has_any(&self, slot: Slot, width: u32) -> bool {
        (slot..slot + width.div_ceil(64).max(1)).any(|slot| self.has(slot))
    }

    /// An integer of up to 128 bits.
    fn wide_value(&mut self, slot: Slot, width: u32) -> Term {
        if width <= 64 {
            return self.value(slot, width);
        }
        let (low, high) = (self.value(slot, 64), self.value(slot + 1, width - 64));
        self.terms.concat(high, low)
    }

    /// The slots of a result of up to 128 bits.
    fn wide_slots(&mut self, dst: Slot, term: Term) -> SmallVec<[(Slot, Option<Term>); 4]> {
        let width = self.terms.width(term);
        if width <= 64 {
            return [(dst, self.widen(term))].into_iter().collect();
        }
        let (low, high) = (self.terms.truncate(term, 64), self.terms.extract(term, 64, width - 64));
        [(dst, Some(low)), (dst + 1, self.widen(high))].into_iter().collect()
    }

    /// Nothing where it has to be pinned.
    fn wide(&mut self, op: &Wide) -> Option<After> {
        let &Wide { ref op, width, dst, a, b } = op;
        if width > 128 {
            return None;
        }
        match *op {
            WideOp::Binary(kind) => {
                let pinned =
                    matches!(kind, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem)
                        || matches!(kind, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr)
                            && self.has_any(b, width);
                if pinned || !self.has_any(a, width) && !self.has_any(b, width) {
                    return None;
                }
                let (a, b) = (self.wide_value(a, width), self.wide_value(b, width));
                if matches!(kind, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr)
                    && self.terms.known(b).is_none_or(|amount| amount >= u128::from(width))
                {
                    return None;
                }
                let result = self.terms.binary(binary(kind), a, b);
                Some(After::Slots(self.wide_slots(dst, result)))
            }
            WideOp::Compare(kind) => {
                let (a, b) = (self.wide_value(a, width), self.wide_value(b, width));
                let result = self.terms.compare(comparison(kind).0, a, b);
                Some(one(dst, self.widen(result)))
            }
            WideOp::ZeroExtend { from } if from <= 128 => {
                let a = self.wide_value(a, from);
                let result = self.terms.zero_extend(a, width);
                Some(After::Slots(self.wide_slots(dst, result)))
            }
            WideOp::SignExtend { from } if from <= 128 => {
                let a = self.wide_value(a, from);
                let result = self.terms.sign_extend(a, width);
                Some(After::Slots(self.wide_slots(dst, result)))
            }
            WideOp::Truncate { from } if from <= 128 => {
                let a = self.wide_value(a, from);
                let result = self.terms.truncate(a, width);
                Some(After::Slots(self.wide_slots(dst, result)))
            }
            _ => None,
        }
    }

    fn repack(&mut self, op: &Repack) -> Option<After> {
        let total: u32 = op.src.iter().map(|&(leaf, _)| width(leaf)).sum();
        let widths = || op.src.iter().chain(&op.dst).map(|&(leaf, _)| width(leaf));
        if total > 128 || widths().any(|width| width == 80 || width > 128) {
            return None;
        }
        if !op.src.iter().any(|&(leaf, slot)| self.has_any(slot, width(leaf))) {
            return None;
        }
        let mut all: Option<Term> = None;
        for &(leaf, slot) in &op.src {
            let part = self.wide_value(slot, width(leaf));
            all = Some(match all {
                Some(low) => self.terms.concat(part, low),
                None => part,
            });
        }
        let all = all?;
        let mut slots = SmallVec::new();
        let mut low = 0;
        for &(leaf, slot) in &op.dst {
            let bits = width(leaf);
            if low + bits > total {
                return None;
            }
            let part = self.terms.extract(all, low, bits);
            slots.extend(self.wide_slots(slot, part));
            if leaf == Leaf::Ptr {
                slots.push((slot + 1, None));
            }
            low += bits;
        }
        Some(After::Slots(slots))
    }

    fn intrinsic(&mut self, op: &Intrinsic) -> Option<After> {
        let width = op.width;
        if op.kind == Kind::Assume {
            let slot = *op.args.first()?;
            if self.has(slot) {
                let (value, zero) = (self.value(slot, 1), self.terms.constant(1, 0));
                let is_zero = self.terms.equal(value, zero);
                let holds = self.terms.not(is_zero);
                self.decide(holds, self.register(slot) != 0, selvedge_paths::BranchKind::Check);
            }
            return Some(After::Nothing);
        }
        if width > 64 || width == 0 || !op.args.iter().any(|&slot| self.has(slot)) {
            return None;
        }
        let args = op.args.clone();
        let get = |this: &mut Self, index: usize| args.get(index).map(|&slot| this.value(slot, width));
        let a = get(self, 0)?;
        let result = match op.kind {
            Kind::PopulationCount => self.count_ones(a),
            Kind::CountLeadingZeros => self.count_zeros(a, true),
            Kind::CountTrailingZeros => self.count_zeros(a, false),
            Kind::ByteSwap if width.is_multiple_of(8) => {
                let mut bytes = self.terms.bytes(a);
                bytes.reverse();
                self.terms.assemble(&bytes)
            }
            Kind::BitReverse => {
                let mut bits: Vec<Term> = (0..width).map(|bit| self.terms.extract(a, bit, 1)).collect();
                bits.reverse();
                self.terms.assemble(&bits)
            }
            Kind::FunnelShiftLeft | Kind::FunnelShiftRight => {
                let (b, amount) = (get(self, 1)?, get(self, 2)?);
                let amount = (self.terms.known(amount)? % u128::from(width)) as u32;
                let both = self.terms.concat(a, b);
                let low = match op.kind {
                    Kind::FunnelShiftLeft => width - amount,
                    _ => amount,
                };
                self.terms.extract(both, low, width)
            }
            Kind::Abs => self.terms.absolute(a),
            Kind::SMax | Kind::UMax => {
                let b = get(self, 1)?;
                self.terms.maximum(op.kind == Kind::SMax, a, b)
            }
            Kind::SMin | Kind::UMin => {
                let b = get(self, 1)?;
                self.terms.minimum(op.kind == Kind::SMin, a, b)
            }
            Kind::UAddSat | Kind::SAddSat | Kind::USubSat | Kind::SSubSat => {
                let b = get(self, 1)?;
                let operation = match op.kind {
                    Kind::UAddSat | Kind::SAddSat => Binary::Add,
                    _ => Binary::Sub,
                };
                self.terms.saturating(operation, matches!(op.kind, Kind::SAddSat | Kind::SSubSat), a, b)
            }
            Kind::UCompare | Kind::SCompare => {
                let b = get(self, 1)?;
                let signed = op.kind == Kind::SCompare;
                let (less, more) = (self.terms.less(signed, a, b), self.terms.less(signed, b, a));
                let bits = op.result_width;
                let zero = self.terms.constant(bits, 0);
                let (minus, plus) = (self.terms.constant(bits, u128::MAX), self.terms.constant(bits, 1));
                let rest = self.terms.choose(more, plus, zero);
                self.terms.choose(less, minus, rest)
            }
            _ => return None,
        };
        Some(one(op.dst, self.widen(result)))
    }

    fn count_ones(&mut self, of: Term) -> Term {
        let width = self.terms.width(of);
        let mut sum = self.terms.constant(width, 0);
        for bit in 0..width {
            let bit = self.terms.extract(of, bit, 1);
            let bit = self.terms.zero_extend(bit, width);
            sum = self.terms.add(sum, bit);
        }
        sum
    }

    fn count_zeros(&mut self, of: Term, leading: bool) -> Term {
        let width = self.terms.width(of);
        // From the bit that is looked at last to the one that is looked at first.
        let mut count = self.terms.constant(width, width.into());
        for far in (0..width).rev() {
            let bit = self.terms.extract(of, if leading { width - 1 - far } else { far }, 1);
            let yes = self.terms.truth(true);
            let set = self.terms.compare(Comparison::Equal, bit, yes);
            let here = self.terms.constant(width, far.into());
            count = self.terms.choose(set, here, count);
        }
        count
    }
}
