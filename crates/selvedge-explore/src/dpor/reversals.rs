//! Race reversals: what else has to be explored because events of an execution could have overtaken others.

use crate::dpor::happens_before::HappensBefore;
use crate::dpor::initials::Item;
use crate::dpor::wakeup_tree::{NodeId, Tree};
use crate::kit::dependence::EventFootprint;
use crate::kit::event::Event;
use crate::kit::process::{Clock, Process};
use smallvec::SmallVec;
use std::sync::Arc;

/// How much is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// That one of its initials is explored: source sets.
    Source,
    /// That the whole sequence is explored, if nothing equivalent is: wakeup trees.
    Optimal,
}

/// An operation that had to wait until the end, and the events that it could overtake.
pub struct Waiting {
    /// The process that may act.
    pub process: Process,
    /// What it touches.
    pub label: Arc<EventFootprint>,
    /// What comes before it.
    pub ready: Clock,
    /// Places of the events that it could overtake.
    pub races: SmallVec<[u32; 3]>,
}

/// Asks for all race reversals of an execution. `nodes` are those before its events; those before `new` were looked at
/// with earlier executions.
pub fn reversals(
    manner: Algorithm,
    tree: &mut Tree,
    nodes: &[NodeId],
    past: &HappensBefore,
    waiting: &[Waiting],
    new: usize,
) {
    let events = &past.events;
    let mut ask =
        |place: usize, until: usize, process: Process, label: &Arc<EventFootprint>, ready: &Clock| {
            let overtaken = &events[place];
            let others = |until: usize| {
                let others = events[place + 1..until].iter().filter(|event| !overtaken.precedes(event));
                // Nothing can come after an event with which the execution ends.
                others.filter(|event| !event.taken.label.ends).map(|event| Item::event(event))
            };
            let last = Item::last(process, label, ready);
            match manner {
                Algorithm::Source => {
                    let sequence: Vec<Item<'_>> = others(until).chain([last]).collect();
                    tree.insert_first(nodes[place], &sequence);
                }
                Algorithm::Optimal => {
                    let sequence: Vec<Item<'_>> = others(events.len()).chain([last]).collect();
                    tree.insert(nodes[place], sequence);
                }
            }
        };
    let known = match manner {
        Algorithm::Source => new,
        Algorithm::Optimal => 0,
    };
    // Those that overtake far are asked for last.
    let mut races: Vec<(u32, usize)> = Vec::new();
    for (place, event) in events.iter().enumerate().skip(known) {
        races.extend(event.races.iter().map(|&overtaken| (overtaken, place)));
    }
    races.sort_unstable();
    for (overtaken, place) in races {
        let event: &Event = &events[place];
        ask(overtaken as usize, place, event.taken.process, &event.taken.label, &event.ready);
    }
    for waiting in waiting {
        for &overtaken in &waiting.races {
            ask(overtaken as usize, events.len(), waiting.process, &waiting.label, &waiting.ready);
        }
    }
    for (place, event) in events.iter().enumerate().skip(known).filter(|(_, event)| !event.taken.label.ends) {
        for (process, label) in &event.taken.kills {
            // It could be done just before.
            ask(place, place + 1, *process, label, &Clock::default());
        }
    }
    if let Some(event) = events.last().filter(|event| event.taken.label.ends) {
        // What is asked for at the node may have been left to this event, before it was known to end the execution. So
        // all processes are explored.
        for (process, label) in &event.taken.kills {
            tree.insert_first(nodes[events.len() - 1], &[Item::last(*process, label, &Clock::default())]);
        }
    }
}
