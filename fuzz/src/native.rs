//! Builds and runs a C program on the processor itself, for comparison.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Standard output and exit code.
#[derive(Debug, PartialEq, Eq)]
pub struct Native {
    /// What it printed.
    pub stdout: Vec<u8>,
    /// Its exit code.
    pub code: i32,
}

/// Builds the program without optimisation and runs it; nothing if it takes longer than `patience`.
pub fn run(
    source: &Path,
    cflags: &[String],
    arguments: &[&str],
    patience: Duration,
) -> Result<Option<Native>, String> {
    run_files(&[source], cflags, arguments, patience)
}

/// The same for a program of several files, which lie in one folder.
pub fn run_files(
    sources: &[&Path],
    cflags: &[String],
    arguments: &[&str],
    patience: Duration,
) -> Result<Option<Native>, String> {
    let source = sources.first().ok_or("a program without files")?;
    let program = source.with_extension("native");
    let mut compiler = Command::new("clang-22");
    compiler.args(["-O0", "-w", "-pthread", "-ffp-contract=off"]).args(cflags).args(sources);
    compiler.arg("-o").arg(&program).arg("-lm");
    let compiled = output(&mut compiler)?;
    if !compiled.status.success() {
        return Err(format!("not compiled natively: {}", String::from_utf8_lossy(&compiled.stderr)));
    }
    // A file, so that a program that prints much does not wait for a reader.
    let printed = source.with_extension("stdout");
    let file = std::fs::File::create(&printed).map_err(|error| error.to_string())?;
    let mut command = Command::new(&program);
    command.args(arguments).stdin(Stdio::null()).stdout(file).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("native program: {error}"))?;
    let begun = Instant::now();
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => {
                let code = status.code().ok_or_else(|| format!("the native program ended with {status}"))?;
                let stdout = std::fs::read(&printed).map_err(|error| error.to_string())?;
                return Ok(Some(Native { stdout, code }));
            }
            None if begun.elapsed() > patience => {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(None);
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// Runs a tool to its end.
pub fn output(command: &mut Command) -> Result<std::process::Output, String> {
    command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?} could not be run: {error}"))
}
