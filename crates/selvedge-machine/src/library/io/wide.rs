//! Models of the functions that read and write wide characters through `FILE` streams.

use super::format::narrow;
use super::streams::{STDIN, STDOUT, stream_argument, stream_input, stream_look, stream_output};
use super::transfer::native;
use crate::halt::Halt;
use crate::library::locale::utf8;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native};
use selvedge_trace::EventKind;

/// `WEOF`.
const END: u64 = u64::MAX;

pub static NATIVES: &[Native] = &[
    native("fgetwc", stream_input::<0>(), get::<0>),
    native("getwc", stream_input::<0>(), get::<0>),
    native("getwchar", stream_input::<STDIN>(), get::<STDIN>),
    native("ungetwc", stream_look::<1>(), unget),
    native("fputwc", stream_output::<1>(), put::<1>),
    native("putwc", stream_output::<1>(), put::<1>),
    native("putwchar", stream_output::<STDOUT>(), put::<STDOUT>),
    native("fputws", stream_output::<1>(), put_text),
];

fn get<const N: usize>(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = stream_argument::<N>(context)?;
    if !context.orient_stream(stream, 1)? {
        return context.return_int(END);
    }
    let mut bytes = context.take_from_stream(stream, 1, None)?;
    let more = match bytes.first() {
        Some(0xc2..=0xdf) => 1,
        Some(0xe0..=0xef) => 2,
        Some(0xf0..=0xf4) => 3,
        _ => 0,
    };
    if utf8(context)? {
        bytes.extend(context.take_from_stream(stream, more, None)?);
    }
    context.event(EventKind::Input, stream.address, &bytes, &[]);
    let character = std::str::from_utf8(&bytes).ok().map(|text| text.chars().next());
    match character {
        Some(character) => context.return_int(character.map_or(END, |character| character as u64)),
        None => unrepresentable(context, stream),
    }
}

fn unrepresentable(context: &mut Context<'_>, stream: Pointer) -> Result<Flow, Halt> {
    context.stream_failed(stream, libc::EILSEQ)?;
    context.return_int(END)
}

fn unget(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (character, stream) = (context.int(0)? as u32, context.pointer(1)?);
    context.event(EventKind::Input, stream.address, &[], &[]);
    let readable = context.stream(stream)?.readable;
    let bytes = narrow(&[character], utf8(context)?, usize::MAX);
    let Some(bytes) = bytes.filter(|_| readable) else { return context.return_int(END) };
    context.change_stream(stream, |stream| {
        stream.pushed.extend(bytes.iter().rev());
        stream.end = false;
    })?;
    context.return_int(u64::from(character))
}

/// Writes wide characters; tells whether that went well.
fn write(context: &mut Context<'_>, stream: Pointer, characters: &[u32]) -> Result<bool, Halt> {
    if !context.orient_stream(stream, 1)? {
        return Ok(false);
    }
    match narrow(characters, utf8(context)?, usize::MAX) {
        Some(text) => context.put_to_stream(stream, &text),
        None => context.stream_failed(stream, libc::EILSEQ).map(|()| false),
    }
}

fn put<const N: usize>(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let character = context.int(0)? as u32;
    let stream = stream_argument::<N>(context)?;
    let done = write(context, stream, &[character])?;
    context.return_int(if done { u64::from(character) } else { END })
}

fn put_text(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (text, stream) = (context.pointer(0)?, context.pointer(1)?);
    let text = context.read_wide_string(text, None)?;
    let done = write(context, stream, &text)?;
    context.return_int(if done { 1 } else { END })
}
