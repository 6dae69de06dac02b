//! Reports for programs: one JSON object.

use crate::{Check, Covered, Found, Place, Row, Unknown};
use selvedge_trace::Model;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The version of the form.
const SCHEMA: u64 = 1;

#[derive(Serialize)]
struct CheckForm<'a> {
    schema: u64,
    verdict: &'a str,
    model: Model,
    strategy: &'a str,
    bounds: &'a [String],
    left_out: &'a [String],
    vacuous: bool,
    #[serde(flatten)]
    covered: CoveredForm,
    violations: Vec<FoundForm<'a>>,
    unknown: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cross_check: Option<CrossCheckForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_search: Option<SecondSearchForm<'a>>,
}

#[derive(Serialize)]
struct CoveredForm {
    executions: u64,
    blocked: u64,
    classes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paths: Option<u64>,
    states: Option<u64>,
    exact: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    covered_sequential: bool,
    collision_probability: Option<f64>,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    queries: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solver: Option<SolverForm>,
}

#[derive(Serialize)]
struct SolverForm {
    reads: u64,
    freed_reads: u64,
    constraints: u64,
    freed_constraints: u64,
    frontiers: u64,
    steps: u64,
    work: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct CrossCheckForm<'a> {
    strategy: &'a str,
    verdict: &'a str,
    #[serde(flatten)]
    covered: CoveredForm,
    contradiction: Option<&'a str>,
}

#[derive(Serialize)]
struct SecondSearchForm<'a> {
    strategies: &'a [String],
    outcome: &'a str,
    why: Option<&'a str>,
    #[serde(flatten)]
    covered: CoveredForm,
}

#[derive(Serialize)]
struct FoundForm<'a> {
    kind: &'a str,
    message: &'a str,
    location: Option<&'a Place>,
    threads: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    accesses: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waiting: Vec<Value>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    cycle: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    leaks: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stack: Vec<Value>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    inputs: BTreeMap<&'a str, &'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    exists_under: BTreeMap<&'a str, &'a str>,
    schedule: Option<&'a str>,
    replay: Option<&'a str>,
    trace: Vec<Value>,
}

/// The result of a check as one line of JSON.
pub fn check(check: &Check) -> String {
    let form = CheckForm {
        schema: SCHEMA,
        verdict: check.verdict.name(),
        model: check.model,
        strategy: &check.strategy,
        bounds: &check.bounds,
        left_out: &check.left_out,
        vacuous: check.is_vacuous(),
        covered: covered(&check.covered),
        violations: check.violations.iter().map(found).collect(),
        unknown: check.unknown.iter().map(unknown).collect(),
        cross_check: check.cross_check.as_ref().map(|other| CrossCheckForm {
            strategy: &other.strategy,
            verdict: other.verdict.name(),
            covered: covered(&other.covered),
            contradiction: other.contradiction.as_deref(),
        }),
        second_search: check.second_search.as_ref().map(|second| SecondSearchForm {
            strategies: &second.strategies,
            outcome: second.outcome.name(),
            why: second.outcome.why(),
            covered: covered(&second.covered),
        }),
    };
    serde_json::to_string(&form).expect("strings and numbers are always JSON") + "\n"
}

fn covered(covered: &Covered) -> CoveredForm {
    CoveredForm {
        executions: covered.executions,
        blocked: covered.blocked,
        classes: covered.classes,
        paths: covered.paths,
        states: covered.states,
        exact: covered.exact,
        covered_sequential: covered.sequential,
        collision_probability: covered.collision_probability(),
        // A thousandth of a second is as much as one can rely on.
        seconds: (covered.seconds * 1000.0).round() / 1000.0,
        queries: covered.queries,
        solver: covered.solver.map(|solver| SolverForm {
            reads: solver.reads,
            freed_reads: solver.freed_reads,
            constraints: solver.constraints,
            freed_constraints: solver.freed_constraints,
            frontiers: solver.frontiers,
            steps: solver.steps,
            work: solver.work,
            seconds: (solver.seconds * 1e6).round() / 1e6,
        }),
    }
}

fn found(found: &Found) -> FoundForm<'_> {
    let violation = &found.violation;
    let doing = violation.doing.iter();
    let waiting = violation.waiting.iter();
    FoundForm {
        kind: violation.kind.name(),
        message: &violation.message,
        location: violation.place.as_ref(),
        threads: &found.threads,
        accesses: doing
            .map(|one| json!({ "thread": one.thread, "does": one.does, "location": one.place }))
            .collect(),
        waiting: waiting
            .map(|one| {
                json!({ "thread": one.thread, "waits": one.waits, "holder": one.holder, "location": one.place })
            })
            .collect(),
        cycle: &violation.cycle,
        leaks: violation
            .leaks
            .iter()
            .map(|leak| json!({ "location": leak.place, "blocks": leak.blocks, "bytes": leak.bytes }))
            .collect(),
        stack: violation.stack.iter().map(|line| json!(line.place)).collect(),
        inputs: found.inputs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        exists_under: found.elsewhere.iter().map(|one| (one.model.name(), one.word())).collect(),
        schedule: found.schedule.as_deref(),
        replay: found.replay.as_deref(),
        trace: found.trace.rows.iter().map(|row| traced(row, &found.trace.threads)).collect(),
    }
}

fn traced(row: &Row, threads: &[String]) -> Value {
    let mut form = json!({ "thread": threads.get(row.thread), "text": row.text, "location": row.place });
    if row.marked {
        form["marked"] = true.into();
    }
    if row.detail {
        form["library"] = true.into();
    }
    if let Some(remark) = &row.remark {
        form["remark"] = remark.as_str().into();
    }
    form
}

fn unknown(unknown: &Unknown) -> Value {
    json!({ "what": unknown.what, "location": unknown.place, "thread": unknown.thread, "advice": unknown.advice })
}
