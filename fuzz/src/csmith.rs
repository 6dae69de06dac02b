//! Random C programs of csmith: Selvedge, at every optimisation level, prints what the native program prints.
//!
//! Programs that csmith generates have no undefined behaviour, and print checksums of all their variables.

use crate::campaign::{Failure, Ran};
use crate::native;
use crate::random::Random;
use selvedge::drivers::Request;
use selvedge::run::execute::{Captured, End, Limits};
use selvedge::run::prepare::prepare;
use selvedge::run::{self, Choose, Settings, Trace};
use selvedge_report::Verdict;
use selvedge_trace::{Inputs, Model};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A native run that takes longer than this is too long for us.
const PATIENCE: Duration = Duration::from_secs(5);
/// Stretches of instructions without anything visible that a run may take.
const STEPS: u64 = 50;
/// A run that takes longer than this is given up, on however busy a machine.
const LIMIT: Duration = Duration::from_secs(60);

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
        let prepared = prepare(&request).map_err(|error| format!("-O{level}: not prepared: {error}"))?;
        let settings = Settings {
            choose: Choose::InOrder,
            model: Model::Sc,
            inputs: Inputs { arguments: arguments.map(str::to_owned).to_vec(), ..Inputs::default() },
            trace: Trace::Off,
            limits: Limits { steps: Some(STEPS), time: Some(LIMIT), interrupted: None },
        };
        let mut output = Captured::default();
        let mut execution =
            run::run(&prepared, &settings, &mut output).map_err(|error| format!("-O{level}: {error}"))?;
        if matches!(execution.end, End::Steps | End::Time) {
            return Ok(Ran::skipped("the program takes too long"));
        }
        let code = match run::judge(&mut execution, false) {
            Verdict::Ended(code) => code,
            Verdict::Violation(violation) => {
                let place = violation.place.map(|place| place.described()).unwrap_or_default();
                let kind = violation.kind.name();
                return Err(format!("-O{level}: violation {kind}: {} ({place})", violation.message));
            }
            Verdict::Unknown(unknown) => {
                let place = unknown.place.map(|place| place.described()).unwrap_or_default();
                return Err(format!("-O{level}: unknown: {} ({place})", unknown.what));
            }
        };
        if output.stdout != expected.stdout {
            return Err(format!("-O{level}: {}", difference(&expected.stdout, &output.stdout)));
        }
        if code != expected.code {
            return Err(format!("-O{level}: exit code {code}, natively {}", expected.code));
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

fn difference(expected: &[u8], actual: &[u8]) -> String {
    let [expected, actual] = [expected, actual].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let mut lines = expected.lines().zip(actual.lines()).enumerate();
    match lines.find(|(_, (one, other))| one != other) {
        Some((line, (one, other))) => format!("line {} is {other:?}, natively {one:?}", line + 1),
        None => format!("{} lines, natively {}", actual.lines().count(), expected.lines().count()),
    }
}
