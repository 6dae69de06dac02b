//! Atomic accesses and fences.

use super::{Run, Stop};
use crate::halt::Halt;
use crate::inspect::Probe;
use crate::machine::Machine;
use crate::memory::{Pointer, Provenance, Read};
use crate::model::Datum;
use crate::ops::rmw;
use selvedge_program::code::{Atomic, AtomicKind, Op, Order, RmwOp};
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{EventKind, MemoryOrder, Operation, Value};

/// A value of up to 16 bytes with what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Wide {
    pub(crate) low: u64,
    pub(crate) high: u64,
    provenance: Provenance,
    defined: bool,
}

pub(crate) fn order(order: Order) -> MemoryOrder {
    match order {
        Order::NotAtomic => MemoryOrder::NotAtomic,
        Order::Unordered | Order::Relaxed => MemoryOrder::Relaxed,
        Order::Acquire => MemoryOrder::Acquire,
        Order::Release => MemoryOrder::Release,
        Order::AcqRel => MemoryOrder::AcqRel,
        Order::SeqCst => MemoryOrder::SeqCst,
    }
}

impl Wide {
    fn bytes(self, len: u8) -> Value {
        let mut bytes = Value::from_slice(&self.low.to_le_bytes());
        bytes.extend_from_slice(&self.high.to_le_bytes());
        bytes.truncate(len as usize);
        bytes
    }
}

impl Machine {
    /// Performs an atomic operation. `Some`: the thread must stop first.
    pub(super) fn atomic(&mut self, run: &mut Run, atomic: &Atomic) -> Result<Option<Stop>, Halt> {
        if let AtomicKind::Fence = atomic.kind {
            return Ok(self.fence(run, atomic));
        }
        let at = self.threads[run.thread].pointer(atomic.ptr);
        let len = u64::from(atomic.bytes);
        let bounds = match atomic.kind {
            AtomicKind::Load { .. } => self.memory.check(at, len)?,
            _ => self.check_write(at, len)?,
        };
        if !at.address.is_multiple_of(len) {
            return Err(Halt::unsupported("atomic access that is not aligned to its size"));
        }
        let operation = Operation {
            kind: match atomic.kind {
                AtomicKind::Load { .. } => EventKind::Read,
                AtomicKind::Store { .. } => EventKind::Write,
                AtomicKind::ReadModifyWrite { .. } => EventKind::ReadModifyWrite,
                AtomicKind::CompareExchange { .. } => EventKind::CompareExchange,
                AtomicKind::Fence => EventKind::Fence,
            },
            address: at.address,
            size: u32::from(atomic.bytes),
            order: order(atomic.order),
        };
        if !bounds.shared
            && let Some(stop) = self.private_barrier(run, atomic)
        {
            return Ok(Some(stop));
        }
        let weak = matches!(atomic.kind, AtomicKind::CompareExchange { weak: true, .. });
        let may_fail = weak && self.chooses_failures();
        let visible = bounds.shared && (!self.solo || may_fail);
        let goes_on = match weak {
            true if may_fail => std::mem::replace(&mut run.permit, false),
            true => self.chosen(run),
            false => self.gate(run),
        };
        if visible && !goes_on {
            return Ok(Some(Stop::Visible(operation)));
        }
        // The scheduler's choice is about this operation if it is visible, and about no later one.
        let mut alternative = if visible { std::mem::take(&mut run.alternative) } else { 0 };
        let prepared = match visible {
            true => self.before_atomic(run.thread, atomic, operation, &mut alternative)?,
            false => None,
        };
        let fails = alternative != 0;
        let (operation, read, written) =
            self.atomic_now(run.thread, atomic, at, operation, (bounds.shared, fails))?;
        if visible {
            self.after_atomic(run.thread, atomic, prepared, operation, written.is_some())?;
        }
        if visible {
            let bytes = |value: Option<Wide>| value.map_or(Value::new(), |value| value.bytes(atomic.bytes));
            self.record(run.thread, operation, || (bytes(read), bytes(written)));
        } else if bounds.shared {
            self.thread_mut(run.thread).events += 1;
        } else if written.is_some() && self.follows_graph() {
            self.graph_hidden(run.thread, at.address, len);
        }
        Ok(None)
    }

    fn fence(&mut self, run: &mut Run, atomic: &Atomic) -> Option<Stop> {
        // Under sequential consistency and for the compiler alone a fence does nothing; it stays visible in traces.
        if atomic.single_thread || self.solo {
            return None;
        }
        let order = order(atomic.order);
        let operation = Operation { kind: EventKind::Fence, address: 0, size: 0, order };
        if !self.gate(run) {
            return Some(Stop::Visible(operation));
        }
        self.on_fence(run.thread, order);
        self.record(run.thread, operation, Default::default);
        None
    }

    /// An atomic operation on memory that no other thread can reach is a barrier all the same: a step by itself if it orders
    /// stores that others see, since they may become visible one by one before it. `Some`: the thread must stop first.
    fn private_barrier(&mut self, run: &mut Run, atomic: &Atomic) -> Option<Stop> {
        if self.solo || mutant(Mutant::HiddenBarrier) {
            return None;
        }
        let order = match atomic.kind {
            AtomicKind::Load { .. } | AtomicKind::Fence => return None,
            AtomicKind::ReadModifyWrite { .. } | AtomicKind::CompareExchange { .. } => MemoryOrder::SeqCst,
            AtomicKind::Store { .. } if atomic.bytes == 16 => MemoryOrder::SeqCst,
            AtomicKind::Store { .. } => order(atomic.order),
        };
        if !self.model.buffers()?.orders_stores(run.thread, order) {
            let model = self.model.buffers_mut()?;
            model.fence(&mut self.memory, run.thread, order);
            return None;
        }
        let operation = Operation { kind: EventKind::Fence, address: 0, size: 0, order };
        if !self.gate(run) {
            return Some(Stop::Visible(operation));
        }
        let model = self.model.buffers_mut()?;
        model.fence(&mut self.memory, run.thread, order);
        self.record(run.thread, operation, Default::default);
        None
    }

    /// What the operation does: the event it was, what it read and what it wrote.
    fn atomic_now(
        &mut self,
        thread: usize,
        atomic: &Atomic,
        at: Pointer,
        operation: Operation,
        (shared, fails): (bool, bool),
    ) -> Result<(Operation, Option<Wide>, Option<Wide>), Halt> {
        match atomic.kind {
            AtomicKind::Load { dst } => {
                let old = self.read_wide(thread, atomic, at, operation.order);
                self.set_result(thread, atomic, dst, old)?;
                Ok((operation, Some(old), None))
            }
            AtomicKind::Store { src } => {
                let new = self.operand(thread, atomic, src)?;
                self.write_wide(thread, atomic, at, operation.order, new, shared)?;
                Ok((operation, None, Some(new)))
            }
            AtomicKind::ReadModifyWrite { op, dst, src } => {
                self.drain(thread);
                let old = self.read_wide(thread, atomic, at, operation.order);
                let operand = self.operand(thread, atomic, src)?;
                if !old.defined && op != RmwOp::Exchange {
                    return Err(self.uninitialised(&format!(
                        "{} in an atomic operation",
                        self.inspect().name_of(at.address)
                    )));
                }
                let new = match op {
                    RmwOp::Exchange => operand,
                    _ if atomic.bytes == 16 => {
                        let join = |value: Wide| u128::from(value.high) << 64 | u128::from(value.low);
                        let new = rmw::rmw_wide(op, atomic.width, atomic.float, join(old), join(operand));
                        Wide {
                            low: new as u64,
                            high: (new >> 64) as u64,
                            provenance: Provenance::NONE,
                            defined: true,
                        }
                    }
                    _ => {
                        let low = rmw::rmw(op, atomic.width, atomic.float, old.low, operand.low);
                        // Tagging a pointer by arithmetic on its bits keeps where it came from.
                        let provenance = match old.provenance == Provenance::NONE {
                            true => operand.provenance,
                            false => old.provenance,
                        };
                        Wide { low, high: 0, provenance, defined: true }
                    }
                };
                self.set_result(thread, atomic, dst, old)?;
                self.write_wide(thread, atomic, at, MemoryOrder::SeqCst, new, shared)?;
                Ok((operation, Some(old), Some(new)))
            }
            AtomicKind::CompareExchange { dst, expected, desired, failure, .. } => {
                self.drain(thread);
                let old = self.read_wide(thread, atomic, at, operation.order);
                let expected = self.operand(thread, atomic, expected)?;
                let desired = self.operand(thread, atomic, desired)?;
                if !old.defined || !expected.defined {
                    return Err(self.uninitialised(&format!(
                        "{} in a compare-exchange",
                        self.inspect().name_of(at.address)
                    )));
                }
                let equal = (old.low, old.high) == (expected.low, expected.high);
                let success = equal && !fails;
                self.set_result(thread, atomic, dst, old)?;
                self.thread_mut(thread).set_register(dst + atomic.slots(), u64::from(success));
                if success {
                    self.write_wide(thread, atomic, at, MemoryOrder::SeqCst, desired, shared)?;
                    return Ok((operation, Some(old), Some(desired)));
                }
                let kind = EventKind::CompareExchangeFailed;
                Ok((Operation { kind, order: order(failure), ..operation }, Some(old), None))
            }
            AtomicKind::Fence => Ok((operation, None, None)),
        }
    }

    fn read_wide(&mut self, thread: usize, atomic: &Atomic, at: Pointer, order: MemoryOrder) -> Wide {
        let first: Read = self.load_now(thread, at.address, atomic.bytes.min(8), order);
        let mut wide =
            Wide { low: first.value, high: 0, provenance: first.provenance, defined: first.defined };
        if atomic.bytes == 16 {
            let second = self.load_now(thread, at.address + 8, 8, order);
            wide.high = second.value;
            wide.defined &= second.defined;
        }
        if atomic.width < 64 {
            wide.low &= (1 << atomic.width) - 1;
        }
        wide
    }

    pub(crate) fn operand(&self, thread: usize, atomic: &Atomic, slot: u32) -> Result<Wide, Halt> {
        let this = &self.threads[thread];
        let slots = if atomic.bytes == 16 { 2 } else { 1 };
        let defined = (0..slots).all(|i| self.undefined_bits(thread, slot + i) == 0);
        let low = this.register(slot);
        Ok(match (atomic.pointer, atomic.bytes) {
            (true, _) => Wide { low, high: 0, provenance: Provenance(this.register(slot + 1)), defined },
            (false, 16) => Wide { low, high: this.register(slot + 1), provenance: Provenance::NONE, defined },
            (false, _) => Wide { low, high: 0, provenance: Provenance::NONE, defined },
        })
    }

    fn set_result(&mut self, thread: usize, atomic: &Atomic, dst: u32, value: Wide) -> Result<(), Halt> {
        let this = self.thread_mut(thread);
        this.set_register(dst, value.low);
        if atomic.pointer {
            this.set_register(dst + 1, value.provenance.0);
        } else if atomic.bytes == 16 {
            this.set_register(dst + 1, value.high);
        }
        if !atomic.pointer && value.provenance != Provenance::NONE {
            self.share(thread, value.provenance)?;
        }
        if !value.defined {
            let frame = self.threads[thread].frames.len() - 1;
            let marks: Vec<(u32, u64)> = (0..atomic.slots()).map(|i| (dst + i, u64::MAX)).collect();
            self.mark(thread, frame, &marks);
        }
        Ok(())
    }

    fn write_wide(
        &mut self,
        thread: usize,
        atomic: &Atomic,
        at: Pointer,
        order: MemoryOrder,
        value: Wide,
        shared: bool,
    ) -> Result<(), Halt> {
        let len = atomic.bytes.min(8);
        let undefined = if value.defined { 0 } else { 0xff };
        // Whether a compare-exchange makes something known is decided after it.
        let later = self.records() && matches!(atomic.kind, AtomicKind::CompareExchange { .. });
        if shared && !later {
            self.concolic_share(thread, value.provenance);
        }
        // Both halves of a wide value become visible at once: not through a buffer.
        let order = if atomic.bytes == 16 { MemoryOrder::SeqCst } else { order };
        let mut store = |at, len, datum| match shared {
            true => self.store_now(thread, at, len, order, datum),
            false => self.write_private_as(thread, at, len, order, datum),
        };
        store(at.address, len, Datum { value: value.low, provenance: value.provenance, undefined });
        if atomic.bytes == 16 {
            store(at.address + 8, 8, Datum { value: value.high, provenance: Provenance::NONE, undefined });
        }
        if shared && !later && value.provenance != Provenance::NONE {
            self.share(thread, value.provenance)?;
        }
        Ok(())
    }

    /// A weak compare-exchange that would succeed may also fail.
    pub(crate) fn compare_exchange_alternatives(&mut self, thread: usize) -> u32 {
        match self.pending_exchange(thread) {
            Some((true, true, _)) => 2,
            _ => 1,
        }
    }

    /// Whether a weak compare-exchange of a thread that is alone may fail, too. Graphs and expressions begin with the second
    /// thread.
    fn chooses_failures(&self) -> bool {
        self.model.graph().is_none()
            && !self.concolic.as_ref().is_some_and(|concolic| concolic.records_reads())
    }

    /// What the compare-exchange that a thread is before expects, if that is no more than 8 bytes.
    pub(crate) fn expected(&mut self, thread: usize) -> Option<u64> {
        self.pending_exchange(thread).and_then(|(.., expected)| expected)
    }

    /// Whether a thread is before a weak compare-exchange, whatever that finds.
    pub(crate) fn is_before_weak_exchange(&self, thread: usize) -> bool {
        let Some(frame) = self.threads[thread].frames.last() else { return false };
        let function = &self.program.functions[frame.function as usize];
        let Some(&Op::Atomic { index }) = function.code.get(frame.pc as usize) else { return false };
        matches!(function.atomics[index as usize].kind, AtomicKind::CompareExchange { weak: true, .. })
    }

    /// Whether a pending compare-exchange finds what it expects, whether it is a weak one, and what it expects.
    fn pending_exchange(&mut self, thread: usize) -> Option<(bool, bool, Option<u64>)> {
        let program = &*self.program_here();
        let frame = self.threads[thread].frames.last()?;
        let function = &program.functions[frame.function as usize];
        let Op::Atomic { index } = function.code[frame.pc as usize] else { return None };
        let atomic = &function.atomics[index as usize];
        let AtomicKind::CompareExchange { expected, weak, .. } = atomic.kind else { return None };
        let at = self.threads[thread].pointer(atomic.ptr);
        let current = self.read_wide(thread, atomic, at, MemoryOrder::Relaxed);
        let expected = self.operand(thread, atomic, expected).ok()?;
        let small = (atomic.bytes <= 8).then_some(expected.low);
        Some(((current.low, current.high) == (expected.low, expected.high), weak, small))
    }
}

impl Probe<'_> {
    /// Whether the compare-exchange that a thread is before would find what it expects now.
    pub fn would_exchange(&mut self, thread: usize) -> bool {
        self.machine.pending_exchange(thread).is_none_or(|(finds, ..)| finds)
    }

    /// Whether a thread is before a weak compare-exchange: it may fail though it finds what it expects.
    pub fn may_fail_weakly(&mut self, thread: usize) -> bool {
        self.machine.chooses_failures()
            && self.machine.pending_exchange(thread).is_some_and(|(_, weak, _)| weak)
    }

    /// What the weak compare-exchange that a thread is before expects, if that is no more than 8 bytes.
    pub fn weakly_expected(&mut self, thread: usize) -> Option<u64> {
        self.machine.pending_exchange(thread).and_then(|(_, weak, expected)| expected.filter(|_| weak))
    }
}
