//! The vocabulary of executions: threads, operations, events, schedules, and their file formats.
//!
//! Plain data that every other crate speaks. Nothing here executes, chooses or prints for people.

mod event;
mod model;
mod schedule;
mod thread;

pub use event::{Event, EventKind, MemoryOrder, Operation, Value};
pub use model::Model;
pub use schedule::{Choice, Inputs, Schedule};
pub use thread::{BadThreadName, ThreadId, ThreadName};
