//! Discovery by several threads.
//!
//! Each has the trees and a constraint system of its own, and asks for its share of the places where no execution has been. What
//! one of them executes goes to a list from which all learn, in the same order, so their trees are the same as far as
//! they have come. It is over when no worker finds an answer with all that is on the list: then no share of what is unknown can
//! be reached, which is what one thread would have found.

use super::execution::{Execution, Request, ThreadEnd};
use super::helpers::together;
use super::search::{Finish, Limits, Runner, Search, SearchError};
use super::system::System;
use super::tree::{End, NodeId, Trees};
use selvedge_terms::decide::{Outcome, Solver};
use selvedge_trace::Model;
use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So long a worker waits for news before it looks whether everything is over.
const PATIENCE: Duration = Duration::from_millis(50);

/// What all of them have executed.
struct Common<E> {
    log: Mutex<Log<E>>,
    changed: Condvar,
}

struct Log<E> {
    performed: Vec<Arc<(Request, Execution)>>,
    /// How many executions were begun.
    begun: u64,
    /// For each of them: how much it knew when it found no answer, if it has found none since.
    without_answer: Vec<Option<usize>>,
    end: Option<Result<Finish, SearchError<E>>>,
}

impl<E> Common<E> {
    fn lock(&self) -> MutexGuard<'_, Log<E>> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, end: Result<Finish, SearchError<E>>) {
        self.lock().end.get_or_insert(end);
        self.changed.notify_all();
    }
}

/// Ends the search of the others when the thread that has it panics: they would wait for its answer.
struct EndsOnPanic<'c, E>(&'c Common<E>);

impl<E> Drop for EndsOnPanic<'_, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(Ok(Finish::Undecided));
        }
    }
}

/// An execution that a worker has asked for.
struct Asked {
    /// Where it is on the list.
    place: usize,
    /// What it was to show: what comes after this node.
    target: NodeId,
    /// What was known of the node, and of everything.
    end: End,
    sizes: (usize, usize),
}

/// One of several workers that look for what no execution has shown.
struct Explorer<'a, R, S, F> {
    runner: &'a mut R,
    make: &'a F,
    model: Model,
    /// Which one of how many.
    share: (usize, usize),
    trees: Trees,
    system: System<S>,
    hopeless: BTreeSet<NodeId>,
    /// How much of the list it knows.
    known: usize,
    /// What it has executed last.
    asked: Option<Asked>,
    cut: bool,
    diverged: u64,
    questions: u64,
    refinements: u64,
    thought: Duration,
}

impl<R: Runner, S: Solver, F: Fn() -> S> Explorer<'_, R, S, F> {
    fn explore(&mut self, limits: &Limits<'_>, most: Option<u64>, common: &Common<R::Error>) {
        self.tell();
        loop {
            if (limits.stop)() {
                return common.end(Ok(Finish::Stopped));
            }
            let news = {
                let mut log = common.lock();
                if log.end.is_some() {
                    return;
                }
                log.without_answer[self.share.0] = None;
                log.performed[self.known..].to_vec()
            };
            for performed in news {
                if let Err(error) = self.learn(&performed.1) {
                    return common.end(Err(error));
                }
            }
            self.tell();
            let (number, all) = self.share;
            let mut frontier = self.system.frontier(&self.trees);
            frontier.retain(|(node, _)| node.index() % all == number && !self.hopeless.contains(node));
            let outcome = match frontier.is_empty() {
                true => Outcome::Unsat,
                false => {
                    let goal = self.system.one_of(frontier.iter().map(|&(_, literal)| literal));
                    self.system.solve(&self.trees, &[goal])
                }
            };
            match outcome {
                Outcome::Unknown => return common.end(Ok(Finish::Undecided)),
                Outcome::Unsat => self.wait(limits, common),
                Outcome::Sat => {
                    let target = frontier.iter().find(|&&(_, literal)| self.system.solver.holds(literal));
                    let target = target.map(|&(node, _)| node);
                    let thread = target.map(|node| self.trees.nodes[node.index()].thread);
                    let request = self.system.request(&self.trees, thread);
                    {
                        let mut log = common.lock();
                        if most.is_some_and(|most| log.begun >= most) {
                            log.end.get_or_insert(Ok(Finish::Stopped));
                            common.changed.notify_all();
                            return;
                        }
                        log.begun += 1;
                    }
                    match self.runner.run(&request) {
                        Err(error) => return common.end(Err(SearchError::Run(error))),
                        Ok(execution) => {
                            let mut log = common.lock();
                            let (place, sizes) = (log.performed.len(), self.sizes());
                            // Where others have executed something in between, what it shows may be known by that.
                            self.asked = target.filter(|_| place == self.known).map(|target| {
                                let end = self.trees.nodes[target.index()].end.clone();
                                Asked { place, target, end, sizes }
                            });
                            log.performed.push(Arc::new((request, execution)));
                            common.changed.notify_all();
                        }
                    }
                }
            }
        }
    }

    /// There was no answer: that is all if the others have none either.
    fn wait(&self, limits: &Limits<'_>, common: &Common<R::Error>) {
        let mut log = common.lock();
        log.without_answer[self.share.0] = Some(self.known);
        let all = log.performed.len();
        if log.without_answer.iter().all(|&known| known == Some(all)) {
            log.end.get_or_insert(Ok(Finish::Complete));
            common.changed.notify_all();
        }
        while log.end.is_none() && log.performed.len() == self.known && !(limits.stop)() {
            let waited = common.changed.wait_timeout(log, PATIENCE);
            log = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// How many nodes and events are known.
    fn sizes(&self) -> (usize, usize) {
        (self.trees.nodes.len(), self.trees.events.len())
    }

    fn learn(&mut self, execution: &Execution) -> Result<(), SearchError<R::Error>> {
        let learned = self.trees.learn(execution)?;
        let own = self.asked.take_if(|asked| asked.place == self.known);
        self.known += 1;
        let Some(Asked { target, end, sizes, .. }) = own else { return Ok(()) };
        if sizes == self.sizes() && end == self.trees.nodes[target.index()].end {
            let mut ends = execution.threads.iter().zip(&learned.ends);
            match ends.any(|(path, &(_, at, _))| path.end == ThreadEnd::Cut && at == target) {
                true => self.cut = true,
                false => self.diverged += 1,
            }
            self.hopeless.insert(target);
        }
        Ok(())
    }

    /// Tells the constraint system what was learned.
    fn tell(&mut self) {
        if self.system.grow(&mut self.trees).is_err() {
            self.count();
            self.system = System::new((self.make)(), self.model, &self.trees);
            // Accesses that overlap are known now: it fits.
            let _ = self.system.grow(&mut self.trees);
        }
    }

    fn count(&mut self) {
        self.questions += self.system.questions;
        self.refinements += self.system.refinements;
        self.thought += self.system.thought;
    }
}

impl<R: Runner + Send, S: Solver, F: Fn() -> S + Sync> Search<'_, R, S, F>
where
    R::Error: Send,
{
    /// As discovery by one thread, with all helpers.
    pub(super) fn discover_together(&mut self, limits: &Limits<'_>) -> Result<Finish, SearchError<R::Error>> {
        let most = limits.executions.map(|most| most.saturating_sub(self.findings.executions));
        let all = self.helpers.len() + 1;
        let log = Log { performed: Vec::new(), begun: 0, without_answer: vec![None; all], end: None };
        let common = Common { log: Mutex::new(log), changed: Condvar::new() };
        let (make, model, trees, hopeless) = (&self.make, self.model, &self.trees, &self.hopeless);
        let work = |runner: &mut R, number: usize| {
            let _ends = EndsOnPanic(&common);
            let trees = trees.clone();
            let mut explorer = Explorer {
                runner,
                make,
                model,
                share: (number, all),
                system: System::new(make(), model, &trees),
                trees,
                hopeless: hopeless.clone(),
                known: 0,
                asked: None,
                cut: false,
                diverged: 0,
                questions: 0,
                refinements: 0,
                thought: Duration::ZERO,
            };
            explorer.explore(limits, most, &common);
            explorer.count();
            let Explorer { hopeless, cut, diverged, questions, refinements, thought, .. } = explorer;
            (hopeless, cut, diverged, questions, refinements, thought)
        };
        let (own, helpers) = (&mut *self.runner, &mut self.helpers);
        for (hopeless, cut, diverged, questions, refinements, thought) in
            together(helpers, work, || work(own, 0))
        {
            self.hopeless.extend(hopeless);
            self.cut |= cut;
            (0..diverged).for_each(|_| self.diverged());
            self.findings.questions += questions;
            self.findings.refinements += refinements;
            self.findings.thought += thought;
        }
        let log = common.log.into_inner().unwrap_or_else(PoisonError::into_inner);
        for performed in &log.performed {
            self.learn(&performed.0, &performed.1)?;
        }
        self.tell();
        log.end.unwrap_or(Ok(Finish::Undecided))
    }
}
