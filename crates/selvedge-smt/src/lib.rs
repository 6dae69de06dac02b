//! Z3, in a process of its own, as a second opinion.
//!
//! [`Z3`] answers the queries of the ordering solver (`selvedge-order`), [`Process`] decides formulas as
//! [`selvedge_terms::decide::Native`] does. The two answer from SMT-LIB text that is written from the meaning of events
//! and terms alone. A search gets them only through [`StartZ3`], which its caller hands in.
//!
//! This is the only crate that starts a solver's process, and no crate that searches depends on it. What may not enter:
//! decisions about what is asked.

mod formulas;
mod question;
mod text;
mod z3;

pub use formulas::Process;
pub use question::question;
pub use z3::{StartZ3, Verdict, Z3, Z3Error};
