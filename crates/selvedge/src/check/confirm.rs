//! Executes what the explorer found once more. Nothing that does not happen again is reported.

use super::Settings;
use super::explain::explain;
use crate::run::execute::{Captured, Execution, Limits};
use crate::run::places::Places;
use crate::run::prepare::Prepared;
use crate::run::{self, Choose, Trace, claim};
use selvedge_explore::{Access, Bug, Finding, Progress, Report};
use selvedge_machine::{EndProperties, Outcome};
use selvedge_report::{Asked, Elsewhere, Found, Kind, Table, Verdict, Violation};
use selvedge_trace::{Births, Choices, Claim, Inputs, Model, Schedule};

/// A violation that was seen twice.
pub struct Confirmed<'a> {
    /// The violation in words. Where its schedule is kept, and where else it exists, is still to be filled in.
    pub found: Found,
    /// How to come to it.
    pub schedule: Schedule,
    /// What the explorer found.
    finding: &'a Finding,
    /// The search that found it.
    report: &'a Report,
    /// The models that allow the very execution that was found, where that is known.
    allowed: Option<Vec<Model>>,
}

impl Confirmed<'_> {
    /// Whether stronger memory models show it too.
    pub fn elsewhere(&self, prepared: &Prepared, settings: &Settings, progress: &Progress) -> Vec<Elsewhere> {
        match &self.allowed {
            Some(allowed) => explain(prepared, settings, (self.finding, self.report), allowed, progress),
            None => Vec::new(),
        }
    }
}

/// The violation in words, or why it was not seen again; `report` is the search's that found it. What is sequentially
/// consistent is followed as such.
pub fn confirm<'a>(
    prepared: &Prepared,
    settings: &Settings,
    finding: &'a Finding,
    report: &'a Report,
) -> Result<Confirmed<'a>, String> {
    let sequential = report.sequential;
    let claim = match &finding.bug {
        Bug::Ends(_) | Bug::AtEnd(_) => None,
        Bug::Race(first, second) => Some(Claim::DataRace([first.thread.clone(), second.thread.clone()])),
        Bug::Livelock { threads, cycle } => {
            Some(Claim::Termination { threads: threads.clone(), cycle: cycle.clone() })
        }
    };
    let model = if sequential { Model::Sc } else { settings.model };
    let followed = Settings { model, ..settings.clone() };
    let choices = finding.choices.clone();
    let mut schedule =
        Schedule { digest: finding.digest, claim, ..schedule(prepared, &followed, choices, &report.births) };
    if let Some(inputs) = &finding.inputs {
        schedule.inputs = selvedge_trace::Inputs::clone(inputs);
    }
    let mut execution = replay(prepared, &followed, schedule.clone(), Trace::Words)?;
    if execution.replayed != Some(finding.digest) {
        return Err("the replay does other things".to_owned());
    }
    let verdict = run::judge(&mut execution, settings.options.at_end);
    let violation = match &verdict {
        Verdict::Violation(violation) => Violation::clone(violation),
        other => return Err(format!("the replay ends with {other:?}")),
    };
    same(&mut execution, &violation, (&finding.bug, settings.options.at_end))?;
    schedule.steps = std::mem::take(&mut execution.notes);
    let trace = run::table(&mut execution, &verdict);
    let threads = involved(&violation, &trace);
    let allowed =
        if sequential { Some(vec![Model::Sc]) } else { execution.machine.inspect_graph().also_allowed() };
    let inputs = finding.inputs.as_ref().map_or(Vec::new(), |inputs| told(inputs, &settings.inputs));
    let elsewhere = Vec::new();
    let asked = asked(&execution);
    let found = Found { violation, threads, schedule: None, replay: None, trace, inputs, asked, elsewhere };
    Ok(Confirmed { found, schedule, finding, report, allowed })
}

/// The values that the program has asked for, and where.
fn asked(execution: &Execution) -> Vec<Asked> {
    let inspect = execution.machine.inspect();
    let places = Places::new(inspect.program());
    let signed = |value: u64, width: u32| {
        let unused = 64 - width.clamp(1, 64);
        // A truth value has no sign.
        if width == 1 { value as i64 } else { ((value << unused) as i64) >> unused }
    };
    let told = inspect.asked().iter().map(|one| {
        let place = places.place(one.position).filter(|place| place.line != 0);
        Asked { place, value: signed(one.value, one.width) }
    });
    told.collect()
}

/// The inputs that were searched for, in words: those that are not what was given.
fn told(inputs: &Inputs, given: &Inputs) -> Vec<(String, String)> {
    let quoted = |bytes: &[u8]| format!("\"{}\"", bytes.escape_ascii());
    let mut told: Vec<(String, String)> =
        inputs.values.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    if inputs.arguments != given.arguments {
        let arguments = inputs.arguments.iter().enumerate();
        told.extend(arguments.map(|(at, one)| {
            (format!("argument {}", at + 1), quoted(one.trim_end_matches('\0').as_bytes()))
        }));
    }
    if inputs.stdin != given.stdin {
        told.push(("standard input".to_owned(), quoted(&inputs.stdin)));
    }
    let files = inputs.files.iter().filter(|(name, bytes)| given.files.get(*name) != Some(*bytes));
    told.extend(files.map(|(name, bytes)| (format!("file {name}"), quoted(bytes))));
    told
}

/// A schedule for this program and these inputs.
pub fn schedule(prepared: &Prepared, settings: &Settings, choices: Choices, births: &Births) -> Schedule {
    Schedule {
        program: prepared.name.clone(),
        fingerprint: prepared.program.fingerprint,
        model: settings.model,
        inputs: settings.inputs.clone(),
        births: births.clone(),
        choices,
        digest: 0,
        claim: None,
        property: settings.options.property,
        steps: Vec::new(),
        made_from: Vec::new(),
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
        // What a search has come to in its time is followed in no more.
        limits: Limits { time: settings.options.max_time, ..Limits::default() },
    };
    run::run(prepared, &settings, &mut Captured::default()).map_err(|divergence| divergence.to_string())
}

/// Whether the execution shows what the explorer has seen.
fn same(
    execution: &mut Execution,
    violation: &Violation,
    (bug, at_end): (&Bug, EndProperties),
) -> Result<(), String> {
    let shown = match bug {
        Bug::Ends(expected) => {
            execution.machine.outcome().is_some_and(|outcome| same_outcome(outcome, expected))
        }
        Bug::AtEnd(property) => {
            let again = execution.machine.probe().broken(at_end);
            again.is_some_and(|(other, broken)| {
                other.name == property.name && broken.message == violation.message
            })
        }
        Bug::Race(first, second) => {
            let mut pending = |access: &Access| {
                let next = claim::accesses(&mut execution.machine, &access.thread);
                next.iter().any(|next| next.operation == access.operation)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_searched_for_is_told() {
        let given = Inputs { arguments: vec!["old".into()], ..Inputs::default() };
        let name = "main.1#0".parse().expect("a name");
        let inputs = Inputs {
            arguments: vec!["xy\0\0".into()],
            stdin: b"a\n".to_vec(),
            values: [(name, 7)].into(),
            ..Inputs::default()
        };
        let words: Vec<String> =
            told(&inputs, &given).iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(words, ["main.1#0=7", "argument 1=\"xy\"", "standard input=\"a\\n\""]);
        assert_eq!(told(&given, &given), []);
    }
    use crate::drivers::Request;
    use crate::run::prepare::prepare;
    use selvedge_explore::{Options, explore};
    use selvedge_machine::{Config, END_PROPERTIES};
    use selvedge_trace::{Choice, Inputs, Model, ThreadName};

    const PROGRAM: &str = "#include <assert.h>\n#include <pthread.h>\nint x;\n\
                           void *f(void *p) { x = 1; return p; }\n\
                           int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  x = 2;\n  \
                           pthread_join(t, 0);\n  assert(x == 2);\n}\n";

    #[test]
    fn nothing_is_believed_that_does_not_happen_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.c");
        std::fs::write(&file, PROGRAM).expect("a file");
        let prepared = prepare(&Request { inputs: vec![file], ..Request::default() }).expect("a program");
        let options = Options { keep_going: true, ..Options::default() };
        let settings = Settings {
            model: Model::Sc,
            inputs: Inputs::default(),
            options,
            cross_check: None,
            second_opinion: false,
            explain_model: false,
            symbolic: None,
        };
        let config = Config { program_name: prepared.name.clone(), ..Config::default() };
        let report = explore(prepared.program.clone(), config, &settings.options, &Progress::default());
        let kind = |finding: &Finding| {
            let confirmed = confirm(&prepared, &settings, finding, &report);
            confirmed.map(|it| it.found.violation.kind)
        };
        let find = |wanted: Kind| {
            let found = report.findings.iter().find(|finding| kind(finding) == Ok(wanted));
            found.unwrap_or_else(|| panic!("no {wanted:?} in {:?}", report.findings)).clone()
        };
        let (race, assertion) = (find(Kind::DataRace), find(Kind::Assertion));

        let with = |finding: &Finding, bug: Bug| {
            let mut finding = finding.clone();
            finding.bug = bug;
            finding
        };
        let mut other_events = race.clone();
        other_events.digest ^= 1;
        let mut impossible = race.clone();
        impossible.choices.push(Choice::Step { thread: ThreadName::main().child(7), alternative: 0 });
        let livelock = |cycle: Choices| Bug::Livelock { threads: vec![ThreadName::main()], cycle };
        let step = Choice::Step { thread: ThreadName::main(), alternative: 0 };
        let wrong = [
            other_events,
            impossible,
            with(&assertion, race.bug.clone()),
            with(&race, assertion.bug.clone()),
            with(&assertion, Bug::AtEnd(&END_PROPERTIES[0])),
            with(&race, livelock(Choices::new())),
            with(&race, livelock([step].into_iter().collect())),
        ];
        for wrong in wrong {
            assert!(kind(&wrong).is_err(), "{wrong:?}");
        }
    }
}
