//! Looks for mistakes of Selvedge: random programs beside native ones, damaged files, random threads under every
//! memory model. Each case is determined by its number.

pub mod abi;
pub mod alike;
pub mod batch;
pub mod campaign;
pub mod check;
pub mod clients;
pub mod commute;
pub mod concolic;
pub mod corpus;
pub mod csmith;
pub mod graphs;
pub mod inputs;
pub mod litmus;
pub mod loader;
mod mutate;
mod native;
mod outcome;
pub mod programs;
pub mod random;
pub mod schedule;
pub mod solve;
pub mod terms;
pub mod threads;
pub mod weak;
