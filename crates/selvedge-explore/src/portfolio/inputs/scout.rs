//! A few executions at random, which show soon what is decided by inputs.

use crate::Task;
use crate::kit::step::{self, Advanced};
use selvedge_machine::{Config, Machine, Pick};

/// Executions for each set of values.
const RUNS: u64 = 12;
/// Steps of an execution, at most.
const LONGEST: u64 = 3_000;

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saw {
    /// A decision that was not known.
    More,
    Nothing,
}

/// Executes at random.
pub fn scout(task: Task<'_>, config: &Config) -> Saw {
    let Some(choices) = &config.choices else { return Saw::Nothing };
    let before = choices.predicates.known().predicates.len();
    let mut picks: Vec<Pick> = Vec::new();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..RUNS {
        let mut machine = Machine::new(task.program.clone(), config.clone());
        for _ in 0..LONGEST {
            machine.picks(&mut picks);
            if picks.is_empty() || task.progress.over().is_some() {
                break;
            }
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mut pick = picks[(state >> 16) as usize % picks.len()];
            if let Pick::Step { thread, .. } = pick
                && state & 1 == 0
                && machine.inspect().is_choosing(thread.index())
            {
                // What was tried least is last.
                let own = |other: &&Pick| step::thread_of(**other) == thread;
                pick = picks.iter().rev().find(own).copied().unwrap_or(pick);
            }
            match step::advance_within(&mut machine, pick, task.progress, task.options.tuning.first_fuel) {
                Some(Advanced::Stopped) => {}
                _ => break,
            }
        }
    }
    match choices.predicates.known().predicates.len() > before {
        true => Saw::More,
        false => Saw::Nothing,
    }
}
