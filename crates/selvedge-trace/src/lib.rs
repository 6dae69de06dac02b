//! The vocabulary of executions: threads, operations, events, schedules, and their file formats.
//!
//! Plain data that every other crate speaks. Nothing here executes, chooses or prints for people.

mod births;
mod choices;
mod event;
mod file;
mod input;
mod model;
pub mod mutants;
mod note;
mod place;
mod property;
mod reductions;
mod schedule;
mod sync;
mod thread;

pub use births::{AllocationSite, BadAllocationSite, Births};
pub use choices::Choices;
pub use event::{Event, EventKind, MemoryOrder, Operation, Value};
pub use file::{FileProblem, MOST_STEPS, ScheduleFileError, read_schedule, write_schedule};
pub use input::{BadInputName, InputName};
pub use model::{CommitOrder, Executions, Model, ModelRow};
pub use note::StepNote;
pub use place::{Cause, Place};
pub use property::Property;
pub use reductions::{Reduction, Reductions};
pub use schedule::{Choice, Claim, Inputs, SPURIOUS, Schedule, TIMEOUT};
pub use sync::{Share, Sync, SyncEffect, SyncObject};
pub use thread::{BadThreadName, ThreadId, ThreadName};
