//! Cycles of graphs: there is one where a graph is no execution, and its edges are what their reasons say.

use selvedge_oracle::axiomatic::{Test, parse, random};
use selvedge_relations::{Edge, End, Graph, Reason, Rules, explore};
use std::ops::ControlFlow;

const STRONGER: [Rules; 4] = [Rules::Rc11, Rules::Mca, Rules::Tso, Rules::Sc];

/// All executions of a test under the language's model.
fn executions(test: &Test, visit: &mut dyn FnMut(&Graph)) {
    explore(&mut test.clone(), Rules::Rc11, &mut |_, graph, end| {
        if matches!(end, End::Complete) {
            visit(graph);
        }
        ControlFlow::Continue(())
    });
}

fn is_as_it_says(graph: &Graph, edge: &Edge) -> bool {
    let (from, to) = (graph.event(edge.from), graph.event(edge.to));
    match &edge.reason {
        Reason::ProgramOrder => edge.from.thread == edge.to.thread && edge.from.index < edge.to.index,
        Reason::Created | Reason::Joined => edge.from.thread != edge.to.thread,
        Reason::ReadsFrom => to.source == Some(edge.from),
        Reason::ModificationOrder | Reason::FromRead => from.label.location == to.label.location,
        Reason::HappensBefore => graph.happens_before(edge.from, edge.to),
        Reason::Fenced { first, second, .. } => {
            let reaches = |a, b| a == b || graph.happens_before(a, b);
            reaches(edge.from, *first) && reaches(*second, edge.to)
        }
    }
}

#[test]
fn a_cycle_is_there_where_a_graph_is_no_execution() {
    let mut cycles = 0;
    for seed in 0..1000 {
        let test = random(seed);
        executions(&test, &mut |graph| {
            for rules in STRONGER {
                let cycle = graph.cycle(rules);
                assert_eq!(cycle.is_none(), graph.is_acyclic(rules), "{rules:?} {seed}: {test}");
                let Some(cycle) = cycle else { continue };
                cycles += 1;
                for (edge, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
                    assert_eq!(edge.to, next.from, "{rules:?} {seed}: {test}");
                    assert!(is_as_it_says(graph, edge), "{rules:?} {seed}: {edge:?} in {test}");
                }
            }
        });
    }
    assert!(cycles > 0, "no test has a weak execution");
}

#[test]
fn store_buffering_is_a_cycle_of_four() {
    let test = parse("x.rlx = 1; a = y.rlx\ny.rlx = 1; b = x.rlx").expect("a test");
    let mut found = Vec::new();
    executions(&test, &mut |graph| found.extend(graph.cycle(Rules::Tso).or(graph.cycle(Rules::Sc))));
    assert_eq!(found.len(), 1, "one execution is not sequentially consistent");
    let mut reasons: Vec<&Reason> = found[0].iter().map(|edge| &edge.reason).collect();
    reasons.sort_by_key(|reason| format!("{reason:?}"));
    assert_eq!(reasons, [&Reason::FromRead, &Reason::FromRead, &Reason::ProgramOrder, &Reason::ProgramOrder]);
}
