//! Exploration under the language's memory model: all execution graphs, each once (the strategy of GenMC).
//!
//! Which graphs are consistent, and how one leads to the next (revisits), is decided in `selvedge-relations`; here are the
//! program's threads as that exploration asks for them, with symmetry reduction and await loops, and what goes wrong in a
//! graph. Nothing here orders steps: a graph has no schedule until a violation is replayed.

mod keep;
mod threads;

use crate::graphs::keep::Kept;
use crate::kit::checkpoint::Keeper;
use crate::kit::driver::{self, Driver, Stack};
use crate::kit::step::{self, Ending};
use crate::report::{Bug, Finding, Report, Unfinished};
use crate::{Budget, Options, Progress, Strategy, Task};
use rustc_hash::FxHashSet;
use selvedge_machine::{Ahead, Config, Pick};
use selvedge_program::Program as Code;
use selvedge_relations::{
    End, Event, Graph, Kind, Next, Open, Program, Rules, States, explore as explore_graphs, explore_states,
    extend,
};
use selvedge_trace::{Model, Reduction, ThreadId};
use serde::de::DeserializeOwned;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use threads::{LeftOut, Names, Repeats, Threads, Trouble};

/// Explores the executions of a program under the language's memory model.
pub fn explore(task: Task<'_>) -> Report {
    let Task { program: code, config, options, progress, .. } = task;
    let mut report = Report::default();
    let by_states = options.strategy == Strategy::States;
    if by_states && options.count_views {
        let what = "views, with the strategy states under rc11";
        report.unfinished.push(Unfinished::Beyond(what.to_owned()));
        return report;
    }
    if by_states && options.unroll.is_some() {
        // How often a thread has come to a place is no part of a state.
        let what = "bounded unrolling, with the strategy states under rc11";
        report.unfinished.push(Unfinished::Beyond(what.to_owned()));
        return report;
    }
    if options.preemptions.is_some() {
        let what = "bounds on interruptions under rc11";
        report.unfinished.push(Unfinished::Beyond(what.to_owned()));
        return report;
    }
    let waited = Arc::default();
    let config = Config { views: config.views || options.count_views, waited, ..config.clone() };
    let before = progress.executions.load(Ordering::Relaxed);
    // Where graphs are counted each of them counts.
    let coarse = options.strategy == Strategy::Auto && config.model == Model::Rc11 && !options.count_views;
    let awaits = options.reductions.has(Reduction::AwaitLoops);
    let symmetry = options.reductions.has(Reduction::Symmetry);
    let mut left_out = LeftOut {
        looks: !by_states && awaits,
        repeats: coarse && awaits,
        exchanges: coarse && symmetry && !options.keep_going,
    };
    let whole = Whole { task: Task { config: &config, ..task }, rules: Rules::of(config.model) };
    let mut goes_on = options.keep.is_some();
    loop {
        let explored = match by_states {
            true => whole.by_states(left_out, goes_on),
            false => whole.by_graphs(left_out, goes_on),
        };
        left_out = match explored {
            Ok(report) => return crate::with_waits(code, report, &config, options),
            // What was left out may have mattered.
            Err((left_out, TooMuch::Looks)) => LeftOut { looks: false, ..left_out },
            Err((left_out, TooMuch::Exchanges)) => LeftOut { exchanges: false, ..left_out },
        };
        goes_on = false;
        progress.executions.store(before, Ordering::Relaxed);
    }
}

/// What was left out, and may matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TooMuch {
    /// Of await loops.
    Looks,
    /// Executions that differ by exchanging threads which are not symmetric after all.
    Exchanges,
}

/// What comes of a search, unless too much was left out.
type Explored = Result<Report, (LeftOut, TooMuch)>;

/// A search through all graphs.
struct Whole<'a> {
    task: Task<'a>,
    rules: Rules,
}

/// One of the threads that explore.
struct Worker<'a> {
    threads: Threads<'a>,
    search: Search<'a>,
}

impl<'a> Whole<'a> {
    /// What was kept, if the search goes on, or its beginning.
    fn kept<Rest: Default + DeserializeOwned>(&self, left_out: LeftOut, goes_on: bool) -> (Kept, Rest) {
        let Task { options, progress, .. } = self.task;
        let kept = options.keep.as_ref().filter(|_| goes_on).and_then(Keeper::kept);
        let begin = || (Kept { left_out, ..Kept::default() }, Rest::default());
        let (kept, rest): (Kept, Rest) = kept.unwrap_or_else(begin);
        progress.executions.fetch_add(kept.report.executions, Ordering::Relaxed);
        (kept, rest)
    }

    /// A worker that has not begun, or that goes on with what was kept.
    fn worker<'s>(&'s self, names: &'s Mutex<Names>, kept: Kept) -> Worker<'s> {
        let Task { program, config, options, progress, .. } = self.task;
        let mut threads = Threads::new(program, config, options.unroll, progress, names, kept.left_out);
        threads.know(&kept.repeats);
        let Kept { report, found, views, skipped, plainly_written, .. } = kept;
        let search =
            Search { report, found, views, skipped, plainly_written, ..Search::new(options, progress) };
        Worker { threads, search }
    }

    /// Each graph once.
    fn by_graphs(&self, left_out: LeftOut, goes_on: bool) -> Explored {
        let (kept, open): (_, Option<Vec<Open>>) = self.kept(left_out, goes_on);
        let (left_out, repeats) = (kept.left_out, kept.repeats.clone());
        let names = Mutex::new(kept.names.clone());
        let begun = if goes_on { vec![self.worker(&names, kept)] } else { Vec::new() };
        let graphs = Graphs { whole: self, left_out, repeats, names: &names };
        let driver = Driver::new(self.task.options);
        let open = open.unwrap_or_else(|| vec![Open::default()]);
        open.into_iter().for_each(|open| driver.first().push(open));
        let workers = driver.run(&graphs, begun);
        self.settle(Kept::new(left_out, Names::default(), &workers), &workers)
    }

    /// Of graphs that agree in what can follow one.
    fn by_states(&self, left_out: LeftOut, goes_on: bool) -> Explored {
        let options = self.task.options;
        let merges = options.reductions.has(Reduction::ValueMerging);
        let (kept, mut states): (_, States) = self.kept(left_out, goes_on);
        let (left_out, names) = (kept.left_out, Mutex::new(kept.names.clone()));
        let mut workers = [self.worker(&names, kept)];
        loop {
            let [Worker { threads, search }] = &mut workers;
            let mut paused = false;
            explore_states(threads, merges, &mut states, &mut |threads, ended| {
                let flow =
                    ended.map_or(ControlFlow::Continue(()), |(graph, end)| search.visit(threads, graph, end));
                paused = search.pauses(flow);
                if paused { ControlFlow::Break(()) } else { flow }
            });
            let exhausted = search.exhausted;
            if let Some(keep) = options.keep.as_ref().filter(|_| paused) {
                keep.keep(&(Kept::new(left_out, lock(&names).clone(), &workers).going_on(), &states));
            }
            if exhausted || !paused {
                break;
            }
        }
        let mut told = Kept::new(left_out, Names::default(), &workers);
        told.report.states = Some(states.matched.states);
        if states.matched.beyond {
            let what = "sequentially consistent accesses, loops that wait, and synchronisation other than mutexes, with the strategy states under rc11";
            told.report.unfinished.push(Unfinished::Beyond(what.to_owned()));
        }
        self.settle(told, &workers)
    }

    /// What has come of a search, unless too much was left out.
    fn settle(&self, told: Kept, workers: &[Worker<'_>]) -> Explored {
        let Kept { left_out, mut report, mut found, views, skipped, plainly_written, .. } = told;
        let options = self.task.options;
        let is_over = !options.keep_going && !found.is_empty();
        let told_apart = |worker: &Worker<'_>| worker.search.told_apart || worker.threads.has_told_apart();
        if !is_over && workers.iter().any(told_apart) {
            return Err((left_out, TooMuch::Exchanges));
        }
        if !is_over && threads::await_loops::looks::meet(&skipped, &plainly_written) {
            return Err((left_out, TooMuch::Looks));
        }
        report.classes = options.count_views.then_some(views.len() as u64);
        found.sort_by(|a, b| (a.switches, &a.identity).cmp(&(b.switches, &b.identity)));
        report.findings = found;
        Ok(report)
    }
}

/// Each graph once, as the driver asks for them.
struct Graphs<'s, 'a> {
    whole: &'s Whole<'a>,
    left_out: LeftOut,
    /// What threads are known to do after reads.
    repeats: Repeats,
    names: &'s Mutex<Names>,
}

impl<'s> driver::Search for Graphs<'s, '_> {
    type Item = Open;
    type Worker = Worker<'s>;

    fn worker(&self) -> Option<Worker<'s>> {
        let (left_out, repeats) = (self.left_out, self.repeats.clone());
        Some(self.whole.worker(self.names, Kept { left_out, repeats, ..Kept::default() }))
    }

    fn follow(&self, worker: &mut Worker<'s>, open: Open, stack: &Stack<'_, Open>) -> Option<Open> {
        let Worker { threads, search } = worker;
        // Others take what comes after it only when it has been looked at: it may be a violation, and so the one that is
        // reported, whatever the number of workers.
        let mut further = Vec::new();
        let extended = extend(threads, self.whole.rules, open, &mut |open| further.push(open));
        let driver = stack.driver();
        if let Some((graph, end)) = extended.filter(|_| !driver.is_stopped()) {
            match search.visit(threads, &graph, end) {
                ControlFlow::Break(()) if search.exhausted => driver.exhaust(),
                ControlFlow::Break(()) => driver.stop(),
                ControlFlow::Continue(()) => {}
            }
        }
        further.into_iter().for_each(|open| stack.push(open));
        None
    }

    fn keep(&self, keeper: &Keeper, workers: &mut [Worker<'s>], open: &[&Open]) {
        let kept = Kept::new(self.left_out, lock(self.names).clone(), workers).going_on();
        keeper.keep(&(kept, Some(open)));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Notes a violation, or a shorter counterexample for one that is known.
fn add_finding(found: &mut Vec<Finding>, finding: Finding) {
    match found.iter_mut().find(|known| known.identity == finding.identity) {
        Some(known) if known.switches <= finding.switches => {}
        Some(known) => *known = finding,
        None => found.push(finding),
    }
}

/// Whether an execution under a stronger model shows what was found under the language's: nothing where the search for
/// it does not come to an end, for which it may explore so many executions.
pub fn exists_under(
    code: &Arc<Code>,
    config: &Config,
    (model, finding): (Model, &Finding),
    options: &Options,
    progress: &Progress,
) -> Option<bool> {
    let rules = Rules::of_graphs(model)?;
    // Only the multi-copy-atomic model needs to know of dependencies.
    let own = if model.is_graph() { model } else { Model::Rc11 };
    let config = Config { model: own, ..config.clone() };
    let names = Mutex::default();
    let nothing = LeftOut { looks: false, repeats: false, exchanges: false };
    let mut threads = Threads::new(code, &config, options.unroll, progress, &names, nothing);
    let wanted = Some(finding.identity.as_str());
    let mut search = Search { wanted, ..Search::new(options, progress) };
    explore_graphs(&mut threads, rules, &mut |threads, graph, end| search.visit(threads, graph, end));
    match (search.found.is_empty(), search.report.unfinished.is_empty() && !search.report.cut && !threads.cut)
    {
        (false, _) => Some(true),
        (true, true) => Some(false),
        (true, false) => None,
    }
}

struct Search<'a> {
    options: &'a Options,
    progress: &'a Progress,
    report: Report,
    found: Vec<Finding>,
    /// Only this violation counts.
    wanted: Option<&'a str>,
    /// What the threads have read in executions that have come to an end, where that is counted.
    views: FxHashSet<u128>,
    /// Loads were left out that a plain store may race with.
    too_much: bool,
    /// Threads were told apart that had been taken for symmetric.
    told_apart: bool,
    /// The memory of those loads, and of plain stores, from before the search went on.
    skipped: FxHashSet<(u64, u64)>,
    plainly_written: FxHashSet<(u64, u64)>,
    /// A budget is used up, and nothing of what was begun is lost.
    exhausted: bool,
}

impl<'a> Search<'a> {
    fn new(options: &'a Options, progress: &'a Progress) -> Self {
        Search {
            options,
            progress,
            report: Report::default(),
            found: Vec::new(),
            wanted: None,
            views: FxHashSet::default(),
            too_much: false,
            told_apart: false,
            skipped: FxHashSet::default(),
            plainly_written: FxHashSet::default(),
            exhausted: false,
        }
    }

    /// Whether all workers are to pause after a graph, since how far they have come is to be kept.
    fn pauses(&self, flow: ControlFlow<()>) -> bool {
        let is_due = |keep: &Keeper| self.exhausted || flow.is_continue() && keep.is_due();
        self.options.keep.as_ref().is_some_and(is_due)
    }

    fn visit(&mut self, threads: &mut Threads<'_>, graph: &Graph, end: End) -> ControlFlow<()> {
        let stop = match end {
            End::Complete => self.complete(threads, graph),
            // A thread that ends the process does so whether others wait or not.
            End::Deadlock if !threads.leavers(graph).is_empty() => self.complete(threads, graph),
            End::Stuck if !threads.leavers(graph).is_empty() => self.left(threads, graph),
            End::Deadlock | End::Stuck if threads.waits_in_vain(graph) => {
                self.report.blocked += 1;
                false
            }
            End::Deadlock => {
                threads.machine.picks(&mut Vec::new());
                match threads.machine.outcome() {
                    Some(_) => self.ended(threads),
                    None => {
                        self.unfinished(Unfinished::Lost);
                        false
                    }
                }
            }
            End::Stuck => {
                self.report.blocked += 1;
                self.stuck(threads, graph)
            }
            End::Failed | End::Race(_) => match threads.trouble.take() {
                Some(trouble) => self.trouble(threads, trouble),
                None => self.ended(threads),
            },
        };
        self.too_much |= threads.leaves_out_too_much();
        self.told_apart |= threads.has_told_apart();
        match self.over() {
            _ if stop || self.too_much || self.told_apart => ControlFlow::Break(()),
            Some(budget) => {
                self.exhausted = true;
                self.unfinished(Unfinished::Budget(budget));
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    }

    fn over(&self) -> Option<Budget> {
        let looked_at = match self.wanted {
            Some(_) => self.report.executions + self.report.blocked,
            None => self.progress.executions.load(Ordering::Relaxed),
        };
        self.progress.used_up(self.options, looked_at)
    }

    /// All threads have done what they do; what is left is that one of them ends the process, whichever comes first.
    fn complete(&mut self, threads: &mut Threads<'_>, graph: &Graph) -> bool {
        let leavers = if threads.machine.outcome().is_none() { threads.leavers(graph) } else { Vec::new() };
        for &other in leavers.iter().skip(1) {
            let (before, picks) = (threads.machine.snapshot(), threads.picks.len());
            threads.advance(other, 0);
            let executions = self.report.executions;
            let stop = self.ended(threads);
            self.report.executions = executions;
            threads.machine.restore(&before);
            threads.picks.truncate(picks);
            if stop {
                return true;
            }
        }
        if let Some(&first) = leavers.first() {
            threads.advance(first, 0);
        }
        self.ended(threads)
    }

    /// The process ends while other threads stay on cycles, or stand where nothing new is to be seen.
    fn left(&mut self, threads: &mut Threads<'_>, graph: &Graph) -> bool {
        let counts = (0..graph.threads()).all(|thread| {
            threads.next(graph, thread) != Next::Stuck || threads.round(graph, thread).is_some()
        });
        let before = self.report.executions;
        let stop = self.complete(threads, graph);
        if !counts && self.report.executions > before {
            self.report.executions -= 1;
            self.report.blocked += 1;
        }
        stop
    }

    fn ended(&mut self, threads: &mut Threads<'_>) -> bool {
        if threads.machine.outcome().is_none() {
            self.unfinished(Unfinished::Lost);
            return false;
        }
        self.report.executions += 1;
        if self.options.count_views {
            self.views.insert(threads.machine.inspect().view());
        }
        self.progress.executions.fetch_add(1, Ordering::Relaxed);
        match step::ending(&mut threads.machine, self.options) {
            Ending::Complete => false,
            Ending::Blocked => {
                self.report.executions -= 1;
                self.report.blocked += 1;
                false
            }
            Ending::Bug(bug) => self.find(threads, bug),
            Ending::Unsupported(outcome) => {
                let choices = step::choices(&threads.machine, &threads.picks);
                self.unfinished(Unfinished::Unsupported { outcome, choices });
                // Whatever else there is, the answer is not known.
                !self.options.keep_going
            }
        }
    }

    fn unfinished(&mut self, reason: Unfinished) {
        self.report.leave_open(reason);
    }

    fn find(&mut self, threads: &Threads<'_>, bug: Bug) -> bool {
        let identity = match threads.machine.inspect_graph().raced() {
            // Whichever of the two comes second.
            Some([first, second]) => {
                let (first, second) = (first.position, second.position);
                format!("race {} {}", first.min(second), first.max(second))
            }
            None => bug.identity(&threads.machine),
        };
        if self.wanted.is_some_and(|wanted| wanted != identity) {
            // What would have come after it is not explored, nor which threads would have read that.
            self.report.cut = true;
            return false;
        }
        let finding = Finding {
            inputs: None,
            identity,
            bug,
            choices: step::choices(&threads.machine, &threads.picks),
            digest: threads.machine.inspect().digest(),
            switches: step::switches(&threads.picks),
        };
        add_finding(&mut self.found, finding);
        !self.options.keep_going || self.wanted.is_some()
    }

    fn trouble(&mut self, threads: &Threads<'_>, trouble: Trouble) -> bool {
        match trouble {
            Trouble::Length => {
                self.unfinished(Unfinished::Budget(Budget::Length));
                // There is no end to such executions.
                return true;
            }
            Trouble::Interrupted => {
                self.unfinished(Unfinished::Budget(self.progress.over().unwrap_or(Budget::Interrupted)));
                return true;
            }
            Trouble::Lost => self.unfinished(Unfinished::Lost),
            Trouble::Endless(thread) => {
                let bug = Bug::Livelock { threads: vec![thread], cycle: Default::default() };
                return self.find(threads, bug);
            }
        }
        false
    }

    /// Threads that only read what will not change stay on their cycles for ever.
    fn stuck(&mut self, threads: &mut Threads<'_>, graph: &Graph) -> bool {
        let stuck: Vec<u32> =
            (0..graph.threads()).filter(|&thread| threads.next(graph, thread) == Next::Stuck).collect();
        let silent = |threads: &mut Threads<'_>, thread: u32| {
            threads.index(thread).is_some_and(|index| threads.machine.probe().ahead(index) == Ahead::Silent)
        };
        if stuck.iter().any(|&thread| silent(threads, thread)) {
            // The thread stays on a cycle reading plain memory, or waits for something that is no event.
            self.unfinished(Unfinished::Cycles);
            return false;
        }
        let rounds: Vec<(u32, u32)> =
            stuck.iter().filter_map(|&thread| Some((thread, threads.round(graph, thread)?))).collect();
        if rounds.is_empty() || rounds.len() < stuck.len() {
            return false;
        }
        // A thread that read another value than the last can read that later: such graphs are explored too.
        let reads_last = |thread: u32, from: u32| {
            let events = graph.events(thread);
            // Whether something fails for no reason is decided before the read.
            let decided = |event: &Event| matches!(event.label.kind, Kind::Choice { .. });
            let before = from.checked_sub(1).filter(|&before| decided(&events[before as usize]));
            let is_of_object =
                |event: &Event| event.label.kind.is_read() && threads.is_object(event.label.location);
            let round = &events[before.unwrap_or(from) as usize..];
            round.iter().enumerate().all(|(at, event)| match event.label.kind {
                Kind::Read { .. } if is_of_object(event) => {
                    let last = graph.records(event.label.location).last();
                    last.is_some_and(|last| last.write == event.source)
                }
                // What could not be taken, though it was tried, will not be taken later.
                Kind::Choice { .. } if round.get(at + 1).is_some_and(|read| is_of_object(read)) => true,
                Kind::Read { .. } => {
                    let location = &graph.locations()[event.label.location as usize];
                    let last = location.records.last().and_then(|record| record.write);
                    last.map_or(location.initial, |last| graph.event(last).value) == event.value
                }
                Kind::Choice { .. } => event.value == 0,
                _ => true,
            })
        };
        if !rounds.iter().all(|&(thread, from)| reads_last(thread, from)) {
            return false;
        }
        let mut cycle: Vec<Pick> = Vec::new();
        let mut names = Vec::new();
        for &(thread, from) in &rounds {
            let Some(index) = threads.index(thread) else { return false };
            names.push(threads.machine.threads()[index].name.clone());
            // One round is what led from the one read to the next.
            let own = |pick: &&Pick| step::thread_of(**pick) == ThreadId(index as u16);
            let again = |pick: &Pick| match *pick {
                // It reads the last of all now, and fails to take what it failed to take.
                Pick::Step { thread, alternative } => Pick::Step { thread, alternative: alternative & 1 },
                commit => commit,
            };
            let steps = threads.picks_since(thread, from);
            cycle.extend(threads.picks[steps..].iter().filter(own).map(again));
        }
        let cycle = step::choices(&threads.machine, &cycle);
        self.find(threads, Bug::Livelock { threads: names, cycle })
    }
}
