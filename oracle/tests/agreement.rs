//! The two ways to enumerate find the same.

use selvedge_oracle::enumerate::{distinct_states, every_interleaving};
use selvedge_oracle::generate::generate;
use selvedge_oracle::language::{Statement, walk};
use selvedge_oracle::shapes::shaped;
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
    for program in (0..400).map(generate).chain((0..150).map(shaped)) {
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

#[test]
fn shaped_programs_can_do_everything_wrong_and_right() {
    let programs: Vec<Program> = (350..550).map(shaped).collect();
    let contains = |what: fn(&Statement) -> bool| {
        let mut count = 0;
        for program in &programs {
            let mut found = false;
            program.bodies().for_each(|body| walk(body, &mut |statement| found |= what(statement)));
            count += usize::from(found);
        }
        count
    };
    assert!(contains(|statement| matches!(statement, Statement::Leave(_))) > 20);
    assert!(contains(|statement| matches!(statement, Statement::Exit)) > 5);
    assert!(contains(|statement| matches!(statement, Statement::Detach(_))) > 10);
    assert!(contains(|statement| matches!(statement, Statement::TryJoin { .. })) > 10);
    assert!(contains(|statement| matches!(statement, Statement::Join { into: Some(_), .. })) > 50);
    let outcomes = programs.iter().map(|program| distinct_states(program, Model::Tso, 1_000_000));
    let outcomes: Vec<_> = outcomes.map(|outcomes| outcomes.expect("few states")).collect();
    let count = |what: fn(&selvedge_oracle::enumerate::Outcomes) -> bool| {
        outcomes.iter().filter(|outcomes| what(outcomes)).count()
    };
    assert!(count(|outcomes| outcomes.assertion()) > 40);
    assert!(count(|outcomes| outcomes.deadlock) > 4);
    assert!(count(|outcomes| outcomes.race) > 10);
    assert!(count(|outcomes| !outcomes.assertion() && !outcomes.deadlock && !outcomes.race) > 40);
}
