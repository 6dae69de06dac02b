//! Calls under the language's memory model: which are events, and which it has no answer for.

use super::{ExecutionGraph, Machine};
use crate::halt::Halt;
use crate::machine::Stepped;
use crate::thread::{Status, Wake};
use selvedge_relations::{Kind, Label};
use selvedge_trace::{EventKind, MemoryOrder, Operation, SyncObject};

impl Machine {
    /// How many events each thread has in the graph.
    fn graph_lengths(&self) -> smallvec::SmallVec<[u32; 8]> {
        let graph = self.model.graph().map(|execution| &execution.graph);
        graph.into_iter().flat_map(|graph| (0..graph.threads()).map(|thread| graph.len(thread))).collect()
    }

    /// Performs what a thread stands before.
    pub(crate) fn graph_step(&mut self, index: usize, alternative: u32) -> Stepped {
        if !self.follows_graph() {
            return self.run(index, true, alternative);
        }
        // Sleeping takes a thread's own time: others see it when they look at the clock later, or see what it does then.
        if let Some(own) = self.model.graph().and_then(|execution| execution.clocks.get(index).copied()) {
            self.world.clock = own;
        }
        let (position, before) = (self.inspect().position(index), self.graph_lengths());
        let stepped = self.graph_sync(index, alternative).and_then(|stepped| match stepped {
            Some(stepped) => Ok(stepped),
            None => {
                self.graph_call(index)?;
                match self.threads[index].wake {
                    Some(Wake::Entered) => self.release_for_wait(index),
                    _ => Ok(self.run(index, true, alternative)),
                }
            }
        });
        let (now, counts) = (self.world.clock, self.clock_counts);
        if let Some(execution) = self.model.graph_mut() {
            for thread in 0..execution.graph.threads() {
                let from = before.get(thread as usize).copied().unwrap_or(0);
                execution.graph.locate(thread, from, position);
            }
            if execution.clocks.len() < self.threads.len() {
                execution.clocks.resize(self.threads.len(), now);
            }
            execution.clocks[index] = now;
            if counts {
                execution.note_times(index as u32, &before);
            }
        }
        stepped.unwrap_or_else(|halt| {
            self.halt(index, halt);
            Stepped::Ended
        })
    }

    /// A thread is about to perform what it stands before: an event if it is a call that others may depend on.
    pub(crate) fn graph_call(&mut self, index: usize) -> Result<(), Halt> {
        use EventKind::*;
        // The creation of the second thread is no event: nothing that follows comes before it.
        if !self.follows_graph() {
            return Ok(());
        }
        let Status::Ready(operation) = self.threads[index].status else { return Ok(()) };
        let Operation { kind, address, .. } = operation;
        let native = self.native_at(index);
        let (name, traits) = (native.map_or("", |native| native.name), self.traits_at(index));
        match kind {
            Read | Write if operation.order == MemoryOrder::NotAtomic => {}
            Read | Write | ReadModifyWrite | CompareExchange | CompareExchangeFailed | Fence | Commit => {
                return Ok(());
            }
            MutexLock | MutexTryLock | MutexUnlock if self.is_own_business(index, kind, address) => {
                return Ok(());
            }
            CondWait if self.threads[index].wake == Some(Wake::Entered) => {
                let mutex = self.with_context(index, 0, |context| context.int(1)).unwrap_or(Ok(0))?;
                return self.graph_unlock(index, mutex);
            }
            MutexLock => {
                let mutex = self.graph_mutex(address)?;
                let graph = &self.execution_graph()?.graph;
                if graph.holder(mutex).is_some() {
                    return Err(Halt::unsupported("a mutex that is taken twice under rc11"));
                }
                let source = graph.records(mutex).last().and_then(|record| record.write);
                self.graph_add(index, Kind::Lock, mutex, source)?;
                self.graph_note(index, address, 1, false, true);
                return Ok(());
            }
            MutexUnlock => return self.graph_unlock(index, address),
            ThreadCreate => {
                let child = self.threads.len() as u32;
                self.graph_add(index, Kind::Create { child }, 0, None)?;
                let graph = &mut self.execution_graph()?.graph;
                let id =
                    selvedge_relations::EventId { thread: index as u32, index: graph.len(index as u32) - 1 };
                self.graph_add(child as usize, Kind::Begin, 0, Some(id))?;
            }
            ThreadJoin if !traits.gives_up() => {
                let child = crate::sync::thread_with_handle(self, address);
                if let Some(child) = child.filter(|&child| child != index) {
                    self.graph_add(index, Kind::Join { child: child as u32 }, 0, None)?;
                }
                let execution = self.execution_graph()?;
                if index == 0 {
                    execution.touched_at_join = execution.touched;
                }
            }
            ThreadExit => {
                self.graph_add(index, Kind::Finish, 0, None)?;
                return Ok(());
            }
            SyncInit | SyncDestroy if let Some(object) = traits.object => {
                self.graph_plain_write(index, address, object.size());
                return self.execution_graph()?.race.take().map_or(Ok(()), Err);
            }
            LibraryCall if self.inspect().is_before_section(index) => {
                return Err(Halt::unsupported("atomic sections (__VERIFIER_atomic_begin) under rc11"));
            }
            // When another thread changes that is no part of a graph.
            LibraryCall if traits.object == Some(SyncObject::Thread) => {
                return Err(Halt::unsupported(format!("{name} under rc11")));
            }
            Yield | Sleep | Exit | ThreadDetach | Output | LibraryCall => {}
            _ => return Err(Halt::unsupported(format!("{name} under rc11"))),
        }
        self.graph_touches(index, name)
    }

    /// A call stores a number to where its second argument points.
    pub(super) fn graph_result(&mut self, index: usize) -> Result<(), Halt> {
        let to = self.with_context(index, 0, |context| context.pointer(1));
        let Some(Ok(to)) = to else { return Ok(()) };
        if self.memory.check(to, 4).is_ok_and(|bounds| bounds.shared) {
            self.graph_plain_write(index, to.address, 4);
        }
        self.execution_graph()?.race.take().map_or(Ok(()), Err)
    }

    fn graph_unlock(&mut self, index: usize, address: u64) -> Result<(), Halt> {
        let mutex = self.graph_mutex(address)?;
        let holder = self.execution_graph()?.graph.holder(mutex);
        // What no thread has taken cannot be given back: the call itself says so.
        if holder.is_some_and(|lock| lock.thread == index as u32) {
            self.graph_add(index, Kind::Unlock, mutex, None)?;
            self.graph_note(index, address, 1, false, true);
        }
        Ok(())
    }

    /// What a call touches are plain accesses.
    pub(super) fn graph_touches(&mut self, index: usize, name: &str) -> Result<(), Halt> {
        // A call that is tried out is not looked at again.
        if self.touches.is_some() {
            return Ok(());
        }
        for (address, size, writes) in self.touched(index, name)? {
            match writes {
                true => self.graph_plain_write(index, address, size),
                false => self.graph_note(index, address, size, false, false),
            }
        }
        match self.execution_graph()?.race.take() {
            Some(race) => Err(race),
            None => Ok(()),
        }
    }

    pub(super) fn execution_graph(&mut self) -> Result<&mut ExecutionGraph, Halt> {
        self.model.graph_mut().ok_or_else(|| Halt::unsupported("graph without its model"))
    }

    fn graph_add(
        &mut self,
        thread: usize,
        kind: Kind,
        location: u32,
        source: Option<selvedge_relations::EventId>,
    ) -> Result<(), Halt> {
        let execution = self.execution_graph()?;
        let place = if kind.is_placed() { execution.graph.records(location).len() } else { 0 };
        let order = match kind {
            Kind::Lock => MemoryOrder::Acquire,
            Kind::Unlock => MemoryOrder::Release,
            _ => MemoryOrder::SeqCst,
        };
        let label = Label { kind, order, location, value: 0, compare: None, depends: 0 };
        execution.graph.add(thread as u32, label, source, place);
        execution.count_write(thread);
        Ok(())
    }

    /// The location of a mutex.
    fn graph_mutex(&mut self, address: u64) -> Result<u32, Halt> {
        if let Some(&mutex) = self.execution_graph()?.mutexes.get(&address) {
            return Ok(mutex);
        }
        if crate::sync::holder(self, EventKind::MutexLock, address).is_some() {
            return Err(Halt::unsupported("a mutex that was taken before there were threads, under rc11"));
        }
        let nothing =
            crate::model::Datum { value: 0, provenance: crate::memory::Provenance::NONE, undefined: 0 };
        let execution = self.execution_graph()?;
        let mutex = execution.new_location(nothing, None);
        std::sync::Arc::make_mut(&mut execution.mutexes).insert(address, mutex);
        Ok(mutex)
    }
}
