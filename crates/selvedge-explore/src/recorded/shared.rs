//! What the workers of a search that records executions share, and what such searches do alike: they count executions,
//! follow orders in which threads block each other, and look for races and other violations that recorded events show.

use crate::Budget;
use crate::kit::findings::Found;
use crate::recorded::keep::{Kept, Resumed};
use crate::recorded::ledger::{Ledger, meet, met_by_the_last};
use crate::recorded::predict::Prediction;
use crate::recorded::run::{End, Recording, Run, SeedStep, execute};
use crate::recorded::views::{Frontier, Views};
use crate::report::{Bug, Report};
use rustc_hash::FxHashSet;
use selvedge_machine::Outcome;
use selvedge_order::{EventId, Prepared, Scratch};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What all workers share. `Own`: what only one of the searches needs.
#[derive(Default)]
pub struct Shared<Own> {
    pub ledger: Ledger,
    /// What was observed in the executions.
    pub views: Views,
    /// Where threads cannot all wait.
    pub refuted: FxHashSet<u128>,
    /// Views as the machine tells them apart, where they are counted.
    pub classes: FxHashSet<u128>,
    pub own: Own,
}

/// Whether a race need not be looked for: its places, and its events.
pub type Known<'r> = &'r dyn Fn((u32, u32), [EventId; 2]) -> bool;

/// A search that records executions.
pub struct Common<'s, Own> {
    pub subject: &'s Recording<'s>,
    /// Where views are counted, of executions with the same view only one counts.
    pub once: bool,
    shared: Mutex<Shared<Own>>,
}

impl<Own> Shared<Own> {
    /// What is kept, with executions that are still to be explored and beginnings that need not be followed.
    pub fn kept<'r, 's: 'r>(
        &self,
        subject: &Recording<'_>,
        beginnings: &FxHashSet<u128>,
        waiting: impl Iterator<Item = &'r Run<'s>>,
    ) -> Kept {
        Kept::new(subject, &self.ledger, &self.views, (beginnings, &self.classes), waiting)
    }
}

impl<'s, Own: Default> Common<'s, Own> {
    /// A search that has not begun.
    pub fn new(subject: &'s Recording<'s>, once: bool) -> Self {
        Common { subject, once, shared: Mutex::default() }
    }

    pub fn lock(&self) -> MutexGuard<'_, Shared<Own>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on with what was kept, and with what a search takes of its beginnings. Returns the executions that wait.
    pub fn go_on(&self, resumed: Resumed<'s>, own: impl FnOnce(FxHashSet<u128>) -> Own) -> Vec<Run<'s>> {
        let Resumed { ledger, views, beginnings, classes, waiting } = resumed;
        *self.lock() = Shared { ledger, views, classes, refuted: FxHashSet::default(), own: own(beginnings) };
        waiting
    }

    /// What was found out.
    pub fn into_report(self) -> (Report, Found) {
        let Shared { ledger, classes, .. } = self.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        let classes = self.subject.options.count_views.then_some(classes.len() as u64);
        (Report { classes, ..ledger.report }, ledger.found)
    }

    /// Notes what came of an execution: whether it is complete, if it can be used.
    pub fn note_end(&self, shared: &mut Shared<Own>, run: &Run<'s>) -> Option<bool> {
        let (options, progress) = (self.subject.options, self.subject.progress);
        let ledger = &mut shared.ledger;
        ledger.report.steps += run.steps;
        for (bug, picks) in &run.bugs {
            ledger.found(self.subject, bug, picks);
        }
        if let Some(what) = &run.recorder.unmapped {
            ledger.beyond(what);
            return None;
        }
        if run.cut_short && options.count_views {
            ledger.beyond("counting views of a program that ends before its threads");
            return None;
        }
        match &run.end {
            End::Over | End::Failed => return Some(true),
            End::Blocked | End::Vain => return Some(false),
            End::Unsupported(outcome) => ledger.unsupported(self.subject, outcome, &run.picks),
            End::Lost => ledger.lost(),
            End::Interrupted => ledger.exhaust(progress.over().unwrap_or(Budget::Interrupted)),
        }
        None
    }

    /// Counts an execution.
    pub fn count(&self, shared: &mut Shared<Own>, view: u128) {
        let new = shared.classes.insert(view);
        match self.once && self.subject.options.count_views && !new {
            true => self.count_again(shared),
            false => shared.ledger.report.executions += 1,
        }
        self.subject.progress.executions.store(shared.ledger.report.executions, Ordering::Relaxed);
    }

    /// Counts an execution that does not count, since all that it shows was explored elsewhere.
    pub fn count_again(&self, shared: &mut Shared<Own>) {
        shared.ledger.report.blocked += 1;
        shared.ledger.report.asleep += 1;
    }

    /// Looks for races of the exchange with which an execution failed.
    pub fn races_of_the_last(&self, run: &Run<'s>, scratch: &mut Scratch) {
        let known = |pair| self.lock().ledger.pairs.contains(&pair);
        match met_by_the_last(self.subject, run, &known, scratch) {
            Ok(all) => all.into_iter().for_each(|met| self.lock().ledger.met(self.subject, met)),
            Err(what) => self.lock().ledger.beyond(what),
        }
    }

    /// Looks for races, accesses after the end of an object and deadlocks in other orders of the events of an execution: how many
    /// questions that took, and whether one was too hard. `races` says which races need not be looked for, if any are to
    /// be; `prepared` is the trace for the solver.
    pub fn look_for_violations<'p>(
        &self,
        run: &Run<'s>,
        prepared: &dyn Fn() -> Option<&'p Prepared>,
        (races, blocks): (Option<Known<'_>>, bool),
        scratch: &mut Scratch,
    ) -> (u64, bool) {
        let (over, prepared) = (|| self.subject.progress.over().is_some(), || prepared());
        let refuted = |key: u128| self.lock().refuted.contains(&key);
        let refute = |key| self.lock().refuted.extend([key]);
        let mut prediction = Prediction {
            over: &over,
            refuted: &refuted,
            refute: &refute,
            ..Prediction::new(&run.recorder, &prepared, self.subject.config.model, run.stop)
        };
        if let Some(known) = races {
            for meeting in prediction.races(known, scratch) {
                let met = meet(self.subject, &meeting);
                self.lock().ledger.met(self.subject, met);
            }
        }
        for acts in prediction.uses_after_free(scratch) {
            self.follow_deadlock(&acts);
        }
        if blocks {
            self.deadlocks(&mut prediction, scratch);
        }
        (prediction.queries, prediction.unknown)
    }

    /// Follows orders in which threads block each other. Where views are counted, each of them has a view.
    fn deadlocks(&self, prediction: &mut Prediction<'_, 's>, scratch: &mut Scratch) {
        let count_views = self.subject.options.count_views;
        if self.lock().ledger.deadlock && !count_views {
            return;
        }
        let Some(acts) = prediction.deadlock(scratch) else { return };
        if !count_views && self.follow_deadlock(&acts) {
            return;
        }
        // The others may have come to an end in which not every thread waits: an assumption that does not hold.
        let known = |frontier: &Frontier| self.lock().views.ends_like(frontier);
        for acts in prediction.all_deadlocks(&known, scratch) {
            if self.follow_deadlock(&acts) && !count_views {
                return;
            }
        }
    }

    /// Whether no thread can go on at the end of these acts.
    fn follow_deadlock(&self, acts: &[SeedStep]) -> bool {
        let run = execute(self.subject, acts);
        let mut shared = self.lock();
        shared.ledger.report.steps += run.steps;
        for (bug, picks) in &run.bugs {
            shared.ledger.found(self.subject, bug, picks);
        }
        if let End::Lost = run.end {
            shared.ledger.lost();
        }
        let stuck = run.bugs.iter().any(|(bug, _)| matches!(bug, Bug::Ends(Outcome::Deadlock(_))));
        if stuck && self.subject.options.count_views && shared.views.note_end(&run.ends()) {
            self.count(&mut shared, run.view);
        }
        stuck
    }
}
