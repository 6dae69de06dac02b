//! Finds the compilers and asks for their versions, so that bitcode our LLVM cannot read is refused before
//! it is made.

use super::error::DriverError;
use super::{cache, process};
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The LLVM that reads the bitcode; what a newer one writes cannot be read.
pub const SUPPORTED_LLVM: u32 = 22;

/// The oldest clang whose bitcode is read without loss: from here on pointers are opaque.
const OLDEST_CLANG: u32 = 15;

/// The oldest clang that compiles the headers of our C++ library.
pub const OLDEST_CLANG_FOR_CXX: u32 = 20;

const INSTALL_CLANG: &str = "apt install clang-22";
const INSTALL_LLVM: &str = "apt install llvm-22";
const INSTALL_RUST: &str = "see https://rustup.rs";

/// A compiler and what it says about itself.
#[derive(Debug, Clone)]
pub struct Tool {
    /// What to start.
    pub program: OsString,
    /// Its own version, such as `22.1.8`.
    pub version: String,
    /// The major version of its LLVM.
    pub llvm: u32,
    /// All that it says about its version: equal for equal compilers.
    pub answer: String,
}

impl Tool {
    /// Name and version, for messages.
    pub fn title(&self) -> String {
        format!("{} {}", self.program.to_string_lossy(), self.version)
    }
}

/// The clang to use: `SELVEDGE_CLANG`, or `clang-22`, or a `clang` whose bitcode we can read.
pub fn clang() -> Result<Tool, DriverError> {
    // What the user names may be a script that answers differently from one time to the next.
    if let Some(chosen) = std::env::var_os("SELVEDGE_CLANG") {
        return match ask(&chosen, "--version", None)? {
            Some(answer) => accept_clang(chosen.clone(), &answer),
            None => Err(DriverError::ToolMissing {
                tool: format!("`{}`, which SELVEDGE_CLANG names,", chosen.to_string_lossy()),
                install: format!("{INSTALL_CLANG}, or unset the variable"),
            }),
        };
    }
    for program in [format!("clang-{SUPPORTED_LLVM}").into(), "clang".into()] {
        let Some(answer) = remembered(&program, &cache::folder())? else { continue };
        return accept_clang(program, &answer);
    }
    Err(DriverError::ToolMissing { tool: "clang".into(), install: INSTALL_CLANG.into() })
}

/// The rustc that is used in `folder` (rustup chooses by folder).
pub fn rustc(folder: Option<&Path>) -> Result<Tool, DriverError> {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    match ask(&program, "-vV", folder)? {
        Some(answer) => accept_rustc(program, &answer),
        None => Err(DriverError::ToolMissing { tool: "rustc".into(), install: INSTALL_RUST.into() }),
    }
}

/// The program `cargo`, if it can be started in `folder`.
pub fn cargo(folder: &Path) -> Result<OsString, DriverError> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    match ask(&program, "--version", Some(folder))? {
        Some(_) => Ok(program),
        None => Err(DriverError::ToolMissing { tool: "cargo".into(), install: INSTALL_RUST.into() }),
    }
}

/// One of LLVM's own tools, such as `llvm-ar`; any version from ours on reads what clang wrote.
pub fn llvm_tool(name: &str) -> Result<OsString, DriverError> {
    let program: OsString = format!("{name}-{SUPPORTED_LLVM}").into();
    match ask(&program, "--version", None)? {
        Some(_) => Ok(program),
        None => Err(DriverError::ToolMissing {
            tool: program.to_string_lossy().into_owned(),
            install: INSTALL_LLVM.into(),
        }),
    }
}

/// A program that has no version to look at, if it is there.
pub fn plain(name: &str) -> Option<OsString> {
    let program = OsString::from(name);
    matches!(ask(&program, "--version", None), Ok(Some(_))).then_some(program)
}

/// What `program` says of its version, asked once for each file that the name stands for: starting clang takes longer
/// than most searches. That `cache` cannot be written only means that the program is asked the next time, too.
fn remembered(program: &OsString, cache: &Path) -> Result<Option<String>, DriverError> {
    let note = std::env::var_os("PATH").and_then(|folders| file_of(program, &folders)).map(|file| {
        let name = cache::key([format!("{file:?}")]);
        cache.join(format!("version-{name}"))
    });
    if let Some(answer) = note.as_ref().and_then(|note| std::fs::read_to_string(note).ok()) {
        return Ok(Some(answer));
    }
    let answer = ask(program, "--version", None)?;
    if let (Some(note), Some(answer)) = (note, &answer) {
        let written = tempfile::NamedTempFile::new_in(cache)
            .and_then(|file| std::fs::write(file.path(), answer).map(|()| file));
        if let Ok(file) = written {
            let _ = file.persist(note);
        }
    }
    Ok(answer)
}

/// What tells the file that a program's name stands for from every other, and from itself after an update.
fn file_of(program: &OsStr, folders: &OsStr) -> Option<(PathBuf, u64, i64, i64)> {
    let named = std::env::split_paths(folders).map(|folder| folder.join(program));
    let path = named.filter(|path| path.is_file()).find_map(|path| path.canonicalize().ok())?;
    let facts = path.metadata().ok()?;
    Some((path, facts.size(), facts.mtime(), facts.mtime_nsec()))
}

/// What `program` answers to `argument`, or nothing if there is no such program.
fn ask(program: &OsString, argument: &str, folder: Option<&Path>) -> Result<Option<String>, DriverError> {
    let mut command = Command::new(program);
    command.arg(argument);
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    match process::output(&mut command) {
        Ok(output) if output.status.success() => {
            Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned()))
        }
        Ok(output) => Err(DriverError::UnknownVersion {
            tool: program.to_string_lossy().into_owned(),
            answer: process::diagnostics(&output).trim().to_string(),
        }),
        Err(DriverError::NotRun { cause, .. }) if cause.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn accept_clang(program: OsString, answer: &str) -> Result<Tool, DriverError> {
    let version = clang_version(answer).ok_or_else(|| unknown_version(&program, answer))?;
    let llvm = major(&version).ok_or_else(|| unknown_version(&program, answer))?;
    let tool = Tool { program, version, llvm, answer: answer.to_owned() };
    if llvm > SUPPORTED_LLVM {
        let install = format!("Install clang {SUPPORTED_LLVM}: {INSTALL_CLANG}");
        return Err(DriverError::TooNew {
            tool: tool.title(),
            found: llvm,
            supported: SUPPORTED_LLVM,
            install,
        });
    }
    if llvm < OLDEST_CLANG {
        return Err(too_old(&tool, OLDEST_CLANG));
    }
    Ok(tool)
}

fn accept_rustc(program: OsString, answer: &str) -> Result<Tool, DriverError> {
    let field = |name: &str| {
        answer.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_string())
    };
    let (Some(version), Some(llvm)) = (field("release:"), field("LLVM version:")) else {
        return Err(unknown_version(&program, answer));
    };
    let llvm = major(&llvm).ok_or_else(|| unknown_version(&program, answer))?;
    let tool = Tool { program, version, llvm, answer: answer.to_owned() };
    if llvm > SUPPORTED_LLVM {
        let install = format!(
            "Use a Rust release with LLVM {SUPPORTED_LLVM}: `rustup toolchain install 1.95`, then run with RUSTUP_TOOLCHAIN=1.95"
        );
        return Err(DriverError::TooNew {
            tool: tool.title(),
            found: llvm,
            supported: SUPPORTED_LLVM,
            install,
        });
    }
    Ok(tool)
}

/// The complaint that `tool` is older than `needed`.
pub fn too_old(tool: &Tool, needed: u32) -> DriverError {
    DriverError::TooOld { tool: tool.title(), needed, install: INSTALL_CLANG.into() }
}

/// `22.1.8` from `Debian clang version 22.1.8 (1~deb12u1)`.
fn clang_version(answer: &str) -> Option<String> {
    let (_, rest) = answer.split_once("clang version ")?;
    let version: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    (!version.is_empty()).then_some(version)
}

fn major(version: &str) -> Option<u32> {
    version.split('.').next()?.parse().ok()
}

fn unknown_version(program: &OsString, answer: &str) -> DriverError {
    DriverError::UnknownVersion {
        tool: program.to_string_lossy().into_owned(),
        answer: answer.lines().next().unwrap_or_default().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clang_says(answer: &str) -> String {
        match accept_clang("clang".into(), answer) {
            Ok(tool) => format!("{} LLVM {}", tool.title(), tool.llvm),
            Err(error) => error.to_string(),
        }
    }

    fn rustc_says(answer: &str) -> String {
        match accept_rustc("rustc".into(), answer) {
            Ok(tool) => format!("{} LLVM {}", tool.title(), tool.llvm),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn clang_versions() {
        assert_eq!(clang_says("Debian clang version 22.1.8 (1~deb12u1)\nTarget: x"), "clang 22.1.8 LLVM 22");
        assert_eq!(clang_says("Ubuntu clang version 18.1.3"), "clang 18.1.3 LLVM 18");
        assert_eq!(
            clang_says("clang version 23.0.0git (https://example.org)"),
            "clang 23.0.0 uses LLVM 23, and this Selvedge reads LLVM 22 and older. \
             Install clang 22: apt install clang-22"
        );
        assert_eq!(
            clang_says("Debian clang version 14.0.6"),
            "clang 14.0.6 is too old: at least version 15 is needed. Install a newer one: apt install clang-22"
        );
        assert_eq!(
            clang_says("gcc (Debian 12.2.0) 12.2.0\nmore"),
            "clang did not tell its version (it said \"gcc (Debian 12.2.0) 12.2.0\"). \
             Check that it is what its name says"
        );
    }

    #[test]
    fn rustc_versions() {
        assert_eq!(
            rustc_says("rustc 1.95.0 (59807616e)\nrelease: 1.95.0\nLLVM version: 22.1.2\n"),
            "rustc 1.95.0 LLVM 22"
        );
        let newer = rustc_says("release: 1.99.0-nightly\nLLVM version: 23.1.0\n");
        assert!(
            newer.starts_with("rustc 1.99.0-nightly uses LLVM 23, and this Selvedge reads LLVM 22"),
            "{newer}"
        );
        assert!(newer.contains("rustup toolchain install"), "{newer}");
        assert!(rustc_says("release: 1.95.0\n").starts_with("rustc did not tell its version"));
    }

    #[test]
    fn a_version_is_remembered_until_the_program_changes() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let note = |text: &str| std::fs::write(folder.path().join("tool"), text).expect("it is written");
        let found = || file_of(OsStr::new("tool"), folder.path().as_os_str());
        assert_eq!(found(), None);
        note("one");
        let first = found().expect("it is there");
        assert_eq!(found(), Some(first.clone()));
        note("three");
        assert_ne!(found(), Some(first));

        let notes = || std::fs::read_dir(folder.path()).expect("a folder").count() - 1;
        assert!(matches!(remembered(&"selvedge-no-such-tool".into(), folder.path()), Ok(None)));
        assert_eq!(notes(), 0);
        let asked = remembered(&"cargo".into(), folder.path()).expect("it runs").expect("it answers");
        assert_eq!(notes(), 1);
        assert_eq!(remembered(&"cargo".into(), folder.path()).expect("it is noted"), Some(asked));
    }

    #[test]
    fn a_missing_tool_is_told_apart_from_a_failing_one() {
        assert!(matches!(ask(&"selvedge-no-such-tool".into(), "--version", None), Ok(None)));
        assert!(matches!(ask(&"false".into(), "--version", None), Err(DriverError::UnknownVersion { .. })));
    }
}
