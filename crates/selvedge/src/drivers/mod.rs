//! From what the user named to bitcode: finds the compilers, calls them with flags that keep every shared
//! access as written, and hands back module files. Nothing here looks inside a module, except that those which the user
//! brings along are read once, in a process of its own.

mod c_family;
mod cache;
mod cargo;
pub mod cargo_tests;
mod compile_commands;
mod copies;
pub mod drop_in;
mod edits;
mod elf;
mod embedded;
mod error;
mod headers;
mod inputs;
mod libcxx;
mod modules;
mod needed;
mod process;
mod rust;
mod rust_crates;
pub mod tools;
pub mod wrapper;

pub use c_family::Dialect;
pub use cache::folder as cache_folder;
pub use copies::Copy;
pub use error::DriverError;
pub use libcxx::{
    State as CxxLibraryState, place as cxx_library_place, prepare as prepare_cxx_library,
    ship as ship_cxx_library, state as cxx_library_state,
};
pub use process::end_when;

use inputs::Input;
use selvedge_program::VolatileOrder;
use std::path::{Path, PathBuf};

/// What the user named on the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// Files, or one folder.
    pub inputs: Vec<PathBuf>,
    /// Extra flags for the compiler (clang or rustc, whichever compiles the inputs).
    pub cflags: Vec<String>,
    /// `0`, `1`, `2`, `3` or `s`; nothing means no optimisation.
    pub opt_level: Option<String>,
    /// Which target of a Cargo package; for other folders, which of several programs.
    pub cargo: CargoTarget,
    /// Extra arguments for cargo, such as `--features x` or `-p name`.
    pub cargo_args: Vec<String>,
    /// C and C++: check signed integers for overflow.
    pub overflow: bool,
    /// Show the commands and the compilers' warnings.
    pub verbose: bool,
    /// What volatile accesses are taken for, if they count as atomic.
    pub volatile: Option<VolatileOrder>,
    /// Execute the code of Rust's standard library also where its waiting for locks and parking is modelled.
    pub library_code: bool,
    /// The Selvedge program, which rustc and cargo call back and which reads modules; by default the running one.
    pub program: Option<PathBuf>,
}

/// One of the programs that a package consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CargoTarget {
    /// The binary of that name, or the only one.
    Binary(Option<String>),
    /// An example.
    Example(String),
    /// An integration test, or the unit tests of the library when the name is `lib`.
    Test(String),
    /// The unit tests of the binary of that name.
    BinaryTests(String),
}

impl Default for CargoTarget {
    fn default() -> Self {
        Self::Binary(None)
    }
}

/// The language a program is mainly written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Only C.
    C,
    /// C++, perhaps with C.
    Cxx,
    /// Rust, perhaps with C or C++.
    Rust,
    /// Ready-made bitcode that does not tell.
    Unknown,
}

/// One bitcode (or textual IR) file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleFile {
    pub path: PathBuf,
    /// What to call it in messages: the path of its source as the user gave it.
    pub name: String,
}

/// The bitcode of one program.
#[derive(Debug)]
pub struct Bitcode {
    /// The modules that are always part of it.
    pub modules: Vec<ModuleFile>,
    /// Archives (with symbol tables) of modules that are pulled in when a symbol of theirs is needed.
    pub archives: Vec<PathBuf>,
    /// What it was written in.
    pub language: Language,
    /// Relative paths in its debug information start here.
    pub source_root: PathBuf,
    /// Holds the modules; removed when dropped, so keep it until they are loaded.
    pub keep: tempfile::TempDir,
}

/// Makes the bitcode of the program that `request` names.
pub fn compile(request: &Request) -> Result<Bitcode, DriverError> {
    let inputs = inputs::classify(&request.inputs)?;
    let keep = temporary_folder()?;
    match inputs.as_slice() {
        [Input::Package(folder)] => return cargo::compile(request, folder, keep),
        [Input::CompileCommands(file)] => return compile_commands::compile(request, file, keep),
        _ => {}
    }
    let chosen = match &request.cargo {
        CargoTarget::Binary(None) => None,
        CargoTarget::Binary(Some(_)) => Some("--bin"),
        CargoTarget::Example(_) => Some("--example"),
        CargoTarget::Test(_) => Some("--test or --lib"),
        CargoTarget::BinaryTests(_) => Some("--bin-tests"),
    };
    if let (Some(option), Some(input)) = (chosen, inputs.first()) {
        return Err(DriverError::NoTargets { option, file: input.path().to_path_buf() });
    }
    let mut bitcode = Bitcode {
        modules: Vec::new(),
        archives: Vec::new(),
        language: language(&inputs),
        source_root: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
        keep,
    };
    let mut sources = Vec::new();
    for (index, input) in inputs.iter().enumerate() {
        let made = bitcode.keep.path().join(format!("module-{index}.bc"));
        let path = match input {
            Input::C(path) => {
                sources.push(c_family::Unit::new(path, &made, c_family::Dialect::C));
                made
            }
            Input::Cxx(path) => {
                sources.push(c_family::Unit::new(path, &made, c_family::Dialect::Cxx));
                made
            }
            Input::Rust(path) => {
                rust::compile(request, path, &made)?;
                made
            }
            Input::Module { path, .. } => {
                modules::rewrite(request, path, &made)?;
                made
            }
            Input::Native { path, libraries, .. } => {
                // A library that is named as well is there once.
                let named = |library: &&PathBuf| !inputs.iter().any(|input| same_file(input.path(), library));
                let parts = std::iter::once(path).chain(libraries.iter().filter(named));
                for (part, path) in parts.enumerate() {
                    let index = format!("{index}-{part}");
                    bitcode.modules.extend(modules::embedded(request, path, bitcode.keep.path(), &index)?);
                }
                continue;
            }
            Input::Package(path) | Input::CompileCommands(path) => path.clone(),
        };
        bitcode.modules.push(ModuleFile { path, name: input.path().display().to_string() });
    }
    let needs_cxx = inputs.iter().any(Input::needs_cxx_library);
    bitcode.archives.extend(c_family::compile(request, &sources, needs_cxx)?);
    Ok(bitcode)
}

/// A folder that goes with what is in it.
pub fn temporary_folder() -> Result<tempfile::TempDir, DriverError> {
    tempfile::Builder::new().prefix("selvedge-").tempdir().map_err(|cause| DriverError::NotWritten {
        path: std::env::temp_dir(),
        cause,
        hint: ", or set TMPDIR to a folder that has both",
    })
}

fn same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize();
    matches!((real(one), real(other)), (Ok(one), Ok(other)) if one == other)
}

fn language(inputs: &[Input]) -> Language {
    if inputs.iter().any(|input| matches!(input, Input::Rust(_))) {
        Language::Rust
    } else if inputs.iter().any(Input::needs_cxx_library) {
        Language::Cxx
    } else if inputs.iter().any(|input| matches!(input, Input::C(_))) {
        Language::C
    } else {
        Language::Unknown
    }
}

/// Whether compilers should colour what they say.
fn colours() -> bool {
    use std::io::IsTerminal;
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Reads a file, with our own error.
fn read(path: &Path) -> Result<Vec<u8>, DriverError> {
    std::fs::read(path).map_err(|cause| DriverError::Unreadable { path: path.to_path_buf(), cause })
}
