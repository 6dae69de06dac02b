//! Reports against what others have published about their formats: the schema of SARIF 2.1.0 and a validator of JSON Schema that
//! is not ours, and a reader of JUnit's XML. `make setup` gets them; without them these tests do nothing.

use super::{checked, lost};
use crate::cli::{Place, python as interpreter};
use std::path::Path;

/// What is wrong with a document, a line each.
const VALIDATE: &str = "
import json, sys
from jsonschema.validators import validator_for
schema, document = (json.load(open(file)) for file in sys.argv[1:])
for error in validator_for(schema)(schema).iter_errors(document):
    print(list(error.absolute_path), error.message[:300])
";

/// The tests of a file and how many went wrong in which way, as the reader sees them.
const COUNT: &str = "
import sys
from junitparser import JUnitXml
tests = JUnitXml.fromfile(sys.argv[1])
print(tests.tests, tests.failures, tests.errors)
";

/// What a Python script prints, if the module that it needs is there.
fn python(module: &str, script: &str, words: &[&Path]) -> Option<String> {
    let can = interpreter().args(["-W", "ignore", "-c", &format!("import {module}")]).output();
    if !can.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: python3 has no module {module}");
        return None;
    }
    let output = interpreter().args(["-W", "ignore", "-c", script]).args(words).output();
    let output = output.expect("python3");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Reports of a violation, of several, of none, and of no answer, each in a file.
fn reports(place: &Place, format: &str) -> Vec<std::path::PathBuf> {
    std::fs::write(place.path("right.c"), "int main(void) { return 0; }\n").expect("a file");
    let calls: [&[&str]; 4] = [
        &["lost.c"],
        &["lost.c", "--keep-going", "--model", "sc"],
        &["right.c"],
        &["lost.c", "--max-executions", "1", "--model", "sc", "--strategy", "optimal"],
    ];
    let write = |(number, words): (usize, &&[&str])| {
        let ended = place.run(&[&["check", "--no-schedule", "--format", format], *words].concat());
        let file = place.path(&format!("report-{number}"));
        std::fs::write(&file, ended.stdout).expect("a file");
        file
    };
    calls.iter().enumerate().map(write).collect()
}

#[test]
fn sarif_fits_the_published_schema() {
    let schema = selvedge::drivers::cache_folder().join("sarif-2.1.0.json");
    if !schema.is_file() {
        eprintln!("skipped: the schema is not there");
        return;
    }
    let place = lost();
    for report in reports(&place, "sarif") {
        let Some(wrong) = python("jsonschema", VALIDATE, &[&schema, &report]) else { return };
        assert_eq!(wrong, "");
    }
    // The validator notices something.
    let broken = place.path("broken");
    std::fs::write(&broken, r#"{ "version": "2.0.0", "runs": [{}] }"#).expect("a file");
    let wrong = python("jsonschema", VALIDATE, &[&schema, &broken]).unwrap_or_default();
    assert!(wrong.contains("'tool' is a required property"), "{wrong}");
}

#[test]
fn json_fits_our_schema_for_another_validator() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/check.schema.json");
    for report in reports(&lost(), "json") {
        let Some(wrong) = python("jsonschema", VALIDATE, &[&schema, &report]) else { return };
        assert_eq!(wrong, "");
    }
}

#[test]
fn junit_is_read_by_its_readers() {
    let place = lost();
    let counts = ["1 1 0", "1 1 0", "1 0 0"];
    for (report, expected) in reports(&place, "junit").iter().zip(counts) {
        let Some(counted) = python("junitparser", COUNT, &[report]) else { return };
        assert_eq!(counted.trim(), expected);
    }
}

/// What viewers of trace events need: every event has a phase, a process, a thread and a time; flows and intervals that begin
/// also end; and every thread has a name.
#[test]
fn traces_have_the_structure_that_viewers_need() {
    let place = lost();
    checked(&place, &["--perfetto", "trace.json"], 1);
    let text = std::fs::read_to_string(place.path("trace.json")).expect("a trace");
    let trace: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let of = |phase: &str| events.iter().filter(move |event| event["ph"] == phase).collect::<Vec<_>>();
    for event in events {
        assert!(event["pid"].is_u64() && event["name"].is_string(), "{event}");
        let phase = event["ph"].as_str().expect("a phase");
        assert!(["M", "X", "s", "f", "b", "e"].contains(&phase), "{event}");
        if phase != "M" {
            assert!(event["tid"].is_u64() && event["ts"].is_number(), "{event}");
        }
        if phase == "X" {
            assert!(event["dur"].is_number(), "{event}");
        }
    }
    let ids = |phase: &str| {
        let mut ids: Vec<String> = of(phase).iter().map(|event| event["id"].to_string()).collect();
        ids.sort();
        ids
    };
    assert!(!ids("s").is_empty(), "there are flows");
    assert_eq!(ids("s"), ids("f"));
    // What was held at the end is never given back.
    assert!(!ids("b").is_empty() && ids("e").iter().all(|id| ids("b").contains(id)));
    let named: Vec<_> =
        of("M").iter().filter(|event| event["name"] == "thread_name").map(|event| &event["tid"]).collect();
    assert!(of("X").iter().all(|event| named.contains(&&event["tid"])), "every thread has a name");
}
