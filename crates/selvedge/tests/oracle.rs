//! The search beside the enumerator: the same views and the same kinds of violations, whatever the strategy.

use crate::common::{MODELS, compile};
use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_oracle::compare::{Compiled, MOST_VIEWS, compare};
use selvedge_oracle::enumerate::distinct_states;
use selvedge_oracle::generate::generate;
use selvedge_oracle::machine::every_execution;
use selvedge_oracle::{litmus, tables};

/// Compares all programs under all models, with the strategies that are quick (`mcr` compares the others); those with more than `limit` states are left out. Says how many there were.
fn compare_all(compiled: &Compiled, limit: u64) -> usize {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for (number, program) in compiled.programs.iter().enumerate() {
        for model in MODELS {
            let Some(expected) = distinct_states(program, model, limit) else { continue };
            compared += 1;
            if let Err(what) = compare(&compiled.program, &compiled.config(number, model), &expected, 0) {
                let name = &program.name;
                wrong.extend(what.lines().map(|what| format!("{name} {model:?}: {what}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    compared
}

#[test]
fn table_programs() {
    let compiled = compile(tables::all().into_iter().map(|row| row.program).collect());
    let compared = compare_all(&compiled, 800);
    assert!(compared > 240, "only {compared} were small enough");
}

#[test]
fn litmus_tests() {
    let compiled = compile(litmus::all().into_iter().map(|test| test.program).collect());
    assert_eq!(compare_all(&compiled, 100_000), compiled.programs.len() * MODELS.len());
}

/// `make fuzz` compares the first 530 with every strategy.
#[test]
fn random_programs() {
    let compiled = compile((0..100).map(generate).collect());
    assert_eq!(compare_all(&compiled, 100_000), 100 * MODELS.len());
}

#[test]
fn programs_that_went_wrong() {
    let compiled = compile(tables::regressions::lost_alternatives());
    let mut wrong = Vec::new();
    for (number, program) in compiled.programs.iter().enumerate() {
        for model in MODELS {
            let expected = distinct_states(program, model, 100_000).expect("few states");
            let compared = compare(&compiled.program, &compiled.config(number, model), &expected, MOST_VIEWS);
            wrong.extend(compared.err().map(|what| format!("{} {model:?}: {what}", program.name)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The machine, asked for everything that it can do. Calls are looked at by the strategies: here single accesses are told
/// apart.
#[test]
fn the_machine_and_the_enumerator_agree() {
    let micro = tables::micro().into_iter().map(|row| row.program);
    let litmus = litmus::all().into_iter().map(|test| test.program);
    let random = (0..140).map(generate).filter(|program| !program.calls());
    let compiled = compile(micro.chain(litmus).chain(random).collect());
    let mut compared = 0;
    for (number, program) in compiled.programs.iter().enumerate() {
        for model in MODELS {
            let config = compiled.config(number, model);
            let prefix = format!("p{number}_");
            let Some(found) = every_execution(&compiled.program, config, program, &prefix, 1_000) else {
                continue;
            };
            let name = format!("{} {model:?}", program.name);
            let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
            let expected = distinct_states(program, model, 100_000).expect("few states");
            assert_eq!(found.views, expected.views, "{name}");
            assert_eq!(found.hashes.len(), expected.views.len(), "{name}");
            assert_eq!(
                (found.assertion, found.deadlock, found.misuse, found.blocked > 0),
                (expected.assertion(), expected.deadlock, expected.misuse, expected.blocked > 0),
                "{name}"
            );
            compared += 1;
        }
    }
    assert!(compared > 120, "only {compared} were small enough");
}

/// Some of the states in a long chain are stored, by their hashes: also where the execution ends there.
#[test]
fn ends_of_long_chains() {
    use selvedge_explore::{Bug, Options, Progress, explore};
    use selvedge_machine::{Config, Outcome};
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/check/search/long_chain.c");
    let request = Request { inputs: vec![source.into()], ..Request::default() };
    let program = prepare(&request).unwrap_or_else(|error| panic!("{error}")).program;
    for argument in 0..300 {
        let mut inputs = selvedge_trace::Inputs::default();
        inputs.arguments.push(argument.to_string());
        let config = Config { inputs: inputs.into(), ..Config::default() };
        let report = explore(program.clone(), config, &Options::default(), &Progress::default());
        let deadlocks =
            report.findings.iter().filter(|found| matches!(found.bug, Bug::Ends(Outcome::Deadlock(_))));
        assert_eq!(deadlocks.count(), 1, "with argument {argument}: {report:?}");
    }
}
