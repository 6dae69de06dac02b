//! Accesses to memory: what an atomic one reads and where it is put, and which ones race.

use super::history::Access;
use super::{ExecutionGraph, Machine, Raced, wide};
use crate::halt::{Halt, ViolationKind};
use crate::model::Datum;
use selvedge_program::code::{Atomic, AtomicKind};
use selvedge_relations::{EventId, Graph, Kind};
use selvedge_trace::{EventKind, MemoryOrder, Operation};
use std::sync::Arc;

/// An atomic access that is about to be performed.
pub(crate) struct Prepared {
    location: u32,
    /// What its reading and its writing half depend on, each seen from where the thread is now.
    depends: [u64; 2],
    address: u64,
    len: u8,
    /// What it reads from.
    source: Option<EventId>,
    /// Before which record it is put if it writes.
    place: usize,
    /// Of a compare-exchange: what it must find, and its order otherwise.
    compare: Option<(u64, MemoryOrder)>,
    /// A weak compare-exchange, and whether it fails for no reason.
    choice: Option<bool>,
    order: MemoryOrder,
}

fn cut(value: u64, len: u8) -> u64 {
    if len < 8 { value & ((1 << (8 * len)) - 1) } else { value }
}

impl Machine {
    /// What memory holds; at a location of 16 bytes its lower half.
    pub(super) fn graph_peek(&mut self, address: u64, len: u8) -> Datum {
        let len = len.min(8);
        let read = self.memory.read(address, usize::from(len));
        let undefined = match read.defined {
            true => 0,
            false => {
                let defined = self.memory.defined_bytes(address, usize::from(len));
                defined.iter().rev().fold(0, |bits, &defined| bits << 1 | u8::from(!defined))
            }
        };
        Datum { value: read.value, provenance: read.provenance, undefined }
    }

    /// What memory holds of the upper half of a location of 16 bytes.
    pub(super) fn graph_peek_upper(&mut self, address: u64, len: u8) -> Option<Datum> {
        (len == 16).then(|| self.graph_peek(address + 8, 8))
    }

    /// Puts both halves of a value into memory.
    fn graph_put(&mut self, address: u64, len: u8, datum: Datum, upper: Option<Datum>) {
        self.write_now(address, len.min(8), datum);
        if let Some(upper) = upper {
            self.write_now(address + 8, 8, upper);
        }
    }

    /// The location of an atomic access.
    pub(super) fn graph_location(&mut self, address: u64, len: u8) -> Result<u32, Halt> {
        let Some(execution) = self.model.graph() else {
            return Err(Halt::unsupported("graph without its model"));
        };
        let near = execution.places.range(address.saturating_sub(15)..address + u64::from(len));
        for (&at, &(size, location)) in near {
            if (at, size) == (address, len) {
                return Ok(location);
            }
            if at + u64::from(size) > address {
                return Err(Halt::unsupported(
                    "atomic accesses of different sizes to the same memory under rc11",
                ));
            }
        }
        let (initial, upper) = (self.graph_peek(address, len), self.graph_peek_upper(address, len));
        let Some(execution) = self.model.graph_mut() else {
            return Err(Halt::unsupported("graph without its model"));
        };
        let location = execution.new_location(initial, upper);
        Arc::make_mut(&mut execution.places).insert(address, (len, location));
        let memory = *Arc::make_mut(&mut execution.memories).entry(address).or_insert(location);
        execution.graph.is_at(location, memory);
        Ok(location)
    }

    /// Prepares an atomic access: what it reads is in memory now. Of the alternative what is left is whether a weak
    /// compare-exchange fails.
    pub(crate) fn graph_before(
        &mut self,
        thread: usize,
        atomic: &Atomic,
        address: u64,
        operation: Operation,
        alternative: &mut u32,
    ) -> Result<Prepared, Halt> {
        let len = atomic.bytes;
        let back = (*alternative >> 1) as usize;
        *alternative &= 1;
        let location = self.graph_location(address, len)?;
        let (mut compare, mut choice) = (None, None);
        if let AtomicKind::CompareExchange { expected, failure, weak, .. } = atomic.kind {
            let expected = self.operand(thread, atomic, expected)?;
            let expected = match len {
                16 => wide::value(expected.low, expected.high),
                _ => cut(expected.low, len),
            };
            compare = Some((expected, crate::interpret::atomics::order(failure)));
            choice = weak.then_some(*alternative != 0);
        }
        let reads = !matches!(atomic.kind, AtomicKind::Store { .. });
        let execution = self.model.graph().ok_or_else(|| Halt::unsupported("graph without its model"))?;
        let records = execution.graph.records(location);
        let position = (records.len() - usize::from(reads)).checked_sub(back);
        let position = position.ok_or_else(|| Halt::unsupported("choice of a store that is not there"))?;
        let next = execution.graph.len(thread as u32);
        let mut prepared = Prepared {
            location,
            depends: [false, true].map(|writes| self.graph_depends(thread, atomic, writes, next)),
            address,
            len,
            source: None,
            place: position,
            compare,
            choice,
            order: operation.order,
        };
        if reads {
            prepared.source = records[position].write;
            prepared.place = position + 1;
            let (datum, upper) =
                (execution.datum(location, prepared.source), execution.upper(location, prepared.source));
            self.graph_put(address, len, datum, upper);
        }
        Ok(prepared)
    }

    /// Puts an atomic access that was performed into the graph, and the last value into memory.
    pub(crate) fn graph_after(
        &mut self,
        thread: usize,
        prepared: Prepared,
        operation: Operation,
        wrote: bool,
    ) {
        let Prepared { location, depends, address, len, source, place, compare, choice, order } = prepared;
        let (datum, upper) = (self.graph_peek(address, len), self.graph_peek_upper(address, len));
        let position = self.inspect().user_position(thread);
        let Some(execution) = self.model.graph_mut() else { return };
        let own = thread as u32;
        let first = execution.graph.len(own);
        let label = |kind, value| ExecutionGraph::label(kind, order, location, cut(value, len));
        let all = |graph: &Graph, writes: bool| depends[usize::from(writes)] << (graph.len(own) - first);
        if let Some(fails) = choice {
            let label = label(Kind::Choice { options: 2 }, u64::from(fails));
            execution.graph.add(own, label, None, 0);
        }
        if operation.kind != EventKind::Write {
            let mut read = label(Kind::Read { exclusive: operation.kind != EventKind::Read }, 0);
            read.compare = compare;
            if choice == Some(true) {
                (read.kind, read.order, read.compare) =
                    (Kind::Read { exclusive: false }, operation.order, None);
            }
            read.depends = all(&execution.graph, false);
            execution.graph.add(own, read, source, 0);
        }
        if wrote {
            if let Some(recent) = execution.recent.get_mut(thread) {
                *recent = Arc::default();
            }
            let exclusive = operation.kind != EventKind::Write;
            let mut write = label(Kind::Write { exclusive }, wide::stands_for(datum, upper));
            write.depends = all(&execution.graph, true);
            let id = execution.graph.add(own, write, None, place);
            Arc::make_mut(&mut execution.stored).insert(id, (datum, position));
            if let Some(upper) = upper {
                Arc::make_mut(&mut execution.uppers).insert((location, Some(id)), upper);
            }
            // An update that leaves what it finds can be left out without any thread noticing.
            let found = (execution.datum(location, source), execution.upper(location, source));
            if !exclusive || found != (datum, upper) {
                execution.count_write(thread);
            }
        }
        let last = execution.graph.records(location).last().and_then(|record| record.write);
        let (last, last_upper) = (execution.datum(location, last), execution.upper(location, last));
        if (last, last_upper) != (datum, upper) {
            self.graph_put(address, len, last, last_upper);
        }
        self.graph_note(thread, address, u64::from(len), wrote, true);
    }

    pub(crate) fn graph_fence(&mut self, thread: usize, order: MemoryOrder) {
        if let Some(execution) = self.model.graph_mut() {
            execution.graph.add(thread as u32, ExecutionGraph::label(Kind::Fence, order, 0, 0), None, 0);
        }
    }

    /// A plain store: whatever was accessed there atomically is another location from now on.
    pub(super) fn graph_plain_write(&mut self, thread: usize, address: u64, size: u64) {
        self.graph_note(thread, address, size, true, false);
        self.plainly_written.insert((address, size));
        let before = self.graph_content(address, size);
        let Some(execution) = self.model.graph_mut() else { return };
        match (execution.forget(address, size), before) {
            (false, Some(before)) => execution.about_to_write = Some((thread, address, size as u8, before)),
            _ => execution.count_write(thread),
        }
    }

    /// What a plain store may replace, unless that is too much to look at.
    fn graph_content(&mut self, address: u64, size: u64) -> Option<Datum> {
        matches!(size, 1..=8).then(|| self.graph_peek(address, size as u8))
    }

    /// A plain store that was looked at before it was performed counts if memory is not what it was.
    pub(crate) fn graph_written(&mut self) {
        self.graph_settle();
        let written = self.model.graph_mut().and_then(|execution| execution.about_to_write.take());
        let Some((thread, address, size, before)) = written else { return };
        let is_there = self.memory.find(address).is_some();
        if (!is_there || self.graph_peek(address, size) != before)
            && let Some(execution) = self.model.graph_mut()
        {
            execution.count_write(thread);
        }
    }

    /// An atomic store to memory that the thread alone knows. Others could see what was there before.
    pub(crate) fn graph_hidden(&mut self, thread: usize, address: u64, size: u64) {
        let position = self.inspect().position(thread);
        self.plainly_written.insert((address, size));
        let Some(execution) = self.model.graph_mut() else { return };
        super::count(&mut execution.other, thread);
        let access = Access { hidden: true, ..access(execution, thread, position, (true, true)) };
        Arc::make_mut(&mut execution.history).note_private(address, size, access);
    }

    /// A thread writes to memory that it alone knows: this, if it is known.
    pub(crate) fn graph_private(&mut self, thread: usize, address: u64, size: u64, datum: Option<Datum>) {
        if !self.follows_graph() {
            return;
        }
        let position = self.inspect().position(thread);
        self.plainly_written.insert((address, size));
        let same = datum.is_some() && self.graph_content(address, size) == datum;
        if !same {
            self.graph_private_changes(thread, address, size);
        }
        let Some(execution) = self.model.graph_mut() else { return };
        execution.note_private(thread, address, size, datum);
        if execution.forget(address, size) {
            execution.count_write(thread);
        }
        let access = access(execution, thread, position, (true, false));
        Arc::make_mut(&mut execution.history).note_private(address, size, access);
    }

    /// A thread is about to write bytes to memory that it alone knows.
    pub(crate) fn graph_private_bytes(&mut self, thread: usize, address: u64, bytes: &[u8]) {
        let small = (1..=8).contains(&bytes.len()).then(|| {
            let value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
            Datum { value, provenance: crate::memory::Provenance::NONE, undefined: 0 }
        });
        self.graph_private(thread, address, bytes.len() as u64, small);
    }

    /// A thread has allocated an object. A thread that accesses it without knowing of that accesses what is not there.
    pub(crate) fn graph_allocated(&mut self, thread: usize, at: u64, size: u64, position: u32) {
        if let (true, Some(execution)) = (self.live > 1, self.model.graph_mut()) {
            let access = access(execution, thread, position, (true, false));
            Arc::make_mut(&mut execution.history).allocate(at, size, access);
        }
    }

    /// A thread frees an object.
    pub(crate) fn graph_free(&mut self, thread: usize, address: u64, size: u64, shared: bool) {
        if self.follows_graph() && shared {
            self.graph_note(thread, address, size.max(1), true, false);
            self.plainly_written.insert((address, size));
        }
        match shared {
            true => self.graph_settle(),
            false => self.graph_private_gone(thread, address, size),
        }
        let Some(execution) = self.model.graph_mut() else { return };
        super::count(&mut execution.other, thread);
        if execution.forget(address, size) || shared {
            execution.count_write(thread);
        }
        Arc::make_mut(&mut execution.history).forget(address, size);
    }

    /// Notes an access to shared memory, and whether it races with an earlier one.
    pub(super) fn graph_note(&mut self, thread: usize, address: u64, size: u64, writes: bool, atomic: bool) {
        if !atomic {
            self.graph_recent(thread, address, size, writes);
        }
        let position = self.inspect().user_position(thread);
        let Some(execution) = self.model.graph_mut() else { return };
        execution.touched += u64::from(!atomic && thread == 0);
        if !atomic
            && !execution.history.covers(
                address,
                size,
                writes,
                (thread as u32, execution.since(thread as u32)),
            )
        {
            super::count(&mut execution.plain, thread);
        }
        let mut access = access(execution, thread, position, (writes, atomic));
        // An atomic access is an event itself, already in the graph.
        access.before -= u32::from(atomic);
        let past = execution.graph.last(thread as u32).map(|event| event.happens.clone()).unwrap_or_default();
        let race = Arc::make_mut(&mut execution.history).note(address, size, access, &past);
        if let Some(other) = race
            && execution.race.is_none()
        {
            let race = match other.hidden && access.atomic {
                true => Halt::unsupported("an object that is known before its atomic parts are, under rc11"),
                false => {
                    Halt::violation(ViolationKind::DataRace, self.graph_race_message(address, other, access))
                }
            };
            let told = |access: Access| Raced {
                thread: access.thread as usize,
                address,
                writes: access.writes,
                atomic: access.atomic,
                allocates: access.allocates,
                position: access.position,
            };
            if let Some(execution) = self.model.graph_mut() {
                execution.race = Some(race);
                execution.raced = Some([told(other), told(access)]);
            }
        }
    }

    fn graph_race_message(&self, address: u64, first: Access, second: Access) -> String {
        let told = |access: Access| {
            let done = match access.writes {
                _ if access.allocates => "allocated",
                true => "written",
                false => "read",
            };
            let atomically = if access.atomic { " atomically" } else { "" };
            let at = match self.program.positions.get(access.position as usize) {
                Some(position) if position.line != 0 => {
                    let file = &self.program.files[position.file as usize].path;
                    format!(" at {}:{}", file.rsplit('/').next().unwrap_or_default(), position.line)
                }
                _ => String::new(),
            };
            format!("{done}{atomically} by {}{at}", self.threads[access.thread as usize].name)
        };
        format!(
            "`{}` is {} and {}, and nothing orders them",
            self.inspect().name_of(address),
            told(first),
            told(second)
        )
    }
}

fn access(
    execution: &ExecutionGraph,
    thread: usize,
    position: u32,
    (writes, atomic): (bool, bool),
) -> Access {
    let thread = thread as u32;
    Access {
        thread,
        before: execution.graph.len(thread),
        bytes: 0,
        writes,
        atomic,
        hidden: false,
        allocates: false,
        position,
    }
}
