//! One execution, step by step: which processes can act, and what a step did.

use crate::kit::dependence::EventFootprint;
use crate::kit::event::Taken;
use crate::kit::process::{Name, Names, Process};
use crate::kit::races;
use crate::kit::step::{self, Advanced};
use crate::{Options, Progress, Task};
use rustc_hash::FxHashMap;
use selvedge_machine::{Config, Footprint, Machine, Pick, Status};
use selvedge_program::Program;
use selvedge_trace::{
    EventKind, MemoryOrder, Model, Operation, Sync, SyncEffect, SyncObject, TIMEOUT, ThreadId,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// Something that can happen next.
#[derive(Clone, Debug)]
pub struct Move {
    /// The process that acts.
    pub process: Process,
    /// Its thread.
    pub thread: ThreadId,
    /// One for each outcome.
    pub picks: SmallVec<[Pick; 2]>,
}

/// What a search is about; the same for all its workers.
pub struct Exploration<'a> {
    pub program: &'a Arc<Program>,
    /// For machines in which every operation is a step.
    pub config: Config,
    /// What the search is told.
    pub options: &'a Options,
    /// How far it has come.
    pub progress: &'a Progress,
    /// The processes of the execution.
    pub names: Names,
}

impl<'a> Exploration<'a> {
    /// A search of a program.
    pub fn new(task: Task<'a>) -> Self {
        let Task { program, config, options, progress, .. } = task;
        let config = Config { every_step: true, ..config.clone() };
        Exploration { program, config, options, progress, names: Names::default() }
    }

    /// What is explored, for another search of the same.
    pub fn task(&self) -> Task<'_> {
        let Exploration { program, ref config, options, progress, .. } = *self;
        Task { program, config, options, progress, hands_over: false }
    }

    /// Whether the moment of the program's end matters. Otherwise it can wait until no other thread can act: what
    /// happens before the end happens also if the end comes later.
    pub fn is_strict(&self) -> bool {
        self.options.count_views || !self.options.at_end.is_empty()
    }
}

/// A machine that is driven by processes instead of picks.
pub struct Runner<'a> {
    /// What is searched.
    pub subject: &'a Exploration<'a>,
    pub machine: Machine,
    /// The processes of the machine's threads.
    threads: Vec<Process>,
    buffers: FxHashMap<(Process, u64), Process>,
    picks: Vec<Pick>,
    footprint: Footprint,
    held: Vec<(u64, u8)>,
    /// Steps taken.
    pub steps: u64,
}

impl<'a> Runner<'a> {
    /// At the start of the program.
    pub fn new(subject: &'a Exploration<'a>) -> Self {
        Runner {
            subject,
            machine: Machine::new(subject.program.clone(), subject.config.clone()),
            threads: Vec::new(),
            buffers: FxHashMap::default(),
            picks: Vec::new(),
            footprint: Footprint::default(),
            held: Vec::new(),
            steps: 0,
        }
    }

    /// To be called when the machine was brought to another state: threads may have other numbers there.
    pub fn moved(&mut self) {
        self.threads.clear();
    }

    /// The process of a thread.
    pub fn thread(&mut self, index: usize) -> Process {
        while self.threads.len() < self.machine.threads().len() {
            let thread = self.machine.threads()[self.threads.len()].name.clone();
            self.threads.push(self.subject.names.number(&Name { thread, buffer: None }));
        }
        self.threads[index]
    }

    /// The thread of a process that is one.
    pub fn index(&mut self, process: Process) -> Option<usize> {
        (0..self.machine.threads().len()).find(|&index| self.thread(index) == process)
    }

    /// The process that makes buffered stores to an address visible.
    pub fn buffer(&mut self, index: usize, address: u64) -> Process {
        let owner = self.thread(index);
        let address = if self.subject.config.model == Model::Pso { address } else { 0 };
        let names = &self.subject.names;
        let thread = &self.machine.threads()[index].name;
        *self
            .buffers
            .entry((owner, address))
            .or_insert_with(|| names.number(&Name { thread: thread.clone(), buffer: Some(address) }))
    }

    fn pending(&self, index: usize) -> Option<Operation> {
        match self.machine.threads()[index].status {
            Status::Ready(operation) => Some(operation),
            _ => None,
        }
    }

    /// Everything that can happen next, but for what `stopped` processes could do.
    pub fn moves(&mut self, stopped: &[Process], into: &mut Vec<Move>) {
        into.clear();
        let mut picks = std::mem::take(&mut self.picks);
        self.machine.picks(&mut picks);
        for &pick in &picks {
            let thread = step::thread_of(pick);
            let process = match pick {
                Pick::Step { .. } => self.thread(thread.index()),
                Pick::Commit { address, .. } => self.buffer(thread.index(), address),
            };
            if stopped.contains(&process) {
                continue;
            }
            match into.last_mut().filter(|last| last.process == process) {
                Some(last) => last.picks.push(pick),
                None => into.push(Move { process, thread, picks: SmallVec::from_slice(&[pick]) }),
            }
        }
        // What drains a buffer is the same as its commits, one by one, and then the operation alone.
        let committing =
            |pick: &Pick, thread: ThreadId| matches!(*pick, Pick::Commit { thread: of, .. } if of == thread);
        into.retain(|next| {
            !matches!(next.picks[0], Pick::Step { .. })
                || !self.pending(next.thread.index()).is_some_and(drains)
                || !picks.iter().any(|pick| committing(pick, next.thread))
        });
        let exits = |next: &Move| {
            let pending = self.pending(next.thread.index());
            matches!(next.picks[0], Pick::Step { .. })
                && pending.is_some_and(|operation| operation.kind == EventKind::Exit)
        };
        if !self.subject.is_strict() && into.len() > 1 {
            let others = into.iter().any(|next| !exits(next));
            into.retain(|next| !others || !exits(next));
        }
        self.picks = picks;
    }

    /// Whether all threads but one have ended.
    pub fn alone(&self) -> bool {
        self.machine.threads().iter().filter(|thread| !thread.is_finished()).count() <= 1
    }

    fn held(&mut self, index: usize) -> Vec<(u64, u8)> {
        self.held.clear();
        self.machine.inspect().buffered(index, &mut self.held);
        self.held.clone()
    }

    /// What a pick touches.
    pub fn label(&mut self, pick: Pick, into: &mut EventFootprint) {
        let kind = match pick {
            Pick::Step { thread, .. } => self.pending(thread.index()).map(|operation| operation.kind),
            Pick::Commit { .. } => None,
        };
        self.machine.probe().footprint(pick, &mut self.footprint);
        let buffers = !self.machine.inspect().is_sequential();
        into.add(&self.footprint, kind, buffers, self.subject.is_strict());
        match (pick, kind) {
            _ if !buffers => {}
            (Pick::Commit { thread, .. }, _) => into.commits(self.thread(thread.index())),
            (Pick::Step { thread, .. }, Some(kind)) if may_drain(kind) => {
                into.minds_buffer(self.thread(thread.index()));
            }
            (Pick::Step { .. }, _) => {}
        }
    }

    /// What a thread is about to do, and what that touches, whether it is possible or not.
    pub fn waiting(&mut self, index: usize) -> Option<(Operation, EventFootprint)> {
        let operation = self.pending(index)?;
        let mut label = EventFootprint::default();
        self.machine.probe().pending_footprint(index, &mut self.footprint);
        let buffers = !self.machine.inspect().is_sequential();
        label.add(&self.footprint, Some(operation.kind), buffers, self.subject.is_strict());
        if buffers && may_drain(operation.kind) {
            label.minds_buffer(self.thread(index));
        }
        Some((operation, label))
    }

    /// Takes a step. `moves` is what can happen; `None` if it offers no such outcomes.
    pub fn take(&mut self, moves: &[Move], at: usize, outcomes: &[u32]) -> Option<(Taken, Advanced)> {
        let next = &moves[at];
        let index = next.thread.index();
        let mut picks = next.picks.clone();
        let mut label = EventFootprint::default();
        let step = matches!(picks[0], Pick::Step { .. });
        let operation = if step { self.pending(index) } else { None };
        let (accesses, position): (SmallVec<[Operation; 1]>, u32) = match picks[0] {
            _ if !self.subject.options.races => (SmallVec::new(), 0),
            Pick::Step { .. } => {
                (self.machine.probe().accesses(index).into(), self.machine.inspect().position(index))
            }
            Pick::Commit { address, .. } => {
                let (store, position) = races::waiting_store(&self.machine, index, address);
                (store.into_iter().collect(), position)
            }
        };
        let threads = self.machine.threads().len();
        let sleepers = self.sleepers(moves);
        let buffers = !self.machine.inspect().is_sequential();
        let mut held: Vec<Vec<(u64, u8)>> = match buffers {
            true => (0..threads).map(|thread| self.held(thread)).collect(),
            false => Vec::new(),
        };
        let mut taken = Taken {
            process: next.process,
            owner: self.thread(index),
            outcomes: SmallVec::new(),
            alternatives: SmallVec::new(),
            picks: SmallVec::new(),
            label: Arc::default(),
            operation,
            accesses,
            position,
            enabled: moves.iter().map(|next| next.process).collect(),
            starts: SmallVec::new(),
            kills: Vec::new(),
            drains: operation.is_some_and(drains),
            waits: operation.is_some_and(waits),
            stored: SmallVec::new(),
            rebuilt: Vec::new(),
            place: 0,
            stops: false,
        };
        let mut advanced;
        loop {
            let outcome = outcomes.get(taken.outcomes.len()).copied().unwrap_or(0);
            let &pick = picks.get(outcome as usize)?;
            taken.outcomes.push(outcome);
            taken.alternatives.push(picks.len() as u32);
            taken.picks.push(pick);
            self.label(pick, &mut label);
            self.steps += 1;
            advanced = step::advance(&mut self.machine, pick, self.subject.progress);
            label.spans.extend(self.machine.inspect().effects().iter().copied());
            // An atomic section is one step.
            if advanced != Advanced::Stopped || self.machine.inspect().atomic_section() != Some(next.thread) {
                break;
            }
            let mut inside = std::mem::take(&mut self.picks);
            self.machine.picks(&mut inside);
            picks = SmallVec::from_slice(&inside);
            self.picks = inside;
            label.everything = true;
            if picks.is_empty() {
                advanced = Advanced::Ended;
                break;
            }
        }
        while taken.outcomes.last() == Some(&0) {
            taken.outcomes.pop();
        }
        for (sleeper, timeout) in sleepers {
            if !matches!(self.machine.threads()[sleeper].status, Status::Waiting(_)) {
                let process = self.thread(sleeper);
                taken.starts.push(process);
                // A wait that another thread ends could have timed out before.
                taken.kills.extend(timeout.filter(|_| sleeper != index).map(|label| (process, label)));
            }
        }
        for created in threads..self.machine.threads().len() {
            let process = self.thread(created);
            taken.starts.push(process);
            // What a thread does before its first operation belongs to the step that creates it. It may have stored by then: to
            // an object of its own that it has made known as a number.
            held.extend(buffers.then(Vec::new));
        }
        for (thread, before) in held.into_iter().enumerate() {
            let process = self.thread(thread);
            if process != taken.owner && self.held(thread).len() < before.len() {
                label.empties(process);
            }
            self.note_buffer(&mut taken, moves, thread, before);
        }
        label.ends = matches!(advanced, Advanced::Ended | Advanced::Endless(_)) && !label.everything;
        taken.label = Arc::new(label);
        Some((taken, advanced))
    }

    /// Threads that wait, and what the end of the wait by a time-out touches, where that is possible.
    fn sleepers(&mut self, moves: &[Move]) -> SmallVec<[(usize, Option<Arc<EventFootprint>>); 4]> {
        let mut sleepers = SmallVec::new();
        for thread in 0..self.machine.threads().len() {
            if !matches!(self.machine.threads()[thread].status, Status::Waiting(_)) {
                continue;
            }
            let timeout = Pick::Step { thread: ThreadId(thread as u16), alternative: TIMEOUT };
            let label = moves.iter().any(|next| next.picks[0] == timeout).then(|| {
                let mut label = EventFootprint::default();
                self.label(timeout, &mut label);
                Arc::new(label)
            });
            sleepers.push((thread, label));
        }
        sleepers
    }

    /// What has become of a thread's buffer.
    fn note_buffer(&mut self, taken: &mut Taken, moves: &[Move], thread: usize, mut before: Vec<(u64, u8)>) {
        let process = self.thread(thread);
        let now = self.held(thread);
        let own = process == taken.owner;
        if own
            && let Pick::Commit { address, .. } = taken.picks[0]
            && let Some(at) = before.iter().position(|store| store.0 == address)
        {
            before.remove(at);
        }
        if now == before {
            return;
        }
        if own && now.starts_with(&before) {
            taken.stored.extend_from_slice(&now[before.len()..]);
            return;
        }
        let lost = |next: &&Move| {
            let Pick::Commit { address, .. } = next.picks[0] else { return false };
            next.thread.index() == thread && !now.iter().any(|store| store.0 == address)
        };
        for next in moves.iter().filter(lost) {
            if next.process != taken.process {
                let Pick::Commit { address, .. } = next.picks[0] else { continue };
                let length = before.iter().find(|store| store.0 == address).map_or(8, |store| store.1);
                taken.kills.push((next.process, Arc::new(EventFootprint::commit(address, length, process))));
            }
        }
        taken.rebuilt.push((process, now));
    }
}

/// Whether an operation may make something visible that its thread has stored before.
fn may_drain(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Read | EventKind::Write | EventKind::Fence | EventKind::Yield)
}

/// Whether an operation makes everything visible that its thread has stored before.
pub fn drains(operation: Operation) -> bool {
    use EventKind::{CompareExchange, Fence, ReadModifyWrite, Write};
    match operation.kind.on_object() {
        Some((SyncObject::Thread, effect)) => effect != SyncEffect::Detach,
        // Operations on others drain only sometimes: then what they drain is lost, which is noticed.
        Some((object, _)) => matches!(
            object,
            SyncObject::Mutex | SyncObject::Condition | SyncObject::Semaphore | SyncObject::Barrier
        ),
        None => match operation.kind {
            Write | Fence => operation.order == MemoryOrder::SeqCst,
            kind => matches!(kind, ReadModifyWrite | CompareExchange),
        },
    }
}

/// Whether an operation may have to wait for others.
pub fn waits(operation: Operation) -> bool {
    // Pipes can be empty or full, and streams locked.
    let of_the_outside = matches!(operation.kind, EventKind::Input | EventKind::Output);
    of_the_outside || operation.kind.sync().is_some_and(Sync::blocks)
}
