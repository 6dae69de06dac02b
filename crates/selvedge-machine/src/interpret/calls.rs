//! Calls, returns, stack objects, and the dispatch of rare operations.

use super::conversion::Slots;
use super::memory::plain;
use super::{Exit, Run, Stop};
use crate::followed::Pieces;
use crate::halt::{Halt, ViolationKind};
use crate::machine::Machine;
use crate::memory::{ObjectKind, Pointer, Provenance};
use crate::native::{Context, Flow, Native, Visibility};
use crate::ops::{Trouble, extended, intrinsics, repack, wide};
use crate::thread::{Frame, Thread};
use crate::traits::Trait;
use selvedge_program::Use;
use selvedge_program::code::{Alloca, Call, Callee, Function, GlobalId, Leaf, Op};
use selvedge_terms::Term;
use selvedge_trace::{EventKind, Operation, Value};

/// Bytes of stack objects that a thread may have before that counts as a stack overflow.
const MAX_STACK_BYTES: u64 = 256 << 20;

/// What a call of a modelled function counts, in calls of others.
const NATIVE_FUEL: u32 = 200;

/// Enters a frame with what a call gives: values, marks of what has none, and expressions.
fn push_given(thread: &mut Thread, frame: Frame, slots: usize, given: Slots) {
    let Slots { values, marks, terms, .. } = given;
    let undefined = (!marks.is_empty()).then(|| Box::new(marks.into_iter().collect()));
    let terms = (!terms.is_empty()).then(|| Box::new(terms.into_iter().collect()));
    thread.push_frame(Frame { undefined, terms, ..frame }, slots, &values);
}

/// How the loop goes on after a rare operation.
pub(super) enum Next {
    /// With the next operation.
    Fall,
    /// It leaves.
    Exit(Exit),
    /// In another frame, or elsewhere in this one.
    Reload,
}

pub(super) fn stack_overflow() -> Halt {
    Halt::violation(ViolationKind::Memory, "stack overflow: too many nested calls")
}

/// From a `va_list` over the area of its arguments to what these point to.
const LIST_LEVELS: u32 = 2;

impl Machine {
    /// Performs an operation that is not worth a place in the loop.
    pub(super) fn rare<const SINGLE: bool>(
        &mut self,
        run: &mut Run,
        function: &Function,
        op: Op,
    ) -> Result<Next, Halt> {
        let outcome = match op {
            Op::Atomic { index } => {
                let stop = self.atomic(run, &function.atomics[index as usize])?;
                return Ok(stop.map_or(Next::Fall, |stop| Next::Exit(Exit::Stop(stop))));
            }
            Op::LoadMany { index } => {
                let stop = self.load_many(run, &function.accesses[index as usize])?;
                return Ok(stop.map_or(Next::Fall, |stop| Next::Exit(Exit::Stop(stop))));
            }
            Op::StoreMany { index } => {
                let stop = self.store_many::<SINGLE>(run, &function.accesses[index as usize])?;
                return Ok(stop.map_or(Next::Fall, |stop| Next::Exit(Exit::Stop(stop))));
            }
            Op::Wide { index } => wide::wide(self.registers(run.thread), &function.wides[index as usize]),
            Op::ExtendedFloat { index } => {
                extended::extended(self.registers(run.thread), &function.extended_floats[index as usize])
            }
            Op::Repack { index } => {
                repack::repack(self.registers(run.thread), &function.repacks[index as usize]);
                Ok(())
            }
            Op::Intrinsic { index } => {
                let intrinsic = &function.intrinsics[index as usize];
                match intrinsics::intrinsic(self.registers(run.thread), intrinsic) {
                    Some(outcome) => outcome,
                    None => return self.impure(run, intrinsic),
                }
            }
            Op::LandingPad { index } => {
                let dst = function.landing_pads[index as usize].dst;
                let thread = self.thread_mut(run.thread);
                let (exception, selector) = thread.exception;
                thread.set_pointer(dst, exception);
                thread.set_register(dst + 2, u64::from(selector));
                Ok(())
            }
            Op::Resume { src } => return self.resume_unwinding(run, src),
            _ => unreachable!("the loop performs all other operations itself"),
        };
        match outcome {
            Ok(()) => Ok(Next::Fall),
            Err(Trouble::Undefined) => {
                let mut marks = Vec::new();
                op.operands(function, &mut |usage, slot, count| {
                    if usage == Use::Write {
                        marks.extend((slot..slot + count).map(|slot| (slot, u64::MAX)));
                    }
                });
                let frame = self.threads[run.thread].frames.len() - 1;
                self.mark(run.thread, frame, &marks);
                Ok(Next::Fall)
            }
            Err(trouble) => Err(super::fast::trouble(trouble)),
        }
    }

    /// The slots of the running frame.
    pub(super) fn registers(&mut self, thread: usize) -> &mut [u64] {
        let thread = self.thread_mut(thread);
        let base = thread.frame().base as usize;
        &mut thread.registers[base..]
    }

    /// A call that the loop does not do itself.
    pub(super) fn call<const SINGLE: bool>(
        &mut self,
        run: &mut Run,
        call: &Call,
    ) -> Result<Option<Exit>, Halt> {
        let id = match call.callee {
            Callee::Function(id) => id,
            Callee::External(external) => return self.call_native::<SINGLE>(run, external, call),
            Callee::Pointer(slot) => {
                if SINGLE && self.undefined_bits(run.thread, slot) != 0 {
                    return Err(self.uninitialised("the address of the function that is called"));
                }
                let pointer = self.threads[run.thread].pointer(slot);
                match (self.function_at(pointer.address), self.external_at(pointer.address)) {
                    (Some(id), _) => id,
                    (None, Some(external)) => return self.call_native::<SINGLE>(run, external, call),
                    (None, None) if pointer.address < selvedge_program::NULL_GUARD => {
                        return Err(Halt::violation(
                            ViolationKind::Memory,
                            "call of a null function pointer",
                        ));
                    }
                    (None, None) => {
                        let message = format!("call of address {:#x}, which is no function", pointer.address);
                        return Err(Halt::violation(ViolationKind::Memory, message));
                    }
                }
            }
        };
        if let Some(stop) = self.values_gate(run, call)? {
            return Ok(Some(Exit::Stop(stop)));
        }
        self.enter::<SINGLE>(run, id, call)?;
        Ok(None)
    }

    /// Objects that are passed by value are read by the call: stops before it if others can write one.
    fn values_gate(&mut self, run: &mut Run, call: &Call) -> Result<Option<Stop>, Halt> {
        let mut shared = Vec::new();
        for argument in call.args.iter().filter(|_| !self.solo) {
            let Some(byval) = argument.byval else { continue };
            let from = self.threads[run.thread].pointer(argument.slot);
            if self.memory.check(from, u64::from(byval.size))?.shared {
                shared.push((from, byval.size));
            }
        }
        let operation = |(from, size): (Pointer, u32)| plain(EventKind::Read, from.address, size);
        if let Some(&first) = shared.first()
            && !self.gate(run)
        {
            return Ok(Some(Stop::Visible(match shared.len() {
                1 => operation(first),
                _ => Operation::sync(EventKind::LibraryCall, first.0.address),
            })));
        }
        if shared.len() > 1 {
            self.follow_group(shared.len(), None, Pieces::Eight);
        }
        for (from, size) in shared {
            let bytes = self.load_bytes(run.thread, from, u64::from(size))?.0;
            self.touch(EventKind::Read, from, u64::from(size));
            self.record(run.thread, operation((from, size)), || (Value::from_slice(&bytes), Value::new()));
        }
        Ok(None)
    }

    /// Makes a frame for a function of the program, with everything that a call can have.
    fn enter<const SINGLE: bool>(&mut self, run: &mut Run, id: u32, call: &Call) -> Result<(), Halt> {
        let program = &*self.program_here();
        let callee = &program.functions[id as usize];
        let mut given = match call.exact || callee.takes(call) {
            true => self.arguments_as_they_are::<SINGLE>(run, call, callee),
            false => self.arguments_for(run, call, callee)?,
        };
        if self.threads[run.thread].frames.len() >= self.config.max_frames {
            return Err(stack_overflow());
        }
        let stack_mark = self.threads[run.thread].stack.len() as u32;
        self.copy_arguments(run.thread, &mut given)?;
        let varargs = match (callee.variadic, call.tail) {
            (Some(fixed), false) => self.variadic_arguments(run.thread, call, fixed)?,
            // A tail call between variadic functions hands on what the caller was given.
            (Some(_), true) => self.threads[run.thread].frame().varargs,
            (None, _) => Pointer::NULL,
        };
        if call.tail {
            self.replace_frame(run.thread, id, given, stack_mark as usize, varargs);
            return Ok(());
        }
        let thread = self.thread_mut(run.thread);
        let caller = thread.frame();
        let base = caller.base + program.functions[caller.function as usize].frame_slots;
        let converts = !call.exact && call.result != callee.results;
        let frame = Frame { stack_mark, varargs, converts, ..Frame::new(id, base) };
        push_given(thread, frame, callee.frame_slots as usize, given);
        Ok(())
    }

    /// Makes the callee's own copies of objects that are passed by value.
    fn copy_arguments(&mut self, thread: usize, given: &mut Slots) -> Result<(), Halt> {
        for (slot, byval) in std::mem::take(&mut given.copies) {
            let at = slot as usize;
            let from = Pointer { address: given.values[at], provenance: Provenance(given.values[at + 1]) };
            let size = u64::from(byval.size);
            let copy = self.push_stack(thread, size, u64::from(byval.align), (u32::MAX, 0))?;
            self.copy_bytes(thread, copy, from, size)?;
            (given.values[at], given.values[at + 1]) = (copy.address, copy.provenance.0);
            given.terms.retain(|&(own, _)| own != slot);
        }
        Ok(())
    }

    /// A tail call: the callee's frame takes the place of the caller's. Stack objects from `copies` on are the callee's.
    fn replace_frame(&mut self, thread: usize, id: u32, given: Slots, copies: usize, varargs: Pointer) {
        let slots = self.program.functions[id as usize].frame_slots as usize;
        let stack_mark = self.threads[thread].frame().stack_mark;
        if varargs.is_null() {
            let copies = self.thread_mut(thread).stack.split_off(copies);
            self.free_stack(thread, stack_mark as usize);
            self.thread_mut(thread).stack.extend(copies);
        }
        let thread = self.thread_mut(thread);
        let base = thread.frame().base;
        thread.frames.pop();
        push_given(thread, Frame { stack_mark, varargs, ..Frame::new(id, base) }, slots, given);
    }

    /// Pushes a frame for a function of the program that the machine itself calls, with these argument slots. When
    /// it returns, the caller goes on behind its current operation, which must be a call.
    pub(super) fn enter_with(&mut self, thread: usize, id: u32, values: &[u64]) -> Result<(), Halt> {
        let program = &*self.program_here();
        let callee = &program.functions[id as usize];
        let max_frames = self.config.max_frames;
        let thread = self.thread_mut(thread);
        if thread.frames.len() >= max_frames {
            return Err(stack_overflow());
        }
        let caller = thread.frame();
        let base = caller.base + program.functions[caller.function as usize].frame_slots;
        let stack_mark = thread.stack.len() as u32;
        thread.push_frame(Frame { stack_mark, ..Frame::new(id, base) }, callee.frame_slots as usize, values);
        Ok(())
    }

    /// Ends the running frame.
    pub(super) fn return_from<const SINGLE: bool>(
        &mut self,
        run: &mut Run,
        src: u32,
        count: u32,
    ) -> Result<Option<Exit>, Halt> {
        let program = &*self.program_here();
        let frames = &self.threads[run.thread].frames;
        let ended = frames[frames.len() - 1].function;
        let Some(caller) = frames.len().checked_sub(2).map(|caller| &frames[caller]) else {
            return Err(Halt::unsupported("return from a thread's first function"));
        };
        let function = &program.functions[caller.function as usize];
        let Op::Call { index } = function.code[caller.pc as usize] else {
            return Err(Halt::unsupported("return to a place that is no call"));
        };
        let call = &function.calls[index as usize];
        let results = &program.functions[ended as usize].results;
        let returned = match *results == call.result {
            true => self.results_as_they_are::<SINGLE>(run, src, count),
            // `void main()`: the result of such a program means nothing.
            false if results.is_empty() && ended == program.entry => Slots::zero(&call.result),
            false => self.results_for(run, src, results, &call.result)?,
        };
        let thread = self.thread_mut(run.thread);
        thread.frames.pop();
        let caller = thread.frame_mut();
        caller.pc += 1;
        let careful = SINGLE || caller.undefined.is_some() || !returned.marks.is_empty();
        let to = (caller.base + call.dst) as usize;
        thread.registers[to..to + returned.values.len()].copy_from_slice(&returned.values);
        if careful {
            self.mark_result(run.thread, call.dst, &returned);
        }
        Ok(None)
    }

    /// Says what is known of a result besides its value.
    fn mark_result(&mut self, thread: usize, dst: u32, returned: &Slots) {
        let slots = dst..dst + returned.values.len() as u32;
        let frame = self.threads[thread].frames.len() - 1;
        let mut updates: Vec<(u32, u64)> = slots.clone().map(|slot| (slot, 0)).collect();
        updates.extend(returned.marks.iter().map(|&(slot, bits)| (dst + slot, bits)));
        self.mark(thread, frame, &updates);
        if self.concolic.is_some() {
            let mut updates: Vec<(u32, Option<Term>)> = slots.map(|slot| (slot, None)).collect();
            updates.extend(returned.terms.iter().map(|&(slot, term)| (dst + slot, Some(term))));
            self.set_terms(thread, frame, &updates);
        }
    }

    /// Calls a function that the machine models.
    fn call_native<const SINGLE: bool>(
        &mut self,
        run: &mut Run,
        external: u32,
        call: &Call,
    ) -> Result<Option<Exit>, Halt> {
        self.graph_other(run.thread);
        let Some(native) = self.native(external) else {
            let name = &self.program.externals[external as usize].name;
            return Err(Halt::unsupported(format!(
                "call of the external function `{name}`, which has no model"
            )));
        };
        if SINGLE {
            for (number, argument) in call.args.iter().enumerate() {
                let undefined = (0..argument.leaf.slots()).any(|i| {
                    self.undefined_bits(run.thread, argument.slot + i) & leaf_bits(argument.leaf) != 0
                });
                if undefined && !native.traits.has(Trait::TakesUndefined) {
                    let what = format!("argument {} of {}", number + 1, native.name);
                    return Err(self.uninitialised(&what));
                }
            }
        }
        if let Some(stop) = self.native_gate(run, native, call)? {
            return Ok(Some(Exit::Stop(stop)));
        }
        // A model can take as long as many operations.
        run.fuel = run.fuel.saturating_sub(NATIVE_FUEL).max(1);
        let alternative = std::mem::take(&mut run.alternative);
        let frame = self.threads[run.thread].frames.len() - 1;
        if SINGLE {
            let slots: u32 = call.result.iter().map(|leaf| leaf.slots()).sum();
            let updates: Vec<(u32, u64)> = (0..slots).map(|i| (call.dst + i, 0)).collect();
            self.mark(run.thread, frame, &updates);
        }
        let events = self.inspect().trace().len();
        if let Some(followed) = &mut self.followed {
            followed.begin(native, events);
        }
        let mut context = Context { machine: self, thread: run.thread, alternative, call };
        context.machine.sees = context.machine.config.views;
        let flow = (native.run)(&mut context);
        self.sees = false;
        if let Some(followed) = &mut self.followed {
            followed.end();
        }
        let flow = flow?;
        self.on_called(run.thread, &native.traits, call);
        let thread = self.thread_mut(run.thread);
        if !matches!(flow, Flow::Wait(_)) {
            thread.wake = None;
        }
        match flow {
            Flow::Return => {
                thread.frame_mut().pc += 1;
                Ok(None)
            }
            Flow::Moved => Ok(None),
            Flow::Wait(wait) => Ok(Some(Exit::Stop(Stop::Wait(wait)))),
            Flow::ThreadEnd => Ok(Some(Exit::Stop(match self.live {
                0 => Stop::ProcessEnd(0),
                _ => Stop::ThreadEnd,
            }))),
            Flow::ProcessEnd(code) => Ok(Some(Exit::Stop(Stop::ProcessEnd(code)))),
        }
    }

    /// Stops before a visible call that has not been chosen yet.
    fn native_gate(&mut self, run: &mut Run, native: &Native, call: &Call) -> Result<Option<Stop>, Halt> {
        if native.traits.has(Trait::AsksForInput) && self.chooses_input(run.thread) {
            let chosen = self.is_choosing(run.thread) && std::mem::replace(&mut run.permit, false);
            return Ok((!chosen).then(|| Stop::Visible(Operation::sync(EventKind::Choose, 0))));
        }
        match native.visibility {
            Visibility::Private => Ok(None),
            Visibility::IfShared => {
                if self.solo {
                    return Ok(None);
                }
                let listed = native.traits.has(Trait::TakesList);
                let Some(address) = self.shared_argument(run.thread, call, listed) else { return Ok(None) };
                let operation = Operation::sync(EventKind::LibraryCall, address);
                if !self.gate(run) {
                    return Ok(Some(Stop::Visible(operation)));
                }
                self.record(run.thread, operation, Default::default);
                let event = self.inspect().trace().len().saturating_sub(1);
                if let Some(followed) = &mut self.followed {
                    followed.passed(native, event);
                }
                self.free_calls += usize::from(native.traits.reach.ended().is_some());
                Ok(None)
            }
            Visibility::Always { operation, alternatives } => {
                let permit = std::mem::replace(&mut run.permit, false);
                let mut context = Context { machine: self, thread: run.thread, alternative: 0, call };
                // Alone, a thread needs no choice unless the call blocks; in an atomic section, unless there is one.
                let alone = context.machine.unchosen;
                let atomic = context.machine.atomic == Some(run.thread);
                let goes_on = match (permit, alone, atomic) {
                    (_, true, _) => alternatives(&mut context) > 0,
                    (false, false, true) => alternatives(&mut context) == 1,
                    (permit, false, _) => permit,
                };
                if goes_on {
                    return Ok(None);
                }
                let operation = operation(&mut context)?;
                // A thread may wait for something that is private to another one: that is noticed before it waits.
                self.shared_argument(run.thread, call, false);
                Ok(Some(Stop::Visible(operation)))
            }
        }
    }

    /// The first pointer argument that points to a shared object; `listed`: or to a `va_list` that has such a pointer.
    fn shared_argument(&mut self, thread: usize, call: &Call, listed: bool) -> Option<u64> {
        call.args.iter().filter(|argument| argument.leaf == Leaf::Ptr).find_map(|argument| {
            let pointer = self.threads[thread].pointer(argument.slot);
            let bounds = self.memory.check(pointer, 0).ok()?;
            let levels = if listed { LIST_LEVELS } else { 0 };
            (bounds.shared || self.leads_to_shared(bounds.base, bounds.size, levels))
                .then_some(pointer.address)
        })
    }

    /// Whether an object has a pointer to a shared object, or to one that has, over so many levels.
    fn leads_to_shared(&mut self, base: u64, size: u64, levels: u32) -> bool {
        if levels == 0 {
            return false;
        }
        let mut pointers = Vec::new();
        self.memory.pointers_in(base, size, &mut pointers);
        pointers.into_iter().any(|provenance| {
            let pointer = Pointer { address: provenance.base(), provenance };
            let bounds = self.memory.check(pointer, 0);
            bounds.is_ok_and(|bounds| {
                bounds.shared || self.leads_to_shared(bounds.base, bounds.size, levels - 1)
            })
        })
    }

    /// Allocates a stack object for an alloca.
    pub(super) fn stack_object(
        &mut self,
        thread: usize,
        function: u32,
        index: u32,
        alloca: &Alloca,
        count: u64,
    ) -> Result<Pointer, Halt> {
        let size = alloca
            .size
            .checked_mul(count)
            .filter(|&size| size <= MAX_STACK_BYTES)
            .ok_or_else(stack_overflow)?;
        self.push_stack(thread, size, u64::from(alloca.align), (function, index))
    }

    pub(super) fn push_stack(
        &mut self,
        thread: usize,
        size: u64,
        align: u64,
        origin: (u32, u32),
    ) -> Result<Pointer, Halt> {
        let pointer =
            self.allocate(thread, size, align, ObjectKind::Stack, origin).ok_or_else(stack_overflow)?;
        self.thread_mut(thread).stack.push(pointer);
        Ok(pointer)
    }

    /// Frees a thread's stack objects down to a mark.
    pub(super) fn free_stack(&mut self, thread: usize, mark: usize) {
        let position = self.inspect().position(thread);
        while self.threads[thread].stack.len() > mark {
            if let Some(object) = self.thread_mut(thread).stack.pop() {
                self.note_freed(object);
                self.free_object(thread, object, position);
            }
        }
    }

    /// The thread's copy of a thread-local variable.
    pub(super) fn thread_local(&mut self, thread: usize, global: GlobalId) -> Result<Pointer, Halt> {
        if let Some(pointer) = self.threads[thread].thread_locals.get(&global) {
            return Ok(*pointer);
        }
        let program = &*self.program_here();
        let variable = &program.globals[global as usize];
        let pointer = self
            .allocate(thread, variable.size, u64::from(variable.align), ObjectKind::ThreadLocal, (0, global))
            .ok_or_else(|| Halt::unsupported("amount of thread-local memory"))?;
        self.memory.initialise(pointer, global);
        self.thread_mut(thread).thread_locals.insert(global, pointer);
        Ok(pointer)
    }

    /// Address of an external function: null for a weak one without a model.
    pub(super) fn external_address(&self, external: u32) -> u64 {
        let function = &self.program.externals[external as usize];
        if function.weak && self.native(external).is_none() { 0 } else { function.address }
    }
}

fn leaf_bits(leaf: Leaf) -> u64 {
    match leaf {
        Leaf::Int(bits @ 1..64) => (1 << bits) - 1,
        _ => u64::MAX,
    }
}
