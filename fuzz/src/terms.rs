//! Random formulas for our solver and Z3, and random small programs whose paths are searched and enumerated.

use crate::campaign::{Failure, Ran};
use selvedge_oracle::formulas;
use selvedge_oracle::numbers::Numbers;
use selvedge_oracle::paths::small;
use selvedge_oracle::paths::small::random::{Contents, program};
use selvedge_trace::Model;

/// States of a program whose executions are enumerated, at most.
const STATES: usize = 60_000;
/// Every so many-th case asks Z3, too: starting it takes longer than the rest.
const Z3_EVERY: u64 = 8;

/// One set of formulas and one program.
pub fn case(number: u64) -> Result<Ran, Failure> {
    let failure = |what: String, text: String| {
        let files = vec![("case.txt".to_owned(), text.clone().into_bytes())];
        Failure { what: format!("{what}\n{text}"), files }
    };
    formulas::compare(number, number.is_multiple_of(Z3_EVERY))
        .map_err(|what| failure(what, String::new()))?;
    let contents = match number % 4 {
        0 => Contents { locks: 1, ..Contents::default() },
        1 => Contents { locks: 2, ..Contents::default() },
        2 => Contents { locks: 1, halves: true, addresses: true, rich: false },
        _ => Contents { locks: 2, halves: true, addresses: true, rich: true },
    };
    let program = program(contents, &mut Numbers::new(number));
    // Atomic sections and the like are compared under sequential consistency only.
    let models = [Model::Sc, Model::Tso, Model::Pso];
    let model = if contents.rich { Model::Sc } else { models[(number / 4 % 3) as usize] };
    match small::compare(&program, model, STATES) {
        None => Ok(Ran::skipped("too many states")),
        Some(Ok(_)) => Ok(Ran::Passed),
        Some(Err(what)) => Err(failure(what, format!("{program:#?}"))),
    }
}
