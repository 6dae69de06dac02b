//! Whether formulas can hold: truth values, bit-vectors and the order of events together.
//!
//! A [`Solver`] is told clauses, and asked again and again whether they can hold under assumptions. [`Native`] turns
//! bit-vectors into clauses for a SAT solver and keeps the order of events as a graph without cycles beside it.
//! `selvedge-smt` writes the same formulas for Z3; the two are compared by `selvedge-oracle`.
//!
//! An answer that was not found within the budget is [`Outcome::Unknown`], never that there is none.

mod blast;
mod budget;
mod gates;
mod native;
mod order;

pub use budget::Budget;
pub use native::Native;

use crate::{Term, Terms};
use std::fmt;

/// A truth value of a solver, or its opposite.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The truth value with this number, or its opposite. Numbers are those of the solver that gives them away.
    pub fn new(variable: u32, positive: bool) -> Self {
        Literal(variable * 2 + u32::from(!positive))
    }

    /// The number of the truth value.
    pub fn variable(self) -> u32 {
        self.0 / 2
    }

    /// Whether it is the truth value, not its opposite.
    pub fn positive(self) -> bool {
        self.0 & 1 == 0
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.positive() { "" } else { "!" }, self.variable())
    }
}

/// Something that happens at a moment. All moments differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(u32);

impl Moment {
    /// The moment with this number, counted in the order in which a solver makes moments.
    pub fn new(number: u32) -> Self {
        Moment(number)
    }

    pub fn number(self) -> u32 {
        self.0
    }
}

/// What a solver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The formulas can hold.
    Sat,
    /// They cannot.
    Unsat,
    /// The budget was not enough to find out.
    Unknown,
}

/// A decision procedure: says whether formulas can hold. All terms are from one pool, which may grow.
pub trait Solver {
    /// The truth value that always holds.
    fn yes(&mut self) -> Literal;

    /// A new truth value about which nothing is said yet.
    fn fresh(&mut self) -> Literal;

    /// A new moment. Moments are tried in the order in which they were made where nothing else is said.
    fn moment(&mut self) -> Moment;

    /// A new moment that matters only where this holds: if it does not, nothing follows from the moment's order. Formulas
    /// must not depend on it then.
    fn moment_if(&mut self, _happens: Literal) -> Moment {
        self.moment()
    }

    /// Whether the first moment is earlier than the second one. A solution may leave that open where nothing else depends on
    /// it: in a clause that other literals do not make true or this one the only one left, [`Solver::choice`] must stand
    /// for it.
    fn before(&mut self, first: Moment, second: Moment) -> Literal;

    /// The same literal, to be chosen among others in a clause.
    fn choice(&mut self, literal: Literal) -> Literal {
        literal
    }

    /// The value of this symbol follows from what else holds wherever it matters: nothing has to be tried for it.
    fn follows(&mut self, _terms: &Terms, _symbol: Term) {}

    /// From now on the first moment is earlier than the second one.
    fn order(&mut self, first: Moment, second: Moment);

    /// The truth value of an expression of one bit.
    fn term(&mut self, terms: &Terms, term: Term) -> Literal;

    /// From now on two expressions of one width are equal wherever this holds.
    fn equal_if(&mut self, literal: Literal, terms: &mut Terms, left: Term, right: Term) {
        let equal = terms.equal(left, right);
        let equal = self.term(terms, equal);
        self.clause(&[!literal, equal]);
    }

    /// From now on one of these holds.
    fn clause(&mut self, literals: &[Literal]);

    /// Whether everything said so far can hold together with these.
    fn check(&mut self, assumptions: &[Literal]) -> Outcome;

    /// How often it has found so far that what it had tried is impossible: a measure of what it has done.
    fn conflicts(&self) -> u64 {
        0
    }

    /// After [`Outcome::Unsat`]: assumptions that cannot hold together.
    fn core(&self) -> &[Literal];

    /// After [`Outcome::Sat`]: whether this holds in the solution that was found.
    fn holds(&self, literal: Literal) -> bool;

    /// After [`Outcome::Sat`]: the value of an expression in the solution that was found. Symbols that no formula
    /// speaks of are 0.
    fn value(&self, terms: &Terms, term: Term) -> u128;

    /// After [`Outcome::Sat`]: sorts moments as they are in the solution that was found.
    fn sort(&self, moments: &mut [Moment]);
}
