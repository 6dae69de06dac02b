//! Values of expressions when the symbols have values.

use super::fold;
use super::pool::{Node, Term, Terms};
use super::symbol::SymbolId;
use super::words::{cut, signed};
use rustc_hash::FxHashMap;

/// The values of expressions under one assignment; what was computed once is remembered.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    values: FxHashMap<Term, u128>,
}

impl Evaluation {
    /// Nothing is computed yet.
    pub fn new() -> Self {
        Evaluation::default()
    }

    /// The value of an expression. `value` gives the values of symbols, and must give the same ones in every call.
    pub fn of(&mut self, terms: &Terms, root: Term, mut value: impl FnMut(SymbolId) -> u128) -> u128 {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.values.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(terms.operands(term).filter(|operand| !self.values.contains_key(operand)));
            if open.len() > before {
                continue;
            }
            let result = self.node(terms, term, &mut value);
            self.values.insert(term, result);
            open.pop();
        }
        self.values[&root]
    }

    fn node(&self, terms: &Terms, term: Term, value: &mut impl FnMut(SymbolId) -> u128) -> u128 {
        let width = terms.width(term);
        let get = |operand: Term| self.values[&operand];
        match terms.node(term) {
            Node::Constant(value) => value,
            Node::Symbol(symbol) => cut(width, value(symbol)),
            Node::Binary(operation, left, right) => fold::binary(operation, width, get(left), get(right)),
            Node::Equal(left, right) => u128::from(get(left) == get(right)),
            Node::UnsignedLess(left, right) => u128::from(get(left) < get(right)),
            Node::SignedLess(left, right) => {
                let width = terms.width(left);
                u128::from(signed(width, get(left)) < signed(width, get(right)))
            }
            Node::Choose(condition, then, otherwise) => {
                get(if get(condition) == 1 { then } else { otherwise })
            }
            Node::Extract(of, low) => fold::extract(get(of), low, width),
            Node::Concat(high, low) => get(high) << terms.width(low) | get(low),
            Node::SignExtend(of) => fold::sign_extend(terms.width(of), width, get(of)),
        }
    }
}

impl Terms {
    /// The value of an expression; `value` gives the values of symbols.
    pub fn evaluate(&self, term: Term, value: impl FnMut(SymbolId) -> u128) -> u128 {
        Evaluation::new().of(self, term, value)
    }
}
