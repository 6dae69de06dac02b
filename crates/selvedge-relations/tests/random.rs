//! Random tests: the exploration finds exactly what the enumerator does, and nothing twice.

use selvedge_relations::litmus::{Enumerated, Test, enumerate, random, shape};
use selvedge_relations::{End, Rules, explore};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Compares the two, and says what differs.
pub fn compare(test: &Test, rules: Rules, expected: &Enumerated) -> Result<usize, String> {
    let mut found = BTreeSet::new();
    let mut problem = None;
    let mut program = test.clone();
    let explored = explore(&mut program, rules, &mut |test, graph, end| {
        let shape = shape(test, graph);
        if matches!(end, End::Race(_)) {
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
        return Err(format!("{rules:?}: {problem}"));
    }
    if (explored.races > 0) != expected.racy {
        return Err(format!("{rules:?}: races {}, enumerated {}", explored.races, expected.racy));
    }
    match expected.shapes.iter().find(|shape| !found.contains(shape)) {
        Some(missing) if !expected.racy => Err(format!("{rules:?}: {missing} is missing")),
        _ => Ok(found.len()),
    }
}

#[test]
fn random_tests_are_explored_exactly() {
    let from: u64 = std::env::var("SEED").map_or(0, |seed| seed.parse().unwrap());
    let count: u64 = std::env::var("COUNT").map_or(300, |count| count.parse().unwrap());
    const RULES: [Rules; 4] = [Rules::Rc11, Rules::Mca, Rules::Tso, Rules::Sc];
    let (mut compared, mut seed) = (0, from);
    while compared < count {
        seed += 1;
        let test = random(seed);
        let Some(all) = enumerate(&test, RULES, 3_000) else { continue };
        compared += 1;
        for (rules, expected) in RULES.into_iter().zip(&all) {
            if let Err(problem) = compare(&test, rules, expected) {
                panic!("seed {seed}: {problem}\n{test}");
            }
        }
    }
}
