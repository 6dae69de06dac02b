//! Makes nodes, tracks and cells of a trace.

use crate::clock::Clocks;
use crate::event::{Action, EventId, Place};
use crate::prepare::{
    Cell, Count, Counter, CounterKind, Demand, Effect, Fact, Guard, Layout, MeaningGuard, NONE, Node,
    Prepared, Queue, lock_value,
};
use crate::query::Step;
use crate::trace::Trace;
use rustc_hash::FxHashMap;
use selvedge_trace::{Model, Value};

/// A node by its place on a track, before nodes have numbers.
type At = (usize, usize);

/// A cell and a value that it must hold; the thread's own last store to it, and what that stores.
type RawDemand = (u32, u32, Option<(At, u32)>);

#[derive(Default)]
struct Raw {
    event: Option<EventId>,
    commit: bool,
    demands: Vec<RawDemand>,
    writes: Vec<(u32, u32)>,
    count: Option<Count>,
    effect: Option<Effect>,
    /// Tracks and how much of each comes before.
    after: Vec<(usize, usize)>,
    takes: Option<u32>,
    gives: Option<u32>,
}

struct Builder<'a> {
    trace: &'a Trace,
    model: Model,
    layout: Layout,
    cells: Vec<Cell>,
    facts: usize,
    tracks: Vec<Vec<Raw>>,
    /// Tracks of commits, by thread and (under PSO) first cell.
    buffers: FxHashMap<(usize, u32), usize>,
}

/// What is known of a thread while its events are gone through.
#[derive(Default)]
struct Walk {
    /// The last store to a cell that can still wait: its commit and what it stores.
    own: FxHashMap<u32, (At, u32)>,
    /// Stores since the buffer was emptied.
    waiting: Vec<(At, Place)>,
    /// The thread's tracks of commits.
    buffers: Vec<usize>,
    /// What a store must wait for because of a barrier.
    barrier: Vec<(usize, usize)>,
}

pub(crate) fn build(trace: &Trace, model: Model) -> Prepared {
    let mut builder = Builder {
        trace,
        model,
        layout: Layout::default(),
        cells: Vec::new(),
        facts: 0,
        tracks: Vec::new(),
        buffers: FxHashMap::default(),
    };
    let counters = builder.name();
    builder.tracks.resize_with(trace.threads(), Vec::new);
    for thread in 0..trace.threads() {
        builder.thread(thread);
    }
    let ends = builder.starts_and_joins();
    builder.finish(counters, ends)
}

impl Builder<'_> {
    /// Gives numbers to cells, counters and queues.
    fn name(&mut self) -> Vec<Counter> {
        let actions = || self.trace.threads.iter().flatten();
        let places: Vec<Place> = actions()
            .flat_map(|action| action.sees().chain(action.writes()))
            .map(|(place, _)| place)
            .collect();
        let pieces = self.layout.cut(&places);
        let mut counters = Vec::new();
        let mut locks: Vec<u64> = Vec::new();
        for action in actions() {
            let kind = match action {
                Action::Post { semaphore }
                | Action::Take { semaphore }
                | Action::TryTake { semaphore, .. } => Some((CounterKind::Semaphore, *semaphore)),
                Action::LockShared { lock } | Action::TryLockShared { lock, .. } => {
                    locks.push(*lock);
                    Some((CounterKind::Readers, *lock))
                }
                Action::Arrive { barrier, .. } => Some((CounterKind::Barrier, *barrier)),
                _ => None,
            };
            if let Some(key) = kind {
                let initial = match key {
                    (CounterKind::Semaphore, at) => self.trace.semaphores.get(&at).copied().unwrap_or(0),
                    _ => 0,
                };
                self.layout.counters.entry(key).or_insert_with(|| {
                    counters.push(Counter { initial: initial as i32, nodes: Vec::new() });
                    counters.len() as u32 - 1
                });
            }
            let queue = match action {
                Action::Wait { queue, .. } | Action::Notify { queue, .. } => Some((false, *queue)),
                Action::Arrive { barrier, .. } => Some((true, *barrier)),
                _ => None,
            };
            if let Some(key) = queue {
                let number = self.layout.queues.len() as u32;
                self.layout.queues.entry(key).or_insert(number);
            }
            locks.extend(match action {
                Action::TryLock { lock, .. } => Some(*lock),
                other => other.acquires().or(other.releases()),
            });
        }
        for piece in pieces {
            let bytes: Value = self.trace.initial_bytes(piece).collect();
            self.cell(bytes, false);
        }
        locks.sort_unstable();
        locks.dedup();
        for lock in locks {
            let cell = self.cell(lock_value(false), true);
            self.fact(cell, lock_value(true));
            self.layout.locks.insert(lock, cell);
        }
        counters
    }

    fn cell(&mut self, initial: Value, is_lock: bool) -> u32 {
        let cell = self.cells.len() as u32;
        self.cells.push(Cell { initial: 0, writers: Vec::new(), locks: Vec::new(), is_lock });
        self.cells[cell as usize].initial = self.fact(cell, initial);
        cell
    }

    fn fact(&mut self, cell: u32, value: Value) -> u32 {
        let next = self.facts as u32;
        let fact = *self.layout.facts.entry((cell, value)).or_insert(next);
        self.facts = self.facts.max(fact as usize + 1);
        fact
    }

    fn thread(&mut self, thread: usize) {
        let mut walk = Walk::default();
        let trace = self.trace;
        for (index, action) in trace.threads[thread].iter().enumerate() {
            let event = EventId { thread: thread as u32, index: index as u32 };
            let meaning = self.layout.meaning(trace, action);
            let mut raw = Raw { event: Some(event), effect: meaning.effect, ..Raw::default() };
            raw.count = meaning.count.map(|(counter, guard, delta)| {
                let guard = match guard {
                    MeaningGuard::Plain(guard) => guard,
                    MeaningGuard::PositiveOrHeld(cell) => {
                        Guard::PositiveOr(self.fact(cell, lock_value(true)))
                    }
                };
                Count { counter, guard, delta }
            });
            raw.takes = action.acquires().map(|lock| self.layout.locks[&lock]);
            raw.gives = action.releases().map(|lock| self.layout.locks[&lock]);
            if action.drains() {
                raw.after.extend(self.counts(&walk.buffers));
                walk.own.clear();
                walk.waiting.clear();
                walk.barrier.clear();
            }
            if action.store_barrier() {
                walk.barrier = self.counts(&walk.buffers);
            }
            for (cell, value) in meaning.demands {
                let fact = self.fact(cell, value);
                raw.demands.push((cell, fact, walk.own.get(&cell).copied()));
            }
            let writes: Vec<(u32, u32)> =
                meaning.writes.into_iter().map(|(cell, value)| (cell, self.fact(cell, value))).collect();
            match action.buffered() {
                Some((at, _)) if self.model != Model::Sc => {
                    self.tracks[thread].push(raw);
                    self.store(thread, event, at, writes, &mut walk);
                }
                _ => {
                    raw.writes = writes;
                    self.tracks[thread].push(raw);
                }
            }
        }
    }

    fn counts(&self, tracks: &[usize]) -> Vec<(usize, usize)> {
        tracks.iter().map(|&track| (track, self.tracks[track].len())).collect()
    }

    /// Adds the commit of a buffered store.
    fn store(&mut self, thread: usize, event: EventId, at: Place, writes: Vec<(u32, u32)>, walk: &mut Walk) {
        let first = if self.model == Model::Pso { writes[0].0 } else { 0 };
        let tracks = &mut self.tracks;
        let track = *self.buffers.entry((thread, first)).or_insert_with(|| {
            tracks.push(Vec::new());
            walk.buffers.push(tracks.len() - 1);
            tracks.len() - 1
        });
        let commit: At = (track, self.tracks[track].len());
        let mut after = walk.barrier.clone();
        after.push((thread, event.index as usize + 1));
        // Two stores that overlap without beginning at the same place are on different tracks.
        let overlapping = walk.waiting.iter().filter(|(_, place)| place.overlaps(at));
        after.extend(overlapping.map(|((track, index), _)| (*track, index + 1)));
        for &(cell, fact) in &writes {
            walk.own.insert(cell, (commit, fact));
        }
        walk.waiting.push((commit, at));
        self.tracks[track].push(Raw { event: Some(event), commit: true, writes, after, ..Raw::default() });
    }

    /// Orders threads by their starts and ends. Returns how much of each track can happen.
    fn starts_and_joins(&mut self) -> Vec<usize> {
        let mut lengths: Vec<usize> = self.tracks.iter().map(Vec::len).collect();
        let mut after = Vec::new();
        for (thread, events) in self.trace.threads.iter().enumerate() {
            for (index, action) in events.iter().enumerate() {
                match action {
                    Action::Fork { thread: child } if !self.tracks[*child as usize].is_empty() => {
                        after.push(((*child as usize, 0), (thread, index + 1)));
                    }
                    Action::Join { thread: child } => match self.trace.threads[*child as usize].last() {
                        Some(Action::End) => {
                            let end = self.trace.threads[*child as usize].len();
                            after.push(((thread, index), (*child as usize, end)));
                        }
                        _ => lengths[thread] = lengths[thread].min(index),
                    },
                    _ => {}
                }
            }
        }
        for ((track, index), earlier) in after {
            self.tracks[track][index].after.push(earlier);
        }
        lengths
    }

    fn finish(self, mut counters: Vec<Counter>, lengths: Vec<usize>) -> Prepared {
        let mut base = vec![0_u32];
        for track in &self.tracks {
            base.push(base[base.len() - 1] + track.len() as u32);
        }
        let number = |(track, index): At| base[track] + index as u32;
        let mut cells = self.cells;
        let mut facts = vec![Fact::default(); self.facts];
        let mut queues = vec![Queue::default(); self.layout.queues.len()];
        let (mut demands, mut nodes) = (Vec::new(), Vec::new());
        let (mut writes, mut write_cells) = (Vec::new(), Vec::new());
        let hints = hints(self.trace);
        let mut fixed = Clocks::new(base[base.len() - 1] as usize, self.tracks.len());
        for (track, raws) in self.tracks.iter().enumerate() {
            let mut held: FxHashMap<u32, u32> = FxHashMap::default();
            for (index, raw) in raws.iter().enumerate() {
                let node = number((track, index));
                let event = raw.event.unwrap_or(EventId { thread: 0, index: 0 });
                let (first_demand, first_write) = (demands.len() as u32, writes.len() as u32);
                demands.extend(raw.demands.iter().map(|&(cell, fact, own)| match own {
                    Some((at, own_fact)) => Demand { cell, fact, own: number(at), own_fact },
                    None => Demand { cell, fact, own: NONE, own_fact: NONE },
                }));
                for &(cell, fact) in &raw.writes {
                    writes.push(fact);
                    write_cells.push(cell);
                    facts[fact as usize].writers.push(node);
                    cells[cell as usize].writers.push((node, fact));
                }
                if let Some(cell) = raw.gives
                    && let Some(lock) = held.remove(&cell)
                {
                    let lock: &mut Node = &mut nodes[lock as usize];
                    lock.release = node;
                }
                if let Some(cell) = raw.takes {
                    cells[cell as usize].locks.push(node);
                    held.insert(cell, node);
                }
                if let Some(count) = raw.count {
                    counters[count.counter as usize].nodes.push(node);
                }
                match raw.effect {
                    Some(Effect::Wait { queue }) => queues[queue as usize].waits.push(node),
                    Some(Effect::Notify { queue, .. }) => queues[queue as usize].notifies.push(node),
                    Some(Effect::Wake { .. } | Effect::None) | None => {}
                }
                for &(track, count) in &raw.after {
                    fixed.raise_one(node, track, count as u16);
                }
                fixed.raise_one(node, track, index as u16);
                nodes.push(Node {
                    track: track as u16,
                    index: index as u16,
                    hint: hints[&(event, raw.commit)],
                    event,
                    commit: raw.commit,
                    demands: first_demand..demands.len() as u32,
                    writes: first_write..writes.len() as u32,
                    count: raw.count,
                    effect: raw.effect.unwrap_or(Effect::None),
                    release: NONE,
                });
            }
        }
        let mut order: Vec<u32> = (0..nodes.len() as u32).collect();
        order.sort_by_key(|&node| (nodes[node as usize].hint, node));
        Prepared {
            trace: self.trace.clone(),
            model: self.model,
            threads: self.trace.threads(),
            recorded: fixed.clone(),
            lengths: lengths.into_iter().map(|length| length as u16).collect(),
            weights: Vec::new(),
            layout: self.layout,
            nodes,
            base,
            demands,
            writes,
            write_cells,
            facts,
            cells,
            counters,
            queues,
            order,
            fixed,
        }
    }
}

/// Where events and commits stand in the recorded order; a commit that was not told, right after its store.
fn hints(trace: &Trace) -> FxHashMap<(EventId, bool), u32> {
    let mut hints = FxHashMap::default();
    for (place, step) in (0_u32..).zip(&trace.order) {
        match *step {
            Step::Event(event) => {
                hints.insert((event, false), 2 * place);
                hints.entry((event, true)).or_insert(2 * place + 1);
            }
            Step::Commit(event) => drop(hints.insert((event, true), 2 * place)),
            Step::Notified { .. } | Step::Expired(_) => {}
        }
    }
    hints
}
