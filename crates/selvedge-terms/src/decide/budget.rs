//! How long a solver may think.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// How long a solver may think about one question.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// How often it may find that what it has assumed is impossible.
    pub conflicts: Option<u64>,
    /// When all questions are over.
    pub until: Option<Instant>,
    /// How many clauses it may be told. Of more than that it knows nothing, and has no answers any more.
    pub clauses: Option<u64>,
}

/// After so many clauses the clock is looked at.
const CLOCK: u64 = 1 << 16;

/// Stops the SAT solver when the budget is used up.
#[derive(Debug, Default)]
pub(super) struct Watch {
    budget: Budget,
    until: Option<Instant>,
    conflicts: u64,
    asked: Cell<u32>,
    over: Cell<bool>,
    /// There was no room for all clauses.
    full: Cell<bool>,
}

impl Watch {
    pub(super) fn new(budget: Budget) -> Self {
        Watch { budget, ..Watch::default() }
    }

    /// Whether a clause may still be told, of which there are so many.
    pub(super) fn has_room(&self, clauses: u64) -> bool {
        let late = || self.budget.until.is_some_and(|until| Instant::now() > until);
        if self.budget.clauses.is_some_and(|most| clauses >= most) || clauses % CLOCK == CLOCK - 1 && late() {
            self.full.set(true);
        }
        !self.full.get()
    }

    /// Whether there are clauses that the solver was not told.
    pub(super) fn is_full(&self) -> bool {
        self.full.get()
    }

    /// A new question begins.
    pub(super) fn restart(&mut self) {
        let own = self.budget.time.and_then(|time| Instant::now().checked_add(time));
        self.until = own.into_iter().chain(self.budget.until).min();
        self.conflicts = 0;
        self.over.set(false);
    }

    /// Whether the last question was given up.
    pub(super) fn over(&self) -> bool {
        self.over.get()
    }
}

impl batsat::Callbacks for Watch {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: batsat::ClauseKind) {
        if !matches!(kind, batsat::ClauseKind::Axiom) {
            self.conflicts += 1;
        }
    }

    fn stop(&self) -> bool {
        if self.over.get() || self.budget.conflicts.is_some_and(|most| self.conflicts > most) {
            self.over.set(true);
            return true;
        }
        // Looking at the clock every time would cost more than what it measures.
        self.asked.set(self.asked.get().wrapping_add(1));
        if self.asked.get().is_multiple_of(64) && self.until.is_some_and(|until| Instant::now() > until) {
            self.over.set(true);
        }
        self.over.get()
    }
}
