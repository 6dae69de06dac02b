//! Random traces and queries about them, for tests, fuzzing and figures.
//!
//! A trace is made by executing a random program under a random schedule, so it is one that can happen. Queries mostly
//! ask for another outcome of something that was read, so that both answers are frequent.

use crate::numbers::Numbers;
use selvedge_order::{Action, Cause, EventId, Place, Query, Simulation, Trace};
use selvedge_trace::{MemoryOrder, Model, Value};
use std::collections::VecDeque;

/// How large a random trace is.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// How many threads.
    pub threads: usize,
    /// How many events at most.
    pub events: usize,
    /// How many variables.
    pub variables: usize,
    /// How many values a variable can have.
    pub values: usize,
    /// Only reads, writes, updates, calls, fences and mutexes.
    pub plain: bool,
}

const LOCK: u64 = 0x100;
const CONDITION: u64 = 0x200;
const FUTEX: u64 = 0x300;
const SEMAPHORE: u64 = 0x400;
const BARRIER: u64 = 0x500;
const SHARED: u64 = 0x600;

#[derive(Clone, Debug)]
enum Do {
    Act(Action),
    Read(Place),
    Add(Place),
    CompareExchange(Place, Value, Value),
    TryLock(u64),
    TryLockShared,
    TryTake,
    Wait {
        lock: u64,
        timed: bool,
    },
    FutexWait(Place, Value),
    Wake {
        queue: u64,
        lock: Option<u64>,
        timed: bool,
    },
    Notify {
        queue: u64,
        most: u32,
        counted: bool,
    },
    Barrier,
    /// Several places at once: what it reads, and what it does with that.
    Call(Vec<Place>, Calls),
}

/// What a call does with several places.
#[derive(Clone, Copy, Debug)]
enum Calls {
    /// Looks, and lets stores wait or not.
    Look { drains: bool },
    /// Stores what it saw first where it saw the last thing.
    Copy,
    /// Exchanges the first and the last.
    Exchange,
    /// Stores this everywhere, and looks at nothing.
    Fill(usize),
}

fn word(number: usize) -> Value {
    Value::from_slice(&(number as u16).to_le_bytes())
}

impl Shape {
    fn place(&self, numbers: &mut Numbers) -> Place {
        Place::new(2 * numbers.below(self.variables) as u64, 2)
    }

    fn access(&self, numbers: &mut Numbers) -> Do {
        let at = self.place(numbers);
        let value = word(numbers.below(self.values));
        let wide = Place::new(0, 4);
        let is_wide = self.variables > 1 && numbers.once_in(12);
        if self.variables > 1 && numbers.once_in(6) {
            return self.call(numbers);
        }
        match numbers.below(12) {
            0..=4 => Do::Read(if is_wide { wide } else { at }),
            5..=8 => {
                use MemoryOrder::{NotAtomic, Relaxed, Release, SeqCst};
                let order = numbers.one_of(&[NotAtomic, Relaxed, Relaxed, Relaxed, Release, SeqCst]);
                let (at, value) = match is_wide {
                    true => (wide, [word(numbers.below(self.values)), value].concat().into()),
                    false => (at, value),
                };
                Do::Act(Action::Write { at, value, order })
            }
            9 => Do::Add(at),
            10 => Do::CompareExchange(at, value, word(numbers.below(self.values))),
            _ => {
                let order =
                    numbers.one_of(&[MemoryOrder::SeqCst, MemoryOrder::Release, MemoryOrder::Acquire]);
                Do::Act(Action::Fence { order })
            }
        }
    }

    /// A call that accesses two or three places, of one or two sizes.
    fn call(&self, numbers: &mut Numbers) -> Do {
        let mut places: Vec<Place> =
            (0..self.variables as u64).map(|place| Place::new(2 * place, 2)).collect();
        while places.len() > 2 && !numbers.once_in(3) {
            places.remove(numbers.below(places.len()));
        }
        if numbers.once_in(2) {
            places.reverse();
        }
        let calls = match numbers.below(6) {
            0 | 1 => Calls::Look { drains: numbers.once_in(3) },
            2 | 3 => Calls::Copy,
            4 => Calls::Exchange,
            _ => Calls::Fill(numbers.below(self.values)),
        };
        Do::Call(places, calls)
    }

    /// A few things that belong together.
    fn piece(&self, numbers: &mut Numbers, into: &mut VecDeque<Do>) {
        let lock = LOCK + numbers.below(2) as u64;
        let some = |numbers: &mut Numbers, into: &mut VecDeque<Do>| {
            for _ in 0..numbers.below(3) {
                into.push_back(self.access(numbers));
            }
        };
        match numbers.below(if self.plain { 10 } else { 20 }) {
            0..=6 => into.push_back(self.access(numbers)),
            7..=9 => {
                into.push_back(Do::Act(Action::Lock { lock }));
                some(numbers, into);
                into.push_back(Do::Act(Action::Unlock { lock }));
            }
            10 => into.push_back(Do::TryLock(lock)),
            11 | 12 => {
                into.push_back(Do::Act(Action::Lock { lock: LOCK }));
                into.push_back(Do::Wait { lock: LOCK, timed: numbers.once_in(3) });
                some(numbers, into);
                into.push_back(Do::Act(Action::Unlock { lock: LOCK }));
            }
            13 => {
                let most = numbers.one_of(&[1, 1, u32::MAX]);
                into.push_back(Do::Notify { queue: CONDITION, most, counted: false });
            }
            14 => into.push_back(Do::Act(Action::Post { semaphore: SEMAPHORE })),
            15 => match numbers.once_in(2) {
                true => into.push_back(Do::Act(Action::Take { semaphore: SEMAPHORE })),
                false => into.push_back(Do::TryTake),
            },
            16 => {
                let at = self.place(numbers);
                into.push_back(Do::FutexWait(at, word(numbers.below(self.values))));
            }
            17 => {
                let most = numbers.one_of(&[1, 2, u32::MAX]);
                into.push_back(Do::Notify { queue: FUTEX, most, counted: true });
            }
            18 => match numbers.below(3) {
                0 => {
                    into.push_back(Do::Act(Action::Lock { lock: SHARED }));
                    some(numbers, into);
                    into.push_back(Do::Act(Action::Unlock { lock: SHARED }));
                }
                1 => {
                    into.push_back(Do::Act(Action::LockShared { lock: SHARED }));
                    some(numbers, into);
                    into.push_back(Do::Act(Action::UnlockShared { lock: SHARED }));
                }
                _ => into.push_back(if numbers.once_in(2) { Do::TryLock(SHARED) } else { Do::TryLockShared }),
            },
            _ => into.push_back(Do::Barrier),
        }
    }

    /// A random trace.
    pub fn trace(&self, model: Model, numbers: &mut Numbers) -> Trace {
        let mut programs: Vec<VecDeque<Do>> = vec![VecDeque::new(); self.threads];
        let mut total = 0;
        while total < self.events {
            let program = &mut programs[numbers.below(self.threads)];
            let before = program.len();
            self.piece(numbers, program);
            total += program.len() - before;
        }
        let mut trace = Trace::of_threads(self.threads);
        trace.semaphore(SEMAPHORE, numbers.below(2) as u32);
        trace.barrier(BARRIER, 1 + numbers.below(self.threads) as u32);
        if numbers.once_in(2) {
            trace.initial(0, &word(numbers.below(self.values)));
        }
        let forks = numbers.once_in(2);
        for thread in (1..self.threads).filter(|_| forks) {
            let number = thread as u32;
            let place = numbers.below(programs[0].len().min(3) + 1);
            programs[0].insert(place, Do::Act(Action::Fork { thread: number }));
            programs[thread].push_back(Do::Act(Action::End));
            if numbers.once_in(2) {
                programs[0].push_back(Do::Act(Action::Join { thread: number }));
            }
        }
        let forked: Vec<bool> = (0..self.threads).map(|thread| forks && thread > 0).collect();
        let most = if numbers.once_in(3) { 1 + numbers.below(self.events) } else { usize::MAX };
        let mut run = Run { model, state: Simulation::with_forked(&trace, &forked), trace, programs };
        run.execute(most, numbers);
        run.trace.cut_calls();
        run.trace
    }
}

struct Run {
    model: Model,
    state: Simulation,
    trace: Trace,
    programs: Vec<VecDeque<Do>>,
}

impl Run {
    fn execute(&mut self, most: usize, numbers: &mut Numbers) {
        let threads = self.programs.len();
        let (mut steps, mut failures) = (0, 0);
        while steps < most && failures < 8 * threads {
            let commits = self.state.commits(self.model);
            if !commits.is_empty() && numbers.once_in(3) {
                let event = numbers.one_of(&commits);
                self.state.commit(event);
                self.trace.commit(event);
                failures = 0;
                continue;
            }
            match self.step(numbers.below(threads) as u32, numbers) {
                true => (steps, failures) = (steps + 1, 0),
                false => failures += 1,
            }
        }
    }

    /// A thread's next action, if it can do anything.
    fn step(&mut self, thread: u32, numbers: &mut Numbers) -> bool {
        let Some(next) = self.programs[thread as usize].front().cloned() else { return false };
        let seen = |at: Place| self.state.visible(thread, at);
        let outcomes = match next {
            Do::Act(action) => vec![action],
            Do::Read(at) => vec![Action::Read { at, value: seen(at) }],
            Do::Add(at) => {
                let read = seen(at);
                let written = Some(word((usize::from(read[0]) + 1) % 3));
                vec![Action::Update { at, read, written }]
            }
            Do::CompareExchange(at, expected, new) => {
                let read = seen(at);
                let written = (read == expected).then_some(new);
                vec![Action::Update { at, read, written }]
            }
            Do::TryLock(lock) => [true, false].map(|taken| Action::TryLock { lock, taken }).to_vec(),
            Do::TryLockShared => {
                [true, false].map(|taken| Action::TryLockShared { lock: SHARED, taken }).to_vec()
            }
            Do::TryTake => {
                [true, false].map(|taken| Action::TryTake { semaphore: SEMAPHORE, taken }).to_vec()
            }
            Do::Wait { lock, .. } => vec![Action::Wait { queue: CONDITION, lock: Some(lock), sees: None }],
            Do::FutexWait(at, value) => match seen(at) == value {
                true => vec![Action::Wait { queue: FUTEX, lock: None, sees: Some((at, value)) }],
                false => vec![Action::Update { at, read: seen(at), written: None }],
            },
            Do::Wake { queue, lock, timed } => {
                let mut outcomes = vec![Action::Wake { queue, lock, cause: Cause::Notified }];
                if timed && numbers.once_in(4) {
                    outcomes.push(Action::Wake { queue, lock, cause: Cause::Expired });
                }
                outcomes
            }
            Do::Notify { queue, most, .. } => vec![Action::Notify { queue, most, woken: None }],
            Do::Call(places, calls) => vec![perform_call(&places, calls, seen)],
            Do::Barrier => [false, true].map(|last| Action::Arrive { barrier: BARRIER, last }).to_vec(),
        };
        let possible = |action: &Action| self.state.possible(&self.trace, thread, action, false);
        let Some(action) = outcomes.into_iter().find(possible) else { return false };
        self.perform(thread, action, numbers);
        true
    }

    fn perform(&mut self, thread: u32, mut action: Action, numbers: &mut Numbers) {
        let mut woken = self.state.wakes(&action, |_| false);
        let woken = woken.swap_remove(numbers.below(woken.len()));
        let program = &mut self.programs[thread as usize];
        let done = program.pop_front();
        let follow = match (&action, &done) {
            (Action::Wait { queue, lock, .. }, Some(Do::Wait { timed, .. })) => {
                Some(Do::Wake { queue: *queue, lock: *lock, timed: *timed })
            }
            (Action::Wait { queue, lock, .. }, _) => {
                Some(Do::Wake { queue: *queue, lock: *lock, timed: numbers.once_in(3) })
            }
            (Action::Arrive { last: false, barrier }, _) => {
                Some(Do::Act(Action::Leave { barrier: *barrier }))
            }
            (Action::TryLock { lock, taken: true }, _) => Some(Do::Act(Action::Unlock { lock: *lock })),
            (Action::TryLockShared { lock, taken: true }, _) => {
                Some(Do::Act(Action::UnlockShared { lock: *lock }))
            }
            _ => None,
        };
        if let Some(follow) = follow {
            program.push_front(follow);
        }
        if let (Action::Notify { woken: count, .. }, Some(Do::Notify { counted: true, .. })) =
            (&mut action, done)
        {
            *count = Some(woken.len() as u32);
        }
        self.state.perform(self.model, thread, &action, &woken);
        self.trace.push(thread, action);
    }
}

fn perform_call(places: &[Place], calls: Calls, seen: impl Fn(Place) -> Value) -> Action {
    let (first, last) = (places[0], places[places.len() - 1]);
    let (reads, writes, drains) = match calls {
        Calls::Look { drains } => (places, Vec::new(), drains),
        Calls::Copy => (&places[..places.len() - 1], vec![(last, seen(first))], false),
        Calls::Exchange => (places, vec![(first, seen(last)), (last, seen(first))], false),
        Calls::Fill(value) => (&[][..], places.iter().map(|&at| (at, word(value))).collect(), false),
    };
    let reads = reads.iter().map(|&at| (at, seen(at))).collect();
    Action::Call { reads, writes, drains }
}

/// Some event of a trace, if it has any.
fn event(trace: &Trace, numbers: &mut Numbers) -> Option<EventId> {
    let threads = (0..trace.threads() as u32).filter(|&thread| !trace.events(thread).is_empty());
    let threads: Vec<u32> = threads.collect();
    let thread = (!threads.is_empty()).then(|| numbers.one_of(&threads))?;
    Some(EventId::new(thread, numbers.below(trace.events(thread).len()) as u32))
}

/// Another outcome of an event, if it can have one.
fn other_outcome(action: &Action, values: usize, numbers: &mut Numbers) -> Option<Action> {
    let value = |size: u32, numbers: &mut Numbers| -> Value {
        (0..size / 2).flat_map(|_| word(numbers.below(values))).collect()
    };
    Some(match action {
        Action::Read { at, .. } => Action::Read { at: *at, value: value(at.size, numbers) },
        Action::Update { at, .. } => {
            let written = (!numbers.once_in(3)).then(|| value(at.size, numbers));
            Action::Update { at: *at, read: value(at.size, numbers), written }
        }
        recorded @ Action::Call { reads, writes, .. } if !reads.is_empty() => {
            let mut reads = reads[..1 + numbers.below(reads.len())].to_vec();
            if let Some((at, last)) = reads.last_mut() {
                *last = value(at.size, numbers);
            }
            let mut writes = writes.clone();
            writes.retain(|_| !numbers.once_in(3));
            writes.iter_mut().for_each(|(at, written)| *written = value(at.size, numbers));
            Action::Call { reads, writes, drains: recorded.drains() }
        }
        Action::TryLock { lock, taken } => Action::TryLock { lock: *lock, taken: !taken },
        Action::TryLockShared { lock, taken } => Action::TryLockShared { lock: *lock, taken: !taken },
        Action::TryTake { semaphore, taken } => Action::TryTake { semaphore: *semaphore, taken: !taken },
        Action::Notify { queue, most, woken: Some(_) } => {
            Action::Notify { queue: *queue, most: *most, woken: Some(numbers.below(3) as u32) }
        }
        Action::Arrive { barrier, last } => Action::Arrive { barrier: *barrier, last: !last },
        Action::Wake { queue, lock, cause } => {
            let cause = if *cause == Cause::Notified { Cause::Expired } else { Cause::Notified };
            Action::Wake { queue: *queue, lock: *lock, cause }
        }
        Action::Wait { lock: None, sees: Some((at, _)), .. } => {
            Action::Update { at: *at, read: value(at.size, numbers), written: None }
        }
        _ => return None,
    })
}

/// A random query about a trace that ends with another outcome of one event, as the exploration of new values asks;
/// nothing if the trace has hardly any event that can have another outcome.
pub fn changed(trace: &Trace, values: usize, numbers: &mut Numbers) -> Option<Query> {
    (0..100).find_map(|_| {
        let target = event(trace, numbers)?;
        let recorded = trace.action(target)?;
        let action = other_outcome(recorded, values, numbers).filter(|other| other != recorded)?;
        Some(Query::new().change(target, action).last(target))
    })
}

/// A random query about a trace.
pub fn query(trace: &Trace, values: usize, numbers: &mut Numbers) -> Query {
    build_query(trace, values, numbers).unwrap_or_default()
}

fn build_query(trace: &Trace, values: usize, numbers: &mut Numbers) -> Option<Query> {
    let mut query = Query::new();
    let mut last = None;
    match numbers.below(10) {
        0 => query = query.meet(event(trace, numbers)?, event(trace, numbers)?),
        1 => {
            let wants = |action: &Action| {
                matches!(action, Action::Lock { .. } | Action::LockShared { .. } | Action::Join { .. })
            };
            let all = (0..trace.threads() as u32).flat_map(|thread| {
                let events = (0_u32..).zip(trace.events(thread)).filter(|(_, action)| wants(action));
                events.map(move |(index, _)| EventId { thread, index })
            });
            let all: Vec<EventId> = all.collect();
            if !all.is_empty() {
                query = query.deadlock(&[numbers.one_of(&all), numbers.one_of(&all)]);
            }
        }
        _ => {
            for _ in 0..20 {
                let target = event(trace, numbers)?;
                let Some(recorded) = trace.action(target) else { continue };
                if let Some(action) = other_outcome(recorded, values, numbers) {
                    query = query.change(target, action);
                    last = Some(target);
                    break;
                }
            }
        }
    }
    for _ in 0..numbers.below(3) {
        query = query.include(event(trace, numbers)?);
    }
    if numbers.once_in(6) {
        query = query.before(event(trace, numbers)?, event(trace, numbers)?);
    }
    for _ in 0..numbers.below(3) {
        let event = event(trace, numbers)?;
        if let Some(Action::Read { .. } | Action::Update { .. } | Action::Call { .. }) = trace.action(event)
            && last != Some(event)
            && numbers.once_in(2)
        {
            query = query.free(event);
        }
    }
    if numbers.once_in(8) {
        query = query.stop_before(event(trace, numbers)?);
    }
    if numbers.once_in(16) {
        query = query.first(event(trace, numbers)?);
    }
    if numbers.once_in(3) {
        query = query.last(match last {
            Some(last) => last,
            None => event(trace, numbers)?,
        });
    }
    Some(query)
}
