//! The concolic shadow against runs with other values, and the search over inputs through the command line's code.

use selvedge::drivers::Request;
use selvedge::run::prepare::{Prepared, prepare};
use selvedge_oracle::concolic::{compare, program};

fn prepared(source: &str) -> Prepared {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    std::fs::write(&file, source).expect("a file");
    prepare(&Request { inputs: vec![file], ..Request::default() }).expect("a program")
}

#[test]
fn expressions_say_what_happens_with_other_inputs() {
    let (mut same, mut all) = (0, 0);
    for seed in 0..24 {
        let computing = program(seed);
        let prepared = prepared(&computing.source);
        let agreed = compare(&prepared.program, &computing);
        same += agreed.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", computing.source));
        all += computing.values.len() * (computing.values.len() - 1);
    }
    assert!(same * 10 > all, "only {same} of {all} pairs took the same way");
}
