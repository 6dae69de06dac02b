//! Inline assembly: what the processor does is done by the operations of the register code, one instruction after the
//! other. Known are the instructions that programs use for atomic accesses, fences, counting bits, arithmetic with carry, and
//! to look at the processor.
//!
//! A plain access to memory is an acquiring load or a releasing store, and a locked one is sequentially consistent between two
//! fences. `docs/limits.md` says what x86-64 promises beyond that.

mod constraints;
mod flags;
mod instructions;
mod registers;
mod template;

use super::{Lowered, Lowering};
use crate::code::*;
use crate::llvm::{TypeKind, Value};

impl Lowering<'_, '_> {
    pub(super) fn inline_asm(&mut self, index: u32, call: Value, asm: Value) -> Lowered {
        let text = asm.asm_text();
        let unknown = || format!("inline assembly \"{}\"", text.escape_default());
        let instructions = template::parse(text, asm.asm_is_intel()).ok_or_else(unknown)?;
        if instructions.is_empty() {
            return self.empty_asm(index, call, asm);
        }
        let constraints = constraints::parse(asm.asm_constraints()).ok_or_else(unknown)?;
        let mut assembly = self.bind(call, constraints).ok_or_else(unknown)?;
        for instruction in &instructions {
            self.instruction(&mut assembly, instruction).ok_or_else(unknown)?;
        }
        self.outputs(index, &assembly).ok_or_else(unknown)
    }

    pub(super) fn pause(&mut self) {
        self.code.intrinsic(Intrinsic {
            kind: IntrinsicKind::Pause,
            width: 0,
            result_width: 0,
            format: FloatFormat::Double,
            dst: 0,
            args: [].into(),
        });
    }

    /// An empty template computes nothing: outputs that are tied to inputs have their values.
    fn empty_asm(&mut self, index: u32, call: Value, asm: Value) -> Lowered {
        let ty = call.ty();
        let outputs = match ty.kind() {
            TypeKind::LLVMVoidTypeKind => return Ok(()),
            TypeKind::LLVMStructTypeKind => ty.member_count(),
            _ => 1,
        };
        let constraints: Vec<&str> = asm.asm_constraints().split(',').collect();
        let inputs = constraints.iter().filter(|text| !text.starts_with(['=', '~', '!']));
        let dst = self.result(index);
        let mut tied = vec![None; outputs as usize];
        // Indirect outputs take an argument too, but produce no member of the result.
        let indirect = constraints.iter().filter(|text| text.starts_with("=*")).count();
        for (position, constraint) in inputs.enumerate() {
            if let Ok(output) = constraint.parse::<usize>()
                && let Some(slot) = tied.get_mut(output)
            {
                *slot = Some(call.operand((indirect + position) as u32));
            }
        }
        let mut at = dst;
        for (output, tied) in tied.into_iter().enumerate() {
            let member = if outputs == 1 && ty.kind() != TypeKind::LLVMStructTypeKind {
                ty
            } else {
                ty.member(output as u32)
            };
            let count = self.linker.types.slots(member);
            match tied {
                Some(value) if self.linker.types.slots(value.ty()) == count => self.value_into(value, at)?,
                _ => self.code.emit(Op::Undefined { dst: at, count }),
            }
            at += count;
        }
        Ok(())
    }
}
