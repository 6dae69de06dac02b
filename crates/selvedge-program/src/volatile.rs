//! Volatile accesses taken for atomic ones: code from before C11 had nothing else to say that threads share a variable.

use crate::llvm::{LLVMAtomicOrdering, Module, Opcode, Type, TypeKind, Value};

/// The memory order that volatile accesses get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VolatileOrder {
    /// `memory_order_relaxed`.
    Relaxed,
    /// `memory_order_seq_cst`.
    SequentiallyConsistent,
}

impl VolatileOrder {
    /// Both.
    pub const ALL: [VolatileOrder; 2] = [VolatileOrder::Relaxed, VolatileOrder::SequentiallyConsistent];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            VolatileOrder::Relaxed => "relaxed",
            VolatileOrder::SequentiallyConsistent => "seq-cst",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<VolatileOrder> {
        VolatileOrder::ALL.into_iter().find(|order| order.name() == name)
    }
}

/// Makes the volatile loads and stores of a module atomic, as far as a machine word holds what they access.
pub fn make_atomic(module: Module, order: VolatileOrder) {
    let order = match order {
        VolatileOrder::Relaxed => LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic,
        VolatileOrder::SequentiallyConsistent => LLVMAtomicOrdering::LLVMAtomicOrderingSequentiallyConsistent,
    };
    for function in module.functions() {
        for instruction in function.blocks().flat_map(|block| block.instructions()) {
            if accessed(instruction).is_some_and(|ty| is_word(instruction, ty)) {
                instruction.set_ordering(order);
            }
        }
    }
}

/// The type of what a plain volatile load or store accesses.
fn accessed(instruction: Value) -> Option<Type> {
    let ty = match instruction.opcode() {
        Opcode::LLVMLoad => instruction.ty(),
        Opcode::LLVMStore => instruction.operand(0).ty(),
        _ => return None,
    };
    let plain = instruction.ordering() == LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic;
    (plain && instruction.is_volatile()).then_some(ty)
}

/// Whether the processor does such an access at once.
fn is_word(instruction: Value, ty: Type) -> bool {
    let bytes = match ty.kind() {
        TypeKind::LLVMPointerTypeKind => 8,
        TypeKind::LLVMIntegerTypeKind => match ty.int_bits() {
            width @ (8 | 16 | 32 | 64) => width / 8,
            _ => return false,
        },
        _ => return false,
    };
    instruction.align() >= bytes
}
