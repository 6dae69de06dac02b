//! Search over frontiers: depth first, from the start, one node after the other.
//!
//! A node that can happen now and that hurts nothing by happening now happens at once, without trying anything else
//! (`is_harmless`). Of the others, each is tried; frontiers that led nowhere are remembered.

use crate::memo::Memo;
use crate::prepare::{Effect, Guard, NONE, Prepared};
use crate::view::View;

/// Steps after which a search looks whether it is to stop.
const LOOKS: u64 = 1_024;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Found,
    Exhausted,
    Limit,
}

/// How the search counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// Any order.
    Any,
    /// An order with at most this many nodes that need not be in every order.
    AtMost(u32),
}

#[derive(Clone, Copy, Debug)]
struct Choice {
    node: u32,
    /// Which threads it wakes: a part of `sets`.
    wakes: (u32, u32),
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    choices: usize,
    next: usize,
    sets: usize,
    done: usize,
}

/// A node that has happened, and how to undo it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Done {
    pub node: u32,
    olds: u32,
    /// Which threads it woke: a part of `woken`.
    pub woken: (u32, u32),
}

/// What a search works on; kept from one query to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Space {
    position: Vec<u16>,
    memory: Vec<u32>,
    notified: Vec<bool>,
    counters: Vec<i32>,
    /// For each value, nodes that must see it and have not happened.
    wanted: Vec<u32>,
    /// For each value, nodes that write it and have not happened.
    supply: Vec<u32>,
    /// For each cell, nodes that look at it and have not happened.
    open: Vec<u32>,
    /// Cells that a node must see held, by cell.
    watched: Vec<bool>,
    /// Counters at which giving back can hurt.
    tense: Vec<bool>,
    /// Queues whose notifications are counted.
    counted: Vec<bool>,
    left: u32,
    cost: u32,
    pub done: Vec<Done>,
    olds: Vec<u32>,
    pub woken: Vec<u32>,
    frames: Vec<Frame>,
    choices: Vec<Choice>,
    sets: Vec<u32>,
    memo: Memo,
    key: Vec<u32>,
    /// Steps of all searches.
    pub steps: u64,
    /// Nodes that were looked at in all searches.
    pub tried: u64,
}

pub(crate) struct Search<'a> {
    pub p: &'a Prepared,
    pub view: &'a View,
    pub space: &'a mut Space,
    pub aim: Aim,
    /// Whether to give up.
    pub stop: &'a dyn Fn() -> bool,
}

impl Search<'_> {
    /// Looks for an order; `limit` frontiers are remembered at most.
    pub fn run(&mut self, limit: usize) -> End {
        self.begin();
        self.go_on(limit)
    }

    /// After an order was found, looks for one with fewer nodes that need not be in every order. What led nowhere
    /// with more of them leads nowhere with fewer.
    pub fn improve(&mut self, at_most: u32, limit: usize) -> End {
        self.aim = Aim::AtMost(at_most);
        match self.retreat() {
            true => self.go_on(limit),
            false => End::Exhausted,
        }
    }

    /// How many frontiers were remembered.
    pub fn remembered(&self) -> usize {
        self.space.memo.len()
    }

    fn go_on(&mut self, limit: usize) -> End {
        loop {
            self.space.steps += 1;
            if self.space.steps.is_multiple_of(LOOKS) && (self.stop)() {
                return End::Limit;
            }
            if self.space.left == 0 {
                return End::Found;
            }
            let advanced = match self.collect() {
                Some(choice) => self.happen(choice),
                None => self.branch(),
            };
            if !advanced && !self.retreat() {
                return End::Exhausted;
            }
            if self.space.memo.len() > limit {
                return End::Limit;
            }
        }
    }

    fn begin(&mut self) {
        let (p, view, space) = (self.p, self.view, &mut *self.space);
        let reset = |counts: &mut Vec<u32>, length: usize| {
            counts.clear();
            counts.resize(length, 0);
        };
        let flags = |flags: &mut Vec<bool>, length: usize| {
            flags.clear();
            flags.resize(length, false);
        };
        space.position.clear();
        space.position.resize(p.tracks(), 0);
        space.memory.clear();
        space.memory.extend(p.cells.iter().map(|cell| cell.initial));
        space.counters.clear();
        space.counters.extend(p.counters.iter().map(|counter| counter.initial));
        reset(&mut space.wanted, view.facts(p));
        reset(&mut space.supply, view.facts(p));
        reset(&mut space.open, p.cells.len());
        flags(&mut space.notified, p.threads);
        flags(&mut space.watched, p.cells.len());
        flags(&mut space.tense, p.counters.len());
        flags(&mut space.counted, p.queues.len());
        (space.left, space.cost) = (0, 0);
        space.done.clear();
        space.olds.clear();
        space.woken.clear();
        space.frames.clear();
        space.choices.clear();
        space.sets.clear();
        for track in 0..p.tracks() {
            space.left += u32::from(view.must[track]);
            for index in 0..view.may[track] {
                let node = p.node(track, index);
                for demand in view.demands(p, node) {
                    let cell = &p.cells[demand.cell as usize];
                    space.open[demand.cell as usize] += 1;
                    space.watched[demand.cell as usize] |= cell.is_lock && cell.initial != demand.fact;
                    space.wanted[demand.fact as usize] +=
                        u32::from(index < view.must[track] && !demand.forwards());
                }
                view.each_write(p, node, |_, fact| space.supply[fact as usize] += 1);
                if let Some(count) = view.count(p, node) {
                    match count.guard {
                        Guard::Any | Guard::Positive => {}
                        Guard::Zero | Guard::Arrives { .. } => space.tense[count.counter as usize] = true,
                        Guard::PositiveOr(held) => {
                            space.tense[count.counter as usize] = true;
                            let cell = p.cells.iter().position(|cell| {
                                cell.is_lock && cell.writers.iter().any(|&(_, fact)| fact == held)
                            });
                            if let Some(cell) = cell {
                                space.watched[cell] = true;
                                space.open[cell] += 1;
                            }
                        }
                    }
                }
                if let Effect::Notify { queue, woken: Some(_), .. } = view.effect(p, node) {
                    space.counted[queue as usize] = true;
                }
            }
        }
        space.memo.clear(p.words());
    }

    /// Whether no further node can be afforded that need not be in every order.
    fn is_spent(&self) -> bool {
        match self.aim {
            Aim::Any => false,
            Aim::AtMost(most) => self.space.cost >= most,
        }
    }

    fn is_must(&self, node: u32) -> bool {
        self.view.is_must(self.p, node)
    }

    /// Whether the next node of a track can happen now.
    fn is_possible(&self, node: u32) -> bool {
        let (p, view, space) = (self.p, self.view, &*self.space);
        let before = view.clocks.row(node);
        if before.iter().zip(&space.position).any(|(count, position)| count > position) {
            return false;
        }
        let seen = view.demands(p, node).iter().all(|demand| {
            let own = match demand.own {
                NONE => None,
                own => {
                    let own = &p.nodes[own as usize];
                    (space.position[own.track as usize] <= own.index).then_some(demand.own_fact)
                }
            };
            own.unwrap_or(space.memory[demand.cell as usize]) == demand.fact
        });
        let counted = view.count(p, node).is_none_or(|count| {
            let value = space.counters[count.counter as usize];
            match count.guard {
                Guard::Any => true,
                Guard::Positive => value > 0,
                Guard::Zero => value == 0,
                Guard::PositiveOr(held) => value > 0 || space.memory.contains(&held),
                Guard::Arrives { needed, last } => (value + 1 == needed as i32) == last,
            }
        });
        let thread = p.nodes[node as usize].event.thread as usize;
        seen && counted
            && match view.effect(p, node) {
                Effect::Wake { expired, .. } => space.notified[thread] != expired,
                Effect::None | Effect::Wait { .. } | Effect::Notify { .. } => true,
            }
    }

    /// Whether a node that can happen now can as well happen now as later: moved to the front of any order that
    /// goes on from here, it leaves the rest of the order consistent.
    fn is_harmless(&self, node: u32) -> bool {
        let (p, view, space) = (self.p, self.view, &*self.space);
        let mut calm = true;
        view.each_write(p, node, |cell, fact| {
            let at = cell as usize;
            let gives_back = p.cells[at].is_lock && p.cells[at].initial == fact && !space.watched[at];
            let own = view.demands(p, node).iter().filter(|demand| demand.cell == cell).count() as u32;
            calm &= gives_back || space.open[at] == own;
        });
        let counts = view.count(p, node).is_none_or(|count| match count.guard {
            Guard::Any => {
                count.delta == 0 || !space.tense[count.counter as usize] || {
                    // A reader that leaves hurts only those that want to find one.
                    count.delta < 0 && !self.is_found_taken(count.counter)
                }
            }
            Guard::Zero | Guard::PositiveOr(_) => count.delta == 0,
            Guard::Positive | Guard::Arrives { .. } => false,
        });
        calm && counts
            && match view.effect(p, node) {
                Effect::None => true,
                Effect::Wait { queue } | Effect::Wake { queue, .. } => !space.counted[queue as usize],
                Effect::Notify { .. } => false,
            }
    }

    /// Whether a failed try waits for the counter to be positive.
    fn is_found_taken(&self, counter: u32) -> bool {
        self.p.counters[counter as usize].nodes.iter().any(|&node| {
            let count = self.view.count(self.p, node);
            count.is_some_and(|count| matches!(count.guard, Guard::PositiveOr(_)))
        })
    }

    /// Collects what can happen next; returns what can happen without trying anything else.
    fn collect(&mut self) -> Option<Choice> {
        let p = self.p;
        let (first, sets) = (self.space.choices.len(), self.space.sets.len());
        let mut harmless = None;
        for track in 0..p.tracks() {
            let index = self.space.position[track];
            if index >= self.view.may[track] {
                continue;
            }
            let node = p.node(track, index);
            let must = index < self.view.must[track];
            self.space.tried += 1;
            if !must && self.is_spent() || !self.is_possible(node) {
                continue;
            }
            if (must || self.aim == Aim::Any) && harmless.is_none() && self.is_harmless(node) {
                harmless = Some(Choice { node, wakes: (0, 0) });
                if must {
                    break;
                }
            }
            self.offer(node);
        }
        if harmless.is_some() {
            self.space.choices.truncate(first);
            self.space.sets.truncate(sets);
            return harmless;
        }
        let view = self.view;
        self.space.choices[first..]
            .sort_by_key(|choice| (!view.is_must(p, choice.node), p.nodes[choice.node as usize].hint));
        self.space.frames.push(Frame { choices: first, next: first, sets, done: self.space.done.len() });
        None
    }

    /// Adds a node to the choices, once for each set of threads that it can wake.
    fn offer(&mut self, node: u32) {
        let Effect::Notify { queue, most, woken } = self.view.effect(self.p, node) else {
            self.space.choices.push(Choice { node, wakes: (0, 0) });
            return;
        };
        // A thread that is woken for nothing is hurt by nothing: only where it is counted, a thread whose time will be
        // over can be woken as well.
        let mut waiting: Vec<(u32, bool)> = Vec::new();
        for thread in 0..self.p.threads {
            let index = self.space.position[thread];
            let Some(last) = index.checked_sub(1).filter(|_| !self.space.notified[thread]) else { continue };
            let waits = self.view.effect(self.p, self.p.node(thread, last)) == Effect::Wait { queue };
            let next = self.p.node(thread, index);
            let expired = next < self.p.base[thread + 1]
                && matches!(self.view.effect(self.p, next), Effect::Wake { expired: true, .. });
            if waits && (!expired || woken.is_some()) {
                waiting.push((thread as u32, expired));
            }
        }
        let mut chosen = Vec::new();
        self.subsets(node, &waiting, most, woken, &mut chosen, false);
    }

    fn subsets(
        &mut self,
        node: u32,
        waiting: &[(u32, bool)],
        most: u32,
        woken: Option<u32>,
        chosen: &mut Vec<u32>,
        left_out: bool,
    ) {
        let count = chosen.len() as u32;
        if count > most || left_out && count + (waiting.len() as u32) < most {
            return;
        }
        let Some((&(thread, expired), rest)) = waiting.split_first() else {
            if (count == most || !left_out) && woken.is_none_or(|woken| woken == count) {
                let start = self.space.sets.len() as u32;
                self.space.sets.extend_from_slice(chosen);
                self.space.choices.push(Choice { node, wakes: (start, start + count) });
            }
            return;
        };
        chosen.push(thread);
        self.subsets(node, rest, most, woken, chosen, left_out);
        chosen.pop();
        self.subsets(node, rest, most, woken, chosen, left_out || !expired);
    }

    /// Begins to try the choices that were collected last, unless they are known to lead nowhere.
    fn branch(&mut self) -> bool {
        let Some(frame) = self.space.frames.last().copied() else { return false };
        if frame.choices == self.space.choices.len() {
            self.pop();
            return false;
        }
        self.key();
        if self.space.memo.contains(&self.space.key) {
            self.pop();
            return false;
        }
        self.next_choice()
    }

    fn pop(&mut self) {
        if let Some(frame) = self.space.frames.pop() {
            self.space.choices.truncate(frame.choices);
            self.space.sets.truncate(frame.sets);
        }
    }

    /// Goes on with the next choice of the last frame; false if there is none left.
    fn next_choice(&mut self) -> bool {
        loop {
            let space = &mut *self.space;
            let Some(frame) = space.frames.last_mut() else { return false };
            let Some(choice) = space.choices.get(frame.next).copied() else { return false };
            frame.next += 1;
            let done = frame.done;
            // What could be afforded when the choices were collected may be too much by now.
            let exceeded = match self.aim {
                Aim::Any => false,
                Aim::AtMost(most) => {
                    let more = u32::from(!self.view.is_must(self.p, choice.node));
                    self.space.cost + more > most
                }
            };
            if exceeded {
                continue;
            }
            if self.happen(choice) {
                return true;
            }
            self.undo(done);
        }
    }

    /// Goes back to the last frame that has something left to try.
    fn retreat(&mut self) -> bool {
        while let Some(frame) = self.space.frames.last().copied() {
            self.undo(frame.done);
            if self.next_choice() {
                return true;
            }
            self.key();
            self.space.memo.insert(&self.space.key);
            self.pop();
        }
        false
    }

    /// A node happens. False if something that must be seen can then never be seen.
    fn happen(&mut self, choice: Choice) -> bool {
        let (p, view) = (self.p, self.view);
        let node = choice.node;
        let must = self.is_must(node);
        let space = &mut *self.space;
        let description = &p.nodes[node as usize];
        space.position[description.track as usize] += 1;
        space.left -= u32::from(must);
        space.cost += u32::from(!must);
        for demand in view.demands(p, node) {
            space.open[demand.cell as usize] -= 1;
            space.wanted[demand.fact as usize] -= u32::from(must && !demand.forwards());
        }
        let olds = space.olds.len() as u32;
        let mut alive = true;
        view.each_write(p, node, |cell, fact| {
            let old = std::mem::replace(&mut space.memory[cell as usize], fact);
            space.supply[fact as usize] -= 1;
            space.olds.push(old);
            alive &= old == fact || space.wanted[old as usize] == 0 || space.supply[old as usize] > 0;
        });
        if let Some(count) = view.count(p, node) {
            space.counters[count.counter as usize] += count.delta;
        }
        let thread = description.event.thread as usize;
        let first_woken = space.woken.len() as u32;
        match view.effect(p, node) {
            Effect::None | Effect::Wait { .. } => {}
            Effect::Wake { .. } => space.notified[thread] = false,
            Effect::Notify { .. } => {
                for index in choice.wakes.0..choice.wakes.1 {
                    let other = space.sets[index as usize];
                    space.woken.push(other);
                    space.notified[other as usize] = true;
                }
            }
        }
        space.done.push(Done { node, olds, woken: (first_woken, space.woken.len() as u32) });
        alive
    }

    /// Takes back what has happened since.
    fn undo(&mut self, length: usize) {
        let (p, view) = (self.p, self.view);
        while self.space.done.len() > length {
            let Some(done) = self.space.done.pop() else { return };
            let must = self.is_must(done.node);
            let space = &mut *self.space;
            let description = &p.nodes[done.node as usize];
            space.position[description.track as usize] -= 1;
            space.left += u32::from(must);
            space.cost -= u32::from(!must);
            for demand in view.demands(p, done.node) {
                space.open[demand.cell as usize] += 1;
                space.wanted[demand.fact as usize] += u32::from(must && !demand.forwards());
            }
            let mut old = done.olds as usize;
            view.each_write(p, done.node, |cell, fact| {
                space.memory[cell as usize] = space.olds[old];
                space.supply[fact as usize] += 1;
                old += 1;
            });
            space.olds.truncate(done.olds as usize);
            if let Some(count) = view.count(p, done.node) {
                space.counters[count.counter as usize] -= count.delta;
            }
            match view.effect(p, done.node) {
                Effect::None | Effect::Wait { .. } => {}
                Effect::Wake { expired, .. } => {
                    space.notified[description.event.thread as usize] = !expired;
                }
                Effect::Notify { .. } => {
                    for index in done.woken.0..done.woken.1 {
                        space.notified[space.woken[index as usize] as usize] = false;
                    }
                }
            }
            space.woken.truncate(done.woken.0 as usize);
        }
    }

    /// Everything that decides how it can go on: positions, cells that a node still reads, and which threads are woken.
    /// Locks and counters follow from the positions.
    fn key(&mut self) {
        let space = &mut *self.space;
        space.key.clear();
        for pair in space.position.chunks(2) {
            space.key.push(u32::from(pair[0]) << 16 | pair.get(1).map_or(0, |&other| u32::from(other)));
        }
        let cells = space.memory.iter().zip(&space.open);
        space.key.extend(cells.map(|(&fact, &open)| if open > 0 { fact } else { NONE }));
        for flags in space.notified.chunks(32) {
            space.key.push(flags.iter().fold(0, |bits, &flag| bits << 1 | u32::from(flag)));
        }
    }
}
