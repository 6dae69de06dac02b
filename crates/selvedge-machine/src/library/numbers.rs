//! Numbers in text: strtol, strtod and their relatives.

use super::{long_double, wide};
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::traits::Reach;
use crate::traits::Trait::Plain;
use std::ffi::CString;

type Model = fn(&mut Context<'_>) -> Result<Flow, Halt>;

const fn model(name: &'static str, run: Model) -> Native {
    Native::if_shared(name, Reach::Anything, run)
}

/// Models under several names, with what is known of them.
macro_rules! models {
    ($($traits:expr, $run:expr, $($name:literal)+;)+) => { &[$($(model($name, $run).with($traits),)+)+] };
}

/// The models. The names with `isoc23` also accept binary numbers.
pub static NATIVES: &[Native] = models! {
    &[Plain], |c| integer(c, narrow, SIGNED), "strtol" "strtoll" "strtoimax" "strtoq" "strtol_l" "strtoll_l" "__strtol_internal"
        "__strtol_l" "__strtoll_l";
    &[Plain], |c| integer(c, narrow, UNSIGNED), "strtoul" "strtoull" "strtoumax" "strtouq" "strtoul_l" "strtoull_l"
        "__strtoul_l" "__strtoull_l" "__strtoul_internal";
    &[Plain], |c| integer(c, narrow, SIGNED_BINARY), "__isoc23_strtol" "__isoc23_strtoll" "__isoc23_strtoimax"
        "__isoc23_strtol_l" "__isoc23_strtoll_l";
    &[Plain], |c| integer(c, narrow, UNSIGNED_BINARY), "__isoc23_strtoul" "__isoc23_strtoull" "__isoc23_strtoumax"
        "__isoc23_strtoul_l" "__isoc23_strtoull_l";
    &[], |c| integer(c, wider, SIGNED), "wcstol" "wcstoll" "wcstoimax" "wcstol_l" "wcstoll_l";
    &[], |c| integer(c, wider, UNSIGNED), "wcstoul" "wcstoull" "wcstoumax" "wcstoul_l" "wcstoull_l";
    &[], |c| integer(c, wider, SIGNED_BINARY), "__isoc23_wcstol" "__isoc23_wcstoll" "__isoc23_wcstoimax";
    &[], |c| integer(c, wider, UNSIGNED_BINARY), "__isoc23_wcstoul" "__isoc23_wcstoull" "__isoc23_wcstoumax";
    &[Plain], plain_integer, "atoi" "atol" "atoll";
    &[], |c| double(c, narrow), "strtod" "strtod_l" "__strtod_l" "__strtod_internal";
    &[], |c| double(c, wider), "wcstod" "wcstod_l";
    &[], |c| float(c, narrow), "strtof" "strtof_l" "__strtof_l" "__strtof_internal";
    &[], |c| float(c, wider), "wcstof" "wcstof_l";
    &[], |c| extended(c, narrow), "strtold" "strtold_l" "__strtold_l" "__strtold_internal";
    &[], |c| extended(c, wider), "wcstold" "wcstold_l";
    &[], plain_double, "atof";
};

/// The finding-of-bits functions.
pub static BITS: &[Native] = models! {
    &[], |c| { let place = first_bit(u64::from(c.int(0)? as u32)); c.return_int(place) }, "ffs";
    &[], |c| { let place = first_bit(c.int(0)?); c.return_int(place) }, "ffsl" "ffsll";
};

fn first_bit(value: u64) -> u64 {
    if value == 0 { 0 } else { u64::from(value.trailing_zeros()) + 1 }
}

#[derive(Clone, Copy)]
struct Kind {
    signed: bool,
    binary: bool,
}

const SIGNED: Kind = Kind { signed: true, binary: false };
const UNSIGNED: Kind = Kind { signed: false, binary: false };
const SIGNED_BINARY: Kind = Kind { signed: true, binary: true };
const UNSIGNED_BINARY: Kind = Kind { signed: false, binary: true };

/// The beginning of a text that can be part of a number, and the size of a character.
type Read = fn(&mut Context<'_>) -> Result<(Vec<u8>, i64), Halt>;

fn is_space(byte: u8) -> bool {
    byte == b' ' || (9..=13).contains(&byte)
}

/// Tells where a number surely ends: leading space, then signs, digits, letters, and what `nan(...)` needs.
fn number_end() -> impl FnMut(u8) -> bool {
    let mut started = false;
    move |byte| {
        started |= !is_space(byte);
        started && !byte.is_ascii_alphanumeric() && !b"+-._()".contains(&byte)
    }
}

fn narrow(context: &mut Context<'_>) -> Result<(Vec<u8>, i64), Halt> {
    let from = context.pointer(0)?;
    let mut text = context.read_until(from, u64::MAX, number_end())?;
    text.pop();
    Ok((text, 1))
}

fn wider(context: &mut Context<'_>) -> Result<(Vec<u8>, i64), Halt> {
    let from = context.pointer(0)?;
    let mut end = number_end();
    let text = wide::read(context, from, u64::MAX)?;
    let bytes = text.iter().map(|&code| u8::try_from(code).unwrap_or(0));
    Ok((bytes.take_while(|&byte| byte != 0 && !end(byte)).collect(), 4))
}

/// A parsed integer.
#[derive(Debug, PartialEq, Eq)]
struct Integer {
    value: u64,
    /// Characters that belong to it, leading space included; 0 if there is no number.
    used: usize,
    overflow: bool,
}

/// Parses as strtol does; `base` is 0 or from 2 to 36.
fn parse(text: &[u8], base: u32, kind: Kind) -> Integer {
    let spaces = text.iter().take_while(|&&byte| is_space(byte)).count();
    let mut at = spaces;
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let digit = |at: usize, base: u32| text.get(at).and_then(|&byte| char::from(byte).to_digit(base));
    let prefix = |letter: u8, base: u32| {
        text.get(at) == Some(&b'0')
            && text.get(at + 1).is_some_and(|byte| byte.eq_ignore_ascii_case(&letter))
            && digit(at + 2, base).is_some()
    };
    let base = match base {
        0 | 16 if prefix(b'x', 16) => {
            at += 2;
            16
        }
        0 | 2 if kind.binary && prefix(b'b', 2) => {
            at += 2;
            2
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    let first = at;
    let (mut value, mut overflow) = (0_u64, false);
    while let Some(digit) = digit(at, base) {
        let (product, too_large) = value.overflowing_mul(u64::from(base));
        let (sum, carried) = product.overflowing_add(u64::from(digit));
        overflow |= too_large || carried;
        value = sum;
        at += 1;
    }
    if at == first {
        return Integer { value: 0, used: 0, overflow: false };
    }
    let limit = i64::MAX as u64 + u64::from(negative);
    let value = match (kind.signed, overflow || (kind.signed && value > limit)) {
        (true, true) => {
            overflow = true;
            limit
        }
        (false, true) => u64::MAX,
        (_, false) if negative => value.wrapping_neg(),
        (_, false) => value,
    };
    Integer { value, used: at, overflow }
}

/// Stores where the number ends.
fn store_end(context: &mut Context<'_>, used: usize, size: i64) -> Result<(), Halt> {
    let (from, end) = (context.pointer(0)?, context.pointer(1)?);
    match end {
        Pointer::NULL => Ok(()),
        end => context.write_pointer(end, from.offset(used as i64 * size)),
    }
}

fn integer(context: &mut Context<'_>, read: Read, kind: Kind) -> Result<Flow, Halt> {
    let base = context.int(2)? as u32;
    if base == 1 || base > 36 {
        context.set_errno(libc::EINVAL)?;
        return context.return_int(0);
    }
    let (text, size) = read(context)?;
    let integer = parse(&text, base, kind);
    if integer.overflow {
        context.set_errno(libc::ERANGE)?;
    }
    store_end(context, integer.used, size)?;
    context.return_int(integer.value)
}

fn plain_integer(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (text, _) = narrow(context)?;
    context.return_int(parse(&text, 10, SIGNED).value)
}

/// Calls one of the C library's own conversions with a copy of the text: the result, the characters that it used,
/// and the errno that it left.
pub(super) fn convert<T>(
    text: &[u8],
    call: impl FnOnce(*const libc::c_char, *mut *mut libc::c_char) -> T,
) -> (T, usize, i32) {
    let text: Vec<u8> = text.iter().copied().take_while(|&byte| byte != 0).collect();
    let text = CString::new(text).unwrap_or_default();
    let start = text.as_ptr();
    let mut end = start.cast_mut();
    // SAFETY: errno is the calling thread's own variable.
    unsafe { *libc::__errno_location() = 0 };
    let value = call(start, &mut end);
    // SAFETY: as above.
    let errno = unsafe { *libc::__errno_location() };
    (value, end as usize - start as usize, errno)
}

/// Stores the end and errno of a conversion.
fn finish(context: &mut Context<'_>, used: usize, size: i64, errno: i32) -> Result<(), Halt> {
    if errno != 0 {
        context.set_errno(errno)?;
    }
    store_end(context, used, size)
}

fn double(context: &mut Context<'_>, read: Read) -> Result<Flow, Halt> {
    let (text, size) = read(context)?;
    // SAFETY: `convert` passes a terminated string and a place for the end.
    let (value, used, errno) = convert(&text, |start, end| unsafe { libc::strtod(start, end) });
    finish(context, used, size, errno)?;
    context.return_double(value)
}

fn float(context: &mut Context<'_>, read: Read) -> Result<Flow, Halt> {
    let (text, size) = read(context)?;
    // SAFETY: `convert` passes a terminated string and a place for the end.
    let (value, used, errno) = convert(&text, |start, end| unsafe { libc::strtof(start, end) });
    finish(context, used, size, errno)?;
    context.return_slots(&[u64::from(value.to_bits())])
}

fn extended(context: &mut Context<'_>, read: Read) -> Result<Flow, Halt> {
    let (text, size) = read(context)?;
    let (value, used, errno) = long_double::parse(&text)?;
    finish(context, used, size, errno)?;
    context.return_slots(&value)
}

fn plain_double(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (text, _) = narrow(context)?;
    // SAFETY: `convert` passes a terminated string and a place for the end.
    let (value, ..) = convert(&text, |start, end| unsafe { libc::strtod(start, end) });
    context.return_double(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, base: u32, kind: Kind, value: i64, used: usize, overflow: bool) {
        let expected = Integer { value: value as u64, used, overflow };
        assert_eq!(parse(text.as_bytes(), base, kind), expected, "{text}");
    }

    #[test]
    fn integers() {
        check("  -42abc", 10, SIGNED, -42, 5, false);
        check("0x1fz", 0, SIGNED, 31, 4, false);
        check("0x", 0, SIGNED, 0, 1, false);
        check("077", 0, SIGNED, 63, 3, false);
        check("0b11", 0, SIGNED, 0, 1, false);
        check("0b11", 0, SIGNED_BINARY, 3, 4, false);
        check("zz", 36, SIGNED, 35 * 36 + 35, 2, false);
        check("+", 10, SIGNED, 0, 0, false);
        check("9223372036854775808", 10, SIGNED, i64::MAX, 19, true);
        check("-9223372036854775808", 10, SIGNED, i64::MIN, 20, false);
        check("-9223372036854775809", 10, SIGNED, i64::MIN, 20, true);
        check("-1", 10, UNSIGNED, -1, 2, false);
        check("18446744073709551616", 10, UNSIGNED, -1, 20, true);
    }
}
