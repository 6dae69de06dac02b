//! When rows were raised, and so what has to be derived again: only what depends on something that has changed since.

use crate::prepare::{Effect, Prepared};
use crate::view::View;

/// Moments are counted from 1; 0 means never.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moments {
    now: u32,
    /// When the row of a node was raised.
    row: Vec<u32>,
    /// When a row of a track was raised.
    track: Vec<u32>,
    /// When the row of a node that writes a cell was raised, or such a node was taken away.
    cell: Vec<u32>,
    /// The same for nodes that wait, notify or count.
    synchronised: u32,
    /// When something was found to be in every order.
    must: u32,
    /// When something was taken away.
    limit: u32,
    /// When all that follows for a node was derived.
    derived: Vec<u32>,
    /// When everything had been derived, and how much of each track was in every order then.
    calm: u32,
    calm_must: Vec<u16>,
    /// When it was looked what can happen at all.
    cut: u32,
}

impl Moments {
    /// Nothing has been derived.
    pub fn begin(&mut self, p: &Prepared) {
        *self = Moments {
            now: 1,
            row: std::mem::take(&mut self.row),
            track: std::mem::take(&mut self.track),
            cell: std::mem::take(&mut self.cell),
            derived: std::mem::take(&mut self.derived),
            calm_must: std::mem::take(&mut self.calm_must),
            ..Moments::default()
        };
        for (moments, length) in [
            (&mut self.row, p.nodes.len()),
            (&mut self.track, p.tracks()),
            (&mut self.cell, p.cells.len()),
            (&mut self.derived, p.nodes.len()),
        ] {
            moments.clear();
            moments.resize(length, 0);
        }
        self.calm_must.clear();
        self.calm_must.resize(p.tracks(), 0);
    }

    /// What was derived so far was derived for other purposes.
    pub fn forget(&mut self) {
        self.derived.fill(0);
    }

    /// Something about a node is different from now on.
    pub fn touch(&mut self, node: u32) {
        self.now += 1;
        self.row[node as usize] = self.now;
    }

    /// More is in every order from now on.
    pub fn require(&mut self) {
        self.now += 1;
        self.must = self.now;
    }

    /// Everything that follows for these nodes has been derived.
    pub fn calm(&mut self, must: &[u16]) {
        self.now += 1;
        (self.calm, self.cut) = (self.now, self.now);
        self.calm_must.copy_from_slice(must);
    }

    /// All that follows for a node is about to be derived.
    pub fn deriving(&mut self, node: u32) {
        self.derived[node as usize] = self.now;
    }

    /// Whether what can happen at all may have changed since the last time; for each track.
    pub fn cut(&mut self) -> (u32, bool) {
        let last = std::mem::replace(&mut self.cut, self.now);
        (last, last == 0 || self.limit > last)
    }

    /// Whether a row of a track was raised since.
    pub fn raised_since(&self, track: usize, moment: u32) -> bool {
        self.track[track] > moment
    }
}

impl View {
    /// The row of a node was raised.
    pub fn raised(&mut self, p: &Prepared, node: u32) {
        self.moments.now += 1;
        let now = self.moments.now;
        self.moments.row[node as usize] = now;
        self.moments.track[p.nodes[node as usize].track as usize] = now;
        self.concerns(p, node);
    }

    /// Nodes of a track are not available any more.
    pub fn taken_away(&mut self, p: &Prepared, track: usize, nodes: std::ops::Range<u16>) {
        self.moments.now += 1;
        self.moments.limit = self.moments.now;
        for index in nodes {
            self.concerns(p, p.node(track, index));
        }
    }

    /// The nodes that depend on what a node does have to be looked at again.
    fn concerns(&mut self, p: &Prepared, node: u32) {
        let now = self.moments.now;
        let mut cells = std::mem::take(&mut self.moments.cell);
        self.each_write(p, node, |cell, _| cells[cell as usize] = now);
        self.moments.cell = cells;
        if self.count(p, node).is_some() || self.effect(p, node) != Effect::None {
            self.moments.synchronised = now;
        }
    }

    /// Whether something that a node depends on has changed since all that follows for it was derived.
    pub fn is_stale(&self, p: &Prepared, node: u32) -> bool {
        let moments = &self.moments;
        let this = &p.nodes[node as usize];
        let (track, derived) = (this.track as usize, moments.derived[node as usize]);
        let last = match this.index < moments.calm_must[track] {
            true => derived.max(moments.calm),
            false if derived <= moments.calm => return true,
            false => derived,
        };
        let raised = |other: u32| moments.row[other as usize] > last;
        let earlier = |(track, &count): (usize, &u16)| {
            count > 0 && count <= self.limit[track] && raised(p.node(track, count - 1))
        };
        raised(node)
            || p.previous(node).is_some_and(raised)
            || self.clocks.row(node).iter().enumerate().any(earlier)
            || self.demands(p, node).iter().any(|demand| {
                moments.cell[demand.cell as usize] > last
                    || moments.must > last && p.cells[demand.cell as usize].is_lock
            })
            || moments.synchronised > last
                && (self.count(p, node).is_some() || self.effect(p, node) != Effect::None)
    }
}
