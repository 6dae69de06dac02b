//! Maximal path causality: inputs as well as schedules.
//!
//! An execution is taken for all executions in which every thread decides the same. What the threads have decided so
//! far are trees of path conditions; a solver is asked for inputs and an order that lead some thread to a path that no
//! execution has taken, until there are none. The search itself is the crate `selvedge-paths`; here are the executions
//! and what goes wrong in them.

mod machines;

use crate::Task;
use crate::kit::checkpoint::Keeper;
use crate::kit::findings::Found;
use crate::report::{Budget, Report, Unfinished};
use machines::Machines;
use selvedge_paths::{Findings, Finish, Goal, Limits, Request, Search};
use selvedge_terms::decide::{self, Native};
use std::time::{Duration, Instant};

/// How long the solver may think about one question.
const PATIENCE: Duration = Duration::from_secs(120);

/// How many clauses all solvers may be told together: some four gigabytes.
const CLAUSES: u64 = 40_000_000;

/// Looks at every decision that a thread can take, or at every combination of paths if they are to be counted.
pub fn explore(task: Task<'_>) -> Report {
    let Task { config, options, progress, .. } = task;
    let mut machines = Machines::new(task);
    let seen = machines.seen();
    let stop = || progress.over().is_some() || seen.memory_full() || seen.has_enough();
    // Executions that were performed before are performed again, which takes a fraction of the time that it took to find
    // them. What they show is known then, and not asked for again; other questions are.
    let begun: Vec<Request> = options.keep.as_ref().and_then(Keeper::kept).unwrap_or_default();
    let limits = Limits {
        executions: options.max_executions,
        races: options.races,
        begun: &begun,
        stop: &stop,
        ..Limits::default()
    };
    // One answer gets no more time than that; the rest may still be found.
    let patience = options.max_time.map_or(PATIENCE, |most| most.min(PATIENCE));
    let until = options.max_time.and_then(|most| Instant::now().checked_add(most));
    let clauses = Some(CLAUSES / options.jobs.max(1) as u64);
    let budget = decide::Budget { time: Some(patience), conflicts: None, until, clauses };
    let goal = if options.count_paths { Goal::Paths } else { Goal::Coverage };
    let make = || Native::new(budget);
    let helpers = (1..options.jobs.max(1)).map(|_| machines.another()).collect();
    let mut search = Search::under(config.model, &mut machines, make).with(helpers);
    let searched = search.run(goal, &limits);
    for helper in search.into_helpers() {
        machines.take(helper);
    }
    let mut report =
        Report { executions: machines.executions, blocked: machines.blocked, ..Report::default() };
    report.steps = machines.steps;
    let found: Found = std::mem::take(&mut machines.found);
    report.findings = found.into_values().collect();
    report.findings.sort_by(|a, b| (a.switches, &a.identity).cmp(&(b.switches, &b.identity)));
    if !options.keep_going {
        report.findings.truncate(1);
    }
    report.unfinished.extend(std::mem::take(&mut machines.unfinished));
    let stopped = matches!(&searched, Ok(Findings { finish: Finish::Stopped, .. }));
    if let Some(keep) = options.keep.as_ref().filter(|_| stopped) {
        machines.keep_all(keep);
    }
    match searched {
        Ok(findings) => {
            report.queries = Some(findings.questions);
            report.states = (findings.states > 0).then_some(findings.states);
            report.thought = Some(findings.thought);
            report.paths = options.count_paths.then_some(findings.paths);
            match findings.finish {
                Finish::Complete => {}
                Finish::Undecided => report.unfinished.push(Unfinished::Undecided),
                Finish::Diverged(_) => report.unfinished.push(Unfinished::Lost),
                Finish::Stopped if !options.keep_going && !report.findings.is_empty() => {}
                Finish::Stopped => {
                    let budget = match progress.over() {
                        Some(budget) => Unfinished::Budget(budget),
                        None if seen.memory_full() => Unfinished::Budget(Budget::Memory),
                        None if options.max_executions.is_some() => Unfinished::Budget(Budget::Executions),
                        None => Unfinished::Undecided,
                    };
                    report.unfinished.push(budget);
                }
            }
        }
        Err(error) => report.unfinished.push(Unfinished::Beyond(format!("this program ({error})"))),
    }
    report
}
