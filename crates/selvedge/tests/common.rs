//! What several of the tests need: programs that are compiled together, and a place for checkpoints.

use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_explore::{Checkpoint, CheckpointStore};
use selvedge_oracle::compare::Compiled;
use selvedge_oracle::{Model, Program, c};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The models under which strategies are compared.
pub const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

/// Compiles many programs at once.
pub fn compile(programs: Vec<Program>) -> Compiled {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("programs.c");
    std::fs::write(&source, c::many_to_c(&programs)).expect("the file can be written");
    let request = Request { inputs: vec![source], ..Request::default() };
    let prepared = prepare(&request).unwrap_or_else(|error| panic!("{error}"));
    Compiled { programs, program: prepared.program }
}

/// Keeps everything that it is told, in memory.
#[derive(Debug, Default)]
pub struct Shelf {
    kept: Mutex<Option<Checkpoint>>,
    asked: AtomicU64,
    /// The search came to its end.
    pub completed: AtomicBool,
}

impl CheckpointStore for Shelf {
    fn is_due(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(16)
    }

    fn keep(&self, checkpoint: &Checkpoint) {
        // As through a file.
        let text = serde_json::to_string(checkpoint).expect("plain data");
        let again: Checkpoint = serde_json::from_str(&text).expect("the same data");
        assert_eq!(again, *checkpoint);
        *self.kept.lock().expect("no panic") = Some(again);
    }

    fn complete(&self) {
        self.completed.store(true, Ordering::Relaxed);
    }

    fn kept(&self) -> Option<Checkpoint> {
        self.kept.lock().expect("no panic").clone()
    }
}

/// Where a line begins to say how much was looked at: that differs whenever the search gets better.
pub fn counts_at(line: &str) -> Option<usize> {
    let counts = line.ends_with(" s") && line.contains("complete execution");
    let number = || line.find(|character: char| character.is_ascii_digit());
    counts.then(|| line.rfind(": ").map(|at| at + 2).or_else(number)).flatten()
}
