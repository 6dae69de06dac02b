//! What was found, and the shortest counterexample.

use crate::kit::exploration::Exploration;
use crate::kit::step;
use crate::report::{Bug, Finding, Report, Unfinished};
use crate::states::shortest;
use crate::{Options, Progress, Task};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_machine::{Config, Machine, Outcome, Pick, Status};
use selvedge_trace::ThreadId;

/// The shortest counterexample is searched for among so many states.
const STATES: usize = 200_000;

/// Violations by their identities.
pub type Found = FxHashMap<String, Finding>;

/// For machines that report: the last thread runs on without being chosen.
pub fn plain_config(subject: &Exploration<'_>) -> Config {
    Config { every_step: false, ..subject.config.clone() }
}

/// The violation at the end of the picks of a machine in which every operation is a step. The machines that report let
/// the last thread alive run on: what that does by itself there is no pick of theirs.
pub fn finding(subject: &Exploration<'_>, bug: Bug, picks: &[Pick]) -> Option<Finding> {
    let mut stepwise = Machine::new(subject.program.clone(), subject.config.clone());
    let alone =
        |machine: &Machine| machine.threads().iter().filter(|thread| !thread.is_finished()).count() <= 1;
    let mut chosen = Vec::new();
    // The last thread has been chosen since it is the last one.
    let mut runs_on = false;
    for &pick in picks {
        let thread = step::thread_of(pick).index();
        // Whether the time of a wait is over is chosen for the last thread too.
        let waits = matches!(stepwise.threads()[thread].status, Status::Waiting(_));
        // Nor are there commits for it, since its buffer is drained when it becomes the last one.
        let skipped = match pick {
            Pick::Commit { .. } => alone(&stepwise),
            // A weak compare-exchange that may fail is chosen for it.
            Pick::Step { .. } => runs_on && stepwise.probe().goes_on_alone(thread),
        };
        if waits || !skipped {
            chosen.push(pick);
        }
        step::advance(&mut stepwise, pick, subject.progress);
        let goes_on = matches!(pick, Pick::Step { .. }) && !stepwise.threads()[thread].is_finished();
        runs_on = alone(&stepwise) && !waits && (runs_on || goes_on);
    }
    let plain = Machine::new(subject.program.clone(), plain_config(subject));
    Finding::by_picks(plain, bug, &chosen, subject.progress)
}

/// The violation at the end of the picks of a machine that records expressions; they come with the number of events that the
/// thread had had before.
pub fn finding_by_events(subject: &Exploration<'_>, bug: Bug, picks: &[(Pick, u32)]) -> Option<Finding> {
    let machine = || Machine::new(subject.program.clone(), plain_config(subject));
    let mut plain = machine();
    let (mut possible, mut chosen) = (Vec::new(), Vec::new());
    for &(pick, events) in picks {
        pass_weak_exchanges(&mut plain, &mut chosen, subject.progress);
        plain.picks(&mut possible);
        let thread = step::thread_of(pick).index();
        // The last thread may have run on.
        let done = plain.threads().get(thread).is_some_and(|thread| thread.events > events);
        let alone = plain.threads().iter().filter(|thread| !thread.is_finished()).count() <= 1;
        if possible.is_empty() || (alone && (done || !possible.contains(&pick))) {
            continue;
        }
        if !possible.contains(&pick) {
            return None;
        }
        step::advance(&mut plain, pick, subject.progress);
        chosen.push(pick);
    }
    pass_weak_exchanges(&mut plain, &mut chosen, subject.progress);
    Finding::by_picks(machine(), bug, &chosen, subject.progress)
}

/// Lets a thread that is alone pass its weak compare-exchanges, which do not fail for no reason in machines that record
/// expressions.
fn pass_weak_exchanges(machine: &mut Machine, chosen: &mut Vec<Pick>, progress: &Progress) {
    while machine.inspect().is_alone() && machine.outcome().is_none() {
        let ready = |thread: &usize| matches!(machine.threads()[*thread].status, Status::Ready(_));
        let Some(thread) = (0..machine.threads().len()).find(ready) else { return };
        if !machine.probe().may_fail_weakly(thread) {
            return;
        }
        let pick = Pick::Step { thread: ThreadId(thread as u16), alternative: 0 };
        step::advance(machine, pick, progress);
        chosen.push(pick);
    }
}

/// Pairs of places in the program whose accesses race.
pub type Pairs = FxHashSet<(u32, u32)>;

/// Explores, and puts the violations that were found into the report. If which one is reported depends on the order of
/// exploration, one worker alone explores again.
pub fn settled(task: Task<'_>, once: impl Fn(Task<'_>) -> (Report, Found)) -> Report {
    let mut options = task.options.clone();
    loop {
        let (mut report, found) = once(Task { options: &options, ..task });
        let subject = Exploration::new(Task { options: &options, ..task });
        if followed_up(&subject, found, &mut report, &options) {
            return report;
        }
        // Only which violation is reported is still open.
        (options.jobs, options.keep) = (1, None);
    }
}

/// Puts the violations into a report, with the shortest counterexamples that can be found, even if the time is over.
/// False: which one is reported depends on the order of exploration, so that one worker alone has to find it.
pub fn followed_up(subject: &Exploration<'_>, found: Found, report: &mut Report, options: &Options) -> bool {
    subject.progress.following_up(|| follow_up(subject, found, report, options))
}

fn follow_up(subject: &Exploration<'_>, found: Found, report: &mut Report, options: &Options) -> bool {
    if found.is_empty() {
        return true;
    }
    // A bound on interruptions is the strategy's own affair.
    let plain = Options { preemptions: None, ..options.clone() };
    let config = plain_config(subject);
    if options.shorten {
        let short =
            shortest::explore(Task { config: &config, options: &plain, ..subject.task() }, Some(STATES));
        report.findings = short.findings;
    }
    match options.keep_going {
        // All that were found, and no others: those would hide what the strategy has missed.
        true => {
            report.findings.retain(|finding| found.contains_key(&finding.identity));
            let mut rest: Vec<Finding> = found.into_values().collect();
            rest.retain(|own| !report.findings.iter().any(|known| known.identity == own.identity));
            report.findings.extend(rest);
        }
        false if report.findings.is_empty() && options.jobs > 1 => return false,
        false if report.findings.is_empty() => report.findings.extend(found.into_values()),
        false => {}
    }
    report.findings.sort_by(|a, b| (a.switches, &a.identity).cmp(&(b.switches, &b.identity)));
    if !options.keep_going {
        report.findings.truncate(1);
    }
    true
}

/// Something is not supported where an execution ends, which was found like a violation.
pub fn unsupported(outcome: Outcome, found: Option<Finding>) -> Unfinished {
    match found {
        Some(finding) => Unfinished::Unsupported { outcome, choices: finding.choices },
        None => Unfinished::Lost,
    }
}
