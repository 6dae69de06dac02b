//! Small random traces: the same answers as trying everything.

use selvedge_solve::enumerate::enumerate;
use selvedge_solve::random::{Numbers, Shape, query};
use selvedge_solve::{Answer, Prepared, Scratch, verify};
use selvedge_trace::Model;

const MODELS: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];

/// Compares one query; returns whether there is an order, or nothing if there are too many states.
fn compare(seed: u64, scratch: &mut Scratch) -> Option<bool> {
    let mut numbers = Numbers::new(seed);
    let model = MODELS[seed as usize % 3];
    let shape = Shape {
        threads: 2 + numbers.below(2),
        events: 4 + numbers.below(9),
        variables: 1 + numbers.below(3),
        values: 2 + numbers.below(2),
        plain: numbers.below(3) == 0,
    };
    let trace = shape.trace(model, &mut numbers);
    let prepared = Prepared::new(&trace, model).unwrap_or_else(|error| panic!("{seed}: {error}\n{trace:#?}"));
    let query = query(&trace, shape.values, &mut numbers);
    let expected = enumerate(&trace, model, &query, 50_000).expect("a query");
    let answer = prepared.solve(&query, scratch).expect("a query");
    if expected == Answer::Unknown {
        return None;
    }
    let context =
        || format!("{seed} {model:?}: {query:?}\n{trace:?}\n expected {expected:?}\n got {answer:?}");
    assert_eq!(answer.size(), expected.size(), "{}", context());
    assert_ne!(answer, Answer::Unknown);
    for answer in [&answer, &expected] {
        if let Answer::Order { steps, least } = answer {
            assert!(least);
            verify(&trace, model, &query, steps).unwrap_or_else(|error| panic!("{error}: {}", context()));
        }
    }
    Some(answer.steps().is_some())
}

#[test]
fn small_traces_have_the_answers_of_the_enumerator() {
    let mut scratch = Scratch::new();
    let mut counts = [0; 3];
    let count: u64 = std::env::var("SOLVE_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let from: u64 = std::env::var("SOLVE_FROM").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    for seed in from..from + count {
        counts[compare(seed, &mut scratch).map_or(2, usize::from)] += 1;
    }
    eprintln!("{counts:?}");
    let [no, yes, unknown] = counts;
    assert!(no > 500 && yes > 500 && unknown < 100, "{counts:?}");
}
