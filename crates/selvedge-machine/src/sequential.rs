//! Executions in which every order is sequentially consistent: a search that relies on that must be told where it ends.

use crate::halt::Halt;
use crate::interpret::atomics::order;
use crate::machine::Machine;
use crate::thread::{Status, Thread};
use crate::traits::Trait;
use selvedge_program::code::{AtomicKind, Op};
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{EventKind, MemoryOrder, Operation, SyncEffect, SyncObject};
use std::sync::Arc;

impl Machine {
    /// Whether all that others have ever done comes before what a thread does next: it is the last one alive, and each of
    /// the others was joined, so that their ends lead to it. Then it sees the same whatever its accesses order.
    pub(crate) fn comes_after_all(&self, index: usize) -> bool {
        let joined = |(other, thread): (usize, &Arc<Thread>)| other == index || thread.joined;
        self.live == 1 && self.threads.iter().enumerate().all(joined)
    }

    /// Whether a thread stands before something that orders less than all the rest: an atomic access weaker than
    /// sequentially consistent, or a call whose result tells something about others without coming after what they did.
    /// Those are attempts (to lock, to join, to wait up to some time), which may fail; what a semaphore or the clock
    /// shows; and futexes, which compare a word and say how many were woken, and order nothing.
    pub(crate) fn only_sequential(&self, index: usize) -> Result<(), Halt> {
        use EventKind::*;
        let Status::Ready(Operation { kind, order: own, .. }) = self.threads[index].status else {
            return Ok(());
        };
        let traits = self.traits_at(index);
        let weak = match kind {
            Read | Write | ReadModifyWrite | CompareExchange => {
                !matches!(own, MemoryOrder::NotAtomic | MemoryOrder::SeqCst) || self.fails_weakly(index)
            }
            LibraryCall if mutant(Mutant::SemGetvalueOrdered) => false,
            LibraryCall => traits.has(Trait::Unordered),
            MutexTryLock if mutant(Mutant::TryLockOrdered) => false,
            Clock => true,
            // No thread stands before these.
            Commit | CompareExchangeFailed => false,
            // What a thread learns by others comes from what happens before them, or tells nothing of other threads. The
            // library's streams and random numbers have locks of their own.
            kind => kind.sync().is_some_and(|sync| match sync.effect {
                SyncEffect::Try(_) => true,
                SyncEffect::Acquire(_) | SyncEffect::Join => traits.gives_up(),
                SyncEffect::Init | SyncEffect::Destroy => traits.has(Trait::Unordered),
                SyncEffect::Wait | SyncEffect::Wake => sync.object == Some(SyncObject::Futex),
                SyncEffect::Release
                | SyncEffect::Arrive
                | SyncEffect::Create
                | SyncEffect::Detach
                | SyncEffect::End => false,
            }),
        };
        match weak && !self.is_in_own_library(index) {
            true => Err(Halt::unsupported("something weaker than sequentially consistent")),
            false => Ok(()),
        }
    }

    /// Whether a thread is in our own C library. Only the list of what is done at the end of the process is weaker
    /// there: it is changed by sequentially consistent updates, and a thread that reads it too early could have come
    /// earlier.
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
