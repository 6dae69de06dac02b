//! Random litmus tests: the exploration of execution graphs finds what enumerating them all does.

use crate::campaign::{Failure, Ran};
use selvedge_oracle::axiomatic::{compare_random, random};

/// Compares the two on one test, under every model.
pub fn case(number: u64) -> Result<Ran, Failure> {
    match compare_random(number) {
        Ok(true) => Ok(Ran::Passed),
        Ok(false) => Ok(Ran::skipped("too many executions to enumerate")),
        Err(what) => {
            let text = random(number).to_string();
            Err(Failure { what, files: vec![("test.litmus".to_owned(), text.into_bytes())] })
        }
    }
}
