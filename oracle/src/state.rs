//! What a program's state is, and what can happen next under each memory model. Written from the definitions, not
//! for speed.
//!
//! - SC: a store is in memory at once.
//! - TSO: a store waits in its thread's queue; the oldest one can become visible at any time; the thread's own loads
//!   take the newest waiting value.
//! - PSO: as TSO, but any waiting store can become visible that no earlier one to the same place and no barrier
//!   precedes. A release store or fence is such a barrier.
//!
//! Read-modify-writes, sequentially consistent stores and fences, locks, conditions, creation and joining happen only
//! when nothing of their thread waits, and a thread or the process has ended only then.

use crate::code::{Op, code};
use crate::language::{Order, Place, Program, Statement, walk};
use selvedge_trace::Model;
use std::rc::Rc;

/// A program with a memory model.
pub struct Rules<'a> {
    program: &'a Program,
    model: Model,
    code: Vec<Vec<Op>>,
    /// Where each variable is in memory.
    offsets: Vec<usize>,
    main_creates: bool,
    /// Some access is plain.
    plain: bool,
}

/// A state, with what every thread has read on the way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    memory: Vec<i32>,
    owners: Vec<Option<usize>>,
    /// Shared between states as long as they are equal.
    threads: Vec<Rc<Thread>>,
    /// The process has ended, whatever its threads were about to do: the thread that ended it.
    exited: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    phase: Phase,
    at: usize,
    locals: Vec<i32>,
    history: Vec<i32>,
    buffer: Vec<Entry>,
    result: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Unborn,
    Running,
    /// Before it is told.
    Waiting(usize),
    /// It was told, and has to take the mutex again.
    Woken(usize),
    /// Its assumption does not hold: it stays there.
    Stuck,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Entry {
    Store { place: usize, value: i32, plain: bool },
    Barrier,
}

/// Something that can happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The thread does what it is before; `choice` is the waiter that a signal wakes.
    Step { thread: usize, choice: usize },
    /// A waiting store becomes visible.
    Commit { thread: usize, entry: usize },
}

/// Why an execution is over before its threads have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// An assertion does not hold.
    Assertion,
    /// A mutex is unlocked, or waited with, by a thread that does not hold it.
    Misuse,
}

/// An access that can be next.
#[derive(Clone, Copy)]
struct Access {
    place: usize,
    writes: bool,
    plain: bool,
}

impl<'a> Rules<'a> {
    /// The rules of a program under a model.
    pub fn new(program: &'a Program, model: Model) -> Self {
        let lengths = program.variables.iter().map(|variable| variable.initial.len());
        let offsets = lengths.scan(0, |next, length| {
            let offset = *next;
            *next += length;
            Some(offset)
        });
        let code = code(program);
        assert!(program.is_well_formed(), "{program:?}");
        let mut plain = false;
        for body in program.bodies() {
            walk(body, &mut |statement| {
                plain |= matches!(statement.place(), Some((_, Order::Plain))) || statement.is_call();
            });
        }
        let main_creates = program.main_creates();
        Rules { program, model, offsets: offsets.collect(), main_creates, code, plain }
    }

    /// The state at the start.
    pub fn start(&self) -> State {
        let memory = self.program.variables.iter().flat_map(|variable| variable.initial.clone()).collect();
        let thread = |statements| {
            let locals = vec![0; Program::locals(statements)];
            Rc::new(Thread {
                phase: Phase::Unborn,
                at: 0,
                locals,
                history: Vec::new(),
                buffer: Vec::new(),
                result: 0,
            })
        };
        let threads = self.program.bodies().map(thread).collect();
        let mut state = State { memory, owners: vec![None; self.program.mutexes], threads, exited: None };
        for thread in self.beginners() {
            state.thread(thread).phase = Phase::Running;
            let ended = self.advance(&mut state, thread);
            debug_assert_eq!(ended, None);
        }
        state
    }

    /// The threads that are there from the beginning.
    fn beginners(&self) -> Vec<usize> {
        if self.main_creates { vec![self.program.main_thread()] } else { self.program.started() }
    }

    fn is_done(&self, state: &State, thread: usize) -> bool {
        let Thread { phase, at, buffer, .. } = &*state.threads[thread];
        *phase == Phase::Running && *at == self.code[thread].len() && buffer.is_empty()
    }

    /// The process has ended, or every thread that was created has.
    pub fn is_complete(&self, state: &State) -> bool {
        let unborn = |thread: usize| state.threads[thread].phase == Phase::Unborn;
        state.exited.is_some()
            || (0..state.threads.len()).all(|thread| unborn(thread) || self.is_done(state, thread))
    }

    /// The process has ended before a thread that was created.
    pub fn is_early(&self, state: &State) -> bool {
        let lives =
            |thread: &usize| state.threads[*thread].phase != Phase::Unborn && !self.is_done(state, *thread);
        state.exited.is_some() && (0..state.threads.len()).filter(lives).count() > 0
    }

    /// The thread that has ended the process.
    pub fn ender(&self, state: &State) -> Option<usize> {
        state.exited
    }

    /// Some thread's assumption does not hold.
    pub fn is_blocked(&self, state: &State) -> bool {
        state.threads.iter().any(|thread| thread.phase == Phase::Stuck)
    }

    /// What every thread has read.
    pub fn view(&self, state: &State) -> Vec<Vec<i32>> {
        state.threads.iter().map(|thread| thread.history.clone()).collect()
    }

    /// A thread's locals if it has done its statements, or main is about to end the process.
    pub fn final_locals(&self, state: &State, thread: usize) -> Option<Vec<i32>> {
        let Thread { phase, at, locals, .. } = &*state.threads[thread];
        let ops = &self.code[thread];
        let last = self.main_creates && thread == self.program.main_thread();
        let ended = *phase == Phase::Running && *at + usize::from(last) >= ops.len();
        ended.then(|| locals.clone())
    }

    /// Everything that can happen next.
    pub fn moves(&self, state: &State) -> Vec<Move> {
        let mut moves = Vec::new();
        let living = if state.exited.is_some() { 0 } else { state.threads.len() };
        for thread in 0..living {
            moves.extend(self.ready(state, thread).map(|entry| Move::Commit { thread, entry }));
            moves.extend((0..self.choices(state, thread)).map(|choice| Move::Step { thread, choice }));
        }
        moves
    }

    /// The waiting stores of a thread that can become visible now.
    fn ready<'s>(&self, state: &'s State, thread: usize) -> impl Iterator<Item = usize> + use<'s> {
        let buffer = &state.threads[thread].buffer;
        let first_only = self.model != Model::Pso;
        let place = |entry: &Entry| match entry {
            Entry::Store { place, .. } => Some(*place),
            Entry::Barrier => None,
        };
        let before_barrier = buffer.iter().take_while(|entry| **entry != Entry::Barrier).count();
        (0..before_barrier).filter(move |&index| {
            let same_place = buffer[..index].iter().any(|earlier| place(earlier) == place(&buffer[index]));
            if first_only { index == 0 } else { !same_place }
        })
    }

    /// The statement that a thread is before.
    fn pending(&self, state: &State, thread: usize) -> Option<&Statement> {
        let Thread { phase, at, .. } = &*state.threads[thread];
        match (phase, self.code[thread].get(*at)) {
            (Phase::Running, Some(Op::Do(statement))) => Some(statement),
            _ => None,
        }
    }

    /// In how many ways a thread can go on.
    fn choices(&self, state: &State, thread: usize) -> usize {
        let empty = state.threads[thread].buffer.is_empty();
        let free = |mutex: usize| empty && state.owners[mutex].is_none();
        match state.threads[thread].phase {
            Phase::Unborn => {
                let others = || (0..thread).all(|other| self.is_done(state, other));
                let begins = thread == self.program.main_thread() && !self.main_creates && others();
                return usize::from(begins);
            }
            Phase::Waiting(_) | Phase::Stuck => return 0,
            Phase::Woken(condition) => return usize::from(free(self.program.conditions[condition])),
            Phase::Running => {}
        }
        let Some(statement) = self.pending(state, thread) else { return 0 };
        match statement {
            Statement::Load { .. } => 1,
            statement if statement.is_call() => 1,
            Statement::Store { order, .. } | Statement::Fence(order) => {
                usize::from(*order != Order::SeqCst || empty)
            }
            Statement::Lock(mutex) => usize::from(free(*mutex)),
            Statement::Join { child, .. } => usize::from(empty && self.is_done(state, *child)),
            Statement::Signal(condition) if empty => waiters(state, *condition).len().max(1),
            _ => usize::from(empty),
        }
    }

    fn offset(&self, place: &Place, locals: &[i32]) -> usize {
        let index = place.index.value(locals) as usize;
        let variable = &self.program.variables[place.variable];
        assert!(index < variable.initial.len(), "{} has no element {index}", variable.name);
        self.offsets[place.variable] + index
    }

    /// Where the elements of an array are.
    fn elements(&self, array: usize) -> std::ops::Range<usize> {
        let start = self.offsets[array];
        start..start + self.program.variables[array].initial.len()
    }

    /// The elements that a thread looks at if it compares two arrays now: one of each in turn.
    fn compared(&self, state: &State, thread: usize, left: usize, right: usize) -> Vec<usize> {
        let mut looked = Vec::new();
        for (one, other) in self.elements(left).zip(self.elements(right)) {
            looked.extend([one, other]);
            if self.seen(state, thread, one) != self.seen(state, thread, other) {
                break;
            }
        }
        looked
    }

    /// What a thread sees in a place.
    fn seen(&self, state: &State, thread: usize, wanted: usize) -> i32 {
        let newest = state.threads[thread].buffer.iter().rev().find_map(|entry| match entry {
            Entry::Store { place, value, .. } if *place == wanted => Some(*value),
            _ => None,
        });
        newest.unwrap_or(state.memory[wanted])
    }

    /// Does one of `moves`.
    pub fn apply(&self, state: &mut State, next: Move) -> Option<End> {
        match next {
            Move::Commit { thread, entry } => {
                let buffer = &mut state.thread(thread).buffer;
                let committed = buffer.remove(entry);
                while buffer.first() == Some(&Entry::Barrier) {
                    buffer.remove(0);
                }
                if let Entry::Store { place, value, .. } = committed {
                    state.memory[place] = value;
                }
                None
            }
            Move::Step { thread, choice } => {
                let ended = match state.threads[thread].phase {
                    Phase::Woken(condition) => {
                        state.owners[self.program.conditions[condition]] = Some(thread);
                        state.thread(thread).phase = Phase::Running;
                        state.thread(thread).at += 1;
                        None
                    }
                    Phase::Unborn => {
                        state.thread(thread).phase = Phase::Running;
                        None
                    }
                    Phase::Running | Phase::Waiting(_) | Phase::Stuck => self.perform(state, thread, choice),
                };
                ended.or_else(|| self.advance(state, thread))
            }
        }
    }

    /// Does the visible statement that a thread is before.
    fn perform(&self, state: &mut State, thread: usize, choice: usize) -> Option<End> {
        let statement = self.pending(state, thread)?.clone();
        let locals = state.threads[thread].locals.clone();
        let place = statement.place().map(|(place, _)| self.offset(place, &locals));
        let place = place.unwrap_or(usize::MAX);
        let mut result = None;
        let mut waits = false;
        match &statement {
            Statement::Load { .. } => result = Some(self.seen(state, thread, place)),
            Statement::Store { value, order, .. } => {
                self.store(state, thread, place, value.value(&locals), *order);
            }
            Statement::FetchAdd { value, .. } => {
                result = Some(state.memory[place]);
                state.memory[place] = state.memory[place].wrapping_add(value.value(&locals));
            }
            Statement::Exchange { value, .. } => {
                result = Some(state.memory[place]);
                state.memory[place] = value.value(&locals);
            }
            Statement::CompareExchange { expected, new, .. } => {
                result = Some(state.memory[place]);
                if state.memory[place] == expected.value(&locals) {
                    state.memory[place] = new.value(&locals);
                }
            }
            Statement::Copy { from, to, .. } => {
                let values: Vec<i32> =
                    self.elements(*from).map(|element| self.seen(state, thread, element)).collect();
                state.thread(thread).history.extend(&values);
                for (element, value) in self.elements(*to).zip(values) {
                    self.store(state, thread, element, value, Order::Plain);
                }
            }
            Statement::Clear(array) => {
                for element in self.elements(*array) {
                    self.store(state, thread, element, 0, Order::Plain);
                }
            }
            Statement::Same { left, right, .. } => {
                let compared = self.compared(state, thread, *left, *right);
                let values: Vec<i32> =
                    compared.iter().map(|&element| self.seen(state, thread, element)).collect();
                result = Some(i32::from(values.chunks(2).all(|pair| pair[0] == pair[1])));
                state.thread(thread).history.extend(values);
            }
            Statement::Length { of, .. } => {
                let first = self.seen(state, thread, self.offsets[*of]);
                state.thread(thread).history.push(first);
                result = Some(i32::from(first != 0));
            }
            Statement::Fence(order) => {
                if matches!(order, Order::Release | Order::AcqRel) {
                    self.barrier(state, thread);
                }
            }
            Statement::Lock(mutex) => state.owners[*mutex] = Some(thread),
            Statement::TryLock { mutex, .. } => {
                let free = state.owners[*mutex].is_none();
                result = Some(i32::from(free));
                if free {
                    state.owners[*mutex] = Some(thread);
                }
            }
            Statement::Unlock(mutex) => {
                if state.owners[*mutex] != Some(thread) {
                    return Some(End::Misuse);
                }
                state.owners[*mutex] = None;
            }
            Statement::Wait(condition) => {
                let mutex = self.program.conditions[*condition];
                if state.owners[mutex] != Some(thread) {
                    return Some(End::Misuse);
                }
                state.owners[mutex] = None;
                state.thread(thread).phase = Phase::Waiting(*condition);
                waits = true;
            }
            Statement::Signal(condition) => {
                if let Some(&waiter) = waiters(state, *condition).get(choice) {
                    state.thread(waiter).phase = Phase::Woken(*condition);
                }
            }
            Statement::Broadcast(condition) => {
                for waiter in waiters(state, *condition) {
                    state.thread(waiter).phase = Phase::Woken(*condition);
                }
            }
            Statement::Create(child) => {
                state.thread(*child).phase = Phase::Running;
                let ended = self.advance(state, *child);
                debug_assert_eq!(ended, None);
            }
            Statement::Join { child, into } => {
                let value = state.threads[*child].result;
                if let Some(into) = into {
                    state.thread(thread).locals[*into] = value;
                }
            }
            Statement::TryJoin { child, .. } => result = Some(i32::from(self.is_done(state, *child))),
            Statement::Detach(_) => {}
            Statement::Exit => state.exited = Some(thread),
            _ => unreachable!("only visible statements are performed"),
        }
        let this = state.thread(thread);
        if let (Some(value), Some(into)) = (result, statement.result()) {
            this.history.push(value);
            this.locals[into] = value;
        }
        this.at += usize::from(!waits);
        None
    }

    fn store(&self, state: &mut State, thread: usize, place: usize, value: i32, order: Order) {
        if self.model == Model::Sc || order == Order::SeqCst {
            state.memory[place] = value;
            return;
        }
        if order == Order::Release {
            self.barrier(state, thread);
        }
        let plain = order == Order::Plain;
        let buffer = &mut state.thread(thread).buffer;
        // Under PSO there is a queue for each place; they stand one after the other, in order of the places.
        let before = |entry: &Entry| matches!(entry, Entry::Store { place: other, .. } if *other > place);
        let later =
            if self.model == Model::Pso { buffer.iter().rev().take_while(|e| before(e)).count() } else { 0 };
        buffer.insert(buffer.len() - later, Entry::Store { place, value, plain });
    }

    /// What waits now becomes visible before what is stored later.
    fn barrier(&self, state: &mut State, thread: usize) {
        let buffer = &mut state.thread(thread).buffer;
        if self.model == Model::Pso && matches!(buffer.last(), Some(Entry::Store { .. })) {
            buffer.push(Entry::Barrier);
        }
    }

    /// Lets a thread do what concerns it alone, up to its next visible statement.
    fn advance(&self, state: &mut State, thread: usize) -> Option<End> {
        let this = state.thread(thread);
        if this.phase != Phase::Running {
            return None;
        }
        // A loop that does nothing visible would not end: the programs have none that long.
        for _ in 0..100_000 {
            match self.code[thread].get(this.at) {
                None => return None,
                Some(Op::Goto(target)) => this.at = *target,
                Some(Op::Result(value)) => {
                    this.result = value.value(&this.locals);
                    this.at += 1;
                }
                Some(Op::Unless(condition, target)) => {
                    this.at = if condition.value(&this.locals) == 0 { *target } else { this.at + 1 };
                }
                Some(Op::Do(Statement::Set(into, value))) => {
                    this.locals[*into] = value.value(&this.locals);
                    this.at += 1;
                }
                Some(Op::Do(Statement::Assert(condition))) => {
                    if condition.value(&this.locals) == 0 {
                        return Some(End::Assertion);
                    }
                    this.at += 1;
                }
                Some(Op::Do(Statement::Assume(condition))) => {
                    if condition.value(&this.locals) == 0 {
                        this.phase = Phase::Stuck;
                        return None;
                    }
                    this.at += 1;
                }
                Some(Op::Do(_)) => return None,
            }
        }
        panic!("thread {thread} of {} never comes to a visible statement", self.program.name)
    }

    /// The accesses of a thread that can be next: the one that it is before, and those of its waiting stores.
    fn accesses(&self, state: &State, thread: usize) -> Vec<Access> {
        let this = &state.threads[thread];
        let commits = self.ready(state, thread).filter_map(|entry| match this.buffer[entry] {
            Entry::Store { place, plain, .. } => Some(Access { place, writes: true, plain }),
            Entry::Barrier => None,
        });
        let mut accesses: Vec<Access> = commits.collect();
        let mut all = |places: &mut dyn Iterator<Item = usize>, writes: bool| {
            accesses.extend(places.map(|place| Access { place, writes, plain: true }));
        };
        match self.pending(state, thread) {
            Some(Statement::Copy { from, to, .. }) => {
                all(&mut self.elements(*from), false);
                all(&mut self.elements(*to), true);
            }
            Some(Statement::Clear(array)) => all(&mut self.elements(*array), true),
            Some(Statement::Same { left, right, .. }) => {
                all(&mut self.compared(state, thread, *left, *right).into_iter(), false);
            }
            Some(Statement::Length { of, .. }) => all(&mut self.elements(*of).take(1), false),
            _ => {}
        }
        if let Some(statement) = self.pending(state, thread)
            && let Some((place, order)) = statement.place()
        {
            let place = self.offset(place, &this.locals);
            let writes = match statement {
                Statement::Load { .. } => false,
                Statement::CompareExchange { expected, .. } => {
                    self.seen(state, thread, place) == expected.value(&this.locals)
                }
                _ => true,
            };
            accesses.push(Access { place, writes, plain: order == Order::Plain });
        }
        accesses
    }

    /// Two threads can make conflicting accesses next, one of them plain.
    pub fn has_race(&self, state: &State) -> bool {
        if !self.plain || state.exited.is_some() {
            return false;
        }
        let accesses: Vec<_> = (0..state.threads.len()).map(|thread| self.accesses(state, thread)).collect();
        let conflict =
            |a: &Access, b: &Access| a.place == b.place && (a.writes || b.writes) && (a.plain || b.plain);
        accesses.iter().enumerate().any(|(thread, own)| {
            let others = accesses[thread + 1..].iter().flatten();
            others.into_iter().any(|other| own.iter().any(|access| conflict(access, other)))
        })
    }
}

impl State {
    /// A thread, to be changed.
    fn thread(&mut self, thread: usize) -> &mut Thread {
        Rc::make_mut(&mut self.threads[thread])
    }
}

fn waiters(state: &State, condition: usize) -> Vec<usize> {
    let waits = |thread: &usize| state.threads[*thread].phase == Phase::Waiting(condition);
    (0..state.threads.len()).filter(waits).collect()
}
