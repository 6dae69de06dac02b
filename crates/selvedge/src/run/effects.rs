//! What events did to what threads share: values, locks, and which store a read has seen.

use super::std_locks::WordLock;
use super::value::ValueOf;
use super::words::{self, Known};
use selvedge_machine::{Blocks, EventId, Machine, WeakBehaviour};
use selvedge_report::{Effect, Lock, Variable};
use selvedge_trace::{Event, EventKind, MemoryOrder, Share, SyncEffect};
use std::collections::HashMap;

/// Follows the events of an execution.
#[derive(Default)]
pub struct Effects {
    variables: Vec<Variable>,
    /// Numbers of variables by what they are.
    numbers: HashMap<(u64, usize, String), usize>,
    /// For each byte of memory the row of the last visible store, and what it has stored.
    visible: HashMap<u64, (usize, u8)>,
    /// Stores that wait in buffers, the oldest first.
    waiting: Vec<Waiting>,
    /// Rows of the stores of the execution graph.
    stores: HashMap<EventId, usize>,
    /// How many events of each thread the execution graph had.
    known: HashMap<usize, usize>,
    /// What heap blocks are made of.
    blocks: Blocks,
    /// Words of locks of Rust's standard library.
    word_locks: HashMap<u64, WordLock>,
}

struct Waiting {
    thread: usize,
    address: u64,
    row: usize,
    bytes: Vec<u8>,
}

impl Effects {
    /// All variables so far.
    pub fn into_variables(self) -> Vec<Variable> {
        self.variables
    }

    /// What was found out about heap blocks.
    pub fn blocks(&mut self) -> &mut Blocks {
        &mut self.blocks
    }

    /// The lock of Rust's standard library to whose word an event belongs; `known` is what was known before the event.
    pub fn word_lock(&mut self, event: &Event, known: Option<&Known>) -> Option<WordLock> {
        let address = event.operation.address;
        if let Some(known) = known.filter(|known| known.address == address)
            && let Some(lock) = known.lock
        {
            self.word_locks.insert(address, lock);
        }
        self.word_locks.get(&address).copied()
    }

    /// What an event did, which becomes the row of this number. To be asked right after each event.
    pub fn of(
        &mut self,
        (machine, event): (&Machine, &Event),
        row: usize,
        subject: &str,
        (value, known): (&ValueOf<'_>, Option<&Known>),
    ) -> Effect {
        let mut effect = Effect { waits: event.operation.kind == EventKind::CondWait, ..Effect::default() };
        if !holds_value(event.operation.kind) || event.read.is_empty() && event.written.is_empty() {
            return effect;
        }
        effect.variable = Some(self.variable(event, subject, (value, known)));
        let mut told = |bytes: &[u8]| (!bytes.is_empty()).then(|| value.words(bytes, &mut self.blocks));
        effect.read = told(&event.read);
        effect.written = told(&event.written);
        if !event.read.is_empty() {
            effect.from = self.source(event);
        }
        self.store(machine, event, row, &mut effect);
        if event.operation.order != MemoryOrder::NotAtomic {
            self.of_graph(machine, event, row, &mut effect);
        }
        effect
    }

    fn variable(
        &mut self,
        event: &Event,
        subject: &str,
        (value, known): (&ValueOf<'_>, Option<&Known>),
    ) -> usize {
        let size = event.read.len().max(event.written.len());
        let key = (event.operation.address, size, subject.to_owned());
        let next = self.variables.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            let before = known.filter(|known| known.address == event.operation.address);
            let before = before.and_then(|known| known.bytes.as_deref()).filter(|bytes| bytes.len() == size);
            let first = before.or(Some(&event.read[..]).filter(|read| !read.is_empty()));
            let initial = first.map(|bytes| value.words(bytes, &mut self.blocks));
            self.variables.push(Variable { name: subject.to_owned(), initial });
        }
        number
    }

    /// The row whose store has left in memory what the event has read; nothing if memory has changed since without a row.
    fn source(&self, event: &Event) -> Option<usize> {
        let (thread, address) = (event.thread.index(), event.operation.address);
        let own = self.waiting.iter().rev().find(|store| {
            store.thread == thread && store.address == address && store.bytes[..] == event.read[..]
        });
        let last = |(offset, byte): (usize, &u8)| {
            let &(row, stored) = self.visible.get(&(address + offset as u64))?;
            (stored == *byte).then_some(row)
        };
        let rows: Option<Vec<usize>> = event.read.iter().enumerate().map(last).collect();
        own.map(|store| store.row).or_else(|| rows?.into_iter().max())
    }

    /// Notes what an event has stored, where others find it.
    fn store(&mut self, machine: &Machine, event: &Event, row: usize, effect: &mut Effect) {
        if event.written.is_empty() {
            return;
        }
        let (thread, address) = (event.thread.index(), event.operation.address);
        if event.operation.kind == EventKind::Write && words::is_buffered(machine, event) {
            effect.buffered = true;
            self.waiting.push(Waiting { thread, address, row, bytes: event.written.to_vec() });
            return;
        }
        if event.operation.kind == EventKind::Commit {
            let oldest =
                self.waiting.iter().position(|store| store.thread == thread && store.address == address);
            oldest.map(|at| self.waiting.remove(at));
        }
        for (offset, &byte) in event.written.iter().enumerate() {
            self.visible.insert(address.wrapping_add(offset as u64), (row, byte));
        }
    }

    /// Under the language's memory model a read sees the store that the execution graph says.
    fn of_graph(&mut self, machine: &Machine, event: &Event, row: usize, effect: &mut Effect) {
        let thread = event.thread.index();
        let graph = machine.inspect_graph();
        let Some(access) = graph.last_access(thread) else { return };
        let before = self.known.insert(thread, access.events).unwrap_or(0);
        if before == access.events {
            // What only this thread accesses is not in the graph.
            return;
        }
        if !event.read.is_empty() {
            effect.from = access.source.and_then(|source| self.stores.get(&source).copied());
        }
        let unseen = match graph.weak_behaviour(thread) {
            Some(WeakBehaviour::Read { unseen, .. }) => Some(unseen.event),
            Some(WeakBehaviour::Write { later }) => Some(later.event),
            None => None,
        };
        effect.unseen = unseen.and_then(|store| self.stores.get(&store).copied());
        if let Some(store) = access.store {
            self.stores.insert(store, row);
        }
    }
}

/// Whether the event reads or writes a value, and says which.
fn holds_value(kind: EventKind) -> bool {
    use EventKind::{Commit, CompareExchange, CompareExchangeFailed, Read, ReadModifyWrite, Write};
    matches!(kind, Read | Write | ReadModifyWrite | CompareExchange | CompareExchangeFailed | Commit)
}

/// The lock that an event takes or gives back. What a call on a lock reads is an error code; without one it has succeeded.
pub fn lock(event: &Event, subject: &str) -> Option<Lock> {
    let name = subject.to_owned();
    let (object, effect) = event.operation.kind.on_object()?;
    let (taken, share) = match effect {
        SyncEffect::Acquire(share) | SyncEffect::Try(share) => (true, share),
        SyncEffect::Release => (false, Share::Whole),
        _ => return None,
    };
    (object.is_lock() && event.read.is_empty()).then_some(Lock {
        name,
        taken,
        shared: share == Share::Shared,
    })
}
