//! The arena of one thread: where its heap blocks, stack objects and thread-local variables live.
//!
//! Addresses depend only on what the thread itself allocated and on what was freed: the lowest free place of the
//! right size class is used first. An arena is divided into units of 4 KiB; a unit holds objects of one class, or
//! is part of one large object. So the object that an address belongs to is found by arithmetic.

use super::persistent::Persistent;
use super::{PAGE_BITS, page::Page};
use std::collections::BTreeMap;
use std::sync::Arc;

/// log2 of the size of a unit.
pub const UNIT_BITS: u32 = 12;
const UNIT: u64 = 1 << UNIT_BITS;
/// Units in an arena (4 GiB).
const UNITS: u32 = 1 << 20;
/// Times that a place is used again before it is retired: pointers hold a generation of 20 bits.
const LAST_GENERATION: u32 = (1 << 20) - 1;

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
    /// How often this place has been used.
    pub generation: u32,
    /// Not freed.
    pub live: bool,
    /// Its address can have reached another thread.
    pub shared: bool,
    /// What it is.
    pub kind: ObjectKind,
    /// Where it was allocated: a position of the program.
    pub allocated_at: u32,
    /// Where it was freed.
    pub freed_at: u32,
    /// The how many-th allocation of its thread.
    pub number: u32,
    /// For stack objects (function, alloca), for thread-local ones (0, global).
    pub origin: (u32, u32),
}

/// A unit of an arena.
#[derive(Clone)]
pub enum Unit {
    /// Objects of one size class.
    Small { class: u8, free: u16, objects: Vec<Object>, hash: u128 },
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
    /// Unit 0 is never used, so that no object has offset 0.
    next_unit: u32,
    /// For each class the units that have a free place.
    partial: [std::collections::BTreeSet<u32>; CLASSES.len()],
    /// Free runs of units by their length.
    runs: BTreeMap<u32, std::collections::BTreeSet<u32>>,
    /// Allocations so far: names, not addresses, depend on it.
    allocations: u32,
}

/// The arena has no room for an object of this size.
#[derive(Debug, PartialEq, Eq)]
pub struct OutOfMemory;

/// Where an object is: (unit, index within it).
pub type Place = (u32, u32);

impl Arena {
    /// Allocates an object; returns its offset in the arena and whether its bytes must be cleared (never: freed
    /// memory is clear).
    pub fn allocate(&mut self, size: u64, align: u64, object: Object) -> Result<(u64, Object), OutOfMemory> {
        let allocator = Arc::make_mut(&mut self.allocator);
        allocator.next_unit = allocator.next_unit.max(1);
        let number = allocator.allocations;
        allocator.allocations += 1;
        let object = Object { size, live: true, number, ..object };
        // Classes are multiples of 16; a stricter alignment takes a class that is a multiple of it.
        let class = CLASSES
            .iter()
            .position(|&c| u64::from(c) >= size && u64::from(c).is_multiple_of(align.max(16)))
            .filter(|_| align <= 1024);
        match class {
            Some(class) => self.allocate_small(class, object),
            None => self.allocate_large(size, align, object),
        }
    }

    fn allocate_small(&mut self, class: usize, object: Object) -> Result<(u64, Object), OutOfMemory> {
        let allocator = Arc::make_mut(&mut self.allocator);
        let class_size = u64::from(CLASSES[class]);
        let unit = match allocator.partial[class].first() {
            Some(&unit) => unit,
            None => {
                let unit = allocator.next_unit;
                if unit >= UNITS {
                    return Err(OutOfMemory);
                }
                allocator.next_unit += 1;
                let free = (UNIT / class_size) as u16;
                let small = Unit::Small { class: class as u8, free, objects: Vec::new(), hash: 0 };
                *self.units.slot(unit) = Some(Arc::new(small));
                allocator.partial[class].insert(unit);
                unit
            }
        };
        let Some(Unit::Small { free, objects, .. }) = self.units.get_mut(unit) else {
            unreachable!("a unit in a class's list holds objects of that class");
        };
        let usable = |o: &Object| !o.live && o.generation < LAST_GENERATION;
        let index = objects.iter().position(usable).unwrap_or(objects.len());
        let generation = objects.get(index).map_or(1, |o| o.generation + 1);
        let object = Object { generation, ..object };
        match objects.get_mut(index) {
            Some(place) => *place = object,
            None => objects.push(object),
        }
        *free -= 1;
        if *free == 0 {
            allocator.partial[class].remove(&unit);
        }
        Ok(((u64::from(unit) << UNIT_BITS) + index as u64 * class_size, object))
    }

    fn allocate_large(
        &mut self,
        size: u64,
        align: u64,
        object: Object,
    ) -> Result<(u64, Object), OutOfMemory> {
        let allocator = Arc::make_mut(&mut self.allocator);
        let count = size.div_ceil(UNIT).max(1);
        let step = align.div_ceil(UNIT).max(1);
        if count >= u64::from(UNITS) || step >= u64::from(UNITS) {
            return Err(OutOfMemory);
        }
        let (count, step) = (count as u32, step as u32);
        let aligned = |unit: u32| unit.is_multiple_of(step);
        let reused = allocator.runs.get(&count).and_then(|run| run.iter().copied().find(|&u| aligned(u)));
        let unit = match reused {
            Some(unit) => {
                allocator.runs.entry(count).or_default().remove(&unit);
                unit
            }
            None => {
                let unit = allocator.next_unit.next_multiple_of(step);
                if unit + count > UNITS {
                    return Err(OutOfMemory);
                }
                allocator.next_unit = unit + count;
                unit
            }
        };
        let generation = match self.units.get(unit) {
            Some(Unit::Large { object, .. }) => object.generation + 1,
            _ => 1,
        };
        let object = Object { generation, ..object };
        *self.units.slot(unit) = Some(Arc::new(Unit::Large { units: count, object, hash: 0 }));
        if reused.is_none() {
            for part in unit + 1..unit + count {
                *self.units.slot(part) = Some(Arc::new(Unit::Part(unit)));
            }
        }
        Ok((u64::from(unit) << UNIT_BITS, object))
    }

    /// The object that an offset lies in (or just behind), live or not: its offset and what is known of it.
    pub fn find(&self, offset: u64) -> Option<(u64, &Object, Place)> {
        let unit = (offset >> UNIT_BITS) as u32;
        match self.units.get(unit)? {
            Unit::Small { class, objects, .. } => {
                let size = u64::from(CLASSES[*class as usize]);
                let index = (offset & (UNIT - 1)) / size;
                let object = objects.get(index as usize)?;
                Some(((u64::from(unit) << UNIT_BITS) + index * size, object, (unit, index as u32)))
            }
            Unit::Large { object, .. } => Some((u64::from(unit) << UNIT_BITS, object, (unit, 0))),
            Unit::Part(first) => self.find(u64::from(*first) << UNIT_BITS),
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

    /// Marks the object at a place as freed, so that the place can be used again.
    pub fn release(&mut self, (unit, index): Place, freed_at: u32) {
        let allocator = Arc::make_mut(&mut self.allocator);
        match self.units.get_mut(unit) {
            Some(Unit::Small { class, free, objects, .. }) => {
                let object = &mut objects[index as usize];
                (object.live, object.shared, object.freed_at) = (false, false, freed_at);
                if object.generation < LAST_GENERATION {
                    *free += 1;
                    allocator.partial[*class as usize].insert(unit);
                }
            }
            Some(Unit::Large { units, object, .. }) => {
                (object.live, object.shared, object.freed_at) = (false, false, freed_at);
                if object.generation < LAST_GENERATION {
                    allocator.runs.entry(*units).or_default().insert(unit);
                }
                let pages = *units << (UNIT_BITS - PAGE_BITS);
                let first = unit << (UNIT_BITS - PAGE_BITS);
                for page in first..first + pages {
                    if self.pages.get(page).is_some() {
                        *self.pages.slot(page) = None;
                    }
                }
            }
            Some(Unit::Part(_)) | None => {}
        }
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
    /// Hash of what can influence the future: which objects live, their sizes, whether they are shared, and the
    /// generations that dangling pointers are told by.
    pub fn digest(&self, number: u64) -> u128 {
        let mut hasher = xxhash_rust::xxh3::Xxh3::with_seed(number ^ 0x5e1f);
        let mut feed = |object: &Object| {
            let flags = u64::from(object.live) | u64::from(object.shared) << 1;
            for word in [if object.live { object.size } else { 0 }, u64::from(object.generation), flags] {
                hasher.update(&word.to_le_bytes());
            }
        };
        match self {
            Unit::Small { objects, .. } => objects.iter().for_each(&mut feed),
            Unit::Large { object, .. } => feed(object),
            Unit::Part(_) => return 0,
        }
        hasher.digest128()
    }

    /// The hash that was last computed for this unit.
    pub fn stored_hash(&mut self) -> Option<&mut u128> {
        match self {
            Unit::Small { hash, .. } | Unit::Large { hash, .. } => Some(hash),
            Unit::Part(_) => None,
        }
    }
}
