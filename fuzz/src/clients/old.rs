//! Old versions of crates with known bugs: one program in `clients/old`, checked with the version that has the bug and with the
//! one that mends it. Two versions of one crate do not fit into one package, so each gets a package of its own.

use super::Places;
use super::client::{Client, Kind};
use std::path::{Path, PathBuf};

/// A crate in one version.
#[derive(Clone, Debug)]
pub struct Old {
    krate: String,
    version: String,
    /// More for the dependency, as `features = [...]`.
    with: Option<String>,
    /// Crates that are needed in the same version.
    besides: Vec<String>,
    /// The compiler does not accept the program with this version: that is how the bug was mended.
    pub refused: bool,
}

/// What lock files call the place that crates are from: as the project's own says.
fn registry() -> &'static str {
    let mut lines = include_str!("../../../Cargo.lock").lines();
    lines.find_map(|line| line.strip_prefix("source = \"")?.strip_suffix('"')).unwrap_or_default()
}

impl Old {
    /// The clients that a file stands for.
    pub fn clients(path: &Path, text: &str) -> Result<Vec<Client>, String> {
        let said = |what: &str| said(text, what);
        let of = said("crate:").ok_or_else(|| format!("{} does not say what it uses", path.display()))?;
        let (krate, bad) = of.split_once(' ').ok_or_else(|| format!("{}: no version", path.display()))?;
        let versions = [(Some(bad.to_owned()), false), (said("fixed:"), false), (said("refused:"), true)];
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let client = |(version, refused): (Option<String>, bool)| {
            let version = version?;
            let besides = said("besides:").unwrap_or_default();
            let besides = besides.split_whitespace().map(str::to_owned).collect();
            let with = said("with:");
            Some(Client {
                name: format!("{stem}_{}", version.replace('.', "_")),
                library: format!("{krate} {version} ({})", said("advisory:").unwrap_or_default()),
                flags: Vec::new(),
                options: Vec::new(),
                expect: said("expect:").filter(|_| version == bad),
                path: path.to_path_buf(),
                kind: Kind::Old(Old { krate: krate.to_owned(), version, with, besides, refused }),
            })
        };
        Ok(versions.into_iter().filter_map(client).collect())
    }

    /// Makes the package, and says where.
    pub fn package(&self, places: &Places, client: &Client) -> Result<PathBuf, String> {
        let folder = places.target.join("old").join(&client.name);
        let write = |file: &str, text: &str| {
            std::fs::write(folder.join(file), text).map_err(|error| format!("{file}: {error}"))
        };
        std::fs::create_dir_all(folder.join("src")).map_err(|error| error.to_string())?;
        std::fs::copy(&client.path, folder.join("src/main.rs")).map_err(|error| error.to_string())?;
        let Old { krate, version, .. } = self;
        let with = self.with.as_ref().map_or(String::new(), |with| format!(", {with}"));
        let besides =
            |told: &dyn Fn(&str) -> String| self.besides.iter().map(|name| told(name)).collect::<String>();
        let dependencies = besides(&|name| format!("{name} = \"={version}\"\n"));
        write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
                 [lib]\nname = \"rust_clients\"\npath = \"{}\"\n\n\
                 [dependencies]\n{krate} = {{ version = \"={version}\"{with} }}\n{dependencies}\n[workspace]\n",
                client.name,
                places.clients.join("rust/src/lib.rs").display()
            ),
        )?;
        if !folder.join("Cargo.lock").exists() {
            // A version that was withdrawn is only found by a lock file that names it; the rest of it cargo fills in.
            let package = |name: &str| {
                format!(
                    "\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"{}\"\n",
                    registry()
                )
            };
            write("Cargo.lock", &format!("version = 4\n{}{}", package(krate), besides(&package)))?;
        }
        Ok(folder)
    }
}

/// What one of the first lines of a client says.
pub fn said(text: &str, what: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.trim_start_matches(['/', '!', ' ']).strip_prefix(what));
    line.map(|line| line.trim().to_owned())
}
