//! From a query to its answer: closure, then search, then the same again case by case.

use crate::clock::raise;
use crate::event::{Action, EventId};
use crate::external::SolverError;
use crate::prepare::{Effect, NONE, Prepared};
use crate::query::{Answer, Query, QueryError, Requirement, Step, size};
use crate::scratch::{Scratch, Spent};
use crate::search::{Aim, End, Search};
use crate::view::View;
use std::time::Instant;

pub(crate) fn solve(
    p: &Prepared,
    query: &Query,
    scratch: &mut Scratch,
    stop: &dyn Fn() -> bool,
) -> Result<Answer, QueryError> {
    let begun = Instant::now();
    let required = Requirement::new(&p.trace, query)?;
    p.weigh(&required, &mut scratch.spent);
    let answer = match &mut scratch.external {
        Some(solver) => {
            let answer = solver.solve(&p.trace, p.model, query);
            let answer = answer.and_then(|answer| {
                scratch.spent.work += solver.work()?;
                Ok(answer)
            });
            answer.or_else(|error| match error {
                SolverError::Query(error) => Err(error),
                trouble => {
                    scratch.trouble = Some(trouble);
                    Ok(Answer::Unknown)
                }
            })
        }
        None => Ok(think(p, query, &required, scratch, stop)),
    };
    scratch.spent.nanoseconds += begun.elapsed().as_nanos() as u64;
    answer
}

fn think(
    p: &Prepared,
    query: &Query,
    required: &Requirement,
    scratch: &mut Scratch,
    stop: &dyn Fn() -> bool,
) -> Answer {
    if required.impossible {
        return Answer::None;
    }
    scratch.view.ask(p, required);
    let any = required.any;
    let left = scratch.limit(p.words());
    let mut solver = Solver { p, left, scratch, best: None, complete: true, any, stop };
    solver.explore();
    let complete = solver.complete;
    let Some(steps) = solver.best else {
        return if complete { Answer::None } else { Answer::Unknown };
    };
    debug_assert_eq!(
        crate::simulate::verify(&p.trace, p.model, query, &steps),
        Ok(()),
        "{:?} {query:?}\n{:?}\n{steps:?}",
        p.model,
        p.trace
    );
    Answer::Order { steps, least: complete }
}

impl Prepared {
    /// Counts what a query tells of reads.
    fn weigh(&self, required: &Requirement, spent: &mut Spent) {
        spent.queries += 1;
        let weight = |event: EventId| {
            let node = self.event_node(event) as usize;
            let thread = event.thread as usize;
            let (before, after) = (&self.weights[node + thread], &self.weights[node + thread + 1]);
            (after.0 - before.0, after.1 - before.1)
        };
        for (thread, &limit) in required.limit.iter().enumerate() {
            let start = self.base[thread] as usize + thread;
            let (first, last) = (&self.weights[start], &self.weights[start + limit as usize]);
            spent.reads += u64::from(last.0 - first.0);
            spent.constraints += last.1 - first.1;
        }
        for &event in &required.free {
            if event.index < required.limit[event.thread as usize] {
                let (reads, constraints) = weight(event);
                spent.reads -= u64::from(reads);
                spent.freed_reads += u64::from(reads);
                spent.constraints -= constraints;
                spent.freed_constraints += constraints;
            }
        }
    }
}

struct Solver<'a> {
    p: &'a Prepared,
    scratch: &'a mut Scratch,
    /// Frontiers that may still be remembered.
    left: usize,
    /// The smallest order so far.
    best: Option<Vec<Step>>,
    /// Nothing was left out.
    complete: bool,
    /// The first order will do.
    any: bool,
    /// Whether to give up.
    stop: &'a dyn Fn() -> bool,
}

impl Solver<'_> {
    /// Looks for the smallest order: by closure and a short search, each of which profits from what the other one
    /// has found; then by a longer search after having tried from where nodes can have their values.
    fn explore(&mut self) {
        let p = self.p;
        let mut probed = false;
        loop {
            let Scratch { view, dirty, saved, .. } = &mut *self.scratch;
            view.most = self.best.as_ref().map_or(usize::MAX, |best| size(best) - 1);
            let closed = if probed { view.probe(p, saved, self.stop) } else { view.close(p, self.stop) };
            if closed.is_err() {
                return;
            }
            view.relate(p, dirty);
            let patience = view.needed().saturating_mul(self.scratch.patience);
            match self.search(if probed { self.left } else { patience }) {
                End::Exhausted => return,
                End::Found if self.any => {
                    self.complete = false;
                    return;
                }
                End::Found => {}
                End::Limit if probed || (self.stop)() => {
                    self.complete = false;
                    return;
                }
                End::Limit => probed = true,
            }
        }
    }

    /// Searches for an order, or if there is one already for the smallest one.
    fn search(&mut self, limit: usize) -> End {
        let p = self.p;
        let Scratch { view, space, .. } = &mut *self.scratch;
        let needed = view.needed();
        let aim = match view.most {
            usize::MAX => Aim::Any,
            most => Aim::AtMost((most - needed) as u32),
        };
        let mut search = Search { p, view, space, aim, stop: self.stop };
        let limit = limit.min(self.left);
        let mut end = search.run(limit);
        while end == End::Found {
            let mut found = Found::take(&search);
            // Only where everything was derived it is known what nothing depends on.
            if !search.view.anew {
                found.trim(p, search.view);
            }
            let steps = found.steps(p, search.view);
            let cost = size(&steps) - needed;
            self.best = Some(steps);
            end = match cost.checked_sub(1) {
                None => End::Exhausted,
                Some(_) if aim == Aim::Any => break,
                Some(less) => search.improve(less as u32, limit),
            };
        }
        let remembered = search.remembered();
        self.left = self.left.saturating_sub(remembered);
        self.scratch.spent.frontiers += remembered as u64;
        end
    }
}

/// An order of nodes, each with the threads that it wakes.
struct Found {
    order: Vec<(u32, Vec<u32>)>,
}

impl Found {
    fn take(search: &Search<'_>) -> Self {
        let order = search.space.done.iter().map(|done| {
            let woken = &search.space.woken[done.woken.0 as usize..done.woken.1 as usize];
            (done.node, woken.to_vec())
        });
        Found { order: order.collect() }
    }

    /// Takes out what nothing depends on in this order.
    fn trim(&mut self, p: &Prepared, view: &View) {
        if self.order.iter().all(|(node, _)| view.is_must(p, *node)) {
            return;
        }
        let mut needed = view.must.clone();
        let mut position = vec![NONE; p.nodes.len()];
        // The node that wrote last what a node reads.
        let mut writer = vec![NONE; p.cells.len()];
        let mut suppliers: Vec<(usize, u32)> = Vec::new();
        for (place, &(node, _)) in self.order.iter().enumerate() {
            position[node as usize] = place as u32;
            let seen = view.demands(p, node).iter().filter(|demand| !p.takes_free_lock(demand));
            suppliers.extend(
                seen.map(|demand| (place, writer[demand.cell as usize]))
                    .filter(|&(_, writer)| writer != NONE),
            );
            view.each_write(p, node, |cell, _| writer[cell as usize] = node);
        }
        let admit = |node: u32, needed: &mut Vec<u16>| {
            let description = &p.nodes[node as usize];
            let mut changed = raise(needed, view.clocks.row(node));
            let count = &mut needed[description.track as usize];
            changed |= *count <= description.index;
            *count = (*count).max(description.index + 1);
            changed
        };
        let mut changed = true;
        while changed {
            changed = false;
            // Backwards: what something depends on comes before it.
            let mut supplier = suppliers.len();
            for (place, (node, _)) in self.order.iter().enumerate().rev() {
                let end = supplier;
                while supplier > 0 && suppliers[supplier - 1].0 == place {
                    supplier -= 1;
                }
                let description = &p.nodes[*node as usize];
                if description.index < needed[description.track as usize] {
                    for &(_, other) in &suppliers[supplier..end] {
                        changed |= admit(other, &mut needed);
                    }
                    for other in self.depends(p, view, place, &position, &needed) {
                        changed |= admit(other, &mut needed);
                    }
                }
            }
        }
        self.order.retain(|(node, _)| {
            let description = &p.nodes[*node as usize];
            description.index < needed[description.track as usize]
        });
        self.wake_again(p, view);
    }

    /// Says anew which notification wakes which thread, now that some threads do not wait any more: a notification that
    /// has no other thread to wake wakes another one.
    fn wake_again(&mut self, p: &Prepared, view: &View) {
        let mut waiting: Vec<Option<u32>> = vec![None; p.threads];
        for (node, woken) in &mut self.order {
            let thread = p.nodes[*node as usize].event.thread as usize;
            match view.effect(p, *node) {
                Effect::Wait { queue } => {
                    let next = *node + 1;
                    let expires = next < p.base[thread + 1]
                        && matches!(view.effect(p, next), Effect::Wake { expired: true, .. });
                    waiting[thread] = (!expires).then_some(queue);
                }
                Effect::Wake { .. } => waiting[thread] = None,
                Effect::Notify { queue, most, woken: None } => {
                    woken.retain(|&thread| waiting[thread as usize] == Some(queue));
                    for (thread, at) in (0_u32..).zip(&waiting) {
                        if *at == Some(queue) && (woken.len() as u32) < most && !woken.contains(&thread) {
                            woken.push(thread);
                        }
                    }
                    woken.iter().for_each(|&thread| waiting[thread as usize] = None);
                }
                Effect::Notify { .. } => woken.iter().for_each(|&thread| waiting[thread as usize] = None),
                Effect::None => {}
            }
        }
    }

    /// The nodes before a place that what stands there depends on, besides those that wrote what it reads.
    fn depends(&self, p: &Prepared, view: &View, place: usize, position: &[u32], needed: &[u16]) -> Vec<u32> {
        let node = self.order[place].0;
        let mut nodes = Vec::new();
        let before = || self.order[..place].iter().rev().map(|(node, _)| *node);
        for demand in view.demands(p, node).iter().filter(|demand| p.takes_free_lock(demand)) {
            let taken = p.cells[demand.cell as usize].locks.iter().map(|&lock| &p.nodes[lock as usize]);
            let taken = taken.filter(|lock| lock.index < needed[lock.track as usize] && lock.release != NONE);
            nodes.extend(
                taken.map(|lock| lock.release).filter(|release| position[*release as usize] < place as u32),
            );
        }
        if view.count(p, node).is_some_and(|count| count.guard != crate::prepare::Guard::Any) {
            let count = view.count(p, node).map(|count| count.counter);
            nodes.extend(before().filter(|&other| view.count(p, other).map(|count| count.counter) == count));
        }
        match view.effect(p, node) {
            Effect::Wake { expired: false, .. } => {
                let thread = p.nodes[node as usize].event.thread;
                let notifier = self.order[..place].iter().rev().find(|(_, woken)| woken.contains(&thread));
                nodes.extend(notifier.map(|(node, _)| *node));
            }
            Effect::Notify { queue, woken: Some(_), .. } => {
                let same = |other: u32| match view.effect(p, other) {
                    Effect::Wait { queue: at } | Effect::Wake { queue: at, .. } => at == queue,
                    Effect::Notify { queue: at, .. } => at == queue,
                    Effect::None => false,
                };
                nodes.extend(before().filter(|&other| same(other)));
            }
            Effect::None | Effect::Wait { .. } | Effect::Wake { .. } | Effect::Notify { .. } => {}
        }
        nodes
    }

    fn steps(&self, p: &Prepared, view: &View) -> Vec<Step> {
        let mut reached = vec![0_u32; p.threads];
        for (node, _) in &self.order {
            let node = &p.nodes[*node as usize];
            if !node.commit {
                reached[node.event.thread as usize] = node.event.index + 1;
            }
        }
        let mut steps = Vec::with_capacity(self.order.len());
        for (node, woken) in &self.order {
            let description = &p.nodes[*node as usize];
            let event = description.event;
            if description.commit {
                steps.push(Step::Commit(event));
                continue;
            }
            steps.push(Step::Event(event));
            // A thread that leaves a barrier need not be told.
            if let Some(Action::Notify { .. }) = p.trace.action(event) {
                steps.extend(woken.iter().map(|&thread| Step::Notified { thread }));
            }
            let goes_on = event.index + 1 < reached[event.thread as usize];
            if goes_on && matches!(view.effect(p, node + 1), Effect::Wake { expired: true, .. }) {
                steps.push(Step::Expired(event));
            }
        }
        steps
    }
}
