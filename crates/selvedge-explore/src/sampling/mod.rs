//! Sampling: single executions, one after the other, chosen at random, for programs that are too large to be explored.
//!
//! The same seed gives the same executions, whatever the number of workers. Nothing is ever verified by them.

pub mod pct;
pub mod random;

use crate::kit::checkpoint::Keeper;
use crate::kit::driver::{self, Driver, Stack};
use crate::kit::exploration::Exploration;
use crate::kit::findings::{self, Found};
use crate::kit::races;
use crate::kit::step::{self, Advanced, Ending};
use crate::report::{Bug, Finding, Report, Unfinished};
use crate::{Budget, Options, Task};
use rustc_hash::FxHashSet;
use selvedge_machine::{Machine, Outcome, Pick, Snapshot};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// An execution with more steps is given up.
const LONGEST: usize = 1_000_000;

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence with two numbers.
    pub fn new(seed: u64, run: u64) -> Self {
        let mut random = Random(seed);
        random.0 = random.number() ^ run.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        random
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.number()) * bound as u128) >> 64) as usize
    }
}

/// Chooses the steps of one execution.
pub trait Choose {
    /// One of these picks.
    fn choose(&mut self, picks: &[Pick]) -> usize;
}

/// How far a search has come.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// How many steps the first execution took.
    length: usize,
    steps: u64,
    came: Vec<(u64, Came)>,
    found: Vec<(u64, Finding)>,
}

/// What came of one execution.
#[derive(Clone, Serialize, Deserialize)]
enum Came {
    Complete,
    Blocked,
    Long,
    Unsupported(Outcome, Vec<Pick>),
    Interrupted(Budget),
}

struct Sample<'a, F> {
    subject: &'a Exploration<'a>,
    /// Chooses the steps of the run with a number, if the first one took so many steps.
    chooser: F,
    start: Snapshot,
    length: usize,
    /// Runs that are known from a checkpoint.
    done: FxHashSet<u64>,
    next: AtomicU64,
    /// No run after this one counts.
    last: AtomicU64,
    interrupted: AtomicBool,
    steps: AtomicU64,
    came: Mutex<Vec<(u64, Came)>>,
    found: Mutex<Vec<(u64, Finding)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Executes the program `options.runs` times, as the chooser of each run says.
pub fn explore<C: Choose>(task: Task<'_>, chooser: impl Fn(u64, usize) -> C + Sync) -> Report {
    let Task { program, config, options, .. } = task;
    let subject = Exploration::new(task);
    let mut machine = Machine::new(program.clone(), config.clone());
    let runs = options.max_executions.map_or(options.runs, |most| most.min(options.runs));
    let kept: Option<Kept> = options.keep.as_ref().and_then(Keeper::kept);
    let known = kept.as_ref().map(|kept| kept.length);
    let Kept { steps, came, found, .. } =
        kept.unwrap_or(Kept { length: 0, steps: 0, came: Vec::new(), found: Vec::new() });
    let enough = found.iter().map(|(run, _)| *run).min().filter(|_| !options.keep_going);
    let mut sample = Sample {
        subject: &subject,
        chooser,
        start: machine.snapshot(),
        length: 0,
        done: came.iter().map(|(run, _)| *run).collect(),
        next: AtomicU64::new(1),
        last: AtomicU64::new(enough.unwrap_or(u64::MAX).min(runs.saturating_sub(1))),
        interrupted: AtomicBool::new(false),
        steps: AtomicU64::new(steps),
        came: Mutex::new(came),
        found: Mutex::new(found),
    };
    sample.length = known.unwrap_or_else(|| match runs {
        0 => 0,
        _ => sample.run(&mut machine, 0),
    });
    let driver = Driver::new(options);
    if sample.interrupted.load(Ordering::Relaxed) {
        driver.exhaust();
    }
    driver.run(&sample, Vec::new());
    sample.report(options)
}

impl<C: Choose, F: Fn(u64, usize) -> C + Sync> driver::Search for Sample<'_, F> {
    type Item = u64;
    type Worker = Machine;

    fn worker(&self) -> Option<Machine> {
        Some(Machine::new(self.subject.program.clone(), findings::plain_config(self.subject)))
    }

    fn follow(&self, machine: &mut Machine, run: u64, stack: &Stack<'_, u64>) -> Option<u64> {
        self.run(machine, run);
        if self.interrupted.load(Ordering::Relaxed) {
            stack.driver().exhaust();
        }
        None
    }

    /// The next run that counts.
    fn further(&self) -> Option<u64> {
        loop {
            let run = self.next.fetch_add(1, Ordering::Relaxed);
            if run > self.last.load(Ordering::Relaxed) {
                return None;
            }
            if !self.done.contains(&run) {
                return Some(run);
            }
        }
    }

    /// What is not complete is as if it had not begun.
    fn keep(&self, keeper: &Keeper, _: &mut [Machine], _: &[&u64]) {
        let came = lock(&self.came);
        let complete = came.iter().filter(|(_, came)| !matches!(came, Came::Interrupted(_)));
        let (length, steps) = (self.length, self.steps.load(Ordering::Relaxed));
        let found = lock(&self.found).clone();
        keeper.keep(&Kept { length, steps, came: complete.cloned().collect(), found });
    }
}

impl<C: Choose, F: Fn(u64, usize) -> C> Sample<'_, F> {
    /// One execution; how many steps it took.
    fn run(&self, machine: &mut Machine, run: u64) -> usize {
        let mut chooser = (self.chooser)(run, self.length);
        machine.restore(&self.start);
        let (mut schedule, mut picks) = (Vec::new(), Vec::new());
        let came = loop {
            if self.subject.options.races {
                self.look_for_races(machine, run, &schedule);
            }
            machine.picks(&mut picks);
            if picks.is_empty() {
                break self.end(machine, run, &schedule);
            }
            if schedule.len() >= LONGEST {
                break Came::Long;
            }
            if schedule.len() & 0xff == 0
                && let Some(budget) = self.subject.progress.used_up(self.subject.options, 0)
            {
                break Came::Interrupted(budget);
            }
            let pick = picks[chooser.choose(&picks)];
            schedule.push(pick);
            match step::advance(machine, pick, self.subject.progress) {
                Advanced::Stopped => {}
                Advanced::Ended => break self.end(machine, run, &schedule),
                Advanced::Endless(thread) => {
                    let threads = vec![machine.threads()[thread.index()].name.clone()];
                    self.find(machine, run, Bug::Livelock { threads, cycle: Default::default() }, &schedule);
                    break Came::Complete;
                }
                Advanced::Interrupted => break Came::Interrupted(Budget::Interrupted),
            }
        };
        self.steps.fetch_add(schedule.len() as u64, Ordering::Relaxed);
        if let Came::Interrupted(_) = came {
            self.interrupted.store(true, Ordering::Relaxed);
        }
        self.subject.progress.executions.fetch_add(1, Ordering::Relaxed);
        lock(&self.came).push((run, came));
        schedule.len()
    }

    fn end(&self, machine: &mut Machine, run: u64, schedule: &[Pick]) -> Came {
        match step::ending(machine, self.subject.options) {
            Ending::Complete => Came::Complete,
            Ending::Blocked => Came::Blocked,
            Ending::Bug(bug) => {
                self.find(machine, run, bug, schedule);
                Came::Complete
            }
            Ending::Unsupported(outcome) => Came::Unsupported(outcome, schedule.to_vec()),
        }
    }

    fn look_for_races(&self, machine: &mut Machine, run: u64, schedule: &[Pick]) {
        let mut pairs = Vec::new();
        races::pending_races(machine, &mut pairs);
        for (a, b) in pairs {
            self.find(machine, run, Bug::Race(a, b), schedule);
        }
    }

    fn find(&self, machine: &Machine, run: u64, bug: Bug, schedule: &[Pick]) {
        let identity = bug.identity(machine);
        let mut found = lock(&self.found);
        if found.iter().any(|(earlier, finding)| finding.identity == identity && *earlier <= run) {
            return;
        }
        found.retain(|(_, finding)| finding.identity != identity);
        found.push((run, Finding::here(machine, bug, schedule)));
        if !self.subject.options.keep_going {
            self.last.fetch_min(run, Ordering::Relaxed);
        }
    }

    fn report(self, options: &Options) -> Report {
        let (subject, last) = (self.subject, self.last.load(Ordering::Relaxed));
        let mut report = Report { steps: self.steps.into_inner(), ..Report::default() };
        let mut came = self.came.into_inner().unwrap_or_else(PoisonError::into_inner);
        came.sort_by_key(|(run, _)| *run);
        for (run, came) in came {
            match came {
                Came::Interrupted(budget) => {
                    report.unfinished.retain(|known| !matches!(known, Unfinished::Budget(_)));
                    report.unfinished.push(Unfinished::Budget(budget));
                }
                _ if run > last => {}
                Came::Complete => report.executions += 1,
                Came::Blocked | Came::Long => report.blocked += 1,
                Came::Unsupported(outcome, schedule) => {
                    let known = |known: &Unfinished| matches!(known, Unfinished::Unsupported { .. });
                    if !report.unfinished.iter().any(known) {
                        let found = reached(subject, Bug::Ends(outcome.clone()), &schedule);
                        report.unfinished.push(findings::unsupported(outcome, found));
                    }
                }
            }
        }
        report.unfinished.push(Unfinished::Sampled(report.executions));
        let mut found = self.found.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !options.keep_going {
            // The first run in which something is wrong is the same for any number of workers.
            found.sort_by(|(a, one), (b, other)| (a, &one.identity).cmp(&(b, &other.identity)));
            found.truncate(1);
        }
        let found: Found =
            found.into_iter().map(|(_, finding)| (finding.identity.clone(), finding)).collect();
        let alone = Options { jobs: 1, ..options.clone() };
        findings::followed_up(self.subject, found, &mut report, &alone);
        report
    }
}

/// What is at the end of an execution.
fn reached(subject: &Exploration<'_>, bug: Bug, schedule: &[Pick]) -> Option<Finding> {
    let machine = Machine::new(subject.program.clone(), findings::plain_config(subject));
    Finding::by_picks(machine, bug, schedule, subject.progress)
}
