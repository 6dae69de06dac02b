//! Which tests a test program has: it says so itself.

use crate::run::execute::{Captured, Limits};
use crate::run::prepare::Prepared;
use crate::run::{self, Choose, Trace};
use selvedge_trace::{Inputs, Model};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Asks our harness for a description of its tests; as in the harness itself.
const DESCRIBE: &str = "--selvedge-list";
/// The first line of that description.
const DESCRIPTION: &str = "selvedge: tests, version 1";

/// A program that has not answered by then has a harness of its own.
const LIMITS: Limits = Limits { steps: None, time: Some(Duration::from_secs(20)), interrupted: None };

/// A test of a test program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// As filters name it; empty for a whole program with a harness of its own.
    pub name: String,
    /// Why it is ignored, as far as that is said, if it is.
    pub ignored: Option<String>,
    /// File and line.
    pub place: String,
}

/// The tests of a program, in its order, and whether it would always say so. One that has a harness of its own is a test as a
/// whole.
pub fn list(prepared: &Prepared, environment: Vec<String>) -> (Vec<Listed>, bool) {
    let inputs = Inputs { arguments: vec![DESCRIBE.to_owned()], environment, ..Inputs::default() };
    let settings = run::Settings {
        choose: Choose::InOrder,
        model: Model::Sc,
        inputs,
        trace: Trace::Off,
        limits: LIMITS,
    };
    let mut output = Captured::default();
    let ended = run::run(prepared, &settings, &mut output);
    let is_over = ended.is_ok_and(|execution| execution.machine.outcome().is_some());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let described = is_over.then(|| read(&said)).flatten();
    (described.unwrap_or_else(|| vec![Listed::default()]), is_over)
}

fn read(said: &str) -> Option<Vec<Listed>> {
    let mut lines = said.lines();
    lines.find(|line| *line == DESCRIPTION)?;
    Some(lines.filter_map(one).collect())
}

fn one(line: &str) -> Option<Listed> {
    let [name, ignored, why, place] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let ignored = (!ignored.is_empty()).then(|| why.to_owned());
    Some(Listed { name: name.to_owned(), ignored, place: place.to_owned() })
}

#[test]
fn descriptions_are_read() {
    assert_eq!(read("hello\n"), None);
    let tests = read(&format!("{DESCRIPTION}\na::b\t\t\tsrc/a.rs:3\nc\tignored\tslow\tsrc/c.rs:4\n"));
    let shown: Vec<String> = tests
        .expect("a description")
        .iter()
        .map(|test| format!("{} {:?} {}", test.name, test.ignored, test.place))
        .collect();
    assert_eq!(shown, ["a::b None src/a.rs:3", "c Some(\"slow\") src/c.rs:4"]);
}
