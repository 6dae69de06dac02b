//! What queries work on, so that asking many of them allocates little.

use crate::search::Space;
use crate::view::View;

/// How many frontiers a query remembers at most unless told otherwise.
const FRONTIERS: usize = 1_000_000;

/// Working memory for queries, one for each thread that asks.
#[derive(Clone, Debug)]
pub struct Scratch {
    pub(crate) view: View,
    pub(crate) space: Space,
    pub(crate) dirty: Vec<bool>,
    pub(crate) frontiers: usize,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch { view: View::default(), space: Space::default(), dirty: Vec::new(), frontiers: FRONTIERS }
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
