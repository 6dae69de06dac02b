//! The strategies of the literature, on the same machine and with the same properties as the default.

mod demand;
mod event;
mod findings;
mod icb;
mod keep;
mod label;
pub mod mcr;
mod mpc;
mod past;
mod path;
mod pct;
mod process;
mod random;
mod run;
mod sample;
mod sequence;
mod stateless;
mod tree;
mod viequi;

use crate::{Report, Task};
use demand::Manner;

pub use icb::explore as icb;
pub use mpc::explore as mpc;
pub use pct::explore as pct;
pub use random::explore as random;
pub use viequi::explore as viequi;

/// Source-DPOR: from each state a source set of processes is looked at, found by races; what sleeps is left out.
pub fn dpor(task: Task<'_>) -> Report {
    stateless::explore(task, Manner::Source)
}

/// Optimal DPOR: one execution for each trace, by wakeup trees.
pub fn optimal(task: Task<'_>) -> Report {
    stateless::explore(task, Manner::Optimal)
}
