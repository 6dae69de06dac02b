//! Models of the functions that read and write characters, lines and blocks through `FILE` streams.

use super::streams::{Need, STDIN, STDOUT, stream_argument, stream_input, stream_look, stream_output};
use super::transfer::native;
use crate::halt::Halt;
use crate::memory::{ObjectKind, Pointer};
use crate::native::{Context, Flow, Native, Visibility};
use crate::traits::Trait::{FillsFirst, Fixed, GivesByte, Plain, Prints, ReadsLine};
use selvedge_trace::{EventKind, Operation};

/// `EOF`, and `WEOF` too.
const END: u64 = u64::MAX;

/// A function that reads and may have to wait for more than one byte.
const fn reading(
    operation: fn(&mut Context<'_>) -> Result<Operation, Halt>,
    alternatives: fn(&mut Context<'_>) -> u32,
) -> Visibility {
    Visibility::Always { operation, alternatives }
}

fn reads<const N: usize>(context: &mut Context<'_>) -> Result<Operation, Halt> {
    Ok(Operation::sync(EventKind::Input, stream_argument::<N>(context)?.address))
}

/// `fread`; the stream is the argument N, the size and the count are those before it.
const fn block<const N: usize>() -> Visibility {
    reading(reads::<N>, |context| {
        let size = context.int(N - 2).unwrap_or(0);
        let count = size.saturating_mul(context.int(N - 1).unwrap_or(0));
        ready(context, N, Need { count: count as usize, stop: None })
    })
}

/// `fgets`; the stream is the argument N, the size is the one before it.
const fn line<const N: usize>() -> Visibility {
    reading(reads::<N>, |context| {
        let count = context.int32(N - 1).map_or(0, |size| size.saturating_sub(1).max(0) as usize);
        ready(context, N, Need { count, stop: Some(b'\n') })
    })
}

const WHOLE_LINE: Visibility =
    reading(reads::<2>, |context| ready(context, 2, Need { count: usize::MAX, stop: Some(b'\n') }));
const UP_TO: Visibility = reading(reads::<3>, |context| {
    let stop = context.int(2).map(|delimiter| delimiter as u8).ok();
    ready(context, 3, Need { count: usize::MAX, stop })
});

fn ready(context: &mut Context<'_>, stream: usize, need: Need) -> u32 {
    let Ok(stream) = context.pointer(stream) else { return 1 };
    u32::from(context.stream_has(stream, need))
}

pub static NATIVES: &[Native] = &[
    native("fgetc", stream_input::<0>(), get::<0>).with(&[GivesByte]),
    native("fgetc_unlocked", stream_input::<0>(), get::<0>).with(&[GivesByte]),
    native("getc", stream_input::<0>(), get::<0>).with(&[GivesByte]),
    native("getc_unlocked", stream_input::<0>(), get::<0>).with(&[GivesByte]),
    native("_IO_getc", stream_input::<0>(), get::<0>).with(&[GivesByte]),
    native("__uflow", stream_input::<0>(), get::<0>),
    native("getchar", stream_input::<STDIN>(), get::<STDIN>).with(&[GivesByte]),
    native("getchar_unlocked", stream_input::<STDIN>(), get::<STDIN>).with(&[GivesByte]),
    native("ungetc", stream_look::<1>(), unget),
    native("fputc", stream_output::<1>(), |context| put::<1>(context, 0)).with(&[Plain, Prints]),
    native("fputc_unlocked", stream_output::<1>(), |context| put::<1>(context, 0)).with(&[Plain, Prints]),
    native("putc", stream_output::<1>(), |context| put::<1>(context, 0)).with(&[Plain, Prints]),
    native("putc_unlocked", stream_output::<1>(), |context| put::<1>(context, 0)).with(&[Plain, Prints]),
    native("_IO_putc", stream_output::<1>(), |context| put::<1>(context, 0)).with(&[Plain, Prints]),
    native("__overflow", stream_output::<0>(), |context| put::<0>(context, 1)),
    native("putchar", stream_output::<STDOUT>(), |context| put::<STDOUT>(context, 0)).with(&[Plain, Prints]),
    native("putchar_unlocked", stream_output::<STDOUT>(), |context| put::<STDOUT>(context, 0))
        .with(&[Plain, Prints]),
    native("fputs", stream_output::<1>(), fputs).with(&[Plain, Prints]),
    native("fputs_unlocked", stream_output::<1>(), fputs).with(&[Plain, Prints]),
    native("puts", stream_output::<STDOUT>(), puts).with(&[Plain, Prints]),
    native("fwrite", stream_output::<3>(), fwrite).with(&[Plain, Fixed, Prints]),
    native("fwrite_unlocked", stream_output::<3>(), fwrite).with(&[Plain, Prints, Fixed]),
    native("fread", block::<3>(), fread::<3>).with(&[FillsFirst]),
    native("fread_unlocked", block::<3>(), fread::<3>).with(&[FillsFirst]),
    native("__fread_chk", block::<4>(), fread::<4>).with(&[FillsFirst]),
    native("__fread_unlocked_chk", block::<4>(), fread::<4>).with(&[FillsFirst]),
    native("fgets", line::<2>(), fgets::<2>).with(&[FillsFirst, ReadsLine]),
    native("fgets_unlocked", line::<2>(), fgets::<2>).with(&[FillsFirst, ReadsLine]),
    native("__fgets_chk", line::<3>(), fgets::<3>).with(&[FillsFirst, ReadsLine]),
    native("__fgets_unlocked_chk", line::<3>(), fgets::<3>).with(&[FillsFirst, ReadsLine]),
    native("getline", WHOLE_LINE, getline).reaching_anything(),
    native("getdelim", UP_TO, getdelim).reaching_anything(),
    native("__getdelim", UP_TO, getdelim).reaching_anything(),
];

fn take_one(context: &mut Context<'_>, stream: Pointer) -> Result<Option<u8>, Halt> {
    let byte = context.take_from_stream(stream, 1, None)?;
    context.event(EventKind::Input, stream.address, &byte, &[]);
    Ok(byte.first().copied())
}

fn get<const N: usize>(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = stream_argument::<N>(context)?;
    let byte = take_one(context, stream)?;
    context.return_int(byte.map_or(END, u64::from))
}

fn unget(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (value, stream) = (context.int32(0)?, context.pointer(1)?);
    context.event(EventKind::Input, stream.address, &[], &[]);
    if value == -1 || !context.stream(stream)?.readable {
        return context.return_int(END);
    }
    context.change_stream(stream, |stream| {
        stream.pushed.push(value as u8);
        stream.end = false;
    })?;
    context.return_int(u64::from(value as u8))
}

fn put<const N: usize>(context: &mut Context<'_>, value: usize) -> Result<Flow, Halt> {
    let byte = context.int(value)? as u8;
    let stream = stream_argument::<N>(context)?;
    let done = context.put_to_stream(stream, &[byte])?;
    context.return_int(if done { u64::from(byte) } else { END })
}

fn fputs(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (text, stream) = (context.pointer(0)?, context.pointer(1)?);
    let text = context.read_string(text, None)?;
    let done = context.put_to_stream(stream, &text)?;
    context.return_int(if done { 1 } else { END })
}

fn puts(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let text = context.pointer(0)?;
    let mut text = context.read_string(text, None)?;
    text.push(b'\n');
    let stream = context.standard_stream(1)?;
    let done = context.put_to_stream(stream, &text)?;
    context.return_int(if done { text.len() as u64 } else { END })
}

fn fwrite(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (buffer, size, count) = (context.pointer(0)?, context.int(1)?, context.int(2)?);
    let stream = context.pointer(3)?;
    let total =
        size.checked_mul(count).ok_or_else(|| Halt::unsupported("fwrite of more than the address space"))?;
    // Structures are written with the gaps between their members, which never get a value.
    let bytes = context.read_for_outside(buffer, total)?;
    let done = context.put_to_stream(stream, &bytes)?;
    context.return_int(if done && size > 0 { count } else { 0 })
}

fn fread<const N: usize>(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (buffer, size, count) = (context.pointer(0)?, context.int(N - 2)?, context.int(N - 1)?);
    let stream = context.pointer(N)?;
    let total =
        size.checked_mul(count).ok_or_else(|| Halt::unsupported("fread of more than the address space"))?;
    let bytes = context.take_from_stream(stream, total as usize, None)?;
    context.write(buffer, &bytes)?;
    context.event(EventKind::Input, stream.address, &bytes, &[]);
    context.return_int((bytes.len() as u64).checked_div(size).unwrap_or(0))
}

fn fgets<const N: usize>(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (buffer, size, stream) = (context.pointer(0)?, context.int32(N - 1)?, context.pointer(N)?);
    if size <= 0 {
        return context.return_pointer(Pointer::NULL);
    }
    let mut bytes = context.take_from_stream(stream, size as usize - 1, Some(b'\n'))?;
    context.event(EventKind::Input, stream.address, &bytes, &[]);
    if bytes.is_empty() && size > 1 {
        return context.return_pointer(Pointer::NULL);
    }
    bytes.push(0);
    context.write(buffer, &bytes)?;
    context.return_pointer(buffer)
}

fn getline(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let stream = context.pointer(2)?;
    take_line(context, stream, b'\n')
}

fn getdelim(context: &mut Context<'_>) -> Result<Flow, Halt> {
    let (delimiter, stream) = (context.int(2)? as u8, context.pointer(3)?);
    take_line(context, stream, delimiter)
}

fn take_line(context: &mut Context<'_>, stream: Pointer, delimiter: u8) -> Result<Flow, Halt> {
    /// What glibc allocates for a first line.
    const FIRST: u64 = 120;
    let (line_at, size_at) = (context.pointer(0)?, context.pointer(1)?);
    let old = context.read_pointer(line_at)?;
    let mut size = if old.is_null() { 0 } else { context.read_int(size_at, 8)? };
    let mut bytes = context.take_from_stream(stream, usize::MAX, Some(delimiter))?;
    context.event(EventKind::Input, stream.address, &bytes, &[]);
    let needed = bytes.len() as u64 + 1;
    let mut block = old;
    if size < needed {
        size = if size == 0 { FIRST.max(needed) } else { needed.max(2 * size) };
        let Some(new) = context.allocate(size, 16, ObjectKind::Heap) else {
            return context.fail(libc::ENOMEM);
        };
        context.free_heap(old)?;
        context.write_pointer(line_at, new)?;
        context.write_int(size_at, 8, size)?;
        block = new;
    }
    if bytes.is_empty() {
        return context.return_int(END);
    }
    bytes.push(0);
    context.write(block, &bytes)?;
    context.return_int(needed - 1)
}
