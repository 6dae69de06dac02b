//! Random C programs of csmith: Selvedge, at every optimisation level, prints what the native program prints.
//!
//! Programs that csmith generates have no undefined behaviour, and print checksums of all their variables.

use crate::campaign::{Failure, Ran};
use crate::native;
use crate::outcome::{self, Compared};
use crate::random::Random;
use selvedge::drivers::Request;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A native run that takes longer than this is too long for us.
const PATIENCE: Duration = Duration::from_secs(5);
/// Stretches of instructions without anything visible that a run may take.
const STEPS: u64 = 50;

/// The options of the generator for a case: small programs, with another selection of the language each time.
fn options(number: u64) -> Vec<String> {
    let mut random = Random::new(number);
    let mut options = vec!["--seed".to_owned(), number.to_string(), "--concise".to_owned()];
    let mut add = |name: &str, least: usize, most: usize| {
        let value = least + random.below(most - least + 1);
        options.extend([name.to_owned(), value.to_string()]);
    };
    add("--max-funcs", 2, 6);
    add("--max-block-depth", 2, 4);
    add("--max-block-size", 2, 5);
    add("--max-expr-complexity", 4, 10);
    add("--max-array-dim", 1, 3);
    add("--max-array-len-per-dim", 2, 6);
    add("--max-pointer-depth", 1, 4);
    add("--max-struct-fields", 2, 10);
    let rare = [
        "--no-packed-struct",
        "--no-bitfields",
        "--no-unions",
        "--no-volatiles",
        "--no-longlong",
        "--no-int8",
        "--no-jumps",
        "--const-as-condition",
        "--addr-taken-of-locals",
    ];
    for option in rare {
        if random.once_in(5) {
            options.push(option.to_owned());
        }
    }
    for option in ["--float", "--builtins", "--inline-function"] {
        if random.once_in(3) {
            options.push(option.to_owned());
        }
    }
    options.extend(["--disable-builtin-kinds".to_owned(), "x86".to_owned()]);
    options
}

/// Flags for both compilers. Counting the zeros of 0 is undefined, which csmith does not know.
fn cflags() -> Vec<String> {
    let mut flags =
        ["-w", "-Wno-incompatible-pointer-types", "-I/usr/include/csmith"].map(str::to_owned).to_vec();
    for (suffix, kind) in [("", "unsigned"), ("l", "unsigned long"), ("ll", "unsigned long long")] {
        for name in ["clz", "ctz"] {
            flags.push(format!("-D__builtin_{name}{suffix}(x)=__builtin_{name}g(({kind})(x),0)"));
        }
    }
    flags
}

/// The optimisation levels of a case when there is time for several.
pub fn levels(number: u64) -> &'static [&'static str] {
    [&["0", "1", "2"], &["0", "s", "3"]][(number % 2) as usize]
}

/// Generates the program of a case, and compares its runs at these optimisation levels with the native one.
pub fn case(number: u64, levels: &[&str]) -> Result<Ran, Failure> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join("program.c");
    // It leaves a file about the platform where it runs.
    let mut csmith = Command::new("csmith");
    csmith.args(options(number)).arg("-o").arg(&source).current_dir(folder.path());
    let generated = native::output(&mut csmith)?;
    if !generated.status.success() {
        return Err(format!("csmith failed: {}", String::from_utf8_lossy(&generated.stderr)).into());
    }
    compare(&source, levels).map_err(|what| {
        let text = std::fs::read(&source).unwrap_or_default();
        Failure { what, files: vec![("program.c".to_owned(), text)] }
    })
}

/// Compares the runs of a program with the native one.
fn compare(source: &Path, levels: &[&str]) -> Result<Ran, String> {
    // With the argument the program prints every step of its checksum.
    let arguments = ["1"];
    let Some(expected) = native::run(source, &cflags(), &arguments, PATIENCE)? else {
        return Ok(Ran::skipped("the native program takes too long"));
    };
    if converts_too_much(source, &arguments) {
        return Ok(Ran::skipped("the program is undefined"));
    }
    for level in levels {
        let request = Request {
            inputs: vec![source.to_path_buf()],
            cflags: cflags(),
            opt_level: Some((*level).to_owned()),
            ..Request::default()
        };
        let compared = outcome::compare_within(&request, &arguments, &expected, Some(STEPS))
            .map_err(|what| format!("-O{level}: {what}"))?;
        if compared == Compared::TooLong {
            return Ok(Ran::skipped("the program takes too long"));
        }
    }
    Ok(Ran::Passed)
}

/// Whether a number is too large for the integer that it is converted to. That is undefined, and csmith does not see
/// it in programs with floating point.
fn converts_too_much(source: &Path, arguments: &[&str]) -> bool {
    let floating = std::fs::read(source).is_ok_and(|text| text.windows(6).any(|word| word == b"float "));
    let mut flags = cflags();
    flags.extend(["-fsanitize=float-cast-overflow", "-fsanitize-trap=all"].map(str::to_owned));
    floating && native::run(source, &flags, arguments, PATIENCE).is_err()
}
