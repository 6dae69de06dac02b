//! What threads may still do from each place of their trees on.

use super::bits::Rows;
use super::values::Values;
use crate::act::{Act, Space};
use crate::cells::{CellId, Cells};
use crate::tree::{End, NodeId, TreeEvent, Trees};
use rustc_hash::FxHashMap;
use selvedge_terms::Term;

/// So many threads and pieces of memory are looked at.
const MOST_THREADS: usize = 64;
const MOST_CELLS: usize = 4_096;
/// So many words may be kept of what may still happen.
const MOST_WORDS: usize = 1 << 23;

/// The trees have no states to search: they are too large, or threads do what states do not tell.
pub(super) struct Beyond;

/// What the search has to know of an event.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// The pieces of memory that it accesses.
    pub(super) pieces: Vec<CellId>,
    /// The lock that it is about.
    pub(super) lock: Option<usize>,
    /// The queue of threads that wait that it is about.
    pub(super) queue: Option<usize>,
    /// What it lets go.
    pub(super) lets_go: Option<usize>,
    /// What must not have gone before it.
    pub(super) needs: Vec<usize>,
}

/// Memory or a lock that goes away.
struct Going {
    start: u64,
    end: u64,
    extent: u8,
    event: TreeEvent,
}

/// What the search has to know of the trees. Pieces of memory and locks keep their numbers when the trees grow.
pub(super) struct Outline {
    cells: Cells,
    locks: FxHashMap<u64, usize>,
    queues: FxHashMap<u64, usize>,
    going: Vec<Going>,
    pub(super) facts: Vec<Facts>,
    /// For how many events it was computed what may still happen, and how kinds were numbered.
    computed: Option<(usize, Layout)>,
    /// What may happen from an event on, and after the events of a node.
    future: Rows,
    after: Rows,
    /// What must not happen before an event for it to make no difference whether that comes before it or after.
    conflicts: Rows,
    /// What a step needs that cannot be performed now.
    enables: Rows,
    /// The reads that matter from an event on, and after the events of a node.
    live: Rows,
    live_after: Rows,
    /// Threads that are joined before the end of the program, wherever that is below.
    joined: Vec<u64>,
    joined_after: Vec<u64>,
}

/// Kinds of things that happen, with the number of the thread or object that it is about.
#[derive(Clone, Copy)]
enum Kind {
    Reads(usize),
    Writes(usize),
    Takes(usize),
    Shares(usize),
    Gives(usize),
    FindsTaken(usize),
    Needs(usize),
    LetsGo(usize),
    Starts(usize),
    Waits(usize),
    Notifies(usize),
}

/// How the kinds are numbered.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Layout {
    cells: usize,
    locks: usize,
    going: usize,
    threads: usize,
    queues: usize,
}

impl Layout {
    fn bit(self, kind: Kind) -> usize {
        let locks = self.cells * 2;
        let going = locks + self.locks * 4;
        let starts = going + self.going * 2;
        match kind {
            Kind::Reads(cell) => cell * 2,
            Kind::Writes(cell) => cell * 2 + 1,
            Kind::Takes(lock) => locks + lock * 4,
            Kind::Shares(lock) => locks + lock * 4 + 1,
            Kind::Gives(lock) => locks + lock * 4 + 2,
            Kind::FindsTaken(lock) => locks + lock * 4 + 3,
            Kind::Needs(gone) => going + gone * 2,
            Kind::LetsGo(gone) => going + gone * 2 + 1,
            Kind::Starts(thread) => starts + thread,
            Kind::Waits(queue) => starts + self.threads + queue * 2,
            Kind::Notifies(queue) => starts + self.threads + queue * 2 + 1,
        }
    }

    fn len(self) -> usize {
        self.cells * 2 + self.locks * 4 + self.going * 2 + self.threads + self.queues * 2
    }
}

impl Outline {
    /// Of trees as they are.
    pub(super) fn new(trees: &Trees, values: &mut Values) -> Result<Self, Beyond> {
        let accesses = trees.events.iter().filter_map(|event| event.act.access());
        let mut outline = Outline {
            cells: Cells::new(accesses.map(|access| (access.space, access.at))),
            locks: FxHashMap::default(),
            queues: FxHashMap::default(),
            going: Vec::new(),
            facts: Vec::new(),
            computed: None,
            future: Rows::default(),
            after: Rows::default(),
            conflicts: Rows::default(),
            enables: Rows::default(),
            live: Rows::default(),
            live_after: Rows::default(),
            joined: Vec::new(),
            joined_after: Vec::new(),
        };
        outline.grow(trees, values)?;
        Ok(outline)
    }

    /// Looks at what the trees have got. What may still happen is computed again when there is much that is new; until then
    /// anything may happen from there on, and what comes before does not know of it.
    pub(super) fn grow(&mut self, trees: &Trees, values: &mut Values) -> Result<(), Beyond> {
        let (known, going) = (self.facts.len(), self.going.len());
        for index in self.facts.len()..trees.events.len() {
            let facts = self.look_at(trees, TreeEvent(index as u32))?;
            self.facts.push(facts);
        }
        if trees.threads.len() > MOST_THREADS || self.cells.len() > MOST_CELLS {
            return Err(Beyond);
        }
        self.look_at_what_goes(trees, if self.going.len() > going { 0 } else { known });
        let layout = self.layout(trees);
        if self
            .computed
            .is_some_and(|(events, before)| before == layout && events + events / 8 + 32 > trees.events.len())
        {
            return Ok(());
        }
        if (trees.events.len() + trees.nodes.len()).saturating_mul(layout.len().div_ceil(64)) > MOST_WORDS {
            return Err(Beyond);
        }
        self.compute(trees, values, layout);
        self.computed = Some((trees.events.len(), layout));
        Ok(())
    }

    fn look_at(&mut self, trees: &Trees, id: TreeEvent) -> Result<Facts, Beyond> {
        let mut facts = Facts::default();
        let act = &trees.events[id.index()].act;
        match *act {
            Act::Access(access) => {
                facts.pieces = self.cells.of(access.space, access.at).ok_or(Beyond)?;
            }
            Act::Acquire { lock, .. } | Act::Release { lock, .. } | Act::Busy { lock, .. } => {
                facts.lock = Some(number(&mut self.locks, lock));
            }
            Act::Destroy { .. } | Act::Free { .. } => {
                let (start, end) = act.needs().unwrap_or_default();
                facts.lets_go = Some(self.going.len());
                self.going.push(Going { start, end, extent: extent(act), event: id });
            }
            Act::Wake { expired: true, .. } => return Err(Beyond),
            Act::Wait { queue, lock } | Act::Wake { queue, lock, .. } => {
                facts.queue = Some(number(&mut self.queues, queue));
                facts.lock = lock.map(|lock| number(&mut self.locks, lock));
            }
            Act::Notify { queue, .. } => facts.queue = Some(number(&mut self.queues, queue)),
            Act::Fence(_) | Act::Fork { .. } | Act::Join { .. } | Act::Exit | Act::End => {}
        }
        Ok(facts)
    }

    /// Which events need what others let go, from an event on: as the constraint system has it.
    fn look_at_what_goes(&mut self, trees: &Trees, from: usize) {
        if self.going.is_empty() {
            return;
        }
        for (event, facts) in trees.events.iter().zip(&mut self.facts).skip(from) {
            let Some((start, end)) = event.act.needs() else { continue };
            let memory = event.act.access().is_some_and(|access| access.space == Space::Memory);
            let own = extent(&event.act);
            let others = self.going.iter().enumerate().filter(|(_, going)| {
                trees.events[going.event.index()].thread != event.thread
                    && start < going.end
                    && going.start < end
                    && going.extent >= own
                    && !(memory && going.extent == 1)
            });
            facts.needs = others.map(|(number, _)| number).collect();
        }
    }

    fn compute(&mut self, trees: &Trees, values: &mut Values, layout: Layout) {
        let (events, nodes) = (trees.events.len(), trees.nodes.len());
        let symbols = trees.terms.all_symbols().count();
        (self.future, self.after) = (Rows::new(events, layout.len()), Rows::new(nodes, layout.len()));
        (self.conflicts, self.enables) = (Rows::new(events, layout.len()), Rows::new(events, layout.len()));
        (self.live, self.live_after) = (Rows::new(events, symbols), Rows::new(nodes, symbols));
        (self.joined, self.joined_after) = (vec![u64::MAX; events], vec![u64::MAX; nodes]);
        let guarded = self.guarded(trees);
        // Children come after their parents.
        for (index, node) in trees.nodes.iter().enumerate().rev() {
            if let End::Decision { children, .. } = &node.end {
                for &child in children {
                    let (future, live) =
                        (self.future_of(trees, child).to_vec(), self.live_of(trees, child).to_vec());
                    self.after.add(index, &future);
                    self.live_after.add(index, &live);
                    self.joined_after[index] &= self.joined_of(trees, child);
                    let condition = trees.nodes[child.index()].condition;
                    condition
                        .into_iter()
                        .for_each(|term| uses(trees, values, &mut self.live_after, index, term));
                }
            }
            for (place, &event) in node.events.iter().enumerate().rev() {
                match node.events.get(place + 1) {
                    Some(next) => {
                        self.future.join(event.index(), next.index());
                        self.live.join(event.index(), next.index());
                        self.joined[event.index()] = self.joined[next.index()];
                    }
                    None => {
                        self.future.add(event.index(), self.after.row(index));
                        self.live.add(event.index(), self.live_after.row(index));
                        self.joined[event.index()] = self.joined_after[index];
                    }
                }
                self.look_ahead(trees, values, event, layout, &guarded);
            }
        }
    }

    /// What an event itself does.
    fn look_ahead(
        &mut self,
        trees: &Trees,
        values: &mut Values,
        id: TreeEvent,
        layout: Layout,
        guarded: &[bool],
    ) {
        let (index, event) = (id.index(), &trees.events[id.index()]);
        let facts = &self.facts[index];
        let mut does = Vec::new();
        let mut conflicts = Vec::new();
        let mut enables = Vec::new();
        match &event.act {
            Act::Access(access) => {
                for cell in facts.pieces.iter().map(|cell| cell.0) {
                    if access.reads.is_some() {
                        does.push(Kind::Reads(cell));
                        enables.push(Kind::Writes(cell));
                    }
                    if access.writes.is_some() {
                        does.push(Kind::Writes(cell));
                    }
                    if !guarded[cell] {
                        conflicts.push(Kind::Writes(cell));
                        conflicts.extend(access.writes.map(|_| Kind::Reads(cell)));
                    }
                }
                for term in access.writes.into_iter().chain(access.guard) {
                    uses(trees, values, &mut self.live, index, term);
                }
            }
            Act::Acquire { shared, .. } => {
                if let Some(lock) = facts.lock {
                    does.push(if *shared { Kind::Shares(lock) } else { Kind::Takes(lock) });
                    conflicts.extend([Kind::Takes(lock), Kind::FindsTaken(lock)]);
                    conflicts.extend((!shared).then_some(Kind::Shares(lock)));
                    enables.push(Kind::Gives(lock));
                }
            }
            // No other thread gets the lock before it is given back.
            Act::Release { .. } => {
                if let Some(lock) = facts.lock {
                    does.push(Kind::Gives(lock));
                    conflicts.push(Kind::FindsTaken(lock));
                }
            }
            Act::Busy { .. } => {
                if let Some(lock) = facts.lock {
                    does.push(Kind::FindsTaken(lock));
                    conflicts.push(Kind::Gives(lock));
                    enables.extend([Kind::Takes(lock), Kind::Shares(lock)]);
                }
            }
            Act::Wait { .. } => {
                if let Some(lock) = facts.lock {
                    does.push(Kind::Gives(lock));
                    conflicts.push(Kind::FindsTaken(lock));
                }
                if let Some(queue) = facts.queue {
                    does.push(Kind::Waits(queue));
                    conflicts.push(Kind::Notifies(queue));
                }
            }
            // A thread that was notified does not wait any more: the next one to be notified is another thread.
            Act::Wake { .. } => {
                if let Some(lock) = facts.lock {
                    does.push(Kind::Takes(lock));
                    conflicts.extend([Kind::Takes(lock), Kind::Shares(lock), Kind::FindsTaken(lock)]);
                    enables.push(Kind::Gives(lock));
                }
                enables.extend(facts.queue.map(Kind::Notifies));
            }
            Act::Notify { .. } => {
                if let Some(queue) = facts.queue {
                    does.push(Kind::Notifies(queue));
                    conflicts.extend([Kind::Waits(queue), Kind::Notifies(queue)]);
                }
            }
            Act::Fork { thread } => does.push(Kind::Starts(*thread)),
            Act::Join { thread } => self.joined[index] |= 1 << thread,
            Act::Exit => self.joined[index] = 0,
            _ => {}
        }
        for &gone in &facts.needs {
            does.push(Kind::Needs(gone));
            conflicts.push(Kind::LetsGo(gone));
        }
        if let Some(gone) = facts.lets_go {
            does.push(Kind::LetsGo(gone));
            conflicts.push(Kind::Needs(gone));
        }
        does.into_iter().for_each(|kind| self.future.set(index, layout.bit(kind)));
        conflicts.into_iter().for_each(|kind| self.conflicts.set(index, layout.bit(kind)));
        enables.into_iter().for_each(|kind| self.enables.set(index, layout.bit(kind)));
        // What belongs to the same step conflicts as it does.
        for next in trees.nexts(id) {
            if trees.events[next.index()].leader == event.leader {
                self.conflicts.join(index, next.index());
            }
        }
    }

    /// For each piece of memory: whether one lock is held at every access to it.
    fn guarded(&self, trees: &Trees) -> Vec<bool> {
        let mut guards: Vec<Option<Vec<u64>>> = vec![None; self.cells.len()];
        for (locks, facts) in trees.held().iter().zip(&self.facts) {
            for cell in &facts.pieces {
                match &mut guards[cell.0] {
                    Some(guard) => guard.retain(|lock| locks.contains(lock)),
                    none => *none = Some(locks.clone()),
                }
            }
        }
        guards.into_iter().map(|guard| guard.is_some_and(|guard| !guard.is_empty())).collect()
    }

    fn layout(&self, trees: &Trees) -> Layout {
        Layout {
            cells: self.cells.len(),
            locks: self.locks.len(),
            going: self.going.len(),
            threads: trees.threads.len(),
            queues: self.queues.len(),
        }
    }

    /// How many pieces of memory there are.
    pub(super) fn cells(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn locks(&self) -> usize {
        self.locks.len()
    }

    pub(super) fn going(&self) -> usize {
        self.going.len()
    }

    /// By which event something goes.
    pub(super) fn goes_by(&self, number: usize) -> TreeEvent {
        self.going[number].event
    }

    pub(super) fn cell(&self, cell: CellId) -> crate::cells::Cell {
        self.cells.get(cell)
    }

    /// What may happen from the beginning of a node on.
    pub(super) fn future_of(&self, trees: &Trees, node: NodeId) -> &[u64] {
        match trees.nodes[node.index()].events.first() {
            Some(first) => self.future.row(first.index()),
            None => self.after.row(node.index()),
        }
    }

    /// What may happen from an event on.
    pub(super) fn future_from(&self, event: TreeEvent) -> &[u64] {
        self.future.row(event.index())
    }

    pub(super) fn future_after(&self, node: NodeId) -> &[u64] {
        self.after.row(node.index())
    }

    pub(super) fn conflicts(&self, event: TreeEvent) -> &[u64] {
        self.conflicts.row(event.index())
    }

    pub(super) fn enables(&self, event: TreeEvent) -> &[u64] {
        self.enables.row(event.index())
    }

    /// Whether a thread may be started.
    pub(super) fn starts(&self, trees: &Trees, future: &[u64], thread: usize) -> bool {
        let layout = self.layout(trees);
        let bit = layout.bit(Kind::Starts(thread));
        future[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Whether a piece of memory may be read.
    pub(super) fn is_read(future: &[u64], cell: usize) -> bool {
        let bit = cell * 2;
        future[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn live_of(&self, trees: &Trees, node: NodeId) -> &[u64] {
        match trees.nodes[node.index()].events.first() {
            Some(first) => self.live.row(first.index()),
            None => self.live_after.row(node.index()),
        }
    }

    pub(super) fn live_from(&self, event: TreeEvent) -> &[u64] {
        self.live.row(event.index())
    }

    pub(super) fn live_after(&self, node: NodeId) -> &[u64] {
        self.live_after.row(node.index())
    }

    pub(super) fn joined_of(&self, trees: &Trees, node: NodeId) -> u64 {
        match trees.nodes[node.index()].events.first() {
            Some(&first) => self.joined_from(first),
            None => self.joined_after(node),
        }
    }

    /// The threads that are joined before the end of the program, from an event on.
    pub(super) fn joined_from(&self, event: TreeEvent) -> u64 {
        self.joined.get(event.index()).copied().unwrap_or(0)
    }

    pub(super) fn joined_after(&self, node: NodeId) -> u64 {
        self.joined_after.get(node.index()).copied().unwrap_or(0)
    }
}

/// The number of something with a name.
fn number(numbers: &mut FxHashMap<u64, usize>, name: u64) -> usize {
    let next = numbers.len();
    *numbers.entry(name).or_insert(next)
}

/// How far an event lets something go: not at all, a lock or its like, memory with all that is in it.
fn extent(act: &Act) -> u8 {
    match act {
        Act::Free { .. } => 2,
        Act::Destroy { .. } => 1,
        _ => 0,
    }
}

/// An expression is needed.
fn uses(trees: &Trees, values: &mut Values, live: &mut Rows, row: usize, term: Term) {
    values.reads(&trees.terms, term).iter().for_each(|id| live.set(row, id.index()));
}
