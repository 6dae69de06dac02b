//! A Rust program of one file through rustc: the whole program, standard library included, in one module.

use super::error::DriverError;
use super::{Request, process, rust_crates, tools, wrapper};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Compiles `source` into the bitcode file `output`.
pub fn compile(request: &Request, source: &Path, output: &Path) -> Result<(), DriverError> {
    let rustc = tools::rustc(None)?;
    let mut command = Command::new(&rustc.program);
    command.args(flags(request, source));
    if let Some(library) = rust_crates::inputs(&rustc, source, request.verbose)? {
        let mut name = OsString::from("selvedge=");
        name.push(library);
        command.arg("--extern").arg(name);
    }
    // The name with which our linker finds the bitcode next to "the program".
    let program = output.with_extension("");
    let mut emit = OsString::from("--emit=llvm-bc=");
    emit.push(output);
    emit.push(",link=");
    emit.push(&program);
    command.arg(emit);
    command.args(wrapper::linker_flags(&wrapper::program(request.program.as_deref())));
    command.env(wrapper::LINKER_VARIABLE, "1");
    if super::colours() {
        command.arg("--color=always");
    }
    command.arg("--").arg(source);
    process::compile(&mut command, &format!("`{}`", source.display()), request.verbose)?;
    // It is a copy of the bitcode.
    let _ = std::fs::remove_file(program);
    Ok(())
}

fn flags(request: &Request, source: &Path) -> Vec<String> {
    let given =
        |name: &str| request.cflags.iter().any(|flag| flag == name || flag.starts_with(&format!("{name}=")));
    let mut flags: Vec<String> = Vec::new();
    let mut add = |words: &[&str]| flags.extend(words.iter().map(|word| word.to_string()));
    // Rustc refuses to be told these twice.
    if !given("--edition") {
        add(&["--edition=2021"]);
    }
    if !given("--crate-name") {
        add(&["--crate-name", &crate_name(source)]);
    }
    add(&["--crate-type=bin", "-g", "-C", "panic=unwind"]);
    // The level changes how the program is compiled, not what it checks.
    add(&["-C", &format!("opt-level={}", request.opt_level.as_deref().unwrap_or("0"))]);
    add(&["-C", "debug-assertions=yes", "-C", "overflow-checks=yes"]);
    add(&request.cflags.iter().map(String::as_str).collect::<Vec<_>>());
    add(&["-C", "lto=fat", "-C", "embed-bitcode=yes", "-C", "codegen-units=1"]);
    flags
}

/// A name that rustc accepts, made from that of the file.
fn crate_name(source: &Path) -> String {
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let name: String = stem.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_alphabetic()) { name } else { format!("program_{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_by_default() {
        assert_eq!(
            flags(&Request::default(), Path::new("src/bank.rs")).join(" "),
            "--edition=2021 --crate-name bank --crate-type=bin -g -C panic=unwind -C opt-level=0 \
             -C debug-assertions=yes -C overflow-checks=yes -C lto=fat -C embed-bitcode=yes -C codegen-units=1"
        );
    }

    #[test]
    fn the_user_chooses() {
        let request = Request {
            opt_level: Some("s".into()),
            cflags: vec!["--edition".into(), "2018".into(), "-C".into(), "panic=abort".into()],
            ..Request::default()
        };
        let flags = flags(&request, Path::new("a.rs")).join(" ");
        assert!(!flags.contains("--edition=2021"), "{flags}");
        assert!(flags.contains("opt-level=s") && flags.contains("--edition 2018 -C panic=abort"), "{flags}");
    }

    #[test]
    fn crate_names() {
        assert_eq!(crate_name(Path::new("a/two-threads.v2.rs")), "two_threads_v2");
        assert_eq!(crate_name(Path::new("01.rs")), "program_01");
    }
}
