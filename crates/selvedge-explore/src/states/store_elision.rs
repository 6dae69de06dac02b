//! Store elision: stores that are overwritten before any thread reads them.
//!
//! A thread that is before a store `a` while another one stores `b` to the same bytes could have stored just before:
//! then no thread has seen `a`. So from then on the thread may also go on without storing, as if it had (`a` is
//! elided). In return, another order need not be explored: storing `a` straight after `b` with no read in between (`b`
//! then is the elided one, and its thread could have waited and gone on without storing). Threads whose stores are
//! elided in this way are therefore held back from storing (their stores sleep) until a thread reads those bytes, or
//! comes before a further store to them, which may be elided in its turn.
//!
//! Only variables that live as long as the program are treated like this, and only under sequential consistency.

use selvedge_machine::{Footprint, Machine, Span, Status};
use selvedge_trace::mutants::{Mutant, mutant};
use smallvec::SmallVec;

/// What is known of the store that a thread is before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Elision {
    /// It has to be performed, or it is no store.
    #[default]
    Open,
    /// Its bytes have been written since: it may be performed or left out.
    Elidable,
    /// They have not even been read since: it may be left out.
    Asleep,
}

/// For each thread what is known of its store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elisions {
    list: SmallVec<[Elision; 8]>,
}

impl Elisions {
    /// What is known of a thread's store.
    pub fn of(&self, thread: usize) -> Elision {
        self.list.get(thread).copied().unwrap_or_default()
    }

    fn set(&mut self, thread: usize, elision: Elision) {
        if self.list.len() <= thread {
            if elision == Elision::Open {
                return;
            }
            self.list.resize(thread + 1, Elision::Open);
        }
        self.list[thread] = elision;
    }

    /// What belongs to the state: a word for each store of which something is known.
    pub fn words(&self, machine: &Machine) -> impl Iterator<Item = u64> {
        let known = self.list.iter().enumerate().filter(|(_, elision)| **elision != Elision::Open);
        known.map(|(thread, &elision)| machine.inspect().handle(thread) << 2 | elision as u64)
    }

    /// A thread has performed (not left out) the operation with this footprint; `store`: it was a single store. What it
    /// freed in the same step counts as read.
    pub fn performed(
        &mut self,
        machine: &Machine,
        thread: usize,
        footprint: &Footprint,
        store: bool,
        effects: &[Span],
    ) {
        self.set(thread, Elision::Open);
        for other in (0..machine.threads().len()).filter(|&other| other != thread) {
            let Some(span) = store_of(machine, other) else { continue };
            let meets = |touched: &Span| touched.meets(&span);
            let elisions =
                store && footprint.spans.iter().all(|own| own.start <= span.start && span.end <= own.end);
            // To store what is there now is the same as not to store.
            let same = |own: &Span| {
                (own.start, own.end) == (span.start, span.end)
                    && own.value.is_some()
                    && own.value == span.value
            };
            if footprint.spans.iter().any(meets) && elisions {
                match footprint.spans.iter().all(same) {
                    true => self.set(other, Elision::Open),
                    false if machine.inspect().is_global(span.start) => self.set(other, Elision::Asleep),
                    false => {}
                }
            } else if self.of(other) == Elision::Asleep
                && !mutant(Mutant::ElisionUnread)
                && (footprint.everything || footprint.spans.iter().chain(effects).any(meets))
            {
                self.set(other, Elision::Elidable);
            }
        }
    }

    /// These threads have come before an operation: a thread that comes before a store ends the sleep of others.
    pub fn arrived(&mut self, machine: &Machine, threads: impl Iterator<Item = usize>) {
        for thread in threads {
            let Some(span) = store_of(machine, thread) else { continue };
            for other in (0..self.list.len()).filter(|&other| other != thread) {
                let asleep = self.of(other) == Elision::Asleep;
                if asleep && store_of(machine, other).is_some_and(|store| store.meets(&span)) {
                    self.set(other, Elision::Elidable);
                }
            }
        }
    }

    /// A thread has gone on without storing, and the stores of these others were explored before.
    pub fn left_out(&mut self, thread: usize, others: &[usize]) {
        self.set(thread, Elision::Open);
        others.iter().for_each(|&other| self.set(other, Elision::Asleep));
    }
}

/// The bytes of the single store that a thread is before.
pub fn store_of(machine: &Machine, thread: usize) -> Option<Span> {
    let Status::Ready(operation) = machine.threads()[thread].status else { return None };
    let (start, end) = (operation.address, operation.address + u64::from(operation.size));
    machine.inspect().pends_single_store(thread).then_some(Span {
        start,
        end,
        read: false,
        write: true,
        plain: false,
        value: machine.inspect().stored_value(thread),
        adds: None,
    })
}
