//! Executions, their seeds, and the workers who look for them.

use super::explored::{Explored, Frontier};
use super::keep;
use super::pins::{Pinning, Pins};
use super::predict::{Meeting, OVERTAKEN, Prediction};
use super::run::{Act, End, Run, Subject, execute, reach};
use super::seek::Seeker;
use super::targets::{Seed, targets};
use crate::report::{Bug, Finding, Report, Unfinished};
use crate::strategies::findings::Found;
use crate::strategies::run::Subject as Plain;
use crate::strategies::viequi::keep::names;
use crate::{Budget, Options, Progress, Solver, races, walk};
use rustc_hash::FxHashSet;
use selvedge_machine::{Config, Machine, Outcome, Pick};
use selvedge_program::Program;
use selvedge_program::dependence::Dependence;
use selvedge_solve::z3::Z3;
use selvedge_solve::{Prepared, Scratch};
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

/// What all workers share.
#[derive(Default)]
pub(super) struct Shared<'s> {
    pub explored: Explored,
    /// Executions that are to be looked at, and those that somebody looks at.
    pub waiting: Vec<Arc<Run<'s>>>,
    pub looking: Vec<Arc<Run<'s>>>,
    stop: bool,
    /// There is something left to be done.
    exhausted: bool,
    pub report: Report,
    pub found: Found,
    pub pairs: FxHashSet<(u32, u32)>,
    pub views: FxHashSet<u128>,
    pub deadlock: bool,
}

pub(super) struct Search<'s> {
    pub subject: &'s Subject<'s>,
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
    let kept = options.keep.as_ref().and_then(|keep| keep.kept());
    let kept_views = kept.as_ref().and_then(|kept| Some((kept, kept.view_tree.as_ref()?)));
    let names = kept_views.map(|(_, views)| names(views)).unwrap_or_else(|| Some(Default::default()));
    let Some(names) = names else {
        return Report { unfinished: vec![Unfinished::Lost], ..Report::default() };
    };
    let traced = Config { trace: true, ..config.clone() };
    let subject = Subject { program, config: traced, options, progress, names };
    let search = Search {
        subject: &subject,
        plain: config.clone(),
        manner,
        dependence: pinning.map(|pinning| (Dependence::new(program.clone()), pinning)),
        shared: Mutex::default(),
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
    drop(shared);
    match kept_views {
        Some((kept, views)) => {
            let plain = Plain::new(program, config, options, progress);
            match keep::resume(kept, views, &search, &plain) {
                Some(resumed) => *search.lock() = resumed,
                None => search.lost(&mut search.lock()),
            }
        }
        None => search.plant(&Seed { acts: Vec::new(), frontier: Vec::new() }),
    }
    std::thread::scope(|scope| {
        for _ in 1..options.jobs.max(1) {
            scope.spawn(|| search.work());
        }
        search.work();
    });
    let shared = search.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(keep) = &options.keep {
        match shared.exhausted {
            true => keep.keep(&keep::checkpoint(&shared, &subject.names)),
            false => keep.complete(),
        }
    }
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
            if shared.stop || shared.waiting.is_empty() && shared.looking.is_empty() {
                self.changed.notify_all();
                *shared.report.spent.get_or_insert_default() += scratch.spent();
                return;
            }
            // The last one first: so few wait at the same time.
            let Some(run) = shared.waiting.pop() else {
                shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            shared.looking.push(run.clone());
            drop(shared);
            self.look(&run, &mut scratch);
            shared = self.lock();
            // What was not looked at completely is kept as something to be looked at.
            if !shared.stop {
                shared.looking.retain(|other| !Arc::ptr_eq(other, &run));
            }
            if let Some(keep) = self.subject.options.keep.as_ref().filter(|keep| keep.is_due()) {
                keep.keep(&keep::checkpoint(&shared, &self.subject.names));
            }
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

    fn exhaust(&self, shared: &mut Shared<'s>, budget: Budget) {
        if !shared.exhausted {
            shared.report.unfinished.push(Unfinished::Budget(budget));
        }
        (shared.stop, shared.exhausted) = (true, true);
    }

    fn budget(&self, shared: &Shared<'s>) -> Option<Budget> {
        let (options, progress) = (self.subject.options, self.subject.progress);
        progress.over().or_else(|| match options.max_executions {
            Some(most) if shared.report.executions >= most => Some(Budget::Executions),
            _ => progress.memory_full.load(Ordering::Relaxed).then_some(Budget::Memory),
        })
    }

    /// Whether a seed need not be followed.
    fn is_known(&self, shared: &mut Shared<'s>, seed: &Seed) -> bool {
        self.manner == Manner::Fresh && shared.explored.extends(&seed.frontier)
            || shared.explored.has_seed(&seed.frontier)
    }

    /// Executes a seed, unless it is known, and notes what comes of it.
    fn plant(&self, seed: &Seed) {
        let mut shared = self.lock();
        if shared.stop || self.is_known(&mut shared, seed) {
            return;
        }
        if let Some(budget) = self.budget(&shared) {
            return self.exhaust(&mut shared, budget);
        }
        drop(shared);
        let run = execute(self.subject, &seed.acts);
        let mut shared = self.lock();
        // Somebody else may have followed it meanwhile, or everybody is to stop: then it is followed again some day.
        let interrupted = matches!(run.end, End::Interrupted);
        if shared.stop || !interrupted && !shared.explored.add_seed(&seed.frontier) {
            return;
        }
        // Whoever follows a seed observes what the seed says: otherwise something was not recorded.
        let observed = seed.frontier.iter().all(|&(thread, count, history)| {
            let note = count.checked_sub(1).and_then(|last| {
                run.recorder.notes.get(thread as usize).and_then(|notes| notes.get(last as usize))
            });
            note.is_none_or(|note| !note.pending && note.history == history)
        });
        if matches!(run.end, End::Over | End::Blocked) && !observed {
            self.lost(&mut shared);
        }
        self.note(&mut shared, run);
    }

    /// Notes what came of an execution.
    fn note(&self, shared: &mut Shared<'s>, run: Run<'s>) {
        let (options, progress) = (self.subject.options, self.subject.progress);
        shared.report.steps += run.steps;
        for (bug, picks) in &run.bugs {
            self.found(shared, bug, picks);
        }
        if let Some(what) = &run.recorder.unmapped {
            return self.beyond(shared, what);
        }
        if run.cut_short && options.count_views {
            return self.beyond(shared, "counting views of a program that ends before its threads");
        }
        let complete = match &run.end {
            End::Over => true,
            End::Failed => {
                shared.report.executions += 1;
                shared.views.insert(run.view);
                return;
            }
            End::Blocked => false,
            End::Unsupported(outcome) => return self.unsupported(shared, outcome, &run.picks),
            End::Lost => return self.lost(shared),
            End::Interrupted => {
                return self.exhaust(shared, progress.over().unwrap_or(Budget::Interrupted));
            }
        };
        let histories = |notes: &Vec<super::record::Note>| {
            notes.iter().filter(|note| !note.pending).map(|note| note.history).collect()
        };
        let threads: Vec<Vec<u128>> = run.recorder.notes.iter().map(histories).collect();
        let new = shared.explored.views.add(&threads);
        match complete {
            // Another worker has come to the same view meanwhile.
            true if !new && self.manner == Manner::Fresh => {
                shared.report.blocked += 1;
                shared.report.asleep += 1;
            }
            true => {
                shared.report.executions += 1;
                shared.views.insert(run.view);
            }
            false => shared.report.blocked += 1,
        }
        progress.executions.store(shared.report.executions, Ordering::Relaxed);
        if new {
            shared.waiting.push(Arc::new(run));
            progress.waiting.store(shared.waiting.len() as u64, Ordering::Relaxed);
            self.changed.notify_one();
        }
    }

    /// Looks what could have happened otherwise in an execution.
    fn look(&self, run: &Run<'s>, scratch: &mut Scratch) {
        let model = self.subject.config.model;
        let over = || self.subject.progress.over().is_some();
        let Ok(prepared) = Prepared::new_until(&run.recorder.trace, model, &over) else {
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
                if known || !shared.explored.add_question(target.event.thread, &whole) {
                    continue;
                }
            }
            for seed in seeker.seeds_within(target, &limits, scratch) {
                self.plant(&seed);
            }
            if self.lock().stop {
                return;
            }
        }
        let mut prediction = Prediction { over: &over, ..Prediction::new(recorder, &prepared, run.stop) };
        if self.subject.options.races {
            let known = |pair, _| self.lock().pairs.contains(&pair);
            for meeting in prediction.races(&known, scratch) {
                self.race(&meeting);
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
        let known = |frontier: &Frontier| self.lock().explored.views.ends_like(frontier);
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
        if stuck && self.subject.options.count_views && shared.explored.views.note_end(&run.ends()) {
            shared.report.executions += 1;
            shared.views.insert(run.view);
        }
        stuck
    }

    /// Goes where accesses race.
    fn race(&self, meeting: &Meeting) {
        let Some((mut machine, picks)) = reach(self.subject, &meeting.acts) else {
            let mut shared = self.lock();
            return match meeting.in_doubt {
                true => self.beyond(&mut shared, OVERTAKEN),
                false => self.lost(&mut shared),
            };
        };
        let mut pending = Vec::new();
        races::pending_races(&mut machine, &mut pending);
        // An earlier store to the same place may wait as well; then that one races.
        if meeting.in_doubt && pending.is_empty() {
            self.beyond(&mut self.lock(), OVERTAKEN);
        }
        for pair in pending {
            let mut shared = self.lock();
            if shared.pairs.insert(races::places(&pair)) {
                self.found(&mut shared, &Bug::Race(pair.0, pair.1), &picks);
            }
        }
    }
}
