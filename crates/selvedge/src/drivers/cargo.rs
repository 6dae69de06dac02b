//! A Cargo package: chooses the target, lets cargo build it, and collects the bitcode it left.
//!
//! The user's manifest, lock file and profiles are not touched: settings go through `--config`, results into
//! a folder of our own inside the package's target folder.

use super::error::DriverError;
use super::{Bitcode, CargoTarget, Language, ModuleFile, Request, cache, process, tools, wrapper};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How bitcode files begin.
const BITCODE_MAGIC: &[u8] = b"BC\xc0\xde";

/// Builds the requested target of the package in `folder`.
pub fn compile(request: &Request, folder: &Path, keep: tempfile::TempDir) -> Result<Bitcode, DriverError> {
    tools::rustc(Some(folder))?;
    let cargo = tools::cargo(folder)?;
    let metadata = metadata(&cargo, folder)?;
    let workspace = Workspace::new(&metadata, folder, &request.cargo_args);
    let chosen = workspace.choose(&request.cargo)?;
    let target_folder = target_folder(&metadata, folder, &request.cflags);

    let mut command = Command::new(&cargo);
    command.current_dir(folder);
    command.args(arguments(request, &chosen)).arg("--target-dir").arg(&target_folder);
    command.args(["--color", if super::colours() { "always" } else { "never" }]);
    let program = wrapper::program(request.program.as_deref());
    command.env("RUSTC_WORKSPACE_WRAPPER", program).env(wrapper::RUSTC_VARIABLE, "1");
    command.env(wrapper::FLAGS_VARIABLE, request.cflags.join(wrapper::FLAG_SEPARATOR));
    // A compilation cache would not know of the bitcode; an empty value switches a configured one off.
    command.env("RUSTC_WRAPPER", "");
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
    if !super::read(&artifact)?.starts_with(BITCODE_MAGIC) {
        return Err(missing());
    }
    // A later build must not change what is being loaded.
    let path = keep.path().join("module-0.bc");
    std::fs::copy(&artifact, &path).map_err(|cause| DriverError::NotWritten {
        path: path.clone(),
        cause,
        hint: "",
    })?;
    Ok(Bitcode {
        modules: vec![ModuleFile { path, name: chosen.to_string() }],
        archives: Vec::new(),
        language: Language::Rust,
        source_root: metadata["workspace_root"].as_str().map_or_else(|| folder.to_path_buf(), PathBuf::from),
        keep,
    })
}

fn metadata(cargo: &OsString, folder: &Path) -> Result<Value, DriverError> {
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

/// Flags are not part of cargo's notion of what is up to date, so each set has a folder of its own.
fn target_folder(metadata: &Value, folder: &Path, flags: &[String]) -> PathBuf {
    let target = metadata["target_directory"].as_str().map_or_else(|| folder.join("target"), PathBuf::from);
    let ours = target.join("selvedge");
    if flags.is_empty() { ours } else { ours.join(format!("flags-{}", cache::key(flags))) }
}

fn arguments(request: &Request, chosen: &Chosen) -> Vec<String> {
    let mut arguments: Vec<String> = match chosen.kind {
        "test" => vec!["test".into(), "--no-run".into(), "--test".into(), chosen.name.clone()],
        "lib" => vec!["test".into(), "--no-run".into(), "--lib".into()],
        kind => vec!["build".into(), format!("--{kind}"), chosen.name.clone()],
    };
    if !request.cargo_args.iter().any(|argument| is_package_option(argument)) {
        arguments.extend(["--package".into(), chosen.package.clone()]);
    }
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

/// One target of one package; its text names it for people.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Chosen {
    package: String,
    /// As cargo calls it: `bin`, `example`, `test`, `lib` (its unit tests).
    kind: &'static str,
    name: String,
}

impl std::fmt::Display for Chosen {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            "bin" => write!(formatter, "program `{}` of package `{}`", self.name, self.package),
            "lib" => write!(formatter, "the unit tests of package `{}`", self.package),
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
                "lib" => kinds(target).any(|name| {
                    matches!(name, "lib" | "rlib" | "proc-macro" | "cdylib" | "dylib" | "staticlib")
                }),
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
            options.push("--test lib (its unit tests)".into());
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

fn kinds(target: &Value) -> impl Iterator<Item = &str> {
    target["kind"].as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

/// The file that cargo's messages give for the chosen target. Our linker put the bitcode there.
fn artifact(messages: &str, chosen: &Chosen) -> Option<PathBuf> {
    let tests = matches!(chosen.kind, "test" | "lib");
    messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).find_map(|message| {
        let wanted = message["reason"] == "compiler-artifact"
            && message["target"]["name"] == chosen.name
            && message["profile"]["test"] == tests
            && (chosen.kind == "lib" || kinds(&message["target"]).any(|kind| kind == chosen.kind));
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
             --test transfers, --test lib (its unit tests)"
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
        assert_eq!(target_folder(&metadata, Path::new("p"), &[]), Path::new("/p/target/selvedge"));
        let flags = ["--cfg".to_string(), "loom".to_string()];
        assert!(target_folder(&metadata, Path::new("p"), &flags).starts_with("/p/target/selvedge"));
        assert_ne!(target_folder(&metadata, Path::new("p"), &flags), Path::new("/p/target/selvedge"));
    }
}
