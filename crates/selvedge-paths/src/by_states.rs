//! The search through states, where there are not too many: the same results as with the constraint system.

use super::execution::{Execution, Request};
use super::goals::{Stand, positions};
use super::memory::initial_bytes;
use super::search::{Goal, Limits, Met, Runner, Search, SearchError};
use super::shares::Stands;
use super::states::{Found, Meeting, Meetings, StateSearch, Stopped, Unseen};
use super::tree::{End, TreeEvent};
use selvedge_terms::decide::Solver;
use selvedge_trace::Model;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, PoisonError};

/// So many executions may wait to be learned from.
const WAITING: usize = 16;

/// How a search through states ended.
pub(super) enum Searched {
    /// There is nothing more.
    Complete,
    /// The search is over.
    Stopped,
    /// Something was not as expected, or there are too many states, or something that states do not tell: the constraint
    /// system must be asked.
    Beyond,
}

impl<R: Runner + Send, S: Solver, F: Fn() -> S + Sync> Search<'_, R, S, F>
where
    R::Error: Send,
{
    /// Visits all states, executes what no execution has shown, and one execution for each state in which nothing goes on: all of
    /// them if paths are to be found, otherwise one deadlock.
    pub(super) fn search_states(
        &mut self,
        goal: Goal,
        limits: &Limits<'_>,
    ) -> Result<Searched, SearchError<R::Error>> {
        if self.model != Model::Sc {
            return Ok(Searched::Beyond);
        }
        let Some(mut states) = StateSearch::new(&self.trees, (self.make)()) else {
            return Ok(Searched::Beyond);
        };
        states.hopeless.extend(self.hopeless.iter().copied());
        states.meetings = limits.races.then(|| Meetings::new(self.findings.races.iter().copied()));
        let searched = self.rounds(&mut states, goal, limits);
        self.met = states.meetings.as_ref().is_none_or(Meetings::are_complete);
        self.findings.questions += states.questions();
        self.findings.states += states.count;
        searched
    }

    fn rounds(
        &mut self,
        states: &mut StateSearch<S>,
        goal: Goal,
        limits: &Limits<'_>,
    ) -> Result<Searched, SearchError<R::Error>> {
        let stopped = loop {
            match self.round(states, goal, limits)? {
                Round::Complete(stopped) => break stopped,
                Round::Grown if states.again(&self.trees) => {}
                Round::Grown | Round::Beyond => return Ok(Searched::Beyond),
                Round::Stopped => return Ok(Searched::Stopped),
            }
        };
        self.findings.discovery = self.findings.executions;
        let mut requests = Vec::new();
        for stopped in stopped {
            match states.to(&self.trees, &stopped) {
                Some(request) => requests.push((request, stopped.stands)),
                None => return Ok(Searched::Beyond),
            }
        }
        self.perform_all(requests, limits)
    }

    /// One time through all states.
    fn round(
        &mut self,
        states: &mut StateSearch<S>,
        goal: Goal,
        limits: &Limits<'_>,
    ) -> Result<Round, SearchError<R::Error>> {
        let mut known: BTreeSet<Stands> = self.seen.iter().map(there).collect();
        let mut dead = self.findings.deadlock.is_some();
        let mut stopped = Vec::new();
        let mut grown = false;
        loop {
            match states.next(&mut self.trees) {
                Found::Complete if grown => return Ok(Round::Grown),
                Found::Complete => return Ok(Round::Complete(stopped)),
                Found::Beyond => return Ok(Round::Beyond),
                Found::Met(meeting) => self.meet_here(states, &meeting)?,
                Found::Stopped(end) => {
                    self.dangle_here(states, &end)?;
                    let wanted = match goal {
                        Goal::Paths => true,
                        Goal::Coverage => !dead && self.is_dead(&end),
                    };
                    if !grown && end.complete && wanted && known.insert(end.stands.clone()) {
                        dead = true;
                        stopped.push(end);
                    }
                }
                Found::Underway if self.over(limits) => return Ok(Round::Stopped),
                Found::Underway => {}
                Found::New { .. } if self.over(limits) => return Ok(Round::Stopped),
                Found::New { request, what } => {
                    if !self.see(states, &request, what)? {
                        return Ok(Round::Beyond);
                    }
                    grown = true;
                    if !states.learned(&self.trees) {
                        return Ok(Round::Grown);
                    }
                }
            }
        }
    }

    /// Executes what no execution has shown. Whether the search through states can go on.
    fn see(
        &mut self,
        states: &mut StateSearch<S>,
        request: &Request,
        what: Unseen,
    ) -> Result<bool, SearchError<R::Error>> {
        match what {
            Unseen::After(node) => {
                let before = self.state(node);
                let size = self.trees.nodes.len() + self.trees.events.len();
                self.perform(request)?;
                let grown = self.trees.nodes.len() + self.trees.events.len() > size;
                if !grown && before == self.state(node) {
                    match self.was_cut(node) {
                        true => self.cut = true,
                        false => self.diverged(),
                    }
                    self.hopeless.insert(node);
                    states.hopeless.insert(node);
                }
                Ok(true)
            }
            Unseen::In(cell) => {
                self.perform(request)?;
                Ok(initial_bytes(&self.trees, cell).is_some())
            }
        }
    }

    /// Lets two threads meet.
    fn meet_here(
        &mut self,
        states: &mut StateSearch<S>,
        meeting: &Meeting,
    ) -> Result<(), SearchError<R::Error>> {
        let pair = meeting.pair;
        let places = positions(&self.trees, pair);
        let name = |event: TreeEvent| &self.trees.threads[self.trees.events[event.index()].thread].name;
        let met =
            self.runner.meet(&meeting.request, [name(pair.0), name(pair.1)]).map_err(SearchError::Run)?;
        let Some(meetings) = &mut states.meetings else { return Ok(()) };
        match met {
            Met::Race => {
                self.findings.races.push(places);
                meetings.races.insert(places);
            }
            Met::Never(which) => drop(meetings.never.insert([pair.0, pair.1][which.min(1)])),
            Met::Apart => drop(meetings.apart.insert(pair)),
            Met::ReadOnly | Met::Lost => meetings.leave_open(places),
        }
        Ok(())
    }

    /// Lets threads go on where what they need has gone.
    fn dangle_here(
        &mut self,
        states: &mut StateSearch<S>,
        stopped: &Stopped,
    ) -> Result<(), SearchError<R::Error>> {
        for &(needs, gone) in &stopped.misses {
            let position = |event: TreeEvent| self.trees.events[event.index()].position;
            if !self.dangling.insert((position(needs), position(gone))) {
                continue;
            }
            let name = self.trees.threads[self.trees.events[needs.index()].thread].name.clone();
            let request = states.to(&self.trees, stopped);
            let request = request.map(|request| Request { then: Some(name.clone()), ..request });
            let fails = request.map(|request| self.runner.fails(&request, &name)).transpose();
            if fails.map_err(SearchError::Run)? != Some(true) {
                self.diverged();
            }
        }
        Ok(())
    }

    /// Whether threads block each other, and nothing has failed.
    fn is_dead(&self, stopped: &Stopped) -> bool {
        let stands = || stopped.stands.values();
        let failed = |stand: &Stand| match stand {
            Stand::Leaf(node) => matches!(self.trees.nodes[node.index()].end, End::Failed(_)),
            _ => false,
        };
        stands().any(|stand| matches!(stand, Stand::Stuck(_))) && !stands().any(failed)
    }

    /// Performs executions of which it is known where they end.
    fn perform_all(
        &mut self,
        requests: Vec<(Request, Stands)>,
        limits: &Limits<'_>,
    ) -> Result<Searched, SearchError<R::Error>> {
        let most = limits.executions.map(|most| most.saturating_sub(self.findings.executions));
        let wanted = requests.len();
        let queue = Mutex::new(requests.into_iter().take(most.map_or(usize::MAX, |most| most as usize)));
        let (stop, enough) = (limits.stop, AtomicBool::new(false));
        let next = || {
            let over = enough.load(Ordering::Relaxed) || stop();
            if over { None } else { queue.lock().unwrap_or_else(PoisonError::into_inner).next() }
        };
        // Helpers perform executions, and the search that asked for them learns.
        let mut helpers = std::mem::take(&mut self.helpers);
        let mut performed = 0;
        let agrees = std::thread::scope(|scope| {
            let (done, results) = sync_channel(WAITING);
            for runner in &mut helpers {
                let (next, done) = (&next, done.clone());
                scope.spawn(move || {
                    while let Some((request, stands)) = next() {
                        let execution = runner.run(&request);
                        if done.send((request, stands, execution)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(done);
            let mut agree = || -> Result<bool, SearchError<R::Error>> {
                while let Some((request, stands)) = next() {
                    let execution = self.runner.run(&request);
                    let own = (request, stands, execution);
                    for (request, stands, execution) in std::iter::once(own).chain(results.try_iter()) {
                        performed += 1;
                        if !self.agrees(&request, &execution.map_err(SearchError::Run)?, &stands)? {
                            return Ok(false);
                        }
                    }
                }
                for (request, stands, execution) in &results {
                    performed += 1;
                    if !self.agrees(&request, &execution.map_err(SearchError::Run)?, &stands)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            };
            let agrees = agree();
            enough.store(true, Ordering::Relaxed);
            drop(results);
            agrees
        });
        self.helpers = helpers;
        Ok(match agrees? {
            false => Searched::Beyond,
            true if performed < wanted => Searched::Stopped,
            true => Searched::Complete,
        })
    }

    /// Learns from an execution. Whether it has ended where it should.
    fn agrees(
        &mut self,
        request: &Request,
        execution: &Execution,
        stands: &Stands,
    ) -> Result<bool, SearchError<R::Error>> {
        let (ended, new) = self.learn(request, execution)?;
        Ok(!new && there(&ended) == *stands)
    }
}

/// What became of one time through all states.
enum Round {
    /// Nothing was new. States in which nothing goes on that were not seen yet.
    Complete(Vec<Stopped>),
    /// Something was new.
    Grown,
    Stopped,
    Beyond,
}

/// Where the threads stand that are there.
fn there(stands: &Stands) -> Stands {
    let stands = stands.iter().filter(|(_, stand)| **stand != Stand::Absent);
    stands.map(|(&thread, &stand)| (thread, stand)).collect()
}
