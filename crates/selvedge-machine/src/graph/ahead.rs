//! What a thread will add to the graph next, and what can be chosen about it.

use super::roles::{BYTES, Role};
use super::{ExecutionGraph, Machine};
use crate::inspect::{InspectGraph, Probe};
use crate::model::MemoryModel;
use crate::thread::{Status, Wait, Wake};
use selvedge_program::code::{Atomic, AtomicKind, Op};
use selvedge_relations::{EventId, Kind, Label};
use selvedge_trace::{EventKind, MemoryOrder, Operation, ThreadName};
use serde::{Deserialize, Serialize};

/// A location or mutex by a name that is the same in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    pub address: u64,
    /// Bytes; 0 is a mutex, and from 128 on it is another synchronisation object.
    pub size: u8,
    /// How often something else was there before.
    pub generation: u32,
}

/// What a thread does next, as far as the graph is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// An event; the label's location and child are to be filled in.
    Event {
        label: Label,
        place: Option<Place>,
        /// It has another result, with this label, and which it is is chosen first: a weak compare-exchange that fails
        /// for no reason, something that is not taken because another thread holds it, a wait that takes too long.
        otherwise: Option<Label>,
        /// It may have to wait for a store that lets it go on.
        waits: bool,
        /// The thread that is created or waited for.
        child: Option<ThreadName>,
    },
    /// Something that is no event, or the end of the execution: it can just be done.
    Silent,
    /// Nothing: an assumption does not hold, or it waits for something that no event of the graph gives.
    Stuck,
    /// The thread has ended, or is about to end the process.
    Ended,
}

impl Machine {
    fn ahead_mutex(&mut self, kind: Kind, address: u64) -> Ahead {
        let generation = self.model.graph().map_or(0, |execution| execution.generation(address));
        let place = Some(Place { address, size: 0, generation });
        let order = if kind == Kind::Lock { MemoryOrder::Acquire } else { MemoryOrder::Release };
        let label = ExecutionGraph::label(kind, order, 0, 0);
        Ahead::Event { label, place, otherwise: None, waits: false, child: None }
    }

    fn ahead_role(&mut self, role: Role) -> Ahead {
        let label = |otherwise: bool| {
            let kind = Kind::Read { exclusive: role.may_write(otherwise) };
            ExecutionGraph::label(kind, role.order(otherwise), 0, 0)
        };
        Ahead::Event {
            label: label(false),
            place: Some(self.place_of(role)),
            otherwise: role.has_choice().then(|| label(true)),
            waits: role.may_wait(),
            child: None,
        }
    }

    /// The atomic operation that a thread stands before.
    pub(crate) fn pending_atomic(&self, index: usize) -> Option<Atomic> {
        let frame = self.threads[index].frames.last()?;
        let function = &self.program.functions[frame.function as usize];
        let Op::Atomic { index } = function.code[frame.pc as usize] else { return None };
        Some(function.atomics[index as usize].clone())
    }

    fn ahead_atomic(&mut self, index: usize, atomic: &Atomic, address: u64) -> Ahead {
        let order = crate::interpret::atomics::order(atomic.order);
        let cut = |value: u64| if atomic.bytes < 8 { value & ((1 << (8 * atomic.bytes)) - 1) } else { value };
        let generation = self.model.graph().map_or(0, |execution| execution.generation(address));
        let place = Some(Place { address, size: atomic.bytes, generation });
        let value = |slot| match self.operand(index, atomic, slot) {
            Ok(value) if atomic.bytes == 16 => super::wide::value(value.low, value.high),
            value => value.map_or(0, |value| cut(value.low)),
        };
        let next = self.inspect_graph().graph().map_or(0, |graph| graph.len(index as u32));
        let label = |kind: Kind, value| {
            let depends = match kind {
                Kind::Fence => 0,
                kind => self.graph_depends(index, atomic, kind.is_write(), next),
            };
            Label { depends, ..ExecutionGraph::label(kind, order, 0, value) }
        };
        let event = |label, place| Ahead::Event { label, place, otherwise: None, waits: false, child: None };
        match atomic.kind {
            AtomicKind::Fence => event(label(Kind::Fence, 0), None),
            AtomicKind::Load { .. } => event(label(Kind::Read { exclusive: false }, 0), place),
            AtomicKind::Store { src } => event(label(Kind::Write { exclusive: false }, value(src)), place),
            AtomicKind::ReadModifyWrite { .. } => event(label(Kind::Read { exclusive: true }, 0), place),
            AtomicKind::CompareExchange { expected, failure, weak, .. } => {
                let failure = crate::interpret::atomics::order(failure);
                let compare = Some((value(expected), failure));
                let label = Label { compare, ..label(Kind::Read { exclusive: true }, 0) };
                let fails = Label { kind: Kind::Read { exclusive: false }, order: failure, ..label };
                Ahead::Event { label, place, otherwise: weak.then_some(fails), waits: false, child: None }
            }
        }
    }

    /// The alternatives of an atomic access that are consistent; nothing for what is none. Asking makes no location:
    /// another thread may access the same bytes first, in another size.
    pub(crate) fn graph_alternatives(&mut self, index: usize) -> Option<Vec<u32>> {
        if !self.follows_graph() {
            return None;
        }
        let before = self.model.clone();
        let alternatives = self.consistent_alternatives(index);
        let locations = |model: &MemoryModel| model.graph().map(|execution| execution.initial.len());
        if locations(&before) != locations(&self.model) {
            self.model = before;
        }
        alternatives
    }

    fn consistent_alternatives(&mut self, index: usize) -> Option<Vec<u32>> {
        let Status::Ready(operation) = self.threads[index].status else { return None };
        if let Ok(Some(role)) = self.role(index) {
            return Some(self.object_alternatives(index, role));
        }
        if self.threads[index].wake == Some(Wake::Entered) {
            // It gives its mutex back.
            return Some(vec![0]);
        }
        let atomic = self.pending_atomic(index).filter(|atomic| atomic.kind != AtomicKind::Fence)?;
        let Ok(location) = self.graph_location(operation.address, atomic.bytes) else { return Some(vec![0]) };
        let Ahead::Event { mut label, otherwise, .. } = self.ahead_atomic(index, &atomic, operation.address)
        else {
            return None;
        };
        label.location = location;
        let execution = self.model.graph()?;
        let graph = &execution.graph;
        let thread = index as u32;
        let records = graph.records(location);
        let end = records.len();
        if label.kind.is_write() {
            let places = graph.places(thread, location, false).filter(|&place| {
                let mut other = graph.clone();
                other.add(thread, label, None, place);
                place == end || other.is_acyclic(execution.rules)
            });
            let mut alternatives: Vec<u32> = places.map(|place| ((end - place) as u32) << 1).collect();
            alternatives.reverse();
            return Some(alternatives);
        }
        let mut alternatives = Vec::new();
        for position in graph.readable(thread, location).rev() {
            let (source, back) = (records[position].write, (end - 1 - position) as u32);
            let mut read_only = graph.clone();
            let read = read_only.add(thread, label, source, 0);
            let finds = label.compare.is_none_or(|(expected, _)| read_only.event(read).value == expected);
            let writes = label.kind == Kind::Read { exclusive: true } && finds;
            let mut updated = read_only.clone();
            if writes {
                let depends = self.graph_depends(index, &atomic, true, graph.len(thread) + 1);
                let write = Label { kind: Kind::Write { exclusive: true }, compare: None, depends, ..label };
                updated.add(thread, write, None, position + 1);
            }
            let taken = writes && records.get(position + 1).is_some_and(|record| record.exclusive);
            if !taken && updated.is_acyclic(execution.rules) {
                alternatives.push(back << 1);
            }
            if otherwise.is_some() && finds {
                let mut failed = graph.clone();
                let order = label.compare.map_or(label.order, |(_, order)| order);
                let label = Label { kind: Kind::Read { exclusive: false }, order, compare: None, ..label };
                failed.add(thread, label, source, 0);
                if failed.is_acyclic(execution.rules) {
                    alternatives.push(back << 1 | 1);
                }
            }
        }
        Some(alternatives)
    }
}

impl InspectGraph<'_> {
    /// The alternative by which an atomic access reads from a store, or is put behind it: by the store's place in the
    /// order of its location. Nothing if there is no such store.
    pub fn alternative_at(self, place: Place, store: Option<EventId>, reads: bool) -> Option<u32> {
        let execution = self.machine.model.graph()?;
        let location = match place.size {
            BYTES.. => execution.objects.get(&(place.address, place.size)).copied(),
            size => {
                execution.places.get(&place.address).filter(|(known, _)| *known == size).map(|place| place.1)
            }
        };
        let Some(location) = location else {
            // No thread was here before, or accesses of different sizes meet, which ends the execution.
            return store.is_none().then_some(0);
        };
        let records = execution.graph.records(location);
        let mut position = execution.graph.locations()[location as usize].position(store)?;
        if !reads {
            position += 1;
            // Nothing comes between a store and the read-modify-write that has read it.
            while records.get(position).is_some_and(|record| record.exclusive) {
                position += 1;
            }
        }
        Some(((records.len() - usize::from(reads) - position) as u32) << 1)
    }
}

impl Probe<'_> {
    /// What a thread does next under the language's memory model.
    pub fn ahead(&mut self, index: usize) -> Ahead {
        use EventKind::*;
        let Operation { kind, address, .. } = match self.machine.threads[index].status {
            Status::Ready(operation) => operation,
            Status::Waiting(Wait::Assumption) => return Ahead::Stuck,
            Status::Waiting(_) | Status::Starting => return Ahead::Stuck,
            Status::Finished => return Ahead::Ended,
        };
        let event = |kind: Kind, place: Option<Place>, child: Option<ThreadName>| {
            let label = ExecutionGraph::label(kind, MemoryOrder::SeqCst, 0, 0);
            Ahead::Event { label, place, otherwise: None, waits: false, child }
        };
        if !self.machine.follows_graph() {
            return if kind == Exit { Ahead::Ended } else { Ahead::Silent };
        }
        match self.machine.role(index) {
            Ok(None) => {}
            Ok(Some(role)) => return self.machine.ahead_role(role),
            // Performing it says what is wrong.
            Err(_) => return Ahead::Silent,
        }
        match kind {
            Exit => Ahead::Ended,
            ThreadCreate => {
                let thread = &self.machine.threads[index];
                event(Kind::Create { child: 0 }, None, Some(thread.name.child(thread.children + 1)))
            }
            ThreadJoin => {
                match crate::sync::thread_with_handle(self.machine, address).filter(|&child| child != index) {
                    Some(child) => {
                        event(Kind::Join { child: 0 }, None, Some(self.machine.threads[child].name.clone()))
                    }
                    None => Ahead::Silent,
                }
            }
            ThreadExit => event(Kind::Finish, None, None),
            MutexLock | MutexTryLock | MutexUnlock if self.machine.is_own_business(index, kind, address) => {
                Ahead::Silent
            }
            MutexLock => self.machine.ahead_mutex(Kind::Lock, address),
            MutexUnlock => self.machine.ahead_mutex(Kind::Unlock, address),
            CondWait => match self.machine.with_context(index, 0, |context| context.int(1)) {
                Some(Ok(mutex)) if !self.machine.is_own_business(index, MutexUnlock, mutex) => {
                    self.machine.ahead_mutex(Kind::Unlock, mutex)
                }
                _ => Ahead::Silent,
            },
            Fence | Read | Write | ReadModifyWrite | CompareExchange => {
                match self.machine.pending_atomic(index) {
                    Some(atomic) => self.machine.ahead_atomic(index, &atomic, address),
                    None => Ahead::Silent,
                }
            }
            _ => Ahead::Silent,
        }
    }

    /// What is at a place now: what it holds at first, if no event of the graph is about it.
    pub fn initial_at(&mut self, place: Place) -> u64 {
        match place.size {
            0 | BYTES.. => 0,
            size if self.machine.memory.find(place.address).is_some() => {
                let upper = self.machine.graph_peek_upper(place.address, size);
                super::wide::stands_for(self.machine.graph_peek(place.address, size), upper)
            }
            _ => 0,
        }
    }
}
