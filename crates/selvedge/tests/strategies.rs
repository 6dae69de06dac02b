//! The strategies of the literature: known numbers of executions, and what holds between them.

use crate::common::{MODELS, compile};
use selvedge_explore::{Bug, Finding, Options, Progress, Report, Strategy, Unfinished, explore};
use selvedge_machine::Outcome;
use selvedge_oracle::compare::{Compiled, compare, is_quick};
use selvedge_oracle::enumerate::distinct_states;
use selvedge_oracle::generate::generate;
use selvedge_oracle::{Model, notation, tables};
use std::collections::BTreeSet;

fn run(compiled: &Compiled, number: usize, model: Model, options: &Options) -> Report {
    explore(compiled.program.clone(), compiled.config(number, model), options, &Progress::default())
}

/// Whether some executions end because something goes wrong: how far the other threads have come by then depends on the
/// order of exploration.
fn ends_early(report: &Report) -> bool {
    let ends = |finding: &Finding| matches!(finding.bug, Bug::Ends(Outcome::Violation { .. }));
    report.findings.iter().any(ends)
}

/// Mazurkiewicz traces under sequential consistency, where reads and writes of the same bytes are dependent: counted
/// by others with other programs.
const TRACES: [(&str, u64); 22] = [
    ("dekker(1)", 5),
    ("dekker(2)", 21),
    ("dekker(3)", 77),
    ("dekker(5)", 1005),
    ("peterson(1)", 14),
    ("peterson(2)", 310),
    ("burns(1)", 16),
    ("burns(2)", 303),
    ("szymanski(1)", 103),
    ("array(2)", 6),
    ("array(3)", 90),
    ("redundant(1)", 12),
    ("redundant(2)", 90),
    ("own first(2)", 20),
    ("own first(3)", 120),
    ("once only(2, 3)", 4),
    ("once only(3, 2)", 36),
    ("ring(3, 3)", 13),
    ("ring(4, 3)", 21),
    ("rounds(1)", 27),
    ("same value(3)", 36),
    ("triangular(3)", 1698),
];

#[test]
fn one_execution_for_each_trace() {
    let rows = tables::all();
    let program = |name: &str| {
        let row = rows.iter().find(|row| row.program.name == name);
        row.unwrap_or_else(|| panic!("there is no {name}")).program.clone()
    };
    let compiled = compile(TRACES.iter().map(|(name, _)| program(name)).collect());
    let mut wrong = Vec::new();
    for (number, (name, traces)) in TRACES.into_iter().enumerate() {
        for jobs in [1, 3] {
            let options = Options { strategy: Strategy::Optimal, jobs, races: false, ..Options::default() };
            let report = run(&compiled, number, Model::Sc, &options);
            if (report.executions, report.blocked) != (traces, 0) || !report.unfinished.is_empty() {
                let (executions, blocked) = (report.executions, report.blocked);
                wrong.push(format!(
                    "{name}, {jobs} jobs: {executions} and {blocked} blocked, not {traces}: {:?}",
                    report.unfinished
                ));
            }
        }
        let options = Options { strategy: Strategy::Dpor, races: false, ..Options::default() };
        let report = run(&compiled, number, Model::Sc, &options);
        if report.executions != traces {
            wrong.push(format!("{name}, source sets: {} instead of {traces}", report.executions));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Under every model and with everything that random programs do.
#[test]
fn no_execution_in_vain() {
    let compiled = compile((0..100).map(generate).collect());
    let mut wrong = Vec::new();
    for number in 0..compiled.programs.len() {
        for model in [Model::Sc, Model::Tso, Model::Pso] {
            let count = |strategy, jobs| {
                let options =
                    Options { strategy, jobs, keep_going: true, count_views: true, ..Options::default() };
                run(&compiled, number, model, &options)
            };
            let (source, optimal) = (count(Strategy::Dpor, 1), count(Strategy::Optimal, 1));
            let parallel = count(Strategy::Optimal, 2);
            let numbers = |report: &Report| (report.executions, report.blocked, report.classes);
            let begun = |report: &Report| report.executions + report.blocked;
            let differs = begun(&optimal) > begun(&source) || numbers(&optimal) != numbers(&parallel);
            if (optimal.asleep != 0 || differs) && !ends_early(&optimal) {
                wrong.push(format!(
                    "random {number} {model:?}: {:?} and {} asleep, source sets {:?}, in parallel {:?}",
                    numbers(&optimal),
                    optimal.asleep,
                    numbers(&source),
                    numbers(&parallel)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of 300:\n{}", wrong.len(), wrong.join("\n"));
}

/// `make fuzz` compares the first 530 programs, and others, under each model with every complete strategy.
#[test]
fn further_random_programs() {
    let compiled = compile((300..350).map(generate).collect());
    let compared = compare_all(&compiled, &MODELS, 50);
    assert!(compared > 135, "only {compared} have few views");
}

#[test]
fn executions_that_end_early() {
    assert_eq!(compare_all(&compile(tables::regressions::early_ends()), &MODELS, usize::MAX), 30);
}

#[test]
fn stores_that_are_overtaken() {
    let compiled = compile(tables::regressions::overtaken_stores());
    // Strategies by recorded executions leave open whether a store behind an earlier one races.
    assert_eq!(compare_but(&compiled, &MODELS, usize::MAX, Some("waits in a buffer")), 12);
}

/// Compares programs with every complete strategy; those with more views than that are left to the quick ones. How many
/// were compared with all of them.
fn compare_all(compiled: &Compiled, models: &[Model], most_views: usize) -> usize {
    compare_but(compiled, models, most_views, None)
}

/// The same, where a strategy may leave something open with these words.
fn compare_but(compiled: &Compiled, models: &[Model], most_views: usize, open: Option<&str>) -> usize {
    let is_open = |line: &str| open.is_some_and(|open| line.contains("Beyond") && line.contains(open));
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (number, program) in compiled.programs.iter().enumerate() {
        for &model in models {
            let expected = distinct_states(program, model, 100_000).expect("few states");
            compared += usize::from(expected.views.len() + expected.failed.len() <= most_views);
            let config = compiled.config(number, model);
            let judged = compare(&compiled.program, &config, &expected, most_views);
            let what = judged.err().unwrap_or_default();
            let what: Vec<&str> = what.lines().filter(|line| !is_open(line)).collect();
            if !what.is_empty() {
                wrong.push(format!("{} {model:?}: {}", program.name, what.join("\n")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    compared
}

/// The examples with which the strategies were published, and the algorithms on which they were measured: every complete
/// strategy counts the views that were counted by others. Large ones are left to those that are quick.
#[test]
fn published_examples() {
    let rows = tables::algorithms();
    let compiled = compile(rows.iter().map(|row| row.program.clone()).collect());
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for (number, row) in rows.iter().enumerate() {
        for model in MODELS {
            let Some(views) = row.views(model) else { continue };
            let large = views > if model == Model::Sc { 200 } else { 100 };
            if large && model != Model::Sc {
                continue;
            }
            for &strategy in Strategy::ALL.iter().filter(|strategy| strategy.is_complete()) {
                if large && !is_quick(strategy) {
                    continue;
                }
                let options = Options { strategy, count_views: true, races: false, ..Options::default() };
                let report = run(&compiled, number, model, &options);
                let name = format!("{} {model:?} {}", row.program.name, strategy.name());
                compared += 1;
                if report.classes != Some(views as u64) || !report.unfinished.is_empty() {
                    let found = report.classes;
                    wrong.push(format!("{name}: {found:?} instead of {views}, {:?}", report.unfinished));
                }
                if strategy == Strategy::SeMcr && report.executions != views as u64 {
                    wrong.push(format!("{name}: {} executions for {views} views", report.executions));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 300, "{compared}");
}

/// The random programs do all that strategies can have wrong.
#[test]
fn random_programs_do_everything() {
    use selvedge_oracle::language::{Statement, walk};
    let mut counts = std::collections::BTreeMap::new();
    for number in 0..500 {
        let program = generate(number);
        let mut kinds = BTreeSet::new();
        for body in program.bodies() {
            walk(body, &mut |statement| {
                kinds.insert(match statement {
                    Statement::If(..) => "branch",
                    Statement::Repeat(..) => "loop",
                    Statement::Lock(_) => "lock",
                    Statement::TryLock { .. } => "trylock",
                    Statement::FetchAdd { .. } | Statement::Exchange { .. } => "read-modify-write",
                    Statement::CompareExchange { .. } => "compare-exchange",
                    Statement::Wait(_) => "wait",
                    Statement::Signal(_) | Statement::Broadcast(_) => "notify",
                    Statement::Create(_) => "creation",
                    Statement::Assert(_) => "assertion",
                    Statement::Assume(_) => "assumption",
                    Statement::Fence(_) => "fence",
                    statement if statement.is_call() => "call",
                    _ => "other",
                });
            });
        }
        kinds.into_iter().for_each(|kind| *counts.entry(kind).or_insert(0) += 1);
    }
    assert_eq!(counts.len(), 14, "{counts:?}");
    assert!(counts.values().all(|&count| count >= 15), "{counts:?}");
}

/// Strategies that choose at random find what is easy to find, always the same, and never say that there is nothing.
#[test]
fn random_executions() {
    let rows = tables::all();
    let named =
        |name: &str| rows.iter().find(|row| row.program.name == name).expect("it is there").program.clone();
    let compiled = compile(vec![named("dekker(3)"), generate(45)]);
    for strategy in [Strategy::Random, Strategy::Pct] {
        let sample = |number, jobs, seed| {
            let options = Options { strategy, jobs, seed, runs: 200, races: false, ..Options::default() };
            run(&compiled, number, Model::Sc, &options)
        };
        let right = sample(0, 2, 0);
        assert_eq!((right.executions, right.findings.len()), (200, 0), "{strategy:?}");
        assert!(matches!(right.unfinished[..], [Unfinished::Sampled(200)]), "{:?}", right.unfinished);
        for seed in 0..3 {
            let (one, other) = (sample(1, 1, seed), sample(1, 3, seed));
            assert_eq!(one.findings.len(), 1, "{strategy:?} with seed {seed}");
            assert_eq!(one.findings[0].choices, other.findings[0].choices);
            assert_eq!(one.executions, other.executions);
        }
        let steps: BTreeSet<u64> = (0..5).map(|seed| sample(0, 1, seed).steps).collect();
        assert!(steps.len() > 1, "{strategy:?}: the seed makes no difference");
    }
}

/// With a bound on interruptions; without one the answer is complete, and the counts are the same for any number of
/// workers.
#[test]
fn context_bounding() {
    let rows = tables::all();
    let named =
        |name: &str| rows.iter().find(|row| row.program.name == name).expect("it is there").program.clone();
    let compiled = compile(vec![named("dekker(3)")]);
    let bounded = |preemptions, jobs| {
        let options =
            Options { strategy: Strategy::Icb, preemptions, jobs, count_views: true, ..Options::default() };
        let report = run(&compiled, 0, Model::Sc, &options);
        (report.executions, report.classes, report.cut, report.unfinished.len())
    };
    let whole = bounded(None, 1);
    assert_eq!((whole.1, whole.2, whole.3), (Some(16), false, 0));
    assert_eq!(whole, bounded(None, 3));
    let (none, some) = (bounded(Some(0), 1), bounded(Some(1), 1));
    assert!(none.2 && some.2, "a bound cuts something off");
    assert!(none.1 < some.1 && some.1 <= whole.1, "{none:?} {some:?}");
}

/// A search that remembers no states does not come to the end of a loop that waits.
#[test]
fn waiting_in_a_loop_is_bounded_or_unknown() {
    let wait = notation::program("wait", "x", "loop { v=x; if v==1 { break } } || x=1", "");
    let compiled = compile(vec![wait]);
    for strategy in [Strategy::Dpor, Strategy::Optimal] {
        let search = |unroll, max_executions| {
            let options = Options { strategy, unroll, max_executions, ..Options::default() };
            run(&compiled, 0, Model::Sc, &options)
        };
        let bounded = search(Some(5), None);
        assert!(bounded.cut && bounded.unfinished.is_empty(), "{bounded:?}");
        assert!(bounded.executions >= 5, "{bounded:?}");
        let stopped = search(None, Some(50));
        assert_eq!(stopped.executions, 50);
        assert!(!stopped.unfinished.is_empty());
    }
    let report = run(&compiled, 0, Model::Sc, &Options { strategy: Strategy::Icb, ..Options::default() });
    assert!(matches!(report.unfinished[..], [Unfinished::Cycles]), "{report:?}");
}

fn selvedge(arguments: &[&str]) -> (Option<i32>, String) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(arguments)
        .current_dir(root)
        .output()
        .expect("selvedge runs");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

#[test]
fn strategies_side_by_side() {
    let program = "bench/programs/dekker_simple.c";
    let (code, text) = selvedge(&[
        "compare",
        program,
        "--cflags=-DN=2",
        "--count-views",
        "--strategies",
        "auto,optimal,random",
    ]);
    assert_eq!(code, Some(0), "{text}");
    let cells = |line: &str| line.split_whitespace().take(5).map(str::to_owned).collect::<Vec<_>>();
    let lines: Vec<Vec<String>> = text.lines().map(cells).collect();
    assert_eq!(lines[0], ["strategy", "verdict", "executions", "blocked", "views"]);
    assert_eq!((&lines[1][0], &lines[1][1], &lines[1][4]), (&"auto".into(), &"verified".into(), &"9".into()));
    assert_eq!(lines[2], ["optimal", "verified", "21", "0", "9"]);
    assert_eq!(lines[3][..2], ["random", "unknown"]);
    let (code, text) = selvedge(&["compare", program, "--cflags=-DN=1 -DBUG"]);
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(text.matches("violation").count(), 8, "{text}");
    let (code, text) = selvedge(&["check", program, "--strategy", "dpor", "--preemptions", "2"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("Take --strategy icb"), "{text}");
}

#[test]
fn there_is_no_z3() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let folder = tempfile::tempdir().expect("a folder");
    for words in [&["check", "--strategy", "mcr"][..], &["compare"]] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_selvedge"))
            .args(words)
            .args(["bench/programs/dekker_simple.c", "--solver", "z3"])
            .env("PATH", folder.path())
            .current_dir(root)
            .output()
            .expect("selvedge runs");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("--solver z3: z3 cannot be started"), "{text}");
        assert!(text.contains("install it") && text.trim().lines().count() == 1, "{text}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_checkpoint_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("search.json").display().to_string();
    let check = |words: &[&str]| {
        let program = ["check", "bench/programs/dekker_simple.c", "--checkpoint", &file, "--jobs", "1"];
        selvedge(&[&program, words].concat())
    };
    let small = "--cflags=-DN=3";
    let (code, text) = check(&[small, "--strategy", "optimal", "--max-executions", "40"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(std::path::Path::new(&file).exists(), "{text}");
    let (code, text) = check(&["--cflags=-DN=2", "--strategy", "optimal"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("is of another program"), "{text}");
    let (code, text) = check(&[small, "--strategy", "dpor"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("with other options (strategy was optimal, and is dpor)"), "{text}");
    let kept = std::fs::read(&file).expect("a checkpoint");
    let mut other = kept.clone();
    // The first digit of the version.
    other[24] = b'?';
    std::fs::write(&file, &other).expect("a file");
    let (code, text) = check(&[small, "--strategy", "optimal"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("by another build of Selvedge"), "{text}");
    let last = other.len() - 1;
    other.clone_from(&kept);
    other[last] ^= 1;
    std::fs::write(&file, &other).expect("a file");
    let (code, text) = check(&[small, "--strategy", "optimal"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("a damaged one"), "{text}");
    std::fs::write(&file, &kept).expect("a file");
    let (code, text) = check(&[small, "--strategy", "optimal"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("77 complete executions"), "{text}");
    assert!(!std::path::Path::new(&file).exists(), "nothing is left of it");
    std::fs::write(&file, "{}").expect("a file");
    let (code, text) = check(&[small, "--strategy", "optimal"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("is no checkpoint"), "{text}");
}
