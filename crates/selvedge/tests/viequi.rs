//! One execution for each view, beside the enumerator: as many as there are views, and the same violations.

use crate::common::{MODELS, compile};
use selvedge_explore::{Options, Progress, Report, Strategy, explore};
use selvedge_oracle::compare::{Compiled, compare_with};
use selvedge_oracle::enumerate::distinct_states;
use selvedge_oracle::generate::generate;
use selvedge_oracle::tables::Row;
use selvedge_oracle::{Model, Program, litmus, notation, tables};

fn options() -> Options {
    Options { strategy: Strategy::Viequi, count_views: true, keep_going: true, ..Options::default() }
}

fn run(compiled: &Compiled, number: usize, model: Model, options: &Options) -> Report {
    let config = compiled.config(number, model);
    explore(compiled.program.clone(), config, options, &Progress::default())
}

/// Compares programs with the enumerator under all models, as far as it can do them; how many there were.
fn compare_all(compiled: &Compiled, limit: u64, most_views: usize) -> usize {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (number, program) in compiled.programs.iter().enumerate() {
        for model in MODELS {
            let Some(expected) = distinct_states(program, model, limit) else { continue };
            let views = expected.views.len() + expected.stuck.len();
            if views > most_views {
                continue;
            }
            compared += 1;
            let name = format!("{} {model:?}", program.name);
            let config = compiled.config(number, model);
            if let Err(what) = compare_with(Strategy::Viequi, &compiled.program, &config, &expected) {
                wrong.extend(what.lines().map(|what| format!("{name}: {what}")));
            }
            if expected.failed.is_empty() {
                let report = run(compiled, number, model, &Options { jobs: 1 + number % 3, ..options() });
                if (report.executions, report.classes) != (views as u64, Some(views as u64)) {
                    let (executions, classes) = (report.executions, report.classes);
                    wrong.push(format!("{name}: {executions} executions of {classes:?} views, not {views}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    compared
}

fn programs(rows: &[Row]) -> Vec<Program> {
    rows.iter().map(|row| row.program.clone()).collect()
}

/// The counts that others have published, where no assertion fails before.
fn known_counts(rows: &[Row]) {
    let compiled = compile(programs(rows));
    for (number, row) in rows.iter().enumerate() {
        for model in MODELS {
            let Some(views) = row.views(model) else { continue };
            let report = run(&compiled, number, model, &options());
            if report.findings.is_empty() {
                let counted = (report.executions, report.classes, report.unfinished.len());
                let name = format!("{} {model:?}", row.program.name);
                assert_eq!(counted, (views as u64, Some(views as u64), 0), "{name}");
            }
        }
    }
}

#[test]
fn known_numbers_of_views() {
    let rows = [tables::micro(), tables::families()].concat();
    assert!(tables::micro().len() >= 54);
    known_counts(&rows);
}

#[test]
fn table_programs() {
    let compiled = compile(programs(&tables::all()));
    let compared = compare_all(&compiled, 3_000, 150);
    assert!(compared > 150, "only {compared} were small enough");
}

#[test]
fn litmus_tests() {
    let compiled = compile(litmus::all().into_iter().map(|test| test.program).collect());
    assert_eq!(compare_all(&compiled, 100_000, usize::MAX), compiled.programs.len() * MODELS.len());
}

/// `make fuzz` compares 500 of them with every strategy.
#[test]
fn random_programs() {
    let compiled = compile((0..150).map(|number| generate(7_000 + number)).collect());
    let compared = compare_all(&compiled, 100_000, 200);
    assert!(compared > 420, "only {compared} were small enough");
}

/// A value that only a later event of another thread brings: a part of a view need not be possible by itself.
#[test]
fn a_value_that_comes_late() {
    let threads = "x=2; r x || x=1; r x; r x; x=1";
    let compiled = compile(vec![notation::program("late", "x", threads, "")]);
    let report = run(&compiled, 0, Model::Sc, &options());
    assert_eq!((report.executions, report.classes), (6, Some(6)));
}

/// Many writes of the same values cost nothing but their execution.
#[test]
fn writes_that_do_not_matter() {
    let threads = "repeat 40 { x=1 } || repeat 40 { x=2 } || r x; r x";
    let compiled = compile(vec![notation::program("redundant", "x", threads, "")]);
    let report = run(&compiled, 0, Model::Sc, &options());
    assert_eq!((report.executions, report.blocked), (7, 0));
    let queries = report.queries.expect("they are counted");
    assert!(queries < 100, "{queries} questions");
}
