//! The classic litmus tests: which outcomes sequential consistency, x86-TSO and PSO allow.
//!
//! An outcome is what every thread reads, separated by `|`, then what is read at the end. Where the tests have names
//! in the literature, these are used; the verdicts follow from the definitions of the models: SC keeps all orders, TSO
//! lets a load overtake an earlier store, PSO also lets a store overtake an earlier store to another place, none of
//! them shows a store to one thread before another.

use crate::language::Program;
use crate::notation;
use selvedge_trace::Model;

/// A program, an outcome, and the models that allow it.
#[derive(Clone, Debug)]
pub struct Litmus {
    pub program: Program,
    pub outcome: Vec<Vec<i32>>,
    pub sc: bool,
    pub tso: bool,
    pub pso: bool,
}

impl Litmus {
    /// Whether a model allows the outcome.
    pub fn allowed(&self, model: Model) -> bool {
        match model {
            Model::Sc => self.sc,
            Model::Tso => self.tso,
            Model::Pso => self.pso,
            _ => unreachable!("these tests are about store buffers"),
        }
    }
}

/// The strongest model that allows an outcome.
#[derive(Clone, Copy)]
enum Allowed {
    /// Nothing forbids it.
    Sc,
    Tso,
    Pso,
    Never,
}

use Allowed::{Never, Pso, Sc, Tso};

/// Name, threads, finale, outcome.
type Entry = (&'static str, &'static str, &'static str, &'static str, Allowed);

const STORE_BUFFERING: &[Entry] = &[
    ("SB", "x=1; r y || y=1; r x", "", "0|0", Tso),
    ("SB, the other outcome", "x=1; r y || y=1; r x", "", "1|1", Sc),
    ("SB+fence+fence", "x=1; fence.sc; r y || y=1; fence.sc; r x", "", "0|0", Never),
    ("SB+fence", "x=1; fence.sc; r y || y=1; r x", "", "0|0", Tso),
    ("SB+release fences", "x=1; fence.rel; r y || y=1; fence.rel; r x", "", "0|0", Tso),
    ("SB+acquire-release fences", "x=1; fence.ar; r y || y=1; fence.ar; r x", "", "0|0", Tso),
    ("SB+release+acquire", "x.rel=1; r y.acq || y.rel=1; r x.acq", "", "0|0", Tso),
    ("SB+seq_cst stores", "x.sc=1; r y || y.sc=1; r x", "", "0|0", Never),
    ("SB+seq_cst store", "x.sc=1; r y || y=1; r x", "", "0|0", Tso),
    ("SB+seq_cst loads", "x=1; r y.sc || y=1; r x.sc", "", "0|0", Tso),
    ("SB+exchanges", "xchg(x,1); r y || xchg(y,1); r x", "", "0 0|0 0", Never),
    ("SB+fetch_adds", "faa(x,1); r y || faa(y,1); r x", "", "0 0|0 0", Never),
    ("SB+exchange", "xchg(x,1); r y || y=1; r x", "", "0 0|0", Tso),
    ("SB+locked instructions between", "x=1; faa(z,0); r y || y=1; faa(z,0); r x", "", "0 0|0 0", Never),
    ("SB+failing compare-exchanges", "x=1; cas(z,5,6); r y || y=1; cas(z,5,6); r x", "", "0 0|0 0", Never),
    ("SB+locked reads", "x=1; faa(y,0) || y=1; faa(x,0)", "", "0|0", Never),
    ("SB+locked read", "x=1; faa(y,0) || y=1; r x", "", "0|0", Tso),
    ("SB+mutexes", "x=1; lock m; unlock m; r y || y=1; lock n; unlock n; r x", "", "0|0", Never),
    ("SB+trylocks", "x=1; t=trylock m; r y || y=1; t=trylock n; r x", "", "1 0|1 0", Never),
    ("SB+signals", "x=1; signal c; r y || y=1; signal c; r x", "", "0|0", Never),
    ("n7: SB+own reads", "x=1; r x; r y || y=1; r y; r x", "", "1 0|1 0", Tso),
    ("n6", "x=1; r x; r y || y=2; x=2", "r x", "1 0||1", Tso),
    ("n6+fence", "x=1; r x; fence.sc; r y || y=2; x=2", "r x", "1 0||1", Pso),
    ("PodWR001", "x=1; r y || y=1; r z || z=1; r x", "", "0|0|0", Tso),
    ("PodWR001+fences", "x=1; fence.sc; r y || y=1; fence.sc; r z || z=1; fence.sc; r x", "", "0|0|0", Never),
    ("RWC", "x=1 || r x; r y || y=1; r x", "", "|1 0|0", Tso),
    ("RWC+fence", "x=1 || r x; r y || y=1; fence.sc; r x", "", "|1 0|0", Never),
    ("W+RWC", "x=1; y=1 || r y; r z || z=1; r x", "", "|1 0|0", Tso),
    ("W+RWC+fence", "x=1; y=1 || r y; r z || z=1; fence.sc; r x", "", "|1 0|0", Pso),
];

const MESSAGE_PASSING: &[Entry] = &[
    ("MP", "x=1; y=1 || r y; r x", "", "|1 0", Pso),
    ("MP, the other outcome", "x=1; y=1 || r y; r x", "", "|0 1", Sc),
    ("MP+fence", "x=1; fence.sc; y=1 || r y; r x", "", "|1 0", Never),
    ("MP+release fence", "x=1; fence.rel; y=1 || r y; r x", "", "|1 0", Never),
    ("MP+acquire-release fence", "x=1; fence.ar; y=1 || r y; r x", "", "|1 0", Never),
    ("MP+acquire fence", "x=1; fence.acq; y=1 || r y; fence.acq; r x", "", "|1 0", Pso),
    ("MP+release", "x=1; y.rel=1 || r y; r x", "", "|1 0", Never),
    ("MP+acquire", "x=1; y=1 || r y.acq; r x", "", "|1 0", Pso),
    ("MP+release of the message", "x.rel=1; y=1 || r y; r x", "", "|1 0", Pso),
    ("MP+seq_cst flag", "x=1; y.sc=1 || r y; r x", "", "|1 0", Never),
    ("MP+seq_cst message", "x.sc=1; y=1 || r y; r x", "", "|1 0", Never),
    ("MP+exchanged flag", "x=1; xchg(y,1) || r y; r x", "", "0|1 0", Never),
    ("MP+fetch_add message", "faa(x,1); y=1 || r y; r x", "", "0|1 0", Never),
    ("MP+failing compare-exchange", "x=1; cas(z,5,6); y=1 || r y; r x", "", "0|1 0", Never),
    ("MP+mutex between", "x=1; lock m; unlock m; y=1 || r y; r x", "", "|1 0", Never),
    ("MP+critical sections", "lock m; x=1; y=1; unlock m || lock m; r y; r x; unlock m", "", "|1 0", Never),
    ("MP+critical section of the writer", "lock m; x=1; y=1; unlock m || r y; r x", "", "|1 0", Pso),
    ("MP, overwritten message", "x=1; x=2; y=1 || r y; r x", "", "|1 1", Pso),
    ("MP+release, overwritten flag", "x=1; y.rel=1; y=2 || r y; r x", "", "|2 0", Never),
    ("MP+release, later store", "x=1; y.rel=1; z=1 || r z; r x", "", "|1 0", Never),
    ("MP+release, later store passes the flag", "x=1; y.rel=1; z=1 || r z; r y", "", "|1 0", Pso),
    ("MP+own read", "x=1; v=x; y=v || r y; r x", "", "1|1 0", Pso),
    ("MP+plain", "x.na=1; y=1 || r y; r x.na", "", "|1 0", Pso),
    ("ISA2", "x=1; y=1 || v=y; z=v || r z; r x", "", "|1|1 0", Pso),
    ("ISA2+release", "x=1; y.rel=1 || v=y; z=v || r z; r x", "", "|1|1 0", Never),
    ("WRC", "x=1 || v=x; y=v || r y; r x", "", "|1|1 0", Never),
    ("WRC+writer's own flag", "x=1; z=1 || v=z; y=v || r y; r x", "", "|1|1 0", Pso),
    ("LB", "r x; y=1 || r y; x=1", "", "1|1", Never),
    ("LB+plain", "r x.na; y.na=1 || r y.na; x.na=1", "", "1|1", Never),
    ("n4", "r x; x=1 || r x; x=2", "", "2|1", Never),
    ("IRIW", "x=1 || y=1 || r x; r y || r y; r x", "", "||1 0|1 0", Never),
    ("IRIW, agreeing readers", "x=1 || y=1 || r x; r y || r y; r x", "", "||1 0|1 1", Sc),
    ("IRIW, writers that read", "x=1; r x; r y || y=1; r y; r x || r x; r y", "", "1 0|1 0|1 0", Tso),
];

const COHERENCE: &[Entry] = &[
    ("R", "x=1; y=1 || y=2; r x", "r y", "|0|2", Tso),
    ("R+fence", "x=1; y=1 || y=2; fence.sc; r x", "r y", "|0|2", Pso),
    ("R+fences", "x=1; fence.sc; y=1 || y=2; fence.sc; r x", "r y", "|0|2", Never),
    ("R+release fence+fence", "x=1; fence.rel; y=1 || y=2; fence.sc; r x", "r y", "|0|2", Never),
    ("n1", "x=2; r y || y=1; x=1", "r x", "0||2", Tso),
    ("S", "x=2; y=1 || v=y; x=v", "r x", "|1|2", Pso),
    ("S+release", "x=2; y.rel=1 || v=y; x=v", "r x", "|1|2", Never),
    ("2+2W", "x=1; y=2 || y=1; x=2", "r x; r y", "||1 1", Pso),
    ("2+2W+release", "x=1; y.rel=2 || y=1; x=2", "r x; r y", "||1 1", Pso),
    ("2+2W+releases", "x=1; y.rel=2 || y=1; x.rel=2", "r x; r y", "||1 1", Never),
    ("2+2W+fences", "x=1; fence.sc; y=2 || y=1; fence.sc; x=2", "r x; r y", "||1 1", Never),
    ("2+2W, the other outcome", "x=1; y=2 || y=1; x=2", "r x; r y", "||2 2", Sc),
    ("CoRR", "x=1 || r x; r x", "", "|1 0", Never),
    ("CoRR2", "x=1 || x=2 || r x; r x || r x; r x", "", "||1 2|2 1", Never),
    ("CoWW", "x=1; x=2", "r x", "|1", Never),
    ("CoWR", "x=1; r x || x=2", "", "0|", Never),
    ("CoWR+end", "x=1; r x || x=2", "r x", "2||1", Never),
    ("CoWR+own", "x=1; r x || x=2", "r x", "1||1", Sc),
    ("CoRW1", "r x; x=1", "", "1|", Never),
    ("CoRW2", "r x; x=1 || x=2", "r x", "2||2", Never),
    ("CoRW2, the other end", "r x; x=1 || x=2", "r x", "2||1", Sc),
    ("n5", "x=1; r x || x=2; r x", "", "2|1", Never),
    ("two fetch_adds", "faa(x,1) || faa(x,1)", "", "0|0", Never),
    ("two exchanges", "xchg(x,1) || xchg(x,2)", "r x", "2|1|1", Never),
    ("two compare-exchanges", "cas(x,0,1) || cas(x,0,2)", "", "0|0", Never),
    ("fetch_add before a store", "x=5 || faa(x,1)", "r x", "|0|5", Sc),
    ("fetch_add lost", "x=5 || faa(x,1)", "r x", "|0|6", Never),
    ("fetch_add after own store", "x=1; faa(x,1)", "r x", "0|1", Never),
];

/// All tests.
pub fn all() -> Vec<Litmus> {
    let entries = [STORE_BUFFERING, MESSAGE_PASSING, COHERENCE].concat();
    entries.into_iter().map(litmus).collect()
}

fn litmus((name, threads, finale, outcome, allowed): Entry) -> Litmus {
    let program = notation::program(name, "x y z mutex:m mutex:n cond:c:m", threads, finale);
    let read = |text: &str| text.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    let mut outcome: Vec<Vec<i32>> = outcome.split('|').map(read).collect();
    assert!(outcome.len() <= program.threads.len() + 1, "{name}: too many threads in the outcome");
    outcome.resize(program.threads.len() + 1, Vec::new());
    let (sc, tso, pso) = match allowed {
        Allowed::Sc => (true, true, true),
        Allowed::Tso => (false, true, true),
        Allowed::Pso => (false, false, true),
        Allowed::Never => (false, false, false),
    };
    Litmus { program, outcome, sc, tso, pso }
}
