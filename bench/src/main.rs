//! Benchmarks: each prints a table of ratios against a reference that is measured in the same run.
//!
//! `cargo run --release -p selvedge-bench -- engine`

mod engine;
mod programs;

fn main() -> std::process::ExitCode {
    let outcome = match std::env::args().nth(1).as_deref() {
        Some("engine") => engine::run(),
        _ => Err("say which benchmark to run: engine".to_owned()),
    };
    match outcome {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("selvedge-bench: {message}");
            std::process::ExitCode::from(2)
        }
    }
}
