//! The header that C and C++ programs which ask for inputs need to be compiled. It is kept in the cache, under a name that
//! says what is in it.

use super::cache;
use super::error::DriverError;
use std::path::{Path, PathBuf};

const HEADER: &str = include_str!("../../../../include/selvedge.h");

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

/// Writes a file that others may be reading.
pub fn replace(file: &Path, text: &str) -> Result<(), DriverError> {
    let unfinished = file.with_extension("unfinished");
    cache::write(&unfinished, text)?;
    std::fs::rename(&unfinished, file).map_err(|cause| cache::not_written(file, cause))
}
