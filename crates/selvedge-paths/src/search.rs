//! The search: every reachable decision of every thread, then every joint path.
//!
//! Discovery asks whether some thread can go where no execution has been, runs what the solution says, and learns, until
//! there is no solution. That is complete: an execution that goes somewhere new is known up to the first such place,
//! so what comes before it is a solution. Then the paths of all threads together are enumerated: every thread at an
//! end, in a combination that was not seen yet.

use super::by_states::Searched;
use super::execution::{Execution, Request, ThreadEnd};
use super::goals::Stand;
use super::helpers::together;
use super::shares::{self, Found, Hints, Stands};
use super::system::System;
use super::tree::{End, Inconsistent, Learned, NodeId, Trees};
use selvedge_terms::decide::{Literal, Outcome, Solver};
use selvedge_trace::{Model, ThreadName};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How much effort discovery may take, in conflicts of the solver, before it is tried by walking over states.
const EASY: u64 = 20_000;

/// What performs executions.
pub trait Runner {
    /// Why an execution cannot be performed.
    type Error;

    /// Performs an execution: the moves of the request, then in any order.
    fn run(&mut self, request: &Request) -> Result<Execution, Self::Error>;

    /// Performs an execution as `run` does. The thread is to fail at its next step, since what it needs was freed.
    /// Whether it does.
    fn fails(&mut self, _request: &Request, _thread: &ThreadName) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// Performs the moves of the request only. Then both threads are to be about to access the same memory, one of them
    /// to write it, and not both by atomic operations. Whether that is so: a data race.
    fn meet(&mut self, _request: &Request, _threads: [&ThreadName; 2]) -> Result<Met, Self::Error> {
        Ok(Met::Lost)
    }
}

/// What becomes of two accesses that are to be next at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// They race.
    Race,
    /// They do not here: one of them is a compare-exchange that does not find what it expects, and so only reads.
    ReadOnly,
    /// This one of the two is not an access by itself but the beginning of a section that is not interrupted: it never races.
    Never(usize),
    /// One is the beginning of a section that is not interrupted, and the other is, or is atomic: these two do not race.
    Apart,
    /// The threads are not where they should be.
    Lost,
}

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Every decision that some thread can take.
    Coverage,
    /// Every combination of paths that the threads can take together.
    Paths,
}

/// How a search finds what it looks for. The results are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Means {
    /// By a search through states where there are not too many, otherwise by the constraint system; decisions that take few
    /// questions are asked for first.
    #[default]
    Both,
    /// As that, but nothing is asked for first.
    States,
    /// By the constraint system alone.
    System,
}

/// Why a search ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Finish {
    /// There is nothing more.
    #[default]
    Complete,
    /// The solver did not find an answer within its budget.
    Undecided,
    /// The limit of executions was reached, an execution was cut, or the caller has stopped the search.
    Stopped,
    /// An execution did not go where it should have gone: this many times.
    Diverged(u64),
}

/// A failure of the program that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The thread that it belongs to.
    pub thread: ThreadName,
    pub failure: u32,
    /// How to get there.
    pub request: Request,
}

/// What a search has found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Why it ended.
    pub finish: Finish,
    /// How many executions were performed.
    pub executions: u64,
    /// How many of them discovery needed.
    pub discovery: u64,
    /// Different combinations of paths to the ends of all threads.
    pub paths: u64,
    /// Different combinations in which some threads are stuck for ever.
    pub deadlocks: u64,
    /// The first execution that ends with a deadlock.
    pub deadlock: Option<Request>,
    /// Failures, each with the first execution that shows it.
    pub failures: Vec<Failure>,
    /// Data races: pairs of places in the program.
    pub races: Vec<(u32, u32)>,
    /// How many states were visited.
    pub states: u64,
    /// How often the solver was asked.
    pub questions: u64,
    /// How many of its answers had to be refined.
    pub refinements: u64,
    /// How long the solver has thought, in all threads together.
    pub thought: Duration,
}

/// How far a search may go.
pub struct Limits<'a> {
    /// How many executions it may perform.
    pub executions: Option<u64>,
    /// Whether it looks for data races when everything else is known.
    pub races: bool,
    /// By which means it searches.
    pub means: Means,
    /// Executions of an earlier search, with which this one begins. Nothing that they show is asked for again.
    pub begun: &'a [Request],
    /// Whether it should stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits { executions: None, races: false, means: Means::Both, begun: &[], stop: &|| false }
    }
}

/// A search over the paths of a program.
pub struct Search<'r, R, S, F> {
    pub(super) runner: &'r mut R,
    /// What else performs executions, each in a thread of its own.
    pub(super) helpers: Vec<R>,
    /// Makes solvers.
    pub(super) make: F,
    pub(super) model: Model,
    pub(super) trees: Trees,
    pub(super) system: System<S>,
    /// Combinations that were seen.
    pub(super) seen: BTreeSet<BTreeMap<usize, Stand>>,
    /// Places at which a thread needs what has gone elsewhere.
    pub(super) dangling: BTreeSet<(u32, u32)>,
    /// The search through states has seen all accesses that are next at one time, if races are looked for.
    pub(super) met: bool,
    /// Something is known that the constraint system was not told.
    new: bool,
    /// Places that do not become known, however often they are visited.
    pub(super) hopeless: BTreeSet<NodeId>,
    /// Where threads of the last execution were stopped.
    cuts: Vec<NodeId>,
    /// Some thread was stopped every time.
    pub(super) cut: bool,
    pub(super) findings: Findings,
}

/// Counts executions.
struct Counted<'a, R> {
    runner: &'a mut R,
    performed: &'a AtomicU64,
}

impl<R: Runner> Runner for Counted<'_, R> {
    type Error = R::Error;

    fn run(&mut self, request: &Request) -> Result<Execution, R::Error> {
        self.performed.fetch_add(1, Ordering::Relaxed);
        self.runner.run(request)
    }
}

/// Why a search cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SearchError<E> {
    /// An execution cannot be performed.
    #[error(transparent)]
    Run(E),
    /// Executions do not fit together.
    #[error(transparent)]
    Inconsistent(#[from] Inconsistent),
}

impl<'r, R: Runner + Send, S: Solver, F: Fn() -> S + Sync> Search<'r, R, S, F>
where
    R::Error: Send,
{
    /// A search under sequential consistency that has not begun.
    pub fn new(runner: &'r mut R, make: F) -> Self {
        Search::under(Model::Sc, runner, make)
    }

    /// A search under sequential consistency, TSO or PSO that has not begun.
    pub fn under(model: Model, runner: &'r mut R, make: F) -> Self {
        let trees = Trees::new();
        let system = System::new(make(), model, &trees);
        let findings = Findings::default();
        Search {
            runner,
            helpers: Vec::new(),
            make,
            model,
            trees,
            system,
            seen: BTreeSet::new(),
            dangling: BTreeSet::new(),
            met: false,
            new: false,
            hopeless: BTreeSet::new(),
            cuts: Vec::new(),
            cut: false,
            findings,
        }
    }

    /// Lets others perform executions, too, each in a thread of its own: combinations of paths are enumerated in parallel.
    pub fn with(mut self, helpers: Vec<R>) -> Self {
        self.helpers = helpers;
        self
    }

    /// The helpers, with what they have seen.
    pub fn into_helpers(self) -> Vec<R> {
        self.helpers
    }

    /// What is known of the threads.
    pub fn trees(&self) -> &Trees {
        &self.trees
    }

    /// Searches.
    pub fn run(&mut self, goal: Goal, limits: &Limits<'_>) -> Result<Findings, SearchError<R::Error>> {
        let finish = self.phases(goal, limits)?;
        self.findings.finish = match (finish, &self.findings.finish) {
            (Finish::Complete, diverged @ Finish::Diverged(_)) => diverged.clone(),
            (Finish::Complete, _) if self.cut => Finish::Stopped,
            (finish, _) => finish,
        };
        self.count_questions();
        Ok(self.findings.clone())
    }

    fn phases(&mut self, goal: Goal, limits: &Limits<'_>) -> Result<Finish, SearchError<R::Error>> {
        for request in limits.begun {
            self.perform(request)?;
        }
        if limits.begun.is_empty() {
            self.perform(&Request::default())?;
        }
        // Few decisions of few threads are found with few questions, and fewer executions than a search through states needs.
        if (goal, limits.means) == (Goal::Coverage, Means::Both)
            && let Some(finish) = self.ask(goal, limits, Some(EASY))?
        {
            return match finish {
                Finish::Complete => self.ask_for_deadlock(limits),
                finish => Ok(finish),
            };
        }
        let searched = match limits.means {
            Means::Both | Means::States => self.search_states(goal, limits)?,
            Means::System => Searched::Beyond,
        };
        match searched {
            Searched::Stopped => return Ok(Finish::Stopped),
            Searched::Complete if self.met => return Ok(Finish::Complete),
            Searched::Complete => {
                self.tell();
                return Ok(self.meet(limits, None)?.unwrap_or(Finish::Undecided));
            }
            Searched::Beyond => {}
        }
        let finish = self.ask(goal, limits, None)?;
        if finish != Some(Finish::Complete) {
            return Ok(finish.unwrap_or(Finish::Undecided));
        }
        if goal == Goal::Coverage {
            return self.ask_for_deadlock(limits);
        }
        // All that threads can do is known.
        self.system.options.seal(&mut self.system.solver);
        let (finish, surprised) = self.share_out(limits)?;
        if finish != Finish::Complete {
            return Ok(finish);
        }
        if surprised {
            // What was not as expected is looked at again with everything that is known.
            let finish = self.enumerate(limits, System::all_done, false)?;
            if finish != Finish::Complete {
                return Ok(finish);
            }
        }
        self.enumerate(limits, System::all_stopped, false)
    }

    /// Asks for all that threads can do, and what goes wrong where they meet. Nothing if that takes more effort than it may.
    fn ask(
        &mut self,
        goal: Goal,
        limits: &Limits<'_>,
        effort: Option<u64>,
    ) -> Result<Option<Finish>, SearchError<R::Error>> {
        self.tell();
        // What several find at one time may be the same path.
        let together = goal == Goal::Coverage && effort.is_none() && !self.helpers.is_empty();
        let finish = match together {
            true => Some(self.discover_together(limits)?),
            false => self.discover(limits, effort)?,
        };
        self.findings.discovery = self.findings.executions;
        if finish != Some(Finish::Complete) {
            return Ok(finish);
        }
        let finish = self.dangle(limits)?;
        if finish != Finish::Complete || !limits.races {
            return Ok(Some(finish));
        }
        self.meet(limits, effort)
    }

    /// Asks whether threads can block each other, if that is not known.
    fn ask_for_deadlock(&mut self, limits: &Limits<'_>) -> Result<Finish, SearchError<R::Error>> {
        match self.findings.deadlock {
            Some(_) => Ok(Finish::Complete),
            None => self.enumerate(limits, System::dead, true),
        }
    }

    /// Counts what the system was asked before it goes.
    fn count_questions(&mut self) {
        self.findings.questions += self.system.questions;
        self.findings.refinements += self.system.refinements;
        self.findings.thought += self.system.thought;
    }

    pub(super) fn over(&self, limits: &Limits<'_>) -> bool {
        limits.executions.is_some_and(|most| self.findings.executions >= most) || (limits.stop)()
    }

    /// Runs until no thread can go where no execution has been. Nothing if that takes more effort than it may.
    fn discover(
        &mut self,
        limits: &Limits<'_>,
        effort: Option<u64>,
    ) -> Result<Option<Finish>, SearchError<R::Error>> {
        loop {
            if self.over(limits) {
                return Ok(Some(Finish::Stopped));
            }
            if effort.is_some_and(|effort| self.system.effort() > effort) {
                return Ok(None);
            }
            let mut frontier = self.system.frontier(&self.trees);
            frontier.retain(|(node, _)| !self.hopeless.contains(node));
            if frontier.is_empty() {
                return Ok(Some(Finish::Complete));
            }
            let goal = self.system.one_of(frontier.iter().map(|&(_, literal)| literal));
            match self.system.solve(&self.trees, &[goal]) {
                Outcome::Unsat => return Ok(Some(Finish::Complete)),
                Outcome::Unknown => return Ok(Some(Finish::Undecided)),
                Outcome::Sat => {}
            }
            let target = frontier.iter().find(|&&(_, literal)| self.system.solver.holds(literal));
            let target = target.map(|&(node, _)| node);
            let thread = target.map(|node| self.trees.nodes[node.index()].thread);
            let request = self.system.request(&self.trees, thread);
            let before = target.map(|node| self.state(node));
            let size = self.trees.nodes.len() + self.trees.events.len();
            self.execute(&request)?;
            // Where something else was new before that, the target is asked for again.
            let grown = self.trees.nodes.len() + self.trees.events.len() > size;
            if !grown && before == target.map(|node| self.state(node)) {
                match target.is_some_and(|node| self.was_cut(node)) {
                    true => self.cut = true,
                    false => self.diverged(),
                }
                self.hopeless.extend(target);
            }
        }
    }

    /// Whether a thread of the last execution was stopped at the end of a node, and could have gone on.
    pub(super) fn was_cut(&self, node: NodeId) -> bool {
        self.cuts.contains(&node)
    }

    /// What is known at the end of a node.
    pub(super) fn state(&self, node: NodeId) -> (usize, End) {
        let node = &self.trees.nodes[node.index()];
        (node.events.len(), node.end.clone())
    }

    pub(super) fn diverged(&mut self) {
        self.findings.finish = match self.findings.finish {
            Finish::Diverged(times) => Finish::Diverged(times + 1),
            _ => Finish::Diverged(1),
        };
    }

    /// Lets threads come to steps that need what others have freed, until there is no such pair of places left.
    fn dangle(&mut self, limits: &Limits<'_>) -> Result<Finish, SearchError<R::Error>> {
        let mut meetings = self.system.dangling(&self.trees);
        loop {
            meetings.retain(|meeting| !self.dangling.contains(&meeting.places));
            if meetings.is_empty() {
                return Ok(Finish::Complete);
            }
            if (limits.stop)() {
                return Ok(Finish::Stopped);
            }
            let goal = self.system.one_of(meetings.iter().map(|meeting| meeting.meet));
            match self.system.solve(&self.trees, &[goal]) {
                Outcome::Unsat => return Ok(Finish::Complete),
                Outcome::Unknown => return Ok(Finish::Undecided),
                Outcome::Sat => {}
            }
            let meeting = meetings.iter().find(|meeting| self.system.solver.holds(meeting.meet)).copied();
            let Some(meeting) = meeting else { return Ok(Finish::Undecided) };
            let thread = self.trees.events[meeting.pair.0.index()].thread;
            let request = self.system.request(&self.trees, Some(thread));
            let name = &self.trees.threads[thread].name;
            if !self.runner.fails(&request, name).map_err(SearchError::Run)? {
                self.diverged();
            }
            self.dangling.insert(meeting.places);
        }
    }

    /// Runs until there is no solution of a goal that was not seen yet, or until one was found if that is enough.
    fn enumerate(
        &mut self,
        limits: &Limits<'_>,
        goal: impl Fn(&mut System<S>, &Trees) -> Literal,
        one: bool,
    ) -> Result<Finish, SearchError<R::Error>> {
        let mut asked: Option<(Literal, usize)> = None;
        loop {
            if self.over(limits) {
                return Ok(Finish::Stopped);
            }
            let size = self.trees.nodes.len() + self.trees.events.len();
            let literal = match asked {
                Some((literal, known)) if known == size => literal,
                _ => {
                    let literal = goal(&mut self.system, &self.trees);
                    for stands in &self.seen {
                        self.system.forbid(&self.trees, stands);
                    }
                    literal
                }
            };
            asked = Some((literal, size));
            match self.system.solve(&self.trees, &[literal]) {
                Outcome::Unsat => return Ok(Finish::Complete),
                Outcome::Unknown => return Ok(Finish::Undecided),
                Outcome::Sat => {}
            }
            let request = self.system.request(&self.trees, None);
            let before = self.seen.len();
            let stands = self.execute(&request)?;
            if self.seen.len() == before {
                // It did not do what the solution says: that must not be asked for again, and nothing is complete.
                self.diverged();
                return Ok(Finish::Undecided);
            }
            if one {
                return Ok(Finish::Complete);
            }
            self.system.forbid(&self.trees, &stands);
        }
    }

    /// Enumerates the combinations in which every thread comes to its end, share by share. Whether something was not as
    /// expected: then some may be left.
    fn share_out(&mut self, limits: &Limits<'_>) -> Result<(Finish, bool), SearchError<R::Error>> {
        let queue = Mutex::new(shares::shares(&self.trees).into_iter());
        let all: Mutex<Vec<Result<Found, SearchError<R::Error>>>> = Mutex::default();
        let (performed, enough) = (AtomicU64::new(self.findings.executions), AtomicBool::new(false));
        let (trees, seen, make, model) = (&self.trees, &self.seen, &self.make, self.model);
        let over = || {
            let spent = limits.executions.is_some_and(|most| performed.load(Ordering::Relaxed) >= most);
            spent || enough.load(Ordering::Relaxed) || (limits.stop)()
        };
        let hints = Hints::of(&self.system);
        let work = |runner: &mut R, _: usize| {
            let mut hints = hints.clone();
            loop {
                let share = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(share) = share.filter(|_| !over()) else { return };
                let mut runner = Counted { runner: &mut *runner, performed: &performed };
                let share = (trees, &share[..]);
                let found = shares::enumerate(&mut runner, make(), model, share, &mut hints, seen, &over);
                if found.as_ref().map_or(true, |found| found.surprised || found.finish != Finish::Complete) {
                    enough.store(true, Ordering::Relaxed);
                }
                all.lock().unwrap_or_else(PoisonError::into_inner).push(found);
            }
        };
        let (own, helpers) = (&mut *self.runner, &mut self.helpers);
        together(helpers, work, || work(own, 0));
        let stopped = !enough.load(Ordering::Relaxed) && over();
        let mut finish = if stopped { Finish::Stopped } else { Finish::Complete };
        let mut surprised = false;
        for found in all.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let found = found?;
            self.findings.executions += found.executions;
            self.findings.questions += found.questions;
            self.findings.refinements += found.refinements;
            self.findings.thought += found.thought;
            for failure in found.failures {
                if !self.findings.failures.iter().any(|known| known.failure == failure.failure) {
                    self.findings.failures.push(failure);
                }
            }
            for stands in found.combinations {
                self.findings.paths += u64::from(self.seen.insert(stands));
            }
            surprised |= found.surprised;
            if found.finish != Finish::Complete {
                finish = found.finish;
            }
        }
        Ok((if surprised { Finish::Complete } else { finish }, surprised))
    }

    /// Performs an execution, learns from it and tells it to the constraint system.
    fn execute(&mut self, request: &Request) -> Result<BTreeMap<usize, Stand>, SearchError<R::Error>> {
        let stands = self.perform(request)?;
        self.tell();
        Ok(stands)
    }

    /// Performs an execution and learns from it.
    pub(super) fn perform(
        &mut self,
        request: &Request,
    ) -> Result<BTreeMap<usize, Stand>, SearchError<R::Error>> {
        let execution = self.runner.run(request).map_err(SearchError::Run)?;
        Ok(self.learn(request, &execution)?.0)
    }

    /// Learns from an execution: where its threads stand, and whether something was new.
    pub(super) fn learn(
        &mut self,
        request: &Request,
        execution: &Execution,
    ) -> Result<(Stands, bool), SearchError<R::Error>> {
        self.findings.executions += 1;
        let learned = self.trees.learn(execution)?;
        self.new |= learned.new;
        Ok((self.note(request, execution, &learned), learned.new))
    }

    /// Tells the constraint system what was learned.
    pub(super) fn tell(&mut self) {
        let sealed = std::mem::take(&mut self.new) && self.system.options.is_sealed();
        if sealed || self.system.grow(&mut self.trees).is_err() {
            self.count_questions();
            self.system = System::new((self.make)(), self.model, &self.trees);
            // Accesses that overlap are known now: it fits.
            let _ = self.system.grow(&mut self.trees);
        }
    }

    fn note(
        &mut self,
        request: &Request,
        execution: &Execution,
        learned: &Learned,
    ) -> BTreeMap<usize, Stand> {
        let mut stands: BTreeMap<usize, Stand> =
            (0..self.trees.threads.len()).map(|thread| (thread, Stand::Absent)).collect();
        let (mut complete, mut blocked, mut failed) = (true, false, false);
        self.cuts.clear();
        for (path, &(thread, node, passed)) in execution.threads.iter().zip(&learned.ends) {
            match &path.end {
                ThreadEnd::Finished => {
                    stands.insert(thread, Stand::Leaf(node));
                }
                ThreadEnd::Failed(failure) => {
                    failed = true;
                    stands.insert(thread, Stand::Leaf(node));
                    let known = self.findings.failures.iter().any(|known| known.failure == *failure);
                    if !known {
                        let (thread, request) = (path.thread.clone(), request.clone());
                        self.findings.failures.push(Failure { thread, failure: *failure, request });
                    }
                }
                ThreadEnd::Blocked(_) => {
                    blocked = true;
                    match self.trees.pending(node, passed) {
                        Some(event) => {
                            stands.insert(thread, Stand::Stuck(event));
                        }
                        None => complete = false,
                    }
                }
                ThreadEnd::Discarded => complete = false,
                ThreadEnd::Cut => {
                    complete = false;
                    self.cuts.push(node);
                }
            }
        }
        if complete && self.seen.insert(stands.clone()) {
            if blocked && !failed {
                self.findings.deadlocks += 1;
                self.findings.deadlock.get_or_insert_with(|| request.clone());
            } else {
                self.findings.paths += 1;
            }
        }
        stands
    }
}
