//! Everything that a compiled program can do, found out by the machine alone: depth first over all that can happen
//! next. Nothing is remembered and nothing is left out.

use crate::enumerate::View;
use crate::language::Program as Small;
use selvedge_machine::{Config, Machine, Outcome, Pick, Stepped, ViolationKind};
use selvedge_program::Program;
use selvedge_trace::{Event, EventKind};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// What came of all executions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub views: BTreeSet<View>,
    /// The views as the machine itself tells them apart.
    pub hashes: BTreeSet<u128>,
    pub executions: u64,
    pub blocked: u64,
    pub assertion: bool,
    pub deadlock: bool,
    pub misuse: bool,
}

/// Whose reads are part of a view, and of what.
struct Watched {
    /// Addresses of the shared variables.
    memory: Vec<Range<u64>>,
    /// Names of the threads.
    threads: Vec<String>,
}

/// Follows every execution of a program that is `small` in C; `prefix` stands before the names of its variables.
/// `None` if that takes more than `limit` steps; otherwise what was found, or what went wrong.
pub fn every_execution(
    program: &Arc<Program>,
    mut config: Config,
    small: &Small,
    prefix: &str,
    limit: u64,
) -> Option<Result<Found, String>> {
    (config.trace, config.views) = (true, true);
    let memory = program.globals.iter().filter_map(|global| {
        let name = global.name.strip_prefix(prefix)?;
        let known = small.variables.iter().any(|variable| variable.name == name);
        known.then(|| global.address..global.address + global.size)
    });
    let watched = Watched { memory: memory.collect(), threads: small.thread_names() };
    let mut search =
        Search { machine: Machine::new(program.clone(), config), watched, left: limit, error: None };
    let mut found = Found::default();
    let finished = search.follow(&mut found);
    match search.error {
        Some(error) => Some(Err(error)),
        None => finished.then_some(Ok(found)),
    }
}

struct Search {
    machine: Machine,
    watched: Watched,
    left: u64,
    error: Option<String>,
}

impl Search {
    /// Follows everything from here on; false if it has to stop.
    fn follow(&mut self, found: &mut Found) -> bool {
        let mut picks: Vec<Pick> = Vec::new();
        self.machine.picks(&mut picks);
        if picks.is_empty() {
            return self.end(found);
        }
        let here = self.machine.snapshot();
        for pick in picks {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            if self.machine.step(pick) == Stepped::OutOfFuel {
                self.error = Some("a thread does nothing visible for long".to_owned());
                return false;
            }
            if !self.follow(found) {
                return false;
            }
            self.machine.restore(&here);
        }
        true
    }

    fn end(&mut self, found: &mut Found) -> bool {
        match self.machine.outcome() {
            Some(Outcome::Exited(0)) => {
                found.executions += 1;
                found.views.insert(self.watched.view(&self.machine));
                found.hashes.insert(self.machine.inspect().view());
            }
            Some(Outcome::Blocked { .. }) => found.blocked += 1,
            Some(Outcome::Deadlock(_)) => found.deadlock = true,
            Some(Outcome::Violation { violation, .. }) if violation.kind == ViolationKind::Assertion => {
                found.assertion = true;
            }
            Some(Outcome::Violation { violation, .. }) if violation.kind == ViolationKind::Misuse => {
                found.misuse = true;
            }
            other => {
                self.error = Some(format!("an execution ends with {other:?}"));
                return false;
            }
        }
        true
    }
}

impl Watched {
    /// What every thread has read.
    fn view(&self, machine: &Machine) -> View {
        let mut view = vec![Vec::new(); self.threads.len()];
        for event in machine.inspect().trace() {
            let name = machine.threads()[event.thread.index()].name.to_string();
            let thread = self.threads.iter().position(|other| *other == name);
            if let (Some(thread), Some(value)) = (thread, self.value(event)) {
                view[thread].push(value);
            }
        }
        view
    }

    /// What an event has read, if that is part of the view.
    fn value(&self, event: &Event) -> Option<i32> {
        let watched = |address: u64| self.memory.iter().any(|range| range.contains(&address));
        match event.operation.kind {
            EventKind::Read
            | EventKind::ReadModifyWrite
            | EventKind::CompareExchange
            | EventKind::CompareExchangeFailed
                if watched(event.operation.address) =>
            {
                let bytes = event.read.as_slice().try_into().ok()?;
                Some(i32::from_le_bytes(bytes))
            }
            // No value means that the call has succeeded.
            EventKind::MutexTryLock => Some(i32::from(event.read.is_empty())),
            _ => None,
        }
    }
}
