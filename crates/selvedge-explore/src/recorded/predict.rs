//! What an execution shows that did not happen in it: races and deadlocks in other orders of the same events.

use crate::recorded::explored::digest;
use crate::recorded::record::{Note, Recorder};
use crate::recorded::run::SeedStep;
use crate::recorded::targets::acts;
use crate::recorded::views::Frontier;
use selvedge_order::{Action, Answer, Cause, EventId, Place, Prepared, Query, Scratch, Step};
use selvedge_trace::{EventKind, MemoryOrder, Model, Operation, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Configurations of blocked threads that are examined in one execution; with more, the strategy does not know.
const MOST_CONFIGURATIONS: u32 = 200_000;

/// Looks for what else could have happened.
pub struct Prediction<'r, 'n> {
    /// The execution.
    pub recorder: &'r Recorder<'n>,
    /// Its trace, if it can be told to the solver: made when it is needed.
    pub prepared: &'r dyn Fn() -> Option<&'r Prepared>,
    /// The memory model.
    pub model: Model,
    /// Nothing can follow this event.
    pub stop: Option<EventId>,
    /// Whether the time is over.
    pub over: &'r dyn Fn() -> bool,
    /// Whether it is known that threads cannot all be where they wait, by what they have observed there.
    pub refuted: &'r dyn Fn(u128) -> bool,
    /// Takes note of that.
    pub refute: &'r dyn Fn(u128),
    /// How many queries were asked.
    pub queries: u64,
    /// Something was too hard.
    pub unknown: bool,
}

/// An address that programs do not have.
const NOWHERE: u64 = u64::MAX - 0xffff;

/// What cannot be told in such cases.
pub const OVERTAKEN: &str =
    "an access that may come while a store to the same place, which others have seen, waits in a buffer";

/// A seed that leads to a state in which two accesses can both be next.
pub struct Meeting {
    /// What to do.
    pub acts: Vec<SeedStep>,
    /// Where the two are.
    pub places: (u32, u32),
    /// There may be no such state after all.
    pub in_doubt: bool,
}

/// What an event does to memory: (reads, writes, plain).
fn access(kind: EventKind, order: MemoryOrder) -> Option<(bool, bool, bool)> {
    let (reads, writes) = match kind {
        EventKind::Read | EventKind::CompareExchangeFailed => (true, false),
        EventKind::Write => (false, true),
        EventKind::ReadModifyWrite | EventKind::CompareExchange => (true, true),
        _ => return None,
    };
    Some((reads, writes, order == MemoryOrder::NotAtomic))
}

/// What an event does to memory, and so what it can race with.
struct Accesses<'r> {
    event: EventId,
    note: &'r Note,
    operations: &'r [Operation],
    /// The stores that wait in a buffer after it.
    stores: Vec<(EventId, Operation)>,
}

impl Accesses<'_> {
    fn writes(&self) -> bool {
        let writes = |operation: &Operation| access(operation.kind, operation.order).is_some_and(|how| how.1);
        self.operations.iter().any(writes)
    }

    fn conflicts(&self, other: &Accesses<'_>) -> bool {
        self.operations.iter().any(|one| {
            other.operations.iter().any(|other| {
                match (access(one.kind, one.order), access(other.kind, other.order)) {
                    (Some((_, first, plain)), Some((_, second, also_plain))) => {
                        (plain || also_plain) && (first || second) && overlap(one, other)
                    }
                    _ => false,
                }
            })
        })
    }

    /// The stores that meet something that the other one does.
    fn stores<'s>(&'s self, other: &'s Accesses<'_>) -> impl Iterator<Item = EventId> + 's {
        let meets = |store: &Operation| other.operations.iter().any(|access| overlap(store, access));
        self.stores.iter().filter(move |(_, store)| meets(store)).map(|(event, _)| *event)
    }
}

fn overlap(one: &Operation, other: &Operation) -> bool {
    one.address < other.address + u64::from(other.size) && other.address < one.address + u64::from(one.size)
}

impl<'r, 'n> Prediction<'r, 'n> {
    /// The events that access memory. A call is one of them, with all that it accesses.
    fn accesses(&self) -> Vec<Accesses<'r>> {
        let mut accesses: Vec<Accesses<'r>> = Vec::new();
        for (thread, notes) in (0_u32..).zip(&self.recorder.notes) {
            for (index, note) in (0_u32..).zip(notes) {
                let event = EventId::new(thread, index);
                if let Some(step) = note.step.filter(|_| !note.late) {
                    let call = accesses.iter_mut().rfind(|call| call.event == EventId::new(thread, step));
                    call.into_iter().for_each(|call| call.stores.push((event, note.operation)));
                } else if !note.touches.is_empty() {
                    accesses.push(Accesses { event, note, operations: &note.touches, stores: Vec::new() });
                } else if access(note.operation.kind, note.operation.order).is_some()
                    && !matches!(self.recorder.trace.action(event), Some(Action::Fork { .. }))
                {
                    let operations = std::slice::from_ref(&note.operation);
                    let stores = vec![(event, note.operation)];
                    accesses.push(Accesses { event, note, operations, stores });
                }
            }
        }
        accesses
    }

    /// A prediction from one execution.
    pub fn new(
        recorder: &'r Recorder<'n>,
        prepared: &'r dyn Fn() -> Option<&'r Prepared>,
        model: Model,
        stop: Option<EventId>,
    ) -> Self {
        Prediction {
            recorder,
            prepared,
            model,
            stop,
            over: &|| false,
            refuted: &|_| false,
            refute: &|_| {},
            queries: 0,
            unknown: false,
        }
    }

    fn prepared(&mut self) -> Option<&'r Prepared> {
        let prepared = (self.prepared)();
        self.unknown |= prepared.is_none();
        prepared
    }
}

impl Prediction<'_, '_> {
    /// As [`Prediction::ask`], about the trace itself.
    fn ask_here(&mut self, query: Query, scratch: &mut Scratch) -> Option<Vec<Step>> {
        let prepared = self.prepared()?;
        self.ask(prepared, query, scratch)
    }

    fn ask(&mut self, prepared: &Prepared, query: Query, scratch: &mut Scratch) -> Option<Vec<Step>> {
        self.queries += 1;
        let query = match self.stop {
            Some(stop) if self.recorder.trace.action(stop).is_some() => query.stop_before(stop),
            _ => query,
        };
        match prepared.solve_until(&query.any(), scratch, self.over) {
            Ok(Answer::Order { steps, .. }) => Some(steps),
            Ok(Answer::None) => None,
            Ok(Answer::Unknown) | Err(_) => {
                self.unknown = true;
                None
            }
        }
    }

    /// Whether what a later call of the same thread read is what a store left, as far as they meet.
    fn is_stored(&self, store: EventId, (at, read): &(Place, Value)) -> bool {
        let Some(Action::Write { at: place, value, .. }) = self.recorder.trace.action(store) else {
            return false;
        };
        let byte = |address: u64| {
            let offset = address.checked_sub(place.address)?;
            value.get(offset as usize)
        };
        (at.address..).zip(read).all(|(address, read)| byte(address).is_none_or(|stored| stored == read))
    }

    /// An order in which an access is next while a store that conflicts with it waits in its buffer, although something later
    /// of its thread has been seen. Only under PSO.
    fn overtaken(&mut self, store: EventId, access: EventId, scratch: &mut Scratch) -> Option<Vec<Step>> {
        let notes = &self.recorder.notes[store.thread as usize];
        let operation = notes[store.index as usize].operation;
        let buffered = operation.kind == EventKind::Write && operation.order != MemoryOrder::SeqCst;
        if self.model != Model::Pso || !buffered {
            return None;
        }
        // The thread goes on as long as the store can wait.
        let overlaps = |other: &Operation| {
            let end = |operation: &Operation| operation.address + u64::from(operation.size);
            other.address < end(&operation) && operation.address < end(other)
        };
        // What made a late store's place known may be visible before it.
        let (mut end, mut own, mut overtakes) = (None, Vec::new(), notes[store.index as usize].late);
        for (index, note) in (store.index + 1..).zip(notes.iter().skip(store.index as usize + 1)) {
            let event = EventId::new(store.thread, index);
            let action = self.recorder.trace.action(event);
            if let Some(Action::Nothing) = action {
                continue;
            }
            if let Some(Action::Call { reads, writes, drains: false }) = action
                && writes.is_empty()
            {
                // Where it saw something else, the store was visible before, and overwritten.
                if reads.iter().all(|read| self.is_stored(store, read)) {
                    continue;
                }
                end = Some(event);
                break;
            }
            let relaxed = matches!(note.operation.order, MemoryOrder::NotAtomic | MemoryOrder::Relaxed);
            match note.operation.kind {
                EventKind::Read if overlaps(&note.operation) => own.push(event),
                EventKind::Read => {}
                EventKind::Write if relaxed && !overlaps(&note.operation) => overtakes = true,
                _ => {
                    end = Some(event);
                    break;
                }
            }
        }
        if !overtakes {
            return None;
        }
        let place = Place::new(operation.address, operation.size);
        // No other thread sees it: it is as if it were a store to a place that no other thread knows.
        let trace = self.recorder.rebuilt(|event, action| match action {
            Action::Write { at, value, order } if event == store => {
                let at = Place { address: NOWHERE, ..*at };
                Action::Write { at, value: value.clone(), order: *order }
            }
            // What a call sees of the store it sees as long as the store waits.
            Action::Call { reads, writes, drains: false }
                if event.thread == store.thread && event.index > store.index =>
            {
                let overlaps = |at: &Place| at.address < place.end() && place.address < at.end();
                let reads = reads.iter().filter(|(at, _)| !overlaps(at)).cloned().collect();
                Action::Call { reads, writes: writes.clone(), drains: false }
            }
            action => action.clone(),
        });
        let Ok(prepared) = Prepared::new_until(&trace, Model::Pso, self.over) else {
            self.unknown = true;
            return None;
        };
        let query = Query::new().include(store);
        let varies = self.recorder.notes[access.thread as usize][access.index as usize].varies;
        let query = match varies {
            true => query.include(access).last(access),
            false => query.include_before(access).stop_before(access),
        };
        let query = end.into_iter().fold(query, Query::stop_before);
        let query = own.into_iter().fold(query, Query::free);
        let starts = [store.thread, access.thread].into_iter().filter_map(|thread| self.start_of(thread));
        let query = starts.fold(query, Query::include);
        let mut steps = self.ask(&prepared, query, scratch)?;
        steps.retain(|step| *step != Step::Commit(store) && *step != Step::Event(access));
        Some(steps)
    }

    /// The trace with one event that reads what two of them do, in place of the first: memory is then as both found it. `None`
    /// where what one of them reads may be in a buffer; nothing if they have found different things.
    fn together(&self, last: EventId, other: EventId) -> Option<Option<Prepared>> {
        let trace = &self.recorder.trace;
        let (action, also) = (trace.action(last)?, trace.action(other)?);
        let overlaps =
            |at: Place| also.sees().any(|(read, _)| read.address < at.end() && at.address < read.end());
        let stores = |event: EventId, meets: &dyn Fn(Place) -> bool| {
            let mut earlier = trace.events(event.thread)[..event.index as usize].iter();
            earlier.any(|action| matches!(action, Action::Write { at, .. } if meets(*at)))
        };
        // An update waits until its thread's stores are visible; a call need not.
        let waits = matches!(action, Action::Update { .. });
        if self.model != Model::Sc && (stores(other, &overlaps) || !waits && stores(last, &|_| true)) {
            return None;
        }
        let mut bytes = BTreeMap::new();
        for (at, value) in action.sees().chain(also.sees()) {
            for (address, &byte) in (at.address..).zip(value) {
                if *bytes.entry(address).or_insert(byte) != byte {
                    return Some(None);
                }
            }
        }
        let mut reads: Vec<(Place, Value)> = Vec::new();
        for (address, byte) in bytes {
            match reads.last_mut() {
                Some((at, value)) if at.end() == address => {
                    value.push(byte);
                    *at = Place::new(at.address, value.len() as u32);
                }
                _ => reads.push((Place::new(address, 1), Value::from_elem(byte, 1))),
            }
        }
        let writes = action.writes().map(|(at, value)| (at, value.clone())).collect();
        let both = Action::Call { reads, writes, drains: true };
        let mut trace = self.recorder.rebuilt(|event, action| match event == last {
            true => both.clone(),
            false => action.clone(),
        });
        trace.cut_calls();
        Prepared::new_until(&trace, self.model, self.over).ok().map(Some)
    }

    /// Seeds to states in which two accesses race that are not known to: by their positions, or by themselves.
    pub fn races(
        &mut self,
        known: &dyn Fn((u32, u32), [EventId; 2]) -> bool,
        scratch: &mut Scratch,
    ) -> Vec<Meeting> {
        let mut found = Vec::new();
        let mut here: BTreeSet<(u32, u32)> = BTreeSet::new();
        let accesses = self.accesses();
        for (number, one) in accesses.iter().enumerate() {
            if (self.over)() {
                self.unknown = true;
                return found;
            }
            for other in &accesses[number + 1..] {
                let (first, second) = (one.note, other.note);
                let pair = (first.position.min(second.position), first.position.max(second.position));
                if one.event.thread == other.event.thread
                    || !one.conflicts(other)
                    || here.contains(&pair)
                    || known(pair, [one.event, other.event])
                {
                    continue;
                }
                // A compare-exchange conflicts with a read only where it would succeed.
                let exchange = |access: &Accesses<'_>, other: &Accesses<'_>| {
                    let exchanges =
                        access.note.operation.kind == EventKind::CompareExchange && !access.note.pending;
                    (exchanges && !other.writes()).then_some(access.event)
                };
                // A call must see what it saw, or it may access something else.
                let varying = |access: &Accesses<'_>| access.note.varies.then_some(access.event);
                let ends = [exchange(one, other), exchange(other, one), varying(one), varying(other)];
                let mut ends = ends.into_iter().flatten();
                let (succeeding, both) = (ends.next(), ends.next());
                let together = succeeding.zip(both).and_then(|(last, other)| self.together(last, other));
                // A call may have to wait for stores of its thread where they were to meet.
                let in_doubt = both.is_some() && (together.is_none() || self.model != Model::Sc);
                let query = match succeeding {
                    Some(exchange) => {
                        let still = if exchange == one.event { other.event } else { one.event };
                        Query::new().include_before(still).stop_before(still).include(exchange).last(exchange)
                    }
                    None => Query::new().meet(one.event, other.event),
                };
                // A thread that has not been started is not before its first event.
                let threads = [one.event.thread, other.event.thread];
                let starts = threads.into_iter().filter_map(|thread| self.start_of(thread));
                let query = starts.fold(query, Query::include);
                // One with which the execution ends may still be the last.
                let stop = self.stop.take_if(|stop| succeeding == Some(*stop));
                // No thread stops before a late store: it can only wait while the other access is next.
                let late = first.late || second.late;
                let steps = match &together {
                    _ if late => None,
                    Some(Some(prepared)) => self.ask(prepared, query, scratch),
                    Some(None) => None,
                    None => self.ask_here(query, scratch),
                };
                self.stop = self.stop.or(stop);
                let Some(mut steps) = steps else {
                    let stores = one.stores(other).map(|store| (store, other.event));
                    let stores = stores.chain(other.stores(one).map(|store| (store, one.event)));
                    let waiting =
                        stores.into_iter().find_map(|(store, access)| self.overtaken(store, access, scratch));
                    if let Some(steps) = waiting {
                        here.insert(pair);
                        found.push(Meeting {
                            acts: acts(self.recorder, &steps, None),
                            places: pair,
                            in_doubt: true,
                        });
                    }
                    continue;
                };
                if let Some(exchange) = succeeding {
                    steps.retain(|step| *step != Step::Event(exchange));
                }
                here.insert(pair);
                found.push(Meeting { acts: acts(self.recorder, &steps, None), places: pair, in_doubt });
            }
        }
        found
    }

    /// Seeds to states in which an event is next that accesses what has been freed.
    pub fn uses_after_free(&mut self, scratch: &mut Scratch) -> Vec<Vec<SeedStep>> {
        let mut found = Vec::new();
        let mut here: BTreeSet<(EventId, u32)> = BTreeSet::new();
        for (free, bytes) in &self.recorder.frees {
            for (thread, notes) in (0_u32..).zip(&self.recorder.notes) {
                for (index, note) in (0_u32..).zip(notes).filter(|_| thread != free.thread) {
                    let touches = |operation: &Operation| {
                        let end = operation.address + u64::from(operation.size.max(1));
                        operation.address < bytes.end && bytes.start < end
                    };
                    let touches = touches(&note.operation) || note.touches.iter().any(touches);
                    if !touches || note.step.is_some() || here.contains(&(*free, note.position)) {
                        continue;
                    }
                    let access = EventId::new(thread, index);
                    // A thread that frees something has most often seen that the others are done.
                    if !note.pending
                        && self.prepared().is_none_or(|prepared| prepared.precedes(access, *free))
                    {
                        continue;
                    }
                    if (self.over)() {
                        self.unknown = true;
                        return found;
                    }
                    let query = Query::new().include(*free).include_before(access).stop_before(access);
                    let query = self.start_of(thread).into_iter().fold(query, Query::include);
                    if let Some(steps) = self.ask_here(query, scratch) {
                        here.insert((*free, note.position));
                        let mut acts = acts(self.recorder, &steps, None);
                        acts.push(SeedStep::Event { event: access, wakes: None, fails: false });
                        found.push(acts);
                    }
                }
            }
        }
        found
    }

    /// The event that starts a thread.
    fn start_of(&self, thread: u32) -> Option<EventId> {
        (0..self.recorder.notes.len() as u32).find_map(|parent| {
            let events = self.recorder.trace.events(parent);
            let index = events
                .iter()
                .position(|action| matches!(action, Action::Fork { thread: child } if *child == thread))?;
            Some(EventId::new(parent, index as u32))
        })
    }

    /// Seeds to states in which threads block each other for ever: one, if there is any.
    pub fn deadlock(&mut self, scratch: &mut Scratch) -> Option<Vec<SeedStep>> {
        self.deadlocks(false, &|_| false, scratch).pop()
    }

    /// Seeds to all states in which no thread can go on, but for those that are known.
    pub fn all_deadlocks(
        &mut self,
        known: &dyn Fn(&Frontier) -> bool,
        scratch: &mut Scratch,
    ) -> Vec<Vec<SeedStep>> {
        self.deadlocks(true, known, scratch)
    }

    fn deadlocks(
        &mut self,
        all: bool,
        known: &dyn Fn(&Frontier) -> bool,
        scratch: &mut Scratch,
    ) -> Vec<Vec<SeedStep>> {
        let threads = self.recorder.notes.len();
        let stuck: Vec<Vec<u32>> = (0..threads as u32).map(|thread| self.blocking(thread)).collect();
        if stuck.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        let mut patience = MOST_CONFIGURATIONS;
        for thread in 0..threads {
            for &at in &stuck[thread] {
                let mut configuration = vec![None; threads];
                configuration[thread] = Some(at);
                let mut open = vec![configuration];
                while let Some(configuration) = open.pop() {
                    if !seen.insert(configuration.clone()) {
                        continue;
                    }
                    patience = match patience.checked_sub(1) {
                        Some(patience) if !(self.over)() => patience,
                        Some(_) | None => {
                            self.unknown = true;
                            return found;
                        }
                    };
                    match self.complete(&configuration, &stuck, all) {
                        Completion::Open(more) => open.extend(more),
                        Completion::Impossible => {}
                        Completion::Stuck if all && known(&self.frontier(&configuration)) => {}
                        Completion::Stuck => {
                            found.extend(self.reach(&configuration, scratch));
                            if !all && !found.is_empty() {
                                return found;
                            }
                        }
                    }
                }
            }
        }
        found
    }

    /// Where a thread may have to wait.
    fn blocking(&self, thread: u32) -> Vec<u32> {
        let blocks = |action: &Action| {
            matches!(
                action,
                Action::Lock { .. }
                    | Action::LockShared { .. }
                    | Action::Join { .. }
                    | Action::Wake { cause: Cause::Notified, .. }
                    | Action::Take { .. }
                    | Action::Leave { .. }
            )
        };
        let events = self.recorder.trace.events(thread);
        let stops = |&(index, action): &(u32, &Action)| blocks(action) || self.gate(thread, index).is_some();
        (0_u32..).zip(events).filter(stops).map(|(index, _)| index).collect()
    }

    /// The word for which an event waits until it is not 1: a mutex of Rust's library, or what is done once.
    fn gate(&self, thread: u32, index: u32) -> Option<Place> {
        let note = self.recorder.notes[thread as usize].get(index as usize)?;
        match (note.operation.kind, self.recorder.trace.action(EventId::new(thread, index))?) {
            (EventKind::FutexLock | EventKind::OnceEnter, Action::Update { at, .. }) => Some(*at),
            _ => None,
        }
    }

    /// Whether a word is 1 when threads have come so far. It is changed by updates alone, each of which has seen what the
    /// one before has left; so it does not depend on their order.
    fn is_shut(&self, configuration: &[Option<u32>], at: Place) -> bool {
        let shut = Value::from_slice(&1_u32.to_le_bytes());
        let mut balance = i32::from(self.recorder.initial(at) == shut);
        for (_, action) in self.done(configuration) {
            if let Action::Update { at: other, read, written: Some(written) } = action
                && *other == at
            {
                balance += i32::from(*written == shut) - i32::from(*read == shut);
            }
        }
        balance > 0
    }

    /// How many events of a thread have really happened.
    fn happened(&self, thread: usize) -> u32 {
        self.recorder.notes[thread].iter().take_while(|note| !note.pending).count() as u32
    }

    /// Whether a thread that stops before this event has a lock, for itself alone or for reading.
    fn holds(&self, thread: usize, at: u32, lock: u64, reading: bool) -> bool {
        let (mut held, mut readers) = (false, 0_u32);
        for action in &self.recorder.trace.events(thread as u32)[..at as usize] {
            match action {
                Action::Lock { lock: other }
                | Action::TryLock { lock: other, taken: true }
                | Action::Wake { lock: Some(other), .. }
                    if *other == lock =>
                {
                    held = true;
                }
                Action::Unlock { lock: other } | Action::Wait { lock: Some(other), .. } if *other == lock => {
                    held = false;
                }
                Action::LockShared { lock: other } | Action::TryLockShared { lock: other, taken: true }
                    if *other == lock =>
                {
                    readers += 1;
                }
                Action::UnlockShared { lock: other } if *other == lock => readers -= 1,
                _ => {}
            }
        }
        held || reading && readers > 0
    }

    /// Checks whether every thread that is said to wait waits for ever; what has to be decided next if that is not
    /// known.
    fn complete(&self, configuration: &[Option<u32>], stuck: &[Vec<u32>], all: bool) -> Completion {
        let mut everybody = all;
        let places = |thread: usize| stuck[thread].iter().copied().chain([self.happened(thread)]);
        let with = |thread: usize, at: u32| {
            let mut further = configuration.to_vec();
            further[thread] = Some(at);
            further
        };
        for (thread, &at) in configuration.iter().enumerate() {
            let Some(at) = at else { continue };
            everybody |= self.gate(thread as u32, at).is_some();
            let Some(action) = self.recorder.trace.action(EventId::new(thread as u32, at)) else { continue };
            match action {
                Action::Lock { lock } | Action::LockShared { lock } => {
                    let reading = matches!(action, Action::Lock { .. });
                    let holds = |thread: usize, at: u32| self.holds(thread, at, *lock, reading);
                    let held = configuration.iter().enumerate();
                    if held.into_iter().any(|(other, at)| at.is_some_and(|at| holds(other, at))) {
                        continue;
                    }
                    let mut more = Vec::new();
                    for other in (0..configuration.len()).filter(|&other| configuration[other].is_none()) {
                        more.extend(places(other).filter(|&at| holds(other, at)).map(|at| with(other, at)));
                    }
                    return Completion::Open(more);
                }
                Action::Join { thread: other } => {
                    let other = *other as usize;
                    match configuration[other] {
                        Some(at) if self.ends(other, at) => return Completion::Impossible,
                        Some(_) => {}
                        None => {
                            let places = places(other).filter(|&at| !self.ends(other, at));
                            return Completion::Open(places.map(|at| with(other, at)).collect());
                        }
                    }
                }
                Action::Wake { .. } | Action::Take { .. } | Action::Leave { .. } => everybody = true,
                _ => {}
            }
        }
        if everybody && let Some(open) = configuration.iter().position(Option::is_none) {
            let mut all: Vec<_> = places(open).map(|at| with(open, at)).collect();
            // A thread that was never started.
            if self.happened(open) > 0 {
                all.push(with(open, 0));
            }
            return Completion::Open(all);
        }
        match everybody && !self.counts(configuration) {
            true => Completion::Impossible,
            false => Completion::Stuck,
        }
    }

    /// How far each thread comes, and what it has observed.
    fn frontier(&self, configuration: &[Option<u32>]) -> Vec<(u32, u32, u128)> {
        let last = |(thread, at): (u32, &Option<u32>)| {
            let at = at.unwrap_or(0);
            let note = &self.recorder.notes[thread as usize][at.checked_sub(1)? as usize];
            Some((thread, at, note.history))
        };
        (0_u32..).zip(configuration).filter_map(last).collect()
    }

    fn ends(&self, thread: usize, at: u32) -> bool {
        let events = &self.recorder.trace.events(thread as u32)[..at as usize];
        matches!(events.last(), Some(Action::End))
    }

    /// What all threads together have done, as far as they come.
    fn done<'s>(
        &'s self,
        configuration: &'s [Option<u32>],
    ) -> impl Iterator<Item = (EventId, &'s Action)> + 's {
        (0_u32..).zip(configuration).flat_map(|(thread, at)| {
            let events = &self.recorder.trace.events(thread)[..at.unwrap_or(0) as usize];
            (0_u32..).zip(events).map(move |(index, action)| (EventId::new(thread, index), action))
        })
    }

    fn next<'s>(&'s self, configuration: &'s [Option<u32>]) -> impl Iterator<Item = &'s Action> + 's {
        (0_u32..)
            .zip(configuration)
            .filter_map(|(thread, at)| self.recorder.trace.action(EventId::new(thread, at.unwrap_or(0))))
    }

    /// Whether semaphores and barriers keep the threads that wait at them.
    fn counts(&self, configuration: &[Option<u32>]) -> bool {
        // A thread that neither waits nor has ended could go on.
        for (thread, at) in configuration.iter().enumerate() {
            let at = at.unwrap_or(0);
            let started = self.done(configuration).any(
                |(_, action)| matches!(action, Action::Fork { thread: child } if *child as usize == thread),
            );
            let waits = self.blocking(thread as u32).contains(&at);
            if !waits && at < self.happened(thread) && (started || !self.is_forked(thread)) {
                return false;
            }
        }
        let gates =
            (0_u32..).zip(configuration).filter_map(|(thread, at)| self.gate(thread, at.unwrap_or(0)));
        if !gates.into_iter().all(|at| self.is_shut(configuration, at)) {
            return false;
        }
        self.next(configuration).all(|action| match action {
            Action::Take { semaphore } => {
                let initial = i64::from(self.recorder.semaphore(*semaphore));
                let change: i64 = self
                    .done(configuration)
                    .map(|(_, action)| match action {
                        Action::Post { semaphore: other } if other == semaphore => 1,
                        Action::Take { semaphore: other }
                        | Action::TryTake { semaphore: other, taken: true }
                            if other == semaphore =>
                        {
                            -1
                        }
                        _ => 0,
                    })
                    .sum();
                initial + change == 0
            }
            Action::Leave { barrier } => {
                let (mut arrived, mut rounds) = (0_u32, 0_u32);
                for (_, action) in self.done(configuration) {
                    if let Action::Arrive { barrier: other, last } = action
                        && other == barrier
                    {
                        arrived += 1;
                        rounds += u32::from(*last);
                    }
                }
                let waiting = self.next(configuration).filter(|other| *other == action).count() as u32;
                arrived == rounds * self.recorder.barrier(*barrier) + waiting
            }
            _ => true,
        })
    }

    fn is_forked(&self, thread: usize) -> bool {
        self.start_of(thread as u32).is_some()
    }

    /// A seed to a configuration. Where it says of every thread how far it comes, whether there is one depends on
    /// nothing else.
    fn reach(&mut self, configuration: &[Option<u32>], scratch: &mut Scratch) -> Option<Vec<SeedStep>> {
        let whole = configuration.iter().all(Option::is_some);
        let key = whole.then(|| digest(&self.frontier(configuration)));
        if key.is_some_and(|key| (self.refuted)(key)) {
            return None;
        }
        let found = self.find_way(configuration, scratch);
        if let (None, Some(key), false) = (&found, key, self.unknown) {
            (self.refute)(key);
        }
        found
    }

    fn find_way(&mut self, configuration: &[Option<u32>], scratch: &mut Scratch) -> Option<Vec<SeedStep>> {
        let mut query = Query::new();
        for (thread, at) in (0_u32..).zip(configuration) {
            let Some(at) = *at else { continue };
            let event = EventId::new(thread, at);
            if let Some(last) = at.checked_sub(1) {
                query = query.include(EventId::new(thread, last));
            }
            if self.recorder.trace.action(event).is_some() {
                query = query.stop_before(event);
            }
        }
        let queues: BTreeSet<u64> = self
            .next(configuration)
            .filter_map(|action| match action {
                Action::Wake { queue, .. } => Some(*queue),
                _ => None,
            })
            .collect();
        if queues.is_empty() {
            let steps = self.ask_here(query, scratch)?;
            return Some(acts(self.recorder, &steps, None));
        }
        // Each notification has woken so many; the threads that have not gone on since then still wait.
        let mut choices: Vec<Vec<(EventId, u32)>> = vec![Vec::new()];
        for &queue in &queues {
            let mut notifications = Vec::new();
            let (mut waits, mut woken) = (0_u32, 0_u32);
            for (event, action) in self.done(configuration) {
                match action {
                    Action::Notify { queue: other, most, woken } if *other == queue => {
                        let counts = woken.map_or((0, *most), |woken| (woken, woken));
                        notifications.push((event, counts));
                    }
                    Action::Wait { queue: other, .. } if *other == queue => waits += 1,
                    Action::Wake { queue: other, cause: Cause::Notified, .. } if *other == queue => {
                        woken += 1
                    }
                    _ => {}
                }
            }
            // A thread that was notified but cannot have the lock waits as well.
            let blocked = self
                .next(configuration)
                .filter(|action| match action {
                    Action::Wake { queue: other, lock: Some(lock), .. } => {
                        let held = configuration.iter().enumerate();
                        *other == queue
                            && held.into_iter().any(|(t, at)| self.holds(t, at.unwrap_or(0), *lock, true))
                    }
                    _ => false,
                })
                .count() as u32;
            let mut assigned: Vec<(Vec<(EventId, u32)>, u32)> = vec![(Vec::new(), 0)];
            for (event, (fewest, most)) in notifications {
                assigned = assigned
                    .into_iter()
                    .flat_map(|(list, sum)| {
                        (fewest..=most.min(waits)).map(move |count| {
                            let mut list = list.clone();
                            list.push((event, count));
                            (list, sum + count)
                        })
                    })
                    .filter(|(_, sum)| *sum <= woken + blocked)
                    .collect();
            }
            let fits = |sum: u32| sum >= woken && sum <= woken + blocked;
            choices = choices
                .iter()
                .flat_map(|before| {
                    assigned
                        .iter()
                        .filter(|(_, sum)| fits(*sum))
                        .map(move |(list, _)| before.iter().chain(list).copied().collect::<Vec<_>>())
                })
                .collect();
        }
        for choice in choices {
            let trace = self.recorder.rebuilt(|event, action| match action {
                Action::Notify { queue, most, .. } => {
                    let woken = choice.iter().find(|(other, _)| *other == event).map(|&(_, count)| count);
                    Action::Notify { queue: *queue, most: *most, woken }
                }
                action => action.clone(),
            });
            let Ok(prepared) = Prepared::new_until(&trace, self.model, self.over) else {
                self.unknown = true;
                return None;
            };
            if let Some(steps) = self.ask(&prepared, query.clone(), scratch) {
                return Some(acts(self.recorder, &steps, None));
            }
        }
        None
    }
}

enum Completion {
    /// One of these.
    Open(Vec<Vec<Option<u32>>>),
    /// They wait for ever, if they come there.
    Stuck,
    /// Some thread can go on.
    Impossible,
}
