//! The result of a check, for people.

use super::{headline, lines, unknown, violation};
use crate::{Answer, Check, Covered, Found, SecondOutcome, Style};

/// How much of an execution is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What is needed to understand how it came to its end.
    Brief,
    Whole,
}

/// The result of a check as text. For a violation it ends with the command that replays it.
pub fn check(check: &Check, detail: Detail, style: Style) -> String {
    let mut text = String::new();
    match check.verdict {
        Answer::Verified => verified(&mut text, check, style),
        Answer::Violation => {}
        Answer::Unknown => {
            for reason in &check.unknown {
                text.push_str(&unknown(reason, None, style));
            }
            if !check.unknown.is_empty() {
                text.push_str(&format!("  covered {}: {}\n", under(check), counts(&check.covered)));
            }
            if check.covered.sequential {
                text.push_str("  all sequentially consistent executions were covered, and none goes wrong\n");
            }
        }
    }
    // Next to a violation it is part of the account of how that was found.
    if check.verdict != Answer::Violation {
        cross_check(&mut text, check, style);
    }
    for (index, found) in check.violations.iter().enumerate() {
        if !text.is_empty() {
            text.push('\n');
        }
        let account =
            (index + 1 == check.violations.len() && check.verdict == Answer::Violation).then_some(check);
        one_violation(&mut text, found, account, detail, style);
    }
    text
}

/// The result of a check in a line; several violations in one each.
pub fn line(check: &Check) -> String {
    match check.verdict {
        Answer::Violation => check.violations.iter().map(|found| super::line_of(&found.violation)).collect(),
        Answer::Unknown => {
            check.unknown.first().map_or_else(|| "unknown\n".to_owned(), super::line_of_unknown)
        }
        Answer::Verified if check.is_vacuous() => {
            "verified: but no execution satisfies the assumptions, so nothing was shown\n".to_owned()
        }
        Answer::Verified => format!("verified: {}\n", under(check)),
    }
}

fn verified(text: &mut String, check: &Check, style: Style) {
    match check.is_vacuous() {
        false => headline(text, &style.good("verified"), "no schedule breaks the program", style),
        true => headline(
            text,
            &style.bad("verified"),
            "but no execution satisfies the assumptions, so nothing was shown",
            style,
        ),
    }
    text.push_str(&format!("  {}\n", under(check)));
    text.push_str(&format!("  {}\n", counts(&check.covered)));
    if let Some(told) = bounds_hold(check) {
        text.push_str(&format!("  {told}\n"));
    }
    if !check.left_out.is_empty() {
        text.push_str(&format!("  not looked for: {}\n", check.left_out.join(", ")));
    }
    for told in chance_of_confusion(check).into_iter().chain(second_search(check)) {
        text.push_str(&format!("  {told}\n"));
    }
}

/// That bounds were asked for and have left nothing out.
pub fn bounds_hold(check: &Check) -> Option<&'static str> {
    (!check.bounds.is_empty()).then_some("the bounds cut nothing off: every execution is within them")
}

/// How states were told apart, where they were stored.
pub fn chance_of_confusion(check: &Check) -> Option<String> {
    if check.covered.exact {
        return Some("exact: states were told apart by all that they consist of, not by hashes".to_owned());
    }
    let probability = check.covered.collision_probability().filter(|&one| one > 0.0)?;
    Some(format!(
        "states are told apart by hashes of 128 bits: the probability that two were confused is less than {}",
        power_above(probability)
    ))
}

/// What an independent search says.
pub fn second_search(check: &Check) -> Option<String> {
    let second = check.second_search.as_ref()?;
    let strategies = second.strategies.join(", then ");
    let told = match &second.outcome {
        SecondOutcome::Confirmed => {
            let last = second.strategies.last().map_or("", String::as_str);
            format!("confirmed by a second search ({last}, without reductions): {}", counts(&second.covered))
        }
        SecondOutcome::Unfinished(why) if strategies.is_empty() => {
            format!("a second search was not finished: {why}")
        }
        SecondOutcome::Unfinished(why) => {
            format!("a second search ({strategies}, without reductions) was not finished: {why}")
        }
        SecondOutcome::NotBegun(why) => format!("not confirmed by a second search: {why}"),
        SecondOutcome::Contradicted(_) => return None,
    };
    Some(told)
}

fn one_violation(text: &mut String, found: &Found, account: Option<&Check>, detail: Detail, style: Style) {
    text.push_str(&violation(&found.violation, None, style));
    let table = match detail {
        Detail::Brief => found.trace.brief(style),
        Detail::Whole => found.trace.text(style),
    };
    if !found.trace.rows.is_empty() {
        text.push_str(&format!("\n{table}\n"));
    }
    if !found.inputs.is_empty() {
        let told: Vec<String> =
            found.inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        lines(text, "  ", &format!("inputs: {}", told.join(", ")));
    }
    if let Some(sentence) = crate::elsewhere::sentence(&found.elsewhere, found.violation.kind, style) {
        text.push_str(&format!("  {sentence}\n"));
    }
    if let Some(check) = account {
        text.push_str(&format!("  found {}: {}\n", under(check), counts(&check.covered)));
        cross_check(text, check, style);
        for reason in &check.unknown {
            lines(text, "  ", &format!("not everything was covered: {}. {}", reason.what, reason.advice));
        }
    }
    if let Some(command) = &found.replay {
        text.push_str(&format!("  replay: {}\n", style.strong(command)));
    }
}

fn cross_check(text: &mut String, check: &Check, style: Style) {
    let Some(other) = &check.cross_check else { return };
    let told =
        format!("{} with strategy {}: {}", other.verdict.name(), other.strategy, counts(&other.covered));
    match &other.contradiction {
        Some(contradiction) => {
            headline(text, &style.bad("cross-check"), contradiction, style);
            text.push_str(&format!("  strategy {}: {}\n", check.strategy, counts(&check.covered)));
            text.push_str(&format!("  {told}\n"));
            text.push_str(
                "  One of them is wrong. This is a bug of Selvedge: please report it with the program\n",
            );
        }
        None => text.push_str(&format!("  cross-check: also {told}\n")),
    }
}

/// Under which model and with which bounds, as in "under sequential consistency, without bounds".
pub fn under(check: &Check) -> String {
    let model = check.model.row().title;
    match check.bounds.is_empty() {
        true => format!("under {model}, without bounds"),
        false => format!("under {model}, with {}", check.bounds.join(" and ")),
    }
}

/// How much work questions about the order of events were, in a line of its own; nothing if there were none.
pub fn solver_work(covered: &Covered) -> Option<String> {
    let work = covered.solver?;
    let spared = |number: u64| match number {
        0 => String::new(),
        number => format!(" (and {} let go)", grouped(number)),
    };
    Some(format!(
        "  solver: {} reads pinned{}, {} constraints{}, {} frontiers, {} steps, work {}, {:.4} s\n",
        grouped(work.reads),
        spared(work.freed_reads),
        grouped(work.constraints),
        spared(work.freed_constraints),
        grouped(work.frontiers),
        grouped(work.steps),
        grouped(work.work),
        work.seconds,
    ))
}

/// How much was looked at.
pub fn counts(covered: &Covered) -> String {
    let mut parts = Vec::new();
    parts.extend(covered.states.map(|states| counted(states, "state")));
    parts.push(counted(covered.executions, "complete execution"));
    parts.extend(covered.classes.map(|classes| counted(classes, "view")));
    parts.extend(covered.paths.map(|paths| counted(paths, "path")));
    parts.extend(covered.queries.map(|queries| match queries {
        1 => "1 query".to_owned(),
        queries => format!("{} queries", grouped(queries)),
    }));
    if covered.blocked > 0 {
        parts.push(format!("{} blocked", grouped(covered.blocked)));
    }
    if covered.waiting > 0 {
        parts.push(format!("{} not looked at", counted(covered.waiting, "known state")));
    }
    parts.push(format!("{:.1} s", covered.seconds));
    parts.join(", ")
}

fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A power of ten above a probability that is not zero.
fn power_above(probability: f64) -> String {
    format!("1e{}", probability.log10().ceil() as i64)
}

#[cfg(test)]
mod tests;
