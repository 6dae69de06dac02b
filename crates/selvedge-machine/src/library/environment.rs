//! Environment variables.
//!
//! The environment is memory of the program: an array of strings that `environ` points to. Changing it makes a new
//! array, as the C library does, so that a loop over the old one is not disturbed.

use super::bytes;
use crate::halt::Halt;
use crate::memory::{ObjectKind, Pointer};
use crate::native::{Context, Flow, Native, Visibility};
use crate::traits::Reach;
use crate::traits::Trait::{ChangesEnvironment, ReadsEnvironment};
use selvedge_trace::{EventKind, Operation};

/// The names of the variable that points to the environment.
pub const VARIABLES: [&str; 3] = ["environ", "__environ", "_environ"];

const VISIBLE: Visibility = Visibility::Always { operation, alternatives: |_| 1 };

pub static NATIVES: &[Native] = &[
    Native::visible("getenv", VISIBLE, Reach::Anything, getenv).with(&[ReadsEnvironment]),
    Native::visible("secure_getenv", VISIBLE, Reach::Anything, getenv).with(&[ReadsEnvironment]),
    Native::visible("__secure_getenv", VISIBLE, Reach::Anything, getenv).with(&[ReadsEnvironment]),
    Native::visible("setenv", VISIBLE, Reach::Anything, setenv).with(&[ChangesEnvironment]),
    Native::visible("unsetenv", VISIBLE, Reach::Anything, unsetenv).with(&[ChangesEnvironment]),
    Native::visible("putenv", VISIBLE, Reach::Anything, putenv).with(&[ChangesEnvironment]),
    Native::visible("clearenv", VISIBLE, Reach::Anything, clearenv).with(&[ChangesEnvironment]),
];

fn operation(context: &mut Context<'_>) -> Result<Operation, Halt> {
    let address = variable(context).unwrap_or(context.machine.world.environment.address);
    Ok(Operation { size: 8, ..Operation::sync(EventKind::LibraryCall, address) })
}

/// Where the program's `environ` is, if it names it.
fn variable(context: &Context<'_>) -> Option<u64> {
    let program = &context.machine.program;
    let id = VARIABLES.iter().find_map(|&name| program.globals_by_name.get(name))?;
    Some(program.globals[*id as usize].address)
}

fn environment(context: &mut Context<'_>) -> Pointer {
    match variable(context) {
        Some(address) => context.machine.memory.read_pointer(address),
        None => context.machine.world.environment,
    }
}

/// The strings of the environment.
fn entries(context: &mut Context<'_>) -> Result<Vec<Pointer>, Halt> {
    let array = environment(context);
    let mut result = Vec::new();
    if array.is_null() {
        return Ok(result);
    }
    loop {
        let entry = context.read_pointer(array.offset(8 * result.len() as i64))?;
        if entry.is_null() {
            return Ok(result);
        }
        result.push(entry);
    }
}

/// Index and value of a variable.
fn find(context: &mut Context<'_>, name: &[u8]) -> Result<Option<(usize, Pointer)>, Halt> {
    for (index, entry) in entries(context)?.into_iter().enumerate() {
        let text = context.read_string(entry, None)?;
        if text.len() > name.len() && text.starts_with(name) && text[name.len()] == b'=' {
            return Ok(Some((index, entry.offset(name.len() as i64 + 1))));
        }
    }
    Ok(None)
}

/// Replaces the environment.
fn install(context: &mut Context<'_>, entries: &[Pointer]) -> Result<(), Halt> {
    context.drain();
    let array = context.allocate(8 * (entries.len() as u64 + 1), 16, ObjectKind::Library);
    let array = array.ok_or_else(|| Halt::unsupported("amount of memory"))?;
    context.machine.memory.share(array.provenance);
    for (index, &entry) in entries.iter().chain([&Pointer::NULL]).enumerate() {
        context.write_pointer(array.offset(8 * index as i64), entry)?;
    }
    context.machine.world.environment = array;
    let program = context.machine.program.clone();
    for id in VARIABLES.iter().filter_map(|&name| program.globals_by_name.get(name)) {
        let address = program.globals[*id as usize].address;
        context.machine.memory.write(address, 8, array.address, array.provenance);
    }
    Ok(())
}

fn note(context: &mut Context<'_>) -> Result<(), Halt> {
    let operation = operation(context)?;
    context.event(operation.kind, operation.address, &[], &[]);
    Ok(())
}

/// A variable's name; `None` where it cannot be one.
fn name(context: &mut Context<'_>) -> Result<Option<Vec<u8>>, Halt> {
    let pointer = context.pointer(0)?;
    if pointer.is_null() {
        return Ok(None);
    }
    let name = context.read_string(pointer, None)?;
    Ok((!name.is_empty() && bytes::find_bytes(&name, b"=").is_none()).then_some(name))
}

fn getenv(context: &mut Context<'_>) -> Result<Flow, Halt> {
    note(context)?;
    let value = match name(context)? {
        Some(name) => find(context, &name)?.map(|(_, value)| value),
        None => None,
    };
    context.return_pointer(value.unwrap_or(Pointer::NULL))
}

/// Sets or adds the entry of a variable.
fn replace(context: &mut Context<'_>, name: &[u8], entry: Pointer) -> Result<(), Halt> {
    let mut all = entries(context)?;
    match find(context, name)? {
        Some((index, _)) => all[index] = entry,
        None => all.push(entry),
    }
    install(context, &all)
}

fn setenv(context: &mut Context<'_>) -> Result<Flow, Halt> {
    note(context)?;
    let value = context.pointer(1)?;
    let Some(name) = name(context)? else { return context.fail(libc::EINVAL) };
    if context.int32(2)? == 0 && find(context, &name)?.is_some() {
        return context.return_int(0);
    }
    let mut entry = name.clone();
    entry.push(b'=');
    entry.extend(context.read_string(value, None)?);
    entry.push(0);
    let entry = context.allocate_bytes(&entry)?;
    replace(context, &name, entry)?;
    context.return_int(0)
}

fn unsetenv(context: &mut Context<'_>) -> Result<Flow, Halt> {
    note(context)?;
    let Some(name) = name(context)? else { return context.fail(libc::EINVAL) };
    let mut all = entries(context)?;
    while let Some((index, _)) = find(context, &name)? {
        all.remove(index);
        install(context, &all)?;
    }
    context.return_int(0)
}

fn putenv(context: &mut Context<'_>) -> Result<Flow, Halt> {
    note(context)?;
    let entry = context.pointer(0)?;
    let text = context.read_string(entry, None)?;
    match bytes::find_bytes(&text, b"=") {
        Some(end) => {
            replace(context, &text[..end], entry)?;
            context.return_int(0)
        }
        None => unsetenv(context),
    }
}

fn clearenv(context: &mut Context<'_>) -> Result<Flow, Halt> {
    note(context)?;
    install(context, &[])?;
    context.return_int(0)
}
