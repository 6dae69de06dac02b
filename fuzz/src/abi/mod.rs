//! Random functions that are called in every way there is: Selvedge, at several optimisation levels, prints what the native
//! program prints.
//!
//! A function has random parameters and a random result of all classes of the calling convention: scalars, vectors, complex
//! numbers, structs and unions that go into registers, in two pieces or not at all. It is called directly, through a table
//! and by another function, and a variadic function takes some more values; in C++ also as a member, through a thunk, as a
//! lambda, and with values that are thrown or have copy constructors.

pub mod program;
mod types;

use crate::campaign::{Failure, Ran};
use crate::native;
use crate::outcome;
use program::{Language, Program, program};
use selvedge::drivers::Request;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Functions in a program.
const CASES: u64 = 12;
/// One program in so many is C++: these take longer.
const CXX: u64 = 4;
/// More than a native run takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// The programs with this number at these optimisation levels.
pub fn case(number: u64, levels: &[&str]) -> Result<Ran, Failure> {
    let language = if number % CXX == CXX - 1 { Language::Cxx } else { Language::C };
    let cases: Vec<u64> = (number * CASES..(number + 1) * CASES).collect();
    let Err(what) = compare(language, &program(language, &cases), levels) else { return Ok(Ran::Passed) };
    // One function alone is easier to look at, if it is wrong alone.
    for &case in &cases {
        let alone = program(language, &[case]);
        if let Err(what) = compare(language, &alone, levels) {
            return Err(failure(language, what, alone));
        }
    }
    Err(failure(language, what, program(language, &cases)))
}

fn failure(language: Language, what: String, program: Program) -> Failure {
    let files = files(language, &program).map(|(name, text)| (name, text.as_bytes().to_vec()));
    Failure { what, files: files.into() }
}

fn files(language: Language, program: &Program) -> [(String, &str); 3] {
    let extension = language.extension();
    [
        ("program.h".to_owned(), &program.header),
        (format!("callees.{extension}"), &program.callees),
        (format!("callers.{extension}"), &program.callers),
    ]
}

/// Compares the runs of a program with the native one.
fn compare(language: Language, program: &Program, levels: &[&str]) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let files = files(language, program);
    for (name, text) in &files {
        std::fs::write(folder.path().join(name), text).map_err(|error| error.to_string())?;
    }
    let sources: Vec<PathBuf> = files[1..].iter().map(|(name, _)| folder.path().join(name)).collect();
    let expected = run_natively(language, &sources)?;
    for level in levels {
        let request = Request {
            inputs: sources.clone(),
            cflags: flags(language),
            opt_level: Some((*level).to_owned()),
            ..Request::default()
        };
        outcome::compare(&request, &[], &expected).map_err(|what| format!("-O{level}: {what}"))?;
    }
    Ok(())
}

fn flags(language: Language) -> Vec<String> {
    let mut flags = vec!["-w".to_owned()];
    if language == Language::Cxx {
        flags.push("-std=c++20".to_owned());
    }
    flags
}

fn run_natively(language: Language, sources: &[PathBuf]) -> Result<native::Native, String> {
    let mut flags = flags(language);
    if language == Language::Cxx {
        flags.push("--driver-mode=g++".to_owned());
    }
    let paths: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    native::run_files(&paths, &flags, &[], PATIENCE)?
        .ok_or_else(|| "the native program takes too long".to_owned())
}
