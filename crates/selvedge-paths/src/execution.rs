//! Plain data: one execution with expressions in the places of values.

use selvedge_terms::{Symbol, Term, Terms};
use selvedge_trace::{MemoryOrder, ThreadName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use selvedge_trace::{Cause, Place as Location};

/// One execution.
///
/// What must be true of it, for every two executions of one program:
///
/// - Threads that take the same decisions (branch outcomes, and outcomes of steps that can go more than one way) take
///   the same steps with the same names, addresses and expressions, whatever the order of the threads is. So
///   addresses are names that do not depend on the schedule, and whatever a thread computes from a value that other
///   threads or inputs may change is an expression or is pinned by a branch ([`BranchKind::Address`],
///   [`BranchKind::Library`]).
/// - Memory that more than one thread may access is accessed only by steps. Steps for memory that is not shared do no
///   harm.
/// - What a step read is a symbol of its own, [`Symbol::Read`].
#[derive(Clone, Debug, Default)]
pub struct Execution {
    /// The expressions of the steps.
    pub terms: Terms,
    /// What the threads did. A thread that was created is here, also if it did nothing.
    pub threads: Vec<ThreadPath>,
    /// The order in which they did it: one entry for each step that is neither a branch nor continues another one.
    pub order: Vec<Move>,
    /// What memory holds that no step has written, as far as it is known: at least the bytes that steps have read so.
    /// What is missing may be anything.
    pub initial: Initial,
    /// Objects that threads share and that are not there from the beginning: first byte and size. What is where must be the
    /// same in all executions.
    pub objects: BTreeMap<u64, u64>,
}

/// Bytes of memory at the beginning of the execution, or when the memory was allocated.
pub type Initial = BTreeMap<u64, u8>;

/// What one thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadPath {
    pub thread: ThreadName,
    /// Its steps, in order.
    pub steps: Vec<Performed>,
    pub end: ThreadEnd,
}

/// A step that a thread took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Performed {
    /// What it did.
    pub step: Step,
    /// Nothing of another thread comes between this step and the previous one that is not a branch: parts of one
    /// access, of one library call, of a section that is atomic.
    pub continues: bool,
    /// Where in the program, for reports; nothing is concluded from it.
    pub position: u32,
}

/// Why a thread's steps end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadEnd {
    /// It has come to its end.
    Finished,
    /// It fails here and does not go on: a failed assertion, a crash. The number says which failure, the same one in
    /// every execution.
    Failed(u32),
    /// It cannot perform its next step, which is this one: a lock that another thread holds, a thread that has not ended.
    /// Also a thread that waits and was not woken: its next step is [`Step::Wake`].
    Blocked(Box<Step>),
    /// It does not go on since an assumption does not hold (`assume`): not a path of the program.
    Discarded,
    /// It could go on; the execution ended elsewhere, or a bound was reached.
    Cut,
}

/// From here on, addresses are no memory of the program: no store buffer is between a thread and what is there.
pub const UNBUFFERED: u64 = 0x7ffe_0000_0000_0000;

/// One step of a thread.
///
/// Locks, queues, semaphores and barriers are named by their addresses, each kind for itself. A recursive lock's inner
/// locking and unlocking by its owner are not steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Reads memory.
    Read {
        at: Location,
        /// What it saw: a symbol.
        symbol: Term,
        /// Memory order.
        order: MemoryOrder,
    },
    /// Writes memory.
    Write {
        at: Location,
        /// What it writes.
        value: Term,
        /// Memory order.
        order: MemoryOrder,
    },
    /// What an object holds becomes something that others can know of, since the object does: at the same moment the thread
    /// writes a pointer to it. No other thread has seen the object before.
    Publish {
        at: Location,
        /// What is there, or what the thread has written there.
        value: Term,
        /// It is still in the thread's buffer (PSO), and was stored with this order; otherwise it is there.
        waits: Option<MemoryOrder>,
    },
    /// Reads and writes memory in one step. A compare-exchange is always an update, whose value is chosen by whether it
    /// succeeds: one that fails writes what it has read. So it is the same step whichever way the branch after it goes.
    Update {
        at: Location,
        /// What it saw: a symbol.
        symbol: Term,
        /// What it writes.
        value: Term,
        /// Memory order.
        order: MemoryOrder,
    },
    /// A fence.
    Fence {
        /// Memory order.
        order: MemoryOrder,
    },
    /// A decision that depends on symbols; not an event of its own. Branches on known values are not recorded.
    Branch {
        /// What holds, as the thread went: one bit.
        condition: Term,
        /// Which outcome it had. Outcomes of one branch exclude each other and are told apart by this number: 0 and 1
        /// for the two of an ordinary branch, the target for a switch, the value for something pinned.
        outcome: u64,
        kind: BranchKind,
    },
    /// Takes a lock that no thread holds.
    Lock { lock: u64 },
    /// Gives a lock back.
    Unlock { lock: u64 },
    /// Takes a lock if no thread holds it (for reading or writing). Whether it did is a decision of the thread.
    TryLock {
        lock: u64,
        /// Whether no thread held it.
        taken: bool,
    },
    /// Takes a read-write lock for reading. For writing it is taken by [`Step::Lock`].
    LockShared { lock: u64 },
    /// Gives a read-write lock back that was taken for reading.
    UnlockShared { lock: u64 },
    /// Takes a read-write lock for reading if no thread holds it for writing.
    TryLockShared {
        lock: u64,
        /// Whether no thread held it for writing.
        taken: bool,
    },
    /// Starts to wait on a condition variable and releases the lock. [`Step::Wake`] is the next step, if there is one.
    Wait {
        /// Where it waits.
        queue: u64,
        /// The lock that it releases.
        lock: Option<u64>,
    },
    /// Goes on after waiting and takes the lock again. The cause is a decision of the thread.
    Wake {
        /// Where it waited.
        queue: u64,
        /// The lock that it takes again.
        lock: Option<u64>,
        /// Why it goes on.
        cause: Cause,
        /// Whether it may also go on because the time is over.
        timed: bool,
    },
    /// Wakes one thread that waits, or all of them.
    Notify {
        /// Where they wait.
        queue: u64,
        all: bool,
        /// What the thread learns: a bit over a symbol of its own that says whether a thread was woken.
        woken: Option<Term>,
    },
    /// Waits until what it reads satisfies a condition, and writes in the same step.
    Await {
        at: Location,
        /// What it saw: a symbol.
        symbol: Term,
        /// What must hold of it: one bit.
        condition: Term,
        /// What it writes.
        value: Term,
        /// Memory order.
        order: MemoryOrder,
    },
    /// A lock or its like goes away: no thread may use it from now on.
    Destroy { object: u64 },
    /// Memory goes away: no thread may access it from now on, and it is never used for anything else.
    Free {
        /// First byte.
        start: u64,
        /// How many bytes.
        size: u64,
        /// Whether the thread's stores become visible before.
        drains: bool,
    },
    /// Adds one to a semaphore.
    Post { semaphore: u64 },
    /// Takes one from a semaphore that has one.
    Take { semaphore: u64 },
    /// Takes one from a semaphore if it has one. Whether it did is a decision of the thread.
    TryTake {
        semaphore: u64,
        /// Whether it had one.
        taken: bool,
    },
    /// Sets a semaphore up with so many.
    Fill {
        semaphore: u64,
        /// How many there are.
        count: u32,
    },
    /// Arrives at a barrier. After one that is not the last, [`Step::Leave`] is the next step, if there is one. Whether
    /// it is the last is a decision of the thread.
    Arrive {
        barrier: u64,
        /// How many threads make a round; less than 2^16.
        threads: u32,
        /// Whether it was the last thread of its round.
        last: bool,
    },
    /// Leaves a barrier after the last thread of the round has arrived.
    Leave { barrier: u64 },
    /// Starts a thread.
    Fork { thread: ThreadName },
    /// A thread has ended.
    Join { thread: ThreadName },
    /// The program ends, whatever the other threads are doing.
    Exit,
}

impl Step {
    /// The step with other expressions in the places of its own.
    pub fn map_terms(self, term: &mut impl FnMut(Term) -> Term) -> Step {
        match self {
            Step::Read { at, symbol, order } => Step::Read { at, symbol: term(symbol), order },
            Step::Write { at, value, order } => Step::Write { at, value: term(value), order },
            Step::Publish { at, value, waits } => Step::Publish { at, value: term(value), waits },
            Step::Update { at, symbol, value, order } => {
                Step::Update { at, symbol: term(symbol), value: term(value), order }
            }
            Step::Branch { condition, outcome, kind } => {
                Step::Branch { condition: term(condition), outcome, kind }
            }
            Step::Notify { queue, all, woken } => Step::Notify { queue, all, woken: woken.map(term) },
            Step::Await { at, symbol, condition, value, order } => {
                let (symbol, condition) = (term(symbol), term(condition));
                Step::Await { at, symbol, condition, value: term(value), order }
            }
            Step::Fence { .. }
            | Step::Lock { .. }
            | Step::Unlock { .. }
            | Step::TryLock { .. }
            | Step::LockShared { .. }
            | Step::UnlockShared { .. }
            | Step::TryLockShared { .. }
            | Step::Wait { .. }
            | Step::Wake { .. }
            | Step::Destroy { .. }
            | Step::Free { .. }
            | Step::Post { .. }
            | Step::Take { .. }
            | Step::TryTake { .. }
            | Step::Fill { .. }
            | Step::Arrive { .. }
            | Step::Leave { .. }
            | Step::Fork { .. }
            | Step::Join { .. }
            | Step::Exit => self,
        }
    }
}

/// What a branch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BranchKind {
    /// An `if`, a loop, a `select` that was taken as a branch; outcome 1 if the condition of the program holds.
    Ordinary,
    /// A `switch`; the outcome is the target.
    Switch,
    /// An address that depends on symbols; the outcome is the address.
    Address,
    /// A value that something outside was told, such as a library function; the outcome is the value.
    Library,
    /// An assertion, or a check such as that a divisor is not zero; outcome 1 if it holds.
    Check,
    /// An assumption; outcome 1 if it holds.
    Assume,
}

/// A choice of the schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Move {
    /// The thread goes on until it has performed its next step that is not a branch, with all that continue it.
    Step { thread: ThreadName },
    /// As [`Move::Step`] for a [`Step::Notify`] of one thread: it wakes this one of those that wait.
    Notify {
        /// The thread that notifies.
        thread: ThreadName,
        /// The thread that is woken.
        woken: ThreadName,
    },
    /// The time of a thread that waits is over: no thread wakes it from now on, and its next step is a [`Step::Wake`]. It has
    /// left the queue before it has its lock back, so this is a move of its own.
    Expire {
        /// The thread whose time is over.
        thread: ThreadName,
    },
    /// The thread's oldest buffered store to this address becomes visible.
    Commit {
        /// The thread whose buffer it is.
        thread: ThreadName,
        /// First byte of the store.
        address: u64,
    },
}

impl Move {
    /// The thread that moves.
    pub fn thread(&self) -> &ThreadName {
        match self {
            Move::Step { thread }
            | Move::Notify { thread, .. }
            | Move::Expire { thread }
            | Move::Commit { thread, .. } => thread,
        }
    }
}

/// Which execution is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Values of inputs and choices; those that are not named are 0.
    pub inputs: BTreeMap<Symbol, u128>,
    /// How the execution begins. A move that is not possible is a mistake of the caller.
    pub moves: Vec<Move>,
    /// The thread that goes on first after that, if it can: the thread of which more is to be seen. After it has
    /// performed a step, and in every other case, any order will do.
    pub then: Option<ThreadName>,
}
