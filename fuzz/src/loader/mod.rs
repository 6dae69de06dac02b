//! Damaged modules: whatever the bytes are, loading them is a program or an error, and a program can be run.
//!
//! LLVM's own reader does crash on some damaged files. Selvedge therefore lets a child process read modules that it
//! did not make itself and write them anew; only what is written there must pass here.

mod modules;

pub use modules::Modules;

use crate::batch::Children;
use crate::campaign::{Campaign, Ran, Summary};
use crate::random::Random;
use selvedge_machine::{Config, Machine, Pick, Stepped};
use selvedge_program::{LoadError, LoadRequest, ModuleBytes, Program};
use std::path::Path;
use std::sync::Arc;

/// The stage in which LLVM reads a module.
pub const READING: &str = "read";
/// Steps that a damaged program may take.
const STEPS: usize = 300;

/// Runs a campaign; `program` is this one, for the children.
pub fn run(campaign: &Campaign, program: &Path) -> Result<Summary, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    Modules::compile(folder.path())?;
    let modules = Modules::read(folder.path())?;
    let children = Children {
        program,
        arguments: vec![
            "loader-child".to_owned(),
            "--folder".to_owned(),
            folder.path().display().to_string(),
        ],
        fatal: |stage| stage != READING,
        files: &|number| vec![("module".to_owned(), modules.damaged(number))],
        chunk: crate::batch::CHUNK,
        patience: crate::batch::PATIENCE,
        note: &|_| {},
    };
    Ok(children.run(campaign))
}

/// Loads the module of a case and runs it for a while. `stage` is told how far it has come.
pub fn case(modules: &Modules, number: u64, stage: &dyn Fn(&str)) -> Result<Ran, String> {
    let bytes = modules.damaged(number);
    stage(READING);
    let module = ModuleBytes { name: "the module", bytes: &bytes };
    let Ok(bytes) = selvedge_program::rewrite(&module) else {
        return Ok(Ran::skipped("the module is not accepted"));
    };
    stage("load");
    let Ok(program) = load(&bytes) else { return Ok(Ran::skipped("the program is not accepted")) };
    stage("validate");
    selvedge_program::validate(&program).map_err(|what| format!("loaded wrongly: {what}"))?;
    stage("run");
    execute(Arc::new(program), &mut Random::new(number));
    Ok(Ran::Passed)
}

fn load(bytes: &[u8]) -> Result<Program, LoadError> {
    selvedge_program::load(&LoadRequest {
        modules: vec![ModuleBytes { name: "the module", bytes }],
        archives: vec![ModuleBytes { name: "the C library", bytes: selvedge_libc::archive() }],
        modelled: &selvedge_machine::is_modelled,
        roots: selvedge_machine::ROOTS,
        user_root: None,
        volatile: None,
        keep_variables: false,
    })
}

/// Runs a program at random until it ends or has had enough.
fn execute(program: Arc<Program>, random: &mut Random) {
    let mut machine = Machine::new(program, Config::default());
    let mut picks: Vec<Pick> = Vec::new();
    let mut steps = 0;
    while steps < STEPS {
        machine.picks(&mut picks);
        if picks.is_empty() {
            break;
        }
        let pick = picks[random.below(picks.len())];
        steps += 1;
        if machine.step(pick) == Stepped::OutOfFuel {
            // One long stretch is worth very many steps.
            break;
        }
    }
    machine.state_hash();
}
