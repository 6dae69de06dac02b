//! What operations give for known values: the one place that says what they mean.

use super::pool::Binary;
use super::words::{cut, ones, signed};

/// The result of an operation on two patterns of a width.
pub(crate) fn binary(operation: Binary, width: u32, left: u128, right: u128) -> u128 {
    let value = match operation {
        Binary::Add => left.wrapping_add(right),
        Binary::Sub => left.wrapping_sub(right),
        Binary::Mul => left.wrapping_mul(right),
        Binary::UnsignedDiv => left.checked_div(right).unwrap_or(u128::MAX),
        Binary::UnsignedRem => left.checked_rem(right).unwrap_or(left),
        Binary::SignedDiv => {
            let (left, right) = (signed(width, left), signed(width, right));
            match right {
                0 if left < 0 => 1,
                0 => u128::MAX,
                _ => left.wrapping_div(right) as u128,
            }
        }
        Binary::SignedRem => {
            let (left, right) = (signed(width, left), signed(width, right));
            (if right == 0 { left } else { left.wrapping_rem(right) }) as u128
        }
        Binary::ShiftLeft if right < u128::from(width) => left << right,
        Binary::ShiftRight if right < u128::from(width) => left >> right,
        Binary::ShiftLeft | Binary::ShiftRight => 0,
        Binary::ShiftRightSigned => {
            let by = right.min(u128::from(width - 1)) as u32;
            (signed(width, left) >> by) as u128
        }
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
    };
    cut(width, value)
}

/// Some bits of a pattern.
pub(crate) fn extract(value: u128, low: u32, width: u32) -> u128 {
    (value >> low) & ones(width)
}

/// A pattern of one width made wider by copies of its sign.
pub(crate) fn sign_extend(from: u32, to: u32, value: u128) -> u128 {
    cut(to, signed(from, value) as u128)
}
