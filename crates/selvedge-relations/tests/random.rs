//! Random tests: the exploration finds exactly what the enumerator does, and nothing twice.

use selvedge_relations::litmus::{compare_looking, compare_random};

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
