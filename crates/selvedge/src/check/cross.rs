//! Two strategies on one program: do they say the same?

use super::Checked;
use selvedge_report::{Answer, Check, CrossCheck, Found};

/// Adds what the second strategy says to the result of the first. Where they contradict each other there is no answer.
/// `all`: both have looked for all violations.
pub fn compare(first: &mut Checked, second: Checked, all: bool) {
    let contradiction = contradiction(&first.result, &second.result, all);
    first.result.cross_check = Some(CrossCheck {
        strategy: second.result.strategy.clone(),
        verdict: second.result.verdict,
        covered: second.result.covered,
        contradiction,
    });
    let contradicted = first.result.cross_check.as_ref().is_some_and(|other| other.contradiction.is_some());
    match (first.result.verdict, second.result.verdict) {
        _ if contradicted => {
            first.result.verdict = Answer::Unknown;
            if first.result.violations.is_empty() {
                first.result.violations = second.result.violations;
                first.schedules = second.schedules;
            }
        }
        // Each violation has been replayed: the one of the second strategy counts as much as one of the first.
        (Answer::Unknown, Answer::Violation) => {
            first.result.verdict = Answer::Violation;
            first.result.violations = second.result.violations;
            first.schedules = second.schedules;
        }
        (Answer::Verified, Answer::Unknown) => {
            first.result.verdict = Answer::Unknown;
            first.result.unknown = second.result.unknown;
        }
        _ => {}
    }
}

/// What one of two checks must be wrong about. `all`: both have looked for all violations.
pub fn contradiction(first: &Check, second: &Check, all: bool) -> Option<String> {
    let says = |what: &dyn Fn(&Check) -> String| {
        format!(
            "strategy {} says {}, strategy {} says {}",
            first.strategy,
            what(first),
            second.strategy,
            what(second)
        )
    };
    let complete = |check: &Check| check.unknown.is_empty();
    match (first.verdict, second.verdict) {
        (Answer::Verified, Answer::Violation) | (Answer::Violation, Answer::Verified) => {
            Some(says(&|check| check.verdict.name().to_owned()))
        }
        _ if !complete(first) || !complete(second) => None,
        _ if all && violations(first) != violations(second) => Some(says(&|check| {
            format!("{} violations at {}", check.violations.len(), violations(check).join(", "))
        })),
        _ => match (first.covered.classes, second.covered.classes) {
            (Some(one), Some(other)) if one != other && first.verdict == Answer::Verified => {
                Some(says(&|check| format!("{} views", check.covered.classes.unwrap_or_default())))
            }
            _ => None,
        },
    }
}

/// Kinds and places of all violations, where all were looked for.
fn violations(check: &Check) -> Vec<String> {
    let name = |found: &Found| {
        let place = found.violation.place.as_ref().map(|place| place.position()).unwrap_or_default();
        format!("{} {place}", found.violation.kind.name())
    };
    let mut names: Vec<String> = check.violations.iter().map(name).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use selvedge_report::{Covered, Kind, Table, Unknown, Violation};
    use selvedge_trace::Model;

    fn checked(strategy: &str, verdict: Answer) -> Checked {
        let found = Found {
            inputs: Vec::new(),
            asked: Vec::new(),
            elsewhere: Vec::new(),
            violation: Violation::new(Kind::Assertion, "x".into()),
            threads: Vec::new(),
            schedule: None,
            replay: None,
            trace: Table::default(),
        };
        let unknown = Unknown { what: "time".into(), place: None, thread: None, advice: String::new() };
        let result = Check {
            verdict,
            model: Model::Sc,
            strategy: strategy.into(),
            bounds: Vec::new(),
            left_out: Vec::new(),
            covered: Covered { classes: Some(3), ..Covered::default() },
            violations: if verdict == Answer::Violation { vec![found] } else { Vec::new() },
            unknown: if verdict == Answer::Unknown { vec![unknown] } else { Vec::new() },
            cross_check: None,
            second_search: None,
        };
        Checked { result, schedules: Vec::new() }
    }

    /// The verdict after comparing, how many violations it comes with, and what contradicts.
    fn compared(first: Answer, second: Checked, all: bool) -> (Answer, usize, Option<String>) {
        let mut first = checked("auto", first);
        compare(&mut first, second, all);
        let other = first.result.cross_check.expect("the second answer");
        (first.result.verdict, first.result.violations.len(), other.contradiction)
    }

    #[test]
    fn the_same_answer_stands() {
        for (verdict, found) in [(Answer::Verified, 0), (Answer::Violation, 1), (Answer::Unknown, 0)] {
            assert_eq!(compared(verdict, checked("states", verdict), true), (verdict, found, None));
        }
    }

    #[test]
    fn a_contradiction_is_no_answer_and_shows_the_violation() {
        let said =
            |one: &str, other: &str| Some(format!("strategy auto says {one}, strategy states says {other}"));
        assert_eq!(
            compared(Answer::Verified, checked("states", Answer::Violation), false),
            (Answer::Unknown, 1, said("verified", "violation"))
        );
        assert_eq!(
            compared(Answer::Violation, checked("states", Answer::Verified), false),
            (Answer::Unknown, 1, said("violation", "verified"))
        );
        let mut other = checked("states", Answer::Verified);
        other.result.covered.classes = Some(4);
        assert_eq!(
            compared(Answer::Verified, other, false),
            (Answer::Unknown, 0, said("3 views", "4 views"))
        );
    }

    #[test]
    fn all_violations_are_compared_where_all_were_looked_for() {
        let two = || {
            let mut two = checked("states", Answer::Violation);
            two.result.violations.extend(two.result.violations.clone());
            two
        };
        assert_eq!(compared(Answer::Violation, two(), false), (Answer::Violation, 1, None));
        let (verdict, _, contradiction) = compared(Answer::Violation, two(), true);
        assert_eq!(verdict, Answer::Unknown);
        assert!(contradiction.is_some_and(|text| text.contains("2 violations")));
    }

    #[test]
    fn what_one_of_them_does_not_know() {
        let unknown = || checked("states", Answer::Unknown);
        assert_eq!(compared(Answer::Verified, unknown(), true), (Answer::Unknown, 0, None));
        assert_eq!(compared(Answer::Violation, unknown(), true), (Answer::Violation, 1, None));
        let violation = checked("states", Answer::Violation);
        assert_eq!(compared(Answer::Unknown, violation, true), (Answer::Violation, 1, None));
    }
}
