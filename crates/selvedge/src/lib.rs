//! The parts of the command line that are also of use to tests.

pub mod check;
pub mod cli;
pub mod compare;
pub mod debug;
pub mod doctor;
pub mod drivers;
pub mod run;
pub mod svcomp;
