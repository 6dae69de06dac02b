//! LLVM's intrinsic functions.

use super::{Lowered, Lowering};
use crate::PointerTarget;
use crate::code::*;
use crate::constants::Scalar;
use crate::llvm::{Opcode, Type, TypeKind, Value, ValueKind};

/// The name without `llvm.` and without the types it is overloaded for.
fn base_name(name: &str) -> &str {
    let mut base = name.strip_prefix("llvm.").unwrap_or(name);
    while let Some((front, last)) = base.rsplit_once('.') {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let scalar = |text: &str| {
            text.strip_prefix(['i', 'f', 'p']).is_some_and(digits)
                || matches!(text, "bf16" | "ppcf128" | "isVoid")
        };
        let vector = last.strip_prefix('v').is_some_and(|rest| {
            let element = rest.trim_start_matches(|byte: char| byte.is_ascii_digit());
            element.len() < rest.len() && scalar(element)
        });
        let structure =
            last.starts_with("sl_") || last.starts_with("s_") || last.starts_with('a') && digits(&last[1..]);
        if !scalar(last) && !vector && !structure {
            break;
        }
        base = front;
    }
    base
}

/// Intrinsics that compute each lane from the same lanes of their operands: kind and number of operands.
fn lane_wise(base: &str) -> Option<(IntrinsicKind, u32)> {
    use IntrinsicKind::*;
    Some(match base {
        "ctlz" => (CountLeadingZeros, 1),
        "cttz" => (CountTrailingZeros, 1),
        "ctpop" => (PopulationCount, 1),
        "bswap" => (ByteSwap, 1),
        "bitreverse" => (BitReverse, 1),
        "fshl" => (FunnelShiftLeft, 3),
        "fshr" => (FunnelShiftRight, 3),
        "abs" => (Abs, 1),
        "smax" => (SMax, 2),
        "smin" => (SMin, 2),
        "umax" => (UMax, 2),
        "umin" => (UMin, 2),
        "usub.sat" => (USubSat, 2),
        "uadd.sat" => (UAddSat, 2),
        "ssub.sat" => (SSubSat, 2),
        "sadd.sat" => (SAddSat, 2),
        "ushl.sat" => (UShlSat, 2),
        "sshl.sat" => (SShlSat, 2),
        "ucmp" => (UCompare, 2),
        "scmp" => (SCompare, 2),
        "sqrt" => (Sqrt, 1),
        "fma" => (Fma, 3),
        "fabs" => (FAbs, 1),
        "copysign" => (CopySign, 2),
        "floor" => (Floor, 1),
        "ceil" => (Ceil, 1),
        "trunc" => (Trunc, 1),
        "rint" => (Rint, 1),
        "nearbyint" => (NearbyInt, 1),
        "round" => (Round, 1),
        "roundeven" => (RoundEven, 1),
        "sin" => (Sin, 1),
        "cos" => (Cos, 1),
        "tan" => (Tan, 1),
        "exp" => (Exp, 1),
        "exp2" => (Exp2, 1),
        "log" => (Log, 1),
        "log2" => (Log2, 1),
        "log10" => (Log10, 1),
        "pow" => (Pow, 2),
        "powi" => (PowI, 2),
        "minnum" | "minimumnum" => (MinNum, 2),
        "maxnum" | "maximumnum" => (MaxNum, 2),
        "minimum" => (Minimum, 2),
        "maximum" => (Maximum, 2),
        "ldexp" => (LdExp, 2),
        "fptosi.sat" => (FloatToIntSatSigned, 1),
        "fptoui.sat" => (FloatToIntSatUnsigned, 1),
        "is.fpclass" => (IsFpClass, 2),
        _ => return None,
    })
}

/// Intrinsics that say something to the optimiser only.
fn says_nothing(base: &str) -> bool {
    matches!(
        base,
        "donothing"
            | "sideeffect"
            | "pseudoprobe"
            | "experimental.noalias.scope.decl"
            | "invariant.end"
            | "prefetch"
            | "var.annotation"
            | "fake.use"
            | "clear_cache"
            | "codeview.annotation"
            | "allow.ubsan.check"
    ) || base.starts_with("dbg.")
        || base.starts_with("instrprof.")
}

impl Lowering<'_, '_> {
    pub(super) fn intrinsic(&mut self, index: u32, call: Value, callee: Value) -> Lowered {
        let base = base_name(callee.name());
        if says_nothing(base) {
            return Ok(());
        }
        if let Some((kind, operands)) = lane_wise(base) {
            return self.lane_wise(index, call, kind, operands);
        }
        if let Some(reduction) = base.strip_prefix("vector.reduce.") {
            return self.reduce(index, call, reduction);
        }
        if let Some((op, signed)) = overflow(base) {
            return self.with_overflow(index, call, op, signed);
        }
        match base {
            "memcpy"
            | "memmove"
            | "memcpy.inline"
            | "memcpy.element.unordered.atomic"
            | "memmove.element.unordered.atomic" => {
                if self.immediate(call.operand(2)) == Some(0) {
                    return Ok(());
                }
                let (dst, src) = (self.slot(call.operand(0))?, self.slot(call.operand(1))?);
                let len = self.length(call.operand(2))?;
                self.code.emit(Op::MemCopy { dst, src, len });
            }
            "memset" | "memset.inline" | "memset.element.unordered.atomic" => {
                let (dst, value) = (self.slot(call.operand(0))?, self.slot(call.operand(1))?);
                let len = self.length(call.operand(2))?;
                self.code.emit(Op::MemSet { dst, value, len });
            }
            "lifetime.start" | "lifetime.end" => {
                let pointer = call.operand(call.argument_count() - 1);
                if matches!(
                    pointer.kind(),
                    ValueKind::LLVMPoisonValueKind | ValueKind::LLVMUndefValueValueKind
                ) {
                    return Ok(());
                }
                let kind = match base {
                    "lifetime.start" => IntrinsicKind::LifetimeStart,
                    _ => IntrinsicKind::LifetimeEnd,
                };
                let pointer = self.slot(pointer)?;
                self.simple(kind, 0, &[pointer]);
            }
            "assume" => {
                if self.immediate(call.operand(0)).is_none() {
                    let condition = self.slot(call.operand(0))?;
                    self.simple(IntrinsicKind::Assume, 0, &[condition]);
                }
            }
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "ssa.copy"
            | "annotation"
            | "ptr.annotation"
            | "arithmetic.fence"
            | "canonicalize"
            | "preserve.array.access.index"
            | "preserve.union.access.index"
            | "preserve.struct.access.index" => {
                let dst = self.result(index);
                self.value_into(call.operand(0), dst)?;
            }
            "invariant.start" => {
                let dst = self.result(index);
                self.code.emit(Op::Const { dst, value: 0 });
                self.code.emit(Op::Const { dst: dst + 1, value: 0 });
            }
            "is.constant" => self.constant_result(index, 0),
            "allow.runtime.check" => self.constant_result(index, 1),
            "get.rounding" => self.constant_result(index, 1),
            "objectsize" => {
                let value = if self.immediate(call.operand(1)) == Some(0) { u64::MAX } else { 0 };
                let bits = call.ty().int_bits();
                self.constant_result(index, crate::constants::truncate(value, bits));
            }
            "threadlocal.address" => self.thread_local_address(index, call)?,
            "stacksave" => {
                let dst = self.result(index);
                self.code.emit(Op::StackSave { dst });
            }
            "stackrestore" => {
                let src = self.slot(call.operand(0))?;
                self.code.emit(Op::StackRestore { src });
            }
            "trap" | "ubsantrap" => self.simple(IntrinsicKind::Trap, 0, &[]),
            "debugtrap" => self.simple(IntrinsicKind::DebugTrap, 0, &[]),
            "eh.typeid.for" => {
                let pointer = self.slot(call.operand(0))?;
                let dst = self.result(index);
                self.simple(IntrinsicKind::TypeIdFor, dst, &[pointer]);
            }
            "va_start" | "va_end" => {
                let kind = if base == "va_start" { IntrinsicKind::VaStart } else { IntrinsicKind::VaEnd };
                let list = self.slot(call.operand(0))?;
                self.simple(kind, 0, &[list]);
            }
            "va_copy" => {
                let (to, from) = (self.slot(call.operand(0))?, self.slot(call.operand(1))?);
                self.simple(IntrinsicKind::VaCopy, 0, &[to, from]);
            }
            "frameaddress" | "returnaddress" => {
                let level = self.slot(call.operand(0))?;
                let dst = self.result(index);
                let kind = match base {
                    "frameaddress" => IntrinsicKind::FrameAddress,
                    _ => IntrinsicKind::ReturnAddress,
                };
                self.simple(kind, dst, &[level]);
            }
            "readcyclecounter" | "readsteadycounter" | "x86.rdtsc" => {
                let dst = self.result(index);
                self.read_time(dst);
            }
            "x86.rdtscp" => {
                let dst = self.result(index);
                self.read_time(dst);
                self.code.emit(Op::Const { dst: dst + 1, value: 0 });
            }
            // The state of what every x86-64 has: x87 and SSE.
            "x86.xgetbv" => self.constant_result(index, 3),
            "x86.addcarry.32" | "x86.addcarry.64" => self.with_carry(index, call, BinaryOp::Add)?,
            "x86.subborrow.32" | "x86.subborrow.64" => self.with_carry(index, call, BinaryOp::Sub)?,
            "thread.pointer" => {
                let dst = self.result(index);
                self.simple(IntrinsicKind::ThreadPointer, dst, &[]);
            }
            "x86.sse2.pause" => self.pause(),
            "x86.sse2.mfence" => self.fence(Order::SeqCst, false),
            "x86.sse2.lfence" | "x86.sse.sfence" => self.fence(Order::AcqRel, false),
            "load.relative" => self.load_relative(index, call)?,
            "ptrmask" => self.pointer_mask(index, call)?,
            "fmuladd" => self.multiply_add(index, call)?,
            "modf" => self.split_float(index, call)?,
            "sincos" => self.sine_and_cosine(index, call)?,
            "acos" | "asin" | "atan" | "atan2" | "sinh" | "cosh" | "tanh" | "exp10" => {
                self.library_call(index, call, base)?;
            }
            "lrint" | "llrint" => self.rounded(index, call, IntrinsicKind::Rint)?,
            "lround" | "llround" => self.rounded(index, call, IntrinsicKind::Round)?,
            _ => return Err(format!("intrinsic {}", callee.name())),
        }
        Ok(())
    }

    /// The processor's counter.
    pub(super) fn read_time(&mut self, dst: Slot) {
        self.simple(IntrinsicKind::ReadCycleCounter, dst, &[]);
    }

    /// A sum or difference of two words and a carry, which comes first, in and out.
    fn with_carry(&mut self, index: u32, call: Value, op: BinaryOp) -> Lowered {
        let [carry, a, b] =
            [self.slot(call.operand(0))?, self.slot(call.operand(1))?, self.slot(call.operand(2))?];
        let bits = call.operand(1).ty().int_bits();
        let is_set = self.temporary(1);
        self.code.emit(Op::CompareImm { kind: Comparison::Ne, width: 8, dst: is_set, a: carry, imm: 0 });
        let (sum, flags) = self.sum(op, bits, a, b, Some(is_set));
        let dst = self.result(index);
        if let Some(carry) = flags.carry {
            self.code.copy(dst, carry, 1);
        }
        self.code.copy(dst + 1, sum, 1);
        Ok(())
    }

    /// An intrinsic without a type.
    fn simple(&mut self, kind: IntrinsicKind, dst: Slot, args: &[Slot]) {
        self.code.intrinsic(Intrinsic {
            kind,
            width: 0,
            result_width: 0,
            format: FloatFormat::Double,
            dst,
            args: args.into(),
        });
    }

    fn constant_result(&mut self, index: u32, value: u64) {
        let dst = self.result(index);
        self.code.emit(Op::Const { dst, value });
    }

    /// A length as a 64-bit number: shorter ones are zero-extended already.
    fn length(&mut self, value: Value) -> Result<Slot, String> {
        self.slot(value)
    }

    fn lane_wise(&mut self, index: u32, call: Value, kind: IntrinsicKind, operands: u32) -> Lowered {
        let first = call.operand(0);
        let (element, lanes) = self.lanes(first.ty());
        let (result, _) = self.lanes(call.ty());
        let (leaf, to) = (self.leaf(element)?, self.leaf(result)?);
        let (mut width, format) = match leaf {
            Leaf::Int(bits) => (bits, FloatFormat::Double),
            Leaf::Float(format) => (0, format),
            Leaf::Ptr => return Err(format!("intrinsic {}", call.called_value().name())),
        };
        let result_width = match to {
            Leaf::Int(bits) => bits,
            _ => 0,
        };
        if matches!(kind, IntrinsicKind::FloatToIntSatSigned | IntrinsicKind::FloatToIntSatUnsigned) {
            width = result_width;
        }
        let mut slots = Vec::new();
        for operand in 0..operands {
            let value = call.operand(operand);
            let step = match value.ty().is_vector() {
                true => self.linker.types.slots(value.ty().element()),
                false => 0,
            };
            slots.push((self.slot(value)?, step));
        }
        let dst = self.result(index);
        for lane in 0..lanes {
            let args = slots.iter().map(|&(slot, step)| slot + lane * step).collect();
            let dst = dst + lane * to.slots();
            self.code.intrinsic(Intrinsic { kind, width, result_width, format, dst, args });
        }
        Ok(())
    }

    fn with_overflow(&mut self, index: u32, call: Value, op: BinaryOp, signed: bool) -> Lowered {
        let (a, b) = (self.slot(call.operand(0))?, self.slot(call.operand(1))?);
        let (element, lanes) = self.lanes(call.operand(0).ty());
        let Leaf::Int(bits) = self.leaf(element)? else {
            return Err(format!("intrinsic {}", call.called_value().name()));
        };
        let width = bits.div_ceil(64);
        let dst = self.result(index);
        if lanes == 1 && !call.operand(0).ty().is_vector() {
            self.overflowing(op, signed, bits, dst, a, b);
            return Ok(());
        }
        // All values come first, then all flags.
        let both = self.temporary(width + 1);
        for lane in 0..lanes {
            self.overflowing(op, signed, bits, both, a + lane * width, b + lane * width);
            self.code.copy(dst + lane * width, both, width);
            self.code.copy(dst + lanes * width + lane, both + width, 1);
        }
        Ok(())
    }

    fn overflowing(&mut self, op: BinaryOp, signed: bool, bits: u32, dst: Slot, a: Slot, b: Slot) {
        if bits > 64 {
            self.code.wide(Wide { op: WideOp::Overflowing { op, signed }, width: bits, dst, a, b });
        } else {
            self.code.emit(Op::Overflowing { op, signed, width: bits as u8, dst, a, b });
        }
    }

    fn thread_local_address(&mut self, index: u32, call: Value) -> Lowered {
        let operand = call.operand(0);
        match self.linker.evaluate(operand)? {
            Scalar::Pointer { target: Some(PointerTarget::Global(global)), address }
                if self.linker.globals[global as usize].address == address =>
            {
                let dst = self.result(index);
                self.code.emit(Op::ThreadLocalAddress { dst, global });
                Ok(())
            }
            _ => {
                let dst = self.result(index);
                self.value_into(operand, dst)
            }
        }
    }

    fn load_relative(&mut self, index: u32, call: Value) -> Lowered {
        let (base, offset) = (call.operand(0), call.operand(1));
        let (from, a) = (self.slot(base)?, self.slot(offset)?);
        let place = self.temporary(2);
        let delta = self.temporary(1);
        if let Leaf::Int(bits) = self.leaf(offset.ty())?
            && bits < 64
        {
            self.code.emit(Op::SignExtend { from: bits as u8, to: 64, dst: delta, a });
            self.code.emit(Op::PtrAdd { dst: place, base: from, a: delta });
        } else {
            self.code.emit(Op::PtrAdd { dst: place, base: from, a });
        }
        self.code.emit(Op::Load { bytes: 4, dst: delta, ptr: place, offset: 0 });
        self.code.emit(Op::SignExtend { from: 32, to: 64, dst: delta, a: delta });
        // The target is another object than the table: its address has to be looked up.
        let number = self.temporary(1);
        self.code.emit(Op::PtrToInt { expose: false, dst: number, src: from });
        self.code.emit(Op::Add64 { dst: number, a: number, b: delta });
        let dst = self.result(index);
        self.code.emit(Op::IntToPtr { dst, src: number });
        Ok(())
    }

    /// Clears bits of an address: moves the pointer back by what they amount to.
    fn pointer_mask(&mut self, index: u32, call: Value) -> Lowered {
        if call.ty().is_vector() {
            return Err(format!("intrinsic {}", call.called_value().name()));
        }
        let (base, b) = (self.slot(call.operand(0))?, self.slot(call.operand(1))?);
        let (number, masked) = (self.temporary(1), self.temporary(1));
        self.code.emit(Op::PtrToInt { expose: false, dst: number, src: base });
        self.code.emit(Op::And { dst: masked, a: number, b });
        self.code.emit(Op::Sub64 { dst: masked, a: masked, b: number });
        let dst = self.result(index);
        self.code.emit(Op::PtrAdd { dst, base, a: masked });
        Ok(())
    }

    /// May be fused or not: unfused is what a processor without the instruction does.
    fn multiply_add(&mut self, index: u32, call: Value) -> Lowered {
        let (element, lanes) = self.lanes(call.ty());
        let Leaf::Float(format) = self.leaf(element)? else {
            return Err("intrinsic llvm.fmuladd".into());
        };
        let width = Leaf::Float(format).slots();
        let operands = [0, 1, 2].map(|operand| self.slot(call.operand(operand)));
        let [a, b, c] = operands;
        let (a, b, c) = (a?, b?, c?);
        let product = self.temporary(width);
        let dst = self.result(index);
        for lane in (0..lanes).map(|lane| lane * width) {
            self.float(FloatOp::Mul, format, product, a + lane, b + lane);
            self.float(FloatOp::Add, format, dst + lane, product, c + lane);
        }
        Ok(())
    }

    /// One operation on a float.
    fn float_intrinsic(&mut self, kind: IntrinsicKind, format: FloatFormat, dst: Slot, args: &[Slot]) {
        self.code.intrinsic(Intrinsic { kind, width: 0, result_width: 0, format, dst, args: args.into() });
    }

    fn float_operand(&self, call: Value) -> Result<(FloatFormat, u32), String> {
        let (element, lanes) = self.lanes(call.operand(0).ty());
        match self.leaf(element)? {
            Leaf::Float(format) => Ok((format, lanes)),
            _ => Err(format!("intrinsic {}", call.called_value().name())),
        }
    }

    /// Fractional and whole part, both with the sign of the operand.
    fn split_float(&mut self, index: u32, call: Value) -> Lowered {
        let (format, lanes) = self.float_operand(call)?;
        let width = Leaf::Float(format).slots();
        let operand = self.slot(call.operand(0))?;
        let (rest, zero, equal) = (self.temporary(width), self.temporary(width), self.temporary(1));
        let dst = self.result(index);
        for slot in zero..zero + width {
            self.code.emit(Op::Const { dst: slot, value: 0 });
        }
        for lane in (0..lanes).map(|lane| lane * width) {
            let (a, whole) = (operand + lane, dst + lanes * width + lane);
            self.float_intrinsic(IntrinsicKind::Trunc, format, whole, &[a]);
            self.float(FloatOp::Sub, format, rest, a, whole);
            // Infinity minus itself is no number, but its fraction is zero.
            self.float_compare(FloatComparison::Oeq, format, equal, a, whole);
            self.code.emit(Op::MoveIf { count: width as u8, dst: rest, cond: equal, src: zero });
            self.float_intrinsic(IntrinsicKind::CopySign, format, dst + lane, &[rest, a]);
        }
        Ok(())
    }

    fn sine_and_cosine(&mut self, index: u32, call: Value) -> Lowered {
        let (format, lanes) = self.float_operand(call)?;
        let width = Leaf::Float(format).slots();
        let a = self.slot(call.operand(0))?;
        let dst = self.result(index);
        for lane in (0..lanes).map(|lane| lane * width) {
            self.float_intrinsic(IntrinsicKind::Sin, format, dst + lane, &[a + lane]);
            self.float_intrinsic(IntrinsicKind::Cos, format, dst + lanes * width + lane, &[a + lane]);
        }
        Ok(())
    }

    /// A function of the mathematical library under its own name.
    fn library_call(&mut self, index: u32, call: Value, name: &str) -> Lowered {
        let (format, lanes) = self.float_operand(call)?;
        let suffix = match format {
            FloatFormat::Single => "f",
            FloatFormat::Double => "",
            FloatFormat::X87 => "l",
            _ => return Err(format!("intrinsic {}", call.called_value().name())),
        };
        let callee = self.linker.library_function(&format!("{name}{suffix}"));
        let leaf = Leaf::Float(format);
        let operands: Vec<Slot> = (0..call.argument_count())
            .map(|operand| self.slot(call.operand(operand)))
            .collect::<Result<_, _>>()?;
        let dst = self.result(index);
        for lane in (0..lanes).map(|lane| lane * leaf.slots()) {
            let args: Box<[Argument]> =
                operands.iter().map(|&slot| Argument::scalar(slot + lane, leaf)).collect();
            let slots = args.iter().flat_map(|arg| arg.slot..arg.slot + leaf.slots()).collect();
            let fixed = args.len() as u32;
            let result = [leaf].into();
            self.code.call(Call {
                callee,
                args,
                slots,
                fixed,
                dst: dst + lane,
                result,
                unwind: None,
                tail: false,
                exact: false,
            });
        }
        Ok(())
    }

    fn rounded(&mut self, index: u32, call: Value, kind: IntrinsicKind) -> Lowered {
        let operand = call.operand(0);
        let ((element, lanes), (result, _)) = (self.lanes(operand.ty()), self.lanes(call.ty()));
        let (from, to) = (self.leaf(element)?, self.leaf(result)?);
        let Leaf::Float(format) = from else {
            return Err(format!("intrinsic {}", call.called_value().name()));
        };
        let a = self.slot(operand)?;
        let whole = self.temporary(from.slots());
        let dst = self.result(index);
        for lane in 0..lanes {
            let args = [a + lane * from.slots()].into();
            self.code.intrinsic(Intrinsic { kind, width: 0, result_width: 0, format, dst: whole, args });
            self.convert(Opcode::LLVMFPToSI, from, to, dst + lane * to.slots(), whole, false)?;
        }
        Ok(())
    }

    /// Folds the lanes of a vector into one scalar, from the first to the last.
    fn reduce(&mut self, index: u32, call: Value, reduction: &str) -> Lowered {
        let ordered = matches!(reduction, "fadd" | "fmul");
        let vector = call.operand(u32::from(ordered));
        let ty: Type = vector.ty();
        if ty.kind() != TypeKind::LLVMVectorTypeKind {
            return Err(format!("intrinsic {}", call.called_value().name()));
        }
        let leaf = self.leaf(ty.element())?;
        let from = self.slot(vector)?;
        let start = if ordered { Some(self.slot(call.operand(0))?) } else { None };
        let dst = self.result(index);
        let mut current = start.unwrap_or(from);
        let lanes = ty.vector_length();
        let first = u32::from(start.is_none());
        if first >= lanes {
            self.code.copy(dst, current, leaf.slots());
        }
        for lane in first..lanes {
            let b = from + lane * leaf.slots();
            self.reduce_step(reduction, leaf, dst, current, b)?;
            current = dst;
        }
        Ok(())
    }

    fn reduce_step(&mut self, reduction: &str, leaf: Leaf, dst: Slot, a: Slot, b: Slot) -> Lowered {
        let integer = match reduction {
            "add" => Some(BinaryOp::Add),
            "mul" => Some(BinaryOp::Mul),
            "and" => Some(BinaryOp::And),
            "or" => Some(BinaryOp::Or),
            "xor" => Some(BinaryOp::Xor),
            _ => None,
        };
        let kind = match reduction {
            "smax" => Some(IntrinsicKind::SMax),
            "smin" => Some(IntrinsicKind::SMin),
            "umax" => Some(IntrinsicKind::UMax),
            "umin" => Some(IntrinsicKind::UMin),
            "fmax" => Some(IntrinsicKind::MaxNum),
            "fmin" => Some(IntrinsicKind::MinNum),
            "fmaximum" => Some(IntrinsicKind::Maximum),
            "fminimum" => Some(IntrinsicKind::Minimum),
            _ => None,
        };
        match (leaf, integer, kind, reduction) {
            (Leaf::Int(bits), Some(op), ..) => self.binary(op, bits, dst, a, b),
            (Leaf::Float(format), _, _, "fadd") => self.float(FloatOp::Add, format, dst, a, b),
            (Leaf::Float(format), _, _, "fmul") => self.float(FloatOp::Mul, format, dst, a, b),
            (leaf, None, Some(kind), _) => {
                let (width, format) = match leaf {
                    Leaf::Int(bits) => (bits, FloatFormat::Double),
                    Leaf::Float(format) => (0, format),
                    Leaf::Ptr => return Err(format!("a reduction {reduction} of pointers")),
                };
                let args = [a, b].into();
                self.code.intrinsic(Intrinsic { kind, width, result_width: width, format, dst, args });
            }
            _ => return Err(format!("a reduction {reduction}")),
        }
        Ok(())
    }
}

fn overflow(base: &str) -> Option<(BinaryOp, bool)> {
    Some(match base {
        "sadd.with.overflow" => (BinaryOp::Add, true),
        "uadd.with.overflow" => (BinaryOp::Add, false),
        "ssub.with.overflow" => (BinaryOp::Sub, true),
        "usub.with.overflow" => (BinaryOp::Sub, false),
        "smul.with.overflow" => (BinaryOp::Mul, true),
        "umul.with.overflow" => (BinaryOp::Mul, false),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::base_name;

    #[test]
    fn overloads_are_cut_off() {
        assert_eq!(base_name("llvm.memcpy.p0.p0.i64"), "memcpy");
        assert_eq!(base_name("llvm.sadd.with.overflow.v4i32"), "sadd.with.overflow");
        assert_eq!(base_name("llvm.x86.sse2.pause"), "x86.sse2.pause");
        assert_eq!(base_name("llvm.vector.reduce.add.v16i8"), "vector.reduce.add");
        assert_eq!(base_name("llvm.fptosi.sat.i32.f64"), "fptosi.sat");
        assert_eq!(base_name("llvm.lifetime.start.p0"), "lifetime.start");
    }
}
