//! Counterexamples: what was done from the first state to a violation, as a schedule.

use crate::kit::step;
use crate::report::Bug;
use crate::states::fair_cycles::{self, CycleEdge};
use crate::states::persistent_sets::{Act, PersistentSets};
use selvedge_machine::{Machine, OLDER_STORE, Outcome, Pick, Span, Status, TIMEOUT};
use selvedge_trace::{EventKind, Operation};

/// Everything that was done from the start on.
#[derive(Default)]
pub struct Counterexample {
    /// What was really done, with the bytes that a single store wrote.
    done: Vec<(Pick, Option<Span>)>,
    /// The violations on the path: identity, what is wrong, and the picks that lead there.
    pub bugs: Vec<(String, Bug, Vec<Pick>)>,
    /// What is not supported at the end of the counterexample.
    pub unsupported: Option<Outcome>,
    /// The processes that could act, and those that did.
    edge: CycleEdge,
    leaves_out: bool,
    /// The last act was one of the last thread alive, which a machine that need not stop goes on from by itself.
    pub ran_alone: bool,
}

/// Whether a pick takes bad luck, which does not last for ever: a compare-exchange that fails for no reason, a library
/// that found a lock taken and tries again, or a look at something that is no longer there.
fn luckless(machine: &Machine, pick: Pick) -> bool {
    let Pick::Step { thread, alternative } = pick else { return false };
    if (OLDER_STORE..TIMEOUT).contains(&alternative) {
        return true;
    }
    match machine.threads()[thread.index()].status {
        Status::Ready(Operation { kind: EventKind::CompareExchange, .. }) => {
            alternative != 0 && alternative != TIMEOUT
        }
        Status::Ready(Operation { kind: EventKind::Yield, .. }) => {
            machine.inspect().locks_several(thread.index())
        }
        _ => false,
    }
}

impl Counterexample {
    /// Notes an act. One that leaves out a store has really happened before the last store that elisions it.
    pub fn push(&mut self, act: Act, store: Option<Span>) {
        if !act.left_out {
            self.done.push((act.pick, store));
            return;
        }
        let thread = step::thread_of(act.pick);
        let elisions = |(pick, other): &(Pick, Option<Span>)| {
            let covered = store.is_some_and(|store| other.is_some_and(|other| other.covers(&store)));
            step::thread_of(*pick) != thread && covered
        };
        let place = self.done.iter().rposition(elisions).unwrap_or(self.done.len());
        self.done.insert(place, (act.pick, store));
    }

    /// Notes a violation at the present end of the counterexample.
    pub fn found(&mut self, identity: &str, bug: &Bug) {
        if !self.bugs.iter().any(|(known, ..)| known == identity) {
            self.bugs.push((identity.to_owned(), bug.clone(), self.picks()));
        }
    }

    /// A counterexample that begins in the state that a planner has looked at.
    pub fn watching(planner: &PersistentSets, machine: &Machine) -> Self {
        let mut counterexample = Counterexample::default();
        counterexample.watch(planner, machine);
        counterexample
    }

    /// Notes which processes can act in a state.
    pub fn watch(&mut self, planner: &PersistentSets, machine: &Machine) {
        let actors = planner
            .possible()
            .iter()
            .filter(|&&pick| !luckless(machine, pick))
            .map(|&pick| fair_cycles::actor(pick));
        self.edge.enabled.extend(actors);
    }

    /// Notes which process acts.
    pub fn act(&mut self, act: Act, machine: &Machine) {
        self.edge.acted.insert(fair_cycles::actor(act.pick));
        self.edge.luckless |= luckless(machine, act.pick);
        self.leaves_out |= act.left_out;
    }

    /// What happened on the whole counterexample.
    pub fn edge(mut self) -> CycleEdge {
        self.edge.picks = (!self.leaves_out).then(|| self.picks());
        self.edge
    }

    /// What to pick.
    pub fn picks(&self) -> Vec<Pick> {
        self.done.iter().map(|&(pick, _)| pick).collect()
    }
}
