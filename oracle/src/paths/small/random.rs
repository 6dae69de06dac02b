//! Random programs.

use super::language::{Condition, Expression, Program, Statement, Test};
use crate::numbers::Numbers;

/// What random programs contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// How many locks there are.
    pub locks: usize,
    /// Try-locks, read-write locks, queues, semaphores, barriers, threads that start threads.
    pub rich: bool,
    /// Halves of variables.
    pub halves: bool,
    /// Addresses that depend on values.
    pub addresses: bool,
}

struct Writer<'n> {
    numbers: &'n mut Numbers,
    contents: Contents,
    variables: usize,
    inputs: usize,
    locals: usize,
}

/// A random program.
pub fn program(contents: Contents, numbers: &mut Numbers) -> Program {
    let threads = numbers.one_of(&[2, 2, 3]);
    let (variables, inputs) = (numbers.one_of(&[1, 2, 2, 3]), numbers.one_of(&[0, 1, 1, 2]));
    let mut writer = Writer { numbers, contents, variables, inputs, locals: 0 };
    let budget = if threads == 3 { 3 } else { 4 };
    let mut program = Program::default();
    for _ in 0..threads {
        writer.locals = 0;
        let mut known = Vec::new();
        program.threads.push(writer.block(0, &mut known, budget, &mut Vec::new()));
    }
    if contents.rich && writer.numbers.below(4) == 0 {
        // The first thread starts the last one, and may wait for it.
        let last = threads - 1;
        program.forked.push(last);
        let first = &mut program.threads[0];
        let place = writer.numbers.below(first.len() + 1);
        first.insert(place, Statement::Fork(last));
        if writer.numbers.below(2) == 0 {
            first.push(Statement::Join(last));
            let local = 20;
            first.push(Statement::Read { local, variable: 0 });
            let condition =
                Condition { left: Expression::Local(local), test: Test::Equal, right: Expression::Number(1) };
            first.push(Statement::If { condition, then: Vec::new(), otherwise: Vec::new() });
        }
    }
    program
}

impl Writer<'_> {
    fn local(&mut self) -> usize {
        self.locals = (self.locals + 1) % 20;
        self.locals
    }

    fn variable(&mut self) -> usize {
        self.numbers.below(self.variables)
    }

    fn value(&mut self, known: &[usize]) -> Expression {
        if !known.is_empty() && self.numbers.below(5) < 2 {
            let local = known[self.numbers.below(known.len())];
            let more = self.numbers.one_of(&[0, 0, 1]);
            return Expression::Add(Box::new(Expression::Local(local)), Box::new(Expression::Number(more)));
        }
        Expression::Number(self.numbers.below(3) as i16)
    }

    fn condition(&mut self, known: &[usize]) -> Condition {
        let recent = known.len().saturating_sub(2);
        let local = known[recent + self.numbers.below(known.len() - recent)];
        let test = self.numbers.one_of(&[Test::Equal, Test::Equal, Test::NotEqual, Test::Greater]);
        let right = Expression::Number(self.numbers.below(3) as i16);
        Condition { left: Expression::Local(local), test, right }
    }

    fn block(
        &mut self,
        depth: u32,
        known: &mut Vec<usize>,
        budget: usize,
        held: &mut Vec<usize>,
    ) -> Vec<Statement> {
        let mut block = Vec::new();
        let inherited = known.len();
        for _ in 0..1 + self.numbers.below(budget) {
            let kind = self.numbers.below(100);
            match kind {
                0..28 => self.read(known, &mut block),
                28..56 => {
                    let (variable, value) = (self.variable(), self.value(known));
                    block.push(match self.numbers.below(4) {
                        0 if self.contents.halves => {
                            Statement::WriteHalf { variable, upper: self.numbers.below(2) == 0, value }
                        }
                        0 if self.contents.addresses && !known.is_empty() => {
                            let index =
                                Expression::Rem(Box::new(Expression::Local(known[known.len() - 1])), 2);
                            Statement::WriteAt { first: 0, index, value }
                        }
                        _ => Statement::Write { variable, value },
                    });
                }
                56..62 => {
                    let (local, variable) = (self.local(), self.variable());
                    block.push(if self.numbers.below(2) == 0 {
                        Statement::FetchAdd { local, variable, value: Expression::Number(1) }
                    } else {
                        let (old, new) = (self.value(known), self.value(known));
                        Statement::CompareExchange { local, variable, old, new }
                    });
                    known.push(local);
                }
                62..69 if self.inputs > 0 => {
                    let (local, number) = (self.local(), self.numbers.below(self.inputs));
                    block.push(Statement::Input { local, number });
                    known.push(local);
                }
                69..79 if self.contents.locks > 0 && depth < 2 => {
                    self.section(depth, known, held, &mut block)
                }
                79..87 if self.contents.rich => self.rich(known, held, &mut block),
                87..89 if depth == 0 && held.is_empty() && self.contents.rich => {
                    let mut inside = Vec::new();
                    self.read(known, &mut inside);
                    let (variable, value) = (self.variable(), self.value(known));
                    inside.push(Statement::Write { variable, value });
                    block.push(Statement::Atomic(inside));
                }
                _ if depth < 2 => {
                    if known.is_empty() || self.numbers.below(5) < 2 {
                        self.read(known, &mut block);
                    }
                    let condition = self.condition(known);
                    match self.numbers.below(16) {
                        0 => block.push(Statement::Assert { condition: condition.clone() }),
                        1 => block.push(Statement::Assume { condition: condition.clone() }),
                        _ => {}
                    }
                    let then = self.block(depth + 1, known, 2, held);
                    let otherwise = if self.numbers.below(5) < 3 {
                        self.block(depth + 1, known, 2, held)
                    } else {
                        Vec::new()
                    };
                    block.push(Statement::If { condition, then, otherwise });
                }
                _ => {}
            }
        }
        known.truncate(inherited.max(if depth == 0 { known.len() } else { inherited }));
        block
    }

    fn read(&mut self, known: &mut Vec<usize>, block: &mut Vec<Statement>) {
        let (local, variable) = (self.local(), self.variable());
        block.push(match self.numbers.below(4) {
            0 if self.contents.halves => {
                Statement::ReadHalf { local, variable, upper: self.numbers.below(2) == 0 }
            }
            0 if self.contents.addresses && !known.is_empty() => {
                let index = Expression::Rem(Box::new(Expression::Local(known[known.len() - 1])), 2);
                Statement::ReadAt { local, first: 0, index }
            }
            _ => Statement::Read { local, variable },
        });
        known.push(local);
    }

    fn section(
        &mut self,
        depth: u32,
        known: &mut Vec<usize>,
        held: &mut Vec<usize>,
        block: &mut Vec<Statement>,
    ) {
        let lock = self.numbers.below(self.contents.locks);
        if held.contains(&lock) {
            return;
        }
        held.push(lock);
        let kind = if self.contents.rich { self.numbers.below(5) } else { 0 };
        match kind {
            1 => {
                block.push(Statement::LockShared(lock));
                block.extend(self.block(depth + 1, known, 2, held));
                block.push(Statement::UnlockShared(lock));
            }
            2 => {
                let local = self.local();
                block.push(Statement::TryLock { local, lock });
                let mut then = self.block(depth + 1, known, 2, held);
                then.push(Statement::Unlock(lock));
                let condition = Condition {
                    left: Expression::Local(local),
                    test: Test::Equal,
                    right: Expression::Number(1),
                };
                block.push(Statement::If { condition, then, otherwise: Vec::new() });
            }
            3 => {
                block.push(Statement::Lock(lock));
                let local = self.local();
                block.push(if self.numbers.below(2) == 0 {
                    Statement::Wait { queue: 0, lock }
                } else {
                    Statement::TimedWait { queue: 0, lock, local }
                });
                block.extend(self.block(depth + 1, known, 1, held));
                block.push(Statement::Unlock(lock));
            }
            _ => {
                block.push(Statement::Lock(lock));
                block.extend(self.block(depth + 1, known, 2, held));
                block.push(Statement::Unlock(lock));
            }
        }
        held.pop();
    }

    fn rich(&mut self, known: &mut Vec<usize>, held: &[usize], block: &mut Vec<Statement>) {
        match self.numbers.below(6) {
            0 | 1 => block.push(Statement::Notify { queue: 0, all: self.numbers.below(2) == 0 }),
            2 => block.push(Statement::Post(0)),
            3 => {
                let local = self.local();
                block.push(Statement::TryTake { local, semaphore: 0 });
            }
            4 if held.is_empty() => block.push(Statement::Take(0)),
            _ if held.is_empty() => block.push(Statement::Arrive { barrier: 0, threads: 2 }),
            _ => self.read(known, block),
        }
    }
}
