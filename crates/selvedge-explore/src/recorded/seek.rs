//! The seeds of a target.
//!
//! For each target all *maximal* beginnings of the other threads are searched for that are consistent with it;
//! `docs/strategies.md` says why no fewer are enough.

use crate::recorded::pins::Pins;
use crate::recorded::record::Recorder;
use crate::recorded::run::SeedStep;
use crate::recorded::targets::{Frontier, Seed, Target, acts};
use selvedge_order::{Action, Answer, EventId, Prepared, Query, Scratch, Step, verify};
use std::collections::BTreeSet;

/// Looks for the seeds of a target.
pub struct Seeker<'r, 'n> {
    /// The execution.
    pub recorder: &'r Recorder<'n>,
    /// Its trace.
    pub prepared: &'r Prepared,
    /// Nothing can follow these events: the thread fails with them.
    pub stop: Option<EventId>,
    /// Whether the time is over.
    pub over: &'r dyn Fn() -> bool,
    /// Which reads matter, if that is looked at.
    pub pins: Option<Pins<'r, 'n>>,
    /// How many queries were asked.
    pub queries: u64,
    /// A query was too hard.
    pub unknown: bool,
}

/// An order, and how many events of each thread it has besides the target.
type Found = (Vec<Step>, Frontier);

fn within(frontier: &Frontier, other: &Frontier) -> bool {
    frontier.iter().zip(other).all(|(one, other)| one <= other)
}

impl<'r, 'n> Seeker<'r, 'n> {
    /// A search for seeds in one execution.
    pub fn new(recorder: &'r Recorder<'n>, prepared: &'r Prepared, stop: Option<EventId>) -> Self {
        Seeker { recorder, prepared, stop, over: &|| false, pins: None, queries: 0, unknown: false }
    }

    fn limits(&self, target: &Target) -> Frontier {
        let mut limits: Frontier = Vec::new();
        let ends = [self.stop, self.recorder.exit()];
        for (thread, notes) in (0_u32..).zip(&self.recorder.notes) {
            let mut limit = notes.iter().take_while(|note| !note.pending).count() as u32;
            for end in ends.iter().flatten().filter(|end| end.thread == thread) {
                limit = limit.min(end.index);
            }
            if target.event.thread == thread {
                limit = target.event.index;
            }
            limits.push(limit);
        }
        limits
    }

    /// How far threads can come at most if a target is to turn out as it should; `None` if it cannot.
    pub fn reach(&self, target: &Target, scratch: &mut Scratch) -> Option<Frontier> {
        self.confine(target, &self.limits(target), scratch)
    }

    fn confine(&self, target: &Target, limits: &Frontier, scratch: &mut Scratch) -> Option<Frontier> {
        let query = self.query(target, &vec![0; limits.len()], limits);
        let mut bounds = self.prepared.bounds(&query, scratch).ok()?;
        let own = target.event.thread as usize;
        let needed = target.event.index + u32::from(target.action.is_some());
        if bounds[own] < needed {
            return None;
        }
        bounds[own] = target.event.index;
        Some(bounds)
    }

    /// An order in which the target turns out as it should and each thread comes at least as far as said.
    fn query(&self, target: &Target, least: &Frontier, limits: &Frontier) -> Query {
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
        match &target.action {
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
        }
    }

    /// An order in which each thread comes at least as far as said, with whatever can simply be added.
    fn solve(
        &mut self,
        target: &Target,
        least: &Frontier,
        limits: &Frontier,
        scratch: &mut Scratch,
    ) -> Option<Found> {
        if (self.over)() {
            self.unknown = true;
            return None;
        }
        let query = self.query(target, least, limits);
        let free = self.pins.as_mut().map_or(Vec::new(), |pins| pins.free(target, least, limits));
        if !free.is_empty() {
            let freer = free.into_iter().fold(query.clone(), Query::free).lean();
            self.queries += 1;
            match self.prepared.solve_until(&freer, scratch, self.over) {
                Ok(Answer::None) => return None,
                Ok(Answer::Order { steps, .. }) => {
                    let (trace, model) = (&self.recorder.trace, self.prepared.model());
                    if verify(trace, model, &query, &steps).is_ok() {
                        return Some(self.found(target, &query, steps));
                    }
                }
                Ok(Answer::Unknown) | Err(_) => {}
            }
        }
        self.queries += 1;
        match self.prepared.solve_until(&query, scratch, self.over) {
            Ok(Answer::Order { steps, .. }) => Some(self.found(target, &query, steps)),
            Ok(Answer::None) => None,
            Ok(Answer::Unknown) | Err(_) => {
                self.unknown = true;
                None
            }
        }
    }

    /// An order with whatever can simply be added.
    fn found(&self, target: &Target, query: &Query, steps: Vec<Step>) -> Found {
        let steps = self.prepared.extend(query, &steps).unwrap_or(steps);
        let mut content = vec![0; self.recorder.notes.len()];
        for step in &steps {
            if let Step::Event(event) = step
                && *event != target.event
            {
                content[event.thread as usize] = event.index + 1;
            }
        }
        (steps, content)
    }

    /// Extends a frontier as far as possible.
    fn grow(&mut self, target: &Target, mut found: Found, limits: &Frontier, scratch: &mut Scratch) -> Found {
        for thread in 0..limits.len() {
            let mut high = limits[thread];
            while found.1[thread] < high {
                let low = found.1[thread];
                // One more first: what can simply be added has been.
                let middle = if high == limits[thread] { low + 1 } else { low + (high - low).div_ceil(2) };
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

    /// How far each thread can come at most in a beginning that contains `least`, if one was found that contains it.
    fn narrow(
        &mut self,
        target: &Target,
        least: &Frontier,
        found: &Found,
        limits: &mut Frontier,
        scratch: &mut Scratch,
    ) {
        for thread in 0..limits.len() {
            if found.1[thread] < limits[thread] {
                let mut further = least.clone();
                further[thread] = found.1[thread] + 1;
                if self.solve(target, &further, limits, scratch).is_none() {
                    limits[thread] = found.1[thread];
                }
            }
        }
    }

    /// All maximal beginnings with which a target can turn out as it should, if no thread can come further than that.
    pub fn seeds_within(&mut self, target: &Target, limits: &Frontier, scratch: &mut Scratch) -> Vec<Seed> {
        let Some(limits) = self.confine(target, limits, scratch) else { return Vec::new() };
        let mut maximal: Vec<Found> = Vec::new();
        let mut seen: BTreeSet<Frontier> = BTreeSet::new();
        let mut open = vec![(vec![0; limits.len()], limits)];
        while let Some((least, mut limits)) = open.pop() {
            if (self.over)() {
                self.unknown = true;
                break;
            }
            if !seen.insert(least.clone()) {
                continue;
            }
            let known = maximal.iter().find(|(_, frontier)| within(&least, frontier));
            let largest = match known {
                Some((_, frontier)) => frontier.clone(),
                None => {
                    let Some(found) = self.solve(target, &least, &limits, scratch) else { continue };
                    // Most often it is maximal already: then no thread can come further, whatever the others do.
                    self.narrow(target, &least, &found, &mut limits, scratch);
                    let found = self.grow(target, found, &limits, scratch);
                    let frontier = found.1.clone();
                    maximal.push(found);
                    frontier
                }
            };
            for thread in 0..limits.len() {
                if largest[thread] < limits[thread] {
                    let mut further = least.clone();
                    further[thread] = largest[thread] + 1;
                    open.push((further, limits.clone()));
                }
            }
        }
        maximal.iter().map(|found| self.seed(target, found)).collect()
    }

    /// What is observed if a target turns out as it should and threads come so far.
    pub fn frontier(&self, target: &Target, content: &Frontier) -> Vec<(u32, u32, u128)> {
        let before = self.recorder.history(target.event);
        let history = target.history(before);
        let mut frontier = Vec::new();
        for (thread, &count) in (0_u32..).zip(content) {
            if thread == target.event.thread {
                frontier.push((thread, target.event.index + 1, history));
            } else if let Some(last) = count.checked_sub(1) {
                let note = &self.recorder.notes[thread as usize][last as usize];
                frontier.push((thread, count, note.history));
            }
        }
        frontier
    }

    /// The beginning with which a target turns out as it should.
    pub fn seed(&self, target: &Target, (steps, content): &Found) -> Seed {
        let mut acts = acts(self.recorder, steps, Some((target.event, target.fails)));
        if target.action.is_none() {
            acts.push(SeedStep::Event { event: target.event, wakes: None, fails: false });
        }
        Seed { acts, frontier: self.frontier(target, content) }
    }
}
