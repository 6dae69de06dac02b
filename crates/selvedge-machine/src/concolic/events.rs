//! Synchronisation as steps of the record.

use crate::machine::Machine;
use crate::thread::{Status, Wait, Wake};
use crate::traits::Trait;
use selvedge_paths::{Cause, FUTEX, Move, Step, ThreadEnd};
use selvedge_trace::{EventKind, MemoryOrder, Operation, Share, SyncEffect, SyncObject, ThreadName, Value};

impl Machine {
    /// A visible event that is no access to memory.
    pub(crate) fn concolic_event(&mut self, thread: usize, operation: Operation, read: &Value) {
        if self.concolic.as_ref().is_none_or(|concolic| !concolic.wanted.reads) {
            return;
        }
        use EventKind::*;
        let at = operation.address;
        if operation.kind != MutexLock {
            self.looked_outside(thread, operation.kind);
        }
        let step = match operation.kind {
            SyncInit | SyncDestroy if !self.is_shared(at) => None,
            SyncInit => return self.initialised(thread, at),
            SyncDestroy => return self.destroyed(thread, at, !read.is_empty()),
            Fence => Some(Step::Fence { order: operation.order }),
            Exit => Some(Step::Exit),
            Read
            | Write
            | ReadModifyWrite
            | CompareExchange
            | CompareExchangeFailed
            | LibraryCall
            | Commit => None,
            Yield | Sleep | Output | Input | Clock | Random | Choose => None,
            kind => match kind.on_object() {
                Some(sync) => self.synchronisation(thread, operation, sync, read),
                None => return self.beyond("events of this kind"),
            },
        };
        if let Some(step) = step {
            self.push_step(thread, step);
        }
    }

    /// The step of an operation on a synchronisation object, by its effect; nothing if it is none, or has been noted. Locks of
    /// all kinds are taken and given back alike.
    fn synchronisation(
        &mut self,
        thread: usize,
        operation: Operation,
        (object, effect): (SyncObject, SyncEffect),
        read: &Value,
    ) -> Option<Step> {
        use Share::{Shared, Whole};
        use SyncEffect::{
            Acquire, Arrive, Create, Destroy, Detach, End, Init, Join, Release, Try, Wait, Wake,
        };
        use SyncObject::{Barrier, Condition, Futex, Mutex, Once, RwLock, Semaphore};
        let Operation { kind, address: at, .. } = operation;
        let failed = !read.is_empty();
        match (object, effect) {
            (_, Join) if failed => self.beyond("joins that fail"),
            (_, Join) => match self.joined_thread(at) {
                Some(thread) => return Some(Step::Join { thread }),
                None => self.beyond("joins of unknown threads"),
            },
            (Futex, Acquire(_)) => self.futex_taken(thread, kind, at),
            (Once, Acquire(_)) => self.once_entered(thread, at),
            (Once, Release) => self.once_done(thread, at),
            (Barrier, _) => self.at_barrier(thread, at, failed),
            (Semaphore, Acquire(_)) => return Some(Step::Take { semaphore: at }),
            (Semaphore, Try(_)) => return Some(Step::TryTake { semaphore: at, taken: !failed }),
            (Semaphore, Release) if failed => self.beyond("semaphores that overflow"),
            (Semaphore, Release) => return Some(Step::Post { semaphore: at }),
            (Condition, Wait) if !failed => {
                return Some(Step::Wait { queue: at, lock: self.mutex_of_wait(thread) });
            }
            (Condition, Wake) => {
                let all = kind == EventKind::CondBroadcast;
                return Some(Step::Notify { queue: at, all, woken: None });
            }
            (_, Acquire(_) | Try(_) | Release) if !object.is_lock() => self.beyond("objects of this kind"),
            (RwLock, Acquire(_)) if failed => self.beyond("read-write locks that cannot be taken"),
            (_, Acquire(Shared)) => {
                self.shared_lock(thread, at, true);
                return Some(Step::LockShared { lock: at });
            }
            (_, Try(Shared)) => {
                self.shared_lock(thread, at, !failed);
                return Some(Step::TryLockShared { lock: at, taken: !failed });
            }
            (RwLock, Acquire(Whole)) => return Some(Step::Lock { lock: at }),
            (_, Acquire(Whole)) if self.taken_again(at, kind) => {}
            (Mutex, Acquire(Whole)) if read[..] == libc::EOWNERDEAD.to_le_bytes() => {
                self.beyond("mutexes whose owner has died");
            }
            (_, Acquire(Whole)) => {
                self.locked(thread, at, failed);
                // A thread whose time is over knows how late it is: after it has decided that.
                self.looked_outside(thread, kind);
            }
            (_, Try(Whole)) if !failed && self.taken_again(at, kind) => {}
            (_, Try(Whole)) => return Some(Step::TryLock { lock: at, taken: !failed }),
            (RwLock, Release) => {
                return Some(match self.shared_lock(thread, at, false) {
                    true => Step::UnlockShared { lock: at },
                    false => Step::Unlock { lock: at },
                });
            }
            (Mutex, Release) if self.still_taken(at) => {}
            (_, Release) if !failed => return Some(Step::Unlock { lock: at }),
            // Futexes tell more than their events say, and what begins or ends a thread is told by what it does.
            (_, Release | Wait | Wake | Arrive | Create | Detach | End | Init | Destroy) => {}
        }
        None
    }

    /// An atomic section begins or ends: nothing is in the thread's buffer then.
    pub(crate) fn concolic_section(&mut self, thread: usize) {
        if self.model.buffers().is_some() && self.records() {
            self.push_step(thread, Step::Fence { order: MemoryOrder::SeqCst });
        }
    }

    /// A thread has created another one.
    pub(crate) fn concolic_fork(&mut self, thread: usize, child: usize) {
        if self.concolic.as_ref().is_some_and(|concolic| concolic.wanted.reads) {
            let child = self.threads[child].name.clone();
            self.push_step(thread, Step::Fork { thread: child });
        }
    }

    /// A condition variable wakes a thread of several.
    pub(crate) fn concolic_woken(&mut self, thread: usize, woken: usize) {
        let (thread, woken) = (self.threads[thread].name.clone(), self.threads[woken].name.clone());
        if let Some(concolic) = &mut self.concolic
            && let Some(last) = concolic.order.last_mut()
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
        if let Some(model) = self.model.buffers() {
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
        join && self.probe().alternatives(thread) == 0
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
        let Some(concolic) = &mut self.concolic else { return false };
        let own = concolic.own(thread);
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
        if let Some(concolic) = &mut self.concolic {
            concolic.own(thread).waiting = Some((queue?, mutex, timed));
        }
        Some(mutex)
    }

    /// A mutex was taken: by a lock, or by a thread that has waited.
    fn locked(&mut self, thread: usize, at: u64, failed: bool) {
        let timed_out = failed;
        let Some(concolic) = &mut self.concolic else { return };
        match concolic.own(thread).waiting.take() {
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
        if let Some(end) = self.concolic.as_mut().and_then(|concolic| concolic.own(thread).end.clone()) {
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
            Status::Ready(operation) if self.probe().alternatives(thread) == 0 => {
                match self.blocked_step(thread, operation) {
                    Some(step) => ThreadEnd::Blocked(Box::new(step)),
                    None => ThreadEnd::Cut,
                }
            }
            Status::Ready(_) => ThreadEnd::Cut,
        }
    }

    /// What a thread that cannot go on would do.
    pub(super) fn blocked_step(&mut self, thread: usize, operation: Operation) -> Option<Step> {
        let at = operation.address;
        Some(match operation.kind {
            EventKind::MutexLock if self.threads[thread].wake.is_some() => {
                let (queue, mutex, timed) = self.concolic.as_mut()?.own(thread).waiting?;
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
            kind @ (EventKind::FutexLock | EventKind::FutexPark) => self.futex_take(thread, kind, at)?,
            EventKind::OnceEnter => self.once_entry(thread, at)?.0,
            _ => return None,
        })
    }
}
