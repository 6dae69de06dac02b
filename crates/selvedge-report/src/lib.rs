//! Results as plain data in the user's words, as text and as JSON.
//!
//! Nothing here executes or knows the machine: what is reported has been put into words before it comes here, and
//! formats are leaves.

mod check;
mod elsewhere;
pub mod json;
mod result;
mod style;
mod table;
pub mod text;

pub use check::{Answer, Check, Covered, CrossCheck, Found, SecondOutcome, SecondSearch, SolverWork};
pub use elsewhere::Elsewhere;
pub use result::{Doing, Kind, Leak, Place, StackLine, Unknown, Verdict, Violation, Waiting};
pub use style::Style;
pub use table::{Row, Table};
