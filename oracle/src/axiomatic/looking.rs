//! Litmus tests whose threads look at something until they find what they look for, beside the enumerator.
//!
//! To the enumerator a load with an assumption after it is just that. The exploration is told that it is repeated until
//! the assumption holds ([`Next::Look`]), and which executions are of no use ([`Next::Useless`]).

use super::compare::RULES;
use super::{Enumerated, Shape, Statement, Test, enumerate, random, shape};
use selvedge_relations::{End, Event, EventId, Graph, Kind, Next, Program, Rules, explore};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Whether exploration and enumerator find the same complete executions of a random test in which threads look for
/// something, and whether every execution is found in which they look at the last of all stores in vain. What differs
/// otherwise; nothing is compared where a test is too large or has data races.
pub fn compare_looking(seed: u64) -> Result<bool, String> {
    let test = looking(seed);
    let Some(all) = enumerate(&test, RULES, 3_000) else { return Ok(false) };
    if all.iter().any(|expected| expected.racy) {
        return Ok(false);
    }
    for (rules, expected) in RULES.into_iter().zip(&all) {
        compare_under(&test, rules, expected).map_err(|problem| format!("{rules:?}: {problem}\n{test}"))?;
    }
    Ok(true)
}

/// A random test with an assumption after some of its loads.
pub(super) fn looking(seed: u64) -> Test {
    let mut test = random(seed);
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    for thread in &mut test.threads {
        let mut longer = Vec::new();
        for statement in thread.drain(..) {
            let register = match statement {
                Statement::Load { register, .. } | Statement::CompareExchange { register, .. } => {
                    Some(register)
                }
                _ => None,
            };
            longer.push(statement);
            bits = bits.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(1).rotate_left(17);
            if let Some(register) = register.filter(|_| bits & 3 != 0) {
                longer.push(Statement::Assume { register, value: bits >> 8 & 1 });
            }
        }
        *thread = longer;
    }
    test
}

fn compare_under(test: &Test, rules: Rules, expected: &Enumerated) -> Result<(), String> {
    let (mut found, mut problem) = (BTreeSet::new(), None);
    explore(&mut CurrentStep(test.clone()), rules, &mut |CurrentStep(test), graph, end| {
        let shape = shape(test, graph);
        if end == End::Failed {
            problem = Some(format!("{shape} has failed"));
        } else if !expected.shapes.contains(&shape) {
            problem = Some(format!("{shape} is no execution"));
        } else if !found.insert(shape.clone()) {
            problem = Some(format!("{shape} is there twice"));
        }
        if problem.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let Some(problem) = problem {
        return Err(problem);
    }
    let wanted = |shape: &&Shape| {
        !found.contains(*shape) && (0..test.threads.len()).all(|thread| is_over(test, shape, thread))
    };
    match expected.shapes.iter().find(wanted) {
        Some(missing) => Err(format!("{missing} is missing")),
        None => Ok(()),
    }
}

/// Whether a thread has ended or waits for a mutex, or has read the last stores of all that it looks at in vain.
pub(super) fn is_over(test: &Test, shape: &Shape, thread: usize) -> bool {
    let values: Vec<u64> = shape.threads[thread].iter().map(|(value, _)| *value).collect();
    if test.after(thread, &values).0 != Next::Stuck {
        return true;
    }
    (0..values.len()).rev().all(|index| {
        // What the thread would do had it come to here: the label of the event.
        let Next::Event(label) = test.after(thread, &values[..index]).0 else { return false };
        let order = &shape.orders[label.location as usize];
        match label.kind {
            Kind::Read { .. } => shape.threads[thread][index].1 == order.last().copied(),
            _ => true,
        }
    })
}

pub(super) struct CurrentStep(pub(super) Test);

impl CurrentStep {
    fn values(graph: &Graph, thread: u32) -> Vec<u64> {
        graph.events(thread).iter().map(|event| event.value).collect()
    }

    /// The thread has only read since it last wrote, and one of these reads will never read from anything else.
    fn is_useless(graph: &Graph, thread: u32) -> bool {
        let stays = |event: &Event| {
            let position = graph.position(event.label.location, event.source);
            let mut later =
                graph.records(event.label.location)[position + 1..].iter().filter_map(|record| record.write);
            later.any(|write| graph.event(write).stamp < event.stamp)
        };
        let reads = graph.events(thread).iter().rev();
        let mut reads = reads.take_while(|event| matches!(event.label.kind, Kind::Read { .. } | Kind::Fence));
        reads.any(|event| event.label.kind.is_read() && stays(event))
    }
}

impl Program for CurrentStep {
    fn roots(&self) -> u32 {
        self.0.roots()
    }

    fn initial(&mut self, location: u32) -> u64 {
        self.0.initial(location)
    }

    fn next(&mut self, graph: &Graph, thread: u32) -> Next {
        match self.0.next(graph, thread) {
            Next::Event(label) if label.kind.is_read() => {
                let sources: Vec<Option<EventId>> = match graph.knows(label.location) {
                    true => graph
                        .readable(thread, label.location)
                        .map(|position| graph.records(label.location)[position].write)
                        .collect(),
                    false => vec![None],
                };
                match sources.into_iter().all(|source| self.admits(graph, thread, source)) {
                    true => Next::Event(label),
                    false => Next::Look(label),
                }
            }
            Next::Stuck if Self::is_useless(graph, thread) => Next::Useless,
            next => next,
        }
    }

    fn admits(&mut self, graph: &Graph, thread: u32, source: Option<EventId>) -> bool {
        let mut values = Self::values(graph, thread);
        values.push(source.map_or(0, |source| graph.event(source).value));
        self.0.after(thread as usize, &values).0 != Next::Stuck
    }
}
