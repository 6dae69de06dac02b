//! The same questions for an SMT solver: an order is a number for every event and commit.
//!
//! Written from the meaning of events alone; it shares nothing with the closure and the search, so that each can be
//! measured by the other. Locks are sections that do not overlap here, not values of cells; semaphores and barriers
//! are sums.

use selvedge_order::{Action, Cause, EventId, Place, Query, QueryError, Requirement, Trace};
use selvedge_trace::{Model, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The question as SMT-LIB text (without `check-sat`): an order that answers the query, and if `fewer` is given one
/// with fewer events and commits than that.
pub fn question(
    trace: &Trace,
    model: Model,
    query: &Query,
    fewer: Option<usize>,
) -> Result<String, QueryError> {
    let required = Requirement::new(trace, query)?;
    let mut text = Text { trace, model, required: &required, text: String::new() };
    if required.impossible {
        text.assert("false");
        return Ok(text.text);
    }
    text.threads();
    text.stores();
    text.reads();
    text.locks();
    text.counters();
    text.waits();
    text.requirement(fewer);
    Ok(text.text)
}

/// Whether an event is in the order.
pub(crate) fn included(event: EventId) -> String {
    format!("i{}_{}", event.thread, event.index)
}

/// When an event happens.
pub(crate) fn time(event: EventId) -> String {
    format!("o{}_{}", event.thread, event.index)
}

/// Whether a buffered store is committed.
pub(crate) fn committed(event: EventId) -> String {
    format!("c{}_{}", event.thread, event.index)
}

/// When a buffered store is committed.
pub(crate) fn commit_time(event: EventId) -> String {
    format!("k{}_{}", event.thread, event.index)
}

/// Whether a notification wakes a thread that waits.
pub(crate) fn wakes(wait: EventId, notify: EventId) -> String {
    format!("m{}_{}_{}_{}", wait.thread, wait.index, notify.thread, notify.index)
}

struct Text<'a> {
    trace: &'a Trace,
    model: Model,
    required: &'a Requirement,
    text: String,
}

/// Disjunction; false if there is nothing.
fn any(parts: &[String]) -> String {
    match parts {
        [] => "false".to_owned(),
        [one] => one.clone(),
        all => format!("(or {})", all.join(" ")),
    }
}

/// Conjunction; true if there is nothing.
fn all(parts: &[String]) -> String {
    match parts {
        [] => "true".to_owned(),
        [one] => one.clone(),
        all => format!("(and {})", all.join(" ")),
    }
}

fn sum(parts: &[String]) -> String {
    match parts {
        [] => "0".to_owned(),
        [one] => one.clone(),
        all => format!("(+ {})", all.join(" ")),
    }
}

impl Text<'_> {
    fn assert(&mut self, formula: &str) {
        let _ = writeln!(self.text, "(assert {formula})");
    }

    fn implies(&mut self, first: &str, second: &str) {
        self.assert(&format!("(=> {first} {second})"));
    }

    /// The events that are available, with what they do.
    fn events(&self) -> Vec<(EventId, Action)> {
        let limits = (0_u32..).zip(&self.required.limit);
        let ids = limits.flat_map(|(thread, &limit)| (0..limit).map(move |index| EventId { thread, index }));
        ids.map(|event| (event, self.required.action(self.trace, event).clone())).collect()
    }

    fn is_buffered(&self, action: &Action) -> bool {
        self.model != Model::Sc && action.buffered().is_some()
    }

    /// Whether and when a write is visible.
    fn visible(&self, event: EventId, action: &Action) -> (String, String) {
        match self.is_buffered(action) {
            true => (committed(event), commit_time(event)),
            false => (included(event), time(event)),
        }
    }

    fn threads(&mut self) {
        for (event, action) in self.events() {
            let (here, now) = (included(event), time(event));
            let _ = writeln!(self.text, "(declare-const {here} Bool)\n(declare-const {now} Int)");
            if let Some(index) = event.index.checked_sub(1) {
                let before = EventId { index, ..event };
                let order = format!("(and {} (< {} {now}))", included(before), time(before));
                self.implies(&here, &order);
            }
            if self.is_buffered(&action) {
                let (commit, when) = (committed(event), commit_time(event));
                let _ = writeln!(self.text, "(declare-const {commit} Bool)\n(declare-const {when} Int)");
                self.implies(&commit, &format!("(and {here} (< {now} {when}))"));
            }
        }
        for (event, action) in self.events() {
            let (here, now) = (included(event), time(event));
            match action {
                Action::Fork { thread } if self.required.limit[thread as usize] > 0 => {
                    let child = EventId { thread, index: 0 };
                    let order = format!("(and {here} (< {now} {}))", time(child));
                    self.implies(&included(child), &order);
                }
                Action::Join { thread } => {
                    let events = self.trace.events(thread);
                    let end = EventId { thread, index: (events.len() as u32).saturating_sub(1) };
                    let ends = events.last() == Some(&Action::End)
                        && end.index < self.required.limit[thread as usize];
                    let order = match ends {
                        true => format!("(and {} (< {} {now}))", included(end), time(end)),
                        false => "false".to_owned(),
                    };
                    self.implies(&here, &order);
                }
                _ => {}
            }
        }
        // A thread that is started by an event that is not available never starts.
        let trace = self.trace;
        let forks = (0..trace.threads() as u32).flat_map(|thread| {
            (0_u32..).zip(trace.events(thread)).filter_map(move |(index, action)| match action {
                Action::Fork { thread: child } => Some((EventId { thread, index }, *child)),
                _ => None,
            })
        });
        for (fork, child) in forks.collect::<Vec<_>>() {
            let started = fork.index < self.required.limit[fork.thread as usize];
            if !started && self.required.limit[child as usize] > 0 {
                self.assert(&format!("(not {})", included(EventId { thread: child, index: 0 })));
            }
        }
    }

    /// The order of commits, and what waits for them.
    fn stores(&mut self) {
        let events = self.events();
        for thread in 0..self.trace.threads() as u32 {
            let mut earlier: Vec<(EventId, Place, u32)> = Vec::new();
            let mut segment = 0;
            for (event, action) in events.iter().filter(|(event, _)| event.thread == thread) {
                if action.drains() {
                    for (store, ..) in &earlier {
                        let order = format!(
                            "(and {} (< {} {}))",
                            committed(*store),
                            commit_time(*store),
                            time(*event)
                        );
                        self.implies(&included(*event), &order);
                    }
                }
                segment += u32::from(action.store_barrier());
                let Some((at, _)) = action.buffered().filter(|_| self.model != Model::Sc) else { continue };
                for &(store, place, part) in &earlier {
                    if self.model == Model::Tso || part < segment || place.overlaps(at) {
                        let (first, second) = (commit_time(store), commit_time(*event));
                        let order = format!("(and {} (< {first} {second}))", committed(store));
                        self.implies(&committed(*event), &order);
                    }
                }
                earlier.push((*event, at, segment));
            }
        }
    }

    fn reads(&mut self) {
        let events = self.events();
        for (event, action) in &events {
            if self.required.free.contains(event) {
                continue;
            }
            for (at, value) in action.sees() {
                self.read(&events, *event, at, value);
            }
        }
    }

    /// A read, or one of several that happen together.
    fn read(&mut self, events: &[(EventId, Action)], event: EventId, at: Place, value: &Value) {
        // Bytes that the same events write are written and read together.
        let writes = |address: u64| -> Vec<usize> {
            let byte = Place::new(address, 1);
            let touches = |(other, action): &(EventId, Action)| {
                *other != event && action.writes().any(|(at, _)| at.overlaps(byte))
            };
            (0..events.len()).filter(|&index| touches(&events[index])).collect()
        };
        let mut groups: Vec<(Vec<usize>, Place)> = Vec::new();
        for address in at.address..at.end() {
            let writers = writes(address);
            match groups.last_mut() {
                Some((same, place)) if *same == writers => place.size += 1,
                _ => groups.push((writers, Place::new(address, 1))),
            }
        }
        for (writers, part) in groups {
            let wanted = piece(at, value, part);
            let formula = self.sees(events, event, part, &wanted, &writers);
            self.implies(&included(event), &formula);
        }
    }

    /// A read sees a value of a part that is always written as a whole.
    fn sees(
        &self,
        events: &[(EventId, Action)],
        read: EventId,
        part: Place,
        wanted: &Value,
        writers: &[usize],
    ) -> String {
        let now = time(read);
        let value = |index: usize| -> Value {
            let byte = |address: u64| {
                let written = events[index].1.writes().find(|(at, _)| at.overlaps(Place::new(address, 1)));
                written.map_or(0, |(at, value)| value[(address - at.address) as usize])
            };
            (part.address..part.end()).map(byte).collect()
        };
        let visible = |index: usize| self.visible(events[index].0, &events[index].1);
        let mut sources = Vec::new();
        for &writer in writers.iter().filter(|&&writer| value(writer) == *wanted) {
            let (here, when) = visible(writer);
            let mut parts = vec![here, format!("(< {when} {now})")];
            for &other in writers.iter().filter(|&&other| other != writer) {
                let (there, then) = visible(other);
                parts.push(format!("(or (not {there}) (< {then} {when}) (< {now} {then}))"));
            }
            sources.push(all(&parts));
        }
        if self.trace.initial_bytes(part).eq(wanted.iter().copied()) {
            let later = |&other: &usize| {
                let (there, then) = visible(other);
                format!("(or (not {there}) (< {now} {then}))")
            };
            sources.push(all(&writers.iter().map(later).collect::<Vec<_>>()));
        }
        let memory = any(&sources);
        let own = writers.iter().copied().filter(|&writer| {
            let event = events[writer].0;
            event.thread == read.thread && event.index < read.index
        });
        match own.max_by_key(|&writer| events[writer].0.index) {
            Some(own) if self.is_buffered(&events[own].1) => {
                let (there, then) = visible(own);
                let waits = format!("(or (not {there}) (< {now} {then}))");
                let forwarded = if value(own) == *wanted { waits } else { "false".to_owned() };
                format!("(or {forwarded} (and {there} (< {then} {now}) {memory}))")
            }
            _ => memory,
        }
    }

    fn locks(&mut self) {
        let events = self.events();
        let mut sections: BTreeMap<u64, Vec<Section>> = BTreeMap::new();
        for (event, action) in &events {
            let (taken, shared) = match action {
                Action::LockShared { lock } | Action::TryLockShared { lock, taken: true } => {
                    (Some(*lock), true)
                }
                other => (other.acquires(), false),
            };
            let (given, was_shared) = match action {
                Action::UnlockShared { lock } => (Some(*lock), true),
                other => (other.releases(), false),
            };
            if let Some(lock) = given {
                let open = sections.entry(lock).or_default().iter_mut().rev().find(|section| {
                    section.take.thread == event.thread
                        && section.shared == was_shared
                        && section.give.is_none()
                });
                if let Some(open) = open {
                    open.give = Some(*event);
                }
            }
            if let Some(lock) = taken {
                sections.entry(lock).or_default().push(Section { take: *event, give: None, shared });
            }
        }
        for sections in sections.values() {
            for (index, one) in sections.iter().enumerate() {
                for other in &sections[index + 1..] {
                    if !one.shared || !other.shared {
                        let both = format!("(and {} {})", included(one.take), included(other.take));
                        let apart = format!("(or {} {})", one.ends_before(other), other.ends_before(one));
                        self.implies(&both, &apart);
                    }
                }
            }
        }
        for (event, action) in &events {
            let (lock, any_section) = match action {
                Action::TryLock { lock, taken: false } => (lock, true),
                Action::TryLockShared { lock, taken: false } => (lock, false),
                _ => continue,
            };
            let sections = sections.get(lock).map_or(&[][..], Vec::as_slice);
            let sections = sections.iter().filter(|section| any_section || !section.shared);
            let inside: Vec<String> = sections.map(|section| section.contains(*event)).collect();
            self.implies(&included(*event), &any(&inside));
        }
    }

    /// How many of these events happen before another one.
    fn count_before(&self, events: &[EventId], event: EventId) -> String {
        let others = events.iter().filter(|&&other| other != event);
        let one = |other: &EventId| {
            format!("(ite (and {} (< {} {})) 1 0)", included(*other), time(*other), time(event))
        };
        sum(&others.map(one).collect::<Vec<_>>())
    }

    /// No two of these events happen at the same time.
    fn apart(&mut self, events: &[EventId]) {
        for (index, one) in events.iter().enumerate() {
            for other in events[index + 1..].iter().filter(|other| other.thread != one.thread) {
                let both = format!("(and {} {})", included(*one), included(*other));
                self.implies(&both, &format!("(distinct {} {})", time(*one), time(*other)));
            }
        }
    }

    fn counters(&mut self) {
        let events = self.events();
        let mut semaphores: BTreeMap<u64, Semaphore> = BTreeMap::new();
        let mut barriers: BTreeMap<u64, Vec<(EventId, bool)>> = BTreeMap::new();
        for (event, action) in &events {
            match action {
                Action::Post { semaphore } => semaphores.entry(*semaphore).or_default().posts.push(*event),
                Action::Take { semaphore } | Action::TryTake { semaphore, taken: true } => {
                    semaphores.entry(*semaphore).or_default().takes.push(*event);
                }
                Action::TryTake { semaphore, taken: false } => {
                    semaphores.entry(*semaphore).or_default().fails.push(*event);
                }
                Action::Arrive { barrier, last } => {
                    barriers.entry(*barrier).or_default().push((*event, *last));
                }
                _ => {}
            }
        }
        for (semaphore, Semaphore { posts, takes, fails }) in semaphores {
            self.apart(&[&posts[..], &takes[..], &fails[..]].concat());
            let initial = self.trace.semaphore_at_start(semaphore);
            for (event, relation) in
                takes.iter().map(|event| (event, ">=")).chain(fails.iter().map(|event| (event, "=")))
            {
                let least = u32::from(relation == ">=");
                let (plus, minus) = (self.count_before(&posts, *event), self.count_before(&takes, *event));
                let count = format!("({relation} (- (+ {initial} {plus}) {minus}) {least})");
                self.implies(&included(*event), &count);
            }
        }
        for (barrier, arrivals) in barriers {
            let ids: Vec<EventId> = arrivals.iter().map(|(event, _)| *event).collect();
            self.apart(&ids);
            let needed = self.trace.barrier_size(barrier).expect("a trace that was checked");
            for &(event, last) in &arrivals {
                let place = self.count_before(&ids, event);
                let relation = if last { "=" } else { "distinct" };
                let formula = format!("({relation} (mod {place} {needed}) {})", needed - 1);
                self.implies(&included(event), &formula);
                let leave = EventId { index: event.index + 1, ..event };
                if !last && leave.index < self.required.limit[leave.thread as usize] {
                    let arrived = self.count_before(&ids, leave);
                    let enough = format!("(>= {arrived} (* {needed} (+ 1 (div {place} {needed}))))");
                    self.implies(&included(leave), &enough);
                }
            }
        }
    }

    fn waits(&mut self) {
        let events = self.events();
        let mut queues: BTreeMap<u64, Queue> = BTreeMap::new();
        for (event, action) in &events {
            match action {
                Action::Wait { queue, .. } => queues.entry(*queue).or_default().waits.push(*event),
                Action::Notify { queue, most, woken } => {
                    queues.entry(*queue).or_default().notifies.push((*event, *most, *woken));
                }
                _ => {}
            }
        }
        for Queue { waits, notifies } in queues.into_values() {
            let ids: Vec<EventId> = notifies.iter().map(|(event, ..)| *event).collect();
            self.apart(&[&waits[..], &ids[..]].concat());
            for &wait in &waits {
                self.wait(wait, &ids);
            }
            for &(notify, most, woken) in &notifies {
                let one = |wait: &EventId| format!("(ite {} 1 0)", wakes(*wait, notify));
                let count = sum(&waits.iter().map(one).collect::<Vec<_>>());
                self.assert(&format!("(<= {count} {most})"));
                if let Some(woken) = woken {
                    self.implies(&included(notify), &format!("(= {count} {woken})"));
                }
                for &wait in &waits {
                    if self.required.expires(self.trace, wait.thread, wait.index + 1) {
                        continue;
                    }
                    let before = |other: &EventId| match *other == notify {
                        true => wakes(wait, *other),
                        false => {
                            format!("(and {} (< {} {}))", wakes(wait, *other), time(*other), time(notify))
                        }
                    };
                    let woken_by_now = any(&ids.iter().map(before).collect::<Vec<_>>());
                    let waiting = format!(
                        "(and {} {} (< {} {}) (not {woken_by_now}))",
                        included(notify),
                        included(wait),
                        time(wait),
                        time(notify)
                    );
                    self.implies(&waiting, &format!("(>= {count} {most})"));
                }
            }
        }
    }

    /// Which notification wakes a thread that waits.
    fn wait(&mut self, wait: EventId, notifies: &[EventId]) {
        for &notify in notifies {
            let name = wakes(wait, notify);
            let _ = writeln!(self.text, "(declare-const {name} Bool)");
            let order =
                format!("(and {} {} (< {} {}))", included(wait), included(notify), time(wait), time(notify));
            self.implies(&name, &order);
        }
        for (index, one) in notifies.iter().enumerate() {
            for other in &notifies[index + 1..] {
                self.assert(&format!("(not (and {} {}))", wakes(wait, *one), wakes(wait, *other)));
            }
        }
        let wake = EventId { index: wait.index + 1, ..wait };
        if wake.index >= self.required.limit[wake.thread as usize] {
            return;
        }
        if let Action::Wake { cause, .. } = self.required.action(self.trace, wake) {
            let by = notifies.iter().map(|&notify| match cause {
                Cause::Notified => {
                    format!("(and {} (< {} {}))", wakes(wait, notify), time(notify), time(wake))
                }
                Cause::Expired => wakes(wait, notify),
            });
            let woken = any(&by.collect::<Vec<_>>());
            let formula = match cause {
                Cause::Notified => woken,
                Cause::Expired => format!("(not {woken})"),
            };
            self.implies(&included(wake), &formula);
        }
    }

    fn requirement(&mut self, fewer: Option<usize>) {
        for (thread, &least) in (0_u32..).zip(&self.required.least) {
            if let Some(index) = least.checked_sub(1) {
                self.assert(&included(EventId { thread, index }));
            }
        }
        for &(first, second) in &self.required.before {
            self.assert(&format!("(< {} {})", time(first), time(second)));
        }
        let mut steps: Vec<(String, String)> = Vec::new();
        for (event, action) in self.events() {
            steps.push((included(event), time(event)));
            if self.is_buffered(&action) {
                steps.push((committed(event), commit_time(event)));
            }
        }
        let ends = [(self.required.first.map(time), true), (self.required.last.map(time), false)];
        for (end, first) in ends {
            let Some(end) = end else { continue };
            for (here, when) in steps.iter().filter(|(_, when)| *when != end) {
                let (one, other) = if first { (&end, when) } else { (when, &end) };
                self.implies(here, &format!("(< {one} {other})"));
            }
        }
        if let Some(fewer) = fewer {
            let ones: Vec<String> = steps.iter().map(|(here, _)| format!("(ite {here} 1 0)")).collect();
            self.assert(&format!("(< {} {fewer})", sum(&ones)));
        }
    }
}

/// What is done to a semaphore.
#[derive(Default)]
struct Semaphore {
    posts: Vec<EventId>,
    takes: Vec<EventId>,
    fails: Vec<EventId>,
}

/// The waits, and the notifications: at most how many threads, and how many it was.
#[derive(Default)]
struct Queue {
    waits: Vec<EventId>,
    notifies: Vec<(EventId, u32, Option<u32>)>,
}

/// From taking a lock to giving it back.
struct Section {
    take: EventId,
    give: Option<EventId>,
    shared: bool,
}

impl Section {
    fn ends_before(&self, other: &Section) -> String {
        match self.give {
            Some(give) => format!("(and {} (< {} {}))", included(give), time(give), time(other.take)),
            None => "false".to_owned(),
        }
    }

    fn contains(&self, event: EventId) -> String {
        let begun = format!("{} (< {} {})", included(self.take), time(self.take), time(event));
        match self.give {
            Some(give) => {
                format!("(and {begun} (or (not {}) (< {} {})))", included(give), time(event), time(give))
            }
            None => format!("(and {begun})"),
        }
    }
}

/// The part of a value that lies in a smaller place.
fn piece(at: Place, value: &Value, part: Place) -> Value {
    let start = (part.address - at.address) as usize;
    Value::from_slice(&value[start..start + part.size as usize])
}
