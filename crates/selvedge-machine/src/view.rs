//! Views: what each thread has read, as a running hash.
//!
//! Two executions are view-equivalent when every thread has read the same values and got the same results from
//! synchronisation calls that have several. Which thread came first to a plain lock is no part of it, nor is what was
//! written. A thread does the same when it reads the same, so nothing else has to be noted of it. All of this happens
//! only when a machine is asked to keep views.

use crate::followed::Pieces;
use crate::inspect::Inspect;
use crate::machine::Machine;
use crate::memory::Pointer;
use crate::native::Context;
use crate::words::Words;
use selvedge_trace::{EventKind, Sync};
use std::hash::Hash;

/// The running hash of what one thread has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct View([u64; 2]);

impl View {
    fn add(&mut self, word: u64) {
        let fold = |state: u64, factor: u64| {
            let product = u128::from(state ^ word ^ 0x9e37_79b9_7f4a_7c15) * u128::from(factor);
            product as u64 ^ (product >> 64) as u64 ^ state.rotate_left(29)
        };
        self.0 = [fold(self.0[0], 0xd6e8_feb8_6659_fd93), fold(self.0[1], 0xa076_1d64_78bd_642f)];
    }

    fn add_bytes(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }
}

/// Whether an event is the result of a call that has several: an event without a value means success.
fn is_result(kind: EventKind) -> bool {
    kind == EventKind::CompareExchangeFailed || kind.sync().is_some_and(Sync::has_answer)
}

impl Machine {
    /// An event becomes part of its thread's view.
    pub(crate) fn see_event(&mut self, thread: usize, kind: EventKind, read: &[u8]) {
        if read.is_empty() && !is_result(kind) {
            return;
        }
        let view = &mut self.thread_mut(thread).view;
        // How it ended and what was read must not be taken for each other.
        view.add((read.len() as u64) << 1 | u64::from(is_result(kind)));
        view.add_bytes(read);
    }
}

impl Inspect<'_> {
    /// What all threads have read so far, each under its name. Zero unless the machine keeps views.
    pub fn view(self) -> u128 {
        let views =
            self.machine.threads.iter().filter(|thread| thread.view != View::default()).map(|thread| {
                let mut hasher = Words::new(0x71e3);
                thread.name.path().hash(&mut hasher);
                thread.view.hash(&mut hasher);
                hasher.digest()
            });
        views.fold(0, u128::wrapping_add)
    }
}

impl Context<'_> {
    /// The model that is being run has read these bytes: they become part of the view if others can write them.
    pub fn see(&mut self, from: Pointer, bytes: &[u8]) {
        if self.machine.concolic.is_some() {
            self.machine.concolic_seen(self.thread, from, bytes);
        }
        self.machine.touch(EventKind::Read, from, bytes.len() as u64);
        self.machine.follow(EventKind::Read, from, bytes, Pieces::Eight);
        if !self.machine.sees || bytes.is_empty() {
            return;
        }
        if self.machine.memory.check(from, bytes.len() as u64).is_ok_and(|bounds| bounds.shared) {
            self.machine.thread_mut(self.thread).view.add_bytes(bytes);
        }
    }

    /// The call has ended with a result that its event does not tell.
    pub fn see_result(&mut self, code: i32) {
        if self.machine.config.views {
            self.this_mut().view.add(code as u64);
        }
    }
}
