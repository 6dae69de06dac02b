//! Crates of ours that become part of a user's Rust program. They are compiled once with the user's rustc, and kept in
//! the cache under names that say what is in them.

use super::cache;
use super::error::DriverError;
use super::headers::replace;
use super::process;
use super::tools::Tool;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate of one file.
struct Crate {
    /// Its name in Rust.
    name: &'static str,
    /// What it is, for messages.
    title: &'static str,
    source: &'static str,
    /// Flags for rustc.
    flags: &'static [&'static str],
    /// Whether it uses what only rustc's own libraries offer.
    unstable: bool,
}

const INPUTS: Crate = Crate {
    name: "selvedge",
    title: "Selvedge's crate of inputs",
    source: include_str!("../../../selvedge-inputs/src/lib.rs"),
    flags: &["-g", "-C", "opt-level=0"],
    unstable: false,
};

const TEST_HARNESS: Crate = Crate {
    name: TEST_HARNESS_NAME,
    title: "Selvedge's test harness",
    source: include_str!("../../runtime/rust/test_harness.rs"),
    flags: &["-C", "debuginfo=line-tables-only", "-C", "opt-level=1"],
    unstable: true,
};

/// How the test harness is called in the programs that it runs.
pub const TEST_HARNESS_NAME: &str = "selvedge_test_harness";

/// The compiled crate of inputs, if the source mentions it.
pub fn inputs(rustc: &Tool, source: &Path, verbose: bool) -> Result<Option<PathBuf>, DriverError> {
    let mentioned = std::fs::read_to_string(source).is_ok_and(|text| text.contains("selvedge::"));
    mentioned.then(|| INPUTS.compiled(rustc, None, verbose)).transpose()
}

/// The compiled test harness, for the rustc that is used in `folder`.
pub fn test_harness(rustc: &Tool, folder: &Path, verbose: bool) -> Result<PathBuf, DriverError> {
    TEST_HARNESS.compiled(rustc, Some(folder), verbose)
}

/// A name that changes with the test harness.
pub fn test_harness_key() -> String {
    cache::key([TEST_HARNESS.source])
}

impl Crate {
    fn compiled(&self, rustc: &Tool, used_in: Option<&Path>, verbose: bool) -> Result<PathBuf, DriverError> {
        let key = cache::key([self.source, &rustc.answer]);
        let folder = cache::folder().join(format!("crate-{key}"));
        let library = folder.join(format!("lib{}.rlib", self.name));
        if library.is_file() {
            return Ok(library);
        }
        let _lock = cache::lock(&cache::folder())?;
        if library.is_file() {
            return Ok(library);
        }
        cache::create_folder(&folder)?;
        let source = folder.join("lib.rs");
        replace(&source, self.source)?;
        let unfinished = folder.join("unfinished.rlib");
        let mut command = Command::new(&rustc.program);
        command.args(["--edition=2021", "--crate-name", self.name, "--crate-type=rlib"]);
        command.args(["-C", "embed-bitcode=yes", "-C", "codegen-units=1"]).args(self.flags);
        // Positions must not depend on where the cache is, and must be known as the library's own.
        command.arg(format!("--remap-path-prefix={}=/usr/lib/selvedge/{}", folder.display(), self.name));
        if self.unstable {
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        if let Some(folder) = used_in {
            command.current_dir(folder);
        }
        command.arg("-o").arg(&unfinished).arg("--").arg(&source);
        process::compile(&mut command, self.title, verbose)?;
        std::fs::rename(&unfinished, &library).map_err(|cause| cache::not_written(&library, cause))?;
        Ok(library)
    }
}
