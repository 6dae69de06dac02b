//! All consistent graphs of a program, each once.
//!
//! The scheme is that of TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL 2022): events are added one by
//! one, a read reads from every write that is there, a write takes every place in its location's order, and a write
//! also makes reads that are there already read from it (a revisit). A mutex is a location that is read and written at
//! once; a thread that finds it taken waits, and gets it from the next unlock without anything being chosen.

use crate::{EventId, Graph, Kind, Label, Next, Program, Rules};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// How an execution ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All threads have ended.
    Complete,
    /// Some thread's assumption does not hold.
    Stuck,
    /// Some threads wait for mutexes or each other's ends for ever.
    Deadlock,
    /// Something has gone wrong in a thread.
    Failed,
    /// This event races with one before it. The execution is not continued.
    Race(EventId),
}

/// What was gone through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explored {
    /// Complete executions.
    pub complete: u64,
    /// Executions in which an assumption does not hold.
    pub stuck: u64,
    /// Executions in which threads wait for ever.
    pub deadlocks: u64,
    /// Executions that end at a data race.
    pub races: u64,
    /// Executions in which something goes wrong.
    pub failed: u64,
    /// `visit` asked for the end.
    pub stopped: bool,
}

/// Goes through all executions; `visit` sees each where it ends.
pub fn explore<P: Program>(
    program: &mut P,
    rules: Rules,
    visit: &mut dyn FnMut(&mut P, &Graph, End) -> ControlFlow<()>,
) -> Explored {
    let (mut explored, mut open) = (Explored::default(), vec![Open::default()]);
    while let Some(next) = open.pop() {
        let Some((graph, end)) = extend(program, rules, next, &mut |further| open.push(further)) else {
            continue;
        };
        let counter = match end {
            End::Complete => &mut explored.complete,
            End::Stuck => &mut explored.stuck,
            End::Deadlock => &mut explored.deadlocks,
            End::Failed => &mut explored.failed,
            End::Race(_) => &mut explored.races,
        };
        *counter += 1;
        if visit(program, &graph, end).is_break() {
            explored.stopped = true;
            break;
        }
    }
    explored
}

/// Extends a graph to the end of an execution, and puts aside the graphs that are to be extended otherwise. Nothing where the graph
/// turns out to be inconsistent. Several may extend graphs with copies of the program; what one of them calls a thread or
/// a location the others have to call the same.
pub fn extend<P: Program>(
    program: &mut P,
    rules: Rules,
    open: Open,
    put_aside: &mut dyn FnMut(Open),
) -> Option<(Graph, End)> {
    Explorer { program, rules, open: put_aside }.extend(open)
}

struct Explorer<'a, P> {
    program: &'a mut P,
    rules: Rules,
    /// Takes graphs that are still to be extended.
    open: &'a mut dyn FnMut(Open),
}

/// A graph that is still to be extended; the default is that of all executions of a program, the empty one.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Open {
    graph: Graph,
    /// What was added last.
    added: SmallVec<[EventId; 2]>,
}

/// What can be added next.
enum Choice {
    Add(u32, Label),
    /// Goes on only if it reads from a write that lets it.
    Await(u32, Label),
    /// Nothing can be added but locks that wait, and reads that do not let their threads go on.
    End(End, Vec<(u32, Label)>),
    /// What follows need not be looked at.
    Cut,
}

impl<P: Program> Explorer<'_, P> {
    fn extend(&mut self, Open { mut graph, mut added }: Open) -> Option<(Graph, End)> {
        self.program.restart(&graph);
        loop {
            if let Some(&racing) = added.iter().find(|&&id| graph.race(id).is_some()) {
                return Some((graph, End::Race(racing)));
            }
            let (thread, label, awaits) = match self.choose(&mut graph, &added) {
                Choice::Add(thread, label) => (thread, label, false),
                Choice::Await(thread, label) => (thread, label, true),
                Choice::Cut => return None,
                Choice::End(end, waiting) => {
                    for (thread, label) in waiting {
                        if label.kind.is_read() {
                            self.read(&mut graph, thread, label, true);
                            continue;
                        }
                        self.revisit_locks(&graph, thread, label);
                        let holder = graph.holder(label.location);
                        graph.add_waiting(thread, label, holder, None);
                    }
                    return Some((graph, end));
                }
            };
            self.know(&mut graph, label);
            self.follow(&mut graph, thread);
            let id = match label.kind {
                Kind::Read { .. } => self.read(&mut graph, thread, label, awaits),
                Kind::Write { exclusive } => self.write(&mut graph, thread, label, exclusive)?,
                Kind::Lock => {
                    self.revisit_locks(&graph, thread, label);
                    let source = graph.records(label.location).last().and_then(|record| record.write);
                    let place = graph.records(label.location).len();
                    graph.add(thread, label, source, place)
                }
                Kind::Unlock => self.unlock(&mut graph, thread, label),
                Kind::Create { child } => {
                    let id = graph.add(thread, label, None, 0);
                    let begin = Label { kind: Kind::Begin, ..label };
                    self.follow(&mut graph, child);
                    graph.add(child, begin, Some(id), 0);
                    id
                }
                Kind::Choice { options } => {
                    self.program.branches();
                    for value in 1..u64::from(options) {
                        let mut other = graph.clone();
                        let id = other.add(thread, Label { value, ..label }, None, 0);
                        self.put_aside(other, &[id], true);
                    }
                    graph.add(thread, Label { value: 0, ..label }, None, 0)
                }
                Kind::Fence | Kind::Join { .. } | Kind::Begin | Kind::Finish => {
                    graph.add(thread, label, None, 0)
                }
            };
            self.program.added(&graph, id);
            added.clear();
            added.push(id);
        }
    }

    fn know(&mut self, graph: &mut Graph, label: Label) {
        if label.kind.is_access() && !graph.knows(label.location) {
            graph.know(label.location, self.program.initial(label.location));
            graph.is_at(label.location, self.program.memory(label.location));
        }
    }

    /// A thread that begins may have to follow another one.
    fn follow(&mut self, graph: &mut Graph, thread: u32) {
        if graph.len(thread) == 0 {
            graph.follow(thread, self.program.like(graph, thread));
        }
    }

    /// The event that is added next: it only depends on the graph, and on what was added last.
    fn choose(&mut self, graph: &mut Graph, added: &[EventId]) -> Choice {
        // What belongs to a read that is there comes first, and so does what makes all the rest useless.
        for id in added.iter().filter(|id| graph.event(**id).label.kind.is_read()) {
            match self.program.next(graph, id.thread) {
                Next::Event(label) if label.kind == (Kind::Write { exclusive: true }) => {
                    return Choice::Add(id.thread, label);
                }
                Next::Useless => return Choice::Cut,
                Next::Failed => return Choice::End(End::Failed, Vec::new()),
                _ => {}
            }
        }
        let threads = graph.threads().max(self.program.roots());
        let exists = |thread| thread < self.program.roots() || graph.len(thread) > 0;
        let existing: Vec<u32> = (0..threads).filter(|&thread| exists(thread)).collect();
        let mut found = None;
        let (mut locks, mut awaits, mut looks) = (Vec::new(), Vec::new(), Vec::new());
        let (mut stuck, mut waiting) = (false, false);
        for &thread in &existing {
            if graph.last(thread).is_some_and(|event| event.waits) {
                waiting = true;
                continue;
            }
            match self.program.next(graph, thread) {
                Next::Event(label) => match label.kind {
                    Kind::Lock if self.is_taken(graph, label.location) => locks.push((thread, label)),
                    Kind::Join { child } if !self.has_ended(graph, child) => waiting = true,
                    _ => found = Some((thread, label)),
                },
                Next::Await(label) => awaits.push((thread, label)),
                Next::Look(label) => looks.push((thread, label)),
                Next::Useless => return Choice::Cut,
                Next::Waits => waiting = true,
                Next::Stuck => stuck = true,
                Next::Failed => return Choice::End(End::Failed, Vec::new()),
                Next::Ended => {}
            }
            if found.is_some() {
                break;
            }
        }
        if found.is_none() {
            // A thread that cannot go on waits until no other thread can do anything.
            for &(thread, label) in awaits.iter().chain(&looks) {
                self.know(graph, label);
                let last = graph.records(label.location).last().and_then(|record| record.write);
                if self.program.admits(graph, thread, last) {
                    return Choice::Await(thread, label);
                }
            }
            // A thread that looks in vain has looked once, so that what comes later can be given to it.
            if let Some(&(thread, label)) = looks.first() {
                return Choice::Await(thread, label);
            }
            locks.append(&mut awaits);
        }
        match found {
            Some((thread, label)) => Choice::Add(thread, label),
            None if stuck => Choice::End(End::Stuck, locks),
            None if waiting || !locks.is_empty() => Choice::End(End::Deadlock, locks),
            None => Choice::End(End::Complete, locks),
        }
    }

    fn is_taken(&self, graph: &Graph, mutex: u32) -> bool {
        graph.knows(mutex) && graph.holder(mutex).is_some()
    }

    fn has_ended(&mut self, graph: &Graph, thread: u32) -> bool {
        let waits = graph.last(thread).is_none_or(|event| event.waits);
        !waits && self.program.next(graph, thread) == Next::Ended
    }

    /// A read reads from every write that is there: the last one in this graph, the others in copies of it. A thread
    /// that waits for a write that lets it go on and does not read from the last one has no reason to read from one
    /// that does not: no later write can be given to such a read.
    fn read(&mut self, graph: &mut Graph, thread: u32, label: Label, awaits: bool) -> EventId {
        let range = graph.readable(thread, label.location);
        let updates = label.kind == Kind::Read { exclusive: true } && self.program.updates(thread);
        for position in range.start..range.end - 1 {
            if updates && graph.is_taken_for_good(thread, label, position) {
                continue;
            }
            let source = graph.records(label.location)[position].write;
            if awaits && !self.program.admits(graph, thread, source) {
                continue;
            }
            self.program.branches();
            let mut other = graph.clone();
            let id = other.add(thread, label, source, 0);
            self.put_aside(other, &[id], false);
        }
        let source = graph.records(label.location)[range.end - 1].write;
        graph.add(thread, label, source, 0)
    }

    /// A write goes to every place, and makes reads that are there read from it.
    fn write(&mut self, graph: &mut Graph, thread: u32, label: Label, exclusive: bool) -> Option<EventId> {
        let causes = graph.causes_of(thread, label.kind);
        for read in graph.revisitable(label.location, &causes) {
            if !graph.may_revisit(read, &causes) {
                continue;
            }
            let (read_label, stamp) = (graph.event(read).label, graph.event(read).stamp);
            let before = graph.before_read(read, &causes);
            let first = before.first_place(thread, label);
            for place in before.places(thread, label.location, exclusive).collect::<Vec<_>>() {
                // The write is not among what happens before the read: it has to come after all that does.
                if place < first || place <= before.floor(label.location, before.past(read.thread)) {
                    continue;
                }
                let mut other = before.clone();
                let id = other.add(thread, label, None, place);
                other.add_with(read.thread, read_label, Some(id), 0, false, Some(stamp));
                let last = place + 1 == other.records(label.location).len();
                self.put_aside(other, &[id, read], last);
            }
        }
        let first = graph.first_place(thread, label);
        let places: Vec<usize> =
            graph.places(thread, label.location, exclusive).filter(|&place| place >= first).collect();
        let end = graph.records(label.location).len();
        let mut own = None;
        for place in places {
            if place == end {
                own = Some(place);
                continue;
            }
            self.program.branches();
            let mut other = graph.clone();
            let id = other.add(thread, label, None, place);
            self.put_aside(other, &[id], false);
        }
        own.map(|place| graph.add(thread, label, None, place))
    }

    /// Keeps a graph to be extended later, if it is consistent: it is where all was added last.
    fn put_aside(&mut self, graph: Graph, added: &[EventId], last: bool) {
        if last || graph.is_acyclic(self.rules) {
            (self.open)(Open { graph, added: SmallVec::from_slice(added) });
        }
    }

    /// A lock comes before one that has the mutex, or had it: that one has to wait for it.
    fn revisit_locks(&mut self, graph: &Graph, thread: u32, label: Label) {
        let own = graph.causes_of(thread, label.kind);
        for lock in graph.revisitable(label.location, &own) {
            let event = graph.event(lock);
            let mut causes = own.clone();
            if let Some(unlock) = event.source {
                causes.join(&graph.event(unlock).causes);
            }
            if !graph.may_revisit(lock, &causes) {
                continue;
            }
            let mut other = graph.before_read(lock, &causes);
            let place = other.records(label.location).len();
            let id = other.add(thread, label, event.source, place);
            other.add_waiting(lock.thread, event.label, Some(id), Some(event.stamp));
            self.put_aside(other, &[], true);
        }
    }

    /// The thread that waits for the mutex has it now.
    fn unlock(&mut self, graph: &mut Graph, thread: u32, label: Label) -> EventId {
        let place = graph.records(label.location).len();
        let id = graph.add(thread, label, None, place);
        if let Some(lock) = graph.waiting(label.location) {
            graph.end_wait(lock, id);
        }
        id
    }
}
