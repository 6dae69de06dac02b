//! Events of an execution graph.

use crate::Clock;
use selvedge_trace::MemoryOrder;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An event: the `index`-th of its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EventId {
    pub thread: u32,
    pub index: u32,
}

impl EventId {
    /// The event before it in its thread.
    pub fn previous(self) -> Option<EventId> {
        self.index.checked_sub(1).map(|index| EventId { index, ..self })
    }
}

/// The kinds of events. A read-modify-write is two, an exclusive read and right after it an exclusive write; where
/// nothing is written, as by a compare-exchange that fails, it is the read alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    Read {
        exclusive: bool,
    },
    Write {
        exclusive: bool,
    },
    Fence,
    /// Takes a mutex.
    Lock,
    /// Gives a mutex back.
    Unlock,
    /// Starts a thread, whose first event is [`Kind::Begin`].
    Create {
        child: u32,
    },
    Begin,
    /// Waits until a thread has no further events.
    Join {
        child: u32,
    },
    /// The end of a thread that another one may wait for.
    Finish,
    /// Something that nothing decides, such as whether a weak compare-exchange fails for no reason: a value below
    /// `options`.
    Choice {
        options: u32,
    },
}

impl Kind {
    /// A read of memory.
    pub fn is_read(self) -> bool {
        matches!(self, Kind::Read { .. })
    }

    /// A write to memory.
    pub fn is_write(self) -> bool {
        matches!(self, Kind::Write { .. })
    }

    /// Has a place in the order of its location: a write, or a change of a mutex.
    pub fn is_placed(self) -> bool {
        matches!(self, Kind::Write { .. } | Kind::Lock | Kind::Unlock)
    }

    /// Has a location.
    pub fn is_access(self) -> bool {
        self.is_read() || self.is_placed()
    }

    /// Reads from a write, or takes a mutex from the thread that gave it back.
    pub fn has_source(self) -> bool {
        matches!(self, Kind::Read { .. } | Kind::Lock)
    }
}

/// What a thread is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Label {
    pub kind: Kind,
    /// Memory order.
    pub order: MemoryOrder,
    /// Which location, numbered from 0; memory and mutexes are numbered together.
    pub location: u32,
    /// What is written.
    pub value: u64,
    /// Of an exclusive read that may turn out to write nothing: which value it must find, and its order otherwise.
    pub compare: Option<(u64, MemoryOrder)>,
    /// Earlier events of the thread (bit 0: the one before this one) on whose values the address or the value
    /// depends, or whether it is executed at all. Only hardware looks at it.
    pub depends: u64,
}

/// What orders mean.
pub(crate) trait Orders {
    fn acquires(self) -> bool;
    fn releases(self) -> bool;
    fn sequential(self) -> bool;
    fn atomic(self) -> bool;
}

impl Orders for MemoryOrder {
    fn acquires(self) -> bool {
        matches!(self, MemoryOrder::Acquire | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
    }

    fn releases(self) -> bool {
        matches!(self, MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
    }

    fn sequential(self) -> bool {
        self == MemoryOrder::SeqCst
    }

    fn atomic(self) -> bool {
        self != MemoryOrder::NotAtomic
    }
}

/// An event of a graph with what is known of its past. The past of an event never changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Event {
    /// What was done.
    pub label: Label,
    /// The memory order: that of the label, unless a comparison failed.
    pub order: MemoryOrder,
    /// Of a read what was read, of a write what was written.
    pub value: u64,
    /// Of a read the write it reads from, of a lock the unlock before it; `None` is how things were at first.
    /// A lock that waits has the lock here that it waits for.
    pub source: Option<EventId>,
    /// It and all before it in its thread are as in the thread that this one follows.
    pub(crate) alike: bool,
    /// A lock that waits.
    pub waits: bool,
    /// A lock that waits or has waited: it was made to wait for another that was added later.
    pub(crate) waited: bool,
    /// Events were added to the graph in this order.
    pub stamp: u32,
    /// Where in the program, as far as [`crate::Graph::locate`] was told; 0 if that is not known.
    pub position: u32,
    /// What happens before it, itself included.
    pub happens: Clock,
    /// What it is caused by (program order, reads-from, creation and join, and for as long as its thread does the same as
    /// one that it follows what that one does), itself included.
    pub causes: Clock,
    /// What reads before it have seen released without acquiring it: an acquire fence does.
    pub(crate) pending: Option<Arc<Clock>>,
    /// What a reader acquires.
    pub(crate) message: Option<Arc<Clock>>,
    /// The last release fence of its thread, by index, itself included.
    pub(crate) fence: Option<u32>,
}

impl Event {
    /// A sequentially consistent access or fence.
    pub(crate) fn is_sequential(&self) -> bool {
        let memory = matches!(self.label.kind, Kind::Read { .. } | Kind::Write { .. } | Kind::Fence);
        memory && self.order.sequential()
    }
}
