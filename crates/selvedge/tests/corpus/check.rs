//! A check of a program of the corpus: all executions are looked at, and every violation is replayed from its file.

use super::directives::{Case, Counts, Expected};
use super::program::PATIENCE;
use selvedge::check::{Settings, check as search};
use selvedge::run::execute::{Captured, Limits};
use selvedge::run::prepare::Prepared;
use selvedge::run::{self, Choose, Trace};
use selvedge_explore::Progress;
use selvedge_report::{Answer, Check, Found, Verdict, Violation};
use selvedge_trace::{Schedule, read_schedule, write_schedule};

/// More memory than this is not for a small program.
const MEMORY: u64 = 2 << 30;

/// Checks the program, and compares with what the case says.
pub fn check(prepared: &Prepared, mut settings: Settings, case: &Case) -> Result<(), String> {
    let options = &mut settings.options;
    options.max_time = options.max_time.or(Some(PATIENCE));
    options.max_memory = Some(options.max_memory.map_or(MEMORY, |most| most.min(MEMORY)));
    if !case.arguments.iter().any(|word| word.starts_with("--jobs")) {
        // The programs of the corpus run next to each other already.
        options.jobs = 1;
    }
    let checked = search(prepared, &settings, &Progress::default());
    compare(case, &checked.result)?;
    // Beside violations, too.
    if let Some(unknown) = checked.result.unknown.iter().find(|one| one.advice.contains("bug of Selvedge")) {
        return Err(format!("{}: {}", unknown.what, unknown.advice));
    }
    for (found, schedule) in checked.result.violations.iter().zip(&checked.schedules) {
        replay(prepared, &settings, found, schedule)?;
    }
    Ok(())
}

fn compare(case: &Case, result: &Check) -> Result<(), String> {
    let fits = match (result.verdict, &case.expect[..]) {
        (Answer::Verified, [Expected::Verified(counts)]) => counted(counts, result),
        (Answer::Unknown, [Expected::Unknown(text)]) => {
            result.unknown.iter().any(|unknown| unknown.what.contains(text.as_str()))
        }
        (Answer::Violation, expected) => all_found(expected, &result.violations),
        _ => false,
    };
    if fits {
        return Ok(());
    }
    let expected = case.expect.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
    Err(format!("expected {expected}, got {}", told(result)))
}

fn counted(counts: &Counts, result: &Check) -> bool {
    let same = |expected: Option<u64>, actual: Option<u64>| expected.is_none() || expected == actual;
    same(counts.classes, result.covered.classes)
        && same(counts.executions, Some(result.covered.executions))
        && same(counts.states, result.covered.states)
        && same(counts.paths, result.covered.paths)
}

/// Whether each violation is expected, and each expected one is found.
fn all_found(expected: &[Expected], found: &[Found]) -> bool {
    let fits = |expected: &Expected, violation: &Violation| match expected {
        Expected::Violation { kind, line } => {
            kind == violation.kind.name() && line.is_none_or(|line| lines(violation).contains(&line))
        }
        _ => false,
    };
    expected.len() == found.len()
        && expected.iter().all(|expected| found.iter().any(|found| fits(expected, &found.violation)))
        && found.iter().all(|found| expected.iter().any(|expected| fits(expected, &found.violation)))
}

/// The lines that a violation is about.
fn lines(violation: &Violation) -> Vec<u32> {
    let doing = violation.doing.iter().filter_map(|one| one.place.as_ref());
    let waiting = violation.waiting.iter().filter_map(|one| one.place.as_ref());
    violation.place.iter().chain(doing).chain(waiting).map(|place| place.line).collect()
}

fn told(result: &Check) -> String {
    let covered = &result.covered;
    match result.verdict {
        Answer::Verified => Expected::Verified(Counts {
            classes: covered.classes,
            executions: Some(covered.executions),
            states: covered.states,
            paths: covered.paths,
        })
        .to_string(),
        Answer::Violation => {
            let one = |found: &Found| {
                let violation = &found.violation;
                let place = violation.place.as_ref().map(|place| place.position()).unwrap_or_default();
                format!("violation {} ({}, {place})", violation.kind.name(), violation.message)
            };
            result.violations.iter().map(one).collect::<Vec<_>>().join(" and ")
        }
        Answer::Unknown => {
            let one = |unknown: &selvedge_report::Unknown| format!("unknown {}", unknown.what);
            result.unknown.iter().map(one).collect::<Vec<_>>().join(" and ")
        }
    }
}

/// What a person would do with the schedule file shows the same.
fn replay(
    prepared: &Prepared,
    settings: &Settings,
    found: &Found,
    schedule: &Schedule,
) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("s.json");
    write_schedule(&file, schedule).map_err(|error| error.to_string())?;
    let schedule = read_schedule(&file).map_err(|error| error.to_string())?;
    let settings_of_run = run::Settings {
        choose: Choose::Replay(Box::new(schedule)),
        model: settings.model,
        inputs: settings.inputs.clone(),
        trace: Trace::Off,
        limits: Limits { time: Some(PATIENCE), ..Limits::default() },
    };
    let mut execution = run::run(prepared, &settings_of_run, &mut Captured::default())
        .map_err(|error| format!("replay: {error}"))?;
    match run::judge(&mut execution, settings.options.at_end) {
        Verdict::Violation(violation) if *violation == found.violation => Ok(()),
        other => Err(format!("a replay gives another result: {other:?}")),
    }
}
