//! A small part of every campaign, always the same. `make fuzz` goes on from there.

use selvedge_fuzz::campaign::{Campaign, Summary};
use selvedge_fuzz::programs::ast::Language;
use selvedge_fuzz::programs::generate::generate;
use selvedge_fuzz::programs::oracle::{self, Ended, Runs};
use selvedge_fuzz::{abi, alike, commute, corpus, csmith, litmus, loader, programs, schedule, threads, weak};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

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

#[test]
fn steps_that_are_said_to_be_independent_commute() {
    check(&campaign("commute", 150).run(commute::case), 140);
}

/// Threads that end in the middle have the registers that their results are made of.
#[test]
fn generated_programs_are_programs() {
    for (language, number) in [(Language::Cxx, 750_037), (Language::C, 750_042)] {
        let compiled = programs::compiled(&generate(language, number), programs::c::Purpose::Checked, false);
        assert!(compiled.is_ok(), "{number}: {:?}", compiled.err());
    }
}

#[test]
fn all_searches_say_the_same_about_programs() {
    check(&programs::run(&campaign("programs", 24), Path::new(PROGRAM)).0, 24);
}

#[test]
fn the_corpus_does_not_fail_natively() {
    let all = corpus::verified();
    assert!(all.len() > 100, "{} programs", all.len());
    // Every eighth, so that each language and folder is among them.
    let one_of = |number: u64| &all[8 * number as usize % all.len()];
    check(&campaign("native", 24).run(|number| corpus::case_of(one_of(number), number, 40)), 18);
}

/// The delays show what hardly ever happens without them.
#[test]
fn native_runs_show_what_is_rare() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, program) = (folder.path().join("rare.c"), folder.path().join("rare"));
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdio.h>\nint y, x, seen;\n\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        static int get(int *p) { pthread_mutex_lock(&m); int v = *p; pthread_mutex_unlock(&m); return v; }\n\
        static void put(int *p) { pthread_mutex_lock(&m); *p = 1; pthread_mutex_unlock(&m); }\n\
        static void *a(void *p) { get(&y); return 0; }\n\
        static void *b(void *p) { int one = get(&y), other = get(&x); assert(one || !other); seen = one; return 0; }\n\
        int main(void) { pthread_t h, k; pthread_create(&h, 0, a, 0); pthread_create(&k, 0, b, 0); put(&y);\n\
        pthread_join(h, 0); put(&x); pthread_join(k, 0); printf(\"%d\\n\", seen); return 0; }\n";
    std::fs::write(&source, text).expect("a file");
    oracle::compile(Command::new("clang-22").args(["-w", "-pthread", "-o"]).arg(&program).arg(&source))
        .expect("compiled");
    let runs = Runs { count: 3000, seed: 1, patience: Duration::from_secs(20) };
    let outcomes = oracle::run(&program, &[], &runs).expect("runs");
    let wanted = [(Ended::Exit(0), "0\n"), (Ended::Exit(0), "1\n"), (Ended::Signal(6), "")];
    for (ended, printed) in wanted {
        assert!(
            outcomes.contains_key(&(ended.clone(), printed.to_owned())),
            "{ended:?} {printed}: {outcomes:?}"
        );
    }
}

/// And where fences forbid an ending, they show that.
#[test]
fn states_understand_fences() {
    let shown = |text: &str| {
        let test = selvedge_oracle::axiomatic::parse(text).expect("a test");
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
