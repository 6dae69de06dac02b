//! Await loops: rounds of a loop that lead a thread back to where it was are left out of execution graphs.

pub mod detours;
pub mod looks;
pub mod repeats;
