//! What the program sees of the outside: files, the clock, randomness, environment. All of it is state.

use rustc_hash::FxHashMap;
use selvedge_trace::Inputs;
use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::Arc;

/// The outside as this execution sees it. Part of every snapshot.
#[derive(Clone)]
#[allow(missing_docs)]
pub struct World {
    pub inputs: Arc<Inputs>,
    /// Nanoseconds since 1970; moves when the program looks at it or sleeps.
    pub clock: u64,
    /// State of the source of randomness.
    pub random: u64,
    /// A Rust panic has begun to unwind.
    pub panicked: bool,
    /// Bytes written to descriptor 1 and 2, in order: (descriptor, bytes). Taken away by the caller.
    pub output: Vec<(i32, Vec<u8>)>,
    /// Keys of `pthread_key_create`: destructor address, or `None` where the key was deleted.
    pub keys: Vec<Option<crate::memory::Pointer>>,
    /// Named semaphores.
    pub semaphores: BTreeMap<Vec<u8>, crate::memory::Pointer>,
    /// What library models remember between calls, by topic.
    pub files: Arc<crate::library::io::files::Files>,
    /// `environ`.
    pub environment: crate::memory::Pointer,
    /// Objects that library models made once and hand out again (program name, locale tables, ...).
    pub handouts: FxHashMap<&'static str, crate::memory::Pointer>,
}

impl World {
    /// The outside at the start.
    pub fn new(inputs: Arc<Inputs>) -> Self {
        World {
            clock: inputs.clock,
            random: inputs.random,
            inputs,
            panicked: false,
            output: Vec::new(),
            keys: Vec::new(),
            semaphores: BTreeMap::new(),
            files: Arc::default(),
            environment: crate::memory::Pointer::NULL,
            handouts: FxHashMap::default(),
        }
    }

    /// Hash of what can influence the future.
    pub fn hash(&self) -> u128 {
        let mut hasher = xxhash_rust::xxh3::Xxh3::new();
        (self.clock, self.random, self.panicked, &self.keys, &self.semaphores).hash(&mut hasher);
        hasher.digest128().wrapping_add(self.files.hash())
    }

    /// The next random number.
    pub fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The clock as the program reads it: later at every look.
    pub fn read_clock(&mut self) -> u64 {
        // A schedule file may say to start at the end of time.
        self.clock = self.clock.saturating_add(1_000);
        self.clock
    }
}
