//! What names a program and what it sees of the outside: the same for every command.

use super::ending::EndArguments;
use super::values::{Words, variable, volatile_order, words};
use crate::drivers::{CargoTarget, Request};
use crate::run::ENVIRONMENT;
use clap::Args;
use selvedge_machine::EndProperties;
use selvedge_program::VolatileOrder;
use selvedge_trace::Inputs;
use std::path::{Path, PathBuf};

/// The program and its inputs.
#[derive(Args)]
pub struct ProgramArguments {
    /// Source files (.c .cc .cpp .cxx .rs), bitcode (.bc .ll), a Cargo package, or a folder with
    /// compile_commands.json
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Arguments of the program
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,

    /// Flags for the compiler, as in a shell: --cflags "-O1 -DSIZE=4"; may be given several times
    #[arg(long, value_name = "FLAGS", value_parser = words, allow_hyphen_values = true, help_heading = "Compilation")]
    cflags: Vec<Words>,

    /// Optimise: 0, 1, 2, 3 or s. Without it nothing is optimised
    #[arg(long, value_name = "LEVEL", value_parser = ["0", "1", "2", "3", "s"], help_heading = "Compilation")]
    opt_level: Option<String>,

    /// C and C++: a signed integer that overflows is a violation (additions, subtractions, products, negation, quotients,
    /// shifts). For sources; Rust does that by itself
    #[arg(long, help_heading = "What to look for")]
    overflow: bool,

    /// Take volatile loads and stores of up to a word for atomic ones, as code from before C11 means them: relaxed or
    /// seq-cst
    #[arg(long, value_name = "ORDER", value_parser = volatile_order(), help_heading = "Compilation")]
    volatile_atomic: Option<VolatileOrder>,

    /// Show the commands that compile, and their warnings
    #[arg(long, short, help_heading = "Compilation")]
    verbose: bool,

    /// Run this binary of a package; with compile_commands.json a target of CMake's or the file with `main`
    #[arg(
        long,
        visible_alias = "target",
        value_name = "NAME",
        group = "target",
        help_heading = "Cargo packages"
    )]
    bin: Option<String>,

    /// Run this example of a package
    #[arg(long, value_name = "NAME", group = "target", help_heading = "Cargo packages")]
    example: Option<String>,

    /// Run this integration test of a package
    #[arg(long, value_name = "NAME", group = "target", help_heading = "Cargo packages")]
    test: Option<String>,

    /// Run the unit tests of a package's library
    #[arg(long, group = "target", help_heading = "Cargo packages")]
    lib: bool,

    /// Run the unit tests of this binary of a package
    #[arg(long, value_name = "NAME", group = "target", help_heading = "Cargo packages")]
    bin_tests: Option<String>,

    /// Build with the features that all packages of the workspace ask for
    #[arg(long, help_heading = "Cargo packages")]
    workspace: bool,

    /// The package of a workspace
    #[arg(long, short, value_name = "NAME", help_heading = "Cargo packages")]
    package: Option<String>,

    /// Features to switch on
    #[arg(long, value_name = "NAMES", help_heading = "Cargo packages")]
    features: Option<String>,

    /// Switch on all features
    #[arg(long, help_heading = "Cargo packages")]
    all_features: bool,

    /// Leave the default features off
    #[arg(long, help_heading = "Cargo packages")]
    no_default_features: bool,

    /// Set an environment variable for the program, which sees none of yours (only HOME, LANG and PATH with fixed
    /// values)
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable, help_heading = "Inputs")]
    env: Vec<String>,
}

impl ProgramArguments {
    /// Whether to show what is going on.
    pub fn verbose(&self) -> bool {
        self.verbose
    }

    /// The source files.
    pub fn sources(&self) -> &[PathBuf] {
        &self.inputs
    }

    /// Lets signed integers be checked.
    pub fn check_overflow(&mut self) {
        self.overflow = true;
    }

    /// Whether it is a test of a package.
    pub fn is_test(&self) -> bool {
        self.lib || self.test.is_some() || self.bin_tests.is_some()
    }

    /// What to compile.
    pub fn request(&self) -> Request {
        let cargo = match (&self.bin, &self.example, &self.test, self.lib) {
            _ if self.bin_tests.is_some() => {
                CargoTarget::BinaryTests(self.bin_tests.clone().unwrap_or_default())
            }
            (_, Some(name), ..) => CargoTarget::Example(name.clone()),
            (_, _, Some(name), _) => CargoTarget::Test(name.clone()),
            (.., true) => CargoTarget::Test("lib".to_owned()),
            (name, ..) => CargoTarget::Binary(name.clone()),
        };
        let mut cargo_args = Vec::new();
        let named = [("--package", &self.package), ("--features", &self.features)];
        for (option, value) in named {
            if let Some(value) = value {
                cargo_args.extend([option.to_owned(), value.clone()]);
            }
        }
        let switches = [
            ("--workspace", self.workspace),
            ("--all-features", self.all_features),
            ("--no-default-features", self.no_default_features),
        ];
        cargo_args.extend(switches.into_iter().filter(|(_, on)| *on).map(|(option, _)| option.to_owned()));
        Request {
            inputs: self.inputs.clone(),
            cflags: self.cflags.iter().flat_map(|words| words.0.iter().cloned()).collect(),
            opt_level: self.opt_level.clone(),
            cargo,
            cargo_args,
            overflow: self.overflow,
            verbose: self.verbose,
            volatile: self.volatile_atomic,
            library_code: false,
            program: None,
        }
    }

    /// What the program sees of the outside.
    pub fn inputs(&self, stdin: Vec<u8>) -> Inputs {
        let mut environment: Vec<String> =
            ENVIRONMENT.iter().map(|variable| (*variable).to_owned()).collect();
        let name = |variable: &str| variable.split('=').next().unwrap_or_default().to_owned();
        for variable in &self.env {
            environment.retain(|other| name(other) != name(variable));
            environment.push(variable.clone());
        }
        Inputs { arguments: self.arguments.clone(), environment, stdin, ..Inputs::default() }
    }

    /// The command that replays a schedule: what determines the program, and the schedule.
    pub fn replay_command(&self, schedule: &Path, at_end: EndProperties) -> String {
        let mut words = vec!["selvedge".to_owned(), "run".to_owned()];
        words.extend(self.words(at_end));
        words.extend(["--schedule".to_owned(), schedule.display().to_string()]);
        join(&words)
    }

    /// The words that determine the program.
    pub fn words(&self, at_end: EndProperties) -> Vec<String> {
        let mut words = Vec::new();
        words.extend(self.inputs.iter().map(|input| input.display().to_string()));
        let cflags: Vec<String> = self.cflags.iter().flat_map(|words| words.0.iter().cloned()).collect();
        let cflags = (!cflags.is_empty()).then(|| join(&cflags));
        let volatile = self.volatile_atomic.map(|order| order.name().to_owned());
        let options = [
            ("--cflags", &cflags),
            ("--opt-level", &self.opt_level),
            ("--volatile-atomic", &volatile),
            ("--bin", &self.bin),
            ("--example", &self.example),
            ("--test", &self.test),
            ("--bin-tests", &self.bin_tests),
            ("--package", &self.package),
            ("--features", &self.features),
        ];
        for (option, value) in options {
            if let Some(value) = value {
                words.extend([option.to_owned(), value.clone()]);
            }
        }
        let switches = [
            ("--lib", self.lib),
            ("--overflow", self.overflow),
            ("--workspace", self.workspace),
            ("--all-features", self.all_features),
            ("--no-default-features", self.no_default_features),
        ];
        words.extend(switches.into_iter().filter(|(_, on)| *on).map(|(option, _)| option.to_owned()));
        words.extend(EndArguments::words(at_end));
        words
    }
}

/// The words as a shell would read them.
pub fn join(words: &[String]) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./=+:,@%".contains(character);
    let quote = |word: &String| match !word.is_empty() && word.chars().all(plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_pasted_into_a_shell() {
        let words = ["run", "a b.c", "--cflags", "-std=c++20 -DX='y'"].map(str::to_owned);
        let command = join(&words);
        assert_eq!(command, r"run 'a b.c' --cflags '-std=c++20 -DX='\''y'\'''");
        assert_eq!(shlex::split(&command), Some(words.to_vec()));
    }
}
