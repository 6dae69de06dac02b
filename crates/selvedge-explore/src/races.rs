//! Data races: two conflicting accesses, one of them plain, that can both happen next.

use crate::report::Access;
use rustc_hash::FxHashSet;
use selvedge_machine::{Machine, Status};
use selvedge_trace::{EventKind, MemoryOrder, Operation};

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

/// Pairs of threads whose pending accesses race.
pub fn pending_races(machine: &mut Machine, into: &mut Vec<(usize, usize)>) {
    into.clear();
    // A compare-exchange that does not find what it expects only reads.
    let pending = |machine: &mut Machine, index: usize| match machine.threads()[index].status {
        Status::Ready(operation @ Operation { kind: EventKind::CompareExchange, .. }) => {
            let exchanges = machine.would_exchange(index);
            Some(Operation { kind: if exchanges { operation.kind } else { EventKind::Read }, ..operation })
        }
        Status::Ready(operation) => Some(operation),
        _ => None,
    };
    for a in 0..machine.threads().len() {
        let Some(first) = pending(machine, a).filter(|operation| operation.order == MemoryOrder::NotAtomic)
        else {
            continue;
        };
        for b in 0..machine.threads().len() {
            let Some(second) = pending(machine, b) else { continue };
            // A pair of two plain accesses is seen from the first of them only.
            let twice = second.order == MemoryOrder::NotAtomic && b < a;
            if a != b && !twice && conflict(&first, &second) {
                into.push((a, b));
            }
        }
    }
}

/// One side of a race.
pub fn access(machine: &Machine, thread: usize) -> Option<Access> {
    let Status::Ready(operation) = machine.threads()[thread].status else { return None };
    Some(Access {
        thread: machine.threads()[thread].name.clone(),
        operation,
        position: machine.position(thread),
        user_position: machine.user_position(thread),
    })
}

/// Races that were already found, by their pair of positions.
#[derive(Default)]
pub struct Known {
    pairs: FxHashSet<(u32, u32)>,
}

impl Known {
    /// Whether a pair of threads' pending accesses is a race that was not known before.
    pub fn is_new(&mut self, machine: &Machine, (a, b): (usize, usize)) -> bool {
        let (a, b) = (machine.user_position(a), machine.user_position(b));
        self.pairs.insert((a.min(b), a.max(b)))
    }
}
