//! Expressions as parts of a state: two states of which one holds a number and the other an expression that happens to
//! have its value are not the same.

use super::Concolic;
use crate::machine::Machine;
use crate::parts::{PartKind, Parts};
use crate::words::Words;
use selvedge_terms::{Node, Term, Terms};
use selvedge_trace::mutants::{Mutant, mutant};
use std::hash::{Hash, Hasher};

/// Fingerprints of expressions: the same for the same expression in whatever pool, and in whatever order it was made.
/// Pools only grow, and so does this.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fingerprints {
    /// The fingerprint, and how many operations lie one in the other at most.
    known: Vec<(u128, u32)>,
}

impl Fingerprints {
    /// The fingerprint of an expression.
    pub fn of(&mut self, terms: &Terms, term: Term) -> u128 {
        for index in self.known.len()..=term.index() {
            let term = Term::from_number(index as u32);
            let mut words = Words::new(0x7e21);
            terms.width(term).hash(&mut words);
            match terms.node(term) {
                Node::Constant(value) => (1_u8, value).hash(&mut words),
                Node::Symbol(id) => (2_u8, terms.symbol_of(id)).hash(&mut words),
                Node::Binary(how, ..) => (3_u8, how).hash(&mut words),
                Node::Equal(..) => 4_u8.hash(&mut words),
                Node::UnsignedLess(..) => 5_u8.hash(&mut words),
                Node::SignedLess(..) => 6_u8.hash(&mut words),
                Node::Choose(..) => 7_u8.hash(&mut words),
                Node::Extract(_, low) => (8_u8, low).hash(&mut words),
                Node::Concat(..) => 9_u8.hash(&mut words),
                Node::SignExtend(_) => 10_u8.hash(&mut words),
            }
            let mut depth = 0;
            for operand in terms.operands(term) {
                let (fingerprint, below) = self.known[operand.index()];
                fingerprint.hash(&mut words);
                depth = depth.max(below + 1);
            }
            self.known.push((words.digest(), depth));
        }
        self.known[term.index()].0
    }

    /// How many operations lie one in the other at most.
    pub fn depth(&mut self, terms: &Terms, term: Term) -> u32 {
        self.of(terms, term);
        self.known[term.index()].1
    }
}

/// Where an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TermPlace {
    /// A slot of a frame of a thread.
    Slot { thread: usize, frame: usize, slot: u32 },
    /// A byte of memory.
    Byte(u64),
    /// What a function was told whose result is in this slot.
    Told { thread: usize, frame: usize, slot: u32, memory: bool },
}

/// Operations that lie one in the other, at most: an expression that grows with every round of a loop would make each of
/// its states another one.
const MOST_DEPTH: u32 = 60;

impl Concolic {
    /// Whether an expression is to be a number from now on, in a search in which inputs are choices.
    pub(super) fn is_too_deep(&mut self, term: Term) -> bool {
        self.predicates.is_some() && self.fingerprints.depth(&self.terms, term) > MOST_DEPTH
    }

    /// Tells the search what was decided, if it wants to know.
    pub(super) fn tell(&mut self, condition: Term) -> bool {
        let Some(predicates) = self.predicates.clone() else { return false };
        let fingerprint = self.fingerprints.of(&self.terms, condition);
        predicates.tell(&self.terms, condition, fingerprint);
        true
    }
}

impl Machine {
    /// The expressions that the rest of the execution may depend on, and where they are.
    pub(crate) fn places_of_terms(&mut self) -> Vec<(TermPlace, Term)> {
        let mut places = Vec::new();
        let Some(concolic) = &self.concolic else { return places };
        for (thread, this) in self.threads.iter().enumerate() {
            for (depth, frame) in this.frames.iter().enumerate() {
                let Some(terms) = &frame.terms else { continue };
                let live = match depth + 1 == this.frames.len() {
                    true => self.live_slots.before(&self.program, frame.function, frame.pc),
                    false => self.live_slots.across(&self.program, frame.function, frame.pc),
                };
                for slot in live.iter() {
                    if let Some(&term) = terms.get(&slot) {
                        places.push((TermPlace::Slot { thread, frame: depth, slot }, term));
                    }
                }
            }
        }
        for lazy in &concolic.lazy {
            let place = TermPlace::Told {
                thread: lazy.thread,
                frame: lazy.frame,
                slot: lazy.slot,
                memory: lazy.memory,
            };
            places.extend(lazy.on.iter().map(|&(term, _)| (place, term)));
        }
        self.memory.each_term(&mut |address, term| places.push((TermPlace::Byte(address), term)));
        places
    }

    /// Adds the expressions to the parts of a state, where they are choices of a search.
    pub(crate) fn term_parts(&mut self, parts: &mut Parts<'_>) {
        if mutant(Mutant::ExpressionsUnhashed) {
            return;
        }
        if !self.concolic.as_ref().is_some_and(|concolic| concolic.active && concolic.predicates.is_some()) {
            return;
        }
        let places = self.places_of_terms();
        let Some(concolic) = &mut self.concolic else { return };
        for (place, term) in places {
            let mut words = Words::new(0x7e3a);
            match place {
                TermPlace::Slot { thread, frame, slot } => {
                    (1_u8, self.threads[thread].arena, frame, slot).hash(&mut words);
                }
                TermPlace::Byte(address) => (2_u8, address).hash(&mut words),
                TermPlace::Told { thread, frame, slot, memory } => {
                    (3_u8, self.threads[thread].arena, frame, slot, memory).hash(&mut words);
                }
            }
            words.write_u128(concolic.fingerprints.of(&concolic.terms, term));
            parts.add(PartKind::Term, &words);
        }
    }
}
