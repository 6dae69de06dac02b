//! The engine kit: what strategies of several families share.
//!
//! The driver of workers, one step of an exploration and where it led, processes and their events, footprints and dependence, the schedule of a
//! violation, races between pending accesses, checkpoints, the new beginning after hidden sharing. Nothing here decides
//! what is explored, and nothing here knows a strategy.

pub mod checkpoint;
pub mod dependence;
pub mod driver;
pub mod event;
pub mod exploration;
pub mod findings;
pub mod hidden_sharing;
pub mod process;
pub mod races;
pub mod step;
