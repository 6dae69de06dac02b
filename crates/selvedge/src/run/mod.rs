//! Running programs: from source to verdict. The command line and the tests stand on this.

mod determinism;
pub mod execute;
mod judge;
mod leaks;
mod messages;
mod places;
pub mod prepare;
mod random;
mod recorder;
pub mod replay;
pub mod scheduler;
mod words;

pub use determinism::{Difference, compare};
pub use judge::judge;

use execute::{Execution, Limits, Output, Runner};
use places::thread_name;
use prepare::Prepared;
use random::Random;
use replay::{Divergence, Replay};
use scheduler::{InOrder, Scheduler};
use selvedge_machine::Config;
use selvedge_report::Table;
use selvedge_trace::{Inputs, Model, Schedule};
use std::sync::Arc;

/// Environment variables that every program sees unless it is told otherwise: the same on every machine.
pub const ENVIRONMENT: [&str; 3] = ["HOME=/", "LANG=C.UTF-8", "PATH=/usr/bin:/bin"];

/// Who chooses.
pub enum Choose {
    /// The default: one thread after the other.
    InOrder,
    /// The random schedule with this number.
    Seed(u64),
    /// A recorded schedule, which also says the inputs and the model.
    Replay(Box<Schedule>),
}

/// What to keep of the events of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    /// Nothing.
    Off,
    /// The events themselves.
    Events,
    /// The events, and what they are in the user's words.
    Words,
}

/// What a run is told.
pub struct Settings {
    /// Who chooses.
    pub choose: Choose,
    /// Memory model, unless a schedule says it.
    pub model: Model,
    /// What the program sees of the outside, unless a schedule says it.
    pub inputs: Inputs,
    /// What to keep of the events.
    pub trace: Trace,
    /// When to give up.
    pub limits: Limits,
}

/// Runs a program once. A replay that cannot be what was recorded is an error.
pub fn run(
    prepared: &Prepared,
    settings: &Settings,
    output: &mut dyn Output,
) -> Result<Execution, Divergence> {
    let (model, inputs) = match &settings.choose {
        Choose::Replay(schedule) => (schedule.model, schedule.inputs.clone()),
        Choose::InOrder | Choose::Seed(_) => (settings.model, settings.inputs.clone()),
    };
    let config = Config {
        model,
        inputs: Arc::new(inputs),
        program_name: prepared.name.clone(),
        trace: settings.trace != Trace::Off,
        ..Config::default()
    };
    let words = settings.trace == Trace::Words;
    let mut runner = Runner { limits: &settings.limits, output, words };
    let mut go = |scheduler: &mut dyn Scheduler| runner.run(&prepared.program, config.clone(), scheduler);
    match &settings.choose {
        Choose::InOrder => Ok(go(&mut InOrder::default())),
        Choose::Seed(seed) => Ok(go(&mut Random::new(*seed))),
        Choose::Replay(schedule) => {
            let mut replay = Replay::new(Schedule::clone(schedule), prepared.program.fingerprint)?;
            let execution = go(&mut replay);
            let stopped = !matches!(execution.end, execute::End::Over | execute::End::Stuck);
            match replay.divergence(execution.replayed) {
                Some(divergence) if !stopped => Err(divergence),
                _ => Ok(execution),
            }
        }
    }
}

/// The schedule of an execution.
pub fn schedule(prepared: &Prepared, settings: &Settings, execution: &Execution) -> Schedule {
    let (model, inputs) = match &settings.choose {
        Choose::Replay(schedule) => (schedule.model, schedule.inputs.clone()),
        Choose::InOrder | Choose::Seed(_) => (settings.model, settings.inputs.clone()),
    };
    Schedule {
        program: prepared.name.clone(),
        fingerprint: prepared.program.fingerprint,
        model,
        inputs,
        choices: execution.choices.clone(),
        digest: execution.digest,
    }
}

/// The execution as a table. Its run must have been told to keep words.
pub fn table(execution: &mut Execution) -> Table {
    let threads =
        (0..execution.machine.threads().len()).map(|index| thread_name(&execution.machine, index)).collect();
    Table { threads, rows: std::mem::take(&mut execution.rows) }
}
