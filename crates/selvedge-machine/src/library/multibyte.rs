//! Conversion between bytes and wide characters. In the C locale only ASCII can be converted; in C.UTF-8 all of
//! Unicode.

use super::locale::utf8;
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use crate::traits::Reach;

type Model = fn(&mut Context<'_>) -> Result<Flow, Halt>;

const fn model(name: &'static str, run: Model) -> Native {
    Native::if_shared(name, Reach::Anything, run)
}

pub static NATIVES: &[Native] = &[
    model("btowc", btowc),
    model("wctob", wctob),
    model("mbsinit", mbsinit),
    model("mbrtowc", |context| mbrtowc(context, 0)),
    model("mbrlen", mbrlen),
    model("__mbrlen", mbrlen),
    model("mbtowc", mbtowc),
    model("mblen", mblen),
    model("wcrtomb", wcrtomb),
    model("wctomb", wctomb),
    model("mbsrtowcs", |context| mbsrtowcs(context, None, 2, 3)),
    model("mbsnrtowcs", |context| mbsrtowcs(context, Some(2), 3, 4)),
    model("mbstowcs", mbstowcs),
    model("wcsrtombs", |context| wcsrtombs(context, None, 2)),
    model("wcsnrtombs", |context| wcsrtombs(context, Some(2), 3)),
    model("wcstombs", wcstombs),
];

const INVALID: u64 = u64::MAX;
const INCOMPLETE: u64 = u64::MAX - 1;

/// What the bytes collected so far are.
#[derive(Debug, PartialEq, Eq)]
enum Decoded {
    Character(u32),
    Incomplete,
    Invalid,
}

/// Decodes one character from all of these bytes.
fn decode(bytes: &[u8], utf8: bool) -> Decoded {
    match bytes {
        [] => Decoded::Incomplete,
        &[byte] if byte < 0x80 => Decoded::Character(u32::from(byte)),
        _ if !utf8 => Decoded::Invalid,
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.chars().next().map_or(Decoded::Incomplete, |c| Decoded::Character(c as u32)),
            Err(error) if error.error_len().is_none() => Decoded::Incomplete,
            Err(_) => Decoded::Invalid,
        },
    }
}

/// Encodes one character.
fn encode(code: u32, utf8: bool) -> Option<Vec<u8>> {
    let character = char::from_u32(code).filter(|c| utf8 || c.is_ascii())?;
    Some(character.encode_utf8(&mut [0; 4]).as_bytes().to_vec())
}

/// The bytes of an incomplete character in a conversion state: their number, then they themselves.
fn load_state(context: &mut Context<'_>, state: Pointer) -> Result<Vec<u8>, Halt> {
    if state.is_null() {
        return Ok(Vec::new());
    }
    let bytes = context.read(state, 8)?;
    Ok(bytes[4..4 + usize::from(bytes[0]).min(3)].to_vec())
}

fn store_state(context: &mut Context<'_>, state: Pointer, pending: &[u8]) -> Result<(), Halt> {
    let mut bytes = [0; 8];
    bytes[0] = pending.len() as u8;
    bytes[4..4 + pending.len()].copy_from_slice(pending);
    if state.is_null() && pending.is_empty() { Ok(()) } else { context.write(state, &bytes) }
}

fn invalid(context: &mut Context<'_>) -> Result<u64, Halt> {
    context.set_errno(libc::EILSEQ)?;
    Ok(INVALID)
}

/// One character from a string of at most `limit` bytes; the value that mbrtowc returns.
fn convert(
    context: &mut Context<'_>,
    into: Pointer,
    from: Pointer,
    limit: u64,
    state: Pointer,
) -> Result<u64, Halt> {
    let utf8 = utf8(context)?;
    let mut bytes = load_state(context, state)?;
    for used in 1..=limit {
        bytes.push(context.read(from.offset(used as i64 - 1), 1)?[0]);
        match decode(&bytes, utf8) {
            Decoded::Character(code) => {
                if !into.is_null() {
                    context.write_int(into, 4, u64::from(code))?;
                }
                store_state(context, state, &[])?;
                return Ok(if code == 0 { 0 } else { used });
            }
            Decoded::Invalid => return invalid(context),
            Decoded::Incomplete => {}
        }
    }
    if !state.is_null() {
        store_state(context, state, &bytes)?;
    }
    Ok(INCOMPLETE)
}

fn mbrtowc(context: &mut Context<'_>, first: usize) -> Result<Flow, Halt> {
    let (into, from) = (context.pointer(first)?, context.pointer(first + 1)?);
    let (limit, state) = (context.int(first + 2)?, context.pointer(first + 3)?);
    let result = match from.is_null() {
        true if load_state(context, state)?.is_empty() => 0,
        true => invalid(context)?,
        false => convert(context, into, from, limit, state)?,
    };
    context.return_int(result)
}

fn mbrlen(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, limit, state) = (context.pointer(0)?, context.int(1)?, context.pointer(2)?);
    let result = if from.is_null() { 0 } else { convert(context, Pointer::NULL, from, limit, state)? };
    context.return_int(result)
}

/// Without a state of the caller's an incomplete character is as good as an invalid one.
fn stateless(context: &mut Context<'_>, into: Pointer, from: Pointer, limit: u64) -> Result<Flow, Halt> {
    let result = if from.is_null() { 0 } else { convert(context, into, from, limit, Pointer::NULL)? };
    context.return_int(if result == INCOMPLETE { INVALID } else { result })
}

fn mbtowc(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, from, limit) = (context.pointer(0)?, context.pointer(1)?, context.int(2)?);
    stateless(context, into, from, limit)
}

fn mblen(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (from, limit) = (context.pointer(0)?, context.int(1)?);
    stateless(context, Pointer::NULL, from, limit)
}

fn mbsinit(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let state = context.pointer(0)?;
    let initial = load_state(context, state)?.is_empty();
    context.return_int(u64::from(initial))
}

fn btowc(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let byte = context.int32(0)?;
    let code = if (0..128).contains(&byte) { byte } else { -1 };
    context.return_int(code as u64)
}

fn wctob(context: &mut Context<'_>) -> Result<Flow, Halt> {
    btowc(context)
}

fn put(context: &mut Context<'_>, into: Pointer, code: u32) -> Result<Flow, Halt> {
    let utf8 = utf8(context)?;
    let result = match encode(code, utf8) {
        Some(bytes) => {
            context.write(into, &bytes)?;
            bytes.len() as u64
        }
        None => invalid(context)?,
    };
    context.return_int(result)
}

fn wcrtomb(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, code) = (context.pointer(0)?, context.int(1)? as u32);
    if into.is_null() { context.return_int(1) } else { put(context, into, code) }
}

fn wctomb(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, code) = (context.pointer(0)?, context.int(1)? as u32);
    if into.is_null() { context.return_int(0) } else { put(context, into, code) }
}

/// A whole string to wide characters: how many, and where the conversion stopped (`None`: at the terminator).
fn widen(
    context: &mut Context<'_>,
    into: Pointer,
    mut from: Pointer,
    mut bytes: u64,
    room: u64,
    state: Pointer,
) -> Result<(u64, Option<Pointer>), Halt> {
    let utf8 = utf8(context)?;
    let mut pending = load_state(context, state)?;
    let mut count = 0;
    while (into.is_null() || count < room) && bytes > 0 {
        pending.push(context.read(from, 1)?[0]);
        match decode(&pending, utf8) {
            Decoded::Invalid => return Ok((invalid(context)?, Some(from.offset(1 - pending.len() as i64)))),
            Decoded::Incomplete => {}
            Decoded::Character(code) => {
                pending.clear();
                if !into.is_null() {
                    context.write_int(into.offset(4 * count as i64), 4, u64::from(code))?;
                }
                if code == 0 {
                    return Ok((count, None));
                }
                count += 1;
            }
        }
        from = from.offset(1);
        bytes -= 1;
    }
    if !into.is_null() {
        store_state(context, state, &pending)?;
    }
    Ok((count, Some(from)))
}

fn mbsrtowcs(
    context: &mut Context<'_>,
    limit: Option<usize>,
    room: usize,
    state: usize,
) -> Result<Flow, Halt> {
    let (into, source) = (context.pointer(0)?, context.pointer(1)?);
    let limit = limit.map_or(Ok(u64::MAX), |index| context.int(index))?;
    let (room, state) = (context.int(room)?, context.pointer(state)?);
    let from = context.read_pointer(source)?;
    let (count, stopped) = widen(context, into, from, limit, room, state)?;
    if !into.is_null() {
        context.write_pointer(source, stopped.unwrap_or(Pointer::NULL))?;
    }
    context.return_int(count)
}

fn mbstowcs(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, from, room) = (context.pointer(0)?, context.pointer(1)?, context.int(2)?);
    let (count, _) = widen(context, into, from, u64::MAX, room, Pointer::NULL)?;
    context.return_int(count)
}

/// A whole wide string to bytes: how many, and where the conversion stopped (`None`: at the terminator).
fn narrow(
    context: &mut Context<'_>,
    into: Pointer,
    mut from: Pointer,
    mut characters: u64,
    room: u64,
) -> Result<(u64, Option<Pointer>), Halt> {
    let utf8 = utf8(context)?;
    let mut count = 0;
    while characters > 0 {
        let code = context.read_int(from, 4)? as u32;
        let Some(bytes) = encode(code, utf8) else { return Ok((invalid(context)?, Some(from))) };
        if !into.is_null() {
            if count + bytes.len() as u64 > room {
                break;
            }
            context.write(into.offset(count as i64), &bytes)?;
        }
        if code == 0 {
            return Ok((count, None));
        }
        count += bytes.len() as u64;
        from = from.offset(4);
        characters -= 1;
    }
    Ok((count, Some(from)))
}

fn wcsrtombs(context: &mut Context<'_>, limit: Option<usize>, room: usize) -> Result<Flow, Halt> {
    let (into, source) = (context.pointer(0)?, context.pointer(1)?);
    let limit = limit.map_or(Ok(u64::MAX), |index| context.int(index))?;
    let room = context.int(room)?;
    let from = context.read_pointer(source)?;
    let (count, stopped) = narrow(context, into, from, limit, room)?;
    if !into.is_null() {
        context.write_pointer(source, stopped.unwrap_or(Pointer::NULL))?;
    }
    context.return_int(count)
}

fn wcstombs(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (into, from, room) = (context.pointer(0)?, context.pointer(1)?, context.int(2)?);
    let (count, _) = narrow(context, into, from, u64::MAX, room)?;
    context.return_int(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_and_encoding() {
        assert_eq!(decode(b"a", false), Decoded::Character(97));
        assert_eq!(decode(b"\xc3", false), Decoded::Invalid);
        assert_eq!(decode(b"\xc3", true), Decoded::Incomplete);
        assert_eq!(decode(b"\xc3\xa9", true), Decoded::Character(0xe9));
        assert_eq!(decode(b"\xff", true), Decoded::Invalid);
        assert_eq!(encode(0xe9, false), None);
        assert_eq!(encode(0xe9, true), Some(b"\xc3\xa9".to_vec()));
    }
}
