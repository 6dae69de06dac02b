//! Programs, and their code without nesting.

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A number.
    Number(i16),
    /// A local variable.
    Local(usize),
    /// A sum.
    Add(Box<Expression>, Box<Expression>),
    /// A difference.
    Sub(Box<Expression>, Box<Expression>),
    /// The remainder by a power of two.
    Rem(Box<Expression>, u16),
}

/// How two values are compared, signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    Equal,
    NotEqual,
    Greater,
}

/// A comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// First value.
    pub left: Expression,
    /// How.
    pub test: Test,
    /// Second value.
    pub right: Expression,
}

/// A statement. Numbers name locals, shared variables, inputs, locks, queues, semaphores, barriers and threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Input {
        local: usize,
        number: usize,
    },
    Assign {
        local: usize,
        value: Expression,
    },
    If {
        condition: Condition,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    While {
        condition: Condition,
        body: Vec<Statement>,
    },
    Assert {
        condition: Condition,
    },
    Assume {
        condition: Condition,
    },
    Read {
        local: usize,
        variable: usize,
    },
    /// Reads the variable with the number `first + index`.
    ReadAt {
        local: usize,
        first: usize,
        index: Expression,
    },
    Write {
        variable: usize,
        value: Expression,
    },
    WriteAt {
        first: usize,
        index: Expression,
        value: Expression,
    },
    /// Half of a variable, the lower or the upper byte.
    ReadHalf {
        local: usize,
        variable: usize,
        upper: bool,
    },
    WriteHalf {
        variable: usize,
        upper: bool,
        value: Expression,
    },
    /// Reads and adds in one step.
    FetchAdd {
        local: usize,
        variable: usize,
        value: Expression,
    },
    /// Whether it succeeds becomes the local's value.
    CompareExchange {
        local: usize,
        variable: usize,
        old: Expression,
        new: Expression,
    },
    Lock(usize),
    Unlock(usize),
    TryLock {
        local: usize,
        lock: usize,
    },
    LockShared(usize),
    UnlockShared(usize),
    Wait {
        queue: usize,
        lock: usize,
    },
    /// Whether the time was over becomes the local's value.
    TimedWait {
        queue: usize,
        lock: usize,
        local: usize,
    },
    Notify {
        queue: usize,
        all: bool,
    },
    Post(usize),
    Take(usize),
    TryTake {
        local: usize,
        semaphore: usize,
    },
    Arrive {
        barrier: usize,
        threads: u32,
    },
    Fork(usize),
    Join(usize),
    /// The statements happen as one step.
    Atomic(Vec<Statement>),
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The threads.
    pub threads: Vec<Vec<Statement>>,
    /// Threads that are started by others; the others are there from the beginning.
    pub forked: Vec<usize>,
    /// What the shared variables hold in the beginning; those that are not here hold 0.
    pub initial: Vec<i16>,
}

/// Code without nesting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Code {
    Do(Statement),
    /// Goes on if the condition holds, elsewhere otherwise.
    Branch(Condition, usize),
    Jump(usize),
    /// An atomic section begins, ends.
    Begin,
    Finish,
    End,
}

impl Program {
    pub(super) fn code(&self) -> Vec<Vec<Code>> {
        let flat = |thread: &Vec<Statement>| {
            let mut code = Vec::new();
            flatten(thread, &mut code);
            code.push(Code::End);
            code
        };
        self.threads.iter().map(flat).collect()
    }
}

fn flatten(block: &[Statement], code: &mut Vec<Code>) {
    for statement in block {
        match statement {
            Statement::If { condition, then, otherwise } => {
                let branch = code.len();
                code.push(Code::Jump(0));
                flatten(then, code);
                let jump = code.len();
                code.push(Code::Jump(0));
                code[branch] = Code::Branch(condition.clone(), code.len());
                flatten(otherwise, code);
                code[jump] = Code::Jump(code.len());
            }
            Statement::While { condition, body } => {
                let branch = code.len();
                code.push(Code::Jump(0));
                flatten(body, code);
                code.push(Code::Jump(branch));
                code[branch] = Code::Branch(condition.clone(), code.len());
            }
            Statement::Atomic(body) => {
                code.push(Code::Begin);
                flatten(body, code);
                code.push(Code::Finish);
            }
            other => code.push(Code::Do(other.clone())),
        }
    }
}
