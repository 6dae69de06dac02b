//! A trace made ready for many queries: nodes on tracks, cells of memory, and what must come before what.
//!
//! A track is a sequence of nodes that happen in this order whatever else happens: the events of a thread, and where
//! there are store buffers the commits of a thread's stores (TSO) or of its stores to one place (PSO). How far every
//! track has come is a frontier.

use crate::clock::Clocks;
use crate::event::{Action, EventId, Place};
use crate::query::{Answer, Query, QueryError, Requirement, Step};
use crate::scratch::Scratch;
use crate::trace::{Trace, TraceError};
use rustc_hash::FxHashMap;
use selvedge_trace::{Model, Value};
use std::ops::Range;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;
/// Nodes on a track at most.
const LONGEST: usize = u16::MAX as usize - 1;

/// Something that has one place in an order.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub track: u16,
    pub index: u16,
    /// Where it stands in the recorded order.
    pub hint: u32,
    pub event: EventId,
    pub commit: bool,
    pub demands: Range<u32>,
    pub writes: Range<u32>,
    pub count: Option<Count>,
    pub effect: Effect,
    /// For a node that takes a lock: the one of the same thread that gives it back.
    pub release: u32,
}

/// A cell must hold a value, unless the thread has stored another one that waits in its buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    pub cell: u32,
    pub fact: u32,
    /// The commit of the thread's own last store to the cell, if that can still wait.
    pub own: u32,
    pub own_fact: u32,
}

impl Demand {
    /// The thread's own store can supply the value.
    pub fn forwards(&self) -> bool {
        self.own != NONE && self.own_fact == self.fact
    }
}

/// What a node needs of a counter and adds to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    pub counter: u32,
    pub guard: Guard,
    pub delta: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    Any,
    Positive,
    Zero,
    /// The counter is positive or the cell is held (holds the fact).
    PositiveOr(u32),
    /// As many have arrived, this one included, as are needed; or not yet.
    Arrives {
        needed: u32,
        last: bool,
    },
}

/// What a node has to do with waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    None,
    Wait { queue: u32 },
    Wake { queue: u32, expired: bool },
    Notify { queue: u32, most: u32, woken: Option<u32> },
}

/// A value of a cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fact {
    pub writers: Vec<u32>,
}

/// A piece of memory that is only ever accessed as a whole, or whether a lock is held.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub initial: u32,
    /// Nodes that write it, and what.
    pub writers: Vec<(u32, u32)>,
    /// For a lock: the nodes that take it.
    pub locks: Vec<u32>,
    pub is_lock: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Counter {
    pub initial: i32,
    pub nodes: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    pub waits: Vec<u32>,
    pub notifies: Vec<u32>,
}

/// A trace that queries can be asked about, by many threads at once.
#[derive(Debug)]
pub struct Prepared {
    pub(crate) trace: Trace,
    pub(crate) model: Model,
    pub(crate) nodes: Vec<Node>,
    /// Where each track's nodes begin, and after the last one where they end.
    pub(crate) base: Vec<u32>,
    pub(crate) threads: usize,
    pub(crate) demands: Vec<Demand>,
    /// What nodes write: values, and the cells that they are values of.
    pub(crate) writes: Vec<u32>,
    pub(crate) write_cells: Vec<u32>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) counters: Vec<Counter>,
    pub(crate) queues: Vec<Queue>,
    pub(crate) layout: Layout,
    /// Nodes in the recorded order.
    pub(crate) order: Vec<u32>,
    /// Order within threads, of starts and joins, and of stores and what empties the buffer.
    pub(crate) fixed: Clocks,
    /// The same with what follows from the values that were recorded.
    pub(crate) recorded: Clocks,
    /// How many nodes of each track can happen at all.
    pub(crate) lengths: Vec<u16>,
    /// For each thread's events, and one more at its end: reads before it, and what they add to the constraints.
    pub(crate) weights: Vec<(u32, u64)>,
}

impl Prepared {
    /// Prepares a trace for queries under a memory model.
    pub fn new(trace: &Trace, model: Model) -> Result<Self, TraceError> {
        Self::new_until(trace, model, &|| false)
    }

    /// As before, with less thought if `stop` says that there is no time: answers stay exact.
    pub fn new_until(trace: &Trace, model: Model, stop: &dyn Fn() -> bool) -> Result<Self, TraceError> {
        trace.check()?;
        let mut this = crate::build::build(trace, model);
        if let Some(track) = this.base.windows(2).position(|ends| (ends[1] - ends[0]) as usize > LONGEST) {
            let event = this.nodes[this.base[track] as usize].event;
            return Err(TraceError { event, problem: "the thread has more than 65,534 events" });
        }
        this.fixed = this.close_fixed();
        this.recorded = this.close_recorded(stop);
        this.weights = this.weights();
        Ok(this)
    }

    fn weights(&self) -> Vec<(u32, u64)> {
        let mut weights = Vec::new();
        for thread in 0..self.threads {
            let mut sum = (0, 0);
            weights.push(sum);
            for node in &self.nodes[self.base[thread] as usize..self.base[thread + 1] as usize] {
                let demands = &self.demands[node.demands.start as usize..node.demands.end as usize];
                let demands = demands.iter().filter(|demand| !self.cells[demand.cell as usize].is_lock);
                let mut is_read = 0;
                for demand in demands {
                    is_read = 1;
                    let cell = &self.cells[demand.cell as usize];
                    let right = self.facts[demand.fact as usize].writers.len() as u64;
                    let initial = u64::from(cell.initial == demand.fact);
                    sum.1 += (right + initial) * (cell.writers.len() as u64).saturating_sub(right);
                }
                sum.0 += is_read;
                weights.push(sum);
            }
        }
        weights
    }

    /// The trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The memory model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// Answers a query. The scratch space can be used for one query after another, on any trace.
    pub fn solve(&self, query: &Query, scratch: &mut Scratch) -> Result<Answer, QueryError> {
        crate::solve::solve(self, query, scratch, &|| false)
    }

    /// As [`Prepared::solve`]; gives up, with the answer `Unknown`, soon after `stop` says so.
    pub fn solve_until(
        &self,
        query: &Query,
        scratch: &mut Scratch,
        stop: &dyn Fn() -> bool,
    ) -> Result<Answer, QueryError> {
        crate::solve::solve(self, query, scratch, stop)
    }

    /// How many events of each thread are in the largest order that answers the query, at most: a bound that is found
    /// without searching.
    pub fn bounds(&self, query: &Query, scratch: &mut Scratch) -> Result<Vec<u32>, QueryError> {
        let required = Requirement::new(&self.trace, query)?;
        let view = &mut scratch.view;
        view.ask(self, &required);
        view.confine(self);
        Ok(view.limit[..self.threads].iter().map(|&limit| u32::from(limit)).collect())
    }

    /// Whether an event is known to come before another one in every order of recorded events that contains that one.
    pub fn precedes(&self, first: EventId, second: EventId) -> bool {
        self.recorded.has(self.event_node(second), &self.nodes[self.event_node(first) as usize])
    }

    /// An order that answers the query, with as much more as can simply be added to this one.
    pub fn extend(&self, query: &Query, steps: &[Step]) -> Result<Vec<Step>, QueryError> {
        crate::extend::extend(&self.trace, self.model, query, steps)
    }

    /// Words of a frontier.
    pub(crate) fn words(&self) -> usize {
        self.tracks().div_ceil(2) + self.cells.len() + self.threads.div_ceil(32)
    }

    pub(crate) fn tracks(&self) -> usize {
        self.base.len() - 1
    }

    pub(crate) fn node(&self, track: usize, index: u16) -> u32 {
        self.base[track] + u32::from(index)
    }

    /// The node of an event itself (not of its commit).
    pub(crate) fn event_node(&self, event: EventId) -> u32 {
        self.base[event.thread as usize] + event.index
    }

    /// Whether something needs a lock that is free.
    pub(crate) fn takes_free_lock(&self, demand: &Demand) -> bool {
        let cell = &self.cells[demand.cell as usize];
        cell.is_lock && cell.initial == demand.fact
    }

    /// The node before in the same track.
    pub(crate) fn previous(&self, node: u32) -> Option<u32> {
        (self.nodes[node as usize].index > 0).then(|| node - 1)
    }
}

/// How memory and locks are cut into cells, and which values cells can have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// Where cells begin and end.
    cuts: Vec<u64>,
    /// The cell from each cut to the next, if anything accesses it.
    cells: Vec<u32>,
    pub locks: FxHashMap<u64, u32>,
    pub counters: FxHashMap<(CounterKind, u64), u32>,
    pub queues: FxHashMap<(bool, u64), u32>,
    pub facts: FxHashMap<(u32, Value), u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CounterKind {
    Semaphore,
    Readers,
    Barrier,
}

impl Layout {
    /// Cuts what is accessed into pieces; returns them in order of their cells.
    pub fn cut(&mut self, places: &[Place]) -> Vec<Place> {
        self.cuts = places.iter().flat_map(|place| [place.address, place.end()]).collect();
        self.cuts.sort_unstable();
        self.cuts.dedup();
        self.cells = vec![NONE; self.cuts.len()];
        for &place in places {
            for cut in self.range(place) {
                self.cells[cut] = 0;
            }
        }
        let mut pieces = Vec::new();
        for cut in 0..self.cuts.len() {
            if self.cells[cut] != NONE {
                self.cells[cut] = pieces.len() as u32;
                let size = (self.cuts[cut + 1] - self.cuts[cut]) as u32;
                pieces.push(Place { address: self.cuts[cut], size });
            }
        }
        pieces
    }

    fn range(&self, place: Place) -> Range<usize> {
        let find = |address: u64| self.cuts.partition_point(|&cut| cut < address);
        find(place.address)..find(place.end())
    }

    /// The cells of a place, each with its part of the value.
    pub fn parts<'a>(&'a self, at: Place, value: &'a Value) -> impl Iterator<Item = (u32, Value)> + 'a {
        self.range(at).map(move |cut| {
            let bytes = (self.cuts[cut] - at.address) as usize..(self.cuts[cut + 1] - at.address) as usize;
            (self.cells[cut], Value::from_slice(&value[bytes]))
        })
    }
}

/// What a lock's cell holds.
pub(crate) fn lock_value(held: bool) -> Value {
    Value::from_slice(&[u8::from(held)])
}

/// What an action is, in cells, counters and queues: for nodes, and for events whose outcome a query changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meaning {
    /// Cells and the values that they must hold.
    pub demands: Vec<(u32, Value)>,
    pub writes: Vec<(u32, Value)>,
    pub count: Option<(u32, MeaningGuard, i32)>,
    pub effect: Option<Effect>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum MeaningGuard {
    Plain(Guard),
    PositiveOrHeld(u32),
}

impl Layout {
    pub fn meaning(&self, trace: &Trace, action: &Action) -> Meaning {
        let mut meaning = Meaning::default();
        for (at, value) in action.sees() {
            meaning.demands.extend(self.parts(at, value));
        }
        for (at, value) in action.writes() {
            meaning.writes.extend(self.parts(at, value));
        }
        let readers = |lock: &u64| self.counters.get(&(CounterKind::Readers, *lock)).copied();
        let semaphore = |at: &u64| self.counters[&(CounterKind::Semaphore, *at)];
        if let Some(lock) = action.acquires() {
            let cell = self.locks[&lock];
            meaning.demands.push((cell, lock_value(false)));
            meaning.writes.push((cell, lock_value(true)));
            meaning.count = readers(&lock).map(|counter| (counter, MeaningGuard::Plain(Guard::Zero), 0));
        }
        if let Some(lock) = action.releases() {
            meaning.writes.push((self.locks[&lock], lock_value(false)));
        }
        let plain = MeaningGuard::Plain;
        match action {
            Action::TryLock { lock, taken: false } => match readers(lock) {
                Some(counter) => {
                    meaning.count = Some((counter, MeaningGuard::PositiveOrHeld(self.locks[lock]), 0));
                }
                None => meaning.demands.push((self.locks[lock], lock_value(true))),
            },
            Action::LockShared { lock } | Action::TryLockShared { lock, taken: true } => {
                meaning.demands.push((self.locks[lock], lock_value(false)));
                meaning.count = readers(lock).map(|counter| (counter, plain(Guard::Any), 1));
            }
            Action::TryLockShared { lock, taken: false } => {
                meaning.demands.push((self.locks[lock], lock_value(true)));
            }
            Action::UnlockShared { lock } => {
                meaning.count = readers(lock).map(|counter| (counter, plain(Guard::Any), -1));
            }
            Action::Post { semaphore: at } => meaning.count = Some((semaphore(at), plain(Guard::Any), 1)),
            Action::Take { semaphore: at } | Action::TryTake { semaphore: at, taken: true } => {
                meaning.count = Some((semaphore(at), plain(Guard::Positive), -1));
            }
            Action::TryTake { semaphore: at, taken: false } => {
                meaning.count = Some((semaphore(at), plain(Guard::Zero), 0));
            }
            Action::Arrive { barrier, last } => {
                let needed = trace.barriers[barrier];
                let delta = if *last { 1 - needed as i32 } else { 1 };
                let guard = Guard::Arrives { needed, last: *last };
                meaning.count = Some((self.counters[&(CounterKind::Barrier, *barrier)], plain(guard), delta));
                let queue = self.queues[&(true, *barrier)];
                meaning.effect = Some(match last {
                    true => Effect::Notify { queue, most: u32::MAX, woken: None },
                    false => Effect::Wait { queue },
                });
            }
            Action::Leave { barrier } => {
                meaning.effect = Some(Effect::Wake { queue: self.queues[&(true, *barrier)], expired: false });
            }
            Action::Wait { queue, .. } => {
                meaning.effect = Some(Effect::Wait { queue: self.queues[&(false, *queue)] });
            }
            Action::Wake { queue, cause, .. } => {
                let expired = *cause == crate::Cause::Expired;
                meaning.effect = Some(Effect::Wake { queue: self.queues[&(false, *queue)], expired });
            }
            Action::Notify { queue, most, woken } => {
                let queue = self.queues[&(false, *queue)];
                meaning.effect = Some(Effect::Notify { queue, most: *most, woken: *woken });
            }
            _ => {}
        }
        meaning
    }
}
