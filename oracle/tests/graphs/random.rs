//! Random tests: the exploration finds exactly what the enumerator does, and nothing twice.

use selvedge_oracle::axiomatic::{Alike, compare_alike, compare_looking, compare_random};

#[test]
fn random_tests_are_explored_exactly() {
    let (mut compared, mut seed) = (0, 0);
    while compared < 300 {
        match compare_random(seed) {
            Ok(small) => compared += u32::from(small),
            Err(problem) => panic!("seed {seed}: {problem}"),
        }
        seed += 1;
    }
}

#[test]
fn threads_that_look_for_something_find_it_in_all_ways() {
    let (mut compared, mut seed) = (0, 0);
    while compared < 300 {
        match compare_looking(seed) {
            Ok(small) => compared += u32::from(small),
            Err(problem) => panic!("seed {seed}: {problem}"),
        }
        seed += 1;
    }
}

#[test]
fn of_executions_that_differ_by_exchanging_threads_one_is_found() {
    let (mut compared, mut seed, mut sum) = (0, 0, Alike::default());
    while compared < 150 {
        match compare_alike(seed) {
            Ok(found) => {
                compared += u32::from(found.is_some());
                let found = found.unwrap_or_default();
                (sum.explored, sum.all) = (sum.explored + found.explored, sum.all + found.all);
            }
            Err(problem) => panic!("seed {seed}: {problem}"),
        }
        seed += 1;
    }
    assert!(sum.explored * 4 < sum.all * 3, "{sum:?}");
}
