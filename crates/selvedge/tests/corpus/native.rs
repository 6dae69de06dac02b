//! The same program as the machine's processor runs it.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A native run that takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// What to build.
pub enum Source<'a> {
    /// One file.
    File(&'a Path),
    /// A package, with cargo's arguments that choose the target.
    Package(&'a Path, &'a [String]),
}

/// Standard output and exit code; nothing where this system cannot build the program.
pub type Result = std::result::Result<Option<(Vec<u8>, i32)>, String>;

/// Builds and runs the program in a folder of its own.
pub fn run(source: &Source<'_>, cflags: &[String], arguments: &[String], stdin: &[u8]) -> Result {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = match source {
        Source::File(file) => match build(file, cflags, folder.path())? {
            Some(program) => Command::new(program),
            None => return Ok(None),
        },
        Source::Package(package, target) => {
            let built = cargo("build", package, target).stdin(Stdio::null()).output();
            let built = built.map_err(|error| format!("cargo: {error}"))?;
            if !built.status.success() {
                return Err(format!("not built natively: {}", String::from_utf8_lossy(&built.stderr)));
            }
            let mut command = cargo("run", package, target);
            command.arg("--");
            command
        }
    };
    command.args(arguments).current_dir(folder.path()).env_remove("RUST_BACKTRACE");
    // Files keep both sides from waiting for each other.
    let [input, output] = ["input", "output"].map(|name| folder.path().join(name));
    std::fs::File::create(&input)
        .and_then(|mut file| file.write_all(stdin))
        .map_err(|error| error.to_string())?;
    let open = |path: &PathBuf, create: bool| {
        std::fs::OpenOptions::new()
            .read(!create)
            .write(create)
            .create(create)
            .open(path)
            .map_err(|e| e.to_string())
    };
    command.stdin(open(&input, false)?).stdout(open(&output, true)?).stderr(Stdio::null());
    let code = wait(&mut command)?;
    let mut bytes = Vec::new();
    open(&output, false)?.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(Some((bytes, code)))
}

fn cargo(what: &str, package: &Path, target: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args([what, "--quiet", "--manifest-path"]).arg(package.join("Cargo.toml")).args(target);
    command.arg("--target-dir").arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages"));
    command
}

fn build(file: &Path, cflags: &[String], folder: &Path) -> std::result::Result<Option<PathBuf>, String> {
    let program = folder.join(file.file_stem().unwrap_or_default());
    let mut command = match file.extension().and_then(|extension| extension.to_str()) {
        Some("rs") => {
            let mut command = Command::new("rustc");
            command.args(["-C", "debug-assertions=yes", "-C", "overflow-checks=yes"]);
            if !cflags.iter().any(|flag| flag.starts_with("--edition")) {
                command.arg("--edition=2021");
            }
            command
        }
        Some("cpp") => {
            let mut command = Command::new("clang++-22");
            command.args(["-stdlib=libstdc++", "-pthread", "-ffp-contract=off", "-w"]);
            command
        }
        _ => {
            let mut command = Command::new("clang-22");
            command.args(["-pthread", "-ffp-contract=off", "-w"]);
            command
        }
    };
    command.arg(file).args(cflags).arg("-o").arg(&program);
    if file.extension().is_none_or(|extension| extension != "rs") {
        command.arg("-lm");
    }
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("native compiler: {error}"))?;
    let diagnostics = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(Some(program)),
        // The system's C++ library may be older than ours.
        false if diagnostics.contains("file not found") => {
            let missing = diagnostics.lines().next().unwrap_or_default();
            eprintln!("NOT COMPARED with a native program: {missing}");
            Ok(None)
        }
        false => Err(format!("not compiled natively: {diagnostics}")),
    }
}

fn wait(command: &mut Command) -> std::result::Result<i32, String> {
    let mut child = command.spawn().map_err(|error| format!("native program: {error}"))?;
    let begun = Instant::now();
    loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => {
                return status.code().ok_or_else(|| format!("the native program ended with {status}"));
            }
            None if begun.elapsed() > PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("the native program does not end".to_owned());
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}
