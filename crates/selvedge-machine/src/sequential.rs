//! Executions in which every order is sequentially consistent: whoever relies on that wants to know where it ends.

use crate::halt::Halt;
use crate::interpret::atomics::order;
use crate::machine::Machine;
use crate::thread::Status;
use selvedge_program::code::{AtomicKind, Op};
use selvedge_trace::{EventKind, MemoryOrder, Operation};

impl Machine {
    /// Whether a thread stands before something that orders less than all the rest: an atomic access weaker than
    /// sequentially consistent, or an attempt to lock, which tells something about others when it fails without
    /// coming after anything that they did.
    pub(crate) fn only_sequential(&self, index: usize) -> Result<(), Halt> {
        use EventKind::*;
        let Status::Ready(Operation { kind, order: own, .. }) = self.threads[index].status else {
            return Ok(());
        };
        let name = self.native_at(index).map_or("", |native| native.name);
        let timed = name.contains("timed") || name.contains("clock");
        let weak = match kind {
            Read | Write | ReadModifyWrite | CompareExchange => {
                !matches!(own, MemoryOrder::NotAtomic | MemoryOrder::SeqCst) || self.fails_weakly(index)
            }
            LibraryCall => name.starts_with("__atomic"),
            MutexTryLock | TryReadLock | TryWriteLock | SemTryWait | SpinTryLock => true,
            MutexLock | ReadLock | WriteLock | SemWait | FutexLock => timed,
            _ => false,
        };
        match weak && !self.is_in_own_library(index) {
            true => Err(Halt::unsupported("something weaker than sequentially consistent")),
            false => Ok(()),
        }
    }

    /// Whether a thread is in our own C library. Only the list of what is done at the end of the process is weaker there:
    /// it is changed by sequentially consistent updates, and who reads it too early could have come earlier.
    fn is_in_own_library(&self, index: usize) -> bool {
        let Some(frame) = self.threads[index].frames.last() else { return false };
        let function = &self.program.functions[frame.function as usize];
        let at = function.positions.get(frame.pc as usize).copied().unwrap_or(0);
        let position = &self.program.positions[at as usize];
        at != 0 && self.program.files[position.file as usize].path.starts_with("/usr/lib/selvedge/libc/")
    }

    /// A compare-exchange whose failure is not sequentially consistent.
    fn fails_weakly(&self, index: usize) -> bool {
        let Some(Op::Atomic { index: atomic }) = self.pending_op(index) else { return false };
        let Some(frame) = self.threads[index].frames.last() else { return false };
        let atomic = &self.program.functions[frame.function as usize].atomics[atomic as usize];
        match atomic.kind {
            AtomicKind::CompareExchange { failure, .. } => order(failure) != MemoryOrder::SeqCst,
            _ => false,
        }
    }
}
