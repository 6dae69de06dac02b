//! Values in states: expressions over inputs, and what was decided about inputs.

use rustc_hash::FxHashMap;
use selvedge_terms::decide::{Literal, Outcome, Solver};
use selvedge_terms::{Symbol, SymbolId, Term, Terms};
use std::collections::BTreeMap;

/// No value.
pub(super) const NONE: u32 = u32::MAX;

/// Expressions with values in the places of what was read.
#[derive(Default)]
pub(super) struct Values {
    /// The reads that an expression is about.
    reads: FxHashMap<Term, Box<[SymbolId]>>,
    /// An expression and the values of the reads that it is about.
    known: FxHashMap<Box<[u32]>, Term>,
    key: Vec<u32>,
}

impl Values {
    /// The reads that an expression is about.
    pub(super) fn reads(&mut self, terms: &Terms, term: Term) -> &[SymbolId] {
        self.reads.entry(term).or_insert_with(|| {
            let all = terms.symbols_below([term]).into_iter();
            all.filter(|&id| matches!(terms.symbol_of(id), Symbol::Read { .. })).collect()
        })
    }

    /// The expression where reads have these values, by their symbols. Nothing if one of them has none.
    pub(super) fn of(&mut self, terms: &mut Terms, term: Term, values: &[u32]) -> Option<Term> {
        let value = |id: SymbolId| values.get(id.index()).copied().filter(|&value| value != NONE);
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        key.push(term.number());
        for &id in self.reads(terms, term) {
            key.push(value(id)?);
        }
        let result = match (key.len(), self.known.get(&key[..])) {
            (1, _) => term,
            (_, Some(&known)) => known,
            (_, None) => {
                let made = terms.substitute(term, |id| value(id).map(Term::from_number));
                self.known.insert(key.clone().into_boxed_slice(), made);
                made
            }
        };
        self.key = key;
        Some(result)
    }
}

/// What was decided about inputs, as a set of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Decided(pub(super) u32);

/// It is not known whether inputs can be so.
pub(super) struct Undecided;

/// Sets of conditions that inputs can satisfy.
pub(super) struct Inputs<S> {
    solver: S,
    sets: Vec<Box<[Term]>>,
    numbers: FxHashMap<Box<[Term]>, Decided>,
    /// A set with one condition more; nothing if inputs cannot be so.
    next: FxHashMap<(Decided, Term), Option<Decided>>,
    /// Whether conditions can hold together.
    possible: FxHashMap<Box<[Term]>, bool>,
    symbols: FxHashMap<Term, Box<[SymbolId]>>,
    /// Inputs that satisfy a set.
    found: FxHashMap<Decided, BTreeMap<Symbol, u128>>,
    /// How often the solver was asked.
    pub(super) questions: u64,
}

impl<S: Solver> Inputs<S> {
    pub(super) fn new(solver: S) -> Self {
        let none: Box<[Term]> = Box::default();
        Inputs {
            solver,
            sets: vec![none.clone()],
            numbers: [(none, Decided(0))].into_iter().collect(),
            next: FxHashMap::default(),
            possible: FxHashMap::default(),
            symbols: FxHashMap::default(),
            found: FxHashMap::default(),
            questions: 0,
        }
    }

    /// The set with one condition more. Nothing if no inputs satisfy it.
    pub(super) fn with(
        &mut self,
        terms: &mut Terms,
        set: Decided,
        condition: Term,
    ) -> Result<Option<Decided>, Undecided> {
        if let Some(known) = terms.known(condition) {
            return Ok((known == 1).then_some(set));
        }
        if let Some(&next) = self.next.get(&(set, condition)) {
            return Ok(next);
        }
        let mut all = self.sets[set.0 as usize].to_vec();
        if let Err(place) = all.binary_search(&condition) {
            all.insert(place, condition);
        }
        let together = self.about_the_same(terms, &all, condition);
        let next = match self.is_possible(terms, together)? {
            false => None,
            true => {
                let number = Decided(self.sets.len() as u32);
                let all = all.into_boxed_slice();
                let known = *self.numbers.entry(all.clone()).or_insert(number);
                if known == number {
                    self.sets.push(all);
                }
                Some(known)
            }
        };
        self.next.insert((set, condition), next);
        Ok(next)
    }

    /// The conditions that have to do with one of them, through whatever inputs.
    fn about_the_same(&mut self, terms: &Terms, all: &[Term], condition: Term) -> Box<[Term]> {
        for &term in all {
            self.symbols.entry(term).or_insert_with(|| terms.symbols_below([term]).into_boxed_slice());
        }
        let mut symbols: Vec<SymbolId> = self.symbols[&condition].to_vec();
        let mut together = vec![condition];
        loop {
            let before = together.len();
            for term in all {
                let about = &self.symbols[term];
                if !together.contains(term) && about.iter().any(|id| symbols.contains(id)) {
                    together.push(*term);
                    symbols.extend(about.iter().copied());
                }
            }
            if together.len() == before {
                together.sort_unstable();
                return together.into_boxed_slice();
            }
        }
    }

    fn is_possible(&mut self, terms: &Terms, conditions: Box<[Term]>) -> Result<bool, Undecided> {
        if let Some(&possible) = self.possible.get(&conditions) {
            return Ok(possible);
        }
        let possible = match self.ask(terms, &conditions) {
            Outcome::Sat => true,
            Outcome::Unsat => false,
            Outcome::Unknown => return Err(Undecided),
        };
        self.possible.insert(conditions, possible);
        Ok(possible)
    }

    fn ask(&mut self, terms: &Terms, conditions: &[Term]) -> Outcome {
        let literals: Vec<Literal> = conditions.iter().map(|&term| self.solver.term(terms, term)).collect();
        self.questions += 1;
        self.solver.check(&literals)
    }

    /// Inputs that satisfy a set.
    pub(super) fn values(
        &mut self,
        terms: &Terms,
        set: Decided,
    ) -> Result<BTreeMap<Symbol, u128>, Undecided> {
        if let Some(found) = self.found.get(&set) {
            return Ok(found.clone());
        }
        let conditions = self.sets[set.0 as usize].clone();
        if !conditions.is_empty() && self.ask(terms, &conditions) != Outcome::Sat {
            return Err(Undecided);
        }
        let symbols = terms.symbols_below(conditions.iter().copied());
        let value = |id| (terms.symbol_of(id).clone(), self.solver.value(terms, terms.symbol_term(id)));
        let found: BTreeMap<Symbol, u128> = symbols.into_iter().map(value).collect();
        self.found.insert(set, found.clone());
        Ok(found)
    }
}
