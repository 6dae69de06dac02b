//! What a step has done to store buffers, beyond what its events say.

use crate::recorded::record::{Note, Recorder};
use selvedge_machine::{Buffering, Machine};
use selvedge_order::{Action, Place};
use selvedge_trace::{EventKind, MemoryOrder, Operation, Value};

/// Stores of a thread that wait, by what was recorded.
pub(crate) type Waiting = Vec<(Place, Value)>;

impl Recorder<'_> {
    /// A byte as a thread sees it by what was recorded; nothing if nothing is known of it.
    pub(crate) fn visible(&self, thread: u32, byte: u64) -> Option<u8> {
        let holds = |store: &&(Place, Value)| (store.0.address..store.0.end()).contains(&byte);
        let own = self.threads[thread as usize].stores.iter().rev().find(holds);
        let own = own.map(|(at, value)| value[(byte - at.address) as usize]);
        own.or_else(|| self.memory.get(&byte).copied()).or_else(|| self.known.get(&byte).copied())
    }

    /// A store of a thread that waits becomes visible.
    pub(crate) fn commit(&mut self, thread: u32, address: u64) {
        let stores = &mut self.threads[thread as usize].stores;
        if let Some(index) = stores.iter().position(|(at, _)| at.address == address) {
            let (at, value) = stores.remove(index);
            self.memory.extend((at.address..).zip(value));
        }
    }

    /// All that a thread has stored is visible.
    pub(crate) fn flush(&mut self, thread: u32) {
        for (at, value) in std::mem::take(&mut self.threads[thread as usize].stores) {
            self.memory.extend((at.address..).zip(value));
        }
    }

    /// The operation waits until its thread's buffer is empty if the machine has emptied it, whatever else it is.
    pub(crate) fn drain(&mut self, action: Action) -> Action {
        match (std::mem::take(&mut self.drained), action) {
            (true, Action::Nothing) => Action::Fence { order: MemoryOrder::SeqCst },
            (true, Action::Call { reads, writes, .. }) => Action::Call { reads, writes, drains: true },
            (true, action) if !action.drains() => {
                self.unmapped("an access that makes everything visible that its thread has stored before");
                action
            }
            (_, action) => action,
        }
    }

    /// Takes over the stores that have entered buffers in a step and are no events of the machine: an object has become
    /// known to others, and what its thread has stored there waits from now on (P5 of `docs/search.md`). `events`: how
    /// many events each thread had before the step.
    pub(crate) fn take_late_stores(
        &mut self,
        machine: &mut Machine,
        buffering: &[(usize, Buffering)],
        events: &[u32],
    ) {
        let entered = |&(_, what): &(usize, Buffering)| matches!(what, Buffering::Entered { .. });
        let drained =
            |of: usize| move |&(other, what): &(usize, Buffering)| other == of && what == Buffering::Drained;
        let mut rest = buffering;
        while let [first, others @ ..] = rest {
            if entered(first) && others.iter().any(drained(first.0)) {
                self.unmapped("stores that become visible in the step that makes them");
            }
            rest = others;
        }
        for index in 0..machine.threads().len() {
            let thread = self.number(machine, index);
            let first = events.get(thread as usize).copied().unwrap_or(0);
            let recorded = &self.trace.events(thread)[first as usize..];
            let recorded: Vec<(Place, Value)> =
                recorded.iter().filter_map(Action::buffered).map(|(at, value)| (at, value.clone())).collect();
            let mut recorded = recorded.into_iter().peekable();
            for &(of, what) in buffering {
                let Buffering::Entered { address, len, value, order, origin } = what else { continue };
                let at = Place::new(address, u32::from(len));
                let value = Value::from_slice(&value.to_le_bytes()[..usize::from(len)]);
                if of != index || recorded.next_if(|store| *store == (at, value.clone())).is_some() {
                    continue;
                }
                self.learn(machine, address, at.size);
                // What a release orders comes before it in the program, and was ordered when the store was made.
                let plain = order == MemoryOrder::NotAtomic;
                let order = if plain { MemoryOrder::NotAtomic } else { MemoryOrder::Relaxed };
                let operation = Operation { kind: EventKind::Write, address, size: at.size, order };
                let position = origin.map_or(0, |origin| origin.user_position);
                let note = Note { position, step: Some(first), late: true, ..Note::new(operation) };
                self.push(machine, thread, Action::Write { at, value, order }, note);
            }
            if recorded.next().is_some() && !machine.inspect().is_sequential() {
                self.unmapped("a store that does not enter the buffer as it was recorded");
            }
        }
    }

    /// Whether a thread sees bytes that held no value at the start and that another thread stores to, so that the two cannot
    /// be told apart: memory that holds no value has bits all the same, and the store may write those.
    pub(crate) fn undefined_bytes_are_ambiguous(&self) -> bool {
        if self.undefined.is_empty() {
            return false;
        }
        let threads = 0..self.notes.len() as u32;
        let events = |thread: u32| (0_u32..).zip(self.trace.events(thread));
        threads.clone().any(|thread| {
            let stores =
                events(thread).flat_map(|(index, action)| action.writes().map(move |store| (index, store)));
            stores.into_iter().any(|(stored, (at, value))| {
                let same: Vec<bool> =
                    value.iter().zip(&self.initial(at)).map(|(new, old)| new == old).collect();
                let offset = |byte: u64| (byte - at.address) as usize;
                let meets = |place: Place| {
                    let mut both = place.address.max(at.address)..place.end().min(at.end());
                    both.clone().any(|byte| self.undefined.contains(&byte))
                        && both.all(|byte| same[offset(byte)])
                };
                let mut others = threads.clone().filter(|&other| other != thread);
                others.any(|other| {
                    events(other).any(|(seen, action)| {
                        action.sees().any(|(place, _)| meets(place))
                            && !self.comes_after((other, seen), (thread, stored))
                    })
                })
            })
        })
    }

    /// Whether an event comes after another one in every order, because its thread has joined the other's or was created
    /// by it.
    fn comes_after(&self, (thread, index): (u32, u32), (earlier, before): (u32, u32)) -> bool {
        let joins = |action: &Action| matches!(action, Action::Join { thread } if *thread == earlier);
        let creates = |action: &Action| matches!(action, Action::Fork { thread: new } if *new == thread);
        self.trace.events(thread)[..index as usize].iter().any(joins)
            || self.trace.events(earlier)[before as usize..].iter().any(creates)
    }
}
