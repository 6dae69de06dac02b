//! A Cargo package: chooses the target, lets cargo build it, and collects the bitcode it left.
//!
//! The user's manifest, lock file and profiles are not touched: settings go through `--config`, results into
//! a folder of our own inside the package's target folder.

use super::error::DriverError;
use super::{
    Bitcode, CargoTarget, Language, ModuleFile, Request, cache, process, rust_crates, tools, wrapper,
};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How bitcode files begin.
const BITCODE_MAGIC: &[u8] = b"BC\xc0\xde";

/// Builds the requested target of the package in `folder`.
pub fn compile(request: &Request, folder: &Path, keep: tempfile::TempDir) -> Result<Bitcode, DriverError> {
    let rustc = tools::rustc(Some(folder))?;
    let cargo = tools::cargo(folder)?;
    let metadata = metadata(&cargo, folder)?;
    let workspace = Workspace::new(&metadata, folder, &request.cargo_args);
    let chosen = workspace.choose(&request.cargo)?;
    let target_folder = target_folder(&metadata, folder, &request.cflags, chosen.is_test());

    let mut command = command(request, folder, &cargo);
    command.args(arguments(request, &chosen)).args(settings(request));
    command.arg("--target-dir").arg(&target_folder);
    if chosen.is_test() {
        let library = rust_crates::test_harness(&rustc, folder, request.verbose)?;
        command.env(wrapper::HARNESS_VARIABLE, library);
    }
    let output = process::output(&mut command)?;
    let diagnostics = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(DriverError::Rejected { what: chosen.to_string(), diagnostics });
    }
    if request.verbose {
        eprint!("{diagnostics}");
    }

    let missing = || DriverError::NoArtifact { what: chosen.to_string(), folder: target_folder.clone() };
    let artifact = artifact(&String::from_utf8_lossy(&output.stdout), &chosen).ok_or_else(missing)?;
    kept(&artifact, &chosen, root(&metadata, folder), keep)?.ok_or_else(missing)
}

/// Cargo in the package's folder, with what makes it leave bitcode.
pub(super) fn command(request: &Request, folder: &Path, cargo: &OsString) -> Command {
    let mut command = Command::new(cargo);
    command.current_dir(folder);
    let program = wrapper::program(request.program.as_deref());
    command.env("RUSTC_WORKSPACE_WRAPPER", program).env(wrapper::RUSTC_VARIABLE, "1");
    command.env(wrapper::FLAGS_VARIABLE, request.cflags.join(wrapper::FLAG_SEPARATOR));
    // A compilation cache would not know of the bitcode; an empty value switches a configured one off.
    command.env("RUSTC_WRAPPER", "");
    command
}

/// A copy of the bitcode that cargo left, which a later build does not change; nothing if it is none.
pub(super) fn kept(
    artifact: &Path,
    chosen: &Chosen,
    source_root: PathBuf,
    keep: tempfile::TempDir,
) -> Result<Option<Bitcode>, DriverError> {
    if !super::read(artifact)?.starts_with(BITCODE_MAGIC) {
        return Ok(None);
    }
    let path = keep.path().join("module-0.bc");
    std::fs::copy(artifact, &path).map_err(|cause| DriverError::NotWritten {
        path: path.clone(),
        cause,
        hint: "",
    })?;
    Ok(Some(Bitcode {
        modules: vec![ModuleFile { path, name: chosen.to_string() }],
        archives: Vec::new(),
        language: Language::Rust,
        source_root,
        keep,
    }))
}

/// The folder of the workspace.
pub(super) fn root(metadata: &Value, folder: &Path) -> PathBuf {
    metadata["workspace_root"].as_str().map_or_else(|| folder.to_path_buf(), PathBuf::from)
}

pub(super) fn metadata(cargo: &OsString, folder: &Path) -> Result<Value, DriverError> {
    let mut command = Command::new(cargo);
    command.current_dir(folder).args(["metadata", "--no-deps", "--format-version", "1"]);
    let output = process::output(&mut command)?;
    let rejected = |diagnostics| DriverError::Rejected {
        what: format!("the package in `{}`", folder.display()),
        diagnostics,
    };
    if !output.status.success() {
        return Err(rejected(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| rejected(format!("cargo metadata: {error}\n")))
}

/// Flags and the test harness are not part of cargo's notion of what is up to date, so each set has a folder of its own.
pub(super) fn target_folder(metadata: &Value, folder: &Path, flags: &[String], tests: bool) -> PathBuf {
    let target = metadata["target_directory"].as_str().map_or_else(|| folder.join("target"), PathBuf::from);
    let mut ours = target.join("selvedge");
    if tests {
        ours.push(format!("tests-{}", rust_crates::test_harness_key()));
    }
    if flags.is_empty() { ours } else { ours.join(format!("flags-{}", cache::key(flags))) }
}

fn arguments(request: &Request, chosen: &Chosen) -> Vec<String> {
    let mut arguments: Vec<String> = match chosen.kind {
        "test" => vec!["test".into(), "--no-run".into(), "--test".into(), chosen.name.clone()],
        "lib" => vec!["test".into(), "--no-run".into(), "--lib".into()],
        BIN_TESTS => vec!["test".into(), "--no-run".into(), "--bin".into(), chosen.name.clone()],
        kind => vec!["build".into(), format!("--{kind}"), chosen.name.clone()],
    };
    let chooses = |argument: &String| is_package_option(argument) || argument == "--workspace";
    if !request.cargo_args.iter().any(chooses) {
        arguments.extend(["--package".into(), chosen.package.clone()]);
    }
    arguments
}

/// How cargo shall build whatever it builds, and what the user wants it to know.
pub(super) fn settings(request: &Request) -> Vec<String> {
    let colour = if super::colours() { "always" } else { "never" };
    let mut arguments: Vec<String> = vec!["--color".into(), colour.into()];
    arguments.push("--message-format=json-render-diagnostics".into());
    let level = request.opt_level.as_deref().unwrap_or("0");
    let level = if level.parse::<u32>().is_ok() { level.to_string() } else { format!("{level:?}") };
    for profile in ["dev", "test"] {
        for setting in [
            format!("opt-level={level}"),
            "debug=true".into(),
            "lto=\"fat\"".into(),
            "codegen-units=1".into(),
            "incremental=false".into(),
            "strip=\"none\"".into(),
            "split-debuginfo=\"off\"".into(),
        ] {
            arguments.extend(["--config".into(), format!("profile.{profile}.{setting}")]);
        }
    }
    arguments.extend(request.cargo_args.iter().cloned());
    arguments
}

fn is_package_option(argument: &str) -> bool {
    argument == "-p" || argument == "--package" || argument.starts_with("--package=")
}

/// The unit tests of a program.
pub(super) const BIN_TESTS: &str = "bin-tests";

/// One target of one package; its text names it for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chosen {
    pub package: String,
    /// As cargo calls it: `bin`, `example`, `test`, `lib` (its unit tests); or [`BIN_TESTS`].
    pub kind: &'static str,
    pub name: String,
}

impl Chosen {
    /// Whether it consists of tests.
    fn is_test(&self) -> bool {
        matches!(self.kind, "test" | "lib" | BIN_TESTS)
    }

    /// Whether a target of cargo's is of its kind.
    fn is_of_kind(&self, target: &Value) -> bool {
        match self.kind {
            "lib" => is_library(target),
            BIN_TESTS => kinds(target).any(|kind| kind == "bin"),
            wanted => kinds(target).any(|kind| kind == wanted),
        }
    }
}

impl std::fmt::Display for Chosen {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            "bin" => write!(formatter, "program `{}` of package `{}`", self.name, self.package),
            "lib" => write!(formatter, "the unit tests of package `{}`", self.package),
            BIN_TESTS => {
                write!(formatter, "the unit tests of program `{}` of package `{}`", self.name, self.package)
            }
            kind => write!(formatter, "{kind} `{}` of package `{}`", self.name, self.package),
        }
    }
}

/// What can be chosen from.
struct Workspace<'a> {
    folder: &'a Path,
    packages: Vec<&'a Value>,
}

impl<'a> Workspace<'a> {
    /// The packages that `-p` names, else the package of the folder, else every member.
    fn new(metadata: &'a Value, folder: &'a Path, cargo_args: &[String]) -> Self {
        let all: Vec<&Value> =
            metadata["packages"].as_array().map(|all| all.iter().collect()).unwrap_or_default();
        let named: Vec<&str> = named_packages(cargo_args);
        let manifest = folder.join("Cargo.toml").canonicalize().ok();
        let here = |package: &&Value| {
            let path = package["manifest_path"].as_str().map(Path::new);
            path.is_some() && path.and_then(|path| path.canonicalize().ok()) == manifest
        };
        let packages: Vec<&Value> = if !named.is_empty() {
            all.into_iter().filter(|package| named.iter().any(|name| package["name"] == **name)).collect()
        } else if let Some(package) = all.iter().copied().find(here) {
            vec![package]
        } else {
            all
        };
        Self { folder, packages }
    }

    /// All targets of that kind.
    fn targets(&self, kind: &'static str) -> Vec<Chosen> {
        let mut found = Vec::new();
        for package in &self.packages {
            let of_kind = |target: &&Value| match kind {
                "lib" => is_library(target),
                BIN_TESTS => kinds(target).any(|name| name == "bin"),
                _ => kinds(target).any(|name| name == kind),
            };
            for target in package["targets"].as_array().into_iter().flatten().filter(of_kind) {
                found.push(Chosen { package: text(&package["name"]), kind, name: text(&target["name"]) });
            }
        }
        found
    }

    fn choose(&self, wanted: &CargoTarget) -> Result<Chosen, DriverError> {
        let (kind, name) = match wanted {
            CargoTarget::Binary(Some(name)) => ("bin", Some(name.as_str())),
            CargoTarget::Binary(None) => ("bin", self.default_run()),
            CargoTarget::Example(name) => ("example", Some(name.as_str())),
            CargoTarget::Test(name) if name == "lib" => ("lib", None),
            CargoTarget::Test(name) => ("test", Some(name.as_str())),
            CargoTarget::BinaryTests(name) => (BIN_TESTS, Some(name.as_str())),
        };
        let mut candidates = self.targets(kind);
        candidates.retain(|candidate| name.is_none_or(|name| candidate.name == name));
        match candidates.len() {
            1 => Ok(candidates.remove(0)),
            0 => Err(DriverError::NoSuchTarget {
                folder: self.folder.to_path_buf(),
                wanted: wanted_text(kind, name),
                available: self.available(),
            }),
            _ => Err(DriverError::SeveralPrograms {
                folder: self.folder.to_path_buf(),
                names: candidates.into_iter().map(|candidate| candidate.name).collect(),
            }),
        }
    }

    fn default_run(&self) -> Option<&'a str> {
        match self.packages.as_slice() {
            [package] => package["default_run"].as_str(),
            _ => None,
        }
    }

    /// A sentence that lists what there is, with the options that choose it.
    fn available(&self) -> String {
        let mut options = Vec::new();
        for (kind, option) in [("bin", "--bin"), ("example", "--example"), ("test", "--test")] {
            options.extend(self.targets(kind).into_iter().map(|target| format!("{option} {}", target.name)));
        }
        if !self.targets("lib").is_empty() {
            options.push("--lib (its unit tests)".into());
        }
        if options.is_empty() {
            "Add a src/main.rs to it".into()
        } else {
            format!("Choose one of: {}", options.join(", "))
        }
    }
}

fn wanted_text(kind: &str, name: Option<&str>) -> String {
    match (kind, name) {
        ("bin", None) => "program of its own".into(),
        ("bin", Some(name)) => format!("program `{name}`"),
        ("lib", _) => "library with unit tests".into(),
        (BIN_TESTS, name) => format!("program `{}`", name.unwrap_or_default()),
        (kind, name) => format!("{kind} `{}`", name.unwrap_or_default()),
    }
}

fn named_packages(cargo_args: &[String]) -> Vec<&str> {
    let mut names = Vec::new();
    let mut arguments = cargo_args.iter();
    while let Some(argument) = arguments.next() {
        if let Some(name) = argument.strip_prefix("--package=") {
            names.push(name);
        } else if is_package_option(argument) {
            names.extend(arguments.next().map(String::as_str));
        }
    }
    names
}

/// Whether a target of cargo's is the package's library.
pub(super) fn is_library(target: &Value) -> bool {
    kinds(target).any(|name| matches!(name, "lib" | "rlib" | "proc-macro" | "cdylib" | "dylib" | "staticlib"))
}

pub(super) fn kinds(target: &Value) -> impl Iterator<Item = &str> {
    target["kind"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

/// Whether a message is about this package: its identifier ends in `#name@version`, or in `/name#version` where the folder
/// is called as the package.
fn is_of(message: &Value, package: &str) -> bool {
    let Some(identifier) = message["package_id"].as_str() else { return true };
    let Some((folder, end)) = identifier.rsplit_once('#') else { return true };
    match end.split_once('@') {
        Some((name, _)) => name == package,
        None => folder.rsplit('/').next() == Some(package),
    }
}

/// The file that cargo's messages give for the chosen target. Our linker put the bitcode there.
fn artifact(messages: &str, chosen: &Chosen) -> Option<PathBuf> {
    let tests = chosen.is_test();
    messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).find_map(|message| {
        let wanted = message["reason"] == "compiler-artifact"
            && message["target"]["name"] == chosen.name
            && message["profile"]["test"] == tests
            && chosen.is_of_kind(&message["target"])
            && is_of(&message, &chosen.package);
        wanted.then(|| message["executable"].as_str().map(PathBuf::from)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn metadata() -> Value {
        json!({ "packages": [
            { "name": "bank", "default_run": null, "manifest_path": "/nowhere/bank/Cargo.toml", "targets": [
                { "name": "bank", "kind": ["lib"] },
                { "name": "teller", "kind": ["bin"] },
                { "name": "vault", "kind": ["bin"] },
                { "name": "demo", "kind": ["example"] },
                { "name": "transfers", "kind": ["test"] } ] },
            { "name": "empty", "manifest_path": "/nowhere/empty/Cargo.toml", "targets": [] } ] })
    }

    fn check(cargo_args: &str, wanted: CargoTarget) -> String {
        let arguments: Vec<String> = cargo_args.split_whitespace().map(String::from).collect();
        let metadata = metadata();
        match Workspace::new(&metadata, Path::new("p"), &arguments).choose(&wanted) {
            Ok(chosen) => chosen.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn targets_are_chosen_by_name() {
        assert_eq!(check("", CargoTarget::Binary(Some("vault".into()))), "program `vault` of package `bank`");
        assert_eq!(check("", CargoTarget::Example("demo".into())), "example `demo` of package `bank`");
        assert_eq!(check("", CargoTarget::Test("transfers".into())), "test `transfers` of package `bank`");
        assert_eq!(check("-p bank", CargoTarget::Test("lib".into())), "the unit tests of package `bank`");
    }

    #[test]
    fn errors_list_what_there_is() {
        assert_eq!(
            check("", CargoTarget::Binary(None)),
            "`p` has several programs: teller, vault. Choose one with --bin NAME"
        );
        assert_eq!(
            check("", CargoTarget::Example("dmo".into())),
            "`p` has no example `dmo`. Choose one of: --bin teller, --bin vault, --example demo, \
             --test transfers, --lib (its unit tests)"
        );
        assert_eq!(
            check("--package=empty", CargoTarget::Binary(None)),
            "`p` has no program of its own. Add a src/main.rs to it"
        );
    }

    #[test]
    fn the_artifact_of_the_chosen_target_is_found() {
        let line = |name: &str, kind: &str, test: bool, file: &str| {
            json!({ "reason": "compiler-artifact", "target": { "name": name, "kind": [kind] },
                    "profile": { "test": test }, "executable": file })
            .to_string()
        };
        let messages = [
            "not json".to_string(),
            line("bank", "lib", true, "/t/deps/bank-1"),
            line("teller", "bin", false, "/t/teller"),
        ]
        .join("\n");
        let find = |kind, name: &str| {
            artifact(&messages, &Chosen { package: "bank".into(), kind, name: name.into() })
        };
        assert_eq!(find("lib", "bank"), Some(PathBuf::from("/t/deps/bank-1")));
        assert_eq!(find("bin", "teller"), Some(PathBuf::from("/t/teller")));
        assert_eq!(find("bin", "vault"), None);
    }

    #[test]
    fn flags_have_their_own_folder() {
        let metadata = json!({ "target_directory": "/p/target" });
        assert_eq!(target_folder(&metadata, Path::new("p"), &[], false), Path::new("/p/target/selvedge"));
        let flags = ["--cfg".to_string(), "loom".to_string()];
        assert!(target_folder(&metadata, Path::new("p"), &flags, false).starts_with("/p/target/selvedge"));
        assert_ne!(target_folder(&metadata, Path::new("p"), &flags, false), Path::new("/p/target/selvedge"));
    }
}
