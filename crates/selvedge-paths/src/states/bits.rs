//! Rows of bits.

/// Rows of bits, all of one length.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    words: Vec<u64>,
    stride: usize,
    full: Vec<u64>,
}

impl Rows {
    /// So many rows of so many bits, none of them set.
    pub(super) fn new(rows: usize, bits: usize) -> Self {
        let stride = bits.div_ceil(64).max(1);
        Rows { words: vec![0; rows * stride], stride, full: vec![u64::MAX; stride] }
    }

    /// A row; of one that is not there, all bits are set.
    pub(super) fn row(&self, row: usize) -> &[u64] {
        self.words.get(row * self.stride..(row + 1) * self.stride).unwrap_or(&self.full)
    }

    pub(super) fn set(&mut self, row: usize, bit: usize) {
        self.words[row * self.stride + bit / 64] |= 1 << (bit % 64);
    }

    /// Sets in a row what is set in another one.
    pub(super) fn join(&mut self, row: usize, other: usize) {
        for word in 0..self.stride {
            self.words[row * self.stride + word] |= self.words[other * self.stride + word];
        }
    }

    /// Sets in a row what is set elsewhere.
    pub(super) fn add(&mut self, row: usize, other: &[u64]) {
        join(&mut self.words[row * self.stride..][..self.stride], other);
    }
}

/// Whether two rows have a bit in common.
pub(super) fn meet(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}

/// Sets in a row what is set in another one.
pub(super) fn join(row: &mut [u64], other: &[u64]) {
    row.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

/// The bits that are set.
pub(super) fn ones(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(index, &word)| {
        std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
            .take_while(|word| *word != 0)
            .map(move |word| index * 64 + word.trailing_zeros() as usize)
    })
}
