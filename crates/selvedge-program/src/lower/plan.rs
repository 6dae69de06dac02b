//! Decides, before anything is emitted, where values live and which instructions leave no code of their own.

use super::body::{Body, Inst, ValueId};
use super::carriers;
use super::intervals::{Interval, intervals};
use crate::code::{FloatFormat, Leaf};
use crate::link::Linker;
use crate::llvm::{Opcode, Type, Value, ValueKind};
use crate::promote::{Promotion, Role, constant_offset};
use crate::types::Layout;

/// Where an instruction's result comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Slots of its own.
    Own,
    /// The slots of another value, from a slot on.
    Alias { of: ValueId, slot: u32 },
    /// A pointer that is another one plus a constant, which the accesses through it add themselves.
    Offset { of: ValueId, bytes: i32 },
    /// The slots of an aggregate that nothing else uses: one member is overwritten.
    Update { of: ValueId },
    /// A comparison that its branch makes.
    Fused,
    /// A local that is not written before the value's last use: its slots.
    Local(u32),
    /// Computed straight into a local, which is what the only use stores it to.
    Into(u32),
}

/// The plan of a function.
pub struct Plan {
    /// For each instruction.
    pub forms: Vec<Form>,
    /// For each value: does it carry a pointer in an integer?
    pub carries: Vec<bool>,
    /// Where values and locals need their slots.
    pub intervals: Vec<Interval>,
    /// For each local: the parameter whose slots it takes over.
    pub adopted: Vec<Option<ValueId>>,
    /// For each GEP with variable indices: its constant part is left to the accesses.
    pub keeps_offset: Vec<bool>,
}

/// Makes the plan.
pub fn plan(linker: &Linker, body: &Body, promotion: &Promotion, carries: Vec<bool>) -> Plan {
    let mut planner = Planner {
        linker,
        body,
        promotion,
        plan: Plan {
            forms: vec![Form::Own; body.insts.len()],
            carries,
            intervals: Vec::new(),
            adopted: vec![None; promotion.locals.len()],
            keeps_offset: vec![false; body.insts.len()],
        },
    };
    planner.find_forms();
    planner.adopt_parameters();
    planner.find_lifetimes();
    planner.plan
}

struct Planner<'p, 'a> {
    linker: &'p Linker<'a>,
    body: &'p Body,
    promotion: &'p Promotion,
    plan: Plan,
}

/// The only user, if there is exactly one use.
fn only_user(value: Value) -> Option<Value> {
    let mut users = value.users();
    let first = users.next()?;
    users.next().is_none().then_some(first)
}

/// Are all uses addresses of plain loads and stores, or bases of further GEPs?
fn only_addresses(body: &Body, value: Value) -> bool {
    value.users().all(|user| {
        if user.kind() != ValueKind::LLVMInstructionValueKind {
            return false;
        }
        let plain = || user.ordering() == crate::llvm::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic;
        match user.opcode() {
            Opcode::LLVMLoad => plain(),
            Opcode::LLVMStore => user.operand(0) != value && plain(),
            Opcode::LLVMGetElementPtr => !user.ty().is_vector(),
            _ => body.inst(user).is_none(),
        }
    })
}

/// Do both layouts have the same bits in the same slots?
fn same_slots(a: &Layout, b: &Layout) -> bool {
    let bits = |leaf: Leaf| match leaf {
        Leaf::Int(bits) if bits <= 64 => Some(bits),
        Leaf::Float(FloatFormat::X87 | FloatFormat::Quad) | Leaf::Int(_) | Leaf::Ptr => None,
        Leaf::Float(format) => Some(format.bytes() * 8),
    };
    a.leaves.len() == b.leaves.len()
        && !a.unsupported
        && a.leaves
            .iter()
            .zip(&b.leaves)
            .all(|(x, y)| x.leaf == y.leaf || bits(x.leaf).is_some() && bits(x.leaf) == bits(y.leaf))
}

impl Planner<'_, '_> {
    fn find_forms(&mut self) {
        for index in 0..self.body.insts.len() {
            if self.promotion.roles[index] == Role::Plain {
                self.plan.forms[index] = self.form(index as u32);
            }
        }
        for block in &self.body.blocks {
            let branch = self.body.insts[block.end as usize - 1];
            if branch.opcode != Opcode::LLVMBr || branch.value.operand_count() != 3 {
                continue;
            }
            let condition = branch.value.operand(0);
            if let Some(inst) = self.body.inst(condition)
                && (block.first..block.end).contains(&inst)
                && self.body.insts[inst as usize].opcode == Opcode::LLVMICmp
                && only_user(condition).is_some()
                && self.fits_slot(condition.operand(0).ty())
            {
                self.plan.forms[inst as usize] = Form::Fused;
            }
        }
    }

    /// A local that begins as a parameter which nothing else uses stays where the parameter is.
    fn adopt_parameters(&mut self) {
        let Some(entry) = self.body.blocks.first() else { return };
        let mut touched = vec![false; self.promotion.locals.len()];
        for index in entry.first..entry.end {
            let (Role::Store(local) | Role::Load(local)) = self.promotion.roles[index as usize] else {
                continue;
            };
            if std::mem::replace(&mut touched[local as usize], true) {
                continue;
            }
            let known = &self.promotion.locals[local as usize];
            let stored = self.body.insts[index as usize].value.operand(0);
            if let Role::Store(_) = self.promotion.roles[index as usize]
                && let Some(id) = self.body.id(stored)
                && self.body.inst_of(id).is_none()
                && !known.needs_undefined
                && only_user(stored).is_some()
                && stored.ty().is_pointer() == known.pointer
                && self.linker.types.slots(stored.ty()) == known.slots()
            {
                self.plan.adopted[local as usize] = Some(id);
            }
        }
    }

    fn fits_slot(&self, ty: Type) -> bool {
        match self.linker.types.scalar(ty) {
            Some(Leaf::Int(bits)) => bits <= 64,
            Some(Leaf::Ptr) => true,
            _ => false,
        }
    }

    fn form(&mut self, inst: u32) -> Form {
        let Inst { value, opcode, .. } = self.body.insts[inst as usize];
        let types = &self.linker.types;
        let alias = |operand: Value, slot: u32| match self.body.id(operand) {
            Some(of) => Form::Alias { of, slot },
            None => Form::Own,
        };
        let carries = |value: Value| self.body.id(value).is_some_and(|id| self.plan.carries[id as usize]);
        match opcode {
            Opcode::LLVMZExt => {
                let (from, to) = (types.layout(value.operand(0).ty()), types.layout(value.ty()));
                if from.slots == to.slots && to.slots as usize == to.leaves.len() {
                    alias(value.operand(0), 0)
                } else {
                    Form::Own
                }
            }
            Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast => {
                let (from, to) = (types.layout(value.operand(0).ty()), types.layout(value.ty()));
                if same_slots(&from, &to) { alias(value.operand(0), 0) } else { Form::Own }
            }
            Opcode::LLVMIntToPtr if carries(value.operand(0)) => alias(value.operand(0), 0),
            Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr if value.ty().is_int(64) => {
                // Without provenance, the number is the pointer's first slot.
                let exposes = opcode == Opcode::LLVMPtrToInt && carriers::exposes(value);
                if carries(value) || !exposes { alias(value.operand(0), 0) } else { Form::Own }
            }
            Opcode::LLVMExtractValue => {
                let aggregate = value.operand(0);
                let (_, mut slot) = types.member(aggregate.ty(), value.indices());
                if carries(aggregate) && slot == 1 {
                    slot = 2;
                }
                alias(aggregate, slot)
            }
            Opcode::LLVMExtractElement => {
                let (vector, index) = (value.operand(0), value.operand(1));
                let length = u64::from(vector.ty().vector_length());
                if index.kind() == ValueKind::LLVMConstantIntValueKind && index.int() < length {
                    alias(vector, index.int() as u32 * types.slots(value.ty()))
                } else {
                    Form::Own
                }
            }
            Opcode::LLVMGetElementPtr => self.gep_form(inst, value),
            Opcode::LLVMInsertValue => self.update_form(inst, value),
            _ => Form::Own,
        }
    }

    /// Chains of insertions build their aggregate in one place.
    fn update_form(&self, inst: u32, value: Value) -> Form {
        let before = value.operand(0);
        match self.body.inst(before) {
            Some(of)
                if self.body.insts[of as usize].opcode == Opcode::LLVMInsertValue
                    && self.body.insts[of as usize].block == self.body.insts[inst as usize].block
                    && only_user(before).is_some() =>
            {
                Form::Update { of: self.body.value_id(of) }
            }
            _ => Form::Own,
        }
    }

    fn gep_form(&mut self, inst: u32, gep: Value) -> Form {
        if gep.ty().is_vector() {
            return Form::Own;
        }
        match (constant_offset(self.linker, gep), self.body.id(gep.operand(0))) {
            (Some(0), Some(of)) => Form::Offset { of, bytes: 0 },
            (Some(bytes), Some(of)) if only_addresses(self.body, gep) && bytes.unsigned_abs() < 1 << 24 => {
                Form::Offset { of, bytes: bytes as i32 }
            }
            (Some(_), _) => Form::Own,
            (None, _) => {
                self.plan.keeps_offset[inst as usize] = only_addresses(self.body, gep);
                Form::Own
            }
        }
    }

    /// Goes through each block backwards: finds the last use of every value that does not leave its block, and which
    /// loads and stores of locals cost nothing.
    fn find_lifetimes(&mut self) {
        let body = self.body;
        let mut last_use: Vec<u32> =
            (0..body.value_count() as u32).map(|id| id.saturating_sub(body.parameters)).collect();
        let mut stays: Vec<bool> = vec![true; body.value_count()];
        stays[..body.parameters as usize].fill(false);
        for (index, inst) in body.insts.iter().enumerate() {
            let id = body.value_id(index as u32) as usize;
            match inst.opcode {
                Opcode::LLVMPHI => {
                    stays[id] = false;
                    for (incoming, _) in inst.value.incoming() {
                        if let Some(incoming) = body.id(incoming) {
                            stays[incoming as usize] = false;
                        }
                    }
                }
                Opcode::LLVMLandingPad | Opcode::LLVMInvoke | Opcode::LLVMCallBr => stays[id] = false,
                _ => {}
            }
        }
        for block in (0..body.blocks.len()).rev() {
            self.walk_back(block, &mut last_use, &mut stays);
        }
        self.plan.intervals = intervals(body, self.promotion, &self.plan.forms);
    }

    fn walk_back(&mut self, block: usize, last_use: &mut [u32], stays: &mut [bool]) {
        let body = self.body;
        let range = body.blocks[block].first..body.blocks[block].end;
        // For each local: the next write to it, and the value that could be computed straight into it.
        let mut writes: Vec<(u32, u32)> = Vec::new();
        let mut candidates: Vec<(u32, Value)> = Vec::new();
        for index in range.clone().rev() {
            let inst = body.insts[index as usize];
            let id = body.value_id(index) as usize;
            let role = self.promotion.roles[index as usize];
            match role {
                Role::Load(local) => {
                    candidates.retain(|candidate| candidate.0 != local);
                    let next = writes.iter().rev().find(|write| write.0 == local).map(|write| write.1);
                    let same = self.same_shape(inst.value, local);
                    if stays[id] && same && next.is_none_or(|write| write >= last_use[id]) {
                        self.plan.forms[index as usize] = Form::Local(local);
                    }
                    continue;
                }
                Role::Store(local) => {
                    candidates.retain(|candidate| candidate.0 != local);
                    let stored = inst.value.operand(0);
                    writes.push((local, index));
                    if self.can_target(stored, local, range.start..index) {
                        candidates.push((local, stored));
                    }
                }
                Role::Birth(first, last) => {
                    candidates.retain(|candidate| !(first..last).contains(&candidate.0));
                    writes.extend((first..last).map(|local| (local, index)));
                    continue;
                }
                Role::Gone => continue,
                Role::Plain => {
                    if let Some(at) = candidates.iter().position(|candidate| candidate.1 == inst.value) {
                        let (local, _) = candidates.swap_remove(at);
                        self.plan.forms[index as usize] = Form::Into(local);
                        writes.push((local, index));
                    }
                }
            }
            let through = matches!(
                self.plan.forms[index as usize],
                Form::Alias { .. } | Form::Offset { .. } | Form::Fused
            );
            let update = matches!(self.plan.forms[index as usize], Form::Update { .. });
            if inst.opcode == Opcode::LLVMPHI {
                continue;
            }
            let operands = if let Role::Store(_) = role { 1 } else { inst.value.operand_count() };
            for operand in 0..operands {
                let Some(used) = body.id(inst.value.operand(operand)) else { continue };
                let used = used as usize;
                // The aggregate that is updated lives on as the result; what is put into it is read here.
                let through = through || update && operand == 0;
                let at = if through { last_use[id] } else { index };
                let here = body.inst_of(used as u32).is_some_and(|def| range.contains(&def));
                if !here || through && !stays[id] {
                    stays[used] = false;
                } else {
                    last_use[used] = last_use[used].max(at);
                }
            }
        }
    }

    /// Does a value of that type lie in slots as the local does?
    fn same_shape(&self, value: Value, local: u32) -> bool {
        let local = &self.promotion.locals[local as usize];
        let carries = self.body.id(value).is_some_and(|id| self.plan.carries[id as usize]);
        let pointer = carries || value.ty().is_pointer();
        // The number of a pointer is its first slot.
        let as_number = local.pointer && self.linker.types.slots(value.ty()) == 1;
        as_number
            || pointer == local.pointer && (pointer || self.linker.types.slots(value.ty()) == local.slots())
    }

    /// Can the value be computed straight into the local?
    fn can_target(&self, value: Value, local: u32, before: std::ops::Range<u32>) -> bool {
        let Some(inst) = self.body.inst(value) else { return false };
        if !before.contains(&inst)
            || self.promotion.roles[inst as usize] != Role::Plain
            || self.plan.forms[inst as usize] != Form::Own
            || only_user(value).is_none()
        {
            return false;
        }
        let local = &self.promotion.locals[local as usize];
        let carries = self.plan.carries[self.body.value_id(inst) as usize];
        let pointer = carries || value.ty().is_pointer();
        if pointer != local.pointer || !pointer && self.linker.types.slots(value.ty()) != 1 {
            return false;
        }
        // Only operations that read all their operands before they write their result.
        match value.opcode() {
            Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMUDiv
            | Opcode::LLVMSDiv
            | Opcode::LLVMURem
            | Opcode::LLVMSRem
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMFAdd
            | Opcode::LLVMFSub
            | Opcode::LLVMFMul
            | Opcode::LLVMFDiv
            | Opcode::LLVMTrunc
            | Opcode::LLVMSExt
            | Opcode::LLVMLoad => true,
            Opcode::LLVMGetElementPtr => {
                let variable = (1..value.operand_count())
                    .filter(|&index| value.operand(index).kind() != ValueKind::LLVMConstantIntValueKind);
                variable.count() <= 1 && !self.plan.keeps_offset[inst as usize]
            }
            _ => false,
        }
    }
}
