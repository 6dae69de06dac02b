//! What was looked at, as headings and sentences.

use crate::text::{bounds_hold, chance_of_confusion, counts, second_search, under};
use crate::{Answer, Check};
use selvedge_trace::Model;

/// What a check has covered.
pub fn of_check(check: &Check) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Looked at", format!("every schedule {}", under(check)))];
    if check.verdict != Answer::Verified {
        facts[0].1 = format!("schedules {}", under(check));
    }
    facts.push(("How much", counts(&check.covered)));
    facts.push(("Strategy", check.strategy.clone()));
    if check.verdict == Answer::Verified {
        facts.extend(bounds_hold(check).map(|told| ("Bounds", told.to_owned())));
        facts.extend(chance_of_confusion(check).map(|told| ("States", told)));
        facts.extend(second_search(check).map(|told| ("Second opinion", told)));
    }
    if check.covered.sequential && check.verdict == Answer::Unknown {
        let told = "all sequentially consistent executions were covered, and none goes wrong";
        facts.push(("Part of it", told.to_owned()));
    }
    if !check.left_out.is_empty() {
        facts.push(("Not looked for", check.left_out.join(", ")));
    }
    if let Some(other) = &check.cross_check {
        let told =
            format!("{} with strategy {}: {}", other.verdict.name(), other.strategy, counts(&other.covered));
        facts.push(("Cross-check", other.contradiction.clone().unwrap_or(told)));
    }
    facts
}

/// What a run has done.
pub fn of_run(model: Model, steps: u64) -> Vec<(&'static str, String)> {
    let one = format!("one execution under {}", model.row().title);
    let steps =
        if steps == 1 { "1 step".to_owned() } else { format!("{} steps", crate::text::grouped(steps)) };
    vec![("Looked at", one), ("How much", steps)]
}
