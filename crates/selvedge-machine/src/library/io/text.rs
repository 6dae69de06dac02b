//! Floats from text, correctly rounded, for every format.

use rustc_apfloat::ieee::{Double, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

/// The longest beginning of a text (in lower case, without a leading space) that is a float.
fn longest(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut at = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let hexadecimal = text[at..].starts_with("0x");
    at += if hexadecimal { 2 } else { 0 };
    let is_digit = |byte: &u8| if hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let mut point = false;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'.' if !point => point = true,
            byte if is_digit(byte) => {}
            _ => break,
        }
        at += 1;
    }
    // An exponent counts only with digits.
    let marker = if hexadecimal { b'p' } else { b'e' };
    if bytes.get(at) == Some(&marker) {
        let digits = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'-' | b'+')));
        let count = bytes[digits.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count > 0 {
            at = digits + count;
        }
    }
    &text[..at]
}

fn parse<F: Float>(text: &str) -> F {
    let (negative, magnitude) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let value = if magnitude.starts_with("inf") {
        F::INFINITY
    } else if magnitude.starts_with("nan") {
        F::NAN
    } else {
        let mut number = longest(magnitude).to_owned();
        if number.starts_with("0x") && !number.contains('p') {
            number.push_str("p0");
        }
        F::from_str_r(&number, Round::NearestTiesToEven).map_or(F::ZERO, |parsed| parsed.value)
    };
    if negative { -value } else { value }
}

/// The bytes in memory of the float of 4, 8 or 10 bytes that begins a text in lower case.
pub fn parse_float(text: &str, bytes: u64) -> Vec<u8> {
    let bits = match bytes {
        4 => parse::<Single>(text).to_bits(),
        8 => parse::<Double>(text).to_bits(),
        _ => parse::<X87DoubleExtended>(text).to_bits(),
    };
    bits.to_le_bytes()[..bytes as usize].to_vec()
}
