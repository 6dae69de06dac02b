//! What events mean for the solver.

use crate::recorded::record::{Recorder, WORD, Waits};
use selvedge_machine::{Machine, Status, Wait};
use selvedge_order::{Action, Cause, Place};
use selvedge_trace::{Event, EventKind, MemoryOrder, Operation, Share, SyncEffect, SyncObject, Value};

/// A futex wakes all threads if it wakes so many.
const ALL: u32 = 1_000;
/// Results of a futex wait (`EAGAIN` and `ETIMEDOUT`).
const OTHER_VALUE: i32 = 11;
const TIME_IS_OVER: i32 = 110;

/// Which threads a futex wakes can be said where it is one or all.
fn wakes_one_or_all(most: u32) -> bool {
    most <= 1 || most >= ALL
}

fn one(action: Action) -> Vec<Action> {
    vec![action]
}

impl Recorder<'_> {
    /// What an event means for the solver, and what the thread observes by it.
    pub(crate) fn actions(
        &mut self,
        machine: &Machine,
        thread: u32,
        event: &Event,
        alone: bool,
    ) -> Vec<Action> {
        use EventKind::*;
        let operation = event.operation;
        let address = operation.address;
        let at = Place::new(address, operation.size);
        let read = event.read.clone();
        let code = match <[u8; 4]>::try_from(&event.read[..]) {
            Ok(bytes) => i32::from_le_bytes(bytes),
            Err(_) => 0,
        };
        // Before there is another thread everything is the same in every execution; what memory and semaphores hold
        // then is recorded when they are first used after that.
        if self.handles.is_empty() {
            match (operation.kind, operation.kind.on_object()) {
                (ThreadCreate | ThreadExit | Exit, _) => {}
                (_, Some((SyncObject::Mutex | SyncObject::SpinLock | SyncObject::RwLock, _))) => {}
                (BarrierWait | CondWait, _) => self.unmapped("waiting before there is another thread"),
                _ => return one(Action::Nothing),
            }
        }
        let counted = match operation.kind.on_object() {
            Some((object @ (SyncObject::Semaphore | SyncObject::Barrier), _)) => {
                self.counts.contains_key(&(object, address))
            }
            _ => true,
        };
        if !counted {
            self.unmapped("a semaphore or barrier that is first used when other threads have ended");
        }
        if let Read | Write | ReadModifyWrite | CompareExchange | CompareExchangeFailed = operation.kind {
            // A thread that is alone does not stop before its accesses: no other thread can come before them.
            for byte in at.address..at.end() {
                if !self.known.contains_key(&byte) {
                    let offset = (byte - at.address) as usize;
                    self.start(byte, read.get(offset).copied().unwrap_or(0));
                }
            }
        }
        let (word_at, word) = (Place::new(address, WORD), self.word.take());
        let this = &mut self.threads[thread as usize];

        if let Some((object, effect)) = operation.kind.on_object()
            && object.is_lock()
        {
            return one(self.lock(thread, address, (object, effect), code));
        }
        match operation.kind {
            Read => one(Action::Read { at, value: read }),
            Write => one(Action::Write { at, value: event.written.clone(), order: operation.order }),
            ReadModifyWrite | CompareExchange | CompareExchangeFailed => {
                let written = (!event.written.is_empty()).then(|| event.written.clone());
                one(Action::Update { at, read, written })
            }
            Fence => one(Action::Fence { order: operation.order }),
            ThreadCreate => {
                this.children += 1;
                let child = machine.threads()[event.thread.index()].name.child(this.children);
                let child = self.names.number(&child);
                self.grow(child);
                let mut handle = [0; 8];
                handle.copy_from_slice(&event.written[..8]);
                self.handles.insert(u64::from_le_bytes(handle), child);
                // The thread may have no event of its own yet, but must be there.
                let value = event.written.clone();
                let write = Action::Write { at, value, order: MemoryOrder::SeqCst };
                for byte in at.address..at.end() {
                    self.known.entry(byte).or_insert(0);
                }
                vec![write, Action::Fork { thread: child }]
            }
            ThreadDetach if code == 0 => {
                self.freed(thread, address, false);
                one(Action::Nothing)
            }
            ThreadJoin if code == 0 => match self.handles.get(&address) {
                Some(&joined) => {
                    self.freed(thread, address, true);
                    one(Action::Join { thread: joined })
                }
                None => {
                    self.unmapped("a thread that is joined by an unknown handle");
                    one(Action::Nothing)
                }
            },
            ThreadExit => {
                this.ended = true;
                one(Action::End)
            }
            Exit => {
                this.ended = true;
                one(Action::Nothing)
            }
            Yield | Sleep | Output => one(Action::Nothing),
            // It empties the buffer.
            LibraryCall if self.only_frees => one(Action::Fence { order: MemoryOrder::SeqCst }),
            SyncInit | SyncDestroy if alone => one(Action::Nothing),
            CondWait if code == 0 => {
                let status = machine.threads()[event.thread.index()].status.clone();
                let Status::Waiting(Wait::Condition { mutex, timed, .. }) = status else {
                    self.unmapped("a wait that is over at once");
                    return one(Action::Nothing);
                };
                if timed {
                    self.timed.insert(address);
                }
                this.held.insert(mutex, 0);
                this.waits = Some(Waits::Condition(address, mutex));
                one(Action::Wait { queue: address, lock: Some(mutex), sees: None })
            }
            CondSignal if code == 0 => one(Action::Notify { queue: address, most: 1, woken: None }),
            CondBroadcast if code == 0 => one(Action::Notify { queue: address, most: u32::MAX, woken: None }),
            SemPost if code == 0 => one(Action::Post { semaphore: address }),
            SemWait if code == 0 => one(Action::Take { semaphore: address }),
            SemTryWait => one(Action::TryTake { semaphore: address, taken: code == 0 }),
            BarrierWait if this.waits.take().is_some() => one(Action::Leave { barrier: address }),
            BarrierWait => {
                let last = code != 0;
                if !last {
                    this.waits = Some(Waits::Barrier(address));
                }
                one(Action::Arrive { barrier: address, last })
            }
            FutexWait | FutexWake | FutexLock | OnceEnter | OnceDone => {
                self.futex(machine, thread, event, code, word_at, word)
            }
            kind => {
                self.unmapped(format!("{kind:?} (with result {code})"));
                one(Action::Nothing)
            }
        }
    }

    /// What an operation on a lock means, by its effect. `code` is the result of the call. What a thread finds that holds the
    /// lock itself depends on no other thread.
    fn lock(
        &mut self,
        thread: u32,
        lock: u64,
        (object, effect): (SyncObject, SyncEffect),
        code: i32,
    ) -> Action {
        use Share::{Shared, Whole};
        use SyncEffect::{Acquire, Release, Try};
        use SyncObject::{Mutex, RwLock};
        let this = &mut self.threads[thread as usize];
        let held = this.held.get(&lock).copied().unwrap_or(0);
        let done = code == 0;
        match (object, effect) {
            (_, Acquire(Whole)) if object != RwLock && this.waits.is_some() => {
                this.held.insert(lock, 1);
                let cause = if done { Cause::Notified } else { Cause::Expired };
                this.waits.take().map_or(Action::Nothing, |waits| waits.end(cause))
            }
            (_, Acquire(Whole)) if done => {
                this.held.insert(lock, held + 1);
                if held == 0 { Action::Lock { lock } } else { Action::Nothing }
            }
            (_, Try(Whole)) if held == 0 => {
                if done {
                    this.held.insert(lock, 1);
                }
                Action::TryLock { lock, taken: done }
            }
            (Mutex, Try(_)) => {
                if done {
                    this.held.insert(lock, held + 1);
                }
                Action::Nothing
            }
            (Mutex, Acquire(_)) | (_, Try(_)) if !done && held > 0 => Action::Nothing,
            (Mutex, Release) if !done && held == 0 => Action::Nothing,
            (_, Release) if object != RwLock && done && held > 0 => {
                this.held.insert(lock, held - 1);
                if held == 1 { Action::Unlock { lock } } else { Action::Nothing }
            }
            (_, Acquire(Shared)) if done => {
                this.shared.push(lock);
                Action::LockShared { lock }
            }
            (_, Try(Shared)) if held == 0 => {
                if done {
                    this.shared.push(lock);
                }
                Action::TryLockShared { lock, taken: done }
            }
            (RwLock, Release) if held > 0 => {
                this.held.insert(lock, 0);
                Action::Unlock { lock }
            }
            (RwLock, Release) => match this.shared.iter().position(|&shared| shared == lock) {
                Some(place) => {
                    this.shared.remove(place);
                    Action::UnlockShared { lock }
                }
                None => {
                    self.unmapped("a read-write lock that another thread gives back");
                    Action::Nothing
                }
            },
            _ => {
                self.unmapped(format!("{effect:?} of a {object:?} (with result {code})"));
                Action::Nothing
            }
        }
    }

    /// What waiting for a word in memory means. `code` is the result of the call, `word` what the word held.
    fn futex(
        &mut self,
        machine: &Machine,
        thread: u32,
        event: &Event,
        code: i32,
        at: Place,
        word: Option<Value>,
    ) -> Vec<Action> {
        let this = &mut self.threads[thread as usize];
        let update = |read: u32, written: Option<u32>| Action::Update {
            at,
            read: Value::from_slice(&read.to_le_bytes()),
            written: written.map(|value| Value::from_slice(&value.to_le_bytes())),
        };
        one(match event.operation.kind {
            EventKind::FutexWait => match (this.waits.take(), word) {
                (Some(waits), _) if code == 0 => waits.end(Cause::Notified),
                (Some(waits), _) if code == TIME_IS_OVER => waits.end(Cause::Expired),
                (None, Some(value)) if code == OTHER_VALUE => {
                    Action::Update { at, read: value, written: None }
                }
                (None, Some(value)) if code == 0 => {
                    match machine.threads()[event.thread.index()].status.clone() {
                        Status::Waiting(Wait::Futex { bitset: u32::MAX, timed, .. }) => {
                            if timed {
                                self.timed.insert(at.address);
                            }
                        }
                        _ => self.unmapped("a futex for certain threads"),
                    }
                    self.threads[thread as usize].waits = Some(Waits::Futex(at.address));
                    Action::Wait { queue: at.address, lock: None, sees: Some((at, value)) }
                }
                _ => {
                    self.unmapped(format!("a futex wait with result {code}"));
                    Action::Nothing
                }
            },
            EventKind::FutexWake => match self.most_woken.take() {
                Some(most) if wakes_one_or_all(most) => {
                    Action::Notify { queue: at.address, most, woken: Some(code as u32) }
                }
                _ => {
                    self.unmapped("a futex that wakes some threads");
                    Action::Nothing
                }
            },
            // It waits until no thread holds the mutex.
            EventKind::FutexLock => update(0, Some(1)),
            // New, running, done. It waits as long as another thread runs it.
            EventKind::OnceEnter if code != 0 => update(0, Some(1)),
            EventKind::OnceEnter => update(2, None),
            _ => update(1, Some(2)),
        })
    }

    /// What a thread is about to do, with one of its possible results. `Nothing` if there is only one, and no thread
    /// waits for that.
    pub(crate) fn pending(
        &self,
        thread: u32,
        operation: &Operation,
        waits: Option<Waits>,
        blocked: bool,
    ) -> Action {
        use EventKind::{CompareExchange, Read, ReadModifyWrite};
        use Share::{Shared, Whole};
        use SyncEffect::{Acquire, Arrive, Join, Try, Wait, Wake};
        use SyncObject::{Futex, Once, Semaphore};
        let (lock, at) = (operation.address, Place::new(operation.address, operation.size));
        let zero = Value::from_elem(0, operation.size as usize);
        let held = self.threads[thread as usize].held.get(&lock).copied().unwrap_or(0);
        let word = |value: u32| Value::from_slice(&value.to_le_bytes());
        let word_at = Place::new(operation.address, WORD);
        if let Some(waits) = waits {
            return waits.end(Cause::Notified);
        }
        let Some((object, effect)) = operation.kind.on_object() else {
            return match operation.kind {
                Read => Action::Read { at, value: zero },
                ReadModifyWrite | CompareExchange => Action::Update { at, read: zero, written: None },
                _ => Action::Nothing,
            };
        };
        match (object, effect) {
            (Futex, Wait) | (Once, Acquire(_)) => {
                Action::Update { at: word_at, read: word(0), written: None }
            }
            (Futex, Acquire(_)) => Action::Update { at: word_at, read: word(0), written: Some(word(1)) },
            (Semaphore, Acquire(_)) => Action::Take { semaphore: lock },
            (Semaphore, Try(_)) => Action::TryTake { semaphore: lock, taken: false },
            // A thread that holds it already waits for ever, or takes it once more.
            (_, Acquire(Whole)) if object.is_lock() && (held == 0 || blocked) => Action::Lock { lock },
            (_, Acquire(Shared)) => Action::LockShared { lock },
            (_, Try(Whole)) if object.is_lock() && held == 0 => Action::TryLock { lock, taken: false },
            (_, Try(Shared)) if held == 0 => Action::TryLockShared { lock, taken: false },
            (_, Arrive) => Action::Arrive { barrier: lock, last: false },
            (Futex, Wake) => match self.most_woken {
                Some(most) if wakes_one_or_all(most) => Action::Notify { queue: lock, most, woken: Some(0) },
                _ => Action::Nothing,
            },
            (_, Join) => match self.handles.get(&lock) {
                Some(&thread) => Action::Join { thread },
                None => Action::Nothing,
            },
            _ => Action::Nothing,
        }
    }
}
