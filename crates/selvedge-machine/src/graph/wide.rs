//! Values of 16 bytes in graphs, whose events have 8.

use crate::model::Datum;

/// What stands for something in a graph: itself if it has no upper half.
pub(super) fn stands_for(datum: Datum, upper: Option<Datum>) -> u64 {
    upper.map_or(datum.value, |upper| value(datum.value, upper.value))
}

/// What stands for a value of 16 bytes in a graph. Addresses with small numbers (the counters beside pointers) are told apart
/// for certain, others by a hash of 63 bits.
pub(crate) fn value(low: u64, high: u64) -> u64 {
    const ADDRESS: u32 = 48;
    const TOP: u64 = 1 << 63;
    if low >> ADDRESS == 0 && high < 1 << (63 - ADDRESS) {
        return high << ADDRESS | low;
    }
    let mix = |state: u64, word: u64| {
        let product = u128::from(state ^ word) * 0xd6e8_feb8_6659_fd93;
        (product as u64 ^ (product >> 64) as u64).rotate_left(29)
    };
    mix(mix(0x5bd1_e995_85eb_ca6b, low), high) | TOP
}
