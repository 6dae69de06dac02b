//! Memory that goes away, and locks.
//!
//! What is freed is never used again, so an address belongs to one object. Nothing that needs the object happens after it
//! has gone: a thread that comes to such a step then fails there, which is no step. That this can happen is asked for when
//! all steps are known ([`System::dangling`]).

use super::act::{Act, Space};
use super::goals::Meeting;
use super::system::System;
use super::tree::{TreeEvent, Trees};
use selvedge_terms::decide::Solver;
use std::collections::{BTreeMap, BTreeSet};

/// Which events need what, and which let it go.
#[derive(Default)]
pub(super) struct Frees {
    /// By the first byte that they need: the one behind the last, and the event.
    needs: BTreeMap<u64, Vec<(u64, TreeEvent)>>,
    /// What goes, by which event: the first byte, the one behind the last.
    gone: Vec<(u64, u64, TreeEvent)>,
    /// Steps that need what others let go.
    pairs: Vec<(TreeEvent, TreeEvent)>,
}

/// No step but a free needs more bytes than that.
const MOST: u64 = 16;

/// How far an event lets something go: not at all, a lock or its like, memory with all that is in it.
fn extent(act: &Act) -> u8 {
    match act {
        Act::Free { .. } => 2,
        Act::Destroy { .. } => 1,
        _ => 0,
    }
}

impl<S: Solver> System<S> {
    /// What an event needs is still there when it happens.
    pub(super) fn outlives(&mut self, trees: &Trees, id: TreeEvent) {
        let act = &trees.events[id.index()].act;
        let Some((start, end)) = act.needs() else { return };
        let frees = &self.sync.frees;
        let overlap = frees.gone.iter().filter(|&&(from, to, _)| start < to && from < end);
        let mut others: Vec<TreeEvent> = overlap.map(|&(_, _, gone)| gone).collect();
        if extent(act) > 0 {
            let near = frees.needs.range(start.saturating_sub(MOST)..end).flat_map(|(_, events)| events);
            others.extend(near.filter(|&&(to, _)| start < to).map(|&(_, event)| event));
            self.sync.frees.gone.push((start, end, id));
        } else {
            self.sync.frees.needs.entry(start).or_default().push((end, id));
        }
        others.into_iter().for_each(|other| self.tell_order(trees, id, other));
    }

    /// What needs something comes before what lets it go.
    fn tell_order(&mut self, trees: &Trees, one: TreeEvent, other: TreeEvent) {
        let [a, b] = [one, other].map(|event| &trees.events[event.index()]);
        if a.thread == b.thread {
            return;
        }
        let happen = [one, other].map(|event| !self.happens[event.index()]);
        let (needs, gone) = match extent(&a.act).cmp(&extent(&b.act)) {
            std::cmp::Ordering::Less => (one, other),
            std::cmp::Ordering::Greater => (other, one),
            std::cmp::Ordering::Equal => {
                // It goes once.
                self.solver.clause(&happen);
                self.sync.frees.pairs.extend([(one, other), (other, one)]);
                return;
            }
        };
        let memory =
            trees.events[needs.index()].act.access().is_some_and(|access| access.space == Space::Memory);
        if memory && extent(&trees.events[gone.index()].act) == 1 {
            return;
        }
        self.sync.frees.pairs.push((needs, gone));
        let before = self.before(trees, needs, gone);
        self.solver.clause(&[happen[0], happen[1], before]);
    }

    /// Steps that a thread may come to when what they need has gone: the literals imply that.
    pub(super) fn dangling(&mut self, trees: &Trees) -> Vec<Meeting> {
        let mut seen = BTreeSet::new();
        let mut dangling = Vec::new();
        for (needs, gone) in self.sync.frees.pairs.clone() {
            if !seen.insert((needs, gone)) {
                continue;
            }
            let meet = self.solver.fresh();
            let next = self.next(trees, needs);
            self.solver.clause(&[!meet, next]);
            self.no_longer_waits(trees, meet, needs);
            let leader = trees.events[needs.index()].leader;
            if leader != needs {
                // What belongs together happens after it has gone, up to the step that needs it.
                let earlier = self.before(trees, gone, leader);
                self.solver.clause(&[!meet, earlier]);
            }
            self.solver.clause(&[!meet, self.happens[gone.index()]]);
            let position = |event: TreeEvent| trees.events[event.index()].position;
            let places = (position(needs), position(gone));
            dangling.push(Meeting { meet, pair: (needs, gone), places, exchange: false });
        }
        dangling
    }
}
