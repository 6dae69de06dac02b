//! `selvedge check` as a child process, from bitcode.

use super::Options;
use super::limits::{self, End, Measured};
use super::list::Case;
use crate::programs::execute;
use selvedge::drivers::{self, Request};
use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program that is measured, and what it has been given so far.
pub struct Ours {
    program: PathBuf,
    folder: PathBuf,
    /// Bitcode by title, so that each program is compiled once.
    bitcode: RefCell<HashMap<String, drivers::Bitcode>>,
}

/// What came of a search.
pub struct Answer {
    /// The verdict, or what cut it short.
    pub verdict: String,
    pub states: Option<u64>,
    pub executions: Option<u64>,
    pub measured: Measured,
}

impl Ours {
    /// Builds the program unless the user names one.
    pub fn prepare(program: Option<&Path>, folder: &Path) -> Result<Self, String> {
        let program = match program {
            Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?,
            None => build()?,
        };
        Ok(Ours { program, folder: folder.to_path_buf(), bitcode: RefCell::default() })
    }

    /// Searches; compiling is not counted.
    pub fn check(&self, case: &Case, options: &Options) -> Result<Answer, String> {
        let mut command = self.command(case)?;
        command.args(["--format", "json", "--no-schedule", "--model", &options.model]);
        command.args(["--strategy", &options.strategy]);
        if let Some(jobs) = options.jobs {
            command.arg("--jobs").arg(jobs.to_string());
        }
        let measured = limits::run(&mut command, &self.folder, options.limits())?;
        let report: serde_json::Value = serde_json::from_str(&measured.stdout).unwrap_or_default();
        let verdict = match measured.end {
            End::OutOfTime => format!("over {} s", options.seconds),
            End::OutOfMemory => format!("over {} MiB", options.memory),
            End::Signal(number) => format!("killed by signal {number}"),
            End::Exited(code) => match report["verdict"].as_str() {
                Some(verdict) => verdict.to_owned(),
                None => return Err(format!("{command:?} ended with {code}:\n{}", measured.stderr)),
            },
        };
        Ok(Answer {
            verdict,
            states: report["states"].as_u64(),
            executions: report["executions"].as_u64(),
            measured,
        })
    }

    /// Where it runs.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// `selvedge check` on a source file as a user types it.
    pub fn by_default(&self, source: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.folder).arg("check").arg(source);
        command
    }

    /// `selvedge check` on a source file, without the second search.
    pub fn start(&self, source: &Path) -> Command {
        let mut command = self.by_default(source);
        command.arg("--no-second-opinion");
        command
    }

    /// `selvedge check` on a program.
    pub fn command(&self, case: &Case) -> Result<Command, String> {
        Ok(self.start(&self.compile(case)?))
    }

    fn compile(&self, case: &Case) -> Result<PathBuf, String> {
        let mut cache = self.bitcode.borrow_mut();
        let title = format!("{} {:?}", case.title(), case.flags);
        if !cache.contains_key(&title) {
            let request = Request {
                inputs: vec![case.source()],
                cflags: case.compiler_flags(),
                program: Some(self.program.clone()),
                ..Request::default()
            };
            let bitcode = drivers::compile(&request).map_err(|error| error.to_string())?;
            cache.insert(title.clone(), bitcode);
        }
        let [module] = cache[&title].modules.as_slice() else {
            return Err(format!("{title}: one module expected"));
        };
        Ok(module.path.clone())
    }
}

/// A fresh optimised build, so that the figures are of the sources as they are.
fn build() -> Result<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    execute(command.current_dir(&root).args(["build", "--release", "--quiet", "-p", "selvedge"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let program = target.join("release/selvedge");
    program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))
}
