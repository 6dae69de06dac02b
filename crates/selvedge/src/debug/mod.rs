//! Debugging a recorded execution, forwards and backwards.
//!
//! [`Session`] knows no protocol: it goes from one moment of the execution to another, and shows threads, frames and
//! variables there. [`adapter`] puts the Debug Adapter Protocol in front of it, [`terminal`] a prompt.

pub mod adapter;
mod breakpoints;
mod frames;
mod protocol;
mod session;
pub mod terminal;
mod timeline;
mod variables;

pub use session::{Session, Step, Stop};
