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

use crate::kit::checkpoint::Keeper;
use crate::portfolio::{Beside, Member, Turn, Worth, inputs, interleavings};
use crate::report::{Budget, Progress, Report, Unfinished};
use crate::states::shortest;
use crate::{Options, Strategy, Task, graphs, states};
use selvedge_machine::Config;
use selvedge_trace::{Model, Reduction};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const SEQUENTIAL: Member = Member {
    name: "sequential",
    explores: "states of sequentially consistent executions, until an access is weaker",
    begins: "at once",
    worth: Worth::Everything,
    time: None,
    needs: |task| is_portfolio(task) && task.options.reductions.has(Reduction::ScFirst),
    explore: |task| {
        let config = Config { model: Model::Sc, sequential_only: true, ..task.config.clone() };
        interleavings::explore(Task { config: &config, hands_over: true, ..task })
    },
};

const GRAPHS: Member = Member {
    name: "graphs",
    explores: "each execution graph once",
    begins: "when `sequential` hands over",
    worth: Worth::Everything,
    time: None,
    needs: |_| true,
    explore: graphs::explore,
};

const OPERATIONAL_SOON: Member = Member {
    name: "operational",
    explores: "states of operational RC11",
    begins: "beside `graphs`, after `graphs_alone` or `graphs_alone_time`; for `operational_time`",
    worth: Worth::Verified,
    time: Some(|tuning| tuning.operational_time),
    ..OPERATIONAL
};

const INTERLEAVINGS: Member = Member {
    name: "interleavings",
    explores: "states of all sequentially consistent executions",
    begins: "when `operational` has no answer",
    worth: Worth::Violations,
    time: None,
    needs: |task| is_portfolio(task) && task.options.reductions.has(Reduction::Portfolio),
    explore: |task| {
        let config = Config { model: Model::Sc, ..task.config.clone() };
        interleavings::explore(Task { config: &config, ..task })
    },
};

pub(super) const OPERATIONAL: Member = Member {
    name: "operational",
    explores: "states of operational RC11",
    begins: "when `interleavings` has no answer, and the time of `operational` was over",
    worth: Worth::Verified,
    time: None,
    needs: |task| {
        let options = task.options;
        let bounded = options.unroll.is_some() || options.max_executions.is_some();
        !bounded && !options.count_views && options.at_end.is_empty()
    },
    explore: |task| {
        let config = Config { model: Model::Sc, operational: true, ..task.config.clone() };
        states::explore(Task { config: &config, hands_over: true, ..task })
    },
};

const SHORTEST: Member = Member {
    name: "shortest",
    explores: "some sequentially consistent states, `simpler_states`, by their distance from the first",
    begins: "when `graphs` has found something, and one violation is wanted",
    worth: Worth::Violations,
    time: None,
    needs: |task| !task.options.keep_going,
    explore: |task| {
        let config = Config { model: Model::Sc, ..task.config.clone() };
        let most = Some(task.options.tuning.simpler_states as usize);
        shortest::explore(Task { config: &config, ..task }, most)
    },
};

/// All of them, in the order in which they begin.
pub const MEMBERS: &[&Member] =
    &[&SEQUENTIAL, &GRAPHS, &OPERATIONAL_SOON, &INTERLEAVINGS, &OPERATIONAL, &SHORTEST];

/// Whether what is asked is what all of them answer.
fn is_portfolio(task: &Task<'_>) -> bool {
    let options = task.options;
    options.strategy == Strategy::Auto && options.races && options.preemptions.is_none()
}

/// Explores the executions of a program under the language's model, or that of its machines.
pub fn explore(task: Task<'_>) -> Report {
    if task.options.races && inputs::CHOICES.fits(&task) {
        return inputs::explore(task);
    }
    if SEQUENTIAL.fits(&task)
        && let Some(report) = sequential(task)
    {
        return Report { sequential: true, ..report };
    }
    match INTERLEAVINGS.fits(&task) {
        true => with_states(task),
        false => GRAPHS.search(task),
    }
}

/// What the sequentially consistent executions answer; nothing if they hand over, which is known when a search goes on.
fn sequential(task: Task<'_>) -> Option<Report> {
    let keeper = task.options.keep.as_ref().map(|keep| keep.member("handed over"));
    if keeper.as_ref().and_then(Keeper::kept::<()>).is_some() {
        return None;
    }
    let report = SEQUENTIAL.search(task);
    let weaker = |unfinished: &Unfinished| matches!(unfinished, Unfinished::Beyond(_));
    let hands_over = report.findings.is_empty() && report.unfinished.iter().any(weaker);
    if let Some(keeper) = keeper.filter(|_| hands_over) {
        keeper.keep(&());
    }
    (!hands_over).then_some(report)
}

/// Explores graphs and, where they are many or cannot be explored, states beside them.
fn with_states(task: Task<'_>) -> Report {
    let Task { options, progress, .. } = task;
    let (begun, tuning) = (Instant::now(), &options.tuning);
    let alone = Duration::from_millis(tuning.graphs_alone_time);
    let most = progress.executions.load(Ordering::Relaxed) + tuning.graphs_alone;
    let many = || progress.executions.load(Ordering::Relaxed) >= most || begun.elapsed() >= alone;
    let in_vain =
        |report: &Report| report.findings.is_empty() && report.unfinished.iter().any(without_graphs);
    let beside = Beside { progress, begins: many, in_vain };
    let (graphs, beside) = beside.run(|| GRAPHS.search(task), |own| states_beside(task, own));
    let (graphs, beside) = match beside {
        Some(States::Verified(report)) if graphs.findings.is_empty() => return report,
        Some(States::Sequential(report)) => (graphs, Some(report)),
        Some(States::Verified(_)) | None => (graphs, None),
    };
    if graphs.findings.is_empty() && beside.as_ref().is_some_and(|report| !report.findings.is_empty()) {
        // Why graphs are missing does not matter to a search for one violation.
        let unfinished = if options.keep_going { graphs.unfinished } else { Vec::new() };
        return Report { sequential: true, unfinished, ..beside.unwrap_or_default() };
    }
    if !graphs.findings.is_empty() && SHORTEST.fits(&task) {
        let simpler = SHORTEST.search(task);
        return match SHORTEST.answers(&simpler) {
            true => Report { findings: simpler.findings, sequential: true, ..graphs },
            false => graphs,
        };
    }
    let is_covered = |report: &Report| report.unfinished.is_empty() && !report.cut;
    let covered_sequential = !graphs.unfinished.is_empty() && beside.as_ref().is_some_and(is_covered);
    if covered_sequential && matches!(graphs.unfinished[..], [Unfinished::Spurious]) {
        return Report { unfinished: Vec::new(), spurious_sequential: true, ..graphs };
    }
    Report { covered_sequential, ..graphs }
}

/// What came of states beside graphs.
enum States {
    /// Nothing goes wrong under the language's model.
    Verified(Report),
    /// What goes wrong in sequentially consistent executions, if anything does.
    Sequential(Report),
}

/// Operational RC11 may have many more states; so it gets a while, then the sequentially consistent executions, then it
/// again. Whether that is an answer: where sequentially consistent executions go wrong the graphs are given up.
fn states_beside(task: Task<'_>, progress: &Progress) -> (States, bool) {
    let options = Options { jobs: 1, ..task.options.clone() };
    let task = Task { options: &options, ..task };
    let operational = |member: &Member| member.fits(&task).then(|| member.take_turn(task, progress));
    let soon = operational(&OPERATIONAL_SOON);
    let out_of_time = match soon {
        Some(Turn { report, answers: true, .. }) => return (States::Verified(report), true),
        soon => soon.is_some_and(|turn| turn.out_of_time),
    };
    let interleavings = INTERLEAVINGS.take_turn(task, progress);
    let dismisses = interleavings.answers && !options.keep_going;
    if !dismisses
        && out_of_time
        && progress.over().is_none()
        && let Some(Turn { report, answers: true, .. }) = operational(&OPERATIONAL)
    {
        return (States::Verified(report), true);
    }
    (States::Sequential(interleavings.report), dismisses)
}

/// Searches the states of executions in which loads may read earlier stores. There are more of these executions than the
/// model has, and it is noticed where some may be missing; so if nothing goes wrong nothing does.
pub fn operational(task: Task<'_>) -> Option<Report> {
    let report = OPERATIONAL.fits(&task).then(|| OPERATIONAL.search(task))?;
    OPERATIONAL.answers(&report).then_some(report)
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
        Unfinished::Sampled(_)
        | Unfinished::Preemptions(_)
        | Unfinished::Undecided
        | Unfinished::Values(_) => false,
    }
}
