//! Calls and invokes.

use super::{Lowered, Lowering, is_setjmp};
use crate::PointerTarget;
use crate::code::*;
use crate::constants::Scalar;
use crate::llvm::{Attribute, Opcode, Value, ValueKind, attribute_kind};
use crate::types::LeafAt;
use std::sync::LazyLock;

static BYVAL: LazyLock<u32> = LazyLock::new(|| attribute_kind("byval"));
static ALIGN: LazyLock<u32> = LazyLock::new(|| attribute_kind("align"));

impl Lowering<'_, '_> {
    pub(super) fn call(&mut self, index: u32) -> Lowered {
        let inst = self.body.insts[index as usize];
        let invoke = inst.opcode == Opcode::LLVMInvoke;
        let done = self.call_without_edges(index, inst.value);
        if let Err(what) = done {
            // The edges of an invoke are needed in any case: blocks behind it are emitted.
            self.code.unsupported(what);
            self.give_up(index);
        }
        if invoke {
            let normal = self.body.block(inst.value.normal_destination()).ok_or("an invoke to nowhere")?;
            self.invoke_edges(inst.block, normal);
        }
        Ok(())
    }

    fn call_without_edges(&mut self, index: u32, value: Value) -> Lowered {
        let callee = value.called_value();
        match callee.kind() {
            ValueKind::LLVMInlineAsmValueKind => return self.inline_asm(index, value, callee),
            ValueKind::LLVMFunctionValueKind if callee.is_intrinsic() => {
                return self.intrinsic(index, value, callee);
            }
            ValueKind::LLVMFunctionValueKind if is_setjmp(callee.name()) && callee.is_declaration() => {
                return self.set_jump(index, value);
            }
            _ => {}
        }
        self.plain_call(index, value, callee)
    }

    /// Where the normal edge of an invoke goes on, and its landing pad's entry.
    fn invoke_edges(&mut self, from: u32, normal: u32) {
        let stubs = std::mem::take(&mut self.pending_landings);
        self.edge(from, normal);
        if stubs.is_empty() {
            self.jump(from, normal);
            return;
        }
        self.code.emit(Op::Jump { target: self.block_labels[normal as usize] });
        for (to, label) in stubs {
            self.landing_stub(from, to, label);
        }
    }

    fn set_jump(&mut self, index: u32, value: Value) -> Lowered {
        let buffer = self.slot(value.operand(0))?;
        let dst = self.result(index);
        self.code.intrinsic(Intrinsic {
            kind: IntrinsicKind::SetJump,
            width: 32,
            result_width: 32,
            format: FloatFormat::Double,
            dst,
            args: [buffer].into(),
        });
        // What is in slots here may have been overwritten when control comes back.
        self.constants.clear();
        self.adjusted.clear();
        Ok(())
    }

    fn plain_call(&mut self, index: u32, value: Value, callee: Value) -> Lowered {
        let ty = value.called_type();
        let target = self.callee(callee)?;
        let parameters = ty.parameter_count();
        let mut args = Vec::new();
        let mut slots = Vec::new();
        let mut fixed = 0;
        for position in 0..value.argument_count() {
            let argument = value.operand(position);
            let layout = self.layout(argument);
            if layout.unsupported {
                return Err(format!("an argument of type {}", argument.ty().describe()));
            }
            let first = self.slot(argument)?;
            let byval = self.byval(|kind| value.call_attribute(position + 1, kind));
            args.extend(layout.leaves.iter().map(|&LeafAt { leaf, slot, part, .. }| Argument {
                slot: first + slot,
                leaf,
                byval,
                part,
            }));
            if position < parameters {
                fixed += layout.leaves.len() as u32;
                slots.extend(first..first + layout.slots);
            }
        }
        let layout = self.layout(value);
        if layout.unsupported {
            return Err(format!("a result of type {}", value.ty().describe()));
        }
        let result = layout.leaves.iter().map(|leaf| leaf.leaf).collect();
        let dst = self.result(index);
        let inst = self.body.insts[index as usize];
        let unwind = match inst.opcode {
            Opcode::LLVMInvoke => {
                let to = self.body.block(value.unwind_destination()).ok_or("an invoke to nowhere")?;
                Some(self.unwind_label(to))
            }
            _ => None,
        };
        self.code.call(Call {
            callee: target,
            args: args.into(),
            slots: slots.into(),
            fixed,
            dst,
            result,
            unwind,
            tail: inst.opcode == Opcode::LLVMCall && value.is_must_tail(),
            exact: false,
        });
        Ok(())
    }

    /// What an argument or a parameter with these attributes is copied from.
    fn byval(&self, attribute: impl Fn(u32) -> Option<Attribute>) -> Option<ByVal> {
        let ty = attribute(*BYVAL)?.type_value();
        let data = self.linker.types.data();
        let align = attribute(*ALIGN).map_or_else(|| data.align(ty), |align| align.int_value() as u32);
        Some(ByVal { size: data.size(ty) as u32, align })
    }

    /// What the function's parameters take of the registers and of the stack.
    pub(super) fn taken_by_parameters(&self) -> Taken {
        let mut taken = Taken::default();
        for (parameter, index) in self.function.parameters().zip(1..) {
            let byval = self.byval(|kind| self.function.function_attribute(index, kind));
            for leaf in self.layout(parameter).leaves.iter().filter(|leaf| leaf.part.offset == 0) {
                taken.pass(leaf.leaf, leaf.part, byval);
            }
        }
        taken
    }

    /// A call of a function without result that the program does not make itself.
    pub(super) fn call_library(&mut self, name: &str, arguments: &[(Slot, Leaf)]) {
        let callee = self.linker.library_function(name);
        let args = arguments.iter().map(|&(slot, leaf)| Argument::scalar(slot, leaf)).collect();
        let slots = arguments.iter().map(|&(slot, _)| slot).collect();
        let (fixed, result) = (arguments.len() as u32, Box::default());
        let (unwind, tail, exact) = (None, false, false);
        self.code.call(Call { callee, args, slots, fixed, dst: 0, result, unwind, tail, exact });
    }

    fn callee(&mut self, callee: Value) -> Result<Callee, String> {
        if let ValueKind::LLVMFunctionValueKind | ValueKind::LLVMGlobalAliasValueKind = callee.kind()
            && let Scalar::Pointer { target: Some(target), .. } = self.linker.resolve(callee)
        {
            match target {
                PointerTarget::Function(id) => return Ok(Callee::Function(id)),
                PointerTarget::External(id) => return Ok(Callee::External(id)),
                PointerTarget::Global(_) => {}
            }
        }
        Ok(Callee::Pointer(self.slot(callee)?))
    }
}
