//! Uniform random walks: each of the steps that are possible is equally probable.

use super::sample::{self, Choose, Random};
use crate::{Options, Progress, Report};
use selvedge_machine::{Config, Pick};
use selvedge_program::Program;
use std::sync::Arc;

struct Uniform(Random);

impl Choose for Uniform {
    fn choose(&mut self, picks: &[Pick]) -> usize {
        self.0.below(picks.len())
    }
}

/// Executes the program at random.
pub fn explore(program: &Arc<Program>, config: &Config, options: &Options, progress: &Progress) -> Report {
    let chooser = |run, _| Uniform(Random::new(options.seed, run));
    sample::explore(program, config, options, progress, chooser)
}
