//! A page: bytes, which of them hold a value, and which words hold pointers.

use super::Provenance;
use crate::words::bytes;
use selvedge_terms::Term;
use selvedge_trace::mutants::{Mutant, mutant};
use xxhash_rust::xxh3::xxh3_128;

/// log2 of the size of a page.
pub const PAGE_BITS: u32 = 10;
/// Bytes in a page: small, because the first write to a page after a snapshot copies it.
pub const PAGE_SIZE: usize = 1 << PAGE_BITS;
const WORDS: usize = PAGE_SIZE / 8;

/// The bytes of a page, which of them hold a value, and the provenances of pointers if there are any.
type Held<'a> = (&'a [u8], &'a [u8], Option<([u64; WORDS], Vec<u64>)>);

/// A page of memory. Bytes that hold no value are zero, so that equal states have equal pages.
#[derive(Clone)]
pub struct Page {
    pub bytes: [u8; PAGE_SIZE],
    /// One bit a byte: it was written since its object was allocated.
    pub defined: [u64; PAGE_SIZE / 64],
    /// What most pages do not have.
    pub extras: Option<Box<Extras>>,
    /// Contribution to the memory's hash when it was last computed.
    pub hash: u128,
}

/// What only some pages have.
#[derive(Clone)]
pub struct Extras {
    /// For each aligned word the provenance of the pointer in it.
    pub pointers: [Provenance; WORDS],
    /// Pointers that do not begin at a word: where, and their provenance, in order. No two pointers overlap.
    pub unaligned: Vec<(u16, Provenance)>,
    /// For each byte the expression that it is, where it depends on inputs or on other threads.
    pub terms: Option<Box<[Option<Term>; PAGE_SIZE]>>,
}

impl Extras {
    fn new() -> Box<Self> {
        Box::new(Extras { pointers: [Provenance::NONE; WORDS], unaligned: Vec::new(), terms: None })
    }
}

/// Whether a pointer at `start` has a byte in a range, but not all of them.
fn is_cut(start: usize, at: usize, len: usize) -> bool {
    overlaps(start, at, len) && (start < at || start + 8 > at + len)
}

/// Whether a pointer at `start` has a byte in a range.
fn overlaps(start: usize, at: usize, len: usize) -> bool {
    start < at + len && at < start + 8
}

impl Extras {
    /// All pointers that have a byte in a range: where they are, and their provenance.
    pub fn overlapping(&self, at: usize, len: usize) -> impl Iterator<Item = (usize, Provenance)> {
        let first = at >> 3;
        let words = self.pointers[first..(at + len).div_ceil(8).max(first)].iter();
        let words = words.enumerate().map(move |(word, &provenance)| ((first + word) * 8, provenance));
        let unaligned = self.unaligned.iter().map(|&(start, provenance)| (usize::from(start), provenance));
        words
            .filter(|(_, provenance)| *provenance != Provenance::NONE)
            .chain(unaligned.filter(move |(start, _)| overlaps(*start, at, len)))
    }

    /// All pointers of the page: where they are, and their provenance.
    pub fn all(&self) -> impl Iterator<Item = (usize, Provenance)> {
        self.overlapping(0, PAGE_SIZE)
    }
}

impl Page {
    pub fn new() -> Self {
        Page { bytes: [0; PAGE_SIZE], defined: [0; PAGE_SIZE / 64], extras: None, hash: 0 }
    }

    /// Whether all of the bytes hold a value. `at + len` must not exceed the page.
    #[inline(always)]
    pub fn is_defined(&self, at: usize, len: usize) -> bool {
        debug_assert!(at + len <= PAGE_SIZE);
        let (mut at, end) = (at, at + len);
        while at < end {
            let in_word = (64 - (at & 63)).min(end - at);
            let mask = (u64::MAX >> (64 - in_word as u32)) << (at & 63);
            if self.defined[at >> 6] & mask != mask {
                return false;
            }
            at += in_word;
        }
        true
    }

    /// Marks bytes as holding a value, or not.
    #[inline(always)]
    pub fn set_defined(&mut self, at: usize, len: usize, defined: bool) {
        debug_assert!(at + len <= PAGE_SIZE);
        let (mut at, end) = (at, at + len);
        while at < end {
            let in_word = (64 - (at & 63)).min(end - at);
            let mask = (u64::MAX >> (64 - in_word as u32)) << (at & 63);
            match defined {
                true => self.defined[at >> 6] |= mask,
                false => self.defined[at >> 6] &= !mask,
            }
            at += in_word;
        }
    }

    /// Forgets pointers that overlap the bytes, and what they are expressions of.
    #[inline(always)]
    pub fn forget_extras(&mut self, at: usize, len: usize) {
        if let Some(extras) = &mut self.extras
            && len > 0
        {
            extras.pointers[at >> 3..=(at + len - 1) >> 3].fill(Provenance::NONE);
            if !extras.unaligned.is_empty() {
                extras.unaligned.retain(|&(start, _)| !overlaps(usize::from(start), at, len));
            }
            if let Some(terms) = &mut extras.terms {
                terms[at..at + len].fill(None);
            }
        }
    }

    /// Pointers of which a range has some bytes, but not all: what is left of them if the range is overwritten, or if it
    /// alone is copied, is the address of an object that can be followed no further.
    #[inline(always)]
    pub fn cut_pointers(&self, at: usize, len: usize) -> Vec<Provenance> {
        let Some(extras) = &self.extras else { return Vec::new() };
        // Of words only the first and the last can be cut.
        let edges = [at >> 3, (at + len).saturating_sub(1) >> 3].map(|word| extras.pointers[word]);
        if extras.unaligned.is_empty() && edges == [Provenance::NONE; 2] {
            return Vec::new();
        }
        let cut = extras.overlapping(at, len).filter(|&(start, _)| is_cut(start, at, len));
        cut.map(|(_, provenance)| provenance).collect()
    }

    /// The expressions that bytes are.
    pub fn terms(&self, at: usize, len: usize) -> Option<&[Option<Term>]> {
        let terms = self.extras.as_ref()?.terms.as_ref()?;
        Some(&terms[at..at + len])
    }

    /// Says which expression a byte is.
    pub fn set_term(&mut self, at: usize, term: Option<Term>) {
        if term.is_some() || self.extras.as_ref().is_some_and(|extras| extras.terms.is_some()) {
            let extras = self.extras.get_or_insert_with(Extras::new);
            extras.terms.get_or_insert_with(|| Box::new([None; PAGE_SIZE]))[at] = term;
        }
    }

    /// The provenance of the pointer at a place; 8 bytes from there must be in the page.
    #[inline(always)]
    pub fn pointer(&self, at: usize) -> Provenance {
        match &self.extras {
            Some(extras) if at & 7 == 0 => extras.pointers[at >> 3],
            _ if mutant(Mutant::UnalignedPointers) => Provenance::NONE,
            Some(extras) if !extras.unaligned.is_empty() => {
                let found = extras.unaligned.iter().find(|(start, _)| usize::from(*start) == at);
                found.map_or(Provenance::NONE, |(_, provenance)| *provenance)
            }
            _ => Provenance::NONE,
        }
    }

    /// The provenance of a pointer of which the bytes are a part.
    #[inline(always)]
    pub fn part_of_pointer(&self, at: usize, len: usize) -> Provenance {
        match &self.extras {
            Some(extras) => {
                extras.overlapping(at, len).next().map_or(Provenance::NONE, |(_, provenance)| provenance)
            }
            None => Provenance::NONE,
        }
    }

    /// Sets the provenance of the pointer at a place. What overlaps it is forgotten already.
    #[inline(always)]
    pub fn set_pointer(&mut self, at: usize, provenance: Provenance) {
        if self.extras.is_none() && provenance == Provenance::NONE {
            return;
        }
        let extras = self.extras.get_or_insert_with(Extras::new);
        if at & 7 == 0 {
            extras.pointers[at >> 3] = provenance;
            return;
        }
        extras.unaligned.retain(|(start, _)| usize::from(*start) != at);
        if provenance != Provenance::NONE && !mutant(Mutant::UnalignedPointers) {
            let index = extras.unaligned.partition_point(|(start, _)| usize::from(*start) < at);
            extras.unaligned.insert(index, (at as u16, provenance));
        }
    }

    /// What the page holds, if anything: a page that holds nothing is like one that is not there.
    fn held(&self) -> Option<Held<'_>> {
        if self.defined == [0; PAGE_SIZE / 64] {
            return None;
        }
        let held =
            |extras: &&Extras| !extras.unaligned.is_empty() || extras.pointers != [Provenance::NONE; WORDS];
        let pointers = self.extras.as_deref().filter(held).map(|extras| {
            let unaligned = extras.unaligned.iter().flat_map(|&(at, provenance)| [at.into(), provenance.0]);
            (extras.pointers.map(|provenance| provenance.0), unaligned.collect())
        });
        Some((&self.bytes, bytes(&self.defined), pointers))
    }

    /// What the page with this number holds, as bytes: nothing if it holds nothing.
    pub fn write(&self, number: u64, into: &mut Vec<u8>) {
        if let Some((contents, defined, pointers)) = self.held() {
            into.extend_from_slice(&number.to_le_bytes());
            into.extend_from_slice(contents);
            into.extend_from_slice(defined);
            if let Some((aligned, unaligned)) = &pointers {
                into.extend_from_slice(bytes(aligned));
                into.extend_from_slice(bytes(unaligned));
            }
        }
    }

    /// Hash of the contents of the page with this number; 0 if it holds nothing.
    pub fn digest(&self, number: u64) -> u128 {
        let Some((contents, defined, pointers)) = self.held() else { return 0 };
        let pointers = pointers.map_or(0, |(aligned, unaligned)| match unaligned.is_empty() {
            true => xxh3_128(bytes(&aligned)),
            false => xxh3_128(bytes(&aligned)).wrapping_mul(3).wrapping_add(xxh3_128(bytes(&unaligned))),
        });
        let [contents, defined] = [contents, defined].map(xxh3_128);
        let parts = [contents, defined, pointers].map(|part| [part as u64, (part >> 64) as u64]);
        let mut all = [number; 7];
        all[1..].copy_from_slice(parts.as_flattened());
        xxh3_128(bytes(&all))
    }
}
