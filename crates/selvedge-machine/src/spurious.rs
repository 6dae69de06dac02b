//! Spurious wake-ups: waits on condition variables and futexes that return although no thread has woken them.
//!
//! A correct program waits in a loop: a thread that wakes, takes the mutex, looks at its condition and waits again has
//! changed nothing (it has *stuttered*). Such wake-ups are left out: the machine tries the wake-up on the side, and
//! offers it only where the thread would do something else, or where another thread could act in between and make a
//! difference. `docs/search.md` has the claims and the argument.

use crate::footprint::{Footprint, Span, Wanted};
use crate::machine::{Machine, Pick, Stepped};
use crate::thread::{Status, Wait, Wake};
use crate::traits::{Trait, uses};
use rustc_hash::FxHashMap;
use selvedge_program::Program;
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{EventKind, Operation, Reduction, SPURIOUS, SyncObject, ThreadId};

/// Which spurious wake-ups are possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spurious {
    /// None.
    #[default]
    Off,
    /// All of them, at any time: for schedules that are given.
    All,
    /// At any time, but for those that are stutters.
    Pruned,
    /// Only at the moment when a thread begins to wait. A thread that comes back to the same wait in the same state
    /// after such a wake-up stays there for ever: the execution is not one that counts.
    AtWait,
}

/// A wake-up is tried for so many steps; one that takes longer is no stutter.
const LONGEST_TRIAL: u32 = 64;
/// Results that are kept before all of them are forgotten.
const MOST_KEPT: usize = 4096;

/// What a trial has shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trial {
    /// The wake-up has to be explored.
    matters: bool,
    /// All that the thread has touched, as far as the answer depends on it.
    touched: Footprint,
}

/// What a thread does between a spurious wake-up and the moment at which it is about to wait again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    /// A digest of its events since then.
    pub done: u64,
    /// The digest with which it is where it was before it waited, and nothing has changed.
    stutter: Option<u64>,
}

impl Round {
    fn is_stutter(self) -> bool {
        self.stutter == Some(self.done)
    }
}

/// What trials have shown, by state and thread.
#[derive(Default)]
pub(crate) struct Trials {
    known: FxHashMap<(u128, usize), Trial>,
    /// A trial is under way.
    trying: bool,
}

impl Wait {
    /// Whether it may end although no thread ends it.
    pub fn may_end_spuriously(self) -> bool {
        match self {
            Wait::Condition { .. } | Wait::Futex { .. } => true,
            Wait::Barrier { .. } | Wait::Assumption => false,
        }
    }
}

/// Whether a program may wait so that the wait may end for no reason, as far as its functions show.
pub fn may_wait(program: &Program) -> bool {
    uses(program, |traits| traits.has(Trait::WakesSpuriously)).is_some()
}

/// Whether it is a spurious wake-up.
pub fn is_spurious(pick: Pick) -> bool {
    matches!(pick, Pick::Step { alternative: SPURIOUS, .. })
}

impl Machine {
    /// Whether a spurious wake-up of a thread is one of the things that can happen next.
    pub(crate) fn wakes_spuriously(&mut self, index: usize) -> bool {
        let waits = match self.threads[index].status {
            Status::Waiting(wait) => wait.may_end_spuriously(),
            _ => false,
        };
        match self.config.spurious {
            Spurious::Off => false,
            Spurious::All => waits || self.begins_to_wait(index),
            Spurious::AtWait => self.begins_to_wait(index),
            Spurious::Pruned => waits && self.trial(index).is_none_or(|trial| trial.matters),
        }
    }

    /// Whether a thread is about to begin a wait that may end spuriously.
    fn begins_to_wait(&mut self, index: usize) -> bool {
        let Status::Ready(Operation { kind, .. }) = self.threads[index].status else { return false };
        let stuttered = self.threads[index].round.is_some_and(Round::is_stutter);
        let fresh = self.threads[index].wake.is_none() && self.model.graph().is_none() && !stuttered;
        fresh
            && match kind {
                EventKind::CondWait => true,
                EventKind::FutexWait => {
                    self.with_context(index, 0, crate::sync::finds_expected) == Some(true)
                }
                _ => false,
            }
    }

    /// Wakes a thread spuriously: one that waits, or one that is about to.
    pub(crate) fn wake_spuriously(&mut self, index: usize) -> Option<Stepped> {
        if let Status::Ready(_) = self.threads[index].status {
            let at_wait = self.config.spurious == Spurious::AtWait;
            let stutter = if at_wait && !self.trials.trying { self.round_from(index) } else { None };
            let stepped = self.run(index, true, 0);
            if stepped != Stepped::Stopped {
                return Some(stepped);
            }
            if at_wait {
                self.thread_mut(index).round = Some(Round { done: 0, stutter });
            }
        }
        let Status::Waiting(wait) = self.threads[index].status else { return None };
        if !wait.may_end_spuriously() {
            return None;
        }
        // No other thread has part in it, so the thread comes after nothing else than before.
        self.operational_acts(index);
        self.wake(index, Wake::Woken);
        match wait {
            // Returning concerns the thread alone.
            Wait::Futex { .. } => Some(self.run(index, true, 0)),
            // The mutex comes next.
            Wait::Condition { .. } | Wait::Barrier { .. } | Wait::Assumption => None,
        }
    }

    /// A thread begins to wait for real. One that has come round in vain stays there: the execution without that round is
    /// another one.
    pub(crate) fn began_to_wait(&mut self, index: usize, wait: Wait) {
        if let Some(round) = self.threads[index].round
            && wait.may_end_spuriously()
            && !self.trials.trying
        {
            let thread = self.thread_mut(index);
            thread.round = None;
            if round.is_stutter() {
                thread.status = Status::Waiting(Wait::Assumption);
            }
        }
    }

    /// What a thread that is about to wait would do, if it were woken spuriously and alone, until it is about to wait
    /// again with nothing changed, as a digest of its events. Nothing if it does not come back to this state, or does
    /// something in between that other threads may see, but for taking a lock and giving it back.
    fn round_from(&mut self, index: usize) -> Option<u64> {
        if self.tries_locks() {
            return None;
        }
        let before = self.stutter_hash();
        let start = self.threads[index].status.clone();
        let snapshot = self.snapshot();
        let effects = std::mem::take(&mut self.effects);
        let (frees, followed) = (self.free_calls, self.followed.take());
        self.trials.trying = true;
        let mut found = None;
        if self.wake_spuriously(index).is_none_or(|stepped| stepped == Stepped::Stopped) {
            found = self.come_round(index, before, &start);
        }
        self.trials.trying = false;
        self.restore(&snapshot);
        (self.effects, self.free_calls, self.followed) = (effects, frees, followed);
        found
    }

    fn come_round(&mut self, index: usize, before: u128, start: &Status) -> Option<u64> {
        let thread = ThreadId(index as u16);
        let mut own = Footprint::default();
        let mut locks: Vec<u64> = Vec::new();
        for _ in 0..LONGEST_TRIAL {
            let Status::Ready(operation) = self.threads[index].status else { return None };
            if self.threads[index].status == *start && self.stutter_hash() == before {
                return self.threads[index].round.map(|round| round.done);
            }
            self.probe().pending_footprint(index, &mut own);
            use EventKind::{
                Clock, CompareExchange, Fence, FutexWait, MutexLock, Read, ReadModifyWrite, Write, Yield,
            };
            let silent = match operation.kind {
                Read | Fence | MutexLock | FutexWait | Clock | Yield => true,
                CompareExchange => {
                    locks.push(operation.address);
                    own.waits.is_some() && !own.passes && !own.fails
                }
                // Writing what is there already changes nothing for others.
                Write => {
                    let (address, size) = (operation.address, u64::from(operation.size));
                    let stored = self.inspect().stored_value(index);
                    locks.contains(&address)
                        || (stored.is_some() && stored == self.probe().value_at(address, size))
                }
                ReadModifyWrite => locks.contains(&operation.address),
                _ => false,
            };
            if !silent || own.everything || self.probe().alternatives(index) != 1 {
                return None;
            }
            let stepped = self.step(Pick::Step { thread, alternative: 0 });
            if stepped != Stepped::Stopped || self.outcome.is_some() || self.atomic.is_some() {
                return None;
            }
        }
        None
    }

    /// Whether the program may look whether a mutex is taken without waiting for it.
    fn tries_locks(&self) -> bool {
        let is_mutex =
            |object| matches!(object, SyncObject::Mutex | SyncObject::Stream | SyncObject::SpinLock);
        uses(&self.program, |traits| traits.gives_up() && traits.object.is_some_and(is_mutex)).is_some()
    }

    /// What a waiting thread is about to do if it may wake spuriously: all that the answer to whether it can depends on.
    pub(crate) fn spurious_footprint(&mut self, index: usize, timed: bool, into: &mut Footprint) {
        if self.config.spurious != Spurious::Pruned {
            return;
        }
        let Some(trial) = self.trial(index) else { return };
        into.spans.extend(trial.touched.spans.iter().copied());
        into.later.extend(trial.touched.later.iter().copied());
        into.everything |= trial.touched.everything;
        into.exits |= trial.touched.exits;
        into.creates |= trial.touched.creates;
        // A wait that may time out can end though the mutex is taken.
        if !timed {
            into.waits = trial.touched.waits;
            into.gated = trial.touched.waits.is_some();
        }
    }

    /// What a spurious wake-up of a waiting thread leads to; nothing during a trial.
    fn trial(&mut self, index: usize) -> Option<Trial> {
        if self.trials.trying {
            return None;
        }
        let key = (self.state_hash(), index);
        if let Some(known) = self.trials.known.get(&key) {
            return Some(known.clone());
        }
        let trial = self.try_waking(index);
        if self.trials.known.len() >= MOST_KEPT {
            self.trials.known.clear();
        }
        self.trials.known.insert(key, trial.clone());
        Some(trial)
    }

    /// Wakes a thread on the side and lets it alone act until it waits again, cannot go on, or does something that is no
    /// part of a stutter. Everything is then as before.
    fn try_waking(&mut self, index: usize) -> Trial {
        let snapshot = self.snapshot();
        let effects = std::mem::take(&mut self.effects);
        let (frees, followed) = (self.free_calls, self.followed.take());
        self.trials.trying = true;
        let mut trial = Trial::default();
        trial.matters = !self.stutters(index, &mut trial.touched);
        self.trials.trying = false;
        self.restore(&snapshot);
        (self.effects, self.free_calls, self.followed) = (effects, frees, followed);
        trial.matters |= !self.config.reductions.has(Reduction::Stutters);
        trial.matters &= !mutant(Mutant::StutterLeaves);
        trial
    }

    /// Whether a thread that wakes does nothing but wait again, or cannot do anything. `touched` becomes what it touches.
    fn stutters(&mut self, index: usize, touched: &mut Footprint) -> bool {
        let before = self.stutter_hash();
        let Status::Waiting(wait) = self.threads[index].status else { return false };
        let thread = ThreadId(index as u16);
        let queue = self.queue_of(index, wait);
        let woken = self.wake_spuriously(index).unwrap_or(Stepped::Stopped);
        touched.spans.extend(self.effects.iter().copied());
        if woken != Stepped::Stopped || self.is_interrupted(index, &Footprint::default(), &queue) {
            return false;
        }
        let mut own = Footprint::default();
        for step in 0..LONGEST_TRIAL {
            if self.threads[index].is_finished() {
                return false;
            }
            if let Status::Waiting(again) = self.threads[index].status {
                return again == wait && self.stutter_hash() == before;
            }
            self.probe().pending_footprint(index, &mut own);
            if own.everything || own.exits || own.creates {
                touched.everything |= own.everything;
                touched.exits |= own.exits;
                touched.creates |= own.creates;
                return false;
            }
            let lock = own.waits.filter(|wanted| matches!(wanted, Wanted::Mutex(_)) || !own.passes);
            let blocked = self.probe().alternatives(index) == 0 || (own.fails && !own.passes);
            if step == 0 {
                touched.waits = lock;
            }
            if step > 0 && !self.waits_again(index, wait) && self.is_interrupted(index, touched, &queue) {
                return false;
            }
            touched.spans.extend(own.spans.iter().copied());
            touched.later.extend(own.later.iter().copied());
            // A thread that cannot even begin has not changed anything; later it may hold what others want.
            if blocked {
                return step == 0;
            }
            if self.probe().alternatives(index) != 1 || !self.older_stores(index).is_empty() {
                return false;
            }
            let stepped = self.step(Pick::Step { thread, alternative: 0 });
            touched.spans.extend(self.effects.iter().copied());
            if stepped != Stepped::Stopped || self.outcome.is_some() || self.atomic.is_some() {
                return false;
            }
        }
        false
    }

    /// Whether the thread is before the same futex wait again: another thread that comes before that wait could also have
    /// come before the thread began to wait, since nothing happens between the two.
    fn waits_again(&self, index: usize, wait: Wait) -> bool {
        let Status::Ready(operation) = self.threads[index].status else { return false };
        matches!(wait, Wait::Futex { address, .. }
            if operation.kind == EventKind::FutexWait && operation.address == address)
    }

    /// The threads that wait, as something that is read and written.
    fn queue_of(&mut self, index: usize, wait: Wait) -> Footprint {
        let mut queue = Footprint::default();
        self.wait_footprint(index, wait, &mut queue);
        queue
    }

    /// Whether another thread can act in the middle of a trial and make a difference: it meets what the thread has
    /// touched, or counts the threads that wait.
    fn is_interrupted(&mut self, index: usize, touched: &Footprint, queue: &Footprint) -> bool {
        if mutant(Mutant::StutterAlone) {
            return false;
        }
        let meets = |own: &Footprint, theirs: &Span| {
            own.spans.iter().chain(&own.later).any(|own| own.conflicts(theirs))
        };
        let mut theirs = Footprint::default();
        let mut buffered = Vec::new();
        for other in (0..self.threads.len()).filter(|&other| other != index) {
            self.inspect().buffered(other, &mut buffered);
            let Status::Ready(operation) = self.threads[other].status else { continue };
            self.probe().pending_footprint(other, &mut theirs);
            if self.probe().alternatives(other) == 0 || (theirs.fails && !theirs.passes) {
                continue;
            }
            // A signal that finds the thread awake could as well have woken it. A futex says how many it has woken.
            use EventKind::{CondBroadcast, CondSignal, CondWait, FutexWait, FutexWake};
            let commutes = match operation.kind {
                CondSignal | CondBroadcast | CondWait | FutexWait => true,
                FutexWake => self.ignores_count(other),
                _ => false,
            };
            if theirs.everything
                || theirs
                    .spans
                    .iter()
                    .chain(&theirs.later)
                    .any(|span| meets(touched, span) || (!commutes && meets(queue, span)))
            {
                return true;
            }
        }
        buffered.iter().any(|&(start, len)| meets(touched, &Span::written(start, u64::from(len))))
    }

    /// Hash of the state but for the clock, which a thread that looks at it in vain has moved on, for what threads have
    /// read, and for what they know of others under the language's model, which can only have become more.
    fn stutter_hash(&mut self) -> u128 {
        let (views, clock) = (self.config.views, self.clock_counts);
        let hash = self.state_hash();
        let view = if views { self.inspect().view() } else { 0 };
        let world = self.world.hash(clock).wrapping_sub(self.world.hash(false));
        hash.wrapping_sub(self.operational_hash()).wrapping_sub(view).wrapping_sub(world)
    }
}
