//! Hashing of small things: words are collected and hashed at once, which is much cheaper than feeding a hasher that is
//! ready for anything.

use smallvec::SmallVec;
use std::hash::Hasher;
use xxhash_rust::xxh3::xxh3_128;

/// Up to so many words (240 bytes) are hashed quickly.
const PIECE: usize = 30;

/// Collects words; the seed comes first.
pub(crate) struct Words(SmallVec<[u64; 64]>);

impl Words {
    pub fn new(seed: u64) -> Self {
        Words(SmallVec::from_slice(&[seed]))
    }

    /// All words.
    pub fn bytes(&self) -> &[u8] {
        bytes(&self.0)
    }

    /// Hash of all words. The hash function is quick with few bytes and slow to begin with many: pieces are chained.
    pub fn digest(&self) -> u128 {
        let Some((first, rest)) = self.0.split_at_checked(PIECE) else { return xxh3_128(bytes(&self.0)) };
        let mut digest = xxh3_128(bytes(first));
        let mut piece = [0; PIECE];
        for words in rest.chunks(PIECE - 2) {
            (piece[0], piece[1]) = (digest as u64, (digest >> 64) as u64);
            piece[2..2 + words.len()].copy_from_slice(words);
            digest = xxh3_128(bytes(&piece[..2 + words.len()]));
        }
        digest
    }
}

/// The bytes of words, in the order of this machine: hashes never leave it.
pub(crate) fn bytes(words: &[u64]) -> &[u8] {
    // SAFETY: every byte of a `u64` is initialised, and bytes need no alignment.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

impl Hasher for Words {
    fn finish(&self) -> u64 {
        self.digest() as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0.push(u64::from_le_bytes(word));
        }
        self.0.push(bytes.len() as u64);
    }

    fn write_u8(&mut self, value: u8) {
        self.0.push(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.0.push(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.0.push(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0.push(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.0.push(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.0.push(value as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::Hash;

    #[test]
    fn what_differs_is_told_apart() {
        let digest = |seed, value: &dyn Fn(&mut Words)| {
            let mut words = Words::new(seed);
            value(&mut words);
            words.digest()
        };
        let values: [&dyn Fn(&mut Words); 6] = [
            &|words| (1_u8, 2_u64).hash(words),
            &|words| (2_u64, 1_u8).hash(words),
            &|words| [1_u8, 2].hash(words),
            &|words| [1_u8, 2, 0].hash(words),
            &|words| Some(1_u32).hash(words),
            &|_| {},
        ];
        let mut all: Vec<u128> =
            [0, 1].iter().flat_map(|&seed| values.map(|value| digest(seed, value))).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 12);
    }
}
