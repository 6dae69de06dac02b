//! States instead of graphs: all that can come out still comes out, and there are not more of them.

use selvedge_oracle::axiomatic::{Test, parse, random, shape};
use selvedge_relations::{End, Rules, States, explore, explore_states};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// What every thread has read in the end, what is in memory, and how it ended.
type Outcome = (Vec<Vec<u64>>, Vec<(String, u64)>, bool);

fn outcome(test: &Test, graph: &selvedge_relations::Graph, end: End) -> Outcome {
    let shape = shape(test, graph);
    let values = shape.threads.iter().map(|events| events.iter().map(|(value, _)| *value).collect());
    (values.collect(), shape.outcome(test), end == End::Deadlock)
}

/// How many ends there are by graphs and by states; nothing where states are not known.
fn compare(test: &Test) -> Option<(u64, u64)> {
    let (mut by_graphs, mut by_states) = (BTreeSet::new(), BTreeSet::new());
    let graphs = explore(&mut test.clone(), Rules::Rc11, &mut |test, graph, end| {
        by_graphs.insert(outcome(test, graph, end));
        ControlFlow::Continue(())
    });
    let mut all = States::default();
    explore_states(&mut test.clone(), true, &mut all, &mut |test, ended| {
        by_states.extend(ended.map(|(graph, end)| outcome(test, graph, end)));
        ControlFlow::Continue(())
    });
    if all.matched.beyond {
        return None;
    }
    let states = all.matched.explored;
    assert_eq!(graphs.races > 0, states.races > 0, "{test}");
    let ends =
        |explored: selvedge_relations::Explored| explored.complete + explored.stuck + explored.deadlocks;
    if graphs.races == 0 {
        assert_eq!(by_graphs, by_states, "{test}");
        assert!(ends(states) <= ends(graphs), "{test}");
    }
    Some((ends(graphs), ends(states)))
}

#[test]
fn states_come_to_the_same_ends() {
    let (mut compared, mut fewer, mut seed) = (0, 0, 50_000);
    while compared < 300 {
        seed += 1;
        if let Some((graphs, states)) = compare(&random(seed)) {
            compared += 1;
            fewer += u32::from(states < graphs);
        }
    }
    assert!(fewer > 30, "{fewer}");
}

#[test]
fn equal_values_are_one() {
    let ends = |text: &str| compare(&parse(text).unwrap()).unwrap();
    // Which of two equal stores is read makes no difference.
    assert_eq!(ends("x.rlx = 1\n x.rlx = 1\n a = x.rlx"), (6, 2));
    // Whether the release is seen does.
    assert_eq!(ends("y.rlx = 1; x.rel = 1\n x.rlx = 1\n a = x.acq; b = y.rlx"), (10, 10));
    // The first of several equal stores leaves more to be read later.
    assert_eq!(ends("x.rlx = 1; x.rlx = 2; x.rlx = 1\n a = x.rlx; b = x.rlx"), (10, 7));
}
