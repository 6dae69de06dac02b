//! The models as they are written down: relational algebra over complete executions.
//!
//! Deliberately without any of the shortcuts of the rest of the crate, with which this is compared.

use super::algebra::Relation;
use selvedge_relations::{EventId, Kind, Label, Rules};
use selvedge_trace::MemoryOrder;

/// An event of a complete execution. The initial writes are events without a thread.
#[derive(Clone, Debug)]
pub struct Node {
    /// Which one; nothing for an initial write.
    pub id: Option<EventId>,
    /// What it is, with the order that it turned out to have.
    pub label: Label,
    /// Where it reads from, as an index of a node.
    pub source: Option<usize>,
}

/// Executions as relations.
pub struct Execution<'a> {
    nodes: &'a [Node],
    sb: Relation,
    rf: Relation,
    rmw: Relation,
    hb: Relation,
}

impl<'a> Execution<'a> {
    /// What does not depend on modification order.
    pub fn new(nodes: &'a [Node]) -> Self {
        let count = nodes.len();
        let sb = Relation::new(count, |a, b| match (nodes[a].id, nodes[b].id) {
            (None, Some(_)) => true,
            (Some(a), Some(b)) => a.thread == b.thread && a.index < b.index,
            _ => false,
        });
        let rf = Relation::new(count, |a, b| nodes[b].source == Some(a));
        let next = |a: usize, b: usize| match (nodes[a].id, nodes[b].id) {
            (Some(a), Some(b)) => a.thread == b.thread && a.index + 1 == b.index,
            _ => false,
        };
        let rmw = Relation::new(count, |a, b| {
            next(a, b)
                && nodes[a].label.kind == (Kind::Read { exclusive: true })
                && nodes[b].label.kind == (Kind::Write { exclusive: true })
        });
        let empty = Relation::new(count, |_, _| false);
        let mut execution = Execution { nodes, sb, rf, rmw, hb: empty };
        execution.hb = execution.sb.or(&execution.synchronises()).closure();
        execution
    }

    /// `[set]`
    fn only(&self, set: impl Fn(&Node) -> bool) -> Relation {
        Relation::new(self.nodes.len(), |a, b| a == b && set(&self.nodes[a]))
    }

    /// C++20: a release sequence is a write and the chain of read-modify-writes that starts with it.
    fn synchronises(&self) -> Relation {
        let releases = self.only(|node| releases(node.label.order) && !is_read(node));
        let acquires = self.only(|node| acquires(node.label.order) && !is_write(node));
        let fence = self.only(is_fence);
        let atomic_write = self.only(|node| is_write(node) && is_atomic(node));
        let atomic_read = self.only(|node| is_read(node) && is_atomic(node));
        let sequence = atomic_write.then(&self.rf.then(&self.rmw).closure().maybe());
        let before = fence.then(&self.sb).maybe();
        let after = self.sb.then(&fence).maybe();
        let memory = releases.then(&before).then(&sequence).then(&self.rf).then(&atomic_read);
        let mutexes = self.rf.then(&self.only(|node| node.label.kind == Kind::Lock));
        let mutexes = self.only(|node| node.id.is_some()).then(&mutexes);
        memory.then(&after).then(&acquires).or(&mutexes)
    }

    /// `fr`: a read, and what overwrites what it read
    fn reads_before(&self, mo: &Relation) -> Relation {
        let same = Relation::new(self.nodes.len(), |a, b| a == b);
        self.rf.inverse().then(mo).without(&same)
    }

    /// Coherence and atomicity. Both concern each location by itself: `mo` may be that of one.
    pub fn is_coherent(&self, mo: &Relation, location: u32) -> bool {
        let rf = self.rf.then(&self.only(|node| !is_fence(node) && node.label.location == location));
        let fr = self.reads_before(mo);
        let eco = rf.or(mo).or(&fr).closure();
        self.hb.then(&eco.maybe()).is_irreflexive() && self.rmw.and(&fr.then(mo)).is_empty()
    }

    /// Whether nothing causes itself.
    pub fn is_caused(&self) -> bool {
        self.sb.or(&self.rf).is_acyclic()
    }

    /// Whether the execution with this modification order is consistent, if it is coherent and nothing causes itself.
    pub fn allows(&self, mo: &Relation, rules: Rules) -> bool {
        let fr = self.reads_before(mo);
        let eco = self.rf.or(mo).or(&fr).closure();
        let external = |relation: &Relation| {
            let thread = |a: usize| self.nodes[a].id.map(|id| id.thread);
            Relation::new(self.nodes.len(), |a, b| relation.holds(a, b) && thread(a) != thread(b))
        };
        let takes_effect =
            |kept: Relation| kept.or(&external(&self.rf)).or(&external(mo)).or(&external(&fr)).is_acyclic();
        let psc = || self.psc(mo, &fr, &eco).is_acyclic();
        match rules {
            Rules::Rc11 => psc(),
            Rules::Mca => psc() && takes_effect(self.kept_by_mca()),
            Rules::Tso => takes_effect(self.kept_by_tso()),
            Rules::Sc => self.sb.or(&self.rf).or(mo).or(&fr).is_acyclic(),
        }
    }

    fn psc(&self, mo: &Relation, fr: &Relation, eco: &Relation) -> Relation {
        let sc = self.only(|node| {
            node.label.order == MemoryOrder::SeqCst && (is_read(node) || is_write(node) || is_fence(node))
        });
        let fence = self.only(|node| node.label.order == MemoryOrder::SeqCst && is_fence(node));
        let location = |a: usize| {
            let node = &self.nodes[a];
            (!is_fence(node)).then_some(node.label.location)
        };
        let same = |a: usize, b: usize| location(a).is_some() && location(a) == location(b);
        let count = self.nodes.len();
        let elsewhere = Relation::new(count, |a, b| self.sb.holds(a, b) && !same(a, b));
        let here = Relation::new(count, |a, b| self.hb.holds(a, b) && same(a, b));
        let around = elsewhere.then(&self.hb).then(&elsewhere);
        let scb = self.sb.or(&around).or(&here).or(mo).or(fr);
        let from = sc.or(&fence.then(&self.hb.maybe()));
        let to = sc.or(&self.hb.maybe().then(&fence));
        let base = from.then(&scb).then(&to);
        let by_eco = self.hb.or(&self.hb.then(eco).then(&self.hb));
        base.or(&fence.then(&by_eco).then(&fence))
    }

    fn kept_by_mca(&self) -> Relation {
        let sb = &self.sb;
        let reads = self.only(is_read);
        let writes = self.only(is_write);
        let fence =
            |set: fn(MemoryOrder) -> bool| self.only(move |node| is_fence(node) && set(node.label.order));
        let around = |middle: &Relation| sb.then(middle).then(sb);
        let acquire = self.only(|node| is_read(node) && acquires(node.label.order)).then(sb);
        let release = sb.then(&self.only(|node| is_write(node) && releases(node.label.order)));
        let full = around(&fence(|order| order == MemoryOrder::SeqCst));
        let after_reads = reads.then(&around(&fence(acquires)));
        let before_writes = around(&fence(releases)).then(&writes);
        let is_sc = |node: &Node| node.label.order == MemoryOrder::SeqCst;
        let sc_write = self.only(move |node| is_write(node) && is_sc(node));
        let sc_read = self.only(move |node| is_read(node) && is_sc(node));
        let locks = self.only(|node| node.label.kind == Kind::Lock).then(sb);
        let unlocks = sb.then(&self.only(|node| node.label.kind == Kind::Unlock));
        let dependencies =
            Relation::new(self.nodes.len(), |a, b| match (self.nodes[a].id, self.nodes[b].id) {
                (Some(first), Some(second)) if sb.holds(a, b) => {
                    self.nodes[b].label.depends >> (second.index - first.index - 1) & 1 != 0
                }
                _ => false,
            });
        let overwrites = Relation::new(self.nodes.len(), |a, b| {
            let (first, second) = (&self.nodes[a], &self.nodes[b]);
            sb.holds(a, b) && is_write(second) && first.label.location == second.label.location
        });
        let all = acquire.or(&release).or(&full).or(&after_reads).or(&before_writes);
        let all = all.or(&sc_write.then(sb).then(&sc_read)).or(&locks).or(&unlocks);
        self.between_accesses(&all.or(&dependencies).or(&overwrites))
    }

    fn kept_by_tso(&self) -> Relation {
        let sb = &self.sb;
        let drains = self.only(|node| {
            let locked = node.label.kind == Kind::Write { exclusive: true };
            let mutex = matches!(node.label.kind, Kind::Lock | Kind::Unlock);
            (is_fence(node) || is_write(node)) && node.label.order == MemoryOrder::SeqCst || locked || mutex
        });
        let reads = self.only(|node| is_read(node) || node.label.kind == Kind::Lock);
        let changes = self.only(|node| node.label.kind.is_placed());
        let kept = reads.then(sb).or(&sb.then(&changes)).or(&drains.then(sb)).or(&sb.then(&drains).then(sb));
        self.between_accesses(&kept)
    }

    fn between_accesses(&self, relation: &Relation) -> Relation {
        let accesses = self.only(|node| !is_fence(node));
        accesses.then(relation).then(&accesses)
    }

    /// Whether two conflicting accesses, one of them not atomic, are not ordered.
    pub fn is_racy(&self) -> bool {
        let memory = |node: &Node| node.id.is_some() && (is_read(node) || is_write(node));
        let count = self.nodes.len();
        (0..count).any(|a| {
            (0..count).any(|b| {
                let (first, second) = (&self.nodes[a], &self.nodes[b]);
                memory(first)
                    && memory(second)
                    && first.label.location == second.label.location
                    && is_write(first)
                    && !(is_atomic(first) && is_atomic(second))
                    && a != b
                    && !self.hb.holds(a, b)
                    && !self.hb.holds(b, a)
            })
        })
    }
}

fn is_read(node: &Node) -> bool {
    matches!(node.label.kind, Kind::Read { .. })
}

fn is_write(node: &Node) -> bool {
    matches!(node.label.kind, Kind::Write { .. })
}

fn is_fence(node: &Node) -> bool {
    node.label.kind == Kind::Fence
}

fn is_atomic(node: &Node) -> bool {
    node.label.order != MemoryOrder::NotAtomic
}

fn acquires(order: MemoryOrder) -> bool {
    matches!(order, MemoryOrder::Acquire | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
}

fn releases(order: MemoryOrder) -> bool {
    matches!(order, MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
}
