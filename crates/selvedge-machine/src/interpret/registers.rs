//! What is in registers when a function is called or returns: compilers cut the same struct into different pieces (two
//! `float`s are a vector for the one and a `double` for the other), and mean the same registers.

use selvedge_program::code::{ByVal, FloatFormat, Leaf, Part};
use selvedge_terms::Term;
use std::collections::VecDeque;

/// A scalar that is passed: its slots with their undefined bits and expressions.
pub(super) type Scalar = Vec<(u64, u64, Option<Term>)>;

/// A register with what was put there, in order.
#[derive(Debug)]
struct Register {
    scalar: Scalar,
    /// The leaf, if it is one alone.
    from: Option<Leaf>,
    byval: Option<ByVal>,
    /// Bytes that hold something and have not been taken.
    bytes: u32,
}

/// What a parameter gets.
#[derive(Debug)]
pub(super) struct Taken {
    /// The slots, not yet cut to what is wanted.
    pub scalar: Scalar,
    /// The leaf that was passed, if it was one alone.
    pub from: Option<Leaf>,
    /// It is a pointer to an object that is to be copied.
    pub byval: Option<ByVal>,
}

/// Registers, by class.
#[derive(Debug, Default)]
pub(super) struct Registers {
    general: VecDeque<Register>,
    vector: VecDeque<Register>,
    /// What is passed on the stack for its size: it is only ever taken for what it is.
    memory: VecDeque<Register>,
}

impl Registers {
    /// Passes a leaf.
    pub fn pass(&mut self, leaf: Leaf, part: Part, byval: Option<ByVal>, scalar: Scalar) {
        let bytes = leaf.bytes();
        match leaf {
            Leaf::Ptr | Leaf::Int(0..=64) if !part.vector => {
                let scalar = extended(leaf, scalar);
                self.general.push_back(Register { scalar, from: Some(leaf), byval, bytes });
            }
            Leaf::Int(65..=128) if !part.vector => {
                for word in scalar {
                    let from = Some(Leaf::Int(64));
                    self.general.push_back(Register { scalar: vec![word], from, byval, bytes: 8 });
                }
            }
            Leaf::Float(FloatFormat::X87) | Leaf::Int(129..) => {
                self.memory.push_back(Register { scalar, from: Some(leaf), byval, bytes });
            }
            _ if part.offset == 0 => {
                let from = Some(leaf);
                self.vector.push_back(Register { scalar: extended(leaf, scalar), from, byval, bytes });
            }
            _ => self.join(leaf, part.offset, &scalar),
        }
    }

    /// Adds an element to the vector that was begun last.
    fn join(&mut self, leaf: Leaf, offset: u32, scalar: &Scalar) {
        let Some(register) = self.vector.back_mut() else { return };
        register.from = None;
        register.bytes = offset + leaf.bytes();
        register.scalar.resize(2.max(register.scalar.len()), (0, u64::MAX, None));
        let (word, shift) = ((offset / 8) as usize, offset % 8 * 8);
        let mask = bits_of(leaf) << shift;
        let (value, undefined, term) = scalar[0];
        let Some(into) = register.scalar.get_mut(word) else { return };
        into.0 = into.0 & !mask | value << shift & mask;
        into.1 = into.1 & !mask | undefined << shift & mask;
        into.2 = into.2.or(term);
    }

    /// Takes what a parameter of this class gets.
    pub fn take(&mut self, wanted: Leaf) -> Option<Taken> {
        let taken = |register: Register| {
            let Register { scalar, from, byval, .. } = register;
            Taken { scalar, from, byval }
        };
        match wanted {
            Leaf::Ptr | Leaf::Int(0..=64) => self.general.pop_front().map(taken),
            Leaf::Int(65..=128) => {
                let [low, high] = [self.general.pop_front()?, self.general.pop_front()?];
                if [low.from, high.from].contains(&Some(Leaf::Ptr)) {
                    return None;
                }
                let mut scalar = vec![*low.scalar.first()?, *high.scalar.first()?];
                scalar[1].0 &= bits_of(Leaf::Int(wanted_bits(wanted) - 64));
                let from = (low.from == high.from && low.from == Some(Leaf::Int(64))).then_some(wanted);
                Some(Taken { scalar, from, byval: None })
            }
            Leaf::Float(FloatFormat::X87) | Leaf::Int(129..) => {
                let front = self.memory.pop_front()?;
                (front.from == Some(wanted)).then(|| taken(front))
            }
            Leaf::Float(_) => self.take_vector(wanted),
        }
    }

    /// Takes the next part of a vector register, and the register with the last one.
    fn take_vector(&mut self, wanted: Leaf) -> Option<Taken> {
        let front = self.vector.front_mut()?;
        let bytes = wanted.bytes();
        if front.bytes <= bytes {
            let Register { scalar, from, byval, .. } = self.vector.pop_front()?;
            return Some(Taken { scalar, from, byval });
        }
        let scalar = front.scalar.clone();
        front.bytes -= bytes;
        front.from = None;
        shift_right(&mut front.scalar, bytes);
        Some(Taken { scalar, from: None, byval: None })
    }
}

/// Moves what follows `bytes` bytes to the front.
fn shift_right(words: &mut Scalar, bytes: u32) {
    let shift = bytes * 8;
    if shift >= 64 {
        words.remove(0);
        words.push((0, u64::MAX, None));
        return;
    }
    for word in 0..words.len() {
        let next = words.get(word + 1).copied().unwrap_or((0, u64::MAX, None));
        let this = &mut words[word];
        this.0 = this.0 >> shift | next.0 << (64 - shift);
        this.1 = this.1 >> shift | next.1 << (64 - shift);
    }
}

/// The bits above an `int` are zero, as a processor has it; those above anything else that is small are undefined.
fn extended(leaf: Leaf, mut scalar: Scalar) -> Scalar {
    if leaf != Leaf::Int(32)
        && let Some(first) = scalar.first_mut()
    {
        first.1 |= !bits_of(leaf);
    }
    scalar
}

/// Two floats in a row are returned in one register.
pub(super) fn result_parts(leaves: &[Leaf]) -> Vec<Part> {
    let single = Leaf::Float(FloatFormat::Single);
    let mut parts: Vec<Part> = Vec::new();
    for (index, &leaf) in leaves.iter().enumerate() {
        let begun = parts.last().is_some_and(|last| last.vector && last.offset == 0);
        let pair = leaf == single && (begun || leaves.get(index + 1) == Some(&single));
        parts.push(match pair {
            true => Part { offset: if begun { 4 } else { 0 }, bytes: 8, vector: true },
            false => Part::whole(leaf),
        });
    }
    parts
}

fn wanted_bits(leaf: Leaf) -> u32 {
    match leaf {
        Leaf::Int(bits) => bits,
        _ => 64,
    }
}

/// The bits of the first slot that belong to a leaf.
pub(super) fn bits_of(leaf: Leaf) -> u64 {
    match leaf {
        Leaf::Int(bits @ 0..64) => (1 << bits) - 1,
        Leaf::Float(FloatFormat::Half | FloatFormat::BFloat) => 0xffff,
        Leaf::Float(FloatFormat::Single) => 0xffff_ffff,
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SINGLE: Leaf = Leaf::Float(FloatFormat::Single);
    const DOUBLE: Leaf = Leaf::Float(FloatFormat::Double);

    fn value(leaf: Leaf, taken: Option<Taken>) -> Option<u64> {
        taken.map(|taken| taken.scalar[0].0 & bits_of(leaf))
    }

    #[test]
    fn a_vector_of_two_floats_is_a_double() {
        let mut registers = Registers::default();
        for (offset, bits) in [(0, 0x3f80_0000), (4, 0x4000_0000)] {
            let part = Part { offset, bytes: 8, vector: true };
            registers.pass(SINGLE, part, None, vec![(bits, 0, None)]);
        }
        let taken = registers.take(DOUBLE).expect("a register");
        assert_eq!(taken.scalar[0], (0x4000_0000_3f80_0000, 0, None));
        assert!(registers.take(DOUBLE).is_none());
    }

    #[test]
    fn a_double_is_two_floats_and_the_next_register_another() {
        let mut registers = Registers::default();
        registers.pass(DOUBLE, Part::whole(DOUBLE), None, vec![(0x4000_0000_3f80_0000, 0, None)]);
        registers.pass(SINGLE, Part::whole(SINGLE), None, vec![(0x4040_0000, 0, None)]);
        let parts = [0x3f80_0000, 0x4000_0000, 0x4040_0000];
        assert_eq!(parts.map(|_| value(SINGLE, registers.take(SINGLE))), parts.map(Some));
    }

    #[test]
    fn two_words_are_a_wide_integer() {
        let (word, wide) = (Leaf::Int(64), Leaf::Int(128));
        let mut registers = Registers::default();
        for number in [5, 6] {
            registers.pass(word, Part::whole(word), None, vec![(number, 0, None)]);
        }
        let taken = registers.take(wide).expect("two registers");
        assert_eq!(taken.scalar, [(5, 0, None), (6, 0, None)]);
        assert_eq!(taken.from, Some(wide));
    }

    #[test]
    fn floats_that_are_returned_share_registers_in_pairs() {
        let offsets =
            |leaves: &[Leaf]| result_parts(leaves).iter().map(|part| part.offset).collect::<Vec<_>>();
        assert_eq!(offsets(&[SINGLE, SINGLE, SINGLE]), [0, 4, 0]);
        assert_eq!(offsets(&[SINGLE, Leaf::Int(64)]), [0, 0]);
    }
}
