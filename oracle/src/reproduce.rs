//! From what threads have decided back to an execution that fails: a whole execution is made at random, only the
//! decisions of each thread are kept, each thread is run alone along them, the constraints of the paths are solved, and
//! the order that comes out is performed. The failure must be the same one.

use crate::numbers::Numbers;
use selvedge_machine::{
    AloneError, Config, Decisions, Extent, Machine, Outcome, PathEnd, Pick, Recorded, Symbolic, perform_by,
    perform_moves, run_alone,
};
use selvedge_paths::{Answer, Constraint, ConstraintSystem, Execution, Figures, Step, StepName, ThreadPath};
use selvedge_program::Program;
use selvedge_terms::Terms;
use selvedge_terms::decide::{Budget, Native};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A failure that came back.
#[derive(Clone, Debug)]
pub struct Reproduced {
    /// The failure, in words.
    pub failure: String,
    pub figures: Figures,
    /// How many decisions were kept.
    pub decisions: usize,
    /// How long the runs of threads, and the solver, have taken.
    pub alone: Duration,
    pub solved: Duration,
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum Reproduction {
    /// No execution failed.
    NoFailure,
    Reproduced(Box<Reproduced>),
    /// The record of the whole execution says that it is incomplete.
    Beyond(String),
    /// A thread could not be run alone.
    Alone(AloneError),
    /// What went wrong.
    Wrong(String),
}

/// The configuration of all runs.
fn concolic(config: &Config) -> Config {
    let symbolic = Some(Symbolic { reads: true, inputs: false, ..Symbolic::default() });
    Config { symbolic, every_step: true, ..config.clone() }
}

/// An execution with random choices up to its first failure: threads go on for a while before another one does.
pub fn random_failure(
    program: &Arc<Program>,
    config: &Config,
    seeds: std::ops::Range<u64>,
) -> Option<Recorded> {
    let config = concolic(config);
    for seed in seeds {
        let mut numbers = Numbers::new(seed);
        let mut last = None;
        let stay = (seed % 4) as usize;
        let mut choose = |_: &Machine, picks: &[Pick]| {
            let thread = |pick: &Pick| match pick {
                Pick::Step { thread, .. } => Some(*thread),
                Pick::Commit { .. } => None,
            };
            let same = picks.iter().position(|pick| last.is_some() && thread(pick) == last);
            let chosen = match same {
                Some(same) if numbers.below(4) < stay => same,
                _ => numbers.below(picks.len().max(1)),
            };
            last = picks.get(chosen).and_then(thread);
            chosen
        };
        let extent = Extent { steps: 3_000, ..Extent::default() };
        let recorded = perform_by(program, &config, extent, &mut choose);
        if failure(&recorded).is_some() {
            return Some(recorded);
        }
    }
    None
}

/// How an execution has failed, in words that are the same for the same failure.
pub fn failure(recorded: &Recorded) -> Option<String> {
    if let Some((violation, thread, _)) = &recorded.failure {
        let name = &recorded.execution.threads.get(thread.index())?.thread;
        return Some(format!("{name}: {:?} {}", violation.kind, violation.message));
    }
    match &recorded.outcome {
        Some(Outcome::Deadlock(blocked)) => Some(format!("deadlock of {} threads", blocked.len())),
        Some(Outcome::Exited(101)) if recorded.panicked => Some("panic".to_owned()),
        _ => None,
    }
}

/// What each thread of a failed execution has decided.
pub fn decisions(recorded: &Recorded) -> Vec<Decisions> {
    let deadlock = matches!(recorded.outcome, Some(Outcome::Deadlock(_)));
    let all = recorded.execution.threads.iter().map(|path| {
        let mut decisions = Decisions::of(path);
        if decisions.end == PathEnd::Blocked && !deadlock {
            // Another one has failed: it may have been able to go on a moment later.
            decisions.end = PathEnd::Cut;
        }
        decisions
    });
    all.collect()
}

/// Whether two executions show the same steps of all threads, whatever else they say.
pub fn compare_paths(whole: &Execution, alone: &Execution) -> Result<(), String> {
    for path in &alone.threads {
        let other = whole.threads.iter().find(|other| other.thread == path.thread);
        let Some(other) = other else { return Err(format!("{} is in one of them", path.thread)) };
        let show = |terms: &Terms, path: &ThreadPath| -> Vec<String> {
            let all = path.steps.iter().map(|performed| {
                let shown = performed.step.clone().map_terms(&mut |term| term);
                words(terms, &shown)
            });
            all.collect()
        };
        let (one, two) = (show(&whole.terms, other), show(&alone.terms, path));
        if let Some(at) = (0..one.len().max(two.len())).find(|&at| one.get(at) != two.get(at)) {
            return Err(format!("{} step {at}: {:?}, alone {:?}", path.thread, one.get(at), two.get(at)));
        }
    }
    Ok(())
}

/// A step with its expressions.
fn words(terms: &Terms, step: &Step) -> String {
    let mut inside = Vec::new();
    let bare = step.clone().map_terms(&mut |term| {
        inside.push(terms.show(term).to_string());
        term
    });
    // Expressions are numbered differently in each pool.
    let text = format!("{bare:?}");
    let mut clean = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("Term(") {
        clean.push_str(&rest[..at]);
        rest = rest[at..].find(')').map_or("", |end| &rest[at + end + 1..]);
    }
    format!("{clean}{rest} {}", inside.join(" "))
}

/// Takes a failed execution back from its threads' decisions.
pub fn reproduce(program: &Arc<Program>, config: &Config, recorded: &Recorded) -> Reproduction {
    let config = concolic(config);
    let Some(expected) = failure(recorded) else { return Reproduction::NoFailure };
    if let Some(what) = &recorded.beyond {
        return Reproduction::Beyond(what.clone());
    }
    let paths = decisions(recorded);
    let begun = Instant::now();
    let execution = match run_alone(program, &config, &paths) {
        Ok(execution) => execution,
        Err(error) => return Reproduction::Alone(error),
    };
    let alone = begun.elapsed();
    if let Err(what) = compare_paths(&recorded.execution, &execution) {
        return Reproduction::Wrong(format!("the steps of a thread alone are others: {what}"));
    }
    let begun = Instant::now();
    let nothing = |_: &Constraint| false;
    let solver = Native::new(Budget { time: Some(Duration::from_secs(60)), ..Budget::default() });
    let mut system = match ConstraintSystem::new(solver, config.model, &execution, &nothing) {
        Ok(system) => system,
        Err(error) => return Reproduction::Wrong(error.to_string()),
    };
    gone(&mut system, recorded, &execution);
    let solution = match system.solve(&selvedge_paths::Selection::All) {
        Answer::Possible(solution) => solution,
        other => return Reproduction::Wrong(format!("the constraints say {other:?}")),
    };
    let solved = begun.elapsed();
    let replayed = perform_moves(program, &config, &solution.request, Extent::default(), |_| {});
    let deadlock = matches!(recorded.outcome, Some(Outcome::Deadlock(_)));
    let found = match failure(&replayed) {
        // Nothing was chosen after the last move: what has to come by itself, such as the end of the program, comes so.
        None => {
            let again = selvedge_machine::perform(program, &config, &solution.request, Extent::default());
            if deadlock || replayed.diverged.is_none() { failure(&again) } else { None }
        }
        found => found,
    };
    match found {
        Some(found) if found == expected => Reproduction::Reproduced(Box::new(Reproduced {
            failure: found,
            figures: system.figures(),
            decisions: paths.iter().map(|path| path.outcomes.len()).sum(),
            alone,
            solved,
        })),
        found => Reproduction::Wrong(format!(
            "`{expected}` became {found:?}; move {:?} of {} was not possible",
            replayed.diverged,
            solution.request.moves.len()
        )),
    }
}

/// A thread that has failed because another one has let go what it uses: one of those that let something go comes before.
fn gone(system: &mut ConstraintSystem<'_, Native>, recorded: &Recorded, execution: &Execution) {
    let Some((_, thread, _)) = &recorded.failure else { return };
    let Some(failed) = recorded.execution.threads.get(thread.index()) else { return };
    let path = execution.threads.iter().find(|path| path.thread == failed.thread);
    let Some(path) = path.filter(|path| path.end == selvedge_paths::ThreadEnd::Cut) else { return };
    let frees = execution.threads.iter().filter(|other| other.thread != path.thread).flat_map(|other| {
        let frees = other
            .steps
            .iter()
            .enumerate()
            .filter(|(_, performed)| matches!(performed.step, Step::Free { .. } | Step::Destroy { .. }));
        frees.map(|(number, _)| StepName::new(&other.thread, number))
    });
    let frees: Vec<StepName> = frees.collect();
    if !frees.is_empty() {
        system.demand_any_order(
            "what is used has gone",
            &frees,
            &StepName::new(&path.thread, path.steps.len()),
        );
    }
}
