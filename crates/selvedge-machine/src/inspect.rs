//! What can be asked of a machine: nothing here changes what the execution does next.
//!
//! [`Inspect`] says what a state is, [`InspectGraph`] what the execution graph of `rc11` and `mca` is, [`Probe`] what can
//! happen next. A part of the machine that knows an answer adds its questions to these types in its own file.

use crate::machine::{Machine, Pick};
use crate::memory::Provenance;
use crate::model::WaitingStore;
use crate::native::Visibility;
use crate::thread::Status;
use selvedge_program::Program;
use selvedge_trace::{Event, EventKind, ThreadId};
use std::sync::Arc;

/// Questions about a state.
#[derive(Clone, Copy)]
pub struct Inspect<'a> {
    pub(crate) machine: &'a Machine,
}

/// Questions about the execution graph; where there is none it is as if nothing had happened.
#[derive(Clone, Copy)]
pub struct InspectGraph<'a> {
    pub(crate) machine: &'a Machine,
}

/// Questions about what can happen next. Models of functions are run to see what they would do, and memory is looked at
/// as a thread would: that needs the machine for itself, but leaves it as it was.
pub struct Probe<'a> {
    pub(crate) machine: &'a mut Machine,
}

impl<'a> Inspect<'a> {
    pub fn program(self) -> &'a Arc<Program> {
        &self.machine.program
    }

    /// The thread that ran out of fuel and waits for [`Machine::resume`].
    pub fn unfinished(self) -> Option<ThreadId> {
        self.machine.unfinished.map(|index| ThreadId(index as u16))
    }

    /// Whether stores are visible to all threads at once.
    pub fn is_sequential(self) -> bool {
        self.machine.model.buffers().is_none() && self.machine.model.graph().is_none()
    }

    /// Whether a Rust panic has begun to unwind in some thread.
    pub fn panicked(self) -> bool {
        self.machine.world.panicked
    }

    /// A detached thread that a Rust panic has ended: no thread will ever learn of it.
    pub fn unheard_panic(self) -> Option<usize> {
        self.machine.threads.iter().position(|thread| thread.detached && thread.panicked)
    }

    /// The thread that is in an atomic section: until its end no other can do anything.
    pub fn atomic_section(self) -> Option<ThreadId> {
        self.machine.atomic.map(|index| ThreadId(index as u16))
    }

    /// Events so far, if the machine keeps them.
    pub fn trace(self) -> &'a [Event] {
        &self.machine.trace
    }

    /// Digest of all events so far.
    pub fn digest(self) -> u64 {
        self.machine.digest
    }

    /// Stores that wait in buffers although later ones of their threads may be visible, and can become visible next.
    pub fn waiting_stores(self, into: &mut Vec<WaitingStore>) {
        if let Some(model) = self.machine.model.buffers() {
            model.waiting(into);
        }
    }

    /// The bytes from an address on, if all of them hold a value.
    pub fn bytes_at(self, address: u64, len: usize) -> Option<Vec<u8>> {
        self.machine.memory.peek(address, len)
    }

    /// Whether a pointer is stored at an address, as far as memory knows: integers have come from nowhere.
    pub fn holds_pointer(self, address: u64) -> bool {
        self.machine.memory.peek_provenance(address) != Provenance::NONE
    }

    /// Whether all threads but one have ended.
    pub fn is_alone(self) -> bool {
        self.machine.live <= 1
    }

    /// Whether a thread is the last one alive and about to perform an operation.
    pub fn runs_alone(self, index: usize) -> bool {
        self.machine.live == 1 && matches!(self.machine.threads[index].status, Status::Ready(_))
    }
}

impl Inspect<'_> {
    /// Whether a thread stands before an input that is to be chosen.
    pub fn is_choosing(self, index: usize) -> bool {
        self.machine.is_choosing(index)
    }
}

impl Probe<'_> {
    /// What a thread can do next, if it is a step with one outcome that no other thread is held up by.
    pub fn only_step(&mut self, index: usize) -> Option<Pick> {
        let free = self.machine.outcome.is_none()
            && self.machine.atomic.is_none()
            && self.machine.model.buffers().is_none();
        (free && self.alternatives(index) == 1 && self.machine.older_stores(index).is_empty())
            .then_some(Pick::Step { thread: ThreadId(index as u16), alternative: 0 })
    }

    /// Whether a thread is the last one alive, others have been there, and what it is about to do has one outcome. A machine
    /// that does not stop before every operation goes on with that by itself, once the thread has been chosen.
    pub fn goes_on_alone(&mut self, index: usize) -> bool {
        self.machine.live == 1
            && self.machine.threads.len() > 1
            && self.machine.outcome.is_none()
            && !self.machine.is_choosing(index)
            && self.alternatives(index) == 1
            && !self.may_fail_weakly(index)
    }

    /// How many outcomes a thread's pending operation can have now; 0 when it is blocked, waits or has ended.
    pub fn alternatives(&mut self, index: usize) -> u32 {
        let Status::Ready(operation) = self.machine.threads[index].status else { return 0 };
        match operation.kind {
            EventKind::CompareExchange => self.machine.compare_exchange_alternatives(index),
            EventKind::Read | EventKind::Write | EventKind::ReadModifyWrite | EventKind::Fence => 1,
            EventKind::Choose => self.machine.input_alternatives(index),
            _ => match self.machine.pending_native(index) {
                Some(Visibility::Always { alternatives, .. }) => {
                    self.machine.with_context(index, 0, alternatives).unwrap_or(1)
                }
                _ => 1,
            },
        }
    }
}
