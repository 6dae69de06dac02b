//! Results as plain data in the user's words, and the forms in which they are reported: `formats.rs` lists those of a check.
//!
//! Nothing here executes or knows the machine: what is reported has been put into words before it comes here, and
//! formats are leaves.

mod check;
mod effect;
mod elsewhere;
mod formats;
pub mod html;
pub mod perfetto;
mod result;
mod style;
mod table;
pub mod text;

pub use check::{Answer, Asked, Check, Covered, CrossCheck, Found, SecondOutcome, SecondSearch, SolverWork};
pub use effect::{Effect, Lock, Variable};
pub use elsewhere::Elsewhere;
pub use formats::{FORMATS, Format, Manner, json, junit};
pub use result::{Doing, Kind, Leak, Place, StackLine, Unknown, Verdict, Violation, Waiting};
pub use style::Style;
pub use table::{Row, Table};
