//! What a step has done to store buffers, beyond what its events say.

use super::{Note, Recorder};
use selvedge_machine::{Buffering, Machine};
use selvedge_solve::{Action, EventId, Place};
use selvedge_trace::{EventKind, MemoryOrder, Operation, Value};

/// Stores of a thread that wait, by what was recorded.
pub(super) type Waiting = Vec<(Place, Value)>;

impl Recorder<'_> {
    /// A byte as a thread sees it by what was recorded; nothing if nothing is known of it.
    pub(super) fn visible(&self, thread: u32, byte: u64) -> Option<u8> {
        let holds = |store: &&(Place, Value)| (store.0.address..store.0.end()).contains(&byte);
        let own = self.threads[thread as usize].stores.iter().rev().find(holds);
        let own = own.map(|(at, value)| value[(byte - at.address) as usize]);
        own.or_else(|| self.memory.get(&byte).copied()).or_else(|| self.known.get(&byte).copied())
    }

    /// A store of a thread that waits becomes visible.
    pub(super) fn commit(&mut self, thread: u32, address: u64) {
        let stores = &mut self.threads[thread as usize].stores;
        if let Some(index) = stores.iter().position(|(at, _)| at.address == address) {
            let (at, value) = stores.remove(index);
            self.memory.extend((at.address..).zip(value));
        }
    }

    /// All that a thread has stored is visible.
    pub(super) fn flush(&mut self, thread: u32) {
        for (at, value) in std::mem::take(&mut self.threads[thread as usize].stores) {
            self.memory.extend((at.address..).zip(value));
        }
    }

    /// The operation waits until its thread's buffer is empty if the machine has emptied it, whatever else it is.
    pub(super) fn drain(&mut self, action: Action) -> Action {
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
    pub(super) fn take_late_stores(
        &mut self,
        machine: &mut Machine,
        buffering: &[(usize, Buffering)],
        events: &[u32],
    ) {
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
                let operation = Operation { kind: EventKind::Write, address, size: at.size, order };
                let position = origin.map_or(0, |origin| origin.user_position);
                let note = Note { position, step: Some(first), late: true, ..Note::new(operation) };
                self.push(machine, thread, Action::Write { at, value, order }, note);
            }
            if recorded.next().is_some() && !machine.is_sequential() {
                self.unmapped("a store that does not enter the buffer as it was recorded");
            }
        }
    }

    /// Whether somebody else looks at what a late store has replaced, which may not have been a value.
    pub(super) fn late_store_is_ambiguous(&self) -> bool {
        (0_u32..).zip(&self.notes).any(|(thread, notes)| {
            let late = (0_u32..).zip(notes).filter(|(_, note)| note.late);
            late.into_iter().any(|(index, _)| {
                let Some((at, value)) =
                    self.trace.action(EventId::new(thread, index)).and_then(Action::buffered)
                else {
                    return false;
                };
                // One who looks at a byte in which the two differ can tell them apart.
                let same: Vec<bool> =
                    value.iter().zip(&self.initial(at)).map(|(new, old)| new == old).collect();
                let offset = |byte: u64| (byte - at.address) as usize;
                let meets = |place: Place| {
                    let mut both = place.address.max(at.address)..place.end().min(at.end());
                    both.clone().any(|byte| self.undefined.contains(&byte))
                        && both.all(|byte| same[offset(byte)])
                };
                let others = (0..self.notes.len() as u32).filter(|&other| other != thread);
                others
                    .flat_map(|other| self.trace.events(other))
                    .any(|action| action.sees().any(|(place, _)| meets(place)))
            })
        })
    }
}
