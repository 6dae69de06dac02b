//! Which events can be of use for a query.
//!
//! If any order answers the query, then so does what is left of it when everything else is taken out: whatever a
//! node that stays needs of others (a value, a lock given back, a notification, a count) comes from nodes that stay.

use crate::clock::raise;
use crate::prepare::{Effect, Guard, NONE, Prepared};
use crate::view::View;

impl View {
    /// Computes which nodes may be of use, starting with those that must be in the order.
    pub fn relate(&mut self, p: &Prepared, dirty: &mut Vec<bool>) {
        dirty.clear();
        dirty.resize(p.cells.len(), false);
        let mut may = std::mem::take(&mut self.may);
        may.copy_from_slice(&self.must);
        let mut looked = vec![0_u16; p.tracks()];
        loop {
            let before = may.clone();
            let was_dirty = dirty.clone();
            self.spread(p, &mut may);
            for (track, (looked, &may)) in looked.iter_mut().zip(&may).enumerate() {
                for index in *looked..may {
                    self.each_write(p, p.node(track, index), |cell, fact| {
                        dirty[cell as usize] |= p.cells[cell as usize].initial != fact;
                    });
                }
                *looked = may;
            }
            for (track, &looked) in looked.iter().enumerate() {
                for index in 0..looked {
                    self.needs(p, p.node(track, index), dirty, &mut may);
                }
            }
            if may == before && *dirty == was_dirty {
                break;
            }
        }
        self.may = may;
    }

    /// What must come before something that may be of use may be of use.
    fn spread(&self, p: &Prepared, may: &mut [u16]) {
        loop {
            let mut more = false;
            for track in 0..p.tracks() {
                if let Some(last) = may[track].checked_sub(1) {
                    more |= raise(may, self.clocks.row(p.node(track, last)));
                }
            }
            if !more {
                return;
            }
        }
    }

    fn admit(&self, p: &Prepared, node: u32, may: &mut [u16]) {
        let description = &p.nodes[node as usize];
        let count = &mut may[description.track as usize];
        if self.available(p, node) && *count <= description.index {
            *count = description.index + 1;
            raise(may, self.clocks.row(node));
        }
    }

    fn needs(&self, p: &Prepared, node: u32, dirty: &[bool], may: &mut [u16]) {
        for demand in self.demands(p, node) {
            let cell = &p.cells[demand.cell as usize];
            if cell.is_lock && cell.initial == demand.fact {
                // A section that is not begun needs no end.
                for &lock in &cell.locks {
                    let description = &p.nodes[lock as usize];
                    if description.index < may[description.track as usize] && description.release != NONE {
                        self.admit(p, description.release, may);
                    }
                }
            } else if cell.initial != demand.fact || dirty[demand.cell as usize] {
                self.writers(p, demand.fact).for_each(|writer| self.admit(p, writer, may));
            }
        }
        if let Some(count) = self.count(p, node) {
            let of_use = |delta: i32| match count.guard {
                Guard::Any => false,
                Guard::Positive => delta > 0,
                Guard::Zero => delta < 0,
                Guard::PositiveOr(_) | Guard::Arrives { .. } => true,
            };
            for &other in &p.counters[count.counter as usize].nodes {
                if self.count(p, other).is_some_and(|count| of_use(count.delta)) {
                    self.admit(p, other, may);
                }
            }
            if let Guard::PositiveOr(held) = count.guard {
                self.writers(p, held).for_each(|writer| self.admit(p, writer, may));
            }
        }
        match self.effect(p, node) {
            Effect::Wake { queue, expired: false } => {
                p.queues[queue as usize].notifies.iter().for_each(|&other| self.admit(p, other, may));
                let changed = self.changed.iter().map(|changed| changed.node);
                changed.for_each(|other| self.admit(p, other, may));
            }
            Effect::Notify { queue, woken: Some(_), .. } => {
                let queue = &p.queues[queue as usize];
                queue.waits.iter().chain(&queue.notifies).for_each(|&other| self.admit(p, other, may));
            }
            Effect::None | Effect::Wait { .. } | Effect::Wake { .. } | Effect::Notify { woken: None, .. } => {
            }
        }
    }
}
