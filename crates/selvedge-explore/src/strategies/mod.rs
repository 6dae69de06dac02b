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

use crate::{Options, Progress, Report};
use demand::Manner;
use selvedge_machine::Config;
use selvedge_program::Program;
use std::sync::Arc;

pub use icb::explore as icb;
pub use mpc::explore as mpc;
pub use pct::explore as pct;
pub use random::explore as random;
pub use viequi::explore as viequi;

/// Source-DPOR: from each state a source set of processes is looked at, found by races; what sleeps is left out.
pub fn dpor(program: &Arc<Program>, config: &Config, options: &Options, progress: &Progress) -> Report {
    stateless::explore(program, config, options, progress, Manner::Source)
}

/// Optimal DPOR: one execution for each trace, by wakeup trees.
pub fn optimal(program: &Arc<Program>, config: &Config, options: &Options, progress: &Progress) -> Report {
    stateless::explore(program, config, options, progress, Manner::Optimal)
}
