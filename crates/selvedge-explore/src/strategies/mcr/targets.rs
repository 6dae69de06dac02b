//! What could have turned out differently in an execution, and the seeds that show it.
//!
//! A target is an event with another outcome. For each target all *maximal* beginnings of the other threads are looked
//! for that are consistent with it; `docs/strategies.md` says why no fewer are enough.

use super::record::{Recorder, further};
use super::run::Act;
use selvedge_solve::{Action, Answer, Cause, EventId, Place, Prepared, Query, Scratch, Step};
use selvedge_trace::Value;
use std::collections::BTreeSet;

/// Values that a read may have, at most; with more, the strategy does not know.
const MOST_VALUES: usize = 4_096;

/// An event that could have turned out differently.
#[derive(Clone, Debug)]
pub struct Target {
    /// Which.
    pub event: EventId,
    /// How; `None` if all that is asked for is that it happens, and nothing is known of it yet.
    pub action: Option<Action>,
    /// A weak compare-exchange fails for no reason.
    pub fails: bool,
}

/// Where an execution may begin.
#[derive(Clone, Debug)]
pub struct Seed {
    /// What to do.
    pub acts: Vec<Act>,
    /// How far each thread comes by that (as a number of events), and what it observes.
    pub frontier: Vec<(u32, u32, u128)>,
}

/// The values that a place can hold, by the writes of a trace; `None` if they are too many.
pub fn values(recorder: &Recorder<'_>, at: Place) -> Option<BTreeSet<Value>> {
    let trace = &recorder.trace;
    let mut whole = BTreeSet::new();
    // Bytes that can be seen independently of each other, where accesses of several sizes meet.
    let mut mixed: Vec<BTreeSet<u8>> = vec![BTreeSet::new(); at.size as usize];
    let mut is_mixed = false;
    let initial = recorder.initial(at);
    for (byte, &value) in mixed.iter_mut().zip(&initial) {
        byte.insert(value);
    }
    whole.insert(initial);
    for thread in 0..trace.threads() as u32 {
        for action in trace.events(thread) {
            let (place, value) = match action {
                Action::Write { at, value, .. } => (at, value),
                Action::Update { at, written: Some(value), .. } => (at, value),
                _ => continue,
            };
            if !place.overlaps(at) {
                continue;
            }
            let covers = place.address <= at.address && at.end() <= place.end();
            is_mixed |= !covers;
            let byte = |address: u64| {
                (place.address..place.end())
                    .contains(&address)
                    .then(|| value[(address - place.address) as usize])
            };
            for (offset, bytes) in mixed.iter_mut().enumerate() {
                bytes.extend(byte(at.address + offset as u64));
            }
            if covers {
                whole.insert((at.address..at.end()).filter_map(byte).collect());
            }
        }
    }
    if !is_mixed {
        return Some(whole);
    }
    let mut all = vec![Value::new()];
    for bytes in mixed {
        if all.len() * bytes.len() > MOST_VALUES {
            return None;
        }
        all = all
            .iter()
            .flat_map(|start| {
                bytes.iter().map(move |&byte| {
                    let mut value = start.clone();
                    value.push(byte);
                    value
                })
            })
            .collect();
    }
    Some(all.into_iter().collect())
}

/// Everything that could have turned out differently; `None` if that is too much.
pub fn targets(recorder: &Recorder<'_>) -> Option<Vec<Target>> {
    let mut all = Vec::new();
    for (thread, notes) in (0_u32..).zip(&recorder.notes) {
        for index in 0..notes.len() as u32 {
            let values = &mut |at| values(recorder, at);
            all.extend(targets_of(recorder, EventId::new(thread, index), values)?);
        }
    }
    Some(all)
}

/// How an event could have turned out differently, if places can hold these values.
pub fn targets_of(
    recorder: &Recorder<'_>,
    event: EventId,
    values: &mut dyn FnMut(Place) -> Option<BTreeSet<Value>>,
) -> Option<Vec<Target>> {
    let mut all = Vec::new();
    let note = &recorder.notes[event.thread as usize][event.index as usize];
    let Some(action) = recorder.trace.action(event) else { return Some(all) };
    let mut push = |action: Action, fails| all.push(Target { event, action: Some(action), fails });
    match action {
        Action::Read { at, value } => {
            for other in values(*at)? {
                if note.pending || other != *value {
                    push(Action::Read { at: *at, value: other }, false);
                }
            }
        }
        Action::Update { at, read, .. } => {
            for other in values(*at)? {
                if note.pending || other != *read {
                    push(Action::Update { at: *at, read: other, written: None }, false);
                }
            }
            if note.weak {
                let read = read.clone();
                push(Action::Update { at: *at, read, written: None }, !note.spurious);
            }
        }
        Action::TryLock { lock, taken } => push(Action::TryLock { lock: *lock, taken: !taken }, false),
        Action::TryLockShared { lock, taken } => {
            push(Action::TryLockShared { lock: *lock, taken: !taken }, false);
        }
        Action::TryTake { semaphore, taken } => {
            push(Action::TryTake { semaphore: *semaphore, taken: !taken }, false);
        }
        Action::Arrive { barrier, last } => {
            push(Action::Arrive { barrier: *barrier, last: !last }, false);
        }
        Action::Wake { queue, lock, cause } if recorder.timed(*queue) => {
            let other = match cause {
                Cause::Notified => Cause::Expired,
                Cause::Expired => Cause::Notified,
            };
            push(Action::Wake { queue: *queue, lock: *lock, cause: other }, false);
            if note.pending {
                push(action.clone(), false);
            }
        }
        Action::Nothing if note.pending => all.push(Target { event, action: None, fails: false }),
        action if note.pending => push(action.clone(), false),
        _ => {}
    }
    Some(all)
}

/// Looks for the seeds of a target.
pub struct Seeker<'r, 'n> {
    /// The execution.
    pub recorder: &'r Recorder<'n>,
    /// Its trace.
    pub prepared: &'r Prepared,
    /// Nothing can follow these events: the thread fails with them.
    pub stop: Option<EventId>,
    /// How many queries were asked.
    pub queries: u64,
    /// A query was too hard.
    pub unknown: bool,
}

/// How many events of each thread.
pub type Frontier = Vec<u32>;

fn within(frontier: &Frontier, other: &Frontier) -> bool {
    frontier.iter().zip(other).all(|(one, other)| one <= other)
}

impl Seeker<'_, '_> {
    fn limits(&self, target: &Target) -> Frontier {
        let mut limits: Frontier = Vec::new();
        for (thread, notes) in (0_u32..).zip(&self.recorder.notes) {
            let mut limit = notes.iter().take_while(|note| !note.pending).count() as u32;
            if let Some(stop) = self.stop.filter(|stop| stop.thread == thread) {
                limit = limit.min(stop.index);
            }
            if target.event.thread == thread {
                limit = target.event.index;
            }
            limits.push(limit);
        }
        limits
    }

    /// An order in which each thread comes at least as far as said, and what comes of each.
    fn solve(
        &mut self,
        target: &Target,
        least: &Frontier,
        limits: &Frontier,
        scratch: &mut Scratch,
    ) -> Option<(Vec<Step>, Frontier)> {
        let mut query = Query::new().any();
        for (thread, (&least, &limit)) in (0_u32..).zip(least.iter().zip(limits)) {
            let total = self.recorder.notes[thread as usize].len() as u32;
            let own = thread == target.event.thread;
            if limit < total && !(own && target.action.is_some()) {
                query = query.stop_before(EventId::new(thread, limit));
            }
            if let Some(last) = least.checked_sub(1) {
                query = query.include(EventId::new(thread, last));
            }
        }
        query = match &target.action {
            Some(action) => {
                let recorded = self.recorder.trace.action(target.event);
                query = match recorded == Some(action) {
                    true => query.include(target.event),
                    false => query.change(target.event, action.clone()),
                };
                match action {
                    Action::Read { .. } => query,
                    _ => query.last(target.event),
                }
            }
            None => query.include_before(target.event),
        };
        self.queries += 1;
        match self.prepared.solve(&query, scratch) {
            Ok(Answer::Order { steps, .. }) => {
                let mut content = vec![0; limits.len()];
                for step in &steps {
                    if let Step::Event(event) = step
                        && *event != target.event
                    {
                        content[event.thread as usize] = event.index + 1;
                    }
                }
                Some((steps, content))
            }
            Ok(Answer::None) => None,
            Ok(Answer::Unknown) | Err(_) => {
                self.unknown = true;
                None
            }
        }
    }

    /// Extends a frontier as far as possible.
    fn grow(
        &mut self,
        target: &Target,
        mut found: (Vec<Step>, Frontier),
        limits: &Frontier,
        scratch: &mut Scratch,
    ) -> (Vec<Step>, Frontier) {
        for thread in 0..limits.len() {
            let mut high = limits[thread];
            while found.1[thread] < high {
                let low = found.1[thread];
                // All of it first: most often that is possible, or hardly anything is.
                let middle = if high == limits[thread] { high } else { low + (high - low).div_ceil(2) };
                let mut least = found.1.clone();
                least[thread] = middle;
                match self.solve(target, &least, limits, scratch) {
                    Some(larger) => found = larger,
                    None => high = middle - 1,
                }
            }
        }
        found
    }

    /// All maximal beginnings with which a target can turn out as it should.
    pub fn seeds(&mut self, target: &Target, scratch: &mut Scratch) -> Vec<Seed> {
        self.seeds_within(target, &self.limits(target), scratch)
    }

    /// As before, if it is known that no thread can come further than that.
    pub fn seeds_within(&mut self, target: &Target, limits: &Frontier, scratch: &mut Scratch) -> Vec<Seed> {
        if let Some(all) = self.solve(target, limits, limits, scratch) {
            return vec![self.seed(target, &all)];
        }
        let mut maximal: Vec<(Vec<Step>, Frontier)> = Vec::new();
        let mut seen: BTreeSet<Frontier> = BTreeSet::new();
        let mut open = vec![vec![0; limits.len()]];
        while let Some(least) = open.pop() {
            if !seen.insert(least.clone()) {
                continue;
            }
            let known = maximal.iter().find(|(_, frontier)| within(&least, frontier));
            let largest = match known {
                Some((_, frontier)) => frontier.clone(),
                None => {
                    let Some(found) = self.solve(target, &least, limits, scratch) else { continue };
                    let found = self.grow(target, found, limits, scratch);
                    let frontier = found.1.clone();
                    maximal.push(found);
                    frontier
                }
            };
            for thread in 0..limits.len() {
                if largest[thread] < limits[thread] {
                    let mut further = least.clone();
                    further[thread] = largest[thread] + 1;
                    open.push(further);
                }
            }
        }
        maximal.iter().map(|found| self.seed(target, found)).collect()
    }

    /// The beginning with which a target turns out as it should.
    pub fn seed(&self, target: &Target, (steps, content): &(Vec<Step>, Frontier)) -> Seed {
        let mut acts = acts(self.recorder, steps, Some((target.event, target.fails)));
        let before = self.recorder.history(target.event);
        if target.action.is_none() {
            acts.push(Act::Event { event: target.event, wakes: None, fails: false });
        }
        let history = match &target.action {
            Some(action) => further(before, action, target.fails),
            None => further(before, &Action::Nothing, false),
        };
        let mut frontier = Vec::new();
        for (thread, &count) in (0_u32..).zip(content) {
            if thread == target.event.thread {
                frontier.push((thread, target.event.index + 1, history));
            } else if let Some(last) = count.checked_sub(1) {
                let note = &self.recorder.notes[thread as usize][last as usize];
                frontier.push((thread, count, note.history));
            }
        }
        Seed { acts, frontier }
    }
}

/// An order as something to follow.
pub fn acts(recorder: &Recorder<'_>, steps: &[Step], changed: Option<(EventId, bool)>) -> Vec<Act> {
    let mut acts = Vec::new();
    for step in steps {
        match *step {
            Step::Event(event) => {
                let spurious = recorder.notes[event.thread as usize][event.index as usize].spurious;
                let fails = changed.map_or(spurious, |(target, fails)| match event == target {
                    true => fails,
                    false => spurious,
                });
                acts.push(Act::Event { event, wakes: None, fails });
            }
            Step::Notified { thread } => {
                if let Some(Act::Event { wakes, .. }) = acts.last_mut() {
                    *wakes = Some(thread);
                }
            }
            Step::Commit(event) => {
                if let Some(Action::Write { at, .. }) = recorder.trace.action(event) {
                    acts.push(Act::Commit { thread: event.thread, address: at.address });
                }
            }
            Step::Expired(event) => acts.push(Act::Timeout(event.thread)),
        }
    }
    acts
}
