//! Disjunctions that grow while the trees do.
//!
//! A disjunction is told in clauses that end with a literal `more`: it stands for what is not known yet, and every
//! question assumes that there is no more. So what was concluded stays true when something is added.

use selvedge_terms::decide::{Literal, Solver};

/// A disjunction of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct OptionsId(usize);

#[derive(Debug)]
struct Disjunction {
    /// What the next clause begins with: first why one of the options must hold, later the last `more`.
    head: Literal,
    /// Options that no clause mentions yet.
    pending: Vec<Literal>,
    told: bool,
    more: Option<Literal>,
}

/// All disjunctions of a system.
#[derive(Debug, Default)]
pub(super) struct Options {
    all: Vec<Disjunction>,
    /// Those with something to tell.
    changed: Vec<usize>,
    /// Nothing will be added to what is told.
    sealed: bool,
    /// If this holds, there is no more of any of them. One literal to be assumed instead of thousands: a SAT solver takes
    /// each assumption for a decision, and takes all of them again whenever it starts anew.
    complete: Option<Literal>,
    /// Disjunctions that it says nothing of yet.
    unsaid: Vec<usize>,
}

impl Options {
    /// If `when` holds, one of the options does.
    pub(super) fn new_if(&mut self, when: Literal) -> OptionsId {
        let number = self.all.len();
        self.all.push(Disjunction { head: !when, pending: Vec::new(), told: false, more: None });
        self.changed.push(number);
        OptionsId(number)
    }

    pub(super) fn add(&mut self, options: OptionsId, literal: Literal) {
        let disjunction = &mut self.all[options.0];
        disjunction.pending.push(literal);
        if disjunction.told {
            disjunction.told = false;
            self.changed.push(options.0);
        }
    }

    /// Tells the solver what is new.
    pub(super) fn tell(&mut self, solver: &mut impl Solver) {
        for number in self.changed.drain(..) {
            let disjunction = &mut self.all[number];
            let mut clause = vec![disjunction.more.map_or(disjunction.head, |more| !more)];
            clause.append(&mut disjunction.pending);
            disjunction.told = true;
            if !self.sealed {
                if disjunction.more.is_some() {
                    // There was more: what was said so far is of no use any more.
                    self.complete.take().into_iter().for_each(|complete| solver.clause(&[!complete]));
                }
                let more = solver.fresh();
                clause.push(more);
                disjunction.more = Some(more);
                self.unsaid.push(number);
            }
            solver.clause(&clause);
        }
    }

    /// From now on nothing is added to a disjunction that was told: questions need not assume it any more.
    pub(super) fn seal(&mut self, solver: &mut impl Solver) {
        self.tell(solver);
        self.sealed = true;
        for more in self.all.iter().filter_map(|disjunction| disjunction.more) {
            solver.clause(&[!more]);
        }
    }

    /// Whether nothing may be added any more.
    pub(super) fn is_sealed(&self) -> bool {
        self.sealed
    }

    /// What every question assumes.
    pub(super) fn assumption(&mut self, solver: &mut impl Solver) -> Option<Literal> {
        if self.sealed {
            return None;
        }
        let complete = match self.complete {
            Some(complete) => complete,
            None => {
                self.unsaid = (0..self.all.len()).collect();
                *self.complete.insert(solver.fresh())
            }
        };
        for number in self.unsaid.drain(..) {
            if let Some(more) = self.all[number].more {
                solver.clause(&[!complete, !more]);
            }
        }
        Some(complete)
    }
}
