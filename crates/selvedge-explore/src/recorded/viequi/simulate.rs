//! Recorded events, one after the other, under sequential consistency.

use crate::recorded::viequi::content::{Content, Effect, LocationId, ValueId};
use selvedge_order::EventId;
use smallvec::SmallVec;

/// What is wanted.
#[derive(Clone, Copy)]
pub struct Wish {
    /// The event that shall see something else.
    pub event: EventId,
    pub location: LocationId,
    pub token: ValueId,
    /// What it does then is not known: all other threads come before it.
    pub last: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Free,
    By(u32),
    /// For reading, by so many.
    Shared(u32),
}

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waits {
    No,
    /// A condition, until it is notified.
    For(u32),
    /// It was notified and has not gone on yet.
    Notified,
}

/// An event that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happened {
    pub event: EventId,
    /// The one of several threads that it woke.
    pub wakes: Option<u32>,
}

impl Happened {
    /// An event that wakes no thread, or all.
    pub fn plainly(event: EventId) -> Self {
        Happened { event, wakes: None }
    }
}

/// How far each thread has come, and what is where. Many of these states are made, most of them small.
#[derive(Clone)]
pub struct State {
    /// What each location holds.
    pub memory: SmallVec<[ValueId; 16]>,
    locks: SmallVec<[Held; 2]>,
    semaphores: SmallVec<[u32; 2]>,
    /// How many events each thread has done.
    pub done: SmallVec<[u32; 12]>,
    started: SmallVec<[bool; 16]>,
    /// What each thread waits for; empty where no thread ever does.
    waits: SmallVec<[Waits; 8]>,
}

impl State {
    /// Nothing has happened.
    pub fn new(content: &Content) -> Self {
        State {
            memory: content.initial.as_slice().into(),
            locks: SmallVec::from_elem(Held::Free, content.locks),
            semaphores: content.semaphores.as_slice().into(),
            done: SmallVec::from_elem(0, content.effects.len()),
            started: content.forks.iter().map(Option::is_none).collect(),
            waits: match content.queues {
                0 => SmallVec::new(),
                _ => SmallVec::from_elem(Waits::No, content.effects.len()),
            },
        }
    }

    /// Of the threads that wait for a condition, the one that went on first.
    fn to_be_woken(&self, content: &Content, queue: u32) -> Option<u32> {
        let waiting = (0_u32..).zip(&self.waits).filter(|(_, waits)| **waits == Waits::For(queue));
        let place = |thread: u32| {
            let next = self.done[thread as usize] as usize;
            content.places[thread as usize].get(next).copied().unwrap_or(u32::MAX)
        };
        waiting.map(|(thread, _)| thread).min_by_key(|&thread| place(thread))
    }

    /// Lets an event happen, if it is the next of its thread and can.
    pub fn happen(&mut self, content: &Content, event: EventId) -> Option<Happened> {
        let thread = event.thread as usize;
        if self.done[thread] != event.index || !self.started[thread] {
            return None;
        }
        let mut wakes = None;
        match content.effects[thread][event.index as usize] {
            Effect::Nothing | Effect::End => {}
            Effect::Read { location, sees } if self.memory[location as usize] == sees => {}
            Effect::Write { location, leaves } => self.memory[location as usize] = leaves,
            Effect::Update { location, sees, leaves } if self.memory[location as usize] == sees => {
                self.memory[location as usize] = leaves.unwrap_or(sees);
            }
            Effect::Lock(lock) | Effect::TryLock { lock, taken: true }
                if self.locks[lock as usize] == Held::Free =>
            {
                self.locks[lock as usize] = Held::By(event.thread);
            }
            Effect::TryLock { lock, taken: false } if self.locks[lock as usize] != Held::Free => {}
            Effect::Unlock(lock) if self.locks[lock as usize] == Held::By(event.thread) => {
                self.locks[lock as usize] = Held::Free;
            }
            Effect::LockShared(lock) | Effect::TryLockShared { lock, taken: true } => {
                let lock = &mut self.locks[lock as usize];
                *lock = match *lock {
                    Held::Free => Held::Shared(1),
                    Held::Shared(readers) => Held::Shared(readers + 1),
                    Held::By(_) => return None,
                };
            }
            Effect::TryLockShared { lock, taken: false }
                if matches!(self.locks[lock as usize], Held::By(_)) => {}
            Effect::UnlockShared(lock) => {
                let lock = &mut self.locks[lock as usize];
                *lock = match *lock {
                    Held::Shared(1) => Held::Free,
                    Held::Shared(readers) => Held::Shared(readers - 1),
                    Held::Free | Held::By(_) => return None,
                };
            }
            Effect::Post(semaphore) => self.semaphores[semaphore as usize] += 1,
            Effect::Take(semaphore) | Effect::TryTake { semaphore, taken: true }
                if self.semaphores[semaphore as usize] > 0 =>
            {
                self.semaphores[semaphore as usize] -= 1;
            }
            Effect::TryTake { semaphore, taken: false } if self.semaphores[semaphore as usize] == 0 => {}
            Effect::Wait { queue, lock } if self.locks[lock as usize] == Held::By(event.thread) => {
                self.locks[lock as usize] = Held::Free;
                self.waits[thread] = Waits::For(queue);
            }
            Effect::Wake { lock, .. }
                if self.waits[thread] == Waits::Notified && self.locks[lock as usize] == Held::Free =>
            {
                self.locks[lock as usize] = Held::By(event.thread);
                self.waits[thread] = Waits::No;
            }
            Effect::Notify { queue, most: 1 } => {
                wakes = self.to_be_woken(content, queue);
                if let Some(woken) = wakes {
                    self.waits[woken as usize] = Waits::Notified;
                }
            }
            // All of them; a notification that wakes some of many is none of a condition.
            Effect::Notify { queue, most: u32::MAX } => {
                let waiting = self.waits.iter_mut().filter(|waits| **waits == Waits::For(queue));
                waiting.for_each(|waits| *waits = Waits::Notified);
            }
            Effect::Fork(child) => self.started[child as usize] = true,
            Effect::Join(child) if self.has_ended(content, child) => {}
            _ => return None,
        }
        self.done[thread] += 1;
        Some(Happened { event, wakes })
    }

    fn has_ended(&self, content: &Content, thread: u32) -> bool {
        let done = self.done[thread as usize] as usize;
        let last = done.checked_sub(1).map(|last| content.effects[thread as usize][last]);
        last == Some(Effect::End)
    }

    /// Whether the wish can come true now.
    pub fn can_see(&self, wish: &Wish) -> bool {
        let thread = wish.event.thread as usize;
        self.started[thread]
            && self.done[thread] == wish.event.index
            && self.memory[wish.location as usize] == wish.token
    }
}

/// Events as they happen, one after the other.
pub struct Simulation<'c> {
    content: &'c Content,
    /// What came of them.
    pub state: State,
    pub order: Vec<Happened>,
}

impl<'c> Simulation<'c> {
    /// Nothing has happened.
    pub fn new(content: &'c Content) -> Self {
        let order = Vec::with_capacity(content.order.len());
        Simulation { content, state: State::new(content), order }
    }

    /// Lets an event happen, if it is the next of its thread and can.
    pub fn happen(&mut self, event: EventId) -> bool {
        let happens = self.state.happen(self.content, event);
        self.order.extend(happens);
        happens.is_some()
    }

    /// Lets the wish come true, if it can.
    pub fn fulfil(&mut self, wish: &Wish) -> bool {
        let can = self.state.can_see(wish);
        self.order.extend(can.then_some(Happened::plainly(wish.event)));
        can
    }

    /// Lets those of the events happen that are wanted, as far as they can; whether all did. The wish is fulfilled as
    /// soon as it can be, if that is wanted.
    pub fn go_on(
        &mut self,
        events: &[EventId],
        wanted: impl Fn(EventId) -> bool,
        mut wish: Option<(&Wish, &mut bool)>,
    ) -> bool {
        loop {
            let (mut left, mut acted) = (false, false);
            for &event in events {
                let done = self.state.done[event.thread as usize];
                if event.index < done || !wanted(event) {
                    continue;
                }
                if let Some((wish, fulfilled)) = &mut wish
                    && !**fulfilled
                {
                    **fulfilled = self.fulfil(wish);
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
