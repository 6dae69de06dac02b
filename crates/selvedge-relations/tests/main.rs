//! The exploration beside the enumerator, and known results.

mod families;
mod random;
