//! Programs with inputs through the compiler, the machine and the search over paths, beside all their executions.
//!
//! The programs are those of [`small`], whose enumerator tries every order with every input and
//! shares nothing with the machine or the solver. Written as C ([`many_to_c`]) they go through everything that a user's program
//! goes through ([`compare`]).

mod c;
pub mod small;

pub use c::{many_to_c, to_c};

use crate::compare::{Kind, kind, replay};
use crate::numbers::Numbers;
use crate::paths::small::random::Contents;
use selvedge_explore::{Options, Progress, Report, Strategy, explore};
use selvedge_machine::Config;
use selvedge_program::Program;
use selvedge_trace::{Inputs, Model};
use small::enumerate::All;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What the `number`-th random program contains: in turns nothing special, one lock, two locks, and everything that C
/// has a word for.
pub fn contents(number: u64) -> Contents {
    match number % 4 {
        0 => Contents { halves: true, addresses: true, ..Contents::default() },
        1 => Contents { locks: 1, addresses: true, ..Contents::default() },
        2 => Contents { locks: 2, ..Contents::default() },
        _ => Contents { locks: 2, halves: true, addresses: true, rich: true },
    }
}

/// A random program that can be written as C.
pub fn program(number: u64) -> small::Program {
    let mut numbers = Numbers::new(number);
    loop {
        let program = small::random::program(contents(number), &mut numbers);
        if to_c(&program).is_some() {
            return program;
        }
    }
}

/// For the machine: run this one of the programs that [`many_to_c`] has written, under sequential consistency, TSO or PSO.
pub fn config(number: usize, model: Model) -> Config {
    let inputs = Inputs { arguments: vec![number.to_string()], ..Inputs::default() };
    Config { inputs: Arc::new(inputs), model, ..Config::default() }
}

/// Searches a compiled program for all paths and for all decisions, and compares with all its executions.
pub fn compare(program: &Arc<Program>, config: &Config, all: &All) -> Result<(), String> {
    for count_paths in [true, false] {
        let options =
            Options { strategy: Strategy::Mpc, count_paths, keep_going: true, ..Options::default() };
        let report = explore(program.clone(), config.clone(), &options, &Progress::default());
        let goal = if count_paths { "counting paths" } else { "covering decisions" };
        judge(&report, all, config.model).map_err(|what| format!("{goal}: {what}"))?;
        for finding in &report.findings {
            let inputs = finding.inputs.clone().unwrap_or_else(|| config.inputs.clone());
            let config = Config { inputs, ..config.clone() };
            replay(program, &config, finding).map_err(|what| format!("{goal}: {what}"))?;
        }
    }
    Ok(())
}

fn judge(report: &Report, all: &All, model: Model) -> Result<(), String> {
    if let Some(unfinished) = report.unfinished.first() {
        return Err(format!("not finished: {unfinished:?}"));
    }
    let mut found: BTreeSet<Kind> =
        report.findings.iter().map(|finding| kind(&finding.bug)).collect::<Result<_, String>>()?;
    let there = [
        (all.fails, Kind::Assertion),
        (all.deadlocks > 0, Kind::Deadlock),
        (model == Model::Sc && !all.races.is_empty(), Kind::Race),
    ];
    if model != Model::Sc {
        // What the enumerator calls a race is meant for sequential consistency.
        found.remove(&Kind::Race);
    }
    let there: BTreeSet<Kind> = there.into_iter().filter_map(|(is, kind)| is.then_some(kind)).collect();
    if found != there {
        return Err(format!("found {found:?}, there is {there:?}"));
    }
    let Some(paths) = report.paths else { return Ok(()) };
    if paths != all.paths {
        return Err(format!("{paths} paths instead of {}", all.paths));
    }
    let races = report.findings.iter().filter(|finding| kind(&finding.bug) == Ok(Kind::Race)).count();
    if model == Model::Sc && races != all.races.len() {
        return Err(format!("{races} races instead of {}", all.races.len()));
    }
    // Where an assumption does not hold there is an execution, but no path.
    if !all.discards && report.executions != all.paths + all.deadlocks {
        let expected = all.paths + all.deadlocks;
        return Err(format!("{} executions of {expected} paths and deadlocks", report.executions));
    }
    Ok(())
}
