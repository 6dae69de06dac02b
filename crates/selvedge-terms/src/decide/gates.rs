//! Gates as clauses: each is made once.

use super::Literal;
use rustc_hash::FxHashMap;

/// Where clauses go.
pub(super) trait Clauses {
    /// A new variable.
    fn fresh(&mut self) -> Literal;
    /// A new variable whose value follows from others.
    fn gate(&mut self) -> Literal;
    /// One of these holds.
    fn clause(&mut self, literals: &[Literal]);
}

/// Gates that were made.
#[derive(Default)]
pub(super) struct Gates {
    yes: Option<Literal>,
    ands: FxHashMap<(Literal, Literal), Literal>,
    xors: FxHashMap<(Literal, Literal), Literal>,
    choices: FxHashMap<(Literal, Literal, Literal), Literal>,
}

impl Gates {
    /// What always holds.
    pub(super) fn yes(&mut self, to: &mut impl Clauses) -> Literal {
        if let Some(yes) = self.yes {
            return yes;
        }
        let yes = to.fresh();
        to.clause(&[yes]);
        self.yes = Some(yes);
        yes
    }

    pub(super) fn constant(&mut self, to: &mut impl Clauses, value: bool) -> Literal {
        let yes = self.yes(to);
        if value { yes } else { !yes }
    }

    fn known(&self, literal: Literal) -> Option<bool> {
        let yes = self.yes?;
        match literal {
            _ if literal == yes => Some(true),
            _ if literal == !yes => Some(false),
            _ => None,
        }
    }

    pub(super) fn and(&mut self, to: &mut impl Clauses, a: Literal, b: Literal) -> Literal {
        match (self.known(a), self.known(b)) {
            (Some(false), _) | (_, Some(true)) => return a,
            (_, Some(false)) | (Some(true), _) => return b,
            _ if a == b => return a,
            _ if a == !b => return self.constant(to, false),
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&made) = self.ands.get(&key) {
            return made;
        }
        let made = to.gate();
        to.clause(&[!made, a]);
        to.clause(&[!made, b]);
        to.clause(&[made, !a, !b]);
        self.ands.insert(key, made);
        made
    }

    pub(super) fn or(&mut self, to: &mut impl Clauses, a: Literal, b: Literal) -> Literal {
        !self.and(to, !a, !b)
    }

    pub(super) fn xor(&mut self, to: &mut impl Clauses, a: Literal, b: Literal) -> Literal {
        match (self.known(a), self.known(b)) {
            (Some(turn), _) => return if turn { !b } else { b },
            (_, Some(turn)) => return if turn { !a } else { a },
            _ if a == b => return self.constant(to, false),
            _ if a == !b => return self.constant(to, true),
            _ => {}
        }
        // Signs come out.
        let turn = a.positive() != b.positive();
        let plain = |literal: Literal| if literal.positive() { literal } else { !literal };
        let (a, b) = (plain(a).min(plain(b)), plain(a).max(plain(b)));
        let made = match self.xors.get(&(a, b)) {
            Some(&made) => made,
            None => {
                let made = to.gate();
                to.clause(&[!made, a, b]);
                to.clause(&[!made, !a, !b]);
                to.clause(&[made, !a, b]);
                to.clause(&[made, a, !b]);
                self.xors.insert((a, b), made);
                made
            }
        };
        if turn { !made } else { made }
    }

    pub(super) fn choose(
        &mut self,
        to: &mut impl Clauses,
        condition: Literal,
        a: Literal,
        b: Literal,
    ) -> Literal {
        match (self.known(condition), self.known(a), self.known(b)) {
            (Some(first), _, _) => return if first { a } else { b },
            (_, Some(true), _) => return self.or(to, condition, b),
            (_, Some(false), _) => return self.and(to, !condition, b),
            (_, _, Some(true)) => return self.or(to, !condition, a),
            (_, _, Some(false)) => return self.and(to, condition, a),
            _ if a == b => return a,
            _ if a == !b => return !self.xor(to, condition, a),
            _ => {}
        }
        let (condition, a, b) = if condition.positive() { (condition, a, b) } else { (!condition, b, a) };
        if let Some(&made) = self.choices.get(&(condition, a, b)) {
            return made;
        }
        let made = to.gate();
        to.clause(&[!condition, !a, made]);
        to.clause(&[!condition, a, !made]);
        to.clause(&[condition, !b, made]);
        to.clause(&[condition, b, !made]);
        to.clause(&[!a, !b, made]);
        to.clause(&[a, b, !made]);
        self.choices.insert((condition, a, b), made);
        made
    }

    /// Sum and carry of three bits.
    pub(super) fn add(
        &mut self,
        to: &mut impl Clauses,
        a: Literal,
        b: Literal,
        c: Literal,
    ) -> (Literal, Literal) {
        let half = self.xor(to, a, b);
        let sum = self.xor(to, half, c);
        // If the two differ the carry is what comes in, otherwise it is either of them.
        let carry = self.choose(to, half, c, a);
        (sum, carry)
    }
}
