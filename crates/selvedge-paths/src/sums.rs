//! What many increments make up.
//!
//! Where every write to a piece of memory stores a number, or what its thread has read there plus a number, a read sees some
//! number that was stored and the sum of different increments on top of it: what a read saw was written before it by an
//! increment that has read before that, and so on, each time earlier. All of them happen. So how far the value is from a
//! number that was stored is bounded by how many increments happen. A SAT solver that has to find this out goes through
//! the orders of the increments, of which there are exponentially many; told so, it counts.
//!
//! Nothing is excluded that was possible. It is told anew when another thread is known to access the piece, and holds until
//! then: by a literal that questions assume.

use super::cells::CellId;
use super::system::System;
use super::tree::{TreeEvent, Trees};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_terms::decide::{Literal, Solver};
use selvedge_terms::{Binary, Node, Symbol, SymbolId, Term};

/// So few increments are tried without that.
const FEW: usize = 3;
/// What increments may make up in all, in each direction.
const FAR: i128 = 40;
/// How many comparisons may be told for one piece of memory.
const MOST: usize = 4_000;

/// What was told of increments.
#[derive(Default)]
pub(super) struct Sums {
    /// For each piece of memory: how many writes and reads there were, and that these are all.
    told: FxHashMap<CellId, ((usize, usize), Option<Literal>)>,
}

impl Sums {
    /// What questions assume.
    pub(super) fn assumptions(&self) -> impl Iterator<Item = Literal> + '_ {
        self.told.values().filter_map(|(_, all)| *all)
    }
}

/// What a write may do to a piece of memory.
#[derive(Default)]
struct Effect {
    /// It stores one of these numbers.
    stores: Vec<u128>,
    /// It adds one of these.
    adds: Vec<i128>,
}

impl<S: Solver> System<S> {
    /// Tells what increments make up, where something has changed.
    pub(super) fn tell_sums(&mut self, trees: &Trees) {
        let mut looked_at: Option<FxHashSet<SymbolId>> = None;
        for cell in (0..self.memory.cells.len()).map(CellId) {
            let writers = self.memory.writers(cell).to_vec();
            let count = (writers.len(), self.memory.readers(cell).len());
            if writers.len() < FEW || self.sums.told.get(&cell).is_some_and(|(known, _)| *known == count) {
                continue;
            }
            if let Some((_, Some(all))) = self.sums.told.remove(&cell) {
                self.solver.clause(&[!all]);
            }
            let looked_at = looked_at.get_or_insert_with(|| self.looked_at(trees));
            let readers: Vec<(TreeEvent, Term)> = self
                .memory
                .readers(cell)
                .iter()
                .filter_map(|&event| Some((event, trees.events[event.index()].act.access()?.reads?)))
                .filter(|(_, symbol)| self.terms.as_symbol(*symbol).is_some_and(|id| looked_at.contains(&id)))
                .collect();
            let all = self.tell_sums_of(trees, cell, &writers, &readers);
            self.sums.told.insert(cell, (count, all));
        }
    }

    /// Reads by which a thread decides something.
    fn looked_at(&self, trees: &Trees) -> FxHashSet<SymbolId> {
        let conditions = trees.nodes.iter().filter_map(|node| node.condition);
        let guards = trees.events.iter().filter_map(|event| event.act.access()?.guard);
        let all = self.terms.symbols_below(conditions.chain(guards)).into_iter();
        all.filter(|&id| matches!(self.terms.symbol_of(id), Symbol::Read { .. })).collect()
    }

    fn tell_sums_of(
        &mut self,
        trees: &Trees,
        cell: CellId,
        writers: &[TreeEvent],
        readers: &[(TreeEvent, Term)],
    ) -> Option<Literal> {
        let place = self.memory.cells.get(cell);
        let width = ((place.end - place.start) * 8) as u32;
        if readers.iter().any(|&(event, _)| self.memory.pieces(event) != [cell]) || width > 64 {
            return None;
        }
        let mut stores: Vec<(u128, Option<TreeEvent>)> =
            super::memory::initial_bytes(trees, place).map(|value| (value, None)).into_iter().collect();
        let mut adds: Vec<(TreeEvent, i128, i128)> = Vec::new();
        for &writer in writers {
            let effect = self.effect(trees, cell, writer, width)?;
            stores.extend(effect.stores.into_iter().map(|value| (value, Some(writer))));
            let up = effect.adds.iter().copied().max().unwrap_or(0).max(0);
            let down = -effect.adds.iter().copied().min().unwrap_or(0).min(0);
            if up > 0 || down > 0 {
                adds.push((writer, up, down));
            }
        }
        let far = |sum: i128| (0..=FAR).contains(&sum).then_some(sum as usize);
        let up = far(adds.iter().map(|&(_, up, _)| up).sum())?;
        let down = far(adds.iter().map(|&(_, _, down)| down).sum())?;
        let comparisons = readers.len().saturating_mul(stores.len()).saturating_mul(up + down + 2);
        // What is there in the beginning is not known: it may be anything.
        let begins = stores.first().is_some_and(|(_, writer)| writer.is_none());
        if adds.len() < FEW || comparisons > MOST || !begins {
            return None;
        }
        let all = self.solver.fresh();
        for &(reader, symbol) in readers {
            self.tell_sum(trees, all, (reader, symbol), &stores, &adds);
        }
        Some(all)
    }

    /// What a write may do, if it is one of what can be summed up.
    fn effect(&self, trees: &Trees, cell: CellId, writer: TreeEvent, width: u32) -> Option<Effect> {
        if self.memory.pieces(writer) != [cell] {
            return None;
        }
        let mut effect = Effect::default();
        let mut open = vec![trees.events[writer.index()].act.access()?.writes?];
        while let Some(value) = open.pop() {
            if self.terms.width(value) != width {
                return None;
            }
            let (read, added) = match self.terms.node(value) {
                Node::Constant(value) => {
                    effect.stores.push(value);
                    continue;
                }
                Node::Choose(_, then, otherwise) => {
                    open.extend([then, otherwise]);
                    continue;
                }
                Node::Symbol(_) => (value, 0),
                Node::Binary(Binary::Add, one, other) => {
                    match (self.terms.known(one), self.terms.known(other)) {
                        (Some(added), None) => (other, added),
                        (None, Some(added)) => (one, added),
                        _ => return None,
                    }
                }
                Node::Binary(Binary::Sub, one, other) => (one, self.terms.known(other)?.wrapping_neg()),
                _ => return None,
            };
            // What its thread has read here before, or reads in the same step.
            let reads = |event: &TreeEvent| {
                trees.events[event.index()].act.access().is_some_and(|access| access.reads == Some(read))
            };
            let from = std::iter::once(writer).chain(trees.back(writer)).find(reads)?;
            if self.memory.pieces(from) != [cell] {
                return None;
            }
            effect.adds.push(selvedge_terms::signed(width, selvedge_terms::cut(width, added)));
        }
        Some(effect)
    }

    /// What one read sees is a number that was stored, and increments on top of it.
    fn tell_sum(
        &mut self,
        trees: &Trees,
        all: Literal,
        (reader, symbol): (TreeEvent, Term),
        stores: &[(u128, Option<TreeEvent>)],
        adds: &[(TreeEvent, i128, i128)],
    ) {
        let before = |event: TreeEvent| {
            trees.events[event.index()].thread != trees.events[reader.index()].thread
                || trees.precedes(event, reader)
        };
        let add = |amount: fn(&(TreeEvent, i128, i128)) -> i128| -> Vec<(TreeEvent, usize)> {
            let adds = adds.iter().filter(|(event, ..)| before(*event));
            adds.map(|add| (add.0, amount(add) as usize)).filter(|&(_, by)| by > 0).collect()
        };
        let (up, down) = (add(|add| add.1), add(|add| add.2));
        let (up, down) = (self.at_least(&up), self.at_least(&down));
        let width = self.terms.width(symbol);
        let mut sources = vec![!all, !self.happens[reader.index()]];
        for &(value, writer) in stores {
            if writer.is_some_and(|writer| !before(writer)) {
                continue;
            }
            let source = self.solver.fresh();
            if let Some(writer) = writer {
                self.solver.clause(&[!source, self.happens[writer.index()]]);
            }
            let stored = self.terms.constant(width, value);
            let distance = self.terms.sub(symbol, stored);
            for (number, step) in (0_u128..).zip(&up) {
                // More than so far, and so one more at least.
                let far = self.terms.constant(width, number);
                let further = self.terms.signed_less(far, distance);
                let further = self.solver.term(&self.terms, further);
                self.solver.clause(&[&[!source, !further], step.as_slice()].concat());
            }
            for (number, step) in (0_u128..).zip(&down) {
                let far = self.terms.constant(width, number.wrapping_neg());
                let further = self.terms.signed_less(distance, far);
                let further = self.solver.term(&self.terms, further);
                self.solver.clause(&[&[!source, !further], step.as_slice()].concat());
            }
            sources.push(source);
        }
        self.solver.clause(&sources);
    }

    /// For 1, 2, and so on: a literal that implies that what happens makes up at least so much. In the end nothing: it never
    /// makes up more.
    fn at_least(&mut self, adds: &[(TreeEvent, usize)]) -> Vec<Option<Literal>> {
        let mut sums: Vec<Literal> = Vec::new();
        for &(event, by) in adds {
            let happens = self.happens[event.index()];
            let next: Vec<Literal> = (0..sums.len() + by).map(|_| self.solver.fresh()).collect();
            for (number, &literal) in next.iter().enumerate() {
                let without = sums.get(number).copied();
                self.solver.clause(&[&[!literal, happens], without.as_slice()].concat());
                // With this one, the others have to make up the rest.
                if let Some(rest) = number.checked_sub(by) {
                    self.solver.clause(&[&[!literal, sums[rest]], without.as_slice()].concat());
                }
            }
            sums = next;
        }
        sums.into_iter().map(Some).chain([None]).collect()
    }
}
