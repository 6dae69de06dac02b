//! The relations of an execution under C++20's memory model, and the exploration of all execution graphs.
//!
//! A [`Graph`] holds the events of an execution with program order, reads-from and modification order, and derives
//! the rest from them: happens-before as vector clocks, the others when they are asked for. It knows nothing of how
//! executions come about. [`explore`] goes through all consistent graphs of a [`Program`]. `docs/models.md` says
//! which rule is from where. Nothing here executes real programs or knows of LLVM.

mod acyclic;
mod clock;
mod coherence;
mod cycle;
mod event;
mod explore;
mod graph;
mod hardware;
mod program;
mod psc;
mod race;
mod revisit;
mod states;

pub use acyclic::Rules;
pub use clock::Clock;
pub use cycle::{Edge, Reason};
pub use event::{Event, EventId, Kind, Label};
pub use explore::{End, Explored, Open, explore, extend};
pub use graph::{Graph, Location, Record};
pub use program::{Next, Program};
pub use states::{Matched, States, explore_states};
