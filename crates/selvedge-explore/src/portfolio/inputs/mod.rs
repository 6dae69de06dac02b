//! The portfolio for programs that ask for inputs: values as choices of the stateful search, and paths beside it.
//!
//! An input of one bit is a choice between two. Of any other one some values are tried, each of which stands for all with
//! which every decision that was seen turns out the same; the search tells what was decided, and is begun anew until the
//! values stand for all (`values`). That is quick where inputs are not used, have few values, or are compared with
//! constants. Where they are many and matter, the search over paths (`paths`) is quicker; it covers less (threads that go
//! on for ever are not among it), so it begins a little later. Either's answer counts.

mod plain;
mod scout;
mod values;

use crate::portfolio::graphs::operational;
use crate::portfolio::{Beside, Member, Worth};
use crate::report::{Report, Unfinished};
use crate::{Options, Strategy, Task, paths, states};
use selvedge_machine::{Choices, Config, Predicates, Spurious, asks_for_inputs};
use selvedge_trace::{Model, Property, Reduction, Reductions};
use std::sync::Arc;
use std::time::{Duration, Instant};
use values::{Domains, Missing};

/// Reductions that compare values: equal ones may be different expressions.
const BY_VALUE: [Reduction; 7] = [
    Reduction::StoreElision,
    Reduction::AwaitLoops,
    Reduction::Additions,
    Reduction::LastReferences,
    Reduction::Symmetry,
    Reduction::ValueMerging,
    Reduction::Stutters,
];

/// Leads.
pub const CHOICES: Member = Member {
    name: "choices",
    explores: "each state once, with values of inputs as choices, until those that are tried stand for all",
    begins: "at once, instead of `states`, if the program asks for inputs",
    worth: Worth::Everything,
    time: None,
    needs: |task| {
        let options = task.options;
        options.strategy == Strategy::Auto
            && task.config.symbolic.is_none()
            && !options.exact
            && !options.count_views
            && options.preemptions.is_none()
            && options.max_executions.is_none()
            && options.keep.is_none()
            && asks_for_inputs(task.program).is_some()
    },
    explore: |task| Report { all_inputs: true, ..by_choices(task) },
};

/// What is lost at the end, and what never ends, is not among what paths show.
pub const PATHS: Member = Member {
    name: "paths",
    explores: "every decision of the threads, with all inputs: `mpc`",
    begins: "beside `choices`, after `choices_alone_time`",
    worth: Worth::Everything,
    time: None,
    needs: |task| {
        let options = task.options;
        Strategy::Mpc.row().models.contains(&task.config.model)
            && options.at_end.is_empty()
            && options.property != Some(Property::Termination)
    },
    explore: |task| {
        let options = Options { strategy: Strategy::Mpc, jobs: 1, ..task.options.clone() };
        let config = Config { spurious: Spurious::Off, ..task.config.clone() };
        let report = paths::explore(Task { config: &config, options: &options, ..task });
        Report { all_inputs: true, by_paths: true, ..report }
    },
};

/// Explores all inputs and schedules of a program.
pub fn explore(task: Task<'_>) -> Report {
    let Task { options, progress, .. } = task;
    match (PATHS.fits(&task), options.reductions) {
        (true, reductions) if !reductions.has(Reduction::InputChoices) => return PATHS.search(task),
        (true, reductions) if reductions.has(Reduction::Portfolio) => {}
        _ => return CHOICES.search(task),
    }
    let (begun, alone) = (Instant::now(), Duration::from_millis(options.tuning.choices_alone_time));
    let beside = Beside {
        progress,
        begins: || begun.elapsed() >= alone,
        in_vain: |report: &Report| !CHOICES.answers(report),
    };
    let others = |own: &_| {
        let turn = PATHS.take_turn(task, own);
        let answers = turn.answers;
        (turn, answers)
    };
    let (report, turn) = beside.run(|| CHOICES.search(task), others);
    let is_about_values = |unfinished: &Unfinished| matches!(unfinished, Unfinished::Values(_));
    match turn {
        _ if CHOICES.answers(&report) => report,
        Some(turn) if turn.answers || !report.unfinished.iter().any(is_about_values) => turn.report,
        _ => report,
    }
}

/// Values as choices, until those that are tried stand for all.
fn by_choices(task: Task<'_>) -> Report {
    let Task { config, options, progress, .. } = task;
    let followed = match config.model.is_graph() {
        true => Config { model: Model::Sc, ..config.clone() },
        false => config.clone(),
    };
    let (mut by_site, mut wide) = (true, false);
    let mut predicates = Arc::new(Predicates::default());
    let mut domains = Domains::default();
    let (mut scouts, mut most_scouts) = (0, options.tuning.input_scouts);
    loop {
        let choices = Choices { domains: Arc::new(domains.clone()), by_site, predicates: predicates.clone() };
        let config = Config { choices: Some(choices), ..followed.clone() };
        if scouts < most_scouts && scout::scout(task, &config) == scout::Saw::More {
            scouts += 1;
            let known = predicates.known();
            match values::missing(&known, &mut domains, by_site, progress) {
                Missing::Some => continue,
                // What a complete search has to say about it.
                Missing::Nothing | Missing::Joint | Missing::TooMany(_) | Missing::Undecided => {}
            }
        }
        // The more values there are the longer a search takes.
        (scouts, most_scouts) = (0, most_scouts.saturating_mul(2));
        wide |= predicates.known().wide;
        let reductions = if wide { without_values(options.reductions) } else { options.reductions };
        // Expressions belong to the machine that made them.
        let searching = Options { jobs: 1, reductions, ..options.clone() };
        let config = Config { reductions, ..config };
        let searched = search(Task { config: &config, options: &searching, ..task }, task.config.model);
        let asked_widely = predicates.known().wide;
        if asked_widely && !wide {
            // The values may be expressions: what compares values has to be left out.
            wide = true;
            if searched.findings.is_empty() && progress.over().is_none() {
                continue;
            }
        }
        let report = plain::plain(task, &config, searched);
        if !report.findings.is_empty() && !options.keep_going {
            return report;
        }
        if !report.unfinished.is_empty() || report.cut {
            return report;
        }
        let known = predicates.known();
        let unfinished = match (&known.beyond, values::missing(&known, &mut domains, by_site, progress)) {
            (Some(what), _) => Unfinished::Beyond(what.clone()),
            (None, Missing::Nothing) => return report,
            (None, Missing::Some) => continue,
            (None, Missing::Joint) => {
                drop(known);
                (by_site, domains, predicates) = (false, Domains::default(), Arc::default());
                continue;
            }
            (None, Missing::TooMany(tried)) => Unfinished::Values(tried),
            (None, Missing::Undecided) => match progress.over() {
                Some(budget) => Unfinished::Budget(budget),
                None => Unfinished::Undecided,
            },
        };
        return Report { unfinished: vec![unfinished], ..report };
    }
}

/// Without what compares values.
fn without_values(reductions: Reductions) -> Reductions {
    BY_VALUE.iter().fold(reductions, |reductions, &reduction| reductions.without(reduction))
}

/// One search, with these values.
fn search(task: Task<'_>, model: Model) -> Report {
    let Task { config, options, .. } = task;
    if !model.is_graph() {
        return states::explore(task);
    }
    if options.reductions.has(Reduction::ScFirst) {
        let only = Config { sequential_only: true, ..config.clone() };
        let report = states::explore(Task { config: &only, hands_over: true, ..task });
        let weaker = |unfinished: &Unfinished| matches!(unfinished, Unfinished::Beyond(_));
        if !report.findings.is_empty() || !report.unfinished.iter().any(weaker) {
            return Report { sequential: true, ..report };
        }
    }
    if let Some(report) = operational(task) {
        return report;
    }
    let report = states::explore(task);
    if !report.findings.is_empty() {
        return Report { sequential: true, ..report };
    }
    let what = "inputs where execution graphs are needed: operational RC11 does not show the answer";
    let covered_sequential = report.unfinished.is_empty() && !report.cut;
    Report { unfinished: vec![Unfinished::Beyond(what.to_owned())], covered_sequential, ..report }
}
