//! The machine: all of an execution's state, and the steps that it can take.

use crate::bits::Bits;
use crate::choices::Choices;
use crate::concolic::{Concolic, Symbolic};
use crate::followed::Followed;
use crate::footprint::Span;
use crate::halt::{Halt, Violation, ViolationKind};
use crate::inspect::{Inspect, InspectGraph, Probe};
use crate::library;
use crate::live::LiveSlots;
use crate::memory::{Bounds, Contents, Fault, FaultKind, Memory, Pointer};
use crate::model::MemoryModel;
use crate::native::{Context, Native, Visibility};
use crate::operational::CurrentStep;
use crate::parts::Parts;
use crate::privacy::HiddenSharing;
use crate::property::Judged;
use crate::spurious::{Spurious, Trials, is_spurious};
use crate::thread::{Frame, Status, Thread, Wait, Wake};
use crate::world::World;
use rustc_hash::FxHashSet;
use selvedge_program::Program;
use selvedge_program::code::{Callee, Op};
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{
    Births, Event, EventKind, Inputs, Model, Operation, Property, Reductions, SPURIOUS, TIMEOUT, ThreadId,
    ThreadName, Value,
};
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a machine is told at the start.
#[derive(Clone, Debug)]
pub struct Config {
    /// Memory model.
    pub model: Model,
    /// What the program sees of the outside.
    pub inputs: Arc<Inputs>,
    /// Name of the program: its `argv[0]`.
    pub program_name: String,
    /// Keep every event.
    pub trace: bool,
    /// Keep what every thread has read, as part of the state: see [`Inspect::view`].
    pub views: bool,
    /// Stop a thread before each visible operation also when all others have ended: every operation is a step of its
    /// own. Without it the last thread runs on without being chosen.
    pub every_step: bool,
    /// Stop the last thread before its operations, too, and leave everything else as it is without: see what it does.
    pub stops_alone: bool,
    /// Executions end as unsupported where something is weaker than sequentially consistent.
    pub sequential_only: bool,
    /// Loads may also read earlier stores, where the language's model allows that and no other order of steps shows the same.
    /// Executions end as unsupported where that is not enough. Sequential consistency else.
    pub operational: bool,
    /// Where loads may read an older store: what loads read elsewhere is told by [`Machine::take_looked_at`].
    pub looked_at: Arc<FxHashSet<u64>>,
    /// What is left out because it makes no difference.
    pub reductions: Reductions,
    /// Objects that are shared from their birth.
    pub births: Arc<Births>,
    /// Executions end as unsupported where a thread accesses a private object of another one, and this is where that is
    /// noted. Without it the object becomes shared at that moment, and the execution goes on.
    pub hidden: Option<Arc<HiddenSharing>>,
    /// Which waits may return for no reason.
    pub spurious: Spurious,
    /// Set when a thread waits for something and such a wait may end for no reason.
    pub waited: Arc<AtomicBool>,
    /// Frames that a thread may stack before that counts as a stack overflow.
    pub max_frames: usize,
    /// Values that the program asks for and that are not given are random, by this seed; 0 without it.
    pub random_inputs: Option<u64>,
    /// Keep beside values the expressions that they are, as far as this says. Sequential consistency only.
    pub symbolic: Option<Symbolic>,
    /// What the program asks for and is not given is chosen: a thread that asks stops, and its alternatives are values.
    pub choices: Option<Choices>,
    /// Only this counts as wrong. Without it everything does.
    pub property: Option<Property>,
    /// Threads pause after every operation, as if they had run for long: [`Machine::resume`] performs the next one. What
    /// can be chosen, and what happens, is the same.
    pub pauses: bool,
}

impl Default for Config {
    fn default() -> Self {
        let inputs = Arc::default();
        Config {
            model: Model::Sc,
            inputs,
            program_name: "program".into(),
            trace: false,
            views: false,
            every_step: false,
            stops_alone: false,
            sequential_only: false,
            operational: false,
            looked_at: Arc::default(),
            reductions: Reductions::ON,
            births: Arc::default(),
            hidden: None,
            spurious: Spurious::Off,
            waited: Arc::default(),
            max_frames: 100_000,
            random_inputs: None,
            symbolic: None,
            choices: None,
            property: None,
            pauses: false,
        }
    }
}

/// The code of a program that has called `abort`, as a shell says it.
const ABORTED: i32 = 134;

/// Alternatives from here on: the thread reads an earlier store, so many before the last.
pub const OLDER_STORE: u32 = 1 << 16;

/// One of the things that can happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Pick {
    /// The thread performs its pending operation, with this outcome, and runs up to its next one.
    Step { thread: ThreadId, alternative: u32 },
    /// The thread's oldest buffered store to this address becomes visible.
    Commit { thread: ThreadId, address: u64 },
}

/// How an execution ended.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// The program ended by itself.
    Exited(i32),
    /// Something went wrong in a thread.
    Violation { violation: Violation, thread: ThreadId },
    /// Something is not supported.
    Unsupported { what: String, thread: ThreadId },
    /// A thread stays at an assumption that does not hold, and the others have come to an end: this execution is not
    /// one that the program asks about.
    Blocked { thread: ThreadId },
    /// No thread can go on.
    Deadlock(Vec<Blocked>),
}

/// A thread that cannot go on, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    pub thread: ThreadId,
    pub kind: EventKind,
    /// What it waits for.
    pub address: u64,
    /// The thread that holds it, where that is known.
    pub holder: Option<ThreadId>,
}

/// What a step led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// The thread is before its next visible operation, waits, or has ended.
    Stopped,
    /// The thread has run for long without anything visible; `resume` continues it.
    OutOfFuel,
    /// The execution is over: see [`Machine::outcome`].
    Ended,
}

/// All of an execution's state.
pub struct Machine {
    pub(crate) program: Arc<Program>,
    pub(crate) config: Arc<Config>,
    natives: Arc<[Option<&'static Native>]>,
    pub(crate) live_slots: Arc<LiveSlots>,
    pub(crate) memory: Memory,
    pub(crate) threads: Vec<Arc<Thread>>,
    /// Sum of the hashes of all threads but those that have `moved`.
    threads_hash: u128,
    moved: Bits,
    /// Threads that have not come to their first visible operation.
    starting: u32,
    pub(crate) model: MemoryModel,
    pub(crate) current_step: CurrentStep,
    /// Which memory was plainly written or freed in any execution so far.
    pub(crate) plainly_written: FxHashSet<(u64, u64)>,
    pub(crate) world: World,
    pub(crate) outcome: Option<Outcome>,
    /// Threads that have not ended.
    pub(crate) live: usize,
    /// Shared accesses need neither a stop nor a note: one thread, no buffers, no trace.
    pub(crate) solo: bool,
    /// A single thread is left, and nothing that it does has to be chosen.
    pub(crate) unchosen: bool,
    /// Digest of all events.
    pub(crate) digest: u64,
    pub(crate) trace: Vec<Event>,
    /// The thread that ran out of fuel.
    pub(crate) unfinished: Option<usize>,
    /// The program can look at the clock: it is part of the state.
    pub(crate) clock_counts: bool,
    /// Stores to a thread's own objects are remembered.
    pub(crate) watch: bool,
    /// A model runs whose reads are part of its thread's view.
    pub(crate) sees: bool,
    /// Plain accesses of the call that is being tried out.
    pub(crate) touches: Option<Vec<Operation>>,
    /// What calls and copies have done in the last step, if it is to be recorded.
    pub(crate) followed: Option<Box<Followed>>,
    /// The thread that is in an atomic section: no other can do anything.
    pub(crate) atomic: Option<usize>,
    /// What the last step did to places that others may know, besides what it announced.
    pub(crate) effects: Vec<Span>,
    /// Events of the last step that are calls of `free`.
    pub(crate) free_calls: usize,
    /// The next store of a thread has no effect.
    pub(crate) discard: bool,
    /// Expressions beside values.
    pub(crate) concolic: Option<Box<Concolic>>,
    /// What trials of spurious wake-ups have shown.
    pub(crate) trials: Trials,
}

/// The program of a machine that takes a step, while the step changes the machine. What is borrowed from it lives no
/// longer than this does.
pub(crate) struct ProgramHere(NonNull<Program>);

impl Deref for ProgramHere {
    type Target = Program;

    fn deref(&self) -> &Program {
        // SAFETY: a machine never replaces its program, and this is a local variable of what the machine does.
        unsafe { self.0.as_ref() }
    }
}

/// A machine's state at some moment. Cheap: shares everything with the machine that is not written later.
pub struct Snapshot {
    memory: Contents,
    threads: Vec<Arc<Thread>>,
    threads_hash: u128,
    moved: Bits,
    starting: u32,
    model: MemoryModel,
    world: World,
    outcome: Option<Outcome>,
    live: usize,
    solo: bool,
    unchosen: bool,
    watch: bool,
    digest: u64,
    events: usize,
    unfinished: Option<usize>,
    atomic: Option<usize>,
    concolic: Option<Box<Concolic>>,
}

impl Snapshot {
    /// A byte of memory, 0 where there is none.
    pub(crate) fn byte(&self, address: u64) -> u8 {
        self.memory.byte(address).unwrap_or(0)
    }

    /// An arena as it was.
    pub(crate) fn arena(&mut self, index: u32) -> Option<Arc<crate::memory::Arena>> {
        self.memory.arena(index)
    }
}

impl Machine {
    /// A machine at the start of the program: `main` is about to run.
    pub fn new(program: Arc<Program>, mut config: Config) -> Self {
        // What a thread reads has to be chosen when it is the only one left, too.
        config.every_step |= config.model.is_graph() || config.operational;
        let natives = program.externals.iter().map(|external| library::find(&external.name)).collect();
        let model = MemoryModel::new(&program, &config);
        let mut machine = Machine {
            natives,
            live_slots: Arc::new(LiveSlots::new(&program)),
            memory: Memory::new(program.clone()),
            threads: Vec::new(),
            threads_hash: 0,
            moved: Bits::default(),
            starting: 0,
            solo: model.buffers().is_none() && !config.trace,
            unchosen: true,
            model,
            current_step: CurrentStep::default(),
            plainly_written: FxHashSet::default(),
            world: World::new(config.inputs.clone()),
            outcome: None,
            live: 0,
            digest: 0,
            trace: Vec::new(),
            unfinished: None,
            atomic: None,
            effects: Vec::new(),
            free_calls: 0,
            discard: false,
            sees: false,
            touches: None,
            followed: None,
            watch: false,
            concolic: match (&config.symbolic, &config.choices) {
                (Some(wanted), _) => Some(Box::new(Concolic::new(wanted.clone()))),
                (None, Some(choices)) => Some(Box::new(Concolic::telling(choices.predicates.clone()))),
                (None, None) => None,
            },
            trials: Trials::default(),
            clock_counts: crate::library::time::is_read_by(&program),
            program,
            config: Arc::new(config),
        };
        if machine.config.hidden.is_some() {
            machine.memory.be_strict();
        }
        if let Err(halt) = machine.start() {
            machine.halt(0, halt);
        }
        // Memory counts generations in another manner once it is hashed: what trials compare must not begin midway. Machines
        // that follow graphs try nothing, and older stores of a graph may hold pointers that are looked for in vain.
        let tries = matches!(machine.config.spurious, Spurious::Pruned | Spurious::AtWait);
        if tries && !machine.config.model.is_graph() {
            machine.state_hash();
        }
        machine
    }

    /// The program, beside the machine. Counting references would make machines on other processors wait.
    pub(crate) fn program_here(&self) -> ProgramHere {
        ProgramHere(NonNull::from(&*self.program))
    }

    /// The threads, in order of creation.
    pub fn threads(&self) -> &[Arc<Thread>] {
        &self.threads
    }

    /// How the execution ended, if it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Takes what the program has written to standard output (1) and standard error (2) since the last time.
    pub fn take_output(&mut self) -> Vec<(i32, Vec<u8>)> {
        self.world.output.take()
    }

    /// State of an execution, to come back to.
    pub fn snapshot(&mut self) -> Snapshot {
        Snapshot {
            memory: self.memory.snapshot(),
            threads: self.threads.clone(),
            threads_hash: self.threads_hash,
            moved: self.moved.clone(),
            starting: self.starting,
            model: self.model.clone(),
            world: self.world.clone(),
            outcome: self.outcome.clone(),
            live: self.live,
            solo: self.solo,
            unchosen: self.unchosen,
            watch: self.watch,
            digest: self.digest,
            events: self.trace.len(),
            unfinished: self.unfinished,
            atomic: self.atomic,
            concolic: self.concolic.clone(),
        }
    }

    /// Returns to a snapshot of this execution (one whose trace is a prefix of this one's).
    pub fn restore(&mut self, snapshot: &Snapshot) {
        if self.config.pauses {
            // A step that is left in its middle has nothing to say any more.
            self.memory.accessed_by(None);
            self.memory.take_exposed();
            self.memory.take_foreign();
        }
        self.memory.restore(&snapshot.memory);
        self.threads.truncate(snapshot.threads.len());
        for (thread, before) in self.threads.iter_mut().zip(&snapshot.threads) {
            if !Arc::ptr_eq(thread, before) {
                thread.clone_from(before);
            }
        }
        self.threads.extend_from_slice(&snapshot.threads[self.threads.len()..]);
        (self.threads_hash, self.starting) = (snapshot.threads_hash, snapshot.starting);
        self.moved.clone_from(&snapshot.moved);
        self.model.clone_from(&snapshot.model);
        self.current_step.beyond = None;
        self.world.clone_from(&snapshot.world);
        self.outcome.clone_from(&snapshot.outcome);
        (self.live, self.solo, self.digest) = (snapshot.live, snapshot.solo, snapshot.digest);
        self.unchosen = snapshot.unchosen;
        self.trace.truncate(snapshot.events);
        self.concolic.clone_from(&snapshot.concolic);
        (self.unfinished, self.atomic, self.watch) = (snapshot.unfinished, snapshot.atomic, snapshot.watch);
    }

    /// Questions about the state.
    pub fn inspect(&self) -> Inspect<'_> {
        Inspect { machine: self }
    }

    /// Questions about the execution graph, under a model in which there is one.
    pub fn inspect_graph(&self) -> InspectGraph<'_> {
        InspectGraph { machine: self }
    }

    /// Questions about what can happen next.
    pub fn probe(&mut self) -> Probe<'_> {
        Probe { machine: self }
    }

    pub(crate) fn thread_mut(&mut self, index: usize) -> &mut Thread {
        let thread = Arc::make_mut(&mut self.threads[index]);
        let hash = thread.hash.take();
        // A hash can be known without being part of the sum: another copy of the machine may have asked for it.
        if self.moved.insert(index)
            && let Some(hash) = hash
        {
            self.threads_hash = self.threads_hash.wrapping_sub(hash);
        }
        thread
    }

    /// Everything that can happen next. Empty when the execution is over.
    pub fn picks(&mut self, into: &mut Vec<Pick>) {
        into.clear();
        if self.outcome.is_some() {
            return;
        }
        for index in 0..self.threads.len() {
            if self.atomic.is_some_and(|only| only != index) {
                continue;
            }
            let thread = ThreadId(index as u16);
            if self.on_picks(index, into) {
                continue;
            }
            if let Status::Waiting(wait) = self.threads[index].status
                && wait.timed()
            {
                into.push(Pick::Step { thread, alternative: TIMEOUT });
            }
            if self.config.spurious != Spurious::Off && self.wakes_spuriously(index) {
                into.push(Pick::Step { thread, alternative: SPURIOUS });
            }
        }
        if let Some(model) = self.model.buffers()
            && self.atomic.is_none()
        {
            let mut commits = Vec::new();
            model.commits(&mut commits);
            let pick = |(thread, address)| Pick::Commit { thread: ThreadId(thread as u16), address };
            into.extend(commits.into_iter().map(pick));
        }
        let assuming = |thread: &Arc<Thread>| thread.status == Status::Waiting(Wait::Assumption);
        // No program may count on a spurious wake-up: where nothing else is possible no thread goes on.
        let counts_on = into.iter().all(|&pick| is_spurious(pick)) && !mutant(Mutant::SpuriousRescue);
        if into.is_empty() || (counts_on && !self.threads.iter().any(assuming)) {
            into.clear();
            let assumption = self.threads.iter().position(assuming);
            self.outcome = Some(match self.atomic {
                _ if let Some(thread) = assumption => Outcome::Blocked { thread: ThreadId(thread as u16) },
                None if !self.deadlocks_count() => Outcome::Blocked { thread: ThreadId(0) },
                None => Outcome::Deadlock(self.blocked()),
                Some(thread) => {
                    let what = "waiting in an atomic section (__VERIFIER_atomic_begin)".to_owned();
                    Outcome::Unsupported { what, thread: ThreadId(thread as u16) }
                }
            });
        }
    }

    /// The last thread alive runs on without being stopped before its operations, until something has to be chosen.
    pub fn let_run(&mut self) {
        self.unchosen = self.live <= 1;
        self.solo =
            self.unchosen && self.model.buffers().is_none() && !self.config.trace && !self.config.views;
    }

    pub(crate) fn pending_native(&self, index: usize) -> Option<Visibility> {
        self.native_at(index).map(|native| native.visibility)
    }

    /// Runs `act` with the context of the call that a thread is before.
    pub(crate) fn with_context<R>(
        &mut self,
        thread: usize,
        alternative: u32,
        act: impl FnOnce(&mut Context<'_>) -> R,
    ) -> Option<R> {
        let program = &*self.program_here();
        let frame = self.threads[thread].frames.last()?;
        let function = &program.functions[frame.function as usize];
        let Op::Call { index } = function.code[frame.pc as usize] else { return None };
        let call = &function.calls[index as usize];
        Some(act(&mut Context { machine: self, thread, alternative, call }))
    }

    /// The model of the function that a thread is about to call.
    pub(crate) fn native_at(&self, thread: usize) -> Option<&'static Native> {
        let frame = self.threads[thread].frames.last()?;
        let function = &self.program.functions[frame.function as usize];
        let Op::Call { index } = function.code[frame.pc as usize] else { return None };
        match function.calls[index as usize].callee {
            Callee::External(external) => self.natives[external as usize],
            Callee::Pointer(slot) => {
                let address = self.threads[thread].register(slot);
                self.external_at(address).and_then(|external| self.natives[external as usize])
            }
            Callee::Function(_) => None,
        }
    }

    pub(crate) fn native(&self, external: u32) -> Option<&'static Native> {
        self.natives[external as usize]
    }

    /// Performs one of `picks`.
    pub fn step(&mut self, pick: Pick) -> Stepped {
        self.effects.clear();
        self.free_calls = 0;
        if let Some(followed) = &mut self.followed {
            followed.clear();
        }
        if let Some(concolic) = &mut self.concolic {
            concolic.moves += 1;
        }
        match pick {
            Pick::Commit { thread, address } => {
                self.commit(thread.index(), address);
                Stepped::Stopped
            }
            Pick::Step { thread, alternative } => {
                let index = thread.index();
                if alternative == SPURIOUS {
                    return self.wake_spuriously(index).unwrap_or_else(|| self.settle());
                }
                if let Status::Waiting(_) = self.threads[index].status {
                    self.wake(index, Wake::TimedOut);
                    return self.settle();
                }
                if self.config.sequential_only
                    && !self.comes_after_all(index)
                    && let Err(halt) = self.only_sequential(index)
                {
                    self.halt(index, halt);
                    return Stepped::Ended;
                }
                self.on_step(index, alternative)
            }
        }
    }

    /// A thread that is before a store goes on as if it had stored, but memory stays as it is: what it would have
    /// stored has been overwritten in the meantime. Sequential consistency only.
    pub fn step_overwritten(&mut self, thread: ThreadId) -> Stepped {
        self.discard = true;
        let stepped = self.step(Pick::Step { thread, alternative: 0 });
        self.discard = false;
        stepped
    }

    /// Continues a thread that ran out of fuel.
    pub fn resume(&mut self) -> Stepped {
        match self.unfinished.take() {
            Some(thread) => self.run(thread, false, 0),
            None => self.settle(),
        }
    }

    /// Wakes a waiting thread. Its model runs again when it is next chosen; until then it is `Ready`, before
    /// what its model says it does next.
    pub(crate) fn wake(&mut self, index: usize, wake: Wake) {
        if wake != Wake::TimedOut {
            self.on_wake(index);
        }
        let thread = self.thread_mut(index);
        thread.wake = Some(wake);
        thread.status = Status::Ready(Operation::sync(EventKind::Yield, 0));
        let operation = match self.native_at(index).map(|native| native.visibility) {
            Some(Visibility::Always { operation, .. }) => self.with_context(index, 0, operation),
            _ => None,
        };
        if let Some(Ok(operation)) = operation {
            self.thread_mut(index).status = Status::Ready(operation);
        }
    }

    /// Runs threads that were just created up to their first visible operation: what they do before it is theirs
    /// alone, so nothing has to be chosen.
    pub(crate) fn settle(&mut self) -> Stepped {
        while self.outcome.is_none() {
            if self.starting == 0 {
                return Stepped::Stopped;
            }
            let Some(index) = self.threads.iter().position(|thread| thread.status == Status::Starting) else {
                return Stepped::Stopped;
            };
            self.starting -= 1;
            if let Stepped::OutOfFuel = self.run_alone(index, false, 0) {
                return Stepped::OutOfFuel;
            }
        }
        Stepped::Ended
    }

    pub(crate) fn run(&mut self, index: usize, permit: bool, alternative: u32) -> Stepped {
        match self.run_alone(index, permit, alternative) {
            Stepped::OutOfFuel => Stepped::OutOfFuel,
            Stepped::Stopped | Stepped::Ended => self.settle(),
        }
    }

    fn run_alone(&mut self, index: usize, permit: bool, alternative: u32) -> Stepped {
        use crate::interpret::Stop;
        // A thread that is alone passes all that has one outcome; only what it is before was chosen, and no later exchange or
        // input.
        let chosen = self.is_before_weak_exchange(index) || self.is_choosing(index);
        let permit = permit && (!self.unchosen || chosen);
        self.begin_accesses(index);
        let mut stopped = self.interpret(index, permit, alternative);
        if self.config.pauses && matches!(stopped, Ok(Stop::OutOfFuel)) {
            // The step is not over: what happens at the end of a step must not happen in its middle.
            self.unfinished = Some(index);
            return Stepped::OutOfFuel;
        }
        let hidden = self.end_accesses(index);
        if let Err(halt) = self.on_stop() {
            stopped = Err(halt);
        }
        if let Some(hidden) = hidden {
            stopped = Err(hidden);
        }
        match stopped {
            Ok(Stop::Visible(operation)) => self.thread_mut(index).status = Status::Ready(operation),
            Ok(Stop::Wait(wait)) => {
                self.thread_mut(index).status = Status::Waiting(wait);
                if wait.may_end_spuriously() {
                    self.config.waited.store(true, Ordering::Relaxed);
                }
                self.began_to_wait(index, wait);
            }
            Ok(Stop::ThreadEnd) => {}
            Ok(Stop::ProcessEnd(code)) => self.outcome = Some(Outcome::Exited(code)),
            Ok(Stop::OutOfFuel) => {
                self.unfinished = Some(index);
                return Stepped::OutOfFuel;
            }
            Err(halt) => match self.judged(halt) {
                Judged::Ends(halt) => self.halt(index, halt),
                Judged::Stays => self.thread_mut(index).status = Status::Waiting(Wait::Assumption),
                Judged::Exits => self.outcome = Some(Outcome::Exited(ABORTED)),
            },
        }
        Stepped::Stopped
    }

    /// Ends the execution because of what a thread did.
    pub(crate) fn halt(&mut self, index: usize, halt: Halt) {
        let thread = ThreadId(index as u16);
        if let Some(concolic) = &mut self.concolic {
            concolic.dangling = halt.is_about_gone();
        }
        self.outcome = Some(match halt {
            Halt::Violation(violation) => Outcome::Violation { violation: *violation, thread },
            Halt::Unsupported(what) => Outcome::Unsupported { what, thread },
            Halt::Fault(fault) => {
                // What is gone is not announced as an operation of its own: the access belongs to the step before it.
                self.effects.extend(crate::footprint::missed(fault.pointer.address, fault.len));
                let message = self.describe_fault(&fault);
                Outcome::Violation { violation: Violation { kind: ViolationKind::Memory, message }, thread }
            }
        });
    }

    /// Checks that bytes may be written.
    #[inline(always)]
    pub(crate) fn check_write(&mut self, to: Pointer, len: u64) -> Result<Bounds, Halt> {
        let bounds = self.memory.check(to, len)?;
        if bounds.constant {
            let found = self.memory.find(bounds.base);
            return Err(Box::new(Fault { kind: FaultKind::Constant, pointer: to, len, found }).into());
        }
        Ok(bounds)
    }

    /// Notes a visible event of a thread.
    pub(crate) fn record(
        &mut self,
        index: usize,
        operation: Operation,
        values: impl FnOnce() -> (Value, Value),
    ) {
        if self.touches.is_some() {
            self.touch_in_section(operation);
        }
        let thread = self.thread_mut(index);
        let number = thread.events;
        thread.events += 1;
        let (read, written) = values();
        if let Some(round) = &mut thread.round {
            let words = [operation.kind as u64, operation.address].into_iter();
            let seen = read.iter().map(|&byte| u64::from(byte));
            round.done = words.chain(seen).fold(round.done, |done, word| mix(done, &[word]));
        }
        self.on_event(index, operation, &read);
        // A lone thread's accesses are events only for a trace or where it is stopped before each of them: the digest must not
        // depend on that.
        let unnoted = operation.kind.is_access() || operation.kind == EventKind::Commit;
        if !(self.live <= 1 && unnoted) {
            self.digest = mix(self.digest, &[index as u64, operation.kind as u64, operation.address]);
            for bytes in [&read, &written] {
                for chunk in bytes.chunks(8) {
                    let mut word = [0; 8];
                    word[..chunk.len()].copy_from_slice(chunk);
                    self.digest = mix(self.digest, &[u64::from_le_bytes(word)]);
                }
            }
        }
        if self.config.trace {
            let position = self.inspect().position(index);
            let user = self.inspect().user_code(index);
            let user_position = user.map_or(position, |(position, _)| position);
            let calls = user.map(|(_, calls)| calls as u32);
            let thread = ThreadId(index as u16);
            self.trace.push(Event {
                thread,
                index: number,
                operation,
                read,
                written,
                position,
                user_position,
                calls,
            });
        }
    }

    /// Creates a thread that will run `function` (of the program) with these argument slots. It is stopped before
    /// its first operation.
    pub(crate) fn spawn(
        &mut self,
        parent: Option<usize>,
        function: u32,
        arguments: &[u64],
    ) -> Result<usize, Halt> {
        let name = match parent {
            None => ThreadName::main(),
            Some(parent) => {
                let parent = self.thread_mut(parent);
                parent.children += 1;
                parent.name.child(parent.children)
            }
        };
        if let Some(parent) = parent {
            self.share_exposed(parent)?;
        }
        if let (Some(parent), 1) = (parent, self.threads.len()) {
            self.concolic_begin(parent);
        }
        let arena = self.free_arena(&name);
        let index = self.threads.len();
        if index > usize::from(u16::MAX) {
            return Err(Halt::unsupported("number of threads (more than 65535)"));
        }
        let mut thread = Thread::new(ThreadId(index as u16), name, arena);
        let code = &self.program.functions[function as usize];
        thread.registers.resize(code.frame_slots.max(arguments.len() as u32) as usize, 0);
        thread.push_frame(Frame::new(function, 0), code.frame_slots as usize, arguments);
        // The first thread waits to be chosen, so that making a machine runs nothing.
        thread.status = match parent {
            None => Status::Ready(Operation::sync(EventKind::Yield, 0)),
            Some(_) => Status::Starting,
        };
        self.threads.push(Arc::new(thread));
        self.moved.insert(index);
        self.starting += u32::from(parent.is_some());
        self.live += 1;
        if let Some(parent) = parent {
            self.on_create(parent, index);
        }
        self.update_solo();
        Ok(index)
    }

    /// A thread has ended.
    pub(crate) fn finish_thread(&mut self, index: usize, result: Option<Pointer>) {
        self.drain(index);
        if let Some(result) = result {
            self.concolic_share(index, result.provenance);
            self.memory.share(result.provenance);
        }
        let position = self.inspect().position(index);
        let objects = std::mem::take(&mut self.thread_mut(index).stack);
        for object in objects.into_iter().rev() {
            self.free_object(index, object, position);
        }
        let locals = std::mem::take(&mut self.thread_mut(index).thread_locals);
        let mut locals: Vec<_> = locals.into_iter().collect();
        locals.sort_unstable_by_key(|(global, _)| *global);
        for (_, object) in locals {
            self.free_object(index, object, position);
        }
        self.memory.close_arena(self.threads[index].arena);
        let thread = self.thread_mut(index);
        thread.result = result;
        thread.status = Status::Finished;
        thread.frames.clear();
        thread.registers.clear();
        self.atomic = self.atomic.filter(|&atomic| atomic != index);
        self.live -= 1;
        self.on_end(index);
        if self.live == 1 && !self.buffers_stores() {
            (0..self.threads.len()).for_each(|thread| self.drain(thread));
        }
        self.update_solo();
    }

    fn update_solo(&mut self) {
        // What is done before there is a second thread is the same in every execution.
        let followed = self.threads.len() > 1;
        self.watch = match self.model.buffers() {
            Some(model) => self.buffers_stores() && model.watches(),
            None => self.model.graph().is_some() && followed,
        };
        let stops = self.config.every_step || self.config.stops_alone;
        let seen = (self.config.views || stops) && followed;
        self.unchosen = self.live <= 1 && !(stops && followed);
        self.solo = self.live <= 1 && self.model.buffers().is_none() && !self.config.trace && !seen;
    }

    /// Hash of everything that can influence the rest of an execution.
    pub fn state_hash(&mut self) -> u128 {
        let mut hash = self
            .memory
            .hash()
            .wrapping_add(self.atomic.map_or(0, |thread| u128::from(self.threads[thread].arena) + 1));
        if let Some(model) = self.model.buffers()
            && !mutant(Mutant::BuffersUnhashed)
        {
            hash = hash.wrapping_add(model.hash(&|thread| u64::from(self.threads[thread].arena)));
        }
        while let Some(index) = self.moved.pop() {
            let thread = &self.threads[index];
            let digest = *thread.hash.get_or_init(|| thread.digest(&self.program, &self.live_slots));
            self.threads_hash = self.threads_hash.wrapping_add(digest);
        }
        hash = hash.wrapping_add(self.threads_hash);
        hash = hash.wrapping_add(self.operational_hash());
        if self.config.views {
            hash = hash.wrapping_add(self.inspect().view());
        }
        hash = hash.wrapping_add(Parts::sum(|parts| self.term_parts(parts)));
        hash.wrapping_add(self.world.hash(self.clock_counts))
    }
}

impl Wait {
    /// Whether it can end by itself.
    pub fn timed(self) -> bool {
        match self {
            Wait::Condition { timed, .. } | Wait::Futex { timed, .. } => timed,
            Wait::Barrier { .. } | Wait::Assumption => false,
        }
    }
}

fn mix(digest: u64, words: &[u64]) -> u64 {
    words.iter().fold(digest, |digest, &word| {
        let folded = u128::from(digest ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
        (folded as u64) ^ ((folded >> 64) as u64)
    })
}
