//! Persistent sets of threads.
//!
//! A set of threads is enough if whatever the others do without them, as far as that may still happen, makes no
//! difference to their next steps, and cannot make a step possible that they wait for. Then every path to a state in
//! which nothing goes on begins, but for the order of independent steps, with a step of one of them (a persistent set).
//! Places only go forward, so nothing is put off for ever.

use super::bits::{join, meet};
use super::outline::Outline;
use super::state::{Place, State};
use crate::act::Act;
use crate::tree::{End, NodeId, TreeEvent, Trees};

/// What a set of threads is computed from.
pub(super) struct Reduction<'a> {
    pub(super) trees: &'a Trees,
    pub(super) outline: &'a Outline,
    pub(super) state: &'a State,
    /// The threads that can go on.
    pub(super) enabled: u64,
}

impl Reduction<'_> {
    /// Threads whose next steps are enough; all of them can go on.
    pub(super) fn threads(&self) -> Vec<usize> {
        let all = || (0..self.state.at.len()).filter(|thread| self.enabled >> thread & 1 == 1);
        let mut best: Option<u64> = None;
        for seed in all() {
            let set = self.closure(seed) & self.enabled;
            if best.is_none_or(|best| set.count_ones() < best.count_ones()) {
                best = Some(set);
            }
            if set.count_ones() == 1 {
                break;
            }
        }
        let best = best.unwrap_or(self.enabled);
        all().filter(|thread| best >> thread & 1 == 1).collect()
    }

    fn closure(&self, seed: usize) -> u64 {
        let mut set = 1_u64 << seed;
        let mut open = vec![seed];
        while let Some(thread) = open.pop() {
            let more = self.needed(thread) & !set;
            set |= more;
            open.extend((0..self.state.at.len()).filter(|other| more >> other & 1 == 1));
        }
        set
    }

    /// Threads that may do something that makes a difference to the next step of a thread.
    fn needed(&self, thread: usize) -> u64 {
        let can_go = self.enabled >> thread & 1 == 1;
        let mut threads = 0;
        let mut row = Vec::new();
        match self.state.at[thread] {
            Place::Leaf(_) | Place::Left(_) => return 0,
            Place::Absent => {
                for other in 0..self.state.at.len() {
                    if self
                        .future(other)
                        .is_some_and(|future| self.outline.starts(self.trees, future, thread))
                    {
                        threads |= 1 << other;
                    }
                }
                return threads;
            }
            Place::Before(event) => {
                match self.trees.events[event.index()].act {
                    // The end of the program makes a difference to all threads.
                    Act::Exit => return u64::MAX,
                    Act::Join { thread } if !can_go => threads |= 1 << thread,
                    _ => {}
                }
                row.extend(if can_go { self.outline.conflicts(event) } else { self.outline.enables(event) });
            }
            Place::Choice(node) => {
                let End::Decision { children, .. } = &self.trees.nodes[node.index()].end else {
                    return u64::MAX;
                };
                let first = |child: &NodeId| self.trees.nodes[child.index()].events.first();
                for &event in children.iter().filter_map(first) {
                    self.add(&mut row, event);
                }
            }
        }
        for other in (0..self.state.at.len()).filter(|&other| other != thread) {
            let Some(future) = self.future(other) else { continue };
            let ends = can_go && self.joined(other) >> thread & 1 == 0;
            if ends || meet(&row, future) {
                threads |= 1 << other;
            }
        }
        threads
    }

    fn add(&self, row: &mut Vec<u64>, event: TreeEvent) {
        for other in [self.outline.conflicts(event), self.outline.enables(event)] {
            row.resize(other.len().max(row.len()), 0);
            join(row, other);
        }
    }

    /// What a thread may still do.
    fn future(&self, thread: usize) -> Option<&[u64]> {
        match self.state.at[thread] {
            Place::Absent => Some(self.outline.future_of(self.trees, self.trees.threads[thread].root)),
            Place::Before(event) => Some(self.outline.future_from(event)),
            Place::Choice(node) => Some(self.outline.future_after(node)),
            Place::Leaf(_) | Place::Left(_) => None,
        }
    }

    /// The threads that must have ended before a thread may end the program.
    fn joined(&self, thread: usize) -> u64 {
        match self.state.at[thread] {
            Place::Absent => self.outline.joined_of(self.trees, self.trees.threads[thread].root),
            Place::Before(event) => self.outline.joined_from(event),
            Place::Choice(node) => self.outline.joined_after(node),
            Place::Leaf(_) | Place::Left(_) => u64::MAX,
        }
    }
}
