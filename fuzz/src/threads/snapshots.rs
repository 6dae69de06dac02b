//! Snapshots lead back to exactly where they were taken, whatever was done in between.

use crate::random::Random;
use selvedge::run::prepare::Prepared;
use selvedge_machine::{Config, Machine, Pick, Snapshot, Stepped};
use selvedge_trace::Model;

/// Snapshots of one execution.
const MOST: usize = 4;
/// No program takes as many steps as this.
const STEPS: usize = 200_000;

/// What a machine looks like from outside.
#[derive(Debug, PartialEq, Eq, Clone)]
struct State {
    hash: u128,
    digest: u64,
    outcome: String,
    picks: Vec<Pick>,
}

fn state(machine: &mut Machine) -> State {
    let mut picks = Vec::new();
    machine.picks(&mut picks);
    State {
        hash: machine.state_hash(),
        digest: machine.inspect().digest(),
        outcome: format!("{:?}", machine.outcome()),
        picks,
    }
}

fn step(machine: &mut Machine, pick: Pick) {
    let mut stepped = machine.step(pick);
    while stepped == Stepped::OutOfFuel {
        stepped = machine.resume();
    }
}

/// Runs the program once, at random, with snapshots; goes back to each of them, does something else, goes back
/// again, and repeats the first run from there. A second machine repeats all of it.
pub fn check(prepared: &Prepared, model: Model, random: &mut Random) -> Result<(), String> {
    let config = Config { model, ..Config::default() };
    let mut machine = Machine::new(prepared.program.clone(), config.clone());
    let mut states = vec![state(&mut machine)];
    let mut chosen: Vec<Pick> = Vec::new();
    let mut snapshots: Vec<(usize, Snapshot)> = Vec::new();
    loop {
        let picks = &states[chosen.len()].picks;
        if picks.is_empty() {
            break;
        }
        if chosen.len() > STEPS {
            return Err("the program does not end".to_owned());
        }
        if random.once_in(40) && snapshots.len() < MOST {
            snapshots.push((chosen.len(), machine.snapshot()));
        }
        let pick = picks[random.below(picks.len())];
        step(&mut machine, pick);
        chosen.push(pick);
        states.push(state(&mut machine));
    }
    let ended = &states[chosen.len()].outcome;
    if ended != "Some(Exited(0))" {
        return Err(format!("the program did not end well: {ended}"));
    }
    let printed = machine.take_output();
    let repeat = |machine: &mut Machine, from: usize, who: &str| {
        for (at, before) in states.iter().enumerate().skip(from) {
            let now = state(machine);
            if now != *before {
                return Err(format!("{who}: step {at} differs: {now:?}, before {before:?}"));
            }
            if let Some(&pick) = chosen.get(at) {
                step(machine, pick);
            }
        }
        match machine.take_output() == printed {
            true => Ok(()),
            false => Err(format!("{who}: the output differs")),
        }
    };
    while !snapshots.is_empty() {
        let (at, snapshot) = snapshots.swap_remove(random.below(snapshots.len()));
        let who = format!("after going back to step {at}");
        machine.restore(&snapshot);
        repeat(&mut machine, at, &who)?;
        machine.restore(&snapshot);
        astray(&mut machine, random);
        machine.restore(&snapshot);
        repeat(&mut machine, at, &format!("{who} from somewhere else"))?;
    }
    repeat(&mut Machine::new(prepared.program.clone(), config), 0, "a second machine")
}

/// Goes on at random for a while.
fn astray(machine: &mut Machine, random: &mut Random) {
    let mut picks = Vec::new();
    for _ in 0..random.below(60) {
        machine.picks(&mut picks);
        if picks.is_empty() {
            return;
        }
        step(machine, picks[random.below(picks.len())]);
    }
}
