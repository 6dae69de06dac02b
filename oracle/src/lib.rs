//! Small concurrent programs, and everything that they can do, found out without any of the search's ideas.
//!
//! A program of the small [`language`] goes two ways: as C through the compiler, the machine and the search
//! ([`c`]), and directly through an interpreter that tries every interleaving ([`enumerate`]). What comes out has to
//! be the same ([`compare`]). The interpreter shares no code with the machine and is kept simple on purpose: it is
//! what the search is measured by. It is in turn measured by programs whose answers are known ([`tables`],
//! [`litmus`]).
//!
//! Every other part of the search that answers questions of its own has its reference here too: the exploration of
//! execution graphs the axioms of the memory models and an enumerator of graphs ([`axiomatic`]), the ordering solver an
//! enumerator of orders ([`orders`]), the decision procedure random formulas ([`formulas`]), the search over paths an
//! interpreter of programs with inputs ([`paths`]).
//!
//! For tests, fuzzing and figures only: no product crate depends on this one. What may not enter: anything that shares an
//! idea with what it is compared with.

pub mod axiomatic;
pub mod c;
mod code;
pub mod compare;
pub mod concolic;
pub mod constraints;
pub mod enumerate;
pub mod formulas;
pub mod generate;
pub mod graphs;
pub mod language;
pub mod litmus;
pub mod machine;
pub mod notation;
pub mod numbers;
pub mod orders;
pub mod paths;
pub mod print;
pub mod reproduce;
pub mod shapes;
pub mod shrink;
mod state;
pub mod tables;
mod wellformed;

pub use language::Program;
pub use selvedge_trace::Model;
