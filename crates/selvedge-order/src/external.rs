//! Solvers outside of this crate that answer queries in the place of the ordering solver.
//!
//! An external solver may be a process of its own. This crate does no input or output, so the caller starts it, and a
//! search is handed [`StartSolver`] to get one for each of its threads.

use crate::query::{Answer, Query, QueryError};
use crate::trace::Trace;
use selvedge_trace::Model;
use std::error::Error;
use std::fmt;

/// Why an external solver has no answer.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// The query is wrong.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The solver cannot be started or asked.
    #[error(transparent)]
    Failed(Box<dyn Error + Send + Sync>),
}

/// A solver that answers queries in the place of the ordering solver.
pub trait ExternalSolver: fmt::Debug + Send {
    /// Answers a query as [`crate::Prepared::solve`] does, with any order instead of the smallest one.
    fn solve(&mut self, trace: &Trace, model: Model, query: &Query) -> Result<Answer, SolverError>;

    /// The work since it was asked for it the last time, in a unit of the solver that does not depend on the machine.
    fn work(&mut self) -> Result<u64, SolverError>;
}

/// Starts external solvers.
pub trait StartSolver: fmt::Debug + Send + Sync {
    /// A solver for one thread of a search.
    fn start(&self) -> Result<Box<dyn ExternalSolver>, SolverError>;
}
