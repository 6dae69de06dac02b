//! Classification of characters. In every locale that is known here only ASCII has classes.

use super::globals::handout;
use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};

type Model = fn(&mut Context<'_>) -> Result<Flow, Halt>;

const fn model(name: &'static str, run: Model) -> Native {
    Native::private(name, run)
}

/// Models of a class: under its plain name and under those that take a locale.
macro_rules! classes {
    ($($mask:expr, $($name:literal)+;)+) => {
        &[$($(model($name, |context| classify(context, $mask)),)+)+]
    };
}

// The bits of glibc's table.
pub(super) const UPPER: u16 = 0x100;
pub(super) const LOWER: u16 = 0x200;
pub(super) const ALPHA: u16 = 0x400;
pub(super) const DIGIT: u16 = 0x800;
pub(super) const XDIGIT: u16 = 0x1000;
pub(super) const SPACE: u16 = 0x2000;
pub(super) const PRINT: u16 = 0x4000;
pub(super) const GRAPH: u16 = 0x8000;
pub(super) const BLANK: u16 = 0x1;
pub(super) const CNTRL: u16 = 0x2;
pub(super) const PUNCT: u16 = 0x4;
pub(super) const ALNUM: u16 = 0x8;

pub static CLASSES: &[Native] = classes! {
    UPPER, "isupper" "isupper_l" "__isupper_l";
    LOWER, "islower" "islower_l" "__islower_l";
    ALPHA, "isalpha" "isalpha_l" "__isalpha_l";
    DIGIT, "isdigit" "isdigit_l" "__isdigit_l";
    XDIGIT, "isxdigit" "isxdigit_l" "__isxdigit_l";
    SPACE, "isspace" "isspace_l" "__isspace_l";
    PRINT, "isprint" "isprint_l" "__isprint_l";
    GRAPH, "isgraph" "isgraph_l" "__isgraph_l";
    BLANK, "isblank" "isblank_l" "__isblank_l";
    CNTRL, "iscntrl" "iscntrl_l" "__iscntrl_l";
    PUNCT, "ispunct" "ispunct_l" "__ispunct_l";
    ALNUM, "isalnum" "isalnum_l" "__isalnum_l";
};

pub static NATIVES: &[Native] = &[
    model("isascii", |context| {
        let yes = (0..128).contains(&context.int32(0)?);
        context.return_int(u64::from(yes))
    }),
    model("toascii", |context| {
        let low = context.int(0)? & 0x7f;
        context.return_int(low)
    }),
    model("tolower", tolower),
    model("tolower_l", tolower),
    model("__tolower_l", tolower),
    model("toupper", toupper),
    model("toupper_l", toupper),
    model("__toupper_l", toupper),
    model("__ctype_b_loc", |context| location(context, "ctype classes")),
    model("__ctype_tolower_loc", |context| location(context, "ctype lower")),
    model("__ctype_toupper_loc", |context| location(context, "ctype upper")),
];

/// The classes of a character.
pub(super) fn classes(code: u32) -> u16 {
    let Some(byte) = u8::try_from(code).ok().filter(u8::is_ascii) else { return 0 };
    let bits = [
        (byte.is_ascii_uppercase(), UPPER),
        (byte.is_ascii_lowercase(), LOWER),
        (byte.is_ascii_alphabetic(), ALPHA),
        (byte.is_ascii_digit(), DIGIT),
        (byte.is_ascii_hexdigit(), XDIGIT),
        (byte == b' ' || (9..=13).contains(&byte), SPACE),
        (byte.is_ascii_graphic() || byte == b' ', PRINT),
        (byte.is_ascii_graphic(), GRAPH),
        (byte == b' ' || byte == b'\t', BLANK),
        (byte.is_ascii_control(), CNTRL),
        (byte.is_ascii_punctuation(), PUNCT),
        (byte.is_ascii_alphanumeric(), ALNUM),
    ];
    bits.iter().filter(|(yes, _)| *yes).fold(0, |all, (_, bit)| all | bit)
}

fn classify(context: &mut Context<'_>, mask: u16) -> Result<Flow, Halt> {
    let classes = classes(context.int(0)? as u32) & mask;
    context.return_int(u64::from(classes))
}

/// Character in, character out; negative ones as the table has them.
fn convert(code: i32, map: fn(&u8) -> u8) -> i32 {
    match u8::try_from(code) {
        Ok(byte) => i32::from(map(&byte)),
        Err(_) if (-128..-1).contains(&code) => code & 0xff,
        Err(_) => code,
    }
}

fn tolower(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let code = convert(context.int32(0)?, u8::to_ascii_lowercase);
    context.return_int(code as u64)
}

fn toupper(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let code = convert(context.int32(0)?, u8::to_ascii_uppercase);
    context.return_int(code as u64)
}

fn location(context: &mut Context<'_>, table: &'static str) -> Result<Flow, Halt> {
    let location = handout(context, table)?;
    context.return_pointer(location)
}

/// Puts a table for the characters from -128 to 255 into memory; returns where the pointer to character 0 is.
fn make_table<const N: usize>(
    machine: &mut Machine,
    entry: impl Fn(i32) -> [u8; N],
) -> Result<Pointer, Halt> {
    let bytes: Vec<u8> = (-128..256).flat_map(entry).collect();
    let table = machine.library_bytes(0, &bytes)?;
    let location = machine.library_bytes(0, &[0; 8])?;
    machine.memory.write(location.address, 8, table.address + 128 * N as u64, table.provenance);
    Ok(location)
}

fn class_entry(code: i32) -> [u8; 2] {
    if code < 0 { [0; 2] } else { classes(code as u32).to_le_bytes() }
}

/// The table that `__ctype_b_loc` leads to.
pub fn make_classes(machine: &mut Machine) -> Result<Pointer, Halt> {
    make_table(machine, class_entry)
}

/// The table that `__ctype_tolower_loc` leads to.
pub fn make_lower(machine: &mut Machine) -> Result<Pointer, Halt> {
    make_table(machine, |code| convert(code, u8::to_ascii_lowercase).to_le_bytes())
}

/// The table that `__ctype_toupper_loc` leads to.
pub fn make_upper(machine: &mut Machine) -> Result<Pointer, Halt> {
    make_table(machine, |code| convert(code, u8::to_ascii_uppercase).to_le_bytes())
}

#[cfg(test)]
mod tests {
    unsafe extern "C" {
        fn __ctype_b_loc() -> *const *const u16;
        fn __ctype_tolower_loc() -> *const *const i32;
        fn __ctype_toupper_loc() -> *const *const i32;
    }

    #[test]
    fn tables_are_those_of_the_c_library() {
        for code in -128_i32..256 {
            // SAFETY: the tables have entries for the characters from -128 to 255.
            let (class, lower, upper) = unsafe {
                let at = code as isize;
                let (classes, lower, upper) =
                    (*__ctype_b_loc(), *__ctype_tolower_loc(), *__ctype_toupper_loc());
                (*classes.offset(at), *lower.offset(at), *upper.offset(at))
            };
            assert_eq!(super::class_entry(code), class.to_le_bytes(), "{code}");
            assert_eq!(super::convert(code, u8::to_ascii_lowercase), lower, "{code}");
            assert_eq!(super::convert(code, u8::to_ascii_uppercase), upper, "{code}");
        }
    }
}
