//! Modules that the user brings along.
//!
//! LLVM's reader is made for what LLVM wrote: damaged files can crash it. So a process of its own, this program again,
//! reads such a module first and writes it anew; what it wrote can be trusted, and its death is an ordinary error.

use super::error::DriverError;
use super::{ModuleFile, Request, cache, copies, embedded, process, wrapper};
use selvedge_program::{LoadError, ModuleBytes};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Set for the process that reads.
pub(super) const READER_VARIABLE: &str = "SELVEDGE_MODULE_READER";
/// The exit code with which it says what is wrong with the module.
const REFUSED: i32 = 2;

/// A reader that takes longer than this, and a second more for so many bytes, hangs. It reads some MB a second.
const PATIENCE: Duration = Duration::from_secs(60);
const BYTES_A_SECOND: u64 = 100_000;

/// Reads the module at `path` in another process, which writes it anew to `output`.
pub fn rewrite(request: &Request, path: &Path, output: &Path) -> Result<(), DriverError> {
    let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let patience = PATIENCE + Duration::from_secs(size / BYTES_A_SECOND);
    let said = output.with_extension("said");
    // Loading LLVM's libraries again would take longer than all the rest.
    let arguments = [path, output].map(|path| path.as_os_str().to_owned());
    let ended = match copies::copy_within(patience, &said, || run_reader(&arguments)) {
        Some(ended) => ended?,
        None => {
            let mut command = Command::new(wrapper::program(request.program.as_deref()));
            command.args(&arguments).env(READER_VARIABLE, "1");
            process::output_within(&mut command, patience, &said)?
        }
    };
    let damaged = |detail: String| {
        let name = path.display().to_string();
        DriverError::BadModule(LoadError::Damaged { name, detail }.to_string())
    };
    match ended.map(|ended| (ended.status.code(), ended)) {
        Some((Some(0), _)) => Ok(()),
        Some((Some(REFUSED), ended)) => {
            Err(DriverError::BadModule(String::from_utf8_lossy(&ended.stderr).into_owned()))
        }
        Some((_, ended)) => Err(damaged(format!("LLVM's reader gave up: {}", ended.status))),
        None => Err(damaged(format!("LLVM's reader did not come to an end in {} s", patience.as_secs()))),
    }
}

/// The modules in a native program, library or object. Sources of which it has none are named.
pub fn embedded(
    request: &Request,
    path: &Path,
    folder: &Path,
    index: &str,
) -> Result<Vec<ModuleFile>, DriverError> {
    let mut modules = Vec::new();
    for (number, record) in embedded::records(&super::read(path)?).into_iter().enumerate() {
        match record.bitcode {
            Ok(bitcode) => {
                let brought = folder.join(format!("brought-{index}-{number}.bc"));
                std::fs::write(&brought, bitcode).map_err(|cause| cache::not_written(&brought, cause))?;
                let made = folder.join(format!("module-{index}-{number}.bc"));
                rewrite(request, &brought, &made)?;
                modules.push(ModuleFile { path: made, name: record.name });
            }
            Err(why) => {
                let why = why.lines().find(|line| line.contains("error")).unwrap_or("it was not compiled");
                let (path, name) = (path.display(), record.name);
                eprintln!(
                    "selvedge: `{path}` has no bitcode of `{name}`, and what is in it counts as missing: {why}"
                );
            }
        }
    }
    match modules.is_empty() {
        true => Err(DriverError::NoBitcode(path.to_path_buf())),
        false => Ok(modules),
    }
}

/// The other process: its arguments are the module and where to write it.
pub(super) fn run_reader(arguments: &[OsString]) -> i32 {
    let [path, output] = arguments else {
        eprintln!("called to read a module without one. Unset {READER_VARIABLE}");
        return REFUSED;
    };
    let (path, output) = (Path::new(path), Path::new(output));
    let written = super::read(path).map_err(|error| error.to_string()).and_then(|bytes| {
        let module = ModuleBytes { name: &path.display().to_string(), bytes: &bytes };
        let bitcode = selvedge_program::rewrite(&module).map_err(|error| error.to_string())?;
        std::fs::write(output, bitcode).map_err(|cause| {
            DriverError::NotWritten { path: output.to_path_buf(), cause, hint: "" }.to_string()
        })
    });
    match written {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("{message}");
            REFUSED
        }
    }
}
