//! What programs that ask for inputs need to be compiled: a header for C and C++, a crate for Rust. Both are kept in the
//! cache, under names that say what is in them.

use super::cache;
use super::error::DriverError;
use super::process;
use super::tools::Tool;
use std::path::{Path, PathBuf};
use std::process::Command;

const HEADER: &str = include_str!("../../../../include/selvedge.h");
const CRATE: &str = include_str!("../../../selvedge-inputs/src/lib.rs");

/// The folder with `selvedge.h`.
pub fn c_folder() -> Result<PathBuf, DriverError> {
    let folder = cache::folder().join(format!("include-{}", cache::key([HEADER])));
    let file = folder.join("selvedge.h");
    if std::fs::read(&file).is_ok_and(|bytes| bytes == HEADER.as_bytes()) {
        return Ok(folder);
    }
    let _lock = cache::lock(&cache::folder())?;
    cache::create_folder(&folder)?;
    replace(&file, HEADER)?;
    Ok(folder)
}

/// The compiled crate, if the source mentions it.
pub fn rust_library(rustc: &Tool, source: &Path, verbose: bool) -> Result<Option<PathBuf>, DriverError> {
    let mentioned = std::fs::read_to_string(source).is_ok_and(|text| text.contains("selvedge::"));
    if !mentioned {
        return Ok(None);
    }
    let folder = cache::folder().join(format!("crate-{}", cache::key([CRATE, &rustc.version])));
    let library = folder.join("libselvedge.rlib");
    if library.is_file() {
        return Ok(Some(library));
    }
    let _lock = cache::lock(&cache::folder())?;
    if library.is_file() {
        return Ok(Some(library));
    }
    cache::create_folder(&folder)?;
    let source = folder.join("lib.rs");
    replace(&source, CRATE)?;
    let unfinished = folder.join("unfinished.rlib");
    let mut command = Command::new(&rustc.program);
    command.args([
        "--edition=2021",
        "--crate-name",
        "selvedge",
        "--crate-type=rlib",
        "-g",
        "-C",
        "embed-bitcode=yes",
    ]);
    command
        .args(["-C", "codegen-units=1", "-C", "opt-level=0", "-o"])
        .arg(&unfinished)
        .arg("--")
        .arg(&source);
    process::compile(&mut command, "Selvedge's crate of inputs", verbose)?;
    std::fs::rename(&unfinished, &library).map_err(|cause| cache::not_written(&library, cause))?;
    Ok(Some(library))
}

/// Writes a file that others may be reading.
fn replace(file: &Path, text: &str) -> Result<(), DriverError> {
    let unfinished = file.with_extension("unfinished");
    cache::write(&unfinished, text)?;
    std::fs::rename(&unfinished, file).map_err(|cause| cache::not_written(file, cause))
}
