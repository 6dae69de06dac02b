//! Executes what the explorer found once more. Nothing that does not happen again is reported.

use super::Settings;
use crate::run::execute::{Captured, Execution, Limits};
use crate::run::prepare::Prepared;
use crate::run::{self, Choose, Trace, claim};
use selvedge_explore::{Access, Bug, Finding};
use selvedge_machine::Outcome;
use selvedge_report::{Found, Kind, Table, Verdict, Violation};
use selvedge_trace::{Choices, Claim, Schedule};

/// A violation that was seen twice.
pub struct Confirmed {
    /// The violation in words. Where its schedule is kept is still to be filled in.
    pub found: Found,
    /// How to come to it.
    pub schedule: Schedule,
}

/// The violation in words, or why it was not seen again.
pub fn confirm(prepared: &Prepared, settings: &Settings, finding: &Finding) -> Result<Confirmed, String> {
    let claim = match &finding.bug {
        Bug::Ends(_) | Bug::Leaks => None,
        Bug::Race(first, second) => Some(Claim::DataRace([first.thread.clone(), second.thread.clone()])),
        Bug::Livelock { threads, cycle } => {
            Some(Claim::Termination { threads: threads.clone(), cycle: cycle.clone() })
        }
    };
    let schedule =
        Schedule { digest: finding.digest, claim, ..schedule(prepared, settings, finding.choices.clone()) };
    let mut execution = replay(prepared, settings, schedule.clone(), Trace::Words)?;
    if execution.replayed != Some(finding.digest) {
        return Err("the replay does other things".to_owned());
    }
    let verdict = run::judge(&mut execution, settings.options.leaks);
    let violation = match &verdict {
        Verdict::Violation(violation) => Violation::clone(violation),
        other => return Err(format!("the replay ends with {other:?}")),
    };
    same(&execution, &violation, &finding.bug)?;
    let trace = run::table(&mut execution, &verdict);
    let threads = involved(&violation, &trace);
    let found = Found { violation, threads, schedule: None, replay: None, trace };
    Ok(Confirmed { found, schedule })
}

/// A schedule for this program and these inputs.
pub fn schedule(prepared: &Prepared, settings: &Settings, choices: Choices) -> Schedule {
    Schedule {
        program: prepared.name.clone(),
        fingerprint: prepared.program.fingerprint,
        model: settings.model,
        inputs: settings.inputs.clone(),
        choices,
        digest: 0,
        claim: None,
    }
}

/// Follows a schedule, and stops at its end.
pub fn replay(
    prepared: &Prepared,
    settings: &Settings,
    schedule: Schedule,
    trace: Trace,
) -> Result<Execution, String> {
    let settings = run::Settings {
        choose: Choose::Exactly(Box::new(schedule)),
        model: settings.model,
        inputs: settings.inputs.clone(),
        trace,
        limits: Limits::default(),
    };
    run::run(prepared, &settings, &mut Captured::default()).map_err(|divergence| divergence.to_string())
}

/// Whether the execution shows what the explorer has seen.
fn same(execution: &Execution, violation: &Violation, bug: &Bug) -> Result<(), String> {
    let shown = match bug {
        Bug::Ends(expected) => {
            execution.machine.outcome().is_some_and(|outcome| same_outcome(outcome, expected))
        }
        Bug::Leaks => violation.kind == Kind::Leak,
        Bug::Race(first, second) => {
            let pending = |access: &Access| {
                claim::pending(&execution.machine, &access.thread)
                    .is_some_and(|(_, operation)| operation == access.operation)
            };
            violation.kind == Kind::DataRace && pending(first) && pending(second)
        }
        Bug::Livelock { .. } => violation.kind == Kind::Termination,
    };
    if shown { Ok(()) } else { Err(format!("the replay shows {violation:?}, not {bug:?}")) }
}

fn same_outcome(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Exited(one), Outcome::Exited(other)) => one == other,
        (
            Outcome::Violation { violation, thread },
            Outcome::Violation { violation: expected, thread: in_thread },
        ) => violation.kind == expected.kind && violation.message == expected.message && thread == in_thread,
        (Outcome::Deadlock(one), Outcome::Deadlock(other)) => one == other,
        _ => false,
    }
}

/// The threads that have a part in a violation.
fn involved(violation: &Violation, trace: &Table) -> Vec<String> {
    let waiting = violation.waiting.iter().map(|waiting| waiting.thread.clone());
    let threads: Vec<String> =
        waiting.chain(violation.doing.iter().map(|doing| doing.thread.clone())).collect();
    if !threads.is_empty() {
        return threads;
    }
    let acts = |index: &usize| trace.rows.iter().any(|row| row.thread == *index);
    (0..trace.threads.len()).filter(acts).map(|index| trace.threads[index].clone()).collect()
}
