//! Maximal causality reduction, complete: executions are told apart by what their threads have read.
//!
//! Each execution is recorded; the ordering solver says which of its reads could have seen another value, and in which
//! orders. Each answer is the beginning of another execution. `docs/strategies.md` says why every view is found.

mod calls;
mod explored;
mod keep;
pub(super) mod ledger;
mod pins;
pub(super) mod predict;
pub(super) mod record;
pub(super) mod run;
mod search;
pub(super) mod seek;
pub(super) mod targets;

pub use search::{mcr, mcr_s, mcr_s_plus, se_mcr};
