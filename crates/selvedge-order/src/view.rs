//! A prepared trace as a query sees it: what is available, what is changed, what must be and may be in an order.

use crate::clock::Clocks;
use crate::event::{Action, EventId};
use crate::moments::Moments;
use crate::prepare::{Count, Demand, Effect, Guard, MeaningGuard, NONE, Prepared, lock_value};
use crate::query::Requirement;
use selvedge_trace::Value;

/// An event with another outcome than the recorded one.
#[derive(Clone, Debug)]
pub(crate) struct Changed {
    pub node: u32,
    pub demands: Vec<Demand>,
    pub writes: Vec<(u32, u32)>,
    pub count: Option<Count>,
    pub effect: Effect,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Recorded,
    Free,
    Changed(u16),
}

/// What had been derived at some point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saved {
    limit: Vec<u16>,
    must: Vec<u16>,
    clocks: Clocks,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// How many nodes of each track are available.
    pub limit: Vec<u16>,
    /// How many nodes of each track are in every order that answers the query.
    pub must: Vec<u16>,
    /// How many nodes of each track can be of use.
    pub may: Vec<u16>,
    pub clocks: Clocks,
    pub changed: Vec<Changed>,
    /// Pairs of nodes whose order the query demands.
    pub edges: Vec<(u32, u32)>,
    pub last: Option<u32>,
    /// Orders with more nodes are of no interest.
    pub most: usize,
    /// What was derived from the recorded values has to be derived anew.
    pub anew: bool,
    /// That is put off until a short search has not helped: any order will do.
    pub lazy: bool,
    kinds: Vec<Kind>,
    /// Values that only changed events have.
    new_facts: Vec<(u32, Value)>,
    /// A node that has a value of a cell from a certain node (from the start: [`NONE`]): an assumption.
    assumed: Option<(u32, u32, u32)>,
    /// Nodes that have a value of a cell not from a certain node.
    excluded: Vec<(u32, u32, u32)>,
    pub moments: Moments,
    /// Writes that were looked at to derive something, in all queries.
    pub compared: u64,
    pub(crate) meeting: Vec<u16>,
    pub(crate) row: Vec<u16>,
    pub(crate) candidates: Vec<u32>,
}

impl View {
    /// The view without any query.
    pub fn recorded(p: &Prepared) -> Self {
        let mut view = View::default();
        view.begin(p);
        view.clocks.copy_from(&p.fixed);
        view
    }

    fn begin(&mut self, p: &Prepared) {
        let tracks = p.tracks();
        self.limit.clear();
        self.limit.extend_from_slice(&p.lengths);
        for counts in [&mut self.must, &mut self.may, &mut self.meeting, &mut self.row] {
            counts.clear();
            counts.resize(tracks, 0);
        }
        self.kinds.clear();
        self.kinds.resize(p.nodes.len(), Kind::Recorded);
        self.changed.clear();
        self.new_facts.clear();
        self.edges.clear();
        self.assumed = None;
        self.excluded.clear();
        self.last = None;
        self.most = usize::MAX;
        self.moments.begin(p);
    }

    /// The view of a query.
    pub fn ask(&mut self, p: &Prepared, required: &Requirement) {
        self.begin(p);
        for (thread, &limit) in required.limit.iter().enumerate() {
            self.limit[thread] = self.limit[thread].min(limit as u16);
            self.must[thread] = required.least[thread] as u16;
        }
        let node = |event: EventId| p.event_node(event);
        self.edges.extend(required.before.iter().map(|&(first, second)| (node(first), node(second))));
        if let Some(first) = required.first {
            let others = (0..p.threads).filter(|&thread| thread != first.thread as usize);
            let others = others.filter(|&thread| p.base[thread] < p.base[thread + 1]);
            self.edges.extend(others.map(|thread| (node(first), p.base[thread])));
        }
        self.last = required.last.map(node);
        for (&event, action) in &required.changed {
            let changed = self.change(p, node(event), action);
            self.kinds[changed.node as usize] = Kind::Changed(self.changed.len() as u16);
            self.changed.push(changed);
        }
        for &event in &required.free {
            self.kinds[node(event) as usize] = Kind::Free;
        }
        // What was derived from recorded values holds as long as no other event depends on what is different: a read
        // that ends its thread supplies no other node, and nothing comes after what ends the whole order. (Which thread
        // is woken by no notification because its time is over is different for others before that.)
        let silent = |changed: &Changed| {
            let node = &p.nodes[changed.node as usize];
            changed.writes.is_empty()
                && node.writes.is_empty()
                && changed.count.or(node.count).is_none()
                && [changed.effect, node.effect] == [Effect::None; 2]
        };
        let ends = |changed: &Changed| {
            let effects = [changed.effect, p.nodes[changed.node as usize].effect];
            self.last == Some(changed.node)
                && !effects.iter().any(|effect| matches!(effect, Effect::Wake { .. }))
        };
        self.lazy = required.any;
        self.anew = !(required.free.is_empty() || required.lean)
            || !self.changed.iter().all(|changed| silent(changed) || ends(changed));
        if self.anew {
            self.clocks.copy_from(&p.fixed);
        } else {
            self.clocks.copy_from(&p.recorded);
            for changed in &self.changed {
                self.clocks.row_mut(changed.node).copy_from_slice(p.fixed.row(changed.node));
            }
        }
    }

    fn change(&mut self, p: &Prepared, node: u32, action: &Action) -> Changed {
        let meaning = p.layout.meaning(&p.trace, action);
        let recorded = &p.demands[range(&p.nodes[node as usize].demands)];
        let demands = meaning.demands.into_iter().map(|(cell, value)| {
            let fact = self.fact(p, cell, value);
            let own = recorded.iter().find(|demand| demand.cell == cell);
            let (own, own_fact) = own.map_or((NONE, NONE), |demand| (demand.own, demand.own_fact));
            Demand { cell, fact, own, own_fact }
        });
        let demands = demands.collect();
        let writes = meaning.writes.into_iter().map(|(cell, value)| (cell, self.fact(p, cell, value)));
        let writes = writes.collect();
        let count = meaning.count.map(|(counter, guard, delta)| {
            let guard = match guard {
                MeaningGuard::Plain(guard) => guard,
                MeaningGuard::PositiveOrHeld(cell) => Guard::PositiveOr(self.fact(p, cell, lock_value(true))),
            };
            Count { counter, guard, delta }
        });
        Changed { node, demands, writes, count, effect: meaning.effect.unwrap_or(Effect::None) }
    }

    fn fact(&mut self, p: &Prepared, cell: u32, value: Value) -> u32 {
        let key = (cell, value);
        if let Some(&fact) = p.layout.facts.get(&key) {
            return fact;
        }
        let position = self.new_facts.iter().position(|other| *other == key).unwrap_or_else(|| {
            self.new_facts.push(key);
            self.new_facts.len() - 1
        });
        (p.facts.len() + position) as u32
    }

    /// Assumes that a node has a value of a cell from a certain node, or from the start.
    pub fn assume(&mut self, node: u32, cell: u32, supplier: u32) {
        self.assumed = Some((node, cell, supplier));
        self.moments.touch(node);
    }

    /// From now on, a node has a value of a cell not from a certain node, or not from the start.
    pub fn exclude(&mut self, node: u32, cell: u32, supplier: u32) {
        self.excluded.push((node, cell, supplier));
    }

    /// Whether a node may have a value of a cell from a certain node, as far as was assumed and excluded.
    pub fn may_supply(&self, node: u32, cell: u32, supplier: u32) -> bool {
        let assumed = self.assumed.filter(|&(reader, at, _)| (reader, at) == (node, cell));
        assumed.is_none_or(|(.., assumed)| assumed == supplier)
            && !self.excluded.contains(&(node, cell, supplier))
    }

    /// How many nodes are in every order.
    pub fn needed(&self) -> usize {
        self.must.iter().map(|&count| usize::from(count)).sum()
    }

    /// What has been derived so far, to come back to.
    pub fn save(&self, into: &mut Saved) {
        into.limit.clone_from(&self.limit);
        into.must.clone_from(&self.must);
        into.clocks.copy_from(&self.clocks);
    }

    /// Comes back to what had been derived, without the assumption.
    pub fn restore(&mut self, saved: &Saved) {
        self.limit.copy_from_slice(&saved.limit);
        self.must.copy_from_slice(&saved.must);
        self.clocks.copy_from(&saved.clocks);
        self.assumed = None;
        self.moments.calm(&saved.must);
    }

    /// How many values there are.
    pub fn facts(&self, p: &Prepared) -> usize {
        p.facts.len() + self.new_facts.len()
    }

    fn of(&self, node: u32) -> Option<&Changed> {
        match self.kinds[node as usize] {
            Kind::Changed(index) => Some(&self.changed[index as usize]),
            Kind::Recorded | Kind::Free => None,
        }
    }

    /// Whether the query gives a node another outcome.
    pub fn is_changed(&self, node: u32) -> bool {
        self.of(node).is_some()
    }

    /// What a node must see.
    pub fn demands<'a>(&'a self, p: &'a Prepared, node: u32) -> &'a [Demand] {
        match self.kinds[node as usize] {
            Kind::Recorded => &p.demands[range(&p.nodes[node as usize].demands)],
            Kind::Free => &[],
            Kind::Changed(index) => &self.changed[index as usize].demands,
        }
    }

    /// How many demands a node has, and one of them: for loops that change the view.
    pub fn demand(&self, p: &Prepared, node: u32, index: usize) -> Option<Demand> {
        self.demands(p, node).get(index).copied()
    }

    /// What a node writes: calls back with cell and fact.
    pub fn each_write(&self, p: &Prepared, node: u32, mut call: impl FnMut(u32, u32)) {
        match self.of(node) {
            Some(changed) => changed.writes.iter().for_each(|&(cell, fact)| call(cell, fact)),
            None => {
                let writes = range(&p.nodes[node as usize].writes);
                writes.for_each(|index| call(p.write_cells[index], p.writes[index]));
            }
        }
    }

    pub fn count(&self, p: &Prepared, node: u32) -> Option<Count> {
        self.of(node).map_or(p.nodes[node as usize].count, |changed| changed.count)
    }

    pub fn effect(&self, p: &Prepared, node: u32) -> Effect {
        self.of(node).map_or(p.nodes[node as usize].effect, |changed| changed.effect)
    }

    /// Nodes that write a value.
    pub fn writers<'a>(&'a self, p: &'a Prepared, fact: u32) -> impl Iterator<Item = u32> + 'a {
        let recorded = p.facts.get(fact as usize).map_or(&[][..], |fact| &fact.writers);
        let recorded = recorded.iter().copied().filter(|&node| self.of(node).is_none());
        let writes = move |changed: &&Changed| changed.writes.iter().any(|&(_, written)| written == fact);
        recorded.chain(self.changed.iter().filter(writes).map(|changed| changed.node))
    }

    /// Nodes that write another value to a cell.
    pub fn overwriters<'a>(
        &'a self,
        p: &'a Prepared,
        cell: u32,
        fact: u32,
    ) -> impl Iterator<Item = u32> + 'a {
        let recorded = p.cells[cell as usize].writers.iter().copied();
        let recorded = recorded.filter(|&(node, _)| self.of(node).is_none());
        let changed = self.changed.iter().flat_map(move |changed| {
            let own = changed.writes.iter().filter(move |&&(other, _)| other == cell);
            own.map(|&(_, fact)| (changed.node, fact))
        });
        recorded.chain(changed).filter(move |&(_, other)| other != fact).map(|(node, _)| node)
    }

    /// Whether a node is available.
    pub fn available(&self, p: &Prepared, node: u32) -> bool {
        let node = &p.nodes[node as usize];
        node.index < self.limit[node.track as usize]
    }

    /// Whether a node is in every order that answers the query.
    pub fn is_must(&self, p: &Prepared, node: u32) -> bool {
        let node = &p.nodes[node as usize];
        node.index < self.must[node.track as usize]
    }
}

pub(crate) fn range(range: &std::ops::Range<u32>) -> std::ops::Range<usize> {
    range.start as usize..range.end as usize
}
