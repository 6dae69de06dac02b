//! A thread: its frames, its registers, and what it waits for.

use crate::live::LiveSlots;
use crate::memory::{Pointer, Provenance};
use crate::parts::{PartKind, Parts};
use crate::spurious::Round;
use crate::view::View;
use crate::words::Words;
use rustc_hash::FxHashMap;
use selvedge_program::Program;
use selvedge_program::code::GlobalId;
use selvedge_terms::Term;
use selvedge_trace::{Operation, ThreadId, ThreadName};
use std::sync::OnceLock;

/// One activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Index of the function.
    pub function: u32,
    /// The next operation.
    pub pc: u32,
    /// First slot of the frame in the thread's registers.
    pub base: u32,
    /// Number of the thread's stack objects when the frame was entered.
    pub stack_mark: u32,
    /// The arguments on the stack behind their register save area, if the function is variadic.
    pub varargs: Pointer,
    /// Slots that hold no defined value, with the undefined bits of each. Absent most of the time: code runs at
    /// full speed then.
    pub undefined: Option<Box<FxHashMap<u32, u64>>>,
    /// Slots that are expressions, if the machine has a shadow and there are any.
    pub terms: Option<Box<FxHashMap<u32, Term>>>,
    /// The caller may expect another result than the function returns.
    pub converts: bool,
}

impl Frame {
    /// At the beginning of a function, with registers from there on, without stack objects and without marks.
    pub fn new(function: u32, base: u32) -> Self {
        Frame {
            function,
            pc: 0,
            base,
            stack_mark: 0,
            varargs: Pointer::NULL,
            undefined: None,
            terms: None,
            converts: true,
        }
    }
}

/// What a waiting thread waits for. It goes on when another thread wakes it (or, if `timed`, at any time).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    Condition {
        condition: u64,
        mutex: u64,
        timed: bool,
    },
    Futex {
        address: u64,
        bitset: u32,
        timed: bool,
    },
    Barrier {
        address: u64,
    },
    /// For ever: an assumption of the program does not hold.
    Assumption,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wake {
    Woken,
    TimedOut,
    /// Not ended, under the language's memory model: the word of the futex is as expected.
    Checked,
    /// The thread is among those that wait.
    Entered,
    /// It has given the mutex back with which it waits.
    Released,
    /// It has come to a barrier that had opened so often.
    Arrived {
        opened: u32,
    },
}

/// What a thread is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Just created: has not yet come to its first visible operation.
    Starting,
    /// Stopped before a visible operation.
    Ready(Operation),
    /// Waiting to be woken.
    Waiting(Wait),
    /// Done.
    Finished,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    pub id: ThreadId,
    pub name: ThreadName,
    /// Number of its arena: a function of its name.
    pub arena: u32,
    pub frames: Vec<Frame>,
    pub registers: Vec<u64>,
    pub status: Status,
    /// How its last wait ended, until the function that waited has taken note.
    pub wake: Option<Wake>,
    /// Visible events so far.
    pub events: u32,
    /// Threads that it has created.
    pub children: u32,
    /// How many threads it has joined.
    pub joins: u32,
    /// Random numbers that the system has given it.
    pub draws: u32,
    /// Values that it has asked for.
    pub inputs: u32,
    /// The same, if what it is given next depends on it.
    pub input_key: u32,
    /// Its stack objects, in order of allocation.
    pub stack: Vec<Pointer>,
    /// Its copies of thread-local variables.
    pub thread_locals: FxHashMap<GlobalId, Pointer>,
    /// Values of `pthread_setspecific`, by key.
    pub specifics: Vec<Pointer>,
    /// How far it has come with the destructors of those values, at its end.
    pub key_cursor: u32,
    /// Where its errno lives, once it has been asked for.
    pub errno: Pointer,
    /// What it returned; `None` if that was never given a value.
    pub result: Option<Pointer>,
    /// The exception that a landing pad is about to receive, and its selector.
    pub exception: (Pointer, u32),
    pub detached: bool,
    pub joined: bool,
    /// A Rust panic has ended what it was started for, and no thread has joined it since.
    pub panicked: bool,
    /// Where it was when its last Rust panic began: a position in the user's own code.
    pub panicked_at: Option<u32>,
    /// The name that the program gave it.
    pub title: String,
    /// What it has read, if the machine keeps views.
    pub view: View,
    /// What it has done since it was woken spuriously, if it may come round: see [`Round`].
    pub(crate) round: Option<Round>,
    /// Its hash, once it was asked for since the thread last changed; then it is part of the machine's sum.
    pub(crate) hash: OnceLock<u128>,
}

impl Thread {
    /// Enters a frame with so many slots, of which the first are given.
    pub fn push_frame(&mut self, frame: Frame, slots: usize, given: &[u64]) {
        let base = frame.base as usize;
        let needed = base + slots.max(given.len());
        if self.registers.len() < needed {
            self.registers.resize(needed * 2, 0);
        }
        self.registers[base..base + given.len()].copy_from_slice(given);
        self.frames.push(frame);
    }

    pub(crate) fn new(id: ThreadId, name: ThreadName, arena: u32) -> Self {
        Thread {
            id,
            name,
            arena,
            frames: Vec::new(),
            registers: Vec::new(),
            status: Status::Finished,
            wake: None,
            events: 0,
            children: 0,
            joins: 0,
            draws: 0,
            inputs: 0,
            input_key: 0,
            stack: Vec::new(),
            thread_locals: FxHashMap::default(),
            specifics: Vec::new(),
            key_cursor: 0,
            errno: Pointer::NULL,
            result: Some(Pointer::NULL),
            exception: (Pointer::NULL, 0),
            detached: false,
            joined: false,
            panicked: false,
            panicked_at: None,
            title: String::new(),
            view: View::default(),
            round: None,
            hash: OnceLock::new(),
        }
    }

    /// Hash of what can influence the rest of an execution: where it is, its live registers, what it waits for.
    pub(crate) fn digest(&self, program: &Program, live: &LiveSlots) -> u128 {
        Parts::sum(|parts| self.parts(program, live, parts))
    }

    /// What can influence the rest of an execution.
    pub(crate) fn parts(&self, program: &Program, live: &LiveSlots, parts: &mut Parts<'_>) {
        use std::hash::{Hash, Hasher};
        let mut hasher = Words::new(u64::from(self.arena));
        (self.detached, self.panicked, self.panicked_at).hash(&mut hasher);
        match &self.status {
            Status::Starting => hasher.write_u8(1),
            Status::Ready(operation) => operation.hash(&mut hasher),
            Status::Waiting(wait) => wait.hash(&mut hasher),
            // Of a thread that has ended only what a join would find is left.
            Status::Finished => {
                self.joined.hash(&mut hasher);
                if !self.joined && !self.detached {
                    self.result.hash(&mut hasher);
                }
                parts.add(PartKind::Thread, &hasher);
                return;
            }
        }
        (self.wake, self.children, self.joins, &self.specifics, self.key_cursor, self.errno.address)
            .hash(&mut hasher);
        (self.draws, self.input_key, &self.title, self.stack.len()).hash(&mut hasher);
        self.stack.iter().for_each(|object| hasher.write_u64(object.address));
        for (global, local) in &self.thread_locals {
            let mut hasher = Words::new(u64::from(self.arena));
            (global, local.address).hash(&mut hasher);
            parts.add(PartKind::ThreadLocal, &hasher);
        }
        hasher.write_usize(self.frames.len());
        for (depth, frame) in self.frames.iter().enumerate() {
            hasher.write_u64(u64::from(frame.function) << 32 | u64::from(frame.pc));
            (frame.stack_mark, frame.varargs.address).hash(&mut hasher);
            let top = depth + 1 == self.frames.len();
            let slots = match top {
                true => live.before(program, frame.function, frame.pc),
                false => live.across(program, frame.function, frame.pc),
            };
            slots.iter().for_each(|slot| hasher.write_u64(self.registers[(frame.base + slot) as usize]));
            let Some(undefined) = &frame.undefined else {
                hasher.write_u8(0);
                continue;
            };
            let undefined = slots.iter().filter_map(|slot| Some((slot, *undefined.get(&slot)?)));
            undefined.for_each(|(slot, bits)| {
                hasher.write_u32(slot + 1);
                hasher.write_u64(bits);
            });
            hasher.write_u8(0);
        }
        parts.add(PartKind::Thread, &hasher);
    }

    /// Whether it has ended.
    pub fn is_finished(&self) -> bool {
        self.status == Status::Finished
    }

    /// The frame that runs.
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a thread that runs has a frame")
    }

    /// The frame that runs.
    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a thread that runs has a frame")
    }

    /// A slot of the running frame.
    pub fn register(&self, slot: u32) -> u64 {
        self.registers[(self.frame().base + slot) as usize]
    }

    /// Sets a slot of the running frame, to a defined value.
    pub fn set_register(&mut self, slot: u32, value: u64) {
        let frame = self.frame_mut();
        if let Some(undefined) = &mut frame.undefined {
            undefined.remove(&slot);
        }
        let index = (frame.base + slot) as usize;
        self.registers[index] = value;
    }

    /// A pointer in two slots of the running frame.
    pub fn pointer(&self, slot: u32) -> Pointer {
        Pointer { address: self.register(slot), provenance: Provenance(self.register(slot + 1)) }
    }

    /// Sets a pointer in two slots of the running frame.
    pub fn set_pointer(&mut self, slot: u32, pointer: Pointer) {
        self.set_register(slot, pointer.address);
        self.set_register(slot + 1, pointer.provenance.0);
    }
}
