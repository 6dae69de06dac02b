//! What could have turned out differently in an execution: targets, events with another outcome.

use crate::recorded::record::{Recorder, further, stages};
use crate::recorded::run::SeedStep;
use selvedge_order::{Action, Cause, EventId, Place, Step};
use selvedge_trace::{EventKind, Value};
use std::collections::BTreeSet;

/// Values that a read may have, at most; with more, the strategy does not know.
const MOST_VALUES: usize = 4_096;

/// An event that could have turned out differently.
#[derive(Clone, Debug)]
pub struct Target {
    pub event: EventId,
    /// How; `None` if all that is asked for is that it happens, and nothing is known of it yet.
    pub action: Option<Action>,
    /// A weak compare-exchange fails for no reason.
    pub fails: bool,
    /// How many of the bytes that a call reads turn out like that. It may never look at the next ones.
    bytes: usize,
}

impl Target {
    fn new(event: EventId, action: Option<Action>, fails: bool) -> Self {
        Target { event, action, fails, bytes: 0 }
    }

    /// What the thread will have observed by that, if it had observed this before.
    pub fn history(&self, before: u128) -> u128 {
        match &self.action {
            Some(action @ Action::Call { .. }) => stages(before, action)[self.bytes],
            _ => self.outcome(before),
        }
    }

    /// The same for targets that are the same question: with all that a call would read, if it looked at that.
    pub fn outcome(&self, before: u128) -> u128 {
        match &self.action {
            Some(action) => further(before, action, self.fails),
            None => further(before, &Action::Nothing, false),
        }
    }
}

/// Where an execution may begin.
#[derive(Clone, Debug)]
pub struct Seed {
    /// What to do.
    pub acts: Vec<SeedStep>,
    /// How far each thread comes by that (as a number of events), and what it observes.
    pub frontier: Vec<(u32, u32, u128)>,
}

/// The values that a place can hold, by the writes of a trace; `None` if they are too many.
pub fn values(recorder: &Recorder<'_>, at: Place) -> Option<BTreeSet<Value>> {
    let trace = &recorder.trace;
    let mut whole = BTreeSet::new();
    // Bytes that can be seen independently of each other, where accesses of several sizes meet.
    let mut mixed: Vec<BTreeSet<u8>> = vec![BTreeSet::new(); at.size as usize];
    let mut is_mixed = false;
    let initial = recorder.initial(at);
    for (byte, &value) in mixed.iter_mut().zip(&initial) {
        byte.insert(value);
    }
    whole.insert(initial);
    for thread in 0..trace.threads() as u32 {
        for (place, value) in trace.events(thread).iter().flat_map(Action::writes) {
            if !place.overlaps(at) {
                continue;
            }
            let elisions = place.address <= at.address && at.end() <= place.end();
            is_mixed |= !elisions;
            let byte = |address: u64| {
                (place.address..place.end())
                    .contains(&address)
                    .then(|| value[(address - place.address) as usize])
            };
            for (offset, bytes) in mixed.iter_mut().enumerate() {
                bytes.extend(byte(at.address + offset as u64));
            }
            if elisions {
                whole.insert((at.address..at.end()).filter_map(byte).collect());
            }
        }
    }
    if !is_mixed {
        return Some(whole);
    }
    let mut all = vec![Value::new()];
    for bytes in mixed {
        if all.len() * bytes.len() > MOST_VALUES {
            return None;
        }
        all = all
            .iter()
            .flat_map(|start| {
                bytes.iter().map(move |&byte| {
                    let mut value = start.clone();
                    value.push(byte);
                    value
                })
            })
            .collect();
    }
    Some(all.into_iter().collect())
}

/// Everything that could have turned out differently; `None` if that is too much, or the time is over.
pub fn targets(recorder: &Recorder<'_>, over: &dyn Fn() -> bool) -> Option<Vec<Target>> {
    let mut all = Vec::new();
    for (thread, notes) in (0_u32..).zip(&recorder.notes) {
        for index in 0..notes.len() as u32 {
            if over() {
                return None;
            }
            let values = &mut |at| values(recorder, at);
            all.extend(targets_of(recorder, EventId::new(thread, index), values)?);
        }
    }
    Some(all)
}

/// How an event could have turned out differently, if places can hold these values.
pub fn targets_of(
    recorder: &Recorder<'_>,
    event: EventId,
    values: &mut dyn FnMut(Place) -> Option<BTreeSet<Value>>,
) -> Option<Vec<Target>> {
    let mut all = Vec::new();
    let note = &recorder.notes[event.thread as usize][event.index as usize];
    let Some(action) = recorder.trace.action(event) else { return Some(all) };
    let has_one_outcome = matches!(note.operation.kind, EventKind::FutexLock | EventKind::OnceDone);
    let mut push = |action: Action, fails| all.push(Target::new(event, Some(action), fails));
    match action {
        Action::Read { at, value } => {
            for other in values(*at)? {
                if note.pending || other != *value {
                    push(Action::Read { at: *at, value: other }, false);
                }
            }
        }
        // How the first bytes turn out of which it reads: what it does after that is not known.
        Action::Call { reads, writes, drains } => {
            let drains = *drains || !writes.is_empty();
            let mut before = 0;
            for (number, (at, value)) in reads.iter().enumerate() {
                for other in values(*at)?.into_iter().filter(|other| other != value) {
                    let same = value.iter().zip(&other).take_while(|(one, other)| one == other).count();
                    let mut reads = reads[..number].to_vec();
                    reads.push((*at, other));
                    let action = Some(Action::Call { reads, writes: Vec::new(), drains });
                    all.push(Target { event, action, fails: false, bytes: before + same + 1 });
                }
                before += at.size as usize;
            }
        }
        // It waits until there is only one thing that it can see.
        Action::Update { .. } if has_one_outcome && note.pending => push(action.clone(), false),
        Action::Update { .. } if has_one_outcome => {}
        Action::Update { at, read, .. } if note.operation.kind == EventKind::OnceEnter => {
            let running = Value::from_slice(&1_u32.to_le_bytes());
            for other in values(*at)?.into_iter().filter(|other| *other != running) {
                if note.pending || other != *read {
                    push(Action::Update { at: *at, read: other, written: None }, false);
                }
            }
        }
        Action::Wait { sees: Some((at, value)), .. } => {
            for other in values(*at)? {
                if other != *value {
                    push(Action::Update { at: *at, read: other, written: None }, false);
                }
            }
        }
        Action::Notify { queue, most, woken: Some(woken) } => {
            let waits =
                |action: &Action| matches!(action, Action::Wait { queue: other, .. } if other == queue);
            let threads = (0..recorder.notes.len() as u32)
                .filter(|&thread| thread != event.thread && recorder.trace.events(thread).iter().any(waits));
            let counts = 0..=(threads.count() as u32).min(*most);
            for other in counts.filter(|other| note.pending || other != woken) {
                push(Action::Notify { queue: *queue, most: *most, woken: Some(other) }, false);
            }
        }
        Action::Update { at, read, .. } => {
            for other in values(*at)? {
                if note.expects.as_ref() == Some(&other) {
                    push(Action::Update { at: *at, read: other.clone(), written: None }, true);
                }
                if note.pending || other != *read {
                    push(Action::Update { at: *at, read: other, written: None }, false);
                }
            }
            if note.weak {
                let read = read.clone();
                push(Action::Update { at: *at, read, written: None }, !note.spurious);
            }
        }
        Action::TryLock { .. }
        | Action::TryLockShared { .. }
        | Action::TryTake { .. }
        | Action::Arrive { .. } => {
            push(otherwise(action), false);
            if note.pending {
                push(action.clone(), false);
            }
        }
        Action::Wake { queue, lock, cause } if recorder.timed(*queue) => {
            let other = match cause {
                Cause::Notified => Cause::Expired,
                Cause::Expired => Cause::Notified,
            };
            push(Action::Wake { queue: *queue, lock: *lock, cause: other }, false);
            if note.pending {
                push(action.clone(), false);
            }
        }
        Action::Nothing if note.pending => all.push(Target::new(event, None, false)),
        action if note.pending => push(action.clone(), false),
        _ => {}
    }
    Some(all)
}

/// The other result of something that has two.
fn otherwise(action: &Action) -> Action {
    match *action {
        Action::TryLock { lock, taken } => Action::TryLock { lock, taken: !taken },
        Action::TryLockShared { lock, taken } => Action::TryLockShared { lock, taken: !taken },
        Action::TryTake { semaphore, taken } => Action::TryTake { semaphore, taken: !taken },
        Action::Arrive { barrier, last } => Action::Arrive { barrier, last: !last },
        _ => action.clone(),
    }
}

/// How many events of each thread.
pub type Frontier = Vec<u32>;

/// An order as something to follow.
pub fn acts(recorder: &Recorder<'_>, steps: &[Step], changed: Option<(EventId, bool)>) -> Vec<SeedStep> {
    let mut acts = Vec::new();
    for step in steps {
        match *step {
            Step::Event(event) => {
                let spurious = recorder.notes[event.thread as usize][event.index as usize].spurious;
                let fails = changed.map_or(spurious, |(target, fails)| match event == target {
                    true => fails,
                    false => spurious,
                });
                acts.push(SeedStep::Event { event, wakes: None, fails });
            }
            Step::Notified { thread } => {
                if let Some(SeedStep::Event { wakes, .. }) = acts.last_mut() {
                    *wakes = Some(thread);
                }
            }
            Step::Commit(event) => {
                if let Some(Action::Write { at, .. }) = recorder.trace.action(event) {
                    acts.push(SeedStep::Commit { thread: event.thread, address: at.address });
                }
            }
            Step::Expired(event) => acts.push(SeedStep::Timeout(event.thread)),
        }
    }
    acts
}
