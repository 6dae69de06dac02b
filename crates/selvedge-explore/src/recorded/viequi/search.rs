//! The search of `viequi`: executions, what follows from them, and the workers that look for it.

use crate::Task;
use crate::kit::checkpoint::Keeper;
use crate::kit::driver::{self, Driver, Stack};
use crate::kit::findings::{self, Found};
use crate::recorded::keep::{Kept, Resumed};
use crate::recorded::record::Names;
use crate::recorded::run::{End, Recording, Run, execute};
use crate::recorded::shared::{Common, Known, Shared};
use crate::recorded::targets::Seed;
use crate::recorded::viequi::content::Cut;
use crate::recorded::viequi::look::{Item, Look};
use crate::recorded::views::Node;
use crate::report::Report;
use rustc_hash::FxHashSet;
use selvedge_machine::Config;
use selvedge_order::Scratch;
use std::sync::atomic::Ordering;
use xxhash_rust::xxh3::xxh3_128;

/// What all workers share beside what they have observed.
#[derive(Default)]
pub(crate) struct Own {
    /// Questions that were asked, or are about to be.
    asked: FxHashSet<u128>,
    /// Seeds that end with a violation: no execution goes on from there.
    failed: FxHashSet<u128>,
}

pub(crate) struct Search<'s>(Common<'s, Own>);

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
    // A thread that waits for ever at one lock may have observed the same as one that waits at another.
    let search = Search(Common::new(&subject, true));
    let driver = Driver::new(options);
    match kept.map(|kept| kept.resume(&subject)) {
        None => {}
        Some(Some(resumed)) => search.go_on(resumed, &driver.first()),
        Some(None) => search.0.lock().ledger.lost(),
    }
    search.0.lock().ledger.leave_open(&subject);
    if begins {
        let seed = Seed { acts: Vec::new(), frontier: Vec::new() };
        search.plant(&seed, &mut Tools::default(), &driver.first());
    }
    search.0.lock().ledger.end(&driver);
    driver.run(&search, Vec::new());
    search.0.into_report()
}

impl<'s> Search<'s> {
    /// Goes on with what was kept.
    fn go_on(&self, resumed: Resumed<'s>, stack: &Stack<'_, Item<'s>>) {
        let waiting = self.0.go_on(resumed, |failed| Own { failed, ..Own::default() });
        let (model, races) = (self.0.subject.config.model, self.0.subject.options.races);
        for run in waiting {
            self.wait(&mut self.0.lock(), Item::new(run, model, races, &mut Cut::default()), stack);
        }
    }

    /// Executes a seed, unless an execution is known that begins like it.
    fn plant(&self, seed: &Seed, tools: &mut Tools, stack: &Stack<'_, Item<'s>>) {
        let mut shared = self.0.lock();
        let digest = digest(&seed.frontier);
        let known = shared.views.extends(&seed.frontier, &mut tools.nodes);
        if shared.ledger.stop || known || shared.own.failed.contains(&digest) {
            return;
        }
        if let Some(budget) = shared.ledger.budget(self.0.subject) {
            return shared.ledger.exhaust(budget);
        }
        drop(shared);
        let run = execute(self.0.subject, &seed.acts);
        let goes_on = matches!(run.end, End::Over | End::Blocked) && run.recorder.unmapped.is_none();
        let failed = matches!(run.end, End::Failed);
        if failed {
            self.0.races_of_the_last(&run, &mut tools.scratch);
        }
        let (races, model) = (self.0.subject.options.races, self.0.subject.config.model);
        let run = match goes_on {
            true => Ok(Item::new(run, model, races, &mut tools.cut)),
            false => Err(run),
        };
        let mut shared = self.0.lock();
        if shared.ledger.stop || failed && !shared.own.failed.insert(digest) {
            return;
        }
        if let Err(Run { end: End::Vain, steps, .. }) = &run {
            shared.ledger.report.steps += steps;
            shared.own.failed.insert(digest);
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

    /// Puts an execution aside to be explored, unless everything was asked before.
    fn wait(&self, shared: &mut Shared<Own>, mut item: Item<'s>, stack: &Stack<'_, Item<'s>>) {
        item.questions.retain(|question| shared.own.asked.insert(question.key));
        if item.predicts || !item.questions.is_empty() {
            stack.push(item);
            self.0.subject.progress.waiting.store(stack.driver().open(), Ordering::Relaxed);
        }
    }

    /// Notes what came of an execution; false if it cannot be used.
    fn note(&self, shared: &mut Shared<Own>, run: &Run<'s>) -> bool {
        let Some(complete) = self.0.note_end(shared, run) else { return false };
        let failed = matches!(run.end, End::Failed);
        match complete {
            // Another worker has come to the same view meanwhile.
            _ if !failed && !shared.views.add(&run.recorder.histories()) => self.0.count_again(shared),
            true => self.0.count(shared, run.view),
            false => shared.ledger.report.blocked += 1,
        }
        true
    }

    /// Looks what could have happened otherwise in an execution; false if that was broken off.
    fn look(&self, item: &Item<'s>, tools: &mut Tools, stack: &Stack<'_, Item<'s>>) -> bool {
        let over = || self.0.subject.progress.over().is_some();
        let mut look = Look::new(item, self.0.subject.config.model).until(&over);
        for question in &item.questions {
            if let Some(budget) = self.0.subject.progress.over() {
                self.0.lock().ledger.exhaust(budget);
                return false;
            }
            let Some(mut chances) = look.chances(question, &mut tools.cut) else {
                self.0.lock().ledger.beyond("accesses of so many sizes to the same memory");
                return false;
            };
            let shared = self.0.lock();
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
        self.predict(&item.run, &mut look, tools);
        let mut shared = self.0.lock();
        if let Some(budget) = self.0.subject.progress.over() {
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
    fn predict(&self, run: &Run<'s>, look: &mut Look<'_, 's>, tools: &mut Tools) {
        let races = self.0.subject.options.races && look.may_race();
        if !races && !look.may_block() && run.recorder.frees.is_empty() {
            return;
        }
        let known = |pair, events| {
            let mut shared = self.0.lock();
            shared.ledger.pairs.contains(&pair) || !shared.own.asked.insert(look.pair_key(events))
        };
        let races: Option<Known<'_>> = if races { Some(&known) } else { None };
        let (prepared, wanted) = (|| look.prepared().ok(), (races, look.may_block()));
        let (queries, unknown) = self.0.look_for_violations(run, &prepared, wanted, &mut tools.scratch);
        if look.is_beyond_the_solver() {
            return self.0.lock().ledger.beyond("locks that are given back by another thread");
        }
        look.queries += queries;
        look.unknown |= unknown;
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
        self.0.lock().ledger.end(stack.driver());
        // What was not explored completely is still to be explored.
        (!complete).then_some(item)
    }

    fn keep(&self, keeper: &Keeper, _: &mut [Tools], open: &[&Item<'s>]) {
        let shared = self.0.lock();
        let waiting = open.iter().map(|item| &item.run);
        keeper.keep(&shared.kept(self.0.subject, &shared.own.failed, waiting));
    }
}
