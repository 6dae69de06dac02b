//! A client on the processor itself: of the same bitcode if it is written in Rust, otherwise of the same source.

use super::Places;
use super::client::{Client, Kind};
use crate::programs::oracle::{self, Runs};
use std::process::Command;
use std::time::Duration;

/// What compiled code calls at each block, to be delayed there.
const BLOCKS: &str = include_str!("../../native/blocks.c");
/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// What native runs came to.
pub struct Seen {
    pub runs: u64,
    /// How runs failed, with how often.
    pub failures: Vec<String>,
}

/// Builds a client, and runs it with random delays.
pub fn run(places: &Places, client: &Client, count: u64) -> Result<Seen, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (blocks, program) = (folder.path().join("blocks.c"), folder.path().join(&client.name));
    std::fs::write(&blocks, BLOCKS).map_err(|error| error.to_string())?;
    let object = folder.path().join("blocks.o");
    oracle::compile(Command::new("clang-22").args(["-O2", "-c", "-fPIC", "-o"]).arg(&object).arg(&blocks))?;
    let mut compiler = Command::new(if matches!(client.kind, Kind::Cpp) { "clang++-22" } else { "clang-22" });
    compiler.args(["-O1", "-w", "-pthread", "-fsanitize-coverage=bb,trace-pc-guard"]);
    // What is called at each block is ours: the compiler's own runtime need not be installed.
    compiler.args(["-fno-sanitize-link-runtime", "-o"]).arg(&program);
    match client.kind {
        Kind::Rust | Kind::Old(_) => {
            let bitcode = places.target.join("rust/selvedge/debug").join(&client.name);
            compiler.args(["-x", "ir"]).arg(bitcode).args(["-x", "none", "-lgcc_s", "-ldl", "-lm"]);
        }
        Kind::C | Kind::Cpp => {
            compiler.args(client.flags(&places.include())).arg(&client.path).arg("-latomic");
        }
    }
    oracle::compile(compiler.arg(&object))?;
    let runs = Runs { count, seed: 1, patience: PATIENCE };
    let mut seen = Seen { runs: 0, failures: Vec::new() };
    for ((ended, _), count) in oracle::run(&program, &[], &runs)? {
        seen.runs += count;
        if ended.is_failure() {
            seen.failures.push(format!("{} ({count})", ended.words()));
        }
    }
    Ok(seen)
}
