//! Selvedge as called back by cargo, by rustc and by itself.
//!
//! Cargo calls us in place of rustc for the packages of the user's workspace, so that programs (not
//! libraries, build scripts or macros) also leave their bitcode. Rustc calls us in place of the linker for
//! those programs: it only merges the standard library's bitcode when it believes that it links, and the
//! native program is never needed. What we leave as "the program" is the bitcode itself.

use super::{modules, rust_crates};
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set while cargo runs: we are rustc.
pub(super) const RUSTC_VARIABLE: &str = "SELVEDGE_RUSTC_WRAPPER";
/// Set while rustc runs: we are the linker.
pub(super) const LINKER_VARIABLE: &str = "SELVEDGE_LINKER";
/// The user's flags for rustc, separated by `FLAG_SEPARATOR`.
pub(super) const FLAGS_VARIABLE: &str = "SELVEDGE_RUSTC_FLAGS";
/// The test harness that tests get instead of Rust's.
pub(super) const HARNESS_VARIABLE: &str = "SELVEDGE_TEST_HARNESS";
/// Cannot occur in a flag.
pub(super) const FLAG_SEPARATOR: &str = "\u{1f}";

/// To be called first thing in `main`: if we were called back, does that work and ends the process.
pub fn run_if_wrapper() {
    if std::env::var_os(modules::READER_VARIABLE).is_some() {
        std::process::exit(modules::run_reader(&std::env::args_os().skip(1).collect::<Vec<_>>()));
    }
    if std::env::var_os(RUSTC_VARIABLE).is_some() {
        std::process::exit(run_rustc(std::env::args_os().skip(1).collect()));
    }
    if std::env::var_os(LINKER_VARIABLE).is_some() {
        std::process::exit(link(std::env::args_os().skip(1).collect()));
    }
}

/// The flags that make rustc call `program` as its linker.
pub(super) fn linker_flags(program: &Path) -> [OsString; 4] {
    let mut linker = OsString::from("linker=");
    linker.push(program);
    ["-C".into(), linker, "-C".into(), "linker-flavor=gcc".into()]
}

/// The program that cargo and rustc shall call.
pub(super) fn program(chosen: Option<&Path>) -> PathBuf {
    match chosen {
        Some(path) => path.to_path_buf(),
        None => std::env::current_exe().unwrap_or_else(|_| PathBuf::from("selvedge")),
    }
}

fn run_rustc(arguments: Vec<OsString>) -> i32 {
    let Some((rustc, arguments)) = arguments.split_first() else {
        eprintln!("selvedge: called by cargo without a compiler. Unset {RUSTC_VARIABLE}");
        return 2;
    };
    let mut command = Command::new(rustc);
    command.args(arguments).env_remove(RUSTC_VARIABLE);
    if let Some(name) = crate_name(arguments).filter(|name| !is_build_script(name)) {
        let flags = std::env::var(FLAGS_VARIABLE).unwrap_or_default();
        // `___` is how cargo calls the crate with which it only asks rustc for settings.
        if name != "___" {
            command.args(flags.split(FLAG_SEPARATOR).filter(|flag| !flag.is_empty()));
        }
        if is_test(arguments)
            && let Some(library) = std::env::var_os(HARNESS_VARIABLE)
        {
            take_harness(&mut command, &library);
        }
        if makes_program(arguments) {
            command.arg("--emit=llvm-bc").args(linker_flags(&program(None))).env(LINKER_VARIABLE, "1");
        }
    }
    let cause = command.exec();
    eprintln!("selvedge: {} could not be run: {cause}. Check that it is installed", rustc.to_string_lossy());
    2
}

fn crate_name(arguments: &[OsString]) -> Option<&str> {
    let at = arguments.iter().position(|argument| argument == "--crate-name")?;
    arguments.get(at + 1)?.to_str()
}

fn is_build_script(name: &str) -> bool {
    name.starts_with("build_script_")
}

/// Lets a test program hand its tests to our harness. The attribute for that is unstable, which crates may forbid.
fn take_harness(command: &mut Command, library: &OsStr) {
    let name = rust_crates::TEST_HARNESS_NAME;
    let mut named = OsString::from(format!("{name}="));
    named.push(library);
    command.arg("--extern").arg(named);
    command.arg("-Zcrate-attr=feature(custom_test_frameworks)");
    command.arg(format!("-Zcrate-attr=test_runner({name}::run)"));
    command.arg("--cap-lints=warn").env("RUSTC_BOOTSTRAP", "1");
}

fn is_test(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| argument == "--test")
}

fn makes_program(arguments: &[OsString]) -> bool {
    is_test(arguments) || arguments.windows(2).any(|pair| pair[0] == "--crate-type" && pair[1] == "bin")
}

/// Puts the bitcode that rustc has just written where it expects the native program.
fn link(arguments: Vec<OsString>) -> i32 {
    let Some(output) = link_output(&arguments) else {
        eprintln!("selvedge: called as a linker without an output. Unset {LINKER_VARIABLE}");
        return 2;
    };
    let mut bitcode = output.clone().into_os_string();
    bitcode.push(".bc");
    // A file may be there from an earlier build, linked to a place that must not change with it.
    let _ = std::fs::remove_file(&output);
    match std::fs::copy(&bitcode, &output) {
        Ok(_) => 0,
        Err(cause) => {
            eprintln!("selvedge: `{}` could not be written: {cause}", output.display());
            2
        }
    }
}

/// The argument of `-o`, from the arguments or from the file that holds them when they are too long.
fn link_output(arguments: &[OsString]) -> Option<PathBuf> {
    if let Some(at) = arguments.iter().position(|argument| argument == "-o") {
        return arguments.get(at + 1).map(PathBuf::from);
    }
    let [response] = arguments else { return None };
    let file = response.to_str()?.strip_prefix('@')?;
    let text = std::fs::read_to_string(file).ok()?;
    let mut lines = text.lines();
    lines.find(|line| *line == "-o")?;
    lines.next().map(|line| PathBuf::from(OsStr::new(&line.replace("\\ ", " ").replace("\\\\", "\\"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn programs_are_told_from_libraries() {
        assert!(makes_program(&words("--crate-name a --crate-type bin src/main.rs")));
        assert!(makes_program(&words("--crate-name a --test src/lib.rs")));
        assert!(!makes_program(&words("--crate-name a --crate-type lib src/lib.rs")));
        assert!(!makes_program(&words("-vV")));
    }

    #[test]
    fn build_scripts_are_left_alone() {
        let name = words("--crate-name build_script_build --crate-type bin build.rs");
        assert!(is_build_script(crate_name(&name).expect("a name")));
        assert_eq!(crate_name(&words("--crate-name")), None);
    }

    #[test]
    fn the_output_is_found_in_arguments_and_response_files() {
        assert_eq!(link_output(&words("a.o -o out/x -lc")), Some(PathBuf::from("out/x")));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("arguments");
        std::fs::write(&file, "a.o\n-o\nout\\ y/x\n-lc\n").expect("a file");
        let argument = OsString::from(format!("@{}", file.display()));
        assert_eq!(link_output(&[argument]), Some(PathBuf::from("out y/x")));
        assert_eq!(link_output(&words("a.o")), None);
    }
}
