//! Maximal causality reduction, complete: executions are told apart by what their threads have read.
//!
//! Each execution is recorded; the ordering solver says which of its reads could have seen another value, and in which
//! orders. Each answer is a seed: the beginning of another execution. `docs/strategies.md` says why every view is found.

mod search;

pub use search::{mcr, mcr_s, mcr_s_plus, se_mcr};
