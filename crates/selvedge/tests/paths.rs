//! Programs with inputs through the compiler and the machine: the search over paths finds what all their executions show.

use crate::common::Shelf;
use selvedge::drivers::Request;
use selvedge::run::prepare::{Prepared, prepare};
use selvedge_explore::{Budget, Options, Progress, Strategy, Unfinished, explore};
use selvedge_machine::Config;
use selvedge_oracle::paths::small::enumerate;
use selvedge_oracle::paths::{compare, compare_choices, config, many_to_c, program};
use selvedge_trace::Model;
use std::path::Path;
use std::sync::Arc;

/// Programs with more states are left out: there are others.
const STATES: usize = 20_000;

#[test]
fn random_programs_with_inputs() {
    let programs: Vec<_> = (0..400).map(program).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("programs.c");
    std::fs::write(&file, many_to_c(&programs)).expect("a file");
    let prepared = prepare(&Request { inputs: vec![file], ..Request::default() }).expect("a program");
    let (mut compared, mut paths, mut deadlocks) = (0, 0, 0);
    for (number, program) in programs.iter().enumerate() {
        let model = [Model::Sc, Model::Sc, Model::Tso, Model::Pso][number / 4 % 4];
        let Some(all) = enumerate::paths(program, model, STATES) else { continue };
        let config = config(number, model);
        let by_paths = compare(&prepared.program, &config, &all);
        if let Err(what) = by_paths.and_then(|()| compare_choices(&prepared.program, &config, &all)) {
            panic!("program {number} under {}: {what}\n{program:#?}", model.name());
        }
        compared += 1;
        paths += all.paths;
        deadlocks += all.deadlocks;
    }
    assert!(compared >= 380 && paths > 400 && deadlocks > 10, "{compared} programs, {paths}, {deadlocks}");
}

fn corpus(name: &str, flags: &[&str]) -> Prepared {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/check/inputs/paths").join(name);
    let cflags = flags.iter().map(|flag| (*flag).to_owned()).collect();
    prepare(&Request { inputs: vec![file], cflags, ..Request::default() }).expect("a program")
}

fn counting() -> Options {
    Options { strategy: Strategy::Mpc, count_paths: true, races: false, ..Options::default() }
}

/// Stopped again and again, a search comes to the same number of paths, one execution for each.
#[test]
fn a_search_that_was_stopped_goes_on() {
    let prepared = corpus("spinlock.c", &["-DROUNDS=3"]);
    let shelf = Arc::new(Shelf::default());
    for most in [Some(20), Some(60), Some(100), None] {
        let options = Options { keep: shelf.keeper(), max_executions: most, ..counting() };
        let report = explore(prepared.program.clone(), Config::default(), &options, &Progress::default());
        assert_eq!((report.paths, Some(report.executions)), (Some(most.unwrap_or(122)), most.or(Some(122))));
        let stopped = matches!(report.unfinished[..], [Unfinished::Budget(Budget::Executions)]);
        assert_eq!(stopped, most.is_some(), "{:?}", report.unfinished);
    }
}

/// The same for decisions only, with several threads.
#[test]
fn discovery_that_was_stopped_goes_on() {
    let prepared = corpus("dekker.c", &["-DROUNDS=4"]);
    let shelf = Arc::new(Shelf::default());
    for most in [Some(3), Some(6), None] {
        let options =
            Options { keep: shelf.keeper(), max_executions: most, count_paths: false, jobs: 2, ..counting() };
        let report = explore(prepared.program.clone(), Config::default(), &options, &Progress::default());
        let stopped = matches!(report.unfinished[..], [Unfinished::Budget(Budget::Executions)]);
        assert_eq!(stopped, most.is_some(), "{:?}", report.unfinished);
        assert!(most.is_none_or(|most| report.executions == most), "{}", report.executions);
        assert!(report.findings.is_empty());
    }
}
