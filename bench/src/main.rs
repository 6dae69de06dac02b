//! Benchmarks: each prints a table beside a reference that is measured in the same run.
//!
//! `cargo run --release -p selvedge-bench -- engine`
//! `cargo run --release -p selvedge-bench -- check`
//! `cargo run --release -p selvedge-bench -- rc11`
//! `cargo run --release -p selvedge-bench -- inputs`
//! `cargo run --release -p selvedge-bench -- mutants`
//! `cargo run --release -p selvedge-bench -- weakened`
//! `cargo run --release -p selvedge-bench -- nets`
//! `cargo run --release -p selvedge-bench -- examples`
//! `cargo run --release -p selvedge-bench -- solve`
//! `cargo run --release -p selvedge-bench -- strategies`
//! `cargo run --release -p selvedge-bench -- svcomp`

mod check;
mod engine;
mod examples;
mod inputs;
mod mutants;
mod nets;
mod programs;
mod published;
mod solve;
mod strategies;
mod svcomp;
mod weakened;

use clap::Parser;

/// Measure Selvedge.
#[derive(Parser)]
#[command(name = "selvedge-bench")]
enum Benchmark {
    /// The engine beside LLVM's interpreter and native code.
    Engine,
    /// Complete searches: time, states and memory, beside other checkers where they are installed.
    Check(Box<check::Options>),
    /// Executions under the language's memory model, beside GenMC where it is installed.
    Rc11(Box<check::Options>),
    /// Inputs as well as schedules: paths of the programs of the literature, beside published figures.
    Inputs(inputs::Options),
    /// Maximal path causality as it was published, beside our search.
    Published(published::Options),
    /// Memory orders made weaker one at a time: which of these mutants are caught.
    Mutants(mutants::Options),
    /// The same for libraries as they are: the orders of what was compiled are made weaker.
    Weakened(weakened::Options),
    /// What the second search costs, and each reduction that is switched off.
    Nets(nets::Options),
    /// The whole of `selvedge check` on each example, as a user waits for it.
    Examples(examples::Options),
    /// The ordering solver beside Z3.
    Solve(solve::Options),
    /// Every strategy on the programs of the literature, with the published figures beside ours.
    Strategies(strategies::Options),
    /// Tasks in the manner of the verification competition, with the right answer of each, scored as there.
    Svcomp(svcomp::Options),
}

fn main() -> std::process::ExitCode {
    let outcome = match Benchmark::parse() {
        Benchmark::Engine => engine::run(),
        Benchmark::Check(options) => check::run(&options),
        Benchmark::Rc11(options) => check::run_language(*options),
        Benchmark::Inputs(options) => inputs::run(&options),
        Benchmark::Published(options) => published::run(&options),
        Benchmark::Mutants(options) => mutants::run(&options),
        Benchmark::Weakened(options) => weakened::run(&options),
        Benchmark::Nets(options) => nets::run(&options),
        Benchmark::Examples(options) => examples::run(&options),
        Benchmark::Solve(options) => solve::run(&options),
        Benchmark::Strategies(options) => strategies::run(&options),
        Benchmark::Svcomp(options) => svcomp::run(&options),
    };
    match outcome {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("selvedge-bench: {message}");
            std::process::ExitCode::from(2)
        }
    }
}
