//! Orders of recorded events, found by trying everything: the ordering solver is compared with them.
//!
//! [`random`] makes traces and queries, [`enumerate`] answers a query by looking at every state, [`compare`] asks the
//! solver, the enumerator and Z3 the same.

pub mod compare;
pub mod enumerate;
pub mod random;
