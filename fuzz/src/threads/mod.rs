//! Random multithreaded programs under random schedules and every memory model: they end well, the same seed does the
//! same, a recorded schedule repeats it, and snapshots lead back.

pub mod generate;
mod snapshots;

use crate::campaign::{Failure, Ran};
use crate::random::Random;
use selvedge::drivers::Request;
use selvedge::run::execute::{Captured, Execution, Limits};
use selvedge::run::prepare::{Prepared, prepare};
use selvedge::run::{self, Choose, Settings, Trace};
use selvedge_machine::EndProperties;
use selvedge_report::Verdict;
use selvedge_trace::{Inputs, Model, Schedule, read_schedule, write_schedule};
use std::path::Path;
use std::time::Duration;

/// No program takes as many steps as this.
const STEPS: u64 = 1_000_000;
/// Nor as much time, on however busy a machine.
const LIMIT: Duration = Duration::from_secs(120);

/// Generates the program of a case and runs it with `seeds` schedules under every memory model.
pub fn case(number: u64, seeds: u64) -> Result<Ran, Failure> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let text = generate::generate(number);
    let with_program =
        |what: String| Failure { what, files: vec![("program.c".to_owned(), text.clone().into_bytes())] };
    let prepared = compile(&text, level(number), folder.path()).map_err(with_program)?;
    for &model in Model::INTERLEAVED {
        for seed in 0..seeds {
            let at = |what: String| format!("-O{} {model:?} seed {seed}: {what}", level(number));
            check(&prepared, model, seed, folder.path()).map_err(at).map_err(with_program)?;
            let mut random = Random::new(number.wrapping_mul(1 << 16).wrapping_add(seed));
            snapshots::check(&prepared, model, &mut random).map_err(at).map_err(with_program)?;
        }
    }
    Ok(Ran::Passed)
}

/// The optimisation level of a case.
pub fn level(number: u64) -> &'static str {
    ["0", "0", "1", "2"][(number % 4) as usize]
}

/// Compiles a generated program.
pub fn compile(text: &str, level: &str, folder: &Path) -> Result<Prepared, String> {
    let source = folder.join("program.c");
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let request = Request { inputs: vec![source], opt_level: Some(level.to_owned()), ..Request::default() };
    prepare(&request).map_err(|error| format!("not prepared: {error}"))
}

/// What two runs that should be the same are compared by.
#[derive(Debug, PartialEq)]
struct Seen {
    verdict: Verdict,
    digest: u64,
    output: Captured,
}

/// Settings for a generated program.
pub fn settings(choose: Choose, model: Model, trace: Trace) -> Settings {
    let limits = Limits { steps: Some(STEPS), time: Some(LIMIT), interrupted: None };
    Settings { choose, model, inputs: Inputs::default(), trace, limits }
}

fn run_once(prepared: &Prepared, settings: &Settings) -> Result<(Seen, Execution), String> {
    let mut output = Captured::default();
    let mut execution = run::run(prepared, settings, &mut output).map_err(|error| error.to_string())?;
    let verdict = run::judge(&mut execution, EndProperties::NONE);
    Ok((Seen { verdict, digest: execution.digest, output }, execution))
}

/// The schedule of the run with this seed.
pub fn record(prepared: &Prepared, model: Model, seed: u64) -> Result<Schedule, String> {
    let settings = settings(Choose::Seed(seed), model, Trace::Off);
    let (_, execution) = run_once(prepared, &settings)?;
    Ok(run::schedule(prepared, &settings, &execution))
}

/// Runs, runs again, replays.
fn check(prepared: &Prepared, model: Model, seed: u64, folder: &Path) -> Result<(), String> {
    let once = settings(Choose::Seed(seed), model, Trace::Off);
    let (first, execution) = run_once(prepared, &once)?;
    if first.verdict != Verdict::Ended(0) {
        let printed = String::from_utf8_lossy(&first.output.stdout).into_owned();
        return Err(format!("the program did not end well: {:?}\n{printed}", first.verdict));
    }
    let (second, again) = run_once(prepared, &once)?;
    if second != first || again.choices != execution.choices {
        return Err("the same seed does something else the second time".to_owned());
    }
    let schedule = run::schedule(prepared, &once, &execution);
    let file = folder.join("schedule.json");
    write_schedule(&file, &schedule).map_err(|error| error.to_string())?;
    let read = read_schedule(&file).map_err(|error| error.to_string())?;
    if read != schedule {
        return Err("the schedule file says something else than was written".to_owned());
    }
    for trace in [Trace::Off, Trace::Words] {
        let settings = settings(Choose::Replay(Box::new(read.clone())), model, trace);
        let (replayed, again) =
            run_once(prepared, &settings).map_err(|error| format!("replay, {trace:?}: {error}"))?;
        if replayed != first || again.choices != execution.choices {
            return Err(format!("a replay does something else ({trace:?})"));
        }
    }
    Ok(())
}
