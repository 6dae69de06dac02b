//! Whether the search finds what the enumerator finds.

use crate::enumerate::Outcomes;
use crate::language::Program as Small;
use selvedge_explore::{Access, Bug, Finding, Options, Progress, Report, Strategy, Unfinished, explore};
use selvedge_machine::{Config, Machine, Outcome, Pick, Stepped, ViolationKind};
use selvedge_program::Program;
use selvedge_trace::{Choice, Inputs, Model};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Programs that [`many_to_c`](crate::c::many_to_c) has written, compiled.
pub struct Compiled {
    /// As they were.
    pub programs: Vec<Small>,
    pub program: Arc<Program>,
}

impl Compiled {
    /// For the machine: run this one of the programs.
    pub fn config(&self, number: usize, model: Model) -> Config {
        let inputs = Inputs { arguments: vec![number.to_string()], ..Inputs::default() };
        Config { model, inputs: Arc::new(inputs), ..Config::default() }
    }
}

/// What can be wrong with a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Assertion,
    Deadlock,
    Race,
    Misuse,
}

/// What is wrong with a program according to the enumerator.
pub fn kinds(outcomes: &Outcomes) -> BTreeSet<Kind> {
    let all = [
        (outcomes.assertion(), Kind::Assertion),
        (outcomes.deadlock, Kind::Deadlock),
        (outcomes.race, Kind::Race),
        (outcomes.misuse, Kind::Misuse),
    ];
    all.into_iter().filter_map(|(is, kind)| is.then_some(kind)).collect()
}

/// Programs with more views are too much for strategies that ask a solver about each of them.
pub const MOST_VIEWS: usize = 60;

/// Whether a strategy gets done also where there are many views.
pub fn is_quick(strategy: Strategy) -> bool {
    strategy.is_complete() && !strategy.row().abilities.by_views
}

/// Explores a compiled program with every complete strategy, with and without counting views, and compares. Those that
/// are not quick are left out where there are more views than `most_views`. One line for each difference.
pub fn compare(
    program: &Arc<Program>,
    config: &Config,
    expected: &Outcomes,
    most_views: usize,
) -> Result<(), String> {
    let few = expected.views.len() + expected.failed.len() <= most_views;
    let wrong: Vec<String> = Strategy::ALL
        .iter()
        .filter(|strategy| strategy.is_complete() && (few || is_quick(**strategy)))
        .filter_map(|&strategy| compare_with(strategy, program, config, expected).err())
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Whether views are counted, and whether the search keeps going after a violation.
pub const WAYS: [(bool, bool); 3] = [(true, true), (false, true), (false, false)];

/// As [`compare`], with one strategy.
pub fn compare_with(
    strategy: Strategy,
    program: &Arc<Program>,
    config: &Config,
    expected: &Outcomes,
) -> Result<(), String> {
    // Stopping early is the same for all strategies.
    let ways = if strategy == Strategy::Auto { &WAYS[..] } else { &WAYS[..2] };
    compare_in(strategy, program, config, expected, ways)
}

/// As [`compare_with`], in some of the ways.
pub fn compare_in(
    strategy: Strategy,
    program: &Arc<Program>,
    config: &Config,
    expected: &Outcomes,
    ways: &[(bool, bool)],
) -> Result<(), String> {
    let mut wrong = Vec::new();
    for &(count_views, keep_going) in ways {
        // The way on which a strategy found something is replayed, not one that the same search finds for all of them.
        let shorten = strategy == Strategy::Auto;
        let options = Options { strategy, count_views, keep_going, shorten, ..Options::default() };
        let report = explore(program.clone(), config.clone(), &options, &Progress::default());
        let views = if count_views { "counting views" } else { "not counting views" };
        let going = if keep_going { "keeping going" } else { "stopping at the first" };
        let at = |what: String| format!("{} {views}, {going}: {what}", strategy.name());
        wrong.extend(judge(&report, &options, expected).err().map(at));
        let replays = report.findings.iter().map(|finding| replay(program, config, finding));
        wrong.extend(replays.filter_map(Result::err).map(at));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn judge(report: &Report, options: &Options, expected: &Outcomes) -> Result<(), String> {
    // Strategies by recorded executions do not count views where the process ends before its threads do, and say so.
    let uncounted = |unfinished: &Unfinished| {
        expected.early && options.count_views && matches!(unfinished, Unfinished::Beyond(_))
    };
    if let Some(unfinished) = report.unfinished.iter().find(|unfinished| !uncounted(unfinished)) {
        return Err(format!("not finished: {unfinished:?}"));
    }
    let finished = report.unfinished.is_empty();
    let found: BTreeSet<Kind> =
        report.findings.iter().map(|finding| kind(&finding.bug)).collect::<Result<_, String>>()?;
    let wanted = kinds(expected);
    let same = match options.keep_going {
        true if !finished => found.is_subset(&wanted),
        true => found == wanted,
        false => found.is_subset(&wanted) && found.is_empty() == wanted.is_empty(),
    };
    if !same {
        return Err(format!("found {found:?}, the enumerator finds {wanted:?}"));
    }
    if !finished {
        return Ok(());
    }
    let Some(classes) = report.classes.map(|classes| classes as usize) else {
        return if options.count_views { Err("views were not counted".to_owned()) } else { Ok(()) };
    };
    // How far the other threads have come when an assertion fails depends on the order of exploration.
    let fewest = expected.views.len() + expected.stuck.len();
    // What runs at the end of the process is ordinary code, which reads the list of what is to be done then. The end is one
    // step here; but that code is cut short where another thread ends the process too, or fails.
    let cut_short = expected.early && expected.enders.len() + expected.failed.len().min(1) > 1;
    if classes < fewest || (classes > fewest + expected.failed.len() && !cut_short) {
        return Err(format!(
            "{classes} views, the enumerator finds {fewest} (and {} failing)",
            expected.failed.len()
        ));
    }
    let once = options.strategy == Strategy::Viequi && expected.failed.is_empty();
    if once && report.executions != classes as u64 {
        return Err(format!("{} executions of {classes} views", report.executions));
    }
    Ok(())
}

pub(crate) fn kind(bug: &Bug) -> Result<Kind, String> {
    match bug {
        Bug::Ends(Outcome::Deadlock(_)) => Ok(Kind::Deadlock),
        Bug::Ends(Outcome::Violation { violation, .. }) if violation.kind == ViolationKind::Assertion => {
            Ok(Kind::Assertion)
        }
        Bug::Ends(Outcome::Violation { violation, .. }) if violation.kind == ViolationKind::Misuse => {
            Ok(Kind::Misuse)
        }
        Bug::Race(..) => Ok(Kind::Race),
        Bug::Ends(_) | Bug::AtEnd(_) | Bug::Livelock { .. } => Err(format!("found {bug:?}")),
    }
}

/// Follows a finding's choices and looks whether they lead to what it says.
pub fn replay(program: &Arc<Program>, config: &Config, finding: &Finding) -> Result<(), String> {
    let mut machine = Machine::new(program.clone(), config.clone());
    let mut picks = Vec::new();
    for (choice, count) in finding.choices.runs() {
        for _ in 0..*count {
            machine.picks(&mut picks);
            let (Choice::Step { thread: name, .. } | Choice::Commit { thread: name, .. }) = choice;
            let thread = machine.threads().iter().find(|thread| thread.name == *name);
            let thread = thread.ok_or_else(|| format!("there is no thread {name}"))?.id;
            let pick = match choice {
                Choice::Step { alternative, .. } => Pick::Step { thread, alternative: *alternative },
                Choice::Commit { address, .. } => Pick::Commit { thread, address: *address },
            };
            if !picks.contains(&pick) {
                return Err(format!("{pick:?} is not possible when {:?} is replayed", finding.bug));
            }
            if machine.step(pick) == Stepped::OutOfFuel {
                return Err("the replay runs out of fuel".to_owned());
            }
        }
    }
    machine.picks(&mut picks);
    let shown = match &finding.bug {
        Bug::Race(first, second) => {
            [first, second].into_iter().all(|access| pending(&mut machine, &picks, access))
        }
        bug => machine.outcome().is_some_and(|outcome| kind(&Bug::Ends(outcome.clone())) == kind(bug)),
    };
    match shown && machine.inspect().digest() == finding.digest {
        true => Ok(()),
        false => Err(format!(
            "replay of {:?} (digest {:016x}) leads to {:?} (digest {:016x})",
            finding.bug,
            finding.digest,
            machine.outcome(),
            machine.inspect().digest()
        )),
    }
}

/// Whether an access can be next: the thread is before it, or before a call that makes it, or has a store there that is not
/// visible yet.
fn pending(machine: &mut Machine, picks: &[Pick], access: &Access) -> bool {
    let Some(thread) = machine.threads().iter().find(|thread| thread.name == access.thread) else {
        return false;
    };
    let thread = thread.id;
    let commit = Pick::Commit { thread, address: access.operation.address };
    machine.probe().accesses(thread.index()).contains(&access.operation) || picks.contains(&commit)
}
