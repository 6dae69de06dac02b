//! The second search: when a search has verified a program, an independent one is given as much time again.
//!
//! It leaves nothing out: all reductions are off, and it does not use the strategy that found the first answer. If it
//! is finished the answer is confirmed. If it finds a violation, which is replayed like every other, one of the two is
//! wrong, and there is no answer.

use super::{AnsweredBy, BestSoFar, Checked, How, Searched, Settings, search};
use crate::run::prepare::Prepared;
use selvedge_explore::{Progress, Strategy};
use selvedge_report::{Answer, Covered, SecondOutcome, SecondSearch, Unknown};
use selvedge_trace::{Property, Reductions};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A second search gets at least so long, where the limit of time allows it.
const LEAST: Duration = Duration::from_millis(100);
/// Less than this is not worth to begin with.
const WORTH: Duration = Duration::from_millis(1);

/// A strategy for the second search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    how: How,
    strategy: Strategy,
}

impl Way {
    /// The words for people.
    fn name(self, is_graph: bool) -> &'static str {
        match (self.how, self.strategy) {
            (How::Asked, Strategy::Optimal) if is_graph => "execution graphs",
            (How::Asked, strategy) => strategy.name(),
            (How::Sequential, _) => "sequentially consistent executions",
            (How::Operational, _) => "states of operational RC11",
        }
    }
}

/// The strategies that are independent of how the first answer was found; none if there is none: why.
fn ways(prepared: &Prepared, settings: &Settings, answered_by: AnsweredBy) -> Result<Vec<Way>, String> {
    let first = settings.options.strategy;
    let way = |how, strategy| Way { how, strategy };
    let asked = |strategy| way(How::Asked, strategy);
    if first.is_by_paths() {
        let asks = selvedge_machine::asks_for_inputs(&prepared.program).is_some();
        return match asks || settings.symbolic.is_some() {
            true => Err("only one strategy looks at all inputs".to_owned()),
            // Whether threads go on for ever was not looked at, so it must not be now.
            false => Ok(vec![asked(Strategy::Optimal)]),
        };
    }
    if selvedge_machine::asks_for_inputs(&prepared.program).is_some() && first == Strategy::Auto {
        let independent = !settings.model.is_graph()
            && answered_by != AnsweredBy::Paths
            && settings.options.at_end.is_empty()
            && settings.options.property != Some(Property::Termination);
        return match independent {
            true => Ok(vec![asked(Strategy::Mpc)]),
            false => Err("no other strategy looks at all inputs in the same way".to_owned()),
        };
    }
    if settings.model.is_graph() {
        let graphs = asked(Strategy::Optimal);
        return Ok(match answered_by {
            AnsweredBy::Sequential => vec![graphs, way(How::Sequential, Strategy::Optimal)],
            AnsweredBy::States => vec![graphs],
            AnsweredBy::Executions | AnsweredBy::Paths => {
                vec![way(How::Operational, Strategy::States), graphs]
            }
        });
    }
    let others = [Strategy::Optimal, Strategy::States].into_iter().filter(|&strategy| strategy != first);
    Ok(others.map(asked).collect())
}

/// Whether the question is one that a second search answers: what is counted, and what bounds on preemptions leave out,
/// depends on how one searches.
fn is_wanted(settings: &Settings) -> bool {
    let options = &settings.options;
    !options.count_views && !options.count_paths && options.preemptions.is_none()
}

/// Searches once more, and adds what came out to what the first search, which began `begun`, has verified.
pub fn confirm(
    prepared: &Prepared,
    settings: &Settings,
    (begun, answered_by): (Instant, AnsweredBy),
    first: &mut Checked,
    progress: &Progress,
) {
    if !is_wanted(settings) {
        return;
    }
    let mut second = SecondSearch {
        strategies: Vec::new(),
        covered: Covered::default(),
        outcome: SecondOutcome::Confirmed,
    };
    let ways = match ways(prepared, settings, answered_by) {
        Ok(ways) => ways,
        Err(why) => {
            second.outcome = SecondOutcome::NotBegun(why);
            first.result.second_search = Some(second);
            return;
        }
    };
    let now = Instant::now();
    let spent = now - begun;
    let left = settings.options.max_time.map(|most| most.saturating_sub(spent));
    let budget = left.map_or(spent.max(LEAST), |left| left.min(spent.max(LEAST)));
    second.outcome = SecondOutcome::NotBegun("the limit of time was reached".to_owned());
    for (index, &way) in ways.iter().enumerate() {
        let rest = budget.saturating_sub(now.elapsed());
        if rest < WORTH || progress.stop.load(Ordering::Relaxed) {
            break;
        }
        let share = if index + 1 < ways.len() { rest / 2 } else { rest };
        let own = without_reductions(settings, way, share);
        let Searched { checked, .. } = search(prepared, &own, way.how, progress, &BestSoFar::default());
        second.strategies.push(way.name(settings.model.is_graph()).to_owned());
        second.covered = checked.result.covered;
        match checked.result.verdict {
            Answer::Verified => second.outcome = SecondOutcome::Confirmed,
            Answer::Violation => return contradict(first, second, checked),
            Answer::Unknown => {
                second.outcome = SecondOutcome::Unfinished(why(&checked.result.unknown, progress, budget));
                continue;
            }
        }
        break;
    }
    first.result.second_search = Some(second);
}

/// The same question for another strategy, with nothing left out, for so long.
fn without_reductions(settings: &Settings, way: Way, share: Duration) -> Settings {
    let mut settings = settings.clone();
    // Paths have none.
    settings.options.spurious &= !settings.options.strategy.is_by_paths();
    settings.options.strategy = way.strategy;
    settings.options.reductions = Reductions::OFF;
    settings.options.max_time = Some(share);
    // One violation is enough, and any will do.
    settings.options.keep_going = false;
    settings.options.keep = None;
    settings
}

/// Why it was not finished.
fn why(reasons: &[Unknown], progress: &Progress, budget: Duration) -> String {
    const TIME: &str = "the limit of time was reached";
    match reasons.first() {
        _ if progress.stop.load(Ordering::Relaxed) => "interrupted".to_owned(),
        Some(reason) if reason.what != TIME => reason.what.clone(),
        _ => format!("it found nothing wrong in {:.1} s", budget.as_secs_f64()),
    }
}

/// One of the two is wrong.
fn contradict(first: &mut Checked, mut second: SecondSearch, found: Checked) {
    let strategy = second.strategies.last().cloned().unwrap_or_default();
    let how = format!(
        "strategy {} says verified, a second search ({strategy}, without reductions) finds a violation",
        first.result.strategy
    );
    first.result.unknown.push(Unknown {
        what: format!("two searches contradict each other: {how}"),
        place: None,
        thread: None,
        advice: "This is a bug of Selvedge: please report it with the program".to_owned(),
    });
    second.outcome = SecondOutcome::Contradicted(how);
    first.result.verdict = Answer::Unknown;
    first.result.violations = found.result.violations;
    first.result.second_search = Some(second);
    first.schedules = found.schedules;
}
