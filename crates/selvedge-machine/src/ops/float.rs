//! `float` and `double`: bits in, bits out, computed by the host's own instructions.
//!
//! That gives the NaNs that the program's native code would have seen.

use super::binary::signed as sign_extend;
use super::mask;
use selvedge_program::code::{FloatComparison, FloatOp};
use std::cmp::Ordering;

#[inline]
fn single_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// Arithmetic.
#[inline]
pub fn arithmetic(op: FloatOp, single: bool, a: u64, b: u64) -> u64 {
    macro_rules! compute {
        ($a:expr, $b:expr) => {
            match op {
                FloatOp::Add => $a + $b,
                FloatOp::Sub => $a - $b,
                FloatOp::Mul => $a * $b,
                FloatOp::Div => $a / $b,
                FloatOp::Rem => $a % $b,
            }
            .to_bits()
        };
    }
    match single {
        true => compute!(single_of(a), single_of(b)).into(),
        false => compute!(f64::from_bits(a), f64::from_bits(b)),
    }
}

/// Changes the sign, of a NaN too.
#[inline]
pub fn negate(single: bool, a: u64) -> u64 {
    a ^ if single { 1 << 31 } else { 1 << 63 }
}

/// Whether the comparison holds.
#[inline]
pub fn compare(kind: FloatComparison, single: bool, a: u64, b: u64) -> bool {
    let ordering = match single {
        true => single_of(a).partial_cmp(&single_of(b)),
        false => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
    };
    compare_ordering(kind, ordering)
}

/// Whether a comparison holds, given how its operands are ordered (`None`: there is a NaN).
#[inline]
pub fn compare_ordering(kind: FloatComparison, ordering: Option<Ordering>) -> bool {
    use Ordering::{Equal, Greater, Less};
    match kind {
        FloatComparison::False => false,
        FloatComparison::Oeq => ordering == Some(Equal),
        FloatComparison::Ogt => ordering == Some(Greater),
        FloatComparison::Oge => matches!(ordering, Some(Greater | Equal)),
        FloatComparison::Olt => ordering == Some(Less),
        FloatComparison::Ole => matches!(ordering, Some(Less | Equal)),
        FloatComparison::One => matches!(ordering, Some(Less | Greater)),
        FloatComparison::Ord => ordering.is_some(),
        FloatComparison::Ueq => matches!(ordering, None | Some(Equal)),
        FloatComparison::Ugt => matches!(ordering, None | Some(Greater)),
        FloatComparison::Uge => matches!(ordering, None | Some(Greater | Equal)),
        FloatComparison::Ult => matches!(ordering, None | Some(Less)),
        FloatComparison::Ule => matches!(ordering, None | Some(Less | Equal)),
        FloatComparison::Une => ordering != Some(Equal),
        FloatComparison::Uno => ordering.is_none(),
        FloatComparison::True => true,
    }
}

/// The integer of `width` bits that remains when the fraction is cut off; `None` for NaN and what does not fit.
#[inline]
pub fn to_int(signed: bool, single: bool, width: u8, a: u64) -> Option<u64> {
    // Exact: every float is a double.
    let value = if single { f64::from(single_of(a)) } else { f64::from_bits(a) }.trunc();
    let width = width.min(64);
    // Powers of two, so that the bounds are exact as well.
    let bound = |bits: u8| f64::from_bits((1023 + u64::from(bits)) << 52);
    match signed {
        true => {
            let limit = bound(width.saturating_sub(1));
            (value >= -limit && value < limit).then(|| value as i64 as u64 & mask(width.into()))
        }
        false => (value >= 0.0 && value < bound(width)).then_some(value as u64),
    }
}

/// The nearest float or double.
#[inline]
pub fn from_int(signed: bool, single: bool, width: u8, a: u64) -> u64 {
    match (signed, single) {
        (true, true) => (sign_extend(a, width) as f32).to_bits().into(),
        (true, false) => (sign_extend(a, width) as f64).to_bits(),
        (false, true) => (a as f32).to_bits().into(),
        (false, false) => (a as f64).to_bits(),
    }
}

/// double to float.
#[inline]
pub fn truncate(a: u64) -> u64 {
    (f64::from_bits(a) as f32).to_bits().into()
}

/// float to double.
#[inline]
pub fn extend(a: u64) -> u64 {
    f64::from(single_of(a)).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::random::Random;

    fn double(value: f64) -> u64 {
        value.to_bits()
    }

    #[test]
    fn arithmetic_and_comparisons() {
        assert_eq!(arithmetic(FloatOp::Rem, false, double(-7.5), double(2.0)), double(-1.5));
        assert_eq!(arithmetic(FloatOp::Add, true, 0.1f32.to_bits().into(), 0.2f32.to_bits().into()), {
            u64::from((0.1f32 + 0.2f32).to_bits())
        });
        assert_eq!(negate(false, double(0.0)), double(-0.0));
        let nan = double(f64::NAN);
        for (kind, less, equal, greater, unordered) in [
            (FloatComparison::False, false, false, false, false),
            (FloatComparison::Oeq, false, true, false, false),
            (FloatComparison::Ogt, false, false, true, false),
            (FloatComparison::Oge, false, true, true, false),
            (FloatComparison::Olt, true, false, false, false),
            (FloatComparison::Ole, true, true, false, false),
            (FloatComparison::One, true, false, true, false),
            (FloatComparison::Ord, true, true, true, false),
            (FloatComparison::Ueq, false, true, false, true),
            (FloatComparison::Ugt, false, false, true, true),
            (FloatComparison::Uge, false, true, true, true),
            (FloatComparison::Ult, true, false, false, true),
            (FloatComparison::Ule, true, true, false, true),
            (FloatComparison::Une, true, false, true, true),
            (FloatComparison::Uno, false, false, false, true),
            (FloatComparison::True, true, true, true, true),
        ] {
            assert_eq!(compare(kind, false, double(1.0), double(2.0)), less, "{kind:?}");
            assert_eq!(compare(kind, false, double(0.0), double(-0.0)), equal, "{kind:?}");
            assert_eq!(compare(kind, false, double(2.0), double(1.0)), greater, "{kind:?}");
            assert_eq!(compare(kind, false, double(1.0), nan), unordered, "{kind:?}");
        }
    }

    #[test]
    fn integers_out_of_range() {
        assert_eq!(to_int(true, false, 32, double(2147483647.9)), Some(0x7fff_ffff));
        assert_eq!(to_int(true, false, 32, double(2147483648.0)), None);
        assert_eq!(to_int(true, false, 32, double(-2147483648.9)), Some(0x8000_0000));
        assert_eq!(to_int(true, false, 64, double(9223372036854775808.0)), None);
        assert_eq!(to_int(true, false, 64, double(-9223372036854775808.0)), Some(1 << 63));
        assert_eq!(to_int(false, false, 64, double(18446744073709549568.0)), Some(18446744073709549568));
        assert_eq!(to_int(false, false, 64, double(18446744073709551616.0)), None);
        assert_eq!(to_int(false, false, 8, double(-0.5)), Some(0));
        assert_eq!(to_int(false, false, 8, double(-1.0)), None);
        assert_eq!(to_int(true, false, 1, double(-1.0)), Some(1));
        assert_eq!(to_int(true, false, 1, double(1.0)), None);
        assert_eq!(to_int(false, false, 64, double(f64::NAN)), None);
        assert_eq!(to_int(true, true, 64, f32::INFINITY.to_bits().into()), None);
    }

    #[test]
    fn conversions_as_the_host_does_them() {
        let mut random = Random(2);
        for _ in 0..4000 {
            let word = random.word();
            assert_eq!(from_int(true, true, 64, word), u64::from((word as i64 as f32).to_bits()));
            assert_eq!(from_int(false, false, 64, word), (word as f64).to_bits());
            assert_eq!(from_int(true, false, 8, word & 255), f64::from(word as i8).to_bits());
            let value = f64::from_bits(word);
            if let Some(found) = to_int(true, false, 64, word) {
                assert_eq!(found, value as i64 as u64);
            }
            if !value.is_nan() {
                assert_eq!(truncate(word), u64::from((value as f32).to_bits()));
                assert_eq!(extend(truncate(word)), f64::from(value as f32).to_bits());
            }
        }
    }
}
