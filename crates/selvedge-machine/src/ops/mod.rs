//! Rare operations on registers. Pure functions of a frame's slots.
//!
//! Slots are indices into the frame that validation has checked. No value in them can make a function here
//! panic: what has no result is reported as [`Trouble`], and the interpreter decides what that means.

pub mod binary;
pub mod extended;
pub mod float;
mod formats;
mod integer;
pub mod intrinsics;
mod native_float;
pub mod repack;
pub mod rmw;
pub mod undefined;
mod undefined_rare;
pub mod wide;

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The divisor is zero.
    DivisionByZero,
    /// The quotient of the least signed integer and -1 is too large.
    DivisionOverflow,
    /// The result is undefined: a shift by at least the width, a float out of an integer's range. The
    /// destination is set to zero.
    Undefined,
    /// This cannot be computed in this format; the destination is left alone.
    Unsupported,
}

/// The low `width` bits of a slot set; all of them for 64 and more.
#[inline]
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The low `width` bits of two slots set; all of them for 128 and more.
#[inline]
pub fn mask_wide(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// Slots of an integer of so many bits.
#[inline]
fn slots(width: u32) -> usize {
    width.div_ceil(64).max(1) as usize
}

/// The one or two slots of a number of up to 128 bits.
#[inline]
fn read_wide(registers: &[u64], slot: u32, width: u32) -> u128 {
    let slot = slot as usize;
    let high = if width > 64 { registers[slot + 1] } else { 0 };
    (u128::from(high) << 64 | u128::from(registers[slot])) & mask_wide(width)
}

/// Writes a number of up to 128 bits to the one or two slots that its width needs.
#[inline]
fn write_wide(registers: &mut [u64], slot: u32, width: u32, value: u128) {
    let value = value & mask_wide(width);
    let slot = slot as usize;
    registers[slot] = value as u64;
    if width > 64 {
        registers[slot + 1] = (value >> 64) as u64;
    }
}

/// The sign extension of the low `width` bits (1..=128).
#[inline]
fn signed_wide(value: u128, width: u32) -> i128 {
    let shift = 128u32.saturating_sub(width).min(127);
    (value << shift) as i128 >> shift
}

#[cfg(test)]
pub(crate) mod random {
    //! Seeded numbers for tests, with a liking for edge cases.

    /// A small generator (xorshift64*).
    pub struct Random(pub u64);

    impl Random {
        pub fn next(&mut self) -> u64 {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
        }

        pub fn below(&mut self, bound: u64) -> u64 {
            self.next() % bound
        }

        /// A word that is often an extreme, small, or has few bits.
        pub fn word(&mut self) -> u64 {
            let edge = [0, 1, 2, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1, 1 << 31, (1 << 31) - 1];
            match self.below(4) {
                0 => edge[self.below(edge.len() as u64) as usize],
                1 => self.next() >> self.below(64),
                2 => u64::MAX << self.below(64),
                _ => self.next(),
            }
        }

        pub fn wide(&mut self) -> u128 {
            u128::from(self.word()) << 64 | u128::from(self.word())
        }
    }
}
