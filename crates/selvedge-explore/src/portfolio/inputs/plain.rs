//! What was found with inputs as choices, in the words of executions whose inputs are given.

use crate::Task;
use crate::kit::step;
use crate::report::{Bug, Finding, Report, Unfinished};
use selvedge_machine::{Config, Machine, Outcome, Pick};
use selvedge_trace::{Choice, Choices, InputName, Inputs};
use std::sync::Arc;

/// A report whose findings have their inputs, and schedules without choices of values.
pub fn plain(task: Task<'_>, config: &Config, report: Report) -> Report {
    let mut unfinished = Vec::new();
    for reason in report.unfinished {
        unfinished.push(match reason {
            Unfinished::Unsupported { outcome: Outcome::Unsupported { what, .. }, .. } => {
                Unfinished::Beyond(what)
            }
            other => other,
        });
    }
    let mut findings = Vec::new();
    for finding in report.findings {
        match plainly(task, config, &finding) {
            Some(finding) => findings.push(finding),
            None if matches!(finding.bug, Bug::Livelock { .. }) => {
                let what = "a loop that may go on for ever if its inputs say so each time";
                unfinished.push(Unfinished::Beyond(what.to_owned()));
            }
            None => unfinished.push(Unfinished::Lost),
        }
    }
    Report { findings, unfinished, ..report }
}

fn plainly(task: Task<'_>, config: &Config, finding: &Finding) -> Option<Finding> {
    let mut machine = Machine::new(task.program.clone(), config.clone());
    let mut acts: Vec<Pick> = Vec::new();
    follow(task, &mut machine, &finding.choices, &mut acts)?;
    let values = machine.inspect().asked().iter().map(|asked| (asked.name.clone(), asked.value));
    let mut inputs = Inputs::clone(&task.config.inputs);
    inputs.values.extend(values.collect::<Vec<(InputName, u64)>>());
    let inputs = Arc::new(inputs);
    let given = Config { choices: None, inputs: inputs.clone(), ..config.clone() };
    let mut bug = finding.bug.clone();
    if let Bug::Livelock { cycle, .. } = &mut bug {
        let mut round = Vec::new();
        let asked = machine.inspect().asked().len();
        follow(task, &mut machine, cycle, &mut round)?;
        if machine.inspect().asked().len() > asked {
            return None;
        }
        *cycle = step::choices(&machine, &round);
    }
    let mut plain = Machine::new(task.program.clone(), given.clone());
    let (mut possible, mut chosen) = (Vec::new(), Vec::new());
    for pick in acts {
        plain.picks(&mut possible);
        if plain.outcome().is_some() {
            // What goes wrong by itself after a value was given goes wrong at once.
            break;
        }
        if !possible.contains(&pick) {
            return None;
        }
        step::advance(&mut plain, pick, task.progress);
        chosen.push(pick);
    }
    if let Bug::Ends(outcome) = &mut bug {
        plain.picks(&mut possible);
        *outcome = plain.outcome()?.clone();
    }
    let plain = Machine::new(task.program.clone(), given);
    let found = Finding::by_picks(plain, bug, &chosen, task.progress)?;
    Some(Finding { inputs: Some(inputs), ..found })
}

/// Follows choices; adds the picks that are no choices of values.
fn follow(task: Task<'_>, machine: &mut Machine, choices: &Choices, acts: &mut Vec<Pick>) -> Option<()> {
    let mut possible = Vec::new();
    for (choice, count) in choices.runs() {
        for _ in 0..*count {
            let (Choice::Step { thread: name, .. } | Choice::Commit { thread: name, .. }) = choice;
            let thread = machine.threads().iter().find(|thread| thread.name == *name)?.id;
            let pick = match choice {
                Choice::Step { alternative, .. } => Pick::Step { thread, alternative: *alternative },
                Choice::Commit { address, .. } => Pick::Commit { thread, address: *address },
            };
            machine.picks(&mut possible);
            if !possible.contains(&pick) {
                return None;
            }
            let is_value = matches!(pick, Pick::Step { .. }) && machine.inspect().is_choosing(thread.index());
            step::advance(machine, pick, task.progress);
            if !is_value {
                acts.push(pick);
            }
        }
    }
    Some(())
}
