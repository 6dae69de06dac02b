//! Models of the `printf` family.

use super::format::{Arguments, format};
use super::streams::{STDOUT, stream_output};
use super::transfer::{always_possible, native};
use super::varargs::{Extended, Variadic};
use crate::halt::Halt;
use crate::library::locale::utf8;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native, Visibility};
use crate::traits::Trait::{Plain, Prints};
use selvedge_trace::EventKind;

const DESCRIPTOR: Visibility = Visibility::Always {
    operation: |context| Ok(context.descriptor_operation(EventKind::Output, context.int32(0)?)),
    alternatives: always_possible,
};

pub static NATIVES: &[Native] = &[
    native("printf", stream_output::<STDOUT>(), |context| to_stream(context, None, 0, None))
        .with(&[Plain, Prints]),
    native("vprintf", stream_output::<STDOUT>(), |context| to_stream(context, None, 0, Some(1)))
        .taking_list()
        .with(&[Plain, Prints]),
    native("fprintf", stream_output::<0>(), |context| to_stream(context, Some(0), 1, None))
        .with(&[Plain, Prints]),
    native("vfprintf", stream_output::<0>(), |context| to_stream(context, Some(0), 1, Some(2)))
        .taking_list()
        .with(&[Plain, Prints]),
    native("__printf_chk", stream_output::<STDOUT>(), |context| to_stream(context, None, 1, None))
        .with(&[Plain, Prints]),
    native("__vprintf_chk", stream_output::<STDOUT>(), |context| to_stream(context, None, 1, Some(2)))
        .taking_list()
        .with(&[Plain, Prints]),
    native("__fprintf_chk", stream_output::<0>(), |context| to_stream(context, Some(0), 2, None))
        .with(&[Plain, Prints]),
    native("__vfprintf_chk", stream_output::<0>(), |context| to_stream(context, Some(0), 2, Some(3)))
        .taking_list()
        .with(&[Plain, Prints]),
    native("dprintf", DESCRIPTOR, |context| to_descriptor(context, None)).with(&[Plain]),
    native("vdprintf", DESCRIPTOR, |context| to_descriptor(context, Some(2))).taking_list().with(&[Plain]),
    native("sprintf", Visibility::IfShared, |context| to_buffer(context, None, 1, None)).with(&[Plain]),
    native("vsprintf", Visibility::IfShared, |context| to_buffer(context, None, 1, Some(2)))
        .taking_list()
        .with(&[Plain]),
    native("snprintf", Visibility::IfShared, |context| to_buffer(context, Some(1), 2, None)).with(&[Plain]),
    native("vsnprintf", Visibility::IfShared, |context| to_buffer(context, Some(1), 2, Some(3)))
        .taking_list()
        .with(&[Plain]),
    native("__sprintf_chk", Visibility::IfShared, |context| to_buffer(context, None, 3, None)).with(&[Plain]),
    native("__vsprintf_chk", Visibility::IfShared, |context| to_buffer(context, None, 3, Some(4)))
        .taking_list()
        .with(&[Plain]),
    native("__snprintf_chk", Visibility::IfShared, |context| to_buffer(context, Some(1), 4, None))
        .with(&[Plain]),
    native("__vsnprintf_chk", Visibility::IfShared, |context| to_buffer(context, Some(1), 4, Some(5)))
        .taking_list()
        .with(&[Plain]),
    native("asprintf", Visibility::IfShared, |context| to_block(context, 1, None)).with(&[Plain]),
    native("vasprintf", Visibility::IfShared, |context| to_block(context, 1, Some(2)))
        .taking_list()
        .with(&[Plain]),
    native("__asprintf_chk", Visibility::IfShared, |context| to_block(context, 2, None)).with(&[Plain]),
    native("__vasprintf_chk", Visibility::IfShared, |context| to_block(context, 2, Some(3)))
        .taking_list()
        .with(&[Plain]),
    native("wprintf", stream_output::<STDOUT>(), |context| to_wide_stream(context, None, 0, None)),
    native("vwprintf", stream_output::<STDOUT>(), |context| to_wide_stream(context, None, 0, Some(1)))
        .taking_list(),
    native("fwprintf", stream_output::<0>(), |context| to_wide_stream(context, Some(0), 1, None)),
    native("vfwprintf", stream_output::<0>(), |context| to_wide_stream(context, Some(0), 1, Some(2)))
        .taking_list(),
    native("swprintf", Visibility::IfShared, |context| to_wide_buffer(context, None)),
    native("vswprintf", Visibility::IfShared, |context| to_wide_buffer(context, Some(3))).taking_list(),
];

struct Source<'a, 'b> {
    context: &'a mut Context<'b>,
    variadic: Variadic,
}

impl Arguments for Source<'_, '_> {
    fn integer(&mut self, bytes: u64) -> Result<u64, Halt> {
        self.variadic.integer(self.context, bytes)
    }

    fn double(&mut self) -> Result<f64, Halt> {
        self.variadic.double(self.context)
    }

    fn long_double(&mut self) -> Result<Extended, Halt> {
        self.variadic.long_double(self.context)
    }

    fn pointer(&mut self) -> Result<Pointer, Halt> {
        self.variadic.pointer(self.context)
    }

    fn string(&mut self, at: Pointer, limit: Option<u64>) -> Result<Vec<u8>, Halt> {
        self.context.read_string(at, limit)
    }

    fn wide_string(&mut self, at: Pointer, limit: Option<u64>) -> Result<Vec<u32>, Halt> {
        self.context.read_wide_string(at, limit)
    }

    fn store(&mut self, at: Pointer, bytes: u64, value: u64) -> Result<(), Halt> {
        self.context.write_int(at, bytes, value)
    }

    fn print_address(&mut self, pointer: Pointer) -> Result<(), Halt> {
        self.context.expose(pointer.provenance)
    }

    fn utf8(&mut self) -> Result<bool, Halt> {
        utf8(self.context)
    }

    fn error_text(&mut self) -> Result<String, Halt> {
        self.context.error_text()
    }
}

impl Context<'_> {
    /// Reads wide characters up to a zero one; at most `limit`.
    pub(super) fn read_wide_string(&mut self, from: Pointer, limit: Option<u64>) -> Result<Vec<u32>, Halt> {
        let mut result = Vec::new();
        while limit.is_none_or(|limit| (result.len() as u64) < limit) {
            match self.read_int(from.offset(4 * result.len() as i64), 4)? as u32 {
                0 => break,
                character => result.push(character),
            }
        }
        Ok(result)
    }

    /// The text of the current errno.
    pub(super) fn error_text(&mut self) -> Result<String, Halt> {
        let at = self.errno_location()?;
        let number = self.read_int(at, 4)? as i32;
        Ok(crate::library::errors::message(number))
    }
}

/// The text; `None` after errno was set.
fn formatted(
    context: &mut Context<'_>,
    pattern: &[u8],
    list: Option<usize>,
) -> Result<Option<Vec<u8>>, Halt> {
    let variadic = match list {
        Some(index) => Variadic::of_list(context, index)?,
        None => Variadic::of_call(context),
    };
    match format(pattern, &mut Source { context, variadic })? {
        Ok(text) if text.len() <= i32::MAX as usize => Ok(Some(text)),
        Ok(_) => context.set_errno(libc::EOVERFLOW).map(|()| None),
        Err(errno) => context.set_errno(errno).map(|()| None),
    }
}

/// The text of a format argument; `None` after errno was set.
fn text(context: &mut Context<'_>, pattern: usize, list: Option<usize>) -> Result<Option<Vec<u8>>, Halt> {
    let pattern = context.pointer(pattern)?;
    let pattern = context.read_string(pattern, None)?;
    formatted(context, &pattern, list)
}

const FAILURE: u64 = u64::MAX;

fn to_stream(
    context: &mut Context<'_>,
    stream: Option<usize>,
    pattern: usize,
    list: Option<usize>,
) -> Result<Flow, Halt> {
    let stream = match stream {
        Some(index) => context.pointer(index)?,
        None => context.standard_stream(1)?,
    };
    let Some(text) = text(context, pattern, list)? else { return context.return_int(FAILURE) };
    match context.put_to_stream(stream, &text)? {
        true => context.return_int(text.len() as u64),
        false => context.return_int(FAILURE),
    }
}

fn to_descriptor(context: &mut Context<'_>, list: Option<usize>) -> Result<Flow, Halt> {
    let descriptor = context.int32(0)?;
    let Some(text) = text(context, 1, list)? else { return context.return_int(FAILURE) };
    let address = context.descriptor_address(descriptor);
    let result = context.write_descriptor(descriptor, &text, None);
    context.event(EventKind::Output, address, &[], &text);
    context.finish(result)
}

fn to_buffer(
    context: &mut Context<'_>,
    size: Option<usize>,
    pattern: usize,
    list: Option<usize>,
) -> Result<Flow, Halt> {
    let buffer = context.pointer(0)?;
    let size = size.map_or(Ok(u64::MAX), |index| context.int(index))?;
    let Some(text) = text(context, pattern, list)? else { return context.return_int(FAILURE) };
    if size > 0 {
        let mut part = text[..text.len().min(size as usize - 1)].to_vec();
        part.push(0);
        context.write(buffer, &part)?;
    }
    context.return_int(text.len() as u64)
}

fn to_block(context: &mut Context<'_>, pattern: usize, list: Option<usize>) -> Result<Flow, Halt> {
    let to = context.pointer(0)?;
    let Some(mut text) = text(context, pattern, list)? else { return context.return_int(FAILURE) };
    let length = text.len() as u64;
    text.push(0);
    match context.allocate_heap(&text)? {
        Some(block) => context.write_pointer(to, block)?,
        None => return context.fail(libc::ENOMEM),
    }
    context.return_int(length)
}

/// The text of a wide format: as the narrow one, as long as every character is in ASCII.
fn wide_text(
    context: &mut Context<'_>,
    pattern: usize,
    list: Option<usize>,
) -> Result<Option<Vec<u8>>, Halt> {
    let pattern = context.pointer(pattern)?;
    let pattern = context.read_wide_string(pattern, None)?;
    if pattern.iter().any(|&character| character > 0x7f) {
        return Err(Halt::unsupported("wide format with other characters than ASCII"));
    }
    let pattern: Vec<u8> = pattern.into_iter().map(|character| character as u8).collect();
    formatted(context, &pattern, list)
}

fn to_wide_stream(
    context: &mut Context<'_>,
    stream: Option<usize>,
    pattern: usize,
    list: Option<usize>,
) -> Result<Flow, Halt> {
    let stream = match stream {
        Some(index) => context.pointer(index)?,
        None => context.standard_stream(1)?,
    };
    if !context.orient_stream(stream, 1)? {
        return context.return_int(FAILURE);
    }
    let Some(text) = wide_text(context, pattern, list)? else { return context.return_int(FAILURE) };
    let done = context.put_to_stream(stream, &text)?;
    context.return_int(if done { text.len() as u64 } else { FAILURE })
}

fn to_wide_buffer(context: &mut Context<'_>, list: Option<usize>) -> Result<Flow, Halt> {
    let (buffer, size) = (context.pointer(0)?, context.int(1)?);
    let Some(text) = wide_text(context, 2, list)? else { return context.return_int(FAILURE) };
    if text.len() as u64 >= size {
        return context.return_int(FAILURE);
    }
    let wide: Vec<u8> = text.iter().chain(&[0]).flat_map(|&byte| u32::from(byte).to_le_bytes()).collect();
    context.write(buffer, &wide)?;
    context.return_int(text.len() as u64)
}
