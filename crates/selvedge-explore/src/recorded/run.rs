//! One execution: along a seed, then on to its end, as far as every thread can go.

use crate::kit::step::{self, Advanced, Ending};
use crate::recorded::record::{Names, Recorder};
use crate::report::Bug;
use crate::{Options, Progress};
use rustc_hash::FxHashSet;
use selvedge_machine::{Config, Machine, Outcome, Pick, Status, Wait};
use selvedge_order::EventId;
use selvedge_program::Program;
use selvedge_trace::{EventKind, TIMEOUT, ThreadId};
use std::sync::Arc;

/// What a search is about; the same for all its workers.
pub struct Recording<'a> {
    pub program: &'a Arc<Program>,
    /// For machines that keep their events.
    pub config: Config,
    /// What the search is told.
    pub options: &'a Options,
    /// How far it has come.
    pub progress: &'a Progress,
    /// Threads by number.
    pub names: Names,
}

/// A step of a seed.
#[derive(Clone, Debug)]
pub enum SeedStep {
    /// The thread goes on until this event has happened; it wakes these threads, or fails for no reason.
    Event {
        event: EventId,
        /// The thread that a signal wakes.
        wakes: Option<u32>,
        /// A weak compare-exchange fails for no reason.
        fails: bool,
    },
    /// A thread's oldest store to an address becomes visible.
    Commit {
        /// The thread that it belongs to.
        thread: u32,
        address: u64,
    },
    /// A thread's wait is over because of its time limit.
    Timeout(u32),
}

/// How an execution ended.
pub enum End {
    /// It is complete, or no thread can go on; whatever was wrong is among the bugs.
    Over,
    /// An assumption does not hold.
    Blocked,
    /// It failed along the seed, with the event after which nothing can follow.
    Failed,
    /// An exchange has failed for no reason, and everything is as it was before.
    Vain,
    /// It came to something that is not supported.
    Unsupported(Outcome),
    /// The seed could not be followed.
    Lost,
    /// There is no more time.
    Interrupted,
}

pub struct Run<'a> {
    /// What happened.
    pub recorder: Recorder<'a>,
    /// What was chosen.
    pub picks: Vec<Pick>,
    pub end: End,
    /// What went wrong, and after how many picks from where.
    pub bugs: Vec<(Bug, Vec<Pick>)>,
    /// Nothing can follow these events: the thread fails with them.
    pub stop: Option<EventId>,
    /// The view at the end.
    pub view: u128,
    /// Steps taken.
    pub steps: u64,
    /// The program ended while other threads could have gone on.
    pub cut_short: bool,
}

impl Run<'_> {
    /// How far each thread came, and what it has observed.
    pub fn ends(&self) -> Vec<(u32, u32, u128)> {
        let last = |(thread, notes): (u32, &Vec<crate::recorded::record::Note>)| {
            let mut happened = notes.iter().filter(|note| !note.pending);
            let count = happened.clone().count() as u32;
            happened.next_back().map(|note| (thread, count, note.history))
        };
        (0_u32..).zip(&self.recorder.notes).filter_map(last).collect()
    }
}

struct Runner<'s> {
    subject: &'s Recording<'s>,
    machine: Machine,
    recorder: Recorder<'s>,
    picks: Vec<Pick>,
    possible: Vec<Pick>,
    steps: u64,
    /// What the thread whose turn it is has read.
    turn: FxHashSet<(u32, u64, u64)>,
    last: Option<ThreadId>,
    /// It is on a cycle and sees nothing new: the others come first.
    tired: bool,
    cut_short: bool,
    /// The last step of the seed was an exchange that failed for no reason and has changed nothing.
    vain: bool,
}

impl<'s> Runner<'s> {
    fn new(subject: &'s Recording<'s>) -> Self {
        let mut machine = Machine::new(subject.program.clone(), subject.config.clone());
        machine.follow_calls();
        Runner {
            subject,
            machine,
            recorder: Recorder::new(&subject.names),
            picks: Vec::new(),
            possible: Vec::new(),
            steps: 0,
            turn: FxHashSet::default(),
            last: None,
            tired: false,
            cut_short: false,
            vain: false,
        }
    }

    fn act(&mut self, pick: Pick) -> Advanced {
        let thread = step::thread_of(pick);
        if let Pick::Step { .. } = pick {
            self.recorder.before(&mut self.machine, thread.index());
        }
        let alone = self.machine.threads().iter().filter(|thread| !thread.is_finished()).count() <= 1;
        self.picks.push(pick);
        self.steps += 1;
        let seen = self.machine.inspect().trace().len();
        let advanced = step::advance(&mut self.machine, pick, self.subject.progress);
        self.recorder.after(&mut self.machine, alone);
        if self.last != Some(thread) || std::mem::take(&mut self.tired) {
            self.turn.clear();
            (self.last, self.tired) = (Some(thread), false);
        }
        for event in &self.machine.inspect().trace()[seen..] {
            if event.operation.kind == EventKind::Read {
                let value = event.read.iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
                self.tired |= !self.turn.insert((event.position, event.operation.address, value));
            }
        }
        match self.subject.progress.over() {
            Some(_) if advanced == Advanced::Stopped => Advanced::Interrupted,
            _ => advanced,
        }
    }

    fn index_of(&mut self, thread: u32) -> Option<usize> {
        (0..self.machine.threads().len()).find(|&index| self.recorder.number(&self.machine, index) == thread)
    }

    /// Follows a step of a seed. `None` if that is not possible.
    fn follow(&mut self, act: &SeedStep) -> Option<Advanced> {
        let mut possible = std::mem::take(&mut self.possible);
        let advanced = self.follow_within(act, &mut possible);
        self.possible = possible;
        advanced
    }

    fn follow_within(&mut self, act: &SeedStep, possible: &mut Vec<Pick>) -> Option<Advanced> {
        match *act {
            SeedStep::Commit { thread, address } => {
                let index = self.index_of(thread)?;
                let mut stores = Vec::new();
                self.machine.inspect().buffered(index, &mut stores);
                if !stores.iter().any(|store| store.0 == address) {
                    // Its object is gone: no thread can see the store any more.
                    return Some(Advanced::Stopped);
                }
                let pick = Pick::Commit { thread: ThreadId(index as u16), address };
                self.machine.picks(possible);
                possible.contains(&pick).then(|| self.act(pick))
            }
            SeedStep::Timeout(thread) => {
                let index = self.index_of(thread)?;
                let pick = Pick::Step { thread: ThreadId(index as u16), alternative: TIMEOUT };
                self.machine.picks(possible);
                possible.contains(&pick).then(|| self.act(pick))
            }
            SeedStep::Event { event, wakes, fails } => {
                let mut patience = 1_000_u32;
                while self.recorder.events(event.thread) <= event.index {
                    let index = self.index_of(event.thread)?;
                    let next = self.recorder.events(event.thread) == event.index;
                    let alternative = match (wakes, self.machine.threads()[index].status.clone()) {
                        (Some(woken), Status::Ready(operation))
                            if next && operation.kind == EventKind::CondSignal
                                || next
                                    && operation.kind == EventKind::FutexWake
                                    && self.machine.probe().alternatives(index) > 1 =>
                        {
                            self.waiter(operation.address, woken)?
                        }
                        _ => u32::from(fails && next),
                    };
                    let pick = Pick::Step { thread: ThreadId(index as u16), alternative };
                    self.machine.picks(possible);
                    patience = patience.checked_sub(1)?;
                    if !possible.contains(&pick) {
                        return None;
                    }
                    let counts = self.subject.options.count_views;
                    let before = (fails && next && !counts).then(|| self.machine.state_hash());
                    match self.act(pick) {
                        Advanced::Stopped => {
                            self.vain = before.is_some_and(|before| before == self.machine.state_hash());
                        }
                        ended => return Some(ended),
                    }
                }
                Some(Advanced::Stopped)
            }
        }
    }

    /// Which place a thread has among those that wait for a condition or a futex.
    fn waiter(&mut self, address: u64, woken: u32) -> Option<u32> {
        let index = self.index_of(woken)?;
        let waits = |thread: &usize| {
            let status = self.machine.threads()[*thread].status.clone();
            match status {
                Status::Waiting(Wait::Condition { condition: at, .. } | Wait::Futex { address: at, .. }) => {
                    at == address
                }
                _ => false,
            }
        };
        waits(&index).then(|| (0..index).filter(waits).count() as u32)
    }

    /// What to do next when no seed says so; whether it is a thread that was to wait until the end.
    fn choose(&mut self, frozen: &[ThreadId], dead: &[ThreadId]) -> Option<(Pick, bool)> {
        let mut possible = std::mem::take(&mut self.possible);
        self.machine.picks(&mut possible);
        let exits = |pick: &Pick| {
            let status = self.machine.threads()[step::thread_of(*pick).index()].status.clone();
            matches!(status, Status::Ready(operation) if operation.kind == EventKind::Exit)
        };
        let rank = |pick: &Pick| {
            let thread = step::thread_of(*pick);
            let threads = self.machine.threads().len();
            let turn = match self.last {
                Some(last) if self.tired && last == thread => threads,
                Some(last) => (thread.index() + threads - last.index()) % threads,
                None => 0,
            };
            let class = match *pick {
                Pick::Commit { .. } => 0,
                Pick::Step { thread, .. } if frozen.contains(&thread) => 3,
                Pick::Step { .. } if exits(pick) => 4,
                Pick::Step { alternative: TIMEOUT, .. } => 2,
                Pick::Step { alternative: 0, .. } => 1,
                Pick::Step { .. } => 5,
            };
            (class, turn)
        };
        let living = possible.iter().filter(|pick| !dead.contains(&step::thread_of(**pick)));
        let best = living.min_by_key(|pick| rank(pick)).copied();
        let other = best.is_some_and(|best| exits(&best)) && {
            let count = self.machine.threads().iter().filter(|thread| !thread.is_finished()).count();
            count > 1
        };
        // Where a thread could exit while others can act, the moment of the end would be a choice.
        let beside =
            |exit: &Pick| possible.iter().any(|pick| step::thread_of(*pick) != step::thread_of(*exit));
        self.cut_short |= other || possible.iter().any(|pick| exits(pick) && beside(pick));
        let late = best.is_some_and(|best| rank(&best).0 >= 3);
        self.possible = possible;
        best.map(|best| (best, late))
    }
}

/// The state to which acts lead, and what was chosen up to there.
pub fn reach<'s>(subject: &'s Recording<'s>, acts: &[SeedStep]) -> Option<(Machine, Vec<Pick>)> {
    let mut runner = Runner::new(subject);
    for act in acts {
        if runner.follow(act)? != Advanced::Stopped {
            return None;
        }
    }
    Some((runner.machine, runner.picks))
}

/// Executes a seed, and then whatever can happen.
pub fn execute<'s>(subject: &'s Recording<'s>, seed: &[SeedStep]) -> Run<'s> {
    let mut runner = Runner::new(subject);
    let mut bugs = Vec::new();
    let mut stop = None;
    let mut end = None;
    for act in seed {
        match runner.follow(act) {
            None => end = Some(End::Lost),
            Some(Advanced::Stopped) => continue,
            Some(Advanced::Interrupted) => end = Some(End::Interrupted),
            Some(advanced) => {
                end = Some(failed(&mut runner, advanced, &mut bugs).unwrap_or(End::Failed));
                if let SeedStep::Event { event, .. } = act {
                    // It fails with this event, or with something before it that is none.
                    let events = runner.recorder.events(event.thread);
                    stop = Some(EventId::new(event.thread, event.index.min(events)));
                }
            }
        }
        break;
    }
    // Whatever could follow could as well follow what was there before.
    if end.is_none() && runner.vain && matches!(seed.last(), Some(SeedStep::Event { fails: true, .. })) {
        end = Some(End::Vain);
    }
    let (mut frozen, mut dead): (Vec<ThreadId>, Vec<ThreadId>) = (Vec::new(), Vec::new());
    let seeded = runner.picks.len();
    // A seed that leads to the end of the program by itself has nothing left to be done.
    while end.is_none() {
        let Some((pick, late)) = runner.choose(&frozen, &dead) else {
            end = Some(match runner.machine.outcome() {
                None => End::Over,
                Some(_) => ended(&mut runner, &mut bugs),
            });
            break;
        };
        let thread = step::thread_of(pick);
        let number = runner.recorder.number(&runner.machine, thread.index());
        let before = runner.recorder.events(number);
        let advanced = runner.act(pick);
        let known = bugs.len();
        end = match advanced {
            Advanced::Stopped => {
                frozen.retain(|&other| other != thread);
                None
            }
            Advanced::Interrupted => Some(End::Interrupted),
            Advanced::Ended => Some(ended(&mut runner, &mut bugs)),
            Advanced::Endless(_) => failed(&mut runner, advanced, &mut bugs).or(Some(End::Over)),
        };
        let endless = matches!(advanced, Advanced::Endless(_));
        let fails = endless
            || bugs.len() > known && matches!(runner.machine.outcome(), Some(Outcome::Violation { .. }));
        if fails && late && !endless {
            // It fails with the last of its events, or with something that is none.
            let events = runner.recorder.events(number);
            stop = Some(EventId::new(number, before.max(events.saturating_sub(1))));
        } else if fails {
            // The others go on as if it had not come to that; it is tried again when no other thread can act.
            let mut picks = std::mem::take(&mut runner.picks);
            picks.pop();
            let (steps, cut_short) = (runner.steps, runner.cut_short);
            runner = Runner::new(subject);
            let mut again = Advanced::Stopped;
            for &pick in &picks {
                again = runner.act(pick);
            }
            (runner.steps, runner.cut_short) = (steps + runner.steps, cut_short);
            if endless {
                dead.push(thread)
            } else {
                frozen.push(thread)
            }
            end = (again != Advanced::Stopped || picks.len() < seeded).then_some(End::Interrupted);
        }
    }
    let end = end.unwrap_or(End::Over);
    runner.cut_short |= ends_by_chance(&runner.machine);
    let view = runner.machine.inspect().view();
    runner.recorder.finish(&mut runner.machine, stop.map(|stop| stop.thread));
    let Runner { recorder, picks, steps, cut_short, .. } = runner;
    Run { recorder, picks, end, bugs, stop, view, steps, cut_short }
}

/// Whether the process was ended by a thread that did not have to wait for all others: one that no thread has joined
/// came to its end before only by chance.
fn ends_by_chance(machine: &Machine) -> bool {
    let exited = matches!(machine.outcome(), Some(Outcome::Exited(_)));
    let (ended, living): (Vec<_>, Vec<_>) = machine.threads().iter().partition(|thread| thread.is_finished());
    exited && !living.is_empty() && ended.iter().any(|thread| !thread.joined)
}

/// An execution that was made before, by what was chosen in it; nothing if that cannot be chosen.
pub fn again<'s>(subject: &'s Recording<'s>, picks: &[Pick]) -> Option<Run<'s>> {
    let mut runner = Runner::new(subject);
    let (mut stop, mut possible) = (None, Vec::new());
    for (number, &pick) in picks.iter().enumerate() {
        runner.machine.picks(&mut possible);
        if !possible.contains(&pick) {
            return None;
        }
        let thread = runner.recorder.number(&runner.machine, step::thread_of(pick).index());
        let before = runner.recorder.events(thread);
        match runner.act(pick) {
            Advanced::Stopped => {}
            Advanced::Ended if number + 1 == picks.len() => {
                let bug = step::ending(&mut runner.machine, subject.options);
                if let Ending::Bug(Bug::Ends(Outcome::Violation { .. })) = bug {
                    let events = runner.recorder.events(thread);
                    stop = Some(EventId::new(thread, before.max(events.saturating_sub(1))));
                }
            }
            _ => return None,
        }
    }
    let view = runner.machine.inspect().view();
    runner.recorder.finish(&mut runner.machine, stop.map(|stop| stop.thread));
    let Runner { recorder, picks, .. } = runner;
    Some(Run { recorder, picks, end: End::Over, bugs: Vec::new(), stop, view, steps: 0, cut_short: false })
}

/// Notes that a thread will run for ever.
fn failed(runner: &mut Runner<'_>, advanced: Advanced, bugs: &mut Vec<(Bug, Vec<Pick>)>) -> Option<End> {
    if let Advanced::Endless(thread) = advanced {
        let threads = vec![runner.machine.threads()[thread.index()].name.clone()];
        bugs.push((Bug::Livelock { threads, cycle: Default::default() }, runner.picks.clone()));
        return None;
    }
    match ended(runner, bugs) {
        End::Over if !bugs.is_empty() => None,
        end => Some(end),
    }
}

/// What an execution that is over has come to.
fn ended(runner: &mut Runner<'_>, bugs: &mut Vec<(Bug, Vec<Pick>)>) -> End {
    match step::ending(&mut runner.machine, runner.subject.options) {
        Ending::Complete => End::Over,
        Ending::Blocked => End::Blocked,
        Ending::Unsupported(outcome) => End::Unsupported(outcome),
        Ending::Bug(bug) => {
            bugs.push((bug, runner.picks.clone()));
            End::Over
        }
    }
}
