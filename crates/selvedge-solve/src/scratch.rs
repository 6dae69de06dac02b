//! What queries work on, so that asking many of them allocates little.

use crate::search::Space;
use crate::view::{Saved, View};

/// How many frontiers a query remembers at most unless told otherwise.
const FRONTIERS: usize = 1_000_000;

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
        }
    }
}

impl Scratch {
    /// Working memory with the usual limit.
    pub fn new() -> Self {
        Scratch::default()
    }

    /// Working memory for queries that remember so many frontiers at most before the answer is `Unknown`.
    pub fn with_limit(frontiers: usize) -> Self {
        Scratch { frontiers, ..Scratch::default() }
    }
}
