//! Places that other threads have given back: a thread that frees an object of another thread's arena must not change
//! where that thread's next object goes, or else every free would have to be ordered with every allocation.
//!
//! So the place is not free yet. It becomes free when its arena's thread joins the one that gave it back (a thread that
//! joins another takes over what that one gave back elsewhere), when its arena's thread ends, or when very many places
//! of its kind wait: a program that hands on objects for ever must come to the same states again.
//!
//! Objects that count their references are freed by the thread that gives up the last one, whichever that is. Their
//! places wait in the same way whichever thread frees them, so that it makes no difference afterwards which that was: until their
//! arena's thread has joined all others.

use super::{ARENA_BITS, Memory, arena_of};
use crate::words::Words;
use std::hash::Hasher;
use std::sync::Arc;

/// So many places of one size class wait at most, give or take what is given back before the next allocation.
const MOST: usize = 64;

/// Given back by whichever thread was the last to refer to an object. No arena has this number.
const BY_THE_LAST: u32 = u32::MAX;

/// A place that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Returned {
    address: u64,
    /// The size class.
    class: u8,
    /// Arena of the thread that gave it back, or [`BY_THE_LAST`].
    by: u32,
}

impl Memory {
    /// As `free`, by the thread of another arena.
    pub fn give_back(&mut self, at: super::Pointer, freed_at: u32, by: u32) {
        let Some((address, place)) = self.free_and_keep(at, freed_at) else { return };
        let Some(class) = self.arena(address).map(|(_, arena)| arena.class_of(place)) else { return };
        let returned = Arc::make_mut(&mut self.contents.returned);
        let index = returned.partition_point(|other| other.address < address);
        returned.insert(index, Returned { address, class, by });
    }

    /// As `free`, by the thread that gives up the last reference to an object: it makes no difference which one that is.
    pub fn give_up(&mut self, at: super::Pointer, freed_at: u32) {
        self.give_back(at, freed_at, BY_THE_LAST);
    }

    /// The thread of one arena has joined all others.
    pub fn join_all(&mut self, arena: u32) {
        self.reclaim(|place| place.by == BY_THE_LAST && arena_of(place.address) == Some(arena));
    }

    /// The thread of one arena has joined that of another.
    pub fn join_arenas(&mut self, arena: u32, joined: u32) {
        if self.contents.returned.iter().all(|place| place.by != joined) {
            return;
        }
        for place in Arc::make_mut(&mut self.contents.returned).iter_mut().filter(|place| place.by == joined)
        {
            place.by = arena;
        }
        self.reclaim(|place| place.by == arena && arena_of(place.address) == Some(arena));
    }

    /// An arena's thread has ended.
    pub fn close_arena(&mut self, arena: u32) {
        self.reclaim(|place| arena_of(place.address) == Some(arena));
    }

    /// Whether a further place like that of an object, if it is given back, may be free for the next allocation.
    pub fn has_returned_many(&self, address: u64) -> bool {
        let found = self.arena(address).and_then(|(number, arena)| {
            let (_, _, place) = arena.find(address & ((1 << ARENA_BITS) - 1))?;
            Some((number, arena.class_of(place)))
        });
        found.is_some_and(|(arena, class)| self.count_returned(arena, class) + 1 >= MOST)
    }

    /// Before an object of some class is allocated: the places that wait are free if there are very many.
    pub(super) fn mind_returned(&mut self, arena: u32, class: u8) {
        if !self.contents.returned.is_empty() && self.count_returned(arena, class) >= MOST {
            self.reclaim(|place| place.class == class && arena_of(place.address) == Some(arena));
        }
    }

    fn count_returned(&self, arena: u32, class: u8) -> usize {
        let like = |place: &&Returned| place.class == class && arena_of(place.address) == Some(arena);
        self.contents.returned.iter().filter(like).count()
    }

    fn reclaim(&mut self, which: impl Fn(&Returned) -> bool) {
        if !self.contents.returned.iter().any(&which) {
            return;
        }
        let mut free = Vec::new();
        Arc::make_mut(&mut self.contents.returned).retain(|place| {
            let keep = !which(place);
            free.extend((!keep).then_some(place.address));
            keep
        });
        for address in free {
            self.touch_unit(address);
            if let Some(place) = self.place(address)
                && let Some(arena) = self.arena_mut(address)
            {
                arena.reclaim(place);
            }
        }
    }

    /// What waits: it settles where objects will be.
    pub(super) fn returned_words(&self) -> Option<Words> {
        if self.contents.returned.is_empty() {
            return None;
        }
        let mut words = Words::new(0x4e7a);
        for place in self.contents.returned.iter() {
            words.write_u64(place.address);
            words.write_u32(place.by);
        }
        Some(words)
    }
}
