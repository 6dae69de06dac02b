//! Dependencies: which earlier reads of its thread an access depends on, by its address, its value, or because a
//! value has decided that it is executed at all.
//!
//! Machines keep these in order, the language does not. What is noted here makes `mca` allow less, so where something is
//! not followed (through calls that are modelled, or further back than 64 events) it is dropped.

use super::{ExecutionGraph, Machine};
use rustc_hash::FxHashMap;
use selvedge_program::code::{Atomic, AtomicKind, Slot};
use selvedge_relations::EventId;

/// Some of the last 64 events of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// How many events the thread had then.
    at: u32,
    /// Bit 0 is the last of them.
    bits: u64,
}

impl Reads {
    /// A single event of the thread, by index.
    pub fn only(index: u32) -> Self {
        Reads { at: index + 1, bits: 1 }
    }

    /// Seen from where the thread has so many events.
    pub fn from(self, count: u32) -> u64 {
        let distance = count.saturating_sub(self.at);
        if distance < 64 { self.bits << distance } else { 0 }
    }

    pub fn and(self, other: Reads) -> Reads {
        let at = self.at.max(other.at);
        Reads { at, bits: self.from(at) | other.from(at) }
    }

    /// None at all.
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }
}

/// What a thread's state depends on.
#[derive(Clone, Debug, Default)]
struct Thread {
    /// Registers by their place among all of the thread's.
    registers: FxHashMap<u32, Reads>,
    /// What has decided a branch.
    control: Reads,
}

/// What registers and memory depend on. What is not in here depends on nothing.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    threads: Vec<Thread>,
    /// Bytes that a thread has written last, and what they depend on in that thread.
    memory: FxHashMap<u64, (u32, Reads)>,
}

impl Dependencies {
    fn thread(&mut self, thread: usize) -> &mut Thread {
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Thread::default);
        }
        &mut self.threads[thread]
    }

    /// What some registers depend on.
    pub fn registers(&self, thread: usize, slots: impl IntoIterator<Item = Slot>) -> Reads {
        let Some(thread) = self.threads.get(thread).filter(|thread| !thread.registers.is_empty()) else {
            return Reads::default();
        };
        let of = |slot| thread.registers.get(&slot).copied().unwrap_or_default();
        slots.into_iter().map(of).fold(Reads::default(), Reads::and)
    }

    /// A register depends on this from now on.
    pub fn set_register(&mut self, thread: usize, slot: Slot, reads: Reads) {
        let registers = &mut self.thread(thread).registers;
        match reads.is_empty() {
            true => registers.remove(&slot),
            false => registers.insert(slot, reads),
        };
    }

    /// The registers from this one on hold something else from now on.
    pub fn forget_registers(&mut self, thread: usize, first: Slot) {
        self.thread(thread).registers.retain(|&slot, _| slot < first);
    }

    /// A branch was decided by this.
    pub fn decide(&mut self, thread: usize, reads: Reads) {
        let control = &mut self.thread(thread).control;
        *control = control.and(reads);
    }

    /// What the thread's loads of these bytes depend on.
    pub fn memory(&self, thread: usize, address: u64, size: u64) -> Reads {
        if self.memory.is_empty() {
            return Reads::default();
        }
        let own = |byte| self.memory.get(&byte).filter(|(by, _)| *by == thread as u32);
        let bytes = address..address.saturating_add(size);
        bytes.filter_map(own).fold(Reads::default(), |all, (_, reads)| all.and(*reads))
    }

    /// A thread has written bytes that depend on this.
    pub fn set_memory(&mut self, thread: usize, address: u64, size: u64, reads: Reads) {
        self.forget_memory(address, size);
        if !reads.is_empty() {
            let bytes = address..address.saturating_add(size);
            self.memory.extend(bytes.map(|byte| (byte, (thread as u32, reads))));
        }
    }

    /// What is in these bytes now depends on nothing.
    pub fn forget_memory(&mut self, address: u64, size: u64) {
        if !self.memory.is_empty() {
            let end = address.saturating_add(size);
            match size < self.memory.len() as u64 {
                true => (address..end).for_each(|byte| {
                    self.memory.remove(&byte);
                }),
                false => self.memory.retain(|byte, _| !(address..end).contains(byte)),
            }
        }
    }

    /// What is in memory now depends on nothing.
    pub fn forget_all_memory(&mut self) {
        self.memory.clear();
    }
}

impl ExecutionGraph {
    /// The dependencies, where they are followed.
    pub(crate) fn dependencies_mut(&mut self) -> Option<&mut Dependencies> {
        self.dependencies.as_mut().map(std::sync::Arc::make_mut)
    }
}

impl Machine {
    /// Whether dependencies are followed now.
    #[inline]
    pub(crate) fn follows_dependencies(&self) -> bool {
        self.model.graph().is_some_and(|execution| execution.dependencies.is_some()) && self.threads.len() > 1
    }

    /// What an atomic access depends on, as the label wants it: its reading half on what its address does, its
    /// writing half also on what it writes and on what has decided that it is executed. It will be this event of its
    /// thread.
    pub(super) fn graph_depends(&self, thread: usize, atomic: &Atomic, writes: bool, index: u32) -> u64 {
        let Some(dependencies) = self.model.graph().and_then(|execution| execution.dependencies.as_ref())
        else {
            return 0;
        };
        let Some(frame) = self.threads[thread].frames.last() else { return 0 };
        let of = |slot: Slot, count: u32| {
            let first = frame.base + slot;
            dependencies.registers(thread, first..first + count)
        };
        let mut reads = of(atomic.ptr, 2);
        if writes {
            let slots = atomic.slots();
            reads = reads.and(dependencies.threads.get(thread).map(|own| own.control).unwrap_or_default());
            reads = match atomic.kind {
                AtomicKind::Store { src } | AtomicKind::ReadModifyWrite { src, .. } => {
                    reads.and(of(src, slots))
                }
                AtomicKind::CompareExchange { expected, desired, .. } => {
                    reads.and(of(expected, slots)).and(of(desired, slots))
                }
                AtomicKind::Load { .. } | AtomicKind::Fence => reads,
            };
        }
        reads.from(index)
    }

    /// The read among the events that a thread has from this one on.
    pub(crate) fn read_since(&self, thread: usize, first: u32) -> Option<EventId> {
        let graph = self.inspect_graph().graph()?;
        let thread = thread as u32;
        let mut ids = (first..graph.len(thread)).map(|index| EventId { thread, index });
        ids.find(|&id| graph.event(id).label.kind.is_read())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_move_back_as_others_follow() {
        let reads = Reads::only(3).and(Reads::only(1));
        assert_eq!(reads.from(4), 0b101);
        assert_eq!(reads.from(6), 0b10100);
        assert_eq!(reads.from(66), 1 << 62);
        assert_eq!(reads.from(90), 0);
    }
}
