//! What a state consists of, part by part.
//!
//! The hash of a state is the sum of the hashes of its parts. A search that is not to rely on hashes gets the parts
//! themselves, from the same functions: two states are the same if they have the same parts, in whatever order.

use crate::inspect::Inspect;
use crate::words::Words;

/// What a part is about. Together with its bytes this says everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum PartKind {
    Page,
    Unit,
    Returned,
    Thread,
    ThreadLocal,
    Atomic,
    Store,
    Barrier,
    Private,
    World,
    Handout,
    Files,
    Content,
    Known,
    Term,
}

/// What becomes of the parts.
pub(crate) enum Parts<'a> {
    /// Their hashes are added up.
    Sum(u128),
    /// A function gets the kind and the bytes of each.
    Bytes(&'a mut dyn FnMut(u8, &[u8])),
}

impl Parts<'_> {
    /// One more part.
    pub fn add(&mut self, kind: PartKind, words: &Words) {
        match self {
            Parts::Sum(sum) => *sum = sum.wrapping_add(words.digest()),
            Parts::Bytes(visit) => visit(kind as u8, words.bytes()),
        }
    }

    /// The sum of the hashes of what `feed` adds.
    pub fn sum(feed: impl FnOnce(&mut Parts<'_>)) -> u128 {
        let mut parts = Parts::Sum(0);
        feed(&mut parts);
        match parts {
            Parts::Sum(sum) => sum,
            Parts::Bytes(_) => 0,
        }
    }
}

impl Inspect<'_> {
    /// The parts of the state: exactly what [`Machine::state_hash`] is the hash of, each with a number that says what it
    /// is about. Only views are left out: nothing but a hash is kept of them.
    pub fn state_parts(self, visit: &mut dyn FnMut(u8, &[u8])) {
        self.machine.memory.parts(visit);
        let mut parts = Parts::Bytes(visit);
        if let Some(thread) = self.machine.atomic {
            parts.add(PartKind::Atomic, &Words::new(u64::from(self.machine.threads[thread].arena)));
        }
        if let Some(model) = self.machine.model.buffers() {
            model.parts(&|thread| u64::from(self.machine.threads[thread].arena), &mut parts);
        }
        for thread in &self.machine.threads {
            thread.parts(&self.machine.program, &self.machine.live_slots, &mut parts);
        }
        self.machine.operational_parts(&mut parts);
        self.machine.world.parts(self.machine.clock_counts, &mut parts);
    }
}
