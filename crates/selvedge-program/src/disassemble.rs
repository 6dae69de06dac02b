//! Register code as text, for tests and for developers that look for a defect.
//!
//! One line an operation: its index, what it writes, its name, its operands. `r3` is a slot, `r3:2` two slots from
//! there on; `[r3 + 8]` is memory at the pointer in slots 3 and 4; `-> 7` is a target. Block and instruction of the
//! bitcode (`#3.7`) and the source position stand at the end of a line where they change: with the function's name in
//! front of it, the first is the operation's [`crate::ProgramPoint`]. The code need not be valid: what does not exist is shown as `?`.

use crate::Site;
use crate::code::{
    Access, Atomic, AtomicKind, BinaryOp, Call, Callee, Clause, ExtendedFloat, ExtendedFloatOp, FloatFormat,
    Function, Intrinsic, LandingPad, Leaf, Op, Slot, Wide, WideOp,
};
use crate::operands::Use;
use crate::program::Program;
use std::fmt::{Debug, Write};

/// The function's code as text.
pub fn disassemble(program: &Program, function: &Function) -> String {
    let listing = Listing { program, function };
    let parameters = leaves(&function.parameters);
    let variadic = if function.variadic.is_some() { " variadic" } else { "" };
    let mut text = format!(
        "function {}({parameters}){variadic}: {} result slots, {} frame slots\n",
        function.unique, function.result_slots, function.frame_slots
    );
    let (mut last, mut last_site) = (0, Site::NONE);
    for (at, op) in function.code.iter().enumerate() {
        let line = format!("{at:5}  {}", listing.operation(op));
        let position = function.positions.get(at).copied().unwrap_or(0);
        let site = function.sites.get(at).copied().unwrap_or(Site::NONE);
        let mut end = match site {
            _ if site == last_site => String::new(),
            Site::NONE => "  ; -".to_owned(),
            _ => format!("  ; #{site}"),
        };
        if position != last {
            let space = if end.is_empty() { "  ;" } else { "" };
            let _ = write!(end, "{space} {}", listing.position(position));
        }
        (last, last_site) = (position, site);
        let _ = writeln!(text, "{}", format!("{line:<56}{end}").trim_end());
    }
    text
}

/// What the text of an operation is made from.
struct Listing<'p> {
    program: &'p Program,
    function: &'p Function,
}

/// A range of slots.
fn slots(slot: Slot, count: u32) -> String {
    match count {
        1 => format!("r{slot}"),
        _ => format!("r{slot}:{count}"),
    }
}

/// Memory at a pointer.
fn memory(ptr: Slot, offset: i32) -> String {
    match offset {
        0 => format!("[r{ptr}]"),
        1.. => format!("[r{ptr} + {offset}]"),
        _ => format!("[r{ptr} - {}]", offset.unsigned_abs()),
    }
}

/// The name of an enumerator, in lower case.
fn name(value: impl Debug) -> String {
    format!("{value:?}").to_lowercase()
}

fn leaf_name(leaf: Leaf) -> String {
    match leaf {
        Leaf::Int(width) => format!("i{width}"),
        Leaf::Ptr => "ptr".to_owned(),
        Leaf::Float(format) => name(format),
    }
}

fn list<T>(items: impl IntoIterator<Item = T>, text: impl FnMut(T) -> String) -> String {
    items.into_iter().map(text).collect::<Vec<_>>().join(", ")
}

fn leaves(leaves: &[Leaf]) -> String {
    list(leaves, |&leaf| leaf_name(leaf))
}

fn sign(signed: bool) -> &'static str {
    if signed { "signed" } else { "unsigned" }
}

fn float(single: bool) -> &'static str {
    if single { "single" } else { "double" }
}

impl Listing<'_> {
    fn position(&self, position: u32) -> String {
        match self.program.positions.get(position as usize) {
            Some(_) => self.program.describe(position),
            None => format!("position {position}?"),
        }
    }

    fn global(&self, id: u32) -> String {
        self.program.globals.get(id as usize).map_or(format!("@?{id}"), |global| format!("@{}", global.name))
    }

    fn callee(&self, id: u32) -> String {
        let functions = &self.program.functions;
        functions.get(id as usize).map_or(format!("@?{id}"), |function| format!("@{}", function.name))
    }

    fn external(&self, id: u32) -> String {
        let externals = &self.program.externals;
        externals.get(id as usize).map_or(format!("@?{id}"), |external| format!("@{}", external.name))
    }

    /// `written = mnemonic read, read`, followed by what is no slot.
    fn plain(&self, op: &Op, mnemonic: &str, rest: &str) -> String {
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        op.operands(self.function, &mut |kind, slot, count| match kind {
            Use::Read => reads.push(slots(slot, count)),
            Use::Write => writes.push(slots(slot, count)),
        });
        if !rest.is_empty() {
            reads.push(rest.to_owned());
        }
        let to = if writes.is_empty() { "" } else { " = " };
        format!("{}{to}{mnemonic} {}", writes.join(", "), reads.join(", ")).trim_end().to_owned()
    }

    /// An operation with a side table: `?` if the table has no such entry.
    fn entry<T>(&self, what: &str, table: &[T], index: u32, text: impl FnOnce(&T) -> String) -> String {
        table.get(index as usize).map_or_else(|| format!("{what} ?{index}"), text)
    }

    fn operation(&self, op: &Op) -> String {
        let function = self.function;
        let plain = |mnemonic: &str| self.plain(op, mnemonic, "");
        let with = |mnemonic: &str, rest: String| self.plain(op, mnemonic, &rest);
        match *op {
            Op::Const { value, .. } => with("const", constant(value)),
            Op::Move { .. } | Op::MoveMany { .. } => plain("move"),
            Op::MoveIf { count, dst, cond, src } => {
                let count = count.into();
                format!("{} = move {} if r{cond}", slots(dst, count), slots(src, count))
            }
            Op::Undefined { .. } => plain("undefined"),
            Op::Freeze { .. } => plain("freeze"),
            Op::Add32 { .. } => plain("add32"),
            Op::Add64 { .. } => plain("add64"),
            Op::Sub32 { .. } => plain("sub32"),
            Op::Sub64 { .. } => plain("sub64"),
            Op::Mul32 { .. } => plain("mul32"),
            Op::Mul64 { .. } => plain("mul64"),
            Op::And { .. } => plain("and"),
            Op::Or { .. } => plain("or"),
            Op::Xor { .. } => plain("xor"),
            Op::AddImm32 { imm, .. } => with("add32", imm.to_string()),
            Op::AddImm64 { imm, .. } => with("add64", imm.to_string()),
            Op::MulImm32 { imm, .. } => with("mul32", imm.to_string()),
            Op::MulImm64 { imm, .. } => with("mul64", imm.to_string()),
            Op::AndImm { imm, .. } => with("and", format!("{imm:#x}")),
            Op::ShlImm32 { amount, .. } => with("shl32", amount.to_string()),
            Op::ShlImm64 { amount, .. } => with("shl64", amount.to_string()),
            Op::LShrImm { amount, .. } => with("lshr", amount.to_string()),
            Op::AShrImm32 { amount, .. } => with("ashr32", amount.to_string()),
            Op::AShrImm64 { amount, .. } => with("ashr64", amount.to_string()),
            Op::Binary { op, width, .. } => plain(&format!("{}.i{width}", name(op))),
            Op::SignExtend { from, to, .. } => plain(&format!("sign_extend.i{from}.i{to}")),
            Op::Overflowing { op, signed, width, .. } => plain(&overflowing(op, signed, width.into())),
            Op::Compare { kind, .. } => plain(&format!("compare.{}", name(kind))),
            Op::CompareImm { kind, width, imm, .. } => {
                with(&format!("compare.{}.i{width}", name(kind)), imm.to_string())
            }

            Op::Float { op, single, .. } => plain(&format!("float.{}.{}", name(op), float(single))),
            Op::FloatNegate { single, .. } => plain(&format!("float.negate.{}", float(single))),
            Op::FloatCompare { kind, single, .. } => {
                plain(&format!("float.compare.{}.{}", name(kind), float(single)))
            }
            Op::FloatToInt { signed, single, width, .. } => {
                plain(&format!("float_to_int.{}.{}.i{width}", float(single), sign(signed)))
            }
            Op::IntToFloat { signed, single, width, .. } => {
                plain(&format!("int_to_float.{}.i{width}.{}", sign(signed), float(single)))
            }
            Op::FloatTruncate { .. } => plain("float_truncate"),
            Op::FloatExtend { .. } => plain("float_extend"),

            Op::GlobalAddress { global, offset, .. } => with(
                "address",
                match offset {
                    0 => self.global(global),
                    _ => format!("{} {offset:+}", self.global(global)),
                },
            ),
            Op::ThreadLocalAddress { global, .. } => with("address.thread_local", self.global(global)),
            Op::FunctionAddress { function, .. } => with("address.function", self.callee(function)),
            Op::ExternalAddress { external, .. } => with("address.external", self.external(external)),
            Op::PtrAdd { .. } => plain("ptr_add"),
            Op::PtrAddImm { imm, .. } => with("ptr_add", imm.to_string()),
            Op::PtrIndex { scale, dst, base, a } => format!("r{dst}:2 = ptr_add r{base}:2, r{a} * {scale}"),
            Op::PtrToInt { expose, .. } => plain(if expose { "ptr_to_int.expose" } else { "ptr_to_int" }),
            Op::IntToPtr { .. } => plain("int_to_ptr"),

            Op::Load { bytes, dst, ptr, offset } => format!("r{dst} = load.{bytes} {}", memory(ptr, offset)),
            Op::LoadPtr { dst, ptr, offset } => format!("r{dst}:2 = load.ptr {}", memory(ptr, offset)),
            Op::Store { bytes, src, ptr, offset } => format!("store.{bytes} {}, r{src}", memory(ptr, offset)),
            Op::StorePtr { src, ptr, offset } => format!("store.ptr {}, r{src}:2", memory(ptr, offset)),
            Op::Atomic { index } => self.entry("atomic", &function.atomics, index, atomic),
            Op::LoadMany { index } => self.entry("load_many", &function.accesses, index, |access| {
                format!("{} = load_many.{}", many(access), at(access))
            }),
            Op::StoreMany { index } => self.entry("store_many", &function.accesses, index, |access| {
                format!("store_many.{}, {}", at(access), many(access))
            }),
            Op::MemCopy { dst, src, len } => format!("memcopy [r{dst}], [r{src}], r{len}"),
            Op::MemSet { dst, value, len } => format!("memset [r{dst}], r{value}, r{len}"),
            Op::Alloca { dst, index } => self.entry("alloca", &function.allocas, index, |alloca| {
                let count = alloca.count.map_or(String::new(), |count| format!(" * r{count}"));
                let (size, align, name) = (alloca.size, alloca.align, &alloca.name);
                format!("r{dst}:2 = alloca {size}{count} align {align} {name}").trim_end().to_owned()
            }),
            Op::StackSave { .. } => plain("stack_save"),
            Op::StackRestore { .. } => plain("stack_restore"),

            Op::Wide { index } => {
                self.entry("wide", &function.wides, index, |operation| plain(&wide(operation)))
            }
            Op::ExtendedFloat { index } => {
                self.entry("float", &function.extended_floats, index, |operation| {
                    plain(&extended_float(operation))
                })
            }
            Op::Repack { index } => self.entry("repack", &function.repacks, index, |repack| {
                let text = |&(leaf, slot): &(Leaf, Slot)| format!("r{slot}: {}", leaf_name(leaf));
                format!("{{{}}} = repack {{{}}}", list(&repack.dst, text), list(&repack.src, text))
            }),
            Op::Intrinsic { index } => {
                self.entry("intrinsic", &function.intrinsics, index, |operation| plain(&intrinsic(operation)))
            }

            Op::Jump { target } => format!("jump -> {target}"),
            Op::BranchIf { cond, target } => format!("branch r{cond} -> {target}"),
            Op::BranchUnless { cond, target } => format!("branch not r{cond} -> {target}"),
            Op::BranchCompare { kind, a, b, target } => {
                format!("branch r{a} {} r{b} -> {target}", name(kind))
            }
            Op::BranchCompareImm { kind, width, a, imm, target } => {
                format!("branch.i{width} r{a} {} {imm} -> {target}", name(kind))
            }
            Op::Switch { index } => self.entry("switch", &function.switches, index, |switch| {
                let cases = list(&switch.cases, |&(case, target)| format!("{} -> {target}", constant(case)));
                format!("switch r{} {{{cases}}} else -> {}", switch.value, switch.default)
            }),
            Op::IndirectBranch { ptr } => {
                format!("branch [r{ptr}] -> {{{}}}", list(&function.blocks_taken, u32::to_string))
            }
            Op::BlockAddress { dst, index } => {
                self.entry("block_address", &function.blocks_taken, index, |target| {
                    format!("r{dst}:2 = address.block -> {target}")
                })
            }
            Op::Call { index } => self.entry("call", &function.calls, index, |call| self.call(call)),
            Op::Return { .. } => plain("return"),
            Op::LandingPad { index } => {
                self.entry("landing_pad", &function.landing_pads, index, |pad| self.landing_pad(pad))
            }
            Op::Resume { .. } => plain("resume"),
            Op::Unreachable => "unreachable".to_owned(),
            Op::Unsupported { index } => {
                self.entry("unsupported", &function.unsupported, index, |what| format!("unsupported: {what}"))
            }
        }
    }

    fn call(&self, call: &Call) -> String {
        let count = call.result.iter().map(|leaf| leaf.slots()).sum();
        let result = if count == 0 { String::new() } else { format!("{} = ", slots(call.dst, count)) };
        let callee = match call.callee {
            Callee::Function(id) => self.callee(id),
            Callee::External(id) => format!("external {}", self.external(id)),
            Callee::Pointer(slot) => format!("[r{slot}]"),
        };
        let arguments = list(call.args.iter().enumerate(), |(index, argument)| {
            let text = slots(argument.slot, argument.leaf.slots());
            let variadic = if index == call.fixed as usize { "... " } else { "" };
            let byval = argument.byval.map_or(String::new(), |byval| format!(" byval {}", byval.size));
            format!("{variadic}{text}{byval}")
        });
        let unwind = call.unwind.map_or(String::new(), |target| format!(" unwind -> {target}"));
        format!("{result}call {callee}({arguments}){unwind}")
    }

    fn landing_pad(&self, pad: &LandingPad) -> String {
        let type_name = |global: &Option<u32>| global.map_or("all".to_owned(), |id| self.global(id));
        let mut text = format!("{} = landing_pad", slots(pad.dst, 3));
        for clause in &pad.clauses {
            text += &match clause {
                Clause::Catch(global) => format!(" catch {}", type_name(global)),
                Clause::Filter(globals) => format!(" filter {{{}}}", list(globals, type_name)),
            };
        }
        text + if pad.cleanup { " cleanup" } else { "" }
    }
}

/// Small numbers in decimal, large ones (addresses, masks, floats) in hexadecimal.
fn constant(value: u64) -> String {
    match value {
        0..=0xffff_ffff => value.to_string(),
        _ => format!("{value:#x}"),
    }
}

fn overflowing(op: BinaryOp, signed: bool, width: u32) -> String {
    format!("{}.overflow.{}.i{width}", name(op), sign(signed))
}

/// Size and place of an access with several leaves.
fn at(access: &Access) -> String {
    format!("{} {}", access.bytes, memory(access.ptr, access.offset))
}

/// The leaves of an access.
fn many(access: &Access) -> String {
    let leaves =
        list(&access.leaves, |&(offset, leaf, slot)| format!("{offset}: r{slot} {}", leaf_name(leaf)));
    format!("{{{leaves}}}")
}

fn atomic(atomic: &Atomic) -> String {
    let order = name(atomic.order);
    let scope = if atomic.single_thread { " single_thread" } else { "" };
    let value = |slot| slots(slot, atomic.slots());
    let size = match (atomic.pointer, atomic.float) {
        (true, _) => "ptr".to_owned(),
        (false, Some(format)) => name(format),
        (false, None) => format!("i{}", atomic.width),
    };
    let place = memory(atomic.ptr, 0);
    match atomic.kind {
        AtomicKind::Load { dst } => format!("{} = atomic.load.{size}.{order} {place}{scope}", value(dst)),
        AtomicKind::Store { src } => format!("atomic.store.{size}.{order} {place}, {}{scope}", value(src)),
        AtomicKind::ReadModifyWrite { op, dst, src } => {
            let (dst, src) = (value(dst), value(src));
            format!("{dst} = atomic.{}.{size}.{order} {place}, {src}{scope}", name(op))
        }
        AtomicKind::CompareExchange { dst, expected, desired, weak, failure } => {
            let weak = if weak { ".weak" } else { "" };
            let (dst, expected, desired) = (slots(dst, atomic.slots() + 1), value(expected), value(desired));
            let failure = name(failure);
            format!(
                "{dst} = atomic.compare_exchange{weak}.{size}.{order}.{failure} \
                 {place}, {expected}, {desired}{scope}"
            )
        }
        AtomicKind::Fence => format!("fence.{order}{scope}"),
    }
}

fn wide(wide: &Wide) -> String {
    let width = wide.width;
    match wide.op {
        WideOp::Binary(op) => format!("{}.i{width}", name(op)),
        WideOp::Compare(kind) => format!("compare.{}.i{width}", name(kind)),
        WideOp::ZeroExtend { from } => format!("zero_extend.i{from}.i{width}"),
        WideOp::SignExtend { from } => format!("sign_extend.i{from}.i{width}"),
        WideOp::Truncate { from } => format!("truncate.i{from}.i{width}"),
        WideOp::Overflowing { op, signed } => overflowing(op, signed, width),
        WideOp::ToFloat { signed, format } => int_to_float(signed, width, format),
        WideOp::FromFloat { signed, format } => float_to_int(signed, width, format),
    }
}

fn extended_float(operation: &ExtendedFloat) -> String {
    let format = operation.format;
    match operation.op {
        ExtendedFloatOp::Arithmetic(op) => format!("float.{}.{}", name(op), name(format)),
        ExtendedFloatOp::Negate => format!("float.negate.{}", name(format)),
        ExtendedFloatOp::Compare(kind) => format!("float.compare.{}.{}", name(kind), name(format)),
        ExtendedFloatOp::ConvertFrom(from) => format!("float_convert.{}.{}", name(from), name(format)),
        ExtendedFloatOp::FromInt { signed, width } => int_to_float(signed, width, format),
        ExtendedFloatOp::ToInt { signed, width } => float_to_int(signed, width, format),
    }
}

fn int_to_float(signed: bool, width: u32, format: FloatFormat) -> String {
    format!("int_to_float.{}.i{width}.{}", sign(signed), name(format))
}

fn float_to_int(signed: bool, width: u32, format: FloatFormat) -> String {
    format!("float_to_int.{}.{}.i{width}", name(format), sign(signed))
}

/// The intrinsic's name with the widths and the format that it depends on.
fn intrinsic(intrinsic: &Intrinsic) -> String {
    use crate::operands::OperandClass;
    let signature = intrinsic.kind.signature();
    let uses = |class| signature.arguments.iter().chain(&signature.result).any(|&other| other == class);
    let mut text = name(intrinsic.kind);
    if uses(OperandClass::Float) {
        text += &format!(".{}", name(intrinsic.format));
    }
    if uses(OperandClass::Width) {
        text += &format!(".i{}", intrinsic.width);
    }
    if uses(OperandClass::ResultWidth) {
        text += &format!(".i{}", intrinsic.result_width);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Argument, Comparison, Order, RmwOp, Switch};
    use crate::program::{External, Position, SourceFile};

    /// Disassembles a function in a program with one external and two positions.
    fn check(function: Function, expected: &str) {
        let program = Program {
            externals: vec![External { name: "puts".into(), address: 0, weak: false }],
            positions: vec![
                Position::default(),
                Position { file: 1, line: 3, column: 5, ..Position::default() },
            ],
            files: vec![SourceFile::default(), SourceFile { path: "a.c".into(), ..SourceFile::default() }],
            ..Program::default()
        };
        let found = disassemble(&program, &function);
        let found: Vec<_> =
            found.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let expected: Vec<_> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn listing() {
        let call = Call {
            callee: Callee::External(0),
            args: Box::new([Argument::scalar(0, Leaf::Ptr), Argument::scalar(2, Leaf::Int(32))]),
            slots: Box::new([0, 1]),
            fixed: 1,
            dst: 3,
            result: Box::new([Leaf::Int(32)]),
            unwind: Some(9),
            tail: false,
            exact: false,
        };
        let rmw = Atomic {
            kind: AtomicKind::ReadModifyWrite { op: RmwOp::Add, dst: 3, src: 2 },
            ptr: 0,
            bytes: 4,
            width: 32,
            pointer: false,
            float: None,
            order: Order::SeqCst,
            single_thread: false,
        };
        let code = [
            Op::Const { dst: 2, value: 7 },
            Op::AddImm32 { dst: 2, a: 2, imm: -1 },
            Op::Store { bytes: 4, src: 2, ptr: 0, offset: 8 },
            Op::LoadPtr { dst: 4, ptr: 0, offset: -8 },
            Op::MoveIf { count: 2, dst: 0, cond: 2, src: 4 },
            Op::Atomic { index: 0 },
            Op::Call { index: 0 },
            Op::BranchCompareImm { kind: Comparison::Slt32, width: 32, a: 3, imm: 0, target: 1 },
            Op::Switch { index: 0 },
            Op::LandingPad { index: 0 },
            Op::GlobalAddress { dst: 4, global: 7, offset: 4 },
            Op::Wide { index: 3 },
            Op::Return { src: 3, count: 1 },
        ];
        let function = Function {
            unique: "a.c:work".into(),
            parameters: Box::new([Leaf::Ptr]),
            parameter_slots: 2,
            result_slots: 1,
            frame_slots: 9,
            positions: Box::new([0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            sites: [Site::NONE; 5].into_iter().chain([Site { block: 1, instruction: 2 }; 8]).collect(),
            code: Box::new(code),
            atomics: Box::new([rmw]),
            calls: Box::new([call]),
            switches: Box::new([Switch { value: 2, cases: Box::new([(1, 0), (5, 12)]), default: 12 }]),
            landing_pads: Box::new([LandingPad {
                dst: 6,
                clauses: Box::new([Clause::Catch(None)]),
                cleanup: true,
            }]),
            ..Function::default()
        };
        check(
            function,
            "
            function a.c:work(ptr): 1 result slots, 9 frame slots
            0 r2 = const 7
            1 r2 = add32 r2, -1 ; a.c:3:5
            2 store.4 [r0 + 8], r2
            3 r4:2 = load.ptr [r0 - 8] ; -
            4 r0:2 = move r4:2 if r2
            5 r3 = atomic.add.i32.seqcst [r0], r2 ; #1.2
            6 r3 = call external @puts(r0:2, ... r2) unwind -> 9
            7 branch.i32 r3 slt32 0 -> 1
            8 switch r2 {1 -> 0, 5 -> 12} else -> 12
            9 r6:3 = landing_pad catch all cleanup
            10 r4:2 = address @?7 +4
            11 wide ?3
            12 return r3
            ",
        );
    }
}
