//! The rules of `docs/architecture.md` about which crate may know which.

use std::collections::BTreeMap;
use std::path::Path;

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
        ("selvedge-machine", &["selvedge-program", "selvedge-relations", "selvedge-solve", "selvedge-trace"]),
        (
            "selvedge-explore",
            &[
                "selvedge-machine",
                "selvedge-program",
                "selvedge-relations",
                "selvedge-solve",
                "selvedge-trace",
            ],
        ),
        ("selvedge-report", &["selvedge-trace"]),
        ("selvedge-solve", &["selvedge-trace"]),
    ]);
    let dependencies = dependencies();
    for (name, allowed) in allowed {
        let own = dependencies[name].iter().filter(|other| other.starts_with("selvedge"));
        let wrong: Vec<_> = own.filter(|other| !allowed.contains(&other.as_str())).collect();
        assert!(wrong.is_empty(), "{name} must not depend on {wrong:?}");
    }
}
