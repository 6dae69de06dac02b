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

/// What one of them must be wrong about.
fn contradiction(first: &Check, second: &Check, all: bool) -> Option<String> {
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
