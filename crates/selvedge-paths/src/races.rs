//! Accesses that can be next at one time, asked of the constraint system.

use super::goals::Meeting;
use super::helpers::together;
use super::search::{Finish, Limits, Met, Runner, Search, SearchError};
use super::system::System;
use super::tree::{TreeEvent, Trees};
use selvedge_terms::decide::{Outcome, Solver};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Pairs of places that race, or that need not be asked for again.
type Known = Mutex<BTreeSet<(u32, u32)>>;

/// What a worker has found out about some pairs of accesses.
struct Answer {
    /// Why it has ended; nothing if it takes more effort than it may.
    finish: Option<Finish>,
    races: Vec<(u32, u32)>,
    /// How often threads did not come to where they should have met.
    lost: u64,
}

/// Lets threads meet until no pair of accesses is left that races at other places than those that are known.
fn meet<R: Runner, S: Solver>(
    runner: &mut R,
    (system, trees): (&mut System<S>, &Trees),
    mut meetings: Vec<Meeting>,
    known: &Known,
    stop: &dyn Fn() -> bool,
    effort: Option<u64>,
) -> Result<Answer, SearchError<R::Error>> {
    let mut answer = Answer { finish: Some(Finish::Complete), races: Vec::new(), lost: 0 };
    let know = |places| known.lock().unwrap_or_else(PoisonError::into_inner).insert(places);
    loop {
        {
            let known = known.lock().unwrap_or_else(PoisonError::into_inner);
            meetings.retain(|meeting| !known.contains(&meeting.places));
        }
        if meetings.is_empty() {
            return Ok(answer);
        }
        if stop() {
            return Ok(Answer { finish: Some(Finish::Stopped), ..answer });
        }
        if effort.is_some_and(|effort| system.effort() > effort) {
            return Ok(Answer { finish: None, ..answer });
        }
        let goal = system.one_of(meetings.iter().map(|meeting| meeting.meet));
        system.nothing_failed(trees, goal);
        match system.solve(trees, &[goal]) {
            Outcome::Unsat => return Ok(answer),
            Outcome::Unknown => return Ok(Answer { finish: Some(Finish::Undecided), ..answer }),
            Outcome::Sat => {}
        }
        let meeting = meetings.iter().find(|meeting| system.solver.holds(meeting.meet)).copied();
        let Some(meeting) = meeting else { return Ok(Answer { finish: Some(Finish::Undecided), ..answer }) };
        let request = system.request(trees, None);
        let thread = |event: TreeEvent| &trees.threads[trees.events[event.index()].thread].name;
        let threads = [thread(meeting.pair.0), thread(meeting.pair.1)];
        match runner.meet(&request, threads).map_err(SearchError::Run)? {
            Met::Race => {
                if know(meeting.places) {
                    answer.races.push(meeting.places);
                }
            }
            Met::Never(which) => {
                let never = [meeting.pair.0, meeting.pair.1][which.min(1)];
                meetings.retain(|other| other.pair.0 != never && other.pair.1 != never);
            }
            Met::Apart => meetings.retain(|other| other.pair != meeting.pair),
            Met::ReadOnly => {
                // It may find what it expects elsewhere; if nothing is known of what that is, it is open.
                let again = system.meeting_to_exchange(trees, &meeting);
                if again.is_none() {
                    return Ok(Answer { finish: Some(Finish::Undecided), ..answer });
                }
                meetings.retain(|other| other.meet != meeting.meet);
                meetings.extend(again);
            }
            Met::Lost => {
                answer.lost += 1;
                know(meeting.places);
            }
        }
    }
}

impl<R: Runner + Send, S: Solver, F: Fn() -> S + Sync> Search<'_, R, S, F>
where
    R::Error: Send,
{
    /// Lets threads meet until no pair of accesses is left that races at other places than those that are known.
    /// Nothing if that takes more effort than it may. A helper takes a share of the pairs, with a constraint system of
    /// its own.
    pub(super) fn meet(
        &mut self,
        limits: &Limits<'_>,
        effort: Option<u64>,
    ) -> Result<Option<Finish>, SearchError<R::Error>> {
        let races: BTreeSet<(u32, u32)> = self.findings.races.iter().copied().collect();
        let meetings = self.system.meetings(&self.trees, &races);
        let all = match effort {
            None if !meetings.is_empty() => self.helpers.len() + 1,
            _ => 1,
        };
        let share = |meetings: Vec<Meeting>, number: usize| -> Vec<Meeting> {
            let numbered = meetings.into_iter().enumerate();
            numbered.filter(|(index, _)| index % all == number).map(|(_, meeting)| meeting).collect()
        };
        let known: Known = Mutex::new(races.clone());
        let (make, model, trees) = (&self.make, self.model, &self.trees);
        let help = |runner: &mut R, number: usize| {
            let mut trees = trees.clone();
            let mut system = System::new(make(), model, &trees);
            if system.grow(&mut trees).is_err() {
                let finish = Some(Finish::Undecided);
                return (Ok(Answer { finish, races: Vec::new(), lost: 0 }), system);
            }
            let meetings = share(system.meetings(&trees, &races), number);
            (meet(runner, (&mut system, &trees), meetings, &known, limits.stop, effort), system)
        };
        let (own, helpers, system) = (&mut *self.runner, &mut self.helpers, &mut self.system);
        let help = |helper: &mut R, number: usize| {
            let (answer, system) = help(helper, number);
            (answer, system.questions, system.refinements, system.thought)
        };
        let own = || {
            let answer = meet(own, (system, trees), share(meetings, 0), &known, limits.stop, effort);
            (answer, 0, 0, std::time::Duration::ZERO)
        };
        let mut finish = Some(Finish::Complete);
        for (answer, questions, refinements, thought) in together(&mut helpers[..all - 1], help, own) {
            self.findings.questions += questions;
            self.findings.refinements += refinements;
            self.findings.thought += thought;
            let answer = answer?;
            self.findings.races.extend(answer.races);
            (0..answer.lost).for_each(|_| self.diverged());
            if answer.finish != Some(Finish::Complete) {
                finish = answer.finish;
            }
        }
        Ok(finish)
    }
}
