//! Explores all executions of a program.
//!
//! A strategy decides which schedules have to be looked at; the machine executes them. Nothing here does input or
//! output: progress is counted where a caller can see it, findings are plain data.

mod options;
mod report;

pub use options::{Options, Strategy};
pub use report::{Access, Budget, Bug, Finding, Progress, Report, Unfinished};
