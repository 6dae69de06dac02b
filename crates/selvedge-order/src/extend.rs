//! Orders made longer: whatever can still happen as it was recorded happens, without coming back from anything.

use crate::event::{Action, EventId};
use crate::query::{Query, QueryError, Requirement, Step};
use crate::simulate::Simulation;
use crate::trace::Trace;
use selvedge_trace::Model;

/// Traces of more steps are not looked at step by step.
const LONG: usize = 500;

/// An order that answers a query, with as much more at its end (before the event that must be the last one) as a single
/// look at the recorded order finds.
pub(crate) fn extend(
    trace: &Trace,
    model: Model,
    query: &Query,
    steps: &[Step],
) -> Result<Vec<Step>, QueryError> {
    let required = Requirement::new(trace, query)?;
    let mut extension = Extension { trace, model, required: &required, last: None, steps: Vec::new() };
    let mut state = Simulation::new(trace);
    let mut steps = steps;
    if let Some(last) = required.last {
        // Other threads wait for nothing that it does. Whether it still can happen is checked after each step. What a
        // notification wakes depends on which threads wait.
        let notifies = matches!(required.action(trace, last), Action::Notify { .. });
        if steps.last() != Some(&Step::Event(last)) || trace.order().len() > LONG || notifies {
            return Ok(steps.to_vec());
        }
        steps = &steps[..steps.len() - 1];
        extension.last = Some(last);
    }
    let mut index = 0;
    while let Some(&step) = steps.get(index) {
        let mut woken = Vec::new();
        while let Some(Step::Notified { thread }) = steps.get(index + 1) {
            woken.push(*thread);
            index += 1;
        }
        match step {
            Step::Event(event) => {
                state.perform(model, event.thread, required.action(trace, event), &woken);
            }
            Step::Commit(event) => state.commit(event),
            Step::Notified { .. } | Step::Expired(_) => {}
        }
        index += 1;
    }
    extension.steps.extend_from_slice(steps);
    while extension.round(&mut state) {}
    extension.steps.extend(extension.last.map(Step::Event));
    Ok(extension.steps)
}

struct Extension<'a> {
    trace: &'a Trace,
    model: Model,
    required: &'a Requirement,
    last: Option<EventId>,
    steps: Vec<Step>,
}

impl Extension<'_> {
    /// Goes through the recorded order once; whether anything happened.
    fn round(&mut self, state: &mut Simulation) -> bool {
        let before = self.steps.len();
        for step in self.trace.order() {
            let (thread, event) = match *step {
                Step::Event(event) => (event.thread, Some(event)),
                Step::Commit(event) => (event.thread, None),
                Step::Notified { .. } | Step::Expired(_) => continue,
            };
            match event {
                Some(event) if event.index == state.position(thread) => self.happen(state, event),
                Some(_) => {}
                None => self.commit(state, thread),
            }
        }
        // Stores that were recorded without a commit.
        for thread in 0..self.trace.threads() as u32 {
            self.commit(state, thread);
        }
        self.steps.len() > before
    }

    fn commit(&mut self, state: &mut Simulation, thread: u32) {
        if let Some(event) = state.commits(self.model).into_iter().find(|event| event.thread == thread) {
            self.attempt(state, Step::Commit(event), |state, _| state.commit(event));
        }
    }

    fn happen(&mut self, state: &mut Simulation, event: EventId) {
        let (required, trace) = (self.required, self.trace);
        if event.index >= required.limit[event.thread as usize] || Some(event) == self.last {
            return;
        }
        let action = required.action(trace, event);
        // A wait that ends by its time limit has to be known when it begins.
        let next = EventId { index: event.index + 1, ..event };
        let expires = required.expires(trace, event.thread, event.index)
            || matches!(action, Action::Wait { .. })
                && next.index < required.limit[next.thread as usize]
                && required.expires(trace, next.thread, next.index);
        if expires || !state.possible(trace, event.thread, action, required.free.contains(&event)) {
            return;
        }
        let expired = |thread: u32| required.expires(trace, thread, state.position(thread));
        let Some(woken) = state.wakes(action, expired).into_iter().next_back() else { return };
        let (model, action) = (self.model, action.clone());
        self.attempt(state, Step::Event(event), |state, steps| {
            state.perform(model, event.thread, &action, &woken);
            steps.extend(woken.iter().map(|&thread| Step::Notified { thread }));
        });
    }

    /// Takes a step, unless the last event could not happen after it.
    fn attempt(
        &mut self,
        state: &mut Simulation,
        step: Step,
        act: impl FnOnce(&mut Simulation, &mut Vec<Step>),
    ) {
        let length = self.steps.len();
        let old = self.last.map(|_| state.clone());
        self.steps.push(step);
        act(state, &mut self.steps);
        if let (Some(last), Some(old)) = (self.last, old) {
            let action = self.required.action(self.trace, last);
            let free = self.required.free.contains(&last);
            if !state.possible(self.trace, last.thread, action, free) {
                *state = old;
                self.steps.truncate(length);
            }
        }
    }
}
