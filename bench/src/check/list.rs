//! The programs and sizes.

use std::path::{Path, PathBuf};

/// A program of a certain size.
pub struct Case {
    pub name: &'static str,
    pub file: &'static str,
    /// What size means is up to the program: rounds or threads.
    pub size: u32,
    /// Further flags for the compiler.
    pub flags: &'static [&'static str],
}

impl Case {
    /// Name and size.
    pub fn title(&self) -> String {
        format!("{}({})", self.name, self.size)
    }

    /// The source file.
    pub fn source(&self) -> PathBuf {
        folder().join(self.file)
    }

    /// What tells the compiler about the size; programs in Rust have the size of the list built in.
    pub fn compiler_flags(&self) -> Vec<String> {
        let size = (!self.file.ends_with(".rs")).then(|| format!("-DN={}", self.size));
        size.into_iter().chain(self.flags.iter().map(|flag| flag.to_string())).collect()
    }
}

/// Folder with the sources.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

const fn case(name: &'static str, file: &'static str, size: u32) -> Case {
    Case { name, file, size, flags: &[] }
}

/// Each of these must be covered completely within 60 s and 2 GiB.
pub const REQUIRED: &[Case] = &[
    case("dekker-simple", "dekker_simple.c", 200),
    case("burns", "burns.c", 60),
    case("peterson", "peterson.c", 100),
    case("szymanski", "szymanski.c", 7),
    case("bakery", "bakery.c", 4),
    case("lamport", "lamport.c", 4),
    case("fib_bench", "fib_bench.c", 8),
    case("ninc", "ninc.c", 8),
    case("ainc", "ainc.c", 12),
    case("readers", "readers.c", 18),
    case("writers", "writers.c", 20),
    case("floating_read", "floating_read.c", 20),
    case("samevalue", "samevalue.c", 20),
    case("redundant-co", "redundant_co.c", 1000),
    case("swsc-co1", "swsc_co1.c", 60),
    case("alpha2", "alpha2.c", 150),
    case("monabsex", "monabsex.c", 500),
    case("nondet-array-2", "nondet_array.c", 7),
    case("indexer", "indexer.c", 15),
    case("twostage", "twostage.c", 7),
    case("reorder", "reorder.c", 8),
    case("account", "account.c", 4),
    case("circular_buffer", "circular_buffer.c", 9),
    case("sigma", "sigma.c", 9),
    case("ms-queue", "ms_queue.c", 3),
    case("treiber stack", "treiber_stack.c", 3),
    case("treiber stack, indices", "treiber_index.c", 3),
    case("mcs", "mcs.c", 4),
    case("ttas", "ttas.c", 5),
    case("ticket", "ticket.c", 4),
    case("seqlock", "seqlock.c", 8),
    case("bounded buffer", "bounded_buffer.c", 3),
    case("peterson, C++", "peterson.cpp", 100),
    case("account, C++", "account.cpp", 4),
    case("treiber stack, C++", "treiber_stack.cpp", 3),
    case("ticket, C++", "ticket.cpp", 4),
    case("seqlock, C++", "seqlock.cpp", 8),
    case("bounded buffer, C++", "bounded_buffer.cpp", 3),
    case("peterson, Rust", "peterson.rs", 100),
    case("account, Rust", "account.rs", 4),
    case("treiber stack, Rust", "treiber_stack.rs", 3),
    case("ticket, Rust", "ticket.rs", 4),
    case("seqlock, Rust", "seqlock.rs", 8),
    case("bounded buffer, Rust", "bounded_buffer.rs", 3),
];

/// A program that is checked with the corpus too.
macro_rules! real {
    ($file:literal) => {
        concat!("../../corpus/check/rc11/real/", $file)
    };
}

/// Programs whose memory orders are as weak as they can be: `N` is the number of threads, items or rounds.
pub const LANGUAGE: &[Case] = &[
    weak("ticket lock", real!("ticket.c"), 6, &["-DTHREADS=6"]),
    weak("ttas lock", real!("ttas.c"), 4, &["-DTHREADS=4"]),
    weak("mcs lock", real!("mcs.c"), 4, &["-DTHREADS=4"]),
    weak("clh lock", real!("clh.c"), 6, &["-DTHREADS=6"]),
    weak("linux rwlock", real!("linux_rwlock.c"), 4, &["-DTHREADS=4"]),
    weak("seqlock", real!("seqlock.c"), 3, &["-DREADERS=3"]),
    weak("chase-lev deque", real!("chase_lev.c"), 2, &["-DTHIEVES=2"]),
    weak("mpmc queue", real!("mpmc.c"), 2, &["-DPRODUCERS=2"]),
    weak("ms-queue", real!("ms_queue.c"), 2, &["-DPRODUCERS=2"]),
    weak("hazard stack", real!("hazard.c"), 2, &["-DTHREADS=2"]),
    weak("treiber stack", real!("treiber.c"), 3, &["-DTHREADS=3"]),
    weak("spsc ring", real!("spsc_ring.c"), 9, &["-DITEMS=9"]),
    weak("reference count", real!("reference_count.c"), 3, &["-DOWNERS=3"]),
    weak("once", real!("once.c"), 6, &["-DTHREADS=6"]),
    weak("barrier", real!("barrier.c"), 4, &["-DTHREADS=4"]),
    case("ainc, seq_cst", "ainc.c", 7),
    case("fib_bench, seq_cst", "fib_bench.c", 4),
    case("readers, seq_cst", "readers.c", 12),
    case("indexer, seq_cst", "indexer.c", 13),
    case("ninc, seq_cst", "ninc.c", 4),
];

const fn weak(name: &'static str, file: &'static str, size: u32, flags: &'static [&'static str]) -> Case {
    Case { name, file, size, flags }
}

/// The sizes at which checkers that run one execution for each class still get done, or nearly.
pub const COMPARED: &[Case] = &[
    case("fib_bench", "fib_bench.c", 5),
    case("lastzero", "lastzero.c", 13),
    case("samevalue", "samevalue.c", 7),
    case("ainc", "ainc.c", 8),
    case("circular_buffer", "circular_buffer.c", 7),
    case("account", "account.c", 3),
    case("sigma", "sigma.c", 7),
    case("writers", "writers.c", 7),
    case("readers", "readers.c", 13),
    case("ninc", "ninc.c", 5),
    case("indexer", "indexer.c", 14),
    case("stack", "stack.c", 6),
    case("seqlock", "seqlock.c", 5),
    Case { name: "redundant-co", file: "redundant_co.c", size: 10, flags: &["-DDISTINCT"] },
];
