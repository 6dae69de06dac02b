//! The rules of `docs/architecture.md` about which crate, and which module of the exploration, may know which; and that
//! what the documentation for developers names is there.

use std::collections::{BTreeMap, BTreeSet};
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

/// The modules of `selvedge-explore` that are families of strategies.
const FAMILIES: [&str; 6] = ["dpor", "graphs", "paths", "recorded", "sampling", "states"];

/// Which module of `selvedge-explore` uses which other one. Types of the crate itself (`Options`, `Report`, ...) and the
/// table of strategies are for all, and not among them; a module of `recorded` that is a strategy counts by itself.
fn uses_in_explore() -> BTreeSet<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../selvedge-explore/src");
    let mut uses = BTreeSet::new();
    for file in sources(&root) {
        let inside = file.strip_prefix(&root).expect("a file of the crate").with_extension("");
        let mut own: Vec<&str> = inside.iter().map(|part| part.to_str().expect("a name")).collect();
        own.pop_if(|last| *last == "mod");
        let from = module_of(&own);
        let text = std::fs::read_to_string(&file).expect("a source file");
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.collect::<Vec<_>>().join("\n");
        let mut add = |base: &[&str], rest: &str| {
            let paths = paths_at(rest).into_iter().map(|path| [base, &path].concat());
            uses.extend(paths.map(|path| (from.clone(), module_of(&path))));
        };
        for (at, start) in code.match_indices("crate::") {
            add(&[], &code[at + start.len()..]);
        }
        for (at, start) in code.match_indices("super::").filter(|(at, _)| !code[..*at].ends_with("super::")) {
            let rest = code[at..].trim_start_matches(start);
            let levels = (code.len() - at - rest.len()) / start.len();
            add(&own[..own.len().saturating_sub(levels)], rest);
        }
    }
    let modules = || FAMILIES.iter().copied().chain(["kit", "mcr", "portfolio", "viequi"]);
    uses.retain(|(from, to)| from != to && [from, to].iter().all(|one| modules().any(|known| known == *one)));
    uses
}

/// The module that a path within the crate belongs to.
fn module_of(path: &[&str]) -> String {
    match path {
        ["recorded", strategy @ ("mcr" | "viequi"), ..] => (*strategy).to_owned(),
        [first, ..] => (*first).to_owned(),
        [] => String::new(),
    }
}

/// The paths, as far as they count, that a text begins with: one, or those of a group in braces.
fn paths_at(text: &str) -> Vec<Vec<&str>> {
    let name = |text: &str| {
        text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len())
    };
    let Some(group) = text.strip_prefix('{') else {
        let first = &text[..name(text)];
        let Some(rest) = text[first.len()..].strip_prefix("::") else { return vec![vec![first]] };
        return paths_at(rest).into_iter().map(|path| [&[first], &path[..]].concat()).collect();
    };
    let (mut depth, mut from, mut paths) = (0, 0, Vec::new());
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                paths.extend(paths_at(group[from..at].trim()));
                from = at + 1;
                if letter == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    paths
}

#[test]
fn paths_of_a_text() {
    assert_eq!(
        paths_at("kit::step::{self, Ending}; x"),
        [["kit", "step", "self"], ["kit", "step", "Ending"]]
    );
    assert_eq!(paths_at("{Task, graphs, recorded::{self, mcr}}; x").len(), 4);
    assert_eq!(paths_at("with_waits(code)"), [["with_waits"]]);
}

/// A strategy knows the kit and nothing of other families; only the portfolio puts several together.
#[test]
fn families_of_strategies_do_not_know_each_other() {
    let uses = uses_in_explore();
    let mut wrong = BTreeSet::new();
    for (from, to) in &uses {
        let allowed = match (from.as_str(), to.as_str()) {
            // What is found is shown in the shortest way, which the search through states looks for.
            ("kit", "states") => true,
            ("kit", _) => false,
            ("portfolio", "kit") => true,
            ("portfolio", to) => FAMILIES.contains(&to),
            ("mcr" | "viequi", to) => to == "kit" || to == "recorded",
            (_, to) => to == "kit",
        };
        if !allowed {
            wrong.insert((from, to));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    // The test sees what there is to be seen.
    for (from, to) in [("dpor", "kit"), ("portfolio", "states"), ("viequi", "recorded"), ("kit", "states")] {
        assert!(uses.contains(&(from.to_owned(), to.to_owned())), "{from} does not use {to} any more");
    }
    let files = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../selvedge-explore/src/kit"));
    let knowing = files
        .iter()
        .filter(|file| std::fs::read_to_string(file).expect("a source file").contains("crate::states::"));
    let knowing: Vec<_> = knowing.filter_map(|file| file.file_name()).collect();
    assert_eq!(knowing, ["findings.rs"], "of the kit only this one asks for the shortest way");
}

/// What the pages for developers name in backquotes, if it looks like a path from the project's folder.
#[test]
fn paths_in_the_documentation_for_developers_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders: Vec<String> = std::fs::read_dir(&root)
        .expect("the project's folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    let (mut named, mut missing) = (0, Vec::new());
    for page in ["docs/architecture.md", "docs/development.md"] {
        let text = std::fs::read_to_string(root.join(page)).expect("a page");
        for quoted in text.split('`').skip(1).step_by(2) {
            let is_path =
                quoted.split_once('/').is_some_and(|(first, _)| folders.iter().any(|name| name == first));
            let is_pattern =
                quoted.contains([' ', '*', '=']) || quoted.chars().any(|letter| letter.is_ascii_uppercase());
            if is_path && (!is_pattern || quoted.ends_with(".md")) && !quoted.starts_with("target/") {
                named += 1;
                if !root.join(quoted).exists() {
                    missing.push(format!("{page}: {quoted}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(named > 60, "only {named} paths are named");
}
