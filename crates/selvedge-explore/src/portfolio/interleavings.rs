//! The portfolio under `sc`, `tso` and `pso`: optimal DPOR beside the stateful search.
//!
//! Some programs have far more states than Mazurkiewicz traces: many threads, each of which does little that others
//! see. When the search has come to many states, optimal DPOR is tried beside it for a while. Both are complete, so the
//! member that ends first with nothing found has the answer. What DPOR finds is left to the stateful search, which
//! reports the shortest counterexample.

use crate::report::{Progress, Report};
use crate::{Options, Strategy, Task, dpor, states};
use selvedge_machine::{Config, Spurious};
use selvedge_trace::Reduction;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

/// How often the member that waits looks whether its turn has come.
const PAUSE: Duration = Duration::from_millis(5);

/// Explores by states, with optimal DPOR beside it where both answer the same question.
pub fn explore(task: Task<'_>) -> Report {
    let Task { config, options, progress, .. } = task;
    let search = || states::explore(task);
    let bounded = options.unroll.is_some() || options.max_executions.is_some();
    let other_question = options.count_views || options.leaks || options.exact;
    let switched_off = !options.reductions.has(Reduction::Portfolio);
    if options.strategy != Strategy::Auto || bounded || other_question || switched_off {
        return search();
    }
    let (strategy, most) = (Strategy::Optimal, Some(options.tuning.portfolio_executions));
    let second = Options { strategy, jobs: 1, keep: None, max_executions: most, ..options.clone() };
    let alone = options.tuning.portfolio_after_states;
    let spurious = if options.spurious { strategy.row().spurious } else { Spurious::Off };
    let stateless = Config { spurious, ..config.clone() };
    let patience = Duration::from_millis(options.tuning.portfolio_time);
    beside(progress, (alone, patience), search, |own| {
        dpor::optimal(Task { config: &stateless, options: &second, progress: own, ..task })
    })
}

/// Runs a search and, when it has seen many states, optimal DPOR. Returns what the first of them says that is through.
fn beside(
    progress: &Progress,
    (alone, patience): (u64, Duration),
    search: impl FnOnce() -> Report,
    second: impl FnOnce(&Progress) -> Report + Send,
) -> Report {
    let own = Progress::default();
    let answer: OnceLock<Report> = OnceLock::new();
    let report = thread::scope(|scope| {
        let member = scope.spawn(|| {
            while progress.states.load(Ordering::Relaxed) < alone {
                if own.stop.load(Ordering::Relaxed) {
                    return;
                }
                thread::park_timeout(PAUSE);
            }
            own.set_deadline(Instant::now().checked_add(patience));
            let report = second(&own);
            if report.unfinished.is_empty() && report.findings.is_empty() && !report.cut {
                let _ = answer.set(report);
                progress.answered.store(true, Ordering::Relaxed);
            }
        });
        let report = search();
        own.stop.store(true, Ordering::Relaxed);
        member.thread().unpark();
        report
    });
    match answer.into_inner() {
        Some(answer) if report.findings.is_empty() => answer,
        _ => report,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Budget;
    use crate::report::Unfinished;

    const STATES_ALONE: u64 = 1_000;

    /// A search that has seen some states and goes on until it is told to stop.
    fn endless(states: u64, second: impl FnOnce(&Progress) -> Report + Send) -> Report {
        let progress = Progress::default();
        progress.states.store(states, Ordering::Relaxed);
        progress.set_deadline(Instant::now().checked_add(Duration::from_millis(200)));
        let search = || {
            while progress.over().is_none() {
                thread::yield_now();
            }
            Report { unfinished: vec![Unfinished::Budget(Budget::Time)], ..Report::default() }
        };
        beside(&progress, (STATES_ALONE, Duration::from_secs(30)), search, second)
    }

    fn is_open(report: &Report) -> bool {
        matches!(report.unfinished[..], [Unfinished::Budget(Budget::Time)])
    }

    #[test]
    fn the_member_that_is_through_first_has_the_answer() {
        let report = endless(STATES_ALONE, |_| Report { executions: 7, ..Report::default() });
        assert!(report.unfinished.is_empty());
        assert_eq!(report.executions, 7);
    }

    #[test]
    fn an_answer_that_is_none_is_ignored() {
        let lost = |_: &Progress| Report { unfinished: vec![Unfinished::Lost], ..Report::default() };
        assert!(is_open(&endless(STATES_ALONE, lost)));
        let cut = |_: &Progress| Report { cut: true, ..Report::default() };
        assert!(is_open(&endless(STATES_ALONE, cut)));
    }

    #[test]
    fn small_searches_are_left_alone() {
        assert!(is_open(&endless(STATES_ALONE - 1, |_| unreachable!("nobody asked"))));
    }
}
