//! The arena of one thread: where its heap blocks, stack objects and thread-local variables live.
//!
//! Where the next object goes depends only on which objects live: the lowest free place among those of its size
//! class, or else the lowest free unit. An arena is divided into units of 4 KiB; a unit holds objects of one class, or
//! is part of one large object. So the object that an address belongs to is found by arithmetic. A unit in which nothing
//! lives is free for everything, but until it is used again it remembers what lived there.

use super::persistent::Persistent;
use super::{PAGE_BITS, Provenance, page::Page};
use crate::words::Words;
use std::collections::BTreeSet;
use std::hash::Hasher;
use std::sync::Arc;

/// log2 of the size of a unit.
pub const UNIT_BITS: u32 = 12;
const UNIT: u64 = 1 << UNIT_BITS;
/// Units in an arena (4 GiB).
const UNITS: u32 = 1 << 20;
/// Pointers hold a generation of 20 bits.
pub const LAST_GENERATION: u32 = (1 << 20) - 1;

const CLASSES: [u16; 20] =
    [16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 800, 1024, 2048];

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// malloc, new, ...
    Heap,
    /// A local variable.
    Stack,
    /// A thread's copy of a thread-local variable.
    ThreadLocal,
    /// Made by the machine itself: arguments, environment, what library functions return.
    Library,
}

/// What is known of an object in an arena.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// Size asked for.
    pub size: u64,
    /// Tells pointers to it from pointers to what lived at its place before.
    pub generation: u32,
    /// Not freed.
    pub live: bool,
    /// Freed by another thread, and its place is not free yet.
    pub returned: bool,
    /// Its address can have reached another thread.
    pub shared: bool,
    /// Its address has been stored to memory or has reached another thread. Known only while memory is hashed.
    pub escaped: bool,
    pub kind: ObjectKind,
    /// Where it was allocated: a position of the program.
    pub allocated_at: u32,
    /// Where it was freed.
    pub freed_at: u32,
    /// The how many-th allocation of its thread.
    pub number: u32,
    /// For stack objects (function, alloca), for thread-local ones (0, global).
    pub origin: (u32, u32),
    /// A hash of the calls in which it was allocated, where that is wanted.
    pub site: u64,
}

impl Object {
    /// Whether its place is free.
    fn is_gone(&self) -> bool {
        !self.live && !self.returned
    }

    /// Whether a pointer with this provenance was made for this object, whose address is `base`.
    pub(crate) fn is_meant(&self, base: u64, provenance: Provenance) -> bool {
        self.generation == provenance.generation() && base == provenance.base()
    }
}

/// A unit of an arena.
#[derive(Clone)]
pub enum Unit {
    /// Objects of one size class; the places of `live` of them are not free.
    Small { class: u8, live: u16, objects: Vec<Object>, hash: u128 },
    /// The first unit of a large object; the rest are `Part`s.
    Large { units: u32, object: Object, hash: u128 },
    /// Belongs to the large object that starts at this unit.
    Part(u32),
}

/// An arena. Clones share what they have in common.
#[derive(Clone, Default)]
pub struct Arena {
    /// The pages, by number within the arena.
    pub pages: Persistent<Page>,
    /// The units, by number.
    pub units: Persistent<Unit>,
    allocator: Arc<Allocator>,
}

#[derive(Clone, Default)]
struct Allocator {
    /// One bit for each unit in which something lives.
    taken: Vec<u64>,
    /// Units in which something lives and which have a free place, by class.
    partial: BTreeSet<(u8, u32)>,
    /// Generations up to this one may be in use at places that nothing is remembered of.
    floor: u32,
    /// Allocations so far: names, not addresses, depend on it.
    allocations: u32,
}

impl Allocator {
    fn is_taken(&self, unit: u32) -> bool {
        // Unit 0 is never used, so that no object has offset 0.
        unit == 0 || self.taken.get(unit as usize / 64).is_some_and(|word| word >> (unit % 64) & 1 == 1)
    }

    fn set_taken(&mut self, unit: u32, taken: bool) {
        let word = unit as usize / 64;
        if self.taken.len() <= word {
            self.taken.resize(word + 1, 0);
        }
        match taken {
            true => self.taken[word] |= 1 << (unit % 64),
            false => self.taken[word] &= !(1 << (unit % 64)),
        }
    }

    /// The lowest run of free units that begins at a multiple of `step`.
    fn free_run(&self, count: u32, step: u32) -> Option<u32> {
        let mut start = step;
        while start + count <= UNITS {
            // Whole words are taken where a recursion is deep.
            let full =
                self.taken.iter().skip(start as usize / 64).take_while(|&&word| word == u64::MAX).count();
            if full > 0 {
                start = ((start / 64 + full as u32) * 64).next_multiple_of(step);
                continue;
            }
            match (start..start + count).rev().find(|&unit| self.is_taken(unit)) {
                Some(obstacle) => start = (obstacle + 1).next_multiple_of(step),
                None => return Some(start),
            }
        }
        None
    }

    fn lowest_free(&self) -> Option<u32> {
        let with_room = |(index, word): (usize, u64)| {
            let free = if index == 0 { !word & !1 } else { !word };
            (free != 0).then(|| index as u32 * 64 + free.trailing_zeros())
        };
        let known = self.taken.iter().copied().enumerate().find_map(with_room);
        known.or(Some((self.taken.len() as u32 * 64).max(1))).filter(|&unit| unit < UNITS)
    }
}

/// The arena has no room for an object of this size.
#[derive(Debug, PartialEq, Eq)]
pub struct OutOfMemory;

/// Where an object is: (unit, index within it).
pub type Place = (u32, u32);

/// Where the next object of some size goes.
#[derive(Clone, Copy)]
pub struct FreeBlock {
    place: Place,
    /// The size class, or the number of units.
    shape: Shape,
    /// What lived at the same place before.
    pub before: Option<Object>,
    /// Units that used to be something else, about which nothing will be remembered: first and number.
    pub replaced: Option<(u32, u32)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Small(u8),
    Large(u32),
}

impl FreeBlock {
    /// Offset in the arena.
    pub fn offset(&self) -> u64 {
        let (unit, index) = self.place;
        let start = u64::from(unit) << UNIT_BITS;
        match self.shape {
            Shape::Small(class) => start + u64::from(index) * u64::from(CLASSES[class as usize]),
            Shape::Large(_) => start,
        }
    }
}

/// The class of objects that have units for themselves.
const LARGE: u8 = CLASSES.len() as u8;

/// The size class of an object.
pub fn class_for(size: u64, align: u64) -> u8 {
    // Classes are multiples of 16; a stricter alignment takes a class that is a multiple of it.
    let class = CLASSES
        .iter()
        .position(|&c| u64::from(c) >= size && u64::from(c).is_multiple_of(align.max(16)))
        .filter(|_| align <= 1024);
    class.map_or(LARGE, |class| class as u8)
}

impl Arena {
    /// Finds the place for an object.
    pub fn free_block(&self, size: u64, align: u64) -> Result<FreeBlock, OutOfMemory> {
        match class_for(size, align) {
            LARGE => self.large_block(size, align),
            class => self.small_block(class),
        }
    }

    /// The size class of the object at a place.
    pub fn class_of(&self, (unit, _): Place) -> u8 {
        match self.units.get(unit) {
            Some(Unit::Small { class, .. }) => *class,
            Some(Unit::Large { .. } | Unit::Part(_)) | None => LARGE,
        }
    }

    fn small_block(&self, class: u8) -> Result<FreeBlock, OutOfMemory> {
        let shape = Shape::Small(class);
        let partial = self.allocator.partial.range((class, 0)..=(class, u32::MAX)).next();
        let unit = match partial {
            Some(&(_, unit)) => unit,
            None => self.allocator.lowest_free().ok_or(OutOfMemory)?,
        };
        match self.units.get(unit) {
            Some(Unit::Small { class: known, objects, .. }) if *known == class => {
                let index = objects.iter().position(Object::is_gone).unwrap_or(objects.len());
                let before = objects.get(index).copied();
                Ok(FreeBlock { place: (unit, index as u32), shape, before, replaced: None })
            }
            other => {
                let replaced = other.map(|_| (unit, 1));
                Ok(FreeBlock { place: (unit, 0), shape, before: None, replaced })
            }
        }
    }

    fn large_block(&self, size: u64, align: u64) -> Result<FreeBlock, OutOfMemory> {
        let count = size.div_ceil(UNIT).max(1);
        let step = align.div_ceil(UNIT).max(1);
        if count >= u64::from(UNITS) || step >= u64::from(UNITS) {
            return Err(OutOfMemory);
        }
        let (count, step) = (count as u32, step as u32);
        let unit = self.allocator.free_run(count, step).ok_or(OutOfMemory)?;
        let shape = Shape::Large(count);
        match self.units.get(unit) {
            Some(Unit::Large { units, object, .. }) if *units == count && self.is_whole(unit, count) => {
                Ok(FreeBlock { place: (unit, 0), shape, before: Some(*object), replaced: None })
            }
            _ => {
                let used = (unit..unit + count).any(|unit| self.units.get(unit).is_some());
                let replaced = used.then_some((unit, count));
                Ok(FreeBlock { place: (unit, 0), shape, before: None, replaced })
            }
        }
    }

    /// Whether all units of a large object that is gone still say that they were its own.
    fn is_whole(&self, first: u32, count: u32) -> bool {
        (first + 1..first + count)
            .all(|unit| matches!(self.units.get(unit), Some(Unit::Part(f)) if *f == first))
    }

    /// The generation that an object at a place gets that was never used, or of which nothing is remembered.
    pub fn first_generation(&self) -> u32 {
        self.allocator.floor + 1
    }

    /// Generations up to this one may be in use at places of which nothing is remembered.
    pub fn raise_floor(&mut self, generation: u32) {
        let allocator = Arc::make_mut(&mut self.allocator);
        allocator.floor = allocator.floor.max(generation);
    }

    /// The highest generation at some units.
    pub fn highest_generation(&self, (first, count): (u32, u32)) -> u32 {
        let of_unit = |unit: u32| match self.units.get(unit) {
            Some(Unit::Small { objects, .. }) => {
                objects.iter().map(|object| object.generation).max().unwrap_or(0)
            }
            Some(Unit::Large { object, .. }) => object.generation,
            Some(Unit::Part(_)) | None => 0,
        };
        (first..first + count).map(of_unit).max().unwrap_or(0)
    }

    /// Puts an object to its place. Returns the hash of what is forgotten for it.
    pub fn place(&mut self, block: &FreeBlock, object: Object) -> u128 {
        let allocator = Arc::make_mut(&mut self.allocator);
        let object = Object { live: true, returned: false, number: allocator.allocations, ..object };
        allocator.allocations += 1;
        let (unit, index) = block.place;
        let mut forgotten = 0_u128;
        let mut forget = |unit: Option<&Unit>| {
            forgotten = forgotten.wrapping_add(unit.map_or(0, Unit::last_hash));
        };
        match block.shape {
            Shape::Small(class) => {
                if !matches!(self.units.get(unit), Some(Unit::Small { class: known, .. }) if *known == class)
                {
                    forget(self.units.get(unit));
                    let small = Unit::Small { class, live: 0, objects: Vec::new(), hash: 0 };
                    *self.units.slot(unit) = Some(Arc::new(small));
                }
                let Some(Unit::Small { live, objects, .. }) = self.units.get_mut(unit) else {
                    unreachable!("the unit has just been made one of small objects");
                };
                match objects.get_mut(index as usize) {
                    Some(place) => *place = object,
                    None => objects.push(object),
                }
                *live += 1;
                let full = u64::from(*live) == UNIT / u64::from(CLASSES[class as usize]);
                if *live == 1 {
                    allocator.partial.insert((class, unit));
                    allocator.set_taken(unit, true);
                } else if full {
                    allocator.partial.remove(&(class, unit));
                }
            }
            Shape::Large(count) => {
                forget(self.units.get(unit));
                *self.units.slot(unit) = Some(Arc::new(Unit::Large { units: count, object, hash: 0 }));
                allocator.set_taken(unit, true);
                for part in unit + 1..unit + count {
                    allocator.set_taken(part, true);
                    if block.before.is_none() {
                        forget(self.units.get(part));
                        *self.units.slot(part) = Some(Arc::new(Unit::Part(unit)));
                    }
                }
            }
        }
        forgotten
    }

    /// Whether something lives at an offset.
    pub fn has_live(&self, offset: u64) -> bool {
        let found = self.find(offset);
        found.is_some_and(|(base, object, _)| object.live && offset - base < object.size.max(1))
    }

    /// The object that an offset lies in (or just behind), live or not: its offset and what is known of it.
    pub fn find(&self, offset: u64) -> Option<(u64, &Object, Place)> {
        let unit = (offset >> UNIT_BITS) as u32;
        let start = u64::from(unit) << UNIT_BITS;
        match self.units.get(unit)? {
            Unit::Small { class, objects, .. } => {
                let size = u64::from(CLASSES[*class as usize]);
                let index = (offset & (UNIT - 1)) / size;
                let object = objects.get(index as usize)?;
                Some((start + index * size, object, (unit, index as u32)))
            }
            Unit::Large { object, .. } => Some((start, object, (unit, 0))),
            Unit::Part(first) => match self.units.get(*first)? {
                // The first unit may be something else by now.
                Unit::Large { units, object, .. } if unit - first < *units => {
                    Some((u64::from(*first) << UNIT_BITS, object, (*first, 0)))
                }
                _ => None,
            },
        }
    }

    /// The object at a place, for writing.
    pub fn object_mut(&mut self, (unit, index): Place) -> Option<&mut Object> {
        match self.units.get_mut(unit)? {
            Unit::Small { objects, .. } => objects.get_mut(index as usize),
            Unit::Large { object, .. } => Some(object),
            Unit::Part(_) => None,
        }
    }

    /// Marks the object at a place as freed; the place is not free yet. Says how many pages a large object has given
    /// back.
    pub fn retire(&mut self, place: Place, freed_at: u32) -> u32 {
        if let Some(object) = self.object_mut(place) {
            (object.live, object.returned, object.shared, object.freed_at) = (false, true, false, freed_at);
        }
        let Some(&Unit::Large { units, .. }) = self.units.get(place.0) else { return 0 };
        let pages = units << (UNIT_BITS - PAGE_BITS);
        let first = place.0 << (UNIT_BITS - PAGE_BITS);
        for page in first..first + pages {
            if self.pages.get(page).is_some() {
                *self.pages.slot(page) = None;
            }
        }
        pages
    }

    /// The place of an object that is gone can be used again.
    pub fn reclaim(&mut self, (unit, index): Place) {
        let allocator = Arc::make_mut(&mut self.allocator);
        match self.units.get_mut(unit) {
            Some(Unit::Small { class, live, objects, .. }) => {
                objects[index as usize].returned = false;
                *live -= 1;
                match *live {
                    0 => {
                        allocator.partial.remove(&(*class, unit));
                        allocator.set_taken(unit, false);
                    }
                    left if u64::from(left) + 1 == UNIT / u64::from(CLASSES[*class as usize]) => {
                        allocator.partial.insert((*class, unit));
                    }
                    _ => {}
                }
            }
            Some(Unit::Large { units, object, .. }) => {
                object.returned = false;
                (unit..unit + *units).for_each(|unit| allocator.set_taken(unit, false));
            }
            Some(Unit::Part(_)) | None => {}
        }
    }

    /// Whether the object at a place is a large one: it has its pages for itself.
    pub fn is_large(&self, (unit, _): Place) -> bool {
        matches!(self.units.get(unit), Some(Unit::Large { .. }))
    }

    /// Live objects, in order of address: (offset, object).
    pub fn each_live(&self, visit: &mut impl FnMut(u64, &Object)) {
        self.units.each(&mut |unit, content| {
            let base = u64::from(unit) << UNIT_BITS;
            match content {
                Unit::Small { class, objects, .. } => {
                    let size = u64::from(CLASSES[*class as usize]);
                    for (i, object) in objects.iter().enumerate().filter(|(_, o)| o.live) {
                        visit(base + i as u64 * size, object);
                    }
                }
                Unit::Large { object, .. } if object.live => visit(base, object),
                Unit::Large { .. } | Unit::Part(_) => {}
            }
        });
    }
}

impl Unit {
    /// What can influence the rest of an execution: which objects live, their sizes, kinds, and whether they are
    /// shared. What lived here before does not count, nor do generations: pointers carry them.
    pub fn words(&self, number: u64) -> Option<Words> {
        let mut words = Words::new(number ^ 0x5e1f);
        let mut feed = |index: usize, object: &Object| {
            let flags = u64::from(object.shared) << 8 | object.kind as u64;
            [index as u64, object.size, flags].into_iter().for_each(|word| words.write_u64(word));
        };
        match self {
            Unit::Small { live: 0, .. } | Unit::Part(_) => return None,
            // Places that are not free yet are counted where it is known for which thread they wait.
            Unit::Small { objects, .. } if !objects.iter().any(|object| object.live) => return None,
            Unit::Large { object, .. } if !object.live => return None,
            Unit::Small { class, objects, .. } => {
                let live = objects.iter().enumerate().filter(|(_, object)| object.live);
                live.for_each(|(index, object)| feed(index, object));
                words.write_u8(*class);
            }
            Unit::Large { object, .. } => feed(0, object),
        }
        Some(words)
    }

    /// Hash of that; 0 if nothing lives here.
    pub fn digest(&self, number: u64) -> u128 {
        self.words(number).map_or(0, |words| words.digest())
    }

    /// The hash that was last computed for this unit.
    pub fn stored_hash(&mut self) -> Option<&mut u128> {
        match self {
            Unit::Small { hash, .. } | Unit::Large { hash, .. } => Some(hash),
            Unit::Part(_) => None,
        }
    }

    fn last_hash(&self) -> u128 {
        match self {
            Unit::Small { hash, .. } | Unit::Large { hash, .. } => *hash,
            Unit::Part(_) => 0,
        }
    }
}
