//! What queries work on, so that asking many of them allocates little.

use crate::search::Space;
use crate::view::{Saved, View};

/// How many frontiers a query remembers at most unless told otherwise.
const FRONTIERS: usize = 1_000_000;

/// Bytes that remembered frontiers take at most.
const MEMORY: usize = 256 << 20;

/// Frontiers after which it is better to think again than to go on searching.
const PATIENCE: usize = 40;

/// Working memory for queries, one for each thread that asks.
#[derive(Clone, Debug)]
pub struct Scratch {
    pub(crate) view: View,
    pub(crate) space: Space,
    pub(crate) dirty: Vec<bool>,
    pub(crate) saved: Saved,
    pub(crate) frontiers: usize,
    /// Frontiers that are remembered before anything else is tried than searching.
    pub(crate) patience: usize,
    pub(crate) spent: Spent,
}

/// How much work queries were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Frontiers that were remembered because they led nowhere.
    pub frontiers: u64,
    /// Nodes that were made to happen by searching.
    pub steps: u64,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch {
            view: View::default(),
            space: Space::default(),
            dirty: Vec::new(),
            saved: Saved::default(),
            frontiers: FRONTIERS,
            patience: PATIENCE,
            spent: Spent::default(),
        }
    }
}

impl Scratch {
    /// Working memory with the usual limit.
    pub fn new() -> Self {
        Scratch::default()
    }

    /// How much work all queries with it were.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// How many frontiers of so many words may be remembered.
    pub(crate) fn limit(&self, words: usize) -> usize {
        self.frontiers.min(MEMORY / (4 * words + 8))
    }

    /// Working memory for queries that remember so many frontiers at most before the answer is `Unknown`.
    pub fn with_limit(frontiers: usize) -> Self {
        Scratch { frontiers, ..Scratch::default() }
    }
}
