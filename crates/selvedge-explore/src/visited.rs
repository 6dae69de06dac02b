//! The set of states that were seen, by their hashes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

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

type Shard = HashMap<(u64, u64), u32, BuildHasherDefault<Identity>>;

const SHARDS: usize = 64;

/// States with their numbers, in the order in which they were seen first.
pub struct Visited {
    shards: [Mutex<Shard>; SHARDS],
    next: AtomicU32,
}

impl Default for Visited {
    fn default() -> Self {
        Visited { shards: std::array::from_fn(|_| Mutex::default()), next: AtomicU32::new(0) }
    }
}

impl Visited {
    /// The number of a state, and whether it is new.
    pub fn insert(&self, hash: u128) -> (u32, bool) {
        let (high, low) = ((hash >> 64) as u64, hash as u64);
        let mut shard = match self.shards[(high >> 58) as usize % SHARDS].lock() {
            Ok(shard) => shard,
            Err(broken) => broken.into_inner(),
        };
        match shard.entry((high, low)) {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(place) => (*place.insert(self.next.fetch_add(1, Ordering::Relaxed)), true),
        }
    }

    /// How many states there are.
    pub fn len(&self) -> u64 {
        u64::from(self.next.load(Ordering::Relaxed))
    }
}
