//! Explores all executions of a program.
//!
//! A strategy decides which schedules have to be looked at; the machine executes them. Nothing here does input or
//! output: progress is counted where a caller can see it, findings are plain data.

mod auto;
mod checkpoint;
mod circles;
mod companion;
mod cover;
mod edges;
mod futures;
mod graph;
mod graphs;
mod language;
mod lessons;
mod options;
mod plan;
mod races;
mod report;
mod search;
mod sharing;
mod shortest;
mod strategies;
mod trail;
mod tuning;
mod visited;
mod walk;
mod way;

use selvedge_machine::{Config, Spurious, may_wait};
use selvedge_program::Program;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub use checkpoint::{Checkpoint, Keep};
pub use edges::Spill;
pub use options::{Options, Strategy};
pub use report::{Access, Budget, Bug, Finding, Progress, Report, Unfinished};
pub use selvedge_order::Spent;
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
        return sharing::once(config, progress, search);
    };
    // Not longer than what is left of the whole search.
    let limit = std::time::Instant::now() + most;
    let whole = progress.set_deadline(None);
    progress.set_deadline(Some(whole.map_or(limit, |whole| whole.min(limit))));
    let exists = sharing::once(config, progress, search);
    progress.set_deadline(whole);
    exists
}

/// Tries to show by a search through states that nothing goes wrong under the language's memory model: what the search has
/// seen, or nothing where that is not enough.
pub fn verify_by_states(
    program: &Arc<Program>,
    config: &Config,
    options: &Options,
    progress: &Progress,
) -> Option<Report> {
    let deadline = options.max_time.and_then(|most| std::time::Instant::now().checked_add(most));
    progress.set_limit(deadline);
    let spurious = if options.spurious { options.strategy.wakes() } else { Spurious::Off };
    let config = Config { reductions: options.reductions, spurious, ..config.clone() };
    sharing::once(&config, progress, |config| language::look_back(program, config, options, progress))
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
    let spurious = if options.spurious { options.strategy.wakes() } else { Spurious::Off };
    let config = Config { views: options.count_views, reductions: options.reductions, spurious, ..config };
    let deadline = options.max_time.and_then(|most| std::time::Instant::now().checked_add(most));
    progress.set_limit(deadline);
    sharing::until_known(config, options, progress, |config, options| {
        search_once(&program, config, options, progress)
    })
}

/// Explores the executions of a program, as long as no thread accesses a private object of another one.
fn search_once(program: &Arc<Program>, config: &Config, options: &Options, progress: &Progress) -> Report {
    if config.model.is_graph() {
        return language::explore(program, config, options, progress);
    }
    let report = by_strategy(program, config, options, progress);
    with_waits(program, report, config, options)
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

fn by_strategy(program: &Arc<Program>, config: &Config, options: &Options, progress: &Progress) -> Report {
    use strategies::mcr::{self, Manner, Pinning};
    match options.strategy {
        Strategy::Icb => strategies::icb(program, config, options, progress),
        _ if options.preemptions.is_some() => shortest::explore(program, config, options, progress, None),
        Strategy::Auto | Strategy::States => companion::explore(program, config, options, progress),
        Strategy::Dpor => strategies::dpor(program, config, options, progress),
        Strategy::Optimal => strategies::optimal(program, config, options, progress),
        Strategy::Pct => strategies::pct(program, config, options, progress),
        Strategy::Random => strategies::random(program, config, options, progress),
        Strategy::Mcr => mcr::explore(program, config, options, progress, Manner::Every, None),
        Strategy::McrS => {
            mcr::explore(program, config, options, progress, Manner::Every, Some(Pinning::Needed))
        }
        Strategy::McrSPlus => {
            mcr::explore(program, config, options, progress, Manner::Every, Some(Pinning::Target))
        }
        Strategy::SeMcr => mcr::explore(program, config, options, progress, Manner::Fresh, None),
        Strategy::Viequi => strategies::viequi(program, config, options, progress),
        Strategy::Mpc => strategies::mpc(program, config, options, progress),
    }
}
