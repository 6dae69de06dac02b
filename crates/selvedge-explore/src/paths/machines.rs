//! Executions for the search over paths, and what goes wrong in them.

use crate::kit::checkpoint::Keeper;
use crate::kit::exploration::Exploration;
use crate::kit::findings::{self, Found};
use crate::kit::races;
use crate::report::{Access, Bug, Finding, Unfinished};
use crate::{Options, Progress, Task};
use selvedge_machine::{
    Config, Extent, Machine, Outcome, Recorded, Status, Symbolic, perform, perform_and_look, perform_moves,
};
use selvedge_paths::{Execution, Met, Request, Runner};
use selvedge_program::Program;
use selvedge_trace::{EventKind, MemoryOrder, ThreadName};
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// After so many steps executions are cut once there was one that did not come to its end.
const SHORT: u64 = 1_000;

/// What the decision about going on is based on.
pub struct Seen<'a> {
    enough: AtomicBool,
    /// There was an execution that did not come to its end.
    short: AtomicBool,
    progress: &'a Progress,
}

impl Seen<'_> {
    /// There is no memory left to be used.
    pub fn memory_full(&self) -> bool {
        self.progress.memory_full.load(Ordering::Relaxed)
    }

    /// Time or memory is over.
    fn is_over(&self) -> bool {
        self.progress.over().is_some() || self.memory_full()
    }

    /// Executions are cut early.
    fn is_short(&self) -> bool {
        self.short.load(Ordering::Relaxed)
    }

    /// A violation was found, and one is enough.
    pub fn has_enough(&self) -> bool {
        self.enough.load(Ordering::Relaxed)
    }
}

/// Executes, and keeps what goes wrong.
pub struct Machines<'a> {
    program: &'a Arc<Program>,
    config: Config,
    options: &'a Options,
    progress: &'a Progress,
    seen: Arc<Seen<'a>>,
    /// Violations by their identities.
    pub found: Found,
    /// What could not be explored.
    pub unfinished: Vec<Unfinished>,
    /// Executions that came to an end of their own.
    pub executions: u64,
    /// Executions in which an assumption does not hold.
    pub blocked: u64,
    /// Steps of all of them.
    pub steps: u64,
    /// All executions that were asked for, by any worker, if checkpoints are wanted.
    asked: Option<Arc<Mutex<Vec<Request>>>>,
}

impl<'a> Machines<'a> {
    /// No executions yet.
    pub fn new(task: Task<'a>) -> Self {
        let Task { program, config, options, progress, .. } = task;
        let symbolic = config.symbolic.clone().unwrap_or_default();
        let symbolic = Some(Symbolic { reads: true, inputs: true, ..symbolic });
        Machines {
            program,
            config: Config { symbolic, ..config.clone() },
            options,
            progress,
            seen: Arc::new(Seen { enough: AtomicBool::new(false), short: AtomicBool::new(false), progress }),
            found: Found::default(),
            unfinished: Vec::new(),
            executions: 0,
            blocked: 0,
            steps: 0,
            asked: options.keep.is_some().then(Arc::default),
        }
    }

    /// Another search for the same program, which stops when this one does.
    pub fn another(&self) -> Self {
        Machines {
            program: self.program,
            config: self.config.clone(),
            options: self.options,
            progress: self.progress,
            seen: self.seen.clone(),
            found: Found::default(),
            unfinished: Vec::new(),
            executions: 0,
            blocked: 0,
            steps: 0,
            asked: self.asked.clone(),
        }
    }

    /// Takes over what another one has seen.
    pub fn take(&mut self, other: Machines<'a>) {
        self.executions += other.executions;
        self.blocked += other.blocked;
        self.steps += other.steps;
        for unfinished in other.unfinished {
            self.leave(unfinished);
        }
        for finding in other.found.into_values() {
            self.keep(finding);
        }
    }

    /// Notes that an execution was performed, and keeps all of them from time to time.
    fn ask(&self, request: &Request) {
        let Some(asked) = &self.asked else { return };
        asked.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        if let Some(keep) = self.options.keep.as_ref().filter(|keep| keep.is_due()) {
            self.keep_all(keep);
        }
    }

    /// Keeps which executions were performed.
    pub fn keep_all(&self, keep: &Keeper) {
        if let Some(asked) = &self.asked {
            keep.keep(&*asked.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Something was left out, for a reason that is told once.
    fn leave(&mut self, unfinished: Unfinished) {
        let known = |other: &Unfinished| match (other, &unfinished) {
            (Unfinished::Beyond(known), Unfinished::Beyond(what)) => known == what,
            _ => false,
        };
        if !self.unfinished.iter().any(known) {
            self.unfinished.push(unfinished);
        }
    }

    /// Of violations that are the same the one with the fewest switches is kept.
    fn keep(&mut self, finding: Finding) {
        let known = self.found.get(&finding.identity);
        if known.is_none_or(|known| finding.switches < known.switches) {
            self.found.insert(finding.identity.clone(), finding);
        }
    }

    /// What the decision about going on is based on.
    pub fn seen(&self) -> Arc<Seen<'a>> {
        self.seen.clone()
    }

    /// What is wrong with an execution, and after how many picks.
    fn bug(recorded: &Recorded) -> Option<(Bug, usize)> {
        if let Some((violation, thread, picks)) = &recorded.failure {
            let (violation, thread) = (violation.clone(), *thread);
            return Some((Bug::Ends(Outcome::Violation { violation, thread }), *picks));
        }
        let all = recorded.picks.len();
        match &recorded.outcome {
            Some(outcome @ Outcome::Deadlock(_)) => Some((Bug::Ends(outcome.clone()), all)),
            Some(outcome @ Outcome::Exited(_)) if recorded.panicked => {
                Some((Bug::Ends(outcome.clone()), all))
            }
            _ => None,
        }
    }

    /// How far executions go.
    fn extent<'s>(&self, request: &Request, stop: &'s dyn Fn() -> bool) -> Extent<'s> {
        let steps = match self.seen.is_short() {
            true => SHORT.max(request.moves.len() as u64 + SHORT / 10),
            false => Extent::default().steps,
        };
        Extent { steps, stop }
    }

    fn perform(&self, request: &Request) -> Recorded {
        let stop = || self.seen.is_over();
        perform(self.program, &self.config, request, self.extent(request, &stop))
    }

    fn note(&mut self, recorded: &Recorded) {
        self.steps += recorded.picks.len() as u64;
        match &recorded.outcome {
            Some(Outcome::Blocked { .. }) if recorded.failure.is_none() => self.blocked += 1,
            _ => {
                self.executions += 1;
                self.progress.executions.fetch_add(1, Ordering::Relaxed);
            }
        }
        if let Some(what) = &recorded.beyond {
            self.leave(Unfinished::Beyond(what.clone()));
        }
        if let Some((bug, picks)) = Self::bug(recorded) {
            self.found(recorded, bug, picks);
        }
    }

    /// A violation after so many picks; whether it is there again without expressions.
    fn found(&mut self, recorded: &Recorded, bug: Bug, picks: usize) -> bool {
        let inputs = Arc::new(recorded.inputs.clone());
        let config = Config { symbolic: None, inputs: inputs.clone(), ..self.config.clone() };
        let subject = Exploration::new(Task {
            program: self.program,
            config: &config,
            options: self.options,
            progress: self.progress,
            hands_over: false,
        });
        match findings::finding_by_events(&subject, bug, &recorded.picks[..picks]) {
            Some(mut finding) => {
                finding.inputs = Some(inputs);
                if !self.options.keep_going {
                    self.seen.enough.store(true, Ordering::Relaxed);
                }
                self.keep(finding);
                true
            }
            None => {
                self.unfinished.push(Unfinished::Lost);
                false
            }
        }
    }
}

impl Runner for Machines<'_> {
    type Error = Infallible;

    fn run(&mut self, request: &Request) -> Result<Execution, Infallible> {
        let mut recorded = self.perform(request);
        if recorded.cut && !self.seen.is_short() {
            // Nothing is known to the end any more, and of what many steps do together too much would have to be said.
            self.seen.short.store(true, Ordering::Relaxed);
            recorded = self.perform(request);
        }
        self.note(&recorded);
        self.ask(request);
        Ok(recorded.execution)
    }

    fn fails(&mut self, request: &Request, thread: &ThreadName) -> Result<bool, Infallible> {
        let mut name = None;
        let seen = self.seen.clone();
        let stop = || seen.is_over();
        let extent = self.extent(request, &stop);
        let recorded = perform_and_look(self.program, &self.config, request, extent, |machine| {
            name = machine.threads().iter().position(|other| other.name == *thread);
        });
        self.note(&recorded);
        let failed = recorded.failure.as_ref().map(|(_, thread, _)| thread.index());
        Ok(failed.is_some() && failed == name)
    }

    fn meet(&mut self, request: &Request, threads: [&ThreadName; 2]) -> Result<Met, Infallible> {
        let mut pairs = Vec::new();
        let mut otherwise = Met::Lost;
        let seen = self.seen.clone();
        let stop = || seen.is_over();
        let extent = self.extent(request, &stop);
        let recorded = perform_moves(self.program, &self.config, request, extent, |machine| {
            races::pending_races(machine, &mut pairs);
            otherwise = why_no_race(machine, threads);
        });
        let between = |(one, other): &(Access, Access)| {
            let names = [&one.thread, &other.thread];
            names == threads || names == [threads[1], threads[0]]
        };
        let Some((one, other)) = pairs.into_iter().find(between) else { return Ok(otherwise) };
        let picks = recorded.picks.len();
        Ok(match self.found(&recorded, Bug::Race(one, other), picks) {
            true => Met::Race,
            false => Met::Lost,
        })
    }
}

/// Why two threads that should be about to access the same memory do not race.
fn why_no_race(machine: &mut Machine, threads: [&ThreadName; 2]) -> Met {
    let (mut exchange, mut section, mut atomic) = (false, false, true);
    for (which, name) in threads.into_iter().enumerate() {
        let Some(thread) = machine.threads().iter().position(|thread| thread.name == *name) else {
            return Met::Lost;
        };
        let Status::Ready(operation) = machine.threads()[thread].status else { return Met::Lost };
        let accesses = machine.probe().accesses(thread);
        let begins = machine.inspect().is_before_section(thread);
        if accesses.is_empty() && !begins {
            return Met::Never(which);
        }
        section |= begins;
        atomic &= accesses.iter().all(|access| access.order != MemoryOrder::NotAtomic);
        exchange |= begins || operation.kind == EventKind::CompareExchange;
    }
    match (section && atomic, exchange) {
        (true, _) => Met::Apart,
        // What comes first in a section is an exchange, too, if it does not race with what is plain.
        (false, true) => Met::ReadOnly,
        (false, false) => Met::Lost,
    }
}
