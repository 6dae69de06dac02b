//! Accesses that are next at one time.
//!
//! Threads whose next steps are enough for the states in which nothing goes on are enough for this, too: a step of one
//! of them that comes first changes nothing about two accesses of others that meet later; an access of one of them that
//! meets one of another thread later makes that thread one of them; and where two of them meet already, it is seen
//! before any thread goes on. Where a program has failed, nothing is next any more. Then a step that is put first may
//! be the one that fails: what meets only in such states is left open.

use super::outline::Outline;
use super::state::{Place, State, Steps, Stop};
use super::values::Decided;
use crate::execution::Request;
use crate::goals::{conflict, positions};
use crate::tree::{End, TreeEvent, Trees};
use rustc_hash::FxHashSet;
use selvedge_terms::decide::Solver;
use std::collections::BTreeSet;

/// Two accesses.
type Pair = (TreeEvent, TreeEvent);

/// Two accesses that are next at one time, and how to come there.
pub(crate) struct Meeting {
    pub(crate) request: Request,
    pub(crate) pair: Pair,
}

/// Accesses that are next at one time.
#[derive(Default)]
pub(crate) struct Meetings {
    /// Pairs of places that race.
    pub(crate) races: BTreeSet<(u32, u32)>,
    /// Pairs of places that were seen where the program has failed.
    open: BTreeSet<(u32, u32)>,
    /// Pairs of places of which the runner says something that was not expected.
    unclear: BTreeSet<(u32, u32)>,
    /// Events that are the beginning of a section that is not interrupted.
    pub(crate) never: FxHashSet<TreeEvent>,
    /// Pairs of events of which both are.
    pub(crate) apart: FxHashSet<(TreeEvent, TreeEvent)>,
    /// Pairs in the last state that were not looked at yet.
    pairs: Vec<Pair>,
}

impl Meetings {
    /// With races that are known.
    pub(crate) fn new(races: impl IntoIterator<Item = (u32, u32)>) -> Self {
        Meetings { races: races.into_iter().collect(), ..Meetings::default() }
    }

    /// Whether pairs are left that were not looked at.
    pub(super) fn is_open(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// Whether everything is known.
    pub(crate) fn are_complete(&self) -> bool {
        self.open.is_subset(&self.races) && self.unclear.is_empty()
    }

    /// It is not known of a pair of places whether they race.
    pub(crate) fn leave_open(&mut self, places: (u32, u32)) {
        self.unclear.insert(places);
    }

    /// Whether nothing more has to be asked about a pair of accesses.
    fn is_known(&self, trees: &Trees, pair: Pair) -> bool {
        let places = positions(trees, pair);
        self.races.contains(&places)
            || self.unclear.contains(&places)
            || [pair.0, pair.1].iter().any(|event| self.never.contains(event))
            || self.apart.contains(&pair)
    }

    /// The accesses that are next in a state.
    pub(super) fn come_to(&mut self, trees: &Trees, outline: &Outline, state: &State, enabled: u64) {
        self.pairs.clear();
        if state.exited.is_some() {
            return;
        }
        let next = |thread: usize| match state.at[thread] {
            Place::Before(event) if enabled >> thread & 1 == 1 => parts(trees, event),
            _ => Vec::new(),
        };
        let all: Vec<Vec<TreeEvent>> = (0..state.at.len()).map(next).collect();
        for (thread, events) in all.iter().enumerate() {
            for (&one, &other) in
                all[..thread].iter().flatten().flat_map(|one| events.iter().map(move |other| (one, other)))
            {
                let pair = (one.min(other), one.max(other));
                let pieces = |event: TreeEvent| &outline.facts[event.index()].pieces;
                if pieces(one).iter().any(|cell| pieces(other).contains(cell))
                    && conflict(trees, pair)
                    && !self.is_known(trees, pair)
                {
                    self.pairs.push(pair);
                }
            }
        }
        let failed = |at: &Place| match at {
            Place::Leaf(node) => matches!(trees.nodes[node.index()].end, End::Failed(_)),
            _ => false,
        };
        if state.at.iter().any(failed) {
            self.open.extend(self.pairs.drain(..).map(|pair| positions(trees, pair)));
        }
    }

    /// The next pair of the state that may race there, and what is decided about inputs then.
    pub(super) fn next<S: Solver>(
        &mut self,
        steps: &mut Steps<'_, S>,
        state: &State,
    ) -> Option<Result<(Pair, Decided), Stop>> {
        while let Some(pair) = self.pairs.pop() {
            if self.is_known(steps.trees, pair) {
                continue;
            }
            match steps.races(state, pair) {
                Ok(Some(decided)) => return Some(Ok((pair, decided))),
                Ok(None) => {}
                Err(stop) => return Some(Err(stop)),
            }
        }
        None
    }
}

/// The events of an operation that begins with this one.
fn parts(trees: &Trees, first: TreeEvent) -> Vec<TreeEvent> {
    let begin = &trees.events[first.index()];
    let mut parts = vec![first];
    let mut place = 0;
    while let Some(&event) = parts.get(place) {
        place += 1;
        let belongs = |next: &TreeEvent| {
            let next = &trees.events[next.index()];
            next.leader == begin.leader && next.position == begin.position
        };
        parts.extend(trees.nexts(event).into_iter().filter(belongs));
    }
    parts
}
