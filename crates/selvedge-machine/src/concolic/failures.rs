//! Weak compare-exchanges that fail for no reason, once and again.
//!
//! Whether one fails so is a choice, as a value of an input is. Where it is tried again, another such failure may be
//! left out if it leads nowhere new. It does not if the thread has done nothing but read since it came here the time
//! before, stands here exactly as it stood then, apart from what it has seen in between, and would have taken the same
//! path then with what it has seen now: then it could have waited and read once instead of twice. What it has seen
//! since the last time is named by how long ago that was, so that two such states can be compared. When the first
//! thread has joined all others nothing fails for no reason any more, as in every other search.

use crate::machine::Machine;
use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_paths::{Location, Step};
use selvedge_terms::{Import, Symbol, Term, Terms};
use selvedge_trace::ThreadName;
use std::collections::BTreeMap;

/// What a thread has seen recently is named by numbers from here on: the last one first.
const RECENT: u32 = 1 << 30;
/// Threads with more memory of their own are not compared.
const MOST_BYTES: usize = 1 << 20;

/// A thread before a weak compare-exchange.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrival {
    /// Its place in the program, and where in memory.
    at: ((u32, u32), u64),
    /// How many steps the thread had taken.
    steps: usize,
    /// All that may influence what it does. Nothing if that is too much.
    state: Option<(Vec<u8>, Vec<Term>)>,
    /// What it has decided by what it has seen recently.
    decided: FxHashSet<Term>,
    /// Where it has seen what counts.
    seen: BTreeMap<u32, Location>,
    /// Whether it may fail for no reason here.
    pub fails: bool,
}

/// A weak compare-exchange that was performed.
#[derive(Clone, Debug)]
pub(super) struct Tried {
    arrival: Arrival,
    /// That it succeeded, and that it failed.
    success: Term,
    failure: Term,
    /// Its number among the thread's steps.
    step: usize,
}

/// What one thread has to remember for this.
#[derive(Clone, Debug, Default)]
pub(super) struct Failures {
    pub here: Option<Arrival>,
    last: Option<Tried>,
    /// Expressions with what was seen recently named so.
    terms: Terms,
}

/// Names what a thread has seen recently.
struct Renaming<'a> {
    from: &'a Terms,
    into: &'a mut Terms,
    import: Import,
    thread: ThreadName,
    /// Where it has seen what, by how long ago that was.
    places: FxHashMap<u32, Location>,
    /// The number of its next read.
    reads: u32,
    used: BTreeMap<u32, Location>,
}

impl Renaming<'_> {
    fn age(&self, symbol: &Symbol) -> Option<(u32, Location)> {
        match symbol {
            Symbol::Read { thread, index } if *thread == self.thread => {
                let age = self.reads.checked_sub(*index)?;
                Some((age, *self.places.get(&age)?))
            }
            _ => None,
        }
    }

    /// The expression with other names, and whether there are such names in it.
    fn term(&mut self, term: Term) -> (Term, bool) {
        let ages: Vec<(u32, Location)> = self
            .from
            .symbols_below([term])
            .into_iter()
            .filter_map(|id| self.age(self.from.symbol_of(id)))
            .collect();
        self.used.extend(ages.iter().copied());
        let (reads, places, thread) = (self.reads, &self.places, &self.thread);
        let from = self.from;
        let renamed = self.import.term(from, term, self.into, |into, id| {
            let width = from.width(from.symbol_term(id));
            let named = match from.symbol_of(id) {
                Symbol::Read { thread: who, index } if who == thread => {
                    let age = reads.wrapping_sub(*index);
                    places
                        .contains_key(&age)
                        .then(|| Symbol::Read { thread: who.clone(), index: RECENT | age })
                }
                _ => None,
            };
            into.symbol(named.as_ref().unwrap_or(from.symbol_of(id)), width)
        });
        (renamed, !ages.is_empty())
    }
}

impl Machine {
    /// A thread is before a weak compare-exchange on shared memory: notes whether it may fail for no reason.
    pub(super) fn arrives(&mut self, thread: usize, address: u64) -> bool {
        let frame = self.threads[thread].frame();
        let at = ((frame.function, frame.pc), address);
        let Some(mut concolic) = self.concolic.take() else { return false };
        let own = concolic.own(thread);
        let steps = own.steps.len();
        let count = |counts: fn(&Step) -> bool| own.steps.iter().filter(|done| counts(&done.step)).count();
        let forks = count(|step| matches!(step, Step::Fork { .. }));
        let joins = count(|step| matches!(step, Step::Join { .. }));
        if forks == joins && self.threads.len() == forks + 1 {
            // All that there ever were have ended: a thread that is alone has no choices.
            own.failures.here = None;
            self.concolic = Some(concolic);
            return false;
        }
        if let Some(here) = own.failures.here.as_ref().filter(|here| here.at == at && here.steps == steps) {
            let fails = here.fails;
            self.concolic = Some(concolic);
            return fails;
        }
        let mut failures = std::mem::take(&mut own.failures);
        let looks = |step: &Step| matches!(step, Step::Read { .. } | Step::Branch { .. });
        let own = &concolic.threads[thread];
        let since = |from: usize| own.steps[from..].iter().map(|performed| &performed.step);
        // It was tried here, has failed, and since then the thread has only looked.
        let again = failures.last.take().filter(|last| {
            let failed =
                |step: &Step| matches!(step, Step::Branch { condition, .. } if *condition == last.failure);
            last.arrival.at == at && since(last.step).any(failed) && since(last.step + 1).all(looks)
        });
        let first = match &again {
            Some(last) => last.step,
            None => {
                own.steps.iter().rposition(|performed| !looks(&performed.step)).map_or(0, |place| place + 1)
            }
        };
        let reads = own.reads;
        let mut places = FxHashMap::default();
        for step in since(first) {
            if let Step::Read { at, symbol, .. } | Step::Update { at, symbol, .. } = step
                && let Some(Symbol::Read { index, .. }) =
                    concolic.terms.symbols_below([*symbol]).first().map(|&id| concolic.terms.symbol_of(id))
            {
                places.insert(reads.wrapping_sub(*index), *at);
            }
        }
        let mut import = Import::new();
        if let Some(last) = &again {
            let (no, yes) = (failures.terms.constant(1, 0), failures.terms.constant(1, 1));
            import.stands_for(last.success, no);
            import.stands_for(last.failure, yes);
        }
        let mut renaming = Renaming {
            from: &concolic.terms,
            into: &mut failures.terms,
            import,
            thread: self.threads[thread].name.clone(),
            places,
            reads,
            used: BTreeMap::new(),
        };
        let mut arrival = Arrival { at, steps, ..Arrival::default() };
        for step in since(first) {
            let Step::Branch { condition, .. } = step else { continue };
            if again.as_ref().is_some_and(|last| last.failure == *condition) {
                continue;
            }
            let (condition, recent) = renaming.term(*condition);
            if recent {
                arrival.decided.insert(condition);
            }
        }
        arrival.state = self.state_of(thread, &mut renaming);
        arrival.seen = renaming.used;
        let same = again.is_some_and(|last| {
            let before = last.arrival;
            before.state.is_some()
                && before.state == arrival.state
                && before.seen == arrival.seen
                && before.decided.is_subset(&arrival.decided)
        });
        arrival.fails = !same;
        let fails = arrival.fails;
        failures.here = Some(arrival);
        concolic.own(thread).failures = failures;
        self.concolic = Some(concolic);
        fails
    }

    /// All that may influence what a thread does next: its frames and its own memory.
    fn state_of(&mut self, thread: usize, renaming: &mut Renaming<'_>) -> Option<(Vec<u8>, Vec<Term>)> {
        let program = &*self.program_here();
        let this = self.threads[thread].clone();
        let (mut bytes, mut terms) = (Vec::new(), Vec::new());
        for (depth, frame) in this.frames.iter().enumerate() {
            let slots = match depth + 1 == this.frames.len() {
                true => self.live_slots.before(program, frame.function, frame.pc),
                false => self.live_slots.across(program, frame.function, frame.pc),
            };
            bytes.extend([frame.function, frame.pc].into_iter().flat_map(u32::to_le_bytes));
            for slot in slots.iter() {
                let undefined = frame.undefined.as_ref().and_then(|undefined| undefined.get(&slot)).copied();
                let mut value = this.registers[(frame.base + slot) as usize];
                let mut kind = 0;
                if let Some(&term) = frame.terms.as_ref().and_then(|terms| terms.get(&slot)) {
                    let (term, _) = renaming.term(term);
                    match renaming.into.known(term) {
                        Some(known) => value = known as u64,
                        None => {
                            terms.push(term);
                            (value, kind) = (0, 1);
                        }
                    }
                }
                bytes.push(kind);
                bytes.extend([value, undefined.unwrap_or(0)].into_iter().flat_map(u64::to_le_bytes));
            }
        }
        let mut objects = Vec::new();
        self.memory.each_live(&mut |arena, base, object| {
            if arena == this.arena && !object.shared {
                objects.push((base, object.size));
            }
        });
        for (base, size) in objects {
            if bytes.len() + size as usize > MOST_BYTES {
                return None;
            }
            let mut there = vec![0; size as usize];
            self.memory.read_bytes(base, &mut there);
            let defined = self.memory.defined_bytes(base, size as usize);
            for (byte, _) in there.iter_mut().zip(&defined).filter(|(_, defined)| !**defined) {
                *byte = 0;
            }
            for (offset, term) in self.memory.terms(base, size) {
                let (term, _) = renaming.term(term);
                there[offset as usize] = match renaming.into.known(term) {
                    Some(known) => known as u8,
                    None => {
                        terms.push(term);
                        bytes.extend(offset.to_le_bytes());
                        0
                    }
                };
            }
            bytes.extend([base, size].into_iter().flat_map(u64::to_le_bytes));
            bytes.extend(there);
            bytes.extend(defined.into_iter().map(u8::from));
        }
        Some((bytes, terms))
    }

    /// The weak compare-exchange that a thread was before has become its last step.
    pub(super) fn tried(&mut self, thread: usize, success: Term) {
        let Some(concolic) = &mut self.concolic else { return };
        let failure = concolic.terms.not(success);
        let own = concolic.own(thread);
        let step = own.steps.len() - 1;
        own.failures.last = own.failures.here.take().map(|arrival| Tried { arrival, success, failure, step });
    }
}
