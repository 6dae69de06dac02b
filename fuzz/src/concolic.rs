//! Random programs that compute numbers from inputs: what an execution says in expressions happens with other inputs.

use crate::campaign::{Failure, Ran};
use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_oracle::concolic::{compare, program};

/// Compares the executions of one program.
pub fn case(number: u64) -> Result<Ran, Failure> {
    let computing = program(number);
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join("program.c");
    std::fs::write(&source, &computing.source).map_err(|error| error.to_string())?;
    let level = ["0", "1", "2"][(number % 3) as usize].to_owned();
    let request = Request { inputs: vec![source], opt_level: Some(level), ..Request::default() };
    let prepared = prepare(&request).map_err(|error| format!("not prepared: {error}"))?;
    match compare(&prepared.program, &computing) {
        Ok(_) => Ok(Ran::Passed),
        Err(what) => {
            let files = vec![("program.c".to_owned(), computing.source.into_bytes())];
            Err(Failure { what, files })
        }
    }
}
