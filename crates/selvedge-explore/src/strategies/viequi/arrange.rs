//! Rearranges what happened so that a read sees another value: the quick way, which may fail where there is one.
//!
//! The recorded order is kept as far as possible. What the read and a write of the value depend on comes first, then
//! the write, then the read, then the rest. The events are gone through with their values, so an order that is found
//! is one; where none is found, the solver is asked.

use super::content::{Content, Deed, Spot, Token};
use crate::strategies::mcr::targets::Frontier;
use selvedge_solve::EventId;

/// Writes that are tried for one value.
const MOST_WRITERS: usize = 4;

/// What is wanted.
#[derive(Clone, Copy)]
pub struct Wish {
    /// The event that shall see something else.
    pub event: EventId,
    /// Where.
    pub spot: Spot,
    /// What.
    pub token: Token,
    /// What it does then is not known: everybody else comes before it.
    pub last: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Free,
    By(u32),
    /// For reading, by so many.
    Shared(u32),
}

/// Events as they happen.
struct Simulation<'c> {
    content: &'c Content,
    memory: Vec<Token>,
    locks: Vec<Held>,
    semaphores: Vec<u32>,
    done: Vec<u32>,
    started: Vec<bool>,
    order: Vec<EventId>,
}

impl<'c> Simulation<'c> {
    fn new(content: &'c Content) -> Self {
        Simulation {
            content,
            memory: content.initial.clone(),
            locks: vec![Held::Free; content.locks],
            semaphores: content.semaphores.clone(),
            done: vec![0; content.deeds.len()],
            started: content.forks.iter().map(Option::is_none).collect(),
            order: Vec::with_capacity(content.order.len()),
        }
    }

    /// Lets an event happen, if it is the next of its thread and can.
    fn happen(&mut self, event: EventId) -> bool {
        let thread = event.thread as usize;
        if self.done[thread] != event.index || !self.started[thread] {
            return false;
        }
        match self.content.deeds[thread][event.index as usize] {
            Deed::Nothing | Deed::End => {}
            Deed::Read { spot, sees } if self.memory[spot as usize] == sees => {}
            Deed::Write { spot, leaves } => self.memory[spot as usize] = leaves,
            Deed::Update { spot, sees, leaves } if self.memory[spot as usize] == sees => {
                self.memory[spot as usize] = leaves.unwrap_or(sees);
            }
            Deed::Lock(lock) | Deed::TryLock { lock, taken: true }
                if self.locks[lock as usize] == Held::Free =>
            {
                self.locks[lock as usize] = Held::By(event.thread);
            }
            Deed::TryLock { lock, taken: false } if self.locks[lock as usize] != Held::Free => {}
            Deed::Unlock(lock) if self.locks[lock as usize] == Held::By(event.thread) => {
                self.locks[lock as usize] = Held::Free;
            }
            Deed::LockShared(lock) | Deed::TryLockShared { lock, taken: true } => {
                let lock = &mut self.locks[lock as usize];
                *lock = match *lock {
                    Held::Free => Held::Shared(1),
                    Held::Shared(readers) => Held::Shared(readers + 1),
                    Held::By(_) => return false,
                };
            }
            Deed::TryLockShared { lock, taken: false }
                if matches!(self.locks[lock as usize], Held::By(_)) => {}
            Deed::UnlockShared(lock) => {
                let lock = &mut self.locks[lock as usize];
                *lock = match *lock {
                    Held::Shared(1) => Held::Free,
                    Held::Shared(readers) => Held::Shared(readers - 1),
                    Held::Free | Held::By(_) => return false,
                };
            }
            Deed::Post(semaphore) => self.semaphores[semaphore as usize] += 1,
            Deed::Take(semaphore) | Deed::TryTake { semaphore, taken: true }
                if self.semaphores[semaphore as usize] > 0 =>
            {
                self.semaphores[semaphore as usize] -= 1;
            }
            Deed::TryTake { semaphore, taken: false } if self.semaphores[semaphore as usize] == 0 => {}
            Deed::Fork(child) => self.started[child as usize] = true,
            Deed::Join(child) if self.has_ended(child) => {}
            _ => return false,
        }
        self.done[thread] += 1;
        self.order.push(event);
        true
    }

    fn has_ended(&self, thread: u32) -> bool {
        let done = self.done[thread as usize] as usize;
        let last = done.checked_sub(1).map(|last| self.content.deeds[thread as usize][last]);
        last == Some(Deed::End)
    }

    fn can_see(&self, wish: &Wish) -> bool {
        let thread = wish.event.thread as usize;
        self.started[thread]
            && self.done[thread] == wish.event.index
            && self.memory[wish.spot as usize] == wish.token
    }

    /// Lets those of the events happen that are wanted, as far as they can; whether all did. The wish is fulfilled as
    /// soon as it can be, if that is wanted.
    fn go_on(
        &mut self,
        events: &[EventId],
        wanted: impl Fn(EventId) -> bool,
        mut wish: Option<(&Wish, &mut bool)>,
    ) -> bool {
        loop {
            let (mut left, mut acted) = (false, false);
            for &event in events {
                let done = self.done[event.thread as usize];
                if event.index < done || !wanted(event) {
                    continue;
                }
                if let Some((wish, fulfilled)) = &mut wish
                    && !**fulfilled
                    && self.can_see(wish)
                {
                    self.order.push(wish.event);
                    **fulfilled = true;
                }
                match self.happen(event) {
                    true => acted = true,
                    false => left = true,
                }
            }
            if !left || !acted {
                return !left;
            }
        }
    }
}

/// What came before each event, and what the events of an execution have to do with each other.
pub struct Pasts {
    /// For each event, how many events of each thread it comes after, itself among them.
    rows: Vec<Vec<Vec<u32>>>,
}

impl Pasts {
    /// By the recorded order: who saw whose value, who had a lock from whom, who was started and joined by whom.
    pub fn new(content: &Content) -> Self {
        let threads = content.deeds.len();
        let mut rows: Vec<Vec<Vec<u32>>> = vec![Vec::new(); threads];
        let mut last_write: Vec<Option<EventId>> = vec![None; content.initial.len()];
        let mut given_back: Vec<Option<EventId>> = vec![None; content.locks];
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
            match content.deeds[thread][event.index as usize] {
                Deed::Read { spot, .. } => after(last_write[spot as usize]),
                Deed::Write { spot, .. } => last_write[spot as usize] = Some(event),
                Deed::Update { spot, leaves, .. } => {
                    after(last_write[spot as usize]);
                    if leaves.is_some() {
                        last_write[spot as usize] = Some(event);
                    }
                }
                Deed::Lock(lock) | Deed::TryLock { lock, .. } | Deed::LockShared(lock) => {
                    after(given_back[lock as usize]);
                }
                Deed::Unlock(lock) | Deed::UnlockShared(lock) => given_back[lock as usize] = Some(event),
                Deed::Join(child) => {
                    let last = content.deeds[child as usize].len() as u32;
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
            None => Some(vec![0; content.deeds.len()]),
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
) -> Option<Vec<EventId>> {
    if content.mixed {
        return None;
    }
    match wish.last {
        true => at_the_end(content, events, wish),
        false => in_between(content, pasts, events, limits, wish),
    }
}

/// All others first. One of the writes of the value is put off.
fn at_the_end(content: &Content, events: &[EventId], wish: &Wish) -> Option<Vec<EventId>> {
    let writers = content.writers[wish.token as usize].iter().rev().copied().map(Some);
    for put_off in [None].into_iter().chain(writers.take(MOST_WRITERS)) {
        let mut simulation = Simulation::new(content);
        let early = |event: EventId| {
            put_off.is_none_or(|late: EventId| event.thread != late.thread || event.index < late.index)
        };
        simulation.go_on(events, early, None);
        if simulation.go_on(events, |_| true, None) && simulation.can_see(wish) {
            simulation.order.push(wish.event);
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
) -> Option<Vec<EventId>> {
    let finish = |mut simulation: Simulation<'_>, mut fulfilled: bool| {
        let all = simulation.go_on(events, |_| true, Some((wish, &mut fulfilled)));
        if !fulfilled && simulation.can_see(wish) {
            simulation.order.push(wish.event);
            fulfilled = true;
        }
        (all && fulfilled).then_some(simulation.order)
    };
    if let Some(order) = finish(Simulation::new(content), false) {
        return Some(order);
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
        if !fulfilled && simulation.can_see(wish) {
            simulation.order.push(wish.event);
            fulfilled = true;
        }
        if fulfilled && let Some(order) = finish(simulation, fulfilled) {
            return Some(order);
        }
    }
    None
}
