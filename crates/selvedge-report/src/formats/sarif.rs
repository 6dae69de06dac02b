//! Reports as SARIF 2.1.0: each violation is a result, its execution a code flow with one thread flow for each thread, in
//! which the order of execution says who came when.

use crate::html::About;
use crate::{Answer, Check, Found, Kind, Place, Row, Unknown};
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The result of a check.
pub fn check(check: &Check, about: &About) -> String {
    let driver = json!({
        "name": "Selvedge",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": Kind::ALL.iter().map(|&kind| rule(kind)).collect::<Vec<_>>(),
    });
    let notifications: Vec<Value> = check.unknown.iter().map(notification).collect();
    let run = json!({
        "tool": { "driver": driver },
        "columnKind": "unicodeCodePoints",
        "invocations": [{
            "executionSuccessful": check.verdict != Answer::Unknown,
            "commandLine": about.command,
            "toolExecutionNotifications": notifications,
        }],
        "results": check.violations.iter().map(result).collect::<Vec<_>>(),
        "properties": {
            "program": about.program,
            "verdict": check.verdict.name(),
            "model": check.model.name(),
            "covered": crate::text::counts(&check.covered),
        },
    });
    let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] });
    serde_json::to_string_pretty(&log).expect("strings and numbers are always JSON") + "\n"
}

fn rule(kind: Kind) -> Value {
    json!({
        "id": kind.name(),
        "shortDescription": { "text": kind.title() },
        "defaultConfiguration": { "level": "error" },
    })
}

fn notification(unknown: &Unknown) -> Value {
    let mut form = json!({
        "level": "warning",
        "message": { "text": format!("not everything was covered: {}. {}", unknown.what, unknown.advice) },
    });
    if let Some(place) = &unknown.place {
        form["locations"] = json!([location(place, None)]);
    }
    form
}

fn result(found: &Found) -> Value {
    let violation = &found.violation;
    let index = Kind::ALL.iter().position(|&kind| kind == violation.kind);
    let mut form = json!({
        "ruleId": violation.kind.name(),
        "ruleIndex": index,
        "level": "error",
        "message": { "text": violation.message },
        "partialFingerprints": { "selvedge/v1": fingerprint(found) },
        "properties": { "threads": found.threads, "replay": found.replay, "schedule": found.schedule },
    });
    if let Some(place) = &violation.place {
        form["locations"] = json!([location(place, None)]);
    }
    let other = violation
        .doing
        .iter()
        .map(|doing| (doing.place.as_ref(), format!("{} {}", doing.thread, doing.does)));
    let waiting = violation.waiting.iter();
    let waiting = waiting.map(|one| (one.place.as_ref(), format!("{} waits {}", one.thread, one.waits)));
    let related: Vec<Value> =
        other.chain(waiting).filter_map(|(place, text)| Some(location(place?, Some(&text)))).collect();
    if !related.is_empty() {
        form["relatedLocations"] = related.into();
    }
    let flows = thread_flows(found);
    if !flows.is_empty() {
        form["codeFlows"] = json!([{ "threadFlows": flows }]);
    }
    form
}

/// The execution, thread by thread.
fn thread_flows(found: &Found) -> Vec<Value> {
    let table = &found.trace;
    let of = |(thread, name): (usize, &String)| {
        let rows = table.rows.iter().enumerate().filter(|(_, row)| row.thread == thread);
        let locations: Vec<Value> = rows.map(|(order, row)| step(order, row)).collect();
        (!locations.is_empty()).then(|| json!({ "id": name, "locations": locations }))
    };
    table.threads.iter().enumerate().filter_map(of).collect()
}

fn step(order: usize, row: &Row) -> Value {
    let text = match &row.remark {
        Some(remark) => format!("{} ({remark})", row.text),
        None => row.text.clone(),
    };
    let place = match &row.place {
        Some(place) => location(place, Some(&text)),
        None => json!({ "message": { "text": text } }),
    };
    let importance = match (row.marked, row.detail) {
        (true, _) => "essential",
        (_, true) => "unimportant",
        _ => "important",
    };
    json!({ "location": place, "executionOrder": order + 1, "importance": importance })
}

fn location(place: &Place, message: Option<&str>) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(&place.file) } });
    if place.line > 0 {
        physical["region"] = json!({ "startLine": place.line });
        if place.column > 0 {
            physical["region"]["startColumn"] = place.column.into();
        }
    }
    let mut form = json!({ "physicalLocation": physical });
    if !place.function.is_empty() {
        form["logicalLocations"] = json!([{ "fullyQualifiedName": place.function, "kind": "function" }]);
    }
    if let Some(message) = message {
        form["message"] = json!({ "text": message });
    }
    form
}

/// A path as a reference: what has a meaning there is written in hexadecimal.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' | b'+' | b'@' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

/// The same for the same mistake, whatever the schedule that shows it.
fn fingerprint(found: &Found) -> String {
    let violation = &found.violation;
    let mut places: Vec<(&str, &str, u32)> = violation
        .place
        .iter()
        .chain(violation.doing.iter().filter_map(|doing| doing.place.as_ref()))
        .chain(violation.waiting.iter().filter_map(|waiting| waiting.place.as_ref()))
        .map(|place| (place.file.as_str(), place.function.as_str(), place.line))
        .collect();
    places.sort_unstable();
    places.dedup();
    let mut hasher = DefaultHasher::new();
    (violation.kind.name(), places).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("src/a.c"), "src/a.c");
        assert_eq!(uri("a b#1.c"), "a%20b%231.c");
        assert_eq!(uri("/tmp/a.c"), "file:///tmp/a.c");
    }
}
