//! Our solver beside Z3.

use selvedge_oracle::formulas::{Compared, compare};

#[test]
fn random_formulas_have_the_same_answers() {
    let mut all = Compared::default();
    for seed in 0..80 {
        match compare(seed, true) {
            Ok(one) => {
                all.sat += one.sat;
                all.unsat += one.unsat;
                all.unknown += one.unknown;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(all.sat > 100 && all.unsat > 100, "{all:?}");
    assert!(all.unknown < 8, "{all:?}");
}

#[test]
fn solutions_are_solutions() {
    for seed in 10_000..11_500 {
        compare(seed, false).unwrap();
    }
}
