//! Programs of which it is known what they can do.

use selvedge_oracle::enumerate::{distinct_states, every_interleaving};
use selvedge_oracle::{Model, litmus, tables};

/// More states than any of the programs has.
const LIMIT: u64 = 2_000_000;
const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

#[test]
fn known_programs_have_the_known_numbers_of_views() {
    let mut wrong = Vec::new();
    for row in tables::all().iter().chain(&tables::large()) {
        for model in MODELS {
            let Some(views) = row.views(model) else { continue };
            let outcomes = distinct_states(&row.program, model, LIMIT).expect("few states");
            let found = outcomes.views.len() + outcomes.failed.len();
            if found != views || outcomes.deadlock || outcomes.misuse || outcomes.race {
                wrong.push(format!("{} {model:?}: {found} instead of {views}", row.program.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn litmus_tests_come_out_as_the_models_say() {
    let tests = litmus::all();
    let mut wrong = Vec::new();
    for test in &tests {
        for model in MODELS {
            let name = format!("{} {model:?}", test.program.name);
            let outcomes = every_interleaving(&test.program, model, LIMIT).expect("few interleavings");
            let found = outcomes.views.contains(&test.outcome);
            if found != test.allowed(model) {
                wrong.push(format!("{name}: {}", if found { "found" } else { "not found" }));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tests.len() >= 40);
}
