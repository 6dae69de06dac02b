//! What reads see.

use super::act::Access;
use super::cells::{CellId, Cells};
use super::options::OptionsId;
use super::system::{Outgrown, System};
use super::tree::{TreeEvent, Trees};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_terms::Term;
use selvedge_terms::decide::{Literal, Solver};
use selvedge_trace::Model;

/// Reads and writes by the memory that they access.
pub(super) struct Memory {
    pub(super) cells: Cells,
    /// For each piece: the events that write it and those that read it.
    writers: Vec<Vec<TreeEvent>>,
    readers: Vec<Vec<TreeEvent>>,
    /// What a read sees of a piece.
    pub(super) sights: FxHashMap<(TreeEvent, CellId), Sight>,
    /// The pieces of an event.
    pieces: FxHashMap<TreeEvent, Vec<CellId>>,
    /// Exclusions that were told: seen this, and that write is not between.
    told: FxHashSet<(Literal, TreeEvent)>,
    /// Reads and what they saw when something came between: that was told.
    pub(super) excluded: FxHashSet<(TreeEvent, Option<TreeEvent>)>,
}

/// What a read sees of a piece of memory.
pub(super) struct Sight {
    pub(super) options: OptionsId,
    /// The last write of the same thread before it.
    own: Option<TreeEvent>,
    /// Writes that it may see, and the literals that say that it does; nothing is what was there in the beginning.
    pub(super) sources: Vec<(Option<TreeEvent>, Literal)>,
}

impl Memory {
    pub(super) fn new(cells: Cells) -> Self {
        Memory {
            cells,
            writers: Vec::new(),
            readers: Vec::new(),
            sights: FxHashMap::default(),
            pieces: FxHashMap::default(),
            told: FxHashSet::default(),
            excluded: FxHashSet::default(),
        }
    }

    /// The pieces of an event that accesses memory.
    pub(super) fn pieces(&self, event: TreeEvent) -> &[CellId] {
        self.pieces.get(&event).map_or(&[], Vec::as_slice)
    }

    /// The events that access each piece of memory, each access once.
    pub(super) fn accesses(&self) -> Vec<Vec<TreeEvent>> {
        let both = self.writers.iter().zip(&self.readers).map(|(writers, readers)| {
            let mut all: Vec<TreeEvent> = writers.iter().chain(readers).copied().collect();
            all.sort_unstable();
            all.dedup();
            all
        });
        both.collect()
    }

    pub(super) fn readers(&self, cell: CellId) -> &[TreeEvent] {
        self.readers.get(cell.0).map_or(&[], Vec::as_slice)
    }

    pub(super) fn writers(&self, cell: CellId) -> &[TreeEvent] {
        self.writers.get(cell.0).map_or(&[], Vec::as_slice)
    }
}

impl<S: Solver> System<S> {
    pub(super) fn access(&mut self, trees: &Trees, id: TreeEvent, access: &Access) -> Result<(), Outgrown> {
        let pieces = self.memory.cells.of(access.space, access.at).ok_or(Outgrown)?;
        let count = self.memory.cells.len();
        self.memory.writers.resize_with(count, Vec::new);
        self.memory.readers.resize_with(count, Vec::new);
        if let Some(guard) = access.guard {
            let holds = self.solver.term(&self.terms, guard);
            self.solver.clause(&[!self.happens[id.index()], holds]);
        }
        self.memory.pieces.insert(id, pieces.clone());
        let owns: Vec<Option<TreeEvent>> = match access.reads {
            Some(_) => pieces.iter().map(|&cell| self.own(trees, id, cell)).collect(),
            None => vec![None; pieces.len()],
        };
        if let Some(symbol) = access.reads {
            // Then some write, or what was there in the beginning, says what it sees.
            let mut all = pieces.iter().zip(&owns);
            if all.all(|(&cell, own)| {
                own.is_some() || initial_bytes(trees, self.memory.cells.get(cell)).is_some()
            }) {
                self.solver.follows(&self.terms, symbol);
            }
        }
        for (&cell, own) in pieces.iter().zip(owns) {
            if access.reads.is_some() {
                self.read(trees, id, cell, own);
            }
            if access.writes.is_some() {
                for reader in self.memory.readers[cell.0].clone() {
                    self.source(trees, reader, cell, id);
                }
                self.memory.writers[cell.0].push(id);
            }
            if access.reads.is_some() {
                self.memory.readers[cell.0].push(id);
            }
        }
        Ok(())
    }

    /// The last write of the same thread before a read.
    fn own(&self, trees: &Trees, id: TreeEvent, cell: CellId) -> Option<TreeEvent> {
        trees.back(id).find(|earlier| {
            let writes =
                trees.events[earlier.index()].act.access().is_some_and(|access| access.writes.is_some());
            writes && self.memory.pieces(*earlier).contains(&cell)
        })
    }

    /// Whether a read is also looked at where it does not happen.
    fn looks_ahead(&self, trees: &Trees, reader: TreeEvent) -> bool {
        let access = trees.events[reader.index()].act.access();
        access.is_some_and(|access| access.guard.is_some() || access.exchanges(&self.terms).is_some())
    }

    fn read(&mut self, trees: &Trees, id: TreeEvent, cell: CellId, own: Option<TreeEvent>) {
        let options = self.options.new_if(self.happens[id.index()]);
        let mut sight = Sight { options, own, sources: Vec::new() };
        if own.is_none() {
            let literal = self.solver.fresh();
            if let Some(initial) = initial(trees, self.memory.cells.get(cell)) {
                self.equal_if(literal, trees, id, cell, initial);
            }
            if !self.looks_ahead(trees, id) {
                self.solver.clause(&[!literal, self.happens[id.index()]]);
            }
            self.options.add(options, literal);
            sight.sources.push((None, literal));
        }
        self.memory.sights.insert((id, cell), sight);
        for writer in self.memory.writers[cell.0].clone() {
            self.source(trees, id, cell, writer);
        }
    }

    /// A write that a read may see, unless it is of the same thread and elsewhere.
    fn source(&mut self, trees: &Trees, reader: TreeEvent, cell: CellId, writer: TreeEvent) {
        let Some(sight) = self.memory.sights.get(&(reader, cell)) else { return };
        let (options, own) = (sight.options, sight.own);
        let mine = trees.events[reader.index()].thread == trees.events[writer.index()].thread;
        if mine && own != Some(writer) {
            return;
        }
        let literal = self.solver.fresh();
        let value = piece_of_write(trees, self.memory.cells.get(cell), writer);
        let Some((value, low, width)) = value else { return };
        let value = PieceValue::Part { value, low, width };
        self.equal_if(literal, trees, reader, cell, value);
        if !self.looks_ahead(trees, reader) {
            self.solver.clause(&[!literal, self.happens[reader.index()]]);
        }
        if mine {
            self.solver.clause(&[!literal, self.happens[writer.index()]]);
        } else {
            let (seen, _) = self.seen_since(writer);
            self.solver.clause(&[!literal, seen]);
            let reached = (reader, self.moments[reader.index()]);
            let before = self.written_before(trees, writer, reached);
            self.solver.clause(&[!literal, before]);
            // The thread's own store has left the buffer before that: otherwise it would see it.
            if let Some((commits, moment)) = own.and_then(|own| self.commits.get(&own).copied()) {
                let (_, since) = self.seen_since(writer);
                let (gone, older) =
                    (self.solver.before(moment, reached.1), self.solver.before(moment, since));
                self.solver.clause(&[!literal, commits]);
                self.solver.clause(&[!literal, gone]);
                self.solver.clause(&[!literal, older]);
            }
        }
        self.options.add(options, literal);
        if let Some(sight) = self.memory.sights.get_mut(&(reader, cell)) {
            sight.sources.push((Some(writer), literal));
        }
    }

    /// If the literal holds, what a read saw of a piece is this value.
    fn equal_if(
        &mut self,
        literal: Literal,
        trees: &Trees,
        reader: TreeEvent,
        cell: CellId,
        value: PieceValue,
    ) {
        let place = self.memory.cells.get(cell);
        let access = trees.events[reader.index()].act.access();
        let symbol = access.and_then(|access| access.reads.map(|symbol| (access.at.address, symbol)));
        let Some((address, symbol)) = symbol else { return };
        let width = ((place.end - place.start) * 8) as u32;
        let terms = &mut self.terms;
        let seen = terms.extract(symbol, ((place.start - address) * 8) as u32, width);
        let value = match value {
            PieceValue::Known(value) => terms.constant(width, value),
            PieceValue::Part { value, low, width } => terms.extract(value, low, width),
        };
        self.solver.equal_if(literal, terms, seen, value);
    }

    /// No other write comes between what a read sees and the read. Whether something was told.
    pub(super) fn exclude(&mut self, trees: &Trees, reader: TreeEvent, cell: CellId) -> bool {
        let Some(sight) = self.memory.sights.get(&(reader, cell)) else { return false };
        let chosen: Vec<_> =
            sight.sources.iter().copied().filter(|&(_, literal)| self.solver.holds(literal)).collect();
        self.exclude_others(trees, reader, cell, chosen)
    }

    /// As [`System::exclude`] for what a read may see, before it does.
    pub(super) fn exclude_early(&mut self, trees: &Trees, reader: TreeEvent, source: Option<TreeEvent>) {
        for cell in self.memory.pieces(reader).to_vec() {
            let Some(sight) = self.memory.sights.get(&(reader, cell)) else { continue };
            let chosen = sight.sources.iter().copied().filter(|&(other, _)| other == source).collect();
            self.exclude_others(trees, reader, cell, chosen);
        }
    }

    fn exclude_others(
        &mut self,
        trees: &Trees,
        reader: TreeEvent,
        cell: CellId,
        chosen: Vec<(Option<TreeEvent>, Literal)>,
    ) -> bool {
        let own = self.memory.sights.get(&(reader, cell)).and_then(|sight| sight.own);
        let writers = self.memory.writers[cell.0].clone();
        let thread = trees.events[reader.index()].thread;
        let mut told = false;
        for (source, seen) in chosen {
            self.memory.excluded.insert((reader, source));
            for &writer in &writers {
                let writes = trees.events[writer.index()].thread;
                let elsewhere = writes == thread && own != Some(writer);
                if Some(writer) == source || writer == reader || elsewhere {
                    continue;
                }
                if source.is_some_and(|source| {
                    let thread = trees.events[source.index()].thread;
                    // Of one thread, but never on one path.
                    thread == writes && !trees.precedes(source, writer) && !trees.precedes(writer, source)
                }) {
                    continue;
                }
                if !self.memory.told.insert((seen, writer)) {
                    continue;
                }
                let (written, since) = self.seen_since(writer);
                let mut clause = vec![!seen, !written];
                if let Some(source) = source {
                    let (_, moment) = self.seen_since(source);
                    clause.push(self.written_before(trees, writer, (source, moment)));
                    // It sees its own store while that is in the buffer, whatever is in memory.
                    if let Some((commits, moment)) =
                        self.commits.get(&source).copied().filter(|_| own == Some(source))
                    {
                        clause.extend([!commits, self.solver.before(self.moments[reader.index()], moment)]);
                    }
                }
                let later = match self.model {
                    Model::Sc => self.before(trees, reader, writer),
                    // Also where the read does not happen, since it is only looked at.
                    _ if writes == thread && !self.commits.contains_key(&writer) => {
                        self.before(trees, reader, writer)
                    }
                    _ => self.solver.before(self.moments[reader.index()], since),
                };
                clause.push(later);
                let clause: Vec<Literal> =
                    clause.into_iter().map(|literal| self.solver.choice(literal)).collect();
                self.solver.clause(&clause);
                told = true;
            }
        }
        told
    }
}

/// A value of a piece of memory.
enum PieceValue {
    Known(u128),
    /// Bits of an expression.
    Part {
        value: Term,
        low: u32,
        width: u32,
    },
}

/// What a piece holds in the beginning, if that is known.
fn initial(trees: &Trees, cell: super::cells::Cell) -> Option<PieceValue> {
    initial_bytes(trees, cell).map(PieceValue::Known)
}

/// What a piece holds in the beginning, if that is known.
pub(super) fn initial_bytes(trees: &Trees, cell: super::cells::Cell) -> Option<u128> {
    if cell.space != super::act::Space::Memory {
        return Some(0);
    }
    let mut value = 0;
    for (index, address) in (cell.start..cell.end).enumerate() {
        value |= u128::from(*trees.initial.get(&address)?) << (index * 8);
    }
    Some(value)
}

/// The part of a written value that lies in a piece: the value, the first bit and how many.
pub(super) fn piece_of_write(
    trees: &Trees,
    cell: super::cells::Cell,
    writer: TreeEvent,
) -> Option<(Term, u32, u32)> {
    let access = trees.events[writer.index()].act.access()?;
    let value = access.writes?;
    Some((value, ((cell.start - access.at.address) * 8) as u32, ((cell.end - cell.start) * 8) as u32))
}
