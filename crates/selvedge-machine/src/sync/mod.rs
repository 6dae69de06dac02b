//! Models of threads and synchronisation.

use crate::machine::Machine;
use crate::native::Native;
use selvedge_trace::{EventKind, ThreadId};

/// The tables of models.
pub static TABLES: &[&[Native]] = &[];

/// Who holds the lock at an address, or is the thread that somebody wants to join.
pub fn holder(_machine: &mut Machine, _kind: EventKind, _address: u64) -> Option<ThreadId> {
    None
}
