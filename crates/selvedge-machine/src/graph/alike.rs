//! What tells a thread from others that main has created: what it was to do, and whether main did anything in between
//! that one of them could notice.

use super::Machine;
use crate::inspect::{InspectGraph, Probe};
use crate::native::Context;
use crate::traits::Trait;
use selvedge_trace::SyncObject;
use selvedge_trace::mutants::{Mutant, mutant};
use std::sync::Arc;

/// How main has started a thread with `pthread_create`. Two threads of which this is equal can be told apart only by what they
/// are called, by where their stacks are, and by when they are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The function that it executes.
    pub function: u32,
    /// The argument: its address, and what it points to.
    argument: (u64, u64),
    /// How many plain accesses to shared memory main had made.
    touched: u64,
}

impl Machine {
    /// Main has created a thread like that.
    pub(crate) fn graph_started(&mut self, start: Option<Start>) {
        let count = self.threads.len();
        let Some(execution) = self.model.graph_mut() else { return };
        let starts = Arc::make_mut(&mut execution.starts);
        starts.resize(count - 1, None);
        starts.push(start);
    }
}

impl InspectGraph<'_> {
    /// How a thread was started.
    pub fn start_of(self, index: usize) -> Option<Start> {
        self.machine.model.graph().and_then(|execution| *execution.starts.get(index)?)
    }
}

impl Probe<'_> {
    /// How main starts the thread with whose creation it goes on. Nothing where others may know its handle, or where it
    /// is created otherwise.
    pub fn start_ahead(&mut self) -> Option<Start> {
        let creates = self.machine.traits_at(0).has(Trait::CreatesThread);
        if !creates {
            return None;
        }
        self.machine.with_context(0, 0, |context| context.start()).flatten()
    }

    /// Whether main goes on with waiting for a thread, of which it wants to know nothing, and has accessed no shared memory
    /// plainly since it waited for another.
    pub fn joins_next(&mut self) -> bool {
        let untouched = self
            .machine
            .model
            .graph()
            .is_some_and(|execution| execution.touched == execution.touched_at_join);
        untouched && self.joins_without_result()
    }

    /// Whether main goes on with waiting for a thread of which it wants to know nothing.
    pub fn joins_without_result(&mut self) -> bool {
        let traits = self.machine.traits_at(0);
        let joins = traits.object == Some(SyncObject::Thread) && !traits.gives_up();
        let result = |context: &mut Context<'_>| context.pointer(1).is_ok_and(|to| to.is_null());
        joins && self.machine.with_context(0, 0, result) == Some(true)
    }
}

impl Context<'_> {
    /// How the thread is started that main is about to create.
    pub(crate) fn start(&mut self) -> Option<Start> {
        let touched = self.machine.model.graph().filter(|_| self.thread == 0)?.touched;
        let [handle, attributes, function, argument] =
            [self.pointer(0).ok()?, self.pointer(1).ok()?, self.pointer(2).ok()?, self.pointer(3).ok()?];
        if !attributes.is_null() || self.machine.memory.check(handle, 8).ok()?.shared {
            return None;
        }
        let function = self.machine.function_at(function.address)?;
        let argument = match mutant(Mutant::SymmetryWithoutArguments) {
            true => (0, 0),
            false => (argument.address, argument.provenance.0),
        };
        Some(Start { function, argument, touched })
    }
}
