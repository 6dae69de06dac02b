//! The formatter against the host's own `vsnprintf`.

use super::files::Errno;
use super::format::{Arguments, format};
use super::varargs::Extended;
use crate::halt::Halt;
use crate::memory::Pointer;
use std::collections::VecDeque;
use std::ffi::CString;

/// An argument; strings live as long as the test.
#[derive(Clone, Debug)]
enum Given {
    Integer(u64),
    Double(f64),
    LongDouble(Extended),
    Text(CString),
    Null,
}

struct List {
    given: VecDeque<Given>,
    counts: Vec<u64>,
    texts: Vec<CString>,
}

impl List {
    fn new(given: &[Given]) -> Self {
        List { given: given.iter().cloned().collect(), counts: Vec::new(), texts: Vec::new() }
    }
}

impl Arguments for List {
    fn integer(&mut self, _bytes: u64) -> Result<u64, Halt> {
        match self.given.pop_front() {
            Some(Given::Integer(value)) => Ok(value),
            other => panic!("an integer is wanted, {other:?} is given"),
        }
    }

    fn double(&mut self) -> Result<f64, Halt> {
        match self.given.pop_front() {
            Some(Given::Double(value)) => Ok(value),
            other => panic!("a double is wanted, {other:?} is given"),
        }
    }

    fn long_double(&mut self) -> Result<Extended, Halt> {
        match self.given.pop_front() {
            Some(Given::LongDouble(value)) => Ok(value),
            other => panic!("a long double is wanted, {other:?} is given"),
        }
    }

    /// Texts are found again by their number, which stands for the address.
    fn pointer(&mut self) -> Result<Pointer, Halt> {
        let address = match self.given.pop_front() {
            Some(Given::Text(text)) => {
                self.texts.push(text);
                self.texts.len() as u64
            }
            Some(Given::Null) => 0,
            Some(Given::Integer(value)) => value,
            other => panic!("a pointer is wanted, {other:?} is given"),
        };
        Ok(Pointer { address, ..Pointer::NULL })
    }

    fn string(&mut self, at: Pointer, limit: Option<u64>) -> Result<Vec<u8>, Halt> {
        let text = self.texts[at.address as usize - 1].as_bytes();
        Ok(text[..text.len().min(limit.unwrap_or(u64::MAX) as usize)].to_vec())
    }

    fn wide_string(&mut self, at: Pointer, limit: Option<u64>) -> Result<Vec<u32>, Halt> {
        Ok(self.string(at, limit)?.into_iter().map(u32::from).collect())
    }

    fn print_address(&mut self, _pointer: Pointer) -> Result<(), Halt> {
        Ok(())
    }

    fn store(&mut self, _at: Pointer, _bytes: u64, value: u64) -> Result<(), Halt> {
        self.counts.push(value);
        Ok(())
    }

    fn utf8(&mut self) -> Result<bool, Halt> {
        Ok(false)
    }

    fn error_text(&mut self) -> Result<String, Halt> {
        Ok("an error".to_owned())
    }
}

fn ours(pattern: &str, given: &[Given]) -> Result<String, Errno> {
    let text = format(pattern.as_bytes(), &mut List::new(given)).expect("a supported format");
    text.map(|text| String::from_utf8_lossy(&text).into_owned())
}

#[repr(C)]
struct VaList {
    general: u32,
    vector: u32,
    overflow: *const u64,
    saved: *const u64,
}

unsafe extern "C" {
    fn vsnprintf(
        buffer: *mut libc::c_char,
        size: usize,
        pattern: *const libc::c_char,
        list: *mut VaList,
    ) -> libc::c_int;
}

fn theirs(pattern: &str, given: &[Given]) -> String {
    let mut area: Vec<u64> = Vec::new();
    for given in given {
        match given {
            Given::Integer(value) => area.push(*value),
            Given::Double(value) => area.push(value.to_bits()),
            Given::Text(text) => area.push(text.as_ptr() as u64),
            Given::Null => area.push(0),
            Given::LongDouble(value) => {
                if area.len() % 2 == 1 {
                    area.push(0);
                }
                area.extend([value.significand, u64::from(value.sign_exponent)]);
            }
        }
    }
    // The area must be aligned to 16 bytes for `long double`.
    let mut aligned = vec![0_u128; area.len().div_ceil(2) + 1];
    for (index, pair) in area.chunks(2).enumerate() {
        aligned[index] = u128::from(pair[0]) | u128::from(pair.get(1).copied().unwrap_or(0)) << 64;
    }
    let pattern = CString::new(pattern).expect("no zero in a format");
    let mut buffer = vec![0_u8; 1 << 16];
    let mut list =
        VaList { general: 48, vector: 304, overflow: aligned.as_ptr().cast(), saved: std::ptr::null() };
    // SAFETY: the list says that both register areas are used up, and the overflow area holds what the format asks for.
    let length = unsafe { vsnprintf(buffer.as_mut_ptr().cast(), buffer.len(), pattern.as_ptr(), &mut list) };
    assert!(length >= 0, "{pattern:?}");
    String::from_utf8_lossy(&buffer[..length as usize]).into_owned()
}

#[track_caller]
fn check(pattern: &str, given: &[Given]) {
    assert_eq!(ours(pattern, given), Ok(theirs(pattern, given)), "{pattern:?} of {given:?}");
}

fn text(text: &str) -> Given {
    Given::Text(CString::new(text).expect("no zero in a text"))
}

/// A small generator: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ self.0 >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ mixed >> 32
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    fn flags(&mut self) -> String {
        let mut flags = String::new();
        for flag in ['-', '+', ' ', '#', '0'] {
            if self.below(4) == 0 {
                flags.push(flag);
            }
        }
        flags
    }

    fn amounts(&mut self, width: u64, precision: u64) -> String {
        let mut text = String::new();
        if self.below(2) == 0 {
            text.push_str(&self.below(width).max(1).to_string());
        }
        match self.below(3) {
            0 => text.push_str(&format!(".{}", self.below(precision))),
            1 if self.below(6) == 0 => text.push('.'),
            _ => {}
        }
        text
    }
}

#[test]
fn integers() {
    let mut random = Random(1);
    for _ in 0..4000 {
        let (flags, amounts) = (random.flags(), random.amounts(24, 20));
        let size = random.pick(&["", "hh", "h", "l", "ll", "j", "z", "t"]);
        let letter = random.pick(&["d", "i", "u", "o", "x", "X"]);
        let shift = random.below(64);
        let value = match random.below(8) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << 63,
            _ => random.next() >> shift,
        };
        check(&format!("[%{flags}{amounts}{size}{letter}]"), &[Given::Integer(value)]);
    }
}

#[test]
fn doubles() {
    let mut random = Random(2);
    let special =
        [0.0, -0.0, 1.0, 0.5, 1.5, 2.5, 0.1, 1e22, 9.5, 99.5, 999_999.5, 1e-5, 0.0001, 5e-324, f64::MAX];
    let odd =
        [f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -f64::NAN, 123_456_789.0, 1e100];
    for _ in 0..6000 {
        let (flags, amounts) = (random.flags(), random.amounts(30, 25));
        let letter = random.pick(&["f", "F", "e", "E", "g", "G", "a", "A"]);
        // glibc 2.36 loses the zeros of "%#g" where rounding gives one more digit before the point.
        let flags = if letter.eq_ignore_ascii_case("g") { flags.replace('#', "") } else { flags };
        let value = match random.below(6) {
            0 => special[random.below(special.len() as u64) as usize],
            1 => odd[random.below(odd.len() as u64) as usize],
            2 => f64::from_bits(random.next()),
            3 => random.below(100_000) as f64 / 8.0,
            _ => (random.next() as i64) as f64 / 10_f64.powi(random.below(40) as i32),
        };
        check(&format!("[%{flags}{amounts}{letter}]"), &[Given::Double(value)]);
    }
    for value in [1.0, 0.0, 1234.5, 1e-7, 0.25, 1e20] {
        check("[%#g] [%#.3G] [%#.0g]", &std::array::from_fn::<_, 3, _>(|_| Given::Double(value)));
    }
    check("%.400f|%.1000g", &[Given::Double(5e-324), Given::Double(f64::MIN_POSITIVE / 3.0)]);
}

#[test]
fn long_doubles() {
    let mut random = Random(3);
    for _ in 0..3000 {
        let (flags, amounts) = (random.flags(), random.amounts(30, 25));
        let letter = random.pick(&["f", "e", "E", "g", "G"]);
        let flags = if letter.eq_ignore_ascii_case("g") { flags.replace('#', "") } else { flags };
        let exponent = match random.below(3) {
            0 => 16383 + random.below(80),
            1 => 16383 - random.below(80),
            _ => random.below(0x7fff),
        };
        let sign_exponent = exponent as u16 | (random.below(2) as u16) << 15;
        let shift = random.below(40);
        let significand = random.next() >> shift << shift | 1 << 63;
        let value = Extended { significand, sign_exponent };
        check(&format!("[%{flags}{amounts}L{letter}]"), &[Given::Integer(7), Given::LongDouble(value)][1..]);
    }
    for (significand, sign_exponent) in [(0, 0), (0, 0x8000), (1, 0), (1 << 63, 0x7fff), (3 << 62, 0x7fff)] {
        let value = Given::LongDouble(Extended { significand, sign_exponent });
        check("%Lf|%.3Le|%Lg|%La", &[value.clone(), value.clone(), value.clone(), value]);
    }
}

#[test]
fn long_doubles_in_hexadecimal() {
    let mut random = Random(4);
    for _ in 0..500 {
        let shift = random.below(60);
        let significand = random.next() >> shift << shift | 1 << 63;
        let value = Extended { significand, sign_exponent: 16383 - 40 + random.below(80) as u16 };
        check("%La|%LA|%30La|%.20La", &std::array::from_fn::<_, 4, _>(|_| Given::LongDouble(value)));
    }
}

#[test]
fn texts_and_characters() {
    for pattern in ["[%s]", "[%10s]", "[%-10s]", "[%.3s]", "[%10.2s]", "[%.0s]", "[%-8.10s]", "[%.s]"] {
        check(pattern, &[text("hello")]);
        check(pattern, &[text("")]);
        check(pattern, &[Given::Null]);
    }
    for pattern in ["[%c]", "[%5c]", "[%-5c]", "[%lc]"] {
        check(pattern, &[Given::Integer(65)]);
    }
    for pattern in ["[%p]", "[%20p]", "[%-20p]", "[%020p]", "[%+p]", "[%.12p]"] {
        check(pattern, &[Given::Integer(0x7fff_1234)]);
        check(pattern, &[Given::Null]);
    }
    check("100%% %d%%", &[Given::Integer(5)]);
    check("no conversion at all", &[]);
    check("", &[]);
}

#[test]
fn arguments_as_widths_and_by_position() {
    let integer = |value: i64| Given::Integer(value as u64);
    check("[%*d]", &[integer(8), integer(42)]);
    check("[%*d]", &[integer(-8), integer(42)]);
    check("[%.*d] [%.*d]", &[integer(5), integer(42), integer(-1), integer(7)]);
    check("[%-*.*f]", &[integer(12), integer(3), Given::Double(2.5)]);
    check("[%2$s %1$s]", &[text("world"), text("hello")]);
    check("[%3$d %1$d %2$d %1$x]", &[integer(10), integer(20), integer(30)]);
    check("[%2$*1$d]", &[integer(6), integer(42)]);
    check("[%3$.*2$f %1$s]", &[text("x"), integer(2), Given::Double(1.0 / 3.0)]);
}

#[test]
fn counts_and_errors() {
    let mut list = List::new(&[Given::Integer(12), Given::Integer(1), text("abc"), Given::Integer(2)]);
    let text = format(b"%d%n-%s%hhn %m", &mut list).expect("a supported format");
    assert_eq!(text, Ok(b"12-abc an error".to_vec()));
    assert_eq!(list.counts, [2, 6]);
    assert_eq!(ours("%lc", &[Given::Integer(0x20ac)]), Err(libc::EILSEQ));
    assert!(format(b"%y", &mut List::new(&[])).is_err());
    assert!(format(b"50%", &mut List::new(&[])).is_err());
}
