//! What `atomicrmw` stores.

use super::extended::arithmetic;
use super::intrinsics::{maximum_number, minimum_number};
use super::{mask_wide, signed_wide};
use selvedge_program::code::{FloatFormat, FloatOp, RmwOp};

/// The new value, of a width of up to 64 bits.
#[inline]
pub fn rmw(op: RmwOp, width: u32, float: Option<FloatFormat>, old: u64, operand: u64) -> u64 {
    rmw_wide(op, width, float, old.into(), operand.into()) as u64
}

/// The new value, of a width of up to 128 bits.
pub fn rmw_wide(op: RmwOp, width: u32, float: Option<FloatFormat>, old: u128, operand: u128) -> u128 {
    // Validation has seen to it that there is a format where one is needed.
    let format = float.unwrap_or(match width {
        ..=16 => FloatFormat::Half,
        17..=32 => FloatFormat::Single,
        33..=64 => FloatFormat::Double,
        _ => FloatFormat::Quad,
    });
    let signed = |value| signed_wide(value, width);
    let value = match op {
        RmwOp::Exchange => operand,
        RmwOp::Add => old.wrapping_add(operand),
        RmwOp::Sub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Nand => !(old & operand),
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
        RmwOp::Max => signed(old).max(signed(operand)) as u128,
        RmwOp::Min => signed(old).min(signed(operand)) as u128,
        RmwOp::UMax => old.max(operand),
        RmwOp::UMin => old.min(operand),
        RmwOp::FAdd => arithmetic(FloatOp::Add, format, old, operand),
        RmwOp::FSub => arithmetic(FloatOp::Sub, format, old, operand),
        RmwOp::FMax => maximum_number(format, old, operand),
        RmwOp::FMin => minimum_number(format, old, operand),
        RmwOp::UIncWrap => {
            if old >= operand {
                0
            } else {
                old + 1
            }
        }
        RmwOp::UDecWrap => {
            if old == 0 || old > operand {
                operand
            } else {
                old - 1
            }
        }
        RmwOp::USubCond => old.checked_sub(operand).unwrap_or(old),
        RmwOp::USubSat => old.saturating_sub(operand),
    };
    value & mask_wide(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        let byte =
            |op, old: i32, operand: i32| rmw(op, 8, None, old as u8 as u64, operand as u8 as u64) as i64;
        assert_eq!(byte(RmwOp::Exchange, 1, 2), 2);
        assert_eq!(byte(RmwOp::Add, 255, 2), 1);
        assert_eq!(byte(RmwOp::Sub, 1, 2), 255);
        assert_eq!(byte(RmwOp::And, 12, 10), 8);
        assert_eq!(byte(RmwOp::Nand, 12, 10), 0xf7);
        assert_eq!(byte(RmwOp::Or, 12, 10), 14);
        assert_eq!(byte(RmwOp::Xor, 12, 10), 6);
        assert_eq!(byte(RmwOp::Max, -1, 1), 1);
        assert_eq!(byte(RmwOp::Min, -1, 1), 255);
        assert_eq!(byte(RmwOp::UMax, -1, 1), 255);
        assert_eq!(byte(RmwOp::UMin, -1, 1), 1);
        assert_eq!(byte(RmwOp::UIncWrap, 4, 5), 5);
        assert_eq!(byte(RmwOp::UIncWrap, 5, 5), 0);
        assert_eq!(byte(RmwOp::UDecWrap, 0, 5), 5);
        assert_eq!(byte(RmwOp::UDecWrap, 6, 5), 5);
        assert_eq!(byte(RmwOp::UDecWrap, 5, 5), 4);
        assert_eq!(byte(RmwOp::USubCond, 4, 5), 4);
        assert_eq!(byte(RmwOp::USubCond, 6, 5), 1);
        assert_eq!(byte(RmwOp::USubSat, 4, 5), 0);
        assert_eq!(rmw_wide(RmwOp::Add, 128, None, u128::MAX, 2), 1);
        assert_eq!(rmw_wide(RmwOp::Min, 128, None, u128::MAX, 2), u128::MAX);
    }

    #[test]
    fn floats() {
        let double = |op, old: f64, operand: f64| {
            f64::from_bits(rmw(op, 64, Some(FloatFormat::Double), old.to_bits(), operand.to_bits()))
        };
        assert_eq!(double(RmwOp::FAdd, 0.1, 0.2), 0.1 + 0.2);
        assert_eq!(double(RmwOp::FSub, 0.1, 0.2), 0.1 - 0.2);
        assert_eq!(double(RmwOp::FMax, 1.0, f64::NAN), 1.0);
        assert_eq!(double(RmwOp::FMin, f64::NAN, 1.0), 1.0);
        assert_eq!(double(RmwOp::FMin, -2.0, 1.0), -2.0);
        let half = rmw(RmwOp::FAdd, 16, Some(FloatFormat::Half), 0x3c00, 0x3c00);
        assert_eq!(half, 0x4000);
    }
}
