//! Maximal path causality as it was published, beside our search: how many paths each finds, in how many executions.
//!
//! Both published strategies miss paths. `docs/paths.md` says of which kind; that it stays so is tested here.

mod search;

use search::{Published, explore};
use selvedge_oracle::paths::small::{Program, Small, programs};
use selvedge_paths::{Findings, Goal, Limits, Search};
use selvedge_terms::decide::{Budget, Native};
use selvedge_trace::Model;

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Threads that the largest program of the family with a crash has beside the first two
    #[arg(long, default_value_t = 3)]
    threads: usize,
}

fn native() -> Native {
    Native::new(Budget::default())
}

/// What a published strategy finds of a program.
fn find(program: &Program, strategy: Published) -> Result<Findings, String> {
    let mut runner = Small::new(program, Model::Sc);
    let found = explore(&mut runner, native, Model::Sc, strategy, &Limits::default());
    found.map_err(|error| error.to_string())
}

/// What our search finds of a program.
fn find_all(program: &Program) -> Result<Findings, String> {
    let mut runner = Small::new(program, Model::Sc);
    let found = Search::new(&mut runner, native).run(Goal::Paths, &Limits::default());
    found.map_err(|error| error.to_string())
}

/// Prints the table.
pub fn run(options: &Options) -> Result<(), String> {
    let mut rows = vec![
        ("two decisions that cross".to_owned(), programs::crossed()),
        ("decisions inside of each other".to_owned(), programs::nested()),
        ("a flag that is taken back".to_owned(), programs::taken_back()),
    ];
    rows.extend((0..=options.threads).map(|more| (format!("crash, M_{more}"), programs::crash(more))));
    println!("| program | paths, in executions | first strategy | second strategy |");
    println!("|---|---|---|---|");
    let cell = |findings: Findings| format!("{}, in {}", findings.paths, findings.executions);
    for (title, program) in rows {
        let all = cell(find_all(&program)?);
        let [first, second] = [Published::First, Published::Second].map(|strategy| find(&program, strategy));
        println!("| {title} | {all} | {} | {} |", cell(first?), cell(second?));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(program: &Program, strategy: Published) -> (u64, u64, usize) {
        let found = find(program, strategy).expect("the programs fit together");
        (found.paths, found.executions, found.failures.len())
    }

    #[test]
    fn the_first_strategy_misses_the_crash() {
        for more in 0..=3 {
            // The crash is behind one of the four paths that are missing.
            let paths = 6 << more;
            assert_eq!(found(&programs::crash(more), Published::First), (paths, paths, 0), "{more}");
        }
    }

    #[test]
    fn the_second_strategy_finds_the_crash() {
        assert_eq!(found(&programs::crash(0), Published::Second), (10, 14, 1));
        assert_eq!(found(&programs::crash(1), Published::Second), (16, 26, 1));
    }

    #[test]
    fn both_strategies_miss_paths() {
        // There are three.
        assert_eq!(found(&programs::taken_back(), Published::First).0, 2);
        assert_eq!(found(&programs::taken_back(), Published::Second).0, 2);
        assert_eq!(found(&programs::nested(), Published::First).0, 3);
        assert_eq!(found(&programs::nested(), Published::Second).0, 4);
        for program in [programs::crash(1), programs::nested(), programs::taken_back()] {
            let all = find_all(&program).expect("the programs fit together").paths;
            assert!(found(&program, Published::First).0 < all);
        }
    }
}
