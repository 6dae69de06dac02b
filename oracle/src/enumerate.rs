//! Everything that a program can do.
//!
//! [`every_interleaving`] follows each sequence of moves to its end, one after the other: nothing is left out and
//! nothing is remembered. [`distinct_states`] does the same but visits a state only once, for programs with too many
//! interleavings; a state includes what every thread has read, so that no view can be lost.

use crate::language::Program;
use crate::state::{End, Rules, State};
use rustc_hash::FxHashSet;
use selvedge_trace::Model;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What every thread has read, in order: results of loads and of read-modify-writes, and whether a trylock got the
/// lock or a tryjoin was in time. The last thread is main.
pub type View = Vec<Vec<i32>>;

/// What can come of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Views of executions that come to their end.
    pub views: BTreeSet<View>,
    /// Views of executions in which an assertion fails, up to there.
    pub failed: BTreeSet<View>,
    /// Complete executions, or distinct states at their ends.
    pub executions: u64,
    /// Executions that end with a thread at an assumption that does not hold, or distinct states at their ends.
    pub blocked: u64,
    /// Views of executions that end in a deadlock.
    pub stuck: BTreeSet<View>,
    /// No thread can go on, some have not ended, and that is not because of an assumption.
    pub deadlock: bool,
    /// Two threads can make conflicting accesses next, one of them plain.
    pub race: bool,
    /// A mutex is unlocked, or waited with, by a thread that does not hold it.
    pub misuse: bool,
    /// The process can end before all of its threads have.
    pub early: bool,
    /// The threads that can end the process.
    pub enders: BTreeSet<usize>,
    /// States looked at.
    pub states: u64,
}

impl Outcomes {
    /// An assertion can fail.
    pub fn assertion(&self) -> bool {
        !self.failed.is_empty()
    }

    /// The same without what only counts the work.
    pub fn essence(&self) -> Outcomes {
        Outcomes { executions: 0, blocked: self.blocked.min(1), states: 0, ..self.clone() }
    }

    fn end(&mut self, end: End, view: View) {
        match end {
            End::Assertion => drop(self.failed.insert(view)),
            End::Misuse => self.misuse = true,
        }
    }

    /// Notes a state; the moves from there are the caller's.
    fn look(&mut self, rules: &Rules<'_>, state: &State, stuck: bool) {
        self.states += 1;
        self.race |= rules.has_race(state);
        if stuck && rules.is_complete(state) {
            self.early |= rules.is_early(state);
            self.enders.extend(rules.ender(state));
            self.executions += 1;
            self.views.insert(rules.view(state));
        } else if stuck && rules.is_blocked(state) {
            self.blocked += 1;
        } else if stuck {
            self.deadlock = true;
            self.stuck.insert(rules.view(state));
        }
    }
}

/// Every interleaving; `None` if there are more than `limit` states along them all.
pub fn every_interleaving(program: &Program, model: Model, limit: u64) -> Option<Outcomes> {
    let rules = Rules::new(program, model);
    let mut outcomes = Outcomes::default();
    follow(&rules, &rules.start(), limit, &mut outcomes).then_some(outcomes)
}

fn follow(rules: &Rules<'_>, state: &State, limit: u64, outcomes: &mut Outcomes) -> bool {
    let moves = rules.moves(state);
    outcomes.look(rules, state, moves.is_empty());
    outcomes.states <= limit
        && moves.into_iter().all(|next| {
            let mut after = state.clone();
            match rules.apply(&mut after, next) {
                Some(end) => outcomes.end(end, rules.view(&after)),
                None => return follow(rules, &after, limit, outcomes),
            }
            true
        })
}

/// Every state; `None` if there are more than `limit`.
pub fn distinct_states(program: &Program, model: Model, limit: u64) -> Option<Outcomes> {
    let rules = Rules::new(program, model);
    let mut outcomes = Outcomes::default();
    let finished = visit(&rules, |seen| {
        match seen {
            Seen::State(state, stuck) => outcomes.look(&rules, state, stuck),
            Seen::End(end, view) => outcomes.end(end, view),
        }
        outcomes.states <= limit
    });
    finished.then_some(outcomes)
}

/// The values that a thread's locals can have together when it has done all its statements.
pub fn final_locals(program: &Program, model: Model, thread: usize) -> BTreeSet<Vec<i32>> {
    let rules = Rules::new(program, model);
    let mut found = BTreeSet::new();
    visit(&rules, |seen| {
        if let Seen::State(state, _) = seen {
            found.extend(rules.final_locals(state, thread));
        }
        true
    });
    found
}

/// What [`visit`] comes to.
enum Seen<'a> {
    /// A state, and whether nothing can happen there.
    State(&'a State, bool),
    /// An execution is over early, with this view.
    End(End, View),
}

/// Calls `look` for every state, as long as it says yes; whether it always has.
fn visit(rules: &Rules<'_>, mut look: impl FnMut(Seen<'_>) -> bool) -> bool {
    let mut visited = FxHashSet::default();
    let mut waiting = vec![Rc::new(rules.start())];
    visited.insert(waiting[0].clone());
    while let Some(state) = waiting.pop() {
        let moves = rules.moves(&state);
        if !look(Seen::State(&state, moves.is_empty())) {
            return false;
        }
        for next in moves {
            let mut after = State::clone(&state);
            if let Some(end) = rules.apply(&mut after, next) {
                look(Seen::End(end, rules.view(&after)));
                continue;
            }
            let after = Rc::new(after);
            if visited.insert(after.clone()) {
                waiting.push(after);
            }
        }
    }
    true
}
