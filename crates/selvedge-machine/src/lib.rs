//! Executes a lowered program one chosen step at a time.
//!
//! The machine never chooses: it says which threads can step and what their next visible operation is, the caller
//! picks. It does no input or output of its own and holds no global state: two machines never meet.

mod bits;
mod buffers;
mod choices;
mod concolic;
mod context;
mod counting;
mod ending;
mod followed;
mod footprint;
mod graph;
mod halt;
mod holders;
mod hooks;
mod inspect;
mod interpret;
mod leaks;
mod library;
mod live;
mod machine;
mod memory;
mod model;
mod naming;
mod native;
mod operational;
mod ops;
#[cfg(test)]
mod orders;
mod output;
mod parts;
mod privacy;
mod property;
mod sequential;
mod spurious;
mod start;
mod sync;
mod thread;
mod touches;
mod traits;
mod view;
mod words;
mod world;

pub use choices::{Choices, Known, Predicates};
pub use concolic::{
    AloneError, Decisions, Extent, PathEnd, Recorded, Symbolic, perform, perform_and_look, perform_by,
    perform_moves, run_alone,
};
pub use counting::{Adds, Count};
pub use ending::{Broken, END_PROPERTIES, EndProperties, EndProperty};
pub use followed::{Followed, Group, Touch};
pub use footprint::{Footprint, Span, Wanted, Word};
pub use graph::{Ahead, Alone, GraphAccess, Place, Plain, Raced, Start, StoredBy, WeakBehaviour};
pub use halt::{Halt, Violation, ViolationKind};
pub use inspect::{Inspect, InspectGraph, Probe};
pub use library::inputs::{Asked, asks_for_inputs};
pub use library::is_modelled;
pub use machine::{Blocked, Config, Machine, OLDER_STORE, Outcome, Pick, Snapshot, Stepped};
pub use memory::{Object, ObjectKind, Pointer, Provenance};
pub use model::{Buffering, Datum, Origin, WaitingStore};
pub use naming::{Blocks, Named};
pub use privacy::HiddenSharing;
pub use selvedge_relations::EventId;
pub use selvedge_trace::{SPURIOUS, TIMEOUT};
pub use spurious::{Spurious, is_spurious, may_wait};
pub use start::ROOTS;
pub use sync::has_library_code;
pub use thread::{Status, Thread, Wait, Wake};
pub use traits::{Access, Reach, Trait, Traits, traits_of, uses};
