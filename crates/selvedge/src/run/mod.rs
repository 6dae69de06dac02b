//! Running programs: from source to verdict. The command line and the tests stand on this.

mod circle;
pub mod claim;
mod closing;
mod determinism;
mod effects;
pub mod execute;
mod judge;
mod messages;
mod notes;
pub(crate) mod places;
pub mod prepare;
mod random;
mod recorder;
pub mod replay;
pub mod scheduler;
mod std_locks;
pub(crate) mod value;
mod words;

pub use closing::table;
pub use determinism::{Difference, compare};
pub use judge::judge;

use execute::{End, Execution, Limits, Output, Runner};
use prepare::Prepared;
use random::Random;
use replay::{Divergence, Replay};
use scheduler::{InOrder, Scheduler};
use selvedge_machine::{Config, Spurious};
use selvedge_trace::{Births, Inputs, Model, Schedule};
use std::sync::Arc;

/// Environment variables that every program sees unless it is told otherwise: the same on every machine.
pub const ENVIRONMENT: [&str; 3] = ["HOME=/", "LANG=C.UTF-8", "PATH=/usr/bin:/bin"];

/// What makes the choices.
pub enum Choose {
    /// The default: one thread after the other.
    InOrder,
    /// The random schedule with this number.
    Seed(u64),
    /// A recorded schedule, which also says the inputs and the model. Then the default, if the execution goes on.
    Replay(Box<Schedule>),
    /// These choices, and nothing after them, whatever the digest.
    Exactly(Box<Schedule>),
}

impl Choose {
    /// The schedule that is followed.
    pub fn schedule(&self) -> Option<&Schedule> {
        match self {
            Choose::Replay(schedule) | Choose::Exactly(schedule) => Some(schedule),
            Choose::InOrder | Choose::Seed(_) => None,
        }
    }
}

/// What to keep of the events of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    Off,
    /// The events themselves.
    Events,
    /// The events, and what they are in the user's words.
    Words,
}

/// What a run is told.
pub struct Settings {
    /// What makes the choices.
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
    let config = Config { trace: settings.trace != Trace::Off, ..config(prepared, settings) };
    let words = settings.trace == Trace::Words;
    let mut runner = Runner { limits: &settings.limits, output, words };
    let mut go = |scheduler: &mut dyn Scheduler| runner.run(&prepared.program, config.clone(), scheduler);
    match &settings.choose {
        Choose::InOrder => Ok(go(&mut InOrder::default())),
        Choose::Seed(seed) => Ok(go(&mut Random::new(*seed))),
        Choose::Replay(schedule) | Choose::Exactly(schedule) => {
            let exactly = matches!(settings.choose, Choose::Exactly(_));
            let program = (&*prepared.name, prepared.program.fingerprint);
            let mut replay = Replay::new(Schedule::clone(schedule), program, exactly)?;
            let mut execution = go(&mut replay);
            let complete = matches!(execution.end, End::Over | End::Stuck | End::Complete);
            match replay.divergence(execution.replayed) {
                // A caller that wants exactly these choices compares what they led to.
                Some(Divergence::OtherEvents) if exactly => {}
                Some(divergence) if complete => return Err(divergence),
                _ => {}
            }
            if let Some(claim) = schedule.claim.as_ref().filter(|_| complete) {
                let not_shown = match replay.is_of_changed_program() {
                    true => Divergence::Repaired,
                    false => Divergence::NotShown,
                };
                let seen = claim::see(&mut execution, claim, replay.is_fair()).map_err(not_shown)?;
                execution.claimed = Some(Box::new(seen));
            }
            Ok(execution)
        }
    }
}

/// What the machine is told.
pub(crate) fn config(prepared: &Prepared, settings: &Settings) -> Config {
    let schedule = settings.choose.schedule();
    Config {
        model: schedule.map_or(settings.model, |schedule| schedule.model),
        inputs: Arc::new(
            schedule.map_or_else(|| settings.inputs.clone(), |schedule| schedule.inputs.clone()),
        ),
        program_name: prepared.name.clone(),
        births: schedule.map_or_else(Arc::default, |schedule| Arc::new(schedule.births.clone())),
        property: schedule.and_then(|schedule| schedule.property),
        random_inputs: match settings.choose {
            Choose::Seed(seed) => Some(seed),
            Choose::InOrder | Choose::Replay(_) | Choose::Exactly(_) => None,
        },
        spurious: match settings.choose {
            Choose::Replay(_) | Choose::Exactly(_) => Spurious::All,
            Choose::InOrder | Choose::Seed(_) => Spurious::Off,
        },
        ..Config::default()
    }
}

/// The schedule of an execution.
pub fn schedule(prepared: &Prepared, settings: &Settings, execution: &Execution) -> Schedule {
    let recorded = settings.choose.schedule();
    let (model, mut inputs) = match recorded {
        Some(schedule) => (schedule.model, schedule.inputs.clone()),
        None => (settings.model, settings.inputs.clone()),
    };
    // Values that were not given are part of what happened, too.
    let asked = execution.machine.inspect().asked().iter();
    inputs.values.extend(asked.map(|asked| (asked.name.clone(), asked.value)));
    Schedule {
        program: prepared.name.clone(),
        fingerprint: prepared.program.fingerprint,
        model,
        inputs,
        births: recorded.map_or_else(Births::default, |schedule| schedule.births.clone()),
        property: recorded.and_then(|schedule| schedule.property),
        steps: execution.notes.clone(),
        made_from: recorded.map_or_else(Vec::new, |schedule| schedule.made_from.clone()),
        choices: execution.choices.clone(),
        digest: execution.digest,
        claim: recorded.filter(|_| execution.claimed.is_some()).and_then(|schedule| schedule.claim.clone()),
    }
}
