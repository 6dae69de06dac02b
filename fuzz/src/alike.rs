//! Random programs with equal threads, which the default search takes for the same: it finds every way in which they can
//! end, as a brute-force enumerator of execution graphs says, and no other.

use crate::campaign::{Failure, Ran};
use crate::litmus::prepared;
use selvedge_explore::{Options, Progress, Report, explore};
use selvedge_machine::Config;
use selvedge_oracle::axiomatic::{compare_alike, enumerate, random_alike};
use selvedge_relations::Rules;
use selvedge_trace::{Inputs, Model};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Tests with more beginnings are left out.
const BEGINNINGS: usize = 800;
/// So many endings are asked for, each alone.
const ENDINGS: usize = 4;

/// Compares a test that a number stands for: of even numbers its graphs, of others the program that it is.
pub fn case(number: u64) -> Result<Ran, Failure> {
    let test = random_alike(number);
    let text = test.to_string();
    let fails = |what: String, program: &str| Failure {
        what: format!("{what}\n{text}"),
        files: vec![
            ("test.litmus".to_owned(), text.clone().into_bytes()),
            ("test.c".to_owned(), program.as_bytes().to_vec()),
        ],
    };
    if number.is_multiple_of(2) {
        return match compare_alike(number / 2).map_err(|what| fails(what, ""))? {
            Some(_) => Ok(Ran::Passed),
            None => Ok(Ran::skipped("too many executions to enumerate")),
        };
    }
    // Programs with mutexes have none of the threads that are taken for the same.
    if text.contains("lock") {
        return Ok(Ran::skipped("a program with mutexes"));
    }
    let Some([enumerated]) = enumerate(&test, [Rules::Rc11], BEGINNINGS) else {
        return Ok(Ran::skipped("too many executions to enumerate"));
    };
    let endings: BTreeSet<_> = enumerated.shapes.iter().filter_map(|shape| test.sum_ending(shape)).collect();
    let endings: Vec<_> = endings.into_iter().collect();
    let program_text = test.to_c_with_sums(&endings);
    let fails = |what: &str| fails(what.to_owned(), &program_text);
    let program = prepared(&program_text).map_err(|error| fails(&error))?;
    let explored = |which: usize| -> Report {
        let inputs = Arc::new(Inputs { arguments: vec![which.to_string()], ..Inputs::default() });
        let config = Config { model: Model::Rc11, inputs, ..Config::default() };
        explore(program.clone(), config, &Options::default(), &Progress::default())
    };
    // Some of the endings, from any place.
    let first = number as usize % endings.len().max(1);
    for which in (0..endings.len()).map(|place| (first + place) % endings.len()).take(ENDINGS) {
        if explored(which).findings.is_empty() {
            return Err(fails(&format!("it is not found that it ends with {:?}", endings[which])));
        }
        if enumerated.racy {
            return Ok(Ran::Passed);
        }
    }
    let all = explored(endings.len());
    match (all.findings.is_empty(), all.unfinished.is_empty()) {
        (found, _) if found == enumerated.racy => Err(fails("it ends in another way, or a race is missing")),
        (_, false) => Err(fails(&format!("unknown: {:?}", all.unfinished))),
        _ => Ok(Ran::Passed),
    }
}
