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
use selvedge_explore::{Bug, Options, Progress, Report, Strategy, Unfinished, explore};
use selvedge_machine::{Config, Spurious};
use selvedge_program::Program;
use selvedge_trace::{Inputs, Model, Reduction, Reductions};
use small::enumerate::All;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

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

/// The same by the stateful search, with values of inputs as choices: whether it had an answer.
pub fn compare_choices(program: &Arc<Program>, config: &Config, all: &All) -> Result<bool, String> {
    let reductions = Reductions::ON.without(Reduction::Portfolio);
    let max_time = Some(Duration::from_secs(20));
    let options = Options { keep_going: true, reductions, max_time, ..Options::default() };
    let config = Config { spurious: Spurious::Off, ..config.clone() };
    let report = explore(program.clone(), config.clone(), &options, &Progress::default());
    for finding in &report.findings {
        let inputs = finding.inputs.clone().unwrap_or_else(|| config.inputs.clone());
        let config = Config { inputs, ..config.clone() };
        replay(program, &config, finding).map_err(|what| format!("values as choices: {what}"))?;
    }
    let (found, there) = kinds(&report, all, config.model)?;
    let answers = report.unfinished.is_empty();
    // The enumerator looks at the first access of an atomic section alone; a race of a later one has been replayed.
    let known: BTreeSet<Kind> = found.iter().copied().filter(|&kind| kind != Kind::Race).collect();
    let agrees = known.is_subset(&there) && (!answers || there.is_subset(&found));
    if let Some(Unfinished::Lost) = report.unfinished.first() {
        return Err(format!("values as choices: not finished: {:?}", report.unfinished));
    }
    match agrees {
        true => Ok(answers),
        false => Err(format!("values as choices: found {found:?}, there is {there:?}")),
    }
}

/// What was found, and what is there.
fn kinds(report: &Report, all: &All, model: Model) -> Result<(BTreeSet<Kind>, BTreeSet<Kind>), String> {
    let ends = |bug: &Bug| !matches!(bug, Bug::Livelock { .. });
    let bugs = report.findings.iter().map(|finding| &finding.bug).filter(|bug| ends(bug));
    let mut found: BTreeSet<Kind> = bugs.map(kind).collect::<Result<_, String>>()?;
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
    Ok((found, there))
}

fn judge(report: &Report, all: &All, model: Model) -> Result<(), String> {
    if let Some(unfinished) = report.unfinished.first() {
        return Err(format!("not finished: {unfinished:?}"));
    }
    let (found, there) = kinds(report, all, model)?;
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
