//! Bytes of memory that are expressions, and accesses that are steps of the record.

use super::operation::{After, Plan};
use super::{Changes, Concolic, PrivateStore};
use crate::halt::Halt;
use crate::inspect::Probe;
use crate::machine::Machine;
use crate::memory::{Pointer, Provenance};
use rustc_hash::FxHashMap;
use selvedge_paths::{BranchKind, Location, Move, Performed, Step};
use selvedge_program::code::{AtomicKind, RmwOp, Slot};
use selvedge_terms::{Binary, Comparison, Source, Symbol, Term, Terms};
use selvedge_trace::MemoryOrder;

/// Where the results of threads are, as far as the record goes: memory of no thread.
const RESULTS: u64 = 0x7fff_0000_0000_0000;
/// The handle of the thread whose result is there, if that is what is there.
pub(super) fn result_of(address: u64) -> Option<u64> {
    address.checked_sub(RESULTS).map(|offset| offset / 8)
}

/// Bytes that one step reads or writes at most.
const WORD: u64 = 8;
/// Bytes of shared memory that library functions read one by one.
const MOST_SEEN: usize = 64;

/// What an atomic operation stores, and whether it is known how.
fn modified(terms: &mut Terms, op: RmwOp, old: Term, operand: Term) -> Option<Term> {
    let width = terms.width(old);
    Some(match op {
        RmwOp::Exchange => operand,
        RmwOp::Add => terms.binary(Binary::Add, old, operand),
        RmwOp::Sub => terms.binary(Binary::Sub, old, operand),
        RmwOp::And => terms.and(old, operand),
        RmwOp::Nand => {
            let both = terms.and(old, operand);
            terms.not(both)
        }
        RmwOp::Or => terms.or(old, operand),
        RmwOp::Xor => terms.xor(old, operand),
        RmwOp::Max => terms.maximum(true, old, operand),
        RmwOp::Min => terms.minimum(true, old, operand),
        RmwOp::UMax => terms.maximum(false, old, operand),
        RmwOp::UMin => terms.minimum(false, old, operand),
        RmwOp::UIncWrap => {
            let (zero, one) = (terms.constant(width, 0), terms.constant(width, 1));
            let (less, next) = (terms.unsigned_less(old, operand), terms.add(old, one));
            terms.choose(less, next, zero)
        }
        RmwOp::UDecWrap => {
            let (zero, one) = (terms.constant(width, 0), terms.constant(width, 1));
            let (is_zero, large) = (terms.equal(old, zero), terms.unsigned_less(operand, old));
            let (wraps, before) = (terms.or(is_zero, large), terms.sub(old, one));
            terms.choose(wraps, operand, before)
        }
        RmwOp::USubCond | RmwOp::USubSat => {
            let less = terms.unsigned_less(old, operand);
            let (difference, zero) = (terms.sub(old, operand), terms.constant(width, 0));
            let otherwise = if op == RmwOp::USubCond { old } else { zero };
            terms.choose(less, otherwise, difference)
        }
        RmwOp::FAdd | RmwOp::FSub | RmwOp::FMax | RmwOp::FMin => return None,
    })
}

impl Machine {
    /// The expression that bytes of memory are, as a slot holds it.
    pub(super) fn loaded(&mut self, address: u64, len: u32) -> Option<Term> {
        if len == 0 {
            return None;
        }
        let mut terms = vec![None; len as usize];
        for (offset, term) in self.memory.terms(address, len.into()) {
            terms[offset as usize] = Some(term);
        }
        let concolic = self.concolic.as_mut()?;
        for (index, term) in terms.iter_mut().enumerate() {
            if let Some(&fresh) = concolic.fresh.get(&(address + index as u64)) {
                *term = Some(fresh);
            }
        }
        if terms.iter().all(|term| term.is_none()) {
            return None;
        }
        let mut bytes = vec![0; len as usize];
        self.memory.read_bytes(address, &mut bytes);
        let known = bytes.into_iter().zip(terms);
        let bytes: Vec<Term> = known
            .map(|(byte, term)| term.unwrap_or_else(|| concolic.terms.constant(8, byte.into())))
            .collect();
        let value = concolic.terms.assemble(&bytes);
        Some(concolic.terms.zero_extend(value, 64))
    }

    /// Bytes were copied: those that were read as symbols are the same ones at their new place.
    pub(crate) fn concolic_moved(&mut self, to: u64, from: u64, len: u64) {
        let Some(concolic) = &self.concolic else { return };
        if concolic.fresh.is_empty() {
            return;
        }
        let moved: Vec<(u64, Term)> =
            (0..len).filter_map(|index| Some((to + index, *concolic.fresh.get(&(from + index))?))).collect();
        for (address, term) in moved {
            self.memory.set_term(address, Some(term));
        }
    }

    /// Memory before the first decision is what it is in every execution.
    pub(crate) fn note_baseline(&mut self) {
        let misses = |concolic: &Concolic| concolic.baseline.is_none() && concolic.predicates.is_none();
        if self.concolic.as_deref().is_some_and(misses) {
            let baseline = self.memory.snapshot();
            if let Some(concolic) = &mut self.concolic {
                concolic.baseline = Some(baseline);
            }
        }
    }

    pub(super) fn note_initial(&mut self, address: u64, len: u64) {
        let Some(concolic) = &mut self.concolic else { return };
        for at in address..address + len {
            if !concolic.initial.contains_key(&at) {
                let byte = concolic.baseline.as_ref().and_then(|baseline| baseline.byte(at)).unwrap_or(0);
                concolic.initial.insert(at, byte);
            }
        }
    }

    pub(super) fn push_step(&mut self, thread: usize, step: Step) {
        self.push_step_at(thread, self.inspect().position(thread), step);
    }

    fn push_step_at(&mut self, thread: usize, position: u32, step: Step) {
        let name = self.threads[thread].name.clone();
        let Some(concolic) = &mut self.concolic else { return };
        let moves = concolic.moves;
        let own = concolic.own(thread);
        let continues = own.last.replace(moves) == Some(moves);
        own.steps.push(Performed { step, continues, position });
        own.groups += usize::from(!continues);
        if !continues {
            concolic.order.push(Move::Step { thread: name });
        }
    }

    /// The next symbol for what a thread reads.
    pub(super) fn read_symbol(&mut self, thread: usize, width: u32) -> Option<Term> {
        let name = self.threads[thread].name.clone();
        let concolic = self.concolic.as_mut()?;
        concolic.active = true;
        let own = concolic.own(thread);
        let index = own.reads;
        own.reads += 1;
        Some(concolic.terms.symbol(&Symbol::Read { thread: name, index }, width))
    }

    /// A thread reads shared memory.
    pub(crate) fn concolic_read(&mut self, thread: usize, address: u64, len: u64, order: MemoryOrder) {
        if !self.records() {
            return;
        }
        for at in (0..len).step_by(WORD as usize) {
            let (address, len) = (address + at, (len - at).min(WORD));
            self.note_initial(address, len);
            let Some(symbol) = self.read_symbol(thread, 8 * len as u32) else { return };
            self.push_step(thread, Step::Read { at: Location::new(address, len as u32), symbol, order });
            let Some(concolic) = &mut self.concolic else { return };
            let bytes = concolic.terms.bytes(symbol);
            concolic.fresh.extend((address..).zip(bytes));
        }
    }

    /// A thread writes shared memory: these bytes, where they are no expressions.
    pub(crate) fn concolic_write(&mut self, thread: usize, address: u64, bytes: &[u8], order: MemoryOrder) {
        if !self.records() {
            return;
        }
        for (index, part) in bytes.chunks(WORD as usize).enumerate() {
            let address = address + index as u64 * WORD;
            self.note_initial(address, part.len() as u64);
            let Some(concolic) = &mut self.concolic else { return };
            let mut value = Vec::new();
            for (at, &byte) in (address..).zip(part) {
                let term = concolic.outgoing.remove(&at);
                value.push(term.unwrap_or_else(|| concolic.terms.constant(8, byte.into())));
            }
            let value = concolic.terms.assemble(&value);
            self.push_step(
                thread,
                Step::Write { at: Location::new(address, part.len() as u32), value, order },
            );
        }
    }

    /// Bytes are copied to shared memory: what is known of them becomes part of the step.
    pub(crate) fn concolic_copy(&mut self, from: u64, to: u64, len: u64) {
        if !self.records() {
            return;
        }
        let terms = self.memory.terms(from, len);
        let Some(concolic) = &mut self.concolic else { return };
        concolic.outgoing.extend(terms.into_iter().map(|(offset, term)| (to + offset, term)));
        let fresh: Vec<(u64, Term)> =
            (0..len).filter_map(|index| Some((to + index, *concolic.fresh.get(&(from + index))?))).collect();
        concolic.outgoing.extend(fresh);
    }

    /// Bytes are copied of which the source or the target is shared.
    pub(crate) fn concolic_copied(
        &mut self,
        thread: usize,
        (from, from_shared): (Pointer, bool),
        (to, to_shared): (Pointer, bool),
        bytes: &[u8],
    ) {
        if !self.records() {
            return;
        }
        let len = bytes.len() as u64;
        if from_shared {
            self.concolic_read(thread, from.address, len, MemoryOrder::NotAtomic);
        }
        if to_shared {
            let mut pointers = Vec::new();
            self.memory.pointers_in(from.address, len, &mut pointers);
            pointers.into_iter().for_each(|provenance| self.concolic_share(thread, provenance));
            self.concolic_copy(from.address, to.address, len);
            self.concolic_write(thread, to.address, bytes, MemoryOrder::NotAtomic);
        }
    }

    /// A slot of the running frame has gone to memory of the thread's own.
    pub(crate) fn write_terms(&mut self, thread: usize, address: u64, slot: Slot, len: u32) {
        let Some(term) = self.term_of(thread, slot) else { return };
        let Some(concolic) = &mut self.concolic else { return };
        let bytes: Vec<Term> = concolic.terms.bytes(term);
        for (at, byte) in (address..).zip(bytes).take(len as usize) {
            self.memory.set_term(at, Some(byte));
        }
    }

    /// A thread ends and leaves a result. It is written to a place of its own, where a thread that joins it reads it:
    /// what that one does next depends on a value, not on what the thread has decided.
    pub(crate) fn concolic_left(&mut self, thread: usize, handle: u64, result: Pointer) {
        if result.is_null() || !self.records() {
            return;
        }
        self.concolic_share(thread, result.provenance);
        self.concolic_write(
            thread,
            RESULTS + 8 * handle,
            &result.address.to_le_bytes(),
            MemoryOrder::NotAtomic,
        );
    }

    /// The result of a thread that was joined, to be written to memory: the bytes that it is, where that is no step.
    pub(crate) fn concolic_taken(&mut self, thread: usize, handle: u64, to: Pointer) -> Vec<Term> {
        if !self.records() {
            return Vec::new();
        }
        let from = RESULTS + 8 * handle;
        self.concolic_read(thread, from, 8, MemoryOrder::NotAtomic);
        let shared = self.memory.check(to, 8).is_ok_and(|bounds| bounds.shared);
        let Some(concolic) = &mut self.concolic else { return Vec::new() };
        let bytes: Vec<Term> = (from..from + 8).filter_map(|at| concolic.fresh.get(&at).copied()).collect();
        match shared {
            true => {
                concolic.outgoing.extend((to.address..).zip(bytes));
                Vec::new()
            }
            false => bytes,
        }
    }

    /// Bytes of a thread's own memory are these expressions.
    pub(crate) fn set_byte_terms(&mut self, address: u64, terms: &[Term]) {
        for (at, &term) in (address..).zip(terms) {
            self.memory.set_term(at, Some(term));
        }
    }

    /// Whether what the program asks for is a symbol.
    pub(crate) fn takes_symbols(&self) -> bool {
        self.concolic.as_ref().is_some_and(|concolic| concolic.wanted.inputs)
    }

    /// A byte that a model writes is a symbol: said before it is written, where that is a step, and after it.
    pub(crate) fn send_symbol(&mut self, at: Pointer, symbol: &Symbol, before: bool) {
        if !self.takes_symbols() {
            return;
        }
        let step = self.records() && self.memory.check(at, 1).is_ok_and(|bounds| bounds.shared);
        let Some(concolic) = &mut self.concolic else { return };
        concolic.active = true;
        let term = concolic.terms.symbol(symbol, 8);
        match (step, before) {
            (true, true) => {
                concolic.outgoing.insert(at.address, term);
            }
            (false, false) => self.memory.set_term(at.address, Some(term)),
            _ => {}
        }
    }

    /// What a pointer leads to becomes reachable for others: what is there becomes a step of the thread that shares it,
    /// since no other thread can have seen it.
    pub(crate) fn concolic_share(&mut self, thread: usize, provenance: Provenance) {
        if provenance == Provenance::NONE || !self.records() {
            return;
        }
        if self.watch && self.model.buffers().is_some() {
            // What is published goes to the buffer before the pointer does. That makes no difference: where the pointer
            // must come later, no thread can have read it before.
            if let Err(Halt::Unsupported(what)) = self.share(thread, provenance) {
                self.beyond(what);
            }
            return;
        }
        let mut objects = Vec::new();
        self.memory.share_and_tell(provenance, &mut |base, size| objects.push((base, size)));
        for (base, size) in objects {
            self.note_object(base, size);
            self.write_out(thread, base, size, false);
        }
    }

    /// A compare-exchange that succeeds makes known what its new value points to. Where no other thread knew that
    /// before, its success is a decision: what the thread does from now on to the object others may see, or not.
    fn share_by_exchange(&mut self, thread: usize, object: Provenance, success: Term, succeeds: bool) {
        if object == Provenance::NONE || self.is_shared(object.base()) {
            return;
        }
        let position = self.inspect().position(thread);
        let Some(concolic) = &mut self.concolic else { return };
        concolic.position = position;
        let success = concolic.terms.truncate(success, 1);
        let condition = if succeeds { success } else { concolic.terms.not(success) };
        concolic.branch(thread, condition, succeeds.into(), BranchKind::Ordinary);
        if succeeds {
            self.concolic_share(thread, object);
        }
    }

    /// A thread is about to write to an object that no other thread can reach, where that will matter later: the number
    /// of the store.
    pub(crate) fn concolic_private(&mut self, thread: usize, address: u64, len: u8) -> u32 {
        if !self.records() {
            return 0;
        }
        let terms = self.memory.terms(address, len.into());
        let Some(concolic) = &mut self.concolic else { return 0 };
        let own = concolic.own(thread);
        own.private += 1;
        let tag = own.private;
        if !terms.is_empty() {
            own.overwritten.insert(tag, terms);
        }
        tag
    }

    /// What a thread has written to an object that is about to be published, since its last barrier: where, and the
    /// expressions of the bytes. What they were before is there again afterwards.
    pub(crate) fn concolic_changes(&mut self, thread: usize, object: (u64, u64)) -> Option<Changes> {
        if !self.records() {
            return None;
        }
        let changes = self.model.buffers()?.private_changes(thread, object);
        let mut terms: FxHashMap<u64, Term> = FxHashMap::default();
        for (offset, term) in self.memory.terms(object.0, object.1) {
            terms.insert(object.0 + offset, term);
        }
        let concolic = self.concolic.as_mut()?;
        let mut stores = Vec::new();
        // From the last one: what it has overwritten is what was there after the one before.
        for change in changes.iter().rev() {
            let bytes = change.value.to_le_bytes();
            let value: Vec<Term> = (change.address..)
                .zip(&bytes[..change.len.into()])
                .map(|(at, &byte)| match terms.get(&at) {
                    Some(&term) => term,
                    None => concolic.terms.constant(8, byte.into()),
                })
                .collect();
            let value = concolic.terms.assemble(&value);
            stores.push(PrivateStore {
                at: Location::new(change.address, change.len.into()),
                value,
                order: change.order,
                position: change.origin.map(|origin| origin.position),
            });
            let (from, len) = change.written;
            (from..from + u64::from(len)).for_each(|at| _ = terms.remove(&at));
            let before = concolic.own(thread).overwritten.remove(&change.tag).unwrap_or_default();
            terms.extend(before.into_iter().map(|(offset, term)| (from + offset, term)));
        }
        stores.reverse();
        Some(Changes { stores, before: terms })
    }

    /// An object was published, and what the thread has written there recently waits in its buffer.
    pub(crate) fn concolic_published(
        &mut self,
        thread: usize,
        (base, size): (u64, u64),
        changes: Option<Changes>,
    ) {
        let Some(changes) = changes else { return };
        self.note_object(base, size);
        for (address, term) in changes.before {
            self.memory.set_term(address, Some(term));
        }
        self.write_out(thread, base, size, false);
        for PrivateStore { at, value, order, position } in changes.stores {
            self.note_initial(at.address, at.size.into());
            let position = position.unwrap_or_else(|| self.inspect().position(thread));
            self.push_step_at(thread, position, Step::Publish { at, value, waits: Some(order) });
        }
    }

    fn note_object(&mut self, base: u64, size: u64) {
        if let Some(concolic) = &mut self.concolic {
            concolic.objects.insert(base, size);
        }
    }

    /// The first thread is about to be created: what memory holds besides what it always holds becomes steps.
    pub(crate) fn concolic_begin(&mut self, thread: usize) {
        if !self.concolic.as_ref().is_some_and(|concolic| concolic.wanted.reads) {
            return;
        }
        self.note_baseline();
        if let Some(concolic) = &mut self.concolic {
            concolic.active = true;
        }
        let program = &*self.program_here();
        let own = program
            .globals
            .iter()
            .filter(|global| !global.constant && !global.thread_local && !global.external);
        let mut ranges: Vec<(u64, u64)> = own.map(|global| (global.address, global.size)).collect();
        let globals = ranges.len();
        self.memory.each_live(&mut |_, base, object| {
            if object.shared {
                ranges.push((base, object.size));
            }
        });
        for (base, size) in ranges.iter().copied().skip(globals) {
            self.note_object(base, size);
        }
        for (base, size) in ranges {
            self.write_out(thread, base, size, true);
        }
        self.begin_outside(thread);
    }

    /// The bytes of an object become steps, those excepted that hold nothing or, if `changed`, what they held at first.
    fn write_out(&mut self, thread: usize, base: u64, size: u64, changed: bool) {
        let mut at = base;
        while at < base + size {
            // Words as they lie, whatever is in them: a record does not depend on values.
            let len = (WORD - at % WORD).min(base + size - at);
            self.write_out_part(thread, at, len, changed);
            at += len;
        }
    }

    fn write_out_part(&mut self, thread: usize, at: u64, len: u64, changed: bool) {
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..len as usize];
        let all = self.memory.read_bytes(at, bytes);
        let terms = self.memory.terms(at, len);
        if !all && !self.memory.defined_bytes(at, len as usize).contains(&true) {
            return;
        }
        let Some(concolic) = &mut self.concolic else { return };
        let same = |(address, byte): (u64, &u8)| {
            concolic.baseline.as_ref().and_then(|baseline| baseline.byte(address)) == Some(*byte)
        };
        if changed && terms.is_empty() && all && (at..).zip(bytes.iter()).all(same) {
            return;
        }
        if !all && len > 1 {
            (at..at + len).for_each(|at| self.write_out_part(thread, at, 1, changed));
            return;
        }
        concolic.outgoing.extend(terms.into_iter().map(|(offset, term)| (at + offset, term)));
        let bytes = bytes.to_vec();
        self.note_initial(at, len);
        let Some(concolic) = &mut self.concolic else { return };
        let value: Vec<Term> = (at..)
            .zip(&bytes)
            .map(|(at, &byte)| {
                concolic.outgoing.remove(&at).unwrap_or_else(|| concolic.terms.constant(8, byte.into()))
            })
            .collect();
        let value = concolic.terms.assemble(&value);
        self.push_step(thread, Step::Publish { at: Location::new(at, len as u32), value, waits: None });
    }

    /// Prepares an atomic operation: what was there before it, where that is not for others to change.
    pub(super) fn plan_atomic(&mut self, thread: usize, after: After) -> After {
        let After::Atomic(mut plan) = after else { return after };
        let old = self.loaded(plan.address, plan.bytes.into());
        let known = self.memory.read(plan.address, plan.bytes as usize).value;
        if self.records() && matches!(plan.kind, AtomicKind::CompareExchange { weak: true, .. }) {
            // While nothing of it is done.
            self.fails_for_no_reason(thread, plan.address);
        }
        let Some(concolic) = &mut self.concolic else { return After::Nothing };
        let old = old.unwrap_or_else(|| concolic.terms.constant(64, known.into()));
        plan.old = Some(concolic.terms.truncate(old, plan.width));
        concolic.plan = Some(plan.clone());
        After::Atomic(plan)
    }

    /// An atomic operation on shared memory is performed. `weak`: it may fail for no reason.
    pub(crate) fn concolic_atomic(&mut self, thread: usize, order: MemoryOrder, weak: bool) {
        if !self.records() {
            return;
        }
        let Some(plan) = self.concolic.as_mut().and_then(|concolic| concolic.plan.take()) else {
            self.beyond("atomic accesses to shared memory of floats, or of more than 8 bytes");
            return;
        };
        let bits = 8 * u32::from(plan.bytes);
        let at = Location::new(plan.address, plan.bytes.into());
        self.note_initial(plan.address, plan.bytes.into());
        let weak = weak && self.fails_for_no_reason(thread, plan.address);
        let symbol = match plan.kind {
            AtomicKind::Store { .. } | AtomicKind::Fence => None,
            _ => self.read_symbol(thread, bits),
        };
        let name = self.threads[thread].name.clone();
        let Some(concolic) = &mut self.concolic else { return };
        let old = symbol.map(|symbol| concolic.terms.truncate(symbol, plan.width));
        let choice = match weak {
            true => {
                let own = concolic.own(thread);
                let occurrence = own.choices;
                own.choices += 1;
                Some(concolic.terms.symbol(&Symbol::Choice { thread: name, occurrence }, 1))
            }
            false => None,
        };
        let (new, updates) = finish(&mut concolic.terms, &plan, old, choice);
        let new = new.map(|new| concolic.terms.zero_extend(new, bits));
        let step = match (symbol, new) {
            (Some(symbol), Some(value)) => Step::Update { at, symbol, value, order },
            (Some(symbol), None) => Step::Read { at, symbol, order },
            (None, Some(value)) => Step::Write { at, value, order },
            (None, None) => return,
        };
        self.push_step(thread, step);
        if let (AtomicKind::CompareExchange { weak: true, .. }, Some(&(_, Some(success)))) =
            (&plan.kind, updates.last())
            && let Some(concolic) = &mut self.concolic
        {
            let success = concolic.terms.truncate(success, 1);
            self.tried(thread, success);
        }
        if let (AtomicKind::CompareExchange { .. }, Some(&(slot, Some(success)))) =
            (&plan.kind, updates.last())
        {
            let succeeds = self.threads[thread].register(slot) & 1 == 1;
            self.share_by_exchange(thread, plan.shares, success, succeeds);
        }
        let frame = self.threads[thread].frames.len() - 1;
        self.set_terms(thread, frame, &updates);
    }

    /// An atomic operation on a thread's own memory has been performed.
    pub(super) fn finish_atomic(&mut self, thread: usize, frame: usize) {
        let Some(concolic) = &mut self.concolic else { return };
        let Some(plan) = concolic.plan.take() else { return };
        let weak = matches!(plan.kind, AtomicKind::CompareExchange { weak: true, .. });
        let open = |term: Option<Term>| term.is_some_and(|term| concolic.terms.known(term).is_none());
        if concolic.predicates.is_some() && weak && (open(plan.old) || open(plan.expected)) {
            // Whether it has failed for no reason is no part of the expressions.
            let what = "weak compare-exchanges of values that depend on inputs";
            concolic.beyond.get_or_insert_with(|| what.to_owned());
        }
        let (new, updates) = finish(&mut concolic.terms, &plan, plan.old, None);
        if let Some(new) = new {
            let value = self.memory.read(plan.address, plan.bytes.into()).value;
            let bytes = match concolic.is_too_deep(new) {
                true => {
                    concolic.pin(thread, new, value, BranchKind::Library);
                    Vec::new()
                }
                false => concolic.terms.bytes(new),
            };
            for (address, byte) in (plan.address..).zip(bytes) {
                if concolic.terms.known(byte).is_none() {
                    concolic.outgoing.insert(address, byte);
                }
            }
        }
        self.set_terms(thread, frame, &updates);
    }

    /// The bytes of memory that come from outside, from an address on.
    pub(crate) fn concolic_source(&mut self, address: u64, len: u32, source: &Source) {
        let Some(concolic) = &mut self.concolic else { return };
        concolic.active = true;
        for offset in 0..len {
            let symbol = Symbol::Byte { source: source.clone(), offset };
            // Arguments are text.
            let term = concolic.terms.symbol(&symbol, 7);
            let term = concolic.terms.zero_extend(term, 8);
            self.memory.set_term(address + u64::from(offset), Some(term));
        }
    }

    /// A model has read these bytes: what they decide is not known, so they are what they are.
    pub(crate) fn concolic_seen(&mut self, thread: usize, from: Pointer, bytes: &[u8]) {
        let Some(concolic) = &self.concolic else { return };
        if !concolic.active || bytes.is_empty() {
            return;
        }
        let quiet = concolic.quiet;
        let shared = self.memory.check(from, bytes.len() as u64).is_ok_and(|bounds| bounds.shared);
        if quiet {
            let told =
                shared && self.records() || !self.memory.terms(from.address, bytes.len() as u64).is_empty();
            if let Some(lazy) = self.concolic.as_mut().and_then(|concolic| concolic.lazy.last_mut()) {
                lazy.memory |= told;
            }
            return;
        }
        if shared && self.records() {
            if bytes.len() <= MOST_SEEN {
                // How many bytes it reads may depend on what they are: each is known before the next one is read.
                let position = self.inspect().position(thread);
                for (address, &byte) in (from.address..).zip(bytes) {
                    self.concolic_read(thread, address, 1, MemoryOrder::NotAtomic);
                    let Some(concolic) = &mut self.concolic else { return };
                    if let Some(&term) = concolic.fresh.get(&address) {
                        concolic.position = position;
                        concolic.pin(thread, term, byte.into(), BranchKind::Library);
                    }
                }
                return;
            }
            self.concolic_read(thread, from.address, bytes.len() as u64, MemoryOrder::NotAtomic);
        }
        let mut pinned: Vec<(Term, u8)> = Vec::new();
        let own = self.memory.terms(from.address, bytes.len() as u64);
        let Some(concolic) = &mut self.concolic else { return };
        for (index, &byte) in bytes.iter().enumerate() {
            if let Some(&term) = concolic.fresh.get(&(from.address + index as u64)).filter(|_| shared) {
                pinned.push((term, byte));
            } else if let Some((_, term)) = own.iter().find(|(offset, _)| *offset == index as u64) {
                pinned.push((*term, byte));
            }
        }
        if !pinned.is_empty() {
            self.note_baseline();
        }
        let position = self.inspect().position(thread);
        let Some(concolic) = &mut self.concolic else { return };
        concolic.position = position;
        for (term, byte) in pinned {
            concolic.pin(thread, term, byte.into(), BranchKind::Library);
        }
    }
}

impl Probe<'_> {
    /// The bytes of a global variable, with the expressions that they are.
    pub fn global_bytes(&mut self, name: &str) -> Option<Vec<(u8, Option<Term>)>> {
        let program = &*self.machine.program_here();
        let global = program.globals.iter().find(|global| &*global.name == name)?;
        let mut bytes = vec![0; global.size as usize];
        self.machine.memory.read_bytes(global.address, &mut bytes);
        let mut found: Vec<(u8, Option<Term>)> = bytes.into_iter().map(|byte| (byte, None)).collect();
        for (offset, term) in self.machine.memory.terms(global.address, global.size) {
            found[offset as usize].1 = Some(term);
        }
        Some(found)
    }
}

/// What an atomic operation stores, and what its result slots are.
#[allow(clippy::type_complexity)]
fn finish(
    terms: &mut Terms,
    plan: &Plan,
    old: Option<Term>,
    choice: Option<Term>,
) -> (Option<Term>, Vec<(Slot, Option<Term>)>) {
    let widen = |terms: &mut Terms, term: Option<Term>| term.map(|term| terms.zero_extend(term, 64));
    match (&plan.kind, old) {
        (AtomicKind::Load { dst }, old) => (None, vec![(*dst, widen(terms, old))]),
        (AtomicKind::ReadModifyWrite { op, dst, .. }, Some(old)) => {
            let new = plan.operand.and_then(|operand| modified(terms, *op, old, operand));
            (new, vec![(*dst, widen(terms, Some(old)))])
        }
        (AtomicKind::CompareExchange { dst, .. }, Some(old)) => {
            let (Some(expected), Some(desired)) = (plan.expected, plan.operand) else {
                return (None, Vec::new());
            };
            let mut success = terms.compare(Comparison::Equal, old, expected);
            if let Some(choice) = choice {
                let holds = terms.not(choice);
                success = terms.and(success, holds);
            }
            let new = terms.choose(success, desired, old);
            let updates =
                vec![(*dst, widen(terms, Some(old))), (*dst + plan.slots, widen(terms, Some(success)))];
            (Some(new), updates)
        }
        _ => (plan.operand, Vec::new()),
    }
}
