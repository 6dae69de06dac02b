//! Executions in which values are expressions: what a thread did as far as its own decisions go, not as far as values
//! go.
//!
//! The machine produces an [`Execution`]; everything else is made of executions. An [`Execution`] says for each
//! thread which steps it took, with the values that it read as symbols and everything that it computed as
//! [`crate::terms`] over inputs and those symbols. A [`Step::Branch`] says what must hold for the thread to go the
//! way it went. So one execution stands for all executions in which every thread decides the same, whatever the
//! values are and whatever the order is.

mod act;
mod buffers;
mod cells;
mod descent;
mod execution;
mod frees;
mod goals;
mod memory;
mod options;
pub mod published;
mod races;
mod refine;
mod restrict;
mod search;
mod shares;
pub mod small;
mod sums;
mod sync;
mod system;
mod together;
mod tree;
mod walk;
mod walked;

pub use act::FUTEX;
pub use execution::{
    BranchKind, Cause, Execution, Initial, Location, Move, NOBODYS, Performed, Request, Step, ThreadEnd,
    ThreadPath,
};
pub use search::{Failure, Findings, Finish, Goal, Limits, Means, Met, Runner, Search, SearchError};
pub use tree::{Inconsistent, Learned, Trees};
