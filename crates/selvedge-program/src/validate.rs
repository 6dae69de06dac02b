//! Checks that a lowered program is well formed.
//!
//! The machine executes without checking bounds: it relies on this check, which therefore must be complete.
//! For a program that passes, every range of slots that an operation names lies in the frame, every index lies
//! in its table, every target in the code, control cannot run past the end of a function, every unwinding
//! invoke has a landing pad, and every width and size is one that its operation is defined for. A new operation
//! or side table must be added here together with whatever relies on it; the matches have no wildcard.
//!
//! What the program computes while it runs is not covered. The machine itself must check
//! - the address of an indirect call and of a computed goto,
//! - that the caller's arguments fill the callee's parameters (a declaration may be wrong, and a pointer may
//!   lead to a function of another type), and that the callee's result is as large as the caller expects.

use crate::code::{
    Atomic, AtomicKind, BinaryOp, Call, Callee, Clause, ExtendedFloatOp, Function, FunctionId, GlobalId,
    Intrinsic, IntrinsicKind, Leaf, Op, Order, RmwOp, Switch, Target, Wide, WideOp,
};
use crate::operands::OperandClass;
use crate::program::{Global, PointerTarget, Program};

/// The widest integer that LLVM has.
const WIDEST: u32 = 1 << 23;
/// Blocks whose address can be taken in one function: what the addresses have room for.
const BLOCKS_TAKEN: usize = 1 << 16;

/// Checks the whole program; the error says what is wrong and where. It is always a defect of the lowering.
pub fn validate(program: &Program) -> Result<(), String> {
    validate_tables(program)?;
    for (id, global) in program.globals.iter().enumerate() {
        validate_global(program, global)
            .map_err(|error| format!("global {id} ({}): {error}", global.name))?;
    }
    for (id, function) in program.functions.iter().enumerate() {
        let check = Check { program, function };
        check.function().map_err(|error| format!("function {id} ({}): {error}", function.name))?;
    }
    Ok(())
}

/// An error unless the condition holds.
fn require(condition: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(message()) }
}

/// An error unless the index lies in a table of so many entries.
fn within(what: &str, index: u32, len: usize) -> Result<(), String> {
    require((index as usize) < len, || format!("{what} {index} out of range, there are {len}"))
}

/// An error unless the number lies in the range.
fn between(what: &str, number: u32, least: u32, most: u32) -> Result<(), String> {
    require((least..=most).contains(&number), || format!("{what} {number} is not within {least}..={most}"))
}

fn validate_tables(program: &Program) -> Result<(), String> {
    let functions = program.functions.len();
    within("entry function", program.entry, functions)?;
    for &function in program.constructors.iter().chain(&program.destructors) {
        within("constructor or destructor", function, functions)?;
    }
    for (name, &function) in &program.functions_by_name {
        within(&format!("function named {name}:"), function, functions)?;
    }
    for (name, &global) in &program.globals_by_name {
        within(&format!("global named {name}:"), global, program.globals.len())?;
    }
    require(!program.positions.is_empty(), || "the unknown position is missing".to_owned())?;
    for (id, position) in program.positions.iter().enumerate() {
        let at = |error| format!("position {id}: {error}");
        within("file", position.file, program.files.len()).map_err(at)?;
        within("function name", position.function, program.function_names.len()).map_err(at)?;
        within("position", position.inlined_at, program.positions.len()).map_err(at)?;
    }
    Ok(())
}

fn validate_global(program: &Program, global: &Global) -> Result<(), String> {
    let Global { size, align, bytes, pointers, undefined, .. } = global;
    within("position", global.position, program.positions.len())?;
    require(align.is_power_of_two(), || format!("alignment {align} is no power of two"))?;
    require(bytes.is_empty() || bytes.len() as u64 == *size, || {
        format!("{} initial bytes for a size of {size}", bytes.len())
    })?;
    let mut free = 0;
    for &(offset, target) in pointers {
        require(offset >= free, || format!("pointer at {offset} is out of order or overlaps another"))?;
        free = offset.checked_add(8).ok_or("pointer beyond the address space")?;
        require(free <= bytes.len() as u64, || {
            format!("pointer at {offset} lies outside the initial bytes")
        })?;
        match target {
            PointerTarget::Global(id) => within("global", id, program.globals.len())?,
            PointerTarget::Function(id) => within("function", id, program.functions.len())?,
            PointerTarget::External(id) => within("external", id, program.externals.len())?,
        }
    }
    for &(start, len) in undefined {
        let end = start.checked_add(len);
        require(end.is_some_and(|end| end <= *size), || {
            format!("undefined part at {start} of {len} bytes lies outside the {size} bytes")
        })?;
    }
    Ok(())
}

/// The check of one function.
struct Check<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Check<'_> {
    fn function(&self) -> Result<(), String> {
        let function = self.function;
        let parameters = self.leaves(&function.parameters)?;
        require(parameters == u64::from(function.parameter_slots), || {
            format!("parameters of {parameters} slots, but parameter_slots is {}", function.parameter_slots)
        })?;
        require(function.parameter_slots <= function.frame_slots, || {
            format!("{} slots of parameters in a frame of {}", function.parameter_slots, function.frame_slots)
        })?;
        let len = function.code.len();
        require(u32::try_from(len).is_ok(), || format!("{len} operations are more than a target can name"))?;
        require(function.positions.len() == len, || {
            format!("{} positions for {len} operations", function.positions.len())
        })?;
        require(function.sites.len() == len, || {
            format!("{} sites for {len} operations", function.sites.len())
        })?;
        for &position in &function.positions {
            within("position", position, self.program.positions.len())?;
        }
        require(function.blocks_taken.len() <= BLOCKS_TAKEN, || {
            format!("{} blocks have their address taken, {BLOCKS_TAKEN} can", function.blocks_taken.len())
        })?;
        for &target in &function.blocks_taken {
            self.target(target)?;
        }
        let last = function.code.last().ok_or("there is no code")?;
        require(last.is_terminator(), || format!("control runs past the last operation, {last:?}"))?;
        for (at, op) in function.code.iter().enumerate() {
            self.operation(op).map_err(|error| format!("operation {at} ({op:?}): {error}"))?;
        }
        Ok(())
    }

    /// Side tables and constants come first: slots and targets can be asked for only when the indices hold.
    fn operation(&self, op: &Op) -> Result<(), String> {
        self.constants(op)?;
        let frame = self.function.frame_slots;
        let mut outcome = Ok(());
        op.operands(self.function, &mut |_, slot, count| {
            if u64::from(slot) + u64::from(count) > u64::from(frame) && outcome.is_ok() {
                outcome = Err(format!("slots {slot}:{count} lie outside the frame of {frame}"));
            }
        });
        op.targets(self.function, &mut |target| {
            if outcome.is_ok() {
                outcome = self.target(target);
            }
        });
        outcome
    }

    /// Everything of an operation but its slots and targets.
    fn constants(&self, op: &Op) -> Result<(), String> {
        let function = self.function;
        match *op {
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
            | Op::Compare { .. }
            | Op::Float { .. }
            | Op::FloatNegate { .. }
            | Op::FloatCompare { .. }
            | Op::FloatTruncate { .. }
            | Op::FloatExtend { .. }
            | Op::PtrAdd { .. }
            | Op::PtrAddImm { .. }
            | Op::PtrIndex { .. }
            | Op::PtrToInt { .. }
            | Op::IntToPtr { .. }
            | Op::LoadPtr { .. }
            | Op::StorePtr { .. }
            | Op::MemCopy { .. }
            | Op::MemSet { .. }
            | Op::StackSave { .. }
            | Op::StackRestore { .. }
            | Op::Jump { .. }
            | Op::BranchIf { .. }
            | Op::BranchUnless { .. }
            | Op::BranchCompare { .. }
            | Op::IndirectBranch { .. }
            | Op::Resume { .. }
            | Op::Unreachable => Ok(()),

            Op::ShlImm32 { amount, .. } | Op::AShrImm32 { amount, .. } => {
                between("amount", amount.into(), 0, 31)
            }
            Op::ShlImm64 { amount, .. } | Op::LShrImm { amount, .. } | Op::AShrImm64 { amount, .. } => {
                between("amount", amount.into(), 0, 63)
            }
            Op::Binary { width, .. }
            | Op::CompareImm { width, .. }
            | Op::FloatToInt { width, .. }
            | Op::IntToFloat { width, .. }
            | Op::BranchCompareImm { width, .. } => between("width", width.into(), 1, 64),
            Op::SignExtend { from, to, .. } => {
                between("width", to.into(), 1, 64)?;
                between("source width", from.into(), 1, to.into())
            }
            Op::Overflowing { op, width, .. } => {
                can_overflow(op)?;
                between("width", width.into(), 1, 64)
            }
            Op::Load { bytes, .. } | Op::Store { bytes, .. } => between("size", bytes.into(), 1, 8),

            Op::GlobalAddress { global, .. } => {
                require(!self.global(global)?.thread_local, || "the global is thread-local".to_owned())
            }
            Op::ThreadLocalAddress { global, .. } => {
                require(self.global(global)?.thread_local, || "the global is not thread-local".to_owned())
            }
            Op::FunctionAddress { function, .. } => self.callee(function),
            Op::ExternalAddress { external, .. } => {
                within("external", external, self.program.externals.len())
            }
            Op::BlockAddress { index, .. } => within("taken block", index, function.blocks_taken.len()),

            Op::Atomic { index } => atomic(entry("atomic", &function.atomics, index)?),
            Op::LoadMany { index } | Op::StoreMany { index } => {
                let access = entry("access", &function.accesses, index)?;
                for &(offset, leaf, _) in &access.leaves {
                    self.leaves(&[leaf])?;
                    let end = u64::from(offset) + u64::from(leaf.bytes());
                    require(end <= access.bytes.into(), || {
                        format!("leaf {leaf:?} at {offset} lies outside the {} bytes", access.bytes)
                    })?;
                }
                Ok(())
            }
            Op::Alloca { index, .. } => {
                let align = entry("alloca", &function.allocas, index)?.align;
                require(align.is_power_of_two(), || format!("alignment {align} is no power of two"))
            }
            Op::Wide { index } => wide(entry("wide operation", &function.wides, index)?),
            Op::ExtendedFloat { index } => {
                match entry("extended float", &function.extended_floats, index)?.op {
                    ExtendedFloatOp::FromInt { width, .. } | ExtendedFloatOp::ToInt { width, .. } => {
                        between("width", width, 1, WIDEST)
                    }
                    ExtendedFloatOp::Arithmetic(_)
                    | ExtendedFloatOp::Negate
                    | ExtendedFloatOp::Compare(_)
                    | ExtendedFloatOp::ConvertFrom(_) => Ok(()),
                }
            }
            Op::Repack { index } => {
                let repack = entry("repack", &function.repacks, index)?;
                let [src, dst] = [&repack.src, &repack.dst].map(|leaves| {
                    leaves.iter().try_fold(0, |bits, &(leaf, _)| {
                        self.leaves(&[leaf])?;
                        Ok::<_, String>(bits + bits_of(leaf))
                    })
                });
                let (src, dst) = (src?, dst?);
                require(dst <= src, || format!("{dst} bits are made from {src}"))
            }
            Op::Intrinsic { index } => intrinsic(entry("intrinsic", &function.intrinsics, index)?),
            Op::Switch { index } => switch(entry("switch", &function.switches, index)?),
            Op::Call { index } => self.call(entry("call", &function.calls, index)?),
            Op::Return { count, .. } => require(count == function.result_slots, || {
                format!("returns {count} slots, the function's result has {}", function.result_slots)
            }),
            Op::LandingPad { index } => {
                for clause in &entry("landing pad", &function.landing_pads, index)?.clauses {
                    let types = match clause {
                        Clause::Catch(global) => std::slice::from_ref(global),
                        Clause::Filter(globals) => globals,
                    };
                    for &global in types.iter().flatten() {
                        self.global(global)?;
                    }
                }
                Ok(())
            }
            Op::Unsupported { index } => within("unsupported feature", index, function.unsupported.len()),
        }
    }

    fn call(&self, call: &Call) -> Result<(), String> {
        match call.callee {
            Callee::Function(id) => self.callee(id)?,
            Callee::External(id) => within("external", id, self.program.externals.len())?,
            Callee::Pointer(_) => {}
        }
        for argument in &call.args {
            self.leaves(&[argument.leaf])?;
            if let Some(byval) = argument.byval {
                require(argument.leaf == Leaf::Ptr, || "a copied argument is no pointer".to_owned())?;
                require(byval.align.is_power_of_two(), || {
                    format!("alignment {} is no power of two", byval.align)
                })?;
            }
        }
        let result = self.leaves(&call.result)?;
        let frame = self.function.frame_slots;
        require(result <= frame.into(), || format!("a result of {result} slots in a frame of {frame}"))?;
        let fixed = call
            .args
            .get(..call.fixed as usize)
            .ok_or_else(|| format!("{} fixed arguments, but {} in all", call.fixed, call.args.len()))?;
        let flat = fixed.iter().flat_map(|argument| {
            (0..argument.leaf.slots()).map(|part| u64::from(argument.slot) + u64::from(part))
        });
        require(flat.eq(call.slots.iter().map(|&slot| u64::from(slot))), || {
            "the flat slots are not those of the fixed arguments".to_owned()
        })?;
        if let (Callee::Function(id), true) = (call.callee, call.exact) {
            let slots = self.program.functions[id as usize].parameter_slots as usize;
            require(call.slots.len() == slots, || {
                format!("{} slots for a function of {slots}", call.slots.len())
            })?;
        }
        match call.unwind {
            Some(unwind) if self.function.landing_pad(unwind).is_none() => {
                Err(format!("no landing pad follows at the unwind target {unwind}"))
            }
            _ => Ok(()),
        }
    }

    /// Checks the leaves and gives the number of slots that they take.
    fn leaves(&self, leaves: &[Leaf]) -> Result<u64, String> {
        leaves.iter().try_fold(0, |slots, leaf| {
            if let &Leaf::Int(width) = leaf {
                between("width", width, 1, WIDEST)?;
            }
            Ok(slots + u64::from(leaf.slots()))
        })
    }

    fn global(&self, id: GlobalId) -> Result<&Global, String> {
        entry("global", &self.program.globals, id)
    }

    fn callee(&self, id: FunctionId) -> Result<(), String> {
        within("function", id, self.program.functions.len())
    }

    fn target(&self, target: Target) -> Result<(), String> {
        within("target", target, self.function.code.len())
    }
}

/// The entry of a table, or an error that says that there is none.
fn entry<'t, T>(what: &str, table: &'t [T], index: u32) -> Result<&'t T, String> {
    within(what, index, table.len())?;
    Ok(&table[index as usize])
}

fn can_overflow(op: BinaryOp) -> Result<(), String> {
    require(matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), || {
        format!("{op:?} cannot report an overflow")
    })
}

fn bits_of(leaf: Leaf) -> u64 {
    match leaf {
        Leaf::Int(width) => width.into(),
        Leaf::Ptr | Leaf::Float(_) => u64::from(leaf.bytes()) * 8,
    }
}

fn atomic(atomic: &Atomic) -> Result<(), String> {
    let Atomic { kind, bytes, width, pointer, float, order, .. } = atomic;
    require(*order != Order::NotAtomic, || "the order is not atomic".to_owned())?;
    match kind {
        AtomicKind::Fence => {
            return require(*bytes == 0, || format!("a fence has no size, this one has {bytes}"));
        }
        AtomicKind::Load { .. } | AtomicKind::Store { .. } => {}
        AtomicKind::CompareExchange { failure, .. } => {
            require(*failure != Order::NotAtomic, || "the failure order is not atomic".to_owned())?;
        }
        AtomicKind::ReadModifyWrite { op, .. } => match op {
            RmwOp::FAdd | RmwOp::FSub | RmwOp::FMax | RmwOp::FMin => {
                require(float.is_some(), || format!("{op:?} on a value that is no float"))?;
            }
            RmwOp::Exchange
            | RmwOp::Add
            | RmwOp::Sub
            | RmwOp::And
            | RmwOp::Nand
            | RmwOp::Or
            | RmwOp::Xor
            | RmwOp::Max
            | RmwOp::Min
            | RmwOp::UMax
            | RmwOp::UMin
            | RmwOp::UIncWrap
            | RmwOp::UDecWrap
            | RmwOp::USubCond
            | RmwOp::USubSat => {}
        },
    }
    require(matches!(bytes, 1 | 2 | 4 | 8 | 16), || format!("size {bytes} is not 1, 2, 4, 8 or 16"))?;
    between("width", *width, 1, u32::from(*bytes) * 8)?;
    require(!pointer || (*bytes, *width) == (8, 64), || {
        format!("a pointer of {bytes} bytes and {width} bits")
    })?;
    let fits = float.is_none_or(|format| !pointer && format.bytes() * 8 == *width);
    require(fits, || format!("{float:?} has not {width} bits or is marked as a pointer"))
}

fn wide(wide: &Wide) -> Result<(), String> {
    let width = wide.width;
    between("width", width, 1, WIDEST)?;
    match wide.op {
        WideOp::ZeroExtend { from } | WideOp::SignExtend { from } => between("source width", from, 1, width),
        WideOp::Truncate { from } => between("source width", from, width, WIDEST),
        WideOp::Overflowing { op, .. } => can_overflow(op),
        WideOp::Binary(_) | WideOp::Compare(_) | WideOp::ToFloat { .. } | WideOp::FromFloat { .. } => Ok(()),
    }
}

fn intrinsic(intrinsic: &Intrinsic) -> Result<(), String> {
    let &Intrinsic { kind, width, result_width, ref args, .. } = intrinsic;
    let signature = kind.signature();
    let (least, most) = (signature.required, signature.arguments.len());
    require((least..=most).contains(&args.len()), || {
        format!("{kind:?} takes {least} to {most} arguments, not {}", args.len())
    })?;
    let classes = || signature.arguments.iter().chain(&signature.result);
    if classes().any(|&class| class == OperandClass::Width) {
        between("width", width, 1, WIDEST)?;
    }
    if classes().any(|&class| class == OperandClass::ResultWidth) {
        between("result width", result_width, 2, 64)?;
    }
    require(kind != IntrinsicKind::ByteSwap || width % 16 == 0, || {
        format!("the bytes of {width} bits cannot be swapped")
    })
}

fn switch(switch: &Switch) -> Result<(), String> {
    let sorted = switch.cases.is_sorted_by(|(one, _), (other, _)| one < other);
    require(sorted, || "the cases are not sorted or not distinct".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Access, FloatFormat, LandingPad};
    use crate::program::{Position, SourceFile};

    fn function(code: &[Op]) -> Function {
        Function {
            frame_slots: 4,
            code: code.into(),
            positions: vec![0; code.len()].into(),
            sites: vec![crate::Site::NONE; code.len()].into(),
            ..Function::default()
        }
    }

    /// Validates a program of one function; the error must contain `expected`, or there must be none.
    fn check(function: Function, expected: Option<&str>) {
        let program = Program {
            functions: vec![function],
            positions: vec![Position::default()],
            files: vec![SourceFile::default()],
            function_names: vec!["".into()],
            ..Program::default()
        };
        match (validate(&program), expected) {
            (Ok(()), None) => {}
            (Err(found), Some(expected)) => assert!(found.contains(expected), "{found}"),
            (found, expected) => panic!("expected {expected:?}, found {found:?}"),
        }
    }

    const RETURN: Op = Op::Return { src: 0, count: 0 };

    #[test]
    fn slots() {
        check(function(&[Op::Move { dst: 3, src: 0 }, RETURN]), None);
        check(function(&[Op::Move { dst: 4, src: 0 }, RETURN]), Some("slots 4:1 lie outside the frame of 4"));
        check(function(&[Op::StackSave { dst: 3 }, RETURN]), Some("slots 3:2"));
        check(function(&[Op::Undefined { dst: u32::MAX, count: u32::MAX }, RETURN]), Some("outside"));
        check(Function { parameter_slots: 1, ..function(&[RETURN]) }, Some("parameters of 0 slots"));
        let wide = Box::new([Leaf::Ptr, Leaf::Int(129)]);
        check(
            Function { parameters: wide, parameter_slots: 5, ..function(&[RETURN]) },
            Some("5 slots of parameters in a frame of 4"),
        );
        check(function(&[Op::Return { src: 0, count: 1 }]), Some("returns 1 slots"));
    }

    #[test]
    fn control() {
        check(function(&[]), Some("no code"));
        check(function(&[Op::Const { dst: 0, value: 1 }]), Some("past the last operation"));
        check(function(&[Op::BranchIf { cond: 0, target: 0 }]), Some("past the last operation"));
        check(function(&[Op::Jump { target: 0 }]), None);
        check(function(&[Op::Jump { target: 1 }]), Some("target 1 out of range"));
        check(Function { positions: Box::new([]), ..function(&[RETURN]) }, Some("0 positions for 1"));
        check(Function { positions: Box::new([1]), ..function(&[RETURN]) }, Some("position 1 out of range"));
        let switch = |cases: &[(u64, Target)]| Function {
            switches: Box::new([Switch { value: 0, cases: cases.into(), default: 0 }]),
            ..function(&[Op::Switch { index: 0 }])
        };
        check(switch(&[(1, 0), (2, 0)]), None);
        check(switch(&[(2, 0), (1, 0)]), Some("not sorted"));
        check(switch(&[(1, 0), (1, 0)]), Some("not distinct"));
        check(switch(&[(1, 9)]), Some("target 9"));
    }

    #[test]
    fn unwinding() {
        let invoke = |unwind, code: &[Op]| Function {
            calls: Box::new([Call {
                callee: Callee::Function(0),
                args: Box::new([]),
                slots: Box::new([]),
                fixed: 0,
                dst: 0,
                result: Box::new([]),
                unwind: Some(unwind),
                tail: false,
                exact: false,
            }]),
            landing_pads: Box::new([LandingPad { dst: 0, clauses: Box::new([]), cleanup: true }]),
            ..function(code)
        };
        let pad = Op::LandingPad { index: 0 };
        let call = Op::Call { index: 0 };
        let phi = Op::Move { dst: 3, src: 2 };
        check(invoke(2, &[call, RETURN, pad, RETURN]), None);
        check(invoke(2, &[call, RETURN, phi, Op::Jump { target: 4 }, pad, RETURN]), None);
        check(invoke(1, &[call, RETURN, pad, RETURN]), Some("no landing pad"));
        check(invoke(1, &[call, Op::Jump { target: 1 }]), Some("no landing pad"));
        check(invoke(9, &[call, RETURN]), Some("no landing pad"));
    }

    #[test]
    fn constants() {
        let binary = |width| function(&[Op::Binary { op: BinaryOp::Add, width, dst: 0, a: 0, b: 0 }, RETURN]);
        check(binary(1), None);
        check(binary(64), None);
        check(binary(0), Some("width 0"));
        check(binary(65), Some("width 65"));
        check(function(&[Op::Load { bytes: 9, dst: 0, ptr: 0, offset: 0 }, RETURN]), Some("size 9"));
        check(function(&[Op::ShlImm32 { dst: 0, a: 0, amount: 32 }, RETURN]), Some("amount 32"));
        check(function(&[Op::GlobalAddress { dst: 0, global: 0, offset: 0 }, RETURN]), Some("global 0"));
        check(function(&[Op::SignExtend { from: 9, to: 8, dst: 0, a: 0 }, RETURN]), Some("source width 9"));
    }

    #[test]
    fn side_tables() {
        check(function(&[Op::Atomic { index: 0 }, RETURN]), Some("atomic 0 out of range, there are 0"));
        check(function(&[Op::Unsupported { index: 0 }]), Some("unsupported feature 0"));
        let access = |bytes, slot| Function {
            accesses: Box::new([Access {
                ptr: 0,
                offset: 0,
                bytes,
                leaves: Box::new([(8, Leaf::Float(FloatFormat::X87), slot)]),
            }]),
            ..function(&[Op::LoadMany { index: 0 }, RETURN])
        };
        check(access(18, 2), None);
        check(access(17, 2), Some("outside the 17 bytes"));
        check(access(18, 3), Some("slots 3:2"));
        let atomic = |bytes, width, pointer| Function {
            atomics: Box::new([Atomic {
                kind: AtomicKind::Load { dst: 2 },
                ptr: 0,
                bytes,
                width,
                pointer,
                float: None,
                order: Order::SeqCst,
                single_thread: false,
            }]),
            ..function(&[Op::Atomic { index: 0 }, RETURN])
        };
        check(atomic(1, 1, false), None);
        check(atomic(8, 64, true), None);
        check(atomic(16, 128, false), None);
        check(atomic(3, 24, false), Some("size 3"));
        check(atomic(4, 64, false), Some("width 64"));
        check(atomic(4, 32, true), Some("a pointer of 4 bytes"));
        let abs = |args: &[u32]| Function {
            intrinsics: Box::new([Intrinsic {
                kind: IntrinsicKind::Abs,
                width: 32,
                result_width: 0,
                format: FloatFormat::Single,
                dst: 0,
                args: args.into(),
            }]),
            ..function(&[Op::Intrinsic { index: 0 }, RETURN])
        };
        check(abs(&[0]), None);
        check(abs(&[0, 1]), None);
        check(abs(&[]), Some("takes 1 to 2 arguments, not 0"));
        check(abs(&[4]), Some("slots 4:1"));
    }
}
