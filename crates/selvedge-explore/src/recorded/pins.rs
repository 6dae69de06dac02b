//! Pins: which reads of an execution a question has to keep at their values.
//!
//! A target needs the reads that decide whether and where it happens, and an event that writes its value; a writer
//! needs the reads that it depends on, these need writers of their values, and so on. All other reads are free: what
//! they see is no part of why the target can or cannot turn out as it should. That makes the question easier to answer
//! with an order, so if there is none, there is none for the whole question either; an order is checked again with
//! all reads pinned.

use crate::recorded::record::{Note, Recorder};
use crate::recorded::targets::{Frontier, Target};
use rustc_hash::FxHashMap;
use selvedge_order::{Action, EventId, Place};
use selvedge_program::dependence::Dependence;
use selvedge_trace::Value;

/// Which threads' reads are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pinning {
    /// Of all threads.
    Needed,
    /// Of all but the target's own: there every read before it keeps its value.
    Target,
}

/// What the events of an execution depend on.
pub struct Pins<'r, 'n> {
    recorder: &'r Recorder<'n>,
    pinning: Pinning,
    /// For each event, the earlier reads of its thread that it depends on.
    needs: Vec<Vec<Vec<u32>>>,
    writes: Vec<(EventId, Place)>,
    /// The events that may have written what a read has seen.
    writers: FxHashMap<EventId, Vec<EventId>>,
}

fn reads(action: Option<&Action>) -> Option<(Place, &Value)> {
    match action? {
        Action::Read { at, value } | Action::Update { at, read: value, .. } => Some((*at, value)),
        _ => None,
    }
}

fn written(action: Option<&Action>) -> Option<(Place, &Value)> {
    match action? {
        Action::Write { at, value, .. } | Action::Update { at, written: Some(value), .. } => {
            Some((*at, value))
        }
        _ => None,
    }
}

impl<'r, 'n> Pins<'r, 'n> {
    /// Asks the dependences of the program about each pair of events of a thread; nothing if the time is over.
    pub fn new(
        recorder: &'r Recorder<'n>,
        dependence: Dependence<'_>,
        pinning: Pinning,
        over: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let mut needs = Vec::new();
        let mut writes = Vec::new();
        for (thread, notes) in (0_u32..).zip(&recorder.notes) {
            let mut list: Vec<Vec<u32>> = vec![Vec::new(); notes.len()];
            for (index, note) in (0_u32..).zip(notes) {
                let action = recorder.trace.action(EventId::new(thread, index));
                writes.extend(written(action).map(|(at, _)| (EventId::new(thread, index), at)));
                if reads(action).is_none() {
                    continue;
                }
                if over() {
                    return None;
                }
                let influenced = note.place.map(|place| dependence.influenced(place));
                let depends = |later: &Note| match (&influenced, later.place) {
                    (Some(influenced), Some(place)) => influenced.contains(&place),
                    _ => true,
                };
                for (later, note) in notes.iter().enumerate().skip(index as usize + 1) {
                    if depends(note) {
                        list[later].push(index);
                    }
                }
                // An update writes what it has read.
                list[index as usize].push(index);
            }
            needs.push(list);
        }
        Some(Pins { recorder, pinning, needs, writes, writers: FxHashMap::default() })
    }

    fn find_writers(&self, at: Place, value: &Value) -> Vec<EventId> {
        let writes = self.writes.iter().filter(|(_, place)| place.overlaps(at));
        let same = |event: EventId| match written(self.recorder.trace.action(event)) {
            Some((place, written)) => place != at || written == value,
            None => false,
        };
        writes.map(|(event, _)| *event).filter(|&event| same(event)).collect()
    }

    /// Reads that a question need not pin, if each thread must come this far and can come that far.
    pub fn free(&mut self, target: &Target, least: &Frontier, limits: &Frontier) -> Vec<EventId> {
        let mut pinned: Vec<Vec<bool>> = self.needs.iter().map(|list| vec![false; list.len()]).collect();
        let mut work: Vec<EventId> = Vec::new();
        let own = target.event.thread;
        for (thread, &least) in (0_u32..).zip(least) {
            work.extend((0..least).map(|index| EventId::new(thread, index)));
        }
        if self.pinning == Pinning::Target {
            work.extend((0..target.event.index).map(|index| EventId::new(own, index)));
        }
        // Events whose dependences count, then for each read that is pinned the events that may have written its value.
        let mut seen: Vec<Vec<bool>> = pinned.clone();
        if let Some((at, value)) = reads(target.action.as_ref()) {
            work.extend(self.find_writers(at, value));
        }
        let mut first = Some(target.event);
        while let Some(event) = first.take().or_else(|| work.pop()) {
            let (thread, index) = (event.thread as usize, event.index as usize);
            if std::mem::replace(&mut seen[thread][index], true) {
                continue;
            }
            for number in 0..self.needs[thread][index].len() {
                let read = self.needs[thread][index][number];
                let at = EventId::new(event.thread, read);
                if at == target.event || std::mem::replace(&mut pinned[thread][read as usize], true) {
                    continue;
                }
                if !self.writers.contains_key(&at) {
                    let found = reads(self.recorder.trace.action(at))
                        .map_or(Vec::new(), |(place, value)| self.find_writers(place, value));
                    self.writers.insert(at, found);
                }
                let inside = |event: &&EventId| event.index < limits[event.thread as usize];
                work.extend(self.writers[&at].iter().filter(inside));
            }
        }
        let mut free = Vec::new();
        for (thread, (pinned, &limit)) in (0_u32..).zip(pinned.iter().zip(limits)) {
            for (index, &pinned) in (0_u32..).zip(pinned).take(limit as usize) {
                let event = EventId::new(thread, index);
                if !pinned && reads(self.recorder.trace.action(event)).is_some() && event != target.event {
                    free.push(event);
                }
            }
        }
        free
    }
}
