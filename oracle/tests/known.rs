//! Programs of which it is known what they can do.

use selvedge_oracle::enumerate::{distinct_states, every_interleaving};
use selvedge_oracle::{Model, litmus, notation, tables};

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

/// Threads and main, what can come of them: views, and what is wrong.
const ENDS: &[(&str, &str, usize, &str)] = &[
    // A thread that is not joined may or may not have read when main returns.
    ("r x", "create 0", 2, ""),
    ("r x", "create 0; leave", 1, ""),
    ("r x", "create 0; join 0", 1, ""),
    ("r x; r x", "create 0; detach 0", 3, ""),
    ("r x", "create 0; x=1; leave", 2, ""),
    ("r x", "create 0; x=1; join 0; x=2", 2, ""),
    ("r x", "create 0; join 0; x=1", 1, ""),
    // Results are used.
    ("v=x; return v+1", "create 0; x=1; v=join 0; assert v!=2", 1, "assertion"),
    ("v=x; return v+1", "create 0; x=1; v=join 0; assert v!=3", 2, ""),
    ("v=x; leave v", "create 0; x=1; v=join 0; assert v!=1", 1, "assertion"),
    // The end of the process is that of all threads, also of those that wait.
    ("lock m; lock m", "create 0", 1, ""),
    ("lock m; lock m", "create 0; leave", 0, "deadlock"),
    ("lock m; lock m", "create 0; join 0", 0, "deadlock"),
    ("r x; exit || r y", "create 0; create 1; join 1; leave", 2, ""),
    ("r x; assert 0", "create 0", 1, "assertion"),
    // Another thread joins, or looks.
    ("v=x; return v || v=join 0; assert v!=1", "create 0; create 1; x=1; leave", 1, "assertion"),
    ("x=1", "create 0; v=tryjoin 0; w=x; leave", 3, ""),
    // A thread is created only if another has counted so far.
    ("v=faa(x,1); if v==1 { create 2 } || faa(x,1) || y=1", "create 0; create 1; join 1; leave", 2, ""),
];

#[test]
fn programs_end_in_all_ways() {
    for (threads, main, views, wrong) in ENDS {
        let program = notation::program(main, "x y mutex:m", threads, main);
        let outcomes = distinct_states(&program, Model::Sc, LIMIT).expect("few states");
        let all = [(outcomes.assertion(), "assertion"), (outcomes.deadlock, "deadlock")];
        let found: Vec<&str> = all.into_iter().filter_map(|(is, what)| is.then_some(what)).collect();
        assert_eq!((outcomes.views.len(), found.join(" ").as_str()), (*views, *wrong), "{threads} / {main}");
    }
}
