//! Named constraints beside an enumeration of all orders.

use selvedge_oracle::constraints::{Compared, compare};
use selvedge_smt::Process;
use selvedge_terms::decide::{Budget, Native};
use selvedge_trace::Model;

#[test]
fn random_paths_have_the_answers_of_the_enumeration() {
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        let mut all = Compared::default();
        let seeds = if model == Model::Sc { 0..120 } else { 0..300 };
        for seed in seeds {
            compare(seed, model, Native::new(Budget::default()), &mut all)
                .unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(all.possible > 100 && all.impossible > 80 && all.needed > 100, "{model:?} {all:?}");
    }
}

#[test]
fn z3_finds_the_same() {
    let mut all = Compared::default();
    for seed in 5_000..5_012 {
        let z3 = Process::start(Budget::default()).expect("z3 is installed");
        compare(seed, Model::Sc, z3, &mut all).unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(all.possible > 5 && all.impossible > 5, "{all:?}");
}
