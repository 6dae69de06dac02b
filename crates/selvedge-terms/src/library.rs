//! Operations that are made of others: comparisons, bytes, and LLVM's integer intrinsics.

use super::pool::{Binary, Term, Terms};
use super::words::{Comparison, ones};

impl Terms {
    /// The sum.
    pub fn add(&mut self, left: Term, right: Term) -> Term {
        self.binary(Binary::Add, left, right)
    }

    /// The difference.
    pub fn sub(&mut self, left: Term, right: Term) -> Term {
        self.binary(Binary::Sub, left, right)
    }

    /// The product.
    pub fn mul(&mut self, left: Term, right: Term) -> Term {
        self.binary(Binary::Mul, left, right)
    }

    /// Bits that both have.
    pub fn and(&mut self, left: Term, right: Term) -> Term {
        self.binary(Binary::And, left, right)
    }

    /// Bits that one of them has.
    pub fn or(&mut self, left: Term, right: Term) -> Term {
        self.binary(Binary::Or, left, right)
    }

    /// Bits that exactly one of them has.
    pub fn xor(&mut self, left: Term, right: Term) -> Term {
        self.binary(Binary::Xor, left, right)
    }

    /// The other bits.
    pub fn not(&mut self, of: Term) -> Term {
        let width = self.width(of);
        let mask = self.constant(width, ones(width));
        self.xor(of, mask)
    }

    /// The value with the other sign.
    pub fn negate(&mut self, of: Term) -> Term {
        let zero = self.constant(self.width(of), 0);
        self.sub(zero, of)
    }

    /// A comparison; one bit.
    pub fn compare(&mut self, how: Comparison, left: Term, right: Term) -> Term {
        match how {
            Comparison::Equal => self.equal(left, right),
            Comparison::UnsignedLess => self.unsigned_less(left, right),
            Comparison::UnsignedGreater => self.unsigned_less(right, left),
            Comparison::SignedLess => self.signed_less(left, right),
            Comparison::SignedGreater => self.signed_less(right, left),
            Comparison::NotEqual => {
                let equal = self.equal(left, right);
                self.not(equal)
            }
            Comparison::UnsignedLessEqual => {
                let greater = self.unsigned_less(right, left);
                self.not(greater)
            }
            Comparison::UnsignedGreaterEqual => {
                let less = self.unsigned_less(left, right);
                self.not(less)
            }
            Comparison::SignedLessEqual => {
                let greater = self.signed_less(right, left);
                self.not(greater)
            }
            Comparison::SignedGreaterEqual => {
                let less = self.signed_less(left, right);
                self.not(less)
            }
        }
    }

    /// All of these truth values.
    pub fn all(&mut self, of: impl IntoIterator<Item = Term>) -> Term {
        let yes = self.truth(true);
        of.into_iter().fold(yes, |all, one| self.and(all, one))
    }

    /// One of these truth values.
    pub fn any(&mut self, of: impl IntoIterator<Item = Term>) -> Term {
        let no = self.truth(false);
        of.into_iter().fold(no, |any, one| self.or(any, one))
    }

    /// Made wider by zeros.
    pub fn zero_extend(&mut self, of: Term, width: u32) -> Term {
        let more = width - self.width(of);
        if more == 0 {
            return of;
        }
        let zeros = self.constant(more, 0);
        self.concat(zeros, of)
    }

    /// The low bits.
    pub fn truncate(&mut self, of: Term, width: u32) -> Term {
        self.extract(of, 0, width)
    }

    /// The bytes of a value as they lie in memory, the lowest first. Bits that do not fill a byte are filled up with
    /// zeros.
    pub fn bytes(&mut self, of: Term) -> Vec<Term> {
        let whole = self.width(of).next_multiple_of(8);
        let of = self.zero_extend(of, whole);
        (0..whole / 8).map(|byte| self.extract(of, byte * 8, 8)).collect()
    }

    /// The value of bytes in memory, the lowest first; at most 16.
    pub fn assemble(&mut self, bytes: &[Term]) -> Term {
        let mut bytes = bytes.iter().copied();
        let first = bytes.next().expect("a value has at least one byte");
        bytes.fold(first, |low, high| self.concat(high, low))
    }

    /// The smaller value.
    pub fn minimum(&mut self, signed: bool, left: Term, right: Term) -> Term {
        let less = self.less(signed, left, right);
        self.choose(less, left, right)
    }

    /// The larger value.
    pub fn maximum(&mut self, signed: bool, left: Term, right: Term) -> Term {
        let less = self.less(signed, left, right);
        self.choose(less, right, left)
    }

    /// The value without its sign; the smallest value stays.
    pub fn absolute(&mut self, of: Term) -> Term {
        let zero = self.constant(self.width(of), 0);
        let negative = self.signed_less(of, zero);
        let negated = self.negate(of);
        self.choose(negative, negated, of)
    }

    /// Whether the first value is less.
    pub fn less(&mut self, signed: bool, left: Term, right: Term) -> Term {
        if signed { self.signed_less(left, right) } else { self.unsigned_less(left, right) }
    }

    /// Whether a sum, a difference or a product does not fit its width (`llvm.*.with.overflow`); for values up to 64
    /// bits.
    pub fn overflows(&mut self, operation: Binary, signed: bool, left: Term, right: Term) -> Term {
        let width = self.width(left);
        let wide = match operation {
            Binary::Mul => width * 2,
            _ => width + 1,
        };
        let (left, right) = if signed {
            (self.sign_extend(left, wide), self.sign_extend(right, wide))
        } else {
            (self.zero_extend(left, wide), self.zero_extend(right, wide))
        };
        let exact = self.binary(operation, left, right);
        let kept = self.truncate(exact, width);
        let kept = if signed { self.sign_extend(kept, wide) } else { self.zero_extend(kept, wide) };
        self.compare(Comparison::NotEqual, exact, kept)
    }

    /// A sum or a difference that stays at the end of the range where it would leave it (`llvm.*.sat`); for
    /// values up to 64 bits.
    pub fn saturating(&mut self, operation: Binary, signed: bool, left: Term, right: Term) -> Term {
        let width = self.width(left);
        let overflows = self.overflows(operation, signed, left, right);
        let plain = self.binary(operation, left, right);
        let end = if signed {
            // Too large if the first operand is not negative, whatever the operation.
            let (zero, least) = (self.constant(width, 0), self.constant(width, 1 << (width - 1)));
            let most = self.constant(width, ones(width) >> 1);
            let negative = self.signed_less(left, zero);
            self.choose(negative, least, most)
        } else {
            self.constant(width, if operation == Binary::Add { ones(width) } else { 0 })
        };
        self.choose(overflows, end, plain)
    }
}
