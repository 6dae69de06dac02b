//! The two ways to enumerate find the same.

use selvedge_oracle::enumerate::{distinct_states, every_interleaving};
use selvedge_oracle::generate::generate;
use selvedge_oracle::{Model, Program};

/// Programs for which following every interleaving takes longer are left to the other way.
const LIMIT: u64 = 20_000;

fn agree(program: &Program, model: Model) -> bool {
    let Some(slow) = every_interleaving(program, model, LIMIT) else { return false };
    let fast = distinct_states(program, model, LIMIT).expect("no more states than along all interleavings");
    assert_eq!(slow.essence(), fast.essence(), "{model:?} {program:#?}");
    true
}

#[test]
fn remembering_states_loses_nothing() {
    let mut compared = 0;
    for number in 0..400 {
        let program = generate(number);
        compared += [Model::Sc, Model::Tso, Model::Pso].into_iter().filter(|&m| agree(&program, m)).count();
    }
    assert!(compared > 400, "only {compared} programs were small enough");
}

#[test]
fn random_programs_can_do_everything_wrong_and_right() {
    let outcomes: Vec<_> = (0..300)
        .map(|number| distinct_states(&generate(number), Model::Tso, 1_000_000).expect("few states"))
        .collect();
    let count = |what: fn(&selvedge_oracle::enumerate::Outcomes) -> bool| {
        outcomes.iter().filter(|outcomes| what(outcomes)).count()
    };
    assert!(count(|outcomes| outcomes.assertion()) > 20);
    assert!(count(|outcomes| outcomes.deadlock) > 20);
    assert!(count(|outcomes| outcomes.race) > 20);
    assert!(count(|outcomes| outcomes.blocked > 0) > 20);
    assert!(count(|outcomes| !outcomes.assertion() && !outcomes.deadlock && !outcomes.race) > 60);
    assert!(count(|outcomes| outcomes.views.len() > 10) > 30);
}
