//! Floats other than `float` and `double`, and conversions between formats, in software.

use super::Trouble;
use super::float::compare_ordering;
use super::formats::{self, invalid, with_format};
use super::integer::Integer;
use super::wide::from_float;
use rustc_apfloat::{Float, ieee};
use selvedge_program::code::{ExtendedFloat, ExtendedFloatOp, FloatFormat, FloatOp};
use std::cmp::Ordering;

/// Executes the operation.
pub fn extended(registers: &mut [u64], op: &ExtendedFloat) -> Result<(), Trouble> {
    let &ExtendedFloat { ref op, format, dst, a, b } = op;
    match *op {
        ExtendedFloatOp::Arithmetic(kind) => {
            let (x, y) = (formats::read(registers, a, format), formats::read(registers, b, format));
            formats::write(registers, dst, format, arithmetic(kind, format, x, y));
        }
        ExtendedFloatOp::Negate => {
            let bits = formats::read(registers, a, format) ^ formats::sign(format);
            formats::write(registers, dst, format, bits);
        }
        ExtendedFloatOp::Compare(kind) => {
            let (x, y) = (formats::read(registers, a, format), formats::read(registers, b, format));
            registers[dst as usize] = compare_ordering(kind, ordering(format, x, y)).into();
        }
        ExtendedFloatOp::ConvertFrom(from) => {
            let bits = formats::read(registers, a, from);
            formats::write(registers, dst, format, formats::convert(from, format, bits));
        }
        ExtendedFloatOp::FromInt { signed, width } => {
            let integer = Integer::read(registers, a, width);
            formats::write(registers, dst, format, formats::from_integer(format, signed, &integer));
        }
        ExtendedFloatOp::ToInt { signed, width } => from_float(registers, signed, format, width, dst, a)?,
    }
    Ok(())
}

/// Arithmetic on the bits of two values.
pub(super) fn arithmetic(op: FloatOp, format: FloatFormat, a: u128, b: u128) -> u128 {
    with_format!(format, arithmetic_as::<_>(op, a, b))
}

fn arithmetic_as<F: Float>(op: FloatOp, a: u128, b: u128) -> u128 {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        FloatOp::Add => a + b,
        FloatOp::Sub => a - b,
        FloatOp::Mul => a * b,
        FloatOp::Div => a / b,
        FloatOp::Rem => a.c_fmod(b),
    }
    .value;
    if result.is_nan() && !a.is_nan() && !b.is_nan() { invalid::<F>() } else { result.to_bits() }
}

/// How two values are ordered; `None` if one is a NaN.
pub(super) fn ordering(format: FloatFormat, a: u128, b: u128) -> Option<Ordering> {
    with_format!(format, ordering_as::<_>(a, b))
}

fn ordering_as<F: Float>(a: u128, b: u128) -> Option<Ordering> {
    F::from_bits(a).partial_cmp(&F::from_bits(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::random::Random;
    use selvedge_program::code::FloatComparison;

    const FORMATS: [FloatFormat; 6] = [
        FloatFormat::Half,
        FloatFormat::BFloat,
        FloatFormat::Single,
        FloatFormat::Double,
        FloatFormat::X87,
        FloatFormat::Quad,
    ];
    const OPERATIONS: [FloatOp; 5] = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div, FloatOp::Rem];

    fn same(a: f64, b: f64) -> bool {
        a.is_nan() && b.is_nan() || a.to_bits() == b.to_bits()
    }

    /// An x87 number as its two slots: significand, then sign and exponent.
    type X87 = [u64; 2];

    fn x87_bits(slots: X87) -> u128 {
        u128::from(slots[1] & 0xffff) << 64 | u128::from(slots[0])
    }

    fn x87_slots(bits: u128) -> X87 {
        [bits as u64, (bits >> 64) as u64]
    }

    /// The nearest double.
    fn x87_to_double(slots: X87) -> f64 {
        let bits = formats::convert(FloatFormat::X87, FloatFormat::Double, x87_bits(slots));
        f64::from_bits(bits as u64)
    }

    /// The same number.
    fn x87_from_double(value: f64) -> X87 {
        x87_slots(formats::convert(FloatFormat::Double, FloatFormat::X87, value.to_bits().into()))
    }

    #[test]
    fn doubles_as_the_host_computes_them() {
        let mut random = Random(10);
        for _ in 0..3000 {
            let (a, b) = (random.word(), random.word());
            for op in OPERATIONS {
                let found = arithmetic(op, FloatFormat::Double, a.into(), b.into()) as u64;
                let expected = crate::ops::float::arithmetic(op, false, a, b);
                assert!(same(f64::from_bits(found), f64::from_bits(expected)), "{op:?} {a:x} {b:x}");
                // Rounding to 64 bits and then to 53 may differ in the last bit, but not for integers.
                let (x, y) = (f64::from(a as i16), f64::from(b as i16));
                let [x_slots, y_slots] = [x87_from_double(x), x87_from_double(y)];
                let mut registers = [x_slots[0], x_slots[1], y_slots[0], y_slots[1], 0, 0];
                let operation =
                    ExtendedFloatOp::Arithmetic(if op == FloatOp::Div { FloatOp::Add } else { op });
                let op = ExtendedFloat { op: operation, format: FloatFormat::X87, dst: 4, a: 0, b: 2 };
                extended(&mut registers, &op).unwrap();
                let expected = match op.op {
                    ExtendedFloatOp::Arithmetic(FloatOp::Sub) => x - y,
                    ExtendedFloatOp::Arithmetic(FloatOp::Mul) => x * y,
                    ExtendedFloatOp::Arithmetic(FloatOp::Rem) => x % y,
                    _ => x + y,
                };
                assert!(same(x87_to_double([registers[4], registers[5]]), expected));
            }
            let value = f64::from_bits(a);
            assert!(same(x87_to_double(x87_from_double(value)), value));
        }
    }

    #[test]
    fn nothing_panics_on_any_bits() {
        let mut random = Random(11);
        let mut registers = [0; 16];
        for _ in 0..3000 {
            registers.fill_with(|| random.word());
            let format = FORMATS[random.below(6) as usize];
            let other = FORMATS[random.below(6) as usize];
            let width = 1 + random.below(300) as u32;
            let signed = random.below(2) == 0;
            let op = match random.below(6) {
                0 => ExtendedFloatOp::Arithmetic(OPERATIONS[random.below(5) as usize]),
                1 => ExtendedFloatOp::Negate,
                2 => ExtendedFloatOp::Compare(FloatComparison::Ult),
                3 => ExtendedFloatOp::ConvertFrom(other),
                4 => ExtendedFloatOp::FromInt { signed, width },
                _ => ExtendedFloatOp::ToInt { signed, width },
            };
            let _ = extended(&mut registers, &ExtendedFloat { op, format, dst: 10, a: 0, b: 5 });
        }
    }

    #[test]
    fn conversions_between_formats() {
        let convert = |value: f64, format| {
            let mut registers = [value.to_bits(), 0, 0, 0];
            let op = ExtendedFloatOp::ConvertFrom(FloatFormat::Double);
            extended(&mut registers, &ExtendedFloat { op, format, dst: 2, a: 0, b: 0 }).unwrap();
            [registers[2], registers[3]]
        };
        assert_eq!(convert(1.5, FloatFormat::Half), [0x3e00, 0]);
        assert_eq!(convert(65520.0, FloatFormat::Half), [0x7c00, 0]);
        assert_eq!(convert(-1.0, FloatFormat::BFloat), [0xbf80, 0]);
        assert_eq!(convert(1.0, FloatFormat::X87), [1 << 63, 0x3fff]);
        assert_eq!(convert(-2.0, FloatFormat::Quad), [0, 0xc000 << 48]);
        assert_eq!(convert(0.1, FloatFormat::Single), [u64::from(0.1f32.to_bits()), 0]);
    }

    #[test]
    fn invalid_operations_give_the_negative_nan() {
        let zero = x87_from_double(0.0);
        let mut registers = [zero[0], zero[1], 0, 0];
        let op = ExtendedFloatOp::Arithmetic(FloatOp::Div);
        extended(&mut registers, &ExtendedFloat { op, format: FloatFormat::X87, dst: 2, a: 0, b: 0 })
            .unwrap();
        assert_eq!(registers[2..], [3 << 62, 0xffff]);
    }
}
