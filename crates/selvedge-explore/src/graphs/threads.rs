//! A program's threads as the exploration of execution graphs asks for them: a machine that follows a graph.
//!
//! The machine has performed the events of the graph in some order in which each comes after its causes. Whatever a
//! thread does that is no event is done at once. When another graph is explored, the machine goes back to where the
//! two part.

pub mod await_loops;
mod symmetry;

use crate::Progress;
use crate::kit::step::{self, Advanced};
use await_loops::detours::Detours;
use await_loops::looks::Looks;
pub use await_loops::repeats::Repeats;
use rustc_hash::FxHashMap;
use selvedge_machine::{Ahead, Alone, Config, Machine, Pick, Place, Snapshot, Status, Wait};
use selvedge_program::Program as Code;
use selvedge_relations::{Event, EventId, Graph, Kind, Label, Next, Program};
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{TIMEOUT, ThreadId, ThreadName};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};
use symmetry::Symmetry;

/// A thread with more events is given up.
const LONGEST: u32 = 2_000;

/// Steps that are no events which a thread takes before the search checks whether it is on a cycle.
const PATIENCE: u64 = 64;

/// Why the machine cannot follow a graph any further, besides what its outcome says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// An execution is too long.
    Length,
    /// A thread is on a cycle without anything that others see.
    Endless(ThreadName),
    /// The exploration is to stop.
    Interrupted,
    /// The machine and the graph do not agree: a mistake of the exploration.
    Lost,
}

/// What tells an event of one graph from that of another, if the same events came before: the event, what it reads from,
/// what it is behind, and what was chosen.
type Signature = (EventId, Option<EventId>, Option<EventId>, u64);

/// Events between the states of the machine that are kept besides those from which several graphs branch.
const APART: usize = 12;

/// An event that the machine has performed, and perhaps its state afterwards.
struct Performed {
    signature: Signature,
    after: Option<Snapshot>,
    picks: usize,
}

/// A thread's state before a read: if it comes again and nothing was written meanwhile, the thread is on a cycle.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Before {
    index: u32,
    hash: u128,
    writes: u64,
    /// What it had in memory of its own.
    privates: u128,
    /// Its plain accesses to shared memory until then, and what else it had done.
    plain: u64,
    alone: Alone,
}

/// What threads and locations are called in graphs: each by the number at which it is here.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Names {
    threads: Vec<ThreadName>,
    places: Vec<Place>,
}

/// The threads of a program.
pub struct Threads<'a> {
    pub machine: Machine,
    progress: &'a Progress,
    start: Snapshot,
    start_picks: usize,
    path: Vec<Performed>,
    /// All choices from the start on.
    pub picks: Vec<Pick>,
    /// How all workers that explore the program call its threads and locations.
    shared: &'a Mutex<Names>,
    /// Threads of graphs by name.
    names: Vec<ThreadName>,
    roots: u32,
    places: Vec<Place>,
    numbers: FxHashMap<Place, u32>,
    /// Events of each thread that are performed.
    done: Vec<u32>,
    before: Vec<Vec<Before>>,
    /// How often a thread may come to the same place.
    most: Option<u32>,
    /// Where each thread was before its events, of those that are steps of their own.
    places_of: Vec<Vec<Option<u64>>>,
    /// A thread was stopped because it came to the same place too often.
    pub cut: bool,
    pub trouble: Option<Trouble>,
    steps: u64,
    /// The machine's number of each thread of the graph, as far as it was asked for.
    indices: Vec<Cell<usize>>,
    /// The thread that has performed the second half of an update which is not in the graph yet.
    half: Option<u32>,
    /// What each thread does next, for as long as it is that: see `label_ahead`.
    labels: Vec<Option<Known>>,
    /// Which reads are repeated until they find something else.
    pub looks: Looks,
    /// What threads have done after reads, so that it is known whether they could have come to a place with fewer.
    repeats: Repeats,
    /// Where threads would be if they had looked less often.
    detours: Detours,
    /// Which threads are symmetric.
    symmetry: Symmetry,
}

/// What need not be explored.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct LeftOut {
    /// Looks at what does not let a thread go on.
    pub looks: bool,
    /// Loads that are done again, and detours.
    pub repeats: bool,
    /// Executions that differ from others by exchanging equal threads.
    pub exchanges: bool,
}

/// The atomic access that a thread does next. It stays that until the thread does something, a location becomes another
/// one, or another store comes to its location.
#[derive(Clone, Copy)]
struct Known {
    next: Next,
    forgotten: u64,
    stores: usize,
}

/// Not asked for yet.
const UNKNOWN: usize = usize::MAX;

impl<'a> Threads<'a> {
    /// The threads of a program up to where there are two of them and each stands before an event.
    pub fn new(
        code: &Arc<Code>,
        config: &Config,
        most: Option<u32>,
        progress: &'a Progress,
        shared: &'a Mutex<Names>,
        left_out: LeftOut,
    ) -> Self {
        let mut machine = Machine::new(code.clone(), config.clone());
        let start = machine.snapshot();
        let mut threads = Threads {
            machine,
            progress,
            start,
            start_picks: 0,
            path: Vec::new(),
            picks: Vec::new(),
            shared,
            names: Vec::new(),
            roots: 0,
            places: Vec::new(),
            numbers: FxHashMap::default(),
            done: Vec::new(),
            before: Vec::new(),
            most,
            places_of: Vec::new(),
            cut: false,
            trouble: None,
            steps: 0,
            indices: Vec::new(),
            half: None,
            labels: Vec::new(),
            looks: Looks::new(left_out.looks),
            repeats: Repeats::new(left_out.looks && left_out.repeats && most.is_none()),
            detours: Detours::new(left_out.repeats && !config.trace),
            symmetry: Symmetry::new(code, left_out.exchanges),
        };
        threads.run_silent();
        let roots: Vec<_> = threads.machine.threads().iter().map(|thread| thread.name.clone()).collect();
        threads.roots = roots.len() as u32;
        for name in &roots {
            threads.slot(name);
        }
        threads.start = threads.machine.snapshot();
        threads.start_picks = threads.picks.len();
        threads
    }

    /// What threads have done after reads.
    pub fn repeats(&self) -> &Repeats {
        &self.repeats
    }

    /// Takes note of what threads have done after reads.
    pub fn know(&mut self, repeats: &Repeats) {
        self.repeats.learn(repeats);
    }

    /// Steps that were taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    fn slot(&mut self, name: &ThreadName) -> u32 {
        let same = |known: &ThreadName| known == name;
        if self.names.iter().position(same).is_none() {
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            if !shared.threads.contains(name) {
                shared.threads.push(name.clone());
            }
            drop(shared);
            self.learn();
        }
        self.names.iter().position(same).unwrap_or_default() as u32
    }

    /// Learns what others call threads and locations.
    fn learn(&mut self) {
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        self.names.extend_from_slice(&shared.threads[self.names.len()..]);
        self.indices.resize(self.names.len(), Cell::new(UNKNOWN));
        for &place in &shared.places[self.places.len()..] {
            self.numbers.insert(place, self.places.len() as u32);
            self.places.push(place);
        }
    }

    /// The machine's number of a thread of the graph.
    pub fn index(&self, thread: u32) -> Option<usize> {
        let known = self.indices.get(thread as usize)?;
        if known.get() == UNKNOWN {
            let name = &self.names[thread as usize];
            let found = self.machine.threads().iter().position(|thread| thread.name == *name)?;
            known.set(found);
        }
        Some(known.get())
    }

    fn own(&self, id: EventId) -> Option<EventId> {
        Some(EventId { thread: self.index(id.thread)? as u32, ..id })
    }

    fn number(&mut self, place: Place) -> u32 {
        if let Some(&number) = self.numbers.get(&place) {
            return number;
        }
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if !shared.places.contains(&place) {
            shared.places.push(place);
        }
        drop(shared);
        self.learn();
        self.numbers[&place]
    }

    /// Whether a location is a synchronisation object.
    pub fn is_object(&self, location: u32) -> bool {
        self.places.get(location as usize).is_some_and(|place| place.size >= 128)
    }

    fn done(&self, thread: u32) -> u32 {
        self.done.get(thread as usize).copied().unwrap_or(0)
    }

    /// Takes a step.
    pub fn advance(&mut self, index: usize, alternative: u32) {
        let pick = Pick::Step { thread: ThreadId(index as u16), alternative };
        self.picks.push(pick);
        self.steps += 1;
        match step::advance(&mut self.machine, pick, self.progress) {
            Advanced::Stopped | Advanced::Ended => {}
            Advanced::Endless(thread) => {
                let name = self.machine.threads()[thread.index()].name.clone();
                self.trouble = Some(Trouble::Endless(name));
            }
            Advanced::Interrupted => self.trouble = Some(Trouble::Interrupted),
        }
    }

    /// Does everything that is no event after a thread has done something: the others are before events.
    fn run_silent_after(&mut self, index: usize, threads: usize) {
        self.run_silent_in(index..index + 1);
        // Threads that it has created.
        self.run_silent_in(threads..usize::MAX);
    }

    /// Does everything that is no event.
    fn run_silent(&mut self) {
        self.run_silent_in(0..usize::MAX);
    }

    fn run_silent_in(&mut self, range: std::ops::Range<usize>) {
        let mut index = range.start;
        // A thread that comes to a state again without having written anything is on a cycle, and would stay there for
        // ever.
        let (mut taken, mut seen) = (0_u64, None);
        while index < range.end && index < self.machine.threads().len() {
            if self.machine.outcome().is_some() || self.trouble.is_some() {
                return;
            }
            let times_out = self.machine.inspect().waits_for_time_alone(index);
            let mut goes_on = times_out
                || self.machine.probe().ahead(index) == Ahead::Silent
                    && self.machine.probe().alternatives(index) > 0;
            if goes_on && taken >= PATIENCE {
                let memory = (
                    self.machine.inspect_graph().writes(index),
                    self.machine.inspect_graph().private_memory(index),
                );
                let state = Some((self.machine.inspect().thread_hash(index), memory));
                goes_on = seen != state;
                if taken.is_power_of_two() {
                    seen = state;
                }
            }
            match goes_on {
                true => {
                    taken += 1;
                    self.advance(index, if times_out { TIMEOUT } else { 0 });
                }
                false => {
                    index += 1;
                    (taken, seen) = (0, None);
                }
            }
            if self.steps & 0xfff == 0 && self.progress.over().is_some() {
                self.trouble = Some(Trouble::Interrupted);
            }
        }
    }

    /// The event that is performed next: of the first events that are not performed yet the one that was added first of
    /// those whose causes are all performed.
    fn next_to_perform(&self, graph: &Graph, done: &[u32]) -> Option<EventId> {
        let done_of = |thread: u32| done.get(thread as usize).copied().unwrap_or(0);
        let performed = |id: EventId| done_of(id.thread) > id.index;
        let heads = (0..graph.threads()).filter_map(|thread| {
            let id = EventId { thread, index: done_of(thread) };
            (id.index < graph.len(thread)).then_some(id)
        });
        let possible = heads.filter(|&id| {
            let event = graph.event(id);
            !event.waits
                && event.source.is_none_or(performed)
                && match event.label.kind {
                    Kind::Join { child } => done_of(child) == graph.len(child),
                    _ => true,
                }
        });
        possible.min_by_key(|&id| graph.event(id).stamp)
    }

    fn signature(&self, graph: &Graph, id: EventId, done: &[u32]) -> Signature {
        let event = graph.event(id);
        let performed = |id: EventId| done.get(id.thread as usize).is_some_and(|&done| done > id.index);
        let mut behind = None;
        if event.label.kind == (Kind::Write { exclusive: false }) {
            let position = graph.position(event.label.location, Some(id));
            let earlier = graph.records(event.label.location)[..position].iter().rev();
            behind = earlier.filter_map(|record| record.write).find(|&write| performed(write));
        }
        let chosen = if let Kind::Choice { .. } = event.label.kind { event.value } else { 0 };
        (id, event.source, behind, chosen)
    }

    fn perform(&mut self, graph: &Graph, signature: Signature) {
        let (id, source, behind, _) = signature;
        let event = graph.event(id);
        let Some(index) = self.index(id.thread) else {
            self.trouble = Some(Trouble::Lost);
            return;
        };
        self.forget_label(id.thread);
        let place_before = if self.most.is_some() { self.machine.inspect().control(index) } else { 0 };
        let place = || self.places[event.label.location as usize];
        // What was to fail for no reason and finds something else than it expects fails for that reason: the machine has no
        // other outcome for it. The thread is not followed any further, but the others are.
        let finds = event.label.compare.is_none_or(|(expected, _)| expected == event.value);
        let alternative = match event.label.kind {
            // Done together with what comes before or after it.
            Kind::Begin | Kind::Choice { .. } | Kind::Write { exclusive: true } => None,
            Kind::Read { .. } => {
                let chosen = id.previous().map(|choice| graph.event(choice));
                let fails = finds
                    && chosen.is_some_and(|choice| {
                        matches!(choice.label.kind, Kind::Choice { .. }) && choice.value == 1
                    });
                let source = source.and_then(|source| self.own(source));
                self.machine
                    .inspect_graph()
                    .alternative_at(place(), source, true)
                    .map(|back| back | u32::from(fails))
            }
            Kind::Write { exclusive: false } => {
                let behind = behind.and_then(|write| self.own(write));
                self.machine.inspect_graph().alternative_at(place(), behind, false)
            }
            _ => Some(0),
        };
        // A plain store has made the location another one, and nothing orders the two: they race.
        let is_access = matches!(event.label.kind, Kind::Read { .. } | Kind::Write { exclusive: false });
        let races = is_access && alternative.is_none();
        let alternative = if races { Some(0) } else { alternative };
        let waits = is_access && event.label.kind.is_read() && {
            let fails = alternative.is_some_and(|alternative| alternative & 1 == 1);
            let source = source.and_then(|source| self.own(source));
            !self.machine.probe().admits(index, fails, source)
        };
        if waits {
            // The machine does not move.
        } else if let Some(alternative) = alternative {
            if event.label.kind.is_read() {
                let before = self.before_read(index, id.index);
                let thread = id.thread as usize;
                if self.before.len() <= thread {
                    self.before.resize_with(thread + 1, Vec::new);
                }
                self.before[thread].push(before);
            }
            let threads = self.machine.threads().len();
            let read = event.label.kind.is_read().then_some(id.index);
            let tried = self.detours.try_others(&mut self.machine, (id.thread, index), alternative, read);
            self.advance(index, alternative);
            self.detours.compare(&self.machine, (id.thread, index), tried);
            self.run_silent_after(index, threads);
            if event.label.kind.is_read() && alternative & 1 == 0 {
                self.note_repeat(graph, id, index);
            }
        }
        let raced = self.machine.outcome().is_some();
        if !waits && (races && !raced || !self.has_performed(event, index, id.index)) {
            self.trouble.get_or_insert(Trouble::Lost);
        }
        let thread = id.thread as usize;
        if self.most.is_some() {
            if self.places_of.len() <= thread {
                self.places_of.resize_with(thread + 1, Vec::new);
            }
            self.places_of[thread].push(alternative.map(|_| place_before));
        }
        if self.done.len() <= thread {
            self.done.resize(thread + 1, 0);
        }
        self.done[thread] += 1;
        let kept = self.path.iter().rev().take(APART).any(|performed| performed.after.is_some());
        let after = (!kept).then(|| self.machine.snapshot());
        self.path.push(Performed { signature, after, picks: self.picks.len() });
    }

    /// Whether the machine has done what the graph says, with the same value.
    fn has_performed(&self, event: &Event, index: usize, at: u32) -> bool {
        if self.machine.outcome().is_some() || matches!(event.label.kind, Kind::Choice { .. }) {
            return true;
        }
        let own = self
            .machine
            .inspect_graph()
            .graph()
            .and_then(|graph| graph.events(index as u32).get(at as usize));
        own.is_some_and(|own| {
            let same = std::mem::discriminant(&own.label.kind) == std::mem::discriminant(&event.label.kind);
            same && own.value == event.value
        })
    }

    /// Whether a thread's last event reads from a write that does not let it go on: the machine has not performed it.
    pub fn waits(&self, graph: &Graph, thread: u32) -> bool {
        let Some(index) = self.index(thread) else { return false };
        let own = self.machine.inspect_graph().graph().map_or(0, |graph| graph.len(index as u32));
        graph.last(thread).is_some_and(|event| event.label.kind.is_read()) && own < graph.len(thread)
    }

    /// Whether some thread waits for something that it could have found later, or would not have waited for.
    pub fn waits_in_vain(&mut self, graph: &Graph) -> bool {
        (0..graph.threads()).any(|thread| {
            if !self.waits(graph, thread) {
                return false;
            }
            let Some((event, index)) = graph.last(thread).zip(self.index(thread)) else { return false };
            let last = graph.records(event.label.location).last().and_then(|record| record.write);
            event.source != last || !self.machine.probe().waits_for_good(index)
        })
    }

    /// Whether a thread waits and is the only one there ever was: nothing is an event then, and nothing ends its wait.
    fn waits_alone(&self, index: usize) -> bool {
        match self.machine.threads() {
            [only] => index == 0 && !matches!(only.status, Status::Waiting(Wait::Assumption)),
            _ => false,
        }
    }

    fn before_read(&self, index: usize, at: u32) -> Before {
        let plain = self.machine.inspect_graph().plain_accesses(index);
        let (hash, writes) =
            (self.machine.inspect().thread_hash(index), self.machine.inspect_graph().writes(index));
        let privates = self.machine.inspect_graph().private_memory(index);
        Before { index: at, hash, writes, privates, plain, alone: self.machine.inspect_graph().alone(index) }
    }

    /// Performs what is in the graph and not performed yet, as far as the execution goes: a plain access that races ends
    /// it wherever it comes.
    fn catch_up(&mut self, graph: &Graph) {
        while self.trouble.is_none() && self.machine.outcome().is_none() {
            let Some(id) = self.next_to_perform(graph, &self.done) else { return };
            let signature = self.signature(graph, id, &self.done);
            self.perform(graph, signature);
        }
    }

    fn forget_label(&mut self, thread: u32) {
        if let Some(label) = self.labels.get_mut(thread as usize) {
            *label = None;
        }
    }

    /// The second half of a read-modify-write that the machine has performed already.
    fn half(&self, graph: &Graph, thread: u32) -> Option<Label> {
        let index = self.index(thread)?;
        let own = self.machine.inspect_graph().graph()?;
        let at = graph.len(thread);
        let read = graph.last(thread).filter(|event| event.label.kind == Kind::Read { exclusive: true })?;
        if own.len(index as u32) <= at || self.done(thread) < at {
            return None;
        }
        let write = own.event(EventId { thread: index as u32, index: at }).label;
        Some(Label { location: read.label.location, ..write })
    }

    /// The events of the last round of a thread that is on a cycle, from this one on.
    pub fn round(&self, graph: &Graph, thread: u32) -> Option<u32> {
        self.last_round(graph, thread).map(|before| before.index)
    }

    fn last_round(&self, graph: &Graph, thread: u32) -> Option<Before> {
        let index = self.index(thread)?;
        let seen = self.before.get(thread as usize)?;
        let now = self.before_read(index, graph.len(thread));
        let writes = |before: &Before| if mutant(Mutant::AwaitLoopWrites) { 0 } else { before.writes };
        let state = |before: &Before| (before.hash, writes(before), before.privates);
        let mut same = seen.iter().rev().filter(|before| state(before) == state(&now));
        let last = same.next()?;
        // What it has accessed plainly in between may race with what others do because of what it does next.
        (last.plain == now.plain || same.next().is_some()).then_some(*last)
    }

    /// The machine's numbers of threads that are about to end the process, main first.
    pub fn leavers(&mut self, graph: &Graph) -> Vec<usize> {
        let threads = graph.threads().max(self.roots);
        let leaves = |thread: u32| {
            let index = self.index(thread)?;
            let leaves = !self.machine.threads()[index].is_finished()
                && self.done(thread) >= graph.len(thread)
                && self.machine.probe().ahead(index) == Ahead::Ended;
            leaves.then_some(index)
        };
        (0..threads).filter_map(leaves).collect()
    }

    /// How many choices had been made before an event of a thread was performed.
    pub fn picks_since(&self, thread: u32, index: u32) -> usize {
        let place = self.path.iter().position(|performed| performed.signature.0 == EventId { thread, index });
        match place.and_then(|place| place.checked_sub(1)) {
            Some(before) => self.path[before].picks,
            None => self.start_picks,
        }
    }

    /// Whether a thread has been before an event at this place as often as it may.
    fn comes_too_often(&self, thread: u32, index: usize) -> bool {
        let Some((most, places)) = self.most.zip(self.places_of.get(thread as usize)) else { return false };
        let place = self.machine.inspect().control(index);
        places.iter().filter(|&&before| before == Some(place)).count() as u64 >= u64::from(most)
    }

    /// What a thread does next; that is asked again and again.
    fn label_ahead(&mut self, graph: &Graph, thread: u32, index: usize) -> Next {
        let (slot, forgotten) = (thread as usize, self.machine.inspect_graph().forgotten());
        let stores = |next: Next| match next {
            Next::Event(label) | Next::Look(label)
                if label.kind.is_access() && graph.knows(label.location) =>
            {
                graph.records(label.location).len()
            }
            _ => 0,
        };
        if let Some(Some(known)) = self.labels.get(slot)
            && (known.forgotten, known.stores) == (forgotten, stores(known.next))
        {
            return known.next;
        }
        let mut next = self.ask_label(graph, thread, index);
        if self.machine.inspect().is_before_atomic(index) {
            if let Next::Event(label) = next
                && label.kind.is_read()
                && self.looks_in_vain(graph, thread, index, label)
            {
                next = Next::Look(label);
            }
            if self.labels.len() <= slot {
                self.labels.resize(slot + 1, None);
            }
            self.labels[slot] = Some(Known { next, forgotten, stores: stores(next) });
        }
        next
    }

    fn ask_label(&mut self, graph: &Graph, thread: u32, index: usize) -> Next {
        let mut ahead = self.machine.probe().ahead(index);
        if ahead == Ahead::Silent {
            // What another thread has done has made it so.
            self.run_silent();
            if self.machine.outcome().is_some() || self.trouble.is_some() {
                return Next::Failed;
            }
            ahead = self.machine.probe().ahead(index);
        }
        self.compare_joins(graph, thread, &ahead);
        let (mut label, place, mut otherwise, waits, child) = match ahead {
            Ahead::Event { label, place, otherwise, waits, child } => (label, place, otherwise, waits, child),
            // It ends the process: a thread that waits for it does so in vain.
            Ahead::Ended if thread != 0 && !self.machine.threads()[index].is_finished() => {
                return Next::Waits;
            }
            Ahead::Ended => return Next::Ended,
            Ahead::Stuck | Ahead::Silent if self.waits_alone(index) => return Next::Waits,
            Ahead::Stuck | Ahead::Silent => return Next::Stuck,
        };
        if let Some((from, to)) = self.detours.left_out(thread, graph.len(thread)) {
            let (left_out, kept) = graph.events(thread)[from as usize..].split_at((to - from) as usize);
            let is_kept = |event: &Arc<Event>| {
                kept.iter()
                    .any(|other| other.label.kind.is_read() && other.label.location == event.label.location)
            };
            if left_out.iter().filter(|event| event.label.kind.is_read()).all(is_kept) {
                return Next::Stuck;
            }
        }
        if self.comes_too_often(thread, index) {
            self.cut = true;
            return Next::Stuck;
        }
        label.location = place.map_or(0, |place| self.number(place));
        if let Some(child) = child {
            let child = self.slot(&child);
            label.kind = match label.kind {
                Kind::Create { .. } => Kind::Create { child },
                _ => Kind::Join { child },
            };
        }
        let last = graph.last(thread);
        if label.kind.is_read()
            && let Some(before) = self.last_round(graph, thread)
        {
            return match self.is_useless(graph, thread, index, before) {
                true => Next::Useless,
                false => Next::Stuck,
            };
        }
        if let Some(next) = self.has_repeated(graph, thread, index) {
            return next;
        }
        if label.kind.is_read() {
            let chosen = last.filter(|event| matches!(event.label.kind, Kind::Choice { .. }));
            if let (Some(other), true) = (&mut otherwise, chosen.is_some()) {
                // The machine makes that choice together with the read.
                label.depends <<= 1;
                other.depends <<= 1;
            }
            match (otherwise, chosen.map(|event| event.value)) {
                (Some(_), None) => {
                    label.kind = Kind::Choice { options: 2 };
                    return Next::Event(label);
                }
                (Some(other), Some(1)) => label = Label { location: label.location, ..other },
                _ => {}
            }
        }
        if waits { Next::Await(label) } else { Next::Event(label) }
    }
}

impl Program for Threads<'_> {
    fn roots(&self) -> u32 {
        self.roots
    }

    fn next(&mut self, graph: &Graph, thread: u32) -> Next {
        match self.half {
            Some(half) if half == thread => {
                return self.half(graph, thread).map_or(Next::Failed, Next::Event);
            }
            Some(_) => return Next::Ended,
            None => {}
        }
        if self.machine.outcome().is_some() || self.trouble.is_some() {
            return Next::Failed;
        }
        if graph.len(thread) > LONGEST {
            self.trouble = Some(Trouble::Length);
            return Next::Failed;
        }
        // An exchange that was to fail for no reason has failed for a reason: that graph is explored elsewhere.
        let last = graph.last(thread);
        let failed = last.filter(|event| event.label.kind == Kind::Read { exclusive: false });
        if failed
            .is_some_and(|event| event.label.compare.is_some_and(|(expected, _)| expected != event.value))
        {
            return Next::Stuck;
        }
        if self.waits(graph, thread) {
            return Next::Waits;
        }
        match self.index(thread) {
            Some(index) => self.label_ahead(graph, thread, index),
            None => Next::Ended,
        }
    }

    fn memory(&mut self, location: u32) -> u32 {
        let Place { address, size, .. } = self.places[location as usize];
        // Synchronisation objects are never accessed sequentially consistently.
        let memory = |place: &Place| place.address == address && (place.size < 128) == (size < 128);
        self.places.iter().position(memory).unwrap_or(location as usize) as u32
    }

    fn admits(&mut self, graph: &Graph, thread: u32, source: Option<EventId>) -> bool {
        let Some(index) = self.index(thread) else { return true };
        if let Some((place, fails)) = self.looks.place_of(thread) {
            return self.lets_go_on(graph, index, place, fails, source);
        }
        let otherwise = graph
            .last(thread)
            .is_some_and(|event| matches!(event.label.kind, Kind::Choice { .. }) && event.value == 1);
        let source = source.and_then(|source| self.own(source));
        self.machine.probe().admits(index, otherwise, source)
    }

    fn initial(&mut self, location: u32) -> u64 {
        self.machine.probe().initial_at(self.places[location as usize])
    }

    fn state(&mut self, graph: &Graph) -> Option<u128> {
        let goes_round = |threads: &mut Self, thread: u32| {
            threads.round(graph, thread).is_some()
                || threads
                    .index(thread)
                    .is_some_and(|index| threads.machine.probe().ahead(index) == Ahead::Silent)
        };
        // Of objects other than mutexes and memory the graph does not say all.
        let known = |id: &EventId| matches!(graph.event(*id).label.kind, Kind::Lock | Kind::Unlock);
        let strange = graph.locations().iter().zip(&self.places).any(|(location, place)| {
            let accesses =
                location.records.iter().flat_map(|record| record.write.iter().chain(&record.readers));
            (place.size == 0 || place.size >= 128) && !accesses.into_iter().all(known)
        });
        if strange {
            return None;
        }
        // A thread that stays on a cycle does so by what it did before, which is no part of a state.
        if (0..graph.threads()).any(|thread| goes_round(self, thread)) {
            return None;
        }
        Some(self.machine.probe().hash_beside_graph())
    }

    fn datum(&self, graph: &Graph, location: u32, write: Option<EventId>) -> u128 {
        let own = write.and_then(|write| self.own(write));
        let place = self.places[location as usize];
        self.machine.inspect_graph().datum_at(place, own).unwrap_or_else(|| match write {
            Some(write) => u128::from(graph.event(write).value),
            None => u128::from(graph.locations()[location as usize].initial),
        })
    }

    fn like(&mut self, graph: &Graph, thread: u32) -> Option<u32> {
        self.same_as(graph, thread)
    }

    fn restart(&mut self, graph: &Graph) {
        self.learn();
        let mut done: Vec<u32> = vec![0; self.names.len().max(graph.threads() as usize)];
        let mut common = 0;
        while let Some(performed) = self.path.get(common) {
            let Some(id) = self.next_to_perform(graph, &done) else { break };
            if self.signature(graph, id, &done) != performed.signature {
                break;
            }
            done[id.thread as usize] += 1;
            common += 1;
        }
        let at_end = self.path.last().map_or(self.start_picks, |performed| performed.picks);
        let moved = self.picks.len() != at_end || self.machine.outcome().is_some();
        if moved || common < self.path.len() {
            let kept = self.path[..common].iter().rposition(|performed| performed.after.is_some());
            for performed in &self.path[kept.map_or(0, |kept| kept + 1)..common] {
                done[performed.signature.0.thread as usize] -= 1;
            }
            self.path.truncate(kept.map_or(0, |kept| kept + 1));
            let (snapshot, picks) = match self.path.last() {
                Some(Performed { after: Some(after), picks, .. }) => (after, *picks),
                _ => (&self.start, self.start_picks),
            };
            self.machine.restore(snapshot);
            self.picks.truncate(picks);
            let threads = self.machine.threads().len();
            for index in &self.indices {
                if index.get() >= threads {
                    index.set(UNKNOWN);
                }
            }
        }
        self.labels.clear();
        for (thread, before) in self.before.iter_mut().enumerate() {
            let done = done.get(thread).copied().unwrap_or(0);
            before.retain(|before| before.index < done);
        }
        for (thread, places) in self.places_of.iter_mut().enumerate() {
            places.truncate(done.get(thread).copied().unwrap_or(0) as usize);
        }
        self.detours.forget(&done);
        self.done = done;
        self.catch_up(graph);
        self.half = (0..graph.threads()).find(|&thread| self.half(graph, thread).is_some());
    }

    fn updates(&mut self, thread: u32) -> bool {
        self.index(thread).is_some_and(|index| self.machine.inspect().is_before_atomic(index))
    }

    fn branches(&mut self) {
        let at_end = self.path.last().map_or(self.start_picks, |performed| performed.picks);
        if let Some(last) = self.path.last_mut()
            && last.after.is_none()
            && self.picks.len() == at_end
        {
            last.after = Some(self.machine.snapshot());
        }
    }

    fn added(&mut self, graph: &Graph, id: EventId) {
        self.catch_up(graph);
        self.half = Some(id.thread).filter(|&thread| self.half(graph, thread).is_some());
    }
}
