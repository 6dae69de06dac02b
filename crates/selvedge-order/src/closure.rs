//! What must come before what, derived until nothing new follows.
//!
//! Every rule holds in every order that answers the query (for the rows of nodes that need not be in the order: in
//! every order that contains them). So the search may rely on it, and a contradiction is the answer.

use crate::clock::{Clocks, lower, raise};
use crate::prepare::{Count, Effect, Guard, NONE, Prepared};
use crate::view::{Saved, View};

/// Nodes after which it is looked whether to stop. What was derived until then holds.
const LOOKS: usize = 256;

/// Assumptions after which probing ends, altogether and since one has led to anything.
const ASSUMPTIONS: usize = 200;
const FRUITLESS: usize = 60;

/// There is no order, or none that is small enough.
pub(crate) struct Contradiction;

impl Prepared {
    /// What is fixed, with all that comes before that.
    pub(crate) fn close_fixed(&self) -> Clocks {
        let mut view = View::recorded(self);
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &self.order {
                changed |= view.inherit(self, node);
            }
        }
        view.clocks
    }

    /// What follows from the recorded values alone.
    pub(crate) fn close_recorded(&self, stop: &dyn Fn() -> bool) -> Clocks {
        let mut view = View::recorded(self);
        while view.derive_all(self, stop) {}
        view.clocks
    }
}

impl View {
    /// Derives all that follows from the query, and with it what must be in every order; less if it is to stop.
    pub fn close(&mut self, p: &Prepared, stop: &dyn Fn() -> bool) -> Result<(), Contradiction> {
        if self.anew && !self.lazy {
            self.anew = false;
            while self.derive_all(p, stop) {}
            self.moments.forget();
        }
        for index in 0..self.changed.len() {
            self.derive(p, self.changed[index].node);
        }
        loop {
            let mut changed = self.cut(p);
            for index in 0..self.edges.len() {
                let (first, second) = self.edges[index];
                changed |= self.add(p, second, first);
            }
            changed |= self.require(p)?;
            for (number, &node) in p.order.iter().enumerate() {
                if self.is_must(p, node) && self.is_stale(p, node) {
                    self.moments.deriving(node);
                    changed |= self.derive(p, node);
                }
                if number % LOOKS == LOOKS - 1 && stop() {
                    return Ok(());
                }
            }
            if let Some(last) = self.last {
                changed |= self.end_with(p, last);
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Takes away all that cannot happen because of what is not available.
    pub fn confine(&mut self, p: &Prepared) {
        while self.cut(p) {}
    }

    fn derive_all(&mut self, p: &Prepared, stop: &dyn Fn() -> bool) -> bool {
        let mut changed = self.cut(p);
        for (number, &node) in p.order.iter().enumerate() {
            if self.available(p, node) && self.is_stale(p, node) {
                self.moments.deriving(node);
                changed |= self.derive(p, node);
            }
            if number % LOOKS == LOOKS - 1 && stop() {
                return false;
            }
        }
        changed
    }

    /// Takes away nodes that cannot happen because something before them cannot.
    fn cut(&mut self, p: &Prepared) -> bool {
        let mut changed = false;
        let (last, all) = self.moments.cut();
        for track in 0..p.tracks() {
            if !all && !changed && !self.moments.raised_since(track, last) {
                continue;
            }
            for index in 0..self.limit[track] {
                let row = self.clocks.row(p.node(track, index));
                let beyond = row.iter().zip(&self.limit).any(|(count, limit)| count > limit);
                if beyond || row[track] > index {
                    changed |= self.forbid(p, p.node(track, index));
                    break;
                }
            }
        }
        changed
    }

    fn forbid(&mut self, p: &Prepared, node: u32) -> bool {
        let node = &p.nodes[node as usize];
        let track = node.track as usize;
        let limit = self.limit[track];
        if limit <= node.index {
            return false;
        }
        self.limit[track] = node.index;
        self.taken_away(p, track, node.index..limit);
        true
    }

    /// What must come before something that must be in the order must be in it as well.
    fn require(&mut self, p: &Prepared) -> Result<bool, Contradiction> {
        let mut changed = false;
        loop {
            let mut more = false;
            for track in 0..p.tracks() {
                if self.must[track] > self.limit[track] {
                    return Err(Contradiction);
                }
                if let Some(last) = self.must[track].checked_sub(1) {
                    more |= raise(&mut self.must, self.clocks.row(p.node(track, last)));
                }
            }
            if !more {
                return if self.needed() > self.most { Err(Contradiction) } else { Ok(changed) };
            }
            self.moments.require();
            changed = true;
        }
    }

    /// One node comes before another, with all that comes before it.
    fn add(&mut self, p: &Prepared, node: u32, earlier: u32) -> bool {
        let changed = self.clocks.add(node, earlier, &p.nodes[earlier as usize]);
        if changed {
            self.raised(p, node);
        }
        changed
    }

    fn end_with(&mut self, p: &Prepared, last: u32) -> bool {
        let node = &p.nodes[last as usize];
        let mut row = std::mem::take(&mut self.row);
        row.copy_from_slice(&self.must);
        row[node.track as usize] = node.index;
        let changed = self.clocks.raise(last, &row);
        self.row = row;
        if changed {
            self.raised(p, last);
        }
        changed
    }

    /// What comes before something that comes before a node comes before it.
    fn inherit(&mut self, p: &Prepared, node: u32) -> bool {
        let this = &p.nodes[node as usize];
        let mut changed = false;
        if let Some(previous) = p.previous(node) {
            changed |= self.add(p, node, previous);
        }
        for track in 0..p.tracks() {
            let count = self.clocks.row(node)[track];
            if count > 0 && track != this.track as usize && count <= self.limit[track] {
                let earlier = p.node(track, count - 1);
                changed |= self.add(p, node, earlier);
            }
        }
        changed
    }

    /// Everything that follows for one node.
    fn derive(&mut self, p: &Prepared, node: u32) -> bool {
        let mut changed = self.inherit(p, node);
        let must = self.is_must(p, node);
        let mut index = 0;
        while let Some(demand) = self.demand(p, node, index) {
            index += 1;
            if demand.forwards() {
                continue;
            }
            if demand.own != NONE {
                changed |= self.add(p, node, demand.own);
            }
            let initial = self.find_suppliers(p, node, demand.cell, demand.fact);
            if !initial {
                changed |= self.meet(p, node);
            }
            if must {
                changed |= self.keep_apart(p, node, demand.cell, demand.fact, initial);
            }
        }
        changed |= self.follow_locks(p, node, must);
        changed | self.follow_waits(p, node, must)
    }

    /// Collects the nodes from which a node can have a value; returns whether it can be the initial one.
    fn find_suppliers(&mut self, p: &Prepared, node: u32, cell: u32, fact: u32) -> bool {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        self.compared += p.cells[cell as usize].writers.len() as u64;
        let this = &p.nodes[node as usize];
        let clocks = &self.clocks;
        let before = |other: u32| clocks.has(node, &p.nodes[other as usize]);
        let possible = |&writer: &u32| {
            writer != node && self.available(p, writer) && !clocks.has(writer, this) && {
                let description = &p.nodes[writer as usize];
                let between = |other: u32| before(other) && clocks.has(other, description);
                !self.overwriters(p, cell, fact).any(|other| other != writer && between(other))
            }
        };
        let allowed = |writer: &u32| self.may_supply(node, cell, *writer);
        candidates.extend(self.writers(p, fact).filter(allowed).filter(possible));
        let initial = p.cells[cell as usize].initial == fact
            && allowed(&NONE)
            && !self.overwriters(p, cell, fact).any(before);
        self.candidates = candidates;
        initial
    }

    /// Assumes of every node that must be in the order, one after the other, that it has its values from each of
    /// those that it can have them from. What leads to a contradiction is excluded; what follows in all cases is
    /// derived. Ends after so many assumptions that it pays.
    pub fn probe(
        &mut self,
        p: &Prepared,
        saved: &mut Saved,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Contradiction> {
        self.lazy = false;
        self.close(p, stop)?;
        let (mut assumptions, mut fruitful) = (0, 0);
        loop {
            let mut changed = false;
            // Backwards: what the query asks for is more often decided by what comes last.
            for &node in p.order.iter().rev() {
                if self.is_must(p, node) {
                    let learnt = self.probe_node(p, node, saved, &mut assumptions, stop)?;
                    if learnt {
                        (changed, fruitful) = (true, assumptions);
                    }
                }
                if assumptions > ASSUMPTIONS || assumptions > fruitful + FRUITLESS || stop() {
                    return Ok(());
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    fn probe_node(
        &mut self,
        p: &Prepared,
        node: u32,
        saved: &mut Saved,
        assumptions: &mut usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, Contradiction> {
        let mut changed = false;
        let mut number = 0;
        while let Some(demand) = self.demand(p, node, number) {
            number += 1;
            if demand.forwards() {
                continue;
            }
            let initial = self.find_suppliers(p, node, demand.cell, demand.fact);
            let mut suppliers = self.candidates.clone();
            suppliers.extend(initial.then_some(NONE));
            if suppliers.len() < 2 {
                continue;
            }
            *assumptions += suppliers.len();
            self.save(saved);
            let mut always = vec![u16::MAX; p.tracks()];
            let mut excluded = false;
            for supplier in suppliers {
                self.assume(node, demand.cell, supplier);
                match self.close(p, stop) {
                    Ok(()) => {
                        lower(&mut always, &self.must);
                        self.restore(saved);
                    }
                    Err(Contradiction) => {
                        self.restore(saved);
                        self.exclude(node, demand.cell, supplier);
                        excluded = true;
                    }
                }
            }
            if always[0] == u16::MAX {
                return Err(Contradiction);
            }
            let more = raise(&mut self.must, &always);
            if more {
                self.moments.require();
            }
            if excluded {
                self.moments.touch(node);
            }
            if more || excluded {
                self.close(p, stop)?;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// What comes before every candidate comes before the node.
    fn meet(&mut self, p: &Prepared, node: u32) -> bool {
        if self.candidates.is_empty() {
            return self.forbid(p, node);
        }
        let mut meeting = std::mem::take(&mut self.meeting);
        meeting.fill(u16::MAX);
        for &candidate in &self.candidates {
            let description = &p.nodes[candidate as usize];
            self.row.copy_from_slice(self.clocks.row(candidate));
            let own = &mut self.row[description.track as usize];
            *own = (*own).max(description.index + 1);
            lower(&mut meeting, &self.row);
        }
        let changed = self.clocks.raise(node, &meeting);
        self.meeting = meeting;
        if changed {
            self.raised(p, node);
        }
        changed
    }

    /// Writes of other values come before the only supplier or after the node that needs it.
    fn keep_apart(&mut self, p: &Prepared, node: u32, cell: u32, fact: u32, initial: bool) -> bool {
        let mut changed = false;
        let only = if initial || self.candidates.len() != 1 { None } else { Some(self.candidates[0]) };
        let candidates = std::mem::take(&mut self.candidates);
        let recorded = p.cells[cell as usize].writers.len();
        let all = recorded + self.changed.len();
        for index in 0..all {
            let Some(other) = self.overwriter(p, cell, fact, index) else { continue };
            if other == node || !self.available(p, other) {
                continue;
            }
            let description = &p.nodes[other as usize];
            if self.clocks.has(node, description) {
                if let Some(only) = only.filter(|&only| only != other) {
                    changed |= self.add(p, only, other);
                }
            } else if !self.clocks.has(other, &p.nodes[node as usize])
                && candidates.iter().all(|&candidate| {
                    candidate == other || self.clocks.has(other, &p.nodes[candidate as usize])
                })
            {
                changed |= self.add(p, other, node);
            }
        }
        self.candidates = candidates;
        changed
    }

    /// The how many-th write of a cell, if it is one of another value.
    fn overwriter(&self, p: &Prepared, cell: u32, fact: u32, index: usize) -> Option<u32> {
        let writers = &p.cells[cell as usize].writers;
        match writers.get(index) {
            Some(&(node, other)) => (other != fact && !self.is_changed(node)).then_some(node),
            None => {
                let changed = &self.changed[index - writers.len()];
                let other = |&&(written, value): &&(u32, u32)| written == cell && value != fact;
                changed.writes.iter().find(other).map(|_| changed.node)
            }
        }
    }

    /// The thread that takes a lock first gives it back before the other one takes it.
    fn follow_locks(&mut self, p: &Prepared, node: u32, must: bool) -> bool {
        if p.nodes[node as usize].release == NONE && !self.takes_lock(p, node) {
            return false;
        }
        let mut changed = false;
        let released = |view: &View, lock: u32| {
            let release = p.nodes[lock as usize].release;
            (release != NONE && view.available(p, release)).then_some(release)
        };
        let own_release = released(self, node);
        let mut index = 0;
        while let Some(demand) = self.demand(p, node, index) {
            index += 1;
            if !p.cells[demand.cell as usize].is_lock || p.cells[demand.cell as usize].initial != demand.fact
            {
                continue;
            }
            for &other in &p.cells[demand.cell as usize].locks {
                if other == node || !self.available(p, other) || self.is_changed(other) {
                    continue;
                }
                let description = &p.nodes[other as usize];
                let other_must = self.is_must(p, other);
                let first = self.clocks.has(node, description)
                    || must
                        && other_must
                        && own_release.is_none_or(|release| self.clocks.has(release, description));
                if first {
                    changed |= match released(self, other) {
                        Some(release) => self.add(p, node, release),
                        None => self.forbid(p, node),
                    };
                }
            }
        }
        changed
    }

    fn takes_lock(&self, p: &Prepared, node: u32) -> bool {
        let mut takes = false;
        self.each_write(p, node, |cell, fact| {
            let cell = &p.cells[cell as usize];
            takes |= cell.is_lock && cell.initial != fact;
        });
        takes
    }

    /// Some notification reaches a thread between its wait and its going on; a semaphore without anything needs a post.
    fn follow_waits(&mut self, p: &Prepared, node: u32, must: bool) -> bool {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let this = &p.nodes[node as usize];
        let mut wait = None;
        let (mut needed, mut impossible) = (true, false);
        let possible =
            |other: u32| other != node && self.available(p, other) && !self.clocks.has(other, this);
        match (self.effect(p, node), self.count(p, node)) {
            (Effect::Wake { queue, expired: false }, _) => {
                wait = p.previous(node);
                let early =
                    |other: u32| wait.is_some_and(|wait| self.clocks.has(wait, &p.nodes[other as usize]));
                let all = p.queues[queue as usize].notifies.iter().copied();
                let all = all.filter(|&other| !self.is_changed(other));
                let changed = self.changed.iter().map(|changed| changed.node);
                let changed = changed.filter(
                    |&other| matches!(self.effect(p, other), Effect::Notify { queue: at, .. } if at == queue),
                );
                candidates.extend(all.chain(changed).filter(|&other| possible(other) && !early(other)));
            }
            (_, Some(count))
                if count.guard == Guard::Positive && p.counters[count.counter as usize].initial == 0 =>
            {
                let posts = p.counters[count.counter as usize].nodes.iter().copied();
                let posts = posts.filter(|&other| self.count(p, other).is_some_and(|count| count.delta > 0));
                candidates.extend(posts.filter(|&other| possible(other)));
            }
            (_, Some(Count { counter, guard: Guard::Arrives { needed: threads, last }, .. })) => {
                // No thread is last before enough others are there, and one that is alone is always last.
                needed = false;
                let others = p.counters[counter as usize].nodes.iter();
                let others = others.filter(|&&other| possible(other)).count() as u32;
                impossible = if last { others + 1 < threads } else { threads == 1 };
            }
            _ => needed = false,
        }
        self.candidates = candidates;
        if impossible {
            return self.forbid(p, node);
        }
        if !needed {
            return false;
        }
        let mut changed = self.meet(p, node);
        if let (true, [only], Some(wait)) = (must, &self.candidates[..], wait) {
            let only = *only;
            changed |= self.add(p, only, wait);
        }
        changed
    }
}
