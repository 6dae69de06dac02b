//! One round of the reduced search: every state once, and of the steps from a state only those of its persistent set.
//!
//! States between two choices are not stored: a chain of steps without alternative counts as one. Workers share the set
//! of known states and steal states to be expanded from each other.

mod alone;
mod item;
mod keep;
mod long;
mod notes;
mod results;
mod scarce;
mod survey;

use crate::kit::step::{self, Advanced};
use crate::report::{Access, Bug};
use crate::states::counterexample::Counterexample;
use crate::states::edges::Edges;
use crate::states::graph::{Edge, Graph};
use crate::states::persistent_sets::{Act, Level, PersistentSet, PersistentSets};
use crate::states::prefix::Prefix;
use crate::states::store_elision;
use crate::states::summaries::{Summaries, SummaryTable};
use crate::states::visited::Visited;
use crate::{Options, Progress, Task};
use crossbeam_deque::{Injector, Steal, Stealer, Worker};
use item::{Ghost, Item};
use keep::Pause;
pub use keep::{Before, Kept};
use long::{Fuel, Long};
use rustc_hash::FxHashMap;
use scarce::{Remembered, Stations};
use selvedge_machine::{Config, Footprint, Machine};
use selvedge_program::Program;
use selvedge_trace::Reduction;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use survey::Surveyor;

/// What all workers of one round share.
pub struct Round<'a> {
    pub program: &'a Arc<Program>,
    pub config: &'a Config,
    pub options: &'a Options,
    pub progress: &'a Progress,
    /// The round ends at the first thing that is not supported.
    hands_over: bool,
    pub summaries: &'a Summaries,
    pub level: Level,
    /// What was known before it. A round that has learned something is ended after so many states as it has patience, to be
    /// begun anew.
    before: &'a Before,
    pub visited: Visited,
    /// Views of complete executions.
    pub views: Visited,
    injector: Injector<Item>,
    /// States that wait and take little room.
    remembered: Mutex<Vec<Remembered>>,
    /// Edges of all workers.
    edges: AtomicU64,
    /// Memory has become scarce.
    scarce: AtomicBool,
    /// States that wait or are being expanded.
    open: AtomicUsize,
    /// All workers are to stop.
    stop: AtomicBool,
    /// They are to stop before the next state, so that something can be kept.
    pause: Pause,
    /// States from which everything is still to be explored, and how they are reached.
    reopening: Mutex<Vec<(u32, Vec<u16>)>>,
    /// Something new was learned.
    grown: AtomicBool,
    /// The prefix of a known state did not lead to it again.
    lost: AtomicBool,
    /// Steps that may never come back.
    long: Long,
    pub executions: AtomicU64,
    pub blocked: AtomicU64,
    pub steps: AtomicU64,
    pub cut: AtomicBool,
    gathered: Mutex<Gathered>,
}

/// An act of a state, in which something was found: (state, number of the act); nothing before the first choice.
pub type Place = Option<(u32, u16)>;

/// What workers bring back.
#[derive(Default)]
pub struct Gathered {
    pub learned: SummaryTable,
    pub edges: Edges,
    /// States from which everything was explored.
    pub full: Vec<u32>,
    /// States from which a thread stores, and going on without storing is put off.
    pub puts_off: Vec<u32>,
    /// Violations by their identities: where each was found first.
    pub bugs: FxHashMap<String, Place>,
    /// Where something unsupported was met first.
    pub unsupported: Option<Place>,
    pub budget: Option<crate::Budget>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|broken| broken.into_inner())
}

impl<'a> Round<'a> {
    /// A round that has not begun.
    pub fn new(task: Task<'a>, summaries: &'a Summaries, level: Level, before: &'a Before) -> Self {
        let Task { program, config, options, progress, hands_over } = task;
        Round {
            program,
            config,
            options,
            progress,
            hands_over,
            summaries,
            level,
            before,
            visited: Visited::new(options.exact, options.hash_bits),
            views: Visited::new(false, 128),
            injector: Injector::new(),
            remembered: Mutex::default(),
            edges: AtomicU64::new(0),
            scarce: AtomicBool::new(false),
            open: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            pause: Pause::default(),
            reopening: Mutex::default(),
            grown: AtomicBool::new(false),
            lost: AtomicBool::new(false),
            long: Long::default(),
            executions: AtomicU64::new(0),
            blocked: AtomicU64::new(0),
            steps: AtomicU64::new(0),
            cut: AtomicBool::new(false),
            gathered: Mutex::default(),
        }
    }

    /// The first state waits.
    pub fn begin(&self) {
        let mut explorer = Explorer::new(self);
        explorer.begin();
        self.finish(explorer);
    }

    /// Explores from the states that wait.
    pub fn run(&self) {
        self.work();
        while !self.is_stopped() {
            let Some((id, path)) = lock(&self.reopening).pop() else { return };
            self.reopen(id, &path);
            self.work();
        }
    }

    /// Expands everything that waits.
    fn work(&self) {
        let mut workers: Vec<Worker<Item>> =
            (0..self.options.jobs.max(1)).map(|_| Worker::new_lifo()).collect();
        let stealers: &[Stealer<Item>] = &workers.iter().map(Worker::stealer).collect::<Vec<_>>();
        loop {
            std::thread::scope(|scope| {
                for worker in &mut workers {
                    scope.spawn(move || {
                        let mut explorer = Explorer::new(self);
                        explorer.work(worker, stealers);
                        self.finish(explorer);
                    });
                }
            });
            if !self.keep(&workers) {
                return;
            }
        }
    }

    /// From these states everything is explored, from the last one first.
    pub fn reopen_all(&self, states: Vec<(u32, Vec<u16>)>) {
        *lock(&self.reopening) = states;
        self.run();
    }

    /// From this state, to which these acts lead, everything has still to be explored.
    fn reopen(&self, id: u32, path: &[u16]) {
        let mut explorer = Explorer::new(self);
        // Opened or not, it is dealt with.
        lock(&self.gathered).full.push(id);
        let item = explorer.follow(path);
        if let Some(mut item) = item.filter(|item| explorer.visit(&item.ghost) == (id, false)) {
            item.id = id;
            item.share = 0.0;
            item.prefix = path.iter().fold(None, |prefix, &act| Prefix::further(prefix.as_ref(), act));
            item.earlier = item.plan.acts.len() as u16;
            item.plan = explorer.planner.everything();
            self.open.fetch_add(1, Ordering::Relaxed);
            self.injector.push(item);
        } else if !self.is_stopped() {
            // A worker that is told to stop does not go to the end of the prefix.
            self.lost.store(true, Ordering::Relaxed);
        }
        self.finish(explorer);
    }

    /// Goes to where something was found, and notes what is done on the path and there.
    pub fn retrace(&self, path: &[u16], place: Place) -> Counterexample {
        let mut explorer = Explorer::new(self);
        explorer.counterexample = Some(Counterexample::default());
        let item = explorer.follow(path);
        if let (Some(item), Some((_, number))) = (item, place)
            && let Some((plan, act)) = explorer.numbered(&item.plan, number)
        {
            let (mut ghost, mut depth) = (item.ghost.clone(), item.depth);
            explorer.go(&plan, act, &mut ghost, &mut depth);
        }
        explorer.counterexample.unwrap_or_default()
    }

    /// A worker that looks at what happens between states.
    pub fn surveyor(&self) -> Surveyor<'_, 'a> {
        Surveyor::new(self)
    }

    /// Whether stores that are overwritten may be left out. A search that is to see everything must not: leaving one
    /// out can be put off, and an execution that goes wrong before has no later.
    fn leaves_stores_out(&self) -> bool {
        matches!(self.level, Level::Safety | Level::Views)
            && self.options.reductions.has(Reduction::StoreElision)
            && !self.options.keep_going
    }

    /// What was found out so far.
    pub fn gathered(&self) -> MutexGuard<'_, Gathered> {
        lock(&self.gathered)
    }

    /// Whether the round was ended before its end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the prefix of a known state did not lead to it again.
    pub fn has_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Whether something was learned that the round did not know.
    pub fn has_grown(&self) -> bool {
        self.grown.load(Ordering::Relaxed)
    }

    fn finish(&self, explorer: Explorer<'_, 'a>) {
        self.edges.fetch_add(explorer.edges.len() as u64 - explorer.told, Ordering::Relaxed);
        let mut gathered = lock(&self.gathered);
        gathered.learned.merge(explorer.learned);
        gathered.edges.append(explorer.edges);
        gathered.full.extend(explorer.full);
        gathered.puts_off.extend(explorer.puts_off);
        self.steps.fetch_add(explorer.steps, Ordering::Relaxed);
    }

    /// A budget is used up. If how far the round has come is to be kept, what workers are expanding is expanded first.
    fn exhaust(&self, budget: crate::Budget) {
        lock(&self.gathered).budget.get_or_insert(budget);
        match self.options.keep {
            Some(_) => self.pause.want(),
            None => self.stop.store(true, Ordering::Relaxed),
        }
    }

    /// The graph of all states. `None`, and something is lost, if it cannot be read.
    pub fn graph(&self) -> Option<Graph> {
        let gathered = lock(&self.gathered);
        let edges = &gathered.edges;
        let spill = self.options.spill.as_deref();
        let graph =
            Graph::new(self.visited.len() as usize, edges.len(), |visit| edges.each(spill, visit)).ok();
        if graph.is_none() {
            self.lost.store(true, Ordering::Relaxed);
        }
        graph
    }

    fn check_budgets(&self, states: u64) {
        let options = self.options;
        if let Some(budget) = self.progress.over() {
            self.exhaust(budget);
        } else if self.progress.memory_full.load(Ordering::Relaxed) || self.is_short_of_memory(states) {
            self.exhaust(crate::Budget::Memory);
        } else if options.max_executions.is_some_and(|most| self.executions.load(Ordering::Relaxed) >= most) {
            self.exhaust(crate::Budget::Executions);
        } else if states >= self.before.patience && self.has_grown() {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.progress.states.store(states, Ordering::Relaxed);
        self.progress.waiting.store(self.open.load(Ordering::Relaxed) as u64, Ordering::Relaxed);
    }
}

/// Where an act led.
enum Led {
    /// To a state with more than one act, described by the plan.
    Choice(PersistentSet),
    /// To an end, or nowhere.
    End,
}

/// One worker.
struct Explorer<'r, 'a> {
    round: &'r Round<'a>,
    machine: Machine,
    planner: PersistentSets,
    learned: SummaryTable,
    edges: Edges,
    full: Vec<u32>,
    puts_off: Vec<u32>,
    /// Edges that the other workers have been told of.
    told: u64,
    /// How much of the whole search it has done since it last said so.
    done: f64,
    stations: Stations,
    footprint: Footprint,
    races: Vec<(Access, Access)>,
    steps: u64,
    /// The state that the machine is in, if it is a stored one.
    at: Option<u32>,
    /// The place that is being expanded.
    place: Place,
    /// Everything that is done from the start on, if it is to be noted.
    counterexample: Option<Counterexample>,
    /// How long a thread may run without anything visible.
    fuel: Fuel,
}

impl<'r, 'a> Explorer<'r, 'a> {
    fn new(round: &'r Round<'a>) -> Self {
        Explorer {
            round,
            machine: Machine::new(round.program.clone(), round.config.clone()),
            planner: PersistentSets::new(round.level, round.options),
            learned: SummaryTable::default(),
            edges: Edges::default(),
            full: Vec::new(),
            puts_off: Vec::new(),
            told: 0,
            done: 0.0,
            stations: Stations::default(),
            footprint: Footprint::default(),
            races: Vec::new(),
            steps: 0,
            at: None,
            place: None,
            counterexample: None,
            fuel: Fuel::default(),
        }
    }

    /// The first choice of the program becomes state 0.
    fn begin(&mut self) {
        let mut first = self.first();
        while self.fuel.is_used_up() {
            self.fuel = Fuel::default();
            // Now it is known where to stop.
            self.machine = Machine::new(self.round.program.clone(), self.round.config.clone());
            first = self.first();
        }
        let Some(item) = first else { return };
        self.visit(&item.ghost);
        self.note_plan(0, &item.plan);
        self.round.open.fetch_add(1, Ordering::Relaxed);
        self.round.injector.push(item);
    }

    /// Takes note of what a plan leaves away.
    fn note_plan(&mut self, state: u32, plan: &PersistentSet) {
        if plan.full {
            self.full.push(state);
        }
        if plan.puts_off {
            self.puts_off.push(state);
        }
    }

    /// The number of the state that the machine is in, and whether it is new.
    fn visit(&mut self, ghost: &Ghost) -> (u32, bool) {
        let hash = self.machine.state_hash().wrapping_add(ghost.hash(&self.machine));
        self.round.visited.insert(hash, |visit| {
            self.machine.inspect().state_parts(visit);
            ghost.parts(&self.machine, visit);
        })
    }

    /// Runs up to the first choice; `None` if there is none.
    fn first(&mut self) -> Option<Item> {
        let mut ghost =
            Ghost { visits: self.round.options.unroll.map(|_| Box::default()), ..Ghost::default() };
        // Memory counts generations in another way once it is hashed. A machine that follows a path has to come to the
        // same hashes as the one that found it.
        self.machine.state_hash();
        self.arrive(&mut ghost, None);
        let led = self.settle(&mut ghost, &mut 0);
        match led {
            Led::Choice(plan) => {
                let snapshot = self.machine.snapshot();
                let (prefix, left) = (None, None);
                Some(Item { snapshot, ghost, plan, earlier: 0, id: 0, depth: 0, prefix, share: 1.0, left })
            }
            Led::End => None,
        }
    }

    /// Goes from the start through the states of a path.
    fn follow(&mut self, path: &[u16]) -> Option<Item> {
        let item = self.first()?;
        self.follow_on(item, path)
    }

    /// Goes on through the states of a path from the one that the machine is in.
    fn follow_on(&mut self, mut item: Item, path: &[u16]) -> Option<Item> {
        for &number in path {
            let mut ghost = item.ghost.clone();
            let (plan, act) = self.numbered(&item.plan, number)?;
            match self.go(&plan, act, &mut ghost, &mut item.depth) {
                Led::Choice(plan) => {
                    // Otherwise the machine, and every snapshot, would remember all that changes on the path.
                    self.machine.state_hash();
                    item = Item {
                        snapshot: self.machine.snapshot(),
                        ghost,
                        plan,
                        earlier: 0,
                        id: 0,
                        depth: item.depth,
                        prefix: None,
                        share: 0.0,
                        left: None,
                    };
                }
                Led::End => return None,
            }
        }
        Some(item)
    }

    /// The act with a number in the state that the planner has looked at, and the plan that names it.
    fn numbered(&self, plan: &PersistentSet, number: u16) -> Option<(PersistentSet, Act)> {
        let number = usize::from(number);
        let plan = match number < plan.acts.len() {
            true => plan.clone(),
            false => PersistentSet {
                acts: plan.acts.iter().chain(&self.planner.everything().acts).copied().collect(),
                full: true,
                ..PersistentSet::default()
            },
        };
        plan.acts.get(number).map(|&act| (plan.clone(), act))
    }

    fn work(&mut self, local: &Worker<Item>, stealers: &[Stealer<Item>]) {
        let mut idle = 0_u32;
        while !self.round.is_stopped() && !self.round.pause.is_wanted() {
            match self.next(local, stealers) {
                Some(item) => {
                    idle = 0;
                    let left = self.expand(&item, local);
                    self.leave(item, left, local);
                    self.round.open.fetch_sub(1, Ordering::AcqRel);
                    self.round.pause_if_due();
                    if self.round.scarce.load(Ordering::Relaxed) {
                        self.round.relieve(stealers);
                        self.put_away();
                    }
                }
                None if self.round.open.load(Ordering::Acquire) == 0 => return,
                None => {
                    idle += 1;
                    match idle < 100 {
                        true => std::thread::yield_now(),
                        false => std::thread::sleep(std::time::Duration::from_micros(100)),
                    }
                }
            }
        }
    }

    fn next(&mut self, local: &Worker<Item>, stealers: &[Stealer<Item>]) -> Option<Item> {
        if let Some(item) = local.pop() {
            return Some(item);
        }
        let sources = std::iter::once(self.round.injector.steal()).chain(stealers.iter().map(Stealer::steal));
        let mut missed = false;
        for stolen in sources {
            match stolen {
                Steal::Success(item) => return Some(item),
                Steal::Retry => missed = true,
                Steal::Empty => {}
            }
        }
        if missed {
            None
        } else {
            self.recall().or_else(|| self.round.long.next()).or_else(|| self.recall_long())
        }
    }

    /// Looks at all that is planned for a state. Returns the numbers of what did not come back soon.
    fn expand(&mut self, item: &Item, local: &Worker<Item>) -> Vec<u16> {
        let share = item.share / item.plan.acts.len() as f64;
        let mut left = Vec::new();
        for (number, &act) in item.plan.acts.iter().enumerate() {
            if self.round.is_stopped() {
                return left;
            }
            if !item.has_left(number) {
                continue;
            }
            // The state that was stored last is the one that the machine is in.
            if self.at.take() != Some(item.id) {
                self.machine.restore(&item.snapshot);
            }
            self.place = Some((item.id, item.number(number)));
            let mut ghost = item.ghost.clone();
            let mut depth = item.depth;
            self.fuel = Fuel::new(item.left.is_some());
            let led = self.go(&item.plan, act, &mut ghost, &mut depth);
            if self.fuel.is_used_up() {
                left.push(number as u16);
                continue;
            }
            let Led::Choice(plan) = led else {
                self.done += share;
                continue;
            };
            let (id, new) = self.visit(&ghost);
            self.edges.push(Edge { from: item.id, to: id, act: item.number(number) });
            if !new {
                self.done += share;
                continue;
            }
            self.note_plan(id, &plan);
            if id & 0x3ff == 0 {
                let edges = self.edges.len() as u64;
                self.round.edges.fetch_add(edges - self.told, Ordering::Relaxed);
                self.told = edges;
                self.round.progress.add_done(&mut self.done);
                self.round.check_budgets(u64::from(id));
                self.round.progress.depth.fetch_max(u64::from(depth), Ordering::Relaxed);
            }
            self.round.open.fetch_add(1, Ordering::AcqRel);
            let prefix = Prefix::further(item.prefix.as_ref(), item.number(number));
            local.push(Item {
                snapshot: self.machine.snapshot(),
                ghost,
                plan,
                earlier: 0,
                id,
                depth,
                prefix,
                share,
                left: None,
            });
            self.at = Some(id);
        }
        left
    }

    /// Performs an act, and all that follows without alternative.
    fn go(&mut self, plan: &PersistentSet, act: Act, ghost: &mut Ghost, depth: &mut u32) -> Led {
        let thread = step::thread_of(act.pick).index();
        let awaits = self.round.options.reductions.has(Reduction::AwaitLoops);
        let looks = awaits && self.round.level == Level::Safety && self.machine.inspect().is_looking(thread);
        match looks {
            true => self.look_on(plan, act, ghost, depth),
            false if self.perform(plan, act, ghost, depth) => self.settle(ghost, depth),
            false => Led::End,
        }
    }

    /// As `go`, for a thread in an await loop. If it reads again and again and only counts its reads, that leads
    /// nowhere new until the count ends the loop: all that could happen in between can happen before its first read. If
    /// no count ever ends the loop, the thread has not moved.
    fn look_on(&mut self, plan: &PersistentSet, act: Act, ghost: &mut Ghost, depth: &mut u32) -> Led {
        let thread = step::thread_of(act.pick).index();
        let start = (self.machine.snapshot(), ghost.clone(), plan.clone());
        let (mut plan, mut act) = (plan.clone(), act);
        for _ in 0..self.round.options.tuning.longest_await {
            let before = self.machine.threads()[thread].clone();
            let known = ghost.clone();
            if !self.perform(&plan, act, ghost, depth) {
                return Led::End;
            }
            let Led::Choice(next) = self.settle(ghost, depth) else { return Led::End };
            let again = next.acts.iter().find(|next| next.pick == act.pick && !next.left_out).copied();
            let looked = ghost.keys == known.keys
                && ghost.elisions == known.elisions
                && self.machine.inspect().has_looked(thread, &before);
            match (looked, again) {
                (true, Some(again)) => (plan, act) = (next, again),
                _ => return Led::Choice(next),
            }
        }
        self.machine.restore(&start.0);
        *ghost = start.1;
        Led::Choice(start.2)
    }

    /// Goes on until there is a choice. The machine's state has been arrived at.
    fn settle(&mut self, ghost: &mut Ghost, depth: &mut u32) -> Led {
        // A chain that is a cycle comes to the state that it was in at the last power of two.
        let mut seen = None;
        let tuning = &self.round.options.tuning;
        let (short, longest) = (tuning.short_chain, tuning.longest_chain);
        let sample = (1_u128 << tuning.chain_sample_bits) - 1;
        for length in 0_u64.. {
            if let Some(counterexample) = &mut self.counterexample {
                counterexample.watch(&self.planner, &self.machine);
            }
            if self.planner.is_over() {
                self.end();
                return Led::End;
            }
            if self.round.long.is_known(&mut self.machine, ghost) {
                return Led::Choice(self.persistent_set(ghost));
            }
            if length >= short {
                let hash = self.machine.state_hash();
                // Chains that meet go on together from the next state that is stored, whichever came first.
                if seen == Some(hash) || hash & sample == 0 {
                    let plan = self.persistent_set(ghost);
                    return Led::Choice(plan);
                }
                if length.is_power_of_two() {
                    seen = Some(hash);
                }
            }
            let plan = self.persistent_set(ghost);
            if plan.acts.len() > 1 || length >= longest {
                return Led::Choice(plan);
            }
            if length & 0xf == 0xf {
                self.round.check_budgets(self.round.visited.len());
            }
            let Some(&act) = plan.acts.first() else { return Led::End };
            if self.round.is_stopped() && self.counterexample.is_none() {
                return Led::End;
            }
            let hash = self.machine.state_hash().wrapping_add(ghost.hash(&self.machine));
            if !self.perform(&plan, act, ghost, depth) {
                if self.fuel.is_used_up() {
                    self.round.long.note(hash);
                }
                return Led::End;
            }
        }
        Led::End
    }

    fn persistent_set(&mut self, ghost: &Ghost) -> PersistentSet {
        self.planner.persistent_set(&mut self.machine, self.round.summaries, self.round.level, ghost.watched)
    }

    /// Performs one act. False if the execution is over or to be left.
    fn perform(&mut self, plan: &PersistentSet, act: Act, ghost: &mut Ghost, depth: &mut u32) -> bool {
        let thread = step::thread_of(act.pick).index();
        self.steps += 1;
        *depth += 1;
        let covering = self.round.leaves_stores_out() && self.machine.inspect().is_sequential();
        let count = self.machine.threads().len();
        let mut explored: SmallVec<[usize; 8]> = SmallVec::new();
        let store = store_elision::store_of(&self.machine, thread);
        self.note_act(act, store);
        if act.left_out
            && let Some(store) = store
        {
            let others = plan.acts.iter().filter(|other| !other.left_out);
            let others = others.map(|other| step::thread_of(other.pick).index());
            let same = |&other: &usize| {
                other != thread
                    && ghost.elisions.of(other) == store_elision::Elision::Elidable
                    && store_elision::store_of(&self.machine, other).is_some_and(|other| other.meets(&store))
            };
            explored = others.filter(same).collect();
        }
        if plan.observers.contains(&thread) {
            ghost.watched = Some(thread);
        }
        self.machine.probe().footprint(act.pick, &mut self.footprint);
        self.fuel.begin();
        let Some(advanced) = self.advance(act) else { return false };
        self.note_looks();
        if covering {
            match act.left_out {
                true => ghost.elisions.left_out(thread, &explored),
                false => {
                    let effects = self.machine.inspect().effects();
                    ghost.elisions.performed(
                        &self.machine,
                        thread,
                        &self.footprint,
                        store.is_some(),
                        effects,
                    );
                }
            }
        }
        if covering && advanced == Advanced::Stopped {
            let new = count..self.machine.threads().len();
            ghost.elisions.arrived(&self.machine, new.chain([thread]));
        }
        self.note_failure(ghost, thread, advanced);
        if !self.goes_on(advanced) {
            return false;
        }
        let mut creator = (ghost.keys[thread], ghost.nodes[thread]);
        self.note_step(ghost, thread);
        if self.machine.threads().len() == count && !self.run_alone(ghost, thread, &mut creator) {
            return false;
        }
        // A thread that was just created is not known before it is arrived at.
        if self.machine.threads().len() == count && !self.run_on(ghost, thread, depth) {
            return false;
        }
        self.arrive(ghost, Some(creator));
        self.look_for_races();
        self.within_bounds(ghost, thread)
    }

    /// Deals with the end of an execution. False if there is one.
    fn goes_on(&mut self, advanced: Advanced) -> bool {
        match advanced {
            Advanced::Stopped => return true,
            Advanced::Ended => self.end(),
            // Whatever others could do meanwhile they can do before.
            Advanced::Endless(_) if !self.round.options.counts_endless() => {}
            Advanced::Endless(thread) => {
                let threads = vec![self.machine.threads()[thread.index()].name.clone()];
                self.found(&Bug::Livelock { threads, cycle: Default::default() });
            }
            Advanced::Interrupted => {
                let budget = self.round.progress.over();
                self.round.pause.tear();
                self.round.exhaust(budget.unwrap_or(crate::Budget::Interrupted));
            }
        }
        false
    }
}
