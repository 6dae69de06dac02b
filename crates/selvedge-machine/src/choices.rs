//! Inputs as choices: which values the scheduler may give to a thread that asks, and what is decided by them.
//!
//! Of an input of one bit both values are tried, and it is a value like any other. Of any other input some values are
//! tried, each of which stands for others: beside it the machine keeps the expression that it is (`concolic`), and every
//! decision that depends on it is noted as a predicate. Whether the values stand for all others is the caller's question
//! (`portfolio/inputs` of the explorer).

use crate::machine::Machine;
use crate::native::Context;
use crate::thread::Status;
use crate::traits::Trait;
use rustc_hash::FxHashSet;
use selvedge_program::code::Leaf;
use selvedge_terms::{Import, Symbol, Term, Terms};
use selvedge_trace::{EventKind, InputName};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Symbols that are named by where they are asked for have numbers from here on.
const SITES: u32 = 1 << 31;

/// The values that inputs are given.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The values of each input of more than one bit. What is not there is 0.
    pub domains: Arc<BTreeMap<InputName, Vec<u64>>>,
    /// An input is named by where in the program it is asked for, as long as nothing depends on two inputs at once: then a
    /// loop that asks again and again comes back to a state. Without it it is named by its number.
    pub by_site: bool,
    /// What was decided by them.
    pub predicates: Arc<Predicates>,
}

/// What was decided by inputs, in all executions of a search.
#[derive(Debug, Default)]
pub struct Predicates {
    known: Mutex<Known>,
}

/// What is known of such decisions.
#[derive(Debug, Default)]
pub struct Known {
    pub terms: Terms,
    /// Expressions of one bit, each once.
    pub predicates: Vec<Term>,
    /// What the expressions cannot say: then they do not say everything.
    pub beyond: Option<String>,
    /// An input of more than one bit was asked for: a value may be an expression.
    pub wide: bool,
    seen: FxHashSet<u128>,
}

impl Predicates {
    /// What is known so far.
    pub fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something was decided.
    pub(crate) fn tell(&self, terms: &Terms, condition: Term, fingerprint: u128) {
        let mut known = self.known();
        if !known.seen.insert(fingerprint) {
            return;
        }
        let Known { terms: into, predicates, .. } = &mut *known;
        let condition = Import::new().term(terms, condition, into, |into, id| {
            into.symbol(terms.symbol_of(id), terms.width(terms.symbol_term(id)))
        });
        predicates.push(condition);
    }
}

impl Machine {
    /// Whether the next input of a thread is chosen.
    pub(crate) fn chooses_input(&self, thread: usize) -> bool {
        let Some(_) = &self.config.choices else { return false };
        let thread = &self.threads[thread];
        let name = InputName { thread: thread.name.clone(), occurrence: thread.inputs };
        !self.world.pinned.contains_key(&name) && !self.world.inputs.values.contains_key(&name)
    }

    /// Whether a thread stands before an input that is to be chosen.
    pub(crate) fn is_choosing(&self, thread: usize) -> bool {
        matches!(self.threads[thread].status, Status::Ready(operation) if operation.kind == EventKind::Choose)
    }

    /// How many values the input has before which a thread stands.
    pub(crate) fn input_alternatives(&mut self, thread: usize) -> u32 {
        let width = self.with_context(thread, 0, |context| context.input_width()).flatten();
        width.map_or(1, |width| self.input_choices(thread, width).1.len() as u32)
    }

    /// The name of the symbol for the next input of a thread, and the values between which is chosen.
    pub(crate) fn input_choices(&mut self, thread: usize, width: u32) -> (InputName, Vec<u64>) {
        let own = &self.threads[thread];
        let mut name = InputName { thread: own.name.clone(), occurrence: own.inputs };
        if width <= 1 {
            return (name, vec![0, 1]);
        }
        let Some(choices) = self.config.choices.clone() else { return (name, vec![0]) };
        if choices.by_site {
            let frame = own.frame();
            let (function, pc) = (frame.function, frame.pc);
            let used = self.live_symbols();
            let mut number = site(function, pc, width);
            loop {
                name.occurrence = SITES | number;
                let symbol = Symbol::Input { thread: name.thread.clone(), occurrence: name.occurrence };
                if !used.contains(&symbol) {
                    break;
                }
                number = number.wrapping_add(1);
            }
        }
        let values = choices.domains.get(&name).cloned().unwrap_or_else(|| vec![0]);
        (name, values)
    }

    /// The symbols that something depends on now.
    fn live_symbols(&mut self) -> FxHashSet<Symbol> {
        let places = self.places_of_terms();
        let Some(concolic) = &self.concolic else { return FxHashSet::default() };
        let terms = places.into_iter().map(|(_, term)| term);
        let symbols = concolic.terms.symbols_below(terms);
        symbols.into_iter().map(|id| concolic.terms.symbol_of(id).clone()).collect()
    }
}

/// A number for a place in the program. Two places may share one: symbols that are in use are told apart.
fn site(function: u32, pc: u32, width: u32) -> u32 {
    let word = u64::from(function) << 32 | u64::from(pc) << 7 | u64::from(width);
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as u32
}

impl Context<'_> {
    /// The bits of the input that is asked for, if it is one.
    pub(crate) fn input_width(&mut self) -> Option<u32> {
        let asks = self.machine.native_at(self.thread)?.traits.has(Trait::AsksForInput);
        match self.call.result.first().copied() {
            _ if !asks => None,
            Some(Leaf::Int(width)) => Some(width),
            Some(Leaf::Ptr) => Some(64),
            Some(leaf) => Some(8 * leaf.bytes()),
            None => None,
        }
    }
}
