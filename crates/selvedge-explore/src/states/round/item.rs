//! States that wait to be expanded, with what the search keeps beside the machine's state.

use crate::states::persistent_sets::PersistentSet;
use crate::states::prefix::Prefix;
use crate::states::round::scarce::Remembered;
use crate::states::store_elision::Elisions;
use crate::states::summaries::NodeId;
use crate::states::visited::Visitor;
use rustc_hash::FxHashMap;
use selvedge_machine::{Machine, Snapshot};
use smallvec::SmallVec;
use std::sync::Arc;

/// What an exploration keeps beside the machine's state.
#[derive(Clone, Default)]
pub struct Ghost {
    pub(crate) keys: SmallVec<[u64; 8]>,
    pub(crate) nodes: SmallVec<[NodeId; 8]>,
    pub(crate) elisions: Elisions,
    /// The observer that is watched.
    pub(crate) watched: Option<usize>,
    /// How often each place was visited, where that is bounded.
    pub(crate) visits: Option<Box<FxHashMap<u64, u32>>>,
}

impl Ghost {
    /// What belongs to the state beside what the machine knows: parts of kinds that the machine does not use.
    pub(crate) fn parts(&self, machine: &Machine, visit: Visitor<'_>) {
        self.elisions.words(machine).for_each(|word| visit(0x80, &word.to_le_bytes()));
        if let Some(watched) = self.watched {
            visit(0x81, &machine.inspect().handle(watched).to_le_bytes());
        }
        // Plans number what threads can do in the order in which these were created. That may differ from one way to a
        // state to another where several threads create others, and then the numbers of a path would mean other acts.
        let threads = machine.threads();
        let live = (0..threads.len()).filter(|&index| !threads[index].is_finished());
        let order: SmallVec<[u64; 8]> = live.map(|index| machine.inspect().handle(index)).collect();
        if !order.is_sorted() {
            let bytes: SmallVec<[u8; 64]> = order.iter().flat_map(|handle| handle.to_le_bytes()).collect();
            visit(0x83, &bytes);
        }
        for (&key, &count) in self.visits.iter().flat_map(|visits| visits.iter()) {
            let mut bytes = [0; 12];
            bytes[..8].copy_from_slice(&key.to_le_bytes());
            bytes[8..].copy_from_slice(&count.to_le_bytes());
            visit(0x82, &bytes);
        }
    }

    pub(crate) fn hash(&self, machine: &Machine) -> u128 {
        let mut hash = 0_u128;
        self.parts(machine, &mut |kind, bytes| {
            hash = hash.wrapping_add(xxhash_rust::xxh3::xxh3_128_with_seed(bytes, u64::from(kind)));
        });
        hash
    }
}

/// A state that waits, as it is or as how it is reached.
#[expect(clippy::large_enum_variant, reason = "nearly all are ready, and a box for each would cost more")]
pub enum Open {
    Ready(Item),
    Remembered(Remembered),
}

impl Open {
    /// What is kept of it.
    pub(crate) fn remembered(&self) -> Remembered {
        match self {
            Open::Ready(item) => Remembered::of(item),
            Open::Remembered(remembered) => remembered.clone(),
        }
    }
}

/// A state that waits to be expanded.
pub struct Item {
    pub(crate) snapshot: Snapshot,
    pub(crate) ghost: Ghost,
    pub(crate) plan: PersistentSet,
    /// Acts of earlier plans for the same state, with which numbering goes on.
    pub(crate) earlier: u16,
    pub(crate) id: u32,
    pub(crate) depth: u32,
    pub(crate) prefix: Option<Arc<Prefix>>,
    /// Its share of the whole search, if all acts of a state were equally much work.
    pub(crate) share: f64,
    /// All but these acts have been explored: they did not come back soon.
    pub(crate) left: Option<Vec<u16>>,
}

impl Item {
    /// Whether an act has still to be explored.
    pub(crate) fn has_left(&self, act: usize) -> bool {
        self.left.as_ref().is_none_or(|left| left.contains(&(act as u16)))
    }

    pub(crate) fn number(&self, act: usize) -> u16 {
        self.earlier + act as u16
    }
}
