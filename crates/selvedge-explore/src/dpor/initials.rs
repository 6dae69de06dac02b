//! Sequences of events that have to be explored from some state on, and their initials: the processes that can come
//! first in them.

use crate::kit::dependence::EventFootprint;
use crate::kit::event::{Event, Outcomes};
use crate::kit::process::{Clock, Process};
use std::sync::Arc;

/// An event of a sequence.
#[derive(Clone, Copy)]
pub struct Item<'a> {
    /// The process that acts.
    pub process: Process,
    /// With which outcomes; none are given for the last one, which may have others here.
    pub outcomes: Option<&'a Outcomes>,
    /// What it touches, as far as is known.
    pub label: &'a Arc<EventFootprint>,
    number: u32,
    clock: &'a Clock,
}

impl<'a> Item<'a> {
    /// An event that has happened.
    pub fn event(event: &'a Event) -> Self {
        Item {
            process: event.taken.process,
            outcomes: Some(&event.taken.outcomes),
            label: &event.taken.label,
            number: event.number,
            clock: &event.clock,
        }
    }

    /// The last one: it comes after whatever it meets, and after `ready`.
    pub fn last(process: Process, label: &'a Arc<EventFootprint>, ready: &'a Clock) -> Self {
        Item { process, outcomes: None, label, number: u32::MAX, clock: ready }
    }

    /// Whether an earlier one of the sequence comes before this one in every order.
    fn follows(&self, earlier: &Item<'_>) -> bool {
        let known = self.clock.has((earlier.process, earlier.number));
        match self.outcomes {
            Some(_) => known,
            None => known || earlier.label.depends(self.label) || earlier.label.gives_to(self.label),
        }
    }
}

/// How an event of some process goes together with a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It cannot come first.
    Not,
    /// It is the one at this place, which can come first.
    At(usize),
    /// It does not occur, and meets nothing.
    Beside,
}

/// Whether a process can come first, by what it does in the sequence.
pub fn first(sequence: &[Item<'_>], process: Process) -> Option<Fit> {
    let at = sequence.iter().position(|item| item.process == process)?;
    let item = &sequence[at];
    match sequence[..at].iter().any(|earlier| item.follows(earlier)) {
        true => Some(Fit::Not),
        false => Some(Fit::At(at)),
    }
}

/// Whether a process can come first in the sequence, or in something that begins with it. `label`: what the process
/// would do first, if it does not occur.
pub fn fits(sequence: &[Item<'_>], process: Process, label: &EventFootprint) -> Fit {
    first(sequence, process).unwrap_or_else(|| {
        let beside = sequence.iter().all(|item| item.label.leaves(label) && label.leaves(item.label));
        if beside { Fit::Beside } else { Fit::Not }
    })
}
