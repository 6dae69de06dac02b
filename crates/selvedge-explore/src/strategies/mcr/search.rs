//! Executions, their seeds, and the workers who look for them.

use super::explored::{Explored, Frontier};
use super::pins::{Pinning, Pins};
use super::predict::Prediction;
use super::run::{Act, End, Run, Subject, execute, reach};
use super::seek::Seeker;
use super::targets::{Seed, targets};
use crate::report::{Bug, Finding, Report, Unfinished};
use crate::{Budget, Options, Progress, Solver, races, walk};
use rustc_hash::FxHashSet;
use selvedge_machine::{Config, Machine, Outcome, Pick};
use selvedge_program::Program;
use selvedge_program::dependence::Dependence;
use selvedge_solve::z3::Z3;
use selvedge_solve::{Prepared, Scratch};
use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How seeds are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Every seed is followed once.
    Every,
    /// A seed with which an explored execution begins is not followed.
    Fresh,
}

/// How long Z3 may think about one question.
const PATIENCE: Duration = Duration::from_secs(60);

/// Functions whose events look like those of others, but mean something else.
const AMBIGUOUS: &[&str] = &[
    "pthread_tryjoin_np",
    "pthread_timedjoin_np",
    "pthread_clockjoin_np",
    "pthread_mutex_consistent",
    "pthread_mutex_getprioceiling",
    "pthread_mutexattr_setrobust",
    "pthread_mutexattr_setrobust_np",
    "pthread_getname_np",
    "pthread_setname_np",
];

struct Shared<'s> {
    explored: Explored,
    /// Executions that are to be looked at.
    waiting: VecDeque<Run<'s>>,
    busy: usize,
    stop: bool,
    report: Report,
    found: BTreeMap<String, Finding>,
    pairs: FxHashSet<(u32, u32)>,
    views: FxHashSet<u128>,
    deadlock: bool,
}

struct Search<'s> {
    subject: &'s Subject<'s>,
    plain: Config,
    manner: Manner,
    dependence: Option<(Dependence, Pinning)>,
    shared: Mutex<Shared<'s>>,
    changed: Condvar,
}

/// Explores all views of a program.
pub fn explore(
    program: &Arc<Program>,
    config: &Config,
    options: &Options,
    progress: &Progress,
    manner: Manner,
    pinning: Option<Pinning>,
) -> Report {
    let traced = Config { trace: true, ..config.clone() };
    let subject = Subject { program, config: traced, options, progress, names: Default::default() };
    let shared = Shared {
        explored: Explored::default(),
        waiting: VecDeque::new(),
        busy: 0,
        stop: false,
        report: Report::default(),
        found: BTreeMap::new(),
        pairs: FxHashSet::default(),
        views: FxHashSet::default(),
        deadlock: false,
    };
    let search = Search {
        subject: &subject,
        plain: config.clone(),
        manner,
        dependence: pinning.map(|pinning| (Dependence::new(program.clone()), pinning)),
        shared: Mutex::new(shared),
        changed: Condvar::new(),
    };
    let mut shared = search.lock();
    if options.leaks {
        search.beyond(&mut shared, "looking for leaks");
    }
    if options.unroll.is_some() {
        search.beyond(&mut shared, "bounded unrolling");
    }
    let ambiguous = |name: &&str| program.externals.iter().any(|external| *external.name == **name);
    if let Some(name) = AMBIGUOUS.iter().find(|name| ambiguous(name)) {
        search.beyond(&mut shared, name);
    }
    search.run(&mut shared, &[]);
    drop(shared);
    std::thread::scope(|scope| {
        for _ in 1..options.jobs.max(1) {
            scope.spawn(|| search.work());
        }
        search.work();
    });
    let shared = search.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut report = shared.report;
    report.findings = shared.found.into_values().collect();
    report.findings.sort_by_key(|finding| finding.switches);
    if !options.keep_going {
        report.findings.truncate(1);
    }
    report.classes = options.count_views.then_some(shared.views.len() as u64);
    report
}

impl<'s> Search<'s> {
    fn lock(&self) -> MutexGuard<'_, Shared<'s>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at executions until there are no more.
    fn work(&self) {
        let mut scratch = match self.subject.options.solver {
            Solver::Own => Scratch::new(),
            Solver::Z3 => match Z3::start(PATIENCE) {
                Ok(z3) => Scratch::with_z3(z3),
                Err(error) => return self.beyond(&mut self.lock(), &error.to_string()),
            },
        };
        let mut shared = self.lock();
        loop {
            if shared.stop || shared.waiting.is_empty() && shared.busy == 0 {
                self.changed.notify_all();
                *shared.report.spent.get_or_insert_default() += scratch.spent();
                return;
            }
            let Some(run) = shared.waiting.pop_front() else {
                shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            shared.busy += 1;
            drop(shared);
            self.look(&run, &mut scratch);
            shared = self.lock();
            shared.busy -= 1;
            self.changed.notify_all();
        }
    }

    /// Something cannot be done with this strategy.
    fn beyond(&self, shared: &mut Shared<'s>, what: &str) {
        if !shared.report.unfinished.iter().any(|known| matches!(known, Unfinished::Beyond(_))) {
            shared.report.unfinished.push(Unfinished::Beyond(what.to_owned()));
        }
        shared.stop = true;
    }

    /// An execution came to something that the machine does not support.
    fn unsupported(&self, shared: &mut Shared<'s>, outcome: &Outcome, picks: &[Pick]) {
        let known = |unfinished: &Unfinished| matches!(unfinished, Unfinished::Unsupported { .. });
        if shared.report.unfinished.iter().any(known) {
            return;
        }
        let mut machine = Machine::new(self.subject.program.clone(), self.plain.clone());
        for &pick in picks {
            walk::advance(&mut machine, pick, self.subject.progress);
        }
        let choices = walk::choices(&machine, picks);
        shared.report.unfinished.push(Unfinished::Unsupported { outcome: outcome.clone(), choices });
    }

    fn lost(&self, shared: &mut Shared<'s>) {
        if !shared.report.unfinished.iter().any(|known| matches!(known, Unfinished::Lost)) {
            shared.report.unfinished.push(Unfinished::Lost);
        }
    }

    /// Notes a violation.
    fn found(&self, shared: &mut Shared<'s>, bug: &Bug, picks: &[Pick]) {
        let machine = Machine::new(self.subject.program.clone(), self.plain.clone());
        match Finding::by_picks(machine, bug.clone(), picks, self.subject.progress) {
            None => self.lost(shared),
            Some(finding) => {
                shared.deadlock |= matches!(bug, Bug::Ends(Outcome::Deadlock(_)));
                let known = shared.found.entry(finding.identity.clone()).or_insert_with(|| finding.clone());
                if finding.switches < known.switches {
                    *known = finding;
                }
                let options = self.subject.options;
                shared.stop |= !options.keep_going && !options.count_views;
            }
        }
    }

    /// Executes a seed and notes what comes of it.
    fn run(&self, shared: &mut Shared<'s>, acts: &[Act]) -> Option<u64> {
        let (options, progress) = (self.subject.options, self.subject.progress);
        let budget = progress.over().or_else(|| match options.max_executions {
            Some(most) if shared.report.executions >= most => Some(Budget::Executions),
            _ => progress.memory_full.load(Ordering::Relaxed).then_some(Budget::Memory),
        });
        if let Some(budget) = budget {
            self.exhaust(shared, budget);
            return None;
        }
        let run = execute(self.subject, acts);
        shared.report.steps += run.steps;
        for (bug, picks) in &run.bugs {
            self.found(shared, bug, picks);
        }
        if let Some(what) = &run.recorder.unmapped {
            self.beyond(shared, what);
            return None;
        }
        if run.cut_short && options.count_views {
            self.beyond(shared, "counting views of a program that ends before its threads");
            return None;
        }
        match &run.end {
            End::Over => shared.report.executions += 1,
            End::Failed => {
                shared.report.executions += 1;
                shared.views.insert(run.view);
            }
            End::Blocked => shared.report.blocked += 1,
            End::Unsupported(outcome) => {
                self.unsupported(shared, outcome, &run.picks);
                return None;
            }
            End::Lost => {
                self.lost(shared);
                return None;
            }
            End::Interrupted => {
                self.exhaust(shared, progress.over().unwrap_or(Budget::Interrupted));
                return None;
            }
        }
        progress.executions.store(shared.report.executions, Ordering::Relaxed);
        Some(self.note(shared, run))
    }

    fn note(&self, shared: &mut Shared<'s>, run: Run<'s>) -> u64 {
        if let End::Failed = run.end {
            return 0;
        }
        let histories = |notes: &Vec<super::record::Note>| {
            notes.iter().filter(|note| !note.pending).map(|note| note.history).collect()
        };
        let threads: Vec<Vec<u128>> = run.recorder.notes.iter().map(histories).collect();
        if let End::Over = run.end {
            shared.views.insert(run.view);
        }
        if shared.explored.add(&threads) {
            shared.waiting.push_back(run);
            self.subject.progress.waiting.store(shared.waiting.len() as u64, Ordering::Relaxed);
            self.changed.notify_one();
        }
        1
    }

    fn exhaust(&self, shared: &mut Shared<'s>, budget: Budget) {
        if !shared.report.unfinished.iter().any(|known| matches!(known, Unfinished::Budget(_))) {
            shared.report.unfinished.push(Unfinished::Budget(budget));
        }
        shared.stop = true;
    }

    /// Looks what could have happened otherwise in an execution.
    fn look(&self, run: &Run<'s>, scratch: &mut Scratch) {
        let model = self.subject.config.model;
        let Ok(prepared) = Prepared::new(&run.recorder.trace, model) else {
            let mut shared = self.lock();
            self.beyond(&mut shared, "locks that are given back by another thread");
            return;
        };
        let Some(targets) = targets(&run.recorder) else {
            let mut shared = self.lock();
            self.beyond(&mut shared, "accesses of so many sizes to the same memory");
            return;
        };
        let recorder = &run.recorder;
        let over = || self.subject.progress.over().is_some();
        let pins =
            self.dependence.as_ref().map(|(dependence, pinning)| Pins::new(recorder, dependence, *pinning));
        let mut seeker = Seeker { over: &over, pins, ..Seeker::new(recorder, &prepared, run.stop) };
        for target in &targets {
            if let Some(budget) = self.subject.progress.over() {
                return self.exhaust(&mut self.lock(), budget);
            }
            let Some(limits) = seeker.reach(target, scratch) else { continue };
            let whole = seeker.frontier(target, &limits);
            {
                let mut shared = self.lock();
                // Nothing is possible beyond this: what begins like it has everything that can be found here.
                let known = self.manner == Manner::Fresh && shared.explored.extends(&whole);
                // The same question leads to the same seeds, whatever came after the target.
                if known || !shared.explored.add_question(&whole) {
                    continue;
                }
            }
            for seed in seeker.seeds_within(target, &limits, scratch) {
                let mut shared = self.lock();
                if shared.stop {
                    return;
                }
                self.plant(&mut shared, &seed);
            }
        }
        let mut prediction = Prediction { over: &over, ..Prediction::new(recorder, &prepared, run.stop) };
        if self.subject.options.races {
            let known = |pair, _| self.lock().pairs.contains(&pair);
            for acts in prediction.races(&known, scratch) {
                self.race(&acts);
            }
        }
        self.deadlocks(&mut prediction, scratch);
        let mut shared = self.lock();
        *shared.report.queries.get_or_insert_default() += seeker.queries + prediction.queries;
        if let Some(budget) = self.subject.progress.over() {
            return self.exhaust(&mut shared, budget);
        }
        if seeker.unknown || prediction.unknown {
            match scratch.trouble() {
                Some(trouble) => self.beyond(&mut shared, &trouble.to_string()),
                None => self.beyond(&mut shared, "a question about the order of so many events"),
            }
        }
    }

    /// Follows orders in which threads block each other. Where views are counted, each of them has a view.
    fn deadlocks(&self, prediction: &mut Prediction<'_, 's>, scratch: &mut Scratch) {
        let (model, count_views) = (self.subject.config.model, self.subject.options.count_views);
        if self.lock().deadlock && !count_views {
            return;
        }
        let Some(acts) = prediction.deadlock(model, scratch) else { return };
        if !count_views && self.follow_deadlock(&acts) {
            return;
        }
        // The others may have come to an end in which not everybody waits: an assumption that does not hold.
        let known = |frontier: &Frontier| self.lock().explored.ends(frontier);
        for acts in prediction.all_deadlocks(model, &known, scratch) {
            if self.follow_deadlock(&acts) && !count_views {
                return;
            }
        }
    }

    /// Whether nobody can go on at the end of these acts.
    fn follow_deadlock(&self, acts: &[Act]) -> bool {
        let run = execute(self.subject, acts);
        let mut shared = self.lock();
        shared.report.steps += run.steps;
        for (bug, picks) in &run.bugs {
            self.found(&mut shared, bug, picks);
        }
        if let End::Lost = run.end {
            self.lost(&mut shared);
        }
        let stuck = run.bugs.iter().any(|(bug, _)| matches!(bug, Bug::Ends(Outcome::Deadlock(_))));
        if stuck && self.subject.options.count_views && shared.explored.add_end(&run.ends()) {
            shared.report.executions += 1;
            shared.views.insert(run.view);
        }
        stuck
    }

    fn plant(&self, shared: &mut Shared<'s>, seed: &Seed) {
        let skip = self.manner == Manner::Fresh && shared.explored.extends(&seed.frontier);
        if skip || !shared.explored.add_seed(&seed.frontier) {
            return;
        }
        let over = self.run(shared, &seed.acts);
        // Whoever follows a seed observes what the seed says: otherwise something was not recorded.
        if over == Some(1) && !shared.explored.extends(&seed.frontier) {
            self.lost(shared);
        }
    }

    /// Goes where accesses race.
    fn race(&self, acts: &[Act]) {
        let Some((mut machine, picks)) = reach(self.subject, acts) else {
            let mut shared = self.lock();
            self.lost(&mut shared);
            return;
        };
        let mut pending = Vec::new();
        races::pending_races(&mut machine, &mut pending);
        for (a, b) in pending {
            let (first, second) = (machine.user_position(a), machine.user_position(b));
            let mut shared = self.lock();
            if !shared.pairs.insert((first.min(second), first.max(second))) {
                continue;
            }
            if let (Some(first), Some(second)) = (races::access(&machine, a), races::access(&machine, b)) {
                self.found(&mut shared, &Bug::Race(first, second), &picks);
            }
        }
    }
}
