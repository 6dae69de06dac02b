//! Which values stand for all others.
//!
//! Two values with which every decision that was seen turns out the same lead to the same executions. So the values of an
//! input are enough if there is no value with which the decisions turn out otherwise than with each of them; and where a
//! decision depends on several inputs at once, the same has to hold of the combinations of their values.

use crate::Progress;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_machine::Known;
use selvedge_terms::decide::{self, Literal, Native, Outcome, Solver};
use selvedge_terms::{Evaluation, Symbol, SymbolId, Term, Terms};
use selvedge_trace::InputName;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The values that are tried of each input.
pub type Domains = BTreeMap<InputName, Vec<u64>>;

/// Values of one input, at most.
const MOST_VALUES: usize = 300;
/// Combinations of values of inputs on which decisions depend together, at most.
const MOST_COMBINATIONS: usize = 4_000;
/// Values that are added to one input at once, at most: what they lead to is seen before others are asked for.
const AT_ONCE: usize = 16;
/// How long the solver may think about one question.
const PATIENCE: Duration = Duration::from_secs(5);
/// Small values are asked for first.
const SMALL: [u128; 3] = [8, 64, 1024];

/// What is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The values stand for all.
    Nothing,
    /// Values were added.
    Some,
    /// A decision depends on several inputs at once, which have names that are used again.
    Joint,
    /// There are more values than are tried: which were.
    TooMany(String),
    /// The solver does not say.
    Undecided,
}

/// Inputs on which decisions depend together, and these decisions.
struct Group {
    symbols: Vec<SymbolId>,
    predicates: Vec<Term>,
}

/// Adds values where those that there are do not stand for all.
pub fn missing(known: &Known, domains: &mut Domains, by_site: bool, progress: &Progress) -> Missing {
    let mut terms = known.terms.clone();
    let groups = groups(&terms, &known.predicates);
    if by_site && groups.iter().any(|group| group.symbols.len() > 1) {
        return Missing::Joint;
    }
    let mut result = Missing::Nothing;
    for group in groups {
        match group.complete(&mut terms, domains, progress) {
            Missing::Nothing => {}
            Missing::Some => result = Missing::Some,
            other => return other,
        }
    }
    result
}

/// Predicates by the symbols that they are about, where these are connected.
fn groups(terms: &Terms, predicates: &[Term]) -> Vec<Group> {
    let mut group_of: FxHashMap<SymbolId, usize> = FxHashMap::default();
    let mut groups: Vec<Option<Group>> = Vec::new();
    for &predicate in predicates {
        let mut merged = Group { symbols: terms.symbols_below([predicate]), predicates: vec![predicate] };
        let known: FxHashSet<usize> =
            merged.symbols.iter().filter_map(|symbol| group_of.get(symbol).copied()).collect();
        for group in known.into_iter().filter_map(|index| groups[index].take()) {
            merged.symbols.extend(group.symbols);
            merged.predicates.extend(group.predicates);
        }
        merged.symbols.sort_unstable();
        merged.symbols.dedup();
        for &symbol in &merged.symbols {
            group_of.insert(symbol, groups.len());
        }
        groups.push(Some(merged));
    }
    groups.into_iter().flatten().collect()
}

fn name_of(terms: &Terms, symbol: SymbolId) -> Option<InputName> {
    match terms.symbol_of(symbol) {
        Symbol::Input { thread, occurrence } => {
            Some(InputName { thread: thread.clone(), occurrence: *occurrence })
        }
        _ => None,
    }
}

impl Group {
    /// The values that are tried of a symbol of the group.
    fn values<'d>(terms: &Terms, domains: &'d mut Domains, symbol: SymbolId) -> Option<&'d mut Vec<u64>> {
        Some(domains.entry(name_of(terms, symbol)?).or_insert_with(|| vec![0]))
    }

    /// All combinations of values; nothing if there are too many.
    fn combinations(&self, terms: &Terms, domains: &mut Domains) -> Option<Vec<Vec<u64>>> {
        let mut all: Vec<Vec<u64>> = vec![Vec::new()];
        for &symbol in &self.symbols {
            let values = Self::values(terms, domains, symbol)?.clone();
            if all.len() * values.len() > MOST_COMBINATIONS {
                return None;
            }
            all = all
                .iter()
                .flat_map(|known| values.iter().map(move |&value| [&known[..], &[value]].concat()))
                .collect();
        }
        Some(all)
    }

    /// How the decisions turn out with these values.
    fn signs(&self, terms: &Terms, values: &[u64]) -> Vec<bool> {
        let mut evaluation = Evaluation::new();
        let value = |symbol: SymbolId| {
            self.symbols.iter().position(|&own| own == symbol).map_or(0, |at| u128::from(values[at]))
        };
        self.predicates.iter().map(|&predicate| evaluation.of(terms, predicate, value) == 1).collect()
    }

    fn complete(&self, terms: &mut Terms, domains: &mut Domains, progress: &Progress) -> Missing {
        let Some(combinations) = self.combinations(terms, domains) else {
            return self.too_many(terms, domains);
        };
        let until = Instant::now() + PATIENCE;
        let budget = decide::Budget {
            time: Some(PATIENCE),
            conflicts: None,
            until: Some(until),
            ..decide::Budget::default()
        };
        let mut solver = Native::new(budget);
        let literals: Vec<Literal> =
            self.predicates.iter().map(|&predicate| solver.term(terms, predicate)).collect();
        let mut small: Vec<Vec<Literal>> = Vec::new();
        for bound in SMALL {
            let mut below = Vec::new();
            for &symbol in &self.symbols {
                let term = terms.symbol_term(symbol);
                let width = terms.width(term);
                if width < 128 && bound >> width == 0 {
                    let bound = terms.constant(width, bound);
                    let less = terms.unsigned_less(term, bound);
                    below.push(solver.term(terms, less));
                }
            }
            small.push(below);
        }
        small.push(Vec::new());
        let otherwise = |solver: &mut Native, signs: &[bool]| {
            let clause: Vec<Literal> = literals
                .iter()
                .zip(signs)
                .map(|(&literal, &holds)| if holds { !literal } else { literal })
                .collect();
            solver.clause(&clause);
        };
        let mut seen: FxHashSet<Vec<bool>> = FxHashSet::default();
        for values in combinations {
            let signs = self.signs(terms, &values);
            if seen.insert(signs.clone()) {
                otherwise(&mut solver, &signs);
            }
        }
        let mut result = Missing::Nothing;
        for _ in 0..AT_ONCE {
            let mut found = false;
            for bound in &small {
                match solver.check(bound) {
                    Outcome::Sat => {
                        found = true;
                        break;
                    }
                    Outcome::Unsat => {}
                    Outcome::Unknown => return Missing::Undecided,
                }
            }
            if progress.over().is_some() {
                return Missing::Undecided;
            }
            if !found {
                return result;
            }
            let values: Vec<u64> = self
                .symbols
                .iter()
                .map(|&symbol| solver.value(terms, terms.symbol_term(symbol)) as u64)
                .collect();
            for (&symbol, &value) in self.symbols.iter().zip(&values) {
                let Some(known) = Self::values(terms, domains, symbol) else { return Missing::Undecided };
                if !known.contains(&value) {
                    if known.len() >= MOST_VALUES {
                        return self.too_many(terms, domains);
                    }
                    known.push(value);
                }
            }
            result = Missing::Some;
            otherwise(&mut solver, &self.signs(terms, &values));
        }
        result
    }

    fn too_many(&self, terms: &Terms, domains: &mut Domains) -> Missing {
        let mut tried = Vec::new();
        for &symbol in &self.symbols {
            let Some(values) = Self::values(terms, domains, symbol) else { return Missing::Undecided };
            let signed =
                |&value: &u64| selvedge_terms::signed(terms.width(terms.symbol_term(symbol)), value.into());
            let least = values.iter().map(signed).min().unwrap_or(0);
            let most = values.iter().map(signed).max().unwrap_or(0);
            tried.push(format!("{} values from {least} to {most}", values.len()));
        }
        Missing::TooMany(tried.join(", "))
    }
}
