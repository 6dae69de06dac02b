//! The properties of the verification competition: what counts as wrong, where only one thing does.

use serde::{Deserialize, Serialize};

/// A property that a program is to have. Everything else that goes wrong is no violation then: a program that ends itself
/// has ended, threads that wait for each other do nothing more, and what has no meaning leaves the answer open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// The error function is never called.
    Unreachable,
    /// No two accesses race.
    DataRace,
    /// No signed integer overflows.
    Overflow,
    /// All pointers that are followed or freed may be, and memory that is not freed is still known at the end.
    Memory,
    /// Every execution ends.
    Termination,
}
