//! Which bits of a result are undefined, given which bits of the operands are.
//!
//! A bit is called defined only if it is the same whatever the undefined bits are. Where that is cheap to know
//! exactly (moves, logic, shifts by known amounts, sums, comparisons) it is known exactly; elsewhere one
//! undefined bit makes the whole result undefined. An operation whose control or address hangs on undefined bits
//! cannot go on: what then happens would be up to them.

use super::undefined_rare::{extended_float, intrinsic, repack, wide};
use super::{binary, mask};
use rustc_hash::FxHashMap;
use selvedge_program::code::{AtomicKind, BinaryOp, Callee, Comparison, Function, Op, Slot};
use smallvec::{SmallVec, smallvec};

/// What an operation does with undefined bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Propagation {
    /// The undefined bits of each slot that it writes; 0 means that the slot is defined.
    Written(SmallVec<[(Slot, u64); 4]>),
    /// What it does depends on undefined bits; the word says what of it.
    Decides(&'static str),
    /// More than registers is concerned (memory, calls, exceptions, threads): the interpreter does it.
    Special,
}

/// The frame as propagation sees it.
pub(super) struct View<'m> {
    pub registers: &'m [u64],
    pub undefined: &'m FxHashMap<Slot, u64>,
}

impl View<'_> {
    pub fn undefined(&self, slot: Slot) -> u64 {
        self.undefined.get(&slot).copied().unwrap_or(0)
    }

    fn word(&self, slot: Slot) -> Word {
        Word { value: self.registers[slot as usize], undefined: self.undefined(slot) }
    }

    fn any(&self, slot: Slot) -> bool {
        self.undefined(slot) != 0
    }

    /// The undefined bits of a range of slots, for another range.
    fn copied(&self, dst: Slot, src: Slot, count: u32) -> Propagation {
        Propagation::Written((0..count).map(|index| (dst + index, self.undefined(src + index))).collect())
    }

    /// An access through pointers: the interpreter does it if it is known where.
    fn access(&self, pointers: &[Slot]) -> Propagation {
        match pointers.iter().any(|&pointer| self.any(pointer)) {
            true => Propagation::Decides("address"),
            false => Propagation::Special,
        }
    }
}

/// A slot with some bits undefined.
#[derive(Clone, Copy)]
struct Word {
    value: u64,
    undefined: u64,
}

impl Word {
    fn defined(value: u64) -> Self {
        Word { value, undefined: 0 }
    }

    fn cut(self, width: u32) -> Self {
        Word { value: self.value & mask(width), undefined: self.undefined & mask(width) }
    }

    /// The least number that it may be.
    fn least(self) -> u64 {
        self.value & !self.undefined
    }

    /// The greatest number that it may be.
    fn most(self) -> u64 {
        self.value | self.undefined
    }

    /// Whether it is zero or not, if that is known.
    fn is_zero(self) -> Option<bool> {
        match (self.least(), self.undefined) {
            (1.., _) => Some(false),
            (0, 0) => Some(true),
            (0, _) => None,
        }
    }
}

/// Undefined bits of one slot.
fn one(dst: Slot, undefined: u64) -> Propagation {
    Propagation::Written(smallvec![(dst, undefined)])
}

/// Undefined bits of two slots.
fn two(dst: Slot, first: u64, second: u64) -> Propagation {
    Propagation::Written(smallvec![(dst, first), (dst + 1, second)])
}

/// All bits of the width if there is an undefined one.
fn all_if(undefined: bool, width: u32) -> u64 {
    if undefined { mask(width) } else { 0 }
}

/// A decision that only defined bits go into, or not.
fn decides(undefined: bool, what: &'static str) -> Propagation {
    if undefined { Propagation::Decides(what) } else { Propagation::Written(SmallVec::new()) }
}

/// A sum's carry grows with its operands' low bits, so it is the same for all if it is for the extremes.
fn add(a: Word, b: Word, width: u32) -> u64 {
    let extremes = a.least().wrapping_add(b.least()) ^ a.most().wrapping_add(b.most());
    (a.undefined | b.undefined | extremes) & mask(width)
}

fn sub(a: Word, b: Word, width: u32) -> u64 {
    let extremes = a.least().wrapping_sub(b.most()) ^ a.most().wrapping_sub(b.least());
    (a.undefined | b.undefined | extremes) & mask(width)
}

/// Low bits of a product depend on low bits only, and known low zeros of one factor shift the other.
fn mul(a: Word, b: Word, width: u32) -> u64 {
    let lowest = |x: Word, y: Word| match x.undefined {
        0 => 64,
        undefined => undefined.trailing_zeros() + y.most().trailing_zeros(),
    };
    let from = lowest(a, b).min(lowest(b, a));
    u64::MAX.checked_shl(from).unwrap_or(0) & mask(width)
}

fn and(a: Word, b: Word) -> u64 {
    a.undefined & b.undefined | a.undefined & b.value | b.undefined & a.value
}

fn or(a: Word, b: Word) -> u64 {
    a.undefined & b.undefined | a.undefined & !b.value | b.undefined & !a.value
}

/// `None` if the divisor is not known.
fn binary(op: BinaryOp, width: u8, a: Word, b: Word) -> Option<u64> {
    let bits = u32::from(width);
    let (a, b) = (a.cut(bits), b.cut(bits));
    Some(match op {
        BinaryOp::Add => add(a, b, bits),
        BinaryOp::Sub => sub(a, b, bits),
        BinaryOp::Mul => mul(a, b, bits),
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
            if b.undefined != 0 {
                return None;
            }
            all_if(a.undefined != 0, bits)
        }
        // The undefined bits are shifted as the value is; a copied sign is undefined as often as it is copied.
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => match b.undefined {
            0 => binary::binary(op, width, a.undefined, b.value).unwrap_or(mask(bits)),
            _ => mask(bits),
        },
        BinaryOp::And => and(a, b),
        BinaryOp::Or => or(a, b),
        BinaryOp::Xor => a.undefined | b.undefined,
    })
}

/// Whether the outcome of a comparison is undefined.
fn compare(kind: Comparison, a: Word, b: Word) -> bool {
    let less = |a: Word, b: Word| a.most() >= b.least() && a.least() < b.most();
    // With the sign flipped, signed numbers are ordered as unsigned ones.
    let flip = |word: Word, width: u32| {
        let word = word.cut(width);
        Word { value: word.value ^ 1 << (width - 1), ..word }
    };
    match kind {
        Comparison::Eq | Comparison::Ne => {
            let undefined = a.undefined | b.undefined;
            undefined != 0 && (a.value ^ b.value) & !undefined == 0
        }
        Comparison::Ult | Comparison::Uge => less(a, b),
        Comparison::Ugt | Comparison::Ule => less(b, a),
        Comparison::Slt32 | Comparison::Sge32 => less(flip(a, 32), flip(b, 32)),
        Comparison::Sgt32 | Comparison::Sle32 => less(flip(b, 32), flip(a, 32)),
        Comparison::Slt64 | Comparison::Sge64 => less(flip(a, 64), flip(b, 64)),
        Comparison::Sgt64 | Comparison::Sle64 => less(flip(b, 64), flip(a, 64)),
    }
}

fn compare_immediate(kind: Comparison, width: u8, a: Word, imm: i32) -> bool {
    compare(kind, a.cut(width.into()), Word::defined(binary::immediate(imm, width)))
}

/// Which bits are undefined after the operation. `registers` holds the values before it, `undefined` the
/// undefined bits of the slots that have any.
pub fn propagate(
    op: &Op,
    function: &Function,
    registers: &[u64],
    undefined: &FxHashMap<Slot, u64>,
) -> Propagation {
    let view = View { registers, undefined };
    let word = |slot| view.word(slot);
    let any = |slot| view.any(slot);
    let immediate = |imm: i32| Word::defined(i64::from(imm) as u64);
    match *op {
        Op::Const { dst, .. } => one(dst, 0),
        Op::Move { dst, src } => one(dst, view.undefined(src)),
        Op::MoveMany { dst, src, count } => view.copied(dst, src, count),
        Op::MoveIf { count, dst, cond, src } => move_if(&view, count.into(), dst, cond, src),
        Op::Undefined { dst, count } => {
            Propagation::Written((0..count).map(|index| (dst + index, u64::MAX)).collect())
        }
        Op::Freeze { dst, count, .. } => {
            Propagation::Written((0..count).map(|index| (dst + index, 0)).collect())
        }

        Op::Add32 { dst, a, b } => one(dst, add(word(a), word(b), 32)),
        Op::Add64 { dst, a, b } => one(dst, add(word(a), word(b), 64)),
        Op::Sub32 { dst, a, b } => one(dst, sub(word(a), word(b), 32)),
        Op::Sub64 { dst, a, b } => one(dst, sub(word(a), word(b), 64)),
        Op::Mul32 { dst, a, b } => one(dst, mul(word(a), word(b), 32)),
        Op::Mul64 { dst, a, b } => one(dst, mul(word(a), word(b), 64)),
        Op::And { dst, a, b } => one(dst, and(word(a), word(b))),
        Op::Or { dst, a, b } => one(dst, or(word(a), word(b))),
        Op::Xor { dst, a, b } => one(dst, view.undefined(a) | view.undefined(b)),
        Op::AddImm32 { dst, a, imm } => one(dst, add(word(a), immediate(imm), 32)),
        Op::AddImm64 { dst, a, imm } => one(dst, add(word(a), immediate(imm), 64)),
        Op::MulImm32 { dst, a, imm } => one(dst, mul(word(a), immediate(imm), 32)),
        Op::MulImm64 { dst, a, imm } => one(dst, mul(word(a), immediate(imm), 64)),
        Op::AndImm { dst, a, imm } => one(dst, view.undefined(a) & u64::from(imm)),
        Op::ShlImm32 { dst, a, amount } => shifted(BinaryOp::Shl, 32, dst, word(a), amount),
        Op::ShlImm64 { dst, a, amount } => shifted(BinaryOp::Shl, 64, dst, word(a), amount),
        Op::LShrImm { dst, a, amount } => shifted(BinaryOp::LShr, 64, dst, word(a), amount),
        Op::AShrImm32 { dst, a, amount } => shifted(BinaryOp::AShr, 32, dst, word(a), amount),
        Op::AShrImm64 { dst, a, amount } => shifted(BinaryOp::AShr, 64, dst, word(a), amount),
        Op::Binary { op, width, dst, a, b } => match binary(op, width, word(a), word(b)) {
            Some(undefined) => one(dst, undefined),
            None => Propagation::Decides("divisor"),
        },
        Op::SignExtend { from, to, dst, a } => {
            one(dst, binary::signed(view.undefined(a), from) as u64 & mask(to.into()))
        }
        Op::Overflowing { op, width, dst, a, b, .. } => {
            let (a, b) = (word(a).cut(width.into()), word(b).cut(width.into()));
            let flag = (a.undefined | b.undefined) != 0;
            let value = binary(op, width, a, b).unwrap_or(mask(width.into()));
            two(dst, value, flag.into())
        }
        Op::Compare { kind, dst, a, b } => one(dst, compare(kind, word(a), word(b)).into()),
        Op::CompareImm { kind, width, dst, a, imm } => {
            one(dst, compare_immediate(kind, width, word(a), imm).into())
        }

        Op::Float { single, dst, a, b, .. } => one(dst, all_if(any(a) || any(b), float_width(single))),
        Op::FloatNegate { single, dst, a } => one(dst, view.undefined(a) & mask(float_width(single))),
        Op::FloatCompare { dst, a, b, .. } => one(dst, all_if(any(a) || any(b), 1)),
        Op::FloatToInt { width, dst, a, .. } => one(dst, all_if(any(a), width.into())),
        Op::IntToFloat { single, width, dst, a, .. } => {
            one(dst, all_if(word(a).cut(width.into()).undefined != 0, float_width(single)))
        }
        Op::FloatTruncate { dst, a } => one(dst, all_if(any(a), 32)),
        Op::FloatExtend { dst, a } => one(dst, all_if(any(a), 64)),

        Op::GlobalAddress { dst, .. }
        | Op::ThreadLocalAddress { dst, .. }
        | Op::FunctionAddress { dst, .. }
        | Op::ExternalAddress { dst, .. }
        | Op::BlockAddress { dst, .. }
        | Op::StackSave { dst } => two(dst, 0, 0),
        Op::PtrAdd { dst, base, a } => two(dst, add(word(base), word(a), 64), view.undefined(base + 1)),
        Op::PtrAddImm { dst, base, imm } => {
            two(dst, add(word(base), immediate(imm), 64), view.undefined(base + 1))
        }
        Op::PtrIndex { scale, dst, base, a } => {
            let (index, scale) = (word(a), Word::defined(scale.into()));
            let offset =
                Word { value: index.value.wrapping_mul(scale.value), undefined: mul(index, scale, 64) };
            two(dst, add(word(base), offset, 64), view.undefined(base + 1))
        }
        Op::PtrToInt { dst, src, .. } => one(dst, view.undefined(src)),
        Op::IntToPtr { dst, src } => two(dst, view.undefined(src), 0),

        Op::Load { ptr, .. } | Op::LoadPtr { ptr, .. } => view.access(&[ptr]),
        Op::Store { ptr, .. } | Op::StorePtr { ptr, .. } => view.access(&[ptr]),
        Op::Atomic { index } => {
            let atomic = &function.atomics[index as usize];
            match atomic.kind {
                AtomicKind::Fence => Propagation::Special,
                AtomicKind::Load { .. }
                | AtomicKind::Store { .. }
                | AtomicKind::ReadModifyWrite { .. }
                | AtomicKind::CompareExchange { .. } => view.access(&[atomic.ptr]),
            }
        }
        Op::LoadMany { index } | Op::StoreMany { index } => {
            view.access(&[function.accesses[index as usize].ptr])
        }
        Op::MemCopy { dst, src, len } => range_access(&view, &[dst, src], len),
        Op::MemSet { dst, len, .. } => range_access(&view, &[dst], len),
        Op::Alloca { index, .. } => match function.allocas[index as usize].count {
            Some(count) if any(count) => Propagation::Decides("size"),
            _ => Propagation::Special,
        },
        Op::StackRestore { src } => view.access(&[src]),

        Op::Wide { index } => wide(&view, &function.wides[index as usize]),
        Op::ExtendedFloat { index } => extended_float(&view, &function.extended_floats[index as usize]),
        Op::Repack { index } => repack(&view, &function.repacks[index as usize]),
        Op::Intrinsic { index } => intrinsic(&view, &function.intrinsics[index as usize]),

        Op::Jump { .. } => decides(false, "branch"),
        Op::BranchIf { cond, .. } | Op::BranchUnless { cond, .. } => {
            decides(word(cond).is_zero().is_none(), "branch")
        }
        Op::BranchCompare { kind, a, b, .. } => decides(compare(kind, word(a), word(b)), "branch"),
        Op::BranchCompareImm { kind, width, a, imm, .. } => {
            decides(compare_immediate(kind, width, word(a), imm), "branch")
        }
        Op::Switch { index } => {
            let switch = &function.switches[index as usize];
            let value = word(switch.value);
            // Where the defined bits exclude every case, the others do not matter.
            let possible = |case: u64| (case ^ value.value) & !value.undefined == 0;
            let open = value.undefined != 0 && switch.cases.iter().any(|&(case, _)| possible(case));
            decides(open, "switch")
        }
        Op::IndirectBranch { ptr } => decides(any(ptr), "branch"),
        Op::Call { index } => {
            let call = &function.calls[index as usize];
            let copied = call.args.iter().filter(|argument| argument.byval.is_some());
            match call.callee {
                Callee::Pointer(slot) if any(slot) => Propagation::Decides("callee"),
                _ => view.access(&copied.map(|argument| argument.slot).collect::<SmallVec<[Slot; 4]>>()),
            }
        }
        Op::Return { .. }
        | Op::LandingPad { .. }
        | Op::Resume { .. }
        | Op::Unreachable
        | Op::Unsupported { .. } => Propagation::Special,
    }
}

fn float_width(single: bool) -> u32 {
    if single { 32 } else { 64 }
}

fn shifted(op: BinaryOp, width: u8, dst: Slot, a: Word, amount: u8) -> Propagation {
    let bits = binary(op, width, a, Word::defined(amount.into())).unwrap_or(mask(width.into()));
    one(dst, bits)
}

fn move_if(view: &View, count: u32, dst: Slot, cond: Slot, src: Slot) -> Propagation {
    match view.word(cond).is_zero() {
        Some(false) => view.copied(dst, src, count),
        Some(true) => view.copied(dst, dst, count),
        None => {
            let either = |index| {
                let (kept, moved) = (view.word(dst + index), view.word(src + index));
                (dst + index, kept.undefined | moved.undefined | kept.value ^ moved.value)
            };
            Propagation::Written((0..count).map(either).collect())
        }
    }
}

/// An access of so many bytes; of none, it does not matter where.
fn range_access(view: &View, pointers: &[Slot], len: Slot) -> Propagation {
    let len = view.word(len);
    match (len.undefined, len.value) {
        (0, 0) => Propagation::Special,
        (0, _) => view.access(pointers),
        _ => Propagation::Decides("length"),
    }
}

#[cfg(test)]
mod tests;
