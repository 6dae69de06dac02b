//! All states that a program can come to under RC11, each once.
//!
//! Events are added one after the other, of any thread, without revisits: every graph can be built like that. What can
//! still be added depends only on what the threads are about to do, on the stores that a thread can still read with
//! what they release, and on how old a store each thread and each release may read. Graphs that agree in this are one
//! state. A load that could read the same value, with the same release, from several stores reads the first of them:
//! whatever can follow if it reads a later one can follow then too. `docs/models.md` has the argument, which is not
//! about sequentially consistent events: where there is one the search gives up.

use crate::{Clock, End, EventId, Explored, Graph, Kind, Label, Next, Program};
use selvedge_trace::mutants::{Mutant, mutant};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;

/// What was gone through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matched {
    /// The states in which no thread can go on.
    pub explored: Explored,
    /// All states.
    pub states: u64,
    /// There is something that states are not known for; not everything was gone through.
    pub beyond: bool,
}

/// How far a search has come: plain data, with which it can go on.
#[derive(Debug, Serialize, Deserialize)]
pub struct States {
    /// Graphs that are still to be extended, with what was added last.
    open: Vec<(Graph, Option<EventId>)>,
    seen: HashSet<u128>,
    pub matched: Matched,
}

impl Default for States {
    fn default() -> Self {
        States { open: vec![(Graph::new(), None)], seen: HashSet::new(), matched: Matched::default() }
    }
}

/// Sees that a state was gone through, with its graph if no thread can go on, and says whether to go on.
type Visit<'a, P> = dyn FnMut(&mut P, Option<(&Graph, End)>) -> ControlFlow<()> + 'a;

/// Goes through all states; `visit` sees each, and those in which no thread can go on by one of their graphs.
///
/// `merges`: of several stores with the same value and the same release a load reads the first alone.
pub fn explore_states<P: Program>(
    program: &mut P,
    merges: bool,
    states: &mut States,
    visit: &mut Visit<'_, P>,
) {
    let mut search = Search { program, merges, states };
    while let Some((graph, added)) = search.states.open.pop() {
        let end = search.expand(&graph, added);
        if search.states.matched.beyond {
            break;
        }
        let explored = &mut search.states.matched.explored;
        match end {
            None => {}
            Some(End::Complete) => explored.complete += 1,
            Some(End::Stuck) => explored.stuck += 1,
            Some(End::Deadlock) => explored.deadlocks += 1,
            Some(End::Failed) => explored.failed += 1,
            Some(End::Race(_)) => explored.races += 1,
        }
        if visit(search.program, end.map(|end| (&graph, end))).is_break() {
            search.states.matched.explored.stopped = true;
            break;
        }
    }
}

struct Search<'a, P> {
    program: &'a mut P,
    /// Equal values are read from the first store that has them.
    merges: bool,
    states: &'a mut States,
}

impl<P: Program> Search<'_, P> {
    /// Puts aside all that can follow; how the execution ends if nothing can.
    fn expand(&mut self, graph: &Graph, added: Option<EventId>) -> Option<End> {
        self.program.restart(graph);
        if let Some(racing) = added.filter(|&id| graph.race(id).is_some()) {
            return Some(End::Race(racing));
        }
        if added.is_some_and(|id| graph.event(id).is_sequential()) {
            self.states.matched.beyond = true;
            return Some(End::Failed);
        }
        let threads = graph.threads().max(self.program.roots());
        let exists = |program: &P, thread| thread < program.roots() || graph.len(thread) > 0;
        let existing: Vec<u32> = (0..threads).filter(|&thread| exists(self.program, thread)).collect();
        let nexts: Vec<(u32, Next)> =
            existing.iter().map(|&thread| (thread, self.program.next(graph, thread))).collect();
        if nexts.iter().any(|(_, next)| *next == Next::Failed) {
            return Some(End::Failed);
        }
        // Whatever else a thread may do, states do not know it.
        let known = |next: &Next| matches!(next, Next::Event(_) | Next::Stuck | Next::Ended);
        if !nexts.iter().all(|(_, next)| known(next)) {
            self.states.matched.beyond = true;
            return Some(End::Failed);
        }
        let half = nexts.iter().find_map(|(thread, next)| match next {
            Next::Event(label) if label.kind == Kind::Write { exclusive: true } => Some((*thread, *label)),
            _ => None,
        });
        if let Some((thread, label)) = half {
            self.extend(graph, thread, label);
            return None;
        }
        match self.key(graph, &nexts) {
            None => {
                self.states.matched.beyond = true;
                return Some(End::Failed);
            }
            Some(key) if !self.states.seen.insert(key) => return None,
            Some(_) => self.states.matched.states += 1,
        }
        let ended = |child: u32| nexts.contains(&(child, Next::Ended)) && graph.len(child) > 0;
        let taken = |mutex: u32| graph.knows(mutex) && graph.holder(mutex).is_some();
        let possible: Vec<(u32, Label)> = nexts
            .iter()
            .filter_map(|(thread, next)| match next {
                Next::Event(label) => Some((*thread, *label)),
                _ => None,
            })
            .filter(|(_, label)| match label.kind {
                Kind::Join { child } => ended(child),
                Kind::Lock => !taken(label.location),
                _ => true,
            })
            .collect();
        // What makes no difference to other threads can as well come first.
        match possible.iter().find(|(_, label)| !label.kind.is_access()) {
            Some(&(thread, label)) => self.extend(graph, thread, label),
            None => possible.iter().for_each(|&(thread, label)| self.extend(graph, thread, label)),
        }
        let is = |wanted: Next| nexts.iter().any(|(_, next)| *next == wanted);
        match possible.is_empty() {
            false => None,
            true if is(Next::Stuck) => Some(End::Stuck),
            true if nexts.iter().all(|(_, next)| *next == Next::Ended) => Some(End::Complete),
            true => Some(End::Deadlock),
        }
    }

    /// Adds a thread's next event in all places that make a difference.
    fn extend(&mut self, graph: &Graph, thread: u32, label: Label) {
        let mut graph = graph.clone();
        if label.kind.is_access() && !graph.knows(label.location) {
            graph.know(label.location, self.program.initial(label.location));
        }
        let end = if label.kind.is_access() { graph.records(label.location).len() } else { 0 };
        let with = |search: &mut Self, source: Option<EventId>, place: usize, label: Label| {
            let mut longer = graph.clone();
            let id = longer.add(thread, label, source, place);
            if let Kind::Create { child } = label.kind {
                longer.add(child, Label { kind: Kind::Begin, ..label }, Some(id), 0);
            }
            search.states.open.push((longer, Some(id)));
        };
        match label.kind {
            Kind::Read { exclusive } => {
                for position in self.sources(&graph, thread, label, exclusive) {
                    with(self, graph.records(label.location)[position].write, 0, label);
                }
            }
            Kind::Write { exclusive } => {
                for place in graph.places(thread, label.location, exclusive).collect::<Vec<_>>() {
                    with(self, None, place, label);
                }
            }
            Kind::Lock => with(self, graph.records(label.location)[end - 1].write, end, label),
            Kind::Choice { options } => {
                (0..u64::from(options)).for_each(|value| with(self, None, 0, Label { value, ..label }));
            }
            _ => with(self, None, end, label),
        }
    }

    /// From where a read reads: of stores with the same value and the same release the first. An update stands behind
    /// what it reads, so which one it is makes a difference.
    fn sources(&mut self, graph: &Graph, thread: u32, label: Label, exclusive: bool) -> Vec<usize> {
        let records = graph.records(label.location);
        let message = |write: Option<EventId>| write.and_then(|write| graph.event(write).message.clone());
        let mut kinds: Vec<(u128, Option<std::sync::Arc<Clock>>)> = Vec::new();
        let mut sources = Vec::new();
        for position in graph.readable(thread, label.location) {
            let write = records[position].write;
            let kind = (self.program.datum(graph, label.location, write), message(write));
            if exclusive || !self.merges || !kinds.contains(&kind) {
                kinds.push(kind);
                sources.push(position);
            }
        }
        sources
    }

    /// All that the rest of the execution depends on.
    fn key(&mut self, graph: &Graph, nexts: &[(u32, Next)]) -> Option<u128> {
        let own = self.program.state(graph)?;
        let locations: Vec<u32> =
            (0..graph.locations().len() as u32).filter(|&location| graph.knows(location)).collect();
        // No thread that can go on reads an older store than this.
        let live: Vec<u32> =
            nexts.iter().filter(|(_, next)| *next != Next::Ended).map(|(thread, _)| *thread).collect();
        let lowest = |location: u32| {
            let floors = live.iter().map(|&thread| graph.floor(location, graph.past(thread)));
            floors.min().unwrap_or(graph.records(location).len() - 1)
        };
        let lowest: Vec<usize> = locations.iter().map(|&location| lowest(location)).collect();
        let clock = |words: &mut Vec<u64>, clock: Option<&Clock>| {
            words.push(u64::from(clock.is_some()));
            let Some(clock) = clock else { return };
            words.extend((0..graph.threads()).map(|thread| u64::from(clock.of(thread))));
            let floors = locations.iter().zip(&lowest);
            words.extend(
                floors.map(|(&location, lowest)| graph.floor(location, clock).saturating_sub(*lowest) as u64),
            );
        };
        // What threads do next follows from what is chosen before a read (whether a weak compare-exchange fails), which is
        // an event of the graph and nothing that a thread holds.
        let nexts = if mutant(Mutant::WeakExchangeForgotten) { 0 } else { hash(nexts) };
        let mut words = vec![own as u64, (own >> 64) as u64, nexts as u64, (nexts >> 64) as u64];
        words.push(u64::from(graph.threads()));
        for thread in 0..graph.threads() {
            words.push(u64::from(graph.len(thread)));
            clock(&mut words, Some(graph.past(thread)));
            let last = graph.last(thread);
            clock(&mut words, last.and_then(|event| event.pending.as_deref()));
            let fence = last.and_then(|event| event.fence);
            clock(&mut words, fence.map(|index| &graph.event(EventId { thread, index }).happens));
        }
        for (&location, &lowest) in locations.iter().zip(&lowest) {
            let records = graph.records(location);
            let last =
                records.last().and_then(|record| record.write).map(|write| (write, graph.event(write)));
            let mutex = last.filter(|(_, event)| matches!(event.label.kind, Kind::Lock | Kind::Unlock));
            words.extend([u64::from(location), (records.len() - lowest) as u64, u64::from(mutex.is_some())]);
            if let Some((id, event)) = mutex {
                words.push(if event.label.kind == Kind::Lock { u64::from(id.thread) + 1 } else { 0 });
                clock(&mut words, Some(&event.happens));
                continue;
            }
            for (number, record) in records[lowest..].iter().enumerate() {
                let datum = self.program.datum(graph, location, record.write);
                let follows = number > 0 && record.exclusive;
                words.extend([datum as u64, (datum >> 64) as u64, u64::from(follows)]);
                let message = record.write.and_then(|write| graph.event(write).message.as_deref());
                clock(&mut words, message);
            }
        }
        Some(hash(&words))
    }
}

fn hash<T: Hash>(words: &[T]) -> u128 {
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        (salt, words).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
