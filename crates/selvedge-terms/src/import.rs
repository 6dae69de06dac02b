//! Expressions rebuilt: with other symbols, in another pool.

use super::pool::{Node, Term, Terms};
use super::symbol::SymbolId;
use rustc_hash::FxHashMap;

/// Rebuilds expressions of one pool in another one; what was rebuilt once is remembered.
#[derive(Clone, Debug, Default)]
pub struct Import {
    done: FxHashMap<Term, Term>,
}

impl Import {
    /// Nothing is rebuilt yet.
    pub fn new() -> Self {
        Import::default()
    }

    /// An expression that stands for one of the other pool, whatever that is made of.
    pub fn stands_for(&mut self, other: Term, term: Term) {
        self.done.insert(other, term);
    }

    /// The expression `root` of `from` as an expression of `into`. `symbol` says what stands for a symbol there, in
    /// the symbol's width; it is asked once for each symbol.
    pub fn term(
        &mut self,
        from: &Terms,
        root: Term,
        into: &mut Terms,
        mut symbol: impl FnMut(&mut Terms, SymbolId) -> Term,
    ) -> Term {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.done.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(from.operands(term).filter(|operand| !self.done.contains_key(operand)));
            if open.len() > before {
                continue;
            }
            let made = self.rebuild(from, term, into, &mut symbol);
            self.done.insert(term, made);
            open.pop();
        }
        self.done[&root]
    }

    fn rebuild(
        &self,
        from: &Terms,
        term: Term,
        into: &mut Terms,
        symbol: &mut impl FnMut(&mut Terms, SymbolId) -> Term,
    ) -> Term {
        let width = from.width(term);
        let get = |operand: Term| self.done[&operand];
        match from.node(term) {
            Node::Constant(value) => into.constant(width, value),
            Node::Symbol(id) => {
                let made = symbol(into, id);
                assert_eq!(into.width(made), width, "what stands for a symbol has its width");
                made
            }
            Node::Binary(operation, left, right) => into.binary(operation, get(left), get(right)),
            Node::Equal(left, right) => into.equal(get(left), get(right)),
            Node::UnsignedLess(left, right) => into.unsigned_less(get(left), get(right)),
            Node::SignedLess(left, right) => into.signed_less(get(left), get(right)),
            Node::Choose(condition, then, otherwise) => {
                into.choose(get(condition), get(then), get(otherwise))
            }
            Node::Extract(of, low) => into.extract(get(of), low, width),
            Node::Concat(high, low) => into.concat(get(high), get(low)),
            Node::SignExtend(of) => into.sign_extend(get(of), width),
        }
    }
}

impl Terms {
    /// The expression with other expressions in the places of symbols. `symbol` gives what stands for a symbol, in
    /// the symbol's width, or nothing if it stays.
    pub fn substitute(&mut self, term: Term, mut symbol: impl FnMut(SymbolId) -> Option<Term>) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for old in self.below([term]) {
            let width = self.width(old);
            let made = match self.node(old) {
                Node::Constant(_) => old,
                Node::Symbol(id) => symbol(id).unwrap_or(old),
                Node::Binary(operation, left, right) => self.binary(operation, done[&left], done[&right]),
                Node::Equal(left, right) => self.equal(done[&left], done[&right]),
                Node::UnsignedLess(left, right) => self.unsigned_less(done[&left], done[&right]),
                Node::SignedLess(left, right) => self.signed_less(done[&left], done[&right]),
                Node::Choose(condition, then, otherwise) => {
                    self.choose(done[&condition], done[&then], done[&otherwise])
                }
                Node::Extract(of, low) => self.extract(done[&of], low, width),
                Node::Concat(high, low) => self.concat(done[&high], done[&low]),
                Node::SignExtend(of) => self.sign_extend(done[&of], width),
            };
            debug_assert_eq!(self.width(made), width);
            done.insert(old, made);
        }
        done[&term]
    }
}
