//! The few pieces of inline assembly that mean something to every processor: barriers and hints.

use super::{Lowered, Lowering};
use crate::code::*;
use crate::llvm::{TypeKind, Value};

impl Lowering<'_, '_> {
    pub(super) fn inline_asm(&mut self, index: u32, call: Value, asm: Value) -> Lowered {
        let text = asm.asm_text();
        let instructions: Vec<String> = text
            .split(['\n', ';'])
            .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|part| !part.is_empty() && !part.starts_with('#'))
            .collect();
        let words: Vec<&str> = instructions.iter().map(String::as_str).collect();
        match words[..] {
            [] => return self.empty_asm(index, call, asm),
            ["pause"] | ["rep nop"] | ["rep", "nop"] => self.pause(),
            ["nop"] | ["endbr64"] => {}
            ["mfence"] => self.fence(Order::SeqCst, false),
            ["lfence"] | ["sfence"] => self.fence(Order::AcqRel, false),
            ["lock", locked] if changes_nothing(locked) => self.fence(Order::SeqCst, false),
            [one] if one.strip_prefix("lock ").is_some_and(changes_nothing) => {
                self.fence(Order::SeqCst, false)
            }
            [one] if inverted_bytes(one).is_some() => {
                self.fence(Order::SeqCst, false);
                self.invert(call, inverted_bytes(one).unwrap_or(8))?;
            }
            _ => return Err(format!("inline assembly \"{}\"", text.escape_default())),
        }
        if call.ty().kind() == TypeKind::LLVMVoidTypeKind {
            return Ok(());
        }
        Err(format!("inline assembly \"{}\" with a result", text.escape_default()))
    }

    /// `lock not`: inverts so many bytes where the first operand points to.
    fn invert(&mut self, call: Value, bytes: u8) -> Lowered {
        let ptr = self.slot(call.operand(0))?;
        let [src, dst] = [self.code.frame.take_fresh(1), self.code.frame.take_fresh(1)];
        let width = u32::from(bytes) * 8;
        self.code.emit(Op::Const { dst: src, value: u64::MAX >> (64 - width) });
        self.code.atomic(Atomic {
            kind: AtomicKind::ReadModifyWrite { op: RmwOp::Xor, dst, src },
            ptr,
            bytes,
            width,
            pointer: false,
            float: None,
            order: Order::SeqCst,
            single_thread: false,
        });
        Ok(())
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

/// A locked instruction that adds zero to the top of the stack, or ors it: how full fences used to be written.
fn changes_nothing(instruction: &str) -> bool {
    let Some((name, operands)) = instruction.split_once(' ') else { return false };
    let operands: String = operands.split_whitespace().collect();
    let zero = ["$0,", "$$0,", "$0x0,", "$$0x0,"].iter().find_map(|zero| operands.strip_prefix(zero));
    matches!(name, "addl" | "addq" | "orl" | "orq")
        && matches!(zero, Some("(%rsp)" | "0(%rsp)" | "(%esp)" | "0(%esp)" | "-4(%rsp)" | "-8(%rsp)"))
}

/// The size of what `lock not` inverts, if the instruction is one whose place is its first operand.
fn inverted_bytes(instruction: &str) -> Option<u8> {
    let (size, place) = instruction.strip_prefix("lock not ")?.split_once(" ptr ")?;
    if !matches!(place, "[$0]" | "[${0:q}]" | "[${0:k}]" | "[${0}]") {
        return None;
    }
    Some(match size {
        "byte" => 1,
        "word" => 2,
        "dword" => 4,
        "qword" => 8,
        _ => return None,
    })
}
