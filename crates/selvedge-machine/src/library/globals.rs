//! Variables of the C library that programs name directly, and objects that models hand out.
//!
//! All of them are made at the start, in the first thread's arena, so that their addresses do not depend on which
//! thread asks first. What is only read by the program stays private: looking at it is nothing that others could
//! notice.

use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::{Pointer, Provenance};
use crate::native::Context;
use std::sync::Arc;

/// Makes an object.
type Make = fn(&mut Machine) -> Result<Pointer, Halt>;

/// Objects that models hand out: the name of the object, the functions that need it, how it is made.
static HANDOUTS: &[(&str, &[&str], Make)] = &[
    ("conventions", &["localeconv"], super::locale::make_conventions),
    (
        "ctype classes",
        &["__ctype_b_loc", "newlocale", "__newlocale", "duplocale", "__duplocale"],
        super::ctype::make_classes,
    ),
    (
        "ctype lower",
        &["__ctype_tolower_loc", "newlocale", "__newlocale", "duplocale", "__duplocale"],
        super::ctype::make_lower,
    ),
    (
        "ctype upper",
        &["__ctype_toupper_loc", "newlocale", "__newlocale", "duplocale", "__duplocale"],
        super::ctype::make_upper,
    ),
    ("locale", super::locale::USERS, super::locale::make_locale),
    ("rand", super::rand::USERS, super::rand::make_state),
    ("signals", super::signals::USERS, super::signals::make_table),
    ("time", super::time::USERS, super::time::make_results),
    ("version", &["gnu_get_libc_version"], |machine| text(machine, b"2.36")),
];

/// Gives values to the C library's variables, and makes what models hand out.
pub fn provide_globals(machine: &mut Machine) -> Result<(), Halt> {
    let environment = machine.world.environment;
    for name in super::environment::VARIABLES {
        set(machine, name, 8, environment);
    }
    let path = machine.config.program_name.clone();
    let short = path.rsplit('/').next().unwrap_or(&path).to_owned();
    let (path, short) = (text(machine, path.as_bytes())?, text(machine, short.as_bytes())?);
    for (name, value) in [
        ("program_invocation_name", path),
        ("__progname_full", path),
        ("program_invocation_short_name", short),
        ("__progname", short),
    ] {
        set(machine, name, 8, value);
    }
    super::io::provide_streams(machine)?;
    for (name, size) in [("__libc_single_threaded", 1), ("timezone", 8), ("daylight", 4), ("signgam", 4)] {
        set(machine, name, size, Pointer::NULL);
    }
    let zone = text(machine, b"UTC")?;
    set_at(machine, "tzname", 0, 8, zone);
    set_at(machine, "tzname", 8, 8, zone);
    for &(key, users, make) in HANDOUTS {
        let program = machine.program.clone();
        if program.externals.iter().any(|external| users.contains(&&*external.name)) {
            let object = make(machine)?;
            Arc::make_mut(&mut machine.world.handouts).insert(key, object);
        }
    }
    Ok(())
}

/// Writes a variable, if the program names it and does not define it itself.
fn set(machine: &mut Machine, name: &str, size: u64, value: Pointer) {
    set_at(machine, name, 0, size, value);
}

/// As `set`, for a part of the variable.
fn set_at(machine: &mut Machine, name: &str, offset: u64, size: u64, value: Pointer) {
    let program = machine.program.clone();
    let Some(&id) = program.globals_by_name.get(name) else { return };
    let global = &program.globals[id as usize];
    if global.external && global.size >= offset + size {
        let provenance = if size == 8 { value.provenance } else { Provenance::NONE };
        machine.memory.write(global.address + offset, size as usize, value.address, provenance);
        machine.memory.share(provenance);
    }
}

/// A string of the library's own.
pub fn text(machine: &mut Machine, bytes: &[u8]) -> Result<Pointer, Halt> {
    let bytes = [bytes, b"\0"].concat();
    machine.library_bytes(0, &bytes)
}

/// An object that was made at the start.
pub fn handout(context: &Context<'_>, key: &'static str) -> Result<Pointer, Halt> {
    let object = context.machine.world.handouts.get(key).copied();
    object.ok_or_else(|| {
        Halt::unsupported(format!("call by address of a function that needs library data ({key})"))
    })
}

/// Bytes behind an object of the library that say which threads have used it.
pub const MARKS: usize = 16;
/// Several threads.
const SEVERAL: u64 = u64::MAX;

/// Notes that a thread looks at something that the library keeps for all threads, or changes it. No other can see when it
/// does, so the order of a change and of what another thread does with it would not be explored: the execution is given up.
pub fn use_unseen(context: &mut Context<'_>, marks: Pointer, writes: bool, what: &str) -> Result<(), Halt> {
    if context.machine.threads.len() < 2 {
        return Ok(());
    }
    // Not through the buffers of threads: the marks are no memory of the program's.
    let (writers, readers) = (marks.address, marks.address + 8);
    let mark = |context: &mut Context<'_>, at: u64, users: u64| {
        context.machine.memory.write(at, 8, users, Provenance::NONE);
    };
    if context.machine.comes_after_all(context.thread) {
        mark(context, writers, 0);
        mark(context, readers, 0);
        return Ok(());
    }
    let own = u64::from(crate::sync::handle_of(context.machine, context.thread));
    let mut users = |at: u64| context.machine.memory.read(at, 8).value;
    let (writer, reader) = (users(writers), users(readers));
    let others = |users: u64| users != 0 && users != own;
    if others(writer) || (writes && others(reader)) {
        return Err(Halt::unsupported(format!("{what} that a thread changes while others use it")));
    }
    match writes {
        true => mark(context, writers, own),
        false => mark(context, readers, if others(reader) { SEVERAL } else { own }),
    }
    Ok(())
}
