//! What a worker finds: ends of executions, views, violations.

use crate::kit::races;
use crate::kit::step::{self, Ending};
use crate::report::Bug;
use crate::states::round::{Explorer, Ghost, lock};
use std::sync::atomic::Ordering;

impl Explorer<'_, '_> {
    pub(crate) fn within_bounds(&mut self, ghost: &mut Ghost, thread: usize) -> bool {
        let (Some(most), Some(visits)) = (self.round.options.unroll, &mut ghost.visits) else { return true };
        let count = visits.entry(ghost.keys[thread]).or_default();
        *count += 1;
        if *count > most {
            self.round.cut.store(true, Ordering::Relaxed);
            return false;
        }
        true
    }

    pub(crate) fn look_for_races(&mut self) {
        if self.round.options.races {
            races::pending_races(&mut self.machine, &mut self.races);
            for (a, b) in std::mem::take(&mut self.races) {
                self.found(&Bug::Race(a, b));
            }
        }
    }

    pub(crate) fn end(&mut self) {
        match step::ending(&mut self.machine, self.round.options) {
            Ending::Complete => {
                self.count_execution();
                self.count_view();
            }
            Ending::Blocked => {
                self.round.blocked.fetch_add(1, Ordering::Relaxed);
            }
            Ending::Bug(bug) => {
                self.count_execution();
                self.count_view();
                self.found(&bug);
            }
            Ending::Unsupported(outcome) => {
                lock(&self.round.gathered).unsupported.get_or_insert(self.place);
                if self.round.hands_over {
                    self.round.driver.stop();
                }
                if let Some(counterexample) = &mut self.counterexample {
                    counterexample.unsupported = Some(outcome);
                }
            }
        }
    }

    pub(crate) fn count_execution(&mut self) {
        let count = self.round.executions.fetch_add(1, Ordering::Relaxed) + 1;
        if self.round.options.max_executions.is_some_and(|most| count >= most) {
            self.round.exhaust(crate::Budget::Executions);
        }
    }

    pub(crate) fn count_view(&mut self) {
        if self.round.options.count_views {
            self.round.views.insert(self.machine.inspect().view(), |_| {});
        }
    }

    pub(crate) fn found(&mut self, bug: &Bug) {
        let identity = bug.identity(&self.machine);
        if let Some(counterexample) = &mut self.counterexample {
            counterexample.found(&identity, bug);
            return;
        }
        lock(&self.round.gathered).bugs.entry(identity).or_insert(self.place);
        if !self.round.options.keep_going && !self.round.options.count_views {
            self.round.driver.stop();
        }
    }
}
