//! Checkers of others on the same sources, each with its own flags for the memory model, from bitcode of the LLVM that it
//! was built with.

use super::count;
use super::limits::{self, End, Limits, Measured};
use super::list::Case;
use crate::programs::execute;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where they are.
#[derive(clap::Args)]
pub struct Options {
    /// GenMC, if it is not on PATH
    #[arg(long, value_name = "PATH")]
    genmc: Option<PathBuf>,

    /// Nidhugg (the checker itself, not nidhuggc), if it is not on PATH
    #[arg(long, value_name = "PATH")]
    nidhugg: Option<PathBuf>,

    /// The compiler for both: a clang that is not newer than the LLVM they were built with
    #[arg(long, value_name = "PROGRAM", default_value = "clang")]
    peer_clang: String,
}

enum Kind {
    Genmc {
        /// The folder with its own C headers.
        headers: PathBuf,
    },
    Nidhugg {
        mode: &'static str,
    },
}

/// A checker, in one of its modes.
pub struct Peer {
    pub name: &'static str,
    kind: Kind,
    program: PathBuf,
    clang: String,
    folder: PathBuf,
}

/// What came of a search.
pub struct Answer {
    pub measured: Measured,
    executions: Option<u64>,
}

/// Those that are there.
pub fn find(options: &Options, folder: &Path) -> Vec<Peer> {
    let peer = |name, kind, program: &Path| Peer {
        name,
        kind,
        program: program.to_path_buf(),
        clang: options.peer_clang.clone(),
        folder: folder.to_path_buf(),
    };
    let mut peers = Vec::new();
    if let Some(program) = options.genmc.clone().or_else(|| on_path("genmc")) {
        match headers(&program) {
            Some(headers) => peers.push(peer("GenMC", Kind::Genmc { headers }, &program)),
            None => eprintln!("{}: left out, because its C headers are not next to it", program.display()),
        }
    }
    if let Some(program) = options.nidhugg.clone().or_else(|| on_path("nidhugg")) {
        for (name, mode) in [("Nidhugg, optimal", "--optimal"), ("Nidhugg, reads-from", "--rf")] {
            peers.push(peer(name, Kind::Nidhugg { mode }, &program));
        }
    }
    peers
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// GenMC's headers as installed, or as in its sources.
fn headers(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let places = ["../include/genmc", "include"].map(|place| folder.join(place));
    places.into_iter().find(|place| place.join("genmc.h").is_file())
}

impl Peer {
    /// Searches; compiling and transforming are not counted. The error is short enough for a table.
    pub fn check(&self, case: &Case, model: &str, limits: Limits) -> Result<Answer, String> {
        let mut command = Command::new(&self.program);
        let model = format!("--{model}");
        match &self.kind {
            Kind::Genmc { headers } => {
                let bitcode = self.genmc_bitcode(headers, &case.source(), &case.compiler_flags())?;
                command.args([&model, "--disable-estimation", "--input-from-bitcode-file"]).arg(bitcode);
            }
            Kind::Nidhugg { .. } if model == "--rc11" => return Err("no such model".to_owned()),
            Kind::Nidhugg { mode } => {
                let (compiled, bitcode) =
                    (self.folder.join("nidhugg.bc"), self.folder.join("transformed.ll"));
                self.compile(&case.source(), &case.compiler_flags(), ["-O1".to_owned()], &compiled)?;
                let mut transform = Command::new(&self.program);
                transform.args([&model, *mode, "--spin-assume"]).arg(&compiled);
                transform.arg(format!("--transform={}", bitcode.display()));
                execute(&mut transform).map_err(|_| "not transformed".to_owned())?;
                command.args([&model, *mode, "--no-check-mutex-init"]).arg(bitcode);
            }
        }
        let measured = limits::run(command.current_dir(&self.folder), &self.folder, limits)?;
        let said = format!("{}{}", measured.stdout, measured.stderr);
        match measured.end {
            End::Exited(0) | End::OutOfTime | End::OutOfMemory => {
                let executions =
                    ["Number of complete executions explored: ", "Trace count: "].iter().find_map(|words| {
                        let rest = &said[said.find(words)? + words.len()..];
                        rest.split_whitespace().next()?.parse().ok()
                    });
                Ok(Answer { measured, executions })
            }
            End::Exited(_) | End::Signal(_) => Err("error".to_owned()),
        }
    }

    /// Whether GenMC finds something wrong with a program under the language's model; nothing if it does not say.
    pub fn finds(&self, source: &Path, limits: Limits) -> Option<bool> {
        let Kind::Genmc { headers } = &self.kind else { return None };
        let bitcode = self.genmc_bitcode(headers, source, &[]).ok()?;
        let mut command = Command::new(&self.program);
        // What it can do in place is for fewer programs.
        let flags = ["--rc11", "--disable-ipr", "--disable-estimation", "--input-from-bitcode-file"];
        command.args(flags).arg(bitcode).current_dir(&self.folder);
        let measured = limits::run(&mut command, &self.folder, limits).ok()?;
        match measured.end {
            End::Exited(0) => Some(false),
            End::Exited(_) if format!("{}{}", measured.stdout, measured.stderr).contains("Error: ") => {
                Some(true)
            }
            _ => None,
        }
    }

    fn genmc_bitcode(&self, headers: &Path, source: &Path, own: &[String]) -> Result<PathBuf, String> {
        let bitcode = self.folder.join("genmc.bc");
        // GenMC defines the size by itself when it compiles.
        let size = "-D__CONFIG_GENMC_INODE_DATA_SIZE=64".to_owned();
        let flags = ["-DGENMC", "-O0", "-Xclang", "-disable-O0-optnone", "-I"].map(str::to_owned);
        let flags = flags.into_iter().chain([headers.display().to_string(), size]);
        self.compile(source, own, flags, &bitcode)?;
        Ok(bitcode)
    }

    fn compile(
        &self,
        source: &Path,
        own: &[String],
        flags: impl IntoIterator<Item = String>,
        output: &Path,
    ) -> Result<(), String> {
        let mut command = Command::new(&self.clang);
        command.args(flags).args(own).args(["-g", "-emit-llvm", "-c", "-o"]);
        execute(command.arg(output).arg(source)).map_err(|message| {
            eprintln!("{message}");
            "not compiled".to_owned()
        })
    }
}

impl Answer {
    /// For the table.
    pub fn text(&self) -> String {
        let seconds = self.measured.cpu.as_secs_f64();
        match self.measured.end {
            End::OutOfTime => format!("over {:.0}", seconds.floor()),
            End::OutOfMemory => "out of memory".to_owned(),
            End::Exited(_) | End::Signal(_) => format!("{seconds:.2} ({})", count(self.executions)),
        }
    }
}
