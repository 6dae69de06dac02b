//! Integers of up to 64 bits: the interpreter's everyday arithmetic.
//!
//! Operands and results are zero-extended to 64 bits.

use super::{Trouble, mask};
use selvedge_program::code::{BinaryOp, Comparison};

/// The sign extension of the low `width` bits (1..=64).
#[inline]
pub fn signed(value: u64, width: u8) -> i64 {
    let shift = 64u32.saturating_sub(width.into()).min(63);
    (value << shift) as i64 >> shift
}

/// An operation's immediate: sign-extended, then cut to the width.
#[inline]
pub fn immediate(imm: i32, width: u8) -> u64 {
    i64::from(imm) as u64 & mask(width.into())
}

/// Any operation of a width of 1..=64 bits.
#[inline]
pub fn binary(op: BinaryOp, width: u8, a: u64, b: u64) -> Result<u64, Trouble> {
    let mask = mask(width.into());
    let value = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b).ok_or(Trouble::DivisionByZero)?,
        BinaryOp::URem => a.checked_rem(b).ok_or(Trouble::DivisionByZero)?,
        BinaryOp::SDiv | BinaryOp::SRem => {
            let (dividend, divisor) = (signed(a, width), signed(b, width));
            if divisor == 0 {
                return Err(Trouble::DivisionByZero);
            }
            if divisor == -1 && a == (mask >> 1) + 1 {
                return Err(Trouble::DivisionOverflow);
            }
            match op {
                BinaryOp::SDiv => dividend.wrapping_div(divisor) as u64,
                _ => dividend.wrapping_rem(divisor) as u64,
            }
        }
        BinaryOp::Shl => a << amount(b, width)?,
        BinaryOp::LShr => a >> amount(b, width)?,
        BinaryOp::AShr => (signed(a, width) >> amount(b, width)?) as u64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
    };
    Ok(value & mask)
}

/// The amount of a shift, if it is one that gives a value.
#[inline]
fn amount(b: u64, width: u8) -> Result<u32, Trouble> {
    if b < u64::from(width).min(64) { Ok(b as u32) } else { Err(Trouble::Undefined) }
}

/// Addition, subtraction or multiplication, and whether the exact result did not fit. The other operations
/// cannot overflow.
#[inline]
pub fn overflowing(op: BinaryOp, signed: bool, width: u8, a: u64, b: u64) -> (u64, bool) {
    let extend = |value: u64| match signed {
        true => i128::from(self::signed(value, width)),
        false => i128::from(value),
    };
    let (x, y) = (extend(a), extend(b));
    // Exact but for the product of two large unsigned numbers, which wraps to something negative or is at least
    // 2^64: both are seen as an overflow.
    let exact = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => return (binary(op, width, a, b).unwrap_or(0), false),
    };
    let value = exact as u64 & mask(width.into());
    (value, extend(value) != exact)
}

/// Whether the comparison holds.
#[inline]
pub fn compare(kind: Comparison, a: u64, b: u64) -> bool {
    match kind {
        Comparison::Eq => a == b,
        Comparison::Ne => a != b,
        Comparison::Ult => a < b,
        Comparison::Ule => a <= b,
        Comparison::Ugt => a > b,
        Comparison::Uge => a >= b,
        Comparison::Slt32 => (a as i32) < b as i32,
        Comparison::Sle32 => a as i32 <= b as i32,
        Comparison::Sgt32 => a as i32 > b as i32,
        Comparison::Sge32 => a as i32 >= b as i32,
        Comparison::Slt64 => (a as i64) < b as i64,
        Comparison::Sle64 => a as i64 <= b as i64,
        Comparison::Sgt64 => a as i64 > b as i64,
        Comparison::Sge64 => a as i64 >= b as i64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::random::Random;

    #[test]
    fn every_pair_of_four_bits() {
        let width = 4;
        for a in 0..16u64 {
            for b in 0..16u64 {
                let (x, y) = (signed(a, width), signed(b, width));
                let check = |op, expected: Option<i64>| {
                    assert_eq!(
                        binary(op, width, a, b).ok(),
                        expected.map(|v| v as u64 & 15),
                        "{op:?} {a} {b}"
                    );
                };
                check(BinaryOp::Add, Some(x + y));
                check(BinaryOp::Sub, Some(x - y));
                check(BinaryOp::Mul, Some(x * y));
                check(BinaryOp::UDiv, a.checked_div(b).map(|v| v as i64));
                check(BinaryOp::URem, a.checked_rem(b).map(|v| v as i64));
                check(BinaryOp::SDiv, x.checked_div(y).filter(|q| *q < 8));
                check(BinaryOp::SRem, x.checked_rem(y).filter(|_| (x, y) != (-8, -1)));
                let fits = |v: i64| if b < 4 { Some(v) } else { None };
                check(BinaryOp::Shl, fits((a << b) as i64));
                check(BinaryOp::LShr, fits((a >> b) as i64));
                check(BinaryOp::AShr, fits(x >> b));
                for (op, s, u) in [
                    (BinaryOp::Add, x + y, a as i64 + b as i64),
                    (BinaryOp::Sub, x - y, a as i64 - b as i64),
                    (BinaryOp::Mul, x * y, (a * b) as i64),
                ] {
                    let (value, overflow) = overflowing(op, true, width, a, b);
                    assert_eq!((value, overflow), (s as u64 & 15, !(-8..8).contains(&s)));
                    let (value, overflow) = overflowing(op, false, width, a, b);
                    assert_eq!((value, overflow), (u as u64 & 15, !(0..16).contains(&u)));
                }
            }
        }
    }

    #[test]
    fn troubles() {
        use Trouble::{DivisionByZero, DivisionOverflow, Undefined};
        assert_eq!(binary(BinaryOp::SRem, 32, 1, 0), Err(DivisionByZero));
        assert_eq!(binary(BinaryOp::SDiv, 32, 1 << 31, 0xffff_ffff), Err(DivisionOverflow));
        assert_eq!(binary(BinaryOp::SRem, 64, 1 << 63, u64::MAX), Err(DivisionOverflow));
        assert_eq!(binary(BinaryOp::Shl, 64, 1, 64), Err(Undefined));
        assert_eq!(binary(BinaryOp::LShr, 8, 1, 8), Err(Undefined));
        assert_eq!(binary(BinaryOp::AShr, 64, 1, u64::MAX), Err(Undefined));
        assert_eq!(binary(BinaryOp::SDiv, 1, 1, 1), Err(DivisionOverflow));
    }

    #[test]
    fn words_as_the_host_computes_them() {
        let mut random = Random(1);
        for _ in 0..4000 {
            let (a, b) = (random.word(), random.word());
            let (x, y) = (a as i64, b as i64);
            assert_eq!(binary(BinaryOp::Mul, 64, a, b), Ok(a.wrapping_mul(b)));
            assert_eq!(binary(BinaryOp::SDiv, 64, a, b).ok(), x.checked_div(y).map(|v| v as u64));
            assert_eq!(binary(BinaryOp::SRem, 64, a, b).ok(), x.checked_rem(y).map(|v| v as u64));
            assert_eq!(overflowing(BinaryOp::Mul, false, 64, a, b), a.overflowing_mul(b));
            assert_eq!(overflowing(BinaryOp::Sub, false, 64, a, b), a.overflowing_sub(b));
            assert_eq!(overflowing(BinaryOp::Add, false, 64, a, b), a.overflowing_add(b));
            let (value, flag) = x.overflowing_mul(y);
            assert_eq!(overflowing(BinaryOp::Mul, true, 64, a, b), (value as u64, flag));
            let (c, d) = (a as u32, b as u32);
            let (value, flag) = (c as i32).overflowing_sub(d as i32);
            let expected = (u64::from(value as u32), flag);
            assert_eq!(overflowing(BinaryOp::Sub, true, 32, c.into(), d.into()), expected);
            assert_eq!(compare(Comparison::Slt32, c.into(), d.into()), (c as i32) < d as i32);
            assert_eq!(compare(Comparison::Sge64, a, b), x >= y);
            assert_eq!(compare(Comparison::Ugt, a, b), a > b);
        }
    }
}
