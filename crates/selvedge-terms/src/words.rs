//! Arithmetic on bit patterns, and the names of comparisons.

/// How two values are compared: LLVM's predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    Equal,
    NotEqual,
    UnsignedLess,
    UnsignedLessEqual,
    UnsignedGreater,
    UnsignedGreaterEqual,
    SignedLess,
    SignedLessEqual,
    SignedGreater,
    SignedGreaterEqual,
}

/// All bits of a width.
pub(crate) fn ones(width: u32) -> u128 {
    debug_assert!((1..=128).contains(&width));
    u128::MAX >> (128 - width)
}

/// The value of a pattern whose highest bit is the sign.
pub fn signed(width: u32, value: u128) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}

/// The pattern of a value, cut to a width.
pub fn cut(width: u32, value: u128) -> u128 {
    value & ones(width)
}
