//! The search over inputs and schedules together, by the paths that threads take.
//!
//! An [`Execution`] is one in which values are expressions: what a thread did as far as its own decisions go, not as far
//! as values go. It says for each thread which steps it took, with the values that it read as symbols and everything
//! that it computed as [`selvedge_terms`] over inputs and those symbols. A [`Step::Branch`] says what must hold for the
//! thread to go the way it went. So one execution stands for all executions in which every thread decides the same,
//! whatever the values are and whatever the order is.
//!
//! [`Trees`] hold what is known of every thread, [`System`] says which parts of them can happen together, and
//! [`Search`] asks for what was not executed yet until there is nothing left. Executions are performed by a
//! [`Runner`], which is the machine or an interpreter. `docs/paths.md` says why nothing is missed.
//!
//! What may not enter: execution of programs, LLVM, input and output, orders of recorded events with their values
//! (`selvedge-order`), variants that are known to miss paths (`bench/`), and what only tests need (`selvedge-oracle` has a
//! language of programs with inputs, its interpreter and its enumerator).

mod act;
mod buffers;
mod by_states;
mod cells;
mod constraints;
mod descent;
mod execution;
mod frees;
mod goals;
mod helpers;
mod memory;
mod options;
mod races;
mod refine;
mod restrict;
mod search;
mod shares;
mod states;
mod sums;
mod sync;
mod system;
mod together;
mod tree;

pub use act::FUTEX;
pub use constraints::{
    Answer, Constraint, ConstraintSystem, Figures, Happening, Selection, Solution, StepName,
};
pub use execution::{
    BranchKind, Cause, Execution, Initial, Location, Move, Performed, Request, Step, ThreadEnd, ThreadPath,
    UNBUFFERED,
};
pub use search::{Failure, Findings, Finish, Goal, Limits, Means, Met, Runner, Search, SearchError};
pub use system::{Outgrown, System};
pub use tree::{End, Inconsistent, Learned, NodeId, TreeEvent, Trees};
