//! Random questions about orders of events: the solver answers as Z3 does and, on small traces, as trying everything.

use crate::campaign::{Failure, Ran};
use selvedge_oracle::orders::compare::{Agreement, Case};
use selvedge_order::Scratch;
use selvedge_smt::Z3;
use std::cell::RefCell;
use std::time::Duration;

/// Events of a trace that Z3 is asked about, at most.
const EVENTS: usize = 30;
/// Events of a trace whose orders are enumerated, at most.
const FEW_EVENTS: usize = 14;

thread_local! {
    static Z3_OF_THREAD: RefCell<Option<Z3>> = const { RefCell::new(None) };
}

/// Compares the answers to one query.
pub fn case(number: u64) -> Result<Ran, Failure> {
    let mut scratch = Scratch::new();
    let small = Case::new(number, FEW_EVENTS);
    small.compare_with_enumerator(&mut scratch).map_err(|what| failure(&small, what))?;
    let case = Case::new(number, EVENTS);
    let agreement = Z3_OF_THREAD.with_borrow_mut(|z3| {
        let z3 = match z3 {
            Some(z3) => z3,
            None => z3.insert(Z3::start(Duration::from_secs(20)).map_err(|error| error.to_string())?),
        };
        case.compare_with_z3(&mut scratch, z3).map_err(|what| failure(&case, what))
    })?;
    Ok(match agreement {
        Agreement::Order | Agreement::None => Ran::Passed,
        Agreement::Unknown => Ran::skipped("no answer in time"),
    })
}

fn failure(case: &Case, what: String) -> Failure {
    let text = case.describe();
    Failure { what: format!("{what}\n{text}"), files: vec![("case.txt".to_owned(), text.into_bytes())] }
}
