//! Persistent sets: which of the possible steps have to be explored from a state.
//!
//! A set of threads is enough if nothing that the other threads may do before it acts (their summaries) can meet what
//! its threads are about to do: a persistent set. The smallest one that is found quickly is taken. `docs/search.md` has
//! the argument why this keeps every violation.
//!
//! A thread that can no longer influence any other one is an observer. Whatever goes wrong in one goes wrong without
//! the others, so only one of them has to be interleaved with the rest; the others are put off until no other thread
//! can act. Which one is watched is settled when the first acts that could as well have waited.

mod counts;
mod observers;

use crate::Options;
use crate::states::store_elision::{self, Elision, Elisions};
use crate::states::summaries::{Gates, NodeId, Summaries, Summary, UNKNOWN};
use selvedge_machine::{Footprint, Machine, Pick, Span, Wanted, Word, is_spurious};
use selvedge_trace::Reduction;
use selvedge_trace::mutants::{Mutant, mutant};
use smallvec::SmallVec;
use std::cell::OnceCell;

/// Something that can be done in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Act {
    pub pick: Pick,
    /// The thread's store is left out: it has been overwritten in the meantime.
    pub left_out: bool,
}

/// What has to be explored from a state.
#[derive(Clone, Debug, Default)]
pub struct PersistentSet {
    /// In this order.
    pub acts: SmallVec<[Act; 4]>,
    /// Nothing was left away.
    pub full: bool,
    /// Observers among the threads that act: the first of them to act becomes the one that is watched.
    pub observers: SmallVec<[usize; 4]>,
    /// A thread stores here that could also go on without storing: that is put off.
    pub puts_off: bool,
}

/// How much is left away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// As much as keeps every violation.
    Safety,
    /// As much as keeps every view, and what is true at the end of the program: when it ends matters too.
    Views,
    /// As much as keeps every partial order of conflicting steps, whatever they read and write.
    Orders,
    None,
}

/// A thread as the planner sees it.
#[derive(Default)]
struct View {
    live: bool,
    picks: (usize, usize),
    /// Some of its picks is no spurious wake-up.
    acts: bool,
    pending: Footprint,
    node: NodeId,
    buffered: SmallVec<[Span; 4]>,
    elision: Elision,
    store: Option<Span>,
    /// Some of `pending` writes what is there already.
    idle: bool,
    /// Put off until no other thread can act.
    postponed: bool,
    /// By which its end is known.
    handle: u64,
}

impl View {
    fn enabled(&self) -> bool {
        self.picks.0 < self.picks.1
    }
}

/// Makes plans; keeps its tables from one to the next.
#[derive(Default)]
pub struct PersistentSets {
    views: Vec<View>,
    picks: Vec<Pick>,
    live: Vec<usize>,
    members: Vec<bool>,
    /// Words and between what values they stay as long as no member acts, once that was asked.
    gates: OnceCell<Gates>,
    buffered: Vec<(u64, u8)>,
    /// A thread that is about to take a lock that is held, and would only wait for it, waits there.
    patient: bool,
    /// Whether steps conflict depends on what they read and write, too.
    by_value: bool,
    /// All observers but one are put off.
    observers: bool,
    /// A persistent set is searched for from at most so many threads.
    most_seeds: usize,
}

impl PersistentSets {
    /// A planner for a search that leaves so much away.
    pub fn new(level: Level, options: &Options) -> Self {
        let patient = matches!(level, Level::Safety | Level::Orders);
        let by_value = level != Level::Orders;
        let observers = level == Level::Safety && options.reductions.has(Reduction::Observers);
        let most_seeds = options.tuning.persistent_seeds as usize;
        PersistentSets { patient, by_value, observers, most_seeds, ..PersistentSets::default() }
    }

    /// Looks at a state: what can happen, what each thread is about to do. No picks: the execution is over.
    pub fn look(&mut self, machine: &mut Machine, nodes: &[NodeId], elisions: &Elisions) {
        machine.picks(&mut self.picks);
        // Grouped by thread, so that each thread's picks lie together; the machine lists commits last.
        self.picks.sort_by_key(|pick| crate::kit::step::thread_of(*pick));
        let count = machine.threads().len();
        self.views.resize_with(count, View::default);
        self.live.clear();
        let mut next = 0;
        for index in 0..count {
            let first = next;
            while self.picks.get(next).is_some_and(|pick| crate::kit::step::thread_of(*pick).index() == index)
            {
                next += 1;
            }
            let view = &mut self.views[index];
            view.picks = (first, next);
            view.acts = self.picks[first..next].iter().any(|&pick| !is_spurious(pick));
            view.live = !machine.threads()[index].is_finished();
            if !view.live {
                continue;
            }
            self.live.push(index);
            machine.probe().pending_footprint(index, &mut view.pending);
            view.node = nodes.get(index).copied().unwrap_or(UNKNOWN);
            view.elision = elisions.of(index);
            view.store = store_elision::store_of(machine, index);
            (view.postponed, view.handle) = (false, machine.inspect().handle(index));
            let idle = |span: &Span| {
                span.value.is_some()
                    && machine.probe().value_at(span.start, span.end - span.start) == span.value
            };
            view.idle = view.pending.spans.iter().any(idle);
            self.buffered.clear();
            machine.inspect().buffered(index, &mut self.buffered);
            let span = |&(start, len): &(u64, u8)| Span {
                start,
                end: start + u64::from(len),
                read: false,
                write: true,
                plain: false,
                value: None,
                adds: None,
            };
            view.buffered = self.buffered.iter().map(span).collect();
        }
        if self.patient {
            self.hold_back();
        }
    }

    /// A thread that would only find out that it has to wait for a lock need not be explored: it is as if it waited
    /// already. Unless no other thread can act, so that the search sees what all of them wait for.
    fn hold_back(&mut self) {
        let waits = |view: &View| view.enabled() && view.pending.fails && !view.pending.passes;
        let (mut waiting, mut free) = (false, false);
        for &index in &self.live {
            let view = &self.views[index];
            waiting |= waits(view);
            free |= view.acts && !waits(view);
        }
        if !waiting || !free {
            return;
        }
        let views = &self.views;
        self.picks.retain(|pick| !waits(&views[crate::kit::step::thread_of(*pick).index()]));
        let mut next = 0;
        for (index, view) in self.views.iter_mut().enumerate() {
            let first = next;
            while self.picks.get(next).is_some_and(|pick| crate::kit::step::thread_of(*pick).index() == index)
            {
                next += 1;
            }
            view.picks = (first, next);
            view.acts &= view.enabled();
        }
    }

    /// Under a model with buffers a store goes to the thread's own buffer, which no other thread notices; but whether
    /// two accesses race is seen before. So a store that may be part of a race is treated as if it went to memory.
    pub fn mind_races(&mut self, summaries: &Summaries) {
        for at in 0..self.live.len() {
            let index = self.live[at];
            let races = |later: &Span| {
                self.live.iter().any(|&other| {
                    other != index
                        && summaries.whole(self.views[other].node).is_none_or(|theirs| {
                            theirs.everything || theirs.meeting(*later).any(|span| span.plain || later.plain)
                        })
                })
            };
            let seen: SmallVec<[Span; 2]> =
                self.views[index].pending.later.iter().copied().filter(|later| races(later)).collect();
            self.views[index].pending.spans.extend(seen);
        }
    }

    /// What the threads are about to do: (thread, footprint), of all that have not ended.
    pub fn pending(&self) -> impl Iterator<Item = (usize, &Footprint)> {
        self.live.iter().map(|&index| (index, &self.views[index].pending))
    }

    /// All that can happen.
    pub fn possible(&self) -> &[Pick] {
        &self.picks
    }

    /// Nothing can happen any more.
    pub fn is_over(&self) -> bool {
        self.picks.is_empty()
    }

    /// What has to be explored, if this observer is watched. `look` must have been called for this state.
    pub fn persistent_set(
        &mut self,
        machine: &mut Machine,
        summaries: &Summaries,
        level: Level,
        watched: Option<usize>,
    ) -> PersistentSet {
        let mut best = self.everything();
        if level == Level::None || best.acts.len() <= 1 {
            return best;
        }
        let strict = level == Level::Views;
        for &index in &self.live {
            let view = &mut self.views[index];
            view.pending.everything |= summaries.meets_everything(view.node);
        }
        if watched.is_some() {
            self.postpone(summaries, watched);
            let waits = |view: &View| view.enabled() && view.postponed;
            if self.live.iter().any(|&index| waits(&self.views[index])) {
                let mut acts = SmallVec::new();
                for &index in self.live.iter().filter(|&&index| !self.views[index].postponed) {
                    self.all_acts(index, &mut acts);
                }
                // Spurious wake-ups need not come.
                if acts.iter().all(|act| is_spurious(act.pick))
                    && let Some(&first) = self.live.iter().find(|&&index| waits(&self.views[index]))
                {
                    self.all_acts(first, &mut acts);
                }
                best = PersistentSet { acts, ..PersistentSet::default() };
                if best.acts.len() <= 1 {
                    return best;
                }
            }
        }
        let candidates: SmallVec<[usize; 16]> = {
            let possible = |&index: &usize| {
                let view = &self.views[index];
                let ends = view.pending.exits && !mutant(Mutant::EarlyEnd);
                // Spurious wake-ups need not come: a state in which they alone are possible is a deadlock.
                view.acts && !ends && !view.postponed
            };
            self.live.iter().copied().filter(possible).collect()
        };
        // What a thread does with itself alone comes first and by itself, even before its buffered stores.
        for &index in &candidates {
            if let Some(act) = self.private_act(summaries, index) {
                return PersistentSet { acts: SmallVec::from_slice(&[act]), ..PersistentSet::default() };
            }
        }
        self.members.clear();
        self.members.resize(self.views.len(), false);
        self.gates.take();
        let mut seeds: SmallVec<[usize; 8]> = SmallVec::new();
        for &index in &candidates {
            self.members[index] = true;
            self.gates.take();
            let meets = self
                .live
                .iter()
                .any(|&other| other != index && self.meets(machine, summaries, strict, index, other));
            if !meets {
                let plan = self.acts(machine, summaries, strict, index);
                if plan.acts.len() < best.acts.len() {
                    best = plan;
                }
                if best.acts.len() == 1 {
                    return best;
                }
            } else if seeds.len() < self.most_seeds {
                seeds.push(index);
            }
            self.members[index] = false;
        }
        for &seed in &seeds {
            self.members.fill(false);
            if self.close(machine, summaries, strict, seed) {
                let plan = self.acts(machine, summaries, strict, seed);
                if !plan.acts.is_empty() && plan.acts.len() < best.acts.len() {
                    best = plan;
                }
            }
        }
        if self.observers && watched.is_none() {
            self.note_observers(summaries, &mut best);
        }
        best
    }

    /// All that can happen.
    pub fn everything(&self) -> PersistentSet {
        let mut acts = SmallVec::new();
        for &index in &self.live {
            self.all_acts(index, &mut acts);
        }
        PersistentSet { acts, full: true, ..PersistentSet::default() }
    }

    fn all_acts(&self, index: usize, into: &mut SmallVec<[Act; 4]>) {
        let view = &self.views[index];
        for &pick in &self.picks[view.picks.0..view.picks.1] {
            if view.elision != Elision::Open {
                into.push(Act { pick, left_out: true });
            }
            if view.elision != Elision::Asleep {
                into.push(Act { pick, left_out: false });
            }
        }
    }

    /// A step of a thread that touches nothing that another could ever notice.
    fn private_act(&self, summaries: &Summaries, index: usize) -> Option<Act> {
        let view = &self.views[index];
        let pending = &view.pending;
        let alone = pending.spans.iter().all(|span| self.stays(summaries, index, span))
            && !pending.everything
            && view.node != UNKNOWN
            && view.elision == Elision::Open
            && summaries.tails(view.node).is_empty();
        let mut steps =
            self.picks[view.picks.0..view.picks.1].iter().filter(|pick| matches!(pick, Pick::Step { .. }));
        match (alone, steps.next(), steps.next()) {
            (true, Some(&pick), None) => Some(Act { pick, left_out: false }),
            _ => None,
        }
    }

    /// Whether something of a thread's step is only that an object has to be there, and no other thread can end it.
    fn stays(&self, summaries: &Summaries, index: usize, span: &Span) -> bool {
        let ends = |&&other: &&usize| {
            let whole = summaries.whole(self.views[other].node);
            other != index && whole.is_none_or(|whole| whole.everything || whole.meeting(*span).any(|_| true))
        };
        span.is_lifetime() && !self.live.iter().any(|other| ends(&other))
    }

    /// Adds to the members all threads that they may meet, beginning with one. False if that cannot be a persistent set
    /// smaller than everything.
    fn close(&mut self, machine: &mut Machine, summaries: &Summaries, strict: bool, seed: usize) -> bool {
        let mut work: SmallVec<[usize; 16]> = SmallVec::from_slice(&[seed]);
        self.members[seed] = true;
        self.gates.take();
        while let Some(member) = work.pop() {
            for at in 0..self.live.len() {
                let other = self.live[at];
                if !self.members[other] && self.meets(machine, summaries, strict, member, other) {
                    if self.views[other].pending.exits && self.views[other].enabled() {
                        return false;
                    }
                    self.members[other] = true;
                    self.gates.take();
                    work.push(other);
                }
            }
        }
        true
    }

    /// Whether something that `other` may do, as long as no member acts, can meet what `member` is about to do.
    fn meets(
        &self,
        machine: &mut Machine,
        summaries: &Summaries,
        strict: bool,
        member: usize,
        other: usize,
    ) -> bool {
        let theirs = &self.views[other];
        if theirs.postponed {
            return false;
        }
        if self.views[member].elision == Elision::Asleep {
            // It goes on without storing, unless another thread ends the sleep of its store.
            let own = &self.views[member];
            let whole = summaries.whole(theirs.node);
            let tails = summaries.tails(own.node).iter().any(|&tail| {
                whole.is_none_or(|whole| {
                    whole.everything || whole.meeting(tail).any(|span| tail.conflicts(span))
                })
            });
            return tails || own.store.is_none_or(|store| self.wakes(machine, summaries, other, &store));
        }
        if theirs.buffered.iter().any(|span| self.touches(machine, member, span)) {
            return true;
        }
        let Some(whole) = summaries.whole(theirs.node) else { return self.does_something(summaries, member) };
        if theirs.elision == Elision::Asleep {
            // It cannot store before a thread reads, and goes on without.
            let after = summaries
                .after(theirs.node)
                .is_none_or(|after| self.summary_meets(machine, summaries, strict, member, after));
            let own = theirs.store.is_some_and(|store| {
                self.touches(machine, member, &store)
                    && self.woken_by_others(machine, summaries, other, &store)
            });
            return after || own;
        }
        if !self.summary_meets(machine, summaries, strict, member, whole) {
            return false;
        }
        // It may have to wait for a member before it can do that, or do it only with other values of some words.
        let all = self.gates(machine, summaries).clone();
        let gates = summaries.gates_at(theirs.node, &all);
        let within = |until| summaries.within(theirs.node, until, &gates);
        if !gates.is_empty() && !self.summary_meets(machine, summaries, strict, member, &within(None)) {
            return false;
        }
        !summaries.waits(theirs.node).iter().any(|&wanted| {
            self.has_member(machine, summaries, wanted, Some(&all))
                && !self.summary_meets(machine, summaries, strict, member, &within(Some(wanted)))
        })
    }

    /// Whether only members can provide what a thread waits for. It has to lie where others know it: memory that is private to a
    /// thread may become anything without a step that others see.
    fn has_member(
        &self,
        machine: &mut Machine,
        summaries: &Summaries,
        wanted: Wanted,
        gates: Option<&Gates>,
    ) -> bool {
        match wanted {
            Wanted::Word(word) => {
                machine.inspect().is_sequential()
                    && machine.probe().is_known(word.address, u64::from(word.size))
                    && !machine.probe().holds(word)
                    && self.keeps(summaries, word, gates)
            }
            Wanted::Mutex(address) if !machine.probe().is_known(address, 1) => false,
            Wanted::Mutex(_) if mutant(Mutant::FreeLockAwaited) => true,
            _ => machine.probe().has_wanted(wanted).is_some_and(|thread| self.members[thread.index()]),
        }
    }

    /// Whether a word keeps its value as long as no member acts: no other thread writes to it, unless it waits for
    /// another value of it first.
    fn keeps(&self, summaries: &Summaries, word: Word, gates: Option<&Gates>) -> bool {
        let mut others = self.live.iter().filter(|&&index| !self.members[index]);
        others.all(|&index| {
            let view = &self.views[index];
            if mutant(Mutant::AwaitedWordKept) {
                return true;
            }
            if view.node == UNKNOWN || !view.buffered.is_empty() {
                return false;
            }
            let gates = gates.map(|gates| summaries.gates_at(view.node, gates)).unwrap_or_default();
            let until = summaries.within(view.node, Some(Wanted::Word(word)), &gates);
            !until.everything && !until.spans.iter().any(|span| span.write && word.meets(span))
        })
    }

    /// Whether a thread that is no member may end the sleep of a store, other than the one that is before it.
    fn woken_by_others(
        &self,
        machine: &mut Machine,
        summaries: &Summaries,
        but: usize,
        store: &Span,
    ) -> bool {
        self.live.iter().any(|&index| {
            index != but && !self.members[index] && self.wakes(machine, summaries, index, store)
        })
    }

    /// Whether a thread may end the sleep of a store before some member acts: by reading (or writing in part) what is stored,
    /// or by coming before a further store.
    fn wakes(&self, machine: &mut Machine, summaries: &Summaries, other: usize, store: &Span) -> bool {
        let view = &self.views[other];
        if view.postponed {
            return false;
        }
        let (Some(whole), Some(after)) = (summaries.whole(view.node), summaries.after(view.node)) else {
            return true;
        };
        let reads = |summary: &Summary| {
            summary.everything || summary.meeting(*store).any(|span| span.read || !span.covers(store))
        };
        let stores = |summary: &Summary| summary.everything || summary.meeting(*store).any(|span| span.write);
        if !reads(whole) && !stores(after) {
            return false;
        }
        !summaries.waits(view.node).iter().any(|&wanted| {
            self.has_member(machine, summaries, wanted, None) && {
                let until = summaries.until(view.node, wanted);
                !reads(&until) && !stores(&until)
            }
        })
    }

    fn does_something(&self, summaries: &Summaries, member: usize) -> bool {
        let view = &self.views[member];
        view.pending.everything
            || !view.pending.spans.is_empty()
            || !view.buffered.is_empty()
            || !summaries.tails(view.node).is_empty()
    }

    fn summary_meets(
        &self,
        machine: &mut Machine,
        summaries: &Summaries,
        strict: bool,
        member: usize,
        summary: &Summary,
    ) -> bool {
        if strict && summary.exits {
            return true;
        }
        let view = &self.views[member];
        if view.pending.everything {
            return summary.everything || !summary.spans.is_empty();
        }
        if summary.everything {
            return self.does_something(summaries, member);
        }
        let moves = summaries.tails(view.node).iter().chain(&view.buffered);
        moves.copied().any(|own| summary.meeting(own).any(|span| own.conflicts(span)))
            || view.pending.spans.iter().any(|&own| {
                summary.meeting(own).any(|span| {
                    self.notices(machine, view, &own, span)
                        && (strict || !self.only_count(machine, summaries, &own, span))
                })
            })
    }

    /// Whether what a member is about to do meets a span of a thread's summary.
    fn touches(&self, machine: &mut Machine, member: usize, span: &Span) -> bool {
        let view = &self.views[member];
        if view.pending.everything {
            return true;
        }
        view.pending.spans.iter().any(|own| self.notices(machine, view, own, span))
    }

    /// Whether the order of something that a thread is about to do and something of another thread's summary matters.
    fn notices(&self, machine: &mut Machine, view: &View, own: &Span, span: &Span) -> bool {
        if !own.conflicts(span) || !self.by_value {
            return own.conflicts(span);
        }
        // A store of the value that is there already changes nothing for reads, and two stores of the same value change
        // nothing for each other. Plain accesses race all the same.
        let plain = (own.plain || span.plain) && !mutant(Mutant::EqualPlainStores);
        let same = (own.start, own.end) == (span.start, span.end) && !plain;
        if same && !own.read && !span.read && own.value.is_some() && own.value == span.value {
            return false;
        }
        let present = match same && (view.idle || span.value.is_some()) {
            true => machine.probe().value_at(own.start, own.end - own.start),
            false => None,
        };
        let writes = |span: &Span| span.write && (span.value.is_none() || span.value != present);
        !same || writes(own) || writes(span)
    }

    /// What the members do; `root` is the one for which the set was made.
    fn acts(&self, machine: &mut Machine, summaries: &Summaries, strict: bool, root: usize) -> PersistentSet {
        let mut plan = PersistentSet::default();
        for &index in &self.live {
            let view = &self.views[index];
            let member = self.members[index] || index == root;
            if !member || !view.enabled() {
                continue;
            }
            // Going on without storing can wait, if what comes after it meets nothing here; but one thread of the set
            // must be explored with all that it can do.
            let waits = index != root
                && view.elision == Elision::Elidable
                && summaries.after(view.node).is_some_and(|after| {
                    !self.live.iter().any(|&other| {
                        other != index
                            && (self.members[other] || other == root)
                            && self.summary_meets(machine, summaries, strict, other, after)
                    })
                });
            match waits {
                true => {
                    let picks = &self.picks[view.picks.0..view.picks.1];
                    plan.acts.extend(picks.iter().map(|&pick| Act { pick, left_out: false }));
                    plan.puts_off = true;
                }
                false => self.all_acts(index, &mut plan.acts),
            }
        }
        plan
    }
}
