//! The concolic shadow: beside values the expressions that they are, where they depend on inputs or on other threads.
//!
//! A machine without one pays nothing for it. One with a shadow runs at full speed until the first value depends on
//! something; from then on operations are taken one at a time, as they are in frames that hold undefined values. Slots of
//! frames and bytes of memory that are expressions carry a [`Term`]; all others are known. What the program decides by an
//! expression is noted as a branch. Where an expression would have to be known (an address, a size, an argument of a
//! library function, a float) it is pinned: a branch says that it is the value that it is.
//!
//! Nothing here chooses, and nothing changes what the program does: it is a record.

mod alone;
mod arithmetic;
mod enable;
mod events;
mod failures;
mod library;
mod memory;
mod operation;
mod outside;
mod path;
mod rare;
mod state;
mod waiting;

use crate::choices::Predicates;
use crate::halt::Halt;
use crate::interpret::{Exit, Run, Stop, TRACED_FUEL};
use crate::machine::Machine;
use crate::memory::Contents;
use crate::model::MemoryModel;
use crate::traits::Trait;
use operation::{After, Operation, Plan};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_paths::{BranchKind, Initial, Location, Move, Performed, Step, ThreadEnd};
use selvedge_program::code::{Op, Slot};
use selvedge_terms::{Symbol, Term, Terms};
use selvedge_trace::MemoryOrder;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use alone::{AloneError, Decisions, PathEnd, run_alone};
pub use path::{Extent, Recorded, perform, perform_and_look, perform_by, perform_moves};
pub(crate) use state::Fingerprints;

/// What is to be symbolic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbolic {
    /// What a thread reads of memory that others can write is a symbol of its own, as soon as there is a second thread.
    pub reads: bool,
    /// Values that the program asks for are symbols.
    pub inputs: bool,
    /// The program's arguments are symbols, byte by byte.
    pub arguments: bool,
    /// Standard input is symbols, byte by byte.
    pub stdin: bool,
    /// The files whose contents the inputs give are symbols, byte by byte.
    pub files: bool,
}

/// The record of one thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Own {
    pub steps: Vec<Performed>,
    /// Those of them that are neither branches nor continue others.
    pub groups: usize,
    /// The step of the machine that its last step of the record belongs to.
    last: Option<u64>,
    /// Reads that have become symbols.
    reads: u32,
    /// Outcomes of weak compare-exchanges that have become symbols.
    choices: u32,
    /// Weak compare-exchanges that may fail for no reason.
    failures: failures::Failures,
    /// Read-write locks that it holds for reading.
    shared: FxHashSet<u64>,
    /// What it waits for with a condition variable's mutex: it takes it again when it goes on.
    waiting: Option<(u64, u64, bool)>,
    /// Stores to its own objects so far, where they will matter when those are published, and the expressions that they
    /// have overwritten.
    private: u32,
    overwritten: FxHashMap<u32, Vec<(u64, Term)>>,
    /// It has arrived at a barrier, and has not left it.
    arrived: bool,
    pub end: Option<ThreadEnd>,
}

/// Expressions beside values, and what the threads have decided.
#[derive(Clone)]
pub(crate) struct Concolic {
    pub terms: Terms,
    wanted: Symbolic,
    /// Something depends on something.
    active: bool,
    pub threads: Vec<Own>,
    /// Where the thread at hand is in the program.
    position: u32,
    /// Steps of the machine so far: no other thread comes between what belongs to one of them.
    pub moves: u64,
    pub order: Vec<Move>,
    pub initial: Initial,
    /// Objects that threads share: first byte and size.
    pub objects: BTreeMap<u64, u64>,
    /// The last violation is the use of something that has gone.
    pub dangling: bool,
    /// What threads have found outside so far: the clock, randomness, files.
    outside: [u64; 3],
    /// What this record cannot express.
    pub beyond: Option<String>,
    /// Values of symbols that leave outcomes open.
    pub choices: FxHashMap<Symbol, u128>,
    /// Bytes that the operation at hand has read as symbols.
    fresh: FxHashMap<u64, Term>,
    /// Bytes that the operation at hand writes, where they are expressions.
    outgoing: FxHashMap<u64, Term>,
    /// What a thread that runs alone learns when it wakes others that wait for a word, by the number of the read.
    learned: FxHashMap<u32, u64>,
    /// What was pinned to which value, by the condition that says so, if that is asked for.
    pinned: Option<FxHashMap<(Term, u64), Term>>,
    /// The atomic operation at hand.
    plan: Option<Box<Plan>>,
    /// Memory before the first decision of all, or before the first thread was created.
    baseline: Option<Contents>,
    /// Bytes from outside that the model at hand has read: which they are, and what they are here.
    incoming: Vec<(Term, u8)>,
    /// What the library is told now is of no consequence.
    quiet: bool,
    /// Results of functions that were told expressions and of which nothing has been pinned: reading one pins all.
    lazy: Vec<Lazy>,
    /// Where decisions are told, if they are no record of an execution but one of a search.
    predicates: Option<Arc<Predicates>>,
    fingerprints: Fingerprints,
}

/// What a thread has written to an object that it publishes.
pub(crate) struct Changes {
    /// The stores in their order.
    stores: Vec<PrivateStore>,
    /// The expressions that were there before.
    before: FxHashMap<u64, Term>,
}

/// A store to an object that no other thread could reach then.
struct PrivateStore {
    at: Location,
    value: Term,
    order: MemoryOrder,
    /// Where in the program it is, if that is known.
    position: Option<u32>,
}

/// A result that depends on expressions in a manner that is not known.
#[derive(Clone, Debug)]
struct Lazy {
    thread: usize,
    frame: usize,
    slot: Slot,
    on: Vec<(Term, u64)>,
    /// It was told bytes of memory, too.
    memory: bool,
}

impl Concolic {
    /// For a search in which inputs are choices: decisions are told, and nothing is recorded.
    pub fn telling(predicates: Arc<Predicates>) -> Self {
        let wanted = Symbolic { inputs: true, ..Symbolic::default() };
        Concolic { predicates: Some(predicates), ..Concolic::new(wanted) }
    }

    pub fn new(wanted: Symbolic) -> Self {
        Concolic {
            terms: Terms::new(),
            wanted,
            active: false,
            threads: Vec::new(),
            position: 0,
            moves: 0,
            order: Vec::new(),
            initial: Initial::new(),
            objects: BTreeMap::new(),
            dangling: false,
            outside: [0; 3],
            beyond: None,
            choices: FxHashMap::default(),
            fresh: FxHashMap::default(),
            outgoing: FxHashMap::default(),
            plan: None,
            pinned: None,
            learned: FxHashMap::default(),
            baseline: None,
            incoming: Vec::new(),
            quiet: false,
            lazy: Vec::new(),
            predicates: None,
            fingerprints: Fingerprints::default(),
        }
    }

    /// Whether what threads read is part of the record.
    pub fn records_reads(&self) -> bool {
        self.wanted.reads
    }

    /// How much was recorded of all threads.
    pub fn recorded(&self) -> u64 {
        self.threads.iter().map(|own| own.steps.len() as u64).sum()
    }

    pub fn own(&mut self, thread: usize) -> &mut Own {
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Own::default);
        }
        &mut self.threads[thread]
    }

    fn branch(&mut self, thread: usize, condition: Term, outcome: u64, kind: BranchKind) {
        if self.terms.known(condition).is_none() && !self.tell(condition) {
            let step = Step::Branch { condition, outcome, kind };
            let position = self.position;
            self.own(thread).steps.push(Performed { step, continues: false, position });
        }
    }

    /// An expression is the value that it is.
    fn pin(&mut self, thread: usize, term: Term, value: u64, kind: BranchKind) {
        let width = self.terms.width(term);
        let known = self.terms.constant(width, value.into());
        let condition = self.terms.equal(term, known);
        if let Some(pinned) = &mut self.pinned {
            pinned.insert((condition, value), term);
        }
        self.branch(thread, condition, value, kind);
    }
}

/// Whether an operation stores something.
fn writes_memory(op: &Op) -> bool {
    matches!(
        op,
        Op::Store { .. } | Op::StorePtr { .. } | Op::StoreMany { .. } | Op::MemSet { .. } | Op::Atomic { .. }
    )
}

impl Machine {
    /// Whether operations have to be taken one at a time because of the concolic shadow.
    #[inline]
    pub(crate) fn is_concolic(&self) -> bool {
        self.concolic.as_ref().is_some_and(|concolic| concolic.active)
    }

    /// Whether accesses to shared memory are steps of the record.
    pub(crate) fn records(&self) -> bool {
        self.threads.len() > 1 && self.concolic.as_ref().is_some_and(|concolic| concolic.wanted.reads)
    }

    /// Performs one operation with its shadow.
    pub(crate) fn concolic_step(&mut self, run: &mut Run) -> Result<Exit, Halt> {
        if !self.watch && self.records() && self.model.buffers().is_some_and(|model| model.watches()) {
            // Otherwise it would depend on others whether what a thread publishes waits: on whether they have ended.
            self.watch = true;
        }
        run.fuel = run.fuel.min(TRACED_FUEL);
        let program = &*self.program_here();
        let depth = self.threads[run.thread].frames.len();
        let frame = self.threads[run.thread].frame();
        let function = &program.functions[frame.function as usize];
        let op = function.code[frame.pc as usize];
        if let Some(concolic) = &self.concolic
            && !concolic.lazy.is_empty()
        {
            self.look_at_results(run.thread, depth - 1, &op);
        }
        let after = self.concolic_before(run.thread, op, depth - 1);
        let after = self.plan_atomic(run.thread, after);
        if let Some(concolic) = &mut self.concolic {
            concolic.fresh.clear();
        }
        let exit = self.careful_step(run);
        if let Some(concolic) = &mut self.concolic {
            concolic.quiet = false;
            if let (Some(predicates), Some(what)) = (&concolic.predicates, &concolic.beyond) {
                predicates.known().beyond.get_or_insert_with(|| what.clone());
            }
        }
        let stopped = match &exit {
            Ok(Exit::Stop(Stop::Visible(_))) => true,
            Ok(Exit::Stop(Stop::OutOfFuel | Stop::Wait(_))) => matches!(op, Op::Call { .. }),
            Ok(_) => false,
            Err(_) => true,
        };
        if stopped {
            if let Some(concolic) = &mut self.concolic {
                concolic.outgoing.clear();
                concolic.plan = None;
            }
            return exit;
        }
        self.concolic_after(run.thread, depth - 1, after);
        exit
    }

    /// What is noted before an operation is performed, and what its results will be.
    fn concolic_before(&mut self, thread: usize, op: Op, frame: usize) -> After {
        let program = &*self.program_here();
        let Some(mut concolic) = self.concolic.take() else { return After::Nothing };
        let native = match op {
            Op::Call { .. } => self.native_at(thread),
            _ => None,
        };
        let slots = self.thread_mut(thread).frames[frame].terms.take();
        let mut slots = slots.map_or_else(FxHashMap::default, |slots| *slots);
        let this = &self.threads[thread];
        let function = &program.functions[this.frames[frame].function as usize];
        let base = this.frames[frame].base as usize;
        let registers = &this.registers[base..base + function.frame_slots as usize];
        let mut operation = Operation {
            terms: &mut concolic.terms,
            slots: &mut slots,
            registers,
            function,
            branches: Vec::new(),
            outgoing: &mut concolic.outgoing,
            pinned: concolic.pinned.as_mut(),
        };
        if concolic.predicates.is_some()
            && !matches!(self.model, MemoryModel::Sequential)
            && writes_memory(&op)
        {
            // Expressions lie in memory, not in buffers or among older stores.
            operation.pin_all(op);
        }
        let after = match op {
            Op::Call { index } => {
                let call = &function.calls[index as usize];
                let traits = native.map(|native| &native.traits);
                let told = traits.filter(|traits| traits.has(Trait::Prints)).map(|_| operation.told(call));
                concolic.quiet = told.is_some();
                if let Some(on) = told {
                    concolic.lazy.push(Lazy { thread, frame, slot: call.dst, on, memory: false });
                }
                operation.call(call, traits)
            }
            op => operation.perform(op),
        };
        let mut branches = operation.branches;
        if concolic.predicates.is_some() {
            for branch in branches.drain(..) {
                if let Step::Branch { condition, .. } = branch {
                    concolic.tell(condition);
                }
            }
        }
        if !branches.is_empty() && concolic.baseline.is_none() {
            concolic.baseline = Some(self.memory.snapshot());
        }
        if !branches.is_empty() {
            let position = self.inspect().position(thread);
            let performed = |step| Performed { step, continues: false, position };
            concolic.own(thread).steps.extend(branches.into_iter().map(performed));
        }
        self.concolic = Some(concolic);
        if !slots.is_empty() {
            self.thread_mut(thread).frames[frame].terms = Some(Box::new(slots));
        }
        after
    }

    /// What an operation that was performed has left behind.
    fn concolic_after(&mut self, thread: usize, frame: usize, after: After) {
        let mut updates: Vec<(Slot, Option<Term>)> = Vec::new();
        match after {
            After::Nothing => {}
            After::Slots(slots) => updates.extend(slots),
            After::Load(loads) => {
                for (slot, address, len) in loads {
                    updates.push((slot, self.loaded(address, len)));
                }
            }
            After::Copy { to, from, len } => self.concolic_moved(to, from, len),
            After::Atomic(_) => self.finish_atomic(thread, frame),
        }
        self.set_terms(thread, frame, &updates);
        let outgoing = match &mut self.concolic {
            Some(concolic) if !concolic.outgoing.is_empty() => std::mem::take(&mut concolic.outgoing),
            _ => return,
        };
        for (address, term) in outgoing {
            self.memory.set_term(address, Some(term));
        }
    }

    /// Says which expressions slots of a frame are.
    pub(crate) fn set_terms(&mut self, thread: usize, frame: usize, updates: &[(Slot, Option<Term>)]) {
        if updates.is_empty() {
            return;
        }
        let Some(base) = self.threads[thread].frames.get(frame).map(|frame| frame.base) else { return };
        let Some(concolic) = &mut self.concolic else { return };
        let mut known: Vec<(Slot, Option<Term>)> = Vec::new();
        for &(slot, term) in updates {
            let term = term.filter(|&term| concolic.terms.known(term).is_none());
            let deep = term.filter(|&term| concolic.is_too_deep(term));
            if let Some(deep) = deep {
                let value = self.threads[thread].registers[(base + slot) as usize];
                concolic.pin(thread, deep, value, BranchKind::Library);
            }
            known.push((slot, term.filter(|_| deep.is_none())));
        }
        let Some(frame) = self.thread_mut(thread).frames.get_mut(frame) else { return };
        for (slot, term) in known {
            match term {
                Some(term) => {
                    frame.terms.get_or_insert_default().insert(slot, term);
                }
                None => {
                    if let Some(terms) = &mut frame.terms {
                        terms.remove(&slot);
                    }
                }
            }
        }
        if frame.terms.as_ref().is_some_and(|terms| terms.is_empty()) {
            frame.terms = None;
        }
    }

    /// The expression that a slot of the running frame is.
    pub(crate) fn term_of(&self, thread: usize, slot: Slot) -> Option<Term> {
        self.threads[thread].frame().terms.as_ref()?.get(&slot).copied()
    }

    /// A slot of the running frame is a symbol from now on.
    pub(crate) fn set_symbol(&mut self, thread: usize, slot: Slot, symbol: &Symbol, width: u32) {
        let Some(concolic) = &mut self.concolic else { return };
        concolic.active = true;
        let symbol = concolic.terms.symbol(symbol, width);
        let term = concolic.terms.zero_extend(symbol, 64);
        let frame = self.threads[thread].frames.len() - 1;
        self.set_terms(thread, frame, &[(slot, Some(term))]);
    }

    /// A record cannot say what happens: the search that reads it must know.
    pub(crate) fn beyond(&mut self, what: impl Into<String>) {
        if let Some(concolic) = &mut self.concolic {
            concolic.beyond.get_or_insert_with(|| what.into());
        }
    }

    /// An operation is about to look at the result of a function that was told expressions.
    fn look_at_results(&mut self, thread: usize, frame: usize, op: &Op) {
        let program = &*self.program_here();
        let Some(concolic) = &mut self.concolic else { return };
        let deep = self.threads[thread].frames.len();
        concolic.lazy.retain(|lazy| lazy.thread != thread || lazy.frame < deep);
        let function = &program.functions[self.threads[thread].frames[frame].function as usize];
        let (mut read, mut written) = (FxHashSet::default(), FxHashSet::default());
        op.operands(function, &mut |usage, slot, count| {
            let into = if usage == selvedge_program::Use::Write { &mut written } else { &mut read };
            into.extend(slot..slot + count);
        });
        let mut kept = Vec::new();
        for lazy in std::mem::take(&mut concolic.lazy) {
            let here = lazy.thread == thread && lazy.frame == frame;
            if here && read.contains(&lazy.slot) {
                for (term, value) in lazy.on {
                    concolic.pin(thread, term, value, BranchKind::Library);
                }
                if lazy.memory {
                    concolic.beyond.get_or_insert_with(|| "a look at how much was written".to_owned());
                }
            } else if !(here && written.contains(&lazy.slot)) {
                kept.push(lazy);
            }
        }
        concolic.lazy = kept;
    }
}
