//! Warm-up runs: a few executions before the first round, from which footprint summaries are learned.

use crate::kit::step::{self, Advanced};
use crate::states::summaries::{Follow, SummaryTable};
use crate::{Progress, Tuning};
use selvedge_machine::{Config, Footprint, Machine, Pick, Status};
use selvedge_program::Program;
use selvedge_trace::{EventKind, Operation};
use std::sync::Arc;

/// What a few executions show before the first round: one for each order of preferring threads, and some at random.
pub fn warm_up(
    program: &Arc<Program>,
    config: &Config,
    tuning: &Tuning,
    progress: &Progress,
) -> SummaryTable {
    let mut learned = SummaryTable::default();
    let (mut seed, mut useless) = (0, 0);
    while useless < tuning.useless_warm_ups && seed < tuning.warm_ups && progress.over().is_none() {
        learned.grown = false;
        let machine = Machine::new(program.clone(), config.clone());
        let came = warm_up_run(machine, tuning, progress, seed, &mut learned);
        if came == WarmUp::Endless {
            // It may go on for ever, and the next one as well: the search explores everything else first.
            return learned;
        }
        useless = if learned.grown { 0 } else { useless + 1 };
        seed += 1;
    }
    learned
}

/// How a warm-up run ended.
#[derive(PartialEq, Eq)]
enum WarmUp {
    Over,
    /// A thread has run for very long without anything visible.
    Endless,
}

fn warm_up_run(
    mut machine: Machine,
    tuning: &Tuning,
    progress: &Progress,
    seed: u64,
    learned: &mut SummaryTable,
) -> WarmUp {
    let mut keys: Vec<u64> = Vec::new();
    let mut picks: Vec<Pick> = Vec::new();
    let mut footprint = Footprint::default();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut actor: Option<usize> = None;
    let mut failing = false;
    let mut count = None;
    for _ in 0..tuning.longest_warm_up {
        if progress.over().is_some() {
            return WarmUp::Over;
        }
        let creator = actor.map(|actor| keys[actor]);
        if let Some(key) = creator {
            learned.touched(key, machine.inspect().effects());
        }
        for index in 0..machine.threads().len() {
            let key = machine.inspect().control(index);
            match keys.get(index).copied() {
                Some(before) if before != key => {
                    let failed = failing && actor == Some(index);
                    let follow = if failed { Follow::Failing } else { Follow::On };
                    learned.went(before, key, follow, count.filter(|_| actor == Some(index)));
                }
                None => {
                    creator.into_iter().for_each(|creator| learned.went(creator, key, Follow::Born, None))
                }
                Some(_) => {}
            }
            if keys.len() <= index {
                keys.push(key);
            }
            keys[index] = key;
            machine.probe().pending_footprint(index, &mut footprint);
            learned.at(key, &footprint);
        }
        machine.picks(&mut picks);
        // The end of the program would hide what the other threads would have done.
        let exits = |pick: &Pick| {
            let status = &machine.threads()[step::thread_of(*pick).index()].status;
            matches!(status, Status::Ready(Operation { kind: EventKind::Exit, .. }))
        };
        if picks.iter().any(|pick| !exits(pick)) {
            picks.retain(|pick| !exits(pick));
        }
        if picks.is_empty() {
            return WarmUp::Over;
        }
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Every other warm-up run lets a thread run on for a while.
        let stays = actor.and_then(|actor| {
            picks.iter().find(|pick| seed % 2 == 1 && step::thread_of(**pick).index() == actor).copied()
        });
        let pick = match stays {
            Some(pick) if !state.is_multiple_of(8) => pick,
            _ => picks[(state >> 16) as usize % picks.len()],
        };
        machine.probe().footprint(pick, &mut footprint);
        failing = footprint.fails;
        count = footprint.count.filter(|_| !step::looks_back(pick));
        actor = Some(step::thread_of(pick).index());
        let advanced = step::advance_within(&mut machine, pick, progress, tuning.first_fuel);
        learned.looks_at(machine.take_looked_at());
        match advanced {
            Some(Advanced::Stopped) => {}
            Some(_) => return WarmUp::Over,
            None => return WarmUp::Endless,
        }
    }
    WarmUp::Over
}
