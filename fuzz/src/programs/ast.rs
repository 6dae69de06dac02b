//! Multithreaded programs as trees: what the printers write in C, C++ and Rust, and what is made smaller.
//!
//! Thread 0 is main. Every thread has a few registers, which are local variables and 0 at first, and pointers, which are
//! null at first; what goes through a null pointer is left out when the program runs. A thread's result is made of its
//! registers, and the outcome of a program of the results that main has.

/// Registers of a thread; each has four bits of its thread's result.
pub const REGISTERS: u8 = 4;
/// Most threads: the outcome has 16 bits of each.
pub const THREADS: usize = 4;

/// A programming language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C11 with POSIX threads and clang's atomic functions.
    C,
    /// C++20 with its own threads.
    Cxx,
    /// Rust with its standard library.
    Rust,
}

impl Language {
    /// What its compiler is told besides.
    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Language::C | Language::Rust => &[],
            Language::Cxx => &["-std=c++20"],
        }
    }

    /// How its files end.
    pub fn extension(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cxx => "cpp",
            Language::Rust => "rs",
        }
    }
}

/// The order of an atomic access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    Sequential,
}

impl Order {
    /// As the order of a load.
    pub fn of_load(self) -> Order {
        match self {
            Order::Release | Order::AcquireRelease => Order::Acquire,
            order => order,
        }
    }

    /// As the order of a store.
    pub fn of_store(self) -> Order {
        match self {
            Order::Acquire | Order::AcquireRelease => Order::Release,
            order => order,
        }
    }
}

/// A shared place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// An atomic integer of 1, 2, 4 or 8 bytes, which goes by its number: 0 and 1 have 4, 2 has 8, 3 has 1.
    Atomic(u8),
    /// A plain integer.
    Plain(u8),
    /// A part of an eight-byte word: size in bytes, and which.
    Part(u8, u8),
    /// An element of an array of four atomic integers, at a register's value.
    Element(u8),
    /// The atomic integer in what a pointer points to.
    Field(u8),
    /// The plain integer in what a pointer points to.
    PlainField(u8),
    /// A thread-local integer.
    Own,
}

impl Place {
    /// The pointer that it goes through.
    pub fn pointer(&self) -> Option<u8> {
        match *self {
            Place::Field(pointer) | Place::PlainField(pointer) => Some(pointer),
            _ => None,
        }
    }

    /// Whether accesses are atomic.
    pub fn is_atomic(&self) -> bool {
        !matches!(self, Place::Plain(_) | Place::PlainField(_) | Place::Own)
    }
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A constant.
    Number(u8),
    /// What a register holds, and something added.
    Register(u8, u8),
    /// The number of the round of the innermost loop, from 1 on.
    Round,
}

/// How a register's value compares with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Is {
    Equal,
    Other,
    AtLeast,
}

/// Several comparisons that all hold, or do not all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The comparisons of registers.
    pub terms: Vec<(u8, Is, u8)>,
    /// Whether it is that they do not all hold.
    pub negated: bool,
}

/// What an atomic update does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    Add,
    Subtract,
    Or,
    And,
    Xor,
    Exchange,
}

/// How something is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// As long as it takes.
    Wait,
    /// Not at all.
    Try,
    /// Up to some time.
    Timed,
}

/// What keeps others out of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    Mutex(u8),
    Reading(u8),
    Writing(u8),
    Spin(u8),
}

/// How a mutex treats its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutexKind {
    Normal,
    Recursive,
    Checked,
}

/// How a pointer travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// As a whole word.
    Word,
    /// In a member of a packed structure.
    Packed,
    /// In a member of a packed structure on the heap, of which the address is published.
    HeapPacked,
    /// Copied to a place that is not aligned.
    Unaligned,
    /// Copied byte by byte.
    Bytes,
    /// In a word of which the top is overwritten with a tag.
    Tagged,
    /// As an integer that is no address.
    Integer,
    /// In a structure that is copied.
    Copied,
    /// As text.
    Printed,
}

/// How a thread ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its function returns.
    Return,
    /// `pthread_exit`.
    Exit,
    /// The whole program ends.
    Program,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Load {
        register: u8,
        place: Place,
        order: Order,
    },
    Store {
        place: Place,
        value: Value,
        order: Order,
    },
    Update {
        register: Option<u8>,
        update: Update,
        place: Place,
        value: Value,
        order: Order,
    },
    /// `ok` gets whether it was successful, `seen` what was found.
    CompareExchange {
        ok: Option<u8>,
        seen: Option<u8>,
        place: Place,
        expected: Value,
        desired: Value,
        weak: bool,
        success: Order,
        failure: Order,
    },
    /// Adds by a loop of weak compare-exchanges.
    Retry {
        place: Place,
        add: u8,
        order: Order,
    },
    Fence(Order),
    Set {
        register: u8,
        value: Value,
    },
    If {
        condition: Condition,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Loop {
        rounds: u8,
        body: Vec<Statement>,
    },
    /// Waits in a loop until a place has at least this value.
    Await {
        place: Place,
        value: u8,
        order: Order,
    },
    Section {
        guard: Guard,
        how: How,
        body: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Post(u8),
    Take {
        semaphore: u8,
        how: How,
        then: Vec<Statement>,
    },
    Count {
        semaphore: u8,
        register: u8,
    },
    /// The register gets whether this thread was the last.
    Barrier {
        barrier: u8,
        register: Option<u8>,
    },
    Once(u8),
    /// In a section of the mutex: waits for a plain integer to have at least a value.
    WaitFor {
        condition: u8,
        mutex: u8,
        plain: u8,
        value: u8,
        again: bool,
        timed: bool,
    },
    Signal {
        condition: u8,
        all: bool,
    },
    FutexWait {
        futex: u8,
        value: u8,
    },
    FutexWake {
        futex: u8,
        count: u8,
    },
    /// With a pointer of the creator, which becomes the thread's first.
    Create {
        thread: u8,
        pointer: Option<u8>,
    },
    Join {
        thread: u8,
        register: Option<u8>,
    },
    Detach(u8),
    End(End),
    Yield,
    Allocate {
        pointer: u8,
        value: u8,
    },
    /// Of the thread's own local variable.
    Address {
        pointer: u8,
        value: u8,
    },
    Publish {
        pointer: u8,
        carrier: u8,
        order: Order,
    },
    /// Null is published.
    Retract {
        pointer: u8,
        carrier: u8,
        order: Order,
    },
    Fetch {
        pointer: u8,
        carrier: u8,
        order: Order,
    },
    /// Whether two pointers of the thread are the same.
    Same {
        register: u8,
        one: u8,
        other: u8,
    },
    /// Whether it is not null.
    Has {
        register: u8,
        pointer: u8,
    },
    Free(u8),
    /// `pthread_setspecific` with a value; the destructor adds it to an atomic integer.
    SetKey(Value),
    GetKey(u8),
    Assert(Condition),
}

/// What a thread does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// Its statements.
    pub body: Vec<Statement>,
    /// The thread whose function it runs instead.
    pub same_as: Option<u8>,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What it is written in.
    pub language: Language,
    /// The threads, main first.
    pub threads: Vec<Thread>,
    /// The kinds of its mutexes.
    pub mutexes: [MutexKind; 2],
    /// What its semaphores have at first.
    pub semaphores: [u8; 2],
    /// How many have to come to its barriers.
    pub barriers: [u8; 2],
    /// What is done once.
    pub once: [Vec<Statement>; 1],
    /// How pointers travel.
    pub carriers: [Via; 2],
    /// What the shapes are called that it is made of.
    pub shapes: Vec<&'static str>,
}

impl Statement {
    /// The lists of statements in it.
    pub fn bodies(&self) -> Vec<&Vec<Statement>> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::Loop { body, .. } => vec![body],
            Statement::Section { body, otherwise, .. } => vec![body, otherwise],
            Statement::Take { then, .. } => vec![then],
            _ => Vec::new(),
        }
    }

    /// The lists of statements in it, to be changed.
    pub fn bodies_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::Loop { body, .. } => vec![body],
            Statement::Section { body, otherwise, .. } => vec![body, otherwise],
            Statement::Take { then, .. } => vec![then],
            _ => Vec::new(),
        }
    }
}

/// Shows every statement of a list, also those within others.
pub fn each<'a>(list: &'a [Statement], see: &mut dyn FnMut(&'a Statement)) {
    for statement in list {
        see(statement);
        statement.bodies().into_iter().for_each(|body| each(body, see));
    }
}

/// A list without the statements that end its thread.
pub fn without_ends(list: &[Statement]) -> Vec<Statement> {
    let mut kept: Vec<Statement> =
        list.iter().filter(|statement| !matches!(statement, Statement::End(_))).cloned().collect();
    for body in kept.iter_mut().flat_map(Statement::bodies_mut) {
        *body = without_ends(body);
    }
    kept
}

impl Program {
    /// Shows every statement, with the thread that it is of.
    pub fn each<'a>(&'a self, see: &mut dyn FnMut(usize, &'a Statement)) {
        for (thread, of) in self.threads.iter().enumerate() {
            each(&of.body, &mut |statement| see(thread, statement));
        }
        self.once.iter().for_each(|body| each(body, &mut |statement| see(0, statement)));
    }

    /// Whether some statement is like this.
    pub fn has(&self, is: impl Fn(&Statement) -> bool) -> bool {
        let mut found = false;
        self.each(&mut |_, statement| found |= is(statement));
        found
    }

    /// Whether main waits for all threads, so that none is cut short when the program ends: only then do views mean the
    /// same to every search.
    pub fn waits_for_all(&self) -> bool {
        let main = &self.threads[0].body;
        let waits = |thread: u8| {
            let join = |statement: &Statement| matches!(statement, Statement::Join { thread: of, .. } if *of == thread);
            main.iter().any(join)
        };
        let mut all = true;
        self.each(&mut |thread, statement| match statement {
            Statement::Create { thread: child, .. } => {
                let own = &self.threads[thread].body;
                let is_own = own.contains(statement);
                let joined = |statement: &Statement| matches!(statement, Statement::Join { thread: of, .. } if of == child);
                all &= is_own && if thread == 0 { waits(*child) } else { own.iter().any(joined) };
            }
            Statement::Detach(_) | Statement::End(End::Program) => all = false,
            Statement::End(End::Return) => all &= thread != 0,
            _ => {}
        });
        all
    }

    /// Statements, all of them.
    pub fn size(&self) -> usize {
        let mut size = 0;
        self.each(&mut |_, _| size += 1);
        size
    }
}
