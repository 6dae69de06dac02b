//! Where expressions are kept.

use super::symbol::{Symbol, SymbolId};
use super::words::cut;
use rustc_hash::FxHashMap;

/// An expression of a pool. Operands have smaller numbers than what is made of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(pub(crate) u32);

impl Term {
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Its number in the pool.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The expression that has this number in the pool.
    pub fn from_number(number: u32) -> Self {
        Term(number)
    }
}

/// An operation on two values of one width, with a result of that width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    UnsignedDiv,
    SignedDiv,
    UnsignedRem,
    SignedRem,
    ShiftLeft,
    /// Shifts zeros in.
    ShiftRight,
    /// Shifts copies of the sign in.
    ShiftRightSigned,
    And,
    Or,
    Xor,
}

impl Binary {
    /// Whether operands may change places.
    pub fn commutes(self) -> bool {
        matches!(self, Binary::Add | Binary::Mul | Binary::And | Binary::Or | Binary::Xor)
    }
}

/// What an expression consists of. Everything else is made of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A known value.
    Constant(u128),
    /// A symbol.
    Symbol(SymbolId),
    /// Arithmetic and logic.
    Binary(Binary, Term, Term),
    /// Whether two values are equal; one bit.
    Equal(Term, Term),
    /// Whether the first value is less, unsigned; one bit.
    UnsignedLess(Term, Term),
    /// Whether the first value is less, signed; one bit.
    SignedLess(Term, Term),
    /// The second one if the first one holds, otherwise the third one.
    Choose(Term, Term, Term),
    /// Some bits of a value, from this one on; the width says how many.
    Extract(Term, u32),
    /// High bits, low bits.
    Concat(Term, Term),
    /// A value made wider by copies of its sign.
    SignExtend(Term),
}

/// A pool of expressions: it only grows, and equal expressions are stored once.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    widths: Vec<u8>,
    known: FxHashMap<(Node, u8), Term>,
    symbols: Vec<(Symbol, Term)>,
    named: FxHashMap<(Symbol, u32), SymbolId>,
}

impl Terms {
    /// No expressions.
    pub fn new() -> Self {
        Terms::default()
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What an expression consists of.
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// How many bits an expression has.
    pub fn width(&self, term: Term) -> u32 {
        u32::from(self.widths[term.index()])
    }

    /// The value of an expression that is a constant.
    pub fn known(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The operands of an expression.
    pub fn operands(&self, term: Term) -> impl Iterator<Item = Term> + use<> {
        let operands = match self.node(term) {
            Node::Constant(_) | Node::Symbol(_) => [None; 3],
            Node::Extract(of, _) | Node::SignExtend(of) => [Some(of), None, None],
            Node::Binary(_, first, second)
            | Node::Equal(first, second)
            | Node::UnsignedLess(first, second)
            | Node::SignedLess(first, second)
            | Node::Concat(first, second) => [Some(first), Some(second), None],
            Node::Choose(condition, then, otherwise) => [Some(condition), Some(then), Some(otherwise)],
        };
        operands.into_iter().flatten()
    }

    /// A known value; bits above the width are cut off.
    pub fn constant(&mut self, width: u32, value: u128) -> Term {
        self.intern(Node::Constant(cut(width, value)), width)
    }

    /// A truth value.
    pub fn truth(&mut self, holds: bool) -> Term {
        self.constant(1, u128::from(holds))
    }

    /// A symbol. The same name with another width is another symbol: threads that decide differently may ask for
    /// values of different widths under one name, never on one path.
    pub fn symbol(&mut self, symbol: &Symbol, width: u32) -> Term {
        let key = (symbol.clone(), width);
        if let Some(id) = self.named.get(&key) {
            return self.symbols[id.index()].1;
        }
        let id = SymbolId(u32::try_from(self.symbols.len()).expect("fewer than 2^32 symbols"));
        let term = self.intern(Node::Symbol(id), width);
        self.symbols.push((symbol.clone(), term));
        self.named.insert(key, id);
        term
    }

    /// The symbol with a number.
    pub fn symbol_of(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()].0
    }

    /// The expression that is only this symbol.
    pub fn symbol_term(&self, id: SymbolId) -> Term {
        self.symbols[id.index()].1
    }

    /// The symbol that an expression is.
    pub fn as_symbol(&self, term: Term) -> Option<SymbolId> {
        match self.node(term) {
            Node::Symbol(id) => Some(id),
            _ => None,
        }
    }

    /// All symbols of the pool.
    pub fn all_symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol, Term)> {
        (0_u32..).zip(&self.symbols).map(|(number, (symbol, term))| (SymbolId(number), symbol, *term))
    }

    /// Every expression below some expressions and themselves, operands first, each once.
    pub fn below(&self, roots: impl IntoIterator<Item = Term>) -> Vec<Term> {
        let mut open: Vec<Term> = roots.into_iter().collect();
        let mut seen: rustc_hash::FxHashSet<Term> = open.iter().copied().collect();
        while let Some(term) = open.pop() {
            open.extend(self.operands(term).filter(|&operand| seen.insert(operand)));
        }
        let mut all: Vec<Term> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// The symbols that some expressions are about, each once.
    pub fn symbols_below(&self, roots: impl IntoIterator<Item = Term>) -> Vec<SymbolId> {
        self.below(roots).into_iter().filter_map(|term| self.as_symbol(term)).collect()
    }

    /// The expression with this node.
    pub(super) fn intern(&mut self, node: Node, width: u32) -> Term {
        assert!((1..=128).contains(&width), "values have 1 to 128 bits, not {width}");
        let narrow = width as u8;
        if let Some(&term) = self.known.get(&(node, narrow)) {
            return term;
        }
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 expressions"));
        self.nodes.push(node);
        self.widths.push(narrow);
        self.known.insert((node, narrow), term);
        term
    }
}
