//! Words that a compiler loads beside the one that the program looks at.
//!
//! rustc passes a value of two words as a pair. Where the source looks at one word, as at the tag of an enum in a `match`,
//! it may load both, one right after the other. The load of which nothing uses the result is in the bitcode and not in the
//! program, and the word may be one that other threads write atomically: so it is no access.

use super::body::Body;
use crate::link::Linker;
use crate::llvm::{LLVMAtomicOrdering, Opcode, Value, ValueKind};
use crate::promote::constant_offset;

/// Whether an instruction loads a word that nothing uses, beside one that is used.
pub fn is_unused_half(linker: &Linker, body: &Body, index: u32) -> bool {
    let load = body.insts[index as usize];
    if !is_plain_load(load.value) || load.value.users().next().is_some() {
        return false;
    }
    let address = load.value.operand(0);
    let block = &body.blocks[load.block as usize];
    // Between the two is only the address of the second.
    let mut before = (block.first..index).rev().map(|before| body.insts[before as usize].value);
    before.find(|&before| before != address).is_some_and(|first| {
        is_plain_load(first)
            && first.users().next().is_some()
            && is_word_after(linker, address, first.operand(0))
            && are_of_one_place_in_rust(first, load.value)
    })
}

fn is_plain_load(value: Value) -> bool {
    value.opcode() == Opcode::LLVMLoad
        && !value.is_volatile()
        && value.ordering() == LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
}

/// Whether an address is some bytes behind another one.
fn is_word_after(linker: &Linker, address: Value, first: Value) -> bool {
    let opcode = match address.kind() {
        ValueKind::LLVMInstructionValueKind => address.opcode(),
        ValueKind::LLVMConstantExprValueKind => address.constant_opcode(),
        _ => return false,
    };
    opcode == Opcode::LLVMGetElementPtr
        && address.operand(0) == first
        && constant_offset(linker, address).is_some_and(|offset| offset > 0)
}

/// Whether both instructions were made from one place of a file in Rust.
fn are_of_one_place_in_rust(one: Value, other: Value) -> bool {
    let place = one.debug_location().filter(|place| Some(*place) == other.debug_location());
    let file = place.and_then(|place| place.location().2.scope_file());
    file.is_some_and(|file| file.file_path().1.ends_with(".rs"))
}
