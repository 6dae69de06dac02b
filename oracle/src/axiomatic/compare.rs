//! The exploration beside the enumerator.

use super::{Enumerated, Test, enumerate, random, shape};
use selvedge_relations::{End, Rules, explore};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// All rules.
pub(super) const RULES: [Rules; 4] = [Rules::Rc11, Rules::Mca, Rules::Tso, Rules::Sc];

/// Whether the exploration finds exactly what the enumerator does, and nothing twice, under all rules; what differs
/// otherwise. Nothing is compared, and that is said, where a test has more than `limit` beginnings of executions.
pub fn compare(test: &Test, limit: usize) -> Result<bool, String> {
    let Some(all) = enumerate(test, RULES, limit) else { return Ok(false) };
    for (rules, expected) in RULES.into_iter().zip(&all) {
        compare_under(test, rules, expected).map_err(|problem| format!("{rules:?}: {problem}\n{test}"))?;
    }
    Ok(true)
}

/// Compares the test that a number stands for, if it is small enough.
pub fn compare_random(seed: u64) -> Result<bool, String> {
    compare(&random(seed), 3_000)
}

fn compare_under(test: &Test, rules: Rules, expected: &Enumerated) -> Result<(), String> {
    let mut found = BTreeSet::new();
    let mut problem = None;
    let mut program = test.clone();
    let explored = explore(&mut program, rules, &mut |test, graph, end| {
        let shape = shape(test, graph);
        if matches!(end, End::Race(_) | End::Failed) {
            return ControlFlow::Continue(());
        }
        if !expected.shapes.contains(&shape) {
            problem = Some(format!("{shape} is no execution"));
        } else if !found.insert(shape.clone()) {
            problem = Some(format!("{shape} is there twice"));
        }
        if problem.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    if (explored.races > 0) != expected.racy {
        return Err(format!("races {}, enumerated {}", explored.races, expected.racy));
    }
    match expected.shapes.iter().find(|shape| !found.contains(shape)) {
        Some(missing) if !expected.racy => Err(format!("{missing} is missing")),
        _ => Ok(()),
    }
}
