//! The search of `mcr`: executions, their seeds, and the workers that look for them.

use crate::kit::checkpoint::Keeper;
use crate::kit::driver::{self, Driver, Stack};
use crate::kit::findings::{self, Found};
use crate::recorded::explored::{Explored, Frontier};
use crate::recorded::keep::{Kept, Resumed};
use crate::recorded::ledger::{Ledger, meet, met_by_the_last};
use crate::recorded::pins::{Pinning, Pins};
use crate::recorded::predict::Prediction;
use crate::recorded::record::Names;
use crate::recorded::run::{End, Recording, Run, SeedStep, execute};
use crate::recorded::seek::Seeker;
use crate::recorded::targets::{Seed, targets};
use crate::report::{Bug, Report};
use crate::{Budget, Task};
use rustc_hash::FxHashSet;
use selvedge_machine::{Config, Outcome};
use selvedge_order::{Prepared, Scratch};
use selvedge_program::dependence::Dependence;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How seeds are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeding {
    /// Every seed is followed once.
    Every,
    /// A seed with which an explored execution begins is not followed.
    Fresh,
}

/// What all workers share.
#[derive(Default)]
pub(crate) struct Shared {
    pub explored: Explored,
    pub ledger: Ledger,
    pub views: FxHashSet<u128>,
}

pub(crate) struct Search<'s> {
    pub subject: &'s Recording<'s>,
    manner: Seeding,
    dependence: Option<(Dependence<'s>, Pinning)>,
    shared: Mutex<Shared>,
}

/// MCR: follows every seed once.
pub fn mcr(task: Task<'_>) -> Report {
    explore(task, Seeding::Every, None)
}

/// MCR-S: of the reads only those stay in a question on which its answer depends.
pub fn mcr_s(task: Task<'_>) -> Report {
    explore(task, Seeding::Every, Some(Pinning::Needed))
}

/// MCR-S+: as before, and all reads before the one that changes.
pub fn mcr_s_plus(task: Task<'_>) -> Report {
    explore(task, Seeding::Every, Some(Pinning::Target))
}

/// SE-MCR: follows no seed that an explored execution contains.
pub fn se_mcr(task: Task<'_>) -> Report {
    explore(task, Seeding::Fresh, None)
}

fn explore(task: Task<'_>, manner: Seeding, pinning: Option<Pinning>) -> Report {
    findings::settled(task, |task| once(task, (manner, pinning)))
}

fn once(task: Task<'_>, (manner, pinning): (Seeding, Option<Pinning>)) -> (Report, Found) {
    let Task { program, config, options, progress, .. } = task;
    let kept = options.keep.as_ref().and_then(Keeper::kept::<Kept>);
    let begins = kept.is_none();
    let names = kept.as_ref().map(|kept| Names::again(kept.names.clone())).unwrap_or_default();
    let traced = Config { trace: true, every_step: true, ..config.clone() };
    let subject = Recording { program, config: traced, options, progress, names };
    let search = Search {
        subject: &subject,
        manner,
        dependence: pinning.map(|pinning| (program.dependence(), pinning)),
        shared: Mutex::default(),
    };
    let driver = Driver::new(options);
    match kept.map(|kept| kept.resume(&subject)) {
        None => {}
        Some(Some(resumed)) => search.go_on(resumed, &driver.first()),
        Some(None) => search.lock().ledger.lost(),
    }
    search.lock().ledger.leave_open(&subject);
    if begins {
        search.plant(&Seed { acts: Vec::new(), frontier: Vec::new() }, &mut Scratch::new(), &driver.first());
    }
    search.lock().ledger.end(&driver);
    for scratch in driver.run(&search, Vec::new()) {
        *search.lock().ledger.report.spent.get_or_insert_default() += scratch.spent();
    }
    let shared = search.shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut report = shared.ledger.report;
    report.classes = options.count_views.then_some(shared.views.len() as u64);
    (report, shared.ledger.found)
}

impl<'s> Search<'s> {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on with what was kept.
    fn go_on(&self, resumed: Resumed<'s>, stack: &Stack<'_, Run<'s>>) {
        let Resumed { ledger, views, beginnings, classes, waiting } = resumed;
        let mut explored = Explored::default();
        (explored.views, explored.seeds) = (views, beginnings);
        *self.lock() = Shared { explored, ledger, views: classes };
        waiting.into_iter().for_each(|run| stack.push(run));
    }

    /// Whether a seed need not be followed.
    fn is_known(&self, shared: &mut Shared, seed: &Seed) -> bool {
        self.manner == Seeding::Fresh && shared.explored.extends(&seed.frontier)
            || shared.explored.has_seed(&seed.frontier)
    }

    /// Executes a seed, unless it is known, and notes what comes of it.
    fn plant(&self, seed: &Seed, scratch: &mut Scratch, stack: &Stack<'_, Run<'s>>) {
        let mut shared = self.lock();
        if shared.ledger.stop || self.is_known(&mut shared, seed) {
            return;
        }
        if let Some(budget) = shared.ledger.budget(self.subject) {
            return shared.ledger.exhaust(budget);
        }
        drop(shared);
        let run = execute(self.subject, &seed.acts);
        if let End::Failed = run.end {
            self.races_of_the_last(&run, scratch);
        }
        let mut shared = self.lock();
        // Another worker may have followed it meanwhile, or all are to stop: then it is followed again later.
        let interrupted = matches!(run.end, End::Interrupted);
        if shared.ledger.stop || !interrupted && !shared.explored.add_seed(&seed.frontier) {
            return;
        }
        if let End::Vain = run.end {
            shared.ledger.report.steps += run.steps;
            return;
        }
        // An execution along a seed observes what the seed says: otherwise something was not recorded.
        let observed = seed.frontier.iter().all(|&(thread, count, history)| {
            let note = count.checked_sub(1).and_then(|last| {
                run.recorder.notes.get(thread as usize).and_then(|notes| notes.get(last as usize))
            });
            note.is_none_or(|note| !note.pending && note.observed().any(|observed| observed == history))
        });
        if matches!(run.end, End::Over | End::Blocked) && !observed {
            shared.ledger.lost();
        }
        self.note(&mut shared, run, stack);
    }

    /// Looks for races of the exchange with which an execution failed.
    fn races_of_the_last(&self, run: &Run<'s>, scratch: &mut Scratch) {
        let known = |pair| self.lock().ledger.pairs.contains(&pair);
        match met_by_the_last(self.subject, run, &known, scratch) {
            Ok(all) => all.into_iter().for_each(|met| self.lock().ledger.met(self.subject, met)),
            Err(what) => self.lock().ledger.beyond(what),
        }
    }

    /// Notes what came of an execution.
    fn note(&self, shared: &mut Shared, run: Run<'s>, stack: &Stack<'_, Run<'s>>) {
        let (options, progress) = (self.subject.options, self.subject.progress);
        shared.ledger.report.steps += run.steps;
        for (bug, picks) in &run.bugs {
            shared.ledger.found(self.subject, bug, picks);
        }
        if let Some(what) = &run.recorder.unmapped {
            return shared.ledger.beyond(what);
        }
        if run.cut_short && options.count_views {
            return shared.ledger.beyond("counting views of a program that ends before its threads");
        }
        let complete = match &run.end {
            End::Over => true,
            End::Failed => {
                shared.ledger.report.executions += 1;
                shared.views.insert(run.view);
                return;
            }
            End::Blocked | End::Vain => false,
            End::Unsupported(outcome) => return shared.ledger.unsupported(self.subject, outcome, &run.picks),
            End::Lost => return shared.ledger.lost(),
            End::Interrupted => {
                return shared.ledger.exhaust(progress.over().unwrap_or(Budget::Interrupted));
            }
        };
        let new = shared.explored.views.add(&run.recorder.histories());
        match complete {
            // Another worker has come to the same view meanwhile.
            true if !new && self.manner == Seeding::Fresh => {
                shared.ledger.report.blocked += 1;
                shared.ledger.report.asleep += 1;
            }
            true => {
                shared.ledger.report.executions += 1;
                shared.views.insert(run.view);
            }
            false => shared.ledger.report.blocked += 1,
        }
        progress.executions.store(shared.ledger.report.executions, Ordering::Relaxed);
        if new {
            stack.push(run);
            progress.waiting.store(stack.driver().open(), Ordering::Relaxed);
        }
    }

    /// Looks what could have happened otherwise in an execution.
    fn look(&self, run: &Run<'s>, scratch: &mut Scratch, stack: &Stack<'_, Run<'s>>) {
        let model = self.subject.config.model;
        let over = || self.subject.progress.over().is_some();
        let Ok(prepared) = Prepared::new_until(&run.recorder.trace, model, &over) else {
            let mut shared = self.lock();
            shared.ledger.beyond("locks that are given back by another thread");
            return;
        };
        let Some(targets) = targets(&run.recorder, &over) else {
            let mut shared = self.lock();
            match self.subject.progress.over() {
                Some(budget) => shared.ledger.exhaust(budget),
                None => shared.ledger.beyond("accesses of so many sizes to the same memory"),
            }
            return;
        };
        let recorder = &run.recorder;
        // Without it more reads are pinned than are needed.
        let pins =
            self.dependence.and_then(|(dependence, pinning)| Pins::new(recorder, dependence, pinning, &over));
        let mut seeker = Seeker { over: &over, pins, ..Seeker::new(recorder, &prepared, run.stop) };
        for target in &targets {
            if let Some(budget) = self.subject.progress.over() {
                return self.lock().ledger.exhaust(budget);
            }
            let Some(limits) = seeker.reach(target, scratch) else { continue };
            let whole = seeker.frontier(target, &limits);
            {
                let mut shared = self.lock();
                // Nothing is possible beyond this: what begins like it has everything that can be found here.
                let known = self.manner == Seeding::Fresh && shared.explored.extends(&whole);
                // The same question leads to the same seeds, whatever came after the target.
                let outcome = target.outcome(recorder.history(target.event));
                if known || !shared.explored.add_question(target.event.thread, outcome, &whole) {
                    continue;
                }
            }
            for seed in seeker.seeds_within(target, &limits, scratch) {
                self.plant(&seed, scratch, stack);
            }
            if self.lock().ledger.stop {
                return;
            }
        }
        let (prepared, refuted) =
            (|| Some(&prepared), |key: u128| self.lock().explored.refuted.contains(&key));
        let refute = |key| self.lock().explored.refuted.extend([key]);
        let mut prediction = Prediction {
            over: &over,
            refuted: &refuted,
            refute: &refute,
            ..Prediction::new(recorder, &prepared, model, run.stop)
        };
        if self.subject.options.races {
            let known = |pair, _| self.lock().ledger.pairs.contains(&pair);
            for meeting in prediction.races(&known, scratch) {
                let met = meet(self.subject, &meeting);
                self.lock().ledger.met(self.subject, met);
            }
        }
        for acts in prediction.uses_after_free(scratch) {
            self.follow_deadlock(&acts);
        }
        self.deadlocks(&mut prediction, scratch);
        let mut shared = self.lock();
        *shared.ledger.report.queries.get_or_insert_default() += seeker.queries + prediction.queries;
        if let Some(budget) = self.subject.progress.over() {
            return shared.ledger.exhaust(budget);
        }
        if seeker.unknown || prediction.unknown {
            match scratch.trouble() {
                Some(trouble) => shared.ledger.beyond(&trouble.to_string()),
                None => shared.ledger.beyond("a question about the order of so many events"),
            }
        }
    }

    /// Follows orders in which threads block each other. Where views are counted, each of them has a view.
    fn deadlocks(&self, prediction: &mut Prediction<'_, 's>, scratch: &mut Scratch) {
        let count_views = self.subject.options.count_views;
        if self.lock().ledger.deadlock && !count_views {
            return;
        }
        let Some(acts) = prediction.deadlock(scratch) else { return };
        if !count_views && self.follow_deadlock(&acts) {
            return;
        }
        // The others may have come to an end in which not every thread waits: an assumption that does not hold.
        let known = |frontier: &Frontier| self.lock().explored.views.ends_like(frontier);
        for acts in prediction.all_deadlocks(&known, scratch) {
            if self.follow_deadlock(&acts) && !count_views {
                return;
            }
        }
    }

    /// Whether no thread can go on at the end of these acts.
    fn follow_deadlock(&self, acts: &[SeedStep]) -> bool {
        let run = execute(self.subject, acts);
        let mut shared = self.lock();
        shared.ledger.report.steps += run.steps;
        for (bug, picks) in &run.bugs {
            shared.ledger.found(self.subject, bug, picks);
        }
        if let End::Lost = run.end {
            shared.ledger.lost();
        }
        let stuck = run.bugs.iter().any(|(bug, _)| matches!(bug, Bug::Ends(Outcome::Deadlock(_))));
        if stuck && self.subject.options.count_views && shared.explored.views.note_end(&run.ends()) {
            shared.ledger.report.executions += 1;
            shared.views.insert(run.view);
        }
        stuck
    }
}

impl<'s> driver::Search for Search<'s> {
    type Item = Run<'s>;
    type Worker = Scratch;

    fn worker(&self) -> Option<Scratch> {
        let Some(external) = &self.subject.options.solver else { return Some(Scratch::new()) };
        let solver = external.start();
        solver.map(Scratch::with_external).map_err(|error| self.lock().ledger.beyond(&error.to_string())).ok()
    }

    fn follow(&self, scratch: &mut Scratch, run: Run<'s>, stack: &Stack<'_, Run<'s>>) -> Option<Run<'s>> {
        self.look(&run, scratch, stack);
        // What may not have been explored completely is still to be explored.
        self.lock().ledger.end(stack.driver()).then_some(run)
    }

    fn keep(&self, keeper: &Keeper, _: &mut [Scratch], open: &[&Run<'s>]) {
        let shared = self.lock();
        let sets = (&shared.explored.seeds, &shared.views);
        keeper.keep(&Kept::new(
            self.subject,
            &shared.ledger,
            &shared.explored.views,
            sets,
            open.iter().copied(),
        ));
    }
}
