//! Why an execution cannot go on.

use crate::memory::{Fault, FaultKind};
use serde::{Deserialize, Serialize};

/// How the message about a synchronisation object ends that is used after its destruction.
pub const DESTROYED: &str = "which has been destroyed";

/// The kinds of violations that an execution can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ViolationKind {
    /// A failed assertion.
    Assertion,
    /// The function was called that the verification competition calls to say that something is wrong.
    ErrorFunction,
    /// A Rust panic that ended the program.
    Panic,
    /// The program called `abort`, or terminated because of an uncaught exception.
    Abort,
    /// Threads wait for each other.
    Deadlock,
    /// Out of bounds, use after free, double free, null, ...
    Memory,
    /// Memory that was never freed.
    Leak,
    /// A decision or an address depends on memory that was never written.
    Uninitialised,
    /// Division by zero, or a quotient that does not fit.
    Division,
    /// A signed integer does not fit.
    Overflow,
    /// A place was reached that the program says cannot be reached.
    Unreachable,
    /// Two accesses of which neither happens before the other, in a model in which that is the machine's to say.
    DataRace,
    /// A synchronisation primitive was misused (unlocking what is not locked, ...).
    Misuse,
}

/// A violation, before it is put into the user's words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Violation {
    pub kind: ViolationKind,
    /// One sentence, without the position.
    pub message: String,
}

/// Why a thread cannot go on.
#[derive(Clone, Debug)]
pub enum Halt {
    /// The program did something wrong.
    Violation(Box<Violation>),
    /// The program did something that the machine does not support: the verdict is unknown.
    Unsupported(String),
    /// A wrong memory access, to be described by the machine.
    Fault(Box<Fault>),
}

impl Halt {
    /// A violation.
    pub fn violation(kind: ViolationKind, message: impl Into<String>) -> Self {
        Halt::Violation(Box::new(Violation { kind, message: message.into() }))
    }

    /// Whether something was used that was there before.
    pub(crate) fn is_about_gone(&self) -> bool {
        match self {
            Halt::Fault(fault) => fault.kind == FaultKind::UseAfterFree,
            Halt::Violation(violation) => {
                violation.kind == ViolationKind::Misuse && violation.message.ends_with(DESTROYED)
            }
            Halt::Unsupported(_) => false,
        }
    }

    /// Something unsupported; `what` completes the sentence "unsupported ...".
    pub fn unsupported(what: impl Into<String>) -> Self {
        Halt::Unsupported(what.into())
    }
}

impl From<Box<Fault>> for Halt {
    fn from(fault: Box<Fault>) -> Self {
        Halt::Fault(fault)
    }
}
