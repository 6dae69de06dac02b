//! The enumerators against what is known from elsewhere and against each other, and the solvers and searches of the
//! product crates against the enumerators.

mod agreement;
mod constraints;
mod formulas;
mod graphs;
mod known;
mod orders;
mod paths;
