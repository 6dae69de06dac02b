//! How long a user waits for `selvedge check` on a small program: compiling, searching, the second search and the report.

use crate::check::{limits, ours::Ours};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// The program to measure; an optimised build of these sources without it
    #[arg(long)]
    selvedge: Option<PathBuf>,

    /// Repeat each measurement so many times, and take the shortest
    #[arg(long, default_value_t = 5)]
    repeat: u32,
}

/// What a single run may use: far more than it should.
const LIMITS: limits::Limits =
    limits::Limits { time: Duration::from_secs(60), processor: false, memory: 4 << 30 };

/// Measures, and prints a table.
pub fn run(options: &Options) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let ours = Ours::prepare(options.selvedge.as_deref(), folder.path())?;
    println!("| program | exit code | wall ms | CPU ms |\n|---|---|---|---|");
    for source in sources()? {
        let mut best: Option<limits::Measured> = None;
        for _ in 0..options.repeat.max(1) {
            let measured = limits::run(&mut ours.by_default(&source), folder.path(), LIMITS)?;
            if best.as_ref().is_none_or(|best| measured.wall < best.wall) {
                best = Some(measured);
            }
        }
        let Some(best) = best else { continue };
        let milliseconds = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e3);
        let code = match best.end {
            limits::End::Exited(code) => code.to_string(),
            other => format!("{other:?}"),
        };
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        println!("| {name} | {code} | {} | {} |", milliseconds(best.wall), milliseconds(best.cpu));
    }
    Ok(())
}

/// The examples in C.
fn sources() -> Result<Vec<PathBuf>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let files = entries.flatten().map(|entry| entry.path());
    let mut found: Vec<_> = files.filter(|file| file.extension().is_some_and(|end| end == "c")).collect();
    found.sort();
    Ok(found)
}
