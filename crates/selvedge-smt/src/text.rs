//! Formulas as SMT-LIB text.

use selvedge_terms::{Binary, Node, Term, Terms};
use std::fmt::Write;

/// Defines an expression whose operands are defined.
pub(super) fn define(text: &mut String, terms: &Terms, term: Term) {
    let width = terms.width(term);
    let name = |term: Term| format!("t{}", term.index());
    let sort = format!("(_ BitVec {width})");
    let value = match terms.node(term) {
        Node::Symbol(_) => {
            let _ = writeln!(text, "(declare-const {} {sort})", name(term));
            return;
        }
        Node::Constant(value) => format!("(_ bv{value} {width})"),
        Node::Binary(operation, left, right) => {
            format!("({} {} {})", function(operation), name(left), name(right))
        }
        Node::Equal(left, right) => bit(&format!("(= {} {})", name(left), name(right))),
        Node::UnsignedLess(left, right) => bit(&format!("(bvult {} {})", name(left), name(right))),
        Node::SignedLess(left, right) => bit(&format!("(bvslt {} {})", name(left), name(right))),
        Node::Choose(condition, then, otherwise) => {
            format!("(ite (= {} #b1) {} {})", name(condition), name(then), name(otherwise))
        }
        Node::Extract(of, low) => format!("((_ extract {} {low}) {})", low + width - 1, name(of)),
        Node::Concat(high, low) => format!("(concat {} {})", name(high), name(low)),
        Node::SignExtend(of) => format!("((_ sign_extend {}) {})", width - terms.width(of), name(of)),
    };
    let _ = writeln!(text, "(define-fun {} () {sort} {value})", name(term));
}

fn bit(condition: &str) -> String {
    format!("(ite {condition} #b1 #b0)")
}

fn function(operation: Binary) -> &'static str {
    match operation {
        Binary::Add => "bvadd",
        Binary::Sub => "bvsub",
        Binary::Mul => "bvmul",
        Binary::UnsignedDiv => "bvudiv",
        Binary::SignedDiv => "bvsdiv",
        Binary::UnsignedRem => "bvurem",
        Binary::SignedRem => "bvsrem",
        Binary::ShiftLeft => "bvshl",
        Binary::ShiftRight => "bvlshr",
        Binary::ShiftRightSigned => "bvashr",
        Binary::And => "bvand",
        Binary::Or => "bvor",
        Binary::Xor => "bvxor",
    }
}
