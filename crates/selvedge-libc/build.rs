//! Compiles `src-c/*.c` to bitcode and packs it into one archive.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The release of LLVM that the whole project reads.
const MAJOR: &str = "22";

const FLAGS: &[&str] = &[
    "-c",
    "-emit-llvm",
    "-std=gnu17",
    "-O1",
    "-g1",
    // The functions defined here must not be turned into calls of each other.
    "-fno-builtin",
    // Callbacks may throw.
    "-fexceptions",
    "-fPIC",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
];

fn main() {
    let sources = Path::new("src-c");
    println!("cargo::rerun-if-changed={}", sources.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let clang = find("clang");
    let archiver = find("llvm-ar");
    let mut files: Vec<PathBuf> = std::fs::read_dir(sources)
        .expect("src-c is readable")
        .map(|entry| entry.expect("src-c is readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    let here = env::current_dir().expect("the package's directory");
    // Positions must not depend on where the package was built, and must be known as the library's own.
    let prefix = format!("-ffile-prefix-map={}=/usr/lib/selvedge/libc", here.join(sources).display());
    let mut objects = Vec::new();
    for file in files {
        let object = out.join(file.with_extension("bc").file_name().expect("a file has a name"));
        let mut command = Command::new(&clang);
        command.args(FLAGS).arg(&prefix).arg(here.join(&file)).arg("-o").arg(&object);
        run(&mut command);
        objects.push(object);
    }
    let archive = out.join("libselvedge.a");
    if archive.exists() {
        std::fs::remove_file(&archive).expect("the old archive can be removed");
    }
    run(Command::new(archiver).arg("rcsD").arg(archive).args(objects));
}

/// A tool of the right major version, under its versioned or its plain name.
fn find(tool: &str) -> String {
    for name in [format!("{tool}-{MAJOR}"), tool.to_owned()] {
        let Ok(output) = Command::new(&name).arg("--version").output() else { continue };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if text.split("version ").skip(1).any(|rest| rest.starts_with(&format!("{MAJOR}."))) {
            return name;
        }
    }
    panic!(
        "{tool} of LLVM {MAJOR} was not found: install clang-{MAJOR} and llvm-{MAJOR} and put them on PATH"
    );
}

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(status.success(), "{command:?} failed: {status}");
}
