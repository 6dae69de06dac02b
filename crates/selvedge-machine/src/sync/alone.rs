//! Synchronisation objects as other threads would have left them, where a thread runs without the others.

use super::object;
use super::{barrier, mutex, rwlock, semaphore, spin};
use crate::machine::Machine;
use selvedge_trace::SyncObject;

/// No other thread holds an object; a semaphore has one. What the thread itself holds it keeps.
pub(crate) fn as_if_free(machine: &mut Machine, thread: usize, object: SyncObject, at: u64, shared: bool) {
    let own = u64::from(object::handle_of(machine, thread));
    match object {
        SyncObject::Mutex if mutex::owner(machine, at).is_some_and(|owner| owner != own) => {
            machine.memory.write_bytes(at, &[0; 12]);
        }
        SyncObject::SpinLock if spin::owner(machine, at).is_some_and(|owner| owner != own) => {
            spin::set_free(machine, at);
        }
        SyncObject::RwLock if rwlock::owner(machine, at) != Some(own) => {
            rwlock::set_free(machine, at, shared)
        }
        SyncObject::Semaphore => semaphore::set_at_least_one(machine, at),
        _ => {}
    }
}

/// Another thread holds an object; a semaphore has none.
pub(crate) fn as_if_taken(machine: &mut Machine, thread: usize, object: SyncObject, at: u64) {
    let own = object::handle_of(machine, thread);
    let others = (0..machine.threads().len()).map(|other| object::handle_of(machine, other));
    let other = others.into_iter().find(|&other| other != own).unwrap_or(own);
    match object {
        SyncObject::Mutex if mutex::owner(machine, at).is_none() => {
            let words = [1, 1, other];
            let bytes: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
            machine.memory.write_bytes(at, &bytes);
        }
        SyncObject::SpinLock if spin::owner(machine, at).is_none() => spin::set_owner(machine, at, other),
        SyncObject::RwLock if rwlock::owner(machine, at).is_none() => rwlock::set_owner(machine, at, other),
        SyncObject::Semaphore => machine.memory.write_bytes(at, &[0; 4]),
        _ => {}
    }
}

/// All threads but one have arrived at a barrier, or none.
pub(crate) fn arrived_at_barrier(machine: &mut Machine, at: u64, all_but_one: bool) {
    let arrived = if all_but_one { barrier::needed(machine, at).saturating_sub(1) } else { 0 };
    machine.memory.write_bytes(at, &arrived.to_le_bytes());
}
