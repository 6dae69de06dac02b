//! All executions of a litmus test, the slow way: every combination of sources and every modification order, filtered
//! by the axioms. Shares nothing with the exploration but the language.

use super::algebra::Relation;
use super::axioms::{Execution, Node};
use super::{Shape, Test};
use selvedge_relations::{EventId, Kind, Label, Next, Rules};
use selvedge_trace::MemoryOrder;
use std::collections::{BTreeSet, HashSet};

/// What a test can do.
#[derive(Clone, Debug, Default)]
pub struct Enumerated {
    /// All consistent executions in which no thread can go on.
    pub shapes: BTreeSet<Shape>,
    /// One of them has a data race.
    pub racy: bool,
}

/// An event while executions are built: what it is, its value and where that is from.
type Past = Vec<Vec<(Label, u64, Option<EventId>)>>;

/// Enumerates a test's executions under several rules at once; nothing where there are more than `limit` beginnings.
pub fn enumerate<const N: usize>(test: &Test, rules: [Rules; N], limit: usize) -> Option<[Enumerated; N]> {
    let mut enumerated = std::array::from_fn(|_| Enumerated::default());
    let mut seen = HashSet::new();
    let mut open: Vec<Past> = vec![vec![Vec::new(); test.threads.len()]];
    while let Some(past) = open.pop() {
        let successors = successors(test, &past);
        if successors.is_empty() {
            order(test, &past, rules, &mut enumerated);
        }
        if seen.len() > limit {
            return None;
        }
        open.extend(successors.into_iter().filter(|past| seen.insert(values(past))));
    }
    Some(enumerated)
}

fn values(past: &Past) -> Vec<Vec<(u64, Option<EventId>)>> {
    past.iter().map(|events| events.iter().map(|(_, value, source)| (*value, *source)).collect()).collect()
}

fn successors(test: &Test, past: &Past) -> Vec<Past> {
    let mut all = Vec::new();
    for thread in 0..past.len() {
        let read: Vec<u64> = past[thread].iter().map(|(_, value, _)| *value).collect();
        let Next::Event(mut label) = test.after(thread, &read).0 else { continue };
        let mut add = |label, value, source| {
            let mut longer = past.clone();
            longer[thread].push((label, value, source));
            all.push(longer);
        };
        match label.kind {
            Kind::Read { .. } => {
                let writes = events(past).filter(|(_, (other, ..))| {
                    matches!(other.kind, Kind::Write { .. }) && other.location == label.location
                });
                let sources = writes.map(|(id, (_, value, _))| (*value, Some(id)));
                for (value, source) in sources.chain([(0, None)]) {
                    let failed = label.compare.filter(|(expected, _)| *expected != value);
                    let order = failed.map_or(label.order, |(_, order)| order);
                    add(Label { order, ..label }, value, source);
                }
            }
            Kind::Lock => {
                if let Some(source) = free(past, label.location) {
                    add(label, 0, source);
                }
            }
            _ => {
                label.compare = None;
                add(label, label.value, None);
            }
        }
    }
    all
}

fn events(past: &Past) -> impl Iterator<Item = (EventId, &(Label, u64, Option<EventId>))> {
    past.iter().enumerate().flat_map(|(thread, events)| {
        let id = move |index| EventId { thread: thread as u32, index: index as u32 };
        events.iter().enumerate().map(move |(index, event)| (id(index), event))
    })
}

/// The locks and unlocks of a mutex in their order: every lock has the unlock before it as source.
fn chain(past: &Past, mutex: u32) -> Vec<EventId> {
    let is = |kind: Kind| move |label: &Label| label.kind == kind && label.location == mutex;
    let mut chain: Vec<EventId> = Vec::new();
    loop {
        let last = chain.last().copied();
        let lock = events(past).find(|(_, (label, _, source))| is(Kind::Lock)(label) && *source == last);
        let Some((lock, _)) = lock else { return chain };
        chain.push(lock);
        let later = |id: &EventId| id.thread == lock.thread && id.index > lock.index;
        let unlock = events(past).find(|(id, (label, ..))| is(Kind::Unlock)(label) && later(id));
        let Some((unlock, _)) = unlock else { return chain };
        chain.push(unlock);
    }
}

/// From where the mutex can be taken now, if it can.
fn free(past: &Past, mutex: u32) -> Option<Option<EventId>> {
    let chain = chain(past, mutex);
    chain.len().is_multiple_of(2).then_some(chain.last().copied())
}

/// Adds the consistent ones of all modification orders.
fn order<const N: usize>(test: &Test, past: &Past, rules: [Rules; N], into: &mut [Enumerated; N]) {
    let locations = test.locations.len() as u32;
    let initial = |location| {
        let kind = Kind::Write { exclusive: false };
        let label =
            Label { kind, order: MemoryOrder::NotAtomic, location, value: 0, compare: None, depends: 0 };
        Node { id: None, label, source: None }
    };
    let mut nodes: Vec<Node> = (0..locations).map(initial).collect();
    let ids: Vec<EventId> = events(past).map(|(id, _)| id).collect();
    let number = |id: EventId| locations as usize + ids.iter().position(|other| *other == id).expect("known");
    for (id, (label, _, source)) in events(past) {
        let has_source = matches!(label.kind, Kind::Read { .. } | Kind::Lock);
        let source = has_source.then(|| source.map_or(label.location as usize, number));
        nodes.push(Node { id: Some(id), label: *label, source });
    }
    let execution = Execution::new(&nodes);
    if !execution.is_caused() {
        return;
    }
    // Coherence concerns each location by itself.
    let mut orders: Vec<Vec<Vec<EventId>>> = vec![Vec::new()];
    for location in 0..locations {
        let mutex = chain(past, location);
        let here = |label: &Label| matches!(label.kind, Kind::Write { .. }) && label.location == location;
        let writes: Vec<EventId> =
            events(past).filter(|(_, (label, ..))| here(label)).map(|(id, _)| id).collect();
        let mut all = if mutex.is_empty() { permutations(&writes) } else { vec![mutex] };
        all.retain(|order| execution.is_coherent(&in_order(&nodes, location, order), location));
        let longer = |(orders, own): (&Vec<Vec<EventId>>, &Vec<EventId>)| {
            orders.iter().cloned().chain([own.clone()]).collect::<Vec<_>>()
        };
        let pairs = orders.iter().flat_map(|orders| all.iter().map(move |own| (orders, own)));
        orders = pairs.map(longer).collect();
    }
    for orders in orders {
        let mo = (0..locations).map(|location| in_order(&nodes, location, &orders[location as usize]));
        let mo = mo.reduce(|all, own| all.or(&own)).expect("there is a location");
        for (rules, into) in rules.into_iter().zip(into.iter_mut()) {
            if execution.allows(&mo, rules) {
                into.racy |= execution.is_racy();
                into.shapes.insert(Shape { threads: values(past), orders: orders.clone() });
            }
        }
    }
}

/// The modification order of one location.
fn in_order(nodes: &[Node], location: u32, order: &[EventId]) -> Relation {
    let places: Vec<Option<usize>> = (nodes.iter())
        .map(|node| match node.id {
            _ if !node.label.kind.is_placed() || node.label.location != location => None,
            None => Some(0),
            Some(id) => order.iter().position(|other| *other == id).map(|place| place + 1),
        })
        .collect();
    Relation::new(nodes.len(), |a, b| places[a].zip(places[b]).is_some_and(|(a, b)| a < b))
}

fn permutations(of: &[EventId]) -> Vec<Vec<EventId>> {
    let Some((first, rest)) = of.split_first() else { return vec![Vec::new()] };
    let insert = |order: &Vec<EventId>, at: usize| {
        let mut longer = order.clone();
        longer.insert(at, *first);
        longer
    };
    let shorter = permutations(rest);
    shorter
        .iter()
        .flat_map(|order| (0..=order.len()).map(|at| insert(order, at)).collect::<Vec<_>>())
        .collect()
}
