//! Telling states apart by all that they consist of: right whatever the hashes are.

use selvedge::drivers::Request;
use selvedge::run::prepare::{Prepared, prepare};
use selvedge_explore::{Bug, Options, Progress, Report, Strategy, explore};
use selvedge_machine::Config;
use selvedge_trace::Model;
use std::path::Path;

fn example(name: &str) -> Prepared {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    prepare(&Request { inputs: vec![file], ..Request::default() }).expect("an example")
}

fn search(program: &Prepared, model: Model, options: &Options) -> Report {
    let config = Config { model, ..Config::default() };
    explore(program.program.clone(), config, options, &Progress::default())
}

#[test]
fn exact_states_are_those_that_hashes_tell_apart_whatever_the_hashes() {
    for name in ["bank.c", "bank_repaired.c", "corridor.c", "dinner.c", "flags.c"] {
        let program = example(name);
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            for strategy in [Strategy::Auto, Strategy::States] {
                let found = |exact, hash_bits| {
                    let options =
                        Options { strategy, exact, hash_bits, keep_going: true, ..Options::default() };
                    let report = search(&program, model, &options);
                    assert!(report.unfinished.is_empty(), "{name} {model:?}: {:?}", report.unfinished);
                    (report.states, report.executions, report.findings.len())
                };
                let hashed = found(false, 128);
                assert_eq!(found(true, 128), hashed, "{name} {model:?} {strategy:?}");
                assert_eq!(found(true, 2), hashed, "{name} {model:?} {strategy:?}, weak hashes");
            }
        }
    }
}

#[test]
fn weak_hashes_hide_a_violation_and_exact_states_do_not() {
    let program = example("bank.c");
    let finds = |exact, strategy| {
        let options = Options { strategy, exact, hash_bits: 0, ..Options::default() };
        let report = search(&program, Model::Sc, &options);
        report.findings.iter().any(|finding| matches!(finding.bug, Bug::Ends(_)))
    };
    for strategy in [Strategy::Auto, Strategy::States] {
        assert!(!finds(false, strategy), "every state is taken for the first one");
        assert!(finds(true, strategy));
    }
}
