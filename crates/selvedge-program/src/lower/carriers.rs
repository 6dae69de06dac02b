//! Which 64-bit integers may carry a pointer, and which pointer-to-integer conversions let an object escape.
//!
//! Compilers move pointers through `i64` (atomic accesses above all). An integer that comes from memory or from a
//! pointer and goes back to memory or becomes a pointer again keeps its provenance: it has two slots, like a
//! pointer. Promoted locals take part, since a value goes through them unchanged.

use super::body::{Body, ValueId};
use crate::llvm::{LLVMAtomicRMWBinOp, Opcode, Value, ValueKind};
use crate::promote::{Promotion, Role};

/// For each value: does it carry a pointer? Also decides it for the promoted locals that are plain `i64`s.
pub fn find(body: &Body, promotion: &mut Promotion) -> Vec<bool> {
    let mut graph = Graph::new(body, promotion);
    graph.build();
    let Graph { flows, mut source, mut sink, exchanges, .. } = graph;
    spread(&flows, &mut source, false);
    spread(&flows, &mut sink, true);
    let values = body.value_count();
    let mut carries: Vec<bool> = source.iter().zip(&sink).map(|(&from, &to)| from && to).collect();
    for (result, operands) in exchanges {
        if operands.iter().any(|&operand| carries[operand as usize]) {
            carries[result as usize] = true;
        }
    }
    // An extracted old value must be looked at as its exchange is.
    for (index, inst) in body.insts.iter().enumerate() {
        if inst.opcode == Opcode::LLVMExtractValue
            && inst.value.ty().is_int(64)
            && let Some(of) = body.inst(inst.value.operand(0))
            && body.insts[of as usize].opcode == Opcode::LLVMAtomicCmpXchg
        {
            carries[body.value_id(index as u32) as usize] = carries[body.value_id(of) as usize];
        }
    }
    for (local, &carries) in promotion.locals.iter_mut().zip(&carries[values..]) {
        local.pointer |= local.plain_i64 && carries;
    }
    carries.truncate(values);
    carries
}

struct Graph<'b> {
    body: &'b Body,
    promotion: &'b Promotion,
    /// Value flows from the first node to the second. Nodes are values, then locals.
    flows: Vec<(u32, u32)>,
    source: Vec<bool>,
    sink: Vec<bool>,
    /// Exchanges and the operands that they write to memory.
    exchanges: Vec<(ValueId, Vec<ValueId>)>,
}

impl<'b> Graph<'b> {
    fn new(body: &'b Body, promotion: &'b Promotion) -> Self {
        let nodes = body.value_count() + promotion.locals.len();
        Graph {
            body,
            promotion,
            flows: Vec::new(),
            source: vec![false; nodes],
            sink: vec![false; nodes],
            exchanges: Vec::new(),
        }
    }

    fn node(&self, value: Value) -> Option<u32> {
        if value.ty().is_int(64) { self.body.id(value) } else { None }
    }

    fn mark_sink(&mut self, value: Value) {
        if let Some(node) = self.node(value) {
            self.sink[node as usize] = true;
        }
    }

    fn build(&mut self) {
        let locals = self.body.value_count() as u32;
        for (index, inst) in self.body.insts.iter().enumerate() {
            let id = self.body.value_id(index as u32);
            let value = inst.value;
            match (self.promotion.roles[index], inst.opcode) {
                (Role::Load(local), _) => self.flow_from_local(value, id, local, locals),
                (Role::Store(local), _) => self.flow_to_local(value.operand(0), local, locals),
                (Role::Gone | Role::Birth(..), _) => {}
                (_, Opcode::LLVMLoad) => self.source[id as usize] = value.ty().is_int(64),
                (_, Opcode::LLVMStore) => self.mark_sink(value.operand(0)),
                (_, Opcode::LLVMPtrToInt) => self.source[id as usize] = value.ty().is_int(64),
                (_, Opcode::LLVMIntToPtr) => self.mark_sink(value.operand(0)),
                (_, Opcode::LLVMPHI) if value.ty().is_int(64) => {
                    for (incoming, _) in value.incoming() {
                        self.flow(incoming, id);
                    }
                }
                (_, Opcode::LLVMSelect) if value.ty().is_int(64) => {
                    self.flow(value.operand(1), id);
                    self.flow(value.operand(2), id);
                }
                (_, Opcode::LLVMFreeze) if value.ty().is_int(64) => self.flow(value.operand(0), id),
                (_, Opcode::LLVMAtomicRMW)
                    if value.rmw_operation() == LLVMAtomicRMWBinOp::LLVMAtomicRMWBinOpXchg
                        && value.ty().is_int(64) =>
                {
                    self.exchange(id, &[value.operand(1)]);
                }
                (_, Opcode::LLVMAtomicCmpXchg) if value.operand(1).ty().is_int(64) => {
                    self.exchange(id, &[value.operand(1), value.operand(2)]);
                }
                (_, Opcode::LLVMExtractValue) if value.ty().is_int(64) => {
                    if let Some(of) = self.body.inst(value.operand(0))
                        && self.body.insts[of as usize].opcode == Opcode::LLVMAtomicCmpXchg
                    {
                        self.flows.push((self.body.value_id(of), id));
                    }
                }
                _ => {}
            }
        }
    }

    fn flow(&mut self, from: Value, to: u32) {
        if let Some(node) = self.node(from) {
            self.flows.push((node, to));
        }
    }

    fn flow_from_local(&mut self, value: Value, id: ValueId, local: u32, locals: u32) {
        let known = &self.promotion.locals[local as usize];
        if !value.ty().is_int(64) {
            return;
        }
        if known.plain_i64 {
            self.flows.push((locals + local, id));
        } else if known.pointer {
            self.source[id as usize] = true;
        }
    }

    fn flow_to_local(&mut self, stored: Value, local: u32, locals: u32) {
        let known = &self.promotion.locals[local as usize];
        if known.plain_i64 {
            self.flow(stored, locals + local);
        } else if known.pointer {
            self.mark_sink(stored);
        }
    }

    fn exchange(&mut self, id: ValueId, operands: &[Value]) {
        self.source[id as usize] = true;
        for &operand in operands {
            self.mark_sink(operand);
        }
        let nodes = operands.iter().filter_map(|&operand| self.node(operand)).collect();
        self.exchanges.push((id, nodes));
    }
}

/// Spreads a mark along the flows until nothing changes.
fn spread(flows: &[(u32, u32)], mark: &mut [bool], backwards: bool) {
    let mut changed = true;
    while changed {
        changed = false;
        for &(from, to) in flows {
            let (from, to) = if backwards { (to, from) } else { (from, to) };
            if mark[from as usize] && !mark[to as usize] {
                mark[to as usize] = true;
                changed = true;
            }
        }
    }
}

/// May the integer of a `ptrtoint` travel, so that the object must count as escaped?
pub fn exposes(conversion: Value) -> bool {
    conversion.users().any(|user| {
        if user.kind() != ValueKind::LLVMInstructionValueKind {
            return true;
        }
        match user.opcode() {
            Opcode::LLVMICmp => false,
            Opcode::LLVMAnd => !small_mask(user) && !only_compared(user),
            // The difference of two addresses is not an address.
            Opcode::LLVMSub if user.operands().all(is_address) => false,
            Opcode::LLVMSub | Opcode::LLVMURem | Opcode::LLVMSRem => feeds_pointer_or_memory(user),
            _ => true,
        }
    })
}

fn is_address(value: Value) -> bool {
    value.kind() == ValueKind::LLVMInstructionValueKind
        && matches!(value.opcode(), Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr)
}

fn small_mask(and: Value) -> bool {
    let mask = and.operand(1);
    mask.kind() == ValueKind::LLVMConstantIntValueKind && mask.ty().int_bits() <= 64 && mask.int() < 4096
}

fn only_compared(value: Value) -> bool {
    value
        .users()
        .all(|user| user.kind() == ValueKind::LLVMInstructionValueKind && user.opcode() == Opcode::LLVMICmp)
}

fn feeds_pointer_or_memory(value: Value) -> bool {
    value.users().any(|user| {
        user.kind() != ValueKind::LLVMInstructionValueKind
            || !matches!(
                user.opcode(),
                Opcode::LLVMICmp
                    | Opcode::LLVMSDiv
                    | Opcode::LLVMUDiv
                    | Opcode::LLVMAShr
                    | Opcode::LLVMLShr
                    | Opcode::LLVMTrunc
                    | Opcode::LLVMGetElementPtr
            )
    })
}

/// Is the carrier also used as a number, other than in comparisons?
pub fn used_as_number(value: Value) -> bool {
    value.users().any(|user| {
        user.kind() != ValueKind::LLVMInstructionValueKind
            || !matches!(
                user.opcode(),
                Opcode::LLVMICmp
                    | Opcode::LLVMStore
                    | Opcode::LLVMIntToPtr
                    | Opcode::LLVMPHI
                    | Opcode::LLVMSelect
                    | Opcode::LLVMFreeze
                    | Opcode::LLVMExtractValue
                    | Opcode::LLVMAtomicCmpXchg
                    | Opcode::LLVMAtomicRMW
            )
    })
}
