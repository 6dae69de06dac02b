//! How the machine tells of what threads do.

use super::locations::Effect;
use super::{Beyond, Class, Known, Operational, Wants};
use crate::counting::Adds;
use crate::halt::Halt;
use crate::machine::{Machine, Stepped};
use crate::memory::{Pointer, Provenance};
use crate::parts::Parts;
use crate::sync::FutexCall;
use crate::thread::Status;
use crate::traits::Trait;
use selvedge_program::code::AtomicKind;
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{EventKind, MemoryOrder, Operation, SyncEffect, SyncObject};
use smallvec::SmallVec;
use std::sync::OnceLock;

impl Machine {
    /// Whether two orders are kept beside the execution: not before there is a second thread.
    fn follows_orders(&self) -> bool {
        self.model.operational().is_some() && self.threads.len() > 1 && self.touches.is_none()
    }

    fn operational_mut(&mut self) -> Option<&mut Operational> {
        let operational = self.model.operational_mut()?;
        operational.hash = OnceLock::new();
        Some(operational)
    }

    fn operational_result(&mut self, result: Result<(), Beyond>) {
        if result.is_err() {
            let what = "something that the language's model may do in another way";
            self.current_step.beyond.get_or_insert_with(|| Halt::unsupported(what));
        }
    }

    fn operational_do(&mut self, act: impl FnOnce(&mut Operational) -> Result<(), Beyond>) {
        if let Some(operational) = self.operational_mut() {
            let result = act(operational);
            self.operational_result(result);
        }
    }

    /// What happens from now on is a thread's doing.
    pub(crate) fn operational_acts(&mut self, index: usize) {
        (self.current_step.running, self.current_step.back) = (index, 0);
    }

    /// A thread is about to take a step: what a call accesses is known before.
    pub(crate) fn operational_step(&mut self, index: usize) -> Result<(), Halt> {
        if !self.follows_orders() {
            return Ok(());
        }
        self.operational_acts(index);
        self.current_step.counts = self.counts_freely(index);
        let Status::Ready(operation) = self.threads[index].status else { return Ok(()) };
        let name = self.native_at(index).map_or("", |native| native.name);
        self.operational_before(index, operation);
        match operation.kind {
            EventKind::LibraryCall | EventKind::Output => {
                for (address, size, writes) in self.touched(index, name)? {
                    self.operational_do(|operational| operational.plain(index, (address, size), writes));
                }
            }
            // These come after what they wait for.
            EventKind::ThreadJoin => self.current_step.touched = self.touched(index, name)?,
            _ => {}
        }
        self.operational_over()
    }

    /// A thread is about to access memory atomically.
    fn operational_before(&mut self, index: usize, operation: Operation) {
        use EventKind::{CompareExchange, FutexLock, FutexPark, FutexWait, Read, ReadModifyWrite, Write};
        let Operation { kind, address, size, order } = operation;
        let size = u64::from(size);
        let (wants, size) = match kind {
            Read | Write if order == MemoryOrder::NotAtomic => return,
            Read => (Wants::Read, size),
            Write | ReadModifyWrite => (Wants::Write, size),
            CompareExchange => match self.expected(index) {
                Some(expected) => (Wants::Exchange(expected), size),
                None => (Wants::Write, size),
            },
            FutexWait if !self.is_inside(index) => (Wants::Read, 4),
            FutexLock | FutexPark => match kind.awaited() {
                Some((value, _)) => (Wants::Exchange(u64::from(value)), 4),
                None => return,
            },
            _ => return,
        };
        let order = if kind.awaited().is_some() { MemoryOrder::Acquire } else { order };
        let looks = match kind {
            Read | FutexWait => true,
            // One that fails only to wait need not have looked.
            CompareExchange => !self.only_awaits(index),
            _ => false,
        };
        if looks && !self.config.looked_at.contains(&address) {
            self.current_step.newly_looked_at.push(address);
        }
        let datum = self.probe().content(address, size.min(8) as u8);
        self.operational_do(|operational| operational.before(index, (address, size), wants, order, || datum));
    }

    /// Whether a thread is before an addition to a word that no load reads, and does the same for all that the word may
    /// hold, or for all from some value on.
    fn counts_freely(&mut self, index: usize) -> bool {
        let Status::Ready(operation) = self.threads[index].status else { return false };
        operation.kind == EventKind::ReadModifyWrite
            && self.adds_freely(index, operation).is_some_and(Adds::is_open)
    }

    fn is_inside(&self, index: usize) -> bool {
        let known = self.model.operational().and_then(|operational| operational.threads.get(index));
        known.is_some_and(|known| known.inside)
    }

    /// How old a store a thread that is about to read may read instead of the last, where no other order of steps shows
    /// the same: 1 is the store before the last.
    pub(crate) fn older_stores(&mut self, index: usize) -> SmallVec<[u32; 2]> {
        let none = SmallVec::new();
        if !self.follows_orders() {
            return none;
        }
        let Status::Ready(Operation { kind, address, order, .. }) = self.threads[index].status else {
            return none;
        };
        let (expected, order) = match kind {
            EventKind::Read if order != MemoryOrder::NotAtomic => (None, order),
            // Had it failed it would wait, and then be where it is if it does not fail.
            EventKind::CompareExchange if self.only_awaits(index) => return none,
            EventKind::CompareExchange if !mutant(Mutant::OperationalExchangeLast) => {
                (self.expected(index), self.failure_order(index))
            }
            EventKind::FutexWait if !self.is_inside(index) => {
                let call = self.with_context(index, 0, crate::sync::futex_call);
                match call {
                    Some(Ok(FutexCall::Wait { expected, .. })) => {
                        (Some(u64::from(expected)), MemoryOrder::Relaxed)
                    }
                    _ => (None, MemoryOrder::Relaxed),
                }
            }
            _ => return none,
        };
        let weak = self.probe().weakly_expected(index).is_some();
        let Some(operational) = self.model.operational() else { return none };
        let (Some(location), Some(known)) =
            (operational.locations.get(&address), operational.threads.get(index))
        else {
            return none;
        };
        let mut known = Known::clone(known);
        if kind == EventKind::FutexWait
            && let Some(queue) = operational.objects.get(&(address, Class::Queue))
        {
            // It gets into the queue in the same step.
            known.order.join(&queue.last().order);
        }
        let last = location.stores.len() - 1;
        let possible = |at: &usize| {
            let found = Some(location.stores[*at].datum.value) == expected;
            match kind {
                // It would have to be put behind what it reads.
                EventKind::CompareExchange => !found || weak,
                // A thread that waits comes after those that were woken.
                EventKind::FutexWait => !found || location.gone + *at as u32 >= location.floor,
                _ => true,
            }
        };
        location
            .behind(&known, index as u32, order)
            .rev()
            .filter(possible)
            .map(|at| (last - at) as u32)
            .collect()
    }

    /// The order of a pending compare-exchange if it fails.
    fn failure_order(&self, index: usize) -> MemoryOrder {
        match self.pending_atomic(index).map(|atomic| atomic.kind) {
            Some(AtomicKind::CompareExchange { failure, .. }) => crate::interpret::atomics::order(failure),
            _ => MemoryOrder::Relaxed,
        }
    }

    /// A thread takes a step in which it reads a store before the last.
    pub(crate) fn step_reading_older(&mut self, index: usize, back: u32) -> Stepped {
        let operation = match self.threads[index].status {
            Status::Ready(operation) => operation,
            _ => return Stepped::Stopped,
        };
        let (address, back) = (operation.address, back as usize);
        let expected = self.probe().weakly_expected(index);
        let location = self.model.operational().and_then(|operational| operational.locations.get(&address));
        let found = location.and_then(|location| {
            let at = location.stores.len().checked_sub(1 + back)?;
            Some((location.stores[at].datum, location.last().datum, location.size))
        });
        let Some((datum, last, size)) = found else {
            self.halt(index, Halt::unsupported("reading an earlier store that is not there"));
            return Stepped::Ended;
        };
        self.write_now(address, size, datum);
        self.current_step.back = back;
        // A weak compare-exchange that finds what it expects fails all the same.
        let alternative = u32::from(expected == Some(datum.value));
        let stepped = self.run(index, true, alternative);
        let is_there =
            self.model.operational().is_some_and(|operational| operational.locations.contains_key(&address));
        if is_there && self.memory.find(address).is_some() {
            self.write_now(address, size, last);
        }
        stepped
    }

    /// What was found since the last time.
    pub(crate) fn operational_over(&mut self) -> Result<(), Halt> {
        self.current_step.beyond.take().map_or(Ok(()), Err)
    }

    /// A thread has done something visible. `answer`: what a call has given back besides success.
    pub(crate) fn operational_event(&mut self, index: usize, operation: Operation, answer: &[u8]) {
        use EventKind::*;
        if !self.follows_orders() {
            return;
        }
        if self.atomic.is_some() {
            return self.operational_result(Err(Beyond));
        }
        let Operation { kind, address, size, order } = operation;
        let bytes = (address, u64::from(size));
        let lock = (address, Class::Lock);
        let queue = (address, Class::Queue);
        let success = answer.is_empty();
        let operate = |machine: &mut Machine, at, effect, order| {
            machine.operational_do(|operational| operational.operate(index, at, effect, order));
        };
        let attempt = |machine: &mut Machine, effect, order| {
            machine.operational_do(|operational| operational.attempt(index, lock, effect, order));
        };
        let access = |machine: &mut Machine, bytes: (u64, u64), effect, order| {
            let datum = machine.probe().content(bytes.0, bytes.1.min(8) as u8);
            let kept = machine.config.looked_at.contains(&bytes.0);
            let back = std::mem::take(&mut machine.current_step.back);
            machine.operational_do(|operational| {
                operational.atomic(index, bytes, effect, order, (datum, kept), back)
            });
        };
        if let Some((object, effect)) = kind.on_object()
            && object != SyncObject::Futex
        {
            match effect {
                // Whether the initialiser is to be run is an answer, too.
                SyncEffect::Acquire(_) if success || object == SyncObject::Once => {
                    return operate(self, lock, Effect::Update, effect.order());
                }
                SyncEffect::Release if success => {
                    return operate(self, lock, Effect::Update, effect.order());
                }
                SyncEffect::Try(_) if success => return attempt(self, Effect::Update, effect.order()),
                SyncEffect::Try(_) => return attempt(self, Effect::Load, MemoryOrder::Relaxed),
                _ => {}
            }
        }
        match kind {
            Read | Write if order == MemoryOrder::NotAtomic => {
                self.operational_do(|operational| operational.plain(index, bytes, kind == Write));
            }
            Read | CompareExchangeFailed => access(self, bytes, Effect::Load, order),
            Write => access(self, bytes, Effect::Store, order),
            ReadModifyWrite if std::mem::take(&mut self.current_step.counts) => {
                access(self, bytes, Effect::Count, order);
            }
            ReadModifyWrite | CompareExchange => access(self, bytes, Effect::Update, order),
            FutexLock | FutexPark => access(self, (address, 4), Effect::Update, MemoryOrder::Acquire),
            Fence => self.operational_do(|operational| {
                operational.fence(index, order);
                Ok(())
            }),
            BarrierWait => {
                let leaves = self.operational_enters(index, success);
                let order = if leaves { MemoryOrder::Acquire } else { MemoryOrder::AcqRel };
                operate(self, lock, Effect::Update, order);
            }
            FutexWait => {
                let leaves = self.operational_enters(index, success);
                if !leaves {
                    access(self, (address, 4), Effect::Load, MemoryOrder::Relaxed);
                }
                if leaves || success {
                    operate(self, queue, Effect::Update, MemoryOrder::Relaxed);
                }
            }
            FutexWake => {
                let known = self.with_context(index, 0, crate::sync::futex_call);
                self.operational_do(|operational| match known {
                    Some(Ok(_)) => operational.wake_futex(index, address),
                    _ => Err(Beyond),
                });
            }
            CondWait if success => {
                let mutex = self.with_context(index, 0, |context| context.int(1));
                let Some(Ok(mutex)) = mutex else { return self.operational_result(Err(Beyond)) };
                operate(self, queue, Effect::Update, MemoryOrder::Relaxed);
                operate(self, (mutex, Class::Lock), Effect::Update, MemoryOrder::Release);
            }
            Random => operate(self, lock, Effect::Update, MemoryOrder::AcqRel),
            CondSignal | CondBroadcast => operate(self, queue, Effect::Update, MemoryOrder::Relaxed),
            ThreadCreate => {
                let shared = self.is_known_to_others(address, 8);
                self.operational_do(|operational| match shared {
                    true => operational.plain(index, (address, 8), true),
                    false => Ok(()),
                });
            }
            ThreadJoin if success => {
                let child = crate::sync::thread_with_handle(self, address);
                let touched = std::mem::take(&mut self.current_step.touched);
                self.operational_do(|operational| {
                    operational.join(index, child.ok_or(Beyond)?);
                    touched.into_iter().try_for_each(|(address, size, writes)| {
                        operational.plain(index, (address, size), writes)
                    })
                });
            }
            SyncInit | SyncDestroy if address == 0 => {}
            SyncInit | SyncDestroy => {
                let shared = self.is_known_to_others(address, 1);
                let size = self.traits_at(index).object.map(SyncObject::size);
                self.operational_do(|operational| {
                    operational.objects.remove(&lock);
                    match shared {
                        true => operational.plain(index, (address, size.ok_or(Beyond)?), true),
                        false => Ok(()),
                    }
                });
            }
            LibraryCall if self.looks_at_locks(index) => {
                self.operational_result(Err(Beyond));
            }
            Yield | Sleep | Exit | ThreadExit | ThreadDetach | Output | LibraryCall => {}
            _ => self.operational_result(Err(Beyond)),
        }
    }

    /// A thread comes to where it may have to wait, or leaves it: whether it leaves.
    fn operational_enters(&mut self, index: usize, waits: bool) -> bool {
        let Some(operational) = self.operational_mut() else { return false };
        let inside = &mut operational.known(index).inside;
        let leaves = std::mem::take(inside);
        *inside = !leaves && waits;
        leaves
    }

    /// Whether a thread stands before a call that looks at a synchronisation object or accesses memory atomically.
    fn looks_at_locks(&self, index: usize) -> bool {
        let traits = self.traits_at(index);
        traits.has(Trait::Unordered) || traits.object.is_some()
    }

    pub(crate) fn is_known_to_others(&mut self, address: u64, size: u64) -> bool {
        let at = Pointer { address, provenance: Provenance::NONE };
        self.memory.check(at, size).is_ok_and(|bounds| bounds.shared)
    }

    /// A thread has made another one.
    pub(crate) fn operational_create(&mut self, parent: usize, child: usize) {
        if self.follows_orders() {
            self.operational_do(|operational| {
                operational.create(parent, child);
                Ok(())
            });
        }
    }

    /// A thread has ended.
    pub(crate) fn operational_end(&mut self, thread: usize) {
        if self.follows_orders() {
            self.operational_do(|operational| {
                operational.known(thread).ended = true;
                Ok(())
            });
        }
    }

    /// The thread that acts wakes another one.
    pub(crate) fn operational_wakes(&mut self, woken: usize) {
        if self.follows_orders() {
            let running = self.current_step.running;
            self.operational_do(|operational| {
                operational.wakes(running, woken);
                Ok(())
            });
        }
    }

    /// An object that a thread alone knew becomes known to others.
    pub(crate) fn operational_publish(&mut self, thread: usize, address: u64, size: u64) {
        if self.follows_orders() {
            self.operational_do(|operational| {
                operational.publish(thread, (address, size));
                Ok(())
            });
        }
    }

    /// A thread gives an object back.
    pub(crate) fn operational_free(&mut self, thread: usize, address: u64, size: u64) {
        if self.follows_orders() {
            self.operational_do(|operational| operational.free(thread, (address, size)));
        }
    }

    /// What was in an object of a thread is gone, and the object is there still.
    pub(crate) fn operational_fresh(&mut self, thread: usize, address: u64, size: u64) {
        if self.follows_orders() {
            self.operational_do(|operational| operational.plain(thread, (address, size.max(1)), true));
        }
    }

    /// Locations that were read since the last time, and that were not expected to be.
    pub fn take_looked_at(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.current_step.newly_looked_at)
    }

    /// A hash of what of this belongs to the state.
    pub(crate) fn operational_hash(&self) -> u128 {
        let hash = || Parts::sum(|parts| self.operational_parts(parts));
        self.model.operational().map_or(0, |operational| *operational.hash.get_or_init(hash))
    }

    /// What of this belongs to the state.
    pub(crate) fn operational_parts(&self, parts: &mut Parts<'_>) {
        if let Some(operational) = self.model.operational() {
            operational.parts(&|index| u64::from(self.threads[index].arena), parts);
        }
    }
}
