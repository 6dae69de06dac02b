//! What the program sees of the outside: files, the clock, randomness, environment. All of it is state.

use crate::library::inputs::Asked;
use crate::library::io::files::Files;
use crate::library::io::streams::Backing;
use crate::memory::Pointer;
use crate::output::Output;
use crate::parts::{PartKind, Parts};
use crate::words::Words;
use rustc_hash::FxHashMap;
use selvedge_trace::{InputName, Inputs};
use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::Arc;

/// The outside as this execution sees it. Part of every snapshot.
#[derive(Clone)]
pub struct World {
    pub inputs: Arc<Inputs>,
    /// Nanoseconds since 1970; moves when the program looks at it or sleeps.
    pub clock: u64,
    /// A Rust panic has begun to unwind.
    pub panicked: bool,
    /// Bytes written to descriptor 1 and 2. Taken away by the caller.
    pub output: Output,
    /// Keys of `pthread_key_create`: destructor address, or `None` where the key was deleted.
    pub keys: Vec<Option<Pointer>>,
    /// Named semaphores.
    pub semaphores: BTreeMap<Vec<u8>, Pointer>,
    /// What library models remember between calls, by topic.
    pub files: Arc<Files>,
    /// `environ`.
    pub environment: Pointer,
    /// The values that the program has asked for.
    pub asked: Arc<Vec<Asked>>,
    /// Values that the program itself has fixed.
    pub pinned: Arc<BTreeMap<InputName, u64>>,
    /// Objects that library models made once and hand out again (program name, locale tables, ...).
    pub handouts: Arc<FxHashMap<&'static str, Pointer>>,
}

impl World {
    /// The outside at the start.
    pub fn new(inputs: Arc<Inputs>) -> Self {
        World {
            clock: inputs.clock,
            panicked: false,
            output: Output::default(),
            keys: Vec::new(),
            semaphores: BTreeMap::new(),
            files: Arc::new(Files::with_contents(&inputs.files)),
            inputs,
            environment: Pointer::NULL,
            asked: Arc::default(),
            pinned: Arc::default(),
            handouts: Arc::default(),
        }
    }

    /// Hash of what can influence the rest of an execution. The clock does if the program can look at it.
    pub fn hash(&self, clock: bool) -> u128 {
        Parts::sum(|parts| self.parts(clock, parts))
    }

    /// What can influence the rest of an execution.
    pub fn parts(&self, clock: bool, parts: &mut Parts<'_>) {
        let mut hasher = Words::new(0x3071d);
        let clock = if clock { self.clock } else { 0 };
        (clock, self.panicked, &self.keys, &self.semaphores).hash(&mut hasher);
        self.environment.hash(&mut hasher);
        parts.add(PartKind::World, &hasher);
        for handout in &*self.handouts {
            let mut hasher = Words::new(0xa2d);
            handout.hash(&mut hasher);
            parts.add(PartKind::Handout, &hasher);
        }
        self.files.parts(parts);
    }

    /// The pointers that it holds.
    pub fn pointers(&self, visit: &mut impl FnMut(Pointer)) {
        visit(self.environment);
        self.semaphores.values().chain(self.handouts.values()).for_each(|&pointer| visit(pointer));
        for stream in self.files.streams.values() {
            match stream.backing {
                Backing::Memory { buffer, .. } => visit(buffer),
                Backing::Growing { block, block_at, size_at, .. } => {
                    [block, block_at, size_at].into_iter().for_each(&mut *visit);
                }
                Backing::Descriptor(_) | Backing::Closed => {}
            }
        }
    }

    /// The clock as the program reads it: later at every look.
    pub fn read_clock(&mut self) -> u64 {
        // A schedule file may say to start at the end of time.
        self.clock = self.clock.saturating_add(1_000);
        self.clock
    }
}
