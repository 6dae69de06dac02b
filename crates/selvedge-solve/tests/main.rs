//! The solver beside those who answer the same questions in other ways, and beside numbers that are known.

mod decide;
mod litmus;
mod paths;
mod programs;
mod queries;
mod random;
mod terms;
