//! Random small programs with inputs: the search over paths, through the compiler and the machine, beside all their
//! executions.

use crate::campaign::{Campaign, Failure, Ran, Summary};
use selvedge::drivers::Request;
use selvedge::run::prepare::{Prepared, prepare};
use selvedge_oracle::paths;
use selvedge_oracle::paths::small;
use selvedge_trace::Model;

/// Programs that are compiled together.
const BATCH: u64 = 50;
/// States of a program whose executions are enumerated, at most.
const STATES: usize = 60_000;

/// Runs a campaign: its cases are programs.
pub fn run(campaign: &Campaign) -> Summary {
    let prepare = |numbers: &[u64]| {
        let programs: Vec<small::Program> = numbers.iter().map(|&number| paths::program(number)).collect();
        let cases: Vec<(small::Program, Model)> = numbers
            .iter()
            .zip(programs.iter())
            // Most programs show more under weaker models, and take longer.
            .map(|(&number, program)| {
                let model = [Model::Sc, Model::Sc, Model::Tso, Model::Pso][(number / 4 % 4) as usize];
                (program.clone(), model)
            })
            .collect();
        Ok((compile(&programs)?, cases))
    };
    campaign.run_together(BATCH, prepare, |(prepared, cases), index| {
        let (program, model) = &cases[index];
        case(prepared, index, program, *model)
    })
}

fn compile(programs: &[small::Program]) -> Result<Prepared, Failure> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join("programs.c");
    std::fs::write(&source, paths::many_to_c(programs)).map_err(|error| error.to_string())?;
    let request = Request { inputs: vec![source], ..Request::default() };
    prepare(&request).map_err(|error| format!("not prepared: {error}").into())
}

/// Compares one of the programs.
fn case(prepared: &Prepared, index: usize, program: &small::Program, model: Model) -> Result<Ran, Failure> {
    let Some(all) = small::enumerate::paths(program, model, STATES) else {
        return Ok(Ran::skipped("too many states"));
    };
    let config = paths::config(index, model);
    let by_paths = paths::compare(&prepared.program, &config, &all).map(|()| true);
    match by_paths.and_then(|_| paths::compare_choices(&prepared.program, &config, &all)) {
        Ok(true) => Ok(Ran::Passed),
        Ok(false) => Ok(Ran::skipped("values as choices had no answer")),
        Err(what) => {
            let text = paths::to_c(program).unwrap_or_default();
            let files = vec![("program.c".to_owned(), text.clone().into_bytes())];
            Err(Failure { what: format!("under {}: {what}\n{all:?}\n{text}", model.name()), files })
        }
    }
}
