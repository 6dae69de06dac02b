//! Reading and writing bytes. Bounds have been checked by the caller.

use super::page::{PAGE_BITS, PAGE_SIZE, Page};
use super::{ARENA_BASE, ARENA_BITS, CACHE, CachedPage, Memory, NO_THREAD, Persistent, Pointer, Provenance};
use selvedge_program::GLOBAL_BASE;
use selvedge_terms::Term;
use std::sync::Arc;

/// What a read found besides the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The bytes, zero-extended.
    pub value: u64,
    /// Provenance of the pointer that the bytes are, or that they are a part of.
    pub provenance: Provenance,
    /// All bytes held a value.
    pub defined: bool,
}

/// Copies of up to this many bytes need no room on the heap.
const SMALL: usize = 256;
const OFFSET: u64 = PAGE_SIZE as u64 - 1;

impl Memory {
    /// The tree that holds a page, and the page's index in it.
    pub(super) fn page_tree(&mut self, number: u64) -> Option<(&mut Persistent<Page>, u32)> {
        let address = number << PAGE_BITS;
        match address.checked_sub(ARENA_BASE) {
            Some(offset) => {
                let arena = self.contents.arenas.get_mut((offset >> ARENA_BITS) as u32)?;
                Some((&mut arena.pages, (offset as u32) >> PAGE_BITS))
            }
            None => {
                let offset = address.checked_sub(GLOBAL_BASE)?;
                Some((&mut self.contents.globals, (offset >> PAGE_BITS) as u32))
            }
        }
    }

    pub(super) fn page_at(&self, number: u64) -> Option<&Page> {
        let address = number << PAGE_BITS;
        match address.checked_sub(ARENA_BASE) {
            Some(offset) => {
                let arena = self.contents.arenas.get((offset >> ARENA_BITS) as u32)?;
                arena.pages.get((offset as u32) >> PAGE_BITS)
            }
            None => self.contents.globals.get((address.checked_sub(GLOBAL_BASE)? >> PAGE_BITS) as u32),
        }
    }

    /// A page for reading; absent pages are all undefined.
    #[inline(always)]
    fn readable(&mut self, address: u64) -> Option<&Page> {
        self.read_elsewhere |= address != self.except;
        let number = address >> PAGE_BITS;
        let cached = &self.pages[number as usize % CACHE];
        if cached.number == number {
            // SAFETY: a cached page is owned by this memory's trees. Whatever replaces or drops a page
            // (`writable_slowly`, `free`, `restore`, `hash`) also replaces or drops the cache entry.
            return Some(unsafe { &*cached.page });
        }
        self.readable_slowly(number)
    }

    #[cold]
    fn readable_slowly(&mut self, number: u64) -> Option<&Page> {
        let page: *const Page = self.page_at(number)?;
        self.cache_page(CachedPage { number, page: page.cast_mut(), epoch: 0 });
        // SAFETY: just obtained from the tree that owns it.
        Some(unsafe { &*page })
    }

    fn cache_page(&mut self, cached: CachedPage) {
        let index = cached.number as usize % CACHE;
        self.pages[index] = cached;
        self.pages_used[index / 64] |= 1 << (index % 64);
    }

    /// A page for writing.
    #[inline(always)]
    fn writable(&mut self, address: u64) -> &mut Page {
        let number = address >> PAGE_BITS;
        let cached = &self.pages[number as usize % CACHE];
        if cached.number == number && cached.epoch == self.epoch {
            // SAFETY: as in `readable`; and within one epoch the page is shared with no snapshot, since taking
            // one ends the epoch.
            return unsafe { &mut *cached.page };
        }
        self.writable_slowly(number)
    }

    #[cold]
    fn writable_slowly(&mut self, number: u64) -> &mut Page {
        if self.contents.hashed {
            self.contents.dirty_pages.push(number);
        }
        let epoch = self.epoch;
        let (tree, index) =
            self.page_tree(number).expect("a checked access lies in an arena or in the globals");
        let slot = tree.slot(index).get_or_insert_with(|| Arc::new(Page::new()));
        let page: *mut Page = Arc::make_mut(slot);
        self.cache_page(CachedPage { number, page, epoch });
        // SAFETY: just obtained from the tree that owns it, unique by `make_mut`.
        unsafe { &mut *page }
    }

    /// Reads up to 8 bytes.
    #[inline(always)]
    pub fn read(&mut self, address: u64, len: usize) -> Read {
        let at = (address & OFFSET) as usize;
        if at + len > PAGE_SIZE {
            return self.read_across(address, len);
        }
        let Some(page) = self.readable(address) else {
            return Read { value: 0, provenance: Provenance::NONE, defined: false };
        };
        let mut bytes = [0; 8];
        match len {
            8 => bytes.copy_from_slice(&page.bytes[at..at + 8]),
            4 => bytes[..4].copy_from_slice(&page.bytes[at..at + 4]),
            1 => bytes[0] = page.bytes[at],
            _ => bytes[..len].copy_from_slice(&page.bytes[at..at + len]),
        }
        let provenance = if len == 8 { page.pointer(at) } else { page.part_of_pointer(at, len) };
        Read { value: u64::from_le_bytes(bytes), provenance, defined: page.is_defined(at, len) }
    }

    #[cold]
    fn read_across(&mut self, address: u64, len: usize) -> Read {
        let mut value = 0;
        let mut defined = true;
        for i in 0..len {
            let byte = self.read(address + i as u64, 1);
            value |= byte.value << (8 * i);
            defined &= byte.defined;
        }
        Read { value, provenance: Provenance::NONE, defined }
    }

    /// Writes up to 8 bytes; `provenance` is that of a whole pointer.
    #[inline(always)]
    pub fn write(&mut self, address: u64, len: usize, value: u64, provenance: Provenance) {
        let at = (address & OFFSET) as usize;
        if at + len > PAGE_SIZE {
            let bytes = value.to_le_bytes();
            self.expose(&[provenance]);
            return self.write_bytes(address, &bytes[..len]);
        }
        let page = self.writable(address);
        let bytes = value.to_le_bytes();
        match len {
            8 => page.bytes[at..at + 8].copy_from_slice(&bytes),
            4 => page.bytes[at..at + 4].copy_from_slice(&bytes[..4]),
            1 => page.bytes[at] = bytes[0],
            _ => page.bytes[at..at + len].copy_from_slice(&bytes[..len]),
        }
        page.set_defined(at, len, true);
        if page.extras.is_some() || provenance != Provenance::NONE {
            let cut = page.cut_pointers(at, len);
            page.forget_extras(at, len);
            if len == 8 {
                page.set_pointer(at, provenance);
            }
            self.expose(&cut);
            if len == 8 && provenance != Provenance::NONE && self.contents.hashed {
                self.note_stored(address, provenance);
            }
        }
    }

    /// The addresses of these objects can be followed no further: a thread is left with bytes of them, or with nothing
    /// that says what they are.
    fn expose(&mut self, provenances: &[Provenance]) {
        if self.accessing != NO_THREAD {
            let arenas = provenances.iter().filter(|provenance| provenance.base() >= ARENA_BASE);
            self.exposed.extend(arenas);
        }
    }

    /// Takes the objects that were exposed since this was asked last.
    pub fn take_exposed(&mut self) -> Vec<Provenance> {
        std::mem::take(&mut self.exposed)
    }

    /// Calls `each` with the parts of a range that lie in one page: (address, position in the range, length).
    fn split(address: u64, len: u64, mut each: impl FnMut(u64, usize, usize)) {
        let mut done = 0;
        while done < len {
            let at = address + done;
            let part = (PAGE_SIZE as u64 - (at & OFFSET)).min(len - done);
            each(at, done as usize, part as usize);
            done += part;
        }
    }

    /// Writes bytes that are no pointers.
    pub fn write_bytes(&mut self, address: u64, bytes: &[u8]) {
        Self::split(address, bytes.len() as u64, |at, from, len| {
            let page = self.writable(at);
            let at = (at & OFFSET) as usize;
            page.bytes[at..at + len].copy_from_slice(&bytes[from..from + len]);
            page.set_defined(at, len, true);
            let cut = page.cut_pointers(at, len);
            page.forget_extras(at, len);
            self.expose(&cut);
        });
    }

    /// Writes the same byte everywhere.
    pub fn fill(&mut self, address: u64, byte: u8, len: u64) {
        Self::split(address, len, |at, _, len| {
            let page = self.writable(at);
            let at = (at & OFFSET) as usize;
            page.bytes[at..at + len].fill(byte);
            page.set_defined(at, len, true);
            let cut = page.cut_pointers(at, len);
            page.forget_extras(at, len);
            self.expose(&cut);
        });
    }

    /// The bytes hold no value any more.
    pub fn undefine(&mut self, address: u64, len: u64) {
        Self::split(address, len, |at, _, len| {
            let page = self.writable(at);
            let at = (at & OFFSET) as usize;
            page.bytes[at..at + len].fill(0);
            page.set_defined(at, len, false);
            let cut = page.cut_pointers(at, len);
            page.forget_extras(at, len);
            self.expose(&cut);
        });
    }

    /// As `undefine`, but does not bring pages into being for it.
    pub(super) fn clear(&mut self, address: u64, len: u64) {
        Self::split(address, len, |at, _, len| {
            let number = at >> PAGE_BITS;
            if let Some(page) = self.page_at(number) {
                let words =
                    &page.defined[(at & OFFSET) as usize >> 6..=((at & OFFSET) as usize + len - 1) >> 6];
                if words.iter().any(|&word| word != 0) {
                    self.undefine(at, len as u64);
                }
            }
        });
    }

    /// Reads bytes; tells whether all of them hold a value.
    pub fn read_bytes(&mut self, address: u64, bytes: &mut [u8]) -> bool {
        let mut defined = true;
        Self::split(address, bytes.len() as u64, |at, to, len| match self.readable(at) {
            Some(page) => {
                let at = (at & OFFSET) as usize;
                bytes[to..to + len].copy_from_slice(&page.bytes[at..at + len]);
                defined &= page.is_defined(at, len);
            }
            None => {
                bytes[to..to + len].fill(0);
                defined = false;
            }
        });
        defined
    }

    /// Whether each of the bytes holds a value.
    pub fn defined_bytes(&mut self, address: u64, len: usize) -> Vec<bool> {
        let mut result = vec![false; len];
        Self::split(address, len as u64, |at, to, len| {
            if let Some(page) = self.readable(at) {
                let at = (at & OFFSET) as usize;
                for i in 0..len {
                    result[to + i] = page.is_defined(at + i, 1);
                }
            }
        });
        result
    }

    /// Provenance of the pointer at an address.
    pub fn word_provenance(&mut self, address: u64) -> Provenance {
        self.readable(address).map_or(Provenance::NONE, |page| page.pointer((address & OFFSET) as usize))
    }

    /// Sets the provenance of the pointer at an address, where the bytes were just written. A pointer that lies in two
    /// pages cannot have one.
    pub fn set_word_provenance(&mut self, address: u64, provenance: Provenance) {
        let at = (address & OFFSET) as usize;
        if at + 8 > PAGE_SIZE {
            return self.expose(&[provenance]);
        }
        self.writable(address).set_pointer(at, provenance);
        if provenance != Provenance::NONE && self.contents.hashed {
            self.note_stored(address, provenance);
        }
    }

    /// Copies bytes with everything that is known of them; the ranges may overlap.
    pub fn copy(&mut self, to: u64, from: u64, len: u64) {
        let one_page = |at: u64| (at & OFFSET) + len <= PAGE_SIZE as u64;
        if len <= SMALL as u64 && one_page(to) && one_page(from) && self.copy_small(to, from, len as usize) {
            return;
        }
        let mut bytes = vec![0; len as usize];
        let all_defined = self.read_bytes(from, &mut bytes);
        let (mut words, mut cut) = (Vec::new(), Vec::new());
        self.pointers_overlapping(from, len, &mut |start, provenance| match start >= from
            && start + 8 <= from + len
        {
            true => words.push((start - from, provenance)),
            false => cut.push(provenance),
        });
        self.expose(&cut);
        let defined = if all_defined { Vec::new() } else { self.defined_bytes(from, len as usize) };
        let terms = self.terms(from, len);
        self.write_bytes(to, &bytes);
        for (offset, term) in terms {
            self.set_term(to + offset, Some(term));
        }
        for (offset, provenance) in words {
            self.set_word_provenance(to + offset, provenance);
        }
        for (i, _) in defined.iter().enumerate().filter(|(_, defined)| !**defined) {
            self.undefine(to + i as u64, 1);
        }
    }

    /// The common case: both ranges lie within a page and every byte holds a value. False if that is not so.
    fn copy_small(&mut self, to: u64, from: u64, len: usize) -> bool {
        let at = (from & OFFSET) as usize;
        let Some(page) = self.readable(from) else { return false };
        if !page.is_defined(at, len) {
            return false;
        }
        let mut bytes = [0; SMALL];
        bytes[..len].copy_from_slice(&page.bytes[at..at + len]);
        if page.terms(at, len).is_some() {
            return false;
        }
        // Pointers that move to other alignments, and parts of them, are rare.
        let carries = page.extras.is_some();
        let first = at.next_multiple_of(8);
        let whole = (at + len).saturating_sub(first) / 8;
        let mut words = [Provenance::NONE; SMALL / 8];
        if let Some(extras) = &page.extras {
            let aligned = to & 7 == from & 7;
            if !(aligned && extras.unaligned.is_empty() && page.cut_pointers(at, len).is_empty())
                && extras.overlapping(at, len).next().is_some()
            {
                return false;
            }
            if aligned {
                words[..whole].copy_from_slice(&extras.pointers[first / 8..first / 8 + whole]);
            }
        }
        let target = (to & OFFSET) as usize;
        let page = self.writable(to);
        page.bytes[target..target + len].copy_from_slice(&bytes[..len]);
        page.set_defined(target, len, true);
        let cut = page.cut_pointers(target, len);
        page.forget_extras(target, len);
        let holds = |provenance: &Provenance| *provenance != Provenance::NONE;
        let holding = carries && words[..whole].iter().any(holds);
        if holding {
            for (i, &provenance) in words[..whole].iter().enumerate() {
                page.set_pointer(target + (first - at) + 8 * i, provenance);
            }
        }
        self.expose(&cut);
        if holding && self.contents.hashed {
            self.note_holding(to);
        }
        true
    }

    /// Collects the provenances of the pointers that have a byte in a range.
    pub fn pointers_in(&mut self, address: u64, len: u64, into: &mut Vec<Provenance>) {
        self.pointers_overlapping(address, len, &mut |_, provenance| into.push(provenance));
    }

    /// Calls `each` with the pointers that have a byte in a range: their addresses and provenances.
    fn pointers_overlapping(&mut self, address: u64, len: u64, each: &mut dyn FnMut(u64, Provenance)) {
        Self::split(address, len, |at, _, len| {
            if let Some(extras) = self.readable(at).and_then(|page| page.extras.as_ref()) {
                let (page, at) = (at & !OFFSET, (at & OFFSET) as usize);
                extras
                    .overlapping(at, len)
                    .for_each(|(start, provenance)| each(page + start as u64, provenance));
            }
        });
    }

    /// The bytes of a range that are expressions: how far from its start, and which ones.
    pub fn terms(&mut self, address: u64, len: u64) -> Vec<(u64, Term)> {
        let mut found = Vec::new();
        Self::split(address, len, |at, from, len| {
            if let Some(page) = self.readable(at)
                && let Some(terms) = page.terms((at & OFFSET) as usize, len)
            {
                let here =
                    terms.iter().enumerate().filter_map(|(i, term)| Some(((from + i) as u64, (*term)?)));
                found.extend(here);
            }
        });
        found
    }

    /// Calls `visit` with every byte that is an expression.
    pub fn each_term(&mut self, visit: &mut dyn FnMut(u64, Term)) {
        for &number in &*self.contents.term_pages.clone() {
            let first = number << PAGE_BITS;
            self.terms(first, PAGE_SIZE as u64).into_iter().for_each(|(at, term)| visit(first + at, term));
        }
    }

    /// Says which expression a byte is.
    pub fn set_term(&mut self, address: u64, term: Option<Term>) {
        if term.is_some() && !self.contents.term_pages.contains(&(address >> PAGE_BITS)) {
            Arc::make_mut(&mut self.contents.term_pages).insert(address >> PAGE_BITS);
        }
        self.writable(address).set_term((address & OFFSET) as usize, term);
    }

    /// Reads a pointer.
    pub fn read_pointer(&mut self, address: u64) -> Pointer {
        let read = self.read(address, 8);
        Pointer { address: read.value, provenance: read.provenance }
    }
}
