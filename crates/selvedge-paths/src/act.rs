//! What events do, as far as other threads notice.

use super::execution::{Cause, Location, Step, UNBUFFERED};
use super::tree::Trees;
use selvedge_terms::{Comparison, Node, Symbol, Term, Terms};
use selvedge_trace::{MemoryOrder, ThreadName};

/// Queues of threads that wait for a word of memory have this bit in their names. A thread that wakes them need not know
/// whether the word is still there.
pub const FUTEX: u64 = 1;

/// Different things that are named by addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Space {
    Memory,
    Semaphore,
    Barrier,
}

/// An access to memory, or to the count of a semaphore or a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Access {
    pub(crate) space: Space,
    pub(crate) at: Location,
    /// The symbol that it reads.
    pub(crate) reads: Option<Term>,
    /// What it writes.
    pub(crate) writes: Option<Term>,
    /// What must hold for it to happen.
    pub(crate) guard: Option<Term>,
    pub(crate) order: MemoryOrder,
    pub(crate) published: Published,
}

/// Whether a write was made before others could know of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Published {
    No,
    /// It was, and is there.
    There,
    /// It was, and is still in the thread's buffer.
    Waits,
}

impl Access {
    /// What must hold for a compare-exchange to write; nothing for what always writes, or never.
    pub(crate) fn exchanges(&self, terms: &Terms) -> Option<Term> {
        let mut value = self.writes?;
        // A value that is narrower than the memory that it lies in.
        if let Node::Concat(high, low) = terms.node(value)
            && terms.known(high) == Some(0)
        {
            value = low;
        }
        let Node::Choose(condition, _, otherwise) = terms.node(value) else { return None };
        let seen = self.reads?;
        let kept = match terms.node(otherwise) {
            Node::Extract(of, 0) => of == seen,
            _ => otherwise == seen,
        };
        kept.then_some(condition)
    }
}

/// What an event does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Act {
    Access(Access),
    Fence(MemoryOrder),
    /// Takes a lock.
    Acquire {
        lock: u64,
        shared: bool,
    },
    /// Gives a lock back.
    Release {
        lock: u64,
        shared: bool,
    },
    /// Finds a lock taken.
    Busy {
        lock: u64,
        shared: bool,
    },
    /// Starts to wait.
    Wait {
        queue: u64,
        lock: Option<u64>,
    },
    /// Goes on after waiting: notified, or because the time is over.
    Wake {
        queue: u64,
        lock: Option<u64>,
        expired: bool,
    },
    Notify {
        queue: u64,
        all: bool,
        /// One bit: a thread was woken.
        woken: Option<Term>,
    },
    /// A lock or its like goes away.
    Destroy {
        object: u64,
    },
    /// Memory goes away.
    Free {
        start: u64,
        end: u64,
        /// The thread's buffer is empty before it.
        drains: bool,
    },
    Fork {
        thread: usize,
    },
    Join {
        thread: usize,
    },
    Exit,
    End,
}

impl Act {
    pub(crate) fn access(&self) -> Option<&Access> {
        match self {
            Act::Access(access) => Some(access),
            _ => None,
        }
    }

    /// The store that enters the thread's buffer under TSO and PSO.
    pub(crate) fn buffered(&self) -> Option<&Access> {
        let plain = |access: &&Access| {
            access.space == Space::Memory
                && access.reads.is_none()
                && access.published != Published::There
                && access.order != MemoryOrder::SeqCst
                && access.at.address < UNBUFFERED
        };
        self.access().filter(plain)
    }

    /// Whether it waits until the thread's buffer is empty.
    pub(crate) fn drains(&self) -> bool {
        match self {
            Act::Access(access) if access.space == Space::Memory && access.at.address >= UNBUFFERED => false,
            Act::Free { drains, .. } => *drains,
            Act::Access(access) => {
                let plain =
                    access.space == Space::Memory && (access.reads.is_none() || access.writes.is_none());
                !plain || (access.writes.is_some() && access.order == MemoryOrder::SeqCst)
            }
            Act::Fence(order) => *order == MemoryOrder::SeqCst,
            _ => true,
        }
    }

    /// Stores before it leave the buffer before stores after it, also under PSO.
    pub(crate) fn keeps_stores_apart(&self) -> bool {
        let release = |order: MemoryOrder| matches!(order, MemoryOrder::Release | MemoryOrder::AcqRel);
        match self {
            Act::Access(access) => access.writes.is_some() && release(access.order),
            Act::Fence(order) => release(*order),
            _ => false,
        }
    }

    /// The memory that must be there for it, from the first byte to the one behind the last.
    pub(crate) fn needs(&self) -> Option<(u64, u64)> {
        match *self {
            // A thread that leaves a barrier does not look at it any more.
            Act::Access(access) if access.space == Space::Barrier && access.writes.is_none() => None,
            Act::Access(access) => Some((access.at.address, access.at.end())),
            Act::Acquire { lock, .. } | Act::Release { lock, .. } | Act::Busy { lock, .. } => {
                Some((lock, lock + 1))
            }
            Act::Wait { lock, .. } | Act::Wake { lock, .. } => lock.map(|lock| (lock, lock + 1)),
            Act::Free { start, end, .. } => Some((start, end)),
            Act::Destroy { object } => Some((object, object + 1)),
            Act::Notify { queue, .. } if queue & FUTEX == 0 => Some((queue, queue + 1)),
            Act::Notify { .. }
            | Act::Fence(_)
            | Act::Fork { .. }
            | Act::Join { .. }
            | Act::Exit
            | Act::End => None,
        }
    }

    /// The lock that it takes, and whether it shares it.
    pub(crate) fn acquires(&self) -> Option<(u64, bool)> {
        match *self {
            Act::Acquire { lock, shared } => Some((lock, shared)),
            Act::Wake { lock: Some(lock), .. } => Some((lock, false)),
            _ => None,
        }
    }

    /// The lock that it gives back, and whether it shared it.
    pub(crate) fn releases(&self) -> Option<(u64, bool)> {
        match *self {
            Act::Release { lock, shared } => Some((lock, shared)),
            Act::Wait { lock: Some(lock), .. } => Some((lock, false)),
            _ => None,
        }
    }
}

/// The outcomes that a step can have.
pub(crate) enum Choices {
    One(Act),
    /// It has two alternatives, and took one of them.
    Two {
        outcome: u64,
        acts: [Act; 2],
    },
}

impl Choices {
    /// The alternatives of a step that is the `place`-th event of its thread.
    pub(crate) fn of(
        step: &Step,
        thread: &ThreadName,
        place: u32,
        trees: &mut Trees,
        mut term: impl FnMut(&mut Trees, Term) -> Term,
    ) -> Choices {
        let memory = |at, reads, writes, order| {
            let (space, published) = (Space::Memory, Published::No);
            Choices::One(Act::Access(Access { space, at, reads, writes, guard: None, order, published }))
        };
        match *step {
            Step::Branch { .. } => unreachable!("branches are not events"),
            Step::Read { at, symbol, order } => memory(at, Some(term(trees, symbol)), None, order),
            Step::Write { at, value, order } => memory(at, None, Some(term(trees, value)), order),
            Step::Publish { at, value, waits } => {
                let space = Space::Memory;
                let writes = Some(term(trees, value));
                // Of its order only matters whether it can race: the object had been private, so it has ordered nothing.
                let (order, published) = match waits {
                    None => (MemoryOrder::NotAtomic, Published::There),
                    Some(MemoryOrder::NotAtomic) => (MemoryOrder::NotAtomic, Published::Waits),
                    Some(_) => (MemoryOrder::Relaxed, Published::Waits),
                };
                let (reads, guard) = (None, None);
                Choices::One(Act::Access(Access { space, at, reads, writes, guard, order, published }))
            }
            Step::Update { at, symbol, value, order } => {
                let symbol = term(trees, symbol);
                memory(at, Some(symbol), Some(term(trees, value)), order)
            }
            Step::Fence { order } => Choices::One(Act::Fence(order)),
            Step::Lock { lock } => Choices::One(Act::Acquire { lock, shared: false }),
            Step::Unlock { lock } => Choices::One(Act::Release { lock, shared: false }),
            Step::LockShared { lock } => Choices::One(Act::Acquire { lock, shared: true }),
            Step::UnlockShared { lock } => Choices::One(Act::Release { lock, shared: true }),
            Step::TryLock { lock, taken } => try_lock(lock, false, taken),
            Step::TryLockShared { lock, taken } => try_lock(lock, true, taken),
            Step::Wait { queue, lock } => Choices::One(Act::Wait { queue, lock }),
            Step::Wake { queue, lock, cause, timed } => {
                let acts = [false, true].map(|expired| Act::Wake { queue, lock, expired });
                let outcome = u64::from(cause == Cause::Expired);
                if timed || outcome == 1 {
                    Choices::Two { outcome, acts }
                } else {
                    Choices::One(acts[0].clone())
                }
            }
            Step::Notify { queue, all, woken } => {
                let woken = woken.map(|woken| term(trees, woken));
                Choices::One(Act::Notify { queue, all, woken })
            }
            Step::Await { at, symbol, condition, value, order } => {
                let reads = Some(term(trees, symbol));
                let (guard, writes) = (Some(term(trees, condition)), Some(term(trees, value)));
                let (space, published) = (Space::Memory, Published::No);
                Choices::One(Act::Access(Access { space, at, reads, writes, guard, order, published }))
            }
            Step::Destroy { object } => Choices::One(Act::Destroy { object }),
            Step::Free { start, size, drains } => {
                Choices::One(Act::Free { start, end: start.wrapping_add(size), drains })
            }
            Step::Post { semaphore } => Choices::One(count(trees, thread, place, semaphore, Count::Post)),
            Step::Take { semaphore } => Choices::One(count(trees, thread, place, semaphore, Count::Take)),
            Step::TryTake { semaphore, taken } => Choices::Two {
                outcome: u64::from(!taken),
                acts: [Count::Take, Count::Empty].map(|what| count(trees, thread, place, semaphore, what)),
            },
            Step::Fill { semaphore, count } => {
                let value = trees.terms.constant(COUNT_WIDTH, u128::from(count));
                Choices::One(Act::Access(Access {
                    space: Space::Semaphore,
                    at: Location::new(semaphore, 4),
                    reads: None,
                    writes: Some(value),
                    guard: None,
                    order: MemoryOrder::SeqCst,
                    published: Published::No,
                }))
            }
            Step::Arrive { barrier, threads, last } => Choices::Two {
                outcome: u64::from(last),
                acts: [false, true].map(|last| arrive(trees, thread, place, barrier, threads, last)),
            },
            Step::Leave { barrier } => Choices::One(leave(trees, thread, place, barrier)),
            Step::Fork { thread: ref child } => Choices::One(Act::Fork { thread: trees.thread(child) }),
            Step::Join { thread: ref child } => Choices::One(Act::Join { thread: trees.thread(child) }),
            Step::Exit => Choices::One(Act::Exit),
        }
    }
}

fn try_lock(lock: u64, shared: bool, taken: bool) -> Choices {
    let acts = [Act::Acquire { lock, shared }, Act::Busy { lock, shared }];
    Choices::Two { outcome: u64::from(!taken), acts }
}

const COUNT_WIDTH: u32 = 32;
/// The lower half of a barrier's count says how many have arrived, the upper half which round it is.
const HALF: u32 = 16;
/// Reads of counts are numbered apart from reads of memory, by the place of the event in its thread.
const COUNTS: u32 = 1 << 31;

/// The symbol for the count that an event sees.
fn seen(trees: &mut Trees, thread: &ThreadName, place: u32) -> Term {
    trees.terms.symbol(&Symbol::Read { thread: thread.clone(), index: COUNTS | place }, COUNT_WIDTH)
}

enum Count {
    Post,
    Take,
    Empty,
}

fn count(trees: &mut Trees, thread: &ThreadName, place: u32, semaphore: u64, what: Count) -> Act {
    let value = seen(trees, thread, place);
    let terms = &mut trees.terms;
    let (zero, one) = (terms.constant(COUNT_WIDTH, 0), terms.constant(COUNT_WIDTH, 1));
    let (writes, guard) = match what {
        Count::Post => (Some(terms.add(value, one)), None),
        Count::Take => {
            let some = terms.compare(Comparison::NotEqual, value, zero);
            (Some(terms.sub(value, one)), Some(some))
        }
        Count::Empty => (None, Some(terms.equal(value, zero))),
    };
    let at = Location::new(semaphore, 4);
    Act::Access(Access {
        space: Space::Semaphore,
        at,
        reads: Some(value),
        writes,
        guard,
        order: MemoryOrder::SeqCst,
        published: Published::No,
    })
}

fn arrive(trees: &mut Trees, thread: &ThreadName, place: u32, barrier: u64, threads: u32, last: bool) -> Act {
    let value = seen(trees, thread, place);
    let terms = &mut trees.terms;
    let here = terms.extract(value, 0, HALF);
    let all = terms.constant(HALF, u128::from(threads.saturating_sub(1)));
    let is_last = terms.equal(here, all);
    let (guard, writes) = if last {
        let round = terms.extract(value, HALF, COUNT_WIDTH - HALF);
        let (one, none) = (terms.constant(COUNT_WIDTH - HALF, 1), terms.constant(HALF, 0));
        let next = terms.add(round, one);
        (is_last, terms.concat(next, none))
    } else {
        let one = terms.constant(COUNT_WIDTH, 1);
        (terms.not(is_last), terms.add(value, one))
    };
    let at = Location::new(barrier, 4);
    let (reads, writes, guard) = (Some(value), Some(writes), Some(guard));
    let (space, order, published) = (Space::Barrier, MemoryOrder::SeqCst, Published::No);
    Act::Access(Access { space, at, reads, writes, guard, order, published })
}

/// The round is another one than when the thread arrived, which was its event before this one.
fn leave(trees: &mut Trees, thread: &ThreadName, place: u32, barrier: u64) -> Act {
    let before = seen(trees, thread, place.saturating_sub(1));
    let value = seen(trees, thread, place);
    let terms = &mut trees.terms;
    let (old, new) = (terms.extract(before, HALF, HALF), terms.extract(value, HALF, HALF));
    let guard = terms.compare(Comparison::NotEqual, old, new);
    let at = Location::new(barrier, 4);
    let (reads, guard) = (Some(value), Some(guard));
    let (space, order, published) = (Space::Barrier, MemoryOrder::SeqCst, Published::No);
    Act::Access(Access { space, at, reads, writes: None, guard, order, published })
}
