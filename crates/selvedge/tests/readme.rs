//! What the README and the book show is what happens.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project's folder")
}

/// Runs selvedge in a folder that has the examples, and returns all that it prints.
fn run(folder: &Path, command: &str) -> String {
    let arguments = command.split_whitespace();
    let output = Command::new(env!("CARGO_BIN_EXE_selvedge"))
        .args(arguments)
        .current_dir(folder)
        .env("COLUMNS", "100")
        .output()
        .expect("selvedge runs");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// What is shown after a command, without how long it took and how much was looked at: the one differs from run to
/// run, the other whenever the search gets better.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line.strip_suffix(" s").and_then(|line| line.rsplit_once(": ")) {
        Some((before, counts)) if counts.contains("complete execution") => format!("{before}: (counts)"),
        _ => line.to_owned(),
    };
    text.trim_end().lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Blocks of lines that are indented by four; an empty line inside of a block does not end it.
fn blocks(page: &str) -> Vec<Vec<String>> {
    let mut blocks: Vec<Vec<String>> = Vec::new();
    let (mut inside, mut empty) = (false, 0);
    for line in page.lines() {
        match line.strip_prefix("    ") {
            Some(line) if inside && !line.starts_with("$ ") => {
                let block = blocks.last_mut().expect("a block has begun");
                block.extend(std::iter::repeat_n(String::new(), empty));
                block.push(line.to_owned());
            }
            Some(line) => blocks.push(vec![line.to_owned()]),
            None => {}
        }
        empty = if line.is_empty() { empty + 1 } else { 0 };
        inside = line.is_empty() && inside || line.starts_with("    ");
    }
    blocks
}

/// Runs the commands of a page, one after the other in one folder; how many there are.
fn hold_to_its_word(page: &Path) -> usize {
    let text = std::fs::read_to_string(page).expect("a readable page");
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("examples")).expect("a folder for the examples");
    for entry in std::fs::read_dir(root().join("examples")).expect("examples") {
        let file = entry.expect("an entry").path();
        let name = file.file_name().expect("a name");
        std::fs::copy(&file, folder.path().join("examples").join(name)).expect("a copy");
    }
    let mut commands = 0;
    for block in blocks(&text) {
        let Some(command) = block[0].strip_prefix("$ selvedge ") else { continue };
        let (actual, shown) = (run(folder.path(), command), block[1..].join("\n"));
        assert_eq!(timeless(&actual), timeless(&shown), "{}: selvedge {command}", page.display());
        commands += 1;
    }
    commands
}

#[test]
fn the_readme_is_true() {
    assert!(hold_to_its_word(&root().join("README.md")) >= 3, "the README shows runs");
}
