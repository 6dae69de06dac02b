//! The strategies of the literature: known numbers of executions, and what holds between them.

use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_explore::{Options, Progress, Report, Strategy, explore};
use selvedge_oracle::compare::Compiled;
use selvedge_oracle::generate::generate;
use selvedge_oracle::{Model, Program, c, tables};

/// Compiles many programs at once.
pub fn compile(programs: Vec<Program>) -> Compiled {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("programs.c");
    std::fs::write(&source, c::many_to_c(&programs)).expect("the file can be written");
    let request = Request { inputs: vec![source], ..Request::default() };
    let prepared = prepare(&request).unwrap_or_else(|error| panic!("{error}"));
    Compiled { programs, program: prepared.program }
}

fn run(compiled: &Compiled, number: usize, model: Model, options: &Options) -> Report {
    explore(compiled.program.clone(), compiled.config(number, model), options, &Progress::default())
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
            // How far others come before something goes wrong depends on the order.
            let more = begun(&optimal) > begun(&source) && optimal.findings.is_empty();
            if optimal.asleep != 0 || more || numbers(&optimal) != numbers(&parallel) {
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
