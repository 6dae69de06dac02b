//! A small language of concurrent programs with inputs, to try the search without the machine.
//!
//! A [`Program`] is performed by [`Small`], which is a [`super::Runner`], and [`enumerate::paths`] performs it in all
//! orders with all inputs and shares nothing with the solver. Values have 16 bits; inputs are 0 to 3.

pub mod enumerate;
mod interpret;
mod language;
pub mod random;
mod record;

pub use language::{Condition, Expression, Program, Statement, Test};
pub use record::Small;

use super::{Findings, Finish, Goal, Limits, Search};
use crate::decide::{Budget, Native};
use selvedge_trace::Model;
use std::collections::BTreeSet;

/// Searches the paths of a program.
pub fn search(program: &Program, model: Model, goal: Goal) -> Result<Findings, String> {
    let mut runner = Small::new(program, model);
    let mut search = Search::under(model, &mut runner, || Native::new(Budget::default()));
    let limits = Limits { races: model == Model::Sc, ..Limits::default() };
    search.run(goal, &limits).map_err(|error| error.to_string())
}

/// Searches the paths of a program and compares them with all its executions. Nothing if the program has too many
/// states for that.
pub fn compare(program: &Program, model: Model, states: usize) -> Option<Result<Findings, String>> {
    let all = enumerate::paths(program, model, states)?;
    Some(search(program, model, Goal::Paths).and_then(|findings| {
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
    }))
}
