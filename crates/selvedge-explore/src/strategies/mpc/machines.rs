//! Executions for the search over paths, and what goes wrong in them.

use crate::report::{Access, Bug, Unfinished};
use crate::strategies::findings::{self, Found};
use crate::strategies::run::Subject;
use crate::{Options, Progress, races};
use selvedge_machine::{Config, Outcome, Recorded, Symbolic, perform, perform_and_look, perform_moves};
use selvedge_program::Program;
use selvedge_solve::paths::{Execution, Request, Runner};
use selvedge_trace::ThreadName;
use std::convert::Infallible;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What whoever decides about going on looks at.
pub struct Seen<'a> {
    enough: AtomicBool,
    progress: &'a Progress,
}

impl Seen<'_> {
    /// There is no memory left to be used.
    pub fn memory_full(&self) -> bool {
        self.progress.memory_full.load(Ordering::Relaxed)
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
    seen: Rc<Seen<'a>>,
    /// Violations by their identities.
    pub found: Found,
    /// What could not be looked at.
    pub unfinished: Vec<Unfinished>,
    /// Executions that came to an end of their own.
    pub executions: u64,
    /// Executions in which an assumption does not hold.
    pub blocked: u64,
    /// Steps of all of them.
    pub steps: u64,
}

impl<'a> Machines<'a> {
    /// No executions yet.
    pub fn new(
        program: &'a Arc<Program>,
        config: &Config,
        options: &'a Options,
        progress: &'a Progress,
    ) -> Self {
        let symbolic = config.symbolic.clone().unwrap_or_default();
        let symbolic = Some(Symbolic { reads: true, inputs: true, ..symbolic });
        Machines {
            program,
            config: Config { symbolic, ..config.clone() },
            options,
            progress,
            seen: Rc::new(Seen { enough: AtomicBool::new(false), progress }),
            found: Found::default(),
            unfinished: Vec::new(),
            executions: 0,
            blocked: 0,
            steps: 0,
        }
    }

    /// What whoever decides about going on looks at.
    pub fn seen(&self) -> Rc<Seen<'a>> {
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
            let known = |other: &Unfinished| matches!(other, Unfinished::Beyond(known) if known == what);
            if !self.unfinished.iter().any(known) {
                self.unfinished.push(Unfinished::Beyond(what.clone()));
            }
        }
        if let Some((bug, picks)) = Self::bug(recorded) {
            self.found(recorded, bug, picks);
        }
    }

    /// A violation after so many picks; whether it is there again without expressions.
    fn found(&mut self, recorded: &Recorded, bug: Bug, picks: usize) -> bool {
        let inputs = Arc::new(recorded.inputs.clone());
        let config = Config { symbolic: None, inputs: inputs.clone(), ..self.config.clone() };
        let subject = Subject::new(self.program, &config, self.options, self.progress);
        match findings::finding(&subject, bug, &recorded.picks[..picks]) {
            Some(mut finding) => {
                finding.inputs = Some(inputs);
                if !self.options.keep_going {
                    self.seen.enough.store(true, Ordering::Relaxed);
                }
                let known = self.found.get(&finding.identity);
                if known.is_none_or(|known| finding.switches < known.switches) {
                    self.found.insert(finding.identity.clone(), finding);
                }
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
        let recorded = perform(self.program, &self.config, request, None);
        self.note(&recorded);
        Ok(recorded.execution)
    }

    fn fails(&mut self, request: &Request, thread: &ThreadName) -> Result<bool, Infallible> {
        let mut name = None;
        let recorded = perform_and_look(self.program, &self.config, request, None, |machine| {
            name = machine.threads().iter().position(|other| other.name == *thread);
        });
        self.note(&recorded);
        let failed = recorded.failure.as_ref().map(|(_, thread, _)| thread.index());
        Ok(failed.is_some() && failed == name)
    }

    fn meet(&mut self, request: &Request, threads: [&ThreadName; 2]) -> Result<bool, Infallible> {
        let mut pairs = Vec::new();
        let recorded = perform_moves(self.program, &self.config, request, |machine| {
            races::pending_races(machine, &mut pairs);
        });
        let between = |(one, other): &(Access, Access)| {
            let names = [&one.thread, &other.thread];
            names == threads || names == [threads[1], threads[0]]
        };
        let Some((one, other)) = pairs.into_iter().find(between) else { return Ok(false) };
        let picks = recorded.picks.len();
        Ok(self.found(&recorded, Bug::Race(one, other), picks))
    }
}
