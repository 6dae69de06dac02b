//! The last accesses to every byte, for data races.

use rustc_hash::{FxHashMap, FxHasher};
use selvedge_relations::Clock;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// An access to some bytes of a word.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The thread that accessed it.
    pub thread: u32,
    /// It comes before this event of its thread.
    pub before: u32,
    /// Which bytes of the word, one bit each.
    pub bytes: u8,
    /// It writes.
    pub writes: bool,
    /// It is atomic.
    pub atomic: bool,
    /// It is atomic, and was not an event because no other thread knew the object.
    pub hidden: bool,
    /// It is the allocation of the object.
    pub allocates: bool,
    /// Where in the program.
    pub position: u32,
}

impl Access {
    fn happens_before(&self, past: &Clock) -> bool {
        past.of(self.thread) > self.before
    }
}

/// The accesses to each word (8 bytes) that something later may race with.
#[derive(Clone, Debug, Default)]
pub struct AccessHistory {
    words: FxHashMap<u64, SmallVec<[Access; 2]>>,
    /// Objects that were allocated while there were several threads: size and allocation, by beginning.
    allocated: BTreeMap<u64, (u64, Access)>,
}

/// The words of a range, and which of their bytes belong to it.
fn parts(address: u64, size: u64) -> impl Iterator<Item = (u64, u8)> {
    let end = address.saturating_add(size);
    (address / 8..end.div_ceil(8)).map(move |word| {
        let byte = |i: u64| (address..end).contains(&(word * 8 + i));
        (word, (0..8).filter(|&i| byte(i)).fold(0, |bits, i| bits | 1 << i))
    })
}

impl AccessHistory {
    /// Notes an access by a thread with this past, and gives one with which it races.
    pub fn note(&mut self, address: u64, size: u64, access: Access, past: &Clock) -> Option<Access> {
        let mut race = self.allocation(address, access.thread, past);
        for (word, bytes) in parts(address, size) {
            let access = Access { bytes, ..access };
            let known = self.words.entry(word).or_default();
            let races = |other: &&Access| {
                other.thread != access.thread
                    && other.bytes & bytes != 0
                    && (other.writes || access.writes)
                    && !(other.atomic && access.atomic && !other.hidden)
                    && !other.happens_before(past)
            };
            race = race.or(known.iter().find(races).copied());
            // What races with an access that is covered by this one races with this one too, or has happened before.
            known.retain(|other| {
                let covered = other.bytes & !bytes == 0
                    && (access.writes || !other.writes)
                    && (!access.atomic || other.atomic)
                    && (other.thread == access.thread || other.happens_before(past));
                !covered
            });
            known.push(access);
        }
        race
    }

    /// An object was allocated.
    pub fn allocate(&mut self, address: u64, size: u64, access: Access) {
        self.allocated.insert(address, (size, Access { writes: true, allocates: true, ..access }));
    }

    /// The allocation of what is at an address, if a thread with this past does not know of it.
    fn allocation(&self, address: u64, thread: u32, past: &Clock) -> Option<Access> {
        let (base, (size, access)) = self.allocated.range(..=address).next_back()?;
        let unknown = address - base < *size && access.thread != thread && !access.happens_before(past);
        unknown.then_some(*access)
    }

    /// Whether a thread has made a plain access like this to the same bytes, after this event of its own.
    pub fn covers(&self, address: u64, size: u64, writes: bool, (thread, since): (u32, u32)) -> bool {
        parts(address, size).all(|(word, bytes)| {
            let covers = |other: &Access| {
                other.thread == thread
                    && other.before >= since
                    && !other.atomic
                    && bytes & !other.bytes == 0
                    && (other.writes || !writes)
            };
            self.words.get(&word).is_some_and(|known| known.iter().any(covers))
        })
    }

    /// A hash of all that later accesses may race with. Where in the program accesses are does not count.
    pub fn hash(&self) -> u128 {
        let one = |word: &u64, access: &Access| {
            let half = |salt: u64| {
                let mut hasher = FxHasher::default();
                let Access { thread, before, bytes, writes, atomic, hidden, allocates, position: _ } =
                    *access;
                (salt, *word, thread, before, bytes, writes, atomic, hidden, allocates).hash(&mut hasher);
                u128::from(hasher.finish())
            };
            half(0x5bd1_e995) << 64 | half(0x9e37_79b9)
        };
        let allocated = self.allocated.iter().map(|(base, (_, access))| (base, access));
        let words =
            self.words.iter().flat_map(|(word, known)| known.iter().map(move |access| (word, access)));
        words.chain(allocated).fold(0_u128, |sum, (word, access)| sum.wrapping_add(one(word, access)))
    }

    /// Visits all accesses with their words.
    pub fn each(&self, visit: &mut dyn FnMut(u64, &Access)) {
        self.words.iter().for_each(|(word, known)| known.iter().for_each(|access| visit(*word, access)));
    }

    /// Notes an access that nothing can race with yet.
    pub fn note_private(&mut self, address: u64, size: u64, access: Access) {
        for (word, bytes) in parts(address, size) {
            let known = self.words.entry(word).or_default();
            known.retain(|other| other.bytes & !bytes != 0);
            known.push(Access { bytes, ..access });
        }
    }

    /// Nothing is known of these bytes any more.
    pub fn forget(&mut self, address: u64, size: u64) {
        self.allocated.remove(&address);
        for (word, bytes) in parts(address, size) {
            if let Some(known) = self.words.get_mut(&word) {
                known.iter_mut().for_each(|access| access.bytes &= !bytes);
                known.retain(|access| access.bytes != 0);
            }
        }
    }
}
