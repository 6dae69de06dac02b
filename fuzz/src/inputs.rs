//! Random small programs with inputs: the search over paths, through the compiler and the machine, beside all their
//! executions.

use crate::campaign::{Campaign, Failure, Ran, Summary};
use selvedge::drivers::Request;
use selvedge::run::prepare::{Prepared, prepare};
use selvedge_oracle::paths;
use selvedge_solve::paths::small;
use selvedge_trace::Model;
use std::sync::{Mutex, PoisonError};

/// Programs that are compiled together.
const BATCH: u64 = 50;
/// States of a program whose executions are enumerated, at most.
const STATES: usize = 60_000;

/// Runs a campaign: its cases are programs.
pub fn run(campaign: &Campaign) -> Summary {
    let total = Mutex::new(Summary::default());
    let batches =
        Campaign { seed: 0, count: campaign.count.map(|count| count.div_ceil(BATCH)), ..campaign.clone() };
    let summary = batches.run(|batch| {
        let first = batch * BATCH;
        let last = campaign.count.map_or(first + BATCH, |count| count.min(first + BATCH));
        let numbers: Vec<u64> = (first..last).map(|index| campaign.seed.wrapping_add(index)).collect();
        let programs: Vec<small::Program> = numbers.iter().map(|&number| paths::program(number)).collect();
        let prepared = compile(&programs)?;
        for (index, (&number, program)) in numbers.iter().zip(&programs).enumerate() {
            let ran = case(&prepared, index, program);
            let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
            match ran {
                Ok(ran) => total.count(ran),
                Err(failure) => {
                    let text = campaign.keep(number, &failure);
                    eprintln!("FAIL {text}");
                    total.findings.push(text);
                }
            }
        }
        Ok(Ran::Passed)
    });
    let mut total = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    // A whole batch fails if it cannot be compiled or something panics.
    total.findings.extend(summary.findings);
    total
}

fn compile(programs: &[small::Program]) -> Result<Prepared, Failure> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join("programs.c");
    std::fs::write(&source, paths::many_to_c(programs)).map_err(|error| error.to_string())?;
    let request = Request { inputs: vec![source], ..Request::default() };
    prepare(&request).map_err(|error| format!("not prepared: {error}").into())
}

/// Compares one of the programs.
fn case(prepared: &Prepared, index: usize, program: &small::Program) -> Result<Ran, Failure> {
    let Some(all) = small::enumerate::paths(program, Model::Sc, STATES) else {
        return Ok(Ran::skipped("too many states"));
    };
    match paths::compare(&prepared.program, &paths::config(index), &all) {
        Ok(()) => Ok(Ran::Passed),
        Err(what) => {
            let text = paths::to_c(program).unwrap_or_default();
            let files = vec![("program.c".to_owned(), text.clone().into_bytes())];
            Err(Failure { what: format!("{what}\n{all:?}\n{text}"), files })
        }
    }
}
