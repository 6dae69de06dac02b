//! The portfolio under the language's models: sequentially consistent executions first.
//!
//! If no sequentially consistent execution of a program has a data race, and all its atomic accesses are sequentially
//! consistent, then it has no other executions. So these are explored first, with all reductions of the stateful
//! search; as soon as one of them comes to something weaker, the execution graphs of the model are explored instead,
//! with operational RC11 beside them.
//!
//! Sequentially consistent executions are executions of the language's model too. So what goes wrong in one of them
//! goes wrong, and is easier to understand than what needs weak memory; and where there are too many graphs, or too
//! long ones, the report can at least say what these executions do.

use crate::portfolio::interleavings;
use crate::report::{Budget, Report, Unfinished};
use crate::states::shortest;
use crate::{Options, Strategy, Task, graphs, states};
use selvedge_machine::Config;
use selvedge_trace::{Model, Reduction};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is checked whether it is time.
const PAUSE: Duration = Duration::from_millis(5);

/// Explores the executions of a program under the language's model, or that of its machines.
pub fn explore(task: Task<'_>) -> Report {
    let Task { config, options, .. } = task;
    if options.strategy != Strategy::Auto || !options.races || options.preemptions.is_some() {
        return graphs::explore(task);
    }
    let sequential = Config { model: Model::Sc, ..config.clone() };
    let sequential_first = options.reductions.has(Reduction::ScFirst);
    if sequential_first {
        let only = Config { sequential_only: true, ..sequential.clone() };
        let first = Options { stop_unsupported: true, ..options.clone() };
        let report = interleavings::explore(Task { config: &only, options: &first, ..task });
        let weaker = |unfinished: &Unfinished| matches!(unfinished, Unfinished::Beyond(_));
        if !report.findings.is_empty() || !report.unfinished.iter().any(weaker) {
            return Report { sequential: true, ..report };
        }
    }
    if !options.reductions.has(Reduction::Portfolio) {
        return graphs::explore(task);
    }
    let beside = both(task, &sequential);
    let (graphs, beside) = match beside {
        (graphs, Beside::Verified(report)) if graphs.findings.is_empty() => return report,
        (graphs, Beside::Sequential(report)) => (graphs, Some(report)),
        (graphs, Beside::Verified(_) | Beside::Nothing) => (graphs, None),
    };
    if graphs.findings.is_empty() && beside.as_ref().is_some_and(|report| !report.findings.is_empty()) {
        // Why graphs are missing does not matter to a search for one violation.
        let unfinished = if options.keep_going { graphs.unfinished } else { Vec::new() };
        return Report { sequential: true, unfinished, ..beside.unwrap_or_default() };
    }
    if !graphs.findings.is_empty() && !options.keep_going {
        let most = Some(options.tuning.simpler_states as usize);
        let simpler = shortest::explore(Task { config: &sequential, ..task }, most);
        return match simpler.findings.is_empty() {
            true => graphs,
            false => Report { findings: simpler.findings, sequential: true, ..graphs },
        };
    }
    let is_covered = |report: &Report| report.unfinished.is_empty() && !report.cut;
    let covered_sequential = !graphs.unfinished.is_empty() && beside.as_ref().is_some_and(is_covered);
    if covered_sequential && matches!(graphs.unfinished[..], [Unfinished::Spurious]) {
        return Report { unfinished: Vec::new(), spurious_sequential: true, ..graphs };
    }
    Report { covered_sequential, ..graphs }
}

/// What came of a search beside graphs.
enum Beside {
    /// It has shown that nothing goes wrong under the language's model.
    Verified(Report),
    /// What goes wrong in sequentially consistent executions.
    Sequential(Report),
    /// It was not begun, or not needed.
    Nothing,
}

/// Explores graphs and, where they are many or cannot be explored, states beside it: of operational RC11 first, and if
/// that leads to nothing, of sequentially consistent executions. Where these go wrong the graphs are given up.
fn both(task: Task<'_>, sequential: &Config) -> (Report, Beside) {
    let Task { options, progress, .. } = task;
    let (own, begun, wanted) = (progress.beside(), Instant::now(), AtomicBool::new(false));
    let executions = progress.executions.load(Ordering::Relaxed);
    let second = Options { jobs: 1, ..options.clone() };
    let aside = Task { config: sequential, options: &second, progress: &own, ..task };
    let (alone, most_alone) =
        (Duration::from_millis(options.tuning.graphs_alone_time), options.tuning.graphs_alone);
    let explored = thread::scope(|scope| {
        let beside = scope.spawn(|| {
            let few = || progress.executions.load(Ordering::Relaxed) < executions + most_alone;
            while few() && begun.elapsed() < alone && !wanted.load(Ordering::Relaxed) {
                if own.stop.load(Ordering::Relaxed) {
                    return Beside::Nothing;
                }
                thread::park_timeout(PAUSE);
            }
            // Operational RC11 may have many more states; so it gets a while, then the others, then all the time.
            let whole = own.set_deadline(None);
            let soon = Instant::now() + Duration::from_millis(options.tuning.operational_time);
            own.set_deadline(Some(whole.map_or(soon, |whole| whole.min(soon))));
            let mut verified = look_back(aside);
            let undecided = verified.is_none() && own.over() == Some(Budget::Time);
            own.set_deadline(whole);
            let mut report = Report::default();
            if verified.is_none() {
                report = interleavings::explore(aside);
                if !report.findings.is_empty() && !options.keep_going {
                    progress.answered.store(true, Ordering::Relaxed);
                } else if undecided && own.over().is_none() {
                    verified = look_back(aside);
                }
            }
            if verified.is_some() {
                progress.answered.store(true, Ordering::Relaxed);
            }
            verified.map_or(Beside::Sequential(report), Beside::Verified)
        });
        let graphs = graphs::explore(task);
        let in_vain = graphs.findings.is_empty() && graphs.unfinished.iter().any(without_graphs);
        wanted.store(in_vain, Ordering::Relaxed);
        while in_vain && !beside.is_finished() && !progress.stop.load(Ordering::Relaxed) {
            thread::park_timeout(PAUSE);
        }
        own.stop.store(true, Ordering::Relaxed);
        beside.thread().unpark();
        let beside = beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (graphs, beside)
    });
    progress.answered.store(false, Ordering::Relaxed);
    explored
}

/// Searches the states of executions in which loads may read earlier stores. There are more of these executions than the
/// model has, and it is noticed where some may be missing; so if nothing goes wrong nothing does.
pub fn look_back(task: Task<'_>) -> Option<Report> {
    let Task { config, options, .. } = task;
    let bounded = options.unroll.is_some() || options.max_executions.is_some();
    if bounded || options.count_views || options.leaks {
        return None;
    }
    let config = Config { model: Model::Sc, looks_back: true, ..config.clone() };
    let options = Options { stop_unsupported: true, ..options.clone() };
    let report = states::explore(Task { config: &config, options: &options, ..task });
    (report.findings.is_empty() && report.unfinished.is_empty() && !report.cut).then_some(report)
}

/// Whether it kept only the graphs from being explored.
fn without_graphs(unfinished: &Unfinished) -> bool {
    match unfinished {
        Unfinished::Budget(Budget::Time | Budget::Length) => true,
        Unfinished::Budget(Budget::Memory | Budget::Executions | Budget::Interrupted) => false,
        Unfinished::Unsupported { .. }
        | Unfinished::Cycles
        | Unfinished::Beyond(_)
        | Unfinished::Lost
        | Unfinished::Spurious => true,
        Unfinished::Sampled(_) | Unfinished::Preemptions(_) | Unfinished::Undecided => false,
    }
}
