//! Strategies that record executions and predict others from them (stateless, view-based).
//!
//! An execution is recorded as a trace; what its threads have read decides which other executions are new. `mcr` and
//! `viequi` ask in two ways what could have turned out differently; the recording, the run along a seed, the targets,
//! the tree of views and the prediction of races and deadlocks are the same. Neither of the two knows the other; which
//! orders of a trace are possible is decided by `selvedge-order` and nowhere here.

pub mod calls;
pub mod explored;
pub mod keep;
pub mod ledger;
pub mod mcr;
pub mod pins;
pub mod predict;
pub mod record;
pub mod run;
pub mod seek;
pub mod shared;
pub mod targets;
pub mod viequi;
pub mod views;
