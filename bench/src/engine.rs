//! The engine beside LLVM's interpreter and native code; snapshots; visible steps.

use crate::programs::{bitcode, execute, load, machine, run_to_end, sources};
use selvedge_machine::{Config, Machine, Pick, Stepped};
use selvedge_trace::Inputs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ROUNDS: usize = 3;
const WORKLOADS: [(&str, &str); 4] =
    [("integer", "integer.c"), ("memory", "memory.c"), ("calls", "calls.c"), ("Rust", "rust.rs")];

/// The best of a few rounds.
fn best(mut measure: impl FnMut() -> Result<Duration, String>) -> Result<Duration, String> {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        best = best.min(measure()?);
    }
    Ok(best)
}

fn timed(command: &mut Command) -> Result<Duration, String> {
    let start = Instant::now();
    execute(command)?;
    Ok(start.elapsed())
}

/// Prints the table.
pub fn run() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    println!("| workload | selvedge | lli interpreter | native -O0 | faster than lli | slower than native |");
    println!("|---|---|---|---|---|---|");
    let mut product = 1.0;
    for (name, source) in WORKLOADS {
        let [ours, lli, native] = measure(source, folder.path())?;
        let ratio = lli.as_secs_f64() / ours.as_secs_f64();
        product *= ratio;
        println!(
            "| {name} | {:.1} ms | {:.1} ms | {:.2} ms | {ratio:.1} x | {:.0} x |",
            ours.as_secs_f64() * 1e3,
            lli.as_secs_f64() * 1e3,
            native.as_secs_f64() * 1e3,
            ours.as_secs_f64() / native.as_secs_f64()
        );
    }
    println!(
        "\ngeometric mean: {:.1} times as fast as lli's interpreter",
        product.powf(1.0 / WORKLOADS.len() as f64)
    );
    visible_steps(folder.path())?;
    snapshots(folder.path())?;
    search(folder.path())?;
    loading(folder.path())
}

/// What a search does in every state, part by part, with few and with many threads.
fn search(folder: &Path) -> Result<(), String> {
    let program = load(&bitcode("threads.c", folder)?)?;
    for threads in [2, 50, 500] {
        let inputs = Inputs { arguments: vec![threads.to_string()], ..Inputs::default() };
        let config = Config { inputs: Arc::new(inputs), ..Config::default() };
        let mut machine = Machine::new(program.clone(), config);
        let mut picks: Vec<Pick> = Vec::new();
        while machine.threads().len() <= threads {
            machine.picks(&mut picks);
            machine.step(picks[0]);
        }
        machine.picks(&mut picks);
        machine.state_hash();
        let mut base = machine.snapshot();
        let mut parts: [Vec<u128>; 5] = Default::default();
        let mut rounds = 0_usize;
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(500) {
            let mut part = Instant::now();
            let mut done = |index: usize| {
                let now = Instant::now();
                parts[index].push((now - part).as_nanos());
                part = now;
            };
            machine.restore(&base);
            done(4);
            machine.step(picks[rounds % picks.len()]);
            done(2);
            std::hint::black_box(machine.state_hash());
            done(3);
            let snapshot = machine.snapshot();
            done(1);
            machine.picks(&mut picks);
            done(0);
            if rounds.is_multiple_of(2) {
                base = snapshot;
            }
            rounds += 1;
        }
        // The median: on a busy machine the mean says how busy it is.
        let [picking, snapshot, step, hash, restore] = parts.map(|mut part| {
            part.sort_unstable();
            part[part.len() / 2]
        });
        println!(
            "search, {threads} threads: picks {picking} ns, snapshot {snapshot} ns, step {step} ns, \
             hash {hash} ns, restore {restore} ns"
        );
    }
    Ok(())
}

/// How long it takes from the bitcode of a whole Rust program, unoptimised and with debug information, to the first
/// operation.
fn loading(folder: &Path) -> Result<(), String> {
    let mut command = Command::new("rustc");
    command.args([
        "--edition",
        "2024",
        "-g",
        "-C",
        "lto=fat",
        "-C",
        "embed-bitcode=yes",
        "-C",
        "codegen-units=1",
    ]);
    command.args(["--emit=llvm-bc,link", "--out-dir"]).arg(folder).arg(sources().join("whole.rs"));
    execute(&mut command)?;
    let path = folder.join("whole.bc");
    let megabytes = std::fs::metadata(&path).map_err(|error| error.to_string())?.len() as f64 / 1e6;
    let time = best(|| {
        let start = Instant::now();
        machine(&load(&path)?);
        Ok(start.elapsed())
    })?;
    println!("loading a Rust program of {megabytes:.1} MB of bitcode: {:.2} s", time.as_secs_f64());
    Ok(())
}

fn measure(source: &str, folder: &Path) -> Result<[Duration; 3], String> {
    let ours_bitcode = bitcode(source, folder)?;
    // LLVM's interpreter wants a definition of this symbol, which only a linker makes.
    let handle = folder.join("handle.ll");
    std::fs::write(&handle, "@__dso_handle = global i8 0\n").map_err(|error| error.to_string())?;
    let linked = folder.join("linked.bc");
    execute(Command::new("llvm-link-22").args([&ours_bitcode, &handle]).arg("-o").arg(&linked))?;
    let binary = folder.join("native");
    execute(
        Command::new("clang-22")
            .args(["-O0", "-Wno-override-module"])
            .arg(&ours_bitcode)
            .arg("-o")
            .arg(&binary)
            .args(["-lgcc_s", "-lm"]),
    )?;
    let program = load(&ours_bitcode)?;
    let ours = best(|| {
        let start = Instant::now();
        run_to_end(&mut machine(&program))?;
        Ok(start.elapsed())
    })?;
    let lli = best(|| timed(Command::new("lli-22").arg("--force-interpreter").arg(&linked)))?;
    let native = best(|| timed(&mut Command::new(&binary)))?;
    Ok([ours, lli, native])
}

fn visible_steps(folder: &Path) -> Result<(), String> {
    let program = load(&bitcode("counters.c", folder)?)?;
    let mut best = 0.0_f64;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let steps = run_to_end(&mut machine(&program))?;
        best = best.max(steps as f64 / start.elapsed().as_secs_f64());
    }
    println!("visible steps, four threads on shared counters: {:.2} million a second", best / 1e6);
    Ok(())
}

/// Takes a snapshot, goes four steps, comes back; with 100 MB of live memory.
fn snapshots(folder: &Path) -> Result<(), String> {
    let program = load(&bitcode("large.c", folder)?)?;
    let mut machine = machine(&program);
    let mut picks: Vec<Pick> = Vec::new();
    let step = |machine: &mut selvedge_machine::Machine, picks: &mut Vec<Pick>, turn: usize| {
        machine.picks(picks);
        let pick = picks[turn % picks.len()];
        let mut stepped = machine.step(pick);
        while stepped == Stepped::OutOfFuel {
            stepped = machine.resume();
        }
    };
    while machine.threads().len() < 2 {
        step(&mut machine, &mut picks, 0);
    }
    let start = Instant::now();
    let mut rounds = 0_u64;
    while start.elapsed() < Duration::from_secs(1) {
        let snapshot = machine.snapshot();
        for turn in 0..4 {
            step(&mut machine, &mut picks, turn);
        }
        machine.restore(&snapshot);
        // Somewhere else the next time.
        step(&mut machine, &mut picks, rounds as usize);
        rounds += 1;
    }
    let rate = rounds as f64 / start.elapsed().as_secs_f64();
    println!("snapshot, five steps, restore, with 100 MB of live memory: {rate:.0} a second");
    Ok(())
}
