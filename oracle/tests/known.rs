//! Programs whose numbers of views are known.

use selvedge_oracle::Model;
use selvedge_oracle::enumerate::distinct_states;
use selvedge_oracle::tables;

/// More states than any of the programs has.
const LIMIT: u64 = 2_000_000;

#[test]
fn known_programs_have_the_known_numbers_of_views() {
    let mut wrong = Vec::new();
    for row in tables::all() {
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let Some(views) = row.views(model) else { continue };
            let begun = std::time::Instant::now();
            let outcomes = distinct_states(&row.program, model, LIMIT).expect("few states");
            let found = outcomes.views.len() + outcomes.failed.len();
            eprintln!("{} {model:?} {} states {:?}", row.program.name, outcomes.states, begun.elapsed());
            if found != views || outcomes.deadlock || outcomes.misuse || outcomes.race {
                wrong.push(format!("{} {model:?}: {found} instead of {views}", row.program.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
