//! The search of `viequi`: executions, what follows from them, and the workers that look for it.

use crate::kit::checkpoint::Keeper;
use crate::kit::driver::{self, Driver, Stack};
use crate::kit::findings::{self, Found};
use crate::recorded::keep::{Kept, Resumed};
use crate::recorded::ledger::{Ledger, meet, met_by_the_last};
use crate::recorded::predict::Prediction;
use crate::recorded::record::Names;
use crate::recorded::run::{End, Recording, Run, SeedStep, execute};
use crate::recorded::targets::Seed;
use crate::recorded::viequi::content::Cut;
use crate::recorded::viequi::look::{Item, Look};
use crate::recorded::views::{Node, Views};
use crate::report::{Bug, Report};
use crate::{Budget, Task};
use rustc_hash::FxHashSet;
use selvedge_machine::{Config, Outcome};
use selvedge_order::Scratch;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use xxhash_rust::xxh3::xxh3_128;

/// What all workers share.
#[derive(Default)]
pub(crate) struct Shared {
    pub views: Views,
    /// Questions that were asked, or are about to be.
    asked: FxHashSet<u128>,
    /// Where threads cannot all wait.
    refuted: FxHashSet<u128>,
    /// Seeds that end with a violation: no execution goes on from there.
    pub failed: FxHashSet<u128>,
    pub ledger: Ledger,
    /// As the machine tells views apart, where they are counted.
    pub classes: FxHashSet<u128>,
}

pub(crate) struct Search<'s> {
    pub subject: &'s Recording<'s>,
    shared: Mutex<Shared>,
}

/// What a worker uses again and again.
#[derive(Default)]
pub(crate) struct Tools {
    scratch: Scratch,
    cut: Cut,
    nodes: Vec<Node>,
}

/// Identifies a beginning.
fn digest(frontier: &[(u32, u32, u128)]) -> u128 {
    let bytes: Vec<u8> = frontier.iter().flat_map(|(_, _, history)| history.to_le_bytes()).collect();
    xxh3_128(&bytes)
}

/// Explores all views of a program.
pub fn explore(task: Task<'_>) -> Report {
    findings::settled(task, once)
}

fn once(task: Task<'_>) -> (Report, Found) {
    let Task { program, config, options, progress, .. } = task;
    let kept = options.keep.as_ref().and_then(Keeper::kept::<Kept>);
    let begins = kept.is_none();
    let names = kept.as_ref().map(|kept| Names::again(kept.names.clone())).unwrap_or_default();
    let traced = Config { trace: true, every_step: true, ..config.clone() };
    let subject = Recording { program, config: traced, options, progress, names };
    let search = Search { subject: &subject, shared: Mutex::default() };
    let driver = Driver::new(options);
    match kept.map(|kept| kept.resume(&subject)) {
        None => {}
        Some(Some(resumed)) => search.go_on(resumed, &driver.first()),
        Some(None) => search.lock().ledger.lost(),
    }
    search.lock().ledger.leave_open(&subject);
    if begins {
        let seed = Seed { acts: Vec::new(), frontier: Vec::new() };
        search.plant(&seed, &mut Tools::default(), &driver.first());
    }
    search.lock().ledger.end(&driver);
    driver.run(&search, Vec::new());
    let mut shared = search.lock();
    let mut report = std::mem::take(&mut shared.ledger.report);
    report.classes = options.count_views.then_some(shared.classes.len() as u64);
    (report, std::mem::take(&mut shared.ledger.found))
}

impl<'s> Search<'s> {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on with what was kept.
    fn go_on(&self, resumed: Resumed<'s>, stack: &Stack<'_, Item<'s>>) {
        let Resumed { ledger, views, beginnings, classes, waiting } = resumed;
        let mut shared = Shared { ledger, views, failed: beginnings, classes, ..Shared::default() };
        let (model, races) = (self.subject.config.model, self.subject.options.races);
        for run in waiting {
            self.wait(&mut shared, Item::new(run, model, races, &mut Cut::default()), stack);
        }
        *self.lock() = shared;
    }

    /// Executes a seed, unless an execution is known that begins like it.
    fn plant(&self, seed: &Seed, tools: &mut Tools, stack: &Stack<'_, Item<'s>>) {
        let mut shared = self.lock();
        let digest = digest(&seed.frontier);
        let known = shared.views.extends(&seed.frontier, &mut tools.nodes);
        if shared.ledger.stop || known || shared.failed.contains(&digest) {
            return;
        }
        if let Some(budget) = shared.ledger.budget(self.subject) {
            return shared.ledger.exhaust(budget);
        }
        drop(shared);
        let run = execute(self.subject, &seed.acts);
        let goes_on = matches!(run.end, End::Over | End::Blocked) && run.recorder.unmapped.is_none();
        let failed = matches!(run.end, End::Failed);
        if failed {
            self.races_of_the_last(&run, &mut tools.scratch);
        }
        let (races, model) = (self.subject.options.races, self.subject.config.model);
        let run = match goes_on {
            true => Ok(Item::new(run, model, races, &mut tools.cut)),
            false => Err(run),
        };
        let mut shared = self.lock();
        if shared.ledger.stop || failed && !shared.failed.insert(digest) {
            return;
        }
        if let Err(Run { end: End::Vain, steps, .. }) = &run {
            shared.ledger.report.steps += steps;
            shared.failed.insert(digest);
            return;
        }
        let noted = self.note(&mut shared, run.as_ref().map_or_else(|run| run, |item| &item.run));
        // An execution along a seed observes what the seed says: otherwise something was not recorded.
        if noted && !failed && !shared.views.extends(&seed.frontier, &mut tools.nodes) {
            shared.ledger.lost();
        }
        if noted && let Ok(item) = run {
            self.wait(&mut shared, item, stack);
        }
    }

    /// Looks for races of the exchange with which an execution failed.
    fn races_of_the_last(&self, run: &Run<'s>, scratch: &mut Scratch) {
        let known = |pair| self.lock().ledger.pairs.contains(&pair);
        match met_by_the_last(self.subject, run, &known, scratch) {
            Ok(all) => all.into_iter().for_each(|met| self.lock().ledger.met(self.subject, met)),
            Err(what) => self.lock().ledger.beyond(what),
        }
    }

    /// Puts an execution aside to be explored, unless everything was asked before.
    fn wait(&self, shared: &mut Shared, mut item: Item<'s>, stack: &Stack<'_, Item<'s>>) {
        item.questions.retain(|question| shared.asked.insert(question.key));
        if item.predicts || !item.questions.is_empty() {
            stack.push(item);
            self.subject.progress.waiting.store(stack.driver().open(), Ordering::Relaxed);
        }
    }

    /// Notes what came of an execution; false if it cannot be used.
    fn note(&self, shared: &mut Shared, run: &Run<'s>) -> bool {
        let (options, progress) = (self.subject.options, self.subject.progress);
        shared.ledger.report.steps += run.steps;
        for (bug, picks) in &run.bugs {
            shared.ledger.found(self.subject, bug, picks);
        }
        if let Some(what) = &run.recorder.unmapped {
            shared.ledger.beyond(what);
            return false;
        }
        if run.cut_short && options.count_views {
            shared.ledger.beyond("counting views of a program that ends before its threads");
            return false;
        }
        let complete = match &run.end {
            End::Over => true,
            End::Blocked | End::Vain => false,
            End::Failed => {
                self.count(shared, run.view);
                return true;
            }
            End::Unsupported(outcome) => {
                shared.ledger.unsupported(self.subject, outcome, &run.picks);
                return false;
            }
            End::Lost => {
                shared.ledger.lost();
                return false;
            }
            End::Interrupted => {
                shared.ledger.exhaust(progress.over().unwrap_or(Budget::Interrupted));
                return false;
            }
        };
        if !shared.views.add(&run.recorder.histories()) {
            // Another worker has come to the same view meanwhile.
            shared.ledger.report.blocked += 1;
            shared.ledger.report.asleep += 1;
            return true;
        }
        match complete {
            true => self.count(shared, run.view),
            false => shared.ledger.report.blocked += 1,
        }
        progress.executions.store(shared.ledger.report.executions, Ordering::Relaxed);
        true
    }

    /// Counts an execution. A thread that waits for ever at one lock may have observed the same as one that waits at
    /// another.
    fn count(&self, shared: &mut Shared, view: u128) {
        match shared.classes.insert(view) || !self.subject.options.count_views {
            true => shared.ledger.report.executions += 1,
            false => {
                shared.ledger.report.blocked += 1;
                shared.ledger.report.asleep += 1;
            }
        }
    }

    /// Looks what could have happened otherwise in an execution; false if that was broken off.
    fn look(&self, item: &Item<'s>, tools: &mut Tools, stack: &Stack<'_, Item<'s>>) -> bool {
        let over = || self.subject.progress.over().is_some();
        let mut look = Look::new(item, self.subject.config.model).until(&over);
        for question in &item.questions {
            if let Some(budget) = self.subject.progress.over() {
                self.lock().ledger.exhaust(budget);
                return false;
            }
            let Some(mut chances) = look.chances(question, &mut tools.cut) else {
                self.lock().ledger.beyond("accesses of so many sizes to the same memory");
                return false;
            };
            let shared = self.lock();
            if shared.ledger.stop {
                return false;
            }
            chances.retain(|(target, limits)| {
                !shared.views.extends(&look.frontier(limits, target), &mut tools.nodes)
            });
            drop(shared);
            for (target, limits) in &chances {
                if over() {
                    break;
                }
                for seed in look.seeds(target, limits, &mut tools.scratch) {
                    self.plant(&seed, tools, stack);
                }
            }
        }
        self.predict(&mut look, tools);
        let mut shared = self.lock();
        if let Some(budget) = self.subject.progress.over() {
            shared.ledger.exhaust(budget);
            return false;
        }
        shared.ledger.report.queries = Some(shared.ledger.report.queries.unwrap_or(0) + look.queries);
        if look.unknown {
            shared.ledger.beyond("a question about the order of so many events");
        }
        !shared.ledger.stop
    }

    /// Looks for races and deadlocks in other orders of the same events.
    fn predict(&self, look: &mut Look<'_, 's>, tools: &mut Tools) {
        let races = self.subject.options.races && look.may_race();
        if !races && !look.may_block() && look.recorder().frees.is_empty() {
            return;
        }
        let (recorder, stop, model) = (look.recorder(), look.stop(), self.subject.config.model);
        let over = || self.subject.progress.over().is_some();
        let prepared = || look.prepared().ok();
        let refuted = |key: u128| self.lock().refuted.contains(&key);
        let refute = |key| self.lock().refuted.extend([key]);
        let mut prediction = Prediction {
            over: &over,
            refuted: &refuted,
            refute: &refute,
            ..Prediction::new(recorder, &prepared, model, stop)
        };
        if races {
            let known = |pair, events| {
                let mut shared = self.lock();
                shared.ledger.pairs.contains(&pair) || !shared.asked.insert(look.pair_key(events))
            };
            for meeting in prediction.races(&known, &mut tools.scratch) {
                let met = meet(self.subject, &meeting);
                self.lock().ledger.met(self.subject, met);
            }
        }
        for acts in prediction.uses_after_free(&mut tools.scratch) {
            self.follow_deadlock(&acts);
        }
        if look.may_block() {
            self.deadlocks(&mut prediction, &mut tools.scratch);
        }
        let (queries, unknown) = (prediction.queries, prediction.unknown);
        if look.is_beyond_the_solver() {
            return self.lock().ledger.beyond("locks that are given back by another thread");
        }
        look.queries += queries;
        look.unknown |= unknown;
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
        let known = |frontier: &crate::recorded::views::Frontier| self.lock().views.ends_like(frontier);
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
        if stuck && self.subject.options.count_views && shared.views.note_end(&run.ends()) {
            self.count(&mut shared, run.view);
        }
        stuck
    }
}

impl<'s> driver::Search for Search<'s> {
    type Item = Item<'s>;
    type Worker = Tools;

    fn worker(&self) -> Option<Tools> {
        Some(Tools::default())
    }

    fn follow(&self, tools: &mut Tools, item: Item<'s>, stack: &Stack<'_, Item<'s>>) -> Option<Item<'s>> {
        let complete = self.look(&item, tools, stack);
        self.lock().ledger.end(stack.driver());
        // What was not explored completely is still to be explored.
        (!complete).then_some(item)
    }

    fn keep(&self, keeper: &Keeper, _: &mut [Tools], open: &[&Item<'s>]) {
        let shared = self.lock();
        let sets = (&shared.failed, &shared.classes);
        let waiting = open.iter().map(|item| &item.run);
        keeper.keep(&Kept::new(self.subject, &shared.ledger, &shared.views, sets, waiting));
    }
}
