//! A SAT solver with the order of moments beside it.

use super::blast::Blaster;
use super::budget::{Budget, Watch};
use super::gates::Clauses;
use super::order::Order;
use super::{Literal, Moment, Outcome, Solver};
use crate::{Term, Terms};
use batsat::{Lit, SolverInterface, Var, lbool};
use rustc_hash::FxHashMap;

/// Bit-vectors as clauses, order as a graph.
pub struct Native {
    sat: Sat,
    blaster: Blaster,
    order: Order,
    pairs: FxHashMap<(u32, u32), Literal>,
    /// Literals that are chosen for those about which the solver does not think.
    choices: FxHashMap<Literal, Literal>,
    core: Vec<Literal>,
    questions: u64,
}

/// The SAT solver and its variables.
struct Sat {
    solver: batsat::Solver<Watch>,
    variables: Vec<Var>,
    /// How many clauses there were.
    told: u64,
}

impl Sat {
    fn lit(&self, literal: Literal) -> Lit {
        Lit::new(self.variables[literal.variable() as usize], literal.positive())
    }
}

impl Clauses for Sat {
    fn fresh(&mut self) -> Literal {
        let number = self.variables.len() as u32;
        self.variables.push(self.solver.new_var_default());
        Literal::new(number, true)
    }

    /// The SAT solver never tries a value for it, so that it may end without one. Trying values for everything would cost
    /// more than all the rest: of the expressions in a system few matter for one solution.
    fn gate(&mut self) -> Literal {
        let number = self.variables.len() as u32;
        self.variables.push(self.solver.new_var(lbool::UNDEF, false));
        Literal::new(number, true)
    }

    fn clause(&mut self, literals: &[Literal]) {
        self.told += 1;
        if !self.solver.cb().has_room(self.told) {
            return;
        }
        let mut clause: Vec<Lit> = literals.iter().map(|&literal| self.lit(literal)).collect();
        self.solver.add_clause_reuse(&mut clause);
    }
}

impl Native {
    /// Nothing is said yet; every question may cost so much.
    pub fn new(budget: Budget) -> Self {
        let solver = batsat::Solver::new(batsat::SolverOpts::default(), Watch::new(budget));
        Native {
            sat: Sat { solver, variables: Vec::new(), told: 0 },
            blaster: Blaster::default(),
            order: Order::default(),
            pairs: FxHashMap::default(),
            choices: FxHashMap::default(),
            core: Vec::new(),
            questions: 0,
        }
    }

    /// How many variables and clauses there are.
    pub fn size(&self) -> (u64, u64) {
        (u64::from(self.sat.solver.num_vars()), self.sat.solver.num_clauses())
    }

    /// How many questions were asked so far.
    pub fn questions(&self) -> u64 {
        self.questions
    }
}

impl Solver for Native {
    fn yes(&mut self) -> Literal {
        self.blaster.gates.yes(&mut self.sat)
    }

    fn fresh(&mut self) -> Literal {
        self.sat.fresh()
    }

    fn moment(&mut self) -> Moment {
        Moment(self.order.moment())
    }

    fn moment_if(&mut self, happens: Literal) -> Moment {
        let moment = self.order.moment();
        if happens.positive() {
            self.order.guard(moment, self.sat.variables[happens.variable() as usize]);
        }
        Moment(moment)
    }

    fn before(&mut self, first: Moment, second: Moment) -> Literal {
        let (a, b) = (first.0.min(second.0), first.0.max(second.0));
        let literal = match self.pairs.get(&(a, b)) {
            Some(&literal) => literal,
            None if a == b => !self.yes(),
            None => {
                // Variables are tried as false first: then moments stay in the order in which they were made.
                let literal = !self.sat.gate();
                let variable = self.sat.variables[literal.variable() as usize];
                self.order.atom(variable, b, a);
                self.pairs.insert((a, b), literal);
                literal
            }
        };
        if first.0 <= second.0 { literal } else { !literal }
    }

    fn choice(&mut self, literal: Literal) -> Literal {
        if !self.order.is_atom(self.sat.variables[literal.variable() as usize]) {
            return literal;
        }
        let positive = Literal::new(literal.variable(), true);
        let chosen = match self.choices.get(&positive) {
            Some(&chosen) => chosen,
            None => {
                let chosen = self.sat.fresh();
                self.sat.clause(&[!chosen, positive]);
                self.sat.clause(&[chosen, !positive]);
                self.choices.insert(positive, chosen);
                chosen
            }
        };
        if literal.positive() { chosen } else { !chosen }
    }

    fn follows(&mut self, terms: &Terms, symbol: Term) {
        self.blaster.follows(&mut self.sat, terms, symbol);
    }

    fn order(&mut self, first: Moment, second: Moment) {
        if !self.order.always(first.0, second.0) {
            self.sat.clause(&[]);
        }
    }

    fn term(&mut self, terms: &Terms, term: Term) -> Literal {
        self.blaster.bits(&mut self.sat, terms, term)[0]
    }

    /// Bit by bit: no gates, and each bit of one side gives the bit of the other one.
    fn equal_if(&mut self, literal: Literal, terms: &mut Terms, left: Term, right: Term) {
        let left = self.blaster.bits(&mut self.sat, terms, left).to_vec();
        let right = self.blaster.bits(&mut self.sat, terms, right).to_vec();
        for (&a, &b) in left.iter().zip(&right) {
            if a != b {
                self.sat.clause(&[!literal, !a, b]);
                self.sat.clause(&[!literal, a, !b]);
            }
        }
    }

    fn clause(&mut self, literals: &[Literal]) {
        self.sat.clause(literals);
    }

    fn check(&mut self, assumptions: &[Literal]) -> Outcome {
        self.questions += 1;
        self.core.clear();
        if self.sat.solver.cb().is_full() {
            return Outcome::Unknown;
        }
        self.sat.solver.cb_mut().restart();
        let lits: Vec<Lit> = assumptions.iter().map(|&literal| self.sat.lit(literal)).collect();
        let result = self.sat.solver.solve_limited_th(&mut self.order, &lits);
        if result == lbool::TRUE {
            return Outcome::Sat;
        }
        if result != lbool::FALSE || self.sat.solver.cb().over() {
            return Outcome::Unknown;
        }
        let solver = &self.sat.solver;
        let cause =
            assumptions.iter().zip(&lits).filter(|(_, lit)| solver.unsat_core_contains_var(lit.var()));
        self.core = cause.map(|(&literal, _)| literal).collect();
        Outcome::Unsat
    }

    fn conflicts(&self) -> u64 {
        self.sat.solver.num_conflicts()
    }

    fn core(&self) -> &[Literal] {
        &self.core
    }

    fn holds(&self, literal: Literal) -> bool {
        self.sat.solver.value_lit(self.sat.lit(literal)) == lbool::TRUE
    }

    fn value(&self, terms: &Terms, term: Term) -> u128 {
        terms.evaluate(term, |symbol| {
            let bits = self.blaster.symbol(terms, symbol).unwrap_or_default();
            bits.iter().rev().fold(0, |value, &bit| value << 1 | u128::from(self.holds(bit)))
        })
    }

    fn sort(&self, moments: &mut [Moment]) {
        moments.sort_by_key(|moment| self.order.place(moment.0));
    }
}
