//! From the decisions of threads back to the failure: paths of threads alone, constraints, order, replay.

use crate::common::compile;
use selvedge::drivers::Request;
use selvedge::run::prepare::prepare;
use selvedge_machine::{Config, Machine, Pick};
use selvedge_oracle::Model;
use selvedge_oracle::generate::generate;
use selvedge_oracle::numbers::Numbers;
use selvedge_oracle::reproduce::{Reproduction, random_failure, reproduce};
use selvedge_relations::{EventId, Rules};
use std::path::{Path, PathBuf};

fn sources(folder: &str, end: &str) -> Vec<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/check/bugs").join(folder);
    let entries = std::fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|other| other == end));
    files.sort();
    files
}

/// What came of programs.
#[derive(Debug, Default)]
struct Counts {
    reproduced: Vec<String>,
    /// The run of one thread, or the record of the whole execution, says that it cannot express something.
    beyond: Vec<String>,
    wrong: Vec<String>,
}

impl Counts {
    fn add(&mut self, name: String, reproduction: Reproduction) {
        match reproduction {
            Reproduction::NoFailure => {}
            Reproduction::Reproduced(found) => {
                let figures = found.figures;
                println!(
                    "{name}: {} ({} decisions, {} events, {} reads, {} constraints; alone {:?}, solved {:?})",
                    found.failure,
                    found.decisions,
                    figures.events,
                    figures.reads,
                    figures.constraints,
                    found.alone,
                    found.solved
                );
                self.reproduced.push(name);
            }
            Reproduction::Beyond(what) => self.beyond.push(format!("{name}: {what}")),
            Reproduction::Alone(error) => self.beyond.push(format!("{name}: {error}")),
            Reproduction::Wrong(what) => self.wrong.push(format!("{name}: {what}")),
        }
    }
}

fn check(counts: &mut Counts, source: &Path, model: Model, seeds: u64) {
    let request = Request { inputs: vec![source.to_path_buf()], ..Request::default() };
    let Ok(prepared) = prepare(&request) else { return };
    let config = Config { model, ..Config::default() };
    if let Some(recorded) = random_failure(&prepared.program, &config, 0..seeds) {
        let name = format!("{} {model:?}", source.file_name().unwrap_or_default().to_string_lossy());
        counts.add(name, reproduce(&prepared.program, &config, &recorded));
    }
}

#[test]
fn bugs_come_back_from_what_their_threads_have_decided() {
    let mut counts = Counts::default();
    for source in sources("c", "c") {
        check(&mut counts, &source, Model::Sc, 60);
    }
    println!("{counts:#?}");
    assert!(counts.reproduced.len() >= 25, "{counts:#?}");
    assert!(counts.wrong.is_empty() && counts.beyond.len() <= 3, "{counts:#?}");
}

#[test]
fn bugs_of_store_buffers_come_back() {
    let mut counts = Counts::default();
    for name in [
        "dekker_relaxed",
        "peterson_relaxed",
        "seqlock",
        "double_checked_relaxed",
        "message_passing",
        "account",
    ] {
        for model in [Model::Tso, Model::Pso] {
            let sources = sources("c", "c");
            let source = sources.iter().find(|path| path.file_stem().is_some_and(|stem| stem == name));
            check(&mut counts, source.unwrap_or_else(|| panic!("there is no {name}")), model, 200);
        }
    }
    println!("{counts:#?}");
    assert!(
        counts.reproduced.len() >= 8 && counts.wrong.is_empty() && counts.beyond.is_empty(),
        "{counts:#?}"
    );
}

#[test]
fn bugs_of_cpp_come_back() {
    let mut counts = Counts::default();
    let names = [
        "atomic_increment",
        "barrier_generation",
        "intrusive_count",
        "lock_order",
        "reference_capture",
        "spin_mutex",
    ];
    for source in sources("cpp", "cpp") {
        if source.file_stem().is_some_and(|stem| names.iter().any(|name| stem == *name)) {
            check(&mut counts, &source, Model::Sc, 30);
        }
    }
    println!("{counts:#?}");
    assert!(counts.reproduced.len() >= 5, "{counts:#?}");
    assert!(counts.wrong.is_empty() && counts.beyond.is_empty(), "{counts:#?}");
}

#[test]
fn random_programs_come_back() {
    let compiled = compile((0..150).map(generate).collect());
    let mut counts = Counts::default();
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        for number in 0..compiled.programs.len() {
            let config = compiled.config(number, model);
            if let Some(recorded) = random_failure(&compiled.program, &config, 0..12) {
                counts.add(format!("{number} {model:?}"), reproduce(&compiled.program, &config, &recorded));
            }
        }
    }
    println!("{counts:#?}");
    assert!(counts.reproduced.len() >= 40, "{counts:#?}");
    assert!(counts.wrong.is_empty() && counts.beyond.len() * 10 <= counts.reproduced.len(), "{counts:#?}");
}

/// Two threads that miss each other's stores.
const STORE_BUFFERING: &str = "
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *one(void *a) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return (void *)(long)atomic_load_explicit(&y, memory_order_relaxed);
}
void *two(void *a) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return (void *)(long)atomic_load_explicit(&x, memory_order_relaxed);
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
";

#[test]
fn events_of_graphs_and_their_cycles_say_where_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("buffering.c");
    std::fs::write(&source, STORE_BUFFERING).expect("a file");
    let prepared = prepare(&Request { inputs: vec![source], ..Request::default() });
    let program = prepared.unwrap_or_else(|error| panic!("{error}")).program;
    let mut cycles = 0;
    for seed in 0..40 {
        let mut numbers = Numbers::new(seed);
        let mut machine = Machine::new(program.clone(), Config { model: Model::Rc11, ..Config::default() });
        let mut picks: Vec<Pick> = Vec::new();
        for _ in 0..1_000 {
            machine.picks(&mut picks);
            if picks.is_empty() {
                break;
            }
            machine.step(picks[numbers.below(picks.len())]);
        }
        let graph = machine.inspect_graph().graph().expect("the model keeps a graph");
        let place = |event: EventId| program.describe(graph.event(event).position);
        let all: Vec<String> = graph.all().map(|(id, _)| place(id)).collect();
        assert!(all.len() > 6 && all.iter().all(|place| place != "-"), "{all:#?}");
        let Some(cycle) = graph.cycle(Rules::Sc) else { continue };
        cycles += 1;
        let lines: Vec<String> = cycle
            .iter()
            .map(|edge| {
                format!("{} {:?}", place(edge.from).rsplit("buffering.c:").next().unwrap_or(""), edge.reason)
            })
            .collect();
        for line in ["6:", "7:", "10:", "11:"] {
            assert!(lines.iter().any(|place| place.starts_with(line)), "{lines:#?}");
        }
    }
    assert!(cycles > 0, "some execution is not sequentially consistent");
}
