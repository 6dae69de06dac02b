//! What must have come before an event, and when that excludes a value: a quick proof that no order exists.

use crate::recorded::targets::Frontier;
use crate::recorded::viequi::content::{Content, Effect, LocationId, ValueId};
use selvedge_order::EventId;

/// How far each thread must have come before an event, if its thread does before it what it did.
pub struct Forced {
    event: EventId,
    /// What must have come before.
    before: Frontier,
    /// How far each thread must have come before each of the events of the thread itself.
    steps: Vec<(u32, u32, u32)>,
    /// That cannot be: it would need more than there can be.
    pub impossible: bool,
}

impl Forced {
    /// Follows values that only one event can have brought, starts and ends.
    pub fn new(content: &Content, event: EventId, limits: &Frontier) -> Self {
        let mut forced =
            Forced { event, before: vec![0; limits.len()], steps: Vec::new(), impossible: false };
        let mut work = Vec::new();
        if event.index == 0 {
            forced.require_start(content, event.thread, 0, limits, &mut work);
        }
        for index in 0..event.index {
            forced.require(event.thread, index + 1, index, limits, &mut work);
            while let Some((thread, from)) = work.pop() {
                for at in from..forced.before[thread as usize] {
                    if at == 0 {
                        forced.require_start(content, thread, index, limits, &mut work);
                    }
                    match content.effects[thread as usize][at as usize] {
                        Effect::Read { location, sees } | Effect::Update { location, sees, .. } => {
                            if let Some(writer) = content.only_writer(location, sees, limits) {
                                forced.require(writer.thread, writer.index + 1, index, limits, &mut work);
                            }
                        }
                        Effect::Join(child) => {
                            let all = content.effects[child as usize].len() as u32;
                            forced.require(child, all, index, limits, &mut work);
                        }
                        _ => {}
                    }
                }
            }
        }
        forced
    }

    fn require_start(
        &mut self,
        content: &Content,
        thread: u32,
        step: u32,
        limits: &Frontier,
        work: &mut Vec<(u32, u32)>,
    ) {
        if let Some(fork) = content.forks[thread as usize] {
            self.require(fork.thread, fork.index + 1, step, limits, work);
        }
    }

    /// A thread must have come so far before this event of the thread itself.
    fn require(&mut self, thread: u32, count: u32, step: u32, limits: &Frontier, work: &mut Vec<(u32, u32)>) {
        let before = self.before[thread as usize];
        if count > before {
            let own = thread == self.event.thread;
            self.impossible |= count > limits[thread as usize] || own && count > step + 1;
            self.before[thread as usize] = count.min(limits[thread as usize]);
            work.push((thread, before));
            self.steps.push((step, thread, count));
        }
    }

    /// Whether an event must have come before one of the thread itself.
    fn precedes(&self, event: EventId, step: u32) -> bool {
        if event.thread == self.event.thread {
            return event.index < step;
        }
        let mut steps = self.steps.iter().take_while(|(at, _, _)| *at <= step);
        steps.any(|&(_, thread, count)| thread == event.thread && count > event.index)
    }

    /// Whether the event cannot see a value, whatever else happens. Without buffers more is known.
    pub fn forbids(
        &self,
        content: &Content,
        location: LocationId,
        token: ValueId,
        limits: &Frontier,
        buffers: bool,
    ) -> bool {
        if self.impossible {
            return true;
        }
        if content.mixed {
            return false;
        }
        // Events that have seen or left something else, and surely came before.
        let others: Vec<EventId> = content
            .events_at(location)
            .iter()
            .copied()
            .filter(|event| event.index < self.before[event.thread as usize])
            .filter(|event| !buffers || event.thread == self.event.thread)
            .filter(|event| match content.effects[event.thread as usize][event.index as usize] {
                Effect::Read { sees, .. } => sees != token,
                Effect::Write { leaves, .. } => leaves != token,
                Effect::Update { sees, leaves, .. } => {
                    sees != token || leaves.is_some_and(|leaves| leaves != token)
                }
                _ => false,
            })
            .collect();
        if content.initial[location as usize] == token && others.is_empty() {
            return false;
        }
        let own = self.event.thread;
        content.writers[token as usize].iter().all(|&writer| {
            writer.index >= limits[writer.thread as usize]
                || others.iter().any(|other| {
                    // An update that needs another value and leaves this one has not destroyed it.
                    *other != writer
                        && match other.thread == writer.thread {
                            true => other.index > writer.index,
                            false => !buffers && other.thread == own && self.precedes(writer, other.index),
                        }
                })
        })
    }

    /// Takes back limits of threads that would destroy a value that only one event brings, if all must come before the
    /// event that is to see it. Only without buffers.
    pub fn spare(
        content: &Content,
        event: EventId,
        location: LocationId,
        token: ValueId,
        limits: &mut Frontier,
    ) {
        if content.mixed {
            return;
        }
        let initial = content.initial[location as usize] == token;
        let mut writers = content.writers[token as usize]
            .iter()
            .filter(|writer| writer.index < limits[writer.thread as usize]);
        let (first, second) = (writers.next().copied(), writers.next());
        if second.is_some() || initial == first.is_some() {
            return;
        }
        for &other in content.events_at(location) {
            let destroys = match content.effects[other.thread as usize][other.index as usize] {
                Effect::Write { leaves, .. } if leaves != token => {
                    first.is_none_or(|writer| other.thread == writer.thread && other.index > writer.index)
                }
                Effect::Update { sees, leaves: Some(leaves), .. } if leaves != token => {
                    sees == token
                        || first
                            .is_none_or(|writer| other.thread == writer.thread && other.index > writer.index)
                }
                _ => false,
            };
            if destroys && other.thread != event.thread {
                let limit = &mut limits[other.thread as usize];
                *limit = other.index.min(*limit);
            }
        }
    }

    /// Takes back limits of threads that would have to see what a location begins with before the event, although they
    /// have themselves overwritten by then what the event is to see, which is what its location begins with. Only
    /// without buffers.
    pub fn hurry(&self, content: &Content, location: LocationId, token: ValueId, limits: &mut Frontier) {
        let only_initial = |location: LocationId, limits: &Frontier| {
            let token = content.initial[location as usize];
            content.writers[token as usize]
                .iter()
                .all(|writer| writer.index >= limits[writer.thread as usize])
        };
        if content.mixed || content.initial[location as usize] != token || !only_initial(location, limits) {
            return;
        }
        let effect = |event: EventId| content.effects[event.thread as usize][event.index as usize];
        let mut spoilt = vec![u32::MAX; limits.len()];
        for &event in content.events_at(location) {
            let other = match effect(event) {
                Effect::Read { sees, .. } => sees != token,
                Effect::Write { leaves, .. } => leaves != token,
                Effect::Update { sees, leaves, .. } => {
                    sees != token || leaves.is_some_and(|leaves| leaves != token)
                }
                _ => false,
            };
            if other && event.thread != self.event.thread {
                let first = &mut spoilt[event.thread as usize];
                *first = event.index.min(*first);
            }
        }
        for (place, events) in (0..).zip(content.locations()) {
            let initial = content.initial[place as usize];
            let overwritten = events.iter().any(|&event| {
                event.index < self.before[event.thread as usize]
                    && match effect(event) {
                        Effect::Write { leaves, .. } | Effect::Update { leaves: Some(leaves), .. } => {
                            leaves != initial
                        }
                        _ => false,
                    }
            });
            if !overwritten || !only_initial(place, limits) {
                continue;
            }
            for &event in events {
                let sees = matches!(effect(event), Effect::Read { sees, .. } | Effect::Update { sees, .. } if sees == initial);
                if sees && spoilt[event.thread as usize] < event.index {
                    let limit = &mut limits[event.thread as usize];
                    *limit = event.index.min(*limit);
                }
            }
        }
    }
}
