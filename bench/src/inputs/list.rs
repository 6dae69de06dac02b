//! The programs, how many paths they have, and what was published about them.

/// A program whose paths are counted.
pub struct Paths {
    pub title: &'static str,
    /// Below `corpus/check/inputs`.
    pub file: &'static str,
    pub flags: &'static [&'static str],
    /// Combinations of paths that there are.
    pub paths: u64,
    pub published: &'static str,
}

/// A program with a bug, or without one.
pub struct Bug {
    pub title: &'static str,
    pub file: &'static str,
    pub flags: &'static [&'static str],
    /// Whether there is one.
    pub there: bool,
    pub published: &'static str,
}

const fn paths(
    title: &'static str,
    file: &'static str,
    flags: &'static [&'static str],
    paths: u64,
    published: &'static str,
) -> Paths {
    Paths { title, file, flags, paths, published }
}

const fn bug(title: &'static str, file: &'static str, published: &'static str) -> Bug {
    Bug { title, file, flags: &[], there: true, published }
}

const fn crash(title: &'static str, flags: &'static [&'static str], published: &'static str) -> Bug {
    Bug { title, file: "paths/m.c", flags, there: true, published }
}

/// Programs whose paths are counted. Published: MCR, MPC with strategy 1, with strategy 2, or MPC alone.
pub const PATHS: &[Paths] = &[
    paths("Fig 1", "paths/fig1.c", &["-DCOUNT"], 2, "MPC 2"),
    paths("Fig 7", "paths/fig7.c", &[], 3, ""),
    paths("Fig 8", "paths/fig8.c", &["-DCOUNT"], 4, "MPC 4"),
    paths("Fig 9, N=1", "paths/fig9.c", &["-DCOUNT", "-DN=1"], 3, "MPC 4 (0.1 s)"),
    paths("Fig 9, N=2", "paths/fig9.c", &["-DCOUNT", "-DN=2"], 7, "MPC 6 (0.4 s)"),
    paths("Fig 9, N=3", "paths/fig9.c", &["-DCOUNT", "-DN=3"], 15, "MPC 10 (0.7 s)"),
    paths("Fig 9, N=4", "paths/fig9.c", &["-DCOUNT", "-DN=4"], 31, "MPC 18 (1.6 s)"),
    paths("Fig 9, N=5", "paths/fig9.c", &["-DCOUNT", "-DN=5"], 63, "MPC 34 (4.3 s)"),
    paths("M0", "paths/m.c", &["-DCOUNT"], 10, "MCR 3 (14.5 s), S1 6 (0.3 s), S2 10 (0.8 s)"),
    paths("M1", "paths/m.c", &["-DCOUNT", "-DHELPERS=1"], 16, "MCR 3 (133 s), S1 12 (0.7 s), S2 16 (1.6 s)"),
    paths("M2", "paths/m.c", &["-DCOUNT", "-DHELPERS=2"], 28, ""),
    paths("M3", "paths/m.c", &["-DCOUNT", "-DHELPERS=3"], 52, "S1 48 (3.0 s), S2 52 (5.4 s)"),
    paths("M4", "paths/m.c", &["-DCOUNT", "-DHELPERS=4"], 100, ""),
    paths("M5", "paths/m.c", &["-DCOUNT", "-DHELPERS=5"], 196, "S1 192 (16 s), S2 196 (38 s)"),
    paths("M7", "paths/m.c", &["-DCOUNT", "-DHELPERS=7"], 772, "S1 768 (90 s), S2 772 (830 s)"),
    paths(
        "M9",
        "paths/m.c",
        &["-DCOUNT", "-DHELPERS=9"],
        3_076,
        "S1 3,072 (507 s), S2 2,462 of 3,076 (over 1 h)",
    ),
    paths(
        "racey",
        "paths/racey.c",
        &["-DTRIES=10"],
        432,
        "MCR 432 (1,133 s), S1 432 (268 s), S2 432 (460 s)",
    ),
    paths("Dekker, P=20", "paths/dekker.c", &["-DROUNDS=20"], 920, "MCR 729 (133 s), MPC 929 (84 s)"),
    paths("Dekker, P=30", "paths/dekker.c", &["-DROUNDS=30"], 1_980, "MCR 2,623 (772 s), MPC 2,970 (346 s)"),
    paths(
        "spinlock, T=2, K=5",
        "paths/spinlock.c",
        &["-DROUNDS=5"],
        1_932,
        "MCR 363 (949 s), MPC 522 (66 s)",
    ),
    paths(
        "spinlock, T=3, K=3",
        "paths/spinlock.c",
        &["-DROUNDS=3", "-DTHREADS=3"],
        2_754,
        "MCR 375 (1,254 s), MPC 1,357 (208 s)",
    ),
    paths("linuxrwlock, K=3", "paths/linuxrwlock.c", &["-DROUNDS=3"], 161, ""),
    paths("linuxrwlock, K=4", "paths/linuxrwlock.c", &["-DROUNDS=4"], 681, ""),
    paths("linuxrwlock, K=5", "paths/linuxrwlock.c", &["-DROUNDS=5"], 2_847, "MPC 1,910 (2,108 s)"),
    paths("msqueue, K=3", "paths/msqueue.c", &["-DROUNDS=3"], 178, ""),
    paths("msqueue, K=4", "paths/msqueue.c", &["-DROUNDS=4"], 777, ""),
    paths("msqueue, K=5", "paths/msqueue.c", &["-DROUNDS=5"], 3_424, "MPC 539 (246 s)"),
    paths("seqlock, K=3", "paths/seqlock.c", &["-DROUNDS=3"], 3_877, "MPC 3,877 (783 s)"),
];

/// Programs with bugs. Published: Con2colic and MPC, runs or paths until the bugs and in all.
pub const BUGS: &[Bug] = &[
    crash("M0", &[], "S2 finds it in 10 paths"),
    crash("M1", &["-DHELPERS=1"], "S2 finds it in 16 paths"),
    crash("M3", &["-DHELPERS=3"], "S2 finds it in 52 paths"),
    crash("M5", &["-DHELPERS=5"], "S2 finds it in 196 paths"),
    crash("M7", &["-DHELPERS=7"], "S2 finds it in 772 paths"),
    crash("M9", &["-DHELPERS=9"], "S1 does not find it in 3,072 paths, S2 not in 2,462 within an hour"),
    bug("aget", "concrest/aget.c", "Con2colic 3 of 6, MPC 2 of 4"),
    bug("apache-a", "concrest/apache_a.c", "Con2colic 17 of 411, MPC 6 of 80"),
    bug("apache-b", "concrest/apache_b.c", "Con2colic 16 of 43, MPC 3 of 22"),
    bug("bluetooth", "concrest/bluetooth.c", "Con2colic 7 of 11, MPC 3 of 36"),
    bug("ctrace", "concrest/ctrace.c", "Con2colic 4 of 5, MPC 1 of 10"),
    bug("pfscan", "concrest/pfscan.c", "MPC 1 of 112"),
    Bug { there: false, ..bug("rbtree", "concrest/rbtree.c", "MPC 1, no bug") },
    bug("sor", "concrest/sor.c", "Con2colic 1 of 8, MPC 1 of 4"),
    Bug { there: false, ..bug("splay", "concrest/splay.c", "Con2colic 34, MPC 13, no bug") },
];
