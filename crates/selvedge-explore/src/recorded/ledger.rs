//! What searches by views note besides views: violations, what is left open, and when to stop.

use crate::Budget;
use crate::kit::driver::Driver;
use crate::kit::exploration::Exploration;
use crate::kit::findings::{self, Found, Pairs};
use crate::kit::races;
use crate::recorded::predict::{Meeting, OVERTAKEN, Prediction};
use crate::recorded::run::{Recording, Run, reach};
use crate::report::{Access, Bug, Report, Unfinished};
use selvedge_machine::{Config, Outcome, Pick, Trait, uses};
use selvedge_order::{EventId, Prepared, Scratch};
use selvedge_trace::EventKind;

/// What was noted.
#[derive(Default)]
pub struct Ledger {
    /// All workers are to stop.
    pub stop: bool,
    /// There is something left to be done.
    pub exhausted: bool,
    /// What was counted, and what is left open.
    pub report: Report,
    /// The violations.
    pub found: Found,
    /// Races that are known, by their places.
    pub pairs: Pairs,
    /// A deadlock was found.
    pub deadlock: bool,
}

/// What there is where two accesses were to meet.
pub enum Met {
    /// These races, and how to come there.
    Races(Vec<(Access, Access)>, Vec<Pick>),
    /// It may be that they do not meet; other races, and how to come there.
    Doubt(Vec<(Access, Access)>, Vec<Pick>),
    /// The machine did something else.
    Lost,
}

impl Ledger {
    /// Leaves open what the strategies do not know.
    pub fn leave_open(&mut self, subject: &Recording<'_>) {
        for property in subject.options.at_end.iter() {
            self.beyond(property.question);
        }
        if subject.options.unroll.is_some() {
            self.beyond("bounded unrolling");
        }
        if let Some(name) = uses(subject.program, |traits| traits.has(Trait::Ambiguous)) {
            self.beyond(name);
        }
    }

    /// Tells a driver that workers are to end, if they are. Whether they are.
    pub fn end<Item: Send>(&self, driver: &Driver<Item>) -> bool {
        match (self.exhausted, self.stop) {
            (true, _) => driver.exhaust(),
            (false, true) => driver.stop(),
            (false, false) => {}
        }
        self.stop
    }

    /// Something cannot be done with this strategy.
    pub fn beyond(&mut self, what: &str) {
        self.report.leave_open(Unfinished::Beyond(what.to_owned()));
        self.stop = true;
    }

    /// An execution came to something that the machine does not support.
    pub fn unsupported(&mut self, subject: &Recording<'_>, outcome: &Outcome, picks: &[Pick]) {
        let known = |unfinished: &Unfinished| matches!(unfinished, Unfinished::Unsupported { .. });
        if self.report.unfinished.iter().any(known) {
            return;
        }
        let found = findings::finding(&subject.stepwise(), Bug::Ends(outcome.clone()), picks);
        self.report.leave_open(findings::unsupported(outcome.clone(), found));
    }

    /// An execution was not what it should have been.
    pub fn lost(&mut self) {
        self.report.leave_open(Unfinished::Lost);
    }

    /// A budget is used up.
    pub fn exhaust(&mut self, budget: Budget) {
        if !self.exhausted {
            self.report.unfinished.push(Unfinished::Budget(budget));
        }
        (self.stop, self.exhausted) = (true, true);
    }

    /// The budget that is used up.
    pub fn budget(&self, subject: &Recording<'_>) -> Option<Budget> {
        subject.progress.used_up(subject.options, self.report.executions)
    }

    /// Notes a violation.
    pub fn found(&mut self, subject: &Recording<'_>, bug: &Bug, picks: &[Pick]) {
        match findings::finding(&subject.stepwise(), bug.clone(), picks) {
            None => self.lost(),
            Some(finding) => {
                self.deadlock |= is_deadlock(bug);
                let known = self.found.entry(finding.identity.clone()).or_insert_with(|| finding.clone());
                if finding.switches < known.switches {
                    *known = finding;
                }
                self.stop |= !subject.options.keep_going && !subject.options.count_views;
            }
        }
    }

    /// Notes what there is where two accesses were to meet.
    pub fn met(&mut self, subject: &Recording<'_>, met: Met) {
        match met {
            Met::Lost => self.lost(),
            Met::Doubt(pairs, picks) => {
                self.races(subject, pairs, &picks);
                self.beyond(OVERTAKEN);
            }
            Met::Races(pairs, picks) => self.races(subject, pairs, &picks),
        }
    }

    fn races(&mut self, subject: &Recording<'_>, pairs: Vec<(Access, Access)>, picks: &[Pick]) {
        for pair in pairs {
            if self.pairs.insert(races::places(&pair)) {
                self.found(subject, &Bug::Race(pair.0, pair.1), picks);
            }
        }
    }

    /// What was noted before, from a report and violations.
    pub fn again(report: Report, found: Found, pairs: Pairs) -> Self {
        let deadlock = found.values().any(|found| is_deadlock(&found.bug));
        Ledger { report, found, pairs, deadlock, ..Ledger::default() }
    }
}

fn is_deadlock(bug: &Bug) -> bool {
    matches!(bug, Bug::Ends(Outcome::Deadlock(_)))
}

/// Goes where two accesses are to meet.
pub fn meet(subject: &Recording<'_>, meeting: &Meeting) -> Met {
    let Some((mut machine, picks)) = reach(subject, &meeting.acts) else {
        return if meeting.in_doubt { Met::Doubt(Vec::new(), Vec::new()) } else { Met::Lost };
    };
    let mut pairs = Vec::new();
    races::pending_races(&mut machine, &mut pairs);
    // An earlier store to the same place may wait as well; then that one races, and this one may not be next.
    match meeting.in_doubt && !pairs.iter().any(|pair| races::places(pair) == meeting.places) {
        true => Met::Doubt(pairs, picks),
        false => Met::Races(pairs, picks),
    }
}

/// What races with the exchange with which a run along a seed failed, if it failed with one that succeeded. It conflicts with
/// reads; in the executions that go on it may always have found something else.
pub fn met_by_the_last(
    subject: &Recording<'_>,
    run: &Run<'_>,
    known: &dyn Fn((u32, u32)) -> bool,
    scratch: &mut Scratch,
) -> Result<Vec<Met>, &'static str> {
    let (recorder, model) = (&run.recorder, subject.config.model);
    let note = |stop: EventId| recorder.notes.get(stop.thread as usize)?.get(stop.index as usize);
    // What a call accesses depends on what it has seen as well.
    let exchanges = |stop: &EventId| {
        note(*stop).is_some_and(|note| {
            let exchange = note.operation.kind == EventKind::CompareExchange;
            (exchange || !note.touches.is_empty()) && !note.pending
        })
    };
    let Some(exchange) = run.stop.filter(|stop| subject.options.races && exchanges(stop)) else {
        return Ok(Vec::new());
    };
    let over = || subject.progress.over().is_some();
    let Ok(prepared) = Prepared::new_until(&recorder.trace, model, &over) else {
        return Err("locks that are given back by another thread");
    };
    let prepared = || Some(&prepared);
    let mut prediction = Prediction { over: &over, ..Prediction::new(recorder, &prepared, model, run.stop) };
    let known = |pair, events: [EventId; 2]| !events.contains(&exchange) || known(pair);
    let meetings = prediction.races(&known, scratch);
    match prediction.unknown && !over() {
        true => Err("a question about the order of so many events"),
        false => Ok(meetings.iter().map(|meeting| meet(subject, meeting)).collect()),
    }
}

impl Recording<'_> {
    /// The same for machines that keep no events.
    fn stepwise(&self) -> Exploration<'_> {
        let config = Config { trace: false, every_step: true, ..self.config.clone() };
        let Recording { program, options, progress, .. } = *self;
        Exploration { program, config, options, progress, names: Default::default() }
    }
}
