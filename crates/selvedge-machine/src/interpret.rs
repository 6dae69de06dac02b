//! The interpreter.

use crate::halt::Halt;
use crate::machine::Machine;
use crate::thread::Wait;
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

impl Machine {
    pub(crate) fn interpret(&mut self, _thread: usize, _permit: bool, _alternative: u32) -> Result<Stop, Halt> {
        Ok(Stop::OutOfFuel)
    }

    pub(crate) fn compare_exchange_alternatives(&mut self, _thread: usize) -> u32 {
        1
    }
}
