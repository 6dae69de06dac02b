//! What copies, calls and atomic sections access. What copies and calls do are plain accesses like any other, and race
//! like any other.

use crate::followed::Pieces;
use crate::footprint::{Footprint, NO_MEMORY, Span};
use crate::halt::Halt;
use crate::inspect::{Inspect, Probe};
use crate::machine::{Machine, Pick};
use crate::memory::{Found, Pointer, Provenance};
use crate::native::Context;
use crate::thread::Status;
use crate::traits::{Trait, uses};
use selvedge_program::code::Op;
use selvedge_trace::{EventKind, MemoryOrder, Operation, ThreadId};

/// An access in an atomic section races with those outside of any, not with those of other sections.
const SECTION: MemoryOrder = MemoryOrder::SeqCst;

fn plain(kind: EventKind, address: u64, size: u64) -> Operation {
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    Operation { kind, address, size, order: MemoryOrder::NotAtomic }
}

impl Machine {
    /// The shared memory that a call of a function will access: beginnings, sizes, and whether it is written to.
    pub(crate) fn touched(&mut self, index: usize, name: &str) -> Result<Vec<(u64, u64, bool)>, Halt> {
        if self.inspect().is_before_call(index) {
            let accesses = self.probe().accesses(index).into_iter();
            let told =
                |access: Operation| (access.address, u64::from(access.size), access.kind == EventKind::Write);
            return Ok(accesses.map(told).collect());
        }
        let mut footprint = Footprint::default();
        self.probe().pending_footprint(index, &mut footprint);
        // No thread changes the environment.
        let environment = self.traits_at(index).has(Trait::ReadsEnvironment)
            && uses(&self.program, |traits| traits.has(Trait::ChangesEnvironment)).is_none();
        if footprint.everything && !environment {
            return Err(Halt::unsupported(format!("{name} on shared memory under rc11")));
        }
        let is_shared = |span: &&Span| match self.memory.find(span.start) {
            Some(Found::Object(_, _, object)) => object.shared,
            Some(Found::Global(id)) => !self.program.globals[id as usize].constant,
            _ => false,
        };
        let spans = footprint.spans.iter().filter(|span| span.start < NO_MEMORY).filter(is_shared);
        Ok(spans.map(|span| (span.start, span.end - span.start, span.write)).collect())
    }

    /// Takes the step, and takes it back.
    fn tried_out(&mut self, index: usize) -> Vec<Operation> {
        if self.outcome.is_some() || self.probe().alternatives(index) == 0 {
            return Vec::new();
        }
        let before = self.snapshot();
        let effects = std::mem::take(&mut self.effects);
        let followed = self.followed.take();
        self.touches = Some(Vec::new());
        self.step(Pick::Step { thread: ThreadId(index as u16), alternative: 0 });
        let touches = self.touches.take().unwrap_or_default();
        self.restore(&before);
        self.effects = effects;
        self.followed = followed;
        touches
    }

    /// Notes a plain access of a call, if accesses are recorded.
    pub(crate) fn touch(&mut self, kind: EventKind, at: Pointer, size: u64) {
        if let Some(touches) = &mut self.touches
            && size > 0
        {
            let order = if self.atomic.is_some() { SECTION } else { MemoryOrder::NotAtomic };
            touches.push(Operation { order, ..plain(kind, at.address, size) });
        }
    }

    /// Notes an access of the program's code in an atomic section, if accesses are recorded.
    pub(crate) fn touch_in_section(&mut self, operation: Operation) {
        if let (Some(_), Some(touches)) = (self.atomic, &mut self.touches) {
            // Whether it has exchanged is known.
            let kind = match operation.kind {
                EventKind::CompareExchange => EventKind::ReadModifyWrite,
                EventKind::CompareExchangeFailed => EventKind::Read,
                kind => kind,
            };
            touches.push(Operation { kind, order: SECTION, ..operation });
        }
    }
}

impl Inspect<'_> {
    /// Whether a thread stands before a call whose accesses are only known by trying it out.
    pub fn is_before_call(self, index: usize) -> bool {
        use EventKind::{Clock, Input, LibraryCall, Output, Random};
        let Status::Ready(operation) = self.machine.threads[index].status else { return false };
        matches!(operation.kind, LibraryCall | Output | Input | Random | Clock)
            && !self.machine.traits_at(index).has(Trait::Atomic)
    }

    /// Whether a thread stands before an atomic section.
    pub fn is_before_section(self, index: usize) -> bool {
        self.machine.traits_at(index).has(Trait::BeginsSection)
    }
}

impl Probe<'_> {
    /// The accesses to shared memory that a thread stands before: one, or what a copy or a call reads and writes.
    pub fn accesses(&mut self, index: usize) -> Vec<Operation> {
        let Status::Ready(operation) = self.machine.threads[index].status else { return Vec::new() };
        let mut accesses = match operation.kind {
            _ if self.machine.inspect().is_before_call(index) => self.machine.tried_out(index),
            kind if !kind.is_access() => return Vec::new(),
            _ => match self.machine.pending_op(index) {
                Some(Op::MemCopy { dst, src, len }) => {
                    let thread = &self.machine.threads[index];
                    let (dst, src, len) = (thread.register(dst), thread.register(src), thread.register(len));
                    vec![plain(EventKind::Write, dst, len), plain(EventKind::Read, src, len)]
                }
                _ => return vec![operation],
            },
        };
        // What is private to the thread, or comes into being only in the call, no other thread can touch.
        accesses.retain(|access| {
            let at = Pointer { address: access.address, provenance: Provenance::NONE };
            self.machine.memory.check(at, u64::from(access.size)).is_ok_and(|bounds| bounds.shared)
        });
        accesses.dedup();
        accesses
    }

    /// The same where an execution has ended: what the thread stood before when another one ended it.
    pub fn accesses_at_the_end(&mut self, index: usize) -> Vec<Operation> {
        let outcome = self.machine.outcome.take();
        let accesses = self.accesses(index);
        self.machine.outcome = outcome;
        accesses
    }
}

impl Context<'_> {
    /// The model that is being run has read bytes of two places, one of each in turn, as far as it needed them.
    pub(crate) fn see_in_turn(&mut self, left: (Pointer, &[u8]), right: (Pointer, &[u8])) {
        if self.machine.followed.is_some() {
            for (offset, pair) in left.1.iter().zip(right.1).enumerate() {
                for (from, byte) in [(left.0, *pair.0), (right.0, *pair.1)] {
                    let at = from.offset(offset as i64);
                    self.machine.follow(EventKind::Read, at, &[byte], Pieces::Eight);
                }
            }
        }
        self.see(left.0, left.1);
        self.see(right.0, right.1);
    }

    /// The model that is being run has written these bytes.
    pub(crate) fn wrote(&mut self, to: Pointer, bytes: &[u8]) {
        self.machine.touch(EventKind::Write, to, bytes.len() as u64);
        self.machine.follow(EventKind::Write, to, bytes, Pieces::Eight);
    }
}
