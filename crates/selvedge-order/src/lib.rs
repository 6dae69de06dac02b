//! Orders of recorded events.
//!
//! A [`Trace`] holds the events of an execution, thread by thread, with the values that they read and wrote. A
//! [`Query`] asks: is there a consistent order of these events, or of a beginning of each thread's events, in which
//! this read sees that value, these two accesses meet, these threads block each other? The [`Answer`] is the smallest
//! such order, to be replayed, or that there is none, under sequential consistency, TSO or PSO. Values decide, not the
//! events that wrote them.
//!
//! [`Prepared`] is a trace made ready; it is shared by all queries about the trace. `docs/solver.md` says why the
//! answers are exact.
//!
//! An [`ExternalSolver`] can answer in the place of the solver that is here; the caller starts it and hands it in.
//!
//! What may not enter: execution of programs, LLVM, input and output (no process is started here), values that are not
//! numbers (`selvedge-terms` and `selvedge-paths` have expressions), and what only tests need (`selvedge-oracle` has the
//! enumerator of orders and the random traces).
//!
//! ```
//! use selvedge_order::{Action, Place, Prepared, Query, Scratch, Trace};
//! use selvedge_trace::{MemoryOrder, Model, Value};
//!
//! // One thread stores 1, the other one has read 0: could it have read 1?
//! let mut trace = Trace::new();
//! let (at, zero, one) = (Place::new(64, 1), Value::from_slice(&[0]), Value::from_slice(&[1]));
//! let read = trace.push(0, Action::Read { at, value: zero });
//! trace.push(1, Action::Write { at, value: one.clone(), order: MemoryOrder::Relaxed });
//! let prepared = Prepared::new(&trace, Model::Tso)?;
//! let query = Query::new().see(&trace, read, one);
//! let answer = prepared.solve(&query, &mut Scratch::new())?;
//! // The store, its commit, the read.
//! assert_eq!(answer.size(), Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod build;
mod clock;
mod closure;
mod event;
mod extend;
mod external;
mod memo;
mod moments;
mod prepare;
mod query;
mod relevant;
mod scratch;
mod search;
mod simulate;
mod solve;
mod trace;
mod view;

pub use event::{Action, Cause, EventId, Place};
pub use external::{ExternalSolver, SolverError, StartSolver};
pub use prepare::Prepared;
pub use query::{Answer, Query, QueryError, Requirement, Step};
pub use scratch::{Scratch, Spent};
pub use simulate::{Mismatch, Simulation, verify};
pub use trace::{Trace, TraceError};
