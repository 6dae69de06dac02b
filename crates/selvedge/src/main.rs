//! The command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    selvedge::drivers::wrapper::run_if_wrapper();
    selvedge::cli::main()
}
