//! Branches, phis, returns, landing pads.

use super::arithmetic::{Compared, negated};
use super::emit::Label;
use super::plan::Form;
use super::{Lowered, Lowering, NOWHERE};
use crate::code::*;
use crate::constants::is_constant;
use crate::llvm::{Block, Opcode, Value, ValueKind};
use crate::{BLOCK_BASE, PointerTarget};

/// One assignment of an edge: all of them happen at once.
#[derive(Clone, Copy)]
struct Assignment {
    dst: Slot,
    count: u32,
    from: Source,
}

#[derive(Clone, Copy)]
enum Source {
    Slots(Slot),
    /// A pointer plus an offset.
    Offset(Slot, i32),
    /// A number that becomes a carrier.
    Number(Slot),
    Constant(Value, bool),
}

impl Source {
    /// Slots that it reads.
    fn reads(self, count: u32) -> std::ops::Range<Slot> {
        match self {
            Source::Slots(slot) => slot..slot + count,
            Source::Offset(slot, _) => slot..slot + 2,
            Source::Number(slot) => slot..slot + 1,
            Source::Constant(..) => 0..0,
        }
    }
}

fn overlap(a: &std::ops::Range<Slot>, b: &std::ops::Range<Slot>) -> bool {
    a.start < b.end && b.start < a.end
}

impl Lowering<'_, '_> {
    /// What the phis of a successor get on the edge from a block.
    fn assignments(&mut self, from: u32, to: u32) -> Result<Vec<Assignment>, String> {
        let block = &self.body.blocks[to as usize];
        let (first, phis) = (block.first, block.phis);
        let origin = self.body.blocks[from as usize].block;
        let mut list = Vec::new();
        for index in first..first + phis {
            let phi = self.body.insts[index as usize].value;
            let Some((value, _)) = phi.incoming().find(|(_, block)| *block == origin) else { continue };
            let dst = self.places[self.body.value_id(index) as usize];
            let carrier = self.carries(phi);
            let count = self.slots_of(phi);
            let from = self.source(value, carrier)?;
            if !matches!(from, Source::Slots(src) if src == dst) && count > 0 {
                list.push(Assignment { dst, count, from });
            }
        }
        Ok(list)
    }

    fn source(&self, value: Value, carrier: bool) -> Result<Source, String> {
        if is_constant(value) {
            return Ok(Source::Constant(value, carrier));
        }
        let id = self.body.id(value).ok_or("a value from unreachable code")?;
        let place = self.places[id as usize];
        if place == NOWHERE {
            return Err("a value that is not computed yet".into());
        }
        Ok(match self.offsets.get(&id) {
            Some(&offset) => Source::Offset(place, offset),
            None if carrier && !self.carries(value) => Source::Number(place),
            None => Source::Slots(place),
        })
    }

    /// Carries out assignments as if at once: one whose target is still to be read waits, a cycle goes through a
    /// temporary.
    fn assign(&mut self, mut pending: Vec<Assignment>) -> Lowered {
        while !pending.is_empty() {
            let ready = (0..pending.len()).find(|&index| {
                let target = pending[index].dst..pending[index].dst + pending[index].count;
                pending.iter().enumerate().all(|(other, waiting)| {
                    other == index || !overlap(&target, &waiting.from.reads(waiting.count))
                })
            });
            let Some(index) = ready else {
                let Assignment { count, from, .. } = pending[0];
                let kept = self.temporary(count);
                self.assign_one(Assignment { dst: kept, count, from })?;
                pending[0].from = Source::Slots(kept);
                continue;
            };
            let assignment = pending.remove(index);
            self.assign_one(assignment)?;
        }
        Ok(())
    }

    fn assign_one(&mut self, assignment: Assignment) -> Lowered {
        let Assignment { dst, count, from } = assignment;
        match from {
            Source::Slots(src) => self.code.copy(dst, src, count),
            Source::Offset(base, imm) => self.code.emit(Op::PtrAddImm { dst, base, imm }),
            Source::Number(src) => self.code.emit(Op::IntToPtr { dst, src }),
            Source::Constant(value, carrier) => self.value_into_shape(value, dst, carrier)?,
        }
        Ok(())
    }

    /// The assignments of an edge; what cannot be lowered stops a run that takes the edge.
    pub(super) fn edge(&mut self, from: u32, to: u32) {
        let done = self.assignments(from, to).and_then(|list| self.assign(list));
        if let Err(what) = done {
            self.code.unsupported(what);
        }
    }

    fn has_assignments(&mut self, from: u32, to: u32) -> bool {
        self.assignments(from, to).map_or(true, |list| !list.is_empty())
    }

    pub(super) fn jump(&mut self, from: u32, to: u32) {
        if to != from + 1 {
            let next = self.block_labels.get(from as usize + 1).copied();
            self.code.jump(self.block_labels[to as usize], next);
        }
    }

    fn successor(&self, block: Block) -> Result<u32, String> {
        self.body.block(block).ok_or_else(|| "a branch to an unknown block".to_owned())
    }

    pub(super) fn terminator(&mut self, index: u32) -> Lowered {
        let inst = self.body.insts[index as usize];
        let (value, block) = (inst.value, inst.block);
        match inst.opcode {
            Opcode::LLVMRet => self.ret(value)?,
            Opcode::LLVMUnreachable => self.code.emit(Op::Unreachable),
            Opcode::LLVMResume => {
                let src = self.slot(value.operand(0))?;
                self.code.emit(Op::Resume { src });
            }
            Opcode::LLVMBr if value.successor_count() == 1 => {
                let to = self.successor(value.successor(0))?;
                self.edge(block, to);
                self.jump(block, to);
            }
            Opcode::LLVMBr => self.conditional(value, block)?,
            Opcode::LLVMSwitch => self.switch(value, block)?,
            _ => self.indirect(value, block)?,
        }
        Ok(())
    }

    fn ret(&mut self, value: Value) -> Lowered {
        let atomic = super::is_atomic(self.function.name());
        if value.operand_count() == 0 {
            if atomic {
                self.call_library("__VERIFIER_atomic_end", &[]);
            }
            self.code.emit(Op::Return { src: 0, count: 0 });
            return Ok(());
        }
        let result = value.operand(0);
        let count = self.linker.types.slots(result.ty());
        let src = self.slot(result)?;
        if atomic {
            self.call_library("__VERIFIER_atomic_end", &[]);
        }
        self.code.emit(Op::Return { src, count });
        Ok(())
    }

    fn conditional(&mut self, value: Value, block: u32) -> Lowered {
        let condition = value.operand(0);
        let (yes, no) = (self.successor(value.successor(0))?, self.successor(value.successor(1))?);
        if yes == no {
            self.edge(block, yes);
            self.jump(block, yes);
            return Ok(());
        }
        let fused =
            self.body.inst(condition).is_some_and(|inst| self.plan.forms[inst as usize] == Form::Fused);
        let test =
            if fused { Test::Compared(self.compared(condition)?) } else { Test::Slot(self.slot(condition)?) };
        let (move_yes, move_no) = (self.has_assignments(block, yes), self.has_assignments(block, no));
        if !move_yes && (yes != block + 1 || move_no) {
            self.branch(&test, true, self.block_labels[yes as usize]);
            self.edge(block, no);
            self.jump(block, no);
        } else if !move_no {
            self.branch(&test, false, self.block_labels[no as usize]);
            self.edge(block, yes);
            self.jump(block, yes);
        } else {
            let otherwise = self.code.label();
            self.branch(&test, false, otherwise);
            self.edge(block, yes);
            self.code.emit(Op::Jump { target: self.block_labels[yes as usize] });
            self.code.place(otherwise);
            self.edge(block, no);
            self.jump(block, no);
        }
        Ok(())
    }

    fn branch(&mut self, test: &Test, when: bool, target: Label) {
        self.code.emit(match *test {
            Test::Slot(cond) if when => Op::BranchIf { cond, target },
            Test::Slot(cond) => Op::BranchUnless { cond, target },
            Test::Compared(Compared::Slots { kind, a, b }) => {
                let kind = if when { kind } else { negated(kind) };
                Op::BranchCompare { kind, a, b, target }
            }
            Test::Compared(Compared::Immediate { kind, width, a, imm }) => {
                let kind = if when { kind } else { negated(kind) };
                Op::BranchCompareImm { kind, width, a, imm, target }
            }
        });
    }

    /// Where an edge of a terminator with several targets leads: the block, or code in front of it that assigns
    /// its phis, which [`Self::finish_stubs`] emits.
    fn edge_target(&mut self, from: u32, to: u32, stubs: &mut Vec<(u32, Label)>) -> Label {
        if !self.has_assignments(from, to) {
            return self.block_labels[to as usize];
        }
        if let Some(&(_, label)) = stubs.iter().find(|stub| stub.0 == to) {
            return label;
        }
        let label = self.code.label();
        stubs.push((to, label));
        label
    }

    fn finish_stubs(&mut self, from: u32, stubs: Vec<(u32, Label)>) {
        for (to, label) in stubs {
            self.code.place(label);
            self.edge(from, to);
            self.code.emit(Op::Jump { target: self.block_labels[to as usize] });
        }
    }

    fn switch(&mut self, value: Value, block: u32) -> Lowered {
        let scrutinee = value.operand(0);
        let Leaf::Int(width) = self.leaf(scrutinee.ty())? else {
            return Err(format!("a switch on type {}", scrutinee.ty().describe()));
        };
        let slot = self.slot(scrutinee)?;
        let mut stubs = Vec::new();
        let to = self.successor(value.successor(0))?;
        let default = self.edge_target(block, to, &mut stubs);
        let mut cases = Vec::new();
        for index in 1..value.successor_count() {
            let to = self.successor(value.successor(index))?;
            cases.push((value.switch_case(index), self.edge_target(block, to, &mut stubs)));
        }
        if width > 64 {
            self.wide_switch(width, slot, &cases, default)?;
        } else {
            let mut cases: Vec<_> = cases.into_iter().map(|(case, to)| (case.int(), to)).collect();
            cases.sort_unstable();
            self.code.switch(Switch { value: slot, cases: cases.into(), default });
        }
        self.finish_stubs(block, stubs);
        Ok(())
    }

    /// A switch on an integer of more than 64 bits compares with one case after the other. The cases are not shared with
    /// the code behind them, which may be reached before all of them were written.
    fn wide_switch(&mut self, width: u32, a: Slot, cases: &[(Value, Label)], default: Label) -> Lowered {
        let (b, dst) = (self.temporary(width.div_ceil(64)), self.temporary(1));
        for &(case, target) in cases {
            self.constant_into(case, b)?;
            self.code.wide(Wide { op: WideOp::Compare(Comparison::Eq), width, dst, a, b });
            self.code.emit(Op::BranchIf { cond: dst, target });
        }
        self.code.emit(Op::Jump { target: default });
        Ok(())
    }

    fn indirect(&mut self, value: Value, block: u32) -> Lowered {
        let ptr = self.slot(value.operand(0))?;
        let mut stubs = Vec::new();
        let mut cases = Vec::new();
        let taken: Vec<Block> = self.taken_blocks();
        for index in 0..value.successor_count() {
            let target = value.successor(index);
            let to = self.successor(target)?;
            let label = self.edge_target(block, to, &mut stubs);
            if let Some(number) = taken.iter().position(|&other| other == target) {
                cases.push((BLOCK_BASE + ((u64::from(self.id) << 16) | number as u64) * 16, label));
            }
        }
        if stubs.is_empty() {
            self.code.emit(Op::IndirectBranch { ptr });
            return Ok(());
        }
        // The phis of the targets differ, so the address is looked up here.
        cases.sort_unstable();
        cases.dedup();
        let default = self.code.label();
        self.code.switch(Switch { value: ptr, cases: cases.into(), default });
        self.finish_stubs(block, stubs);
        self.code.place(default);
        self.code.emit(Op::Unreachable);
        Ok(())
    }

    fn taken_blocks(&self) -> Vec<Block> {
        self.function.blocks().filter(|block| block.address_taken()).collect()
    }

    /// The table behind [`Op::IndirectBranch`], in the order of the blocks' addresses.
    pub(super) fn take_block_addresses(&mut self) {
        let mut dead = None;
        for block in self.taken_blocks() {
            let label = match self.body.block(block) {
                Some(index) => self.block_labels[index as usize],
                None => *dead.get_or_insert_with(|| {
                    let label = self.code.label();
                    self.code.place(label);
                    self.code.emit(Op::Unreachable);
                    label
                }),
            };
            self.code.blocks_taken.push(label);
        }
    }

    /// The entry of a landing pad. Without phis it is the same for all invokes.
    pub(super) fn unwind_label(&mut self, to: u32) -> Label {
        let shared = self.body.blocks[to as usize].phis == 0;
        if let (true, Some(&label)) = (shared, self.landing_labels.get(&to)) {
            return label;
        }
        let label = self.code.label();
        if shared {
            self.landing_labels.insert(to, label);
        }
        self.pending_landings.push((to, label));
        label
    }

    /// Code of a landing pad's entry.
    pub(super) fn landing_stub(&mut self, from: u32, to: u32, label: Label) {
        self.code.place(label);
        self.edge(from, to);
        let block = &self.body.blocks[to as usize];
        let index = block.first + block.phis;
        let pad = self.body.insts[index as usize];
        if pad.opcode != Opcode::LLVMLandingPad {
            self.code.unsupported(format!("instruction {:?}", pad.opcode));
            return;
        }
        self.code.position = self.linker.positions.of_instruction(&self.linker.context, pad.value);
        self.code.site = pad.site;
        match self.landing_pad(index, pad.value) {
            Ok(pad) => {
                self.code.landing_pads.push(pad);
                self.code.emit(Op::LandingPad { index: self.code.landing_pads.len() as u32 - 1 });
            }
            Err(what) => self.code.unsupported(what),
        }
        self.code.emit(Op::Jump { target: self.block_labels[to as usize] });
    }

    fn landing_pad(&mut self, index: u32, value: Value) -> Result<LandingPad, String> {
        let leaves: Vec<Leaf> = self.layout(value).leaves.iter().map(|leaf| leaf.leaf).collect();
        if leaves != [Leaf::Ptr, Leaf::Int(32)] {
            return Err(format!("a landing pad of type {}", value.ty().describe()));
        }
        let dst = self.places[self.body.value_id(index) as usize];
        let mut clauses = Vec::new();
        for clause in value.clauses() {
            if clause.ty().is_pointer() {
                clauses.push(Clause::Catch(self.type_info(clause)?));
                continue;
            }
            let count = clause.ty().array_length() as u32;
            let types: Result<Vec<_>, String> = (0..count)
                .map(|index| match clause.aggregate_element(index) {
                    Some(element) => self.type_info(element),
                    None => Err("a filter clause".to_owned()),
                })
                .collect();
            clauses.push(Clause::Filter(types?.into()));
        }
        Ok(LandingPad { dst, clauses: clauses.into(), cleanup: value.is_cleanup() })
    }

    fn type_info(&mut self, value: Value) -> Result<Option<GlobalId>, String> {
        if value.kind() == ValueKind::LLVMConstantPointerNullValueKind {
            return Ok(None);
        }
        match self.linker.evaluate(value)? {
            crate::constants::Scalar::Pointer { target: Some(PointerTarget::Global(id)), .. } => Ok(Some(id)),
            _ => Err("a clause of a landing pad that names no object".into()),
        }
    }
}

enum Test {
    Slot(Slot),
    Compared(Compared),
}
