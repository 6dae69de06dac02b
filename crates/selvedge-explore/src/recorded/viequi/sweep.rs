//! Goes through all states that orders of recorded events lead to: the exact answer where these are few.

use crate::recorded::targets::Frontier;
use crate::recorded::viequi::content::Content;
use crate::recorded::viequi::simulate::{Happened, State, Wish};
use rustc_hash::FxHashSet;
use selvedge_order::EventId;

/// States that are explored; with more, the solver is asked.
const MOST_STATES: usize = 3_000;

/// A state, and how it was reached.
struct Step {
    state: State,
    fulfilled: bool,
    before: usize,
    events: Vec<Happened>,
}

/// All maximal beginnings within limits with which a wish comes true, each with an order; nothing if there are too many
/// states before them, or not all that happened can be told here.
pub fn sweep(content: &Content, limits: &Frontier, wish: &Wish) -> Option<Vec<(Frontier, Vec<Happened>)>> {
    // Where threads wait for each other there are many states, and the solver is quicker.
    if content.mixed || content.others || content.queues > 0 {
        return None;
    }
    let mut steps: Vec<Step> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut maximal: Vec<(Frontier, usize)> = Vec::new();
    let first = Step { state: State::new(content), fulfilled: false, before: usize::MAX, events: Vec::new() };
    let mut open = vec![first];
    while let Some(mut step) = open.pop() {
        settle(content, limits, wish, &mut step);
        let key = (step.fulfilled, step.state.done.clone(), step.state.memory.clone());
        if !seen.insert(key) {
            continue;
        }
        if steps.len() == MOST_STATES {
            return None;
        }
        let number = steps.len();
        let mut ends = true;
        for thread in 0..limits.len() as u32 {
            let event = EventId::new(thread, step.state.done[thread as usize]);
            if event.index >= limits[thread as usize] {
                continue;
            }
            let mut state = step.state.clone();
            if let Some(happened) = state.happen(content, event) {
                ends = false;
                open.push(Step { state, fulfilled: step.fulfilled, before: number, events: vec![happened] });
            }
        }
        // A thread that must come last may have to act before another one can go on.
        let fulfils = if wish.last { step.state.can_see(wish) } else { step.fulfilled && ends };
        if fulfils {
            enter(&mut maximal, &step.state.done, number);
        }
        steps.push(step);
    }
    let order = |mut number: usize| {
        let mut parts = Vec::new();
        while let Some(step) = steps.get(number) {
            parts.push(&step.events);
            number = step.before;
        }
        let mut order: Vec<Happened> = parts.into_iter().rev().flatten().copied().collect();
        order.extend(wish.last.then_some(Happened::plainly(wish.event)));
        order
    };
    Some(maximal.into_iter().map(|(frontier, number)| (frontier, order(number))).collect())
}

/// Does all that takes nothing from other threads. Moved to the front of an order that goes on from here it leaves the
/// order as it is.
fn settle(content: &Content, limits: &Frontier, wish: &Wish, step: &mut Step) {
    let mut acted = true;
    while acted {
        acted = false;
        if !wish.last && !step.fulfilled && step.state.can_see(wish) {
            step.fulfilled = true;
            step.events.push(Happened::plainly(wish.event));
        }
        for thread in 0..limits.len() as u32 {
            loop {
                let event = EventId::new(thread, step.state.done[thread as usize]);
                if event.index >= limits[thread as usize] || !content.is_harmless(event) {
                    break;
                }
                let Some(happened) = step.state.happen(content, event) else { break };
                step.events.push(happened);
                acted = true;
            }
        }
    }
}

/// Keeps what is not contained in something else.
fn enter(maximal: &mut Vec<(Frontier, usize)>, frontier: &[u32], number: usize) {
    let within = |one: &[u32], other: &[u32]| one.iter().zip(other).all(|(one, other)| one <= other);
    if !maximal.iter().any(|(known, _)| within(frontier, known)) {
        maximal.retain(|(known, _)| !within(known, frontier));
        maximal.push((frontier.to_vec(), number));
    }
}
