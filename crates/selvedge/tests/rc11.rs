//! Real programs under the language's memory model, beside the enumerator of their graphs.

use crate::common::compile;
use selvedge::check::{Settings, check};
use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_explore::{Bug, Options, Progress, Strategy, Unfinished, explore};
use selvedge_machine::{Config, Outcome, ViolationKind};
use selvedge_oracle::axiomatic::{enumerate, random};
use selvedge_oracle::enumerate::distinct_states;
use selvedge_oracle::generate::generate;
use selvedge_oracle::graphs;
use selvedge_program::SourceOrder;
use selvedge_relations::{End, Rules, explore as explore_graphs};
use selvedge_trace::{Inputs, Model};
use std::ops::ControlFlow;

/// Complete executions and deadlocks, blocked ones, and whether there is a race, as the machine finds them.
fn by_machine(text: &str, model: Model) -> (u64, u64, bool) {
    let (executions, blocked, races, unfinished) = by_strategy(text, model, Strategy::Optimal);
    assert!(unfinished.is_empty(), "{unfinished:?}\n{text}");
    (executions, blocked, races)
}

fn by_strategy(text: &str, model: Model, strategy: Strategy) -> (u64, u64, bool, Vec<Unfinished>) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("litmus.c");
    std::fs::write(&file, text).expect("a file");
    let prepared = prepare(&Request { inputs: vec![file], ..Request::default() }).expect("a program");
    let config = Config { model, program_name: prepared.name.clone(), ..Config::default() };
    let options = Options { keep_going: true, strategy, ..Options::default() };
    let report = explore(prepared.program, config, &options, &Progress::default());
    let races = |bug: &Bug| match bug {
        Bug::Ends(Outcome::Violation { violation, .. }) => violation.kind == ViolationKind::DataRace,
        Bug::Race(..) => true,
        _ => false,
    };
    let racy = report.findings.iter().any(|finding| races(&finding.bug));
    (report.executions, report.blocked, racy, report.unfinished)
}

#[test]
fn programs_have_the_executions_of_their_graphs() {
    agree(Model::Rc11, Rules::Rc11, 1);
}

/// Where nothing is weaker than sequentially consistent, the search through states says what the graphs say.
#[test]
fn sequential_programs_need_no_graphs() {
    let mut racy = 0;
    for seed in 5_001..5_041 {
        let mut text = random(seed).to_c();
        for order in ["relaxed", "acquire", "release", "acq_rel"] {
            text = text.replace(&format!("memory_order_{order}"), "memory_order_seq_cst");
        }
        let graphs = by_strategy(&text, Model::Rc11, Strategy::Optimal);
        let states = by_strategy(&text, Model::Rc11, Strategy::Auto);
        assert!(graphs.3.is_empty() && states.3.is_empty(), "seed {seed}: {graphs:?} {states:?}\n{text}");
        assert_eq!(graphs.2, states.2, "seed {seed}\n{text}");
        racy += u32::from(graphs.2);
    }
    assert!((1..40).contains(&racy), "{racy} of 40 programs have races");
}

#[test]
fn machines_keep_the_dependencies_of_programs() {
    agree(Model::Mca, Rules::Mca, 1_001);
}

fn agree(model: Model, rules: Rules, mut seed: u64) {
    let (mut compared, mut racy) = (0, 0);
    while compared < 24 || racy < 4 {
        seed += 1;
        let mut test = random(seed);
        let Some([enumerated]) = enumerate(&test, [rules], 3_000) else { continue };
        let found = by_machine(&test.to_c(), model);
        assert_eq!(found.2, enumerated.racy, "seed {seed}\n{test}");
        if enumerated.racy {
            racy += 1;
            continue;
        }
        compared += 1;
        let (mut ended, mut stuck) = (0, 0);
        explore_graphs(&mut test, rules, &mut |_, _, end| {
            *(if end == End::Stuck { &mut stuck } else { &mut ended }) += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(ended + stuck, enumerated.shapes.len() as u64);
        assert_eq!((found.0, found.1), (ended, stuck), "seed {seed}\n{test}");
    }
}

#[test]
fn states_find_what_graphs_do() {
    let (mut compared, mut fewer, mut seed) = (0, 0, 2_000);
    while compared < 16 {
        seed += 1;
        let text = random(seed).to_string();
        if text.contains(".sc") {
            continue;
        }
        let text = random(seed).to_c();
        let by_graphs = by_machine(&text, Model::Rc11);
        let (executions, blocked, races, unfinished) = by_strategy(&text, Model::Rc11, Strategy::States);
        assert!(unfinished.is_empty(), "seed {seed}: {unfinished:?}");
        assert_eq!(races, by_graphs.2, "seed {seed}");
        if !races {
            assert!(executions <= by_graphs.0 && blocked <= by_graphs.1, "seed {seed}");
            assert!((executions > 0, blocked > 0) == (by_graphs.0 > 0, by_graphs.1 > 0), "seed {seed}");
            fewer += u32::from(executions < by_graphs.0);
        }
        compared += 1;
    }
    assert!(fewer > 3, "{fewer}");
}

/// Whether mca, tso and sc show what is found under rc11 in a program of the corpus.
fn elsewhere(file: &str, flag: &str) -> Vec<(&'static str, Option<bool>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/check/");
    let request = Request {
        inputs: vec![format!("{folder}{file}").into()],
        cflags: vec![flag.into()],
        ..Request::default()
    };
    let prepared = prepare(&request).expect("a program");
    let settings = Settings {
        model: Model::Rc11,
        inputs: Inputs::default(),
        options: Options::default(),
        cross_check: None,
        second_opinion: false,
        symbolic: None,
        explain_model: true,
    };
    let checked = check(&prepared, &settings, &Progress::default());
    let found = checked.result.violations.first().expect("a violation");
    found.elsewhere.iter().map(|one| (one.model.name(), one.exists)).collect()
}

#[test]
fn a_violation_is_looked_for_under_stronger_models() {
    let (yes, no) = (Some(true), Some(false));
    assert_eq!(elsewhere("mca/causality.c", "-DHAND_ON=0"), [("mca", no), ("tso", no), ("sc", no)]);
    assert_eq!(elsewhere("mca/causality.c", "-DHAND_ON=2"), [("mca", yes), ("tso", no), ("sc", no)]);
    let flags = "-DORDER=memory_order_relaxed";
    assert_eq!(elsewhere("rc11/store_buffering.c", flags), [("mca", yes), ("tso", yes), ("sc", no)]);
    let relaxed = "-DSTORE=memory_order_relaxed";
    assert_eq!(elsewhere("rc11/message_passing.c", relaxed), [("mca", yes), ("tso", yes), ("sc", yes)]);
}

#[test]
fn sequentially_consistent_programs_do_the_same_as_one_step_after_the_other() {
    let programs: Vec<_> = (0..120).map(|number| graphs::strengthened(&generate(number))).collect();
    let compiled = compile(programs);
    let mut wrong = Vec::new();
    for (number, program) in compiled.programs.iter().enumerate() {
        let expected = distinct_states(program, Model::Sc, 100_000).expect("few states");
        let config = compiled.config(number, Model::Rc11);
        if let Err(what) = graphs::compare(&compiled.program, &config, program, &expected) {
            wrong.extend(what.lines().map(|what| format!("{}: {what}", program.name)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every order of a program that needs them all is missed when what was compiled has a weaker one.
#[test]
fn weaker_orders_of_what_was_compiled_are_noticed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/check/rc11/");
    let request = Request { inputs: vec![format!("{folder}message_passing.c").into()], ..Request::default() };
    let prepared = prepare(&request).expect("a program");
    let racy = |program| {
        let config = Config { model: Model::Rc11, program_name: prepared.name.clone(), ..Config::default() };
        let report = explore(program, config, &Options::default(), &Progress::default());
        assert!(report.unfinished.is_empty(), "{:?}", report.unfinished);
        !report.findings.is_empty()
    };
    assert!(!racy(prepared.program.clone()));
    let is_own = |source: &SourceOrder| {
        let position = &prepared.program.positions[source.position as usize];
        prepared.program.files[position.file as usize].path.ends_with("message_passing.c")
    };
    let own: Vec<SourceOrder> = prepared.program.source_orders().into_iter().filter(is_own).collect();
    assert_eq!(own.len(), 2, "{own:?}");
    for source in own {
        for &order in &source.weaker {
            assert!(racy(prepared.program.with_order(&source, order).into()), "{source:?} as {order:?}");
        }
    }
}
