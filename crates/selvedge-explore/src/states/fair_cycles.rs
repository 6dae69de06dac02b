//! Fair cycles: executions that never end although the scheduler is fair (livelocks).
//!
//! An execution can stay on a cycle of states for ever. That is a violation if a fair scheduler may do so: every actor
//! that can act again and again on the cycle does act. Buffered stores become visible some day, so a store buffer
//! counts as an actor of its own. Bad luck does not last for ever: a weak compare-exchange fails for no reason only so
//! often, and C++'s `std::lock`, which tries until it gets all locks at once, gets them some day. A cycle with such a
//! step is none.

use crate::states::graph::{self, Edge, Graph};
use crate::states::round::Round;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_machine::Pick;
use selvedge_trace::ThreadId;
use std::collections::VecDeque;

/// What a fair scheduler must let act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Actor {
    /// A thread.
    Thread(ThreadId),
    /// What a thread has stored and others cannot see yet.
    Buffer(ThreadId),
}

/// The actor whose turn a pick is.
pub fn actor(pick: Pick) -> Actor {
    match pick {
        Pick::Step { thread, .. } => Actor::Thread(thread),
        Pick::Commit { thread, .. } => Actor::Buffer(thread),
    }
}

/// What happens between one state and the next.
#[derive(Clone, Debug, Default)]
pub struct CycleEdge {
    /// The actors that could act.
    pub enabled: FxHashSet<Actor>,
    /// The actors that did.
    pub acted: FxHashSet<Actor>,
    /// Whether it takes bad luck.
    pub luckless: bool,
    /// What was picked; `None` if some of it was to leave out a store.
    pub picks: Option<Vec<Pick>>,
}

/// A cycle that an execution can stay on for ever.
pub struct FairCycle {
    /// A state of it.
    pub state: u32,
    /// The threads that act on it.
    pub threads: Vec<ThreadId>,
    /// One round from that state; empty if it cannot be told.
    pub picks: Vec<Pick>,
}

/// The first fair cycle of a graph, if there is one.
pub fn fair_cycle(round: &Round<'_>, graph: &Graph) -> Option<FairCycle> {
    let cycles = graph.components();
    if cycles.is_empty() {
        return None;
    }
    let parents = graph.parents();
    let mut found: Vec<FairCycle> = Vec::new();
    let mut surveyor = round.surveyor();
    for cycle in &cycles {
        let inside = |state: u32| cycle.binary_search(&state).is_ok();
        let cycle_edges = surveyor.survey(graph, cycle[0], &graph::path(&parents, cycle[0]), &inside);
        found.extend(
            fair(&cycle_edges, cycle, &FxHashSet::default()).map(|states| describe(&cycle_edges, &states)),
        );
    }
    found.into_iter().min_by_key(|endless| endless.state)
}

/// All edges between the states of a cycle.
pub type CycleEdges = FxHashMap<(u32, u16), (u32, CycleEdge)>;

/// Part of a cycle in which every actor that can act does.
fn fair(cycle_edges: &CycleEdges, states: &[u32], banned: &FxHashSet<Actor>) -> Option<Vec<u32>> {
    let number: FxHashMap<u32, u32> =
        states.iter().enumerate().map(|(number, &state)| (state, number as u32)).collect();
    let allowed = |edge: &CycleEdge| !edge.luckless && edge.enabled.is_disjoint(banned);
    let mut edges: Vec<Edge> = Vec::new();
    for (&(from, act), (to, _)) in cycle_edges.iter().filter(|(_, (_, edge))| allowed(edge)) {
        if let (Some(&from), Some(&to)) = (number.get(&from), number.get(to)) {
            edges.push(Edge { from, to, act });
        }
    }
    edges.sort_unstable_by_key(|edge| (edge.from, edge.act));
    for cycle in Graph::of(states.len(), &edges).components() {
        let members: Vec<u32> = cycle.iter().map(|&member| states[member as usize]).collect();
        let inside: FxHashSet<u32> = members.iter().copied().collect();
        let mut enabled = FxHashSet::default();
        let mut acted = FxHashSet::default();
        for ((from, _), (to, edge)) in cycle_edges {
            if inside.contains(from) && inside.contains(to) && allowed(edge) {
                enabled.extend(edge.enabled.iter().copied());
                acted.extend(edge.acted.iter().copied());
            }
        }
        let denied: FxHashSet<Actor> = enabled.difference(&acted).copied().collect();
        if denied.is_empty() {
            return Some(members);
        }
        let banned = banned.union(&denied).copied().collect();
        if let Some(part) = fair(cycle_edges, &members, &banned) {
            return Some(part);
        }
    }
    None
}

/// One round through a part of a cycle, in which every actor acts that acts there at all.
fn describe(cycle_edges: &CycleEdges, states: &[u32]) -> FairCycle {
    let inside: FxHashSet<u32> = states.iter().copied().collect();
    let mut list: Vec<Listed<'_>> = cycle_edges
        .iter()
        .filter(|((from, _), (to, _))| inside.contains(from) && inside.contains(to))
        .collect();
    list.sort_unstable_by_key(|(key, _)| **key);
    let mut actors: Vec<Actor> = list.iter().flat_map(|(_, (_, edge))| edge.acted.iter().copied()).collect();
    actors.sort_unstable();
    actors.dedup();
    let mut threads: Vec<ThreadId> = actors
        .iter()
        .map(|actor| match *actor {
            Actor::Thread(thread) | Actor::Buffer(thread) => thread,
        })
        .collect();
    threads.sort_unstable();
    threads.dedup();
    let start = states[0];
    let mut picks: Option<Vec<Pick>> = Some(Vec::new());
    let mut at = start;
    let mut walk = |at: &mut u32, goal: &dyn Fn(u32, &CycleEdge) -> bool| {
        for &(_, (to, edge)) in &shortest(&list, *at, goal) {
            match (&mut picks, &edge.picks) {
                (Some(picks), Some(more)) => picks.extend(more),
                _ => picks = None,
            }
            *at = *to;
        }
    };
    for actor in &actors {
        walk(&mut at, &|_, edge| edge.acted.contains(actor));
    }
    if at != start {
        walk(&mut at, &|to, _| to == start);
    }
    FairCycle { state: start, threads, picks: picks.unwrap_or_default() }
}

type Listed<'a> = (&'a (u32, u16), &'a (u32, CycleEdge));

/// The fewest edges from a state of which the last one is a goal.
fn shortest<'a>(list: &[Listed<'a>], from: u32, goal: &dyn Fn(u32, &CycleEdge) -> bool) -> Vec<Listed<'a>> {
    let mut came: FxHashMap<u32, Listed<'a>> = FxHashMap::default();
    let mut work = VecDeque::from([from]);
    let back = |came: &FxHashMap<u32, Listed<'a>>, last: Listed<'a>| {
        let mut path = vec![last];
        while path[0].0.0 != from {
            let before = came[&path[0].0.0];
            path.insert(0, before);
        }
        path
    };
    while let Some(state) = work.pop_front() {
        for &listed in list.iter().filter(|((start, _), _)| *start == state) {
            let (to, edge) = listed.1;
            if goal(*to, edge) {
                return back(&came, listed);
            }
            if *to != from && !came.contains_key(to) {
                came.insert(*to, listed);
                work.push_back(*to);
            }
        }
    }
    Vec::new()
}
