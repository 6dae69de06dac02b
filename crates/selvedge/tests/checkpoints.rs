//! Searches that are killed and gone on with, beside the same searches that are not.

use crate::common::{MODELS, Parts, Shelf, compile, counts_at};
use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_explore::{Bug, Finding, Options, Progress, Report, Strategy, StrategyRow, Tuning, explore};
use selvedge_machine::{Config, Outcome};
use selvedge_oracle::generate::generate;
use selvedge_oracle::tables;
use selvedge_program::Program;
use selvedge_trace::Model;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// A program, and how it is explored.
struct Case {
    name: String,
    program: Arc<Program>,
    config: Config,
    options: Options,
    /// One search leads, or several do not wait for each other: then only the answer is the same.
    counts: bool,
}

impl Case {
    fn search(&self, options: &Options) -> Report {
        explore(self.program.clone(), self.config.clone(), options, &Progress::default())
    }

    /// Explores with what was kept before; what was kept at each time, too.
    fn go_on(&self, kept: Parts, every: u64) -> (Report, Vec<Parts>) {
        let shelf = Shelf::album(kept, every);
        let report = self.search(&Options { keep: shelf.keeper(), ..self.options.clone() });
        assert!(!report.is_stopped(), "{}: {:?}", self.name, report.unfinished);
        (report, shelf.all())
    }
}

/// What has to be the same.
fn outcome(case: &Case, report: &Report) -> impl PartialEq + std::fmt::Debug + use<> {
    let bugs = |finding: &Finding| match case.counts {
        true => format!("{:?}", finding.choices),
        false => format!("{:?}", std::mem::discriminant(&finding.bug)),
    };
    let found: Vec<String> = report.findings.iter().map(bugs).collect();
    let open: Vec<String> = report.unfinished.iter().map(|reason| format!("{reason:?}")).collect();
    let counts = (report.executions, report.blocked, report.classes, report.states);
    // How far other threads have come when one fails depends on the order of exploration.
    let ends = |finding: &Finding| matches!(finding.bug, Bug::Ends(Outcome::Violation { .. }));
    let counts = (case.counts && !report.findings.iter().any(ends)).then_some(counts);
    (found, open, report.cut, counts)
}

/// Killed at moments that are spread over a search: a search that goes on from there comes to the same.
fn compare(case: &Case, kills: usize) {
    let whole = outcome(case, &case.search(&case.options));
    let (report, all) = case.go_on(Parts::default(), 3);
    assert_eq!(outcome(case, &report), whole, "{}: with checkpoints", case.name);
    for kept in all.iter().step_by(all.len() / kills + 1) {
        let (report, later) = case.go_on(kept.clone(), 7);
        assert_eq!(outcome(case, &report), whole, "{}: killed", case.name);
        if let Some(kept) = later.get(later.len() / 2) {
            let (report, _) = case.go_on(kept.clone(), 1_000);
            assert_eq!(outcome(case, &report), whole, "{}: killed twice", case.name);
        }
    }
}

/// The same where limits stop the search again and again.
fn compare_limited(case: &Case) {
    if case.options.strategy.is_random() {
        // What limits them is how many executions they are to choose.
        return;
    }
    let whole = case.search(&case.options);
    let shelf = Arc::new(Shelf::default());
    let mut most = 0;
    let last = loop {
        most += 1 + whole.executions / 4;
        let (keep, max_executions) = (shelf.keeper(), Some(most));
        let part = case.search(&Options { keep, max_executions, ..case.options.clone() });
        if !part.is_stopped() || most > 2 * whole.executions + 10 {
            break part;
        }
    };
    assert_eq!(outcome(case, &last), outcome(case, &whole), "{}: in parts", case.name);
}

fn compare_both(case: &Case) {
    compare(case, 2);
    compare_limited(case);
}

fn strategies(fits: impl Fn(&StrategyRow) -> bool) -> Vec<Strategy> {
    Strategy::all_that(fits).collect()
}

/// All views and violations, or the first violation with everything left out that can be.
fn questions(strategy: Strategy) -> Vec<Options> {
    let all = Options { strategy, keep_going: true, count_views: true, runs: 50, ..Options::default() };
    let one = Options { strategy, ..Options::default() };
    if strategy == Strategy::Auto { vec![all, one] } else { vec![all] }
}

#[test]
fn searches_through_interleavings_go_on() {
    let rows = tables::all();
    let named =
        |name: &str| rows.iter().find(|row| row.program.name == name).expect("it is there").program.clone();
    let names = ["dekker(3)", "peterson(1)"];
    let random = [3, 21, 77, 185].map(generate);
    let compiled = compile(names.map(named).into_iter().chain(random).collect());
    for strategy in strategies(|row| !row.strategy.is_by_paths()) {
        for (number, model) in
            (0..compiled.programs.len()).flat_map(|number| MODELS.map(|model| (number, model)))
        {
            // With stores that wait there are many more executions of these.
            if number < names.len() && model != Model::Sc {
                continue;
            }
            for options in questions(strategy) {
                let program = &compiled.programs[number].name;
                compare_both(&Case {
                    name: format!("{program} {} {}", strategy.name(), model.name()),
                    program: compiled.program.clone(),
                    config: compiled.config(number, model),
                    options,
                    counts: true,
                });
            }
        }
    }
}

fn corpus(name: &str) -> Arc<Program> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/check").join(name);
    prepare(&Request { inputs: vec![file], ..Request::default() }).expect("a program").program
}

#[test]
fn searches_through_graphs_go_on() {
    for name in GRAPHS {
        let program = corpus(name);
        for strategy in strategies(|row| row.graphs.is_some()) {
            let known = |model: &&Model| strategy.row().models.contains(model);
            for &model in [Model::Rc11, Model::Mca].iter().filter(known) {
                let options = Options { strategy, keep_going: true, ..Options::default() };
                let case = Case {
                    name: format!("{name} {} {}", strategy.name(), model.name()),
                    program: program.clone(),
                    config: Config { model, ..Config::default() },
                    options,
                    counts: true,
                };
                compare_both(&case);
                if strategy == Strategy::Auto {
                    // States begin beside graphs at once.
                    let tuning = Tuning { graphs_alone: 1, graphs_alone_time: 0, ..Tuning::default() };
                    let options = Options { tuning, keep_going: false, ..case.options };
                    compare(&Case { options, counts: false, ..case }, 2);
                }
            }
        }
    }
}

/// Programs under the language's model: with and without sequential consistency, with waiting, with violations.
const GRAPHS: [&str; 10] = [
    "rc11/alike.c",
    "rc11/counter.c",
    "rc11/deadlock.c",
    "rc11/detours.c",
    "rc11/message_passing.c",
    "rc11/published_early.c",
    "rc11/release_sequence.c",
    "rc11/spinlock.c",
    "rc11/stack.c",
    "rc11/weak_exchange.c",
];

/// A check of a file of the repository that keeps checkpoints all the time.
fn check(words: &[&str], checkpoint: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
    command.arg("check").args(words).arg("--checkpoint").arg(checkpoint);
    command.args(["--no-second-opinion", "--no-schedule", "--set", "checkpoint_time=1", "--jobs", "2"]);
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command
}

/// What a check says, but for how long it took.
fn said(output: &Output) -> (Option<i32>, String) {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().map(|line| match counts_at(line) {
        Some(_) => line.rsplit_once(", ").map_or(line, |(counts, _)| counts),
        None => line,
    });
    (output.status.code(), lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn processes_that_are_killed_are_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    for words in [
        &["corpus/check/rc11/references.c", "--model", "rc11", "--strategy", "optimal"][..],
        &["bench/programs/dekker_simple.c", "--cflags=-DN=5", "--model", "sc", "--without", "all"],
        &["bench/programs/dekker_simple.c", "--cflags=-DN=5", "--model", "sc", "--strategy", "dpor"],
        &["bench/programs/dekker_simple.c", "--cflags=-DN=4", "--strategy", "random", "--runs", "3000"],
    ] {
        let whole = check(words, &folder.path().join("whole")).output().expect("it runs");
        let file = folder.path().join("killed");
        let mut kills = 0;
        while kills < 3 {
            let before = std::fs::read(&file).ok();
            let quiet = check(words, &file).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            let mut child = quiet.expect("it runs");
            while child.try_wait().expect("it can be asked").is_none() && std::fs::read(&file).ok() == before
            {
                std::thread::sleep(Duration::from_millis(2));
            }
            child.kill().expect("it can be killed");
            child.wait().expect("it has ended");
            if !file.exists() {
                break;
            }
            kills += 1;
        }
        assert!(kills > 0, "{words:?}: it was never killed");
        let last = check(words, &file).output().expect("it runs");
        assert_eq!(said(&last), said(&whole), "{words:?}");
        assert!(!file.exists(), "{words:?}: nothing is left of it");
    }
}
