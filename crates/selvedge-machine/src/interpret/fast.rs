//! The loop that runs code.

use super::{Exit, Run, Stop};
use crate::halt::{Halt, ViolationKind};
use crate::machine::Machine;
use crate::memory::{Pointer, Provenance};
use crate::model::Datum;
use crate::ops::{Trouble, binary, float};
use crate::thread::{Frame, Thread};
use selvedge_program::code::{Call, Callee, Function, Op};
use selvedge_program::{BLOCK_BASE, Program};
use selvedge_trace::mutants::{Mutant, mutant};

/// Slots beyond a frame that its variable parts never exceed; growing the registers rarely is enough.
const SPARE: usize = 256;

pub(super) fn trouble(trouble: Trouble) -> Halt {
    match trouble {
        Trouble::DivisionByZero => Halt::violation(ViolationKind::Division, "division by zero"),
        Trouble::DivisionOverflow => {
            Halt::violation(ViolationKind::Division, "division overflow: the quotient does not fit its type")
        }
        Trouble::Undefined => Halt::unsupported("undefined result"),
        Trouble::Unsupported => Halt::unsupported("floating-point operation in this format"),
    }
}

impl Machine {
    /// Runs the thread's code; a single operation if `SINGLE`.
    pub(super) fn execute<const SINGLE: bool>(&mut self, run: &mut Run) -> Result<Exit, Halt> {
        let program = &*self.program_here();
        // The thread is unshared here and nothing in a run shares or replaces it, so the pointer stays good; it is
        // not held as a reference because models of functions reach the thread through the machine.
        let thread: *mut Thread = self.thread_mut(run.thread);
        loop {
            // SAFETY: see above for `thread`. Slots and targets are within bounds because `validate` has accepted
            // the program, and `registers` covers the running frame (`enter` sees to that).
            let exit = unsafe { self.execute_frames::<SINGLE>(run, program, thread) }?;
            match exit {
                Some(exit) => return Ok(exit),
                None if SINGLE || self.is_concolic() => return Ok(Exit::Again),
                None => {}
            }
        }
    }

    /// Runs the top frame, and those that it calls or returns to, until the run ends or the frames have changed
    /// otherwise (None).
    ///
    /// # Safety `thread` must be the run's thread, uniquely owned; the program must be valid.
    unsafe fn execute_frames<const SINGLE: bool>(
        &mut self,
        run: &mut Run,
        program: &Program,
        thread: *mut Thread,
    ) -> Result<Option<Exit>, Halt> {
        // SAFETY: the caller's promises; each use of a raw pointer below is one of: the running frame, its slots,
        // its code.
        unsafe {
            let mut frame: *mut Frame = (*thread).frame_mut();
            let mut function: &Function = &program.functions[(*frame).function as usize];
            let mut code: *const Op = function.code.as_ptr();
            let mut registers: *mut u64 = (*thread).registers.as_mut_ptr().add((*frame).base as usize);
            let mut pc = (*frame).pc as usize;
            if !SINGLE && (*frame).undefined.is_some() {
                return Ok(Some(Exit::Again));
            }
            // Goes on in the frame that is on top now.
            macro_rules! enter_top {
                () => {{
                    frame = (*thread).frame_mut();
                    function = program.functions.get_unchecked((*frame).function as usize);
                    code = function.code.as_ptr();
                    registers = (*thread).registers.as_mut_ptr().add((*frame).base as usize);
                    pc = (*frame).pc as usize;
                }};
            }
            macro_rules! r {
                ($slot:expr) => {
                    *registers.add($slot as usize)
                };
            }
            macro_rules! pointer {
                ($slot:expr) => {
                    Pointer { address: r!($slot), provenance: Provenance(r!($slot + 1)) }
                };
            }
            macro_rules! set_pointer {
                ($slot:expr, $pointer:expr) => {{
                    let pointer: Pointer = $pointer;
                    r!($slot) = pointer.address;
                    r!($slot + 1) = pointer.provenance.0;
                }};
            }
            macro_rules! save {
                () => {
                    (*frame).pc = pc as u32
                };
            }
            // Leaves the loop with an error at the current operation.
            macro_rules! attempt {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(error) => {
                            save!();
                            return Err(error.into());
                        }
                    }
                };
            }
            // A result that may be undefined.
            macro_rules! result {
                ($dst:expr, $result:expr, $width:expr) => {
                    match $result {
                        Ok(value) => r!($dst) = value,
                        Err(Trouble::Undefined) => {
                            r!($dst) = 0;
                            undefined!($dst, u64::MAX >> (64 - u32::from($width)));
                        }
                        Err(other) => attempt!(Err(trouble(other))),
                    }
                };
            }
            // Marks a slot and goes over to careful execution after this operation.
            macro_rules! undefined {
                ($dst:expr, $bits:expr) => {{
                    (*frame).undefined.get_or_insert_default().insert($dst, $bits);
                    pc += 1;
                    save!();
                    return Ok(Some(Exit::Again));
                }};
            }
            macro_rules! jump {
                ($target:expr) => {{
                    let target = $target as usize;
                    if target <= pc {
                        run.fuel -= 1;
                        if run.fuel == 0 {
                            pc = target;
                            save!();
                            return Ok(Some(Exit::Stop(Stop::OutOfFuel)));
                        }
                    }
                    pc = target;
                }};
            }
            // Control has gone to `pc`.
            macro_rules! arrived {
                () => {{
                    if SINGLE {
                        save!();
                        return Ok(Some(Exit::Again));
                    }
                    continue;
                }};
            }
            loop {
                let op = *code.add(pc);
                match op {
                    Op::Const { dst, value } => r!(dst) = value,
                    Op::Move { dst, src } => r!(dst) = r!(src),
                    Op::MoveMany { dst, src, count } => {
                        let (from, to) = (registers.add(src as usize), registers.add(dst as usize));
                        std::ptr::copy(from, to, count as usize);
                    }
                    Op::MoveIf { count, dst, cond, src } => {
                        if r!(cond) != 0 {
                            let (from, to) = (registers.add(src as usize), registers.add(dst as usize));
                            std::ptr::copy(from, to, count as usize);
                        }
                    }
                    Op::Undefined { dst, count } => {
                        for slot in dst..dst + count {
                            r!(slot) = 0;
                            (*frame).undefined.get_or_insert_default().insert(slot, u64::MAX);
                        }
                        pc += 1;
                        save!();
                        return Ok(Some(Exit::Again));
                    }
                    Op::Freeze { dst, src, count } => {
                        for i in 0..count {
                            let bits = if SINGLE { self.undefined_bits(run.thread, src + i) } else { 0 };
                            r!(dst + i) = r!(src + i) & !bits;
                        }
                    }
                    Op::Add32 { dst, a, b } => r!(dst) = u64::from((r!(a) as u32).wrapping_add(r!(b) as u32)),
                    Op::Add64 { dst, a, b } => r!(dst) = r!(a).wrapping_add(r!(b)),
                    Op::Sub32 { dst, a, b } => r!(dst) = u64::from((r!(a) as u32).wrapping_sub(r!(b) as u32)),
                    Op::Sub64 { dst, a, b } => r!(dst) = r!(a).wrapping_sub(r!(b)),
                    Op::Mul32 { dst, a, b } => r!(dst) = u64::from((r!(a) as u32).wrapping_mul(r!(b) as u32)),
                    Op::Mul64 { dst, a, b } => r!(dst) = r!(a).wrapping_mul(r!(b)),
                    Op::And { dst, a, b } => r!(dst) = r!(a) & r!(b),
                    Op::Or { dst, a, b } => r!(dst) = r!(a) | r!(b),
                    Op::Xor { dst, a, b } => r!(dst) = r!(a) ^ r!(b),
                    Op::AddImm32 { dst, a, imm } => {
                        r!(dst) = u64::from((r!(a) as u32).wrapping_add(imm as u32))
                    }
                    Op::AddImm64 { dst, a, imm } => r!(dst) = r!(a).wrapping_add(i64::from(imm) as u64),
                    Op::MulImm32 { dst, a, imm } => {
                        r!(dst) = u64::from((r!(a) as u32).wrapping_mul(imm as u32))
                    }
                    Op::MulImm64 { dst, a, imm } => r!(dst) = r!(a).wrapping_mul(i64::from(imm) as u64),
                    Op::AndImm { dst, a, imm } => r!(dst) = r!(a) & u64::from(imm),
                    Op::ShlImm32 { dst, a, amount } => r!(dst) = u64::from((r!(a) as u32) << (amount & 31)),
                    Op::ShlImm64 { dst, a, amount } => r!(dst) = r!(a) << (amount & 63),
                    Op::LShrImm { dst, a, amount } => r!(dst) = r!(a) >> (amount & 63),
                    Op::AShrImm32 { dst, a, amount } => {
                        r!(dst) = u64::from(((r!(a) as i32) >> (amount & 31)) as u32);
                    }
                    Op::AShrImm64 { dst, a, amount } => r!(dst) = ((r!(a) as i64) >> (amount & 63)) as u64,
                    Op::Binary { op, width, dst, a, b } => {
                        result!(dst, binary::binary(op, width, r!(a), r!(b)), width);
                    }
                    Op::SignExtend { from, to, dst, a } => {
                        let shift = 64 - u32::from(from);
                        let value = ((r!(a) << shift) as i64 >> shift) as u64;
                        r!(dst) = value & (u64::MAX >> (64 - u32::from(to)));
                    }
                    Op::Overflowing { op, signed, width, dst, a, b } => {
                        let (value, overflow) = binary::overflowing(op, signed, width, r!(a), r!(b));
                        r!(dst) = value;
                        r!(dst + 1) = u64::from(overflow);
                    }
                    Op::Compare { kind, dst, a, b } => {
                        r!(dst) = u64::from(binary::compare(kind, r!(a), r!(b)))
                    }
                    Op::CompareImm { kind, width, dst, a, imm } => {
                        r!(dst) = u64::from(binary::compare(kind, r!(a), binary::immediate(imm, width)));
                    }
                    Op::Float { op, single, dst, a, b } => {
                        r!(dst) = float::arithmetic(op, single, r!(a), r!(b))
                    }
                    Op::FloatNegate { single, dst, a } => r!(dst) = float::negate(single, r!(a)),
                    Op::FloatCompare { kind, single, dst, a, b } => {
                        r!(dst) = u64::from(float::compare(kind, single, r!(a), r!(b)));
                    }
                    Op::FloatToInt { signed, single, width, dst, a } => {
                        let value = float::to_int(signed, single, width, r!(a));
                        result!(dst, value.ok_or(Trouble::Undefined), width);
                    }
                    Op::IntToFloat { signed, single, width, dst, a } => {
                        r!(dst) = float::from_int(signed, single, width, r!(a));
                    }
                    Op::FloatTruncate { dst, a } => r!(dst) = float::truncate(r!(a)),
                    Op::FloatExtend { dst, a } => r!(dst) = float::extend(r!(a)),
                    Op::GlobalAddress { dst, global, offset } => {
                        set_pointer!(dst, self.memory.global_pointer(global).offset(i64::from(offset)));
                    }
                    Op::ThreadLocalAddress { dst, global } => {
                        save!();
                        let pointer = self.thread_local(run.thread, global)?;
                        set_pointer!(dst, pointer);
                    }
                    Op::FunctionAddress { dst, function } => {
                        r!(dst) = program.functions[function as usize].address;
                        r!(dst + 1) = 0;
                    }
                    Op::ExternalAddress { dst, external } => {
                        r!(dst) = self.external_address(external);
                        r!(dst + 1) = 0;
                    }
                    Op::PtrAdd { dst, base, a } => {
                        let provenance = r!(base + 1);
                        r!(dst) = r!(base).wrapping_add(r!(a));
                        r!(dst + 1) = provenance;
                    }
                    Op::PtrAddImm { dst, base, imm } => {
                        let provenance = r!(base + 1);
                        r!(dst) = r!(base).wrapping_add(i64::from(imm) as u64);
                        r!(dst + 1) = provenance;
                    }
                    Op::PtrIndex { scale, dst, base, a } => {
                        let provenance = r!(base + 1);
                        r!(dst) = r!(base).wrapping_add(r!(a).wrapping_mul(u64::from(scale)));
                        r!(dst + 1) = provenance;
                    }
                    Op::PtrToInt { expose, dst, src } => {
                        if expose && !mutant(Mutant::PointersAsNumbers) {
                            attempt!(self.share(run.thread, Provenance(r!(src + 1))));
                        }
                        r!(dst) = r!(src);
                    }
                    Op::IntToPtr { dst, src } => {
                        r!(dst) = r!(src);
                        r!(dst + 1) = 0;
                    }
                    Op::Load { bytes, dst, ptr, offset } => {
                        let at = pointer!(ptr).offset(i64::from(offset));
                        let bounds = attempt!(self.memory.check(at, u64::from(bytes)));
                        let read = if bounds.shared && !self.solo {
                            save!();
                            match self.shared_load(run, at, bytes)? {
                                Ok(read) => read,
                                Err(stop) => return Ok(Some(Exit::Stop(stop))),
                            }
                        } else {
                            (*thread).events += u32::from(bounds.shared);
                            self.memory.read(at.address, bytes as usize)
                        };
                        if read.provenance != Provenance::NONE {
                            attempt!(self.share(run.thread, read.provenance));
                        }
                        r!(dst) = read.value;
                        if !read.defined {
                            undefined!(dst, self.undefined_read(run.thread, at.address, bytes));
                        }
                    }
                    Op::LoadPtr { dst, ptr, offset } => {
                        let at = pointer!(ptr).offset(i64::from(offset));
                        let bounds = attempt!(self.memory.check(at, 8));
                        let read = if bounds.shared && !self.solo {
                            save!();
                            match self.shared_load(run, at, 8)? {
                                Ok(read) => read,
                                Err(stop) => return Ok(Some(Exit::Stop(stop))),
                            }
                        } else {
                            (*thread).events += u32::from(bounds.shared);
                            self.memory.read(at.address, 8)
                        };
                        r!(dst) = read.value;
                        r!(dst + 1) = read.provenance.0;
                        if !read.defined {
                            undefined!(dst, self.undefined_read(run.thread, at.address, 8));
                        }
                    }
                    Op::Store { bytes, src, ptr, offset } => {
                        let at = pointer!(ptr).offset(i64::from(offset));
                        let bounds = attempt!(self.check_write(at, u64::from(bytes)));
                        let undefined = if SINGLE {
                            super::bytes_of_bits(self.undefined_bits(run.thread, src))
                        } else {
                            0
                        };
                        if bounds.shared && !self.solo {
                            save!();
                            let value = (r!(src), Provenance::NONE, undefined);
                            if let Some(stop) = self.shared_store(run, at, bytes, value)? {
                                return Ok(Some(Exit::Stop(stop)));
                            }
                        } else if self.watch {
                            // Where the store is will be told if something races with it.
                            save!();
                            let datum = Datum { value: r!(src), provenance: Provenance::NONE, undefined };
                            self.write_private(run.thread, at.address, bytes, datum);
                        } else {
                            (*thread).events += u32::from(bounds.shared);
                            self.memory.write(at.address, bytes as usize, r!(src), Provenance::NONE);
                            if SINGLE {
                                self.undefine_bytes(at.address, bytes, undefined);
                            }
                        }
                    }
                    Op::StorePtr { src, ptr, offset } => {
                        let at = pointer!(ptr).offset(i64::from(offset));
                        let bounds = attempt!(self.check_write(at, 8));
                        let undefined = if SINGLE {
                            super::bytes_of_bits(self.undefined_bits(run.thread, src))
                        } else {
                            0
                        };
                        let provenance = Provenance(r!(src + 1));
                        if bounds.shared && !self.solo {
                            save!();
                            let value = (r!(src), provenance, undefined);
                            if let Some(stop) = self.shared_store(run, at, 8, value)? {
                                return Ok(Some(Exit::Stop(stop)));
                            }
                        } else if self.watch {
                            // Where the store is will be told if something races with it.
                            save!();
                            let datum = Datum { value: r!(src), provenance, undefined };
                            self.write_private(run.thread, at.address, 8, datum);
                        } else {
                            (*thread).events += u32::from(bounds.shared);
                            self.memory.write(at.address, 8, r!(src), provenance);
                            if SINGLE {
                                self.undefine_bytes(at.address, 8, undefined);
                            }
                        }
                        if bounds.shared && provenance != Provenance::NONE {
                            attempt!(self.share(run.thread, provenance));
                        }
                    }
                    Op::MemCopy { dst, src, len } => {
                        save!();
                        if let Some(stop) = self.mem_copy(run, pointer!(dst), pointer!(src), r!(len))? {
                            return Ok(Some(Exit::Stop(stop)));
                        }
                    }
                    Op::MemSet { dst, value, len } => {
                        save!();
                        let undefined = SINGLE && self.undefined_bits(run.thread, value) & 0xff == 0xff;
                        let byte = (!undefined).then_some(r!(value) as u8);
                        if let Some(stop) = self.mem_set(run, pointer!(dst), byte, r!(len))? {
                            return Ok(Some(Exit::Stop(stop)));
                        }
                    }
                    Op::Alloca { dst, index } => {
                        save!();
                        let alloca = &function.allocas[index as usize];
                        let count = alloca.count.map_or(1, |count| r!(count));
                        let pointer =
                            self.stack_object(run.thread, (*frame).function, index, alloca, count)?;
                        set_pointer!(dst, pointer);
                    }
                    Op::StackSave { dst } => {
                        r!(dst) = (*thread).stack.len() as u64;
                        r!(dst + 1) = 0;
                    }
                    Op::StackRestore { src } => {
                        save!();
                        let mark = (r!(src) as usize).max((*frame).stack_mark as usize);
                        self.free_stack(run.thread, mark);
                    }
                    Op::Jump { target } => {
                        jump!(target);
                        arrived!();
                    }
                    Op::BranchIf { cond, target } => {
                        if r!(cond) != 0 {
                            jump!(target);
                        } else {
                            pc += 1;
                        }
                        arrived!();
                    }
                    Op::BranchUnless { cond, target } => {
                        if r!(cond) == 0 {
                            jump!(target);
                        } else {
                            pc += 1;
                        }
                        arrived!();
                    }
                    Op::BranchCompare { kind, a, b, target } => {
                        if binary::compare(kind, r!(a), r!(b)) {
                            jump!(target);
                        } else {
                            pc += 1;
                        }
                        arrived!();
                    }
                    Op::BranchCompareImm { kind, width, a, imm, target } => {
                        if binary::compare(kind, r!(a), binary::immediate(imm, width)) {
                            jump!(target);
                        } else {
                            pc += 1;
                        }
                        arrived!();
                    }
                    Op::Switch { index } => {
                        let switch = &function.switches[index as usize];
                        let value = r!(switch.value);
                        let target = match switch.cases.binary_search_by_key(&value, |&(case, _)| case) {
                            Ok(found) => switch.cases[found].1,
                            Err(_) => switch.default,
                        };
                        jump!(target);
                        arrived!();
                    }
                    Op::BlockAddress { dst, index } => {
                        let block = u64::from((*frame).function) << 16 | u64::from(index);
                        r!(dst) = BLOCK_BASE + block * 16;
                        r!(dst + 1) = 0;
                    }
                    Op::IndirectBranch { ptr } => {
                        let block = r!(ptr).wrapping_sub(BLOCK_BASE) / 16;
                        let target = match block >> 16 == u64::from((*frame).function) {
                            true => function.blocks_taken.get((block & 0xffff) as usize).copied(),
                            false => None,
                        };
                        let bad = || {
                            Halt::violation(
                                ViolationKind::Memory,
                                "computed goto to an address that is no label",
                            )
                        };
                        jump!(attempt!(target.ok_or_else(bad)));
                        arrived!();
                    }
                    Op::Call { index } => {
                        save!();
                        let call: &Call = &function.calls[index as usize];
                        run.fuel -= 1;
                        if run.fuel == 0 {
                            run.fuel = 1;
                            return Ok(Some(Exit::Stop(Stop::OutOfFuel)));
                        }
                        if !SINGLE && let Callee::Function(id) = call.callee {
                            let callee = &program.functions[id as usize];
                            if call.exact
                                && !call.tail
                                && call.args.iter().all(|argument| argument.byval.is_none())
                            {
                                let base = (*frame).base as usize + function.frame_slots as usize;
                                let needed = base + callee.frame_slots as usize;
                                if (*thread).registers.len() < needed {
                                    (*thread).registers.resize(needed * 2 + SPARE, 0);
                                }
                                if (*thread).frames.len() >= self.config.max_frames {
                                    return Err(super::calls::stack_overflow());
                                }
                                let all = (*thread).registers.as_mut_ptr();
                                let from = all.add((*frame).base as usize);
                                let to = all.add(base);
                                for (i, &slot) in call.slots.iter().enumerate() {
                                    *to.add(i) = *from.add(slot as usize);
                                }
                                let stack_mark = (*thread).stack.len() as u32;
                                let varargs = Pointer::NULL;
                                let base = base as u32;
                                (*thread).frames.push(Frame {
                                    function: id,
                                    pc: 0,
                                    base,
                                    stack_mark,
                                    varargs,
                                    undefined: None,
                                    terms: None,
                                    converts: false,
                                });
                                enter_top!();
                                continue;
                            }
                        }
                        return self.call::<SINGLE>(run, call);
                    }
                    Op::Return { src, count } => {
                        save!();
                        if (*thread).stack.len() > (*frame).stack_mark as usize {
                            self.free_stack(run.thread, (*frame).stack_mark as usize);
                        }
                        let depth = (*thread).frames.len();
                        if !SINGLE && depth > 1 && !(*frame).converts {
                            let caller: *mut Frame = (*thread).frames.as_mut_ptr().add(depth - 2);
                            let calling = program.functions.get_unchecked((*caller).function as usize);
                            if let Op::Call { index } = *calling.code.as_ptr().add((*caller).pc as usize)
                                && (*caller).undefined.is_none()
                            {
                                let call = &calling.calls[index as usize];
                                if call.result.iter().map(|leaf| leaf.slots()).sum::<u32>() == count {
                                    let all = (*thread).registers.as_mut_ptr();
                                    let to = all.add(((*caller).base + call.dst) as usize);
                                    std::ptr::copy(registers.add(src as usize), to, count as usize);
                                    (*caller).pc += 1;
                                    (*thread).frames.pop();
                                    enter_top!();
                                    continue;
                                }
                            }
                        }
                        return self.return_from::<SINGLE>(run, src, count);
                    }
                    Op::Unreachable => {
                        save!();
                        let message = "the program reached a place that it declares unreachable";
                        return Err(Halt::violation(ViolationKind::Unreachable, message));
                    }
                    Op::Unsupported { index } => {
                        save!();
                        return Err(Halt::unsupported(&*function.unsupported[index as usize]));
                    }
                    Op::Atomic { .. }
                    | Op::LoadMany { .. }
                    | Op::StoreMany { .. }
                    | Op::Wide { .. }
                    | Op::ExtendedFloat { .. }
                    | Op::Repack { .. }
                    | Op::Intrinsic { .. }
                    | Op::LandingPad { .. }
                    | Op::Resume { .. } => {
                        save!();
                        match self.rare::<SINGLE>(run, function, op)? {
                            super::calls::Next::Fall => {}
                            super::calls::Next::Exit(exit) => return Ok(Some(exit)),
                            super::calls::Next::Reload => return Ok(None),
                        }
                        if !SINGLE && (*frame).undefined.is_some() {
                            pc += 1;
                            save!();
                            return Ok(Some(Exit::Again));
                        }
                    }
                }
                pc += 1;
                if SINGLE {
                    save!();
                    return Ok(Some(Exit::Again));
                }
            }
        }
    }
}
