//! What an exploration finds out.

use crate::Options;
use crate::kit::step::{self, Advanced};
use selvedge_machine::{EndProperty, Machine, Outcome, Pick};
use selvedge_order::Spent;
use selvedge_trace::{Births, Choices, Inputs, Operation, ThreadName};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// One of the two accesses of a data race.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    pub thread: ThreadName,
    pub operation: Operation,
    /// Where in the program: an index into the program's positions.
    pub position: u32,
    /// The nearest caller's position in the user's own code, or `position` itself.
    pub user_position: u32,
}

/// What is wrong at the end of a schedule.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Bug {
    /// The execution ends badly: a violation or a deadlock.
    Ends(Outcome),
    /// The program ends, and this does not hold then; the machine can say how.
    AtEnd(&'static EndProperty),
    /// Both accesses can happen next.
    Race(Access, Access),
    /// From the state at the end of the schedule these threads can go on for ever as `cycle` shows (the schedule of one
    /// round), although the scheduler is fair. Empty if they only wait in place.
    Livelock {
        /// The threads that act on the cycle.
        threads: Vec<ThreadName>,
        /// One round.
        cycle: Choices,
    },
}

impl Bug {
    /// Tells distinct violations apart: what is wrong and where.
    pub(crate) fn identity(&self, machine: &Machine) -> String {
        match self {
            Bug::Ends(Outcome::Violation { violation, thread }) => {
                format!("{:?} {}", violation.kind, machine.inspect().position(thread.index()))
            }
            Bug::Ends(Outcome::Deadlock(blocked)) => {
                let places = blocked.iter().map(|blocked| machine.inspect().position(blocked.thread.index()));
                let mut places: Vec<u32> = places.collect();
                places.sort_unstable();
                format!("deadlock {places:?}")
            }
            Bug::Ends(Outcome::Exited(code)) => format!("panic {:?}", step::panic_position(machine, *code)),
            Bug::Ends(_) => "panic".to_owned(),
            Bug::AtEnd(property) => property.name.to_owned(),
            Bug::Race(a, b) => {
                let (a, b) = (a.user_position, b.user_position);
                format!("race {} {}", a.min(b), a.max(b))
            }
            Bug::Livelock { threads, .. } => format!("livelock {threads:?}"),
        }
    }
}

/// A violation and how to come to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// What is wrong.
    pub bug: Bug,
    /// What to choose from the start on. The machine that has followed it shows the bug.
    pub choices: Choices,
    /// Digest of the machine's events when it has followed `choices`.
    pub digest: u64,
    /// Context switches in `choices`.
    pub switches: u32,
    /// Tells distinct violations apart.
    pub(crate) identity: String,
    /// The inputs with which it happens, where the strategy has chosen them.
    pub inputs: Option<Arc<Inputs>>,
}

impl Finding {
    /// The violation to which picks lead from the start; `None` if they cannot be followed.
    pub(crate) fn by_picks(
        mut machine: Machine,
        bug: Bug,
        picks: &[Pick],
        progress: &Progress,
    ) -> Option<Finding> {
        let mut possible = Vec::new();
        for &pick in picks {
            machine.picks(&mut possible);
            if !possible.contains(&pick) {
                return None;
            }
            // What was done before a thread was made to stop is another execution.
            if step::advance(&mut machine, pick, progress) == Advanced::Interrupted {
                return None;
            }
        }
        if let Bug::Ends(Outcome::Deadlock(_)) = bug {
            machine.picks(&mut possible);
        }
        Some(Finding::here(&machine, bug, picks))
    }

    /// The violation that a machine shows, which has followed these picks from the start.
    pub(crate) fn here(machine: &Machine, bug: Bug, picks: &[Pick]) -> Finding {
        Finding {
            identity: bug.identity(machine),
            bug,
            choices: step::choices(machine, picks),
            digest: machine.inspect().digest(),
            switches: step::switches(picks),
            inputs: None,
        }
    }
}

/// What was used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Budget {
    Time,
    Memory,
    Executions,
    /// An execution takes more steps than a search without states can explore.
    Length,
    /// The user has stopped it.
    Interrupted,
}

/// Why an exploration does not cover everything.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Unfinished {
    /// A budget was used up.
    Budget(Budget),
    /// An execution came to something that is not supported; `choices` lead there.
    Unsupported {
        /// What the machine says.
        outcome: Outcome,
        /// What to choose from the start on.
        choices: Choices,
    },
    /// Executions were chosen at random: so many.
    Sampled(u64),
    /// Of the executions with more preemptions than this not all were explored.
    Preemptions(u32),
    /// There are cycles of states, and whether an execution can stay on one for ever was not examined.
    Cycles,
    /// The strategy cannot cover this: it says what.
    Beyond(String),
    /// Inputs may have more values than were tried: which were.
    Values(String),
    /// A question was too hard for the solver.
    Undecided,
    /// Threads wait, and this strategy does not explore that waits return for no reason.
    Spurious,
    /// Something was met to which the path was not found again: a mistake of the search, never of the program.
    Lost,
}

/// What an exploration found out. The program is verified (within the bounds of the options) if there are neither
/// findings nor unfinished parts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// Distinct violations, the one with the fewest context switches first.
    pub findings: Vec<Finding>,
    /// What was left out, and why.
    pub unfinished: Vec<Unfinished>,
    /// Complete executions.
    pub executions: u64,
    /// Executions that were given up: an assumption does not hold, or all that is left was explored elsewhere.
    pub blocked: u64,
    /// Those of the blocked executions that were given up because all that they could still do was explored elsewhere.
    pub asleep: u64,
    /// Distinct views among complete executions, where they were counted.
    pub classes: Option<u64>,
    /// Distinct states, where they are stored.
    pub states: Option<u64>,
    /// Distinct combinations of paths of all threads, where they were counted.
    pub paths: Option<u64>,
    /// Questions that the ordering solver was asked, by strategies that ask it.
    pub queries: Option<u64>,
    /// How long the solver has thought, in all threads together, where that was measured.
    pub thought: Option<Duration>,
    /// How much work these questions were, where that is known.
    pub spent: Option<Spent>,
    /// Steps taken.
    pub steps: u64,
    /// A bound of the options (unrolling, preemptions) cut something off.
    pub cut: bool,
    /// Under a model of the language: all executions were sequentially consistent, and schedules are to be followed as such.
    pub sequential: bool,
    /// Under a model of the language, where not everything was covered: all sequentially consistent executions were.
    pub covered_sequential: bool,
    /// Objects that the search has taken for shared from their birth: schedules are to be followed with the same.
    pub births: Arc<Births>,
    /// Under a model of the language: spurious wake-ups were explored in sequentially consistent executions alone.
    pub spurious_sequential: bool,
    /// All values of the program's inputs were meant, not one of each.
    pub all_inputs: bool,
    /// The answer is that of a search over paths, which does not look for everything.
    pub by_paths: bool,
}

impl Report {
    /// Whether it was stopped, and can go on where it was.
    pub fn is_stopped(&self) -> bool {
        self.unfinished.iter().any(Unfinished::is_stop)
    }

    /// As it is for a search that goes on: what has stopped it does not count any more.
    pub(crate) fn going_on(&self) -> Report {
        let mut report = self.clone();
        report.unfinished.retain(|reason| !reason.is_stop());
        report
    }

    /// Leaves something open, for the first reason of each kind.
    pub(crate) fn leave_open(&mut self, reason: Unfinished) {
        let kind = std::mem::discriminant(&reason);
        if !self.unfinished.iter().any(|known| std::mem::discriminant(known) == kind) {
            self.unfinished.push(reason);
        }
    }

    /// Whether a violation is among the findings.
    pub(crate) fn has(&self, identity: &str) -> bool {
        self.findings.iter().any(|finding| finding.identity == identity)
    }

    /// Of a search that was told to stop: the way to what it has met may not have been followed to its end, which is no
    /// mistake.
    pub(crate) fn interrupted(mut self) -> Report {
        let interrupted = Unfinished::Budget(Budget::Interrupted);
        let is_open =
            |open: &Unfinished| matches!(open, Unfinished::Lost | Unfinished::Budget(Budget::Interrupted));
        if self.unfinished.iter().any(is_open) {
            self.unfinished.retain(|open| !is_open(open));
            self.unfinished.push(interrupted);
        }
        self
    }
}

impl Unfinished {
    /// Whether it is over when a search that was stopped goes on.
    fn is_stop(&self) -> bool {
        match self {
            Unfinished::Budget(budget) => *budget != Budget::Length,
            Unfinished::Preemptions(_) => true,
            Unfinished::Unsupported { .. }
            | Unfinished::Sampled(_)
            | Unfinished::Cycles
            | Unfinished::Beyond(_)
            | Unfinished::Undecided
            | Unfinished::Values(_)
            | Unfinished::Spurious
            | Unfinished::Lost => false,
        }
    }
}

/// The deadline, or the one that comes after so long if that is sooner.
fn sooner(deadline: Option<Instant>, time: Option<Duration>) -> Option<Instant> {
    let own = time.and_then(|time| Instant::now().checked_add(time));
    deadline.into_iter().chain(own).min()
}

/// How far an exploration has come; counted while it runs, for the caller to see.
#[derive(Debug, Default)]
pub struct Progress {
    pub states: AtomicU64,
    pub executions: AtomicU64,
    /// States that wait to be expanded.
    pub waiting: AtomicU64,
    pub depth: AtomicU64,
    /// How much of the present round is done, in parts of 2^60, if all acts of a state are equally much work.
    pub done: AtomicU64,
    /// Times that the whole exploration was begun anew with better knowledge.
    pub rounds: AtomicU32,
    /// Set from outside: bytes that the search takes; 0 if nothing measures them.
    pub memory: AtomicU64,
    /// Set from outside: there is no memory left to be used.
    pub memory_full: Arc<AtomicBool>,
    /// Set from outside: stop soon and tell what is known.
    pub stop: Arc<AtomicBool>,
    /// An object is shared that counted as private: what this search says will not count.
    pub(crate) hidden: Arc<AtomicBool>,
    /// Another search has the answer.
    dismissed: Arc<AtomicBool>,
    /// The same for the searches that this one is a part of, or beside of.
    above: Vec<Arc<AtomicBool>>,
    /// When the time is over.
    deadline: Mutex<Option<Instant>>,
    /// When the time of the whole search is over, whatever part of it is going on.
    limit: Mutex<Option<Instant>>,
}

/// What was found is followed up for so long when the time is over.
const FOLLOW_UP: Duration = Duration::from_millis(300);

/// What `Progress::done` counts in.
const WHOLE: f64 = (1_u64 << 60) as f64;

impl Progress {
    /// Does something in this time, or what is left of it.
    pub(crate) fn within<T>(&self, time: Duration, what: impl FnOnce() -> T) -> T {
        let whole = *self.deadline.lock().unwrap_or_else(|broken| broken.into_inner());
        self.until(sooner(whole, Some(time)), what)
    }

    /// Follows up what was found, although the time may be over.
    pub(crate) fn following_up<T>(&self, what: impl FnOnce() -> T) -> T {
        self.until(None, what)
    }

    fn until<T>(&self, deadline: Option<Instant>, what: impl FnOnce() -> T) -> T {
        let whole = self.set_deadline(deadline);
        let came = what();
        self.set_deadline(whole);
        came
    }

    /// Sets when the time is over. Returns when it was to be before.
    fn set_deadline(&self, deadline: Option<Instant>) -> Option<Instant> {
        std::mem::replace(&mut *self.deadline.lock().unwrap_or_else(|broken| broken.into_inner()), deadline)
    }

    /// Sets when the time of the whole search is over.
    pub(crate) fn set_limit(&self, limit: Option<Instant>) {
        *self.limit.lock().unwrap_or_else(|broken| broken.into_inner()) = limit;
        self.set_deadline(limit);
    }

    /// Why to stop following up what was found: that may take a little longer than the search.
    pub(crate) fn past_limit(&self) -> Option<Budget> {
        self.past_limit_by(FOLLOW_UP)
    }

    /// Why no search can begin anew.
    pub(crate) fn at_limit(&self) -> Option<Budget> {
        self.past_limit_by(Duration::ZERO)
    }

    fn past_limit_by(&self, more: Duration) -> Option<Budget> {
        let limit = *self.limit.lock().unwrap_or_else(|broken| broken.into_inner());
        let is_past = |limit: Instant| Instant::now() >= limit + more;
        match () {
            () if self.stop.load(Ordering::Relaxed) => Some(Budget::Interrupted),
            () if self.memory_full.load(Ordering::Relaxed) => Some(Budget::Memory),
            () => limit.is_some_and(is_past).then_some(Budget::Time),
        }
    }

    /// For another search beside this one or as a part of it, which shares its memory and its end, and may have less time.
    pub(crate) fn member(&self, time: Option<Duration>) -> Progress {
        let deadline = *self.deadline.lock().unwrap_or_else(|broken| broken.into_inner());
        let limit = *self.limit.lock().unwrap_or_else(|broken| broken.into_inner());
        let (deadline, limit) = (Mutex::new(sooner(deadline, time)), Mutex::new(limit));
        let (stop, memory_full, hidden) = (self.stop.clone(), self.memory_full.clone(), self.hidden.clone());
        let above = self.above.iter().chain([&self.dismissed]).cloned().collect();
        Progress { stop, memory_full, hidden, above, deadline, limit, ..Progress::default() }
    }

    /// Another search has the answer.
    pub(crate) fn dismiss(&self) {
        self.dismissed.store(true, Ordering::Relaxed);
    }

    /// What comes next is needed, whichever search had the answer.
    pub(crate) fn call_back(&self) {
        self.dismissed.store(false, Ordering::Relaxed);
    }

    /// Which budget of a search that has seen so many executions is used up.
    pub(crate) fn used_up(&self, options: &Options, executions: u64) -> Option<Budget> {
        let memory = || self.memory_full.load(Ordering::Relaxed).then_some(Budget::Memory);
        let enough = || options.max_executions.filter(|&most| executions >= most);
        self.over().or_else(memory).or_else(|| enough().map(|_| Budget::Executions))
    }

    /// Why to stop now.
    pub fn over(&self) -> Option<Budget> {
        let deadline = *self.deadline.lock().unwrap_or_else(|broken| broken.into_inner());
        let mut flags = [&self.stop, &self.dismissed, &self.hidden].into_iter().chain(&self.above);
        match flags.any(|flag| flag.load(Ordering::Relaxed)) {
            true => Some(Budget::Interrupted),
            false => deadline.filter(|deadline| Instant::now() >= *deadline).map(|_| Budget::Time),
        }
    }

    /// The whole search begins anew.
    pub(crate) fn begin_anew(&self) {
        for counter in [&self.states, &self.executions, &self.waiting, &self.depth, &self.done] {
            counter.store(0, Ordering::Relaxed);
        }
        self.rounds.fetch_add(1, Ordering::Relaxed);
    }

    /// Adds to what is done, as far as it is enough to be counted; the rest is left.
    pub(crate) fn add_done(&self, done: &mut f64) {
        let parts = (*done * WHOLE) as u64;
        *done -= parts as f64 / WHOLE;
        self.done.fetch_add(parts, Ordering::Relaxed);
    }

    /// How much of the present round is done, from 0 to 1: an estimate. States that meet again make the second half of
    /// the work less than the first.
    pub fn fraction(&self) -> f64 {
        (self.done.load(Ordering::Relaxed) as f64 / WHOLE).min(1.0)
    }
}
