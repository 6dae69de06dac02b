//! What happens on the paths between known states.

use crate::states::counterexample::Counterexample;
use crate::states::fair_cycles::CycleEdges;
use crate::states::graph::Graph;
use crate::states::round::{Explorer, Item, Led, Round};
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering;

/// Goes once more through parts of the graph of a round. What it has gone through it uses for the next part.
pub struct Surveyor<'r, 'a>(Explorer<'r, 'a>);

impl<'r, 'a> Surveyor<'r, 'a> {
    pub(crate) fn new(round: &'r Round<'a>) -> Self {
        Surveyor(Explorer::new(round))
    }

    /// What happens on the paths between the states of a cycle, to one of which a path leads.
    pub fn survey(
        &mut self,
        graph: &Graph,
        first: u32,
        path: &[u16],
        inside: &dyn Fn(u32) -> bool,
    ) -> CycleEdges {
        let explorer = &mut self.0;
        let lost = &explorer.round.lost;
        let mut edges = CycleEdges::default();
        explorer.counterexample = Some(Counterexample::default());
        let Some(item) = explorer.go_to(path) else {
            lost.store(true, Ordering::Relaxed);
            return edges;
        };
        let mut seen: FxHashSet<u32> = FxHashSet::from_iter([first]);
        let mut work = vec![(first, item)];
        while let Some((state, item)) = work.pop() {
            for (to, act) in graph.edges(state).filter(|(to, _)| inside(*to)) {
                explorer.machine.restore(&item.snapshot);
                let (mut ghost, mut depth) = (item.ghost.clone(), item.depth);
                explorer.planner.look(&mut explorer.machine, &ghost.nodes, &ghost.elisions);
                let Some((plan, numbered)) = explorer.numbered(&item.plan, act) else {
                    lost.store(true, Ordering::Relaxed);
                    continue;
                };
                explorer.counterexample =
                    Some(Counterexample::watching(&explorer.planner, &explorer.machine));
                let Led::Choice(next) = explorer.go(&plan, numbered, &mut ghost, &mut depth) else {
                    lost.store(true, Ordering::Relaxed);
                    continue;
                };
                if explorer.visit(&ghost) != (to, false) {
                    lost.store(true, Ordering::Relaxed);
                    continue;
                }
                let edge = explorer.counterexample.take().unwrap_or_default().edge();
                edges.insert((state, act), (to, edge));
                if seen.insert(to) {
                    let snapshot = explorer.machine.snapshot();
                    work.push((
                        to,
                        Item {
                            snapshot,
                            ghost,
                            plan: next,
                            earlier: 0,
                            id: to,
                            depth,
                            prefix: None,
                            share: 0.0,
                            left: None,
                        },
                    ));
                }
            }
        }
        edges
    }
}
