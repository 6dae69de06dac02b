//! Await loops (GenMC's spin-assume): rounds of a loop that lead a thread back to its state are left out of execution graphs.

pub mod detours;
pub mod looks;
pub mod repeats;
