//! The exploration beside the enumerator, and known results.

mod random;
