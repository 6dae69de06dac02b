//! Seeds that were followed, and questions that were asked.

use crate::recorded::views::{Frontier, Node, Views};
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_128;

/// Seeds that were followed, and questions that were asked.
#[derive(Default)]
pub struct Explored {
    /// Seeds, by their digests.
    pub seeds: FxHashSet<u128>,
    /// Questions by the most that could be answered.
    pub(super) questions: FxHashSet<(u32, u128, u128)>,
    pub(super) buffer: Vec<Node>,
}

/// Identifies a frontier.
pub fn digest(frontier: &Frontier) -> u128 {
    let mut bytes = Vec::with_capacity(frontier.len() * 24);
    for (thread, count, history) in frontier {
        bytes.extend(thread.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend(history.to_le_bytes());
    }
    xxh3_128(&bytes)
}

impl Explored {
    /// Whether some execution begins like this.
    pub fn extends(&mut self, views: &Views, frontier: &Frontier) -> bool {
        views.extends(frontier, &mut self.buffer)
    }

    /// Whether a seed was followed.
    pub fn has_seed(&self, frontier: &Frontier) -> bool {
        self.seeds.contains(&digest(frontier))
    }

    /// Notes a seed that was followed; false if it was known.
    pub fn add_seed(&mut self, frontier: &Frontier) -> bool {
        self.seeds.insert(digest(frontier))
    }

    /// Notes a question: about the last event of a thread and its outcome, with how far all threads can come. False if
    /// it was asked before. The same may be asked about another thread's last event, and has other answers where they
    /// do not all go together.
    pub fn add_question(&mut self, thread: u32, outcome: u128, frontier: &Frontier) -> bool {
        self.questions.insert((thread, outcome, digest(frontier)))
    }
}
