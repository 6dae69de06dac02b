//! What an execution did, as a trace for the ordering solver.

mod actions;
mod buffers;

use crate::recorded::calls::{Gathered, are_together};
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_machine::{Buffering, Followed, Footprint, Machine, Pick, Status, Wait};
use selvedge_order::{Action, Cause, EventId, Place, Step, Trace};
use selvedge_trace::{Event, EventKind, MemoryOrder, Operation, SyncObject, ThreadId, ThreadName, Value};
use std::sync::{Mutex, PoisonError};
use xxhash_rust::xxh3::xxh3_128;

/// Numbers of threads that are the same in all executions of a search.
#[derive(Default)]
pub struct Names(Mutex<Vec<ThreadName>>);

impl Names {
    /// Those that had numbers before, in the order of their numbers.
    pub fn again(names: Vec<ThreadName>) -> Self {
        Names(Mutex::new(names))
    }

    /// All that have numbers.
    pub fn all(&self) -> Vec<ThreadName> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of a thread.
    pub fn number(&self, name: &ThreadName) -> u32 {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            names.push(name.clone());
            names.len() - 1
        }) as u32
    }
}

/// What objects hold that are freed is learned if they have no more bytes.
const MOST_FREED: u64 = 256;

/// Bytes of a futex, and of what says whether something was done once.
const WORD: u32 = 4;

/// What a word holds, if that is a number.
fn word(machine: &mut Machine, at: u64) -> Option<Value> {
    machine
        .probe()
        .value_at(at, u64::from(WORD))
        .map(|value| Value::from_slice(&(value as u32).to_le_bytes()))
}

/// What is known of an event besides what the solver knows.
#[derive(Clone, Debug)]
pub struct Note {
    /// What was done, for races.
    pub operation: Operation,
    /// Where, for races.
    pub position: u32,
    /// The operation of the program, where it is known.
    pub place: Option<selvedge_program::dependence::Place>,
    /// A weak compare-exchange that found what it expected: it may fail for no reason, or not.
    pub weak: bool,
    /// It did fail for no reason.
    pub spurious: bool,
    /// What a weak compare-exchange that has not happened expects.
    pub expects: Option<Value>,
    /// It has not happened: the execution ended before.
    pub pending: bool,
    /// Hash of all that the thread has observed up to this event, with the number of events.
    pub history: u128,
    /// For a call: the same before and after each byte that it read; nothing for anything else.
    pub parts: Vec<u128>,
    /// For a call: its accesses.
    pub touches: Vec<Operation>,
    /// For a call that has happened: these depend on what it has read.
    pub varies: bool,
    /// The first event of the same step, if that is another one: threads stop before that.
    pub step: Option<u32>,
    /// A store that its thread made when no other thread knew the place, and that waits since another one does.
    pub late: bool,
}

impl Note {
    fn new(operation: Operation) -> Self {
        Note {
            operation,
            position: 0,
            place: None,
            weak: false,
            spurious: false,
            expects: None,
            pending: false,
            history: 0,
            parts: Vec::new(),
            touches: Vec::new(),
            varies: false,
            step: None,
            late: false,
        }
    }

    /// What the thread has observed after this event, and in between if it is a call.
    pub fn observed(&self) -> impl Iterator<Item = u128> + '_ {
        let whole = self.parts.is_empty().then_some(self.history);
        self.parts.iter().copied().chain(whole)
    }
}

/// What a thread waits for.
#[derive(Clone, Copy)]
pub(crate) enum Waits {
    /// A condition, with the mutex.
    Condition(u64, u64),
    Barrier(u64),
    Futex(u64),
}

impl Waits {
    /// How it goes on, if its time is not over.
    fn end(self, cause: Cause) -> Action {
        match self {
            Waits::Condition(queue, lock) => Action::Wake { queue, lock: Some(lock), cause },
            Waits::Futex(queue) => Action::Wake { queue, lock: None, cause },
            Waits::Barrier(barrier) => Action::Leave { barrier },
        }
    }
}

/// What a thread holds, waits for and has started.
#[derive(Clone, Default)]
struct Progress {
    history: u128,
    held: FxHashMap<u64, u32>,
    shared: Vec<u64>,
    waits: Option<Waits>,
    children: u32,
    ended: bool,
    /// What it has stored and others do not see yet.
    stores: buffers::Waiting,
}

/// The trace of an execution that is being made.
pub struct Recorder<'a> {
    names: &'a Names,
    /// Of the machine's threads.
    numbers: Vec<u32>,
    /// For the solver.
    pub trace: Trace,
    /// For each thread and event.
    pub notes: Vec<Vec<Note>>,
    threads: Vec<Progress>,
    handles: FxHashMap<u64, u32>,
    /// Which thread has joined or detached a thread first, and whether it was joined.
    freed: FxHashMap<u64, (u32, bool)>,
    /// What is known of memory before the first event.
    known: FxHashMap<u64, u8>,
    /// What memory holds by what was recorded, where that is not what it held before the first event.
    memory: FxHashMap<u64, u8>,
    /// Conditions on which a thread waits with a time limit.
    timed: FxHashSet<u64>,
    /// Semaphores at the start, and how many threads barriers wait for.
    counts: FxHashMap<(SyncObject, u64), u32>,
    /// The first thing that cannot be told to the solver.
    pub unmapped: Option<String>,
    /// Objects that were freed while other threads knew them: after which event, from where to where.
    pub frees: Vec<(EventId, std::ops::Range<u64>)>,
    /// All library calls of the step free something.
    only_frees: bool,
    /// The objects that go when the thread ends that is about to.
    going: Vec<std::ops::Range<u64>>,
    /// What the word of the futex held on which the thread that acts waits.
    word: Option<Value>,
    /// How many threads the futex call wakes at most that is being made.
    most_woken: Option<u32>,
    /// How many events of the machine were recorded.
    seen: usize,
    /// The step that is being taken is a weak compare-exchange that finds what it expects.
    weak: bool,
    /// The operation at which the thread stands that acts.
    place: Option<selvedge_program::dependence::Place>,
    /// The step has emptied the buffer of its thread, and no event of it says so yet.
    drained: bool,
    /// Bytes that held no value before the first event.
    undefined: FxHashSet<u64>,
}

/// What a thread has observed after an event, if it had observed `history` before.
pub fn further(history: u128, action: &Action, spurious: bool) -> u128 {
    match action {
        Action::Read { value, .. } => absorb(history, 1, value),
        Action::Update { read, .. } => absorb(absorb(history, 2, read), 2, &[u8::from(spurious)]),
        Action::TryLock { taken, .. }
        | Action::TryLockShared { taken, .. }
        | Action::TryTake { taken, .. } => absorb(history, 3, &[u8::from(*taken)]),
        Action::Arrive { last, .. } => absorb(history, 4, &[u8::from(*last)]),
        Action::Wake { cause, .. } => absorb(history, 5, &[u8::from(*cause == Cause::Notified)]),
        // As if it had only looked: until it looks, it is not known whether it will wait.
        Action::Wait { sees: Some((_, value)), .. } => absorb(absorb(history, 2, value), 2, &[0]),
        Action::Notify { woken: Some(woken), .. } => absorb(history, 6, &woken.to_le_bytes()),
        Action::Call { .. } => stages(history, action).pop().unwrap_or(history),
        _ => absorb(history, 0xfe, &[]),
    }
}

/// What a thread has observed before and after each byte that a call reads; nothing for anything else.
pub fn stages(history: u128, action: &Action) -> Vec<u128> {
    let Action::Call { reads, .. } = action else { return Vec::new() };
    let mut stages = vec![further(history, &Action::Nothing, false)];
    for &byte in reads.iter().flat_map(|(_, value)| value) {
        stages.extend(stages.last().map(|&before| absorb(before, 7, &[byte])));
    }
    stages
}

/// What a thread has observed at its start.
fn start(thread: u32) -> u128 {
    absorb(0, 0xff, &thread.to_le_bytes())
}

fn absorb(history: u128, kind: u8, bytes: &[u8]) -> u128 {
    let mut buffer = [0; 64];
    if bytes.len() > 40 {
        let digest = xxh3_128(bytes).to_le_bytes();
        return absorb(history, kind ^ 0x80, &digest);
    }
    buffer[..16].copy_from_slice(&history.to_le_bytes());
    buffer[16] = kind;
    buffer[17] = bytes.len() as u8;
    buffer[18..18 + bytes.len()].copy_from_slice(bytes);
    xxh3_128(&buffer)
}

impl<'a> Recorder<'a> {
    /// Nothing has happened yet.
    pub fn new(names: &'a Names) -> Self {
        Recorder {
            names,
            numbers: Vec::new(),
            trace: Trace::new(),
            notes: Vec::new(),
            threads: Vec::new(),
            handles: FxHashMap::default(),
            freed: FxHashMap::default(),
            known: FxHashMap::default(),
            memory: FxHashMap::default(),
            timed: FxHashSet::default(),
            counts: FxHashMap::default(),
            unmapped: None,
            frees: Vec::new(),
            only_frees: false,
            going: Vec::new(),
            word: None,
            most_woken: None,
            seen: 0,
            weak: false,
            place: None,
            drained: false,
            undefined: FxHashSet::default(),
        }
    }

    /// The search's number of a machine's thread.
    pub fn number(&mut self, machine: &Machine, index: usize) -> u32 {
        if let Some(&number) = self.numbers.get(index) {
            return number;
        }
        for thread in &machine.threads()[self.numbers.len()..=index] {
            let number = self.names.number(&thread.name);
            self.numbers.push(number);
            self.grow(number);
        }
        self.numbers[index]
    }

    fn grow(&mut self, number: u32) {
        while self.threads.len() <= number as usize {
            let history = start(self.threads.len() as u32);
            self.threads.push(Progress { history, ..Progress::default() });
            self.notes.push(Vec::new());
        }
    }

    /// How many events a thread has.
    pub fn events(&self, thread: u32) -> u32 {
        self.notes.get(thread as usize).map_or(0, |notes| notes.len() as u32)
    }

    /// The end of the program, if it came to that: nothing can follow it, in no thread.
    pub fn exit(&self) -> Option<EventId> {
        let exits = |note: &Note| note.operation.kind == EventKind::Exit && !note.pending;
        let ends = |(thread, notes): (u32, &Vec<Note>)| {
            notes.last().filter(|note| exits(note)).map(|_| EventId::new(thread, notes.len() as u32 - 1))
        };
        (0_u32..).zip(&self.notes).find_map(ends)
    }

    /// What the threads have observed after each event, and after each byte that calls have read.
    pub fn histories(&self) -> Vec<Vec<u128>> {
        let of = |notes: &Vec<Note>| {
            let happened = notes.iter().filter(|note| !note.pending);
            happened.flat_map(Note::observed).collect()
        };
        self.notes.iter().map(of).collect()
    }

    /// What a thread has observed before one of its events.
    pub fn history(&self, event: EventId) -> u128 {
        match event.index.checked_sub(1) {
            Some(before) => self.notes[event.thread as usize][before as usize].history,
            None => start(event.thread),
        }
    }

    /// A thread joins another one, or says that no thread will.
    fn freed(&mut self, by: u32, handle: u64, joins: bool) {
        let &mut (first, how) = self.freed.entry(handle).or_insert((by, joins));
        if first != by && !(how && joins) {
            self.unmapped("a thread that is joined by one thread and detached by another");
        }
    }

    fn unmapped(&mut self, what: impl Into<String>) {
        self.unmapped.get_or_insert_with(|| what.into());
    }

    fn start(&mut self, address: u64, value: u8) {
        self.known.insert(address, value);
        self.trace.initial(address, &[value]);
    }

    /// What a place held at the start.
    pub fn initial(&self, at: Place) -> Value {
        (at.address..at.end()).map(|byte| self.known.get(&byte).copied().unwrap_or(0)).collect()
    }

    /// The same trace, with other actions.
    pub fn rebuilt(&self, change: impl Fn(EventId, &Action) -> Action) -> Trace {
        let mut trace = Trace::new();
        for (&address, &value) in &self.known {
            trace.initial(address, &[value]);
        }
        self.counts.iter().for_each(|(&(object, address), &value)| match object {
            SyncObject::Barrier => trace.barrier(address, value),
            _ => trace.semaphore(address, value),
        });
        for step in self.trace.order() {
            match *step {
                Step::Event(event) => {
                    if let Some(action) = self.trace.action(event) {
                        trace.push(event.thread, change(event, action));
                    }
                }
                Step::Commit(event) => trace.commit(event),
                Step::Notified { .. } | Step::Expired(_) => {}
            }
        }
        trace
    }

    /// What a semaphore held at the start.
    pub fn semaphore(&self, address: u64) -> u32 {
        self.counts.get(&(SyncObject::Semaphore, address)).copied().unwrap_or(0)
    }

    /// How many threads a barrier waits for.
    pub fn barrier(&self, address: u64) -> u32 {
        self.counts.get(&(SyncObject::Barrier, address)).copied().unwrap_or(0)
    }

    /// Whether a thread waits for a condition with a time limit.
    pub fn timed(&self, condition: u64) -> bool {
        self.timed.contains(&condition)
    }

    /// Bytes that an operation is about to meet for the first time hold now what they held at the start. Pointers are
    /// the addresses that a thread that reads them sees.
    fn learn(&mut self, machine: &mut Machine, address: u64, size: u32) {
        for at in address..address + u64::from(size) {
            if self.known.contains_key(&at) {
                continue;
            }
            if self.frees.iter().any(|(_, bytes)| bytes.contains(&at)) {
                self.unmapped("memory that is first looked at after it was freed");
            }
            if let Some(value) = machine.probe().byte_at(at) {
                self.start(at, value);
                self.undefined.extend(machine.probe().holds_no_value(at).then_some(at));
            }
        }
    }

    /// The same for an object that is about to be freed: another thread may be before an access to it, which could have come
    /// first.
    fn learn_freed(&mut self, machine: &mut Machine, index: usize) {
        let mut footprint = Footprint::default();
        let pick = Pick::Step { thread: ThreadId(index as u16), alternative: 0 };
        machine.probe().footprint(pick, &mut footprint);
        let objects = footprint.spans.iter().filter(|span| span.write && !span.is_lifetime());
        for span in objects.filter(|span| span.end - span.start <= MOST_FREED) {
            self.learn(machine, span.start, (span.end - span.start) as u32);
        }
    }

    /// The same for all that a call or a copy is about to meet.
    fn learn_accesses(&mut self, machine: &mut Machine, index: usize) {
        for access in machine.probe().accesses(index) {
            self.learn(machine, access.address, access.size);
        }
    }

    /// Takes over what a semaphore holds, or how many threads a barrier waits for.
    fn count(&mut self, machine: &mut Machine, object: SyncObject, at: u64) {
        if self.counts.contains_key(&(object, at)) {
            return;
        }
        let offset = if object == SyncObject::Barrier { 8 } else { 0 };
        let value = machine.probe().value_at(at + offset, 4).map(|value| value as u32);
        if value.is_none() {
            self.unmapped("a semaphore or a barrier without a value");
        }
        let value = value.unwrap_or(0);
        self.counts.insert((object, at), value);
        match object {
            SyncObject::Barrier => self.trace.barrier(at, value),
            _ => self.trace.semaphore(at, value),
        }
    }

    /// To be called before a thread acts.
    pub fn before(&mut self, machine: &mut Machine, index: usize) {
        use EventKind::*;
        let frame = machine.threads()[index].frames.last();
        self.place = frame.map(|frame| (frame.function, frame.pc));
        self.going.clear();
        (self.word, self.most_woken) = (None, None);
        let Status::Ready(operation) = machine.threads()[index].status else { return };
        self.weak = operation.kind == CompareExchange && machine.probe().alternatives(index) > 1;
        let at = operation.address;
        match operation.kind {
            Read | Write if machine.inspect().is_before_copy(index) => self.learn_accesses(machine, index),
            Read | Write | ReadModifyWrite | CompareExchange => {
                self.learn(machine, at, operation.size);
            }
            ThreadExit => self.going = machine.probe().objects_of_thread(index),
            LibraryCall if machine.inspect().is_at_free(index) && self.handles.is_empty() => {}
            LibraryCall if machine.inspect().is_at_free(index) => self.learn_freed(machine, index),
            // Before there is another thread everything is the same in every execution.
            LibraryCall | Output if self.handles.is_empty() => {}
            LibraryCall | Output if machine.inspect().is_before_plain_call(index) => {
                self.learn_accesses(machine, index);
            }
            // Not all of these leave an event.
            LibraryCall | Input | Clock | Random if !self.handles.is_empty() => {
                self.unmapped(format!("{:?} while there are several threads", operation.kind));
            }
            Output if !self.handles.is_empty() && !machine.probe().accesses(index).is_empty() => {
                self.unmapped("output of memory that other threads know");
            }
            FutexWait | FutexLock | OnceEnter | OnceDone => {
                self.learn(machine, at, WORD);
                self.word = word(machine, at);
            }
            FutexPark => self.unmapped("threads that are parked"),
            FutexWake => self.most_woken = machine.probe().most_woken(index),
            kind => {
                if let Some((object @ (SyncObject::Semaphore | SyncObject::Barrier), _)) = kind.on_object() {
                    self.count(machine, object, at);
                }
            }
        }
    }

    /// Takes over what the machine has done since the last time.
    pub fn after(&mut self, machine: &mut Machine, alone: bool) {
        // Its own stores have left the buffer by now.
        if let Some(event) = machine.inspect().trace()[self.seen..]
            .iter()
            .find(|event| event.operation.kind == EventKind::FutexWait)
        {
            let address = event.operation.address;
            self.word = word(machine, address);
        }
        let buffering = machine.take_buffering();
        let events: Vec<u32> = self.notes.iter().map(|notes| notes.len() as u32).collect();
        self.take_events(machine, &buffering, alone);
        self.take_late_stores(machine, &buffering, &events);
    }

    /// Takes over the events of a step, and what it has freed.
    fn take_events(&mut self, machine: &Machine, buffering: &[(usize, Buffering)], alone: bool) {
        let step = &machine.inspect().trace()[self.seen..];
        let actor = step.last().map(|event| event.thread.index());
        let drained =
            |&(thread, what): &(usize, Buffering)| what == Buffering::Drained && Some(thread) == actor;
        self.drained = buffering.iter().any(drained);
        if buffering.iter().any(|&(thread, what)| what == Buffering::Drained && Some(thread) != actor) {
            self.unmapped("a barrier for all threads");
        }
        let empty = Followed::default();
        let followed = machine.inspect().followed().unwrap_or(&empty);
        let other_calls = (self.seen..).zip(step).filter(|(number, event)| {
            event.operation.kind == EventKind::LibraryCall && !followed.plain.contains(number)
        });
        self.only_frees = other_calls.count() == machine.inspect().free_calls();
        let acting = actor.map(|index| self.number(machine, index));
        let before = acting.map_or(0, |thread| self.events(thread));
        let (mut number, mut calls, mut accesses) = (self.seen, 0, 0);
        let several = !self.handles.is_empty();
        while number < machine.inspect().trace().len() {
            let group = followed.groups.iter().find(|group| group.first == number);
            let count = group.map_or(1, |group| group.count);
            let events = &machine.inspect().trace()[number..number + count];
            let kind = events[0].operation.kind;
            let touches = followed.touches.iter().filter(|touch| touch.event == number);
            let touched = touches.clone().count();
            let is_call = followed.plain.contains(&number) || kind == EventKind::Output && touched > 0;
            if self.handles.is_empty() {
                events.iter().for_each(|event| self.take(machine, event, alone));
            } else if is_call {
                calls += touched;
                accesses += 1;
                self.take_together(machine, &events[0], &Gathered::call(touches));
            } else if are_together(machine, events, group) {
                accesses += 1;
                self.take_together(machine, &events[0], &Gathered::events(events, group));
            } else {
                accesses += usize::from(kind.is_access());
                self.take(machine, &events[0], alone);
            }
            // Only of the first event of a step it is known where it is.
            if kind != EventKind::Commit {
                self.place = None;
            }
            number += count;
        }
        if several && calls < followed.touches.len() {
            self.unmapped(
                "a library call on memory that other threads know, of which nothing more can be told",
            );
        }
        if accesses > 1 {
            self.unmapped("a step that is more than one access");
        }
        self.seen = machine.inspect().trace().len();
        // What is only read is an access that went wrong.
        let gone = machine.inspect().effects().iter().filter(|span| span.write);
        let effects = gone.map(|span| span.start..span.end);
        let effects = effects.filter(|bytes| bytes.start < 0xfff0_0000_0000_0000);
        for bytes in effects.chain(std::mem::take(&mut self.going)).collect::<Vec<_>>() {
            match acting {
                Some(thread) if self.events(thread) > before => {
                    let last = EventId::new(thread, self.events(thread) - 1);
                    self.frees.push((last, bytes));
                }
                _ => self.unmapped("memory that is freed before anything else is done"),
            }
        }
    }

    fn take(&mut self, machine: &Machine, event: &Event, alone: bool) {
        let index = event.thread.index();
        let thread = self.number(machine, index);
        let operation = event.operation;
        if operation.kind == EventKind::Commit {
            self.commit(thread, operation.address);
            let events = self.trace.events(thread);
            let store = |action: &Action| matches!(action, Action::Write { at, .. } if at.address == operation.address);
            // Only a hint: the newest store will do.
            if let Some(index) = events.iter().rposition(store) {
                self.trace.commit(EventId::new(thread, index as u32));
            }
            return;
        }
        if !machine.inspect().is_sequential() && operation.kind == EventKind::Write && operation.size > 8 {
            self.unmapped("a store of more than eight bytes under this memory model");
        }
        let exchange =
            matches!(operation.kind, EventKind::CompareExchange | EventKind::CompareExchangeFailed);
        let weak = std::mem::take(&mut self.weak) && exchange;
        let spurious = weak && operation.kind == EventKind::CompareExchangeFailed;
        for action in self.actions(machine, thread, event, alone) {
            self.push(machine, thread, action, Note { weak, spurious, ..self.note(event, operation) });
        }
    }

    fn note(&self, event: &Event, operation: Operation) -> Note {
        Note { position: event.user_position, place: self.place, ..Note::new(operation) }
    }

    fn push(&mut self, machine: &Machine, thread: u32, action: Action, mut note: Note) {
        let action = self.drain(action);
        self.compare(thread, machine.inspect().is_sequential(), &note.operation, &action);
        let this = &mut self.threads[thread as usize];
        note.parts = stages(this.history, &action);
        note.history = further(this.history, &action, note.spurious);
        this.history = note.history;
        let position = note.position;
        self.notes[thread as usize].push(note);
        let id = self.trace.push(thread, action);
        self.trace.locate(id, position);
    }

    /// Takes over a call, or events that are one operation.
    fn take_together(&mut self, machine: &Machine, event: &Event, gathered: &Gathered) {
        let thread = self.number(machine, event.thread.index());
        if gathered.is_too_much() {
            self.unmapped("a library call that reads so much of what other threads know");
        }
        // A thread that is alone does not stop before its accesses: no other thread can come before them.
        for (byte, value) in gathered.met() {
            if !self.known.contains_key(&byte) {
                self.start(byte, value.unwrap_or(0));
            }
        }
        let first = self.events(thread);
        for action in gathered.actions(machine) {
            let note = match &action {
                Action::Write { at, .. } => {
                    let kind = EventKind::Write;
                    let (address, size, order) = (at.address, at.size, MemoryOrder::NotAtomic);
                    let operation = Operation { kind, address, size, order };
                    Note { step: Some(first), ..self.note(event, operation) }
                }
                _ => {
                    let operation = Operation::sync(EventKind::LibraryCall, event.operation.address);
                    let (touches, varies) = (gathered.operations(), gathered.varies);
                    Note { touches, varies, ..self.note(event, operation) }
                }
            };
            self.push(machine, thread, action, note);
        }
    }

    /// Checks whether what was recorded is all that changes memory: an object that is made where another one was has
    /// other contents, and no event stores them.
    fn compare(&mut self, thread: u32, sequential: bool, operation: &Operation, action: &Action) {
        let own = operation.address..operation.address + u64::from(operation.size.max(1));
        let places = action.sees().chain(action.writes()).map(|(at, _)| at.address..at.end());
        for bytes in places.chain([own]) {
            if self.frees.iter().any(|(_, freed)| freed.start < bytes.end && bytes.start < freed.end) {
                self.unmapped("memory that is used again after it was freed");
            }
        }
        if self.handles.is_empty() || matches!(action, Action::Wait { .. }) {
            return;
        }
        if action.drains() {
            self.flush(thread);
        }
        for (at, value) in action.sees() {
            let same = (at.address..)
                .zip(value)
                .all(|(byte, value)| self.visible(thread, byte).is_none_or(|known| known == *value));
            if !same {
                self.unmapped("memory that is not what was stored there");
            }
        }
        match action.buffered().filter(|_| !sequential) {
            Some((at, value)) => self.threads[thread as usize].stores.push((at, value.clone())),
            None => action.writes().for_each(|(at, value)| {
                self.memory.extend((at.address..).zip(value.iter().copied()));
            }),
        }
    }

    /// The execution is over: notes what threads that have not ended are about to do.
    pub fn finish(&mut self, machine: &mut Machine, failed: Option<u32>) {
        for index in 0..machine.threads().len() {
            let thread = self.number(machine, index);
            if self.threads[thread as usize].ended || failed == Some(thread) {
                continue;
            }
            self.before(machine, index);
            let waits = self.threads[thread as usize].waits;
            let status = machine.threads()[index].status.clone();
            let expects = match &status {
                Status::Ready(operation) if operation.kind == EventKind::CompareExchange => {
                    let size = operation.size as usize;
                    let expected = machine.probe().weakly_expected(index);
                    expected.map(|value| Value::from_slice(&value.to_le_bytes()[..size]))
                }
                _ => None,
            };
            let (operation, action) = match status {
                Status::Waiting(Wait::Condition { condition, mutex, .. }) => {
                    let lock = Some(mutex);
                    let operation = Operation::sync(EventKind::CondWait, condition);
                    (operation, Action::Wake { queue: condition, lock, cause: Cause::Notified })
                }
                Status::Waiting(Wait::Futex { address, .. }) => {
                    let operation = Operation::sync(EventKind::FutexWait, address);
                    (operation, Waits::Futex(address).end(Cause::Notified))
                }
                Status::Waiting(Wait::Barrier { address }) => {
                    (Operation::sync(EventKind::BarrierWait, address), Action::Leave { barrier: address })
                }
                Status::Ready(operation) => {
                    let bytes = operation.address..operation.address + u64::from(operation.size);
                    if operation.kind.is_access() && bytes.into_iter().any(|at| !self.known.contains_key(&at))
                    {
                        self.unmapped("memory that holds a pointer and is never read");
                    }
                    if operation.kind == EventKind::FutexPark {
                        self.unmapped("threads that are parked");
                    }
                    let blocked = machine.probe().alternatives(index) == 0;
                    let reads = operation.kind == EventKind::Read;
                    // Only when it happens it is known what it reads.
                    match reads && (machine.inspect().is_before_copy(index) || operation.size > 8) {
                        true => (operation, Action::Nothing),
                        false => (operation, self.pending(thread, &operation, waits, blocked)),
                    }
                }
                // The step that created the thread has failed: the solver must know that it exists.
                _ if self.notes[thread as usize].is_empty() => {
                    (Operation::sync(EventKind::Yield, 0), Action::Nothing)
                }
                _ => continue,
            };
            let is_call = machine.inspect().is_before_call(index) || machine.inspect().is_before_copy(index);
            let note = Note {
                position: machine.inspect().user_position(index),
                place: self.place,
                expects,
                pending: true,
                touches: if is_call { machine.probe().accesses_at_the_end(index) } else { Vec::new() },
                ..Note::new(operation)
            };
            let position = note.position;
            self.notes[thread as usize].push(note);
            let id = self.trace.push(thread, action);
            self.trace.locate(id, position);
        }
        self.weak = false;
        if self.undefined_bytes_are_ambiguous() {
            self.unmapped("memory that holds no value and is read beside the store that fills it");
        }
        self.trace.cut_calls();
    }
}
