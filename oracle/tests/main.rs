//! The enumerator against what is known from elsewhere, and against itself.

mod agreement;
mod known;
