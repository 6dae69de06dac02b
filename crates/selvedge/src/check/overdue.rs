//! What is answered when a search does not end in time.

use super::{Checked, Settings, bounds, left_out, open};
use crate::run::prepare::Prepared;
use selvedge_explore::{Budget, Progress, Report};
use selvedge_report::{Answer, Check, Covered, SecondOutcome, SecondSearch};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

/// The best answer that a check has had so far: something verified that is being confirmed, a violation of which it is being
/// found out where else it exists.
#[derive(Default)]
pub struct BestSoFar {
    answer: Mutex<Option<Checked>>,
}

impl BestSoFar {
    /// There is a better answer.
    pub fn tell(&self, checked: &Checked) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(checked.clone());
    }

    fn take(&self) -> Option<Checked> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The answer when a check has broken a limit and still goes on: the best that is known.
pub fn overdue(
    prepared: &Prepared,
    settings: &Settings,
    progress: &Progress,
    best: &BestSoFar,
    (budget, seconds): (Budget, f64),
) -> Checked {
    let reason = open::used_up(budget);
    if let Some(mut checked) = best.take() {
        if checked.result.verdict == Answer::Verified {
            checked.result.second_search = Some(SecondSearch {
                strategies: Vec::new(),
                covered: Covered::default(),
                outcome: SecondOutcome::Unfinished(reason.what),
            });
        }
        return checked;
    }
    let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
    let result = Check {
        verdict: Answer::Unknown,
        model: settings.model,
        strategy: settings.options.strategy.name().to_owned(),
        bounds: bounds(&settings.options),
        left_out: left_out(&settings.options, &prepared.program, &Report::default()),
        covered: Covered {
            executions: count(&progress.executions),
            states: Some(count(&progress.states)).filter(|&states| states > 0),
            exact: settings.options.exact,
            waiting: count(&progress.waiting),
            seconds,
            ..Covered::default()
        },
        violations: Vec::new(),
        unknown: vec![reason],
        cross_check: None,
        second_search: None,
    };
    Checked { result, schedules: Vec::new() }
}
