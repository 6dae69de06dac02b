//! The language of litmus tests, and what its threads do.

use selvedge_relations::{Graph, Kind, Label, Next, Program};
use selvedge_trace::MemoryOrder;
use std::fmt;

/// A value: a number, or a register with a number added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    pub register: Option<usize>,
    pub constant: u64,
}

/// A statement. Registers and locations are numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Store {
        location: u32,
        order: MemoryOrder,
        value: Term,
        depends: Option<usize>,
    },
    Load {
        register: usize,
        location: u32,
        order: MemoryOrder,
        depends: Option<usize>,
    },
    Add {
        register: usize,
        location: u32,
        order: MemoryOrder,
        operand: Term,
    },
    Exchange {
        register: usize,
        location: u32,
        order: MemoryOrder,
        operand: Term,
    },
    CompareExchange {
        register: usize,
        location: u32,
        orders: [MemoryOrder; 2],
        expected: Term,
        desired: Term,
    },
    Fence {
        order: MemoryOrder,
    },
    If {
        register: usize,
        equal: bool,
        value: u64,
        then: Vec<Statement>,
    },
    Assume {
        register: usize,
        value: u64,
    },
    Lock {
        mutex: u32,
    },
    Unlock {
        mutex: u32,
    },
}

/// A litmus test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Test {
    /// Statements of each thread.
    pub threads: Vec<Vec<Statement>>,
    /// Names of registers.
    pub registers: Vec<String>,
    /// Names of locations.
    pub locations: Vec<String>,
}

/// A read-modify-write as its exclusive read asks for it: what it is to find, and its order if it does not.
struct Thread<'a> {
    /// What the thread's events so far have read.
    values: &'a [u64],
    done: usize,
    registers: Vec<u64>,
    /// Which event a register's value is from.
    origins: Vec<Option<usize>>,
    /// Events on which it depends whether the thread is here.
    control: Vec<usize>,
}

/// The thread stops here.
struct Stop(Next);

impl Thread<'_> {
    fn term(&self, term: Term) -> u64 {
        term.register.map_or(0, |register| self.registers[register]).wrapping_add(term.constant)
    }

    /// Passes an event; gives what it has read.
    fn pass(&mut self, mut label: Label, depends: &[Option<usize>]) -> Result<u64, Stop> {
        match self.values.get(self.done) {
            Some(&value) => {
                self.done += 1;
                Ok(value)
            }
            None => {
                let origins = depends.iter().filter_map(|register| self.origins[(*register)?]);
                let control = self.control.iter().copied().filter(|_| label.kind.is_write());
                for from in origins.chain(control) {
                    label.depends |= 1 << (self.done - from - 1).min(63);
                }
                Err(Stop(Next::Event(label)))
            }
        }
    }

    fn load(&mut self, register: usize, label: Label, depends: &[Option<usize>]) -> Result<u64, Stop> {
        let value = self.pass(label, depends)?;
        self.registers[register] = value;
        self.origins[register] = Some(self.done - 1);
        Ok(value)
    }

    fn update(
        &mut self,
        register: usize,
        location: u32,
        order: MemoryOrder,
        compare: Option<(u64, MemoryOrder)>,
    ) -> Result<u64, Stop> {
        let read = Label { compare, ..label(Kind::Read { exclusive: true }, order, location, 0) };
        self.load(register, read, &[])
    }

    fn execute(&mut self, statements: &[Statement]) -> Result<(), Stop> {
        for statement in statements {
            match *statement {
                Statement::Store { location, order, value, depends } => {
                    let write = label(Kind::Write { exclusive: false }, order, location, self.term(value));
                    self.pass(write, &[value.register, depends])?;
                }
                Statement::Load { register, location, order, depends } => {
                    let read = label(Kind::Read { exclusive: false }, order, location, 0);
                    self.load(register, read, &[depends])?;
                }
                Statement::Add { register, location, order, operand } => {
                    let amount = self.term(operand);
                    let old = self.update(register, location, order, None)?;
                    let write =
                        label(Kind::Write { exclusive: true }, order, location, old.wrapping_add(amount));
                    self.pass(write, &[operand.register])?;
                }
                Statement::Exchange { register, location, order, operand } => {
                    let value = self.term(operand);
                    self.update(register, location, order, None)?;
                    let write = label(Kind::Write { exclusive: true }, order, location, value);
                    self.pass(write, &[operand.register])?;
                }
                Statement::CompareExchange { register, location, orders, expected, desired } => {
                    let (expected_value, value) = (self.term(expected), self.term(desired));
                    let compare = Some((expected_value, orders[1]));
                    if self.update(register, location, orders[0], compare)? == expected_value {
                        let write = label(Kind::Write { exclusive: true }, orders[0], location, value);
                        self.pass(write, &[expected.register, desired.register])?;
                    }
                }
                Statement::Fence { order } => {
                    self.pass(label(Kind::Fence, order, 0, 0), &[])?;
                }
                Statement::If { register, equal, value, ref then } => {
                    self.control.extend(self.origins[register]);
                    if (self.registers[register] == value) == equal {
                        self.execute(then)?;
                    }
                }
                Statement::Assume { register, value } => {
                    if self.registers[register] != value {
                        return Err(Stop(Next::Stuck));
                    }
                    self.control.extend(self.origins[register]);
                }
                Statement::Lock { mutex } => {
                    self.pass(label(Kind::Lock, MemoryOrder::Acquire, mutex, 0), &[])?;
                }
                Statement::Unlock { mutex } => {
                    self.pass(label(Kind::Unlock, MemoryOrder::Release, mutex, 0), &[])?;
                }
            }
        }
        Ok(())
    }
}

fn label(kind: Kind, order: MemoryOrder, location: u32, value: u64) -> Label {
    Label { kind, order, location, value, compare: None, depends: 0 }
}

impl Test {
    /// What a thread does after events that have read these values, and what its registers hold.
    pub fn after(&self, thread: usize, values: &[u64]) -> (Next, Vec<u64>) {
        let count = self.registers.len();
        let mut state = Thread {
            values,
            done: 0,
            registers: vec![0; count],
            origins: vec![None; count],
            control: Vec::new(),
        };
        let next = match state.execute(&self.threads[thread]) {
            Ok(()) => Next::Ended,
            Err(Stop(next)) => next,
        };
        (next, state.registers)
    }
}

impl Program for Test {
    fn roots(&self) -> u32 {
        self.threads.len() as u32
    }

    fn next(&mut self, graph: &Graph, thread: u32) -> Next {
        let values: Vec<u64> = graph.events(thread).iter().map(|event| event.value).collect();
        self.after(thread as usize, &values).0
    }

    fn initial(&mut self, _location: u32) -> u64 {
        0
    }

    fn state(&mut self, graph: &Graph) -> Option<u128> {
        // What has been read so far is all that a thread holds.
        let mut hasher = std::hash::DefaultHasher::new();
        for thread in 0..self.threads.len() as u32 {
            let read = graph.events(thread).iter().filter(|event| event.label.kind.is_read());
            let read: Vec<u64> = read.map(|event| event.value).collect();
            std::hash::Hash::hash(&read, &mut hasher);
        }
        Some(u128::from(std::hash::Hasher::finish(&hasher)))
    }
}

fn order_name(order: MemoryOrder) -> &'static str {
    match order {
        MemoryOrder::NotAtomic => "na",
        MemoryOrder::Relaxed => "rlx",
        MemoryOrder::Acquire => "acq",
        MemoryOrder::Release => "rel",
        MemoryOrder::AcqRel => "ar",
        MemoryOrder::SeqCst => "sc",
    }
}

impl Test {
    fn show_term(&self, term: Term) -> String {
        match term.register {
            None => term.constant.to_string(),
            Some(register) if term.constant == 0 => self.registers[register].clone(),
            Some(register) => format!("{}+{}", self.registers[register], term.constant),
        }
    }

    fn show(&self, statement: &Statement, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |location: u32| &self.locations[location as usize];
        let on =
            |depends: Option<usize>| depends.map_or(String::new(), |on| format!(" @{}", self.registers[on]));
        match statement {
            Statement::Store { location, order, value, depends } => {
                let value = self.show_term(*value);
                write!(f, "{}.{} = {value}{}", place(*location), order_name(*order), on(*depends))
            }
            Statement::Load { register, location, order, depends } => {
                let register = &self.registers[*register];
                write!(f, "{register} = {}.{}{}", place(*location), order_name(*order), on(*depends))
            }
            Statement::Add { register, location, order, operand } => {
                let (register, operand) = (&self.registers[*register], self.show_term(*operand));
                write!(f, "{register} = {}.add.{} {operand}", place(*location), order_name(*order))
            }
            Statement::Exchange { register, location, order, operand } => {
                let (register, operand) = (&self.registers[*register], self.show_term(*operand));
                write!(f, "{register} = {}.xchg.{} {operand}", place(*location), order_name(*order))
            }
            Statement::CompareExchange { register, location, orders, expected, desired } => {
                let [success, failure] = orders.map(order_name);
                let (expected, desired) = (self.show_term(*expected), self.show_term(*desired));
                let (register, place) = (&self.registers[*register], place(*location));
                write!(f, "{register} = {place}.cas.{success}.{failure} {expected} {desired}")
            }
            Statement::Fence { order } => write!(f, "fence.{}", order_name(*order)),
            Statement::If { register, equal, value, then } => {
                let comparison = if *equal { "==" } else { "!=" };
                write!(f, "if {} {comparison} {value} {{ ", self.registers[*register])?;
                self.show_all(then, f)?;
                f.write_str(" }")
            }
            Statement::Assume { register, value } => {
                write!(f, "assume {} == {value}", self.registers[*register])
            }
            Statement::Lock { mutex } => write!(f, "lock {}", place(*mutex)),
            Statement::Unlock { mutex } => write!(f, "unlock {}", place(*mutex)),
        }
    }

    fn show_all(&self, statements: &[Statement], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, statement) in statements.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            self.show(statement, f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for thread in &self.threads {
            self.show_all(thread, f)?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}
