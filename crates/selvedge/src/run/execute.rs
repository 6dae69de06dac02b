//! Runs a machine under a scheduler until it ends or something stops it.

use super::circle::{self, Circle};
use super::effects::Effects;
use super::notes::Notes;
use super::places::Places;
use super::recorder::Recorder;
use super::scheduler::{Phase, Scheduler};
use super::words::{self, Known};
use selvedge_machine::{Config, Machine, Pick, Stepped};
use selvedge_program::Program;
use selvedge_report::{Row, Violation};
use selvedge_trace::{Choices, StepNote};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to give up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Steps.
    pub steps: Option<u64>,
    /// Time of the clock on the wall.
    pub time: Option<Duration>,
    /// Set from outside when the user has had enough.
    pub interrupted: Option<Arc<AtomicBool>>,
}

/// Where what the program writes goes.
pub trait Output {
    /// Bytes that the program wrote to standard output (1) or standard error (2).
    fn write(&mut self, descriptor: i32, bytes: &[u8]) -> io::Result<()>;
}

/// Keeps what the program writes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Captured {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
}

impl Output for Captured {
    fn write(&mut self, descriptor: i32, bytes: &[u8]) -> io::Result<()> {
        let stream = if descriptor == 1 { &mut self.stdout } else { &mut self.stderr };
        stream.extend_from_slice(bytes);
        Ok(())
    }
}

/// Why a run stopped.
#[derive(Debug)]
pub enum End {
    /// The execution is over: the machine has an outcome.
    Over,
    /// The schedule is over, and nothing was to follow.
    Complete,
    /// As many steps as were allowed.
    Steps,
    /// As much time as was allowed.
    Time,
    /// The user.
    Interrupted,
    /// The scheduler found nothing to choose.
    Stuck,
    /// What the program wrote could not be passed on.
    Output(io::Error),
}

/// An execution, as far as it has come.
pub struct Execution {
    /// Its last state.
    pub machine: Machine,
    /// Why it stopped.
    pub end: End,
    /// Steps taken.
    pub steps: u64,
    /// What was chosen.
    pub choices: Choices,
    /// Digest at the end of the last of `choices`.
    pub digest: u64,
    /// The events in the user's words, if they were asked for.
    pub rows: Vec<Row>,
    /// What they did to what threads share.
    pub effects: Effects,
    /// The last part of what the program wrote to standard error.
    pub stderr: Vec<u8>,
    /// Digest at the moment when the scheduler had followed all that it was given, if it was given something.
    pub replayed: Option<u64>,
    /// What the scheduler went on with after `replayed` led back to the same state.
    pub returned: bool,
    /// What each of `choices` did; empty if these are too many.
    pub notes: Vec<StepNote>,
    /// What the schedule claims, once it has been seen.
    pub claimed: Option<Box<Violation>>,
}

/// More output than this is not looked at for messages.
const OUTPUT_KEPT: usize = 1 << 16;
/// Of a thread that runs for ever so many events are put into words.
const EVENTS_OF_CIRCLE: usize = 10_000;
/// The clock is looked at every so many steps.
const STEPS_PER_LOOK: u64 = 1 << 10;

/// What a run needs besides its program.
pub struct Runner<'a> {
    /// When to give up.
    pub limits: &'a Limits,
    /// Where output goes.
    pub output: &'a mut dyn Output,
    /// Put every event into words. The machine must keep its events.
    pub words: bool,
}

impl Runner<'_> {
    /// Runs the program.
    pub fn run(
        &mut self,
        program: &Arc<Program>,
        config: Config,
        scheduler: &mut dyn Scheduler,
    ) -> Execution {
        let places = Places::new(program);
        let machine = Machine::new(program.clone(), config);
        let mut execution = Execution {
            machine,
            end: End::Over,
            steps: 0,
            choices: Choices::new(),
            digest: 0,
            rows: Vec::new(),
            effects: Effects::default(),
            stderr: Vec::new(),
            replayed: None,
            returned: false,
            notes: Vec::new(),
            claimed: None,
        };
        let mut recorder = Recorder::default();
        let mut notes = Notes::default();
        let begun = Instant::now();
        let mut picks: Vec<Pick> = Vec::new();
        let mut state = None;
        loop {
            let phase = scheduler.phase();
            if phase != Phase::Following && execution.replayed.is_none() {
                execution.replayed = Some(execution.machine.inspect().digest());
                execution.digest = execution.machine.inspect().digest();
                state = (phase == Phase::Showing).then(|| execution.machine.state_hash());
            }
            execution.machine.picks(&mut picks);
            if picks.is_empty() {
                break;
            }
            if matches!(phase, Phase::Endless | Phase::Over) {
                execution.returned = state == Some(execution.machine.state_hash());
                execution.choices = recorder.choices(&execution.machine);
                execution.notes = notes.into_steps();
                execution.end = End::Complete;
                return execution;
            }
            if let Some(end) = self.limit(execution.steps, begun) {
                execution.end = end;
                break;
            }
            let Some(pick) = scheduler.choose(&execution.machine, &picks) else {
                execution.end = End::Stuck;
                break;
            };
            if phase != Phase::Showing {
                recorder.push(pick);
                notes.push(&execution.machine, &places, pick);
            }
            execution.steps += 1;
            let before = execution.machine.inspect().digest();
            let blocks = execution.effects.blocks();
            let subject = self.words.then(|| words::subject(&execution.machine, pick, blocks)).flatten();
            let before_circle = execution.rows.len();
            let most = match scheduler.phase() {
                Phase::Endless => before_circle + EVENTS_OF_CIRCLE,
                Phase::Free | Phase::Following | Phase::Showing | Phase::Over => usize::MAX,
            };
            let mut stepped = execution.machine.step(pick);
            let mut stopped = self.pass_on(&mut execution, &places, subject.as_ref(), most).err();
            let mut circle = Circle::default();
            while stepped == Stepped::OutOfFuel && stopped.is_none() {
                if scheduler.phase() == Phase::Endless && circle.is_closed(execution.machine.state_hash()) {
                    execution.replayed = Some(execution.machine.inspect().digest());
                    execution.returned = true;
                    circle::show_once(&mut execution.rows, before_circle);
                    stopped = Some(End::Complete);
                    break;
                }
                // A long stretch without anything visible counts as a step, so that limits end every loop.
                execution.steps += 1;
                stopped = self.limit_now(execution.steps, begun);
                if stopped.is_none() {
                    stepped = execution.machine.resume();
                    stopped = self.pass_on(&mut execution, &places, None, most).err();
                }
            }
            if let Some(end) = stopped {
                if stepped == Stepped::OutOfFuel && !matches!(end, End::Complete) {
                    recorder.pop();
                    notes.pop();
                    execution.digest = before;
                } else {
                    execution.digest = execution.machine.inspect().digest();
                }
                execution.end = end;
                execution.choices = recorder.choices(&execution.machine);
                execution.notes = notes.into_steps();
                return execution;
            }
        }
        execution.digest = execution.machine.inspect().digest();
        execution.choices = recorder.choices(&execution.machine);
        execution.notes = notes.into_steps();
        execution
    }

    fn limit(&self, steps: u64, begun: Instant) -> Option<End> {
        match self.limits.steps {
            Some(most) if steps >= most => Some(End::Steps),
            _ if steps.is_multiple_of(STEPS_PER_LOOK) => self.limit_now(steps, begun),
            _ => None,
        }
    }

    fn limit_now(&self, steps: u64, begun: Instant) -> Option<End> {
        let interrupted = self.limits.interrupted.as_ref();
        if interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(End::Interrupted);
        }
        if self.limits.steps.is_some_and(|most| steps >= most) {
            return Some(End::Steps);
        }
        self.limits.time.filter(|most| begun.elapsed() >= *most).map(|_| End::Time)
    }

    /// Passes on what the program has written, and puts new events into words while what they are about exists; there
    /// are `most` of them in all.
    fn pass_on(
        &mut self,
        execution: &mut Execution,
        places: &Places<'_>,
        subject: Option<&Known>,
        most: usize,
    ) -> Result<(), End> {
        for (descriptor, bytes) in execution.machine.take_output() {
            let kept = &mut execution.stderr;
            if descriptor == 2 {
                kept.extend_from_slice(&bytes);
            }
            if kept.len() > 2 * OUTPUT_KEPT {
                kept.drain(..kept.len() - OUTPUT_KEPT);
            }
            self.output.write(descriptor, &bytes).map_err(End::Output)?;
        }
        while self.words
            && execution.rows.len() < most
            && let Some(event) = execution.machine.inspect().trace().get(execution.rows.len())
        {
            let number = execution.rows.len();
            let effects = (&mut execution.effects, number);
            let row = words::row(&execution.machine, places, event, subject, effects);
            execution.rows.push(row);
        }
        Ok(())
    }
}
