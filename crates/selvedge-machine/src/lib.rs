//! Executes a lowered program one chosen step at a time.
//!
//! The machine never chooses: it says which threads can step and what their next visible operation is, the caller
//! picks. It does no input or output of its own and holds no global state: two machines never meet.

mod bits;
mod buffers;
mod context;
mod counting;
mod followed;
mod footprint;
mod halt;
mod holders;
mod interpret;
mod leaks;
mod library;
mod live;
mod lookback;
mod machine;
mod memory;
mod model;
mod naming;
mod native;
mod ops;
#[cfg(test)]
mod orders;
mod output;
mod parts;
mod privacy;
mod sequential;
mod shadow;
mod spurious;
mod start;
mod sync;
mod thread;
mod touches;
mod traits;
mod view;
mod weak;
mod words;
mod world;

pub use counting::Adds;
pub use followed::{Followed, Group, Touch};
pub use footprint::{Footprint, Span, Wanted, Word};
pub use halt::{Halt, Violation, ViolationKind};
pub use library::inputs::{Asked, asks_for_inputs};
pub use library::is_modelled;
pub use machine::{BACK, Blocked, Config, Machine, Outcome, Pick, Snapshot, Stepped};
pub use memory::{Object, ObjectKind, Pointer, Provenance};
pub use model::{Buffering, Datum, Origin, WaitingStore};
pub use privacy::HiddenSharing;
pub use selvedge_trace::{SPURIOUS, TIMEOUT};
pub use shadow::{Extent, Recorded, Symbolic, perform, perform_and_look, perform_moves};
pub use spurious::{Spurious, is_spurious, may_wait};
pub use start::ROOTS;
pub use thread::{Status, Thread, Wait, Wake};
pub use traits::{Access, Reach, Trait, Traits, traits_of, uses};
pub use weak::{Ahead, Alone, Place, Plain, Raced, Start, StoredBy, Weakness};
