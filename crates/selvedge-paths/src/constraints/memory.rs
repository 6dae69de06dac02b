//! What reads see.

use super::{Constraint, ConstraintSystem, When};
use crate::cells::CellId;
use crate::memory::{initial_bytes, piece_of_write};
use crate::tree::TreeEvent;
use selvedge_terms::decide::{Literal, Solver};
use selvedge_trace::Model;

/// What a read sees of a piece of memory.
pub(super) struct Sight {
    pub(super) name: Constraint,
    pub(super) reader: TreeEvent,
    pub(super) at: When,
    pub(super) cell: CellId,
    /// The last write of the same thread before it, where the thread keeps its order.
    own: Option<TreeEvent>,
    /// Writes that it may see, with the literals that say that it does; nothing is what was there in the beginning.
    pub(super) sources: Vec<(Option<TreeEvent>, Literal)>,
}

impl<S: Solver> ConstraintSystem<'_, S> {
    /// All accesses to memory, and to the counts of semaphores and barriers.
    pub(super) fn memory(&mut self) {
        self.writers = vec![Vec::new(); self.cells.len()];
        let mut readers: Vec<(usize, TreeEvent, Constraint, When, bool)> = Vec::new();
        for thread in 0..self.paths.len() {
            for (event, number) in self.paths[thread].events.clone() {
                self.figures.events += 1;
                let Some(access) = self.act(event).access().copied() else { continue };
                let pieces = self.cells.of(access.space, access.at).unwrap_or_default();
                if access.writes.is_some() {
                    self.figures.writes += 1;
                    pieces.iter().for_each(|cell| self.writers[cell.0].push(event));
                }
                self.pieces.insert(event, pieces);
                let step = self.step_name(thread, number);
                if access.reads.is_some() {
                    self.figures.reads += 1;
                    let name = Constraint::ReadsFrom { read: step.clone() };
                    readers.push((thread, event, name, self.moments[&event], true));
                }
                if let Some(guard) = access.guard {
                    self.tell_condition(&Constraint::Enabled { step }, guard);
                }
            }
            let blocked = self.paths[thread].blocked;
            if let Some((event, access)) = blocked.and_then(|event| Some((event, *self.act(event).access()?)))
            {
                // It looks at memory when everything has happened.
                let pieces = self.cells.of(access.space, access.at).unwrap_or_default();
                self.pieces.insert(event, pieces);
                let at = When { moment: self.last, thread, depth: u32::MAX, commit: false };
                self.moments.insert(event, at);
                if access.reads.is_some() {
                    let name = Constraint::Blocked { thread: self.paths[thread].name.clone() };
                    readers.push((thread, event, name, at, false));
                }
            }
        }
        for (thread, event, name, at, happens) in readers {
            self.name(&name);
            for cell in self.pieces[&event].clone() {
                self.read(thread, (event, at, happens), &name, cell);
            }
        }
    }

    /// The last write of a thread to a piece before an event of it, or of all.
    fn own(&self, thread: usize, reader: TreeEvent, cell: CellId, happens: bool) -> Option<TreeEvent> {
        let events = &self.paths[thread].events;
        let before =
            if happens { events.iter().position(|&(event, _)| event == reader)? } else { events.len() };
        let earlier = events[..before].iter().rev().map(|&(event, _)| event);
        let mut writes =
            earlier.filter(|event| self.act(*event).access().is_some_and(|access| access.writes.is_some()));
        writes.find(|event| self.pieces.get(event).is_some_and(|pieces| pieces.contains(&cell)))
    }

    fn read(
        &mut self,
        thread: usize,
        (reader, at, happens): (TreeEvent, When, bool),
        name: &Constraint,
        cell: CellId,
    ) {
        let keeps = self.keeps_order(thread);
        let own = if keeps { self.own(thread, reader, cell, happens) } else { None };
        let mut sources: Vec<Option<TreeEvent>> = Vec::new();
        for writer in self.writers[cell.0].clone() {
            let mine = self.moments[&writer].thread == thread;
            if writer != reader && (!mine || !keeps || own == Some(writer)) {
                sources.push(Some(writer));
            }
        }
        if own.is_none() {
            sources.push(None);
        }
        self.figures.sources += sources.len() as u64;
        let sources: Vec<_> = sources.into_iter().map(|source| (source, self.solver.fresh())).collect();
        let literals: Vec<Literal> = sources.iter().map(|&(_, literal)| literal).collect();
        self.tell(name, &literals);
        for &(source, literal) in &sources {
            self.equal(literal, reader, cell, source);
            let Some(writer) = source else { continue };
            let mine = keeps && self.moments[&writer].thread == thread;
            if mine {
                continue;
            }
            let since = self.seen_since(writer);
            let before = self.earlier(since, at);
            self.always(&[!literal, before]);
            // The thread's own store has left the buffer before that: otherwise it would see it.
            if let Some(own) = own.filter(|own| self.commits.contains_key(own)) {
                let gone = self.seen_since(own);
                let (left, older) = (self.earlier(gone, at), self.earlier(gone, since));
                self.always(&[!literal, left]);
                self.always(&[!literal, older]);
            }
        }
        self.sights.push(Sight { name: name.clone(), reader, at, cell, own, sources });
    }

    /// Wherever the literal holds, what a read sees of a piece is what a write has left there, or was there at first.
    fn equal(&mut self, literal: Literal, reader: TreeEvent, cell: CellId, source: Option<TreeEvent>) {
        let place = self.cells.get(cell);
        let Some(access) = self.act(reader).access().copied() else { return };
        let Some(symbol) = access.reads else { return };
        let width = ((place.end - place.start) * 8) as u32;
        let terms = &mut self.trees.terms;
        let seen = terms.extract(symbol, ((place.start - access.at.address) * 8) as u32, width);
        let value = match source {
            None => initial_bytes(&self.trees, place).map(|value| self.trees.terms.constant(width, value)),
            Some(writer) => piece_of_write(&self.trees, place, writer)
                .map(|(value, low, width)| self.trees.terms.extract(value, low, width)),
        };
        if let Some(value) = value {
            self.solver.equal_if(literal, &mut self.trees.terms, seen, value);
        }
    }

    /// No other write comes between what a read sees and the read. Whether something was told.
    pub(super) fn exclude(&mut self, sight: usize) -> bool {
        let Sight { ref name, reader, at, cell, own, ref sources } = self.sights[sight];
        let name = name.clone();
        let chosen: Vec<_> =
            sources.iter().copied().filter(|&(_, literal)| self.solver.holds(literal)).collect();
        let keeps = self.keeps_order(at.thread);
        let mut told = false;
        for (source, literal) in chosen {
            if !self.excluded.insert(literal) {
                continue;
            }
            for writer in self.writers[cell.0].clone() {
                let elsewhere = keeps && self.moments[&writer].thread == at.thread && own != Some(writer);
                if Some(writer) == source || writer == reader || elsewhere {
                    continue;
                }
                let since = self.seen_since(writer);
                let mut clause = vec![!literal];
                if let Some(source) = source {
                    let moment = self.seen_since(source);
                    clause.push(self.earlier(since, moment));
                    // It sees its own store while that is in the buffer, whatever is in memory.
                    if own == Some(source) && self.commits.contains_key(&source) {
                        clause.push(self.earlier(at, moment));
                    }
                }
                clause.push(self.earlier(at, since));
                self.tell(&name, &clause);
                told = true;
            }
        }
        told
    }

    /// Whether a store of the reader's thread is in its buffer is looked at by the model alone.
    pub(super) fn forwards(&self) -> bool {
        self.model != Model::Sc
    }
}
