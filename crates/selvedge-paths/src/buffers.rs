//! Store buffers: a store happens when it enters the buffer, and is seen by others when it leaves it.
//!
//! Under TSO stores of a thread leave the buffer in their order; under PSO those that overlap do, and those before a
//! release before those after it. Whatever synchronises waits until the buffer is empty. A thread sees its own stores at
//! once.

use super::system::System;
use super::tree::{TreeEvent, Trees};
use selvedge_terms::decide::{Literal, Moment, Solver};
use selvedge_trace::Model;

impl<S: Solver> System<S> {
    /// What an event means for the stores before it, and a store for itself.
    pub(super) fn buffer(&mut self, trees: &Trees, id: TreeEvent) {
        if self.model == Model::Sc {
            return;
        }
        let act = &trees.events[id.index()].act;
        if act.drains() {
            // No thread stops between steps that belong together, unless it decides something there.
            let leader = trees.events[id.index()].leader;
            let same = trees.events[leader.index()].node == trees.events[id.index()].node;
            let first = if same { leader } else { id };
            // Those before the last event that has waited are gone already.
            let earlier: Vec<TreeEvent> =
                trees.back(id).take_while(|earlier| !trees.events[earlier.index()].act.drains()).collect();
            for earlier in earlier {
                if let Some(&(commits, moment)) = self.commits.get(&earlier) {
                    self.solver.clause(&[!self.happens[first.index()], commits]);
                    self.solver.order(moment, self.moments[id.index()]);
                }
            }
            return;
        }
        let Some(access) = act.buffered() else { return };
        if self.leaves_at_once(trees, id) {
            return;
        }
        let commits = self.solver.fresh();
        let moment = self.solver.moment_if(commits);
        self.solver.clause(&[!commits, self.happens[id.index()]]);
        self.solver.order(self.moments[id.index()], moment);
        let mut apart = self.model == Model::Tso || act.keeps_stores_apart();
        for earlier in trees.back(id) {
            let other = &trees.events[earlier.index()].act;
            if other.drains() {
                break;
            }
            apart |= other.keeps_stores_apart();
            if let Some(&(before, earlier_moment)) = self.commits.get(&earlier)
                && (apart || other.buffered().is_some_and(|other| other.at.overlaps(access.at)))
            {
                self.solver.clause(&[!commits, before]);
                self.solver.order(earlier_moment, moment);
                self.waits_for.entry(id).or_default().push(before);
            }
        }
        self.commits.insert(id, (commits, moment));
    }

    /// Whether a store belongs together with something that waits until the buffer is empty: then it is never in it.
    fn leaves_at_once(&self, trees: &Trees, id: TreeEvent) -> bool {
        let leader = trees.events[id.index()].leader;
        let mut open = trees.nexts(id);
        while let Some(next) = open.pop() {
            let event = &trees.events[next.index()];
            if event.leader == leader {
                if event.act.drains() {
                    return true;
                }
                open.extend(trees.nexts(next));
            }
        }
        false
    }

    /// That others see what an event writes, and since when.
    pub(super) fn seen_since(&self, writer: TreeEvent) -> (Literal, Moment) {
        match self.commits.get(&writer) {
            Some(&commit) => commit,
            None => (self.happens[writer.index()], self.moments[writer.index()]),
        }
    }

    /// That others see what one event writes before another one does, or before it is reached.
    pub(super) fn written_before(
        &mut self,
        trees: &Trees,
        writer: TreeEvent,
        other: (TreeEvent, Moment),
    ) -> Literal {
        let (_, since) = self.seen_since(writer);
        if self.model == Model::Sc {
            return self.before(trees, writer, other.0);
        }
        self.solver.before(since, other.1)
    }
}
