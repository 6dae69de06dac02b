//! Floats as text, digit by digit exact: what `%e`, `%f`, `%g` and `%a` print.
//!
//! A binary float is a finite decimal number, so all of its digits are computed and then rounded, half to even, as
//! the C library does.

use super::varargs::Extended;

/// A float of whatever format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float {
    /// Not a number.
    NotANumber { negative: bool },
    /// Infinite.
    Infinite { negative: bool },
    /// `significand * 2^exponent`; `digit_bits` bits of it stand before the point in `%a`.
    Finite { negative: bool, significand: u64, exponent: i32, format: Format },
}

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Double,
    Extended,
}

impl Float {
    /// Of a `double`.
    pub fn from_double(value: f64) -> Self {
        let negative = value.is_sign_negative();
        if value.is_nan() {
            return Float::NotANumber { negative };
        }
        if value.is_infinite() {
            return Float::Infinite { negative };
        }
        let bits = value.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let biased = (bits >> 52 & 0x7ff) as i32;
        let significand = if biased == 0 { fraction } else { fraction | 1 << 52 };
        Float::Finite { negative, significand, exponent: biased.max(1) - 1075, format: Format::Double }
    }

    /// Of a `long double`.
    pub fn from_extended(value: Extended) -> Self {
        let negative = value.sign_exponent >> 15 != 0;
        let biased = i32::from(value.sign_exponent & 0x7fff);
        let significand = value.significand;
        if biased == 0x7fff && significand << 1 == 0 {
            return Float::Infinite { negative };
        }
        // A significand without its leading bit is no number either, except in the smallest binade.
        if biased == 0x7fff || biased != 0 && significand >> 63 == 0 {
            return Float::NotANumber { negative };
        }
        Float::Finite { negative, significand, exponent: biased.max(1) - 16446, format: Format::Extended }
    }

    /// Whether the sign bit is set.
    pub fn negative(self) -> bool {
        match self {
            Float::NotANumber { negative }
            | Float::Infinite { negative }
            | Float::Finite { negative, .. } => negative,
        }
    }
}

/// A conversion's letter in lower case, its precision, and the `#` flag.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub letter: u8,
    pub precision: Option<usize>,
    pub alternate: bool,
}

/// The text of a float without its sign, in lower case; `0x` is not part of it.
pub fn text(value: Float, style: Style) -> String {
    let (significand, exponent, format) = match value {
        Float::NotANumber { .. } => return "nan".to_owned(),
        Float::Infinite { .. } => return "inf".to_owned(),
        Float::Finite { significand, exponent, format, .. } => (significand, exponent, format),
    };
    if style.letter == b'a' {
        return hexadecimal(significand, exponent, format, style);
    }
    let digits = Digits::of(significand, exponent);
    let precision = style.precision.unwrap_or(6);
    match style.letter {
        b'f' => digits.fixed(precision, style.alternate),
        b'e' => digits.scientific(precision, style.alternate),
        _ => digits.general(precision.max(1), style.alternate),
    }
}

/// A decimal number: 0.d1d2d3... times a power of ten, d1 not zero (no digits: zero).
struct Digits {
    digits: Vec<u8>,
    point: i64,
}

const BASE: u64 = 1_000_000_000;

/// Multiplies a number in base 10^9, least significant part first.
fn multiply(number: &mut Vec<u32>, factor: u32) {
    let mut carry = 0;
    for part in number.iter_mut() {
        let product = u64::from(*part) * u64::from(factor) + carry;
        *part = (product % BASE) as u32;
        carry = product / BASE;
    }
    if carry > 0 {
        number.push(carry as u32);
    }
}

impl Digits {
    fn of(significand: u64, exponent: i32) -> Self {
        if significand == 0 {
            return Digits { digits: Vec::new(), point: 1 };
        }
        let zeros = significand.trailing_zeros();
        let (significand, exponent) = (significand >> zeros, exponent + zeros as i32);
        let mut number = Vec::new();
        let mut rest = significand;
        while rest > 0 {
            number.push((rest % BASE) as u32);
            rest /= BASE;
        }
        // m * 2^-k = m * 5^k / 10^k
        let (factor, chunk, mut left) = match exponent >= 0 {
            true => (2_u32, 29, exponent),
            false => (5_u32, 12, -exponent),
        };
        while left > 0 {
            let step = left.min(chunk);
            multiply(&mut number, factor.pow(step as u32));
            left -= step;
        }
        let mut digits = Vec::with_capacity(number.len() * 9);
        for (i, part) in number.iter().rev().enumerate() {
            let part = if i == 0 { format!("{part}") } else { format!("{part:09}") };
            digits.extend(part.bytes().map(|byte| byte - b'0'));
        }
        let point = digits.len() as i64 + i64::from(exponent.min(0));
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Digits { digits, point }
    }

    /// Rounds to so many digits (of 0.d1d2...), half to even.
    fn rounded(&self, count: i64) -> Digits {
        if count >= self.digits.len() as i64 || self.digits.is_empty() {
            return Digits { digits: self.digits.clone(), point: self.point };
        }
        if count < 0 {
            return Digits { digits: Vec::new(), point: 1 };
        }
        let count = count as usize;
        let mut digits = self.digits[..count].to_vec();
        let rest = &self.digits[count..];
        let odd = digits.last().is_some_and(|digit| digit % 2 == 1);
        let up = rest[0] > 5 || rest[0] == 5 && (rest.len() > 1 || odd);
        let mut point = self.point;
        if up {
            while digits.last() == Some(&9) {
                digits.pop();
            }
            match digits.last_mut() {
                Some(digit) => *digit += 1,
                None => {
                    digits.push(1);
                    point += 1;
                }
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        if digits.is_empty() {
            point = 1;
        }
        Digits { digits, point }
    }

    /// The digit so many places after the first one's place before the point.
    fn digit(&self, index: i64) -> char {
        let digit =
            usize::try_from(index).ok().and_then(|index| self.digits.get(index)).copied().unwrap_or(0);
        char::from(b'0' + digit)
    }

    fn fixed(&self, precision: usize, alternate: bool) -> String {
        let rounded = self.rounded(self.point + precision as i64);
        let mut text = String::with_capacity(precision + 24);
        match rounded.point > 0 {
            true => (0..rounded.point).for_each(|index| text.push(rounded.digit(index))),
            false => text.push('0'),
        }
        if precision > 0 || alternate {
            text.push('.');
        }
        let start = rounded.point;
        (start..start + precision as i64).for_each(|index| text.push(rounded.digit(index)));
        text
    }

    fn scientific(&self, precision: usize, alternate: bool) -> String {
        let rounded = self.rounded(precision as i64 + 1);
        let mut text = String::with_capacity(precision + 8);
        text.push(rounded.digit(0));
        if precision > 0 || alternate {
            text.push('.');
        }
        (1..=precision as i64).for_each(|index| text.push(rounded.digit(index)));
        let exponent = rounded.point - 1;
        let sign = if exponent < 0 { '-' } else { '+' };
        text.push_str(&format!("e{sign}{:02}", exponent.abs()));
        text
    }

    fn general(&self, precision: usize, alternate: bool) -> String {
        let exponent = self.rounded(precision as i64).point - 1;
        let mut text = match exponent >= -4 && exponent < precision as i64 {
            true => self.fixed((precision as i64 - 1 - exponent) as usize, alternate),
            false => self.scientific(precision - 1, alternate),
        };
        if !alternate && text.contains('.') {
            let tail = text.find('e').map_or(String::new(), |at| text.split_off(at));
            text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
            text.push_str(&tail);
        }
        text
    }
}

fn hexadecimal(significand: u64, exponent: i32, format: Format, style: Style) -> String {
    // Bits after the point: a double has one digit bit before it, an extended four.
    let places = match format {
        Format::Double => 52,
        Format::Extended => 60,
    };
    let point = if significand == 0 { 0 } else { exponent + places };
    let mut whole = significand >> places;
    let mut fraction = significand & ((1 << places) - 1);
    let mut point = point;
    let digits = places as usize / 4;
    let shown = match style.precision {
        None => digits - (fraction.trailing_zeros().min(places as u32) / 4) as usize,
        Some(precision) => precision,
    };
    if shown < digits {
        let cut = (digits - shown) * 4;
        let half = 1_u64 << (cut - 1);
        let lost = fraction & ((1 << cut) - 1);
        let kept = (u128::from(whole) << places | u128::from(fraction)) >> cut;
        let up = lost > half || lost == half && kept & 1 == 1;
        let kept = (kept + u128::from(up)) << cut;
        whole = (kept >> places) as u64;
        fraction = (kept as u64) & ((1 << places) - 1);
        if whole > 15 {
            whole = 1;
            point += 4;
        }
    }
    let mut text = format!("{whole:x}");
    if shown > 0 || style.alternate {
        text.push('.');
    }
    let all = format!("{fraction:0digits$x}");
    text.push_str(&all[..shown.min(digits)]);
    text.extend(std::iter::repeat_n('0', shown.saturating_sub(digits)));
    let sign = if point < 0 { '-' } else { '+' };
    text.push_str(&format!("p{sign}{}", point.abs()));
    text
}
