//! The language's memory model: an execution as a graph, in which loads read from stores that the scheduler chooses.
//!
//! Memory itself holds what the last store in modification order has put there. An atomic load that reads from an
//! earlier one finds that in memory for as long as it takes. Plain accesses act on memory as they are: if nothing races
//! with them they read the last store, and if something does, the execution is over. Before a second thread exists
//! nothing is an event.

mod accesses;
mod ahead;
mod alike;
mod alone;
mod calls;
mod depend;
mod effects;
mod explain;
pub(crate) mod history;
mod objects;
mod privates;
mod roles;
mod times;
mod wide;

use crate::halt::Halt;
use crate::inspect::{Inspect, InspectGraph};
use crate::machine::Machine;
use crate::model::Datum;
use crate::traits::{Traits, uses};
pub(crate) use accesses::Prepared;
pub use ahead::{Ahead, Place};
pub use alike::Start;
pub use alone::{Alone, Plain};
pub(crate) use depend::{Dependencies, Reads};
use effects::Kept;
pub use explain::{GraphAccess, StoredBy, WeakBehaviour};
use history::AccessHistory;
use objects::State;
use privates::Privates;
use rustc_hash::FxHashMap;
use selvedge_program::Program;
use selvedge_relations::{EventId, Graph, Kind, Label, Rules};
use selvedge_trace::{MemoryOrder, Model, SyncObject};
use std::collections::BTreeMap;
use std::sync::Arc;

/// An execution under the language's memory model.
#[derive(Clone, Default)]
pub struct ExecutionGraph {
    pub(crate) graph: Graph,
    /// Which graphs are executions.
    rules: Rules,
    /// What depends on which reads, if that is followed.
    pub(crate) dependencies: Option<Arc<Dependencies>>,
    /// The locations of atomic accesses that are in use, by address: size and number.
    places: Arc<BTreeMap<u64, (u8, u32)>>,
    /// Mutexes by address.
    mutexes: Arc<BTreeMap<u64, u32>>,
    /// Other synchronisation objects by address and what they are.
    objects: Arc<BTreeMap<(u64, u8), u32>>,
    /// What was in each of them at first, by location.
    firsts: Arc<FxHashMap<u32, State>>,
    /// What operations on them have left.
    states: Arc<FxHashMap<EventId, State>>,
    /// What the model of a function that runs leaves is kept.
    kept: Option<Kept>,
    /// How many threads the wake that runs has woken.
    pub(crate) woken: Option<u32>,
    /// The program tries to take mutexes: all of them are looked at in general.
    tries: bool,
    /// The time of each thread, by index.
    clocks: Vec<u64>,
    /// When events happened at the earliest, if the program can look at the clock.
    times: Arc<FxHashMap<EventId, u64>>,
    /// How often a location or mutex at an address has become another one.
    generations: Arc<FxHashMap<u64, u32>>,
    /// The first location at an address.
    memories: Arc<FxHashMap<u64, u32>>,
    /// What was at each location at first.
    initial: Arc<Vec<Datum>>,
    /// What stores have stored, and where in the program.
    stored: Arc<FxHashMap<EventId, (Datum, u32)>>,
    /// The upper halves of what is stored, or was at first, at locations of 16 bytes.
    uppers: Arc<FxHashMap<(u32, Option<EventId>), Datum>>,
    /// The last accesses to each byte, and their threads.
    history: Arc<AccessHistory>,
    /// How often each thread has changed anything that others may know, by index.
    writes: Vec<u64>,
    /// What each thread holds in memory that it alone knows.
    privates: Privates,
    /// How many plain accesses to shared memory each thread has made, by index; but for those that it had made like
    /// that since it last did something that others can come after.
    plain: Vec<u64>,
    /// The last plain accesses to shared memory of each thread, by index.
    recent: Vec<Arc<Vec<Plain>>>,
    /// A digest of what each thread has written to memory that it alone knows, by index.
    private: Vec<u64>,
    /// How often each thread has done something that is none of these, or too much of them, by index.
    other: Vec<u64>,
    /// How each thread was started, by index.
    starts: Arc<Vec<Option<Start>>>,
    /// How many plain accesses to shared memory main has made, and had made when it last waited for a thread.
    touched: u64,
    touched_at_join: u64,
    /// How often a location has become another one.
    forgotten: u64,
    /// A plain store that is being performed: its thread, where, how many bytes, and what was there before.
    about_to_write: Option<(usize, u64, u8, Datum)>,
    /// A race that the running thread has come upon.
    pub(crate) race: Option<Halt>,
    /// The accesses of the last race.
    raced: Option<[Raced; 2]>,
}

/// One of the two accesses of a data race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raced {
    pub thread: usize,
    pub address: u64,
    pub writes: bool,
    pub atomic: bool,
    /// It is the allocation of the object.
    pub allocates: bool,
    /// Where in the program.
    pub position: u32,
}

impl ExecutionGraph {
    /// The beginning of an execution. Dependencies are followed where the model asks for them, and where the execution
    /// is to be explained.
    pub(crate) fn new(program: &Program, model: Model, explained: bool) -> Self {
        let rules = Rules::of(model);
        let tries = |traits: &Traits| traits.object == Some(SyncObject::Mutex) && traits.gives_up();
        ExecutionGraph {
            rules,
            dependencies: (explained || rules == Rules::Mca).then(Arc::default),
            tries: uses(program, tries).is_some(),
            ..ExecutionGraph::default()
        }
    }

    fn label(kind: Kind, order: MemoryOrder, location: u32, value: u64) -> Label {
        Label { kind, order, location, value, compare: None, depends: 0 }
    }

    fn new_location(&mut self, initial: Datum, upper: Option<Datum>) -> u32 {
        let location = self.initial.len() as u32;
        Arc::make_mut(&mut self.initial).push(initial);
        if let Some(upper) = upper {
            Arc::make_mut(&mut self.uppers).insert((location, None), upper);
        }
        self.graph.know(location, wide::stands_for(initial, upper));
        location
    }

    fn generation(&self, address: u64) -> u32 {
        self.generations.get(&address).copied().unwrap_or(0)
    }

    /// Whatever is at these addresses from now on is another location. Whether anything was.
    fn forget(&mut self, address: u64, size: u64) -> bool {
        if let Some(dependencies) = self.dependencies_mut() {
            dependencies.forget_memory(address, size);
        }
        let first = address.saturating_sub(15);
        let end = address.saturating_add(size);
        let reaches = |at: u64, len: u8| at + u64::from(len) > address;
        let places: Vec<u64> = self
            .places
            .range(first..end)
            .filter(|(at, (len, _))| reaches(**at, *len))
            .map(|(at, _)| *at)
            .collect();
        let mutexes: Vec<u64> = self.mutexes.range(address..end).map(|(at, _)| *at).collect();
        for at in &places {
            Arc::make_mut(&mut self.places).remove(at);
        }
        for at in &mutexes {
            Arc::make_mut(&mut self.mutexes).remove(at);
        }
        let objects = self.objects.range((address, 0)..(end, 0)).map(|(object, _)| *object);
        let objects: Vec<_> = objects.filter(|(_, kind)| *kind != roles::FUTEX).collect();
        for object in &objects {
            Arc::make_mut(&mut self.objects).remove(object);
        }
        let mut changed: Vec<u64> = places.into_iter().chain(mutexes).collect();
        changed.extend(objects.into_iter().map(|(at, _)| at));
        changed.sort_unstable();
        changed.dedup();
        let any = !changed.is_empty();
        self.forgotten += u64::from(any);
        for at in changed {
            *Arc::make_mut(&mut self.generations).entry(at).or_default() += 1;
        }
        any
    }

    /// What a store has stored, or what was there at first.
    fn datum(&self, location: u32, write: Option<EventId>) -> Datum {
        match write {
            Some(write) => self.stored[&write].0,
            None => self.initial[location as usize],
        }
    }

    /// The upper half of that, at a location of 16 bytes.
    fn upper(&self, location: u32, write: Option<EventId>) -> Option<Datum> {
        self.uppers.get(&(location, write)).copied()
    }

    /// The first event of a thread after which it has done nothing that others can come after.
    fn since(&self, thread: u32) -> u32 {
        let events = self.graph.events(thread).iter().rev();
        let alone = |kind: Kind, order: MemoryOrder| match kind {
            Kind::Read { .. } | Kind::Choice { .. } => true,
            Kind::Fence => matches!(order, MemoryOrder::Acquire | MemoryOrder::Relaxed),
            _ => false,
        };
        let count = events.take_while(|event| alone(event.label.kind, event.order)).count();
        self.graph.len(thread) - count as u32
    }

    fn count_write(&mut self, thread: usize) {
        count(&mut self.writes, thread);
    }
}

/// Counts something of a thread.
fn count(counts: &mut Vec<u64>, thread: usize) {
    if counts.len() <= thread {
        counts.resize(thread + 1, 0);
    }
    counts[thread] += 1;
}

impl Machine {
    /// Whether visible operations are events of a graph.
    pub(crate) fn follows_graph(&self) -> bool {
        self.model.graph().is_some() && self.threads.len() > 1
    }
}

impl Inspect<'_> {
    /// What a thread will do depends on this and on memory.
    pub fn thread_hash(self, thread: usize) -> u128 {
        let thread = &self.machine.threads[thread];
        *thread.hash.get_or_init(|| thread.digest(&self.machine.program, &self.machine.live_slots))
    }
}

impl<'a> InspectGraph<'a> {
    /// The execution as a graph, under a model in which it is one. Threads are numbered as they were created here.
    pub fn graph(self) -> Option<&'a Graph> {
        self.machine.model.graph().map(|execution| &execution.graph)
    }

    /// How often a thread has changed anything that others may know since there was a second thread, under a model that
    /// counts.
    pub fn writes(self, thread: usize) -> u64 {
        self.machine.model.graph().and_then(|execution| execution.writes.get(thread).copied()).unwrap_or(0)
    }

    /// The two accesses of the data race at which the execution has ended, if it has.
    pub fn raced(self) -> Option<[Raced; 2]> {
        self.machine.model.graph().and_then(|execution| execution.raced)
    }
}
