//! A small part of every campaign, always the same. `make fuzz` goes on from there.

use selvedge_fuzz::campaign::{Campaign, Summary};
use selvedge_fuzz::{abi, alike, csmith, litmus, loader, schedule, threads, weak};
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
fn functions_get_and_return_what_they_do_natively() {
    check(&campaign("abi", 4).run(|number| abi::case(number, &["0", "2"])), 4);
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

#[test]
fn states_verify_no_ending_that_the_enumerator_shows() {
    check(&campaign("litmus", 60).run(litmus::case), 55);
}

#[test]
fn equal_threads_are_taken_for_the_same_and_nothing_is_lost() {
    check(&campaign("alike", 60).run(alike::case), 30);
}

/// And where fences forbid an ending, they show that.
#[test]
fn states_understand_fences() {
    let shown = |text: &str| {
        let test = selvedge_relations::litmus::parse(text).expect("a test");
        litmus::compare(&test).unwrap_or_else(|failure| panic!("{}", failure.what)).expect("few executions")
    };
    let buffering = "x.rlx = 1; fence.sc; a = y.rlx\ny.rlx = 1; fence.sc; b = x.rlx";
    let causality = "x.rlx = 1; fence.sc; y.rlx = 1\na = y.rlx; z.rlx = 1\nb = z.rlx; fence.sc; c = x.rlx";
    let written = "x.rlx = 1; fence.sc; y.rlx = 1\ny.rlx = 2; fence.sc; a = x.rlx";
    let readers = "x.rlx = 1\ny.rlx = 1\na = x.rlx; fence.sc; b = y.rlx\nc = y.rlx; fence.sc; d = x.rlx";
    let handed = "x.rlx = 1\na = x.rlx; fence.sc; b = y.rlx\ny.rlx = 1; fence.sc; c = x.rlx";
    for text in [buffering, causality, written, readers, handed] {
        assert!(shown(text), "{text}");
    }
}
