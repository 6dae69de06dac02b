//! Executions, what follows from them, and the workers who look for it.

use super::content::Cut;
use super::keep;
use super::look::{Item, Look};
use super::views::{Node, Views};
use crate::checkpoint::{Checkpoint, halves, whole};
use crate::report::{Bug, Finding, Report, Unfinished};
use crate::strategies::findings::{self, Found, Pairs};
use crate::strategies::mcr::predict::{Meeting, OVERTAKEN, Prediction};
use crate::strategies::mcr::record::Note;
use crate::strategies::mcr::run::{Act, End, Run, Subject, execute, reach};
use crate::strategies::mcr::targets::Seed;
use crate::strategies::run::Subject as Plain;
use crate::{Budget, Options, Progress, races, walk};
use rustc_hash::FxHashSet;
use selvedge_machine::{Config, Machine, Outcome, Pick};
use selvedge_program::Program;
use selvedge_solve::Scratch;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What all workers share.
#[derive(Default)]
pub(super) struct Shared<'s> {
    pub views: Views,
    /// Questions that were asked, or are about to be.
    asked: FxHashSet<u128>,
    /// Seeds that end with a violation: no execution goes on from there.
    pub failed: FxHashSet<u128>,
    /// Executions that are to be looked at, and those that somebody looks at.
    pub waiting: Vec<Arc<Item<'s>>>,
    pub looking: Vec<Arc<Item<'s>>>,
    stop: bool,
    /// There is something left to be done.
    exhausted: bool,
    pub report: Report,
    pub found: Found,
    pub pairs: Pairs,
    /// As the machine tells views apart, where they are counted.
    pub classes: FxHashSet<u128>,
    deadlock: bool,
}

pub(super) struct Search<'s> {
    pub subject: &'s Subject<'s>,
    plain: Config,
    shared: Mutex<Shared<'s>>,
    changed: Condvar,
}

/// What a worker uses again and again.
#[derive(Default)]
struct Tools {
    scratch: Scratch,
    cut: Cut,
    nodes: Vec<Node>,
}

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

/// Explores all views of a program.
pub fn explore(program: &Arc<Program>, config: &Config, options: &Options, progress: &Progress) -> Report {
    let mut options = options.clone();
    loop {
        let (mut report, found) = once(program, config, &options, progress);
        let subject = Plain::new(program, config, &options, progress);
        if findings::followed_up(&subject, found, &mut report, &options) {
            return report;
        }
        // Only which violation is reported is still open.
        (options.jobs, options.keep) = (1, None);
    }
}

fn once(program: &Arc<Program>, config: &Config, options: &Options, progress: &Progress) -> (Report, Found) {
    let kept = options.keep.as_ref().and_then(|keep| keep.kept());
    let kept_views = kept.as_ref().and_then(|kept| Some((kept, kept.view_tree.as_ref()?)));
    let names = kept_views.map(|(_, views)| keep::names(views)).unwrap_or_else(|| Some(Default::default()));
    let Some(names) = names else {
        return (Report { unfinished: vec![Unfinished::Lost], ..Report::default() }, Found::default());
    };
    let traced = Config { trace: true, ..config.clone() };
    let subject = Subject { program, config: traced, options, progress, names };
    let search = Search {
        subject: &subject,
        plain: config.clone(),
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
            let resumed = keep::resume(kept, views, &search, &plain);
            match resumed {
                Some(resumed) => *search.lock() = resumed,
                None => search.lost(&mut search.lock()),
            }
        }
        None => search.plant(&Seed { acts: Vec::new(), frontier: Vec::new() }, &mut Tools::default()),
    }
    std::thread::scope(|scope| {
        for _ in 1..options.jobs.max(1) {
            scope.spawn(|| search.work());
        }
        search.work();
    });
    let mut shared = search.lock();
    if let Some(keep) = &options.keep {
        match shared.exhausted {
            true => keep.keep(&search.checkpoint(&shared)),
            false => keep.complete(),
        }
    }
    let mut report = std::mem::take(&mut shared.report);
    report.classes = options.count_views.then_some(shared.classes.len() as u64);
    (report, std::mem::take(&mut shared.found))
}

impl<'s> Search<'s> {
    fn lock(&self) -> MutexGuard<'_, Shared<'s>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at executions until there are no more.
    fn work(&self) {
        let mut tools = Tools::default();
        let mut shared = self.lock();
        loop {
            if shared.stop || shared.waiting.is_empty() && shared.looking.is_empty() {
                self.changed.notify_all();
                return;
            }
            // The last one first: what it has in common with those before was asked not long ago.
            let Some(item) = shared.waiting.pop() else {
                shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            shared.looking.push(item.clone());
            drop(shared);
            let complete = self.look(&item, &mut tools);
            shared = self.lock();
            // What was not looked at completely is kept as something to be looked at.
            if complete {
                shared.looking.retain(|other| !Arc::ptr_eq(other, &item));
            }
            if let Some(keep) = self.subject.options.keep.as_ref().filter(|keep| keep.is_due()) {
                keep.keep(&self.checkpoint(&shared));
            }
            self.changed.notify_all();
        }
    }

    /// How far the search has come.
    fn checkpoint(&self, shared: &Shared<'s>) -> Checkpoint {
        let mut kept = keep::checkpoint(shared, &self.subject.names);
        kept.views = shared.classes.iter().map(|&view| halves(view)).collect();
        kept.views.sort_unstable();
        kept
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

    fn exhaust(&self, shared: &mut Shared<'s>, budget: Budget) {
        if !shared.exhausted {
            shared.report.unfinished.push(Unfinished::Budget(budget));
        }
        (shared.stop, shared.exhausted) = (true, true);
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

    fn budget(&self, shared: &Shared<'s>) -> Option<Budget> {
        let (options, progress) = (self.subject.options, self.subject.progress);
        progress.over().or_else(|| match options.max_executions {
            Some(most) if shared.report.executions >= most => Some(Budget::Executions),
            _ => progress.memory_full.load(Ordering::Relaxed).then_some(Budget::Memory),
        })
    }

    /// Executes a seed, unless an execution is known that begins like it.
    fn plant(&self, seed: &Seed, tools: &mut Tools) {
        let mut shared = self.lock();
        let digest = keep::digest(&seed.frontier);
        let known = shared.views.extends(&seed.frontier, &mut tools.nodes);
        if shared.stop || known || shared.failed.contains(&digest) {
            return;
        }
        if let Some(budget) = self.budget(&shared) {
            return self.exhaust(&mut shared, budget);
        }
        drop(shared);
        let run = execute(self.subject, &seed.acts);
        let goes_on = matches!(run.end, End::Over | End::Blocked) && run.recorder.unmapped.is_none();
        let failed = matches!(run.end, End::Failed);
        let (races, model) = (self.subject.options.races, self.subject.config.model);
        let run = match goes_on {
            true => Ok(Item::new(run, model, races, &mut tools.cut)),
            false => Err(run),
        };
        let mut shared = self.lock();
        if shared.stop || failed && !shared.failed.insert(digest) {
            return;
        }
        let noted = self.note(&mut shared, run.as_ref().map_or_else(|run| run, |item| &item.run));
        // Whoever follows a seed observes what the seed says: otherwise something was not recorded.
        if noted && !failed && !shared.views.extends(&seed.frontier, &mut tools.nodes) {
            self.lost(&mut shared);
        }
        if noted && let Ok(item) = run {
            self.wait(&mut shared, item);
        }
    }

    /// Puts an execution aside to be looked at, unless everything was asked before.
    pub(super) fn wait(&self, shared: &mut Shared<'s>, mut item: Item<'s>) {
        item.questions.retain(|question| shared.asked.insert(question.key));
        if item.predicts || !item.questions.is_empty() {
            shared.waiting.push(Arc::new(item));
            self.subject.progress.waiting.store(shared.waiting.len() as u64, Ordering::Relaxed);
            self.changed.notify_one();
        }
    }

    /// Notes what came of an execution; false if it cannot be used.
    fn note(&self, shared: &mut Shared<'s>, run: &Run<'s>) -> bool {
        let (options, progress) = (self.subject.options, self.subject.progress);
        shared.report.steps += run.steps;
        for (bug, picks) in &run.bugs {
            self.found(shared, bug, picks);
        }
        if let Some(what) = &run.recorder.unmapped {
            self.beyond(shared, what);
            return false;
        }
        if run.cut_short && options.count_views {
            self.beyond(shared, "counting views of a program that ends before its threads");
            return false;
        }
        let complete = match &run.end {
            End::Over => true,
            End::Blocked => false,
            End::Failed => {
                self.count(shared, run.view);
                return true;
            }
            End::Unsupported(outcome) => {
                self.unsupported(shared, outcome, &run.picks);
                return false;
            }
            End::Lost => {
                self.lost(shared);
                return false;
            }
            End::Interrupted => {
                self.exhaust(shared, progress.over().unwrap_or(Budget::Interrupted));
                return false;
            }
        };
        let histories =
            |notes: &Vec<Note>| notes.iter().filter(|note| !note.pending).map(|note| note.history).collect();
        let threads: Vec<Vec<u128>> = run.recorder.notes.iter().map(histories).collect();
        if !shared.views.add(&threads) {
            // Another worker has come to the same view meanwhile.
            shared.report.blocked += 1;
            shared.report.asleep += 1;
            return true;
        }
        match complete {
            true => self.count(shared, run.view),
            false => shared.report.blocked += 1,
        }
        progress.executions.store(shared.report.executions, Ordering::Relaxed);
        true
    }

    /// Counts an execution. Who waits for ever at one lock may have observed the same as who waits at another.
    fn count(&self, shared: &mut Shared<'s>, view: u128) {
        match shared.classes.insert(view) || !self.subject.options.count_views {
            true => shared.report.executions += 1,
            false => {
                shared.report.blocked += 1;
                shared.report.asleep += 1;
            }
        }
    }

    /// Looks what could have happened otherwise in an execution; false if that was broken off.
    fn look(&self, item: &Item<'s>, tools: &mut Tools) -> bool {
        let mut look = Look::new(item, self.subject.config.model);
        for question in &item.questions {
            if let Some(budget) = self.subject.progress.over() {
                self.exhaust(&mut self.lock(), budget);
            }
            let Some(mut chances) = look.chances(question, &mut tools.cut) else {
                self.beyond(&mut self.lock(), "accesses of so many sizes to the same memory");
                return false;
            };
            let shared = self.lock();
            if shared.stop {
                return false;
            }
            chances.retain(|(target, limits)| {
                !shared.views.extends(&look.frontier(limits, target), &mut tools.nodes)
            });
            drop(shared);
            for (target, limits) in &chances {
                for seed in look.seeds(target, limits, &mut tools.scratch) {
                    self.plant(&seed, tools);
                }
            }
        }
        self.predict(&mut look, tools);
        let mut shared = self.lock();
        shared.report.queries = Some(shared.report.queries.unwrap_or(0) + look.queries);
        if look.unknown {
            self.beyond(&mut shared, "a question about the order of so many events");
        }
        !shared.stop
    }

    /// Looks for races and deadlocks in other orders of the same events.
    fn predict(&self, look: &mut Look<'_, 's>, tools: &mut Tools) {
        let races = self.subject.options.races && look.may_race();
        if !races && !look.may_block() {
            return;
        }
        let Ok(prepared) = look.prepared() else {
            return self.beyond(&mut self.lock(), "locks that are given back by another thread");
        };
        let (recorder, stop) = (look.recorder(), look.stop());
        let mut prediction = Prediction::new(recorder, prepared, stop);
        if races {
            let known = |pair, events| {
                let mut shared = self.lock();
                shared.pairs.contains(&pair) || !shared.asked.insert(look.pair_key(events))
            };
            for meeting in prediction.races(&known, &mut tools.scratch) {
                self.race(&meeting);
            }
        }
        if look.may_block() {
            self.deadlocks(&mut prediction, &mut tools.scratch);
        }
        let (queries, unknown) = (prediction.queries, prediction.unknown);
        look.queries += queries;
        look.unknown |= unknown;
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
        let known = |frontier: &super::views::Frontier| self.lock().views.ends_like(frontier);
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
        if stuck && self.subject.options.count_views && shared.views.note_end(&run.ends()) {
            self.count(&mut shared, run.view);
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

    /// What was counted before.
    pub(super) fn counted(&self, kept: &Checkpoint, shared: &mut Shared<'s>) {
        shared.pairs = kept.pairs.iter().copied().collect();
        shared.classes = kept.views.iter().map(|&view| whole(view)).collect();
        shared.deadlock =
            shared.found.values().any(|found| matches!(found.bug, Bug::Ends(Outcome::Deadlock(_))));
    }
}
