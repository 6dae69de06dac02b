//! Why a graph is no execution: a shortest cycle of the order that has to have none, with the reason of each edge.
//!
//! The exploration only asks whether there is a cycle; who repairs or explains an execution asks which.

use crate::hardware::Effects;
use crate::psc::Order;
use crate::{EventId, Graph, Rules};
use std::collections::VecDeque;

/// Why an event comes before another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Both belong to one thread, whose order is kept.
    ProgramOrder,
    /// It creates the other's thread.
    Created,
    /// The other one joins its thread.
    Joined,
    /// The other one reads what it has written.
    ReadsFrom,
    /// The other one is, or reads, a later write of the same location.
    ModificationOrder,
    /// It reads a write that comes before the other one's.
    FromRead,
    /// It happens before the other one.
    HappensBefore,
    /// One of the two or both are fences: accesses behind the first and before the second are related.
    Fenced {
        /// The access that comes after the first fence, or is the first event.
        first: EventId,
        /// The access that comes before the second fence, or is the second event.
        second: EventId,
        /// How they are related.
        relation: Box<Reason>,
    },
}

/// An edge of a cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Edge {
    pub from: EventId,
    pub to: EventId,
    pub reason: Reason,
}

impl Graph {
    /// A shortest cycle that keeps the graph from being an execution under these rules; nothing if it is one.
    pub fn cycle(&self, rules: Rules) -> Option<Vec<Edge>> {
        let by_psc = || {
            let order = Order::new(self);
            let successors = |node, into: &mut Vec<usize>| order.successors(node, into);
            edges(order.events(), &successors, &|from, to| order.reason(from, to))
        };
        let by_effects = || {
            let effects = Effects::new(self, rules);
            let successors = |node, into: &mut Vec<usize>| effects.successors(node, into);
            edges(effects.events(), &successors, &|from, to| effects.reason(from, to))
        };
        match rules {
            Rules::Rc11 => by_psc(),
            Rules::Mca => by_psc().or_else(by_effects),
            Rules::Tso | Rules::Sc => by_effects(),
        }
    }
}

/// A shortest cycle as edges.
fn edges(
    events: &[EventId],
    successors: &dyn Fn(usize, &mut Vec<usize>),
    reason: &dyn Fn(EventId, EventId) -> Reason,
) -> Option<Vec<Edge>> {
    let cycle = shortest(events.len(), successors)?;
    let edge = |(&from, &to): (&usize, &usize)| {
        let (from, to) = (events[from], events[to]);
        Edge { from, to, reason: reason(from, to) }
    };
    Some(cycle.iter().zip(cycle.iter().cycle().skip(1)).map(edge).collect())
}

/// The nodes of a shortest cycle, in order.
fn shortest(count: usize, successors: &dyn Fn(usize, &mut Vec<usize>)) -> Option<Vec<usize>> {
    let mut best: Option<Vec<usize>> = None;
    let mut next = Vec::new();
    for start in 0..count {
        let mut parents: Vec<Option<usize>> = vec![None; count];
        let mut waiting = VecDeque::from([start]);
        'search: while let Some(node) = waiting.pop_front() {
            next.clear();
            successors(node, &mut next);
            for &to in &next {
                if to == start {
                    let mut path = vec![node];
                    while let Some(parent) = parents[path[path.len() - 1]] {
                        path.push(parent);
                    }
                    path.reverse();
                    if best.as_ref().is_none_or(|best| path.len() < best.len()) {
                        best = Some(path);
                    }
                    break 'search;
                }
                if parents[to].is_none() {
                    parents[to] = Some(node);
                    waiting.push_back(to);
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_cycle_is_found() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (2, 1), (4, 0)];
        let successors = |node: usize, into: &mut Vec<usize>| {
            into.extend(edges.iter().filter(|(from, _)| *from == node).map(|(_, to)| *to));
        };
        assert_eq!(shortest(5, &successors), Some(vec![1, 2]));
        assert_eq!(shortest(5, &|node, into| into.extend((node + 1 < 5).then_some(node + 1))), None);
    }
}
