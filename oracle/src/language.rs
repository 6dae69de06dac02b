//! The small language: shared integers, threads, locks and conditions, as plain data.
//!
//! Variables, mutexes, conditions, threads and locals are numbered. Everything that a thread computes by itself
//! happens together with its last shared access.

/// How strong an access or a fence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// Not atomic at all.
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// Something that a thread computes from its locals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A number.
    Number(i32),
    /// A local.
    Local(usize),
    /// 1 for 0, otherwise 0.
    Not(Box<Expression>),
    /// Two operands. Both are always computed: nothing that is computed has an effect.
    Binary(Operator, Box<Expression>, Box<Expression>),
}

/// What is done with two operands; comparisons give 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    And,
    Or,
}

/// A shared variable, or an element of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub variable: usize,
    pub index: Expression,
}

/// A shared variable or array.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    pub name: String,
    /// What its elements are at the start; a variable that is no array has one.
    pub initial: Vec<i32>,
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    Load {
        into: usize,
        from: Place,
        order: Order,
    },
    Store {
        to: Place,
        value: Expression,
        order: Order,
    },
    /// `into` gets the old value, here and in the next two.
    FetchAdd {
        into: usize,
        place: Place,
        value: Expression,
        order: Order,
    },
    Exchange {
        into: usize,
        place: Place,
        value: Expression,
        order: Order,
    },
    CompareExchange {
        into: usize,
        place: Place,
        expected: Expression,
        new: Expression,
        order: Order,
    },
    Fence(Order),
    /// Copies an array to another one of the same length, all at once: by a function of the library, or as a compiler does it.
    /// What is copied, filled and compared is accessed plainly.
    Copy {
        from: usize,
        to: usize,
        called: bool,
    },
    /// Makes all elements of an array 0 at once.
    Clear(usize),
    /// `into` gets 1 if two arrays of the same length are the same. What comes after the first difference is not looked at.
    Same {
        into: usize,
        left: usize,
        right: usize,
    },
    /// `into` gets the length of what is in an array, taken for a string: 0 or 1, since elements are small numbers.
    Length {
        into: usize,
        of: usize,
    },
    Lock(usize),
    Unlock(usize),
    /// `into` gets 1 if the mutex was free.
    TryLock {
        into: usize,
        mutex: usize,
    },
    Wait(usize),
    Signal(usize),
    Broadcast(usize),
    /// Starts a thread that does not start by itself.
    Create(usize),
    /// Waits for the end of a thread; `into` gets its result.
    Join {
        child: usize,
        into: Option<usize>,
    },
    /// `into` gets 1 if a thread has ended and is joined, 0 if it runs.
    TryJoin {
        into: usize,
        child: usize,
    },
    Detach(usize),
    Set(usize, Expression),
    Assume(Expression),
    Assert(Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    Repeat(u32, Vec<Statement>),
    /// Until `Break` or `Return`.
    Loop(Vec<Statement>),
    Break,
    Continue,
    /// Ends the thread with a result. The end of main is that of the process, here and where its statements end.
    Return(Expression),
    /// Ends the thread with a result (`pthread_exit`). Where main does it the others go on.
    Leave(Expression),
    /// Ends the process.
    Exit,
}

/// A program. There are two kinds:
///
/// - Main creates threads: it is there from the beginning, `main` is all that it does, and every join is written down.
///   The process ends when main returns or a thread exits, otherwise with its last thread.
/// - Main creates none: all threads that no other thread creates start together, and threads that are not joined are
///   joined by their creator at its end. When all have ended, main does its statements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Program {
    pub name: String,
    pub variables: Vec<Variable>,
    pub mutexes: usize,
    /// The mutex that each condition is used with.
    pub conditions: Vec<usize>,
    pub threads: Vec<Vec<Statement>>,
    pub main: Vec<Statement>,
}

impl Expression {
    /// Its value.
    pub fn value(&self, locals: &[i32]) -> i32 {
        match self {
            Expression::Number(number) => *number,
            Expression::Local(local) => locals[*local],
            Expression::Not(inner) => i32::from(inner.value(locals) == 0),
            Expression::Binary(operator, left, right) => {
                let (left, right) = (left.value(locals), right.value(locals));
                match operator {
                    Operator::Add => left.wrapping_add(right),
                    Operator::Subtract => left.wrapping_sub(right),
                    Operator::Multiply => left.wrapping_mul(right),
                    Operator::Equal => i32::from(left == right),
                    Operator::NotEqual => i32::from(left != right),
                    Operator::Less => i32::from(left < right),
                    Operator::LessOrEqual => i32::from(left <= right),
                    Operator::Greater => i32::from(left > right),
                    Operator::GreaterOrEqual => i32::from(left >= right),
                    Operator::And => i32::from(left != 0 && right != 0),
                    Operator::Or => i32::from(left != 0 || right != 0),
                }
            }
        }
    }
}

impl Statement {
    /// The local that gets the result.
    pub fn result(&self) -> Option<usize> {
        match self {
            Statement::Load { into, .. }
            | Statement::FetchAdd { into, .. }
            | Statement::Exchange { into, .. }
            | Statement::CompareExchange { into, .. }
            | Statement::TryLock { into, .. }
            | Statement::TryJoin { into, .. }
            | Statement::Join { into: Some(into), .. }
            | Statement::Same { into, .. }
            | Statement::Length { into, .. }
            | Statement::Set(into, _) => Some(*into),
            _ => None,
        }
    }

    /// The thread whose end is waited for, looked at or given up.
    pub fn awaited(&self) -> Option<usize> {
        match self {
            Statement::Join { child, .. } | Statement::TryJoin { child, .. } | Statement::Detach(child) => {
                Some(*child)
            }
            _ => None,
        }
    }

    /// The statements inside.
    pub fn inside(&self) -> [&[Statement]; 2] {
        match self {
            Statement::If(_, then, otherwise) => [then, otherwise],
            Statement::Repeat(_, body) | Statement::Loop(body) => [body, &[]],
            _ => [&[], &[]],
        }
    }

    /// Whether it accesses several elements at once.
    pub fn is_call(&self) -> bool {
        use Statement::{Clear, Copy, Length, Same};
        matches!(self, Copy { .. } | Clear(_) | Same { .. } | Length { .. })
    }

    /// The access that it makes, with its order.
    pub fn place(&self) -> Option<(&Place, Order)> {
        match self {
            Statement::Load { from: place, order, .. }
            | Statement::Store { to: place, order, .. }
            | Statement::FetchAdd { place, order, .. }
            | Statement::Exchange { place, order, .. }
            | Statement::CompareExchange { place, order, .. } => Some((place, *order)),
            _ => None,
        }
    }
}

/// Calls `look` for these statements and all inside them.
pub fn walk<'a>(statements: &'a [Statement], look: &mut impl FnMut(&'a Statement)) {
    for statement in statements {
        look(statement);
        statement.inside().into_iter().for_each(|inside| walk(inside, look));
    }
}

impl Program {
    /// Whether some statement accesses several elements at once.
    pub fn calls(&self) -> bool {
        let mut calls = false;
        self.bodies().for_each(|body| walk(body, &mut |statement| calls |= statement.is_call()));
        calls
    }

    /// The statements of all threads, then those of main.
    pub fn bodies(&self) -> impl Iterator<Item = &[Statement]> {
        self.threads.iter().map(Vec::as_slice).chain([self.main.as_slice()])
    }

    /// What a thread does.
    pub fn body(&self, thread: usize) -> &[Statement] {
        self.threads.get(thread).unwrap_or(&self.main)
    }

    /// The number of main: it comes after all threads.
    pub fn main_thread(&self) -> usize {
        self.threads.len()
    }

    /// Whether main creates threads.
    pub fn main_creates(&self) -> bool {
        !self.children(self.main_thread()).is_empty()
    }

    /// How many locals these statements use.
    pub fn locals(statements: &[Statement]) -> usize {
        let mut count = 0;
        walk(statements, &mut |statement| {
            count = count.max(statement.result().map_or(0, |into| into + 1));
        });
        count
    }

    /// For each thread the one that creates it; `None` for those that start by themselves.
    pub fn creators(&self) -> Vec<Option<usize>> {
        let mut creators = vec![None; self.threads.len()];
        for thread in 0..=self.main_thread() {
            self.children(thread).into_iter().for_each(|child| creators[child] = Some(thread));
        }
        creators
    }

    /// The threads that start by themselves.
    pub fn started(&self) -> Vec<usize> {
        let creators = self.creators();
        (0..creators.len()).filter(|&thread| creators[thread].is_none()).collect()
    }

    /// The children that a thread creates, in order.
    pub fn children(&self, thread: usize) -> Vec<usize> {
        let mut children = Vec::new();
        walk(self.body(thread), &mut |statement| {
            if let Statement::Create(child) = statement {
                children.push(*child);
            }
        });
        children
    }

    /// The joins that a thread leaves out and does at its end.
    pub fn missing_joins(&self, thread: usize) -> Vec<usize> {
        if thread == self.main_thread() || self.main_creates() {
            return Vec::new();
        }
        let joined = |child: &usize| self.body(thread).iter().any(|other| other.awaited() == Some(*child));
        self.children(thread).into_iter().filter(|child| !joined(child)).collect()
    }

    /// What the machine calls the threads, and then main.
    pub fn thread_names(&self) -> Vec<String> {
        let creators = self.creators();
        let started = if self.main_creates() { self.children(self.main_thread()) } else { self.started() };
        let position = |list: &[usize], thread| list.iter().position(|&t| t == thread).map_or(0, |at| at + 1);
        let name = |mut thread: usize| {
            let mut path = String::new();
            while let Some(creator) = creators[thread].filter(|&creator| creator != self.main_thread()) {
                path = format!(".{}{path}", position(&self.children(creator), thread));
                thread = creator;
            }
            format!("main.{}{path}", position(&started, thread))
        };
        (0..self.threads.len()).map(name).chain(["main".to_owned()]).collect()
    }
}
