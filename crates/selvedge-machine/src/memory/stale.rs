//! Generations: how pointers to a freed object are told from pointers to whatever lives at its place now.
//!
//! Normally every use of a place counts one further, which costs nothing. But a count that only grows would make every
//! state new. So while memory is hashed, an object at a place that was used before gets the first generation again,
//! unless a register, a buffer or memory still holds a pointer of that generation. Stale pointers in memory need not be
//! kept apart from each other, because an access through any of them is a fault: they get generation 0, which no object
//! has.

use super::heap::{FreeBlock, LAST_GENERATION, UNIT_BITS};
use super::page::Extras;
use super::{ARENA_BASE, ARENA_BITS, Memory, PAGE_BITS, Provenance};
use selvedge_program::GLOBAL_BASE;
use std::sync::Arc;

/// Places that objects are to be found at that are gone: bases from `first` to before `end`.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    pub first: u64,
    pub end: u64,
    /// Whether others than the thread that the places belong to may hold pointers.
    pub escaped: bool,
}

impl Places {
    /// The generation of a pointer to one of the places.
    pub fn generation(&self, provenance: Provenance) -> Option<u32> {
        let generation = provenance.generation();
        (generation != 0 && (self.first..self.end).contains(&provenance.base())).then_some(generation)
    }
}

impl Memory {
    /// The generation of an object that is about to be allocated at a place of the arena that begins at `start`, and
    /// whether older pointers to that place may be anywhere.
    pub(super) fn generation(
        &mut self,
        start: u64,
        block: &FreeBlock,
        held: &dyn Fn(Places) -> Vec<u32>,
    ) -> (u32, bool) {
        let hashed = self.contents.hashed;
        let base = start + block.offset();
        if let Some(units) = block.replaced {
            let highest = match hashed {
                true => {
                    let first = start + (u64::from(units.0) << UNIT_BITS);
                    let end = first + (u64::from(units.1) << UNIT_BITS);
                    let places = Places { first, end, escaped: true };
                    self.forget_stale(places);
                    held(places).into_iter().max().unwrap_or(0)
                }
                false => self.arena(base).map_or(0, |(_, arena)| arena.highest_generation(units)),
            };
            if let Some(arena) = self.arena_mut(base) {
                arena.raise_floor(highest);
            }
        }
        let first = self.arena(base).map_or(1, |(_, arena)| arena.first_generation());
        let next = block.before.map_or(first, |before| before.generation + 1);
        if next <= LAST_GENERATION && (!hashed || block.before.is_none()) {
            return (next, false);
        }
        let escaped = !hashed || block.before.is_none_or(|before| before.escaped);
        let places = Places { first: base, end: base + 1, escaped };
        if escaped {
            self.forget_stale(places);
        }
        let held = held(places);
        let free = (1..=LAST_GENERATION).find(|generation| !held.contains(generation));
        (free.unwrap_or(LAST_GENERATION), escaped && !held.is_empty())
    }

    /// A pointer has been stored to memory.
    #[inline(never)]
    pub(super) fn note_stored(&mut self, address: u64, provenance: Provenance) {
        let base = provenance.base();
        if base >= ARENA_BASE {
            self.note_holding(address);
        }
        let Some((offset, object, place)) =
            self.arena(base).and_then(|(_, arena)| arena.find(base & ((1 << ARENA_BITS) - 1)))
        else {
            return;
        };
        if object.escaped || offset != base & ((1 << ARENA_BITS) - 1) {
            return;
        }
        if let Some(object) = self.arena_mut(base).and_then(|arena| arena.object_mut(place)) {
            object.escaped = true;
        }
    }

    /// A page may hold pointers into arenas from now on. Pages of arenas always may.
    pub(super) fn note_holding(&mut self, address: u64) {
        let page = address >> PAGE_BITS;
        if address < ARENA_BASE && !self.contents.holding.contains(&page) {
            Arc::make_mut(&mut self.contents.holding).push(page);
        }
    }

    /// Notes all pointers that memory holds.
    pub(super) fn note_all_stored(&mut self) {
        let first = GLOBAL_BASE >> PAGE_BITS;
        let mut all = Vec::new();
        let globals: &mut Vec<u64> = Arc::make_mut(&mut self.contents.holding);
        self.contents.globals.each(&mut |index, _| globals.push(first + u64::from(index)));
        self.each_page(&mut |page, extras| {
            let pointers = extras.all().filter(|(_, pointer)| pointer.base() >= ARENA_BASE);
            all.extend(pointers.map(|(_, pointer)| (page << PAGE_BITS, pointer)));
        });
        Arc::make_mut(&mut self.contents.holding).clear();
        all.into_iter().for_each(|(address, provenance)| self.note_stored(address, provenance));
    }

    /// All pages with pointers into arenas: their numbers and what they hold.
    fn each_page(&self, visit: &mut impl FnMut(u64, &Extras)) {
        let mut page = |number: u64, page: &super::Page| {
            if let Some(extras) = &page.extras {
                visit(number, extras);
            }
        };
        for &number in self.contents.holding.iter() {
            if let Some(content) = self.page_at(number) {
                page(number, content);
            }
        }
        self.contents.arenas.each(&mut |number, arena| {
            let first = (ARENA_BASE + (u64::from(number) << ARENA_BITS)) >> PAGE_BITS;
            arena.pages.each(&mut |index, content| page(first + u64::from(index), content));
        });
    }

    /// Pointers in memory to places where nothing lives get generation 0.
    fn forget_stale(&mut self, places: Places) {
        let mut stale = Vec::new();
        self.each_page(&mut |number, extras| {
            let pointers = extras.all().filter(|(_, provenance)| places.generation(*provenance).is_some());
            stale.extend(pointers.map(|(at, provenance)| {
                ((number << PAGE_BITS) + at as u64, Provenance::new(provenance.base(), 0))
            }));
        });
        stale.into_iter().for_each(|(address, provenance)| self.set_word_provenance(address, provenance));
    }
}
