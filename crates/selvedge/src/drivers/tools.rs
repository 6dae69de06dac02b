//! Finds the compilers and asks for their versions, so that bitcode our LLVM cannot read is refused before
//! it is made.

use super::error::DriverError;
use super::process;
use std::ffi::OsString;
use std::path::Path;
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
}

impl Tool {
    /// Name and version, for messages.
    pub fn title(&self) -> String {
        format!("{} {}", self.program.to_string_lossy(), self.version)
    }
}

/// The clang to use: `SELVEDGE_CLANG`, or `clang-22`, or a `clang` whose bitcode we can read.
pub fn clang() -> Result<Tool, DriverError> {
    let candidates: Vec<OsString> = match std::env::var_os("SELVEDGE_CLANG") {
        Some(chosen) => vec![chosen],
        None => vec![format!("clang-{SUPPORTED_LLVM}").into(), "clang".into()],
    };
    for program in candidates {
        let Some(answer) = ask(&program, "--version", None)? else { continue };
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
    let tool = Tool { program, version, llvm };
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
    let tool = Tool { program, version, llvm };
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
    fn a_missing_tool_is_told_apart_from_a_failing_one() {
        assert!(matches!(ask(&"selvedge-no-such-tool".into(), "--version", None), Ok(None)));
        assert!(matches!(ask(&"false".into(), "--version", None), Err(DriverError::UnknownVersion { .. })));
    }
}
