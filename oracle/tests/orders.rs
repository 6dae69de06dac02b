//! Random traces and queries: the same answers as Z3 and as trying everything.

use selvedge_oracle::orders::compare::{Agreement, Case};
use selvedge_order::{Answer, Scratch, verify};
use selvedge_smt::Z3;
use std::time::Duration;

/// Compares cases; returns how often there was an order, none, or no answer.
fn compare(
    cases: impl Iterator<Item = (u64, Case)>,
    mut with: impl FnMut(&Case) -> Result<Agreement, String>,
) -> [u32; 3] {
    let mut counts = [0; 3];
    for (number, case) in cases {
        match with(&case) {
            Ok(agreement) => counts[agreement as usize] += 1,
            Err(what) => panic!("case {number}: {what}\n{}", case.describe()),
        }
    }
    eprintln!("{counts:?}");
    counts
}

fn cases(count: u64, events: usize) -> impl Iterator<Item = (u64, Case)> {
    (0..count).map(move |number| (number, Case::new(number, events)))
}

#[test]
fn small_traces_have_the_answers_of_the_enumerator() {
    let mut scratch = Scratch::new();
    let counts = compare(cases(20_000, 20), |case| case.compare_with_enumerator(&mut scratch));
    assert!(counts[0] > 5000 && counts[1] > 5000 && counts[2] < 200, "{counts:?}");
}

#[test]
fn two_thousand_queries_have_the_answers_of_z3() {
    let mut scratch = Scratch::new();
    let mut z3 = Z3::start(Duration::from_secs(60)).expect("z3");
    let counts = compare(cases(2000, 24), |case| case.compare_with_z3(&mut scratch, &mut z3));
    assert!(counts[0] > 500 && counts[1] > 500 && counts[2] < 20, "{counts:?}");
}

#[test]
fn orders_of_z3_can_be_followed() {
    let mut z3 = Z3::start(Duration::from_secs(60)).expect("z3");
    let mut orders = 0;
    for (number, case) in cases(150, 16) {
        let answer = z3.solve(&case.trace, case.model, &case.query).expect("an answer");
        if let Answer::Order { steps, .. } = &answer {
            orders += 1;
            if let Err(error) = verify(&case.trace, case.model, &case.query, steps) {
                panic!("case {number}: {error}\n{}{steps:?}", case.describe());
            }
        }
    }
    assert!(orders > 30, "{orders}");
}
