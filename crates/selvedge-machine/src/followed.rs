//! What calls and copies read and store, byte by byte, for searches that put events into other orders.

use crate::inspect::Inspect;
use crate::machine::Machine;
use crate::memory::Pointer;
use crate::model::Buffering;
use crate::native::{Native, Visibility};
use crate::thread::Status;
use crate::traits::Trait;
use selvedge_program::code::Op;
use selvedge_trace::{EventKind, Value};

/// An access of a call to memory that others can reach. What it stores under a memory model it stores word by word: each of
/// them is an access.
#[derive(Clone, Debug)]
pub struct Touch {
    /// The event of the call, by its number in the trace; a number that no event has if it leaves none.
    pub event: usize,
    /// It stores; otherwise it reads.
    pub writes: bool,
    pub address: u64,
    /// What it read or stored.
    pub bytes: Value,
    /// The call waits until all that its thread has stored is visible.
    pub drains: bool,
    /// What the call accesses does not depend on what it reads.
    pub fixed: bool,
}

/// Events that one operation has left: a copy, a fill, or objects that are passed by value.
#[derive(Clone, Debug)]
pub struct Group {
    /// The first one, by its number in the trace.
    pub first: usize,
    pub count: usize,
    /// Under a memory model, what it stores one after the other: where, and how many bytes.
    pub stores: Vec<(u64, u32)>,
}

/// How bytes are stored one after the other.
#[derive(Clone, Copy)]
pub(crate) enum Pieces {
    /// Up to eight at a time.
    Eight,
    /// Up to the end of each aligned word: copies.
    Words,
}

impl Pieces {
    fn of(self, address: u64, len: u64) -> impl Iterator<Item = (u64, u32)> {
        let mut at = address;
        std::iter::from_fn(move || {
            let left = (address + len).checked_sub(at).filter(|&left| left > 0)?;
            let size = match self {
                Pieces::Eight => left.min(8),
                Pieces::Words => left.min(8 - (at & 7)),
            };
            let piece = (at, size as u32);
            at += size;
            Some(piece)
        })
    }
}

/// What the calls and copies of the last step have done.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// What calls read and stored, in this order.
    pub touches: Vec<Touch>,
    /// Operations that leave several events, or one of many bytes.
    pub groups: Vec<Group>,
    /// Events of library calls that do nothing but what is among the touches.
    pub plain: Vec<usize>,
    /// The event of the call that is about to run.
    gate: Option<usize>,
    /// The call that runs: its event, whether it drains, and whether it always accesses the same.
    running: Option<(usize, bool, bool)>,
}

impl Followed {
    pub(crate) fn clear(&mut self) {
        self.touches.clear();
        self.groups.clear();
        self.plain.clear();
        (self.gate, self.running) = (None, None);
    }

    /// A call that others can see has left this event, and will run.
    pub(crate) fn passed(&mut self, native: &Native, event: usize) {
        self.gate = Some(event);
        self.plain.extend(native.traits.has(Trait::Plain).then_some(event));
    }

    /// A call begins when there are so many events.
    pub(crate) fn begin(&mut self, native: &Native, events: usize) {
        let gate = self.gate.take();
        let event = match native.visibility {
            Visibility::Always { .. } => events,
            Visibility::IfShared | Visibility::Private => gate.unwrap_or(usize::MAX),
        };
        let traits = native.traits;
        self.running =
            traits.has(Trait::Plain).then_some((event, traits.has(Trait::Drains), traits.has(Trait::Fixed)));
    }

    pub(crate) fn end(&mut self) {
        self.running = None;
    }
}

impl Machine {
    /// From now on tells what calls and copies read and store, and what operations do to store buffers.
    pub fn follow_calls(&mut self) {
        self.followed = Some(Box::default());
        if let Some(model) = self.model.buffers_mut() {
            model.follow();
        }
    }

    /// What was done to the store buffers of which threads since this was last asked, if that is followed.
    pub fn take_buffering(&mut self) -> Vec<(usize, Buffering)> {
        self.model.buffers_mut().map_or_else(Vec::new, |model| model.take_followed())
    }

    /// Notes what a call reads or stores, if that is followed.
    pub(crate) fn follow(&mut self, kind: EventKind, at: Pointer, bytes: &[u8], pieces: Pieces) {
        let Some((event, drains, fixed)) = self.followed.as_ref().and_then(|followed| followed.running)
        else {
            return;
        };
        let shared = |machine: &mut Machine| {
            machine.memory.check(at, bytes.len() as u64).is_ok_and(|bounds| bounds.shared)
        };
        if bytes.is_empty() || !shared(self) {
            return;
        }
        let writes = kind == EventKind::Write;
        let cut: Vec<(u64, u32)> = match writes && self.model.buffers().is_some() {
            true => pieces.of(at.address, bytes.len() as u64).collect(),
            false => vec![(at.address, bytes.len() as u32)],
        };
        if let Some(followed) = &mut self.followed {
            followed.touches.extend(cut.into_iter().map(|(address, len)| {
                let start = (address - at.address) as usize;
                let bytes = Value::from_slice(&bytes[start..start + len as usize]);
                Touch { event, writes, address, bytes, drains, fixed }
            }));
        }
    }

    /// Notes that the next events belong together: they store this, in these pieces.
    pub(crate) fn follow_group(&mut self, count: usize, stored: Option<(u64, u64)>, pieces: Pieces) {
        let buffers = self.model.buffers().is_some();
        let stores =
            || stored.filter(|_| buffers).into_iter().flat_map(|(at, len)| pieces.of(at, len)).collect();
        if self.followed.is_some() {
            self.follow_stores(count, stores());
        }
    }

    /// Notes that the next events belong together: they store these places one after the other.
    pub(crate) fn follow_stores(&mut self, count: usize, stores: Vec<(u64, u32)>) {
        let first = self.inspect().trace().len();
        if let Some(followed) = &mut self.followed {
            followed.groups.push(Group { first, count, stores });
        }
    }
}

impl<'a> Inspect<'a> {
    /// What the calls and copies of the last step have done, if that is followed.
    pub fn followed(self) -> Option<&'a Followed> {
        self.machine.followed.as_deref()
    }

    /// Whether a thread stands before a call that does nothing but what can be followed.
    pub fn is_before_plain_call(self, index: usize) -> bool {
        // Objects that are passed by value are read by calls of the program's own functions.
        self.machine.native_at(index).is_none_or(|native| native.traits.has(Trait::Plain))
    }

    /// Whether a thread stands before a copy or a fill.
    pub fn is_before_copy(self, index: usize) -> bool {
        let is_access = matches!(self.machine.threads[index].status, Status::Ready(operation) if operation.kind.is_access());
        is_access && matches!(self.machine.pending_op(index), Some(Op::MemCopy { .. } | Op::MemSet { .. }))
    }
}
