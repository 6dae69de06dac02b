//! Several searches for one answer: `auto`.
//!
//! Each member is complete, or says that it is not; the first complete answer counts, and what another member finds is
//! replayed before it does.

pub mod graphs;
pub mod interleavings;
