//! Exploration under the models of the language, where they may make no difference.
//!
//! If no sequentially consistent execution of a program has a data race, and all its atomic accesses are sequentially
//! consistent, then it has no other executions. So these are looked at first, with all that the search through states
//! can do; as soon as one of them comes to something weaker, the graphs of the model are explored instead.

use crate::report::{Progress, Report, Unfinished};
use crate::{Options, Strategy, companion, graphs};
use selvedge_machine::Config;
use selvedge_program::Program;
use selvedge_trace::Model;
use std::sync::Arc;

/// Explores the executions of a program under the language's model, or that of its machines.
pub fn explore(program: &Arc<Program>, config: &Config, options: &Options, progress: &Progress) -> Report {
    if options.strategy == Strategy::Auto && options.races && options.preemptions.is_none() {
        let sequential = Config { model: Model::Sc, sequential_only: true, ..config.clone() };
        let options = Options { stop_unsupported: true, ..options.clone() };
        let report = companion::explore(program, &sequential, &options, progress);
        let weaker = |unfinished: &Unfinished| matches!(unfinished, Unfinished::Beyond(_));
        if !report.findings.is_empty() || !report.unfinished.iter().any(weaker) {
            return Report { sequential: true, ..report };
        }
    }
    graphs::explore(program, config, options, progress)
}
