//! What several of the tests need: programs that are compiled together, and a place for checkpoints.

use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_explore::{CheckpointStore, Keeper};
use selvedge_oracle::compare::Compiled;
use selvedge_oracle::{Model, Program, c};
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

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

/// The parts of a checkpoint.
pub type Parts = BTreeMap<String, Vec<u8>>;

/// Keeps everything that it is told, in memory.
#[derive(Debug, Default)]
pub struct Shelf {
    kept: Mutex<Parts>,
    /// What was kept at each time, where that is wanted.
    all: Option<Mutex<Vec<Parts>>>,
    asked: AtomicU64,
    /// It is time to keep something whenever it was asked so often.
    every: u64,
}

impl Shelf {
    /// With what was kept before, for a search whose checkpoints are all wanted: so often as it asks.
    pub fn album(kept: Parts, every: u64) -> Arc<Self> {
        let all = Some(Mutex::default());
        Arc::new(Shelf { kept: Mutex::new(kept), all, every, ..Shelf::default() })
    }

    /// What was kept at each time.
    pub fn all(&self) -> Vec<Parts> {
        self.all.as_ref().map(|all| std::mem::take(&mut *all.lock().expect("no panic"))).unwrap_or_default()
    }

    /// For a search.
    pub fn keeper(self: &Arc<Self>) -> Option<Keeper> {
        Some(Keeper::new(self.clone()))
    }
}

impl CheckpointStore for Shelf {
    fn is_due(&self, _: &str) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(self.every.max(1))
    }

    fn keep(&self, part: &str, write: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>) {
        let mut bytes = Vec::new();
        write(&mut bytes).expect("memory can be written to");
        let mut kept = self.kept.lock().expect("no panic");
        kept.insert(part.to_owned(), bytes);
        if let Some(all) = &self.all {
            all.lock().expect("no panic").push(kept.clone());
        }
    }

    fn kept(&self, part: &str) -> Option<Vec<u8>> {
        self.kept.lock().expect("no panic").get(part).cloned()
    }

    fn forget(&self) {
        self.kept.lock().expect("no panic").clear();
    }
}

/// Where a line begins to say how much was looked at: that differs whenever the search gets better.
pub fn counts_at(line: &str) -> Option<usize> {
    let counts = line.ends_with(" s") && line.contains("complete execution");
    let number = || line.find(|character: char| character.is_ascii_digit());
    counts.then(|| line.rfind(": ").map(|at| at + 2).or_else(number)).flatten()
}
