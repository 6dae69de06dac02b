//! The interpreter: runs one thread up to its next visible operation.
//!
//! There are two loops. Normally code runs at full speed, with no bookkeeping for undefined values. As soon as a slot
//! of the running frame holds undefined bits, operations are taken one at a time, and what is undefined is propagated
//! exactly; when the last such slot is overwritten, speed returns.

pub(crate) mod atomics;
mod calls;
mod conversion;
mod dependent;
mod fast;
mod intrinsics;
mod memory;
mod registers;
mod unwind;
mod variadic;

pub(crate) use unwind::NATIVES as UNWIND_NATIVES;

use crate::halt::Halt;
use crate::machine::Machine;
use crate::ops::undefined::{Propagation, propagate};
use crate::thread::Wait;
use rustc_hash::FxHashMap;
use selvedge_program::Use;
use selvedge_program::code::Op;
use selvedge_trace::Operation;

/// Why the interpreter stopped.
pub(crate) enum Stop {
    /// Before a visible operation.
    Visible(Operation),
    /// The thread waits.
    Wait(Wait),
    /// The thread has ended.
    ThreadEnd,
    /// The program has ended.
    ProcessEnd(i32),
    /// It has run for long.
    OutOfFuel,
}

/// Why one of the two loops was left.
pub(crate) enum Exit {
    /// The interpreter stops.
    Stop(Stop),
    /// The other loop must go on, or the frame has changed.
    Again,
}

/// Calls and backward jumps before a thread that does nothing visible gives the caller a chance to intervene.
const FUEL: u32 = 2_000_000;
/// The same where events are kept, or expressions, of which each such round may leave several.
pub(crate) const TRACED_FUEL: u32 = 20_000;

/// What one run of the interpreter carries along.
pub(crate) struct Run {
    pub thread: usize,
    /// The scheduler has chosen the operation that the thread is before.
    pub permit: bool,
    pub alternative: u32,
    pub fuel: u32,
}

impl Machine {
    /// Runs a thread. `permit`: the operation that it is before has been chosen, with this alternative.
    pub(crate) fn interpret(&mut self, thread: usize, permit: bool, alternative: u32) -> Result<Stop, Halt> {
        let fuel = if self.config.trace { TRACED_FUEL } else { FUEL };
        let mut run = Run { thread, permit, alternative, fuel };
        loop {
            let careful = self.threads[thread].frame().undefined.is_some();
            let exit = match careful {
                _ if self.follows_dependencies() => self.dependent_step(&mut run)?,
                _ if self.is_concolic() => self.concolic_step(&mut run)?,
                true => self.careful_step(&mut run)?,
                false if self.config.pauses => self.execute::<true>(&mut run)?,
                false => self.execute::<false>(&mut run)?,
            };
            match exit {
                Exit::Stop(stop) => return Ok(stop),
                Exit::Again if self.config.pauses => return Ok(Stop::OutOfFuel),
                Exit::Again => {}
            }
        }
    }

    /// Whether a visible operation may be performed now. While there is only one thread nothing has to be chosen.
    #[inline(always)]
    pub(crate) fn gate(&self, run: &mut Run) -> bool {
        self.chosen(run) || self.atomic == Some(run.thread)
    }

    /// As `gate`, for an operation with several outcomes, which have to be chosen in an atomic section too.
    #[inline(always)]
    pub(crate) fn chosen(&self, run: &mut Run) -> bool {
        std::mem::replace(&mut run.permit, false) || self.unchosen
    }

    /// Performs one operation of a frame in which something may be undefined.
    pub(crate) fn careful_step(&mut self, run: &mut Run) -> Result<Exit, Halt> {
        let program = &*self.program_here();
        let thread = &self.threads[run.thread];
        let depth = thread.frames.len();
        let frame = thread.frame();
        let function = &program.functions[frame.function as usize];
        let op = function.code[frame.pc as usize];
        let base = frame.base as usize;
        let registers = &thread.registers[base..base + function.frame_slots as usize];
        let undefined = frame.undefined.as_deref().cloned().unwrap_or_default();
        match propagate(&op, function, registers, &undefined) {
            Propagation::Written(written) => {
                let exit = self.execute::<true>(run)?;
                self.mark(run.thread, depth - 1, &written);
                Ok(exit)
            }
            Propagation::Decides(what) => {
                let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
                Err(self.uninitialised(&format!("it decides {article} {what}")))
            }
            Propagation::Special => {
                // The operation itself says what is undefined about its results; a call's come with its return.
                if !matches!(op, Op::Call { .. }) {
                    let mut updates = Vec::new();
                    op.operands(function, &mut |usage, slot, count| {
                        if usage == Use::Write {
                            updates.extend((slot..slot + count).map(|slot| (slot, 0)));
                        }
                    });
                    // Not before the operation has read its operands, some of which may be its results' slots.
                    return self.execute_then_mark(run, depth - 1, &updates, &undefined);
                }
                self.execute::<true>(run)
            }
        }
    }

    /// Performs an operation whose results are defined unless it says otherwise.
    fn execute_then_mark(
        &mut self,
        run: &mut Run,
        frame: usize,
        written: &[(u32, u64)],
        before: &FxHashMap<u32, u64>,
    ) -> Result<Exit, Halt> {
        let exit = self.execute::<true>(run)?;
        if let Exit::Again = exit {
            // A mark that has changed is the operation's own word.
            let unchanged = |slot: &u32| {
                let now =
                    self.threads[run.thread].frames.get(frame).and_then(|f| f.undefined.as_ref()?.get(slot));
                now == before.get(slot)
            };
            let stale: Vec<(u32, u64)> =
                written.iter().filter(|(slot, _)| unchanged(slot)).copied().collect();
            self.mark(run.thread, frame, &stale);
        }
        Ok(exit)
    }

    /// Sets the undefined bits of slots of a frame.
    pub(crate) fn mark(&mut self, thread: usize, frame: usize, updates: &[(u32, u64)]) {
        let Some(frame) = self.thread_mut(thread).frames.get_mut(frame) else { return };
        for &(slot, bits) in updates {
            match bits {
                0 => {
                    if let Some(undefined) = &mut frame.undefined {
                        undefined.remove(&slot);
                    }
                }
                bits => {
                    frame.undefined.get_or_insert_default().insert(slot, bits);
                }
            }
        }
        if frame.undefined.as_ref().is_some_and(|undefined| undefined.is_empty()) {
            frame.undefined = None;
        }
    }

    /// The undefined bits of a slot of the running frame.
    pub(crate) fn undefined_bits(&self, thread: usize, slot: u32) -> u64 {
        let undefined = self.threads[thread].frame().undefined.as_ref();
        undefined.and_then(|undefined| undefined.get(&slot).copied()).unwrap_or(0)
    }
}

/// Bits of a value from one bit a byte.
pub(crate) fn bits_of_bytes(bytes: u8) -> u64 {
    (0..8).filter(|i| bytes >> i & 1 == 1).fold(0, |bits, i| bits | 0xff << (8 * i))
}

/// One bit for each byte that is undefined altogether. A byte with some defined bits counts as defined in memory.
pub(crate) fn bytes_of_bits(bits: u64) -> u8 {
    (0..8).filter(|i| bits >> (8 * i) & 0xff == 0xff).fold(0, |bytes, i| bytes | 1 << i)
}
