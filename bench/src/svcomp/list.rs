//! The tasks: templates of `bench/svcomp`, with their parameters and the right answer of each.

/// A task.
pub struct Task {
    /// The family: its template.
    pub family: &'static str,
    /// The competition's categories with such tasks.
    pub like: &'static str,
    /// What is asked.
    pub formulas: &'static [&'static str],
    pub flags: String,
    /// Whether it holds.
    pub holds: bool,
}

const REACH: &[&str] = &["G ! call(reach_error())"];
const RACE: &[&str] = &["G ! data-race"];
const OVERFLOW: &[&str] = &["G ! overflow"];
const MEMORY: &[&str] = &["G valid-free", "G valid-deref", "G valid-memtrack"];
const ENDS: &[&str] = &["F end"];

/// Collects the tasks of one family.
struct Family<'a> {
    all: &'a mut Vec<Task>,
    family: &'static str,
    like: &'static str,
    formulas: &'static [&'static str],
}

impl<'a> Family<'a> {
    fn of(
        all: &'a mut Vec<Task>,
        family: &'static str,
        like: &'static str,
        formulas: &'static [&'static str],
    ) -> Self {
        Family { all, family, like, formulas }
    }

    fn add(&mut self, parameters: &[(&str, u32)], holds: bool) {
        let flags: Vec<String> = parameters.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
        let Family { family, like, formulas, .. } = *self;
        self.all.push(Task { family, like, formulas, flags: flags.join(" "), holds });
    }

    /// Each case right and wrong, with each size; `holds` says of the wrong ones which are right all the same.
    fn cases(&mut self, cases: &[u32], size: &str, sizes: &[u32], holds: impl Fn(u32, u32) -> bool) {
        for &case in cases {
            for &value in sizes {
                let sized: &[(&str, u32)] = &[("CASE", case), ("BAD", 0), (size, value)];
                let bad: &[(&str, u32)] = &[("CASE", case), ("BAD", 1), (size, value)];
                let count = if size.is_empty() { 2 } else { 3 };
                self.add(&sized[..count], true);
                self.add(&bad[..count], holds(case, value));
            }
        }
    }
}

/// All tasks.
pub fn tasks() -> Vec<Task> {
    let mut all = Vec::new();
    litmus(&mut all);
    locks(&mut all);
    let never = |_, _| false;
    Family::of(&mut all, "races", "goblint-regression, ldv-races", RACE).cases(
        &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        "",
        &[0],
        never,
    );
    // With a limit of 100 a count of at most 4 never comes to it.
    Family::of(&mut all, "sums", "weaver, pthread-deagle", REACH).cases(
        &[0, 1, 2, 3, 4, 5],
        "LIMIT",
        &[3, 100],
        |case, limit| case == 2 && limit == 100,
    );
    Family::of(&mut all, "driver", "ldv-linux, pthread-driver-races", REACH).cases(
        &[0, 1, 3],
        "EVENTS",
        &[1, 2],
        never,
    );
    Family::of(&mut all, "driver", "ldv-linux, memsafety", MEMORY).cases(&[2], "EVENTS", &[1, 2], never);
    // Halves of one element have no edge.
    Family::of(&mut all, "arrays", "pthread-nondet, nondet arrays", REACH).cases(
        &[0, 1, 2, 3, 4],
        "N",
        &[2, 4, 6],
        |case, elements| elements == 2 && (case == 0 || case == 2),
    );
    // So few items never fill the buffer.
    Family::of(&mut all, "queues", "pthread, pthread-C-DAC", REACH).cases(
        &[0, 1],
        "ITEMS",
        &[1, 2, 3],
        |_, items| items < 3,
    );
    Family::of(&mut all, "queues", "pthread, pthread-C-DAC", REACH).cases(
        &[2, 3, 4],
        "ITEMS",
        &[1, 2],
        never,
    );
    Family::of(&mut all, "memory", "memsafety", MEMORY).cases(&[0, 1, 2, 3, 4, 5], "", &[0], never);
    Family::of(&mut all, "overflow", "no-overflow", OVERFLOW).cases(&[0, 1, 2, 3, 4, 5, 6], "", &[0], never);
    Family::of(&mut all, "ending", "termination", ENDS).cases(&[0, 1, 2, 3, 4, 5], "", &[0], never);
    all
}

fn litmus(all: &mut Vec<Task>) {
    let mut family = Family { all, family: "wmm", like: "pthread-wmm", formulas: REACH };
    for shape in 0..5 {
        for weak in 0..2 {
            for noise in [0, 3, 6] {
                // A buffer for each store shows store buffering and message passing, and nothing else of these.
                let holds = weak == 0 || shape >= 2;
                family.add(&[("SHAPE", shape), ("WEAK", weak), ("NOISE", noise)], holds);
            }
        }
    }
}

fn locks(all: &mut Vec<Task>) {
    let mut family =
        Family { all, family: "locks", like: "pthread, pthread-ext, pthread-atomic", formulas: REACH };
    for kind in 0..5 {
        for threads in [2, 3] {
            for counted in 0..2 {
                for rounds in [1, 2] {
                    if kind < 4 || threads == 2 {
                        let parameters =
                            [("KIND", kind), ("THREADS", threads), ("COUNTED", counted), ("ROUNDS", rounds)];
                        family.add(&parameters, kind < 4);
                    }
                }
            }
        }
    }
    family.family = "mutual";
    family.like = "pthread-atomic";
    for kind in 0..4 {
        for broken in 0..2 {
            for rounds in [1, 2] {
                if kind < 3 || broken == 0 {
                    family.add(
                        &[("KIND", kind), ("BROKEN", broken), ("ROUNDS", rounds)],
                        kind < 3 && broken == 0,
                    );
                }
            }
        }
    }
}
