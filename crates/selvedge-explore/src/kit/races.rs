//! Data races: two conflicting accesses, at least one of them plain, that can both happen next.

use crate::report::Access;
use selvedge_machine::{Machine, Origin, Status, WaitingStore};
use selvedge_trace::{EventKind, MemoryOrder, Operation};
use smallvec::SmallVec;

/// What an access does to memory: (reads, writes), or nothing if it is none.
fn effect(operation: &Operation) -> Option<(bool, bool)> {
    match operation.kind {
        EventKind::Read => Some((true, false)),
        EventKind::Write => Some((false, true)),
        EventKind::ReadModifyWrite | EventKind::CompareExchange => Some((true, true)),
        _ => None,
    }
}

/// Whether two accesses conflict and one of them is plain.
pub fn conflict(a: &Operation, b: &Operation) -> bool {
    let (Some((_, a_writes)), Some((_, b_writes))) = (effect(a), effect(b)) else { return false };
    let plain = a.order == MemoryOrder::NotAtomic || b.order == MemoryOrder::NotAtomic;
    let overlap = a.address < b.address + u64::from(b.size) && b.address < a.address + u64::from(a.size);
    plain && overlap && (a_writes || b_writes)
}

/// One of the accesses that can happen next.
#[derive(Clone, Copy)]
struct Side {
    thread: usize,
    operation: Operation,
    /// Where it is; `None`: where its thread is.
    origin: Option<Origin>,
}

/// Pairs of accesses that can both happen next and race: those that threads are before, and stores that wait in buffers
/// although something later of their threads may have been seen.
pub fn pending_races(machine: &mut Machine, into: &mut Vec<(Access, Access)>) {
    into.clear();
    let mut sides: SmallVec<[Side; 8]> = SmallVec::new();
    let mut calls: SmallVec<[usize; 2]> = SmallVec::new();
    for thread in 0..machine.threads().len() {
        let Status::Ready(operation) = machine.threads()[thread].status else { continue };
        if machine.inspect().is_before_call(thread) {
            calls.push(thread);
        } else if effect(&operation).is_some() {
            let side = |operation| Side { thread, operation, origin: None };
            sides.extend(machine.probe().accesses(thread).into_iter().map(side));
        }
    }
    let mut waiting = Vec::new();
    machine.inspect().waiting_stores(&mut waiting);
    sides.extend(waiting.iter().map(|store| {
        let (thread, operation, origin) = (store.thread, store_of(store), Some(store.origin));
        Side { thread, operation, origin }
    }));
    // A call is tried out only if there is anything that it could race with.
    if calls.len() > 1 || !sides.is_empty() {
        for thread in calls {
            let side = |operation| Side { thread, operation, origin: None };
            sides.extend(machine.probe().accesses(thread).into_iter().map(side));
        }
    }
    for first in 0..sides.len() {
        if !is_plain(&sides[first]) {
            continue;
        }
        for second in 0..sides.len() {
            let (a, b) = (sides[first], sides[second]);
            // A pair of two plain accesses is seen from the first of them only.
            let twice = second < first && is_plain(&b);
            if a.thread != b.thread && !twice && conflict(&a.operation, &b.operation) && meet(machine, a, b) {
                into.push((access(machine, a), access(machine, b)));
            }
        }
    }
}

fn store_of(waiting: &WaitingStore) -> Operation {
    let WaitingStore { address, len, order, .. } = *waiting;
    Operation { kind: EventKind::Write, address, size: u32::from(len), order }
}

/// The store of a thread to an address that can leave its buffer next and that others may have overtaken, and its position.
pub fn waiting_store(machine: &Machine, thread: usize, address: u64) -> (Option<Operation>, u32) {
    let mut waiting = Vec::new();
    machine.inspect().waiting_stores(&mut waiting);
    let found = waiting.iter().find(|store| (store.thread, store.address) == (thread, address));
    (found.map(store_of), found.map_or(0, |store| store.origin.position))
}

fn is_plain(side: &Side) -> bool {
    side.operation.order == MemoryOrder::NotAtomic
}

/// A compare-exchange that does not find what it expects only reads.
fn meet(machine: &mut Machine, plain: Side, other: Side) -> bool {
    other.operation.kind != EventKind::CompareExchange
        || plain.operation.kind != EventKind::Read
        || machine.probe().would_exchange(other.thread)
}

/// One side of a race.
fn access(machine: &Machine, side: Side) -> Access {
    let Side { thread, operation, origin } = side;
    let origin = origin.unwrap_or_else(|| Origin {
        position: machine.inspect().position(thread),
        user_position: machine.inspect().user_position(thread),
    });
    let Origin { position, user_position } = origin;
    Access { thread: machine.threads()[thread].name.clone(), operation, position, user_position }
}

/// The places of a race in the user's code.
pub fn places((a, b): &(Access, Access)) -> (u32, u32) {
    (a.user_position.min(b.user_position), a.user_position.max(b.user_position))
}
