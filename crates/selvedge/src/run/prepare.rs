//! From what the user named to a program that a machine can execute.

use crate::drivers::{self, Bitcode, DriverError, Language};
use selvedge_program::{LoadError, LoadRequest, ModuleBytes, Program, VolatileOrder};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why there is nothing to execute.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// It could not be compiled.
    #[error(transparent)]
    Compile(#[from] DriverError),
    /// It could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The loader made something that is not a program.
    #[error(
        "the program was loaded wrongly ({0}). This is a bug of Selvedge: please report it with the program"
    )]
    Invalid(String),
}

/// A program ready to be executed, as often as one likes.
pub struct Prepared {
    pub program: Arc<Program>,
    /// Its name: what its `argv[0]` says.
    pub name: String,
    /// What it was written in.
    pub language: Language,
    /// The folder below which the user's own sources lie.
    pub source_root: PathBuf,
}

/// Compiles and loads the program that `request` names.
pub fn prepare(request: &drivers::Request) -> Result<Prepared, PrepareError> {
    load(&drivers::compile(request)?, name(request), reading(request))
}

/// As `prepare`, with the variables of functions: for a debugger. Beside it the program as it is without them.
pub fn prepare_to_debug(request: &drivers::Request) -> Result<(Prepared, Prepared), PrepareError> {
    let bitcode = drivers::compile(request)?;
    let plain = load(&bitcode, name(request), reading(request))?;
    let kept = load(&bitcode, name(request), Reading { keep_variables: true, ..reading(request) })?;
    Ok((kept, plain))
}

fn reading(request: &drivers::Request) -> Reading {
    Reading { library_code: request.library_code, volatile: request.volatile, keep_variables: false }
}

/// How the bitcode of a program is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// The code of Rust's standard library is executed also where there is a model of it.
    pub library_code: bool,
    /// What volatile accesses are taken for, if they count as atomic.
    pub volatile: Option<VolatileOrder>,
    /// Variables of functions are kept for a debugger.
    pub keep_variables: bool,
}

/// Loads a program that was compiled already.
pub fn load(bitcode: &Bitcode, name: String, reading: Reading) -> Result<Prepared, PrepareError> {
    let code = reading.library_code;
    let modules =
        read_all(bitcode.modules.iter().map(|module| (module.name.clone(), module.path.as_path())))?;
    let archives =
        read_all(bitcode.archives.iter().map(|path| (path.display().to_string(), path.as_path())))?;
    let mut archives: Vec<ModuleBytes<'_>> = archives.iter().map(named).collect();
    archives.push(ModuleBytes { name: "the C library", bytes: selvedge_libc::archive() });
    let modelled = |name: &str| {
        selvedge_machine::is_modelled(name) && !(code && selvedge_machine::has_library_code(name))
    };
    let program = selvedge_program::load(&LoadRequest {
        modules: modules.iter().map(named).collect(),
        archives,
        modelled: &modelled,
        roots: selvedge_machine::ROOTS,
        user_root: Some(&bitcode.source_root),
        volatile: reading.volatile,
        keep_variables: reading.keep_variables,
    })?;
    selvedge_program::validate(&program).map_err(PrepareError::Invalid)?;
    Ok(Prepared {
        program: Arc::new(program),
        name,
        language: bitcode.language,
        source_root: bitcode.source_root.clone(),
    })
}

fn named((name, bytes): &(String, Vec<u8>)) -> ModuleBytes<'_> {
    ModuleBytes { name, bytes }
}

fn read_all<'a>(
    files: impl Iterator<Item = (String, &'a Path)>,
) -> Result<Vec<(String, Vec<u8>)>, PrepareError> {
    files
        .map(|(name, path)| match std::fs::read(path) {
            Ok(bytes) => Ok((name, bytes)),
            Err(cause) => Err(DriverError::Unreadable { path: path.to_path_buf(), cause }.into()),
        })
        .collect()
}

/// What the program is called: its target's name, its first file's, or its folder's.
fn name(request: &drivers::Request) -> String {
    let target = match &request.cargo {
        drivers::CargoTarget::Binary(name) => name.clone(),
        drivers::CargoTarget::Example(name)
        | drivers::CargoTarget::Test(name)
        | drivers::CargoTarget::BinaryTests(name) => Some(name.clone()),
    };
    let path = request.inputs.first().cloned().unwrap_or_default();
    let path = path.canonicalize().unwrap_or(path);
    let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    target.or_else(|| stem(&path)).unwrap_or_else(|| "program".to_owned())
}
