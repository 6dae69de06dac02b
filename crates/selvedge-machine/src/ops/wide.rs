//! Integers wider than 64 bits.
//!
//! Up to 128 bits the host's own 128-bit integers do the work; above, limbs do.

use super::integer::Integer;
use super::{Trouble, formats, mask_wide, read_wide, signed_wide, slots, write_wide};
use selvedge_program::code::{BinaryOp, Comparison, FloatFormat, Wide, WideOp};
use std::cmp::Ordering;

/// Executes the operation. Result bits above the width are zero in the last slot.
pub fn wide(registers: &mut [u64], op: &Wide) -> Result<(), Trouble> {
    let &Wide { op: ref kind, width, dst, a, b } = op;
    match *kind {
        WideOp::Binary(kind) => {
            let outcome = binary(registers, kind, width, dst, a, b);
            if outcome == Err(Trouble::Undefined) {
                Integer::zero(width).write(registers, dst);
            }
            outcome?;
        }
        WideOp::Compare(kind) => {
            let ordering = compare(registers, is_signed(kind), width, a, b);
            registers[dst as usize] = holds(kind, ordering).into();
        }
        WideOp::ZeroExtend { from } | WideOp::Truncate { from } => {
            resize(registers, false, from, width, dst, a);
        }
        WideOp::SignExtend { from } => resize(registers, true, from, width, dst, a),
        WideOp::Overflowing { op, signed } => {
            let flag = overflowing(registers, op, signed, width, dst, a, b);
            registers[dst as usize + slots(width)] = flag.into();
        }
        WideOp::ToFloat { signed, format } => {
            let integer = Integer::read(registers, a, width);
            let bits = formats::from_integer(format, signed, &integer);
            formats::write(registers, dst, format, bits);
        }
        WideOp::FromFloat { signed, format } => from_float(registers, signed, format, width, dst, a)?,
    }
    Ok(())
}

/// Cuts off the fraction of a float; undefined if the integer does not fit.
pub(super) fn from_float(
    registers: &mut [u64],
    signed: bool,
    format: FloatFormat,
    width: u32,
    dst: u32,
    a: u32,
) -> Result<(), Trouble> {
    let bits = formats::read(registers, a, format);
    let converted = formats::to_integer(format, bits, signed, width).ok();
    let outcome = if converted.is_some() { Ok(()) } else { Err(Trouble::Undefined) };
    converted.unwrap_or_else(|| Integer::zero(width)).write(registers, dst);
    outcome
}

fn binary(registers: &mut [u64], op: BinaryOp, width: u32, dst: u32, a: u32, b: u32) -> Result<(), Trouble> {
    if width <= 128 {
        let value = binary_128(op, width, read_wide(registers, a, width), read_wide(registers, b, width))?;
        write_wide(registers, dst, width, value);
    } else {
        let (x, y) = (Integer::read(registers, a, width), Integer::read(registers, b, width));
        binary_any(op, &x, &y)?.write(registers, dst);
    }
    Ok(())
}

/// An operation of a width of 1..=128 bits; bits above the width are the caller's to cut off.
fn binary_128(op: BinaryOp, width: u32, a: u128, b: u128) -> Result<u128, Trouble> {
    let amount = || if b < width.into() { Ok(b as u32) } else { Err(Trouble::Undefined) };
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b).ok_or(Trouble::DivisionByZero)?,
        BinaryOp::URem => a.checked_rem(b).ok_or(Trouble::DivisionByZero)?,
        BinaryOp::SDiv | BinaryOp::SRem => {
            let (dividend, divisor) = (signed_wide(a, width), signed_wide(b, width));
            if divisor == 0 {
                return Err(Trouble::DivisionByZero);
            }
            if divisor == -1 && a == (mask_wide(width) >> 1) + 1 {
                return Err(Trouble::DivisionOverflow);
            }
            match op {
                BinaryOp::SDiv => dividend.wrapping_div(divisor) as u128,
                _ => dividend.wrapping_rem(divisor) as u128,
            }
        }
        BinaryOp::Shl => a << amount()?,
        BinaryOp::LShr => a >> amount()?,
        BinaryOp::AShr => (signed_wide(a, width) >> amount()?) as u128,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
    })
}

/// An operation of any width.
pub(super) fn binary_any(op: BinaryOp, a: &Integer, b: &Integer) -> Result<Integer, Trouble> {
    let width = u128::from(a.width());
    let amount =
        || if b.bit_length() <= 32 && b.low() < width { Ok(b.low() as u32) } else { Err(Trouble::Undefined) };
    Ok(match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.sub(b),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::UDiv => a.divide(b)?.0,
        BinaryOp::URem => a.divide(b)?.1,
        BinaryOp::SDiv => a.divide_signed(b)?.0,
        BinaryOp::SRem => a.divide_signed(b)?.1,
        BinaryOp::Shl => a.shift_left(amount()?),
        BinaryOp::LShr => a.shift_right(amount()?),
        BinaryOp::AShr => a.shift_right_signed(amount()?),
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
    })
}

fn is_signed(kind: Comparison) -> bool {
    match kind {
        Comparison::Eq
        | Comparison::Ne
        | Comparison::Ult
        | Comparison::Ule
        | Comparison::Ugt
        | Comparison::Uge => false,
        Comparison::Slt32
        | Comparison::Sle32
        | Comparison::Sgt32
        | Comparison::Sge32
        | Comparison::Slt64
        | Comparison::Sle64
        | Comparison::Sgt64
        | Comparison::Sge64 => true,
    }
}

fn holds(kind: Comparison, ordering: Ordering) -> bool {
    match kind {
        Comparison::Eq => ordering.is_eq(),
        Comparison::Ne => ordering.is_ne(),
        Comparison::Ult | Comparison::Slt32 | Comparison::Slt64 => ordering.is_lt(),
        Comparison::Ule | Comparison::Sle32 | Comparison::Sle64 => ordering.is_le(),
        Comparison::Ugt | Comparison::Sgt32 | Comparison::Sgt64 => ordering.is_gt(),
        Comparison::Uge | Comparison::Sge32 | Comparison::Sge64 => ordering.is_ge(),
    }
}

/// How two integers of any width are ordered.
pub(super) fn compare(registers: &[u64], signed: bool, width: u32, a: u32, b: u32) -> Ordering {
    if width <= 128 {
        let (x, y) = (read_wide(registers, a, width), read_wide(registers, b, width));
        return match signed {
            true => signed_wide(x, width).cmp(&signed_wide(y, width)),
            false => x.cmp(&y),
        };
    }
    let (x, y) = (Integer::read(registers, a, width), Integer::read(registers, b, width));
    if signed { x.compare_signed(&y) } else { x.compare(&y) }
}

fn resize(registers: &mut [u64], signed: bool, from: u32, width: u32, dst: u32, a: u32) {
    if from <= 128 && width <= 128 {
        let value = read_wide(registers, a, from);
        let value = if signed { signed_wide(value, from) as u128 } else { value };
        return write_wide(registers, dst, width, value);
    }
    let value = Integer::read(registers, a, from);
    let value = if signed { value.resize_signed(width) } else { value.resize(width) };
    value.write(registers, dst);
}

/// Writes the value and gives the flag.
fn overflowing(
    registers: &mut [u64],
    op: BinaryOp,
    signed: bool,
    width: u32,
    dst: u32,
    a: u32,
    b: u32,
) -> bool {
    let (x, y) = (Integer::read(registers, a, width), Integer::read(registers, b, width));
    let can_overflow = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
    if !can_overflow {
        let value = binary_any(op, &x, &y).unwrap_or_else(|_| Integer::zero(width));
        value.write(registers, dst);
        return false;
    }
    if width <= 128 {
        let (value, flag) = overflowing_128(op, signed, width, x.low(), y.low());
        write_wide(registers, dst, width, value);
        return flag;
    }
    // With twice the bits (and one for the sign of an unsigned difference) the result is exact.
    let extend =
        |value: &Integer, width| if signed { value.resize_signed(width) } else { value.resize(width) };
    let enough = 2 * width + 1;
    let (x, y) = (extend(&x, enough), extend(&y, enough));
    let exact = match op {
        BinaryOp::Add => x.add(&y),
        BinaryOp::Sub => x.sub(&y),
        _ => x.mul(&y),
    };
    let value = exact.resize(width);
    value.write(registers, dst);
    extend(&value, enough) != exact
}

fn overflowing_128(op: BinaryOp, signed: bool, width: u32, a: u128, b: u128) -> (u128, bool) {
    if signed {
        let (x, y) = (signed_wide(a, width), signed_wide(b, width));
        let (exact, flag) = match op {
            BinaryOp::Add => x.overflowing_add(y),
            BinaryOp::Sub => x.overflowing_sub(y),
            _ => x.overflowing_mul(y),
        };
        let value = exact as u128 & mask_wide(width);
        return (value, flag || signed_wide(value, width) != exact);
    }
    let (exact, flag) = match op {
        BinaryOp::Add => a.overflowing_add(b),
        BinaryOp::Sub => a.overflowing_sub(b),
        _ => a.overflowing_mul(b),
    };
    let value = exact & mask_wide(width);
    (value, flag || value != exact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::random::Random;

    const BINARY: [BinaryOp; 13] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::UDiv,
        BinaryOp::SDiv,
        BinaryOp::URem,
        BinaryOp::SRem,
        BinaryOp::Shl,
        BinaryOp::LShr,
        BinaryOp::AShr,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
    ];

    fn run(op: WideOp, width: u32, a: u128, b: u128) -> (Result<(), Trouble>, Vec<u64>) {
        let mut registers = vec![0xaa; 16];
        for (slot, value) in [(0, a), (4, b)] {
            registers[slot] = value as u64;
            registers[slot + 1] = (value >> 64) as u64;
        }
        let outcome = wide(&mut registers, &Wide { op, width, dst: 8, a: 0, b: 4 });
        (outcome, registers[8..].to_vec())
    }

    fn number(slots: &[u64]) -> u128 {
        u128::from(slots[1]) << 64 | u128::from(slots[0])
    }

    #[test]
    fn the_host_and_the_limbs_agree() {
        let mut random = Random(5);
        for _ in 0..2000 {
            let width = if random.below(2) == 0 { 128 } else { 65 + random.below(64) as u32 };
            let (a, b) = (random.wide() & mask_wide(width), random.wide() & mask_wide(width));
            for op in BINARY {
                let b = if random.below(3) == 0 { b % u128::from(width) } else { b };
                let (outcome, slots) = run(WideOp::Binary(op), width, a, b);
                let expected = binary_any(op, &Integer::new(width, a), &Integer::new(width, b));
                assert_eq!(outcome, expected.as_ref().map(|_| ()).map_err(|trouble| *trouble));
                match expected {
                    Ok(value) => assert_eq!(number(&slots), value.low(), "{op:?} {width} {a:x} {b:x}"),
                    Err(Trouble::Undefined) => assert_eq!(number(&slots), 0),
                    Err(_) => assert_eq!(slots[0], 0xaa),
                }
            }
        }
    }

    #[test]
    fn comparisons_and_overflow_as_the_host_has_them() {
        let mut random = Random(6);
        for _ in 0..3000 {
            let (a, b) = (random.wide(), random.wide());
            let (x, y) = (a as i128, b as i128);
            for (kind, expected) in [
                (Comparison::Eq, a == b),
                (Comparison::Ult, a < b),
                (Comparison::Uge, a >= b),
                (Comparison::Slt32, x < y),
                (Comparison::Sge64, x >= y),
            ] {
                assert_eq!(run(WideOp::Compare(kind), 128, a, b).1[0], u64::from(expected));
            }
            for (op, signed, unsigned) in [
                (BinaryOp::Add, x.overflowing_add(y), a.overflowing_add(b)),
                (BinaryOp::Sub, x.overflowing_sub(y), a.overflowing_sub(b)),
                (BinaryOp::Mul, x.overflowing_mul(y), a.overflowing_mul(b)),
            ] {
                let slots = run(WideOp::Overflowing { op, signed: true }, 128, a, b).1;
                assert_eq!((number(&slots) as i128, slots[2] != 0), signed);
                let slots = run(WideOp::Overflowing { op, signed: false }, 128, a, b).1;
                assert_eq!((number(&slots), slots[2] != 0), unsigned);
            }
        }
    }

    #[test]
    fn overflow_above_128_bits() {
        // Operands of 65 bits in an integer of 129: the exact results are known from 128-bit arithmetic.
        let width = 129;
        let mut registers = vec![0; 16];
        registers[..3].copy_from_slice(&[0, 0, 1]); // the least signed number
        registers[4..7].copy_from_slice(&[u64::MAX, u64::MAX, 1]); // -1
        let mut flag = |op, signed| {
            let op = WideOp::Overflowing { op, signed };
            wide(&mut registers, &Wide { op, width, dst: 8, a: 0, b: 4 }).unwrap();
            registers[8..12].to_vec()
        };
        assert_eq!(flag(BinaryOp::Mul, true), [0, 0, 1, 1]);
        assert_eq!(flag(BinaryOp::Sub, true), [1, 0, 1, 0]);
        assert_eq!(flag(BinaryOp::Sub, false), [1, 0, 1, 1]);
        assert_eq!(flag(BinaryOp::Add, true), [u64::MAX, u64::MAX, 0, 1]);
    }

    #[test]
    fn sizes_change() {
        let (_, slots) = run(WideOp::SignExtend { from: 8 }, 128, 0x80, 0);
        assert_eq!(number(&slots) as i128, -128);
        let (_, slots) = run(WideOp::SignExtend { from: 64 }, 100, 1 << 63, 0);
        assert_eq!(slots[..3], [1 << 63, (1 << 36) - 1, 0xaa]);
        let (_, slots) = run(WideOp::Truncate { from: 128 }, 7, u128::MAX, 0);
        assert_eq!(slots[..2], [127, 0xaa]);
        let (_, slots) = run(WideOp::ZeroExtend { from: 128 }, 192, u128::MAX, 0);
        assert_eq!(slots[..4], [u64::MAX, u64::MAX, 0, 0xaa]);
        let (_, slots) = run(WideOp::SignExtend { from: 128 }, 192, u128::MAX, 0);
        assert_eq!(slots[..4], [u64::MAX, u64::MAX, u64::MAX, 0xaa]);
    }

    #[test]
    fn floats_of_wide_integers() {
        let mut random = Random(7);
        let double = FloatFormat::Double;
        for _ in 0..2000 {
            let a = random.wide() >> random.below(128);
            for signed in [true, false] {
                let (_, slots) = run(WideOp::ToFloat { signed, format: double }, 128, a, 0);
                let expected = if signed { a as i128 as f64 } else { a as f64 };
                assert_eq!(slots[0], expected.to_bits());
                let (outcome, back) =
                    run(WideOp::FromFloat { signed, format: double }, 128, slots[0].into(), 0);
                if outcome.is_ok() {
                    let expected = if signed { expected as i128 as u128 } else { expected as u128 };
                    assert_eq!(number(&back), expected);
                } else {
                    assert!(expected.abs() >= 2f64.powi(if signed { 127 } else { 128 }));
                    assert_eq!(number(&back), 0);
                }
            }
        }
        let nan = u128::from(f64::NAN.to_bits());
        let op = WideOp::FromFloat { signed: true, format: double };
        assert_eq!(run(op, 128, nan, 0).0, Err(Trouble::Undefined));
    }
}
