//! Steps whose footprints do not meet commute: every search that leaves out orders rests on that (C3 in `docs/search.md`), and on
//! what the tables of library functions say. So random programs are walked through at random, and in each state all pairs of
//! steps of different threads that are said to be independent are taken in both orders.

use crate::campaign::{Failure, Ran};
use crate::programs;
use crate::random::Random;
use selvedge::drivers::Request;
use selvedge::run::prepare::{Prepared, prepare};
use selvedge_machine::{
    Config, Footprint, Machine, Pick, Snapshot, Span, Spurious, Status, Stepped, is_spurious,
};
use selvedge_trace::{Inputs, Model, ThreadId};
use std::sync::{Arc, OnceLock};

/// A program that does what its arguments say, to few objects.
const OPERATIONS: &str = include_str!("../native/operations.c");
/// Threads of that program, and operations of each.
const THREADS: usize = 3;
const EACH: usize = 4;
/// Walks through a program, under each model.
const WALKS: usize = 3;
/// Steps of a walk.
const STEPS: usize = 150;
/// How often the fuel of a thread is renewed in a step.
const FUEL: usize = 8;

/// Walks through the program of a case: one in eight is one that is generated for searches.
pub fn case(number: u64) -> Result<Ran, Failure> {
    let mut random = Random::new(number.wrapping_add(1 << 41));
    if random.once_in(8) {
        let program = programs::generate::generate(programs::ast::Language::C, number);
        let text = programs::text_of(&program, programs::c::Purpose::Checked);
        let prepared = programs::compiled(&program, programs::c::Purpose::Checked, false)?;
        let name = format!("program.{}", program.language.extension());
        return walks(&prepared, &[], &mut random)
            .map_err(|what| Failure { what, files: vec![(name, text.into_bytes())] });
    }
    let arguments: Vec<String> = (0..THREADS).map(|_| drawn(&mut random)).collect();
    let prepared = operations().as_ref().map_err(|what| Failure::from(what.clone()))?;
    let told = format!("operations.c -- {}", arguments.join(" "));
    walks(prepared, &arguments, &mut random).map_err(|what| Failure::from(format!("{told}: {what}")))
}

/// What one thread does.
fn drawn(random: &mut Random) -> String {
    let count = OPERATIONS.matches("    OPERATION(").count();
    (0..1 + random.below(EACH)).map(|_| format!("{:03}", random.below(count))).collect()
}

fn operations() -> &'static Result<Prepared, String> {
    static PREPARED: OnceLock<Result<Prepared, String>> = OnceLock::new();
    PREPARED.get_or_init(|| {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let source = folder.path().join("operations.c");
        std::fs::write(&source, OPERATIONS).map_err(|error| error.to_string())?;
        prepare(&Request { inputs: vec![source], ..Request::default() }).map_err(|error| error.to_string())
    })
}

fn walks(prepared: &Prepared, arguments: &[String], random: &mut Random) -> Result<Ran, String> {
    let mut compared = 0;
    for &model in Model::INTERLEAVED {
        for walk in 0..WALKS {
            let inputs = Inputs { arguments: arguments.to_vec(), stdin: b"ab".to_vec(), ..Inputs::default() };
            let spurious = if walk == 0 { Spurious::Off } else { Spurious::All };
            let config =
                Config { model, inputs: Arc::new(inputs), every_step: true, spurious, ..Config::default() };
            let machine = Machine::new(prepared.program.clone(), config);
            let mut walk = Walk { machine, footprint: Footprint::default(), compared: 0 };
            walk.through(random).map_err(|what| format!("{}: {what}", model.name()))?;
            compared += walk.compared;
        }
    }
    Ok(if compared > 0 { Ran::Passed } else { Ran::skipped("no steps are independent") })
}

/// A walk through an execution.
struct Walk {
    machine: Machine,
    footprint: Footprint,
    compared: u64,
}

/// A step that was taken, and where it has led.
struct Taken {
    pick: Pick,
    footprint: Footprint,
    /// What it did besides.
    effects: Vec<Span>,
    /// What can be done after it.
    next: Vec<Pick>,
    /// The state after it; none if the execution is over, or a section has begun that no other thread interrupts.
    after: Option<Snapshot>,
}

fn thread_of(pick: Pick) -> ThreadId {
    match pick {
        Pick::Step { thread, .. } | Pick::Commit { thread, .. } => thread,
    }
}

/// Whether all that can happen is that waits return for no reason.
fn is_stuck(picks: &[Pick]) -> bool {
    picks.iter().all(|&pick| is_spurious(pick))
}

fn meet(these: &[Span], those: &[Span]) -> bool {
    these.iter().any(|one| those.iter().any(|other| one.conflicts(other)))
}

impl Walk {
    fn through(&mut self, random: &mut Random) -> Result<(), String> {
        let mut picks = Vec::new();
        for _ in 0..STEPS {
            self.machine.picks(&mut picks);
            if picks.is_empty() {
                return Ok(());
            }
            if self.machine.inspect().atomic_section().is_none() {
                self.compare(&picks)?;
            }
            if self.step(picks[random.below(picks.len())]).is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Takes a step. Nothing if it takes very long, or the execution is over.
    fn step(&mut self, pick: Pick) -> Option<()> {
        let mut stepped = self.machine.step(pick);
        for _ in 0..FUEL {
            match stepped {
                Stepped::OutOfFuel => stepped = self.machine.resume(),
                Stepped::Stopped if self.machine.outcome().is_none() => return Some(()),
                Stepped::Stopped | Stepped::Ended => return None,
            }
        }
        None
    }

    /// Compares all pairs of independent steps from here.
    fn compare(&mut self, picks: &[Pick]) -> Result<(), String> {
        let here = self.machine.snapshot();
        let mut all = Vec::new();
        for &pick in picks {
            let mut footprint = Footprint::default();
            self.machine.probe().footprint(pick, &mut footprint);
            let stepped = self.step(pick);
            let (mut next, effects) = (Vec::new(), self.machine.inspect().effects().to_vec());
            self.machine.picks(&mut next);
            let goes_on = stepped.is_some() && self.machine.inspect().atomic_section().is_none();
            let after = goes_on.then(|| self.machine.snapshot());
            self.machine.restore(&here);
            all.push(Taken { pick, footprint, effects, next, after });
        }
        for (number, one) in all.iter().enumerate() {
            for other in &all[number + 1..] {
                let (Some(first), Some(second)) = (&one.after, &other.after) else { continue };
                if thread_of(one.pick) == thread_of(other.pick) || depend(one, other) {
                    continue;
                }
                // Where only threads are left that wait, none of them wakes up for no reason.
                if is_stuck(&one.next) || is_stuck(&other.next) {
                    continue;
                }
                self.machine.restore(first);
                let (one_first, done_last) = self.then(one, other)?;
                self.machine.restore(second);
                let (other_first, done_first) = self.then(other, one)?;
                self.compared += 1;
                // A step that does not find an object depends on the step that has ended it.
                if meet(&spans(one), &done_last) || meet(&spans(other), &done_first) {
                    continue;
                }
                if one_first != other_first {
                    self.machine.restore(&here);
                    let (one, other) = (self.words(one), self.words(other));
                    let led = format!("{one_first:x?} or {other_first:x?}");
                    return Err(format!("the order of {one} and {other} matters: {led}"));
                }
            }
        }
        self.machine.restore(&here);
        self.waiting(picks, &all)?;
        self.machine.restore(&here);
        Ok(())
    }

    /// Takes a step after another one; the state, unless the execution is over, and what the step has done besides.
    fn then(&mut self, before: &Taken, taken: &Taken) -> Result<(Option<u128>, Vec<Span>), String> {
        let mut picks = Vec::new();
        self.machine.picks(&mut picks);
        if !picks.contains(&taken.pick) {
            let taken = self.words(taken);
            return Err(format!("{taken} is not possible after {:?} ({:?})", before.pick, before.footprint));
        }
        let state = self.step(taken.pick).map(|()| self.machine.state_hash());
        Ok((state, self.machine.inspect().effects().to_vec()))
    }

    /// A step that lets a thread go on which had to wait, or gives it another way to go on, meets what that thread is about
    /// to do.
    fn waiting(&mut self, picks: &[Pick], all: &[Taken]) -> Result<(), String> {
        for index in 0..self.machine.threads().len() {
            let thread = ThreadId(index as u16);
            let own = |picks: &[Pick]| -> Vec<Pick> {
                let step = |pick: &&Pick| matches!(**pick, Pick::Step { thread: of, .. } if of == thread);
                picks.iter().filter(step).copied().collect()
            };
            let before = own(picks);
            self.machine.probe().pending_footprint(index, &mut self.footprint);
            for taken in all.iter().filter(|taken| {
                taken.after.is_some() && thread_of(taken.pick) != thread && !is_stuck(&taken.next)
            }) {
                let mut spans = taken.footprint.spans.to_vec();
                spans.extend(taken.footprint.later.iter().chain(&taken.effects));
                let meets = taken.footprint.everything || self.footprint.everything;
                if meets || meet(&spans, &self.footprint.spans) || own(&taken.next) == before {
                    continue;
                }
                let status = &self.machine.threads()[index].status;
                return Err(format!(
                    "{} changes what thread {index} can do, {}",
                    self.words(taken),
                    status_words(status)
                ));
            }
        }
        Ok(())
    }

    fn words(&self, taken: &Taken) -> String {
        let thread = thread_of(taken.pick).index();
        let status = &self.machine.threads()[thread].status;
        format!("{:?} ({}, {:?})", taken.pick, status_words(status), taken.footprint.spans)
    }
}

fn status_words(status: &Status) -> String {
    match status {
        Status::Ready(operation) => format!("{:?} of {:#x}", operation.kind, operation.address),
        other => format!("{other:?}"),
    }
}

/// What a step touches.
fn spans(taken: &Taken) -> Vec<Span> {
    taken.footprint.spans.iter().chain(&taken.effects).copied().collect()
}

/// Whether two steps are said to depend on each other.
fn depend(one: &Taken, other: &Taken) -> bool {
    let any = |is: fn(&Footprint) -> bool| is(&one.footprint) || is(&other.footprint);
    any(|footprint| footprint.everything || footprint.exits)
        || (one.footprint.creates && other.footprint.creates)
        || meet(&spans(one), &spans(other))
}
