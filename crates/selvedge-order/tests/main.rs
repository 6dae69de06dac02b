//! The ordering solver beside numbers that are known.

mod litmus;
mod queries;
