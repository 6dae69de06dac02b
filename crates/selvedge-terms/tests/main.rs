//! Expressions mean what was built, however they were simplified.

use selvedge_terms::{Binary, Comparison, Source, Symbol, Term, Terms};
use selvedge_trace::ThreadName;

/// A small generator of numbers.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

const BINARY: [Binary; 13] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::UnsignedDiv,
    Binary::SignedDiv,
    Binary::UnsignedRem,
    Binary::SignedRem,
    Binary::ShiftLeft,
    Binary::ShiftRight,
    Binary::ShiftRightSigned,
    Binary::And,
    Binary::Or,
    Binary::Xor,
];

/// An expression with the values that it must have under several assignments, computed beside it.
#[derive(Clone)]
struct Known {
    term: Term,
    values: Vec<u128>,
}

fn ones(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

fn signed(width: u32, value: u128) -> i128 {
    ((value << (128 - width)) as i128) >> (128 - width)
}

fn apply(operation: Binary, width: u32, a: u128, b: u128) -> u128 {
    let (x, y) = (signed(width, a), signed(width, b));
    let far = b >= u128::from(width);
    let value = match operation {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::UnsignedDiv => a.checked_div(b).unwrap_or(u128::MAX),
        Binary::UnsignedRem => {
            if b == 0 {
                a
            } else {
                a % b
            }
        }
        Binary::SignedDiv if y == 0 => {
            if x < 0 {
                1
            } else {
                u128::MAX
            }
        }
        Binary::SignedDiv => x.wrapping_div(y) as u128,
        Binary::SignedRem => {
            if y == 0 {
                a
            } else {
                x.wrapping_rem(y) as u128
            }
        }
        Binary::ShiftLeft => {
            if far {
                0
            } else {
                a << b
            }
        }
        Binary::ShiftRight => {
            if far {
                0
            } else {
                a >> b
            }
        }
        Binary::ShiftRightSigned => (x >> if far { width - 1 } else { b as u32 }) as u128,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
    };
    value & ones(width)
}

const WIDTHS: [u32; 8] = [1, 2, 8, 8, 16, 32, 64, 128];
const CASES: usize = 6;

fn grow(terms: &mut Terms, numbers: &mut Numbers, pool: &mut Vec<Known>) {
    let pick = |pool: &[Known], numbers: &mut Numbers| pool[numbers.below(pool.len())].clone();
    let a = pick(pool, numbers);
    let width = terms.width(a.term);
    let fitting: Vec<Known> = pool.iter().filter(|known| terms.width(known.term) == width).cloned().collect();
    let b = fitting[numbers.below(fitting.len())].clone();
    let zip = |f: &dyn Fn(u128, u128) -> u128| -> Vec<u128> {
        a.values.iter().zip(&b.values).map(|(&a, &b)| f(a, b)).collect()
    };
    let map = |f: &dyn Fn(u128) -> u128| -> Vec<u128> { a.values.iter().map(|&a| f(a)).collect() };
    let made = match numbers.below(12) {
        0..=4 => {
            let operation = BINARY[numbers.below(BINARY.len())];
            let term = terms.binary(operation, a.term, b.term);
            Known { term, values: zip(&|a, b| apply(operation, width, a, b)) }
        }
        5 => {
            let term = terms.equal(a.term, b.term);
            Known { term, values: zip(&|a, b| u128::from(a == b)) }
        }
        6 => {
            let term = terms.compare(Comparison::UnsignedLessEqual, a.term, b.term);
            Known { term, values: zip(&|a, b| u128::from(a <= b)) }
        }
        7 => {
            let term = terms.compare(Comparison::SignedGreater, a.term, b.term);
            Known { term, values: zip(&|a, b| u128::from(signed(width, a) > signed(width, b))) }
        }
        8 => {
            let bits: Vec<Known> =
                pool.iter().filter(|known| terms.width(known.term) == 1).cloned().collect();
            let condition = bits[numbers.below(bits.len())].clone();
            let term = terms.choose(condition.term, a.term, b.term);
            let values = (0..CASES).map(|n| if condition.values[n] == 1 { a.values[n] } else { b.values[n] });
            Known { term, values: values.collect() }
        }
        9 => {
            let low = numbers.below(width as usize) as u32;
            let kept = 1 + numbers.below((width - low) as usize) as u32;
            let (low, kept) =
                if width.is_multiple_of(8) && numbers.below(3) > 0 { (low / 8 * 8, 8) } else { (low, kept) };
            let term = terms.extract(a.term, low, kept);
            Known { term, values: map(&|a| (a >> low) & ones(kept)) }
        }
        10 => {
            let other = pick(pool, numbers);
            let low = terms.width(other.term);
            if width + low > 128 {
                return;
            }
            let term = terms.concat(a.term, other.term);
            let values = a.values.iter().zip(&other.values).map(|(high, rest)| high << low | rest).collect();
            Known { term, values }
        }
        _ => {
            let wider: Vec<u32> = WIDTHS.into_iter().filter(|&wide| wide > width).collect();
            let Some(&wide) = wider.get(numbers.below(wider.len().max(1))) else { return };
            if numbers.below(2) == 0 {
                let term = terms.sign_extend(a.term, wide);
                Known { term, values: map(&|a| (signed(width, a) as u128) & ones(wide)) }
            } else {
                Known { term: terms.zero_extend(a.term, wide), values: map(&|a| a) }
            }
        }
    };
    pool.push(made);
}

#[test]
fn simplification_keeps_values() {
    for seed in 0..300 {
        let mut numbers = Numbers(seed);
        let mut terms = Terms::new();
        let mut pool = Vec::new();
        let mut inputs = Vec::new();
        for (occurrence, width) in (0..).zip(WIDTHS) {
            let symbol = Symbol::Input { thread: ThreadName::main(), occurrence };
            let term = terms.symbol(&symbol, width);
            let values: Vec<u128> = (0..CASES)
                .map(|case| match case {
                    0 => 0,
                    1 => ones(width),
                    2 => 1 << (width - 1),
                    _ => (u128::from(numbers.next()) << 64 | u128::from(numbers.next())) & ones(width),
                })
                .collect();
            inputs.push(values.clone());
            pool.push(Known { term, values });
            for value in [0, 1, ones(width), 1 << (width / 2), u128::from(numbers.next()) & ones(width)] {
                let term = terms.constant(width, value);
                pool.push(Known { term, values: vec![value & ones(width); CASES] });
            }
        }
        for _ in 0..150 {
            grow(&mut terms, &mut numbers, &mut pool);
        }
        let mut copy = Terms::new();
        let mut import = selvedge_terms::Import::new();
        for known in &pool {
            let copied = import.term(&terms, known.term, &mut copy, |copy, id| {
                copy.symbol(terms.symbol_of(id), terms.width(terms.symbol_term(id)))
            });
            for (case, &expected) in known.values.iter().enumerate() {
                let value = terms.evaluate(known.term, |symbol| inputs[symbol.index()][case]);
                assert_eq!(value, expected, "seed {seed}: {}", terms.show(known.term));
                let symbol = |id| {
                    let Symbol::Input { occurrence, .. } = copy.symbol_of(id) else { panic!() };
                    inputs[*occurrence as usize][case]
                };
                assert_eq!(copy.evaluate(copied, symbol), value);
            }
        }
    }
}

#[test]
fn bytes_come_back_as_they_went() {
    let mut terms = Terms::new();
    let x = terms.symbol(&Symbol::Input { thread: ThreadName::main(), occurrence: 0 }, 32);
    let y = terms.symbol(&Symbol::Read { thread: ThreadName::main().child(1), index: 0 }, 32);
    let flag = terms.unsigned_less(x, y);
    let (five, six) = (terms.constant(32, 5), terms.constant(32, 6));
    let sum = terms.add(x, y);
    let product = terms.mul(sum, x);
    let chosen = terms.choose(flag, five, x);
    let quotient = terms.binary(Binary::SignedDiv, sum, six);
    for value in [x, sum, product, chosen, quotient, five] {
        let bytes = terms.bytes(value);
        assert_eq!(terms.assemble(&bytes), value, "{}", terms.show(value));
    }
    // Assembled by shifts.
    let bytes: Vec<Term> = (0..4)
        .map(|offset| terms.symbol(&Symbol::Byte { source: Source::StandardInput, offset }, 8))
        .collect();
    let mut word = terms.constant(32, 0);
    for (index, &byte) in bytes.iter().enumerate() {
        let wide = terms.zero_extend(byte, 32);
        let by = terms.constant(32, index as u128 * 8);
        let moved = terms.binary(Binary::ShiftLeft, wide, by);
        word = terms.or(word, moved);
    }
    assert_eq!(terms.assemble(&bytes), word);
    // A truth value that became a number and is compared with zero again.
    let number = terms.zero_extend(flag, 32);
    let zero = terms.constant(32, 0);
    assert_eq!(terms.compare(Comparison::NotEqual, number, zero), flag);
}

#[test]
fn intrinsics() {
    let mut terms = Terms::new();
    let a = terms.symbol(&Symbol::Input { thread: ThreadName::main(), occurrence: 0 }, 8);
    let b = terms.symbol(&Symbol::Input { thread: ThreadName::main(), occurrence: 1 }, 8);
    let saturated = terms.saturating(Binary::Add, true, a, b);
    let difference = terms.saturating(Binary::Sub, false, a, b);
    let product = terms.overflows(Binary::Mul, true, a, b);
    let least = terms.minimum(true, a, b);
    let size = terms.absolute(a);
    for x in 0..=255_u8 {
        for y in [0_u8, 1, 2, 127, 128, 129, 200, 255] {
            let value =
                |term| terms.evaluate(term, |id| u128::from(if id.index() == 0 { x } else { y })) as u8;
            assert_eq!(value(saturated), (x as i8).saturating_add(y as i8) as u8);
            assert_eq!(value(difference), x.saturating_sub(y));
            assert_eq!(value(product), u8::from((x as i8).checked_mul(y as i8).is_none()));
            assert_eq!(value(least), (x as i8).min(y as i8) as u8);
            assert_eq!(value(size), (x as i8).wrapping_abs() as u8);
        }
    }
}
