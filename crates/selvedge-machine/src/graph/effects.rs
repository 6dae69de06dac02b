//! Operations on synchronisation objects: whether a state lets them go on, and what they do to it.

use super::objects::{Queue, State};
use super::roles::{Role, Wants};
use super::{ExecutionGraph, Machine};
use crate::halt::Halt;
use crate::inspect::Probe;
use crate::library::rand::STATE;
use crate::machine::Stepped;
use crate::memory::{Pointer, Provenance};
use crate::model::Datum;
use crate::thread::Wake;
use selvedge_relations::{EventId, Kind};
use selvedge_trace::{EventKind, MemoryOrder, Operation, Share, SyncObject, Value};
use std::sync::Arc;

/// What an operation does that can go on.
enum Effect {
    /// The model of the function does it, on the object's bytes; and whether it changes them.
    Model { writes: bool },
    /// The object has another state then, or the same one.
    State(Option<State>),
}

/// The model of a function is about to run: what it leaves is to be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    address: u64,
    size: u8,
    location: u32,
    write: Option<EventId>,
}

/// No value: objects are no memory.
pub(super) const NOTHING: Datum = Datum { value: 0, provenance: Provenance::NONE, undefined: 0 };

impl Machine {
    /// The location of an object.
    pub(super) fn graph_object(&mut self, role: Role) -> Result<u32, Halt> {
        let (address, size) = role.place();
        if size < super::roles::BYTES {
            return self.graph_location(address, size);
        }
        if let Some(&location) = self.execution_graph()?.objects.get(&(address, size)) {
            return Ok(location);
        }
        let state = match role {
            Role::Bytes { len, .. } => State::Bytes(self.bytes_of(address, len)),
            Role::Arrive { .. } | Role::Depart { .. } => State::Barrier { arrived: 0, opened: 0 },
            Role::Clock => State::Clock(self.world.clock),
            Role::Draw { .. } => State::Bytes(self.bytes_of(address, STATE)),
            _ => State::Queue(Arc::new(Queue::default())),
        };
        let execution = self.execution_graph()?;
        let location = execution.new_location(NOTHING, None);
        Arc::make_mut(&mut execution.objects).insert((address, size), location);
        Arc::make_mut(&mut execution.firsts).insert(location, state);
        Ok(location)
    }

    fn bytes_of(&mut self, address: u64, len: u8) -> Arc<[u8]> {
        let mut bytes = vec![0; usize::from(len)];
        self.memory.read_bytes(address, &mut bytes);
        bytes.into()
    }

    /// What is in an object after one of its operations.
    fn state_after(&self, location: u32, write: Option<EventId>) -> Option<State> {
        let execution = self.model.graph()?;
        match write {
            Some(write) => execution.states.get(&write).cloned(),
            None => execution.firsts.get(&location).cloned(),
        }
    }

    /// What an operation does to a state that lets it go on.
    fn effect(
        &mut self,
        index: usize,
        role: Role,
        location: u32,
        position: usize,
        otherwise: bool,
    ) -> Option<Effect> {
        let write = self.model.graph()?.graph.records(location)[position].write;
        let thread = index as u32;
        if let Role::Word { .. } | Role::Check { .. } = role {
            let value = self.model.graph()?.datum(location, write).value as u32;
            return match role {
                Role::Check { expected, .. } if value == expected => Some(Effect::State(None)),
                Role::Check { .. } => Some(Effect::Model { writes: false }),
                Role::Word { found, .. } if value == found => Some(Effect::Model { writes: true }),
                _ => None,
            };
        }
        let queue_state = |queue: Queue| Some(State::Queue(Arc::new(queue)));
        match (role, self.state_after(location, write)?) {
            (Role::Bytes { wants, .. }, State::Bytes(bytes)) => {
                let me = crate::sync::handle_of(self, index);
                match wants {
                    Wants::Nothing => Some(Effect::Model { writes: true }),
                    Wants::Look => Some(Effect::Model { writes: false }),
                    Wants::Take(object, share) => match claim(object, share, &bytes, me) {
                        Claim::Free => Some(Effect::Model { writes: true }),
                        Claim::Answered => Some(Effect::Model { writes: false }),
                        Claim::Taken => None,
                    },
                    Wants::Try(object, share) => {
                        let free = claim(object, share, &bytes, me) == Claim::Free;
                        (free != otherwise).then_some(Effect::Model { writes: free })
                    }
                }
            }
            (Role::Enter { address, checked }, State::Queue(queue)) => {
                let late = checked && self.is_late(index, address, location, position);
                (!late).then(|| Effect::State(queue_state(queue.enter(thread))))
            }
            (Role::Leave { .. }, State::Queue(queue)) => match otherwise {
                true => queue.give_up(thread).map(|queue| Effect::State(queue_state(queue))),
                false => queue.leave(thread).map(|queue| Effect::State(queue.and_then(queue_state))),
            },
            (Role::Wake { most, .. }, State::Queue(queue)) => {
                Some(Effect::State(queue_state(queue.wake(most).0)))
            }
            (Role::Arrive { needed, .. }, State::Barrier { arrived, opened }) => {
                Some(Effect::State(Some(match arrived + 1 < needed {
                    true => State::Barrier { arrived: arrived + 1, opened },
                    false => State::Barrier { arrived: 0, opened: opened + 1 },
                })))
            }
            (Role::Depart { opened: before, .. }, State::Barrier { opened, .. }) => {
                (opened > before).then_some(Effect::State(None))
            }
            (Role::Clock, State::Clock(_)) | (Role::Draw { .. }, State::Bytes(_)) => {
                Some(Effect::Model { writes: true })
            }
            _ => None,
        }
    }

    /// Whether a thread that has found the expected value in a word would have found another one, had it read it when
    /// it began to wait: another thread has written since, and then woken the threads that waited.
    fn is_late(&self, index: usize, address: u64, queue: u32, position: usize) -> bool {
        let Some(execution) = self.model.graph() else { return false };
        let Some(read) = execution.graph.last(index as u32) else { return false };
        let Some(&(4, word)) = execution.places.get(&address) else { return false };
        if read.label.location != word {
            return false;
        }
        let found = execution.graph.position(word, read.source);
        let records = execution.graph.records(word);
        let wakes = execution.graph.records(queue)[..=position].iter().filter_map(|record| record.write);
        let is_wake =
            |id: &EventId| matches!(execution.states.get(id), Some(State::Queue(queue)) if queue.woke);
        wakes.filter(is_wake).any(|wake| {
            let past = &execution.graph.event(wake).happens;
            records[found + 1..]
                .iter()
                .filter_map(|record| record.write)
                .any(|id| past.of(id.thread) > id.index)
        })
    }

    /// The alternatives of an operation on an object that are possible.
    pub(super) fn object_alternatives(&mut self, index: usize, role: Role) -> Vec<u32> {
        let Ok(location) = self.graph_object(role) else { return vec![0] };
        let mut alternatives = Vec::new();
        let Some(readable) =
            self.model.graph().map(|execution| execution.graph.readable(index as u32, location))
        else {
            return alternatives;
        };
        let end = readable.end;
        for otherwise in 0..1 + u32::from(role.has_choice()) {
            for position in readable.clone().rev() {
                let Some(effect) = self.effect(index, role, location, position, otherwise == 1) else {
                    continue;
                };
                let writes = matches!(effect, Effect::Model { writes: true } | Effect::State(Some(_)));
                let Some(execution) = self.model.graph() else { continue };
                let next = execution.graph.records(location).get(position + 1);
                if !(writes && next.is_some_and(|record| record.exclusive)) {
                    alternatives.push(((end - 1 - position) as u32) << 1 | otherwise);
                }
            }
        }
        if alternatives.is_empty() && matches!(role, Role::Enter { .. }) {
            // It looks at the word again.
            alternatives.push(0);
        }
        alternatives
    }

    /// Performs an operation on a synchronisation object.
    pub(crate) fn graph_sync(&mut self, index: usize, alternative: u32) -> Result<Option<Stepped>, Halt> {
        let Some(role) = self.role(index)? else { return Ok(None) };
        let location = self.graph_object(role)?;
        let (back, otherwise) = ((alternative >> 1) as usize, alternative & 1 == 1);
        let records = self.execution_graph()?.graph.records(location);
        let position = (records.len() - 1).checked_sub(back);
        let position =
            position.ok_or_else(|| Halt::unsupported("choice of an operation that is not there"))?;
        let source = records[position].write;
        let Some(effect) = self.effect(index, role, location, position, otherwise) else {
            if let Role::Enter { .. } = role {
                self.thread_mut(index).wake = None;
                return Ok(Some(Stepped::Stopped));
            }
            return Err(Halt::unsupported("an operation that would have to wait"));
        };
        let writes = matches!(effect, Effect::Model { writes: true } | Effect::State(Some(_)));
        let write = self.add_operation(index, role, (location, position, source), otherwise, writes)?;
        let (address, size) = role.place();
        if size != super::roles::CLOCK && !role.is_system() {
            let len = if size < super::roles::BYTES { u64::from(size) } else { 1 };
            self.graph_note(index, address, len, matches!(role, Role::Word { .. }), true);
            if let Some(race) = self.execution_graph()?.race.take() {
                return Err(race);
            }
        }
        let kept = Kept { address, size, location, write };
        match role {
            Role::Clock => self.graph_touches(index, "the clock")?,
            Role::Bytes { wants: Wants::Look, .. } => self.graph_result(index)?,
            _ => {}
        }
        match effect {
            Effect::Model { .. } => {
                self.put_state(kept, source);
                self.execution_graph()?.kept = Some(kept);
                if self.threads[index].wake == Some(Wake::Entered) {
                    return self.release_for_wait(index).map(Some);
                }
                Ok(Some(self.run(index, true, 0)))
            }
            Effect::State(state) => {
                if let (Some(write), Some(state)) = (write, state) {
                    Arc::make_mut(&mut self.execution_graph()?.states).insert(write, state);
                }
                self.go_on(index, role, (location, source), otherwise).map(Some)
            }
        }
    }

    /// Puts the events of an operation into the graph: what it reads, and what it writes if it does.
    fn add_operation(
        &mut self,
        index: usize,
        role: Role,
        (location, position, source): (u32, usize, Option<EventId>),
        otherwise: bool,
        writes: bool,
    ) -> Result<Option<EventId>, Halt> {
        let at = self.inspect().user_position(index);
        let thread = index as u32;
        let execution = self.execution_graph()?;
        let order = role.order(otherwise);
        if role.has_choice() {
            let choice =
                ExecutionGraph::label(Kind::Choice { options: 2 }, order, location, u64::from(otherwise));
            execution.graph.add(thread, choice, None, 0);
        }
        let exclusive = role.may_write(otherwise);
        execution.graph.add(
            thread,
            ExecutionGraph::label(Kind::Read { exclusive }, order, location, 0),
            source,
            0,
        );
        if !writes {
            return Ok(None);
        }
        let value = if let Role::Word { left, .. } = role { u64::from(left) } else { 0 };
        let label = ExecutionGraph::label(Kind::Write { exclusive: true }, order, location, value);
        let id = execution.graph.add(thread, label, None, position + 1);
        Arc::make_mut(&mut execution.stored).insert(id, (Datum { value, ..NOTHING }, at));
        execution.count_write(index);
        Ok(Some(id))
    }

    /// What an operation found, into the object's bytes.
    fn put_state(&mut self, kept: Kept, write: Option<EventId>) {
        if kept.size < super::roles::BYTES {
            let Some(datum) = self.model.graph().map(|execution| execution.datum(kept.location, write))
            else {
                return;
            };
            self.write_now(kept.address, kept.size, datum);
            return;
        }
        match self.state_after(kept.location, write) {
            Some(State::Bytes(bytes)) => {
                let mut now = vec![0; bytes.len()];
                self.memory.read_bytes(kept.address, &mut now);
                // What was never initialised stays so.
                if now != *bytes {
                    self.memory.write_bytes(kept.address, &bytes);
                }
            }
            Some(State::Clock(now)) => self.world.clock = self.world.clock.max(now),
            _ => {}
        }
    }

    /// The model of a function has run: what it has left is kept, and the last state is there again.
    pub(crate) fn graph_called(&mut self) {
        let Some(kept) = self.model.graph_mut().and_then(|execution| execution.kept.take()) else { return };
        if kept.size > super::roles::BYTES
            && let Some(write) = kept.write
        {
            let state = match kept.size {
                super::roles::CLOCK => State::Clock(self.world.clock),
                super::roles::GENERATOR => State::Bytes(self.bytes_of(kept.address, STATE)),
                size => State::Bytes(self.bytes_of(kept.address, size - super::roles::BYTES)),
            };
            if let Some(execution) = self.model.graph_mut() {
                Arc::make_mut(&mut execution.states).insert(write, state);
            }
        }
        let last =
            self.model.graph().and_then(|execution| execution.graph.records(kept.location).last()?.write);
        if last != kept.write || kept.write.is_none() {
            self.put_state(kept, last);
        }
    }

    /// What comes after an operation whose effect is known.
    fn go_on(
        &mut self,
        index: usize,
        role: Role,
        (location, source): (u32, Option<EventId>),
        otherwise: bool,
    ) -> Result<Stepped, Halt> {
        let note = |machine: &mut Machine, kind, address| {
            machine.record(index, Operation::sync(kind, address), || (Value::new(), Value::new()));
        };
        match role {
            Role::Check { .. } => {
                self.thread_mut(index).wake = Some(Wake::Checked);
                Ok(Stepped::Stopped)
            }
            Role::Enter { address, checked } => {
                note(self, if checked { EventKind::FutexWait } else { EventKind::CondWait }, address);
                self.config.waited.store(true, std::sync::atomic::Ordering::Relaxed);
                self.thread_mut(index).wake = Some(Wake::Entered);
                Ok(Stepped::Stopped)
            }
            Role::Leave { order, .. } => {
                let wake = if otherwise { Wake::TimedOut } else { Wake::Woken };
                if order == MemoryOrder::Acquire {
                    // Of a condition variable: the mutex comes next.
                    self.wake(index, wake);
                    return Ok(Stepped::Stopped);
                }
                self.thread_mut(index).wake = Some(wake);
                Ok(self.run(index, true, 0))
            }
            Role::Wake { most, .. } => {
                if let Some(State::Queue(queue)) = self.state_after(location, source) {
                    self.execution_graph()?.woken = Some(queue.wake(most).1);
                }
                let stepped = self.run(index, true, 0);
                self.execution_graph()?.woken = None;
                Ok(stepped)
            }
            Role::Arrive { address, needed } => {
                let Some(State::Barrier { arrived, opened }) = self.state_after(location, source) else {
                    return Err(Halt::unsupported("a barrier without its state"));
                };
                if arrived + 1 < needed {
                    note(self, EventKind::BarrierWait, address);
                    self.thread_mut(index).wake = Some(Wake::Arrived { opened });
                    return Ok(Stepped::Stopped);
                }
                let at = Pointer { address, provenance: Provenance::NONE };
                if self.memory.check(at, 4).is_ok() {
                    self.memory.write_bytes(address, &needed.saturating_sub(1).to_le_bytes());
                }
                Ok(self.run(index, true, 0))
            }
            Role::Depart { .. } => {
                self.thread_mut(index).wake = Some(Wake::Woken);
                Ok(self.run(index, true, 0))
            }
            Role::Bytes { .. } | Role::Word { .. } | Role::Clock | Role::Draw { .. } => {
                Ok(self.run(index, true, 0))
            }
        }
    }

    /// Gives the mutex back with which a thread waits on a condition variable.
    pub(super) fn release_for_wait(&mut self, index: usize) -> Result<Stepped, Halt> {
        let released = self.with_context(index, 0, crate::sync::release_for_wait);
        self.graph_called();
        match released {
            Some(Ok(0)) => {
                self.thread_mut(index).wake = Some(Wake::Released);
                Ok(Stepped::Stopped)
            }
            Some(Err(halt)) => Err(halt),
            _ => Err(Halt::unsupported("a wait with a mutex that the thread does not hold, under rc11")),
        }
    }
}

impl Probe<'_> {
    /// Whether the operation that a thread stands before can go on if it reads from this event.
    pub fn admits(&mut self, index: usize, otherwise: bool, source: Option<EventId>) -> bool {
        let Ok(Some(role)) = self.machine.role(index) else { return true };
        let Ok(location) = self.machine.graph_object(role) else { return true };
        let position = self
            .machine
            .model
            .graph()
            .and_then(|execution| execution.graph.locations()[location as usize].position(source));
        position
            .is_none_or(|position| self.machine.effect(index, role, location, position, otherwise).is_some())
    }

    /// Whether a thread that cannot go on waits for others, rather than having another result.
    pub fn waits_for_good(&mut self, index: usize) -> bool {
        self.machine.role(index).is_ok_and(|role| role.is_none_or(Role::waits_for_good))
    }
}

/// What a thread finds that wants to take something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claim {
    Free,
    /// The call has an answer without taking it.
    Answered,
    Taken,
}

fn claim(object: SyncObject, share: Share, bytes: &[u8], me: u32) -> Claim {
    use SyncObject::{Mutex, RwLock, Semaphore, SpinLock};
    let word = |at: usize| {
        bytes.get(at..at + 4).map_or(0, |word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    };
    let is_free = match (object, share) {
        (Mutex, _) => word(0) == 0,
        (Semaphore, _) => word(0) != 0,
        (RwLock, Share::Shared) => matches!(word(24), 0 | u32::MAX),
        (RwLock, Share::Whole) => word(24) == u32::MAX || word(24) == 0 && word(0) == 0,
        (SpinLock, _) => matches!(word(0), 0 | 1 | u32::MAX),
        _ => word(0) & 3 == 0,
    };
    let answered = match object {
        SyncObject::Once => word(0) & 3 == 2,
        RwLock => word(24) == me,
        _ => false,
    };
    match (is_free, answered) {
        (true, _) => Claim::Free,
        (_, true) => Claim::Answered,
        _ => Claim::Taken,
    }
}
