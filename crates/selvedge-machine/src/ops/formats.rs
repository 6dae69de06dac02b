//! The floating-point formats: how their bits read, and conversions between them and integers.

use super::integer::Integer;
use super::{mask_wide, read_wide, write_wide};
use rustc_apfloat::{Float, FloatConvert, ieee};
use selvedge_program::code::FloatFormat;

/// Calls a generic function with the software implementation of a format as its first type argument.
macro_rules! with_format {
    ($format:expr, $function:ident::<_ $(, $more:ty)?>($($argument:expr),*)) => {
        match $format {
            FloatFormat::Half => $function::<ieee::Half $(, $more)?>($($argument),*),
            FloatFormat::BFloat => $function::<ieee::BFloat $(, $more)?>($($argument),*),
            FloatFormat::Single => $function::<ieee::Single $(, $more)?>($($argument),*),
            FloatFormat::Double => $function::<ieee::Double $(, $more)?>($($argument),*),
            FloatFormat::X87 => $function::<ieee::X87DoubleExtended $(, $more)?>($($argument),*),
            FloatFormat::Quad => $function::<ieee::Quad $(, $more)?>($($argument),*),
        }
    };
}
pub(super) use with_format;

/// Number of bits of a value.
pub(super) fn width(format: FloatFormat) -> u32 {
    format.bytes() * 8
}

/// The bit that holds the sign.
pub(super) fn sign(format: FloatFormat) -> u128 {
    1 << (width(format) - 1)
}

/// The bits of a value. An x87 number's 80 bits are its two slots without a gap.
#[inline]
pub(super) fn read(registers: &[u64], slot: u32, format: FloatFormat) -> u128 {
    read_wide(registers, slot, width(format))
}

#[inline]
pub(super) fn write(registers: &mut [u64], slot: u32, format: FloatFormat, bits: u128) {
    write_wide(registers, slot, width(format), bits);
}

/// What a float stands for, without its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Magnitude {
    /// significand * 2^exponent.
    Finite {
        significand: u128,
        exponent: i32,
        subnormal: bool,
    },
    Infinite,
    Nan {
        signalling: bool,
    },
}

/// Number of bits of the exponent, and of the significand as stored.
fn layout(format: FloatFormat) -> (u32, u32) {
    match format {
        FloatFormat::Half => (5, 10),
        FloatFormat::BFloat => (8, 7),
        FloatFormat::Single => (8, 23),
        FloatFormat::Double => (11, 52),
        FloatFormat::X87 => (15, 64),
        FloatFormat::Quad => (15, 112),
    }
}

/// Sign and magnitude.
pub(super) fn decode(format: FloatFormat, bits: u128) -> (bool, Magnitude) {
    let (exponent_bits, stored_bits) = layout(format);
    let negative = bits & sign(format) != 0;
    let stored = bits & mask_wide(stored_bits);
    let exponent = (bits >> stored_bits & mask_wide(exponent_bits)) as i32;
    let largest = mask_wide(exponent_bits) as i32;
    // x87 stores the bit before the point, the others imply it.
    let fraction_bits = stored_bits - u32::from(format == FloatFormat::X87);
    let fraction = stored & mask_wide(fraction_bits);
    let one = 1 << fraction_bits;
    // An x87 number that should have that bit but has not is no number: the processor refuses it.
    let malformed = format == FloatFormat::X87 && exponent != 0 && stored & one == 0;
    let magnitude = if malformed || exponent == largest && fraction != 0 {
        Magnitude::Nan { signalling: malformed || fraction >> (fraction_bits - 1) == 0 }
    } else if exponent == largest {
        Magnitude::Infinite
    } else {
        let subnormal = exponent == 0;
        let significand = if subnormal { stored } else { fraction | one };
        let bias = largest >> 1;
        let exponent = exponent.max(1) - bias - fraction_bits as i32;
        Magnitude::Finite { significand, exponent, subnormal }
    };
    (negative, magnitude)
}

/// Why a float is no integer of the wanted kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutOfRange {
    Nan,
    TooSmall,
    TooLarge,
}

/// The integer that remains when the fraction is cut off.
pub(super) fn to_integer(
    format: FloatFormat,
    bits: u128,
    signed: bool,
    width: u32,
) -> Result<Integer, OutOfRange> {
    let (negative, magnitude) = decode(format, bits);
    let beyond = Err(if negative { OutOfRange::TooSmall } else { OutOfRange::TooLarge });
    let (significand, exponent) = match magnitude {
        Magnitude::Nan { .. } => return Err(OutOfRange::Nan),
        Magnitude::Infinite => return beyond,
        Magnitude::Finite { significand, exponent, .. } => (significand, exponent),
    };
    let (significand, exponent) = match exponent < 0 {
        true => (significand.checked_shr(exponent.unsigned_abs()).unwrap_or(0), 0),
        false => (significand, exponent as u32),
    };
    if significand == 0 {
        return Ok(Integer::zero(width));
    }
    if 128 - significand.leading_zeros() + exponent > width || negative && !signed {
        return beyond;
    }
    // Shifted in at least 128 bits, since the significand itself may be wider than what it is worth.
    let magnitude = Integer::new(width.max(128), significand).shift_left(exponent).resize(width);
    if !signed {
        return Ok(magnitude);
    }
    let value = if negative { magnitude.negate() } else { magnitude };
    if value.is_negative() == negative { Ok(value) } else { beyond }
}

/// The nearest float.
pub(super) fn from_integer(format: FloatFormat, signed: bool, integer: &Integer) -> u128 {
    let negative = signed && integer.is_negative();
    let magnitude = if negative { integer.magnitude() } else { integer.clone() };
    let bits = with_format!(format, from_magnitude::<_>(&magnitude));
    if negative { bits | sign(format) } else { bits }
}

fn from_magnitude<F: Float>(magnitude: &Integer) -> u128 {
    let excess = magnitude.bit_length().saturating_sub(128);
    let mut top = magnitude.shift_right(excess).low();
    if magnitude.trailing_zeros() < excess {
        // No format keeps the lowest of 128 bits, but it tells whether something was lost below it.
        top |= 1;
    }
    F::from_u128(top).value.scalbn(excess as i32).to_bits()
}

/// Between any two formats, rounding to nearest.
pub(super) fn convert(from: FloatFormat, to: FloatFormat, bits: u128) -> u128 {
    match to {
        FloatFormat::Half => with_format!(from, convert_to::<_, ieee::Half>(bits)),
        FloatFormat::BFloat => with_format!(from, convert_to::<_, ieee::BFloat>(bits)),
        FloatFormat::Single => with_format!(from, convert_to::<_, ieee::Single>(bits)),
        FloatFormat::Double => with_format!(from, convert_to::<_, ieee::Double>(bits)),
        FloatFormat::X87 => with_format!(from, convert_to::<_, ieee::X87DoubleExtended>(bits)),
        FloatFormat::Quad => with_format!(from, convert_to::<_, ieee::Quad>(bits)),
    }
}

fn convert_to<F: FloatConvert<T>, T: Float>(bits: u128) -> u128 {
    F::from_bits(bits).convert(&mut false).value.to_bits()
}

/// The correctly rounded square root, for formats whose exponents reach 128.
pub(super) fn square_root(format: FloatFormat, bits: u128) -> u128 {
    let (negative, magnitude) = decode(format, bits);
    match magnitude {
        // Adding zero makes a NaN quiet and keeps everything else of it.
        Magnitude::Nan { .. } => with_format!(format, quiet::<_>(bits)),
        Magnitude::Finite { significand: 0, .. } => bits,
        _ if negative => with_format!(format, invalid::<_>()),
        Magnitude::Infinite => bits,
        Magnitude::Finite { significand, exponent, .. } => {
            // A radicand of about 240 bits gives a root with more bits than any format keeps.
            let mut shift = 112 + significand.leading_zeros() as i32;
            shift += (exponent - shift) & 1;
            let radicand = Integer::new(256, significand).shift_left(shift as u32);
            let (root, inexact) = radicand.square_root();
            let root = root.low() << 1 | u128::from(inexact);
            with_format!(format, scaled::<_>(root, (exponent - shift) / 2 - 1))
        }
    }
}

fn quiet<F: Float>(bits: u128) -> u128 {
    (F::from_bits(bits) + F::ZERO).value.to_bits()
}

/// The NaN of an invalid operation. Processors of this family make it negative.
pub(super) fn invalid<F: Float>() -> u128 {
    (-F::NAN).to_bits()
}

fn scaled<F: Float>(significand: u128, exponent: i32) -> u128 {
    F::from_u128(significand).value.scalbn(exponent).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::random::Random;

    #[test]
    fn decoded_doubles_are_what_they_were() {
        let mut random = Random(8);
        for _ in 0..4000 {
            let word = random.word();
            let value = f64::from_bits(word);
            let (negative, magnitude) = decode(FloatFormat::Double, word.into());
            assert_eq!(negative, value.is_sign_negative());
            match magnitude {
                Magnitude::Nan { .. } => assert!(value.is_nan()),
                Magnitude::Infinite => assert!(value.is_infinite()),
                Magnitude::Finite { significand, exponent, subnormal } => {
                    assert_eq!(subnormal, value.is_subnormal() || value == 0.0);
                    // In two steps: 2^-1074 is no product of a normal power and a small number otherwise.
                    let half = exponent / 2;
                    let back = significand as f64 * 2f64.powi(half) * 2f64.powi(exponent - half);
                    assert_eq!(back, value.abs());
                }
            }
        }
    }

    #[test]
    fn square_roots_as_the_host_computes_them() {
        let mut random = Random(9);
        for _ in 0..2000 {
            let word = random.word();
            let root = f64::from_bits(word).sqrt();
            let found = f64::from_bits(square_root(FloatFormat::Double, word.into()) as u64);
            assert_eq!(found.is_nan(), root.is_nan());
            assert!(root.is_nan() || found.to_bits() == root.to_bits(), "{word:x}");
            // The square of a number of half the precision has that number as its root in any format.
            let small = u128::from(random.next() as u32);
            for format in [FloatFormat::X87, FloatFormat::Quad] {
                let square = from_integer(format, false, &Integer::new(128, small * small));
                let expected = from_integer(format, false, &Integer::new(128, small));
                assert_eq!(square_root(format, square), expected);
            }
        }
    }

    #[test]
    fn huge_integers_round_once() {
        // 2^200 + 2^147 lies between two doubles; one bit far below decides.
        let middle = Integer::new(256, 1).shift_left(200).or(&Integer::new(256, 1).shift_left(147));
        let power = 2f64.powi(200);
        assert_eq!(from_integer(FloatFormat::Double, false, &middle), power.to_bits().into());
        let above = middle.or(&Integer::new(256, 1));
        assert_eq!(from_integer(FloatFormat::Double, false, &above), power.next_up().to_bits().into());
        assert_eq!(from_integer(FloatFormat::Single, false, &above), f32::INFINITY.to_bits().into());
        let back = to_integer(FloatFormat::Double, power.to_bits().into(), false, 256);
        assert_eq!(back, Ok(Integer::new(256, 1).shift_left(200)));
        assert_eq!(
            to_integer(FloatFormat::Double, power.to_bits().into(), false, 200),
            Err(OutOfRange::TooLarge)
        );
        let least = (-power).to_bits().into();
        assert_eq!(to_integer(FloatFormat::Double, least, true, 201), Ok(Integer::least(201)));
        assert_eq!(to_integer(FloatFormat::Double, least, true, 200), Err(OutOfRange::TooSmall));
    }
}
