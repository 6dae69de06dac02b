//! Which slots an operation reads and writes, and where control goes after it.
//!
//! This is the one place that knows the shape of every operation's operands, side tables included. What must
//! agree on it (validation, liveness, disassembly, undefined values) asks here; the matches have no wildcard,
//! so that a new operation cannot be forgotten.

use crate::code::{
    Atomic, AtomicKind, Call, Callee, ExtendedFloat, ExtendedFloatOp, FloatFormat, Function, Intrinsic,
    IntrinsicKind, Leaf, Op, Slot, Target, Wide, WideOp,
};

/// How an operation uses a range of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    Read,
    Write,
}

/// Passes ranges on to the visitor; a range of no slots is none.
struct Ranges<'v, V>(&'v mut V);

impl<V: FnMut(Use, Slot, u32)> Ranges<'_, V> {
    fn read(&mut self, slot: Slot, count: u32) {
        if count > 0 {
            (self.0)(Use::Read, slot, count);
        }
    }

    fn write(&mut self, slot: Slot, count: u32) {
        if count > 0 {
            (self.0)(Use::Write, slot, count);
        }
    }

    fn unary(&mut self, dst: Slot, a: Slot) {
        self.read(a, 1);
        self.write(dst, 1);
    }

    fn binary(&mut self, dst: Slot, a: Slot, b: Slot) {
        self.read(a, 1);
        self.read(b, 1);
        self.write(dst, 1);
    }
}

impl Op {
    /// Visits every range of slots that the operation reads, then every one that it writes. An operation reads
    /// everything before it writes anything.
    ///
    /// A conditional move also reads its destination, whose value it may keep. A call's result is written only
    /// when the callee returns, not when it unwinds.
    ///
    /// Panics if an index into a side table is out of range, which [`crate::validate()`] excludes.
    pub fn operands(&self, function: &Function, visit: &mut impl FnMut(Use, Slot, u32)) {
        let mut ranges = Ranges(visit);
        match *self {
            Op::Const { dst, .. } => ranges.write(dst, 1),
            Op::Move { dst, src } => ranges.unary(dst, src),
            Op::MoveMany { dst, src, count } | Op::Freeze { dst, src, count } => {
                ranges.read(src, count);
                ranges.write(dst, count);
            }
            Op::MoveIf { count, dst, cond, src } => {
                ranges.read(cond, 1);
                ranges.read(src, count.into());
                ranges.read(dst, count.into());
                ranges.write(dst, count.into());
            }
            Op::Undefined { dst, count } => ranges.write(dst, count),

            Op::Add32 { dst, a, b }
            | Op::Add64 { dst, a, b }
            | Op::Sub32 { dst, a, b }
            | Op::Sub64 { dst, a, b }
            | Op::Mul32 { dst, a, b }
            | Op::Mul64 { dst, a, b }
            | Op::And { dst, a, b }
            | Op::Or { dst, a, b }
            | Op::Xor { dst, a, b }
            | Op::Binary { dst, a, b, .. }
            | Op::Compare { dst, a, b, .. }
            | Op::Float { dst, a, b, .. }
            | Op::FloatCompare { dst, a, b, .. } => ranges.binary(dst, a, b),
            Op::AddImm32 { dst, a, .. }
            | Op::AddImm64 { dst, a, .. }
            | Op::MulImm32 { dst, a, .. }
            | Op::MulImm64 { dst, a, .. }
            | Op::AndImm { dst, a, .. }
            | Op::ShlImm32 { dst, a, .. }
            | Op::ShlImm64 { dst, a, .. }
            | Op::LShrImm { dst, a, .. }
            | Op::AShrImm32 { dst, a, .. }
            | Op::AShrImm64 { dst, a, .. }
            | Op::SignExtend { dst, a, .. }
            | Op::CompareImm { dst, a, .. }
            | Op::FloatNegate { dst, a, .. }
            | Op::FloatToInt { dst, a, .. }
            | Op::IntToFloat { dst, a, .. }
            | Op::FloatTruncate { dst, a }
            | Op::FloatExtend { dst, a } => ranges.unary(dst, a),
            Op::Overflowing { dst, a, b, .. } => {
                ranges.read(a, 1);
                ranges.read(b, 1);
                ranges.write(dst, 2);
            }

            Op::GlobalAddress { dst, .. }
            | Op::ThreadLocalAddress { dst, .. }
            | Op::FunctionAddress { dst, .. }
            | Op::ExternalAddress { dst, .. }
            | Op::BlockAddress { dst, .. }
            | Op::StackSave { dst } => ranges.write(dst, 2),
            Op::PtrAdd { dst, base, a } | Op::PtrIndex { dst, base, a, .. } => {
                ranges.read(base, 2);
                ranges.read(a, 1);
                ranges.write(dst, 2);
            }
            Op::PtrAddImm { dst, base, .. } => {
                ranges.read(base, 2);
                ranges.write(dst, 2);
            }
            Op::PtrToInt { dst, src, .. } => {
                ranges.read(src, 2);
                ranges.write(dst, 1);
            }
            Op::IntToPtr { dst, src } => {
                ranges.read(src, 1);
                ranges.write(dst, 2);
            }

            Op::Load { dst, ptr, .. } => {
                ranges.read(ptr, 2);
                ranges.write(dst, 1);
            }
            Op::LoadPtr { dst, ptr, .. } => {
                ranges.read(ptr, 2);
                ranges.write(dst, 2);
            }
            Op::Store { src, ptr, .. } => {
                ranges.read(src, 1);
                ranges.read(ptr, 2);
            }
            Op::StorePtr { src, ptr, .. } => {
                ranges.read(src, 2);
                ranges.read(ptr, 2);
            }
            Op::Atomic { index } => atomic(&function.atomics[index as usize], ranges),
            Op::LoadMany { index } => {
                let access = &function.accesses[index as usize];
                ranges.read(access.ptr, 2);
                for &(_, leaf, slot) in &access.leaves {
                    ranges.write(slot, leaf.slots());
                }
            }
            Op::StoreMany { index } => {
                let access = &function.accesses[index as usize];
                ranges.read(access.ptr, 2);
                for &(_, leaf, slot) in &access.leaves {
                    ranges.read(slot, leaf.slots());
                }
            }
            Op::MemCopy { dst, src, len } => {
                ranges.read(dst, 2);
                ranges.read(src, 2);
                ranges.read(len, 1);
            }
            Op::MemSet { dst, value, len } => {
                ranges.read(dst, 2);
                ranges.read(value, 1);
                ranges.read(len, 1);
            }
            Op::Alloca { dst, index } => {
                if let Some(count) = function.allocas[index as usize].count {
                    ranges.read(count, 1);
                }
                ranges.write(dst, 2);
            }
            Op::StackRestore { src } => ranges.read(src, 2),

            Op::Wide { index } => wide(&function.wides[index as usize], ranges),
            Op::ExtendedFloat { index } => extended_float(&function.extended_floats[index as usize], ranges),
            Op::Repack { index } => {
                let repack = &function.repacks[index as usize];
                for &(leaf, slot) in &repack.src {
                    ranges.read(slot, leaf.slots());
                }
                for &(leaf, slot) in &repack.dst {
                    ranges.write(slot, leaf.slots());
                }
            }
            Op::Intrinsic { index } => intrinsic(&function.intrinsics[index as usize], ranges),

            Op::Jump { .. } | Op::Unreachable | Op::Unsupported { .. } => {}
            Op::BranchIf { cond, .. } | Op::BranchUnless { cond, .. } => ranges.read(cond, 1),
            Op::BranchCompare { a, b, .. } => {
                ranges.read(a, 1);
                ranges.read(b, 1);
            }
            Op::BranchCompareImm { a, .. } => ranges.read(a, 1),
            Op::Switch { index } => ranges.read(function.switches[index as usize].value, 1),
            Op::IndirectBranch { ptr } => ranges.read(ptr, 2),
            Op::Call { index } => call(&function.calls[index as usize], ranges),
            Op::Return { src, count } => ranges.read(src, count),
            Op::LandingPad { index } => ranges.write(function.landing_pads[index as usize].dst, 3),
            Op::Resume { src } => ranges.read(src, 3),
        }
    }

    /// Whether control never goes on to the operation that follows. A conditional branch is none in this sense.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Op::Jump { .. }
                | Op::Switch { .. }
                | Op::IndirectBranch { .. }
                | Op::Return { .. }
                | Op::Resume { .. }
                | Op::Unreachable
                | Op::Unsupported { .. }
        )
    }

    /// Visits the operations that may follow the one at `at` in this frame: the next one, then the targets.
    /// A target may be visited more than once.
    ///
    /// The second return of a `setjmp` is no successor of the call that jumps there.
    pub fn successors(&self, function: &Function, at: Target, visit: &mut impl FnMut(Target)) {
        if !self.is_terminator() {
            visit(at + 1);
        }
        self.targets(function, visit);
    }

    /// Visits the operations that are named as targets: all successors but the one that control falls through
    /// to. Panics as [`Op::operands`] does.
    pub fn targets(&self, function: &Function, visit: &mut impl FnMut(Target)) {
        match *self {
            Op::Jump { target }
            | Op::BranchIf { target, .. }
            | Op::BranchUnless { target, .. }
            | Op::BranchCompare { target, .. }
            | Op::BranchCompareImm { target, .. } => visit(target),
            Op::Switch { index } => {
                let switch = &function.switches[index as usize];
                switch.cases.iter().for_each(|&(_, target)| visit(target));
                visit(switch.default);
            }
            Op::IndirectBranch { .. } => function.blocks_taken.iter().for_each(|&target| visit(target)),
            Op::Call { index } => {
                if let Some(target) = function.calls[index as usize].unwind {
                    visit(target);
                }
            }
            Op::Const { .. }
            | Op::Move { .. }
            | Op::MoveMany { .. }
            | Op::MoveIf { .. }
            | Op::Undefined { .. }
            | Op::Freeze { .. }
            | Op::Add32 { .. }
            | Op::Add64 { .. }
            | Op::Sub32 { .. }
            | Op::Sub64 { .. }
            | Op::Mul32 { .. }
            | Op::Mul64 { .. }
            | Op::And { .. }
            | Op::Or { .. }
            | Op::Xor { .. }
            | Op::AddImm32 { .. }
            | Op::AddImm64 { .. }
            | Op::MulImm32 { .. }
            | Op::MulImm64 { .. }
            | Op::AndImm { .. }
            | Op::ShlImm32 { .. }
            | Op::ShlImm64 { .. }
            | Op::LShrImm { .. }
            | Op::AShrImm32 { .. }
            | Op::AShrImm64 { .. }
            | Op::Binary { .. }
            | Op::SignExtend { .. }
            | Op::Overflowing { .. }
            | Op::Compare { .. }
            | Op::CompareImm { .. }
            | Op::Float { .. }
            | Op::FloatNegate { .. }
            | Op::FloatCompare { .. }
            | Op::FloatToInt { .. }
            | Op::IntToFloat { .. }
            | Op::FloatTruncate { .. }
            | Op::FloatExtend { .. }
            | Op::GlobalAddress { .. }
            | Op::ThreadLocalAddress { .. }
            | Op::FunctionAddress { .. }
            | Op::ExternalAddress { .. }
            | Op::PtrAdd { .. }
            | Op::PtrAddImm { .. }
            | Op::PtrIndex { .. }
            | Op::PtrToInt { .. }
            | Op::IntToPtr { .. }
            | Op::Load { .. }
            | Op::LoadPtr { .. }
            | Op::Store { .. }
            | Op::StorePtr { .. }
            | Op::Atomic { .. }
            | Op::LoadMany { .. }
            | Op::StoreMany { .. }
            | Op::MemCopy { .. }
            | Op::MemSet { .. }
            | Op::Alloca { .. }
            | Op::StackSave { .. }
            | Op::StackRestore { .. }
            | Op::Wide { .. }
            | Op::ExtendedFloat { .. }
            | Op::Repack { .. }
            | Op::Intrinsic { .. }
            | Op::BlockAddress { .. }
            | Op::Return { .. }
            | Op::LandingPad { .. }
            | Op::Resume { .. }
            | Op::Unreachable
            | Op::Unsupported { .. } => {}
        }
    }
}

impl Function {
    /// The landing pad, an index into [`Function::landing_pads`], that an invoke's `unwind` leads to: past the
    /// moves for phis, and past jumps where several invokes share a pad. `None` if control can do anything else
    /// before it gets there; [`crate::validate()`] excludes that.
    pub fn landing_pad(&self, unwind: Target) -> Option<u32> {
        let mut at = unwind;
        // A cycle of jumps would never end: no path to the pad is longer than the code.
        for _ in 0..self.code.len() {
            match self.code.get(at as usize)? {
                Op::LandingPad { index } => return Some(*index),
                Op::Jump { target } => at = *target,
                Op::Call { .. }
                | Op::BranchIf { .. }
                | Op::BranchUnless { .. }
                | Op::BranchCompare { .. }
                | Op::BranchCompareImm { .. } => return None,
                op if op.is_terminator() => return None,
                _ => at += 1,
            }
        }
        None
    }
}

impl Atomic {
    /// Slots of the value that is accessed.
    pub fn slots(&self) -> u32 {
        match self.pointer {
            true => 2,
            false => integer(self.width),
        }
    }
}

/// Slots of an integer of so many bits.
fn integer(width: u32) -> u32 {
    Leaf::Int(width).slots()
}

/// Slots of a float.
fn float(format: FloatFormat) -> u32 {
    Leaf::Float(format).slots()
}

fn atomic(atomic: &Atomic, mut ranges: Ranges<impl FnMut(Use, Slot, u32)>) {
    let slots = atomic.slots();
    match atomic.kind {
        AtomicKind::Load { dst } => {
            ranges.read(atomic.ptr, 2);
            ranges.write(dst, slots);
        }
        AtomicKind::Store { src } => {
            ranges.read(atomic.ptr, 2);
            ranges.read(src, slots);
        }
        AtomicKind::ReadModifyWrite { op: _, dst, src } => {
            ranges.read(atomic.ptr, 2);
            ranges.read(src, slots);
            ranges.write(dst, slots);
        }
        AtomicKind::CompareExchange { dst, expected, desired, .. } => {
            ranges.read(atomic.ptr, 2);
            ranges.read(expected, slots);
            ranges.read(desired, slots);
            ranges.write(dst, slots + 1);
        }
        AtomicKind::Fence => {}
    }
}

fn wide(wide: &Wide, mut ranges: Ranges<impl FnMut(Use, Slot, u32)>) {
    let &Wide { ref op, width, dst, a, b } = wide;
    let (a_slots, b_slots, dst_slots) = match *op {
        WideOp::Binary(_) => (integer(width), integer(width), integer(width)),
        WideOp::Compare(_) => (integer(width), integer(width), 1),
        WideOp::ZeroExtend { from } | WideOp::SignExtend { from } | WideOp::Truncate { from } => {
            (integer(from), 0, integer(width))
        }
        WideOp::Overflowing { .. } => (integer(width), integer(width), integer(width) + 1),
        WideOp::ToFloat { format, .. } => (integer(width), 0, float(format)),
        WideOp::FromFloat { format, .. } => (float(format), 0, integer(width)),
    };
    ranges.read(a, a_slots);
    ranges.read(b, b_slots);
    ranges.write(dst, dst_slots);
}

fn extended_float(operation: &ExtendedFloat, mut ranges: Ranges<impl FnMut(Use, Slot, u32)>) {
    let &ExtendedFloat { ref op, format, dst, a, b } = operation;
    let own = float(format);
    let (a_slots, b_slots, dst_slots) = match *op {
        ExtendedFloatOp::Arithmetic(_) => (own, own, own),
        ExtendedFloatOp::Negate => (own, 0, own),
        ExtendedFloatOp::Compare(_) => (own, own, 1),
        ExtendedFloatOp::ConvertFrom(from) => (float(from), 0, own),
        ExtendedFloatOp::FromInt { width, .. } => (integer(width), 0, own),
        ExtendedFloatOp::ToInt { width, .. } => (own, 0, integer(width)),
    };
    ranges.read(a, a_slots);
    ranges.read(b, b_slots);
    ranges.write(dst, dst_slots);
}

fn intrinsic(intrinsic: &Intrinsic, mut ranges: Ranges<impl FnMut(Use, Slot, u32)>) {
    let signature = intrinsic.kind.signature();
    for (&slot, class) in intrinsic.args.iter().zip(signature.arguments) {
        ranges.read(slot, class.slots(intrinsic));
    }
    if let Some(class) = signature.result {
        ranges.write(intrinsic.dst, class.slots(intrinsic));
    }
}

fn call(call: &Call, mut ranges: Ranges<impl FnMut(Use, Slot, u32)>) {
    if let Callee::Pointer(slot) = call.callee {
        ranges.read(slot, 2);
    }
    for argument in &call.args {
        ranges.read(argument.slot, argument.leaf.slots());
    }
    ranges.write(call.dst, call.result.iter().map(|leaf| leaf.slots()).sum());
}

/// The class of an intrinsic's argument or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandClass {
    /// An integer of [`Intrinsic::width`] bits.
    Width,
    /// An integer of [`Intrinsic::result_width`] bits.
    ResultWidth,
    /// A float of [`Intrinsic::format`].
    Float,
    /// An integer of up to 64 bits, whatever the widths say: flags, exponents, masks.
    Word,
    /// A pointer.
    Pointer,
}

impl OperandClass {
    fn slots(self, intrinsic: &Intrinsic) -> u32 {
        match self {
            OperandClass::Width => integer(intrinsic.width),
            OperandClass::ResultWidth => integer(intrinsic.result_width),
            OperandClass::Float => float(intrinsic.format),
            OperandClass::Word => 1,
            OperandClass::Pointer => 2,
        }
    }
}

/// What an intrinsic takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The classes of the arguments.
    pub arguments: &'static [OperandClass],
    /// How many of them must be there: the lowering may leave out trailing flags that it has dealt with.
    pub required: usize,
    /// The class of the result, if there is one.
    pub result: Option<OperandClass>,
}

impl IntrinsicKind {
    /// What the intrinsic takes and gives.
    pub fn signature(self) -> Signature {
        use IntrinsicKind as Kind;
        use OperandClass::{Float, Pointer, ResultWidth, Width, Word};
        let (required, arguments, result): (usize, &'static [OperandClass], _) = match self {
            // The flag says that a special case gives an undefined value.
            Kind::CountLeadingZeros | Kind::CountTrailingZeros | Kind::Abs => {
                (1, &[Width, Word], Some(Width))
            }
            Kind::PopulationCount | Kind::ByteSwap | Kind::BitReverse => (1, &[Width], Some(Width)),
            Kind::FunnelShiftLeft | Kind::FunnelShiftRight => (3, &[Width, Width, Width], Some(Width)),
            Kind::SMax
            | Kind::SMin
            | Kind::UMax
            | Kind::UMin
            | Kind::USubSat
            | Kind::UAddSat
            | Kind::SSubSat
            | Kind::SAddSat
            | Kind::UShlSat
            | Kind::SShlSat => (2, &[Width, Width], Some(Width)),
            Kind::UCompare | Kind::SCompare => (2, &[Width, Width], Some(ResultWidth)),
            Kind::Sqrt
            | Kind::FAbs
            | Kind::Floor
            | Kind::Ceil
            | Kind::Trunc
            | Kind::Rint
            | Kind::NearbyInt
            | Kind::Round
            | Kind::RoundEven
            | Kind::Sin
            | Kind::Cos
            | Kind::Tan
            | Kind::Exp
            | Kind::Exp2
            | Kind::Log
            | Kind::Log2
            | Kind::Log10 => (1, &[Float], Some(Float)),
            Kind::CopySign | Kind::Pow | Kind::MinNum | Kind::MaxNum | Kind::Minimum | Kind::Maximum => {
                (2, &[Float, Float], Some(Float))
            }
            Kind::Fma => (3, &[Float, Float, Float], Some(Float)),
            Kind::PowI | Kind::LdExp => (2, &[Float, Word], Some(Float)),
            Kind::FloatToIntSatSigned | Kind::FloatToIntSatUnsigned => (1, &[Float], Some(Width)),
            Kind::IsFpClass => (2, &[Float, Word], Some(Word)),
            Kind::Trap | Kind::DebugTrap | Kind::Pause => (0, &[], None),
            Kind::Assume => (1, &[Word], None),
            Kind::TypeIdFor => (1, &[Pointer], Some(Word)),
            // `sigsetjmp` also says whether to save the signal mask.
            Kind::SetJump => (1, &[Pointer, Word], Some(Word)),
            Kind::VaStart | Kind::VaEnd | Kind::LifetimeStart | Kind::LifetimeEnd => (1, &[Pointer], None),
            Kind::VaCopy => (2, &[Pointer, Pointer], None),
            // The argument is the number of frames to go up.
            Kind::FrameAddress | Kind::ReturnAddress => (0, &[Word], Some(Pointer)),
            Kind::ReadCycleCounter => (0, &[], Some(Word)),
            Kind::ThreadPointer => (0, &[], Some(Pointer)),
        };
        Signature { arguments, required, result }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Argument, ByVal, Order, RmwOp};

    /// Ranges as text: `<` for what is read, `>` for what is written.
    fn check(function: &Function, op: Op, expected: &str) {
        let mut found = Vec::new();
        op.operands(function, &mut |kind, slot, count| {
            let sign = if kind == Use::Read { '<' } else { '>' };
            found.push(format!("{sign}{slot}:{count}"));
        });
        assert_eq!(found.join(" "), expected, "{op:?}");
    }

    fn plain(kind: AtomicKind, width: u32, pointer: bool) -> Atomic {
        let order = Order::SeqCst;
        let bytes = (width / 8) as u8;
        Atomic { kind, ptr: 10, bytes, width, pointer, float: None, order, single_thread: false }
    }

    #[test]
    fn inline_operands() {
        let function = Function::default();
        check(&function, Op::Add32 { dst: 2, a: 0, b: 1 }, "<0:1 <1:1 >2:1");
        check(&function, Op::MoveIf { count: 2, dst: 4, cond: 0, src: 2 }, "<0:1 <2:2 <4:2 >4:2");
        check(&function, Op::MoveMany { dst: 4, src: 2, count: 0 }, "");
        check(&function, Op::PtrIndex { scale: 4, dst: 5, base: 0, a: 2 }, "<0:2 <2:1 >5:2");
        check(&function, Op::StorePtr { src: 0, ptr: 2, offset: 8 }, "<0:2 <2:2");
        check(&function, Op::MemSet { dst: 0, value: 2, len: 3 }, "<0:2 <2:1 <3:1");
        check(&function, Op::Return { src: 3, count: 2 }, "<3:2");
        check(&function, Op::Return { src: 3, count: 0 }, "");
        check(&function, Op::Resume { src: 3 }, "<3:3");
    }

    #[test]
    fn atomics_of_every_width() {
        let exchange = AtomicKind::ReadModifyWrite { op: RmwOp::Exchange, dst: 0, src: 4 };
        let compare = AtomicKind::CompareExchange {
            dst: 0,
            expected: 4,
            desired: 6,
            weak: false,
            failure: Order::Relaxed,
        };
        let function = Function {
            atomics: Box::new([
                plain(AtomicKind::Load { dst: 0 }, 8, false),
                plain(AtomicKind::Store { src: 4 }, 64, true),
                plain(exchange, 128, false),
                plain(compare.clone(), 64, true),
                plain(compare, 32, false),
                plain(AtomicKind::Fence, 0, false),
            ]),
            ..Function::default()
        };
        check(&function, Op::Atomic { index: 0 }, "<10:2 >0:1");
        check(&function, Op::Atomic { index: 1 }, "<10:2 <4:2");
        check(&function, Op::Atomic { index: 2 }, "<10:2 <4:2 >0:2");
        check(&function, Op::Atomic { index: 3 }, "<10:2 <4:2 <6:2 >0:3");
        check(&function, Op::Atomic { index: 4 }, "<10:2 <4:1 <6:1 >0:2");
        check(&function, Op::Atomic { index: 5 }, "");
    }

    #[test]
    fn side_tables() {
        let byval = Some(ByVal { size: 24, align: 8 });
        let function = Function {
            calls: Box::new([Call {
                callee: Callee::Pointer(0),
                args: Box::new([
                    Argument { byval, ..Argument::scalar(2, Leaf::Ptr) },
                    Argument::scalar(4, Leaf::Int(32)),
                ]),
                slots: Box::new([2, 3]),
                fixed: 1,
                dst: 5,
                result: Box::new([Leaf::Ptr, Leaf::Int(1)]),
                unwind: None,
                tail: false,
                exact: false,
            }]),
            wides: Box::new([
                Wide { op: WideOp::Truncate { from: 128 }, width: 64, dst: 0, a: 1, b: 0 },
                Wide {
                    op: WideOp::Overflowing { op: crate::code::BinaryOp::Add, signed: false },
                    width: 128,
                    dst: 0,
                    a: 3,
                    b: 5,
                },
            ]),
            intrinsics: Box::new([Intrinsic {
                kind: IntrinsicKind::PowI,
                width: 32,
                result_width: 32,
                format: FloatFormat::X87,
                dst: 0,
                args: Box::new([2, 4]),
            }]),
            ..Function::default()
        };
        check(&function, Op::Call { index: 0 }, "<0:2 <2:2 <4:1 >5:3");
        check(&function, Op::Wide { index: 0 }, "<1:2 >0:1");
        check(&function, Op::Wide { index: 1 }, "<3:2 <5:2 >0:3");
        check(&function, Op::Intrinsic { index: 0 }, "<2:2 <4:1 >0:2");
    }
}
