//! What happens in an execution, as memory models and observers are told of it: the one set of hooks.
//!
//! The interpreter and the models of functions call these, and know neither which memory model there is nor whether
//! expressions are kept beside values. Under sequential consistency, without observers, each of them comes down to a test
//! of what there is.

use crate::graph::Prepared;
use crate::halt::Halt;
use crate::interpret::atomics::order;
use crate::machine::{Machine, OLDER_STORE, Pick, Stepped};
use crate::memory::{Object, ObjectKind, Pointer, Provenance, Read};
use crate::model::{Access, Datum, MemoryModel, Origin};
use crate::traits::Traits;
use selvedge_program::code::{Atomic, AtomicKind, Call};
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{EventKind, MemoryOrder, Operation, SPURIOUS, ThreadId, Value};

/// Steps and events.
impl Machine {
    /// Adds the outcomes that the next operation of a thread can have. Whether that is all that the thread can do.
    pub(crate) fn on_picks(&mut self, index: usize, into: &mut Vec<Pick>) -> bool {
        let thread = ThreadId(index as u16);
        let step = |alternative| Pick::Step { thread, alternative };
        if let MemoryModel::Graph(_) = self.model
            && let Some(alternatives) = self.graph_alternatives(index)
        {
            into.extend(alternatives.into_iter().map(step));
            return true;
        }
        into.extend((0..self.probe().alternatives(index)).map(step));
        if let MemoryModel::Operational(_) = self.model {
            into.extend(self.older_stores(index).into_iter().map(|back| step(OLDER_STORE + back)));
        }
        false
    }

    /// A thread takes a step.
    pub(crate) fn on_step(&mut self, index: usize, alternative: u32) -> Stepped {
        match self.model {
            MemoryModel::Sequential | MemoryModel::Buffers(_) => self.run(index, true, alternative),
            MemoryModel::Graph(_) => self.graph_step(index, alternative),
            MemoryModel::Operational(_) => match self.operational_step(index) {
                Err(halt) => {
                    self.halt(index, halt);
                    Stepped::Ended
                }
                Ok(()) if (OLDER_STORE..SPURIOUS).contains(&alternative) => {
                    self.step_reading_older(index, alternative - OLDER_STORE)
                }
                Ok(()) => self.run(index, true, alternative),
            },
        }
    }

    /// A thread has run and stopped. An error if the memory model says that the execution ends here.
    pub(crate) fn on_stop(&mut self) -> Result<(), Halt> {
        match self.model {
            MemoryModel::Sequential | MemoryModel::Buffers(_) => Ok(()),
            MemoryModel::Graph(_) => {
                self.graph_written();
                self.model.graph_mut().and_then(|graph| graph.race.take()).map_or(Ok(()), Err)
            }
            MemoryModel::Operational(_) => self.operational_over(),
        }
    }

    /// A visible event of a thread has happened.
    pub(crate) fn on_event(&mut self, index: usize, operation: Operation, read: &Value) {
        if self.config.views {
            self.see_event(index, operation.kind, read);
        }
        if let MemoryModel::Operational(_) = self.model {
            self.operational_event(index, operation, read);
        }
        if self.concolic.is_some() {
            self.concolic_event(index, operation, read);
        }
    }

    /// The model of a function has run.
    pub(crate) fn on_called(&mut self, thread: usize, traits: &Traits, call: &Call) {
        if self.concolic.is_some() {
            self.concolic_received(thread, traits, call);
        }
        if let MemoryModel::Graph(_) = self.model {
            self.graph_called();
        }
    }

    /// A thread has created another one.
    pub(crate) fn on_create(&mut self, parent: usize, child: usize) {
        if let MemoryModel::Operational(_) = self.model {
            self.operational_create(parent, child);
        }
    }

    /// A thread is woken by what another one does.
    pub(crate) fn on_wake(&mut self, index: usize) {
        if let MemoryModel::Operational(_) = self.model {
            self.operational_wakes(index);
        }
    }

    /// A thread has ended.
    pub(crate) fn on_end(&mut self, index: usize) {
        if let MemoryModel::Operational(_) = self.model {
            self.operational_end(index);
        }
    }
}

/// Objects.
impl Machine {
    /// A thread has allocated an object.
    pub(crate) fn on_allocate(&mut self, thread: usize, at: u64, size: u64, kind: ObjectKind, position: u32) {
        if kind == ObjectKind::Heap && self.follows_graph() {
            self.graph_allocated(thread, at, size, position);
        }
    }

    /// A thread frees an object.
    pub(crate) fn on_free(&mut self, thread: usize, base: u64, object: &Object) {
        if object.shared && self.records() {
            self.concolic_freed(thread, base, object.size, object.kind);
        }
        match &mut self.model {
            MemoryModel::Sequential => {}
            MemoryModel::Buffers(buffers) => buffers.forget(base, object.size),
            MemoryModel::Graph(_) => self.graph_free(thread, base, object.size, object.shared),
            MemoryModel::Operational(_) if object.shared => self.operational_free(thread, base, object.size),
            MemoryModel::Operational(_) => {}
        }
    }

    /// The life of a local variable of a thread begins or ends: nothing of what was there is left.
    pub(crate) fn on_lifetime(&mut self, thread: usize, base: u64, object: &Object, begins: bool) {
        if object.shared && self.records() {
            self.concolic_lifetime(thread, (base, object.size), begins);
        }
        match &mut self.model {
            MemoryModel::Buffers(buffers) => buffers.forget(base, object.size),
            MemoryModel::Graph(_) if !object.shared => self.graph_private_gone(thread, base, object.size),
            MemoryModel::Operational(_) if object.shared => self.operational_fresh(thread, base, object.size),
            MemoryModel::Sequential | MemoryModel::Graph(_) | MemoryModel::Operational(_) => {}
        }
    }

    /// What a pointer leads to becomes reachable for other threads, by a thread's doing.
    pub(crate) fn share(&mut self, thread: usize, provenance: Provenance) -> Result<(), Halt> {
        if !self.watch || self.model.buffers().is_none() {
            self.concolic_share(thread, provenance);
            if self.model.operational().is_none() {
                self.memory.share(provenance);
                return Ok(());
            }
            let mut objects = Vec::new();
            self.memory.share_and_tell(provenance, &mut |base, size| objects.push((base, size)));
            objects.into_iter().for_each(|(base, size)| self.operational_publish(thread, base, size));
            return Ok(());
        }
        let mut work = vec![provenance];
        while let Some(provenance) = work.pop() {
            let mut objects = Vec::new();
            self.memory.share_and_tell(provenance, &mut |base, size| objects.push((base, size)));
            for object in objects {
                self.publish(thread, object, &mut work)?;
            }
        }
        Ok(())
    }

    /// An object (address, size) has become reachable: what the thread has written there since its last barrier waits.
    fn publish(&mut self, thread: usize, object: (u64, u64), work: &mut Vec<Provenance>) -> Result<(), Halt> {
        let changes = self.concolic_changes(thread, object);
        let Some(model) = self.model.buffers_mut() else { return Ok(()) };
        if !model.publish(&mut self.memory, thread, object, work) {
            let what = "number of stores to one object before it is published, without a barrier, under pso";
            return Err(Halt::unsupported(what));
        }
        self.concolic_published(thread, object, changes);
        Ok(())
    }
}

/// Accesses to memory.
impl Machine {
    /// A thread has made a plain load of shared memory.
    pub(crate) fn on_load(&mut self, thread: usize, address: u64, len: u64) {
        self.concolic_read(thread, address, len, MemoryOrder::NotAtomic);
    }

    /// A thread is about to make a plain store to shared memory.
    #[inline]
    pub(crate) fn on_store(&mut self, thread: usize, address: u64, bytes: &[u8], provenance: Provenance) {
        if self.concolic.is_some() {
            self.concolic_share(thread, provenance);
            self.concolic_write(thread, address, bytes, MemoryOrder::NotAtomic);
        }
    }

    /// A thread is about to copy bytes: from and to where, and whether others can reach these places.
    pub(crate) fn on_copy(
        &mut self,
        thread: usize,
        from: (Pointer, bool),
        to: (Pointer, bool),
        bytes: &[u8],
    ) {
        if self.concolic.is_some() {
            self.concolic_copied(thread, from, to, bytes);
        }
    }

    /// A thread is about to access shared memory atomically, with this outcome of those that there are.
    pub(crate) fn before_atomic(
        &mut self,
        thread: usize,
        atomic: &Atomic,
        operation: Operation,
        alternative: &mut u32,
    ) -> Result<Option<Prepared>, Halt> {
        match self.follows_graph() {
            true => self.graph_before(thread, atomic, operation.address, operation, alternative).map(Some),
            false => Ok(None),
        }
    }

    /// A thread has accessed shared memory atomically.
    pub(crate) fn after_atomic(
        &mut self,
        thread: usize,
        atomic: &Atomic,
        prepared: Option<Prepared>,
        operation: Operation,
        written: bool,
    ) -> Result<(), Halt> {
        if let Some(prepared) = prepared {
            self.graph_after(thread, prepared, operation, written);
            if let Some(race) = self.model.graph_mut().and_then(|execution| execution.race.take()) {
                return Err(race);
            }
        }
        if self.concolic.is_some() {
            // Whether a compare-exchange fails is decided after it: it is the same step.
            let weak = matches!(atomic.kind, AtomicKind::CompareExchange { weak: true, .. });
            self.concolic_atomic(thread, order(atomic.order), weak);
        }
        Ok(())
    }

    /// A thread passes a fence.
    pub(crate) fn on_fence(&mut self, thread: usize, order: MemoryOrder) {
        if let Some(buffers) = self.model.buffers_mut() {
            buffers.fence(&mut self.memory, thread, order);
        }
        if self.follows_graph() {
            self.graph_fence(thread, order);
        }
    }

    /// What a thread sees at an address now.
    pub(crate) fn load_now(&mut self, thread: usize, address: u64, len: u8, order: MemoryOrder) -> Read {
        match self.model.buffers_mut() {
            None => self.memory.read(address, len as usize),
            Some(model) => {
                let datum =
                    model.load(&mut self.memory, thread, Access { address, len, order, origin: None });
                Read { value: datum.value, provenance: datum.provenance, defined: datum.undefined == 0 }
            }
        }
    }

    /// A thread stores to shared memory.
    pub(crate) fn store_now(
        &mut self,
        thread: usize,
        address: u64,
        len: u8,
        order: MemoryOrder,
        datum: Datum,
    ) {
        if std::mem::take(&mut self.discard) {
            return;
        }
        let origin = self.origin(thread);
        let buffers = self.buffers_stores();
        match self.model.buffers_mut() {
            Some(model) if buffers => {
                model.store(&mut self.memory, thread, Access { address, len, order, origin }, datum);
            }
            _ => self.write_now(address, len, datum),
        }
    }

    /// Where a store comes from that a thread makes now, if that will be told when it races while it waits.
    pub(crate) fn origin(&self, thread: usize) -> Option<Origin> {
        let tells = self.buffers_stores() && self.model.buffers().is_some_and(|model| model.watches());
        tells.then(|| Origin {
            position: self.inspect().position(thread),
            user_position: self.inspect().user_position(thread),
        })
    }

    /// A thread makes a plain store to an object that no other thread can reach.
    pub(crate) fn write_private(&mut self, thread: usize, address: u64, len: u8, datum: Datum) {
        self.write_private_as(thread, address, len, MemoryOrder::NotAtomic, datum);
    }

    /// A thread stores to an object that no other thread can reach.
    pub(crate) fn write_private_as(
        &mut self,
        thread: usize,
        address: u64,
        len: u8,
        order: MemoryOrder,
        datum: Datum,
    ) {
        if self.model.graph().is_some() {
            self.graph_private(thread, address, u64::from(len), Some(datum));
        } else if self.watch && self.model.buffers().is_some() && order != MemoryOrder::SeqCst {
            // What is sequentially consistent is in memory before whatever follows, and so before the object is published.
            let tag = self.concolic_private(thread, address, len);
            let access = Access { address, len, order, origin: self.origin(thread) };
            if let Some(model) = self.model.buffers_mut() {
                model.private_store(&mut self.memory, thread, access, datum, tag);
            }
        }
        self.write_now(address, len, datum);
    }

    /// The oldest store of a thread to an address becomes visible.
    pub(crate) fn commit(&mut self, thread: usize, address: u64) {
        let Some(model) = self.model.buffers_mut() else { return };
        if let Some((pointer, len, value)) = model.commit(&mut self.memory, thread, address) {
            let operation = Operation {
                kind: EventKind::Commit,
                address: pointer.address,
                size: u32::from(len),
                order: MemoryOrder::NotAtomic,
            };
            let written = Value::from_slice(&value.to_le_bytes()[..len as usize]);
            self.record(thread, operation, || (Value::new(), written));
        }
    }

    /// Everything that a thread has stored becomes visible.
    pub(crate) fn drain(&mut self, thread: usize) {
        if let Some(model) = self.model.buffers_mut() {
            model.drain(&mut self.memory, thread);
        }
    }

    /// Whether stores to shared memory go to buffers. Those of the last thread alive go to memory: no other thread is
    /// left to see the difference. But where every operation is a step they do as they would in another order, with
    /// others alive.
    pub(crate) fn buffers_stores(&self) -> bool {
        let stepwise = self.config.every_step && self.threads.len() > 1 && !mutant(Mutant::SwallowedCommit);
        self.model.buffers().is_some() && (self.live > 1 || stepwise)
    }
}
