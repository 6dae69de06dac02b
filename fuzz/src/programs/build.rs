//! What shapes are built with.

use super::ast::*;
use crate::random::Random;

/// What all atomic accesses of a program have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// All are sequentially consistent.
    Sequential,
    /// As strong as the shape needs.
    Proper,
    /// Sometimes weaker than the shape needs.
    Careless,
}

/// A program that grows.
pub struct Builder {
    /// Where everything comes from.
    pub random: Random,
    /// How strong accesses are.
    pub strength: Strength,
    /// What is built.
    pub program: Program,
    registers: Vec<u8>,
}

impl Builder {
    /// A program of so many threads, main among them, that do nothing yet.
    pub fn new(language: Language, mut random: Random, threads: usize) -> Self {
        let strength = match random.below(8) {
            0..2 => Strength::Sequential,
            2..6 => Strength::Proper,
            _ => Strength::Careless,
        };
        let kinds = [MutexKind::Normal, MutexKind::Normal, MutexKind::Recursive, MutexKind::Checked];
        let vias = [
            Via::Word,
            Via::Word,
            Via::Packed,
            Via::HeapPacked,
            Via::Unaligned,
            Via::Bytes,
            Via::Tagged,
            Via::Integer,
            Via::Copied,
            Via::Printed,
        ];
        let mut kind = || kinds[random.below(kinds.len())];
        let mutexes = [kind(), kind()];
        let mut via = || vias[random.below(vias.len())];
        let carriers = [via(), via()];
        let program = Program {
            language,
            threads: vec![Thread::default(); threads],
            mutexes,
            semaphores: [0, random.below(2) as u8],
            barriers: [2, 2],
            once: [Vec::new()],
            carriers,
            shapes: Vec::new(),
        };
        Builder { random, strength, program, registers: vec![0; threads] }
    }

    /// The next register of a thread; after the last the first comes again.
    pub fn register(&mut self, thread: usize) -> u8 {
        let next = self.registers[thread];
        self.registers[thread] = (next + 1) % REGISTERS;
        next
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.random.once_in(times)
    }

    /// Adds a statement to the end of a thread.
    pub fn add(&mut self, thread: usize, statement: Statement) {
        self.program.threads[thread].body.push(statement);
    }

    /// Adds statements to the end of a thread.
    pub fn extend(&mut self, thread: usize, statements: impl IntoIterator<Item = Statement>) {
        self.program.threads[thread].body.extend(statements);
    }

    /// Several different threads, in any order.
    pub fn roles(&mut self, count: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.program.threads.len()).collect();
        for last in (1..all.len()).rev() {
            all.swap(last, self.random.below(last + 1));
        }
        (0..count).map(|index| all[index % all.len()]).collect()
    }

    /// An order for what needs this one.
    pub fn order(&mut self, needed: Order) -> Order {
        match self.strength {
            Strength::Sequential => Order::Sequential,
            Strength::Proper if self.random.once_in(5) => Order::Sequential,
            Strength::Proper => needed,
            Strength::Careless => {
                let all = [Order::Relaxed, Order::Relaxed, needed, Order::Sequential];
                all[self.random.below(all.len())]
            }
        }
    }

    /// An atomic integer.
    pub fn atomic(&mut self) -> Place {
        Place::Atomic([0, 0, 0, 1, 1, 1, 2, 3][self.random.below(8)])
    }

    /// A load into a new register, and the register.
    pub fn load(&mut self, thread: usize, place: Place, needed: Order) -> (Statement, u8) {
        let register = self.register(thread);
        let order = self.order(needed).of_load();
        (Statement::Load { register, place, order }, register)
    }

    /// A store.
    pub fn store(&mut self, place: Place, value: u8, needed: Order) -> Statement {
        let order = self.order(needed).of_store();
        Statement::Store { place, value: Value::Number(value), order }
    }

    /// An update.
    pub fn update(
        &mut self,
        register: Option<u8>,
        update: Update,
        place: Place,
        value: u8,
        needed: Order,
    ) -> Statement {
        let order = self.order(needed);
        Statement::Update { register, update, place, value: Value::Number(value), order }
    }

    /// A compare-exchange, weak or strong.
    pub fn exchange(
        &mut self,
        ok: Option<u8>,
        seen: Option<u8>,
        place: Place,
        (expected, desired): (u8, u8),
        needed: Order,
    ) -> Statement {
        let success = self.order(needed);
        let failures = [Order::Relaxed, Order::Acquire, Order::Sequential];
        Statement::CompareExchange {
            ok,
            seen,
            place,
            expected: Value::Number(expected),
            desired: Value::Number(desired),
            weak: self.random.once_in(3),
            success,
            failure: failures[self.random.below(3)],
        }
    }

    /// How to wait: mostly as long as it takes.
    pub fn how(&mut self) -> How {
        match self.random.below(8) {
            0 => How::Try,
            1 => How::Timed,
            _ => How::Wait,
        }
    }

    /// A section.
    pub fn section(&mut self, guard: Guard, body: Vec<Statement>) -> Statement {
        let how = self.how();
        Statement::Section { guard, how, body, otherwise: Vec::new() }
    }
}

/// One comparison.
pub fn when(register: u8, is: Is, value: u8, then: Vec<Statement>) -> Statement {
    let condition = Condition { terms: vec![(register, is, value)], negated: false };
    Statement::If { condition, then, otherwise: Vec::new() }
}

/// That a comparison holds.
pub fn assert_that(register: u8, is: Is, value: u8) -> Statement {
    Statement::Assert(Condition { terms: vec![(register, is, value)], negated: false })
}

/// That comparisons do not all hold.
pub fn assert_not(terms: Vec<(u8, Is, u8)>) -> Statement {
    Statement::Assert(Condition { terms, negated: true })
}
