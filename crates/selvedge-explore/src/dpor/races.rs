//! Data races among the events of an execution, and the prefixes after which both accesses are about to happen.

use super::execution::Executor;
use super::happens_before::HappensBefore;
use crate::kit::event::Event;
use crate::kit::findings::finding;
use crate::kit::races;
use crate::report::{Access, Bug, Finding};
use selvedge_machine::{Pick, Snapshot};
use selvedge_trace::Operation;
use std::sync::Arc;

/// The picks of events.
pub fn picks<'e>(events: impl IntoIterator<Item = &'e Arc<Event>>) -> Vec<Pick> {
    events.into_iter().flat_map(|event| event.taken.picks.iter().copied()).collect()
}

/// Looks for data races between the events from `new` on and those before them: the pair of places, and the prefix.
pub fn look_for_races(
    executor: &mut Executor<'_>,
    past: &HappensBefore,
    states: &[Option<Arc<Snapshot>>],
    new: usize,
    is_known: &dyn Fn((u32, u32)) -> bool,
) -> Vec<((u32, u32), Finding)> {
    let mut found: Vec<((u32, u32), Finding)> = Vec::new();
    let pair = |one: &Event, other: &Event| {
        let (one, other) = (one.taken.position, other.taken.position);
        (one.min(other), one.max(other))
    };
    for (place, event) in past.events.iter().enumerate().skip(new) {
        if event.taken.accesses.is_empty() {
            continue;
        }
        let buffered = !event.taken.label.stores.is_empty();
        let overtaken = event.races.iter().map(|&earlier| earlier as usize);
        // Two operations of which one goes to a buffer do not meet before it leaves the buffer.
        let beside = (0..place).filter(|&earlier| {
            let other = &past.events[earlier];
            (buffered || !other.taken.label.stores.is_empty()) && !other.precedes(event)
        });
        for earlier in overtaken.chain(beside) {
            let other = &past.events[earlier];
            let pair = pair(event, other);
            let conflicts =
                |own: &Operation| other.taken.accesses.iter().any(|theirs| races::conflict(own, theirs));
            if !event.taken.accesses.iter().any(conflicts)
                || is_known(pair)
                || found.iter().any(|(known, _)| *known == pair)
            {
                continue;
            }
            found.extend(witness(executor, past, states, earlier, place).map(|finding| (pair, finding)));
        }
    }
    found
}

/// Looks for data races in the state before the last event of an execution that ended with it: a thread that was about
/// to do something then never does, and where that ends the execution as well no execution has both.
pub fn look_for_races_at_the_end(
    executor: &mut Executor<'_>,
    past: &HappensBefore,
    states: &[Option<Arc<Snapshot>>],
    is_known: &dyn Fn((u32, u32)) -> bool,
) -> Vec<((u32, u32), Finding)> {
    let Some(last) = past.events.len().checked_sub(1) else { return Vec::new() };
    executor.stand(&past.events, states, last);
    let mut pairs = Vec::new();
    races::pending_races(&mut executor.runner.machine, &mut pairs);
    pairs.retain(|pair| !is_known(races::places(pair)));
    let schedule = picks(&past.events[..last]);
    let found = pairs.into_iter().filter_map(|pair| {
        let places = races::places(&pair);
        Some((places, finding(executor.runner.subject, Bug::Race(pair.0, pair.1), &schedule)?))
    });
    found.collect()
}

/// Brings two threads before their operations.
fn witness(
    executor: &mut Executor<'_>,
    past: &HappensBefore,
    states: &[Option<Arc<Snapshot>>],
    earlier: usize,
    later: usize,
) -> Option<Finding> {
    let (one, other) = (past.events[earlier].clone(), past.events[later].clone());
    executor.stand(&past.events, states, earlier);
    let between =
        past.events[earlier..later].iter().filter(|event| !one.precedes(event) && !other.precedes(event));
    let mut schedule = picks(&past.events[..earlier]);
    schedule.extend(executor.follow(between)?);
    let threads = (executor.runner.index(one.taken.owner)?, executor.runner.index(other.taken.owner)?);
    let mut pairs = Vec::new();
    races::pending_races(&mut executor.runner.machine, &mut pairs);
    let machine = &executor.runner.machine;
    let name = |index: usize| &machine.threads()[index].name;
    let (one, other) = (name(threads.0), name(threads.1));
    let fits = |a: &Access, b: &Access| a.thread == *one && b.thread == *other;
    let (a, b) = pairs.into_iter().find(|(a, b)| fits(a, b) || fits(b, a))?;
    finding(executor.runner.subject, Bug::Race(a, b), &schedule)
}
