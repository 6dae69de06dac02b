//! Intrinsics that touch more than registers.

use super::Run;
use super::calls::Next;
use crate::halt::{Halt, ViolationKind};
use crate::machine::Machine;
use crate::memory::{Found, ObjectKind, Pointer};
use selvedge_program::code::{Intrinsic, IntrinsicKind};

impl Machine {
    /// Performs an intrinsic that `ops::intrinsics` leaves to the interpreter.
    pub(super) fn impure(&mut self, run: &mut Run, intrinsic: &Intrinsic) -> Result<Next, Halt> {
        let thread = run.thread;
        let argument = |machine: &Machine, i: usize| {
            intrinsic.args.get(i).map_or(Pointer::NULL, |&slot| machine.threads[thread].pointer(slot))
        };
        match intrinsic.kind {
            IntrinsicKind::Trap | IntrinsicKind::DebugTrap => {
                return Err(Halt::violation(ViolationKind::Abort, "the program executed a trap instruction"));
            }
            IntrinsicKind::Assume => {
                let slot = intrinsic.args[0];
                if self.undefined_bits(thread, slot) == 0 && self.threads[thread].register(slot) == 0 {
                    let message = "a condition that the program tells the compiler to assume does not hold";
                    return Err(Halt::violation(ViolationKind::Unreachable, message));
                }
            }
            IntrinsicKind::TypeIdFor => {
                let id = self.type_id(argument(self, 0));
                self.thread_mut(thread).set_register(intrinsic.dst, u64::from(id));
            }
            IntrinsicKind::VaStart => self.va_start(thread, argument(self, 0))?,
            IntrinsicKind::VaEnd => {}
            IntrinsicKind::VaCopy => self.copy_bytes(thread, argument(self, 0), argument(self, 1), 24)?,
            IntrinsicKind::FrameAddress | IntrinsicKind::ReturnAddress => {
                self.thread_mut(thread).set_pointer(intrinsic.dst, Pointer::NULL);
            }
            // A spinning thread must let others run: it stops here if there are any.
            IntrinsicKind::Pause => {}
            IntrinsicKind::ReadCycleCounter => {
                let clock = self.world.read_clock();
                self.thread_mut(thread).set_register(intrinsic.dst, clock);
            }
            IntrinsicKind::ThreadPointer => {
                return Err(Halt::unsupported("access to the thread pointer"));
            }
            IntrinsicKind::SetJump => self.set_jump(thread, argument(self, 0), intrinsic.dst)?,
            IntrinsicKind::LifetimeStart | IntrinsicKind::LifetimeEnd => {
                let pointer = argument(self, 0);
                if let Some(Found::Object(_, base, object)) = self.memory.find(pointer.address)
                    && object.live
                    && object.kind == ObjectKind::Stack
                {
                    self.note_freed(pointer);
                    self.on_lifetime(thread, base, &object, intrinsic.kind == IntrinsicKind::LifetimeStart);
                    self.memory.undefine(base, object.size);
                }
            }
            other => return Err(Halt::unsupported(format!("intrinsic {other:?}"))),
        }
        Ok(Next::Fall)
    }

    /// The number of a type in landing pads' selectors.
    pub(super) fn type_id(&self, pointer: Pointer) -> u32 {
        match self.memory.find(pointer.address) {
            Some(Found::Global(id)) => id + 1,
            _ => 0,
        }
    }
}
