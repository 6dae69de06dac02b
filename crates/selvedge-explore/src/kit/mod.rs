//! The engine kit: what strategies of several families share.
//!
//! One step of an exploration and where it led, processes and their events, the search for the schedule of a violation,
//! races between pending accesses, checkpoints. Nothing here decides what is explored.

pub mod checkpoint;
pub mod dependence;
pub mod event;
pub mod exploration;
pub mod findings;
pub mod hidden_sharing;
pub mod keep;
pub mod process;
pub mod races;
pub mod step;
