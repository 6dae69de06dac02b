//! Memory: byte-exact, with undefined bytes, pointer provenance, cheap copies and an incremental hash.
//!
//! Every access is checked against the object that its pointer came from. Two small caches make that cheap: one
//! from provenance to bounds, one from page number to page. Nothing here knows threads or memory models: it is
//! what they act on.

mod access;
mod fault;
mod heap;
mod page;
mod peek;
mod persistent;
mod returned;
mod stale;
#[cfg(test)]
mod tests;

pub use access::Read;
pub use fault::{Fault, FaultKind};
pub use heap::{Object, ObjectKind};
pub use page::{PAGE_BITS, PAGE_SIZE};
pub use stale::Places;

use crate::parts::PartKind;
pub use heap::Arena;
use heap::{Place, UNIT_BITS};
use page::Page;
use persistent::Persistent;
use returned::Returned;
use selvedge_program::code::GlobalId;
use selvedge_program::{BLOCK_BASE, GLOBAL_BASE, Program};
use selvedge_trace::mutants::{Mutant, mutant};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The arenas of the threads begin here, 4 GiB each.
pub const ARENA_BASE: u64 = 0x1000_0000_0000;
const ARENA_BITS: u32 = 32;
/// Number of arenas that the address space has room for.
pub const ARENAS: u32 = 0x7000;

/// Which allocation a pointer came from: the object's address and the generation of that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Provenance(pub u64);

impl Provenance {
    /// Not known: a pointer made from an integer. It may access whatever lives at its address.
    pub const NONE: Provenance = Provenance(0);
    const BASE_BITS: u32 = 43;

    fn new(base: u64, generation: u32) -> Self {
        Provenance(base >> 4 | u64::from(generation) << Self::BASE_BITS)
    }

    pub(crate) fn base(self) -> u64 {
        (self.0 & ((1 << Self::BASE_BITS) - 1)) << 4
    }

    pub(crate) fn generation(self) -> u32 {
        (self.0 >> Self::BASE_BITS) as u32
    }
}

/// A pointer: an address and where it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Pointer {
    pub address: u64,
    pub provenance: Provenance,
}

impl Pointer {
    /// The null pointer.
    pub const NULL: Pointer = Pointer { address: 0, provenance: Provenance::NONE };

    /// This pointer moved by some bytes.
    pub fn offset(self, bytes: i64) -> Self {
        Pointer { address: self.address.wrapping_add(bytes as u64), ..self }
    }

    /// Whether it is null.
    pub fn is_null(self) -> bool {
        self.address == 0
    }
}

/// Where an object is and what may be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub base: u64,
    pub size: u64,
    /// Other threads may access it: accesses are visible.
    pub shared: bool,
    pub constant: bool,
}

/// Number of the arena that an address lies in.
pub fn arena_of(address: u64) -> Option<u32> {
    address.checked_sub(ARENA_BASE).map(|offset| (offset >> ARENA_BITS) as u32)
}

/// Where an arena begins.
pub fn arena_start(arena: u32) -> u64 {
    ARENA_BASE + (u64::from(arena) << ARENA_BITS)
}

/// What an address belongs to.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    /// A global variable.
    Global(GlobalId),
    /// An object in the arena with this number, and its base address.
    Object(u32, u64, Object),
}

#[derive(Clone, Copy)]
struct CachedBounds {
    provenance: Provenance,
    bounds: Bounds,
    /// The arena of a private object, and all ones; twice 0 for objects that every thread may access.
    owner: u32,
    owned: u32,
}

#[derive(Clone, Copy)]
struct CachedPage {
    number: u64,
    page: *mut Page,
    /// The page may be written while this equals the memory's epoch.
    epoch: u64,
}

const CACHE: usize = 256;
const NO_BOUNDS: CachedBounds = CachedBounds {
    provenance: Provenance::NONE,
    bounds: Bounds { base: 0, size: 0, shared: false, constant: false },
    owner: 0,
    owned: 0,
};
const NO_PAGE: CachedPage = CachedPage { number: u64::MAX, page: std::ptr::null_mut(), epoch: 0 };

/// The memory of one machine.
pub struct Memory {
    program: Arc<Program>,
    /// Globals by address, for finding one.
    global_order: Arc<[(u64, GlobalId)]>,
    contents: Contents,
    bounds: Box<[CachedBounds; CACHE]>,
    pages: Box<[CachedPage; CACHE]>,
    /// Which entries of the caches are in use, so that forgetting them costs what was used.
    bounds_used: Used,
    pages_used: Used,
    epoch: u64,
    /// Whether anything was read at another address than this one since that was asked last.
    except: u64,
    read_elsewhere: bool,
    /// The arena of the thread whose accesses are checked; `NO_THREAD` where it is not a thread that accesses.
    accessing: u32,
    /// Accesses to private objects of other threads are faults; otherwise these become shared by them.
    strict: bool,
    /// The first private object of another thread that was accessed.
    foreign: Option<Object>,
    /// Objects of which the running thread holds bytes of the address that cannot be followed further.
    exposed: Vec<Provenance>,
}

/// Stands for the arena of a thread where there is none.
const NO_THREAD: u32 = u32::MAX;

/// A bit for each entry of a cache.
type Used = [u64; CACHE / 64];

/// Calls `forget` with every entry in use, and marks all as unused.
fn forget_used(used: &mut Used, mut forget: impl FnMut(usize)) {
    for (word, bits) in used.iter_mut().enumerate() {
        while *bits != 0 {
            forget(word * 64 + bits.trailing_zeros() as usize);
            *bits &= *bits - 1;
        }
    }
}

/// What memory holds. Copies share everything that is not written later, so this is a snapshot of a memory.
#[derive(Clone, Default)]
pub struct Contents {
    globals: Persistent<Page>,
    /// Arenas by number; threads that never allocated have none.
    arenas: Persistent<Arena>,
    /// Places that are not free yet though their objects are gone, in order of address.
    returned: Arc<Vec<Returned>>,
    /// Pages of globals that pointers into arenas have been stored to. Kept only while memory is hashed.
    holding: Arc<Vec<u64>>,
    /// The hash has been asked for, so what is written is noted from then on.
    hashed: bool,
    /// Pages and units that may differ from what `hash` was computed of.
    dirty_pages: Vec<u64>,
    dirty_units: Vec<u64>,
    hash: u128,
    /// Pages with bytes that are expressions, or were.
    term_pages: Arc<BTreeSet<u64>>,
}

impl Contents {
    /// An arena as it is.
    pub fn arena(&mut self, index: u32) -> Option<Arc<Arena>> {
        self.arenas.slot(index).clone()
    }

    /// A byte that holds a value.
    pub fn byte(&self, address: u64) -> Option<u8> {
        let page = match address.checked_sub(ARENA_BASE) {
            Some(offset) => {
                let arena = self.arenas.get((offset >> ARENA_BITS) as u32)?;
                arena.pages.get((offset as u32) >> PAGE_BITS)
            }
            None => self.globals.get((address.checked_sub(GLOBAL_BASE)? >> PAGE_BITS) as u32),
        }?;
        let at = (address & (PAGE_SIZE as u64 - 1)) as usize;
        page.is_defined(at, 1).then(|| page.bytes[at])
    }
}

// SAFETY: the raw pointers in the page cache point into pages that this memory itself keeps alive through its
// trees, and they are never handed out; snapshots hold no cache.
unsafe impl Send for Memory {}

impl Memory {
    /// The memory of a program before anything has run: its globals.
    pub fn new(program: Arc<Program>) -> Self {
        let mut order: Vec<_> =
            program.globals.iter().enumerate().map(|(i, g)| (g.address, i as u32)).collect();
        order.sort_unstable();
        let mut memory = Memory {
            program: program.clone(),
            global_order: order.into(),
            contents: Contents::default(),
            bounds: Box::new([NO_BOUNDS; CACHE]),
            pages: Box::new([NO_PAGE; CACHE]),
            bounds_used: [0; CACHE / 64],
            pages_used: [0; CACHE / 64],
            epoch: 1,
            except: 0,
            read_elsewhere: false,
            accessing: NO_THREAD,
            strict: false,
            foreign: None,
            exposed: Vec::new(),
        };
        for (id, global) in program.globals.iter().enumerate() {
            if !global.external && !global.thread_local {
                memory.initialise(memory.global_pointer(id as u32), id as u32);
            }
        }
        memory
    }

    /// Writes a global's initial value to an object of its size.
    pub fn initialise(&mut self, at: Pointer, id: GlobalId) {
        let program = self.program.clone();
        let global = &program.globals[id as usize];
        match global.bytes.is_empty() {
            true => self.fill(at.address, 0, global.size),
            false => self.write_bytes(at.address, &global.bytes),
        }
        for &(offset, target) in &global.pointers {
            let provenance = match target {
                selvedge_program::PointerTarget::Global(g) => self.global_pointer(g).provenance,
                _ => Provenance::NONE,
            };
            self.set_word_provenance(at.address + offset, provenance);
        }
        for &(start, len) in &global.undefined {
            self.undefine(at.address + start, len);
        }
    }

    /// Accesses to private objects of other threads are faults from now on; otherwise these become shared by them.
    pub fn be_strict(&mut self) {
        self.strict = true;
    }

    /// From now on accesses are those of the thread with this arena, or of no thread.
    pub fn accessed_by(&mut self, arena: Option<u32>) {
        self.accessing = arena.unwrap_or(NO_THREAD);
    }

    /// The first private object of another thread that was accessed since this was asked last.
    pub fn take_foreign(&mut self) -> Option<Object> {
        self.foreign.take()
    }

    /// Whether private objects of an arena are those of another thread than the one that runs.
    fn is_foreign(&self, arena: u32) -> bool {
        use Mutant::{AddressesOutside, CutPointers, HiddenSharing, PointersAsNumbers, UnalignedPointers};
        let unnoticed = [HiddenSharing, AddressesOutside, CutPointers, PointersAsNumbers, UnalignedPointers];
        arena != self.accessing && self.accessing != NO_THREAD && !unnoticed.into_iter().any(mutant)
    }

    /// From now on it is noted whether something is read at another address than this.
    pub fn watch_reads(&mut self, except: u64) {
        (self.except, self.read_elsewhere) = (except, false);
    }

    /// Whether something was read elsewhere since then.
    pub fn read_elsewhere(&self) -> bool {
        self.read_elsewhere
    }

    /// What memory holds now. Costs nothing by itself: later writes copy what they touch.
    pub fn snapshot(&mut self) -> Contents {
        self.epoch += 1;
        self.contents.clone()
    }

    /// Goes back (or over) to a snapshot.
    pub fn restore(&mut self, contents: &Contents) {
        self.contents.clone_from(contents);
        self.forget_caches();
    }

    fn forget_caches(&mut self) {
        let Memory { bounds, pages, bounds_used, pages_used, .. } = self;
        forget_used(bounds_used, |index| bounds[index] = NO_BOUNDS);
        forget_used(pages_used, |index| pages[index] = NO_PAGE);
        self.epoch += 1;
    }

    /// A pointer to a global that is not thread-local.
    pub fn global_pointer(&self, id: GlobalId) -> Pointer {
        let address = self.program.globals[id as usize].address;
        Pointer { address, provenance: Provenance::new(address, 1) }
    }

    /// Allocates an object in an arena. `None` if the arena is full. `held` tells which pointers to a place where
    /// something lived before are held elsewhere than in memory.
    pub fn allocate(
        &mut self,
        arena: u32,
        align: u64,
        object: Object,
        held: &dyn Fn(Places) -> Vec<u32>,
    ) -> Option<Pointer> {
        self.mind_returned(arena, heap::class_for(object.size, align));
        let block = match self.contents.arenas.get(arena) {
            Some(arena) => arena.free_block(object.size, align).ok()?,
            None => {
                *self.contents.arenas.slot(arena) = Some(Arc::default());
                Arena::default().free_block(object.size, align).ok()?
            }
        };
        let start = ARENA_BASE + (u64::from(arena) << ARENA_BITS);
        let base = start + block.offset();
        let (generation, escaped) = self.generation(start, &block, held);
        let object = Object { generation, escaped, ..object };
        let forgotten = self.contents.arenas.get_mut(arena)?.place(&block, object);
        self.contents.hash = self.contents.hash.wrapping_sub(forgotten);
        self.touch_unit(base);
        let provenance = Provenance::new(base, generation);
        *self.cached_bounds(provenance) = NO_BOUNDS;
        Some(Pointer { address: base, provenance })
    }

    fn touch_unit(&mut self, address: u64) {
        let unit = address >> UNIT_BITS;
        if self.contents.hashed && self.contents.dirty_units.last() != Some(&unit) {
            self.contents.dirty_units.push(unit);
        }
    }

    fn arena(&self, address: u64) -> Option<(u32, &Arena)> {
        let index = address.checked_sub(ARENA_BASE)? >> ARENA_BITS;
        Some((index as u32, self.contents.arenas.get(index as u32)?))
    }

    fn arena_mut(&mut self, address: u64) -> Option<&mut Arena> {
        let index = address.checked_sub(ARENA_BASE)? >> ARENA_BITS;
        self.contents.arenas.get_mut(index as u32)
    }

    fn place(&self, address: u64) -> Option<Place> {
        let (_, arena) = self.arena(address)?;
        arena.find(address & ((1 << ARENA_BITS) - 1)).map(|(_, _, place)| place)
    }

    /// What lies at an address, live or freed.
    pub fn find(&self, address: u64) -> Option<Found> {
        if let Some((index, arena)) = self.arena(address) {
            let (offset, object, _) = arena.find(address & ((1 << ARENA_BITS) - 1))?;
            let base = ARENA_BASE + (u64::from(index) << ARENA_BITS) + offset;
            return Some(Found::Object(index, base, *object));
        }
        if !(GLOBAL_BASE..BLOCK_BASE).contains(&address) {
            return None;
        }
        let after = self.global_order.partition_point(|&(base, _)| base <= address);
        let (base, id) = *self.global_order.get(after.checked_sub(1)?)?;
        let size = self.program.globals[id as usize].size;
        (address - base <= size).then_some(Found::Global(id))
    }

    /// Frees an object: its bytes become undefined, pointers to it dangle. The caller has checked that `pointer`
    /// is the start of a live object.
    pub fn free(&mut self, pointer: Pointer, freed_at: u32) {
        if let Some((base, place)) = self.free_and_keep(pointer, freed_at)
            && let Some(arena) = self.arena_mut(base)
        {
            arena.reclaim(place);
        }
    }

    /// As `free`, but nothing else will ever be there.
    pub fn retire(&mut self, pointer: Pointer, freed_at: u32) {
        self.free_and_keep(pointer, freed_at);
    }

    /// As `free`, but the place is not free yet. Says what it is.
    fn free_and_keep(&mut self, pointer: Pointer, freed_at: u32) -> Option<(u64, Place)> {
        let Some(Found::Object(_, base, object)) = self.find(pointer.address) else { return None };
        self.clear(base, object.size);
        let place = self.place(base)?;
        self.touch_unit(base);
        if self.arena(base).is_some_and(|(_, arena)| arena.is_large(place)) {
            let pages = object.size.div_ceil(PAGE_SIZE as u64);
            let first = base >> PAGE_BITS;
            let numbers = first..first + pages;
            let dropped = numbers.filter_map(|number| self.page_at(number)).map(|page| page.hash);
            let removed = dropped.fold(0, u128::wrapping_add);
            self.contents.hash = self.contents.hash.wrapping_sub(removed);
        }
        let dropped = self.arena_mut(base).map_or(0, |arena| arena.retire(place, freed_at));
        *self.cached_bounds(Provenance::new(base, object.generation)) = NO_BOUNDS;
        // A freed large object gives its pages back, so no cached page may outlive this.
        let first = base >> PAGE_BITS;
        self.pages.iter_mut().filter(|_| dropped > 0).for_each(|cached| {
            if cached.number.wrapping_sub(first) < u64::from(dropped) {
                *cached = NO_PAGE;
            }
        });
        Some((base, place))
    }

    fn bounds_index(provenance: Provenance) -> usize {
        (provenance.0 ^ provenance.0 >> 8) as usize % CACHE
    }

    fn cached_bounds(&mut self, provenance: Provenance) -> &mut CachedBounds {
        &mut self.bounds[Self::bounds_index(provenance)]
    }

    /// Checks that `len` bytes at the pointer may be accessed.
    #[inline(always)]
    pub fn check(&mut self, pointer: Pointer, len: u64) -> Result<Bounds, Box<Fault>> {
        let accessing = self.accessing;
        let cached = self.cached_bounds(pointer.provenance);
        let own = (cached.owner ^ accessing) & cached.owned == 0;
        if cached.provenance == pointer.provenance && pointer.provenance != Provenance::NONE && own {
            let offset = pointer.address.wrapping_sub(cached.bounds.base);
            if offset <= cached.bounds.size && len <= cached.bounds.size - offset {
                return Ok(cached.bounds);
            }
        }
        self.check_slowly(pointer, len)
    }

    #[cold]
    fn check_slowly(&mut self, pointer: Pointer, len: u64) -> Result<Bounds, Box<Fault>> {
        let known = pointer.provenance != Provenance::NONE;
        let fault = |kind, found| Err(Box::new(Fault { kind, pointer, len, found }));
        let base = if known { pointer.provenance.base() } else { pointer.address };
        let Some(found) = self.find(base) else {
            return match known && base >= ARENA_BASE {
                // Nothing is remembered of what lived there.
                true => fault(FaultKind::UseAfterFree, None),
                false => fault(FaultKind::of_address(pointer.address), None),
            };
        };
        let (mut owner, mut owned) = (0, 0);
        let bounds = match found {
            Found::Global(id) => {
                let global = &self.program.globals[id as usize];
                let constant = global.constant;
                Bounds { base: global.address, size: global.size, shared: !constant, constant }
            }
            Found::Object(arena, base, object) => {
                if !object.live || known && !object.is_meant(base, pointer.provenance) {
                    return fault(FaultKind::UseAfterFree, Some(found));
                }
                let mut shared = object.shared;
                if !shared && self.is_foreign(arena) {
                    if self.strict && !mutant(Mutant::LateSharing) {
                        self.foreign.get_or_insert(object);
                        return fault(FaultKind::Private, Some(found));
                    }
                    self.share(Provenance::new(base, object.generation));
                    shared = true;
                }
                if !shared {
                    (owner, owned) = (arena, u32::MAX);
                }
                Bounds { base, size: object.size, shared, constant: false }
            }
        };
        let offset = pointer.address.wrapping_sub(bounds.base);
        if offset > bounds.size || len > bounds.size - offset {
            let kind = match pointer.address < selvedge_program::NULL_GUARD {
                true => FaultKind::Null,
                false => FaultKind::OutOfBounds,
            };
            return fault(kind, Some(found));
        }
        if known {
            let provenance = pointer.provenance;
            let index = Self::bounds_index(provenance);
            self.bounds[index] = CachedBounds { provenance, bounds, owner, owned };
            self.bounds_used[index / 64] |= 1 << (index % 64);
        }
        Ok(bounds)
    }

    /// The live object that a pointer belongs to, if it is the object's first byte. Asking for it is an access.
    pub fn object_at_start(&mut self, pointer: Pointer) -> Result<(u64, Object), Box<Fault>> {
        if let Err(fault) = self.check(pointer, 0)
            && fault.kind == FaultKind::Private
        {
            return Err(fault);
        }
        let known = pointer.provenance != Provenance::NONE;
        let fault = |kind, found| Err(Box::new(Fault { kind, pointer, len: 0, found }));
        match self.find(if known { pointer.provenance.base() } else { pointer.address }) {
            Some(found @ Found::Object(_, base, object)) => {
                let dangling = known && !object.is_meant(base, pointer.provenance);
                match (!object.live || dangling, base == pointer.address) {
                    (true, _) => fault(FaultKind::UseAfterFree, Some(found)),
                    (false, false) => fault(FaultKind::InvalidFree, Some(found)),
                    (false, true) => Ok((base, object)),
                }
            }
            None if known && pointer.provenance.base() >= ARENA_BASE => fault(FaultKind::UseAfterFree, None),
            found => fault(FaultKind::InvalidFree, found),
        }
    }

    /// The address of this provenance's object has become reachable for other threads: it and everything that
    /// can be reached from it is shared from now on.
    pub fn share(&mut self, provenance: Provenance) {
        self.share_and_tell(provenance, &mut |_, _| {});
    }

    /// As `share`; `tell` learns of every object that was not shared before.
    pub fn share_and_tell(&mut self, provenance: Provenance, tell: &mut dyn FnMut(u64, u64)) {
        let mut work = vec![provenance];
        while let Some(provenance) = work.pop() {
            if provenance == Provenance::NONE {
                continue;
            }
            let Some(Found::Object(_, base, object)) = self.find(provenance.base()) else { continue };
            if object.shared || !object.live || !object.is_meant(base, provenance) {
                continue;
            }
            if let Some(place) = self.place(base)
                && let Some(object) = self.arena_mut(base).and_then(|arena| arena.object_mut(place))
            {
                (object.shared, object.escaped) = (true, true);
            }
            self.touch_unit(base);
            *self.cached_bounds(provenance) = NO_BOUNDS;
            self.pointers_in(base, object.size, &mut work);
            tell(base, object.size);
        }
    }

    /// Whether something lives at an address.
    pub fn is_live(&self, address: u64) -> bool {
        match self.find(address) {
            Some(Found::Object(_, base, object)) => object.live && address - base < object.size.max(1),
            Some(Found::Global(_)) => true,
            None => false,
        }
    }

    /// Takes over an arena as another execution of the program has it, for the object at an address, which others may know
    /// then. Bytes of it without a value become zeros. Whether it is there.
    pub fn adopt(&mut self, address: u64, arena: Arc<Arena>) -> bool {
        let Some(index) = arena_of(address) else { return false };
        let mut contents = self.snapshot();
        *contents.arenas.slot(index) = Some(arena);
        self.restore(&contents);
        let Some(Found::Object(_, base, object)) = self.find(address).filter(|_| self.is_live(address))
        else {
            return false;
        };
        if let Some(place) = self.place(base)
            && let Some(object) = self.arena_mut(base).and_then(|arena| arena.object_mut(place))
        {
            (object.shared, object.escaped) = (true, true);
        }
        for at in base..base + object.size {
            if self.contents.byte(at).is_none() {
                self.write_bytes(at, &[0]);
            }
        }
        true
    }

    /// Live objects of all arenas: (arena, address, object).
    pub fn each_live(&self, visit: &mut impl FnMut(u32, u64, &Object)) {
        self.contents.arenas.each(&mut |index, arena| {
            let base = ARENA_BASE + (u64::from(index) << ARENA_BITS);
            arena.each_live(&mut |offset, object| visit(index, base + offset, object));
        });
    }

    /// A hash of everything in memory; costs what was touched since it was last asked for.
    pub fn hash(&mut self) -> u128 {
        self.epoch += 1;
        if !std::mem::replace(&mut self.contents.hashed, true) {
            self.note_everything();
            self.note_all_stored();
        }
        let mut pages = std::mem::take(&mut self.contents.dirty_pages);
        pages.sort_unstable();
        pages.dedup();
        for number in pages.drain(..) {
            let Some(page) = self.page_tree(number).and_then(|(tree, index)| tree.get_mut(index)) else {
                continue;
            };
            let new = page.digest(number);
            let old = std::mem::replace(&mut page.hash, new);
            // It may be another copy now if it was shared with a snapshot.
            let page: *mut Page = page;
            let cached = &mut self.pages[number as usize % CACHE];
            if cached.number == number {
                cached.page = page;
            }
            self.contents.hash = self.contents.hash.wrapping_sub(old).wrapping_add(new);
        }
        self.contents.dirty_pages = pages;
        let mut units = std::mem::take(&mut self.contents.dirty_units);
        units.sort_unstable();
        units.dedup();
        for unit in units.drain(..) {
            let address = unit << UNIT_BITS;
            let index = (address as u32) >> UNIT_BITS;
            let Some(content) = self.arena_mut(address).and_then(|arena| arena.units.get_mut(index)) else {
                continue;
            };
            let new = content.digest(unit);
            let Some(stored) = content.stored_hash() else { continue };
            let old = std::mem::replace(stored, new);
            self.contents.hash = self.contents.hash.wrapping_sub(old).wrapping_add(new);
        }
        self.contents.dirty_units = units;
        self.contents.hash.wrapping_add(self.returned_words().map_or(0, |words| words.digest()))
    }

    /// What the hash is computed of, page by page and unit by unit.
    pub fn parts(&self, visit: &mut dyn FnMut(u8, &[u8])) {
        let mut buffer = Vec::new();
        let mut page = |number: u64, page: &Page, visit: &mut dyn FnMut(u8, &[u8])| {
            buffer.clear();
            page.write(number, &mut buffer);
            if !buffer.is_empty() {
                visit(PartKind::Page as u8, &buffer);
            }
        };
        let first = GLOBAL_BASE >> PAGE_BITS;
        self.contents.globals.each(&mut |index, content| page(first + u64::from(index), content, visit));
        if let Some(words) = self.returned_words() {
            visit(PartKind::Returned as u8, words.bytes());
        }
        self.contents.arenas.each(&mut |number, arena| {
            let base = ARENA_BASE + (u64::from(number) << ARENA_BITS);
            let (first_page, first_unit) = (base >> PAGE_BITS, base >> UNIT_BITS);
            arena.pages.each(&mut |index, content| page(first_page + u64::from(index), content, visit));
            arena.units.each(&mut |index, unit| {
                if let Some(words) = unit.words(first_unit + u64::from(index)) {
                    visit(PartKind::Unit as u8, words.bytes());
                }
            });
        });
    }

    /// Before the hash is computed for the first time, everything counts as written.
    fn note_everything(&mut self) {
        let contents = &mut self.contents;
        let first = GLOBAL_BASE >> PAGE_BITS;
        contents.globals.each(&mut |index, _| contents.dirty_pages.push(first + u64::from(index)));
        contents.arenas.each(&mut |number, arena| {
            let base = ARENA_BASE + (u64::from(number) << ARENA_BITS);
            arena
                .pages
                .each(&mut |index, _| contents.dirty_pages.push((base >> PAGE_BITS) + u64::from(index)));
            arena
                .units
                .each(&mut |index, _| contents.dirty_units.push((base >> UNIT_BITS) + u64::from(index)));
        });
    }
}
