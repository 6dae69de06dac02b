//! The search of `mcr`: executions, their seeds, and the workers that look for them.

use crate::Task;
use crate::kit::checkpoint::Keeper;
use crate::kit::driver::{self, Driver, Stack};
use crate::kit::findings::{self, Found};
use crate::recorded::explored::Explored;
use crate::recorded::keep::Kept;
use crate::recorded::pins::{Pinning, Pins};
use crate::recorded::record::Names;
use crate::recorded::run::{End, Recording, Run, execute};
use crate::recorded::seek::Seeker;
use crate::recorded::shared::{Common, Known, Shared};
use crate::recorded::targets::{Seed, targets};
use crate::report::Report;
use selvedge_machine::Config;
use selvedge_order::{Prepared, Scratch};
use selvedge_program::dependence::Dependence;
use std::sync::atomic::Ordering;

/// How seeds are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeding {
    /// Every seed is followed once.
    Every,
    /// A seed with which an explored execution begins is not followed.
    Fresh,
}

pub(crate) struct Search<'s> {
    common: Common<'s, Explored>,
    manner: Seeding,
    dependence: Option<(Dependence<'s>, Pinning)>,
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
    let dependence = pinning.map(|pinning| (program.dependence(), pinning));
    let search = Search { common: Common::new(&subject, false), manner, dependence };
    let driver = Driver::new(options);
    match kept.map(|kept| kept.resume(&subject)) {
        None => {}
        Some(Some(resumed)) => {
            let own = |seeds| Explored { seeds, ..Explored::default() };
            search.common.go_on(resumed, own).into_iter().for_each(|run| driver.first().push(run));
        }
        Some(None) => search.common.lock().ledger.lost(),
    }
    search.common.lock().ledger.leave_open(&subject);
    if begins {
        search.plant(&Seed { acts: Vec::new(), frontier: Vec::new() }, &mut Scratch::new(), &driver.first());
    }
    search.common.lock().ledger.end(&driver);
    for scratch in driver.run(&search, Vec::new()) {
        *search.common.lock().ledger.report.spent.get_or_insert_default() += scratch.spent();
    }
    search.common.into_report()
}

impl<'s> Search<'s> {
    /// Whether a seed need not be followed.
    fn is_known(&self, shared: &mut Shared<Explored>, seed: &Seed) -> bool {
        let Shared { views, own, .. } = shared;
        self.manner == Seeding::Fresh && own.extends(views, &seed.frontier) || own.has_seed(&seed.frontier)
    }

    /// Executes a seed, unless it is known, and notes what comes of it.
    fn plant(&self, seed: &Seed, scratch: &mut Scratch, stack: &Stack<'_, Run<'s>>) {
        let mut shared = self.common.lock();
        if shared.ledger.stop || self.is_known(&mut shared, seed) {
            return;
        }
        if let Some(budget) = shared.ledger.budget(self.common.subject) {
            return shared.ledger.exhaust(budget);
        }
        drop(shared);
        let run = execute(self.common.subject, &seed.acts);
        if let End::Failed = run.end {
            self.common.races_of_the_last(&run, scratch);
        }
        let mut shared = self.common.lock();
        // Another worker may have followed it meanwhile, or all are to stop: then it is followed again later.
        let interrupted = matches!(run.end, End::Interrupted);
        if shared.ledger.stop || !interrupted && !shared.own.add_seed(&seed.frontier) {
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

    /// Notes what came of an execution.
    fn note(&self, shared: &mut Shared<Explored>, run: Run<'s>, stack: &Stack<'_, Run<'s>>) {
        let Some(complete) = self.common.note_end(shared, &run) else { return };
        if let End::Failed = run.end {
            return self.common.count(shared, run.view);
        }
        let new = shared.views.add(&run.recorder.histories());
        match complete {
            // Another worker has come to the same view meanwhile.
            true if !new && self.manner == Seeding::Fresh => self.common.count_again(shared),
            true => self.common.count(shared, run.view),
            false => shared.ledger.report.blocked += 1,
        }
        if new {
            stack.push(run);
            self.common.subject.progress.waiting.store(stack.driver().open(), Ordering::Relaxed);
        }
    }

    /// Looks what could have happened otherwise in an execution.
    fn look(&self, run: &Run<'s>, scratch: &mut Scratch, stack: &Stack<'_, Run<'s>>) {
        let model = self.common.subject.config.model;
        let over = || self.common.subject.progress.over().is_some();
        let Ok(prepared) = Prepared::new_until(&run.recorder.trace, model, &over) else {
            let mut shared = self.common.lock();
            shared.ledger.beyond("locks that are given back by another thread");
            return;
        };
        let Some(targets) = targets(&run.recorder, &over) else {
            let mut shared = self.common.lock();
            match self.common.subject.progress.over() {
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
            if let Some(budget) = self.common.subject.progress.over() {
                return self.common.lock().ledger.exhaust(budget);
            }
            let Some(limits) = seeker.reach(target, scratch) else { continue };
            let whole = seeker.frontier(target, &limits);
            {
                let mut shared = self.common.lock();
                let Shared { views, own, .. } = &mut *shared;
                // Nothing is possible beyond this: what begins like it has everything that can be found here.
                let known = self.manner == Seeding::Fresh && own.extends(views, &whole);
                // The same question leads to the same seeds, whatever came after the target.
                let outcome = target.outcome(recorder.history(target.event));
                if known || !own.add_question(target.event.thread, outcome, &whole) {
                    continue;
                }
            }
            for seed in seeker.seeds_within(target, &limits, scratch) {
                self.plant(&seed, scratch, stack);
            }
            if self.common.lock().ledger.stop {
                return;
            }
        }
        let known = |pair, _| self.common.lock().ledger.pairs.contains(&pair);
        let races: Option<Known<'_>> = if self.common.subject.options.races { Some(&known) } else { None };
        let (queries, unknown) =
            self.common.look_for_violations(run, &|| Some(&prepared), (races, true), scratch);
        let mut shared = self.common.lock();
        *shared.ledger.report.queries.get_or_insert_default() += seeker.queries + queries;
        if let Some(budget) = self.common.subject.progress.over() {
            return shared.ledger.exhaust(budget);
        }
        if seeker.unknown || unknown {
            match scratch.trouble() {
                Some(trouble) => shared.ledger.beyond(&trouble.to_string()),
                None => shared.ledger.beyond("a question about the order of so many events"),
            }
        }
    }
}

impl<'s> driver::Search for Search<'s> {
    type Item = Run<'s>;
    type Worker = Scratch;

    fn worker(&self) -> Option<Scratch> {
        let Some(external) = &self.common.subject.options.solver else { return Some(Scratch::new()) };
        let solver = external.start();
        solver
            .map(Scratch::with_external)
            .map_err(|error| self.common.lock().ledger.beyond(&error.to_string()))
            .ok()
    }

    fn follow(&self, scratch: &mut Scratch, run: Run<'s>, stack: &Stack<'_, Run<'s>>) -> Option<Run<'s>> {
        self.look(&run, scratch, stack);
        // What may not have been explored completely is still to be explored.
        self.common.lock().ledger.end(stack.driver()).then_some(run)
    }

    fn keep(&self, keeper: &Keeper, _: &mut [Scratch], open: &[&Run<'s>]) {
        let shared = self.common.lock();
        keeper.keep(&shared.kept(self.common.subject, &shared.own.seeds, open.iter().copied()));
    }
}
