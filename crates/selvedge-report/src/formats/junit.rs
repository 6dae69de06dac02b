//! Reports as JUnit's XML, which CI systems show as tests.

use crate::html::About;
use crate::text::{self, Detail};
use crate::{Answer, Check, Style};
use std::fmt::Write;

/// A test.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub name: String,
    /// What it belongs to.
    pub class: String,
    pub seconds: f64,
    pub outcome: Outcome,
}

/// How a test has ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Passed,
    /// It goes wrong: in which way, in one line, and the whole report.
    Failed {
        kind: String,
        message: String,
        report: String,
    },
    /// There is no answer: why, and the whole report.
    Unknown {
        message: String,
        report: String,
    },
}

/// The result of a check: a test for each violation, or one.
pub fn check(check: &Check, about: &About) -> String {
    let report = text::check(check, Detail::Brief, Style::default());
    let case = |name: String, outcome| Case {
        name,
        class: "selvedge".into(),
        seconds: check.covered.seconds,
        outcome,
    };
    let program = about.program.as_str();
    let cases = match check.verdict {
        Answer::Verified => vec![case(program.to_owned(), Outcome::Passed)],
        Answer::Unknown => {
            let why: Vec<&str> = check.unknown.iter().map(|one| one.what.as_str()).collect();
            vec![case(program.to_owned(), Outcome::Unknown { message: why.join("; "), report })]
        }
        Answer::Violation => {
            let one = |(number, found): (usize, &crate::Found)| {
                let violation = &found.violation;
                let place = violation
                    .place
                    .as_ref()
                    .map_or(String::new(), |place| format!(" at {}", place.position()));
                let name = match check.violations.len() {
                    1 => program.to_owned(),
                    _ => format!("{program}: {} {}{place}", number + 1, violation.kind.title()),
                };
                let report = text::violation(&violation.clone(), found.replay.as_deref(), Style::default())
                    + &found.trace.brief(Style::default());
                let message = violation.message.lines().next().unwrap_or_default().to_owned();
                case(name, Outcome::Failed { kind: violation.kind.name().to_owned(), message, report })
            };
            check.violations.iter().enumerate().map(one).collect()
        }
    };
    suite(program, &cases)
}

/// Tests as a document.
pub fn suite(name: &str, cases: &[Case]) -> String {
    let count = |wanted: fn(&Outcome) -> bool| cases.iter().filter(|case| wanted(&case.outcome)).count();
    let failures = count(|outcome| matches!(outcome, Outcome::Failed { .. }));
    let errors = count(|outcome| matches!(outcome, Outcome::Unknown { .. }));
    let seconds: f64 = cases.iter().map(|case| case.seconds).sum();
    let numbers = format!(
        "name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\" time=\"{seconds:.3}\"",
        escaped(name),
        cases.len()
    );
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(xml, "<testsuites {numbers}>\n  <testsuite {numbers}>");
    for case in cases {
        let (name, class) = (escaped(&case.name), escaped(&case.class));
        let _ =
            write!(xml, "    <testcase name=\"{name}\" classname=\"{class}\" time=\"{:.3}\"", case.seconds);
        let told = match &case.outcome {
            Outcome::Passed => None,
            Outcome::Failed { kind, message, report } => Some(("failure", kind.as_str(), message, report)),
            Outcome::Unknown { message, report } => Some(("error", "unknown", message, report)),
        };
        let Some((element, kind, message, report)) = told else {
            xml.push_str("/>\n");
            continue;
        };
        let (kind, message, report) = (escaped(kind), escaped(message), escaped(report));
        let _ =
            writeln!(xml, ">\n      <{element} type=\"{kind}\" message=\"{message}\">{report}</{element}>");
        xml.push_str("    </testcase>\n");
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

/// Text in XML; what XML cannot hold is shown as a question mark.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(character),
            control if control < ' ' || control == '\u{fffe}' || control == '\u{ffff}' => escaped.push('?'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_suite() {
        let case =
            |name: &str, outcome| Case { name: name.into(), class: "selvedge".into(), seconds: 0.5, outcome };
        let failed = Outcome::Failed {
            kind: "assertion".into(),
            message: "a < \"b\"".into(),
            report: "\u{1b}[1m& so".into(),
        };
        let unknown = Outcome::Unknown { message: "the limit".into(), report: "unknown".into() };
        let cases = [case("one", Outcome::Passed), case("two", failed), case("three", unknown)];
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="bank" tests="3" failures="1" errors="1" skipped="0" time="1.500">
              <testsuite name="bank" tests="3" failures="1" errors="1" skipped="0" time="1.500">
                <testcase name="one" classname="selvedge" time="0.500"/>
                <testcase name="two" classname="selvedge" time="0.500">
                  <failure type="assertion" message="a &lt; &quot;b&quot;">?[1m&amp; so</failure>
                </testcase>
                <testcase name="three" classname="selvedge" time="0.500">
                  <error type="unknown" message="the limit">unknown</error>
                </testcase>
              </testsuite>
            </testsuites>
        "#]]
        .assert_eq(&suite("bank", &cases));
    }
}
