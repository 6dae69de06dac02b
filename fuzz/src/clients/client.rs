//! The clients: files that say in their first lines what they use.

use super::old::{Old, said};
use std::path::{Path, PathBuf};

/// What a client is written in.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A program of the package `clients/rust`.
    Rust,
    /// A program in Rust that uses a crate in a certain version.
    Old(Old),
    C,
    Cpp,
}

/// A program that uses a library.
#[derive(Clone, Debug)]
pub struct Client {
    pub name: String,
    /// With its version.
    pub library: String,
    pub kind: Kind,
    pub path: PathBuf,
    /// For the compiler, as the client says them.
    pub(super) flags: Vec<String>,
    /// For the check.
    pub(super) options: Vec<String>,
    /// The violation that it has, if it has one, and why.
    pub expect: Option<String>,
}

impl Client {
    /// For the compiler, with headers of libraries from this folder.
    pub fn flags(&self, include: &Path) -> Vec<String> {
        let mut flags = self.flags.clone();
        for folder in [include.to_path_buf(), include.join("x86_64-linux-gnu")] {
            flags.push("-isystem".to_owned());
            flags.push(folder.display().to_string());
        }
        flags.push("-w".to_owned());
        if matches!(self.kind, Kind::Cpp) {
            flags.push("-std=c++20".to_owned());
        }
        flags
    }
}

/// All clients in a folder.
pub fn all(folder: &Path) -> Result<Vec<Client>, String> {
    let read =
        |path: &Path| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let versions = read(&folder.join("packages"))?;
    let lock = read(&folder.join("rust/Cargo.lock"))?;
    let mut clients = Vec::new();
    for (place, kind, ending) in
        [("rust/src/bin", Kind::Rust, "rs"), ("c", Kind::C, "c"), ("cpp", Kind::Cpp, "cpp")]
    {
        for path in files(&folder.join(place), ending)? {
            let text = read(&path)?;
            let library = match kind {
                Kind::C | Kind::Cpp => said(&text, "library:").map(|name| packaged(&versions, &name)),
                _ => said(&text, "crate:").map(|name| format!("{name} {}", locked(&lock, &name))),
            };
            let words = |what: &str| -> Vec<String> {
                said(&text, what).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
            };
            let client = Client {
                name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
                library: library.ok_or_else(|| format!("{} does not say what it uses", path.display()))?,
                kind: kind.clone(),
                flags: words("flags:"),
                options: Vec::new(),
                expect: said(&text, "expect:"),
                path: path.clone(),
            };
            let options = words("also:");
            let also = (!options.is_empty()).then(|| Client {
                name: format!("{} {}", client.name, options.join(" ")),
                options,
                expect: None,
                ..client.clone()
            });
            clients.push(client);
            clients.extend(also);
        }
    }
    for path in files(&folder.join("old"), "rs")? {
        clients.extend(Old::clients(&path, &read(&path)?)?);
    }
    Ok(clients)
}

/// The files of a folder that end like this.
fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, String> {
    let entries = folder.read_dir().map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    paths.sort();
    Ok(paths)
}

/// The version of a crate in a lock file.
fn locked(lock: &str, name: &str) -> String {
    let mut lines = lock.lines().skip_while(|line| *line != format!("name = \"{name}\""));
    let version = lines.nth(1).and_then(|line| line.strip_prefix("version = "));
    version.unwrap_or_default().trim_matches('"').to_owned()
}

/// What a client says of its library, `NAME (PACKAGE)`, with the package's version.
fn packaged(versions: &str, library: &str) -> String {
    let package = library.split(['(', ')']).nth(1).unwrap_or_default();
    let version = versions.lines().find_map(|line| line.strip_prefix(package)?.strip_prefix('='));
    format!("{} {}", library.split(' ').next().unwrap_or_default(), version.unwrap_or_default())
}
