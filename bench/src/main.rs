//! Benchmarks: each prints a table beside a reference that is measured in the same run.
//!
//! `cargo run --release -p selvedge-bench -- engine`
//! `cargo run --release -p selvedge-bench -- check`
//! `cargo run --release -p selvedge-bench -- solve`

mod check;
mod engine;
mod programs;
mod solve;

use clap::Parser;

/// Measure Selvedge.
#[derive(Parser)]
#[command(name = "selvedge-bench")]
enum Benchmark {
    /// The engine beside LLVM's interpreter and native code.
    Engine,
    /// Complete searches: time, states and memory, beside other checkers where they are installed.
    Check(Box<check::Options>),
    /// The ordering solver beside Z3.
    Solve(solve::Options),
}

fn main() -> std::process::ExitCode {
    let outcome = match Benchmark::parse() {
        Benchmark::Engine => engine::run(),
        Benchmark::Check(options) => check::run(&options),
        Benchmark::Solve(options) => solve::run(&options),
    };
    match outcome {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("selvedge-bench: {message}");
            std::process::ExitCode::from(2)
        }
    }
}
