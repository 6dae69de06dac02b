use super::*;
use crate::{CrossCheck, Doing, Kind, Place, Row, SecondSearch, Table, Unknown, Violation};
use expect_test::{Expect, expect};
use selvedge_trace::Model;

fn done(verdict: Answer) -> Check {
    Check {
        verdict,
        model: Model::Sc,
        strategy: "auto".into(),
        bounds: Vec::new(),
        left_out: Vec::new(),
        covered: Covered { executions: 12, states: Some(1_234_567), seconds: 3.04, ..Covered::default() },
        violations: Vec::new(),
        unknown: Vec::new(),
        cross_check: None,
        second_search: None,
    }
}

fn shown(result: &Check, expected: Expect) {
    expected.assert_eq(&check(result, Detail::Brief, Style::default()));
}

#[test]
fn verified_says_under_which_conditions() {
    shown(
        &done(Answer::Verified),
        expect![[r#"
            verified: no schedule breaks the program
              under sequential consistency, without bounds
              1,234,567 states, 12 complete executions, 3.0 s
              states are told apart by hashes of 128 bits: the probability that two were confused is less than 1e-26
        "#]],
    );
    let bounded = Check {
        model: Model::Tso,
        bounds: vec!["unroll 3".into(), "preemptions 2".into()],
        left_out: vec!["data races".into()],
        covered: Covered { blocked: 4, classes: Some(1), ..Covered::default() },
        ..done(Answer::Verified)
    };
    shown(
        &bounded,
        expect![[r#"
            verified: but no execution satisfies the assumptions, so nothing was shown
              under total store order (tso), with unroll 3 and preemptions 2
              0 complete executions, 1 view, 4 blocked, 0.0 s
              the bounds cut nothing off: every execution is within them
              not looked for: data races
        "#]],
    );
}

#[test]
fn verified_says_what_a_second_search_says() {
    let second = |strategies: &[&str], outcome| Check {
        covered: Covered { executions: 12, states: Some(0), ..Covered::default() },
        second_search: Some(SecondSearch {
            strategies: strategies.iter().map(|&name| name.into()).collect(),
            covered: Covered { executions: 3, ..Covered::default() },
            outcome,
        }),
        ..done(Answer::Verified)
    };
    shown(
        &second(&["optimal", "states"], SecondOutcome::Confirmed),
        expect![[r#"
            verified: no schedule breaks the program
              under sequential consistency, without bounds
              0 states, 12 complete executions, 0.0 s
              confirmed by a second search (states, without reductions): 3 complete executions, 0.0 s
        "#]],
    );
    shown(
        &second(&["optimal", "states"], SecondOutcome::Unfinished("it found nothing wrong in 0.1 s".into())),
        expect![[r#"
            verified: no schedule breaks the program
              under sequential consistency, without bounds
              0 states, 12 complete executions, 0.0 s
              a second search (optimal, then states, without reductions) was not finished: it found nothing wrong in 0.1 s
        "#]],
    );
    shown(
        &second(&[], SecondOutcome::NotBegun("only one strategy looks at all inputs".into())),
        expect![[r#"
            verified: no schedule breaks the program
              under sequential consistency, without bounds
              0 states, 12 complete executions, 0.0 s
              not confirmed by a second search: only one strategy looks at all inputs
        "#]],
    );
}

#[test]
fn unknown_says_what_was_covered() {
    let reason = Unknown {
        what: "the limit of time was reached".into(),
        place: None,
        thread: None,
        advice: "Raise it with --max-time".into(),
    };
    let result = Check {
        unknown: vec![reason],
        covered: Covered { waiting: 1, ..done(Answer::Unknown).covered },
        ..done(Answer::Unknown)
    };
    shown(
        &result,
        expect![[r#"
            unknown: the limit of time was reached
              Raise it with --max-time
              covered under sequential consistency, without bounds: 1,234,567 states, 12 complete executions, 1 known state not looked at, 3.0 s
        "#]],
    );
}

#[test]
fn a_data_race_with_its_trace() {
    let place = |line| Some(Place { file: "race.c".into(), line, column: 3, function: "f".into() });
    let doing = |thread: &str, does: &str, line| Doing {
        thread: thread.into(),
        does: does.into(),
        place: place(line),
    };
    let violation = Violation {
        place: place(5),
        thread: Some("main.1".into()),
        doing: vec![doing("main.1", "writes x", 5), doing("main", "reads x", 9)],
        ..Violation::new(
            Kind::DataRace,
            "`x` is written by main.1 at race.c:5 and read by main at race.c:9, and nothing orders them"
                .into(),
        )
    };
    let row = |thread, line, text: &str, marked| Row {
        thread,
        place: place(line),
        text: text.into(),
        marked,
        ..Row::default()
    };
    let found = Found {
        violation,
        threads: vec!["main.1".into(), "main".into()],
        schedule: Some("race.schedule.json".into()),
        replay: Some("selvedge run race.c --schedule race.schedule.json".into()),
        asked: Vec::new(),
        inputs: Vec::new(),
        elsewhere: Vec::new(),
        trace: Table {
            threads: vec!["main".into(), "main.1".into()],
            rows: vec![
                row(0, 8, "creates main.1", false),
                row(1, 5, "writes x", false),
                row(0, 9, "reads x", true),
            ],
            variables: Vec::new(),
        },
    };
    let cross_check = CrossCheck {
        strategy: "states".into(),
        verdict: Answer::Violation,
        covered: Covered { states: Some(9), ..Covered::default() },
        contradiction: None,
    };
    let result = Check { violations: vec![found], cross_check: Some(cross_check), ..done(Answer::Violation) };
    shown(
        &result,
        expect![[r#"
            violation: data race
              `x` is written by main.1 at race.c:5 and read by main at race.c:9, and nothing orders them

                        main                                         main.1
              race.c:8  creates main.1
              race.c:5                                               writes x
            > race.c:9  reads x

              found under sequential consistency, without bounds: 1,234,567 states, 12 complete executions, 3.0 s
              cross-check: also violation with strategy states: 9 states, 0 complete executions, 0.0 s
              replay: selvedge run race.c --schedule race.schedule.json
        "#]],
    );
}

#[test]
fn a_contradiction_is_loud() {
    let result = Check {
        cross_check: Some(CrossCheck {
            strategy: "states".into(),
            verdict: Answer::Violation,
            covered: Covered { states: Some(7), ..Covered::default() },
            contradiction: Some("strategy auto says verified, strategy states says violation".into()),
        }),
        ..done(Answer::Unknown)
    };
    shown(
        &result,
        expect![[r#"
            cross-check: strategy auto says verified, strategy states says violation
              strategy auto: 1,234,567 states, 12 complete executions, 3.0 s
              violation with strategy states: 7 states, 0 complete executions, 0.0 s
              One of them is wrong. This is a bug of Selvedge: please report it with the program
        "#]],
    );
}

#[test]
fn probabilities_are_rounded_up() {
    let below = |states| {
        let covered = Covered { states: Some(states), ..Covered::default() };
        power_above(covered.collision_probability().expect("there are states"))
    };
    assert_eq!(below(2), "1e-38");
    assert_eq!(below(1_000_000), "1e-26");
    assert_eq!(below(u64::MAX), "1e0");
    let compared = Covered { states: Some(9), exact: true, ..Covered::default() };
    assert_eq!(compared.collision_probability(), Some(0.0));
}

#[test]
fn digits_in_groups() {
    assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
}
