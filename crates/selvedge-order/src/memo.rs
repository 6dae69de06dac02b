//! Frontiers from which the search has come back without success.

use std::hash::{BuildHasher, Hasher};

/// A set of keys of one length, compared word by word.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {
    length: usize,
    keys: Vec<u32>,
    /// Numbers of keys from 1 on, 0 where there is none.
    table: Vec<u32>,
}

impl Memo {
    /// Forgets everything; keys have this many words from now on.
    pub fn clear(&mut self, length: usize) {
        // What a hard query needed is not gone through again by all that follow.
        if !self.keys.is_empty() {
            self.table.truncate((4 * self.len()).next_power_of_two().max(64));
            self.table.fill(0);
        }
        self.length = length;
        self.keys.clear();
    }

    pub fn len(&self) -> usize {
        self.keys.len() / self.length.max(1)
    }

    fn hash(key: &[u32]) -> usize {
        let mut hasher = rustc_hash::FxBuildHasher.build_hasher();
        key.iter().for_each(|&word| hasher.write_u32(word));
        hasher.finish() as usize
    }

    fn slot(&self, key: &[u32]) -> usize {
        let mut slot = Self::hash(key) & (self.table.len() - 1);
        while let Some(number) = self.table[slot].checked_sub(1) {
            let start = number as usize * self.length;
            if self.keys[start..start + self.length] == *key {
                break;
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
        slot
    }

    pub fn contains(&self, key: &[u32]) -> bool {
        !self.keys.is_empty() && self.table[self.slot(key)] != 0
    }

    pub fn insert(&mut self, key: &[u32]) {
        debug_assert_eq!(key.len(), self.length);
        if self.table.len() < 2 * (self.len() + 1) {
            let size = (self.table.len() * 2).max(64);
            self.table.clear();
            self.table.resize(size, 0);
            for number in 0..self.len() {
                let start = number * self.length;
                let slot = self.slot(&self.keys[start..start + self.length]);
                self.table[slot] = number as u32 + 1;
            }
        }
        let slot = self.slot(key);
        if self.table[slot] == 0 {
            self.keys.extend_from_slice(key);
            self.table[slot] = self.len() as u32;
        }
    }
}
