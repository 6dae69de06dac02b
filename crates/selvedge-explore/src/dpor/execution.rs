//! One execution of the tree of executions, as a worker goes through it.

use crate::Budget;
use crate::dpor::happens_before::{Candidate, HappensBefore};
use crate::dpor::wakeup_tree::{NodeId, SleepEntry};
use crate::kit::dependence::EventFootprint;
use crate::kit::event::{Event, Outcomes, Taken};
use crate::kit::exploration::{Exploration, Move, Runner, waits};
use crate::kit::process::Process;
use crate::kit::step::{self, Advanced, Ending};
use crate::report::Bug;
use rustc_hash::FxHashMap;
use selvedge_machine::{Outcome, Pick, Snapshot, Status};
use selvedge_trace::{EventKind, Operation, TIMEOUT, ThreadId};
use smallvec::SmallVec;
use std::sync::Arc;

/// An execution with more steps is given up, and with it the hope for a complete answer.
const LONGEST: usize = 20_000;

/// A process that has taken so many steps in succession may wait for another one.
const PATIENCE: u32 = 1000;

/// What is to be explored next.
pub struct Job {
    /// The nodes from the root to the one where the execution begins to be new.
    pub nodes: Vec<(NodeId, u64)>,
    /// The events that lead there.
    pub events: Vec<Arc<Event>>,
    /// The states of the nodes, where they were kept; always that of the first.
    pub states: Vec<Option<Arc<Snapshot>>>,
    /// Which child of the last node it is; none at the very start.
    pub child: Option<usize>,
    /// What sleeps in the last node.
    pub sleep: Vec<SleepEntry>,
    /// What has to be done first.
    pub sequence: Vec<(Process, Outcomes)>,
}

/// How an execution ended.
pub enum End {
    /// All threads have come to their ends, or to where something is wrong: the violation.
    Complete(Option<Bug>),
    /// An assumption does not hold, or a bound was reached.
    Blocked,
    /// Everything that could be done was explored elsewhere.
    Asleep,
    /// Something is not supported.
    Unsupported(Outcome),
    /// It is too long.
    Long,
    /// What had to be done could not be done: a mistake of the search.
    Lost,
    /// The search is to stop: what was done does not count.
    Interrupted(Budget),
}

/// An execution that was performed.
pub struct Ran {
    /// Its new steps.
    pub steps: Vec<Step>,
    pub end: End,
    /// Its view, if it is complete.
    pub view: Option<u128>,
    /// A bound cut something off.
    pub cut: bool,
    /// What was about to be done at the end and had to wait.
    pub pending: Vec<Pending>,
}

/// A new step.
pub struct Step {
    /// What was done.
    pub taken: Taken,
    /// What slept before it.
    pub sleep: Vec<SleepEntry>,
    /// The state before it, if there was a choice.
    pub state: Option<Arc<Snapshot>>,
}

/// An operation that had to wait until the end.
pub struct Pending {
    /// The process that may act.
    pub process: Process,
    pub operation: Operation,
    /// What it touches.
    pub label: Arc<EventFootprint>,
}

impl Pending {
    /// The move, to be looked at for races.
    pub fn candidate(&self) -> Candidate<'_> {
        let (process, operation) = (self.process, Some(self.operation));
        Candidate { process, label: &self.label, operation, waits: waits(self.operation) }
    }
}

/// The processes that were stopped by a bound, and how often each place was visited.
fn bounded(events: &[Arc<Event>]) -> (SmallVec<[Process; 2]>, FxHashMap<u64, u32>) {
    let mut stopped = SmallVec::new();
    let mut visits: FxHashMap<u64, u32> = FxHashMap::default();
    for event in events {
        *visits.entry(event.taken.place).or_default() += 1;
        stopped.extend(event.taken.stops.then_some(event.taken.process));
    }
    (stopped, visits)
}

/// A worker that goes through executions.
pub struct Executor<'a> {
    pub runner: Runner<'a>,
    moves: Vec<Move>,
}

impl<'a> Executor<'a> {
    /// At the start of the program.
    pub fn new(subject: &'a Exploration<'a>) -> Self {
        Executor { runner: Runner::new(subject), moves: Vec::new() }
    }

    /// Brings the machine to the state before the event at a place.
    pub fn stand(&mut self, events: &[Arc<Event>], states: &[Option<Arc<Snapshot>>], place: usize) {
        let from = (0..=place.min(states.len() - 1)).rev().find(|&at| states[at].is_some());
        let Some((from, state)) = from.and_then(|from| Some((from, states[from].as_ref()?))) else { return };
        self.runner.machine.restore(state);
        self.runner.moved();
        for event in &events[from..place] {
            for &pick in &event.taken.picks {
                self.runner.steps += 1;
                step::advance(&mut self.runner.machine, pick, self.runner.subject.progress);
            }
        }
    }

    /// Does what was done in another order; the picks for that, or nothing if it cannot be done.
    pub fn follow<'e>(&mut self, events: impl Iterator<Item = &'e Arc<Event>>) -> Option<Vec<Pick>> {
        let mut picks = Vec::new();
        for event in events {
            self.runner.moves(&[], &mut self.moves);
            let at = self.moves.iter().position(|next| next.process == event.taken.process)?;
            let (taken, _) = self.runner.take(&self.moves, at, &event.taken.outcomes)?;
            picks.extend(taken.picks);
        }
        Some(picks)
    }

    /// Takes a step that was taken before from this state, to which these events have led; the state after it.
    pub fn retake(
        &mut self,
        past: &HappensBefore,
        process: Process,
        outcomes: &[u32],
    ) -> Option<(Taken, Arc<Snapshot>)> {
        let (stopped, mut visits) = bounded(&past.events);
        let mut moves = std::mem::take(&mut self.moves);
        self.runner.moves(&stopped, &mut moves);
        let at = moves.iter().position(|next| next.process == process);
        let taken = at.and_then(|at| self.runner.take(&moves, at, outcomes));
        self.moves = moves;
        let (mut taken, advanced) = taken?;
        if advanced == Advanced::Stopped {
            self.is_within_bounds(&mut taken, &mut visits);
        }
        Some((taken, Arc::new(self.runner.machine.snapshot())))
    }

    /// Whether a process could act if it overtook the event at a place.
    pub fn is_possible(
        &mut self,
        past: &HappensBefore,
        states: &[Option<Arc<Snapshot>>],
        place: u32,
        process: Process,
    ) -> bool {
        let place = place as usize;
        self.stand(&past.events, states, place);
        let overtaken = past.events[place].clone();
        let others = past.events[place + 1..].iter().filter(|event| !overtaken.precedes(event));
        if self.follow(others).is_none() {
            return false;
        }
        self.runner.moves(&[], &mut self.moves);
        self.moves.iter().any(|next| next.process == process)
    }

    /// Goes through an execution to its end.
    pub fn run(&mut self, job: &Job) -> Ran {
        self.stand(&job.events, &job.states, job.events.len());
        let mut ran = Ran { steps: Vec::new(), end: End::Lost, view: None, cut: false, pending: Vec::new() };
        let mut sleep = job.sleep.clone();
        let mut last = job.events.last().map(|event| event.taken.process);
        let (mut stopped, mut visits) = bounded(&job.events);
        let mut sequence = job.sequence.iter();
        let mut row = 0;
        ran.end = loop {
            let mut moves = std::mem::take(&mut self.moves);
            self.runner.moves(&stopped, &mut moves);
            self.moves = moves;
            if self.moves.is_empty() {
                break self.end(&mut ran, &stopped);
            }
            if job.events.len() + ran.steps.len() >= LONGEST {
                break End::Long;
            }
            if let Some(stop) = self.interruption(ran.steps.len()) {
                break stop;
            }
            let nothing = Outcomes::new();
            let (at, outcomes) = match sequence.next() {
                Some((process, outcomes)) => {
                    let at = self.moves.iter().position(|next| next.process == *process);
                    (at, outcomes)
                }
                None => {
                    let at = self.choose(&sleep, last, row);
                    if at.is_none() {
                        self.note_pending(&mut ran, &stopped, false);
                        break End::Asleep;
                    }
                    (at, &nothing)
                }
            };
            let Some(at) = at else { break End::Lost };
            let first = ran.steps.is_empty();
            let choice = self.moves.len() > 1 || self.moves[at].picks.len() > 1;
            let state = (!first && choice).then(|| Arc::new(self.runner.machine.snapshot()));
            let moves = std::mem::take(&mut self.moves);
            let taken = self.runner.take(&moves, at, outcomes);
            self.moves = moves;
            let Some((mut taken, advanced)) = taken else { break End::Lost };
            row = if last == Some(taken.process) { row + 1 } else { 0 };
            last = Some(taken.process);
            if advanced == Advanced::Stopped && !self.is_within_bounds(&mut taken, &mut visits) {
                stopped.push(taken.process);
                ran.cut = true;
            }
            let after: Vec<SleepEntry> =
                sleep.iter().filter(|sleeper| sleeper.survives(&taken)).cloned().collect();
            ran.steps.push(Step { taken, sleep: std::mem::replace(&mut sleep, after), state });
            match advanced {
                Advanced::Stopped => {}
                Advanced::Ended => break self.end(&mut ran, &stopped),
                Advanced::Endless(thread) => {
                    self.note_pending(&mut ran, &stopped, true);
                    if !self.runner.subject.options.counts_endless() {
                        break End::Complete(None);
                    }
                    let threads = vec![self.runner.machine.threads()[thread.index()].name.clone()];
                    break End::Complete(Some(Bug::Livelock { threads, cycle: Default::default() }));
                }
                Advanced::Interrupted => break End::Interrupted(Budget::Interrupted),
            }
        };
        ran
    }

    /// The process that acted last goes on, unless it seems to wait for another one.
    fn choose(&self, sleep: &[SleepEntry], last: Option<Process>, row: u32) -> Option<usize> {
        let awake = |next: &Move| !sleep.iter().any(|sleeper| sleeper.process == next.process);
        let machine = &self.runner.machine;
        let looks = |next: &Move| {
            matches!(next.picks[0], Pick::Step { .. }) && machine.inspect().is_looking(next.thread.index())
        };
        let same = |next: &Move| Some(next.process) == last;
        // No thread sees when the stores of the last thread leave its buffer.
        let commits = |next: &Move| matches!(next.picks[0], Pick::Commit { .. });
        if self.runner.alone()
            && let Some(commit) = self.moves.iter().position(|next| awake(next) && commits(next))
        {
            return Some(commit);
        }
        let position =
            |wanted: &dyn Fn(&Move) -> bool| self.moves.iter().position(|next| awake(next) && wanted(next));
        position(&|next| same(next) && row < PATIENCE && !looks(next))
            .or_else(|| position(&|next| !same(next) && !looks(next)))
            .or_else(|| position(&|next| !same(next)))
            .or_else(|| position(&|_| true))
    }

    fn interruption(&self, steps: usize) -> Option<End> {
        if steps & 0xff != 0xff {
            return None;
        }
        self.runner.subject.progress.over().map(End::Interrupted)
    }

    fn is_within_bounds(&self, taken: &mut Taken, visits: &mut FxHashMap<u64, u32>) -> bool {
        let Some(most) = self.runner.subject.options.unroll else { return true };
        let Pick::Step { thread, .. } = taken.picks[0] else { return true };
        taken.place = self.runner.machine.inspect().control(thread.index());
        let count = visits.entry(taken.place).or_default();
        *count += 1;
        taken.stops = *count > most;
        !taken.stops
    }

    /// The machine has come to its end, or no process may go on.
    fn end(&mut self, ran: &mut Ran, stopped: &[Process]) -> End {
        let ended = !matches!(
            self.runner.machine.outcome(),
            None | Some(Outcome::Deadlock(_) | Outcome::Blocked { .. })
        );
        self.note_pending(ran, stopped, ended);
        if !stopped.is_empty() && matches!(self.runner.machine.outcome(), None | Some(Outcome::Exited(_))) {
            return End::Blocked;
        }
        let options = self.runner.subject.options;
        let end = match step::ending(&mut self.runner.machine, options) {
            Ending::Complete => End::Complete(None),
            Ending::Bug(bug) => End::Complete(Some(bug)),
            Ending::Blocked => End::Blocked,
            Ending::Unsupported(outcome) => End::Unsupported(outcome),
        };
        if options.count_views && matches!(end, End::Complete(_)) {
            ran.view = Some(self.runner.machine.inspect().view());
        }
        end
    }

    /// Takes note of what was about to be done at the end: what had to wait, and what the last step made impossible.
    fn note_pending(&mut self, ran: &mut Ran, stopped: &[Process], ended: bool) {
        let Some(last) = ran.steps.last().map(|step| (step.taken.process, step.taken.enabled.clone())) else {
            return;
        };
        // Nothing can come after a step with which the execution ends: a thread that it has woken will never go on.
        let woken =
            ran.steps.last().filter(|_| ended).map_or_else(SmallVec::new, |step| step.taken.starts.clone());
        let mut killed = Vec::new();
        let lost = |process: Process| ended && process != last.0 && last.1.contains(&process);
        for index in 0..self.runner.machine.threads().len() {
            let process = self.runner.thread(index);
            if lost(process) {
                let mut label = EventFootprint::default();
                let timed = matches!(self.runner.machine.threads()[index].status, Status::Waiting(_));
                let alternative = if timed { TIMEOUT } else { 0 };
                self.runner.label(Pick::Step { thread: ThreadId(index as u16), alternative }, &mut label);
                killed.push((process, Arc::new(label)));
            } else if (process != last.0 || !ended)
                && !woken.contains(&process)
                && !stopped.contains(&process)
                && let Some((operation, label)) = self.runner.waiting(index)
                // The end of the program waits for all others.
                && operation.kind != EventKind::Exit
            {
                ran.pending.push(Pending { process, operation, label: Arc::new(label) });
            }
            let mut held = Vec::new();
            self.runner.machine.inspect().buffered(index, &mut held);
            for (address, length) in held {
                let process = self.runner.buffer(index, address);
                if lost(process) && !killed.iter().any(|(known, _)| *known == process) {
                    killed.push((
                        process,
                        Arc::new(EventFootprint::commit(address, length, self.runner.thread(index))),
                    ));
                }
            }
        }
        if let Some(step) = ran.steps.last_mut() {
            step.taken.kills.extend(killed);
        }
    }
}
