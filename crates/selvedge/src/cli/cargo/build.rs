//! What names tests before they are built: the options of `cargo test`.

use crate::cli::values::{Words, words};
use crate::drivers::Request;
use clap::Args;
use std::path::{Path, PathBuf};

/// Packages, targets and features, as cargo names them.
#[derive(Args)]
pub struct BuildArguments {
    /// The package whose tests are checked; may be given several times
    #[arg(long, short, value_name = "NAME", help_heading = "Packages and features")]
    package: Vec<String>,

    /// All packages of the workspace
    #[arg(long, alias = "all", help_heading = "Packages and features")]
    workspace: bool,

    /// Where the manifest is
    #[arg(long, value_name = "PATH", help_heading = "Packages and features")]
    manifest_path: Option<PathBuf>,

    /// Features to switch on
    #[arg(long, short = 'F', value_name = "NAMES", help_heading = "Packages and features")]
    features: Vec<String>,

    /// Switch on all features
    #[arg(long, help_heading = "Packages and features")]
    all_features: bool,

    /// Leave the default features off
    #[arg(long, help_heading = "Packages and features")]
    no_default_features: bool,

    /// The library's unit tests
    #[arg(long, help_heading = "Targets")]
    lib: bool,

    /// The unit tests of all binaries
    #[arg(long, help_heading = "Targets")]
    bins: bool,

    /// The unit tests of this binary
    #[arg(long, value_name = "NAME", help_heading = "Targets")]
    bin: Vec<String>,

    /// All unit tests and integration tests, which is what happens without any such option
    #[arg(long, help_heading = "Targets")]
    tests: bool,

    /// This integration test
    #[arg(long, value_name = "NAME", help_heading = "Targets")]
    test: Vec<String>,

    /// Let cargo not change the lock file
    #[arg(long, help_heading = "Compilation")]
    locked: bool,

    /// Let cargo not use the network
    #[arg(long, help_heading = "Compilation")]
    offline: bool,

    /// Flags for rustc, as in a shell: --cflags "--cfg loom"; may be given several times
    #[arg(long, value_name = "FLAGS", value_parser = words, allow_hyphen_values = true, help_heading = "Compilation")]
    cflags: Vec<Words>,

    /// Optimise: 0, 1, 2, 3 or s. Without it nothing is optimised
    #[arg(long, value_name = "LEVEL", value_parser = ["0", "1", "2", "3", "s"], help_heading = "Compilation")]
    opt_level: Option<String>,
}

impl BuildArguments {
    /// The folder of the manifest.
    pub fn folder(&self) -> &Path {
        let parent = self.manifest_path.as_deref().and_then(Path::parent);
        parent.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// What cargo and the compiler are told.
    pub fn request(&self) -> Request {
        let mut cargo_args = Vec::new();
        for (option, values) in [("--package", &self.package), ("--features", &self.features)] {
            cargo_args.extend(values.iter().flat_map(|value| [option.to_owned(), value.clone()]));
        }
        let switches = self.switches();
        let switches = switches.into_iter().chain([("--locked", self.locked), ("--offline", self.offline)]);
        cargo_args.extend(switches.filter(|(_, on)| *on).map(|(option, _)| option.to_owned()));
        Request {
            cflags: self.flags(),
            opt_level: self.opt_level.clone(),
            cargo_args,
            // The program that makes the bitcode is part of what cargo calls its functions: schedules are replayed by the
            // other program of this package.
            program: sibling(),
            ..Request::default()
        }
    }

    /// The targets, as options of `cargo test`.
    pub fn chosen(&self) -> Vec<String> {
        let mut chosen = Vec::new();
        let switches = [("--lib", self.lib), ("--bins", self.bins), ("--tests", self.tests)];
        chosen.extend(switches.into_iter().filter(|(_, on)| *on).map(|(option, _)| option.to_owned()));
        for (option, names) in [("--bin", &self.bin), ("--test", &self.test)] {
            chosen.extend(names.iter().flat_map(|name| [option.to_owned(), name.clone()]));
        }
        chosen
    }

    /// Options with which another command builds the same program of one package.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if !self.features.is_empty() {
            words.extend(["--features".to_owned(), self.features.join(",")]);
        }
        let switches = self.switches();
        words.extend(switches.into_iter().filter(|(_, on)| *on).map(|(option, _)| option.to_owned()));
        let flags = self.flags();
        if !flags.is_empty() {
            words.extend(["--cflags".to_owned(), crate::cli::program::join(&flags)]);
        }
        words.extend(self.opt_level.iter().flat_map(|level| ["--opt-level".to_owned(), level.clone()]));
        words
    }

    fn switches(&self) -> [(&'static str, bool); 3] {
        [
            ("--workspace", self.workspace),
            ("--all-features", self.all_features),
            ("--no-default-features", self.no_default_features),
        ]
    }

    fn flags(&self) -> Vec<String> {
        self.cflags.iter().flat_map(|words| words.0.iter().cloned()).collect()
    }
}

/// The program `selvedge` beside this one, if it is there.
fn sibling() -> Option<PathBuf> {
    let other = std::env::current_exe().ok()?.with_file_name("selvedge");
    other.is_file().then_some(other)
}
