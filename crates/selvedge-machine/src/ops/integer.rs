//! An integer of any width, for what does not fit a machine word.
//!
//! Simple rather than fast: widths above 128 bits are rare, and those below have faster code.

use super::{Trouble, mask, slots};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// A number of `width` bits, least significant limb first; the bits above the width are zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Integer {
    width: u32,
    limbs: SmallVec<[u64; 4]>,
}

impl Integer {
    /// Made of the limbs that the function gives.
    pub fn from_limbs(width: u32, limb: impl FnMut(usize) -> u64) -> Self {
        let limbs = (0..slots(width)).map(limb).collect();
        let mut integer = Integer { width, limbs };
        integer.cut();
        integer
    }

    pub fn read(registers: &[u64], slot: u32, width: u32) -> Self {
        Self::from_limbs(width, |index| registers[slot as usize + index])
    }

    pub fn write(&self, registers: &mut [u64], slot: u32) {
        let slot = slot as usize;
        registers[slot..slot + self.limbs.len()].copy_from_slice(&self.limbs);
    }

    pub fn zero(width: u32) -> Self {
        Self::from_limbs(width, |_| 0)
    }

    pub fn ones(width: u32) -> Self {
        Self::from_limbs(width, |_| u64::MAX)
    }

    /// The low bits of a number.
    pub fn new(width: u32, value: u128) -> Self {
        Self::from_limbs(width, |index| match index {
            0 => value as u64,
            1 => (value >> 64) as u64,
            _ => 0,
        })
    }

    /// The least signed number.
    pub fn least(width: u32) -> Self {
        Self::new(width, 1).shift_left(width.saturating_sub(1))
    }

    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    /// The low 128 bits.
    pub fn low(&self) -> u128 {
        u128::from(self.limb(1)) << 64 | u128::from(self.limb(0))
    }

    fn limb(&self, index: usize) -> u64 {
        self.limbs.get(index).copied().unwrap_or(0)
    }

    fn cut(&mut self) {
        let last = self.limbs.len() - 1;
        self.limbs[last] &= mask(self.width - last as u32 * 64);
    }

    pub fn bit(&self, index: u32) -> bool {
        self.limb(index as usize / 64) >> (index % 64) & 1 != 0
    }

    pub fn is_zero(&self) -> bool {
        self.limbs.iter().all(|&limb| limb == 0)
    }

    pub fn is_negative(&self) -> bool {
        self.width > 0 && self.bit(self.width - 1)
    }

    /// Cuts off high bits, or adds zeros.
    pub fn resize(&self, width: u32) -> Self {
        Self::from_limbs(width, |index| self.limb(index))
    }

    /// Cuts off high bits, or adds copies of the sign.
    pub fn resize_signed(&self, width: u32) -> Self {
        let resized = self.resize(width);
        if !self.is_negative() || width <= self.width {
            return resized;
        }
        resized.or(&Self::ones(width).shift_left(self.width))
    }

    fn zip(&self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        Self::from_limbs(self.width, |index| combine(self.limb(index), other.limb(index)))
    }

    pub fn and(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    pub fn or(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    pub fn xor(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    pub fn not(&self) -> Self {
        Self::from_limbs(self.width, |index| !self.limb(index))
    }

    pub fn add(&self, other: &Self) -> Self {
        let mut carry = 0;
        Self::from_limbs(self.width, |index| {
            let sum = u128::from(self.limb(index)) + u128::from(other.limb(index)) + carry;
            carry = sum >> 64;
            sum as u64
        })
    }

    pub fn negate(&self) -> Self {
        self.not().add(&Self::new(self.width, 1))
    }

    pub fn sub(&self, other: &Self) -> Self {
        let mut carry = 1;
        Self::from_limbs(self.width, |index| {
            let sum = u128::from(self.limb(index)) + u128::from(!other.limb(index)) + carry;
            carry = sum >> 64;
            sum as u64
        })
    }

    pub fn mul(&self, other: &Self) -> Self {
        let mut product = Self::zero(self.width);
        let count = product.limbs.len();
        for low in 0..count {
            let mut carry = 0;
            for index in low..count {
                let part = u128::from(self.limb(low)) * u128::from(other.limb(index - low));
                let sum = part + u128::from(product.limbs[index]) + carry;
                product.limbs[index] = sum as u64;
                carry = sum >> 64;
            }
        }
        product.cut();
        product
    }

    /// Quotient and remainder of unsigned division.
    pub fn divide(&self, divisor: &Self) -> Result<(Self, Self), Trouble> {
        if divisor.is_zero() {
            return Err(Trouble::DivisionByZero);
        }
        // One more bit, so that the remainder can be doubled before it is compared.
        let wider = divisor.resize(self.width + 1);
        let mut quotient = Self::zero(self.width);
        let mut remainder = Self::zero(self.width + 1);
        for index in (0..self.bit_length()).rev() {
            remainder = remainder.shift_left(1);
            remainder.limbs[0] |= u64::from(self.bit(index));
            if remainder.compare(&wider) != Ordering::Less {
                remainder = remainder.sub(&wider);
                quotient.limbs[index as usize / 64] |= 1 << (index % 64);
            }
        }
        Ok((quotient, remainder.resize(self.width)))
    }

    /// Quotient and remainder of signed division, which rounds to zero.
    pub fn divide_signed(&self, divisor: &Self) -> Result<(Self, Self), Trouble> {
        if *divisor == Self::ones(self.width) && *self == Self::least(self.width) {
            return Err(Trouble::DivisionOverflow);
        }
        let (quotient, remainder) = self.magnitude().divide(&divisor.magnitude())?;
        let sign = |negative, value: Self| if negative { value.negate() } else { value };
        let quotient = sign(self.is_negative() != divisor.is_negative(), quotient);
        Ok((quotient, sign(self.is_negative(), remainder)))
    }

    /// The absolute value, as an unsigned number.
    pub fn magnitude(&self) -> Self {
        if self.is_negative() { self.negate() } else { self.clone() }
    }

    pub fn shift_left(&self, amount: u32) -> Self {
        let (skip, bits) = (amount as usize / 64, amount % 64);
        Self::from_limbs(self.width, |index| {
            let limb = |back: usize| index.checked_sub(skip + back).map_or(0, |index| self.limb(index));
            limb(0) << bits | limb(1).checked_shr(64 - bits).unwrap_or(0)
        })
    }

    pub fn shift_right(&self, amount: u32) -> Self {
        let (skip, bits) = (amount as usize / 64, amount % 64);
        Self::from_limbs(self.width, |index| {
            let high = self.limb(index + skip + 1).checked_shl(64 - bits).unwrap_or(0);
            self.limb(index + skip) >> bits | high
        })
    }

    /// Shifts in copies of the sign.
    pub fn shift_right_signed(&self, amount: u32) -> Self {
        let shifted = self.shift_right(amount);
        if !self.is_negative() {
            return shifted;
        }
        shifted.or(&Self::ones(self.width).shift_right(amount).not())
    }

    /// Compares as unsigned numbers.
    pub fn compare(&self, other: &Self) -> Ordering {
        self.limbs.iter().rev().cmp(other.limbs.iter().rev())
    }

    /// Compares as signed numbers.
    pub fn compare_signed(&self, other: &Self) -> Ordering {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            _ => self.compare(other),
        }
    }

    /// Number of bits up to the highest one that is set.
    pub fn bit_length(&self) -> u32 {
        let highest = self.limbs.iter().rposition(|&limb| limb != 0);
        highest.map_or(0, |index| index as u32 * 64 + 64 - self.limbs[index].leading_zeros())
    }

    /// Number of zeros below the lowest bit that is set; the width if none is.
    pub fn trailing_zeros(&self) -> u32 {
        let lowest = self.limbs.iter().position(|&limb| limb != 0);
        lowest.map_or(self.width, |index| index as u32 * 64 + self.limbs[index].trailing_zeros())
    }

    pub fn count_ones(&self) -> u32 {
        self.limbs.iter().map(|limb| limb.count_ones()).sum()
    }

    /// The bits in the opposite order.
    pub fn reverse_bits(&self) -> Self {
        let last = self.limbs.len() - 1;
        let reversed =
            Self::from_limbs(self.limbs.len() as u32 * 64, |index| self.limbs[last - index].reverse_bits());
        reversed.shift_right(reversed.width - self.width).resize(self.width)
    }

    /// The bytes in the opposite order, for widths of whole bytes.
    pub fn swap_bytes(&self) -> Self {
        let last = self.limbs.len() - 1;
        let swapped =
            Self::from_limbs(self.limbs.len() as u32 * 64, |index| self.limbs[last - index].swap_bytes());
        swapped.shift_right(swapped.width - self.width).resize(self.width)
    }

    /// The integer square root, and whether it is not exact.
    pub fn square_root(&self) -> (Self, bool) {
        let mut root = Self::zero(self.width);
        let mut rest = self.clone();
        // Digit by digit: `root` is twice the root so far, aligned with the digit that is decided.
        for index in (0..self.bit_length().div_ceil(2)).rev() {
            let digit = Self::new(self.width, 1).shift_left(2 * index);
            let trial = root.or(&digit);
            root = root.shift_right(1);
            if rest.compare(&trial) != Ordering::Less {
                rest = rest.sub(&trial);
                root = root.or(&digit);
            }
        }
        (root, !rest.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::random::Random;

    fn integer(value: u128) -> Integer {
        Integer::new(128, value)
    }

    #[test]
    fn like_the_host_at_128_bits() {
        let mut random = Random(3);
        for _ in 0..3000 {
            let (a, b) = (random.wide(), random.wide());
            let (x, y) = (integer(a), integer(b));
            assert_eq!(x.add(&y).low(), a.wrapping_add(b));
            assert_eq!(x.sub(&y).low(), a.wrapping_sub(b));
            assert_eq!(x.mul(&y).low(), a.wrapping_mul(b));
            assert_eq!(x.compare(&y), a.cmp(&b));
            assert_eq!(x.compare_signed(&y), (a as i128).cmp(&(b as i128)));
            assert_eq!(x.divide(&y).ok().map(|(q, _)| q.low()), a.checked_div(b));
            assert_eq!(x.divide(&y).ok().map(|(_, r)| r.low()), a.checked_rem(b));
            let (signed_a, signed_b) = (a as i128, b as i128);
            let quotient = x.divide_signed(&y).ok().map(|(q, _)| q.low() as i128);
            assert_eq!(quotient, signed_a.checked_div(signed_b));
            let remainder = x.divide_signed(&y).ok().map(|(_, r)| r.low() as i128);
            assert_eq!(remainder, signed_a.checked_rem(signed_b));
            let amount = random.below(128) as u32;
            assert_eq!(x.shift_left(amount).low(), a << amount);
            assert_eq!(x.shift_right(amount).low(), a >> amount);
            assert_eq!(x.shift_right_signed(amount).low() as i128, signed_a >> amount);
            assert_eq!(x.reverse_bits().low(), a.reverse_bits());
            assert_eq!(x.swap_bytes().low(), a.swap_bytes());
            assert_eq!(x.count_ones(), a.count_ones());
            assert_eq!(x.trailing_zeros(), a.trailing_zeros());
            assert_eq!(x.bit_length(), 128 - a.leading_zeros());
            let (root, inexact) = x.square_root();
            assert_eq!(root.low(), a.isqrt());
            assert_eq!(inexact, a.isqrt().pow(2) != a);
        }
    }

    #[test]
    fn wider_than_the_host() {
        let mut random = Random(4);
        for _ in 0..500 {
            let width = 129 + random.below(400) as u32;
            let a = Integer::from_limbs(width, |_| random.word());
            let b = Integer::from_limbs(width, |_| random.word());
            assert_eq!(a.add(&b).sub(&b), a);
            assert_eq!(a.negate().negate(), a);
            assert_eq!(a.reverse_bits().reverse_bits(), a);
            if !b.is_zero() {
                let (quotient, remainder) = a.divide(&b).unwrap();
                assert_eq!(quotient.mul(&b).add(&remainder), a);
                assert_eq!(remainder.compare(&b), Ordering::Less);
            }
            let amount = random.below(width.into()) as u32;
            let mut power = Integer::zero(width);
            power.limbs[amount as usize / 64] = 1 << (amount % 64);
            assert_eq!(a.shift_left(amount), a.mul(&power));
            assert_eq!(a.shift_right(amount), a.divide(&power).unwrap().0);
            assert_eq!(a.resize_signed(width + 70).resize(width), a);
            assert_eq!(a.resize_signed(width + 70).is_negative(), a.is_negative());
        }
    }
}
