//! The committed schema of JSON reports, and reports against it.

use super::lost;
use crate::cli::Place;
use serde_json::Value;

const SCHEMA: &str = include_str!("../../../../docs/schema/check.schema.json");

/// What is wrong with a value, of the part of JSON Schema that the schema uses.
fn wrong(schema: &Value, value: &Value, root: &Value, at: &str) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#')).expect("the definition is there");
        return wrong(target, value, root, at);
    }
    let mut found = Vec::new();
    let mut require = |holds: bool, what: &str| {
        if !holds {
            found.push(format!("{at}: {value} {what}"));
        }
    };
    let types = match &schema["type"] {
        Value::Null => Vec::new(),
        Value::Array(types) => types.iter().collect(),
        one => vec![one],
    };
    require(types.is_empty() || types.iter().any(|name| is_a(value, name.as_str())), "has another type");
    if let Some(values) = schema["enum"].as_array() {
        require(values.contains(value), "is none of the values");
    }
    if let Some(constant) = schema.get("const") {
        require(constant == value, "is another value");
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_f64(), value.as_f64()) {
        require(number >= least, "is too small");
    }
    if let Some(object) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten() {
            require(object.contains_key(name.as_str().expect("a name")), &format!("has no {name}"));
        }
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        match (schema["properties"].get(name), &schema["additionalProperties"]) {
            (Some(known), _) => found.extend(wrong(known, member, root, &at)),
            (None, Value::Bool(false)) => found.push(format!("{at} is not in the schema")),
            (None, Value::Object(_)) => {
                found.extend(wrong(&schema["additionalProperties"], member, root, &at));
            }
            (None, _) => {}
        }
    }
    if let (Some(items), Some(elements)) = (schema.get("items"), value.as_array()) {
        let inner = elements.iter().enumerate();
        found.extend(inner.flat_map(|(index, one)| wrong(items, one, root, &format!("{at}[{index}]"))));
    }
    found
}

fn is_a(value: &Value, name: Option<&str>) -> bool {
    match name {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64() || value.is_i64(),
        _ => false,
    }
}

#[track_caller]
fn fits(place: &Place, words: &[&str]) {
    let ended = place.run(&[words, &["--no-schedule", "--format", "json"]].concat());
    let report: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{}", ended.stderr));
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    assert_eq!(wrong(&schema, &report, &schema, ""), [""; 0]);
}

#[test]
fn reports_fit_the_schema() {
    let place = lost();
    fits(&place, &["check", "lost.c"]);
    fits(&place, &["check", "lost.c", "--model", "sc", "--cross-check", "optimal", "--keep-going"]);
    fits(&place, &["check", "lost.c", "--max-executions", "1", "--model", "sc", "--strategy", "optimal"]);
    fits(&place, &["check", "lost.c", "--model", "sc", "--strategy", "mcr"]);
    std::fs::write(place.path("right.c"), "int main(void) { return 0; }\n").expect("a file");
    fits(&place, &["check", "right.c"]);
    fits(&place, &["check", "right.c", "--exact"]);
}

#[test]
fn what_does_not_fit_is_noticed() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let report = serde_json::json!({ "schema": 2, "verdict": "maybe", "extra": 1, "states": -1 });
    let found = wrong(&schema, &report, &schema, "").join("\n");
    for expected in
        ["is another value", "is none of the values", ".extra is not in", "is too small", "has no"]
    {
        assert!(found.contains(expected), "{expected}: {found}");
    }
}
