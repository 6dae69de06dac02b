//! Await loops with detours: threads that come to a state by a detour to which they could have come directly.
//!
//! A thread that has read something and written nothing, and is where it was before with perhaps another count of its
//! reads, would often do the same from then on if it had not been here twice: the count does not matter any more once
//! the awaited value is there. So what it does next it is also made to do from the earlier state, and if that leads to
//! the same state, everything in between can be left out of the execution. Without those reads there are fewer orders
//! between events and all others do what they did. The thread is left there; the execution without the detour is
//! another one.
//!
//! A plain store that races with a read that is left out, and does not come after what the thread does from here on, is
//! in the graph together with that read. One that does races with the thread's later reads of the same location as
//! well. So all that is left out has to be read again.

use selvedge_machine::{Ahead, Machine, Pick, Place, Stepped, Thread};
use selvedge_relations::{Event, EventId, Kind};
use selvedge_trace::{MemoryOrder, ThreadId};
use std::sync::Arc;

/// Earlier states that one thread is compared with at a time.
const MOST: usize = 4;

/// What tells whether a thread is where it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    hash: u128,
    /// What it has changed, what it holds in memory of its own, and its plain accesses to shared memory.
    memory: (u64, u128, u64),
}

impl State {
    fn of(machine: &Machine, index: usize) -> State {
        let plain = machine.inspect_graph().plain_accesses(index);
        let memory =
            (machine.inspect_graph().writes(index), machine.inspect_graph().private_memory(index), plain);
        State { hash: machine.inspect().thread_hash(index), memory }
    }
}

/// A thread before a read.
struct Earlier {
    /// How many events it had.
    index: u32,
    /// Which of its events is the read. A choice that is made together with it comes in between.
    read: u32,
    control: u64,
    state: State,
    thread: Arc<Thread>,
}

/// A state of a thread that has left out its events from one to another, where it came to the same place again.
#[derive(Clone)]
struct Other {
    left_out: (u32, u32),
    thread: Arc<Thread>,
}

/// What an event has done.
type Done = (Kind, MemoryOrder, u64, u32, Option<EventId>);

/// What came of an event.
struct Tried {
    events: Vec<Done>,
    state: State,
    control: u64,
    thread: Arc<Thread>,
}

impl Tried {
    fn of(machine: &Machine, index: usize, first: u32) -> Tried {
        let told = |event: &Arc<Event>| {
            (event.label.kind, event.order, event.value, event.label.location, event.source)
        };
        let events = machine.inspect_graph().graph().map_or(&[][..], |graph| graph.events(index as u32));
        Tried {
            events: events[first as usize..].iter().map(told).collect(),
            state: State::of(machine, index),
            control: machine.inspect().control(index),
            thread: machine.threads()[index].clone(),
        }
    }
}

/// What came of the event that a thread is about to perform, from other states.
#[derive(Default)]
pub struct Attempts {
    first: u32,
    tried: Vec<((u32, u32), Tried)>,
}

/// Where a thread would be after so many of its events if it had left some of them out.
struct Others {
    after: u32,
    others: Vec<Other>,
    /// One of these is where it is, and has left out these.
    same: Option<(u32, u32)>,
}

/// The detours of all threads.
pub struct Detours {
    /// They are looked for.
    wanted: bool,
    /// By thread.
    earlier: Vec<Vec<Earlier>>,
    others: Vec<Vec<Others>>,
}

impl Detours {
    /// Nothing is known yet.
    pub fn new(wanted: bool) -> Self {
        Detours { wanted, earlier: Vec::new(), others: Vec::new() }
    }

    /// Which events a thread could have left out to be where it is after so many: from one to before another.
    pub fn left_out(&self, thread: u32, events: u32) -> Option<(u32, u32)> {
        let last = self.others.get(thread as usize).and_then(|others| others.last())?;
        last.same.filter(|_| last.after == events)
    }

    /// Only so many events of each thread are left.
    pub fn forget(&mut self, done: &[u32]) {
        let left = |thread: usize| done.get(thread).copied().unwrap_or(0);
        for (thread, others) in self.others.iter_mut().enumerate() {
            others.retain(|others| others.after <= left(thread));
        }
        for (thread, earlier) in self.earlier.iter_mut().enumerate() {
            earlier.retain(|earlier| earlier.read < left(thread));
        }
    }

    /// Performs the event that a thread is about to perform from other states in which it could be. `read`: the number of
    /// that event, if it is a read.
    pub fn try_others(
        &mut self,
        machine: &mut Machine,
        (thread, index): (u32, usize),
        alternative: u32,
        read: Option<u32>,
    ) -> Attempts {
        if !self.wanted {
            return Attempts::default();
        }
        let slot = thread as usize;
        if self.earlier.len() <= slot {
            self.earlier.resize_with(slot + 1, Vec::new);
            self.others.resize_with(slot + 1, Vec::new);
        }
        let first = machine.inspect_graph().graph().map_or(0, |graph| graph.len(index as u32));
        let last = self.others[slot].last().filter(|last| last.after == first);
        let mut states = last.map_or(Vec::new(), |last| last.others.clone());
        if let Some(read) = read {
            let now = Earlier {
                index: first,
                read,
                control: machine.inspect().control(index),
                state: State::of(machine, index),
                thread: machine.threads()[index].clone(),
            };
            let is_near = |before: &&Earlier| {
                before.control == now.control
                    && before.state.memory == now.state.memory
                    && holds_the_same(&before.thread, &now.thread)
            };
            let near = self.earlier[slot].iter().rev().find(is_near);
            states.extend(
                near.map(|near| Other { left_out: (near.index, first), thread: near.thread.clone() }),
            );
            self.earlier[slot].push(now);
        }
        let mut attempts = Attempts { first, tried: Vec::new() };
        // What operations on other objects leave there is not compared.
        let is_memory = |place: &Option<Place>| place.is_none_or(|place| (1..128).contains(&place.size));
        if states.is_empty() {
            return attempts;
        }
        let ahead = machine.probe().ahead(index);
        if !matches!(&ahead, Ahead::Event { child: None, place, .. } if is_memory(place)) {
            return attempts;
        }
        let pick = Pick::Step { thread: ThreadId(index as u16), alternative };
        let start = machine.snapshot();
        let few = states.len().saturating_sub(MOST);
        for Other { left_out, thread } in states.split_off(few) {
            machine.replace_thread(index, thread);
            if machine.probe().ahead(index) == ahead
                && machine.step(pick) == Stepped::Stopped
                && machine.outcome().is_none()
            {
                attempts.tried.push((left_out, Tried::of(machine, index, first)));
            }
            machine.restore(&start);
        }
        attempts
    }

    /// Compares what came of it with what came of the event itself.
    pub fn compare(
        &mut self,
        machine: &Machine,
        (thread, index): (u32, usize),
        Attempts { first, tried }: Attempts,
    ) {
        if tried.is_empty() || machine.outcome().is_some() {
            return;
        }
        let after = machine.inspect_graph().graph().map_or(0, |graph| graph.len(index as u32));
        let real = Tried::of(machine, index, first);
        let mut others = Others { after, others: Vec::new(), same: None };
        for (left_out, tried) in tried {
            if tried.events == real.events
                && tried.control == real.control
                && tried.state.memory == real.state.memory
                && holds_the_same(&tried.thread, &real.thread)
            {
                others.same = others.same.or((tried.state == real.state).then_some(left_out));
                others.others.push(Other { left_out, thread: tried.thread });
            }
        }
        if !others.others.is_empty() {
            self.others[thread as usize].push(others);
        }
    }
}

/// Whether two states of a thread know of the same objects.
fn holds_the_same(one: &Thread, other: &Thread) -> bool {
    one.stack == other.stack
        && one.thread_locals == other.thread_locals
        && one.specifics == other.specifics
        && (one.children, one.joins, one.wake) == (other.children, other.joins, other.wake)
}
