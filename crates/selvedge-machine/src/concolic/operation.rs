//! One operation on expressions: what it decides, what it pins, and what its results are.

use crate::memory::Provenance;
use crate::traits::Traits;
use rustc_hash::FxHashMap;
use selvedge_paths::{BranchKind, Step};
use selvedge_program::Use;
use selvedge_program::code::{Access, Atomic, AtomicKind, Call, Callee, Function, Op, Slot};
use selvedge_terms::{Term, Terms};
use smallvec::SmallVec;

/// What is left to do when the operation has been performed.
pub(super) enum After {
    Nothing,
    /// These slots are these expressions, or known.
    Slots(SmallVec<[(Slot, Option<Term>); 4]>),
    /// These slots hold so many bytes of memory: (slot, address, length).
    Load(Vec<(Slot, u64, u32)>),
    /// An atomic operation.
    Atomic(Box<Plan>),
    /// Bytes have been copied.
    Copy {
        to: u64,
        from: u64,
        len: u64,
    },
}

/// An atomic operation: its operands as expressions.
#[derive(Clone)]
pub(crate) struct Plan {
    pub kind: AtomicKind,
    pub address: u64,
    pub bytes: u8,
    pub width: u32,
    /// How many slots the value takes.
    pub slots: u32,
    /// What is stored, added and so on.
    pub operand: Option<Term>,
    pub expected: Option<Term>,
    /// What was there before, where that is not for others to change.
    pub old: Option<Term>,
    /// What a compare-exchange would make known to others.
    pub shares: Provenance,
}

/// An operation, and the frame that it is performed in.
pub(super) struct Operation<'a> {
    pub terms: &'a mut Terms,
    pub slots: &'a mut FxHashMap<Slot, Term>,
    pub registers: &'a [u64],
    pub function: &'a Function,
    pub branches: Vec<Step>,
    pub outgoing: &'a mut FxHashMap<u64, Term>,
    /// What was pinned to which value, if that is asked for.
    pub pinned: Option<&'a mut FxHashMap<(Term, u64), Term>>,
}

/// One slot is an expression.
pub(super) fn one(dst: Slot, term: Option<Term>) -> After {
    After::Slots([(dst, term)].into_iter().collect())
}

impl Operation<'_> {
    pub fn has(&self, slot: Slot) -> bool {
        self.slots.contains_key(&slot)
    }

    pub fn register(&self, slot: Slot) -> u64 {
        self.registers[slot as usize]
    }

    /// The value of a slot, as an expression of so many bits.
    pub fn value(&mut self, slot: Slot, width: u32) -> Term {
        match self.slots.get(&slot) {
            Some(&term) => self.terms.truncate(term, width),
            None => self.terms.constant(width, self.registers[slot as usize].into()),
        }
    }

    /// An expression as slots hold it.
    pub fn widen(&mut self, term: Term) -> Option<Term> {
        Some(self.terms.zero_extend(term, 64))
    }

    pub fn branch(&mut self, condition: Term, outcome: u64, kind: BranchKind) {
        if self.terms.known(condition).is_none() {
            self.branches.push(Step::Branch { condition, outcome, kind });
        }
    }

    /// A condition of one bit decides: it was so.
    pub fn decide(&mut self, condition: Term, holds: bool, kind: BranchKind) {
        let condition = if holds { condition } else { self.terms.not(condition) };
        self.branch(condition, holds.into(), kind);
    }

    /// A slot is the value that it is.
    pub fn pin(&mut self, slot: Slot, kind: BranchKind) {
        if let Some(term) = self.slots.remove(&slot) {
            let value = self.registers[slot as usize];
            let known = self.terms.constant(64, value.into());
            let condition = self.terms.equal(term, known);
            if let Some(pinned) = &mut self.pinned {
                pinned.insert((condition, value), term);
            }
            self.branch(condition, value, kind);
        }
    }

    /// Everything that the operation reads is what it is; what it writes is known.
    pub fn pin_all(&mut self, op: Op) -> After {
        let (mut read, mut written) = (Vec::new(), Vec::new());
        op.operands(self.function, &mut |usage, slot, count| match usage {
            Use::Write => written.extend(slot..slot + count),
            _ => read.extend(slot..slot + count),
        });
        read.into_iter().for_each(|slot| self.pin(slot, BranchKind::Library));
        After::Slots(written.into_iter().map(|slot| (slot, None)).collect())
    }

    fn copied(&self, dst: Slot, src: Slot, count: u32) -> After {
        let copy = |index| (dst + index, self.slots.get(&(src + index)).copied());
        After::Slots((0..count).map(copy).collect())
    }

    fn address(&mut self, pointer: Slot, offset: i32) -> u64 {
        self.pin(pointer, BranchKind::Address);
        self.register(pointer).wrapping_add(i64::from(offset) as u64)
    }

    /// The bytes of a slot go to memory.
    fn store(&mut self, address: u64, slot: Slot, len: u32) {
        let Some(&term) = self.slots.get(&slot) else { return };
        for index in 0..len.min(8) {
            let byte = self.terms.extract(term, 8 * index, 8);
            if self.terms.known(byte).is_none() {
                self.outgoing.insert(address.wrapping_add(u64::from(index)), byte);
            }
        }
    }

    fn leaves(&mut self, access: &Access) -> Vec<(Slot, u64, u32)> {
        let at = self.address(access.ptr, access.offset);
        let mut parts = Vec::new();
        for &(offset, leaf, slot) in &access.leaves {
            let bytes = leaf.bytes();
            for part in (0..bytes).step_by(8) {
                let address = at.wrapping_add(u64::from(offset + part));
                parts.push((slot + part / 8, address, (bytes - part).min(8)));
            }
        }
        parts
    }

    pub fn perform(&mut self, op: Op) -> After {
        match op {
            Op::Const { dst, .. } => one(dst, None),
            Op::Move { dst, src } => self.copied(dst, src, 1),
            Op::MoveMany { dst, src, count } | Op::Freeze { dst, src, count } => self.copied(dst, src, count),
            Op::MoveIf { count, dst, cond, src } => self.move_if(count.into(), dst, cond, src),
            Op::Undefined { dst, count } => {
                After::Slots((dst..dst + count).map(|slot| (slot, None)).collect())
            }
            Op::Load { bytes, dst, ptr, offset } => {
                let address = self.address(ptr, offset);
                After::Load(vec![(dst, address, bytes.into())])
            }
            Op::LoadPtr { dst, ptr, offset } => {
                let address = self.address(ptr, offset);
                After::Load(vec![(dst, address, 8), (dst + 1, address, 0)])
            }
            Op::Store { bytes, src, ptr, offset } => {
                let address = self.address(ptr, offset);
                self.store(address, src, bytes.into());
                After::Nothing
            }
            Op::StorePtr { src, ptr, offset } => {
                let address = self.address(ptr, offset);
                self.store(address, src, 8);
                After::Nothing
            }
            Op::LoadMany { index } => {
                let function = self.function;
                let access = &function.accesses[index as usize];
                let mut loads = self.leaves(access);
                for &(_, leaf, slot) in &access.leaves {
                    if leaf == selvedge_program::code::Leaf::Ptr {
                        loads.push((slot + 1, 0, 0));
                    }
                }
                After::Load(loads)
            }
            Op::StoreMany { index } => {
                let function = self.function;
                for (slot, address, len) in self.leaves(&function.accesses[index as usize]) {
                    self.store(address, slot, len);
                }
                After::Nothing
            }
            Op::MemCopy { dst, src, len } => {
                self.pin(len, BranchKind::Address);
                let len = self.register(len);
                let (to, from) = (self.address(dst, 0), self.address(src, 0));
                After::Copy { to, from, len }
            }
            Op::MemSet { dst, value, len } => {
                self.pin(len, BranchKind::Address);
                let (to, len) = (self.address(dst, 0), self.register(len));
                if let Some(&term) = self.slots.get(&value) {
                    let byte = self.terms.extract(term, 0, 8);
                    if self.terms.known(byte).is_none() {
                        self.outgoing.extend((0..len).map(|index| (to.wrapping_add(index), byte)));
                    }
                }
                After::Nothing
            }
            Op::Alloca { dst, index } => {
                let function = self.function;
                if let Some(count) = function.allocas[index as usize].count {
                    self.pin(count, BranchKind::Address);
                }
                After::Slots([(dst, None), (dst + 1, None)].into_iter().collect())
            }
            Op::Atomic { index } => {
                let function = self.function;
                self.atomic(op, &function.atomics[index as usize])
            }
            Op::BranchIf { cond, .. } | Op::BranchUnless { cond, .. } => {
                if self.has(cond) {
                    let (value, zero) = (self.value(cond, 64), self.terms.constant(64, 0));
                    let is_zero = self.terms.equal(value, zero);
                    let condition = self.terms.not(is_zero);
                    self.decide(condition, self.register(cond) != 0, BranchKind::Ordinary);
                }
                After::Nothing
            }
            Op::BranchCompare { kind, a, b, .. } => {
                if self.has(a) || self.has(b) {
                    let condition = self.compare(kind, a, b);
                    let holds = crate::ops::binary::compare(kind, self.register(a), self.register(b));
                    self.decide(condition, holds, BranchKind::Ordinary);
                }
                After::Nothing
            }
            Op::BranchCompareImm { kind, width, a, imm, .. } => {
                if self.has(a) {
                    let condition = self.compare_immediate(kind, width, a, imm);
                    let immediate = crate::ops::binary::immediate(imm, width);
                    let holds = crate::ops::binary::compare(kind, self.register(a), immediate);
                    self.decide(condition, holds, BranchKind::Ordinary);
                }
                After::Nothing
            }
            Op::Switch { index } => {
                self.switch(index);
                After::Nothing
            }
            Op::IndirectBranch { ptr } => {
                self.pin(ptr, BranchKind::Address);
                After::Nothing
            }
            Op::Jump { .. }
            | Op::Unreachable
            | Op::Unsupported { .. }
            | Op::Call { .. }
            | Op::Return { .. } => After::Nothing,
            Op::Wide { .. } | Op::Repack { .. } | Op::Intrinsic { .. } => self.rare(op),
            op => self.arithmetic(op),
        }
    }

    fn atomic(&mut self, op: Op, atomic: &Atomic) -> After {
        if matches!(atomic.kind, AtomicKind::Fence) {
            return After::Nothing;
        }
        self.pin(atomic.ptr, BranchKind::Address);
        if atomic.bytes > 8 || atomic.float.is_some() {
            return self.pin_all(op);
        }
        let (operand, expected) = match atomic.kind {
            AtomicKind::Load { .. } | AtomicKind::Fence => (None, None),
            AtomicKind::Store { src } | AtomicKind::ReadModifyWrite { src, .. } => (Some(src), None),
            AtomicKind::CompareExchange { expected, desired, .. } => (Some(desired), Some(expected)),
        };
        let width = atomic.width;
        After::Atomic(Box::new(Plan {
            kind: atomic.kind.clone(),
            address: self.register(atomic.ptr),
            bytes: atomic.bytes,
            width,
            slots: atomic.slots(),
            operand: operand.map(|slot| self.value(slot, width)),
            expected: expected.map(|slot| self.value(slot, width)),
            old: None,
            shares: match atomic.kind {
                AtomicKind::CompareExchange { desired, .. } if atomic.pointer => {
                    Provenance(self.register(desired + 1))
                }
                _ => Provenance::NONE,
            },
        }))
    }

    /// A select. Pointers consist of two slots of which one is no number: they are decided upon.
    fn move_if(&mut self, count: u32, dst: Slot, cond: Slot, src: Slot) -> After {
        let taken = self.register(cond) != 0;
        if self.has(cond) {
            let (value, zero) = (self.value(cond, 64), self.terms.constant(64, 0));
            let is_zero = self.terms.equal(value, zero);
            if count == 1 {
                let (kept, moved) = (self.value(dst, 64), self.value(src, 64));
                let chosen = self.terms.choose(is_zero, kept, moved);
                return one(dst, Some(chosen));
            }
            let condition = self.terms.not(is_zero);
            self.decide(condition, taken, BranchKind::Ordinary);
        }
        if taken { self.copied(dst, src, count) } else { After::Nothing }
    }

    fn switch(&mut self, index: u32) {
        let function = self.function;
        let switch = &function.switches[index as usize];
        if !self.has(switch.value) {
            return;
        }
        let value = self.register(switch.value);
        let found = switch.cases.binary_search_by_key(&value, |&(case, _)| case);
        let target = found.map_or(switch.default, |found| switch.cases[found].1);
        let term = self.value(switch.value, 64);
        let mut is = |case: u64| {
            let case = self.terms.constant(64, case.into());
            self.terms.equal(term, case)
        };
        let here: Vec<Term> =
            switch.cases.iter().filter(|(_, to)| *to == target).map(|&(case, _)| is(case)).collect();
        let elsewhere: Vec<Term> =
            switch.cases.iter().filter(|(_, to)| *to != target).map(|&(case, _)| is(case)).collect();
        let condition = match target == switch.default {
            // Whatever is in no case that leads elsewhere comes here.
            true => {
                let elsewhere = self.terms.any(elsewhere);
                self.terms.not(elsewhere)
            }
            false => self.terms.any(here),
        };
        self.branch(condition, target.into(), BranchKind::Switch);
    }

    /// A call: of a function of the program, or of a model with this name.
    pub fn call(&mut self, call: &Call, native: Option<&Traits>) -> After {
        if let Callee::Pointer(slot) = call.callee {
            self.pin(slot, BranchKind::Address);
        }
        match native {
            Some(traits) => self.native(call, traits),
            None => {
                for argument in call.args.iter().filter(|argument| argument.byval.is_some()) {
                    self.pin(argument.slot, BranchKind::Address);
                }
                After::Nothing
            }
        }
    }
}
