//! What the README shows is what happens.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project's folder")
}

/// Runs `selvedge ...` in a folder that has the examples, and returns all that it prints.
fn run(folder: &Path, command: &str) -> String {
    let arguments = command.split_whitespace().skip(1);
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(arguments)
        .current_dir(folder)
        .env("COLUMNS", "100")
        .output()
        .expect("selvedge runs");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn the_readme_is_true() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("examples")).expect("a folder for the example");
    std::fs::copy(root().join("examples/bank.c"), folder.path().join("examples/bank.c")).expect("a copy");
    let mut last = String::new();
    let mut commands = 0;
    let blocks = readme.split("\n\n").map(|block| block.trim_matches('\n'));
    for block in blocks.filter(|block| block.starts_with("    ")) {
        let lines: Vec<&str> = block.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
        if let Some(command) = lines[0].strip_prefix("$ ") {
            last = command.to_owned();
            commands += 1;
            let shown = lines[1..].join("\n");
            assert_eq!(run(folder.path(), command).trim_end(), shown, "{command}");
        } else if lines[0].trim_start().starts_with("main ") {
            // An excerpt of the trace of the last command: these lines in this order, with gaps at the dots.
            let trace = run(folder.path(), &format!("{last} --trace"));
            let mut rest = trace.lines().map(str::trim_end);
            for line in lines.iter().filter(|line| **line != "...") {
                assert!(rest.any(|actual| actual == *line), "`{line}` does not follow in\n{trace}");
            }
            commands += 1;
        }
    }
    assert!(commands >= 3, "the README shows runs and a trace");
}
