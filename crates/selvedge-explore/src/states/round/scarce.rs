//! Going on when memory becomes scarce.
//!
//! Of states that have to wait for long only their prefix is kept; a worker that takes such a state follows the prefix
//! again. What is needed only when the round is over is put away to where there is more room.

use crate::kit::driver::Stack;
use crate::states::graph::Graph;
use crate::states::prefix::Prefix;
use crate::states::round::{Explorer, Item, Open, Round, lock};
use selvedge_machine::Machine;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// States are numbered, and so many numbers there are, less what workers may add until they look at it.
const MOST_STATES: u64 = (1 << 32) - (1 << 24);

/// A state that waits, of which only the prefix is kept.
#[derive(Clone)]
pub struct Remembered {
    pub(crate) id: u32,
    pub(crate) prefix: Option<Arc<Prefix>>,
    pub(crate) share: f64,
    /// What an item knows of acts that were explored before.
    pub(crate) earlier: u16,
    pub(crate) left: Option<Vec<u16>>,
}

impl Remembered {
    /// What is kept of a state.
    pub(crate) fn of(item: &Item) -> Self {
        let Item { id, prefix, share, earlier, left, .. } = item;
        let (prefix, left) = (prefix.clone(), left.clone());
        Remembered { id: *id, prefix, share: *share, earlier: *earlier, left }
    }
}

/// States on the last prefix that was followed, after so many acts each. The next one often has the same beginning.
#[derive(Default)]
pub struct Stations {
    acts: Vec<u16>,
    list: Vec<(usize, Item)>,
}

impl Item {
    /// A copy, if the machine is in its state.
    fn copy(&self, machine: &mut Machine) -> Item {
        Item {
            snapshot: machine.snapshot(),
            ghost: self.ghost.clone(),
            plan: self.plan.clone(),
            earlier: self.earlier,
            id: self.id,
            depth: self.depth,
            prefix: None,
            share: self.share,
            left: None,
        }
    }
}

impl Round<'_> {
    /// Whether there would be no room left for the graph if the search went on; notes when memory becomes scarce.
    pub(crate) fn is_short_of_memory(&self, states: u64) -> bool {
        if states > MOST_STATES {
            return true;
        }
        let Some(most) = self.options.max_memory else { return false };
        let room = Graph::room(states, self.edges.load(Ordering::Relaxed));
        let needed = self.progress.memory.load(Ordering::Relaxed) + room;
        if needed > most / 2 {
            self.scarce.store(true, Ordering::Relaxed);
        }
        needed > most
    }

    /// Of states that have to wait for long only the prefix is kept.
    pub(crate) fn relieve(&self, stack: &Stack<'_, Open>) {
        let ready = self.options.tuning.ready_states as usize;
        let mut oldest = Vec::new();
        stack.shrink(ready, |open| oldest.push(open.remembered()));
        lock(&self.remembered).append(&mut oldest);
    }
}

impl Explorer<'_, '_> {
    /// Puts edges away to where there is more room.
    pub(crate) fn put_away(&mut self) {
        if let Some(spill) = &self.round.options.spill {
            self.edges.put_away(&**spill);
        }
    }

    /// A state of which only the prefix was kept.
    pub(crate) fn again(&mut self, remembered: Remembered) -> Option<Item> {
        self.at = None;
        let acts = Prefix::acts(remembered.prefix.as_ref());
        let item = self.go_to(&acts);
        let item = item.filter(|item| self.visit(&item.ghost) == (remembered.id, false));
        // A worker that is told to stop does not go to the end of the prefix.
        if item.is_none() && !self.round.is_stopped() {
            self.round.lost.store(true, Ordering::Relaxed);
        }
        let Remembered { id, prefix, share, earlier, left } = remembered;
        item.map(|item| {
            let plan = if earlier > 0 { self.planner.everything() } else { item.plan };
            Item { id, prefix, share, earlier, left, plan, ..item }
        })
    }

    /// As `follow`, from the last station that the prefix has in common with the one before.
    pub(crate) fn go_to(&mut self, acts: &[u16]) -> Option<Item> {
        let common = self.stations.acts.iter().zip(acts).take_while(|(one, other)| one == other).count();
        while self.stations.list.last().is_some_and(|(length, _)| *length > common) {
            self.stations.list.pop();
        }
        self.stations.acts = acts.to_vec();
        if self.stations.list.is_empty() {
            self.machine = Machine::new(self.round.program.clone(), self.round.config.clone());
            let first = self.first()?;
            self.stations.list.push((0, first));
        }
        let (length, station) = self.stations.list.last()?;
        self.machine.restore(&station.snapshot);
        let (mut length, mut item) = (*length, station.copy(&mut self.machine));
        self.planner.look(&mut self.machine, &item.ghost.nodes, &item.ghost.elisions);
        let station = self.round.options.tuning.prefix_stride as usize;
        while length < acts.len() {
            let next = acts.len().min(length + station);
            item = self.follow_on(item, &acts[length..next])?;
            length = next;
            if length.is_multiple_of(station) {
                let copy = item.copy(&mut self.machine);
                self.stations.list.push((length, copy));
            }
        }
        Some(item)
    }
}
