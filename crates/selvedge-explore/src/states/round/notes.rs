//! What a worker learns while it expands states, and how far a thread may run on by itself.

use crate::kit::step::Advanced;
use crate::states::persistent_sets::{Act, Level};
use crate::states::round::{Explorer, Ghost};
use crate::states::store_elision;
use crate::states::summaries::{Follow, NodeId, UNKNOWN};
use selvedge_machine::{Outcome, Pick};
use std::sync::atomic::Ordering;

impl Explorer<'_, '_> {
    /// Lets a thread that has just acted go on as long as what it does meets nothing of another thread's summary: it is
    /// a persistent set by itself, and nothing changes for the others. False if the execution is over.
    pub(crate) fn run_on(&mut self, ghost: &mut Ghost, thread: usize, depth: &mut u32) -> bool {
        if self.round.level == Level::None
            || !self.machine.inspect().is_sequential()
            || ghost.watched.is_some_and(|watched| watched != thread)
            || ghost.visits.is_some()
        {
            return true;
        }
        for _ in 0..self.round.options.tuning.longest_run {
            self.note_pending(ghost, thread);
            let Some(pick) = self.alone(ghost, thread) else { return true };
            let act = Act { pick, left_out: false };
            if self.counterexample.is_some() {
                self.planner.look(&mut self.machine, &ghost.nodes, &ghost.elisions);
            }
            if let Some(counterexample) = &mut self.counterexample {
                counterexample.watch(&self.planner, &self.machine);
            }
            self.note_act(act, store_elision::store_of(&self.machine, thread));
            self.steps += 1;
            *depth += 1;
            let Some(advanced) = self.advance(act) else { return false };
            self.note_looks();
            self.note_failure(ghost, thread, advanced);
            if !self.goes_on(advanced) {
                return false;
            }
            self.note_step(ghost, thread);
            if self.round.leaves_stores_out() {
                ghost.elisions.arrived(&self.machine, std::iter::once(thread));
            }
        }
        true
    }

    /// The step of a thread, if it meets nothing of another thread's summary. `footprint` is what it is about to do.
    pub(crate) fn alone(&mut self, ghost: &Ghost, thread: usize) -> Option<Pick> {
        let (summaries, node) = (self.round.summaries, ghost.nodes[thread]);
        let own = &self.footprint;
        if node == UNKNOWN
            || own.everything
            || summaries.meets_everything(node)
            || own.exits
            || own.creates
            || ghost.elisions.of(thread) != store_elision::Elision::Open
            || self.machine.inspect().is_looking(thread)
        {
            return None;
        }
        let touched = || own.spans.iter().chain(&own.later).chain(summaries.tails(node));
        // Many threads may be at the same place.
        let mut clear = UNKNOWN;
        let mut meets = |(index, other): (usize, &NodeId)| {
            if index == thread || *other == clear || self.machine.threads()[index].is_finished() {
                return false;
            }
            clear = *other;
            let Some(whole) = summaries.whole(*other) else { return true };
            whole.everything
                || (whole.exits && self.round.level == Level::Views)
                || touched().any(|own| whole.meeting(*own).any(|span| own.conflicts(span)))
        };
        match ghost.nodes.iter().enumerate().any(&mut meets) {
            true => None,
            false => self.machine.probe().only_step(thread),
        }
    }

    /// Takes note of the step that a thread has just taken, from where to where.
    pub(crate) fn note_step(&mut self, ghost: &mut Ghost, thread: usize) {
        let summaries = self.round.summaries;
        let (key, node) = (ghost.keys[thread], ghost.nodes[thread]);
        let effects = self.machine.inspect().effects();
        let mut news = !summaries.knows_tails(node, effects);
        if news {
            self.learned.touched(key, effects);
        }
        let next = self.machine.inspect().control(thread);
        if next != key {
            let next_node = summaries.node(next);
            let follow = if self.footprint.fails { Follow::Failing } else { Follow::On };
            let count = self.footprint.count.filter(|_| !self.looked_back);
            if !summaries.follows(node, next_node, follow, count) {
                self.learned.went(key, next, follow, count);
                news = true;
            }
            (ghost.keys[thread], ghost.nodes[thread]) = (next, next_node);
        }
        self.note(news);
    }

    /// Takes note that a step of a thread has ended the execution because something goes wrong. A search for more than
    /// the first violation must not leave the other threads behind: what they would have done is not known from this
    /// execution, nor done after it.
    pub(crate) fn note_failure(&mut self, ghost: &Ghost, thread: usize, advanced: Advanced) {
        let options = self.round.options;
        let wrong = match advanced {
            Advanced::Ended => matches!(self.machine.outcome(), Some(Outcome::Violation { .. })),
            Advanced::Endless(_) => true,
            Advanced::Stopped | Advanced::Interrupted => false,
        };
        if wrong && (options.keep_going || options.count_views) {
            self.note_anything(ghost, thread);
        }
    }

    /// Takes note of what was read and not expected to be.
    pub(crate) fn note_looks(&mut self) {
        let looked_at = self.machine.take_looked_at();
        let news = !looked_at.is_empty();
        self.learned.looks_at(looked_at);
        self.note(news);
    }

    /// Takes note of what a thread is about to do, which becomes `footprint`.
    pub(crate) fn note_pending(&mut self, ghost: &Ghost, thread: usize) {
        self.machine.probe().pending_footprint(thread, &mut self.footprint);
        let news = !self.round.summaries.knows(ghost.nodes[thread], &self.footprint);
        if news {
            self.learned.at(ghost.keys[thread], &self.footprint);
        }
        self.note(news);
    }

    pub(crate) fn note(&self, news: bool) {
        if news && self.round.level != Level::None {
            self.round.grown.store(true, Ordering::Relaxed);
        }
    }

    /// Takes note of a state: where the threads are now and what they are about to do. `creator`: where the thread was
    /// that has acted.
    pub(crate) fn arrive(&mut self, ghost: &mut Ghost, creator: Option<(u64, NodeId)>) {
        let summaries = self.round.summaries;
        let known = ghost.keys.len();
        let mut news = false;
        for index in 0..self.machine.threads().len() {
            let key = self.machine.inspect().control(index);
            let follow = if index < known { Follow::On } else { Follow::Born };
            let (from, from_node) = match (index < known, creator) {
                (true, _) if ghost.keys[index] == key => continue,
                (true, _) => (ghost.keys[index], ghost.nodes[index]),
                (false, creator) => {
                    ghost.keys.push(0);
                    ghost.nodes.push(0);
                    match creator {
                        Some(creator) => creator,
                        None => (key, summaries.node(key)),
                    }
                }
            };
            let node = summaries.node(key);
            (ghost.keys[index], ghost.nodes[index]) = (key, node);
            if from != key && !summaries.follows(from_node, node, follow, None) {
                self.learned.went(from, key, follow, None);
                news = true;
            }
        }
        self.planner.look(&mut self.machine, &ghost.nodes, &ghost.elisions);
        for (index, footprint) in self.planner.pending() {
            if !summaries.knows(ghost.nodes[index], footprint) {
                self.learned.at(ghost.keys[index], footprint);
                news = true;
            }
        }
        if self.round.options.races && !self.machine.inspect().is_sequential() {
            self.planner.mind_races(summaries);
        }
        self.note(news);
    }
}
