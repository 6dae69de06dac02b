//! Waiting for words of memory and at barriers, one-time initialisation, and things that go away.

use crate::machine::Machine;
use crate::memory::{ObjectKind, Pointer, Provenance};
use selvedge_paths::{BranchKind, Cause, FUTEX, Location, Step};
use selvedge_program::code::{Op, Slot};
use selvedge_terms::{Symbol, Term};
use selvedge_trace::{EventKind, MemoryOrder, SyncObject};

/// States of one-time initialisation, in the lower two bits of its word.
const ONCE_NEW: u128 = 0;
const ONCE_RUNNING: u128 = 1;
const ONCE_DONE: u128 = 2;

impl Machine {
    /// A thread waits for a word of memory, if that is as expected.
    pub(crate) fn concolic_futex_wait(
        &mut self,
        thread: usize,
        at: u64,
        (expected, slot): (u32, Option<Slot>),
        sleeps: bool,
        timed: bool,
    ) {
        self.note_initial(at, 4);
        let wanted = slot.and_then(|slot| self.term_of(thread, slot));
        let Some(symbol) = self.read_symbol(thread, 32) else { return };
        let order = MemoryOrder::SeqCst;
        self.push_step(thread, Step::Read { at: Location::new(at, 4), symbol, order });
        let position = self.inspect().position(thread);
        let Some(concolic) = &mut self.concolic else { return };
        concolic.position = position;
        let wanted = match wanted {
            Some(term) => concolic.terms.truncate(term, 32),
            None => concolic.terms.constant(32, expected.into()),
        };
        let same = concolic.terms.equal(symbol, wanted);
        let condition = if sleeps { same } else { concolic.terms.not(same) };
        concolic.branch(thread, condition, sleeps.into(), BranchKind::Ordinary);
        if sleeps {
            concolic.own(thread).waiting = Some((at | FUTEX, 0, timed));
            self.push_step(thread, Step::Wait { queue: at | FUTEX, lock: None });
        }
    }

    /// A thread that has waited for a word goes on.
    pub(crate) fn concolic_futex_woken(&mut self, thread: usize, expired: bool) {
        let waiting = self.concolic.as_mut().and_then(|concolic| concolic.own(thread).waiting.take());
        let Some((queue, _, timed)) = waiting else { return };
        let cause = if expired { Cause::Expired } else { Cause::Notified };
        self.push_step(thread, Step::Wake { queue, lock: None, cause, timed });
    }

    /// A thread wakes others that wait for a word. What it learns of them is a symbol.
    pub(crate) fn concolic_futex_wake(&mut self, thread: usize, at: u64, most: u32, slot: Slot) {
        let all = most != 1;
        if all && u64::from(most) < u64::from(u16::MAX) {
            return self.beyond("futex calls that wake some of many");
        }
        let Some(symbol) = self.read_symbol(thread, if all { 32 } else { 1 }) else { return };
        let Some(concolic) = &mut self.concolic else { return };
        let index = concolic.own(thread).reads - 1;
        let learned = concolic.learned.get(&index).copied();
        let zero = concolic.terms.constant(if all { 32 } else { 1 }, 0);
        let none = concolic.terms.equal(symbol, zero);
        let woken = Some(concolic.terms.not(none));
        let result = concolic.terms.zero_extend(symbol, 64);
        self.push_step(thread, Step::Notify { queue: at | FUTEX, all, woken });
        let frame = self.threads[thread].frames.len() - 1;
        if let Some(learned) = learned {
            self.thread_mut(thread).set_register(slot, learned);
        }
        self.set_terms(thread, frame, &[(slot, Some(result))]);
    }

    /// Whether the weak compare-exchange that a thread is before, at this address, may fail for no reason. Those of Rust's
    /// standard library do not: it tries again, and that is all.
    pub(super) fn fails_for_no_reason(&mut self, thread: usize, address: u64) -> bool {
        let frames = self.threads[thread].frames.iter().rev();
        let mut names = frames.map(|frame| &*self.program.functions[frame.function as usize].display);
        let asks = names.find(|name| !name.trim_start_matches('<').starts_with("core::sync::atomic"));
        let library = |name: &str| {
            let name = name.trim_start_matches('<');
            name.starts_with("std::") || name.starts_with("alloc::")
        };
        !asks.is_some_and(library) && self.arrives(thread, address)
    }

    /// The slot for the result of the call that a thread is in.
    fn result_slot(&self, thread: usize) -> Option<Slot> {
        let frame = self.threads[thread].frames.last()?;
        let function = &self.program.functions[frame.function as usize];
        let Op::Call { index } = function.code[frame.pc as usize] else { return None };
        Some(function.calls[index as usize].dst)
    }

    /// The symbol that a thread reads next.
    fn next_symbol(&mut self, thread: usize, width: u32) -> Option<Term> {
        let name = self.threads[thread].name.clone();
        let concolic = self.concolic.as_mut()?;
        let index = concolic.own(thread).reads;
        Some(concolic.terms.symbol(&Symbol::Read { thread: name, index }, width))
    }

    /// Waiting until a word has a value, and leaving another one there.
    pub(super) fn futex_take(&mut self, thread: usize, kind: EventKind, at: u64) -> Option<Step> {
        let (found, left) = kind.awaited()?;
        self.note_initial(at, 4);
        let symbol = self.next_symbol(thread, 32)?;
        let terms = &mut self.concolic.as_mut()?.terms;
        let [free, value] = [found, left].map(|value| terms.constant(32, u128::from(value)));
        let condition = terms.equal(symbol, free);
        let (at, order) = (Location::new(at, 4), MemoryOrder::Acquire);
        Some(Step::Await { at, symbol, condition, value, order })
    }

    pub(super) fn futex_taken(&mut self, thread: usize, kind: EventKind, at: u64) {
        if !self.records() {
            return;
        }
        if let Some(step) = self.futex_take(thread, kind, at) {
            self.read_symbol(thread, 32);
            self.push_step(thread, step);
        }
    }

    /// Waiting until no thread runs an initialiser, and running it if none has: that is the second result, 64 bits.
    pub(super) fn once_entry(&mut self, thread: usize, at: u64) -> Option<(Step, Term)> {
        self.note_initial(at, 4);
        let symbol = self.next_symbol(thread, 32)?;
        let terms = &mut self.concolic.as_mut()?.terms;
        let state = terms.extract(symbol, 0, 2);
        let [new, running] = [ONCE_NEW, ONCE_RUNNING].map(|value| terms.constant(2, value));
        let (is_new, is_running) = (terms.equal(state, new), terms.equal(state, running));
        let condition = terms.not(is_running);
        let taken = terms.constant(32, ONCE_RUNNING);
        let value = terms.choose(is_new, taken, symbol);
        let first = terms.zero_extend(is_new, 64);
        let (at, order) = (Location::new(at, 4), MemoryOrder::AcqRel);
        Some((Step::Await { at, symbol, condition, value, order }, first))
    }

    pub(super) fn once_entered(&mut self, thread: usize, at: u64) {
        if !self.records() {
            return;
        }
        let Some((step, first)) = self.once_entry(thread, at) else { return };
        self.read_symbol(thread, 32);
        self.push_step(thread, step);
        if let Some(slot) = self.result_slot(thread) {
            let frame = self.threads[thread].frames.len() - 1;
            self.set_terms(thread, frame, &[(slot, Some(first))]);
        }
    }

    pub(super) fn once_done(&mut self, thread: usize, at: u64) {
        if !self.records() {
            return;
        }
        self.note_initial(at, 4);
        let Some(concolic) = &mut self.concolic else { return };
        let value = concolic.terms.constant(32, ONCE_DONE);
        let order = MemoryOrder::SeqCst;
        self.push_step(thread, Step::Write { at: Location::new(at, 4), value, order });
    }

    /// A thread arrives at a barrier, or leaves it. `last`: it was the last one to arrive.
    pub(super) fn at_barrier(&mut self, thread: usize, barrier: u64, last: bool) {
        if !self.records() {
            return;
        }
        let threads = crate::sync::needed_at_barrier(self, barrier);
        if threads > u32::from(u16::MAX) {
            return self.beyond("barriers for so many threads");
        }
        let Some(concolic) = &mut self.concolic else { return };
        let own = concolic.own(thread);
        if std::mem::take(&mut own.arrived) {
            return self.push_step(thread, Step::Leave { barrier });
        }
        own.arrived = !last;
        self.push_step(thread, Step::Arrive { barrier, threads, last });
    }

    /// Whether other threads may know what is at an address.
    pub(super) fn is_shared(&mut self, address: u64) -> bool {
        self.memory
            .check(Pointer { address, provenance: Provenance::NONE }, 0)
            .is_ok_and(|bounds| bounds.shared)
    }

    /// Whether a thread has objects that others may know and that go with it.
    pub(super) fn leaves_shared(&mut self, thread: usize) -> bool {
        let this = &self.threads[thread];
        let objects: Vec<Pointer> =
            this.stack.iter().copied().chain(this.thread_locals.values().copied()).collect();
        objects.into_iter().any(|object| self.is_shared(object.address))
    }

    /// A lock or its like was destroyed. `busy`: it was not, since a thread holds it.
    pub(super) fn destroyed(&mut self, thread: usize, at: u64, busy: bool) {
        if !self.records() {
            return;
        }
        match self.traits_at(thread).object {
            Some(SyncObject::Mutex) => {
                self.push_step(thread, Step::TryLock { lock: at, taken: !busy });
            }
            Some(SyncObject::Semaphore | SyncObject::Condition | SyncObject::Barrier) if !busy => {}
            _ => return self.beyond("the destruction of locks and their like that threads share"),
        }
        if !busy {
            self.push_step(thread, Step::Destroy { object: at });
        }
    }

    /// A thread frees what others may know.
    pub(crate) fn concolic_freed(&mut self, thread: usize, start: u64, size: u64, kind: ObjectKind) {
        // What leaves the stack does so without any thread waiting for it.
        let drains = kind != ObjectKind::Stack;
        self.push_step(thread, Step::Free { start, size, drains });
    }

    /// The lifetime of a local variable that others may know begins or ends.
    pub(crate) fn concolic_lifetime(&mut self, thread: usize, (start, size): (u64, u64), begins: bool) {
        match begins {
            true => self.beyond("local variables that are shared and begin again"),
            false => self.concolic_freed(thread, start, size, ObjectKind::Stack),
        }
    }
}
