//! Dependence: what an event touches, and which events commute.

use crate::kit::process::Process;
use selvedge_machine::{Footprint, Span};
use selvedge_trace::EventKind;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// What an event touches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventFootprint {
    /// Bytes that it reads or writes.
    pub spans: SmallVec<[Span; 3]>,
    /// What it gives to processes that wait for it: they come after it and can never come before.
    pub gives: SmallVec<[Span; 1]>,
    /// Bytes that it will write when its store leaves the buffer.
    pub stores: SmallVec<[Span; 1]>,
    /// It may touch anything.
    pub everything: bool,
    /// It creates a thread. The number of a thread matters to an event that wakes one of many.
    pub creates: bool,
    /// The execution ends with it: whatever others could have done is lost.
    pub ends: bool,
}

/// Buffers of threads, by the thread's number: no memory.
const BUFFERS: u64 = 0xfffb_0000_0000_0000;

fn span(start: u64, end: u64, write: bool) -> Span {
    Span { start, end, read: true, write, plain: false, value: None, adds: None }
}

fn meet(these: &[Span], those: &[Span]) -> bool {
    these.iter().any(|one| those.iter().any(|other| one.conflicts(other)))
}

impl EventFootprint {
    /// Of a store of a thread that becomes visible.
    pub fn commit(address: u64, length: u8, owner: Process) -> Self {
        let store = span(address, address.saturating_add(u64::from(length)), true);
        let mut label = EventFootprint { spans: SmallVec::from_slice(&[store]), ..EventFootprint::default() };
        label.commits(owner);
        label
    }

    /// Something leaves the buffer of a thread.
    pub fn commits(&mut self, owner: Process) {
        let at = BUFFERS + u64::from(owner);
        self.spans.push(span(at, at + 1, false));
    }

    /// What a thread does may empty its buffer: what it touches depends on whether something has left that.
    pub fn minds_buffer(&mut self, owner: Process) {
        let at = BUFFERS + u64::from(owner);
        self.spans.push(span(at, at + 1, true));
    }

    /// Stores are gone from the buffer of another thread, because their object is: what waits there for an empty buffer comes
    /// after that.
    pub fn empties(&mut self, owner: Process) {
        let at = BUFFERS + u64::from(owner);
        self.gives.push(span(at, at + 1, false));
    }

    /// Adds what a step announces. `strict`: the moment of the program's end matters.
    pub fn add(&mut self, footprint: &Footprint, kind: Option<EventKind>, buffers: bool, strict: bool) {
        self.spans.extend(footprint.spans.iter().copied());
        match kind {
            Some(EventKind::MutexUnlock | EventKind::CondWait | EventKind::ThreadExit) => {
                self.gives.extend(footprint.later.iter().copied());
            }
            // Whether it exchanges depends on what comes before it: it is one and the same event with either result.
            Some(EventKind::CompareExchange) => self.spans.extend(footprint.later.iter().copied()),
            Some(EventKind::Read | EventKind::Write) if buffers => {
                self.stores.extend(footprint.later.iter().copied());
            }
            _ => self.spans.extend(footprint.later.iter().copied()),
        }
        self.everything |= footprint.everything || (footprint.exits && strict);
        self.creates |= footprint.creates;
    }

    /// Whether the order of two events matters.
    pub fn depends(&self, other: &EventFootprint) -> bool {
        self.everything
            || other.everything
            || (self.creates && other.creates)
            || meet(&self.spans, &other.spans)
    }

    /// Whether another event that follows could have had to wait for this one.
    pub fn gives_to(&self, later: &EventFootprint) -> bool {
        !self.gives.is_empty() && meet(&self.gives, &later.spans)
    }

    /// Whether another event that follows may have waited until this one has taken stores out of its thread's buffer.
    pub fn lets_drain(&self, later: &EventFootprint) -> bool {
        let buffers = BUFFERS..BUFFERS + (1 << 32);
        let mut emptied = self.gives.iter().filter(|span| buffers.contains(&span.start));
        emptied.any(|span| later.spans.iter().any(|other| span.conflicts(other)))
    }

    /// Whether an event that another process is about to do stays as it is when this one happens.
    pub fn leaves(&self, other: &EventFootprint) -> bool {
        !self.ends && !other.ends && !self.depends(other) && !self.gives_to(other)
    }
}
