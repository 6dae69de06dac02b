//! Reads litmus tests.

use super::{Statement, Term, Test};
use selvedge_trace::MemoryOrder;

/// What is wrong with a litmus test.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "line {line}: {what} expected before `{found}`; the language is described in `selvedge_oracle::axiomatic`"
)]
pub struct ParseError {
    line: usize,
    what: &'static str,
    found: String,
}

/// Reads a test: one thread a line, empty lines do not count.
pub fn parse(text: &str) -> Result<Test, ParseError> {
    let mut test = Test::default();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let tokens = tokens(line);
        let mut parser = Parser { tokens: &tokens, at: 0, line: number + 1, test: &mut test };
        let statements = parser.statements()?;
        if parser.at < tokens.len() {
            return Err(parser.error("the end of the thread"));
        }
        test.threads.push(statements);
    }
    Ok(test)
}

fn tokens(line: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let len = match first {
            c if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            '=' | '!' if rest[1..].starts_with('=') => 2,
            c => c.len_utf8(),
        };
        tokens.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    tokens
}

struct Parser<'a> {
    tokens: &'a [&'a str],
    at: usize,
    line: usize,
    test: &'a mut Test,
}

impl<'a> Parser<'a> {
    fn error(&self, what: &'static str) -> ParseError {
        let found = self.tokens.get(self.at).map_or("the end of the line", |token| token).to_owned();
        ParseError { line: self.line, what, found }
    }

    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).copied()
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str, what: &'static str) -> Result<(), ParseError> {
        if self.accept(token) { Ok(()) } else { Err(self.error(what)) }
    }

    fn word(&mut self, what: &'static str) -> Result<&'a str, ParseError> {
        let is_name = |token: &&str| token.starts_with(|c: char| c.is_alphabetic());
        let word = self.peek().filter(is_name).ok_or_else(|| self.error(what))?;
        self.at += 1;
        Ok(word)
    }

    fn number(&mut self) -> Result<u64, ParseError> {
        let value = self.peek().and_then(|token| token.parse().ok()).ok_or_else(|| self.error("a number"))?;
        self.at += 1;
        Ok(value)
    }

    fn register(&mut self) -> Result<usize, ParseError> {
        let name = self.word("a register")?;
        Ok(intern(&mut self.test.registers, name))
    }

    fn location(&mut self) -> Result<u32, ParseError> {
        let name = self.word("a location")?;
        Ok(intern(&mut self.test.locations, name) as u32)
    }

    fn order(&mut self) -> Result<MemoryOrder, ParseError> {
        self.expect(".", "a memory order")?;
        let order = match self.peek() {
            Some("na") => MemoryOrder::NotAtomic,
            Some("rlx") => MemoryOrder::Relaxed,
            Some("acq") => MemoryOrder::Acquire,
            Some("rel") => MemoryOrder::Release,
            Some("ar") => MemoryOrder::AcqRel,
            Some("sc") => MemoryOrder::SeqCst,
            _ => return Err(self.error("na, rlx, acq, rel, ar or sc")),
        };
        self.at += 1;
        Ok(order)
    }

    fn term(&mut self) -> Result<Term, ParseError> {
        if let Ok(constant) = self.number() {
            return Ok(Term { register: None, constant });
        }
        let register = Some(self.register()?);
        let constant = if self.accept("+") { self.number()? } else { 0 };
        Ok(Term { register, constant })
    }

    fn depends(&mut self) -> Result<Option<usize>, ParseError> {
        if self.accept("@") { self.register().map(Some) } else { Ok(None) }
    }

    fn statements(&mut self) -> Result<Vec<Statement>, ParseError> {
        let mut statements = Vec::new();
        loop {
            while self.accept(";") {}
            if self.peek().is_none_or(|token| token == "}") {
                return Ok(statements);
            }
            statements.push(self.statement()?);
        }
    }

    fn statement(&mut self) -> Result<Statement, ParseError> {
        if self.accept("fence") {
            return Ok(Statement::Fence { order: self.order()? });
        }
        if self.accept("lock") {
            return Ok(Statement::Lock { mutex: self.location()? });
        }
        if self.accept("unlock") {
            return Ok(Statement::Unlock { mutex: self.location()? });
        }
        if self.accept("assume") {
            let register = self.register()?;
            self.expect("==", "==")?;
            return Ok(Statement::Assume { register, value: self.number()? });
        }
        if self.accept("if") {
            let register = self.register()?;
            let equal = self.accept("==");
            if !equal {
                self.expect("!=", "== or !=")?;
            }
            let value = self.number()?;
            self.expect("{", "{")?;
            let then = self.statements()?;
            self.expect("}", "}")?;
            return Ok(Statement::If { register, equal, value, then });
        }
        if self.tokens.get(self.at + 1) == Some(&".") {
            let location = self.location()?;
            let order = self.order()?;
            self.expect("=", "=")?;
            let value = self.term()?;
            return Ok(Statement::Store { location, order, value, depends: self.depends()? });
        }
        let register = self.register()?;
        self.expect("=", "=")?;
        let location = self.location()?;
        match self.tokens.get(self.at + 1).copied() {
            Some("add") => {
                self.at += 2;
                let order = self.order()?;
                Ok(Statement::Add { register, location, order, operand: self.term()? })
            }
            Some("xchg") => {
                self.at += 2;
                let order = self.order()?;
                Ok(Statement::Exchange { register, location, order, operand: self.term()? })
            }
            Some("cas") => {
                self.at += 2;
                let orders = [self.order()?, self.order()?];
                let (expected, desired) = (self.term()?, self.term()?);
                Ok(Statement::CompareExchange { register, location, orders, expected, desired })
            }
            _ => {
                let order = self.order()?;
                Ok(Statement::Load { register, location, order, depends: self.depends()? })
            }
        }
    }
}

fn intern(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}
