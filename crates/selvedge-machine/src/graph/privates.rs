//! What threads hold in memory that they alone know.
//!
//! Whether a thread is in a state in which it was before depends on its own memory too. That is kept as a sum of hashes, one
//! for each word: what a word held is taken away before it changes, and what it holds then is added. A
//! sum that comes again means contents that come again, however often they changed in between.

use super::Machine;
use crate::inspect::InspectGraph;
use crate::model::Datum;

/// The sum of a thread, and what it does not contain yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Privates {
    /// By thread.
    sums: Vec<u128>,
    /// Words that are about to change or have changed: by which thread, where, and how many bytes.
    unsettled: Option<(usize, u64, u64)>,
}

impl Privates {
    fn sum(&mut self, thread: usize) -> &mut u128 {
        if self.sums.len() <= thread {
            self.sums.resize(thread + 1, 0);
        }
        &mut self.sums[thread]
    }
}

/// A word's part of the sum. Words without any value have none.
fn part(address: u64, datum: Datum) -> u128 {
    if datum.undefined == u8::MAX {
        return 0;
    }
    let mix = |seed: u64| {
        let words = [address, datum.value, datum.provenance.0, u64::from(datum.undefined)];
        let mixed = words.into_iter().fold(seed, |state, word| {
            let product = u128::from(state ^ word) * 0xd6e8_feb8_6659_fd93;
            (product as u64 ^ (product >> 64) as u64).wrapping_add(0x2545_f491_4f6c_dd1d).rotate_left(29)
        });
        u128::from(mixed)
    };
    mix(0x5bd1_e995_85eb_ca6b) << 64 | mix(0xc2b2_ae35_27d4_eb2f)
}

impl Machine {
    fn graph_parts(&mut self, address: u64, size: u64) -> u128 {
        let end = address.saturating_add(size);
        let words = address / 8..end.div_ceil(8);
        words.fold(0, |sum: u128, word| sum.wrapping_add(part(word * 8, self.graph_peek(word * 8, 8))))
    }

    /// A thread is about to change memory that it alone knows.
    pub(crate) fn graph_private_changes(&mut self, thread: usize, address: u64, size: u64) {
        if !self.follows_graph() {
            return;
        }
        self.graph_settle();
        let before = self.graph_parts(address, size);
        let Some(execution) = self.model.graph_mut() else { return };
        let sum = execution.privates.sum(thread);
        *sum = sum.wrapping_sub(before);
        execution.privates.unsettled = Some((thread, address, size));
    }

    /// What a thread alone knew is gone.
    pub(crate) fn graph_private_gone(&mut self, thread: usize, address: u64, size: u64) {
        self.graph_private_changes(thread, address, size);
        if let Some(execution) = self.model.graph_mut() {
            execution.privates.unsettled = None;
        }
    }

    /// What was about to change has changed.
    pub(super) fn graph_settle(&mut self) {
        let unsettled = self.model.graph_mut().and_then(|execution| execution.privates.unsettled.take());
        let Some((thread, address, size)) = unsettled else { return };
        let after = self.graph_parts(address, size);
        if let Some(execution) = self.model.graph_mut() {
            let sum = execution.privates.sum(thread);
            *sum = sum.wrapping_add(after);
        }
    }

    /// Lets a thread go on from another of its states.
    pub fn replace_thread(&mut self, index: usize, thread: std::sync::Arc<crate::thread::Thread>) {
        self.thread_mut(index);
        self.threads[index] = thread;
    }
}

impl InspectGraph<'_> {
    /// What a thread holds in memory that it alone knows, under a model that keeps account of it: two states with the
    /// same number, of one execution, have the same there.
    pub fn private_memory(self, thread: usize) -> u128 {
        self.machine
            .model
            .graph()
            .and_then(|execution| execution.privates.sums.get(thread).copied())
            .unwrap_or(0)
    }
}
