//! Constructors that simplify.
//!
//! Each looks only at its operands and their operands. Zeros in front of a value and shifts by known distances are
//! concatenations here, so that bits that move are recognised wherever they come to lie.

use super::fold;
use super::pool::{Binary, Node, Term, Terms};
use super::words::{ones, signed};

impl Terms {
    /// An operation on two values of one width.
    pub fn binary(&mut self, operation: Binary, left: Term, right: Term) -> Term {
        let width = self.width(left);
        assert_eq!(width, self.width(right), "operands have one width");
        if let (Some(first), Some(second)) = (self.known(left), self.known(right)) {
            return self.constant(width, fold::binary(operation, width, first, second));
        }
        // Constants stand on the right.
        let (left, right) = match operation.commutes() {
            true if self.known(left).is_some() => (right, left),
            true if self.known(right).is_none() && right < left => (right, left),
            _ => (left, right),
        };
        let simple = match operation {
            Binary::Add => self.simple_add(left, right),
            Binary::Sub => self.simple_sub(left, right),
            Binary::Mul => self.simple_mul(left, right),
            Binary::And => self.simple_and(left, right),
            Binary::Or => self.simple_or(left, right),
            Binary::Xor => self.simple_xor(left, right),
            Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightSigned => {
                self.simple_shift(operation, left, right)
            }
            Binary::UnsignedDiv | Binary::SignedDiv => {
                (self.known(right) == Some(1) && width > 1).then_some(left)
            }
            Binary::UnsignedRem => self.simple_rem(left, right),
            Binary::SignedRem => None,
        };
        simple.unwrap_or_else(|| self.intern(Node::Binary(operation, left, right), width))
    }

    fn simple_add(&mut self, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left);
        let more = self.known(right)?;
        match self.node(left) {
            _ if more == 0 => Some(left),
            Node::Binary(Binary::Add, inner, constant) => {
                let first = self.known(constant)?;
                let both = self.constant(width, first.wrapping_add(more));
                Some(self.add(inner, both))
            }
            _ if width == 1 => Some(self.not(left)),
            _ => None,
        }
    }

    fn simple_sub(&mut self, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left);
        if left == right {
            return Some(self.constant(width, 0));
        }
        if let Some(less) = self.known(right) {
            let negated = self.constant(width, less.wrapping_neg());
            return Some(self.add(left, negated));
        }
        // (x + c) - x and (x + c) - (x + d)
        let parts = |terms: &Terms, of: Term| match terms.node(of) {
            Node::Binary(Binary::Add, inner, constant) => {
                terms.known(constant).map_or((of, 0), |value| (inner, value))
            }
            _ => (of, 0),
        };
        let ((first, more), (second, less)) = (parts(self, left), parts(self, right));
        (first == second).then(|| self.constant(width, more.wrapping_sub(less)))
    }

    fn simple_mul(&mut self, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left);
        match self.known(right)? {
            0 => Some(right),
            1 => Some(left),
            factor if factor.is_power_of_two() => {
                let by = self.constant(width, u128::from(factor.trailing_zeros()));
                Some(self.binary(Binary::ShiftLeft, left, by))
            }
            _ => None,
        }
    }

    fn simple_rem(&mut self, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left);
        let by = self.known(right)?;
        (by.is_power_of_two()).then(|| {
            let mask = self.constant(width, by - 1);
            self.and(left, mask)
        })
    }

    fn simple_and(&mut self, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left);
        if left == right {
            return Some(left);
        }
        if self.complements(left, right) {
            return Some(self.constant(width, 0));
        }
        let mask = self.known(right)?;
        if mask == 0 {
            return Some(right);
        }
        if mask == ones(width) {
            return Some(left);
        }
        // A mask of low bits cuts.
        let low = mask.trailing_ones();
        if low > 0 && mask == ones(low) {
            let kept = self.extract(left, 0, low);
            return Some(self.zero_extend(kept, width));
        }
        self.in_parts(Binary::And, left, right)
    }

    fn simple_or(&mut self, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left);
        if left == right {
            return Some(left);
        }
        if self.complements(left, right) {
            return Some(self.constant(width, ones(width)));
        }
        if let Some(more) = self.known(right) {
            if more == 0 {
                return Some(left);
            }
            if more == ones(width) {
                return Some(right);
            }
        }
        self.in_parts(Binary::Or, left, right)
    }

    fn simple_xor(&mut self, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left);
        if left == right {
            return Some(self.constant(width, 0));
        }
        if let Some(mask) = self.known(right) {
            if mask == 0 {
                return Some(left);
            }
            if let Node::Binary(Binary::Xor, inner, constant) = self.node(left)
                && let Some(first) = self.known(constant)
            {
                let both = self.constant(width, first ^ mask);
                return Some(self.xor(inner, both));
            }
        }
        self.in_parts(Binary::Xor, left, right)
    }

    /// Whether one is the other with all bits turned.
    pub fn complements(&self, left: Term, right: Term) -> bool {
        let turned = |of: Term, other: Term| {
            matches!(self.node(of), Node::Binary(Binary::Xor, inner, mask)
                if inner == other && self.known(mask) == Some(ones(self.width(of))))
        };
        turned(left, right) || turned(right, left)
    }

    /// Bitwise operations on values that are put together fall apart where one of them has known bits: what programs
    /// write to assemble words from bytes.
    fn in_parts(&mut self, operation: Binary, left: Term, right: Term) -> Option<Term> {
        let known_half = |terms: &Terms, of: Term| match terms.node(of) {
            Node::Concat(high, low) if terms.known(high).is_some() || terms.known(low).is_some() => {
                Some(terms.width(low))
            }
            _ => None,
        };
        let (first, second) = (known_half(self, left), known_half(self, right));
        let at = match (first, second) {
            (Some(at), _) if second.is_some() || self.known(right).is_some() => at,
            _ => return None,
        };
        let width = self.width(left);
        let (left_high, right_high) =
            (self.extract(left, at, width - at), self.extract(right, at, width - at));
        let (left_low, right_low) = (self.extract(left, 0, at), self.extract(right, 0, at));
        let high = self.binary(operation, left_high, right_high);
        let low = self.binary(operation, left_low, right_low);
        Some(self.concat(high, low))
    }

    fn simple_shift(&mut self, operation: Binary, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left);
        let by = self.known(right)?;
        if by == 0 {
            return Some(left);
        }
        let far = by >= u128::from(width);
        if far && operation != Binary::ShiftRightSigned {
            return Some(self.constant(width, 0));
        }
        let by = if far { width - 1 } else { by as u32 };
        Some(match operation {
            Binary::ShiftLeft => {
                let kept = self.extract(left, 0, width - by);
                let zeros = self.constant(by, 0);
                self.concat(kept, zeros)
            }
            Binary::ShiftRight => {
                let kept = self.extract(left, by, width - by);
                self.zero_extend(kept, width)
            }
            _ => {
                let kept = self.extract(left, by, width - by);
                self.sign_extend(kept, width)
            }
        })
    }

    /// Whether two values are equal; one bit.
    pub fn equal(&mut self, left: Term, right: Term) -> Term {
        let width = self.width(left);
        assert_eq!(width, self.width(right), "operands have one width");
        if left == right {
            return self.truth(true);
        }
        if let (Some(first), Some(second)) = (self.known(left), self.known(right)) {
            return self.truth(first == second);
        }
        // Constants stand on the right.
        let (left, right) = match (self.known(left), self.known(right)) {
            (Some(_), None) => (right, left),
            (None, None) if right < left => (right, left),
            _ => (left, right),
        };
        let simple = match self.known(right) {
            Some(value) => self.equal_known(left, value),
            None => self.equal_unknown(left, right),
        };
        simple.unwrap_or_else(|| self.intern(Node::Equal(left, right), 1))
    }

    fn equal_known(&mut self, left: Term, value: u128) -> Option<Term> {
        let width = self.width(left);
        if width == 1 {
            return Some(if value == 1 { left } else { self.not(left) });
        }
        match self.node(left) {
            Node::Binary(Binary::Add, inner, constant) => {
                let more = self.known(constant)?;
                let value = self.constant(width, value.wrapping_sub(more));
                Some(self.equal(inner, value))
            }
            Node::Binary(Binary::Xor, inner, constant) => {
                let mask = self.known(constant)?;
                let value = self.constant(width, value ^ mask);
                Some(self.equal(inner, value))
            }
            Node::Binary(Binary::Sub, first, second) if value == 0 => Some(self.equal(first, second)),
            Node::Concat(high, low) if self.known(high).is_some() || self.known(low).is_some() => {
                let at = self.width(low);
                let above = self.constant(width - at, value >> at);
                let below = self.constant(at, value);
                let (above, below) = (self.equal(high, above), self.equal(low, below));
                Some(self.and(above, below))
            }
            Node::SignExtend(inner) => {
                let narrow = self.width(inner);
                if fold::sign_extend(narrow, width, value & ones(narrow)) != value {
                    return Some(self.truth(false));
                }
                let value = self.constant(narrow, value);
                Some(self.equal(inner, value))
            }
            Node::Choose(condition, then, otherwise) => {
                let (then, otherwise) = (self.known(then)?, self.known(otherwise)?);
                Some(match (then == value, otherwise == value) {
                    (true, true) => self.truth(true),
                    (true, false) => condition,
                    (false, true) => self.not(condition),
                    (false, false) => self.truth(false),
                })
            }
            _ => None,
        }
    }

    fn equal_unknown(&mut self, left: Term, right: Term) -> Option<Term> {
        if self.complements(left, right) {
            return Some(self.truth(false));
        }
        match (self.node(left), self.node(right)) {
            (Node::Concat(above, below), Node::Concat(high, low)) if self.width(below) == self.width(low) => {
                let (first, second) = (self.equal(above, high), self.equal(below, low));
                Some(self.and(first, second))
            }
            (Node::SignExtend(first), Node::SignExtend(second))
                if self.width(first) == self.width(second) =>
            {
                Some(self.equal(first, second))
            }
            (Node::Binary(Binary::Add, first, constant), Node::Binary(Binary::Add, second, other))
                if constant == other =>
            {
                Some(self.equal(first, second))
            }
            (Node::Binary(Binary::Add, inner, constant), _) if inner == right => {
                // The constant is not 0.
                self.known(constant).map(|_| self.truth(false))
            }
            (_, Node::Binary(Binary::Add, inner, constant)) if inner == left => {
                self.known(constant).map(|_| self.truth(false))
            }
            _ => None,
        }
    }

    /// Whether the first value is less, unsigned; one bit.
    pub fn unsigned_less(&mut self, left: Term, right: Term) -> Term {
        assert_eq!(self.width(left), self.width(right), "operands have one width");
        let width = self.width(left);
        if left == right {
            return self.truth(false);
        }
        match (self.known(left), self.known(right)) {
            (Some(first), Some(second)) => return self.truth(first < second),
            (_, Some(0)) => return self.truth(false),
            (_, Some(1)) => {
                let zero = self.constant(width, 0);
                return self.equal(left, zero);
            }
            (Some(0), _) => {
                let zero = self.equal(left, right);
                return self.not(zero);
            }
            (Some(most), _) if most == ones(width) => return self.truth(false),
            _ => {}
        }
        if let Some((at, first, second)) = self.narrow(left, right) {
            // Zeros in front of both, or in front of one and a constant on the other side.
            let (above_left, above_right) = (first >> at, second >> at);
            if above_left != above_right {
                return self.truth(above_left < above_right);
            }
            let (left, right) = (self.extract(left, 0, at), self.extract(right, 0, at));
            return self.unsigned_less(left, right);
        }
        if width == 1 {
            let other = self.not(left);
            return self.and(other, right);
        }
        self.intern(Node::UnsignedLess(left, right), 1)
    }

    /// Where both values have known bits from some bit on: that bit, and the values as far as they are known there.
    fn narrow(&self, left: Term, right: Term) -> Option<(u32, u128, u128)> {
        let above = |of: Term| match self.node(of) {
            Node::Constant(value) => Some((0, value)),
            Node::Concat(high, low) => {
                self.known(high).map(|value| (self.width(low), value << self.width(low)))
            }
            _ => None,
        };
        let ((first, left), (second, right)) = (above(left)?, above(right)?);
        let at = first.max(second);
        (at > 0).then_some((at, left, right))
    }

    /// Whether the first value is less, signed; one bit.
    pub fn signed_less(&mut self, left: Term, right: Term) -> Term {
        assert_eq!(self.width(left), self.width(right), "operands have one width");
        let width = self.width(left);
        if left == right {
            return self.truth(false);
        }
        let (first, second) = (self.known(left), self.known(right));
        if let (Some(first), Some(second)) = (first, second) {
            return self.truth(signed(width, first) < signed(width, second));
        }
        if second == Some(1 << (width - 1)) || first == Some(ones(width) >> 1) {
            return self.truth(false);
        }
        // Where the signs are known it is the unsigned comparison, or settled.
        if let (Some(negative), Some(other)) = (self.sign(left), self.sign(right)) {
            return if negative == other { self.unsigned_less(left, right) } else { self.truth(negative) };
        }
        if width == 1 {
            let other = self.not(right);
            return self.and(left, other);
        }
        if let (Node::SignExtend(first), Node::SignExtend(second)) = (self.node(left), self.node(right))
            && self.width(first) == self.width(second)
        {
            return self.signed_less(first, second);
        }
        self.intern(Node::SignedLess(left, right), 1)
    }

    /// Whether a value is negative, if that is plain to see.
    fn sign(&self, of: Term) -> Option<bool> {
        match self.node(of) {
            Node::Constant(value) => Some(signed(self.width(of), value) < 0),
            Node::Concat(high, _) => self.sign(high),
            _ => None,
        }
    }

    /// The second value if the first one holds, otherwise the third one.
    pub fn choose(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        let width = self.width(then);
        assert_eq!(self.width(condition), 1, "a condition has one bit");
        assert_eq!(width, self.width(otherwise), "operands have one width");
        if then == otherwise {
            return then;
        }
        match self.known(condition) {
            Some(0) => return otherwise,
            Some(_) => return then,
            None => {}
        }
        if let Node::Binary(Binary::Xor, inner, _) = self.node(condition)
            && self.complements(condition, inner)
        {
            return self.choose(inner, otherwise, then);
        }
        if width == 1 {
            let no = self.not(condition);
            match (self.known(then), self.known(otherwise)) {
                (Some(1), _) => return self.or(condition, otherwise),
                (Some(_), _) => return self.and(no, otherwise),
                (_, Some(0)) => return self.and(condition, then),
                (_, Some(_)) => return self.or(no, then),
                _ => {}
            }
        }
        self.intern(Node::Choose(condition, then, otherwise), width)
    }

    /// Bits of a value: `width` of them from `low` on.
    pub fn extract(&mut self, of: Term, low: u32, width: u32) -> Term {
        let whole = self.width(of);
        assert!(width > 0 && low + width <= whole, "bits {low}..{} of {whole}", low + width);
        if width == whole {
            return of;
        }
        match self.node(of) {
            Node::Constant(value) => self.constant(width, fold::extract(value, low, width)),
            Node::Extract(inner, from) => self.extract(inner, from + low, width),
            Node::Concat(above, below) => {
                let at = self.width(below);
                if low >= at {
                    self.extract(above, low - at, width)
                } else if low + width <= at {
                    self.extract(below, low, width)
                } else {
                    let high = self.extract(above, 0, low + width - at);
                    let rest = self.extract(below, low, at - low);
                    self.concat(high, rest)
                }
            }
            Node::SignExtend(inner) => {
                let narrow = self.width(inner);
                if low + width <= narrow {
                    self.extract(inner, low, width)
                } else if low < narrow {
                    let kept = self.extract(inner, low, narrow - low);
                    self.sign_extend(kept, width)
                } else {
                    let sign = self.extract(inner, narrow - 1, 1);
                    self.sign_extend(sign, width)
                }
            }
            // What is cut off above does not matter for these.
            Node::Binary(operation @ (Binary::Add | Binary::Sub | Binary::Mul), left, right) if low == 0 => {
                let (left, right) = (self.extract(left, 0, width), self.extract(right, 0, width));
                self.binary(operation, left, right)
            }
            // A mask that keeps all of these bits or none.
            Node::Binary(operation @ (Binary::And | Binary::Or), left, right)
                if self.known(right).is_some_and(|mask| {
                    let bits = fold::extract(mask, low, width);
                    bits == 0 || bits == ones(width)
                }) =>
            {
                let (left, right) = (self.extract(left, low, width), self.extract(right, low, width));
                self.binary(operation, left, right)
            }
            Node::Choose(condition, then, otherwise)
                if self.known(then).is_some() || self.known(otherwise).is_some() =>
            {
                let (then, otherwise) = (self.extract(then, low, width), self.extract(otherwise, low, width));
                self.choose(condition, then, otherwise)
            }
            _ => self.intern(Node::Extract(of, low), width),
        }
    }

    /// High bits and low bits put together.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        if let Some(both) = self.joined(high, low) {
            return both;
        }
        match (self.node(high), self.node(low)) {
            // The lowest part stands alone.
            (Node::Concat(above, below), _) => {
                let rest = self.concat(below, low);
                self.concat(above, rest)
            }
            (_, Node::Concat(middle, rest)) => match self.joined(high, middle) {
                Some(both) => self.concat(both, rest),
                None => self.intern(Node::Concat(high, low), width),
            },
            _ => self.intern(Node::Concat(high, low), width),
        }
    }

    /// Two neighbours that are one value.
    fn joined(&mut self, high: Term, low: Term) -> Option<Term> {
        let (above, below) = (self.width(high), self.width(low));
        match (self.node(high), self.node(low)) {
            (Node::Constant(first), Node::Constant(second)) => {
                Some(self.constant(above + below, first << below | second))
            }
            (Node::Extract(first, from), Node::Extract(second, at))
                if first == second && at + below == from =>
            {
                Some(self.extract(first, at, above + below))
            }
            (Node::Choose(first, then, otherwise), Node::Choose(second, other_then, other))
                if first == second =>
            {
                let (then, otherwise) = (self.concat(then, other_then), self.concat(otherwise, other));
                Some(self.choose(first, then, otherwise))
            }
            // The upper part of a value, and what was cut from the value in another form.
            (Node::Extract(whole, from), _) if from == below && self.is_low_part(whole, low) => {
                Some(self.extract(whole, 0, above + below))
            }
            _ => None,
        }
    }

    /// Whether `low` is what [`Terms::extract`] makes of the lowest bits of `whole`.
    fn is_low_part(&mut self, whole: Term, low: Term) -> bool {
        let width = self.width(low);
        matches!(self.node(whole), Node::Binary(..)) && self.extract(whole, 0, width) == low
    }

    /// Made wider by copies of the sign.
    pub fn sign_extend(&mut self, of: Term, width: u32) -> Term {
        let narrow = self.width(of);
        assert!(narrow <= width, "a value of {narrow} bits does not become {width} bits wide");
        if narrow == width {
            return of;
        }
        match self.node(of) {
            Node::Constant(value) => self.constant(width, fold::sign_extend(narrow, width, value)),
            Node::SignExtend(inner) => self.sign_extend(inner, width),
            _ => match self.sign(of) {
                Some(false) => self.zero_extend(of, width),
                _ => self.intern(Node::SignExtend(of), width),
            },
        }
    }
}
