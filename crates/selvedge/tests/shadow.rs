//! The symbolic shadow against runs with other values: what an execution says in expressions must be what happens.
//!
//! Random programs compute numbers from inputs. An execution gives for each result an expression, and the conditions under
//! which the program takes the same way. Another execution with other inputs must agree: if all conditions hold for its
//! inputs, it takes the same way and its results are what the expressions say; if one does not hold, it takes another way.

use selvedge::drivers::Request as Compile;
use selvedge::run::prepare::{Prepared, prepare};
use selvedge_machine::{Config, Outcome, Recorded, Symbolic, perform_and_look};
use selvedge_oracle::shadow::program;
use selvedge_solve::paths::{BranchKind, Request, Step};
use selvedge_solve::terms::{Symbol, Term};
use selvedge_trace::{Inputs, ThreadName};
use std::collections::BTreeMap;
use std::sync::Arc;

fn prepared(source: &str) -> Prepared {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    std::fs::write(&file, source).expect("a file");
    prepare(&Compile { inputs: vec![file], ..Compile::default() }).expect("a program")
}

struct Seen {
    recorded: Recorded,
    results: Vec<(u8, Option<Term>)>,
}

fn execute(prepared: &Prepared, values: &[u64]) -> Seen {
    let inputs: BTreeMap<Symbol, u128> = (0_u32..)
        .zip(values)
        .map(|(occurrence, &value)| {
            (Symbol::Input { thread: ThreadName::main(), occurrence }, u128::from(value))
        })
        .collect();
    let config = Config {
        inputs: Arc::new(Inputs::default()),
        symbolic: Some(Symbolic { reads: false, inputs: true, arguments: false }),
        ..Config::default()
    };
    let mut results = Vec::new();
    let request = Request { inputs, ..Request::default() };
    let recorded = perform_and_look(&prepared.program, &config, &request, None, |machine| {
        results = machine.global_bytes("result").expect("the results");
    });
    assert!(matches!(recorded.outcome, Some(Outcome::Exited(0))), "{:?}", recorded.outcome);
    Seen { recorded, results }
}

fn branches(seen: &Seen) -> Vec<(Term, u64, BranchKind)> {
    let steps = &seen.recorded.execution.threads[0].steps;
    steps
        .iter()
        .map(|performed| match &performed.step {
            Step::Branch { condition, outcome, kind } => (*condition, *outcome, *kind),
            other => panic!("{other:?} of a single thread"),
        })
        .collect()
}

/// Compares executions of one program; how many pairs took the same way with different inputs.
fn compare(source: &str, values: &[Vec<u64>]) -> usize {
    let prepared = prepared(source);
    let seen: Vec<Seen> = values.iter().map(|values| execute(&prepared, values)).collect();
    let mut same = 0;
    for one in &seen {
        for (other, values) in seen.iter().zip(values) {
            let terms = &one.recorded.execution.terms;
            let value = |symbol| match terms.symbol_of(symbol) {
                Symbol::Input { occurrence, .. } => u128::from(values[*occurrence as usize]),
                symbol => panic!("{symbol} is no input"),
            };
            let (own, others) = (branches(one), branches(other));
            let failing = own.iter().position(|(condition, ..)| terms.evaluate(*condition, value) == 0);
            let outcomes =
                |all: &[(Term, u64, BranchKind)]| all.iter().map(|b| (b.1, b.2)).collect::<Vec<_>>();
            match failing {
                None => {
                    assert_eq!(outcomes(&own), outcomes(&others), "other ways with {values:?}:\n{source}");
                    for (index, (byte, term)) in one.results.iter().enumerate() {
                        let expected = other.results[index].0;
                        let said = term.map_or(u128::from(*byte), |term| terms.evaluate(term, value));
                        assert_eq!(said, expected.into(), "byte {index} with {values:?}:\n{source}");
                    }
                    same += usize::from(!std::ptr::eq(one, other));
                }
                Some(at) => {
                    assert_eq!(outcomes(&own[..at]), outcomes(&others[..at]), "before:\n{source}");
                    assert_ne!(
                        outcomes(&own[at..=at]),
                        outcomes(&others[at..=at]),
                        "branch {at} with {values:?}:\n{source}"
                    );
                }
            }
        }
    }
    same
}

#[test]
fn expressions_say_what_happens_with_other_inputs() {
    let (mut same, mut all) = (0, 0);
    for seed in 0..24 {
        let program = program(seed);
        same += compare(&program.source, &program.values);
        all += program.values.len() * (program.values.len() - 1);
    }
    assert!(same * 10 > all, "only {same} of {all} pairs took the same way");
}
