//! Running code while dependencies are followed: one operation at a time, and what its results depend on after it.

use super::{Exit, Run};
use crate::graph::{Dependencies, Reads};
use crate::halt::Halt;
use crate::machine::Machine;
use crate::traits::Trait;
use selvedge_program::Use;
use selvedge_program::code::{AtomicKind, Call, Callee, Function, Op, Slot};

/// What is to be noted once an operation is performed.
enum Note {
    /// These registers, by their place among all of the thread's, depend on these reads.
    Registers(Vec<(Slot, Reads)>),
    /// These bytes do.
    Memory(Vec<(u64, u64, Reads)>),
    /// Bytes are copied: to, from, how many.
    Copy(u64, u64, u64),
    /// An atomic access: the registers of its result; what they depend on if no other thread can see it; the bytes that
    /// it writes then, if it does.
    Atomic { results: Vec<Slot>, hidden: Reads, bytes: Option<(u64, u64, Reads)> },
    /// A call of the program's code with arguments that depend on these.
    Enter(Vec<Reads>),
    /// A return of a value whose slots depend on these.
    Return(Vec<Reads>),
    /// A call of something that is modelled, with this result.
    Native(Vec<Slot>),
}

/// Looks at the dependencies of the running frame.
struct Before<'a> {
    dependencies: &'a Dependencies,
    thread: usize,
    base: Slot,
}

impl Before<'_> {
    fn of(&self, slot: Slot, count: u32) -> Reads {
        let first = self.base + slot;
        self.dependencies.registers(self.thread, first..first + count)
    }

    /// All results depend on all operands.
    fn mixed(&self, op: Op, function: &Function) -> Note {
        let mut reads = Reads::default();
        let mut results = Vec::new();
        op.operands(function, &mut |usage, slot, count| match usage {
            Use::Read => reads = reads.and(self.of(slot, count)),
            Use::Write => results.extend((slot..slot + count).map(|slot| self.base + slot)),
        });
        Note::Registers(results.into_iter().map(|slot| (slot, reads)).collect())
    }

    fn moved(&self, dst: Slot, src: Slot, count: u32) -> Note {
        let one = |i| (self.base + dst + i, self.of(src + i, 1));
        Note::Registers((0..count).map(one).collect())
    }

    fn loaded(&self, address: u64, size: u64, ptr: Slot) -> Reads {
        self.of(ptr, 2).and(self.dependencies.memory(self.thread, address, size))
    }
}

impl Machine {
    /// Performs one operation of a thread, and notes what its results depend on.
    pub(super) fn dependent_step(&mut self, run: &mut Run) -> Result<Exit, Halt> {
        let thread = run.thread;
        let note = self.dependent_note(thread);
        let events = self.inspect_graph().graph().map_or(0, |graph| graph.len(thread as u32));
        let depth = self.threads[thread].frames.len();
        let exit = match self.threads[thread].frame().undefined.is_some() {
            true => self.careful_step(run)?,
            false => self.execute::<true>(run)?,
        };
        if let Exit::Again = exit {
            self.note_dependencies(thread, note, events, depth);
        }
        Ok(exit)
    }

    /// What the operation that a thread is before will have to note. Branches are noted at once.
    fn dependent_note(&mut self, thread: usize) -> Note {
        let program = &*self.program_here();
        let frame = self.threads[thread].frame();
        let function = &program.functions[frame.function as usize];
        let op = function.code[frame.pc as usize];
        let base = frame.base;
        let register = |slot: Slot| self.threads[thread].register(slot);
        let address = |ptr: Slot, offset: i32| register(ptr).wrapping_add(i64::from(offset) as u64);
        let nothing = Note::Registers(Vec::new());
        let Some(dependencies) = self.model.graph().and_then(|execution| execution.dependencies.as_ref())
        else {
            return nothing;
        };
        let before = Before { dependencies, thread, base };
        let mut decided = Reads::default();
        let note = match op {
            Op::MoveMany { dst, src, count } | Op::Freeze { dst, src, count } => {
                before.moved(dst, src, count)
            }
            Op::MoveIf { count, dst, cond, src } => {
                let one = |i| {
                    let both = before.of(src + i, 1).and(before.of(dst + i, 1));
                    (base + dst + i, both.and(before.of(cond, 1)))
                };
                Note::Registers((0..u32::from(count)).map(one).collect())
            }
            Op::Load { bytes, dst, ptr, offset } => {
                let reads = before.loaded(address(ptr, offset), u64::from(bytes), ptr);
                Note::Registers(vec![(base + dst, reads)])
            }
            Op::LoadPtr { dst, ptr, offset } => {
                let reads = before.loaded(address(ptr, offset), 8, ptr);
                Note::Registers(vec![(base + dst, reads), (base + dst + 1, reads)])
            }
            Op::LoadMany { index } => {
                let access = &function.accesses[index as usize];
                let start = address(access.ptr, access.offset);
                let leaves = access.leaves.iter().flat_map(|&(offset, leaf, slot)| {
                    let at = start.wrapping_add(u64::from(offset));
                    let reads = before.loaded(at, u64::from(leaf.bytes()), access.ptr);
                    (slot..slot + leaf.slots()).map(move |slot| (base + slot, reads))
                });
                Note::Registers(leaves.collect())
            }
            Op::Store { bytes, src, ptr, offset } => {
                Note::Memory(vec![(address(ptr, offset), u64::from(bytes), before.of(src, 1))])
            }
            Op::StorePtr { src, ptr, offset } => {
                Note::Memory(vec![(address(ptr, offset), 8, before.of(src, 2))])
            }
            Op::StoreMany { index } => {
                let access = &function.accesses[index as usize];
                let start = address(access.ptr, access.offset);
                let leaves = access.leaves.iter().map(|&(offset, leaf, slot)| {
                    let at = start.wrapping_add(u64::from(offset));
                    (at, u64::from(leaf.bytes()), before.of(slot, leaf.slots()))
                });
                Note::Memory(leaves.collect())
            }
            Op::MemCopy { dst, src, len } => Note::Copy(register(dst), register(src), register(len)),
            Op::MemSet { dst, value, len } => {
                Note::Memory(vec![(register(dst), register(len), before.of(value, 1))])
            }
            Op::Atomic { index } => {
                let atomic = &function.atomics[index as usize];
                let slots = atomic.slots();
                let (at, size) = (register(atomic.ptr), u64::from(atomic.bytes));
                let (result, written) = match atomic.kind {
                    AtomicKind::Load { dst } => ((dst, slots), None),
                    AtomicKind::Store { src } => ((0, 0), Some(before.of(src, slots))),
                    AtomicKind::ReadModifyWrite { dst, .. } => ((dst, slots), Some(Reads::default())),
                    AtomicKind::CompareExchange { dst, .. } => ((dst, slots + 1), Some(Reads::default())),
                    AtomicKind::Fence => ((0, 0), None),
                };
                Note::Atomic {
                    results: (result.0..result.0 + result.1).map(|slot| base + slot).collect(),
                    hidden: before.loaded(at, size, atomic.ptr),
                    bytes: written.map(|reads| (at, size, reads)),
                }
            }
            Op::BranchIf { cond, .. } | Op::BranchUnless { cond, .. } => {
                decided = before.of(cond, 1);
                nothing
            }
            Op::BranchCompare { a, b, .. } => {
                decided = before.of(a, 1).and(before.of(b, 1));
                nothing
            }
            Op::BranchCompareImm { a, .. } => {
                decided = before.of(a, 1);
                nothing
            }
            Op::Switch { index } => {
                decided = before.of(function.switches[index as usize].value, 1);
                nothing
            }
            Op::IndirectBranch { ptr } => {
                decided = before.of(ptr, 2);
                nothing
            }
            Op::Call { index } => {
                let call = &function.calls[index as usize];
                if let Callee::Pointer(slot) = call.callee {
                    decided = before.of(slot, 2);
                }
                match self.is_modelled(thread, call) {
                    true => {
                        // What is assumed is as good as branched on.
                        if self.traits_at(thread).has(Trait::Assumes) {
                            decided =
                                call.slots.iter().map(|&slot| before.of(slot, 1)).fold(decided, Reads::and);
                        }
                        Note::Native(results(call, base).collect())
                    }
                    false => Note::Enter(call.slots.iter().map(|&slot| before.of(slot, 1)).collect()),
                }
            }
            Op::Return { src, count } => Note::Return((0..count).map(|i| before.of(src + i, 1)).collect()),
            // The path of an exception is not followed.
            Op::LandingPad { index } => {
                let dst = base + function.landing_pads[index as usize].dst;
                Note::Registers((dst..dst + 3).map(|slot| (slot, Reads::default())).collect())
            }
            _ => before.mixed(op, function),
        };
        if !decided.is_empty()
            && let Some(dependencies) =
                self.model.graph_mut().and_then(|execution| execution.dependencies_mut())
        {
            dependencies.decide(thread, decided);
        }
        note
    }

    /// Whether a call is of something that is modelled, not of the program's code.
    fn is_modelled(&self, thread: usize, call: &Call) -> bool {
        match call.callee {
            Callee::Function(_) => false,
            Callee::External(_) => true,
            Callee::Pointer(slot) => self.function_at(self.threads[thread].pointer(slot).address).is_none(),
        }
    }

    /// Notes what the results of an operation that was performed depend on.
    fn note_dependencies(&mut self, thread: usize, note: Note, events: u32, depth: usize) {
        let read = match note {
            Note::Atomic { .. } => self.read_since(thread, events),
            _ => None,
        };
        let visible = self.inspect_graph().graph().is_some_and(|graph| graph.len(thread as u32) > events);
        let frames = &self.threads[thread].frames;
        let (top, now) = (frames.last().map_or(0, |frame| frame.base), frames.len());
        let returned = match note {
            Note::Return(_) | Note::Native(_) => frames.last().and_then(|caller| {
                let function = &self.program.functions[caller.function as usize];
                match function.code[caller.pc.checked_sub(1)? as usize] {
                    Op::Call { index } => Some(caller.base + function.calls[index as usize].dst),
                    _ => None,
                }
            }),
            _ => None,
        };
        let Some(dependencies) = self.model.graph_mut().and_then(|execution| execution.dependencies_mut())
        else {
            return;
        };
        match note {
            Note::Registers(registers) => {
                for (slot, reads) in registers {
                    dependencies.set_register(thread, slot, reads);
                }
            }
            Note::Memory(bytes) => {
                for (address, size, reads) in bytes {
                    dependencies.set_memory(thread, address, size, reads);
                }
            }
            Note::Copy(to, from, size) => {
                let bytes: Vec<Reads> =
                    (0..size).map(|i| dependencies.memory(thread, from.wrapping_add(i), 1)).collect();
                for (at, reads) in (to..).zip(bytes) {
                    dependencies.set_memory(thread, at, 1, reads);
                }
            }
            Note::Atomic { results, hidden, bytes } => {
                let reads = read.map_or(hidden, |read| Reads::only(read.index));
                for slot in results {
                    dependencies.set_register(thread, slot, reads);
                }
                if let Some((address, size, reads)) = bytes {
                    let reads = if visible { Reads::default() } else { reads };
                    dependencies.set_memory(thread, address, size, reads);
                }
            }
            Note::Enter(arguments) => {
                dependencies.forget_registers(thread, top);
                for (slot, reads) in (top..).zip(arguments) {
                    dependencies.set_register(thread, slot, reads);
                }
            }
            Note::Return(values) => {
                let first = returned.unwrap_or(top);
                for (slot, reads) in (first..).zip(values) {
                    dependencies.set_register(thread, slot, reads);
                }
            }
            Note::Native(results) => {
                // It may have written anywhere, called something, or left frames.
                dependencies.forget_all_memory();
                match now == depth {
                    true => {
                        for slot in results {
                            dependencies.set_register(thread, slot, Reads::default());
                        }
                    }
                    false => dependencies.forget_registers(thread, 0),
                }
            }
        }
    }
}

/// The registers of a call's result.
fn results(call: &Call, base: Slot) -> impl Iterator<Item = Slot> {
    let count: u32 = call.result.iter().map(|leaf| leaf.slots()).sum();
    (base + call.dst..base + call.dst + count).take(count as usize)
}
