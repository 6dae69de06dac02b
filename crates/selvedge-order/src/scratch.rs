//! What queries work on, so that asking many of them allocates little.

use crate::external::{ExternalSolver, SolverError};
use crate::search::Space;
use crate::view::{Saved, View};

/// How many frontiers a query remembers at most unless told otherwise.
const FRONTIERS: usize = 1_000_000;

/// Bytes that remembered frontiers take at most.
const MEMORY: usize = 256 << 20;

/// Frontiers after which it is better to think again than to go on searching, for each node that must be in the order:
/// thinking takes longer where there are more of these.
const PATIENCE: usize = 25;

/// Working memory for queries, one for each thread that asks.
#[derive(Debug)]
pub struct Scratch {
    pub(crate) view: View,
    pub(crate) space: Space,
    pub(crate) dirty: Vec<bool>,
    pub(crate) saved: Saved,
    pub(crate) frontiers: usize,
    /// Frontiers that are remembered for each needed node before anything else is tried than searching.
    pub(crate) patience: usize,
    pub(crate) spent: Spent,
    /// The solver that answers in the place of the one that is here.
    pub(crate) external: Option<Box<dyn ExternalSolver>>,
    pub(crate) trouble: Option<SolverError>,
}

/// How much work queries were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Spent {
    /// Queries.
    pub queries: u64,
    /// Reads in all queries that had to see a certain value.
    pub reads: u64,
    /// For each of these reads, each write of the value and each write of another one: the second comes before the first
    /// or after the read.
    pub constraints: u64,
    /// Reads that were available but had not to see anything certain.
    pub freed_reads: u64,
    /// What these reads would have added to the constraints.
    pub freed_constraints: u64,
    /// Frontiers that were remembered because they led nowhere.
    pub frontiers: u64,
    /// Nodes that were made to happen by searching.
    pub steps: u64,
    /// Work that does not depend on the machine: writes that were compared with what a read needs to derive something, and
    /// nodes that were looked at in a search. Where an external solver answers, its work by its own count.
    pub work: u64,
    pub nanoseconds: u64,
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.queries += other.queries;
        self.reads += other.reads;
        self.constraints += other.constraints;
        self.freed_reads += other.freed_reads;
        self.freed_constraints += other.freed_constraints;
        self.frontiers += other.frontiers;
        self.steps += other.steps;
        self.work += other.work;
        self.nanoseconds += other.nanoseconds;
    }
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
            external: None,
            trouble: None,
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

    /// Searches this many frontiers for each event that must be in the order before it tries anything else than searching.
    pub fn set_patience(&mut self, frontiers: usize) {
        self.patience = frontiers;
    }

    /// All queries are answered by this solver instead, with any order.
    pub fn with_external(solver: Box<dyn ExternalSolver>) -> Self {
        Scratch { external: Some(solver), ..Scratch::default() }
    }

    /// How much work all queries with it were.
    pub fn spent(&self) -> Spent {
        let work = self.spent.work + self.view.compared + self.space.tried;
        Spent { steps: self.space.steps, work, ..self.spent }
    }

    /// Why the external solver could not be asked.
    pub fn trouble(&self) -> Option<&SolverError> {
        self.trouble.as_ref()
    }

    /// How many frontiers of so many words may be remembered.
    pub(crate) fn limit(&self, words: usize) -> usize {
        self.frontiers.min(MEMORY / (4 * words + 8))
    }
}
