//! Footprints: what a thread's next step may touch, before it is taken.
//!
//! Two steps whose footprints do not meet are independent: they can be taken in either order and lead to the same
//! state. Besides memory there are things that have no address: the end of a thread, places in an arena that are given
//! back, the clock, files. They get addresses of their own, far from all memory.

use crate::counting::{Adds, Count};
use crate::inspect::{Inspect, Probe};
use crate::machine::{Machine, Pick};
use crate::memory::{Found, Pointer, Provenance};
use crate::thread::{Status, Thread, Wait, Wake};
use crate::traits::{Access, Reach, Trait, Traits};
use selvedge_program::code::{AtomicKind, Leaf, Op};
use selvedge_trace::mutants::{Mutant, mutant};
use selvedge_trace::{EventKind, MemoryOrder, Operation, Reduction, Sync, SyncEffect, SyncObject, ThreadId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Bytes that a step reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    pub start: u64,
    pub end: u64,
    pub read: bool,
    pub write: bool,
    /// It is no atomic access.
    pub plain: bool,
    /// What is written, if that is all that happens and it is known.
    pub value: Option<u64>,
    /// It is an addition of whose result only comparisons are left.
    pub adds: Option<Adds>,
}

impl Span {
    fn new(start: u64, len: u64, (read, write): (bool, bool)) -> Self {
        Span {
            start,
            end: start.saturating_add(len.max(1)),
            read,
            write,
            plain: false,
            value: None,
            adds: None,
        }
    }

    /// Bytes that become visible.
    pub(crate) fn written(start: u64, len: u64) -> Self {
        Span::new(start, len, WRITE)
    }

    /// Whether all bytes of the other are among these.
    pub fn covers(&self, other: &Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether both touch some byte.
    pub fn meets(&self, other: &Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Whether this is about the end of a thread.
    pub fn is_end(&self) -> bool {
        (THREADS..ARENAS).contains(&self.start)
    }

    /// Whether this is about whether an object is there.
    pub fn is_lifetime(&self) -> bool {
        self.start & REGION == LIFETIMES
    }

    /// Whether the order of the two matters.
    pub fn conflicts(&self, other: &Span) -> bool {
        (self.write || other.write) && self.meets(other)
    }
}

const READ: (bool, bool) = (true, false);
const WRITE: (bool, bool) = (false, true);
const BOTH: (bool, bool) = (true, true);

/// Something that a thread waits for and another one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Wanted {
    /// The end of the thread with this handle.
    End(u64),
    /// The mutex at this address.
    Mutex(u64),
    /// A word in memory with this value: no thread holds it, but one has to write it.
    Word(Word),
}

/// A word in memory and the value that a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Word {
    pub address: u64,
    pub size: u8,
    pub value: u64,
}

impl Word {
    /// Whether an access touches it.
    pub fn meets(&self, span: &Span) -> bool {
        self.address < span.end && span.start < self.address + u64::from(self.size)
    }
}

/// All that a step may touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// The bytes.
    pub spans: SmallVec<[Span; 4]>,
    /// Bytes that are written after the step, when a buffered store becomes visible.
    pub later: SmallVec<[Span; 2]>,
    /// It may touch anything.
    pub everything: bool,
    /// It ends the process.
    pub exits: bool,
    /// It creates a thread.
    pub creates: bool,
    /// What is waited for: the thread that holds it has to give it before the step can be taken. A compare-exchange can
    /// also be taken without, but then it fails.
    pub waits: Option<Wanted>,
    /// It is a compare-exchange that would fail.
    pub fails: bool,
    /// The thread may go on though the word that it waits for has another value.
    pub passes: bool,
    /// Nothing of this is done before what is waited for is there.
    pub gated: bool,
    /// It accesses a word of whose value nothing but comparisons is left.
    pub count: Option<Count>,
}

impl Footprint {
    fn clear(&mut self) {
        self.spans.clear();
        self.later.clear();
        (self.everything, self.exits, self.creates, self.waits) = (false, false, false, None);
        (self.fails, self.passes, self.gated) = (false, false, false);
        self.count = None;
    }

    fn read(&mut self, start: u64, len: u64) {
        self.spans.push(Span::new(start, len, READ));
    }

    /// Reads and writes.
    fn write(&mut self, start: u64, len: u64) {
        self.spans.push(Span::new(start, len, BOTH));
    }
}

/// Ends of threads, by handle, for threads that check whether the end has come.
const THREADS: u64 = 0xffff_0000_0000_0000;
/// Ends of threads, by handle, for threads that wait for the end.
const JOINS: u64 = 0xffff_0800_0000_0000;
/// Mutexes, by address, for threads that take them.
const LOCKS: u64 = 0xfffe_0000_0000_0000;
/// Mutexes, by address, for threads that check whether they are taken.
const TRIES: u64 = 0xfffd_0000_0000_0000;
/// Futexes, by address, for threads that sleep and those that wake them.
const FUTEXES: u64 = 0xfffc_0000_0000_0000;
/// Objects, by address, for threads that have to find them there (read) and those that end them (written). Only under
/// models with buffers: a store to a buffer touches no memory, but it goes wrong if its object is gone.
const LIFETIMES: u64 = 0xfffa_0000_0000_0000;
/// Threads, by handle, whose assumptions do not hold.
const ASSUMPTIONS: u64 = 0xfff9_0000_0000_0000;
/// Footprints name things that are no memory by addresses from here on.
pub(crate) const NO_MEMORY: u64 = 0xfff0_0000_0000_0000;
/// The bits by which memory and these are told apart.
const REGION: u64 = 0xffff_0000_0000_0000;
/// Places of arenas that are taken (written) and given back by others when very many wait (read).
const ARENAS: u64 = 0xffff_1000_0000_0000;
/// The clock: sleeping only moves it on, so that two threads that sleep do not meet.
const CLOCK: u64 = 0xffff_2000_0000_0000;
/// Files, standard input, randomness.
const OUTSIDE: u64 = 0xffff_3000_0000_0000;

/// A thread takes a place of its arena.
pub(crate) fn arena_taken(arena: u32) -> Span {
    Span::new(ARENAS + u64::from(arena), 1, BOTH)
}

/// An object is gone.
pub(crate) fn freed(start: u64, size: u64) -> Span {
    Span::new(start, size, BOTH)
}

/// Bytes that a thread did not find at an address: had it come before the thread that ended the object, it would have.
pub(crate) fn missed(start: u64, size: u64) -> Option<Span> {
    let bytes = Span::new(start, size, READ);
    // A wild pointer may hold an address by which something is named that is no memory.
    (start < NO_MEMORY).then(|| Span { end: bytes.end.min(NO_MEMORY), ..bytes })
}

/// Whether the objects are there that bytes belong to.
pub(crate) fn lifetime(bytes: Span) -> Span {
    let (start, end) = (bytes.start & !REGION | LIFETIMES, bytes.end & !REGION | LIFETIMES);
    Span { start, end, ..bytes }
}

/// Bytes of a synchronisation object, by what is done to it.
fn object_size(kind: EventKind) -> u64 {
    match kind.sync() {
        // Any of them may be initialised or destroyed.
        Some(sync) => sync.object.map_or(SyncObject::LARGEST, SyncObject::size),
        None => 1,
    }
}

impl Machine {
    /// What the end of a wait touches: the threads that wait.
    pub(crate) fn wait_footprint(&self, index: usize, wait: Wait, into: &mut Footprint) {
        match wait {
            Wait::Condition { condition, .. } => into.write(condition, 48),
            Wait::Futex { address, .. } => into.write(FUTEXES | address, 1),
            Wait::Barrier { address } => into.write(address, 32),
            // Where nothing goes on any more this decides whether that counts as a deadlock.
            Wait::Assumption if mutant(Mutant::ObserverAssumes) => {}
            Wait::Assumption => into.write(ASSUMPTIONS + self.inspect().handle(index), 1),
        }
    }

    fn operation_footprint(&mut self, index: usize, operation: Operation, into: &mut Footprint) {
        use EventKind::*;
        let Operation { kind, address, size, order } = operation;
        let buffers = self.model.buffers().is_some();
        let size = u64::from(size);
        match kind {
            Read | Write => {
                // Under a model with buffers a store only goes to the thread's own.
                let local = buffers && order != MemoryOrder::SeqCst;
                let plain = order == MemoryOrder::NotAtomic;
                match self.copied(index) {
                    Some([to, from]) => {
                        into.spans.push(from);
                        match local {
                            true => self.stores_later(to, into),
                            false => into.spans.push(to),
                        }
                    }
                    None if kind == Read => {
                        into.spans.push(Span { plain, ..Span::new(address, size, READ) });
                        into.count = self.compares(index).filter(|_| !plain);
                    }
                    None if local => {
                        self.stores_later(Span { plain, ..Span::new(address, size, WRITE) }, into)
                    }
                    None => {
                        let merges = !buffers && self.config.reductions.has(Reduction::ValueMerging);
                        let value = self.inspect().stored_value(index).filter(|_| merges);
                        into.spans.push(Span { value, plain, ..Span::new(address, size, WRITE) });
                        self.drained(index, into);
                    }
                }
            }
            CompareExchange if !buffers => {
                let expected = self.expected(index).filter(|_| self.awaits());
                into.waits =
                    expected.map(|value| Wanted::Word(Word { address, size: operation.size as u8, value }));
                into.fails = !self.probe().would_exchange(index);
                into.passes = !self.only_awaits(index);
                match into.fails && self.config.reductions.has(Reduction::ValueMerging) {
                    // It only reads, unless a store of another thread comes before.
                    true => {
                        into.read(address, size);
                        into.later.push(Span::new(address, size, BOTH));
                    }
                    false => into.write(address, size),
                }
            }
            ReadModifyWrite | CompareExchange | CompareExchangeFailed => {
                let adds = match kind == ReadModifyWrite && !buffers {
                    true => self.adds(index, operation),
                    false => None,
                };
                into.spans.push(Span { adds, ..Span::new(address, size, BOTH) });
                if kind == ReadModifyWrite {
                    into.count = self.compares(index);
                }
                self.drained(index, into);
            }
            Fence => {
                if order == MemoryOrder::SeqCst {
                    self.drained(index, into);
                }
            }
            Commit => into.everything = true,
            LibraryCall => self.drained(index, into),
            Yield | Choose => {}
            Sleep => into.read(CLOCK, 1),
            Clock => into.write(CLOCK, 1),
            Random => {
                into.write(address, 1);
                self.drained(index, into);
            }
            Input => {
                into.write(OUTSIDE, 1);
                into.write(address, 1);
                self.drained(index, into);
            }
            Output => {
                // No thread reads what is printed; but a stream can be locked, and a file be read again.
                let standard = self.world.files.standard[1..].iter().any(|stream| stream.address == address);
                into.spans.push(Span::new(OUTSIDE, 1, (true, !standard)));
                if address != 0 {
                    into.read(address, 1);
                }
                self.drained(index, into);
            }
            Exit => {
                into.exits = true;
                self.drained(index, into);
            }
            // The others are operations on synchronisation objects.
            _ => {
                if let Some(sync) = kind.sync() {
                    self.sync_footprint(index, operation, sync, into);
                    self.drained(index, into);
                }
            }
        }
    }

    /// What an operation on a synchronisation object may touch, but for what leaves the thread's buffer.
    fn sync_footprint(&mut self, index: usize, operation: Operation, sync: Sync, into: &mut Footprint) {
        let Operation { kind, address, .. } = operation;
        match (sync.effect, sync.object) {
            (SyncEffect::Create, _) => {
                into.creates = true;
                if address != 0 {
                    into.write(address, 8);
                }
            }
            (SyncEffect::Join, _) => {
                into.write(JOINS + address, 1);
                match self.traits_at(index).gives_up() {
                    true => into.write(THREADS + address, 1),
                    false => into.waits = Some(Wanted::End(address)),
                }
            }
            (SyncEffect::Detach, _) => {
                into.write(JOINS + address, 1);
                into.write(THREADS + address, 1);
            }
            (SyncEffect::End, _) => {
                // A thread that waits for the end cannot come before it; but it can come later.
                let result = self.with_context(index, 0, |context| context.pointer(0)).and_then(Result::ok);
                let value = result.filter(|result| *result == Pointer::NULL).map(|_| 0);
                into.spans.push(Span { value, ..Span::new(THREADS + address, 1, WRITE) });
                into.later.push(Span { value, ..Span::new(JOINS + address, 1, WRITE) });
                self.frees_of_the_end(index, into);
            }
            (SyncEffect::Wait | SyncEffect::Wake, Some(SyncObject::Futex)) => {
                into.write(FUTEXES | address, 1);
                let time_out = self.with_context(index, 0, |context| crate::sync::time_out(context));
                match time_out.flatten() {
                    Some(time_out) => {
                        if sync.effect == SyncEffect::Wait || self.model.operational().is_some() {
                            into.read(address, 4);
                        }
                        self.whole_object(time_out, into);
                    }
                    // Requeueing names a second futex.
                    None => into.everything = true,
                }
            }
            (SyncEffect::Wait, _) => {
                into.write(address, object_size(kind));
                // It gives the mutex back, which others cannot have before.
                if let Some(Ok(mutex)) = self.with_context(index, 0, |context| context.int(1)) {
                    into.read(mutex, SyncObject::Mutex.size());
                    into.write(TRIES | mutex, 1);
                    into.later.push(Span::new(LOCKS | mutex, 1, BOTH));
                }
            }
            (_, Some(SyncObject::Mutex)) => self.mutex_footprint(index, kind, address, into),
            (SyncEffect::Init | SyncEffect::Destroy, _) => {
                into.write(address, object_size(kind));
                into.write(LOCKS | address, 1);
                into.write(TRIES | address, 1);
            }
            (
                SyncEffect::Acquire(_)
                | SyncEffect::Try(_)
                | SyncEffect::Release
                | SyncEffect::Wake
                | SyncEffect::Arrive,
                _,
            ) => {
                into.write(address, object_size(kind));
                if let Some((value, _)) = kind.awaited()
                    && self.awaits()
                {
                    into.waits = Some(Wanted::Word(Word { address, size: 4, value: u64::from(value) }));
                }
            }
        }
    }

    /// The addition that a thread is before, if it may commute with others.
    pub(crate) fn adds_freely(&mut self, index: usize, operation: Operation) -> Option<Adds> {
        self.adds(index, operation).filter(|adds| adds.free)
    }

    /// The addition that a thread is before. It may commute with others under operational RC11 only where no load reads the
    /// word, and sequential consistency does not order it.
    fn adds(&mut self, index: usize, operation: Operation) -> Option<Adds> {
        let looked_at = self.config.looked_at.contains(&operation.address) && !mutant(Mutant::LookedAtCounts);
        let ordered =
            self.model.operational().is_some() && (looked_at || operation.order == MemoryOrder::SeqCst);
        let reductions = self.config.reductions;
        let free = reductions.has(Reduction::Additions) && !ordered;
        match free || reductions.has(Reduction::LastReferences) {
            true => self.pending_add(index).map(|adds| Adds { free, ..adds }),
            false => None,
        }
    }

    /// The access that a thread is before to a word of whose value nothing but comparisons is left, if that is told apart.
    fn compares(&mut self, index: usize) -> Option<Count> {
        let told = self.model.buffers().is_none() && self.config.reductions.has(Reduction::LastReferences);
        if told { self.pending_count(index) } else { None }
    }

    /// Whether a thread is before a compare-exchange that, if it fails, only waits for the word.
    pub(crate) fn only_awaits(&mut self, index: usize) -> bool {
        self.awaits() && self.waits_anyway(index)
    }

    /// Whether waiting for a value of a word is told apart from going on.
    fn awaits(&self) -> bool {
        self.config.reductions.has(Reduction::AwaitLoops)
    }

    /// A store that goes to the thread's buffer: it has to find the object there that it stores to.
    fn stores_later(&mut self, store: Span, into: &mut Footprint) {
        into.later.push(store);
        if !self.inspect().is_global(store.start) {
            into.spans.push(Span { read: true, write: false, plain: false, ..lifetime(store) });
        }
    }

    /// A mutex itself is only read: which thread gets it is settled elsewhere, so that giving it back does not meet
    /// threads that wait for it. They cannot come before, unless they only try.
    fn mutex_footprint(&mut self, index: usize, kind: EventKind, address: u64, into: &mut Footprint) {
        let (taken, tried) = (LOCKS | address, TRIES | address);
        into.read(address, object_size(kind));
        let waits = kind == EventKind::MutexLock && !self.traits_at(index).has(Trait::Timed);
        let own = self.threads[index].id;
        match kind {
            EventKind::MutexUnlock
                if crate::sync::holder(self, EventKind::MutexLock, address) == Some(own) =>
            {
                into.write(tried, 1);
                into.later.push(Span::new(taken, 1, BOTH));
            }
            _ if waits => {
                into.write(taken, 1);
                into.waits = Some(Wanted::Mutex(address));
            }
            _ => {
                into.write(taken, 1);
                into.write(tried, 1);
            }
        }
    }

    /// What is known of the function that a thread stands before.
    pub(crate) fn traits_at(&self, index: usize) -> &'static Traits {
        static OWN_CODE: Traits = Traits::new(Reach::Nothing);
        self.native_at(index).map_or(&OWN_CODE, |native| &native.traits)
    }

    /// What becomes visible of a thread's buffer.
    fn drained(&mut self, index: usize, into: &mut Footprint) {
        if self.model.buffers().is_some() {
            let mut stores = Vec::new();
            self.inspect().buffered(index, &mut stores);
            stores.into_iter().for_each(|(address, len)| into.write(address, u64::from(len)));
        }
    }

    /// The operation that a thread is at.
    pub(crate) fn pending_op(&self, index: usize) -> Option<Op> {
        let frame = self.threads[index].frames.last()?;
        Some(self.program.functions[frame.function as usize].code[frame.pc as usize])
    }

    /// Both sides of a pending copy.
    fn copied(&self, index: usize) -> Option<[Span; 2]> {
        let thread = &self.threads[index];
        match self.pending_op(index)? {
            Op::MemCopy { dst, src, len } => {
                let len = thread.register(len);
                let plain = |at, effect| Span { plain: true, ..Span::new(thread.register(at), len, effect) };
                Some([plain(dst, WRITE), plain(src, READ)])
            }
            _ => None,
        }
    }

    /// What the function that a thread stands before may touch besides its synchronisation object.
    fn reach_footprint(&mut self, index: usize, kind: EventKind, into: &mut Footprint) {
        // A futex call says itself what its arguments are.
        let described = kind == EventKind::LibraryCall || !kind.is_access();
        if !described || matches!(kind, EventKind::FutexWait | EventKind::FutexWake) {
            return;
        }
        let reach = match self.native_at(index) {
            // A call that looks at a synchronisation object without being an operation on it, as `sem_getvalue` does: what
            // it finds there is no memory of its arguments' own.
            Some(native) if kind == EventKind::LibraryCall && native.traits.object.is_some() => {
                Reach::Anything
            }
            Some(native) => native.traits.reach,
            None => return,
        };
        let before = into.spans.len();
        match reach {
            Reach::Nothing => {}
            Reach::Anything => into.everything = true,
            Reach::Arguments(_) => self.arguments(index, reach, into),
        }
        if let Some(ended) = reach.ended() {
            self.ends_lifetimes(before, into);
            self.returned_footprint(index, ended, into);
        }
    }

    /// Whole objects that the arguments of a pending call point to, if others can reach them.
    fn arguments(&mut self, index: usize, reach: Reach, into: &mut Footprint) {
        let Some(pointers) = self.with_context(index, 0, |context| {
            let numbers = 0..context.arguments();
            let pointer =
                |&number: &usize| context.argument(number).is_some_and(|argument| argument.leaf == Leaf::Ptr);
            let numbers: SmallVec<[usize; 8]> = numbers.filter(pointer).collect();
            let pointed = |number| Some((reach.argument(number), context.pointer(number).ok()?));
            numbers.into_iter().filter_map(pointed).collect::<Vec<_>>()
        }) else {
            return;
        };
        let before = into.spans.len();
        for (access, pointer) in pointers {
            let first = into.spans.len();
            if access != Access::Value {
                self.whole_object(pointer, into);
            }
            if access == Access::Reads {
                into.spans[first..].iter_mut().for_each(|span| span.write = false);
            }
        }
        // What functions do with memory races with what others do to it, however they do that.
        into.spans[before..].iter_mut().for_each(|span| span.plain = true);
    }

    fn whole_object(&mut self, pointer: Pointer, into: &mut Footprint) {
        match self.memory.find(pointer.address) {
            Some(Found::Object(_, base, object)) if object.shared => into.write(base, object.size),
            Some(Found::Global(id)) => {
                let global = &self.program.globals[id as usize];
                if !global.constant {
                    let (address, size) = (global.address, global.size);
                    into.write(address, size);
                }
            }
            _ => {}
        }
    }

    /// An object is given back to the arena that it came from: whether that has many already decides where it goes.
    fn returned_footprint(&mut self, index: usize, argument: usize, into: &mut Footprint) {
        let own = self.threads[index].arena;
        let freed = self.with_context(index, 0, |context| context.pointer(argument));
        if let Some(Ok(pointer)) = freed
            && let Some(Found::Object(arena, ..)) = self.memory.find(pointer.address)
            && arena != own
            && self.is_alive(arena)
            && self.memory.has_returned_many(pointer.address)
        {
            into.read(ARENAS + u64::from(arena), 1);
        }
    }

    /// The objects of the spans from this one on are gone after the step.
    fn ends_lifetimes(&mut self, from: usize, into: &mut Footprint) {
        if self.model.buffers().is_some() && !mutant(Mutant::BufferedLifetime) {
            let gone: SmallVec<[Span; 4]> = into.spans[from..].iter().copied().map(lifetime).collect();
            into.spans.extend(gone);
        }
    }

    /// Objects that go with a thread and that others can reach.
    fn frees_of_the_end(&mut self, index: usize, into: &mut Footprint) {
        let thread = self.threads[index].clone();
        let before = into.spans.len();
        for &pointer in thread.stack.iter().chain(thread.thread_locals.values()) {
            self.whole_object(pointer, into);
        }
        self.ends_lifetimes(before, into);
    }
}

impl<'a> Inspect<'a> {
    /// Stores of a thread that wait in its buffer: (address, length).
    pub fn buffered(self, thread: usize, into: &mut Vec<(u64, u8)>) {
        if let Some(model) = self.machine.model.buffers() {
            model.buffered(thread, into);
        }
    }

    /// What a pending store stores, if it is a single value of up to 8 bytes without provenance.
    pub fn stored_value(self, index: usize) -> Option<u64> {
        let thread = &self.machine.threads[index];
        if thread.frame().undefined.is_some() {
            return None;
        }
        let cut = |value: u64, bytes: u8| if bytes < 8 { value & ((1 << (8 * bytes)) - 1) } else { value };
        match self.machine.pending_op(index)? {
            Op::Store { bytes, src, .. } => Some(cut(thread.register(src), bytes)),
            Op::Atomic { index: at } => {
                let atomic =
                    &self.machine.program.functions[thread.frame().function as usize].atomics[at as usize];
                match atomic.kind {
                    AtomicKind::Store { src } if atomic.bytes <= 8 => {
                        let carries = atomic.pointer && thread.register(src + 1) != 0;
                        (!carries).then(|| cut(thread.register(src), atomic.bytes))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a thread is before a store of a single value, which [`Machine::step_overwritten`] can leave out.
    pub fn pends_single_store(self, index: usize) -> bool {
        let Status::Ready(Operation { kind: EventKind::Write, .. }) = self.machine.threads[index].status
        else {
            return false;
        };
        match self.machine.pending_op(index) {
            Some(Op::Store { .. } | Op::StorePtr { .. }) => true,
            Some(Op::Atomic { index: at }) => {
                let function = self.machine.threads[index].frame().function;
                self.machine.program.functions[function as usize].atomics[at as usize].bytes <= 8
            }
            _ => false,
        }
    }

    /// Whether a thread, since it was as `before` says, has only looked once more at what it waits for: it is before the
    /// same operation in a loop that changes nothing, and differs in nothing but a count of its looks.
    pub fn has_looked(self, index: usize, before: &Thread) -> bool {
        let thread = &self.machine.threads[index];
        let (Some(frame), Some(old)) = (thread.frames.last(), before.frames.last()) else { return false };
        let same_place = thread.frames.len() == before.frames.len()
            && thread.status == before.status
            && (frame.function, frame.pc, frame.base) == (old.function, old.pc, old.base)
            && frame.undefined.is_none()
            && old.undefined.is_none()
            && thread.stack.len() == before.stack.len();
        let Some(counters) =
            self.machine.live_slots.counters(&self.machine.program, frame.function, frame.pc)
        else {
            return false;
        };
        let base = frame.base as usize;
        let live = self.machine.live_slots.before(&self.machine.program, frame.function, frame.pc);
        same_place
            && thread.registers.get(..base) == before.registers.get(..base)
            && live.iter().all(|slot| {
                let at = base + slot as usize;
                counters.contains(&slot) || thread.registers.get(at) == before.registers.get(at)
            })
            && live.iter().any(|slot| {
                let at = base + slot as usize;
                thread.registers.get(at) != before.registers.get(at)
            })
    }

    /// Whether a thread is about to look at something in a loop that only looks.
    pub fn is_looking(self, index: usize) -> bool {
        let thread = &self.machine.threads[index];
        let reads = matches!(thread.status, Status::Ready(Operation { kind: EventKind::Read, .. }));
        reads
            && thread.frames.last().is_some_and(|frame| {
                self.machine.live_slots.counters(&self.machine.program, frame.function, frame.pc).is_some()
            })
    }

    /// Whether the bytes lie in a variable that lives as long as the program.
    pub fn is_global(self, address: u64) -> bool {
        matches!(self.machine.memory.find(address), Some(Found::Global(_)))
    }

    /// What the last step has done to places that other threads may know besides its announced operation: objects that
    /// it freed, whether it took a place of its arena, and bytes (only read) of which an access with which the
    /// execution ends has found that they are not there.
    pub fn effects(self) -> &'a [Span] {
        &self.machine.effects
    }

    /// Whether a thread is at a call of `free`.
    pub fn is_at_free(self, index: usize) -> bool {
        self.machine.traits_at(index).reach.ended().is_some()
    }

    /// How many events of the last step are calls of `free`, which look like those of other library functions. What they
    /// freed is among the effects if events are kept.
    pub fn free_calls(self) -> usize {
        self.machine.free_calls
    }

    /// The number by which the program knows a thread, as in [`Wanted::End`].
    pub fn handle(self, index: usize) -> u64 {
        u64::from(crate::sync::handle_of(self.machine, index))
    }

    /// Tells apart the places of a thread's code: a hash of its calls. Threads are often created and joined in
    /// loops: how many it has created and joined counts too, so that what lies behind does not contain those that are there
    /// already, or what became of those that have ended.
    pub fn control(self, index: usize) -> u64 {
        let thread = &self.machine.threads[index];
        let mut hash = u64::from(thread.arena) ^ 0x9e37_79b9_7f4a_7c15;
        let mut mix = |word: u64| {
            let folded = u128::from(hash ^ word) * 0xd6e8_feb8_6659_fd93_u128;
            hash = (folded as u64) ^ ((folded >> 64) as u64) ^ 0x2545_f491_4f6c_dd1d;
        };
        mix(u64::from(thread.children) << 32 | u64::from(thread.joins));
        for frame in &thread.frames {
            mix(u64::from(frame.function) << 32 | u64::from(frame.pc));
        }
        mix(match thread.status {
            Status::Waiting(_) => 1,
            // Threads are often waited for in a loop: for each it is a place of its own.
            Status::Ready(Operation { kind: EventKind::ThreadJoin, address, .. }) => 3 + address,
            _ if thread.wake.is_some() => 2,
            _ => 0,
        });
        hash
    }
}

impl Probe<'_> {
    /// What a pick may touch.
    pub fn footprint(&mut self, pick: Pick, into: &mut Footprint) {
        into.clear();
        match pick {
            Pick::Commit { thread, address } => {
                let mut stores = Vec::new();
                self.machine.inspect().buffered(thread.index(), &mut stores);
                let len = stores.iter().find(|store| store.0 == address).map_or(8, |store| store.1);
                into.write(address, u64::from(len));
            }
            Pick::Step { thread, .. } => self.pending_footprint(thread.index(), into),
        }
    }

    /// What the operation may touch that a thread is before or waits in, whether it is possible now or not.
    pub fn pending_footprint(&mut self, index: usize, into: &mut Footprint) {
        into.clear();
        match self.machine.threads[index].status {
            Status::Starting | Status::Finished => {}
            Status::Waiting(wait) => {
                self.machine.wait_footprint(index, wait, into);
                if wait.may_end_spuriously() {
                    self.machine.spurious_footprint(index, wait.timed(), into);
                }
            }
            Status::Ready(operation) => {
                self.machine.operation_footprint(index, operation, into);
                self.machine.reach_footprint(index, operation.kind, into);
                // A thread that waits until some moment moves the clock there.
                if self.machine.threads[index].wake == Some(Wake::TimedOut)
                    || (!operation.kind.is_access() && self.machine.traits_at(index).has(Trait::Timed))
                {
                    into.write(CLOCK, 1);
                }
            }
        }
    }

    /// The thread that has what another one wants, if it has not given it yet.
    pub fn has_wanted(&mut self, wanted: Wanted) -> Option<ThreadId> {
        match wanted {
            Wanted::End(handle) => {
                let index = crate::sync::thread_with_handle(self.machine, handle)?;
                (!self.machine.threads[index].is_finished()).then_some(ThreadId(index as u16))
            }
            Wanted::Mutex(address) => crate::sync::holder(self.machine, EventKind::MutexLock, address),
            Wanted::Word(_) => None,
        }
    }

    /// Whether other threads know the object in which bytes lie.
    pub fn is_known(&mut self, address: u64, size: u64) -> bool {
        self.machine.is_known_to_others(address, size)
    }

    /// Whether a word has a value now.
    pub fn holds(&mut self, word: Word) -> bool {
        self.machine.memory.find(word.address).is_some()
            && self.machine.memory.read(word.address, usize::from(word.size)).value == word.value
    }

    /// The value of up to 8 bytes, if all of them hold one and none is part of a pointer.
    pub fn value_at(&mut self, address: u64, len: u64) -> Option<u64> {
        if !matches!(len, 1 | 2 | 4 | 8) || self.machine.memory.find(address).is_none() {
            return None;
        }
        let read = self.machine.memory.read(address, len as usize);
        (read.defined && read.provenance == Provenance::NONE).then_some(read.value)
    }

    /// What is in a byte, whether that is a value, a part of a pointer or nothing that was ever stored.
    pub fn byte_at(&mut self, address: u64) -> Option<u8> {
        self.machine.memory.find(address)?;
        Some(self.machine.memory.read(address, 1).value as u8)
    }

    /// Whether nothing was ever stored in a byte.
    pub fn holds_no_value(&mut self, address: u64) -> bool {
        !self.machine.memory.read(address, 1).defined
    }

    /// The bytes of objects that go with a thread when it ends and that others can reach.
    pub fn objects_of_thread(&mut self, index: usize) -> Vec<std::ops::Range<u64>> {
        let mut footprint = Footprint::default();
        self.machine.frees_of_the_end(index, &mut footprint);
        footprint.spans.iter().filter(|span| !span.is_lifetime()).map(|span| span.start..span.end).collect()
    }

    /// How many threads a pending futex call wakes at most, if it is a plain wake that treats all waiting threads
    /// equally.
    pub fn most_woken(&mut self, index: usize) -> Option<u32> {
        self.machine.with_context(index, 0, |context| crate::sync::most_woken(context)).flatten()
    }
}
