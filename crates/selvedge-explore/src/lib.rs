//! Explores all executions of a program.
//!
//! A strategy decides which schedules have to be explored; the machine executes them. Nothing here does input or
//! output: progress is counted where a caller can see it, findings are plain data.

mod dpor;
mod graphs;
mod kit;
mod options;
mod paths;
mod portfolio;
mod recorded;
mod report;
mod sampling;
mod states;
mod strategy;
mod tuning;

use kit::hidden_sharing;
use selvedge_machine::{Config, Spurious, may_wait};
use selvedge_program::Program;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub use kit::checkpoint::{CheckpointStore, Keeper};
pub use options::Options;
pub use portfolio::table as table_of_members;
pub use report::{Access, Budget, Bug, Finding, Progress, Report, Unfinished};
pub use selvedge_order::Spent;
pub use states::edges::Spill;
pub use strategy::{Abilities, Answers, Strategy, StrategyRow, Task};
pub use tuning::{Constant, Tuning};

/// Whether a stronger memory model shows what was found under the language's: nothing where that is not known within the
/// bounds of the options. Without a limit of time in them that of the search which found it goes on.
pub fn exists_under(
    program: &Arc<Program>,
    config: &Config,
    wanted: (selvedge_trace::Model, &Finding),
    options: &Options,
    progress: &Progress,
) -> Option<bool> {
    let search = |config: &Config| graphs::exists_under(program, config, wanted, options, progress);
    let Some(most) = options.max_time else {
        return hidden_sharing::once(config, progress, search);
    };
    progress.within(most, || hidden_sharing::once(config, progress, search))
}

/// Tries to show by a search through states that nothing goes wrong under the language's memory model: what the search has
/// seen, or nothing where that is not enough.
pub fn verify_by_states(
    program: &Arc<Program>,
    config: &Config,
    options: &Options,
    progress: &Progress,
) -> Option<Report> {
    let config = prepared(config.clone(), options, progress);
    hidden_sharing::once(&config, progress, |config| {
        portfolio::graphs::operational(Task { program, config, options, progress, hands_over: false })
    })
}

/// Explores the sequentially consistent executions of a program under a model of the language, as long as no other ones
/// exist: an access that is weaker leaves the answer open.
pub fn explore_sequential(
    program: Arc<Program>,
    config: Config,
    options: &Options,
    progress: &Progress,
) -> Report {
    let config = Config { model: selvedge_trace::Model::Sc, sequential_only: true, ..config };
    Report { sequential: true, ..explore(program, config, options, progress) }
}

/// Explores the executions of a program.
pub fn explore(program: Arc<Program>, config: Config, options: &Options, progress: &Progress) -> Report {
    let config = Config { views: options.count_views, ..prepared(config, options, progress) };
    let report = hidden_sharing::until_known(config, options, progress, |config| {
        explore_once(Task { program: &program, config, options, progress, hands_over: false })
    });
    if progress.stop.load(Ordering::Relaxed) { report.interrupted() } else { report }
}

/// What machines are told by the options of a search, whose time begins now.
fn prepared(config: Config, options: &Options, progress: &Progress) -> Config {
    let deadline = options.max_time.and_then(|most| std::time::Instant::now().checked_add(most));
    progress.set_limit(deadline);
    let spurious = if options.spurious { options.strategy.row().spurious } else { Spurious::Off };
    Config { reductions: options.reductions, spurious, property: options.property, ..config }
}

/// Explores the executions of a program, as long as no thread accesses a private object of another one.
fn explore_once(task: Task<'_>) -> Report {
    let Task { program, config, options, .. } = task;
    let row = options.strategy.row();
    if !row.models.contains(&config.model) {
        let beyond = Unfinished::Beyond(format!("the memory model {}", config.model.name()));
        return Report { unfinished: vec![beyond], ..Report::default() };
    }
    match row.graphs.filter(|_| config.model.is_graph()) {
        Some(graphs) => graphs(task),
        None if options.preemptions.is_some() && options.strategy != Strategy::Icb => {
            with_waits(program, states::shortest::explore(task, None), config, options)
        }
        None => with_waits(program, (row.interleavings)(task), config, options),
    }
}

/// A strategy that does not explore spurious wake-ups has not seen everything of a program in which threads wait.
pub(crate) fn with_waits(
    program: &Program,
    mut report: Report,
    config: &Config,
    options: &Options,
) -> Report {
    // The decisions of threads are not everything anyway, and the report says what is left out.
    let missed = match options.strategy.is_by_paths() {
        true => false,
        false => config.spurious == Spurious::Off || config.model.is_graph(),
    };
    // What was explored before a checkpoint is not known any more.
    let may_have = options.keep.is_some() && may_wait(program);
    if options.spurious && missed && (may_have || config.waited.load(Ordering::Relaxed)) {
        report.unfinished.push(Unfinished::Spurious);
    }
    report
}
