//! The tests of the command line and of what it drives.

mod architecture;
mod check;
mod cli;
mod common;
mod corpus;
mod dependence;
mod drivers;
mod exact;
mod limits;
mod mcr;
mod mcr_calls;
mod mutants;
mod oracle;
mod paths;
mod rc11;
mod readme;
mod scarce;
mod second;
mod shadow;
mod strategies;
mod viequi;
