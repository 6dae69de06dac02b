//! Bitcasts between values with different leaves.

use super::{formats, mask};
use selvedge_program::code::{Leaf, Repack, Slot};
use smallvec::SmallVec;

/// Executes the operation. Everything is read before anything is written: the leaves may share slots.
pub fn repack(registers: &mut [u64], op: &Repack) {
    for (slot, value) in repacked(op, |slot| registers[slot as usize]) {
        registers[slot as usize] = value;
    }
}

/// Number of bits of a leaf.
fn width(leaf: Leaf) -> u32 {
    match leaf {
        Leaf::Int(width) => width,
        Leaf::Ptr => 64,
        Leaf::Float(format) => formats::width(format),
    }
}

/// Where the bits of slots go when they are repacked: what each destination slot gets. A pointer's provenance
/// is read from nowhere and becomes zero, which is none. Works for any bits: values, or which are undefined.
pub(super) fn repacked(op: &Repack, read: impl Fn(Slot) -> u64) -> SmallVec<[(Slot, u64); 4]> {
    let mut stream = Bits::default();
    for &(leaf, slot) in &op.src {
        let mut left = width(leaf);
        let mut slot = slot;
        while left > 0 {
            stream.push(read(slot), left.min(64));
            left -= left.min(64);
            slot += 1;
        }
    }
    let mut written = SmallVec::new();
    for &(leaf, slot) in &op.dst {
        let mut left = width(leaf);
        for index in 0..leaf.slots() {
            written.push((slot + index, stream.pop(left.min(64))));
            left -= left.min(64);
        }
    }
    written
}

/// A queue of bits. Taken from when empty, it gives zeros.
#[derive(Default)]
struct Bits {
    words: SmallVec<[u64; 8]>,
    pushed: usize,
    popped: usize,
}

impl Bits {
    /// Appends up to 64 bits.
    fn push(&mut self, bits: u64, count: u32) {
        let bits = bits & mask(count);
        let (word, shift) = (self.pushed / 64, self.pushed % 64);
        self.words.resize(word + 2, 0);
        self.words[word] |= bits << shift;
        self.words[word + 1] |= bits.checked_shr(64 - shift as u32).unwrap_or(0);
        self.pushed += count as usize;
    }

    /// Takes up to 64 bits.
    fn pop(&mut self, count: u32) -> u64 {
        let (word, shift) = (self.popped / 64, self.popped % 64);
        let read = |index| self.words.get(index).copied().unwrap_or(0);
        let high = read(word + 1).checked_shl(64 - shift as u32).unwrap_or(0);
        let bits = (read(word) >> shift | high) & mask(count);
        self.popped += count as usize;
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_program::code::FloatFormat;

    fn check(src: &[(Leaf, Slot)], dst: &[(Leaf, Slot)], before: &[u64], after: &[u64]) {
        let mut registers = before.to_vec();
        repack(&mut registers, &Repack { src: src.into(), dst: dst.into() });
        assert_eq!(registers, after);
    }

    #[test]
    fn leaves_of_every_class() {
        let bytes = [(Leaf::Int(8), 0), (Leaf::Int(8), 1), (Leaf::Int(8), 2), (Leaf::Int(8), 3)];
        check(&bytes, &[(Leaf::Int(32), 0)], &[1, 2, 3, 4], &[0x0403_0201, 2, 3, 4]);
        check(&[(Leaf::Int(32), 0)], &bytes, &[0x0403_0201, 9, 9, 9], &[1, 2, 3, 4]);
        let bools: Vec<_> = (0..4).map(|slot| (Leaf::Int(1), slot)).collect();
        check(&bools, &[(Leaf::Int(4), 4)], &[1, 0, 1, 1, 9], &[1, 0, 1, 1, 13]);
        // A pointer gives its address, and one made from bits has no provenance.
        check(&[(Leaf::Ptr, 0)], &[(Leaf::Int(64), 2)], &[7, 8, 9], &[7, 8, 7]);
        check(&[(Leaf::Int(64), 0)], &[(Leaf::Ptr, 0)], &[7, 8], &[7, 0]);
        // 80 bits of x87 leave 48 of 128.
        let x87 = (Leaf::Float(FloatFormat::X87), 0);
        let parts = [(Leaf::Int(40), 2), (Leaf::Int(40), 3)];
        check(&[x87], &parts, &[u64::MAX, 0x4000, 0, 0], &[u64::MAX, 0x4000, (1 << 40) - 1, 0x40_00ff_ffff]);
        let wide = [(Leaf::Int(128), 2)];
        let words = [(Leaf::Int(64), 1), (Leaf::Int(64), 2)];
        check(&words, &wide, &[0, 1, 2, 3], &[0, 1, 1, 2]);
    }
}
