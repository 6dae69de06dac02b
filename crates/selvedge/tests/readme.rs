//! What the README and the book show is what happens.
//!
//! Blocks that are indented by four and begin with `$ selvedge` are commands with all that they print; of `$ cargo selvedge`
//! it is what they print on standard output, since Cargo tells of its work on the other one. `BLESS=1` writes what they print
//! now.

use super::common;
use selvedge_explore::{Strategy, Tuning};
use serde_json::Value;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project's folder")
}

/// How commands begin, and the programs that they mean.
const PROGRAMS: [(&str, &str); 2] =
    [("selvedge", env!("CARGO_BIN_EXE_selvedge")), ("cargo selvedge", env!("CARGO_BIN_EXE_cargo-selvedge"))];

/// Runs a command in a folder that has the examples, and returns what it prints. The folder itself is shown as `~`.
fn run(folder: &Path, command: &str) -> String {
    let (name, program) = PROGRAMS
        .iter()
        .find(|(name, _)| command.starts_with(&format!("{name} ")))
        .expect("a command of ours");
    let output = Command::new(program)
        .args(shlex::split(&command[name.len()..]).expect("a command of a shell"))
        .current_dir(folder)
        .env("COLUMNS", "100")
        .output()
        .expect("selvedge runs");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if *name == "selvedge" {
        text += &String::from_utf8_lossy(&output.stderr);
    }
    text.replace(&folder.display().to_string(), "~")
}

/// Copies a folder without what was built in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        match path.is_dir() {
            true if name != "target" => copy(&path, &to.join(name)),
            true => {}
            false => drop(std::fs::copy(&path, to.join(name)).expect("a copy")),
        }
    }
}

/// What is shown after a command, without how long it took and how much was looked at: the one differs from run to
/// run, the other whenever the search gets better.
fn steady(text: &str) -> String {
    if let Ok(mut object) = serde_json::from_str::<Value>(text) {
        for key in ["states", "executions", "seconds", "collision_probability", "second_search"] {
            object[key] = Value::Null;
        }
        return format!("{object:#}");
    }
    let line = |line: &str| {
        // A row of a comparison: what depends on the machine or on how good the search is comes after the verdict.
        let cells: Vec<&str> = line.split_whitespace().collect();
        if let [strategy, verdict, .., "s", _, "MB"] | [strategy, verdict, .., "s", "-"] = cells[..] {
            return format!("{strategy} {verdict}");
        }
        // The line of a test, and the last one about all of them.
        let of_test = line.find(" (").filter(|_| line.starts_with("test ") && line.ends_with(" s)"));
        let of_all = line.find("; ").filter(|_| line.contains(" checked: "));
        let at = common::counts_at(line).or_else(|| line.find("less than 1e-")).or(of_test).or(of_all);
        at.map_or(line, |at| &line[..at]).to_owned()
    };
    // Whether a second search is finished depends on the machine.
    let is_steady = |line: &&str| !line.contains(" a second search");
    text.trim_end().lines().filter(is_steady).map(line).collect::<Vec<_>>().join("\n")
}

/// A command, and the lines of the page that show what it prints.
struct Transcript {
    command: String,
    lines: Range<usize>,
}

/// The transcripts of a page. An empty line does not end one if another indented line follows.
fn transcripts(lines: &[&str]) -> Vec<Transcript> {
    let indented = |line: &&str| line.starts_with("    ");
    let mut found: Vec<Transcript> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let command = lines[at]
            .strip_prefix("    $ ")
            .filter(|command| PROGRAMS.iter().any(|(name, _)| command.starts_with(&format!("{name} "))));
        let Some(command) = command else {
            at += 1;
            continue;
        };
        let mut end = at + 1;
        let mut next = end;
        while next < lines.len() && (indented(&lines[next]) || lines[next].is_empty()) {
            if lines[next].starts_with("    $ ") {
                break;
            }
            next += 1;
            if indented(&lines[next - 1]) {
                end = next;
            }
        }
        found.push(Transcript { command: command.to_owned(), lines: at + 1..end });
        at = end;
    }
    found
}

/// What a command prints, as a page shows it.
fn as_shown(output: &str) -> Vec<String> {
    let pretty = serde_json::from_str::<Value>(output).map(|object| format!("{object:#}"));
    let text = pretty.unwrap_or_else(|_| output.to_owned());
    text.trim_end().lines().map(|line| format!("    {line}").trim_end().to_owned()).collect()
}

/// Runs the commands of a page, one after the other in one folder; how many there are.
fn hold_to_its_word(page: &Path) -> usize {
    let text = std::fs::read_to_string(page).expect("a readable page");
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(&root().join("examples"), &folder.path().join("examples"));
    let lines: Vec<&str> = text.lines().collect();
    let transcripts = transcripts(&lines);
    let mut blessed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let mut outputs = Vec::new();
    for transcript in &transcripts {
        let actual = run(folder.path(), &transcript.command);
        let shown =
            lines[transcript.lines.clone()].iter().map(|line| line.strip_prefix("    ").unwrap_or(line));
        let shown = shown.collect::<Vec<_>>().join("\n");
        if std::env::var_os("BLESS").is_none() {
            let command = &transcript.command;
            assert_eq!(steady(&actual), steady(&shown), "{}: {command}", page.display());
        }
        outputs.push(as_shown(&actual));
    }
    if std::env::var_os("BLESS").is_some() {
        for (transcript, output) in transcripts.iter().zip(outputs).rev() {
            blessed.splice(transcript.lines.clone(), output);
        }
        std::fs::write(page, blessed.join("\n") + "\n").expect("a page that can be written");
    }
    transcripts.len()
}

/// A table of the documentation that stands in the code as well: what is between two comments of a page.
fn table_of(page: &str, name: &str, expected: &str) {
    let page = root().join(page);
    let text = std::fs::read_to_string(&page).expect("a readable page");
    let (begin, end) = (format!("<!-- {name} -->\n"), "<!-- end -->");
    let from = text.find(&begin).expect("the table's beginning") + begin.len();
    let to = from + text[from..].find(end).expect("the table's end");
    if std::env::var_os("BLESS").is_some() {
        let blessed = format!("{}{expected}{}", &text[..from], &text[to..]);
        std::fs::write(page, blessed).expect("a page that can be written");
    } else {
        assert_eq!(&text[from..to], expected, "{}: BLESS=1 writes the table", page.display());
    }
}

#[test]
fn tables_are_those_of_the_code() {
    table_of("docs/book/strategies.md", "the table of strategies", &Strategy::table());
    table_of("docs/search.md", "the table of constants", &Tuning::table());
    table_of("docs/search.md", "the members of the portfolio", &selvedge_explore::table_of_members());
}

#[test]
fn the_readme_is_true() {
    assert!(hold_to_its_word(&root().join("README.md")) >= 3, "the README shows runs");
}

#[test]
fn the_book_is_true() {
    let pages = std::fs::read_dir(root().join("docs/book")).expect("the book");
    let pages = pages.map(|entry| entry.expect("an entry").path()).filter(|page| page.is_file());
    let commands: usize = pages.map(|page| hold_to_its_word(&page)).sum();
    assert!(commands >= 20, "the book shows what it speaks of: {commands}");
}
