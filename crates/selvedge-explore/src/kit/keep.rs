//! What every search keeps in a checkpoint: its report and what it has found.

use super::checkpoint::Checkpoint;
use super::exploration::Exploration;
use super::findings::{Found, finding_again};
use super::step;
use crate::report::{Budget, Report, Unfinished};
use selvedge_machine::Machine;

/// The violations again.
pub fn found(kept: &Checkpoint, subject: &Exploration<'_>) -> Option<Found> {
    let again = |(identity, choices): &(String, _)| {
        let choices: &crate::kit::checkpoint::KeptChoices = choices;
        Some((identity.clone(), finding_again(subject, identity, &choices.choices()?)?))
    };
    kept.found.iter().map(again).collect()
}

/// Notes what a report has counted.
pub fn keep_report(report: &Report, found: &Found, into: &mut Checkpoint) {
    into.executions = report.executions;
    into.blocked = report.blocked;
    into.asleep = report.asleep;
    into.steps = report.steps;
    into.cut = report.cut;
    for unfinished in &report.unfinished {
        match unfinished {
            Unfinished::Lost => into.lost = true,
            Unfinished::Budget(Budget::Length) => into.long = true,
            Unfinished::Unsupported { choices, .. } => into.unsupported = Some(choices.into()),
            Unfinished::Budget(_)
            | Unfinished::Sampled(_)
            | Unfinished::Preemptions(_)
            | Unfinished::Cycles
            | Unfinished::Undecided
            | Unfinished::Spurious
            | Unfinished::Beyond(_) => {}
        }
    }
    into.found = found.iter().map(|(identity, found)| (identity.clone(), (&found.choices).into())).collect();
    into.found.sort_by(|a, b| a.0.cmp(&b.0));
}

/// What was counted before.
pub fn report(kept: &Checkpoint, subject: &Exploration<'_>) -> Option<Report> {
    let mut report = Report {
        executions: kept.executions,
        blocked: kept.blocked,
        asleep: kept.asleep,
        steps: kept.steps,
        cut: kept.cut,
        ..Report::default()
    };
    report.unfinished.extend(kept.lost.then_some(Unfinished::Lost));
    report.unfinished.extend(kept.long.then_some(Unfinished::Budget(Budget::Length)));
    if let Some(choices) = &kept.unsupported {
        let choices = choices.choices()?;
        let mut machine = Machine::new(subject.program.clone(), crate::kit::findings::plain_config(subject));
        step::follow(&mut machine, &choices, subject.progress)?;
        let outcome = machine.outcome()?.clone();
        report.unfinished.push(Unfinished::Unsupported { outcome, choices });
    }
    Some(report)
}
