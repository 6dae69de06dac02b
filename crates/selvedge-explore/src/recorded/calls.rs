//! Calls and copies: what they read and stored, byte by byte, as actions for the solver.
//!
//! A call is one step of the machine, and so it is one event that accesses several places at once. What it reads next
//! may depend on what it has seen; so what it reads is kept in the order in which it read it, and an outcome is how the
//! first of these bytes turn out. Where stores go through buffers, what it stores follows as stores: no other thread
//! can tell whether these enter the buffer all at once.

use rustc_hash::FxHashSet;
use selvedge_machine::{Group, Machine, Touch};
use selvedge_order::{Action, Place};
use selvedge_trace::{Event, EventKind, MemoryOrder, Operation, Value};
use std::collections::BTreeMap;

/// Bytes that a call may read of what others know; with more, the strategies do not know.
const MOST_READ: usize = 1 << 16;

/// What a call or a copy has done.
#[derive(Default)]
pub struct Gathered {
    /// Bytes that it has read before it stored them, in this order.
    reads: Vec<(u64, u8)>,
    known: FxHashSet<u64>,
    written: BTreeMap<u64, u8>,
    /// What enters the buffer, one after the other.
    stores: Vec<(Place, Value)>,
    drains: bool,
    /// What it accesses depends on what it reads.
    pub varies: bool,
}

/// Neighbouring bytes as places.
fn places(bytes: impl Iterator<Item = (u64, u8)>) -> Vec<(Place, Value)> {
    let mut places: Vec<(Place, Value)> = Vec::new();
    for (address, byte) in bytes {
        match places.last_mut() {
            Some((at, value)) if at.end() == address => {
                at.size += 1;
                value.push(byte);
            }
            _ => places.push((Place::new(address, 1), Value::from_slice(&[byte]))),
        }
    }
    places
}

impl Gathered {
    /// What a call has done.
    pub fn call<'t>(touches: impl Iterator<Item = &'t Touch>) -> Self {
        let mut gathered = Gathered::default();
        for touch in touches {
            gathered.drains |= touch.drains;
            gathered.varies |= !touch.fixed;
            match touch.writes {
                true => gathered.write(touch.address, &touch.bytes),
                false => gathered.read(touch.address, &touch.bytes),
            }
            if touch.writes {
                let at = Place::new(touch.address, touch.bytes.len() as u32);
                gathered.stores.push((at, touch.bytes.clone()));
            }
        }
        gathered
    }

    /// What these events are together: of a copy, a fill, or of objects that are passed by value.
    pub fn events(events: &[Event], group: Option<&Group>) -> Self {
        let mut gathered = Gathered::default();
        for event in events {
            gathered.read(event.operation.address, &event.read);
            gathered.write(event.operation.address, &event.written);
        }
        for &(address, size) in group.into_iter().flat_map(|group| &group.stores) {
            let value = (address..address + u64::from(size))
                .map(|byte| gathered.written.get(&byte).copied().unwrap_or(0))
                .collect();
            gathered.stores.push((Place::new(address, size), value));
        }
        gathered
    }

    fn read(&mut self, address: u64, bytes: &[u8]) {
        for (at, &byte) in (address..).zip(bytes) {
            if self.known.insert(at) {
                self.reads.push((at, byte));
            }
        }
    }

    fn write(&mut self, address: u64, bytes: &[u8]) {
        for (at, &byte) in (address..).zip(bytes) {
            self.known.insert(at);
            self.written.insert(at, byte);
        }
    }

    /// The bytes that it met, with what they held before where it has seen that.
    pub fn met(&self) -> impl Iterator<Item = (u64, Option<u8>)> + '_ {
        let read = self.reads.iter().map(|&(at, byte)| (at, Some(byte)));
        read.chain(self.written.keys().map(|&at| (at, None)))
    }

    /// The accesses, for races.
    pub fn operations(&self) -> Vec<Operation> {
        let mut read = self.reads.clone();
        read.sort_unstable();
        let plain = |kind: EventKind, (at, _): (Place, Value)| {
            let (address, size, order) = (at.address, at.size, MemoryOrder::NotAtomic);
            Operation { kind, address, size, order }
        };
        let reads = places(read.into_iter()).into_iter().map(|read| plain(EventKind::Read, read));
        let written = places(self.written.iter().map(|(&at, &byte)| (at, byte)));
        reads.chain(written.into_iter().map(|written| plain(EventKind::Write, written))).collect()
    }

    /// It reads more than can be told.
    pub fn is_too_much(&self) -> bool {
        self.reads.len() > MOST_READ
    }

    /// The accesses to be told: the call itself, and behind a buffer its stores.
    pub fn actions(&self, machine: &Machine) -> Vec<Action> {
        let reads = places(self.reads.iter().copied());
        if machine.inspect().is_sequential() {
            let writes = places(self.written.iter().map(|(&at, &byte)| (at, byte)));
            return vec![Action::Call { reads, writes, drains: self.drains }];
        }
        let mut actions = vec![Action::Call { reads, writes: Vec::new(), drains: self.drains }];
        actions.extend(self.stores.iter().map(|(at, value)| Action::Write {
            at: *at,
            value: value.clone(),
            order: MemoryOrder::NotAtomic,
        }));
        actions
    }
}

/// Whether events have to be gathered: they are several that happen together, or one that is more than one access.
pub fn are_together(machine: &Machine, events: &[Event], group: Option<&Group>) -> bool {
    let [event] = events else { return true };
    let operation = event.operation;
    match operation.kind {
        EventKind::Read => operation.size > 8,
        EventKind::Write if machine.inspect().is_sequential() => false,
        EventKind::Write => group.is_some_and(|group| group.stores != [(operation.address, operation.size)]),
        _ => false,
    }
}
