//! Executions with expressions.

use super::enumerate::inputs;
use super::interpret::{Alternative, Interpreter, Stage, State, Value, Watcher, address};
use super::language::{Program, Test};
use selvedge_paths::{
    BranchKind, Execution, Location, Met, Move, Performed, Request, Runner, Step, ThreadEnd, ThreadPath,
};
use selvedge_terms::{Comparison, Symbol, Term};
use selvedge_trace::{MemoryOrder, Model, ThreadName};

/// The name of a thread.
pub(super) fn name(thread: usize) -> ThreadName {
    ThreadName::main().child(thread as u32 + 1)
}

/// Performs a program.
pub struct Small<'p> {
    interpreter: Interpreter<'p>,
}

impl<'p> Small<'p> {
    /// A program under sequential consistency, TSO or PSO.
    pub fn new(program: &'p Program, model: Model) -> Self {
        Small { interpreter: Interpreter::new(program, model) }
    }
}

/// A move was not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {0} is not possible; this is a mistake of the search, please report it")]
pub struct Impossible(usize);

/// Writes down what threads do.
struct Recorder {
    execution: Execution,
    inputs: Vec<u16>,
    reads: Vec<u32>,
    /// Whether the next step of a thread continues the one before.
    continues: Vec<bool>,
    /// Where the thread that steps is in the program.
    position: u32,
}

impl Recorder {
    fn term(&mut self, value: Value) -> Term {
        match value.term {
            Some(term) => term,
            None => self.execution.terms.constant(16, u128::from(value.number)),
        }
    }

    /// A value that is known does not carry an expression.
    fn value(&self, number: u16, term: Term) -> Value {
        Value { number, term: self.execution.terms.known(term).is_none().then_some(term) }
    }

    fn push(&mut self, thread: usize, step: Step) {
        let continues = std::mem::replace(&mut self.continues[thread], false);
        self.execution.threads[thread].steps.push(Performed { step, continues, position: self.position });
    }
}

impl Watcher for Recorder {
    fn input(&mut self, _: usize, number: usize) -> Value {
        // Inputs have two bits; one that is asked for twice is the same.
        let symbol = Symbol::Input { thread: ThreadName::main(), occurrence: number as u32 };
        let narrow = self.execution.terms.symbol(&symbol, 2);
        let term = self.execution.terms.zero_extend(narrow, 16);
        Value { number: self.inputs[number], term: Some(term) }
    }

    fn read(&mut self, thread: usize, address: u64, size: u32, number: u16) -> Value {
        let symbol = Symbol::Read { thread: name(thread), index: self.reads[thread] };
        self.reads[thread] += 1;
        let symbol = self.execution.terms.symbol(&symbol, size * 8);
        let at = Location::new(address, size);
        self.push(thread, Step::Read { at, symbol, order: MemoryOrder::NotAtomic });
        Value { number, term: Some(self.execution.terms.zero_extend(symbol, 16)) }
    }

    fn write(&mut self, thread: usize, address: u64, size: u32, value: Value) {
        let term = self.term(value);
        let term = self.execution.terms.truncate(term, size * 8);
        let at = Location::new(address, size);
        self.push(thread, Step::Write { at, value: term, order: MemoryOrder::NotAtomic });
    }

    fn update(
        &mut self,
        thread: usize,
        address: u64,
        number: u16,
        change: &dyn Fn(&mut Self, Value) -> Value,
    ) -> (Value, Value) {
        let symbol = Symbol::Read { thread: name(thread), index: self.reads[thread] };
        self.reads[thread] += 1;
        let symbol = self.execution.terms.symbol(&symbol, 16);
        let seen = Value { number, term: Some(symbol) };
        let written = change(self, seen);
        let value = self.term(written);
        let at = Location::new(address, 2);
        self.push(thread, Step::Update { at, symbol, value, order: MemoryOrder::SeqCst });
        (seen, written)
    }

    fn add(&mut self, left: Value, right: Value) -> Value {
        let (a, b) = (self.term(left), self.term(right));
        let term = self.execution.terms.add(a, b);
        self.value(left.number.wrapping_add(right.number), term)
    }

    fn sub(&mut self, left: Value, right: Value) -> Value {
        let (a, b) = (self.term(left), self.term(right));
        let term = self.execution.terms.sub(a, b);
        self.value(left.number.wrapping_sub(right.number), term)
    }

    fn rem(&mut self, left: Value, by: u16) -> Value {
        let (a, b) = (self.term(left), self.execution.terms.constant(16, u128::from(by)));
        let term = self.execution.terms.binary(selvedge_terms::Binary::UnsignedRem, a, b);
        self.value(left.number % by, term)
    }

    fn compare(&mut self, test: Test, left: Value, right: Value) -> Value {
        let (a, b) = (self.term(left), self.term(right));
        let (how, holds) = match test {
            Test::Equal => (Comparison::Equal, left.number == right.number),
            Test::NotEqual => (Comparison::NotEqual, left.number != right.number),
            Test::Greater => (Comparison::SignedGreater, left.number as i16 > right.number as i16),
        };
        let term = self.execution.terms.compare(how, a, b);
        self.value(u16::from(holds), term)
    }

    fn choose(&mut self, condition: Value, then: Value, otherwise: Value) -> Value {
        let number = if condition.number == 1 { then.number } else { otherwise.number };
        let Some(condition) = condition.term else {
            return if condition.number == 1 { then } else { otherwise };
        };
        let (a, b) = (self.term(then), self.term(otherwise));
        let term = self.execution.terms.choose(condition, a, b);
        self.value(number, term)
    }

    fn byte(&mut self, value: Value) -> Value {
        let term = self.term(value);
        let narrow = self.execution.terms.truncate(term, 8);
        let term = self.execution.terms.zero_extend(narrow, 16);
        self.value(value.number & 0xff, term)
    }

    fn branch(&mut self, thread: usize, condition: Value, kind: BranchKind) {
        let Some(term) = condition.term else { return };
        let taken = condition.number == 1;
        let condition = if taken { term } else { self.execution.terms.not(term) };
        let step = Step::Branch { condition, outcome: u64::from(taken), kind };
        self.execution.threads[thread].steps.push(Performed { step, continues: false, position: 0 });
    }

    fn pin(&mut self, thread: usize, value: Value) {
        let term = self.term(value);
        let number = self.execution.terms.constant(16, u128::from(value.number));
        let condition = self.execution.terms.equal(term, number);
        let step = Step::Branch { condition, outcome: u64::from(value.number), kind: BranchKind::Address };
        self.execution.threads[thread].steps.push(Performed { step, continues: false, position: 0 });
    }

    fn step(&mut self, thread: usize, step: Step) {
        self.push(thread, step);
    }

    fn section(&mut self, thread: usize, begins: bool) {
        // It belongs to the section's first step, or to its last one.
        self.continues[thread] |= !begins;
        self.push(thread, Step::Fence { order: MemoryOrder::SeqCst });
        self.continues[thread] = begins;
    }
}

impl Small<'_> {
    /// One step of a thread, and all that belong to it.
    fn advance(&self, state: &mut State, thread: usize, alternative: Alternative, recorder: &mut Recorder) {
        let (thread_name, moved) = (name(thread), alternative);
        recorder.execution.order.push(match moved {
            Alternative::Plain => Move::Step { thread: thread_name },
            Alternative::Wakes(woken) => Move::Notify { thread: thread_name, woken: name(woken) },
            Alternative::Expires => Move::Expire { thread: thread_name },
            Alternative::Commits(address) => Move::Commit { thread: thread_name, address },
        });
        recorder.position = self.interpreter.position(state, thread);
        self.interpreter.step(state, thread, alternative, recorder);
        while state.threads[thread].alone {
            let alternatives = self.interpreter.alternatives(state, thread);
            let Some(&alternative) = alternatives.first() else { return };
            recorder.continues[thread] = true;
            recorder.position = self.interpreter.position(state, thread);
            self.interpreter.step(state, thread, alternative, recorder);
        }
    }

    fn perform(&self, state: &mut State, step: &Move, recorder: &mut Recorder) -> Option<()> {
        let threads = self.interpreter.code.len();
        let number = |wanted: &ThreadName| (0..threads).find(|&thread| name(thread) == *wanted);
        let (thread, wanted) = match step {
            Move::Step { thread } => (number(thread)?, None),
            Move::Notify { thread, woken } => (number(thread)?, Some(Alternative::Wakes(number(woken)?))),
            Move::Expire { thread } => (number(thread)?, Some(Alternative::Expires)),
            Move::Commit { thread, address } => (number(thread)?, Some(Alternative::Commits(*address))),
        };
        let alternatives = self.interpreter.alternatives(state, thread);
        let alternative = match wanted {
            Some(alternative) => alternatives.contains(&alternative).then_some(alternative)?,
            None => *alternatives
                .iter()
                .find(|alternative| !matches!(alternative, Alternative::Expires | Alternative::Commits(_)))?,
        };
        self.advance(state, thread, alternative, recorder);
        Some(())
    }
}

impl Small<'_> {
    /// The state after the moves of a request.
    fn begin(&self, request: &Request) -> Result<(State, Recorder), Impossible> {
        let threads = self.interpreter.code.len();
        let mut values = vec![0; inputs(self.interpreter.program)];
        for (number, value) in values.iter_mut().enumerate() {
            let symbol = Symbol::Input { thread: ThreadName::main(), occurrence: number as u32 };
            *value = request.inputs.get(&symbol).copied().unwrap_or(0) as u16;
        }
        let path = |thread| ThreadPath { thread: name(thread), steps: Vec::new(), end: ThreadEnd::Cut };
        let execution = Execution { threads: (0..threads).map(path).collect(), ..Execution::default() };
        let (reads, continues) = (vec![0; threads], vec![false; threads]);
        let mut recorder = Recorder { execution, inputs: values, reads, continues, position: 0 };
        let mut state = self.interpreter.start(&mut recorder);
        for (place, &value) in state.memory.iter().enumerate() {
            for (byte, part) in value.to_le_bytes().into_iter().enumerate() {
                recorder.execution.initial.insert(address(place) + byte as u64, part);
            }
        }
        for (number, step) in request.moves.iter().enumerate() {
            self.perform(&mut state, step, &mut recorder).ok_or(Impossible(number))?;
        }
        Ok((state, recorder))
    }
}

impl Runner for Small<'_> {
    type Error = Impossible;

    fn meet(&mut self, request: &Request, threads: [&ThreadName; 2]) -> Result<Met, Impossible> {
        let (state, mut recorder) = self.begin(request)?;
        let number = |wanted: &ThreadName| (0..state.threads.len()).find(|&thread| name(thread) == *wanted);
        let pair = threads.map(|wanted| number(wanted).unwrap_or(usize::MAX));
        if pair.iter().any(|&thread| thread >= state.threads.len()) {
            return Ok(Met::Lost);
        }
        Ok(match self.interpreter.race(&state, pair, &mut recorder) {
            Some(_) => Met::Race,
            None => self.interpreter.why_no_race(&state, pair),
        })
    }

    fn run(&mut self, request: &Request) -> Result<Execution, Impossible> {
        let threads = self.interpreter.code.len();
        let (mut state, mut recorder) = self.begin(request)?;
        let first = (0..threads).find(|&thread| Some(name(thread)) == request.then);
        if let Some(thread) = first
            && let Some(&alternative) = self.interpreter.alternatives(&state, thread).first()
        {
            self.advance(&mut state, thread, alternative, &mut recorder);
        }
        while let Some((thread, alternative)) = (0..threads).find_map(|thread| {
            self.interpreter.alternatives(&state, thread).first().map(|&alternative| (thread, alternative))
        }) {
            self.advance(&mut state, thread, alternative, &mut recorder);
        }
        for thread in 0..threads {
            recorder.execution.threads[thread].end = match state.threads[thread].stage {
                Stage::Failed => ThreadEnd::Failed(thread as u32),
                Stage::Discarded => ThreadEnd::Discarded,
                _ if self.interpreter.ended(&state, thread) => ThreadEnd::Finished,
                _ => match self.interpreter.pending(&state, thread) {
                    Some(step) => ThreadEnd::Blocked(Box::new(step)),
                    None => ThreadEnd::Cut,
                },
            };
        }
        let mut number = 0;
        recorder.execution.threads.retain(|_| {
            number += 1;
            state.threads[number - 1].stage != Stage::Absent
        });
        Ok(recorder.execution)
    }
}
