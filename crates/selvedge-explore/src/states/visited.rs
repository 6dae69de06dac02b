//! The set of states that were seen: by their hashes, or, if hashes are not to be relied on, part by part.
//!
//! A state has many parts, and from one state to the next few of them change. So in exact mode every part that ever
//! occurs gets a number, and what is kept of a state is the list of the numbers of its parts.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};
use xxhash_rust::xxh3::xxh3_128;

/// Hashes are evenly spread already.
#[derive(Default)]
struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0 << 8 | u64::from(byte));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 ^= word;
    }
}

type ByHash<T> = HashMap<(u64, u64), T, BuildHasherDefault<Identity>>;

const SHARD_BITS: u32 = 6;
const SHARD_SHIFT: u32 = 64 - SHARD_BITS;
const SHARDS: usize = 1 << SHARD_BITS;

/// What gets the parts of a state: what each is about, and its bytes.
pub type Visitor<'a> = &'a mut dyn FnMut(u8, &[u8]);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

/// Tables by hash that several threads may use.
#[derive(Serialize, Deserialize)]
#[serde(bound = "T: Serialize + DeserializeOwned")]
struct Shards<T>(#[serde(with = "array")] [Mutex<ByHash<T>>; SHARDS]);

/// Shards as a list.
mod array {
    use super::SHARDS;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<T: Serialize, S: Serializer>(
        shards: &[T; SHARDS],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        shards[..].serialize(serializer)
    }

    pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[T; SHARDS], D::Error> {
        let shards = Vec::deserialize(deserializer)?;
        shards.try_into().map_err(|_| D::Error::custom("another number of shards"))
    }
}

impl<T> Default for Shards<T> {
    fn default() -> Self {
        Shards(std::array::from_fn(|_| Mutex::default()))
    }
}

impl<T> Shards<T> {
    fn of(&self, hash: u128) -> (MutexGuard<'_, ByHash<T>>, (u64, u64)) {
        let (high, low) = ((hash >> 64) as u64, hash as u64);
        (lock(&self.0[(high >> SHARD_SHIFT) as usize]), (high, low))
    }
}

/// Values with the same hash, with their numbers: hardly ever more than one.
type Bucket<T> = SmallVec<[(Box<[T]>, u32); 1]>;

/// Values with their numbers. Values with the same hash are compared.
#[derive(Serialize, Deserialize)]
#[serde(bound = "T: Serialize + DeserializeOwned")]
struct Numbered<T> {
    shards: Shards<Bucket<T>>,
    next: AtomicU32,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { shards: Shards::default(), next: AtomicU32::new(0) }
    }
}

impl<T: Copy + Eq> Numbered<T> {
    /// The number of a value, and whether it is new.
    fn number(&self, hash: u128, value: &[T]) -> (u32, bool) {
        let (mut shard, key) = self.shards.of(hash);
        let bucket = shard.entry(key).or_default();
        match bucket.iter().find(|(known, _)| **known == *value) {
            Some(&(_, number)) => (number, false),
            None => {
                let number = self.next.fetch_add(1, Ordering::Relaxed);
                bucket.push((value.into(), number));
                (number, true)
            }
        }
    }
}

/// States with their numbers, in the order in which they were seen first.
#[derive(Serialize, Deserialize)]
pub struct Visited {
    kept: Kept,
    mask: u128,
}

#[derive(Serialize, Deserialize)]
struct Hashed {
    #[serde(with = "array")]
    shards: [Mutex<Table>; SHARDS],
    next: AtomicU32,
}

impl Default for Hashed {
    fn default() -> Self {
        Hashed { shards: std::array::from_fn(|_| Mutex::default()), next: AtomicU32::new(0) }
    }
}

/// Numbers by hash, in as little room as possible: there may be many millions. A hash stands at the first free place
/// from the one on that its upper half tells.
#[derive(Default, Serialize, Deserialize)]
struct Table {
    hashes: Vec<[u64; 2]>,
    numbers: Vec<u32>,
    count: usize,
}

/// The number of a place where nothing stands.
const FREE: u32 = u32::MAX;

impl Table {
    /// Where a hash stands, or should; `shift`: bits of the upper half that are the same for all hashes here.
    fn place(&self, hash: [u64; 2], shift: u32) -> usize {
        let size = self.numbers.len();
        let mut place = ((u128::from(hash[0] << shift) * size as u128) >> 64) as usize;
        while self.numbers[place] != FREE && self.hashes[place] != hash {
            place = if place + 1 == size { 0 } else { place + 1 };
        }
        place
    }

    /// The number of a hash; a new one gets that which `next` says.
    fn number(&mut self, hash: [u64; 2], shift: u32, next: impl FnOnce() -> u32) -> (u32, bool) {
        // At most six of seven places are taken, and a fourth is added each time.
        if self.count * 7 >= self.numbers.len() * 6 {
            let size = (self.numbers.len() + self.numbers.len() / 4).max(16);
            let grown = Table { hashes: vec![[0; 2]; size], numbers: vec![FREE; size], count: self.count };
            let old = std::mem::replace(self, grown);
            for (hash, number) in old.hashes.into_iter().zip(old.numbers) {
                if number != FREE {
                    let place = self.place(hash, shift);
                    (self.hashes[place], self.numbers[place]) = (hash, number);
                }
            }
        }
        let place = self.place(hash, shift);
        let new = self.numbers[place] == FREE;
        if new {
            (self.hashes[place], self.numbers[place]) = (hash, next());
            self.count += 1;
        }
        (self.numbers[place], new)
    }
}

#[derive(Default, Serialize, Deserialize)]
struct Exact {
    parts: Numbered<u8>,
    states: Numbered<u32>,
}

#[derive(Serialize, Deserialize)]
enum Kept {
    Hashes(Box<Hashed>),
    Parts(Box<Exact>),
}

impl Visited {
    /// No states. `exact`: they are told apart by their parts, not by their hashes alone. Only so many bits of hashes
    /// are used.
    pub fn new(exact: bool, bits: u32) -> Self {
        let kept = match exact {
            true => Kept::Parts(Box::default()),
            false => Kept::Hashes(Box::default()),
        };
        Visited { kept, mask: u128::MAX.checked_shr(128 - bits.min(128)).unwrap_or(0) }
    }

    /// The number of a state, and whether it is new. `feed` gives its parts to a visitor; it is asked in exact mode.
    pub fn insert(&self, hash: u128, feed: impl FnOnce(Visitor<'_>)) -> (u32, bool) {
        let hash = hash & self.mask;
        match &self.kept {
            Kept::Hashes(hashed) => {
                let halves = [(hash >> 64) as u64, hash as u64];
                let mut table = lock(&hashed.shards[(halves[0] >> SHARD_SHIFT) as usize]);
                table.number(halves, SHARD_BITS, || hashed.next.fetch_add(1, Ordering::Relaxed))
            }
            Kept::Parts(exact) => {
                let mut numbers: Vec<u32> = Vec::new();
                let mut tagged = Vec::new();
                feed(&mut |kind, bytes| {
                    tagged.clear();
                    tagged.push(kind);
                    tagged.extend_from_slice(bytes);
                    numbers.push(exact.parts.number(xxh3_128(&tagged) & self.mask, &tagged).0);
                });
                // The same parts in another order are the same state.
                numbers.sort_unstable();
                exact.states.number(hash, &numbers)
            }
        }
    }

    /// How many states there are.
    pub fn len(&self) -> u64 {
        let next = match &self.kept {
            Kept::Hashes(hashed) => &hashed.next,
            Kept::Parts(exact) => &exact.states.next,
        };
        u64::from(next.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash_of(part: u64) -> u128 {
        xxh3_128(&part.to_le_bytes())
    }

    /// The numbers of these states, whose hash is the sum of their parts.
    fn numbers(visited: &Visited, states: &[&[u64]]) -> Vec<u32> {
        let number = |state: &&[u64]| {
            let hash = state.iter().fold(0_u128, |sum, &part| sum.wrapping_add(hash_of(part)));
            let feed = |visit: Visitor<'_>| state.iter().for_each(|part| visit(0, &part.to_le_bytes()));
            visited.insert(hash, feed).0
        };
        states.iter().map(number).collect()
    }

    #[test]
    fn states_are_told_apart_and_met_again() {
        for exact in [false, true] {
            let visited = Visited::new(exact, 128);
            let states: [&[u64]; 6] = [&[1, 2], &[2, 1], &[1, 3], &[1], &[1, 1], &[1, 2]];
            assert_eq!(numbers(&visited, &states), [0, 0, 1, 2, 3, 0], "exact: {exact}");
            assert_eq!(visited.len(), 4);
        }
    }

    #[test]
    fn whatever_the_hashes_are_exact_states_are_told_apart() {
        for bits in [0, 1, 3] {
            let states: Vec<Vec<u64>> = (0..40).map(|state| vec![state, state / 3]).collect();
            let states: Vec<&[u64]> = states.iter().map(Vec::as_slice).collect();
            assert_eq!(numbers(&Visited::new(true, bits), &states), (0..40).collect::<Vec<u32>>());
            let confused = Visited::new(false, bits);
            numbers(&confused, &states);
            assert!(confused.len() <= 1 << bits, "so few hashes cannot tell them apart");
        }
    }

    #[test]
    fn many_states_keep_their_numbers() {
        let visited = Visited::new(false, 128);
        let hash = |state: u32| hash_of(u64::from(state / 2));
        for state in 0..200_000 {
            assert_eq!(visited.insert(hash(state), |_| {}), (state / 2, state % 2 == 0));
        }
        assert!((0..200_000).all(|state| visited.insert(hash(state), |_| {}) == (state / 2, false)));
    }

    #[test]
    fn kinds_of_parts_are_told_apart() {
        let visited = Visited::new(true, 0);
        assert!(visited.insert(0, |visit| visit(1, &[7])).1);
        assert!(visited.insert(0, |visit| visit(2, &[7])).1);
        assert!(!visited.insert(0, |visit| visit(1, &[7])).1);
    }
}
