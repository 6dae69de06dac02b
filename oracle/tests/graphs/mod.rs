//! The exploration of execution graphs beside the enumerator, and known results.

mod counted;
mod cycles;
mod families;
mod machines;
mod random;
mod states;
