//! Compiles and loads the programs that are measured.

use selvedge_machine::{Config, Machine, Outcome, Pick, Stepped};
use selvedge_program::{LoadRequest, ModuleBytes, Program};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Folder with the sources.
pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("engine")
}

/// Runs a command that must succeed.
pub fn execute(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Compiles a program to bitcode: C at -O0, Rust at opt-level 1 (the least at which LLVM's interpreter copes).
pub fn bitcode(name: &str, folder: &Path) -> Result<PathBuf, String> {
    let source = sources().join(name);
    let target = folder.join(name).with_extension("bc");
    let mut command = match name.ends_with(".rs") {
        true => {
            let mut command = Command::new("rustc");
            command.args([
                "--edition",
                "2024",
                "-C",
                "panic=abort",
                "-C",
                "lto=fat",
                "-C",
                "embed-bitcode=yes",
            ]);
            command.args(["-C", "codegen-units=1", "-C", "opt-level=1", "--emit=llvm-bc,link", "--out-dir"]);
            command.arg(folder);
            command
        }
        false => {
            let mut command = Command::new("clang-22");
            command.args(["-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c", "-o"]);
            command.arg(&target);
            command
        }
    };
    execute(command.arg(source))?;
    Ok(target)
}

/// Loads bitcode as `selvedge run` does.
pub fn load(path: &Path) -> Result<Arc<Program>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let request = LoadRequest {
        modules: vec![ModuleBytes { name: "program", bytes: &bytes }],
        archives: vec![ModuleBytes { name: "libc", bytes: selvedge_libc::archive() }],
        modelled: &selvedge_machine::is_modelled,
        roots: selvedge_machine::ROOTS,
        user_root: None,
        volatile: None,
        keep_variables: false,
    };
    selvedge_program::load(&request).map(Arc::new).map_err(|error| error.to_string())
}

/// Runs a machine to its end, turn by turn among the threads that can step; returns the steps taken.
pub fn run_to_end(machine: &mut Machine) -> Result<u64, String> {
    let mut picks: Vec<Pick> = Vec::new();
    let mut steps = 0_u64;
    loop {
        machine.picks(&mut picks);
        if picks.is_empty() {
            break;
        }
        let pick = picks[steps as usize % picks.len()];
        steps += 1;
        let mut stepped = machine.step(pick);
        while stepped == Stepped::OutOfFuel {
            stepped = machine.resume();
        }
    }
    match machine.outcome() {
        Some(Outcome::Exited(0)) => Ok(steps),
        other => Err(format!("the program did not end well: {other:?}")),
    }
}

/// A machine before its first step.
pub fn machine(program: &Arc<Program>) -> Machine {
    Machine::new(program.clone(), Config::default())
}
