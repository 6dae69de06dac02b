//! Random litmus tests as C programs that must not end in a way in which a brute-force enumerator of execution graphs says
//! that they can: no search through states verifies that.

use crate::campaign::{Failure, Ran};
use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_explore::{Bug, Options, Progress, Strategy, explore, verify_by_states};
use selvedge_machine::{Config, Outcome, ViolationKind};
use selvedge_oracle::axiomatic::{Test, enumerate, random, random_with_fences};
use selvedge_relations::Rules;
use selvedge_trace::{Inputs, Model};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Tests with more beginnings are left out.
const BEGINNINGS: usize = 6_000;
/// So many endings are asked for, each alone.
const ENDINGS: usize = 12;

/// Compares a test that a number stands for: of even numbers, a classic one with fences.
pub fn case(number: u64) -> Result<Ran, Failure> {
    let test = if number.is_multiple_of(2) { random_with_fences(number / 2) } else { random(number / 2) };
    compare(&test).map(|compared| match compared {
        Some(_) => Ran::Passed,
        None => Ran::skipped("too many executions to enumerate"),
    })
}

/// Compares one test. Whether the search through states shows that it has no other endings; nothing if there are too many.
pub fn compare(test: &Test) -> Result<Option<bool>, Failure> {
    let Some([enumerated]) = enumerate(test, [Rules::Rc11], BEGINNINGS) else { return Ok(None) };
    let endings: BTreeSet<_> = enumerated.shapes.iter().filter_map(|shape| test.ending(shape)).collect();
    let endings: Vec<_> = endings.into_iter().collect();
    let text = test.to_c_with_endings(&endings);
    let fails = |what: &str| Failure {
        what: format!("{what}\n{test}"),
        files: vec![
            ("test.litmus".to_owned(), test.to_string().into_bytes()),
            ("test.c".to_owned(), text.clone().into_bytes()),
        ],
    };
    let program = prepared(&text).map_err(|error| fails(&error))?;
    let config = |which: usize| Config {
        model: Model::Rc11,
        inputs: Arc::new(Inputs { arguments: vec![which.to_string()], ..Inputs::default() }),
        ..Config::default()
    };
    let verifies =
        |which| verify_by_states(&program, &config(which), &Options::default(), &Progress::default());
    let most = if enumerated.racy { 1 } else { ENDINGS };
    for (which, ending) in endings.iter().enumerate().take(most) {
        if verifies(which).is_some() {
            return Err(fails(&format!("states show that it does not end with {ending:?}, and it can")));
        }
    }
    let none = endings.len();
    let verified = verifies(none).is_some();
    if verified && enumerated.racy {
        return Err(fails("states show no race"));
    }
    if !verified && !enumerated.racy {
        let options = Options { strategy: Strategy::Optimal, ..Options::default() };
        let graphs = explore(program.clone(), config(none), &options, &Progress::default());
        let asserts = |bug: &Bug| match bug {
            Bug::Ends(Outcome::Violation { violation, .. }) => violation.kind == ViolationKind::Assertion,
            _ => false,
        };
        if graphs.findings.iter().any(|finding| asserts(&finding.bug)) {
            return Err(fails("graphs show another ending"));
        }
    }
    Ok(Some(verified))
}

pub(crate) fn prepared(text: &str) -> Result<Arc<selvedge_program::Program>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join("test.c");
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let prepared = prepare(&Request { inputs: vec![source], ..Request::default() });
    prepared.map(|prepared| prepared.program).map_err(|error| format!("not prepared: {error}"))
}
