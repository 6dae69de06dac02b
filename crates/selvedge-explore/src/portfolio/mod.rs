//! The portfolio: several searches for one answer, `auto`.
//!
//! Each member is complete, or says that it is not; the first complete answer counts, and what another member finds is
//! replayed before it does. Here is decided which members run when, for how long, and whose answer is taken; how a member
//! explores is the business of its own family.

pub mod graphs;
pub mod interleavings;
