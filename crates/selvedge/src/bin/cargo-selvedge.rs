//! `cargo selvedge`.

use std::process::ExitCode;

/// A search makes and drops small pieces of states all the time, on all cores.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    selvedge::drivers::wrapper::run_if_wrapper();
    selvedge::cli::cargo::main()
}
