//! Synchronisation as steps of the record.

use crate::machine::Machine;
use crate::thread::{Status, Wait, Wake};
use crate::traits::Trait;
use selvedge_paths::{Cause, FUTEX, Move, Step, ThreadEnd};
use selvedge_trace::{EventKind, MemoryOrder, Operation, SyncObject, ThreadName, Value};

impl Machine {
    /// A visible event that is no access to memory.
    pub(crate) fn shadow_event(&mut self, thread: usize, operation: Operation, read: &Value) {
        if self.shadow.as_ref().is_none_or(|shadow| !shadow.wanted.reads) {
            return;
        }
        use EventKind::*;
        let at = operation.address;
        let failed = !read.is_empty();
        if operation.kind != MutexLock {
            self.looked_outside(thread, operation.kind);
        }
        let step = match operation.kind {
            Read | Write | ReadModifyWrite | CompareExchange | CompareExchangeFailed | LibraryCall => return,
            SyncInit | SyncDestroy if !self.is_shared(at) => return,
            SyncDestroy => return self.destroyed(thread, at, failed),
            Yield | Sleep | ThreadDetach | ThreadCreate | ThreadExit | Output => return,
            Fence => Step::Fence { order: operation.order },
            Commit => return,
            ThreadJoin if failed => return self.beyond("joins that fail"),
            ThreadJoin => match self.joined_thread(at) {
                Some(thread) => Step::Join { thread },
                None => return self.beyond("joins of unknown threads"),
            },
            MutexLock | SpinLock if self.taken_again(at, operation.kind) => return,
            MutexLock if read[..] == libc::EOWNERDEAD.to_le_bytes() => {
                return self.beyond("mutexes whose owner has died");
            }
            MutexLock | SpinLock => {
                self.locked(thread, at, failed);
                // A thread whose time is over knows how late it is: after it has decided that.
                return self.looked_outside(thread, operation.kind);
            }
            MutexTryLock | SpinTryLock if self.taken_again(at, operation.kind) && !failed => return,
            MutexTryLock | SpinTryLock | TryWriteLock => Step::TryLock { lock: at, taken: !failed },
            MutexUnlock if self.still_taken(at) => return,
            MutexUnlock | SpinUnlock if failed => return,
            MutexUnlock | SpinUnlock => Step::Unlock { lock: at },
            ReadLock if failed => return self.beyond("read-write locks that cannot be taken"),
            ReadLock => {
                self.shared_lock(thread, at, true);
                Step::LockShared { lock: at }
            }
            TryReadLock => {
                self.shared_lock(thread, at, !failed);
                Step::TryLockShared { lock: at, taken: !failed }
            }
            WriteLock if failed => return self.beyond("read-write locks that cannot be taken"),
            WriteLock => Step::Lock { lock: at },
            RwUnlock => match self.shared_lock(thread, at, false) {
                true => Step::UnlockShared { lock: at },
                false => Step::Unlock { lock: at },
            },
            CondWait if failed => return,
            CondWait => Step::Wait { queue: at, lock: self.mutex_of_wait(thread) },
            CondSignal | CondBroadcast => {
                Step::Notify { queue: at, all: operation.kind == CondBroadcast, woken: None }
            }
            SemPost if failed => return self.beyond("semaphores that overflow"),
            SemPost => Step::Post { semaphore: at },
            SemWait => Step::Take { semaphore: at },
            SemTryWait => Step::TryTake { semaphore: at, taken: !failed },
            SyncInit => return self.initialised(thread, at),
            BarrierWait => return self.at_barrier(thread, at, failed),
            OnceEnter => return self.once_entered(thread, at),
            OnceDone => return self.once_done(thread, at),
            FutexLock => return self.futex_locked(thread, at),
            // These tell more than their events say.
            FutexWait | FutexWake => return,
            Input | Clock | Random => return,
            Exit => Step::Exit,
        };
        self.push_step(thread, step);
    }

    /// An atomic section begins or ends: nothing is in the thread's buffer then.
    pub(crate) fn shadow_section(&mut self, thread: usize) {
        if self.model.is_some() && self.records() {
            self.push_step(thread, Step::Fence { order: MemoryOrder::SeqCst });
        }
    }

    /// A thread has created another one.
    pub(crate) fn shadow_fork(&mut self, thread: usize, child: usize) {
        if self.shadow.as_ref().is_some_and(|shadow| shadow.wanted.reads) {
            let child = self.threads[child].name.clone();
            self.push_step(thread, Step::Fork { thread: child });
        }
    }

    /// A condition variable wakes a thread of several.
    pub(crate) fn shadow_woken(&mut self, thread: usize, woken: usize) {
        let (thread, woken) = (self.threads[thread].name.clone(), self.threads[woken].name.clone());
        if let Some(shadow) = &mut self.shadow
            && let Some(last) = shadow.order.last_mut()
        {
            *last = Move::Notify { thread, woken };
        }
    }

    /// Whether what a thread is before is no step of the record.
    pub(super) fn is_silent(&mut self, thread: usize) -> bool {
        let Status::Ready(operation) = self.threads[thread].status else { return false };
        use EventKind::*;
        // What empties the thread's buffer makes a difference to others as long as something is there.
        let mut waiting = Vec::new();
        if let Some(model) = &self.model {
            model.buffered(thread, &mut waiting);
        }
        match operation.kind {
            Yield | ThreadDetach => true,
            _ if !waiting.is_empty() => false,
            Output => true,
            Sleep => !self.clock_counts,
            // A result is a step, and so is the end of what others know.
            ThreadExit => {
                self.with_context(thread, 0, |context| context.int(0).unwrap_or(0)) == Some(0)
                    && !self.leaves_shared(thread)
            }
            SyncInit | SyncDestroy => !self.is_shared(operation.address),
            _ => false,
        }
    }

    /// Whether a thread has nothing left to do but to end.
    pub(super) fn is_before_end(&self, thread: usize) -> bool {
        matches!(self.threads[thread].status, Status::Ready(operation) if operation.kind == EventKind::ThreadExit)
    }

    /// Whether a thread waits for the end of another one.
    pub(super) fn waits_for_end(&mut self, thread: usize) -> bool {
        let join = matches!(self.threads[thread].status,
            Status::Ready(operation) if operation.kind == EventKind::ThreadJoin);
        join && self.alternatives(thread) == 0
    }

    /// The threads that the signal which a thread is before could wake, in the order of its alternatives.
    pub(super) fn waiters_of(&self, thread: usize) -> Vec<usize> {
        let Status::Ready(operation) = self.threads[thread].status else { return Vec::new() };
        let waits = |index: &usize| {
            matches!(self.threads[*index].status,
                Status::Waiting(Wait::Condition { condition: at, .. } | Wait::Futex { address: at, .. })
                    if at == operation.address)
        };
        (0..self.threads.len()).filter(waits).collect()
    }

    fn joined_thread(&self, handle: u64) -> Option<ThreadName> {
        let index = crate::sync::thread_with_handle(self, handle)?;
        Some(self.threads[index].name.clone())
    }

    fn word(&mut self, address: u64) -> u64 {
        self.memory.read(address, 4).value
    }

    /// A recursive mutex was taken by the thread that holds it.
    fn taken_again(&mut self, at: u64, kind: EventKind) -> bool {
        matches!(kind, EventKind::MutexLock | EventKind::MutexTryLock) && self.word(at + 4) > 1
    }

    /// A recursive mutex was given back by a thread that still holds it.
    fn still_taken(&mut self, at: u64) -> bool {
        self.word(at) != 0
    }

    /// Notes whether a thread holds a read-write lock for reading; whether it did.
    fn shared_lock(&mut self, thread: usize, lock: u64, holds: bool) -> bool {
        let Some(shadow) = &mut self.shadow else { return false };
        let own = shadow.own(thread);
        match holds {
            true => !own.shared.insert(lock),
            false => own.shared.remove(&lock),
        }
    }

    /// The mutex that a thread gives back while it waits: the second argument of the call that it is in.
    fn mutex_of_wait(&mut self, thread: usize) -> Option<u64> {
        let (queue, mutex) =
            self.with_context(thread, 0, |context| (context.int(0).ok(), context.int(1).ok()))?;
        let mutex = mutex?;
        let timed = self.traits_at(thread).has(Trait::Timed);
        if let Some(shadow) = &mut self.shadow {
            shadow.own(thread).waiting = Some((queue?, mutex, timed));
        }
        Some(mutex)
    }

    /// A mutex was taken: by a lock, or by a thread that has waited.
    fn locked(&mut self, thread: usize, at: u64, failed: bool) {
        let timed_out = failed;
        let Some(shadow) = &mut self.shadow else { return };
        match shadow.own(thread).waiting.take() {
            Some((queue, mutex, timed)) if mutex == at => {
                let cause = if timed_out { Cause::Expired } else { Cause::Notified };
                self.push_step(thread, Step::Wake { queue, lock: Some(mutex), cause, timed });
            }
            _ if failed => self.beyond("mutexes whose owner has died"),
            _ => self.push_step(thread, Step::Lock { lock: at }),
        }
    }

    /// A semaphore was set up.
    fn initialised(&mut self, thread: usize, at: u64) {
        let traits = self.traits_at(thread);
        match traits.object {
            Some(SyncObject::Semaphore) => {
                let count = self.word(at) as u32;
                self.push_step(thread, Step::Fill { semaphore: at, count });
            }
            None if traits.has(Trait::Unordered) => self.beyond("named semaphores"),
            _ if self.records() => {
                self.beyond("locks and their like that are made where threads know of them")
            }
            _ => {}
        }
    }

    /// How the record of a thread ends.
    pub(super) fn path_end(&mut self, thread: usize) -> ThreadEnd {
        if let Some(end) = self.shadow.as_mut().and_then(|shadow| shadow.own(thread).end.clone()) {
            return end;
        }
        match self.threads[thread].status.clone() {
            Status::Finished => ThreadEnd::Finished,
            Status::Waiting(Wait::Assumption) => ThreadEnd::Discarded,
            Status::Waiting(Wait::Condition { condition, mutex, timed }) => {
                ThreadEnd::Blocked(Box::new(Step::Wake {
                    queue: condition,
                    lock: Some(mutex),
                    cause: Cause::Notified,
                    timed,
                }))
            }
            Status::Waiting(Wait::Futex { address, timed, .. }) if self.records() => {
                ThreadEnd::Blocked(Box::new(Step::Wake {
                    queue: address | FUTEX,
                    lock: None,
                    cause: Cause::Notified,
                    timed,
                }))
            }
            Status::Waiting(Wait::Barrier { address }) if self.records() => {
                ThreadEnd::Blocked(Box::new(Step::Leave { barrier: address }))
            }
            // It was left there because no thread waited for it.
            Status::Ready(_) if self.is_before_end(thread) && self.is_silent(thread) => ThreadEnd::Finished,
            Status::Waiting(_) | Status::Starting => ThreadEnd::Cut,
            Status::Ready(operation) if self.alternatives(thread) == 0 => {
                match self.blocked_step(thread, operation) {
                    Some(step) => ThreadEnd::Blocked(Box::new(step)),
                    None => ThreadEnd::Cut,
                }
            }
            Status::Ready(_) => ThreadEnd::Cut,
        }
    }

    /// What a thread that cannot go on would do.
    fn blocked_step(&mut self, thread: usize, operation: Operation) -> Option<Step> {
        let at = operation.address;
        Some(match operation.kind {
            EventKind::MutexLock if self.threads[thread].wake.is_some() => {
                let (queue, mutex, timed) = self.shadow.as_mut()?.own(thread).waiting?;
                let cause = match self.threads[thread].wake {
                    Some(Wake::TimedOut) => Cause::Expired,
                    _ => Cause::Notified,
                };
                Step::Wake { queue, lock: Some(mutex), cause, timed }
            }
            EventKind::MutexLock | EventKind::SpinLock | EventKind::WriteLock => Step::Lock { lock: at },
            EventKind::ReadLock => Step::LockShared { lock: at },
            EventKind::SemWait => Step::Take { semaphore: at },
            EventKind::ThreadJoin => Step::Join { thread: self.joined_thread(at)? },
            EventKind::FutexLock => self.futex_lock(thread, at)?,
            EventKind::OnceEnter => self.once_entry(thread, at)?.0,
            _ => return None,
        })
    }
}
