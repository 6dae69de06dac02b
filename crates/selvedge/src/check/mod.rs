//! Checking programs: from all executions of a program to one answer. The command line and the tests stand on this.
//!
//! The search itself is the explorer's. Here every violation that it finds is executed once more before it is reported,
//! and everything is put into the user's words.

pub mod checkpoint;
mod confirm;
mod cross;
pub mod emit;
pub mod empty;
mod explain;
mod memory;
mod open;
mod overdue;
mod second;
mod spill;

use crate::run::prepare::Prepared;
use confirm::Confirmed;
pub use cross::contradiction;
pub use memory::resident;
pub use overdue::{BestSoFar, overdue};
use selvedge_explore::{
    Options, Progress, Report, Strategy, Unfinished, explore, explore_sequential, verify_by_states,
};
use selvedge_machine::{Config, Symbolic};
use selvedge_report::{Answer, Check, Covered, Found, SolverWork, Unknown};
use selvedge_trace::{Inputs, Model, Schedule};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// What a check is told.
#[derive(Clone)]
pub struct Settings {
    /// Memory model.
    pub model: Model,
    /// What the program sees of the outside.
    pub inputs: Inputs,
    /// What the search is told.
    pub options: Options,
    /// Search once more with this strategy, and compare.
    pub cross_check: Option<Strategy>,
    /// When the program is verified, search once more independently for about the same time.
    pub second_opinion: bool,
    /// Search for violations under stronger memory models to the end, to say whether they exist there.
    pub explain_model: bool,
    /// What is symbolic besides values that the program asks for; for `mpc`.
    pub symbolic: Option<Symbolic>,
}

/// What came out, and a schedule for each of its violations, in the same order.
#[derive(Clone)]
pub struct Checked {
    /// What came out. Where the schedules are kept is still to be filled in.
    pub result: Check,
    /// How to come to each violation.
    pub schedules: Vec<Schedule>,
}

/// Looks at all executions of a program.
pub fn check(prepared: &Prepared, settings: &Settings, progress: &Progress) -> Checked {
    check_telling(prepared, settings, progress, &BestSoFar::default())
}

/// Looks at all executions of a program, and tells the best answer as soon as there is one.
pub fn check_telling(
    prepared: &Prepared,
    settings: &Settings,
    progress: &Progress,
    best: &BestSoFar,
) -> Checked {
    let begun = Instant::now();
    let Searched { mut checked, answered_by, is_stopped } =
        search(prepared, settings, How::Asked, progress, best);
    if let Some(strategy) = settings.cross_check {
        let mut settings = settings.clone();
        settings.options.strategy = strategy;
        // What is kept is of the first.
        settings.options.keep = None;
        // An answer that may be contradicted is none.
        let second = search(prepared, &settings, How::Asked, progress, &BestSoFar::default());
        cross::compare(&mut checked, second.checked, settings.options.keep_going);
    } else if settings.second_opinion && checked.result.verdict == Answer::Verified {
        best.tell(&checked);
        second::confirm(prepared, settings, (begun, answered_by), &mut checked, progress);
    }
    // What was kept is of use until there is an answer, which a second search is part of.
    if let Some(keep) = settings.options.keep.as_ref().filter(|_| !is_stopped) {
        keep.forget();
    }
    checked
}

/// How executions are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// As the options say.
    Asked,
    /// Under a model of the language: sequentially consistent executions only, as long as they are all there are.
    Sequential,
    /// Under a model of the language: states of executions in which loads may read earlier stores.
    Operational,
}

/// What a search has come to, and how.
struct Searched {
    checked: Checked,
    answered_by: AnsweredBy,
    /// A limit was reached: there is something to go on with.
    is_stopped: bool,
}

/// What a verdict under a model of the language rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnsweredBy {
    /// Sequentially consistent executions, because there are no others.
    Sequential,
    /// States.
    States,
    /// Executions, or their graphs.
    Executions,
    /// Paths of threads, with all inputs.
    Paths,
}

impl AnsweredBy {
    fn of(report: &Report) -> Self {
        match report.sequential {
            _ if report.by_paths => AnsweredBy::Paths,
            true => AnsweredBy::Sequential,
            false if report.states.is_some() => AnsweredBy::States,
            false => AnsweredBy::Executions,
        }
    }
}

/// One search, and what it found in words.
fn search(
    prepared: &Prepared,
    settings: &Settings,
    how: How,
    progress: &Progress,
    best: &BestSoFar,
) -> Searched {
    let config = Config {
        model: settings.model,
        inputs: Arc::new(settings.inputs.clone()),
        program_name: prepared.name.clone(),
        symbolic: settings.symbolic.clone(),
        ..Config::default()
    };
    for counter in
        [&progress.states, &progress.executions, &progress.waiting, &progress.depth, &progress.done]
    {
        counter.store(0, Ordering::Relaxed);
    }
    let begun = Instant::now();
    let options =
        Options { spill: Some(Arc::new(spill::TemporaryFile::default())), ..settings.options.clone() };
    let program = &prepared.program;
    let report = memory::limited(options.max_memory, progress, || match how {
        How::Asked => explore(program.clone(), config, &options, progress),
        How::Sequential => explore_sequential(program.clone(), config, &options, progress),
        How::Operational => {
            verify_by_states(program, &config, &options, progress).unwrap_or_else(|| given_up(progress))
        }
    });
    let seconds = begun.elapsed().as_secs_f64();
    let mut confirmed: Vec<Confirmed<'_>> = Vec::new();
    let mut unknown: Vec<Unknown> = Vec::new();
    for finding in &report.findings {
        match confirm::confirm(prepared, settings, finding, &report) {
            Ok(found) if confirmed.iter().any(|other| other.is_same(&found)) => {}
            Ok(found) => confirmed.push(found),
            Err(why) => unknown.push(open::not_replayed(&why)),
        }
    }
    unknown
        .extend(report.unfinished.iter().map(|reason| open::unfinished(prepared, settings, reason, &report)));
    if !settings.options.strategy.is_by_paths() && !report.all_inputs {
        unknown.extend(open::inputs(prepared));
    }
    unknown.extend(report.cut.then(|| open::cut(&bounds(&settings.options))));
    let verdict = match (confirmed.is_empty(), unknown.is_empty()) {
        (false, _) => Answer::Violation,
        (true, false) => Answer::Unknown,
        (true, true) => Answer::Verified,
    };
    let result = Check {
        verdict,
        model: settings.model,
        strategy: settings.options.strategy.name().to_owned(),
        bounds: bounds(&settings.options),
        left_out: left_out(&settings.options, &prepared.program, &report),
        covered: covered(&report, &settings.options, progress, seconds),
        violations: confirmed.iter().map(|one| one.found.clone()).collect(),
        unknown,
        cross_check: None,
        second_search: None,
    };
    let schedules = confirmed.iter().map(|one| one.schedule.clone()).collect();
    let mut checked = Checked { result, schedules };
    if verdict == Answer::Violation && settings.cross_check.is_none() {
        best.tell(&checked);
    }
    for (found, confirmed) in checked.result.violations.iter_mut().zip(&confirmed) {
        found.elsewhere = confirmed.elsewhere(prepared, settings, progress);
    }
    Searched { checked, answered_by: AnsweredBy::of(&report), is_stopped: report.is_stopped() }
}

/// What is known of a search that has only said that it has no answer.
fn given_up(progress: &Progress) -> Report {
    let why = match progress.over() {
        Some(budget) => Unfinished::Budget(budget),
        None => Unfinished::Beyond("what this program does".to_owned()),
    };
    Report { unfinished: vec![why], ..Report::default() }
}

fn covered(report: &Report, options: &Options, progress: &Progress, seconds: f64) -> Covered {
    Covered {
        executions: report.executions,
        blocked: report.blocked,
        classes: report.classes,
        states: report.states,
        paths: report.paths,
        exact: options.exact,
        waiting: if report.unfinished.is_empty() { 0 } else { progress.waiting.load(Ordering::Relaxed) },
        queries: report.queries,
        sequential: report.covered_sequential,
        solver: report.spent.map(|spent| SolverWork {
            reads: spent.reads,
            freed_reads: spent.freed_reads,
            constraints: spent.constraints,
            freed_constraints: spent.freed_constraints,
            frontiers: spent.frontiers,
            steps: spent.steps,
            work: spent.work,
            seconds: spent.nanoseconds as f64 / 1e9,
        }),
        seconds,
    }
}

/// What was not looked for. The decisions of threads do not show everything.
fn left_out(options: &Options, program: &selvedge_program::Program, report: &Report) -> Vec<String> {
    let by_paths = options.strategy.is_by_paths() || report.by_paths;
    let races = (!options.races).then_some("data races");
    let endless = by_paths.then_some("threads that go on for ever");
    let has_sections = program.externals.iter().any(|external| *external.name == *"__VERIFIER_atomic_begin");
    let sections = (by_paths && options.races && has_sections)
        .then_some("data races of atomic sections beyond their first access");
    let spurious = match (options.spurious && !by_paths, report.spurious_sequential) {
        (false, _) if selvedge_machine::may_wait(program) => Some("spurious wake-ups"),
        (true, true) => Some("spurious wake-ups in executions that are not sequentially consistent"),
        _ => None,
    };
    races.into_iter().chain(endless).chain(sections).chain(spurious).map(str::to_owned).collect()
}

/// The bounds that were asked for.
fn bounds(options: &Options) -> Vec<String> {
    let unroll = options.unroll.map(|bound| format!("unroll {bound}"));
    let preemptions = options.preemptions.map(|bound| format!("preemptions {bound}"));
    unroll.into_iter().chain(preemptions).collect()
}

impl Confirmed<'_> {
    /// Whether it says the same to the user. Data races are the same if they are between the same two places.
    fn is_same(&self, other: &Confirmed<'_>) -> bool {
        use selvedge_report::{Kind, Place};
        let (one, other): (&Found, &Found) = (&self.found, &other.found);
        if [one, other].iter().any(|found| found.violation.kind != Kind::DataRace) {
            return one.violation == other.violation;
        }
        let places = |found: &Found| -> Vec<Option<Place>> {
            found.violation.doing.iter().map(|access| access.place.clone()).collect()
        };
        let (places, mut others) = (places(one), places(other));
        places == others || {
            others.reverse();
            places == others
        }
    }
}
