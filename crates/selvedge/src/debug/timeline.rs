//! A recorded execution as a line of moments, on which one can go forwards and backwards.
//!
//! The machine pauses after every operation. States at beginnings of steps are kept at intervals; an earlier moment is
//! reached from the last state kept before it, by performing the same operations again.

use selvedge_machine::{Config, Machine, Pick, Snapshot, Stepped};
use selvedge_program::Program;
use selvedge_trace::ThreadId;
use std::sync::Arc;

/// A place in the execution: so many steps of the schedule are over, and so many operations of the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    pub step: usize,
    pub operation: u64,
}

/// A state that is kept.
struct Kept {
    moment: Moment,
    snapshot: Snapshot,
    written: [usize; 2],
}

/// Operations between two states that are kept, at first.
const INTERVAL: u64 = 2_000;
/// More states than this are thinned out.
const MOST_KEPT: usize = 200;
/// A last step that never ends is shown as far as this.
const LONGEST_STEP: u64 = 5_000_000;

/// An execution, and the moment that is looked at.
pub struct Timeline {
    machine: Machine,
    picks: Vec<Pick>,
    now: Moment,
    kept: Vec<Kept>,
    interval: u64,
    since_kept: u64,
    /// Bytes that the program has written until now, to standard output and standard error.
    written: [usize; 2],
    /// How many of these were told.
    told: [usize; 2],
    output: Vec<(i32, Vec<u8>)>,
    choices: Vec<Pick>,
}

impl Timeline {
    /// The execution in which these are picked.
    pub fn new(program: Arc<Program>, config: Config, picks: Vec<Pick>) -> Self {
        let config = Config { trace: true, pauses: true, ..config };
        let mut timeline = Timeline {
            machine: Machine::new(program, config),
            picks,
            now: Moment::default(),
            kept: Vec::new(),
            interval: INTERVAL,
            since_kept: 0,
            written: [0; 2],
            told: [0; 2],
            output: Vec::new(),
            choices: Vec::new(),
        };
        timeline.keep();
        timeline
    }

    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    pub fn now(&self) -> Moment {
        self.now
    }

    /// Steps of the schedule.
    pub fn steps(&self) -> usize {
        self.picks.len()
    }

    /// The thread that acts next: nothing at the end.
    pub fn next_thread(&self) -> Option<ThreadId> {
        self.machine.inspect().unfinished().or_else(|| match self.picks.get(self.now.step)? {
            Pick::Step { thread, .. } | Pick::Commit { thread, .. } => Some(*thread),
        })
    }

    /// Whether the schedule and the execution are over.
    pub fn is_over(&self) -> bool {
        self.machine.inspect().unfinished().is_none()
            && (self.now.step >= self.picks.len() || self.machine.outcome().is_some())
            || self.now.operation >= LONGEST_STEP
    }

    /// Performs the next operation. Whether there was one.
    pub fn advance(&mut self) -> bool {
        if self.is_over() {
            return false;
        }
        let stepped = match self.machine.inspect().unfinished() {
            Some(_) => self.machine.resume(),
            None => {
                if self.since_kept >= self.interval {
                    self.keep();
                }
                // Asking what can happen is part of a step.
                self.machine.picks(&mut self.choices);
                self.machine.step(self.picks[self.now.step])
            }
        };
        self.since_kept += 1;
        self.now = match stepped {
            Stepped::OutOfFuel => Moment { operation: self.now.operation + 1, ..self.now },
            Stepped::Stopped | Stepped::Ended => Moment { step: self.now.step + 1, operation: 0 },
        };
        if self.is_over() {
            // No thread can go on, perhaps: the machine finds that when it is asked.
            self.machine.picks(&mut self.choices);
        }
        self.take_output();
        true
    }

    /// The beginnings of the stretches into which the kept states cut the execution up to a moment, the last first.
    pub fn stretches(&self, before: Moment) -> Vec<Moment> {
        let earlier = self.kept.iter().map(|kept| kept.moment).filter(|moment| *moment < before);
        earlier.rev().collect()
    }

    /// Goes to a moment.
    pub fn go_to(&mut self, moment: Moment) {
        let after = self.kept.partition_point(|kept| kept.moment <= moment);
        let nearest = after.checked_sub(1).map(|at| &self.kept[at]);
        if let Some(kept) = nearest.filter(|kept| moment < self.now || kept.moment > self.now) {
            self.machine.restore(&kept.snapshot);
            (self.now, self.written, self.since_kept) = (kept.moment, kept.written, 0);
        }
        while self.now < moment && self.advance() {}
    }

    /// What the program has written since this was asked last. What it writes again, after one has gone back, counts once.
    pub fn output(&mut self) -> Vec<(i32, Vec<u8>)> {
        std::mem::take(&mut self.output)
    }

    fn take_output(&mut self) {
        for (descriptor, bytes) in self.machine.take_output() {
            let stream = usize::from(descriptor == 2);
            let told = self.told[stream].saturating_sub(self.written[stream]).min(bytes.len());
            self.written[stream] += bytes.len();
            self.told[stream] = self.told[stream].max(self.written[stream]);
            if told < bytes.len() {
                self.output.push((descriptor, bytes[told..].to_vec()));
            }
        }
    }

    fn keep(&mut self) {
        self.since_kept = 0;
        if self.kept.last().is_some_and(|last| last.moment >= self.now) {
            return;
        }
        let snapshot = self.machine.snapshot();
        self.kept.push(Kept { moment: self.now, snapshot, written: self.written });
        if self.kept.len() > MOST_KEPT {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.interval *= 2;
        }
    }
}
