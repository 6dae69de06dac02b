//! Random programs in which main takes part, the same for the same number. They are made of roles, because unstructured
//! programs rarely come to where a search has to be careful: observers that are joined midway, writers, counters that
//! must have an exact value, nested conditions on what was read, threads that outlive main or are alone at the end.

use crate::enumerate::{distinct_states, final_locals};
use crate::generate::Random;
use crate::language::{Expression, Operator, Order, Place, Program, Statement, Variable};
use selvedge_trace::Model;

/// Programs with more states than this under PSO are replaced by others.
const STATES: u64 = 4000;

/// The program with a number. One of ten groups of fifty tries to join, which some strategies know nothing about: programs
/// that are compiled together concern each other there.
pub fn shaped(number: u64) -> Program {
    let mut random = Random::new(number ^ 0x73_6861_7065);
    let tries = number / 50 % 10 == 9;
    loop {
        let mut program = Shaper::new(&mut random, tries).program();
        program.name = format!("shaped {number}");
        if !program.is_well_formed() || distinct_states(&program, Model::Pso, STATES).is_none() {
            continue;
        }
        if random.chance(70) {
            claim(&mut program, &mut random);
        }
        if distinct_states(&program, Model::Pso, 2 * STATES).is_some_and(|outcomes| !outcomes.misuse) {
            return program;
        }
    }
}

/// Adds an assertion to the end of a thread: its locals do not have certain values together. They can have them under some
/// model, most often in few executions, or one of the values is a little off.
fn claim(program: &mut Program, random: &mut Random) {
    let with_locals = |thread: &usize| Program::locals(program.body(*thread)) > 0;
    let threads: Vec<usize> = (0..=program.main_thread()).filter(with_locals).collect();
    // Main knows what the others came to.
    let thread = match threads.last() {
        Some(&last) if random.chance(50) => last,
        Some(_) => threads[random.below(threads.len())],
        None => return,
    };
    let model = [Model::Sc, Model::Tso, Model::Pso][random.below(3)];
    let ends: Vec<Vec<i32>> = final_locals(program, model, thread).into_iter().collect();
    if ends.is_empty() {
        return;
    }
    let mut values = ends[random.below(ends.len())].clone();
    if random.chance(45) {
        let local = random.below(values.len());
        values[local] += 1;
    }
    let equal = |(local, value): (usize, i32)| {
        binary(Operator::Equal, Expression::Local(local), Expression::Number(value))
    };
    let all = values.into_iter().enumerate().map(equal);
    let Some(all) = all.reduce(|left, right| binary(Operator::And, left, right)) else { return };
    let main = program.main_thread();
    let body = if thread == main { &mut program.main } else { &mut program.threads[thread] };
    let ends = body
        .last()
        .is_some_and(|last| matches!(last, Statement::Return(_) | Statement::Leave(_) | Statement::Exit));
    let at = body.len() - usize::from(ends);
    body.insert(at, Statement::Assert(Expression::Not(Box::new(all))));
}

fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
    Expression::Binary(operator, Box::new(left), Box::new(right))
}

/// What a thread is there for.
#[derive(Clone, Copy)]
enum Role {
    /// Only reads.
    Observer,
    Writer,
    /// Reads and writes at once, or one after the other.
    Updater,
    /// Does something only if it reads a certain value.
    Guarded,
    /// Counts, and does something if it is the one with a certain number.
    Counter,
    Locker,
}

const ROLES: [Role; 9] = {
    use Role::*;
    [Observer, Observer, Writer, Writer, Updater, Guarded, Guarded, Counter, Locker]
};

struct Shaper<'a> {
    random: &'a mut Random,
    program: Program,
    /// Percentage of accesses that are plain.
    plain: usize,
    /// Everything that is not plain is sequentially consistent.
    strong: bool,
    /// Locals of the thread in the making that have a value.
    locals: usize,
    threads: usize,
    /// There are waits for conditions.
    waits: bool,
    /// Threads are joined if they have ended.
    tries: bool,
}

impl<'a> Shaper<'a> {
    fn new(random: &'a mut Random, tries: bool) -> Self {
        let plain = if random.chance(25) { 40 } else { 0 };
        let (strong, waits) = (random.chance(25), random.chance(10));
        let threads = [1, 2, 2, 2, 2, 3, 3, 3][random.below(8)];
        Shaper { random, program: Program::default(), plain, strong, locals: 0, threads, waits, tries }
    }

    fn program(mut self) -> Program {
        for name in ["x", "y", "z"].into_iter().take(1 + self.random.below(3)) {
            self.program.variables.push(Variable { name: name.to_owned(), initial: vec![0] });
        }
        self.program.mutexes = 1;
        self.program.conditions = vec![0];
        for _ in 0..self.threads {
            let body = self.thread();
            self.program.threads.push(body);
        }
        // Some are created by others, and joined by these or by main.
        let mut own: Vec<usize> = (0..self.threads).collect();
        if self.threads > 1 && self.random.chance(30) {
            let child = own.pop().unwrap_or_default();
            let creator = self.random.below(child);
            self.adopt(creator, child);
        }
        self.main(&own);
        self.program
    }

    /// A thread that another one creates.
    fn thread(&mut self) -> Vec<Statement> {
        self.locals = 0;
        let role = ROLES[self.random.below(ROLES.len())];
        let mut body = Vec::new();
        self.act(role, &mut body);
        if self.random.chance(25) {
            let role = ROLES[self.random.below(ROLES.len())];
            self.act(role, &mut body);
        }
        if body.first().is_none_or(|first| matches!(first, Statement::Assert(_) | Statement::Assume(_))) {
            body.insert(0, self.access(Some(false)));
        }
        match self.random.below(10) {
            0..4 if self.locals > 0 => {
                let result = Expression::Local(self.random.below(self.locals));
                let ends = if self.random.chance(80) { Statement::Return } else { Statement::Leave };
                body.push(ends(result));
            }
            4 if self.random.chance(20) => body.push(Statement::Exit),
            _ => {}
        }
        body
    }

    /// A thread creates another one, perhaps only under a condition, and may join it.
    fn adopt(&mut self, creator: usize, child: usize) {
        let body = &mut self.program.threads[creator];
        let (rarely, joins, detaches) =
            (self.random.chance(40), self.random.chance(50), self.random.chance(30));
        let mut life = vec![Statement::Create(child)];
        if joins {
            life.push(Statement::Join { child, into: None });
        } else if detaches {
            life.push(Statement::Detach(child));
        }
        // Not after the end.
        let ends = body
            .last()
            .is_some_and(|last| matches!(last, Statement::Return(_) | Statement::Leave(_) | Statement::Exit));
        let last = body.len() - usize::from(ends);
        let condition = body.iter_mut().find(|statement| matches!(statement, Statement::If(..)));
        match condition {
            Some(Statement::If(_, then, _)) if rarely => then.extend(life),
            _ => {
                let at = self.random.below(last + 1);
                body.insert(at, Statement::Create(child));
                if life.len() > 1 {
                    let detach = matches!(life[1], Statement::Detach(_));
                    let after = if detach { at + 1 } else { at + 1 + self.random.below(last + 1 - at) };
                    body.insert(after, life.remove(1));
                }
            }
        }
    }

    /// Main creates and joins, acts in between, and ends in one of the three ways.
    fn main(&mut self, own: &[usize]) {
        self.locals = 0;
        let (mut body, mut waiting) = (Vec::new(), Vec::new());
        if self.random.chance(15) {
            body.push(self.access(Some(true)));
        }
        for &child in own {
            body.push(Statement::Create(child));
            match self.random.chance(6) {
                true => body.push(Statement::Detach(child)),
                false => waiting.push(child),
            }
            self.between(30, &mut body);
        }
        if self.random.chance(40) {
            let role = ROLES[self.random.below(ROLES.len())];
            self.act(role, &mut body);
        }
        // Some are joined midway.
        while !waiting.is_empty() && self.random.chance(75) {
            let child = waiting.remove(self.random.below(waiting.len()));
            self.join(child, &mut body);
            self.between(45, &mut body);
        }
        match self.random.below(10) {
            0..5 => {
                for child in std::mem::take(&mut waiting) {
                    self.join(child, &mut body);
                }
                if self.random.chance(60) {
                    body.push(self.access(Some(false)));
                }
            }
            5..7 => {}
            7..9 => body.push(Statement::Leave(Expression::Number(0))),
            _ => {
                if self.locals > 0 {
                    let condition = self.condition();
                    let end = if self.random.chance(50) {
                        Statement::Exit
                    } else {
                        Statement::Leave(Expression::Number(0))
                    };
                    body.push(Statement::If(condition, vec![end], Vec::new()));
                }
                for child in std::mem::take(&mut waiting) {
                    self.join(child, &mut body);
                }
            }
        }
        self.program.main = body;
    }

    /// Perhaps one or two accesses of main.
    fn between(&mut self, percent: usize, body: &mut Vec<Statement>) {
        while self.random.chance(percent) {
            let access = self.access(None);
            body.push(access);
        }
    }

    fn join(&mut self, child: usize, body: &mut Vec<Statement>) {
        if self.tries && self.random.chance(50) {
            let into = self.local();
            return body.push(Statement::TryJoin { into, child });
        }
        let into = if self.random.chance(60) { Some(self.local()) } else { None };
        let held = self.random.chance(10);
        body.extend(held.then_some(Statement::Lock(0)));
        body.push(Statement::Join { child, into });
        body.extend(held.then_some(Statement::Unlock(0)));
    }

    fn act(&mut self, role: Role, body: &mut Vec<Statement>) {
        match role {
            Role::Observer => {
                for _ in 0..1 + self.random.below(3) {
                    body.push(self.access(Some(false)));
                }
            }
            Role::Writer => {
                for _ in 0..1 + self.random.below(2) {
                    body.push(self.access(Some(true)));
                }
            }
            Role::Updater => self.update(body),
            Role::Guarded => self.guarded(2, body),
            Role::Counter => {
                let place = self.place();
                let into = self.local();
                let order = self.order(&[Order::Relaxed, Order::AcqRel, Order::SeqCst]);
                let order = if order == Order::Plain { Order::Relaxed } else { order };
                body.push(Statement::FetchAdd { into, place, value: Expression::Number(1), order });
                let number = Expression::Number(self.random.below(self.threads + 1) as i32);
                let exactly = binary(Operator::Equal, Expression::Local(into), number);
                let mut then = Vec::new();
                self.rarely(1, &mut then);
                body.push(Statement::If(exactly, then, Vec::new()));
            }
            Role::Locker => {
                let section = |this: &mut Self| {
                    let mut inside = Vec::new();
                    if this.waits && this.random.chance(40) {
                        let local = this.load(&mut inside);
                        let unset = Expression::Not(Box::new(Expression::Local(local)));
                        inside.push(Statement::If(unset, vec![Statement::Wait(0)], Vec::new()));
                    }
                    this.update(&mut inside);
                    if this.waits && this.random.chance(60) {
                        let all = this.random.chance(50);
                        inside.push(if all { Statement::Broadcast(0) } else { Statement::Signal(0) });
                    }
                    inside.push(Statement::Unlock(0));
                    inside
                };
                if self.random.chance(75) {
                    body.push(Statement::Lock(0));
                    let inside = section(self);
                    return body.extend(inside);
                }
                let into = self.local();
                body.push(Statement::TryLock { into, mutex: 0 });
                let inside = section(self);
                body.push(Statement::If(Expression::Local(into), inside, Vec::new()));
            }
        }
    }

    /// Reads a variable and, if it has a certain value, does more.
    fn guarded(&mut self, depth: usize, body: &mut Vec<Statement>) {
        let local = self.load(body);
        let number = Expression::Number(self.random.below(3) as i32);
        let condition = binary(Operator::Equal, Expression::Local(local), number);
        let mut then = Vec::new();
        self.rarely(depth, &mut then);
        let mut otherwise = Vec::new();
        if self.random.chance(25) {
            self.rarely(0, &mut otherwise);
        }
        body.push(Statement::If(condition, then, otherwise));
    }

    /// What is done under a condition.
    fn rarely(&mut self, depth: usize, body: &mut Vec<Statement>) {
        match self.random.below(10) {
            0..3 if depth > 0 => self.guarded(depth - 1, body),
            0..5 => body.push(self.access(Some(true))),
            5 | 6 => body.push(self.access(Some(false))),
            7 => self.update(body),
            8 if self.locals > 0 => {
                let condition = self.condition();
                let judge = if self.random.chance(50) { Statement::Assert } else { Statement::Assume };
                body.push(judge(condition));
            }
            _ => {
                body.push(Statement::Lock(0));
                body.push(self.access(None));
                body.push(Statement::Unlock(0));
            }
        }
    }

    /// Makes a variable depend on what it was.
    fn update(&mut self, body: &mut Vec<Statement>) {
        match self.random.below(4) {
            0 => {
                let place = self.place();
                let (load, store) = (self.load_order(), self.store_order());
                let into = self.local();
                body.push(Statement::Load { into, from: place.clone(), order: load });
                let value = binary(Operator::Add, Expression::Local(into), Expression::Number(1));
                body.push(Statement::Store { to: place, value, order: store });
            }
            kind => {
                let place = self.place();
                let order =
                    if self.random.chance(50) && !self.strong { Order::Relaxed } else { Order::SeqCst };
                let value = Expression::Number(1 + self.random.below(2) as i32);
                let into = self.local();
                body.push(match kind {
                    1 => Statement::FetchAdd { into, place, value, order },
                    2 => Statement::Exchange { into, place, value, order },
                    _ => {
                        let expected = Expression::Number(self.random.below(2) as i32);
                        Statement::CompareExchange { into, place, expected, new: value, order }
                    }
                });
            }
        }
    }

    fn load(&mut self, body: &mut Vec<Statement>) -> usize {
        let from = self.place();
        let order = self.load_order();
        let into = self.local();
        body.push(Statement::Load { into, from, order });
        into
    }

    /// A load or a store; either if it does not matter.
    fn access(&mut self, writes: Option<bool>) -> Statement {
        let writes = writes.unwrap_or_else(|| self.random.chance(60));
        let place = self.place();
        if !writes {
            let order = self.load_order();
            return Statement::Load { into: self.local(), from: place, order };
        }
        let order = self.store_order();
        let number = Expression::Number(1 + self.random.below(2) as i32);
        let value = match self.locals > 0 && self.random.chance(25) {
            true => binary(Operator::Add, Expression::Local(self.random.below(self.locals)), number),
            false => number,
        };
        Statement::Store { to: place, value, order }
    }

    fn condition(&mut self) -> Expression {
        let operator = if self.random.chance(60) { Operator::NotEqual } else { Operator::Equal };
        let number = Expression::Number(self.random.below(3) as i32);
        binary(operator, Expression::Local(self.random.below(self.locals)), number)
    }

    fn order(&mut self, orders: &[Order]) -> Order {
        match (self.random.chance(self.plain), self.strong) {
            (true, _) => Order::Plain,
            (_, true) => Order::SeqCst,
            _ => orders[self.random.below(orders.len())],
        }
    }

    fn load_order(&mut self) -> Order {
        self.order(&[Order::Relaxed, Order::Relaxed, Order::Acquire, Order::SeqCst])
    }

    fn store_order(&mut self) -> Order {
        self.order(&[Order::Relaxed, Order::Relaxed, Order::Relaxed, Order::Release, Order::SeqCst])
    }

    fn place(&mut self) -> Place {
        let variable = self.random.below(self.program.variables.len());
        Place { variable, index: Expression::Number(0) }
    }

    fn local(&mut self) -> usize {
        let local = self.random.below((self.locals + 1).min(4));
        self.locals = self.locals.max(local + 1);
        local
    }
}
