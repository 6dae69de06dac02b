//! The strategies of the literature, on the same machine and with the same properties as the default.

mod demand;
mod event;
mod findings;
mod label;
mod past;
mod path;
mod process;
mod run;
mod sequence;
mod stateless;
mod tree;

use crate::{Options, Progress, Report};
use demand::Manner;
use selvedge_machine::Config;
use selvedge_program::Program;
use std::sync::Arc;

/// Source-DPOR: from each state a source set of processes is looked at, found by races; what sleeps is left out.
pub fn dpor(program: &Arc<Program>, config: &Config, options: &Options, progress: &Progress) -> Report {
    stateless::explore(program, config, options, progress, Manner::Source)
}

/// Optimal DPOR: one execution for each trace, by wakeup trees.
pub fn optimal(program: &Arc<Program>, config: &Config, options: &Options, progress: &Progress) -> Report {
    stateless::explore(program, config, options, progress, Manner::Optimal)
}
