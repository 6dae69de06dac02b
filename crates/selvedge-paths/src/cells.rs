//! Memory in pieces that every access takes as a whole or not at all.

use super::act::Space;
use super::execution::Location;
use std::collections::BTreeMap;

/// A piece of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CellId(pub(super) usize);

/// Where a piece lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) space: Space,
    pub(super) start: u64,
    pub(super) end: u64,
}

/// All pieces.
#[derive(Debug, Default)]
pub(super) struct Cells {
    all: Vec<Cell>,
    index: BTreeMap<(Space, u64), CellId>,
}

impl Cells {
    /// The pieces that these accesses need: cut wherever one of them begins or ends.
    pub(super) fn new(accesses: impl Iterator<Item = (Space, Location)> + Clone) -> Self {
        let mut cuts: Vec<(Space, u64)> =
            accesses.clone().flat_map(|(space, at)| [(space, at.address), (space, at.end())]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut cells = Cells::default();
        for (space, at) in accesses {
            let from = cuts.partition_point(|&cut| cut < (space, at.address));
            let inside = cuts[from..].iter().take_while(|&&cut| cut <= (space, at.end()));
            let points: Vec<u64> = inside.map(|&(_, point)| point).collect();
            for pair in points.windows(2) {
                cells.insert(space, pair[0], pair[1]);
            }
        }
        cells
    }

    fn insert(&mut self, space: Space, start: u64, end: u64) {
        let id = CellId(self.all.len());
        if let std::collections::btree_map::Entry::Vacant(entry) = self.index.entry((space, start)) {
            entry.insert(id);
            self.all.push(Cell { space, start, end });
        }
    }

    pub(super) fn get(&self, cell: CellId) -> Cell {
        self.all[cell.0]
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The pieces of an access; nothing if a piece would have to be cut.
    pub(super) fn of(&mut self, space: Space, at: Location) -> Option<Vec<CellId>> {
        let before = self.index.range(..(space, at.address)).next_back();
        if let Some((&(other, _), &cell)) = before
            && other == space
            && self.all[cell.0].end > at.address
        {
            return None;
        }
        let there: Vec<CellId> =
            self.index.range((space, at.address)..(space, at.end())).map(|(_, &cell)| cell).collect();
        if there.iter().any(|cell| self.all[cell.0].end > at.end()) {
            return None;
        }
        // What lies between them is new.
        let mut point = at.address;
        let last = Cell { space, start: at.end(), end: at.end() };
        let known: Vec<Cell> = there.into_iter().map(|cell| self.all[cell.0]).chain([last]).collect();
        for cell in known {
            if point < cell.start {
                self.insert(space, point, cell.start);
            }
            point = cell.end;
        }
        Some(self.index.range((space, at.address)..(space, at.end())).map(|(_, &cell)| cell).collect())
    }
}
