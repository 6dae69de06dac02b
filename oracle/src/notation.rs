//! A short way to write programs down, for tables of them.
//!
//! Shared things are declared: `x y=1 a[4] b[2]=0,1 mutex:m cond:c:m`. Threads are separated by `||`, statements by `;`:
//!
//! | text | meaning |
//! |---|---|
//! | `x=1`, `a[i].rel=v+1` | store |
//! | `v=x`, `v=x.acq`, `r x` | load (`r`: into a local that is never read) |
//! | `v=faa(x,1)`, `xchg(x,2)`, `cas(x,0,1)` | read-modify-write |
//! | `copy a b`, `call a b`, `clear a`, `v=same a b`, `v=length a` | arrays as a whole; `call`: by a function of the library |
//! | `fence.sc`, `lock m`, `unlock m`, `v=trylock m` | |
//! | `wait c`, `signal c`, `broadcast c` | |
//! | `create 2`, `join 2`, `v=join 2`, `v=tryjoin 2`, `detach 2` | threads are numbered from 0; main has no number |
//! | `v=w+1`, `assume v==1`, `assert v!=2` | locals need no declaration |
//! | `if v==0 {..} else {..}`, `repeat 3 {..}`, `loop {..}`, `break`, `continue` | |
//! | `return`, `return v+1`, `leave v` (`pthread_exit`), `exit` | a thread's result is 0 if none is said |
//!
//! Orders are `na` (plain), `rlx` (what stands for none), `acq`, `rel`, `ar`, `sc`. Mistakes panic: these are tables
//! in tests.

use crate::language::{Expression, Operator, Order, Place, Program, Statement, Variable};

/// The program that `declarations`, `threads` and `main` say.
pub fn program(name: &str, declarations: &str, threads: &str, main: &str) -> Program {
    let mut names = Names::default();
    let mut program = Program { name: name.to_owned(), ..Program::default() };
    declarations.split_whitespace().for_each(|word| names.declare(word, &mut program));
    program.threads = split(threads).map(|text| body(text, &names)).collect();
    program.main = body(main, &names);
    program
}

fn split(threads: &str) -> impl Iterator<Item = &str> {
    threads.split("||").map(str::trim)
}

#[derive(Default)]
struct Names {
    variables: Vec<String>,
    mutexes: Vec<String>,
    conditions: Vec<String>,
}

impl Names {
    fn declare(&mut self, word: &str, program: &mut Program) {
        if let Some(name) = word.strip_prefix("mutex:") {
            self.mutexes.push(name.to_owned());
            program.mutexes += 1;
        } else if let Some(rest) = word.strip_prefix("cond:") {
            let (name, mutex) = rest.split_once(':').expect("a condition is declared as cond:NAME:MUTEX");
            self.conditions.push(name.to_owned());
            program.conditions.push(position(&self.mutexes, mutex));
        } else {
            let (name, value) = word.split_once('=').unwrap_or((word, "0"));
            let (name, length) = match name.split_once('[') {
                Some((name, length)) => (name, length.trim_end_matches(']').parse().expect("a length")),
                None => (name, 1),
            };
            let values: Vec<i32> =
                value.split(',').map(|value| value.parse().expect("an initial value")).collect();
            let initial = if values.len() == 1 { values.repeat(length) } else { values };
            assert_eq!(initial.len(), length, "`{name}` has other elements than these");
            self.variables.push(name.to_owned());
            program.variables.push(Variable { name: name.to_owned(), initial });
        }
    }
}

fn position(names: &[String], name: &str) -> usize {
    names.iter().position(|other| other == name).unwrap_or_else(|| panic!("`{name}` is not declared"))
}

fn body(text: &str, names: &Names) -> Vec<Statement> {
    let mut parser = Parser { tokens: tokens(text), at: 0, names, locals: Vec::new(), text };
    let statements = parser.statements();
    assert!(parser.at == parser.tokens.len(), "`{text}`: what is {:?}?", parser.peek());
    statements
}

/// Words, numbers and signs.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
        } else if ["==", "!=", "<=", ">="].iter().any(|sign| rest.starts_with(sign)) {
            2
        } else {
            1
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

struct Parser<'a> {
    tokens: Vec<String>,
    at: usize,
    names: &'a Names,
    locals: Vec<String>,
    text: &'a str,
}

impl Parser<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        let token = self.peek().to_owned();
        assert!(!token.is_empty(), "`{}` ends too early", self.text);
        self.at += 1;
        token
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) {
        assert!(self.eat(token), "`{}`: {token:?} expected, not {:?}", self.text, self.peek());
    }

    fn local(&mut self, name: &str) -> usize {
        if let Some(at) = self.locals.iter().position(|other| other == name) {
            return at;
        }
        self.locals.push(name.to_owned());
        self.locals.len() - 1
    }

    /// A local of its own.
    fn unnamed(&mut self) -> usize {
        self.local(&format!("{} unnamed", self.locals.len()))
    }

    fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            while self.eat(";") {}
            if self.at == self.tokens.len() || self.peek() == "}" {
                return statements;
            }
            statements.push(self.statement());
        }
    }

    fn block(&mut self) -> Vec<Statement> {
        self.expect("{");
        let statements = self.statements();
        self.expect("}");
        statements
    }

    fn statement(&mut self) -> Statement {
        let word = self.next();
        match word.as_str() {
            "r" => {
                let (from, order) = self.place();
                Statement::Load { into: self.unnamed(), from, order }
            }
            "faa" | "xchg" | "cas" => {
                let into = self.unnamed();
                self.read_modify_write(&word, into)
            }
            "fence" => {
                self.expect(".");
                Statement::Fence(self.order())
            }
            "copy" | "call" => {
                let (from, to) = (self.array(), self.array());
                Statement::Copy { from, to, called: word == "call" }
            }
            "clear" => Statement::Clear(self.array()),
            "lock" => Statement::Lock(self.mutex()),
            "unlock" => Statement::Unlock(self.mutex()),
            "wait" => Statement::Wait(self.condition()),
            "signal" => Statement::Signal(self.condition()),
            "broadcast" => Statement::Broadcast(self.condition()),
            "create" => Statement::Create(self.number()),
            "join" => Statement::Join { child: self.number(), into: None },
            "detach" => Statement::Detach(self.number()),
            "assume" => Statement::Assume(self.expression()),
            "assert" => Statement::Assert(self.expression()),
            "if" => {
                let condition = self.expression();
                let then = self.block();
                let otherwise = if self.eat("else") { self.block() } else { Vec::new() };
                Statement::If(condition, then, otherwise)
            }
            "repeat" => {
                let count = self.number() as u32;
                Statement::Repeat(count, self.block())
            }
            "loop" => Statement::Loop(self.block()),
            "break" => Statement::Break,
            "continue" => Statement::Continue,
            "return" => Statement::Return(self.result()),
            "leave" => Statement::Leave(self.result()),
            "exit" => Statement::Exit,
            _ if self.names.variables.contains(&word) => {
                self.at -= 1;
                let (to, order) = self.place();
                self.expect("=");
                Statement::Store { to, value: self.expression(), order }
            }
            _ => {
                let into = self.local(&word);
                self.expect("=");
                self.into(into)
            }
        }
    }

    /// What a thread ends with.
    fn result(&mut self) -> Expression {
        match self.peek() {
            "" | ";" | "}" => Expression::Number(0),
            _ => self.expression(),
        }
    }

    /// What comes after `local =`.
    fn into(&mut self, into: usize) -> Statement {
        let word = self.peek().to_owned();
        match word.as_str() {
            "faa" | "xchg" | "cas" => {
                self.at += 1;
                self.read_modify_write(&word, into)
            }
            "trylock" => {
                self.at += 1;
                Statement::TryLock { into, mutex: self.mutex() }
            }
            "same" => {
                self.at += 1;
                Statement::Same { into, left: self.array(), right: self.array() }
            }
            "length" => {
                self.at += 1;
                Statement::Length { into, of: self.array() }
            }
            "join" => {
                self.at += 1;
                Statement::Join { child: self.number(), into: Some(into) }
            }
            "tryjoin" => {
                self.at += 1;
                Statement::TryJoin { into, child: self.number() }
            }
            _ if self.names.variables.contains(&word) => {
                let (from, order) = self.place();
                Statement::Load { into, from, order }
            }
            _ => Statement::Set(into, self.expression()),
        }
    }

    fn read_modify_write(&mut self, word: &str, into: usize) -> Statement {
        self.expect("(");
        let (place, order) = self.place();
        self.expect(",");
        let value = self.expression();
        let statement = match word {
            "faa" => Statement::FetchAdd { into, place, value, order },
            "xchg" => Statement::Exchange { into, place, value, order },
            _ => {
                self.expect(",");
                Statement::CompareExchange { into, place, expected: value, new: self.expression(), order }
            }
        };
        self.expect(")");
        statement
    }

    fn place(&mut self) -> (Place, Order) {
        let name = self.next();
        let variable = position(&self.names.variables, &name);
        let mut index = Expression::Number(0);
        if self.eat("[") {
            index = self.expression();
            self.expect("]");
        }
        let order = if self.eat(".") { self.order() } else { Order::Relaxed };
        (Place { variable, index }, order)
    }

    fn order(&mut self) -> Order {
        match self.next().as_str() {
            "na" => Order::Plain,
            "rlx" => Order::Relaxed,
            "acq" => Order::Acquire,
            "rel" => Order::Release,
            "ar" => Order::AcqRel,
            "sc" => Order::SeqCst,
            other => panic!("`{}`: there is no order {other:?}", self.text),
        }
    }

    /// An array as a whole.
    fn array(&mut self) -> usize {
        let name = self.next();
        position(&self.names.variables, &name)
    }

    fn mutex(&mut self) -> usize {
        let name = self.next();
        position(&self.names.mutexes, &name)
    }

    fn condition(&mut self) -> usize {
        let name = self.next();
        position(&self.names.conditions, &name)
    }

    fn number(&mut self) -> usize {
        let token = self.next();
        token.parse().unwrap_or_else(|_| panic!("`{}`: {token:?} is not a number", self.text))
    }

    fn expression(&mut self) -> Expression {
        self.operators(0)
    }

    /// Operators that bind more tightly than `level`.
    fn operators(&mut self, level: usize) -> Expression {
        const LEVELS: [&[(&str, Operator)]; 5] = [
            &[("or", Operator::Or)],
            &[("and", Operator::And)],
            &[
                ("==", Operator::Equal),
                ("!=", Operator::NotEqual),
                ("<=", Operator::LessOrEqual),
                (">=", Operator::GreaterOrEqual),
                ("<", Operator::Less),
                (">", Operator::Greater),
            ],
            &[("+", Operator::Add), ("-", Operator::Subtract)],
            &[("*", Operator::Multiply)],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.operand() };
        let mut left = self.operators(level + 1);
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.peek() == *sign) {
            self.at += 1;
            let right = self.operators(level + 1);
            left = Expression::Binary(*operator, Box::new(left), Box::new(right));
        }
        left
    }

    fn operand(&mut self) -> Expression {
        let token = self.next();
        match token.as_str() {
            "!" => Expression::Not(Box::new(self.operand())),
            "-" => Expression::Number(-(self.number() as i32)),
            "(" => {
                let inner = self.expression();
                self.expect(")");
                inner
            }
            _ => match token.parse() {
                Ok(number) => Expression::Number(number),
                Err(_) => {
                    let shared = self.names.variables.contains(&token);
                    assert!(!shared, "`{}`: `{token}` is shared; load it first", self.text);
                    Expression::Local(self.local(&token))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_is_meant() {
        let program = program(
            "all",
            "x y=1 a[2] mutex:m cond:c:m",
            "x.rel=1; v=y.acq; a[v+1]=v*2 || lock m; if !(v==1) and w { wait c } else { break } unlock m",
            "v=cas(x.sc,0,1); t=trylock m; assert v!=1",
        );
        assert_eq!(program.variables[1].initial, [1]);
        assert_eq!(program.conditions, [0]);
        let place = |variable, index| Place { variable, index };
        let number = Expression::Number;
        let local = || Box::new(Expression::Local(0));
        let binary =
            |operator, number| Expression::Binary(operator, local(), Box::new(Expression::Number(number)));
        assert_eq!(
            program.threads[0],
            [
                Statement::Store { to: place(0, number(0)), value: number(1), order: Order::Release },
                Statement::Load { into: 0, from: place(1, number(0)), order: Order::Acquire },
                Statement::Store {
                    to: place(2, binary(Operator::Add, 1)),
                    value: binary(Operator::Multiply, 2),
                    order: Order::Relaxed
                },
            ]
        );
        assert_eq!(program.threads[1].len(), 3);
        assert_eq!(program.main[1], Statement::TryLock { into: 1, mutex: 0 });
    }

    #[test]
    #[should_panic(expected = "is not declared")]
    fn undeclared_things_are_refused() {
        program("wrong", "x", "r y", "");
    }
}
