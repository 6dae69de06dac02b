//! The tests of the command line and of what it drives.

mod corpus;
mod drivers;
