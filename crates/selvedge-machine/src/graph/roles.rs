//! What a thread is about to do to a synchronisation object, as far as the graph is concerned.

use super::Machine;
use super::ahead::Place;
use crate::halt::Halt;
use crate::thread::{Status, Wake};
use crate::traits::Trait;
use selvedge_trace::{EventKind, MemoryOrder, Operation, Share, SyncEffect, SyncObject};

/// Sizes of places that are no memory: a queue, a barrier, the clock, a queue of the system's, the
/// generator of `rand`. Objects with bytes have theirs, plus `BYTES`.
pub(super) const QUEUE: u8 = 255;
pub(super) const BARRIER: u8 = 254;
pub(super) const CLOCK: u8 = 253;
pub(super) const FUTEX: u8 = 252;
pub(super) const GENERATOR: u8 = 251;
pub(super) const BYTES: u8 = 128;

/// An operation on a synchronisation object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// On an object of so many bytes.
    Bytes { address: u64, len: u8, order: MemoryOrder, wants: Wants },
    /// Waits until a word has a value, and leaves another one there: takes a mutex of Rust's, or a token.
    Word { address: u64, found: u32, left: u32 },
    /// Looks whether a word has a value, to wait then.
    Check { address: u64, expected: u32 },
    /// Begins to wait; at a futex, after a check.
    Enter { address: u64, checked: bool },
    /// Ends a wait, if it was woken.
    Leave { address: u64, timed: bool, order: MemoryOrder },
    /// Wakes so many.
    Wake { address: u64, most: u32, order: MemoryOrder },
    /// Comes to a barrier of so many threads.
    Arrive { address: u64, needed: u32 },
    /// Leaves a barrier that has opened after it had done so this often.
    Depart { address: u64, opened: u32 },
    /// Looks at the clock.
    Clock,
    /// Takes the next number of `rand`, or seeds it.
    Draw { address: u64 },
}

/// What an operation on bytes wants of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    /// Nothing: it is always possible, and changes them.
    Nothing,
    /// To look at them.
    Look,
    /// To take it as soon as it can.
    Take(SyncObject, Share),
    /// To take it now.
    Try(SyncObject, Share),
}

impl Role {
    /// An operation on the bytes of an object.
    fn on_bytes(address: u64, object: SyncObject, effect: SyncEffect) -> Self {
        let wants = match effect {
            SyncEffect::Acquire(share) => Wants::Take(object, share),
            SyncEffect::Try(share) => Wants::Try(object, share),
            _ => Wants::Nothing,
        };
        Role::Bytes { address, len: object.size() as u8, order: effect.order(), wants }
    }

    /// Where its events are.
    pub(super) fn place(self) -> (u64, u8) {
        match self {
            Role::Bytes { address, len, .. } => (address, BYTES | len),
            Role::Word { address, .. } | Role::Check { address, .. } => (address, 4),
            Role::Enter { address, .. } | Role::Leave { address, .. } | Role::Wake { address, .. } => {
                (address, if self.is_system() { FUTEX } else { QUEUE })
            }
            Role::Arrive { address, .. } | Role::Depart { address, .. } => (address, BARRIER),
            Role::Clock => (0, CLOCK),
            Role::Draw { address } => (address, GENERATOR),
        }
    }

    /// Whether it is about a queue of the system's: that one has no memory, and stays when the word is gone.
    pub(super) fn is_system(self) -> bool {
        match self {
            Role::Enter { checked, .. } => checked,
            Role::Leave { order, .. } | Role::Wake { order, .. } => order == MemoryOrder::Relaxed,
            _ => false,
        }
    }

    /// Its order, or the one that it has with the other of its two results.
    pub(super) fn order(self, otherwise: bool) -> MemoryOrder {
        match self {
            Role::Bytes { order, .. } if !otherwise => order,
            Role::Leave { order, .. } | Role::Wake { order, .. } if !otherwise => order,
            Role::Word { .. } | Role::Depart { .. } => MemoryOrder::Acquire,
            Role::Arrive { .. } | Role::Draw { .. } => MemoryOrder::AcqRel,
            _ => MemoryOrder::Relaxed,
        }
    }

    /// Whether it has two results: fail to take something, or have waited for too long.
    pub(super) fn has_choice(self) -> bool {
        matches!(self, Role::Bytes { wants: Wants::Try(..), .. } | Role::Leave { timed: true, .. })
    }

    /// Whether it may have to wait.
    pub(super) fn may_wait(self) -> bool {
        match self {
            Role::Bytes { wants, .. } => matches!(wants, Wants::Take(..) | Wants::Try(..)),
            Role::Word { .. } | Role::Enter { checked: true, .. } => true,
            Role::Leave { .. } | Role::Depart { .. } => true,
            _ => false,
        }
    }

    /// Whether a thread that cannot go on with it waits: otherwise it has another result.
    pub(super) fn waits_for_good(self) -> bool {
        self.may_wait() && !self.has_choice() && !matches!(self, Role::Enter { .. })
    }

    /// Whether it may write.
    pub(super) fn may_write(self, otherwise: bool) -> bool {
        match self {
            Role::Bytes { wants: Wants::Try(..), .. } => !otherwise,
            Role::Bytes { wants: Wants::Look, .. } | Role::Check { .. } | Role::Depart { .. } => false,
            _ => true,
        }
    }
}

impl Machine {
    /// The place of a role.
    pub(super) fn place_of(&self, role: Role) -> Place {
        let (address, size) = role.place();
        let generation = match role.is_system() {
            true => 0,
            false => self.model.graph().map_or(0, |execution| execution.generation(address)),
        };
        Place { address, size, generation }
    }

    /// What a thread is about to do to a synchronisation object, if the graph knows it.
    pub(super) fn role(&mut self, index: usize) -> Result<Option<Role>, Halt> {
        use EventKind::*;
        use MemoryOrder::{Acquire, Relaxed};
        let Status::Ready(Operation { kind, address, .. }) = self.threads[index].status else {
            return Ok(None);
        };
        if !self.follows_graph() {
            return Ok(None);
        }
        let wake = self.threads[index].wake;
        let traits = self.traits_at(index);
        if kind == Random {
            return Ok(Some(Role::Draw { address }));
        }
        if let LibraryCall | Clock = kind {
            let looks = traits.object == Some(SyncObject::Semaphore) && traits.has(Trait::Unordered);
            let len = SyncObject::Semaphore.size() as u8;
            let look = Role::Bytes { address, len, order: Relaxed, wants: Wants::Look };
            return Ok(if kind == Clock { Some(Role::Clock) } else { looks.then_some(look) });
        }
        let Some((object, effect)) = kind.on_object() else { return Ok(None) };
        let role = match (object, effect) {
            (SyncObject::Mutex, _) => return self.mutex_role(index, kind, address),
            (SyncObject::Semaphore | SyncObject::RwLock | SyncObject::SpinLock | SyncObject::Once, _) => {
                Role::on_bytes(address, object, effect)
            }
            (SyncObject::Futex, SyncEffect::Acquire(_)) => match kind.awaited() {
                Some((found, left)) => Role::Word { address, found, left },
                None => return Ok(None),
            },
            (SyncObject::Condition, SyncEffect::Wake) => {
                let most = if kind == CondSignal { 1 } else { u32::MAX };
                Role::Wake { address, most, order: effect.order() }
            }
            (SyncObject::Condition, _) => match wake {
                None => Role::Enter { address, checked: false },
                Some(Wake::Entered) => {
                    let mutex = self.with_context(index, 0, |context| context.int(1)).unwrap_or(Ok(0))?;
                    return self.mutex_role(index, MutexUnlock, mutex);
                }
                _ => Role::Leave { address, timed: traits.has(Trait::Timed), order: Acquire },
            },
            (SyncObject::Barrier, _) => match wake {
                Some(Wake::Arrived { opened }) => Role::Depart { address, opened },
                _ => {
                    let needed = crate::sync::needed_at_barrier(self, address);
                    Role::Arrive { address, needed }
                }
            },
            (SyncObject::Futex, _) => {
                let call = self.with_context(index, 0, crate::sync::futex_call);
                let Some(call) = call else { return Ok(None) };
                match (call?, wake) {
                    (crate::sync::FutexCall::Wake { most }, _) => {
                        Role::Wake { address, most, order: Relaxed }
                    }
                    (crate::sync::FutexCall::Wait { expected, .. }, None) => {
                        Role::Check { address, expected }
                    }
                    (_, Some(Wake::Checked)) => Role::Enter { address, checked: true },
                    (crate::sync::FutexCall::Wait { timed, .. }, _) => {
                        Role::Leave { address, timed, order: Relaxed }
                    }
                }
            }
            (SyncObject::Thread | SyncObject::Stream, _) => return Ok(None),
        };
        Ok(Some(role))
    }

    /// Mutexes that are only locked and unlocked have kinds of events of their own: what else is done with mutexes
    /// works with their bytes.
    fn mutex_role(&mut self, index: usize, kind: EventKind, address: u64) -> Result<Option<Role>, Halt> {
        if self.is_own_business(index, kind, address) || !self.is_general(address) {
            return Ok(None);
        }
        Ok(kind.on_object().map(|(object, effect)| Role::on_bytes(address, object, effect)))
    }

    /// Whether an operation on a mutex is about it in general, not only about taking it and giving it back.
    pub(super) fn is_general(&mut self, address: u64) -> bool {
        let Some(execution) = self.model.graph() else { return false };
        if execution.mutexes.contains_key(&address) {
            return false;
        }
        execution.tries
            || execution.objects.contains_key(&(address, BYTES | SyncObject::Mutex.size() as u8))
            || crate::sync::holder(self, EventKind::MutexLock, address).is_some()
    }

    /// Whether an operation on a mutex concerns its thread alone: it has the mutex, and only counts how often, or it
    /// has not, and cannot give it back.
    pub(super) fn is_own_business(&mut self, index: usize, kind: EventKind, address: u64) -> bool {
        let holder = crate::sync::holder(self, EventKind::MutexLock, address);
        let own = holder.is_some_and(|holder| holder.index() == index);
        let mut word = |offset: u64| self.memory.read(address + offset, 4).value;
        match kind {
            EventKind::MutexUnlock => !own || word(4) > 1,
            EventKind::MutexLock => own && matches!(word(16) & 3, 1 | 2),
            _ => own,
        }
    }
}
