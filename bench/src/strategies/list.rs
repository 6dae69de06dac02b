//! The programs, and what was published about them.

use crate::check::list::Case;

/// Numbers of executions that papers have published.
pub struct Published {
    /// The memory model.
    pub model: &'static str,
    /// The algorithm.
    pub by: &'static str,
    pub executions: u64,
}

/// How much a program has in common with the one that was measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// It does the same.
    Same,
    /// It does the same, but how often is not known.
    Bound,
    /// It is the part of a larger program in which threads meet.
    Core,
}

/// A line of the table.
pub struct Row {
    /// Name and size, as published.
    pub title: &'static str,
    pub case: Case,
    pub likeness: Likeness,
    /// The models under which it is measured.
    pub models: &'static [&'static str],
    /// Views under sequential consistency, where they are known from elsewhere.
    pub views: Option<u64>,
    published: &'static [Published],
}

impl Row {
    /// What was published for a model.
    pub fn published(&self, model: &str) -> impl Iterator<Item = &Published> {
        self.published.iter().filter(move |one| one.model == model)
    }
}

const SC: &[&str] = &["sc"];
const EACH: &[&str] = &["sc", "tso", "pso"];

const fn case(file: &'static str, size: u32, flags: &'static [&'static str]) -> Case {
    Case { name: file, file, size, flags }
}

const fn sc(by: &'static str, executions: u64) -> Published {
    Published { model: "sc", by, executions }
}

const fn tso(by: &'static str, executions: u64) -> Published {
    Published { model: "tso", by, executions }
}

const fn pso(by: &'static str, executions: u64) -> Published {
    Published { model: "pso", by, executions }
}

/// Programs with known numbers of views.
const fn family(title: &'static str, case: Case, views: u64, published: &'static [Published]) -> Row {
    Row { title, case, likeness: Likeness::Same, models: SC, views: Some(views), published }
}

/// Programs of which the parts that matter were written anew.
const fn core(title: &'static str, case: Case, published: &'static [Published]) -> Row {
    Row { title, case, likeness: Likeness::Core, models: SC, views: None, published }
}

/// Programs that are measured under all models.
const fn each(
    title: &'static str,
    case: Case,
    likeness: Likeness,
    views: u64,
    published: &'static [Published],
) -> Row {
    Row { title, case, likeness, models: EACH, views: Some(views), published }
}

/// First those that were measured with maximal causality reduction, then those with view equivalence.
pub const CASES: &[Row] = &[
    each(
        "Dekker, bound 1",
        case("dekker_bounded.c", 1, &[]),
        Likeness::Bound,
        84,
        &[
            sc("DPOR", 248),
            sc("MCR", 62),
            tso("DPOR", 252),
            tso("MCR", 98),
            pso("DPOR", 508),
            pso("MCR", 155),
        ],
    ),
    each(
        "Lamport, bound 1",
        case("lamport_bounded.c", 1, &["-DSLIP"]),
        Likeness::Bound,
        121,
        &[
            sc("DPOR", 128),
            sc("MCR", 14),
            tso("DPOR", 208),
            tso("MCR", 91),
            pso("DPOR", 2672),
            pso("MCR", 102),
        ],
    ),
    each(
        "Bakery, bound 1",
        case("bakery_bounded.c", 1, &[]),
        Likeness::Bound,
        194,
        &[
            sc("DPOR", 350),
            sc("MCR", 77),
            tso("DPOR", 1164),
            tso("MCR", 158),
            pso("DPOR", 2040),
            pso("MCR", 165),
        ],
    ),
    each(
        "Peterson, bound 1",
        case("peterson_bounded.c", 1, &[]),
        Likeness::Bound,
        36,
        &[sc("DPOR", 36), sc("MCR", 13), tso("DPOR", 95), tso("MCR", 18), pso("DPOR", 120), pso("MCR", 19)],
    ),
    each(
        "RVExample",
        case("locked_resets.c", 2, &[]),
        Likeness::Same,
        107,
        &[
            sc("DPOR", 1959),
            sc("MCR", 107),
            sc("SE-MCR", 77),
            sc("Nidhugg", 577),
            tso("MCR", 64),
            pso("MCR", 70),
        ],
    ),
    each(
        "Example(1)",
        case("seen_apart.c", 1, &["-DLOOK"]),
        Likeness::Same,
        2,
        &[sc("DPOR", 4), sc("MCR", 2), tso("DPOR", 4), tso("MCR", 2), pso("MCR", 10)],
    ),
    each(
        "Example(2)",
        case("seen_apart.c", 2, &["-DLOOK"]),
        Likeness::Same,
        52,
        &[sc("DPOR", 105), sc("MCR", 43), tso("DPOR", 105), tso("MCR", 43), pso("MCR", 89)],
    ),
    each(
        "Example(3)",
        case("seen_apart.c", 3, &["-DLOOK"]),
        Likeness::Same,
        1016,
        &[sc("DPOR", 4282), sc("MCR", 296), tso("DPOR", 4282), tso("MCR", 296), pso("MCR", 819)],
    ),
    family(
        "Example(4)",
        case("seen_apart.c", 4, &["-DLOOK"]),
        17680,
        &[sc("DPOR, stopped", 14840), sc("MCR", 2767)],
    ),
    Row {
        title: "StackUnsafe(3)",
        case: case("stack_unsafe.c", 3, &[]),
        likeness: Likeness::Core,
        models: EACH,
        views: None,
        published: &[
            sc("DPOR", 252),
            sc("MCR", 29),
            tso("DPOR", 252),
            tso("MCR", 46),
            pso("DPOR", 252),
            pso("MCR", 108),
        ],
    },
    Row {
        title: "Dekker, bound 4",
        case: case("dekker_bounded.c", 4, &[]),
        likeness: Likeness::Same,
        models: SC,
        views: None,
        published: &[sc("MCR", 4474), sc("SE-MCR", 1648), sc("Nidhugg", 34931)],
    },
    Row {
        title: "Lamport, bound 10",
        case: case("lamport_bounded.c", 10, &["-DSLIP"]),
        likeness: Likeness::Same,
        models: SC,
        views: None,
        published: &[sc("MCR", 1192), sc("SE-MCR", 103), sc("Nidhugg", 132_034)],
    },
    Row {
        title: "Bakery, bound 10",
        case: case("bakery_bounded.c", 10, &[]),
        likeness: Likeness::Same,
        models: SC,
        views: None,
        published: &[sc("MCR", 822), sc("SE-MCR", 766), sc("Nidhugg", 3137)],
    },
    family(
        "Peterson, bound 10",
        case("peterson_bounded.c", 10, &[]),
        360,
        &[sc("MCR", 402), sc("SE-MCR", 402), sc("Nidhugg", 780)],
    ),
    family("Counter(4)", case("counter.c", 4, &[]), 1091, &[]),
    family(
        "Counter(5)",
        case("counter.c", 5, &[]),
        8747,
        &[sc("MCR", 4523), sc("MCR-S", 6550), sc("MCR-S+", 3485)],
    ),
    core("Account(2)", case("transfers.c", 2, &[]), &[sc("MCR", 27830), sc("SE-MCR", 14124)]),
    core("Airline(3)", case("airline.c", 3, &[]), &[sc("MCR", 2222), sc("SE-MCR", 1354)]),
    core("Allocation(2)", case("allocation.c", 2, &[]), &[sc("MCR", 169), sc("SE-MCR", 113)]),
    core("BubbleSort(3)", case("bubblesort.c", 3, &[]), &[sc("MCR", 29148), sc("SE-MCR", 8084)]),
    core(
        "PingPong(3)",
        case("pingpong.c", 3, &[]),
        &[sc("MCR", 411), sc("MCR-S", 535), sc("MCR-S+", 394), sc("SE-MCR", 282)],
    ),
    core("Pool(2)", case("pool.c", 2, &[]), &[sc("MCR", 3), sc("SE-MCR", 3)]),
    core("StringBuf(2)", case("string_buffer.c", 2, &[]), &[sc("MCR", 8), sc("SE-MCR", 8)]),
    core(
        "Weblech, core(2)",
        case("crawler.c", 2, &[]),
        &[sc("MCR", 967), sc("MCR-S", 756), sc("MCR-S+", 668)],
    ),
    family("Fig 4.1(10)", case("rounds.c", 10, &[]), 40, &[sc("RVF-SMC", 3_703_196), sc("ViEqui", 40)]),
    family("Fig 4.1(100)", case("rounds.c", 100, &[]), 400, &[sc("ViEqui", 400)]),
    family(
        "pgsql(5, 5)",
        case("ring.c", 5, &["-DT=5"]),
        781,
        &[sc("ODPOR", 781), sc("RVF-SMC", 19900), sc("ViEqui", 781)],
    ),
    family(
        "pgsql(6, 7)",
        case("ring.c", 6, &["-DT=7"]),
        55987,
        &[sc("ODPOR", 55987), sc("RVF-SMC", 2_292_077), sc("ViEqui", 55987)],
    ),
    family("monabsex(100)", case("monabsex.c", 100, &[]), 1, &[sc("RVF-SMC", 101), sc("ViEqui", 1)]),
    family("unverif(4, 5)", case("once_only.c", 4, &["-DM=5"]), 576, &[]),
    family(
        "unverif(5, 5)",
        case("once_only.c", 5, &["-DM=5"]),
        14400,
        &[sc("ODPOR", 14400), sc("RVF-SMC", 68890), sc("ViEqui", 14400)],
    ),
    family(
        "redundant-co(10)",
        case("redundant_co.c", 10, &[]),
        7,
        &[sc("observer ODPOR", 12431), sc("RVF-SMC", 11), sc("ViEqui", 7)],
    ),
    family("swsc-co1(6)", case("swsc_co1.c", 6, &[]), 191, &[]),
    family("swsc-co1(20)", case("swsc_co1.c", 20, &[]), 7639, &[sc("RVF-SMC", 8060), sc("ViEqui", 7240)]),
    family(
        "swsc-co10(10)",
        case("swsc_co10.c", 10, &[]),
        10,
        &[sc("observer ODPOR", 10), sc("RVF-SMC", 11), sc("ViEqui", 10)],
    ),
    family(
        "swsc-co10(100)",
        case("swsc_co10.c", 100, &[]),
        100,
        &[sc("observer ODPOR", 100), sc("RVF-SMC", 101), sc("ViEqui", 100)],
    ),
    family("alpha2(6)", case("alpha2.c", 6, &[]), 43, &[]),
    family("alpha2(100)", case("alpha2.c", 100, &[]), 10101, &[sc("RVF-SMC", 10203), sc("ViEqui", 10101)]),
    family("burns(4)", case("burns.c", 4, &[]), 41, &[]),
    family(
        "burns(5)",
        case("burns.c", 5, &[]),
        61,
        &[sc("ODPOR", 2_353_602), sc("RVF-SMC", 17382), sc("ViEqui", 36)],
    ),
    family("burns(10)", case("burns.c", 10, &[]), 221, &[sc("ViEqui", 121)]),
    family("dekker-simple(5)", case("dekker_simple.c", 5, &[]), 36, &[]),
    family(
        "dekker-simple(10)",
        case("dekker_simple.c", 10, &[]),
        121,
        &[sc("ODPOR", 739_021), sc("RVF-SMC", 2_713_870), sc("ViEqui", 21)],
    ),
    family("peterson(3)", case("peterson.c", 3, &[]), 1144, &[]),
    family("peterson(4)", case("peterson.c", 4, &[]), 10645, &[]),
    family("peterson(5)", case("peterson.c", 5, &[]), 98212, &[sc("ODPOR", 2_782_162), sc("ViEqui", 31)]),
    family("szymanski(2)", case("szymanski.c", 2, &[]), 1461, &[]),
    family(
        "szymanski(4)",
        case("szymanski.c", 4, &[]),
        137_881,
        &[sc("ODPOR", 396_583), sc("RVF-SMC", 1_444_246), sc("ViEqui", 5335)],
    ),
    family(
        "nondet-array-2(4, 4)",
        case("nondet_array.c", 4, &[]),
        75,
        &[sc("ODPOR", 2616), sc("observer ODPOR", 688), sc("RVF-SMC", 534), sc("ViEqui", 51)],
    ),
    family(
        "nondet-array-2(6, 6)",
        case("nondet_array.c", 6, &[]),
        4683,
        &[sc("observer ODPOR", 711_276), sc("RVF-SMC", 63491), sc("ViEqui", 2163)],
    ),
];
