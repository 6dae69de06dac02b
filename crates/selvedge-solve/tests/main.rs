//! The solver beside those who answer the same questions in other ways.

mod random;
