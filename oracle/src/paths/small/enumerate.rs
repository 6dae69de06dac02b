//! All executions of a program: every order, every input.

use super::interpret::{Interpreter, Stage, State, Value, Watcher};
use super::language::{Program, Statement, Test};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_paths::{BranchKind, Step};
use selvedge_terms::{Term, Terms};
use selvedge_trace::Model;
use std::collections::BTreeSet;

/// What the executions of a program show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct All {
    /// Pairs of places whose accesses race.
    pub races: BTreeSet<(u32, u32)>,
    /// Combinations of the decisions of all threads where all come to an end.
    pub paths: u64,
    /// Combinations where some are stuck.
    pub deadlocks: u64,
    /// Whether an assertion fails.
    pub fails: bool,
    /// Whether an assumption does not hold.
    pub discards: bool,
}

/// How many values an input has.
const INPUTS: u16 = 4;

/// Values that depend on inputs or other threads carry a mark instead of an expression.
struct Marks {
    mark: Term,
    inputs: Vec<u16>,
    races: BTreeSet<(u32, u32)>,
}

impl Marks {
    fn both(&self, left: Value, right: Value, number: u16) -> Value {
        Value { number, term: left.term.or(right.term) }
    }
}

impl Watcher for Marks {
    fn input(&mut self, _: usize, number: usize) -> Value {
        Value { number: self.inputs[number], term: Some(self.mark) }
    }

    fn read(&mut self, _: usize, _: u64, _: u32, number: u16) -> Value {
        Value { number, term: Some(self.mark) }
    }

    fn write(&mut self, _: usize, _: u64, _: u32, _: Value) {}

    fn update(
        &mut self,
        thread: usize,
        address: u64,
        number: u16,
        change: &dyn Fn(&mut Self, Value) -> Value,
    ) -> (Value, Value) {
        let seen = self.read(thread, address, 2, number);
        let written = change(self, seen);
        (seen, written)
    }

    fn add(&mut self, left: Value, right: Value) -> Value {
        self.both(left, right, left.number.wrapping_add(right.number))
    }

    fn sub(&mut self, left: Value, right: Value) -> Value {
        self.both(left, right, left.number.wrapping_sub(right.number))
    }

    fn rem(&mut self, left: Value, by: u16) -> Value {
        Value { number: left.number % by, ..left }
    }

    fn compare(&mut self, test: Test, left: Value, right: Value) -> Value {
        let holds = match test {
            Test::Equal => left.number == right.number,
            Test::NotEqual => left.number != right.number,
            Test::Greater => left.number as i16 > right.number as i16,
        };
        self.both(left, right, u16::from(holds))
    }

    fn choose(&mut self, condition: Value, then: Value, otherwise: Value) -> Value {
        let chosen = if condition.number == 1 { then } else { otherwise };
        Value { number: chosen.number, term: condition.term.or(chosen.term) }
    }

    fn byte(&mut self, value: Value) -> Value {
        Value { number: value.number & 0xff, ..value }
    }

    fn branch(&mut self, _: usize, _: Value, _: BranchKind) {}
    fn pin(&mut self, _: usize, _: Value) {}
    fn step(&mut self, _: usize, _: Step) {}
    fn section(&mut self, _: usize, _: bool) {}
}

/// How many inputs a program has.
pub(super) fn inputs(program: &Program) -> usize {
    fn most(block: &[Statement]) -> usize {
        let of = |statement: &Statement| match statement {
            Statement::Input { number, .. } => number + 1,
            Statement::If { then, otherwise, .. } => most(then).max(most(otherwise)),
            Statement::While { body, .. } | Statement::Atomic(body) => most(body),
            _ => 0,
        };
        block.iter().map(of).max().unwrap_or(0)
    }
    program.threads.iter().map(|thread| most(thread)).max().unwrap_or(0)
}

/// Decisions of all threads from a state on, and how it ends.
type Rest = BTreeSet<(Vec<Vec<u64>>, Ending)>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Ending {
    /// Where the threads are, if some are stuck and nothing has failed.
    places: Option<Vec<usize>>,
    stuck: bool,
    failed: bool,
    discarded: bool,
}

/// All paths of a program; nothing if it has more states than this.
pub fn paths(program: &Program, model: Model, states: usize) -> Option<All> {
    let interpreter = Interpreter::new(program, model);
    let count = inputs(program);
    let mark = Terms::new().constant(1, 1);
    let mut all = FxHashSet::default();
    let mut visited = 0;
    let mut races = BTreeSet::new();
    for number in 0..u32::from(INPUTS).pow(count as u32) {
        let digits =
            (0..count as u32).map(|digit| (number / u32::from(INPUTS).pow(digit) % u32::from(INPUTS)) as u16);
        let mut marks = Marks { mark, inputs: digits.collect(), races: BTreeSet::new() };
        let mut state = interpreter.start(&mut marks);
        let begin = take_decisions(&mut state);
        let mut memory = FxHashMap::default();
        let rest = explore(&interpreter, &mut marks, state, &mut memory, states)?;
        races.append(&mut marks.races);
        visited += memory.len();
        if visited > states {
            return None;
        }
        for (decisions, ending) in rest.iter() {
            let whole: Vec<Vec<u64>> =
                begin.iter().zip(decisions).map(|(begin, rest)| [&begin[..], &rest[..]].concat()).collect();
            all.insert((whole, ending.clone()));
        }
    }
    let kept: Vec<&Ending> =
        all.iter().map(|(_, ending)| ending).filter(|ending| !ending.discarded).collect();
    let deadlocks = kept.iter().filter(|ending| ending.stuck && !ending.failed).count() as u64;
    let discards = all.iter().any(|(_, ending)| ending.discarded);
    let fails = all.iter().any(|(_, ending)| ending.failed);
    Some(All { races, paths: kept.len() as u64 - deadlocks, deadlocks, fails, discards })
}

fn take_decisions(state: &mut State) -> Vec<Vec<u64>> {
    state.threads.iter_mut().map(|thread| std::mem::take(&mut thread.decisions)).collect()
}

fn explore(
    interpreter: &Interpreter<'_>,
    marks: &mut Marks,
    state: State,
    memory: &mut FxHashMap<State, std::rc::Rc<Rest>>,
    states: usize,
) -> Option<std::rc::Rc<Rest>> {
    if let Some(known) = memory.get(&state) {
        return Some(known.clone());
    }
    if memory.len() > states {
        return None;
    }
    for other in 0..state.threads.len() {
        for thread in 0..other {
            let race = interpreter.race(&state, [thread, other], marks);
            marks.races.extend(race);
        }
    }
    let mut rest = Rest::new();
    let mut moved = false;
    for thread in 0..state.threads.len() {
        for alternative in interpreter.alternatives(&state, thread) {
            moved = true;
            let mut next = state.clone();
            interpreter.step(&mut next, thread, alternative, marks);
            let made = take_decisions(&mut next);
            let after = explore(interpreter, marks, next, memory, states)?;
            for (decisions, ending) in after.iter() {
                let whole = made.iter().zip(decisions).map(|(made, rest)| [&made[..], &rest[..]].concat());
                rest.insert((whole.collect(), ending.clone()));
            }
        }
    }
    if !moved {
        let threads = 0..state.threads.len();
        let stage = |thread: usize| state.threads[thread].stage;
        let stuck = threads.clone().any(|thread| {
            let idle = matches!(stage(thread), Stage::Absent | Stage::Failed | Stage::Discarded);
            !idle && !interpreter.ended(&state, thread)
        });
        let ending = Ending {
            places: stuck.then(|| state.threads.iter().map(|thread| thread.place).collect()),
            stuck,
            failed: threads.clone().any(|thread| stage(thread) == Stage::Failed),
            discarded: threads.clone().any(|thread| stage(thread) == Stage::Discarded),
        };
        rest.insert((vec![Vec::new(); state.threads.len()], ending));
    }
    let rest = std::rc::Rc::new(rest);
    memory.insert(state, rest.clone());
    Some(rest)
}
