//! Files, descriptors, streams, formatted input and output.

mod characters;
mod decimal;
mod descriptors;
mod ending;
pub mod files;
#[cfg(test)]
mod files_tests;
mod format;
#[cfg(test)]
mod format_tests;
mod host;
mod overlay;
mod paths;
mod pipes;
mod polling;
mod printf;
mod scan;
#[cfg(test)]
mod scan_tests;
mod scanf;
mod status;
mod stdio;
pub mod streams;
mod text;
mod transfer;
mod varargs;
mod wide;

pub use streams::provide_streams;

use crate::native::Native;

/// The tables of models.
pub static TABLES: &[&[Native]] = &[
    characters::NATIVES,
    descriptors::NATIVES,
    ending::NATIVES,
    paths::NATIVES,
    polling::NATIVES,
    printf::NATIVES,
    scanf::NATIVES,
    stdio::NATIVES,
    wide::NATIVES,
];
