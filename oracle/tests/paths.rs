//! The search over paths beside all executions of small programs.

use selvedge_oracle::numbers::Numbers;
use selvedge_oracle::paths::small::random::{Contents, program};
use selvedge_oracle::paths::small::{Program, Small, compare, programs, search};
use selvedge_paths::{Finish, Goal, Limits, Means, Search};
use selvedge_terms::decide::{Budget, Native};
use selvedge_trace::Model;

/// Compares random programs until enough were small enough.
fn agree(contents: Contents, model: Model, first: u64, wanted: usize) {
    let (mut seed, mut compared, mut paths, mut deadlocks) = (first, 0, 0, 0);
    while compared < wanted {
        let program = program(contents, &mut Numbers::new(seed));
        match compare(&program, model, 30_000) {
            Some(Ok(findings)) => {
                compared += usize::from(findings.paths > 1);
                paths += findings.paths;
                deadlocks += findings.deadlocks;
            }
            Some(Err(wrong)) => panic!("seed {seed}: {wrong}\n{}", shown(&program)),
            None => {}
        }
        seed += 1;
    }
    println!("{compared} of {} programs, {paths} paths, {deadlocks} deadlocks", seed - first);
}

fn shown(program: &Program) -> String {
    let threads: Vec<String> = program.threads.iter().map(|thread| format!("{thread:?}")).collect();
    format!("{}\nforked {:?}", threads.join("\n"), program.forked)
}

#[test]
fn without_locks() {
    agree(Contents::default(), Model::Sc, 0, 60);
}

#[test]
fn with_a_lock() {
    agree(Contents { locks: 1, ..Contents::default() }, Model::Sc, 10_000, 40);
}

#[test]
fn with_two_locks() {
    agree(Contents { locks: 2, ..Contents::default() }, Model::Sc, 20_000, 40);
}

#[test]
fn with_halves_and_addresses() {
    agree(Contents { locks: 1, halves: true, addresses: true, rich: false }, Model::Sc, 30_000, 40);
}

#[test]
fn with_everything() {
    agree(Contents { locks: 2, halves: true, addresses: true, rich: true }, Model::Sc, 40_000, 60);
}

#[test]
fn with_buffers_in_order() {
    agree(Contents { locks: 1, halves: true, addresses: true, rich: false }, Model::Tso, 50_000, 40);
}

#[test]
fn with_buffers_out_of_order() {
    agree(Contents { locks: 1, halves: true, addresses: true, rich: false }, Model::Pso, 60_000, 40);
}

/// Searches a program in both ways: that many paths, one execution for each.
fn count(name: &str, program: &Program, paths: u64) {
    count_by(Means::Both, name, program, paths);
    count_by(Means::System, name, program, paths);
}

/// Searches a program: that many paths, one execution for each.
fn count_by(means: Means, name: &str, program: &Program, paths: u64) {
    let findings =
        search(program, Model::Sc, Goal::Paths, means).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(findings.finish, Finish::Complete, "{name}");
    assert_eq!((findings.paths, findings.deadlocks, findings.executions), (paths, 0, paths), "{name}");
}

#[test]
fn programs_of_the_literature() {
    count("inputs", &programs::inputs(), 2);
    count("crossed", &programs::crossed(), 3);
    count("nested", &programs::nested(), 4);
    count("taken back", &programs::taken_back(), 3);
    count("inside", &programs::inside(), 2);
    count("inputs inside", &programs::inputs_inside(), 4);
    count("between", &programs::between(), 8);
    for more in 0..=5 {
        count("crash", &programs::crash(more), (6 << more) + 4);
    }
    for rounds in 1..=3 {
        count("loops", &programs::loops(rounds), (2 << rounds) - 1);
    }
    for spins in [1, 2, 10] {
        count("racey", &programs::racey(spins), 3 * (spins as u64 + 2).pow(2));
    }
    for rounds in [1, 2, 5] {
        count("dekker", &programs::dekker(rounds), (2 * rounds * rounds + 6 * rounds) as u64);
    }
    for (most, paths) in [(1, 11), (2, 34), (3, 122)] {
        count("spinlock", &programs::spinlock(2, most), paths);
    }
    count("spinlock of three", &programs::spinlock(3, 1), 45);
    for (most, paths) in [(1, 11), (2, 39), (3, 161)] {
        count("linux lock", &programs::linux_lock(2, most), paths);
    }
    for (most, paths) in [(1, 43), (2, 372)] {
        count("seqlock", &programs::seqlock(most), paths);
    }
}

/// Programs with so many paths that the constraint system alone takes too long.
#[test]
fn large_programs_of_the_literature() {
    let count = |name, program: &Program, paths| count_by(Means::Both, name, program, paths);
    for more in [7, 9] {
        count("crash", &programs::crash(more), (6 << more) + 4);
    }
    count("loops", &programs::loops(5), 63);
    for rounds in [20, 30] {
        count("dekker", &programs::dekker(rounds), (2 * rounds * rounds + 6 * rounds) as u64);
    }
    count("spinlock", &programs::spinlock(2, 5), 1_932);
    count("spinlock of three", &programs::spinlock(3, 3), 2_754);
    count("linux lock", &programs::linux_lock(2, 5), 2_847);
    count("seqlock", &programs::seqlock(3), 3_877);
}

/// That increments in whatever order do not make up a value is found by counting them.
#[test]
fn increments_are_counted() {
    let program = programs::crash(7);
    let findings = search(&program, Model::Sc, Goal::Paths, Means::System).unwrap();
    assert_eq!((findings.finish, findings.paths), (Finish::Complete, 772));
    assert!(findings.questions < 2_000, "{}", findings.questions);
}

/// Several threads that enumerate find what one does.
#[test]
fn helpers_find_nothing_else() {
    let program = programs::spinlock(2, 4);
    for means in [Means::Both, Means::System] {
        let mut runner = Small::new(&program, Model::Sc);
        let helpers = vec![Small::new(&program, Model::Sc), Small::new(&program, Model::Sc)];
        let mut search = Search::new(&mut runner, || Native::new(Budget::default())).with(helpers);
        let findings = search.run(Goal::Paths, &Limits { means, ..Limits::default() }).unwrap();
        assert_eq!((findings.finish, findings.paths, findings.executions), (Finish::Complete, 478, 478));
    }
}

/// Several threads that discover find the decisions, failures and races that one does.
#[test]
fn helpers_discover_nothing_else() {
    let look = |program: &Program, means, helpers: usize| {
        let mut runner = Small::new(program, Model::Sc);
        let helpers = (0..helpers).map(|_| Small::new(program, Model::Sc)).collect();
        let mut search = Search::new(&mut runner, || Native::new(Budget::default())).with(helpers);
        let limits = Limits { races: true, means, ..Limits::default() };
        let found = search.run(Goal::Coverage, &limits).unwrap();
        let mut failures: Vec<u32> = found.failures.iter().map(|failure| failure.failure).collect();
        failures.sort_unstable();
        let mut races = found.races.clone();
        races.sort_unstable();
        (found.finish, search.trees().leaves(), failures, races, found.deadlock.is_some())
    };
    let programs = [
        programs::spinlock(2, 2),
        programs::linux_lock(2, 2),
        programs::crash(3),
        programs::between(),
        programs::nested(),
    ];
    for program in &programs {
        let one = look(program, Means::System, 0);
        assert_eq!(one.0, Finish::Complete);
        for (means, helpers) in [(Means::System, 1), (Means::System, 2), (Means::States, 1), (Means::Both, 0)]
        {
            let mut others = look(program, means, helpers);
            // Threads have numbers in the order in which they were seen.
            others.1.sort();
            let mut one = one.clone();
            one.1.sort();
            assert_eq!(others, one, "{means:?} with {helpers}\n{}", shown(program));
        }
    }
}

#[test]
fn buffers_show_more() {
    let cases = [
        ("store buffering", programs::store_buffering(), [3, 4, 4]),
        ("message passing", programs::message_passing(), [2, 2, 3]),
    ];
    for (name, program, paths) in cases {
        for (model, paths) in [Model::Sc, Model::Tso, Model::Pso].into_iter().zip(paths) {
            let findings = search(&program, model, Goal::Paths, Means::Both)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(
                (findings.finish, findings.paths),
                (Finish::Complete, paths),
                "{name} under {model:?}"
            );
        }
    }
}

#[test]
fn coverage_needs_few_executions() {
    // There are 3,076 paths; the crash is one decision of one thread.
    let program = programs::crash(9);
    let mut runner = Small::new(&program, Model::Sc);
    let mut search = Search::new(&mut runner, || Native::new(Budget::default()));
    let findings = search.run(Goal::Coverage, &Limits::default()).unwrap();
    assert_eq!(findings.finish, Finish::Complete);
    assert_eq!(findings.failures.len(), 1);
    assert!(findings.executions <= 15, "{}", findings.executions);
}
