//! Expressions for people.

use super::pool::{Binary, Node, Term, Terms};
use super::words::signed;
use std::fmt;

/// An expression that can be printed.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'t> {
    terms: &'t Terms,
    term: Term,
}

/// How deep an expression is shown; below there are dots, since shared parts would be printed again and again.
const DEPTH: u32 = 24;

impl Terms {
    /// The expression as text.
    pub fn show(&self, term: Term) -> Shown<'_> {
        Shown { terms: self, term }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, self.term, DEPTH)
    }
}

impl Shown<'_> {
    fn write(&self, f: &mut fmt::Formatter<'_>, term: Term, depth: u32) -> fmt::Result {
        if depth == 0 {
            return f.write_str("…");
        }
        let terms = self.terms;
        let width = terms.width(term);
        let mut infix = |left: Term, sign: &str, right: Term| {
            f.write_str("(")?;
            self.write(f, left, depth - 1)?;
            write!(f, " {sign} ")?;
            self.write(f, right, depth - 1)?;
            f.write_str(")")
        };
        match terms.node(term) {
            Node::Constant(value) if width == 1 => f.write_str(if value == 1 { "true" } else { "false" }),
            Node::Constant(value) if width <= 64 => write!(f, "{}", signed(width, value)),
            Node::Constant(value) => write!(f, "{value:#x}"),
            Node::Symbol(symbol) => write!(f, "{}", terms.symbol_of(symbol)),
            Node::Binary(Binary::Xor, of, mask) if width == 1 && terms.known(mask) == Some(1) => {
                f.write_str("!")?;
                self.write(f, of, depth - 1)
            }
            Node::Binary(operation, left, right) => infix(left, sign(operation), right),
            Node::Equal(left, right) => infix(left, "==", right),
            Node::UnsignedLess(left, right) => infix(left, "<u", right),
            Node::SignedLess(left, right) => infix(left, "<s", right),
            Node::Choose(condition, then, otherwise) => {
                f.write_str("(")?;
                self.write(f, condition, depth - 1)?;
                f.write_str(" ? ")?;
                self.write(f, then, depth - 1)?;
                f.write_str(" : ")?;
                self.write(f, otherwise, depth - 1)?;
                f.write_str(")")
            }
            Node::Extract(of, low) => {
                self.write(f, of, depth - 1)?;
                write!(f, "[{}..{}]", low, low + width)
            }
            Node::Concat(high, low) if terms.known(high) == Some(0) => {
                self.write(f, low, depth - 1)?;
                write!(f, ".u{width}")
            }
            Node::Concat(high, low) => infix(high, "::", low),
            Node::SignExtend(of) => {
                self.write(f, of, depth - 1)?;
                write!(f, ".s{width}")
            }
        }
    }
}

fn sign(operation: Binary) -> &'static str {
    match operation {
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Mul => "*",
        Binary::UnsignedDiv => "/u",
        Binary::SignedDiv => "/s",
        Binary::UnsignedRem => "%u",
        Binary::SignedRem => "%s",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>u",
        Binary::ShiftRightSigned => ">>s",
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
    }
}
