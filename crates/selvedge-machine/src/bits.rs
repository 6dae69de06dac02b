//! Sets of small numbers that are cheap to copy.

/// A set of small numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// Adds a number; says whether it was not in the set.
    pub fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (number / 64, 1 << (number % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Takes one of the numbers out.
    pub fn pop(&mut self) -> Option<usize> {
        let (index, word) = self.0.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let bit = word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(index * 64 + bit)
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn every_number_comes_out_once() {
        let mut bits = Bits::default();
        let inserted = [5, 200, 0, 5, 63, 64].map(|number| bits.insert(number));
        assert_eq!(inserted, [true, true, true, false, true, true]);
        let all: Vec<usize> = std::iter::from_fn(|| bits.pop()).collect();
        assert_eq!(all, [0, 5, 63, 64, 200]);
    }
}
