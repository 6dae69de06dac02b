//! Executions as Chrome's trace events, which Perfetto and other viewers of traces show: a track for each thread, a step a
//! microsecond, arrows from stores to the reads that see them, and the times for which locks are held.

use crate::html::held;
use crate::{Check, Row, Table};
use serde_json::{Value, json};

/// A step takes so long on the time line.
const STEP: usize = 1;

/// The executions of a check's violations: each is a process.
pub fn check(check: &Check, program: &str) -> String {
    let found = check.violations.iter().enumerate();
    let events = found.flat_map(|(number, found)| {
        let name = match check.violations.len() {
            1 => format!("{program}: {}", found.violation.kind.title()),
            _ => format!("{program}: {} {}", number + 1, found.violation.kind.title()),
        };
        events(&found.trace, number + 1, &name)
    });
    document(events.collect())
}

/// A single run.
pub fn run(table: &Table, program: &str) -> String {
    document(events(table, 1, program))
}

fn document(events: Vec<Value>) -> String {
    let document = json!({ "displayTimeUnit": "ns", "traceEvents": events });
    serde_json::to_string(&document).expect("strings and numbers are always JSON") + "\n"
}

fn events(table: &Table, process: usize, name: &str) -> Vec<Value> {
    let mut events = vec![
        json!({ "ph": "M", "name": "process_name", "pid": process, "tid": 0, "args": { "name": name } }),
    ];
    for (thread, name) in table.threads.iter().enumerate() {
        let tid = thread + 1;
        events.push(
            json!({ "ph": "M", "name": "thread_name", "pid": process, "tid": tid, "args": { "name": name } }),
        );
        events.push(json!({
            "ph": "M", "name": "thread_sort_index", "pid": process, "tid": tid, "args": { "sort_index": tid }
        }));
    }
    for (number, row) in table.rows.iter().enumerate() {
        events.push(step(number, row, process));
        if let Some(from) = row.effect.from.filter(|&from| table.rows[from].thread != row.thread) {
            let id = process * 1_000_000 + number;
            let flow = |phase: &str, at: usize| {
                json!({
                    "ph": phase, "bp": "e", "id": id, "cat": "reads-from", "name": "reads from", "pid": process,
                    "tid": table.rows[at].thread + 1, "ts": at * STEP,
                })
            };
            events.extend([flow("s", from), flow("f", number)]);
        }
    }
    for (number, lock) in held(&table.rows).into_iter().enumerate() {
        let id = process * 1_000_000 + number;
        let edge = |phase: &str, at: usize| {
            json!({
                "ph": phase, "id": id, "cat": "lock", "name": format!("holds {}", lock.name), "pid": process,
                "tid": lock.thread + 1, "ts": at * STEP,
            })
        };
        events.extend([edge("b", lock.first), edge("e", lock.last + 1)]);
    }
    events
}

fn step(number: usize, row: &Row, process: usize) -> Value {
    let mut arguments = json!({ "step": number + 1 });
    if let Some(place) = &row.place {
        arguments["at"] = place.described().into();
    }
    if let Some(remark) = &row.remark {
        arguments["remark"] = remark.as_str().into();
    }
    let mut event = json!({
        "ph": "X", "name": row.text, "cat": if row.detail { "library" } else { "step" }, "pid": process,
        "tid": row.thread + 1, "ts": number * STEP, "dur": STEP, "args": arguments,
    });
    if row.marked {
        event["cname"] = "terrible".into();
    }
    event
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effect, Lock};

    #[test]
    fn steps_arrows_and_locks() {
        let lock = |taken| Effect {
            lock: Some(Lock { name: "m".into(), taken, shared: false }),
            ..Effect::default()
        };
        let row = |thread, effect| Row { thread, text: "x".into(), effect, ..Row::default() };
        let reads = Effect { from: Some(0), ..Effect::default() };
        let table = Table {
            threads: vec!["main".into(), "main.1".into()],
            rows: vec![row(0, lock(true)), row(0, lock(false)), row(1, reads)],
            variables: Vec::new(),
        };
        let document: Value = serde_json::from_str(&run(&table, "a")).expect("it is JSON");
        let events = document["traceEvents"].as_array().expect("a list");
        let count = |phase: &str| events.iter().filter(|event| event["ph"] == phase).count();
        assert_eq!(["M", "X", "s", "f", "b", "e"].map(count), [5, 3, 1, 1, 1, 1]);
        let end = events.iter().find(|event| event["ph"] == "e").expect("the lock is given back");
        assert_eq!((&end["ts"], &end["name"]), (&json!(2), &json!("holds m")));
    }
}
