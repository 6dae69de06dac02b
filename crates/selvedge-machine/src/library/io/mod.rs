//! Files, descriptors, streams, formatted input and output.

mod characters;
mod decimal;
mod descriptors;
mod ending;
pub mod files;
mod format;
mod host;
mod paths;
mod pipes;
mod printf;
mod status;
mod stdio;
mod streams;
mod transfer;
mod varargs;

pub use streams::provide_streams;

use crate::native::Native;

/// The tables of models.
pub static TABLES: &[&[Native]] = &[
    characters::NATIVES,
    descriptors::NATIVES,
    ending::NATIVES,
    paths::NATIVES,
    printf::NATIVES,
    stdio::NATIVES,
];
