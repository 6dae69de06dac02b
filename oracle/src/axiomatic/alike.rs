//! Litmus tests of which some threads are the same, beside the enumerator: of executions that differ by exchanging them
//! at least one has to be found.

use super::looking::{CurrentStep, is_over, looking};
use super::{Shape, Test, enumerate, random, shape};
use selvedge_relations::{End, EventId, Graph, Next, Program, Rules, explore};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// What was found of a test: executions that were explored, and that there are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alike {
    pub explored: usize,
    pub all: usize,
}

/// Whether the exploration finds of a random test with equal threads an execution of each sort, and none twice; what is
/// wrong otherwise. Nothing where a test is too large.
pub fn compare_alike(seed: u64) -> Result<Option<Alike>, String> {
    let (test, looks) = (copied(random(seed / 2), seed), copied(looking(seed / 2), seed));
    match seed % 2 {
        0 => compare(&test, test.clone(), |_| true),
        _ => compare(&looks, CurrentStep(looks.clone()), |shape| {
            (0..looks.threads.len()).all(|thread| is_over(&looks, shape, thread))
        }),
    }
}

/// A test that a number stands for in which some threads are the same.
pub fn random_alike(seed: u64) -> Test {
    copied(random(seed), seed)
}

/// A test in which the first thread is there two or three times, and perhaps one more.
fn copied(mut test: Test, seed: u64) -> Test {
    let copies = if seed % 6 < 4 { 2 } else { 3 };
    let mut own = test.threads.remove(0);
    test.threads.truncate(usize::from(!seed.is_multiple_of(5)));
    // The enumerator goes through all orders of stores.
    own.truncate(6 / copies);
    test.threads.iter_mut().for_each(|other| other.truncate(2));
    // Others come before, between in the order of scheduling, or after.
    let others = if seed % 4 < 2 { test.threads.len() } else { 0 };
    for _ in 0..copies {
        test.threads.insert(others, own.clone());
    }
    test
}

fn compare<P: Program>(
    test: &Test,
    program: P,
    counts: impl Fn(&Shape) -> bool,
) -> Result<Option<Alike>, String> {
    let Some([expected]) = enumerate(test, [Rules::Rc11], 1_000) else { return Ok(None) };
    let same = |first: usize, second: usize| test.threads[first] == test.threads[second];
    let likes = (0..test.threads.len()).map(|thread| thread.checked_sub(1).filter(|&one| same(one, thread)));
    let likes: Vec<Option<u32>> = likes.map(|one| one.map(|one| one as u32)).collect();
    let (mut found, mut covered, mut problem) = (BTreeSet::new(), BTreeSet::new(), None);
    let mut program = Following { program, likes: likes.clone() };
    let explored = explore(&mut program, Rules::Rc11, &mut |_, graph, end| {
        let shape = shape(test, graph);
        if matches!(end, End::Race(_) | End::Failed) {
            return ControlFlow::Continue(());
        }
        if !expected.shapes.contains(&shape) {
            problem = Some(format!("{shape} is no execution"));
        } else if !found.insert(shape.clone()) {
            problem = Some(format!("{shape} is there twice"));
        }
        covered.extend(exchanged(&shape, &likes));
        if problem.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let missing = || expected.shapes.iter().find(|shape| counts(shape) && !covered.contains(*shape));
    if problem.is_none() && (explored.races > 0) != expected.racy {
        problem = Some(format!("races {}, enumerated {}", explored.races, expected.racy));
    }
    let problem =
        problem.or_else(|| missing().filter(|_| !expected.racy).map(|it| format!("{it} is missing")));
    match problem {
        Some(problem) => Err(format!("{problem}\n{test}")),
        None => Ok(Some(Alike { explored: found.len(), all: expected.shapes.len() })),
    }
}

/// The executions that differ from this one by exchanging equal threads.
fn exchanged(shape: &Shape, likes: &[Option<u32>]) -> Vec<Shape> {
    let class = |thread: usize| (0..=thread).rev().find(|&first| likes[first].is_none());
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for thread in 0..likes.len() {
        let free = |order: &Vec<usize>| {
            let choices = (0..likes.len()).filter(|to| class(*to) == class(thread) && !order.contains(to));
            choices.map(|to| order.iter().copied().chain([to]).collect()).collect::<Vec<Vec<usize>>>()
        };
        orders = orders.iter().flat_map(free).collect();
    }
    let renamed = |order: &Vec<usize>| {
        let rename = |id: EventId| EventId { thread: order[id.thread as usize] as u32, ..id };
        let mut threads = vec![Vec::new(); likes.len()];
        for (thread, events) in shape.threads.iter().enumerate() {
            threads[order[thread]] =
                events.iter().map(|(value, source)| (*value, source.map(rename))).collect();
        }
        let orders = shape.orders.iter().map(|order| order.iter().copied().map(rename).collect()).collect();
        Shape { threads, orders }
    };
    orders.iter().map(renamed).collect()
}

/// A program with equal threads that follow one another.
struct Following<P> {
    program: P,
    likes: Vec<Option<u32>>,
}

impl<P: Program> Program for Following<P> {
    fn roots(&self) -> u32 {
        self.program.roots()
    }

    fn next(&mut self, graph: &Graph, thread: u32) -> Next {
        self.program.next(graph, thread)
    }

    fn initial(&mut self, location: u32) -> u64 {
        self.program.initial(location)
    }

    fn admits(&mut self, graph: &Graph, thread: u32, source: Option<EventId>) -> bool {
        self.program.admits(graph, thread, source)
    }

    fn like(&mut self, _graph: &Graph, thread: u32) -> Option<u32> {
        self.likes[thread as usize]
    }
}
