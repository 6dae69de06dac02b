//! The strategies by maximal causality beside the enumerator: every view, the same violations, no view twice.

use crate::common::{MODELS, compile};
use selvedge_explore::{Options, Progress, Strategy, explore};
use selvedge_oracle::compare::{Compiled, compare_with};
use selvedge_oracle::enumerate::distinct_states;
use selvedge_oracle::generate::generate;
use selvedge_oracle::{Model, litmus, tables};
use selvedge_smt::StartZ3;
use std::sync::Arc;
use std::time::Duration;

/// Compares programs with at most so many states with all strategies under all models; how many there were.
fn compare_all(compiled: &Compiled, limit: u64, most_views: usize) -> usize {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (number, program) in compiled.programs.iter().enumerate() {
        for model in MODELS {
            let Some(expected) = distinct_states(program, model, limit) else { continue };
            if expected.views.len() > most_views {
                continue;
            }
            compared += 1;
            let config = compiled.config(number, model);
            let name = format!("{} {model:?}", program.name);
            for strategy in [Strategy::Mcr, Strategy::SeMcr, Strategy::McrS, Strategy::McrSPlus] {
                if let Err(what) = compare_with(strategy, &compiled.program, &config, &expected) {
                    wrong.extend(what.lines().map(|what| format!("{name}: {what}")));
                }
            }
            if expected.failed.is_empty() && number % 4 == 0 {
                let executions = |strategy| {
                    let options =
                        Options { strategy, count_views: true, keep_going: true, ..Options::default() };
                    let report =
                        explore(compiled.program.clone(), config.clone(), &options, &Progress::default());
                    (report.executions, report.classes)
                };
                let (fresh, every) = (executions(Strategy::SeMcr), executions(Strategy::Mcr));
                if Some(fresh.0) != fresh.1 || fresh.0 > every.0 {
                    wrong.push(format!("{name}: se-mcr {fresh:?}, mcr {every:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    compared
}

#[test]
fn table_programs() {
    let compiled = compile(tables::all().into_iter().map(|row| row.program).collect());
    let compared = compare_all(&compiled, 400, 60);
    assert!(compared > 100, "only {compared} were small enough");
}

#[test]
fn litmus_tests() {
    let compiled = compile(litmus::all().into_iter().map(|test| test.program).collect());
    assert_eq!(compare_all(&compiled, 100_000, usize::MAX), compiled.programs.len() * MODELS.len());
}

/// `make fuzz` compares the first 530 with every strategy.
#[test]
fn random_programs() {
    let compiled = compile((100..180).map(generate).collect());
    let compared = compare_all(&compiled, 100_000, 50);
    assert!(compared > 220, "only {compared} were small enough");
}

fn report(compiled: &Compiled, number: usize, options: &Options) -> selvedge_explore::Report {
    let config = compiled.config(number, Model::Sc);
    explore(compiled.program.clone(), config, options, &Progress::default())
}

#[test]
fn fewer_reads_are_pinned_where_dependences_are_known() {
    let compiled = compile((0..40).map(generate).collect());
    let pinned = |strategy| {
        let options = Options { strategy, keep_going: true, max_executions: Some(300), ..Options::default() };
        let spent = |number| report(&compiled, number, &options).spent.map_or(0, |spent| spent.reads);
        (0..compiled.programs.len()).map(spent).sum::<u64>()
    };
    let (all, needed, target) = (pinned(Strategy::Mcr), pinned(Strategy::McrS), pinned(Strategy::McrSPlus));
    assert!(needed * 4 <= all * 3, "mcr-s pins {needed} reads, mcr {all}");
    assert!(target < all, "mcr-s+ pins {target} reads, mcr {all}");
}

#[test]
fn z3_answers_the_same_questions() {
    let compiled = compile(litmus::all().into_iter().take(6).map(|test| test.program).collect());
    for number in 0..compiled.programs.len() {
        for strategy in [Strategy::SeMcr, Strategy::McrS] {
            let own = Options { strategy, count_views: true, keep_going: true, ..Options::default() };
            let z3 = StartZ3 { timeout: Duration::from_secs(60) };
            let other = Options { solver: Some(Arc::new(z3)), ..own.clone() };
            let (own, other) = (report(&compiled, number, &own), report(&compiled, number, &other));
            assert!(other.unfinished.is_empty(), "{:?}", other.unfinished);
            assert_eq!(own.classes, other.classes, "{}", compiled.programs[number].name);
        }
    }
}
