//! What was done from the start to something that was found, as a schedule.

use crate::plan::Act;
use crate::report::Bug;
use crate::walk;
use selvedge_machine::{Outcome, Pick, Span};

/// Everything that was done from the start on.
#[derive(Default)]
pub struct Trail {
    /// What was really done, with the bytes that a single store wrote.
    done: Vec<(Pick, Option<Span>)>,
    /// The violations on the way: identity, what is wrong, and the picks that lead there.
    pub bugs: Vec<(String, Bug, Vec<Pick>)>,
    /// What is not supported at the end of the trail.
    pub unsupported: Option<Outcome>,
}

impl Trail {
    /// Notes an act. One that leaves out a store has really happened before the last store that covers it.
    pub fn push(&mut self, act: Act, store: Option<Span>) {
        if !act.left_out {
            self.done.push((act.pick, store));
            return;
        }
        let thread = walk::thread_of(act.pick);
        let covers = |(pick, other): &(Pick, Option<Span>)| {
            let covered = store.is_some_and(|store| other.is_some_and(|other| other.covers(&store)));
            walk::thread_of(*pick) != thread && covered
        };
        let place = self.done.iter().rposition(covers).unwrap_or(self.done.len());
        self.done.insert(place, (act.pick, store));
    }

    /// Notes a violation at the present end of the trail.
    pub fn found(&mut self, identity: &str, bug: &Bug) {
        if !self.bugs.iter().any(|(known, ..)| known == identity) {
            self.bugs.push((identity.to_owned(), bug.clone(), self.picks()));
        }
    }

    /// What to pick.
    pub fn picks(&self) -> Vec<Pick> {
        self.done.iter().map(|&(pick, _)| pick).collect()
    }
}
