//! The scanner against the host's own `vsscanf`.

use super::scan::{Surroundings, scan};
use super::text::parse_float;
use crate::halt::Halt;
use crate::memory::Pointer;
use std::ffi::CString;

/// Arguments are numbered; each has so much room.
const ROOM: usize = 64;
const ARGUMENTS: usize = 6;

#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    result: i32,
    stored: [[u8; ROOM]; ARGUMENTS],
}

struct Test<'a> {
    input: &'a [u8],
    at: usize,
    next: u64,
    stored: [[u8; ROOM]; ARGUMENTS],
}

impl Surroundings for Test<'_> {
    fn next(&mut self) -> Result<Option<u8>, Halt> {
        let byte = self.input.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        Ok(byte)
    }

    fn put_back(&mut self, byte: u8) -> Result<(), Halt> {
        self.at -= 1;
        assert_eq!(self.input[self.at], byte);
        Ok(())
    }

    fn pointer(&mut self) -> Result<Pointer, Halt> {
        self.next += 1;
        Ok(Pointer { address: self.next - 1, ..Pointer::NULL })
    }

    fn store(&mut self, at: Pointer, bytes: &[u8]) -> Result<(), Halt> {
        self.stored[at.address as usize][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn store_block(&mut self, at: Pointer, bytes: &[u8]) -> Result<(), Halt> {
        self.store(at, bytes)
    }

    fn float(&mut self, text: &str, bytes: u64) -> Result<Vec<u8>, Halt> {
        Ok(parse_float(text, bytes))
    }
}

fn ours(input: &str, format: &str) -> Outcome {
    let mut test = Test { input: input.as_bytes(), at: 0, next: 0, stored: [[0xaa; ROOM]; ARGUMENTS] };
    let result = scan(format.as_bytes(), &mut test).expect("a supported format");
    Outcome { result, stored: test.stored }
}

#[repr(C)]
struct VaList {
    general: u32,
    vector: u32,
    overflow: *const u64,
    saved: *const u64,
}

unsafe extern "C" {
    #[link_name = "__isoc99_vsscanf"]
    fn vsscanf(input: *const libc::c_char, format: *const libc::c_char, list: *mut VaList) -> libc::c_int;
}

fn theirs(input: &str, format: &str) -> Outcome {
    let (input, format) = (CString::new(input).expect("no zero"), CString::new(format).expect("no zero"));
    let mut stored = [[0xaa_u8; ROOM]; ARGUMENTS];
    let area: Vec<u64> = stored.iter_mut().map(|room| room.as_mut_ptr() as u64).collect();
    let mut list = VaList { general: 48, vector: 304, overflow: area.as_ptr(), saved: std::ptr::null() };
    // SAFETY: both register areas are said to be used up; the overflow area holds as many pointers as any format
    // here asks for, each with more room than any conversion here fills.
    let result = unsafe { vsscanf(input.as_ptr(), format.as_ptr(), &mut list) };
    Outcome { result, stored }
}

#[track_caller]
fn check(input: &str, format: &str) {
    assert_eq!(ours(input, format), theirs(input, format), "{input:?} by {format:?}");
}

#[test]
fn integers() {
    let inputs = [
        "12",
        " -34",
        "+7",
        "0x1f",
        "0X1F",
        "017",
        "08",
        "0",
        "-0",
        "0x",
        "0xg",
        "-",
        "+",
        "",
        "  ",
        "abc",
        "12abc",
        "99999999999",
        "-99999999999",
        "99999999999999999999999",
        "-99999999999999999999999",
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551615",
        "1 2",
        "1,2",
        "--5",
        "0b11",
        "٣",
        "255",
        "ffff",
        "(nil)",
    ];
    for input in inputs {
        for letter in ["d", "i", "u", "o", "x", "X"] {
            for size in ["", "hh", "h", "l", "ll", "j", "z", "t", "*", "1", "2", "3", "5"] {
                check(input, &format!("%{size}{letter}%n"));
            }
        }
        check(input, "%p%n");
    }
}

#[test]
fn floats() {
    let inputs = [
        "1",
        "-1.5",
        "+.5",
        "5.",
        ".",
        "1e5",
        "1e",
        "1e+",
        "1e-3x",
        "1E2",
        "0x1p4",
        "0x1.8p-1",
        "0x",
        "0x.8",
        "0xp3",
        "inf",
        "-Infinity",
        "INFINITE",
        "nan",
        "-NaN",
        "na",
        "in",
        "infx",
        "1e400",
        "-1e-400",
        "0.1",
        "3.4028236e38",
        "1e-45",
        "123456789012345678901234567890",
        "4.9e-324",
        "2.2250738585072011e-308",
        "",
        "  ",
        "x",
        "1.2.3",
        "1e5e5",
        "0",
        "-0",
        "00.5",
        "1p5",
        "9007199254740993",
        "0x1.fffffffffffff8p0",
        "8.5e-46",
        "1e99999999999999999999",
        "-1e-99999999999999999999",
        "0x1p99999999999999999999",
        "0x1p-99999999999999999999",
        "0e99999999999999999999",
    ];
    for input in inputs {
        for format in ["%f%n", "%lf%n", "%3f%n", "%4lg%n", "%*e%n", "%1lf%n", "%2lf%n", "%f%c", "%lf,%n"] {
            check(input, format);
        }
    }
}

#[test]
fn long_floats() {
    // Of the sixteen bytes of a `long double` only ten are defined.
    for input in
        ["1.5", "0.1", "-1e4000", "1e5000", "3.6e-4951", "0x1.8p100", "inf", "12345678901234567890.5"]
    {
        let (mut ours, mut theirs) = (ours(input, "%Lf%n"), theirs(input, "%Lf%n"));
        ours.stored[0][10..].fill(0);
        theirs.stored[0][10..].fill(0);
        assert_eq!(ours, theirs, "{input:?}");
    }
}

#[test]
fn texts_and_sets() {
    let inputs = [
        "hello world",
        "  two words",
        "",
        " ",
        "a",
        "abc-def]x",
        "]]a",
        "^^a",
        "12-34",
        "tab\there",
        "%5",
        "a%b",
    ];
    let formats = [
        "%s",
        "%s%n",
        "%5s%n",
        "%1s",
        "%c",
        "%3c",
        "%20c",
        " %c",
        "%s%s",
        "%s %s",
        "%*s%s",
        "%[a-z]",
        "%[^a-z]%n",
        "%[]]%n",
        "%[^]]%n",
        "%[a-]%n",
        "%3[a-z ]%n",
        "%[^ ]%c%s",
        "%%%d",
        " %%",
        "%s%%",
        "a%s",
        "ab%c",
        "%*[a-z]%n",
        "%[0-9]-%[0-9]",
        "%d-%d",
        "%n",
        " %n",
        "%ls",
        "%lc",
        "hello %s%n",
        "%2c%n%s",
    ];
    for input in inputs {
        for format in formats {
            check(input, format);
        }
    }
}
