//! One round of the reduced search: every state once, and of the steps from a state only those of its persistent set.
//!
//! States between two choices are not stored: a chain of steps without alternative counts as one. Workers share the set
//! of known states.

mod alone;
mod item;
mod keep;
mod long;
mod notes;
mod results;
mod scarce;
mod survey;

use crate::kit::checkpoint::Keeper;
use crate::kit::driver::{Driver, Search, Stack};
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
use item::{Ghost, Item, Open};
pub use keep::{Before, Kept};
use long::{Fuel, Long};
use rustc_hash::FxHashMap;
use scarce::{Remembered, Stations};
use selvedge_machine::{Config, Footprint, Machine};
use selvedge_program::Program;
use selvedge_trace::Reduction;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
    /// States that wait.
    driver: Driver<Open>,
    /// States that wait and take little room.
    remembered: Mutex<Vec<Remembered>>,
    /// Edges of all workers.
    edges: AtomicU64,
    /// Memory has become scarce.
    scarce: AtomicBool,
    /// Some state was expanded by halves, so what is kept would not be whole.
    torn: AtomicBool,
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
            driver: Driver::new(options),
            remembered: Mutex::default(),
            edges: AtomicU64::new(0),
            scarce: AtomicBool::new(false),
            torn: AtomicBool::new(false),
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
        self.gather(&mut explorer);
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
        for explorer in &mut self.driver.run(&self, Vec::new()) {
            self.gather(explorer);
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
            self.driver.first().push(Open::Ready(item));
        } else if !self.is_stopped() {
            // A worker that is told to stop does not go to the end of the prefix.
            self.lost.store(true, Ordering::Relaxed);
        }
        self.gather(&mut explorer);
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
        self.driver.is_stopped()
    }

    /// Whether the prefix of a known state did not lead to it again.
    pub fn has_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Whether something was learned that the round did not know.
    pub fn has_grown(&self) -> bool {
        self.grown.load(Ordering::Relaxed)
    }

    /// Takes over what a worker has found out.
    fn gather(&self, explorer: &mut Explorer<'_, 'a>) {
        let edges = std::mem::take(&mut explorer.edges);
        self.edges.fetch_add(edges.len() as u64 - std::mem::take(&mut explorer.told), Ordering::Relaxed);
        let mut gathered = lock(&self.gathered);
        gathered.learned.merge(std::mem::take(&mut explorer.learned));
        gathered.edges.append(edges);
        gathered.full.append(&mut explorer.full);
        gathered.puts_off.append(&mut explorer.puts_off);
        self.steps.fetch_add(std::mem::take(&mut explorer.steps), Ordering::Relaxed);
    }

    /// A budget is used up. If how far the round has come is to be kept, what workers are expanding is expanded first.
    fn exhaust(&self, budget: crate::Budget) {
        lock(&self.gathered).budget.get_or_insert(budget);
        match self.options.keep {
            Some(_) => self.driver.exhaust(),
            None => self.driver.stop(),
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
            self.driver.stop();
        }
        self.progress.states.store(states, Ordering::Relaxed);
        self.progress.waiting.store(self.driver.open(), Ordering::Relaxed);
    }
}

impl<'r, 'a> Search for &'r Round<'a> {
    type Item = Open;
    type Worker = Explorer<'r, 'a>;

    fn worker(&self) -> Option<Explorer<'r, 'a>> {
        Some(Explorer::new(self))
    }

    fn follow(&self, explorer: &mut Explorer<'r, 'a>, open: Open, stack: &Stack<'_, Open>) -> Option<Open> {
        let item = match open {
            Open::Ready(item) => item,
            Open::Remembered(remembered) => explorer.again(remembered)?,
        };
        let left = explorer.expand(&item, stack);
        explorer.leave(item, left, stack);
        if self.scarce.load(Ordering::Relaxed) {
            self.relieve(stack);
            explorer.put_away();
        }
        None
    }

    /// Those of which only the prefix is kept, and at last those whose steps may never come back.
    fn further(&self) -> Option<Open> {
        let remembered = lock(&self.remembered).pop();
        remembered.map(Open::Remembered).or_else(|| self.long.next())
    }

    fn keep(&self, keeper: &Keeper, workers: &mut [Explorer<'r, 'a>], open: &[&Open]) {
        workers.iter_mut().for_each(|explorer| self.gather(explorer));
        if !self.torn.load(Ordering::Relaxed) {
            self.keep_with(keeper, open);
        }
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
pub struct Explorer<'r, 'a> {
    round: &'r Round<'a>,
    machine: Machine,
    /// The last load has read another store than the last.
    looked_back: bool,
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
            looked_back: false,
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
        self.round.driver.first().push(Open::Ready(item));
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

    /// Looks at all that is planned for a state. Returns the numbers of what did not come back soon.
    fn expand(&mut self, item: &Item, stack: &Stack<'_, Open>) -> Vec<u16> {
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
            let prefix = Prefix::further(item.prefix.as_ref(), item.number(number));
            let snapshot = self.machine.snapshot();
            let item = Item { snapshot, ghost, plan, earlier: 0, id, depth, prefix, share, left: None };
            stack.push(Open::Ready(item));
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
                self.round.torn.store(true, Ordering::Relaxed);
                self.round.exhaust(budget.unwrap_or(crate::Budget::Interrupted));
            }
        }
        false
    }
}
