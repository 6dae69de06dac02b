//! Questions of one execution: which of its events could have turned out differently, as far as that was not asked
//! before.

use crate::recorded::record::{Note, Recorder};
use crate::recorded::run::{Run, SeedStep};
use crate::recorded::seek::Seeker;
use crate::recorded::targets::{Frontier, Seed, Target, targets_of, values};
use crate::recorded::viequi::arrange::{Pasts, arrange};
use crate::recorded::viequi::content::{Content, Cut, Effect};
use crate::recorded::viequi::forced::Forced;
use crate::recorded::viequi::simulate::{Happened, Wish};
use crate::recorded::viequi::sweep::sweep;
use selvedge_order::{Action, EventId, Place, Prepared, Scratch, TraceError};
use selvedge_trace::{EventKind, MemoryOrder, Model, Value};
use std::cell::OnceCell;

/// An event that observes something, and how far all other threads can come without what its thread does from there on.
pub struct Question {
    pub event: EventId,
    /// Which of the parts that a call has read.
    part: Option<usize>,
    /// How far each thread comes, at most.
    pub limits: Frontier,
    /// The same for questions whose answers are the same.
    pub key: u128,
}

/// An execution about which there is something to be asked.
pub struct Item<'n> {
    /// The execution.
    pub run: Run<'n>,
    content: Content,
    /// What is to be asked.
    pub questions: Vec<Question>,
    /// Races or deadlocks may be found in other orders.
    pub predicts: bool,
}

impl<'n> Item<'n> {
    /// Everything about an execution.
    pub fn new(run: Run<'n>, model: Model, races: bool, work: &mut Cut) -> Self {
        let content = Content::new(&run.recorder);
        let mut item = Item { run, content, questions: Vec::new(), predicts: false };
        let look = Look::new(&item, model);
        let predicts = races && look.may_race() || look.may_block() || !look.recorder().frees.is_empty();
        let questions = look.questions(work);
        (item.questions, item.predicts) = (questions, predicts);
        item
    }
}

/// An execution whose questions are asked.
pub struct Look<'r, 'n> {
    run: &'r Run<'n>,
    content: &'r Content,
    pasts: Option<Pasts>,
    model: Model,
    /// Whether the time is over.
    over: &'r dyn Fn() -> bool,
    /// How far the threads came; one that fails does not get past that.
    reached: Frontier,
    /// The sum of their histories.
    sum: u128,
    prepared: OnceCell<Result<Prepared, TraceError>>,
    /// How many queries were asked.
    pub queries: u64,
    /// A query was too hard.
    pub unknown: bool,
}

impl<'r, 'n> Look<'r, 'n> {
    pub fn new(item: &'r Item<'n>, model: Model) -> Self {
        let run = &item.run;
        let recorder = &run.recorder;
        let happened = |notes: &Vec<Note>| notes.iter().take_while(|note| !note.pending).count() as u32;
        let mut reached: Frontier = recorder.notes.iter().map(happened).collect();
        for end in [run.stop, recorder.exit()].into_iter().flatten() {
            let limit = &mut reached[end.thread as usize];
            *limit = end.index.min(*limit);
        }
        let mut look = Look {
            run,
            content: &item.content,
            pasts: None,
            model,
            over: &|| false,
            reached,
            sum: 0,
            prepared: OnceCell::new(),
            queries: 0,
            unknown: false,
        };
        look.sum = look.key(&look.reached);
        look
    }

    pub fn recorder(&self) -> &'r Recorder<'n> {
        &self.run.recorder
    }

    /// The same, with a function that says when the time is over.
    pub fn until(self, over: &'r dyn Fn() -> bool) -> Self {
        Look { over, ..self }
    }

    /// For the solver.
    pub fn prepared(&self) -> Result<&Prepared, &TraceError> {
        let prepare = || Prepared::new_until(&self.run.recorder.trace, self.model, self.over);
        self.prepared.get_or_init(prepare).as_ref()
    }

    /// The solver was needed and does not understand what happened.
    pub fn is_beyond_the_solver(&self) -> bool {
        self.prepared.get().is_some_and(Result::is_err)
    }

    /// What a thread has observed when it has come so far: nothing counts if it has not begun.
    fn observed(&self, thread: usize, count: u32) -> u128 {
        match count.checked_sub(1) {
            Some(last) => self.run.recorder.notes[thread][last as usize].history,
            None => 0,
        }
    }

    fn key(&self, limits: &Frontier) -> u128 {
        let all = limits.iter().enumerate();
        all.fold(0, |sum: u128, (thread, &count)| sum.wrapping_add(self.observed(thread, count)))
    }

    /// Everything that can be asked about this execution.
    fn questions(&self, work: &mut Cut) -> Vec<Question> {
        let mut questions = Vec::new();
        let recorder = &self.run.recorder;
        for (thread, notes) in recorder.notes.iter().enumerate() {
            for (index, note) in notes.iter().enumerate() {
                let event = EventId::new(thread as u32, index as u32);
                let effect = self.content.effects[thread][index];
                let observes = note.pending
                    || match effect {
                        Effect::Read { .. }
                        | Effect::Update { .. }
                        | Effect::TryLock { .. }
                        | Effect::TryLockShared { .. }
                        | Effect::TryTake { .. } => true,
                        Effect::Other => match recorder.trace.action(event) {
                            Some(Action::Wake { queue, .. }) => recorder.timed(*queue),
                            Some(Action::Wait { sees, .. }) => sees.is_some(),
                            Some(Action::Notify { woken, .. }) => woken.is_some(),
                            action => action.is_some(),
                        },
                        _ => false,
                    };
                if !observes {
                    continue;
                }
                let mut limits = self.reached.clone();
                limits[thread] = index as u32;
                self.content.cut(&mut limits, work);
                // It cannot come that far without what it does later.
                if limits[thread] < index as u32 {
                    continue;
                }
                if let Some(Action::Call { reads, .. }) = recorder.trace.action(event) {
                    self.ask_call(event, reads, &limits, &mut questions);
                    continue;
                }
                let open = note.pending
                    || note.weak
                    || match effect {
                        Effect::Read { location, sees } | Effect::Update { location, sees, .. } => {
                            self.content.varies(location, sees, &limits)
                        }
                        _ => true,
                    };
                if open {
                    let own = self.observed(thread, index as u32);
                    let others = self.key(&limits).wrapping_sub(own);
                    // Only where a weak exchange has found what it expects is it asked whether it can fail for no reason.
                    let turn = if note.weak { 7 } else { 1 };
                    let own = recorder.history(event).rotate_left(turn);
                    questions.push(Question { event, part: None, limits, key: others.wrapping_add(own) });
                }
            }
        }
        questions
    }

    /// Asks about each part that a call has read, whatever it read after that. What it read before decides where it
    /// looks, so it belongs to the question.
    fn ask_call(
        &self,
        event: EventId,
        reads: &[(Place, Value)],
        limits: &Frontier,
        questions: &mut Vec<Question>,
    ) {
        let note = &self.run.recorder.notes[event.thread as usize][event.index as usize];
        let own = self.observed(event.thread as usize, event.index);
        let others = self.key(limits).wrapping_sub(own);
        let mut bytes = 0;
        for (part, (at, _)) in reads.iter().enumerate() {
            if values(&self.run.recorder, *at).is_none_or(|values| values.len() > 1) {
                let key = others.wrapping_add(note.parts[bytes].rotate_left(1));
                questions.push(Question { event, part: Some(part), limits: limits.clone(), key });
            }
            bytes += at.size as usize;
        }
    }

    /// The same for all executions in which two accesses can only meet after the same events.
    pub fn pair_key(&self, pair: [EventId; 2]) -> u128 {
        let mut sum = self.sum;
        for (event, turn) in pair.into_iter().zip([2, 3]) {
            let thread = event.thread as usize;
            let note = &self.run.recorder.notes[thread][event.index as usize];
            let exchange =
                matches!(note.operation.kind, EventKind::CompareExchange | EventKind::CompareExchangeFailed);
            // Whether an exchange succeeds matters. Having seen that is not the same as being about to do what follows.
            // So does what a call has seen: that decides what it accesses.
            let own = match (exchange || !note.touches.is_empty()) && !note.pending {
                true => note.history.rotate_left(turn + 2),
                false => self.run.recorder.history(event).rotate_left(turn),
            };
            sum = sum.wrapping_sub(self.observed(thread, self.reached[thread])).wrapping_add(own);
        }
        sum
    }

    /// How an event could have turned out differently; nothing if those are too many outcomes.
    fn targets(&self, question: &Question) -> Option<Vec<Target>> {
        let recorder = &self.run.recorder;
        let values = &mut |at| match self.content.mixed {
            true => values(recorder, at),
            false => self.content.values(at, &question.limits).or_else(|| values(recorder, at)),
        };
        let mut targets = targets_of(recorder, question.event, values)?;
        if let Some(part) = question.part {
            targets.retain(|target| {
                matches!(&target.action, Some(Action::Call { reads, .. }) if reads.len() == part + 1)
            });
        }
        Some(targets)
    }

    /// What the thread will have observed by that.
    fn history(&self, target: &Target) -> u128 {
        target.history(self.run.recorder.history(target.event))
    }

    /// The outcomes that may be possible, with how far each thread comes then at most.
    pub fn chances(&self, question: &Question, work: &mut Cut) -> Option<Vec<(Target, Frontier)>> {
        let mut targets = self.targets(question)?;
        let buffers = self.model != Model::Sc;
        let forced = Forced::new(self.content, question.event, &question.limits);
        let place = |target: &Target| match target.action.as_ref()? {
            Action::Read { at, value } => Some((self.content.find(*at, value)?, false)),
            Action::Update { at, read, .. } => Some((self.content.find(*at, read)?, true)),
            _ => None,
        };
        let limits = &question.limits;
        targets.retain(|target| match place(target) {
            Some(((location, token), _)) => !forced.forbids(self.content, location, token, limits, buffers),
            None => !forced.impossible,
        });
        let lower = |target: Target| {
            let mut limits = question.limits.clone();
            if let Some(((location, token), last)) = place(&target)
                && !buffers
            {
                if last {
                    Forced::spare(self.content, question.event, location, token, &mut limits);
                }
                forced.hurry(self.content, location, token, &mut limits);
                self.content.cut(&mut limits, work);
            }
            (limits[target.event.thread as usize] == target.event.index).then_some((target, limits))
        };
        Some(targets.into_iter().filter_map(lower).collect())
    }

    /// How far the others come at most with a target, and what they have observed by then.
    pub fn frontier(&self, limits: &Frontier, target: &Target) -> Vec<(u32, u32, u128)> {
        let mut frontier = Vec::with_capacity(limits.len());
        for (thread, &count) in (0_u32..).zip(limits) {
            if thread == target.event.thread {
                frontier.push((thread, target.event.index + 1, self.history(target)));
            } else if count > 0 {
                frontier.push((thread, count, self.observed(thread as usize, count)));
            }
        }
        frontier
    }

    /// All maximal beginnings with which a target can turn out as it should.
    pub fn seeds(&mut self, target: &Target, limits: &Frontier, scratch: &mut Scratch) -> Vec<Seed> {
        if let Some(acts) = self.rearranged(target, limits) {
            return vec![Seed { acts, frontier: self.frontier(limits, target) }];
        }
        if let Some(seeds) = self.swept(target, limits) {
            return seeds;
        }
        let recorder = &self.run.recorder;
        let Ok(prepared) = self.prepared() else {
            self.unknown = true;
            return Vec::new();
        };
        let mut seeker = Seeker { over: self.over, ..Seeker::new(recorder, prepared, self.run.stop) };
        let seeds = seeker.seeds_within(target, limits, scratch);
        let (queries, unknown) = (seeker.queries, seeker.unknown);
        self.queries += queries;
        self.unknown |= unknown;
        seeds
    }

    /// A target as something to be seen.
    fn wish(&self, target: &Target) -> Option<Wish> {
        let (at, value, last) = match target.action.as_ref()? {
            Action::Read { at, value } => (*at, value, false),
            Action::Update { at, read, .. } => (*at, read, true),
            _ => return None,
        };
        let (location, token) = self.content.find(at, value)?;
        Some(Wish { event: target.event, location, token, last })
    }

    /// A rearrangement of the recorded events that reaches a target.
    fn rearranged(&mut self, target: &Target, limits: &Frontier) -> Option<Vec<SeedStep>> {
        let wish = self.wish(target)?;
        let within = |event: &&EventId| event.index < limits[event.thread as usize];
        let events: Vec<EventId> = self.content.order.iter().filter(within).copied().collect();
        let order = arrange(self.content, &mut self.pasts, &events, limits, &wish)?;
        Some(self.acts(&order, target))
    }

    /// All maximal beginnings, if there are few states before them.
    fn swept(&self, target: &Target, limits: &Frontier) -> Option<Vec<Seed>> {
        let wish = self.wish(target).filter(|_| self.model == Model::Sc)?;
        let found = sweep(self.content, limits, &wish)?;
        let seed = |(reached, order): (Frontier, Vec<Happened>)| Seed {
            acts: self.acts(&order, target),
            frontier: self.frontier(&reached, target),
        };
        Some(found.into_iter().map(seed).collect())
    }

    fn acts(&self, order: &[Happened], target: &Target) -> Vec<SeedStep> {
        let mut acts = Vec::with_capacity(order.len());
        for &Happened { event, wakes } in order {
            let recorder = &self.run.recorder;
            let note = &recorder.notes[event.thread as usize][event.index as usize];
            let fails = if event == target.event { target.fails } else { note.spurious };
            acts.push(SeedStep::Event { event, wakes, fails });
            // No thread needs a buffer in such an order.
            if self.model != Model::Sc
                && let Some(Action::Write { at, .. }) = recorder.trace.action(event)
            {
                acts.push(SeedStep::Commit { thread: event.thread, address: at.address });
            }
        }
        acts
    }

    /// Whether there are accesses that can race: by two threads, one of them plain, one of them a write.
    pub fn may_race(&self) -> bool {
        let plain = |event: &EventId| {
            let note = &self.run.recorder.notes[event.thread as usize][event.index as usize];
            note.operation.order == MemoryOrder::NotAtomic
        };
        let writes = |event: &EventId| {
            let effect = self.content.effects[event.thread as usize][event.index as usize];
            matches!(effect, Effect::Write { .. } | Effect::Update { .. })
        };
        let meet = |events: &[EventId]| {
            events.windows(2).any(|pair| pair[0].thread != pair[1].thread)
                && events.iter().any(plain)
                && events.iter().any(writes)
        };
        let pending = self.run.recorder.notes.iter().flatten().any(|note| note.pending);
        self.content.mixed || pending || self.content.locations().any(meet)
    }

    /// Whether a thread could have blocked another one for ever.
    pub fn may_block(&self) -> bool {
        let blocks = |effect: &Effect| {
            matches!(
                effect,
                Effect::Lock(_)
                    | Effect::LockShared(_)
                    | Effect::Take(_)
                    | Effect::Wait { .. }
                    | Effect::Wake { .. }
                    | Effect::Other
            )
        };
        let waits = |note: &Note| {
            note.pending || matches!(note.operation.kind, EventKind::FutexLock | EventKind::OnceEnter)
        };
        // Where all threads have ended and only the ends of others were waited for, there is no cycle of waiting
        // threads.
        let recorder = &self.run.recorder;
        recorder.notes.iter().flatten().any(waits) || self.content.effects.iter().flatten().any(blocks)
    }
}
