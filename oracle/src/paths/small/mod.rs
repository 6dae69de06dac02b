//! A small language of concurrent programs with inputs, to try the search without the machine.
//!
//! A [`Program`] is performed by [`Small`], which is a [`selvedge_paths::Runner`], and [`enumerate::paths`] performs it in all
//! orders with all inputs and shares nothing with the solver. Values have 16 bits; inputs are 0 to 3.

pub mod enumerate;
mod interpret;
mod language;
pub mod programs;
pub mod random;
mod record;

pub use language::{Condition, Expression, Program, Statement, Test};
pub use record::Small;

use selvedge_paths::{Findings, Finish, Goal, Limits, Means, Search};
use selvedge_terms::decide::{Budget, Native};
use selvedge_trace::Model;
use std::collections::BTreeSet;

/// Searches the paths of a program.
pub fn search(program: &Program, model: Model, goal: Goal, means: Means) -> Result<Findings, String> {
    let mut runner = Small::new(program, model);
    let mut search = Search::under(model, &mut runner, || Native::new(Budget::default()));
    let limits = Limits { races: model == Model::Sc, means, ..Limits::default() };
    search.run(goal, &limits).map_err(|error| error.to_string())
}

/// Searches the paths of a program, with all means and by the constraint system alone, and compares them with all its
/// executions. Nothing if the program has too many states for that.
pub fn compare(program: &Program, model: Model, states: usize) -> Option<Result<Findings, String>> {
    let all = enumerate::paths(program, model, states)?;
    if model == Model::Sc
        && let Err(wrong) = agrees(program, model, Means::System, &all)
    {
        return Some(Err(format!("by the constraint system: {wrong}")));
    }
    if let Err(wrong) = covers(program, model, &all) {
        return Some(Err(format!("for decisions: {wrong}")));
    }
    Some(agrees(program, model, Means::Both, &all))
}

/// Searches the decisions of a program, and compares what goes wrong with all its executions.
fn covers(program: &Program, model: Model, all: &enumerate::All) -> Result<(), String> {
    let findings = search(program, model, Goal::Coverage, Means::States)?;
    let races: BTreeSet<(u32, u32)> = findings.races.iter().copied().collect();
    let wrong = [
        ("the end", findings.finish != Finish::Complete),
        ("failures", findings.failures.is_empty() == all.fails),
        ("deadlocks", findings.deadlock.is_some() != (all.deadlocks > 0)),
        ("races", model == Model::Sc && races != all.races),
    ];
    match wrong.into_iter().find(|(_, wrong)| *wrong) {
        Some((what, _)) => Err(format!("{what} instead of {all:?}: {findings:?}")),
        None => Ok(()),
    }
}

/// Searches the paths of a program, and compares them with all its executions.
fn agrees(program: &Program, model: Model, means: Means, all: &enumerate::All) -> Result<Findings, String> {
    search(program, model, Goal::Paths, means).and_then(|findings| {
        if findings.finish != Finish::Complete {
            return Err(format!("{:?} instead of complete", findings.finish));
        }
        let wrong = |what: &str, found: u64, there: u64| format!("{found} {what} instead of {there}");
        if findings.paths != all.paths {
            return Err(wrong("paths", findings.paths, all.paths));
        }
        if findings.deadlocks != all.deadlocks {
            return Err(wrong("deadlocks", findings.deadlocks, all.deadlocks));
        }
        if findings.failures.is_empty() == all.fails {
            return Err(format!("failures: {:?}, but there are some: {}", findings.failures, all.fails));
        }
        let races: BTreeSet<(u32, u32)> = findings.races.iter().copied().collect();
        if model == Model::Sc && races != all.races {
            return Err(format!("races {races:?} instead of {:?}", all.races));
        }
        if !all.discards && findings.executions != all.paths + all.deadlocks {
            return Err(wrong("executions", findings.executions, all.paths + all.deadlocks));
        }
        Ok(findings)
    })
}
