//! Whether a solution is one: the events in their order, performed.
//!
//! Where a read would see another value, or a lock is taken twice, the constraints that forbid exactly that are told.

use super::cells::CellId;
use super::memory::{initial_bytes, piece_of_write};
use super::system::System;
use super::tree::{TreeEvent, Trees};
use rustc_hash::FxHashMap;
use selvedge_terms::Evaluation;
use selvedge_terms::decide::{Moment, Solver};

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Event(TreeEvent),
    /// A store leaves its buffer.
    Commit(TreeEvent),
}

/// What became of a solution.
pub(super) enum Refined {
    /// It is one.
    Fine,
    /// It is none, and never will be again.
    Told,
    /// It is none, and nothing can be told about it.
    Helpless,
}

impl<S: Solver> System<S> {
    /// The events that happen in the solution that was found, in order.
    pub(super) fn happening(&self, trees: &Trees) -> Vec<TreeEvent> {
        let all = (0..self.happens.len()).map(|index| TreeEvent(index as u32));
        let mut events: Vec<TreeEvent> =
            all.filter(|event| self.solver.holds(self.happens[event.index()])).collect();
        let mut moments: Vec<_> = events.iter().map(|event| self.moments[event.index()]).collect();
        moments.sort_unstable();
        moments.dedup();
        self.solver.sort(&mut moments);
        let places: FxHashMap<_, _> = moments.into_iter().zip(0_u32..).collect();
        events.sort_by_key(|event| {
            (places[&self.moments[event.index()]], trees.events[event.index()].depth, event.index())
        });
        events
    }

    /// Events and commits that happen in the solution that was found, in order.
    pub(super) fn items(&self, trees: &Trees, events: &[TreeEvent]) -> Vec<Item> {
        if self.commits.is_empty() {
            return events.iter().map(|&event| Item::Event(event)).collect();
        }
        let committed = events.iter().filter_map(|&event| {
            let &(commits, moment) = self.commits.get(&event)?;
            self.solver.holds(commits).then_some((moment, Item::Commit(event)))
        });
        let all = events.iter().map(|&event| (self.moments[event.index()], Item::Event(event)));
        let mut all: Vec<(Moment, Item)> = all.chain(committed).collect();
        let mut moments: Vec<Moment> = all.iter().map(|&(moment, _)| moment).collect();
        moments.sort_unstable();
        moments.dedup();
        self.solver.sort(&mut moments);
        let places: FxHashMap<_, _> = moments.into_iter().zip(0_u32..).collect();
        let depth = |item: &Item| match *item {
            Item::Event(event) | Item::Commit(event) => trees.events[event.index()].depth,
        };
        all.sort_by_key(|(moment, item)| (places[moment], depth(item)));
        all.into_iter().map(|(_, item)| item).collect()
    }

    /// Looks for what is wrong with the solution that was found, and tells it.
    pub(super) fn refine(&mut self, trees: &Trees) -> Refined {
        let events = self.happening(trees);
        if !self.conditions_hold(trees, &events) {
            return Refined::Helpless;
        }
        let (blind, mut told) = self.refine_memory(trees, &events);
        told |= self.refine_locks(trees, &events);
        told |= self.refine_groups(trees, &events);
        told |= self.refine_exits(trees, &events);
        match (told, blind) {
            (true, _) => Refined::Told,
            (false, true) => Refined::Helpless,
            (false, false) => Refined::Fine,
        }
    }

    /// Whether what must hold for the nodes that are entered and for the events that happen does: expressions of which the
    /// solver leaves parts open must not be among them.
    fn conditions_hold(&self, trees: &Trees, events: &[TreeEvent]) -> bool {
        let mut values = Evaluation::new();
        let mut holds = |term| {
            let value = |id| self.solver.value(&trees.terms, trees.terms.symbol_term(id));
            values.of(&trees.terms, term, value) == 1
        };
        let entered =
            trees.nodes.iter().zip(&self.entered).filter(|(_, entered)| self.solver.holds(**entered));
        let conditions: Vec<_> = entered.filter_map(|(node, _)| node.condition).collect();
        let guards = events.iter().filter_map(|event| trees.events[event.index()].act.access()?.guard);
        conditions.into_iter().chain(guards).all(&mut holds)
    }

    /// Whether a read sees something wrong, and whether something new was told about it.
    fn refine_memory(&mut self, trees: &Trees, events: &[TreeEvent]) -> (bool, bool) {
        let mut values = Evaluation::new();
        let mut last: FxHashMap<CellId, TreeEvent> = FxHashMap::default();
        let mut blind: Vec<(TreeEvent, CellId)> = Vec::new();
        // A thread that is stuck, or stands before an exchange, looks at memory after everything that happens.
        let looks = self.stuck.iter().chain(&self.exchanges);
        let looks = looks.filter(|(_, literal)| self.solver.holds(**literal)).map(|(&event, _)| event);
        let looks: Vec<Item> = looks.map(Item::Event).collect();
        // Stores that are in the buffers, the oldest first.
        let mut waiting: Vec<TreeEvent> = Vec::new();
        for item in self.items(trees, events).into_iter().chain(looks) {
            let event = match item {
                Item::Event(event) => event,
                Item::Commit(event) => {
                    waiting.retain(|&other| other != event);
                    last.extend(self.memory.pieces(event).iter().map(|&piece| (piece, event)));
                    continue;
                }
            };
            let Some(access) = trees.events[event.index()].act.access() else { continue };
            for &piece in self.memory.pieces(event) {
                let cell = self.memory.cells.get(piece);
                if let Some(symbol) = access.reads {
                    let bits = |value: u128, low: u64, bytes: u64| {
                        (value >> (low * 8)) & (u128::MAX >> (128 - bytes * 8))
                    };
                    let mut value = |term| {
                        values.of(&trees.terms, term, |id| {
                            self.solver.value(&trees.terms, trees.terms.symbol_term(id))
                        })
                    };
                    let bytes = cell.end - cell.start;
                    let sees = bits(value(symbol), cell.start - access.at.address, bytes);
                    let thread = trees.events[event.index()].thread;
                    let own = waiting.iter().rev().find(|other| {
                        trees.events[other.index()].thread == thread
                            && self.memory.pieces(**other).contains(&piece)
                    });
                    let there = match own.or(last.get(&piece)) {
                        None => initial_bytes(trees, cell),
                        Some(&writer) => piece_of_write(trees, cell, writer)
                            .map(|(written, low, _)| bits(value(written), u64::from(low / 8), bytes)),
                    };
                    if there.is_some_and(|there| there != sees) {
                        blind.push((event, piece));
                    }
                }
                if access.writes.is_some() && !self.commits.contains_key(&event) {
                    last.insert(piece, event);
                }
            }
            if self.commits.contains_key(&event) {
                waiting.push(event);
            }
        }
        let wrong = !blind.is_empty();
        let mut told = false;
        for (event, piece) in blind {
            told |= self.exclude(trees, event, piece);
        }
        (wrong, told)
    }

    fn refine_locks(&mut self, trees: &Trees, events: &[TreeEvent]) -> bool {
        let mut holders: FxHashMap<u64, Vec<(TreeEvent, bool)>> = FxHashMap::default();
        let mut overlaps = Vec::new();
        for &event in events {
            let act = &trees.events[event.index()].act;
            if let Some((lock, _)) = act.releases() {
                let releases = &self.sync.releases;
                let mine = |taken: TreeEvent| releases.get(&taken).is_some_and(|all| all.contains(&event));
                holders.entry(lock).or_default().retain(|&(taken, _)| !mine(taken));
            }
            if let Some((lock, shared)) = act.acquires() {
                let holders = holders.entry(lock).or_default();
                for &(taken, taken_shared) in holders.iter() {
                    if !(shared && taken_shared) {
                        overlaps.push((taken, event));
                    }
                }
                holders.push((event, shared));
            }
        }
        let mut told = false;
        for (first, second) in overlaps {
            told |= self.separate(trees, first, second);
        }
        told
    }

    /// A thread that stops between events that belong together stops everything.
    fn refine_groups(&mut self, trees: &Trees, events: &[TreeEvent]) -> bool {
        let mut told = false;
        for (place, &event) in events.iter().enumerate() {
            let leader = trees.events[event.index()].leader;
            let thread = trees.events[event.index()].thread;
            let nexts = trees.nexts(event);
            let continued = nexts.iter().copied().filter(|next| trees.events[next.index()].leader == leader);
            let continued: Vec<TreeEvent> = continued.collect();
            if continued.is_empty()
                || continued.iter().any(|next| self.solver.holds(self.happens[next.index()]))
            {
                continue;
            }
            // Where some of what may follow does not belong to it, the section may be over: that depends on the decision.
            if continued.len() < nexts.len() {
                for next in continued {
                    told |= self.refine_decided(trees, event, next, &events[place + 1..]);
                }
                continue;
            }
            for &later in &events[place + 1..] {
                if trees.events[later.index()].thread == thread {
                    continue;
                }
                let earlier = self.before(trees, later, event);
                let earlier = self.solver.choice(earlier);
                let mut clause = vec![!self.happens[event.index()], !self.happens[later.index()], earlier];
                clause.extend(continued.iter().map(|next| self.happens[next.index()]));
                self.solver.clause(&clause);
                told = true;
            }
        }
        told
    }

    /// As above for an event that belongs together with one before it if decisions go so: the thread does not stop between them.
    fn refine_decided(
        &mut self,
        trees: &Trees,
        event: TreeEvent,
        next: TreeEvent,
        later: &[TreeEvent],
    ) -> bool {
        let (here, thread) = (trees.events[event.index()].node, trees.events[event.index()].thread);
        let mut node = trees.events[next.index()].node;
        let mut conditions = Vec::new();
        while node != here {
            let Some(condition) = trees.nodes[node.index()].condition else { return false };
            conditions.push(self.solver.term(&trees.terms, condition));
            let Some(parent) = trees.nodes[node.index()].parent else { return false };
            node = parent;
        }
        if !conditions.iter().all(|&condition| self.solver.holds(condition)) {
            return false;
        }
        let mut told = false;
        for &later in later.iter().filter(|later| trees.events[later.index()].thread != thread) {
            let earlier = self.before(trees, later, event);
            let earlier = self.solver.choice(earlier);
            let mut clause = vec![!self.happens[event.index()], !self.happens[later.index()], earlier];
            clause.extend(conditions.iter().map(|&condition| !condition));
            clause.push(self.happens[next.index()]);
            self.solver.clause(&clause);
            told = true;
        }
        told
    }

    /// Nothing happens after the end of the program.
    fn refine_exits(&mut self, trees: &Trees, events: &[TreeEvent]) -> bool {
        let mut told = false;
        let exit = self.sync.exits.iter().copied().find(|exit| events.contains(exit));
        let Some(exit) = exit else { return false };
        let place = events.iter().position(|&event| event == exit).unwrap_or(events.len());
        for &later in events.iter().skip(place + 1) {
            if trees.events[later.index()].thread != trees.events[exit.index()].thread {
                let earlier = self.before(trees, later, exit);
                let happen = [exit, later].map(|event| !self.happens[event.index()]);
                self.solver.clause(&[happen[0], happen[1], earlier]);
                told = true;
            }
        }
        told
    }
}
