//! Results as plain data in the user's words, and as text.
//!
//! Nothing here executes or knows the machine: what is reported has been put into words before it comes here, and
//! formats are leaves.

mod result;
mod style;
mod table;
pub mod text;

pub use result::{Kind, Leak, Place, StackLine, Unknown, Verdict, Violation, Waiting};
pub use style::Style;
pub use table::{Row, Table};
