//! The clock, randomness and files, which threads share: what a thread finds there depends on what others have done
//! before.
//!
//! Each is a word of memory that belongs to no thread. A thread that looks at it reads the word, and a branch says what
//! was found, so that what the thread gets follows from its decisions.

use crate::machine::Machine;
use selvedge_paths::{BranchKind, Location, Step, UNBUFFERED};
use selvedge_trace::{EventKind, MemoryOrder};

/// Where the words are, as far as the record goes.
const OUTSIDE: u64 = UNBUFFERED;
const CLOCK: usize = 0;
const RANDOM: usize = 1;
const FILES: usize = 2;

impl Machine {
    fn found_outside(&self, which: usize) -> u64 {
        match which {
            // A thread that never looks at the clock does not depend on how late it is.
            CLOCK if !self.clock_counts => 0,
            CLOCK => self.world.clock,
            // The generator is memory: its word only orders those who draw from it.
            RANDOM => 0,
            _ => self.world.files.positions(),
        }
    }

    /// The first thread is about to be created.
    pub(super) fn begin_outside(&mut self, thread: usize) {
        for which in [CLOCK, RANDOM, FILES] {
            let now = self.found_outside(which);
            let Some(concolic) = &mut self.concolic else { return };
            concolic.outside[which] = now;
            let value = concolic.terms.constant(64, now.into());
            let at = Location::new(OUTSIDE + 8 * which as u64, 8);
            self.push_step(thread, Step::Write { at, value, order: MemoryOrder::SeqCst });
        }
    }

    /// An operation has happened that may have looked outside, or changed something there.
    pub(super) fn looked_outside(&mut self, thread: usize, kind: EventKind) {
        if !self.records() {
            return;
        }
        self.look(thread, CLOCK, false);
        match kind {
            EventKind::Random => self.look(thread, RANDOM, true),
            EventKind::Input => self.look(thread, FILES, true),
            EventKind::Output if self.found_outside(FILES) != self.known_outside(FILES) => {
                self.beyond("files that threads write");
            }
            _ => {}
        }
    }

    fn known_outside(&self, which: usize) -> u64 {
        self.concolic.as_ref().map_or(0, |concolic| concolic.outside[which])
    }

    /// A thread looks, or changes something.
    fn look(&mut self, thread: usize, which: usize, looks: bool) {
        let (before, now) = (self.known_outside(which), self.found_outside(which));
        if before == now && !looks {
            return;
        }
        let position = self.inspect().position(thread);
        let Some(symbol) = self.read_symbol(thread, 64) else { return };
        let Some(concolic) = &mut self.concolic else { return };
        concolic.position = position;
        concolic.outside[which] = now;
        let value = concolic.terms.constant(64, now.into());
        let at = Location::new(OUTSIDE + 8 * which as u64, 8);
        let order = MemoryOrder::SeqCst;
        self.push_step(thread, Step::Read { at, symbol, order });
        if let Some(concolic) = &mut self.concolic {
            concolic.pin(thread, symbol, before, BranchKind::Library);
        }
        self.push_step(thread, Step::Write { at, value, order });
    }
}
