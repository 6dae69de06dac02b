//! A thread's statements as a list with jumps, so that a number says where the thread is.

use crate::language::{Expression, Program, Statement};

/// One entry.
#[derive(Clone, Debug)]
pub enum Op {
    /// A statement without others inside.
    Do(Statement),
    /// Goes on at the given place if the expression is 0.
    Unless(Expression, usize),
    /// Goes on at the given place.
    Goto(usize),
    /// The thread's result.
    Result(Expression),
}

/// All threads of a program, then main. What follows after the last entry is the end of the thread.
pub fn code(program: &Program) -> Vec<Vec<Op>> {
    let body = |(thread, statements): (usize, &[Statement])| {
        let mut writer = Writer::default();
        writer.statements(statements);
        let end = writer.ops.len();
        writer.returns.iter().for_each(|&at| writer.ops[at] = Op::Goto(end));
        let join = |child| Op::Do(Statement::Join { child, into: None });
        writer.ops.extend(program.missing_joins(thread).into_iter().map(join));
        // Where main creates no threads, all others have ended before it does anything.
        if thread == program.main_thread() && program.main_creates() {
            writer.ops.push(Op::Do(Statement::Exit));
        }
        let end = writer.ops.len();
        writer.leaves.iter().for_each(|&at| writer.ops[at] = Op::Goto(end));
        writer.ops
    };
    program.bodies().enumerate().map(body).collect()
}

#[derive(Default)]
struct Writer {
    ops: Vec<Op>,
    /// Where `break` stands, for each loop around.
    breaks: Vec<Vec<usize>>,
    /// The same for `continue`.
    continues: Vec<Vec<usize>>,
    returns: Vec<usize>,
    leaves: Vec<usize>,
}

impl Writer {
    /// Where something stands that will be known later.
    fn later(&mut self) -> usize {
        self.ops.push(Op::Goto(usize::MAX));
        self.ops.len() - 1
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::If(condition, then, otherwise) => {
                let test = self.later();
                self.statements(then);
                let skip = self.later();
                self.ops[test] = Op::Unless(condition.clone(), self.ops.len());
                self.statements(otherwise);
                self.ops[skip] = Op::Goto(self.ops.len());
            }
            Statement::Repeat(count, body) => {
                self.breaks.push(Vec::new());
                for _ in 0..*count {
                    self.continues.push(Vec::new());
                    self.statements(body);
                    self.land(|this| &mut this.continues, self.ops.len());
                }
                self.land(|this| &mut this.breaks, self.ops.len());
            }
            Statement::Loop(body) => {
                let start = self.ops.len();
                self.breaks.push(Vec::new());
                self.continues.push(Vec::new());
                self.statements(body);
                self.ops.push(Op::Goto(start));
                self.land(|this| &mut this.continues, start);
                self.land(|this| &mut this.breaks, self.ops.len());
            }
            Statement::Break => {
                let at = self.later();
                self.breaks.last_mut().expect("`break` stands in a loop").push(at);
            }
            Statement::Continue => {
                let at = self.later();
                self.continues.last_mut().expect("`continue` stands in a loop").push(at);
            }
            Statement::Return(value) | Statement::Leave(value) => {
                self.ops.push(Op::Result(value.clone()));
                let at = self.later();
                match statement {
                    Statement::Leave(_) => self.leaves.push(at),
                    _ => self.returns.push(at),
                }
            }
            _ => self.ops.push(Op::Do(statement.clone())),
        }
    }

    /// The jumps of the innermost loop go to `target`.
    fn land(&mut self, jumps: impl Fn(&mut Self) -> &mut Vec<Vec<usize>>, target: usize) {
        for at in jumps(self).pop().unwrap_or_default() {
            self.ops[at] = Op::Goto(target);
        }
    }
}
