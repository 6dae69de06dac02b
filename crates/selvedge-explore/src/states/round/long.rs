//! Steps that may never come back: a thread that goes on by itself for very long.
//!
//! Whatever else can happen is explored first, also what the persistent set of the state would leave out, so that a
//! race of other threads is found although one thread runs on for ever.

use crate::kit::driver::Stack;
use crate::kit::step::{self, Advanced};
use crate::states::persistent_sets::Act;
use crate::states::round::scarce::Remembered;
use crate::states::round::{Explorer, Ghost, Item, Open, lock};
use rustc_hash::FxHashSet;
use selvedge_machine::Machine;
use selvedge_trace::ThreadId;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is known of such steps.
#[derive(Default)]
pub struct Long {
    any: AtomicBool,
    /// States, by hash, from which such a step was begun in a chain. From now on they are stored.
    states: Mutex<FxHashSet<u128>>,
    /// States whose other acts have been explored.
    waiting: Mutex<Vec<Item>>,
    /// Those that are known from a checkpoint.
    remembered: Mutex<Vec<Remembered>>,
}

impl Long {
    pub(crate) fn note(&self, hash: u128) {
        lock(&self.states).insert(hash);
        self.any.store(true, Ordering::Release);
    }

    pub(crate) fn is_known(&self, machine: &mut Machine, ghost: &Ghost) -> bool {
        let mut hash = || machine.state_hash().wrapping_add(ghost.hash(machine));
        self.any.load(Ordering::Acquire) && lock(&self.states).contains(&hash())
    }

    /// One of those that wait until there are no others.
    pub(crate) fn next(&self) -> Option<Open> {
        let item = lock(&self.waiting).pop();
        item.map(Open::Ready).or_else(|| lock(&self.remembered).pop().map(Open::Remembered))
    }

    /// States from which such steps were begun.
    pub(crate) fn states(&self) -> FxHashSet<u128> {
        lock(&self.states).clone()
    }

    /// All states whose other acts have been explored.
    pub(crate) fn remembered(&self) -> Vec<Remembered> {
        let before = lock(&self.remembered).clone();
        before.into_iter().chain(lock(&self.waiting).iter().map(Remembered::of)).collect()
    }

    /// What was known before.
    pub(crate) fn resume(&mut self, states: FxHashSet<u128>, remembered: Vec<Remembered>) {
        *self.any.get_mut() = !states.is_empty();
        (self.states, self.remembered) = (Mutex::new(states), Mutex::new(remembered));
    }
}

/// How long a thread may run without anything visible.
#[derive(Clone, Copy, Default)]
pub struct Fuel {
    /// The next step may take as long as it takes.
    endless: bool,
    /// This one may.
    now: bool,
    used_up: bool,
}

impl Fuel {
    pub(crate) fn new(endless: bool) -> Self {
        Fuel { endless, now: false, used_up: false }
    }

    pub(crate) fn begin(&mut self) {
        self.now = std::mem::take(&mut self.endless);
    }

    pub(crate) fn is_used_up(self) -> bool {
        self.used_up
    }
}

impl Explorer<'_, '_> {
    /// Performs an act on the machine. Nothing if it does not come back soon.
    pub(crate) fn advance(&mut self, act: Act) -> Option<Advanced> {
        let unhurried = self.fuel.now || self.counterexample.is_some();
        let most = if unhurried { u64::MAX } else { self.round.options.tuning.first_fuel };
        let progress = self.round.progress;
        let thread: ThreadId = step::thread_of(act.pick);
        self.looked_back = step::looks_back(act.pick);
        let advanced = match act.left_out {
            false => step::advance_within(&mut self.machine, act.pick, progress, most),
            true => {
                let stepped = self.machine.step_overwritten(thread);
                step::go_on(&mut self.machine, stepped, act.pick, progress, most)
            }
        };
        self.fuel.used_up |= advanced.is_none();
        advanced
    }

    /// Puts a state by of which some acts did not come back soon, and explores everything else from there.
    pub(crate) fn leave(&mut self, mut item: Item, left: Vec<u16>, stack: &Stack<'_, Open>) {
        if left.is_empty() || self.round.is_stopped() {
            return;
        }
        let first = item.left.is_none() && item.earlier == 0 && !item.plan.full;
        if first {
            self.machine.restore(&item.snapshot);
            self.at = None;
            self.planner.look(&mut self.machine, &item.ghost.nodes, &item.ghost.elisions);
            let plan = self.planner.everything();
            self.full.push(item.id);
            stack.push(Open::Ready(Item {
                snapshot: self.machine.snapshot(),
                ghost: item.ghost.clone(),
                earlier: item.plan.acts.len() as u16,
                plan,
                id: item.id,
                depth: item.depth,
                prefix: item.prefix.clone(),
                share: 0.0,
                left: None,
            }));
        }
        item.left = Some(left);
        lock(&self.round.long.waiting).push(item);
    }
}
