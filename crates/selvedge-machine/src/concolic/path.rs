//! Executions for a search over paths: an order to begin with, values of inputs, and what came out as plain data.

use super::{Concolic, Symbolic};
use crate::halt::Violation;
use crate::machine::{Config, Machine, Outcome, Pick, Stepped};
use crate::thread::{Status, Wait};
use selvedge_paths::{Execution, Move, Request, ThreadEnd, ThreadPath};
use selvedge_program::Program;
use selvedge_terms::{Source, Symbol};
use selvedge_trace::{EventKind, InputName, Inputs, ThreadId, ThreadName};
use std::sync::Arc;

/// An execution, with how to come to its end again.
pub struct Recorded {
    /// What the threads did, as expressions.
    pub execution: Execution,
    /// How it ended; nothing if it was cut.
    pub outcome: Option<Outcome>,
    /// What was chosen, with how many events the thread had had before. The last thread is chosen, too.
    pub picks: Vec<(Pick, u32)>,
    /// The first violation of a thread, and how many picks led to it. The others have gone on without it.
    pub failure: Option<(Violation, ThreadId, usize)>,
    /// A Rust panic has ended the program, or a thread of which no other will know.
    pub panicked: bool,
    /// The inputs of this execution.
    pub inputs: Inputs,

    /// What the record cannot express: others may exist that it says nothing about.
    pub beyond: Option<String>,
    /// The move that was not possible, by its number.
    pub diverged: Option<usize>,
    /// It was cut: it had not come to its end after so many steps as it was allowed.
    pub cut: bool,
}

/// Steps after which an execution is cut, where nothing else is said.
const MOST_STEPS: u64 = 20_000;
/// What it counts for that a thread has gone on for long without a step.
const ROUND: u64 = 20;
/// How much an execution may have recorded for each of its steps.
const RECORDED: u64 = 4;
/// Steps after which another thread gets its turn: one that waits by looking again and again needs the others.
const TURN: u64 = 50;
/// Every so many picks it is looked whether to stop: with many threads a pick takes long.
const PICKS_PER_LOOK: usize = 16;

/// The inputs of an execution with these values of symbols.
pub fn inputs(base: &Inputs, request: &Request) -> Inputs {
    let mut inputs = base.clone();
    for (symbol, &value) in &request.inputs {
        match symbol {
            Symbol::Input { thread, occurrence } => {
                let name = InputName { thread: thread.clone(), occurrence: *occurrence };
                inputs.values.insert(name, value as u64);
            }
            Symbol::Byte { source, offset } => {
                let offset = *offset as usize;
                let byte = value as u8;
                match source {
                    Source::StandardInput => {
                        if let Some(place) = inputs.stdin.get_mut(offset) {
                            *place = byte;
                        }
                    }
                    Source::File(name) => {
                        if let Some(place) = inputs.files.get_mut(name).and_then(|file| file.get_mut(offset))
                        {
                            *place = byte;
                        }
                    }
                    Source::Argument(number) => {
                        if let Some(argument) = inputs.arguments.get_mut((*number as usize).wrapping_sub(1)) {
                            let mut bytes = std::mem::take(argument).into_bytes();
                            if let Some(place) = bytes.get_mut(offset) {
                                *place = byte;
                            }
                            *argument = String::from_utf8_lossy(&bytes).into_owned();
                        }
                    }
                    Source::Environment(_) => {}
                }
            }
            Symbol::Read { .. } | Symbol::Choice { .. } => {}
        }
    }
    inputs
}

/// How far an execution goes before it is cut.
#[derive(Clone, Copy)]
pub struct Extent<'a> {
    /// After so many steps.
    pub steps: u64,
    /// As soon as this says so.
    pub stop: &'a dyn Fn() -> bool,
}

impl Default for Extent<'_> {
    fn default() -> Self {
        Extent { steps: MOST_STEPS, stop: &|| false }
    }
}

/// Executes a program: the moves of the request, then any order.
pub fn perform(program: &Arc<Program>, config: &Config, request: &Request, extent: Extent<'_>) -> Recorded {
    perform_and_look(program, config, request, extent, |_| {})
}

/// As [`perform`]; `look` sees the machine at the end.
pub fn perform_and_look(
    program: &Arc<Program>,
    config: &Config,
    request: &Request,
    extent: Extent<'_>,
    look: impl FnOnce(&mut Machine),
) -> Recorded {
    execute(program, config, request, (extent, true), look)
}

/// Performs the moves of the request, and nothing after them; `look` sees the machine then.
pub fn perform_moves(
    program: &Arc<Program>,
    config: &Config,
    request: &Request,
    extent: Extent<'_>,
    look: impl FnOnce(&mut Machine),
) -> Recorded {
    execute(program, config, request, (extent, false), look)
}

/// Executes a program up to the first failure, by the choices of `choose`: one of the picks, by its number.
pub fn perform_by(
    program: &Arc<Program>,
    config: &Config,
    extent: Extent<'_>,
    choose: &mut dyn FnMut(&Machine, &[Pick]) -> usize,
) -> Recorded {
    let (mut run, inputs) = Run::new(program, config, &Request::default(), extent);
    let mut picks = Vec::new();
    while !run.cut && run.failure.is_none() {
        run.machine.picks(&mut picks);
        // A failure that makes no difference is no choice of the record.
        picks.retain(|pick| match *pick {
            Pick::Step { thread, alternative: 1 } => run.is_chosen_failure(thread.index()),
            _ => true,
        });
        match picks.get(choose(&run.machine, &picks)) {
            Some(&pick @ Pick::Commit { .. }) => run.perform_commit(pick),
            Some(&pick) => _ = run.perform(pick),
            None => break,
        }
    }
    run.finish(inputs, None)
}

fn execute(
    program: &Arc<Program>,
    config: &Config,
    request: &Request,
    (extent, goes_on): (Extent<'_>, bool),
    look: impl FnOnce(&mut Machine),
) -> Recorded {
    let (mut run, inputs) = Run::new(program, config, request, extent);
    let diverged = run.follow(request);
    if diverged.is_none() && goes_on {
        run.go_on(request.then.as_ref());
    }
    look(&mut run.machine);
    run.finish(inputs, diverged)
}
struct Run<'a> {
    machine: Machine,
    picks: Vec<(Pick, u32)>,
    failure: Option<(Violation, ThreadId, usize)>,
    steps: u64,
    extent: Extent<'a>,
    cut: bool,
}

impl<'a> Run<'a> {
    /// The beginning of an execution, and its inputs.
    fn new(program: &Arc<Program>, config: &Config, request: &Request, extent: Extent<'a>) -> (Self, Inputs) {
        let symbolic =
            config.symbolic.clone().unwrap_or(Symbolic { reads: true, inputs: true, ..Symbolic::default() });
        let inputs = inputs(&config.inputs, request);
        let config = Config {
            symbolic: Some(symbolic),
            every_step: true,
            inputs: Arc::new(inputs.clone()),
            ..config.clone()
        };
        let mut machine = Machine::new(program.clone(), config);
        if let Some(concolic) = &mut machine.concolic {
            let choices = request.inputs.iter().filter(|(symbol, _)| matches!(symbol, Symbol::Choice { .. }));
            concolic.choices = choices.map(|(symbol, &value)| (symbol.clone(), value)).collect();
        }
        (Run { machine, picks: Vec::new(), failure: None, steps: 0, extent, cut: false }, inputs)
    }
}

impl Run<'_> {
    fn index(&self, name: &ThreadName) -> Option<usize> {
        self.machine.threads().iter().position(|thread| thread.name == *name)
    }

    /// Whether the second alternative of a thread, if it is that a weak compare-exchange fails, is part of the record.
    fn is_chosen_failure(&mut self, thread: usize) -> bool {
        match self.machine.threads()[thread].status {
            Status::Ready(operation) if operation.kind == EventKind::CompareExchange => {
                self.machine.fails_for_no_reason(thread, operation.address)
            }
            _ => true,
        }
    }

    /// Steps of a thread that are neither branches nor continue others, so far.
    fn performed(&self, thread: usize) -> usize {
        let own = self.machine.concolic.as_ref().and_then(|concolic| concolic.threads.get(thread));
        own.map_or(0, |own| own.groups)
    }

    /// Follows the moves; the number of the first that is not possible.
    fn follow(&mut self, request: &Request) -> Option<usize> {
        // How many steps each thread was asked for.
        let mut asked: Vec<usize> = Vec::new();
        for (number, wanted) in request.moves.iter().enumerate() {
            if let Move::Commit { thread, address } = wanted {
                self.commit(thread, *address);
                continue;
            }
            if let Move::Expire { thread } = wanted {
                if self.cut || !self.expire(thread) {
                    return Some(number);
                }
                continue;
            }
            let Some(thread) = self.index(wanted.thread()).or_else(|| {
                // Before anything has run, only the first thread is there.
                self.step(0, wanted);
                self.index(wanted.thread())
            }) else {
                return Some(number);
            };
            asked.resize(asked.len().max(thread + 1), 0);
            asked[thread] += 1;
            let mut idle = 0;
            while self.performed(thread) < asked[thread] {
                let before = self.performed(thread);
                if self.cut || !self.step(thread, wanted) {
                    return Some(number);
                }
                // Visible operations that are no steps of the record may come first.
                idle = if self.performed(thread) == before { idle + 1 } else { 0 };
                if idle > 1000 {
                    return Some(number);
                }
            }
        }
        None
    }

    /// Lets the time of a thread that waits be over; whether that was possible.
    fn expire(&mut self, name: &ThreadName) -> bool {
        let Some(index) = self.index(name) else { return false };
        let wanted = Pick::Step { thread: self.machine.threads()[index].id, alternative: crate::TIMEOUT };
        let mut picks = Vec::new();
        self.machine.picks(&mut picks);
        picks.contains(&wanted) && self.perform(wanted)
    }

    /// Lets a store leave its buffer. One that was dropped with its object, or made before others knew the object, is not
    /// there.
    fn commit(&mut self, name: &ThreadName, address: u64) {
        let Some(index) = self.index(name) else { return };
        let wanted = Pick::Commit { thread: self.machine.threads()[index].id, address };
        let mut picks = Vec::new();
        self.machine.picks(&mut picks);
        if picks.contains(&wanted) {
            self.perform_commit(wanted);
        }
    }

    fn perform_commit(&mut self, pick: Pick) {
        let Pick::Commit { thread, .. } = pick else { return };
        self.picks.push((pick, self.machine.threads()[thread.index()].events));
        self.machine.step(pick);
        self.steps += 1;
        self.cut |= self.steps >= self.extent.steps;
        self.pass_silently();
    }

    /// Lets a thread perform its pending operation; whether that was possible.
    fn step(&mut self, thread: usize, wanted: &Move) -> bool {
        let mut picks = Vec::new();
        self.machine.picks(&mut picks);
        let own: Vec<Pick> = picks
            .into_iter()
            .filter(|pick| matches!(pick, Pick::Step { thread: who, .. } if who.index() == thread))
            .collect();
        let woken = match wanted {
            Move::Notify { woken, .. } => self.index(woken),
            _ => None,
        };
        let Some(pick) = self.choose(thread, &own, woken, false) else { return false };
        self.perform(pick)
    }

    /// The pick of a thread that fits: which waiter is woken, whether a weak compare-exchange fails.
    fn choose(&mut self, thread: usize, own: &[Pick], woken: Option<usize>, expire: bool) -> Option<Pick> {
        let alternative = |pick: &Pick| match pick {
            Pick::Step { alternative, .. } => *alternative,
            Pick::Commit { .. } => 0,
        };
        if let Some(timeout) = own.iter().find(|pick| alternative(pick) == crate::TIMEOUT) {
            return expire.then_some(*timeout);
        }
        if own.len() <= 1 {
            return own.first().copied();
        }
        if let Some(woken) = woken {
            let waiters = self.machine.waiters_of(thread);
            let position = waiters.iter().position(|&waiter| waiter == woken)?;
            return own.iter().find(|pick| alternative(pick) == position as u32).copied();
        }
        let name = self.machine.threads()[thread].name.clone();
        let concolic = self.machine.concolic.as_mut()?;
        let occurrence = concolic.own(thread).choices;
        let fails = concolic
            .choices
            .get(&Symbol::Choice { thread: name, occurrence })
            .is_some_and(|&value| value == 1);
        let exchange = match self.machine.threads()[thread].status {
            Status::Ready(operation) if operation.kind == selvedge_trace::EventKind::CompareExchange => {
                self.machine.fails_for_no_reason(thread, operation.address)
            }
            _ => false,
        };
        let wanted = u32::from(exchange && fails);
        own.iter().find(|pick| alternative(pick) == wanted).copied()
    }

    fn perform(&mut self, pick: Pick) -> bool {
        let Pick::Step { thread, .. } = pick else { return false };
        self.picks.push((pick, self.machine.threads()[thread.index()].events));
        let stepped = self.machine.step(pick);
        self.steps += 1;
        if !self.exhaust(stepped) {
            return true;
        }
        self.cut |= self.steps >= self.extent.steps;
        self.outlive();
        self.leave_section();
        self.pass_silently();
        true
    }

    /// An assumption that fails in an atomic section ends the execution; here the others go on, to show what they would have
    /// done before it. What they see of an unfinished section happens in no execution, and is not confirmed as a violation.
    fn leave_section(&mut self) {
        let waits =
            |thread: usize| self.machine.threads()[thread].status == Status::Waiting(Wait::Assumption);
        if self.machine.atomic.is_some_and(waits) {
            self.machine.atomic = None;
        }
    }

    /// Goes on until the step is complete; whether it is.
    fn exhaust(&mut self, mut stepped: Stepped) -> bool {
        while stepped == Stepped::OutOfFuel {
            self.steps += ROUND;
            let recorded = self.machine.concolic.as_ref().map_or(0, |concolic| concolic.recorded());
            let over = self.steps >= self.extent.steps || recorded >= RECORDED * self.extent.steps;
            if over || (self.extent.stop)() {
                self.cut = true;
                return false;
            }
            stepped = self.machine.resume();
        }
        self.cut |= self.steps >= self.extent.steps;
        true
    }

    /// Lets threads perform operations that are no steps of the record: they make no difference to any thread but those
    /// that wait for them.
    fn pass_silently(&mut self) {
        while !self.cut && self.machine.outcome().is_none() {
            let threads = 0..self.machine.threads().len();
            // A thread that has nothing left to do ends when another one waits for it. Until then no thread is alone,
            // and so none is stepped over where it has a choice.
            let awaited = threads.clone().any(|thread| self.machine.waits_for_end(thread));
            let Some(thread) = threads.into_iter().find(|&thread| {
                self.machine.is_silent(thread) && (awaited || !self.machine.is_before_end(thread))
            }) else {
                return;
            };
            if self.machine.probe().alternatives(thread) != 1
                || self.machine.inspect().atomic_section().is_some()
            {
                return;
            }
            let pick = Pick::Step { thread: self.machine.threads()[thread].id, alternative: 0 };
            self.picks.push((pick, self.machine.threads()[thread].events));
            let stepped = self.machine.step(pick);
            self.steps += 1;
            self.exhaust(stepped);
            self.outlive();
        }
    }

    /// A violation ends the program; here the others go on, to show what they would have done before it.
    fn outlive(&mut self) {
        while let Some(Outcome::Violation { violation, thread }) = self.machine.outcome.clone() {
            let index = thread.index();
            let mut end = ThreadEnd::Failed(self.machine.inspect().position(index));
            if let Some(concolic) = &mut self.machine.concolic {
                // That another thread came first is no decision of this one.
                if std::mem::take(&mut concolic.dangling) {
                    end = ThreadEnd::Cut;
                }
                concolic.own(index).end = Some(end);
            }
            let picks = self.picks.len();
            self.failure.get_or_insert((violation, thread, picks));
            self.machine.outcome = None;
            self.machine.thread_mut(index).status = Status::Waiting(Wait::Assumption);
            // Threads that were created just before have not run at all.
            let stepped = self.machine.resume();
            self.exhaust(stepped);
        }
    }

    /// Any order: one thread as long as it can, then the next. `first` is preferred wherever it can go on, and a thread
    /// that is about to end the program goes last: the others have not come to their ends.
    fn go_on(&mut self, first: Option<&ThreadName>) {
        let first = first.and_then(|name| self.index(name));
        let mut current = first;
        let (mut picks, mut turn) = (Vec::new(), 0);
        while !self.cut {
            if self.picks.len().is_multiple_of(PICKS_PER_LOOK) && (self.extent.stop)() {
                self.cut = true;
                return;
            }
            self.machine.picks(&mut picks);
            if let Some(&commit) = picks.iter().find(|pick| matches!(pick, Pick::Commit { .. })) {
                self.perform_commit(commit);
                continue;
            }
            let able = |thread: usize, picks: &[Pick]| -> Vec<Pick> {
                let own =
                    |pick: &&Pick| matches!(pick, Pick::Step { thread: who, .. } if who.index() == thread);
                picks.iter().filter(own).copied().collect()
            };
            let mut threads: Vec<usize> = (0..self.machine.threads().len()).collect();
            // The others in the order in which they follow the last one.
            let (count, after) = (threads.len(), usize::from(turn >= TURN));
            let from = current.map_or(0, |current| current + after);
            let ends = |thread: usize| match self.machine.threads()[thread].status {
                Status::Ready(operation) => operation.kind == EventKind::Exit,
                _ => false,
            };
            threads.sort_by_key(|&thread| {
                let other = first != Some(thread) || after == 1;
                (ends(thread), other, (thread + count - from % count) % count)
            });
            let mut chosen = None;
            for expire in [false, true] {
                for &thread in &threads {
                    let own = able(thread, &picks);
                    if chosen.is_none() && !own.is_empty() {
                        chosen = self.choose(thread, &own, None, expire).map(|pick| (thread, pick));
                    }
                }
            }
            let Some((thread, pick)) = chosen else { return };
            turn = if current == Some(thread) { turn + 1 } else { 0 };
            current = Some(thread);
            self.perform(pick);
        }
    }

    fn finish(mut self, inputs: Inputs, diverged: Option<usize>) -> Recorded {
        let outcome = self.machine.outcome().cloned();
        let exited = matches!(outcome, Some(Outcome::Exited(101))) && self.machine.inspect().panicked();
        let panicked = exited || self.machine.inspect().unheard_panic().is_some();
        // A thread that has ended the program has come to its end, whatever it was in the middle of.
        let last = self.picks.last().and_then(|(pick, _)| match pick {
            Pick::Step { thread, .. } => Some(thread.index()),
            Pick::Commit { .. } => None,
        });
        let mut threads = Vec::new();
        for thread in 0..self.machine.threads().len() {
            let end = match &outcome {
                Some(Outcome::Exited(_)) if Some(thread) == last => ThreadEnd::Finished,
                Some(Outcome::Unsupported { .. }) => ThreadEnd::Cut,
                _ => self.machine.path_end(thread),
            };
            let name = self.machine.threads()[thread].name.clone();
            let steps = self
                .machine
                .concolic
                .as_mut()
                .map(|concolic| std::mem::take(&mut concolic.own(thread).steps));
            threads.push(ThreadPath { thread: name, steps: steps.unwrap_or_default(), end });
        }

        let asked = self.machine.inspect().asked().iter().map(|asked| (asked.name.clone(), asked.value));
        let mut inputs = inputs;
        inputs.values.extend(asked);
        let concolic = self
            .machine
            .concolic
            .take()
            .map_or_else(|| Concolic::new(Symbolic::default()), |concolic| *concolic);
        let beyond = match &outcome {
            Some(Outcome::Unsupported { what, .. }) => Some(what.clone()),
            _ if self.cut => Some("executions of so many steps".to_owned()),
            _ => concolic.beyond.clone(),
        };
        let execution = Execution {
            terms: concolic.terms,
            threads,
            order: concolic.order,
            initial: concolic.initial,
            objects: concolic.objects,
        };
        Recorded {
            execution,
            outcome,
            picks: self.picks,
            failure: self.failure,
            panicked,
            inputs,
            beyond,
            diverged,
            cut: self.cut,
        }
    }
}
