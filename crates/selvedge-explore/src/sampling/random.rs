//! Uniform random scheduling: each of the steps that are possible is equally probable.

use crate::sampling::{self, Choose, Random};
use crate::{Report, Task};
use selvedge_machine::Pick;

struct Uniform(Random);

impl Choose for Uniform {
    fn choose(&mut self, picks: &[Pick]) -> usize {
        self.0.below(picks.len())
    }
}

/// Executes the program at random.
pub fn explore(task: Task<'_>) -> Report {
    let options = task.options;
    let chooser = |run, _| Uniform(Random::new(options.seed, run));
    sampling::explore(task, chooser)
}
