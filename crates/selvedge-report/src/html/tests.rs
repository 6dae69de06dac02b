//! The page as a file: its data, and that nothing of a program can become markup.

use super::*;
use crate::{Covered, Effect, Kind, Place, Row, Variable};
use serde_json::Value;

const NASTY: &str = "</script><script>alert(1)</script><!-- \u{2028} & \" ' <img src=x onerror=alert(1)>";

fn place(line: u32) -> Option<Place> {
    Some(Place { file: "a.c".into(), line, column: 3, function: NASTY.into() })
}

fn checked(verdict: Answer) -> Check {
    let row = |thread, line, text: &str, effect: Effect| Row {
        thread,
        place: place(line),
        text: text.into(),
        effect,
        ..Row::default()
    };
    let wrote = Effect { variable: Some(0), written: Some("1".into()), ..Effect::default() };
    let read = Effect { variable: Some(0), read: Some("1".into()), from: Some(0), ..Effect::default() };
    let trace = Table {
        threads: vec!["main".into(), "main.1".into()],
        rows: vec![
            row(1, 4, "x = 1", wrote),
            row(0, 9, "reads x = 1", read),
            Row { marked: true, ..row(0, 10, NASTY, Effect::default()) },
        ],
        variables: vec![Variable { name: "x".into(), initial: Some("0".into()) }],
    };
    let found = Found {
        violation: Violation { place: place(10), ..Violation::new(Kind::Assertion, NASTY.into()) },
        threads: vec!["main".into()],
        schedule: None,
        replay: Some("selvedge run a.c --schedule s.json".into()),
        trace,
        asked: Vec::new(),
        inputs: Vec::new(),
        elsewhere: Vec::new(),
    };
    Check {
        verdict,
        model: Model::Rc11,
        strategy: "auto".into(),
        bounds: Vec::new(),
        left_out: Vec::new(),
        covered: Covered { executions: 2, states: Some(7), ..Covered::default() },
        violations: if verdict == Answer::Violation { vec![found] } else { Vec::new() },
        unknown: Vec::new(),
        cross_check: None,
        second_search: None,
    }
}

fn about() -> About {
    let lines = vec![(1, NASTY.to_owned()), (9, "int y = x;".to_owned())];
    About {
        program: "a".into(),
        command: "selvedge check a.c".into(),
        sources: vec![Source { file: "a.c".into(), lines }],
    }
}

/// The data of a page, as a browser would find it.
fn data(page: &str) -> Value {
    let begin = "<script type=\"application/json\" id=\"data\">";
    let after = &page[page.find(begin).expect("there is data") + begin.len()..];
    serde_json::from_str(&after[..after.find("</script>").expect("it ends")]).expect("it is JSON")
}

#[test]
fn the_data_says_what_happened() {
    let data = data(&check(&checked(Answer::Violation), &about()));
    assert_eq!(data["verdict"], "violation");
    assert_eq!(data["title"], "failed assertion");
    let story = &data["stories"][0];
    assert_eq!(story["message"][0], NASTY.lines().next().unwrap_or_default());
    assert_eq!(story["rows"][1]["from"], 0);
    assert_eq!(story["rows"][1]["read"], "1");
    assert_eq!(story["rows"][2]["marked"], true);
    assert_eq!(story["variables"][0]["initial"], "0");
    assert_eq!(data["sources"][0]["lines"][0][1], NASTY);
}

#[test]
fn what_a_program_says_is_no_markup() {
    let page = check(&checked(Answer::Violation), &about());
    assert_eq!(page.matches("<script").count(), 2, "the data and the page's own");
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<img") && !page.contains("<!--"));
}

#[test]
fn a_page_needs_nothing_else() {
    for outside in ["src=", "href=", "@import", "url(http", "fetch(", "XMLHttpRequest", "innerHTML"] {
        let own = [TEMPLATE, STYLE, SCRIPT].concat();
        assert!(!own.contains(outside), "{outside}");
    }
    assert!(TEMPLATE.contains("default-src 'none'"));
}

#[test]
fn a_verified_program_says_what_was_covered() {
    let data = data(&check(&checked(Answer::Verified), &about()));
    assert_eq!(data["title"], "no schedule breaks the program");
    assert_eq!(
        data["facts"][0][1],
        "every schedule under the language's memory model (rc11), without bounds"
    );
    assert_eq!(data["facts"][1][1], "7 states, 2 complete executions, 0.0 s");
}

#[test]
fn a_run_without_an_answer() {
    let unknown = Unknown { what: "unsupported".into(), place: place(3), thread: None, advice: NASTY.into() };
    let verdict = Verdict::Unknown(unknown);
    let shown = Run { verdict: &verdict, model: Model::Sc, table: Table::default(), replay: None, steps: 1 };
    let data = data(&run(&shown, &about()));
    assert_eq!(data["unknown"][0]["advice"], NASTY);
    assert_eq!(data["facts"][1][1], "1 step");
    assert_eq!(files_of_run(&verdict, &Table::default()), [("a.c".to_owned(), 3)]);
}
