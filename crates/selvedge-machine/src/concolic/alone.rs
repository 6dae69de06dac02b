//! One thread alone along a given path: what the others do is symbols.
//!
//! A path is what a thread has decided ([`Decisions`]): outcomes of branches that depend on shared reads or inputs, and of
//! steps that can go more than one way. The thread is executed by itself, from the moment of its creation in the run of the
//! thread that creates it; no other thread takes a step. Whatever it reads of shared memory is a fresh symbol, as in whole
//! executions, with some value. Where the thread decides otherwise than its path says, the decision procedure is asked for
//! values of the reads with which it goes on as it should, and it is taken back to the first read that needs another one.
//! So the machine computes the steps, and what is private is known as far as the path determines it.
//!
//! What a thread waits for is made to be there before it looks (`enable`): a lock is free, a thread has ended, a
//! notification has come. The constraints of the steps say what that asks of the others.
//!
//! Objects that another thread has allocated are where that thread's own run has put them: threads run one after the other,
//! and one that needs an object which is not there yet waits until a run has shown it.

use crate::machine::{Config, Machine, Outcome, Pick, Snapshot, Stepped};
use crate::memory::{Arena, Pointer, Provenance, arena_of, arena_start};
use crate::thread::{Status, Wait, Wake};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_paths::{
    BranchKind, Cause, Execution, Initial, Location, Performed, Step, ThreadEnd, ThreadPath, UNBUFFERED,
};
use selvedge_program::Program;
use selvedge_terms::decide::{Budget, Native, Outcome as Answer, Solver};
use selvedge_terms::{Import, Symbol, SymbolId, Term, Terms};
use selvedge_trace::{ThreadId, ThreadName};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a thread has decided, and where it stood at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decisions {
    pub thread: ThreadName,
    /// The outcomes of its decisions, in order: those of branches, which target a switch took, which address it used, what
    /// a library function was told; whether an attempt succeeded, whether a wait was over, whether it was the last at a
    /// barrier.
    pub outcomes: Vec<u64>,
    /// How many steps that are no branches it had taken when it stopped.
    pub steps: usize,
    /// Why it stopped.
    pub end: PathEnd,
}

/// Why a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// The thread, or with it the program, has come to its end.
    Finished,
    /// It failed.
    Failed,
    /// It cannot go on.
    Blocked,
    /// It was stopped because the execution ended elsewhere.
    Cut,
}

/// Why there are no steps for a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AloneError {
    /// The thread cannot decide like this.
    #[error("thread {thread} cannot go as its path says at its decision {decision} ({place})")]
    NoSuchPath { thread: ThreadName, decision: usize, place: String },
    /// Something that the run of one thread cannot express.
    #[error("thread {thread}: {what} ({place})")]
    Unsupported { thread: ThreadName, what: String, place: String },
    /// It took too many steps.
    #[error("thread {thread} took more than {steps} steps")]
    TooLong { thread: ThreadName, steps: usize },
}

impl Decisions {
    /// The decisions of a thread in an execution.
    pub fn of(path: &ThreadPath) -> Decisions {
        let outcomes = path.steps.iter().filter_map(|performed| outcome(&performed.step)).collect();
        let steps = path.steps.iter().filter(|performed| !is_branch(&performed.step)).count();
        let end = match path.end {
            ThreadEnd::Finished => PathEnd::Finished,
            ThreadEnd::Failed(_) => PathEnd::Failed,
            ThreadEnd::Blocked(_) => PathEnd::Blocked,
            ThreadEnd::Discarded | ThreadEnd::Cut => PathEnd::Cut,
        };
        Decisions { thread: path.thread.clone(), outcomes, steps, end }
    }
}

fn is_branch(step: &Step) -> bool {
    matches!(step, Step::Branch { .. })
}

/// What a step decides.
fn outcome(step: &Step) -> Option<u64> {
    match *step {
        Step::Branch { outcome, .. } => Some(outcome),
        Step::TryLock { taken, .. } | Step::TryLockShared { taken, .. } | Step::TryTake { taken, .. } => {
            Some(taken.into())
        }
        Step::Wake { cause, .. } => Some((cause == Cause::Expired).into()),
        Step::Arrive { last, .. } => Some(last.into()),
        _ => None,
    }
}

/// Runs each thread alone along its path; threads whose paths are missing take no step. What comes out is as if a whole
/// execution had been recorded, but for the order, which is not known.
pub fn run_alone(
    program: &Arc<Program>,
    config: &Config,
    paths: &[Decisions],
) -> Result<Execution, AloneError> {
    let symbolic = config.symbolic.clone().unwrap_or_default();
    let symbolic = super::Symbolic { reads: true, ..symbolic };
    let config = Config { symbolic: Some(symbolic), every_step: true, ..config.clone() };
    let mut machine = Machine::new(program.clone(), config);
    if let Some(concolic) = &mut machine.concolic {
        concolic.pinned = Some(FxHashMap::default());
    }
    let mut born: FxHashMap<ThreadName, Snapshot> = FxHashMap::default();
    born.insert(ThreadName::main(), machine.point());
    let mut gathered = Gathered::default();
    let mut open: Vec<&Decisions> = paths.iter().collect();
    open.sort_by_key(|path| path.thread.clone());
    // Rounds in which no run came to its end: each of them may still show what another one needs.
    let mut idle = 0;
    while !open.is_empty() {
        let before = open.len();
        let mut trouble = None;
        let mut left = Vec::new();
        for path in open {
            match run_one(&mut machine, path, &mut born, &mut gathered) {
                Ok(()) => {}
                // The runs of others may show what it needs.
                Err(error @ AloneError::Unsupported { .. }) => {
                    trouble.get_or_insert(error);
                    left.push(path);
                }
                Err(error) => return Err(error),
            }
        }
        open = left;
        idle = if open.len() == before { idle + 1 } else { 0 };
        if let Some(error) = trouble.filter(|_| idle >= paths.len()) {
            return Err(error);
        }
    }
    Ok(gathered.finish(paths))
}

/// Runs one thread, and keeps what that shows.
fn run_one(
    machine: &mut Machine,
    path: &Decisions,
    born: &mut FxHashMap<ThreadName, Snapshot>,
    gathered: &mut Gathered,
) -> Result<(), AloneError> {
    let Some(start) = born.get(&path.thread) else {
        let (what, place) = ("no thread creates it on its path".to_owned(), "-".to_owned());
        return Err(AloneError::Unsupported { thread: path.thread.clone(), what, place });
    };
    machine.go_back(start);
    if let Some(concolic) = &mut machine.concolic {
        concolic.learned.clear();
    }
    let index = machine.threads.iter().position(|thread| thread.name == path.thread).unwrap_or(0);
    let mut run = Run {
        machine,
        path,
        index,
        before: Vec::new(),
        wanted: BTreeMap::new(),
        read_in: BTreeMap::new(),
        born: Vec::new(),
        matched: (0, 0),
        excluded: (0, Vec::new()),
        versions: &gathered.versions,
    };
    let ended = run.go();
    let (mut before, children) = (std::mem::take(&mut run.before), std::mem::take(&mut run.born));
    gathered.keep_versions(machine, index, &mut before);
    let end = ended?;
    born.extend(children.into_iter().map(|(_, name, snapshot)| (name, snapshot)));
    gathered.take(machine, index, path, end);
    Ok(())
}

/// What the runs have shown so far.
#[derive(Default)]
struct Gathered {
    terms: Terms,
    threads: Vec<ThreadPath>,
    initial: Initial,
    objects: BTreeMap<u64, u64>,
    /// What threads had allocated, as it was between their steps: numbers of arenas, and these.
    versions: Vec<(u32, Arc<Arena>)>,
}

impl Gathered {
    fn take(&mut self, machine: &mut Machine, index: usize, path: &Decisions, end: ThreadEnd) {
        let Some(concolic) = machine.concolic.as_mut() else { return };
        let steps = std::mem::take(&mut concolic.own(index).steps);
        let from = &concolic.terms;
        let mut import = Import::new();
        let into = &mut self.terms;
        let mut term = |term: Term| {
            import.term(from, term, into, |into, symbol| {
                into.symbol(from.symbol_of(symbol), from.width(from.symbol_term(symbol)))
            })
        };
        let steps = steps
            .into_iter()
            .map(|performed| Performed { step: performed.step.map_terms(&mut term), ..performed });
        let steps = steps.collect();
        let end = match end {
            ThreadEnd::Blocked(step) => ThreadEnd::Blocked(Box::new(step.map_terms(&mut term))),
            end => end,
        };
        for (&address, &byte) in &concolic.initial {
            self.initial.entry(address).or_insert(byte);
        }
        self.objects.extend(&concolic.objects);
        self.threads.push(ThreadPath { thread: path.thread.clone(), steps, end });
    }

    /// Keeps what a thread has allocated, as it was between its steps.
    fn keep_versions(&mut self, machine: &mut Machine, index: usize, before: &mut [Snapshot]) {
        let arena = machine.threads[index].arena;
        let mut now = machine.point();
        for state in before.iter_mut().chain([&mut now]) {
            let version = state.arena(arena);
            let last = self.versions.last().filter(|(other, _)| *other == arena).map(|(_, version)| version);
            if let Some(version) = version
                && last.is_none_or(|last| !Arc::ptr_eq(last, &version))
            {
                self.versions.push((arena, version));
            }
        }
    }

    fn finish(mut self, paths: &[Decisions]) -> Execution {
        self.threads.sort_by_key(|path| paths.iter().position(|other| other.thread == path.thread));
        let Gathered { terms, threads, initial, objects, .. } = self;
        Execution { terms, threads, initial, objects, ..Execution::default() }
    }
}

/// The run of one thread.
struct Run<'a> {
    machine: &'a mut Machine,
    path: &'a Decisions,
    index: usize,
    /// The machine before each of the thread's steps.
    before: Vec<Snapshot>,
    /// Values of reads, by number.
    wanted: BTreeMap<u32, u128>,
    /// The step in which a read was made, where (nowhere if it learned whether others waited), and what it read, as the
    /// thread came there last.
    read_in: BTreeMap<u32, (usize, Option<Location>, u128)>,
    /// The machine when threads had just been created, and after how many steps that was.
    born: Vec<(usize, ThreadName, Snapshot)>,
    /// How many steps of the record were compared with the path, and how many decisions were among them.
    matched: (usize, usize),
    /// Outcomes that the decision at hand has had and must not have, by the conditions of these.
    excluded: (usize, Vec<Term>),
    /// What other threads have allocated in their runs.
    versions: &'a [(u32, Arc<Arena>)],
}

/// Steps of the machine after which a run is given up.
const MOST_STEPS: usize = 100_000;
/// How often the thread may be taken back for one decision.
const MOST_RETRIES: usize = 200;

impl Run<'_> {
    fn place(&self) -> String {
        self.machine.program.describe(self.machine.inspect().position(self.index))
    }

    fn unsupported(&self, what: impl Into<String>) -> AloneError {
        AloneError::Unsupported { thread: self.path.thread.clone(), what: what.into(), place: self.place() }
    }

    fn steps(&mut self) -> &[Performed] {
        match &mut self.machine.concolic {
            Some(concolic) => &concolic.own(self.index).steps,
            None => &[],
        }
    }

    /// Runs the thread to the end of its path.
    fn go(&mut self) -> Result<ThreadEnd, AloneError> {
        let mut retries: (usize, usize) = (0, 0);
        loop {
            if self.before.len() > MOST_STEPS {
                return Err(AloneError::TooLong { thread: self.path.thread.clone(), steps: MOST_STEPS });
            }
            if let Some((at, decision, wanted)) = self.divergence() {
                retries = if retries.0 == decision { (decision, retries.1 + 1) } else { (decision, 0) };
                if retries.1 > MOST_RETRIES {
                    return Err(self.no_such_path(decision));
                }
                self.correct(at, decision, wanted)?;
                continue;
            }
            match self.end() {
                Ok(Some(end)) => return Ok(end),
                Ok(None) => {}
                Err(error) if self.adopt() => drop(error),
                Err(error) => return Err(error),
            }
            self.enable()?;
            self.step();
        }
    }

    /// Where the thread has used an address at which there is nothing: takes what another thread has allocated there, and
    /// goes back before the step. Whether there was such an object.
    fn adopt(&mut self) -> bool {
        let used = self.steps().iter().rev().find_map(|performed| match performed.step {
            Step::Branch { kind: BranchKind::Address, outcome, .. } => Some(outcome),
            _ => None,
        });
        let Some(address) = used else { return false };
        let Some(number) = arena_of(address) else { return false };
        let offset = address - arena_start(number);
        if self.machine.memory.is_live(address) {
            return false;
        }
        let mut versions = self.versions.iter().rev();
        let there = versions.find(|(arena, version)| *arena == number && version.has_live(offset));
        let Some((_, version)) = there else { return false };
        let Some(snapshot) = self.before.pop() else { return false };
        self.machine.go_back(&snapshot);
        let back = self.before.len();
        self.born.retain(|&(step, _, _)| step < back);
        self.match_again();
        self.machine.memory.adopt(address, version.clone())
    }

    /// The record is shorter than what was compared.
    fn match_again(&mut self) {
        let decided = self.steps().iter().filter(|performed| outcome(&performed.step).is_some()).count();
        self.matched = (self.steps().len(), decided);
    }

    fn no_such_path(&self, decision: usize) -> AloneError {
        AloneError::NoSuchPath { thread: self.path.thread.clone(), decision, place: self.place() }
    }

    /// The first step of the record that is otherwise than on the path: its number, that of its decision, what it should be.
    fn divergence(&mut self) -> Option<(usize, usize, u64)> {
        let (mut step, mut decision) = self.matched;
        let path = self.path;
        let mut found = None;
        for performed in &self.steps()[step..] {
            if let Some(outcome) = outcome(&performed.step) {
                match path.outcomes.get(decision) {
                    Some(&wanted) if wanted != outcome => {
                        found = Some((step, decision, wanted));
                        break;
                    }
                    Some(_) => decision += 1,
                    // Beyond the end of the path: the thread may decide as it likes.
                    None => {}
                }
            }
            step += 1;
        }
        if found.is_none() {
            self.matched = (step, decision);
        }
        found
    }

    /// Whether the path has come to its end, and how.
    fn end(&mut self) -> Result<Option<ThreadEnd>, AloneError> {
        let (index, wanted) = (self.index, self.path.end);
        let done = self.path.outcomes.len() <= self.matched.1;
        let taken = self.steps().iter().filter(|performed| !is_branch(&performed.step)).count();
        if let Some(outcome) = self.machine.outcome.clone() {
            return match outcome {
                Outcome::Violation { thread, .. }
                    if thread.index() == index && done && wanted == PathEnd::Failed =>
                {
                    Ok(Some(ThreadEnd::Failed(self.machine.inspect().position(index))))
                }
                // What it uses has gone, which another thread's step has to bring about.
                Outcome::Exited(_) if done => Ok(Some(ThreadEnd::Finished)),
                Outcome::Violation { violation, thread } => {
                    let name = &self.machine.threads[thread.index()].name;
                    let what = format!("otherwise than on its path, {name} fails: {}", violation.message);
                    Err(self.unsupported(what))
                }
                Outcome::Unsupported { what, .. } => Err(self.unsupported(what)),
                other => Err(self.unsupported(format!("it ended otherwise ({other:?})"))),
            };
        }
        if self.machine.threads[index].is_finished() {
            return Ok(Some(ThreadEnd::Finished));
        }
        if let Some(what) = self.machine.concolic.as_ref().and_then(|concolic| concolic.beyond.clone()) {
            return Err(self.unsupported(what));
        }
        if taken < self.path.steps || !done {
            return Ok(None);
        }
        match wanted {
            PathEnd::Cut => Ok(Some(ThreadEnd::Cut)),
            PathEnd::Blocked => match self.machine.what_blocks(index) {
                Some(step) => Ok(Some(ThreadEnd::Blocked(Box::new(step)))),
                None => Ok(Some(ThreadEnd::Cut)),
            },
            PathEnd::Failed if taken > self.path.steps => {
                Err(self.unsupported("it fails by something that other threads do otherwise than in memory"))
            }
            PathEnd::Finished | PathEnd::Failed => Ok(None),
        }
    }

    /// The thread's next step, with values of reads as they are wanted.
    fn step(&mut self) {
        let number = self.before.len();
        self.before.push(self.machine.point());
        let made: Vec<(u32, Option<Location>)> = self
            .read_in
            .iter()
            .filter(|(_, made)| made.0 == number)
            .map(|(&read, made)| (read, made.1))
            .collect();
        for (read, at) in made {
            match (self.wanted.get(&read), at) {
                (Some(&value), Some(at)) => self.machine.let_read(self.index, at, value),
                (Some(&value), None) => {
                    if let Some(concolic) = &mut self.machine.concolic {
                        concolic.learned.insert(read, value as u64);
                    }
                }
                (None, _) => {}
            }
        }
        let choice = self.machine.fails_by_choice(self.index);
        let pick = Pick::Step { thread: ThreadId(self.index as u16), alternative: u32::from(choice) };
        let (threads, recorded) = (self.machine.threads.len(), self.steps().len());
        let mut stepped = self.machine.step(pick);
        let mut rounds = 0;
        while stepped == Stepped::OutOfFuel && rounds < MOST_STEPS {
            stepped = self.machine.resume();
            rounds += 1;
        }
        self.read_in.retain(|_, made| made.0 < number);
        let mut read = Vec::new();
        for performed in &self.steps()[recorded..] {
            match performed.step {
                Step::Read { at, symbol, .. }
                | Step::Update { at, symbol, .. }
                | Step::Await { at, symbol, .. } => {
                    read.push((symbol, Some(at)));
                }
                Step::Notify { woken: Some(woken), .. } => read.push((woken, None)),
                _ => {}
            }
        }
        if let Some(concolic) = &self.machine.concolic {
            for (symbol, at) in read {
                for id in concolic.terms.symbols_below([symbol]) {
                    if let Symbol::Read { index, .. } = concolic.terms.symbol_of(id) {
                        let before = &self.before[number];
                        let there = at.map_or(0, |at| {
                            let bytes = (0..at.size.min(16))
                                .map(|offset| before.byte(at.address + u64::from(offset)));
                            bytes.rev().fold(0, |value, byte| value << 8 | u128::from(byte))
                        });
                        let value = self.wanted.get(index).copied().unwrap_or(there);
                        self.read_in.insert(*index, (number, at, value));
                    }
                }
            }
        }
        for child in threads..self.machine.threads.len() {
            let name = self.machine.threads[child].name.clone();
            let snapshot = self.machine.point();
            self.born.push((number, name, snapshot));
        }
    }

    /// Finds values with which the thread decides as its path says, and goes back to where they matter first.
    fn correct(&mut self, at: usize, decision: usize, wanted: u64) -> Result<(), AloneError> {
        let Some(concolic) = self.machine.concolic.as_mut() else { return Err(self.no_such_path(decision)) };
        let steps = concolic.own(self.index).steps.clone();
        let Step::Branch { condition, outcome, kind } = steps[at].step else {
            return Err(self.unsupported("a step with another outcome than on its path"));
        };
        let terms = &mut concolic.terms;
        let pinned = concolic.pinned.as_ref().and_then(|pinned| pinned.get(&(condition, outcome)).copied());
        let needed = match (kind, pinned) {
            (BranchKind::Address | BranchKind::Library, Some(term)) => {
                let width = terms.width(term);
                let value = terms.constant(width, wanted.into());
                terms.equal(term, value)
            }
            // Of a switch each time one target that is not the right one is left out.
            _ => {
                if self.excluded.0 != decision {
                    self.excluded = (decision, Vec::new());
                }
                let other = terms.not(condition);
                self.excluded.1.push(other);
                self.excluded.1.iter().fold(other, |all, &other| terms.and(all, other))
            }
        };
        let mut conditions = related(terms, &steps[..at], needed);
        let mut solver = Native::new(Budget::default());
        conditions.push(needed);
        for &condition in &conditions {
            let holds = solver.term(terms, condition);
            solver.clause(&[holds]);
        }
        // As many of the values as possible stay as they are: the last reads change first.
        let ids: Vec<SymbolId> = terms.symbols_below(conditions.iter().copied()).into_iter().collect();
        let mut kept = Vec::new();
        for &id in &ids {
            let Symbol::Read { thread, index } = terms.symbol_of(id) else { continue };
            let index = *index;
            if *thread != self.path.thread {
                return Err(self.unsupported("a value that another thread has read"));
            }
            if let Some(&(_, _, value)) = self.read_in.get(&index) {
                let symbol = terms.symbol_term(id);
                let known = terms.constant(terms.width(symbol), value);
                let same = terms.equal(symbol, known);
                kept.push((index, solver.term(terms, same)));
            }
        }
        kept.sort_by_key(|&(index, _)| index);
        let mut answer = solver.check(&kept.iter().map(|&(_, same)| same).collect::<Vec<_>>());
        while answer == Answer::Unsat && !kept.is_empty() {
            let core: FxHashSet<_> = solver.core().iter().copied().collect();
            if core.is_empty() {
                break;
            }
            match kept.iter().rposition(|(_, same)| core.contains(same)) {
                Some(last) => _ = kept.remove(last),
                None => kept.clear(),
            }
            answer = solver.check(&kept.iter().map(|&(_, same)| same).collect::<Vec<_>>());
        }
        if answer != Answer::Sat {
            return Err(self.no_such_path(decision));
        }
        let mut changed: Vec<u32> = Vec::new();
        let mut choices = Vec::new();
        for &id in &ids {
            let value = solver.value(terms, terms.symbol_term(id));
            match terms.symbol_of(id) {
                Symbol::Read { index, .. } => {
                    let there = self.read_in.get(index).map(|made| made.2);
                    self.wanted.insert(*index, value);
                    if there != Some(value) {
                        changed.push(*index);
                    }
                }
                symbol => choices.push((symbol.clone(), value)),
            }
        }
        if choices.iter().any(|(symbol, _)| symbol.is_input()) {
            return Err(self.no_such_path(decision));
        }
        let steps_back = changed.iter().map(|read| self.read_in.get(read).map(|made| made.0));
        let Some(back) = steps_back.collect::<Option<Vec<usize>>>() else {
            return Err(self.unsupported("a value that it does not read of memory"));
        };
        let back = back.into_iter().min().unwrap_or(0);
        self.before.truncate(back + 1);
        let Some(snapshot) = self.before.pop().filter(|_| self.before.len() == back) else {
            return Err(self.no_such_path(decision));
        };
        self.machine.go_back(&snapshot);
        self.born.retain(|&(step, _, _)| step < back);
        if let Some(concolic) = &mut self.machine.concolic {
            concolic.choices.extend(choices);
        }
        self.match_again();
        Ok(())
    }

    /// Makes what the thread waits for be there.
    fn enable(&mut self) -> Result<(), AloneError> {
        let next = self.path.outcomes.get(self.matched.1).copied();
        match self.machine.threads[self.index].status {
            Status::Ready(operation) => {
                self.machine.let_pass(self.index, operation, next).map_err(|what| self.unsupported(what))
            }
            Status::Waiting(Wait::Condition { .. } | Wait::Futex { .. }) => {
                let wake = if next == Some(1) { Wake::TimedOut } else { Wake::Woken };
                self.machine.wake(self.index, wake);
                Ok(())
            }
            Status::Waiting(Wait::Barrier { .. }) => {
                self.machine.wake(self.index, Wake::Woken);
                Ok(())
            }
            Status::Waiting(Wait::Assumption) => Err(self.unsupported("an assumption that does not hold")),
            Status::Starting | Status::Finished => Ok(()),
        }
    }
}

/// The conditions of branches that have to do with an expression: that share symbols with it, or with another one of them.
fn related(terms: &Terms, steps: &[Performed], needed: Term) -> Vec<Term> {
    let conditions = steps.iter().filter_map(|performed| match performed.step {
        Step::Branch { condition, .. } => Some(condition),
        _ => None,
    });
    let mut open: Vec<(Term, Vec<SymbolId>)> = conditions
        .map(|condition| (condition, terms.symbols_below([condition]).into_iter().collect()))
        .collect();
    let mut known: FxHashSet<SymbolId> = terms.symbols_below([needed]).into_iter().collect();
    let mut found = Vec::new();
    loop {
        let before = found.len();
        open.retain(|(condition, symbols)| {
            let meets = symbols.iter().any(|symbol| known.contains(symbol));
            if meets {
                known.extend(symbols);
                found.push(*condition);
            }
            !meets
        });
        if found.len() == before {
            return found;
        }
    }
}

impl Machine {
    /// The state to come back to by [`Machine::go_back`], without the expressions, of which there are only ever more.
    fn point(&mut self) -> Snapshot {
        let terms = self.concolic.as_mut().map(|concolic| std::mem::take(&mut concolic.terms));
        let snapshot = self.snapshot();
        self.keep_terms(terms);
        snapshot
    }

    fn go_back(&mut self, point: &Snapshot) {
        let terms = self.concolic.as_mut().map(|concolic| std::mem::take(&mut concolic.terms));
        self.restore(point);
        self.keep_terms(terms);
    }

    fn keep_terms(&mut self, terms: Option<Terms>) {
        if let (Some(concolic), Some(terms)) = (&mut self.concolic, terms) {
            concolic.terms = terms;
        }
    }

    /// Memory holds a value where a thread is about to read.
    fn let_read(&mut self, thread: usize, at: Location, value: u128) {
        if at.address >= UNBUFFERED {
            // The result of a thread that was joined.
            if let Some(handle) = super::memory::result_of(at.address)
                && let Some(child) = crate::sync::thread_with_handle(self, handle)
            {
                let result = Pointer { address: value as u64, provenance: Provenance::NONE };
                self.thread_mut(child).result = Some(result);
            }
            return;
        }
        let bytes = &value.to_le_bytes()[..(at.size as usize).min(16)];
        let mut there = vec![0; bytes.len()];
        // Its own stores would be read before memory is.
        self.drain(thread);
        if !self.memory.read_bytes(at.address, &mut there) || there != bytes {
            self.memory.write_bytes(at.address, bytes);
        }
    }

    /// Whether the weak compare-exchange that a thread is before fails for no reason.
    fn fails_by_choice(&mut self, thread: usize) -> bool {
        let Status::Ready(operation) = self.threads[thread].status else { return false };
        if operation.kind != selvedge_trace::EventKind::CompareExchange
            || self.probe().alternatives(thread) < 2
        {
            return false;
        }
        let name = self.threads[thread].name.clone();
        let Some(concolic) = &mut self.concolic else { return false };
        let occurrence = concolic.own(thread).choices;
        concolic.choices.get(&Symbol::Choice { thread: name, occurrence }).is_some_and(|&value| value == 1)
    }
}
