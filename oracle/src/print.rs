//! Writes programs in the [notation](crate::notation), so that a program that was found at random can be kept as text.

use crate::language::{Expression, Operator, Order, Place, Program, Statement, Variable};

/// A program as text: what [`notation::program`](crate::notation::program) makes the same program of, but for the numbers
/// of locals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// What is shared.
    pub declarations: String,
    /// The threads but main.
    pub threads: String,
    /// Main.
    pub main: String,
}

/// Writes a program.
pub fn print(program: &Program) -> Printed {
    let variables = program.variables.iter().map(declaration);
    let mutexes = (0..program.mutexes).map(|mutex| format!("mutex:m{mutex}"));
    let conditions = program.conditions.iter().enumerate();
    let conditions = conditions.map(|(condition, mutex)| format!("cond:c{condition}:m{mutex}"));
    let threads: Vec<String> = program.threads.iter().map(|body| thread(program, body)).collect();
    Printed {
        declarations: variables.chain(mutexes).chain(conditions).collect::<Vec<_>>().join(" "),
        threads: threads.join(" || "),
        main: thread(program, &program.main),
    }
}

fn declaration(variable: &Variable) -> String {
    let Variable { name, initial } = variable;
    let length = if initial.len() == 1 { String::new() } else { format!("[{}]", initial.len()) };
    let values: Vec<String> = initial.iter().map(i32::to_string).collect();
    match initial.iter().all(|&value| value == 0) {
        true => format!("{name}{length}"),
        false => format!("{name}{length}={}", values.join(",")),
    }
}

fn thread(program: &Program, body: &[Statement]) -> String {
    Printer { program, locals: Vec::new() }.statements(body)
}

struct Printer<'p> {
    program: &'p Program,
    /// Locals in the order in which they are mentioned first.
    locals: Vec<usize>,
}

impl Printer<'_> {
    fn statements(&mut self, statements: &[Statement]) -> String {
        let all: Vec<String> = statements.iter().map(|statement| self.statement(statement)).collect();
        all.join("; ")
    }

    fn block(&mut self, statements: &[Statement]) -> String {
        format!("{{ {} }}", self.statements(statements))
    }

    fn statement(&mut self, statement: &Statement) -> String {
        // What stands first in the text comes first here: locals are numbered in that order.
        let target = statement.result().map(|into| format!("{}=", self.local(into))).unwrap_or_default();
        let text = match statement {
            Statement::Load { from, order, .. } => self.place(from, *order),
            Statement::Store { to, value, order } => {
                let to = self.place(to, *order);
                format!("{to}={}", self.expression(value))
            }
            Statement::FetchAdd { place, value, order, .. } => {
                format!("faa({},{})", self.place(place, *order), self.expression(value))
            }
            Statement::Exchange { place, value, order, .. } => {
                format!("xchg({},{})", self.place(place, *order), self.expression(value))
            }
            Statement::CompareExchange { place, expected, new, order, .. } => {
                let (place, expected) = (self.place(place, *order), self.expression(expected));
                format!("cas({place},{expected},{})", self.expression(new))
            }
            Statement::Fence(order) => format!("fence.{}", word(*order)),
            Statement::Copy { from, to, called: true } => {
                format!("call {} {}", self.name(*from), self.name(*to))
            }
            Statement::Copy { from, to, called: false } => {
                format!("copy {} {}", self.name(*from), self.name(*to))
            }
            Statement::Clear(array) => format!("clear {}", self.name(*array)),
            Statement::Same { left, right, .. } => format!("same {} {}", self.name(*left), self.name(*right)),
            Statement::Length { of, .. } => format!("length {}", self.name(*of)),
            Statement::Lock(mutex) => format!("lock m{mutex}"),
            Statement::Unlock(mutex) => format!("unlock m{mutex}"),
            Statement::TryLock { mutex, .. } => format!("trylock m{mutex}"),
            Statement::Wait(condition) => format!("wait c{condition}"),
            Statement::Signal(condition) => format!("signal c{condition}"),
            Statement::Broadcast(condition) => format!("broadcast c{condition}"),
            Statement::Create(child) => format!("create {child}"),
            Statement::Join { child, .. } => format!("join {child}"),
            Statement::TryJoin { child, .. } => format!("tryjoin {child}"),
            Statement::Detach(child) => format!("detach {child}"),
            Statement::Set(_, value) => self.expression(value),
            Statement::Assume(condition) => format!("assume {}", self.expression(condition)),
            Statement::Assert(condition) => format!("assert {}", self.expression(condition)),
            Statement::If(condition, then, otherwise) => {
                let (condition, then) = (self.expression(condition), self.block(then));
                match otherwise.is_empty() {
                    true => format!("if {condition} {then}"),
                    false => format!("if {condition} {then} else {}", self.block(otherwise)),
                }
            }
            Statement::Repeat(count, body) => format!("repeat {count} {}", self.block(body)),
            Statement::Loop(body) => format!("loop {}", self.block(body)),
            Statement::Break => "break".to_owned(),
            Statement::Continue => "continue".to_owned(),
            Statement::Return(result) => format!("return {}", self.expression(result)),
            Statement::Leave(result) => format!("leave {}", self.expression(result)),
            Statement::Exit => "exit".to_owned(),
        };
        target + &text
    }

    fn local(&mut self, local: usize) -> String {
        let known = self.locals.iter().position(|&other| other == local);
        let number = known.unwrap_or_else(|| {
            self.locals.push(local);
            self.locals.len() - 1
        });
        format!("v{number}")
    }

    fn name(&self, variable: usize) -> &str {
        &self.program.variables[variable].name
    }

    fn place(&mut self, place: &Place, order: Order) -> String {
        let index = match &place.index {
            Expression::Number(0) => String::new(),
            index => format!("[{}]", self.expression(index)),
        };
        let order = if order == Order::Relaxed { String::new() } else { format!(".{}", word(order)) };
        format!("{}{index}{order}", self.name(place.variable))
    }

    fn expression(&mut self, expression: &Expression) -> String {
        match expression {
            Expression::Number(number) => number.to_string(),
            Expression::Local(local) => self.local(*local),
            Expression::Not(inner) => format!("!{}", self.expression(inner)),
            Expression::Binary(operator, left, right) => {
                let left = self.expression(left);
                format!("({left}{}{})", sign(*operator), self.expression(right))
            }
        }
    }
}

fn word(order: Order) -> &'static str {
    match order {
        Order::Plain => "na",
        Order::Relaxed => "rlx",
        Order::Acquire => "acq",
        Order::Release => "rel",
        Order::AcqRel => "ar",
        Order::SeqCst => "sc",
    }
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Equal => "==",
        Operator::NotEqual => "!=",
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterOrEqual => ">=",
        Operator::And => " and ",
        Operator::Or => " or ",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generate;
    use crate::notation;
    use crate::shapes::shaped;

    #[test]
    fn what_is_printed_is_what_is_read() {
        for program in (0..400).map(generate).chain((0..200).map(shaped)) {
            let Printed { declarations, threads, main } = print(&program);
            let read = notation::program(&program.name, &declarations, &threads, &main);
            assert_eq!(print(&read), print(&program));
            assert_eq!((&read.variables, read.mutexes), (&program.variables, program.mutexes));
            assert_eq!(read.conditions, program.conditions);
            assert_eq!(read.threads.len(), program.threads.len());
            // It differs in the numbers of locals alone.
            let shape = |program: &Program| {
                let mut kinds = Vec::new();
                let mut note = |statement: &Statement| kinds.push(std::mem::discriminant(statement));
                program.bodies().for_each(|body| crate::language::walk(body, &mut note));
                kinds
            };
            assert_eq!(shape(&read), shape(&program));
        }
    }
}
