//! The tests of the command line and of what it drives.

mod cli;
mod corpus;
mod drivers;
mod readme;
