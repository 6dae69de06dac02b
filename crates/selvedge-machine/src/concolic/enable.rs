//! What a thread that runs alone waits for is made to be there: the state of synchronisation objects as others would have
//! left it.

use crate::machine::Machine;
use crate::sync::{arrived_at_barrier, as_if_free, as_if_taken};
use crate::thread::Status;
use selvedge_paths::Step;
use selvedge_trace::{EventKind, Operation, SyncObject};

impl Machine {
    /// What a thread is about to do is possible, and turns out as it should: `next` is its next decision.
    pub(super) fn let_pass(
        &mut self,
        thread: usize,
        operation: Operation,
        next: Option<u64>,
    ) -> Result<(), String> {
        use EventKind::*;
        let at = operation.address;
        match operation.kind {
            MutexLock => self.free(thread, SyncObject::Mutex, at, false),
            SpinLock => self.free(thread, SyncObject::SpinLock, at, false),
            WriteLock => self.free(thread, SyncObject::RwLock, at, false),
            ReadLock => self.free(thread, SyncObject::RwLock, at, true),
            SemWait => self.free(thread, SyncObject::Semaphore, at, false),
            MutexTryLock => self.attempt(thread, SyncObject::Mutex, at, next, false),
            SpinTryLock => self.attempt(thread, SyncObject::SpinLock, at, next, false),
            TryWriteLock => self.attempt(thread, SyncObject::RwLock, at, next, false),
            TryReadLock => self.attempt(thread, SyncObject::RwLock, at, next, true),
            SemTryWait => self.attempt(thread, SyncObject::Semaphore, at, next, false),
            SyncDestroy if self.traits_at(thread).object == Some(SyncObject::Mutex) => {
                self.attempt(thread, SyncObject::Mutex, at, next, false);
            }
            BarrierWait if self.threads[thread].wake.is_none() => {
                arrived_at_barrier(self, at, next == Some(1));
            }
            ThreadJoin => {
                if let Some(child) =
                    crate::sync::thread_with_handle(self, at).filter(|&child| child != thread)
                    && !self.threads[child].is_finished()
                {
                    let child = self.thread_mut(child);
                    child.status = Status::Finished;
                    child.frames.clear();
                    child.registers.clear();
                    child.result.get_or_insert(crate::memory::Pointer {
                        address: 0,
                        provenance: crate::memory::Provenance::NONE,
                    });
                }
            }
            OnceEnter | FutexLock | FutexPark if self.probe().alternatives(thread) == 0 => {
                let found = operation.kind.awaited().map_or(0, |(found, _)| found);
                self.memory.write_bytes(at, &found.to_le_bytes());
            }
            _ => {}
        }
        Ok(())
    }

    /// No other thread holds it.
    fn free(&mut self, thread: usize, object: SyncObject, at: u64, shared: bool) {
        if self.probe().alternatives(thread) == 0 {
            as_if_free(self, thread, object, at, shared);
        }
    }

    /// It is as the attempt of a thread says.
    fn attempt(&mut self, thread: usize, object: SyncObject, at: u64, next: Option<u64>, shared: bool) {
        match next {
            Some(0) => as_if_taken(self, thread, object, at),
            _ => as_if_free(self, thread, object, at, shared),
        }
    }

    /// What a thread that cannot go on would do next.
    pub(super) fn what_blocks(&mut self, thread: usize) -> Option<Step> {
        match self.threads[thread].status {
            Status::Ready(operation) => self.blocked_step(thread, operation),
            _ => match self.path_end(thread) {
                selvedge_paths::ThreadEnd::Blocked(step) => Some(*step),
                _ => None,
            },
        }
    }
}
