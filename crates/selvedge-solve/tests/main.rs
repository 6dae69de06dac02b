//! The solver beside an enumerator.

mod enumerated;
