//! Whether a solution is one: everything in its order, performed.

use super::sync::Section;
use super::{Constraint, ConstraintSystem, Happening, Solution, When};
use crate::act::Act;
use crate::cells::CellId;
use crate::execution::{Move, Request};
use crate::memory::{initial_bytes, piece_of_write};
use crate::tree::TreeEvent;
use rustc_hash::FxHashMap;
use selvedge_terms::decide::{Moment, Solver};
use selvedge_terms::{Evaluation, Symbol};

/// What became of a solution.
pub(super) enum Checked {
    /// It is one.
    Fine,
    /// It is none, and never will be again.
    Told,
    /// It is none, and nothing can be told about it.
    Helpless,
}

/// Something in the order of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Event(TreeEvent),
    Commit(TreeEvent),
    Expiry(TreeEvent),
}

impl<S: Solver> ConstraintSystem<'_, S> {
    /// Everything that happens, in the order of the solution that was found.
    fn items(&self) -> Vec<Item> {
        let happening = self.paths.iter().flat_map(|path| &path.events).map(|&(event, _)| event);
        let mut all: Vec<(Moment, u32, Item)> = happening
            .map(|event| {
                let When { moment, depth, .. } = self.moments[&event];
                (moment, depth, Item::Event(event))
            })
            .collect();
        all.extend(self.commits.iter().map(|(&event, &moment)| (moment, 0, Item::Commit(event))));
        all.extend(self.expiries.iter().map(|&(event, moment)| (moment, 0, Item::Expiry(event))));
        let mut moments: Vec<Moment> = all.iter().map(|&(moment, _, _)| moment).collect();
        moments.sort_unstable();
        moments.dedup();
        self.solver.sort(&mut moments);
        let places: FxHashMap<Moment, u32> = moments.into_iter().zip(0..).collect();
        all.sort_by_key(|(moment, depth, _)| (places[moment], *depth));
        all.into_iter().map(|(_, _, item)| item).collect()
    }

    /// Looks for what is wrong with the solution that was found, and tells it.
    pub(super) fn refine(&mut self) -> Checked {
        let items = self.items();
        let (blind, mut told) = self.refine_memory(&items);
        told |= self.refine_locks(&items);
        match (told, blind || !self.conditions_hold()) {
            (true, _) => Checked::Told,
            (false, true) => Checked::Helpless,
            (false, false) => Checked::Fine,
        }
    }

    /// Whether conditions hold also where the solver has left parts of values open.
    fn conditions_hold(&self) -> bool {
        let mut values = Evaluation::new();
        let terms = &self.trees.terms;
        let selected = self.conditions.iter().filter(|(name, _)| !self.left_out.contains(name));
        let mut all = selected.map(|&(_, condition)| condition);
        all.all(|condition| {
            values.of(terms, condition, |id| self.solver.value(terms, terms.symbol_term(id))) == 1
        })
    }

    /// Whether a read sees something wrong, and whether something new was told about it.
    fn refine_memory(&mut self, items: &[Item]) -> (bool, bool) {
        let mut sights: FxHashMap<TreeEvent, Vec<usize>> = FxHashMap::default();
        for (number, sight) in self.sights.iter().enumerate() {
            if !self.left_out.contains(&sight.name) {
                sights.entry(sight.reader).or_default().push(number);
            }
        }
        let mut values = Evaluation::new();
        let mut last: FxHashMap<CellId, TreeEvent> = FxHashMap::default();
        let mut waiting: Vec<TreeEvent> = Vec::new();
        let mut blind: Vec<usize> = Vec::new();
        let at_end = self.paths.iter().filter_map(|path| path.blocked).map(Item::Event);
        for item in items.iter().copied().chain(at_end) {
            let event = match item {
                Item::Event(event) => event,
                Item::Commit(event) => {
                    waiting.retain(|&other| other != event);
                    last.extend(self.pieces[&event].iter().map(|&piece| (piece, event)));
                    continue;
                }
                Item::Expiry(_) => continue,
            };
            let Some(access) = self.act(event).access() else { continue };
            let terms = &self.trees.terms;
            let mut value =
                |term| values.of(terms, term, |id| self.solver.value(terms, terms.symbol_term(id)));
            for &number in sights.get(&event).into_iter().flatten() {
                let sight = &self.sights[number];
                let cell = self.cells.get(sight.cell);
                let bytes = cell.end - cell.start;
                let bits = |value: u128, low: u64| (value >> (low * 8)) & (u128::MAX >> (128 - bytes * 8));
                let Some(symbol) = access.reads else { continue };
                let sees = bits(value(symbol), cell.start - access.at.address);
                let own = waiting.iter().rev().find(|other| {
                    self.forwards()
                        && self.moments[*other].thread == sight.at.thread
                        && self.pieces[*other].contains(&sight.cell)
                });
                let there = match own.or(last.get(&sight.cell)) {
                    None => initial_bytes(&self.trees, cell),
                    Some(&writer) => piece_of_write(&self.trees, cell, writer)
                        .map(|(written, low, _)| bits(value(written), u64::from(low / 8))),
                };
                if there.is_some_and(|there| there != sees) {
                    blind.push(number);
                }
            }
            if access.writes.is_some() && item != Item::Commit(event) {
                match self.commits.contains_key(&event) {
                    true => waiting.push(event),
                    false => last.extend(self.pieces[&event].iter().map(|&piece| (piece, event))),
                }
            }
        }
        let wrong = !blind.is_empty();
        let mut told = false;
        for number in blind {
            told |= self.exclude(number);
        }
        (wrong, told)
    }

    fn refine_locks(&mut self, items: &[Item]) -> bool {
        let mut places: FxHashMap<TreeEvent, usize> = FxHashMap::default();
        for (place, item) in items.iter().enumerate() {
            if let Item::Event(event) = item {
                places.insert(*event, place);
            }
        }
        let mut overlaps: Vec<(u64, Section, Section)> = Vec::new();
        for (&lock, sections) in &self.sections {
            if self.left_out.contains(&Constraint::Locks { lock }) {
                continue;
            }
            let extent = |section: &Section| {
                let end = section.released.map_or(usize::MAX, |released| places[&released]);
                (places[&section.taken], end)
            };
            let mut sections: Vec<Section> = sections.clone();
            sections.sort_by_key(|section| extent(section).0);
            let mut open: Vec<Section> = Vec::new();
            for section in sections {
                let (from, to) = extent(&section);
                open.retain(|other| extent(other).1 > from || extent(other).1 < extent(other).0);
                for other in &open {
                    if !(section.shared && other.shared) {
                        overlaps.push((lock, *other, section));
                    }
                }
                if to != from {
                    open.push(section);
                }
            }
        }
        let mut told = false;
        for (lock, one, other) in overlaps {
            told |= self.separate(lock, one, other);
        }
        told
    }

    /// The solution that was found.
    pub(super) fn solution(&self) -> Solution {
        let names: FxHashMap<TreeEvent, (usize, u32)> = (0..self.paths.len())
            .flat_map(|thread| {
                self.paths[thread].events.iter().map(move |&(event, number)| (event, (thread, number)))
            })
            .collect();
        let mut order = Vec::new();
        let mut request = Request::default();
        for item in self.items() {
            let (Item::Event(event) | Item::Commit(event) | Item::Expiry(event)) = item;
            let (thread, number) = names[&event];
            let step = self.step_name(thread, number);
            let name = self.paths[thread].name.clone();
            match item {
                Item::Commit(_) => {
                    order.push(Happening::Commit(step));
                    let address = self.act(event).access().map_or(0, |access| access.at.address);
                    request.moves.push(Move::Commit { thread: name, address });
                }
                Item::Expiry(_) => request.moves.push(Move::Expire { thread: name }),
                Item::Event(_) if *self.act(event) == Act::End => {}
                Item::Event(_) => {
                    order.push(Happening::Step(step));
                    if self.trees.events[event.index()].leader == event {
                        request.moves.push(self.step_move(event, thread));
                    }
                }
            }
        }
        let terms = &self.trees.terms;
        let roots = self.conditions.iter().map(|&(_, condition)| condition);
        let accesses = self.trees.events.iter().filter_map(|event| event.act.access());
        let roots = roots.chain(accesses.flat_map(|access| access.reads.into_iter().chain(access.writes)));
        let mut values = std::collections::BTreeMap::new();
        for id in terms.symbols_below(roots.collect::<Vec<_>>()) {
            values.insert(terms.symbol_of(id).clone(), self.solver.value(terms, terms.symbol_term(id)));
        }
        let outside = values.iter().filter(|(symbol, _)| !matches!(symbol, Symbol::Read { .. }));
        request.inputs = outside.map(|(symbol, &value)| (symbol.clone(), value)).collect();
        Solution { order, values, request }
    }

    /// The move that performs a step.
    fn step_move(&self, event: TreeEvent, thread: usize) -> Move {
        let name = self.paths[thread].name.clone();
        if !matches!(self.act(event), Act::Notify { all: false, .. }) {
            return Move::Step { thread: name };
        }
        let mut wakes = self.wakes.iter().filter(|((_, notify), _)| *notify == event);
        match wakes.find(|(_, literal)| self.solver.holds(**literal)) {
            Some(((wait, _), _)) => {
                let woken = self.paths[self.moments[wait].thread].name.clone();
                Move::Notify { thread: name, woken }
            }
            None => Move::Step { thread: name },
        }
    }
}
