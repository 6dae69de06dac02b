//! Undefined bits in operations that keep their operands in side tables.

use super::formats;
use super::integer::Integer;
use super::intrinsics::integer_any;
use super::repack::repacked;
use super::undefined::{Propagation, View};
use super::wide::binary_any;
use selvedge_program::OperandClass;
use selvedge_program::code::{
    BinaryOp, Comparison, ExtendedFloat, ExtendedFloatOp, FloatFormat, Intrinsic, IntrinsicKind as Kind,
    Repack, Slot, Wide, WideOp,
};
use smallvec::smallvec;

impl View<'_> {
    /// The value of an integer of any width.
    fn value(&self, slot: Slot, width: u32) -> Integer {
        Integer::read(self.registers, slot, width)
    }

    /// Its undefined bits.
    fn bits(&self, slot: Slot, width: u32) -> Integer {
        Integer::from_limbs(width, |index| self.undefined(slot + index as u32))
    }

    /// Whether a float has undefined bits.
    fn float(&self, slot: Slot, format: FloatFormat) -> bool {
        !self.bits(slot, formats::width(format)).is_zero()
    }
}

/// The undefined bits of the slots of one result.
fn written(dst: Slot, undefined: &Integer) -> Propagation {
    Propagation::Written(undefined.limbs().iter().zip(dst..).map(|(&bits, slot)| (slot, bits)).collect())
}

/// All bits or none.
fn all_if(undefined: bool, width: u32) -> Integer {
    if undefined { Integer::ones(width) } else { Integer::zero(width) }
}

/// A carry runs upwards only: all bits from the lowest undefined one.
fn upwards(undefined: &Integer) -> Integer {
    match undefined.is_zero() {
        true => undefined.clone(),
        false => Integer::ones(undefined.width()).shift_left(undefined.trailing_zeros()),
    }
}

pub(super) fn wide(view: &View, op: &Wide) -> Propagation {
    let &Wide { ref op, width, dst, a, b } = op;
    match *op {
        WideOp::Binary(kind) => match binary(view, kind, width, a, b) {
            Some(undefined) => written(dst, &undefined),
            None => Propagation::Decides("divisor"),
        },
        WideOp::Compare(kind) => {
            let undefined = view.bits(a, width).or(&view.bits(b, width));
            let differ = view.value(a, width).xor(&view.value(b, width)).and(&undefined.not());
            let decided = matches!(kind, Comparison::Eq | Comparison::Ne) && !differ.is_zero();
            let open = !undefined.is_zero() && !decided;
            Propagation::Written(smallvec![(dst, open.into())])
        }
        WideOp::ZeroExtend { from } | WideOp::Truncate { from } => {
            written(dst, &view.bits(a, from).resize(width))
        }
        WideOp::SignExtend { from } => written(dst, &view.bits(a, from).resize_signed(width)),
        WideOp::Overflowing { .. } => {
            let undefined = view.bits(a, width).or(&view.bits(b, width));
            let value = upwards(&undefined);
            let flag = (dst + value.limbs().len() as Slot, u64::from(!undefined.is_zero()));
            match written(dst, &value) {
                Propagation::Written(mut slots) => {
                    slots.push(flag);
                    Propagation::Written(slots)
                }
                other => other,
            }
        }
        WideOp::ToFloat { format, .. } => {
            written(dst, &all_if(!view.bits(a, width).is_zero(), formats::width(format)))
        }
        WideOp::FromFloat { format, .. } => written(dst, &all_if(view.float(a, format), width)),
    }
}

/// `None` if the divisor is not known.
fn binary(view: &View, op: BinaryOp, width: u32, a: Slot, b: Slot) -> Option<Integer> {
    let (a_bits, b_bits) = (view.bits(a, width), view.bits(b, width));
    let both = || a_bits.and(&b_bits);
    Some(match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => upwards(&a_bits.or(&b_bits)),
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
            if !b_bits.is_zero() {
                return None;
            }
            all_if(!a_bits.is_zero(), width)
        }
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => match b_bits.is_zero() {
            true => binary_any(op, &a_bits, &view.value(b, width)).unwrap_or_else(|_| Integer::ones(width)),
            false => Integer::ones(width),
        },
        BinaryOp::And => {
            let open = a_bits.and(&view.value(b, width)).or(&b_bits.and(&view.value(a, width)));
            both().or(&open)
        }
        BinaryOp::Or => {
            let (a, b) = (view.value(a, width).not(), view.value(b, width).not());
            both().or(&a_bits.and(&b)).or(&b_bits.and(&a))
        }
        BinaryOp::Xor => a_bits.or(&b_bits),
    })
}

pub(super) fn extended_float(view: &View, op: &ExtendedFloat) -> Propagation {
    let &ExtendedFloat { ref op, format, dst, a, b } = op;
    let width = formats::width(format);
    let undefined = match *op {
        ExtendedFloatOp::Arithmetic(_) => all_if(view.float(a, format) || view.float(b, format), width),
        ExtendedFloatOp::Negate => view.bits(a, width),
        ExtendedFloatOp::Compare(_) => all_if(view.float(a, format) || view.float(b, format), 1),
        ExtendedFloatOp::ConvertFrom(from) => all_if(view.float(a, from), width),
        ExtendedFloatOp::FromInt { width: from, .. } => all_if(!view.bits(a, from).is_zero(), width),
        ExtendedFloatOp::ToInt { width, .. } => all_if(view.float(a, format), width),
    };
    written(dst, &undefined)
}

pub(super) fn repack(view: &View, op: &Repack) -> Propagation {
    Propagation::Written(repacked(op, |slot| view.undefined(slot)))
}

pub(super) fn intrinsic(view: &View, op: &Intrinsic) -> Propagation {
    let signature = op.kind.signature();
    let class_width = |class| match class {
        OperandClass::Width => op.width,
        OperandClass::ResultWidth => op.result_width,
        OperandClass::Float => formats::width(op.format),
        OperandClass::Word | OperandClass::Pointer => 64,
    };
    let arguments = || op.args.iter().copied().zip(signature.arguments.iter().copied());
    match op.kind {
        Kind::ByteSwap | Kind::BitReverse => match op.args.first() {
            Some(&slot) => {
                let bits = view.bits(slot, op.width);
                let moved = if op.kind == Kind::ByteSwap { bits.swap_bytes() } else { bits.reverse_bits() };
                written(op.dst, &moved)
            }
            None => Propagation::Special,
        },
        Kind::FunnelShiftLeft | Kind::FunnelShiftRight => match *op.args {
            [a, b, amount, ..] => {
                let known = view.bits(amount, op.width).is_zero();
                let (a, b) = (view.bits(a, op.width), view.bits(b, op.width));
                let moved = || integer_any(op.kind, &a, || b.clone(), || view.value(amount, op.width)).ok();
                let undefined = if known { moved() } else { None };
                written(op.dst, &undefined.unwrap_or_else(|| Integer::ones(op.width)))
            }
            _ => Propagation::Special,
        },
        Kind::CountLeadingZeros
        | Kind::CountTrailingZeros
        | Kind::PopulationCount
        | Kind::Abs
        | Kind::SMax
        | Kind::SMin
        | Kind::UMax
        | Kind::UMin
        | Kind::USubSat
        | Kind::UAddSat
        | Kind::SSubSat
        | Kind::SAddSat
        | Kind::UShlSat
        | Kind::SShlSat
        | Kind::UCompare
        | Kind::SCompare
        | Kind::Sqrt
        | Kind::Fma
        | Kind::FAbs
        | Kind::CopySign
        | Kind::Floor
        | Kind::Ceil
        | Kind::Trunc
        | Kind::Rint
        | Kind::NearbyInt
        | Kind::Round
        | Kind::RoundEven
        | Kind::Sin
        | Kind::Cos
        | Kind::Tan
        | Kind::Exp
        | Kind::Exp2
        | Kind::Log
        | Kind::Log2
        | Kind::Log10
        | Kind::Pow
        | Kind::PowI
        | Kind::MinNum
        | Kind::MaxNum
        | Kind::Minimum
        | Kind::Maximum
        | Kind::LdExp
        | Kind::FloatToIntSatSigned
        | Kind::FloatToIntSatUnsigned
        | Kind::IsFpClass => {
            let open = arguments().any(|(slot, class)| !view.bits(slot, class_width(class)).is_zero());
            let width = match signature.result {
                // The answer to a question.
                Some(OperandClass::Word) | None => 1,
                Some(class) => class_width(class),
            };
            written(op.dst, &all_if(open, width))
        }
        Kind::Trap
        | Kind::DebugTrap
        | Kind::Assume
        | Kind::TypeIdFor
        | Kind::VaStart
        | Kind::VaEnd
        | Kind::VaCopy
        | Kind::FrameAddress
        | Kind::ReturnAddress
        | Kind::Pause
        | Kind::ReadCycleCounter
        | Kind::ThreadPointer
        | Kind::SetJump
        | Kind::LifetimeStart
        | Kind::LifetimeEnd => {
            let mut pointers = arguments().filter(|&(_, class)| class == OperandClass::Pointer);
            match pointers.any(|(slot, _)| view.undefined(slot) != 0) {
                true => Propagation::Decides("address"),
                false => Propagation::Special,
            }
        }
    }
}
