//! Deliberate mistakes: each drops an assumption of a reduction, and must change the answer to its program.
//!
//! `corpus/mutants/NAME.c` begins with a command, the right answer, which the corpus is compared with, and
//! `// mutant: ANSWER`: what is answered with the mistake `NAME`. Were the assumption not needed, or the program no test of
//! it, both would be the same.

use super::cli::Place;
use selvedge_trace::mutants::Mutant;
use std::path::{Path, PathBuf};

/// The program of a mutant.
pub fn program(mutant: Mutant) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/mutants");
    let with = |extension| folder.join(mutant.name()).with_extension(extension);
    let found = ["c", "cpp", "rs"].into_iter().map(with).find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("no program in corpus/mutants for `{}`", mutant.name()))
}

/// The value of the first directive with this key.
pub fn directive<'text>(text: &'text str, key: &str, path: &Path) -> &'text str {
    let mut lines =
        text.lines().filter_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "));
    lines.next().unwrap_or_else(|| panic!("{}: no `{key}:`", path.display()))
}

fn answer(code: i32) -> &'static str {
    ["verified", "violation", "refused", "unknown"].get(code as usize).copied().unwrap_or("crashed")
}

#[test]
fn every_assumption_is_needed() {
    let place = Place::new(&[]);
    let mut wrong = Vec::new();
    for &mutant in Mutant::ALL {
        let path = program(mutant);
        let text = std::fs::read_to_string(&path).expect("a program");
        let mut words = shlex::split(directive(&text, "selvedge", &path)).expect("words");
        words.insert(1, path.to_string_lossy().into_owned());
        // A second search would notice some of them.
        words.extend(["--no-schedule", "--no-second-opinion", "--mutant", mutant.name()].map(str::to_owned));
        let expected = directive(&text, "mutant", &path);
        let right = directive(&text, "expect", &path);
        assert!(!right.starts_with(expected), "{}: the mistake changes nothing", path.display());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ended = place.run(&words);
        if answer(ended.code) != expected {
            wrong.push(format!(
                "{}: {}, not {expected}: {}",
                mutant.name(),
                answer(ended.code),
                ended.stderr
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
