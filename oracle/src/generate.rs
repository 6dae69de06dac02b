//! Random programs, the same for the same number.

use crate::enumerate::distinct_states;
use crate::language::{Expression, Operator, Order, Place, Program, Statement, Variable};
use selvedge_trace::Model;

/// Programs with more states than this under PSO are replaced by others: many small ones find more than few large.
const STATES: u64 = 1000;

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence with this number.
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.number()) * bound as u128) >> 64) as usize
    }

    /// True `percent` times in 100.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// The program with a number. Three of ten access several places at once.
pub fn generate(number: u64) -> Program {
    let mut random = Random::new(number);
    let calls = matches!(number % 10, 2 | 3 | 8);
    loop {
        let mut program = Generator::new(&mut random, calls).program();
        program.name = format!("random {number}");
        if distinct_states(&program, Model::Pso, STATES).is_some_and(|outcomes| !outcomes.misuse) {
            return program;
        }
    }
}

/// What a program in the making consists of.
struct Generator<'a> {
    random: &'a mut Random,
    program: Program,
    /// Percentage of accesses that are plain.
    plain: usize,
    /// Percentage of statements about locks and conditions.
    locks: usize,
    /// Mutexes that the thread in the making holds.
    held: Vec<usize>,
    /// Locals of the thread in the making that have a value.
    locals: usize,
    creates: bool,
    /// Arrays are copied and compared.
    calls: bool,
    /// Two of them, then.
    arrays: Vec<usize>,
}

impl<'a> Generator<'a> {
    fn new(random: &'a mut Random, calls: bool) -> Self {
        let plain = if random.chance(30) { 40 } else { 0 };
        let locks = if random.chance(50) { 35 } else { 0 };
        let program = Program::default();
        Generator {
            random,
            program,
            plain,
            locks,
            held: Vec::new(),
            locals: 0,
            creates: false,
            calls,
            arrays: Vec::new(),
        }
    }

    fn program(mut self) -> Program {
        for name in ["x", "y", "z"].into_iter().take(1 + self.random.below(3)) {
            let initial = vec![if self.random.chance(85) { 0 } else { 1 }];
            self.program.variables.push(Variable { name: name.to_owned(), initial });
        }
        if self.random.chance(10) {
            let array = Variable { name: "a".to_owned(), initial: vec![0; 2] };
            self.program.variables.push(array);
        }
        for name in ["b", "c"].into_iter().filter(|_| self.calls) {
            let initial = vec![if self.random.chance(85) { 0 } else { 1 }; 2];
            self.arrays.push(self.program.variables.len());
            self.program.variables.push(Variable { name: name.to_owned(), initial });
        }
        if self.locks > 0 {
            self.program.mutexes = 1 + self.random.below(2);
            self.program.conditions = vec![0];
        }
        let threads = [2, 2, 2, 2, 2, 3, 3, 3, 3, 4][self.random.below(10)];
        let reports = self.random.chance(40);
        let mut reported = Vec::new();
        for thread in 0..threads {
            let least = [3, 2, 2][threads - 2];
            let count = least + self.random.below(3 - threads / 4);
            self.creates = thread == 0 && threads > 2 && self.random.chance(20);
            let mut statements = self.body(count);
            if self.creates {
                let child = threads - 1;
                let at = self.random.below(statements.len() + 1);
                statements.insert(at, Statement::Create(child));
                if self.random.chance(60) {
                    let after = at + 1 + self.random.below(statements.len() - at);
                    statements.insert(after, Statement::Join { child, into: None });
                }
            }
            if reports && self.locals > 0 {
                reported.push((thread, self.random.below(self.locals)));
            }
            self.program.threads.push(statements);
        }
        self.report(&reported);
        (self.locals, self.locks, self.plain) = (0, 0, self.plain.min(1));
        if self.random.chance(50) {
            for variable in 0..self.program.variables.len() {
                let from = Place { variable, index: Expression::Number(0) };
                self.program.main.push(Statement::Load { into: variable, from, order: Order::Relaxed });
                self.locals += 1;
            }
            if self.random.chance(30) {
                let condition = self.condition();
                self.program.main.push(Statement::Assert(condition));
            }
        } else if let [first, .., last] = reported.as_slice() {
            self.compare_reports(first.0, last.0);
        }
        self.program
    }

    /// Threads leave one of their locals in a variable of their own, at which only the finale looks.
    fn report(&mut self, reported: &[(usize, usize)]) {
        let order = if self.random.chance(50) { Order::Plain } else { Order::Relaxed };
        for &(thread, local) in reported {
            let to = Place { variable: self.program.variables.len(), index: Expression::Number(0) };
            self.program.variables.push(Variable { name: format!("r{thread}"), initial: vec![0] });
            let value = Expression::Local(local);
            self.program.threads[thread].push(Statement::Store { to, value, order });
        }
    }

    /// The finale claims that two threads have not left certain values together.
    fn compare_reports(&mut self, first: usize, last: usize) {
        let mut claims = Vec::new();
        for (into, thread) in [first, last].into_iter().enumerate() {
            let named = |variable: &Variable| variable.name == format!("r{thread}");
            let Some(variable) = self.program.variables.iter().position(named) else { return };
            let from = Place { variable, index: Expression::Number(0) };
            self.program.main.push(Statement::Load { into, from, order: Order::Relaxed });
            let number = Expression::Number(self.random.below(4) as i32);
            claims.push(Expression::Binary(
                Operator::NotEqual,
                Box::new(Expression::Local(into)),
                Box::new(number),
            ));
        }
        if let [a, b] = claims.as_slice() {
            let either = Expression::Binary(Operator::Or, Box::new(a.clone()), Box::new(b.clone()));
            self.program.main.push(Statement::Assert(either));
        }
    }

    /// A thread. It begins with something that others can see.
    fn body(&mut self, count: usize) -> Vec<Statement> {
        self.locals = 0;
        self.held.clear();
        let mut statements = vec![self.access()];
        for _ in 1..count {
            self.statement(0, &mut statements);
        }
        statements
    }

    fn statement(&mut self, depth: usize, into: &mut Vec<Statement>) {
        if self.random.chance(self.locks) {
            return self.synchronise(depth, into);
        }
        match self.random.below(100) {
            0..68 => {
                let access = self.access();
                into.push(access);
            }
            68..74 => {
                let orders = [Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];
                into.push(Statement::Fence(orders[self.random.below(4)]));
            }
            74..78 if self.locals > 0 => {
                let condition = self.condition();
                into.push(Statement::Assume(condition));
            }
            78..84 if self.locals > 0 => {
                let condition = self.condition();
                into.push(Statement::Assert(condition));
            }
            84..86 if self.locals > 0 && !self.creates && depth > 0 => {
                into.push(Statement::Return(Expression::Number(0)))
            }
            86..94 if depth < 2 && self.locals > 0 => {
                let condition = self.condition();
                let then = self.inside(depth);
                let otherwise = if self.random.chance(40) { self.inside(depth) } else { Vec::new() };
                into.push(Statement::If(condition, then, otherwise));
            }
            94..98 if depth < 1 => {
                let body = self.inside(depth);
                into.push(Statement::Repeat(2, body));
            }
            _ => {
                let access = self.access();
                into.push(access);
            }
        }
    }

    /// One or two statements within another.
    fn inside(&mut self, depth: usize) -> Vec<Statement> {
        let mut statements = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth + 1, &mut statements);
        }
        statements
    }

    fn synchronise(&mut self, depth: usize, into: &mut Vec<Statement>) {
        let mutex = self.random.below(self.program.mutexes);
        match self.random.below(10) {
            0..5 if depth < 2 && !self.held.contains(&mutex) => {
                into.push(Statement::Lock(mutex));
                self.held.push(mutex);
                if mutex == 0 && self.random.chance(25) {
                    self.wait(into);
                }
                into.extend(self.inside(depth));
                self.held.pop();
                into.push(Statement::Unlock(mutex));
            }
            5..7 if depth < 2 && !self.held.contains(&mutex) => {
                let result = self.local();
                into.push(Statement::TryLock { into: result, mutex });
                self.held.push(mutex);
                let mut then = self.inside(depth);
                self.held.pop();
                then.push(Statement::Unlock(mutex));
                into.push(Statement::If(Expression::Local(result), then, Vec::new()));
            }
            // A mutex that its own thread holds is never free again.
            7 if self.held.contains(&mutex) && self.random.chance(30) => into.push(Statement::Lock(mutex)),
            7 | 8 => into.push(Statement::Signal(0)),
            9 => into.push(Statement::Broadcast(0)),
            _ => {
                let access = self.access();
                into.push(access);
            }
        }
    }

    /// Waits, always or only if a variable is still what it was.
    fn wait(&mut self, into: &mut Vec<Statement>) {
        if self.random.chance(50) {
            return into.push(Statement::Wait(0));
        }
        let from = self.place();
        let local = self.local();
        into.push(Statement::Load { into: local, from, order: Order::Relaxed });
        let unset = Expression::Not(Box::new(Expression::Local(local)));
        into.push(Statement::If(unset, vec![Statement::Wait(0)], Vec::new()));
    }

    fn local(&mut self) -> usize {
        // Locals are few, so that some are overwritten.
        let local = self.random.below((self.locals + 1).min(3));
        self.locals = self.locals.max(local + 1);
        local
    }

    fn place(&mut self) -> Place {
        let variable = self.random.below(self.program.variables.len());
        let length = self.program.variables[variable].initial.len();
        Place { variable, index: Expression::Number(self.random.below(length) as i32) }
    }

    fn value(&mut self) -> Expression {
        let number = Expression::Number(1 + self.random.below(3) as i32);
        if self.locals > 0 && self.random.chance(25) {
            let local = Expression::Local(self.random.below(self.locals));
            return Expression::Binary(Operator::Add, Box::new(local), Box::new(number));
        }
        number
    }

    fn condition(&mut self) -> Expression {
        let left = Expression::Local(self.random.below(self.locals));
        let right = match self.random.chance(20) {
            true => Expression::Local(self.random.below(self.locals)),
            false => Expression::Number(self.random.below(4) as i32),
        };
        let operators = [Operator::Equal, Operator::NotEqual, Operator::NotEqual, Operator::LessOrEqual];
        Expression::Binary(operators[self.random.below(4)], Box::new(left), Box::new(right))
    }

    /// Something that accesses several elements at once.
    fn call(&mut self) -> Statement {
        let first = self.random.below(2);
        let (one, other) = (self.arrays[first], self.arrays[1 - first]);
        match self.random.below(8) {
            0..4 => Statement::Copy { from: one, to: other, called: self.random.chance(50) },
            4 => Statement::Clear(one),
            5 | 6 => Statement::Same { into: self.local(), left: one, right: other },
            _ => Statement::Length { into: self.local(), of: one },
        }
    }

    fn access(&mut self) -> Statement {
        if !self.arrays.is_empty() && self.random.chance(35) {
            return self.call();
        }
        let place = self.place();
        let plain = self.random.chance(self.plain);
        let mut order = |orders: &[Order]| match plain {
            true => Order::Plain,
            false => orders[self.random.below(orders.len())],
        };
        let load = order(&[Order::Relaxed, Order::Relaxed, Order::Acquire, Order::SeqCst]);
        let store = order(&[Order::Relaxed, Order::Relaxed, Order::Relaxed, Order::Release, Order::SeqCst]);
        match self.random.below(10) {
            0..5 => Statement::Load { into: self.local(), from: place, order: load },
            5..8 => Statement::Store { to: place, value: self.value(), order: store },
            kind => {
                let order = if self.random.chance(50) { Order::Relaxed } else { Order::SeqCst };
                let value = self.value();
                let into = self.local();
                match kind {
                    8 if self.random.chance(50) => Statement::FetchAdd { into, place, value, order },
                    8 => Statement::Exchange { into, place, value, order },
                    _ => {
                        let expected = Expression::Number(self.random.below(2) as i32);
                        Statement::CompareExchange { into, place, expected, new: value, order }
                    }
                }
            }
        }
    }
}
