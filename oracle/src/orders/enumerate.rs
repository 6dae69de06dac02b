//! Answers queries by trying everything: for tiny traces, to measure the solver by.

use rustc_hash::FxHashMap;
use selvedge_order::{Action, Answer, EventId, Query, QueryError, Requirement, Simulation, Step, Trace};
use selvedge_trace::Model;
use std::collections::VecDeque;

/// The answer found by looking at every state that the events can lead to, nearest first; [`Answer::Unknown`] if
/// there are more than `states`.
pub fn enumerate(trace: &Trace, model: Model, query: &Query, states: usize) -> Result<Answer, QueryError> {
    let required = Requirement::new(trace, query)?;
    if required.impossible {
        return Ok(Answer::None);
    }
    let events: Vec<EventId> = required.before.iter().flat_map(|&(first, second)| [first, second]).collect();
    let start = Seen { state: Simulation::new(trace), marked: Vec::new(), last: None };
    let mut from: FxHashMap<Seen, Option<(Seen, Vec<Step>)>> = FxHashMap::default();
    let mut waiting = VecDeque::from([start.clone()]);
    from.insert(start, None);
    while let Some(seen) = waiting.pop_front() {
        if done(&required, &seen) {
            return Ok(Answer::Order { steps: path(&from, seen), least: true });
        }
        if from.len() > states {
            return Ok(Answer::Unknown);
        }
        for (after, steps) in moves(trace, model, &required, &events, &seen) {
            if !from.contains_key(&after) {
                from.insert(after.clone(), Some((seen.clone(), steps)));
                waiting.push_back(after);
            }
        }
    }
    Ok(Answer::None)
}

/// A state with what is to be known of the way to it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Seen {
    state: Simulation,
    /// The events whose order matters, in the order in which they happened.
    marked: Vec<EventId>,
    /// The last step, if that matters.
    last: Option<Step>,
}

fn done(required: &Requirement, seen: &Seen) -> bool {
    let enough = (0_u32..).zip(&required.least).all(|(thread, &least)| seen.state.position(thread) >= least);
    let position = |event: &EventId| seen.marked.iter().position(|other| other == event);
    let ordered = required.before.iter().all(|(first, second)| match (position(first), position(second)) {
        (Some(first), Some(second)) => first < second,
        _ => false,
    });
    enough && ordered && required.last.is_none_or(|last| seen.last == Some(Step::Event(last)))
}

fn moves(
    trace: &Trace,
    model: Model,
    required: &Requirement,
    events: &[EventId],
    seen: &Seen,
) -> Vec<(Seen, Vec<Step>)> {
    let mut moves = Vec::new();
    let begun = (0..trace.threads() as u32).any(|thread| seen.state.position(thread) > 0);
    for event in seen.state.commits(model) {
        let mut state = seen.state.clone();
        state.commit(event);
        let step = Step::Commit(event);
        let last = required.last.map(|_| step);
        moves.push((Seen { state, last, marked: seen.marked.clone() }, vec![step]));
    }
    for thread in 0..trace.threads() as u32 {
        let event = EventId { thread, index: seen.state.position(thread) };
        if event.index >= required.limit[thread as usize] {
            continue;
        }
        let action = required.action(trace, event);
        let out_of_turn = !begun && required.first.is_some_and(|first| first != event);
        if out_of_turn || !seen.state.possible(trace, thread, action, required.free.contains(&event)) {
            continue;
        }
        let expired = |thread: u32| required.expires(trace, thread, seen.state.position(thread));
        for woken in seen.state.wakes(action, expired) {
            let mut state = seen.state.clone();
            state.perform(model, thread, action, &woken);
            let mut steps = vec![Step::Event(event)];
            if required.expires(trace, thread, event.index + 1) && matches!(action, Action::Wait { .. }) {
                steps.push(Step::Expired(event));
            }
            steps.extend(woken.iter().map(|&thread| Step::Notified { thread }));
            let mut marked = seen.marked.clone();
            marked.extend(events.contains(&event).then_some(event));
            let last = required.last.map(|_| Step::Event(event));
            moves.push((Seen { state, marked, last }, steps));
        }
    }
    moves
}

fn path(from: &FxHashMap<Seen, Option<(Seen, Vec<Step>)>>, mut seen: Seen) -> Vec<Step> {
    let mut parts: Vec<Vec<Step>> = Vec::new();
    while let Some(Some((before, steps))) = from.get(&seen) {
        parts.push(steps.clone());
        seen = before.clone();
    }
    parts.into_iter().rev().flatten().collect()
}
