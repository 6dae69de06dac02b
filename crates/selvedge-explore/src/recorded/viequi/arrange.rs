//! Rearranges a recorded execution so that a read sees another value: quick, but it may fail where there is such an
//! order.
//!
//! The recorded order is kept as far as possible. What the read and a write of the value depend on comes first, then
//! the write, then the read, then the rest. The events are gone through with their values, so an order that is found is
//! one; where none is found, the solver is asked.

use crate::recorded::targets::Frontier;
use crate::recorded::viequi::content::{Content, Effect};
use crate::recorded::viequi::simulate::{Happened, Simulation, Wish};
use selvedge_order::EventId;

/// Writes that are tried for one value.
const MOST_WRITERS: usize = 4;

/// What came before each event, and what the events of an execution have to do with each other.
pub struct Pasts {
    /// For each event, how many events of each thread it comes after, itself among them.
    rows: Vec<Vec<Vec<u32>>>,
}

impl Pasts {
    /// By the recorded order: which event saw whose value, had a lock from which other, was notified, started and
    /// joined by which.
    pub fn new(content: &Content) -> Self {
        let threads = content.effects.len();
        let mut rows: Vec<Vec<Vec<u32>>> = vec![Vec::new(); threads];
        let mut last_write: Vec<Option<EventId>> = vec![None; content.initial.len()];
        let mut given_back: Vec<Option<EventId>> = vec![None; content.locks];
        let mut notified: Vec<Option<EventId>> = vec![None; content.queues];
        for &event in &content.order {
            let thread = event.thread as usize;
            let before = match event.index.checked_sub(1) {
                Some(before) => Some(EventId::new(event.thread, before)),
                None => content.forks[thread],
            };
            let row = |event: EventId| rows[event.thread as usize].get(event.index as usize);
            let mut own = before.and_then(row).cloned().unwrap_or_else(|| vec![0; threads]);
            let mut after = |event: Option<EventId>| {
                for (own, other) in own.iter_mut().zip(event.and_then(row).into_iter().flatten()) {
                    *own = (*own).max(*other);
                }
            };
            match content.effects[thread][event.index as usize] {
                Effect::Read { location, .. } => after(last_write[location as usize]),
                Effect::Write { location, .. } => last_write[location as usize] = Some(event),
                Effect::Update { location, leaves, .. } => {
                    after(last_write[location as usize]);
                    if leaves.is_some() {
                        last_write[location as usize] = Some(event);
                    }
                }
                Effect::Lock(lock) | Effect::TryLock { lock, .. } | Effect::LockShared(lock) => {
                    after(given_back[lock as usize]);
                }
                Effect::Unlock(lock) | Effect::UnlockShared(lock) | Effect::Wait { lock, .. } => {
                    given_back[lock as usize] = Some(event);
                }
                Effect::Wake { queue, lock } => {
                    after(given_back[lock as usize]);
                    after(notified[queue as usize]);
                }
                Effect::Notify { queue, .. } => notified[queue as usize] = Some(event),
                Effect::Join(child) => {
                    let last = content.effects[child as usize].len() as u32;
                    after(last.checked_sub(1).map(|last| EventId::new(child, last)));
                }
                _ => {}
            }
            own[thread] = event.index + 1;
            rows[thread].push(own);
        }
        Pasts { rows }
    }

    fn of(&self, event: EventId) -> Option<&Vec<u32>> {
        self.rows[event.thread as usize].get(event.index as usize)
    }

    /// What comes before an event, if it happens as soon as it can.
    fn before(&self, content: &Content, event: EventId) -> Option<Vec<u32>> {
        let last = match event.index.checked_sub(1) {
            Some(before) => Some(EventId::new(event.thread, before)),
            None => content.forks[event.thread as usize],
        };
        match last {
            Some(last) => self.of(last).cloned(),
            None => Some(vec![0; content.effects.len()]),
        }
    }
}

/// An order of all events within limits in which a wish comes true.
pub fn arrange(
    content: &Content,
    pasts: &mut Option<Pasts>,
    events: &[EventId],
    limits: &Frontier,
    wish: &Wish,
) -> Option<Vec<Happened>> {
    if content.mixed {
        return None;
    }
    match wish.last {
        true => at_the_end(content, events, wish),
        false => in_between(content, pasts, events, limits, wish),
    }
}

/// All others first. One of the writes of the value is put off.
fn at_the_end(content: &Content, events: &[EventId], wish: &Wish) -> Option<Vec<Happened>> {
    let writers = content.writers[wish.token as usize].iter().rev().copied().map(Some);
    for put_off in [None].into_iter().chain(writers.take(MOST_WRITERS)) {
        let mut simulation = Simulation::new(content);
        let early = |event: EventId| {
            put_off.is_none_or(|late: EventId| event.thread != late.thread || event.index < late.index)
        };
        simulation.go_on(events, early, None);
        if simulation.go_on(events, |_| true, None) && simulation.fulfil(wish) {
            return Some(simulation.order);
        }
    }
    None
}

fn in_between(
    content: &Content,
    pasts: &mut Option<Pasts>,
    events: &[EventId],
    limits: &Frontier,
    wish: &Wish,
) -> Option<Vec<Happened>> {
    let finish = |mut simulation: Simulation<'_>, mut fulfilled: bool| {
        let all = simulation.go_on(events, |_| true, Some((wish, &mut fulfilled)));
        fulfilled = fulfilled || simulation.fulfil(wish);
        (all && fulfilled).then_some(simulation.order)
    };
    if let Some(order) = finish(Simulation::new(content), false) {
        return Some(order);
    }
    // Events that would destroy the value wait for the event.
    let place = |event: EventId| content.places[event.thread as usize][event.index as usize];
    let initial = (content.initial[wish.location as usize] == wish.token).then_some(None);
    let writers = content.writers[wish.token as usize].iter().rev().take(MOST_WRITERS).copied().map(Some);
    for writer in initial.into_iter().chain(writers) {
        let destroys = |event: EventId| {
            let leaves = match content.effects[event.thread as usize][event.index as usize] {
                Effect::Write { location, leaves }
                | Effect::Update { location, leaves: Some(leaves), .. }
                    if location == wish.location =>
                {
                    leaves
                }
                _ => return false,
            };
            leaves != wish.token && writer.is_none_or(|writer| place(event) > place(writer))
        };
        let (mut simulation, mut fulfilled) = (Simulation::new(content), false);
        simulation.go_on(events, |event| !destroys(event), Some((wish, &mut fulfilled)));
        fulfilled = fulfilled || simulation.fulfil(wish);
        if fulfilled && let Some(order) = finish(simulation, fulfilled) {
            return Some(order);
        }
    }
    let pasts = pasts.get_or_insert_with(|| Pasts::new(content));
    let own = pasts.before(content, wish.event)?;
    let writers = content.writers[wish.token as usize].iter().rev();
    let writers = writers.copied().filter(|writer| writer.index < limits[writer.thread as usize]).map(Some);
    for writer in [None].into_iter().chain(writers.take(MOST_WRITERS)) {
        let mut first = own.clone();
        if let Some(past) = writer.and_then(|writer| pasts.of(writer)) {
            first.iter_mut().zip(past).for_each(|(own, other)| *own = (*own).max(*other));
        }
        if first[wish.event.thread as usize] > wish.event.index {
            continue;
        }
        let mut simulation = Simulation::new(content);
        let mut fulfilled = false;
        // The write comes as late as it can.
        let late = |event: EventId| {
            writer.is_some_and(|writer| event.thread == writer.thread && event.index >= writer.index)
        };
        let wanted = |event: EventId| event.index < first[event.thread as usize];
        let early = |event: EventId| wanted(event) && !late(event);
        simulation.go_on(events, early, Some((wish, &mut fulfilled)));
        if let Some(writer) = writer {
            simulation.happen(writer);
        }
        simulation.go_on(events, wanted, Some((wish, &mut fulfilled)));
        fulfilled = fulfilled || simulation.fulfil(wish);
        if fulfilled && let Some(order) = finish(simulation, fulfilled) {
            return Some(order);
        }
    }
    None
}
