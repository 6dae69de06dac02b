//! A search that has little memory comes to the same end.

use selvedge::drivers::Request;
use selvedge::run::prepare::{Prepared, prepare};
use selvedge_explore::{Budget, Options, Progress, Report, Spill, Strategy, Unfinished, explore};
use selvedge_machine::Config;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Two threads that count, each for itself: deep, with many states that wait.
const COUNTERS: &str = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int a, b;\n\
    void *f(void *p) { for (int i = 1; i <= 150; i++) a = i; return p; }\n\
    int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n\
    for (int i = 1; i <= 150; i++) b = i;\n  pthread_join(t, 0);\n}\n";

#[derive(Debug, Default)]
struct Shelf {
    bytes: Mutex<Vec<u8>>,
    read: AtomicU64,
    broken: bool,
}

impl Spill for Shelf {
    fn put(&self, bytes: &[u8]) -> std::io::Result<u64> {
        let mut all = self.bytes.lock().expect("no panic");
        all.extend_from_slice(bytes);
        Ok((all.len() - bytes.len()) as u64)
    }

    fn get(&self, at: u64, into: &mut [u8]) -> std::io::Result<()> {
        if self.broken {
            return Err(std::io::ErrorKind::Other.into());
        }
        let at = at as usize;
        into.copy_from_slice(&self.bytes.lock().expect("no panic")[at..at + into.len()]);
        self.read.fetch_add(into.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}

fn counters() -> Prepared {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("counters.c");
    std::fs::write(&file, COUNTERS).expect("a file");
    prepare(&Request { inputs: vec![file], ..Request::default() }).expect("a program")
}

/// A search that is told that it takes so much memory of the terabyte that it may take.
fn search(program: &Prepared, memory: u64, jobs: usize, shelf: &Arc<Shelf>) -> Report {
    let spill: Arc<dyn Spill> = shelf.clone();
    let options = Options {
        strategy: Strategy::States,
        max_memory: Some(1 << 40),
        spill: Some(spill),
        jobs,
        ..Options::default()
    };
    let progress = Progress::default();
    progress.memory.store(memory, Ordering::Relaxed);
    explore(program.program.clone(), Config::default(), &options, &progress)
}

#[test]
fn with_little_memory_everything_is_covered_all_the_same() {
    let program = counters();
    let shelf = Arc::new(Shelf::default());
    let ample = search(&program, 0, 1, &shelf);
    assert!(shelf.bytes.lock().expect("no panic").is_empty(), "nothing has to be put away");
    assert!(ample.unfinished.is_empty() && ample.findings.is_empty(), "{ample:?}");
    assert!(ample.states > Some(20_000));
    for jobs in [1, 2] {
        let shelf = Arc::new(Shelf::default());
        let scarce = search(&program, 1 << 39, jobs, &shelf);
        assert!(scarce.unfinished.is_empty() && scarce.findings.is_empty(), "{scarce:?}");
        assert_eq!((scarce.states, scarce.executions), (ample.states, ample.executions));
        assert!(scarce.steps > ample.steps, "ways were gone again");
        assert!(shelf.read.load(Ordering::Relaxed) > 0, "edges were put away and read again");
    }
}

#[test]
fn what_cannot_be_read_again_is_no_answer() {
    let shelf = Arc::new(Shelf { broken: true, ..Shelf::default() });
    let report = search(&counters(), 1 << 39, 1, &shelf);
    assert!(matches!(report.unfinished[..], [Unfinished::Lost]), "{:?}", report.unfinished);
}

#[test]
fn no_more_is_taken_than_may_be() {
    let report = search(&counters(), (1 << 40) - (1 << 17), 1, &Arc::default());
    assert!(matches!(report.unfinished[..], [Unfinished::Budget(Budget::Memory)]), "{:?}", report.unfinished);
    let states = report.states.unwrap_or_default();
    assert!((1024..20_000).contains(&states), "the graph of {states} states has no room left");
}
