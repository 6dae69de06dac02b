//! A small part of every campaign, always the same. `make fuzz` goes on from there.

use selvedge_fuzz::campaign::{Campaign, Summary};
use selvedge_fuzz::{csmith, loader, schedule, threads, weak};
use std::path::Path;

const PROGRAM: &str = env!("CARGO_BIN_EXE_selvedge-fuzz");

fn campaign(mode: &'static str, count: u64) -> Campaign {
    Campaign { mode, seed: 1, count: Some(count), time: None }
}

/// Nothing was found, and enough was tried.
fn check(summary: &Summary, least: u64) {
    eprintln!("{}", summary.line());
    assert!(summary.findings.is_empty(), "{}", summary.findings.join("\n"));
    assert!(summary.passed >= least, "too few cases passed: {}", summary.line());
}

#[test]
fn programs_of_csmith_do_what_they_do_natively() {
    check(&campaign("csmith", 25).run(|number| csmith::case(number, &["0", "2"])), 20);
}

#[test]
fn random_threads_end_well_and_can_be_repeated() {
    check(&campaign("threads", 30).run(|number| threads::case(number, 2)), 30);
}

#[test]
fn damaged_modules_are_refused_or_run() {
    check(&loader::run(&campaign("loader", 500), Path::new(PROGRAM)).expect("modules"), 40);
}

#[test]
fn damaged_schedules_are_refused_or_replayed() {
    check(&schedule::run(&campaign("schedule", 300), Path::new(PROGRAM)).expect("schedules"), 20);
}

#[test]
fn programs_with_weak_atomics_do_what_all_their_graphs_do() {
    check(&weak::run(&campaign("weak", 60)), 55);
}
