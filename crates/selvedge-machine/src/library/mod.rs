//! Models of C library functions.
//!
//! Each file is one family with a table `NATIVES`. Functions that are ordinary code (qsort, exit, ...) are not
//! here but in C, in `selvedge-libc`.

pub mod atomics;
pub mod bytes;
pub mod ctype;
pub mod environment;
pub mod errors;
pub mod globals;
pub mod host;
pub mod inputs;
pub mod io;
pub mod locale;
pub mod long_double;
pub mod math;
pub mod memory;
pub mod multibyte;
pub mod numbers;
pub mod overflow;
pub mod process;
pub mod rand;
pub mod random;
pub mod signals;
pub mod string;
pub mod time;
pub mod wide;

use crate::halt::Halt;
use crate::native::{Context, Flow, Native};
use crate::traits::Access::{Reads, Value, Writes};
use crate::traits::Reach;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What a function on strings reaches: it reads what its first argument points to.
const LOOKS: Reach = Reach::Arguments(&[Reads, Value, Value, Value]);
/// It reads what its first two arguments point to.
const COMPARES: Reach = Reach::Arguments(&[Reads, Reads, Value, Value]);
/// It writes to where its first argument points, and reads the second.
const COPIES: Reach = Reach::Arguments(&[Writes, Reads, Value, Value]);
/// It writes to where its first argument points.
const FILLS: Reach = Reach::Arguments(&[Writes, Value, Value, Value]);

/// A function on memory that other threads see only if they share it.
const fn model(name: &'static str, reach: Reach, run: fn(&mut Context<'_>) -> Result<Flow, Halt>) -> Native {
    Native::if_shared(name, reach, run)
}

/// All models by name.
static BY_NAME: LazyLock<FxHashMap<&'static str, &'static Native>> = LazyLock::new(|| {
    let tables: &[&'static [Native]] = &[
        atomics::NATIVES,
        ctype::CLASSES,
        ctype::NATIVES,
        crate::interpret::UNWIND_NATIVES,
        environment::NATIVES,
        errors::NATIVES,
        inputs::ANY,
        inputs::BYTES,
        inputs::OTHERS,
        locale::NATIVES,
        long_double::UNARY,
        long_double::BINARY,
        long_double::TERNARY,
        long_double::INTEGERS,
        long_double::NATIVES,
        math::UNARY,
        math::BINARY,
        math::INTEGERS,
        math::SCALING,
        math::NATIVES,
        memory::NATIVES,
        multibyte::NATIVES,
        numbers::BITS,
        numbers::NATIVES,
        overflow::NATIVES,
        process::NATIVES,
        rand::NATIVES,
        random::NATIVES,
        signals::NATIVES,
        string::NATIVES,
        time::NATIVES,
        wide::CLASSES,
        wide::NATIVES,
    ];
    let others = io::TABLES.iter().chain(crate::sync::TABLES).copied();
    let all = tables.iter().copied().chain(others).flatten();
    all.map(|native| (native.name, native)).collect()
});

/// All models.
#[cfg(test)]
pub fn all() -> impl Iterator<Item = &'static Native> {
    BY_NAME.values().copied()
}

/// The model of a function.
pub fn find(name: &str) -> Option<&'static Native> {
    match selvedge_program::without_crate_number(name) {
        Some(name) => BY_NAME.get(&*name).copied(),
        None => BY_NAME.get(name).copied(),
    }
}

/// Whether the machine models a function itself.
pub fn is_modelled(name: &str) -> bool {
    find(name).is_some()
}
