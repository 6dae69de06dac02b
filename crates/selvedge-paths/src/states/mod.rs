//! All states of the trees, where there are not too many.
//!
//! Where the threads are in their trees and what memory holds is a state, and steps lead from state to state. Values are
//! expressions over inputs; mostly they are numbers. A place in a tree says what its thread has decided, so the states in
//! which no thread goes on are the combinations of paths. States that are the same but for what no thread will look at any
//! more are one, and where steps of different threads have nothing to do with each other, whatever comes later, one order
//! of them is enough: that keeps all states in which nothing goes on.
//!
//! It answers the same questions as the constraint system, under sequential consistency, for programs without waits that
//! have a limit of time. Where a thread comes to what no execution has shown, that is executed and learned, and the search
//! begins again when it is through: what threads may still do was not known before.

mod bits;
mod meet;
mod outline;
mod reduce;
mod state;
mod values;

use super::cells::Cell;
use super::execution::{Move, Request};
use super::goals::Stand;
use super::shares::Stands;
use super::tree::{NodeId, TreeEvent, Trees};
pub(super) use meet::{Meeting, Meetings};
use outline::Outline;
use reduce::Reduction;
use rustc_hash::FxHashSet;
use selvedge_terms::decide::Solver;
use state::{Place, State, Steps, Stop};
use values::{Decided, Inputs, Values};

/// A depth-first search through the states of trees.
pub(super) struct StateSearch<S> {
    outline: Outline,
    values: Values,
    inputs: Inputs<S>,
    /// Nodes after which no execution shows anything.
    pub(super) hopeless: FxHashSet<NodeId>,
    visited: FxHashSet<u128>,
    key: Vec<u64>,
    begun: bool,
    frames: Vec<Frame>,
    /// Accesses that are next at one time, if races are looked for.
    pub(super) meetings: Option<Meetings>,
    /// Combinations in which nothing goes on.
    ends: FxHashSet<u128>,
    /// States that were visited, in all rounds.
    pub(super) count: u64,
}

/// A state on the current path of the search, and what is left to be done there.
struct Frame {
    state: State,
    /// The threads that go on from here.
    threads: Vec<usize>,
    /// The thread that has gone on, and the states after that.
    stepped: Option<usize>,
    pending: Vec<State>,
}

/// What the search comes to.
pub(super) enum Found {
    /// What was never seen, and how to see it. The search goes on when that was learned.
    New { request: Request, what: Unseen },
    /// Two accesses are next at one time: a race, if the runner that performs it says so.
    Met(Meeting),
    /// No thread goes on.
    Stopped(Stopped),
    /// So many states were visited; it goes on when it is asked to.
    Underway,
    /// There is nothing left.
    Complete,
    /// Something that states do not tell, or too many states.
    Beyond,
}

/// What was never seen.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unseen {
    /// What a thread does after this node.
    After(NodeId),
    /// What is in a piece of memory.
    In(Cell),
}

/// A step: the thread that took it, and the one that it has woken.
type Moved = (u8, Option<u8>);

/// A state in which no thread goes on.
#[derive(Clone, Debug)]
pub(super) struct Stopped {
    /// Where the threads stand, without those that were not started.
    pub(super) stands: Stands,
    /// Whether that is all: every thread is at its end or waits for something.
    pub(super) complete: bool,
    /// Events that threads are before, and what they need has gone by these.
    pub(super) misses: Vec<(TreeEvent, TreeEvent)>,
    /// The threads that moved.
    moves: Vec<Moved>,
    decided: Decided,
}

/// Where many states lead to few combinations, the constraint system is faster: it takes about as long for each of them as a
/// search for so many states.
const EACH: usize = 500;
/// So many states are visited in any case, and not more than so many.
const FEW: usize = 50_000;
const MOST: usize = 4_000_000;

/// After so many states the caller may look at the clock.
const BREATH: u64 = 1 << 10;

impl<S: Solver> StateSearch<S> {
    /// A search that has not begun. Nothing if there is something that states do not tell.
    pub(super) fn new(trees: &Trees, solver: S) -> Option<Self> {
        let mut values = Values::default();
        let outline = Outline::new(trees, &mut values).ok()?;
        Some(StateSearch {
            outline,
            values,
            inputs: Inputs::new(solver),
            hopeless: FxHashSet::default(),
            visited: FxHashSet::default(),
            key: Vec::new(),
            begun: false,
            frames: Vec::new(),
            meetings: None,
            ends: FxHashSet::default(),
            count: 0,
        })
    }

    /// How often the solver was asked about inputs.
    pub(super) fn questions(&self) -> u64 {
        self.inputs.questions
    }

    /// Looks at what was learned. Whether the search can go on.
    pub(super) fn learned(&mut self, trees: &Trees) -> bool {
        self.outline.grow(trees, &mut self.values).is_ok()
    }

    /// Begins again, with all that is known now. Whether that is possible.
    pub(super) fn again(&mut self, trees: &Trees) -> bool {
        self.visited.clear();
        self.frames.clear();
        self.begun = false;
        match Outline::new(trees, &mut self.values) {
            Ok(outline) => {
                self.outline = outline;
                true
            }
            Err(_) => false,
        }
    }

    fn steps<'a>(&'a mut self, trees: &'a mut Trees) -> Steps<'a, S> {
        Steps {
            trees,
            outline: &self.outline,
            values: &mut self.values,
            inputs: &mut self.inputs,
            hopeless: &self.hopeless,
        }
    }

    /// Goes on until there is something to tell.
    pub(super) fn next(&mut self, trees: &mut Trees) -> Found {
        if !self.begun {
            match self.steps(trees).first() {
                Ok(states) => {
                    self.begun = true;
                    let (state, threads) = (State::new(0), Vec::new());
                    self.frames.push(Frame { state, threads, stepped: None, pending: states });
                }
                Err(stop) => return self.stopped_by(trees, stop),
            }
        }
        loop {
            if self.meetings.as_ref().is_some_and(|meetings| meetings.is_open())
                && let Some(found) = self.look(trees)
            {
                return found;
            }
            let Some(frame) = self.frames.last_mut() else { return Found::Complete };
            if let Some(state) = frame.pending.pop() {
                if let Some(found) = self.visit(trees, state) {
                    return found;
                }
                continue;
            }
            let Some(&thread) = frame.threads.last() else {
                self.frames.pop();
                continue;
            };
            let state = std::mem::replace(&mut frame.state, State::new(0));
            let after = self.steps(trees).after(&state, thread);
            let Some(frame) = self.frames.last_mut() else { return Found::Complete };
            frame.state = state;
            match after {
                Ok(states) => {
                    frame.threads.pop();
                    frame.pending = states;
                    frame.stepped = Some(thread);
                }
                Err(stop) => {
                    frame.stepped = Some(thread);
                    return self.stopped_by(trees, stop);
                }
            }
        }
    }

    /// Looks for accesses that are next at one time, in the state that it has come to.
    fn look(&mut self, trees: &mut Trees) -> Option<Found> {
        let mut meetings = self.meetings.take()?;
        let found = self.frames.last().map(|frame| frame.state.clone()).and_then(|state| {
            let met = meetings.next(&mut self.steps(trees), &state)?;
            let (pair, decided) = match met {
                Ok(met) => met,
                Err(_) => return Some(Found::Beyond),
            };
            // The state is the last one on the path: no step was taken from there.
            let moves = self.moves(None);
            let request = self.request(trees, &moves, decided);
            Some(request.map_or(Found::Beyond, |request| Found::Met(Meeting { request, pair })))
        });
        self.meetings = Some(meetings);
        found
    }

    /// Comes to a state, unless it was there.
    fn visit(&mut self, trees: &mut Trees, state: State) -> Option<Found> {
        state.key(trees, &self.outline, &mut self.key);
        if !self.visited.insert(fingerprint(&self.key)) {
            return None;
        }
        if self.visited.len() > FEW.saturating_add(EACH.saturating_mul(self.ends.len())).min(MOST) {
            return Some(Found::Beyond);
        }
        self.count += 1;
        let mut enabled = 0;
        for thread in 0..state.at.len() {
            match self.steps(trees).can_go(&state, thread) {
                Ok(can_go) => enabled |= u64::from(can_go) << thread,
                Err(stop) => return Some(self.stopped_by(trees, stop)),
            }
        }
        if enabled == 0 {
            self.key.clear();
            self.key.extend(state.at.iter().map(|at| at.code()));
            self.ends.insert(fingerprint(&self.key));
            return Some(Found::Stopped(self.stopped(trees, &state)));
        }
        let threads = Reduction { trees, outline: &self.outline, state: &state, enabled }.threads();
        if let Some(meetings) = &mut self.meetings {
            meetings.come_to(trees, &self.outline, &state, enabled);
        }
        self.frames.push(Frame { state, threads, stepped: None, pending: Vec::new() });
        self.count.is_multiple_of(BREATH).then_some(Found::Underway)
    }

    /// The steps to a state that is not on the path yet; the last of them may have woken a thread.
    fn moves(&self, woke: Option<usize>) -> Vec<Moved> {
        let woken = self.frames.iter().skip(1).map(|frame| frame.state.woke).chain([woke]);
        let steps = self.frames.iter().map(|frame| frame.stepped).zip(woken);
        steps.filter_map(|(stepped, woke)| Some((stepped? as u8, woke.map(|woken| woken as u8)))).collect()
    }

    /// Why a step cannot be followed, told to the caller that can do something about it.
    fn stopped_by(&mut self, trees: &Trees, stop: Stop) -> Found {
        let (thread, what, (decided, woke)) = match stop {
            Stop::New { thread, node, decided, woke } => (thread, Unseen::After(node), (decided, woke)),
            Stop::Unread { thread, cell, decided, woke } => {
                (thread, Unseen::In(self.outline.cell(cell)), (decided, woke))
            }
            Stop::Beyond => return Found::Beyond,
        };
        match self.request(trees, &self.moves(woke), decided) {
            Some(request) => {
                let then = Some(trees.threads[thread].name.clone());
                Found::New { request: Request { then, ..request }, what }
            }
            None => Found::Beyond,
        }
    }

    fn stopped(&self, trees: &Trees, state: &State) -> Stopped {
        let mut stands = Stands::new();
        let mut complete = true;
        let mut misses = Vec::new();
        for (thread, &at) in state.at.iter().enumerate() {
            let pending = match at {
                Place::Absent => continue,
                Place::Leaf(node) => {
                    stands.insert(thread, Stand::Leaf(node));
                    continue;
                }
                Place::Left(_) => None,
                // What it needs is gone, or nothing goes on any more: it does not wait for anything.
                Place::Before(_) | Place::Choice(_) if state.exited.is_some() => None,
                Place::Before(event) => {
                    let before = misses.len();
                    let needs = self.outline.facts[event.index()].needs.iter();
                    let gone = needs.filter(|&&number| state.has_gone(number));
                    misses.extend(gone.map(|&number| (event, self.outline.goes_by(number))));
                    (misses.len() == before).then_some(event)
                }
                Place::Choice(node) => trees.pending(node, trees.nodes[node.index()].events.len()),
            };
            match pending {
                Some(event) => drop(stands.insert(thread, Stand::Stuck(event))),
                None => complete = false,
            }
        }
        Stopped { stands, complete, misses, moves: self.moves(state.woke), decided: state.decided }
    }

    /// How to come to a state in which nothing goes on.
    pub(super) fn to(&mut self, trees: &Trees, stopped: &Stopped) -> Option<Request> {
        self.request(trees, &stopped.moves, stopped.decided)
    }

    fn request(&mut self, trees: &Trees, moves: &[Moved], decided: Decided) -> Option<Request> {
        let name = |thread: u8| trees.threads[usize::from(thread)].name.clone();
        let step = |&(thread, woken): &Moved| match woken {
            Some(woken) => Move::Notify { thread: name(thread), woken: name(woken) },
            None => Move::Step { thread: name(thread) },
        };
        let moves = moves.iter().map(step).collect();
        let inputs = self.inputs.values(&trees.terms, decided).ok()?;
        Some(Request { inputs, moves, then: None })
    }
}

/// Numbers as one, so that different ones are never the same in practice.
fn fingerprint(key: &[u64]) -> u128 {
    let mut halves = [0x243f_6a88_85a3_08d3_u64, 0x1319_8a2e_0370_7344];
    for (half, multiplier) in halves.iter_mut().zip([0x9e37_79b9_7f4a_7c15_u64, 0xc2b2_ae3d_27d4_eb4f]) {
        for &word in key {
            let product = u128::from(*half ^ word).wrapping_mul(u128::from(multiplier));
            *half = (product as u64 ^ (product >> 64) as u64)
                .wrapping_add(word.rotate_left(29))
                .wrapping_mul(multiplier);
        }
    }
    u128::from(halves[0]) << 64 | u128::from(halves[1])
}
