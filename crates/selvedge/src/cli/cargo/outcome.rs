//! What came out of the check of one test, as it is shown and kept.

use crate::check::Checked;
use selvedge_report::text::{self, Detail, grouped};
use selvedge_report::{Answer, Check, Style, Unknown, json};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// What came out of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The word for people and files.
    pub verdict: String,
    /// What goes wrong or why there is no answer, in a few words.
    pub why: String,
    /// What was not looked at although nothing says so, as in "not looked for: spurious wake-ups".
    pub remarks: Vec<String>,
    pub model: String,
    pub executions: u64,
    pub states: Option<u64>,
    pub seconds: f64,
    /// What the reader should know beyond the first line: lines without colours.
    pub details: String,
    /// The executions as tables.
    pub tables: String,
    /// As in `selvedge check --format json`, without the tables.
    pub violations: Vec<Value>,
    pub unknown: Vec<Value>,
    /// Files with schedules, which must be there for the outcome to be of use.
    pub schedules: Vec<PathBuf>,
    /// Whether another check would say the same.
    pub lasting: bool,
}

impl Outcome {
    /// In words; `plain` has no colours.
    pub fn new(checked: &Checked, plain: Style) -> Self {
        let result = &checked.result;
        let mut form: Value = serde_json::from_str(&json::check(result)).unwrap_or_default();
        let mut take = |name: &str| match form[name].take() {
            Value::Array(values) => values,
            _ => Vec::new(),
        };
        let (mut violations, unknown) = (take("violations"), take("unknown"));
        for form in violations.iter_mut().filter_map(Value::as_object_mut) {
            form.remove("trace");
        }
        let (why, details) = words(result, plain);
        let is_violation = result.verdict == Answer::Violation;
        let interrupted = result.unknown.iter().any(|reason| reason.what.contains("interrupted"));
        Outcome {
            verdict: result.verdict.name().to_owned(),
            why,
            remarks: remarks(result),
            model: result.model.name().to_owned(),
            executions: result.covered.executions,
            states: result.covered.states,
            seconds: (result.covered.seconds * 1000.0).round() / 1000.0,
            details,
            tables: if is_violation { text::check(result, Detail::Brief, plain) } else { String::new() },
            schedules: result
                .violations
                .iter()
                .filter_map(|found| found.schedule.clone())
                .map(PathBuf::from)
                .collect(),
            violations,
            unknown,
            lasting: !interrupted,
        }
    }

    /// For a test that could not be checked.
    pub fn failed(what: &str, model: &str, seconds: f64) -> Self {
        Outcome {
            verdict: Answer::Unknown.name().to_owned(),
            why: what.lines().next().unwrap_or_default().to_owned(),
            remarks: Vec::new(),
            model: model.to_owned(),
            executions: 0,
            states: None,
            seconds,
            details: String::new(),
            tables: String::new(),
            violations: Vec::new(),
            unknown: vec![serde_json::json!({ "what": what.trim() })],
            schedules: Vec::new(),
            lasting: false,
        }
    }

    /// How much was looked at, and in what time.
    pub fn counts(&self) -> String {
        let plural = |count: u64, word: &str| match count {
            1 => format!("1 {word}"),
            count => format!("{} {word}s", grouped(count)),
        };
        let states = self.states.map(|states| plural(states, "state"));
        let counts = states.into_iter().chain([plural(self.executions, "execution")]);
        let counts = counts.chain([format!("{:.1} s", self.seconds)]);
        counts.chain(self.remarks.iter().cloned()).collect::<Vec<_>>().join(", ")
    }
}

/// What qualifies a verdict.
fn remarks(result: &Check) -> Vec<String> {
    let vacuous = result.is_vacuous().then(|| "no execution satisfies the assumptions".to_owned());
    let bounds = (!result.bounds.is_empty()).then(|| format!("bounds: {}", result.bounds.join(", ")));
    let left_out =
        (!result.left_out.is_empty()).then(|| format!("not looked for: {}", result.left_out.join(", ")));
    vacuous.into_iter().chain(bounds).chain(left_out).collect()
}

/// A few words, and the rest.
fn words(result: &Check, plain: Style) -> (String, String) {
    match result.verdict {
        Answer::Verified => (String::new(), String::new()),
        Answer::Unknown => {
            let Some(first) = result.unknown.first() else { return (String::new(), String::new()) };
            let mut details = after_first_line(&text::unknown(first, None, plain));
            for other in &result.unknown[1..] {
                details.push_str(&format!("also {}\n", what(other)));
            }
            (what(first), details)
        }
        Answer::Violation => {
            let texts: Vec<String> = result
                .violations
                .iter()
                .map(|found| text::violation(&found.violation, found.replay.as_deref(), plain))
                .collect();
            let title = |index: usize| result.violations[index].violation.kind.title();
            let why = match texts.len() {
                0 => String::new(),
                1 => title(0).to_owned(),
                count => format!("{}, and {} more", title(0), count - 1),
            };
            let details = match texts.as_slice() {
                [one] => after_first_line(one),
                _ => texts.concat(),
            };
            (why, details)
        }
    }
}

fn what(unknown: &Unknown) -> String {
    match &unknown.place {
        Some(place) => format!("{} at {}", unknown.what, place.described()),
        None => unknown.what.clone(),
    }
}

fn after_first_line(text: &str) -> String {
    text.split_once('\n').map_or(String::new(), |(_, rest)| rest.to_owned())
}
