//! The tests of the command line and of what it drives.

mod architecture;
mod book;
mod builds;
mod cargo;
mod check;
mod checkpoints;
mod cli;
mod common;
mod concolic;
mod corpus;
mod debug;
mod dependence;
mod drivers;
mod drop_in;
mod exact;
mod installed;
mod limits;
mod mcr;
mod mcr_calls;
mod mistakes;
mod mutants;
mod oracle;
mod paths;
mod points;
mod rc11;
mod readme;
mod replay;
mod reports;
mod reproduce;
mod scarce;

mod second;
mod std_models;
mod strategies;
mod viequi;
