//! Accesses to memory that other threads can reach, and accesses of many bytes.

use super::{Run, Stop, bits_of_bytes};
use crate::followed::Pieces;
use crate::halt::Halt;
use crate::machine::Machine;
use crate::memory::{Pointer, Provenance, Read};
use crate::model::{Access as ModelAccess, Datum};
use selvedge_program::code::{Access, Leaf};
use selvedge_trace::{EventKind, MemoryOrder, Operation, Value};

pub(super) fn plain(kind: EventKind, address: u64, size: u32) -> Operation {
    Operation { kind, address, size, order: MemoryOrder::NotAtomic }
}

fn value_of(value: u64, len: u8) -> Value {
    Value::from_slice(&value.to_le_bytes()[..len as usize])
}

impl Machine {
    /// A plain load of shared memory: what it read, or that the thread must stop first.
    pub(super) fn shared_load(
        &mut self,
        run: &mut Run,
        at: Pointer,
        len: u8,
    ) -> Result<Result<Read, Stop>, Halt> {
        let operation = plain(EventKind::Read, at.address, u32::from(len));
        if !self.gate(run) {
            return Ok(Err(Stop::Visible(operation)));
        }
        let read = self.load_now(run.thread, at.address, len, MemoryOrder::NotAtomic);
        self.on_load(run.thread, at.address, len.into());
        self.record(run.thread, operation, || (value_of(read.value, len), Value::new()));
        Ok(Ok(read))
    }

    /// A plain store to shared memory: (value, provenance, undefined bytes). `Some`: the thread must stop first.
    pub(super) fn shared_store(
        &mut self,
        run: &mut Run,
        at: Pointer,
        len: u8,
        (value, provenance, undefined): (u64, Provenance, u8),
    ) -> Result<Option<Stop>, Halt> {
        let operation = plain(EventKind::Write, at.address, u32::from(len));
        if !self.gate(run) {
            return Ok(Some(Stop::Visible(operation)));
        }
        let datum = Datum { value, provenance, undefined };
        self.on_store(run.thread, at.address, &value.to_le_bytes()[..len as usize], provenance);
        self.store_now(run.thread, at.address, len, MemoryOrder::NotAtomic, datum);
        self.record(run.thread, operation, || (Value::new(), value_of(value, len)));
        Ok(None)
    }

    /// A store that no other thread can see: it never waits in a buffer, where private loads would not look for it.
    pub(crate) fn write_now(&mut self, address: u64, len: u8, datum: Datum) {
        self.memory.write(address, len as usize, datum.value, datum.provenance);
        self.undefine_bytes(address, len, datum.undefined);
    }

    /// Takes away the value of bytes that were written from undefined ones.
    pub(super) fn undefine_bytes(&mut self, address: u64, len: u8, undefined: u8) {
        for i in (0..len).filter(|i| undefined >> i & 1 == 1) {
            self.memory.undefine(address + u64::from(i), 1);
        }
    }

    /// The undefined bits of a value that was just read.
    pub(super) fn undefined_read(&mut self, thread: usize, address: u64, len: u8) -> u64 {
        let mut undefined = 0;
        for (i, defined) in self.memory.defined_bytes(address, len as usize).into_iter().enumerate() {
            undefined |= u8::from(!defined) << i;
        }
        if let Some(model) = self.model.buffers_mut() {
            let access = ModelAccess { address, len, order: MemoryOrder::NotAtomic, origin: None };
            undefined = model.load(&mut self.memory, thread, access).undefined;
        }
        bits_of_bytes(undefined)
    }

    /// memcpy and memmove.
    pub(super) fn mem_copy(
        &mut self,
        run: &mut Run,
        to: Pointer,
        from: Pointer,
        len: u64,
    ) -> Result<Option<Stop>, Halt> {
        if len == 0 {
            return Ok(None);
        }
        let source = self.memory.check(from, len)?;
        let target = self.check_write(to, len)?;
        if (source.shared || target.shared) && !self.solo {
            let (kind, address) =
                if target.shared { (EventKind::Write, to.address) } else { (EventKind::Read, from.address) };
            if !self.gate(run) {
                return Ok(Some(Stop::Visible(plain(kind, address, len as u32))));
            }
            let bytes = self.load_bytes(run.thread, from, len)?.0;
            self.on_copy(run.thread, (from, source.shared), (to, target.shared), &bytes);
            let stored = target.shared.then_some((to.address, len));
            let events = usize::from(source.shared) + usize::from(target.shared);
            self.follow_group(events, stored, Pieces::Words);
            if source.shared {
                let operation = plain(EventKind::Read, from.address, len as u32);
                self.record(run.thread, operation, || (Value::from_slice(&bytes), Value::new()));
            }
            if target.shared {
                let operation = plain(EventKind::Write, to.address, len as u32);
                self.record(run.thread, operation, || (Value::new(), Value::from_slice(&bytes)));
            }
        }
        self.copy_bytes(run.thread, to, from, len)?;
        Ok(None)
    }

    /// memset; `None` makes the bytes undefined.
    pub(super) fn mem_set(
        &mut self,
        run: &mut Run,
        to: Pointer,
        byte: Option<u8>,
        len: u64,
    ) -> Result<Option<Stop>, Halt> {
        if len == 0 {
            return Ok(None);
        }
        let target = self.check_write(to, len)?;
        if target.shared && !self.solo {
            let operation = plain(EventKind::Write, to.address, len as u32);
            if !self.gate(run) {
                return Ok(Some(Stop::Visible(operation)));
            }
            if self.concolic.is_some() {
                let bytes = vec![byte.unwrap_or(0); len as usize];
                self.on_store(run.thread, to.address, &bytes, Provenance::NONE);
            }
            self.follow_group(1, Some((to.address, len)), Pieces::Eight);
            let written = || (Value::new(), Value::from_elem(byte.unwrap_or(0), len as usize));
            self.record(run.thread, operation, written);
            if self.buffers_stores() {
                self.store_bytes(run.thread, to, &vec![byte.unwrap_or(0); len as usize])?;
                return Ok(None);
            }
        }
        match byte {
            Some(byte) if self.watch => self.store_bytes(run.thread, to, &vec![byte; len as usize])?,
            Some(byte) => self.memory.fill(to.address, byte, len),
            None if self.watch => {
                let datum = Datum { value: 0, provenance: Provenance::NONE, undefined: 1 };
                (0..len).for_each(|i| self.write_private(run.thread, to.address + i, 1, datum));
            }
            None => self.memory.undefine(to.address, len),
        }
        Ok(None)
    }

    /// A load with several leaves.
    pub(super) fn load_many(&mut self, run: &mut Run, access: &Access) -> Result<Option<Stop>, Halt> {
        let at = self.threads[run.thread].pointer(access.ptr).offset(i64::from(access.offset));
        let bounds = self.memory.check(at, u64::from(access.bytes))?;
        if bounds.shared && !self.solo {
            let operation = plain(EventKind::Read, at.address, access.bytes);
            if !self.gate(run) {
                return Ok(Some(Stop::Visible(operation)));
            }
            let bytes = self.load_bytes(run.thread, at, u64::from(access.bytes))?.0;
            self.on_load(run.thread, at.address, u64::from(access.bytes));
            self.record(run.thread, operation, || (Value::from_slice(&bytes), Value::new()));
        }
        let mut marks = Vec::new();
        for &(offset, leaf, slot) in &access.leaves {
            let address = at.address + u64::from(offset);
            let bytes = leaf.bytes();
            for part in (0..bytes).step_by(8) {
                let len = (bytes - part).min(8) as u8;
                let part_at = address + u64::from(part);
                let read = match bounds.shared {
                    true => self.load_now(run.thread, part_at, len, MemoryOrder::NotAtomic),
                    false => self.memory.read(part_at, len as usize),
                };
                let part_slot = slot + part / 8;
                self.thread_mut(run.thread).set_register(part_slot, read.value);
                if leaf == Leaf::Ptr {
                    self.thread_mut(run.thread).set_register(slot + 1, read.provenance.0);
                } else if read.provenance != Provenance::NONE {
                    self.share(run.thread, read.provenance)?;
                }
                if !read.defined {
                    marks.push((part_slot, self.undefined_read(run.thread, part_at, len)));
                }
            }
        }
        if !marks.is_empty() {
            let frame = self.threads[run.thread].frames.len() - 1;
            self.mark(run.thread, frame, &marks);
        }
        Ok(None)
    }

    /// A store with several leaves.
    pub(super) fn store_many<const SINGLE: bool>(
        &mut self,
        run: &mut Run,
        access: &Access,
    ) -> Result<Option<Stop>, Halt> {
        let at = self.threads[run.thread].pointer(access.ptr).offset(i64::from(access.offset));
        let bounds = self.check_write(at, u64::from(access.bytes))?;
        let visible = bounds.shared && !self.solo;
        if visible && !self.gate(run) {
            return Ok(Some(Stop::Visible(plain(EventKind::Write, at.address, access.bytes))));
        }
        for &(offset, leaf, slot) in &access.leaves {
            let address = at.address + u64::from(offset);
            let bytes = leaf.bytes();
            for part in (0..bytes).step_by(8) {
                let len = (bytes - part).min(8) as u8;
                let part_slot = slot + part / 8;
                let thread = &self.threads[run.thread];
                let provenance = match leaf {
                    Leaf::Ptr => Provenance(thread.register(slot + 1)),
                    _ => Provenance::NONE,
                };
                let value = thread.register(part_slot);
                let undefined =
                    if SINGLE { super::bytes_of_bits(self.undefined_bits(run.thread, part_slot)) } else { 0 };
                let datum = Datum { value, provenance, undefined };
                let part_at = address + u64::from(part);
                if visible {
                    self.on_store(run.thread, part_at, &value.to_le_bytes()[..len as usize], provenance);
                }
                match bounds.shared {
                    true => self.store_now(run.thread, part_at, len, MemoryOrder::NotAtomic, datum),
                    false => self.write_private(run.thread, part_at, len, datum),
                }
                if bounds.shared && provenance != Provenance::NONE {
                    self.share(run.thread, provenance)?;
                }
            }
        }
        if visible {
            let bytes = self.load_bytes(run.thread, at, u64::from(access.bytes))?.0;
            let operation = plain(EventKind::Write, at.address, access.bytes);
            if self.followed.is_some() && self.model.buffers().is_some() {
                let pieces = access.leaves.iter().flat_map(|&(offset, leaf, _)| {
                    let parts = (0..leaf.bytes()).step_by(8);
                    parts.map(move |part| {
                        let address = at.address + u64::from(offset) + u64::from(part);
                        (address, (leaf.bytes() - part).min(8))
                    })
                });
                self.follow_stores(1, pieces.collect());
            }
            self.record(run.thread, operation, || (Value::new(), Value::from_slice(&bytes)));
        }
        Ok(None)
    }
}
