//! What programs do, one step at a time.

use super::language::{Code, Condition, Expression, Program, Statement, Test};
use selvedge_terms::Term;
use selvedge_trace::Model;

/// A value; with an expression if it depends on inputs or on what other threads write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Value {
    pub(super) number: u16,
    pub(super) term: Option<Term>,
}

impl Value {
    pub(super) fn known(number: u16) -> Self {
        Value { number, term: None }
    }
}

/// Where a thread is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Thread {
    pub(super) place: usize,
    pub(super) locals: Vec<Value>,
    pub(super) decisions: Vec<u64>,
    pub(super) stage: Stage,
    /// How deep in atomic sections.
    pub(super) atomic: u32,
    /// It has begun with the section: no other thread goes on.
    pub(super) alone: bool,
}

/// How far a thread is with its statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Stage {
    /// No thread has started it.
    Absent,
    Ready,
    /// It waits in a queue, or at a barrier in some round.
    Waiting(u32),
    /// It was notified.
    Notified,
    /// Its time is over.
    Expired,
    Failed,
    Discarded,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Lock {
    pub(super) exclusive: bool,
    pub(super) shared: u32,
}

/// Everything at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) threads: Vec<Thread>,
    pub(super) memory: Vec<u16>,
    pub(super) locks: Vec<Lock>,
    pub(super) semaphores: Vec<u32>,
    /// How many have arrived, and the round.
    pub(super) barriers: Vec<(u32, u32)>,
    /// For each thread: stores that others do not see yet, the oldest first.
    pub(super) buffers: Vec<Vec<Store>>,
}

/// A store in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Store {
    address: u64,
    size: u32,
    value: u16,
}

impl Store {
    fn byte(&self, address: u64) -> Option<u8> {
        let offset = address.checked_sub(self.address).filter(|&offset| offset < u64::from(self.size))?;
        Some(self.value.to_le_bytes()[offset as usize])
    }

    fn overlaps(&self, other: &Store) -> bool {
        (0..other.size).any(|offset| self.byte(other.address + u64::from(offset)).is_some())
    }
}

impl State {
    /// What a thread sees.
    fn load(&self, thread: usize, from: u64, size: u32) -> u16 {
        let byte = |at: u64| {
            let own = self.buffers[thread].iter().rev().find_map(|store| store.byte(at));
            let offset = at - address(0);
            own.unwrap_or_else(|| self.memory[(offset / 2) as usize].to_le_bytes()[(offset % 2) as usize])
        };
        let high = if size == 2 { byte(from + 1) } else { 0 };
        u16::from_le_bytes([byte(from), high])
    }

    /// All threads see a store.
    fn show(&mut self, store: Store) {
        for offset in 0..store.size {
            let at = store.address + u64::from(offset) - address(0);
            let cell = &mut self.memory[(at / 2) as usize];
            let mut bytes = cell.to_le_bytes();
            bytes[(at % 2) as usize] = store.value.to_le_bytes()[offset as usize];
            *cell = u16::from_le_bytes(bytes);
        }
    }
}

/// How a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alternative {
    Plain,
    /// A notification wakes this thread.
    Wakes(usize),
    Expires,
    /// The oldest store to this address leaves the buffer.
    Commits(u64),
}

/// What is noticed while a thread does something.
pub(super) trait Watcher {
    fn input(&mut self, thread: usize, number: usize) -> Value;
    fn read(&mut self, thread: usize, address: u64, size: u32, number: u16) -> Value;
    fn write(&mut self, thread: usize, address: u64, size: u32, value: Value);
    /// A read and a write in one: what was read.
    fn update(
        &mut self,
        thread: usize,
        address: u64,
        number: u16,
        change: &dyn Fn(&mut Self, Value) -> Value,
    ) -> (Value, Value);
    fn add(&mut self, left: Value, right: Value) -> Value;
    fn sub(&mut self, left: Value, right: Value) -> Value;
    fn rem(&mut self, left: Value, by: u16) -> Value;
    fn compare(&mut self, test: Test, left: Value, right: Value) -> Value;
    fn choose(&mut self, condition: Value, then: Value, otherwise: Value) -> Value;
    /// A value becomes a byte, a byte becomes a value.
    fn byte(&mut self, value: Value) -> Value;
    /// A branch on a value that is not known has this outcome.
    fn branch(&mut self, thread: usize, condition: Value, kind: selvedge_paths::BranchKind);
    /// An address that is not known is this one.
    fn pin(&mut self, thread: usize, value: Value);
    fn step(&mut self, thread: usize, step: selvedge_paths::Step);
    /// An atomic section begins or ends, where buffers are: they are empty then.
    fn section(&mut self, thread: usize, begins: bool);
}

/// Where a shared variable lies.
pub(super) fn address(variable: usize) -> u64 {
    0x1000 + variable as u64 * 2
}

/// An access that is about to happen.
struct Pending {
    variable: usize,
    /// The bytes of the variable.
    halves: [bool; 2],
    writes: bool,
    plain: bool,
    position: u32,
}

pub(super) struct Interpreter<'p> {
    pub(super) program: &'p Program,
    pub(super) model: Model,
    pub(super) code: Vec<Vec<Code>>,
}

impl<'p> Interpreter<'p> {
    pub(super) fn new(program: &'p Program, model: Model) -> Self {
        Interpreter { program, model, code: program.code() }
    }

    pub(super) fn start(&self, watcher: &mut impl Watcher) -> State {
        let mut state = State {
            threads: Vec::new(),
            memory: vec![0; 64],
            locks: vec![Lock::default(); 8],
            semaphores: vec![0; 8],
            barriers: vec![(0, 0); 8],
            buffers: vec![Vec::new(); self.code.len()],
        };
        for (place, &value) in self.program.initial.iter().enumerate() {
            state.memory[place] = value as u16;
        }
        for thread in 0..self.code.len() {
            let absent = self.program.forked.contains(&thread);
            let stage = if absent { Stage::Absent } else { Stage::Ready };
            let locals = vec![Value::known(0); 24];
            state.threads.push(Thread {
                place: 0,
                locals,
                decisions: Vec::new(),
                stage,
                atomic: 0,
                alone: false,
            });
            if !absent {
                self.settle(&mut state, thread, watcher);
            }
        }
        state
    }

    pub(super) fn ended(&self, state: &State, thread: usize) -> bool {
        let at = &state.threads[thread];
        let done = at.stage == Stage::Ready && self.code[thread][at.place] == Code::End;
        done && state.buffers[thread].is_empty()
    }

    fn evaluate(&self, locals: &[Value], of: &Expression, watcher: &mut impl Watcher) -> Value {
        match of {
            Expression::Number(number) => Value::known(*number as u16),
            Expression::Local(local) => locals[*local],
            Expression::Add(left, right) => {
                let (left, right) =
                    (self.evaluate(locals, left, watcher), self.evaluate(locals, right, watcher));
                watcher.add(left, right)
            }
            Expression::Sub(left, right) => {
                let (left, right) =
                    (self.evaluate(locals, left, watcher), self.evaluate(locals, right, watcher));
                watcher.sub(left, right)
            }
            Expression::Rem(of, by) => {
                let of = self.evaluate(locals, of, watcher);
                watcher.rem(of, *by)
            }
        }
    }

    fn test(&self, locals: &[Value], condition: &Condition, watcher: &mut impl Watcher) -> Value {
        let left = self.evaluate(locals, &condition.left, watcher);
        let right = self.evaluate(locals, &condition.right, watcher);
        watcher.compare(condition.test, left, right)
    }

    /// Does everything that no other thread notices.
    fn settle(&self, state: &mut State, thread: usize, watcher: &mut impl Watcher) {
        use selvedge_paths::BranchKind;
        loop {
            let at = &mut state.threads[thread];
            match &self.code[thread][at.place] {
                Code::Jump(place) => at.place = *place,
                Code::Begin => {
                    at.atomic += 1;
                    at.place += 1;
                }
                Code::Finish => {
                    at.atomic -= 1;
                    let ends = at.alone && at.atomic == 0;
                    at.alone &= at.atomic > 0;
                    at.place += 1;
                    if ends && self.model != Model::Sc {
                        let stores = std::mem::take(&mut state.buffers[thread]);
                        stores.into_iter().for_each(|store| state.show(store));
                        watcher.section(thread, false);
                    }
                }
                Code::Branch(condition, otherwise) => {
                    let value = self.test(&at.locals, condition, watcher);
                    decide(at, thread, value, BranchKind::Ordinary, watcher);
                    at.place = if value.number == 1 { at.place + 1 } else { *otherwise };
                }
                Code::Do(Statement::Input { local, number }) => {
                    at.locals[*local] = watcher.input(thread, *number);
                    at.place += 1;
                }
                Code::Do(Statement::Assign { local, value }) => {
                    at.locals[*local] = self.evaluate(&at.locals, value, watcher);
                    at.place += 1;
                }
                Code::Do(Statement::Assert { condition }) => {
                    let value = self.test(&at.locals, condition, watcher);
                    decide(at, thread, value, BranchKind::Check, watcher);
                    if value.number == 0 {
                        at.stage = Stage::Failed;
                        return;
                    }
                    at.place += 1;
                }
                Code::Do(Statement::Assume { condition }) => {
                    let value = self.test(&at.locals, condition, watcher);
                    decide(at, thread, value, BranchKind::Assume, watcher);
                    if value.number == 0 {
                        at.stage = Stage::Discarded;
                        return;
                    }
                    at.place += 1;
                }
                Code::Do(_) => return,
                Code::End => {
                    // What is left in locals makes no difference.
                    at.locals.iter_mut().for_each(|local| *local = Value::known(0));
                    return;
                }
            }
        }
    }

    /// The alternatives with which a thread can go on, or its stores leave its buffer.
    pub(super) fn alternatives(&self, state: &State, thread: usize) -> Vec<Alternative> {
        let buffer = &state.buffers[thread];
        let mut alternatives = self.steps(state, thread);
        if !buffer.is_empty() {
            let at = &state.threads[thread];
            let statement = &self.code[thread][at.place];
            let begins = at.atomic > 0 && !at.alone;
            if begins
                || !matches!(
                    statement,
                    Code::Do(
                        Statement::Read { .. }
                            | Statement::ReadAt { .. }
                            | Statement::ReadHalf { .. }
                            | Statement::Write { .. }
                            | Statement::WriteAt { .. }
                            | Statement::WriteHalf { .. }
                    )
                )
            {
                alternatives.clear();
            }
        }
        // Nothing comes into the middle of an atomic section.
        if state.threads.iter().any(|other| other.alone && other.stage == Stage::Ready) {
            return alternatives;
        }
        for (place, store) in buffer.iter().enumerate() {
            let held =
                buffer[..place].iter().any(|earlier| self.model == Model::Tso || earlier.overlaps(store));
            if !held {
                alternatives.push(Alternative::Commits(store.address));
            }
        }
        alternatives
    }

    fn steps(&self, state: &State, thread: usize) -> Vec<Alternative> {
        let at = &state.threads[thread];
        // A thread in an atomic section goes on alone.
        let alone = state.threads.iter().position(|other| other.alone && other.stage == Stage::Ready);
        if alone.is_some_and(|alone| alone != thread) {
            return Vec::new();
        }
        let Code::Do(statement) = &self.code[thread][at.place] else { return Vec::new() };
        let free = |lock: &usize| !state.locks[*lock].exclusive && state.locks[*lock].shared == 0;
        let when = |possible: bool| if possible { vec![Alternative::Plain] } else { Vec::new() };
        match (at.stage, statement) {
            (Stage::Absent | Stage::Failed | Stage::Discarded, _) => Vec::new(),
            (Stage::Waiting(_), Statement::Wait { .. }) => Vec::new(),
            (Stage::Waiting(_), Statement::TimedWait { .. }) => vec![Alternative::Expires],
            (Stage::Waiting(round), Statement::Arrive { barrier, .. }) => {
                when(state.barriers[*barrier].1 != round)
            }
            (
                Stage::Notified | Stage::Expired,
                Statement::Wait { lock, .. } | Statement::TimedWait { lock, .. },
            ) => when(free(lock)),
            (_, Statement::Lock(lock)) => when(free(lock)),
            (_, Statement::LockShared(lock)) => when(!state.locks[*lock].exclusive),
            (_, Statement::Take(semaphore)) => when(state.semaphores[*semaphore] > 0),
            (_, Statement::Join(other)) => when(self.ended(state, *other)),
            (_, Statement::Notify { queue, all: false }) => {
                let waiting = self.waiting(state, *queue);
                if waiting.is_empty() {
                    vec![Alternative::Plain]
                } else {
                    waiting.into_iter().map(Alternative::Wakes).collect()
                }
            }
            _ => vec![Alternative::Plain],
        }
    }

    fn waiting(&self, state: &State, queue: usize) -> Vec<usize> {
        let waits = |thread: &usize| {
            let at = &state.threads[*thread];
            let here = matches!(&self.code[*thread][at.place],
                Code::Do(Statement::Wait { queue: other, .. } | Statement::TimedWait { queue: other, .. })
                    if *other == queue);
            here && matches!(at.stage, Stage::Waiting(_))
        };
        (0..state.threads.len()).filter(waits).collect()
    }

    /// Performs a step that is possible.
    pub(super) fn step(
        &self,
        state: &mut State,
        thread: usize,
        alternative: Alternative,
        watcher: &mut impl Watcher,
    ) {
        if let Alternative::Commits(address) = alternative {
            let oldest = state.buffers[thread].iter().position(|store| store.address == address);
            if let Some(oldest) = oldest {
                let store = state.buffers[thread].remove(oldest);
                state.show(store);
            }
            return;
        }
        if alternative == Alternative::Expires {
            state.threads[thread].stage = Stage::Expired;
            return;
        }
        let (place, atomic, alone) = {
            let at = &state.threads[thread];
            (at.place, at.atomic, at.alone)
        };
        let Code::Do(statement) = &self.code[thread][place] else { return };
        if atomic > 0 && !alone && self.model != Model::Sc {
            watcher.section(thread, true);
        }
        if self.perform(state, thread, statement, alternative, watcher) {
            let at = &mut state.threads[thread];
            at.place += 1;
            at.alone = at.atomic > 0;
            self.settle(state, thread, watcher);
        }
    }

    /// Whether the statement is done.
    fn perform(
        &self,
        state: &mut State,
        thread: usize,
        statement: &Statement,
        alternative: Alternative,
        watcher: &mut impl Watcher,
    ) -> bool {
        use selvedge_paths::{Cause, Step};
        let locals = state.threads[thread].locals.clone();
        match statement {
            Statement::Read { local, variable } => {
                let there = state.load(thread, address(*variable), 2);
                let value = watcher.read(thread, address(*variable), 2, there);
                state.threads[thread].locals[*local] = value;
            }
            Statement::ReadAt { local, first, index } => {
                let variable = self.place(state, thread, *first, index, watcher);
                let there = state.load(thread, address(variable), 2);
                let value = watcher.read(thread, address(variable), 2, there);
                state.threads[thread].locals[*local] = value;
            }
            Statement::Write { variable, value } => {
                let value = self.evaluate(&locals, value, watcher);
                self.store(state, thread, address(*variable), 2, value);
                watcher.write(thread, address(*variable), 2, value);
            }
            Statement::WriteAt { first, index, value } => {
                let value = self.evaluate(&locals, value, watcher);
                let variable = self.place(state, thread, *first, index, watcher);
                self.store(state, thread, address(variable), 2, value);
                watcher.write(thread, address(variable), 2, value);
            }
            Statement::ReadHalf { local, variable, upper } => {
                let byte = state.load(thread, address(*variable) + u64::from(*upper), 1);
                let value = watcher.read(thread, address(*variable) + u64::from(*upper), 1, byte);
                state.threads[thread].locals[*local] = value;
            }
            Statement::WriteHalf { variable, upper, value } => {
                let value = self.evaluate(&locals, value, watcher);
                let value = watcher.byte(value);
                self.store(state, thread, address(*variable) + u64::from(*upper), 1, value);
                watcher.write(thread, address(*variable) + u64::from(*upper), 1, value);
            }
            Statement::FetchAdd { local, variable, value } => {
                let more = self.evaluate(&locals, value, watcher);
                let there = state.memory[*variable];
                let (seen, written) = watcher
                    .update(thread, address(*variable), there, &|watcher, seen| watcher.add(seen, more));
                state.memory[*variable] = written.number;
                state.threads[thread].locals[*local] = seen;
            }
            Statement::CompareExchange { local, variable, old, new } => {
                let (old, new) = (self.evaluate(&locals, old, watcher), self.evaluate(&locals, new, watcher));
                let there = state.memory[*variable];
                let (seen, written) = watcher.update(thread, address(*variable), there, &|watcher, seen| {
                    let same = watcher.compare(Test::Equal, seen, old);
                    watcher.choose(same, new, seen)
                });
                state.memory[*variable] = written.number;
                let same = watcher.compare(Test::Equal, seen, old);
                let value = watcher.choose(same, Value::known(1), Value::known(0));
                state.threads[thread].locals[*local] = value;
            }
            Statement::Lock(lock) => {
                state.locks[*lock].exclusive = true;
                watcher.step(thread, Step::Lock { lock: *lock as u64 });
            }
            Statement::Unlock(lock) => {
                state.locks[*lock].exclusive = false;
                watcher.step(thread, Step::Unlock { lock: *lock as u64 });
            }
            Statement::LockShared(lock) => {
                state.locks[*lock].shared += 1;
                watcher.step(thread, Step::LockShared { lock: *lock as u64 });
            }
            Statement::UnlockShared(lock) => {
                state.locks[*lock].shared -= 1;
                watcher.step(thread, Step::UnlockShared { lock: *lock as u64 });
            }
            Statement::TryLock { local, lock } => {
                let taken = !state.locks[*lock].exclusive && state.locks[*lock].shared == 0;
                state.locks[*lock].exclusive |= taken;
                let at = &mut state.threads[thread];
                at.locals[*local] = Value::known(u16::from(taken));
                at.decisions.push(u64::from(taken));
                watcher.step(thread, Step::TryLock { lock: *lock as u64, taken });
            }
            Statement::Wait { queue, lock } | Statement::TimedWait { queue, lock, .. } => {
                let (queue, name) = (*queue as u64, Some(*lock as u64));
                if state.threads[thread].stage == Stage::Ready {
                    state.locks[*lock].exclusive = false;
                    state.threads[thread].stage = Stage::Waiting(0);
                    watcher.step(thread, Step::Wait { queue, lock: name });
                    return false;
                }
                let timed = matches!(statement, Statement::TimedWait { .. });
                state.locks[*lock].exclusive = true;
                let at = &mut state.threads[thread];
                let cause = if at.stage == Stage::Expired { Cause::Expired } else { Cause::Notified };
                at.stage = Stage::Ready;
                if let Statement::TimedWait { local, .. } = statement {
                    let expired = cause == Cause::Expired;
                    at.decisions.push(u64::from(expired));
                    at.locals[*local] = Value::known(u16::from(expired));
                }
                watcher.step(thread, Step::Wake { queue, lock: name, cause, timed });
            }
            Statement::Notify { queue, all } => {
                let waiting = self.waiting(state, *queue);
                for other in waiting {
                    if *all || alternative == Alternative::Wakes(other) {
                        state.threads[other].stage = Stage::Notified;
                    }
                }
                watcher.step(thread, Step::Notify { queue: *queue as u64, all: *all, woken: None });
            }
            Statement::Post(semaphore) => {
                state.semaphores[*semaphore] += 1;
                watcher.step(thread, Step::Post { semaphore: *semaphore as u64 });
            }
            Statement::Take(semaphore) => {
                state.semaphores[*semaphore] -= 1;
                watcher.step(thread, Step::Take { semaphore: *semaphore as u64 });
            }
            Statement::TryTake { local, semaphore } => {
                let taken = state.semaphores[*semaphore] > 0;
                state.semaphores[*semaphore] -= u32::from(taken);
                let at = &mut state.threads[thread];
                at.locals[*local] = Value::known(u16::from(taken));
                at.decisions.push(u64::from(taken));
                watcher.step(thread, Step::TryTake { semaphore: *semaphore as u64, taken });
            }
            Statement::Arrive { barrier, threads } => {
                let name = *barrier as u64;
                let (here, round) = state.barriers[*barrier];
                if let Stage::Waiting(_) = state.threads[thread].stage {
                    state.threads[thread].stage = Stage::Ready;
                    watcher.step(thread, Step::Leave { barrier: name });
                    return true;
                }
                let last = here + 1 == *threads;
                state.threads[thread].decisions.push(u64::from(last));
                watcher.step(thread, Step::Arrive { barrier: name, threads: *threads, last });
                state.barriers[*barrier] = if last { (0, round + 1) } else { (here + 1, round) };
                if !last {
                    state.threads[thread].stage = Stage::Waiting(round);
                    return false;
                }
            }
            Statement::Fork(other) => {
                let other = *other;
                watcher.step(thread, Step::Fork { thread: super::record::name(other) });
                state.threads[other].stage = Stage::Ready;
                self.settle(state, other, watcher);
            }
            Statement::Join(other) => {
                watcher.step(thread, Step::Join { thread: super::record::name(*other) })
            }
            Statement::Input { .. }
            | Statement::Assign { .. }
            | Statement::If { .. }
            | Statement::While { .. }
            | Statement::Assert { .. }
            | Statement::Assume { .. }
            | Statement::Atomic(_) => unreachable!("not a step"),
        }
        true
    }

    fn store(&self, state: &mut State, thread: usize, address: u64, size: u32, value: Value) {
        let store = Store { address, size, value: value.number };
        match self.model {
            Model::Sc => state.show(store),
            _ => state.buffers[thread].push(store),
        }
    }

    fn place(
        &self,
        state: &mut State,
        thread: usize,
        first: usize,
        index: &Expression,
        watcher: &mut impl Watcher,
    ) -> usize {
        let index = self.evaluate(&state.threads[thread].locals, index, watcher);
        if index.term.is_some() {
            state.threads[thread].decisions.push(u64::from(index.number));
            watcher.pin(thread, index);
        }
        first + usize::from(index.number)
    }

    /// The memory that a thread would access next, whether it would write it, and where in the program, if that is not
    /// an atomic operation: variable, halves, writes, place.
    fn access(&self, state: &State, thread: usize, watcher: &mut impl Watcher) -> Option<Pending> {
        let at = &state.threads[thread];
        let Code::Do(statement) = &self.code[thread][at.place] else { return None };
        // Of an atomic section only what comes first is next.
        if at.stage != Stage::Ready || at.alone {
            return None;
        }
        let half = |upper: &bool| if *upper { [false, true] } else { [true, false] };
        let mut place = |first: &usize, index: &Expression| {
            first + usize::from(self.evaluate(&at.locals, index, watcher).number)
        };
        let (variable, halves, writes, plain) = match statement {
            Statement::Read { variable, .. } => (*variable, [true; 2], false, true),
            Statement::Write { variable, .. } => (*variable, [true; 2], true, true),
            Statement::ReadAt { first, index, .. } => (place(first, index), [true; 2], false, true),
            Statement::WriteAt { first, index, .. } => (place(first, index), [true; 2], true, true),
            Statement::ReadHalf { variable, upper, .. } => (*variable, half(upper), false, true),
            Statement::WriteHalf { variable, upper, .. } => (*variable, half(upper), true, true),
            Statement::FetchAdd { variable, .. } => (*variable, [true; 2], true, false),
            Statement::CompareExchange { variable, old, .. } => {
                // One that does not find what it expects only reads.
                let old = self.evaluate(&at.locals, old, watcher).number;
                (*variable, [true; 2], state.memory[*variable] == old, false)
            }
            _ => return None,
        };
        let plain = plain && at.atomic == 0;
        Some(Pending { variable, halves, writes, plain, position: self.position(state, thread) })
    }

    /// Where a thread is in the program.
    pub(super) fn position(&self, state: &State, thread: usize) -> u32 {
        (thread * 1000 + state.threads[thread].place) as u32
    }

    /// The places in the program whose accesses race if two threads are about to perform them now.
    pub(super) fn race(
        &self,
        state: &State,
        threads: [usize; 2],
        watcher: &mut impl Watcher,
    ) -> Option<(u32, u32)> {
        // Where something has failed nothing is next any more.
        let over =
            |other: &Thread| other.stage == Stage::Failed || (other.alone && other.stage == Stage::Ready);
        if state.threads.iter().any(over) {
            return None;
        }
        let (one, other) =
            (self.access(state, threads[0], watcher)?, self.access(state, threads[1], watcher)?);
        let meet =
            one.variable == other.variable && (0..2).any(|half| one.halves[half] && other.halves[half]);
        let races = meet && (one.writes || other.writes) && (one.plain || other.plain);
        races.then(|| (one.position.min(other.position), one.position.max(other.position)))
    }

    /// Why the accesses of two threads that are both next do not race.
    pub(super) fn why_no_race(&self, state: &State, threads: [usize; 2]) -> selvedge_paths::Met {
        use selvedge_paths::Met;
        let exchange = |thread: usize| {
            let code = &self.code[thread][state.threads[thread].place];
            matches!(code, Code::Do(Statement::CompareExchange { .. }))
        };
        let section = |thread: usize| state.threads[thread].atomic > 0;
        let atomic = |thread: usize| {
            let code = &self.code[thread][state.threads[thread].place];
            section(thread) || exchange(thread) || matches!(code, Code::Do(Statement::FetchAdd { .. }))
        };
        if threads.into_iter().any(section) && threads.into_iter().all(atomic) {
            return Met::Apart;
        }
        if threads.into_iter().any(exchange) { Met::ReadOnly } else { Met::Lost }
    }

    /// What a thread that cannot go on would do next.
    pub(super) fn pending(&self, state: &State, thread: usize) -> Option<selvedge_paths::Step> {
        use selvedge_paths::{Cause, Step};
        let at = &state.threads[thread];
        let Code::Do(statement) = &self.code[thread][at.place] else { return None };
        Some(match statement {
            Statement::Lock(lock) => Step::Lock { lock: *lock as u64 },
            Statement::LockShared(lock) => Step::LockShared { lock: *lock as u64 },
            Statement::Take(semaphore) => Step::Take { semaphore: *semaphore as u64 },
            Statement::Join(other) => Step::Join { thread: super::record::name(*other) },
            Statement::Arrive { barrier, .. } => Step::Leave { barrier: *barrier as u64 },
            Statement::Wait { queue, lock } | Statement::TimedWait { queue, lock, .. } => {
                let timed = matches!(statement, Statement::TimedWait { .. });
                let (queue, lock) = (*queue as u64, Some(*lock as u64));
                Step::Wake { queue, lock, cause: Cause::Notified, timed }
            }
            _ => return None,
        })
    }
}

fn decide(
    at: &mut Thread,
    thread: usize,
    value: Value,
    kind: selvedge_paths::BranchKind,
    watcher: &mut impl Watcher,
) {
    if value.term.is_some() {
        at.decisions.push(u64::from(value.number));
        watcher.branch(thread, value, kind);
    }
}
