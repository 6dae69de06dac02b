//! Strings of wide characters (four bytes each), and the classes of wide characters.

use super::{COMPARES, COPIES, FILLS, LOOKS, model};
use super::{bytes, ctype, locale};
use crate::halt::Halt;
use crate::memory::{ObjectKind, Pointer};
use crate::native::{Context, Flow, Native};
use crate::traits::Reach;
use crate::traits::Trait::{Fixed, Plain};
use std::cmp::Ordering;

macro_rules! classes {
    ($($mask:ident, $($name:literal)+;)+) => {
        &[$($(model($name, Reach::Nothing, |context| classify(context, ctype::$mask)),)+)+]
    };
}

pub static CLASSES: &[Native] = classes! {
    UPPER, "iswupper" "iswupper_l" "__iswupper_l";
    LOWER, "iswlower" "iswlower_l" "__iswlower_l";
    ALPHA, "iswalpha" "iswalpha_l" "__iswalpha_l";
    DIGIT, "iswdigit" "iswdigit_l" "__iswdigit_l";
    XDIGIT, "iswxdigit" "iswxdigit_l" "__iswxdigit_l";
    SPACE, "iswspace" "iswspace_l" "__iswspace_l";
    PRINT, "iswprint" "iswprint_l" "__iswprint_l";
    GRAPH, "iswgraph" "iswgraph_l" "__iswgraph_l";
    BLANK, "iswblank" "iswblank_l" "__iswblank_l";
    CNTRL, "iswcntrl" "iswcntrl_l" "__iswcntrl_l";
    PUNCT, "iswpunct" "iswpunct_l" "__iswpunct_l";
    ALNUM, "iswalnum" "iswalnum_l" "__iswalnum_l";
};

pub static NATIVES: &[Native] = &[
    model("towlower", Reach::Nothing, towlower),
    model("towlower_l", Reach::Nothing, towlower),
    model("__towlower_l", Reach::Nothing, towlower),
    model("towupper", Reach::Nothing, towupper),
    model("towupper_l", Reach::Nothing, towupper),
    model("__towupper_l", Reach::Nothing, towupper),
    model("wctype", Reach::Anything, wctype),
    model("iswctype", Reach::Anything, iswctype),
    model("wcslen", LOOKS, wcslen).with(&[Plain]),
    model("wcsnlen", LOOKS, wcsnlen).with(&[Plain]),
    model("wcscpy", COPIES, wcscpy).with(&[Plain]),
    model("wcsncpy", COPIES, wcsncpy).with(&[Plain]),
    model("wcscat", COPIES, wcscat).with(&[Plain]),
    model("wcscmp", COMPARES, wcscmp).with(&[Plain]),
    model("wcscoll", COMPARES, wcscmp).with(&[Plain]),
    model("wcscoll_l", COMPARES, wcscmp).with(&[Plain]),
    model("wcsncmp", COMPARES, wcsncmp).with(&[Plain]),
    model("wcsxfrm", COPIES, wcsxfrm),
    model("wcsxfrm_l", COPIES, wcsxfrm),
    model("wcschr", LOOKS, wcschr).with(&[Plain]),
    model("wcsrchr", LOOKS, wcsrchr).with(&[Plain]),
    model("wcsstr", COMPARES, wcsstr).with(&[Plain]),
    model("wcsspn", COMPARES, wcsspn).with(&[Plain]),
    model("wcscspn", COMPARES, wcscspn).with(&[Plain]),
    model("wcspbrk", COMPARES, wcspbrk).with(&[Plain]),
    model("wcsdup", Reach::Anything, wcsdup).with(&[Plain]),
    model("wmemcpy", COPIES, wmemcpy).with(&[Plain, Fixed]),
    model("wmemmove", COPIES, wmemcpy).with(&[Plain, Fixed]),
    model("wmemset", FILLS, wmemset).with(&[Plain, Fixed]),
    model("wmemcmp", COMPARES, wmemcmp).with(&[Plain]),
    model("wmemchr", LOOKS, wmemchr).with(&[Plain]),
];

const NAMES: [(&[u8], u16); 12] = [
    (b"upper", ctype::UPPER),
    (b"lower", ctype::LOWER),
    (b"alpha", ctype::ALPHA),
    (b"digit", ctype::DIGIT),
    (b"xdigit", ctype::XDIGIT),
    (b"space", ctype::SPACE),
    (b"print", ctype::PRINT),
    (b"graph", ctype::GRAPH),
    (b"blank", ctype::BLANK),
    (b"cntrl", ctype::CNTRL),
    (b"punct", ctype::PUNCT),
    (b"alnum", ctype::ALNUM),
];

/// Beyond ASCII only the C locale is simple: there nothing has a class.
fn simple(context: &mut Context<'_>, code: u32) -> Result<(), Halt> {
    match code > 0x7f && code != u32::MAX && locale::utf8(context)? {
        true => Err(Halt::unsupported(format!("class of the character U+{code:04X}"))),
        false => Ok(()),
    }
}

fn classify(context: &mut Context<'_>, mask: u16) -> Result<Flow, Halt> {
    let code = context.int(0)? as u32;
    simple(context, code)?;
    context.return_int(u64::from(ctype::classes(code) & mask))
}

fn towlower(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let code = context.int(0)? as u32;
    simple(context, code)?;
    let lower = if ctype::classes(code) & ctype::UPPER != 0 { code + 32 } else { code };
    context.return_int(u64::from(lower))
}

fn towupper(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let code = context.int(0)? as u32;
    simple(context, code)?;
    let upper = if ctype::classes(code) & ctype::LOWER != 0 { code - 32 } else { code };
    context.return_int(u64::from(upper))
}

fn wctype(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let name = context.pointer(0)?;
    let name = context.read_string(name, None)?;
    let mask = NAMES.iter().find(|(known, _)| *known == name).map_or(0, |(_, mask)| *mask);
    context.return_int(u64::from(mask))
}

fn iswctype(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let mask = context.int(1)? as u16;
    classify(context, mask)
}

/// The characters up to the terminator, at most `limit`.
pub(super) fn read(context: &mut Context<'_>, from: Pointer, limit: u64) -> Result<Vec<u32>, Halt> {
    let mut text = Vec::new();
    while (text.len() as u64) < limit {
        match context.read_int(from.offset(4 * text.len() as i64), 4)? as u32 {
            0 => break,
            code => text.push(code),
        }
    }
    Ok(text)
}

fn string(context: &mut Context<'_>, argument: usize) -> Result<Vec<u32>, Halt> {
    let from = context.pointer(argument)?;
    read(context, from, u64::MAX)
}

fn block(context: &mut Context<'_>, argument: usize, len: u64) -> Result<Vec<u32>, Halt> {
    let from = context.pointer(argument)?;
    let bytes = context.read(from, len.saturating_mul(4))?;
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

/// Writes characters.
fn write(context: &mut Context<'_>, to: Pointer, text: &[u32]) -> Result<(), Halt> {
    let bytes: Vec<u8> = text.iter().flat_map(|code| code.to_le_bytes()).collect();
    context.write(to, &bytes)
}

fn wcslen(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let len = string(context, 0)?.len();
    context.return_int(len as u64)
}

fn wcsnlen(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, limit) = (context.pointer(0)?, context.int(1)?);
    let len = read(context, from, limit)?.len();
    context.return_int(len as u64)
}

fn wcscpy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let to = context.pointer(0)?;
    let mut text = string(context, 1)?;
    text.push(0);
    write(context, to, &text)?;
    context.return_pointer(to)
}

fn wcsncpy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, from, len) = (context.pointer(0)?, context.pointer(1)?, context.int(2)?);
    let mut text = read(context, from, len)?;
    if len > 0 {
        context.machine.check_write(to, len.saturating_mul(4))?;
    }
    text.resize(len as usize, 0);
    write(context, to, &text)?;
    context.return_pointer(to)
}

fn wcscat(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let to = context.pointer(0)?;
    let before = string(context, 0)?.len();
    let mut text = string(context, 1)?;
    text.push(0);
    write(context, to.offset(4 * before as i64), &text)?;
    context.return_pointer(to)
}

/// The sign of a comparison; wide characters are signed.
fn sign(context: &mut Context<'_>, left: &[u32], right: &[u32]) -> Result<Flow, Halt> {
    let order = left.iter().map(|&code| code as i32).cmp(right.iter().map(|&code| code as i32));
    let value = match order {
        Ordering::Less => -1_i64,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    };
    context.return_int(value as u64)
}

fn wcscmp(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (left, right) = (string(context, 0)?, string(context, 1)?);
    sign(context, &left, &right)
}

fn wcsncmp(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (left, right, len) = (context.pointer(0)?, context.pointer(1)?, context.int(2)?);
    let (left, right) = (read(context, left, len)?, read(context, right, len)?);
    sign(context, &left, &right)
}

fn wcsxfrm(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, size) = (context.pointer(0)?, context.int(2)?);
    let mut text = string(context, 1)?;
    let len = text.len() as u64;
    if size > 0 {
        text.truncate(size as usize - 1);
        text.push(0);
        write(context, to, &text)?;
    }
    context.return_int(len)
}

fn found(context: &mut Context<'_>, start: Pointer, index: Option<usize>) -> Result<Flow, Halt> {
    context.return_pointer(index.map_or(Pointer::NULL, |index| start.offset(4 * index as i64)))
}

fn wcschr(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, wanted) = (context.pointer(0)?, context.int(1)? as u32);
    let mut text = string(context, 0)?;
    text.push(0);
    found(context, from, text.iter().position(|&code| code == wanted))
}

fn wcsrchr(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, wanted) = (context.pointer(0)?, context.int(1)? as u32);
    let mut text = string(context, 0)?;
    text.push(0);
    found(context, from, text.iter().rposition(|&code| code == wanted))
}

fn wcsstr(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let from = context.pointer(0)?;
    let (hay, needle) = (string(context, 0)?, string(context, 1)?);
    let index = match needle.is_empty() {
        true => Some(0),
        false => hay.windows(needle.len()).position(|window| window == needle),
    };
    found(context, from, index)
}

/// How many characters come before the first one that is in the set (`inside`) or that is not.
fn span(context: &mut Context<'_>, inside: bool) -> Result<(usize, bool), Halt> {
    let (text, set) = (string(context, 0)?, string(context, 1)?);
    let end = text.iter().position(|code| set.contains(code) == inside);
    Ok((end.unwrap_or(text.len()), end.is_none()))
}

fn wcsspn(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (len, _) = span(context, false)?;
    context.return_int(len as u64)
}

fn wcscspn(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (len, _) = span(context, true)?;
    context.return_int(len as u64)
}

fn wcspbrk(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let from = context.pointer(0)?;
    let (len, ended) = span(context, true)?;
    found(context, from, (!ended).then_some(len))
}

fn wcsdup(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let mut text = string(context, 0)?;
    text.push(0);
    let Some(copy) = context.allocate(4 * text.len() as u64, 16, ObjectKind::Heap) else {
        context.set_errno(libc::ENOMEM)?;
        return context.return_pointer(Pointer::NULL);
    };
    write(context, copy, &text)?;
    context.return_pointer(copy)
}

fn wmemcpy(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, from, len) = (context.pointer(0)?, context.pointer(1)?, context.int(2)?);
    context.copy(to, from, len.saturating_mul(4))?;
    context.return_pointer(to)
}

fn wmemset(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (to, code, len) = (context.pointer(0)?, context.int(1)? as u32, context.int(2)?);
    bytes::fill(context, to, 0, len.saturating_mul(4))?;
    write(context, to, &vec![code; len as usize])?;
    context.return_pointer(to)
}

fn wmemcmp(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let len = context.int(2)?;
    let (left, right) = (block(context, 0, len)?, block(context, 1, len)?);
    sign(context, &left, &right)
}

fn wmemchr(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, wanted, len) = (context.pointer(0)?, context.int(1)? as u32, context.int(2)?);
    for index in 0..len {
        if context.read_int(from.offset(4 * index as i64), 4)? as u32 == wanted {
            return found(context, from, Some(index as usize));
        }
    }
    found(context, from, None)
}
