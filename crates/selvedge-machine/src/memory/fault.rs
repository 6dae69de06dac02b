//! What can be wrong with an access.

use super::{Found, Pointer};
use selvedge_program::{CODE_BASE, GLOBAL_BASE, NULL_GUARD};

/// The kinds of wrong accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// Through a null pointer, or one close to it.
    Null,
    /// Outside of the object that the pointer came from.
    OutOfBounds,
    /// The object was freed, or its function returned.
    UseAfterFree,
    /// No object has ever been there.
    Wild,
    /// The address of a function.
    Code,
    /// A constant was written.
    Constant,
    /// `free` of something that is not the start of a heap block.
    InvalidFree,
    /// The object counts as private to another thread.
    Private,
}

impl FaultKind {
    /// The kind of an access to an address where no object is.
    pub fn of_address(address: u64) -> Self {
        match address {
            0..NULL_GUARD => FaultKind::Null,
            CODE_BASE..GLOBAL_BASE => FaultKind::Code,
            _ => FaultKind::Wild,
        }
    }
}

/// A wrong access.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The pointer that was used.
    pub pointer: Pointer,
    /// Bytes that were to be accessed.
    pub len: u64,
    /// What the pointer points to or used to point to.
    pub found: Option<Found>,
}
