//! The native oracle: programs on the processor itself, many times with random delays. What it shows the searches must
//! show too.

use crate::native::output;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What is loaded into programs.
const NOISE: &str = include_str!("../../native/noise.c");

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ended {
    /// With an exit code.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// Not at all.
    Hang,
}

impl Ended {
    /// Whether something is wrong, for programs that end with 0 otherwise.
    pub fn is_failure(&self) -> bool {
        *self != Ended::Exit(0)
    }

    /// In words.
    pub fn words(&self) -> String {
        match self {
            Ended::Exit(code) => format!("it ends with code {code}"),
            Ended::Signal(6) => "it aborts".to_owned(),
            Ended::Signal(number) => format!("it ends by signal {number}"),
            Ended::Hang => "it hangs".to_owned(),
        }
    }
}

/// How often to run a program, and how.
#[derive(Clone, Debug)]
pub struct Runs {
    /// How often.
    pub count: u64,
    /// For the delays.
    pub seed: u64,
    /// A run that takes longer hangs.
    pub patience: Duration,
}

/// How runs ended and what they printed, with how often.
pub type Outcomes = BTreeMap<(Ended, String), u64>;

/// The library that makes the noise, compiled once.
pub fn noise() -> Result<PathBuf, String> {
    static LIBRARY: OnceLock<Result<(tempfile::TempDir, PathBuf), String>> = OnceLock::new();
    let made = LIBRARY.get_or_init(|| {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (source, library) = (folder.path().join("noise.c"), folder.path().join("libnoise.so"));
        std::fs::write(&source, NOISE).map_err(|error| error.to_string())?;
        let mut compiler = Command::new("clang-22");
        compiler
            .args(["-O2", "-w", "-shared", "-fPIC", "-pthread", "-o"])
            .arg(&library)
            .arg(&source)
            .arg("-ldl");
        compile(&mut compiler)?;
        Ok((folder, library))
    });
    made.as_ref().map(|(_, library)| library.clone()).map_err(Clone::clone)
}

/// Runs a compiler.
pub fn compile(compiler: &mut Command) -> Result<(), String> {
    let compiled = output(compiler)?;
    match compiled.status.success() {
        true => Ok(()),
        false => Err(format!("not compiled natively: {}", String::from_utf8_lossy(&compiled.stderr))),
    }
}

/// Runs a program, which has to be linked with the C library dynamically, many times with random delays at
/// synchronisation, and where it calls `selvedge_noise`.
pub fn run(program: &Path, arguments: &[String], runs: &Runs) -> Result<Outcomes, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let report = folder.path().join("report");
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.env("LD_PRELOAD", noise()?).env("SELVEDGE_NOISE_REPORT", &report);
    command.env("SELVEDGE_NOISE_RUNS", runs.count.to_string());
    command.env("SELVEDGE_NOISE_SEED", (runs.seed & 0xffff_ffff).to_string());
    command.env("SELVEDGE_NOISE_MILLISECONDS", runs.patience.as_millis().to_string());
    let mut child = command.spawn().map_err(|error| format!("native program: {error}"))?;
    let (begun, most) = (Instant::now(), runs.patience * 4 + Duration::from_millis(50) * runs.count as u32);
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if begun.elapsed() > most {
            let _ = child.kill();
            let _ = child.wait();
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let text = std::fs::read(&report).map_err(|error| format!("the native program told nothing: {error}"))?;
    let mut outcomes = Outcomes::new();
    for line in String::from_utf8_lossy(&text).lines() {
        if let Some(outcome) = read(line) {
            *outcomes.entry(outcome).or_default() += 1;
        }
    }
    Ok(outcomes)
}

/// What a line of the report says.
fn read(line: &str) -> Option<(Ended, String)> {
    let (kind, rest) = line.split_once(' ')?;
    if kind == "hang" {
        return Some((Ended::Hang, plain(rest)));
    }
    let (number, printed) = rest.split_once(' ')?;
    let number = number.parse().ok()?;
    let ended = if kind == "signal" { Ended::Signal(number) } else { Ended::Exit(number) };
    Some((ended, plain(printed)))
}

fn plain(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\\\", "\\")
}
