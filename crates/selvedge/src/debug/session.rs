//! A debugging session: a recorded execution, breakpoints, and how to get from one moment of interest to another.

use super::breakpoints::{Change, Lines, Watch};
use super::frames::{self, Spot, spot};
use super::timeline::{Moment, Timeline};
use super::variables::Viewer;
use crate::run::execute::{Captured, Limits};
use crate::run::prepare::Prepared;
use crate::run::replay::Divergence;
use crate::run::{self, Choose, Settings, Trace};
use selvedge_machine::{Blocks, EndProperties, Pick};
use selvedge_report::{Table, Verdict};
use selvedge_trace::{Choice, Inputs, Model, Schedule, ThreadId};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To another line of the thread; calls are run through.
    Over(usize),
    /// To another line of the thread, also in a function that is called.
    Into(usize),
    /// To the caller of what the thread is in.
    Out(usize),
    /// To the next step of the schedule, of whichever thread.
    Event,
    /// To a breakpoint.
    Run,
}

/// Why it was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Entry,
    Step,
    Breakpoint(Vec<u64>),
    Changed(Change),
    /// The user wanted to.
    Pause,
    /// The end of the execution.
    End,
    /// Going backwards has come to the beginning.
    Beginning,
}

/// A breakpoint at a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    pub id: u64,
    /// The line where it is, with code; nothing if there is none.
    pub line: Option<u32>,
}

/// Operations between two looks at whether the user wants to stop.
const OPERATIONS_PER_LOOK: u64 = 256;

pub struct Session {
    pub timeline: Timeline,
    /// The execution in words.
    pub table: Table,
    pub verdict: Verdict,
    pub source_root: PathBuf,
    pub lines: Lines,
    /// What heap blocks are made of.
    pub blocks: Blocks,
    /// The thread that the user is told about.
    pub thread: usize,
    pub interrupted: Arc<AtomicBool>,
    /// Digest of all events of the execution, as it was without a debugger.
    pub digest: u64,
    /// Breakpoints by the operations with which their lines begin.
    starts: HashMap<(u32, u32), u64>,
    watches: Vec<Watch>,
    entry: Moment,
    next_id: u64,
    /// Breakpoints of each file.
    by_file: HashMap<u32, Vec<Numbered>>,
}

/// A breakpoint's number, and the operations with which its line begins.
type Numbered = (u64, Vec<(u32, u32)>);

impl Session {
    /// Runs a schedule once, as `selvedge run` does, and goes to the first line of the program. `kept` is the program
    /// with its variables, `plain` the one that was recorded.
    pub fn new(
        kept: &Prepared,
        plain: &Prepared,
        schedule: Schedule,
        at_end: EndProperties,
    ) -> Result<Self, Divergence> {
        let settings = Settings {
            choose: Choose::Replay(Box::new(schedule)),
            model: Model::Sc,
            inputs: Inputs::default(),
            trace: Trace::Words,
            limits: Limits::default(),
        };
        let mut execution = run::run(plain, &settings, &mut Captured::default())?;
        let verdict = run::judge(&mut execution, at_end);
        let table = run::table(&mut execution, &verdict);
        let thread_of = |name: &selvedge_trace::ThreadName| {
            let threads = execution.machine.threads();
            threads.iter().find(|thread| thread.name == *name).map_or(ThreadId(0), |thread| thread.id)
        };
        let mut picks = Vec::new();
        for (choice, count) in execution.choices.runs() {
            let pick = match choice {
                Choice::Step { thread, alternative } => {
                    Pick::Step { thread: thread_of(thread), alternative: *alternative }
                }
                Choice::Commit { thread, address } => {
                    Pick::Commit { thread: thread_of(thread), address: *address }
                }
            };
            picks.extend(std::iter::repeat_n(pick, usize::try_from(*count).unwrap_or(usize::MAX)));
        }
        let config = run::config(kept, &settings);
        let mut session = Session {
            timeline: Timeline::new(kept.program.clone(), config, picks),
            table,
            verdict,
            source_root: kept.source_root.clone(),
            lines: Lines::new(&kept.program),
            blocks: Blocks::default(),
            thread: 0,
            interrupted: Arc::default(),
            digest: execution.digest,
            starts: HashMap::new(),
            watches: Vec::new(),
            entry: Moment::default(),
            next_id: 1,
            by_file: HashMap::new(),
        };
        while !session.is_at_user_code() && session.timeline.advance() {}
        session.entry = session.timeline.now();
        session.thread = session.acting();
        Ok(session)
    }

    fn is_at_user_code(&self) -> bool {
        let machine = self.timeline.machine();
        let entry = machine.inspect().program().entry;
        // What runs before `main` is the user's code too, but seldom what a user wants to see first.
        let main = machine.threads()[0].frames.iter().any(|frame| frame.function == entry);
        main && spot(machine, 0).line.is_some()
    }

    /// The thread that acts next, or in which the execution ends.
    fn acting(&self) -> usize {
        self.timeline.next_thread().map_or(self.thread, ThreadId::index)
    }

    /// The thread in which what is wrong is to be seen.
    fn failing(&self) -> Option<usize> {
        let row = self.table.rows.iter().rev().find(|row| row.marked);
        row.map(|row| row.thread).filter(|&thread| thread < self.timeline.machine().threads().len())
    }

    /// Whether this is the beginning of the program.
    pub fn is_at_entry(&self) -> bool {
        self.timeline.now() <= self.entry
    }

    /// Goes back to the first line.
    pub fn restart(&mut self) {
        self.timeline.go_to(self.entry);
        self.thread = self.acting();
        self.look();
    }

    /// Replaces the breakpoints of a file; for each of `lines` what became of it.
    pub fn set_breakpoints(&mut self, file: Option<u32>, lines: &[u32]) -> Vec<Breakpoint> {
        let mut set = Vec::new();
        let mut told = Vec::new();
        for &line in lines {
            let id = self.next_id;
            self.next_id += 1;
            let found = file.and_then(|file| self.lines.find(file, line));
            told.push(Breakpoint { id, line: found.map(|(line, _)| line) });
            set.extend(found.map(|(_, starts)| (id, starts.to_vec())));
        }
        if let Some(file) = file {
            self.by_file.insert(file, set);
        }
        self.starts = HashMap::new();
        for (id, starts) in self.by_file.values().flatten() {
            self.starts.extend(starts.iter().map(|start| (*start, *id)));
        }
        told
    }

    /// Replaces the watched variables.
    pub fn set_watches(&mut self, watches: Vec<Watch>) {
        self.watches = watches;
        self.look();
    }

    fn look(&mut self) {
        let machine = self.timeline.machine();
        self.watches.iter_mut().for_each(|watch| watch.look(machine));
    }

    /// Performs an operation; the threads that moved, with where they were before.
    fn advance(&mut self) -> Option<Vec<(usize, Spot)>> {
        let acting = self.acting();
        let threads = self.timeline.machine().threads().len();
        let before = spot(self.timeline.machine(), acting);
        if !self.timeline.advance() {
            return None;
        }
        let mut moved = vec![(acting, before)];
        let machine = self.timeline.machine();
        moved.extend((threads..machine.threads().len()).map(|thread| (thread, Spot::default())));
        if let Some(other) = machine.inspect().unfinished().map(ThreadId::index)
            && moved.iter().all(|(thread, _)| *thread != other)
        {
            // A thread that has just been created runs up to its first event.
            moved.push((other, Spot::default()));
        }
        Some(moved)
    }

    /// A breakpoint, or a change of a watched variable, that the last operation has led to.
    fn hit(&mut self, moved: &[(usize, Spot)]) -> Option<(Stop, usize)> {
        let machine = self.timeline.machine();
        let changed = self.watches.iter_mut().filter_map(|watch| watch.change(machine)).last();
        if let Some(change) = changed {
            return Some((Stop::Changed(change), moved[0].0));
        }
        if self.starts.is_empty() {
            return None;
        }
        moved.iter().find_map(|&(thread, before)| {
            let now = spot(machine, thread);
            let arrives = (now.depth, now.operation) != (before.depth, before.operation);
            let id = self.starts.get(&now.operation).filter(|_| arrives)?;
            Some((Stop::Breakpoint(vec![*id]), thread))
        })
    }

    /// Goes forwards.
    pub fn forwards(&mut self, step: Step) -> Stop {
        let from = self.spot_of(step);
        let events = self.timeline.machine().inspect().trace().len();
        self.look();
        let mut operations = 0;
        while let Some(moved) = self.advance() {
            if self.timeline.is_over() {
                break;
            }
            let stop = self.hit(&moved).or_else(|| self.reached(step, from, events, &moved));
            if let Some((stop, thread)) = stop {
                self.thread = if step == Step::Event && stop == Stop::Step { self.acting() } else { thread };
                return stop;
            }
            operations += 1;
            if operations % OPERATIONS_PER_LOOK == 0 && self.interrupted.swap(false, Ordering::Relaxed) {
                self.thread = self.acting();
                return Stop::Pause;
            }
        }
        self.thread = self.failing().unwrap_or(self.thread);
        Stop::End
    }

    fn spot_of(&self, step: Step) -> Spot {
        match step {
            Step::Over(thread) | Step::Into(thread) | Step::Out(thread) => {
                spot(self.timeline.machine(), thread)
            }
            Step::Event | Step::Run => Spot::default(),
        }
    }

    /// Whether a step forwards is over.
    fn reached(
        &self,
        step: Step,
        from: Spot,
        events: usize,
        moved: &[(usize, Spot)],
    ) -> Option<(Stop, usize)> {
        let machine = self.timeline.machine();
        let arrived = |thread: usize| {
            let moves = moved.iter().any(|(other, _)| *other == thread);
            let now = spot(machine, thread);
            (moves && now.line.is_some()).then_some(now)
        };
        let (thread, over) = match step {
            Step::Over(thread) => {
                let now = arrived(thread)?;
                (thread, now.depth < from.depth || (now.depth == from.depth && now.line != from.line))
            }
            Step::Into(thread) => {
                let now = arrived(thread)?;
                (thread, now.depth != from.depth || now.line != from.line)
            }
            Step::Out(thread) => (thread, arrived(thread)?.depth < from.depth),
            Step::Event => {
                let boundary = self.timeline.now().operation == 0;
                (moved[0].0, boundary || machine.inspect().trace().len() > events)
            }
            Step::Run => return None,
        };
        over.then_some((Stop::Step, thread))
    }

    /// Goes backwards, to the last moment before this one at which going forwards would have stopped in the same way.
    pub fn backwards(&mut self, step: Step) -> Stop {
        let now = self.timeline.now();
        let from = self.spot_of(step);
        // Each stretch between two states that are kept is performed again; the last stop in it counts.
        let mut end = now;
        for start in self.timeline.stretches(now) {
            let start = start.max(self.entry);
            if start >= now {
                continue;
            }
            let found = self.last_stop(start, (end, now), (step, from));
            if let Some((moment, stop, thread)) = found {
                self.timeline.go_to(moment);
                self.look();
                self.thread = thread;
                return stop;
            }
            end = start;
            if start == self.entry {
                break;
            }
            if self.interrupted.swap(false, Ordering::Relaxed) {
                self.thread = self.acting();
                return Stop::Pause;
            }
        }
        self.restart();
        Stop::Beginning
    }

    /// The last stop after a moment, up to the end of the stretch and before where the search began.
    fn last_stop(
        &mut self,
        start: Moment,
        (end, before): (Moment, Moment),
        (step, from): (Step, Spot),
    ) -> Option<(Moment, Stop, usize)> {
        self.timeline.go_to(start);
        self.look();
        let mut found = None;
        let mut events = self.timeline.machine().inspect().trace().len();
        while let Some(moved) = self.advance() {
            let moment = self.timeline.now();
            if moment > end || moment >= before {
                break;
            }
            let hit = self.hit(&moved);
            let stop = hit.or_else(|| self.passed(step, from, events, &moved));
            events = self.timeline.machine().inspect().trace().len();
            if let Some((stop, thread)) = stop {
                let thread = if step == Step::Event && stop == Stop::Step { self.acting() } else { thread };
                found = Some((moment, stop, thread));
            }
        }
        found
    }

    /// Whether a step backwards may end here: where a line begins, or where a call was made.
    fn passed(
        &self,
        step: Step,
        from: Spot,
        events: usize,
        moved: &[(usize, Spot)],
    ) -> Option<(Stop, usize)> {
        let machine = self.timeline.machine();
        let begins = |thread: usize| {
            let (_, before) = *moved.iter().find(|(other, _)| *other == thread)?;
            let now = spot(machine, thread);
            // What comes back from a call is in the middle of a line.
            let starts = before.depth < now.depth || (before.depth == now.depth && before.line != now.line);
            (now.line.is_some() && starts).then_some(now)
        };
        let (thread, stops) = match step {
            Step::Over(thread) => (thread, begins(thread)?.depth <= from.depth),
            Step::Into(thread) => (thread, begins(thread).is_some()),
            Step::Out(thread) => (thread, begins(thread)?.depth < from.depth),
            Step::Event => {
                let boundary = self.timeline.now().operation == 0;
                (moved[0].0, boundary || machine.inspect().trace().len() > events)
            }
            Step::Run => return None,
        };
        stops.then_some((Stop::Step, thread))
    }

    /// The value of an expression in a call of a thread, counted from the innermost one of the user's own code.
    pub fn evaluate(&mut self, thread: usize, call: usize, expression: &str) -> Result<String, String> {
        let machine = self.timeline.machine();
        let calls = frames::calls(machine, thread);
        let call = calls.iter().filter(|call| !call.library).nth(call);
        let mut viewer = Viewer { machine, blocks: &mut self.blocks };
        let item = viewer.evaluate(thread, call, expression)?;
        Ok(viewer.text(&item))
    }

    /// What the step of the schedule that comes next does, in words; nothing at the end.
    pub fn upcoming(&self) -> Option<(usize, String)> {
        let events = self.timeline.machine().inspect().trace().len();
        let row = self.table.rows.get(events..)?.iter().find(|row| !row.detail)?;
        Some((row.thread, row.text.clone()))
    }

    /// What is wrong at the end, in a line and in full.
    pub fn failure(&self) -> Option<(String, String)> {
        use selvedge_report::{Style, text};
        match &self.verdict {
            Verdict::Violation(violation) => {
                Some((violation.kind.title().to_owned(), text::violation(violation, None, Style::default())))
            }
            Verdict::Unknown(unknown) => {
                Some(("unknown".to_owned(), text::unknown(unknown, None, Style::default())))
            }
            Verdict::Ended(_) => None,
        }
    }
}
