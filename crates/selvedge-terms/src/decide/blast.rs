//! Bit-vectors as gates.

use super::Literal;
use super::gates::{Clauses, Gates};
use crate::{Binary, Node, SymbolId, Term, Terms};
use rustc_hash::FxHashMap;

/// The bits of expressions that were made, the lowest first.
#[derive(Default)]
pub(super) struct Blaster {
    pub(super) gates: Gates,
    bits: FxHashMap<Term, Vec<Literal>>,
    divisions: FxHashMap<(Term, Term), (Vec<Literal>, Vec<Literal>)>,
}

impl Blaster {
    /// The bits of a symbol, if a formula speaks of it.
    pub(super) fn symbol(&self, terms: &Terms, symbol: SymbolId) -> Option<&[Literal]> {
        self.bits.get(&terms.symbol_term(symbol)).map(Vec::as_slice)
    }

    /// The bits of a symbol follow from what else holds.
    pub(super) fn follows(&mut self, to: &mut impl Clauses, terms: &Terms, symbol: Term) {
        self.bits.entry(symbol).or_insert_with(|| (0..terms.width(symbol)).map(|_| to.gate()).collect());
    }

    /// The bits of an expression.
    pub(super) fn bits(&mut self, to: &mut impl Clauses, terms: &Terms, root: Term) -> &[Literal] {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.bits.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(terms.operands(term).filter(|operand| !self.bits.contains_key(operand)));
            if open.len() > before {
                continue;
            }
            let bits = self.node(to, terms, term);
            debug_assert_eq!(bits.len(), terms.width(term) as usize);
            self.bits.insert(term, bits);
            open.pop();
        }
        &self.bits[&root]
    }

    fn node(&mut self, to: &mut impl Clauses, terms: &Terms, term: Term) -> Vec<Literal> {
        let width = terms.width(term) as usize;
        let get = |blaster: &Blaster, operand: Term| blaster.bits[&operand].clone();
        match terms.node(term) {
            Node::Constant(value) => {
                (0..width).map(|bit| self.gates.constant(to, value >> bit & 1 == 1)).collect()
            }
            Node::Symbol(_) => (0..width).map(|_| to.fresh()).collect(),
            Node::Binary(operation, left, right) => {
                let (a, b) = (get(self, left), get(self, right));
                self.binary(to, operation, (left, &a), (right, &b))
            }
            Node::Equal(left, right) => {
                let (a, b) = (get(self, left), get(self, right));
                vec![self.equal(to, &a, &b)]
            }
            Node::UnsignedLess(left, right) => {
                let (a, b) = (get(self, left), get(self, right));
                vec![self.less(to, &a, &b)]
            }
            Node::SignedLess(left, right) => {
                let (mut a, mut b) = (get(self, left), get(self, right));
                // With the sign bits turned the unsigned order is the signed one.
                let sign = a.len() - 1;
                (a[sign], b[sign]) = (!a[sign], !b[sign]);
                vec![self.less(to, &a, &b)]
            }
            Node::Choose(condition, then, otherwise) => {
                let condition = self.bits[&condition][0];
                let (a, b) = (get(self, then), get(self, otherwise));
                self.choose(to, condition, &a, &b)
            }
            Node::Extract(of, low) => self.bits[&of][low as usize..low as usize + width].to_vec(),
            Node::Concat(high, low) => {
                let mut bits = get(self, low);
                bits.extend_from_slice(&self.bits[&high]);
                bits
            }
            Node::SignExtend(of) => {
                let mut bits = get(self, of);
                let sign = bits[bits.len() - 1];
                bits.resize(width, sign);
                bits
            }
        }
    }

    fn binary(
        &mut self,
        to: &mut impl Clauses,
        operation: Binary,
        left: (Term, &[Literal]),
        right: (Term, &[Literal]),
    ) -> Vec<Literal> {
        let (a, b) = (left.1, right.1);
        let gates = &mut self.gates;
        match operation {
            Binary::And => a.iter().zip(b).map(|(&a, &b)| gates.and(to, a, b)).collect(),
            Binary::Or => a.iter().zip(b).map(|(&a, &b)| gates.or(to, a, b)).collect(),
            Binary::Xor => a.iter().zip(b).map(|(&a, &b)| gates.xor(to, a, b)).collect(),
            Binary::Add => {
                let none = gates.constant(to, false);
                self.add(to, a, b, none)
            }
            Binary::Sub => self.sub(to, a, b),
            Binary::Mul => self.mul(to, a, b),
            Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned => {
                self.shift(to, operation, a, b)
            }
            Binary::UnsignedDiv => self.divide(to, left, right).0,
            Binary::UnsignedRem => self.divide(to, left, right).1,
            Binary::SignedDiv | Binary::SignedRem => self.divide_signed(to, operation, a, b),
        }
    }

    fn choose(
        &mut self,
        to: &mut impl Clauses,
        condition: Literal,
        a: &[Literal],
        b: &[Literal],
    ) -> Vec<Literal> {
        a.iter().zip(b).map(|(&a, &b)| self.gates.choose(to, condition, a, b)).collect()
    }

    fn equal(&mut self, to: &mut impl Clauses, a: &[Literal], b: &[Literal]) -> Literal {
        let mut all = self.gates.yes(to);
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.gates.xor(to, a, b);
            all = self.gates.and(to, all, !differ);
        }
        all
    }

    /// Whether the first one is less, unsigned.
    fn less(&mut self, to: &mut impl Clauses, a: &[Literal], b: &[Literal]) -> Literal {
        let mut less = self.gates.constant(to, false);
        for (&a, &b) in a.iter().zip(b) {
            // The highest bit in which they differ decides.
            let differ = self.gates.xor(to, a, b);
            less = self.gates.choose(to, differ, b, less);
        }
        less
    }

    fn add(&mut self, to: &mut impl Clauses, a: &[Literal], b: &[Literal], carry: Literal) -> Vec<Literal> {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let (bit, next) = self.gates.add(to, a, b, carry);
            sum.push(bit);
            carry = next;
        }
        sum
    }

    fn sub(&mut self, to: &mut impl Clauses, a: &[Literal], b: &[Literal]) -> Vec<Literal> {
        let turned: Vec<Literal> = b.iter().map(|&bit| !bit).collect();
        let one = self.gates.yes(to);
        self.add(to, a, &turned, one)
    }

    fn mul(&mut self, to: &mut impl Clauses, a: &[Literal], b: &[Literal]) -> Vec<Literal> {
        let width = a.len();
        let none = self.gates.constant(to, false);
        let mut sum = vec![none; width];
        // Rows of zeros cost nothing: constants stand on the right.
        for (place, &bit) in b.iter().enumerate() {
            if bit == none {
                continue;
            }
            let row: Vec<Literal> = a[..width - place].iter().map(|&a| self.gates.and(to, a, bit)).collect();
            let upper = self.add(to, &sum[place..], &row, none);
            sum[place..].copy_from_slice(&upper);
        }
        sum
    }

    fn shift(
        &mut self,
        to: &mut impl Clauses,
        operation: Binary,
        a: &[Literal],
        by: &[Literal],
    ) -> Vec<Literal> {
        let width = a.len();
        let fill = match operation {
            Binary::ShiftRightSigned => a[width - 1],
            _ => self.gates.constant(to, false),
        };
        let mut bits = a.to_vec();
        let mut far = self.gates.constant(to, false);
        for (stage, &bit) in by.iter().enumerate() {
            let distance = 1_usize.checked_shl(stage as u32).filter(|&distance| distance < width);
            let Some(distance) = distance else {
                far = self.gates.or(to, far, bit);
                continue;
            };
            let moved: Vec<Literal> = (0..width)
                .map(|place| match operation {
                    Binary::ShiftLeft => place.checked_sub(distance).map_or(fill, |from| bits[from]),
                    _ => bits.get(place + distance).copied().unwrap_or(fill),
                })
                .collect();
            bits = self.choose(to, bit, &moved, &bits);
        }
        let filled = vec![fill; width];
        self.choose(to, far, &filled, &bits)
    }

    /// Quotient and remainder as a program would compute them on paper.
    fn divide(
        &mut self,
        to: &mut impl Clauses,
        left: (Term, &[Literal]),
        right: (Term, &[Literal]),
    ) -> (Vec<Literal>, Vec<Literal>) {
        if let Some(done) = self.divisions.get(&(left.0, right.0)) {
            return done.clone();
        }
        let done = self.long_division(to, left.1, right.1);
        self.divisions.insert((left.0, right.0), done.clone());
        done
    }

    /// By zero the quotient comes out as all ones and the remainder as the dividend, as it should.
    fn long_division(
        &mut self,
        to: &mut impl Clauses,
        a: &[Literal],
        b: &[Literal],
    ) -> (Vec<Literal>, Vec<Literal>) {
        let width = a.len();
        let none = self.gates.constant(to, false);
        let mut divisor = b.to_vec();
        divisor.push(none);
        let mut rest = vec![none; width + 1];
        let mut quotient = vec![none; width];
        for place in (0..width).rev() {
            rest.pop();
            rest.insert(0, a[place]);
            let small = self.less(to, &rest, &divisor);
            let less = self.sub(to, &rest, &divisor);
            rest = self.choose(to, small, &rest, &less);
            quotient[place] = !small;
        }
        rest.pop();
        (quotient, rest)
    }

    fn divide_signed(
        &mut self,
        to: &mut impl Clauses,
        operation: Binary,
        a: &[Literal],
        b: &[Literal],
    ) -> Vec<Literal> {
        let (negative, other) = (a[a.len() - 1], b[b.len() - 1]);
        let (size, divisor) = (self.turned(to, negative, a), self.turned(to, other, b));
        let (quotient, rest) = self.long_division(to, &size, &divisor);
        if operation == Binary::SignedRem {
            return self.turned(to, negative, &rest);
        }
        let turn = self.gates.xor(to, negative, other);
        self.turned(to, turn, &quotient)
    }

    /// The number with the other sign, under a condition.
    fn turned(&mut self, to: &mut impl Clauses, condition: Literal, of: &[Literal]) -> Vec<Literal> {
        let none = self.gates.constant(to, false);
        let turned: Vec<Literal> = of.iter().map(|&bit| self.gates.xor(to, bit, condition)).collect();
        let zeros = vec![none; of.len()];
        self.add(to, &turned, &zeros, condition)
    }
}
