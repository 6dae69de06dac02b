//! All test programs of a package or a workspace, built at once.

use super::cargo::{self, BIN_TESTS, Chosen};
use super::error::DriverError;
use super::{Bitcode, CargoTarget, Request, process, rust_crates, tools, wrapper};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A test program.
pub struct TestProgram {
    /// The package that it tests.
    pub package: Package,
    /// Which of its targets.
    pub target: CargoTarget,
    /// Its name for people.
    pub title: String,
    /// Its bitcode.
    pub bitcode: Bitcode,
}

/// A package of the user's.
#[derive(Clone, Debug)]
pub struct Package {
    pub name: String,
    pub folder: PathBuf,
    /// What its manifest says below `package.metadata.selvedge`; null if that is not there.
    pub settings: Value,
}

/// What cargo has built.
pub struct TestPrograms {
    /// The test programs, in a fixed order.
    pub programs: Vec<TestProgram>,
    /// The workspace: its folder, and what its manifest says below `workspace.metadata.selvedge`.
    pub workspace: (PathBuf, Value),
    /// A folder for what is kept beside what cargo builds.
    pub folder: PathBuf,
}

/// Builds the test programs that `chosen`, options of `cargo test`, choose: all of them where it is empty. What cargo has to
/// say is said while it works.
pub fn compile(request: &Request, folder: &Path, chosen: &[String]) -> Result<TestPrograms, DriverError> {
    let rustc = tools::rustc(Some(folder))?;
    let cargo = tools::cargo(folder)?;
    let metadata = cargo::metadata(&cargo, folder)?;
    let target_folder = cargo::target_folder(&metadata, folder, &request.cflags, true);
    let mut command = cargo::command(request, folder, &cargo);
    command.args(["test", "--no-run"]);
    match chosen {
        [] => command.arg("--tests"),
        _ => command.args(chosen),
    };
    command.args(cargo::settings(request)).arg("--target-dir").arg(&target_folder);
    let library = rust_crates::test_harness(&rustc, folder, request.verbose)?;
    command.env(wrapper::HARNESS_VARIABLE, library);
    let output = process::output_telling(&mut command)?;
    if !output.status.success() {
        let what = super::error::TESTS.to_owned();
        return Err(DriverError::Rejected { what, diagnostics: String::new() });
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs = Vec::new();
    for (package, chosen, artifact) in messages.filter_map(|message| test_program(&message, &metadata)) {
        let missing = || DriverError::NoArtifact { what: chosen.to_string(), folder: target_folder.clone() };
        let keep = super::temporary_folder()?;
        let source_root = cargo::root(&metadata, folder);
        let bitcode = cargo::kept(&artifact, &chosen, source_root, keep)?.ok_or_else(missing)?;
        let title = chosen.to_string();
        programs.push(TestProgram { package, target: target(chosen), title, bitcode });
    }
    // Cargo tells of them as they get ready.
    programs.sort_by(|one, other| key(one).cmp(&key(other)));
    let root = cargo::root(&metadata, folder);
    let kept = metadata["target_directory"].as_str().map_or_else(|| root.join("target"), PathBuf::from);
    Ok(TestPrograms {
        programs,
        workspace: (root, metadata["metadata"]["selvedge"].clone()),
        folder: kept.join("selvedge"),
    })
}

/// Unit tests come before integration tests, as with cargo.
fn key(program: &TestProgram) -> (&str, u8, &str) {
    let (rank, name) = match &program.target {
        CargoTarget::Test(name) if name == "lib" => (0, name.as_str()),
        CargoTarget::BinaryTests(name) => (1, name.as_str()),
        CargoTarget::Binary(name) => (2, name.as_deref().unwrap_or_default()),
        CargoTarget::Test(name) | CargoTarget::Example(name) => (3, name.as_str()),
    };
    (&program.package.name, rank, name)
}

/// The target as the options of other commands name it.
fn target(chosen: Chosen) -> CargoTarget {
    match chosen.kind {
        "lib" => CargoTarget::Test("lib".into()),
        BIN_TESTS => CargoTarget::BinaryTests(chosen.name),
        _ => CargoTarget::Test(chosen.name),
    }
}

/// What a message of cargo's says of a test program that is ready.
fn test_program(message: &Value, metadata: &Value) -> Option<(Package, Chosen, PathBuf)> {
    let artifact = message["executable"].as_str().map(PathBuf::from)?;
    if message["reason"] != "compiler-artifact" || message["profile"]["test"] != true {
        return None;
    }
    let target = &message["target"];
    let kind = match () {
        () if cargo::is_library(target) => "lib",
        () if cargo::kinds(target).any(|kind| kind == "bin") => BIN_TESTS,
        () if cargo::kinds(target).any(|kind| kind == "test") => "test",
        () => return None,
    };
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let package = packages.find(|package| package["id"] == message["package_id"])?;
    let manifest = PathBuf::from(package["manifest_path"].as_str()?);
    let package = Package {
        name: cargo::text(&package["name"]),
        folder: manifest.parent()?.to_path_buf(),
        settings: package["metadata"]["selvedge"].clone(),
    };
    let chosen = Chosen { package: package.name.clone(), kind, name: cargo::text(&target["name"]) };
    Some((package, chosen, artifact))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(kind: &str, test: bool) -> Option<String> {
        let metadata =
            json!({ "packages": [{ "name": "bank", "id": "i", "manifest_path": "/p/Cargo.toml" }] });
        let message = json!({ "reason": "compiler-artifact", "package_id": "i", "executable": "/t/x",
                              "target": { "name": "teller", "kind": [kind] }, "profile": { "test": test } });
        let (package, chosen, file) = test_program(&message, &metadata)?;
        Some(format!("{chosen}, {}, {}", package.folder.display(), file.display()))
    }

    #[test]
    fn test_programs_are_told_from_programs() {
        let found = |text: &str| Some(format!("{text} of package `bank`, /p, /t/x"));
        assert_eq!(check("lib", true), found("the unit tests"));
        assert_eq!(check("bin", true), found("the unit tests of program `teller`"));
        assert_eq!(check("test", true), found("test `teller`"));
        assert_eq!(check("bin", false), None);
    }
}
