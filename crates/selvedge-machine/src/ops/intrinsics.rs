//! The intrinsics that are pure functions of registers.

use super::formats::{self, Magnitude, OutOfRange, with_format};
use super::integer::Integer;
use super::native_float::{self, Arguments};
use super::wide::binary_any;
use super::{Trouble, extended, mask, mask_wide, read_wide, signed_wide, wide, write_wide};
use rustc_apfloat::{Float, Round, ieee};
use selvedge_program::code::{BinaryOp, FloatFormat, FloatOp, Intrinsic, IntrinsicKind as Kind};

/// Executes the intrinsic. `None` if it is no pure one: then the interpreter must.
pub fn intrinsic(registers: &mut [u64], op: &Intrinsic) -> Option<Result<(), Trouble>> {
    Some(match op.kind {
        Kind::CountLeadingZeros
        | Kind::CountTrailingZeros
        | Kind::PopulationCount
        | Kind::ByteSwap
        | Kind::BitReverse
        | Kind::FunnelShiftLeft
        | Kind::FunnelShiftRight
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
        | Kind::SShlSat => integer(registers, op),
        Kind::UCompare | Kind::SCompare => {
            let signed = op.kind == Kind::SCompare;
            let ordering = wide::compare(registers, signed, op.width, argument(op, 0), argument(op, 1));
            registers[op.dst as usize] = ordering as i64 as u64 & mask(op.result_width);
            Ok(())
        }
        Kind::Sqrt
        | Kind::Fma
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
        | Kind::PowI => mathematical(registers, op),
        Kind::FAbs
        | Kind::CopySign
        | Kind::MinNum
        | Kind::MaxNum
        | Kind::Minimum
        | Kind::Maximum
        | Kind::LdExp
        | Kind::FloatToIntSatSigned
        | Kind::FloatToIntSatUnsigned
        | Kind::IsFpClass => {
            structural(registers, op);
            Ok(())
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
        | Kind::LifetimeEnd => return None,
    })
}

/// The slot of an argument; of the first one if there are fewer, which validation excludes.
fn argument(op: &Intrinsic, index: usize) -> u32 {
    op.args.get(index).or(op.args.first()).copied().unwrap_or(op.dst)
}

fn integer(registers: &mut [u64], op: &Intrinsic) -> Result<(), Trouble> {
    let width = op.width;
    let outcome = if width <= 128 {
        let read = |index| read_wide(registers, argument(op, index), width);
        // Flags of the first kinds are not integers of this width, but they are not looked at either.
        let third = if op.args.len() > 2 { read(2) } else { 0 };
        let value = integer_128(op.kind, width, read(0), || read(1), third);
        value.map(|value| write_wide(registers, op.dst, width, value))
    } else {
        let read = |index| Integer::read(registers, argument(op, index), width);
        let value = integer_any(op.kind, &read(0), || read(1), || read(2));
        value.map(|value| value.write(registers, op.dst))
    };
    if outcome == Err(Trouble::Undefined) {
        Integer::zero(width).write(registers, op.dst);
    }
    outcome
}

/// An intrinsic on integers of up to 128 bits; bits above the width are the caller's to cut off.
fn integer_128(kind: Kind, width: u32, a: u128, b: impl Fn() -> u128, c: u128) -> Result<u128, Trouble> {
    let signed = |value| signed_wide(value, width);
    let unused = 128 - width;
    let most = mask_wide(width);
    let (least_signed, most_signed) = (signed(most ^ most >> 1), (most >> 1) as i128);
    // A sum of two narrower numbers does not leave 128 bits, so that clamping sees every overflow.
    let clamp = |value: i128| value.clamp(least_signed, most_signed) as u128;
    Ok(match kind {
        Kind::CountLeadingZeros => u128::from(a.leading_zeros() - unused),
        Kind::CountTrailingZeros => u128::from(a.trailing_zeros().min(width)),
        Kind::PopulationCount => u128::from(a.count_ones()),
        Kind::ByteSwap => a.swap_bytes().checked_shr(unused).unwrap_or(0),
        Kind::BitReverse => a.reverse_bits().checked_shr(unused).unwrap_or(0),
        Kind::FunnelShiftLeft => match (c % u128::from(width.max(1))) as u32 {
            0 => a,
            amount => a << amount | b() >> (width - amount),
        },
        Kind::FunnelShiftRight => match (c % u128::from(width.max(1))) as u32 {
            0 => b(),
            amount => b() >> amount | a << (width - amount),
        },
        Kind::Abs => signed(a).wrapping_abs() as u128,
        Kind::SMax => signed(a).max(signed(b())) as u128,
        Kind::SMin => signed(a).min(signed(b())) as u128,
        Kind::UMax => a.max(b()),
        Kind::UMin => a.min(b()),
        Kind::USubSat => a.saturating_sub(b()),
        Kind::UAddSat => a.saturating_add(b()).min(most),
        Kind::SSubSat => clamp(signed(a).saturating_sub(signed(b()))),
        Kind::SAddSat => clamp(signed(a).saturating_add(signed(b()))),
        Kind::UShlSat => {
            let amount = shift(b(), width)?;
            let shifted = a << amount & most;
            if shifted >> amount == a { shifted } else { most }
        }
        Kind::SShlSat => {
            let amount = shift(b(), width)?;
            let shifted = a << amount & most;
            match signed(shifted) >> amount == signed(a) {
                true => shifted,
                false if signed(a) < 0 => least_signed as u128,
                false => most_signed as u128,
            }
        }
        _ => return Err(Trouble::Unsupported),
    })
}

fn shift(amount: u128, width: u32) -> Result<u32, Trouble> {
    if amount < width.into() { Ok(amount as u32) } else { Err(Trouble::Undefined) }
}

/// The same for any width.
pub(super) fn integer_any(
    kind: Kind,
    a: &Integer,
    b: impl Fn() -> Integer,
    c: impl Fn() -> Integer,
) -> Result<Integer, Trouble> {
    let width = a.width();
    let number = |value: u32| Integer::new(width, value.into());
    let amount = || -> Result<u32, Trouble> {
        let (_, rest) = c().divide(&number(width))?;
        Ok(rest.low() as u32)
    };
    let pick = |first: bool| if first { a.clone() } else { b() };
    let limit = |negative: bool| match negative {
        true => Integer::least(width),
        false => Integer::least(width).not(),
    };
    Ok(match kind {
        Kind::CountLeadingZeros => number(width - a.bit_length()),
        Kind::CountTrailingZeros => number(a.trailing_zeros()),
        Kind::PopulationCount => number(a.count_ones()),
        Kind::ByteSwap => a.swap_bytes(),
        Kind::BitReverse => a.reverse_bits(),
        Kind::FunnelShiftLeft => match amount()? {
            0 => a.clone(),
            amount => a.shift_left(amount).or(&b().shift_right(width - amount)),
        },
        Kind::FunnelShiftRight => match amount()? {
            0 => b(),
            amount => b().shift_right(amount).or(&a.shift_left(width - amount)),
        },
        Kind::Abs => a.magnitude(),
        Kind::SMax => pick(a.compare_signed(&b()).is_ge()),
        Kind::SMin => pick(a.compare_signed(&b()).is_le()),
        Kind::UMax => pick(a.compare(&b()).is_ge()),
        Kind::UMin => pick(a.compare(&b()).is_le()),
        Kind::USubSat => {
            if a.compare(&b()).is_ge() {
                a.sub(&b())
            } else {
                Integer::zero(width)
            }
        }
        Kind::UAddSat => {
            let sum = a.add(&b());
            if sum.compare(a).is_lt() { Integer::ones(width) } else { sum }
        }
        Kind::SAddSat | Kind::SSubSat => {
            let (x, y) = (a.resize_signed(width + 1), b().resize_signed(width + 1));
            let exact = if kind == Kind::SAddSat { x.add(&y) } else { x.sub(&y) };
            let value = exact.resize(width);
            if value.resize_signed(width + 1) == exact { value } else { limit(exact.is_negative()) }
        }
        Kind::UShlSat => {
            let shifted = binary_any(BinaryOp::Shl, a, &b())?;
            let back = binary_any(BinaryOp::LShr, &shifted, &b())?;
            if back == *a { shifted } else { Integer::ones(width) }
        }
        Kind::SShlSat => {
            let shifted = binary_any(BinaryOp::Shl, a, &b())?;
            let back = binary_any(BinaryOp::AShr, &shifted, &b())?;
            if back == *a { shifted } else { limit(a.is_negative()) }
        }
        _ => return Err(Trouble::Unsupported),
    })
}

/// Kinds that round.
fn mathematical(registers: &mut [u64], op: &Intrinsic) -> Result<(), Trouble> {
    let format = op.format;
    let read = |index| formats::read(registers, argument(op, index), format);
    let exponent = || registers[argument(op, 1) as usize] as i32;
    let (a, b, c) = match op.kind {
        Kind::Fma => (read(0), read(1), read(2)),
        Kind::Pow => (read(0), read(1), 0),
        _ => (read(0), 0, 0),
    };
    let exponent = if op.kind == Kind::PowI { exponent() } else { 0 };
    let native = |a, b, c| {
        let [a, b, c] = [a, b, c].map(|bits: u128| f32::from_bits(bits as u32));
        native_float::single(op.kind, Arguments { a, b, c, exponent })
            .map(|value| u128::from(value.to_bits()))
    };
    let result = match format {
        FloatFormat::Single => native(a, b, c),
        FloatFormat::Double => {
            let [a, b, c] = [a, b, c].map(|bits| f64::from_bits(bits as u64));
            let value = native_float::double(op.kind, Arguments { a, b, c, exponent });
            value.map(|value| value.to_bits().into())
        }
        FloatFormat::Half | FloatFormat::BFloat if op.kind == Kind::Fma => {
            with_format!(format, fused::<_>(a, b, c))
        }
        // As compilers do it: in `float`, then rounded.
        FloatFormat::Half | FloatFormat::BFloat => {
            let [a, b, c] = [a, b, c].map(|bits| formats::convert(format, FloatFormat::Single, bits));
            native(a, b, c).map(|bits| formats::convert(FloatFormat::Single, format, bits))
        }
        FloatFormat::X87 | FloatFormat::Quad => software(op.kind, format, a, b, c, exponent),
    };
    let bits = result.ok_or(Trouble::Unsupported)?;
    formats::write(registers, op.dst, format, bits);
    Ok(())
}

/// What can be computed exactly before it is rounded once. The transcendental functions are not among it.
fn software(kind: Kind, format: FloatFormat, a: u128, b: u128, c: u128, exponent: i32) -> Option<u128> {
    let round = |mode| Some(with_format!(format, rounded::<_>(a, mode)));
    match kind {
        Kind::Sqrt => Some(formats::square_root(format, a)),
        Kind::Fma => with_format!(format, fused::<_>(a, b, c)),
        Kind::Floor => round(Round::TowardNegative),
        Kind::Ceil => round(Round::TowardPositive),
        Kind::Trunc => round(Round::TowardZero),
        Kind::Rint | Kind::NearbyInt | Kind::RoundEven => round(Round::NearestTiesToEven),
        Kind::Round => round(Round::NearestTiesToAway),
        Kind::PowI => Some(power(format, a, exponent)),
        _ => None,
    }
}

fn rounded<F: Float>(a: u128, mode: Round) -> u128 {
    F::from_bits(a).round_to_integral(mode).value.to_bits()
}

fn fused<F: Float>(a: u128, b: u128, c: u128) -> Option<u128> {
    let [a, b, c] = [a, b, c].map(F::from_bits);
    let value = a.mul_add(b, c).value;
    let given = a.is_nan() || b.is_nan() || c.is_nan();
    Some(if value.is_nan() && !given { formats::invalid::<F>() } else { value.to_bits() })
}

/// As the compiler's runtime does it, so that every rounding is the same.
fn power(format: FloatFormat, base: u128, exponent: i32) -> u128 {
    let one = formats::from_integer(format, false, &Integer::new(1, 1));
    let (mut base, mut left, mut result) = (base, exponent, one);
    loop {
        if left & 1 != 0 {
            result = extended::arithmetic(FloatOp::Mul, format, result, base);
        }
        left /= 2;
        if left == 0 {
            break;
        }
        base = extended::arithmetic(FloatOp::Mul, format, base, base);
    }
    if exponent < 0 { extended::arithmetic(FloatOp::Div, format, one, result) } else { result }
}

/// Kinds that work on the parts of a float and are the same for every format.
fn structural(registers: &mut [u64], op: &Intrinsic) {
    let format = op.format;
    let sign = formats::sign(format);
    let a = formats::read(registers, argument(op, 0), format);
    let b = |registers: &[u64]| formats::read(registers, argument(op, 1), format);
    let word = |registers: &[u64]| registers[argument(op, 1) as usize];
    let result = match op.kind {
        Kind::FAbs => a & !sign,
        Kind::CopySign => a & !sign | b(registers) & sign,
        Kind::MinNum => minimum_number(format, a, b(registers)),
        Kind::MaxNum => maximum_number(format, a, b(registers)),
        Kind::Minimum => with_format!(format, minimum::<_>(a, b(registers))),
        Kind::Maximum => with_format!(format, maximum::<_>(a, b(registers))),
        Kind::LdExp => with_format!(format, load_exponent::<_>(a, word(registers) as i32)),
        Kind::FloatToIntSatSigned | Kind::FloatToIntSatUnsigned => {
            let signed = op.kind == Kind::FloatToIntSatSigned;
            return saturated(format, a, signed, op.width).write(registers, op.dst);
        }
        Kind::IsFpClass => {
            let holds = word(registers) >> class(format, a) & 1;
            registers[op.dst as usize] = holds;
            return;
        }
        _ => a,
    };
    formats::write(registers, op.dst, format, result);
}

fn saturated(format: FloatFormat, bits: u128, signed: bool, width: u32) -> Integer {
    match (formats::to_integer(format, bits, signed, width), signed) {
        (Ok(value), _) => value,
        (Err(OutOfRange::Nan), _) | (Err(OutOfRange::TooSmall), false) => Integer::zero(width),
        (Err(OutOfRange::TooSmall), true) => Integer::least(width),
        (Err(OutOfRange::TooLarge), true) => Integer::least(width).not(),
        (Err(OutOfRange::TooLarge), false) => Integer::ones(width),
    }
}

/// The class of a float as a bit of the mask of `llvm.is.fpclass`.
fn class(format: FloatFormat, bits: u128) -> u32 {
    let (negative, magnitude) = formats::decode(format, bits);
    let (below, above) = match magnitude {
        Magnitude::Nan { signalling: true } => (0, 0),
        Magnitude::Nan { signalling: false } => (1, 1),
        Magnitude::Infinite => (2, 9),
        Magnitude::Finite { subnormal: false, .. } => (3, 8),
        Magnitude::Finite { significand: 0, .. } => (5, 6),
        Magnitude::Finite { .. } => (4, 7),
    };
    if negative { below } else { above }
}

fn load_exponent<F: Float>(a: u128, exponent: i32) -> u128 {
    F::from_bits(a).scalbn(exponent).to_bits()
}

/// C's `fmin`: a NaN counts as absent.
pub(super) fn minimum_number(format: FloatFormat, a: u128, b: u128) -> u128 {
    number(format, a, b, extended::ordering(format, b, a).is_some_and(|ordering| ordering.is_lt()))
}

/// C's `fmax`: a NaN counts as absent.
pub(super) fn maximum_number(format: FloatFormat, a: u128, b: u128) -> u128 {
    number(format, a, b, extended::ordering(format, b, a).is_some_and(|ordering| ordering.is_gt()))
}

fn number(format: FloatFormat, a: u128, b: u128, second: bool) -> u128 {
    let nan = |bits| matches!(formats::decode(format, bits).1, Magnitude::Nan { .. });
    if second || nan(a) { b } else { a }
}

fn minimum<F: Float>(a: u128, b: u128) -> u128 {
    F::from_bits(a).minimum(F::from_bits(b)).to_bits()
}

fn maximum<F: Float>(a: u128, b: u128) -> u128 {
    F::from_bits(a).maximum(F::from_bits(b)).to_bits()
}

#[cfg(test)]
mod tests;
