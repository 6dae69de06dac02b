//! The corpus on the processor itself: no program that must be verified fails natively, with random delays.

use crate::campaign::{Failure, Ran};
use crate::programs::oracle::{self, Ended, Runs};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A run that takes longer hangs, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// A program that must be verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Its file.
    pub path: PathBuf,
    /// Flags for the compiler.
    pub flags: Vec<String>,
    /// What it is told.
    pub arguments: Vec<String>,
    /// How it is optimised.
    pub level: String,
}

/// All programs of the corpus that must be verified under a model that covers the processor's.
pub fn verified() -> Vec<Verified> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.parent().unwrap_or(package);
    let mut files = Vec::new();
    for folder in ["corpus/check", "corpus/clients", "bench/programs", "examples"] {
        gather(&root.join(folder), &mut files);
    }
    files.sort();
    let mut all: Vec<Verified> = Vec::new();
    for path in files {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for program in cases(&path, &text) {
            if !all.contains(&program) {
                all.push(program);
            }
        }
    }
    all
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_source =
            path.extension().is_some_and(|end| ["c", "cpp", "rs"].iter().any(|known| end == *known));
        match path.is_dir() {
            true => gather(&path, files),
            false if is_source => files.push(path),
            false => {}
        }
    }
}

/// The cases of a file that say `verified`, each once.
fn cases(path: &Path, text: &str) -> Vec<Verified> {
    let mut all = Vec::new();
    let mut common: Vec<String> = Vec::new();
    let mut command: Option<Vec<String>> = None;
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        if let Some(flags) = line.strip_prefix("cflags: ") {
            common = shlex::split(flags).unwrap_or_default();
        } else if let Some(check) = line.strip_prefix("selvedge: check") {
            command = shlex::split(check);
        } else if line.starts_with("expect: verified")
            && let Some(program) = command.take().and_then(|words| case(path, &common, &words))
        {
            all.push(program);
        }
    }
    all
}

/// The case of a command line, if it says something about native runs.
fn case(path: &Path, common: &[String], words: &[String]) -> Option<Verified> {
    let mut program = Verified {
        path: path.to_owned(),
        flags: common.to_vec(),
        arguments: Vec::new(),
        level: "0".to_owned(),
    };
    let (mut model, mut strategy) = (None, None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--model" => model = words.next(),
            "--strategy" => strategy = words.next(),
            "--cflags" => program.flags.extend(shlex::split(words.next()?)?),
            "--opt-level" => program.level = words.next()?.clone(),
            "--keep-going" | "--leaks" => {}
            "--jobs" | "--cross-check" | "--max-time" | "--max-memory" => drop(words.next()),
            "--" => program.arguments = words.by_ref().cloned().collect(),
            // What else there is may restrict what is looked at.
            _ => return None,
        }
    }
    let covers = match (model.map(String::as_str), strategy.map(String::as_str)) {
        (Some("tso" | "pso" | "rc11" | "mca"), _) => true,
        (Some(_), _) => false,
        (None, strategy) => strategy.is_none_or(|strategy| strategy == "auto"),
    };
    covers.then_some(program)
}

/// Runs one of them natively.
pub fn case_of(program: &Verified, number: u64, runs: u64) -> Result<Ran, Failure> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let made = folder.path().join("native");
    let end = program.path.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let mut compiler = match end {
        "rs" => Command::new("rustc"),
        "cpp" => Command::new("clang++-22"),
        _ => Command::new("clang-22"),
    };
    match end {
        "rs" => {
            compiler.args(["--edition", "2024", "-Awarnings", "-C", &format!("opt-level={}", program.level)])
        }
        "cpp" => compiler.args([&format!("-O{}", program.level), "-w", "-pthread", "-std=c++20"]),
        _ => compiler.args([&format!("-O{}", program.level), "-w", "-pthread"]),
    };
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let headers = package.parent().unwrap_or(package).join("include");
    if end != "rs" {
        compiler.arg("-I").arg(headers);
    }
    compiler.args(&program.flags).arg(&program.path).arg("-o").arg(&made);
    if oracle::compile(&mut compiler).is_err() {
        return Ok(Ran::skipped("not compiled natively"));
    }
    let runs = Runs { count: runs, seed: number, patience: PATIENCE };
    let outcomes = oracle::run(&made, &program.arguments, &runs)?;
    let fails = |ended: &Ended| matches!(ended, Ended::Signal(_) | Ended::Hang | Ended::Exit(101));
    match outcomes.keys().find(|(ended, _)| fails(ended)) {
        None => Ok(Ran::Passed),
        Some((ended, printed)) => Err(Failure::from(format!(
            "{} {:?} {:?} must be verified, and natively {}: {printed}",
            program.path.display(),
            program.flags,
            program.arguments,
            ended.words()
        ))),
    }
}
