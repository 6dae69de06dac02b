//! Models of the `scanf` family.

use super::scan::{Surroundings, scan};
use super::streams::{STDIN, stream_argument, stream_input};
use super::text::parse_float;
use super::transfer::native;
use super::varargs::Variadic;
use crate::halt::Halt;
use crate::memory::Pointer;
use crate::native::{Context, Flow, Native, Visibility};
use crate::traits::Trait::Plain;
use selvedge_trace::EventKind;

const SCANF: fn(&mut Context<'_>) -> Result<Flow, Halt> = |context| from_stream::<STDIN>(context, 0, None);
const VSCANF: fn(&mut Context<'_>) -> Result<Flow, Halt> =
    |context| from_stream::<STDIN>(context, 0, Some(1));
const FSCANF: fn(&mut Context<'_>) -> Result<Flow, Halt> = |context| from_stream::<0>(context, 1, None);
const VFSCANF: fn(&mut Context<'_>) -> Result<Flow, Halt> = |context| from_stream::<0>(context, 1, Some(2));
const SSCANF: fn(&mut Context<'_>) -> Result<Flow, Halt> = |context| from_memory(context, None);
const VSSCANF: fn(&mut Context<'_>) -> Result<Flow, Halt> = |context| from_memory(context, Some(2));

pub static NATIVES: &[Native] = &[
    native("scanf", stream_input::<STDIN>(), SCANF),
    native("__isoc99_scanf", stream_input::<STDIN>(), SCANF),
    native("__isoc23_scanf", stream_input::<STDIN>(), SCANF),
    native("vscanf", stream_input::<STDIN>(), VSCANF).taking_list(),
    native("__isoc99_vscanf", stream_input::<STDIN>(), VSCANF).taking_list(),
    native("__isoc23_vscanf", stream_input::<STDIN>(), VSCANF).taking_list(),
    native("fscanf", stream_input::<0>(), FSCANF),
    native("__isoc99_fscanf", stream_input::<0>(), FSCANF),
    native("__isoc23_fscanf", stream_input::<0>(), FSCANF),
    native("vfscanf", stream_input::<0>(), VFSCANF).taking_list(),
    native("__isoc99_vfscanf", stream_input::<0>(), VFSCANF).taking_list(),
    native("__isoc23_vfscanf", stream_input::<0>(), VFSCANF).taking_list(),
    native("sscanf", Visibility::IfShared, SSCANF).with(&[Plain]),
    native("__isoc99_sscanf", Visibility::IfShared, SSCANF).with(&[Plain]),
    native("__isoc23_sscanf", Visibility::IfShared, SSCANF).with(&[Plain]),
    native("vsscanf", Visibility::IfShared, VSSCANF).taking_list().with(&[Plain]),
    native("__isoc99_vsscanf", Visibility::IfShared, VSSCANF).taking_list().with(&[Plain]),
    native("__isoc23_vsscanf", Visibility::IfShared, VSSCANF).taking_list().with(&[Plain]),
];

/// Where the input comes from.
enum Input {
    Stream(Pointer),
    /// The next byte of a string.
    Memory(Pointer),
}

struct Call<'a, 'b> {
    context: &'a mut Context<'b>,
    variadic: Variadic,
    input: Input,
    /// What was read, for the event.
    taken: Vec<u8>,
}

impl Surroundings for Call<'_, '_> {
    fn next(&mut self) -> Result<Option<u8>, Halt> {
        let byte = match &mut self.input {
            Input::Stream(stream) => self.context.take_from_stream(*stream, 1, None)?.first().copied(),
            Input::Memory(at) => match self.context.read(*at, 1)?[0] {
                0 => None,
                byte => {
                    *at = at.offset(1);
                    Some(byte)
                }
            },
        };
        self.taken.extend(byte);
        Ok(byte)
    }

    fn put_back(&mut self, byte: u8) -> Result<(), Halt> {
        self.taken.pop();
        match &mut self.input {
            Input::Stream(stream) => self.context.change_stream(*stream, |stream| stream.pushed.push(byte)),
            Input::Memory(at) => {
                *at = at.offset(-1);
                Ok(())
            }
        }
    }

    fn pointer(&mut self) -> Result<Pointer, Halt> {
        self.variadic.pointer(self.context)
    }

    fn store(&mut self, at: Pointer, bytes: &[u8]) -> Result<(), Halt> {
        self.context.write(at, bytes)
    }

    fn store_block(&mut self, at: Pointer, bytes: &[u8]) -> Result<(), Halt> {
        match self.context.allocate_heap(bytes)? {
            Some(block) => self.context.write_pointer(at, block),
            None => Err(Halt::unsupported("amount of memory")),
        }
    }

    fn float(&mut self, text: &str, bytes: u64) -> Result<Vec<u8>, Halt> {
        Ok(parse_float(text, bytes))
    }
}

fn variadic(context: &Context<'_>, list: Option<usize>) -> Result<Variadic, Halt> {
    match list {
        Some(index) => Variadic::of_list(context, index),
        None => Ok(Variadic::of_call(context)),
    }
}

fn from_stream<const N: usize>(
    context: &mut Context<'_>,
    format: usize,
    list: Option<usize>,
) -> Result<Flow, Halt> {
    let stream = stream_argument::<N>(context)?;
    let format = context.path(format)?;
    let variadic = variadic(context, list)?;
    let mut call = Call { context, variadic, input: Input::Stream(stream), taken: Vec::new() };
    let done = scan(&format, &mut call)?;
    let taken = call.taken;
    context.event(EventKind::Input, stream.address, &taken, &[]);
    context.return_int(i64::from(done) as u64)
}

fn from_memory(context: &mut Context<'_>, list: Option<usize>) -> Result<Flow, Halt> {
    let (from, format) = (context.pointer(0)?, context.path(1)?);
    let variadic = variadic(context, list)?;
    let mut call = Call { context, variadic, input: Input::Memory(from), taken: Vec::new() };
    let done = scan(&format, &mut call)?;
    context.return_int(i64::from(done) as u64)
}
