//! Steps that do not depend on each other lead to the same state in any order.

use crate::buffers::litmus::{Do, program};
use crate::machine::{Config, Machine, Outcome, Pick, Stepped};
use selvedge_program::code::Order;
use selvedge_trace::Model;
use std::collections::VecDeque;
use std::sync::Arc;

/// A source of numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// What a thread does that uses only two variables: one for numbers, one for addresses.
fn steps(numbers: &mut Numbers, number: u32, address: u32) -> Vec<Do> {
    let orders = [Order::NotAtomic, Order::Relaxed, Order::Release, Order::SeqCst];
    let mut steps = vec![Do::Allocate(24), Do::Fill(0, 1)];
    let mut published = false;
    for _ in 0..8 {
        let value = numbers.below(3);
        let order = orders[numbers.below(4) as usize];
        match numbers.below(7) {
            0 => steps.push(Do::Write(number, value)),
            1 => steps.push(Do::Read(number)),
            2 if order != Order::NotAtomic => steps.push(Do::Store(number, value, order)),
            3 => steps.push(Do::Fill(8, value)),
            4 => steps.push(Do::Follow(address, 0)),
            5 if !published => {
                steps.push(Do::Publish(address, order));
                published = true;
            }
            6 if published => {
                let size = [16, 24, 5000][numbers.below(3) as usize];
                steps.extend([Do::Release(address), Do::Allocate(size), Do::Fill(0, value)]);
                steps.push(Do::Exchange(address));
            }
            _ => {}
        }
    }
    steps
}

fn machine(model: Model, threads: &[&[Do]]) -> Machine {
    let mut machine = Machine::new(Arc::new(program(threads)), Config { model, ..Config::default() });
    machine.state_hash();
    for function in 1..=threads.len() {
        machine.spawn(Some(0), function as u32, &[]).unwrap();
    }
    machine.resume();
    machine
}

fn thread_of(pick: Pick) -> usize {
    match pick {
        Pick::Step { thread, .. } | Pick::Commit { thread, .. } => thread.index(),
    }
}

#[test]
fn independent_steps_in_any_order_lead_to_the_same_state() {
    let mut numbers = Numbers(7);
    for round in 0..300 {
        let first = steps(&mut numbers, 0, 1);
        let second = steps(&mut numbers, 2, 3);
        let threads: [&[Do]; 2] = [&first, &second];
        let model = [Model::Sc, Model::Tso, Model::Pso][round % 3];
        let mut one = machine(model, &threads);
        let mut taken = vec![VecDeque::new(); 3];
        let mut picks = Vec::new();
        for _ in 0..numbers.below(24) {
            one.picks(&mut picks);
            // The first thread ends the process when it is alone.
            picks.retain(|&pick| thread_of(pick) != 0);
            if picks.is_empty() {
                break;
            }
            let pick = picks[numbers.below(picks.len() as u64) as usize];
            assert_eq!(one.step(pick), Stepped::Stopped, "{:?}", one.outcome());
            taken[thread_of(pick)].push_back(pick);
            if numbers.below(2) == 0 {
                one.state_hash();
            }
            if numbers.below(4) == 0 {
                let snapshot = one.snapshot();
                one.picks(&mut picks);
                picks.retain(|&pick| thread_of(pick) != 0);
                if let Some(&pick) = picks.first() {
                    one.step(pick);
                    one.state_hash();
                }
                one.restore(&snapshot);
            }
        }
        let mut other = machine(model, &threads);
        while taken.iter().any(|picks| !picks.is_empty()) {
            let thread = numbers.below(3) as usize;
            if let Some(pick) = taken[thread].pop_front() {
                assert_eq!(other.step(pick), Stepped::Stopped, "{:?}", other.outcome());
            }
        }
        assert_eq!(one.state_hash(), other.state_hash(), "round {round}, {model:?}: {threads:?}");
    }
}

#[test]
fn a_stale_pointer_in_a_global_is_told_from_the_new_owner() {
    use Do::*;
    let publish = Publish(1, Order::SeqCst);
    let steps = [Allocate(24), publish, Release(1), Allocate(24), Fill(0, 1), Follow(1, 0)];
    for hashed in [false, true] {
        let mut machine = Machine::new(Arc::new(program(&[&steps, &[]])), Config::default());
        let mut picks = Vec::new();
        let mut look = |machine: &mut Machine| {
            if hashed {
                machine.state_hash();
            }
            machine.picks(&mut picks);
            picks.iter().copied().find(|&pick| thread_of(pick) == 1)
        };
        look(&mut machine);
        machine.spawn(Some(0), 1, &[]).unwrap();
        machine.spawn(Some(0), 2, &[]).unwrap();
        machine.resume();
        while let Some(pick) = look(&mut machine) {
            machine.step(pick);
        }
        match machine.outcome() {
            Some(Outcome::Violation { violation, .. }) => {
                assert!(violation.message.starts_with("use after free"), "{}", violation.message);
            }
            outcome => panic!("{outcome:?}"),
        }
    }
}
