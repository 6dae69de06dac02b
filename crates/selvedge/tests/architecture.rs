//! The rules of `docs/architecture.md` about which crate may know which, and what the glossary points to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The dependencies (not those of tests alone) that a crate's manifest names.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(crates).expect("the folder of crates") {
        let folder = entry.expect("an entry").path();
        let Ok(manifest) = std::fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let section = manifest.split("[dependencies]").nth(1).unwrap_or("");
        let names = section
            .lines()
            .take_while(|line| !line.starts_with('['))
            .filter_map(|line| line.split(['=', '.', ' ']).next())
            .filter(|name| !name.is_empty())
            .map(str::to_owned);
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        all.insert(name, names.collect());
    }
    all
}

#[test]
fn one_crate_knows_llvm() {
    let knowing: Vec<String> = dependencies()
        .into_iter()
        .filter(|(_, names)| names.iter().any(|name| name.contains("llvm") || name == "inkwell"))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(knowing, ["selvedge-program"]);
}

#[test]
fn crates_depend_in_one_direction() {
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("selvedge-libc", &[][..]),
        ("selvedge-program", &[]),
        ("selvedge-trace", &[]),
        ("selvedge-relations", &["selvedge-trace"]),
        ("selvedge-order", &["selvedge-trace"]),
        ("selvedge-terms", &["selvedge-trace"]),
        ("selvedge-paths", &["selvedge-terms", "selvedge-trace"]),
        ("selvedge-smt", &["selvedge-order", "selvedge-terms", "selvedge-trace"]),
        (
            "selvedge-machine",
            &["selvedge-paths", "selvedge-program", "selvedge-relations", "selvedge-terms", "selvedge-trace"],
        ),
        (
            "selvedge-explore",
            &[
                "selvedge-machine",
                "selvedge-order",
                "selvedge-paths",
                "selvedge-program",
                "selvedge-relations",
                "selvedge-terms",
                "selvedge-trace",
            ],
        ),
        ("selvedge-report", &["selvedge-trace"]),
        ("selvedge-inputs", &[]),
    ]);
    let dependencies = dependencies();
    for (name, allowed) in &allowed {
        let own = dependencies[*name].iter().filter(|other| other.starts_with("selvedge"));
        let wrong: Vec<_> = own.filter(|other| !allowed.contains(&other.as_str())).collect();
        assert!(wrong.is_empty(), "{name} must not depend on {wrong:?}");
    }
    // The command line is the only one that may know all of them.
    let unlisted: Vec<_> = dependencies.keys().filter(|name| !allowed.contains_key(name.as_str())).collect();
    assert_eq!(unlisted, ["selvedge"]);
}

#[test]
fn product_crates_know_nothing_of_tests() {
    for (name, dependencies) in dependencies() {
        let wrong = dependencies
            .iter()
            .find(|other| matches!(other.as_str(), "selvedge-bench" | "selvedge-fuzz" | "selvedge-oracle"));
        assert_eq!(wrong, None, "{name}");
    }
}

/// The source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn only_the_command_line_and_the_second_solver_start_processes() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let starts = |name: &String| {
        let files = sources(&crates.join(name).join("src"));
        files.iter().any(|file| {
            let text = std::fs::read_to_string(file).expect("a source file");
            text.contains("Command::new(")
                || text.contains("libc::fork(")
                || text.contains("process::Command")
        })
    };
    let starting: Vec<String> = dependencies().into_keys().filter(starts).collect();
    assert_eq!(starting, ["selvedge", "selvedge-smt"]);
}

#[test]
fn the_glossary_is_sorted_and_points_to_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs/glossary.md")).expect("the glossary");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip_while(|line| !line.starts_with("|---"))
        .skip(1)
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() > 60, "the table of words");
    for row in &rows {
        let [word, _, _, places] = row[..] else { panic!("four columns: {row:?}") };
        // What lies between backticks: every second piece.
        let paths: Vec<&str> = places.split('`').skip(1).step_by(2).collect();
        assert!(!paths.is_empty(), "{word} lives somewhere");
        for path in paths {
            assert!(root.join(path).exists(), "{word}: there is no {path}");
        }
    }
    let words: Vec<String> =
        rows.iter().map(|row| row[0].trim_start_matches('`').replace('`', "").to_lowercase()).collect();
    assert!(words.is_sorted(), "in the order of the alphabet");
}
